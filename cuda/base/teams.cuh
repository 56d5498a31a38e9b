/* Threads that work together: tiles of a warp, and reductions over a tile and
   over a block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A collective names the lanes of its tile and no others: several tiles share a
   warp, and each may take its own branch or leave.  Within a tile all lanes take
   the same branch.  No other file has a mask of lanes or a warp intrinsic
   (tests/check_static.sh looks).  */

#ifndef GE_TEAMS_CUH
#define GE_TEAMS_CUH 1

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

/* SIZE neighbouring lanes, a power of 2 up to 32; 32 is the whole warp.  */
template <int SIZE>
using lane_tile
    = cooperative_groups::thread_block_tile<SIZE,
                                            cooperative_groups::thread_block>;

/* The tile that this thread stands in.  */
template <int SIZE>
static __device__ __forceinline__ lane_tile<SIZE>
this_tile (void)
{
  return cooperative_groups::tiled_partition<SIZE> (
      cooperative_groups::this_thread_block ());
}

static __device__ __forceinline__ lane_tile<32>
this_warp (void)
{
  return this_tile<32> ();
}

/* --- operations --- */

/* The larger one; NaN if one of them is NaN, which fmax would lose.  */
template <typename R> struct larger_of
{
  __device__ __forceinline__ R
  operator() (R x, R y) const
  {
    return x > y || x != x ? x : y;
  }
};

/* A number and where it was found.  */
template <typename R> struct ranked
{
  R value;
  int at;
};

/* The largest or smallest value, the first place of equals.  */
struct first_largest
{
  template <typename R>
  __device__ __forceinline__ ranked<R>
  operator() (ranked<R> x, ranked<R> y) const
  {
    return y.value > x.value || (y.value == x.value && y.at < x.at) ? y : x;
  }
};

struct first_smallest
{
  template <typename R>
  __device__ __forceinline__ ranked<R>
  operator() (ranked<R> x, ranked<R> y) const
  {
    return y.value < x.value || (y.value == x.value && y.at < x.at) ? y : x;
  }
};

/* --- reductions: fixed order, the same bits in all threads --- */

template <int SIZE, typename R>
static __device__ __forceinline__ R
tile_sum (R x)
{
  return cooperative_groups::reduce (this_tile<SIZE> (), x,
                                     cooperative_groups::plus<R> ());
}

template <int SIZE, typename R>
static __device__ __forceinline__ R
tile_max (R x)
{
  return cooperative_groups::reduce (this_tile<SIZE> (), x, larger_of<R> ());
}

/* Integers have an instruction of their own.  */
template <int SIZE>
static __device__ __forceinline__ int
tile_max (int x)
{
  return cooperative_groups::reduce (this_tile<SIZE> (), x,
                                     cooperative_groups::greater<int> ());
}

/* Every thread of a block of WARPS whole warps calls it; SPACE: one number a
   warp.  There is a barrier before SPACE is written and one after it, none at
   the end.  */
template <typename OP, typename R>
static __device__ __forceinline__ R
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
static __device__ __forceinline__ R
block_sum (R x, R *space, int warps)
{
  return block_reduce<cooperative_groups::plus<R>> (x, space, warps);
}

template <typename R>
static __device__ __forceinline__ R
block_max (R x, R *space, int warps)
{
  return block_reduce<larger_of<R>> (x, space, warps);
}

#endif
