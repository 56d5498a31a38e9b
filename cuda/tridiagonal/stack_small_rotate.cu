/* Stacks of small orders: the recorded rotations applied to the columns of Q.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A thread has all columns of its ROWS rows in registers: the columns of each rotation are
   compile-time constants, and groups of GROUP rotations are skipped if no page of the warp
   has any in its sweep, so that no branch diverges.  The lanes of a page copy the rotations
   to shared memory DEPTH - 1 sweeps ahead.  */

#include "tridiagonal/stack.cuh"

#include "base/numbers.cuh"

#include <cuda_pipeline.h>

enum
{
  WARPS = 4,    /* of a block */
  GROUP = 4,    /* rotations */
  DEPTH = 4,    /* sweeps */
  TOGETHER = 8, /* columns that are stored */
  MOST_PARTS = 4,
  MANY = 12 /* a multiple of all numbers of parts */
};

template <typename R> struct small_pair;
template <> struct small_pair<double>
{
  typedef double2 type;
};
template <> struct small_pair<float>
{
  typedef float2 type;
};

template <typename R> struct small_rotate_arguments
{
  int n, rows; /* of a page; rows: 2 n for complex ones */
  int parts;   /* of the rows, each of which is taken for a page of its own, */
  int lanes;   /* with so many lanes */
  int64_t pages;
  int identity;
  R *z;
  const ge_stack_page *page;
  const typename small_pair<R>::type *rotations;
  const ge_stack_sweep *table;
  int table_size;
  const short *rank;
};

/* The shared memory of a page; SPACE: so that pages of a warp use different banks.  */
template <typename R, int N> struct small_ring
{
  typename small_pair<R>::type sweep[DEPTH][N];
  typename small_pair<R>::type space;
};

/* The rotations of a lane's page.  Lane l of the page has the sweeps l, l + LANES, ... of the
   table.  */
template <typename R> struct small_source
{
  const typename small_pair<R>::type
      *rotations;              /* the lane's of the next sweep */
  const ge_stack_sweep *table; /* the lane's that follows LATER */
  int left;                    /* sweeps from TABLE on */
  int lane, lanes;
  int first, mask; /* lane of the warp, and all bits; without a page 0 */
  int at;          /* of the next sweep in NOW */
  int now, later;  /* sweeps, see read_sweep */
};

/* Read the lane's next sweep: bits of FIRST, LAST and the groups of GROUP that it has.  */
enum
{
  ROW_BITS = 8
};
template <typename R>
GE_DEVICE_INLINE int
read_sweep (small_source<R> *from)
{
  int bits = 0;
  if (from->left > 0)
    {
      const int first = from->table->first, last = from->table->last,
                groups = ((1 << (last + GROUP - 1) / GROUP) - 1)
                         & -(1 << first / GROUP);
      bits = first | (last | groups << ROW_BITS) << ROW_BITS;
    }
  from->table += from->lanes * GE_STACK_TOGETHER;
  from->left -= from->lanes;
  return bits;
}

/* Copy the rotations of the next sweep to TO; others become identities.  Returns the groups of
   GROUP that the pages of the warp have in their sweeps, as bits.  */
template <typename R>
GE_DEVICE_INLINE int
bring_sweep (int n, small_source<R> *from, typename small_pair<R>::type *to)
{
  if (from->at == from->lanes)
    {
      from->at = 0;
      from->now = from->later;
      from->later = read_sweep (from);
    }
  const int sweep
      = this_warp ().shfl (from->now, from->first + from->at++) & from->mask;
  const int first = sweep & 255, last = sweep >> ROW_BITS & 255;
  const typename small_pair<R>::type *source = from->rotations;
  for (int i = from->lane; i < n; i += from->lanes)
    {
      if (i >= first && i < last)
        __pipeline_memcpy_async (to + i, source, sizeof *to);
      else
        {
          to[i].x = 1;
          to[i].y = 0;
        }
      source += from->lanes * GE_STACK_TOGETHER;
    }
  from->rotations += n * GE_STACK_TOGETHER;
  __pipeline_commit ();
  return tile_or<32> (sweep >> 2 * ROW_BITS);
}

/* Apply the rotations of a sweep, which has GROUPS.  */
template <typename R, int N, int ROWS>
GE_DEVICE_INLINE void
apply_sweep (const typename small_pair<R>::type *r, int groups, R (*w)[ROWS])
{
#pragma unroll
  for (int i = N - GROUP; i >= 0; i -= GROUP)
    if (groups >> i / GROUP & 1)
      {
        typename small_pair<R>::type g[GROUP];
#pragma unroll
        for (int u = GROUP - 1; u >= 0; u--)
          g[u] = r[i + u];
#pragma unroll
        for (int u = GROUP - 1; u >= 0; u--)
          if (i + u < N - 1)
#pragma unroll
            for (int k = 0; k < ROWS; k++)
              {
                const R low = w[i + u][k], high = w[i + u + 1][k];
                w[i + u][k] = fma (g[u].x, low, -g[u].y * high);
                w[i + u + 1][k] = fma (g[u].y, low, g[u].x * high);
              }
      }
}

/* Resident blocks per multiprocessor, by the number of registers for the rows.  */
static constexpr int
blocks_of (int registers)
{
  return registers <= 32 ? 6 : registers <= 48 ? 5 : registers <= 80 ? 4 : 3;
}

/* X, an address in shared memory, which the compiler does not compute again.  */
template <typename T>
GE_DEVICE_INLINE T *
kept_address (T *x)
{
  unsigned address = (unsigned) __cvta_generic_to_shared (x);
  asm volatile("" : "+r"(address));
  return (T *) __cvta_shared_to_generic (address);
}

template <typename R, int N, int ROWS>
GE_KERNEL (32 * WARPS, blocks_of (N *ROWS *(int) sizeof (R) / 4))
small_rotate_kernel (small_rotate_arguments<R> q)
{
  extern __shared__ double2 small_rings[];
  const ge_warp warp = this_warp ();
  const int n = q.n, rows = q.rows, lanes = q.lanes, fit = 32 / lanes;
  const int slot = min ((int) warp.thread_rank () / lanes, fit);
  const int lane = warp.thread_rank () - slot * lanes;
  const int64_t task
      = ((int64_t) blockIdx.x * WARPS + threadIdx.x / 32) * fit + slot;
  const int64_t at = task / q.parts;
  const int present = slot < fit && at < q.pages;
  const int top = (int) (task - at * q.parts) * lanes * ROWS + lane;
  /* Lanes without a page read what the last page of the warp has.  */
  small_ring<R, N> *const ring
      = kept_address ((small_ring<R, N> *) small_rings + threadIdx.x / 32 * fit
                      + min (slot, fit - 1));
  ge_stack_page page = {};
  page.recorded = -1;
  if (present)
    page = q.page[at];
  const int active = page.recorded >= 0 && page.status != GE_STACK_FAILED;
  const int64_t group = at / GE_STACK_TOGETHER * q.table_size,
                place = at % GE_STACK_TOGETHER;
  const int in_page = slot < fit ? lane : N;
  small_source<R> from
      = { q.rotations + (group * n + lane) * GE_STACK_TOGETHER + place,
          q.table + (group + lane) * GE_STACK_TOGETHER + place,
          active ? page.recorded - lane : 0,
          in_page,
          lanes,
          slot * lanes,
          -(slot < fit),
          0,
          0,
          0 };
  from.now = read_sweep (&from);
  from.later = read_sweep (&from);
  for (int i = n + in_page; i < N; i += lanes)
    for (int t = 0; t < DEPTH; t++)
      {
        ring->sweep[t][i].x = 1;
        ring->sweep[t][i].y = 0;
      }
  int groups[DEPTH - 1];
#pragma unroll
  for (int t = 0; t < DEPTH - 1; t++)
    groups[t] = bring_sweep (n, &from, ring->sweep[t]);
  R *const z = q.z + at * n * rows;
  R w[N][ROWS];
  const R *column = z + top + (page.flipped ? (n - 1) * rows : 0);
  const int step = page.flipped ? -rows : rows;
#pragma unroll
  for (int c = 0; c < N; c++)
    {
#pragma unroll
      for (int k = 0; k < ROWS; k++)
        {
          const int row = top + k * lanes;
          w[c][k] = 0;
          if (active && c < n && row < rows)
            w[c][k] = q.identity ? (R) (row == (page.flipped ? n - 1 - c : c))
                                 : column[k * lanes];
        }
      column += step;
    }
  const int most = tile_max<32> (active ? page.recorded : 0);
  for (int t = 0; t < most; t++)
    {
      const int here = groups[0];
      __pipeline_wait_prior (DEPTH - 2);
      warp.sync ();
#pragma unroll
      for (int k = 0; k < DEPTH - 2; k++)
        groups[k] = groups[k + 1];
      groups[DEPTH - 2]
          = bring_sweep (n, &from, ring->sweep[(t + DEPTH - 1) % DEPTH]);
      apply_sweep<R, N, ROWS> (ring->sweep[t % DEPTH], here, w);
    }
  if (! active)
    return;
  const short *const rank = q.rank + at * n;
  /* A few columns at a time, whose places need registers.  */
#pragma unroll
  for (int c0 = 0; c0 < N; c0 += TOGETHER)
    {
      int to[TOGETHER];
#pragma unroll
      for (int u = 0; u < TOGETHER; u++)
        {
          const int c = min (c0 + u, n - 1);
          to[u] = page.status == GE_STACK_DONE ? rank[c]
                  : page.flipped               ? n - 1 - c
                                               : c;
        }
#pragma unroll
      for (int u = 0; u < TOGETHER; u++)
#pragma unroll
        for (int k = 0; k < ROWS; k++)
          if (c0 + u < n && top + k * lanes < rows)
            /* Identities change -0 to 0, and depend on other pages.  */
            z[to[u] * rows + top + k * lanes] = w[c0 + u][k] + 0;
    }
}

template <typename R, int N, int ROWS>
static gpueig_status
launch (gpueig_context *ctx, small_rotate_arguments<R> q)
{
  /* The parts for which a warp has most pages; more parts copy more.  */
  const int all = (q.rows + ROWS - 1) / ROWS;
  for (int parts = 1, best = 0; parts <= MOST_PARTS; parts++)
    {
      const int lanes = (all + parts - 1) / parts,
                pages = 32 / lanes * (MANY / parts);
      if (10 * pages > 11 * best)
        {
          best = pages;
          q.parts = parts;
          q.lanes = lanes;
        }
    }
  const int each = 32 / q.lanes * WARPS;
  const int64_t blocks = (q.pages * q.parts + each - 1) / each;
  const size_t shared = (size_t) each * sizeof (small_ring<R, N>);
  GE_TRY (ge_one_launch (ctx, blocks, q.pages));
  GE_ALLOW_SHARED ((small_rotate_kernel<R, N, ROWS>), shared);
  GE_LAUNCH ((small_rotate_kernel<R, N, ROWS>), (unsigned) blocks, 32 * WARPS,
             shared, q);
  return GPUEIG_OK;
}

/* Chooses the rows per thread such that pages fill a warp and registers suffice.  */
template <typename R, int N>
static gpueig_status
launch_rows (gpueig_context *ctx, const small_rotate_arguments<R> &q)
{
  if constexpr (sizeof (R) == 4)
    return launch<R, N, (N == 24 ? 3 : N >= 32 ? 2 : 4)> (ctx, q);
  else if constexpr (N == 12)
    return q.rows > q.n ? launch<R, N, 3> (ctx, q) : launch<R, N, 2> (ctx, q);
  else
    return launch<R, N, (N == 16 || N >= 32 ? 1 : 2)> (ctx, q);
}

template <typename T>
gpueig_status
ge_stack_small_rotate (gpueig_context *ctx, const ge_stack<T> *s, int identity)
{
  typedef ge_real<T> R;
  typedef typename small_pair<R>::type pair;
  const small_rotate_arguments<R> q = { s->n,
                                        s->n * (1 + is_complex<T>::value),
                                        1,
                                        0,
                                        s->pages,
                                        identity,
                                        (R *) s->v,
                                        s->page,
                                        (const pair *) s->rotations,
                                        s->table,
                                        s->table_size,
                                        s->rank };
  if (s->n <= 8)
    return launch_rows<R, 8> (ctx, q);
  if (s->n <= 12)
    return launch_rows<R, 12> (ctx, q);
  if (s->n <= 16)
    return launch_rows<R, 16> (ctx, q);
  if (s->n <= 20)
    return launch_rows<R, 20> (ctx, q);
  if (s->n <= 24)
    return launch_rows<R, 24> (ctx, q);
  if (s->n <= 32)
    return launch_rows<R, 32> (ctx, q);
  if (s->n <= 40)
    return launch_rows<R, 40> (ctx, q);
  return launch_rows<R, 48> (ctx, q);
}

GE_INSTANTIATE (ge_stack_small_rotate)
