/* Stacks: between two passes of the reduction (stack_reduce.cuh): w, the updated column
   and the next reflector.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   By one warp, where several blocks share a multiprocessor: it takes several times the
   latency of anything else, so that its loads and sums are independent of each
   other as far as possible.  Or by as many threads as there are rows, which takes a
   third of the time but more instructions in total.  */

#ifndef GE_STACK_REFLECTOR_CUH
#define GE_STACK_REFLECTOR_CUH 1

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

/* Where the matrix is stored during the reduction: IN_MEMORY, or for values > 0 so many
   columns of a thread, a multiple of GROUP, in registers.  */
enum
{
  IN_MEMORY = 0,
  GROUP = 8 /* columns */
};

template <typename T> struct reduce_arguments
{
  int n, threads_a_row, padded; /* padded: columns of all threads */
  int corner; /* rows and columns from here on are in shared memory */
  int early;  /* columns of a thread there */
  T *a, *tau;
  double *d, *e;
  ge_stack_page *page;
};

/* The parts of a block's shared memory: four vectors of PADDED elements, partial
   sums of the rows, numbers for all threads, the matrix if it is here.  */
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
  SQUARES = PRODUCTS + 1 + GE_STACK_BASIS / 32,
  SHARED = SQUARES + 1 + GE_STACK_BASIS / 32
};

/* The current reflector v is in NEXT: no thread keeps it during a pass.  The rows of a thread
   are threadIdx.x + 32 k for k < K, K > 1, of one warp, or threadIdx.x alone for K = 1; then
   all threads of the block call these functions, but the warps without rows, which only meet
   the others.  */

GE_DEVICE_INLINE bool
has_rows (int n)
{
  return (int) threadIdx.x / 32 * 32 < n;
}

/* SUM: over the rows; NUMBER: that of the thread that has row J.  */
template <int K, typename T>
GE_DEVICE_INLINE void
sum_rows (const reduce_space<T> &s, int place, int n, int j, ge_real<T> &sum,
          T &number)
{
  const ge_warp warp = this_warp ();
  sum = warp_sum (warp, sum);
  if (K > 1)
    {
      number = shuffle_from (warp, number, j % 32);
      return;
    }
  T *const sums = s.shared + place + 1;
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

/* The reflector of column J from its updated elements C, to next, A's column J and
   tau.  */
template <typename T, int K>
GE_DEVICE_INLINE void
reflect_rows (const reduce_arguments<T> &q, int64_t at, int j, const T (&c)[K],
              const reduce_space<T> &s)
{
  typedef ge_real<T> R;
  const int n = q.n;
  R squares = 0;
  T alpha = zero<T> ();
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = (int) threadIdx.x + 32 * k;
      if (r > j + 1 && r < n)
        squares = add_square (c[k], squares);
      if (r == j + 1)
        alpha = c[k];
    }
  sum_rows<K> (s, SQUARES, n, j + 1, squares, alpha);
  if (! has_rows (n))
    return;
  const auto g
      = ge_make_reflector (real_part (alpha), imaginary_part (alpha), squares);
  const int none = g.tau_re == 0 && g.tau_im == 0;
  const T scale = make_number<T> (g.scale_re, g.scale_im);
  T *const column = q.a + (at * n + j) * n;
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = (int) threadIdx.x + 32 * k;
      const T v = r <= j || none ? zero<T> ()
                  : r == j + 1   ? make_number<T> (1, 0)
                                 : times (c[k], scale);
      if (r < n)
        {
          s.next[r] = v;
          if (r > j)
            column[r] = v;
        }
    }
  if (threadIdx.x == 0)
    {
      q.e[at * n + j] = (double) g.beta * reduce_scale<R>::back;
      q.tau[at * n + j] = s.shared[TAU] = make_number<T> (g.tau_re, g.tau_im);
    }
}

/* w, d[j + 1], and the elements C of column j + 1.  PARTS: most threads of a row of the
   matrix.  */
template <int PARTS, typename T, int K>
GE_DEVICE_INLINE void
update_rows (const reduce_arguments<T> &q, int64_t at, int j,
             const reduce_space<T> &s, T (&c)[K])
{
  typedef ge_real<T> R;
  const int n = q.n;
  const T tau = s.shared[TAU];
  T v[K], y[K], first = zero<T> ();
  R product = 0; /* v^H A v, which is real */
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = (int) threadIdx.x + 32 * k;
      T part[PARTS];
#pragma unroll
      for (int p = 0; p < PARTS; p++)
        part[p] = p < q.threads_a_row && r > j && r < n ? s.sums[p * n + r]
                                                        : zero<T> ();
      c[k] = r > j && r < n ? conjugate (s.column[r]) : zero<T> ();
      v[k] = r < n ? s.next[r] : zero<T> ();
      y[k] = part[0];
#pragma unroll
      for (int p = 1; p < PARTS; p++)
        y[k] = plus (y[k], part[p]);
      if (r == j + 1)
        first = y[k];
      product += real_part (conj_mul_add (v[k], y[k], zero<T> ()));
    }
  sum_rows<K> (s, PRODUCTS, n, j + 1, product, first);
  if (! has_rows (n))
    return;
  const R kappa = (R) 0.5 * add_square (tau, (R) 0) * product;
  const int none = real_part (tau) == 0 && imaginary_part (tau) == 0;
  const T w1 = none ? zero<T> ()
                    : minus (times (tau, first), make_number<T> (kappa, 0));
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = (int) threadIdx.x + 32 * k;
      const T w = mul_add (-kappa, v[k], times (tau, y[k]));
      if (r < n)
        {
          s.v[r] = v[k];
          s.w[r] = w;
          /* the step's column of the matrix, from its row */
          if (r > j)
            c[k] = minus (mul_conj_sub (v[k], w1, c[k]), w);
          if (r == j + 1)
            q.d[at * n + r] = (double) real_part (c[k]) * reduce_scale<R>::back;
        }
    }
}

/* After the pass of step J: w, d[j + 1], and the next reflector; for J = -1 the first one,
   of the elements in S.column.  */
template <int PARTS, int K, typename T>
GE_DEVICE_INLINE void
between_passes (const reduce_arguments<T> &q, int64_t at, int j,
                const reduce_space<T> &s)
{
  T c[K];
  if (j >= 0)
    update_rows<PARTS> (q, at, j, s, c);
  else
#pragma unroll
    for (int k = 0; k < K; k++)
      {
        const int r = (int) threadIdx.x + 32 * k;
        c[k] = r < q.n ? s.column[r] : zero<T> ();
      }
  if (j < q.n - 2)
    reflect_rows (q, at, j + 1, c, s);
}

#endif
