/* Products of the rest of H and Z with the accumulated reflectors of windows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_PRODUCTS_CUH
#define GE_SCHUR_PRODUCTS_CUH 1

#include <cuda_pipeline.h>

#include "base/tensor.cuh"
#include "schur/iteration.cuh"

enum
{
  TILE = 64,       /* rows or columns per thread block, */
  SMALL_TILE = 32, /* if there are fewer such tiles than multiprocessors */
  PRODUCT_THREADS = 256,
  NEAR_WARPS = 16 /* of the products before a chase */
};

/* Tiles in shared memory.  The elements of a vector or of a column of U are padded to a
   multiple of 8.  Either these elements follow each other (U; columns of A, which get
   products from the left) or vectors do (rows of A): each as in memory.  Distances of
   vectors, and of elements, such that what a warp reads has no bank conflicts.  */
#define PADDED(order) (((order) + 7) / 8 * 8)
#define VECTOR_DISTANCE(padded) ((padded) + 4)
#define ELEMENT_DISTANCE(T, tile) ((tile) + 32 / (int) sizeof (T))

/* Elements of a tile of N vectors.  */
#define TILE_ELEMENTS(T, left, n, padded)                                      \
  ((left) ? (n) *VECTOR_DISTANCE (padded) : (padded) *ELEMENT_DISTANCE (T, n))

/* Shared memory of the products of windows of up to ORDER rows: U and BUFFERS tiles of
   TILE vectors.  */
template <typename T>
static size_t
product_bytes (int order, int tile, int buffers)
{
  const int padded = PADDED (order);
  const int left = TILE_ELEMENTS (T, 1, tile, padded);
  const int right = TILE_ELEMENTS (T, 0, tile, padded);
  return (padded * (size_t) VECTOR_DISTANCE (padded)
          + buffers * (size_t) GE_AT_LEAST (left, right))
         * sizeof (T);
}

/* The vectors FROM on of A that are not below BELOW, which get the product of the
   window C.  */
template <typename T> struct product_tile
{
  T *a;
  int n, first, size; /* order of A; rows of the window */
  int from, below;
};

/* Element I of vector V.  */
template <int LEFT, typename T>
GE_DEVICE_INLINE T *
tile_element (const product_tile<T> &p, int i, int v)
{
  const int row = LEFT ? p.first + i : p.from + v;
  const int column = LEFT ? p.from + v : p.first + i;
  return p.a + row + column * p.n;
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

/* COUNT numbers as sums of two of 11 bits, which the tensor cores multiply exactly; they
   ignore the other bits of SMALL.  */
template <int COUNT> struct short_pair
{
  unsigned large[COUNT], small[COUNT];
};
template <int COUNT>
GE_DEVICE_INLINE short_pair<COUNT>
split (const float (&x)[COUNT])
{
  short_pair<COUNT> p;
#pragma unroll
  for (int i = 0; i < COUNT; i++)
    {
      p.large[i] = (__float_as_uint (x[i]) + 0x1000) & 0xffffe000;
      p.small[i] = __float_as_uint (x[i] - __uint_as_float (p.large[i]));
    }
  return p;
}

template <int COUNT>
GE_DEVICE_INLINE short_pair<COUNT>
negative (short_pair<COUNT> x)
{
#pragma unroll
  for (int i = 0; i < COUNT; i++)
    {
      x.large[i] ^= 0x80000000;
      x.small[i] ^= 0x80000000;
    }
  return x;
}

/* C += A B */
GE_DEVICE_INLINE void
multiply_short (float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* C += the products of small and large parts; those of small ones are negligible.  */
GE_DEVICE_INLINE void
add_small (float (&c)[4], const short_pair<4> &a, const short_pair<2> &b)
{
  multiply_short (c, a.small, b.large);
  multiply_short (c, a.large, b.small);
}

/* The tensor cores truncate sums: they sum few products, the small ones first.  */
template <int LEFT>
GE_DEVICE_INLINE void
add_product (float c[1][4], const float (&a)[4], const float (&b)[2])
{
  const short_pair<4> x = split (a);
  const short_pair<2> y = split (b);
  float sum[4] = {};
  add_small (sum, x, y);
  multiply_short (sum, x.large, y.large);
#pragma unroll
  for (int e = 0; e < 4; e++)
    c[0][e] += sum[e];
}
template <int LEFT>
GE_DEVICE_INLINE void
add_product (float c[2][4], const float2 (&a)[4], const float2 (&b)[2])
{
  const short_pair<4> re = split ({ a[0].x, a[1].x, a[2].x, a[3].x });
  const short_pair<4> im = split ({ a[0].y, a[1].y, a[2].y, a[3].y });
  const short_pair<4> minus = negative (LEFT ? re : im);
  const short_pair<4> &with_y = LEFT ? im : minus, &y_with = LEFT ? minus : re;
  const short_pair<2> x = split ({ b[0].x, b[1].x });
  const short_pair<2> y = split ({ b[0].y, b[1].y });
  float sum[2][4] = {};
  add_small (sum[0], re, x);
  add_small (sum[1], y_with, y);
  add_small (sum[0], with_y, y);
  add_small (sum[1], im, x);
  multiply_short (sum[0], re.large, x.large);
  multiply_short (sum[1], y_with.large, y.large);
  multiply_short (sum[0], with_y.large, y.large);
  multiply_short (sum[1], im.large, x.large);
#pragma unroll
  for (int e = 0; e < 8; e++)
    c[e / 4][e % 4] += sum[e / 4][e % 4];
}

/* A sum of truncated ones lacks this part on average.  */
template <typename T>
GE_DEVICE_INLINE T
with_truncated (T sum)
{
  if constexpr (sizeof (ge_real<T>) == 8)
    return sum;
  const float part = is_complex<T>::value ? 0.41f : 0.36f;
  return plus (sum, times (part * FLT_EPSILON, sum));
}

/* P <- X U, or for columns U' X, for the tile X of N vectors and U in shared memory.  By
   the first WARPS warps of the block, of which each has 16 vectors and 4 N / WARPS columns
   of U.  Each 8 of these are taken in the order 0, 7, 1, 6, 2, 5, 3, 4, such that four
   lanes store elements that follow each other, and B is read without bank conflicts.  */
template <int LEFT, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
store_product (const product_tile<T> &p, const T *x, const T *u)
{
  enum
  {
    GROUPS = N / 16,
    TILES = GE_WINDOW_ORDER / 8 / (WARPS / GROUPS),
    PARTS = 1 + is_complex<T>::value
  };
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int r = lane / 4, c = lane % 4, ordered = r % 2 ? 7 - r / 2 : r / 2;
  const int vector = warp % GROUPS * 16 + r, column = warp / GROUPS * TILES * 8;
  const int padded = PADDED (p.size), ld = VECTOR_DISTANCE (padded);
  const int near = LEFT ? 1 : ELEMENT_DISTANCE (T, N), far = LEFT ? ld : 1;
  if (warp >= WARPS)
    return;
  ge_real<T> sum[TILES][PARTS][4] = {};
  for (int k = c; k < padded; k += 8)
    {
      const T *const at = x + k * near + vector * far;
      const T a[4]
          = { at[0], at[8 * far], at[4 * near], at[4 * near + 8 * far] };
#pragma unroll
      for (int i = 0; i < TILES; i++)
        if (column + 8 * i < p.size)
          {
            const T *const from = u + k + (column + 8 * i + ordered) * ld;
            const T b[2] = { from[0], from[4] };
            add_product<LEFT> (sum[i], a, b);
          }
    }
#pragma unroll
  for (int i = 0; i < TILES; i++)
#pragma unroll
    for (int e = 0; e < 4; e++)
      {
        const int j = column + 8 * i + (e % 2 ? 7 - c : c);
        const int v = vector + e / 2 * 8;
        if (p.from + v < p.below && j < p.size)
          *tile_element<LEFT> (p, j, v) = with_truncated (
              make_number<T> (sum[i][0][e], sum[i][PARTS - 1][e]));
      }
}

/* *TO <- *FROM behind the next wait for copies, or 0.  */
template <typename T>
GE_DEVICE_INLINE void
copy_element (T *to, const T *from, int inside)
{
  if (inside)
    __pipeline_memcpy_async (to, from, sizeof (T));
  else
    *to = zero<T> ();
}

/* Begin to copy U of a window of SIZE rows to shared memory, by the first WARPS warps of the
   block.  Numbers of iterations that are known let many copies be in flight.  */
template <int WARPS, typename T>
GE_DEVICE_INLINE void
copy_transformation (int size, const T *u, T *to)
{
  const int padded = PADDED (size), ld = VECTOR_DISTANCE (padded);
  if (threadIdx.x < WARPS * 32)
    for (int e = threadIdx.x; e < GE_WINDOW_ORDER * GE_WINDOW_ORDER;
         e += WARPS * 32)
      {
        const int i = e % GE_WINDOW_ORDER, j = e / GE_WINDOW_ORDER;
        if (i < padded && j < padded)
          copy_element (to + i + j * ld, u + e, i < size && j < size);
      }
}

/* Begin to copy a tile to shared memory.  */
template <int LEFT, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
copy_tile (const product_tile<T> &p, T *to)
{
  const int padded = PADDED (p.size);
  const int near = LEFT ? 1 : ELEMENT_DISTANCE (T, N);
  const int far = LEFT ? VECTOR_DISTANCE (padded) : 1;
  if (threadIdx.x < WARPS * 32)
    for (int e = threadIdx.x; e < N * GE_WINDOW_ORDER; e += WARPS * 32)
      {
        const int i = LEFT ? e % GE_WINDOW_ORDER : e / N;
        const int v = LEFT ? e / GE_WINDOW_ORDER : e % N;
        if (i < padded)
          copy_element (to + i * near + v * far, tile_element<LEFT> (p, i, v),
                        p.from + v < p.below && i < p.size);
      }
}

/* Apply U' from the left or U from the right, for the window C, to the N columns or rows
   from FROM on that are not below BELOW, to those STEP farther on and so forth, by the
   first WARPS warps of the block.  Shared memory MEMORY: U and BUFFERS tiles, of which the
   second one is copied during the product with the first.  All threads have the barriers, of
   which none is at the end.  */
template <int LEFT, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
apply_to_tiles (int n, T *a, const chain_window &c, const T *u, int from,
                int step, int below, int buffers, T *memory)
{
  const int size = c.last - c.first + 1, padded = PADDED (size);
  const int elements = TILE_ELEMENTS (T, LEFT, N, padded);
  T *const tiles = memory + padded * VECTOR_DISTANCE (padded);
  T *x = tiles, *other = tiles + (buffers > 1 ? elements : 0);
  product_tile<T> p = { a, n, c.first, size, from, below };
  if (from >= below)
    return;
  copy_transformation<WARPS> (size, u, memory);
  copy_tile<LEFT, N, WARPS> (p, x);
  __pipeline_commit ();
  while (p.from < below)
    {
      product_tile<T> next = p;
      next.from += step;
      __pipeline_wait_prior (0);
      __syncthreads ();
      if (buffers > 1 && next.from < below)
        copy_tile<LEFT, N, WARPS> (next, other);
      store_product<LEFT, N, WARPS> (p, x, memory);
      if (buffers == 1 && next.from < below)
        {
          __syncthreads ();
          copy_tile<LEFT, N, WARPS> (next, other);
        }
      __pipeline_commit ();
      T *const swap = x;
      x = other;
      other = swap;
      p = next;
    }
}

/* Apply U' of every window from the left to its rows of A (LEFT), or U from the
   right to its columns, which are given with the window.  Grid: (blocks for the tiles of N
   vectors of a window, windows), and with LEFT the other way round, as then the same
   columns of neighbouring windows are near each other in memory.  Windows of a hop are
   disjoint, so no element is written twice.  */
template <typename T, int LEFT, int N>
GE_KERNEL (PRODUCT_THREADS, 2)
apply_windows (int n, T *a, hop at, const T *u, int buffers)
{
  extern __shared__ double2 memory[];
  const int window = LEFT ? blockIdx.x : blockIdx.y;
  const int first = LEFT ? blockIdx.y : blockIdx.x;
  const int step = N * (int) (LEFT ? gridDim.y : gridDim.x);
  const chain_window c = at.window[window];
  const int below = (LEFT ? c.right : c.below) + 1;
  apply_to_tiles<LEFT, N, PRODUCT_THREADS / 32> (
      n, a, c, u + window * (GE_WINDOW_ORDER * GE_WINDOW_ORDER),
      (LEFT ? c.left : c.above) + first * N, step, below, buffers,
      (T *) memory);
}

/* Tiles that a block of the products can have in shared memory: two where two such blocks
   fit into a multiprocessor.  */
template <typename T>
static int
most_tiles (gpueig_context *ctx, int order, int tile)
{
  return ge_shared_fits (ctx, 2 * product_bytes<T> (order, tile, 2)) ? 2 : 1;
}

/* Let the kernels have the shared memory for windows of up to ORDER rows.  */
template <typename T, int N>
static gpueig_status
allow_products (gpueig_context *ctx, int order)
{
  const size_t bytes
      = product_bytes<T> (order, N, most_tiles<T> (ctx, order, N));
  GE_ALLOW_SHARED ((apply_windows<T, 0, N>), bytes);
  GE_ALLOW_SHARED ((apply_windows<T, 1, N>), bytes);
  return GPUEIG_OK;
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
      apply_to_tiles<1, TILE, WARPS> (n, h, c, u + k * square, c.left, TILE,
                                      c.right + 1, 1, memory);
      __syncthreads ();
    }
  if (k > 0)
    {
      const chain_window &c = before.window[k - 1];
      apply_to_tiles<0, TILE, WARPS> (n, h, c, u + (k - 1) * square, c.above,
                                      TILE, c.below + 1, 1, memory);
      __syncthreads ();
    }
}

#endif
