/* Loads with a priority in the L2 cache.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CACHE_CUH
#define GE_CACHE_CUH 1

#include "base/numbers.cuh"

/* The part of the cache that one array can keep while others pass through it.  */
#define GE_KEPT_IN_CACHE 0.4

/* A policy of the cache by which the part KEPT of what is read, chosen by the address, is
   replaced last and the rest first: of a matrix larger than the cache that is read again and
   again nothing would be found there.  */
static __device__ __forceinline__ uint64_t
keep_part (float kept)
{
  uint64_t policy;
  asm("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, %1;"
      : "=l"(policy)
      : "f"(kept));
  return policy;
}

GE_DEVICE_INLINE double
load_by (const double *at, uint64_t policy)
{
  double x;
  asm volatile("ld.global.L2::cache_hint.f64 %0, [%1], %2;"
               : "=d"(x)
               : "l"(at), "l"(policy));
  return x;
}
GE_DEVICE_INLINE float
load_by (const float *at, uint64_t policy)
{
  float x;
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;"
               : "=f"(x)
               : "l"(at), "l"(policy));
  return x;
}
GE_DEVICE_INLINE cuComplex
load_by (const cuComplex *at, uint64_t policy)
{
  cuComplex x;
  asm volatile("ld.global.L2::cache_hint.v2.f32 {%0, %1}, [%2], %3;"
               : "=f"(x.x), "=f"(x.y)
               : "l"(at), "l"(policy));
  return x;
}
GE_DEVICE_INLINE cuDoubleComplex
load_by (const cuDoubleComplex *at, uint64_t policy)
{
  cuDoubleComplex x;
  asm volatile("ld.global.L2::cache_hint.v2.f64 {%0, %1}, [%2], %3;"
               : "=d"(x.x), "=d"(x.y)
               : "l"(at), "l"(policy));
  return x;
}

#endif
