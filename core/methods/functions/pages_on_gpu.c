/* Integer powers and exponentials of many pages in memory of a GPU at once, by the operations
   on arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/exponential.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* The number of pages of a set that are computed together.  */
static int64_t
pages_at_once (const gpueig_funm_problem *p, int64_t elements)
{
  return 1 + elements / (p->n * p->n);
}

gpueig_status
ge_powers_on_gpu (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t most = pages_at_once (p, (int64_t) 1 << 24);
  for (int64_t i = 0; i < p->pages; i += most)
    {
      const int64_t count = p->pages - i < most ? p->pages - i : most;
      const int mark = ge_mark (s->place.ctx);
      ge_calc c;
      GE_TRY (ge_calc_begin_on_gpu (&c, &s->place, p->type, p->n, count, 2));
      GE_TRY (ge_positive_power (&c, ge_funm_page (s, p->a, i), p->power, c.m,
                                 ge_funm_page (s, p->x, i)));
      ge_release (s->place.ctx, mark);
    }
  if (p->state)
    memset (p->state, 0, (size_t) p->pages);
  return GPUEIG_OK;
}

/* --- exponentials --- */

/* TO = X OP VALUES[page], COUNT elements of each page at STRIDE; VALUES are real where the
   pages are.  The pages of TO are LIST, in memory of the GPU, if that is not NULL.  */
static gpueig_status
for_each_page (ge_calc *c, ge_map_op op, int64_t count, int64_t stride,
               const ge_point *values, const void *x, const int64_t *list,
               void *to)
{
  const int64_t square = c->n * c->n;
  const int is_complex = gpueig_is_complex (c->type);
  const gpueig_shape shape = ge_matrix_shape (c->type, count, c->pages);
  ge_place *place = c->place;
  ge_map m = ge_map_over (op, &shape);
  void *there;
  GE_TRY (ge_array_scratch (place, GPUEIG_COMPLEX_DOUBLE, c->pages, &there));
  GE_TRY (place->ops->upload (c->ctx, there, values,
                              (size_t) c->pages * sizeof *values));
  m.x = m.to = (ge_view){ .type = c->type, .stride = { stride, square } };
  m.x.data = (void *) x;
  m.to.data = to;
  m.to.list[1] = list;
  m.y = (ge_view){ .data = there,
                   .type = is_complex ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE,
                   .stride = { 0, is_complex ? 1 : 2 } };
  return ge_array_map (place, &m);
}

/* A <- A VALUES[page].  */
static gpueig_status
scale_pages (ge_calc *c, const ge_point *values, void *a)
{
  return for_each_page (c, GE_MAP_TIMES, c->n * c->n, 1, values, a, NULL, a);
}

/* Compute the means of the diagonals of pages.  */
static gpueig_status
means_of (ge_calc *c, const void *a, ge_point *mean)
{
  const gpueig_type wide = GPUEIG_COMPLEX_DOUBLE;
  const gpueig_shape shape = ge_matrix_shape (wide, c->n, c->pages);
  const int mark = ge_mark (c->ctx);
  ge_place *place = c->place;
  void *line, *sum;
  GE_TRY (ge_array_scratch (place, wide, c->n * c->pages, &line));
  GE_TRY (ge_array_scratch (place, wide, c->pages, &sum));
  ge_map m = ge_map_over (GE_MAP_COPY, &shape);
  m.x = (ge_view){ .data = (void *) a,
                   .type = c->type,
                   .stride = { c->n + 1, c->n * c->n } };
  m.to = ge_view_of (&shape, line);
  GE_TRY (ge_array_map (place, &m));
  GE_TRY (ge_array_reduce (place, GE_SUM, wide, 1, c->n, c->pages, line, sum));
  GE_TRY (place->ops->download (c->ctx, mean, sum,
                                (size_t) c->pages * sizeof *mean));
  for (int64_t i = 0; i < c->pages; i++)
    mean[i] = ge_point_of (creal (mean[i]) / (double) c->n,
                           cimag (mean[i]) / (double) c->n);
  ge_release (c->ctx, mark);
  return GPUEIG_OK;
}

/* Pages of a calculation: A - mean I is divided by 2^squarings.  */
typedef struct
{
  ge_calc *c;
  void *a;
  ge_point *mean, *factor;
  double *norm[GE_TERMS];
  int *squarings;
} scaling;

/* Subtract mean I from A, unless exp (-mean) may overflow.  */
static gpueig_status
subtract_means (scaling *w)
{
  ge_calc *c = w->c;
  const double most = gpueig_is_double (c->type) ? 300 : 35;
  GE_TRY (c->ops->abs_power (c, w->a, 1, 1, w->norm[1]));
  GE_TRY (means_of (c, w->a, w->mean));
  for (int64_t i = 0; i < c->pages; i++)
    if (creal (w->mean[i]) < 0 && w->norm[1][i] > most)
      w->mean[i] = 0;
  GE_TRY (for_each_page (c, GE_MAP_MINUS, c->n, c->n + 1, w->mean, w->a, NULL,
                         w->a));
  return c->ops->abs_power (c, w->a, 1, 1, w->norm[1]);
}

/* Scale A and the powers that the polynomial *P needs.  */
static gpueig_status
take_powers (scaling *w, const ge_polynomial **p)
{
  ge_calc *c = w->c;
  double largest = 0;
  ge_point *factor = w->factor;
  for (int64_t i = 0; i < c->pages; i++)
    {
      largest = fmax (largest, w->norm[1][i]);
      w->squarings[i] = ge_excess (c->type, w->norm[1][i]);
      factor[i] = ldexp (1, -w->squarings[i]);
      w->norm[1][i] = ldexp (w->norm[1][i], -w->squarings[i]);
    }
  GE_TRY (scale_pages (c, factor, w->a));
  GE_TRY (ge_take_powers (c, w->a, largest, p));
  if (largest <= (*p)->theta[gpueig_is_double (c->type)])
    return GPUEIG_OK;
  for (int k = 2; k < GE_TERMS; k++)
    GE_TRY (c->ops->abs_power (c, c->m[k - 2], 1, 1, w->norm[k]));
  for (int64_t i = 0; i < c->pages; i++)
    {
      const double norm[]
          = { 0, w->norm[1][i], w->norm[2][i], w->norm[3][i], w->norm[4][i] };
      const int excess = w->squarings[i];
      w->squarings[i] = ge_squarings (c->type, norm, excess);
      factor[i] = ldexp (1, excess - w->squarings[i]);
      w->norm[1][i] *= creal (factor[i]);
    }
  GE_TRY (scale_pages (c, factor, w->a));
  GE_TRY (c->ops->abs_power (c, w->a, (*p)->degree + 1, 0.5, w->norm[2]));
  for (int64_t i = 0; i < c->pages; i++)
    {
      const int more
          = ge_more_squarings (c->type, *p, w->norm[1][i], 1, &w->norm[2][i]);
      w->squarings[i] += more;
      factor[c->pages + i] = ldexp (1, -more);
      factor[i] *= factor[c->pages + i];
    }
  GE_TRY (scale_pages (c, factor + c->pages, w->a));
  for (int k = 1; k <= 6; k++)
    {
      for (int64_t i = 0; i < c->pages; i++)
        factor[(k + 1) * c->pages + i] = pow (creal (factor[i]), k);
      if (k != 1 && k != 4 && k != 5)
        GE_TRY (scale_pages (c, factor + (k + 1) * c->pages,
                             c->m[k == 6 ? GE_A6 : k - 2]));
    }
  return GPUEIG_OK;
}

/* The pages LIST of the result, X FACTOR[page]; X is overwritten.  */
static gpueig_status
put_pages (ge_page_set *s, ge_calc *c, const ge_point *factor, void *x,
           const int64_t *list)
{
  const int mark = ge_mark (c->ctx);
  if (c->is_hermitian)
    GE_TRY (ge_array_make_hermitian (c->place, c->type, c->n, c->pages, x));
  GE_TRY (for_each_page (c, GE_MAP_TIMES, c->n * c->n, 1, factor, x, list,
                         s->p->x));
  ge_release (c->ctx, mark);
  return GPUEIG_OK;
}

/* Square X as often as each page requires, into p->x of the set, times exp (mean).  */
static gpueig_status
square (ge_page_set *s, const scaling *w)
{
  ge_calc *c = w->c;
  gpueig_context *ctx = c->ctx;
  ge_place *place = c->place;
  const int64_t pages = c->pages, size = c->n * c->n;
  const gpueig_shape shape = ge_matrix_shape (c->type, size, pages);
  const size_t bytes = (size_t) pages * sizeof (int64_t);
  void *x = c->m[GE_Y], *spare = c->m[GE_X];
  int64_t *order, *lists, at = 0;
  int most = 0;
  ge_point *factor;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * pages, &order));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &factor));
  GE_TRY (
      ge_alloc (ctx, place->space, 2 * pages, sizeof *lists, (void **) &lists));
  for (int64_t i = 0; i < pages; i++)
    most = w->squarings[i] > most ? w->squarings[i] : most;
  for (int level = most; level >= 0; level--)
    for (int64_t i = 0; i < pages; i++)
      if (w->squarings[i] == level)
        {
          factor[at] = cexp (w->mean[i]);
          order[pages + at] = s->list[i];
          order[at++] = i;
        }
  GE_TRY (place->ops->upload (ctx, lists, order, 2 * bytes));
  ge_map m = ge_map_over (GE_MAP_COPY, &shape);
  m.x = ge_view_of (&shape, c->m[GE_X]);
  m.x.list[1] = lists;
  m.to = ge_view_of (&shape, x);
  GE_TRY (ge_array_map (place, &m));
  for (int level = 0; at > 0; level++)
    {
      const int64_t before = at;
      while (at > 0 && w->squarings[order[at - 1]] == level)
        at--;
      c->pages = before - at;
      if (before > at)
        GE_TRY (put_pages (s, c, factor + at, ge_funm_page (s, x, at),
                           lists + pages + at));
      c->pages = at;
      if (at > 0)
        GE_TRY (c->ops->multiply (c, x, x, spare));
      void *other = x;
      x = spare;
      spare = other;
    }
  return GPUEIG_OK;
}

/* Compute the exponentials of the pages of a set that fits into memory.  */
static gpueig_status
exponentials (ge_page_set *s, int hermitian)
{
  const gpueig_funm_problem *p = s->p;
  ge_place *place = &s->place;
  gpueig_context *ctx = place->ctx;
  const int64_t pages = s->count;
  const ge_polynomial *polynomial;
  const void *given;
  ge_calc c;
  scaling w = { .c = &c };
  GE_TRY (
      ge_calc_begin_on_gpu (&c, place, p->type, p->n, pages, GE_CALC_BUFFERS));
  c.is_hermitian = hermitian;
  GE_TRY (ge_array_scratch (place, p->type, p->n * p->n * pages, &w.a));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &w.mean));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 8 * pages, &w.factor));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &w.squarings));
  for (int k = 1; k < GE_TERMS; k++)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &w.norm[k]));
  GE_TRY (ge_funm_gather (s, &given));
  GE_TRY (ge_calc_copy (&c, given, w.a));
  GE_TRY (subtract_means (&w));
  GE_TRY (take_powers (&w, &polynomial));
  GE_TRY (ge_evaluate (&c, polynomial, w.a, 1, c.m[GE_X]));
  GE_TRY (square (s, &w));
  for (int64_t i = 0; i < pages; i++)
    {
      const int64_t page = s->list[i];
      double norm = 0;
      if (ge_loses_digits (p->type, w.squarings[i]))
        GE_TRY (ge_array_norm_1 (place, p->type, p->n, p->n,
                                 ge_funm_page (s, p->x, page), &norm));
      ge_funm_note (s, page, norm == 0 ? 0 : GPUEIG_FUNM_NO_DIGIT, 0, 0);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_exponentials_on_gpu (ge_page_set *s, int hermitian)
{
  const int64_t most = pages_at_once (s->p, (int64_t) 1 << 23), all = s->count;
  const int64_t *list = s->list;
  for (int64_t i = 0; i < all; i += most)
    {
      const int mark = ge_mark (s->place.ctx);
      s->list = list + i;
      s->count = all - i < most ? all - i : most;
      GE_TRY (exponentials (s, hermitian));
      ge_release (s->place.ctx, mark);
    }
  s->list = list;
  s->count = all;
  return GPUEIG_OK;
}
