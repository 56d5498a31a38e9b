/* The kernel that reduces a small matrix to tridiagonal form in one cluster of
   blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The algorithm is that of one_stage.cuh; here the whole stored matrix S is in
   the registers of 16 blocks.  Columns are distributed cyclically over the
   blocks, and within a block over its 8 warps; a lane has rows lane, lane +
   32, ... of its warp's columns.  So a warp computes the elements of S x
   for its columns alone, without a barrier, and stores them with those of the
   next column into the shared memory of all blocks (counted stores,
   base/cluster.cuh).  Vectors of order n are in shared memory; thread t
   computes their elements t, t + 256, ...

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
  ONE_CLUSTER_WARPS = 8,
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

/* Shared memory of a block.  The order is at most 128 COLUMNS; a warp has
   COLUMNS columns, 2 or 4, 4 COLUMNS rows per lane.  */
template <typename T, int COLUMNS> struct one_cluster_memory
{
  enum
  {
    ORDER = ONE_CLUSTER * ONE_CLUSTER_WARPS * COLUMNS
  };
  /* element i of y and of the next column, and the pairs of blocks without
     columns; two buffers */
  __align__ (16) T pairs[2][ORDER + ONE_CLUSTER][2];
  T column[ORDER]; /* the current one below row j + 1, zero above */
  T v[2][ORDER];   /* of this step and the one before, by turns */
  T w[ORDER];      /* of the step before */
  column_shared<T, ONE_CLUSTER_THREADS> shared;
  arrival arrivals[2];
};

template <typename T, int COLUMNS> struct one_cluster_state
{
  enum
  {
    DISTANCE = ONE_CLUSTER * ONE_CLUSTER_WARPS, /* of a warp's columns */
    ROWS = DISTANCE * COLUMNS / 32,
    EACH = (DISTANCE * COLUMNS + ONE_CLUSTER_THREADS - 1) / ONE_CLUSTER_THREADS
  };
  one_cluster<T> p;
  one_cluster_memory<T, COLUMNS> *m;
  int block, wid, lane;
  T s[COLUMNS][ROWS]; /* column first + DISTANCE q, rows lane + 32 h */
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
        const int i = s.lane + 32 * h,
                  c = s.first + ONE_CLUSTER_STATE::DISTANCE * q;
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
        {
          s.m->v[0][i] = s.m->v[1][i] = s.m->w[i] = zero<T> ();
          s.m->column[i] = i > 1 ? s.c.column[k] : zero<T> ();
        }
    }
  s.c.n = s.p.n;
  begin_columns (s.c, s.m->shared, warp);
  if (threadIdx.x < 2)
    begin_arrivals (s.m->arrivals + threadIdx.x, 1);
  /* all blocks have read A before the reflectors overwrite it */
  cluster_barrier ();
}

/* The reflector of column J; v in registers and shared memory.  */
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
  return tau;
}

/* The lane's rows h to h + GROUP - 1 for all h of which one may be below row J.  */
enum
{
  GROUP = 4
};
#define FOR_GROUPS(J)                                                          \
  _Pragma ("unroll") for (int h = 0; h < ONE_CLUSTER_STATE::ROWS;              \
                          h += GROUP) if (32 * (h + GROUP) > (J) + 1)

/* The warp's columns FROM and following: their elements of S times the column, and row
   J + 1 of them, stored into all blocks by eight lanes for each of four columns, or twice
   eight for each of two.  */
template <int FROM, typename T, int COLUMNS>
GE_DEVICE_INLINE void
multiply_from (ONE_CLUSTER_STATE &s, const ge_warp &warp, int j)
{
  static_assert (COLUMNS == 2 || COLUMNS == 4, "eight lanes");
  const int own = s.lane / 8 % COLUMNS, source = (j + 1) % 32;
  const T *x = s.m->column + s.lane;
  T sum[4], row[COLUMNS], column;
#pragma unroll
  for (int q = 0; q < COLUMNS; q++)
    sum[q] = row[q] = zero<T> ();
  FOR_GROUPS (j)
  {
    T x_i[GROUP];
#pragma unroll
    for (int e = 0; e < GROUP; e++)
      x_i[e] = x[32 * (h + e)];
#pragma unroll
    for (int e = 0; e < GROUP; e++)
#pragma unroll
      for (int q = FROM; q < COLUMNS; q++)
        sum[q] = conj_mul_add (s.s[q][h + e], x_i[e], sum[q]);
    if ((j + 1) / (32 * GROUP) == h / GROUP)
#pragma unroll
      for (int e = 0; e < GROUP; e++)
#pragma unroll
        for (int q = FROM; q < COLUMNS; q++)
          if (s.lane + 32 * (h + e) == j + 1)
            row[q] = s.s[q][h + e];
  }
#pragma unroll
  for (int q = COLUMNS; q < 4; q++)
    sum[q] = sum[q - COLUMNS];
  const T y = warp_sum_of_four (warp, sum);
  column = shuffle_from (warp, row[FROM], source);
#pragma unroll
  for (int q = FROM + 1; q < COLUMNS; q++)
    {
      const T other = shuffle_from (warp, row[q], source);
      column = own == q ? other : column;
    }
  column = conjugate (column);
  const int c = s.first + ONE_CLUSTER_STATE::DISTANCE * own;
  if (c > j && c < s.p.n)
#pragma unroll
    for (int to = s.lane % 8 + s.lane / (8 * COLUMNS) * 8; to < ONE_CLUSTER;
         to += 32 / COLUMNS)
      store_pair_counted (&s.m->pairs[j & 1][c], y, column,
                          s.m->arrivals + (j & 1), to);
}

/* For all blocks the products of the columns right of column J with the current one, and
   row J + 1 of S, which is column J + 1.  */
ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE void
multiply_and_send (ONE_CLUSTER_STATE &s, const ge_warp &warp, int j)
{
  constexpr int HALF = COLUMNS / 2, DISTANCE = ONE_CLUSTER_STATE::DISTANCE;
  if (s.first + DISTANCE * (HALF - 1) > j)
    multiply_from<0> (s, warp, j);
  else if (s.first + DISTANCE * (COLUMNS - 1) > j)
    multiply_from<HALF> (s, warp, j);
  /* the block's last column */
  const int last = s.block + (s.p.n - 1 - s.block) / ONE_CLUSTER * ONE_CLUSTER;
  if ((last <= j || last >= s.p.n) && threadIdx.x < ONE_CLUSTER)
    store_pair_counted (
        &s.m->pairs[j & 1][one_cluster_memory<T, COLUMNS>::ORDER + s.block],
        zero<T> (), zero<T> (), s.m->arrivals + (j & 1), s.lane);
}

/* S <- S - v0 w0' - w0 v0' in the warp's columns FROM and following.  */
template <int FROM, typename T, int COLUMNS>
GE_DEVICE_INLINE void
update_from (ONE_CLUSTER_STATE &s, int j)
{
  const T *v = s.m->v[(j & 1) ^ 1], *w = s.m->w;
  T v_c[COLUMNS], w_c[COLUMNS];
#pragma unroll
  for (int q = FROM; q < COLUMNS; q++)
    {
      const int c = s.first + ONE_CLUSTER_STATE::DISTANCE * q;
      v_c[q] = v[c];
      w_c[q] = w[c];
    }
  FOR_GROUPS (j)
  {
#pragma unroll
    for (int e = h; e < h + GROUP; e++)
      {
        const T v_i = v[s.lane + 32 * e], w_i = w[s.lane + 32 * e];
#pragma unroll
        for (int q = FROM; q < COLUMNS; q++)
          s.s[q][e] = mul_conj_sub (w_i, v_c[q],
                                    mul_conj_sub (v_i, w_c[q], s.s[q][e]));
      }
  }
}

ONE_CLUSTER_TEMPLATE
GE_DEVICE_INLINE void
update_columns (ONE_CLUSTER_STATE &s, int j)
{
  constexpr int HALF = COLUMNS / 2, DISTANCE = ONE_CLUSTER_STATE::DISTANCE;
  if (s.first + DISTANCE * (HALF - 1) > j)
    update_from<0> (s, j);
  else if (s.first + DISTANCE * (COLUMNS - 1) > j)
    update_from<HALF> (s, j);
}

/* One cluster of 16 blocks of 8 warps.  Per column: three barriers of the block,
   before the product, before the sums and in advance, and the phase of the mbarrier
   that counts the received bytes.  */
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
      __syncthreads ();
      multiply_and_send (s, warp, j);
      const T tau = reflect_column (s, j);
      multiply_by_former (s.c, s.m->shared, warp, j);
      update_columns (s, j);
      __syncthreads ();
      take_parts (warp, s.m->shared.parts[1], former);
      wait_for_phase (s.m->arrivals + (j & 1), (unsigned) (j >> 1) & 1);
      advance (
          s.c, s.m->shared, warp, j, tau, former,
          [&] (int i) {
            const T *x = s.m->pairs[j & 1][i];
            return column_pair<T>{ x[0], x[1] };
          },
          [&] (int k, int i, T w) {
            if (i < p.n)
              {
                s.m->w[i] = w;
                s.m->column[i] = i > j + 2 ? s.c.column[k] : zero<T> ();
              }
            if (i == j + 1 && i < p.n && s.block == 0)
              p.d[i] = real_part (s.c.column[k]);
          });
    }
  cluster_barrier ();
}

#undef FOR_GROUPS
#undef ONE_CLUSTER_TEMPLATE
#undef ONE_CLUSTER_STATE

#endif
