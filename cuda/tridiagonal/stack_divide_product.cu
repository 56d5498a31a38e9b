/* Stacks: the products of divide and conquer, see stack_divide.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block has a tile of 64-by-64 elements of C, a thread 4-by-4 of them.  The order of
   the sums depends on the order of the matrix alone, so that a page's bits do not
   depend on the number of pages; IEEE arithmetic of the type (no TF32).  */

#include "tridiagonal/stack_divide.cuh"

#include "base/numbers.cuh"

enum
{
  TILE = 64,
  DEPTH = 16, /* of a stage */
  SIDE = 16,  /* threads, in each direction */
  MINE = TILE / SIDE,
  LOADS = TILE * DEPTH / (SIDE * SIDE)
};

/* 16 bytes */
template <typename R> struct alignas (16) product_vector
{
  R x[16 / sizeof (R)];
};

/* A, B and C of a block, and their sizes: M-by-K, K-by-COUNT.  */
template <typename R> struct product_part
{
  const R *a, *b;
  R *c;
  int m, count, k, lda, ldb, ldc;
};

/* Part NUMBER of page AT.  */
template <typename R>
static __device__ __forceinline__ product_part<R>
part_of (const divide_factors<R> &f, int64_t at, int number)
{
  const int n = f.n, rows = (int) f.rows;
  const int64_t square = at * n * n, area = at * n * rows;
  if (f.kind == DIVIDE_ALL)
    return { f.a + area, f.b + square, f.c + area, rows, n, n, rows, n, rows };
  const int from = ge_divide_start (n, f.level + 1, number);
  const int size = ge_divide_start (n, f.level + 1, number + 1) - from;
  const int start = ge_divide_start (n, f.level, number / 2);
  const int width = ge_divide_start (n, f.level, number / 2 + 1) - start;
  /* the half's block, its rows of U, and its rows of the result */
  const int64_t block = square + from + (int64_t) from * n;
  const int64_t u = square + start + (int64_t) from * n;
  if (f.kind == DIVIDE_COLUMNS)
    return { f.a + block, f.b + u, f.c + square + from + (int64_t) start * n,
             size,        width,   size,
             n,           n,       n };
  return { f.a + u, f.b + block, f.c + u, width, size, size, n, n, n };
}

/* A thread's elements of a stage: those of rows FROM .. of X, which has SIZE columns from
   the tile's first one on and K rows, LD apart.  */
template <typename R>
static __device__ __forceinline__ void
load_stage (const R *x, int ld, int size, int k, int from, R *to)
{
  const int i = threadIdx.x % TILE, row = from + threadIdx.x / TILE;
#pragma unroll
  for (int l = 0; l < LOADS; l++)
    {
      const int at = row + l * (SIDE * SIDE / TILE);
      to[l] = i < size && at < k ? x[(int64_t) at * ld + i] : (R) 0;
    }
}

/* A thread's rows or columns: vectors of 16 bytes, SIDE vectors apart.  */
template <typename R>
static __device__ __forceinline__ int
product_row (int thread, int number)
{
  constexpr int EACH = 16 / sizeof (R);
  return (number / EACH * SIDE + thread) * EACH + number % EACH;
}

template <typename R>
static __device__ __forceinline__ void
load_vectors (const R *x, int thread, R *to)
{
  constexpr int EACH = 16 / sizeof (R);
#pragma unroll
  for (int v = 0; v < MINE / EACH; v++)
    {
      const product_vector<R> y
          = ((const product_vector<R> *) x)[v * SIDE + thread];
#pragma unroll
      for (int i = 0; i < EACH; i++)
        to[v * EACH + i] = y.x[i];
    }
}

template <typename R>
static __global__ void
__launch_bounds__ (SIDE *SIDE)
    product_kernel (divide_factors<R> f, int tiles, int wide, int parts)
{
  __shared__ alignas (16) R sa[2][DEPTH][TILE];
  __shared__ alignas (16) R sb[2][DEPTH][TILE];
  const int tile = (int) (blockIdx.x % tiles);
  const int64_t task = blockIdx.x / tiles;
  const product_part<R> p = part_of<R> (f, task / parts, (int) (task % parts));
  const int row = tile % wide * TILE, column = tile / wide * TILE;
  if (row >= p.m || column >= p.count)
    return;
  const R *const a = p.a + row, *const b = p.b + column;
  const int tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
  const int i = threadIdx.x % TILE, first = threadIdx.x / TILE;
  R next_a[LOADS], next_b[LOADS], sum[MINE][MINE] = {};
  load_stage (a, p.lda, p.m - row, p.k, 0, next_a);
  load_stage (b, p.ldb, p.count - column, p.k, 0, next_b);
  int buffer = 0;
  for (int from = 0; from < p.k; from += DEPTH)
    {
#pragma unroll
      for (int l = 0; l < LOADS; l++)
        {
          sa[buffer][first + l * (SIDE * SIDE / TILE)][i] = next_a[l];
          sb[buffer][first + l * (SIDE * SIDE / TILE)][i] = next_b[l];
        }
      __syncthreads ();
      if (from + DEPTH < p.k)
        {
          load_stage (a, p.lda, p.m - row, p.k, from + DEPTH, next_a);
          load_stage (b, p.ldb, p.count - column, p.k, from + DEPTH, next_b);
        }
#pragma unroll
      for (int k = 0; k < DEPTH; k++)
        {
          R x[MINE], y[MINE];
          load_vectors (sa[buffer][k], tx, x);
          load_vectors (sb[buffer][k], ty, y);
#pragma unroll
          for (int v = 0; v < MINE; v++)
#pragma unroll
            for (int w = 0; w < MINE; w++)
              sum[w][v] = fma (x[v], y[w], sum[w][v]);
        }
      buffer ^= 1;
    }
#pragma unroll
  for (int w = 0; w < MINE; w++)
#pragma unroll
    for (int v = 0; v < MINE; v++)
      {
        const int to = row + product_row<R> (tx, v),
                  at = column + product_row<R> (ty, w);
        if (to < p.m && at < p.count)
          p.c[(int64_t) at * p.ldc + to] = sum[w][v];
      }
}

template <typename R>
gpueig_status
ge_stack_divide_products (gpueig_context *ctx, int64_t pages,
                          const divide_factors<R> *f)
{
  const int half = ((f->n - 1) >> (f->level + 1)) + 1,
            whole = ((f->n - 1) >> f->level) + 1;
  const int m = f->kind == DIVIDE_ALL    ? (int) f->rows
                : f->kind == DIVIDE_ROWS ? whole
                                         : half;
  const int count = f->kind == DIVIDE_ALL    ? f->n
                    : f->kind == DIVIDE_ROWS ? half
                                             : whole;
  const int wide = (m + TILE - 1) / TILE,
            tiles = wide * ((count + TILE - 1) / TILE);
  const int parts = f->kind == DIVIDE_ALL ? 1 : 2 << f->level;
  if (pages * parts * tiles > INT32_MAX)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "%lld pages are too many for one launch",
                        (long long) pages);
  GE_LAUNCH (product_kernel<R>, (unsigned) (pages * parts * tiles), SIDE * SIDE,
             0, ge_cuda_of (ctx)->stream)
  (*f, tiles, wide, parts);
  LAUNCHED ();
  return GPUEIG_OK;
}

template gpueig_status ge_stack_divide_products (gpueig_context *, int64_t,
                                                 const divide_factors<float> *);
template gpueig_status
ge_stack_divide_products (gpueig_context *, int64_t,
                          const divide_factors<double> *);
