/* LAPACK's drivers for one page: xSYEVD/xHEEVD, xSYGVD's parts, xGEEVX.
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

#if ! GE_COMPLEX
/* LAPACK's real form of complex vectors, column pairs (re, im) for conjugate
   pairs of eigenvalues, into interleaved complex columns.  */
static void
unpack_pairs (int64_t n, const real_t *wi, const real_t *packed, real_t *out)
{
  for (int64_t j = 0; j < n; j++)
    {
      int pair = wi[j] != 0 && j + 1 < n;
      const real_t *re = packed + n * j, *im = re + n;
      for (int64_t i = 0; i < n; i++)
        {
          real_t y = pair ? im[i] : 0;
          out[2 * (i + n * j)] = re[i];
          out[2 * (i + n * j) + 1] = y;
          if (pair)
            {
              out[2 * (i + n * (j + 1))] = re[i];
              out[2 * (i + n * (j + 1)) + 1] = -y;
            }
        }
      j += pair;
    }
}
#endif

/* Complex results: LAMBDA, V and W are interleaved complex for every type.  */
gpueig_status
FN (ge_geevx) (gpueig_context *ctx, int64_t order, const void *matrix,
               int balance, void *lambda, void *v, void *w)
{
  lapack_int n, ilo, ihi, info, query = -1, lwork;
  const char *balanc = balance ? "B" : "N";
  const char *jobvl = w ? "V" : "N", *jobvr = v ? "V" : "N";
  scalar_t *a, *work, wish, *vl = NULL, *vr = NULL;
  real_t *scale, *rcond, norm;
  int mark = ge_mark (ctx);

  GE_TRY (ge_lapack_int (ctx, order, &n));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &a));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &scale));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * order, &rcond));
  memcpy (a, matrix, (size_t) (order * order) * sizeof *a);
#if GE_COMPLEX
  scalar_t *values = lambda;
  real_t *rwork;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * order, &rwork));
  vl = w;
  vr = v;
#  define GEEVX(work, lwork)                                                   \
    geevx_ (balanc, jobvl, jobvr, "N", &n, a, &n, values, vl, &n, vr, &n,      \
            &ilo, &ihi, scale, &norm, rcond, rcond + order, work, lwork,       \
            rwork, &info, 1, 1, 1, 1)
#else
  real_t *wr;
  lapack_int *iwork;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * order, &wr));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * order, &iwork));
  if (w)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &vl));
  if (v)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &vr));
#  define GEEVX(work, lwork)                                                   \
    geevx_ (balanc, jobvl, jobvr, "N", &n, a, &n, wr, wr + order, vl, &n, vr,  \
            &n, &ilo, &ihi, scale, &norm, rcond, rcond + order, work, lwork,   \
            iwork, &info, 1, 1, 1, 1)
#endif
  GEEVX (&wish, &query);
  GE_TRY (
      ge_lapack_int (ctx, (int64_t) (re_ (wish) * (1 + GE_EPS)) + 1, &lwork));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, lwork, &work));
  GEEVX (work, &lwork);
#undef GEEVX
  if (info != 0)
    return gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                        "LAPACK's QR iteration failed with info %d",
                        (int) info);
#if ! GE_COMPLEX
  real_t *out = lambda;
  for (int64_t j = 0; j < order; j++)
    {
      out[2 * j] = wr[j];
      out[2 * j + 1] = wr[order + j];
    }
  if (v)
    unpack_pairs (order, wr + order, vr, v);
  if (w)
    unpack_pairs (order, wr + order, vl, w);
#endif
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
