/* Functions from eigenvectors and singular vectors, in either memory by the operations on
   arrays: functions of Hermitian pages, polar decompositions; residuals.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"
#include "gpueig_svd.h"

#include <complex.h>
#include <math.h>

/* X = V diag (F) V' for PAGES pages, F at the strides of an n-by-PAGES array, times
   STEP.  */
static gpueig_status
compose (ge_place *place, gpueig_type type, int64_t n, int64_t pages,
         const void *v, ge_view f, int64_t step, void *x)
{
  const gpueig_shape shape
      = { .type = type, .n_dims = 3, .dims = { n, n, pages } };
  const int mark = ge_mark (place->ctx);
  void *scaled;
  GE_TRY (ge_array_scratch (place, type, n * n * pages, &scaled));
  ge_map m = ge_map_over (GE_MAP_TIMES, &shape);
  m.x = ge_view_of (&shape, v);
  m.y = f;
  m.y.stride[0] = 0;
  m.y.stride[1] = step;
  m.y.stride[2] = step * n;
  m.to = ge_view_of (&shape, scaled);
  GE_TRY (ge_array_map (place, &m));
  GE_TRY (ge_array_multiply (place, type, "NC", n, n, n, pages, scaled, v, x));
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

/* *VALUE, an eigenvalue with the eigenvector V of page A, becomes 0 if it may be a rounding
   error.  */
static gpueig_status
clear_rounding (ge_page_set *s, const void *a, const void *v, double *value)
{
  gpueig_context *ctx = s->place.ctx;
  const gpueig_type type = s->p->type;
  const int64_t n = s->p->n;
  const size_t size = gpueig_scalar_size (type);
  const int mark = ge_mark (ctx);
  void *page, *vector;
  GE_TRY (ge_alloc (ctx, GE_HOST, n * n, size, &page));
  GE_TRY (ge_alloc (ctx, GE_HOST, n, size, &vector));
  GE_TRY (ge_copy (ctx, ge_funm_place (s), page, a, (size_t) (n * n) * size));
  GE_TRY (ge_copy (ctx, ge_funm_place (s), vector, v, (size_t) n * size));
  if (fabs (*value) <= GE_BY_TYPE (type, ge_funm_noise, (n, page, vector)))
    *value = 0;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* F: the function of the eigenvalues VALUES of page I of the set, ascending, with the eigenvectors
   V; *HAS: whether any is complex.  */
static gpueig_status
functions_of (ge_page_set *s, int64_t i, const double *values, const void *v,
              ge_point *f, int *has)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n, page = s->list[i];
  const double most = fmax (fabs (values[0]), fabs (values[n - 1])),
               tiny = ge_funm_tiny (p, most);
  double least = most;
  int state = 0;
  *has = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double value = values[j];
      if (p->kind == GPUEIG_MPOWER && value != 0 && fabs (value) <= tiny)
        GE_TRY (clear_rounding (
            s, ge_funm_page (s, p->a, page),
            ge_page (v, i * n + j, n, gpueig_scalar_size (p->type)), &value));
      least = fmin (least, fabs (value));
      f[j] = ge_funm_value (p, value, tiny, &state);
      *has |= cimag (f[j]) != 0;
    }
  if (p->rcond && p->kind == GPUEIG_MPOWER && p->power < 0)
    p->rcond[page] = least / most;
  ge_funm_note (s, page, state, 0, *has && ! gpueig_is_complex (p->type));
  return GPUEIG_OK;
}

gpueig_status
ge_funm_by_eigenvectors (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t n = p->n, square = n * n;
  const int is_complex = gpueig_is_complex (p->type);
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
  const gpueig_type real = ge_make_real (p->type);
  double *line;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &line));
  for (int64_t i = 0; i < s->count; i++)
    {
      int has;
      for (int64_t j = 0; j < n; j++)
        {
          double value[2];
          ge_array_number (real, problem.lambda, i * n + j, value);
          line[j] = value[0];
        }
      GE_TRY (functions_of (s, i, line, problem.v, f + i * n, &has));
      any |= has;
    }
  if (any && ! is_complex && ! p->x_im)
    return ge_funm_need_imaginary (ctx);
  if (s->count < p->pages)
    GE_TRY (ge_array_scratch (&s->place, p->type, s->count * square, &x));
  const int wide = any && is_complex;
  GE_TRY (ge_array_scratch (&s->place, GPUEIG_COMPLEX_DOUBLE, s->count * n,
                            &values));
  GE_TRY (s->place.ops->upload (ctx, values, f,
                                (size_t) (s->count * n) * sizeof *f));
  for (int k = 0; k < 1 + (any && ! wide); k++)
    {
      void *all = k ? p->x_im : p->x, *to = x ? x : all;
      /* View the values, or parts K of them.  */
      const ge_view view
          = { .data = (double *) values + k,
              .type = wide ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE };
      GE_TRY (compose (&s->place, p->type, n, s->count, problem.v, view,
                       wide ? 1 : 2, to));
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
  GE_TRY (ge_array_scratch (place, real, ge_argument_count (n, 1, p->pages),
                            &svd.s));
  GE_TRY (ge_array_scratch (place, p->type,
                            ge_argument_count (p->m, n, p->pages), &svd.u));
  GE_TRY (ge_array_scratch (place, p->type, ge_argument_count (n, n, p->pages),
                            &svd.v));
  GE_TRY (gpueig_svd (ctx, &svd, options, info));
  if (p->m == 0 || n == 0 || p->pages == 0)
    return GPUEIG_OK;
  GE_TRY (ge_array_multiply (place, p->type, "NC", p->m, n, n, p->pages, svd.u,
                             svd.v, p->u));
  if (p->h)
    {
      GE_TRY (compose (place, p->type, n, p->pages, svd.v,
                       ge_view_line (real, svd.s), 1, p->h));
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
  const gpueig_type type = y ? ge_make_complex (p->type) : p->type;
  const void *x = ge_funm_page (s, p->x, page),
             *a = ge_funm_page (s, p->a, page);
  ge_place *place = &s->place;
  const int mark = ge_mark (place->ctx);
  void *e, *z;
  double size;
  GE_TRY (ge_array_scratch (place, type, square, &e));
  const ge_view ve = ge_view_line (type, e);
  if (y)
    {
      const ge_view i = { .type = type, .im = 1 };
      GE_TRY (ge_array_scratch (place, type, square, &z));
      const ge_view vz = ge_view_line (type, z);
      GE_TRY (ge_array_map_line (place, GE_MAP_TIMES, type, square,
                                 ge_view_line (p->type, y), i, vz));
      GE_TRY (ge_array_map_line (place, GE_MAP_PLUS, type, square, vz,
                                 ge_view_line (p->type, x), vz));
      x = z;
    }
  GE_TRY (ge_array_multiply (place, type, "NN", n, n, n, 1, x, x, e));
  GE_TRY (ge_array_map_line (place, GE_MAP_MINUS, type, square, ve,
                             ge_view_line (p->type, a), ve));
  GE_TRY (ge_array_frobenius (place, type, square, e, value));
  GE_TRY (ge_array_frobenius (place, p->type, square, a, &size));
  *value /= size;
  ge_release (place->ctx, mark);
  return GPUEIG_OK;
}
