/* Stacks: the products of divide and conquer, see stack_divide.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block has a tile of 64-by-64 elements of C: in single precision a thread has 8-by-8
   of them, in double precision a warp has 32-by-32 on the tensor cores
   (base/tensor.cuh), and leaves out what of the tile is outside C.
   The order of the sums depends on the order of the matrix alone, so that a page's bits
   do not depend on the number of pages; IEEE arithmetic of the type (no TF32).  */

#include "tridiagonal/stack_divide.cuh"

#include "base/numbers.cuh"
#include "base/tensor.cuh"

enum
{
  TILE = 64,
  DEPTH = 16 /* of a stage */
};

/* THREADS of a block; LD: distance of the rows of a stage, such that lanes use different
   banks; SUMS: elements of C that a thread has.  */
template <typename R> struct product_shape;
template <> struct product_shape<float>
{
  enum
  {
    THREADS = 64,
    LD = TILE,
    SUMS = 64
  };
};
template <> struct product_shape<double>
{
  enum
  {
    THREADS = 128,
    LD = TILE + 4,
    SUMS = 32
  };
};

/* A, B and C of a block, of which B is row-major, and their sizes: M-by-M, M-by-COUNT.  */
template <typename R> struct product_part
{
  const R *a, *b;
  R *c;
  int m, count;
};

/* Half NUMBER of page AT: its block, its rows of U, and its rows of the result.  */
template <typename R>
GE_DEVICE_INLINE product_part<R>
part_of (const divide_factors<R> &f, int64_t at, int number)
{
  const int n = f.n;
  const int64_t square = at * n * n;
  const int from = ge_divide_start (n, f.level + 1, number);
  const int size = ge_divide_start (n, f.level + 1, number + 1) - from;
  const int start = ge_divide_start (n, f.level, number / 2);
  const int width = ge_divide_start (n, f.level, number / 2 + 1) - start;
  return { f.a + square + from + (int64_t) from * n,
           f.u + square + start + (int64_t) from * n,
           f.c + square + from + (int64_t) start * n, size, width };
}

/* A thread's elements of a stage: those of rows FROM .. of X, which has SIZE columns from
   the tile's first one on and K rows, LD apart.  */
template <typename R, int LOADS>
GE_DEVICE_INLINE void
load_stage (const R *x, int ld, int size, int k, int from, R *to)
{
  constexpr int STEP = DEPTH / LOADS;
  const int i = threadIdx.x % TILE, row = from + threadIdx.x / TILE;
#pragma unroll
  for (int l = 0; l < LOADS; l++)
    {
      const int at = row + l * STEP;
      to[l] = i < size && at < k ? x[(int64_t) at * ld + i] : (R) 0;
    }
}

/* --- single precision: a thread has 8 rows and columns, 4 of them neighbours --- */

struct alignas (16) product_vector
{
  float x[4];
};

GE_DEVICE_INLINE void
load_eight (const float *x, int thread, float *to)
{
#pragma unroll
  for (int v = 0; v < 2; v++)
    {
      const product_vector y = ((const product_vector *) x)[v * 8 + thread];
#pragma unroll
      for (int i = 0; i < 4; i++)
        to[4 * v + i] = y.x[i];
    }
}

GE_DEVICE_INLINE void
multiply_stage (const float *a, const float *b, float *sum, int, int, int)
{
#pragma unroll
  for (int k = 0; k < DEPTH; k++)
    {
      float x[8], y[8];
      load_eight (a + k * TILE, threadIdx.x % 8, x);
      load_eight (b + k * TILE, threadIdx.x / 8, y);
#pragma unroll
      for (int w = 0; w < 8; w++)
#pragma unroll
        for (int v = 0; v < 8; v++)
          sum[8 * w + v] = fma (x[v], y[w], sum[8 * w + v]);
    }
}

/* The row and the column in the tile of the thread's sum number S.  */
GE_DEVICE_INLINE void
place_of_sum (const float *, int s, int *row, int *column)
{
  const int v = s % 8, w = s / 8;
  *row = (v / 4 * 8 + threadIdx.x % 8) * 4 + v % 4;
  *column = (w / 4 * 8 + threadIdx.x / 8) * 4 + w % 4;
}

/* --- double precision: 2-by-4 tiles of 16-by-8 of a warp --- */

/* C has M rows and COUNT columns from the tile's first one on, A has K columns from the
   stage's first one on.  */
GE_DEVICE_INLINE void
multiply_stage (const double *a, const double *b, double *sum, int m, int count,
                int k)
{
  constexpr int LD = product_shape<double>::LD;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int r = lane / 4, c = lane % 4;
  const int top = warp % 2 * 32, left = warp / 2 * 32;
  const double *const mine_a = a + c * LD + top + r;
  const double *const mine_b = b + c * LD + left + r;
#pragma unroll
  for (int at = 0; at < DEPTH; at += 8)
    {
      if (at >= k)
        break;
      double x[2][4], y[4][2];
#pragma unroll
      for (int v = 0; v < 2; v++)
#pragma unroll
        for (int i = 0; i < 4; i++)
          x[v][i] = mine_a[(at + i / 2 * 4) * LD + 16 * v + i % 2 * 8];
#pragma unroll
      for (int w = 0; w < 4; w++)
#pragma unroll
        for (int i = 0; i < 2; i++)
          y[w][i] = mine_b[(at + 4 * i) * LD + 8 * w];
#pragma unroll
      for (int v = 0; v < 2; v++)
#pragma unroll
        for (int w = 0; w < 4; w++)
          if (top + 16 * v < m && left + 8 * w < count)
            multiply_tiles (sum + 4 * (4 * v + w), x[v][0], x[v][1], x[v][2],
                            x[v][3], y[w][0], y[w][1]);
    }
}

GE_DEVICE_INLINE void
place_of_sum (const double *, int s, int *row, int *column)
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  *row = warp % 2 * 32 + s / 16 * 16 + s % 4 / 2 * 8 + lane / 4;
  *column = warp / 2 * 32 + s / 4 % 4 * 8 + lane % 4 * 2 + s % 2;
}

/* --- the kernel --- */

template <typename R>
GE_KERNEL (product_shape<R>::THREADS, 3)
product_kernel (divide_factors<R> f, int tiles, int wide, int parts)
{
  constexpr int LD = product_shape<R>::LD, SUMS = product_shape<R>::SUMS;
  constexpr int STEP = product_shape<R>::THREADS / TILE;
  constexpr int LOADS = DEPTH / STEP;
  __shared__ alignas (16) R sa[2][DEPTH * LD];
  __shared__ alignas (16) R sb[2][DEPTH * LD];
  const int tile = (int) (blockIdx.x % tiles);
  const int64_t task = blockIdx.x / tiles, page = task / parts;
  const product_part<R> p = part_of<R> (f, page, (int) (task % parts));
  const int row = tile % wide * TILE, column = tile / wide * TILE;
  if (row >= p.m || column >= p.count)
    return;
  const R *const a = p.a + row, *const b = p.b + column;
  const int place = threadIdx.x % TILE + threadIdx.x / TILE * LD;
  R next_a[LOADS], next_b[LOADS], sum[SUMS] = {};
  load_stage<R, LOADS> (a, f.n, p.m - row, p.m, 0, next_a);
  load_stage<R, LOADS> (b, f.n, p.count - column, p.m, 0, next_b);
  int buffer = 0;
  for (int from = 0; from < p.m; from += DEPTH)
    {
#pragma unroll
      for (int l = 0; l < LOADS; l++)
        {
          sa[buffer][place + l * STEP * LD] = next_a[l];
          sb[buffer][place + l * STEP * LD] = next_b[l];
        }
      __syncthreads ();
      if (from + DEPTH < p.m)
        {
          load_stage<R, LOADS> (a, f.n, p.m - row, p.m, from + DEPTH, next_a);
          load_stage<R, LOADS> (b, f.n, p.count - column, p.m, from + DEPTH,
                                next_b);
        }
      multiply_stage (sa[buffer], sb[buffer], sum, p.m - row, p.count - column,
                      p.m - from);
      buffer ^= 1;
    }
#pragma unroll
  for (int s = 0; s < SUMS; s++)
    {
      int i, j;
      place_of_sum (sum, s, &i, &j);
      i += row;
      j += column;
      if (i < p.m && j < p.count)
        p.c[(int64_t) j * f.n + i] = sum[s];
    }
}

template <typename R>
gpueig_status
ge_stack_divide_products (gpueig_context *ctx, int64_t pages,
                          const divide_factors<R> *f)
{
  const int half = ((f->n - 1) >> (f->level + 1)) + 1,
            whole = ((f->n - 1) >> f->level) + 1;
  const int wide = (half + TILE - 1) / TILE,
            tiles = wide * ((whole + TILE - 1) / TILE), parts = 2 << f->level;
  GE_TRY (ge_one_launch (ctx, pages * parts * tiles, pages));
  GE_LAUNCH (product_kernel<R>, (unsigned) (pages * parts * tiles),
             product_shape<R>::THREADS, 0, *f, tiles, wide, parts);
  return GPUEIG_OK;
}

GE_INSTANTIATE_REAL (ge_stack_divide_products)
