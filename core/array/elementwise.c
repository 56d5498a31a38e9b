/* Elementwise operations on arrays: types, broadcasting, comparisons.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- types --- */

gpueig_type
ge_make_complex (gpueig_type type)
{
  return gpueig_is_double (type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
}

gpueig_type
ge_make_real (gpueig_type type)
{
  return gpueig_is_double (type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
}

gpueig_type
ge_common_type (gpueig_type x, gpueig_type y)
{
  const gpueig_type real = gpueig_is_double (x) && gpueig_is_double (y)
                               ? GPUEIG_DOUBLE
                               : GPUEIG_FLOAT;
  return gpueig_is_complex (x) || gpueig_is_complex (y) ? ge_make_complex (real)
                                                        : real;
}

/* --- maps --- */

ge_view
ge_view_of (const gpueig_shape *shape, const void *data)
{
  ge_view view = { .data = (void *) data, .type = shape->type };
  int64_t stride = 1;
  for (int d = 0; d < shape->n_dims; d++)
    {
      view.stride[d] = stride;
      stride *= shape->dims[d];
    }
  return view;
}

ge_map
ge_map_over (ge_map_op op, const gpueig_shape *shape)
{
  ge_map map = { .op = op, .type = shape->type, .n_dims = shape->n_dims };
  memcpy (map.dims, shape->dims, sizeof shape->dims);
  return map;
}

/* Nonzero if dimension E of VIEW continues dimension D of SIZE elements.  */
static int
continues (const ge_view *view, int d, int e, int64_t size)
{
  return ! view->data
         || (! view->list[d] && ! view->list[e]
             && view->stride[e] == size * view->stride[d]);
}

static void
move_dimension (ge_view *view, int to, int from)
{
  view->stride[to] = view->stride[from];
  view->list[to] = view->list[from];
}

/* Drop dimensions of 1 and join those that are contiguous in all views; the first two
   stay as they are if the map is banded.  */
static void
merge_dimensions (ge_map *map)
{
  ge_view *views[] = { &map->to, &map->x, &map->y };
  const int fixed = map->banded ? 2 : 0;
  int n = fixed;
  for (int d = fixed; d < map->n_dims; d++)
    {
      if (map->dims[d] == 1 && ! map->to.list[d] && ! map->x.list[d])
        continue;
      int joins = n > fixed;
      for (int v = 0; v < 3; v++)
        joins = joins && continues (views[v], n - 1, d, map->dims[n - 1]);
      if (joins)
        {
          map->dims[n - 1] *= map->dims[d];
          continue;
        }
      map->dims[n] = map->dims[d];
      for (int v = 0; v < 3; v++)
        move_dimension (views[v], n, d);
      n++;
    }
  if (n == 0)
    {
      map->dims[0] = 1;
      n = 1;
      for (int v = 0; v < 3; v++)
        views[v]->list[0] = NULL;
    }
  map->n_dims = n;
}

static gpueig_status
prepare_map (ge_place *place, ge_map *map)
{
  map->count = 1;
  for (int d = 0; d < map->n_dims; d++)
    GE_TRY (ge_multiply (place->ctx, map->count, map->dims[d], &map->count));
  if (map->count > 0)
    merge_dimensions (map);
  return GPUEIG_OK;
}

gpueig_status
ge_array_map (ge_place *place, ge_map *map)
{
  GE_TRY (prepare_map (place, map));
  return map->count > 0 ? place->ops->map (place->ctx, map) : GPUEIG_OK;
}

gpueig_status
ge_array_find (ge_place *place, ge_map *map, int64_t *first)
{
  *first = -1;
  GE_TRY (prepare_map (place, map));
  return map->count > 0 ? place->ops->find (place->ctx, map, first) : GPUEIG_OK;
}

gpueig_status
ge_array_find_line (ge_place *place, ge_map_op op, gpueig_type type,
                    int64_t count, ge_view x, ge_view y, int64_t *first)
{
  ge_map map
      = { .op = op, .type = type, .n_dims = 1, .dims = { count }, .x = x };
  map.y = y;
  return ge_array_find (place, &map, first);
}

gpueig_status
ge_array_fill (ge_place *place, const gpueig_shape *shape, void *to,
               double value)
{
  ge_map map = ge_map_over (GE_MAP_COPY, shape);
  map.to = ge_view_of (shape, to);
  map.x = (ge_view){ .type = shape->type, .re = value };
  return ge_array_map (place, &map);
}

gpueig_status
ge_array_clear (ge_place *place, const gpueig_shape *shape, void *to)
{
  return ge_array_fill (place, shape, to, 0);
}

gpueig_status
ge_array_set_identity (ge_place *place, gpueig_type type, int64_t m, int64_t n,
                       void *to)
{
  const gpueig_shape shape = ge_matrix_shape (type, m, n);
  const ge_view one = { .type = type, .re = 1 };
  GE_TRY (ge_array_clear (place, &shape, to));
  return ge_array_map_line (place, GE_MAP_COPY, type, n, one, GE_NO_VIEW,
                            ge_view_diagonal (type, m, to, 0));
}

gpueig_status
ge_array_map_line (ge_place *place, ge_map_op op, gpueig_type type,
                   int64_t count, ge_view x, ge_view y, ge_view to)
{
  ge_map map = {
    .op = op, .type = type, .n_dims = 1, .dims = { count }, .to = to, .x = x
  };
  map.y = y;
  return ge_array_map (place, &map);
}

gpueig_status
ge_array_copy (ge_place *place, int64_t count, gpueig_type to_type, void *to,
               gpueig_type type, const void *x)
{
  return ge_array_map_line (place, GE_MAP_COPY, to_type, count,
                            ge_view_line (type, x), GE_NO_VIEW,
                            ge_view_line (to_type, to));
}

gpueig_status
ge_array_get_narrow (ge_place *place, gpueig_array array, ge_array *a)
{
  GE_TRY (ge_array_get (place, array, a));
  if (! gpueig_is_complex (a->shape.type) || a->shape.count == 0)
    return GPUEIG_OK;
  const gpueig_type type = ge_make_real (a->shape.type);
  void *real;
  int64_t at;
  ge_view parts = ge_view_line (type, a->block.ptr), others;
  parts.stride[0] = 2;
  others = parts;
  ge_advance (&others, 1);
  GE_TRY (ge_array_find_line (place, GE_MAP_NE, type, a->shape.count, others,
                              (ge_view){ .type = type }, &at));
  if (at >= 0)
    return GPUEIG_OK;
  GE_TRY (ge_array_scratch (place, type, a->shape.count, &real));
  a->shape.type = type;
  a->block.ptr = real;
  return ge_array_map_line (place, GE_MAP_COPY, type, a->shape.count, parts,
                            GE_NO_VIEW, ge_view_line (type, real));
}

/* --- one operand --- */

/* Nonzero if OP has branch cuts, or is defined for real numbers only.  */
static int
wants_real (gpueig_unary op)
{
  switch (op)
    {
    case GPUEIG_ARG:
    case GPUEIG_SQRT:
    case GPUEIG_EXPM1: /* of Inf + 0i, as SIGN */
    case GPUEIG_SIGN:
    case GPUEIG_LOG:
    case GPUEIG_LOG1P:
    case GPUEIG_LOG2:
    case GPUEIG_LOG10:
    case GPUEIG_ASIN:
    case GPUEIG_ACOS:
    case GPUEIG_ERF:
    case GPUEIG_GAMMA:
      return 1;
    default:
      return 0;
    }
}

/* *RESULT = MAP, of SHAPE.  */
static gpueig_status
map_to_new (ge_place *place, ge_map map, const gpueig_shape *shape,
            gpueig_array *result)
{
  void *data;
  GE_TRY (ge_array_make (place, shape, result, &data));
  map.to = ge_view_of (shape, data);
  return ge_array_map (place, &map);
}

/* Run MAP; the result is complex if an element of a real MAP is.  The operands are X and Y
   themselves, or 0.  */
static gpueig_status
map_widening (ge_place *place, ge_map map, gpueig_shape shape, gpueig_array x,
              gpueig_array y, gpueig_array *result)
{
  const int whole = map.op == GE_MAP_POWER && ! map.y.data
                    && map.y.re == floor (map.y.re) && isfinite (map.y.re);
  if (gpueig_is_complex (map.type) || whole || ! ge_leaves_reals (map.op)
      || shape.count == 0)
    return map_to_new (place, map, &shape, result);
  return ge_array_widen (place, &map, &shape, x, y, result);
}

/* Return ARRAY if VIEW is in the memory of ARRAY, and not in that of a copy.  */
static gpueig_array
array_of (gpueig_context *ctx, gpueig_array array, const ge_view *view)
{
  const ge_array *a = array ? ge_array_find_slot (ctx, array) : NULL;
  return a && a->block.ptr == view->data ? array : 0;
}

GE_ARRAY_PUBLIC (gpueig_array_unary, result, (ctx, op, array, result),
                 gpueig_unary op, gpueig_array array, gpueig_array *result)
{
  static const ge_map_op ops[]
      = { [GPUEIG_NEGATE] = GE_MAP_NEGATE, [GPUEIG_ABS] = GE_MAP_ABS,
          [GPUEIG_REAL] = GE_MAP_REAL,     [GPUEIG_IMAG] = GE_MAP_IMAG,
          [GPUEIG_ARG] = GE_MAP_ARG,       [GPUEIG_CONJ] = GE_MAP_CONJ };
  ge_place place = { .ctx = ctx };
  ge_array a;
  if ((unsigned) op > GPUEIG_GAMMA)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such operation");
  GE_TRY (wants_real (op) ? ge_array_get_narrow (&place, array, &a)
                          : ge_array_get (&place, array, &a));
  if (op >= GPUEIG_ERF && gpueig_is_complex (a.shape.type))
    return GPUEIG_OK;
  ge_map map = ge_map_over (op >= GPUEIG_SQRT
                                ? (ge_map_op) (op - GPUEIG_SQRT + GE_MAP_SQRT)
                                : ops[op],
                            &a.shape);
  gpueig_shape shape = a.shape;
  if (op == GPUEIG_ABS || op == GPUEIG_REAL || op == GPUEIG_IMAG
      || op == GPUEIG_ARG)
    shape.type = ge_make_real (shape.type);
  map.x = ge_view_of (&a.shape, a.block.ptr);
  return map_widening (&place, map, shape, array_of (ctx, array, &map.x), 0,
                       result);
}

GE_ARRAY_PUBLIC (gpueig_array_convert, result, (ctx, array, type, result),
                 gpueig_array array, gpueig_type type, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  void *data;
  GE_TRY (ge_array_get (&place, array, &a));
  gpueig_shape shape = a.shape;
  shape.type = type;
  GE_TRY (ge_array_make (&place, &shape, result, &data));
  return ge_array_copy (&place, shape.count, type, data, a.shape.type,
                        a.block.ptr);
}

/* --- two operands --- */

static void
size_text (const gpueig_shape *s, char text[96])
{
  size_t used = 0;
  for (int d = 0; d < s->n_dims && used < 96; d++)
    used += (size_t) snprintf (text + used, 96 - used, "%s%lld", d ? "x" : "",
                               (long long) s->dims[d]);
}

gpueig_status
ge_nonconformant (gpueig_context *ctx, const gpueig_shape *x,
                  const gpueig_shape *y)
{
  char text[2][96];
  size_text (x, text[0]);
  size_text (y, text[1]);
  return gpueig_fail (ctx, GPUEIG_NONCONFORMANT,
                      "nonconformant arguments (op1 is %s, op2 is %s)", text[0],
                      text[1]);
}

/* Make a view of X; *SHAPE: the shape of X, 1-by-1 for a scalar.  */
static gpueig_status
get_operand (ge_place *place, int narrow, const gpueig_operand *x,
             ge_view *view, gpueig_shape *shape)
{
  ge_array a;
  if (x->array)
    {
      GE_TRY (narrow ? ge_array_get_narrow (place, x->array, &a)
                     : ge_array_get (place, x->array, &a));
      *shape = a.shape;
      *view = ge_view_of (shape, a.block.ptr);
      return GPUEIG_OK;
    }
  *shape = ge_matrix_shape (x->type, 1, 1);
  *view = (ge_view){ .type = x->type, .re = x->re, .im = x->im };
  return GPUEIG_OK;
}

/* Make the views of X and Y, dimensions of 1 repeated with stride 0, and the SHAPE and type
   of the result.  Scalars come last, since an array determines the place.  */
static gpueig_status
get_operands (ge_place *place, int narrow, const gpueig_operand *x,
              const gpueig_operand *y, ge_view views[2], gpueig_shape *shape)
{
  gpueig_shape s[2];
  GE_TRY (get_operand (place, narrow, x, &views[0], &s[0]));
  GE_TRY (get_operand (place, narrow, y, &views[1], &s[1]));
  if (! place->ops)
    return gpueig_fail (place->ctx, GPUEIG_BAD_ARGUMENT,
                        "one operand must be an array");
  const int n_dims = s[0].n_dims > s[1].n_dims ? s[0].n_dims : s[1].n_dims;
  int64_t dims[GPUEIG_ARRAY_DIMS];
  for (int d = 0; d < n_dims; d++)
    {
      const int64_t size[2] = { d < s[0].n_dims ? s[0].dims[d] : 1,
                                d < s[1].n_dims ? s[1].dims[d] : 1 };
      if (size[0] != size[1] && size[0] != 1 && size[1] != 1)
        return ge_nonconformant (place->ctx, &s[0], &s[1]);
      dims[d] = size[0] == 1 ? size[1] : size[0];
      for (int v = 0; v < 2; v++)
        if (size[v] == 1)
          views[v].stride[d] = 0;
    }
  return ge_array_shape (place->ctx, ge_common_type (s[0].type, s[1].type),
                         n_dims, dims, shape);
}

static ge_map
map_of (ge_map_op op, const gpueig_shape *shape, const ge_view views[2])
{
  ge_map map = ge_map_over (op, shape);
  map.x = views[0];
  map.y = views[1];
  return map;
}

GE_ARRAY_PUBLIC (gpueig_array_binary, result, (ctx, op, x, y, result),
                 gpueig_binary op, gpueig_operand x, gpueig_operand y,
                 gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  gpueig_shape shape;
  ge_view views[2];
  if ((unsigned) op > GPUEIG_REM)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such operation");
  /* A complex array without imaginary parts is real to Octave: infinite elements make no NaN
     of the other operand's.  For products it is looked for where that does not wait.  */
  const ge_array *a = ge_array_find_slot (ctx, x.array ? x.array : y.array);
  const int on_host = a && a->device < 0;
  GE_TRY (get_operands (&place,
                        op >= GPUEIG_DIVIDE || (op == GPUEIG_TIMES && on_host),
                        &x, &y, views, &shape));
  if (op >= GPUEIG_ATAN2 && gpueig_is_complex (shape.type))
    return GPUEIG_OK;
  ge_map map = map_of ((ge_map_op) ((int) op + GE_MAP_PLUS), &shape, views);
  if (op == GPUEIG_POWER && ! gpueig_is_complex (shape.type) && ! map.y.data
      && map.y.re == 2)
    {
      map.op = GE_MAP_TIMES; /* the same number, and no kernel of powers */
      map.y = map.x;
    }
  const gpueig_array arrays[2]
      = { array_of (ctx, x.array, &map.x), array_of (ctx, y.array, &map.y) };
  /* a copy lives as long as this call */
  const int keeps = arrays[0] == x.array && arrays[1] == y.array;
  return map_widening (&place, map, shape, keeps ? arrays[0] : 0,
                       keeps ? arrays[1] : 0, result);
}

GE_ARRAY_PUBLIC (gpueig_array_compare, result, (ctx, op, x, y, result),
                 gpueig_comparison op, gpueig_operand x, gpueig_operand y,
                 gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  gpueig_shape shape = { 0 };
  ge_view views[2];
  void *data;
  if ((unsigned) op > GPUEIG_GE)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such operation");
  GE_TRY (get_operands (&place, op >= GPUEIG_LT, &x, &y, views, &shape));
  GE_TRY (ge_array_make_bytes (&place, shape, result, &data));
  ge_map map = map_of ((ge_map_op) ((int) op + GE_MAP_EQ), &shape, views);
  map.type = ge_common_type (views[0].type, views[1].type);
  map.to = ge_view_of (&shape, data);
  return ge_array_map (&place, &map);
}

/* --- equality --- */

GE_ARRAY_PUBLIC (gpueig_array_equal, NULL, (ctx, x, y, result), gpueig_array x,
                 gpueig_array y, int *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a, b;
  int64_t at;
  *result = 0;
  GE_TRY (ge_array_get (&place, x, &a));
  GE_TRY (ge_array_get (&place, y, &b));
  if (a.shape.n_dims != b.shape.n_dims
      || memcmp (a.shape.dims, b.shape.dims,
                 (size_t) a.shape.n_dims * sizeof *a.shape.dims)
             != 0)
    return GPUEIG_OK;
  const ge_view views[2] = { ge_view_of (&a.shape, a.block.ptr),
                             ge_view_of (&b.shape, b.block.ptr) };
  ge_map map = map_of (GE_MAP_NE, &a.shape, views);
  map.type = ge_common_type (a.shape.type, b.shape.type);
  GE_TRY (ge_array_find (&place, &map, &at));
  *result = at < 0;
  return GPUEIG_OK;
}

gpueig_status
ge_array_is_symmetric (ge_place *place, const gpueig_shape *shape,
                       const void *a, int conjugate, int *is)
{
  ge_map map = ge_map_over (conjugate ? GE_MAP_NOT_CONJ : GE_MAP_NE, shape);
  int64_t at;
  map.x = map.y = ge_view_of (shape, a);
  map.y.stride[0] = map.x.stride[1];
  map.y.stride[1] = map.x.stride[0];
  GE_TRY (ge_array_find (place, &map, &at));
  *is = at < 0;
  return GPUEIG_OK;
}

GE_ARRAY_PUBLIC (gpueig_array_symmetric, NULL, (ctx, array, conjugate, is),
                 gpueig_array array, int conjugate, int *is)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  *is = 0;
  GE_TRY (ge_array_get (&place, array, &a));
  if (a.shape.dims[0] != a.shape.dims[1])
    return GPUEIG_OK;
  return ge_array_is_symmetric (&place, &a.shape, a.block.ptr, conjugate, is);
}

GE_ARRAY_PUBLIC (gpueig_array_add_scaled, result,
                 (ctx, left, factor, right, minus_x, minus_y, result),
                 gpueig_array left, double factor, gpueig_array right,
                 int minus_x, int minus_y, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array x, y;
  void *to;
  GE_TRY (ge_array_get (&place, left, &x));
  GE_TRY (ge_array_get (&place, right, &y));
  if (x.shape.type != GPUEIG_DOUBLE || y.shape.type != GPUEIG_DOUBLE
      || (minus_x && minus_y))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "a scaled sum is of real arrays of double precision");
  if (x.shape.n_dims != y.shape.n_dims
      || memcmp (x.shape.dims, y.shape.dims,
                 (size_t) x.shape.n_dims * sizeof *x.shape.dims)
             != 0)
    return ge_nonconformant (ctx, &x.shape, &y.shape);
  GE_TRY (ge_array_make (&place, &x.shape, result, &to));
  const ge_scaled_sum s = { .count = x.shape.count,
                            .factor = factor,
                            .minus_x = minus_x,
                            .minus_y = minus_y,
                            .x = x.block.ptr,
                            .y = y.block.ptr,
                            .to = to };
  return s.count == 0 ? GPUEIG_OK : place.ops->add_scaled (ctx, &s);
}
