/* Stacks: reduction to tridiagonal form, one block a page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   H_{n-2}^H ... H_0^H A H_0 ... H_{n-2} = T with H_j = I - tau_j v_j v_j^H, v_j zero
   above row j + 1 (LAPACK's xSYTD2 and xHETD2 for the lower triangle; the last
   reflector makes the last off-diagonal element real).  All of the matrix is kept,
   in registers, in shared or in global memory: thread (i, h) has row i of the
   columns that belong to h.  Step j is one pass: the rank-2 update of the previous
   step, A -= v w^H + w v^H, and y = A v_j of the result, with column j + 1; then
   one warp makes w, the updated column and the next reflector.

   Elements are scaled so that the largest has the exponent SCALE: sums of squares
   that underflow are then negligible (core/tridiagonal/householder.h).  */

#ifndef GE_STACK_REDUCE_CUH
#define GE_STACK_REDUCE_CUH 1

#include "stack.cuh"

#include "base/numbers.cuh"
#include "scalar.cuh"

template <typename R> struct reduce_scale;
template <> struct reduce_scale<double>
{
  static constexpr int exponent = 300;
};
template <> struct reduce_scale<float>
{
  static constexpr int exponent = 30;
};

template <typename T> struct alignas (2 * sizeof (T)) reduce_pair
{
  T x, y;
};

/* Where the matrix is during the reduction.  */
enum
{
  IN_SHARED = -1,
  IN_GLOBAL = -2
  /* > 0: in registers, so many columns a thread */
};

template <typename T> struct reduce_arguments
{
  int n, threads_a_row, columns; /* of a thread, even */
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

template <typename T>
static __host__ __device__ __forceinline__ int
reduce_padded (int threads_a_row, int columns)
{
  return threads_a_row * columns;
}

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
  return fmax (fabs (real_of_number (x)), fabs (imag_of_number (x)));
}

/* The largest of X over the block; SPACE: one number a warp.  */
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
  const auto g = ge_make_reflector (real_of_number (alpha),
                                    imag_of_number (alpha), squares);
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
      q.e[at * n + j] = ldexp ((double) g.beta, -reduce_scale<R>::exponent);
      q.tau[at * n + j] = h->tau;
    }
}

/* After the pass of step J: w, d[j + 1], and the next reflector.  */
template <typename T, int K>
static __device__ __forceinline__ void
between_passes (const reduce_arguments<T> &q, int64_t at, int j,
                const reduce_space<T> &s, reflector_rows<T, K> *h)
{
  typedef typename real_of<T>::type R;
  const ge_warp warp = this_warp ();
  const int n = q.n, lane = warp.thread_rank ();
  T y[K], c[K];
  R product = 0;
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = lane + 32 * k;
      y[k] = zero<T> ();
      if (r > j && r < n)
        for (int p = 0; p < q.threads_a_row; p++)
          y[k] = plus (y[k], s.sums[p * n + r]);
      product += real_of_number (conj_mul_add (h->v[k], y[k], zero<T> ()));
    }
  T first = zero<T> ();
  for (int p = 0; p < q.threads_a_row; p++)
    first = plus (first, s.sums[p * n + j + 1]);
  /* v^H A v is real */
  product = warp_sum (warp, product);
  const R kappa = (R) 0.5 * add_square (h->tau, (R) 0) * product;
  const int none = real_of_number (h->tau) == 0 && imag_of_number (h->tau) == 0;
  const T w1 = none ? zero<T> ()
                    : minus (times (h->tau, first), make_number<T> (kappa, 0));
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = lane + 32 * k;
      const T v = h->v[k];
      const T w = mul_add (-kappa, v, times (h->tau, y[k]));
      c[k] = zero<T> ();
      if (r < n)
        {
          s.v[r] = v;
          s.w[r] = w;
          /* the step's column of the matrix, from its row */
          if (r > j)
            c[k] = minus (mul_conj_sub (v, w1, conjugate (s.column[r])), w);
          if (r == j + 1)
            q.d[at * n + r] = ldexp ((double) real_of_number (c[k]),
                                     -reduce_scale<R>::exponent);
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

/* Thread (I, H) with its columns in registers.  Columns that are done are skipped
   eight at a time; what happens to the others does no harm: next is zero there. */
template <typename T, int COLUMNS>
static __device__ __forceinline__ void
pass_registers (int i, int h, int j, const reduce_space<T> &s, T *a, int n)
{
  const T vi = s.v[i], wi = s.w[i];
  T sum = zero<T> (), sum2 = zero<T> ();
#pragma unroll
  for (int c0 = 0; c0 < COLUMNS; c0 += 8)
    if (h * COLUMNS + c0 + 7 > j)
#pragma unroll
      for (int c = c0; c < c0 + 8; c += 2)
        {
          typedef const reduce_pair<T> *pairs;
          const int at = h * COLUMNS + c;
          const reduce_pair<T> v = *(pairs) (s.v + at), w = *(pairs) (s.w + at);
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
  s.sums[h * n + i] = plus (sum, sum2);
}

/* The same in memory: A (i, c) at a[i + c n].  */
template <typename T>
static __device__ __forceinline__ void
pass_memory (int i, int from, int to, int h, int j, const reduce_space<T> &s,
             T *a, int n)
{
  const T vi = s.v[i], wi = s.w[i];
  T sum = zero<T> ();
#pragma unroll 8
  for (int c = max (from, j + 1); c < to; c++)
    {
      const T x = update_element (a[i + c * n], vi, wi, s.v[c], s.w[c]);
      a[i + c * n] = x;
      sum = mul_add (x, s.next[c], sum);
      if (i == j + 1)
        s.column[c] = x;
    }
  s.sums[h * n + i] = sum;
}

/* --- the kernel --- */

/* The largest element of the page, and the page scaled.  */
template <typename T, int WHERE>
static __device__ __forceinline__ int
load_page (const reduce_arguments<T> &q, const T *page, int i, int h,
           int active, const reduce_space<T> &s, T *a, T *memory)
{
  typedef typename real_of<T>::type R;
  const int n = q.n, from = h * q.columns, to = min (n, from + q.columns);
  R largest = 0;
  if (active)
    {
      if constexpr (WHERE > 0)
        {
#pragma unroll
          for (int c = 0; c < WHERE; c++)
            {
              a[c] = from + c < n ? page[i + (from + c) * n] : zero<T> ();
              largest = fmax (largest, largest_part (a[c]));
            }
        }
      else
        {
#pragma unroll 8
          for (int c = from; c < to; c++)
            {
              const T x = page[i + c * n];
              if (WHERE == IN_SHARED)
                memory[i + c * n] = x;
              largest = fmax (largest, largest_part (x));
            }
        }
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
        }
      else
        {
#pragma unroll 8
          for (int c = from; c < to; c++)
            memory[i + c * n] = times (g, times (f, memory[i + c * n]));
        }
    }
  /* Column 0 for the first reflector.  */
  if (active && h == 0)
    {
      T x;
      if constexpr (WHERE > 0)
        x = a[0];
      else
        x = memory[i];
      s.column[i] = x;
    }
  return exponent;
}

/* K: rows a lane of a warp has, 32 K >= n.  */
template <typename T, int K, int WHERE, int THREADS>
static __global__ void
__launch_bounds__ (THREADS) reduce_kernel (reduce_arguments<T> q)
{
  extern __shared__ double2 reduce_shared[];
  constexpr int COLUMNS = WHERE > 0 ? WHERE : 1;
  const int n = q.n, thread = threadIdx.x;
  const int padded = reduce_padded<T> (q.threads_a_row, q.columns);
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
  T *const memory = WHERE == IN_SHARED ? s.matrix : page;
  T a[COLUMNS];
  reflector_rows<T, K> reflector;

  for (int k = thread; k < 3 * padded; k += blockDim.x)
    space[k] = zero<T> ();
  const int exponent
      = load_page<T, WHERE> (q, page, i, h, active, s, a, memory);
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
          q.d[at * n]
              = ldexp ((double) real_of_number (c[0]),
                       -reduce_scale<typename real_of<T>::type>::exponent);
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
            pass_registers<T, COLUMNS> (i, h, j, s, a, n);
          else
            pass_memory<T> (i, h * q.columns,
                            min (n, h * q.columns + q.columns), h, j, s, memory,
                            n);
        }
      __syncthreads ();
      if (thread < 32)
        between_passes<T, K> (q, at, j, s, &reflector);
      __syncthreads ();
    }
}

template <typename T, int K, int WHERE, int THREADS>
static gpueig_status
launch_reduce (gpueig_context *ctx, const ge_stack<T> *s, int threads_a_row)
{
  const int n = s->n;
  const int columns
      = WHERE > 0 ? WHERE
                  : ((n + threads_a_row - 1) / threads_a_row + 1) / 2 * 2;
  const reduce_arguments<T> q
      = { n, threads_a_row, columns, s->a, s->tau, s->d, s->e, s->page };
  size_t elements = (size_t) (4 * reduce_padded<T> (threads_a_row, columns)
                              + threads_a_row * n);
  /* largest_of_block's numbers */
  elements = elements < 64 ? 64 : elements;
  if (WHERE == IN_SHARED)
    elements += (size_t) (n * n);
  const size_t shared = elements * sizeof (T);
  const int threads = (n * threads_a_row + 31) / 32 * 32;
  GE_ALLOW_SHARED ((reduce_kernel<T, K, WHERE, THREADS>), shared);
  GE_LAUNCH_AS ("reduce_kernel", (reduce_kernel<T, K, WHERE, THREADS>),
                (unsigned) s->pages, threads, shared, ge_cuda_of (ctx)->stream)
  (q);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* Does a page of order N with its vectors fit into shared memory?  */
template <typename T>
static int
reduce_fits_shared (gpueig_context *ctx, int n, int threads_a_row)
{
  return ge_shared_fits (ctx, (size_t) (n * n + (5 + threads_a_row) * (n + 8))
                                  * sizeof (T));
}

/* In a function of CTX and S: rows of more than 128 elements, and what does not
   fit into registers.  */
template <typename T, int K>
static gpueig_status
reduce_in_memory (gpueig_context *ctx, const ge_stack<T> *s)
{
  const int rows = 512 / s->n < 2 ? 2 : 512 / s->n > 4 ? 4 : 512 / s->n;
  if (reduce_fits_shared<T> (ctx, s->n, rows))
    return launch_reduce<T, K, IN_SHARED, 512> (ctx, s, rows);
  return launch_reduce<T, K, IN_GLOBAL, 512> (ctx, s, rows);
}

#endif
