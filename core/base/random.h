/* Numbers of a fixed random sequence, for checks by random vectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_RANDOM_H
#define GE_RANDOM_H 1

#include <stdint.h>

/* The next number, between 1/2 and 3/2 in size and of either sign: no two add
   up to zero.  Knuth's 64-bit congruential generator (MMIX).  */
static inline double
ge_next_random (uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  const double x = 0.5 + (double) (*state >> 12) * 0x1p-52;
  return *state & 2048 ? x : -x;
}

#endif
