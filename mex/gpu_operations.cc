/* The operations of the library that __array__ and the functions of gpu_array name.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_operations.h"

#include <cmath>
#include <octave/ov.h>

namespace gpueig
{

/* --- arguments --- */

const gpu_value &
first_of (const request &q, int most, int most_out)
{
  const gpu_value *a
      = q.args.empty () ? nullptr : as_array (q.args (0).get_rep ());
  if (! a || q.args.length () > most || q.n_out > most_out)
    throw of_octave ();
  return *a;
}

int64_t
integer_at (const request &q, int i, int64_t otherwise)
{
  if (i >= q.args.length ())
    return otherwise;
  const octave_value &x = q.args (i);
  if (! is_scalar (x) || x.iscomplex ())
    throw of_octave ();
  const double k = x.double_value ();
  if (! (std::fabs (k) < 0x1p53) || k != std::floor (k))
    throw of_octave ();
  return static_cast<int64_t> (k);
}

int
dimension_at (const request &q, int i)
{
  const int64_t d = integer_at (q, i, 0);
  if (i < q.args.length () && d < 1)
    throw of_octave ();
  return static_cast<int> (std::min<int64_t> (d, GPUEIG_ARRAY_DIMS + 1)) - 1;
}

/* The arrays of arguments FIRST and following, those of Octave in the place of the first that is
   one.  */
static std::vector<shared_data>
arrays_of (const request &q, int first)
{
  std::vector<shared_data> r;
  const shared_data like = place_of (q.args);
  if (! like)
    throw of_octave ();
  for (int i = first; i < q.args.length (); i++)
    r.push_back (uploaded (q.caller, q.args (i).get_rep (), *like));
  return r;
}

std::vector<shared_data>
two_arrays (const request &q, int more)
{
  if (q.args.length () < 2 || q.args.length () > 2 + more)
    throw of_octave ();
  return arrays_of ({ q.caller, q.code, q.n_out, q.args.slice (0, 2) }, 0);
}

octave_value
number_of (gpueig_type type, const Complex &z)
{
  const bool is_double = gpueig_is_double (type);
  if (z.imag () != 0)
    return is_double ? octave_value (z) : octave_value (FloatComplex (z));
  return is_double ? octave_value (z.real ())
                   : octave_value (static_cast<float> (z.real ()));
}

/* --- memory --- */

/* [class, is complex, device (-1: host memory)]  */
static octave_value_list
type_of (const request &q)
{
  const kept_value *k = first_kept (q.args.slice (0, 1));
  if (k)
    return ovl (k->host ().class_name (), k->iscomplex (), k->device ());
  const gpu_value &a = first_of (q, 1, 3);
  return ovl (a.is_single () ? "single" : "double", a.iscomplex (),
              a.array ()->info.device);
}

static octave_value_list
wait (const request &q)
{
  check (q.caller, direct->array_wait (*direct->context));
  return octave_value_list ();
}

/* put (X, LIKE)  */
static octave_value_list
put_like (const request &q)
{
  /* A result of Octave's function may be an array, such as cast (1, class (G)).  */
  return ovl (as_array (q.args (0).get_rep ())
                  ? q.args (0)
                  : put (q.args (0), place_like (q.args (1))));
}

static octave_value_list
new_one (const request &q)
{
  return ovl (
      new_array (q.caller, q.args (0), q.args.slice (1, q.args.length () - 1)));
}

/* host (COUNT, ARG1, ...): Octave's function CALLER  */
static octave_value_list
stay_on_host (const request &q)
{
  return hosted (q.caller, q.args (0).double_value (),
                 q.args.slice (1, q.args.length () - 1), q.n_out);
}

/* --- elements --- */

static octave_value_list
convert (const request &q)
{
  const gpu_value &a = first_of (q, 1);
  const gpueig_type real = static_cast<gpueig_type> (q.code);
  const gpueig_type complex
      = gpueig_is_double (real) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
  return ovl (
      array_value_of (made (q.caller, direct->array_convert, a.number (),
                            a.iscomplex () ? complex : real)));
}

static octave_value_list
of_two (const request &q)
{
  if (q.args.length () != 2 || q.n_out > 1)
    throw of_octave ();
  return ovl (elementwise (static_cast<gpueig_binary> (q.code), q.caller,
                           q.args (0).get_rep (), q.args (1).get_rep ()));
}

static octave_value_list
equal (const request &q)
{
  if (q.args.length () < 2)
    throw of_octave ();
  octave_value_list values = q.args;
  for (octave_idx_type i = 0; i < values.length (); i++)
    if (values (i).is_char_matrix ())
      values (i) = values (i).array_value (true);
    else if (! values (i).isnumeric () && ! values (i).islogical ())
      return ovl (false);
  const std::vector<shared_data> a
      = arrays_of ({ q.caller, q.code, q.n_out, values }, 0);
  int is = 1;
  for (size_t i = 1; i < a.size () && is; i++)
    check (q.caller, direct->array_equal (*direct->context, a[0]->number,
                                          a[i]->number, &is));
  return ovl (is != 0);
}

static octave_value_list
symmetric (const request &q)
{
  const gpu_value &a = first_of (q, 1);
  int is = 0;
  check (q.caller,
         direct->array_symmetric (*direct->context, a.number (), q.code, &is));
  return ovl (is && a.ndims () == 2);
}

/* [F, E] = log2 (X) is Octave's.  */
static octave_value_list
binary_logarithm (const request &q)
{
  return ovl (first_of (q, 1).map (octave_base_value::umap_log2));
}

/* mpower (A, P)  */
static octave_value_list
power (const request &q)
{
  if (q.args.length () != 2)
    throw of_octave ();
  return ovl (octave::binary_op (octave_value::op_pow, q.args (0), q.args (1)));
}

/* --- shape --- */

static octave_value
concatenated (const char *caller, int dim, const std::vector<shared_data> &a)
{
  std::vector<int64_t> numbers;
  for (const shared_data &x : a)
    numbers.push_back (x->number);
  const int64_t *const first = numbers.data ();
  return result_of (made (caller, direct->array_concatenate, dim,
                          static_cast<int> (a.size ()), first));
}

/* cat (DIM, X1, X2, ...)  */
static octave_value_list
concatenate (const request &q)
{
  return ovl (concatenated (q.caller, dimension_at (q, 0), arrays_of (q, 1)));
}

octave_value
joined_arrays (const char *caller, int dim, const octave_value_list &args)
{
  return concatenated (caller, -1 - dim, arrays_of ({ caller, 0, 1, args }, 0));
}

namespace
{

enum
{
  RESHAPE,
  REPEAT,
  PERMUTE /* in the order from 1 on */
};

} /* namespace */

/* reshape (X, ...), repmat (X, ...), permute (X, ORDER)  */
static octave_value_list
shape (const request &q)
{
  const int n = static_cast<int> (q.args.length ());
  const gpu_value &a = first_of (q, q.code == PERMUTE ? 2 : n);
  /* repmat takes numbers or one vector; Octave knows what other forms mean.  */
  for (int i = 1; i < n && q.code == REPEAT; i++)
    if (q.args (i).numel () != 1
        && (n > 2 || q.args (i).isempty () || ! q.args (i).dims ().isvector ()))
      throw of_octave ();
  const RowVector sizes = sizes_of (q.args, q.code == RESHAPE);
  std::vector<int64_t> list;
  for (octave_idx_type k = 0; k < sizes.numel (); k++)
    if (std::fabs (sizes (k)) < 0x1p53 && sizes (k) == std::floor (sizes (k)))
      list.push_back (static_cast<int64_t> (sizes (k)) - (q.code == PERMUTE));
  if (list.size () == 1 && q.code == REPEAT)
    list.push_back (list[0]);
  const int count = static_cast<int> (list.size ());
  if (count < 1 || count > GPUEIG_ARRAY_DIMS || count < sizes.numel ())
    throw of_octave ();
  const int64_t *const first = list.data ();
  const shared_data r = made (q.caller,
                              q.code == RESHAPE  ? direct->array_reshape
                              : q.code == REPEAT ? direct->array_repeat
                                                 : direct->array_permute,
                              a.number (), count, first);
  return ovl (q.code == REPEAT ? result_of (r) : array_value_of (r));
}

static octave_value_list
transpose (const request &q)
{
  return ovl (result_of (made (q.caller, direct->array_transpose,
                               first_of (q, 1).number (), q.code)));
}

/* tril (X, K), code -1, and triu (X, K), code 1  */
static octave_value_list
band (const request &q)
{
  const gpu_value &a = first_of (q, 2);
  const int64_t k = integer_at (q, 1, 0), rows = a.dims () (0),
                columns = a.dims () (1);
  return ovl (
      result_of (made (q.caller, direct->array_band, a.number (),
                       q.code < 0 ? -rows : k, q.code < 0 ? k : columns)));
}

/* diag (X, K), diag (V, M, N)  */
static octave_value_list
diagonal (const request &q)
{
  const gpu_value &a = first_of (q, 3);
  const int64_t k = integer_at (q, 1, 0), n = integer_at (q, 2, 0);
  if (q.args.length () < 3)
    return ovl (
        result_of (made (q.caller, direct->array_diagonal, a.number (), k)));
  if (! a.dims ().isvector ())
    error ("diag: V must be a vector");
  const octave_idx_type count = std::min<int64_t> ({ k, n, a.numel () });
  return ovl (assigned (
      made_like ("zeros", q.args.slice (1, 2), q.args (0)), true,
      ovl (octave::range<double> (1, k + 1.0, (count - 1) * (k + 1.0) + 1)),
      indexed (a, ovl (octave::range<double> (1, 1, count))).get_rep ()));
}

/* --- the table --- */

static const operation operations[] = {
  { "new", 0, new_one },
  { "put", 0, put_like },
  { "host", 0, stay_on_host },
  { "type", 0, type_of },
  { "wait", 0, wait },
  { "double", GPUEIG_DOUBLE, convert },
  { "single", GPUEIG_FLOAT, convert },

  { "atan2", GPUEIG_ATAN2, of_two },
  { "hypot", GPUEIG_HYPOT, of_two },
  { "mod", GPUEIG_MOD, of_two },
  { "rem", GPUEIG_REM, of_two },
  { "isequal", 0, equal },
  { "issymmetric", 0, symmetric },
  { "ishermitian", 1, symmetric },
  { "cat", 0, concatenate },
  { "reshape", RESHAPE, shape },
  { "repmat", REPEAT, shape },
  { "permute", PERMUTE, shape },
  { "pagetranspose", 0, transpose },
  { "pagectranspose", 1, transpose },
  { "tril", -1, band },
  { "triu", 1, band },
  { "diag", 0, diagonal },
  { "diff", 0, difference },
  { "sum", GPUEIG_SUM, reduce },
  { "sumsq", GPUEIG_SUM_SQUARES, reduce },
  { "prod", GPUEIG_PRODUCT, reduce },
  { "mean", GPUEIG_MEAN, average },
  { "max", GPUEIG_LARGEST, extreme },
  { "min", GPUEIG_SMALLEST, extreme },
  { "any", GPUEIG_ANY, test },
  { "all", GPUEIG_ALL, test },
  { "cumsum", GPUEIG_SUM, scan },
  { "cumprod", GPUEIG_PRODUCT, scan },
  { "cummax", GPUEIG_LARGEST, scan },
  { "cummin", GPUEIG_SMALLEST, scan },
  { "sort", 0, sort },
  { "median", 0, median },
  { "var", 0, spread },
  { "std", 1, spread },
  { "find", 0, find },
  { "mpower", 0, power },
  { "log2", 0, binary_logarithm },
  { "kron", 0, kron },
  { "trace", 0, trace },
  { "norm", 0, norm },
  { "dot", 0, dot },
  { "pagemtimes", 0, multiply_pages },
  { "chol", 0, cholesky },
  { "inv", 0, inverse },
  { "lu", 0, lu },
  { "qr", 0, qr },
  { "det", 0, determinant },
  { "fft", 0, transform },
  { "ifft", 1, transform },
  { "fft2", 0, transform_both },
  { "ifft2", 1, transform_both },
};

const operation *
find_operation (const std::string &name)
{
  for (const operation &o : operations)
    if (name == o.name)
      return &o;
  return nullptr;
}

octave_value_list
run (const operation &o, const char *caller, const octave_value_list &args,
     int n_out)
{
  try
    {
      const octave_value_list r = o.run ({ caller, o.code, n_out, args });
      return r.length () == 1 && r (0).is_undefined () ? octave_value_list ()
                                                       : r;
    }
  catch (const of_octave &)
    {
      return octave_value_list ();
    }
}

} /* namespace */
