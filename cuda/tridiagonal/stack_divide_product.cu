/* Stacks: the products of divide and conquer, see stack_divide.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block has a tile of 64-by-64 elements of C, or, in one warp, of 32-by-32 where more of
   the larger ones would be outside C.  A warp has 32-by-32 of them on the tensor cores
   (base/tensor.cuh) and leaves out what of these is outside C: in double precision, or in
   pairs of halves (base/halves.cuh).
   The order of the sums depends on the order of the matrix alone, so that a page's bits
   do not depend on the number of pages.  */

#include "tridiagonal/stack_divide.cuh"

#include "base/halves.cuh"
#include "base/numbers.cuh"

#include <cuda_pipeline.h>

enum
{
  DEPTH = 16 /* of a stage */
};

/* SUMS: elements of C that a thread has; STAGES in shared memory; BLOCKS of a multiprocessor;
   so many small tiles take as long as two large ones: WORTH, by measurement.  */
template <typename R, int TILE> struct product_shape
{
  static constexpr bool DOUBLE = sizeof (R) == sizeof (double);
  static constexpr int SUMS = 32, THREADS = TILE * TILE / SUMS,
                       STAGES = DOUBLE ? 2 : 3,
                       BLOCKS = TILE == 32 ? 12
                                : DOUBLE   ? 4
                                           : 6,
                       WORTH = DOUBLE ? 4 : 5;
};

/* Rows of A' and of B, in a distance for which lanes use different banks.  */
template <typename R, int TILE> struct product_stage
{
  R a[DEPTH][TILE + 4], b[DEPTH][TILE + 4];
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

/* Fetch rows of X, LD apart, from the tile's first column on: K rows and SIZE columns.  Rows
   beyond are zero; columns beyond stay what they are, as no element of C depends on them.  */
template <int TILE, typename R>
GE_DEVICE_INLINE void
fetch_rows (const R *x, int ld, int size, int k, R (*to)[TILE + 4])
{
  constexpr int STEP = product_shape<R, TILE>::THREADS / TILE;
  const int i = threadIdx.x % TILE, first = threadIdx.x / TILE;
  if (i >= size)
    return;
  x += (int64_t) first * ld + i;
#pragma unroll
  for (int l = 0; l < DEPTH; l += STEP, x += STEP * ld)
    __pipeline_memcpy_async (&to[first + l][i], x, sizeof (R),
                             first + l < k ? 0 : sizeof (R));
}

/* --- 2-by-4 tiles of 16-by-8 of a warp --- */

/* SUM += A B for the warp's rows from TOP and columns from LEFT of the tile on, of which C has
   M and COUNT; A has K columns from the stage's first one on.  */
template <int TILE>
GE_DEVICE_INLINE void
multiply_stage (const product_stage<double, TILE> &s, int top, int left,
                int lane, double *sum, int m, int count, int k)
{
  const int r = lane / 4, c = lane % 4;
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
          x[v][i] = s.a[at + i / 2 * 4 + c][top + 16 * v + i % 2 * 8 + r];
#pragma unroll
      for (int w = 0; w < 4; w++)
#pragma unroll
        for (int i = 0; i < 2; i++)
          y[w][i] = s.b[at + 4 * i + c][left + 8 * w + r];
#pragma unroll
      for (int v = 0; v < 2; v++)
#pragma unroll
        for (int w = 0; w < 4; w++)
          if (16 * v < m && 8 * w < count)
            multiply_tiles (sum + 4 * (4 * v + w), x[v][0], x[v][1], x[v][2],
                            x[v][3], y[w][0], y[w][1]);
    }
}

/* Rows ROW and ROW + 1 of X as two halves each.  */
template <int LD>
GE_DEVICE_INLINE void
split_rows (const float (*x)[LD], int row, int column, unsigned *high,
            unsigned *low)
{
  split_pair (HALVES_SCALE (float) * x[row][column],
              HALVES_SCALE (float) * x[row + 1][column], high, low);
}

template <int TILE>
GE_DEVICE_INLINE void
multiply_stage (const product_stage<float, TILE> &s, int top, int left,
                int lane, float *sum, int m, int count, int)
{
  const int r = lane / 4, c = lane % 4;
  halves<2> x[2];
#pragma unroll
  for (int v = 0; v < 2; v++)
#pragma unroll
    for (int i = 0; i < 4; i++)
      split_rows (s.a, i / 2 * 8 + 2 * c, top + 16 * v + i % 2 * 8 + r,
                  x[v].high + i, x[v].low + i);
#pragma unroll
  for (int w = 0; w < 4; w++)
    {
      unsigned high[2], low[2];
#pragma unroll
      for (int i = 0; i < 2; i++)
        split_rows (s.b, 8 * i + 2 * c, left + 8 * w + r, high + i, low + i);
#pragma unroll
      for (int v = 0; v < 2; v++)
        if (16 * v < m && 8 * w < count)
          {
            float y[4] = {};
            multiply_halves (y, x[v].low, high);
            multiply_halves (y, x[v].high, low);
            multiply_halves (y, x[v].high, high);
#pragma unroll
            for (int i = 0; i < 4; i++)
              sum[4 * (4 * v + w) + i] += y[i];
          }
    }
}

/* --- the kernel --- */

template <typename R, int TILE>
GE_KERNEL ((product_shape<R, TILE>::THREADS), (product_shape<R, TILE>::BLOCKS))
product_kernel (divide_factors<R> f, int tiles, int wide, int parts)
{
  constexpr int STAGES = product_shape<R, TILE>::STAGES;
  __shared__ product_stage<R, TILE> stage[STAGES];
  const int tile = (int) (blockIdx.x % tiles);
  const int64_t task = blockIdx.x / tiles, page = task / parts;
  const product_part<R> p = part_of<R> (f, page, (int) (task % parts));
  const int row = tile % wide * TILE, column = tile / wide * TILE;
  if (row >= p.m || column >= p.count)
    return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32,
            top = warp % (TILE / 32) * 32, left = warp / (TILE / 32) * 32;
  R sum[product_shape<R, TILE>::SUMS] = {};
  const auto fetch = [&] (int from) {
    product_stage<R, TILE> &s = stage[from / DEPTH % STAGES];
    if (from < p.m)
      {
        const int64_t skip = (int64_t) from * f.n;
        fetch_rows<TILE> (p.a + skip + row, f.n, p.m - row, p.m - from, s.a);
        fetch_rows<TILE> (p.b + skip + column, f.n, p.count - column,
                          p.m - from, s.b);
      }
    __pipeline_commit ();
  };
  for (int i = 0; i < STAGES - 1; i++)
    fetch (i * DEPTH);
  for (int from = 0; from < p.m; from += DEPTH)
    {
      __pipeline_wait_prior (STAGES - 2);
      __syncthreads ();
      fetch (from + (STAGES - 1) * DEPTH);
      multiply_stage<TILE> (stage[from / DEPTH % STAGES], top, left, lane, sum,
                            p.m - row - top, p.count - column - left,
                            p.m - from);
    }
  constexpr R UNIT = 1 / (HALVES_SCALE (R) * HALVES_SCALE (R));
#pragma unroll
  for (int s = 0; s < product_shape<R, TILE>::SUMS; s++)
    {
      const int i = row + top + s / 16 * 16 + s % 4 / 2 * 8 + lane / 4;
      const int j = column + left + s / 4 % 4 * 8 + lane % 4 * 2 + s % 2;
      if (i < p.m && j < p.count)
        p.c[(int64_t) j * f.n + i] = UNIT * sum[s];
    }
}

/* The tiles of a part, of which WIDE are one below the other.  */
static int
tiles_of_part (int half, int whole, int tile, int *wide)
{
  *wide = (half + tile - 1) / tile;
  return *wide * ((whole + tile - 1) / tile);
}

template <typename R, int TILE>
static gpueig_status
products (gpueig_context *ctx, int64_t pages, const divide_factors<R> *f,
          int half, int whole)
{
  int wide;
  const int tiles = tiles_of_part (half, whole, TILE, &wide),
            parts = 2 << f->level;
  GE_TRY (ge_one_launch (ctx, pages * parts * tiles, pages));
  GE_LAUNCH ((product_kernel<R, TILE>), (unsigned) (pages * parts * tiles),
             (product_shape<R, TILE>::THREADS), 0, *f, tiles, wide, parts);
  return GPUEIG_OK;
}

template <typename R>
gpueig_status
ge_stack_divide_products (gpueig_context *ctx, int64_t pages,
                          const divide_factors<R> *f)
{
  const int half = ((f->n - 1) >> (f->level + 1)) + 1,
            whole = ((f->n - 1) >> f->level) + 1;
  int wide;
  const bool small
      = 2 * tiles_of_part (half, whole, 32, &wide)
        <= product_shape<R, 64>::WORTH * tiles_of_part (half, whole, 64, &wide);
  return small ? products<R, 32> (ctx, pages, f, half, whole)
               : products<R, 64> (ctx, pages, f, half, whole);
}

GE_INSTANTIATE_REAL (ge_stack_divide_products)
