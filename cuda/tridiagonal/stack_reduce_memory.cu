/* Stacks: reduction to tridiagonal form of pages that do not fit into the registers and the
   shared memory of a block or a cluster (stack_reduce.cuh), one thread block per page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Thread (i, h) has row i of every threads_a_row-th group of eight columns.  The last rows and
   columns, which are in use longest, are in shared memory and the rest where it came from.
   Step j is one pass: the rank-2 update of the previous step, A -= v w^H + w v^H, and
   y = A v_j of the result, with column j + 1; then w, the updated column and the next
   reflector, by as many threads as there are rows.  */

#include "tridiagonal/stack.cuh"

#include "base/numbers.cuh"
#include "tridiagonal/householder.cuh"

enum
{
  GROUP = 8, /* columns */
  PARTS = 4, /* threads of a row, at most */
  THREADS = 2 * GE_STACK_ORDER
};

template <typename T> struct reduce_arguments
{
  int n, threads_a_row, padded; /* padded: columns of all threads */
  int corner; /* rows and columns from here on are in shared memory */
  T *a, *tau;
  double *d, *e;
  ge_stack_page *page;
};

/* The parts of a block's shared memory: four vectors of PADDED elements, partial
   sums of the rows, numbers for all threads, the matrix from row and column CORNER on.  */
template <typename T> struct reduce_space
{
  T *v, *w, *next, *column, *sums, *shared, *matrix;
};

/* Places in SHARED of tau and of two sums over the rows: a number, and the sums of the
   warps.  */
enum
{
  TAU,
  PRODUCTS,
  SQUARES = PRODUCTS + 1 + GE_STACK_ORDER / 32,
  SHARED = SQUARES + 1 + GE_STACK_ORDER / 32
};

/* --- between two passes --- */

/* Row threadIdx.x; warps without rows only meet the others.  The current reflector v is in
   NEXT: no thread keeps it during a pass.  */

GE_DEVICE_INLINE bool
has_rows (int n)
{
  return (int) threadIdx.x / 32 * 32 < n;
}

/* SUM: over the rows; NUMBER: that of the thread that has row J.  */
template <typename T>
GE_DEVICE_INLINE void
sum_rows (const reduce_space<T> &s, int place, int n, int j, ge_real<T> &sum,
          T &number)
{
  const ge_warp warp = this_warp ();
  T *const sums = s.shared + place + 1;
  sum = warp_sum (warp, sum);
  if ((int) threadIdx.x == j)
    s.shared[place] = number;
  if (warp.thread_rank () == 0 && has_rows (n))
    sums[threadIdx.x / 32] = make_number<T> (sum, 0);
  __syncthreads ();
  if (! has_rows (n))
    return;
  number = s.shared[place];
  ge_real<T> odd = 0;
  sum = real_part (sums[0]);
#pragma unroll 4
  for (int w = 1; w < (n + 31) / 32; w += 2)
    {
      odd += real_part (sums[w]);
      if (w + 1 < (n + 31) / 32)
        sum += real_part (sums[w + 1]);
    }
  sum += odd;
}

/* The reflector of column J from its updated element C, to next, A's column J and tau.  */
template <typename T>
GE_DEVICE_INLINE void
reflect_row (const reduce_arguments<T> &q, int64_t at, int j, T c,
             const reduce_space<T> &s)
{
  typedef ge_real<T> R;
  const int n = q.n, r = threadIdx.x;
  R squares = r > j + 1 && r < n ? add_square (c, (R) 0) : 0;
  T alpha = c;
  sum_rows (s, SQUARES, n, j + 1, squares, alpha);
  if (r >= n)
    return;
  const auto g
      = ge_make_reflector (real_part (alpha), imaginary_part (alpha), squares);
  const T scale = make_number<T> (g.scale_re, g.scale_im);
  const T v = r <= j || g.tau_re == 0 ? zero<T> ()
              : r == j + 1            ? make_number<T> (1, 0)
                                      : times (c, scale);
  s.next[r] = v;
  if (r > j)
    q.a[(at * n + j) * n + r] = v;
  if (r == 0)
    {
      q.e[at * n + j] = (double) g.beta * reduce_scale<R>::back;
      q.tau[at * n + j] = s.shared[TAU] = make_number<T> (g.tau_re, g.tau_im);
    }
}

/* w and d[j + 1]; the element of column j + 1.  */
template <typename T>
GE_DEVICE_INLINE T
update_row (const reduce_arguments<T> &q, int64_t at, int j,
            const reduce_space<T> &s)
{
  typedef ge_real<T> R;
  const int n = q.n, r = threadIdx.x;
  const bool left = r > j && r < n;
  const T tau = s.shared[TAU], v = r < n ? s.next[r] : zero<T> ();
  T c = left ? conjugate (s.column[r]) : zero<T> (), y = zero<T> ();
#pragma unroll
  for (int p = 0; p < PARTS; p++)
    if (p < q.threads_a_row && left)
      y = plus (y, s.sums[p * n + r]);
  /* v^H A v, which is real */
  R product = real_part (conj_mul_add (v, y, zero<T> ()));
  T first = y;
  sum_rows (s, PRODUCTS, n, j + 1, product, first);
  if (r >= n)
    return c;
  const R kappa = (R) 0.5 * add_square (tau, (R) 0) * product;
  const T w1 = is_zero (tau)
                   ? zero<T> ()
                   : minus (times (tau, first), make_number<T> (kappa, 0));
  const T w = mul_add (-kappa, v, times (tau, y));
  s.v[r] = v;
  s.w[r] = w;
  /* the step's column of the matrix, from its row */
  if (left)
    c = minus (mul_conj_sub (v, w1, c), w);
  if (r == j + 1)
    q.d[at * n + r] = (double) real_part (c) * reduce_scale<R>::back;
  return c;
}

/* After the pass of step J: w, d[j + 1], and the next reflector; for J = -1 the first one,
   of the elements in S.column.  */
template <typename T>
GE_DEVICE_INLINE void
between_passes (const reduce_arguments<T> &q, int64_t at, int j,
                const reduce_space<T> &s)
{
  T c = zero<T> ();
  if (j >= 0)
    c = update_row (q, at, j, s);
  else if ((int) threadIdx.x < q.n)
    c = s.column[threadIdx.x];
  if (j < q.n - 2)
    reflect_row (q, at, j + 1, c, s);
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
      pass_groups (i, first, end, step, j, n, s, vi, wi, page + i, n, sum);
      first += (end - first + step - 1) / step * step;
    }
  if (first < n)
    pass_groups (i, first, n, step, j, n, s, vi, wi,
                 s.matrix + (i - corner) - (int64_t) corner * size, size, sum);
  s.sums[h * n + i] = plus (sum[0], sum[1]);
}

/* --- the kernel --- */

/* The largest element of the page, and the page scaled.  */
template <typename T>
GE_DEVICE_INLINE int
load_page (const reduce_arguments<T> &q, T *page, int i, int h, int active,
           const reduce_space<T> &s)
{
  typedef ge_real<T> R;
  const int n = q.n, corner = q.corner;
  R largest = 0;
  if (active)
#pragma unroll 8
    for (int c = h; c < n; c += q.threads_a_row)
      largest = fmax (largest, largest_part (page[i + c * n]));
  largest = block_max (largest, (R *) s.sums, (int) blockDim.x / 32);
  const int exponent = exponent_of (largest);
  const int all = reduce_scale<R>::exponent - exponent, half = all / 2;
  const R f = ldexp ((R) 1, half), g = ldexp ((R) 1, all - half);
  if (active)
#pragma unroll 8
    for (int c = h; c < n; c += q.threads_a_row)
      {
        const T x = times (g, times (f, page[i + c * n]));
        if (i < corner || c < corner)
          page[i + c * n] = x;
        else
          s.matrix[(i - corner) + (c - corner) * (n - corner)] = x;
        /* for the first reflector */
        if (c == 0)
          s.column[i] = x;
      }
  return exponent;
}

template <typename T>
GE_KERNEL (THREADS)
reduce_memory_kernel (reduce_arguments<T> q)
{
  extern __shared__ double2 reduce_shared[];
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
  for (int k = thread; k < 3 * padded; k += blockDim.x)
    space[k] = zero<T> ();
  const int exponent = load_page (q, page, i, h, active, s);
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
        pass_memory (i, h, j, q, s, page);
      __syncthreads ();
      between_passes (q, at, j, s);
      __syncthreads ();
    }
}

template <typename T>
gpueig_status
ge_stack_reduce_in_memory (gpueig_context *ctx, const ge_stack<T> *s)
{
  const int n = s->n, rows = THREADS / n,
            threads_a_row = rows < PARTS ? rows : PARTS,
            padded = (n + GROUP - 1) / GROUP * GROUP;
  size_t elements = (size_t) (4 * padded + threads_a_row * n + SHARED);
  int corner;
  /* as much as fits, from the start of a group on */
  for (corner = 0; corner < n; corner += GROUP)
    if (ge_shared_fits (ctx, (elements + (size_t) ((n - corner) * (n - corner)))
                                 * sizeof (T)))
      break;
  corner = corner < n ? corner : n;
  elements += (size_t) ((n - corner) * (n - corner));
  const reduce_arguments<T> q
      = { n, threads_a_row, padded, corner, s->a, s->tau, s->d, s->e, s->page };
  const size_t shared = elements * sizeof (T);
  GE_ALLOW_SHARED (reduce_memory_kernel<T>, shared);
  GE_LAUNCH (reduce_memory_kernel<T>, (unsigned) s->pages,
             (n * threads_a_row + 31) / 32 * 32, shared, q);
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_stack_reduce_in_memory)
