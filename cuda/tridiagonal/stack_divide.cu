/* Stacks: divide and conquer, see stack_divide.cuh: the leaves, and the order of the
   kernels.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tile of lanes has a leaf: one lane computes the rotations of a sweep
   (stack_ql.cuh), then every lane applies them to its row of the vectors.  */

#include "tridiagonal/stack_divide.cuh"
#include "tridiagonal/stack_ql.cuh"

enum
{
  LANES = GE_DIVIDE_LEAF,
  BLOCK = 64,
  LEAVES = BLOCK / LANES /* of a block */
};

struct leaf_space
{
  double d[LANES], e[LANES];
  double c[LANES], s[LANES]; /* rotations of a sweep */
  double z[LANES][LANES];    /* columns */
  int rank[LANES];
};

/* The next sweep, by one lane; its rotations are those of planes *LOW .. *HIGH - 1.
   Nonzero: there is none.  */
static __device__ int
leaf_sweep (int m, double eps, double floor, leaf_space *s, int *first,
            int *last, int *low, int *high)
{
  ql_sweep w = {};
  next_block (m, eps, floor, s->d, s->e, first, last);
  if (*first >= m)
    return 1;
  *low = *first;
  *high = *last;
  begin_sweep (*first, *last, s->d, s->e, &w);
  while (w.i >= *low)
    {
      const int i = w.i;
      rotate (*low, *high, eps, floor, s->d, s->e, &w);
      s->c[i] = w.c;
      s->s[i] = w.s;
    }
  end_sweep (first, last, eps, floor, s->d, s->e, &w);
  return 0;
}

/* QL on the leaf in S, by all lanes.  Nonzero: it did not converge.  */
template <typename TILE>
GE_DEVICE_INLINE int
leaf_solve (const TILE &tile, int m, double eps, double floor, int max_sweeps,
            leaf_space *s)
{
  const int lane = tile.thread_rank ();
  int first = 0, last = -1, low = 0, high = 0, done = 0;
  for (int sweeps = 0;; sweeps++)
    {
      if (lane == 0)
        done = leaf_sweep (m, eps, floor, s, &first, &last, &low, &high);
      done = tile.shfl (done, 0);
      low = tile.shfl (low, 0);
      high = tile.shfl (high, 0);
      tile.sync ();
      if (done || sweeps >= max_sweeps)
        return ! done;
      double above = s->z[high][lane];
      for (int i = high - 1; i >= low; i--)
        {
          const double c = s->c[i], t = s->s[i], below = s->z[i][lane];
          s->z[i + 1][lane] = fma (t, below, c * above);
          above = fma (c, below, -t * above);
        }
      s->z[low][lane] = above;
      tile.sync ();
    }
}

template <typename R> GE_KERNEL (BLOCK) leaf_kernel (divide_arguments<R> q)
{
  __shared__ leaf_space space[LEAVES];
  const auto tile = this_tile<LANES> ();
  const int n = q.n, lane = tile.thread_rank (), place = threadIdx.x / LANES;
  const int64_t task = (int64_t) blockIdx.x * LEAVES + place;
  const int64_t at = task >> q.levels;
  const int leaf = (int) (task - (at << q.levels));
  leaf_space *const s = space + place;
  if (at >= q.pages)
    return;
  const int start = ge_divide_start (n, q.levels, leaf);
  const int end = ge_divide_start (n, q.levels, leaf + 1), m = end - start;
  const double *const d = q.d + at * n, *const e = q.e + at * n;
  const double eps = ql_numbers<R>::eps;
  double norm = 0;
  for (int i = lane; i < n; i += LANES)
    norm = fmax (norm, fabs (d[i]) + (i > 0 ? fabs (e[i - 1]) : 0)
                           + (i < n - 1 ? fabs (e[i]) : 0));
  norm = cooperative_groups::reduce (tile, norm,
                                     cooperative_groups::greater<double> ());
  const int flipped = fabs (d[start]) > fabs (d[end - 1]);
  if (lane < m)
    {
      const int i = start + (flipped ? m - 1 - lane : lane);
      double x = d[i];
      if (i == start && start > 0)
        x -= fabs (e[start - 1]);
      if (i == end - 1 && end < n)
        x -= fabs (e[end - 1]);
      s->d[lane] = x;
      s->e[lane] = lane == m - 1 ? 0 : e[flipped ? i - 1 : i];
    }
  for (int c = 0; c < m; c++)
    s->z[c][lane] = lane == (flipped ? m - 1 - c : c);
  tile.sync ();
  const int failed
      = leaf_solve (tile, m, eps, 0x1p-20 * eps * norm, q.max_sweeps * m, s);
  if (lane == 0)
    {
      if (leaf == 0)
        q.page[at].floor = 8 * eps * norm;
      if (failed)
        q.page[at].status = GE_STACK_FAILED;
    }
  if (lane < m)
    {
      const double mine = s->d[lane];
      int rank = 0;
      for (int j = 0; j < m; j++)
        rank += s->d[j] < mine || (s->d[j] == mine && j < lane);
      s->rank[lane] = rank;
      const int64_t to = at * n + start + rank;
      q.value[to] = mine;
      q.first_row[to] = s->z[lane][0];
      q.last_row[to] = s->z[lane][m - 1];
    }
  tile.sync ();
  if (q.u && lane < m)
    for (int c = 0; c < m; c++)
      q.z[(at * n + start + s->rank[c]) * n + start + lane] = (R) s->z[c][lane];
}

template <typename R>
static gpueig_status
leaves (gpueig_context *ctx, const divide_arguments<R> *q)
{
  const int64_t tasks = q->pages << q->levels;
  GE_LAUNCH (leaf_kernel<R>, ge_blocks (tasks, LEAVES), BLOCK, 0, *q);
  return GPUEIG_OK;
}

/* Vectors of level 0 in FROM; Q is column-major, so that they must be row-major for a
   product with it.  */
template <typename T>
gpueig_status
ge_stack_divide (gpueig_context *ctx, const ge_stack<T> *s, int identity,
                 int *failed)
{
  typedef ge_real<T> R;
  const int64_t n = s->n, all = n * s->pages;
  const int levels = ge_divide_levels (s->n);
  /* the vectors of the levels in turn */
  const bool back = ! identity && ge_stack_goes_back<T> (ctx, n),
             multiplied = ! identity && ! back;
  R *last = (R *) (identity ? s->v
                   : back   ? s->q
                            : s->a),
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
  GE_TRY (leaves<R> (ctx, &q));
  for (int level = levels - 1; level >= 0; level--)
    {
      GE_TRY (ge_stack_divide_merge<R> (ctx, &q, level));
      if (! s->v)
        continue;
      const int rows = level == 0 && multiplied;
      const divide_factors<R> f = { rows ? DIVIDE_ROWS : DIVIDE_COLUMNS,
                                    s->n,
                                    level,
                                    n,
                                    rows ? s->u : from,
                                    rows ? from : s->u,
                                    to,
                                    NULL };
      GE_TRY (ge_stack_divide_products<R> (ctx, s->pages, &f));
      R *const next = from;
      from = to;
      to = next;
    }
  if constexpr (sizeof (R) == sizeof (double))
    if (s->v && back)
      GE_TRY (ge_stack_back<T> (ctx, s, from));
  if (s->v && multiplied)
    {
      const divide_factors<R> f = {
        DIVIDE_ALL,       s->n, 0,          n * (1 + is_complex<T>::value),
        (const R *) s->q, from, (R *) s->v, s->page
      };
      GE_TRY (ge_stack_divide_products<R> (ctx, s->pages, &f));
    }
  if (failed)
    {
      GE_TRY (ge_fetch (ctx, counts, s->unfinished, 2));
      *failed = counts[1];
    }
  ge_release (ctx, mark);
  return ge_check_interrupt (ctx);
}

GE_INSTANTIATE (ge_stack_divide)
