/* The front door on the GPU: cuSOLVER's symmetric eigensolvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "blas.cuh"
#include "eig.cuh"
#include "job.cuh"
#include "onesided.cuh"
#include "reflection.cuh"

#include <float.h>
#include <string.h>

enum
{
  ONESIDED_PAGES = 256, /* the largest order of pages that go there */
  /* From here on syevd takes half a second and more.  */
  SYEVD_APART = 7000
};

typedef struct
{
  ge_cuda_job job;
  int64_t n;
  cusolverEigMode_t mode;
  cudaDataType type, real;
  void *a, *lambda, *device_work, *host_work;
  size_t device_bytes, host_bytes;
  int *result;
} syevd_job;

static void
call_syevd (ge_cuda_job *job)
{
  syevd_job *j = (syevd_job *) job;
  job->status = cusolverDnXsyevd (
      job->solver, NULL, j->mode, CUBLAS_FILL_MODE_LOWER, j->n, j->type, j->a,
      j->n, j->real, j->lambda, j->type, j->device_work, j->device_bytes,
      j->host_work, j->host_bytes, j->result);
}

template <typename T>
static gpueig_status
prepare_syevd (gpueig_context *ctx, int64_t n, int vectors, syevd_job *j)
{
  typedef typename real_of<T>::type R;
  j->job.call = call_syevd;
  j->n = n;
  j->mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  j->type = cuda_type<T>::value;
  j->real = cuda_type<R>::value;
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, n * n, sizeof (T), &j->a));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, n, sizeof (R), &j->lambda));
  CUSOLVER (cusolverDnXsyevd_bufferSize (
      j->job.solver, NULL, j->mode, CUBLAS_FILL_MODE_LOWER, n, j->type, j->a, n,
      j->real, j->lambda, j->type, &j->device_bytes, &j->host_bytes));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, (int64_t) j->device_bytes, 1,
                             &j->device_work));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_HOST, (int64_t) j->host_bytes, 1,
                             &j->host_work));
  return ge_cuda_job_alloc (ctx, j, GE_DEVICE, 1, sizeof (int),
                            (void **) &j->result);
}

/* Are the job's results those of A?  Vectors have come back from a second try.  */
template <typename T>
static gpueig_status
look_at (gpueig_context *ctx, const syevd_job *j, const T *a, int again,
         int *good)
{
  typedef typename real_of<T>::type R;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t n = j->n;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  const T *v = (const T *) j->a;
  double turned = 0, error = 0;
  int failed = 0;
  R *lambda;
  T *scalars;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &lambda));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &scalars));
  CU (cudaMemcpyAsync (&failed, j->result, sizeof failed,
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaMemcpyAsync (lambda, j->lambda, (size_t) n * sizeof (R),
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaStreamSynchronize (stream));
  if (j->mode == CUSOLVER_EIG_MODE_VECTOR)
    {
      for (int64_t i = 0; i < n; i++)
        scalars[i] = to_scalar (lambda[i], T ());
      GE_TRY (ge_cuda_orthogonality (ctx, n, n, v, &turned));
      GE_TRY (ge_cuda_residual<T> (ctx, n, n, a, v, scalars, &error));
    }
  else
    GE_TRY (ge_cuda_spectrum<T> (ctx, n, a, lambda, &error));
  *good = failed == 0 && ge_cuda_looks_right (n, eps, again, turned, error);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* The job's A from A, reflected by U (NULL: as it is), solved and looked at.  */
template <typename T>
static gpueig_status
try_syevd (gpueig_context *ctx, syevd_job **job, const T *a, const T *u,
           int *good)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t n = (*job)->n;
  T *x = (T *) (*job)->a;
  CU (cudaMemcpyAsync (x, a, (size_t) (n * n) * sizeof (T),
                       cudaMemcpyDeviceToDevice, stream));
  if (u)
    GE_TRY (ge_cuda_reflect_both (ctx, n, u, x));
  GE_TRY (ge_cuda_run_job (ctx, (void **) job, "cusolverDnXsyevd"));
  if (u && (*job)->mode == CUSOLVER_EIG_MODE_VECTOR)
    GE_TRY (ge_cuda_reflect (ctx, n, n, u, x));
  return look_at<T> (ctx, *job, a, u != NULL, good);
}

template <typename T>
static gpueig_status
syevd (gpueig_context *ctx, syevd_job **job, T *a,
       typename real_of<T>::type *lambda)
{
  typedef typename real_of<T>::type R;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t n = (*job)->n;
  int good, exponent;
  T *u;
  GE_TRY (ge_cuda_scale_up (ctx, n * n * (1 + is_complex<T>::value), (R *) a,
                            &exponent));
  GE_TRY (try_syevd<T> (ctx, job, a, NULL, &good));
  if (! good)
    {
      GE_TRY (ge_cuda_reflector (ctx, n, &u));
      GE_TRY (try_syevd<T> (ctx, job, a, u, &good));
    }
  if (! good)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "cuSOLVER's divide and conquer failed");
  CU (cudaMemcpyAsync (a, (*job)->a, (size_t) (n * n) * sizeof (T),
                       cudaMemcpyDeviceToDevice, stream));
  CU (cudaMemcpyAsync (lambda, (*job)->lambda, (size_t) n * sizeof (R),
                       cudaMemcpyDeviceToDevice, stream));
  GE_TRY (ge_cuda_scale (ctx, n, exponent, lambda));
  CU (cudaStreamSynchronize (stream));
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_syevd (gpueig_context *ctx, int64_t n, int vectors, T *a,
               typename real_of<T>::type *lambda)
{
  syevd_job *job;
  const int mark = ge_mark (ctx);
  gpueig_status status
      = ge_cuda_begin_job (ctx, n >= SYEVD_APART, sizeof *job, (void **) &job);
  if (status == GPUEIG_OK)
    status = prepare_syevd<T> (ctx, n, vectors, job);
  if (status == GPUEIG_OK)
    status = syevd<T> (ctx, &job, a, lambda);
  ge_cuda_end_job (ctx, job);
  ge_release (ctx, mark);
  return status;
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
  GE_TRY (ge_cuda_syevd (ctx, n, s->v != NULL, a, lambda));
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

/* Stacks that go to one-sided Jacobi, which takes all pages at once, in less time
   than syevd one by one.  */
static int
better_onesided (const gpueig_context *ctx, const gpueig_symmetric *s)
{
  return s->n <= ONESIDED_PAGES && ! s->b
         && ge_stack_pages (ctx, s->pages)
                >= onesided_least_pages (s->n, gpueig_is_complex (s->type));
}

gpueig_status
ge_cuda_eig_symmetric (gpueig_context *ctx, const void *problem,
                       const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *s = (const gpueig_symmetric *) problem;
  if (strcmp (options->method, "auto") != 0
      && strcmp (options->method, "syevd") != 0)
    return ge_cuda_cusolver_method (ctx, s, options, info);
  if (strcmp (options->method, "auto") == 0 && better_onesided (ctx, s))
    return ge_cuda_onesided_eig (ctx, s, options, info);
  ge_info_method (info, "syevd");
  for (int64_t p = 0; p < s->pages; p++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (GE_CUDA_BY_TYPE (s->type, eig_page, (ctx, s, p, info)));
      ge_report_pages (ctx, "cuSOLVER's Xsyevd", p + 1, s->pages);
    }
  return GPUEIG_OK;
}
