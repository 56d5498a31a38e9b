/* Orders in which Jacobi methods meet all pairs.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Round robin (tournament, "circle method"): M players, M even, play M - 1
   rounds of M / 2 disjoint pairs; every pair meets exactly once.  Odd orders
   add an idle player.  Two forms of the same kind of schedule:

   ge_round_pair       by formula: who plays in game K of ROUND
   ge_seat_after       by moving: games are between the fixed seats K and
                       M/2 + K; after each round the player in seat S moves to
                       seat ge_seat_after (M, S); after M - 1 rounds all sit
                       where they began  */

#ifndef GE_SCHEDULE_H
#define GE_SCHEDULE_H 1

#ifndef GE_INLINE
#  define GE_INLINE static inline
#endif

/* Game K (0 <= K < M/2) of ROUND (0 <= ROUND < M - 1): *I < *J.  */
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

/* Seat 0 stays; the others move one on around the ring of the seats
   1, 2 ... M/2 - 1, M - 1, M - 2 ... M/2.  */
GE_INLINE int
ge_seat_after (int m, int seat)
{
  int half = m / 2;
  if (seat == 0 || m <= 2)
    return seat;
  if (seat < half)
    return seat + 1 < half ? seat + 1 : m - 1;
  return seat > half ? seat - 1 : 1;
}

/* Cross schedule: two teams of B play B rounds; player K of the first team
   meets player (K + ROUND) mod B of the second.  Every cross pair once.  */
GE_INLINE int
ge_cross_opponent (int b, int round, int k)
{
  int j = k + round;
  return j >= b ? j - b : j;
}

#endif
