/* The kernel that reduces a matrix to tridiagonal form in one cooperative
   launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Householder's reduction (LAPACK's xHETD2).  The columns of the Hermitian A,
   both triangles, are distributed cyclically over the blocks.  Column j is
   reduced by H = I - tau v v',

     A <- H' A H = A - v w' - w v',   y = A v,  w = tau y - |tau|^2 / 2 (v' y) v.

   Every block has the whole current column and the vectors v, w of the step
   before, and performs all O(n) computations redundantly, in the same order and
   therefore with the same bits; so one exchange per column is enough: each
   block sends, for the rows with the numbers of its columns, the elements of y
   and of the next column.  The update of A is delayed by one step: with the
   stored S, and v0, w0 of the step before, A = S - v0 w0' - w0 v0', so that y =
   S v - v0 (w0' v) - w0 (v0' v); the blocks update their columns while S v is
   being exchanged.  With v = e_{j+1} + scale x, x being column j below row j + 1, they send
   S x, which they can compute before the reflector is known, and column j + 1 of S: S v
   follows from both.

   A block stores its columns in three places: the last ones, which are used
   longest, in registers, as many as fit of those before in shared memory, and
   the remaining first ones in A itself.  Thread t has rows t, t + THREADS, ...
   of all of them.

   Exchange.  The numbers are delivered to the shared memory of every block,
   into two buffers used alternately: blocks send messages (exchange.cuh) through
   device memory, and each block of a cluster receives a part of them and stores it
   into all blocks of its cluster (counted stores, base/cluster.cuh).  A buffer holds the
   pairs (element of y, element of the next column) of all rows.

   Why two buffers are enough: a block sends the pair of its last column in every step,
   also when all its columns are reduced.  So no block is ahead of another by more than
   one step, and what is sent in step j + 2 overwrites what all blocks have read in step
   j.  */

#ifndef GE_TRIDIAGONAL_ONE_STAGE_CUH
#define GE_TRIDIAGONAL_ONE_STAGE_CUH 1

#include "tridiagonal/one_stage_exchange.cuh"

/* --- the steps of a column --- */

/* Load the block's columns into their places and the first column of A; set the
   scalars.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
begin (ONE_STAGE_STATE &s, const ge_warp &warp, const one_stage<T> &p,
       unsigned char *memory)
{
  const int padded = p.most_columns + ONE_STAGE_KEPT, warps = THREADS / 32;
  const size_t n = (size_t) p.n;
  s.p = p;
  s.c.n = p.n;
  s.blocks = (int) gridDim.x;
  s.block = (int) blockIdx.x;
  s.rank = s.block % p.cluster;
  s.own = (p.n - s.block + s.blocks - 1) / s.blocks;
  s.first_kept = s.own > KEPT ? s.own - KEPT : 0;
  s.first_shared
      = s.first_kept > p.shared_columns ? s.first_kept - p.shared_columns : 0;
  s.done = 0;
  s.inverse = ((1 << 20) + (unsigned) s.blocks - 1) / (unsigned) s.blocks;
  s.pairs = (column_pair<T> *) memory;
  s.arrivals = (arrival *) (s.pairs + 2 * p.n);
  s.shared = (column_shared<T, THREADS> *) (s.arrivals + 2);
  s.v_own = (T *) (s.shared + 1);
  s.w_own = s.v_own + padded;
  s.sums = s.w_own + padded;
  s.next_row = s.sums + padded * warps;
  s.columns = s.next_row + padded;
  const T *a = p.a + n * (size_t) s.block;
  const size_t stride = n * s.blocks, ld = one_stage_ld (p.n);
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    {
      const int i = (int) threadIdx.x + k * THREADS;
      const bool in = i < p.n;
      s.c.column[k] = in ? p.first[i] : zero<T> ();
      for (int l = s.first_shared; in && l < s.first_kept; l++)
        s.columns[ld * (size_t) (l - s.first_shared) + i] = a[stride * l + i];
#pragma unroll
      for (int q = 0; q < KEPT; q++)
        s.kept[q][k] = in && s.first_kept + q < s.own
                           ? a[stride * (s.first_kept + q) + i]
                           : zero<T> ();
      if (i == 0 && s.block == 0)
        p.d[0] = real_part (s.c.column[k]);
    }
  for (int l = (int) threadIdx.x; l < padded; l += THREADS)
    s.v_own[l] = s.w_own[l] = zero<T> ();
  begin_columns (s.c, *s.shared, warp);
  if (p.cluster > 1)
    {
      if (threadIdx.x < 2)
        begin_arrivals (s.arrivals + threadIdx.x, 1);
      cluster_barrier ();
    }
}

/* Store the warp's sums of the columns from L on, one in each eight lanes.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
store_sums (ONE_STAGE_STATE &s, const ge_warp &warp, int l, int count, T total)
{
  const int lane = (int) warp.thread_rank (), q = lane / 8;
  if (lane % 8 == 0 && q < count && l + q < s.own)
    s.sums[(int) threadIdx.x / 32 * (s.p.most_columns + ONE_STAGE_KEPT) + l + q]
        = total;
}

/* The warp's products of COUNT columns of S with X, which is zero in rows up to J + 1;
   LOAD (q, k): row number k of the thread, of column q.  */
template <int COUNT, int BATCH, typename T, int THREADS, int ROWS, int KEPT,
          typename LOAD>
GE_DEVICE_INLINE T
multiply_group (const ONE_STAGE_STATE &, const ge_warp &warp, int j,
                const T (&x)[ROWS], LOAD load)
{
  T sum[4] = { zero<T> (), zero<T> (), zero<T> (), zero<T> () };
  FOR_BATCHES (BATCH, j + 1)
  {
    T a[BATCH][COUNT];
#pragma unroll
    for (int e = 0; e < BATCH * COUNT; e++)
      if (k + e / COUNT < ROWS)
        a[e / COUNT][e % COUNT] = load (e % COUNT, k + e / COUNT);
#pragma unroll
    for (int e = 0; e < BATCH * COUNT; e++)
      if (k + e / COUNT < ROWS)
        sum[e % COUNT] = conj_mul_add (a[e / COUNT][e % COUNT],
                                       x[k + e / COUNT], sum[e % COUNT]);
  }
  return warp_sum_of_four (warp, sum);
}

/* Compute the elements of S times the current column below row J + 1, for the rows with
   the numbers of the block's columns, and send them with those of column J + 1.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
multiply (ONE_STAGE_STATE &s, const ge_warp &warp, int j)
{
  T x[ROWS];
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    x[k] = (int) threadIdx.x + k * THREADS > j + 1 ? s.c.column[k] : zero<T> ();
  for_stored_columns (
      s, [&] (auto batch, const T *a, size_t stride, int l, int count) {
        constexpr int BATCH = decltype (batch)::value;
        auto load = [&] (int q, int k) {
          const int i = (int) threadIdx.x + k * THREADS;
          return i < s.p.n ? a[q * stride + i] : zero<T> ();
        };
        T total;
        if (count == 4)
          total = multiply_group<4, BATCH> (s, warp, j, x, load);
        else if (count == 3)
          total = multiply_group<3, BATCH> (s, warp, j, x, load);
        else if (count == 2)
          total = multiply_group<2, BATCH> (s, warp, j, x, load);
        else
          total = multiply_group<1, BATCH> (s, warp, j, x, load);
        store_sums (s, warp, l, count, total);
      });
  T totals[KEPT / 4 + 1];
#pragma unroll
  for (int g = 0; g < KEPT; g += 4)
    totals[g / 4] = multiply_group<4, 1> (
        s, warp, j, x, [&] (int q, int k) { return s.kept[g + q][k]; });
#pragma unroll
  for (int g = 0; g < KEPT; g += 4)
    store_sums (s, warp, s.first_kept + g, 4, totals[g / 4]);
  /* before other threads update it */
  for (int l = s.done + (int) threadIdx.x; l < s.first_kept; l += THREADS)
    s.next_row[l] = l < s.first_shared ? *global_column (s, l, j + 1)
                                       : *shared_column (s, l, j + 1);
  if (KEPT > 0)
    FOR_ROWS (j, {
      if (i == j + 1)
        _Pragma ("unroll") for (int q = 0; q < KEPT; q++)
            s.next_row[s.first_kept + q]
            = s.kept[q][k];
    })
  __syncthreads ();
  send_pairs (s, j);
}

/* S <- S - v0 w0' - w0 v0' in COUNT columns; LOAD as above, STORE (q, k, x).  All elements of a batch
   are read before one is stored.  */
template <int COUNT, int BATCH, typename T, int THREADS, int ROWS, int KEPT,
          typename LOAD, typename STORE>
GE_DEVICE_INLINE void
update_group (ONE_STAGE_STATE &s, int j, int l, LOAD load, STORE store)
{
  T v[COUNT], w[COUNT];
#pragma unroll
  for (int q = 0; q < COUNT; q++)
    {
      v[q] = s.v_own[l + q];
      w[q] = s.w_own[l + q];
    }
  FOR_BATCHES (BATCH, j)
  {
    T a[BATCH][COUNT];
#pragma unroll
    for (int e = 0; e < BATCH * COUNT; e++)
      if (k + e / COUNT < ROWS)
        a[e / COUNT][e % COUNT] = load (e % COUNT, k + e / COUNT);
#pragma unroll
    for (int e = 0; e < BATCH * COUNT; e++)
      if (k + e / COUNT < ROWS)
        {
          const int q = e % COUNT, r = k + e / COUNT;
          store (
              q, r,
              mul_conj_sub (s.c.w0[r], v[q],
                            mul_conj_sub (s.c.v0[r], w[q], a[e / COUNT][q])));
        }
  }
}

ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
update (ONE_STAGE_STATE &s, int j)
{
  for_stored_columns (s,
                      [&] (auto batch, T *a, size_t stride, int l, int count) {
                        constexpr int BATCH = decltype (batch)::value;
                        auto load = [&] (int q, int k) {
                          const int i = (int) threadIdx.x + k * THREADS;
                          return i < s.p.n ? a[q * stride + i] : zero<T> ();
                        };
                        auto store = [&] (int q, int k, T x) {
                          const int i = (int) threadIdx.x + k * THREADS;
                          if (i < s.p.n)
                            a[q * stride + i] = x;
                        };
                        if (count == 4)
                          update_group<4, BATCH> (s, j, l, load, store);
                        else if (count == 3)
                          update_group<3, BATCH> (s, j, l, load, store);
                        else if (count == 2)
                          update_group<2, BATCH> (s, j, l, load, store);
                        else
                          update_group<1, BATCH> (s, j, l, load, store);
                      });
#pragma unroll
  for (int g = 0; g < KEPT; g += 4)
    update_group<4, 1> (
        s, j, s.first_kept + g, [&] (int q, int k) { return s.kept[g + q][k]; },
        [&] (int q, int k, T x) { s.kept[g + q][k] = x; });
}

/* One block per multiprocessor at most, all resident; ROWS rows per thread, KEPT
   columns in registers.  Barriers of the block per column: in multiply, before the sums
   and in advance; between blocks only the exchange.  */
template <typename T, int THREADS, int ROWS, int KEPT>
GE_KERNEL (THREADS, 1)
one_stage_kernel (one_stage<T> p)
{
  extern __shared__ __align__ (16) unsigned char one_stage_memory[];
  const ge_warp warp = this_warp ();
  ONE_STAGE_STATE s;
  begin (s, warp, p, one_stage_memory);
  for (int j = 0; j < p.n - 1; j++)
    {
      ge_real<T> beta, former[4];
      const bool owner = j % s.blocks == s.block;
      while (s.done < s.own && s.block + s.done * s.blocks <= j)
        s.done++;
      multiply (s, warp, j);
      const T tau = reflect (s.c, j, &beta);
      if (owner && threadIdx.x == 0)
        {
          p.e[j] = beta;
          p.tau[j] = tau;
        }
      multiply_by_former (s.c, *s.shared, warp, j);
      update (s, j);
      forward_pairs (s, warp, j);
      if (p.vectors && owner)
        FOR_ROWS (-1, p.a[(size_t) p.n * (size_t) j + i] = s.c.v[k];)
      __syncthreads ();
      take_parts (warp, s.shared->parts[1], former);
      wait_for_pairs (s, j);
      advance (
          s.c, *s.shared, warp, j, tau, former,
          [&] (int i) { return s.pairs[(j & 1) * p.n + min (i, p.n - 1)]; },
          [&] (int k, int i, T w) {
            const int l = owned_column (s, i);
            if (i <= j || i >= p.n || l < 0)
              return;
            s.v_own[l] = s.c.v[k];
            s.w_own[l] = w;
            if (i == j + 1)
              p.d[i] = real_part (s.c.column[k]);
          });
    }
  if (p.cluster > 1)
    cluster_barrier ();
}

#undef ONE_STAGE_TEMPLATE
#undef ONE_STAGE_STATE
#undef FOR_ROWS
#undef FOR_BATCHES

#endif
