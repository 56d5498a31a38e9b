/* Products of the rest of H and Z with the accumulated reflectors of windows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_PRODUCTS_CUH
#define GE_SCHUR_PRODUCTS_CUH 1

#include "base/tensor.cuh"
#include "schur/iteration.cuh"

enum
{
  TILE = 64,       /* rows or columns per thread block, */
  SMALL_TILE = 32, /* if there are fewer such tiles than multiprocessors */
  PRODUCT_THREADS = 256,
  NEAR_WARPS = 16 /* of the products before a chase */
};

/* Tiles in shared memory: elements of a vector or of a column of U, padded to a multiple
   of 8, and the distance of vectors and columns, such that the fragments of a tensor
   product (base/tensor.cuh) are read without bank conflicts.  */
#define PADDED(order) (((order) + 7) / 8 * 8)
#define DISTANCE(T, count) ((count) + 32 / (int) sizeof (T))

/* Shared memory of the products of windows of up to ORDER rows with tiles of TILE
   vectors.  */
template <typename T>
static size_t
product_bytes (int order, int tile)
{
  const int padded = PADDED (order);
  return padded * (size_t) (DISTANCE (T, tile) + DISTANCE (T, padded))
         * sizeof (T);
}

/* X <- (U' or the transpose of U) X for a tile X of N vectors of SIZE elements, element k
   of all vectors in one row; U is PADDED (SIZE)-by-PADDED (SIZE), and so are the elements
   of X, by zeros.  By the first WARPS warps of the block; all have the barrier.  Single
   precision: thread (tx, ty) has vectors tx + 16 i and columns ty + 2 WARPS j.  */
template <int LEFT, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
replace_tile_by_sums (int size, int ld, T *x, const T *u)
{
  enum
  {
    STEP = 2 * WARPS,
    COLUMNS = GE_WINDOW_ORDER / STEP
  };
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int ldx = DISTANCE (T, N), limit = ty < STEP ? size : 0;
  T c[N / 16][COLUMNS];
  for (int i = 0; i < N / 16; i++)
    for (int j = 0; j < COLUMNS; j++)
      c[i][j] = zero<T> ();
  for (int k = 0; k < limit; k++)
    {
      T a[N / 16], b[COLUMNS];
      for (int i = 0; i < N / 16; i++)
        a[i] = x[k * ldx + tx + 16 * i];
      for (int i = 0; i < COLUMNS; i++)
        b[i] = u[k + (ty + STEP * i < size ? ty + STEP * i : 0) * ld];
      for (int i = 0; i < N / 16; i++)
        for (int j = 0; j < COLUMNS; j++)
          c[i][j] = LEFT ? conj_mul_add (b[j], a[i], c[i][j])
                         : mul_add (a[i], b[j], c[i][j]);
    }
  __syncthreads ();
  for (int i = 0; i < N / 16; i++)
    for (int j = 0; j < COLUMNS; j++)
      if (ty + STEP * j < limit)
        x[tx + 16 * i + (ty + STEP * j) * ldx] = c[i][j];
}

/* C += A B, and for complex numbers C += A conj (B) if LEFT; C is a fragment for each of
   the real and the imaginary part.  */
template <int LEFT>
GE_DEVICE_INLINE void
add_product (double c[1][4], const double a[4], const double b[2])
{
  multiply_tiles (c[0], a[0], a[1], a[2], a[3], b[0], b[1]);
}
template <int LEFT>
GE_DEVICE_INLINE void
add_product (double c[2][4], const double2 a[4], const double2 b[2])
{
  const double f = LEFT ? -1 : 1, y0 = f * b[0].y, y1 = f * b[1].y;
  multiply_tiles (c[0], a[0].x, a[1].x, a[2].x, a[3].x, b[0].x, b[1].x);
  multiply_tiles (c[1], a[0].x, a[1].x, a[2].x, a[3].x, y0, y1);
  multiply_tiles (c[0], a[0].y, a[1].y, a[2].y, a[3].y, -y0, -y1);
  multiply_tiles (c[1], a[0].y, a[1].y, a[2].y, a[3].y, b[0].x, b[1].x);
}

/* The same in double precision: a warp has 16 vectors and 4 N / WARPS columns.  */
template <int LEFT, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
replace_tile_by_tensors (int size, int ld, T *x, const T *u)
{
  enum
  {
    GROUPS = N / 16,
    TILES = GE_WINDOW_ORDER / 8 / (WARPS / GROUPS),
    PARTS = sizeof (T) / sizeof (double)
  };
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int r = lane / 4, c = lane % 4, ldx = DISTANCE (T, N);
  const int vector = warp % GROUPS * 16 + r, column = warp / GROUPS * TILES * 8;
  const int limit = warp < WARPS ? size : 0;
  double sum[TILES][PARTS][4] = {};
  for (int k = c; k < limit; k += 8)
    {
      const T *const at = x + k * ldx + vector;
      const T a[4] = { at[0], at[8], at[4 * ldx], at[4 * ldx + 8] };
#pragma unroll
      for (int i = 0; i < TILES; i++)
        if (column + 8 * i < size)
          {
            const T *const from = u + k + (column + 8 * i + r) * ld;
            const T b[2] = { from[0], from[4] };
            add_product<LEFT> (sum[i], a, b);
          }
    }
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < TILES; i++)
    for (int e = 0; e < 4 && column + 8 * i < limit; e++)
      x[(column + 8 * i + 2 * c + e % 2) * ldx + vector + e / 2 * 8]
          = make_number<T> (sum[i][0][e], sum[i][PARTS - 1][e]);
}
/* By tensor cores in double precision.  */
template <int LEFT, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
replace_tile (int size, int ld, T *x, const T *u)
{
  if constexpr (sizeof (ge_real<T>) == 8)
    replace_tile_by_tensors<LEFT, N, WARPS> (size, ld, x, u);
  else
    replace_tile_by_sums<LEFT, N, WARPS> (size, ld, x, u);
}

/* U of a window of SIZE rows in shared memory MEMORY, behind a tile of N vectors.  */
template <int N, typename T>
GE_DEVICE_INLINE T *
behind_tile (int size, T *memory)
{
  return memory + PADDED (size) * DISTANCE (T, N);
}

/* Load U there, by the first WARPS warps of the block; no barrier.  Numbers of iterations
   that are known let many loads be in flight.  */
template <int N, int WARPS, typename T>
GE_DEVICE_INLINE void
load_transformation (int size, const T *u, T *memory)
{
  const int padded = PADDED (size), ld = DISTANCE (T, padded);
  T *const us = behind_tile<N> (size, memory);
  if (threadIdx.x < WARPS * 32)
    for (int e = threadIdx.x; e < GE_WINDOW_ORDER * GE_WINDOW_ORDER;
         e += WARPS * 32)
      {
        const int i = e % GE_WINDOW_ORDER, j = e / GE_WINDOW_ORDER;
        if (i < padded && j < padded)
          us[i + j * ld] = i < size && j < size ? u[e] : zero<T> ();
      }
}

/* Apply U' from the left or U from the right, for the window C, to the N columns or rows
   from FROM on that are not below BELOW, by the first WARPS warps of the block.  Shared
   memory MEMORY: the tile and U, see load_transformation; barriers separate loading,
   product, and storing, and one is at the end.  */
template <int LEFT, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
apply_to_tile (int n, T *a, const chain_window &c, int from, int below,
               T *memory)
{
  enum
  {
    ORDER = GE_WINDOW_ORDER,
    COUNT = WARPS * 32
  };
  const int size = c.last - c.first + 1, padded = PADDED (size);
  const int t = threadIdx.x, ldx = DISTANCE (T, N), ld = DISTANCE (T, padded);
  const int works = t < COUNT;
  T *const x = memory;
  const int vectors = below - from < N ? below - from : N;
  if (works)
    for (int e = t; e < N * ORDER; e += COUNT)
      {
        const int i = LEFT ? e % ORDER : e / N; /* of the window */
        const int v = LEFT ? e / ORDER : e % N; /* vector */
        const int row = LEFT ? c.first + i : from + v;
        const int column = LEFT ? from + v : c.first + i;
        if (i < padded)
          x[v + i * ldx]
              = v < vectors && i < size ? a[row + column * n] : zero<T> ();
      }
  __syncthreads ();
  replace_tile<LEFT, N, WARPS> (padded, ld, x, behind_tile<N> (size, memory));
  __syncthreads ();
  if (works)
    for (int e = t; e < N * ORDER; e += COUNT)
      {
        const int i = LEFT ? e % ORDER : e / N;
        const int v = LEFT ? e / ORDER : e % N;
        const int row = LEFT ? c.first + i : from + v;
        const int column = LEFT ? from + v : c.first + i;
        if (v < vectors && i < size)
          a[row + column * n] = x[v + i * ldx];
      }
  __syncthreads ();
}

/* Apply U' of every window from the left to its rows of A (LEFT), or U from the
   right to its columns, which are given with the window.  Grid: (blocks for the tiles of N
   vectors of a window, windows), and with LEFT the other way round, as then the same
   columns of neighbouring windows are near each other in memory.  Windows of a hop are
   disjoint, so no element is written twice.  */
template <typename T, int LEFT, int N>
GE_KERNEL (PRODUCT_THREADS, sizeof (T) == sizeof (double2) ? 2 : 3)
apply_windows (int n, T *a, hop at, const T *u)
{
  extern __shared__ double2 memory[];
  const int window = LEFT ? blockIdx.x : blockIdx.y;
  const int first = LEFT ? blockIdx.y : blockIdx.x;
  const int step = N * (int) (LEFT ? gridDim.y : gridDim.x);
  const chain_window c = at.window[window];
  const int below = (LEFT ? c.right : c.below) + 1;
  int from = (LEFT ? c.left : c.above) + first * N;
  if (from >= below)
    return;
  load_transformation<N, PRODUCT_THREADS / 32> (
      c.last - c.first + 1, u + window * (GE_WINDOW_ORDER * GE_WINDOW_ORDER),
      (T *) memory);
  for (; from < below; from += step)
    apply_to_tile<LEFT, N, PRODUCT_THREADS / 32> (n, a, c, from, below,
                                                  (T *) memory);
}

template <int LEFT>
static inline dim3
product_grid (int blocks, int windows)
{
  return LEFT ? dim3 (windows, blocks) : dim3 (blocks, windows);
}

/* Both products of the hop BEFORE for what a window of this hop contains, of the chain whose
   first bulge is BULGE: U' of its window before from the left, and U of the window of the
   chain ahead from the right.  The columns and the rows are given with the windows.  The
   first WARPS warps of the block; all have the barriers.  */
template <int WARPS, typename T>
GE_DEVICE_INLINE void
apply_near (int n, T *h, const hop &before, int bulge, const T *u, T *memory)
{
  const int square = GE_WINDOW_ORDER * GE_WINDOW_ORDER;
  int k = 0;
  while (k < before.chains && before.window[k].bulge != bulge)
    k++;
  if (k < before.chains)
    {
      const chain_window &c = before.window[k];
      load_transformation<TILE, WARPS> (c.last - c.first + 1, u + k * square,
                                        memory);
      for (int from = c.left; from <= c.right; from += TILE)
        apply_to_tile<1, TILE, WARPS> (n, h, c, from, c.right + 1, memory);
    }
  if (k > 0)
    {
      const chain_window &c = before.window[k - 1];
      load_transformation<TILE, WARPS> (c.last - c.first + 1,
                                        u + (k - 1) * square, memory);
      for (int from = c.above; from <= c.below; from += TILE)
        apply_to_tile<0, TILE, WARPS> (n, h, c, from, c.below + 1, memory);
    }
}

#endif
