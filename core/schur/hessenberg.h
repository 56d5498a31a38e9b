/* Reduction to Hessenberg form on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_HESSENBERG_H
#define GE_SCHUR_HESSENBERG_H 1

#include "base/solver.h"

/* ge_hessenberg: as xGEHRD: A, N-by-N and upper triangular outside of the rows and columns
   ILO .. IHI (from 1), <- H = Q' A Q, upper Hessenberg, with the reflectors of Q below it.
   ge_hessenberg_vectors: Z <- Q Z from them, N-by-N; START: Z <- Q.  SPACE:
   ge_hessenberg_bytes, in between not changed.  The bits do not depend on TEAM, whose
   THREADS are those of ge_hessenberg_bytes at most.  */
#define GE_HESSENBERG(suffix)                                                  \
  int64_t ge_hessenberg_bytes_##suffix (int64_t n, int threads);               \
  void ge_hessenberg_##suffix (const ge_team *team, int64_t n, int ilo,        \
                               int ihi, void *a, void *space);                 \
  void ge_hessenberg_vectors_##suffix (const ge_team *team, int64_t n,         \
                                       int ilo, int ihi, const void *a,        \
                                       int start, void *z, void *space);
GE_HESSENBERG (s)
GE_HESSENBERG (d)
GE_HESSENBERG (c)
GE_HESSENBERG (z)
#undef GE_HESSENBERG

#endif
