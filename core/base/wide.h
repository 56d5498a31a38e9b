/* Numbers with the precision of double-double and an exponent of 64 bits,
   (mantissa, exponent), for products that exceed the range of double: minors of
   a matrix, cumulative products of ratios.  For C and for CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   No include guard on purpose: a typed C file includes it once for its
   GE_COMPLEX, cuda/base/wide.cuh twice, the functions becoming overloads.

   A wide number is m 2^e with 1 <= max (|re m|, |im m|) < 2, or zero with the
   exponent WIDE_ZERO, smaller than that of any other number, so that the common
   exponent of a sum is that of the nonzero operand.  Scaling is exact.  */

#ifndef WIDE_ZERO
#  define WIDE_ZERO (-((int64_t) 1 << 58))

#  include "base/dd.h"

typedef struct
{
  ge_dd re;
  int64_t e;
} ge_wide;

typedef struct
{
  ge_dd re, im;
  int64_t e;
} ge_wide_pair;

/* A non-negative number for norms: mantissa in double precision, exponent as above.  */
typedef struct
{
  double m;
  int64_t e;
} ge_size;

/* 2^k, or 0 where that is negligible in a sum of mantissas.  */
GE_INLINE double
wide_shift (int64_t k)
{
  return k < -1000 ? 0 : ge_pow2 (k);
}

GE_INLINE ge_size
size_of (double m, int64_t e)
{
  ge_size s;
  int64_t k = m == 0 ? 0 : ge_exponent (m);
  s.m = m * ge_pow2 (-k);
  s.e = m == 0 ? WIDE_ZERO : e + k;
  return s;
}

GE_INLINE ge_size
size_add (ge_size a, ge_size b)
{
  int64_t top = a.e > b.e ? a.e : b.e;
  return size_of (a.m * wide_shift (a.e - top) + b.m * wide_shift (b.e - top),
                  top);
}

GE_INLINE ge_size
size_mul (ge_size a, ge_size b)
{
  return size_of (a.m * b.m, a.e + b.e);
}

GE_INLINE ge_size
size_max (ge_size a, ge_size b)
{
  return a.e > b.e || (a.e == b.e && a.m > b.m) ? a : b;
}

/* 1 / (a b), 0 or Inf where that is out of range.  */
GE_INLINE double
size_reciprocal (ge_size a, ge_size b)
{
  double m = 1 / (a.m * b.m);
  int64_t e = -(a.e + b.e);
  if (e < -1080)
    return 0;
  if (e > 1030)
    return INFINITY;
  return m * ge_pow2 (e / 2) * ge_pow2 (e - e / 2);
}
#endif

#if GE_COMPLEX
#  define wide_t ge_wide_pair
#else
#  define wide_t ge_wide
#endif

/* --- arithmetic of mantissas --- */
GE_INLINE wide_t
wide_mantissa_mul (wide_t a, wide_t b)
{
  wide_t c;
#if GE_COMPLEX
  c.re = dd_sub (dd_mul (a.re, b.re), dd_mul (a.im, b.im));
  c.im = dd_add (dd_mul (a.re, b.im), dd_mul (a.im, b.re));
#else
  c.re = dd_mul (a.re, b.re);
#endif
  c.e = a.e + b.e;
  return c;
}

GE_INLINE wide_t
wide_scale (wide_t a, double s)
{
  a.re = dd_scale (a.re, s);
#if GE_COMPLEX
  a.im = dd_scale (a.im, s);
#endif
  return a;
}

/* Normalise the mantissa, zero or a normal number, to [1, 2).  */
GE_INLINE wide_t
wide_normal (wide_t a)
{
#if GE_COMPLEX
  double size = fmax (fabs (a.re.hi), fabs (a.im.hi));
#else
  double size = fabs (a.re.hi);
#endif
  int64_t k = ge_exponent (size);
  a = wide_scale (a, ge_pow2 (size == 0 ? 0 : -k));
  a.e = size == 0 ? WIDE_ZERO : a.e + k;
  return a;
}

/* re + i im for finite doubles, including subnormal ones (scaled in two steps).  */
GE_INLINE wide_t
wide_of (double re, double im)
{
  wide_t a;
  double size = fmax (fabs (re), fabs (im));
  double s = size < 0x1p-900 ? 0x1p600 : size > 0x1p900 ? 0x1p-600 : 1;
  a.re = dd_of (re * s);
#if GE_COMPLEX
  a.im = dd_of (im * s);
#endif
  a.e = s == 1 ? 0 : s < 1 ? 600 : -600;
  return wide_normal (a);
}

GE_INLINE wide_t
wide_neg (wide_t a)
{
  a.re = dd_neg (a.re);
#if GE_COMPLEX
  a.im = dd_neg (a.im);
#endif
  return a;
}

GE_INLINE wide_t
wide_mul (wide_t a, wide_t b)
{
  return wide_normal (wide_mantissa_mul (a, b));
}

/* a + b; moduli of the mantissas may be up to 8.  */
GE_INLINE wide_t
wide_add (wide_t a, wide_t b)
{
  int64_t top = a.e > b.e ? a.e : b.e;
  a = wide_scale (a, wide_shift (a.e - top));
  b = wide_scale (b, wide_shift (b.e - top));
  a.re = dd_add (a.re, b.re);
#if GE_COMPLEX
  a.im = dd_add (a.im, b.im);
#endif
  a.e = top;
  return wide_normal (a);
}

/* a t1 - g t2: a step of the three-term recurrence of leading minors.  */
GE_INLINE wide_t
wide_step (wide_t a, wide_t t1, wide_t g, wide_t t2)
{
  return wide_add (wide_mantissa_mul (a, t1),
                   wide_neg (wide_mantissa_mul (g, t2)));
}

/* 1 / a, a not zero.  */
GE_INLINE wide_t
wide_inverse (wide_t a)
{
  wide_t c;
#if GE_COMPLEX
  ge_dd size = dd_add (dd_mul (a.re, a.re), dd_mul (a.im, a.im));
  c.re = dd_div (a.re, size);
  c.im = dd_neg (dd_div (a.im, size));
#else
  c.re = dd_div (dd_of (1), a.re);
#endif
  c.e = -a.e;
  return wide_normal (c);
}

/* |a|.  */
GE_INLINE ge_size
wide_abs (wide_t a)
{
#if GE_COMPLEX
  return size_of (sqrt (a.re.hi * a.re.hi + a.im.hi * a.im.hi), a.e);
#else
  return size_of (fabs (a.re.hi), a.e);
#endif
}
