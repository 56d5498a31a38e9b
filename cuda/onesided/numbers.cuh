/* Numbers of four types as pairs of reals, for kernels.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ONESIDED_NUMBERS_CUH
#define GE_ONESIDED_NUMBERS_CUH 1

#include "base/cuda.cuh"
#include "base/teams.cuh"

static __device__ __forceinline__ float
real_part (float x)
{
  return x;
}
static __device__ __forceinline__ double
real_part (double x)
{
  return x;
}
static __device__ __forceinline__ float
real_part (cuComplex x)
{
  return x.x;
}
static __device__ __forceinline__ double
real_part (cuDoubleComplex x)
{
  return x.x;
}
static __device__ __forceinline__ float
imaginary_part (float)
{
  return 0;
}
static __device__ __forceinline__ double
imaginary_part (double)
{
  return 0;
}
static __device__ __forceinline__ float
imaginary_part (cuComplex x)
{
  return x.y;
}
static __device__ __forceinline__ double
imaginary_part (cuDoubleComplex x)
{
  return x.y;
}
static __device__ __forceinline__ void
set_number (float *x, float re, float)
{
  *x = re;
}
static __device__ __forceinline__ void
set_number (double *x, double re, double)
{
  *x = re;
}
static __device__ __forceinline__ void
set_number (cuComplex *x, float re, float im)
{
  *x = make_cuComplex (re, im);
}
static __device__ __forceinline__ void
set_number (cuDoubleComplex *x, double re, double im)
{
  *x = make_cuDoubleComplex (re, im);
}

/* Exponent e of |x| in [2^(e-1), 2^e), 0 for 0; and x 2^e.  */
static __device__ __forceinline__ int
exponent_of (double x)
{
  int e = 0;
  (void) frexp (x, &e);
  return e;
}
static __device__ __forceinline__ int
exponent_of (float x)
{
  int e = 0;
  (void) frexpf (x, &e);
  return e;
}
static __device__ __forceinline__ double
scale_by (double x, int e)
{
  return ldexp (x, e);
}
static __device__ __forceinline__ float
scale_by (float x, int e)
{
  return ldexpf (x, e);
}

#endif
