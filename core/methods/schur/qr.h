/* The Schur form of one matrix on the CPU, by type.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_QR_H
#define GE_SCHUR_QR_H 1

#include "base/solver.h"

/* Schur forms of N-by-N matrices.  Bits do not depend on TEAM, which has at most the THREADS for
   which the bytes of SPACE were computed.

   ge_hessenberg: as xGEHRD: A, upper triangular outside of the rows and columns ILO .. IHI
   (from 1), <- H = Q' A Q, upper Hessenberg, with the reflectors of Q below it.
   ge_hessenberg_vectors: Z <- Q Z from them; START: Z <- Q.  SPACE is not changed in
   between.

   ge_multishift: H <- U' H U, the Schur form of H, which is upper Hessenberg in rows and
   columns FIRST .. BELOW - 1 and upper triangular outside; Z <- Z U, unless it is NULL, on
   which H does not depend.  Nonzero if there is no convergence.

   ge_schur_qr: both: A <- its Schur form S, and Z, unless it is NULL, the Schur vectors; S
   does not depend on whether they are wanted.  Nonzero if there is no convergence.

   ge_gees_qr: the same with balancing, in place of ge_gees: S <- its Schur form, U (or NULL)
   the Schur vectors; returns LAPACK's info.  ge_gees_size: COUNT scalars of workspace.  */
#define GE_SCHUR_QR(suffix)                                                    \
  int64_t ge_hessenberg_bytes_##suffix (int64_t n, int threads);               \
  void ge_hessenberg_##suffix (const ge_team *team, int64_t n, int ilo,        \
                               int ihi, void *a, void *space);                 \
  void ge_hessenberg_vectors_##suffix (const ge_team *team, int64_t n,         \
                                       int ilo, int ihi, const void *a,        \
                                       int start, void *z, void *space);       \
  int64_t ge_multishift_bytes_##suffix (int64_t n, int threads);               \
  int ge_multishift_##suffix (const ge_team *team, int64_t n, int64_t first,   \
                              int64_t below, void *h, void *z, void *space);   \
  int64_t ge_schur_qr_bytes_##suffix (int64_t n, int threads);                 \
  int ge_schur_qr_##suffix (const ge_team *team, int64_t n, int ilo, int ihi,  \
                            void *a, void *z, void *space);                    \
  int64_t ge_gees_qr_bytes_##suffix (int64_t n, int threads);                  \
  int ge_gees_qr_##suffix (const ge_team *team, int64_t n, void *s, void *u,   \
                           void *space);                                       \
  gpueig_status ge_gees_size_##suffix (gpueig_context *, int64_t n,            \
                                       int vectors, int64_t *count);           \
  int ge_gees_##suffix (int64_t n, void *s, void *u, void *space,              \
                        int64_t count);
GE_FOR_TYPES (GE_SCHUR_QR)
#undef GE_SCHUR_QR

#endif
