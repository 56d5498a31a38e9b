/* Functions of matrices and polar decompositions in memory of a GPU: from its eigenvectors,
   singular vectors and Schur forms, by the operations on arrays.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"
#include "gpueig_svd.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* Pages of a problem.  */
typedef struct
{
  const gpueig_funm_problem *p;
  const gpueig_options *options;
  gpueig_info *info;
  unsigned char *has_im;
  ge_place place;
  const int64_t *list;
  int64_t count;
} page_set;

static void *
page_at (const page_set *s, const void *x, int64_t page)
{
  return ge_page (x, page, s->p->n * s->p->n, gpueig_scalar_size (s->p->type));
}

/* C = op (A) op (B) for PAGES pages, m-by-n, K inside.  */
static gpueig_status
multiply (ge_place *place, gpueig_type type, const char *op, int64_t m,
          int64_t n, int64_t k, int64_t pages, const void *a, const void *b,
          void *c)
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

/* TO = OP (X, Y), elements of n-by-n matrices.  */
static gpueig_status
map (ge_place *place, ge_map_op op, gpueig_type type, int64_t n, const void *x,
     const void *y, void *to)
{
  const gpueig_shape shape = { .type = type, .n_dims = 2, .dims = { n, n } };
  ge_map m = ge_map_over (op, &shape);
  m.x = ge_view_of (&shape, x);
  if (y)
    m.y = ge_view_of (&shape, y);
  else
    m.y = (ge_view){ .type = type };
  m.to = ge_view_of (&shape, to);
  return ge_array_map (place, &m);
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
  GE_TRY (multiply (place, type, "NC", n, n, n, pages, scaled, v, x));
  ge_release (place->ctx, mark);
  return GPUEIG_OK;
}

/* *A: the pages of the set, contiguous.  */
static gpueig_status
gather (page_set *s, const void **a)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n;
  void *pages;
  *a = p->a;
  if (s->count == p->pages)
    return GPUEIG_OK;
  GE_TRY (ge_array_scratch (&s->place, p->type, s->count * square, &pages));
  for (int64_t i = 0; i < s->count; i++)
    GE_TRY (ge_array_copy (&s->place, square, p->type, page_at (s, pages, i),
                           p->type, page_at (s, p->a, s->list[i])));
  *a = pages;
  return GPUEIG_OK;
}

static gpueig_status
need_imaginary (gpueig_context *ctx)
{
  return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                      "the result is complex: X_IM is needed");
}

/* --- Hermitian pages --- */

/* F: of all eigenvalues, COUNT pages with n numbers; *TYPE_OF: of what is in memory of the
   GPU as *RE and, of a real problem with complex values, *IM.  */
static gpueig_status
upload_values (page_set *s, const ge_point *f, int any, gpueig_type *type_of,
               void **re, void **im)
{
  const gpueig_type type = s->p->type;
  const int is_double = gpueig_is_double (type),
            is_complex = any && gpueig_is_complex (type);
  const int64_t count = s->count * s->p->n;
  const size_t size = is_double ? sizeof (double) : sizeof (float);
  void **const to[] = { re, im };
  char *raw;
  *type_of = is_complex ? type : ge_make_real (type);
  *im = NULL;
  GE_TRY (ge_alloc (s->place.ctx, GE_HOST, 2 * count, size, (void **) &raw));
  for (int part = 0; part < (any && ! is_complex ? 2 : 1); part++)
    {
      for (int64_t i = 0; i < count * (1 + is_complex); i++)
        {
          const double x = is_complex ? ((const double *) f)[i]
                                      : ((const double *) f)[2 * i + part];
          if (is_double)
            ((double *) raw)[i] = x;
          else
            ((float *) raw)[i] = (float) x;
        }
      GE_TRY (ge_array_scratch (&s->place, *type_of, count, to[part]));
      GE_TRY (
          s->place.ops->upload (s->place.ctx, *to[part], raw,
                                (size_t) (count * (1 + is_complex)) * size));
    }
  return GPUEIG_OK;
}

/* All pages of the set in X, or in one page each of the problem's array ALL.  */
static gpueig_status
scatter (page_set *s, const void *x, void *all)
{
  const gpueig_funm_problem *p = s->p;
  for (int64_t i = 0; x != all && i < s->count; i++)
    GE_TRY (ge_array_copy (&s->place, p->n * p->n, p->type,
                           page_at (s, all, s->list[i]), p->type,
                           page_at (s, x, i)));
  return GPUEIG_OK;
}

static gpueig_status
by_eigenvectors (page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t n = p->n, square = n * n;
  const int is_double = gpueig_is_double (p->type);
  gpueig_symmetric problem = { .type = p->type,
                               .n = n,
                               .pages = s->count,
                               .symmetric = 1,
                               .place = GPUEIG_DEVICE };
  gpueig_info part;
  gpueig_type type;
  ge_point *f;
  void *re, *im, *x = p->x;
  int any = 0;
  GE_TRY (gather (s, &problem.a));
  GE_TRY (ge_alloc (ctx, GE_HOST, s->count * n, gpueig_real_size (p->type),
                    &problem.lambda));
  GE_TRY (ge_array_scratch (&s->place, p->type, s->count * square, &problem.v));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->count * n, &f));
  GE_TRY (s->place.ops->wait (ctx));
  GE_TRY (gpueig_eig_symmetric (ctx, &problem, s->options, &part));
  ge_funm_take_info (s->info, &part);
  for (int64_t i = 0; i < s->count; i++)
    {
      const double *values = (const double *) problem.lambda + i * n;
      const float *singles = (const float *) problem.lambda + i * n;
      const double ends[]
          = { is_double ? values[0] : (double) singles[0],
              is_double ? values[n - 1] : (double) singles[n - 1] };
      const double tiny = (double) n * (is_double ? DBL_EPSILON : FLT_EPSILON)
                          * fmax (fabs (ends[0]), fabs (ends[1]));
      int state = 0, has = 0;
      for (int64_t j = 0; j < n; j++)
        {
          f[i * n + j] = ge_funm_value (
              p, is_double ? values[j] : (double) singles[j], tiny, &state);
          has |= cimag (f[i * n + j]) != 0;
        }
      s->has_im[s->list[i]] = has && ! gpueig_is_complex (p->type);
      if (p->state)
        p->state[s->list[i]] = (unsigned char) state;
      any |= has;
    }
  GE_TRY (upload_values (s, f, any, &type, &re, &im));
  if (im && ! p->x_im)
    return need_imaginary (ctx);
  if (s->count < p->pages)
    GE_TRY (ge_array_scratch (&s->place, p->type, s->count * square, &x));
  GE_TRY (compose (&s->place, p->type, n, s->count, problem.v, type, re, x));
  if (! any || im)
    GE_TRY (ge_array_make_hermitian (&s->place, p->type, n, s->count, x));
  GE_TRY (scatter (s, x, p->x));
  if (! im)
    return GPUEIG_OK;
  x = s->count < p->pages ? x : p->x_im;
  GE_TRY (compose (&s->place, p->type, n, s->count, problem.v, type, im, x));
  GE_TRY (ge_array_make_hermitian (&s->place, p->type, n, s->count, x));
  return scatter (s, x, p->x_im);
}

/* --- Schur forms --- */

/* *G: the unitary matrix of base type WIDE, with blocks of order 2, for which G' T G is upper
   triangular, and VALUES its diagonal; NULL if T, in Schur form, is.  Its transformations
   are those of form_typed.c.  *NEGATIVE: T has real negative eigenvalues.  */
static gpueig_status
find_blocks (page_set *s, void *t, gpueig_type wide, void **g, ge_point *values,
             int *negative)
{
  const gpueig_type type = s->p->type;
  const int64_t n = s->p->n;
  const gpueig_shape shape = { .type = wide, .n_dims = 2, .dims = { n, n } };
  ge_place *place = &s->place;
  ge_point *below, *above, *line, *raw;
  void *there;
  int blocks = 0;
  *g = NULL;
  *negative = 0;
  GE_TRY (GE_ALLOC (place->ctx, GE_HOST, 4 * n, &below));
  GE_TRY (ge_array_scratch (place, wide, n, &there));
  above = below + n;
  line = above + n;
  raw = line + n;
  GE_TRY (ge_move_line (place, type, n, t, 0, values, 0, raw, there));
  for (int64_t k = 0; k < n; k++)
    below[k] = above[k] = 0;
  if (n > 1 && ! gpueig_is_complex (type))
    {
      GE_TRY (ge_move_line (place, type, n, t, -1, below, 0, raw, there));
      GE_TRY (ge_move_line (place, type, n, t, 1, above, 0, raw, there));
    }
  for (int64_t k = 0; k < n; k++)
    {
      line[k] = 1;
      if (below[k] == 0)
        {
          *negative |= cimag (values[k]) == 0 && creal (values[k]) < 0;
          above[k] = 0;
          continue;
        }
      const double b = creal (above[k]),
                   w = sqrt (fabs (b)) * sqrt (fabs (creal (below[k]))),
                   r = hypot (b, w);
      blocks = 1;
      line[k] = line[k + 1] = b / r;
      above[k] = below[k] = ge_point_of (0, w / r);
      above[k + 1] = below[k + 1] = 0;
      values[k] = ge_point_of (creal (values[k]), w);
      values[k + 1] = conj (values[k]);
      k++;
    }
  if (! blocks)
    return GPUEIG_OK;
  GE_TRY (ge_array_scratch (place, wide, n * n, g));
  GE_TRY (ge_array_clear (place, &shape, *g));
  GE_TRY (ge_move_line (place, wide, n, *g, 0, line, 1, raw, there));
  GE_TRY (ge_move_line (place, wide, n, *g, 1, above, 1, raw, there));
  return ge_move_line (place, wide, n, *g, -1, below, 1, raw, there);
}

/* T = G' T G or, with BACK, G T G'; WORK: n-by-n.  */
static gpueig_status
turn (ge_place *place, gpueig_type type, int64_t n, const void *g, int back,
      void *t, void *work)
{
  GE_TRY (multiply (place, type, back ? "NC" : "NN", n, n, n, 1, t, g, work));
  return multiply (place, type, back ? "NN" : "CN", n, n, n, 1, g, work, t);
}

/* F = f (T) of a page in Schur form, in the type WIDE of F.  */
static gpueig_status
of_form (page_set *s, void *t, gpueig_type wide, void *f, int *negative,
         int *roots, int *state)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n;
  const gpueig_shape shape = { .type = wide, .n_dims = 2, .dims = { n, n } };
  ge_place *place = &s->place;
  ge_point *values;
  void *g, *work;
  GE_TRY (GE_ALLOC (place->ctx, GE_HOST, 2 * n, &values));
  GE_TRY (ge_array_scratch (place, wide, n * n, &work));
  GE_TRY (ge_array_copy (place, n * n, wide, f, p->type, t));
  GE_TRY (find_blocks (s, t, wide, &g, values, negative));
  if (g)
    {
      GE_TRY (turn (place, wide, n, g, 0, f, work));
      ge_map upper = ge_map_over (GE_MAP_COPY, &shape);
      upper.banded = 1;
      upper.upper = n;
      upper.x = upper.to = ge_view_of (&shape, f);
      GE_TRY (ge_array_map (place, &upper));
      GE_TRY (ge_move_line (place, wide, n, f, 0, values, 1, values + n, work));
    }
  GE_TRY (ge_triangular_on_gpu (place, p->kind, ge_power (p), wide, n, f, roots,
                                state));
  return g ? turn (place, wide, n, g, 1, f, work) : GPUEIG_OK;
}

/* X = U F U', or F if U is NULL.  */
static gpueig_status
transform (page_set *s, const void *u, const void *f, void *work, void *x)
{
  const int64_t n = s->p->n;
  const gpueig_type type = s->p->type;
  if (! u)
    return ge_array_copy (&s->place, n * n, type, x, type, f);
  GE_TRY (multiply (&s->place, type, "NN", n, n, n, 1, u, f, work));
  return multiply (&s->place, type, "NC", n, n, n, 1, work, u, x);
}

/* Page PAGE from its Schur form T, U.  */
static gpueig_status
finish_form (page_set *s, int64_t page, void *t, const void *u)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n, square = n * n;
  ge_place *place = &s->place;
  void *f, *part, *work;
  int negative, roots, state;
  /* A real form without blocks and negative eigenvalues would do with real numbers.  */
  const gpueig_type wide = ge_make_complex (p->type);
  GE_TRY (ge_array_scratch (place, wide, square, &f));
  GE_TRY (of_form (s, t, wide, f, &negative, &roots, &state));
  if (wide == p->type)
    {
      GE_TRY (ge_array_scratch (place, wide, square, &work));
      GE_TRY (transform (s, u, f, work, page_at (s, p->x, page)));
    }
  else
    {
      GE_TRY (ge_array_scratch (place, p->type, square, &part));
      GE_TRY (ge_array_scratch (place, p->type, square, &work));
      const gpueig_shape shape
          = { .type = wide, .n_dims = 2, .dims = { n, n } };
      const gpueig_shape real
          = { .type = p->type, .n_dims = 2, .dims = { n, n } };
      ge_map m = ge_map_over (GE_MAP_REAL, &shape);
      m.x = ge_view_of (&shape, f);
      m.to = ge_view_of (&real, part);
      GE_TRY (ge_array_map (place, &m));
      GE_TRY (transform (s, u, part, work, page_at (s, p->x, page)));
      if (negative && ! p->x_im)
        return need_imaginary (place->ctx);
      if (negative)
        {
          m.op = GE_MAP_IMAG;
          GE_TRY (ge_array_map (place, &m));
          GE_TRY (transform (s, u, part, work, page_at (s, p->x_im, page)));
        }
      s->has_im[page] = negative != 0;
    }
  if (p->roots)
    p->roots[page] = roots;
  if (p->state)
    p->state[page]
        = (unsigned char) (state | (negative ? GPUEIG_FUNM_NEGATIVE : 0));
  return GPUEIG_OK;
}

static gpueig_status
by_schur_form (page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t n = p->n, square = n * n;
  gpueig_schur_problem problem
      = { .type = p->type, .n = n, .pages = s->count, .place = GPUEIG_DEVICE };
  gpueig_info part;
  int upper = 1;
  GE_TRY (gather (s, &problem.a));
  for (int64_t i = 0; i < s->count && upper; i++)
    GE_TRY (ge_array_is_banded (&s->place, p->type, n,
                                page_at (s, problem.a, i), 0, n, &upper));
  if (! upper)
    {
      GE_TRY (
          ge_array_scratch (&s->place, p->type, s->count * square, &problem.s));
      GE_TRY (
          ge_array_scratch (&s->place, p->type, s->count * square, &problem.u));
      GE_TRY (s->place.ops->wait (ctx));
      GE_TRY (gpueig_schur (ctx, &problem, s->options, &part));
      ge_funm_take_info (s->info, &part);
    }
  const void *form = upper ? problem.a : problem.s;
  for (int64_t i = 0; i < s->count; i++)
    {
      const int mark = ge_mark (ctx);
      GE_TRY (finish_form (s, s->list[i], page_at (s, form, i),
                           page_at (s, problem.u, i)));
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}

/* --- products, residuals --- */

/* Positive integer powers, of many pages at once.  */
static gpueig_status
powers (page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n, most = 1 + ((int64_t) 1 << 24) / square;
  for (int64_t i = 0; i < p->pages; i += most)
    {
      const int mark = ge_mark (s->place.ctx);
      GE_TRY (ge_powers_on_gpu (&s->place, p,
                                p->pages - i < most ? p->pages - i : most,
                                page_at (s, p->a, i), page_at (s, p->x, i)));
      ge_release (s->place.ctx, mark);
    }
  if (p->state)
    memset (p->state, 0, (size_t) p->pages);
  return GPUEIG_OK;
}

static gpueig_status
by_products (page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t square = p->n * p->n;
  if (p->kind == GPUEIG_MPOWER && p->power > 0)
    return powers (s);
  for (int64_t i = 0; i < s->count; i++)
    {
      const int64_t page = s->list[i];
      const int mark = ge_mark (ctx);
      double rcond;
      void *a;
      GE_TRY (ge_array_scratch (&s->place, p->type, square, &a));
      GE_TRY (ge_array_copy (&s->place, square, p->type, a, p->type,
                             page_at (s, p->a, page)));
      GE_TRY (
          ge_calc_on_gpu (&s->place, p, a, page_at (s, p->x, page), &rcond));
      if (p->rcond)
        p->rcond[page] = rcond;
      if (p->state)
        p->state[page] = rcond == 0 ? GPUEIG_FUNM_SINGULAR : 0;
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}

/* |X X - A| / |A| of a page, with the imaginary part Y of X if that is not NULL.  */
static gpueig_status
residual (page_set *s, int64_t page, const void *y, double *value)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t n = p->n, square = n * n;
  const gpueig_type type = p->type;
  const void *x = page_at (s, p->x, page), *a = page_at (s, p->a, page);
  ge_place *place = &s->place;
  const int mark = ge_mark (place->ctx);
  void *e, *w;
  double size, more = 0;
  GE_TRY (ge_array_scratch (place, type, square, &e));
  GE_TRY (ge_array_scratch (place, type, square, &w));
  if (y)
    {
      GE_TRY (multiply (place, type, "NN", n, n, n, 1, x, y, e));
      GE_TRY (multiply (place, type, "NN", n, n, n, 1, y, x, w));
      GE_TRY (map (place, GE_MAP_PLUS, type, n, e, w, e));
      GE_TRY (ge_array_frobenius (place, type, square, e, &more));
      GE_TRY (multiply (place, type, "NN", n, n, n, 1, y, y, w));
      GE_TRY (map (place, GE_MAP_PLUS, type, n, a, w, w));
      a = w;
    }
  GE_TRY (multiply (place, type, "NN", n, n, n, 1, x, x, e));
  GE_TRY (map (place, GE_MAP_MINUS, type, n, e, a, e));
  GE_TRY (ge_array_frobenius (place, type, square, e, value));
  GE_TRY (
      ge_array_frobenius (place, type, square, page_at (s, p->a, page), &size));
  *value = hypot (*value, more) / size;
  ge_release (place->ctx, mark);
  return GPUEIG_OK;
}

/* --- both functions --- */

/* Imaginary parts of pages without, where others have some; residuals.  */
static gpueig_status
finish (page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  const gpueig_shape shape
      = { .type = p->type, .n_dims = 2, .dims = { p->n, p->n } };
  int any = 0;
  for (int64_t i = 0; i < p->pages; i++)
    any |= s->has_im[i];
  for (int64_t i = 0; i < p->pages; i++)
    {
      if (any && ! s->has_im[i])
        GE_TRY (ge_array_clear (&s->place, &shape, page_at (s, p->x_im, i)));
      if (p->residual && p->kind == GPUEIG_SQRTM)
        GE_TRY (residual (s, i, s->has_im[i] ? page_at (s, p->x_im, i) : NULL,
                          &p->residual[i]));
    }
  return s->place.ops->wait (s->place.ctx);
}

gpueig_status
ge_funm_on_gpu (gpueig_context *ctx, const gpueig_funm_problem *p,
                const gpueig_options *options, gpueig_info *info,
                const unsigned char *hermitian, int products,
                unsigned char *has_im)
{
  page_set s = { .p = p,
                 .options = options,
                 .info = info,
                 .has_im = has_im,
                 .place = ge_selected_place (ctx) };
  int64_t *list;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &list));
  s.list = list;
  for (int which = 1; which >= 0; which--)
    {
      s.count = 0;
      for (int64_t i = 0; i < p->pages; i++)
        if (hermitian[i] == which)
          list[s.count++] = i;
      const int mark = ge_mark (ctx);
      if (s.count > 0)
        GE_TRY (which      ? by_eigenvectors (&s)
                : products ? by_products (&s)
                           : by_schur_form (&s));
      ge_release (ctx, mark);
    }
  return finish (&s);
}

gpueig_status
ge_polar_on_gpu (gpueig_context *ctx, const gpueig_polar_problem *p,
                 const gpueig_options *options, gpueig_info *info)
{
  ge_place place = ge_selected_place (ctx);
  gpueig_svd_problem svd = { .type = p->type,
                             .m = p->m,
                             .n = p->n,
                             .pages = p->pages,
                             .a = p->a,
                             .place = GPUEIG_DEVICE };
  const int64_t n = p->n, count = p->m * n * p->pages;
  const gpueig_type real = ge_make_real (p->type);
  GE_TRY (ge_array_scratch (&place, real, n * p->pages, &svd.s));
  GE_TRY (ge_array_scratch (&place, p->type, count, &svd.u));
  GE_TRY (ge_array_scratch (&place, p->type, n * n * p->pages, &svd.v));
  GE_TRY (gpueig_svd (ctx, &svd, options, info));
  GE_TRY (multiply (&place, p->type, "NC", p->m, n, n, p->pages, svd.u, svd.v,
                    p->u));
  if (p->h)
    {
      GE_TRY (compose (&place, p->type, n, p->pages, svd.v, real, svd.s, p->h));
      GE_TRY (ge_array_make_hermitian (&place, p->type, n, p->pages, p->h));
    }
  return place.ops->wait (ctx);
}
