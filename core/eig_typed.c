/* LAPACK's drivers for one page: xSYEVD/xHEEVD and xSYGVD's parts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "lapack.h"

#include <string.h>

/* In place: A becomes the eigenvectors when VECTORS.  Workspace from CTX.  */
static gpueig_status
heevd_in_place (gpueig_context *ctx, lapack_int n, int vectors, scalar_t *a,
                real_t *lambda)
{
  const char *job = vectors ? "V" : "N";
  scalar_t wish, *work;
  lapack_int query = -1, iwish, info, *iwork;
#if GE_COMPLEX
  real_t rwish, *rwork;
  heevd_ (job, "L", &n, a, &n, lambda, &wish, &query, &rwish, &query, &iwish,
          &query, &info, 1, 1);
  lapack_int lrwork = (lapack_int) rwish;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, lrwork, &rwork));
#else
  heevd_ (job, "L", &n, a, &n, lambda, &wish, &query, &iwish, &query, &info, 1,
          1);
#endif
  /* Sizes come back as floating point: in single precision round up.  */
  int64_t lwork64 = (int64_t) (re_ (wish) * (1 + GE_EPS)) + 1;
  lapack_int lwork, liwork = iwish;
  GE_TRY (ge_lapack_int (ctx, lwork64, &lwork));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, lwork, &work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, liwork, &iwork));
#if GE_COMPLEX
  heevd_ (job, "L", &n, a, &n, lambda, work, &lwork, rwork, &lrwork, iwork,
          &liwork, &info, 1, 1);
#else
  heevd_ (job, "L", &n, a, &n, lambda, work, &lwork, iwork, &liwork, &info, 1,
          1);
#endif
  if (info != 0)
    return gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                        "LAPACK's divide and conquer failed with info %d",
                        (int) info);
  return GPUEIG_OK;
}

gpueig_status
FN (ge_syevd) (gpueig_context *ctx, int64_t order, const void *a, const void *b,
               void *lambda, void *v)
{
  lapack_int n, info;
  scalar_t *work = v, *factor = NULL;
  int mark = ge_mark (ctx);
  size_t bytes = (size_t) (order * order) * sizeof (scalar_t);
  GE_TRY (ge_lapack_int (ctx, order, &n));
  if (! v)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &work));
  memcpy (work, a, bytes);
  if (b)
    {
      const lapack_int itype = 1;
      GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &factor));
      memcpy (factor, b, bytes);
      potrf_ ("L", &n, factor, &n, &info, 1);
      if (info != 0)
        return gpueig_fail (ctx, GPUEIG_NOT_DEFINITE,
                            "B is not positive definite: its leading minor of "
                            "order %d is not",
                            (int) info);
      hegst_ (&itype, "L", &n, work, &n, factor, &n, &info, 1);
    }
  GE_TRY (heevd_in_place (ctx, n, v != NULL, work, lambda));
  if (b && v)
    {
      const scalar_t one = 1;
      trsm_ ("L", "L", "C", "N", &n, &n, &one, factor, &n, work, &n, 1, 1, 1,
             1);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
