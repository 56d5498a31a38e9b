/* Double-double arithmetic: a number is the unevaluated sum of two doubles, with
   twice the precision (106 bits) and the range of one.  For C and for CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Algorithms and error bounds: M. Joldes, J.-M. Muller, V. Popescu, Tight and
   rigorous error bounds for basic building blocks of double-word arithmetic,
   ACM TOMS 44 (2017).  Sums err by at most 3 u^2, products by 5 u^2, quotients
   by 15 u^2, u = 2^-53, relative, for operands of any sign, in the absence of
   underflow and overflow.  */

#ifndef GE_DD_H
#define GE_DD_H 1

#include "base/inline.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct
{
  double hi, lo;
} ge_dd;

/* a + b exactly, for |a| >= |b| (Fast2Sum).  */
GE_ALWAYS_INLINE ge_dd
dd_quick (double a, double b)
{
  ge_dd s;
  s.hi = a + b;
  s.lo = b - (s.hi - a);
  return s;
}

/* a + b exactly (2Sum).  */
GE_ALWAYS_INLINE ge_dd
dd_two (double a, double b)
{
  ge_dd s;
  s.hi = a + b;
  double t = s.hi - a;
  s.lo = (a - (s.hi - t)) + (b - t);
  return s;
}

/* a b exactly, by fma (2Prod).  */
GE_ALWAYS_INLINE ge_dd
dd_product (double a, double b)
{
  ge_dd p;
  p.hi = a * b;
  p.lo = fma (a, b, -p.hi);
  return p;
}

GE_ALWAYS_INLINE ge_dd
dd_of (double a)
{
  ge_dd x;
  x.hi = a;
  x.lo = 0;
  return x;
}

GE_ALWAYS_INLINE ge_dd
dd_neg (ge_dd a)
{
  a.hi = -a.hi;
  a.lo = -a.lo;
  return a;
}

/* Exact for S a power of two.  */
GE_ALWAYS_INLINE ge_dd
dd_scale (ge_dd a, double s)
{
  a.hi *= s;
  a.lo *= s;
  return a;
}

GE_ALWAYS_INLINE ge_dd
dd_add (ge_dd a, ge_dd b)
{
  ge_dd s = dd_two (a.hi, b.hi), t = dd_two (a.lo, b.lo);
  ge_dd v = dd_quick (s.hi, s.lo + t.hi);
  return dd_quick (v.hi, t.lo + v.lo);
}

GE_ALWAYS_INLINE ge_dd
dd_sub (ge_dd a, ge_dd b)
{
  return dd_add (a, dd_neg (b));
}

GE_ALWAYS_INLINE ge_dd
dd_mul (ge_dd a, ge_dd b)
{
  ge_dd p = dd_product (a.hi, b.hi);
  double t = fma (a.hi, b.lo, a.lo * b.lo);
  return dd_quick (p.hi, p.lo + fma (a.lo, b.hi, t));
}

/* a / b by the quotient of the high parts and one exact remainder.  */
GE_ALWAYS_INLINE ge_dd
dd_div (ge_dd a, ge_dd b)
{
  double q = a.hi / b.hi;
  ge_dd r = dd_mul (b, dd_of (q));
  double d = (a.hi - r.hi) + (a.lo - r.lo);
  return dd_quick (q, d / b.hi);
}

/* 2^k for -1022 <= k <= 1023.  */
GE_ALWAYS_INLINE double
ge_pow2 (int64_t k)
{
  int64_t bits = (int64_t) ((uint64_t) (k + 1023) << 52);
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* The exponent of a normal number: 2^k <= |x| < 2^(k+1).  */
GE_ALWAYS_INLINE int64_t
ge_exponent (double x)
{
  int64_t bits;
  memcpy (&bits, &x, sizeof bits);
  return ((bits >> 52) & 0x7ff) - 1023;
}

#endif
