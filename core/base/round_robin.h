/* Orderings of the pairs of columns for parallel Jacobi methods.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Round robin (tournament) ordering: M indices, M even, are paired in M - 1 rounds of
   M / 2 disjoint pairs; every pair occurs exactly once.  For an odd number one index
   is a dummy.  Two forms:

   ge_round_pair       pair K of a round by a formula
   ge_next_position       by permutation (R. P. Brent, F. T. Luk, SIAM J. Sci. Stat.
                       Comput. 6, 1985): pairs are at the fixed positions K and
                       M/2 + K; after each round the index at position S moves to
                       position ge_next_position (M, S); after M - 1 rounds all are
                       at their initial positions  */

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

/* Position 0 is fixed; the others are permuted cyclically in the order
   1, 2 ... M/2 - 1, M - 1, M - 2 ... M/2.  */
GE_INLINE int
ge_next_position (int m, int position)
{
  int half = m / 2;
  if (position == 0 || m <= 2)
    return position;
  if (position < half)
    return position + 1 < half ? position + 1 : m - 1;
  return position > half ? position - 1 : 1;
}

#endif
