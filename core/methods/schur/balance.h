/* Balancing of a general matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_BALANCE_H
#define GE_SCHUR_BALANCE_H 1

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* B <- D^-1 P' A P D, as LAPACK's xGEBAL.  Row i of B is row ORDER[i] of A; P moves rows
   and columns that isolate eigenvalues to the ends; D = diag (SCALE), powers of 2, makes
   the norms of rows and columns of the remaining block nearly equal.  2-norms including
   the diagonal are used, since 1-norms without it can harm the accuracy (R. James,
   J. Langou, B. R. Lowery, On matrix balancing and eigenvector computation, 2014).  A and
   B are n-by-n and must not overlap.  SPACE: 3 n integers.  */
#define GE_BALANCE(suffix)                                                     \
  void ge_balance_##suffix (int64_t n, const void *a, void *b, int *order,     \
                            void *scale, int *space);
  GE_BALANCE (s)
  GE_BALANCE (d)
  GE_BALANCE (c)
  GE_BALANCE (z)
#undef GE_BALANCE

#ifdef __cplusplus
}
#endif

#endif
