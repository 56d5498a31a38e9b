/* Discrete Fourier transforms.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

/* View the elements of dimension D from FROM on, counted backwards with BACK.  */
static ge_view
part_of (ge_view view, int d, int64_t from, int back)
{
  ge_advance (&view, from * view.stride[d]);
  if (back)
    view.stride[d] = -view.stride[d];
  return view;
}

/* Make DATA, the transforms of real numbers along D, equal to their conjugates in the opposite
   order, element 0 left where it is.  */
static gpueig_status
make_symmetric (ge_place *place, const gpueig_shape *shape, int d, void *data)
{
  const int64_t n = shape->dims[d];
  const ge_view all = ge_view_of (shape, data);
  ge_map map = ge_map_over (GE_MAP_CONJ, shape);
  map.dims[d] = (n - 1) / 2;
  map.x = part_of (all, d, 1, 0);
  map.to = part_of (all, d, n - 1, 1);
  GE_TRY (ge_array_map (place, &map));
  ge_map real = ge_map_over (GE_MAP_REAL, shape);
  real.dims[d] = 1;
  real.x = real.to = all;
  GE_TRY (ge_array_map (place, &real));
  if (n % 2)
    return GPUEIG_OK;
  real = ge_map_over (GE_MAP_REAL, shape);
  real.dims[d] = 1;
  real.x = real.to = part_of (all, d, n / 2, 0);
  return ge_array_map (place, &real);
}

/* *IS: DATA has that symmetry.  */
static gpueig_status
is_symmetric (ge_place *place, const gpueig_shape *shape, int d, void *data,
              int *is)
{
  const int64_t n = shape->dims[d];
  const ge_view all = ge_view_of (shape, data);
  int64_t at;
  ge_map map = ge_map_over (GE_MAP_NOT_CONJ, shape);
  map.dims[d] = n - 1;
  map.x = part_of (all, d, 1, 0);
  map.y = part_of (all, d, n - 1, 1);
  GE_TRY (ge_array_find (place, &map, &at));
  *is = at < 0;
  if (! *is)
    return GPUEIG_OK;
  map = ge_map_over (GE_MAP_NOT_CONJ, shape);
  map.dims[d] = 1;
  map.x = map.y = all;
  GE_TRY (ge_array_find (place, &map, &at));
  *is = at < 0;
  return GPUEIG_OK;
}

GE_ARRAY_PUBLIC (gpueig_array_fft, result,
                 (ctx, array, dim, n, inverse, result), gpueig_array array,
                 int dim, int64_t n, int inverse, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  ge_fft f = { .inverse = inverse, .left = 1, .right = 1 };
  int done = 0, symmetric = 0;
  GE_TRY (ge_array_get (&place, array, &a));
  if (! place.ops->fft)
    return GPUEIG_OK;
  gpueig_shape shape = a.shape;
  const int d = ge_array_dimension (&shape, dim);
  if (d >= shape.n_dims || a.shape.count == 0 || n == 0)
    return GPUEIG_OK;
  f.n = n < 0 ? shape.dims[d] : n;
  const int64_t given = shape.dims[d] < f.n ? shape.dims[d] : f.n;
  f.type = shape.type = ge_make_complex (shape.type);
  shape.dims[d] = f.n;
  for (int k = 0; k < shape.n_dims; k++)
    {
      f.left *= k < d ? shape.dims[k] : 1;
      f.right *= k > d ? shape.dims[k] : 1;
    }
  GE_TRY (inverse ? ge_array_scratch (&place, f.type, f.left * f.n * f.right,
                                      &f.data)
                  : ge_array_make (&place, &shape, result, &f.data));
  if (given < f.n)
    GE_TRY (ge_array_clear (&place, &shape, f.data));
  const ge_view all = ge_view_of (&shape, f.data);
  ge_map map = ge_map_over (GE_MAP_COPY, &shape);
  map.dims[d] = given;
  map.to = all;
  map.x = ge_view_of (&a.shape, a.block.ptr);
  GE_TRY (ge_array_map (&place, &map));
  if (inverse)
    GE_TRY (is_symmetric (&place, &shape, d, f.data, &symmetric));
  GE_TRY (place.ops->fft (ctx, &f, &done));
  if (done && inverse)
    {
      void *data;
      if (symmetric)
        shape.type = ge_make_real (shape.type);
      GE_TRY (ge_array_make (&place, &shape, result, &data));
      map = ge_map_over (GE_MAP_DIVIDE, &shape);
      map.to = ge_view_of (&shape, data);
      map.x = all;
      map.y = (ge_view){ .type = ge_make_real (f.type), .re = (double) f.n };
      return ge_array_map (&place, &map);
    }
  if (done)
    return gpueig_is_complex (a.shape.type)
               ? GPUEIG_OK
               : make_symmetric (&place, &shape, d, f.data);
  if (*result)
    GE_TRY (gpueig_array_free (ctx, *result));
  *result = 0;
  return GPUEIG_OK;
}
