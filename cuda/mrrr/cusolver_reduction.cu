/* cuSOLVER's reduction to tridiagonal form and the back-transformation, see
   cusolver_reduction.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/cusolver_reduction.cuh"

#include "base/job.cuh"

enum
{
  /* From this order on the reduction takes half a second or more, and is called
     on a thread of its own so that it can be interrupted.  */
  REDUCTION_APART = 7000
};

/* --- cuSOLVER by overload --- */

#define REDUCTIONS(T, R, sytrd, ormtr)                                         \
  static cusolverStatus_t reduce_size (cusolverDnHandle_t h, int n, T *a,      \
                                       R *d, R *e, T *tau, int *lwork)         \
  {                                                                            \
    return cusolverDn##sytrd##_bufferSize (h, CUBLAS_FILL_MODE_LOWER, n, a, n, \
                                           d, e, tau, lwork);                  \
  }                                                                            \
  static cusolverStatus_t reduce (cusolverDnHandle_t h, int n, T *a, R *d,     \
                                  R *e, T *tau, T *work, int lwork, int *info) \
  {                                                                            \
    return cusolverDn##sytrd (h, CUBLAS_FILL_MODE_LOWER, n, a, n, d, e, tau,   \
                              work, lwork, info);                              \
  }                                                                            \
  static cusolverStatus_t back_size (cusolverDnHandle_t h, int n, int m,       \
                                     const T *a, const T *tau, const T *v,     \
                                     int *lwork)                               \
  {                                                                            \
    return cusolverDn##ormtr##_bufferSize (                                    \
        h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, m, a, n,  \
        tau, v, n, lwork);                                                     \
  }                                                                            \
  static cusolverStatus_t back (cusolverDnHandle_t h, int n, int m, T *a,      \
                                T *tau, T *v, T *work, int lwork, int *info)   \
  {                                                                            \
    return cusolverDn##ormtr (h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,     \
                              CUBLAS_OP_N, n, m, a, n, tau, v, n, work, lwork, \
                              info);                                           \
  }
REDUCTIONS (float, float, Ssytrd, Sormtr)
REDUCTIONS (double, double, Dsytrd, Dormtr)
REDUCTIONS (cuComplex, float, Chetrd, Cunmtr)
REDUCTIONS (cuDoubleComplex, double, Zhetrd, Zunmtr)
#undef REDUCTIONS

template <typename T> struct reduction_job
{
  ge_cuda_job job;
  int n, lwork, *result;
  T *a, *tau, *work;
  typename real_of<T>::type *d, *e;
};

template <typename T>
static void
call_reduction (ge_cuda_job *job)
{
  reduction_job<T> *j = (reduction_job<T> *) job;
  job->status = reduce (job->solver, j->n, j->a, j->d, j->e, j->tau, j->work,
                        j->lwork, j->result);
}

template <typename T>
static gpueig_status
prepare_reduction (gpueig_context *ctx, int64_t n, reduction_job<T> *j)
{
  typedef typename real_of<T>::type R;
  j->job.call = call_reduction<T>;
  j->n = (int) n;
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, n * n, sizeof (T),
                             (void **) &j->a));
  GE_TRY (
      ge_cuda_job_alloc (ctx, j, GE_DEVICE, n, sizeof (T), (void **) &j->tau));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, 2 * n, sizeof (R),
                             (void **) &j->d));
  j->e = j->d + n;
  CUSOLVER (
      reduce_size (j->job.solver, j->n, j->a, j->d, j->e, j->tau, &j->lwork));
  GE_TRY (ge_cuda_job_alloc (ctx, j, GE_DEVICE, j->lwork, sizeof (T),
                             (void **) &j->work));
  return ge_cuda_job_alloc (ctx, j, GE_DEVICE, 1, sizeof (int),
                            (void **) &j->result);
}

template <typename T>
static gpueig_status
copy_results (gpueig_context *ctx, const reduction_job<T> *j, T *a, T *tau,
              typename real_of<T>::type *d, typename real_of<T>::type *e)
{
  typedef typename real_of<T>::type R;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const size_t n = (size_t) j->n;
  CU (cudaMemcpyAsync (a, j->a, n * n * sizeof (T), cudaMemcpyDeviceToDevice,
                       stream));
  CU (cudaMemcpyAsync (tau, j->tau, n * sizeof (T), cudaMemcpyDeviceToDevice,
                       stream));
  CU (cudaMemcpyAsync (d, j->d, n * sizeof (R), cudaMemcpyDeviceToDevice,
                       stream));
  CU (cudaMemcpyAsync (e, j->e, (n - 1) * sizeof (R), cudaMemcpyDeviceToDevice,
                       stream));
  CU (cudaStreamSynchronize (stream));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
run_reduction (gpueig_context *ctx, reduction_job<T> **job, T *a, T *tau,
               typename real_of<T>::type *d, typename real_of<T>::type *e)
{
  const size_t n = (size_t) (*job)->n;
  CU (cudaMemcpyAsync ((*job)->a, a, n * n * sizeof (T),
                       cudaMemcpyDeviceToDevice, ge_cuda_of (ctx)->stream));
  GE_TRY (ge_cuda_run_job (ctx, (void **) job, "cusolverDnXsytrd"));
  return copy_results<T> (ctx, *job, a, tau, d, e);
}

template <typename T>
gpueig_status
ge_cusolver_tridiagonalize (gpueig_context *ctx, int64_t n, T *a, T *tau,
                            typename real_of<T>::type *d,
                            typename real_of<T>::type *e)
{
  reduction_job<T> *job;
  const int mark = ge_mark (ctx);
  gpueig_status status = ge_cuda_begin_job (ctx, n >= REDUCTION_APART,
                                            sizeof *job, (void **) &job);
  if (status == GPUEIG_OK)
    status = prepare_reduction (ctx, n, job);
  if (status == GPUEIG_OK)
    status = run_reduction<T> (ctx, &job, a, tau, d, e);
  ge_cuda_end_job (ctx, job);
  ge_release (ctx, mark);
  return status;
}

template <typename T>
gpueig_status
ge_cusolver_transform_back (gpueig_context *ctx, int64_t n, int64_t columns,
                            T *a, T *tau, T *v)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  T *work;
  int lwork = 0, *info;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &info));
  CUSOLVER (
      back_size (cuda->solver, (int) n, (int) columns, a, tau, v, &lwork));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, lwork, &work));
  CUSOLVER (back (cuda->solver, (int) n, (int) columns, a, tau, v, work, lwork,
                  info));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_cusolver_tridiagonalize<T> (                       \
      gpueig_context *, int64_t, T *, T *, typename real_of<T>::type *,        \
      typename real_of<T>::type *);                                            \
  template gpueig_status ge_cusolver_transform_back<T> (                       \
      gpueig_context *, int64_t, int64_t, T *, T *, T *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
