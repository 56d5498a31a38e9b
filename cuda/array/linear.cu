/* Products, factorizations and singular values of arrays, by cuBLAS and cuSOLVER.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.cuh"
#include "base/blas.cuh"
#include "base/job.cuh"

#include <limits.h>

/* --- products --- */

template <typename T>
static cublasOperation_t
operation (char op)
{
  return op == 'N' ? CUBLAS_OP_N : op == 'T' ? CUBLAS_OP_T : ge_adjoint<T> ();
}

template <typename T>
static gpueig_status
multiply (gpueig_context *ctx, const ge_product *p)
{
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const int64_t lda = p->ta == 'N' ? p->m : p->k,
                ldb = p->tb == 'N' ? p->k : p->n;
  if (p->pages == 1)
    CUBLAS (ge_gemm (blas, operation<T> (p->ta), operation<T> (p->tb), p->m,
                     p->n, p->k, 1, (const T *) p->a, lda, (const T *) p->b,
                     ldb, 0, (T *) p->c, p->m));
  else
    CUBLAS (ge_gemm_strided (blas, operation<T> (p->ta), operation<T> (p->tb),
                             p->m, p->n, p->k, 1, (const T *) p->a, lda,
                             p->stride_a, (const T *) p->b, ldb, p->stride_b, 0,
                             (T *) p->c, p->m, p->m * p->n, p->pages));
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_multiply (gpueig_context *ctx, const ge_product *p)
{
  return GE_CUDA_BY_TYPE (p->type, multiply, (ctx, p));
}

/* --- workspace and the number that cuSOLVER's functions report --- */

typedef struct
{
  size_t device_bytes, host_bytes;
  void *device, *host;
  int *info;
} work;

static gpueig_status
get_work (gpueig_context *ctx, work *w)
{
  GE_TRY (ge_alloc (ctx, GE_DEVICE, (int64_t) w->device_bytes, 1, &w->device));
  GE_TRY (ge_alloc (ctx, GE_HOST, (int64_t) w->host_bytes, 1, &w->host));
  return GE_ALLOC (ctx, GE_DEVICE, 1, &w->info);
}

/* *INFO: the number, after the work on the stream; negative ones are errors.  */
static gpueig_status
get_info (gpueig_context *ctx, const work *w, int *info)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  CU (cudaMemcpyAsync (info, w->info, sizeof *info, cudaMemcpyDeviceToHost,
                       stream));
  CU (cudaStreamSynchronize (stream));
  if (*info >= 0)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "cuSOLVER refused its argument %d", -*info);
}

/* Call WORKER (ctx, w, argument), and release its scratch memory.  */
template <typename A>
static gpueig_status
in_frame (gpueig_context *ctx,
          gpueig_status (*worker) (gpueig_context *, work *, A *), A *argument)
{
  work w = {};
  const int mark = ge_mark (ctx);
  const gpueig_status status = worker (ctx, &w, argument);
  ge_release (ctx, mark);
  return status;
}

/* --- factorizations --- */

typedef struct
{
  const ge_factors *f;
  int64_t at;
} factor_job;

template <typename T>
static gpueig_status
cholesky (gpueig_context *ctx, work *w, factor_job *j)
{
  const cusolverDnHandle_t h = ge_cuda_of (ctx)->solver;
  const ge_factors *f = j->f;
  const cudaDataType type = cuda_type<T>::value;
  int info;
  CUSOLVER (cusolverDnXpotrf_bufferSize (h, NULL, CUBLAS_FILL_MODE_UPPER, f->n,
                                         type, f->a, f->m, type,
                                         &w->device_bytes, &w->host_bytes));
  GE_TRY (get_work (ctx, w));
  CUSOLVER (cusolverDnXpotrf (h, NULL, CUBLAS_FILL_MODE_UPPER, f->n, type, f->a,
                              f->m, type, w->device, w->device_bytes, w->host,
                              w->host_bytes, w->info));
  GE_TRY (get_info (ctx, w, &info));
  j->at = info;
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
lu (gpueig_context *ctx, work *w, factor_job *j)
{
  const cusolverDnHandle_t h = ge_cuda_of (ctx)->solver;
  const ge_factors *f = j->f;
  const cudaDataType type = cuda_type<T>::value;
  int info;
  CUSOLVER (cusolverDnXgetrf_bufferSize (h, NULL, f->m, f->n, type, f->a, f->m,
                                         type, &w->device_bytes,
                                         &w->host_bytes));
  GE_TRY (get_work (ctx, w));
  CUSOLVER (cusolverDnXgetrf (
      h, NULL, f->m, f->n, type, f->a, f->m, (int64_t *) f->pivots, type,
      w->device, w->device_bytes, w->host, w->host_bytes, w->info));
  GE_TRY (get_info (ctx, w, &info));
  j->at = info;
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
qr (gpueig_context *ctx, work *w, factor_job *j)
{
  const cusolverDnHandle_t h = ge_cuda_of (ctx)->solver;
  const ge_factors *f = j->f;
  const cudaDataType type = cuda_type<T>::value;
  int info;
  CUSOLVER (cusolverDnXgeqrf_bufferSize (h, NULL, f->m, f->n, type, f->a, f->m,
                                         type, f->tau, type, &w->device_bytes,
                                         &w->host_bytes));
  GE_TRY (get_work (ctx, w));
  CUSOLVER (cusolverDnXgeqrf (h, NULL, f->m, f->n, type, f->a, f->m, type,
                              f->tau, type, w->device, w->device_bytes, w->host,
                              w->host_bytes, w->info));
  return get_info (ctx, w, &info);
}

template <typename T>
static gpueig_status
factor (gpueig_context *ctx, factor_job *j)
{
  switch (j->f->kind)
    {
    case GE_CHOLESKY:
      return in_frame<factor_job> (ctx, cholesky<T>, j);
    case GE_LU:
      return in_frame<factor_job> (ctx, lu<T>, j);
    case GE_QR:
      return in_frame<factor_job> (ctx, qr<T>, j);
    default:
      return GPUEIG_OK;
    }
}

gpueig_status
ge_cuda_factor (gpueig_context *ctx, const ge_factors *f, int64_t *at)
{
  factor_job j = { f, 0 };
  const gpueig_status status = GE_CUDA_BY_TYPE (f->type, factor, (ctx, &j));
  *at = j.at;
  return status;
}

/* --- solution with factors --- */

typedef struct
{
  const ge_factors *f;
  char trans;
  int64_t count;
  void *b;
} solve_job;

template <typename T>
static gpueig_status
by_cholesky (gpueig_context *ctx, work *w, solve_job *j)
{
  const ge_factors *f = j->f;
  const cudaDataType type = cuda_type<T>::value;
  int info;
  GE_TRY (get_work (ctx, w));
  CUSOLVER (cusolverDnXpotrs (ge_cuda_of (ctx)->solver, NULL,
                              CUBLAS_FILL_MODE_UPPER, f->n, j->count, type,
                              f->a, f->m, type, j->b, f->m, w->info));
  return get_info (ctx, w, &info);
}

template <typename T>
static gpueig_status
by_lu (gpueig_context *ctx, work *w, solve_job *j)
{
  const ge_factors *f = j->f;
  const cudaDataType type = cuda_type<T>::value;
  int info;
  GE_TRY (get_work (ctx, w));
  CUSOLVER (cusolverDnXgetrs (ge_cuda_of (ctx)->solver, NULL,
                              operation<T> (j->trans), f->n, j->count, type,
                              f->a, f->m, (const int64_t *) f->pivots, type,
                              j->b, f->m, w->info));
  return get_info (ctx, w, &info);
}

/* cuSOLVER's product with Q by type, of 32-bit sizes.  */
#define APPLY_Q(T, L, name)                                                    \
  static cusolverStatus_t apply_q_size (                                       \
      cusolverDnHandle_t h, cublasOperation_t op, int m, int n, int k,         \
      const T *a, const T *tau, T *c, int *size)                               \
  {                                                                            \
    return cusolverDn##L##name##_bufferSize (h, CUBLAS_SIDE_LEFT, op, m, n, k, \
                                             a, m, tau, c, m, size);           \
  }                                                                            \
  static cusolverStatus_t apply_q (                                            \
      cusolverDnHandle_t h, cublasOperation_t op, int m, int n, int k,         \
      const T *a, const T *tau, T *c, T *space, int size, int *info)           \
  {                                                                            \
    return cusolverDn##L##name (h, CUBLAS_SIDE_LEFT, op, m, n, k, a, m, tau,   \
                                c, m, space, size, info);                      \
  }
APPLY_Q (float, S, ormqr)
APPLY_Q (double, D, ormqr)
APPLY_Q (cuComplex, C, unmqr)
APPLY_Q (cuDoubleComplex, Z, unmqr)

template <typename T>
static gpueig_status
by_q (gpueig_context *ctx, const solve_job *j)
{
  const cusolverDnHandle_t h = ge_cuda_of (ctx)->solver;
  const ge_factors *f = j->f;
  const cublasOperation_t op = operation<T> (j->trans);
  const int mark = ge_mark (ctx);
  work w = {};
  int size = 0, info;
  T *space;
  if (f->m > INT_MAX || j->count > INT_MAX)
    return gpueig_fail (
        ctx, GPUEIG_OUT_OF_MEMORY, "a size of %lld is more than cuSOLVER's %d",
        (long long) (f->m > INT_MAX ? f->m : j->count), INT_MAX);
  const int m = (int) f->m, n = (int) j->count, k = (int) f->n;
  CUSOLVER (apply_q_size (h, op, m, n, k, (const T *) f->a, (const T *) f->tau,
                          (T *) j->b, &size));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, size, &space));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &w.info));
  CUSOLVER (apply_q (h, op, m, n, k, (const T *) f->a, (const T *) f->tau,
                     (T *) j->b, space, size, w.info));
  const gpueig_status status = get_info (ctx, &w, &info);
  ge_release (ctx, mark);
  return status;
}

template <typename T>
static gpueig_status
solve (gpueig_context *ctx, solve_job *j)
{
  const ge_factors *f = j->f;
  switch (f->kind)
    {
    case GE_CHOLESKY:
      return in_frame<solve_job> (ctx, by_cholesky<T>, j);
    case GE_LU:
      return in_frame<solve_job> (ctx, by_lu<T>, j);
    case GE_QR:
      return by_q<T> (ctx, j);
    default:
      CUBLAS (ge_trsm (ge_cuda_of (ctx)->blas, CUBLAS_SIDE_LEFT,
                       f->kind == GE_UPPER ? CUBLAS_FILL_MODE_UPPER
                                           : CUBLAS_FILL_MODE_LOWER,
                       operation<T> (j->trans), f->n, j->count,
                       (const T *) f->a, f->m, (T *) j->b, f->m));
      return GPUEIG_OK;
    }
}

gpueig_status
ge_cuda_solve (gpueig_context *ctx, const ge_factors *f, char trans,
               int64_t count, void *b)
{
  solve_job j = { f, trans, count, b };
  return GE_CUDA_BY_TYPE (f->type, solve, (ctx, &j));
}

/* --- singular values --- */

/* From about this work on Xgesvd takes half a second or more, and is called on a thread of
   its own, with copies of the arrays, so that it can be interrupted.  */
#define APART 1e9

typedef struct
{
  ge_cuda_job job;
  int64_t m, n;
  cudaDataType type, real;
  signed char what; /* 'S': with vectors */
  void *a, *s, *u, *vt, *device, *host;
  size_t device_bytes, host_bytes;
  int *info;
} svd_job;

static void
call_gesvd (ge_cuda_job *job)
{
  svd_job *j = (svd_job *) job;
  job->status = cusolverDnXgesvd (
      job->solver, NULL, j->what, j->what, j->m, j->n, j->type, j->a, j->m,
      j->real, j->s, j->type, j->u, j->m, j->type, j->vt, j->n, j->type,
      j->device, j->device_bytes, j->host, j->host_bytes, j->info);
}

/* The arrays of the problem, or the job's own, and its scratch memory.  */
template <typename T>
static gpueig_status
prepare_svd (gpueig_context *ctx, const svd_job *given, svd_job *j)
{
  typedef typename real_of<T>::type R;
  const int64_t m = given->m, n = given->n;
  const ge_cuda_job job = j->job;
  *j = *given;
  j->job = job;
  j->job.call = call_gesvd;
  j->type = cuda_type<T>::value;
  j->real = cuda_type<R>::value;
  j->what = given->u ? 'S' : 'N';
  if (job.apart)
    {
      GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, m * n, sizeof (T), &j->a));
      GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, n, sizeof (R), &j->s));
      if (given->u)
        {
          GE_TRY (
              ge_cuda_job_alloc (ctx, j, GE_DEVICE, m * n, sizeof (T), &j->u));
          GE_TRY (
              ge_cuda_job_alloc (ctx, j, GE_DEVICE, n * n, sizeof (T), &j->vt));
        }
      CU (cudaMemcpyAsync (j->a, given->a, (size_t) (m * n) * sizeof (T),
                           cudaMemcpyDeviceToDevice, ge_cuda_of (ctx)->stream));
    }
  CUSOLVER (cusolverDnXgesvd_bufferSize (
      j->job.solver, NULL, j->what, j->what, m, n, j->type, j->a, m, j->real,
      j->s, j->type, j->u, m, j->type, j->vt, n, j->type, &j->device_bytes,
      &j->host_bytes));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, (int64_t) j->device_bytes, 1,
                             &j->device));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_HOST, (int64_t) j->host_bytes, 1,
                             &j->host));
  return ge_cuda_job_alloc (ctx, j, GE_DEVICE, 1, sizeof (int),
                            (void **) &j->info);
}

/* The results, where they are not in the arrays of the problem.  */
template <typename T>
static gpueig_status
finish_svd (gpueig_context *ctx, const svd_job *given, const svd_job *j)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const size_t m = (size_t) given->m, n = (size_t) given->n;
  work w = {};
  int info;
  w.info = j->info;
  GE_TRY (get_info (ctx, &w, &info));
  if (info != 0)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "cuSOLVER's singular values do not converge");
  if (! j->job.apart)
    return GPUEIG_OK;
  CU (cudaMemcpyAsync (given->s, j->s, n * sizeof (typename real_of<T>::type),
                       cudaMemcpyDeviceToDevice, stream));
  if (given->u)
    {
      CU (cudaMemcpyAsync (given->u, j->u, m * n * sizeof (T),
                           cudaMemcpyDeviceToDevice, stream));
      CU (cudaMemcpyAsync (given->vt, j->vt, n * n * sizeof (T),
                           cudaMemcpyDeviceToDevice, stream));
    }
  CU (cudaStreamSynchronize (stream));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
svd (gpueig_context *ctx, const svd_job *given)
{
  const double n = (double) given->n;
  svd_job *j;
  const int mark = ge_mark (ctx);
  gpueig_status status = ge_cuda_begin_job (
      ctx, (double) given->m * n * n >= APART, sizeof *j, (void **) &j);
  if (status == GPUEIG_OK)
    status = prepare_svd<T> (ctx, given, j);
  if (status == GPUEIG_OK)
    status = ge_cuda_run_job (ctx, (void **) &j, "cusolverDnXgesvd");
  if (status == GPUEIG_OK)
    status = finish_svd<T> (ctx, given, j);
  ge_cuda_end_job (ctx, j);
  ge_release (ctx, mark);
  return status;
}

gpueig_status
ge_cuda_svd (gpueig_context *ctx, gpueig_type type, int64_t m, int64_t n,
             void *a, void *s, void *u, void *vt)
{
  svd_job j = {};
  j.m = m;
  j.n = n;
  j.a = a;
  j.s = s;
  j.u = u;
  j.vt = vt;
  return GE_CUDA_BY_TYPE (type, svd, (ctx, &j));
}
