/* Stacks of small orders: the recorded rotations applied to the columns of Q.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As stack_rotate.cu, but a thread has all columns of its rows in registers: the
   place of a rotation is fixed in the code, and those in which a sweep has none
   are skipped a group at a time.  Threads do not work together, so those of a
   page may belong to two warps.  */

#include "tridiagonal/stack.cuh"

#include "base/numbers.cuh"

enum
{
  THREADS = 128,
  ROWS = 2, /* a thread: the rotations, which all load, are the same for both */
  GROUP = 4 /* rotations */
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
  int64_t pages;
  int identity;
  R *z;
  const ge_stack_page *page;
  const typename small_pair<R>::type *rotations;
  int capacity;
  const ge_stack_sweep *table;
  int table_size;
  const short *rank;
};

/* Those of the places I + GROUP - 1 down to I in sweep S, R the place 0's.  */
template <typename R>
static __device__ __forceinline__ void
load_group (const typename small_pair<R>::type *r, ge_stack_sweep s, int i,
            typename small_pair<R>::type *g)
{
#pragma unroll
  for (int u = 0; u < GROUP; u++)
    {
      g[u].x = 1;
      g[u].y = 0;
      if (i + u >= s.first && i + u < s.last)
        g[u] = r[-(i + u)];
    }
}

template <typename R, int N>
static __global__ void
__launch_bounds__ (THREADS) small_rotate_kernel (small_rotate_arguments<R> q)
{
  typedef typename small_pair<R>::type pair;
  /* The last place is N - 2.  */
  constexpr int LAST = (N - 2) / GROUP * GROUP;
  const int n = q.n, rows = q.rows;
  const int lanes = (rows + ROWS - 1) / ROWS, each = THREADS / lanes;
  const int slot = threadIdx.x / lanes, lane = threadIdx.x - slot * lanes;
  const int64_t at = (int64_t) blockIdx.x * each + slot;
  if (slot >= each || at >= q.pages)
    return;
  const ge_stack_page page = q.page[at];
  if (page.recorded < 0 || page.status == GE_STACK_FAILED)
    return;
  R *const z = q.z + at * n * rows;
  const pair *const rotations = q.rotations + at * q.capacity;
  const ge_stack_sweep *const table = q.table + at * q.table_size;
  /* GROUP more columns: places of the last group that do not exist.  */
  R w[N + GROUP][ROWS];
#pragma unroll
  for (int c = 0; c < N + GROUP; c++)
#pragma unroll
    for (int k = 0; k < ROWS; k++)
      {
        const int row = lane + k * lanes, from = page.flipped ? n - 1 - c : c;
        w[c][k] = 0;
        if (c < N && c < n && row < rows)
          w[c][k] = q.identity ? (R) (row == from) : z[from * rows + row];
      }
  for (int t = 0; t < page.recorded; t++)
    {
      const ge_stack_sweep s = table[t];
      const pair *const r = rotations + s.offset + s.last - 1;
      pair here[GROUP], next[GROUP];
      load_group<R> (r, s, LAST, here);
#pragma unroll
      for (int i = LAST; i >= 0; i -= GROUP)
        {
          if (i > 0)
            load_group<R> (r, s, i - GROUP, next);
          if (i < s.last && i + GROUP > s.first)
#pragma unroll
            for (int u = GROUP - 1; u >= 0; u--)
#pragma unroll
              for (int k = 0; k < ROWS; k++)
                {
                  const R low = w[i + u][k], high = w[i + u + 1][k];
                  w[i + u][k] = fma (here[u].x, low, -here[u].y * high);
                  w[i + u + 1][k] = fma (here[u].y, low, here[u].x * high);
                }
#pragma unroll
          for (int u = 0; u < GROUP; u++)
            here[u] = next[u];
        }
    }
  const short *const rank = q.rank + at * n;
  const int done = page.status == GE_STACK_DONE;
#pragma unroll
  for (int c = 0; c < N; c++)
    if (c < n)
      {
        const int to = done ? rank[c] : page.flipped ? n - 1 - c : c;
#pragma unroll
        for (int k = 0; k < ROWS; k++)
          if (lane + k * lanes < rows)
            z[to * rows + lane + k * lanes] = w[c][k];
      }
}

template <typename R, int N>
static gpueig_status
launch (gpueig_context *ctx, const small_rotate_arguments<R> &q)
{
  const int each = THREADS / ((q.rows + ROWS - 1) / ROWS);
  const int64_t blocks = (q.pages + each - 1) / each;
  if (blocks > INT32_MAX)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "%lld pages are too many for one launch",
                        (long long) q.pages);
  GE_LAUNCH_AS ("small_rotate_kernel", (small_rotate_kernel<R, N>),
                (unsigned) blocks, THREADS, 0, ge_cuda_of (ctx)->stream)
  (q);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_stack_small_rotate (gpueig_context *ctx, const ge_stack<T> *s, int identity)
{
  typedef typename real_of<T>::type R;
  typedef typename small_pair<R>::type pair;
  const small_rotate_arguments<R> q = { s->n,
                                        s->n * (1 + is_complex<T>::value),
                                        s->pages,
                                        identity,
                                        (R *) s->v,
                                        s->page,
                                        (const pair *) s->rotations,
                                        s->capacity,
                                        s->table,
                                        s->table_size,
                                        s->rank };
  if (s->n <= 8)
    return launch<R, 8> (ctx, q);
  if (s->n <= 12)
    return launch<R, 12> (ctx, q);
  if (s->n <= 16)
    return launch<R, 16> (ctx, q);
  if (s->n <= 20)
    return launch<R, 20> (ctx, q);
  if (s->n <= 24)
    return launch<R, 24> (ctx, q);
  return launch<R, 32> (ctx, q);
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_stack_small_rotate (gpueig_context *,              \
                                                const ge_stack<T> *, int);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
