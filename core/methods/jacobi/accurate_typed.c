/* Whether approximate eigenvectors are accurate to rounding errors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/products.h"
#include "base/verify_by_sampling.h"
#include "jacobi/jacobi_typed.h"

enum
{
  TILE = 32 /* columns of a piece */
};

gpueig_status
FN (ge_jacobi_is_orthonormal) (gpueig_context *ctx, int64_t n,
                               const scalar_t *x, int *good)
{
  const double limit = (4 * sqrt ((double) n) + 30) * (double) GE_EPS;
  const int mark = ge_mark (ctx);
  double *space;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, GE_SAMPLE_VECTORS * n, &space));
  *good = ge_sample_orthogonality (ctx, (gpueig_type) GE_SCALAR, n, x, space)
          <= limit;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* *XW = Re x'w and *XX = x'x, of vectors of COUNT reals.  */
static void
inner_products (int64_t count, const real_t *x, const real_t *w, double *xw,
                double *xx)
{
  double sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
  for (int64_t i = 0; i < count; i++)
    {
      sum += (double) x[i] * (double) w[i];
      squares += (double) x[i] * (double) x[i];
    }
  *xw = sum;
  *xx = squares;
}

/* |w - LAMBDA x|^2.  */
static double
residual_squares (int64_t count, const real_t *x, const real_t *w,
                  real_t lambda)
{
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < count; i++)
    {
      const double r = (double) w[i] - (double) lambda * (double) x[i];
      sum += r * r;
    }
  return sum;
}

/* Data common to the pieces of a pass over all columns.  */
typedef struct
{
  int64_t n;
  const scalar_t *x, *w;
  real_t *lambda;
  double *squares;
} residuals;

static void
residuals_piece (void *data, int64_t t, int thread)
{
  const residuals *r = data;
  const int64_t n = r->n, stop = (t + 1) * TILE < n ? (t + 1) * TILE : n;
  const int64_t reals = n * (1 + GE_COMPLEX);
  (void) thread;
  for (int64_t j = t * TILE; j < stop; j++)
    {
      const real_t *x = (const real_t *) (r->x + n * j),
                   *w = (const real_t *) (r->w + n * j);
      double xw, xx;
      inner_products (reals, x, w, &xw, &xx);
      r->lambda[j] = (real_t) (xw / xx);
      r->squares[j] = residual_squares (reals, x, w, r->lambda[j]);
    }
}

gpueig_status
FN (ge_jacobi_is_accurate) (gpueig_context *ctx, int64_t n, const scalar_t *a,
                            const scalar_t *x, double floor_tol, scalar_t *w,
                            real_t *lambda, double *squares, int *accurate)
{
  double largest = 0, worst = 0;
  residuals r = { n, x, w, lambda, squares };
  GE_TRY (FN (ge_square_product) (ctx, n, "N", a, x, 0, w));
  GE_TRY (ge_run_pieces (ctx, (n + TILE - 1) / TILE, 2 * (double) (n * n),
                         residuals_piece, &r));
  for (int64_t j = 0; j < n; j++)
    {
      largest = ge_larger (largest, (double) fabs_ (lambda[j]));
      worst = ge_larger (worst, squares[j]);
    }
  const double floor = floor_tol * largest;
  *accurate = worst <= (double) n * floor * floor;
  return *accurate ? FN (ge_jacobi_is_orthonormal) (ctx, n, x, accurate)
                   : GPUEIG_OK;
}
