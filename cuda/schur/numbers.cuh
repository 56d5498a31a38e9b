/* Numbers of the QR algorithm beyond base/numbers.cuh: thresholds, cheap inverses,
   quotients, and sums of products in an order of their own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_NUMBERS_CUH
#define GE_SCHUR_NUMBERS_CUH 1

#include "base/numbers.cuh"
#include "base/scalar.cuh"

#define GE_SHARED_MATH "schur/standard_form.h"
#include "base/precisions.cuh"

/* S in single, D in double precision.  */
#define GE_BY_PRECISION(R, s, d) (sizeof (R) == 4 ? (R) (s) : (R) (d))

template <typename R> struct limits_of
{
  GE_DEVICE_INLINE R
  eps ()
  {
    return GE_BY_PRECISION (R, FLT_EPSILON, DBL_EPSILON);
  }
  GE_DEVICE_INLINE R
  least () /* smaller numbers are treated as 0; 1 / x is finite above */
  {
    return GE_BY_PRECISION (R, FLT_MIN / FLT_EPSILON, DBL_MIN / DBL_EPSILON);
  }
  /* Squares between these bounds and their inverses are exact enough.  */
  GE_DEVICE_INLINE R
  least_square ()
  {
    return GE_BY_PRECISION (R, 1e-25f, 1e-200);
  }
  GE_DEVICE_INLINE R
  largest_square ()
  {
    return GE_BY_PRECISION (R, 1e25f, 1e200);
  }
  /* Products of squares between these bounds are exact enough.  */
  GE_DEVICE_INLINE R
  least_fourth ()
  {
    return GE_BY_PRECISION (R, 1e-14f, 1e-100);
  }
  GE_DEVICE_INLINE R
  largest_fourth ()
  {
    return GE_BY_PRECISION (R, 1e14f, 1e100);
  }
};

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

template <typename T>
GE_DEVICE_INLINE T
divide (T x, T y)
{
  if constexpr (is_complex<T>::value)
    {
      const auto s = fmax (fabs (y.x), fabs (y.y));
      const T d = make_number<T> (y.x / s, y.y / s);
      const auto f = 1 / (d.x * d.x + d.y * d.y);
      const T z = make_number<T> (fma (x.x, d.x, x.y * d.y),
                                  fma (x.y, d.x, -(x.x * d.y)));
      return make_number<T> (z.x * f / s, z.y * f / s);
    }
  else
    return x / y;
}

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

/* The sum over a tile of SIZE lanes.  */
template <int SIZE, typename T>
GE_DEVICE_INLINE T
sum_over (T x)
{
  if constexpr (is_complex<T>::value)
    return { tile_sum<SIZE> (x.x), tile_sum<SIZE> (x.y) };
  else
    return tile_sum<SIZE> (x);
}

#endif
