/* Arithmetic on the four scalar types for kernels: the same names for real and
   complex, single and double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The build disables contraction (--fmad=false), so fused multiply-adds are
   written explicitly here.  Every function rounds identically on every thread;
   values that several blocks compute redundantly are therefore equal bit for
   bit.  */

#ifndef GE_NUMBERS_CUH
#define GE_NUMBERS_CUH 1

#include "base/cuda.cuh"
#include "base/teams.cuh"

typedef lane_tile<32> ge_warp;

/* --- parts --- */

template <typename T>
GE_DEVICE_INLINE ge_real<T>
real_part (T x)
{
  if constexpr (is_complex<T>::value)
    return x.x;
  else
    return x;
}
template <typename T>
GE_DEVICE_INLINE ge_real<T>
imaginary_part (T x)
{
  if constexpr (is_complex<T>::value)
    return x.y;
  else
    return 0;
}

/* make_number<T> (re, im); the imaginary part of a real T is dropped.  */
template <typename T>
GE_DEVICE_INLINE T
make_number (ge_real<T> re, ge_real<T> im)
{
  if constexpr (is_complex<T>::value)
    return { re, im };
  else
    return re;
}

template <typename T>
GE_DEVICE_INLINE T
zero (void)
{
  return make_number<T> (0, 0);
}

template <typename T>
GE_DEVICE_INLINE void
set_number (T *x, ge_real<T> re, ge_real<T> im)
{
  *x = make_number<T> (re, im);
}

/* exponent_of: the e with |x| in [2^(e-1), 2^e), 0 for x = 0. scale_by: x
   2^e.  */
GE_DEVICE_INLINE int
exponent_of (double x)
{
  int e = 0;
  (void) frexp (x, &e);
  return e;
}
GE_DEVICE_INLINE int
exponent_of (float x)
{
  int e = 0;
  (void) frexpf (x, &e);
  return e;
}
GE_DEVICE_INLINE double
scale_by (double x, int e)
{
  return ldexp (x, e);
}
GE_DEVICE_INLINE float
scale_by (float x, int e)
{
  return ldexpf (x, e);
}

template <typename R>
GE_DEVICE_INLINE R
inverse_root (R x)
{
  return rsqrt (x);
}

/* --- arithmetic --- */

template <typename T>
GE_DEVICE_INLINE T
conjugate (T x)
{
  if constexpr (is_complex<T>::value)
    return make_number<T> (x.x, -x.y);
  else
    return x;
}

/* abs1: |re| + |im|; abs2: the square of the modulus; add_square: s + |x|^2;
   mul_add: s + x y; conj_mul_add: s + conj (x) y; mul_conj_add: s + x conj (y);
   mul_sub: s - x y; conj_mul_sub: s - conj (x) y; mul_conj_sub: s - x conj (y).  */
#define GE_REAL_ARITHMETIC(R)                                                  \
  GE_DEVICE_INLINE R plus (R x, R y) { return x + y; }                         \
  GE_DEVICE_INLINE R minus (R x, R y) { return x - y; }                        \
  GE_DEVICE_INLINE R negate (R x) { return -x; }                               \
  GE_DEVICE_INLINE R abs1 (R x) { return fabs (x); }                           \
  GE_DEVICE_INLINE R abs2 (R x) { return x * x; }                              \
  GE_DEVICE_INLINE int is_zero (R x) { return x == 0; }                        \
  GE_DEVICE_INLINE R times (R x, R y) { return x * y; }                        \
  GE_DEVICE_INLINE R mul_add (R x, R y, R s) { return fma (x, y, s); }         \
  GE_DEVICE_INLINE R conj_mul_add (R x, R y, R s) { return fma (x, y, s); }    \
  GE_DEVICE_INLINE R mul_conj_add (R x, R y, R s) { return fma (x, y, s); }    \
  GE_DEVICE_INLINE R mul_sub (R x, R y, R s) { return fma (-x, y, s); }        \
  GE_DEVICE_INLINE R conj_mul_sub (R x, R y, R s) { return fma (-x, y, s); }   \
  GE_DEVICE_INLINE R mul_conj_sub (R x, R y, R s) { return fma (-x, y, s); }   \
  GE_DEVICE_INLINE R add_square (R x, R s) { return fma (x, x, s); }
GE_REAL_ARITHMETIC (float)
GE_REAL_ARITHMETIC (double)
#undef GE_REAL_ARITHMETIC

#define GE_COMPLEX_ARITHMETIC(T, R)                                            \
  GE_DEVICE_INLINE T plus (T x, T y)                                           \
  {                                                                            \
    return make_number<T> (x.x + y.x, x.y + y.y);                              \
  }                                                                            \
  GE_DEVICE_INLINE T minus (T x, T y)                                          \
  {                                                                            \
    return make_number<T> (x.x - y.x, x.y - y.y);                              \
  }                                                                            \
  GE_DEVICE_INLINE T negate (T x) { return make_number<T> (-x.x, -x.y); }      \
  GE_DEVICE_INLINE R abs1 (T x) { return fabs (x.x) + fabs (x.y); }            \
  GE_DEVICE_INLINE R abs2 (T x) { return fma (x.x, x.x, x.y * x.y); }          \
  GE_DEVICE_INLINE int is_zero (T x) { return x.x == 0 && x.y == 0; }          \
  GE_DEVICE_INLINE T times (T x, T y)                                          \
  {                                                                            \
    return make_number<T> (fma (x.x, y.x, -x.y * y.y),                         \
                           fma (x.x, y.y, x.y * y.x));                         \
  }                                                                            \
  GE_DEVICE_INLINE T times (R x, T y)                                          \
  {                                                                            \
    return make_number<T> (x * y.x, x * y.y);                                  \
  }                                                                            \
  GE_DEVICE_INLINE T mul_add (T x, T y, T s)                                   \
  {                                                                            \
    return make_number<T> (fma (x.x, y.x, fma (-x.y, y.y, s.x)),               \
                           fma (x.x, y.y, fma (x.y, y.x, s.y)));               \
  }                                                                            \
  GE_DEVICE_INLINE T mul_add (R x, T y, T s)                                   \
  {                                                                            \
    return make_number<T> (fma (x, y.x, s.x), fma (x, y.y, s.y));              \
  }                                                                            \
  GE_DEVICE_INLINE T conj_mul_add (T x, T y, T s)                              \
  {                                                                            \
    return make_number<T> (fma (x.x, y.x, fma (x.y, y.y, s.x)),                \
                           fma (x.x, y.y, fma (-x.y, y.x, s.y)));              \
  }                                                                            \
  GE_DEVICE_INLINE T mul_conj_add (T x, T y, T s)                              \
  {                                                                            \
    return make_number<T> (fma (x.x, y.x, fma (x.y, y.y, s.x)),                \
                           fma (-x.x, y.y, fma (x.y, y.x, s.y)));              \
  }                                                                            \
  GE_DEVICE_INLINE T mul_sub (T x, T y, T s)                                   \
  {                                                                            \
    return mul_add (make_number<T> (-x.x, -x.y), y, s);                        \
  }                                                                            \
  GE_DEVICE_INLINE T mul_sub (R x, T y, T s) { return mul_add (-x, y, s); }    \
  GE_DEVICE_INLINE T conj_mul_sub (T x, T y, T s)                              \
  {                                                                            \
    return conj_mul_add (make_number<T> (-x.x, -x.y), y, s);                   \
  }                                                                            \
  GE_DEVICE_INLINE T mul_conj_sub (T x, T y, T s)                              \
  {                                                                            \
    return mul_conj_add (make_number<T> (-x.x, -x.y), y, s);                   \
  }                                                                            \
  GE_DEVICE_INLINE R add_square (T x, R s)                                     \
  {                                                                            \
    return fma (x.x, x.x, fma (x.y, x.y, s));                                  \
  }
GE_COMPLEX_ARITHMETIC (cuComplex, float)
GE_COMPLEX_ARITHMETIC (cuDoubleComplex, double)
#undef GE_COMPLEX_ARITHMETIC

/* --- shuffles and sums of a warp --- */

template <typename T>
GE_DEVICE_INLINE T
shuffle_xor (const ge_warp &warp, T x, int lanes)
{
  if constexpr (is_complex<T>::value)
    return { warp.shfl_xor (x.x, lanes), warp.shfl_xor (x.y, lanes) };
  else
    return warp.shfl_xor (x, lanes);
}

template <typename T>
GE_DEVICE_INLINE T
shuffle_from (const ge_warp &warp, T x, int lane)
{
  if constexpr (is_complex<T>::value)
    return { warp.shfl (x.x, lane), warp.shfl (x.y, lane) };
  else
    return warp.shfl (x, lane);
}

/* C (8-by-8) = A B by the tensor cores in double precision: with r = lane / 4 and c = lane % 4 a
   lane gives A (r, c) and B (c, r), and gets C (r, 2 c) and C (r, 2 c + 1).  */
GE_DEVICE_INLINE void
multiply_by_lanes (double (&c)[2], double a, double b)
{
  c[0] = c[1] = 0;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
               "{%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(a), "d"(b));
}

/* The sum over each group of LANES lanes with consecutive numbers, in all of its lanes and with
   equal bits.  Of doubles in a whole warp by products with ones, which takes less time than
   shuffles.  */
template <int LANES = 32, typename T>
GE_DEVICE_INLINE T
warp_sum (const ge_warp &warp, T x)
{
  if constexpr (LANES == 32 && std::is_same_v<T, double>)
    {
      double c[2];
      multiply_by_lanes (c, 1, x);
      multiply_by_lanes (c, 1, c[0] + c[1]);
      return c[0];
    }
  else if constexpr (LANES == 32 && std::is_same_v<T, cuDoubleComplex>)
    return { warp_sum (warp, x.x), warp_sum (warp, x.y) };
  else
    {
#pragma unroll
      for (int k = LANES / 2; k > 0; k /= 2)
        x = plus (x, shuffle_xor (warp, x, k));
      return x;
    }
}

/* Four sums over the warp: lanes 8 q to 8 q + 7 get the sum of X[q].  By shuffles, six per real number
   instead of twenty; or in double precision by products with ones, which take less time unless
   sixteen warps of a block wait for each other.  */
template <typename T>
GE_DEVICE_INLINE T
shuffled_sum_of_four (const ge_warp &warp, const T x[4])
{
  const int lane = warp.thread_rank ();
  const bool high = lane & 16, odd = lane & 8;
  T a = high ? x[2] : x[0], b = high ? x[3] : x[1];
  const T give_a = high ? x[0] : x[2], give_b = high ? x[1] : x[3];
  a = plus (a, shuffle_xor (warp, give_a, 16));
  b = plus (b, shuffle_xor (warp, give_b, 16));
  T s = odd ? b : a;
  const T give = odd ? a : b;
  s = plus (s, shuffle_xor (warp, give, 8));
  return warp_sum<8> (warp, s);
}
template <typename T>
GE_DEVICE_INLINE T
warp_sum_of_four (const ge_warp &warp, const T x[4])
{
  if constexpr (std::is_same_v<T, double>)
    {
      const int q = warp.thread_rank () / 8;
      double c[2], sum[4];
#pragma unroll
      for (int k = 0; k < 4; k++)
        {
          multiply_by_lanes (c, 1, x[k]);
          sum[k] = c[0] + c[1];
        }
      multiply_by_lanes (
          c, q & 2 ? (q & 1 ? sum[3] : sum[2]) : (q & 1 ? sum[1] : sum[0]), 1);
      return c[0];
    }
  else
    return shuffled_sum_of_four (warp, x);
}

#endif
