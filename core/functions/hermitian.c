/* What follows from eigenvectors and singular vectors, in either memory by the operations on
   arrays: functions of Hermitian pages, polar decompositions; residuals.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"
#include "gpueig_svd.h"

#include <complex.h>
#include <math.h>

gpueig_status
ge_funm_multiply (ge_place *place, gpueig_type type, const char *op, int64_t m,
                  int64_t n, int64_t k, int64_t pages, const void *a,
                  const void *b, void *c)
{
  const ge_product p = { .type = type,
                         .ta = op[0],
                         .tb = op[1],
                         .m = m,
                         .n = n,
                         .k = k,
                         .pages = pages,
                         .stride_a = m * k,
                         .stride_b = k * n,
                         .a = a,
                         .b = b,
                         .c = c };
  GE_TRY (ge_check_interrupt (place->ctx));
  return place->ops->multiply (place->ctx, &p);
}

/* X = V diag (F) V' for PAGES pages, F of F_TYPE.  */
static gpueig_status
compose (ge_place *place, gpueig_type type, int64_t n, int64_t pages,
         const void *v, gpueig_type f_type, const void *f, void *x)
{
  const gpueig_shape shape
      = { .type = type, .n_dims = 3, .dims = { n, n, pages } };
  const int mark = ge_mark (place->ctx);
  void *scaled;
  GE_TRY (ge_array_scratch (place, type, n * n * pages, &scaled));
  ge_map m = ge_map_over (GE_MAP_TIMES, &shape);
  m.x = ge_view_of (&shape, v);
  m.y = (ge_view){ .data = (void *) f, .type = f_type, .stride = { 0, 1, n } };
  m.to = ge_view_of (&shape, scaled);
  GE_TRY (ge_array_map (place, &m));
  GE_TRY (ge_funm_multiply (place, type, "NC", n, n, n, pages, scaled, v, x));
  ge_release (place->ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_funm_gather (ge_page_set *s, const void **a)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n;
  void *pages;
  *a = p->a;
  if (s->count == p->pages)
    return GPUEIG_OK;
  GE_TRY (ge_array_scratch (&s->place, p->type, s->count * square, &pages));
  for (int64_t i = 0; i < s->count; i++)
    GE_TRY (ge_array_copy (&s->place, square, p->type,
                           ge_funm_page (s, pages, i), p->type,
                           ge_funm_page (s, p->a, s->list[i])));
  *a = pages;
  return GPUEIG_OK;
}

/* *VALUES: the values F of all pages of the set in TYPE, or if that is real their part PART,
   0 or 1.  */
static gpueig_status
put_values (ge_page_set *s, gpueig_type type, int part, const ge_point *f,
            void **values)
{
  const int step = gpueig_is_complex (type) ? 1 : 2;
  const int64_t count = s->count * s->p->n, reals = 2 * count / step;
  const size_t size = gpueig_real_size (type);
  void *raw;
  GE_TRY (ge_alloc (s->place.ctx, GE_HOST, reals, size, &raw));
  for (int64_t i = 0; i < reals; i++)
    {
      const double x = ((const double *) f)[i * step + part];
      if (gpueig_is_double (type))
        ((double *) raw)[i] = x;
      else
        ((float *) raw)[i] = (float) x;
    }
  GE_TRY (ge_array_scratch (&s->place, type, count, values));
  return s->place.ops->upload (s->place.ctx, *values, raw,
                               (size_t) reals * size);
}

gpueig_status
ge_funm_by_eigenvectors (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t n = p->n, square = n * n;
  const int is_double = gpueig_is_double (p->type),
            is_complex = gpueig_is_complex (p->type);
  gpueig_symmetric problem = { .type = p->type,
                               .n = n,
                               .pages = s->count,
                               .symmetric = 1,
                               .place = ge_funm_place (s) };
  gpueig_info part;
  ge_point *f;
  void *values, *x = NULL;
  int any = 0;
  GE_TRY (ge_funm_gather (s, &problem.a));
  GE_TRY (ge_alloc (ctx, GE_HOST, s->count * n, gpueig_real_size (p->type),
                    &problem.lambda));
  GE_TRY (ge_array_scratch (&s->place, p->type, s->count * square, &problem.v));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->count * n, &f));
  GE_TRY (s->place.ops->wait (ctx));
  GE_TRY (gpueig_eig_symmetric (ctx, &problem, s->options, &part));
  ge_funm_take_info (s->info, &part);
  const double *doubles = problem.lambda;
  const float *singles = problem.lambda;
  for (int64_t i = 0; i < s->count; i++)
    {
      const int64_t first = i * n, last = first + n - 1;
      const double size
          = is_double ? fmax (fabs (doubles[first]), fabs (doubles[last]))
                      : (double) fmaxf (fabsf (singles[first]),
                                        fabsf (singles[last]));
      const double tiny = ge_funm_tiny (p, size);
      int state = 0, has = 0;
      for (int64_t j = first; j <= last; j++)
        {
          f[j] = ge_funm_value (p, is_double ? doubles[j] : (double) singles[j],
                                tiny, &state);
          has |= cimag (f[j]) != 0;
        }
      s->has_im[s->list[i]] = has && ! is_complex;
      if (p->state)
        p->state[s->list[i]] = (unsigned char) state;
      any |= has;
    }
  if (any && ! is_complex && ! p->x_im)
    return ge_funm_need_imaginary (ctx);
  if (s->count < p->pages)
    GE_TRY (ge_array_scratch (&s->place, p->type, s->count * square, &x));
  const int wide = any && is_complex;
  const gpueig_type type = wide ? p->type : ge_make_real (p->type);
  for (int k = 0; k < 1 + (any && ! wide); k++)
    {
      void *all = k ? p->x_im : p->x, *to = x ? x : all;
      GE_TRY (put_values (s, type, k, f, &values));
      GE_TRY (compose (&s->place, p->type, n, s->count, problem.v, type, values,
                       to));
      if (! wide)
        GE_TRY (ge_array_make_hermitian (&s->place, p->type, n, s->count, to));
      for (int64_t i = 0; x && i < s->count; i++)
        GE_TRY (ge_array_copy (&s->place, square, p->type,
                               ge_funm_page (s, all, s->list[i]), p->type,
                               ge_funm_page (s, x, i)));
    }
  return GPUEIG_OK;
}

gpueig_status
ge_polar_of (ge_place *place, const gpueig_polar_problem *p,
             const gpueig_options *options, gpueig_info *info)
{
  gpueig_context *ctx = place->ctx;
  gpueig_svd_problem svd = { .type = p->type,
                             .m = p->m,
                             .n = p->n,
                             .pages = p->pages,
                             .a = p->a,
                             .place = p->place };
  const int64_t n = p->n;
  const gpueig_type real = ge_make_real (p->type);
  GE_TRY (
      ge_array_scratch (place, real, ge_part_count (n, 1, p->pages), &svd.s));
  GE_TRY (ge_array_scratch (place, p->type, ge_part_count (p->m, n, p->pages),
                            &svd.u));
  GE_TRY (ge_array_scratch (place, p->type, ge_part_count (n, n, p->pages),
                            &svd.v));
  GE_TRY (gpueig_svd (ctx, &svd, options, info));
  if (p->m == 0 || n == 0 || p->pages == 0)
    return GPUEIG_OK;
  GE_TRY (ge_funm_multiply (place, p->type, "NC", p->m, n, n, p->pages, svd.u,
                            svd.v, p->u));
  if (p->h)
    {
      GE_TRY (compose (place, p->type, n, p->pages, svd.v, real, svd.s, p->h));
      GE_TRY (ge_array_make_hermitian (place, p->type, n, p->pages, p->h));
    }
  return place->ops->wait (ctx);
}

/* --- residuals --- */

gpueig_status
ge_funm_residual (ge_page_set *s, int64_t page, const void *y, double *value)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n, square = n * n;
  const gpueig_type type = p->type;
  const void *x = ge_funm_page (s, p->x, page),
             *a = ge_funm_page (s, p->a, page);
  ge_place *place = &s->place;
  const int mark = ge_mark (place->ctx);
  void *e, *w;
  double size, more = 0;
  GE_TRY (ge_array_scratch (place, type, square, &e));
  GE_TRY (ge_array_scratch (place, type, square, &w));
  const ge_view ve = ge_view_line (type, e), vw = ge_view_line (type, w);
  if (y)
    {
      GE_TRY (ge_funm_multiply (place, type, "NN", n, n, n, 1, x, y, e));
      GE_TRY (ge_funm_multiply (place, type, "NN", n, n, n, 1, y, x, w));
      GE_TRY (ge_array_map_line (place, GE_MAP_PLUS, type, square, ve, vw, ve));
      GE_TRY (ge_array_frobenius (place, type, square, e, &more));
      GE_TRY (ge_funm_multiply (place, type, "NN", n, n, n, 1, y, y, w));
      GE_TRY (ge_array_map_line (place, GE_MAP_PLUS, type, square,
                                 ge_view_line (type, a), vw, vw));
      a = w;
    }
  GE_TRY (ge_funm_multiply (place, type, "NN", n, n, n, 1, x, x, e));
  GE_TRY (ge_array_map_line (place, GE_MAP_MINUS, type, square, ve,
                             ge_view_line (type, a), ve));
  GE_TRY (ge_array_frobenius (place, type, square, e, value));
  GE_TRY (ge_array_frobenius (place, type, square, ge_funm_page (s, p->a, page),
                              &size));
  *value = hypot (*value, more) / size;
  ge_release (place->ctx, mark);
  return GPUEIG_OK;
}
