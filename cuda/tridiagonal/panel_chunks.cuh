/* Chunks of rows of a panel in shared memory, their products, and sums over all rows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TRIDIAGONAL_PANEL_CHUNKS_CUH
#define GE_TRIDIAGONAL_PANEL_CHUNKS_CUH 1

#include <cuda_pipeline.h>

#include "base/cluster.cuh"
#include "base/launch.cuh"
#include "base/tensor.cuh"
#include "tridiagonal/block_reflectors.cuh"

enum
{
  TALL = GE_FACTOR,     /* columns, and rows of the factors */
  CHUNK = 32,           /* rows in shared memory at a time */
  CHUNK_LD = CHUNK + 4, /* their distance, without bank conflicts below */
  PASS_THREADS = 256,
  GRAM_PARTS = 64,      /* the most parts of the sums of a pass */
  CLUSTERS_BLOCKS = 256 /* its most blocks where clusters add theirs */
};

/* A thread has row r and columns c to c + 3 of a chunk; X: the chunk in shared memory, by
   columns.  ROW, of the thread, and END: rows of the matrix.  */
template <typename T>
GE_DEVICE_INLINE void
read_chunk (const T *from, int64_t ld, int64_t row, int64_t end, T (&y)[4])
{
  const int c = (int) threadIdx.x / 32 * 4;
#pragma unroll
  for (int e = 0; e < 4; e++)
    y[e] = row < end ? from[row + ld * (c + e)] : zero<T> ();
}

template <typename T>
GE_DEVICE_INLINE void
clear_chunk (T (&y)[4])
{
#pragma unroll
  for (int e = 0; e < 4; e++)
    y[e] = zero<T> ();
}

template <typename T>
GE_DEVICE_INLINE void
write_chunk (T *x, const T (&y)[4])
{
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
  __syncthreads ();
#pragma unroll
  for (int e = 0; e < 4; e++)
    x[r + CHUNK_LD * (c + e)] = y[e];
  __syncthreads ();
}

/* Y += X M, M having LD_M rows of which the first TALL are used, all zero below
   the diagonal for UPPER.  */
template <bool UPPER, typename T>
GE_DEVICE_INLINE void
multiply_chunk (const T *x, const T *m, int ld_m, T (&y)[4])
{
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
#pragma unroll 8
  for (int l = 0; l < (UPPER ? c + 4 : TALL); l++)
#pragma unroll
    for (int e = 0; e < 4; e++)
      y[e] = mul_add (x[r + CHUNK_LD * l], m[l + ld_m * (c + e)], y[e]);
}

/* X' Y of two chunks, 32 by 32, summed over chunks, in double precision by tensor cores: warp
   w has rows 16 (w / 4) to 16 (w / 4) + 15 and columns 8 (w % 4) to 8 (w % 4) + 7.  */
struct gram_sum
{
  double re[4], im[4];
};

GE_DEVICE_INLINE void
clear_sum (gram_sum &g)
{
#pragma unroll
  for (int e = 0; e < 4; e++)
    g.re[e] = g.im[e] = 0;
}

/* X Y of fragments (base/tensor.cuh) is added to G, or conj (X) Y: the first operand has four
   numbers, the second two.  */
template <bool CONJUGATE, typename T>
GE_DEVICE_INLINE void
multiply_fragments (gram_sum &g, const T (&a)[4], const T (&b)[2])
{
  double re[4], im[4], y_re[2], y_im[2];
#pragma unroll
  for (int e = 0; e < 4; e++)
    {
      re[e] = real_part (a[e]);
      im[e] = CONJUGATE ? imaginary_part (a[e]) : -imaginary_part (a[e]);
    }
#pragma unroll
  for (int e = 0; e < 2; e++)
    {
      y_re[e] = real_part (b[e]);
      y_im[e] = imaginary_part (b[e]);
    }
  multiply_tiles (g.re, re[0], re[1], re[2], re[3], y_re[0], y_re[1]);
  if (is_complex<T>::value)
    {
      multiply_tiles (g.re, im[0], im[1], im[2], im[3], y_im[0], y_im[1]);
      multiply_tiles (g.im, re[0], re[1], re[2], re[3], y_im[0], y_im[1]);
      multiply_tiles (g.im, -im[0], -im[1], -im[2], -im[3], y_re[0], y_re[1]);
    }
}

template <typename T>
GE_DEVICE_INLINE void
add_chunks (gram_sum &g, const T *x, const T *y)
{
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
  x += lane % 4 + CHUNK_LD * (wid / 4 * 16 + lane / 4);
  y += lane % 4 + CHUNK_LD * (wid % 4 * 8 + lane / 4);
#pragma unroll 4
  for (int l = 0; l < CHUNK; l += 8)
    {
      const T a[4]
          = { x[l], x[l + CHUNK_LD * 8], x[l + 4], x[l + 4 + CHUNK_LD * 8] },
          b[2] = { y[l], y[l + 4] };
      multiply_fragments<true> (g, a, b);
    }
}

/* To a part of PARTS, row by row: the sum of the blocks of a cluster, of which each adds a
   share of the numbers.  TILE: TALL^2 numbers of shared memory.  */
template <typename T>
GE_DEVICE_INLINE void
store_sum (const gram_sum &g, T *tile, T *parts)
{
  typedef ge_real<T> R;
  constexpr int SIZE = GE_PORTABLE_CLUSTER, SHARE = TALL * TALL / SIZE;
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
  const bool alone = cluster_size () == 1;
  T *const part = parts + TALL * TALL * ((int) blockIdx.x / cluster_size ()),
           *const to = alone ? part : tile;
#pragma unroll
  for (int e = 0; e < 4; e++)
    to[TALL * (wid / 4 * 16 + lane / 4 + e / 2 * 8) + wid % 4 * 8 + lane % 4 * 2
       + e % 2]
        = make_number<T> ((R) g.re[e], (R) g.im[e]);
  if (alone)
    return;
  cluster_barrier ();
  if (threadIdx.x < SHARE)
    {
      const int at = SHARE * cluster_rank () + (int) threadIdx.x;
      T sum[SIZE];
#pragma unroll
      for (int i = 0; i < SIZE; i++)
        sum[i] = in_block (tile, i)[at];
#pragma unroll
      for (int step = 1; step < SIZE; step *= 2)
#pragma unroll
        for (int i = 0; i < SIZE; i += 2 * step)
          sum[i] = plus (sum[i], sum[i + step]);
      part[at] = sum[0];
    }
  cluster_barrier ();
}

/* --- a pending update: L R' of a panel's rows --- */

/* GROUPS of TALL columns of L and R; R has TALL rows.  */
template <typename T> struct pending
{
  const T *left, *right;
  int64_t ld_left, ld_right;
  int groups;
};

/* A group for a chunk, both by columns.  */
template <typename T> struct pending_stage
{
  enum
  {
    COUNT = sizeof (T) < 16 ? 3 : 2 /* in shared memory */
  };
  T left[TALL * CHUNK_LD], right[TALL * CHUNK_LD];
};

/* Begin to copy a group for the chunk that begins with row ROW of L; rows from END on are
   zero.  */
template <typename T>
GE_DEVICE_INLINE void
fetch_group (const pending<T> &p, int group, int64_t row, int64_t end,
             pending_stage<T> &s)
{
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
  const bool inside = row + r < end;
#pragma unroll
  for (int e = 0; e < 4; e++)
    {
      const int64_t column = TALL * group + c + e;
      const int at = r + CHUNK_LD * (c + e);
      __pipeline_memcpy_async (
          &s.left[at], p.left + (inside ? row + r : row) + p.ld_left * column,
          sizeof (T), inside ? 0 : sizeof (T));
      __pipeline_memcpy_async (&s.right[at], p.right + r + p.ld_right * column,
                               sizeof (T));
    }
}

/* L R' of a chunk, to SUM, in tiles as above.  */
template <typename T>
GE_DEVICE_INLINE void
add_pending (const pending<T> &p, int64_t row, int64_t end,
             pending_stage<T> *stage, gram_sum &sum)
{
  constexpr int STAGES = pending_stage<T>::COUNT;
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
  const int first = lane / 4 + CHUNK_LD * (lane % 4), i = wid / 4 * 16 + first,
            k = wid % 4 * 8 + first;
  int next = 0;
  clear_sum (sum);
  for (; next < STAGES - 1; next++)
    {
      if (next < p.groups)
        fetch_group (p, next, row, end, stage[next]);
      __pipeline_commit ();
    }
  for (int group = 0; group < p.groups; group++, next++)
    {
      const pending_stage<T> &s = stage[group % STAGES];
      __pipeline_wait_prior (STAGES - 2);
      __syncthreads ();
      if (next < p.groups)
        fetch_group (p, next, row, end, stage[next % STAGES]);
      __pipeline_commit ();
#pragma unroll
      for (int l = 0; l < CHUNK_LD * TALL; l += 8 * CHUNK_LD)
        {
          const T *x = s.left + i + l, *y = s.right + k + l;
          const T a[4] = { x[0], x[8], x[4 * CHUNK_LD], x[4 * CHUNK_LD + 8] },
                  b[2] = { conjugate (y[0]), conjugate (y[4 * CHUNK_LD]) };
          multiply_fragments<false> (sum, a, b);
        }
    }
  __syncthreads ();
}

/* Subtract L R' from the chunk of X, whose leading dimension is that of L, that begins with
   row ROW; TILE: the result, by columns, zero in rows from END on.  STAGE may be there
   too.  */
template <typename T>
GE_DEVICE_INLINE void
subtract_pending (const pending<T> &p, T *x, int64_t row, int64_t end,
                  pending_stage<T> *stage, T *tile)
{
  typedef ge_real<T> R;
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
  const int r = wid / 4 * 16 + lane / 4, c = wid % 4 * 8 + lane % 4 * 2;
  gram_sum sum;
  T old[4];
  x += row + r + p.ld_left * c;
  row += r;
#pragma unroll
  for (int e = 0; e < 4; e++)
    old[e] = row + e / 2 * 8 < end ? x[e / 2 * 8 + p.ld_left * (e % 2)]
                                   : zero<T> ();
  add_pending (p, row - r, end, stage, sum);
#pragma unroll
  for (int e = 0; e < 4; e++)
    {
      const T value
          = minus (old[e], make_number<T> ((R) sum.re[e], (R) sum.im[e]));
      tile[r + e / 2 * 8 + CHUNK_LD * (c + e % 2)] = value;
      if (row + e / 2 * 8 < end && p.groups > 0)
        x[e / 2 * 8 + p.ld_left * (e % 2)] = value;
    }
  __syncthreads ();
}

/* A chunk and a factor of 2 TALL rows.  */
template <typename T>
static constexpr size_t
pass_bytes (void)
{
  return (TALL * CHUNK_LD + 2 * TALL * TALL) * sizeof (T);
}

template <typename T>
static constexpr size_t
pending_bytes (void)
{
  return pending_stage<T>::COUNT * sizeof (pending_stage<T>);
}

/* A pass of ROWS rows per block over M rows: blocks, and parts of its sums.  */
typedef struct
{
  int rows, cluster, blocks, parts;
} pass_plan;

static inline pass_plan
plan_pass (gpueig_context *ctx, int64_t m)
{
  const int clusters = ge_cuda_of (ctx)->clusters;
  const int64_t most = CHUNK * (clusters ? CLUSTERS_BLOCKS : GRAM_PARTS);
  pass_plan p;
  p.rows = (int) ((m + most - 1) / most) * CHUNK;
  p.cluster = clusters ? GE_PORTABLE_CLUSTER : 1;
  p.parts = (int) ge_blocks (ge_blocks (m, p.rows), p.cluster);
  p.blocks = p.parts * p.cluster;
  return p;
}

#endif
