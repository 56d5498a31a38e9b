/* Shared scalar math of MRRR: several bisection steps of a bracket in one pass.  For C
   and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A pass evaluates counts at POINTS = 2^k - 1 points inside a bracket and narrows it
   exactly as k successive bisections: the bracket does not depend on the number of
   points of a pass, which is chosen by the amount of work.  */

#ifndef GE_MRRR_HALVING_H
#define GE_MRRR_HALVING_H 1

#include "mrrr/math.h"

/* Point NUMBER, from 1 in ascending order, of POINTS between LO and HI.  */
MRRR_INLINE double
ge_mrrr_point (double lo, double hi, int points, int number)
{
  int width = (points + 1) / 2, at = width;
  double x = lo + (hi - lo) / 2;
  while (at != number)
    {
      width /= 2;
      if (number < at)
        hi = x;
      else
        lo = x;
      at += number < at ? -width : width;
      x = lo + (hi - lo) / 2;
    }
  return x;
}

/* Narrow the bracket; bit NUMBER - 1 of ABOVE is set if point NUMBER is above the
   eigenvalue.  */
MRRR_INLINE void
ge_mrrr_halve (double *lo, double *hi, int points, unsigned above)
{
  int at = (points + 1) / 2;
  for (int width = at; width > 0; width /= 2)
    {
      const double x = *lo + (*hi - *lo) / 2;
      const int upper = (above >> (at - 1)) & 1u;
      if (upper)
        *hi = x;
      else
        *lo = x;
      at += upper ? -(width / 2) : width / 2;
    }
}

#endif
