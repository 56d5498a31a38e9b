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

/* The wide type of a scalar type, and whether a wide type is that of complex ones.  */
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
template <typename W> struct is_wide_pair
{
  static const int value = sizeof (W) == sizeof (ge_wide_pair);
};

/* a x - g y of the mantissas only; the result keeps the exponent of X.  */
template <typename W>
GE_INLINE W
wide_mantissa_step (W a, W x, W g, W y)
{
  if constexpr (is_wide_pair<W>::value)
    {
      const W ax = wide_mantissa_mul (a, x), gy = wide_mantissa_mul (g, y);
      x.re = dd_sub (ax.re, gy.re);
      x.im = dd_sub (ax.im, gy.im);
    }
  else
    x.re = dd_sub (dd_mul (a.re, x.re), dd_mul (g.re, y.re));
  return x;
}

/* a x + b y of the mantissas only; the result keeps the exponent of X.  */
template <typename W>
GE_INLINE W
wide_mantissa_sum (W a, W x, W b, W y)
{
  if constexpr (is_wide_pair<W>::value)
    {
      const W ax = wide_mantissa_mul (a, x), by = wide_mantissa_mul (b, y);
      x.re = dd_add (ax.re, by.re);
      x.im = dd_add (ax.im, by.im);
    }
  else
    x.re = dd_add (dd_mul (a.re, x.re), dd_mul (b.re, y.re));
  return x;
}

/* A scalar unnormalized: the mantissa may be outside [1, 2), the exponent is
   0.  */
template <typename T>
GE_INLINE typename wide_type<T>::type
wide_raw (T x)
{
  if constexpr (is_complex<T>::value)
    return { { (double) x.x, 0 }, { (double) x.y, 0 }, 0 };
  else
    return { { (double) x, 0 }, 0 };
}

/* A real number X in the wide type of the second argument.  */
template <typename W>
GE_INLINE W
wide_whole (double x, W)
{
  if constexpr (is_wide_pair<W>::value)
    return wide_pair_of (x, 0);
  else
    return wide_of (x, 0);
}

template <typename T>
GE_INLINE typename wide_type<T>::type
wide_entry (T x)
{
  if constexpr (is_complex<T>::value)
    return wide_pair_of (x.x, x.y);
  else
    return wide_of (x, 0);
}

template <typename W>
GE_INLINE double
wide_re (W a)
{
  return a.re.hi;
}
template <typename W>
GE_INLINE double
wide_im (W a)
{
  if constexpr (is_wide_pair<W>::value)
    return a.im.hi;
  else
    return 0;
}

#endif
