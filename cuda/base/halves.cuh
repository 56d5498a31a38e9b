/* Products in single precision by numbers of half precision on tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Every number is h + l, two numbers of half precision, and a product is h h + h l + l h
   (Ootomo and Yokota 2022), which has an error of some units of single precision.

   The tensor cores truncate sums.  Sums of more than two terms h h are therefore made by
   additions, and where a sum is multiplied again and again the factors are made larger by half a
   unit: otherwise vectors would get shorter.  */

#ifndef GE_HALVES_CUH
#define GE_HALVES_CUH 1

#include <cuda_fp16.h>

#include "base/tensor.cuh"

/* How much longer vectors of norm 1 are made in single precision, so that no part of a pair of
   halves is lost.  */
#define HALVES_SCALE(R) ((R) (sizeof (R) == 4 ? 256 : 1))

/* TILES tiles, side by side, as a left operand (base/tensor.cuh): h and l.  */
template <int TILES> struct halves
{
  unsigned high[2 * TILES], low[2 * TILES];
};

/* X and Y as two of half precision each, h and l, side by side.  */
GE_DEVICE_INLINE void
split_pair (float x, float y, unsigned *high, unsigned *low)
{
  const __half2 h = __floats2half2_rn (x, y);
  const float2 f = __half22float2 (h);
  const __half2 l = __floats2half2_rn (x - f.x, y - f.y);
  *high = *(const unsigned *) &h;
  *low = *(const unsigned *) &l;
}

/* Set tile number I of Y.  */
template <int TILES>
GE_DEVICE_INLINE void
split_tile (halves<TILES> &y, int i, const float (&x)[4])
{
#pragma unroll
  for (int k = 0; k < 2; k++)
    split_pair (x[2 * k], x[2 * k + 1], &y.high[2 * i + k], &y.low[2 * i + k]);
}

GE_DEVICE_INLINE halves<1>
tile_of (const halves<2> &x, int i)
{
  return { { x.high[2 * i], x.high[2 * i + 1] },
           { x.low[2 * i], x.low[2 * i + 1] } };
}

#endif
