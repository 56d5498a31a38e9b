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

#include "base/tensor.cuh"
#include "tridiagonal/block_reflectors.cuh"
#include "tridiagonal/panel.cuh"

enum
{
  TALL = GE_FACTOR,     /* columns, and rows of the factors */
  TALL_ROWS = 128,      /* the least rows of a panel */
  CHUNK = 64,           /* rows in shared memory at a time */
  CHUNK_LD = CHUNK + 4, /* their distance, without bank conflicts below */
  PASS_THREADS = 256,
  GRAM_PARTS = 64,        /* the most blocks of a pass */
  ELIMINATION = 5 * TALL, /* numbers in shared memory */
  FACTORS = ELIMINATION + 4 * TALL * (TALL + 1),
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

/* A thread has rows r, r + 32 and columns c to c + 3 of a chunk; X: the chunk in
   shared memory, by columns.  ROW, of thread r, and END: rows of the matrix.  */
template <typename T>
GE_DEVICE_INLINE void
read_chunk (const T *from, int64_t ld, int64_t row, int64_t end, T (&y)[2][4])
{
  const int c = (int) threadIdx.x / 32 * 4;
#pragma unroll
  for (int e = 0; e < 8; e++)
    {
      const int64_t i = row + 32 * (e / 4);
      y[e / 4][e % 4] = i < end ? from[i + ld * (c + e % 4)] : zero<T> ();
    }
}

template <typename T>
GE_DEVICE_INLINE void
clear_chunk (T (&y)[2][4])
{
#pragma unroll
  for (int e = 0; e < 8; e++)
    y[e / 4][e % 4] = zero<T> ();
}

template <typename T>
GE_DEVICE_INLINE void
write_chunk (T *x, const T (&y)[2][4])
{
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
  __syncthreads ();
#pragma unroll
  for (int h = 0; h < 2; h++)
#pragma unroll
    for (int b = 0; b < 4; b++)
      x[r + 32 * h + CHUNK_LD * (c + b)] = y[h][b];
  __syncthreads ();
}

/* Y += X M, M having LD_M rows of which the first TALL are used, all zero below
   the diagonal for UPPER.  */
template <bool UPPER, typename T>
GE_DEVICE_INLINE void
multiply_chunk (const T *x, const T *m, int ld_m, T (&y)[2][4])
{
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
#pragma unroll 4
  for (int l = 0; l < (UPPER ? c + 4 : TALL); l++)
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
      for (int b = 0; b < 4; b++)
        y[h][b] = mul_add (x[r + 32 * h + CHUNK_LD * l], m[l + ld_m * (c + b)],
                           y[h][b]);
}

/* X' Y of two chunks, 32 by 32, summed over chunks, in double precision by tensor cores: warp
   w has rows 16 (w / 4) to 16 (w / 4) + 15 and columns 8 (w % 4) to 8 (w % 4) + 7.  */
struct gram_sum
{
  double re[4], im[4];
};

GE_DEVICE_INLINE void
clear_sum (gram_sum &g)
{
#pragma unroll
  for (int e = 0; e < 4; e++)
    g.re[e] = g.im[e] = 0;
}

template <typename T>
GE_DEVICE_INLINE void
add_chunks (gram_sum &g, const T *x, const T *y)
{
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
  x += lane % 4 + CHUNK_LD * (wid / 4 * 16 + lane / 4);
  y += lane % 4 + CHUNK_LD * (wid % 4 * 8 + lane / 4);
#pragma unroll 4
  for (int l = 0; l < CHUNK; l += 8)
    {
      const T a[4]
          = { x[l], x[l + CHUNK_LD * 8], x[l + 4], x[l + 4 + CHUNK_LD * 8] },
          b[2] = { y[l], y[l + 4] };
      double re[4], im[4], y_re[2], y_im[2];
#pragma unroll
      for (int e = 0; e < 4; e++)
        {
          re[e] = real_part (a[e]);
          im[e] = imaginary_part (a[e]);
        }
#pragma unroll
      for (int e = 0; e < 2; e++)
        {
          y_re[e] = real_part (b[e]);
          y_im[e] = imaginary_part (b[e]);
        }
      multiply_tiles (g.re, re[0], re[1], re[2], re[3], y_re[0], y_re[1]);
      if (is_complex<T>::value)
        {
          multiply_tiles (g.re, im[0], im[1], im[2], im[3], y_im[0], y_im[1]);
          multiply_tiles (g.im, re[0], re[1], re[2], re[3], y_im[0], y_im[1]);
          multiply_tiles (g.im, -im[0], -im[1], -im[2], -im[3], y_re[0],
                          y_re[1]);
        }
    }
}

/* To TO, row by row.  */
template <typename T>
GE_DEVICE_INLINE void
store_sum (const gram_sum &g, T *to)
{
  typedef ge_real<T> R;
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
#pragma unroll
  for (int e = 0; e < 4; e++)
    to[TALL * (wid / 4 * 16 + lane / 4 + e / 2 * 8) + wid % 4 * 8 + lane % 4 * 2
       + e % 2]
        = make_number<T> ((R) g.re[e], (R) g.im[e]);
}

/* Block g has the rows from g * rows on.  */
template <typename T, int PASS>
GE_KERNEL (PASS_THREADS)
pass_kernel (tall_panel<T> q)
{
  extern __shared__ __align__ (16) unsigned char pass_memory[];
  T *x = (T *) pass_memory, *m = x + TALL * CHUNK_LD;
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
  if (PASS == 0 ? q.failed[0] >= GIVE_UP : ! q.failed[1])
    return;
  const T *from = PASS == 2 ? q.p.copies[0] : q.p.p;
  const int64_t begin = (int64_t) q.rows * blockIdx.x;
  const int64_t end = begin + q.rows < q.p.m ? begin + q.rows : q.p.m;
  T y[2][4];
  gram_sum sum;
  clear_sum (sum);
  for (int e = (int) threadIdx.x; PASS > 0 && e < TALL * TALL;
       e += PASS_THREADS)
    m[e] = q.m[e];
  for (int64_t row = begin + r; row < end + r; row += CHUNK)
    {
      read_chunk (from, q.p.lda, row, end, y);
      write_chunk (x, y);
      if (PASS > 0)
        {
          clear_chunk (y);
          multiply_chunk<true> (x, m, TALL, y);
        }
#pragma unroll
      for (int e = 0; e < 8; e++)
        {
          const int64_t i = row + 32 * (e / 4), at = i + q.p.lda * (c + e % 4);
          if (PASS > 0 && i < end && (PASS == 1 || i >= TALL))
            {
              q.p.copies[0][at] = y[e / 4][e % 4];
              if (PASS == 2)
                q.p.p[at] = q.p.copies[1][at] = y[e / 4][e % 4];
            }
        }
      if (PASS == 1)
        write_chunk (x, y);
      if (PASS < 2)
        add_chunks (sum, x, x);
    }
  if (PASS < 2)
    store_sum (sum, q.gram + TALL * TALL * blockIdx.x);
}

/* The parts of X' V, blocks as above.  */
template <typename T>
GE_KERNEL (PASS_THREADS)
product_kernel (int64_t m, int rows, const T *v, const T *x, int64_t ld,
                T *parts)
{
  extern __shared__ __align__ (16) unsigned char pass_memory[];
  T *tile_x = (T *) pass_memory, *tile_v = tile_x + TALL * CHUNK_LD;
  const int r = (int) threadIdx.x % 32;
  const int64_t begin = (int64_t) rows * blockIdx.x;
  const int64_t end = begin + rows < m ? begin + rows : m;
  T next_x[2][4], next_v[2][4];
  gram_sum sum;
  clear_sum (sum);
  for (int64_t row = begin + r; row < end + r; row += CHUNK)
    {
      read_chunk (x, ld, row, end, next_x);
      read_chunk (v, ld, row, end, next_v);
      write_chunk (tile_x, next_x);
      write_chunk (tile_v, next_v);
      add_chunks (sum, tile_x, tile_v);
    }
  store_sum (sum, parts + TALL * TALL * blockIdx.x);
}

/* W = [X V] F, 2 TALL-by-TALL, its upper half triangular, to W and in the place of
   X.  One block per chunk.  */
template <typename T>
GE_KERNEL (PASS_THREADS)
two_sided_kernel (int64_t m, const T *v, T *x, T *w, int64_t ld, const T *f)
{
  extern __shared__ __align__ (16) unsigned char pass_memory[];
  T *tile = (T *) pass_memory, *factor = tile + TALL * CHUNK_LD;
  const int r = (int) threadIdx.x % 32, c = (int) threadIdx.x / 32 * 4;
  const int64_t row = (int64_t) CHUNK * blockIdx.x + r;
  T next_x[2][4], next_v[2][4], y[2][4];
  read_chunk (x, ld, row, m, next_x);
  read_chunk (v, ld, row, m, next_v);
  for (int e = (int) threadIdx.x; e < 2 * TALL * TALL; e += PASS_THREADS)
    factor[e] = f[e];
  clear_chunk (y);
  write_chunk (tile, next_x);
  multiply_chunk<true> (tile, factor, 2 * TALL, y);
  write_chunk (tile, next_v);
  multiply_chunk<false> (tile, factor + TALL, 2 * TALL, y);
#pragma unroll
  for (int e = 0; e < 8; e++)
    {
      const int64_t i = row + 32 * (e / 4), at = i + ld * (c + e % 4);
      if (i < m)
        w[at] = x[at] = y[e / 4][e % 4];
    }
}

/* --- factors: thread (i, k) = (warp, lane) of a block of 32 by 32 --- */

template <typename T>
GE_DEVICE_INLINE T
inverse_of (T x)
{
  const ge_real<T> size = 1 / abs2 (x);
  return make_number<T> (real_part (x) * size, -imaginary_part (x) * size);
}

/* Gaussian elimination of A without pivoting: on return A is upper triangular
   and B, unit lower triangular, the product of the operations on its rows.
   SIGNS: to every pivot 1 with its sign is added, otherwise they are real.  One
   barrier a step.  PIVOT: ELIMINATION numbers, the first TALL of which are the
   pivots on return.  */
template <typename T, bool SIGNS>
GE_DEVICE_INLINE void
eliminate (const ge_warp &warp, T &a, T &b, T *pivot)
{
  const int i = (int) threadIdx.x / 32, k = (int) threadIdx.x % 32;
  b = make_number<T> (i == k, 0);
#pragma unroll 1
  for (int j = 0; j < TALL; j++)
    {
      T *row = pivot + TALL + (j & 1) * 2 * TALL;
      if (i == j)
        {
          if (SIGNS && k == j)
            a = plus (a, make_number<T> (
                             copysign ((ge_real<T>) 1, real_part (a)), 0));
          const T d = shuffle_from (warp, a, j);
          const T f
              = SIGNS ? inverse_of (d) : make_number<T> (1 / real_part (d), 0);
          row[k] = times (f, a);
          row[TALL + k] = times (f, b);
          if (k == j)
            pivot[j] = d;
        }
      __syncthreads ();
      if (i > j)
        {
          const T x = shuffle_from (warp, a, j);
          a = mul_sub (x, row[k], a);
          b = mul_sub (x, row[TALL + k], b);
        }
    }
  __syncthreads ();
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
  T *pivot = (T *) factors_memory;
  const ge_warp warp = this_warp ();
  const int t = (int) threadIdx.x, i = t / 32, k = t % 32;
  if (q.failed[0] >= GIVE_UP)
    return;
  T a = sum_of_parts (q), b;
  const R before = real_part (a);
  eliminate<T, false> (warp, a, b, pivot);
  const R after = real_part (pivot[i]);
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
  T *pivot = (T *) factors_memory, *w = pivot + ELIMINATION,
    *top = w + LD * TALL, *r1 = top + LD * TALL, *r2 = r1 + LD * TALL;
  const ge_warp warp = this_warp ();
  const int t = (int) threadIdx.x, i = t / 32, k = t % 32;
  if (! q.failed[1])
    return;
  top[k + LD * i] = q.p.copies[0][k + q.p.lda * i];
  r1[k + LD * i] = q.r[t];
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
  eliminate<T, true> (warp, x, b, pivot);
  const T d = pivot[i];
  const R sign = copysign ((R) 1, real_part (d));
  const T inverse = inverse_of (d);
  /* L (k, i) and element (k, i) of U^-1 */
  const T v = k > i ? times (x, inverse) : make_number<T> (k == i, 0);
  top[k + LD * i] = v;
  r2[k + LD * i] = times (b, inverse);
  if (k >= i)
    send_number (q.p.r + i + q.p.ld_r * k,
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

template <typename T>
static constexpr size_t
pass_bytes (void)
{
  return 2 * TALL * CHUNK_LD * sizeof (T);
}

/* The rows per block of a pass over M rows.  */
static inline int
rows_of_pass (int64_t m)
{
  return (int) ((m + CHUNK * GRAM_PARTS - 1) / (CHUNK * GRAM_PARTS)) * CHUNK;
}

/* FAILED is zero before the first panel, SCRATCH has 2 TALL^2 numbers and PARTS
   GRAM_PARTS * TALL^2.  */
template <typename T>
static gpueig_status
factorise_tall_panel (gpueig_context *ctx, const panel<T> &p, T *parts,
                      T *scratch, unsigned *failed)
{
  constexpr size_t factors = FACTORS * sizeof (T),
                   elimination = ELIMINATION * sizeof (T),
                   bytes = pass_bytes<T> ();
  tall_panel<T> q = { p,       rows_of_pass (p.m),    0,     parts,
                      scratch, scratch + TALL * TALL, failed };
  q.parts = (int) ((p.m + q.rows - 1) / q.rows);
  tall_panel<T> last = q;
  last.rows = CHUNK;
  GE_ALLOW_SHARED ((pass_kernel<T, 0>), bytes);
  GE_ALLOW_SHARED ((pass_kernel<T, 1>), bytes);
  GE_ALLOW_SHARED ((pass_kernel<T, 2>), bytes);
  GE_ALLOW_SHARED (second_factor_kernel<T>, factors);
  GE_LAUNCH ((pass_kernel<T, 0>), q.parts, PASS_THREADS, bytes, q);
  GE_LAUNCH (first_factor_kernel<T>, 1, TALL * TALL, elimination, q);
  GE_LAUNCH ((pass_kernel<T, 1>), q.parts, PASS_THREADS, bytes, q);
  GE_LAUNCH (second_factor_kernel<T>, 1, TALL * TALL, factors, q);
  GE_LAUNCH ((pass_kernel<T, 2>), ge_blocks (p.m, CHUNK), PASS_THREADS, bytes,
             last);
  return GPUEIG_OK;
}

/* W of a panel, see band_reduction.cuh; PARTS, F: 2 TALL^2 numbers, as above.  */
template <typename T>
static gpueig_status
two_sided_vectors (gpueig_context *ctx, int64_t m, const T *v, T *x, T *w,
                   int64_t ld, const T *gram, const T *tau, T *parts, T *f)
{
  constexpr size_t bytes = pass_bytes<T> ();
  const int rows = rows_of_pass (m), count = (int) ((m + rows - 1) / rows);
  GE_ALLOW_SHARED (product_kernel<T>, bytes);
  GE_ALLOW_SHARED (two_sided_kernel<T>, bytes);
  GE_LAUNCH (product_kernel<T>, count, PASS_THREADS, bytes, m, rows, v, x, ld,
             parts);
  GE_TRY (ge_cuda_two_sided_factor<T> (ctx, count, gram, tau, parts, f));
  GE_LAUNCH (two_sided_kernel<T>, ge_blocks (m, CHUNK), PASS_THREADS, bytes, m,
             v, x, w, ld, f);
  return GPUEIG_OK;
}

#endif
