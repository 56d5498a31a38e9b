/* The recursive Sherman-Morrison formula on the GPU, see
   core/methods/tdinv/published/sherman.h.
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

typedef struct
{
  int exceeds;
  unsigned long long error, largest; /* bits of non-negative doubles */
} verdict;

GE_KERNEL (THREADS) leaves (tdinv_tree w)
{
  const int64_t t = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (t < (int64_t) 1 << w.levels)
    tdinv_invert_leaf (&w, t, w.borders[0]);
}

GE_KERNEL (THREADS) join_blocks (tdinv_tree w, int k, int from)
{
  const int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (i >= w.n)
    return;
  const tdinv_node v
      = tdinv_make_node (&w, k, tdinv_node_of (w.n, k, i), w.borders[from]);
  tdinv_join (&w, k, &v, i, w.borders[from], w.borders[! from]);
}

/* Compare for tdinv_agrees and, over all rows, for tdinv_exceeds.  */
GE_KERNEL (THREADS)
compare (tdinv_tree w, tdinv_factors<double> f, verdict *all)
{
  const int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (j >= w.n)
    return;
  const double want = tdinv_entry (
      f.u.re[j], f.v.re[j],
      tdinv_limited (f.u.e[j] + f.u.top[j / TDINV_GROUP] + f.v.e[j]));
  double error = fabs (tdinv_diagonal_entry (&w, j) - want);
  if (! (error < 1e308))
    error = 1e308;
  atomicMax (&all->error, (unsigned long long) __double_as_longlong (error));
  atomicMax (&all->largest,
             (unsigned long long) __double_as_longlong (fabs (want)));
  const int exceeds = tdinv_exceeds (&w, j);
  if (exceeds)
    atomicOr (&all->exceeds, exceeds);
}

/* A block of THREADS threads has a tile of TDINV_TILE rows and up to COLUMNS
   columns.  Shared memory: for every column and level, the range of the tile's
   rows within the column's node, and y; filled before the barrier, only read
   after it.  */
GE_KERNEL (THREADS)
write_columns (tdinv_tree w, tdinv_panel<double> o, int64_t tiles)
{
  extern __shared__ __align__ (16) char memory[];
  double *y = (double *) memory;
  int2 *range = (int2 *) (y + w.levels * COLUMNS);
  const int64_t top = blockIdx.x % tiles * TDINV_TILE,
                first = blockIdx.x / tiles * COLUMNS, n = w.n;
  const int columns = (int) min (o.end - o.begin - first, (int64_t) COLUMNS);
  for (int m = threadIdx.x; m < columns * w.levels; m += THREADS)
    {
      const int k = m % w.levels;
      const int64_t j = o.begin + first + m / w.levels,
                    t = tdinv_node_of (n, k, j);
      const int64_t from = tdinv_node_begin (n, k, t) - top,
                    to = tdinv_node_begin (n, k, t + 1) - top;
      range[m] = make_int2 (
          (int) min (max (from, (int64_t) 0), (int64_t) TDINV_TILE),
          (int) min (max (to, (int64_t) 0), (int64_t) TDINV_TILE));
      y[m] = w.y[n * k + j];
    }
  __syncthreads ();
  for (int c = 0; c < columns; c++)
    {
      const int2 *in = range + c * w.levels;
      const int64_t j = o.begin + first + c;
      int depth = 0;
      while (depth < w.levels && in[depth].x < in[depth].y)
        depth++;
#pragma unroll
      for (int m = 0; m < ROWS; m++)
        {
          const int local = threadIdx.x + m * THREADS;
          const int64_t i = top + local;
          if (i >= n)
            continue;
          double x = tdinv_leaf_entry (&w, i, j);
          for (int k = depth - 1; k >= 0; k--)
            if (local >= in[k].x && local < in[k].y)
              x -= w.x[n * k + i] * y[c * w.levels + k];
          o.x[i + n * (first + c)] = x;
        }
    }
}

/* --- host --- */

static gpueig_status
alloc_tree (gpueig_context *ctx, tdinv_tree *w)
{
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, w->n * w->levels, &w->x, &w->y));
  GE_TRY (
      ge_alloc_each (ctx, GE_DEVICE, w->n, &w->above, &w->diagonal, &w->below));
  for (int i = 0; i < 2; i++)
    {
      tdinv_borders *o = &w->borders[i];
      GE_TRY (ge_alloc_each (ctx, GE_DEVICE, w->n, &o->first_column,
                             &o->last_column, &o->first_row, &o->last_row));
    }
  return GPUEIG_OK;
}

static double
double_of (unsigned long long bits)
{
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

gpueig_status
tdinv_cuda_grow_tree (gpueig_context *ctx, const tdinv_factors<double> *f,
                      double rcond, tdinv_tree *w, int *accepted)
{
  const unsigned blocks = ge_blocks (w->n, THREADS);
  verdict *there, v = {};
  w->levels = tdinv_levels (w->n);
  GE_TRY (alloc_tree (ctx, w));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &there));
  GE_TRY (ge_put (ctx, there, &v, 1));
  GE_LAUNCH (leaves, ge_blocks ((int64_t) 1 << w->levels, THREADS), THREADS, 0,
             *w);
  for (int k = w->levels - 1, from = 0; k >= 0; k--, from = ! from)
    GE_LAUNCH (join_blocks, blocks, THREADS, 0, *w, k, from);
  GE_LAUNCH (compare, blocks, THREADS, 0, *w, *f, there);
  GE_TRY (ge_fetch (ctx, &v, there, 1));
  *accepted = v.exceeds < 3
              && tdinv_agrees (w->n, rcond, double_of (v.error),
                               double_of (v.largest));
  return GPUEIG_OK;
}

gpueig_status
tdinv_cuda_write_tree (gpueig_context *ctx, const tdinv_tree *w,
                       const tdinv_panel<double> *o)
{
  const int64_t tiles = (o->n + TDINV_TILE - 1) / TDINV_TILE,
                strips = (o->end - o->begin + COLUMNS - 1) / COLUMNS;
  GE_LAUNCH (write_columns, (unsigned) (tiles * strips), THREADS,
             (size_t) w->levels * COLUMNS * (sizeof (double) + sizeof (int2)),
             *w, *o, tiles);
  return GPUEIG_OK;
}
