/* The small-bulge multishift QR iteration with aggressive early deflation, on the
   device; the host sees a few integers per deflation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   K. Braman, R. Byers, R. Mathias, The multishift QR algorithm I and II, SIAM J.
   Matrix Anal. Appl. 23, 2002.  Windows are small compared with LAPACK's: the
   Schur form of the deflation window is the longest chain of dependent steps.
   The shifts of a sweep are split into chains that follow each other; all windows
   of a hop are disjoint and are done side by side, and the rest of H and Z gets
   their products by one matrix product each.  */

#include "schur/iteration.cuh"
#include "schur/schur.cuh"

/* --- early deflation --- */

/* The active block that ends in row BOTTOM, all of it if it has at most ORDER rows,
   else its trailing window of WISH rows.  EXCEPTIONAL: shifts that do not come from the window.  */
template <typename T>
__global__ void
__launch_bounds__ (GE_WINDOW_THREADS, 1)
    deflate_window (int n, T *h, int bottom, int order, int wish,
                    int exceptional, T *u, typename complex_of<T>::type *shifts,
                    deflation_result *result)
{
  extern __shared__ double2 memory[];
  __shared__ deflation<T> d;
  __shared__ int places[GE_WINDOW_THREADS / 32];
  window<T> &w = d.w;
  const int t = threadIdx.x;
  if (t == 0)
    {
      w.h = h;
      w.ld = n;
      w.n = n;
    }
  __syncthreads ();
  int top = 0;
  for (int k = 1 + t; k <= bottom; k += GE_WINDOW_THREADS)
    if (negligible (w, k, 0, bottom))
      top = k;
  top = block_reduce<cooperative_groups::greater<int>> (top, places,
                                                        GE_WINDOW_THREADS / 32);
  /* Small blocks are done together.  */
  int low = top;
  const int lowest = bottom - order + 1 > 0 ? bottom - order + 1 : 0;
  if (lowest + t < top
      && (lowest + t == 0 || negligible (w, lowest + t, 0, bottom)))
    low = lowest + t;
  top = block_reduce<cooperative_groups::less<int>> (low, places,
                                                     GE_WINDOW_THREADS / 32);
  const int size = bottom - top + 1 <= order ? bottom - top + 1 : wish;
  const int first = bottom - size + 1;
  const T s = first > top ? h[first + (first - 1) * n] : number<T> (0);
  __syncthreads ();
  if (t == 0)
    {
      if (top > 0)
        h[top + (top - 1) * n] = number<T> (0);
      w.n = w.rows = size;
      w.ld = w.ld_v = size | 1;
      w.h = (T *) memory;
      w.v = w.h + (size | 1) * size;
    }
  __syncthreads ();
  for (int e = t; e < size * size; e += GE_WINDOW_THREADS)
    {
      const int i = e % size, j = e / size;
      w.h[i + j * w.ld]
          = i <= j + 1 ? h[first + i + (first + j) * n] : number<T> (0);
      w.v[i + j * w.ld] = number<T> (i == j);
    }
  const int state = schur_of_window (w);
  if (t == 0)
    {
      d.undeflated = 0;
      d.shifts = 0;
    }
  __syncthreads ();
  if (state == GE_CONVERGED && first > top)
    {
      deflate (d, s);
      if (t == 0)
        d.shifts = list_shifts (w, d.undeflated, shifts);
      __syncthreads ();
      if (d.undeflated > 0 && d.undeflated < size)
        restore_hessenberg (d, d.undeflated);
    }
  const int changed = state == GE_CONVERGED && d.undeflated < size;
  if (changed)
    {
      for (int e = t; e < size * size; e += GE_WINDOW_THREADS)
        {
          const int i = e % size, j = e / size;
          if (i <= j + 1)
            h[first + i + (first + j) * n] = w.h[i + j * w.ld];
          u[i + j * GE_WINDOW_ORDER] = w.v[i + j * w.ld];
        }
      if (t == 0 && first > top)
        h[first + (first - 1) * n]
            = d.undeflated > 0 ? times (s, conjugate (w.v[0])) : number<T> (0);
    }
  if (t != 0)
    return;
  if (exceptional && d.undeflated > 0)
    {
      typedef typename real_of<T>::type R;
      typedef typename complex_of<T>::type C;
      int made = 0;
      const int last = first + d.undeflated - 1;
      for (int i = last; i > first && made + 2 <= size; i -= 2)
        {
          const T x = h[i + i * n];
          C y = number<C> (re_of (x), im_of (x));
          y.x += (R) 0.75 * abs1 (h[i + (i - 1) * n]);
          shifts[made++] = y;
          shifts[made++] = y;
        }
      d.shifts = made;
    }
  result->state = state;
  result->top = top;
  result->first = first;
  result->size = size;
  result->changed = changed;
  result->deflated = state == GE_CONVERGED ? size - d.undeflated : 0;
  result->shifts = d.shifts;
  result->ticks = w.ticks;
}

/* --- a hop of a sweep --- */

/* Bulge Q of a chain in a tick, which is idle outside of the active block.  */
static __device__ __forceinline__ bulge
bulge_of_tick (const hop &at, const chain_window &c, int tick, int q)
{
  const int step = tick - GE_BULGE_ROWS * q, row = at.top + step;
  bulge b;
  b.k = row - c.first;
  b.end = at.bottom - c.first;
  b.kind = q >= c.bulges || step < 0 || row > at.bottom - 1 ? GE_IDLE
           : step == 0                                      ? GE_START
                                                            : GE_CHASE;
  b.unused = 0;
  return b;
}

/* A block chases one chain of bulges through its window; U: what it did.  */
template <typename T>
__global__ void
__launch_bounds__ (GE_WINDOW_THREADS, 1)
    chase_bulges (int n, T *h, hop at,
                  const typename complex_of<T>::type *shifts, T *u)
{
  extern __shared__ double2 memory[];
  __shared__ window<T> w;
  const int t = threadIdx.x, group = t / GE_GROUP, lane = t % GE_GROUP;
  const chain_window c = at.window[blockIdx.x];
  const int size = c.last - c.first + 1, ld = size | 1;
  if (t == 0)
    {
      w.h = (T *) memory;
      w.v = w.h + ld * size;
      w.n = w.rows = size;
      w.ld = w.ld_v = ld;
    }
  __syncthreads ();
  for (int e = t; e < size * size; e += GE_WINDOW_THREADS)
    {
      const int i = e % size, j = e / size;
      w.h[i + j * ld] = h[c.first + i + (c.first + j) * n];
      w.v[i + j * ld] = number<T> (i == j);
    }
  __syncthreads ();
  const int first = at.top > c.first ? at.top - c.first : 0;
  late_product<T> late;
  late.rows = 0;
  for (int tick = c.begin; tick < c.end; tick++)
    {
      const bulge b = bulge_of_tick (at, c, tick, group);
      T x[3];
      int small = 0;
      if (group < GE_CHAIN)
        tick_reflector (w, b, shifts + 2 * (c.bulge + group), group, lane, late,
                        x);
      else if (lane < 32)
        small = test_rows (w, lane);
      __syncthreads ();
      if (group < GE_CHAIN)
        tick_left (w, b, group, lane, x, &late);
      else if (lane < 32)
        for (int e = 0; e < GE_TESTS; e++)
          for (int q = 0; q < GE_CHAIN; q++)
            clear_behind (w, bulge_of_tick (at, c, tick, q), 1 + lane + 32 * e,
                          small >> e & 1, first);
      __syncthreads ();
      tick_right (w, b, group, lane, late);
      __syncthreads ();
    }
  if (group < GE_CHAIN)
    catch_up (w, late, lane, GE_GROUP);
  __syncthreads ();
  u += blockIdx.x * (GE_WINDOW_ORDER * GE_WINDOW_ORDER);
  for (int e = t; e < size * size; e += GE_WINDOW_THREADS)
    {
      const int i = e % size, j = e / size;
      h[c.first + i + (c.first + j) * n] = w.h[i + j * ld];
      u[i + j * GE_WINDOW_ORDER] = w.v[i + j * ld];
    }
}

/* --- the rest of H and Z --- */

enum
{
  TILE = 64, /* rows or columns that a block multiplies */
  PRODUCT_THREADS = 256
};

/* A tile X of TILE vectors of SIZE elements, in shared memory, one element of all
   vectors after another; PRODUCT (f): f (i, j, sum over k of X (k, i) U (k, j)), U
   conjugated if LEFT.  */
template <typename T, int LEFT>
static __device__ __forceinline__ void
multiply_tile (int size, int ld, const T *x, const T *u, T c[4][4], int tx,
               int ty)
{
  int column[4]; /* of U; what is outside is not used */
  for (int i = 0; i < 4; i++)
    column[i] = (ty + 16 * i < ld ? ty + 16 * i : 0) * ld;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      c[i][j] = number<T> (0);
  for (int k = 0; k < size; k++)
    {
      T a[4], b[4];
      for (int i = 0; i < 4; i++)
        {
          a[i] = x[k * (TILE + 1) + tx + 16 * i];
          b[i] = u[k + column[i]];
        }
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
          c[i][j] = LEFT ? add_conj_times (c[i][j], b[j], a[i])
                         : add_times (c[i][j], a[i], b[j]);
    }
}

/* Rows first .. last of the columns from FROM to BELOW - 1 times U' from the left
   (LEFT), or these columns of rows FROM .. BELOW - 1 times U from the right.  A
   grid's first dimension goes over tiles, the second over windows.  H: columns
   right of each window up to LIMIT, or rows from LIMIT to above it; then, from the
   right only, all rows of Z where it is not NULL.  */
template <typename T, int LEFT>
__global__ void
__launch_bounds__ (PRODUCT_THREADS)
    apply_windows (int n, T *h, T *z, hop at, int limit, int order, const T *u)
{
  extern __shared__ double2 memory[];
  T *x = (T *) memory, *us = x + order * (TILE + 1);
  const chain_window c = at.window[blockIdx.y];
  const int size = c.last - c.first + 1, t = threadIdx.x;
  const int tx = t % 16, ty = t / 16;
  int from = (LEFT ? c.last + 1 : limit) + (int) blockIdx.x * TILE;
  int below = LEFT ? limit + 1 : c.first;
  T *a = h;
  if (! LEFT && from >= below)
    {
      const int tiles
          = c.first > limit ? (c.first - limit + TILE - 1) / TILE : 0;
      if (! z)
        return;
      a = z;
      from = ((int) blockIdx.x - tiles) * TILE;
      below = n;
    }
  if (from >= below)
    return;
  const int vectors = below - from < TILE ? below - from : TILE;
  u += blockIdx.y * (GE_WINDOW_ORDER * GE_WINDOW_ORDER);
  for (int e = t; e < order * order; e += PRODUCT_THREADS)
    {
      const int i = e % order, j = e / order;
      us[e] = i < size && j < size ? u[i + j * GE_WINDOW_ORDER] : number<T> (0);
    }
  for (int e = t; e < TILE * size; e += PRODUCT_THREADS)
    {
      const int i = LEFT ? e % size : e / TILE; /* of the window */
      const int v = LEFT ? e / size : e % TILE; /* vector */
      const int row = LEFT ? c.first + i : from + v;
      const int column = LEFT ? from + v : c.first + i;
      x[v + i * (TILE + 1)] = v < vectors ? a[row + column * n] : number<T> (0);
    }
  __syncthreads ();
  T sum[4][4];
  multiply_tile<T, LEFT> (size, order, x, us, sum, tx, ty);
  __syncthreads ();
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (ty + 16 * j < size)
        x[tx + 16 * i + (ty + 16 * j) * (TILE + 1)] = sum[i][j];
  __syncthreads ();
  for (int e = t; e < TILE * size; e += PRODUCT_THREADS)
    {
      const int i = LEFT ? e % size : e / TILE;
      const int v = LEFT ? e / size : e % TILE;
      const int row = LEFT ? c.first + i : from + v;
      const int column = LEFT ? from + v : c.first + i;
      if (v < vectors)
        a[row + column * n] = x[v + i * (TILE + 1)];
    }
}

/* --- the driver --- */

typedef struct
{
  int n, order; /* of the matrix; rows of a sweep's window, at most */
  int wish;     /* rows of a window of early deflation */
  int whole;    /* the Schur form is wanted, not the eigenvalues alone */
  int bottom;
  deflation_result *result; /* pinned */
} iteration;

template <typename T>
static size_t
window_bytes (int order)
{
  return 2 * (size_t) (order | 1) * order * sizeof (T);
}

template <typename T>
static size_t
product_bytes (int order)
{
  return order * (size_t) (TILE + 1 + order) * sizeof (T);
}

/* Apply the U of all windows of AT to the rest of H and to Z.  */
template <typename T>
static gpueig_status
apply_rest (gpueig_context *ctx, const iteration *it, T *h, T *z, const hop *at,
            const T *u)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int limit = it->whole ? it->n - 1 : at->bottom;
  const int start = it->whole ? 0 : at->top;
  int columns = 0, rows = 0;
  for (int c = 0; c < at->chains; c++)
    {
      const chain_window *w = &at->window[c];
      const int right = limit - w->last;
      const int above = w->first > start ? w->first - start : 0;
      columns = right > columns ? right : columns;
      rows = above > rows ? above : rows;
    }
  const int left_tiles = (columns + TILE - 1) / TILE;
  const int right_tiles
      = (rows + TILE - 1) / TILE + (z ? (it->n + TILE - 1) / TILE : 0);
  if (left_tiles > 0)
    {
      GE_LAUNCH ((apply_windows<T, 1>), dim3 (left_tiles, at->chains),
                 PRODUCT_THREADS, product_bytes<T> (it->order), stream)
      (it->n, h, (T *) NULL, *at, limit, it->order, u);
      LAUNCHED ();
    }
  if (right_tiles > 0)
    {
      GE_LAUNCH ((apply_windows<T, 0>), dim3 (right_tiles, at->chains),
                 PRODUCT_THREADS, product_bytes<T> (it->order), stream)
      (it->n, h, z, *at, start, it->order, u);
      LAUNCHED ();
    }
  return GPUEIG_OK;
}

/* One sweep with SHIFTS shifts over rows TOP .. BOTTOM.  */
template <typename T>
static gpueig_status
sweep (gpueig_context *ctx, const iteration *it, T *h, T *z, int top,
       int bottom, int shifts, const typename complex_of<T>::type *shift, T *u,
       ge_schur_counts *counts)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const ge_sweep s = { top, bottom, GE_HOP_TICKS (it->order) };
  const int bulges = shifts / 2, chains = (bulges + GE_CHAIN - 1) / GE_CHAIN;
  const int distance = GE_CHAIN_DISTANCE (s.hop);
  int left = 1;
  for (int step = 0; left; step++)
    {
      hop at = { top, bottom, 0, {} };
      left = 0;
      for (int c = 0; c < chains; c++)
        {
          const int count = bulges - c * GE_CHAIN < GE_CHAIN
                                ? bulges - c * GE_CHAIN
                                : GE_CHAIN;
          const int64_t ticks = GE_CHAIN_TICKS (s, count);
          const int64_t here = step - (int64_t) c * distance;
          left |= here * s.hop < ticks;
          if (here < 0 || here * s.hop >= ticks)
            continue;
          chain_window *w = &at.window[at.chains++];
          w->first = (int) GE_WINDOW_FIRST (s, count, here);
          w->last = (int) GE_WINDOW_LAST (s, here);
          w->begin = (int) here * s.hop;
          w->end = (int) GE_AT_MOST ((here + 1) * s.hop, ticks);
          w->bulge = c * GE_CHAIN;
          w->bulges = count;
        }
      if (at.chains == 0)
        continue;
      counts->hops++;
      GE_LAUNCH (chase_bulges<T>, at.chains, GE_WINDOW_THREADS,
                 window_bytes<T> (it->order), stream)
      (it->n, h, at, shift, u);
      LAUNCHED ();
      GE_TRY (apply_rest (ctx, it, h, z, &at, u));
    }
  return GPUEIG_OK;
}

/* The order of windows that fit into shared memory.  */
template <typename T>
static int
largest_window (gpueig_context *ctx)
{
  int order = GE_WINDOW_ROWS;
  while (order > 36
         && ! ge_shared_fits (ctx,
                              window_bytes<T> (order) + sizeof (deflation<T>)))
    order -= 4;
  return order;
}

template <typename T>
static gpueig_status
prepare (gpueig_context *ctx, iteration *it)
{
  const size_t bytes = window_bytes<T> (it->order);
  GE_ALLOW_SHARED (deflate_window<T>, bytes);
  GE_ALLOW_SHARED (chase_bulges<T>, bytes);
  GE_ALLOW_SHARED ((apply_windows<T, 0>), product_bytes<T> (it->order));
  GE_ALLOW_SHARED ((apply_windows<T, 1>), product_bytes<T> (it->order));
  return GE_ALLOC (ctx, GE_PINNED, 1, &it->result);
}

/* Deflations and sweeps until the bottom is reached.  */
template <typename T>
static gpueig_status
iterate (gpueig_context *ctx, iteration *it, T *h, T *z, T *u,
         typename complex_of<T>::type *shift, int64_t limit,
         ge_schur_counts *counts)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const deflation_result *r = it->result;
  int64_t windows = 0;
  int stuck = 0;
  while (it->bottom >= 0)
    {
      const int exceptional = stuck > 0 && stuck % 6 == 0;
      GE_LAUNCH (deflate_window<T>, 1, GE_WINDOW_THREADS,
                 window_bytes<T> (it->order), stream)
      (it->n, h, it->bottom, it->order, it->wish, exceptional, u, shift,
       it->result);
      LAUNCHED ();
      CU (cudaStreamSynchronize (stream));
      GE_TRY (ge_check_interrupt (ctx));
      counts->windows++;
      counts->ticks += r->ticks;
      if (r->state != GE_CONVERGED || ++windows > limit)
        return GPUEIG_NO_CONVERGENCE;
      ge_report (ctx, "active rows %d..%d, %d deflated of %d, %d shifts",
                 r->top + 1, it->bottom + 1, r->deflated, r->size, r->shifts);
      const int top = r->top, deflated = r->deflated, shifts = r->shifts;
      const int size = r->size;
      if (r->changed)
        {
          hop at = { top, it->bottom, 1, {} };
          at.window[0].first = r->first;
          at.window[0].last = it->bottom;
          GE_TRY (apply_rest (ctx, it, h, z, &at, u));
        }
      it->bottom -= deflated;
      stuck = deflated > 0 ? 0 : stuck + 1;
      /* A window that gave much is tried again before a sweep.  */
      if (2 * deflated > size || it->bottom - top + 1 <= it->order
          || shifts < 2)
        continue;
      counts->sweeps++;
      GE_TRY (sweep (ctx, it, h, z, top, it->bottom, shifts, shift, u, counts));
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_schur_iterate (gpueig_context *ctx, int n, T *h, T *z, int whole, int wish,
                  int64_t limit, ge_schur_counts *counts)
{
  typedef typename complex_of<T>::type C;
  const int order = largest_window<T> (ctx);
  iteration it = { n,     order, wish > 0 && wish < order ? wish : order,
                   whole, n - 1, NULL };
  const int mark = ge_mark (ctx);
  T *u;
  C *shift;
  GE_TRY (prepare<T> (ctx, &it));
  GE_TRY (GE_ALLOC (
      ctx, GE_DEVICE,
      (int64_t) GE_MOST_CHAINS * GE_WINDOW_ORDER * GE_WINDOW_ORDER, &u));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, GE_WINDOW_ORDER, &shift));
  const gpueig_status status = iterate<T> (
      ctx, &it, h, z, u, shift, limit > 0 ? limit : 200 + 2 * n, counts);
  ge_release (ctx, mark);
  return status;
}

#define INSTANCE(T)                                                            \
  template gpueig_status ge_schur_iterate (                                    \
      gpueig_context *, int, T *, T *, int, int, int64_t, ge_schur_counts *);
INSTANCE (float)
INSTANCE (double)
INSTANCE (cuComplex)
INSTANCE (cuDoubleComplex)
