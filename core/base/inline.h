/* Qualifiers of functions in headers for both C and CUDA; a reciprocal.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_INLINE
#ifdef __CUDACC__
#  define GE_INLINE static __host__ __device__ __forceinline__
#  define GE_ALWAYS_INLINE GE_INLINE
#else
#  define GE_INLINE static inline
/* To be inlined into each version of a function with target_clones.  */
#  define GE_ALWAYS_INLINE static inline __attribute__ ((always_inline))
#endif

#include <math.h>

/* 1 / X, X far from underflow and overflow.  On the device an approximation with one cubic
   correction, accurate to one or two units in the last place, which has a third of the latency
   of a division.  */
GE_ALWAYS_INLINE double
ge_inverse (double x)
{
#ifdef __CUDA_ARCH__
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  const double t = fma (-x, y, 1.0);
  return fma (y, fma (t, t, t), y);
#else
  return 1 / x;
#endif
}
#endif
