/* gpu_eig for symmetric and Hermitian problems: reduction to tridiagonal form
   and MRRR, or cuSOLVER's symmetric eigensolver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "eig/symmetric.cuh"
#include "base/job.cuh"
#include "base/pairs.cuh"
#include "base/similarity.cuh"
#include "base/verify.cuh"
#include "plan/forms.h"
#include "mrrr/solve.cuh"
#include "tridiagonal/stack.cuh"
#include "tridiagonal/tridiagonal.cuh"

#include <float.h>
#include <string.h>

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
  typedef ge_real<T> R;
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

/* Verify residual and orthogonality of the job's results for A, or the sums of
   the eigenvalues where there are no vectors.  AGAIN: second attempt, see
   ge_cuda_passes_check.  Vectors have been transformed back before.  */
template <typename T>
static gpueig_status
verify_result (gpueig_context *ctx, const syevd_job *j, const T *a, int again,
               int *good)
{
  typedef ge_real<T> R;
  const int64_t n = j->n;
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  const T *v = (const T *) j->a;
  double orthogonality = 0, error = 0;
  int failed = 0;
  R *lambda;
  T *scalars;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc_each (ctx, GE_HOST, n, &lambda, &scalars));
  GE_TRY (ge_get (ctx, &failed, j->result, 1));
  GE_TRY (ge_fetch (ctx, lambda, (const R *) j->lambda, n));
  if (j->mode == CUSOLVER_EIG_MODE_VECTOR)
    {
      for (int64_t i = 0; i < n; i++)
        scalars[i] = to_scalar (lambda[i], T ());
      GE_TRY (ge_cuda_eigenpairs<T> (ctx, n, n, a, v, scalars, &orthogonality,
                                     &error));
    }
  else
    GE_TRY (ge_cuda_spectrum<T> (ctx, n, a, lambda, &error));
  *good = failed == 0
          && ge_cuda_passes_check (n, eps, again, orthogonality, error);
  return ge_close_frame (ctx, mark);
}

/* Solve A, or (I - U U') A (I - U U') if U is not NULL, with cuSOLVER,
   transform the vectors back and verify the result.  */
template <typename T>
static gpueig_status
try_syevd (gpueig_context *ctx, syevd_job **job, const T *a, const T *u,
           int *good)
{
  const int64_t n = (*job)->n;
  T *x = (T *) (*job)->a;
  GE_TRY (ge_copy (ctx, x, a, n * n));
  if (u)
    GE_TRY (ge_cuda_reflect_both (ctx, n, u, x));
  GE_TRY (ge_cuda_run_job (ctx, (void **) job, "cusolverDnXsyevd"));
  if (u && (*job)->mode == CUSOLVER_EIG_MODE_VECTOR)
    GE_TRY (ge_cuda_reflect (ctx, n, n, u, x));
  return verify_result<T> (ctx, *job, a, u != NULL, good);
}

template <typename T>
static gpueig_status
syevd (gpueig_context *ctx, syevd_job **job, T *a, ge_real<T> *lambda)
{
  typedef ge_real<T> R;
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
  GE_TRY (ge_copy (ctx, a, (const T *) (*job)->a, n * n));
  GE_TRY (ge_copy (ctx, lambda, (const R *) (*job)->lambda, n));
  GE_TRY (ge_cuda_scale (ctx, n, exponent, lambda));
  return ge_wait (ctx);
}

template <typename T>
gpueig_status
ge_cuda_syevd (gpueig_context *ctx, int64_t n, int vectors, T *a,
               ge_real<T> *lambda)
{
  syevd_job *job;
  const int mark = ge_mark (ctx);
  gpueig_status status = ge_cuda_begin_job (ctx, ge_syevd_is_detached (n),
                                            sizeof *job, (void **) &job);
  if (status == GPUEIG_OK)
    status = prepare_syevd<T> (ctx, n, vectors, job);
  if (status == GPUEIG_OK)
    status = syevd<T> (ctx, &job, a, lambda);
  ge_cuda_end_job (ctx, job);
  ge_release (ctx, mark);
  return status;
}

GE_INSTANTIATE (ge_cuda_syevd)

/* Eigenvalues times 2^EXPONENT on the host; eigenvectors in A, *V = A.  */
template <typename T>
static gpueig_status
syevd_to_host (gpueig_context *ctx, int64_t n, int vectors, T *a, int exponent,
               ge_real<T> *lambda, T **v)
{
  typedef ge_real<T> R;
  R *values;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &values));
  GE_TRY (ge_cuda_syevd (ctx, n, vectors, a, values));
  GE_TRY (ge_cuda_scale (ctx, n, exponent, values));
  GE_TRY (ge_fetch (ctx, lambda, values, n));
  *v = a;
  return ge_close_frame (ctx, mark);
}

/* --- MRRR, or cuSOLVER --- */

/* *FROM, *COUNT: the eigenvalues that S selects of all LAMBDA, ascending.  */
template <typename R>
static void
select_values (const gpueig_symmetric *s, const R *lambda, int64_t *from,
               int64_t *count)
{
  int64_t to = s->n;
  *from = 0;
  if (s->select == GPUEIG_SELECT_INDEX)
    {
      *from = s->first - 1;
      to = s->last;
    }
  else if (s->select == GPUEIG_SELECT_INTERVAL)
    {
      while (*from < s->n && ! ((double) lambda[*from] > s->vl))
        ++*from;
      to = *from;
      while (to < s->n && (double) lambda[to] <= s->vu)
        to++;
    }
  *count = to - *from;
}

/* The COUNT eigenpairs of A that S selects, with vectors if S->v, by reduction to
   tridiagonal form and MRRR.  LAMBDA, n, is on the host; *V on the device, in the current
   frame or in A.  After GPUEIG_SOLVER_FAILED A is scaled to 2^-*EXPONENT A.  */
template <typename T>
static gpueig_status
by_mrrr (gpueig_context *ctx, const gpueig_symmetric *s, T *a,
         ge_real<T> *lambda, T **v, int64_t *count, int *exponent)
{
  gpueig_info details = {}; /* of MRRR; reported by gpu_mrrr, not here */
  ge_mrrr_page<T> q = {};
  const int64_t n = s->n;
  q.p = s;
  q.n = n;
  GE_TRY (ge_alloc_each (ctx, GE_HOST, n, &q.d, &q.e, &q.lambda));
  GE_TRY (ge_cuda_solve_dense<T> (ctx, &q, a, exponent, &details));
  for (int64_t i = 0; i < q.count; i++)
    lambda[i] = (ge_real<T>) q.lambda[i];
  *v = q.v;
  *count = q.count;
  return GPUEIG_OK;
}

/* The eigenpairs of A that S selects by cuSOLVER.  */
template <typename T>
static gpueig_status
by_syevd (gpueig_context *ctx, const gpueig_symmetric *s, T *a,
          ge_real<T> *lambda, T **v, int64_t *count)
{
  int64_t from;
  GE_TRY (syevd_to_host<T> (ctx, s->n, s->v != NULL, a, 0, lambda, v));
  select_values (s, lambda, &from, count);
  memmove (lambda, lambda + from, (size_t) *count * sizeof *lambda);
  *v += s->n * from;
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_eigenvectors (gpueig_context *ctx, int64_t n, T *a, ge_real<T> *lambda)
{
  ge_real<T> *values;
  T *v;
  int exponent;
  if (! ge_cuda_own_reduction_fits<T> (ctx, n))
    return ge_cuda_syevd (ctx, n, 1, a, lambda);
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  gpueig_symmetric all = {};
  int64_t count;
  all.n = n;
  all.v = a; /* vectors are wanted */
  const int inner = ge_mark (ctx);
  const gpueig_status status
      = by_mrrr<T> (ctx, &all, a, values, &v, &count, &exponent);
  if (status != GPUEIG_SOLVER_FAILED)
    GE_TRY (status);
  else
    {
      ge_release (ctx, inner);
      GE_TRY (syevd_to_host<T> (ctx, n, 1, a, exponent, values, &v));
    }
  if (v != a)
    GE_TRY (ge_copy (ctx, a, v, n * n));
  GE_TRY (ge_send (ctx, lambda, values, n));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_eigenvectors)

/* --- pages --- */

/* *PAIR: copies of A and of B behind it; NULL where there is not plenty of memory.  */
template <typename T>
static gpueig_status
keep_pair (gpueig_context *ctx, int64_t square, const T *a, const T *b,
           T **pair)
{
  *pair = NULL;
  if ((double) ctx->memory[GE_DEVICE].available (ctx)
      < 16.0 * (double) square * sizeof (T))
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * square, pair));
  GE_TRY (ge_copy (ctx, *pair, a, square));
  return ge_copy (ctx, *pair + square, b, square);
}

/* The eigenpairs that S selects of a pair with ill-conditioned B, refined, from its reduced
   matrix C and the factor L; PAIR as above.  The page is left as it is if there is no memory or
   errors stay large.  */
template <typename T>
static gpueig_status
graded_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t page,
             const T *pair, T *c, T *l, ge_real<T> *lambda, T **v,
             int64_t *count)
{
  int64_t from;
  int solved = 0;
  if (! pair)
    return GPUEIG_OK;
  const int mark = ge_mark (ctx);
  ge_report (ctx, "ill-conditioned B: refinement");
  const gpueig_status status = ge_cuda_graded_pair<T> (
      ctx, s->n, pair, pair + s->n * s->n, c, l, lambda, &solved);
  ge_release (ctx, mark);
  if (status == GPUEIG_OUT_OF_MEMORY || status == GPUEIG_SOLVER_FAILED
      || (status == GPUEIG_OK && ! solved))
    return GPUEIG_OK;
  GE_TRY (status);
  s->indefinite[page] = 0;
  select_values (s, lambda, &from, count);
  memmove (lambda, lambda + from, (size_t) *count * sizeof *lambda);
  *v = c + s->n * from;
  return GPUEIG_OK;
}

/* V, of COUNT elements, to TO, which it may overlap.  */
template <typename T>
static gpueig_status
put_vectors (gpueig_context *ctx, int64_t count, const T *v, T *to)
{
  T *apart;
  if (v == to)
    return GPUEIG_OK;
  if (v >= to + count || to >= v + count)
    return ge_copy (ctx, to, v, count);
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &apart));
  GE_TRY (ge_copy (ctx, apart, v, count));
  GE_TRY (ge_copy (ctx, to, (const T *) apart, count));
  return ge_close_frame (ctx, mark);
}

/* A page, which is overwritten, by MRRR of OWN or by cuSOLVER.  */
template <typename T>
static gpueig_status
eig_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t page, int own,
          gpueig_info *info)
{
  typedef ge_real<T> R;
  const int64_t n = s->n, square = n * n, columns = ge_part_columns (s);
  const int refines = s->b && ge_refines_pairs (n);
  T *const a = (T *) s->a + page * square, *const b
                                           = s->b ? (T *) s->b + page * square
                                                  : NULL;
  int64_t count = 0;
  T *v = NULL, *pair = NULL;
  R *lambda;
  int *state, exponent;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &lambda));
  if (b)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &state));
  GE_TRY (ge_timer_start (ctx));
  if (refines)
    GE_TRY (keep_pair<T> (ctx, square, a, b, &pair));
  if (b)
    {
      GE_TRY (ge_cuda_reduce_pair<T> (ctx, n, a, b, state));
      GE_TRY (ge_fetch (ctx, s->indefinite + page, state, 1));
    }
  if (refines && s->indefinite[page] == GE_PAIR_LEFT)
    GE_TRY (graded_page<T> (ctx, s, page, pair, a, b, lambda, &v, &count));
  else if (! b || s->indefinite[page] == 0)
    {
      GE_TRY (own ? by_mrrr<T> (ctx, s, a, lambda, &v, &count, &exponent)
                  : by_syevd<T> (ctx, s, a, lambda, &v, &count));
      if (b && s->v && count > 0)
        GE_TRY (ge_cuda_pair_back<T> (ctx, n, count, b, v));
    }
  if (s->v && count > 0)
    GE_TRY (
        put_vectors<T> (ctx, n * count, v, (T *) s->v + page * n * columns));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  memcpy ((R *) s->lambda + page * columns, lambda,
          (size_t) count * sizeof (R));
  if (s->select == GPUEIG_SELECT_INTERVAL)
    *s->found = count;
  return ge_close_frame (ctx, mark);
}

static int
own_reduction_fits (gpueig_context *ctx, const gpueig_symmetric *s)
{
  return GE_CUDA_BY_TYPE (s->type, ge_cuda_own_reduction_fits, (ctx, s->n));
}

gpueig_status
ge_cuda_eig_by (gpueig_context *ctx, const gpueig_symmetric *s,
                ge_method method, int named, const gpueig_options *options,
                gpueig_info *info)
{
  const int part = s->select != GPUEIG_SELECT_ALL;
  if (method == GE_METHOD_EIG_DC || method == GE_METHOD_EIG_QL)
    return ge_cuda_stack_eig (ctx, s, options, info);
  if (method == GE_METHOD_EIG_ONESIDED && ! part)
    return ge_cuda_onesided_by (ctx, s, GE_METHOD_ONESIDED_SHIFTED, options,
                                info);
  const int own = method == GE_METHOD_EIG_MRRR
                      ? named || part || own_reduction_fits (ctx, s)
                      : part && ! named;
  ge_info_method (info, own ? "mrrr" : "syevd");
  for (int64_t p = 0; p < s->pages; p++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      const int mark = ge_mark (ctx);
      const gpueig_status status
          = GE_CUDA_BY_TYPE (s->type, eig_page, (ctx, s, p, own, info));
      ge_release (ctx, mark);
      GE_TRY (status == GPUEIG_SOLVER_FAILED ? ge_cuda_leave_page (ctx, s, p)
                                             : status);
      ge_report_pages (ctx, own ? "MRRR" : "cuSOLVER's Xsyevd", p + 1,
                       s->pages);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_eig_symmetric (gpueig_context *ctx, const void *problem,
                       const ge_plan *plan, const gpueig_options *options,
                       gpueig_info *info)
{
  return ge_cuda_eig_by (ctx, (const gpueig_symmetric *) problem, plan->method,
                         plan->named, options, info);
}
