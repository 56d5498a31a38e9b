/* LAPACK's driver for one page: xSYEVD/xHEEVD.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/symmetric.h"
#include "lapack/lapack.h"

#include <string.h>

/* The workspace, and the page, which the vectors overwrite.  */
typedef struct
{
  scalar_t *work, *x;
  real_t *rwork;
  lapack_int *iwork;
} syevd_work;

static char *
lay_out_syevd (char *at, int64_t n, const int sizes[3], syevd_work *w)
{
  w->work = ge_take (&at, sizes[0], sizeof (scalar_t));
  w->rwork = ge_take (&at, sizes[1], sizeof (real_t));
  w->iwork = ge_take (&at, sizes[2], sizeof (lapack_int));
  w->x = ge_take (&at, n * n, sizeof (scalar_t));
  return at;
}

static int
call_heevd (lapack_int n, int vectors, const syevd_work *w, real_t *lambda,
            const lapack_int sizes[3])
{
  lapack_int info = 0;
  heevd_ (vectors ? "V" : "N", "L", &n, w->x, &n, lambda, w->work, &sizes[0],
#if GE_COMPLEX
          w->rwork, &sizes[1],
#endif
          w->iwork, &sizes[2], &info, 1, 1);
  return info;
}

gpueig_status
FN (ge_syevd_size) (gpueig_context *ctx, int64_t order, int vectors,
                    int64_t *bytes, int sizes[3])
{
  const lapack_int query[3] = { -1, -1, -1 };
  scalar_t optimal, x = 0;
  real_t roptimal = 0, lambda;
  lapack_int n, ioptimal;
  syevd_work w = { &optimal, &x, &roptimal, &ioptimal };
  GE_TRY (ge_lapack_int (ctx, order, &n));
  /* LAPACK's work array for vectors has 2 n^2 elements and a 32-bit size.  */
  GE_TRY (ge_lapack_int (ctx, 2 * order * order + 6 * order + 1, &n));
  (void) call_heevd ((lapack_int) order, vectors, &w, &lambda, query);
  /* Sizes are returned as floating point: round up for single precision.  */
  sizes[0] = (lapack_int) (re_ (optimal) * (1 + GE_EPS)) + 1;
  sizes[1] = (lapack_int) (roptimal * (1 + GE_EPS)) + 1;
  sizes[2] = ioptimal;
  *bytes = lay_out_syevd (GE_NOWHERE, order, sizes, &w) - GE_NOWHERE;
  return GPUEIG_OK;
}

/* See symmetric.h.  SPACE has the bytes that ge_syevd_size computed.  */
int
FN (ge_syevd) (int64_t order, const void *a, void *lambda, void *v, void *space,
               const int sizes[3])
{
  const size_t bytes = (size_t) (order * order) * sizeof (scalar_t);
  syevd_work w;
  lay_out_syevd (space, order, sizes, &w);
  /* Not in V: a BLAS may compute sums in another order at another alignment, which depends on
     the place of a page.  */
  memcpy (w.x, a, bytes);
  const int info
      = call_heevd ((lapack_int) order, v != NULL, &w, lambda, sizes);
  if (v)
    memcpy (v, w.x, bytes);
  return info;
}
