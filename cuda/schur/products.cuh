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
   products from the left) or vectors do (rows of A): each as in memory.  Of each 8 elements
   lane c of four has those with the numbers 2 c and 2 c + 1, or c and c + 4 of the largest
   type, in A and B alike.  Distances of vectors, and of elements, such that what a warp
   reads has no bank conflicts.  */
#define PAIRS(T) (sizeof (T) <= 8)
#define PADDED(order) (((order) + 7) / 8 * 8)
#define VECTOR_DISTANCE(T, padded) ((padded) + (PAIRS (T) ? 8 : 4))
#define ELEMENT_DISTANCE(T, tile) ((tile) + (sizeof (T) > 4 ? 2 : 4))

/* Elements of a tile of N vectors.  */
#define TILE_ELEMENTS(T, left, n, padded)                                      \
  ((left) ? (n) *VECTOR_DISTANCE (T, padded)                                   \
          : (padded) *ELEMENT_DISTANCE (T, n))

/* Shared memory of the products of windows of up to ORDER rows: U and a tile of TILE
   vectors.  */
template <typename T>
static size_t
product_bytes (int order, int tile)
{
  const int padded = PADDED (order);
  const int left = TILE_ELEMENTS (T, 1, tile, padded);
  const int right = TILE_ELEMENTS (T, 0, tile, padded);
  return (padded * (size_t) VECTOR_DISTANCE (T, padded)
          + (size_t) GE_AT_LEAST (left, right))
         * sizeof (T);
}

/* The vectors FROM on of A, of order N, that are not below BELOW: they get the product of
   the window that begins in row FIRST.  */
template <typename T> struct product_tile
{
  T *a;
  int n, first;
  int from, below;
};

/* Distances in memory between elements of a vector and between vectors.  */
#define NEAR_IN(left, n) ((left) ? 1 : (int64_t) (n))
#define FAR_IN(left, n) ((left) ? (int64_t) (n) : 1)

/* The address of element I of vector V.  */
template <int LEFT, typename T>
GE_DEVICE_INLINE T *
tile_element (const product_tile<T> &p, int i, int v)
{
  return p.a + (p.first + i) * NEAR_IN (LEFT, p.n)
         + (p.from + v) * FAR_IN (LEFT, p.n);
}

/* C += A B, and for complex numbers C += A conj (B) if LEFT; C is a fragment for each of
   the real and the imaginary part.  */
template <int LEFT, typename R>
GE_DEVICE_INLINE void
add_product (R c[1][4], const R (&a)[4], const R (&b)[2])
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

/* The number of rows of a window: SIZE, or WINDOW if SIZE is 0.  Most windows are full, and
   what the compiler knows of them it need not compute.  */
#define ROWS_OF(SIZE, window) ((SIZE) > 0 ? (SIZE) : (window))

/* A thread's elements of X U, or for columns of U' X: X a tile of N vectors, by WARPS warps, of
   which each has 16 vectors and 4 N / WARPS columns of U.  */
template <typename T, int N, int WARPS> struct tile_product
{
  enum
  {
    GROUPS = N / 16,
    TILES = GE_WINDOW_ORDER / 8 / (WARPS / GROUPS),
    PARTS = 1 + is_complex<T>::value
  };
  ge_real<T> sum[TILES][PARTS][4];
};

/* The first of the warp's 16 vectors and of its columns of U.  */
#define FIRST_VECTOR(P) ((int) threadIdx.x / 32 % (P).GROUPS * 16)
#define FIRST_COLUMN(P) ((int) threadIdx.x / 32 / (P).GROUPS * (P).TILES * 8)

/* Two numbers that are read at once.  */
template <typename T> struct __align__ (2 * sizeof (T)) number_pair
{
  T first, second;
};

/* The lane's two of 8 elements from AT on, NEAR elements apart.  */
template <int NEAR, typename T>
GE_DEVICE_INLINE void
load_two (const T *at, T *x, T *y)
{
  const int c = threadIdx.x % 4;
  if constexpr (PAIRS (T) && NEAR == 1)
    {
      const number_pair<T> two = *(const number_pair<T> *) (at + 2 * c);
      *x = two.first;
      *y = two.second;
    }
  else
    {
      *x = at[(PAIRS (T) ? 2 * c : c) * NEAR];
      *y = at[(PAIRS (T) ? 2 * c + 1 : c + 4) * NEAR];
    }
}

/* The product of the tile X with the U of a window of WINDOW rows, both in shared memory.
   Each 8 columns of U are taken in the order 0, 7, 1, 6, 2, 5, 3, 4, such that four lanes
   store elements that follow each other.  */
template <int LEFT, int SIZE, typename T, int N, int WARPS>
GE_DEVICE_INLINE void
multiply_tile (tile_product<T, N, WARPS> &p, int window, const T *x, const T *u)
{
  const int lane = threadIdx.x % 32, r = lane / 4;
  const int ordered = r % 2 ? 7 - r / 2 : r / 2, column = FIRST_COLUMN (p);
  const int size = ROWS_OF (SIZE, window), padded = PADDED (size);
  const int ld = VECTOR_DISTANCE (T, padded);
  constexpr int near = LEFT ? 1 : ELEMENT_DISTANCE (T, N);
  const int far = LEFT ? ld : 1;
  x += (FIRST_VECTOR (p) + r) * far;
  u += (column + ordered) * ld;
  p = tile_product<T, N, WARPS> ();
#pragma unroll(SIZE > 0 ? 4 : 1)
  for (int k = 0; k < padded; k += 8)
    {
      T a[4];
      load_two<near> (x + k * near, a, a + 2);
      load_two<near> (x + k * near + 8 * far, a + 1, a + 3);
#pragma unroll
      for (int i = 0; i < p.TILES; i++)
        if (SIZE > 0 || column + 8 * i < size)
          {
            T b[2];
            load_two<1> (u + k + 8 * i * ld, b, b + 1);
            add_product<LEFT> (p.sum[i], a, b);
          }
    }
}

/* Store the product in the place of the tile.  */
template <int LEFT, int SIZE, typename T, int N, int WARPS>
GE_DEVICE_INLINE void
store_tile (const product_tile<T> &p, const tile_product<T, N, WARPS> &x,
            int window)
{
  const int lane = threadIdx.x % 32, c = lane % 4;
  const int column = FIRST_COLUMN (x), v = FIRST_VECTOR (x) + lane / 4;
#pragma unroll
  for (int e = 0; e < 4; e++)
    {
      const int j = column + (e % 2 ? 7 - c : c), vector = v + e / 2 * 8;
      T *to = tile_element<LEFT> (p, j, vector);
#pragma unroll
      for (int i = 0; i < x.TILES; i++)
        {
          if (p.from + vector < p.below && (SIZE > 0 || j + 8 * i < window))
            *to = with_truncated (
                make_number<T> (x.sum[i][0][e], x.sum[i][x.PARTS - 1][e]));
          to += 8 * NEAR_IN (LEFT, p.n);
        }
    }
}

/* *TO <- *FROM behind the next wait for copies, or 0.  */
template <typename T>
GE_DEVICE_INLINE void
copy_element (T *to, const T *from, bool inside)
{
  __pipeline_memcpy_async (to, from, sizeof (T), inside ? 0 : sizeof (T));
}

/* Begin to copy U of a window to shared memory, by the first WARPS warps of the block.  */
template <int SIZE, int WARPS, typename T>
GE_DEVICE_INLINE void
copy_transformation (int window, const T *u, T *to)
{
  const int size = ROWS_OF (SIZE, window), padded = PADDED (size);
  const int ld = VECTOR_DISTANCE (T, padded);
  constexpr int order = GE_WINDOW_ORDER;
  /* of 16 bytes each */
  constexpr int each = SIZE == order ? 16 / (int) sizeof (T) : 1;
  constexpr int together = WARPS * 32 * each;
  static_assert (together % order == 0, "whole columns");
  const unsigned first = threadIdx.x * each;
  const int i = first % order, column = first / order;
  to += i + column * ld;
  u += first;
  if (threadIdx.x < WARPS * 32)
#pragma unroll(SIZE > 0 ? GE_WINDOW_ORDER : 1)
    for (int m = 0; m < order * order / together; m++)
      {
        const int j = m * (together / order);
        if constexpr (SIZE == order)
          __pipeline_memcpy_async (to + j * ld, u + m * together, 16);
        else if (i < padded && column + j < padded)
          copy_element (to + j * ld, u + m * together,
                        i < size && column + j < size);
      }
}

/* Begin to copy a tile to shared memory: vectors below P.below, for of others no product is
   stored.  */
template <int LEFT, int SIZE, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
copy_tile (const product_tile<T> &p, int window, T *to)
{
  const int size = ROWS_OF (SIZE, window), padded = PADDED (size);
  constexpr int along = LEFT ? (int) GE_WINDOW_ORDER : N,
                together = WARPS * 32 / along;
  const int near = LEFT ? 1 : ELEMENT_DISTANCE (T, N);
  const int far = LEFT ? VECTOR_DISTANCE (T, padded) : 1;
  const int fast = threadIdx.x % along, slow = threadIdx.x / along;
  const int i = LEFT ? fast : slow, v = LEFT ? slow : fast;
  const T *from = tile_element<LEFT> (p, i, v);
  to += i * near + v * far;
  if (threadIdx.x < WARPS * 32)
#pragma unroll(SIZE > 0 ? GE_WINDOW_ORDER : 1)
    for (int m = 0; m < N * GE_WINDOW_ORDER / (WARPS * 32); m++)
      {
        const int k = m * together, element = LEFT ? i : i + k;
        if (p.from + (LEFT ? v + k : v) < p.below
            && (SIZE > 0 || element < padded))
          copy_element (to + k * (LEFT ? far : near), from,
                        SIZE > 0 || element < size);
        from += (int64_t) together * p.n;
      }
}

/* The product of the tile P.  */
template <int LEFT, int SIZE, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
apply_to_tile_of (const product_tile<T> &p, int window, const T *u, T *memory)
{
  const int padded = PADDED (ROWS_OF (SIZE, window));
  T *const x = memory + padded * VECTOR_DISTANCE (T, padded);
  copy_transformation<SIZE, WARPS> (window, u, memory);
  copy_tile<LEFT, SIZE, N, WARPS> (p, window, x);
  __pipeline_commit ();
  __pipeline_wait_prior (0);
  __syncthreads ();
  if (threadIdx.x >= WARPS * 32)
    return;
  tile_product<T, N, WARPS> product;
  multiply_tile<LEFT, SIZE> (product, window, x, memory);
  store_tile<LEFT, SIZE> (p, product, window);
}

/* Apply U' from the left or U from the right, for the window C, to the N columns or rows
   from FROM on that are not below BELOW, by the first WARPS warps of the block.  Shared
   memory MEMORY: U and the tile.  All threads have the barriers, of which none is at the
   end.  */
template <int LEFT, int N, int WARPS, typename T>
GE_DEVICE_INLINE void
apply_to_tile (int n, T *a, const chain_window &c, const T *u, int from,
               int below, T *memory)
{
  const int window = c.last - c.first + 1;
  const product_tile<T> p = { a, n, c.first, from, below };
  if (from >= below)
    return;
  if (window == GE_WINDOW_ORDER)
    apply_to_tile_of<LEFT, GE_WINDOW_ORDER, N, WARPS> (p, window, u, memory);
  else
    apply_to_tile_of<LEFT, 0, N, WARPS> (p, window, u, memory);
}

/* Blocks of a launch of apply_windows.  */
typedef struct
{
  int pairs, apart; /* pairs of windows, which are so far apart at least */
  int left, right;  /* for the tiles of a window */
} product_blocks;

/* Apply U' of every window from the left to its rows of A, and U from the right to its
   columns, as far as these are given with the window, and both to pairs of windows C > B,
   where the rows of C meet the columns of B.  N: vectors of a tile, which is a block's.  No
   element is in the range of two blocks.  Blocks with the same columns of neighbouring windows
   follow each other.  */
template <typename T, int N>
GE_KERNEL (PRODUCT_THREADS, 2)
apply_windows (int n, T *a, const __grid_constant__ hop at,
               product_blocks blocks, const T *u)
{
  extern __shared__ double2 memory[];
  constexpr int warps = PRODUCT_THREADS / 32,
                square = GE_WINDOW_ORDER * GE_WINDOW_ORDER,
                side = GE_WINDOW_ORDER / N; /* tiles of a pair */
  const int number = (int) blockIdx.x - blocks.pairs;
  const bool pair = number < 0;
  int c = number % at.chains, b = c, k = number / at.chains;
  if (pair)
    {
      c = blocks.apart;
      for (b = blockIdx.x; b > c - blocks.apart; c++)
        b -= c - blocks.apart + 1;
    }
  const chain_window &rows = at.window[c], &columns = at.window[b];
#pragma unroll 1
  for (int step = 0; step < (pair ? 2 * side : 1); step++)
    if (pair ? step < side : k < blocks.left)
      {
        const int first = pair ? columns.first + step * N : rows.left + k * N;
        const int last = pair ? columns.last : rows.right;
        apply_to_tile<1, N, warps> (n, a, rows, u + c * square, first, last + 1,
                                    (T *) memory);
        __syncthreads ();
      }
    else
      {
        const int first = pair ? rows.first + (step - side) * N
                               : columns.above + (k - blocks.left) * N;
        const int last = pair ? rows.last : columns.below;
        apply_to_tile<0, N, warps> (n, a, columns, u + b * square, first,
                                    last + 1, (T *) memory);
        __syncthreads ();
      }
}

/* Let the kernel have the shared memory for windows of up to ORDER rows.  */
template <typename T, int N>
static gpueig_status
allow_products (gpueig_context *ctx, int order)
{
  GE_ALLOW_SHARED ((apply_windows<T, N>), product_bytes<T> (order, N));
  return GPUEIG_OK;
}

/* Products for windows of up to ORDER rows, each with up to COLUMNS columns and ROWS rows
   of A, and both for pairs of windows that are APART at least (0: there are none).  */
template <typename T, int N>
static gpueig_status
launch_products (gpueig_context *ctx, int n, T *a, const hop *at, int order,
                 int apart, int columns, int rows, const T *u,
                 cudaStream_t stream)
{
  const int others = apart > 0 ? GE_AT_LEAST (at->chains - apart, 0) : 0;
  const product_blocks b = { others * (others + 1) / 2, apart,
                             columns > 0 ? (columns + N - 1) / N : 0,
                             rows > 0 ? (rows + N - 1) / N : 0 };
  const int count = b.pairs + (b.left + b.right) * at->chains;
  if (count > 0)
    GE_LAUNCH_ON (stream, (apply_windows<T, N>), count, PRODUCT_THREADS,
                  product_bytes<T> (order, N), n, a, *at, b, u);
  return GPUEIG_OK;
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
#pragma unroll 1
      for (int v = c.left; v <= c.right; v += TILE)
        {
          apply_to_tile<1, TILE, WARPS> (n, h, c, u + k * square, v,
                                         c.right + 1, memory);
          __syncthreads ();
        }
    }
  if (k > 0)
    {
      const chain_window &c = before.window[k - 1];
#pragma unroll 1
      for (int v = c.above; v <= c.below; v += TILE)
        {
          apply_to_tile<0, TILE, WARPS> (n, h, c, u + (k - 1) * square, v,
                                         c.below + 1, memory);
          __syncthreads ();
        }
    }
}

#endif
