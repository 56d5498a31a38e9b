/* Stacks: implicit QL for the tridiagonal matrices, rotations recorded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One lane of a tile runs QL on a page in shared memory, see stack_ql.cuh; the others
   take part in loading, sorting and storing.  */

#include "tridiagonal/stack_ql.cuh"

#include <cooperative_groups/reduce.h>

enum
{
  BLOCK = 64
};

/* QL on a page by one lane, until it is done, fails, or there is no space for
   another sweep's rotations.  */
template <typename R, int VECTORS>
static __device__ void
iterate (const ql_arguments<R> &q, int64_t at, double *d, double *e,
         ge_stack_page *page)
{
  const int n = q.n;
  const double eps = ql_numbers<R>::eps, floor = page->floor;
  typename ql_numbers<R>::pair *out = q.rotations + at * q.capacity;
  ge_stack_sweep *table = q.table + at * q.table_size;
  int first = page->first, last = page->last, used = 0, recorded = 0;
  int sweeps = page->sweeps, rotating = 0;
  ge_stack_status status = GE_STACK_RUNNING;
  ql_sweep w = {};
  for (;;)
    if (rotating)
      {
        rotate (first, last, eps, floor, d, e, &w);
        if (VECTORS)
          {
            out[used].x = (R) w.c;
            out[used].y = (R) w.s;
            used++;
          }
        if (w.i < first)
          {
            end_sweep (&first, &last, eps, floor, d, e, &w);
            rotating = 0;
          }
      }
    else
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
        if (VECTORS
            && (used + last - first > q.capacity || recorded == q.table_size))
          break;
        if (VECTORS)
          {
            table[recorded].offset = used;
            table[recorded].first = (short) first;
            table[recorded].last = (short) last;
            recorded++;
          }
        sweeps++;
        begin_sweep (first, last, d, e, &w);
        rotating = 1;
      }
  page->first = first;
  page->last = last;
  page->sweeps = sweeps;
  page->recorded = recorded;
  page->status = status;
}

/* Ranks of the eigenvalues D in ascending order, equal ones by index.  */
template <typename R, typename TILE>
static __device__ void
sort_values (const TILE &tile, const ql_arguments<R> &q, int64_t at,
             const double *d, int exponent)
{
  const int n = q.n;
  for (int i = tile.thread_rank (); i < n; i += tile.size ())
    {
      const double mine = d[i];
      int rank = 0;
      for (int j = 0; j < n; j++)
        rank += d[j] < mine || (d[j] == mine && j < i);
      q.rank[at * n + i] = (short) rank;
      q.lambda[at * n + rank] = (R) ldexp (mine, exponent);
    }
}

template <typename R, int LANES, int VECTORS>
static __global__ void
__launch_bounds__ (BLOCK) ql_kernel (ql_arguments<R> q)
{
  extern __shared__ double ql_space[];
  const auto tile = cooperative_groups::tiled_partition<LANES> (
      cooperative_groups::this_thread_block ());
  const int n = q.n, place = threadIdx.x / LANES, lane = tile.thread_rank ();
  const int64_t at = (int64_t) blockIdx.x * (BLOCK / LANES) + place;
  /* Odd distance: the pages of a warp use different banks.  */
  double *d = ql_space + place * (2 * n + 1), *e = d + n;
  if (at >= q.pages)
    return;
  ge_stack_page page = q.page[at];
  if (page.status != GE_STACK_RUNNING)
    {
      if (lane == 0)
        q.page[at].recorded = -1;
      return;
    }
  double *const gd = q.d + at * n, *const ge = q.e + at * n;
  if (! page.started)
    page.flipped = fabs (gd[0]) > fabs (gd[n - 1]);
  const int turn = ! page.started && page.flipped;
  double norm = 0;
  for (int i = lane; i < n; i += LANES)
    {
      d[i] = gd[turn ? n - 1 - i : i];
      e[i] = i == n - 1 ? 0 : ge[turn ? n - 2 - i : i];
      norm = fmax (norm, fmax (fabs (d[i]), fabs (e[i])));
    }
  norm = cooperative_groups::reduce (tile, norm,
                                     cooperative_groups::greater<double> ());
  if (! page.started)
    {
      page.started = 1;
      page.floor = 0x1p-20 * ql_numbers<R>::eps * norm;
      page.first = 0;
      page.last = -1;
      page.sweeps = 0;
    }
  tile.sync ();
  if (lane == 0)
    {
      iterate<R, VECTORS> (q, at, d, e, &page);
      q.page[at] = page;
      if (page.status == GE_STACK_RUNNING)
        atomicAdd (q.unfinished, 1);
      if (page.status == GE_STACK_FAILED)
        atomicAdd (q.unfinished + 1, 1);
    }
  const int status = tile.shfl ((int) page.status, 0);
  tile.sync ();
  if (status == GE_STACK_DONE)
    sort_values<R> (tile, q, at, d, page.exponent);
  else if (status == GE_STACK_RUNNING)
    for (int i = lane; i < n; i += LANES)
      {
        gd[i] = d[i];
        ge[i] = e[i];
      }
}

template <typename R, int LANES, int VECTORS>
static gpueig_status
launch_ql (gpueig_context *ctx, const ql_arguments<R> &q)
{
  constexpr int each = BLOCK / LANES;
  static_assert (each * (2 * GE_STACK_BASIS + 1) * sizeof (double)
                     <= GE_LEAST_SHARED,
                 "the largest order");
  const size_t shared = (size_t) each * (2 * q.n + 1) * sizeof (double);
  const int64_t blocks = (q.pages + each - 1) / each;
  GE_ALLOW_SHARED ((ql_kernel<R, LANES, VECTORS>), shared);
  GE_LAUNCH_AS ("ql_kernel", (ql_kernel<R, LANES, VECTORS>), (unsigned) blocks,
                BLOCK, shared, ge_cuda_of (ctx)->stream)
  (q);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_stack_ql (gpueig_context *ctx, const ge_stack<T> *s)
{
  typedef typename real_of<T>::type R;
  const ql_arguments<R> q = ql_arguments_of<T> (s);
  /* Few pages: one warp per page.  Many: several pages per warp, since an
     instruction of one lane takes the time of a whole warp.  */
  const int64_t pages = s->pages / ge_cuda_of (ctx)->multiprocessors;
  if (pages < 12)
    return s->v ? launch_ql<R, 32, 1> (ctx, q) : launch_ql<R, 32, 0> (ctx, q);
  if (pages < 48)
    return s->v ? launch_ql<R, 8, 1> (ctx, q) : launch_ql<R, 8, 0> (ctx, q);
  return s->v ? launch_ql<R, 4, 1> (ctx, q) : launch_ql<R, 4, 0> (ctx, q);
}

template gpueig_status ge_stack_ql (gpueig_context *, const ge_stack<float> *);
template gpueig_status ge_stack_ql (gpueig_context *, const ge_stack<double> *);
template gpueig_status ge_stack_ql (gpueig_context *,
                                    const ge_stack<cuComplex> *);
template gpueig_status ge_stack_ql (gpueig_context *,
                                    const ge_stack<cuDoubleComplex> *);
