/* The Schur form of one matrix on the CPU, by our own QR iteration.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_QR_H
#define GE_SCHUR_QR_H 1

#include "base/solver.h"

/* ge_schur_qr: overwrite the N-by-N matrix A, which is upper triangular outside of the rows
   and columns ILO .. IHI (from 1, as in LAPACK), by its Schur form S, and Z, unless it is
   NULL, by the Schur vectors; S does not depend on whether they are wanted.  SPACE:
   ge_schur_qr_bytes.  ge_gees_qr: as ge_gees (gees.h) without COUNT, with
   ge_gees_qr_bytes.  Both return nonzero if there is no convergence.  The bits do not
   depend on TEAM, whose THREADS are those of the bytes at most.  */
#define GE_SCHUR_QR(suffix)                                                    \
  int64_t ge_schur_qr_bytes_##suffix (int64_t n, int threads);                 \
  int ge_schur_qr_##suffix (const ge_team *team, int64_t n, int ilo, int ihi,  \
                            void *a, void *z, void *space);                    \
  int64_t ge_gees_qr_bytes_##suffix (int64_t n, int threads);                  \
  int ge_gees_qr_##suffix (const ge_team *team, int64_t n, void *s, void *u,   \
                           void *space);
GE_SCHUR_QR (s)
GE_SCHUR_QR (d)
GE_SCHUR_QR (c)
GE_SCHUR_QR (z)
#undef GE_SCHUR_QR

#endif
