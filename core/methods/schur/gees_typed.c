/* LAPACK's driver for one Schur form, xGEES.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Any thread may call these functions: the caller passes the workspace.  */

#include "lapack/lapack.h"
#include "schur/qr.h"

/* Call the real or complex form of xGEES.  LWORK = -1 is a workspace query: the optimal
   size is returned in WORK[0].  VALUES: 2 N, MORE: N numbers.  */
static lapack_int
call_gees (lapack_int n, scalar_t *s, scalar_t *u, scalar_t *values,
           real_t *more, scalar_t *work, lapack_int lwork)
{
  lapack_int info = 0, none = 0, logical = 0;
  const lapack_int ld = n > 0 ? n : 1;
  const char *job = u ? "V" : "N";
  scalar_t dummy = make_ (0, 0);
  scalar_t *vectors = u ? u : &dummy;
#if GE_COMPLEX
  gees_ (job, "N", NULL, &n, s, &ld, &none, values, vectors, &ld, work, &lwork,
         more, &logical, &info, 1, 1);
#else
  (void) more;
  gees_ (job, "N", NULL, &n, s, &ld, &none, values, values + n, vectors, &ld,
         work, &lwork, &logical, &info, 1, 1);
#endif
  return info;
}

/* Scalars of workspace for pages of order ORDER.  */
gpueig_status
FN (ge_gees_size) (gpueig_context *ctx, int64_t order, int vectors,
                   int64_t *count)
{
  lapack_int n = 0, lwork = 0;
  scalar_t optimal = make_ (0, 0), dummy = optimal;
  real_t real = 0;
  GE_TRY (ge_lapack_int (ctx, order, &n));
  call_gees (n, &dummy, vectors ? &dummy : NULL, &dummy, &real, &optimal, -1);
  /* The size is returned as floating point: round up for single precision.  */
  GE_TRY (ge_lapack_int (ctx, (int64_t) (re_ (optimal) * (1 + GE_EPS)) + 1,
                         &lwork));
  *count = lwork + 3 * order;
  return GPUEIG_OK;
}

/* See qr.h.  SPACE: COUNT scalars, see ge_gees_size.  */
int
FN (ge_gees) (int64_t n, void *s, void *u, void *space, int64_t count)
{
  scalar_t *values = space;
  return (int) call_gees ((lapack_int) n, s, u, values,
                          (real_t *) (values + 2 * n), values + 3 * n,
                          (lapack_int) (count - 3 * n));
}
