/* gpueig_jacobi_eig on the CPU for one page: scaling, method, sorting.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "jacobi/jacobi_typed.h"
#include "base/products.h"
#include "run/solvers.h"

#include <string.h>

/* Sums are computed in a fixed number of parts, so that they do not depend on the
   number of threads.  */
enum
{
  PARTS = 64
};

/* --- norms --- */

typedef struct
{
  const real_t *r;
  int64_t reals;
  real_t scale;
  double sums[PARTS];
} squares;

static void
add_squares (void *data, int64_t part, int thread)
{
  squares *s = data;
  const real_t *r = s->r, scale = s->scale;
  const int64_t stop = s->reals * (part + 1) / PARTS;
  double own = 0;
  (void) thread;
#pragma omp simd reduction(+ : own)
  for (int64_t i = s->reals * part / PARTS; i < stop; i++)
    {
      double x = (double) (r[i] * scale);
      own += x * x;
    }
  s->sums[part] = own;
}

double
FN (ge_frobenius) (gpueig_context *ctx, int64_t count, const scalar_t *a,
                   real_t scale)
{
  squares s = { (const real_t *) a, count * (1 + GE_COMPLEX), scale, { 0 } };
  double sum = 0;
  ge_share_pass (ctx, PARTS, (double) count, add_squares, &s);
  for (int part = 0; part < PARTS; part++)
    sum += s.sums[part];
  return sqrt (sum);
}

void
FN (ge_jacobi_note) (gpueig_context *ctx, gpueig_info *info, const char *what,
                     double off)
{
  ge_info_off (info, off);
  ge_report (ctx, "jacobi %-9s %3lld  off(A)/norm(A) = %.3e", what,
             (long long) info->sweeps, off);
}

gpueig_status
FN (ge_jacobi_unfinished) (gpueig_context *ctx,
                           const ge_jacobi_control *control)
{
  return gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                      "no convergence in %lld sweeps, the best approximation "
                      "so far is returned",
                      (long long) control->max_sweeps);
}

/* --- approximate eigenvectors --- */

gpueig_status
FN (ge_jacobi_start) (gpueig_context *ctx, int64_t n, const scalar_t *a,
                      real_t *lambda, scalar_t *v, int *failed)
{
  const int mark = ge_mark (ctx);
  const gpueig_symmetric p = { .type = (gpueig_type) GE_SCALAR,
                               .n = n,
                               .pages = 1,
                               .a = a,
                               .lambda = lambda,
                               .v = v };
  const gpueig_status status
      = ge_run_part (ctx, GE_MRRR, GE_METHOD_MRRR_MRRR, 0, &p, NULL, NULL);
  ge_release (ctx, mark);
  *failed = status == GPUEIG_SOLVER_FAILED;
  return *failed ? GPUEIG_OK : status;
}

/* Copy the guess, scaled if squares would over- or underflow, and its columns to norm 1
   unless they are near: an orthonormal guess remains orthonormal.  */
static void
take_guess (gpueig_context *ctx, int64_t n, const scalar_t *guess, scalar_t *v)
{
  real_t largest = FN (ge_largest_part) (ctx, n * n, guess);
  real_t scale = (real_t) ge_jacobi_guess_scale (GE_DOUBLE, (double) largest);
  for (int64_t j = 0; j < n; j++)
    {
      const scalar_t *from = guess + n * j;
      real_t sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += abs2_ (from[i] * scale);
      const int near = ! (sum > 0) || fabs_ (sum - 1) < (real_t) 0.01;
      const real_t f = near ? scale : scale / sqrt_ (sum);
      for (int64_t i = 0; i < n; i++)
        v[i + n * j] = from[i] * f;
    }
}

/* --- one page --- */

/* "preconditioned" for A, scaled if squares of its elements could over- or underflow;
   GPUEIG_SOLVER_FAILED if there are no vectors to start from, or if the refined ones are
   not orthonormal.  */
static gpueig_status
refine_page (gpueig_context *ctx, int64_t n, const scalar_t *a,
             const scalar_t *guess, real_t *lambda, scalar_t *v,
             const ge_jacobi_control *control, gpueig_info *info)
{
  const ge_jacobi_sample c = ge_jacobi_columns (n);
  const int64_t first = n * c.first;
  scalar_t *x = v;
  int close = 0, failed = 0;
  if (! x)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &x));
  if (guess)
    {
      take_guess (ctx, n, guess, x);
      close = isinf (control->close_guess)
              || FN (ge_jacobi_is_close) (n, a + first, x + first, n * c.step,
                                          control->close_guess);
    }
  if (! close)
    GE_TRY (FN (ge_jacobi_start) (ctx, n, a, lambda, x, &failed));
  return failed ? GPUEIG_SOLVER_FAILED
                : FN (ge_jacobi_refine) (ctx, n, a, x, lambda, control, info);
}

gpueig_status
FN (ge_jacobi_page) (gpueig_context *ctx, int classical, int64_t n,
                     const void *a, const void *guess, void *lambda, void *v,
                     const ge_jacobi_control *control, gpueig_info *info)
{
  int mark = ge_mark (ctx);
  const double largest = (double) FN (ge_largest_part) (ctx, n * n, a);
  const real_t scale
      = (real_t) (classical ? ge_jacobi_scale (GE_DOUBLE, largest)
                            : ge_jacobi_guess_scale (GE_DOUBLE, largest));
  const scalar_t *work = a;
  scalar_t *copy = NULL;
  if (classical || scale != 1)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &copy));
      for (int64_t i = 0; i < n * n; i++)
        copy[i] = work[i] * scale;
      work = copy;
    }
  if (classical && v)
    FN (ge_identity) (n, v);
  gpueig_status status
      = classical
            ? FN (ge_jacobi_classical) (ctx, n, copy, v, lambda, control, info)
            : refine_page (ctx, n, work, guess, lambda, v, control, info);
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    {
      real_t *const values = lambda;
      for (int64_t j = 0; j < n; j++)
        values[j] *= 1 / scale;
      GE_TRY (ge_sort_pairs (ctx, (gpueig_type) GE_SCALAR, n, n, lambda, v));
    }
  ge_release (ctx, mark);
  return status;
}
