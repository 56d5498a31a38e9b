/* Refinement of all eigenpairs of a definite pair by Newton's method, see high_pair_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/high_pair_typed.h"
#include "run/solvers.h"

#if GE_DOUBLE

#  include <string.h>

enum
{
  MOST_STEPS = 20
};

typedef struct
{
  const pair *q;
  scalar_t *ax, *bx, *s, *t, *e;  /* A X, B X, S, X'BX, E */
  scalar_t *r;                    /* A X - B X diag (lambda) */
  scalar_t *m[2], *x[2];          /* leading digits, the rest */
  real_t norm_a, norm_b, *length; /* 1-norms; 2-norms of the columns of X */
  real_t *unit;                   /* of x(:,j): sqrt (|x(:,j)|' |B| |x(:,j)|) */
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

/* --- residuals ---

   Products with errors of eps^1.5 or so: of the leading digits of both factors, which
   the sums of n products hold exactly, and of the rest (T. Ogita, S. M. Rump, S. Oishi,
   SIAM J. Sci. Comput. 26 (2005) 1955; K. Ozaki et al., Numer. Algorithms 59 (2012)
   95).  */

enum
{
  LEAST = -1000 /* exponent of the smallest unit of leading digits */
};

static real_t
leading (real_t x, real_t unit)
{
  return (real_t) nearbyint (x / unit) * unit;
}

/* FROM = TO[0] + TO[1], with the leading digits of each row or column relative to its
   largest element.  */
static void
split (int64_t n, int by_rows, const scalar_t *from, scalar_t *const to[2])
{
  int log_n = 0, e;
  while (((int64_t) 1 << log_n) < 2 * n)
    log_n++;
  const int digits = (52 - log_n) / 2;
  for (int64_t k = 0; k < n; k++)
    {
      const int64_t first = by_rows ? k : k * n, step = by_rows ? n : 1;
      real_t most = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const scalar_t x = from[first + i * step];
          most = fmax_ (most, part_ (x));
        }
      (void) frexp (most, &e);
      const real_t unit = ldexp (1, e - digits > LEAST ? e - digits : LEAST);
      for (int64_t i = 0; i < n; i++)
        {
          const int64_t at = first + i * step;
          const scalar_t x = from[at];
          const scalar_t high
              = make_ (leading (re_ (x), unit), leading (im_ (x), unit));
          to[0][at] = high;
          to[1][at] = x - high;
        }
    }
}

/* HIGH + LOW = M X.  */
static gpueig_status
wide_product (gpueig_context *ctx, newton *w, const scalar_t *m, scalar_t *high,
              scalar_t *low)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  split (n, 1, m, w->m);
  GE_TRY (FN (ge_square_product) (ctx, n, "N", w->m[0], w->x[0], 0, high));
  GE_TRY (FN (ge_square_product) (ctx, n, "N", w->m[0], w->x[1], 0, low));
  return FN (ge_square_product) (ctx, n, "N", w->m[1], q->x, 1, low);
}

/* x - lambda y + LOW.  */
static real_t
difference (real_t x, real_t lambda, real_t y, real_t low)
{
  const real_t p = lambda * y, error = fma_ (lambda, y, -p);
  const real_t sum = x - p, z = sum - x;
  return sum + ((x - (sum - z)) - (p + z) - error + low);
}

/* A X, B X and the residuals.  */
static gpueig_status
form_products (gpueig_context *ctx, newton *w)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  split (n, 0, q->x, w->x);
  GE_TRY (wide_product (ctx, w, q->a, w->ax, w->r));
  GE_TRY (wide_product (ctx, w, q->b, w->bx, w->e));
  for (int64_t j = 0; j < n; j++)
    {
      const real_t lambda = q->lambda[j];
      real_t sum = 0;
      for (int64_t i = j * n; i < (j + 1) * n; i++)
        {
          const scalar_t low = w->r[i] - lambda * w->e[i];
          w->r[i] = make_ (
              difference (re_ (w->ax[i]), lambda, re_ (w->bx[i]), re_ (low)),
              difference (im_ (w->ax[i]), lambda, im_ (w->bx[i]), im_ (low)));
          w->bx[i] += w->e[i];
          sum += abs2_ (q->x[i]);
        }
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
          r += abs_ (w->r[i]);
          x += abs_ (q->x[i]);
        }
      if (r != 0)
        r /= (w->norm_a + fabs_ (q->lambda[j]) * w->norm_b) * x;
      worst = larger_ (worst, r);
    }
  return worst / ((real_t) n * GE_EPS);
}

/* X'BX, and S from the residuals, since errors of X'AX and X'BX diag (lambda) would be
   multiplied by |B x| |x|.  */
static gpueig_status
form_small (gpueig_context *ctx, newton *w)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  GE_TRY (FN (ge_square_product) (ctx, n, "C", q->x, w->r, 0, w->s));
  GE_TRY (FN (ge_square_product) (ctx, n, "C", q->x, w->bx, 0, w->t));
  pair_make_hermitian (n, w->t);
  return GPUEIG_OK;
}

/* A bound of the errors of S_ij, which are those of the residuals.  */
static real_t
noise_of (const newton *w, int64_t i, int64_t j)
{
  return (real_t) 4e-4 * GE_EPS
         * (w->norm_a + fabs_ (w->q->lambda[j]) * w->norm_b) * w->length[i]
         * w->length[j];
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
        const real_t size = abs_ (w->s[i + n * j]);
        const real_t gap = fabs_ (q->lambda[j] - q->lambda[i]);
        const int64_t a = w->label[i], b = w->label[j];
        if (a == b || size <= noise_of (w, i, j) || size <= (real_t) 0.05 * gap)
          continue;
        any = 1;
        for (int64_t k = 0; k < n; k++)
          if (w->label[k] == (a > b ? a : b))
            w->label[k] = a < b ? a : b;
      }
  return any;
}

/* Solve the pair (X'(A - MU B)X, X'BX), MU an eigenvalue, of the M columns LIST and
   replace these by its eigenvectors.  */
static gpueig_status
solve_cluster (gpueig_context *ctx, newton *w, int64_t m)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  const int mark = ge_mark (ctx);
  const real_t mu = q->lambda[w->list[0]];
  scalar_t *c, *y, *x;
  real_t *values;
  pair_factor f;
  int definite;
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
          {
            const int64_t column = w->list[f.p[j] - 1];
            const int64_t at = w->list[f.p[i] - 1] + n * column;
            y[i + m * j] = w->s[at] + w->t[at] * (q->lambda[column] - mu);
          }
      pair_make_hermitian (m, y);
      solve_lower_ ("N", m, m, f.l, y);
      FN (ge_adjoint) (m, m, y, m, c);
      solve_lower_ ("N", m, m, f.l, c);
      pair_make_hermitian (m, c);
      const gpueig_symmetric s = { .type = (gpueig_type) GE_SCALAR,
                                   .n = m,
                                   .pages = 1,
                                   .a = c,
                                   .lambda = values,
                                   .v = y };
      GE_TRY (ge_run_part (ctx, GE_EIG_SYMMETRIC, GE_METHOD_EIG_SYEVD, 0, &s,
                           NULL, NULL));
      solve_lower_ ("C", m, m, f.l, y);
      for (int64_t j = 0; j < m; j++)
        {
          memset (x + n * j, 0, (size_t) n * sizeof *x);
          for (int64_t k = 0; k < m; k++)
            for (int64_t i = 0; i < n; i++)
              x[i + n * j] += q->x[i + n * w->list[f.p[k] - 1]] * y[k + m * j];
        }
      for (int64_t j = 0; j < m; j++)
        {
          q->lambda[w->list[j]] = mu + values[j];
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

/* E_ij for i != j.  Of close eigenvalues the noise of S_ij, divided by their gap, is not
   small against the errors that X'BX may have: there S gives the rotation of the two columns
   alone, and R the rest, E_ij + conj (E_ji) = R_ij.  */
static scalar_t
step_of (const newton *w, int64_t i, int64_t j)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  const real_t least = fmin_ (fabs_ (q->lambda[i]), fabs_ (q->lambda[j]));
  const real_t gap = q->lambda[j] - q->lambda[i];
  const int close = fabs_ (gap) * w->norm_b
                    <= (real_t) 0.1 * (w->norm_a + least * w->norm_b);
  const scalar_t half_r = -w->t[i + n * j] / (real_t) 2;
  scalar_t x = w->s[i + n * j];
  if (close)
    x = (x + conj_ (w->s[j + n * i])) / (real_t) 2;
  const real_t noise = larger_ (noise_of (w, i, j), noise_of (w, j, i));
  const real_t limit = (real_t) (abs_ (x) <= noise ? 1e-3 : 0.1) * fabs_ (gap);
  if (gap == 0 || abs_ (x) > limit)
    return half_r;
  return close ? half_r + x / gap : x / gap;
}

/* E, and, unless FIXED, the next eigenvalues, Rayleigh's quotients.  */
static void
find_step (newton *w, int fixed)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      w->e[i + n * j]
          = i == j ? (1 - w->t[i + n * j]) / (real_t) 2 : step_of (w, i, j);
  for (int64_t j = 0; j < n && ! fixed; j++)
    q->lambda[j] += re_ (w->s[j + n * j]) / re_ (w->t[j + n * j]);
}

/* UNIT[j]: the root of |x|' |B| |x| of column j, in which rounding errors of x'Bx are
   eps; absolute values of real and imaginary parts.  */
static void
find_units (newton *w)
{
  const pair *q = w->q;
  const int64_t n = q->n;
  for (int64_t j = 0; j < n; j++)
    {
      const scalar_t *x = q->x + n * j;
      real_t sum = 0;
      for (int64_t k = 0; k < n; k++)
        {
          real_t part = 0;
          for (int64_t i = 0; i < n; i++)
            part += abs1_ (q->b[i + n * k]) * abs1_ (x[i]);
          sum += part * abs1_ (x[k]);
        }
      w->unit[j] = sqrt_ (sum);
    }
}

/* |X'BX - I|_1 in units of n eps and find_units.  */
static real_t
orthogonality (const newton *w)
{
  const int64_t n = w->q->n;
  real_t worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += abs_ (w->t[i + n * j] - (real_t) (i == j)) / w->unit[i];
      worst = larger_ (worst, sum / w->unit[j]);
    }
  return worst / ((real_t) n * GE_EPS);
}

gpueig_status
pair_refine (gpueig_context *ctx, pair *q, int fixed, real_t enough)
{
  const int64_t n = q->n;
  const size_t bytes = (size_t) (n * n) * sizeof (scalar_t);
  newton w = { .q = q };
  const int mark = ge_mark (ctx);
  scalar_t *best,
      **const matrices[] = { &w.ax,   &w.bx,   &w.s,    &w.t,    &w.e, &w.r,
                             &w.m[0], &w.x[0], &w.m[1], &w.x[1], &best };
  real_t *values, least = INFINITY;
  int worse = 0; /* steps that did not help; the next may */
  for (int k = 0; k < 11; k++)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, matrices[k]));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.length));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.unit));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.label));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.list));
  w.norm_a = norm_one (n, q->a);
  w.norm_b = norm_one (n, q->b);
  find_units (&w);
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
      if (error < enough && (step > 0 || enough >= 1))
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
  q->error = least;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#else
typedef int ge_newton_is_double_only;
#endif
