/* LAPACK's driver for one page: xSYEVD/xHEEVD.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/symmetric.h"
#include "lapack/lapack.h"

#include <string.h>

/* Sizes of the work arrays of xSYEVD/xHEEVD: scalars, reals, integers.  */
static void
heevd_sizes (lapack_int n, int vectors, lapack_int sizes[3])
{
  const char *job = vectors ? "V" : "N";
  scalar_t optimal, a = 0;
  real_t roptimal = 0, w;
  lapack_int query = -1, ioptimal, info;
#if GE_COMPLEX
  heevd_ (job, "L", &n, &a, &n, &w, &optimal, &query, &roptimal, &query,
          &ioptimal, &query, &info, 1, 1);
#else
  heevd_ (job, "L", &n, &a, &n, &w, &optimal, &query, &ioptimal, &query, &info,
          1, 1);
#endif
  /* Sizes are returned as floating point: round up for single precision.  */
  sizes[0] = (lapack_int) (re_ (optimal) * (1 + GE_EPS)) + 1;
  sizes[1] = (lapack_int) (roptimal * (1 + GE_EPS)) + 1;
  sizes[2] = ioptimal;
}

static int64_t
aligned (int64_t bytes)
{
  return (bytes + 63) / 64 * 64;
}

gpueig_status
FN (ge_syevd_size) (gpueig_context *ctx, int64_t order, int vectors,
                    int64_t *bytes, int sizes[3])
{
  lapack_int n;
  const int64_t square = aligned (order * order * (int64_t) sizeof (scalar_t));
  GE_TRY (ge_lapack_int (ctx, order, &n));
  /* LAPACK's work array for vectors has 2 n^2 elements and a 32-bit size.  */
  GE_TRY (ge_lapack_int (ctx, 2 * order * order + 6 * order + 1, &n));
  heevd_sizes ((lapack_int) order, vectors, sizes);
  *bytes = square + aligned (sizes[0] * (int64_t) sizeof (scalar_t))
           + aligned (sizes[1] * (int64_t) sizeof (real_t))
           + aligned (sizes[2] * (int64_t) sizeof (lapack_int));
  return GPUEIG_OK;
}

/* See symmetric.h.  SPACE has the bytes that ge_syevd_size computed.  */
int
FN (ge_syevd) (int64_t order, const void *a, void *lambda, void *v, void *space,
               const int sizes[3])
{
  const lapack_int n = (lapack_int) order;
  lapack_int info = 0;
  char *at = space;
  scalar_t *work = (scalar_t *) at;
  at += aligned (sizes[0] * (int64_t) sizeof (scalar_t));
  real_t *rwork = (real_t *) at;
  at += aligned (sizes[1] * (int64_t) sizeof (real_t));
  lapack_int *iwork = (lapack_int *) at;
  at += aligned (sizes[2] * (int64_t) sizeof (lapack_int));
  const size_t bytes = (size_t) (order * order) * sizeof (scalar_t);
  /* Not in V: a BLAS may compute sums in another order at another alignment, which depends on
     the place of a page.  */
  scalar_t *x = (scalar_t *) at;
  memcpy (x, a, bytes);
#if GE_COMPLEX
  heevd_ (v ? "V" : "N", "L", &n, x, &n, lambda, work, &sizes[0], rwork,
          &sizes[1], iwork, &sizes[2], &info, 1, 1);
#else
  (void) rwork;
  heevd_ (v ? "V" : "N", "L", &n, x, &n, lambda, work, &sizes[0], iwork,
          &sizes[2], &info, 1, 1);
#endif
  if (v)
    memcpy (v, x, bytes);
  return info;
}
