/* gpu_eig for symmetric and Hermitian problems: reduction to tridiagonal form
   and MRRR, or cuSOLVER's symmetric eigensolver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "eig/symmetric.cuh"
#include "base/job.cuh"
#include "base/pairs.cuh"
#include "base/similarity.cuh"
#include "base/verify.cuh"
#include "mrrr/solve.cuh"
#include "tridiagonal/stack.cuh"
#include "tridiagonal/tridiagonal.cuh"

#include <float.h>
#include <string.h>

enum
{
  /* From this order on Xsyevd takes half a second or more, and is called on a
     thread of its own so that it can be interrupted.  */
  SYEVD_APART = 7000,
  /* Pairs with ill-conditioned B below this order are faster on the CPU.  */
  LEVELS_FROM = 128
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
   tridiagonal form and MRRR; by cuSOLVER's Xsyevd where that fails.  LAMBDA, n, is on
   the host; *V on the device, in the current frame or in A.  */
template <typename T>
static gpueig_status
eigenpairs (gpueig_context *ctx, const gpueig_symmetric *s, T *a,
            ge_real<T> *lambda, T **v, int64_t *count, gpueig_info *info)
{
  typedef ge_real<T> R;
  gpueig_info details = {}; /* of MRRR; reported by gpu_mrrr, not here */
  gpueig_mrrr_problem part = {};
  ge_mrrr_page<T> q = {};
  const int64_t n = s->n;
  int64_t from;
  int exponent = 0;
  const int mark = ge_mark (ctx);
  part.type = s->type;
  part.n = n;
  part.select = s->select;
  part.first = s->first;
  part.last = s->last;
  part.vl = s->vl;
  part.vu = s->vu;
  part.v = s->v; /* whether vectors are wanted */
  q.p = &part;
  q.n = n;
  GE_TRY (ge_alloc_each (ctx, GE_HOST, n, &q.d, &q.e, &q.lambda));
  const gpueig_status status
      = ge_cuda_solve_dense<T> (ctx, &q, a, &exponent, &details);
  if (status == GPUEIG_OK)
    {
      for (int64_t i = 0; i < q.count; i++)
        lambda[i] = (R) q.lambda[i];
      *v = q.v;
      *count = q.count;
    }
  if (status != GPUEIG_SOLVER_FAILED)
    return status;
  ge_release (ctx, mark);
  ge_info_fallback (info, "syevd");
  GE_TRY (syevd_to_host<T> (ctx, n, s->v != NULL, a, exponent, lambda, v));
  select_values (s, lambda, &from, count);
  memmove (lambda, lambda + from, (size_t) *count * sizeof (R));
  *v += n * from;
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_eigenvectors (gpueig_context *ctx, int64_t n, T *a, ge_real<T> *lambda)
{
  typedef ge_real<T> R;
  gpueig_info info;
  R *values;
  T *v;
  if (! ge_cuda_own_reduction_fits<T> (ctx, n))
    return ge_cuda_syevd (ctx, n, 1, a, lambda);
  const int mark = ge_mark (ctx);
  memset (&info, 0, sizeof info);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  gpueig_symmetric all = {};
  int64_t count;
  all.n = n;
  all.v = a; /* vectors are wanted */
  GE_TRY (eigenpairs<T> (ctx, &all, a, values, &v, &count, &info));
  if (v != a)
    GE_TRY (ge_copy (ctx, a, v, n * n));
  GE_TRY (ge_send (ctx, lambda, values, n));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_eigenvectors)

/* --- pages --- */

/* The columns of lambda and V per page.  */
static int64_t
columns_of (const gpueig_symmetric *s)
{
  return s->select == GPUEIG_SELECT_INDEX ? s->last - s->first + 1 : s->n;
}

/* The selected eigenpairs of one page; *COUNT: how many.  */
template <typename T>
static gpueig_status
solve_page (gpueig_context *ctx, const gpueig_symmetric *s, int own, T *a,
            ge_real<T> *lambda, T **v, int64_t *count, gpueig_info *info)
{
  if (own || s->select != GPUEIG_SELECT_ALL)
    return eigenpairs<T> (ctx, s, a, lambda, v, count, info);
  *count = s->n;
  return syevd_to_host<T> (ctx, s->n, s->v != NULL, a, 0, lambda, v);
}

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

/* The same of a pair with ill-conditioned B from its reduced matrix C and the factor L; PAIR
   as above.  The page is left as it is, to the CPU, if there is no memory or a level
   fails.  */
template <typename T>
static gpueig_status
graded_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t page,
             T *pair, T *c, T *l, ge_real<T> *lambda, T **v, int64_t *count,
             gpueig_info *info)
{
  const int64_t square = s->n * s->n;
  int64_t from;
  int solved = 0;
  gpueig_status status = GPUEIG_OK;
  const int mark = ge_mark (ctx);
  ge_report (ctx, "ill-conditioned B: level by level");
  if (! pair)
    {
      status = GE_ALLOC (ctx, GE_DEVICE, 2 * square, &pair);
      if (status == GPUEIG_OK)
        status = ge_upload (ctx, pair, (const T *) s->a + page * square, square,
                            info);
      if (status == GPUEIG_OK)
        status = ge_upload (ctx, pair + square,
                            (const T *) s->b + page * square, square, info);
    }
  if (status == GPUEIG_OK)
    status = ge_cuda_graded_pair<T> (ctx, s->n, pair, pair + square, c, l,
                                     lambda, &solved);
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

template <typename T>
static gpueig_status
eig_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t page, int own,
          gpueig_info *info)
{
  typedef ge_real<T> R;
  const int64_t n = s->n, square = n * n, columns = columns_of (s);
  int64_t count = 0;
  T *a, *v, *b = NULL, *pair = NULL;
  R *lambda;
  int *state;
  const int mark = ge_mark (ctx);

  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &lambda));
  GE_TRY (ge_alloc_upload (ctx, square, (const T *) s->a + page * square, &a,
                           info));
  if (s->b)
    {
      GE_TRY (ge_alloc_upload (ctx, square, (const T *) s->b + page * square,
                               &b, info));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &state));
    }
  GE_TRY (ge_timer_start (ctx));
  if (b)
    {
      if (n >= LEVELS_FROM)
        GE_TRY (keep_pair<T> (ctx, square, a, b, &pair));
      GE_TRY (ge_cuda_reduce_pair<T> (ctx, n, a, b, state));
      GE_TRY (ge_fetch (ctx, s->indefinite + page, state, 1));
    }
  if (b && n >= LEVELS_FROM && s->indefinite[page] == GE_PAIR_LEFT)
    GE_TRY (
        graded_page<T> (ctx, s, page, pair, a, b, lambda, &v, &count, info));
  else if (! b || s->indefinite[page] == 0)
    {
      GE_TRY (solve_page<T> (ctx, s, own, a, lambda, &v, &count, info));
      if (b && s->v && count > 0)
        GE_TRY (ge_cuda_pair_back<T> (ctx, n, count, b, v));
    }
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  if (s->v && count > 0)
    GE_TRY (
        ge_download (ctx, (T *) s->v + page * n * columns, v, n * count, info));
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

/* Pages that a method for all pages at once left because their B is ill-conditioned; the
   CPU takes small ones of which there are several.  */
static gpueig_status
solve_left (gpueig_context *ctx, const gpueig_symmetric *s, gpueig_info *info)
{
  if (s->n >= LEVELS_FROM && (s->pages == 1 || s->n > GE_STACK_ORDER))
    for (int64_t i = 0; i < s->pages; i++)
      if (s->indefinite[i] == GE_PAIR_LEFT)
        GE_TRY (GE_CUDA_BY_TYPE (s->type, eig_page, (ctx, s, i, 0, info)));
  return GPUEIG_OK;
}

/* Small pairs, all pages at once; pages without convergence by eig_page.  */
static gpueig_status
pairs_together (gpueig_context *ctx, const gpueig_symmetric *s,
                const gpueig_options *options, gpueig_info *info)
{
  const ge_stack_problem p
      = { s->type,
          s->n,
          s->pages,
          s->a,
          NULL,
          NULL,
          s->select == GPUEIG_SELECT_INDEX ? s->first - 1 : 0,
          columns_of (s),
          options->max_sweeps,
          s->lambda,
          s->v,
          s->b,
          s->indefinite };
  unsigned char *status;
  int64_t failed;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &status));
  GE_TRY (ge_cuda_stack_eig (ctx, &p, status, &failed, info));
  for (int64_t i = 0; i < s->pages && failed > 0; i++)
    if (status[i] && s->indefinite[i] == 0)
      {
        GE_TRY (GE_CUDA_BY_TYPE (s->type, eig_page, (ctx, s, i, 0, info)));
        ge_info_fallback (info, "syevd");
      }
  ge_info_method (info, ge_stack_method (s->type, s->n));
  return solve_left (ctx, s, info);
}

gpueig_status
ge_cuda_eig_symmetric (gpueig_context *ctx, const void *problem,
                       const ge_plan *plan, const gpueig_options *options,
                       gpueig_info *info)
{
  const gpueig_symmetric *s = (const gpueig_symmetric *) problem;
  if (plan->method == GE_METHOD_EIG_DC || plan->method == GE_METHOD_EIG_QL)
    return s->b ? pairs_together (ctx, s, options, info)
                : ge_cuda_stack_symmetric (ctx, s, options, info);
  if (plan->method == GE_METHOD_EIG_ONESIDED && s->select == GPUEIG_SELECT_ALL)
    {
      ge_plan shifted = *plan;
      shifted.method = GE_METHOD_ONESIDED_SHIFTED;
      GE_TRY (ge_cuda_onesided_eig (ctx, s, &shifted, options, info));
      return s->b ? solve_left (ctx, s, info) : GPUEIG_OK;
    }
  const int own = s->select != GPUEIG_SELECT_ALL
                  || (plan->method == GE_METHOD_EIG_MRRR
                      && (plan->named || own_reduction_fits (ctx, s)));
  ge_info_method (info, own ? "mrrr" : "syevd");
  for (int64_t p = 0; p < s->pages; p++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      const int mark = ge_mark (ctx);
      gpueig_status status
          = GE_CUDA_BY_TYPE (s->type, eig_page, (ctx, s, p, own, info));
      if (status == GPUEIG_SOLVER_FAILED && ! own)
        {
          /* MRRR resolves clusters that divide and conquer does not.  */
          ge_release (ctx, mark);
          ge_info_fallback (info, "mrrr");
          status = GE_CUDA_BY_TYPE (s->type, eig_page, (ctx, s, p, 1, info));
        }
      GE_TRY (status);
      ge_report_pages (ctx, own ? "MRRR" : "cuSOLVER's Xsyevd", p + 1,
                       s->pages);
    }
  return GPUEIG_OK;
}
