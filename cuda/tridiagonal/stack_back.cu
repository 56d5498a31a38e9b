/* Stacks: eigenvectors of the tridiagonal matrices times Q, by block
   reflectors on tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Q = H_0 ... H_{n-2}, in panels of eight reflectors, I - V T V^H (larft's T), of which the
   last is applied first.  With Y = -V T

     W = Z' conj (V),  Z' <- Z' + W Y'

   (' being the plain transpose).  A warp owns 16 columns of Z, or 8 complex ones as 8
   columns of real and 8 of imaginary parts, in its registers: Z' is in the layout of the
   accumulators of the tensor cores (base/tensor.cuh), a tile per 8 rows of Z.  An
   accumulator is the left operand of the next product as it is, in double precision if columns
   2 c and 2 c + 1 of a tile are taken for numbers c and c + 4 of the sum, in single precision as
   pairs of halves (base/halves.cuh); W, too.  For pages of more than 160 rows a pair of warps
   shares columns, every other tile each, and adds its parts of W.

   V and Y are prepared once for all warps, in tiles of 8 rows, as their lanes want them.  */

#include "tridiagonal/stack.cuh"

#include "base/halves.cuh"
#include "base/numbers.cuh"

#include <cuda_pipeline.h>

enum
{
  PANEL = 8,  /* reflectors */
  TILE = 8,   /* rows */
  ALONE = 160 /* rows of a warp, at most */
};

/* Two neighbours of a right operand.  */
template <typename R> struct back_pair;
template <> struct alignas (16) back_pair<double>
{
  double x, y;
};
template <> struct alignas (8) back_pair<float>
{
  unsigned high, low;
};

/* A tile of V, and of Y, in the order of the lanes, with r = lane / 4 and c = lane % 4: rows 2 c
   and 2 c + 1 of reflector r; row r of columns 2 c and 2 c + 1.  */
template <typename T> struct back_tile
{
  enum
  {
    PARTS = 1 + is_complex<T>::value
  };
  back_pair<ge_real<T>> v[PARTS][32], y[PARTS][32];
};

template <typename T> struct back_arguments
{
  int n;
  int64_t pages;
  const T *a, *tau; /* reflectors */
  back_tile<T> *tiles;
  const ge_real<T> *z;
  T *v;
  const ge_stack_page *page;
};

static __host__ __device__ inline int
tiles_of (int n)
{
  return (n + TILE - 1) / TILE;
}

/* Panels of a page of order N; a panel begins in the tile of its number.  */
static __host__ __device__ inline int
panels_of (int n)
{
  return (n - 1 + PANEL - 1) / PANEL;
}

/* Tiles of the panels before PANEL.  */
static __host__ __device__ inline int
tiles_before (int n, int panel)
{
  return panel * tiles_of (n) - panel * (panel - 1) / 2;
}

template <typename T>
GE_DEVICE_INLINE back_tile<T> *
tiles_of_panel (const back_arguments<T> &q, int64_t at, int panel)
{
  return q.tiles + at * tiles_before (q.n, panels_of (q.n))
         + tiles_before (q.n, panel);
}

/* --- V and Y --- */

GE_DEVICE_INLINE void
set_pair (double x, double y, back_pair<double> *to)
{
  *to = { x, y };
}
GE_DEVICE_INLINE void
set_pair (float x, float y, back_pair<float> *to)
{
  back_pair<float> p;
  split_pair (x, y, &p.high, &p.low);
  *to = p;
}
template <typename T>
GE_DEVICE_INLINE void
set_pairs (const T (&x)[2], back_pair<ge_real<T>> (*to)[32])
{
  set_pair (real_part (x[0]), real_part (x[1]), to[0] + threadIdx.x % 32);
  if constexpr (is_complex<T>::value)
    set_pair (imaginary_part (x[0]), imaginary_part (x[1]),
              to[1] + threadIdx.x % 32);
}

/* Rows ROW and ROW + 1 of reflector J.  */
template <typename T>
GE_DEVICE_INLINE void
load_reflector (const T *a, int n, int row, int j, T (&x)[2])
{
#pragma unroll
  for (int k = 0; k < 2; k++)
    x[k] = row + k > j && row + k < n && j < n - 1
               ? a[row + k + (int64_t) j * n]
               : zero<T> ();
}

enum
{
  FACTOR_WARPS = 4
};

template <typename T> struct factor_space
{
  T gram[PANEL][PANEL], t[PANEL][PANEL];
  T v[2][PANEL][TILE + 1]; /* two tiles */
};

/* V^H V of the panel that begins in tile FIRST, by a warp.  */
template <typename T>
GE_DEVICE_INLINE void
panel_gram (const T *a, int n, int first, int lane, T (*gram)[PANEL])
{
  typedef ge_real<T> R;
  const int r = lane / 4, c = lane % 4, end = tiles_of (n);
  R p[4] = {}, q[4] = {};
#pragma unroll 4
  for (int tile = first; tile < end; tile++)
    {
      T x[2];
      load_reflector (a, n, TILE * tile + 2 * c, PANEL * first + r, x);
      const R re[2] = { real_part (x[0]), real_part (x[1]) },
              im[2] = { imaginary_part (x[0]), imaginary_part (x[1]) };
      multiply_tiles (p, re[0], im[0], re[1], im[1], re[0], re[1]);
      if (is_complex<T>::value)
        multiply_tiles (q, re[0], im[0], re[1], im[1], im[0], im[1]);
    }
  gram[r][2 * c] = make_number<T> (p[0] + q[2], q[0] - p[2]);
  gram[r][2 * c + 1] = make_number<T> (p[1] + q[3], q[1] - p[3]);
}

/* T, a lane per row.  */
template <typename T>
GE_DEVICE_INLINE void
panel_factor (const T *tau, int count, int lane, factor_space<T> *s)
{
  T row[PANEL];
#pragma unroll
  for (int i = 0; i < PANEL; i++)
    {
      const T t = i < count ? tau[i] : zero<T> ();
      T sum = zero<T> ();
#pragma unroll
      for (int m = 0; m < i; m++)
        sum = mul_add (row[m], s->gram[m][i], sum);
      row[i] = lane > i    ? zero<T> ()
               : lane == i ? t
                           : minus (zero<T> (), times (t, sum));
      s->t[lane][i] = row[i];
    }
}

/* A warp per panel.  */
template <typename T>
GE_KERNEL (32 * FACTOR_WARPS)
factor_kernel (back_arguments<T> q)
{
  __shared__ factor_space<T> space[FACTOR_WARPS];
  const ge_warp warp = this_warp ();
  const int n = q.n, lane = warp.thread_rank (), panels = panels_of (n);
  const int r = lane / 4, c = lane % 4, end = tiles_of (n);
  const int64_t task = (int64_t) blockIdx.x * FACTOR_WARPS + threadIdx.x / 32;
  const int64_t at = task / panels;
  const int first = (int) (task - at * panels);
  if (at >= q.pages)
    return;
  factor_space<T> *const s = space + threadIdx.x / 32;
  const T *const a = q.a + at * n * n;
  const int j = PANEL * first;
  panel_gram (a, n, first, lane, s->gram);
  warp.sync ();
  if (lane < PANEL)
    panel_factor (q.tau + at * n + j, n - 1 - j, lane, s);
  warp.sync ();
  T t[2][PANEL], x[2][2];
#pragma unroll
  for (int m = 0; m < PANEL; m++)
    {
      t[0][m] = s->t[m][2 * c];
      t[1][m] = s->t[m][2 * c + 1];
    }
  back_tile<T> *to = tiles_of_panel (q, at, first);
  const auto load = [&] (int tile) {
#pragma unroll
    for (int k = 0; k < 2; k++)
      load_reflector (a, n, TILE * (tile + k) + 2 * c, j + r, x[k]);
  };
  load (first);
  for (int tile = first; tile < end; tile += 2, to += 2)
    {
#pragma unroll
      for (int k = 0; k < 2; k++)
        {
          s->v[k][r][2 * c] = x[k][0];
          s->v[k][r][2 * c + 1] = x[k][1];
          if (tile + k < end)
            set_pairs (x[k], to[k].v);
        }
      load (tile + 2);
      warp.sync ();
#pragma unroll
      for (int k = 0; k < 2; k++)
        {
          T y[2] = {};
#pragma unroll
          for (int m = 0; m < PANEL; m++)
            {
              const T element = s->v[k][m][r];
              y[0] = mul_sub (element, t[0][m], y[0]);
              y[1] = mul_sub (element, t[1][m], y[1]);
            }
          if (tile + k < end)
            set_pairs (y, to[k].y);
        }
      warp.sync ();
    }
}

/* --- products with tiles --- */

/* SUM += Z' V of as many tiles as one product of the tensor cores takes.  */
template <typename T>
GE_DEVICE_INLINE void
times_tiles (const double (*z)[4], const back_tile<T> *tile, int, int lane,
             double (*sum)[4])
{
#pragma unroll
  for (int part = 0; part < back_tile<T>::PARTS; part++)
    {
      const back_pair<double> v = tile->v[part][lane];
      multiply_tiles (sum[part], z[0][0], z[0][2], z[0][1], z[0][3], v.x, v.y);
    }
}
template <typename T>
GE_DEVICE_INLINE void
times_tiles (const float (*z)[4], const back_tile<T> *tile, int distance,
             int lane, float (*sum)[4])
{
  halves<2> x;
  split_tile (x, 0, z[0]);
  split_tile (x, 1, z[1]);
#pragma unroll
  for (int part = 0; part < back_tile<T>::PARTS; part++)
    {
      const back_pair<float> v = tile->v[part][lane],
                             u = tile[distance].v[part][lane];
      const unsigned high[2] = { v.high, u.high }, low[2] = { v.low, u.low };
      float s[4] = {};
      multiply_halves (s, x.low, high);
      multiply_halves (s, x.high, low);
      multiply_halves (s, x.high, high);
#pragma unroll
      for (int k = 0; k < 4; k++)
        sum[part][k] += s[k];
    }
}

/* W as a left operand.  */
struct back_row
{
  double x[4];
};
GE_DEVICE_INLINE back_row
left_operand (const double (&w)[4])
{
  return { { w[0], w[2], w[1], w[3] } };
}
GE_DEVICE_INLINE halves<1>
left_operand (const float (&w)[4])
{
  halves<1> x;
  split_tile (x, 0, w);
  return x;
}

/* W Y' of part PART of a tile.  */
template <typename T>
GE_DEVICE_INLINE void
multiply_part (const back_row &w, const back_tile<T> &tile, int part, int lane,
               double (&sum)[4])
{
  const back_pair<double> y = tile.y[part][lane];
  multiply_tiles (sum, w.x[0], w.x[1], w.x[2], w.x[3], y.x, y.y);
}
template <typename T>
GE_DEVICE_INLINE void
multiply_part (const halves<1> &w, const back_tile<T> &tile, int part, int lane,
               float (&sum)[4])
{
  const back_pair<float> y = tile.y[part][lane];
  const unsigned high[1] = { y.high }, low[1] = { y.low };
  multiply_halves (sum, w.low, high);
  multiply_halves (sum, w.high, low);
  multiply_halves (sum, w.high, high);
}

/* --- Q Z --- */

/* The shape of a block for up to N rows, and its shared memory: BUFFERS panels, and parts of
   W.  */
template <typename T, int N, int BUFFERS> struct alignas (16) back_shape
{
  enum
  {
    PARTS = 1 + is_complex<T>::value,
    SHORT = sizeof (ge_real<T>) == 4,
    SPLIT = N > ALONE ? 2 : 1,     /* warps for the same columns */
    GROUPS = 4,                    /* such groups of warps */
    BLOCKS = N > ALONE ? 1 + SHORT /* that share a multiprocessor */
             : N > 128 ? 2 + SHORT
             : N > 64  ? 3 + SHORT
                       : 4 + 2 * SHORT,
    WARPS = GROUPS * SPLIT,
    THREADS = 32 * WARPS,
    TILES = N / SPLIT / TILE, /* of a warp */
    EACH = 16 / PARTS,        /* columns of a warp */
    COLUMNS = GROUPS * EACH,  /* of a block */
    /* Tiles of times_tiles, which are left out together; those without reflectors are zero in V
       and Y.  */
    TOGETHER = 1 + SHORT
  };
  back_tile<T> tile[BUFFERS][N / TILE];
  ge_real<T> w[SPLIT > 1 ? WARPS : 1][32][4];
};

/* Begin to copy panel PANEL.  */
template <typename T, int N, int BUFFERS>
GE_DEVICE_INLINE void
bring_panel (const back_arguments<T> &q, int64_t at, int panel, int buffer,
             back_shape<T, N, BUFFERS> *s)
{
  const int pieces = (tiles_of (q.n) - panel)
                     * (int) (sizeof (back_tile<T>) / sizeof (double2));
  const double2 *const from = (const double2 *) tiles_of_panel (q, at, panel);
  double2 *const to = (double2 *) (s->tile[buffer] + panel);
  for (int i = threadIdx.x; i < pieces; i += back_shape<T, N, BUFFERS>::THREADS)
    __pipeline_memcpy_async (to + i, from + i, sizeof *to);
  __pipeline_commit ();
}

/* W = Z' conj (V) for the warp's tiles from FROM on, which begin at TILE and are SPLIT apart.  */
template <typename S, typename T, typename R>
GE_DEVICE_INLINE void
times_reflectors (const back_tile<T> *tile, int from, int end, int lane,
                  const R (*z)[4], R (&w)[4])
{
  R sum[2][S::PARTS][4] = {};
#pragma unroll
  for (int i = 0; i < S::TILES; i += S::TOGETHER)
    if (i + S::TOGETHER > from && i < end)
      times_tiles (z + i, tile + S::SPLIT * i, S::SPLIT, lane,
                   sum[i / S::TOGETHER % 2]);
#pragma unroll
  for (int k = 0; k < 4; k++)
    w[k] = 0;
  add_products<true> (w, sum[0]);
  add_products<true> (w, sum[1]);
}

/* Z' + W Y' for the same tiles.  The products are not added to Z by the tensor cores, which want
   its elements in another order there than in the product with V.  */
template <typename S, typename T, typename R>
GE_DEVICE_INLINE void
add_products_of (const back_tile<T> *tile, int from, int end, int lane,
                 const R (&w)[4], R (*z)[4])
{
  const auto x = left_operand (w);
#pragma unroll
  for (int first = 0; first < S::TILES; first += S::TOGETHER)
    if (first + S::TOGETHER > from && first < end)
#pragma unroll
      for (int i = first; i < first + S::TOGETHER; i++)
        {
          R sum[S::PARTS][4] = {};
#pragma unroll
          for (int part = 0; part < S::PARTS; part++)
            multiply_part (x, tile[S::SPLIT * i], part, lane, sum[part]);
          add_products<false> (z[i], sum);
        }
}

/* The sum of the parts of W, which both warps of a group get.  */
template <typename R>
GE_DEVICE_INLINE void
add_parts (R (*parts)[32][4], int warp, int lane, R (&w)[4])
{
#pragma unroll
  for (int k = 0; k < 4; k++)
    parts[warp][lane][k] = w[k];
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < 4; k++)
    w[k] = parts[warp / 2 * 2][lane][k] + parts[warp / 2 * 2 + 1][lane][k];
}

template <typename T, int N, int BUFFERS>
GE_KERNEL ((back_shape<T, N, BUFFERS>::THREADS),
           (back_shape<T, N, BUFFERS>::BLOCKS))
back_kernel (back_arguments<T> q, int chunks)
{
  typedef ge_real<T> R;
  typedef back_shape<T, N, BUFFERS> shape;
  constexpr int PARTS = shape::PARTS, SPLIT = shape::SPLIT,
                TILES = shape::TILES;
  extern __shared__ double2 back_shared[];
  shape *const s = (shape *) back_shared;
  const int n = q.n, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int r = lane / 4, c = lane % 4;
  const int64_t at = blockIdx.x / chunks;
  const int part = warp % SPLIT; /* of the warp: every other tile */
  const int column = (int) (blockIdx.x % chunks) * shape::COLUMNS
                     + warp / SPLIT * shape::EACH + r;
  const int end = (tiles_of (n) + SPLIT - 1 - part) / SPLIT;
  const int failed = q.page[at].status == GE_STACK_FAILED;
  const R *const from = q.z + at * n * n;
  R z[TILES][4];
  if constexpr (shape::TOGETHER > 1)
    {
      for (int i = threadIdx.x; i < (int) (sizeof *s / sizeof *back_shared);
           i += shape::THREADS)
        back_shared[i] = { 0, 0 };
      __syncthreads ();
    }
  int panel = panels_of (n) - 1, buffer = 0;
  bring_panel (q, at, panel, 0, s);
#pragma unroll
  for (int i = 0; i < TILES; i++)
#pragma unroll
    for (int k = 0; k < 4; k++)
      {
        const int row = TILE * (SPLIT * i + part) + 2 * c + k % 2;
        const int j = column + (PARTS == 1 ? k / 2 * 8 : 0);
        z[i][k] = 0;
        if (row < n && j < n && (PARTS == 1 || k < 2))
          z[i][k] = HALVES_SCALE (R)
                    * (failed ? (R) (row == j) : from[row + (int64_t) j * n]);
      }
  for (; panel >= 0; panel--, buffer ^= BUFFERS - 1)
    {
      __pipeline_wait_prior (0);
      __syncthreads ();
      if (BUFFERS > 1 && panel > 0)
        bring_panel (q, at, panel - 1, buffer ^ 1, s);
      const int begin = (panel + SPLIT - 1 - part) / SPLIT;
      const back_tile<T> *const tile = s->tile[buffer] + part;
      R w[4];
      times_reflectors<shape> (tile, begin, end, lane, z, w);
      if constexpr (SPLIT > 1)
        add_parts (s->w, warp, lane, w);
      add_products_of<shape> (tile, begin, end, lane, w, z);
      if (BUFFERS == 1 && panel > 0)
        {
          __syncthreads ();
          bring_panel (q, at, panel - 1, 0, s);
        }
    }
#pragma unroll
  for (int i = 0; i < TILES; i++)
#pragma unroll
    for (int k = 0; k < 4 / PARTS; k++)
      {
        const int row = TILE * (SPLIT * i + part) + 2 * c + k % 2;
        const int j = column + (PARTS == 1 ? k / 2 * 8 : 0);
        const R f = 1 / HALVES_SCALE (R);
        if (row < n && j < n)
          q.v[at * n * n + row + (int64_t) j * n] = make_number<T> (
              f * z[i][k], PARTS == 2 ? f * z[i][(k + 2) % 4] : 0);
      }
}

template <typename T, int N, int BUFFERS = 2>
static gpueig_status
launch_back (gpueig_context *ctx, const back_arguments<T> &q)
{
  typedef back_shape<T, N, BUFFERS> shape;
  const int chunks = (q.n + shape::COLUMNS - 1) / shape::COLUMNS;
  if constexpr (sizeof (shape) > GE_LEAST_SHARED)
    if (! ge_shared_fits (ctx, sizeof (shape)))
      return launch_back<T, N, 1> (ctx, q);
  static_assert (BUFFERS > 1 || sizeof (shape) <= GE_LEAST_SHARED, "a panel");
  GE_TRY (ge_one_launch (ctx, q.pages * chunks, q.pages));
  GE_ALLOW_SHARED ((back_kernel<T, N, BUFFERS>), sizeof (shape));
  GE_LAUNCH ((back_kernel<T, N, BUFFERS>), (unsigned) (q.pages * chunks),
             shape::THREADS, sizeof (shape), q, chunks);
  return GPUEIG_OK;
}

template <typename T>
int64_t
ge_stack_back_size (int n)
{
  return tiles_before (n, panels_of (n))
         * (int64_t) (sizeof (back_tile<T>) / sizeof (ge_real<T>));
}

template <typename T>
gpueig_status
ge_stack_back (gpueig_context *ctx, const ge_stack<T> *s, const ge_real<T> *z)
{
  const back_arguments<T> q = {
    s->n, s->pages, s->a, s->tau, (back_tile<T> *) s->u, z, s->v, s->page
  };
  const int64_t tasks = s->pages * panels_of (s->n);
  GE_TRY (ge_one_launch (ctx, tasks, s->pages));
  GE_LAUNCH (factor_kernel<T>, ge_blocks (tasks, FACTOR_WARPS),
             32 * FACTOR_WARPS, 0, q);
  return s->n <= 64    ? launch_back<T, 64> (ctx, q)
         : s->n <= 96  ? launch_back<T, 96> (ctx, q)
         : s->n <= 128 ? launch_back<T, 128> (ctx, q)
         : s->n <= 160 ? launch_back<T, 160> (ctx, q)
         : s->n <= 192 ? launch_back<T, 192> (ctx, q)
                       : launch_back<T, 256> (ctx, q);
}

GE_INSTANTIATE (ge_stack_back_size)
GE_INSTANTIATE (ge_stack_back)
