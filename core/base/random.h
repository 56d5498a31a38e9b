/* A fixed pseudo-random sequence, for checks by random vectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_RANDOM_H
#define GE_RANDOM_H 1

#include <stdint.h>

/* The next number, of either sign and of modulus between 1/2 and 3/2: never close to
   zero.  Knuth's 64-bit linear congruential generator (MMIX).  */
static inline double
ge_next_random (uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  const double x = 0.5 + (double) (*state >> 12) * 0x1p-52;
  return *state & 2048 ? x : -x;
}

#endif
