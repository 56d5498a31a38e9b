/* cuSOLVER's Jacobi and batched eigensolvers as methods of gpu_eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/symmetric.cuh"

#include <string.h>

/* Overloads for the four scalar types.  */
#define OVERLOADS(T, R, NAME)                                                  \
  static cusolverStatus_t syevj_size (                                         \
      cusolverDnHandle_t h, cusolverEigMode_t job, int n, T *a, R *w,          \
      int *size, syevjInfo_t params, int batch)                                \
  {                                                                            \
    return batch ? cusolverDn##NAME##jBatched_bufferSize (                     \
               h, job, CUBLAS_FILL_MODE_LOWER, n, a, n, w, size, params,       \
               batch)                                                          \
                 : cusolverDn##NAME##j_bufferSize (h, job,                     \
                                                   CUBLAS_FILL_MODE_LOWER, n,  \
                                                   a, n, w, size, params);     \
  }                                                                            \
  static cusolverStatus_t syevj (cusolverDnHandle_t h, cusolverEigMode_t job,  \
                                 int n, T *a, R *w, T *work, int size,         \
                                 int *result, syevjInfo_t params, int batch)   \
  {                                                                            \
    return batch ? cusolverDn##NAME##jBatched (h, job, CUBLAS_FILL_MODE_LOWER, \
                                               n, a, n, w, work, size, result, \
                                               params, batch)                  \
                 : cusolverDn##NAME##j (h, job, CUBLAS_FILL_MODE_LOWER, n, a,  \
                                        n, w, work, size, result, params);     \
  }
OVERLOADS (float, float, Ssyev)
OVERLOADS (double, double, Dsyev)
OVERLOADS (cuComplex, float, Cheev)
OVERLOADS (cuDoubleComplex, double, Zheev)

/* BATCH = 0: one matrix by syevj; else BATCH matrices by syevjBatched.  */
template <typename T>
static gpueig_status
run_syevj (gpueig_context *ctx, cusolverEigMode_t job, int n, int batch, T *a,
           typename real_of<T>::type *lambda, int *result, syevjInfo_t params)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  int size = 0, mark = ge_mark (ctx);
  T *work;
  CUSOLVER (syevj_size (cuda->solver, job, n, a, lambda, &size, params, batch));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, size, &work));
  CUSOLVER (syevj (cuda->solver, job, n, a, lambda, work, size, result, params,
                   batch));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_syev_batched (gpueig_context *ctx, cusolverEigMode_t job, int64_t n,
                      int64_t batch, T *a, typename real_of<T>::type *lambda,
                      int *result)
{
  typedef typename real_of<T>::type R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  size_t device_bytes = 0, host_bytes = 0;
  char *device_work, *host_work;
  int mark = ge_mark (ctx);
  CUSOLVER (cusolverDnXsyevBatched_bufferSize (
      cuda->solver, NULL, job, CUBLAS_FILL_MODE_LOWER, n, cuda_type<T>::value,
      a, n, cuda_type<R>::value, lambda, cuda_type<T>::value, &device_bytes,
      &host_bytes, batch));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) device_bytes, &device_work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) host_bytes, &host_work));
  CUSOLVER (cusolverDnXsyevBatched (
      cuda->solver, NULL, job, CUBLAS_FILL_MODE_LOWER, n, cuda_type<T>::value,
      a, n, cuda_type<R>::value, lambda, cuda_type<T>::value, device_work,
      device_bytes, host_work, host_bytes, result, batch));
  CU (cudaStreamSynchronize (cuda->stream));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_cuda_syev_batched<T> (                             \
      gpueig_context *, cusolverEigMode_t, int64_t, int64_t, T *,              \
      typename real_of<T>::type *, int *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)

static gpueig_status
check_results (gpueig_context *ctx, const char *method, const int *result,
               int64_t pages)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  int *host;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, &host));
  CU (cudaMemcpyAsync (host, result, (size_t) pages * sizeof *host,
                       cudaMemcpyDeviceToHost, cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  for (int64_t p = 0; p < pages; p++)
    if (host[p] != 0)
      return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                          "cuSOLVER's %s failed on page %lld with info %d",
                          method, (long long) (ctx->first_page + p + 1),
                          host[p]);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
solve_stack (gpueig_context *ctx, const gpueig_symmetric *s,
             const gpueig_options *options, syevjInfo_t params,
             gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  int64_t n = s->n, square = n * n;
  int n32 = (int) n;
  const char *method = options->method;
  cusolverEigMode_t job
      = s->v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  T *a;
  R *lambda;
  int *result;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square * s->pages, &a));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * s->pages, &lambda));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, s->pages, &result));
  GE_TRY (ge_upload (ctx, a, s->a, (size_t) (square * s->pages) * sizeof (T),
                     info));
  GE_TRY (ge_timer_start (ctx));
  if (strcmp (method, "syev-batched") == 0)
    GE_TRY (ge_cuda_syev_batched (ctx, job, n, s->pages, a, lambda, result));
  else if (strcmp (method, "syevj-batched") == 0)
    GE_TRY (
        run_syevj (ctx, job, n32, (int) s->pages, a, lambda, result, params));
  else
    for (int64_t p = 0; p < s->pages; p++)
      {
        GE_TRY (ge_check_interrupt (ctx));
        GE_TRY (run_syevj (ctx, job, n32, 0, a + p * square, lambda + p * n,
                           result + p, params));
        ge_report_pages (ctx, method, p + 1, s->pages);
      }
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  GE_TRY (ge_download (ctx, s->lambda, lambda,
                       (size_t) (n * s->pages) * sizeof (R), info));
  if (s->v)
    GE_TRY (ge_download (ctx, s->v, a,
                         (size_t) (square * s->pages) * sizeof (T), info));
  return check_results (ctx, method, result, s->pages);
}

gpueig_status
ge_cuda_cusolver_method (gpueig_context *ctx, const gpueig_symmetric *s,
                         const gpueig_options *options, gpueig_info *info)
{
  syevjInfo_t params;
  ge_info_method (info, options->method);
  if (s->b)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "method \"%s\" does not take a pair (A, B)",
                        options->method);
  if (s->n > INT32_MAX || s->pages > INT32_MAX)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "order %lld or %lld pages are more than cuSOLVER's "
                        "32-bit integers",
                        (long long) s->n, (long long) s->pages);
  CUSOLVER (cusolverDnCreateSyevjInfo (&params));
  gpueig_status status
      = GE_CUDA_BY_TYPE (s->type, solve_stack, (ctx, s, options, params, info));
  if (! ge_device_is_lost (ctx))
    cusolverDnDestroySyevjInfo (params);
  return status;
}
