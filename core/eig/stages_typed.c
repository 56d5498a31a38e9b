/* One large symmetric page on the CPU in stages, the user may stop it between
   pieces of them: reduction, divide and conquer, back-transformation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/tridiagonal.h"

#include <string.h>

/* All vectors of the tridiagonal matrix in Z, or values alone.  */
static gpueig_status
solve_tridiagonal (gpueig_context *ctx, lapack_int n, real_t *d, real_t *e,
                   scalar_t *z)
{
  lapack_int info, query = -1, iwish, lwork;
  scalar_t wish, *work;
  lapack_int *iwork;
  if (! z)
    sterf_ (&n, d, e, &info);
  else
    {
#if GE_COMPLEX
      real_t rwish, *rwork;
      stedc_ ("I", &n, d, e, z, &n, &wish, &query, &rwish, &query, &iwish,
              &query, &info, 1);
      lapack_int lrwork;
      GE_TRY (
          ge_lapack_int (ctx, (int64_t) (rwish * (1 + GE_EPS)) + 1, &lrwork));
      GE_TRY (GE_ALLOC (ctx, GE_HOST, lrwork, &rwork));
#else
      stedc_ ("I", &n, d, e, z, &n, &wish, &query, &iwish, &query, &info, 1);
#endif
      GE_TRY (ge_lapack_int (ctx, (int64_t) (re_ (wish) * (1 + GE_EPS)) + 1,
                             &lwork));
      GE_TRY (GE_ALLOC (ctx, GE_HOST, lwork, &work));
      GE_TRY (GE_ALLOC (ctx, GE_HOST, iwish, &iwork));
#if GE_COMPLEX
      stedc_ ("I", &n, d, e, z, &n, work, &lwork, rwork, &lrwork, iwork, &iwish,
              &info, 1);
#else
      stedc_ ("I", &n, d, e, z, &n, work, &lwork, iwork, &iwish, &info, 1);
#endif
    }
  if (info != 0)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "LAPACK's tridiagonal eigensolver failed with info %d",
                        (int) info);
  return GPUEIG_OK;
}

/* The n-by-n A, lower triangle read, is overwritten.  LAMBDA ascending, V its
   eigenvectors or NULL.  */
static gpueig_status
solve_in_place (gpueig_context *ctx, lapack_int n, scalar_t *a, real_t *lambda,
                scalar_t *v)
{
  real_t *e;
  scalar_t *tau;
  const real_t scale = FN (ge_scale_to_one) ((int64_t) n * n, a);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &e));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &tau));
  ge_report (ctx, "reduction to tridiagonal form, order %d", (int) n);
  GE_TRY (FN (ge_tridiagonalise) (ctx, n, a, lambda, e, tau));
  ge_report (ctx, "divide and conquer");
  GE_TRY (solve_tridiagonal (ctx, n, lambda, e, v));
  if (v)
    {
      ge_report (ctx, "back-transformation");
      GE_TRY (FN (ge_back_transform) (ctx, n, n, a, tau, v));
    }
  for (lapack_int i = 0; i < n; i++)
    lambda[i] *= scale;
  return GPUEIG_OK;
}

gpueig_status
FN (ge_syevd_stages) (gpueig_context *ctx, int64_t order, const void *a,
                      const void *b, void *lambda, void *v)
{
  lapack_int n, info;
  scalar_t *work, *factor = NULL;
  const size_t bytes = (size_t) (order * order) * sizeof (scalar_t);
  int mark = ge_mark (ctx);
  /* LAPACK's work array for vectors has 2 n^2 elements and a 32-bit size.  */
  GE_TRY (ge_lapack_int (ctx, 2 * order * order + 6 * order + 1, &n));
  GE_TRY (ge_lapack_int (ctx, order, &n));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &work));
  memcpy (work, a, bytes);
  if (b)
    {
      const lapack_int itype = 1;
      ge_report (ctx, "Cholesky factor of B");
      GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &factor));
      memcpy (factor, b, bytes);
      potrf_ ("L", &n, factor, &n, &info, 1);
      if (info != 0)
        return gpueig_fail (ctx, GPUEIG_NOT_DEFINITE,
                            "B is not positive definite: its leading minor of "
                            "order %d is not",
                            (int) info);
      GE_TRY (ge_check_interrupt (ctx));
      hegst_ (&itype, "L", &n, work, &n, factor, &n, &info, 1);
    }
  GE_TRY (solve_in_place (ctx, n, work, lambda, v));
  if (b && v)
    {
      const scalar_t one = 1;
      trsm_ ("L", "L", "C", "N", &n, &n, &one, factor, &n, v, &n, 1, 1, 1, 1);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
