/* One-sided Jacobi for one large matrix, through BLAS.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Preconditioned by eigenvectors Q in single precision, made orthonormal in
   working precision (Newton-Schulz), as N. J. Higham, F. Tisseur, M. Webb and
   Z. Zhou (SIMAX 46 (2025) 2423) do for the two-sided method, the columns of
   F = (A + shift) Q are orthogonal to about 1e-6.  Then all rotations of a sweep are small and commute up to second
   order, so they are applied at once: with G = F'F, x_ij = g_ij / (g_jj - g_ii),
   Q <- Q (I + X) made orthonormal again, which converges quadratically as the
   sweep does and consists of matrix products.  Errors do not accumulate, since F is
   computed from Q in every step.  Pairs so close that their rotation is large are
   rotated by ordinary sweeps at the end.  */

#include "base/products.h"
#include "onesided/onesided_typed.h"
#include "run/solvers.h"

#include <string.h>

/* Larger rotations are not applied at once.  */
#define SMALL ((real_t) 0.1)
/* Deviation from orthonormality below which one Newton-Schulz step reaches eps.  */
#define NEARLY (GE_DOUBLE ? (real_t) 1e-8 : (real_t) 1e-4)

typedef struct
{
  int64_t order;
  lapack_int n;
  real_t tol, shift;
  scalar_t *m, *q, *f, *g, *x; /* A + shift, basis, columns, Gram, scratch */
} large;

/* Q = eigenvectors in single precision; the identity if LAPACK fails.  */
static gpueig_status
precondition (gpueig_context *ctx, const large *p)
{
  int64_t n = p->order, reals = n * n * (1 + GE_COMPLEX);
  int mark = ge_mark (ctx);
  float *a, *v, *lambda;
  const real_t *from = (const real_t *) p->m;
  real_t *to = (real_t *) p->q;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, reals, &a));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, reals, &v));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &lambda));
#pragma omp simd
  for (int64_t i = 0; i < reals; i++)
    a[i] = (float) from[i];
  /* Without the shift, which would cost digits of the vectors.  */
  for (int64_t i = 0; i < n; i++)
    a[i * (n + 1) * (1 + GE_COMPLEX)]
        = (float) (from[i * (n + 1) * (1 + GE_COMPLEX)] - p->shift);
  const gpueig_mrrr_problem problem
      = { .type = GE_COMPLEX ? GPUEIG_COMPLEX_FLOAT : GPUEIG_FLOAT,
          .n = n,
          .pages = 1,
          .a = a,
          .lambda = lambda,
          .v = v };
  gpueig_status status = ge_run_part (ctx, GE_MRRR, GE_METHOD_MRRR_STEVD, 1,
                                      &problem, NULL, NULL);
  if (status == GPUEIG_NO_CONVERGENCE || status == GPUEIG_SOLVER_FAILED)
    {
      memset (v, 0, (size_t) reals * sizeof *v);
      for (int64_t i = 0; i < n; i++)
        v[i * (n + 1) * (1 + GE_COMPLEX)] = 1;
      status = GPUEIG_OK;
    }
#pragma omp simd
  for (int64_t i = 0; i < reals; i++)
    to[i] = v[i];
  ge_release (ctx, mark);
  return status;
}

/* Q <- Q (3 I - Q'Q) / 2 until Q'Q = I; *GOOD is 0 if that does not converge, which is
   impossible for vectors that are orthonormal in single precision.  X is scratch.  */
static gpueig_status
orthonormalize (gpueig_context *ctx, large *p, int *good)
{
  int64_t n = p->order;
  real_t deviation = 1;
  for (int k = 0; k < 8 && deviation > NEARLY; k++)
    {
      deviation = 0;
      GE_TRY (FN (ge_half_product) (ctx, n, p->q, p->q, p->g));
      for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++)
          {
            scalar_t s = p->g[i + n * j], one = i == j;
            deviation = larger_ (deviation, fabs_ (re_ (s - one)));
            deviation = larger_ (deviation, fabs_ (im_ (s)));
            s = ((real_t) 3 * one - s) / (real_t) 2;
            p->g[i + n * j] = s;
            p->g[j + n * i] = conj_ (s);
          }
      GE_TRY (FN (ge_square_product) (ctx, n, "N", p->q, p->g, 0, p->x));
      scalar_t *old = p->q;
      p->q = p->x;
      p->x = old;
    }
  *good = deviation <= NEARLY;
  return GPUEIG_OK;
}

/* If the library's vectors are wrong: Q = I, sweeps then compute the vectors.  */
static void
set_identity (large *p)
{
  memset (p->q, 0, (size_t) (p->order * p->order) * sizeof *p->q);
  for (int64_t i = 0; i < p->order; i++)
    p->q[i + p->order * i] = 1;
}

typedef struct
{
  real_t cosine; /* the largest of all pairs */
  real_t easy;   /* the largest of pairs with a small rotation */
  real_t norm;   /* norm of X */
} correction;

/* Compute X from G, with 0 for pairs that need a large rotation.  */
static correction
find_rotations (const large *p)
{
  int64_t n = p->order;
  real_t cosine = 0, easy = 0, norm = 0;
  const scalar_t *g = p->g;
  /* Smaller inner products are mostly rounding errors.  */
  const real_t least = fmax_ (p->tol / 16, 4 * GE_EPS);
  memset (p->x, 0, (size_t) (n * n) * sizeof *p->x);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = j + 1; i < n; i++)
      {
        real_t a = re_ (g[i + n * i]), b = re_ (g[j + n * j]);
        real_t size = abs_ (g[i + n * j]), c = size / sqrt_ (a * b);
        cosine = larger_ (cosine, c);
        if (! (size < SMALL * fabs_ (b - a) && c > least))
          continue;
        scalar_t x = g[i + n * j] / (b - a);
        easy = fmax_ (easy, c > p->tol ? c : 0);
        p->x[i + n * j] = x;
        p->x[j + n * i] = -conj_ (x);
      }
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += abs_ (p->x[i + n * j]);
      norm = larger_ (norm, sum);
    }
  return (correction){ cosine, easy, norm };
}

/* Steps with all small rotations at once.  *COSINE: the largest before the last step.
   *DONE = 1: the columns are orthogonal; 0: sweeps are needed.  */
static gpueig_status
small_rotations (gpueig_context *ctx, large *p, const onesided_plan *plan,
                 int *sweeps, real_t *cosine, int *done)
{
  real_t last = 1;
  *done = 0;
  while (*sweeps < plan->max_sweeps)
    {
      int good;
      GE_TRY (orthonormalize (ctx, p, &good));
      if (! good)
        set_identity (p);
      GE_TRY (FN (ge_square_product) (ctx, p->order, "N", p->m, p->q, 0, p->f));
      GE_TRY (FN (ge_half_product) (ctx, p->order, p->f, p->f, p->g));
      correction c = find_rotations (p);
      ++*sweeps;
      *cosine = c.cosine;
      ge_onesided_note (plan, c.cosine);
      ge_report (ctx, "step  %2d  largest cosine %9.2e", *sweeps,
                 (double) c.cosine);
      *done = c.cosine <= p->tol;
      /* No progress, or no small rotations: continue with sweeps.  */
      if (*done || c.easy == 0 || c.norm > (real_t) 0.5
          || c.easy > (real_t) 0.5 * last)
        return GPUEIG_OK;
      last = c.easy;
      memcpy (p->f, p->q, (size_t) (p->order * p->order) * sizeof *p->f);
      GE_TRY (FN (ge_square_product) (ctx, p->order, "N", p->f, p->x, 1, p->q));
    }
  return GPUEIG_OK;
}

static gpueig_status
solve_large (gpueig_context *ctx, int64_t n, const scalar_t *a,
             const onesided_plan *plan, real_t *lambda, scalar_t *v,
             onesided_result *result)
{
  large p = { .order = n };
  int mark = ge_mark (ctx), sweeps = 0, done, *order;
  real_t cosine = 0, sine = 0;
  GE_TRY (ge_lapack_int (ctx, n, &p.n));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &p.m));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &p.q));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &p.f));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &p.g));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &p.x));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &order));
  p.tol = (real_t) plan->tol;
  onesided_scaling scaling = onesided_scale (n, a, p.m);
  for (int64_t i = 0; i < n; i++)
    p.m[i + n * i] += scaling.shift;
  p.shift = scaling.shift;
  GE_TRY (precondition (ctx, &p));
  GE_TRY (small_rotations (ctx, &p, plan, &sweeps, &cosine, &done));
  while (! done && sweeps < plan->max_sweeps)
    {
      if (onesided_sweep (ctx, n, n, n, p.f, plan->tol, 0, 1, order, &cosine,
                          &sine))
        return GPUEIG_INTERRUPTED;
      sweeps++;
      ge_onesided_note (plan, cosine);
      ge_report (ctx, "sweep %2d  largest cosine %9.2e", sweeps,
                 (double) cosine);
      done = cosine <= p.tol
             || ge_onesided_done ((real_t) n, sine, cosine, p.tol);
    }
  if (! done)
    {
      result->converged = 0;
      result->off = fmax (result->off, cosine);
    }
  result->sweeps = sweeps > result->sweeps ? sweeps : result->sweeps;
  onesided_finish (n, n, p.f, 0, scaling, lambda, v, order);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Products of matrices up to this order take less time than waking a thread.  */
#define ONE_THREAD 256

gpueig_status
onesided_large (gpueig_context *ctx, int64_t n, const scalar_t *a,
                const onesided_plan *plan, real_t *lambda, scalar_t *v,
                onesided_result *result)
{
  const ge_blas_limit limit = n <= ONE_THREAD ? GE_BLAS_ONE : GE_BLAS_ALL;
  ge_limit_blas (ctx, limit);
  gpueig_status status = solve_large (ctx, n, a, plan, lambda, v, result);
  ge_unlimit_blas (ctx, limit);
  return status;
}
