/* Stacks: reduction to tridiagonal form, one thread block per page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   H_{n-2}^H ... H_0^H A H_0 ... H_{n-2} = T with H_j = I - tau_j v_j v_j^H, v_j zero
   above row j + 1 (LAPACK's xSYTD2 and xHETD2 for the lower triangle; the last
   reflector makes the last off-diagonal element real).  All of the matrix is kept,
   in registers, or its last rows and columns in shared memory and the rest where
   it came from.  Thread (i, h) has row i of every threads_a_row-th group of eight
   columns, so that all threads have work until the end.  Step j is one pass: the
   rank-2 update of the previous step, A -= v w^H + w v^H, and y = A v_j of the
   result, with column j + 1; then one warp makes w, the updated column and the next
   reflector: several times the latency of anything else, so that its loads and
   sums are independent of each other as far as possible.

   Elements are scaled so that the largest has the exponent SCALE: sums of squares
   that underflow are then negligible (core/tridiagonal/householder.h).  */

#ifndef GE_STACK_REDUCE_CUH
#define GE_STACK_REDUCE_CUH 1

#include "tridiagonal/stack.cuh"

#include "base/numbers.cuh"
#include "tridiagonal/householder.cuh"

template <typename R> struct reduce_scale;
template <> struct reduce_scale<double>
{
  static constexpr int exponent = 300;
  static constexpr double back = 0x1p-300;
};
template <> struct reduce_scale<float>
{
  static constexpr int exponent = 30;
  static constexpr double back = 0x1p-30;
};

template <typename T> struct alignas (2 * sizeof (T)) reduce_pair
{
  T x, y;
};

/* Where the matrix is stored during the reduction: IN_MEMORY, or for values > 0
   in registers, so many columns, a multiple of GROUP, per thread.  */
enum
{
  IN_MEMORY = 0,
  GROUP = 8 /* columns */
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
   sums, the matrix if it is here.  */
template <typename T> struct reduce_space
{
  T *v, *w, *next, *column, *sums, *matrix;
};

GE_DEVICE_INLINE int
exponent_of_number (double x)
{
  int e = 0;
  (void) frexp (x, &e);
  return e;
}
GE_DEVICE_INLINE int
exponent_of_number (float x)
{
  int e = 0;
  (void) frexpf (x, &e);
  return e;
}

template <typename T>
GE_DEVICE_INLINE typename real_of<T>::type
largest_part (T x)
{
  return fmax (fabs (real_part (x)), fabs (imaginary_part (x)));
}

/* The largest of X over the block; SPACE: one number per warp.  */
template <typename R>
static __device__ __forceinline__ R
largest_of_block (R x, R *space)
{
  const ge_warp warp = this_warp ();
#pragma unroll
  for (int k = 16; k > 0; k /= 2)
    x = fmax (x, warp.shfl_xor (x, k));
  if (warp.thread_rank () == 0)
    space[threadIdx.x / 32] = x;
  __syncthreads ();
  x = space[0];
  for (unsigned w = 1; w < blockDim.x / 32; w++)
    x = fmax (x, space[w]);
  __syncthreads ();
  return x;
}

/* --- the warp between two passes --- */

/* A warp's copy of the current reflector, row lane + 32 k in V[k].  */
template <typename T, int K> struct reflector_rows
{
  T v[K], tau;
};

/* The reflector of column J from its updated elements C, to next, A's column J and
   tau.  */
template <typename T, int K>
static __device__ __forceinline__ void
make_reflector (const reduce_arguments<T> &q, int64_t at, int j, const T *c,
                T *next, reflector_rows<T, K> *h)
{
  typedef typename real_of<T>::type R;
  const ge_warp warp = this_warp ();
  const int n = q.n, lane = warp.thread_rank ();
  T alpha = zero<T> ();
  R squares = 0;
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = lane + 32 * k;
      if (r > j + 1 && r < n)
        squares = add_square (c[k], squares);
      if (r == j + 1)
        alpha = c[k];
    }
  squares = warp_sum (warp, squares);
  alpha = shuffle_from (warp, alpha, (j + 1) % 32);
  const auto g
      = ge_make_reflector (real_part (alpha), imaginary_part (alpha), squares);
  const int none = g.tau_re == 0 && g.tau_im == 0;
  const T scale = make_number<T> (g.scale_re, g.scale_im);
  h->tau = make_number<T> (g.tau_re, g.tau_im);
  T *column = q.a + (at * n + j) * n;
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = lane + 32 * k;
      h->v[k] = r <= j || r >= n || none ? zero<T> ()
                : r == j + 1             ? make_number<T> (1, 0)
                                         : times (c[k], scale);
      if (r < n)
        {
          next[r] = h->v[k];
          if (r > j)
            column[r] = h->v[k];
        }
    }
  if (lane == 0)
    {
      q.e[at * n + j] = (double) g.beta * reduce_scale<R>::back;
      q.tau[at * n + j] = h->tau;
    }
}

/* After the pass of step J: w, d[j + 1], and the next reflector.  PARTS: most
   threads of a row.  */
template <typename T, int K, int PARTS>
static __device__ __forceinline__ void
between_passes (const reduce_arguments<T> &q, int64_t at, int j,
                const reduce_space<T> &s, reflector_rows<T, K> *h)
{
  typedef typename real_of<T>::type R;
  const ge_warp warp = this_warp ();
  const int n = q.n, lane = warp.thread_rank ();
  T y[K], c[K], first = zero<T> ();
  R product = 0;
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = lane + 32 * k;
      T part[PARTS];
#pragma unroll
      for (int p = 0; p < PARTS; p++)
        part[p] = p < q.threads_a_row && r > j && r < n ? s.sums[p * n + r]
                                                        : zero<T> ();
      c[k] = r > j && r < n ? conjugate (s.column[r]) : zero<T> ();
      y[k] = part[0];
#pragma unroll
      for (int p = 1; p < PARTS; p++)
        y[k] = plus (y[k], part[p]);
      if (r == j + 1)
        first = y[k];
      product += real_part (conj_mul_add (h->v[k], y[k], zero<T> ()));
    }
  first = shuffle_from (warp, first, (j + 1) % 32);
  /* v^H A v is real */
  product = warp_sum (warp, product);
  const R kappa = (R) 0.5 * add_square (h->tau, (R) 0) * product;
  const int none = real_part (h->tau) == 0 && imaginary_part (h->tau) == 0;
  const T w1 = none ? zero<T> ()
                    : minus (times (h->tau, first), make_number<T> (kappa, 0));
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = lane + 32 * k;
      const T v = h->v[k];
      const T w = mul_add (-kappa, v, times (h->tau, y[k]));
      if (r < n)
        {
          s.v[r] = v;
          s.w[r] = w;
          /* the step's column of the matrix, from its row */
          if (r > j)
            c[k] = minus (mul_conj_sub (v, w1, c[k]), w);
          if (r == j + 1)
            q.d[at * n + r] = (double) real_part (c[k]) * reduce_scale<R>::back;
        }
    }
  if (j < n - 2)
    make_reflector<T, K> (q, at, j + 1, c, s.next, h);
}

/* --- a pass --- */

/* One element: updated, its product added.  */
template <typename T>
static __device__ __forceinline__ T
update_element (T x, T vi, T wi, T vc, T wc)
{
  return mul_conj_sub (wi, vc, mul_conj_sub (vi, wc, x));
}

/* Thread (I, H) with its columns in registers.  Reduced columns are skipped a
   group at a time; updating the others of such a group is harmless, because
   next is zero there.  */
template <typename T, int COLUMNS>
static __device__ __forceinline__ void
pass_registers (int i, int h, int j, const reduce_arguments<T> &q,
                const reduce_space<T> &s, T *a)
{
  typedef const reduce_pair<T> *pairs;
  const T vi = s.v[i], wi = s.w[i];
  T sum = zero<T> (), sum2 = zero<T> ();
#pragma unroll
  for (int c0 = 0; c0 < COLUMNS; c0 += GROUP)
    {
      const int first = h * GROUP + c0 * q.threads_a_row;
      if (first + GROUP - 1 > j)
#pragma unroll
        for (int c = c0; c < c0 + GROUP; c += 2)
          {
            const int at = first + c - c0;
            const reduce_pair<T> v = *(pairs) (s.v + at);
            const reduce_pair<T> w = *(pairs) (s.w + at);
            const reduce_pair<T> x = *(pairs) (s.next + at);
            a[c] = update_element (a[c], vi, wi, v.x, w.x);
            a[c + 1] = update_element (a[c + 1], vi, wi, v.y, w.y);
            sum = mul_add (a[c], x.x, sum);
            sum2 = mul_add (a[c + 1], x.y, sum2);
            if (i == j + 1)
              {
                s.column[at] = a[c];
                s.column[at + 1] = a[c + 1];
              }
          }
    }
  s.sums[h * q.n + i] = plus (sum, sum2);
}

/* A group of columns from FIRST on, element (i, FIRST) at A, columns SIZE elements
   apart.  All loads come before the stores.  */
template <typename T>
static __device__ __forceinline__ T
pass_group (int i, int first, int j, int n, const reduce_space<T> &s, T vi,
            T wi, T *a, int size, T sum)
{
  typedef const reduce_pair<T> *pairs;
  T x[GROUP];
#pragma unroll
  for (int c = 0; c < GROUP; c++)
    x[c] = first + c > j && first + c < n ? a[c * size] : zero<T> ();
#pragma unroll
  for (int c = 0; c < GROUP; c += 2)
    {
      const reduce_pair<T> v = *(pairs) (s.v + first + c);
      const reduce_pair<T> w = *(pairs) (s.w + first + c);
      const reduce_pair<T> y = *(pairs) (s.next + first + c);
      x[c] = update_element (x[c], vi, wi, v.x, w.x);
      x[c + 1] = update_element (x[c + 1], vi, wi, v.y, w.y);
      sum = mul_add (x[c + 1], y.y, mul_add (x[c], y.x, sum));
    }
#pragma unroll
  for (int c = 0; c < GROUP; c++)
    if (first + c > j && first + c < n)
      {
        a[c * size] = x[c];
        if (i == j + 1)
          s.column[first + c] = x[c];
      }
  return sum;
}

/* The same in memory.  */
template <typename T>
static __device__ __forceinline__ void
pass_memory (int i, int h, int j, const reduce_arguments<T> &q,
             const reduce_space<T> &s, T *page)
{
  const int n = q.n, corner = q.corner, size = n - corner;
  const int step = GROUP * q.threads_a_row;
  const T vi = s.v[i], wi = s.w[i];
  T sum = zero<T> ();
  int first = h * GROUP;
  /* the first group that is not done */
  if (first + GROUP - 1 <= j)
    first += (j + 1 - first) / step * step;
  if (first + GROUP - 1 <= j)
    first += step;
  for (; first < (i < corner ? n : min (n, corner)); first += step)
    sum = pass_group<T> (i, first, j, n, s, vi, wi, page + i + first * n, n,
                         sum);
  for (; first < n; first += step)
    sum = pass_group<T> (i, first, j, n, s, vi, wi,
                         s.matrix + (i - corner) + (first - corner) * size,
                         size, sum);
  s.sums[h * n + i] = sum;
}

/* --- the kernel --- */

/* The largest element of the page, and the page scaled.  */
template <typename T, int WHERE>
static __device__ __forceinline__ int
load_page (const reduce_arguments<T> &q, T *page, int i, int h, int active,
           const reduce_space<T> &s, T *a)
{
  typedef typename real_of<T>::type R;
  const int n = q.n;
  R largest = 0;
  if (active)
    {
      if constexpr (WHERE > 0)
        {
#pragma unroll
          for (int c = 0; c < WHERE; c++)
            {
              const int column
                  = (c / GROUP * q.threads_a_row + h) * GROUP + c % GROUP;
              a[c] = column < n ? page[i + column * n] : zero<T> ();
              largest = fmax (largest, largest_part (a[c]));
            }
        }
      else
#pragma unroll 8
        for (int c = h; c < n; c += q.threads_a_row)
          largest = fmax (largest, largest_part (page[i + c * n]));
    }
  largest = largest_of_block (largest, (R *) s.sums);
  const int exponent = exponent_of_number (largest);
  const int all = reduce_scale<R>::exponent - exponent, half = all / 2;
  const R f = ldexp ((R) 1, half), g = ldexp ((R) 1, all - half);
  if (active)
    {
      if constexpr (WHERE > 0)
        {
#pragma unroll
          for (int c = 0; c < WHERE; c++)
            a[c] = times (g, times (f, a[c]));
          if (h == 0)
            s.column[i] = a[0];
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

/* K: rows a lane of a warp has, 32 K >= n.  BLOCKS: that share a multiprocessor, at
   least.  */
template <typename T, int K, int WHERE, int THREADS, int BLOCKS>
static __global__ void
__launch_bounds__ (THREADS, BLOCKS) reduce_kernel (reduce_arguments<T> q)
{
  extern __shared__ double2 reduce_shared[];
  constexpr int COLUMNS = WHERE > 0 ? WHERE : 1;
  constexpr int PARTS = WHERE > 0 ? 32 * K / COLUMNS : 4;
  const int n = q.n, thread = threadIdx.x, padded = q.padded;
  const int h = thread / n, i = thread - h * n;
  const int active = h < q.threads_a_row;
  const int64_t at = blockIdx.x;
  T *const space = (T *) reduce_shared;
  const reduce_space<T> s = { space,
                              space + padded,
                              space + 2 * padded,
                              space + 3 * padded,
                              space + 4 * padded,
                              space + 4 * padded + q.threads_a_row * n };
  T *const page = q.a + at * n * n;
  T a[COLUMNS];
  reflector_rows<T, K> reflector;

  for (int k = thread; k < 3 * padded; k += blockDim.x)
    space[k] = zero<T> ();
  const int exponent = load_page<T, WHERE> (q, page, i, h, active, s, a);
  __syncthreads ();
  if (thread < 32)
    {
      T c[K];
#pragma unroll
      for (int k = 0; k < K; k++)
        c[k] = thread + 32 * k < n ? s.column[thread + 32 * k] : zero<T> ();
      if (thread == 0)
        {
          ge_stack_page *out = q.page + at;
          q.d[at * n] = (double) real_part (c[0])
                        * reduce_scale<typename real_of<T>::type>::back;
          q.e[at * n + n - 1] = 0;
          out->status = GE_STACK_RUNNING;
          out->exponent = exponent;
          out->started = 0;
        }
      if (n > 1)
        make_reflector<T, K> (q, at, 0, c, s.next, &reflector);
    }
  __syncthreads ();
  for (int j = 0; j < n - 1; j++)
    {
      if (active && i > j)
        {
          if constexpr (WHERE > 0)
            pass_registers<T, COLUMNS> (i, h, j, q, s, a);
          else
            pass_memory<T> (i, h, j, q, s, page);
        }
      __syncthreads ();
      if (thread < 32)
        between_passes<T, K, PARTS> (q, at, j, s, &reflector);
      __syncthreads ();
    }
}

template <typename T, int K, int WHERE, int THREADS, int BLOCKS>
static gpueig_status
launch_reduce (gpueig_context *ctx, const ge_stack<T> *s, int threads_a_row)
{
  const int n = s->n;
  const int padded
      = WHERE > 0 ? threads_a_row * WHERE : (n + GROUP - 1) / GROUP * GROUP;
  int corner = n;
  size_t elements = (size_t) (4 * padded + threads_a_row * n);
  /* largest_of_block's numbers */
  elements = elements < 64 ? 64 : elements;
  if (WHERE == IN_MEMORY)
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
      = { n, threads_a_row, padded, corner, s->a, s->tau, s->d, s->e, s->page };
  const size_t shared = elements * sizeof (T);
  const int threads = (n * threads_a_row + 31) / 32 * 32;
  GE_ALLOW_SHARED ((reduce_kernel<T, K, WHERE, THREADS, BLOCKS>), shared);
  GE_LAUNCH_AS ("reduce_kernel", (reduce_kernel<T, K, WHERE, THREADS, BLOCKS>),
                (unsigned) s->pages, threads, shared, ge_cuda_of (ctx)->stream)
  (q);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* Rows of more than 128 elements, and what does not fit into registers.  */
template <typename T, int K>
static gpueig_status
reduce_in_memory (gpueig_context *ctx, const ge_stack<T> *s)
{
  const int rows = 512 / s->n < 2 ? 2 : 512 / s->n > 4 ? 4 : 512 / s->n;
  return launch_reduce<T, K, IN_MEMORY, 512, 1> (ctx, s, rows);
}

/* Orders above GE_STACK_ORDER, up to GE_STACK_BASIS.  */
template <typename T>
static gpueig_status
reduce_large (gpueig_context *ctx, const ge_stack<T> *s)
{
  return launch_reduce<T, GE_STACK_BASIS / 32, IN_MEMORY, 2 * GE_STACK_BASIS,
                       1> (ctx, s, 2);
}

#endif
