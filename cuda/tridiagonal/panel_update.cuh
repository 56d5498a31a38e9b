/* The other factor of a panel's update: W = [X V] F, see band_reduction.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TRIDIAGONAL_PANEL_UPDATE_CUH
#define GE_TRIDIAGONAL_PANEL_UPDATE_CUH 1

#include "tridiagonal/panel_chunks.cuh"

/* X - L R' in the place of X, and the parts of its product with V, X' V.  Block g has
   the rows from g * rows on.  */
template <typename T>
GE_KERNEL (PASS_THREADS, sizeof (T) < 16 ? 2 : 1)
product_kernel (int64_t m, int rows, const T *v, T *x, pending<T> p, T *parts)
{
  extern __shared__ __align__ (16) unsigned char pass_memory[];
  pending_stage<T> *stage = (pending_stage<T> *) pass_memory;
  T *tile_x = stage[0].left, *tile_v = stage[1].left;
  const int lane = (int) threadIdx.x % 32;
  const int64_t begin = (int64_t) rows * blockIdx.x,
                end = begin + rows < m ? begin + rows : m;
  gram_sum sum;
  begin_in_turn ();
  clear_sum (sum);
  for (int64_t row = begin; row < end; row += CHUNK)
    {
      T next_v[4];
      read_chunk (v, p.ld_left, row + lane, end, next_v);
      subtract_pending (p, x, row, end, stage, tile_x);
      write_chunk (tile_v, next_v);
      add_chunks (sum, tile_x, tile_v);
      __syncthreads ();
    }
  store_sum (sum, tile_x, parts);
}

/* W = [X V] F, 2 TALL-by-TALL, its upper half triangular, to W and in the place of
   X.  One block per chunk.  */
template <typename T>
GE_KERNEL (PASS_THREADS)
two_sided_kernel (int64_t m, const T *v, T *x, T *w, int64_t ld, const T *f)
{
  extern __shared__ __align__ (16) unsigned char pass_memory[];
  T *tile = (T *) pass_memory, *factor = tile + TALL * CHUNK_LD;
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
  const int64_t row = (int64_t) CHUNK * blockIdx.x + r;
  T next_x[4], next_v[4], y[4];
  read_chunk (x, ld, row, m, next_x);
  read_chunk (v, ld, row, m, next_v);
  begin_in_turn ();
  for (int e = (int) threadIdx.x; e < 2 * TALL * TALL; e += PASS_THREADS)
    factor[e] = f[e];
  clear_chunk (y);
  write_chunk (tile, next_x);
  multiply_chunk<true> (tile, factor, 2 * TALL, y);
  write_chunk (tile, next_v);
  multiply_chunk<false> (tile, factor + TALL, 2 * TALL, y);
#pragma unroll
  for (int e = 0; e < 4; e++)
    if (row < m)
      w[row + ld * (c + e)] = x[row + ld * (c + e)] = y[e];
}

/* W, in the place of X too, X before: A V but for the pending update of A.  PARTS:
   GRAM_PARTS * TALL^2 numbers, F: 2 TALL^2.  */
template <typename T>
static gpueig_status
two_sided_vectors (gpueig_context *ctx, int64_t m, const T *v, T *x, T *w,
                   const pending<T> &p, const T *gram, const T *tau, T *parts,
                   T *f)
{
  constexpr size_t bytes = pass_bytes<T> (), pending = pending_bytes<T> ();
  const pass_plan plan = plan_pass (ctx, m);
  GE_ALLOW_SHARED (product_kernel<T>, pending);
  GE_ALLOW_SHARED (two_sided_kernel<T>, bytes);
  GE_TRY (ge_launch_in_turn (ctx, "product_kernel", product_kernel<T>,
                             plan.blocks, PASS_THREADS, pending, plan.cluster,
                             m, plan.rows, v, x, p, parts));
  GE_TRY (ge_cuda_two_sided_factor<T> (ctx, plan.parts, gram, tau, parts, f));
  return ge_launch_in_turn (ctx, "two_sided_kernel", two_sided_kernel<T>,
                            ge_blocks (m, CHUNK), PASS_THREADS, bytes, 1, m, v,
                            x, w, p.ld_left, (const T *) f);
}

#endif
