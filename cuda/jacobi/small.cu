/* Stacks of small matrices by cyclic Jacobi: one thread block per page, which
   is read and written once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "jacobi/shared.cuh"
#include "base/teams.cuh"

/* Bytes at most for the vectors of pages that lie in global memory.  */
#define OUTSIDE_BYTES ((int64_t) 1 << 28)

/* Even order, and a leading dimension for which diagonals are free of bank
   conflicts.  */
static __host__ __device__ int
even_order (int n)
{
  return n + (n & 1);
}

static __host__ __device__ int
leading (int m)
{
  return m + 2;
}

/* See ge_jacobi_exponent.  */
template <typename R>
static __device__ R
power_of_two (int n, R largest, int high)
{
  int e;
  if (largest == 0)
    return 1;
  frexp (largest, &e);
  return ldexp ((R) 1, ge_jacobi_exponent (sizeof (R) == 8, n, e, high));
}

/* One page per thread block: scaling, sweeps of jacobi/shared.cuh until all
   elements are negligible, sorting.  SWEEPS[page]: their number, -1 if it did
   not converge.  Shared memory: the matrix, its vectors and the rotations; with
   OUTSIDE the vectors, which do not fit then, are in global memory at ROOM.  */
template <typename T, int OUTSIDE>
__global__ void
small_kernel (int n, int64_t pages, const T *a, T *v, T *room,
              typename real_of<T>::type *lambda, double tolerance,
              int max_sweeps, int high, int *sweeps)
{
  typedef typename real_of<T>::type R;
  extern __shared__ __align__ (16) char memory[];
  __shared__ R scratch[32];
  shared_matrix<T> s;
  int64_t page = blockIdx.x + (int64_t) blockIdx.y * gridDim.x;
  if (page >= pages)
    return;
  s.m = even_order (n);
  s.ld = s.ldv = leading (s.m);
  s.rows = v ? n : 0;
  s.a = (T *) memory;
  s.v = OUTSIDE ? room + page * (s.m * s.ldv) : s.a + s.m * s.ld;
  T *end = s.a + s.m * s.ld + (v && ! OUTSIDE ? s.m * s.ldv : 0);
  R *values = (R *) end;
  lay_out_pairs (&s, values + s.m);
  a += page * n * n;
  lambda += page * n;

  R largest = 0;
  for (int x = threadIdx.x; x < n * n; x += blockDim.x)
    largest = fmax (
        largest, fmax (fabs (real_part (a[x])), fabs (imaginary_part (a[x]))));
  R scale
      = power_of_two (n, block_max (largest, scratch, blockDim.x / 32), high);
  R sum = 0;
  for (int x = threadIdx.x; x < s.m * s.m; x += blockDim.x)
    {
      int j = x / s.m, i = x - j * s.m;
      T y = i < n && j < n ? times (scale, a[i + n * j])
                           : make_number<T> (0, 0);
      s.a[i + s.ld * j] = y;
      sum += square_of (y);
      if (v)
        s.v[i + s.ldv * j] = make_number<T> (i == j, 0);
    }
  sum = block_sum (sum, scratch, blockDim.x / 32);
  R tol = (R) tolerance, floor = high ? 0 : sqrt (sum / n) * tol;

  int count = 0, left;
  while ((left = shared_unfinished (&s, 0, tol, floor, high)) != 0
         && count < max_sweeps)
    {
      shared_sweep (&s, 0, tol, floor, high);
      count++;
    }
  if (threadIdx.x == 0)
    sweeps[page] = left ? -1 : count;

  /* Rank of every eigenvalue: ascending, equal ones by column.  */
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    values[j] = real_part (s.a[j + s.ld * j]);
  __syncthreads ();
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    {
      int rank = 0;
      for (int k = 0; k < n; k++)
        rank += values[k] < values[j] || (values[k] == values[j] && k < j);
      lambda[rank] = values[j] / scale;
      s.a[j] = make_number<T> (rank, 0); /* the matrix is not needed any more */
    }
  __syncthreads ();
  for (int x = threadIdx.x; x < n * n && v; x += blockDim.x)
    {
      int j = x / n, i = x - j * n;
      v[page * n * n + i + (int64_t) n * (int) real_part (s.a[j])]
          = s.v[i + s.ldv * j];
    }
}

/* Over all pages: the largest number of sweeps, and the number of pages that
   did not converge.  One block.  */
__global__ void
worst_kernel (int64_t pages, const int *sweeps, int *most, int *unfinished)
{
  int high = 0, bad = 0;
  for (int64_t p = threadIdx.x; p < pages; p += blockDim.x)
    {
      high = max (high, sweeps[p]);
      bad += sweeps[p] < 0;
    }
  atomicMax (most, high);
  atomicAdd (unfinished, bad);
}

/* Shared memory of a page of even order M, in bytes.  */
template <typename T>
static size_t
small_bytes (int m, int vectors)
{
  return (size_t) m * leading (m) * sizeof (T) * (vectors ? 2 : 1)
         + shared_games_bytes<T> (m)
         + (size_t) m * sizeof (typename real_of<T>::type) + 16;
}

template <typename T, int OUTSIDE>
static gpueig_status
run_small (gpueig_context *ctx, int64_t n, int64_t pages, const T *a, T *v,
           typename real_of<T>::type *lambda, const ge_jacobi_control *control,
           int *count)
{
  typedef typename real_of<T>::type R;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int m = even_order ((int) n);
  const int threads = m <= 8 ? 32 : m <= 16 ? 64 : m <= 32 ? 128 : 256;
  const int64_t square = (int64_t) m * leading (m);
  const size_t bytes = small_bytes<T> (m, v && ! OUTSIDE);
  const int limit
      = control->max_sweeps > 1000 ? 1000 : (int) control->max_sweeps;
  /* Pages per launch, so that a launch is short enough for an interrupt.  */
  int64_t piece = (int64_t) 1 << 20;
  T *room = NULL;
  void (*kernel) (int, int64_t, const T *, T *, T *, R *, double, int, int,
                  int *)
      = small_kernel<T, OUTSIDE>;
  if (OUTSIDE)
    {
      piece = OUTSIDE_BYTES / (square * (int64_t) sizeof (T));
      piece = pages < piece ? pages : piece;
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, piece * square, &room));
    }
  GE_ALLOW_SHARED (kernel, bytes);
  for (int64_t p = 0; p < pages; p += piece)
    {
      int64_t part = pages - p < piece ? pages - p : piece;
      GE_LAUNCH_AS ("small_kernel", kernel, (unsigned) part, threads, bytes,
                    stream)
      ((int) n, part, a + p * n * n, v ? v + p * n * n : NULL, room,
       lambda + p * n, control->tol, limit, control->high, count + p);
      LAUNCHED ();
      if (pages > piece)
        CU (cudaStreamSynchronize (stream));
      GE_TRY (ge_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

/* Only complex double precision can exceed the shared memory of some GPUs.  */
template <typename T>
static gpueig_status
choose_small (gpueig_context *ctx, int64_t n, int64_t pages, const T *a, T *v,
              typename real_of<T>::type *lambda,
              const ge_jacobi_control *control, int *count)
{
  if constexpr (sizeof (T) == sizeof (cuDoubleComplex))
    if (v && ! ge_shared_fits (ctx, small_bytes<T> (even_order ((int) n), 1)))
      return run_small<T, 1> (ctx, n, pages, a, v, lambda, control, count);
  return run_small<T, 0> (ctx, n, pages, a, v, lambda, control, count);
}

template <typename T>
gpueig_status
ge_cuda_jacobi_small (gpueig_context *ctx, int64_t n, int64_t pages, const T *a,
                      T *v, typename real_of<T>::type *lambda,
                      const ge_jacobi_control *control, int64_t *sweeps,
                      int64_t *unfinished)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int *count, worst[2];
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages + 2, &count));
  CU (cudaMemsetAsync (count + pages, 0, 2 * sizeof *count, stream));
  GE_TRY (choose_small (ctx, n, pages, a, v, lambda, control, count));
  GE_LAUNCH (worst_kernel, 1, 256, 0, stream)
  (pages, count, count + pages, count + pages + 1);
  LAUNCHED ();
  CU (cudaMemcpyAsync (worst, count + pages, sizeof worst,
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaStreamSynchronize (stream));
  ge_release (ctx, mark);
  *sweeps = worst[1] ? control->max_sweeps : worst[0];
  *unfinished = worst[1];
  return GPUEIG_OK;
}

#define INSTANCE(T)                                                            \
  template gpueig_status ge_cuda_jacobi_small (                                \
      gpueig_context *, int64_t, int64_t, const T *, T *, real_of<T>::type *,  \
      const ge_jacobi_control *, int64_t *, int64_t *);
INSTANCE (float)
INSTANCE (double)
INSTANCE (cuComplex)
INSTANCE (cuDoubleComplex)
