/* Refinement of all eigenpairs of a definite pair by Newton's method, see pair_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "jacobi/pair_typed.h"

#if GE_DOUBLE

#  include <string.h>

enum
{
  MOST_STEPS = 20
};

typedef struct
{
  const pair *q;
  scalar_t *ax, *bx, *s, *t, *e;  /* A X, B X, X'AX, X'BX, E */
  real_t norm_a, norm_b, *length; /* 1-norms; 2-norms of the columns of X */
  int64_t *label, *list;
} newton;

static real_t
norm_one (int64_t n, const scalar_t *m)
{
  real_t norm = 0;
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += abs_ (m[i + n * j]);
      norm = larger_ (norm, sum);
    }
  return norm;
}

static gpueig_status
form_products (gpueig_context *ctx, newton *w)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  GE_TRY (FN (ge_square_product) (ctx, n, "N", q->a, q->x, 0, w->ax));
  GE_TRY (FN (ge_square_product) (ctx, n, "N", q->b, q->x, 0, w->bx));
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += abs2_ (q->x[i + n * j]);
      w->length[j] = sqrt_ (sum);
    }
  return GPUEIG_OK;
}

/* The largest columnwise backward error, in units of n eps.  */
static real_t
backward_error (const newton *w)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  real_t worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      real_t r = 0, x = 0;
      for (int64_t i = j * n; i < (j + 1) * n; i++)
        {
          r += abs_ (w->ax[i] - q->lambda[j] * w->bx[i]);
          x += abs_ (q->x[i]);
        }
      if (r != 0)
        r /= (w->norm_a + fabs_ (q->lambda[j]) * w->norm_b) * x;
      worst = larger_ (worst, r);
    }
  return worst / ((real_t) n * GE_EPS);
}

static gpueig_status
form_small (gpueig_context *ctx, newton *w)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  GE_TRY (FN (ge_square_product) (ctx, n, "C", q->x, w->ax, 0, w->s));
  GE_TRY (FN (ge_square_product) (ctx, n, "C", q->x, w->bx, 0, w->t));
  pair_make_hermitian (n, w->s);
  pair_make_hermitian (n, w->t);
  return GPUEIG_OK;
}

/* S_ij, and a bound of its rounding errors.  */
static scalar_t
off_element (const newton *w, int64_t i, int64_t j, real_t *noise)
{
  const pair *q = w->q;
  const int64_t at = i + q->n * j;
  *noise = 4 * GE_EPS * (w->norm_a + fabs_ (q->lambda[j]) * w->norm_b)
           * w->length[i] * w->length[j];
  return w->s[at] - w->t[at] * q->lambda[j];
}

/* LABEL: the same for eigenvalues of a cluster, which Newton's method does not
   separate; nonzero if there is a cluster.  */
static int
find_clusters (newton *w)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  int any = 0;
  for (int64_t j = 0; j < n; j++)
    w->label[j] = j;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        real_t noise;
        const real_t size = abs_ (off_element (w, i, j, &noise));
        const real_t gap = fabs_ (q->lambda[j] - q->lambda[i]);
        const int64_t a = w->label[i], b = w->label[j];
        if (a == b || size <= noise || size <= (real_t) 0.05 * gap)
          continue;
        any = 1;
        for (int64_t k = 0; k < n; k++)
          if (w->label[k] == (a > b ? a : b))
            w->label[k] = a < b ? a : b;
      }
  return any;
}

/* Solve the pair (X'AX, X'BX) of the M columns LIST and replace these by its
   eigenvectors.  */
static gpueig_status
solve_cluster (gpueig_context *ctx, newton *w, int64_t m)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  const int mark = ge_mark (ctx);
  const ge_jacobi_control control
      = { .tol = (double) GE_EPS, .max_sweeps = 50, .high = 1 };
  const lapack_int order = (lapack_int) m;
  const scalar_t one = 1;
  scalar_t *c, *y, *x;
  real_t *values;
  pair_factor f;
  int definite;
  gpueig_info info = { .sweeps = 0 };
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m * m, &c));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m * m, &y));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * m, &x));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, m, &values));
  for (int64_t j = 0; j < m; j++)
    for (int64_t i = 0; i < m; i++)
      c[i + m * j] = w->t[w->list[i] + n * w->list[j]];
  GE_TRY (pair_decompose (ctx, m, c, &f, &definite));
  if (definite)
    {
      for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
          y[i + m * j] = w->s[w->list[f.p[i] - 1] + n * w->list[f.p[j] - 1]];
      pair_solve (m, "N", &f, y);
      pair_adjoint (m, y, c);
      pair_solve (m, "N", &f, c);
      pair_make_hermitian (m, c);
      GE_TRY (FN (ge_jacobi_page) (ctx, GE_JACOBI_CYCLIC, m, c, NULL, values, y,
                                   &control, &info));
      trsm_ ("L", "L", "C", "N", &order, &order, &one, f.l, &order, y, &order,
             1, 1, 1, 1);
      for (int64_t j = 0; j < m; j++)
        {
          memset (x + n * j, 0, (size_t) n * sizeof *x);
          for (int64_t k = 0; k < m; k++)
            for (int64_t i = 0; i < n; i++)
              x[i + n * j] += q->x[i + n * w->list[f.p[k] - 1]] * y[k + m * j];
        }
      for (int64_t j = 0; j < m; j++)
        {
          q->lambda[w->list[j]] = values[j];
          memcpy (q->x + n * w->list[j], x + n * j, (size_t) n * sizeof *x);
        }
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

static gpueig_status
solve_clusters (gpueig_context *ctx, newton *w)
{
  const int64_t n = w->q->n;
  for (int64_t first = 0; first < n; first++)
    {
      int64_t m = 0;
      for (int64_t j = first; j < n && w->label[first] == first; j++)
        if (w->label[j] == first)
          w->list[m++] = j;
      if (m > 1)
        GE_TRY (solve_cluster (ctx, w, m));
    }
  GE_TRY (form_products (ctx, w));
  return form_small (ctx, w);
}

/* E, and, unless FIXED, the next eigenvalues, the quotients of the diagonals.  */
static void
find_step (newton *w, int fixed)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        real_t noise;
        const scalar_t x = off_element (w, i, j, &noise);
        const real_t gap = q->lambda[j] - q->lambda[i], size = abs_ (x);
        const scalar_t r = (real_t) (i == j) - w->t[i + n * j];
        const real_t limit
            = (real_t) (size <= noise ? 1e-3 : 0.1) * fabs_ (gap);
        w->e[i + n * j]
            = i == j || size > limit || gap == 0 ? r / (real_t) 2 : x / gap;
      }
  for (int64_t j = 0; j < n && ! fixed; j++)
    q->lambda[j] = re_ (w->s[j + n * j]) / re_ (w->t[j + n * j]);
}

/* |X'BX - I|_1 in units of n eps |B| max |x|^2, the last two of which are at most the
   condition of B.  */
static real_t
orthogonality (const newton *w)
{
  const int64_t n = w->q->n;
  real_t worst = 0, longest = 0;
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += abs_ (w->t[i + n * j] - (real_t) (i == j));
      worst = larger_ (worst, sum);
      longest = fmax_ (longest, w->length[j]);
    }
  return worst / ((real_t) n * GE_EPS * w->norm_b * longest * longest);
}

gpueig_status
pair_refine (gpueig_context *ctx, const pair *q, int fixed)
{
  const int64_t n = q->n;
  const size_t bytes = (size_t) (n * n) * sizeof (scalar_t);
  newton w = { .q = q };
  scalar_t *best;
  real_t *values, least = INFINITY;
  int worse = 0; /* steps that did not help; the next may */
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &w.ax));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &w.bx));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &w.s));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &w.t));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &w.e));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &best));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.length));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.label));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.list));
  w.norm_a = norm_one (n, q->a);
  w.norm_b = norm_one (n, q->b);
  for (int step = 0; step < MOST_STEPS; step++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (form_products (ctx, &w));
      GE_TRY (form_small (ctx, &w));
      const real_t error = larger_ (backward_error (&w), orthogonality (&w));
      ge_info_off (q->info, (double) error);
      ge_report (ctx, "newton %3d  error %.2e n eps", step, (double) error);
      if (step == 0 || error < least)
        {
          least = error;
          memcpy (best, q->x, bytes);
          memcpy (values, q->lambda, (size_t) n * sizeof *values);
        }
      else if (++worse > 4)
        break;
      if (fixed ? error < 1 : step > 0 && error < (real_t) 0.1)
        break;
      if (! fixed && find_clusters (&w))
        GE_TRY (solve_clusters (ctx, &w));
      find_step (&w, fixed);
      /* X <- X + (X E) + (X E) E / 2 */
      GE_TRY (FN (ge_square_product) (ctx, n, "N", q->x, w.e, 0, w.ax));
      GE_TRY (FN (ge_square_product) (ctx, n, "N", w.ax, w.e, 0, w.bx));
      for (int64_t i = 0; i < n * n; i++)
        q->x[i] += w.ax[i] + w.bx[i] / (real_t) 2;
    }
  memcpy (q->x, best, bytes);
  memcpy (q->lambda, values, (size_t) n * sizeof *values);
  return GPUEIG_OK;
}

#else
typedef int ge_newton_is_double_only;
#endif
