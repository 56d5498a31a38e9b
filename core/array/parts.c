/* Parts of arrays: indices and assignment, which are copies between two views.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <string.h>

/* --- indices --- */

/* The first N - 1 dimensions of A, and the product of the others; 1 where A has fewer
   dimensions.  */
static void
fold (const gpueig_shape *a, int n, int64_t dims[GPUEIG_ARRAY_DIMS])
{
  for (int d = 0; d < n; d++)
    dims[d] = d < a->n_dims ? a->dims[d] : 1;
  for (int d = n; d < a->n_dims; d++)
    dims[n - 1] *= a->dims[d];
}

/* The largest index of I, -1 if it has none; a negative index is out of bounds.  */
static gpueig_status
bounds (gpueig_context *ctx, const gpueig_index *i, int64_t *most)
{
  int64_t low = 0;
  *most = -1;
  if (i->count < 0)
    return gpueig_fail (ctx, GPUEIG_BAD_INDEX, "a negative number of indices");
  for (int64_t k = 0; i->list && k < i->count; k++)
    {
      low = i->list[k] < low ? i->list[k] : low;
      *most = i->list[k] > *most ? i->list[k] : *most;
    }
  if (! i->list && i->count > 0)
    {
      const int64_t last = i->start + (i->count - 1) * i->step;
      low = i->start < last ? i->start : last;
      *most = i->start < last ? last : i->start;
    }
  if (low < 0)
    return gpueig_fail (ctx, GPUEIG_BAD_INDEX,
                        "index (%lld): out of bound; value must be positive",
                        (long long) low + 1);
  return GPUEIG_OK;
}

/* Select INDEX in dimension D of VIEW; a list is copied to PLACE.  */
static gpueig_status
select_indices (ge_place *place, const gpueig_index *index, ge_view *view,
                int d)
{
  gpueig_context *ctx = place->ctx;
  int64_t *list;
  if (! index->list)
    {
      ge_advance (view, index->start * view->stride[d]);
      view->stride[d] *= index->step;
      return GPUEIG_OK;
    }
  if (index->count == 0)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, place->space, index->count, &list));
  view->list[d] = list;
  return place->ops->upload (ctx, list, index->list,
                             (size_t) index->count * sizeof *list);
}

/* Make a view of DATA with N dimensions of sizes DIMS, at the indices.  */
static gpueig_status
view_at (ge_place *place, gpueig_type type, void *data, int n,
         const int64_t *dims, const gpueig_index *index, ge_view *view)
{
  int64_t stride = 1;
  *view = (ge_view){ .data = data, .type = type };
  for (int d = 0; d < n; d++)
    {
      view->stride[d] = stride;
      stride *= dims[d];
      if (index[d].count > 0)
        GE_TRY (select_indices (place, &index[d], view, d));
    }
  return GPUEIG_OK;
}

static gpueig_status
check_count (gpueig_context *ctx, int n)
{
  if (n >= 1 && n <= GPUEIG_ARRAY_DIMS)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_BAD_INDEX, "%d indices, there can be 1 to %d",
                      n, GPUEIG_ARRAY_DIMS);
}

GE_ARRAY_PUBLIC (gpueig_array_index, result,
                 (ctx, array, n, index, n_dims, dims, result),
                 gpueig_array array, int n, const gpueig_index *index,
                 int n_dims, const int64_t *dims, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  int64_t sizes[GPUEIG_ARRAY_DIMS], counts[GPUEIG_ARRAY_DIMS], most;
  gpueig_shape picked, shape;
  void *data;
  GE_TRY (check_count (ctx, n));
  GE_TRY (ge_array_get (&place, array, &a));
  fold (&a.shape, n, sizes);
  for (int d = 0; d < n; d++)
    {
      GE_TRY (bounds (ctx, &index[d], &most));
      if (most >= sizes[d])
        return gpueig_fail (ctx, GPUEIG_BAD_INDEX,
                            "index (%lld): out of bound %lld in dimension %d "
                            "of %d",
                            (long long) most + 1, (long long) sizes[d], d + 1,
                            n);
      counts[d] = index[d].count;
    }
  GE_TRY (ge_array_shape (ctx, a.shape.type, n, counts, &picked));
  shape = picked;
  if (n_dims > 0)
    GE_TRY (ge_array_shape (ctx, a.shape.type, n_dims, dims, &shape));
  if (shape.count != picked.count)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "the dimensions do not fit the indices");
  GE_TRY (ge_array_make_few (&place, &shape, 1, result, &data));
  if (shape.count == 0)
    return GPUEIG_OK;
  /* all N dimensions, also trailing ones, which may have lists */
  ge_map map = { .op = GE_MAP_COPY, .type = shape.type, .n_dims = n };
  int64_t stride = 1;
  map.to = (ge_view){ .data = data, .type = shape.type };
  for (int d = 0; d < n; d++)
    {
      map.dims[d] = counts[d];
      map.to.stride[d] = stride;
      stride *= counts[d];
    }
  GE_TRY (view_at (&place, a.shape.type, a.block.ptr, n, sizes, index, &map.x));
  return ge_array_map (&place, &map);
}

GE_ARRAY_PUBLIC (gpueig_array_pick, result,
                 (ctx, array, positions, n_dims, dims, result),
                 gpueig_array array, gpueig_array positions, int n_dims,
                 const int64_t *dims, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a, p;
  gpueig_shape shape;
  void *data;
  int *bad;
  GE_TRY (ge_array_get (&place, array, &a));
  GE_TRY (ge_array_get (&place, positions, &p));
  const int64_t count = p.shape.count;
  GE_TRY (ge_array_shape (ctx, a.shape.type, n_dims, dims, &shape));
  if (p.shape.type != GPUEIG_DOUBLE || count == 0 || shape.count != count)
    return GPUEIG_OK;
  /* in many programs equal positions are read again and again */
  const int known = p.limit > 0 && p.limit <= a.shape.count;
  GE_TRY (GE_ALLOC (ctx, place.device < 0 ? GE_HOST : GE_PINNED, 1, &bad));
  *bad = 0;
  GE_TRY (ge_array_make (&place, &shape, result, &data));
  GE_TRY (place.ops->pick (ctx, shape.type, count, p.block.ptr, a.shape.count,
                           a.block.ptr, data, bad));
  if (known)
    return GPUEIG_OK;
  GE_TRY (place.ops->wait (ctx));
  if (! *bad)
    ge_array_find_slot (ctx, positions)->limit = a.shape.count;
  else
    {
      gpueig_array_free (ctx, *result);
      *result = 0;
    }
  return GPUEIG_OK;
}

/* --- assignment --- */

/* Compute the dimensions of A after an assignment to INDEX.  */
static gpueig_status
grown_shape (gpueig_context *ctx, const gpueig_shape *a, int n,
             const gpueig_index *index, gpueig_shape *shape)
{
  int64_t sizes[GPUEIG_ARRAY_DIMS], most;
  int64_t dims[GPUEIG_ARRAY_DIMS];
  int grows = 0, n_dims = n > a->n_dims ? n : a->n_dims;
  fold (a, n, sizes);
  for (int d = 0; d < n_dims; d++)
    dims[d] = d < a->n_dims ? a->dims[d] : 1;
  for (int d = 0; d < n; d++)
    {
      GE_TRY (bounds (ctx, &index[d], &most));
      if (most < sizes[d])
        continue;
      grows = 1;
      dims[d] = most + 1;
      if (n == 1 && a->n_dims == 2)
        {
          /* A vector grows in its own direction, an empty array becomes a row.  */
          const int column = a->dims[1] == 1 && a->dims[0] > 1;
          if (! column && a->dims[0] > 1)
            n_dims = 0;
          dims[0] = column ? most + 1 : 1;
          dims[1] = column ? 1 : most + 1;
        }
      else if (n < a->n_dims)
        n_dims = 0;
    }
  if (n_dims == 0)
    return gpueig_fail (ctx, GPUEIG_BAD_INDEX,
                        "resizing by fewer indices than dimensions");
  if (! grows)
    {
      *shape = *a;
      return GPUEIG_OK;
    }
  return ge_array_shape (ctx, a->type, n_dims, dims, shape);
}

/* Give the dimensions of VALUE other than 1 to those of the indices other than 1, in
   their order; nonzero if they fit.  */
static int
fit_value (const gpueig_shape *value, ge_view *view, int n,
           const gpueig_index *index)
{
  const ge_view whole = *view;
  int d = 0;
  memset (view->stride, 0, sizeof view->stride);
  if (n == 1)
    {
      view->stride[0] = 1;
      return value->count == index[0].count;
    }
  for (int k = 0; k < n; k++)
    {
      if (index[k].count == 1)
        continue;
      while (d < value->n_dims && value->dims[d] == 1)
        d++;
      if (d == value->n_dims || value->dims[d] != index[k].count)
        return 0;
      view->stride[k] = whole.stride[d++];
    }
  while (d < value->n_dims && value->dims[d] == 1)
    d++;
  return d == value->n_dims;
}

static int
is_same_shape (const gpueig_shape *a, const gpueig_shape *b)
{
  return a->count == b->count && memcmp (a->dims, b->dims, sizeof a->dims) == 0;
}

/* TO, of SHAPE: zeros if it is larger than A, then A.  */
static gpueig_status
copy_whole (ge_place *place, const ge_array *a, const gpueig_shape *shape,
            void *to)
{
  if (is_same_shape (shape, &a->shape))
    return ge_array_copy (place, shape->count, shape->type, to, a->shape.type,
                          a->block.ptr);
  GE_TRY (ge_array_clear (place, shape, to));
  ge_map map = ge_map_over (GE_MAP_COPY, &a->shape);
  map.type = shape->type;
  map.to = ge_view_of (shape, to);
  map.x = ge_view_of (&a->shape, a->block.ptr);
  return ge_array_map (place, &map);
}

/* Find the positions in LIST, of COUNT indices, after which the index at the position does
   not occur again, from the last one on: *N positions in KEPT, with the indices in
   TARGETS.  */
static gpueig_status
find_last (gpueig_context *ctx, int64_t count, const int64_t *list,
           int64_t *kept, int64_t *targets, int64_t *n)
{
  const int mark = ge_mark (ctx);
  int64_t size = 2, *table;
  while (size < 2 * count)
    size *= 2;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, size, &table));
  memset (table, -1, (size_t) size * sizeof *table);
  *n = 0;
  for (int64_t k = count - 1; k >= 0; k--)
    {
      /* Fibonacci hashing, collisions by linear probing.  */
      uint64_t at = ((uint64_t) list[k] * 0x9e3779b97f4a7c15u) >> 20;
      for (at &= (uint64_t) size - 1; table[at] >= 0 && table[at] != list[k];)
        at = (at + 1) & ((uint64_t) size - 1);
      if (table[at] >= 0)
        continue;
      table[at] = targets[*n] = list[k];
      kept[(*n)++] = k;
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Drop repeated indices, since the last of several values for one element counts.  The
   positions with equal N indices are the product of the positions with an equal index in
   each dimension; the last of these is the last in each dimension: keep only this one in
   INDEX and in dimension D of VALUE.  */
static gpueig_status
drop_repeated (ge_place *place, gpueig_index *index, ge_view *value, int d)
{
  int64_t k = 1, n, *kept, *targets, *list;
  if (! index->list)
    {
      if (index->step != 0 || index->count < 2)
        return GPUEIG_OK;
      if (value->data)
        ge_advance (value, (index->count - 1) * value->stride[d]);
      index->count = 1;
      return GPUEIG_OK;
    }
  while (k < index->count && index->list[k] > index->list[k - 1])
    k++;
  if (k >= index->count)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (place->ctx, GE_HOST, index->count, &kept));
  GE_TRY (GE_ALLOC (place->ctx, GE_HOST, index->count, &targets));
  GE_TRY (find_last (place->ctx, index->count, index->list, kept, targets, &n));
  if (n == index->count)
    return GPUEIG_OK;
  index->count = n;
  index->list = targets;
  if (! value->data || value->stride[d] == 0)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (place->ctx, place->space, n, &list));
  value->list[d] = list;
  return place->ops->upload (place->ctx, list, kept, (size_t) n * sizeof *list);
}

/* Set the elements of DATA, of SHAPE, with these N indices to VALUE.  */
static gpueig_status
set_elements (ge_place *place, const gpueig_shape *shape, void *data, int n,
              const gpueig_index *indices, ge_view value)
{
  int64_t sizes[GPUEIG_ARRAY_DIMS];
  gpueig_index index[GPUEIG_ARRAY_DIMS];
  memcpy (index, indices, (size_t) n * sizeof *index);
  ge_map map = { .op = GE_MAP_COPY, .type = shape->type, .n_dims = n };
  for (int d = 0; d < n; d++)
    {
      GE_TRY (drop_repeated (place, &index[d], &value, d));
      map.dims[d] = index[d].count;
    }
  fold (shape, n, sizes);
  GE_TRY (view_at (place, shape->type, data, n, sizes, index, &map.to));
  map.x = value;
  return ge_array_map (place, &map);
}

GE_ARRAY_PUBLIC (gpueig_array_assign, result,
                 (ctx, array, alone, n, index, value, result),
                 gpueig_array array, int alone, int n,
                 const gpueig_index *index, gpueig_operand value,
                 gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a, b;
  int64_t counts[GPUEIG_ARRAY_DIMS];
  gpueig_shape shape = { .n_dims = 0 }, picked;
  ge_view view = { .type = value.type, .re = value.re, .im = value.im };
  void *data;
  int fits = 1;
  GE_TRY (check_count (ctx, n));
  GE_TRY (ge_array_get (&place, array, &a));
  for (int d = 0; d < n; d++)
    counts[d] = index[d].count;
  GE_TRY (ge_array_shape (ctx, a.shape.type, n, counts, &picked));
  if (value.array)
    {
      GE_TRY (ge_array_get (&place, value.array, &b));
      view = ge_view_of (&b.shape, b.block.ptr);
      if (b.shape.count == 1)
        memset (view.stride, 0, sizeof view.stride);
      else
        fits = fit_value (&b.shape, &view, n, index);
    }
  if (! fits && (picked.count > 0 || b.shape.count > 0))
    return ge_nonconformant (ctx, &picked, &b.shape);
  /* No element becomes nothing, whatever the other dimensions are.  */
  if (! fits)
    shape = a.shape;
  else
    GE_TRY (grown_shape (ctx, &a.shape, n, index, &shape));
  /* The precision stays that of A, as in Octave.  */
  shape.type = a.shape.type;
  if (picked.count > 0 && gpueig_is_complex (view.type))
    shape.type = ge_make_complex (shape.type);
  if (alone && picked.count > 0 && value.array != array
      && shape.type == a.shape.type && is_same_shape (&shape, &a.shape))
    {
      GE_TRY (ge_array_change (ctx, array));
      GE_TRY (set_elements (&place, &shape, a.block.ptr, n, index, view));
      *result = array;
      return GPUEIG_OK;
    }
  GE_TRY (ge_array_make (&place, &shape, result, &data));
  GE_TRY (copy_whole (&place, &a, &shape, data));
  return picked.count > 0 ? set_elements (&place, &shape, data, n, index, view)
                          : GPUEIG_OK;
}
