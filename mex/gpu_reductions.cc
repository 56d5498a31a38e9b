/* Sums, means, extremes, orders and positions of elements.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_operations.h"

#include "gpu_deferred.h"

#include <cmath>
#include <octave/version.h>

namespace gpueig
{

/* --- sums --- */

/* The dimension in argument I; before version 11 Octave took a 0-by-0 matrix for a column in sums
   and their kin along any dimension.  */
static int
dimension_of_sum (const request &q, int i)
{
  const int dim = dimension_at (q, i);
  if (OCTAVE_MAJOR_VERSION >= 11 || dim < 0
      || ! q.args (0).dims ().zero_by_zero ())
    return dim;
  return dim == 0 ? -1 : 1;
}

/* The dimension in argument I, from 0, or the first that is not 1; *SIZE: that of the first argument
   along it, 0 if it has no elements.  */
static int
along (const request &q, int i, octave_idx_type *size)
{
  const dim_vector dims = q.args (0).dims ();
  const int given = dimension_at (q, i),
            dim = given < 0 ? dims.first_non_singleton () : given;
  *size = dims.any_zero () ? 0 : dim < dims.ndims () ? dims (dim) : 1;
  return dim;
}

static bool
is_empty_at (const request &q, int i)
{
  return i < q.args.length () && q.args (i).isnumeric ()
         && q.args (i).isempty ();
}

static shared_data
reduced (const request &q, int dim)
{
  return made (q.caller, direct->array_reduce,
               static_cast<gpueig_reduction> (q.code),
               as_array (q.args (0).get_rep ())->number (), dim);
}

/* sum (X, DIM) and its kin  */
octave_value_list
reduce (const request &q)
{
  first_of (q, 2);
  return ovl (result_of (reduced (q, dimension_of_sum (q, 1))));
}

/* any and all; the numbers 0 and 1 of single arrays count as doubles, too.  */
octave_value_list
test (const request &q)
{
  first_of (q, 2);
  const gpu_value r (reduced (q, dimension_of_sum (q, 1)));
  return ovl (r.is_single () ? compared (GPUEIG_NE, q.caller, r,
                                         octave_value (0.0).get_rep ())
                             : deferred (array_value_of (r.array ()), true));
}

octave_value_list
average (const request &q)
{
  octave_idx_type size;
  first_of (q, 2);
  const int dim = along (q, 1, &size);
  if (size == 0)
    throw of_octave ();
  return ovl (result_of (reduced (q, dim)));
}

/* max (X, [], DIM) and min, with positions; max (X, Y)  */
octave_value_list
extreme (const request &q)
{
  const bool is_max = q.code == GPUEIG_LARGEST, old = OCTAVE_MAJOR_VERSION < 11;
  const octave_idx_type n = q.args.length ();
  int64_t r, at;
  if (n == 2 && q.n_out < 2)
    return ovl (elementwise (is_max ? old ? GPUEIG_MAX_OR_NAN : GPUEIG_MAX
                             : old  ? GPUEIG_MIN_OR_NAN
                                    : GPUEIG_MIN,
                             q.caller, q.args (0).get_rep (),
                             q.args (1).get_rep ()));
  const gpu_value &a = first_of (q, 3, 2);
  if (n == 2 || (n == 3 && ! is_empty_at (q, 1))
      || (q.n_out > 1 && a.isempty ()))
    throw of_octave ();
  const int dim = dimension_at (q, 2);
  if (q.n_out < 2)
    return ovl (result_of (reduced (q, dim)));
  check (q.caller, direct->array_extreme (
                       *direct->context, static_cast<gpueig_reduction> (q.code),
                       a.number (), dim, &r, &at));
  const octave_value positions (new gpu_value (at));
  return ovl (result_of (std::make_shared<gpu_data> (r)),
              deferred (positions, false));
}

/* var (X, OVER, DIM), code 0, and std, code 1, over N or N - 1  */
octave_value_list
spread (const request &q)
{
  const int64_t a = first_of (q, 3).number (),
                over = is_empty_at (q, 1) ? 0 : integer_at (q, 1, 0);
  octave_idx_type size;
  const int dim = along (q, 2, &size);
  if (size < 2 || (over != 0 && over != 1))
    throw of_octave ();
  return ovl (result_of (
      made (q.caller, direct->array_variance, a, dim,
            static_cast<double> (over == 1 ? size : size - 1), q.code)));
}

/* cumsum (X, DIM) and its kin  */
octave_value_list
scan (const request &q)
{
  return ovl (result_of (made (
      q.caller, direct->array_scan, static_cast<gpueig_reduction> (q.code),
      first_of (q, 2).number (), dimension_at (q, 1))));
}

/* diff (X, 1, DIM), of two elements or more along DIM  */
octave_value_list
difference (const request &q)
{
  const gpu_value &a = first_of (q, 3);
  const int n = a.ndims ();
  octave_idx_type size;
  gpueig_index index[GPUEIG_ARRAY_DIMS];
  const gpueig_index *const first = index;
  const int64_t *const none = nullptr;
  const int dim = along (q, 2, &size);
  if (size < 2 || (! is_empty_at (q, 1) && integer_at (q, 1, 1) != 1))
    throw of_octave ();
  for (int d = 0; d < n; d++)
    index[d] = { a.dims () (d) - (d == dim), nullptr, 0, 1 };
  const shared_data to
      = made (q.caller, direct->array_index, a.number (), n, first, 0, none);
  index[dim].start = 1;
  const shared_data from
      = made (q.caller, direct->array_index, a.number (), n, first, 0, none);
  const gpueig_operand x = { from->number, GPUEIG_DOUBLE, 0, 0 },
                       y = { to->number, GPUEIG_DOUBLE, 0, 0 };
  return ovl (
      result_of (made (q.caller, direct->array_binary, GPUEIG_MINUS, x, y)));
}

/* --- orders, positions --- */

/* sort (X, DIM, "ascend" or "descend")  */
octave_value_list
sort (const request &q)
{
  octave_idx_type n = q.args.length ();
  const bool has_word = n > 1 && q.args (n - 1).is_string ();
  const std::string word = has_word ? q.args (n - 1).string_value () : "ascend";
  const request plain
      = { q.caller, 0, q.n_out, q.args.slice (0, n - has_word) };
  const gpu_value &a = first_of (plain, 2, 2);
  const int dim = dimension_at (plain, 1);
  int64_t r, at = 0;
  if (a.isempty () || (word != "ascend" && word != "descend")
      || (q.n_out > 1 && dim >= a.ndims ()))
    throw of_octave ();
  check (q.caller, direct->array_sort (*direct->context, a.number (), dim,
                                       word == "descend", &r,
                                       q.n_out > 1 ? &at : nullptr));
  octave_value_list results = ovl (result_of (std::make_shared<gpu_data> (r)));
  if (at)
    results (1) = deferred (octave_value (new gpu_value (at)), false);
  return results;
}

/* median (X, DIM), of real elements  */
octave_value_list
median (const request &q)
{
  const gpu_value &a = first_of (q, 2);
  const int dim = dimension_at (q, 1);
  if (a.iscomplex () || a.isempty ())
    throw of_octave ();
  return ovl (
      result_of (made (q.caller, direct->array_median, a.number (), dim)));
}

/* find (X, N, "first" or "last"): positions, and what is there  */
octave_value_list
find (const request &q)
{
  const octave_value_list &args = q.args;
  const octave_idx_type n = args.length ();
  const int n_out = q.n_out;
  const gpu_value &a = first_of (q, 3, 3);
  const dim_vector dims = a.dims ();
  const double most = n > 1 && is_scalar (args (1)) ? args (1).double_value ()
                      : n > 1                       ? 0
                                                    : 1e18;
  const std::string word = n < 3                   ? "first"
                           : args (2).is_string () ? args (2).string_value ()
                                                   : "";
  if (a.numel () < 2 || ! (most >= 1) || most != std::floor (most)
      || (word != "first" && word != "last"))
    throw of_octave ();
  const octave_value list
      = array_value_of (made ("find", direct->array_nonzero, a.number ()));
  const octave_idx_type count = list.numel ();
  const bool row = dims.ndims () == 2 && dims (0) == 1;
  if (most >= count && n_out < 2)
    return ovl (
        deferred (row ? list.reshape (dim_vector (1, count)) : list, false));
  ColumnVector at (host_value_of (list.get_rep ()).column_vector_value ());
  if (most < count)
    at = at.extract_n (
        word == "last" ? count - static_cast<octave_idx_type> (most) : 0,
        static_cast<octave_idx_type> (most));
  octave_value_list r = ovl (row ? octave_value (RowVector (at.transpose ()))
                                 : octave_value (at));
  if (n_out > 2)
    r (2) = host_value_of (indexed (a, ovl (r (0))).get_rep ());
  if (n_out > 1)
    {
      ColumnVector i (at.numel ()), j (at.numel ());
      for (octave_idx_type k = 0; k < at.numel (); k++)
        {
          j (k) = std::floor ((at (k) - 1) / dims (0)) + 1;
          i (k) = at (k) - (j (k) - 1) * dims (0);
        }
      r (0)
          = row ? octave_value (RowVector (i.transpose ())) : octave_value (i);
      r (1)
          = row ? octave_value (RowVector (j.transpose ())) : octave_value (j);
    }
  return r;
}

} /* namespace */
