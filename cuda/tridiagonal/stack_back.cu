/* Stacks: eigenvectors of the tridiagonal matrices times Q, by block
   reflectors on tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Q = H_0 ... H_{n-2}, in panels of eight reflectors, I - V T V^H (larft's T), of which the
   last is applied first.  With Y = -V T

     W = Z' conj (V),  Z' <- Z' + W Y'

   (' being the plain transpose).  A warp owns 16 columns of Z, or 8 complex ones as 8
   columns of real and 8 of imaginary parts, in its registers: Z' is in the layout of the
   accumulators of the tensor cores (base/tensor.cuh), a tile per 8 rows of Z.  An
   accumulator is the left operand of the next product as it is, if columns 2 c and 2 c + 1
   of a tile are taken for numbers c and c + 4 of the sum; W, too.  For pages of more than 128
   rows a pair of warps shares columns, half of the rows each, and adds its parts of W.  */

#include "tridiagonal/stack.cuh"

#include "base/numbers.cuh"
#include "base/tensor.cuh"

#include <cuda_pipeline.h>

enum
{
  PANEL = 8, /* reflectors */
  TILE = 8,  /* rows */
  HALF = 128 /* rows of a warp, at most */
};

/* Panels of a page of order N.  */
static __host__ __device__ inline int
panels_of (int n)
{
  return (n - 1 + PANEL - 1) / PANEL;
}

template <typename T> struct back_arguments
{
  int n;
  int64_t pages;
  const T *a, *tau; /* reflectors */
  T *y;
  const ge_real<T> *z;
  T *v;
  const ge_stack_page *page;
};

/* Element (ROW, J) of V.  */
template <typename T>
GE_DEVICE_INLINE T
reflector_element (const T *a, int n, int row, int j)
{
  return row > j && row < n && j < n - 1 ? a[row + (int64_t) j * n]
                                         : zero<T> ();
}

/* --- Y --- */

enum
{
  FACTOR_WARPS = 4
};

template <typename T> struct factor_space
{
  T gram[PANEL][PANEL], t[PANEL][PANEL];
};

/* V^H V of the panel that begins at reflector FIRST, by a warp.  */
template <typename T>
GE_DEVICE_INLINE void
panel_gram (const T *a, int n, int first, int lane, T (*gram)[PANEL])
{
  typedef ge_real<T> R;
  constexpr int PARTS = 1 + is_complex<T>::value;
  const int r = lane / 4, c = lane % 4;
  R p[4] = {}, q[4] = {};
  for (int row = first; row < n; row += TILE)
    {
      const T x = reflector_element (a, n, row + c, first + r);
      const T y = reflector_element (a, n, row + c + 4, first + r);
      const R xi = imaginary_part (x), yi = imaginary_part (y);
      multiply_tiles (p, real_part (x), xi, real_part (y), yi, real_part (x),
                      real_part (y));
      if (PARTS == 2)
        multiply_tiles (q, real_part (x), xi, real_part (y), yi, xi, yi);
    }
  gram[r][2 * c] = make_number<T> (p[0] + q[2], q[0] - p[2]);
  gram[r][2 * c + 1] = make_number<T> (p[1] + q[3], q[1] - p[3]);
}

/* A warp per panel.  */
template <typename T>
GE_KERNEL (32 * FACTOR_WARPS)
factor_kernel (back_arguments<T> q)
{
  __shared__ factor_space<T> space[FACTOR_WARPS];
  const ge_warp warp = this_warp ();
  const int n = q.n, lane = warp.thread_rank (), panels = panels_of (n);
  const int64_t task = (int64_t) blockIdx.x * FACTOR_WARPS + threadIdx.x / 32;
  const int64_t at = task / panels;
  const int first = (int) (task - at * panels) * PANEL;
  if (at >= q.pages)
    return;
  factor_space<T> *const s = space + threadIdx.x / 32;
  const T *const a = q.a + at * n * n;
  panel_gram (a, n, first, lane, s->gram);
  warp.sync ();
  if (lane < PANEL)
    {
      T row[PANEL];
#pragma unroll
      for (int i = 0; i < PANEL; i++)
        {
          const T tau
              = first + i < n - 1 ? q.tau[at * n + first + i] : zero<T> ();
          T sum = zero<T> ();
#pragma unroll
          for (int m = 0; m < i; m++)
            sum = mul_add (row[m], s->gram[m][i], sum);
          row[i] = lane > i    ? zero<T> ()
                   : lane == i ? tau
                               : minus (zero<T> (), times (tau, sum));
          s->t[lane][i] = row[i];
        }
    }
  warp.sync ();
  T *const y = q.y + at * n * n;
  for (int row = first + lane; row < n; row += 32)
    {
      T v[PANEL];
#pragma unroll
      for (int m = 0; m < PANEL; m++)
        v[m] = reflector_element (a, n, row, first + m);
#pragma unroll
      for (int i = 0; i < PANEL; i++)
        {
          T sum = zero<T> ();
#pragma unroll
          for (int m = 0; m <= i; m++)
            sum = mul_sub (v[m], s->t[m][i], sum);
          if (first + i < n - 1)
            y[row + (int64_t) (first + i) * n] = sum;
        }
    }
}

/* --- Q Z --- */

/* The shape of a block for up to N rows, and its shared memory: two panels of V' and of Y',
   whose distances of rows are free of bank conflicts, and parts of W.  */
template <typename T, int N> struct alignas (16) back_shape
{
  enum
  {
    PARTS = 1 + is_complex<T>::value,
    SPLIT = N > HALF ? 2 : 1, /* warps for the same columns */
    WARPS = 4 * SPLIT,
    THREADS = 32 * WARPS,
    TILES = N / SPLIT / TILE, /* of a warp */
    EACH = 16 / PARTS,        /* columns of a warp */
    COLUMNS = 4 * EACH,       /* of a block */
    LD_V = N + 8,
    LD_Y = N + 2,
    SHORT = sizeof (ge_real<T>) == 4,
    /* Tiles that are left out together; where they may have rows without reflectors, V and Y are
       zero there.  */
    GROUP = SHORT ? 4 : 1,
    BLOCKS = N > HALF ? 1 + SHORT
             : N > 64 ? 3 + SHORT
                      : 4 + 2 * SHORT
  };
  typedef ge_real<T> R;
  R v[2][PARTS][PANEL][LD_V];
  R y[2][PARTS][PANEL][LD_Y];
  R w[SPLIT > 1 ? 2 : 1][SPLIT > 1 ? WARPS : 1][32][4];
};

template <typename R> struct alignas (2 * sizeof (R)) back_pair
{
  R x, y;
};

/* Begin to copy the panel whose first reflector is FIRST, from row FIRST on.  */
template <typename T, int N>
GE_DEVICE_INLINE void
bring_panel (const back_arguments<T> &q, int64_t at, int first, int buffer,
             back_shape<T, N> *s)
{
  typedef ge_real<T> R;
  constexpr int PARTS = back_shape<T, N>::PARTS,
                WARPS = back_shape<T, N>::WARPS;
  const int n = q.n, end = (n + TILE - 1) / TILE * TILE;
  const int lane = threadIdx.x % 32;
  for (int r = threadIdx.x / 32; r < PANEL; r += WARPS)
    {
      const int j = first + r;
      const int64_t column = at * n * n + (int64_t) (j < n - 1 ? j : 0) * n;
      const R *const v = (const R *) (q.a + column), *const y
                                                     = (const R *) (q.y
                                                                    + column);
      for (int row = first + lane; row < end; row += 32)
#pragma unroll
        for (int part = 0; part < PARTS; part++)
          {
            const int from = row < n ? PARTS * row + part : 0;
            const bool inside = row < n && j < n - 1;
            __pipeline_memcpy_async (&s->v[buffer][part][r][row], v + from,
                                     sizeof (R),
                                     inside && row > j ? 0 : sizeof (R));
            __pipeline_memcpy_async (&s->y[buffer][part][r][row], y + from,
                                     sizeof (R), inside ? 0 : sizeof (R));
          }
    }
  __pipeline_commit ();
}

/* W = Z' conj (V) for the tiles from FROM on, of which the first has row TOP of the
   page.  */
template <typename T, int N>
GE_DEVICE_INLINE void
times_reflectors (const back_shape<T, N> *s, int buffer, int top, int from,
                  int tiles, int lane, const ge_real<T> (*z)[4], ge_real<T> *w)
{
  typedef ge_real<T> R;
  constexpr int PARTS = back_shape<T, N>::PARTS,
                TILES = back_shape<T, N>::TILES,
                GROUP = back_shape<T, N>::GROUP;
  const int r = lane / 4, c = lane % 4;
  R sum[2][PARTS][4] = {};
#pragma unroll
  for (int g = 0; g < TILES; g += GROUP)
    if (g + GROUP > from && g < tiles)
#pragma unroll
      for (int k = 0; k < PARTS * GROUP; k++)
        {
          const int i = g + k / PARTS, part = k % PARTS;
          const back_pair<R> x
              = *(const back_pair<R> *) &s
                     ->v[buffer][part][r][top + TILE * i + 2 * c];
          multiply_tiles (sum[i % 2][part], z[i][0], z[i][2], z[i][1], z[i][3],
                          x.x, x.y);
        }
#pragma unroll
  for (int k = 0; k < 4; k++)
    w[k] = sum[0][0][k] + sum[1][0][k];
  if (PARTS == 2)
#pragma unroll
    for (int k = 0; k < 2; k++)
      {
        w[k] += sum[0][PARTS - 1][k + 2] + sum[1][PARTS - 1][k + 2];
        w[k + 2] -= sum[0][PARTS - 1][k] + sum[1][PARTS - 1][k];
      }
}

/* Z' + W Y' for the same tiles.  */
template <typename T, int N>
GE_DEVICE_INLINE void
add_product (const back_shape<T, N> *s, int buffer, int top, int from,
             int tiles, int lane, const ge_real<T> *w, ge_real<T> (*z)[4])
{
  typedef ge_real<T> R;
  constexpr int PARTS = back_shape<T, N>::PARTS,
                TILES = back_shape<T, N>::TILES,
                GROUP = back_shape<T, N>::GROUP;
  const int r = lane / 4, c = lane % 4;
#pragma unroll
  for (int g = 0; g < TILES; g += GROUP)
    if (g + GROUP > from && g < tiles)
#pragma unroll
      for (int k = 0; k < PARTS * GROUP; k++)
        {
          const int i = g + k / PARTS, part = k % PARTS;
          const int row = top + TILE * i + r;
          const R x = s->y[buffer][part][2 * c][row],
                  y = s->y[buffer][part][2 * c + 1][row];
          if (part == 0)
            multiply_tiles (z[i], w[0], w[2], w[1], w[3], x, y);
          else
            multiply_tiles (z[i], -w[2], w[0], -w[3], w[1], x, y);
        }
}

/* The sum of the two parts of W, which both warps of a pair get.  */
template <typename T, int N>
GE_DEVICE_INLINE void
add_parts (back_shape<T, N> *s, int buffer, int warp, int lane, ge_real<T> *w)
{
#pragma unroll
  for (int k = 0; k < 4; k++)
    s->w[buffer][warp][lane][k] = w[k];
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < 4; k++)
    w[k] = s->w[buffer][warp / 2 * 2][lane][k]
           + s->w[buffer][warp / 2 * 2 + 1][lane][k];
}

template <typename T, int N>
GE_KERNEL ((back_shape<T, N>::THREADS), (back_shape<T, N>::BLOCKS))
back_kernel (back_arguments<T> q, int chunks)
{
  typedef ge_real<T> R;
  typedef back_shape<T, N> shape;
  constexpr int PARTS = shape::PARTS, SPLIT = shape::SPLIT,
                TILES = shape::TILES;
  extern __shared__ double2 back_shared[];
  shape *const s = (shape *) back_shared;
  const int n = q.n, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int r = lane / 4, c = lane % 4;
  const int64_t at = blockIdx.x / chunks;
  const int top = warp % SPLIT * (N / SPLIT);
  const int column = (int) (blockIdx.x % chunks) * shape::COLUMNS
                     + warp / SPLIT * shape::EACH + r;
  const int tiles = min (TILES, (n - top + TILE - 1) / TILE);
  const int failed = q.page[at].status == GE_STACK_FAILED;
  const R *const from = q.z + at * n * n;
  int first = (panels_of (n) - 1) * PANEL, buffer = 0;
  R z[TILES][4];
  if constexpr (shape::GROUP > 1)
    {
      R *const all = (R *) s;
      for (int i = threadIdx.x; i < (int) (sizeof *s / sizeof *all);
           i += shape::THREADS)
        all[i] = 0;
      __syncthreads ();
    }
  bring_panel (q, at, first, 0, s);
#pragma unroll
  for (int i = 0; i < TILES; i++)
#pragma unroll
    for (int k = 0; k < 4; k++)
      {
        const int row = top + TILE * i + 2 * c + k % 2;
        const int j = column + (PARTS == 1 ? k / 2 * 8 : 0);
        z[i][k] = 0;
        if (row < n && j < n && (PARTS == 1 || k < 2))
          z[i][k] = failed ? (R) (row == j) : from[row + (int64_t) j * n];
      }
  for (; first >= 0; first -= PANEL, buffer ^= 1)
    {
      __pipeline_wait_prior (0);
      __syncthreads ();
      if (first > 0)
        bring_panel (q, at, first - PANEL, buffer ^ 1, s);
      const int begin = max (0, (first - top) / TILE);
      R w[4];
      times_reflectors<T, N> (s, buffer, top, begin, tiles, lane, z, w);
      if constexpr (SPLIT > 1)
        add_parts (s, buffer, warp, lane, w);
      add_product<T, N> (s, buffer, top, begin, tiles, lane, w, z);
    }
#pragma unroll
  for (int i = 0; i < TILES; i++)
#pragma unroll
    for (int k = 0; k < 4 / PARTS; k++)
      {
        const int row = top + TILE * i + 2 * c + k % 2;
        const int j = column + (PARTS == 1 ? k / 2 * 8 : 0);
        if (row < n && j < n)
          q.v[at * n * n + row + (int64_t) j * n]
              = make_number<T> (z[i][k], PARTS == 2 ? z[i][(k + 2) % 4] : 0);
      }
}

template <typename T, int N>
static gpueig_status
launch_back (gpueig_context *ctx, const back_arguments<T> &q)
{
  typedef back_shape<T, N> shape;
  const int chunks = (q.n + shape::COLUMNS - 1) / shape::COLUMNS;
  static_assert (sizeof (shape) <= (size_t) (sizeof (T) == 16 && N > HALF
                                                 ? (int) GE_STACK_BACK_PAIRS
                                                 : (int) GE_LEAST_SHARED),
                 "two panels");
  GE_TRY (ge_one_launch (ctx, q.pages * chunks, q.pages));
  GE_ALLOW_SHARED ((back_kernel<T, N>), sizeof (shape));
  GE_LAUNCH ((back_kernel<T, N>), (unsigned) (q.pages * chunks), shape::THREADS,
             sizeof (shape), q, chunks);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_stack_back (gpueig_context *ctx, const ge_stack<T> *s, const ge_real<T> *z)
{
  const back_arguments<T> q
      = { s->n, s->pages, s->a, s->tau, (T *) s->u, z, s->v, s->page };
  const int64_t tasks = s->pages * panels_of (s->n);
  GE_TRY (ge_one_launch (ctx, tasks, s->pages));
  GE_LAUNCH (factor_kernel<T>, ge_blocks (tasks, FACTOR_WARPS),
             32 * FACTOR_WARPS, 0, q);
  return s->n <= 64    ? launch_back<T, 64> (ctx, q)
         : s->n <= 96  ? launch_back<T, 96> (ctx, q)
         : s->n <= 128 ? launch_back<T, 128> (ctx, q)
         : s->n <= 192 ? launch_back<T, 192> (ctx, q)
                       : launch_back<T, 256> (ctx, q);
}

GE_INSTANTIATE (ge_stack_back)
