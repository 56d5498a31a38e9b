/* The kernel that reduces a small matrix to tridiagonal form in one cluster of
   blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The algorithm is that of one_stage.cuh; here the whole stored matrix S is in
   the registers of 16 blocks.  Columns are distributed cyclically over the
   blocks, and within a block over its 16 warps; a lane has rows lane, lane +
   32, ... of its warp's columns.  So a warp computes the elements of y = S v
   for its columns alone, without a barrier, and stores them with those of the
   next column into the shared memory of all blocks (counted stores,
   base/cluster.cuh).  Vectors of order n are in shared memory; thread t
   computes their elements t, t + 512, ...

   A block whose columns are all reduced continues to store one pair per step,
   so that no block is ahead of another by more than one step: what is stored in
   step j + 2 overwrites what all blocks have read in step j.  */

#ifndef GE_TRIDIAGONAL_ONE_CLUSTER_CUH
#define GE_TRIDIAGONAL_ONE_CLUSTER_CUH 1

#include "tridiagonal/column_step.cuh"
#include "base/cluster.cuh"

enum
{
  ONE_CLUSTER = 16, /* blocks */
  ONE_CLUSTER_WARPS = 16,
  ONE_CLUSTER_THREADS = 32 * ONE_CLUSTER_WARPS
};

template <typename T> struct one_cluster
{
  int n;
  T *a; /* n-by-n; with VECTORS reflector j replaces column j */
  int vectors;
  ge_real<T> *d, *e; /* n and n - 1 */
  T *tau;            /* n - 1 */
};

/* Shared memory of a block.  The order is at most 256 COLUMNS; a warp has
   COLUMNS columns, 8 COLUMNS rows per lane.  */
template <typename T, int COLUMNS> struct one_cluster_memory
{
  enum
  {
    ORDER = 256 * COLUMNS
  };
  /* element i of y and of the next column, and the pairs of blocks without
     columns; two buffers */
  __align__ (16) T pairs[2][ORDER + ONE_CLUSTER][2];
  T v[2][ORDER]; /* of this step and the one before, by turns */
  T w[ORDER];    /* of the step before */
  column_shared<T, ONE_CLUSTER_THREADS> shared;
  arrival arrivals[2];
};

template <typename T, int COLUMNS> struct one_cluster_state
{
  enum
  {
    ROWS = 8 * COLUMNS,
    EACH = (256 * COLUMNS + ONE_CLUSTER_THREADS - 1) / ONE_CLUSTER_THREADS
  };
  one_cluster<T> p;
  one_cluster_memory<T, COLUMNS> *m;
  int block, wid, lane;
  T s[COLUMNS][ROWS]; /* column first + 256 q, rows lane + 32 h */
  int first;
  column_step<T, ONE_CLUSTER_THREADS, EACH> c;
};

#define ONE_CLUSTER_TEMPLATE template <typename T, int COLUMNS>
#define ONE_CLUSTER_STATE one_cluster_state<T, COLUMNS>

/* Two reals by one store.  */
template <typename T>
GE_DEVICE_INLINE void
store_pair_counted (T (*to)[2], T y, T column, arrival *a, int rank)
{
  typedef ge_complex<T> C;
  if constexpr (is_complex<T>::value)
    {
      store_counted (*to, y, a, rank);
      store_counted (*to + 1, column, a, rank);
    }
  else
    store_counted ((C *) to, make_number<C> (y, column), a, rank);
}

ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE void
begin_cluster (ONE_CLUSTER_STATE &s, const ge_warp &warp)
{
  const size_t n = (size_t) s.p.n;
#pragma unroll
  for (int q = 0; q < COLUMNS; q++)
#pragma unroll
    for (int h = 0; h < ONE_CLUSTER_STATE::ROWS; h++)
      {
        const int i = s.lane + 32 * h, c = s.first + 256 * q;
        s.s[q][h]
            = i < s.p.n && c < s.p.n ? s.p.a[n * (size_t) c + i] : zero<T> ();
      }
#pragma unroll
  for (int k = 0; k < ONE_CLUSTER_STATE::EACH; k++)
    {
      const int i = (int) threadIdx.x + k * ONE_CLUSTER_THREADS;
      s.c.column[k] = i < s.p.n ? s.p.a[i] : zero<T> ();
      if (i == 0 && s.block == 0)
        s.p.d[0] = real_part (s.c.column[k]);
      if (i < one_cluster_memory<T, COLUMNS>::ORDER)
        s.m->v[0][i] = s.m->v[1][i] = s.m->w[i] = zero<T> ();
    }
  s.c.n = s.p.n;
  begin_columns (s.c, s.m->shared, warp);
  if (threadIdx.x < 2)
    begin_arrivals (s.m->arrivals + threadIdx.x, 1);
  /* all blocks have read A before the reflectors overwrite it */
  cluster_barrier ();
}

/* The reflector of column J; v in registers and shared memory.  One barrier, after v
   is stored.  */
ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE T
reflect_column (ONE_CLUSTER_STATE &s, int j)
{
  ge_real<T> beta;
  const T tau = reflect (s.c, j, &beta);
#pragma unroll
  for (int k = 0; k < ONE_CLUSTER_STATE::EACH; k++)
    {
      const int i = (int) threadIdx.x + k * ONE_CLUSTER_THREADS;
      if (i < s.p.n)
        s.m->v[j & 1][i] = s.c.v[k];
      if (s.p.vectors && j % ONE_CLUSTER == s.block && i < s.p.n)
        s.p.a[(size_t) s.p.n * (size_t) j + i] = s.c.v[k];
    }
  if (j % ONE_CLUSTER == s.block && threadIdx.x == 0)
    {
      s.p.e[j] = beta;
      s.p.tau[j] = tau;
    }
  __syncthreads ();
  return tau;
}

/* Compute the elements of S v for the warp's columns and store them, with those
   of column J + 1, which is row J + 1 of S, into all blocks.  */
ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE void
multiply_and_send (ONE_CLUSTER_STATE &s, const ge_warp &warp, int j)
{
  constexpr int ROWS = ONE_CLUSTER_STATE::ROWS;
  const T *v = s.m->v[j & 1] + s.lane;
  T sum[COLUMNS], row[COLUMNS];
#pragma unroll
  for (int q = 0; q < COLUMNS; q++)
    sum[q] = row[q] = zero<T> ();
#pragma unroll
  for (int h = 0; h < ROWS; h++)
    {
      const T x = v[32 * h];
#pragma unroll
      for (int q = 0; q < COLUMNS; q++)
        {
          sum[q] = conj_mul_add (s.s[q][h], x, sum[q]);
          /* nonzero in the lane that has row j + 1 only */
          if (s.lane + 32 * h == j + 1)
            row[q] = s.s[q][h];
        }
    }
  const int to = s.lane % ONE_CLUSTER;
#pragma unroll
  for (int q = 0; q < COLUMNS; q++)
    {
      const int c = s.first + 256 * q;
      const T y = warp_sum (warp, sum[q]);
      const T x = conjugate (shuffle_from (warp, row[q], (j + 1) % 32));
      if (c > j && c < s.p.n && s.lane / ONE_CLUSTER == (q & 1))
        store_pair_counted (&s.m->pairs[j & 1][c], y, x,
                            s.m->arrivals + (j & 1), to);
    }
  /* the block's last column */
  const int last = s.block + (s.p.n - 1 - s.block) / ONE_CLUSTER * ONE_CLUSTER;
  if ((last <= j || last >= s.p.n) && threadIdx.x < ONE_CLUSTER)
    store_pair_counted (
        &s.m->pairs[j & 1][one_cluster_memory<T, COLUMNS>::ORDER + s.block],
        zero<T> (), zero<T> (), s.m->arrivals + (j & 1), to);
}

/* S <- S - v0 w0' - w0 v0' in the warp's columns.  */
ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE void
update_columns (ONE_CLUSTER_STATE &s, int j)
{
  const T *v = s.m->v[(j & 1) ^ 1], *w = s.m->w;
  T v_c[COLUMNS], w_c[COLUMNS];
#pragma unroll
  for (int q = 0; q < COLUMNS; q++)
    {
      const int c = s.first + 256 * q;
      v_c[q] = v[c];
      w_c[q] = w[c];
    }
#pragma unroll
  for (int h = 0; h < ONE_CLUSTER_STATE::ROWS; h++)
    {
      const T v_i = v[s.lane + 32 * h], w_i = w[s.lane + 32 * h];
#pragma unroll
      for (int q = 0; q < COLUMNS; q++)
        s.s[q][h]
            = mul_conj_sub (w_i, v_c[q], mul_conj_sub (v_i, w_c[q], s.s[q][h]));
    }
}

/* One cluster of 16 blocks of 16 warps.  Per column: three barriers of the block, in
   reflect_column, before the sums and in advance, and the phase of the mbarrier that
   counts the received bytes.  */
template <typename T, int COLUMNS>
GE_KERNEL (ONE_CLUSTER_THREADS, 1)
one_cluster_kernel (one_cluster<T> p)
{
  extern __shared__ __align__ (16) unsigned char one_cluster_bytes[];
  const ge_warp warp = this_warp ();
  ONE_CLUSTER_STATE s;
  s.p = p;
  s.m = (one_cluster_memory<T, COLUMNS> *) one_cluster_bytes;
  s.block = (int) blockIdx.x;
  s.wid = (int) threadIdx.x / 32;
  s.lane = (int) warp.thread_rank ();
  s.first = s.block + ONE_CLUSTER * s.wid;
  begin_cluster (s, warp);
  for (int j = 0; j < p.n - 1; j++)
    {
      const int left = p.n - 1 - j;
      ge_real<T> former[4];
      if (threadIdx.x == 0)
        expect_bytes (s.m->arrivals + (j & 1),
                      (unsigned) (left > ONE_CLUSTER ? left : ONE_CLUSTER)
                          * (unsigned) (2 * sizeof (T)));
      const T tau = reflect_column (s, j);
      multiply_and_send (s, warp, j);
      multiply_by_former (s.c, s.m->shared, warp, j);
      update_columns (s, j);
      __syncthreads ();
      take_parts (warp, s.m->shared.parts[1], former);
      wait_for_phase (s.m->arrivals + (j & 1), (unsigned) (j >> 1) & 1);
      advance (
          s.c, s.m->shared, warp, j, tau, former,
          [&] (int, int i) {
            const T *x = s.m->pairs[j & 1][i];
            return column_pair<T>{ x[0], x[1] };
          },
          [&] (int k, int i, T w) {
            if (i < p.n)
              s.m->w[i] = w;
            if (i == j + 1 && i < p.n && s.block == 0)
              p.d[i] = real_part (s.c.column[k]);
          });
    }
  cluster_barrier ();
}

#undef ONE_CLUSTER_TEMPLATE
#undef ONE_CLUSTER_STATE

#endif
