/* Stacks: the recorded rotations applied to the columns of Q.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Rows are independent of each other; a complex matrix is a real one with twice
   as many rows.  A block has some rows of a page in shared memory.  Sweeps are applied
   in groups of WAVE: at step x sweep t of the group rotates columns x + 2 t and
   x + 2 t + 1, two columns behind sweep t - 1, so that a thread has 2 WAVE
   neighbouring columns of its row in registers, loads and stores one number per step,
   and has WAVE independent rotations (wavefronts as in Van Zee, van de Geijn and
   Quintana-Orti, ACM TOMS 40 (2014), 18).  */

#include "tridiagonal/stack.cuh"

#include "base/numbers.cuh"

enum
{
  MOST_WARPS = 4
};

/* Columns of zeros on both sides; one more than sweeps reach, for the number that
   is loaded ahead.  */
#define MARGIN_OF(WAVE) (2 * (WAVE) -1)

/* Steps whose rotations are staged at a time: with 8 sweeps a group little enough
   for three blocks of 256 columns a multiprocessor.  */
#define STEPS_OF(WAVE) ((WAVE) == 8 ? 12 : 32)

/* Dynamic shared memory of a block, at most: then two share a multiprocessor where it
   has more than twice as much.  */
#define SHARED_BYTES ((size_t) 108000)

template <typename R> struct rotation_pair;
template <> struct rotation_pair<double>
{
  typedef double2 type;
};
template <> struct rotation_pair<float>
{
  typedef float2 type;
};

template <typename R> struct rotate_arguments
{
  int n, rows; /* of a page; rows: 2 n for complex ones */
  int chunks;  /* blocks per page */
  int identity;
  R *z;
  const ge_stack_page *page;
  const typename rotation_pair<R>::type *rotations;
  int capacity;
  const ge_stack_sweep *table;
  int table_size;
  const short *rank;
};

/* The steps of the group of sweeps that begins at FROM: from *HIGH down to
   *LOW.  */
template <int WAVE>
GE_DEVICE_INLINE void
group_range (const ge_stack_sweep *table, int sweeps, int from, int *high,
             int *low)
{
  *high = -2 * WAVE;
  *low = 1 << 20;
#pragma unroll
  for (int t = 0; t < WAVE; t++)
    if (from + t < sweeps)
      {
        const ge_stack_sweep s = table[from + t];
        *high = max (*high, s.last - 1 - 2 * t);
        *low = min (*low, s.first - 2 * t);
      }
}

/* Entry K of a stage's rotations from step X down.  */
template <typename R, int WAVE>
GE_DEVICE_INLINE typename rotation_pair<R>::type
rotation_at (const typename rotation_pair<R>::type *rotations,
             const ge_stack_sweep *table, int sweeps, int from, int x, int k)
{
  const int t = k % WAVE, i = x - k / WAVE + 2 * t;
  typename rotation_pair<R>::type r;
  r.x = 1;
  r.y = 0;
  if (from + t < sweeps)
    {
      const ge_stack_sweep s = table[from + t];
      if (i >= s.first && i < s.last)
        r = rotations[s.offset + s.last - 1 - i];
    }
  return r;
}

/* A thread's own rows, FIRST and every 32nd after it, of all columns of the page to
   TILE, SIZE rows a column, and back.  */
template <typename R, int ROWS, int MARGIN>
GE_DEVICE_INLINE void
load_rows (const rotate_arguments<R> &q, int flipped, const R *z, int first,
           int size, R *tile)
{
  const int n = q.n, rows = q.rows;
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    {
      const int row = first + 32 * k, there = min (row, rows - 1);
      R *to = tile + 32 * k;
      for (int c = 0; c < MARGIN; c++)
        to[c * size] = to[(MARGIN + n + c) * size] = 0;
#pragma unroll 8
      for (int c = 0; c < n; c++)
        {
          const int from = flipped ? n - 1 - c : c;
          const R x = q.identity ? (R) (row == from)
                                 : z[(int64_t) from * rows + there];
          to[(MARGIN + c) * size] = row < rows ? x : (R) 0;
        }
    }
}

template <typename R, int ROWS, int MARGIN>
GE_DEVICE_INLINE void
store_rows (const rotate_arguments<R> &q, const ge_stack_page &page,
            const short *rank, R *z, int first, int size, const R *tile)
{
  const int n = q.n, done = page.status == GE_STACK_DONE;
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    if (first + 32 * k < q.rows)
#pragma unroll 4
      for (int c = 0; c < n; c++)
        {
          const int to = done ? rank[c] : page.flipped ? n - 1 - c : c;
          z[(int64_t) to * q.rows + first + 32 * k]
              = tile[(MARGIN + c) * size + 32 * k];
        }
}

/* ROWS rows per thread, those with the same lane number of ROWS pieces of 32.  */
template <typename R, int ROWS, int WAVE> struct window
{
  R w[2 * WAVE][ROWS];
  R ahead[ROWS]; /* of the next column */
};

template <typename R, int ROWS, int WAVE>
GE_DEVICE_INLINE void
rotate_step (window<R, ROWS, WAVE> *v, const typename rotation_pair<R>::type *r,
             R *column, int size)
{
  constexpr int WINDOW = 2 * WAVE;
  typename rotation_pair<R>::type rotation[WAVE];
#pragma unroll
  for (int t = 0; t < WAVE; t++)
    rotation[t] = r[t];
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    {
      v->w[0][k] = v->ahead[k];
      v->ahead[k] = column[32 * k - size];
    }
#pragma unroll
  for (int t = 0; t < WAVE; t++)
#pragma unroll
    for (int k = 0; k < ROWS; k++)
      {
        const R low = v->w[2 * t][k], high = v->w[2 * t + 1][k];
        v->w[2 * t][k] = fma (rotation[t].x, low, -rotation[t].y * high);
        v->w[2 * t + 1][k] = fma (rotation[t].y, low, rotation[t].x * high);
      }
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    column[(WINDOW - 1) * size + 32 * k] = v->w[WINDOW - 1][k];
#pragma unroll
  for (int c = WINDOW - 1; c > 0; c--)
#pragma unroll
    for (int k = 0; k < ROWS; k++)
      v->w[c][k] = v->w[c - 1][k];
}

template <typename R, int ROWS, int WAVE>
static __global__ void __launch_bounds__ (32 * MOST_WARPS)
    rotate_kernel (rotate_arguments<R> q)
{
  constexpr int WINDOW = 2 * WAVE, MARGIN = MARGIN_OF (WAVE);
  constexpr int STEPS = STEPS_OF (WAVE);
  typedef typename rotation_pair<R>::type pair;
  /* Entries of a stage that a thread loads if there is one warp.  */
  constexpr int MINE = STEPS * WAVE / 32;
  extern __shared__ double2 rotate_space[];
  __shared__ pair stage[2][STEPS * WAVE];
  const int64_t at = blockIdx.x / q.chunks;
  const int size = ROWS * blockDim.x;
  const int row = (int) (blockIdx.x % q.chunks) * size;
  const ge_stack_page page = q.page[at];
  if (page.recorded < 0 || page.status == GE_STACK_FAILED)
    return;
  R *const tile = (R *) rotate_space;
  R *const z = q.z + at * q.n * q.rows;
  const pair *rotations = q.rotations + at * q.capacity;
  const ge_stack_sweep *table = q.table + at * q.table_size;
  const int sweeps = page.recorded;
  /* No other thread reads or writes a thread's rows.  */
  const int place = threadIdx.x / 32 * (32 * ROWS) + threadIdx.x % 32;
  R *const mine = tile + place;
  const int active = row + place - (int) (threadIdx.x % 32) < q.rows;
  if (active)
    load_rows<R, ROWS, MARGIN> (q, page.flipped, z, row + place, size, mine);

  window<R, ROWS, WAVE> v = {};
  int from = 0, x, low, buffer = 0, begins = 1;
  pair next[MINE];
  group_range<WAVE> (table, sweeps, 0, &x, &low);
  for (int k = 0, at_k = threadIdx.x; k < MINE; k++, at_k += blockDim.x)
    if (at_k < STEPS * WAVE && sweeps > 0)
      stage[0][at_k]
          = rotation_at<R, WAVE> (rotations, table, sweeps, 0, x, at_k);
  __syncthreads ();
  while (from < sweeps)
    {
      const int steps = min (STEPS, x - low + 1), ends = x - steps < low;
      int next_from = from, next_x = x - steps, next_low = low;
      if (ends)
        {
          next_from = from + WAVE;
          group_range<WAVE> (table, sweeps, next_from, &next_x, &next_low);
        }
#pragma unroll
      for (int k = 0; k < MINE; k++)
        {
          const int at_k = threadIdx.x + k * blockDim.x;
          if (at_k < STEPS * WAVE && next_from < sweeps)
            next[k] = rotation_at<R, WAVE> (rotations, table, sweeps, next_from,
                                            next_x, at_k);
        }
      if (active)
        {
          R *column = mine + (MARGIN + x) * size;
          if (begins)
#pragma unroll
            for (int k = 0; k < ROWS; k++)
              {
                v.ahead[k] = column[32 * k];
#pragma unroll
                for (int c = 1; c < WINDOW; c++)
                  v.w[c][k] = column[c * size + 32 * k];
              }
#pragma unroll 4
          for (int k = 0; k < steps; k++, column -= size)
            rotate_step<R, ROWS, WAVE> (&v, stage[buffer] + k * WAVE, column,
                                        size);
          if (ends)
#pragma unroll
            for (int c = 1; c < WINDOW; c++)
#pragma unroll
              for (int k = 0; k < ROWS; k++)
                column[c * size + 32 * k] = v.w[c][k];
        }
      buffer ^= 1;
#pragma unroll
      for (int k = 0; k < MINE; k++)
        {
          const int at_k = threadIdx.x + k * blockDim.x;
          if (at_k < STEPS * WAVE && next_from < sweeps)
            stage[buffer][at_k] = next[k];
        }
      __syncthreads ();
      from = next_from;
      x = next_x;
      low = next_low;
      begins = ends;
    }
  if (active)
    store_rows<R, ROWS, MARGIN> (q, page, q.rank + at * q.n, z, row + place,
                                 size, mine);
}

template <typename R, int ROWS, int WAVE>
static gpueig_status
launch_rotate (gpueig_context *ctx, rotate_arguments<R> *q, int64_t pages,
               int most)
{
  const int pieces = (q->rows + 32 * ROWS - 1) / (32 * ROWS);
  const size_t each = (size_t) (q->n + 2 * MARGIN_OF (WAVE)) * 32 * ROWS
                      * sizeof (R); /* a warp */
  constexpr size_t stages
      = 2 * STEPS_OF (WAVE) * WAVE * sizeof (typename rotation_pair<R>::type);
  const size_t there = ge_cuda_of (ctx)->shared_per_block - stages;
  int warps = (int) ((there < SHARED_BYTES ? there : SHARED_BYTES) / each);
  warps = warps < 1 ? 1 : warps > most ? most : warps;
  warps = warps > pieces ? pieces : warps;
  /* As few as give the same number of blocks.  */
  q->chunks = (pieces + warps - 1) / warps;
  warps = (pieces + q->chunks - 1) / q->chunks;
  const size_t shared = each * (size_t) warps;
  if (pages * q->chunks > INT32_MAX)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "%lld pages are too many for one launch",
                        (long long) pages);
  GE_ALLOW_SHARED ((rotate_kernel<R, ROWS, WAVE>), shared);
  GE_LAUNCH_AS ("rotate_kernel", (rotate_kernel<R, ROWS, WAVE>),
                (unsigned) (pages * q->chunks), 32 * warps, shared,
                ge_cuda_of (ctx)->stream)
  (*q);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_stack_rotate (gpueig_context *ctx, const ge_stack<T> *s, int identity)
{
  typedef typename real_of<T>::type R;
  typedef typename rotation_pair<R>::type pair;
  rotate_arguments<R> q = { s->n,
                            s->n * (1 + is_complex<T>::value),
                            0,
                            identity,
                            (R *) s->v,
                            s->page,
                            (const pair *) s->rotations,
                            s->capacity,
                            s->table,
                            s->table_size,
                            s->rank };
  constexpr int ROWS = sizeof (R) == 4 ? 2 : 1;
  if (s->n <= 64)
    return launch_rotate<R, ROWS, 4> (ctx, &q, s->pages, MOST_WARPS);
  /* Rows of larger pages: less shared memory a warp.  */
  if constexpr (ROWS > 1)
    if (s->n > GE_STACK_ORDER)
      return launch_rotate<R, 1, 8> (ctx, &q, s->pages, MOST_WARPS);
  return launch_rotate<R, ROWS, 8> (ctx, &q, s->pages, MOST_WARPS);
}

template gpueig_status ge_stack_rotate (gpueig_context *,
                                        const ge_stack<float> *, int);
template gpueig_status ge_stack_rotate (gpueig_context *,
                                        const ge_stack<double> *, int);
template gpueig_status ge_stack_rotate (gpueig_context *,
                                        const ge_stack<cuComplex> *, int);
template gpueig_status ge_stack_rotate (gpueig_context *,
                                        const ge_stack<cuDoubleComplex> *, int);
