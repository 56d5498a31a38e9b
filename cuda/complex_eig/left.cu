/* Left eigenvectors from the inverse of the right ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/libraries.cuh"
#include "base/teams.cuh"
#include "complex_eig/complex_eig.cuh"

#include <float.h>
#include <math.h>
#include <string.h>

template <typename C>
__global__ void
set_identity (int64_t n, C *a)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e < n * n)
    {
      a[e].x = e % n == e / n;
      a[e].y = 0;
    }
}

/* Column j of W from row j of Y: conjugated, scaled to 2-norm 1 with the
   element of largest modulus real; NaN where the row is zero or not finite.
   One block of 256 threads per column; the row is first scaled by a power of 2
   so that squares neither overflow nor underflow.  SIZE and WHERE: the
   candidates of every thread for the largest element, reduced redundantly by
   all threads; the barriers of block_sum order the accesses.  */
template <typename R, typename C>
__global__ void
rows_to_left_vectors (int64_t n, const C *y, C *w)
{
  __shared__ R space[8];
  __shared__ R size[256];
  __shared__ int64_t where[256];
  const int64_t j = blockIdx.x;
  R part = 0, sum = 0, largest = -1;
  int64_t at = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    part = fmax (part, fmax (fabs (y[j + n * i].x), fabs (y[j + n * i].y)));
  part = block_max (part, space, blockDim.x / 32);
  const R scale
      = ldexp ((R) 1, part > 0 && part < INFINITY ? -ilogb (part) : 0);
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    {
      const R re = y[j + n * i].x * scale, im = y[j + n * i].y * scale;
      const R s = re * re + im * im;
      sum += s;
      if (s > largest)
        {
          largest = s;
          at = i;
        }
    }
  size[threadIdx.x] = largest;
  where[threadIdx.x] = at;
  sum = block_sum (sum, space, blockDim.x / 32);
  for (int i = 0; i < (int) blockDim.x; i++)
    if (size[i] > largest || (size[i] == largest && where[i] < at))
      {
        largest = size[i];
        at = where[i];
      }
  /* y (j, at): the element that becomes real */
  const R re = y[j + n * at].x * scale, im = y[j + n * at].y * scale;
  const R m = 1 / sqrt (sum) / sqrt (largest);
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    {
      const R a = y[j + n * i].x * scale, b = y[j + n * i].y * scale;
      /* conj (y (j, i)) y (j, at) / |y (j, at)| / norm */
      w[i + n * j].x = (a * re + b * im) * m;
      w[i + n * j].y = i == at ? 0 : (a * im - b * re) * m;
    }
}

/* *WORST = max over j of |r_j - conj (lambda_j) w_j|_1, R = A' W, as the bits
   of a double, since nonnegative doubles are ordered as their bits; Inf instead
   of NaN.  One block of 256 threads per column.  */
template <typename R, typename C>
__global__ void
left_error (int64_t n, const C *r, const C *w, const C *lambda, int exponent,
            unsigned long long *worst)
{
  __shared__ R space[8];
  const int64_t j = blockIdx.x;
  C l = lambda[j];
  l.x = ldexp (l.x, -exponent);
  l.y = ldexp (l.y, -exponent);
  R sum = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    {
      const C x = w[i + n * j], y = r[i + n * j];
      const R re = y.x - (l.x * x.x + l.y * x.y);
      const R im = y.y - (l.x * x.y - l.y * x.x);
      sum += sqrt (re * re + im * im);
    }
  sum = block_sum (sum, space, blockDim.x / 32);
  if (threadIdx.x == 0)
    atomicMax (worst, (unsigned long long) __double_as_longlong (
                          sum == sum ? (double) sum : (double) INFINITY));
}

/* *WORST = max over j of |a_j|_1 as the bits of a double.  One block of 256
   threads per column.  */
template <typename R, typename C>
__global__ void
one_norm (int64_t n, const C *a, unsigned long long *worst)
{
  __shared__ R space[8];
  const int64_t j = blockIdx.x;
  R sum = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
    sum += sqrt (a[i + n * j].x * a[i + n * j].x
                 + a[i + n * j].y * a[i + n * j].y);
  sum = block_sum (sum, space, blockDim.x / 32);
  if (threadIdx.x == 0)
    atomicMax (worst, (unsigned long long) __double_as_longlong ((double) sum));
}

static inline unsigned
grid_for (int64_t count)
{
  return (unsigned) ((count + 255) / 256);
}

template <typename C>
gpueig_status
ge_left_vectors (gpueig_context *ctx, int64_t n, const C *a, C *v,
                 const C *lambda, int exponent, C *w, double *ratio)
{
  typedef typename real_of<C>::type R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  const cudaDataType type = cuda_type<C>::value;
  size_t device_bytes = 0, host_bytes = 0;
  char *device_work, *host_work;
  int64_t *pivots;
  int *result, failed = 0;
  C *y;
  unsigned long long *worst, bits[2];
  double error[2];
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &pivots));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &result));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &worst));
  CUSOLVER (cusolverDnXgetrf_bufferSize (cuda->solver, NULL, n, n, type, v, n,
                                         type, &device_bytes, &host_bytes));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) device_bytes, &device_work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) host_bytes, &host_work));
  CUSOLVER (cusolverDnXgetrf (cuda->solver, NULL, n, n, type, v, n, pivots,
                              type, device_work, device_bytes, host_work,
                              host_bytes, result));
  CU (cudaMemcpyAsync (&failed, result, sizeof failed, cudaMemcpyDeviceToHost,
                       cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  *ratio = INFINITY;
  if (failed == 0)
    {
      GE_LAUNCH (set_identity, grid_for (n * n), 256, 0, cuda->stream) (n, y);
      LAUNCHED ();
      CUSOLVER (cusolverDnXgetrs (cuda->solver, NULL, CUBLAS_OP_N, n, n, type,
                                  v, n, pivots, type, y, n, result));
      GE_LAUNCH ((rows_to_left_vectors<R, C>), (unsigned) n, 256, 0,
                 cuda->stream)
      (n, y, w);
      LAUNCHED ();
      CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_C, CUBLAS_OP_N, n, n, n, (R) 1, a,
                       n, w, n, (R) 0, y, n));
      CU (cudaMemsetAsync (worst, 0, 2 * sizeof *worst, cuda->stream));
      GE_LAUNCH ((left_error<R, C>), (unsigned) n, 256, 0, cuda->stream)
      (n, y, w, lambda, exponent, worst);
      LAUNCHED ();
      GE_LAUNCH ((one_norm<R, C>), (unsigned) n, 256, 0, cuda->stream)
      (n, a, worst + 1);
      LAUNCHED ();
      CU (cudaMemcpyAsync (bits, worst, sizeof bits, cudaMemcpyDeviceToHost,
                           cuda->stream));
      CU (cudaStreamSynchronize (cuda->stream));
      memcpy (error, bits, sizeof error);
      *ratio = error[0] == 0 ? 0 : error[0] / (error[1] * (double) n * eps);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template gpueig_status ge_left_vectors (gpueig_context *, int64_t,
                                        const cuComplex *, cuComplex *,
                                        const cuComplex *, int, cuComplex *,
                                        double *);
template gpueig_status ge_left_vectors (gpueig_context *, int64_t,
                                        const cuDoubleComplex *,
                                        cuDoubleComplex *,
                                        const cuDoubleComplex *, int,
                                        cuDoubleComplex *, double *);
