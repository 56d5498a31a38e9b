/* Shared scalar math of MRRR: double-double arithmetic and the qd steps.
   For C and CUDA.  Everything is computed in double for problems of both precisions,
   so there is only one version.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A representation of a symmetric tridiagonal block with off-diagonals e is
   T - sigma I = L D L'.  It is stored as its pivots d and w = e^2 / d, since the
   products l_i d_i = e_i are those of T for every shift (the e-representation
   of Willems and Lang, SISC 35 (2013)).  With x the shift:

     stationary   s_0 = -x, plus_i = d_i + s_i, s_{i+1} = w_i s_i / plus_i - x
     progressive  p_{n-1} = d_{n-1} - x, minus_{i+1} = w_i + p_{i+1},
                  p_i = d_i p_{i+1} / minus_{i+1} - x
     twist        gamma_r = s_r + p_r + x
     vector       z_r = 1, z_i = -(e_i / plus_i) z_{i+1} above the twist,
                  z_{i+1} = -(e_i / minus_{i+1}) z_i below it

   (Dhillon and Parlett, LAA 387 (2004)).  All steps exist for two working
   precisions, suffix pl (plain double, for single precision problems) and dd
   (double-double, for double precision ones).  */

#ifndef GE_MRRR_MATH_H
#define GE_MRRR_MATH_H 1

#include <math.h>

#include "base/dd.h"

#define MRRR_INLINE GE_ALWAYS_INLINE

/* Pivots of smaller modulus are replaced by negative ones.  The bounds are negligible in
   working precision for blocks of norm about 1, and so large that no product of terms in
   one expression overflows.  */
#define MRRR_TINY_dd 0x1p-200
#define MRRR_TINY_pl 0x1p-100

/* --- double-double --- */

/* Operations of double-double numbers that are cheaper than those of dd.h and accurate
   enough for qd steps.  */

/* The result is (1 + u) a + (1 + v) b with |u|, |v| below 2^-104.  */
MRRR_INLINE ge_dd
ge_add_dd (ge_dd a, ge_dd b)
{
  ge_dd s = dd_two (a.hi, b.hi);
  return dd_quick (s.hi, s.lo + (a.lo + b.lo));
}

MRRR_INLINE ge_dd
ge_sub_dd (ge_dd a, ge_dd b)
{
  ge_dd m;
  m.hi = -b.hi;
  m.lo = -b.lo;
  return ge_add_dd (a, m);
}

MRRR_INLINE ge_dd
ge_mul_dd (ge_dd a, ge_dd b)
{
  double p = a.hi * b.hi;
  double e = fma (a.hi, b.hi, -p);
  return dd_quick (p, fma (a.hi, b.lo, fma (a.lo, b.hi, e)));
}

/* a / b; INVERSE approximates 1 / b.hi.  */
MRRR_INLINE ge_dd
ge_div_dd (ge_dd a, ge_dd b, double inverse)
{
  double q = a.hi * inverse;
  double r = fma (-q, b.lo, fma (-q, b.hi, a.hi) + a.lo);
  return dd_quick (q, r * inverse);
}

MRRR_INLINE ge_dd
ge_make_dd (double hi, double lo)
{
  ge_dd r;
  r.hi = hi;
  r.lo = lo;
  return r;
}

MRRR_INLINE double
ge_high_dd (ge_dd a)
{
  return a.hi;
}

MRRR_INLINE double
ge_low_dd (ge_dd a)
{
  return a.lo;
}

/* e^2 without rounding error.  */
MRRR_INLINE ge_dd
ge_square_dd (double e)
{
  return dd_product (e, e);
}

/* --- the same operations for plain double --- */

MRRR_INLINE double
ge_add_pl (double a, double b)
{
  return a + b;
}

MRRR_INLINE double
ge_sub_pl (double a, double b)
{
  return a - b;
}

MRRR_INLINE double
ge_mul_pl (double a, double b)
{
  return a * b;
}

MRRR_INLINE double
ge_div_pl (double a, double b, double inverse)
{
  (void) b;
  return a * inverse;
}

MRRR_INLINE double
ge_make_pl (double hi, double lo)
{
  (void) lo;
  return hi;
}

MRRR_INLINE double
ge_high_pl (double a)
{
  return a;
}

MRRR_INLINE double
ge_low_pl (double a)
{
  (void) a;
  return 0;
}

MRRR_INLINE double
ge_square_pl (double e)
{
  return e * e;
}

/* --- qd steps for both working precisions --- */

#define MRRR_STEPS(WIDE, sfx)                                                        \
  /* Small pivots become negative ones of at least TINY, by an addition: a         \
     choice between values would become a branch.  */ \
  MRRR_INLINE WIDE ge_guard_##sfx (WIDE x)                                           \
  {                                                                                  \
    double hi = ge_high_##sfx (x);                                                   \
    double down = fabs (hi) < MRRR_TINY_##sfx ? -2 * MRRR_TINY_##sfx : 0.0;          \
    return ge_make_##sfx (hi + down, ge_low_##sfx (x));                              \
  }                                                                                  \
                                                                                     \
  /* A pivot: plus_i = d_i + s_i, or minus_{i+1} = w_i + p_{i+1}.  */                \
  MRRR_INLINE WIDE ge_pivot_##sfx (WIDE d, WIDE s)                                   \
  {                                                                                  \
    return ge_guard_##sfx (ge_add_##sfx (d, s));                                     \
  }                                                                                  \
                                                                                     \
  /* s_{i+1} = w_i s_i / plus_i - x, or p_i = d_i p_{i+1} / minus_{i+1} - x,    \
     with INVERSE about 1 / pivot.  By value: variables whose address is taken  \
     keep loops over lanes from being vectorised.  */    \
  MRRR_INLINE WIDE ge_next_##sfx (WIDE w, WIDE s, WIDE pivot, double inverse,        \
                                  WIDE x)                                            \
  {                                                                                  \
    return ge_sub_##sfx (ge_mul_##sfx (w, ge_div_##sfx (s, pivot, inverse)),         \
                         x);                                                         \
  }                                                                                  \
                                                                                     \
  /* w = e^2 / d.  */                                                                \
  MRRR_INLINE WIDE ge_ratio_##sfx (double e, WIDE d)                                 \
  {                                                                                  \
    return ge_div_##sfx (ge_square_##sfx (e), d,                                     \
                         ge_inverse (ge_high_##sfx (d)));                            \
  }

MRRR_STEPS (double, pl)
MRRR_STEPS (ge_dd, dd)

/* --- Sturm counts, in double --- */

/* One stationary step of a count: returns the pivot, whose sign is counted.  The product
   w s is computed independently of the reciprocal, to shorten the chain of dependent
   operations.  */
MRRR_INLINE double
ge_count_step (double d, double w, double x, double *s)
{
  double plus = d + *s;
  plus += fabs (plus) < MRRR_TINY_dd ? -2 * MRRR_TINY_dd : 0.0;
  *s = fma (w * *s, ge_inverse (plus), -x);
  return plus;
}

/* As ge_count_step, without the guard: if a pivot is zero, *S is infinite or NaN at the
   end, and the count must be repeated by ge_count_step (as in LAPACK's DLANEG).  */
MRRR_INLINE double
ge_count_step_free (double d, double w, double x, double *s)
{
  double plus = d + *s;
  *s = fma (w * *s, ge_inverse (plus), -x);
  return plus;
}

/* One progressive step of a count; returns minus_{i+1}.  */
MRRR_INLINE double
ge_count_step_up (double d, double w, double x, double *p)
{
  double minus = w + *p;
  minus += fabs (minus) < MRRR_TINY_dd ? -2 * MRRR_TINY_dd : 0.0;
  *p = fma (d * *p, ge_inverse (minus), -x);
  return minus;
}

/* --- the choice of the twist ---

   Diagonal elements r and r + 1 of the inverse have the ratio |minus_{r+1} / plus_r|;
   the index of the largest is that of a large entry of the vector.  RHO is the current
   element relative to the largest so far, times 2^(400 LEVEL), since eigenvectors may
   have entries far below the underflow threshold between large ones.  A later index is
   taken only if its element is MRRR_PREFER times as large: any large entry will do, and
   neighbouring eigenvalues then get similar twists (on the GPU near the middle).  */
#define MRRR_PREFER 4.0

MRRR_INLINE void
ge_twist_step (double plus, double minus, double r, double *rho, double *level,
               double *best)
{
  double x = *rho * fabs (minus) * ge_inverse (fabs (plus));
  int deep = x < 0x1p-400;
  x = deep ? x * 0x1p400 : x;
  double k = *level + (deep ? 1.0 : 0.0);
  int better = x > MRRR_PREFER && k == 0;
  int rise = x > 1.0 && k > 0;
  *best = better ? r : *best;
  *rho = better ? 1.0 : (rise ? x * 0x1p-400 : x);
  *level = k - (rise ? 1.0 : 0.0);
}

/* --- reproducible random numbers in (-1, 1), by counter (splitmix64) --- */

MRRR_INLINE double
ge_counter_random (unsigned long long counter)
{
  unsigned long long z = (counter + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  z ^= z >> 31;
  return ((double) (z >> 11) + 0.5) * 0x1p-52 - 1;
}

#endif
