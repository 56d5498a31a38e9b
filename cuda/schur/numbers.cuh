/* What the QR algorithm needs beyond base/numbers.cuh: thresholds, cheap inverses,
   quotients, and sums of products in an order of their own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_NUMBERS_CUH
#define GE_SCHUR_NUMBERS_CUH 1

#include "base/numbers.cuh"
#include "base/scalar.cuh"

#define GE_SHARED_MATH "schur/standard_form.h"
#include "base/precisions.cuh"

template <typename R> struct limits_of;
template <> struct limits_of<float>
{
  GE_DEVICE_INLINE float
  eps ()
  {
    return FLT_EPSILON;
  }
  GE_DEVICE_INLINE float
  least () /* smaller numbers are treated as 0; 1 / x is finite above */
  {
    return FLT_MIN / FLT_EPSILON;
  }
  /* Squares between these bounds and their inverses are exact enough.  */
  GE_DEVICE_INLINE float
  least_square ()
  {
    return 1e-25f;
  }
  GE_DEVICE_INLINE float
  largest_square ()
  {
    return 1e25f;
  }
  /* Products of squares between these bounds are exact enough.  */
  GE_DEVICE_INLINE float
  least_fourth ()
  {
    return 1e-14f;
  }
  GE_DEVICE_INLINE float
  largest_fourth ()
  {
    return 1e14f;
  }
};
template <> struct limits_of<double>
{
  GE_DEVICE_INLINE double
  eps ()
  {
    return DBL_EPSILON;
  }
  GE_DEVICE_INLINE double
  least ()
  {
    return DBL_MIN / DBL_EPSILON;
  }
  GE_DEVICE_INLINE double
  least_square ()
  {
    return 1e-200;
  }
  GE_DEVICE_INLINE double
  largest_square ()
  {
    return 1e200;
  }
  /* Products of squares between these bounds are exact enough.  */
  GE_DEVICE_INLINE double
  least_fourth ()
  {
    return 1e-100;
  }
  GE_DEVICE_INLINE double
  largest_fourth ()
  {
    return 1e100;
  }
};

GE_DEVICE_INLINE float
inverse_root (float x)
{
  return rsqrtf (x);
}
GE_DEVICE_INLINE double
inverse_root (double x)
{
  return rsqrt (x);
}

/* The power of 2 by which a normal x > 0 is scaled to [1, 2).  */
GE_DEVICE_INLINE float
inverse_power (float x)
{
  const int e = __float_as_int (x) >> 23 & 0xff;
  return __int_as_float ((e < 254 ? 254 - e : 1) << 23);
}
GE_DEVICE_INLINE double
inverse_power (double x)
{
  const long long e = __double_as_longlong (x) >> 52 & 0x7ff;
  return __longlong_as_double ((e < 2046 ? 2046 - e : 1) << 52);
}

#define GE_REAL_NUMBERS(R)                                                     \
  GE_DEVICE_INLINE R divide (R x, R y) { return x / y; }
GE_REAL_NUMBERS (float)
GE_REAL_NUMBERS (double)
#undef GE_REAL_NUMBERS

#define GE_COMPLEX_NUMBERS(C, R)                                               \
  GE_DEVICE_INLINE C divide (C x, C y)                                         \
  {                                                                            \
    const R s = fmax (fabs (y.x), fabs (y.y));                                 \
    const C d = make_number<C> (y.x / s, y.y / s);                             \
    const R f = 1 / (d.x * d.x + d.y * d.y);                                   \
    const C z = make_number<C> (fma (x.x, d.x, x.y * d.y),                     \
                                fma (x.y, d.x, -(x.x * d.y)));                 \
    return make_number<C> (z.x * f / s, z.y * f / s);                          \
  }
GE_COMPLEX_NUMBERS (cuComplex, float)
GE_COMPLEX_NUMBERS (cuDoubleComplex, double)
#undef GE_COMPLEX_NUMBERS

/* Nonzero if balancing scales or isolates a row: COLUMN and ROW are the sums of squares
   of its column and row, REST and OTHER the same without the diagonal.  The scaling by
   powers of 2 and the limit 0.95 are those of LAPACK's xGEBAL.  */
template <typename R>
GE_DEVICE_INLINE int
balancing_scales (R column, R row, R rest, R other)
{
  const R least = limits_of<R>::least_square ();
  if (! (rest > least && other > least))
    return 1;
  if (! (column < row / 4 || column >= row * 4))
    return 0;
  R c = sqrt (column), r = sqrt (row);
  const R sum = c + r;
  for (; c < r / 2; c *= 2)
    r /= 2;
  for (; c >= r * 2; c /= 2)
    r *= 2;
  return c + r < (R) 0.95 * sum;
}

#endif
