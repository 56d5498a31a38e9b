/* Stacks: divide and conquer, see stack_divide.cuh: the leaves, and the order of the
   kernels.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A lane of a block's first warp computes the rotations of a leaf's next sweep
   (stack_ql.cuh) while the other warps apply those of the last one, a lane to a row of the
   vectors.  */

#include "tridiagonal/stack_divide.cuh"
#include "tridiagonal/stack_ql.cuh"

enum
{
  LANES = 16,
  TEAMS = 16, /* of LANES lanes that apply rotations */
  BLOCK = 32 + TEAMS * LANES
};

/* Leaves of a block, of up to ROWS rows: a lane each, as far as there is memory.  */
template <int ROWS> static constexpr int LEAVES = ROWS == LANES ? 32 : 23;

/* Two buffers of rotations; an odd number of doubles, so that leaves are in different
   banks.  */
template <int ROWS> struct leaf_space
{
  double d[ROWS], e[ROWS];
  double c[2][ROWS], s[2][ROWS];
  short rank[ROWS + ROWS % 8];
  double floor;
};

template <int ROWS> struct leaf_block
{
  static constexpr int COUNT = LEAVES<ROWS>;
  leaf_space<ROWS> leaf[COUNT];
  double z[COUNT][ROWS][ROWS]; /* columns */
  /* planes low .. high - 1 are rotated; a place for every lane */
  short low[2][32], high[2][32];
  int running[2];
  unsigned char failed[COUNT];
};

/* The place of a leaf in its page.  */
struct leaf_place
{
  int64_t at;
  int leaf, start, end;
};

template <int ROWS, typename R>
GE_DEVICE_INLINE leaf_place
place_of_leaf (const divide_arguments<R> &q, int number)
{
  const int64_t task = (int64_t) blockIdx.x * LEAVES<ROWS> + number;
  const int64_t at = task >> q.levels;
  const int leaf = (int) (task - (at << q.levels));
  if (at >= q.pages)
    return { at, 0, 0, 0 };
  return { at, leaf, ge_divide_start (q.n, q.levels, leaf),
           ge_divide_start (q.n, q.levels, leaf + 1) };
}

/* Leaf NUMBER of the block: rows in reverse order if that suits QL, and unit vectors.  */
template <int ROWS, typename R, typename TILE>
GE_DEVICE_INLINE void
begin_leaf (const divide_arguments<R> &q, int number, const TILE &tile,
            leaf_block<ROWS> *b)
{
  const leaf_place p = place_of_leaf<ROWS> (q, number);
  const int n = q.n, lane = tile.thread_rank (), m = p.end - p.start;
  leaf_space<ROWS> *const s = b->leaf + number;
  const double *const d = q.d + p.at * n, *const e = q.e + p.at * n;
  if (lane == 0)
    b->failed[number] = 0;
  if (m == 0)
    return;
  double norm = 0;
  for (int i = lane; i < n; i += LANES)
    norm = fmax (norm, fabs (d[i]) + (i > 0 ? fabs (e[i - 1]) : 0)
                           + (i < n - 1 ? fabs (e[i]) : 0));
  norm = cooperative_groups::reduce (tile, norm,
                                     cooperative_groups::greater<double> ());
  const int flipped = fabs (d[p.start]) > fabs (d[p.end - 1]);
  if (lane == 0)
    {
      s->floor = 0x1p-20 * ql_numbers<R>::eps * norm;
      if (p.leaf == 0)
        q.page[p.at].floor = 8 * ql_numbers<R>::eps * norm;
    }
  for (int row = lane; row < ROWS; row += LANES)
    {
      for (int c = 0; c < m; c++)
        b->z[number][c][row] = row == (flipped ? m - 1 - c : c);
      if (row >= m)
        continue;
      const int i = p.start + (flipped ? m - 1 - row : row);
      double x = d[i];
      if (i == p.start && p.start > 0)
        x -= fabs (e[p.start - 1]);
      if (i == p.end - 1 && p.end < n)
        x -= fabs (e[p.end - 1]);
      s->d[row] = x;
      s->e[row] = row == m - 1 ? 0 : e[flipped ? i - 1 : i];
    }
}

/* The next sweep of a leaf of order M, whose block is *FIRST .. *LAST; 0: there is none.  */
template <int ROWS>
GE_DEVICE_INLINE int
leaf_sweep (int m, double eps, leaf_space<ROWS> *s, int buffer, int *first,
            int *last, short *low, short *high)
{
  ql_sweep w = {};
  *low = *high = 0;
  if (*first >= m)
    return 0;
  *low = (short) *first;
  *high = (short) *last;
  begin_sweep (*first, *last, s->d, s->e, &w);
  while (w.i >= *low)
    {
      const int i = w.i;
      rotate (*low, *high, eps, s->floor, s->d, s->e, &w);
      s->c[buffer][i] = w.c;
      s->s[buffer][i] = w.s;
    }
  end_sweep (first, last, eps, s->floor, s->d, s->e, &w);
  return 1;
}

/* Row ROW of the vectors of leaf NUMBER times the rotations of a sweep.  */
template <int ROWS>
GE_DEVICE_INLINE void
apply_sweep (leaf_block<ROWS> *b, int number, int buffer, int row)
{
  const leaf_space<ROWS> *const s = b->leaf + number;
  double (*const z)[ROWS] = b->z[number];
  const int low = b->low[buffer][number], high = b->high[buffer][number];
  if (low == high)
    return;
  double above = z[high][row];
  for (int i = high - 1; i >= low; i--)
    {
      const double c = s->c[buffer][i], t = s->s[buffer][i], below = z[i][row];
      z[i + 1][row] = fma (t, below, c * above);
      above = fma (c, below, -t * above);
    }
  z[low][row] = above;
}

/* The eigenvalues of leaf NUMBER in ascending order, and its vectors.  */
template <int ROWS, typename R, typename TILE>
GE_DEVICE_INLINE void
end_leaf (const divide_arguments<R> &q, int number, const TILE &tile,
          leaf_block<ROWS> *b)
{
  const leaf_place p = place_of_leaf<ROWS> (q, number);
  const int n = q.n, lane = tile.thread_rank (), m = p.end - p.start;
  leaf_space<ROWS> *const s = b->leaf + number;
  if (m == 0)
    return;
  if (lane == 0 && b->failed[number])
    q.page[p.at].status = GE_STACK_FAILED;
  for (int k = lane; k < m; k += LANES)
    {
      const double mine = s->d[k];
      int rank = 0;
      for (int j = 0; j < m; j++)
        rank += s->d[j] < mine || (s->d[j] == mine && j < k);
      s->rank[k] = (short) rank;
      const int64_t to = p.at * n + p.start + rank;
      q.value[to] = mine;
      q.first_row[to] = b->z[number][k][0];
      q.last_row[to] = b->z[number][k][m - 1];
    }
  tile.sync ();
  for (int row = lane; q.u && row < m; row += LANES)
    for (int c = 0; c < m; c++)
      q.z[(p.at * n + p.start + s->rank[c]) * n + p.start + row]
          = (R) b->z[number][c][row];
}

template <typename R, int ROWS>
GE_KERNEL (BLOCK)
leaf_kernel (divide_arguments<R> q)
{
  constexpr int COUNT = LEAVES<ROWS>;
  extern __shared__ double leaf_shared[];
  leaf_block<ROWS> *const b = (leaf_block<ROWS> *) leaf_shared;
  const auto tile = this_tile<LANES> ();
  const bool solves = threadIdx.x < 32;
  const int team = threadIdx.x / LANES - 2;
  if (! solves)
    for (int k = team; k < COUNT; k += TEAMS)
      begin_leaf (q, k, tile, b);
  __syncthreads ();
  const int mine = threadIdx.x % 32; /* leaf, if there is one */
  const leaf_place p = place_of_leaf<ROWS> (q, mine);
  const double eps = ql_numbers<R>::eps;
  const int m = mine < COUNT ? p.end - p.start : 0, most = q.max_sweeps * m;
  leaf_space<ROWS> *const s = b->leaf + min (mine, COUNT - 1);
  int first = 0, last = -1, sweeps = 0;
  for (int buffer = 0;; buffer ^= 1)
    {
      if (solves)
        {
          next_block (m, eps, s->floor, s->d, s->e, &first, &last);
          if (first < m && sweeps++ >= most)
            {
              b->failed[mine] = 1;
              first = m;
            }
          const int more
              = leaf_sweep (m, eps, s, buffer, &first, &last,
                            &b->low[buffer][mine], &b->high[buffer][mine]);
          const int any = tile_max<32> (more);
          if (threadIdx.x == 0)
            b->running[buffer] = any;
        }
      __syncthreads ();
      if (! b->running[buffer])
        break;
      if (! solves)
        for (int i = threadIdx.x - 32; i < COUNT * ROWS; i += TEAMS * LANES)
          apply_sweep (b, i / ROWS, buffer, i % ROWS);
    }
  if (! solves)
    for (int k = team; k < COUNT; k += TEAMS)
      end_leaf (q, k, tile, b);
}

template <int ROWS, typename R>
static gpueig_status
leaves (gpueig_context *ctx, const divide_arguments<R> *q)
{
  typedef leaf_block<ROWS> block;
  static_assert (sizeof (leaf_space<ROWS>) / sizeof (double) % 2 == 1, "banks");
  static_assert (sizeof (block) <= GE_LEAST_SHARED, "a block of leaves");
  GE_ALLOW_SHARED ((leaf_kernel<R, ROWS>), sizeof (block));
  GE_LAUNCH ((leaf_kernel<R, ROWS>),
             ge_blocks (q->pages << q->levels, LEAVES<ROWS>), BLOCK,
             sizeof (block), *q);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_stack_divide (gpueig_context *ctx, const ge_stack<T> *s, int identity,
                 int *failed)
{
  typedef ge_real<T> R;
  const int64_t n = s->n, all = n * s->pages;
  const int levels = ge_divide_levels (s->n);
  /* the vectors of the levels in turn */
  R *last = (R *) (identity ? s->v : s->q),
    *other = (R *) (identity ? s->q : s->v);
  R *from = levels % 2 ? other : last, *to = levels % 2 ? last : other;
  const divide_arguments<R> q = { s->n,
                                  levels,
                                  s->pages,
                                  s->max_sweeps,
                                  s->d,
                                  s->e,
                                  s->parts,
                                  s->parts + all,
                                  s->parts + 2 * all,
                                  s->page,
                                  s->lambda,
                                  s->unfinished,
                                  s->v ? s->u : NULL,
                                  from };
  int *counts;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2, &counts));
  GE_TRY (ge_clear (ctx, s->unfinished, 2));
  const int most = ((s->n - 1) >> levels) + 1; /* rows of a leaf */
  GE_TRY (most <= LANES ? leaves<LANES> (ctx, &q)
                        : leaves<GE_DIVIDE_LEAF> (ctx, &q));
  for (int level = levels - 1; level >= 0; level--)
    {
      GE_TRY (ge_stack_divide_merge<R> (ctx, &q, level));
      if (! s->v)
        continue;
      const divide_factors<R> f = { s->n, level, from, s->u, to };
      GE_TRY (ge_stack_divide_products<R> (ctx, s->pages, &f));
      R *const next = from;
      from = to;
      to = next;
    }
  if (s->v && ! identity)
    GE_TRY (ge_stack_back<T> (ctx, s, from));
  if (failed)
    {
      GE_TRY (ge_fetch (ctx, counts, s->unfinished, 2));
      *failed = counts[1];
    }
  ge_release (ctx, mark);
  return ge_check_interrupt (ctx);
}

GE_INSTANTIATE (ge_stack_divide)
