/* QR factorisation of a tall panel by matrix products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Cholesky QR twice, P = Q1 R1 = Q R2 R1, then the reflectors of Q (Ballard et
   al. 2014): with S = diag (+-1) and Q - [S; 0] = V U, V unit lower trapezoidal
   with L on top, U upper triangular,

     Q [S; 0]' = H_1 ... H_k = I - V T V',  inv (T) = -L' S U^-1,

   S_j opposite to the sign of the pivot, which is therefore at least 1.  Three
   passes over the rows (P' P; Q1 = P R1^-1 and Q1' Q1; V = Q1 (U R2)^-1), between
   them two kernels of one block for the factors of order 32.  A panel whose
   columns are too close to dependent, or not finite, is left to panel_kernel,
   and after GIVE_UP of them all others.  */

#ifndef GE_TRIDIAGONAL_TALL_PANEL_CUH
#define GE_TRIDIAGONAL_TALL_PANEL_CUH 1

#include "tridiagonal/panel.cuh"
#include "tridiagonal/panel_chunks.cuh"

enum
{
  TALL_ROWS = 128, /* the least rows of a panel */
  GIVE_UP = 3
};

template <typename T> struct tall_panel
{
  panel<T> p;
  int rows; /* per block of a pass, a multiple of CHUNK */
  int parts;
  T *gram;  /* parts: P' P or Q1' Q1, row by row */
  T *m, *r; /* the triangular factor of the next pass by columns; R1 by rows */
  unsigned *failed; /* failed panels so far, and 1 if this one is done */
};

/* --- passes --- */

/* P' P of the panel after the pending update of it and of the diagonal block above, rows
   -TALL to -1.  Block g has the rows from g * rows - TALL on.  */
template <typename T>
GE_KERNEL (PASS_THREADS, sizeof (T) < 16 ? 2 : 1)
update_kernel (tall_panel<T> q, pending<T> p)
{
  extern __shared__ __align__ (16) unsigned char pass_memory[];
  pending_stage<T> *stage = (pending_stage<T> *) pass_memory;
  T *x = stage[0].left;
  const int64_t begin = (int64_t) q.rows * blockIdx.x, all = q.p.m + TALL,
                end = begin + q.rows < all ? begin + q.rows : all;
  gram_sum sum;
  begin_in_turn ();
  clear_sum (sum);
  for (int64_t row = begin; row < end; row += CHUNK)
    {
      subtract_pending (p, q.p.p - TALL, row, end, stage, x);
      if (row == 0)
        continue;
      add_chunks (sum, x, x);
      __syncthreads ();
    }
  store_sum (sum, x, q.gram);
}

/* Q1 = P R1^-1 and Q1' Q1, or V = Q1 (U R2)^-1.  Block g has the rows from g * rows on.  */
template <typename T, bool LAST>
GE_KERNEL (PASS_THREADS)
pass_kernel (tall_panel<T> q)
{
  extern __shared__ __align__ (16) unsigned char pass_memory[];
  T *x = (T *) pass_memory, *m = x + TALL * CHUNK_LD;
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
  const T *from = LAST ? q.p.copies[0] : q.p.p;
  const int64_t begin = (int64_t) q.rows * blockIdx.x;
  const int64_t end = begin + q.rows < q.p.m ? begin + q.rows : q.p.m;
  T y[4];
  gram_sum sum;
  /* not of the kernel before, but for rows that are not used */
  read_chunk (from, q.p.lda, begin + r, end, y);
  begin_in_turn ();
  if (! q.failed[1])
    return;
  clear_sum (sum);
  for (int e = (int) threadIdx.x; e < TALL * TALL; e += PASS_THREADS)
    m[e] = q.m[e];
  for (int64_t row = begin + r; row < end + r; row += CHUNK)
    {
      if (row > begin + r)
        read_chunk (from, q.p.lda, row, end, y);
      write_chunk (x, y);
      clear_chunk (y);
      multiply_chunk<true> (x, m, TALL, y);
#pragma unroll
      for (int e = 0; e < 4; e++)
        if (row < end && (! LAST || row >= TALL))
          {
            const int64_t at = row + q.p.lda * (c + e);
            q.p.copies[0][at] = y[e];
            if (LAST)
              q.p.p[at] = q.p.copies[1][at] = y[e];
          }
      if (LAST)
        continue;
      write_chunk (x, y);
      add_chunks (sum, x, x);
    }
  if (! LAST)
    store_sum (sum, m + TALL * TALL, q.gram);
}

/* --- factors: thread (i, k) = (warp, lane) of a block of 32 by 32 --- */

template <typename T>
GE_DEVICE_INLINE T
inverse_of (T x)
{
  if constexpr (! is_complex<T>::value)
    return 1 / x;
  const ge_real<T> size = 1 / abs2 (x);
  return make_number<T> (real_part (x) * size, -imaginary_part (x) * size);
}

/* Rows of a block of pivots, as they are and divided by their pivots.  */
template <typename T> struct pivot_rows
{
  enum
  {
    ROWS = sizeof (T) <= 8 ? 8 : 4 /* by registers */
  };
  T a[ROWS][TALL], b[ROWS][TALL], scaled_a[ROWS][TALL], scaled_b[ROWS][TALL];
};

/* The numbers in shared memory of an elimination.  */
template <typename T> struct elimination
{
  T pivot[TALL];
  pivot_rows<T> rows[2];
};

/* Eliminate ROWS, the first one with its pivot, of PIVOT, in column FIRST; lane k of one warp
   has column k.  */
template <typename T, bool SIGNS>
GE_DEVICE_INLINE void
eliminate_rows (const ge_warp &warp, int first, pivot_rows<T> &rows, T *pivot)
{
  constexpr int ROWS = pivot_rows<T>::ROWS;
  const int k = (int) warp.thread_rank ();
  T a[ROWS], b[ROWS];
#pragma unroll
  for (int l = 0; l < ROWS; l++)
    {
      a[l] = rows.a[l][k];
      b[l] = rows.b[l][k];
    }
#pragma unroll
  for (int l = 0; l < ROWS; l++)
    {
      if (SIGNS && k == first + l)
        a[l] = plus (a[l], make_number<T> (
                               copysign ((ge_real<T>) 1, real_part (a[l])), 0));
      const T d = shuffle_from (warp, a[l], first + l);
      T row_a, row_b;
      if constexpr (SIGNS)
        {
          const T f = inverse_of (d);
          row_a = times (f, a[l]);
          row_b = times (f, b[l]);
        }
      else
        {
          const ge_real<T> f = 1 / real_part (d);
          row_a = times (f, a[l]);
          row_b = times (f, b[l]);
        }
      if (k == first + l)
        pivot[first + l] = d;
      rows.a[l][k] = a[l];
      rows.b[l][k] = b[l];
      rows.scaled_a[l][k] = row_a;
      rows.scaled_b[l][k] = row_b;
#pragma unroll
      for (int u = l + 1; u < ROWS; u++)
        {
          const T x = shuffle_from (warp, a[u], first + l);
          a[u] = mul_sub (x, row_a, a[u]);
          b[u] = mul_sub (x, row_b, b[u]);
        }
    }
}

/* Gaussian elimination of A without pivoting: on return A is upper triangular
   and B, unit lower triangular, the product of the operations on its rows.
   SIGNS: to every pivot 1 with its sign is added, otherwise they are real.  One warp
   eliminates a few rows at a time, two barriers each.  */
template <typename T, bool SIGNS>
GE_DEVICE_INLINE void
eliminate (const ge_warp &warp, T &a, T &b, elimination<T> &q)
{
  constexpr int ROWS = pivot_rows<T>::ROWS;
  const int i = (int) threadIdx.x / 32, k = (int) threadIdx.x % 32;
  b = make_number<T> (i == k, 0);
#pragma unroll 1
  for (int first = 0; first < TALL; first += ROWS)
    {
      pivot_rows<T> &rows = q.rows[first / ROWS % 2];
      const int l = i - first;
      if (l >= 0 && l < ROWS)
        {
          rows.a[l][k] = a;
          rows.b[l][k] = b;
        }
      __syncthreads ();
      if (l == 0)
        eliminate_rows<T, SIGNS> (warp, first, rows, q.pivot);
      __syncthreads ();
      if (l >= 0 && l < ROWS)
        {
          a = rows.a[l][k];
          b = rows.b[l][k];
        }
      else if (l > 0)
#pragma unroll
        for (int u = 0; u < ROWS; u++)
          {
            const T x = shuffle_from (warp, a, first + u);
            a = mul_sub (x, rows.scaled_a[u][k], a);
            b = mul_sub (x, rows.scaled_b[u][k], b);
          }
    }
}

/* Element (i, k) of the sum of the parts; four sums have smaller errors than one.  */
template <typename T>
GE_DEVICE_INLINE T
sum_of_parts (const tall_panel<T> &q)
{
  constexpr int ROUNDS = is_complex<T>::value ? 2 : 4; /* by registers */
  T sum[4] = { zero<T> (), zero<T> (), zero<T> (), zero<T> () };
#pragma unroll ROUNDS
  for (int g = 0; g < q.parts; g += 4)
#pragma unroll
    for (int u = 0; u < 4; u++)
      if (g + u < q.parts)
        sum[u] = plus (sum[u], q.gram[TALL * TALL * (g + u) + threadIdx.x]);
  return plus (plus (sum[0], sum[1]), plus (sum[2], sum[3]));
}

/* R1 and its inverse from P' P.  */
template <typename T>
GE_KERNEL (TALL *TALL)
first_factor_kernel (tall_panel<T> q)
{
  typedef ge_real<T> R;
  extern __shared__ __align__ (16) unsigned char factors_memory[];
  elimination<T> &e = *(elimination<T> *) factors_memory;
  const ge_warp warp = this_warp ();
  const int t = (int) threadIdx.x, i = t / 32, k = t % 32;
  begin_in_turn ();
  if (q.failed[0] >= GIVE_UP)
    return;
  T a = sum_of_parts (q), b;
  const R before = real_part (a);
  eliminate<T, false> (warp, a, b, e);
  const R after = real_part (e.pivot[i]);
  /* R1^-1 is used explicitly: errors grow with the condition of the panel */
  const bool good
      = i != k
        || (after > before / 10 && after > (sizeof (R) == 8 ? 1e-250 : 1e-25f)
            && after < (sizeof (R) == 8 ? 1e250 : 1e30f));
  const int done = __syncthreads_and (good);
  const R scale = 1 / sqrt (after);
  q.r[t] = times (scale, a);
  q.m[t] = times (scale, conjugate (b));
  if (t == 0)
    {
      q.failed[0] += ! done;
      q.failed[1] = (unsigned) done;
    }
}

/* From Q1' Q1: R, tau, the strict upper triangle of V' V, the first rows of V, and
   (U R2)^-1.  X below is the transpose of the first rows of Q - S.  */
template <typename T>
GE_KERNEL (TALL *TALL)
second_factor_kernel (tall_panel<T> q)
{
  typedef ge_real<T> R;
  constexpr int LD = TALL + 1;
  extern __shared__ __align__ (16) unsigned char factors_memory[];
  elimination<T> &e = *(elimination<T> *) factors_memory;
  T *pivot = e.pivot, *w = (T *) (&e + 1), *top = w + LD * TALL,
    *r1 = top + LD * TALL, *r2 = r1 + LD * TALL;
  const ge_warp warp = this_warp ();
  const int t = (int) threadIdx.x, i = t / 32, k = t % 32;
  /* of the kernel before the last one */
  r1[k + LD * i] = q.r[t];
  begin_in_turn ();
  if (! q.failed[1])
    return;
  top[k + LD * i] = q.p.copies[0][k + q.p.lda * i];
  T a = sum_of_parts (q);
  const R far = abs1 (minus (a, make_number<T> (i == k, 0)));
  if (! __syncthreads_and (far < (sizeof (R) == 8 ? (R) 1e-10 : (R) 3e-5)))
    {
      if (t == 0)
        {
          q.failed[0]++;
          q.failed[1] = 0;
        }
      return;
    }
  /* the first order of R2 = chol (I + E) is exact to rounding */
  T b = make_number<T> (-real_part (a), imaginary_part (a));
  if (i == k)
    {
      b = make_number<T> ((3 - real_part (a)) / 2, 0);
      a = make_number<T> ((1 + real_part (a)) / 2, 0);
    }
  b = k > i ? zero<T> () : b;
  r2[k + LD * i] = k < i ? zero<T> () : a;
  w[k + LD * i] = b; /* inv (R2) by columns */
  __syncthreads ();
  T r = zero<T> (), x = r;
#pragma unroll 4
  for (int l = 0; l <= i; l++)
    x = mul_add (top[k + LD * l], w[l + LD * i], x);
#pragma unroll 4
  for (int l = i; l < TALL; l++)
    r = mul_add (r2[l + LD * i], l > k ? zero<T> () : r1[k + LD * l], r);
  eliminate<T, true> (warp, x, b, e);
  const T d = pivot[i];
  const R sign = copysign ((R) 1, real_part (d));
  const T inverse = inverse_of (d);
  /* L (k, i) and element (k, i) of U^-1 */
  const T v = k > i ? times (x, inverse) : make_number<T> (k == i, 0);
  top[k + LD * i] = v;
  r2[k + LD * i] = times (b, inverse);
  if (k >= i)
    send_number (q.p.r + (i + q.p.ld_r * k),
                 k > i ? times (-sign, r)
                       : make_number<T> (-sign * real_part (r), 0),
                 0);
  q.p.p[k + q.p.lda * i] = v;
  q.p.copies[0][k + q.p.lda * i] = v;
  q.p.copies[1][k + q.p.lda * i] = v;
  if (k == i)
    q.p.tau[i] = times (sign, d);
  __syncthreads ();
  T m = zero<T> (), gram = m;
#pragma unroll 4
  for (int l = 0; l <= i; l++)
    {
      const T u = r2[l + LD * i];
      m = mul_add (w[k + LD * l], u, m);
      gram = conj_mul_add (
          times (copysign ((R) 1, real_part (pivot[l])), top[l + LD * k]), u,
          gram);
    }
  q.m[t] = m;
  if (k < i)
    q.p.gram[k + TALL * i] = gram;
}

/* UPDATE: pending of the panel and of the diagonal block.  FAILED is zero before the first
   panel, SCRATCH has 2 TALL^2 numbers and PARTS GRAM_PARTS * TALL^2.  */
template <typename T>
static gpueig_status
factorise_tall_panel (gpueig_context *ctx, const panel<T> &p,
                      const pending<T> &update, T *parts, T *scratch,
                      unsigned *failed)
{
  constexpr size_t eliminating = sizeof (elimination<T>),
                   factors = eliminating + 4 * TALL * (TALL + 1) * sizeof (T),
                   bytes = pass_bytes<T> ();
  const pass_plan plan = plan_pass (ctx, p.m),
                  first = plan_pass (ctx, p.m + TALL);
  tall_panel<T> q
      = { p,     first.rows, first.parts, parts, scratch, scratch + TALL * TALL,
          failed };
  GE_ALLOW_SHARED (update_kernel<T>, pending_bytes<T> ());
  GE_ALLOW_SHARED ((pass_kernel<T, false>), bytes);
  GE_ALLOW_SHARED ((pass_kernel<T, true>), bytes);
  GE_ALLOW_SHARED (second_factor_kernel<T>, factors);
  GE_TRY (ge_launch_in_turn (ctx, "update_kernel", update_kernel<T>,
                             first.blocks, PASS_THREADS, pending_bytes<T> (),
                             first.cluster, q, update));
  GE_TRY (ge_launch_in_turn (ctx, "first_factor_kernel", first_factor_kernel<T>,
                             1, TALL * TALL, eliminating, 1, q));
  q.rows = plan.rows;
  q.parts = plan.parts;
  GE_TRY (ge_launch_in_turn (ctx, "pass_kernel", pass_kernel<T, false>,
                             plan.blocks, PASS_THREADS, bytes, plan.cluster,
                             q));
  GE_TRY (ge_launch_in_turn (ctx, "second_factor_kernel",
                             second_factor_kernel<T>, 1, TALL * TALL, factors,
                             1, q));
  q.rows = CHUNK;
  return ge_launch_in_turn (ctx, "pass_kernel", pass_kernel<T, true>,
                            ge_blocks (p.m, CHUNK), PASS_THREADS, bytes, 1, q);
}

#endif
