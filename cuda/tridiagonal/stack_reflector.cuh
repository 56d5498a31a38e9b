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
   sums of the rows, numbers for all threads, the matrix if it is here.  */
template <typename T> struct reduce_space
{
  T *v, *w, *next, *column, *sums, *shared, *matrix;
};

/* Places in SHARED: two elements, then the sums of the warps, a place each.  */
enum
{
  FIRST,
  ALPHA,
  PRODUCTS,
  SQUARES = PRODUCTS + GE_STACK_BASIS / 32,
  SHARED = SQUARES + GE_STACK_BASIS / 32
};

/* --- by one warp --- */

/* A warp's copy of the current reflector, row lane + 32 k in V[k].  */
template <typename T, int K> struct reduce_warp
{
  T v[K], tau;
};

/* The reflector of column J from its updated elements C, to next, A's column J and
   tau.  */
template <typename T, int K>
GE_DEVICE_INLINE void
warp_reflector (const reduce_arguments<T> &q, int64_t at, int j, const T *c,
                T *next, reduce_warp<T, K> *h)
{
  typedef ge_real<T> R;
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

/* After the pass of step J, by the first warp: w, d[j + 1], and the next reflector.
   PARTS: most threads of a row.  */
template <typename T, int K, int PARTS>
GE_DEVICE_INLINE void
warp_between_passes (const reduce_arguments<T> &q, int64_t at, int j,
                     const reduce_space<T> &s, reduce_warp<T, K> *h)
{
  typedef ge_real<T> R;
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
    warp_reflector<T, K> (q, at, j + 1, c, s.next, h);
}

/* The first reflector, of the elements in S.column.  */
template <typename T, int K>
GE_DEVICE_INLINE void
warp_begin (const reduce_arguments<T> &q, int64_t at, const reduce_space<T> &s,
            reduce_warp<T, K> *h)
{
  T c[K];
  if (threadIdx.x >= 32)
    return;
#pragma unroll
  for (int k = 0; k < K; k++)
    {
      const int r = threadIdx.x + 32 * k;
      c[k] = r < q.n ? s.column[r] : zero<T> ();
    }
  warp_reflector<T, K> (q, at, 0, c, s.next, h);
}

/* --- by a thread for each row --- */

/* The current reflector's element in the row of a thread, and its tau.  */
template <typename T> struct reduce_row
{
  T v, tau;
};

/* A sum over the rows in two parts, with a barrier between them: by the whole warps that
   have rows; PLACE in shared memory.  */
template <typename T>
GE_DEVICE_INLINE void
put_sum (const reduce_space<T> &s, int place, ge_real<T> x)
{
  const ge_warp warp = this_warp ();
  x = warp_sum (warp, x);
  if (warp.thread_rank () == 0)
    s.shared[place + threadIdx.x / 32] = make_number<T> (x, 0);
}

template <typename T>
GE_DEVICE_INLINE ge_real<T>
get_sum (const reduce_space<T> &s, int place, int n)
{
  const int warps = (n + 31) / 32;
  ge_real<T> even = real_part (s.shared[place]), odd = 0;
#pragma unroll 4
  for (int w = 1; w < warps; w += 2)
    {
      odd += real_part (s.shared[place + w]);
      if (w + 1 < warps)
        even += real_part (s.shared[place + w + 1]);
    }
  return even + odd;
}

/* The reflector of column J from its updated elements, C in row R, to next, A's
   column J and tau, in two parts with a barrier between them.  */
template <typename T>
GE_DEVICE_INLINE void
row_squares (const reduce_arguments<T> &q, int j, int r, T c,
             const reduce_space<T> &s)
{
  if (r == j + 1)
    s.shared[ALPHA] = c;
  put_sum<T> (s, SQUARES,
              r > j + 1 && r < q.n ? add_square (c, (ge_real<T>) 0) : 0);
}

template <typename T>
GE_DEVICE_INLINE reduce_row<T>
row_reflector (const reduce_arguments<T> &q, int64_t at, int j, int r, T c,
               const reduce_space<T> &s)
{
  typedef ge_real<T> R;
  const int n = q.n;
  const R squares = get_sum<T> (s, SQUARES, n);
  const T alpha = s.shared[ALPHA];
  const auto g
      = ge_make_reflector (real_part (alpha), imaginary_part (alpha), squares);
  const int none = g.tau_re == 0 && g.tau_im == 0;
  const T scale = make_number<T> (g.scale_re, g.scale_im);
  reduce_row<T> h;
  h.tau = make_number<T> (g.tau_re, g.tau_im);
  h.v = r <= j || r >= n || none ? zero<T> ()
        : r == j + 1             ? make_number<T> (1, 0)
                                 : times (c, scale);
  if (r < n)
    {
      s.next[r] = h.v;
      if (r > j)
        q.a[(at * n + j) * n + r] = h.v;
    }
  if (r == 0)
    {
      q.e[at * n + j] = (double) g.beta * reduce_scale<R>::back;
      q.tau[at * n + j] = h.tau;
    }
  return h;
}

/* y of the thread's row R, and its part of v^H A v, which is real.  */
template <typename T>
GE_DEVICE_INLINE T
row_product (const reduce_arguments<T> &q, int j, int r,
             const reduce_space<T> &s, T v)
{
  T y = zero<T> ();
  if (r > j && r < q.n)
    {
      y = s.sums[r];
#pragma unroll 4
      for (int p = 1; p < q.threads_a_row; p++)
        y = plus (y, s.sums[p * q.n + r]);
    }
  if (r == j + 1)
    s.shared[FIRST] = y;
  put_sum<T> (s, PRODUCTS, real_part (conj_mul_add (v, y, zero<T> ())));
  return y;
}

/* w, and d[j + 1]; the element of column j + 1 in row R.  */
template <typename T>
GE_DEVICE_INLINE T
row_update (const reduce_arguments<T> &q, int64_t at, int j, int r,
            const reduce_space<T> &s, const reduce_row<T> &h, T y)
{
  typedef ge_real<T> R;
  const int n = q.n;
  const R product = get_sum<T> (s, PRODUCTS, n);
  const T first = s.shared[FIRST];
  const R kappa = (R) 0.5 * add_square (h.tau, (R) 0) * product;
  const int none = real_part (h.tau) == 0 && imaginary_part (h.tau) == 0;
  const T w1 = none ? zero<T> ()
                    : minus (times (h.tau, first), make_number<T> (kappa, 0));
  const T w = mul_add (-kappa, h.v, times (h.tau, y));
  T c = zero<T> ();
  if (r >= n)
    return c;
  s.v[r] = h.v;
  s.w[r] = w;
  /* the step's column of the matrix, from its row */
  if (r > j)
    c = minus (mul_conj_sub (h.v, w1, conjugate (s.column[r])), w);
  if (r == j + 1)
    q.d[at * n + r] = (double) real_part (c) * reduce_scale<R>::back;
  return c;
}

/* After the pass of step J, by all threads of the block: w, d[j + 1], and the next
   reflector.  R: the thread's row, at least n if it has none.  */
template <typename T>
GE_DEVICE_INLINE void
row_between_passes (const reduce_arguments<T> &q, int64_t at, int j, int r,
                    const reduce_space<T> &s, reduce_row<T> *h)
{
  const int works = r / 32 * 32 < q.n; /* the warp has rows */
  T y, c;
  if (works)
    y = row_product<T> (q, j, r, s, h->v);
  __syncthreads ();
  if (works)
    {
      c = row_update<T> (q, at, j, r, s, *h, y);
      if (j < q.n - 2)
        row_squares<T> (q, j + 1, r, c, s);
    }
  if (j >= q.n - 2)
    return;
  __syncthreads ();
  if (works)
    *h = row_reflector<T> (q, at, j + 1, r, c, s);
}

/* The first reflector, of the elements in S.column.  */
template <typename T>
GE_DEVICE_INLINE void
row_begin (const reduce_arguments<T> &q, int64_t at, int r,
           const reduce_space<T> &s, reduce_row<T> *h)
{
  const int works = r / 32 * 32 < q.n;
  const T c = r < q.n ? s.column[r] : zero<T> ();
  if (works)
    row_squares<T> (q, 0, r, c, s);
  __syncthreads ();
  if (works)
    *h = row_reflector<T> (q, at, 0, r, c, s);
}

#endif
