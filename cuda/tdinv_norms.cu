/* Norms of a tridiagonal matrix and its inverse on the GPU, for rcond.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As core/tdinv_generators_typed.c: the norm of column j of X is |v(j)| times a
   running sum of |u| plus |q(j)| times one of |p|.  The running sums are scanned
   as the minors are (tdinv_generators.cu).  All of it runs beside the kernel that
   writes X, in blocks so small that they find room between that one's.  */

#include "tdinv.cuh"
#include "tdinv_scan.cuh"

enum
{
  WARP = 32,
  MAX_CHUNKS = 1024,
  LEAST_CHUNK = 8,
  COLUMNS = 64 /* of a block of the third kernel */
};

/* A sum since the last begin of an irreducible block, if there was one.  */
typedef struct
{
  ge_size sum;
  int begins;
} run_of_sums;

/* Norm of X, norm of T, condition of the determinant, so far.  */
typedef struct
{
  ge_size inverse, matrix, condition;
} partial_norms;

template <typename T> struct norm_data
{
  tdinv_factors<typename real_of<T>::type> f;
  const T *c, *a, *b;
  int64_t chunk;
  int chunks, blocks;
  run_of_sums *runs, *ends; /* two tasks: down the rows, up the rows */
  ge_size *above, *below;   /* parts of the norms of the columns of X */
  partial_norms *parts;
  int64_t n_parts;
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

template <typename T>
static __device__ ge_size
size_entry (const T *x, int64_t j)
{
  return wide_abs (wide_entry (x[j]));
}

/* |u| summed down to row j.  */
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

/* |p| summed up to row j + 1.  */
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

/* Parts of row j: the norm of column j of T, and sum |X(j, i) T(i, j)|.  */
template <typename T, typename R>
static __device__ void
add_row (const tdinv_factors<R> *f, const T *c, const T *a, const T *b,
         int64_t j, ge_size *norm, ge_size *condition)
{
  ge_size size = size_entry (a, j), column = size;
  ge_size u = size_row (&f->u, j);
  ge_size sum = size_mul (size, size_mul (u, size_column (&f->v, j)));
  if (j > 0)
    column = size_add (column, size_entry (b, j - 1));
  if (j < f->n - 1)
    {
      column = size_add (column, size_entry (c, j));
      if (f->below[j + 1] <= j)
        sum = size_add (sum, size_mul (size_entry (b, j),
                                       size_mul (size_row (&f->p, j + 1),
                                                 size_column (&f->q, j))));
      if (f->above[j + 1] <= j)
        sum = size_add (sum,
                        size_mul (size_entry (c, j),
                                  size_mul (u, size_column (&f->v, j + 1))));
    }
  *norm = size_max (*norm, column);
  *condition = size_add (*condition, sum);
}

/* Element I of the running sum: down the rows, or up when BACKWARD.  */
template <typename R>
static __device__ __forceinline__ int64_t
add (const tdinv_factors<R> *f, int backward, int64_t i, run_of_sums *r)
{
  int64_t j = backward ? f->n - 1 - i : i;
  if (backward)
    add_below (f, j, r);
  else
    add_above (f, j, r);
  return j;
}

static __device__ __forceinline__ run_of_sums
join (run_of_sums later, run_of_sums earlier)
{
  if (later.begins)
    return later;
  later.sum = size_add (later.sum, earlier.sum);
  later.begins = earlier.begins;
  return later;
}

template <typename T>
static __global__ void
__launch_bounds__ (WARP) sum_chunks (norm_data<T> d)
{
  __shared__ run_of_sums shared[WARP];
  int task = blockIdx.y, k = blockIdx.x * WARP + threadIdx.x;
  int64_t from = k * d.chunk, to = from + d.chunk;
  run_of_sums r = { size_of (0, 0), 0 };
  to = to < d.f.n ? to : d.f.n;
  if (d.result->zero)
    return;
  for (int64_t i = from; i < to; i++)
    add (&d.f, task, i, &r);
  r = scan_block (r, shared);
  if (k < d.chunks)
    d.runs[task * MAX_CHUNKS + k] = r;
  if (threadIdx.x == WARP - 1)
    d.ends[task * WARP + blockIdx.x] = r;
}

template <typename T>
static __global__ void
__launch_bounds__ (WARP) sum_rows (norm_data<T> d)
{
  __shared__ run_of_sums shared[WARP];
  int task = blockIdx.y, k = blockIdx.x * WARP + threadIdx.x;
  int64_t from = k * d.chunk, to = from + d.chunk;
  run_of_sums r = { size_of (0, 0), 0 }, mine = r;
  to = to < d.f.n ? to : d.f.n;
  if (d.result->zero)
    return;
  if ((int) threadIdx.x < d.blocks)
    mine = d.ends[task * WARP + threadIdx.x];
  mine = scan_block (mine, shared);
  shared[threadIdx.x] = mine;
  __syncwarp ();
  if (blockIdx.x > 0)
    r = shared[blockIdx.x - 1];
  if (threadIdx.x > 0 && k < d.chunks)
    r = join (d.runs[task * MAX_CHUNKS + k - 1], r);
  for (int64_t i = from; i < to; i++)
    {
      int64_t j = add (&d.f, task, i, &r);
      if (task == 0)
        d.above[j] = size_mul (r.sum, size_column (&d.f.v, j));
      else
        d.below[j] = size_mul (r.sum, size_column (&d.f.q, j));
    }
}

static __device__ void
merge (partial_norms *p, partial_norms other)
{
  p->inverse = size_max (p->inverse, other.inverse);
  p->matrix = size_max (p->matrix, other.matrix);
  p->condition = size_add (p->condition, other.condition);
}

/* All threads' parts in the first thread.  */
static __device__ partial_norms
reduce (partial_norms mine, partial_norms *shared)
{
  for (int half = WARP / 2; half > 0; half /= 2)
    {
      shared[threadIdx.x] = mine;
      __syncwarp ();
      if ((int) threadIdx.x < half)
        merge (&mine, shared[threadIdx.x + half]);
      __syncwarp ();
    }
  return mine;
}

template <typename T>
static __global__ void
__launch_bounds__ (WARP) join_columns (norm_data<T> d)
{
  __shared__ partial_norms shared[WARP];
  ge_size zero = size_of (0, 0);
  partial_norms p = { zero, zero, zero };
  int64_t from = (int64_t) blockIdx.x * COLUMNS, to = from + COLUMNS;
  to = to < d.f.n ? to : d.f.n;
  if (d.result->zero)
    return;
  for (int64_t j = from + threadIdx.x; j < to; j += WARP)
    {
      p.inverse = size_max (p.inverse, size_add (d.above[j], d.below[j]));
      add_row (&d.f, d.c, d.a, d.b, j, &p.matrix, &p.condition);
    }
  p = reduce (p, shared);
  if (threadIdx.x == 0)
    d.parts[blockIdx.x] = p;
}

template <typename T>
static __global__ void
__launch_bounds__ (WARP) finish_norms (norm_data<T> d)
{
  __shared__ partial_norms shared[WARP];
  ge_size zero = size_of (0, 0);
  partial_norms p = { zero, zero, zero };
  if (d.result->zero)
    return;
  for (int64_t k = threadIdx.x; k < d.n_parts; k += WARP)
    merge (&p, d.parts[k]);
  p = reduce (p, shared);
  if (threadIdx.x == 0)
    {
      d.result->rcond = size_reciprocal (p.inverse, p.matrix);
      d.result->condition = p.condition.e;
    }
}

template <typename T>
gpueig_status
tdinv_cuda_norms (gpueig_context *ctx, const T *c, const T *a, const T *b,
                  const tdinv_factors<typename real_of<T>::type> *f,
                  tdinv_result *result, cudaStream_t stream)
{
  norm_data<T> d;
  d.f = *f;
  d.c = c;
  d.a = a;
  d.b = b;
  d.result = result;
  d.chunk = (f->n + MAX_CHUNKS - 1) / MAX_CHUNKS;
  if (d.chunk < LEAST_CHUNK)
    d.chunk = LEAST_CHUNK;
  d.chunks = (int) ((f->n + d.chunk - 1) / d.chunk);
  d.blocks = (d.chunks + WARP - 1) / WARP;
  d.n_parts = (f->n + COLUMNS - 1) / COLUMNS;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * MAX_CHUNKS, &d.runs));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * WARP, &d.ends));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, f->n, &d.above));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, f->n, &d.below));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, d.n_parts, &d.parts));
  dim3 grid ((unsigned) d.blocks, 2);
  sum_chunks<T><<<grid, WARP, 0, stream>>> (d);
  LAUNCHED ();
  sum_rows<T><<<grid, WARP, 0, stream>>> (d);
  LAUNCHED ();
  join_columns<T><<<(unsigned) d.n_parts, WARP, 0, stream>>> (d);
  LAUNCHED ();
  finish_norms<T><<<1, WARP, 0, stream>>> (d);
  LAUNCHED ();
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status tdinv_cuda_norms (                                    \
      gpueig_context *, const T *, const T *, const T *,                       \
      const tdinv_factors<real_of<T>::type> *, tdinv_result *, cudaStream_t);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
