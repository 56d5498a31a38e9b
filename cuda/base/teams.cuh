/* Cooperation of threads: tiles of a warp, and reductions over a tile or a
   block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A collective operation involves the lanes of its tile and no others.  Several
   tiles may share a warp, and each may branch differently or exit; within a
   tile all lanes must reach the same collectives.  No other file contains lane
   masks or warp intrinsics (tests/check_static.sh verifies that).  */

#ifndef GE_TEAMS_CUH
#define GE_TEAMS_CUH 1

#include "base/cuda.cuh"

/* Without the headers of libcu++, which take longer to compile than most files
   here.  */
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

/* SIZE neighbouring lanes, a power of 2 up to 32; 32 is the whole warp.  */
template <int SIZE>
using lane_tile
    = cooperative_groups::thread_block_tile<SIZE,
                                            cooperative_groups::thread_block>;

/* The tile of this thread.  */
template <int SIZE>
GE_DEVICE_INLINE lane_tile<SIZE>
this_tile (void)
{
  return cooperative_groups::tiled_partition<SIZE> (
      cooperative_groups::this_thread_block ());
}

GE_DEVICE_INLINE lane_tile<32>
this_warp (void)
{
  return this_tile<32> ();
}

/* --- operations --- */

/* The larger number; NaN if either is NaN, unlike fmax.  */
template <typename R> struct larger_of
{
  __device__ __forceinline__ R
  operator() (R x, R y) const
  {
    return x > y || x != x ? x : y;
  }
};

/* A number and its index.  */
template <typename R> struct ranked
{
  R value;
  int at;
};

/* The largest value; of equal ones that with the least index.  */
struct first_largest
{
  template <typename R>
  __device__ __forceinline__ ranked<R>
  operator() (ranked<R> x, ranked<R> y) const
  {
    return y.value > x.value || (y.value == x.value && y.at < x.at) ? y : x;
  }
};

/* --- reductions: fixed order, the same bits in all threads --- */

template <int SIZE, typename R>
GE_DEVICE_INLINE R
tile_sum (R x)
{
  return cooperative_groups::reduce (this_tile<SIZE> (), x,
                                     cooperative_groups::plus<R> ());
}

template <int SIZE, typename R>
GE_DEVICE_INLINE R
tile_max (R x)
{
  return cooperative_groups::reduce (this_tile<SIZE> (), x, larger_of<R> ());
}

/* Integers are reduced by one hardware instruction.  */
template <int SIZE>
GE_DEVICE_INLINE int
tile_max (int x)
{
  return cooperative_groups::reduce (this_tile<SIZE> (), x,
                                     cooperative_groups::greater<int> ());
}

template <int SIZE>
GE_DEVICE_INLINE int
tile_or (int x)
{
  return cooperative_groups::reduce (this_tile<SIZE> (), x,
                                     cooperative_groups::bit_or<int> ());
}

/* Called by all threads of a block of WARPS whole warps; SPACE is shared memory
   for WARPS numbers.  There is a barrier before SPACE is written and one after,
   none at the end: the caller must synchronise before SPACE is written
   otherwise.  The next call of block_reduce does so itself.  */
template <typename OP, typename R>
GE_DEVICE_INLINE R
block_reduce (R x, R *space, int warps)
{
  x = cooperative_groups::reduce (this_warp (), x, OP ());
  __syncthreads ();
  if (threadIdx.x % 32 == 0)
    space[threadIdx.x / 32] = x;
  __syncthreads ();
  x = space[0];
  for (int w = 1; w < warps; w++)
    x = OP () (x, space[w]);
  return x;
}

template <typename R>
GE_DEVICE_INLINE R
block_sum (R x, R *space, int warps)
{
  return block_reduce<cooperative_groups::plus<R>> (x, space, warps);
}

template <typename R>
GE_DEVICE_INLINE R
block_max (R x, R *space, int warps)
{
  return block_reduce<larger_of<R>> (x, space, warps);
}

/* --- teams of T threads: part of a warp, a warp, or a block of whole warps --- */

template <int T>
GE_DEVICE_INLINE void
team_sync (void)
{
  if constexpr (T <= 32)
    this_tile<T> ().sync ();
  else
    __syncthreads ();
}

/* SPACE: shared memory for one number per warp of the team, see block_reduce.  */
template <int T, typename R>
GE_DEVICE_INLINE R
team_sum (R x, R *space)
{
  if constexpr (T <= 32)
    return tile_sum<T> (x);
  else
    return block_sum (x, space, T / 32);
}

/* NaN if any X is NaN.  */
template <int T, typename R>
GE_DEVICE_INLINE R
team_max (R x, R *space)
{
  if constexpr (T <= 32)
    return tile_max<T> (x);
  else
    return block_max (x, space, T / 32);
}
template <int T>
GE_DEVICE_INLINE int
team_max (int x, int *space)
{
  if constexpr (T <= 32)
    return tile_max<T> (x);
  else
    return block_reduce<cooperative_groups::greater<int>> (x, space, T / 32);
}

#endif
