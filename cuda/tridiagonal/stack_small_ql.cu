/* Stacks of small orders: implicit QL, one page per lane.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The lanes of a warp begin their sweeps together: short sweeps wait for longer ones,
   but the code before and after a sweep runs only once for all lanes.  Rotations are
   stored by sweep, then index, then page (of GE_STACK_TOGETHER), so that lanes write
   adjacent elements.  */

#include "tridiagonal/stack_ql.cuh"

enum
{
  LANES = GE_STACK_TOGETHER
};

template <typename R, int VECTORS>
static __device__ void
iterate (const ql_arguments<R> &q, int64_t at, double *d, double *e,
         ge_stack_page *page)
{
  typedef typename ql_numbers<R>::pair pair;
  const int n = q.n;
  const double eps = ql_numbers<R>::eps, floor = page->floor;
  const int64_t group = at / LANES * q.table_size, slot = at % LANES;
  pair *out = q.rotations + group * n * LANES + slot;
  ge_stack_sweep *const table = q.table + group * LANES + slot;
  int first = page->first, last = page->last, recorded = 0;
  int sweeps = page->sweeps;
  ge_stack_status status = GE_STACK_RUNNING;
  for (;;)
    {
      next_block (n, eps, floor, d, e, &first, &last);
      if (first >= n)
        {
          status = GE_STACK_DONE;
          break;
        }
      if (sweeps >= q.max_sweeps)
        {
          status = GE_STACK_FAILED;
          break;
        }
      if (VECTORS && recorded == q.table_size)
        break;
      if (VECTORS)
        table[recorded * LANES] = { (short) first, (short) last };
      recorded++;
      sweeps++;
      ql_sweep w = {};
      begin_sweep (first, last, d, e, &w);
      do
        {
          const int i = w.i;
          rotate (first, last, eps, floor, d, e, &w);
          if (VECTORS)
            {
              out[i * LANES].x = (R) w.c;
              out[i * LANES].y = (R) w.s;
            }
        }
      while (w.i >= first);
      end_sweep (&first, &last, eps, floor, d, e, &w);
      out += n * LANES;
    }
  page->first = first;
  page->last = last;
  page->sweeps = sweeps;
  page->recorded = recorded;
  page->status = status;
}

/* Before the first round: whether the rows are reversed, and the limit below which an
   off-diagonal element counts as zero.  */
template <typename R>
static __device__ void
start_page (const ql_arguments<R> &q, int64_t at, const double *d,
            const double *e, ge_stack_page *page)
{
  const int n = q.n;
  double norm = 0;
  for (int i = 0; i < n; i++)
    norm = fmax (norm, fmax (fabs (d[i]), fabs (e[i])));
  page->flipped = fabs (q.d[at * n]) > fabs (q.d[at * n + n - 1]);
  page->started = 1;
  page->floor = 0x1p-20 * ql_numbers<R>::eps * norm;
  page->first = 0;
  page->last = -1;
  page->sweeps = 0;
}

/* Sort D in ascending order, stably, to E; RANK: the new positions.  */
static __device__ void
sort_values (int n, const double *d, double *e, short *rank)
{
  for (int i = 0; i < n; i++)
    {
      const double mine = d[i];
      int to = 0;
#pragma unroll 4
      for (int j = 0; j < i; j++)
        to += d[j] <= mine;
#pragma unroll 4
      for (int j = i + 1; j < n; j++)
        to += d[j] < mine;
      e[to] = mine;
      rank[i] = (short) to;
    }
}

template <typename R, int VECTORS>
GE_KERNEL (LANES)
small_ql_kernel (ql_arguments<R> q)
{
  extern __shared__ double ql_space[];
  __shared__ int status[LANES], exponent[LANES];
  const ge_warp warp = this_warp ();
  /* An odd stride, so that the pages use different banks.  */
  const int n = q.n, lane = warp.thread_rank (), size = 2 * n + 1;
  short *const ranks = (short *) (ql_space + LANES * size);
  const int64_t first = (int64_t) blockIdx.x * LANES, at = first + lane;
  const int count = (int) min ((int64_t) LANES, q.pages - first);
  double *const gd = q.d + first * n, *const ge = q.e + first * n;
  /* 0: the page is not solved; 2: its rows are reversed.  */
  status[lane] = 0;
  if (lane < count)
    {
      const int waits = q.page[at].status == GE_STACK_RUNNING,
                starts = ! q.page[at].started;
      const double top = gd[lane * n], bottom = gd[lane * n + n - 1];
      status[lane] = ! waits ? 0 : starts && fabs (top) > fabs (bottom) ? 2 : 1;
    }
  warp.sync ();
#pragma unroll 4
  for (int k = lane; k < count * n; k += LANES)
    {
      const int p = k / n, i = k - p * n, turn = status[p] == 2;
      double *const d = ql_space + p * size, *const e = d + n;
      const double on = gd[k], off = i == n - 1 ? 0 : ge[k];
      if (status[p])
        {
          d[turn ? n - 1 - i : i] = on;
          e[turn && i < n - 1 ? n - 2 - i : i] = off;
        }
    }
  warp.sync ();
  status[lane] = GE_STACK_FAILED; /* nothing to store */
  if (lane < count)
    {
      double *const d = ql_space + lane * size, *const e = d + n;
      ge_stack_page page = q.page[at];
      if (page.status == GE_STACK_RUNNING)
        {
          if (! page.started)
            start_page (q, at, d, e, &page);
          iterate<R, VECTORS> (q, at, d, e, &page);
          if (page.status == GE_STACK_RUNNING)
            atomicAdd (q.unfinished, 1);
          if (page.status == GE_STACK_FAILED)
            atomicAdd (q.unfinished + 1, 1);
          if (page.status == GE_STACK_DONE)
            sort_values (n, d, e, ranks + lane * n);
          status[lane] = page.status;
          exponent[lane] = page.exponent;
        }
      else
        page.recorded = -1;
      q.page[at] = page;
    }
  warp.sync ();
  for (int k = lane; k < count * n; k += LANES)
    {
      const int p = k / n, i = k - p * n;
      const double *const d = ql_space + p * size, *const e = d + n;
      if (status[p] == GE_STACK_DONE)
        {
          q.lambda[first * n + k] = (R) ldexp (e[i], exponent[p]);
          q.rank[first * n + k] = ranks[k];
        }
      else if (status[p] == GE_STACK_RUNNING)
        {
          gd[k] = d[i];
          ge[k] = e[i];
        }
    }
}

template <typename R, int VECTORS>
static gpueig_status
launch (gpueig_context *ctx, const ql_arguments<R> &q)
{
  const size_t shared = (size_t) LANES
                        * ((size_t) (2 * q.n + 1) * sizeof (double)
                           + (size_t) q.n * sizeof (short));
  const int64_t blocks = (q.pages + LANES - 1) / LANES;
  GE_LAUNCH ((small_ql_kernel<R, VECTORS>), (unsigned) blocks, LANES, shared,
             q);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_stack_small_ql (gpueig_context *ctx, const ge_stack<T> *s)
{
  typedef ge_real<T> R;
  const ql_arguments<R> q = ql_arguments_of<T> (s);
  return s->v ? launch<R, 1> (ctx, q) : launch<R, 0> (ctx, q);
}

GE_INSTANTIATE (ge_stack_small_ql)
