/* The small-bulge multishift QR iteration on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_MULTISHIFT_H
#define GE_SCHUR_MULTISHIFT_H 1

#include "base/solver.h"

/* H <- U' H U, the Schur form of the N-by-N matrix H, which is upper Hessenberg in rows
   and columns FIRST .. BELOW - 1 and upper triangular outside; Z <- Z U, unless it is
   NULL.  H does not depend on whether Z is wanted, nor the bits on TEAM, whose THREADS are
   those of ge_multishift_bytes at most.  Nonzero if there is no convergence.  */
#define GE_MULTISHIFT(suffix)                                                  \
  int64_t ge_multishift_bytes_##suffix (int64_t n, int threads);               \
  int ge_multishift_##suffix (const ge_team *team, int64_t n, int64_t first,   \
                              int64_t below, void *h, void *z, void *space);
GE_MULTISHIFT (s)
GE_MULTISHIFT (d)
GE_MULTISHIFT (c)
GE_MULTISHIFT (z)
#undef GE_MULTISHIFT

#endif
