/* Arithmetic of real and complex numbers under one name, for kernels that are
   written once for four types.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_NUMBERS_CUH
#define GE_SCHUR_NUMBERS_CUH 1

#include "base/cuda.cuh"
#include "base/scalar.cuh"

#define GE_SHARED_MATH "schur/standard_form.h"
#include "base/precisions.cuh"

template <typename R> struct limits_of;
template <> struct limits_of<float>
{
  static __device__ __forceinline__ float
  eps ()
  {
    return FLT_EPSILON;
  }
  static __device__ __forceinline__ float
  least () /* smaller numbers are treated as 0; 1 / x is finite above */
  {
    return FLT_MIN / FLT_EPSILON;
  }
  /* Squares between these bounds and their inverses are exact enough.  */
  static __device__ __forceinline__ float
  least_square ()
  {
    return 1e-25f;
  }
  static __device__ __forceinline__ float
  largest_square ()
  {
    return 1e25f;
  }
  /* Products of squares between these bounds are exact enough.  */
  static __device__ __forceinline__ float
  least_fourth ()
  {
    return 1e-14f;
  }
  static __device__ __forceinline__ float
  largest_fourth ()
  {
    return 1e14f;
  }
};
template <> struct limits_of<double>
{
  static __device__ __forceinline__ double
  eps ()
  {
    return DBL_EPSILON;
  }
  static __device__ __forceinline__ double
  least ()
  {
    return DBL_MIN / DBL_EPSILON;
  }
  static __device__ __forceinline__ double
  least_square ()
  {
    return 1e-200;
  }
  static __device__ __forceinline__ double
  largest_square ()
  {
    return 1e200;
  }
  /* Products of squares between these bounds are exact enough.  */
  static __device__ __forceinline__ double
  least_fourth ()
  {
    return 1e-100;
  }
  static __device__ __forceinline__ double
  largest_fourth ()
  {
    return 1e100;
  }
};

static __device__ __forceinline__ float
inverse_root (float x)
{
  return rsqrtf (x);
}
static __device__ __forceinline__ double
inverse_root (double x)
{
  return rsqrt (x);
}

/* The power of 2 by which a normal x > 0 is scaled to [1, 2).  */
static __device__ __forceinline__ float
inverse_power (float x)
{
  const int e = __float_as_int (x) >> 23 & 0xff;
  return __int_as_float ((e < 254 ? 254 - e : 1) << 23);
}
static __device__ __forceinline__ double
inverse_power (double x)
{
  const long long e = __double_as_longlong (x) >> 52 & 0x7ff;
  return __longlong_as_double ((e < 2046 ? 2046 - e : 1) << 52);
}

#define GE_REAL_NUMBERS(R)                                                     \
  static __device__ __forceinline__ R re_of (R x) { return x; }                \
  static __device__ __forceinline__ R im_of (R) { return 0; }                  \
  static __device__ __forceinline__ void set (R *x, R re, R) { *x = re; }      \
  static __device__ __forceinline__ R conjugate (R x) { return x; }            \
  static __device__ __forceinline__ R plus (R x, R y) { return x + y; }        \
  static __device__ __forceinline__ R minus (R x, R y) { return x - y; }       \
  static __device__ __forceinline__ R times (R x, R y) { return x * y; }       \
  static __device__ __forceinline__ R scaled (R x, R f) { return x * f; }      \
  static __device__ __forceinline__ R add_times (R s, R x, R y)                \
  {                                                                            \
    return fma (x, y, s);                                                      \
  }                                                                            \
  static __device__ __forceinline__ R add_conj_times (R s, R x, R y)           \
  {                                                                            \
    return fma (x, y, s);                                                      \
  }                                                                            \
  static __device__ __forceinline__ R sub_times (R s, R x, R y)                \
  {                                                                            \
    return fma (-x, y, s);                                                     \
  }                                                                            \
  static __device__ __forceinline__ R sub_conj_times (R s, R x, R y)           \
  {                                                                            \
    return fma (-x, y, s);                                                     \
  }                                                                            \
  static __device__ __forceinline__ R abs1 (R x) { return fabs (x); }          \
  static __device__ __forceinline__ R abs2 (R x) { return x * x; }             \
  static __device__ __forceinline__ int is_zero (R x) { return x == 0; }       \
  static __device__ __forceinline__ R divide (R x, R y) { return x / y; }
GE_REAL_NUMBERS (float)
GE_REAL_NUMBERS (double)
#undef GE_REAL_NUMBERS

#define GE_COMPLEX_NUMBERS(C, R, pair_of)                                      \
  static __device__ __forceinline__ R re_of (C x) { return x.x; }              \
  static __device__ __forceinline__ R im_of (C x) { return x.y; }              \
  static __device__ __forceinline__ void set (C *x, R re, R im)                \
  {                                                                            \
    x->x = re;                                                                 \
    x->y = im;                                                                 \
  }                                                                            \
  static __device__ __forceinline__ C conjugate (C x)                          \
  {                                                                            \
    return pair_of (x.x, -x.y);                                                \
  }                                                                            \
  static __device__ __forceinline__ C plus (C x, C y)                          \
  {                                                                            \
    return pair_of (x.x + y.x, x.y + y.y);                                     \
  }                                                                            \
  static __device__ __forceinline__ C minus (C x, C y)                         \
  {                                                                            \
    return pair_of (x.x - y.x, x.y - y.y);                                     \
  }                                                                            \
  static __device__ __forceinline__ C scaled (C x, R f)                        \
  {                                                                            \
    return pair_of (x.x * f, x.y * f);                                         \
  }                                                                            \
  static __device__ __forceinline__ C times (C x, C y)                         \
  {                                                                            \
    return pair_of (fma (x.x, y.x, -(x.y * y.y)), fma (x.x, y.y, x.y * y.x));  \
  }                                                                            \
  static __device__ __forceinline__ C add_times (C s, C x, C y)                \
  {                                                                            \
    return pair_of (fma (-x.y, y.y, fma (x.x, y.x, s.x)),                      \
                    fma (x.y, y.x, fma (x.x, y.y, s.y)));                      \
  }                                                                            \
  static __device__ __forceinline__ C add_conj_times (C s, C x, C y)           \
  {                                                                            \
    return pair_of (fma (x.y, y.y, fma (x.x, y.x, s.x)),                       \
                    fma (-x.y, y.x, fma (x.x, y.y, s.y)));                     \
  }                                                                            \
  static __device__ __forceinline__ C sub_times (C s, C x, C y)                \
  {                                                                            \
    return pair_of (fma (x.y, y.y, fma (-x.x, y.x, s.x)),                      \
                    fma (-x.y, y.x, fma (-x.x, y.y, s.y)));                    \
  }                                                                            \
  static __device__ __forceinline__ C sub_conj_times (C s, C x, C y)           \
  {                                                                            \
    return pair_of (fma (-x.y, y.y, fma (-x.x, y.x, s.x)),                     \
                    fma (x.y, y.x, fma (-x.x, y.y, s.y)));                     \
  }                                                                            \
  static __device__ __forceinline__ R abs1 (C x)                               \
  {                                                                            \
    return fabs (x.x) + fabs (x.y);                                            \
  }                                                                            \
  static __device__ __forceinline__ R abs2 (C x)                               \
  {                                                                            \
    return fma (x.x, x.x, x.y * x.y);                                          \
  }                                                                            \
  static __device__ __forceinline__ int is_zero (C x)                          \
  {                                                                            \
    return x.x == 0 && x.y == 0;                                               \
  }                                                                            \
  static __device__ __forceinline__ C divide (C x, C y)                        \
  {                                                                            \
    const R s = fmax (fabs (y.x), fabs (y.y));                                 \
    const C d = pair_of (y.x / s, y.y / s);                                    \
    const R f = 1 / (d.x * d.x + d.y * d.y);                                   \
    const C z                                                                  \
        = pair_of (fma (x.x, d.x, x.y * d.y), fma (x.y, d.x, -(x.x * d.y)));   \
    return pair_of (z.x * f / s, z.y * f / s);                                 \
  }                                                                            \
  /* the root with nonnegative real part; 0 where |x|^2 is tiny */             \
  static __device__ __forceinline__ C root_of (C x)                            \
  {                                                                            \
    const R square = abs2 (x);                                                 \
    if (square <= limits_of<R>::least ())                                      \
      return pair_of (0, 0);                                                   \
    const R m = square * inverse_root (square), h = (m + fabs (x.x)) / 2;      \
    const R f = inverse_root (h), r = h * f, q = x.y * f / 2;                  \
    return x.x >= 0 ? pair_of (r, q) : pair_of (fabs (q), x.y < 0 ? -r : r);   \
  }
GE_COMPLEX_NUMBERS (cuComplex, float, make_cuComplex)
GE_COMPLEX_NUMBERS (cuDoubleComplex, double, make_cuDoubleComplex)
#undef GE_COMPLEX_NUMBERS

template <typename T>
static __device__ __forceinline__ T
number (typename real_of<T>::type re, typename real_of<T>::type im = 0)
{
  T x;
  set (&x, re, im);
  return x;
}

#endif
