/* Calculations with matrices in memory of a GPU, by the operations on arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"

#include <complex.h>
#include <math.h>

static gpueig_shape
whole (const ge_calc *c)
{
  return ge_matrix_shape (c->type, c->n, c->n * c->pages);
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
  return ge_array_map_line (c->place, op, c->type, c->n * c->n * c->pages,
                            ge_view_line (c->type, x), y,
                            ge_view_line (c->type, to));
}

gpueig_status
ge_move_line (ge_place *place, gpueig_type type, int64_t n, const void *a,
              int k, ge_point *line, int back, void *there)
{
  const gpueig_type wide = GPUEIG_COMPLEX_DOUBLE;
  const int64_t count = n - (k < 0 ? -k : k);
  const size_t bytes = (size_t) count * sizeof *line;
  const ge_view packed = ge_view_line (wide, there),
                own = ge_view_diagonal (type, n, a, k);
  if (back)
    {
      GE_TRY (place->ops->upload (place->ctx, there, line, bytes));
      return ge_array_map_line (place, GE_MAP_COPY, wide, count, packed,
                                GE_NO_VIEW, own);
    }
  GE_TRY (ge_array_map_line (place, GE_MAP_COPY, wide, count, own, GE_NO_VIEW,
                             packed));
  GE_TRY (place->ops->download (place->ctx, line, there, bytes));
  for (int64_t i = 0; i < count; i++)
    line[i] = ge_point_of (creal (line[i]), cimag (line[i]));
  return GPUEIG_OK;
}

/* Copy COUNT numbers of a real type in memory of the GPU to *TO, doubles in host
   memory.  */
static gpueig_status
fetch_reals (ge_place *place, gpueig_type real, int64_t count, const void *x,
             double *to)
{
  void *wide;
  GE_TRY (ge_array_scratch (place, GPUEIG_DOUBLE, count, &wide));
  GE_TRY (ge_array_copy (place, count, GPUEIG_DOUBLE, wide, real, x));
  return place->ops->download (place->ctx, to, wide,
                               (size_t) count * sizeof *to);
}

/* --- the operations, see calc.h --- */

static gpueig_status
multiply_arrays (ge_calc *c, const void *a, const void *b, void *to)
{
  return ge_array_multiply (c->place, c->type, "NN", c->n, c->n, c->n, c->pages,
                            a, b, to);
}

static gpueig_status
shift (ge_calc *c, ge_point factor, ge_point more, void *a)
{
  const gpueig_shape lines = ge_matrix_shape (c->type, c->n, c->pages);
  ge_map m = ge_map_over (GE_MAP_PLUS, &lines);
  if (factor != 1)
    GE_TRY (map_whole (c, GE_MAP_TIMES, a, scalar (c->type, factor), a));
  m.x = m.to = (ge_view){ .data = a,
                          .type = c->type,
                          .stride = { c->n + 1, c->n * c->n } };
  m.y = scalar (c->type, more);
  return more == 0 ? GPUEIG_OK : ge_array_map (c->place, &m);
}

static gpueig_status
combine_arrays (ge_calc *c, int count, const double *factor,
                const void *const *m, double identity, void *to)
{
  for (int k = 0; k < count; k++)
    {
      /* The first term may be TO itself.  */
      void *term = k == 0 ? to : c->spare;
      GE_TRY (map_whole (c, GE_MAP_TIMES, m[k],
                         scalar (ge_make_real (c->type), factor[k]), term));
      if (k > 0)
        GE_TRY (
            map_whole (c, GE_MAP_PLUS, to, ge_view_line (c->type, term), to));
    }
  return shift (c, 1, identity, to);
}

/* X' = X' |A| from sums of columns on, in each page.  */
static gpueig_status
abs_power (ge_calc *c, const void *a, int k, double factor, double *power)
{
  ge_place *place = c->place;
  const int mark = ge_mark (c->ctx);
  const gpueig_type real = ge_make_real (c->type);
  const int64_t n = c->n, count = n * c->pages;
  void *x, *y;
  GE_TRY (ge_array_scratch (place, real, count, &x));
  GE_TRY (ge_array_scratch (place, real, count, &y));
  GE_TRY (ge_array_reduce (place, GE_SUM_ABS, c->type, 1, n, count, a, x));
  if (factor != 1)
    GE_TRY (ge_array_map_line (place, GE_MAP_TIMES, real, count,
                               ge_view_line (real, x), scalar (real, factor),
                               ge_view_line (real, x)));
  if (k > 1)
    {
      const ge_view all = ge_view_line (real, c->spare);
      GE_TRY (ge_array_map_line (place, GE_MAP_ABS, c->type, n * count,
                                 ge_view_line (c->type, a), GE_NO_VIEW, all));
      if (factor != 1)
        GE_TRY (ge_array_map_line (place, GE_MAP_TIMES, real, n * count, all,
                                   scalar (real, factor), all));
    }
  for (int step = 1; step < k; step++)
    {
      GE_TRY (ge_array_multiply (place, real, "TN", n, 1, n, c->pages, c->spare,
                                 x, y));
      void *other = x;
      x = y;
      y = other;
    }
  GE_TRY (ge_array_reduce (place, GE_LARGEST_ABS, real, 1, n, c->pages, x, y));
  GE_TRY (fetch_reals (place, real, c->pages, y, power));
  ge_release (c->ctx, mark);
  return GPUEIG_OK;
}

static gpueig_status
fill_array (ge_calc *c, double value, void *a)
{
  const gpueig_shape shape = whole (c);
  return ge_array_fill (c->place, &shape, a, value);
}

static gpueig_status
invert_array (ge_calc *c, void *a, int64_t *at)
{
  GE_TRY (ge_calc_copy (c, a, c->m[5]));
  return ge_array_invert (c->place, c->type, c->n, c->m[5], a, at);
}

static gpueig_status
line (ge_calc *c, void *a, int k, ge_point *z, int back)
{
  return ge_move_line (c->place, c->type, c->n, a, k, z, back, c->pivots);
}

/* --- upper triangular matrices --- */

static gpueig_status
solve_upper (ge_calc *c, double factor, const void *r, void *to, void *work)
{
  const ge_place *place = c->place;
  const void *const terms[] = { r };
  const ge_factors f
      = { .kind = GE_UPPER, .type = c->type, .m = c->n, .n = c->n, .a = work };
  GE_TRY (ge_calc_copy (c, r, to));
  GE_TRY (combine_arrays (c, 1, &factor, terms, 1, work));
  return place->ops->solve (c->ctx, &f, 'N', c->n, to);
}

static gpueig_status
root_of_array (ge_calc *c, void *t)
{
  const ge_place *place = c->place;
  GE_TRY (ge_check_interrupt (c->ctx));
  return place->ops->root (c->ctx, c->type, c->n, t);
}

static gpueig_status
find_upper (ge_calc *c, const void *a)
{
  int is_upper = 0, is_diagonal = 0;
  GE_TRY (ge_array_is_banded (c->place, c->type, c->n, a, 0, c->n, &is_upper));
  if (is_upper)
    GE_TRY (
        ge_array_is_banded (c->place, c->type, c->n, a, 0, 0, &is_diagonal));
  c->is_upper = is_diagonal ? GE_DIAGONAL : is_upper ? GE_UPPER_TRIANGULAR : 0;
  return GPUEIG_OK;
}

static const ge_calc_ops on_gpu = { .multiply = multiply_arrays,
                                    .combine = combine_arrays,
                                    .invert = invert_array,
                                    .solve_upper = solve_upper,
                                    .root = root_of_array,
                                    .abs_power = abs_power,
                                    .shift = shift,
                                    .fill = fill_array,
                                    .line = line,
                                    .find_upper = find_upper };

/* --- pages --- */

/* Sums of the moduli of a problem's pages, see ge_funm_sums, n numbers of each page.  */
static gpueig_status
sum_pages (ge_place *place, const gpueig_funm_problem *p, double *rows,
           double *columns, double *diagonal)
{
  const gpueig_type real = ge_make_real (p->type);
  const int64_t n = p->n, count = n * p->pages;
  const gpueig_shape lines = ge_matrix_shape (p->type, n, p->pages);
  void *sums;
  GE_TRY (ge_array_scratch (place, real, count, &sums));
  GE_TRY (
      ge_array_reduce (place, GE_SUM_ABS, p->type, 1, n, count, p->a, sums));
  GE_TRY (fetch_reals (place, real, count, sums, columns));
  GE_TRY (
      ge_array_reduce (place, GE_SUM_ABS, p->type, n, n, p->pages, p->a, sums));
  GE_TRY (fetch_reals (place, real, count, sums, rows));
  ge_map m = ge_map_over (GE_MAP_ABS, &lines);
  m.x = (ge_view){ .data = (void *) p->a,
                   .type = p->type,
                   .stride = { n + 1, n * n } };
  m.to = (ge_view){ .data = sums, .type = real, .stride = { 1, n } };
  GE_TRY (ge_array_map (place, &m));
  return fetch_reals (place, real, count, sums, diagonal);
}

/* Compute LARGEST, the largest modulus below the diagonal of each page.  */
static gpueig_status
find_largest_below (ge_place *place, const gpueig_funm_problem *p,
                    double *largest)
{
  const int64_t square = p->n * p->n;
  const gpueig_type real = ge_make_real (p->type);
  const gpueig_shape shape
      = { .type = p->type, .n_dims = 3, .dims = { p->n, p->n, p->pages } };
  void *below, *there;
  GE_TRY (ge_array_scratch (place, p->type, square * p->pages, &below));
  GE_TRY (ge_array_scratch (place, real, p->pages, &there));
  ge_map m = ge_map_over (GE_MAP_COPY, &shape);
  m.x = ge_view_of (&shape, p->a);
  m.to = ge_view_of (&shape, below);
  m.banded = 1;
  m.lower = -p->n;
  m.upper = -1;
  GE_TRY (ge_array_map (place, &m));
  GE_TRY (ge_array_reduce (place, GE_LARGEST_ABS, p->type, 1, square, p->pages,
                           below, there));
  return fetch_reals (place, real, p->pages, there, largest);
}

gpueig_status
ge_find_kinds_on_gpu (ge_place *place, const gpueig_funm_problem *p,
                      unsigned char *kinds)
{
  gpueig_context *ctx = place->ctx;
  const int64_t count = p->n * p->pages;
  const int mark = ge_mark (ctx);
  ge_page_facts *facts;
  double *below, *rows, *columns, *diagonal;
  GE_TRY (ge_inspect (ctx, p->type, p->a, p->n, p->pages, &facts));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &below));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 3 * count, &rows));
  columns = rows + count;
  diagonal = columns + count;
  GE_TRY (find_largest_below (place, p, below));
  GE_TRY (sum_pages (place, p, rows, columns, diagonal));
  for (int64_t i = 0; i < p->pages; i++)
    {
      const int upper = below[i] == 0;
      kinds[i] = ge_funm_kind_of (p, upper, ! upper && facts[i].symmetric,
                                  rows + i * p->n, columns + i * p->n,
                                  diagonal + i * p->n);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_calc_begin_on_gpu (ge_calc *c, ge_place *place, gpueig_type type, int64_t n,
                      int64_t pages, int buffers)
{
  *c = (ge_calc){ .ctx = place->ctx,
                  .ops = &on_gpu,
                  .place = place,
                  .type = type,
                  .n = n,
                  .pages = pages };
  for (int k = 0; k < buffers; k++)
    GE_TRY (ge_array_scratch (place, type, n * n * pages, &c->m[k]));
  GE_TRY (ge_array_scratch (place, type, n * n * pages, &c->spare));
  GE_TRY (ge_array_scratch (place, GPUEIG_COMPLEX_DOUBLE, n, &c->pivots));
  return GE_ALLOC (place->ctx, GE_HOST, 4 * n, &c->lines);
}
