/* Round robin (tournament) ordering of the pairs of columns for parallel Jacobi methods, C and
   CUDA: M indices, M even, are paired in M - 1 rounds of M / 2 disjoint pairs; every pair
   occurs exactly once.  For an odd number one index is a dummy.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ROUND_ROBIN_H
#define GE_ROUND_ROBIN_H 1

#include "base/inline.h"

/* Pair K (0 <= K < M/2) of ROUND (0 <= ROUND < M - 1): *I < *J.  */
GE_INLINE void
ge_round_pair (int m, int round, int k, int *i, int *j)
{
  int ring = m - 1, x = round + k, y = round - k;
  if (k == 0)
    {
      *i = round;
      *j = ring;
      return;
    }
  x = x >= ring ? x - ring : x;
  y = y < 0 ? y + ring : y;
  *i = x < y ? x : y;
  *j = x < y ? y : x;
}

#endif
