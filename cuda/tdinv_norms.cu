/* Norms of a tridiagonal matrix and its inverse on the GPU, for rcond.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As core/tdinv_generators_typed.c: the norm of column j of X is |v(j)| times a
   running sum of |u| plus |q(j)| times one of |p|.  One block does it beside the
   kernel that writes X, a chunk of rows a thread, the sums of the chunks being
   scanned in shared memory.  */

#include "tdinv.cuh"

enum
{
  THREADS = 1024
};

/* A sum since the last begin of an irreducible block, if there was one.  */
typedef struct
{
  ge_size sum;
  int begins;
} run_of_sums;

template <typename R> struct norm_data
{
  tdinv_factors<R> f;
  ge_size *above;
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

/* The run of all threads before this one; the order is that of the threads, or
   the other way round when BACKWARD.  */
static __device__ run_of_sums
sums_before (run_of_sums mine, int backward, run_of_sums *shared)
{
  int at = backward ? THREADS - 1 - (int) threadIdx.x : (int) threadIdx.x;
  run_of_sums before;
  for (int distance = 1; distance < THREADS; distance *= 2)
    {
      __syncthreads ();
      shared[at] = mine;
      __syncthreads ();
      if (at >= distance && ! mine.begins)
        {
          run_of_sums other = shared[at - distance];
          mine.sum = size_add (mine.sum, other.sum);
          mine.begins = other.begins;
        }
    }
  __syncthreads ();
  shared[at] = mine;
  __syncthreads ();
  before.sum = size_of (0, 0);
  before.begins = 0;
  if (at > 0)
    before = shared[at - 1];
  __syncthreads ();
  return before;
}

/* Sum or maximum over all threads, in every thread.  */
static __device__ ge_size
reduce (ge_size mine, int largest, ge_size *shared)
{
  __syncthreads ();
  shared[threadIdx.x] = mine;
  __syncthreads ();
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      if ((int) threadIdx.x < half)
        {
          ge_size other = shared[threadIdx.x + half];
          shared[threadIdx.x] = largest ? size_max (shared[threadIdx.x], other)
                                        : size_add (shared[threadIdx.x], other);
        }
      __syncthreads ();
    }
  return shared[0];
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

template <typename T>
static __global__ void
__launch_bounds__ (THREADS)
    norms (tdinv_factors<typename real_of<T>::type> f, const T *c, const T *a,
           const T *b, ge_size *above, tdinv_result *result)
{
  __shared__ run_of_sums shared[THREADS];
  int64_t chunk = (f.n + THREADS - 1) / THREADS;
  int64_t from = threadIdx.x * chunk, to = from + chunk;
  ge_size zero = size_of (0, 0), norm = zero, matrix = zero, condition = zero;
  run_of_sums up = { zero, 0 }, down = { zero, 0 };
  to = to < f.n ? to : f.n;
  if (result->zero)
    return;
  for (int64_t j = from; j < to; j++)
    add_above (&f, j, &down);
  for (int64_t j = to - 1; j >= from; j--)
    add_below (&f, j, &up);
  down = sums_before (down, 0, shared);
  up = sums_before (up, 1, shared);
  for (int64_t j = from; j < to; j++)
    {
      add_above (&f, j, &down);
      above[j] = size_mul (down.sum, size_column (&f.v, j));
      add_row (&f, c, a, b, j, &matrix, &condition);
    }
  for (int64_t j = to - 1; j >= from; j--)
    {
      add_below (&f, j, &up);
      norm = size_max (
          norm, size_add (above[j], size_mul (up.sum, size_column (&f.q, j))));
    }
  norm = reduce (norm, 1, (ge_size *) shared);
  matrix = reduce (matrix, 1, (ge_size *) shared);
  condition = reduce (condition, 0, (ge_size *) shared);
  if (threadIdx.x == 0)
    {
      result->rcond = size_reciprocal (norm, matrix);
      result->condition = condition.e;
    }
}

template <typename T>
gpueig_status
tdinv_cuda_norms (gpueig_context *ctx, const T *c, const T *a, const T *b,
                  const tdinv_factors<typename real_of<T>::type> *f,
                  ge_size *above, tdinv_result *result, cudaStream_t stream)
{
  norms<T><<<1, THREADS, 0, stream>>> (*f, c, a, b, above, result);
  LAUNCHED ();
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status tdinv_cuda_norms (                                    \
      gpueig_context *, const T *, const T *, const T *,                       \
      const tdinv_factors<real_of<T>::type> *, ge_size *, tdinv_result *,      \
      cudaStream_t);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
