/* The solver around MRRR on the GPU: dense matrices are reduced by cuSOLVER's
   sytrd/hetrd and transformed back by ormtr/unmtr.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "blas.cuh"
#include "job.cuh"
#include "mrrr.cuh"
#include "reflection.cuh"
#include "tridiagonal/stack.cuh"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
  /* From here on the reduction takes half a second and more.  */
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

/* A, n-by-n, and what it is reduced to: T (d, e) on the host, reflectors H with
   TAU, both on the device.  */
template <typename T> struct dense
{
  T *a, *h, *tau;
  double *d, *e;
  int exponent; /* A is the matrix times 2^-exponent */
};

template <typename T>
static gpueig_status
run_reduction (gpueig_context *ctx, reduction_job<T> **job, dense<T> *m,
               const T *u)
{
  typedef typename real_of<T>::type R;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t n = (*job)->n;
  const size_t bytes = (size_t) (n * n) * sizeof (T);
  R *staged;
  CU (cudaMemcpyAsync ((*job)->a, m->a, bytes, cudaMemcpyDeviceToDevice,
                       stream));
  if (u)
    GE_TRY (ge_cuda_reflect_both (ctx, n, u, (*job)->a));
  GE_TRY (ge_cuda_run_job (ctx, (void **) job, "cusolverDnXsytrd"));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2 * n, &staged));
  CU (cudaMemcpyAsync (m->h, (*job)->a, bytes, cudaMemcpyDeviceToDevice,
                       stream));
  CU (cudaMemcpyAsync (m->tau, (*job)->tau, (size_t) n * sizeof (T),
                       cudaMemcpyDeviceToDevice, stream));
  CU (cudaMemcpyAsync (staged, (*job)->d, (size_t) (2 * n) * sizeof (R),
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaStreamSynchronize (stream));
  for (int64_t i = 0; i < n; i++)
    {
      m->d[i] = ldexp ((double) staged[i], m->exponent);
      m->e[i] = i + 1 < n ? ldexp ((double) staged[n + i], m->exponent) : 0;
    }
  return GPUEIG_OK;
}

/* By U (NULL: none) reflected, then reduced.  *GOOD: T is finite.  */
template <typename T>
static gpueig_status
reduce_dense (gpueig_context *ctx, int64_t n, dense<T> *m, const T *u,
              int *good)
{
  reduction_job<T> *job;
  const int mark = ge_mark (ctx);
  gpueig_status status = ge_cuda_begin_job (ctx, n >= REDUCTION_APART,
                                            sizeof *job, (void **) &job);
  if (status == GPUEIG_OK)
    status = prepare_reduction (ctx, n, job);
  if (status == GPUEIG_OK)
    status = run_reduction (ctx, &job, m, u);
  ge_cuda_end_job (ctx, job);
  ge_release (ctx, mark);
  GE_TRY (status);
  *good = 1;
  for (int64_t i = 0; i < n; i++)
    *good &= isfinite (m->d[i]) && isfinite (m->e[i]);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
transform_back (gpueig_context *ctx, int64_t n, int64_t columns, T *a, T *tau,
                T *v)
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

/* Real to complex.  */
template <typename T, typename R>
static __global__ void
widen_kernel (int64_t count, const R *z, T *v)
{
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    {
      v[i].x = z[i];
      v[i].y = 0;
    }
}

static gpueig_status
widen (gpueig_context *ctx, int64_t count, const float *z, cuComplex *v)
{
  GE_LAUNCH (widen_kernel, (unsigned) ((count + 255) / 256), 256, 0,
             ge_cuda_of (ctx)->stream)
  (count, z, v);
  LAUNCHED ();
  return GPUEIG_OK;
}

static gpueig_status
widen (gpueig_context *ctx, int64_t count, const double *z, cuDoubleComplex *v)
{
  GE_LAUNCH (widen_kernel, (unsigned) ((count + 255) / 256), 256, 0,
             ge_cuda_of (ctx)->stream)
  (count, z, v);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* Real vectors are computed in place.  */
static gpueig_status
widen (gpueig_context *, int64_t, const float *, float *)
{
  return GPUEIG_OK;
}

static gpueig_status
widen (gpueig_context *, int64_t, const double *, double *)
{
  return GPUEIG_OK;
}

/* A page's tridiagonal problem and its place for vectors.  */
template <typename T> struct page_problem
{
  const gpueig_mrrr_problem *p;
  int64_t page, n, count;
  int inverse;
  double *d, *e, *lambda;
  T *v; /* n-by-count, NULL: none */
};

/* Eigenpairs of (d, e), the vectors as scalars T in the current frame.  */
template <typename T>
static gpueig_status
solve_tridiagonal (gpueig_context *ctx, page_problem<T> *q, gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  ge_mrrr m;
  R *z = NULL;
  memset (&m, 0, sizeof m);
  ge_mrrr_choose (q->p, q->d, q->e, &m.il, &m.iu);
  q->count = m.iu >= m.il ? m.iu - m.il + 1 : 0;
  q->v = NULL;
  if (q->count == 0)
    return GPUEIG_OK;
  if (q->p->v)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, q->n * q->count, &q->v));
      z = (R *) q->v;
      if (is_complex<T>::value)
        GE_TRY (GE_ALLOC (ctx, GE_DEVICE, q->n * q->count, &z));
    }
  m.ctx = ctx;
  m.ops = &ge_mrrr_gpu;
  m.n = q->n;
  m.is_double = sizeof (R) == sizeof (double);
  m.d = q->d;
  m.e = q->e;
  m.vectors = q->v != NULL;
  m.inverse = q->inverse;
  m.v = z;
  m.lambda = q->lambda;
  GE_TRY (ge_mrrr_solve (&m));
  ge_mrrr_tell (&m, info);
  return q->v ? widen (ctx, q->n * q->count, z, q->v) : GPUEIG_OK;
}

/* Are the page's results those of A?  Values of a part of the spectrum alone
   cannot be looked at.  */
template <typename T>
static gpueig_status
look_at (gpueig_context *ctx, const page_problem<T> *q, const dense<T> *m,
         int again, int *good)
{
  typedef typename real_of<T>::type R;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  double turned = 0, error = 0;
  T *scalars;
  R *lambda;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, q->count, &scalars));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, q->count, &lambda));
  for (int64_t i = 0; i < q->count; i++)
    {
      lambda[i] = (R) ldexp (q->lambda[i], -m->exponent);
      scalars[i] = to_scalar (lambda[i], T ());
    }
  if (q->v)
    {
      GE_TRY (ge_cuda_orthogonality (ctx, q->n, q->count, q->v, &turned));
      GE_TRY (ge_cuda_residual<T> (ctx, q->n, q->count, m->a, q->v, scalars,
                                   &error));
    }
  else if (q->count == q->n)
    GE_TRY (ge_cuda_spectrum<T> (ctx, q->n, m->a, lambda, &error));
  *good = ge_cuda_looks_right (q->n, eps, again, turned, error);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* With U (NULL: none) reflected.  */
template <typename T>
static gpueig_status
solve_dense (gpueig_context *ctx, page_problem<T> *q, dense<T> *m, const T *u,
             int *good, gpueig_info *info)
{
  ge_report (ctx, "reduction to tridiagonal form");
  GE_TRY (reduce_dense (ctx, q->n, m, u, good));
  if (! *good)
    return GPUEIG_OK;
  GE_TRY (solve_tridiagonal (ctx, q, info));
  if (q->v)
    {
      ge_report (ctx, "back-transformation");
      GE_TRY (transform_back (ctx, q->n, q->count, m->h, m->tau, q->v));
      if (u)
        GE_TRY (ge_cuda_reflect (ctx, q->n, q->count, u, q->v));
    }
  return q->count > 0 ? look_at (ctx, q, m, u != NULL, good) : GPUEIG_OK;
}

/* The page's matrix from the host, solved; again where the reduction was not
   orthogonal.  */
template <typename T>
static gpueig_status
dense_page (gpueig_context *ctx, page_problem<T> *q, gpueig_info *info)
{
  typedef typename real_of<T>::type R;
  const int64_t n = q->n, square = n * n;
  dense<T> m;
  T *u;
  int good;
  m.d = q->d;
  m.e = q->e;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &m.a));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &m.h));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &m.tau));
  GE_TRY (ge_upload (ctx, m.a, (const T *) q->p->a + q->page * square,
                     (size_t) square * sizeof (T), info));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (ge_cuda_scale_up (ctx, square * (1 + is_complex<T>::value), (R *) m.a,
                            &m.exponent));
  const int mark = ge_mark (ctx);
  GE_TRY (solve_dense<T> (ctx, q, &m, NULL, &good, info));
  if (good)
    return GPUEIG_OK;
  ge_release (ctx, mark);
  GE_TRY (ge_cuda_reflector (ctx, n, &u));
  GE_TRY (solve_dense<T> (ctx, q, &m, u, &good, info));
  if (good)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "the reduction to tridiagonal form failed");
}

template <typename T>
static gpueig_status
mrrr_page (gpueig_context *ctx, const gpueig_mrrr_problem *p, int64_t page,
           int inverse, gpueig_info *info)
{
  const int64_t n = p->n, columns = ge_mrrr_columns (p);
  page_problem<T> q;
  int mark = ge_mark (ctx);
  memset (&q, 0, sizeof q);
  q.p = p;
  q.page = page;
  q.n = n;
  q.inverse = inverse;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &q.d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &q.e));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &q.lambda));
  if (p->a)
    GE_TRY (dense_page (ctx, &q, info));
  else
    {
      GE_TRY (ge_timer_start (ctx));
      ge_mrrr_get_tridiagonal (p, page, q.d, q.e);
      GE_TRY (solve_tridiagonal (ctx, &q, info));
    }
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  if (q.v)
    GE_TRY (ge_download (ctx, (T *) p->v + page * n * columns, q.v,
                         (size_t) (n * q.count) * sizeof (T), info));
  ge_mrrr_put_values (p, page, q.count, q.lambda);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* A stack of small pages by QL for all of them at once; what that gives up, page
   by page.  */
static gpueig_status
by_ql (gpueig_context *ctx, const gpueig_mrrr_problem *p,
       const gpueig_options *options, gpueig_info *info)
{
  const int64_t columns = ge_mrrr_columns (p);
  const ge_stack_problem q
      = { p->type,
          p->n,
          p->pages,
          p->a,
          p->d,
          p->e,
          p->select == GPUEIG_SELECT_INDEX ? p->first - 1 : 0,
          columns,
          options->max_sweeps,
          p->lambda,
          p->v };
  unsigned char *status;
  int64_t failed;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &status));
  GE_TRY (ge_cuda_stack_eig (ctx, &q, status, &failed, info));
  for (int64_t page = 0; page < p->pages && failed > 0; page++)
    if (status[page])
      GE_TRY (GE_CUDA_BY_TYPE (p->type, mrrr_page, (ctx, p, page, 0, info)));
  ge_info_method (info, "ql");
  if (failed > 0)
    ge_info_fallback (info, "mrrr");
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_mrrr (gpueig_context *ctx, const void *problem,
              const gpueig_options *options, gpueig_info *info)
{
  const gpueig_mrrr_problem *p = (const gpueig_mrrr_problem *) problem;
  int inverse = strcmp (options->method, "inverse") == 0;
  if (strcmp (options->method, "auto") == 0
      && p->select != GPUEIG_SELECT_INTERVAL
      && ge_cuda_stack_serves_mrrr (p->n, p->pages))
    return by_ql (ctx, p, options, info);
  ge_info_method (info, inverse ? "inverse" : "mrrr");
  for (int64_t page = 0; page < p->pages; page++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (
          GE_CUDA_BY_TYPE (p->type, mrrr_page, (ctx, p, page, inverse, info)));
      ge_report_pages (ctx, info->method, page + 1, p->pages);
    }
  return GPUEIG_OK;
}
