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
  PRODUCT_THREADS = 256
};

/* Tiles in shared memory: elements of a vector or of a column of U, padded to a multiple
   of 8, and the distance of vectors and columns, such that the fragments of a tensor
   product (base/tensor.cuh) are read without bank conflicts.  */
#define PADDED(order) (((order) + 7) / 8 * 8)
#define DISTANCE(T, count) ((count) + 32 / (int) sizeof (T))

/* X <- (U' or the transpose of U) X for a tile X of N vectors of SIZE elements, element k
   of all vectors in one row; U is PADDED (SIZE)-by-PADDED (SIZE), and so are the elements
   of X, by zeros.  Single precision: thread (tx, ty) has vectors tx + 16 i and columns
   ty + 16 j.  */
template <int LEFT, int N, typename T>
GE_DEVICE_INLINE void
replace_tile (int size, int ld, T *x, const T *u)
{
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int ldx = DISTANCE (T, N);
  T c[N / 16][4];
  for (int i = 0; i < N / 16; i++)
    for (int j = 0; j < 4; j++)
      c[i][j] = zero<T> ();
  for (int k = 0; k < size; k++)
    {
      T a[N / 16], b[4];
      for (int i = 0; i < N / 16; i++)
        a[i] = x[k * ldx + tx + 16 * i];
      for (int i = 0; i < 4; i++)
        b[i] = u[k + (ty + 16 * i < size ? ty + 16 * i : 0) * ld];
      for (int i = 0; i < N / 16; i++)
        for (int j = 0; j < 4; j++)
          c[i][j] = LEFT ? conj_mul_add (b[j], a[i], c[i][j])
                         : mul_add (a[i], b[j], c[i][j]);
    }
  __syncthreads ();
  for (int i = 0; i < N / 16; i++)
    for (int j = 0; j < 4; j++)
      if (ty + 16 * j < size)
        x[tx + 16 * i + (ty + 16 * j) * ldx] = c[i][j];
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

/* The same in double precision: a warp has 16 vectors and N / 2 columns.  */
template <int LEFT, int N, typename T>
GE_DEVICE_INLINE void
replace_tile_by_tensors (int size, int ld, T *x, const T *u)
{
  enum
  {
    TILES = N / 16,
    PARTS = sizeof (T) / sizeof (double)
  };
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int r = lane / 4, c = lane % 4, ldx = DISTANCE (T, N);
  const int vector = warp % TILES * 16 + r, column = warp / TILES * TILES * 8;
  double sum[TILES][PARTS][4] = {};
  for (int k = c; k < size; k += 8)
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
    for (int e = 0; e < 4 && column + 8 * i < size; e++)
      x[(column + 8 * i + 2 * c + e % 2) * ldx + vector + e / 2 * 8]
          = make_number<T> (sum[i][0][e], sum[i][PARTS - 1][e]);
}
template <int LEFT, int N>
GE_DEVICE_INLINE void
replace_tile (int size, int ld, double *x, const double *u)
{
  replace_tile_by_tensors<LEFT, N> (size, ld, x, u);
}
template <int LEFT, int N>
GE_DEVICE_INLINE void
replace_tile (int size, int ld, cuDoubleComplex *x, const cuDoubleComplex *u)
{
  replace_tile_by_tensors<LEFT, N> (size, ld, x, u);
}

/* Apply U' of every window from the left to its rows (LEFT), or U from the
   right to its columns.  Grid: (tiles of N vectors, windows).  LEFT: the
   columns right of each window up to LIMIT; else the rows from LIMIT to above
   the window and then, where Z is not NULL, all rows of Z.  Shared memory: the
   tile and U; barriers separate loading, product, and storing.  Windows of a
   hop are disjoint, so no element is written twice.  */
template <typename T, int LEFT, int N>
__global__ void
__launch_bounds__ (PRODUCT_THREADS)
    apply_windows (int n, T *h, T *z, hop at, int limit, const T *u)
{
  extern __shared__ double2 memory[];
  const chain_window c = at.window[blockIdx.y];
  const int size = c.last - c.first + 1, padded = PADDED (size);
  const int t = threadIdx.x, ldx = DISTANCE (T, N), ld = DISTANCE (T, padded);
  T *x = (T *) memory, *us = x + padded * ldx;
  int from = (LEFT ? c.last + 1 : limit) + (int) blockIdx.x * N;
  int below = LEFT ? limit + 1 : c.first;
  T *a = h;
  if (! LEFT && from >= below)
    {
      const int tiles = c.first > limit ? (c.first - limit + N - 1) / N : 0;
      if (! z)
        return;
      a = z;
      from = ((int) blockIdx.x - tiles) * N;
      below = n;
    }
  if (from >= below)
    return;
  const int vectors = below - from < N ? below - from : N;
  const int order = GE_WINDOW_ORDER;
  u += blockIdx.y * (order * order);
  for (int e = t; e < padded * order; e += PRODUCT_THREADS)
    {
      const int i = e % order, j = e / order;
      if (i < padded)
        us[i + j * ld] = i < size && j < size ? u[e] : zero<T> ();
    }
  for (int e = t; e < N * order; e += PRODUCT_THREADS)
    {
      const int i = LEFT ? e % order : e / N; /* of the window */
      const int v = LEFT ? e / order : e % N; /* vector */
      const int row = LEFT ? c.first + i : from + v;
      const int column = LEFT ? from + v : c.first + i;
      if (i < padded)
        x[v + i * ldx]
            = v < vectors && i < size ? a[row + column * n] : zero<T> ();
    }
  __syncthreads ();
  replace_tile<LEFT, N> (padded, ld, x, us);
  __syncthreads ();
  for (int e = t; e < N * order; e += PRODUCT_THREADS)
    {
      const int i = LEFT ? e % order : e / N;
      const int v = LEFT ? e / order : e % N;
      const int row = LEFT ? c.first + i : from + v;
      const int column = LEFT ? from + v : c.first + i;
      if (v < vectors && i < size)
        a[row + column * n] = x[v + i * ldx];
    }
}

#endif
