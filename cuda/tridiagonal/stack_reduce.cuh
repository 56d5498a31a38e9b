/* Stacks: reduction to tridiagonal form in the registers and the shared memory of a thread
   block, or of a cluster of blocks, per page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   H_{n-2}^H ... H_0^H A H_0 ... H_{n-2} = T with H_j = I - tau_j v_j v_j^H, v_j zero
   above row j + 1 (LAPACK's xSYTD2 and xHETD2 for the lower triangle; the last
   reflector makes the last off-diagonal element real).  All of the matrix is kept.
   Step j is one pass: the rank-2 update of the previous step, A -= v w^H + w v^H, and
   y = A v_j of the result, with column j + 1; then w, the updated column and the next
   reflector.

   Columns are distributed cyclically over all warps, and a lane has rows lane, lane + 32,
   ... of its warp's columns: the first ones, which are reduced first, in shared memory and
   the last HELD ones in registers.  So the elements of v, w and the next reflector that
   belong to a column are read once for all rows, and those of the rows stay in registers.
   The sums of a row over the columns of the warps meet in shared memory; what follows, up
   to the next reflector, every warp computes by itself for all rows, so that a step needs
   one barrier, and two where more than four warps meet.

   Rows and columns are numbered so that the last one is 32 K - 1: a column's place in its
   warp is known when the code is translated.  Phase P is the code for steps of block P of
   32 columns, without the blocks before.

   The less is left of a page the more a step waits, and the more pages a multiprocessor can
   have: a shape hands its last blocks over in memory to one with fewer warps.

   Elements are scaled so that the largest has the exponent of reduce_scale: sums of squares
   that underflow are then negligible (householder.cuh).  */

#ifndef GE_STACK_REDUCE_CUH
#define GE_STACK_REDUCE_CUH 1

#include "base/launch.cuh"
#include "tridiagonal/householder.cuh"
#include "tridiagonal/stack_reduce_pass.cuh"

template <typename T> struct reduce_arguments
{
  int n, first; /* rows and columns from FIRST on are left */
  T *a, *tau;
  double *d, *e;
  ge_stack_page *page;
};

/* --- sums --- */

/* The sum of COUNT numbers, an even count, DISTANCE apart.  */
template <int COUNT, typename C>
GE_DEVICE_INLINE C
sum_of_parts (const C *part, int distance)
{
  C sum = part[0], odd = part[distance];
#pragma unroll
  for (int w = 2; w < COUNT; w += 2)
    {
      sum = plus (sum, part[w * distance]);
      odd = plus (odd, part[(w + 1) * distance]);
    }
  return plus (sum, odd);
}

/* The sums of a block's warps are added and given to all blocks, and column STEP by the block
   that has it.  A thread has a complex number or two reals.  */
template <int P, typename S>
GE_DEVICE_INLINE void
meet_twice (S &s, int step)
{
  typedef typename S::T T;
  typedef ge_complex<T> C;
  constexpr int IN_ONE = sizeof (C) / sizeof (T), ROWS = S::ROWS / IN_ONE;
  const int row = threadIdx.x, buffer = step & 1;
  const bool active = row >= 32 * P / IN_ONE && row < ROWS;
  C sum;
  if (active)
    sum = sum_of_parts<S::WARPS> ((const C *) s.m->part + row, ROWS);
  C *const to = (C *) s.m->sums[buffer][s.rank] + row;
  if constexpr (S::CLUSTER == 1)
    {
      if (active)
        *to = sum;
      __syncthreads ();
      return;
    }
  arrival *const arrivals = s.m->arrivals + buffer;
  if (active)
    {
#pragma unroll
      for (int b = 0; b < S::CLUSTER; b++)
        store_counted (to, sum, arrivals, b);
      if (step % S::ALL / S::WARPS == s.rank)
#pragma unroll
        for (int b = 0; b < S::CLUSTER; b++)
          store_counted ((C *) s.m->column[buffer] + row,
                         ((const C *) s.m->given)[row], arrivals, b);
    }
  if (row == 0)
    expect_bytes (arrivals, (unsigned) ((S::CLUSTER + 1) * (S::ROWS - 32 * P)
                                        * (int) sizeof (T)));
  wait_for_phase (arrivals, (unsigned) (step - s.before - 1) / 2 % 2);
  if constexpr (S::ADDED)
    {
      if (active)
        ((C *) s.m->total)[row] = sum_of_parts<S::CLUSTER> (
            (const C *) s.m->sums[buffer] + row, ROWS);
      __syncthreads ();
    }
}

/* Element ROW of A times the last reflector.  */
template <typename S>
GE_DEVICE_INLINE typename S::T
met_sum (const S &s, int step, int row)
{
  typedef typename S::T T;
  const T *const sum = &s.m->sums[step & 1][0][row];
  if constexpr (S::ADDED)
    return s.m->total[row];
  else if constexpr (S::MEETING == 1)
    return sum[0];
  else
    return sum_of_parts<S::MEETING> (sum, S::ROWS);
}

/* --- between two passes --- */

/* The reflector of column J from its rows C below the diagonal, and what the next pass needs; V:
   the reflector before it.  P: the block of row J.  */
template <int P, typename S, typename T, int K>
GE_DEVICE_INLINE void
next_reflector (S &s, int j, const T (&v)[K], const T (&c)[K])
{
  typedef ge_real<T> R;
  const ge_warp warp = this_warp ();
  const T alpha = j % 32 < 31
                      ? shuffle_from (warp, c[P], j % 32 + 1)
                      : shuffle_from (warp, c[P + 1 < K ? P + 1 : P], 0);
  R squares = 0;
#pragma unroll
  for (int k = P; k < K; k++)
    if (k > P + 1 || 32 * k + s.lane > j + 1)
      squares = add_square (c[k], squares);
  squares = warp_sum (warp, squares);
  const auto g
      = ge_make_reflector (real_part (alpha), imaginary_part (alpha), squares);
  const bool owner = j % S::ALL == s.mine;
  const T scale = make_number<T> (g.scale_re, g.scale_im);
  T *const column = s.a + (int64_t) (j - s.before) * s.ld - s.before;
  s.next_tau = make_number<T> (g.tau_re, g.tau_im);
#pragma unroll
  for (int k = P; k < K; k++)
    {
      const int r = 32 * k + s.lane;
      const T x = (k == P && r <= j) || g.tau_re == 0 ? zero<T> ()
                  : k <= P + 1 && r == j + 1          ? make_number<T> (1, 0)
                                                      : times (c[k], scale);
      if constexpr (! S::LEAN)
        s.next[k] = x;
      else if (s.warp == 0)
        s.m->reflector[j & 1][r] = x;
      if (owner && r > j)
        column[r] = x;
      if (s.lane % S::ALL == s.mine)
        s.own[S::EACH * k + s.lane / S::ALL] = { v[k], s.w[k], x };
    }
  if (owner && s.lane == 0)
    {
      s.e[j - s.before] = (double) g.beta * reduce_scale<R>::back;
      s.tau[j - s.before] = s.next_tau;
    }
  warp.sync ();
}

/* w, column STEP updated by it, its diagonal element and its reflector.  */
template <int P, typename S>
GE_DEVICE_INLINE void
between_passes (S &s, int step)
{
  typedef typename S::T T;
  typedef ge_real<T> R;
  const ge_warp warp = this_warp ();
  const int place = step % 32;
  T y[S::K], c[S::K], v[S::K];
  R product = 0; /* v^H A v, which is real */
#pragma unroll
  for (int k = P; k < S::K; k++)
    {
      const int r = 32 * k + s.lane;
      y[k] = met_sum (s, step, r);
      if (k == P && s.lane < place)
        y[k] = zero<T> ();
      c[k] = s.m->column[step & 1][r];
      if constexpr (S::LEAN)
        v[k] = s.m->reflector[(step - 1) & 1][r];
      else
        v[k] = s.next[k];
      product += real_part (conj_mul_add (v[k], y[k], zero<T> ()));
    }
  product = warp_sum (warp, product);
  const T tau = s.next_tau, first = shuffle_from (warp, y[P], place);
  const R kappa = (R) 0.5 * add_square (tau, (R) 0) * product;
  const T w1 = is_zero (tau)
                   ? zero<T> ()
                   : minus (times (tau, first), make_number<T> (kappa, 0));
#pragma unroll
  for (int k = P; k < S::K; k++)
    {
      if constexpr (! S::LEAN)
        s.v[k] = v[k];
      s.w[k] = mul_add (-kappa, v[k], times (tau, y[k]));
      c[k] = minus (mul_conj_sub (v[k], w1, c[k]), s.w[k]);
    }
  if (step % S::ALL == s.mine && s.lane == place)
    s.d[step - s.before] = (double) real_part (c[P]) * reduce_scale<R>::back;
  if (step < S::ROWS - 1)
    next_reflector<P> (s, step, v, c);
}

/* Columns from that of STEP on, updated by its reflector, in memory.  */
template <int P, typename S>
GE_DEVICE_INLINE void
hand_over (S &s, int step)
{
  const auto put = [&] (int c, int k, const typename S::T &x) {
    const int j = c * S::ALL + s.mine;
    if (j >= step)
      s.a[32 * k + s.lane - s.before + (int64_t) (j - s.before) * s.ld] = x;
  };
  pass<P> (s, step + 1, step);
#pragma unroll 1
  for (int c = S::EACH * P; c < S::EARLY; c++)
#pragma unroll
    for (int k = P; k < S::K; k++)
      put (c, k, s.early[32 * (S::K * c + k)]);
#pragma unroll
  for (int h = 0; h < S::HELD; h++)
#pragma unroll
    for (int k = P; k < S::K; k++)
      put (S::EARLY + h, k, s.held[h][k]);
}

template <int P, typename S>
GE_DEVICE_INLINE void
run_phases (S &s)
{
  constexpr bool is_last = S::LEFT > 0 && P == S::K - S::LEFT;
  const int begin = P == 0 ? s.before + 1 : 32 * P,
            end = is_last ? begin + 1 : 32 * (P + 1);
#pragma unroll 1
  for (int step = begin; step < end; step++)
    {
      pass<P> (s, step, step);
      __syncthreads ();
      if constexpr (S::TWICE)
        meet_twice<P> (s, step);
      between_passes<P> (s, step);
    }
  if constexpr (is_last)
    hand_over<P> (s, 32 * P);
  else if constexpr (P + 1 < S::K)
    run_phases<P + 1> (s);
}

/* --- the kernel --- */

/* LARGEST over all threads of all blocks.  */
template <typename S, typename R>
GE_DEVICE_INLINE R
largest_of_all (S &s, R largest)
{
  const ge_warp warp = this_warp ();
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2)
    largest = fmax (largest, shuffle_xor (warp, largest, lanes));
  if (s.lane == 0)
    s.m->largest[s.warp] = largest;
  __syncthreads ();
#pragma unroll
  for (int w = 0; w < S::WARPS; w++)
    largest = fmax (largest, s.m->largest[w]);
  if (S::CLUSTER == 1)
    return largest;
  if (threadIdx.x < S::CLUSTER)
    in_block (s.m->largest, threadIdx.x)[S::WARPS + s.rank] = largest;
  cluster_barrier ();
#pragma unroll
  for (int b = 0; b < S::CLUSTER; b++)
    largest = fmax (largest, s.m->largest[S::WARPS + b]);
  return largest;
}

/* The page, scaled unless it IS_SCALED, and its first column C, which every warp reads before it
   is overwritten; returns the exponent.  */
template <typename S, typename T, int K>
GE_DEVICE_INLINE int
load_page (S &s, bool is_scaled, T (&c)[K])
{
  typedef ge_real<T> R;
  const int first = s.before / S::ALL;
  R largest = 0;
  const auto element = [&] (int column, int k) {
    const int r = 32 * k + s.lane - s.before,
              j = column * S::ALL + s.mine - s.before;
    const T x = j >= 0 && r >= 0 ? s.a[r + (int64_t) j * s.ld] : zero<T> ();
    largest = fmax (largest, largest_part (x));
    return x;
  };
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = 32 * k + s.lane - s.before;
      c[k] = r >= 0 ? s.a[r] : zero<T> ();
    }
#pragma unroll 2
  for (int j = first; j < S::EARLY; j++)
#pragma unroll
    for (int k = 0; k < K; k++)
      s.early[32 * (K * j + k)] = element (j, k);
#pragma unroll
  for (int h = 0; h < S::HELD; h++)
#pragma unroll
    for (int k = 0; k < K; k++)
      s.held[h][k] = element (S::EARLY + h, k);
  largest = largest_of_all (s, largest);
  const int exponent
      = is_scaled ? reduce_scale<R>::exponent : exponent_of (largest);
  const int all = reduce_scale<R>::exponent - exponent, half = all / 2;
  const R f = ldexp ((R) 1, half), g = ldexp ((R) 1, all - half);
#pragma unroll 2
  for (int j = first; j < S::EARLY; j++)
#pragma unroll
    for (int k = 0; k < K; k++)
      {
        T *const at = s.early + 32 * (K * j + k);
        *at = times (g, times (f, *at));
      }
#pragma unroll
  for (int h = 0; h < S::HELD; h++)
#pragma unroll
    for (int k = 0; k < K; k++)
      s.held[h][k] = times (g, times (f, s.held[h][k]));
#pragma unroll
  for (int k = 0; k < K; k++)
    c[k] = times (g, times (f, c[k]));
  return exponent;
}

template <typename S, int BLOCKS>
GE_KERNEL (S::THREADS, BLOCKS)
reduce_kernel (reduce_arguments<typename S::T> q)
{
  typedef typename S::T T;
  extern __shared__ double2 reduce_shared[];
  S s;
  T c[S::K], v[S::K];
  const int64_t at = blockIdx.x / S::CLUSTER;
  s.ld = q.n;
  s.before = S::ROWS - (q.n - q.first);
  s.lane = threadIdx.x % 32;
  s.warp = this_warp ().shfl ((int) threadIdx.x / 32, 0);
  s.rank = S::CLUSTER > 1 ? cluster_rank () : 0;
  s.mine = s.rank * S::WARPS + s.warp;
  s.m = (typename S::memory *) reduce_shared;
  s.own = s.m->own[s.warp];
  const int first = s.before / S::ALL, early = max (S::EARLY - first, 0);
  s.early = (T *) (s.m + 1) + (s.warp * early - first) * S::ROWS + s.lane;
  s.a = q.a + at * q.n * q.n + (int64_t) q.first * (q.n + 1);
  s.tau = q.tau + at * q.n + q.first;
  s.d = q.d + at * q.n + q.first;
  s.e = q.e + at * q.n + q.first;
  if (S::CLUSTER > 1 && threadIdx.x < 2)
    begin_arrivals (s.m->arrivals + threadIdx.x, 1);
#pragma unroll
  for (int k = 0; k < S::K; k++)
    {
      v[k] = s.w[k] = zero<T> ();
      if constexpr (S::LEAN)
        s.m->reflector[(s.before + 1) & 1][32 * k + s.lane] = zero<T> ();
      else
        s.v[k] = zero<T> ();
    }
  const int exponent = load_page (s, q.first > 0, c);
  if (s.mine == 0 && s.lane == s.before)
    {
      s.d[0] = (double) real_part (c[0]) * reduce_scale<ge_real<T>>::back;
      s.e[q.n - q.first - 1] = 0;
      if (q.first == 0)
        q.page[at] = ge_stack_page{ GE_STACK_RUNNING, exponent };
    }
  next_reflector<0> (s, s.before, v, c);
  run_phases<0> (s);
  if (S::CLUSTER > 1)
    cluster_barrier ();
}

/* --- the shapes --- */

/* Rows and columns from FIRST on, *LEFT of which are left.  With GPUs that have less shared
   memory, or no clusters, the page stays in memory.  BLOCKS: that share a multiprocessor.  */
template <typename S, int BLOCKS>
static gpueig_status
reduce_on_chip (gpueig_context *ctx, const ge_stack<typename S::T> *s,
                int first, int *left)
{
  typedef typename S::T T;
  const int before = (S::ROWS - (s->n - first)) / S::ALL,
            early = S::EARLY > before ? S::EARLY - before : 0;
  const size_t shared = sizeof (typename S::memory)
                        + (size_t) (S::WARPS * early * S::ROWS) * sizeof (T);
  *left = 0;
  if (first == 0
      && (! ge_shared_fits (ctx, shared)
          || (S::CLUSTER > 1 && ! ge_cuda_of (ctx)->clusters)))
    return ge_stack_reduce_in_memory (ctx, s);
  *left = 32 * S::LEFT;
  GE_TRY (ge_one_launch (ctx, s->pages * S::CLUSTER, s->pages));
  GE_ALLOW_SHARED ((reduce_kernel<S, BLOCKS>), shared);
  return ge_launch_with (
      ctx, "reduce_kernel", reduce_kernel<S, BLOCKS>, s->pages * S::CLUSTER,
      S::THREADS, shared, S::CLUSTER, 0,
      reduce_arguments<T>{ s->n, first, s->a, s->tau, s->d, s->e, s->page });
}

/* Blocks of 32 rows, and those of them that are left to another shape, warps, thread blocks of
   a cluster, columns of a warp in registers, and thread blocks that share a multiprocessor.  */
#define GE_SHAPE(K, LEFT, WARPS, CLUSTER, HELD, BLOCKS)                        \
  if (s->n - first <= 32 * K)                                                  \
    return reduce_on_chip<reduce_state<T, K, LEFT, WARPS, CLUSTER, HELD>,      \
                          BLOCKS> (ctx, s, first, left);

template <typename T>
static gpueig_status
reduce_from (gpueig_context *ctx, const ge_stack<T> *s, int first, int *left)
{
  if constexpr (sizeof (T) == 4)
    {
      GE_SHAPE (2, 0, 2, 1, 20, 9)
      GE_SHAPE (3, 0, 2, 1, 24, 8)
      GE_SHAPE (4, 2, 4, 1, 16, 4)
      GE_SHAPE (5, 0, 4, 1, 24, 2)
      GE_SHAPE (6, 0, 4, 1, 24, 2)
      GE_SHAPE (7, 0, 8, 1, 14, 1)
      GE_SHAPE (8, 0, 8, 1, 16, 1)
    }
  else if constexpr (sizeof (T) == 8 && ! is_complex<T>::value)
    {
      GE_SHAPE (2, 0, 2, 1, 20, 7)
      GE_SHAPE (3, 0, 2, 1, 20, 5)
      GE_SHAPE (4, 2, 4, 1, 20, 2)
      GE_SHAPE (5, 4, 8, 1, 10, 1)
      GE_SHAPE (6, 0, 8, 1, 10, 1)
      GE_SHAPE (7, 6, 8, 2, 8, 1)
      GE_SHAPE (8, 0, 8, 2, 8, 1)
    }
  else if constexpr (sizeof (T) == 8)
    {
      GE_SHAPE (2, 0, 2, 1, 16, 7)
      GE_SHAPE (3, 0, 4, 1, 12, 4)
      GE_SHAPE (4, 2, 4, 1, 20, 2)
      GE_SHAPE (5, 4, 8, 1, 8, 1)
      GE_SHAPE (6, 5, 8, 2, 8, 1)
      GE_SHAPE (7, 5, 8, 2, 7, 1)
      GE_SHAPE (8, 4, 8, 2, 6, 1)
    }
  else
    {
      GE_SHAPE (2, 0, 2, 1, 20, 4)
      GE_SHAPE (3, 2, 4, 1, 12, 2)
      GE_SHAPE (4, 2, 8, 1, 8, 1)
      GE_SHAPE (5, 4, 8, 2, 4, 1)
      GE_SHAPE (6, 4, 8, 2, 5, 1)
      GE_SHAPE (7, 6, 8, 4, 3, 1)
      GE_SHAPE (8, 6, 8, 4, 4, 1)
    }
  *left = 0;
  return ge_stack_reduce_in_memory (ctx, s);
}
#undef GE_SHAPE

template <typename T>
gpueig_status
ge_stack_reduce (gpueig_context *ctx, const ge_stack<T> *s)
{
  for (int left = s->n; left > 0;)
    GE_TRY (reduce_from (ctx, s, s->n - left, &left));
  return GPUEIG_OK;
}

#endif
