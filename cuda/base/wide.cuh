/* Double-double numbers with a separate exponent on the device: overloads for
   real and complex ones, see core/base/wide.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_WIDE_CUH
#define GE_WIDE_CUH 1

#include "base/cuda.cuh"
#include "base/scalar.cuh"

#define GE_COMPLEX 0
#include "base/wide.h"
#undef GE_COMPLEX
#undef wide_t

/* The complex wide_of takes the same arguments as the real one and differs in
   the type of the result, so it cannot be an overload: it becomes
   wide_pair_of.  */
#define wide_of wide_pair_of
#define GE_COMPLEX 1
#include "base/wide.h"
#undef GE_COMPLEX
#undef wide_t
#undef wide_of

/* a x - g y of the mantissas only; the result keeps the exponent of X.  */
GE_INLINE ge_wide
wide_mantissa_step (ge_wide a, ge_wide x, ge_wide g, ge_wide y)
{
  x.re = dd_sub (dd_mul (a.re, x.re), dd_mul (g.re, y.re));
  return x;
}
GE_INLINE ge_wide_pair
wide_mantissa_step (ge_wide_pair a, ge_wide_pair x, ge_wide_pair g,
                    ge_wide_pair y)
{
  ge_wide_pair ax = wide_mantissa_mul (a, x), gy = wide_mantissa_mul (g, y);
  x.re = dd_sub (ax.re, gy.re);
  x.im = dd_sub (ax.im, gy.im);
  return x;
}

/* a x + b y of the mantissas only; the result keeps the exponent of X.  */
GE_INLINE ge_wide
wide_mantissa_sum (ge_wide a, ge_wide x, ge_wide b, ge_wide y)
{
  x.re = dd_add (dd_mul (a.re, x.re), dd_mul (b.re, y.re));
  return x;
}
GE_INLINE ge_wide_pair
wide_mantissa_sum (ge_wide_pair a, ge_wide_pair x, ge_wide_pair b,
                   ge_wide_pair y)
{
  ge_wide_pair ax = wide_mantissa_mul (a, x), by = wide_mantissa_mul (b, y);
  x.re = dd_add (ax.re, by.re);
  x.im = dd_add (ax.im, by.im);
  return x;
}

/* The larger modulus of the real and the imaginary part of the mantissa.  */
GE_INLINE double
wide_mantissa_size (ge_wide a)
{
  return fabs (a.re.hi);
}
GE_INLINE double
wide_mantissa_size (ge_wide_pair a)
{
  return fmax (fabs (a.re.hi), fabs (a.im.hi));
}

/* A scalar unnormalized: the mantissa may be outside [1, 2), the exponent is
   0.  */
GE_INLINE ge_wide
wide_raw (double x)
{
  ge_wide a = { { x, 0 }, 0 };
  return a;
}
GE_INLINE ge_wide
wide_raw (float x)
{
  return wide_raw ((double) x);
}
GE_INLINE ge_wide_pair
wide_raw (cuDoubleComplex x)
{
  ge_wide_pair a = { { x.x, 0 }, { x.y, 0 }, 0 };
  return a;
}
GE_INLINE ge_wide_pair
wide_raw (cuComplex x)
{
  return wide_raw (make_cuDoubleComplex (x.x, x.y));
}

/* The wide type of a scalar type.  */
template <typename T> struct wide_type
{
  typedef ge_wide type;
};
template <> struct wide_type<cuComplex>
{
  typedef ge_wide_pair type;
};
template <> struct wide_type<cuDoubleComplex>
{
  typedef ge_wide_pair type;
};

/* A real number X in the wide type of the second argument.  */
GE_INLINE ge_wide
wide_whole (double x, ge_wide)
{
  return wide_of (x, 0);
}
GE_INLINE ge_wide_pair
wide_whole (double x, ge_wide_pair)
{
  return wide_pair_of (x, 0);
}

GE_INLINE ge_wide
wide_entry (float x)
{
  return wide_of (x, 0);
}
GE_INLINE ge_wide
wide_entry (double x)
{
  return wide_of (x, 0);
}
GE_INLINE ge_wide_pair
wide_entry (cuComplex x)
{
  return wide_pair_of (x.x, x.y);
}
GE_INLINE ge_wide_pair
wide_entry (cuDoubleComplex x)
{
  return wide_pair_of (x.x, x.y);
}

GE_INLINE double
wide_re (ge_wide a)
{
  return a.re.hi;
}
GE_INLINE double
wide_re (ge_wide_pair a)
{
  return a.re.hi;
}
GE_INLINE double
wide_im (ge_wide)
{
  return 0;
}
GE_INLINE double
wide_im (ge_wide_pair a)
{
  return a.im.hi;
}

#endif
