/* How a problem is divided among several GPUs, see shares.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "devices/shares.h"

#include <math.h>
#include <string.h>

enum
{
  /* Minimum elements of a share (of a stack; of a result): a GPU solves fewer in less
     time than starting its thread takes.  */
  PAGE_ELEMENTS = 50000,
  RESULT_ELEMENTS = 1000000,
  /* Pages of smaller order are solved in batches.  */
  LARGE_PAGE = 384,
  FEW_PAGES = 8,
  FEW_COLUMNS = 64,
  FEW_VALUES = 256
};

/* --- pages and columns --- */

static int64_t
larger (int64_t x, int64_t y)
{
  return x > y ? x : y;
}

static int64_t
least_pages (int64_t n)
{
  return n >= LARGE_PAGE ? 1 : larger (FEW_PAGES, PAGE_ELEMENTS / (n * n));
}

void
ge_describe (ge_solver_id id, const void *problem, gpueig_type *type,
             int64_t *n, int64_t *pages)
{
#define DESCRIBE(p, its_pages)                                                 \
  (*type = (p)->type, *n = (p)->n, *pages = (its_pages))
  const gpueig_symmetric *symmetric = problem;
  const ge_general_problem *general = problem;
  const ge_schur_problem *schur = problem;
  const gpueig_mrrr_problem *mrrr = problem;
  const gpueig_tdinv_problem *tdinv = problem;
  switch (id)
    {
    case GE_EIG_GENERAL:
    case GE_COMPLEX_EIG:
      DESCRIBE (&general->general, general->general.pages);
      break;
    case GE_SCHUR:
      DESCRIBE (&schur->schur, schur->schur.pages);
      break;
    case GE_MRRR:
      DESCRIBE (mrrr, mrrr->pages);
      break;
    case GE_TDINV:
      DESCRIBE (tdinv, 1);
      break;
    default:
      DESCRIBE (symmetric, symmetric->pages);
    }
#undef DESCRIBE
}

/* Nonzero if PROBLEM is one tridiagonal matrix with all eigenvalues or an index range
   selected, whose spectrum can be divided.  */
static int
has_spectrum (const gpueig_mrrr_problem *p, const gpueig_options *options)
{
  return p->pages == 1 && ! p->a && p->select != GPUEIG_SELECT_INTERVAL
         && (strcmp (options->method, "auto") == 0
             || strcmp (options->method, "mrrr") == 0);
}

static int64_t
columns_of (const gpueig_mrrr_problem *p)
{
  return p->select == GPUEIG_SELECT_INDEX ? p->last - p->first + 1 : p->n;
}

/* The number of units of PROBLEM; *LEAST is the minimum for a share.  */
static int64_t
count_units (ge_solver_id id, const void *problem,
             const gpueig_options *options, int64_t *least)
{
  *least = 1;
  switch (id)
    {
    case GE_EIG_GENERAL:
    case GE_COMPLEX_EIG:
      {
        const ge_general_problem *p = problem;
        *least = least_pages (p->general.n);
        return p->general.pages;
      }
    case GE_SCHUR:
      {
        const ge_schur_problem *p = problem;
        *least = least_pages (p->schur.n);
        return p->schur.pages;
      }
    case GE_MRRR:
      {
        /* Pages are solved one after the other.  */
        const gpueig_mrrr_problem *p = problem;
        if (! has_spectrum (p, options))
          return p->pages;
        *least = larger (FEW_VALUES, RESULT_ELEMENTS / p->n);
        return columns_of (p);
      }
    case GE_TDINV:
      {
        const gpueig_tdinv_problem *t
            = &((const ge_tdinv_problem *) problem)->given;
        *least = larger (FEW_COLUMNS, RESULT_ELEMENTS / t->n);
        return t->band < 0 ? ge_tdinv_columns (t) : 1;
      }
    case GE_JACOBI_EIG:
    case GE_ONESIDED_EIG:
    case GE_EIG_SYMMETRIC:
      {
        const gpueig_symmetric *s = problem;
        *least = least_pages (s->n);
        return s->pages;
      }
    default: /* not divided */
      return 1;
    }
}

/* --- cuts of a spectrum --- */

/* The matrix scaled by a power of two, its off-diagonal squared, and an interval that
   contains all eigenvalues.  */
typedef struct
{
  int64_t n;
  double *d, *square, low, high;
} scaled_matrix;

static double
element (const gpueig_mrrr_problem *p, const void *x, int64_t i)
{
  return gpueig_is_double (p->type) ? ((const double *) x)[i]
                                    : ((const float *) x)[i];
}

/* *SPLITS is set if an off-diagonal element is so small that the solver may neglect
   it, which splits the matrix.  */
static gpueig_status
scale_matrix (gpueig_context *ctx, const gpueig_mrrr_problem *p,
              scaled_matrix *t, int *splits)
{
  const int64_t n = t->n = p->n;
  const double eps = gpueig_is_double (p->type) ? 0x1p-52 : 0x1p-23;
  double largest = 0, before = 0;
  int exponent = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &t->d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &t->square));
  for (int64_t i = 0; i < n; i++)
    {
      largest = fmax (largest, fabs (element (p, p->d, i)));
      if (i + 1 < n)
        largest = fmax (largest, fabs (element (p, p->e, i)));
    }
  if (largest > 0)
    frexp (largest, &exponent);
  t->low = INFINITY;
  t->high = -INFINITY;
  *splits = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double e
          = i + 1 < n ? fabs (ldexp (element (p, p->e, i), -exponent)) : 0;
      t->d[i] = ldexp (element (p, p->d, i), -exponent);
      t->square[i] = e * e;
      t->low = fmin (t->low, t->d[i] - before - e);
      t->high = fmax (t->high, t->d[i] + before + e);
      /* Absolute row sums are at most 3.  */
      *splits |= i + 1 < n && ! (e > 4 * eps);
      before = e;
    }
  return GPUEIG_OK;
}

static int64_t
count_below (const scaled_matrix *t, double x)
{
  int64_t count = 0;
  double q = 1, square = 0;
  for (int64_t i = 0; i < t->n; i++)
    {
      q = (t->d[i] - x) - square / q;
      if (fabs (q) < 0x1p-500)
        q = -0x1p-500;
      count += q < 0;
      square = t->square[i];
    }
  return count;
}

/* Find a gap of the spectrum, of 2^-25 times its width, with K - SLACK .. K + SLACK
   eigenvalues below it; returns that number, or -1 if none is found.  No cluster
   contains eigenvalues on both sides of such a gap.  */
static int64_t
cut_near (const scaled_matrix *t, int64_t k, int64_t slack)
{
  const double half = (t->high - t->low) * 0x1p-26;
  double low = t->low, high = t->high;
  for (int step = 0; step < 40; step++)
    {
      const double x = low + (high - low) / 2;
      const int64_t count = count_below (t, x);
      if (count >= k - slack && count <= k + slack
          && count_below (t, x - half) == count
          && count_below (t, x + half) == count)
        return count;
      if (count < k)
        low = x;
      else
        high = x;
    }
  return -1;
}

/* Move the boundaries between shares to gaps of the spectrum; one share if there are
   none.  */
static gpueig_status
cut_spectrum (gpueig_context *ctx, const gpueig_mrrr_problem *p,
              ge_division *division)
{
  const int64_t before = p->select == GPUEIG_SELECT_INDEX ? p->first - 1 : 0;
  const int mark = ge_mark (ctx);
  scaled_matrix t;
  int splits;
  GE_TRY (scale_matrix (ctx, p, &t, &splits));
  int good = ! splits;
  for (int i = 1; good && i < division->shares; i++)
    {
      const int64_t slack = division->units / division->shares / 16;
      const int64_t cut
          = cut_near (&t, before + division->begin[i], slack) - before;
      good = cut > division->begin[i - 1] && cut < division->units;
      division->begin[i] = cut;
    }
  division->spectrum = good;
  if (! good)
    division->shares = 1;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- the division --- */

/* Set division->columns, the list of column indices of which shares are parts.  */
static gpueig_status
number_columns (gpueig_context *ctx, const gpueig_tdinv_problem *t,
                ge_division *division)
{
  int64_t *all;
  division->columns = t->columns;
  if (t->columns)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, t->n, &all));
  for (int64_t j = 0; j < t->n; j++)
    all[j] = j;
  division->columns = all;
  return GPUEIG_OK;
}

gpueig_status
ge_divide (gpueig_context *ctx, ge_solver_id id, const void *problem,
           const gpueig_options *options, int n, ge_division *division)
{
  int64_t least;
  *division = (ge_division){ 0 };
  division->units = count_units (id, problem, options, &least);
  const int64_t most = division->units / least;
  division->shares = most >= n ? n : most > 1 ? (int) most : 1;
  const int64_t each = division->units / division->shares;
  const int64_t more = division->units % division->shares;
  for (int i = 0; i <= division->shares; i++)
    division->begin[i] = each * i + (i < more ? i : more);
  if (division->shares == 1)
    return GPUEIG_OK;
  if (id == GE_TDINV)
    return number_columns (ctx, &((const ge_tdinv_problem *) problem)->given,
                           division);
  if (id == GE_MRRR && has_spectrum (problem, options))
    return cut_spectrum (ctx, problem, division);
  return GPUEIG_OK;
}

/* --- shares --- */

static gpueig_symmetric
share_symmetric (const gpueig_symmetric *s, int64_t first, int64_t pages)
{
  const size_t size = gpueig_scalar_size (s->type);
  const int64_t square = s->n * s->n;
  gpueig_symmetric share = *s;
  share.pages = pages;
  share.a = ge_page (s->a, first, square, size);
  share.b = ge_page (s->b, first, square, size);
  share.guess = ge_page (s->guess, first, square, size);
  share.lambda = ge_page (s->lambda, first, s->n, gpueig_real_size (s->type));
  share.v = ge_page (s->v, first, square, size);
  return share;
}

static ge_schur_problem
share_schur (const ge_schur_problem *p, int64_t first, int64_t pages)
{
  const int64_t square = p->schur.n * p->schur.n;
  const size_t size = gpueig_scalar_size (p->schur.type);
  ge_schur_problem share = *p;
  share.schur.pages = pages;
  share.schur.a = ge_page (p->schur.a, first, square, size);
  share.schur.s = ge_page (p->schur.s, first, square, size);
  share.schur.u = ge_page (p->schur.u, first, square, size);
  share.state = p->state + first;
  return share;
}

static ge_general_problem
share_general (const ge_general_problem *p, int64_t first, int64_t pages)
{
  const gpueig_general *g = &p->general;
  const size_t pair = 2 * gpueig_real_size (g->type);
  const int64_t square = g->n * g->n;
  ge_general_problem share = *p;
  share.general.pages = pages;
  share.general.a = ge_page (g->a, first, square, gpueig_scalar_size (g->type));
  share.general.lambda = ge_page (g->lambda, first, g->n, pair);
  share.general.v = ge_page (g->v, first, square, pair);
  share.general.w = ge_page (g->w, first, square, pair);
  share.state = p->state + first;
  return share;
}

static gpueig_mrrr_problem
share_pages (const gpueig_mrrr_problem *p, int64_t first, int64_t pages)
{
  const size_t size = gpueig_scalar_size (p->type);
  const size_t real = gpueig_real_size (p->type);
  const int64_t columns = columns_of (p);
  gpueig_mrrr_problem share = *p;
  share.pages = pages;
  share.a = ge_page (p->a, first, p->n * p->n, size);
  share.d = ge_page (p->d, first, p->n, real);
  share.e = ge_page (p->e, first, p->n - 1, real);
  share.found = p->found ? p->found + first : NULL;
  share.lambda = ge_page (p->lambda, first, columns, real);
  share.v = ge_page (p->v, first, p->n * columns, size);
  return share;
}

static gpueig_mrrr_problem
share_spectrum (const gpueig_mrrr_problem *p, int64_t first, int64_t count,
                gpueig_context *child)
{
  const size_t real = gpueig_real_size (p->type);
  gpueig_mrrr_problem share = *p;
  child->spectrum_first = p->select == GPUEIG_SELECT_INDEX ? p->first : 1;
  child->spectrum_last = child->spectrum_first + columns_of (p) - 1;
  share.select = GPUEIG_SELECT_INDEX;
  share.first = child->spectrum_first + first;
  share.last = share.first + count - 1;
  share.found = NULL;
  share.lambda = ge_page (p->lambda, first, 1, real);
  share.v = ge_page (p->v, first, p->n, real);
  return share;
}

/* Only the first share computes the reciprocal condition number.  */
static ge_tdinv_problem
share_columns (const ge_tdinv_problem *p, const int64_t *columns, int64_t first,
               int64_t count)
{
  const gpueig_tdinv_problem *t = &p->given;
  const size_t size
      = t->x_im ? gpueig_real_size (t->type) : gpueig_scalar_size (t->type);
  ge_tdinv_problem share = *p;
  share.given.columns = columns + first;
  share.given.n_columns = count;
  share.given.x = ge_page (t->x, first, t->n, size);
  share.given.x_im = ge_page (t->x_im, first, t->n, size);
  share.given.rcond = first == 0 ? t->rcond : NULL;
  share.scaled.columns = share.given.columns;
  share.scaled.n_columns = count;
  share.scaled.x = share.given.x;
  share.scaled.x_im = share.given.x_im;
  share.scaled.rcond = share.given.rcond;
  return share;
}

void
ge_take_share (ge_solver_id id, const void *problem,
               const ge_division *division, int i, gpueig_context *child,
               ge_share_problem *share)
{
  const int64_t first = division->begin[i];
  const int64_t count = division->begin[i + 1] - first;
  child->stack_pages = child->first_page = 0;
  child->spectrum_first = child->spectrum_last = 0;
  switch (id)
    {
    case GE_TDINV:
      share->tdinv = share_columns (problem, division->columns, first, count);
      return;
    case GE_MRRR:
      share->mrrr = division->spectrum
                        ? share_spectrum (problem, first, count, child)
                        : share_pages (problem, first, count);
      return;
    case GE_EIG_GENERAL:
    case GE_COMPLEX_EIG:
      share->general = share_general (problem, first, count);
      break;
    case GE_SCHUR:
      share->schur = share_schur (problem, first, count);
      break;
    default:
      share->symmetric = share_symmetric (problem, first, count);
    }
  child->stack_pages = division->units;
  child->first_page = first;
}
