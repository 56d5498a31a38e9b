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

#include "tridiagonal/householder.cuh"
#include "base/cluster.cuh"

enum
{
  ONE_CLUSTER = 16, /* blocks */
  ONE_CLUSTER_WARPS = 16,
  ONE_CLUSTER_THREADS = 32 * ONE_CLUSTER_WARPS
};

template <typename T> struct one_cluster
{
  typedef typename real_of<T>::type R;
  int n;
  T *a; /* n-by-n; with VECTORS reflector j replaces column j */
  int vectors;
  R *d, *e; /* n and n - 1 */
  T *tau;   /* n - 1 */
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
  T v[2][ORDER];                 /* of this step and the one before, by turns */
  T w[ORDER];                    /* of the step before */
  T slots[4][ONE_CLUSTER_WARPS]; /* sums of the warps */
  T scalars[5]; /* alpha (two by turns), y, v0, w0 in row j + 1 */
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
  /* elements threadIdx.x + ONE_CLUSTER_THREADS k of vectors: the current column below
     row j, v, and those of the step before */
  T column[EACH], v[EACH], v0[EACH], w0[EACH];
};

#define ONE_CLUSTER_TEMPLATE template <typename T, int COLUMNS>
#define ONE_CLUSTER_STATE one_cluster_state<T, COLUMNS>

/* The sum of one entry per warp at SLOTS, in every thread.  */
template <typename T>
GE_DEVICE_INLINE T
sum_of_warps (const T *slots)
{
  T sum[ONE_CLUSTER_WARPS];
#pragma unroll
  for (int w = 0; w < ONE_CLUSTER_WARPS; w++)
    sum[w] = slots[w];
#pragma unroll
  for (int step = 1; step < ONE_CLUSTER_WARPS; step *= 2)
#pragma unroll
    for (int w = 0; w < ONE_CLUSTER_WARPS; w += 2 * step)
      sum[w] = plus (sum[w], sum[w + step]);
  return sum[0];
}

GE_DEVICE_INLINE void
store_pair_counted (float (*to)[2], float y, float column, arrival *a, int rank)
{
  store_counted ((float2 *) to, make_float2 (y, column), a, rank);
}
GE_DEVICE_INLINE void
store_pair_counted (double (*to)[2], double y, double column, arrival *a,
                    int rank)
{
  store_counted ((double2 *) to, make_double2 (y, column), a, rank);
}
template <typename T>
GE_DEVICE_INLINE void
store_pair_counted (T (*to)[2], T y, T column, arrival *a, int rank)
{
  store_counted (*to, y, a, rank);
  store_counted (*to + 1, column, a, rank);
}

ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE void
begin_cluster (ONE_CLUSTER_STATE &s)
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
      s.column[k] = i < s.p.n ? s.p.a[i] : zero<T> ();
      s.v[k] = s.v0[k] = s.w0[k] = zero<T> ();
      if (i == 1)
        s.m->scalars[0] = s.column[k];
      if (i == 0 && s.block == 0)
        s.p.d[0] = real_part (s.column[k]);
      if (i < one_cluster_memory<T, COLUMNS>::ORDER)
        s.m->v[0][i] = s.m->v[1][i] = s.m->w[i] = zero<T> ();
    }
  if (threadIdx.x < 2)
    begin_arrivals (s.m->arrivals + threadIdx.x, 1);
  /* all blocks have read A before the reflectors overwrite it */
  cluster_barrier ();
}

/* The reflector of column J; v in registers and shared memory.  Two barriers:
   before the sums and after v is stored.  */
ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE T
reflect_column (ONE_CLUSTER_STATE &s, const ge_warp &warp, int j)
{
  typedef typename real_of<T>::type R;
  R squares = 0;
#pragma unroll
  for (int k = 0; k < ONE_CLUSTER_STATE::EACH; k++)
    {
      const int i = (int) threadIdx.x + k * ONE_CLUSTER_THREADS;
      if (i > j + 1 && i < s.p.n)
        squares = add_square (s.column[k], squares);
    }
  squares = warp_sum (warp, squares);
  if (s.lane == 0)
    s.m->slots[0][s.wid] = make_number<T> (squares, 0);
  __syncthreads ();
  const T alpha = s.m->scalars[j & 1];
  const auto h = ge_make_reflector (real_part (alpha), imaginary_part (alpha),
                                    real_part (sum_of_warps (s.m->slots[0])));
  const T scale = make_number<T> (h.scale_re, h.scale_im);
  const T one = make_number<T> (h.tau_re == 0 ? 0 : 1, 0);
#pragma unroll
  for (int k = 0; k < ONE_CLUSTER_STATE::EACH; k++)
    {
      const int i = (int) threadIdx.x + k * ONE_CLUSTER_THREADS;
      s.v[k] = i <= j || i >= s.p.n ? zero<T> ()
               : i == j + 1         ? one
                                    : times (s.column[k], scale);
      if (i < s.p.n)
        s.m->v[j & 1][i] = s.v[k];
    }
  const T tau = make_number<T> (h.tau_re, h.tau_im);
  if (j % ONE_CLUSTER == s.block && threadIdx.x == 0)
    {
      s.p.e[j] = h.beta;
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

/* w and the next column from the received pairs.  W0V, V0V: w0' v and v0'
   v.  */
ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE void
advance_column (ONE_CLUSTER_STATE &s, const ge_warp &warp, int j, T tau, T w0v,
                T v0v)
{
  typedef typename real_of<T>::type R;
  constexpr int EACH = ONE_CLUSTER_STATE::EACH;
  T y[EACH], dot = zero<T> ();
#pragma unroll
  for (int k = 0; k < EACH; k++)
    {
      const int i = (int) threadIdx.x + k * ONE_CLUSTER_THREADS;
      y[k] = zero<T> ();
      if (i <= j || i >= s.p.n)
        continue;
      s.column[k] = s.m->pairs[j & 1][i][1];
      y[k] = mul_sub (s.v0[k], w0v,
                      mul_sub (s.w0[k], v0v, s.m->pairs[j & 1][i][0]));
      dot = conj_mul_add (s.v[k], y[k], dot);
      if (i == j + 1)
        {
          s.m->scalars[2] = y[k];
          s.m->scalars[3] = s.v0[k];
          s.m->scalars[4] = s.w0[k];
        }
    }
  dot = warp_sum (warp, dot);
  if (s.lane == 0)
    s.m->slots[3][s.wid] = dot;
  __syncthreads ();
  dot = sum_of_warps (s.m->slots[3]);
  const R half = add_square (tau, (R) 0) * real_part (dot) / 2;
  const T minus_half = make_number<T> (-half, 0);
  /* v is 1 in row j + 1, or zero with tau */
  const T one = make_number<T> (real_part (tau) == 0 ? 0 : 1, 0);
  const T w_next = mul_add (tau, s.m->scalars[2], times (minus_half, one));
  const T v0_next = s.m->scalars[3], w0_next = s.m->scalars[4];
#pragma unroll
  for (int k = 0; k < EACH; k++)
    {
      const int i = (int) threadIdx.x + k * ONE_CLUSTER_THREADS;
      const T w = mul_add (tau, y[k], times (minus_half, s.v[k]));
      if (i > j && i < s.p.n)
        {
          T c = s.column[k];
          c = mul_conj_sub (s.w0[k], v0_next,
                            mul_conj_sub (s.v0[k], w0_next, c));
          c = mul_conj_sub (w, one, mul_conj_sub (s.v[k], w_next, c));
          s.column[k] = c;
          if (i == j + 2)
            s.m->scalars[(j + 1) & 1] = c;
          if (i == j + 1 && s.block == 0)
            s.p.d[i] = real_part (c);
        }
      if (i < s.p.n)
        s.m->w[i] = w;
      s.v0[k] = s.v[k];
      s.w0[k] = w;
    }
}

/* One cluster of 16 blocks of 16 warps.  Per column: two barriers of the block in
   reflect_column, one before the sums, one in advance_column, and the phase of the
   mbarrier that counts the received bytes.  */
template <typename T, int COLUMNS>
static __global__ void
__launch_bounds__ (ONE_CLUSTER_THREADS, 1) one_cluster_kernel (one_cluster<T> p)
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
  begin_cluster (s);
  for (int j = 0; j < p.n - 1; j++)
    {
      const int left = p.n - 1 - j;
      if (threadIdx.x == 0)
        expect_bytes (s.m->arrivals + (j & 1),
                      (unsigned) (left > ONE_CLUSTER ? left : ONE_CLUSTER)
                          * (unsigned) (2 * sizeof (T)));
      const T tau = reflect_column (s, warp, j);
      multiply_and_send (s, warp, j);
      T w0v = zero<T> (), v0v = zero<T> ();
#pragma unroll
      for (int k = 0; k < ONE_CLUSTER_STATE::EACH; k++)
        {
          const int i = (int) threadIdx.x + k * ONE_CLUSTER_THREADS;
          w0v = conj_mul_add (s.w0[k], s.v[k], w0v);
          v0v = conj_mul_add (s.v0[k], s.v[k], v0v);
          if (p.vectors && j % ONE_CLUSTER == s.block && i < p.n)
            p.a[(size_t) p.n * (size_t) j + i] = s.v[k];
        }
      w0v = warp_sum (warp, w0v);
      v0v = warp_sum (warp, v0v);
      if (s.lane == 0)
        {
          s.m->slots[1][s.wid] = w0v;
          s.m->slots[2][s.wid] = v0v;
        }
      update_columns (s, j);
      __syncthreads ();
      w0v = sum_of_warps (s.m->slots[1]);
      v0v = sum_of_warps (s.m->slots[2]);
      wait_for_phase (s.m->arrivals + (j & 1), (unsigned) (j >> 1) & 1);
      advance_column (s, warp, j, tau, w0v, v0v);
    }
  cluster_barrier ();
}

#undef ONE_CLUSTER_TEMPLATE
#undef ONE_CLUSTER_STATE

#endif
