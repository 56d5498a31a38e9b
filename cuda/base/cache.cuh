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

/* The number *AT, read by POLICY.  */
template <typename T>
GE_DEVICE_INLINE T
load_by (const T *at, uint64_t policy)
{
  unsigned long long w[2];
  T x;
  if constexpr (sizeof (T) == 4)
    {
      unsigned y;
      asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;"
                   : "=r"(y)
                   : "l"(at), "l"(policy));
      w[0] = y;
    }
  else if constexpr (sizeof (T) == 8)
    asm volatile("ld.global.L2::cache_hint.b64 %0, [%1], %2;"
                 : "=l"(w[0])
                 : "l"(at), "l"(policy));
  else
    asm volatile("ld.global.L2::cache_hint.v2.b64 {%0, %1}, [%2], %3;"
                 : "=l"(w[0]), "=l"(w[1])
                 : "l"(at), "l"(policy));
  memcpy (&x, w, sizeof x);
  return x;
}

#endif
