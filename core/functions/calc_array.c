/* Calculations with matrices in memory of a GPU, by the operations on arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"
#include "array/array.h"

#include <math.h>
#include <string.h>

static size_t
size_of (const ge_calc *c)
{
  return gpueig_scalar_size (c->type);
}

static gpueig_type
real_of (const ge_calc *c)
{
  return gpueig_is_double (c->type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
}

static gpueig_shape
whole (const ge_calc *c)
{
  return (gpueig_shape){
    .type = c->type, .n_dims = 2, .dims = { c->n, c->n }, .count = c->n * c->n
  };
}

static ge_view
scalar (gpueig_type type, ge_point z)
{
  const double *parts = (const double *) &z;
  return (ge_view){ .type = type, .re = parts[0], .im = parts[1] };
}

/* TO = OP (X, Y), elements of whole matrices.  */
static gpueig_status
map_whole (ge_calc *c, ge_map_op op, const void *x, ge_view y, void *to)
{
  const gpueig_shape shape = whole (c);
  ge_map map = ge_map_over (op, &shape);
  map.x = ge_view_of (&shape, x);
  map.y = y;
  map.to = ge_view_of (&shape, to);
  return ge_array_map (c->place, &map);
}

/* A view of diagonal K, 0 or 1, of A.  */
static ge_view
diagonal (const ge_calc *c, const void *a, int k)
{
  return (ge_view){ .data = (char *) a + (size_t) (k * c->n) * size_of (c),
                    .type = c->type,
                    .stride = { c->n + 1 } };
}

/* TO = OP (X, Y), elements of diagonal K.  */
static gpueig_status
map_line (ge_calc *c, ge_map_op op, int k, ge_view x, ge_view y, ge_view to)
{
  const gpueig_shape shape
      = { .type = c->type, .n_dims = 2, .dims = { c->n - k, 1 } };
  ge_map map = ge_map_over (op, &shape);
  map.x = x;
  map.y = y;
  map.to = to;
  return ge_array_map (c->place, &map);
}

/* LINE: diagonal K of A, or with BACK the opposite.  */
static gpueig_status
move_line (ge_calc *c, void *a, int k, ge_point *line, int back)
{
  const ge_place *place = c->place;
  const int64_t count = c->n - k, is_complex = gpueig_is_complex (c->type);
  const size_t bytes = (size_t) count * size_of (c);
  const ge_view packed
      = { .data = c->pivots, .type = c->type, .stride = { 1 } },
      own = diagonal (c, a, k), none = { .type = c->type };
  double *raw = c->lines + 4 * c->n;
  float *single = (float *) raw;
  if (! back)
    {
      GE_TRY (map_line (c, GE_MAP_COPY, k, own, none, packed));
      GE_TRY (place->ops->download (c->ctx, raw, c->pivots, bytes));
    }
  /* The real and imaginary parts.  */
  for (int64_t i = 0; i < count; i++)
    for (int64_t part = 0; part < 2; part++)
      {
        double *to = (double *) &line[i] + part;
        const int64_t at = is_complex ? 2 * i + part : i;
        const int is_there = is_complex || part == 0;
        if (! back)
          *to = ! is_there                   ? 0
                : gpueig_is_double (c->type) ? raw[at]
                                             : (double) single[at];
        else if (is_there && gpueig_is_double (c->type))
          raw[at] = *to;
        else if (is_there)
          single[at] = (float) *to;
      }
  if (! back)
    return GPUEIG_OK;
  GE_TRY (place->ops->upload (c->ctx, c->pivots, raw, bytes));
  return map_line (c, GE_MAP_COPY, k, packed, none, own);
}

static gpueig_status
get_line (ge_calc *c, const void *a, int k, ge_point *line)
{
  return move_line (c, (void *) a, k, line, 0);
}

/* --- the operations, see calc.h --- */

static gpueig_status
multiply (ge_calc *c, const void *a, const void *b, void *to)
{
  const ge_place *place = c->place;
  const ge_product p = { .type = c->type,
                         .ta = 'N',
                         .tb = 'N',
                         .m = c->n,
                         .n = c->n,
                         .k = c->n,
                         .pages = 1,
                         .a = a,
                         .b = b,
                         .c = to };
  GE_TRY (ge_check_interrupt (c->ctx));
  return place->ops->multiply (c->ctx, &p);
}

static gpueig_status
combine (ge_calc *c, int count, const double *factor, const void *const *m,
         double identity, void *to)
{
  const gpueig_shape shape = whole (c);
  if (count == 0)
    GE_TRY (ge_array_clear (c->place, &shape, to));
  for (int k = 0; k < count; k++)
    {
      /* The first term may be TO itself.  */
      void *term = k == 0 ? to : c->spare;
      GE_TRY (map_whole (c, GE_MAP_TIMES, m[k], scalar (real_of (c), factor[k]),
                         term));
      if (k > 0)
        GE_TRY (map_whole (c, GE_MAP_PLUS, to, ge_view_of (&shape, term), to));
    }
  const ge_view line = diagonal (c, to, 0);
  return identity == 0 ? GPUEIG_OK
                       : map_line (c, GE_MAP_PLUS, 0, line,
                                   scalar (real_of (c), identity), line);
}

static gpueig_status
solve (ge_calc *c, void *a, void *b, int64_t *at)
{
  const ge_place *place = c->place;
  const ge_factors f = { .kind = GE_LU,
                         .type = c->type,
                         .m = c->n,
                         .n = c->n,
                         .a = a,
                         .pivots = c->pivots };
  GE_TRY (place->ops->factor (c->ctx, &f, at));
  return *at > 0 ? GPUEIG_OK : place->ops->solve (c->ctx, &f, 'N', c->n, b);
}

static gpueig_status
norm (ge_calc *c, const void *a, double *value)
{
  const int mark = ge_mark (c->ctx);
  const gpueig_status status
      = ge_array_norm_1 (c->place, c->type, c->n, c->n, a, value);
  ge_release (c->ctx, mark);
  return status;
}

static gpueig_status
abs_power (ge_calc *c, const void *a, int k, double factor, double *power)
{
  const ge_place *place = c->place;
  const gpueig_type real = real_of (c);
  gpueig_shape shape = whole (c);
  ge_map map = ge_map_over (GE_MAP_ABS, &shape);
  map.x = ge_view_of (&shape, a);
  shape.type = real;
  map.to = ge_view_of (&shape, c->spare);
  GE_TRY (ge_array_map (c->place, &map));
  map = ge_map_over (GE_MAP_TIMES, &shape);
  map.x = map.to = ge_view_of (&shape, c->spare);
  map.y = scalar (real, factor);
  GE_TRY (ge_array_map (c->place, &map));
  /* X' = X' |FACTOR A|: sums of columns of the power.  X and Y: halves of the pivots.  */
  char *x = c->pivots, *y = x + (size_t) c->n * sizeof (double);
  shape = (gpueig_shape){ .type = real, .n_dims = 2, .dims = { c->n, 1 } };
  map = ge_map_over (GE_MAP_COPY, &shape);
  map.x = scalar (real, 1);
  map.to = ge_view_of (&shape, x);
  GE_TRY (ge_array_map (c->place, &map));
  for (int step = 0; step < k; step++)
    {
      const ge_product p = { .type = real,
                             .ta = 'T',
                             .tb = 'N',
                             .m = c->n,
                             .n = 1,
                             .k = c->n,
                             .pages = 1,
                             .a = c->spare,
                             .b = x,
                             .c = y };
      GE_TRY (place->ops->multiply (c->ctx, &p));
      char *other = x;
      x = y;
      y = other;
    }
  const ge_reduction r = { .op = GE_LARGEST_ABS,
                           .type = real,
                           .left = 1,
                           .n = c->n,
                           .right = 1,
                           .x = x,
                           .to = y };
  double found = 0;
  float single = 0;
  GE_TRY (place->ops->reduce (c->ctx, &r));
  GE_TRY (place->ops->download (
      c->ctx, real == GPUEIG_DOUBLE ? (void *) &found : &single, y,
      gpueig_scalar_size (real)));
  *power = real == GPUEIG_DOUBLE ? found : (double) single;
  return GPUEIG_OK;
}

static gpueig_status
mean (ge_calc *c, const void *a, ge_point *value)
{
  ge_point *line = (ge_point *) c->lines;
  GE_TRY (get_line (c, a, 0, line));
  *value = 0;
  for (int64_t i = 0; i < c->n; i++)
    *value += line[i] / (double) c->n;
  return GPUEIG_OK;
}

static gpueig_status
add (ge_calc *c, void *a, ge_point value)
{
  const ge_view line = diagonal (c, a, 0);
  return map_line (c, GE_MAP_PLUS, 0, line, scalar (c->type, value), line);
}

static gpueig_status
scale (ge_calc *c, ge_point factor, void *a)
{
  return map_whole (c, GE_MAP_TIMES, a, scalar (c->type, factor), a);
}

static gpueig_status
fill (ge_calc *c, double value, void *a)
{
  const gpueig_shape shape = whole (c);
  ge_map map = ge_map_over (GE_MAP_COPY, &shape);
  map.x = scalar (real_of (c), value);
  map.to = ge_view_of (&shape, a);
  return ge_array_map (c->place, &map);
}

static gpueig_status
exact (ge_calc *c, const void *a, double factor, void *x)
{
  ge_point *z = (ge_point *) c->lines, *t = z + c->n;
  if (! c->is_upper)
    return GPUEIG_OK;
  GE_TRY (get_line (c, a, 0, z));
  if (c->n > 1)
    GE_TRY (get_line (c, a, 1, t));
  for (int64_t i = 0; i + 1 < c->n; i++)
    t[i] = ge_point_corner (GPUEIG_EXPM, 0, z[i] * factor, z[i + 1] * factor,
                            t[i] * factor);
  for (int64_t i = 0; i < c->n; i++)
    z[i] = ge_point_function (GPUEIG_EXPM, 0, z[i] * factor);
  GE_TRY (move_line (c, x, 0, z, 1));
  return c->n > 1 ? move_line (c, x, 1, t, 1) : GPUEIG_OK;
}

/* --- pages --- */

/* X = (X + X') / 2.  */
static gpueig_status
make_hermitian (ge_calc *c, void *x)
{
  const gpueig_shape shape = whole (c);
  ge_map map = ge_map_over (GE_MAP_CONJ, &shape);
  GE_TRY (scale (c, 0.5, x));
  map.x = ge_view_of (&shape, x);
  map.x.stride[0] = c->n;
  map.x.stride[1] = 1;
  map.to = ge_view_of (&shape, c->spare);
  GE_TRY (ge_array_map (c->place, &map));
  return map_whole (c, GE_MAP_PLUS, x, ge_view_of (&shape, c->spare), x);
}

/* X = f (A) of one page, which is overwritten.  */
static gpueig_status
calculate (gpueig_context *ctx, const gpueig_funm_problem *p, void *a, void *x,
           int is_hermitian, double *rcond)
{
  static const ge_calc_ops ops = { multiply, combine, solve, norm, abs_power,
                                   mean,     add,     scale, fill, exact };
  ge_place place = { .ctx = ctx,
                     .ops = ctx->plugin->arrays,
                     .space = GE_DEVICE,
                     .device = ctx->selected };
  ge_calc c = {
    .ctx = ctx, .ops = &ops, .place = &place, .type = p->type, .n = p->n
  };
  const int64_t square = p->n * p->n;
  int is_diagonal = 0;
  *rcond = 1;
  for (int k = 0; k < GE_CALC_BUFFERS; k++)
    GE_TRY (ge_array_scratch (&place, p->type, square, &c.m[k]));
  GE_TRY (ge_array_scratch (&place, p->type, square, &c.spare));
  GE_TRY (ge_array_scratch (&place, GPUEIG_COMPLEX_DOUBLE, p->n, &c.pivots));
  GE_TRY (
      ge_alloc (ctx, GE_HOST, 3 * p->n, sizeof (ge_point), (void **) &c.lines));
  if (p->kind == GPUEIG_MPOWER)
    return ge_calc_power (&c, a, p->power, x, rcond);
  GE_TRY (ge_array_is_banded (&place, p->type, p->n, a, 0, p->n, &c.is_upper));
  if (c.is_upper)
    GE_TRY (ge_array_is_banded (&place, p->type, p->n, a, 0, 0, &is_diagonal));
  if (is_diagonal)
    {
      GE_TRY (fill (&c, 0, x));
      return exact (&c, a, 1, x);
    }
  GE_TRY (ge_calc_exponential (&c, a, x));
  return is_hermitian ? make_hermitian (&c, x) : GPUEIG_OK;
}

gpueig_status
ge_calc_on_gpu (gpueig_context *ctx, const gpueig_funm_problem *p,
                const unsigned char *hermitian)
{
  const int64_t square = p->n * p->n;
  const size_t size = gpueig_scalar_size (p->type),
               bytes = (size_t) square * size;
  for (int64_t i = 0; i < p->pages; i++)
    {
      const int mark = ge_mark (ctx);
      void *a, *own, *x = ge_page (p->x, i, square, size);
      double rcond;
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (ge_alloc (ctx, GE_DEVICE, square, size, &a));
      GE_TRY (ge_alloc (ctx, GE_DEVICE, square, size, &own));
      GE_TRY (ctx->plugin->memory->copy (
          ctx, a, ge_page (p->a, i, square, size), bytes));
      GE_TRY (calculate (ctx, p, a, own, hermitian[i], &rcond));
      GE_TRY (ctx->plugin->arrays->wait (ctx));
      GE_TRY (ctx->plugin->memory->copy (ctx, x, own, bytes));
      if (p->rcond)
        p->rcond[i] = rcond;
      if (p->state)
        p->state[i] = rcond == 0 ? GPUEIG_FUNM_SINGULAR : 0;
      if (p->roots)
        p->roots[i] = 0;
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}
