/* The inverse of a diagonally dominant tridiagonal matrix by the recursive
   Sherman-Morrison formula on the GPU; method and sources in
   core/tdinv/published/sherman_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One thread per row.  Every level of the recursion is one kernel, which reads
   the borders of the blocks that the level below wrote and writes its own to
   other arrays; the kernel boundary is the only synchronisation.  */

#include "tdinv/tdinv.cuh"
#include "tdinv/published/sherman.h"

#include "tdinv/numbers.cuh"

enum
{
  THREADS = 256,
  ROWS = TDINV_TILE / THREADS,
  COLUMNS = 32
};

/* The first and last columns and rows of the inverses of all blocks of a level,
   indexed by row (column) of the matrix.  */
template <typename T> struct tdinv_borders
{
  T *first_column, *last_column, *first_row, *last_row;
};

/* All arrays are on the device; X and Y have n numbers per level.  */
template <typename T> struct tdinv_tree
{
  int64_t n;
  int levels;
  const T *c, *a, *b;
  T *x, *y, *above, *diagonal, *below, *modulus;
};

typedef struct
{
  int32_t rows_dominate, columns_dominate;
  unsigned long long error, largest; /* bits of non-negative doubles */
} tdinv_verdict;

/* --- growing the tree --- */

/* The number of modulus 1 for every coupling, and whether T is diagonally
   dominant by rows and by columns.  One thread per row; all that find a
   violation write the same value.  */
template <typename T>
static __global__ void
couplings (tdinv_tree<T> w, tdinv_verdict *verdict)
{
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w.n)
    return;
  double left = i > 0 ? tdinv_modulus (w.c[i - 1]) : 0,
         over = i > 0 ? tdinv_modulus (w.b[i - 1]) : 0;
  double right = 0, under = 0, size = tdinv_modulus (w.a[i]);
  if (i < w.n - 1)
    {
      right = tdinv_modulus (w.b[i]);
      under = tdinv_modulus (w.c[i]);
      T s = tdinv_direction (w.a[i + 1], w.b[i]);
      if (under != 0)
        s = tdinv_direction (w.c[i], w.a[i]);
      w.modulus[i] = s;
    }
  if (size < left + right)
    verdict->rows_dominate = 0;
  if (size < over + under)
    verdict->columns_dominate = 0;
}

/* Inverses of the leaves, blocks of order 1 or 2, and their borders.  One thread
   per leaf.  */
template <typename T>
static __global__ void
leaves (tdinv_tree<T> w, tdinv_borders<T> o)
{
  int64_t t = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= (int64_t) 1 << w.levels)
    return;
  int64_t i = tdinv_node_begin (w.n, w.levels, t);
  int64_t end = tdinv_node_begin (w.n, w.levels, t + 1), last = end - 1;
  T first_a = w.a[i], last_a = w.a[last];
  if (i > 0)
    first_a = minus (first_a, times_unfused (w.modulus[i - 1], w.b[i - 1]));
  if (last == i)
    last_a = first_a;
  if (end < w.n)
    last_a = minus (last_a, tdinv_quotient (w.c[last], w.modulus[last]));
  T x11, x21, x12, x22;
  if (last == i)
    x11 = x21 = x12 = x22 = tdinv_quotient (make_number<T> (1, 0), last_a);
  else
    {
      T det = minus (times_unfused (first_a, last_a),
                     times_unfused (w.b[i], w.c[i]));
      x11 = tdinv_quotient (last_a, det);
      x22 = tdinv_quotient (first_a, det);
      x12 = tdinv_quotient (minus (make_number<T> (0, 0), w.b[i]), det);
      x21 = tdinv_quotient (minus (make_number<T> (0, 0), w.c[i]), det);
      w.above[i] = x12;
      w.below[i] = x21;
    }
  w.diagonal[i] = x11;
  w.diagonal[last] = x22;
  o.first_column[i] = o.first_row[i] = x11;
  o.last_column[last] = o.last_row[last] = x22;
  if (last > i)
    {
      o.first_column[last] = o.last_row[i] = x21;
      o.last_column[i] = o.first_row[last] = x12;
    }
}

/* One level: from the borders OLD of the two halves of every node of level K to
   the borders O of the node, and the vectors x and y of the rank-one update.
   One thread per row.  */
template <typename T>
static __global__ void
join_blocks (tdinv_tree<T> w, int k, tdinv_borders<T> old, tdinv_borders<T> o)
{
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x, n = w.n;
  if (i >= n)
    return;
  int64_t t = tdinv_node_of (n, k, i);
  int64_t begin = tdinv_node_begin (n, k, t);
  int64_t end = tdinv_node_begin (n, k, t + 1);
  int64_t middle = tdinv_node_begin (n, k + 1, 2 * t + 1);
  T s = w.modulus[middle - 1], c = tdinv_quotient (w.c[middle - 1], s);
  T b = w.b[middle - 1];
  T v = plus (times_unfused (c, old.last_column[middle - 1]),
              times_unfused (times_unfused (b, s), old.first_column[middle]));
  T alpha
      = tdinv_quotient (make_number<T> (1, 0), plus (make_number<T> (1, 0), v));
  T y_begin = times_unfused (c, old.last_row[begin]);
  T y_end = times_unfused (b, old.first_row[end - 1]);
  T x_begin = times_unfused (alpha, old.last_column[begin]);
  T x_end = times_unfused (times_unfused (alpha, s), old.first_column[end - 1]);
  T zero = make_number<T> (0, 0), x, y;
  int upper = i < middle;
  if (upper)
    {
      x = times_unfused (alpha, old.last_column[i]);
      y = times_unfused (c, old.last_row[i]);
    }
  else
    {
      x = times_unfused (alpha, times_unfused (s, old.first_column[i]));
      y = times_unfused (b, old.first_row[i]);
    }
  w.x[n * k + i] = x;
  w.y[n * k + i] = y;
  o.first_column[i]
      = minus (upper ? old.first_column[i] : zero, times_unfused (x, y_begin));
  o.last_column[i]
      = minus (upper ? zero : old.last_column[i], times_unfused (x, y_end));
  o.first_row[i]
      = minus (upper ? old.first_row[i] : zero, times_unfused (x_begin, y));
  o.last_row[i]
      = minus (upper ? zero : old.last_row[i], times_unfused (x_end, y));
}

/* --- entries --- */

template <typename T>
GE_DEVICE_INLINE T
leaf_entry (const tdinv_tree<T> *w, int64_t i, int64_t j)
{
  if (i == j)
    return w->diagonal[j];
  int64_t low = i < j ? i : j;
  if (i - j > 1 || j - i > 1
      || tdinv_node_of (w->n, w->levels, low)
             != tdinv_node_of (w->n, w->levels, low + 1))
    return make_number<T> (0, 0);
  return i < j ? w->above[low] : w->below[low];
}

template <typename T>
static __device__ T
tree_entry (const tdinv_tree<T> *w, int64_t i, int64_t j)
{
  T x = leaf_entry (w, i, j);
  for (int k = w->levels - 1; k >= 0; k--)
    if (tdinv_node_of (w->n, k, i) == tdinv_node_of (w->n, k, j))
      x = minus (x, times_unfused (w->x[w->n * k + i], w->y[w->n * k + j]));
  return x;
}

/* The largest difference of the diagonal from that of the generators, and the
   largest modulus of the latter.  One thread per row.  */
template <typename T>
static __global__ void
compare (tdinv_tree<T> w, tdinv_factors<ge_real<T>> f, tdinv_verdict *verdict)
{
  int64_t j = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= w.n)
    return;
  T u, v;
  tdinv_get (f.u.re, f.u.im, j, &u);
  tdinv_get (f.v.re, f.v.im, j, &v);
  T want = tdinv_product (
      u, v, tdinv_limited (f.u.e[j] + f.u.top[j / TDINV_GROUP] + f.v.e[j]));
  double error = tdinv_modulus (minus (tree_entry (&w, j, j), want));
  if (! (error < 1e308))
    error = 1e308;
  atomicMax (&verdict->error,
             (unsigned long long) __double_as_longlong (error));
  atomicMax (&verdict->largest,
             (unsigned long long) __double_as_longlong (tdinv_modulus (want)));
}

/* A block of THREADS threads has a tile of TDINV_TILE rows and up to COLUMNS
   columns.  Shared memory: for every column and level, the range of the tile's
   rows within the column's node, and y; filled before the barrier, only read
   after it.  */
template <typename T>
GE_KERNEL (THREADS)
write_columns (tdinv_tree<T> w, tdinv_panel<T> o, int64_t tiles)
{
  extern __shared__ char memory[] __attribute__ ((aligned (16)));
  __shared__ int64_t index[COLUMNS];
  T *y = (T *) memory;
  int2 *range = (int2 *) (y + w.levels * COLUMNS);
  int64_t tile = blockIdx.x % tiles, strip = blockIdx.x / tiles;
  int64_t n = w.n, top = tile * TDINV_TILE, row = top + threadIdx.x;
  int64_t left = o.end - o.begin - strip * COLUMNS;
  int columns = (int) (left < COLUMNS ? left : COLUMNS);

  for (int m = threadIdx.x; m < columns * w.levels; m += THREADS)
    {
      int c = m / w.levels, k = m % w.levels;
      int64_t at = o.begin + strip * COLUMNS + c;
      int64_t j = o.columns ? o.columns[at] : at, t = tdinv_node_of (n, k, j);
      int64_t from = tdinv_node_begin (n, k, t) - top;
      int64_t to = tdinv_node_begin (n, k, t + 1) - top;
      from = from < 0 ? 0 : from > TDINV_TILE ? TDINV_TILE : from;
      to = to < 0 ? 0 : to > TDINV_TILE ? TDINV_TILE : to;
      range[m] = make_int2 ((int) from, (int) to);
      y[m] = w.y[n * k + j];
    }
  if ((int) threadIdx.x < columns)
    {
      int64_t at = o.begin + strip * COLUMNS + threadIdx.x;
      index[threadIdx.x] = o.columns ? o.columns[at] : at;
    }
  __syncthreads ();
  for (int c = 0; c < columns; c++)
    {
      int64_t j = index[c];
      int depth = 0;
      while (depth < w.levels
             && range[c * w.levels + depth].x < range[c * w.levels + depth].y)
        depth++;
#pragma unroll
      for (int m = 0; m < ROWS; m++)
        {
          int local = threadIdx.x + m * THREADS;
          int64_t i = row + m * THREADS;
          if (i >= n)
            continue;
          T x = make_number<T> (0, 0);
          if (i - j <= 1 && j - i <= 1)
            x = leaf_entry (&w, i, j);
          for (int k = depth - 1; k >= 0; k--)
            {
              int2 in = range[c * w.levels + k];
              if (local >= in.x && local < in.y)
                x = minus (x,
                           times_unfused (w.x[n * k + i], y[c * w.levels + k]));
            }
          tdinv_put (&o, i + n * (strip * COLUMNS + c), tdinv_unscaled (&o, x));
        }
    }
}

/* The band of a panel.  A grid-stride loop over the entries.  */
template <typename T>
static __global__ void
write_band (tdinv_tree<T> w, tdinv_panel<T> o)
{
  int64_t height = 2 * o.band + 1, count = height * (o.end - o.begin);
  int64_t step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t at = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += step)
    {
      int64_t j = o.begin + at / height, i = j + at % height - o.band;
      T x = make_number<T> (0, 0);
      if (i >= 0 && i < w.n)
        x = tree_entry (&w, i, j);
      tdinv_put (&o, at, tdinv_unscaled (&o, x));
    }
}

/* --- host --- */

template <typename T>
static gpueig_status
alloc_borders (gpueig_context *ctx, int64_t n, tdinv_borders<T> *o)
{
  return ge_alloc_each (ctx, GE_DEVICE, n, &o->first_column, &o->last_column,
                        &o->first_row, &o->last_row);
}

template <typename T>
static gpueig_status
alloc_tree (gpueig_context *ctx, tdinv_tree<T> *w)
{
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, w->n * w->levels, &w->x, &w->y));
  return ge_alloc_each (ctx, GE_DEVICE, w->n, &w->above, &w->diagonal,
                        &w->below, &w->modulus);
}

static double
double_of (unsigned long long bits)
{
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

template <typename T>
gpueig_status
tdinv_cuda_grow_tree (gpueig_context *ctx, int64_t n, const T *c, const T *a,
                      const T *b, const tdinv_factors<ge_real<T>> *f,
                      double rcond, tdinv_tree<T> **tree, int *served)
{
  tdinv_tree<T> *w;
  tdinv_borders<T> borders[2];
  tdinv_verdict *verdict, v = { 1, 1, 0, 0 };
  unsigned blocks = ge_blocks (n, THREADS);

  GE_TRY (GE_ALLOC (ctx, GE_HOST, 1, &w));
  w->n = n;
  w->levels = tdinv_levels (n);
  w->c = c;
  w->a = a;
  w->b = b;
  GE_TRY (alloc_tree (ctx, w));
  GE_TRY (alloc_borders (ctx, n, &borders[0]));
  GE_TRY (alloc_borders (ctx, n, &borders[1]));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &verdict));
  GE_TRY (ge_put (ctx, verdict, &v, 1));
  GE_LAUNCH (couplings<T>, blocks, THREADS, 0, *w, verdict);
  unsigned leaf_blocks
      = (unsigned) ((((int64_t) 1 << w->levels) + THREADS - 1) / THREADS);
  GE_LAUNCH (leaves<T>, leaf_blocks, THREADS, 0, *w, borders[0]);
  for (int k = w->levels - 1, from = 0; k >= 0; k--, from = ! from)
    GE_LAUNCH (join_blocks<T>, blocks, THREADS, 0, *w, k, borders[from],
               borders[! from]);
  GE_LAUNCH (compare<T>, blocks, THREADS, 0, *w, *f, verdict);
  GE_TRY (ge_fetch (ctx, &v, verdict, 1));
  double eps = sizeof (ge_real<T>) == 8 ? DBL_EPSILON : FLT_EPSILON;
  double limit = (double) n * eps / rcond;
  *served = (v.rows_dominate || v.columns_dominate)
            && double_of (v.error)
                   <= (limit < 0.1 ? limit : 0.1) * double_of (v.largest);
  *tree = w;
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
tdinv_cuda_write_tree (gpueig_context *ctx, const tdinv_tree<T> *w,
                       const tdinv_panel<T> *o)
{
  int64_t columns = o->end - o->begin;
  if (columns == 0)
    return GPUEIG_OK;
  if (o->band >= 0)
    GE_LAUNCH (write_band<T>, 4096, THREADS, 0, *w, *o);
  else
    {
      int64_t tiles = (o->n + TDINV_TILE - 1) / TDINV_TILE;
      int64_t strips = (columns + COLUMNS - 1) / COLUMNS;
      size_t shared
          = (size_t) w->levels * COLUMNS * (sizeof (T) + sizeof (int2));
      GE_LAUNCH (write_columns<T>, (unsigned) (tiles * strips), THREADS, shared,
                 *w, *o, tiles);
    }
  return GPUEIG_OK;
}

GE_INSTANTIATE (tdinv_cuda_grow_tree)
GE_INSTANTIATE (tdinv_cuda_write_tree)
