/* Checks of cuSOLVER's results by random vectors, and similarities with a
   reflector, see reflection.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "blas.cuh"
#include "reflection.cuh"

#include <float.h>
#include <math.h>

template <typename R>
static double
unit_of (int64_t n)
{
  return (double) n * (sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON);
}

/* The same for every call: results must not change from run to run.  Between
   1/2 and 3/2, of either sign: no two add up to zero.  */
static double
next_random (uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  const double x = 0.5 + (double) (*state >> 12) * 0x1p-52;
  return *state & 2048 ? x : -x;
}

/* COUNT scalars T hold real numbers, Z gets them as host scalars.  */
template <typename T>
static void
fill_random (int64_t count, T *z)
{
  typedef typename real_of<T>::type R;
  const int step = 1 + is_complex<T>::value;
  uint64_t state = 1;
  R *x = (R *) z;
  for (int64_t i = 0; i < count; i++)
    {
      x[i * step] = (R) next_random (&state);
      if (step == 2)
        x[i * step + 1] = 0;
    }
}

template <typename T>
static gpueig_status
copy_to_device (gpueig_context *ctx, int64_t count, const T *from, T *to)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  CU (cudaMemcpyAsync (to, from, (size_t) count * sizeof (T),
                       cudaMemcpyHostToDevice, stream));
  CU (cudaStreamSynchronize (stream));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
copy_to_host (gpueig_context *ctx, int64_t count, const T *from, T *to)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  CU (cudaMemcpyAsync (to, from, (size_t) count * sizeof (T),
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaStreamSynchronize (stream));
  return GPUEIG_OK;
}

/* --- the reflector --- */

template <typename T>
gpueig_status
ge_cuda_reflector (gpueig_context *ctx, int64_t n, T **u)
{
  typedef typename real_of<T>::type R;
  T *host;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, u));
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &host));
  fill_random (n, host);
  const int64_t reals = n * (1 + is_complex<T>::value);
  R *x = (R *) host;
  double sum = 0;
  for (int64_t i = 0; i < reals; i++)
    sum += (double) x[i] * (double) x[i];
  const double f = sqrt (2 / sum);
  for (int64_t i = 0; i < reals; i++)
    x[i] = (R) (f * (double) x[i]);
  GE_TRY (copy_to_device (ctx, n, host, *u));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* With y = A u, w = A' u and s = u' A u:
   A - u (w - s' u)' - y u'.  */
template <typename T>
gpueig_status
ge_cuda_reflect_both (gpueig_context *ctx, int64_t n, const T *u, T *a)
{
  typedef typename real_of<T>::type R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t adjoint = ge_adjoint<T> ();
  const R one = 1;
  T *y, *w, *s;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &w));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &s));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, one, a, n, u, n,
                   (R) 0, y, n));
  CUBLAS (ge_gemm (blas, adjoint, CUBLAS_OP_N, n, 1, n, one, a, n, u, n, (R) 0,
                   w, n));
  /* s holds u' w, the conjugate */
  CUBLAS (ge_gemm (blas, adjoint, CUBLAS_OP_N, 1, 1, n, one, u, n, w, n, (R) 0,
                   s, 1));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, 1, -one, u, n, s, 1,
                   one, w, n));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, adjoint, n, n, 1, -one, u, n, w, n, one,
                   a, n));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, adjoint, n, n, 1, -one, y, n, u, n, one,
                   a, n));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_reflect (gpueig_context *ctx, int64_t n, int64_t columns, const T *u,
                 T *v)
{
  typedef typename real_of<T>::type R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  T *row;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &row));
  CUBLAS (ge_gemm (blas, ge_adjoint<T> (), CUBLAS_OP_N, 1, columns, n, (R) 1, u,
                   n, v, n, (R) 0, row, 1));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, columns, 1, (R) -1, u, n,
                   row, 1, (R) 1, v, n));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- checks --- */

template <typename R>
static gpueig_status
finite (gpueig_context *ctx, int64_t count, const R *x, int *good)
{
  R *host;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &host));
  GE_TRY (copy_to_host (ctx, count, x, host));
  *good = 1;
  for (int64_t i = 0; i < count; i++)
    *good &= isfinite (host[i]) != 0;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_finite (gpueig_context *ctx, int64_t count, const float *x, int *good)
{
  return finite (ctx, count, x, good);
}

gpueig_status
ge_cuda_finite (gpueig_context *ctx, int64_t count, const double *x, int *good)
{
  return finite (ctx, count, x, good);
}

template <typename T>
gpueig_status
ge_cuda_orthonormal (gpueig_context *ctx, int64_t n, int64_t columns,
                     const T *v, int *good)
{
  typedef typename real_of<T>::type R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const int64_t reals = columns * (1 + is_complex<T>::value);
  T *host, *z, *y;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * columns, &host));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &z));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &y));
  fill_random (columns, host);
  GE_TRY (copy_to_device (ctx, columns, host, z));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, columns, (R) 1, v, n,
                   z, columns, (R) 0, y, n));
  CUBLAS (ge_gemm (blas, ge_adjoint<T> (), CUBLAS_OP_N, columns, 1, n, (R) 1, v,
                   n, y, n, (R) 0, z, columns));
  GE_TRY (copy_to_host (ctx, columns, z, host + columns));
  const R *want = (const R *) host, *have = (const R *) (host + columns);
  const double most = 5 * unit_of<R> (n);
  *good = 1;
  for (int64_t i = 0; i < reals; i++)
    *good &= fabs ((double) have[i] - (double) want[i]) <= most;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

static cublasStatus_t
norm (cublasHandle_t blas, int64_t count, const float *x, float *result)
{
  return cublasSnrm2_64 (blas, count, x, 1, result);
}

static cublasStatus_t
norm (cublasHandle_t blas, int64_t count, const double *x, double *result)
{
  return cublasDnrm2_64 (blas, count, x, 1, result);
}

template <typename T>
gpueig_status
ge_cuda_eigenvectors (gpueig_context *ctx, int64_t n, const T *a, const T *v,
                      const T *lambda, int *good)
{
  typedef typename real_of<T>::type R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  T *host, *z, *y, *r;
  R size = 0, error = 0;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * n, &host));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &z));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &r));
  fill_random (n, host);
  GE_TRY (copy_to_device (ctx, n, host, z));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, (R) 1, v, n, z, n,
                   (R) 0, y, n));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, (R) 1, a, n, y, n,
                   (R) 0, r, n));
  GE_TRY (copy_to_host (ctx, n, lambda, host + n));
  for (int64_t i = 0; i < n; i++)
    {
      const R f = host[i].x;
      host[i].x = f * host[n + i].x;
      host[i].y = f * host[n + i].y;
    }
  GE_TRY (copy_to_device (ctx, n, host, z));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, (R) -1, v, n, z, n,
                   (R) 1, r, n));
  CUBLAS (norm (blas, 2 * n * n, (const R *) a, &size));
  CUBLAS (norm (blas, 2 * n, (const R *) r, &error));
  *good = (double) error <= 10 * unit_of<R> (n) * (double) size;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_cuda_reflector (gpueig_context *, int64_t, T **);  \
  template gpueig_status ge_cuda_reflect_both (gpueig_context *, int64_t,      \
                                               const T *, T *);                \
  template gpueig_status ge_cuda_reflect (gpueig_context *, int64_t, int64_t,  \
                                          const T *, T *);                     \
  template gpueig_status ge_cuda_orthonormal (gpueig_context *, int64_t,       \
                                              int64_t, const T *, int *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)

template gpueig_status ge_cuda_eigenvectors (gpueig_context *, int64_t,
                                             const cuComplex *,
                                             const cuComplex *,
                                             const cuComplex *, int *);
template gpueig_status ge_cuda_eigenvectors (gpueig_context *, int64_t,
                                             const cuDoubleComplex *,
                                             const cuDoubleComplex *,
                                             const cuDoubleComplex *, int *);
