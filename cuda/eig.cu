/* The front door on the GPU: cuSOLVER's symmetric eigensolvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "blas.cuh"
#include "eig.cuh"

#include <math.h>
#include <string.h>

static cublasStatus_t
find_largest (cublasHandle_t h, int64_t n, const float *x, int64_t *at)
{
  return cublasIsamax_64 (h, n, x, 1, at);
}

static cublasStatus_t
find_largest (cublasHandle_t h, int64_t n, const double *x, int64_t *at)
{
  return cublasIdamax_64 (h, n, x, 1, at);
}

static cublasStatus_t
multiply (cublasHandle_t h, int64_t n, float factor, float *x)
{
  return cublasSscal_64 (h, n, &factor, x, 1);
}

static cublasStatus_t
multiply (cublasHandle_t h, int64_t n, double factor, double *x)
{
  return cublasDscal_64 (h, n, &factor, x, 1);
}

template <typename R>
static gpueig_status
scale_to_one (gpueig_context *ctx, int64_t count, R *a, double *undo)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  int64_t at = 0;
  int exponent;
  R largest = 0;
  *undo = 1;
  CUBLAS (find_largest (cuda->blas, count, a, &at));
  CU (cudaMemcpyAsync (&largest, a + at - 1, sizeof largest,
                       cudaMemcpyDeviceToHost, cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  exponent = largest == 0 ? 0 : ilogb ((double) largest);
  if (exponent > -60 && exponent < 60)
    return GPUEIG_OK;
  /* In two steps: the inverse of a subnormal scale is no finite number.  */
  CUBLAS (multiply (cuda->blas, count, (R) ldexp (1, -exponent / 2), a));
  CUBLAS (multiply (cuda->blas, count,
                    (R) ldexp (1, -exponent - (-exponent / 2)), a));
  *undo = ldexp (1, exponent);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_scale_to_one (gpueig_context *ctx, int64_t count, float *a,
                      double *undo)
{
  return scale_to_one (ctx, count, a, undo);
}

gpueig_status
ge_cuda_scale_to_one (gpueig_context *ctx, int64_t count, double *a,
                      double *undo)
{
  return scale_to_one (ctx, count, a, undo);
}
/* Stacks of pages up to this order go to one-sided Jacobi, which takes all at
   once, in less time than any solver of cuSOLVER.  */
enum
{
  ONESIDED_PAGES = 128
};

/* cuSOLVER's host workspace lies in GE_HOST, the device's in GE_DEVICE.  */
template <typename T>
gpueig_status
ge_cuda_syevd (gpueig_context *ctx, int64_t n, int vectors, T *a,
               typename real_of<T>::type *lambda)
{
  typedef typename real_of<T>::type R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  cusolverEigMode_t job
      = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  size_t device_bytes = 0, host_bytes = 0;
  char *device_work, *host_work;
  int *result, failed = 0;
  int mark = ge_mark (ctx);

  CUSOLVER (cusolverDnXsyevd_bufferSize (
      cuda->solver, NULL, job, CUBLAS_FILL_MODE_LOWER, n, cuda_type<T>::value,
      a, n, cuda_type<R>::value, lambda, cuda_type<T>::value, &device_bytes,
      &host_bytes));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) device_bytes, &device_work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) host_bytes, &host_work));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &result));
  CUSOLVER (cusolverDnXsyevd (cuda->solver, NULL, job, CUBLAS_FILL_MODE_LOWER,
                              n, cuda_type<T>::value, a, n, cuda_type<R>::value,
                              lambda, cuda_type<T>::value, device_work,
                              device_bytes, host_work, host_bytes, result));
  CU (cudaMemcpyAsync (&failed, result, sizeof failed, cudaMemcpyDeviceToHost,
                       cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  ge_release (ctx, mark);
  if (failed != 0)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "cuSOLVER's divide and conquer failed with info %d",
                        failed);
  return GPUEIG_OK;
}

template gpueig_status ge_cuda_syevd (gpueig_context *, int64_t, int, float *,
                                      float *);
template gpueig_status ge_cuda_syevd (gpueig_context *, int64_t, int, double *,
                                      double *);
template gpueig_status ge_cuda_syevd (gpueig_context *, int64_t, int,
                                      cuComplex *, float *);
template gpueig_status ge_cuda_syevd (gpueig_context *, int64_t, int,
                                      cuDoubleComplex *, double *);

/* B = L L', A <- L^-1 A L^-H.  B becomes L.  */
template <typename T>
static gpueig_status
reduce_pair (gpueig_context *ctx, int64_t n, T *a, T *b)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  size_t device_bytes = 0, host_bytes = 0;
  char *device_work, *host_work;
  int *result, failed = 0;
  int mark = ge_mark (ctx);

  CUSOLVER (cusolverDnXpotrf_bufferSize (
      cuda->solver, NULL, CUBLAS_FILL_MODE_LOWER, n, cuda_type<T>::value, b, n,
      cuda_type<T>::value, &device_bytes, &host_bytes));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) device_bytes, &device_work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) host_bytes, &host_work));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &result));
  CUSOLVER (cusolverDnXpotrf (cuda->solver, NULL, CUBLAS_FILL_MODE_LOWER, n,
                              cuda_type<T>::value, b, n, cuda_type<T>::value,
                              device_work, device_bytes, host_work, host_bytes,
                              result));
  CU (cudaMemcpyAsync (&failed, result, sizeof failed, cudaMemcpyDeviceToHost,
                       cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  ge_release (ctx, mark);
  if (failed != 0)
    return gpueig_fail (
        ctx, GPUEIG_NOT_DEFINITE,
        "B is not positive definite: its leading minor of order "
        "%d is not",
        failed);
  CUBLAS (ge_trsm (cuda->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                   CUBLAS_OP_N, n, n, b, n, a, n));
  CUBLAS (ge_trsm (cuda->blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER,
                   ge_adjoint<T> (), n, n, b, n, a, n));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
eig_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t page,
          gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  int64_t n = s->n, square = n * n;
  size_t bytes = (size_t) square * sizeof (T);
  ge_cuda *cuda = ge_cuda_of (ctx);
  T *a, *b = NULL;
  R *lambda;
  int mark = ge_mark (ctx);

  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &a));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &lambda));
  GE_TRY (ge_upload (ctx, a, (const T *) s->a + page * square, bytes, info));
  if (s->b)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &b));
      GE_TRY (
          ge_upload (ctx, b, (const T *) s->b + page * square, bytes, info));
    }
  GE_TRY (ge_timer_start (ctx));
  if (b)
    GE_TRY (reduce_pair (ctx, n, a, b));
  double undo;
  GE_TRY (ge_cuda_scale_to_one (ctx, square * (1 + is_complex<T>::value),
                                (R *) a, &undo));
  GE_TRY (ge_cuda_syevd (ctx, n, s->v != NULL, a, lambda));
  CUBLAS (multiply (cuda->blas, n, (R) undo, lambda));
  if (b && s->v)
    CUBLAS (ge_trsm (cuda->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                     ge_adjoint<T> (), n, n, b, n, a, n));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  GE_TRY (ge_download (ctx, (R *) s->lambda + page * n, lambda,
                       (size_t) n * sizeof (R), info));
  if (s->v)
    GE_TRY (ge_download (ctx, (T *) s->v + page * square, a, bytes, info));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_eig_symmetric (gpueig_context *ctx, const void *problem,
                       const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *s = (const gpueig_symmetric *) problem;
  if (strcmp (options->method, "auto") != 0
      && strcmp (options->method, "syevd") != 0)
    return ge_cuda_cusolver_method (ctx, s, options, info);
  if (strcmp (options->method, "auto") == 0 && s->pages > 1
      && s->n <= ONESIDED_PAGES && ! s->b)
    return ge_cuda_onesided_eig (ctx, s, options, info);
  ge_info_method (info, "syevd");
  for (int64_t p = 0; p < s->pages; p++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (GE_CUDA_BY_TYPE (s->type, eig_page, (ctx, s, p, info)));
    }
  return GPUEIG_OK;
}
