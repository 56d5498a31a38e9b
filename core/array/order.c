/* Sorting, medians, positions of elements.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <string.h>

/* Copy DATA, left-by-n-by-right, to COLUMNS, n-by-left-by-right, or, with BACK, the other
   way.  */
static gpueig_status
move_columns (ge_place *place, gpueig_type type, const ge_reduction *r,
              const void *data, void *columns, int back)
{
  const gpueig_shape shape
      = { .type = type, .n_dims = 3, .dims = { r->n, r->left, r->right } };
  ge_map map = ge_map_over (GE_MAP_COPY, &shape);
  ge_view view = ge_view_of (&shape, data);
  view.stride[0] = r->left;
  view.stride[1] = 1;
  map.to = back ? view : ge_view_of (&shape, columns);
  map.x = back ? ge_view_of (&shape, columns) : view;
  return ge_array_map (place, &map);
}

/* Sort the columns of R to TO, and the positions to AT unless AT is NULL.  Both are
   n-by-left-by-right; r->x is copied if it has another order.  */
static gpueig_status
sort_columns (ge_place *place, const ge_reduction *r, int descending,
              int middle, void *to, double *at)
{
  ge_sort s = { .type = r->type,
                .descending = descending,
                .middle = middle,
                .n = r->n,
                .count = r->left * r->right,
                .x = r->x,
                .to = to,
                .at = at };
  if (r->left > 1)
    {
      void *columns;
      GE_TRY (ge_array_scratch (place, r->type, s.n * s.count, &columns));
      GE_TRY (move_columns (place, r->type, r, r->x, columns, 0));
      s.x = columns;
    }
  return place->ops->sort (place->ctx, &s);
}

gpueig_status
ge_array_make_positions (ge_place *place, const gpueig_shape *shape,
                         int64_t limit, gpueig_array *at, void **list)
{
  gpueig_shape numbers = *shape;
  numbers.type = GPUEIG_DOUBLE;
  GE_TRY (ge_array_make_few (place, &numbers, 1, at, list));
  ge_array_find_slot (place->ctx, *at)->limit = limit;
  return GPUEIG_OK;
}

static gpueig_status
sort (gpueig_context *ctx, gpueig_array array, int dim, int descending,
      gpueig_array *result, gpueig_array *at)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  void *data, *columns, *list = NULL, *list_columns;
  GE_TRY (ge_array_get_narrow (&place, array, &a));
  const int64_t count = a.shape.count;
  const ge_reduction r = ge_array_along (
      &a.shape, ge_array_dimension (&a.shape, dim), a.block.ptr);
  GE_TRY (ge_array_make (&place, &a.shape, result, &data));
  if (at)
    GE_TRY (ge_array_make_positions (&place, &a.shape, r.n, at, &list));
  if (count == 0)
    return GPUEIG_OK;
  columns = data;
  list_columns = list;
  if (r.left > 1)
    {
      GE_TRY (ge_array_scratch (&place, r.type, count, &columns));
      if (at)
        GE_TRY (ge_array_scratch (&place, GPUEIG_DOUBLE, count, &list_columns));
    }
  GE_TRY (sort_columns (&place, &r, descending, 0, columns, list_columns));
  if (r.left > 1)
    GE_TRY (move_columns (&place, r.type, &r, data, columns, 1));
  return r.left > 1 && at
             ? move_columns (&place, GPUEIG_DOUBLE, &r, list, list_columns, 1)
             : GPUEIG_OK;
}

gpueig_status
gpueig_array_sort (gpueig_context *ctx, gpueig_array a, int dim, int descending,
                   gpueig_array *result, gpueig_array *at)
{
  const int mark = ge_array_begin (ctx, result);
  if (at)
    *at = 0;
  return ge_array_end_two (ctx, mark, result, at,
                           sort (ctx, a, dim, descending, result, at));
}

/* Element K of each of COUNT columns of N, X.  */
static ge_view
row (gpueig_type type, const void *x, int64_t k, int64_t n)
{
  ge_view view = { .data = (void *) x, .type = type };
  ge_advance (&view, k);
  view.stride[0] = n;
  return view;
}

GE_ARRAY_PUBLIC (gpueig_array_median, result, (ctx, array, dim, result),
                 gpueig_array array, int dim, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  void *data, *sorted;
  GE_TRY (ge_array_get (&place, array, &a));
  const gpueig_type type = a.shape.type;
  if (gpueig_is_complex (type) || a.shape.count == 0)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "the array must be real and not empty");
  dim = ge_array_dimension (&a.shape, dim);
  const ge_reduction r = ge_array_along (&a.shape, dim, a.block.ptr);
  gpueig_shape shape = a.shape;
  if (dim < shape.n_dims)
    shape.dims[dim] = 1;
  GE_TRY (ge_array_make_few (&place, &shape, 1, result, &data));
  GE_TRY (ge_array_scratch (&place, type, a.shape.count, &sorted));
  GE_TRY (sort_columns (&place, &r, 0, 1, sorted, NULL));
  shape = ge_matrix_shape (type, r.left * r.right, 1);
  ge_view middle = row (type, sorted, (r.n - 1) / 2, r.n);
  if (r.n % 2 == 0)
    {
      ge_map map = ge_map_over (GE_MAP_MIDDLE, &shape);
      void *middles;
      GE_TRY (ge_array_scratch (&place, type, r.left * r.right, &middles));
      map.x = middle;
      map.y = row (type, sorted, r.n / 2, r.n);
      map.to = middle = ge_view_of (&shape, middles);
      GE_TRY (ge_array_map (&place, &map));
    }
  ge_map map = ge_map_over (GE_MAP_OR_NAN, &shape);
  map.to = ge_view_of (&shape, data);
  map.x = middle;
  map.y = row (type, sorted, r.n - 1, r.n);
  return ge_array_map (&place, &map);
}

GE_ARRAY_PUBLIC (gpueig_array_nonzero, result, (ctx, array, result),
                 gpueig_array array, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  void *list = NULL, *data;
  int64_t n = 0;
  GE_TRY (ge_array_get (&place, array, &a));
  if (a.shape.count > 0)
    {
      GE_TRY (ge_array_scratch (&place, GPUEIG_DOUBLE, a.shape.count, &list));
      GE_TRY (place.ops->select (ctx, a.shape.type, a.shape.count, a.block.ptr,
                                 list, &n));
    }
  const gpueig_shape shape = { .n_dims = 2, .dims = { n, 1 } };
  GE_TRY (
      ge_array_make_positions (&place, &shape, a.shape.count, result, &data));
  return ge_array_copy (&place, n, GPUEIG_DOUBLE, data, GPUEIG_DOUBLE, list);
}
