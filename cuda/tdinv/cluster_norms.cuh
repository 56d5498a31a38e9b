/* The norms in one cluster, from the moduli of the factors in shared memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_CLUSTER_NORMS_CUH
#define GE_TDINV_CLUSTER_NORMS_CUH 1

#include "tdinv/one_cluster.cuh"

TDINV_CALLED ge_size
sum_of_sizes (ge_size a, ge_size b)
{
  return size_add (a, b);
}

TDINV_CALLED ge_size
product_of_sizes (ge_size a, ge_size b)
{
  return size_mul (a, b);
}

template <typename T>
TDINV_CALLED ge_size
size_of_entry (T x)
{
  return size_entry (x);
}

GE_DEVICE_INLINE ge_size
from_lane (ge_size s, int lane)
{
  s.m = this_warp ().shfl (s.m, lane);
  s.e = this_warp ().shfl (s.e, lane);
  return s;
}
GE_DEVICE_INLINE run_of_sums
from_lane (run_of_sums r, int lane)
{
  r.sum = from_lane (r.sum, lane);
  r.begins = this_warp ().shfl (r.begins, lane);
  return r;
}

/* Inclusive scan in ascending order of the lanes (STEP 1) or in descending order
   (-1).  */
TDINV_CALLED run_of_sums
scan_sums (run_of_sums mine, int step)
{
  const int lane = threadIdx.x % TDINV_WARP;
#pragma unroll 1
  for (int distance = 1; distance < TDINV_WARP; distance *= 2)
    {
      const int at = lane - step * distance;
      const run_of_sums other = from_lane (mine, at & (TDINV_WARP - 1));
      if (at >= 0 && at < TDINV_WARP)
        mine = join (mine, other);
    }
  return mine;
}

/* The value of the lane before the calling one in a scan, nothing in the
   first.  */
static __device__ run_of_sums
of_lane_before (run_of_sums inclusive, int step)
{
  const int lane = threadIdx.x % TDINV_WARP, at = lane - step;
  const run_of_sums none = { size_of (0, 0), 0 };
  inclusive = from_lane (inclusive, at & (TDINV_WARP - 1));
  return at >= 0 && at < TDINV_WARP ? inclusive : none;
}

/* The sums of this warp's 32 rows from row R of the block on, inclusive: of |u|
   down the rows (STEP 1), of |p| up the rows (-1), the latter to be used by the
   row before.  */
template <typename T>
GE_DEVICE_INLINE run_of_sums
scan_rows (const cluster_data<T> *d, const block_rows<T> *m, int first, int r,
           int step)
{
  run_of_sums mine = { size_of (0, 0), 0 };
  const int j = first + r;
  if (r < d->rows && j < d->n)
    {
      const int slot = slot_of (d, r);
      if (step > 0)
        {
          mine.sum = m->u[r];
          mine.begins = m->above_begin[slot] == j;
        }
      else
        {
          mine.begins = m->below_begin[slot] == j;
          if (! mine.begins)
            mine.sum = m->p[r];
        }
    }
  return scan_sums (mine, step);
}

/* Runs of rows before (STEP 1) or after (-1) every 32 rows of this block,
   BEFORE, one per 32 rows.  One warp per STEP calls it, with their sums in
   TOTALS; COUNT of them, at most 32.  */
static __device__ void
scan_totals (const run_of_sums *totals, int count, int step,
             run_of_sums *block_total, run_of_sums *before)
{
  const int lane = threadIdx.x % TDINV_WARP;
  run_of_sums mine = { size_of (0, 0), 0 };
  if (lane < count)
    mine = totals[lane];
  mine = scan_sums (mine, step);
  if (lane == (step > 0 ? TDINV_WARP - 1 : 0))
    *block_total = mine;
  before[lane] = of_lane_before (mine, step);
}

/* Runs among the blocks: adds what is before this block to BEFORE.  */
static __device__ void
add_blocks_before (run_of_sums *block_total, int step, run_of_sums *before)
{
  const int lane = threadIdx.x % TDINV_WARP;
  run_of_sums mine = { size_of (0, 0), 0 };
  if (lane < cluster_size ())
    mine = *in_block (block_total, lane);
  mine = of_lane_before (scan_sums (mine, step), step);
  mine = from_lane (mine, cluster_rank ());
  before[lane] = join (before[lane], mine);
}

/* Contributions of row J of the matrix, the row R of the block: the 1-norms of
   column j of X and of T, and terms of sum |X(j, i) T(i, j)|.  DOWN and UP: sums
   of |u| and |p|.  */
template <typename T>
GE_DEVICE_INLINE void
add_row (const cluster_data<T> *d, const block_rows<T> *m, int j, int r,
         ge_size down, ge_size up, partial_norms *norms)
{
  const int slot = slot_of (d, r);
  const ge_size a = size_of_entry (m->a[slot + 1]),
                b = size_of_entry (m->b[slot]);
  const ge_size c = size_of_entry (m->c[slot]);
  partial_norms row;
  row.inverse = sum_of_sizes (product_of_sizes (down, m->v[r]),
                              product_of_sizes (up, m->q[r]));
  /* below the diagonal: the element of the next row */
  row.matrix
      = sum_of_sizes (sum_of_sizes (a, b), size_of_entry (m->c[slot + 1]));
  row.condition = product_of_sizes (a, product_of_sizes (m->u[r], m->v[r]));
  if (j > 0)
    {
      const int rank = cluster_rank () - (r == 0);
      const int before = r == 0 ? d->rows - 1 : r - 1;
      if (m->below_begin[slot] != j)
        row.condition = sum_of_sizes (
            row.condition,
            product_of_sizes (
                b, product_of_sizes (m->p[r], in_block (m->q, rank)[before])));
      if (m->above_begin[slot] != j)
        row.condition = sum_of_sizes (
            row.condition,
            product_of_sizes (
                c, product_of_sizes (in_block (m->u, rank)[before], m->v[r])));
    }
  merge (norms, row);
}

/* Reduction over the warp; the result is in lane 0.  */
TDINV_CALLED partial_norms
reduce_warp (partial_norms mine)
{
  const int lane = threadIdx.x % TDINV_WARP;
#pragma unroll 1
  for (int half = TDINV_WARP / 2; half > 0; half /= 2)
    {
      partial_norms other;
      const int at = (lane + half) & (TDINV_WARP - 1);
      other.inverse = from_lane (mine.inverse, at);
      other.matrix = from_lane (mine.matrix, at);
      other.condition = from_lane (mine.condition, at);
      merge (&mine, other);
    }
  return mine;
}

/* Called by one warp: the reduction over COUNT parts, part k in block k if
   BLOCKWISE; the result is in lane 0.  */
static __device__ partial_norms
reduce_parts (partial_norms *parts, int count, int blockwise)
{
  const int lane = threadIdx.x % TDINV_WARP;
  const ge_size zero = size_of (0, 0);
  partial_norms mine = { zero, zero, zero };
  if (lane < count)
    mine = blockwise ? *in_block (parts, lane) : parts[lane];
  return reduce_warp (mine);
}

/* The norms from the factors.  The barriers order the results of the warps and
   of the blocks; the last one keeps a block's memory until all have read it.  */
template <typename T>
static __device__ void
find_norms (const cluster_data<T> *d, const block_rows<T> *m, int first,
            block_ends<typename wide_type<T>::type> *ends)
{
  const int THREADS = block_of<T>::threads, count = d->rows / TDINV_WARP;
  const int warp = threadIdx.x / TDINV_WARP, lane = threadIdx.x % TDINV_WARP;
  __shared__ run_of_sums totals[2][TDINV_WARP], before[2][TDINV_WARP];
  __shared__ partial_norms parts[TDINV_WARP];
  const ge_size zero = size_of (0, 0);
  partial_norms p = { zero, zero, zero };
#pragma unroll 1
  for (int r = threadIdx.x; r < d->rows; r += THREADS)
    {
      const run_of_sums down = scan_rows (d, m, first, r, 1);
      const run_of_sums up = scan_rows (d, m, first, r, -1);
      if (lane == TDINV_WARP - 1)
        totals[0][r / TDINV_WARP] = down;
      if (lane == 0)
        totals[1][r / TDINV_WARP] = up;
    }
  __syncthreads ();
  if (warp == 0)
    scan_totals (totals[0], count, 1, &ends->down, before[0]);
  if (warp == 1)
    scan_totals (totals[1], count, -1, &ends->up, before[1]);
  cluster_barrier ();
  if (warp == 0)
    add_blocks_before (&ends->down, 1, before[0]);
  if (warp == 1)
    add_blocks_before (&ends->up, -1, before[1]);
  __syncthreads ();
#pragma unroll 1
  for (int r = threadIdx.x; r < d->rows; r += THREADS)
    {
      const int part = r / TDINV_WARP;
      const run_of_sums down = scan_rows (d, m, first, r, 1);
      const run_of_sums up
          = of_lane_before (scan_rows (d, m, first, r, -1), -1);
      if (first + r < d->n)
        add_row (d, m, first + r, r, join (down, before[0][part]).sum,
                 join (up, before[1][part]).sum, &p);
    }
  p = reduce_warp (p);
  if (lane == 0)
    parts[warp] = p;
  __syncthreads ();
  if (warp == 0)
    {
      p = reduce_parts (parts, block_of<T>::warps, 0);
      if (lane == 0)
        ends->norms = p;
    }
  cluster_barrier ();
  if (cluster_rank () == 0 && warp == 0)
    {
      p = reduce_parts (&ends->norms, cluster_size (), 1);
      if (lane == 0)
        store_norms (d->result, p);
    }
  cluster_barrier ();
}

#endif
