/* 1-norms of a tridiagonal matrix and of its inverse on the GPU, for rcond.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Kernel
   sum_rows sums the rows of every thread and scans within blocks; kernel
   find_norms scans the sums of the blocks and computes the norms.  Both run on
   the side stream, concurrently with the kernel that writes X and saturates the
   memory, so loads have a long latency: the number of dependent loads
   determines their time.  */

#include "tdinv/sums.cuh"

enum
{
  THREADS = 128,
  MAX_BLOCKS = 1024
};

template <typename T> struct norm_data
{
  tdinv_factors<ge_real<T>> f;
  const T *c, *a, *b;
  int64_t rows; /* of a thread */
  int blocks;
  /* Sums down and up the rows: by thread, inclusive scan within its block; and
     of whole blocks.  */
  run_of_sums *down, *up, *down_ends, *up_ends;
  ge_size *above;       /* part above the diagonal of the column norms of X */
  partial_norms *parts; /* of blocks */
  tdinv_result *result;
};

template <typename R>
static __device__ ge_size
size_row (const tdinv_row_factor<R> *f, int64_t j)
{
  double re = f->re[j], im = f->im ? f->im[j] : 0;
  return size_of (f->im ? sqrt (re * re + im * im) : fabs (re),
                  f->e[j] + f->top[j / TDINV_GROUP]);
}

template <typename R>
static __device__ ge_size
size_column (const tdinv_column_factor<R> *f, int64_t j)
{
  double re = f->re[j], im = f->im ? f->im[j] : 0;
  return size_of (f->im ? sqrt (re * re + im * im) : fabs (re), f->e[j]);
}

/* Add row J to the sum of |u| down the rows.  */
template <typename R>
static __device__ void
add_above (const tdinv_factors<R> *f, int64_t j, run_of_sums *r)
{
  if (f->above[j] == j)
    {
      r->sum = size_of (0, 0);
      r->begins = 1;
    }
  r->sum = size_add (r->sum, size_row (&f->u, j));
}

/* Add row J + 1 to the sum of |p| up the rows.  */
template <typename R>
static __device__ void
add_below (const tdinv_factors<R> *f, int64_t j, run_of_sums *r)
{
  if (j == f->n - 1 || f->below[j + 1] == j + 1)
    {
      r->sum = size_of (0, 0);
      r->begins = 1;
    }
  else
    r->sum = size_add (r->sum, size_row (&f->p, j + 1));
}

/* Contributions of row J: the 1-norm of column j of T, and sum |X(j, i) T(i,
   j)|.  */
template <typename T, typename R>
static __device__ void
add_row (const tdinv_factors<R> *f, const T *c, const T *a, const T *b,
         int64_t j, ge_size *norm, ge_size *condition)
{
  ge_size size = size_entry (a[j]), column = size;
  ge_size u = size_row (&f->u, j);
  ge_size sum = size_mul (size, size_mul (u, size_column (&f->v, j)));
  if (j > 0)
    column = size_add (column, size_entry (b[j - 1]));
  if (j < f->n - 1)
    {
      column = size_add (column, size_entry (c[j]));
      if (f->below[j + 1] <= j)
        sum = size_add (sum, size_mul (size_entry (b[j]),
                                       size_mul (size_row (&f->p, j + 1),
                                                 size_column (&f->q, j))));
      if (f->above[j + 1] <= j)
        sum = size_add (sum,
                        size_mul (size_entry (c[j]),
                                  size_mul (u, size_column (&f->v, j + 1))));
    }
  *norm = size_max (*norm, column);
  *condition = size_add (*condition, sum);
}

/* Inclusive scan over the block in the order of AT, the position of the calling
   thread.  */
static __device__ run_of_sums
scan (run_of_sums mine, int at, run_of_sums *shared)
{
  for (int distance = 1; distance < THREADS; distance *= 2)
    {
      shared[at] = mine;
      __syncthreads ();
      if (at >= distance)
        mine = join (mine, shared[at - distance]);
      __syncthreads ();
    }
  return mine;
}

/* The sum over COUNT block sums, the first at ENDS, the others STEP apart; the
   result is in all threads.  */
static __device__ run_of_sums
sum_blocks (const run_of_sums *ends, int count, int step, run_of_sums *shared)
{
  run_of_sums r = { size_of (0, 0), 0 };
  const int share = (count + THREADS - 1) / THREADS;
  const int from = (int) threadIdx.x * share, to = from + share;
  for (int m = from; m < to && m < count; m++)
    r = join (ends[m * step], r);
  r = scan (r, threadIdx.x, shared);
  if (threadIdx.x == THREADS - 1)
    shared[0] = r;
  __syncthreads ();
  r = shared[0];
  __syncthreads ();
  return r;
}

/* Sums of |u| and |p| of D.ROWS consecutive rows per thread, scanned within every
   block of THREADS threads.  Shared memory holds the scan.  */
template <typename T> GE_KERNEL (THREADS) sum_rows (norm_data<T> d)
{
  __shared__ run_of_sums shared[THREADS];
  const int t = threadIdx.x, k = blockIdx.x * THREADS + t;
  const int64_t from = k * d.rows;
  const int64_t to = from + d.rows < d.f.n ? from + d.rows : d.f.n;
  run_of_sums down = { size_of (0, 0), 0 }, up = down;
  if (d.result->zero)
    return;
  for (int64_t j = from; j < to; j++)
    add_above (&d.f, j, &down);
  for (int64_t j = to - 1; j >= from; j--)
    add_below (&d.f, j, &up);
  down = scan (down, t, shared);
  up = scan (up, THREADS - 1 - t, shared);
  d.down[k] = down;
  d.up[k] = up;
  if (t == THREADS - 1)
    d.down_ends[blockIdx.x] = down;
  if (t == 0)
    d.up_ends[blockIdx.x] = up;
}

/* Reduction over the block; the result is in thread 0.  */
static __device__ partial_norms
reduce (partial_norms mine, partial_norms *shared)
{
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      shared[threadIdx.x] = mine;
      __syncthreads ();
      if ((int) threadIdx.x < half)
        merge (&mine, shared[threadIdx.x + half]);
      __syncthreads ();
    }
  return mine;
}

/* Nonzero in the last block of the grid that arrives here.  The fences before
   and after the atomic make the D.PARTS that the other blocks have written
   visible to it (threadFenceReduction of the CUDA samples).  */
static __device__ int
is_last (tdinv_result *result)
{
  __shared__ int last;
  if (threadIdx.x == 0)
    {
      __threadfence ();
      last = atomicAdd (&result->blocks_done, 1) == (int) gridDim.x - 1;
      __threadfence ();
    }
  __syncthreads ();
  return last;
}

/* rcond and the condition of the determinant.  Same layout as sum_rows.  Every
   block scans the block sums before (after) its own; the last block to finish
   combines the results of all.  */
template <typename T> GE_KERNEL (THREADS) find_norms (norm_data<T> d)
{
  __shared__ union
  {
    char runs[THREADS * sizeof (run_of_sums)];
    char parts[THREADS * sizeof (partial_norms)];
    int64_t align;
  } memory;
  run_of_sums *runs = (run_of_sums *) memory.runs;
  partial_norms *parts = (partial_norms *) memory.parts;
  const ge_size zero = size_of (0, 0);
  partial_norms p = { zero, zero, zero };
  const int t = threadIdx.x, block = blockIdx.x, k = block * THREADS + t;
  const int64_t from = k * d.rows;
  const int64_t to = from + d.rows < d.f.n ? from + d.rows : d.f.n;
  if (d.result->zero)
    return;
  run_of_sums down = sum_blocks (d.down_ends, block, 1, runs);
  run_of_sums up
      = sum_blocks (d.up_ends + d.blocks - 1, d.blocks - 1 - block, -1, runs);
  if (t > 0)
    down = join (d.down[k - 1], down);
  if (t < THREADS - 1)
    up = join (d.up[k + 1], up);
  for (int64_t j = from; j < to; j++)
    {
      add_above (&d.f, j, &down);
      d.above[j] = size_mul (down.sum, size_column (&d.f.v, j));
      add_row (&d.f, d.c, d.a, d.b, j, &p.matrix, &p.condition);
    }
  for (int64_t j = to - 1; j >= from; j--)
    {
      add_below (&d.f, j, &up);
      ge_size below = size_mul (up.sum, size_column (&d.f.q, j));
      p.inverse = size_max (p.inverse, size_add (d.above[j], below));
    }
  p = reduce (p, parts);
  if (t == 0)
    d.parts[block] = p;
  if (! is_last (d.result))
    return;
  p.inverse = p.matrix = p.condition = zero;
  for (int m = t; m < d.blocks; m += THREADS)
    merge (&p, d.parts[m]);
  p = reduce (p, parts);
  if (t == 0)
    store_norms (d.result, p);
}

template <typename T>
gpueig_status
tdinv_cuda_norms (gpueig_context *ctx, const T *c, const T *a, const T *b,
                  const tdinv_factors<ge_real<T>> *f, tdinv_result *result,
                  cudaStream_t stream)
{
  norm_data<T> d;
  const int64_t most = THREADS * MAX_BLOCKS;
  d.f = *f;
  d.c = c;
  d.a = a;
  d.b = b;
  d.result = result;
  d.rows = (f->n + most - 1) / most;
  d.blocks = (int) ((f->n + d.rows * THREADS - 1) / (d.rows * THREADS));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, d.blocks * THREADS, &d.down, &d.up));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, d.blocks, &d.down_ends, &d.up_ends));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, f->n, &d.above));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, d.blocks, &d.parts));
  GE_LAUNCH_ON (stream, sum_rows<T>, (unsigned) d.blocks, THREADS, 0, d);
  GE_LAUNCH_ON (stream, find_norms<T>, (unsigned) d.blocks, THREADS, 0, d);
  return GPUEIG_OK;
}

GE_INSTANTIATE (tdinv_cuda_norms)
