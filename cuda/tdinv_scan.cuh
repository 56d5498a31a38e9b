/* The scan of the tridiagonal inverse's recurrences and sums.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_SCAN_CUH
#define GE_TDINV_SCAN_CUH 1

#include "cuda.cuh"

/* Inclusive scan over the 32 threads of a block by join (later, earlier), which
   E brings along; SHARED has 32 elements.  */
template <typename E>
static __device__ E
scan_block (E mine, E *shared)
{
  int lane = threadIdx.x;
  for (int distance = 1; distance < 32; distance *= 2)
    {
      shared[lane] = mine;
      __syncwarp ();
      if (lane >= distance)
        mine = join (mine, shared[lane - distance]);
      __syncwarp ();
    }
  return mine;
}

#endif
