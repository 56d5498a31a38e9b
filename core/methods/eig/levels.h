/* Definite pairs (A, B) with ill-conditioned B: which eigenvalues are solved again.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Solvers of the reduced problem C Y = Y D, C = L^-1 A L^-H, B = L L^H, have errors of
   eps |C|: small for the eigenvalues near |C|, whose vectors V = L^-H Y are large, and
   too much for small eigenvalues if |C| is far beyond |A| / |B|.  So the eigenvectors V1
   of the largest eigenvalues D1 are kept, and the others are separated from them,

     V2 - V1 D1^-1 V1^H A V2,    V1 - V2 V2^H B V1,

   where D1^-1 makes the errors of the first product small.  Then the others span the pair
   (V2^H A V2, V2^H B V2), of smaller order and norm, which is solved in the same way, level
   by level.  (G. Fix, R. Heiberger, SIAM J. Numer. Anal. 9, 1972, deflate from the other
   end, by the small eigenvalues of B.)

   With r = max |lambda| |B| / |A|, 1-norms, a level keeps the eigenvalues beyond
   r^(7/10) |A| / |B|: as parts of other vectors, whose eigenvalues are smaller, those have
   errors of eps r^(3/10).  The last level is the one whose r is what |C| may be.  */

#ifndef GE_EIG_LEVELS_H
#define GE_EIG_LEVELS_H 1

#include "base/inline.h"

#include <math.h>
#include <stdint.h>

enum
{
  /* r of the last level, relative to the root of the order.  */
  GE_LEVEL_GROWTH = 10
};

/* The modulus up to which eigenvalues, at most MOST now, are solved again in a pair of
   order N; 0: none are.  */
GE_INLINE double
ge_level_bound (int64_t n, double most, double norm_a, double norm_b)
{
  const double unit = norm_a / norm_b, r = most / unit;
  int exponent;
  if (! (r > GE_LEVEL_GROWTH * sqrt ((double) n)))
    return 0;
  (void) frexp (r, &exponent);
  return ldexp (unit, 7 * exponent / 10);
}

#endif
