/* The QR algorithm for one general page, on the threads of a team.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_QR_H
#define GE_EIG_QR_H 1

#include "base/solver.h"

/* ge_qr_page: as ge_geevx (general.h), with ge_qr_bytes of SPACE, which may begin with the
   matrix; nonzero if there is no convergence.  TEAM has at most THREADS.  */
#define GE_QR_PROTOTYPES(suffix)                                               \
  int64_t ge_qr_bytes_##suffix (int64_t n, int left, int right, int threads);  \
  int ge_qr_page_##suffix (const ge_team *team, int64_t n, const void *a,      \
                           int balance, void *lambda, void *v, void *w,        \
                           void *space);
GE_FOR_TYPES (GE_QR_PROTOTYPES)

/* repair_typed.c: right and left vectors V and W of A with residuals above LIMIT, in units of
   n eps |A|, again from the eigenvalues LAMBDA, by inverse iteration; returns the largest residual after it.
   SPACE: ge_repair_bytes.  */
#define GE_REPAIR(suffix)                                                      \
  int64_t ge_repair_bytes_##suffix (int64_t n);                                \
  double ge_repair_vectors_##suffix (int64_t n, const void *a,                 \
                                     const void *lambda, void *v, void *w,     \
                                     double limit, void *space);
GE_FOR_TYPES (GE_REPAIR)

/* vectors_typed.c, for complex types: Z <- Z X, X the right or LEFT eigenvectors of the
   Schur form T with the eigenvalues VALUES; the elements of T on and below the diagonal are
   overwritten, those of X have any size but are finite.  SPACE: ge_form_vectors_space
   scalars.  The bits do not depend on TEAM, which has at most THREADS.  */
#define GE_FORM_VECTORS(suffix)                                                \
  int64_t ge_form_vectors_space_##suffix (int64_t n, int threads);             \
  void ge_form_vectors_##suffix (const ge_team *team, int64_t n, int left,     \
                                 void *t, const void *values, void *z,         \
                                 void *space);
GE_FORM_VECTORS (c)
GE_FORM_VECTORS (z)

#endif
