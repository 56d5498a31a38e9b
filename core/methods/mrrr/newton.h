/* Shared scalar math of MRRR: Newton's iteration for an eigenvalue of a representation,
   to working precision, by twisted factorisations.  For C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   gamma_r / |z|^2 is both the Rayleigh quotient's correction of the shift and
   Newton's step for gamma_r (x) = 0, since gamma_r' = -|z|^2.  It converges
   quadratically, error <- error^2 / gap.  The inertia of each factorisation updates a
   bracket of the eigenvalue, so the iteration cannot diverge.  */

#ifndef GE_MRRR_NEWTON_H
#define GE_MRRR_NEWTON_H 1

#include "mrrr/math.h"

#define MRRR_FIRST_STEPS 3 /* in double, before double-double */
#define MRRR_STEPS_MAX 80

typedef struct
{
  double lo, hi;
  double x_hi, x_lo;
  double gap;
  int first_done, done;
} ge_mrrr_newton;

MRRR_INLINE void
ge_mrrr_newton_begin (ge_mrrr_newton *s, double lo, double hi, double gap)
{
  s->x_hi = lo + (hi - lo) / 2;
  s->x_lo = 0;
  /* Counts in double may be wrong near the ends of the bracket; the gap is wider than
     this by orders of magnitude.  */
  s->lo = lo - gap / 8;
  s->hi = hi + gap / 8;
  s->gap = gap;
  s->first_done = s->done = 0;
}

/* A step in double, before the steps in double-double.  Nonzero: another step in double is
   needed.  */
MRRR_INLINE int
ge_mrrr_newton_first (ge_mrrr_newton *s, double gamma, double norm2)
{
  if (s->first_done)
    return 0;
  double step = gamma / norm2, next = s->x_hi + step;
  int good = norm2 < 1e200 && next >= s->lo && next <= s->hi;
  if (good)
    s->x_hi = next;
  s->first_done = ! good || fabs (step) <= 0x1p-30 * s->gap
                  || fabs (step) <= 0x1p-50 * fabs (s->x_hi);
  return ! s->first_done;
}

/* A step in working precision; ABOVE: x is above the eigenvalue.  Nonzero: another one
   is needed.  After a step of size t the error is at most t^2 |z|^2 / gap, for moderate
   |z| rarely more than a few t^2 / gap; the tolerances for t are therefore slightly
   below the square root of the required accuracy.  */
MRRR_INLINE int
ge_mrrr_newton_step (ge_mrrr_newton *s, int wide, double gamma, double norm2,
                     int above)
{
  if (s->done)
    return 0;
  double step = gamma / norm2, x = fabs (s->x_hi);
  if (above && s->x_hi < s->hi)
    s->hi = s->x_hi;
  if (! above && s->x_hi > s->lo)
    s->lo = s->x_hi;
  double slack = 0x1p-50 * x, next = s->x_hi + step;
  if (! (norm2 < 1e200) || ! (next >= s->lo - slack && next <= s->hi + slack))
    {
      /* Outside the bracket: bisect.  */
      s->x_hi = s->lo + (s->hi - s->lo) / 2;
      s->x_lo = 0;
      s->done = s->hi - s->lo <= slack;
      return ! s->done;
    }
  double size = fabs (step);
  double enough = (wide ? 0x1p-28 : 0x1p-14) * s->gap;
  double floor = (wide ? 0x1p-100 : 0x1p-51) * x;
  if (wide)
    {
      ge_dd sum
          = ge_add_dd (ge_make_dd (s->x_hi, s->x_lo), ge_make_dd (step, 0));
      s->x_hi = sum.hi;
      s->x_lo = sum.lo;
    }
  else
    s->x_hi = next;
  double doubt = norm2 * 0x1p-6;
  s->done = size * size * (doubt > 1 ? doubt : 1) <= enough * enough
            || size <= floor;
  return ! s->done;
}

#endif
