/* Stacks: reduction to tridiagonal form, one thread block per page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   H_{n-2}^H ... H_0^H A H_0 ... H_{n-2} = T with H_j = I - tau_j v_j v_j^H, v_j zero
   above row j + 1 (LAPACK's xSYTD2 and xHETD2 for the lower triangle; the last
   reflector makes the last off-diagonal element real).  All of the matrix is kept.
   Thread (i, h) has row i of every threads_a_row-th group of eight columns, so that all
   threads have work until the end, the first groups in shared memory and the last ones,
   which are in use longest, in registers: as a step's length is its latency, what counts
   is how many pages a multiprocessor has.  Of larger matrices the last rows and columns
   are in shared memory and the rest where it came from.  Step j is one pass: the
   rank-2 update of the previous step, A -= v w^H + w v^H, and y = A v_j of the
   result, with column j + 1; then w, the updated column and the next reflector
   (stack_reflector.cuh).

   Elements are scaled so that the largest has the exponent SCALE: sums of squares
   that underflow are then negligible (core/methods/tridiagonal/householder.h).  */

#ifndef GE_STACK_REDUCE_CUH
#define GE_STACK_REDUCE_CUH 1

#include "tridiagonal/stack_reflector.cuh"

template <typename T>
GE_DEVICE_INLINE ge_real<T>
largest_part (T x)
{
  return fmax (fabs (real_part (x)), fabs (imaginary_part (x)));
}

/* --- a pass --- */

/* One element: updated, its product added.  */
template <typename T>
GE_DEVICE_INLINE T
update_element (T x, T vi, T wi, T vc, T wc)
{
  return mul_conj_sub (wi, vc, mul_conj_sub (vi, wc, x));
}

/* 16 bytes of a vector.  */
template <typename T> struct alignas (16) reduce_vector
{
  T x[16 / sizeof (T)];
};

/* The update of element (i, FIRST) and the following ones of a group, X, and their
   products, which are added to SUM[0] and SUM[1].  */
template <typename T>
GE_DEVICE_INLINE void
update_group (int first, const reduce_space<T> &s, T vi, T wi, T *x, T *sum)
{
  constexpr int EACH = 16 / sizeof (T);
  typedef const reduce_vector<T> *vectors;
#pragma unroll
  for (int c = 0; c < GROUP; c += EACH)
    {
      const reduce_vector<T> v = *(vectors) (s.v + first + c);
      const reduce_vector<T> w = *(vectors) (s.w + first + c);
      const reduce_vector<T> y = *(vectors) (s.next + first + c);
#pragma unroll
      for (int k = 0; k < EACH; k++)
        {
          x[c + k] = update_element (x[c + k], vi, wi, v.x[k], w.x[k]);
          sum[(c + k) % 2] = mul_add (x[c + k], y.x[k], sum[(c + k) % 2]);
        }
    }
}

template <typename T>
GE_DEVICE_INLINE void
load_group (const T *a, int size, T *x)
{
#pragma unroll
  for (int c = 0; c < GROUP; c++)
    x[c] = a[c * size];
}

/* A group that begins with column FIRST, which becomes X.  */
template <typename T>
GE_DEVICE_INLINE void
pass_group (int i, int j, int first, const reduce_space<T> &s, T vi, T wi, T *x,
            T *sum)
{
  update_group (first, s, vi, wi, x, sum);
  if (i == j + 1)
#pragma unroll
    for (int c = 0; c < GROUP; c++)
      s.column[first + c] = x[c];
}

/* Thread (I, H) with its last COLUMNS columns A in registers.  Reduced columns are skipped a
   group at a time; updating the others of such a group is harmless, because next is
   zero there.  */
template <typename T, int COLUMNS>
GE_DEVICE_INLINE void
pass_columns (int i, int h, int j, const reduce_arguments<T> &q,
              const reduce_space<T> &s, T *a)
{
  const int size = blockDim.x, step = GROUP * q.threads_a_row;
  const T vi = s.v[i], wi = s.w[i];
  T sum[2] = { zero<T> (), zero<T> () };
  int first = h * GROUP;
  for (int c0 = 0; c0 < q.early; c0 += GROUP, first += step)
    if (first + GROUP - 1 > j)
      {
        T *const at = s.matrix + c0 * size + threadIdx.x;
        T x[GROUP];
        load_group (at, size, x);
        pass_group (i, j, first, s, vi, wi, x, sum);
#pragma unroll
        for (int c = 0; c < GROUP; c++)
          at[c * size] = x[c];
      }
#pragma unroll
  for (int c0 = 0; c0 < COLUMNS; c0 += GROUP, first += step)
    if (first + GROUP - 1 > j)
      pass_group (i, j, first, s, vi, wi, a + c0, sum);
  s.sums[h * q.n + i] = plus (sum[0], sum[1]);
}

/* Row I of the groups from FIRST on, below END, STEP columns apart: element (i, 0)
   would be at A, columns are SIZE elements apart.  Reduced columns of the first group are
   not stored; next is zero there.  Of each group all loads come
   before the stores, up to 8 bytes an element also those of the next one.  */
template <typename T>
GE_DEVICE_INLINE void
pass_groups (int i, int first, int end, int step, int j, int n,
             const reduce_space<T> &s, T vi, T wi, T *a, int size, T *sum)
{
  constexpr int AHEAD = sizeof (T) <= 8;
  const int whole = min (end, n / GROUP * GROUP);
  T x[GROUP], ahead[GROUP];
  if (AHEAD && first < whole)
    load_group (a + first * size, size, x);
  for (; first < whole; first += step)
    {
      T *const at = a + first * size;
      if (! AHEAD)
        load_group (at, size, x);
      else if (first + step < whole)
        load_group (at + step * size, size, ahead);
      update_group (first, s, vi, wi, x, sum);
      /* not the reflector in column j */
      if (first > j)
#pragma unroll
        for (int c = 0; c < GROUP; c++)
          at[c * size] = x[c];
      else
#pragma unroll
        for (int c = 1; c < GROUP; c++)
          if (first + c > j)
            at[c * size] = x[c];
      if (i == j + 1)
#pragma unroll
        for (int c = 0; c < GROUP; c++)
          s.column[first + c] = x[c];
      if (AHEAD)
#pragma unroll
        for (int c = 0; c < GROUP; c++)
          x[c] = ahead[c];
    }
  if (first >= end)
    return;
  /* the last columns, fewer than a group */
  for (int c = max (first, j + 1); c < n; c++)
    {
      const T y = update_element (a[c * size], vi, wi, s.v[c], s.w[c]);
      a[c * size] = y;
      sum[0] = mul_add (y, s.next[c], sum[0]);
      if (i == j + 1)
        s.column[c] = y;
    }
}

/* A pass over columns in memory.  */
template <typename T>
GE_DEVICE_INLINE void
pass_memory (int i, int h, int j, const reduce_arguments<T> &q,
             const reduce_space<T> &s, T *page)
{
  const int n = q.n, corner = q.corner, size = n - corner;
  const int step = GROUP * q.threads_a_row;
  const T vi = s.v[i], wi = s.w[i];
  T sum[2] = { zero<T> (), zero<T> () };
  int first = h * GROUP;
  /* the first group that is not done */
  if (first + GROUP - 1 <= j)
    first += (j + 1 - first) / step * step;
  if (first + GROUP - 1 <= j)
    first += step;
  const int end = i < corner ? n : min (n, corner);
  if (first < end)
    {
      pass_groups<T> (i, first, end, step, j, n, s, vi, wi, page + i, n, sum);
      first += (end - first + step - 1) / step * step;
    }
  if (first < n)
    pass_groups<T> (i, first, n, step, j, n, s, vi, wi,
                    s.matrix + (i - corner) - (int64_t) corner * size, size,
                    sum);
  s.sums[h * n + i] = plus (sum[0], sum[1]);
}

/* --- the kernel --- */

/* The largest element of the page, and the page scaled.  */
template <typename T, int WHERE>
GE_DEVICE_INLINE int
load_page (const reduce_arguments<T> &q, T *page, int i, int h, int active,
           const reduce_space<T> &s, T *a)
{
  typedef ge_real<T> R;
  const int n = q.n;
  R largest = 0;
  if (active)
    {
      if constexpr (WHERE > 0)
        {
          const auto element = [&] (int c) {
            const int column
                = (c / GROUP * q.threads_a_row + h) * GROUP + c % GROUP;
            const T x = column < n ? page[i + column * n] : zero<T> ();
            largest = fmax (largest, largest_part (x));
            return x;
          };
#pragma unroll 8
          for (int c = 0; c < q.early; c++)
            s.matrix[c * blockDim.x + threadIdx.x] = element (c);
#pragma unroll
          for (int c = 0; c < WHERE; c++)
            a[c] = element (q.early + c);
        }
      else
#pragma unroll 8
        for (int c = h; c < n; c += q.threads_a_row)
          largest = fmax (largest, largest_part (page[i + c * n]));
    }
  largest = block_max (largest, (R *) s.sums, (int) blockDim.x / 32);
  const int exponent = exponent_of (largest);
  const int all = reduce_scale<R>::exponent - exponent, half = all / 2;
  const R f = ldexp ((R) 1, half), g = ldexp ((R) 1, all - half);
  if (active)
    {
      if constexpr (WHERE > 0)
        {
          T *const early = s.matrix + threadIdx.x;
#pragma unroll 8
          for (int c = 0; c < q.early; c++)
            early[c * blockDim.x] = times (g, times (f, early[c * blockDim.x]));
#pragma unroll
          for (int c = 0; c < WHERE; c++)
            a[c] = times (g, times (f, a[c]));
          if (h == 0)
            s.column[i] = q.early > 0 ? early[0] : a[0];
        }
      else
        {
#pragma unroll 8
          for (int c = h; c < n; c += q.threads_a_row)
            {
              const T x = times (g, times (f, page[i + c * n]));
              if (i < q.corner || c < q.corner)
                page[i + c * n] = x;
              else
                s.matrix[(i - q.corner) + (c - q.corner) * (n - q.corner)] = x;
              /* for the first reflector */
              if (c == 0)
                s.column[i] = x;
            }
        }
    }
  return exponent;
}

/* K > 1: one warp works between the passes, with K rows a lane, 32 K >= n; 1: a thread for
   each row.  BLOCKS: that share a multiprocessor, at least.  */
template <typename T, int K, int WHERE, int THREADS, int BLOCKS>
GE_KERNEL (THREADS, BLOCKS)
reduce_kernel (reduce_arguments<T> q)
{
  extern __shared__ double2 reduce_shared[];
  constexpr int COLUMNS = WHERE > 0 ? WHERE : 1;
  const int n = q.n, thread = threadIdx.x, padded = q.padded;
  const int h = thread / n, i = thread - h * n;
  const int active = h < q.threads_a_row;
  const int64_t at = blockIdx.x;
  T *const space = (T *) reduce_shared;
  const reduce_space<T> s
      = { space,
          space + padded,
          space + 2 * padded,
          space + 3 * padded,
          space + 4 * padded,
          space + 4 * padded + q.threads_a_row * n,
          space + 4 * padded + q.threads_a_row * n + SHARED };
  T *const page = q.a + at * n * n;
  T a[COLUMNS];
  constexpr int PARTS = K > 1 ? 2 : 4;
  const bool between = K == 1 || thread < 32;

  for (int k = thread; k < 3 * padded; k += blockDim.x)
    space[k] = zero<T> ();
  const int exponent = load_page<T, WHERE> (q, page, i, h, active, s, a);
  __syncthreads ();
  if (thread == 0)
    {
      q.d[at * n]
          = (double) real_part (s.column[0]) * reduce_scale<ge_real<T>>::back;
      q.e[at * n + n - 1] = 0;
      q.page[at] = ge_stack_page{ GE_STACK_RUNNING, exponent };
    }
  for (int j = -1; j < n - 1; j++)
    {
      if (active && i > j && j >= 0)
        {
          if constexpr (WHERE > 0)
            pass_columns<T, COLUMNS> (i, h, j, q, s, a);
          else
            pass_memory<T> (i, h, j, q, s, page);
        }
      __syncthreads ();
      if (between)
        between_passes<PARTS, K> (q, at, j, s);
      __syncthreads ();
    }
}

template <typename T>
static gpueig_status reduce_in_memory (gpueig_context *ctx,
                                       const ge_stack<T> *s);

/* WHERE > 0: so many columns of a thread are in registers.  */
template <typename T, int K, int WHERE, int THREADS, int BLOCKS>
static gpueig_status
launch_reduce (gpueig_context *ctx, const ge_stack<T> *s, int threads_a_row)
{
  const int n = s->n, round = GROUP * threads_a_row;
  const int threads = (n * threads_a_row + 31) / 32 * 32;
  const int columns = (n + round - 1) / round * GROUP;
  const int early = WHERE > 0 && columns > WHERE ? columns - WHERE : 0;
  const int padded = WHERE > 0 ? threads_a_row * (early + WHERE)
                               : (n + GROUP - 1) / GROUP * GROUP;
  int corner = n;
  size_t elements = (size_t) (4 * padded + threads_a_row * n + SHARED);
  if (WHERE > 0)
    elements += (size_t) (early * threads);
  else
    {
      /* as much as fits, from the start of a group on */
      for (corner = 0; corner < n; corner += GROUP)
        if (ge_shared_fits (ctx,
                            (elements + (size_t) ((n - corner) * (n - corner)))
                                * sizeof (T)))
          break;
      corner = corner < n ? corner : n;
      elements += (size_t) ((n - corner) * (n - corner));
    }
  const reduce_arguments<T> q
      = { n,    threads_a_row, padded, corner, early,
          s->a, s->tau,        s->d,   s->e,   s->page };
  const size_t shared = elements * sizeof (T);
  if (WHERE > 0 && ! ge_shared_fits (ctx, shared))
    return reduce_in_memory (ctx, s);
  GE_ALLOW_SHARED ((reduce_kernel<T, K, WHERE, THREADS, BLOCKS>), shared);
  GE_LAUNCH ((reduce_kernel<T, K, WHERE, THREADS, BLOCKS>), (unsigned) s->pages,
             threads, shared, q);
  return GPUEIG_OK;
}

/* The columns that do not fit into registers and shared memory.  */
template <typename T>
static gpueig_status
reduce_in_memory (gpueig_context *ctx, const ge_stack<T> *s)
{
  const int rows = 512 / s->n < 2 ? 2 : 512 / s->n > 4 ? 4 : 512 / s->n;
  return launch_reduce<T, 1, IN_MEMORY, 512, 1> (ctx, s, rows);
}

/* Orders above GE_STACK_ORDER, up to GE_STACK_BASIS.  */
template <typename T>
static gpueig_status
reduce_large (gpueig_context *ctx, const ge_stack<T> *s)
{
  return launch_reduce<T, 1, IN_MEMORY, 2 * GE_STACK_BASIS, 1> (ctx, s, 2);
}

/* The last numbers are columns in registers, the most threads of a block, blocks of a
   multiprocessor, and threads of a row; where one warp works between the passes these are
   two.  */
template <typename T>
static gpueig_status
reduce_singles (gpueig_context *ctx, const ge_stack<T> *s)
{
  if (s->n <= 64)
    return launch_reduce<T, 2, 16, 128, 8> (ctx, s, 2);
  if (s->n <= 96)
    return launch_reduce<T, 3, 16, 192, 5> (ctx, s, 2);
  if (s->n <= 128)
    return launch_reduce<T, 1, 16, 256, 4> (ctx, s, 2);
  if (s->n <= 192)
    return launch_reduce<T, 1, 32, 384, 2> (ctx, s, 2);
  if (s->n <= 256)
    return launch_reduce<T, 1, 48, 512, 1> (ctx, s, 2);
  return reduce_large (ctx, s);
}

template <typename T>
static gpueig_status
reduce_doubles (gpueig_context *ctx, const ge_stack<T> *s)
{
  if (s->n <= 64)
    return launch_reduce<T, 2, 8, 128, 7> (ctx, s, 2);
  if (s->n <= 96)
    return launch_reduce<T, 3, 16, 192, 4> (ctx, s, 2);
  if (s->n <= 128)
    return launch_reduce<T, 1, 32, 256, 2> (ctx, s, 2);
  if (s->n <= 144)
    return launch_reduce<T, 1, 32, 288, 2> (ctx, s, 2);
  if (s->n <= 170)
    return launch_reduce<T, 1, 32, 512, 1> (ctx, s, 3);
  if (s->n <= 208)
    return launch_reduce<T, 1, 40, 416, 1> (ctx, s, 2);
  if constexpr (sizeof (ge_real<T>) == 4)
    if (s->n > GE_STACK_ORDER)
      return reduce_large (ctx, s);
  return reduce_in_memory (ctx, s);
}

template <typename T>
static gpueig_status
reduce_pairs (gpueig_context *ctx, const ge_stack<T> *s)
{
  if (s->n <= 64)
    return launch_reduce<T, 2, 8, 128, 4> (ctx, s, 2);
  if (s->n <= 96)
    return launch_reduce<T, 3, 16, 192, 2> (ctx, s, 2);
  if (s->n <= 128)
    return launch_reduce<T, 1, 16, 512, 1> (ctx, s, 4);
  return reduce_in_memory (ctx, s);
}

template <typename T>
gpueig_status
ge_stack_reduce (gpueig_context *ctx, const ge_stack<T> *s)
{
  if constexpr (sizeof (T) == 4)
    return reduce_singles (ctx, s);
  else if constexpr (sizeof (T) == 8)
    return reduce_doubles (ctx, s);
  else
    return reduce_pairs (ctx, s);
}

#endif
