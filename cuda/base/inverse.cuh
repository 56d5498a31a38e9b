/* Reciprocals and inverse square roots without the branches of exact ones, of numbers far
   from underflow and overflow.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_INVERSE_CUH
#define GE_INVERSE_CUH 1

#include "base/cuda.cuh"

/* 1 / sqrt (X) and 1 / X to about 20 bits.  */
GE_DEVICE_INLINE double
approximate_inverse_root (double x)
{
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
GE_DEVICE_INLINE float
approximate_inverse_root (float x)
{
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
GE_DEVICE_INLINE double
approximate_inverse (double x)
{
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
GE_DEVICE_INLINE float
approximate_inverse (float x)
{
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/* 1 / sqrt (X) and 1 / X with errors of one or two units in the last place: a correction of
   third order in double precision, of second order in single precision.  */
GE_DEVICE_INLINE double
near_inverse_root (double x)
{
  const double y = approximate_inverse_root (x), e = fma (-(x * y), y, 1.0);
  return fma (y * e, fma (e, 0.375, 0.5), y);
}
GE_DEVICE_INLINE float
near_inverse_root (float x)
{
  const float y = approximate_inverse_root (x);
  return fmaf (y * 0.5f, fmaf (-(x * y), y, 1.0f), y);
}
GE_DEVICE_INLINE double
near_inverse (double x)
{
  const double y = approximate_inverse (x), e = fma (-x, y, 1.0);
  return fma (y, fma (e, e, e), y);
}
GE_DEVICE_INLINE float
near_inverse (float x)
{
  const float y = approximate_inverse (x);
  return fmaf (y, fmaf (-x, y, 1.0f), y);
}

#endif
