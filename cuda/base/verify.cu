/* Estimates of residual and orthogonality by products with a random vector; see
   base/verify.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/similarity.cuh"
#include "base/verify.cuh"

#include <math.h>

template <typename R>
static double
largest_difference (int64_t count, const R *x, const R *y)
{
  double largest = 0;
  for (int64_t i = 0; i < count; i++)
    {
      const double e = fabs ((double) x[i] - (double) y[i]);
      largest = e <= largest ? largest : isnan (e) ? INFINITY : e;
    }
  return largest;
}

template <typename T>
gpueig_status
ge_cuda_orthogonality (gpueig_context *ctx, int64_t n, int64_t columns,
                       const T *v, double *error)
{
  typedef ge_real<T> R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const int64_t reals = columns * (1 + is_complex<T>::value);
  T *host, *z, *y;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * columns, &host));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &z));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &y));
  ge_random_vector (columns, host);
  GE_TRY (ge_send (ctx, z, host, columns));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, columns, (R) 1, v, n,
                   z, columns, (R) 0, y, n));
  CUBLAS (ge_gemm (blas, ge_adjoint<T> (), CUBLAS_OP_N, columns, 1, n, (R) 1, v,
                   n, y, n, (R) 0, z, columns));
  GE_TRY (ge_fetch (ctx, host + columns, z, columns));
  *error = largest_difference (reals, (const R *) host,
                               (const R *) (host + columns));
  return ge_close_frame (ctx, mark);
}

/* X / SIZE, where 0 / 0 is 0; Inf instead of NaN.  */
static double
relative (double x, double size)
{
  const double e = x == 0 ? 0 : x / size;
  return isnan (e) ? INFINITY : e;
}

template <typename T>
static T
times (T x, T y)
{
  if constexpr (! is_complex<T>::value)
    return x * y;
  else if constexpr (sizeof (T) == 8)
    return cuCmulf (x, y);
  else
    return cuCmul (x, y);
}

template <typename T>
gpueig_status
ge_cuda_norm (gpueig_context *ctx, int64_t count, const T *x, ge_real<T> *norm)
{
  typedef ge_real<T> R;
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  cublasStatus_t status
      = cublasSetPointerMode (blas, CUBLAS_POINTER_MODE_DEVICE);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = ge_nrm2 (blas, count * (1 + is_complex<T>::value), (const R *) x,
                      norm);
  const cublasStatus_t host
      = cublasSetPointerMode (blas, CUBLAS_POINTER_MODE_HOST);
  /* not before the mode is what all others expect */
  CUBLAS (host);
  CUBLAS (status);
  return GPUEIG_OK;
}

/* One synchronisation: the norms stay on the device, behind the products.  */
template <typename T>
gpueig_status
ge_cuda_eigenpairs (gpueig_context *ctx, int64_t n, int64_t columns, const T *a,
                    const T *v, const T *lambda, double *orthogonality,
                    double *residual)
{
  typedef ge_real<T> R;
  const int64_t parts = 1 + is_complex<T>::value;
  const int64_t all = 2 * columns + 2 / parts; /* with two norms */
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cublasOperation_t none = CUBLAS_OP_N;
  T *host, *z, *y;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, all + columns, &host));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, all, &z));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * n, &y));
  T *random = host + all;
  R *norms = (R *) (z + 2 * columns), *sizes = (R *) (host + 2 * columns);
  ge_random_vector (columns, random);
  for (int64_t i = 0; i < columns; i++)
    {
      host[i] = random[i];
      host[columns + i] = times (random[i], lambda[i]);
    }
  GE_TRY (ge_put (ctx, z, host, 2 * columns));
  CUBLAS (ge_gemm (cuda->blas, none, none, n, 2, columns, (R) 1, v, n, z,
                   columns, (R) 0, y, n));
  CUBLAS (ge_gemm (cuda->blas, ge_adjoint<T> (), none, columns, 1, n, (R) 1, v,
                   n, y, n, (R) 0, z, columns));
  CUBLAS (ge_gemm (cuda->blas, none, none, n, 1, n, (R) 1, a, n, y, n, (R) -1,
                   y + n, n));
  GE_TRY (ge_cuda_norm (ctx, n * n, a, norms));
  GE_TRY (ge_cuda_norm (ctx, n, y + n, norms + 1));
  GE_TRY (ge_fetch (ctx, host, z, all));
  *orthogonality = largest_difference (parts * columns, (const R *) random,
                                       (const R *) host);
  *residual = relative ((double) sizes[1], (double) sizes[0]);
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
ge_cuda_spectrum (gpueig_context *ctx, int64_t n, const T *a,
                  const ge_real<T> *lambda, double *error)
{
  typedef ge_real<T> R;
  const int64_t parts = 1 + is_complex<T>::value;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  R *diagonal, size = 0;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &diagonal));
  CU (cudaMemcpy2DAsync (diagonal, sizeof (R), a, (size_t) (n + 1) * sizeof (T),
                         sizeof (R), (size_t) n, cudaMemcpyDeviceToHost,
                         stream));
  GE_TRY (ge_wait (ctx));
  CUBLAS (
      ge_nrm2 (ge_cuda_of (ctx)->blas, parts * n * n, (const R *) a, &size));
  double trace = 0, square = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double l = (double) lambda[i] / (double) (size > 0 ? size : 1);
      trace += l - (double) diagonal[i] / (double) (size > 0 ? size : 1);
      square += l * l;
    }
  *error = fmax (relative (fabs (trace), 1),
                 relative (fabs (square - (size > 0)), 1));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_orthogonality)
GE_INSTANTIATE (ge_cuda_norm)
GE_INSTANTIATE (ge_cuda_eigenpairs)
GE_INSTANTIATE (ge_cuda_spectrum)
