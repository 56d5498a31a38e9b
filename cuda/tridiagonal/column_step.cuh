/* Steps that all blocks of one_stage.cuh and one_cluster.cuh repeat for every column:
   the reflector, and from y = A v the vector w and the next column.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   With q = the next column with the update of the step before, and v_{j+1} = 1,

     w = tau y - h v,  h = |tau|^2 v'y / 2,
     next column = q - w - conj (w_{j+1}) v = p + s v,
     p = q - tau y,  s = 2 h - conj (tau y_{j+1}),

   the norm of which follows from |p|, |v| and v'p: one sum over the block serves h
   and the next reflector.  Its relative error grows from step to step where the norm is a
   difference of larger numbers, and a reflector is as unitary as that is small: where a
   bound of the error exceeds MOST_ERROR, the norm is computed again from the column.  All
   blocks have the same bits and decide alike.  */

#ifndef GE_TRIDIAGONAL_COLUMN_STEP_CUH
#define GE_TRIDIAGONAL_COLUMN_STEP_CUH 1

#include "tridiagonal/householder.cuh"
#include "base/numbers.cuh"

/* Vectors of a thread: rows threadIdx.x + THREADS k.  */
template <typename T, int THREADS, int ROWS> struct column_step
{
  typedef ge_real<T> R;
  int n;
  T column[ROWS];                /* the current one, rows > j */
  T v[ROWS], v0[ROWS], w0[ROWS]; /* of this step, and of the one before */
  T alpha;                       /* row j + 1 of the column */
  T scale; /* v: 1, or 0 for H = I, and SCALE times the column below */
  R one;
  R squares, length2; /* |.|^2 of the column below it, and of v below its 1 */
  R error;            /* bound of the relative error of both, in units of eps */
};

/* The largest column_step.error that is accepted.  */
#define MOST_ERROR 8

/* An element of y and one of the next column.  */
template <typename T> struct __align__ (2 * sizeof (T)) column_pair
{
  T y, column;
};

/* Shared memory of the block.  */
template <typename T, int THREADS> struct column_shared
{
  typedef ge_real<T> R;
  R parts[2][4][THREADS / 32]; /* two times four sums by warps */
  T y[2], column, v, v0, w0;   /* y, column, v in rows j + 1, j + 2 */
};

/* The rows of a thread below row J.  */
#define FOR_COLUMN(C, J, BODY)                                                 \
  _Pragma ("unroll") for (int k = 0; k < ROWS; k++)                            \
  {                                                                            \
    const int i = (int) threadIdx.x + k * THREADS;                             \
    if (i > (J) && i < (C).n)                                                  \
      BODY                                                                     \
  }

/* Four sums over the block: the first, a barrier, the second.  */
template <int WARPS, typename R>
GE_DEVICE_INLINE void
put_parts (const ge_warp &warp, const R (&x)[4], R (&parts)[4][WARPS])
{
  const R sum = WARPS < 16 ? warp_sum_of_four (warp, x)
                           : shuffled_sum_of_four (warp, x);
  const int lane = (int) warp.thread_rank ();
  if (lane % 8 == 0)
    parts[lane / 8][threadIdx.x / 32] = sum;
}
template <int WARPS, typename R>
GE_DEVICE_INLINE void
take_parts (const ge_warp &warp, const R (&parts)[4][WARPS], R (&sum)[4])
{
  const int lane = (int) warp.thread_rank ();
  R x = parts[lane / 8][lane % 8];
#pragma unroll
  for (int w = 8; w < WARPS; w += 8)
    x += parts[lane / 8][lane % 8 + w];
  x = warp_sum<8> (warp, x);
#pragma unroll
  for (int q = 0; q < 4; q++)
    sum[q] = shuffle_from (warp, x, 8 * q);
}

#define COLUMN_TEMPLATE template <typename T, int THREADS, int ROWS>
#define COLUMN_STEP column_step<T, THREADS, ROWS>
#define COLUMN_SHARED column_shared<T, THREADS>

/* |.|^2 of the column below row J + 1.  Two barriers.  */
COLUMN_TEMPLATE
GE_DEVICE_INLINE ge_real<T>
squares_below (const COLUMN_STEP &c, COLUMN_SHARED &s, const ge_warp &warp,
               int j)
{
  ge_real<T> part[4] = { 0, 0, 0, 0 };
  FOR_COLUMN (c, j + 1, part[0] = add_square (c.column[k], part[0]);)
  __syncthreads ();
  put_parts (warp, part, s.parts[0]);
  __syncthreads ();
  take_parts (warp, s.parts[0], part);
  return part[0];
}

/* Begin with the first column, which is in C.  */
COLUMN_TEMPLATE
GE_DEVICE_INLINE void
begin_columns (COLUMN_STEP &c, COLUMN_SHARED &s, const ge_warp &warp)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    c.v[k] = c.v0[k] = c.w0[k] = zero<T> ();
  if (threadIdx.x == 1)
    s.column = c.column[0];
  if (threadIdx.x == 0)
    s.v0 = s.w0 = zero<T> ();
  c.squares = squares_below (c, s, warp, 0);
  c.error = 1;
  c.alpha = s.column;
}

/* The reflector of column J: v; returns tau.  */
COLUMN_TEMPLATE
GE_DEVICE_INLINE T
reflect (COLUMN_STEP &c, int j, ge_real<T> *beta)
{
  const auto h = ge_make_reflector (real_part (c.alpha),
                                    imaginary_part (c.alpha), c.squares);
  c.scale = make_number<T> (h.scale_re, h.scale_im);
  c.one = h.tau_re == 0 ? 0 : 1;
  c.length2 = abs2 (c.scale) * c.squares;
  *beta = h.beta;
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    {
      const int i = (int) threadIdx.x + k * THREADS;
      c.v[k] = i <= j || i >= c.n ? zero<T> ()
               : i == j + 1       ? make_number<T> (c.one, 0)
                                  : times (c.column[k], c.scale);
    }
  return make_number<T> (h.tau_re, h.tau_im);
}

/* The parts of w0' v and v0' v.  */
COLUMN_TEMPLATE
GE_DEVICE_INLINE void
multiply_by_former (const COLUMN_STEP &c, COLUMN_SHARED &s, const ge_warp &warp,
                    int j)
{
  T w0v = zero<T> (), v0v = zero<T> ();
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    {
      w0v = conj_mul_add (c.w0[k], c.v[k], w0v);
      v0v = conj_mul_add (c.v0[k], c.v[k], v0v);
    }
  const ge_real<T> part[4] = { real_part (w0v), imaginary_part (w0v),
                               real_part (v0v), imaginary_part (v0v) };
  put_parts (warp, part, s.parts[1]);
}

/* w and the next column.  FORMER: the sums of multiply_by_former; PAIR (i): row i of
   S times the column below row j + 1, and of S (:, j + 1); STORE (k, i, w) is called for
   all rows, after the column is set.  One barrier.  */
template <typename T, int THREADS, int ROWS, typename PAIR, typename STORE>
GE_DEVICE_INLINE void
advance (COLUMN_STEP &c, COLUMN_SHARED &s, const ge_warp &warp, int j, T tau,
         const ge_real<T> (&former)[4], PAIR pair, STORE store)
{
  typedef ge_real<T> R;
  const T w0v = make_number<T> (former[0], former[1]);
  const T v0v = make_number<T> (former[2], former[3]);
  const T v0_next = s.v0, w0_next = s.w0;
  T y[ROWS], dot = zero<T> (), across = zero<T> ();
  R sum[4] = { 0, 0, 0, 0 };
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    {
      const int i = (int) threadIdx.x + k * THREADS;
      y[k] = zero<T> ();
      if ((k + 1) * THREADS <= j + 1)
        continue;
      const bool in = i > j && i < c.n;
      const auto x = pair (i);
      const T z = mul_add (c.scale, x.y, times (c.one, x.column));
      const T y_k = mul_sub (c.v0[k], w0v, mul_sub (c.w0[k], v0v, z));
      T p = mul_conj_sub (c.v0[k], w0_next, x.column);
      p = mul_sub (tau, y_k, mul_conj_sub (c.w0[k], v0_next, p));
      if (in)
        {
          y[k] = y_k;
          c.column[k] = p;
        }
      dot = conj_mul_add (c.v[k], y[k], dot);
      const T below = in && i > j + 2 ? p : zero<T> ();
      sum[1] = add_square (below, sum[1]);
      across = conj_mul_add (c.v[k], below, across);
      if (i == j + 1)
        s.y[0] = y_k;
      if (i == j + 2)
        {
          s.y[1] = y_k;
          s.column = p;
          s.v = c.v[k];
        }
    }
  sum[0] = real_part (dot);
  sum[2] = real_part (across);
  sum[3] = imaginary_part (across);
  put_parts (warp, sum, s.parts[0]);
  __syncthreads ();
  take_parts (warp, s.parts[0], sum);
  const R half = add_square (tau, (R) 0) * sum[0] / 2;
  const T minus_half = make_number<T> (-half, 0), v2 = s.v;
  const T shift
      = minus (make_number<T> (2 * half, 0), conjugate (times (tau, s.y[0])));
  const T w2 = mul_add (tau, s.y[1], times (minus_half, v2));
  c.alpha = mul_add (shift, v2, s.column);
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    {
      const int i = (int) threadIdx.x + k * THREADS;
      const T w = mul_add (tau, y[k], times (minus_half, c.v[k]));
      if (i > j && i < c.n)
        c.column[k] = mul_add (shift, c.v[k], c.column[k]);
      store (k, i, w);
      c.v0[k] = c.v[k];
      c.w0[k] = w;
    }
  if (threadIdx.x == 0)
    {
      s.v0 = v2;
      s.w0 = w2;
    }
  const R size = abs2 (shift), of_v = size * c.length2;
  c.squares
      = sum[1] + size * (c.length2 - abs2 (v2))
        + 2 * (real_part (shift) * sum[2] + imaginary_part (shift) * sum[3]);
  const R error = sum[1] + of_v + of_v * c.error;
  if (error <= MOST_ERROR * c.squares)
    c.error = error / c.squares;
  else
    {
      c.squares = squares_below (c, s, warp, j + 1);
      c.error = 1;
    }
}

#undef COLUMN_TEMPLATE
#undef COLUMN_STEP
#undef COLUMN_SHARED
#undef FOR_COLUMN

#endif
