/* Sums of real and complex numbers over a tile of lanes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_SUMS_CUH
#define GE_SCHUR_SUMS_CUH 1

#include "base/teams.cuh"
#include "schur/numbers.cuh"

template <int SIZE>
static __device__ __forceinline__ float
sum_over (float x)
{
  return tile_sum<SIZE> (x);
}
template <int SIZE>
static __device__ __forceinline__ double
sum_over (double x)
{
  return tile_sum<SIZE> (x);
}
template <int SIZE>
static __device__ __forceinline__ cuComplex
sum_over (cuComplex x)
{
  return make_number<cuComplex> (tile_sum<SIZE> (x.x), tile_sum<SIZE> (x.y));
}
template <int SIZE>
static __device__ __forceinline__ cuDoubleComplex
sum_over (cuDoubleComplex x)
{
  return make_number<cuDoubleComplex> (tile_sum<SIZE> (x.x),
                                       tile_sum<SIZE> (x.y));
}

#endif
