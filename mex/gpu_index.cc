/* Parts of gpu_array: indices as those of Octave, and assignment.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_deferred.h"
#include "gpu_operations.h"

#include <cmath>

namespace gpueig
{

namespace
{

enum
{
  MANY = 20000 /* so many positions are checked where the array is */
};

/* N indices.  */
struct subscripts
{
  int n;
  bool is_colon[GPUEIG_ARRAY_DIMS];
  gpueig_index index[GPUEIG_ARRAY_DIMS];
  std::vector<octave::idx_vector> vectors; /* those that are neither ":" nor
                                              numbers; the lists of INDEX */
};

} /* namespace */

/* V for the library: equidistant positions need no list, which LISTS keeps.  */
static gpueig_index
index_of (const octave::idx_vector &v, std::vector<octave::idx_vector> &lists)
{
  gpueig_index r = { v.length (0), nullptr, 0, 1 };
  if (r.count > 0)
    r.start = v (0);
  if (r.count > 1)
    r.step = v (1) - v (0);
  if (r.count < 2 || v.is_range ())
    return r;
  lists.push_back (v);
  const octave_idx_type *list = lists.back ().raw ();
  octave_idx_type i = 2;
  while (i < r.count && list[i] - list[i - 1] == r.step)
    i++;
  if (i < r.count)
    r.list = list;
  return r;
}

/* X, index D of N of an array of SHAPE.  */
static void
add_subscript (subscripts &s, const octave_value &x, const gpueig_shape &shape,
               int d)
{
  gpueig_index &index = s.index[d];
  index = { 1, nullptr, 0, 1 };
  if (x.is_real_scalar () && x.is_double_type ())
    {
      const double k = x.double_value ();
      if (k >= 1 && k < 0x1p53 && k == std::floor (k))
        {
          index.start = static_cast<int64_t> (k) - 1;
          return;
        }
    }
  else if (x.is_magic_colon ())
    s.is_colon[d] = true;
  if (! s.is_colon[d])
    {
      const octave::idx_vector v
          = (x.isobject () ? host_value_of (x.get_rep ()) : x).index_vector ();
      s.is_colon[d] = v.is_colon ();
      s.vectors.push_back (v);
      if (! s.is_colon[d])
        index = index_of (v, s.vectors);
    }
  if (s.is_colon[d])
    index = { d < shape.n_dims ? shape.dims[d] : 1, nullptr, 0, 1 };
  for (int k = d + 1; s.is_colon[d] && d == s.n - 1 && k < shape.n_dims; k++)
    index.count *= shape.dims[k];
}

/* X as the indices of an array of SHAPE; the last one counts through all further dimensions.  */
static subscripts
subscripts_of (const octave_value_list &x, const gpueig_shape &shape)
{
  subscripts s = { static_cast<int> (x.length ()), {}, {}, {} };
  if (s.n < 1 || s.n > GPUEIG_ARRAY_DIMS)
    error_with_id ("Octave:invalid-index",
                   "index: there are %d subscripts, there can be 1 to %d", s.n,
                   GPUEIG_ARRAY_DIMS);
  for (int d = 0; d < s.n; d++)
    try
      {
        add_subscript (s, x (d), shape, d);
      }
    catch (octave::index_exception &e)
      {
        e.set_pos_if_unset (s.n, d + 1);
        throw;
      }
  return s;
}

/* The dimensions of A(I), I of COUNT elements.  */
static dim_vector
linear_dims (const dim_vector &a, const dim_vector &i, octave_idx_type count)
{
  dim_vector r = i;
  if (a.is_nd_vector () && i.is_nd_vector ())
    r = a.make_nd_vector (count);
  if (r.ndims () > GPUEIG_ARRAY_DIMS)
    error_with_id ("Octave:invalid-index",
                   "index: an index has more than %d dimensions",
                   GPUEIG_ARRAY_DIMS);
  return r;
}

static std::vector<int64_t>
sizes (const dim_vector &dims)
{
  std::vector<int64_t> r;
  for (int d = 0; d < dims.ndims (); d++)
    r.push_back (dims (d));
  return r;
}

/* Nonzero for many numbers that do not look equidistant, which need no list.  */
static bool
has_many (const octave_value &x)
{
  const octave_idx_type n = x.numel (), middle = n / 2;
  if (! x.is_double_type () || ! x.is_matrix_type () || x.iscomplex ()
      || x.issparse () || n < MANY)
    return false;
  const NDArray value = x.array_value ();
  const double step = value (1) - value (0);
  return value (n - 1) - value (0) != step * static_cast<double> (n - 1)
         || value (middle) - value (0) != step * static_cast<double> (middle);
}

/* Raise Octave's error for an index of INDEX that is beyond an array of dimensions DIMS; Octave adds
   the name of the variable.  */
static void
check_bounds (const octave_value_list &index, const dim_vector &dims)
{
  const int n = static_cast<int> (index.length ());
  const dim_vector sizes = dims.redim (n);
  for (int d = 0; d < n; d++)
    {
      const octave_idx_type end = host_value_of (index (d).get_rep ())
                                      .index_vector ()
                                      .extent (sizes (d));
      if (end > sizes (d))
        octave::err_index_out_of_range (n, d + 1, end, sizes (d), dims);
    }
}

/* The array of the part of A at INDEX that F (context, the number of A, ARGS..., &R) makes.  */
template <typename... P, typename... T>
static shared_data
part_of (const gpu_value &a, const octave_value_list &index,
         gpueig_status (*f) (gpueig_context *, int64_t, P...), T... args)
{
  int64_t r = 0;
  const gpueig_status status = f (*direct->context, a.number (), args..., &r);
  if (status == GPUEIG_BAD_INDEX)
    check_bounds (index, a.dims ());
  check ("index", status);
  return r ? std::make_shared<gpu_data> (r) : nullptr;
}

/* A(X) for positions in an array, or many, which are not looked at here, or a large mask on a GPU;
   undefined for others, and for what is not a position.  */
static octave_value
picked (const gpu_value &a, const octave_value &x)
{
  const octave_base_value &rep = x.get_rep ();
  const auto *d = dynamic_cast<const deferred_value *> (&rep);
  const shared_data &array = a.array ();
  const bool mask = array->info.on_gpu && x.islogical () && ! x.issparse ()
                    && x.numel () >= MANY;
  const bool is_placed = as_array (rep) || (d && ! d->is_mask ());
  dim_vector dims = x.dims ();
  if (! is_placed && ! mask && ! has_many (x))
    return octave_value ();
  shared_data positions = uploaded ("index", rep, *array);
  if (mask)
    {
      positions = made ("index", direct->array_nonzero, positions->number);
      const octave_idx_type count = positions->info.shape.count;
      dims = dims.is_nd_vector () ? dims.make_nd_vector (count)
                                  : dim_vector (count, 1);
    }
  else if (gpueig_is_complex (positions->info.shape.type))
    return octave_value ();
  const std::vector<int64_t> shape
      = sizes (linear_dims (a.dims (), dims, positions->info.shape.count));
  const int64_t *const first = shape.data ();
  return result_of (part_of (a, ovl (x), direct->array_pick, positions->number,
                             static_cast<int> (shape.size ()), first));
}

octave_value
indexed (const gpu_value &x, const octave_value_list &index)
{
  const shared_data &array = x.array ();
  const bool is_linear = index.length () == 1;
  octave_value r = is_linear ? picked (x, index (0)) : octave_value ();
  if (r.is_defined ())
    return r;
  const subscripts s = subscripts_of (index, array->info.shape);
  const gpueig_index *const first = s.index;
  std::vector<int64_t> shape;
  if (is_linear)
    shape
        = s.is_colon[0] || s.vectors.empty ()
              ? std::vector<int64_t>{ s.index[0].count, 1 }
              : sizes (linear_dims (x.dims (), s.vectors[0].orig_dimensions (),
                                    s.index[0].count));
  const int64_t *const dims = shape.data ();
  return result_of (part_of (x, index, direct->array_index, s.n, first,
                             static_cast<int> (shape.size ()), dims));
}

/* In an assignment to an array whose dimensions are all zero, ":" takes its count from the value, of
   dimensions V, as in Octave: from the same dimension if neither index is a scalar, otherwise from
   the dimensions of the value other than 1, in their order.  */
static void
open_colons (subscripts &s, const gpueig_shape &a, const dim_vector &v)
{
  std::vector<int64_t> kept;
  bool is_aligned = s.n == 2 && v.ndims () == 2;
  size_t k = 0;
  for (int d = 0; d < a.n_dims; d++)
    if (a.dims[d] != 0)
      return;
  if (s.n == 1)
    return;
  for (int d = 0; d < s.n; d++)
    is_aligned = is_aligned && (s.is_colon[d] || s.index[d].count != 1);
  for (int d = 0; d < v.ndims (); d++)
    if (is_aligned || v (d) != 1)
      kept.push_back (v (d));
  for (int d = 0; d < s.n; d++)
    if (s.is_colon[d])
      {
        s.index[d].count = k < kept.size () ? kept[k] : 1;
        k++;
      }
    else if (s.index[d].count != 1)
      k++;
}

octave_value
assigned (const octave_value &x, bool alone, const octave_value_list &index,
          const octave_base_value &value)
{
  const shared_data there
      = data_of (x.get_rep ()) ? data_of (x.get_rep ()) : data_of (value);
  const shared_data array = uploaded ("=", x.get_rep (), *there);
  shared_data kept;
  gpueig_operand o;
  int64_t r;
  subscripts s = subscripts_of (index, array->info.shape);
  make_operand ("=", value, gpu_value (array), &o, &kept);
  open_colons (s, array->info.shape, value.dims ());
  const gpueig_status status = direct->array_assign (
      *direct->context, array->number, alone, s.n, s.index, o, &r);
  check ("=", status,
         status == GPUEIG_BAD_INDEX ? "Octave:invalid-resize" : nullptr);
  return r == array->number ? x : octave_value (new gpu_value (r));
}

} /* namespace */
