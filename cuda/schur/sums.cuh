/* Sums of real and complex numbers over a tile of lanes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_SUMS_CUH
#define GE_SCHUR_SUMS_CUH 1

#include "base/teams.cuh"
#include "schur/numbers.cuh"

template <int SIZE>
GE_DEVICE_INLINE float
sum_over (float x)
{
  return tile_sum<SIZE> (x);
}
template <int SIZE>
GE_DEVICE_INLINE double
sum_over (double x)
{
  return tile_sum<SIZE> (x);
}
template <int SIZE>
GE_DEVICE_INLINE cuComplex
sum_over (cuComplex x)
{
  return make_number<cuComplex> (tile_sum<SIZE> (x.x), tile_sum<SIZE> (x.y));
}
template <int SIZE>
GE_DEVICE_INLINE cuDoubleComplex
sum_over (cuDoubleComplex x)
{
  return make_number<cuDoubleComplex> (tile_sum<SIZE> (x.x),
                                       tile_sum<SIZE> (x.y));
}

#endif
