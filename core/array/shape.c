/* Shapes of arrays: reshape, repetition, concatenation, transposes, bands, diagonals.
   All are copies between two views.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <string.h>

gpueig_status
ge_array_shape (gpueig_context *ctx, gpueig_type type, int n_dims,
                const int64_t *dims, gpueig_shape *shape)
{
  while (n_dims > 2 && dims[n_dims - 1] == 1)
    n_dims--;
  *shape = (gpueig_shape){ .type = type, .n_dims = n_dims < 2 ? 2 : n_dims };
  if (n_dims > GPUEIG_ARRAY_DIMS || n_dims < 1)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "an array has up to %d dimensions, not %d",
                        GPUEIG_ARRAY_DIMS, n_dims);
  shape->dims[1] = 1;
  shape->count = 1;
  for (int d = 0; d < n_dims; d++)
    {
      shape->dims[d] = dims[d];
      GE_TRY (ge_multiply (ctx, shape->count, dims[d], &shape->count));
    }
  return GPUEIG_OK;
}

/* Make the result of a copy, a new array of SHAPE, and the map from A to that array.  */
static gpueig_status
begin_copy (ge_place *place, const ge_array *a, const gpueig_shape *shape,
            gpueig_array *result, ge_map *map)
{
  gpueig_shape whole = *shape;
  void *data;
  GE_TRY (ge_array_make (place, shape, result, &data));
  GE_TRY (ge_array_shape (place->ctx, shape->type, shape->n_dims, shape->dims,
                          &whole));
  *map = ge_map_over (GE_MAP_COPY, &whole);
  map->to = ge_view_of (&whole, data);
  map->x = ge_view_of (&a->shape, a->block.ptr);
  return GPUEIG_OK;
}

/* --- shape --- */

GE_ARRAY_PUBLIC (gpueig_array_reshape, result,
                 (ctx, array, n_dims, wanted, result), gpueig_array array,
                 int n_dims, const int64_t *wanted, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  gpueig_shape shape;
  int64_t dims[GPUEIG_ARRAY_DIMS], known = 1;
  int open = -1;
  void *data;
  GE_TRY (ge_array_get (&place, array, &a));
  while (n_dims > 2 && wanted[n_dims - 1] == 1)
    n_dims--;
  if (n_dims < 2 || n_dims > GPUEIG_ARRAY_DIMS)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "there must be 2 to %d dimensions, not %d",
                        GPUEIG_ARRAY_DIMS, n_dims);
  for (int d = 0; d < n_dims; d++)
    {
      dims[d] = wanted[d];
      if (wanted[d] == -1 && open < 0)
        open = d;
      else
        GE_TRY (ge_multiply (ctx, known, wanted[d], &known));
    }
  if (open >= 0)
    dims[open]
        = known > 0 && a.shape.count % known == 0 ? a.shape.count / known : 0;
  GE_TRY (ge_array_shape (ctx, a.shape.type, n_dims, dims, &shape));
  if (shape.count != a.shape.count)
    return gpueig_fail (ctx, GPUEIG_NONCONFORMANT,
                        "can't reshape an array of %lld elements to one of "
                        "%lld",
                        (long long) a.shape.count,
                        (long long) (open < 0 ? shape.count : known));
  GE_TRY (ge_array_make (&place, &shape, result, &data));
  return ge_array_copy (&place, shape.count, shape.type, data, shape.type,
                        a.block.ptr);
}

GE_ARRAY_PUBLIC (gpueig_array_repeat, result, (ctx, array, n, times, result),
                 gpueig_array array, int n, const int64_t *times,
                 gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  gpueig_shape shape;
  int64_t dims[GPUEIG_ARRAY_DIMS], stride = 1;
  void *data;
  GE_TRY (ge_array_get (&place, array, &a));
  if (n < 1 || n > GPUEIG_ARRAY_DIMS)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "1 to %d dimensions can be repeated, not %d",
                        GPUEIG_ARRAY_DIMS, n);
  const int n_dims = n > a.shape.n_dims ? n : a.shape.n_dims;
  ge_map map
      = { .op = GE_MAP_COPY, .type = a.shape.type, .n_dims = 2 * n_dims };
  map.x.type = a.shape.type;
  map.x.data = a.block.ptr;
  for (int d = 0; d < n_dims; d++)
    {
      const int64_t size = d < a.shape.n_dims ? a.shape.dims[d] : 1;
      map.dims[2 * d] = size;
      map.dims[2 * d + 1] = d < n && times[d] > 0 ? times[d] : d >= n;
      map.x.stride[2 * d] = stride;
      stride *= size;
      GE_TRY (ge_multiply (ctx, size, map.dims[2 * d + 1], &dims[d]));
    }
  GE_TRY (ge_array_shape (ctx, a.shape.type, n_dims, dims, &shape));
  GE_TRY (ge_array_make (&place, &shape, result, &data));
  map.to.type = shape.type;
  map.to.data = data;
  stride = 1;
  for (int d = 0; d < 2 * n_dims; d++)
    {
      map.to.stride[d] = stride;
      stride *= map.dims[d];
    }
  return ge_array_map (&place, &map);
}

/* --- concatenation --- */

static int64_t
size_of_result (const gpueig_shape *s, int d)
{
  return d < s->n_dims ? s->dims[d] : 1;
}

static int
is_nothing (const gpueig_shape *s)
{
  return s->n_dims == 2 && s->dims[0] == 0 && s->dims[1] == 0;
}

/* Nonzero if S is left out where it does not fit: 0-by-0, in brackets also 1-by-0 and
   0-by-1.  */
static int
is_left_out (const gpueig_shape *s, int brackets)
{
  return s->n_dims == 2 && s->dims[0] + s->dims[1] < 1 + brackets;
}

/* Nonzero if sizes of A and B are equal but along DIM.  */
static int
sizes_fit (const gpueig_shape *a, const gpueig_shape *b, int dim)
{
  for (int d = 0; d < GPUEIG_ARRAY_DIMS; d++)
    if (d != dim && size_of_result (a, d) != size_of_result (b, d))
      return 0;
  return 1;
}

/* Compute the shape of the concatenation.  As in Octave, 0-by-0 arrays at the head of three
   or more add no page along a third dimension.  */
static gpueig_status
whole_shape (ge_place *place, int dim, int brackets, int n,
             const gpueig_array *arrays, gpueig_shape *whole)
{
  gpueig_context *ctx = place->ctx;
  int all_nothing = 1;
  ge_array a;
  for (int i = 0; i < n; i++)
    {
      GE_TRY (ge_array_get (place, arrays[i], &a));
      all_nothing &= is_nothing (&a.shape);
    }
  const int leave_out = n > 2 && dim > 1 && ! all_nothing;
  GE_TRY (ge_array_get (place, arrays[0], &a));
  *whole = a.shape;
  for (int i = 1; i < n; i++)
    {
      GE_TRY (ge_array_get (place, arrays[i], &a));
      const gpueig_type type = ge_common_type (whole->type, a.shape.type);
      const int fit = sizes_fit (whole, &a.shape, dim),
                first = is_left_out (whole, brackets),
                second = is_left_out (&a.shape, brackets);
      if (fit ? is_nothing (whole) && leave_out
              : is_nothing (whole) || (first && ! second))
        *whole = a.shape;
      else if (fit)
        {
          int64_t dims[GPUEIG_ARRAY_DIMS];
          int n_dims
              = whole->n_dims > a.shape.n_dims ? whole->n_dims : a.shape.n_dims;
          n_dims = dim + 1 > n_dims ? dim + 1 : n_dims;
          for (int d = 0; d < n_dims; d++)
            dims[d] = size_of_result (whole, d);
          dims[dim] += size_of_result (&a.shape, dim);
          GE_TRY (ge_array_shape (ctx, type, n_dims, dims, whole));
        }
      else if (first && ! is_nothing (&a.shape))
        GE_TRY (
            ge_array_shape (ctx, type, 2, (const int64_t[2]){ 0, 0 }, whole));
      else if (! second)
        return ge_nonconformant (ctx, whole, &a.shape);
      whole->type = type;
    }
  return GPUEIG_OK;
}

GE_ARRAY_PUBLIC (gpueig_array_concatenate, result,
                 (ctx, dim, n, arrays, result), int dim, int n,
                 const gpueig_array *arrays, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  gpueig_shape shape;
  ge_array a;
  void *data;
  int64_t at = 0;
  const int brackets = dim < 0;
  dim = brackets ? -1 - dim : dim;
  if (n < 1 || dim >= GPUEIG_ARRAY_DIMS)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "arrays are concatenated along dimension 1 to %d",
                        GPUEIG_ARRAY_DIMS);
  GE_TRY (whole_shape (&place, dim, brackets, n, arrays, &shape));
  GE_TRY (ge_array_make (&place, &shape, result, &data));
  ge_view to = ge_view_of (&shape, data);
  if (dim >= shape.n_dims)
    to.stride[dim] = shape.count;
  for (int i = 0; i < n; i++)
    {
      GE_TRY (ge_array_get (&place, arrays[i], &a));
      if (a.shape.count == 0)
        continue;
      ge_map map = ge_map_over (GE_MAP_COPY, &a.shape);
      map.type = shape.type;
      map.to = to;
      map.x = ge_view_of (&a.shape, a.block.ptr);
      ge_advance (&map.to, at * to.stride[dim]);
      GE_TRY (ge_array_map (&place, &map));
      at += size_of_result (&a.shape, dim);
    }
  return GPUEIG_OK;
}

/* --- transposes, bands, diagonals --- */

GE_ARRAY_PUBLIC (gpueig_array_transpose, result,
                 (ctx, array, conjugate, result), gpueig_array array,
                 int conjugate, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  ge_map map;
  GE_TRY (ge_array_get (&place, array, &a));
  gpueig_shape shape = a.shape;
  shape.dims[0] = a.shape.dims[1];
  shape.dims[1] = a.shape.dims[0];
  GE_TRY (begin_copy (&place, &a, &shape, result, &map));
  const int64_t first = map.x.stride[0];
  map.x.stride[0] = map.x.stride[1];
  map.x.stride[1] = first;
  if (conjugate && gpueig_is_complex (shape.type))
    map.op = GE_MAP_CONJ;
  return ge_array_map (&place, &map);
}

GE_ARRAY_PUBLIC (gpueig_array_permute, result, (ctx, array, n, order, result),
                 gpueig_array array, int n, const int64_t *order,
                 gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  ge_map map;
  unsigned seen = 0;
  GE_TRY (ge_array_get (&place, array, &a));
  gpueig_shape shape = { .type = a.shape.type, .n_dims = n };
  const int possible = n >= a.shape.n_dims && n <= GPUEIG_ARRAY_DIMS;
  for (int d = 0; d < n && possible; d++)
    if (order[d] >= 0 && order[d] < n)
      {
        seen |= 1U << order[d];
        shape.dims[d] = order[d] < a.shape.n_dims ? a.shape.dims[order[d]] : 1;
      }
  if (! possible || seen != (1U << n) - 1)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "PERM is not a valid permutation vector");
  GE_TRY (begin_copy (&place, &a, &shape, result, &map));
  const ge_view whole = map.x;
  for (int d = 0; d < n; d++)
    map.x.stride[d] = order[d] < a.shape.n_dims ? whole.stride[order[d]] : 0;
  return ge_array_map (&place, &map);
}

GE_ARRAY_PUBLIC (gpueig_array_band, result, (ctx, array, lower, upper, result),
                 gpueig_array array, int64_t lower, int64_t upper,
                 gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  ge_map map;
  GE_TRY (ge_array_get (&place, array, &a));
  GE_TRY (begin_copy (&place, &a, &a.shape, result, &map));
  map.banded = 1;
  map.lower = lower;
  map.upper = upper;
  return ge_array_map (&place, &map);
}

GE_ARRAY_PUBLIC (gpueig_array_diagonal, result, (ctx, array, k, result),
                 gpueig_array array, int64_t k, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  void *data;
  GE_TRY (ge_array_get (&place, array, &a));
  const int64_t m = a.shape.dims[0], n = a.shape.dims[1],
                below = k < 0 ? -k : 0, right = k > 0 ? k : 0;
  gpueig_shape shape = a.shape;
  const gpueig_type type = shape.type;
  if (a.shape.n_dims > 2)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "requires vector or matrix");
  if (is_nothing (&shape))
    return ge_array_make (&place, &shape, result, &data);
  if (m != 1 && n != 1)
    {
      /* of a matrix: elements below + i, right + i */
      const int64_t rows = m - below, columns = n - right;
      const int64_t length = rows < columns ? rows : columns;
      shape.dims[0] = length > 0 ? length : 0;
      shape.dims[1] = 1;
      GE_TRY (ge_array_make (&place, &shape, result, &data));
      const ge_view d
          = ge_view_diagonal (type, m, a.block.ptr, length > 0 ? k : 0);
      return ge_array_map_line (&place, GE_MAP_COPY, type, shape.dims[0], d,
                                GE_NO_VIEW, ge_view_line (type, data));
    }
  const int64_t order = a.shape.count + below + right;
  const ge_view line = ge_view_line (type, a.block.ptr);
  shape.dims[0] = shape.dims[1] = order;
  GE_TRY (ge_array_make (&place, &shape, result, &data));
  GE_TRY (ge_array_clear (&place, &shape, data));
  return ge_array_map_line (&place, GE_MAP_COPY, type, a.shape.count, line,
                            GE_NO_VIEW,
                            ge_view_diagonal (type, order, data, k));
}
