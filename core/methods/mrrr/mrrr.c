/* gpueig_mrrr, and the CPU solver: reduction of dense matrices, the driver of tree.c,
   back-transformation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/verify_by_sampling.h"
#include "mrrr/lapack_typed.h"
#include "mrrr/mrrr.h"
#include "mrrr/lanes.h"
#include "mrrr/shares.h"
#include "run/solvers.h"

#include <math.h>
#include <string.h>

/* --- public function --- */

static gpueig_status
check_tridiagonal (gpueig_context *ctx, const gpueig_symmetric *p)
{
  int64_t total;
  if ((p->type != GPUEIG_FLOAT && p->type != GPUEIG_DOUBLE) || p->n < 0
      || p->pages < 0)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "a tridiagonal matrix must be real, of size >= 0");
  GE_TRY (ge_multiply (ctx, p->n, p->pages, &total));
  if (total == 0)
    return GPUEIG_OK;
  if (! p->d || (! p->e && p->n > 1) || ! p->lambda)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "d, e or lambda is NULL");
  int64_t at = ge_find_nonfinite (ctx, p->type, p->d, total);
  if (at >= 0)
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "the diagonal must be finite, but element %lld is NaN "
                        "or Inf",
                        (long long) at + 1);
  at = ge_find_nonfinite (ctx, p->type, p->e, (p->n - 1) * p->pages);
  if (at >= 0)
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "the off-diagonal must be finite, but element %lld is "
                        "NaN or Inf",
                        (long long) at + 1);
  return GPUEIG_OK;
}

static gpueig_status
mrrr (gpueig_context *ctx, const void *given, const gpueig_options *options,
      gpueig_info *info)
{
  const gpueig_symmetric *p = given;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_MRRR, options, &method));
  if (p->b)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "MRRR takes no B");
  GE_TRY (p->a ? ge_check_symmetric (ctx, p) : check_tridiagonal (ctx, p));
  if (p->n == 0 || p->pages == 0)
    return ge_report_found (p, 0);
  GE_TRY (ge_check_selection (ctx, p));
  if (p->n > INT32_MAX / 8)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "order %lld is too large for this solver",
                        (long long) p->n);
  GE_TRY (ge_run (ctx, GE_MRRR, method, p, options, info));
  return p->select == GPUEIG_SELECT_INTERVAL
             ? GPUEIG_OK
             : ge_report_found (p, ge_part_columns (p));
}

GE_PUBLIC (gpueig_mrrr, gpueig_symmetric, &ge_layout_symmetric, mrrr, GE_MRRR,
           NULL)

/* --- CPU solver --- */

/* Compute eigenpairs il .. iu of (d, e) by METHOD, without a fallback; Z is real, of the
   problem's precision, or NULL.  MRRR solves orders 1 and 2 directly, whatever METHOD
   is.  */
static gpueig_status
solve_by (gpueig_context *ctx, const gpueig_symmetric *p, ge_method method,
          const double *d, const double *e, int64_t il, int64_t iu,
          double *lambda, void *z, gpueig_info *info)
{
  const int is_double = gpueig_is_double (p->type);
  if (p->n > 2 && method != GE_METHOD_MRRR_MRRR)
    return is_double
               ? ge_lapack_pairs_d (ctx, method, p->n, d, e, il, iu, lambda, z)
               : ge_lapack_pairs_s (ctx, method, p->n, d, e, il, iu, lambda, z);
  ge_mrrr m = { .ctx = ctx,
                .ops = &ge_mrrr_lanes,
                .n = p->n,
                .is_double = is_double,
                .d = d,
                .e = e,
                .il = il,
                .iu = iu,
                .vectors = z != NULL,
                .v = z,
                .lambda = lambda };
  GE_TRY (ge_mrrr_solve (&m));
  ge_mrrr_fill_info (&m, info);
  return GPUEIG_OK;
}

/* As solve_by, but if METHOD fails by the next one: divide and conquer fails for tight
   clusters, which MRRR resolves; QL is slow and comes last.  */
static gpueig_status
solve_tridiagonal (gpueig_context *ctx, const gpueig_symmetric *p,
                   ge_method method, const double *d, const double *e,
                   int64_t il, int64_t iu, double *lambda, void *z,
                   gpueig_info *info)
{
  static const ge_method next[]
      = { GE_METHOD_MRRR_STEVD, GE_METHOD_MRRR_MRRR, GE_METHOD_MRRR_QL };
  const int mark = ge_mark (ctx);
  gpueig_status status
      = solve_by (ctx, p, method, d, e, il, iu, lambda, z, info);
  for (int i = 0; i < 3 && status == GPUEIG_SOLVER_FAILED; i++)
    if (next[i] != method)
      {
        ge_release (ctx, mark);
        ge_report (ctx, "%s; then by %s", gpueig_message (ctx),
                   ge_method_name (next[i]));
        ge_info_part (info, ge_method_name (next[i]));
        status = solve_by (ctx, p, next[i], d, e, il, iu, lambda, z, info);
      }
  return status;
}

/* Find the METHODS for the kinds of T: those of the plan, unless the user named one.  The
   plan's method of a dense matrix has the times of random matrices and is kept unless T is
   of another kind.  */
static void
find_methods (gpueig_context *ctx, const gpueig_symmetric *p,
              const ge_plan *plan, const gpueig_options *options,
              ge_method methods[GE_SPECTRA])
{
  for (int k = 0; k < GE_SPECTRA; k++)
    methods[k] = plan->method;
  if (plan->named || ! p->v || p->select != GPUEIG_SELECT_ALL
      || (p->a && plan->method == GE_METHOD_MRRR_STEVD))
    return;
  ge_tridiagonal_methods (ctx, options, p->type, p->n,
                          ge_stack_pages (ctx, p->pages), methods);
  if (p->a)
    methods[GE_SPREAD] = plan->method;
}

/* METHOD has solved a page: of several with different ones it is "auto".  */
static void
note_method (gpueig_info *info, const char *method)
{
  const int first = info->method[0] == '\0';
  ge_info_method (info, first || strcmp (info->method, method) == 0 ? method
                                                                    : "auto");
}

/* Solve by the METHOD for the kind of T.  For xSTEVD T is scaled by a power of two first, so
   that the bits do not depend on the scale of T.  If no dense matrix was reduced, BLAS has
   one thread, so that the bits do not depend on the number of threads; matrices that
   deflate need few products.  */
static gpueig_status
choose_and_solve (gpueig_context *ctx, const gpueig_symmetric *p,
                  const ge_method methods[GE_SPECTRA], double *d, double *e,
                  int64_t il, int64_t iu, double *lambda, void *z,
                  gpueig_info *info)
{
  const int64_t n = p->n;
  ge_method method = methods[0];
  for (int k = 1; k < GE_SPECTRA; k++)
    if (methods[k] != methods[0])
      {
        method = methods[ge_mrrr_spectrum (n, d, e)];
        break;
      }
  note_method (info, ge_method_name (method));
  if (method != GE_METHOD_MRRR_STEVD)
    return solve_tridiagonal (ctx, p, method, d, e, il, iu, lambda, z, info);
  int exponent;
  frexp (ge_mrrr_largest_element (n, d, e), &exponent);
  ge_mrrr_scale (n, d, e, exponent, d, e);
  ge_report (ctx, "tridiagonal eigenproblem: stevd");
  const ge_blas_limit limit = p->a ? ge_blas_limit_of (n) : GE_BLAS_ONE;
  ge_limit_blas (ctx, limit);
  const gpueig_status status = solve_tridiagonal (
      ctx, p, GE_METHOD_MRRR_STEVD, d, e, il, iu, lambda, z, info);
  ge_unlimit_blas (ctx, limit);
  for (int64_t i = 0; i < n && status == GPUEIG_OK; i++)
    lambda[i] = ldexp (lambda[i], exponent);
  return status;
}

/* T = (D, E), the tridiagonal form of page A; *WORK and *TAU: its reflectors.  */
static gpueig_status
reduce_page (gpueig_context *ctx, const gpueig_symmetric *p, const void *a,
             void **work, void **tau, double *d, double *e)
{
  double *space;
  ge_sample sample;
  ge_report (ctx, "reduction to tridiagonal form");
  GE_TRY (
      GE_BY_TYPE (p->type, ge_mrrr_reduce, (ctx, p->n, a, work, tau, d, e)));
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->n, &space));
  ge_sample_reduction (ctx, p->type, p->n, a, d, e, space, &sample);
  ge_release (ctx, mark);
  if (! ge_sample_passes (p->type, p->n, &sample))
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "the reduction to tridiagonal form is wrong by %.2g",
                        sample.residual);
  return ge_check_interrupt (ctx);
}

static gpueig_status
solve_mrrr_page (gpueig_context *ctx, const gpueig_symmetric *p, int64_t page,
                 const ge_method methods[GE_SPECTRA], gpueig_info *info)
{
  int64_t n = p->n, columns = ge_part_columns (p), il, iu;
  size_t size = gpueig_scalar_size (p->type);
  double *d, *e, *lambda;
  void *work = NULL, *tau = NULL, *z = NULL;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &e));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &lambda));
  if (p->a)
    {
      const char *a = (const char *) p->a + (size_t) (page * n * n) * size;
      GE_TRY (reduce_page (ctx, p, a, &work, &tau, d, e));
    }
  else
    ge_mrrr_get_tridiagonal (p, page, d, e);
  ge_mrrr_choose (p, d, e, &il, &iu);
  int64_t count = iu >= il ? iu - il + 1 : 0;
  char *v = p->v ? (char *) p->v + (size_t) (page * n * columns) * size : NULL;
  if (v && gpueig_is_complex (p->type))
    {
      GE_TRY (ge_alloc (ctx, GE_HOST, n * count, size / 2, &z));
    }
  else
    z = v;
  if (count > 0)
    GE_TRY (choose_and_solve (ctx, p, methods, d, e, il, iu, lambda, z, info));
  if (p->a && v && count > 0)
    {
      ge_report (ctx, "back-transformation");
      GE_TRY (
          GE_BY_TYPE (p->type, ge_mrrr_back, (ctx, n, count, work, tau, z, v)));
    }
  ge_mrrr_put_values (p, page, count, lambda);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- pages in parallel, with a context per thread --- */

typedef struct
{
  const gpueig_symmetric *problem;
  const ge_method *methods;
  gpueig_context **ctx; /* one per thread */
  gpueig_info *info;
  gpueig_info last; /* info of the last page */
} side_by_side;

static int
thread_page (void *data, int64_t page, int thread)
{
  side_by_side *w = data;
  w->info[thread].n_extra = 0; /* of another page */
  const gpueig_status status = solve_mrrr_page (
      w->ctx[thread], w->problem, page, w->methods, &w->info[thread]);
  if (page == w->problem->pages - 1)
    w->last = w->info[thread];
  return (int) status;
}

/* Merge the threads' messages, fallbacks and values of info into those of the call.  */
static gpueig_status
join_threads (gpueig_context *ctx, const side_by_side *w, int threads,
              gpueig_status status, gpueig_info *info)
{
  for (int t = 0; t < threads; t++)
    {
      ge_info_part (info, w->info[t].fallback);
      if (w->info[t].method[0] != '\0')
        note_method (info, w->info[t].method);
      if (status != GPUEIG_OK && gpueig_message (w->ctx[t])[0] != '\0')
        gpueig_fail (ctx, status, "%s", gpueig_message (w->ctx[t]));
    }
  for (int i = 0; i < w->last.n_extra; i++)
    ge_info_extra (info, w->last.extra[i].name, w->last.extra[i].value);
  return status;
}

static gpueig_status
solve_side_by_side (gpueig_context *ctx, const gpueig_symmetric *p,
                    const ge_method methods[GE_SPECTRA], int threads,
                    gpueig_info *info)
{
  side_by_side w = { .problem = p, .methods = methods };
  gpueig_status status = GPUEIG_OK;
  int worst = 0, made = 0;
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, sizeof (gpueig_context *),
                    (void **) &w.ctx));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads, &w.info));
  for (; made < threads && status == GPUEIG_OK; made += status == GPUEIG_OK)
    {
      ge_info_begin (&w.info[made]);
      ge_info_method (&w.info[made], "");
      status = ge_new_context (ctx->solvers, &w.ctx[made]);
    }
  if (status != GPUEIG_OK)
    gpueig_fail (ctx, status, "out of host memory for the threads");
  else
    status
        = ge_for_pages (ctx, p->n, p->pages, threads, thread_page, &w, &worst);
  if (status == GPUEIG_OK)
    status = join_threads (ctx, &w, threads, (gpueig_status) worst, info);
  for (int t = 0; t < made; t++)
    ge_free_context (w.ctx[t]);
  return status;
}

static gpueig_status
solve_one_by_one (gpueig_context *ctx, const gpueig_symmetric *p,
                  const ge_method methods[GE_SPECTRA], const char *name,
                  gpueig_info *info)
{
  const ge_blas_limit limit = ge_blas_limit_of (p->n);
  gpueig_status status = GPUEIG_OK;
  ge_limit_blas (ctx, limit);
  for (int64_t page = 0; page < p->pages && status == GPUEIG_OK; page++)
    {
      status = ge_check_interrupt (ctx);
      if (status == GPUEIG_OK)
        status = solve_mrrr_page (ctx, p, page, methods, info);
      ge_report_pages (ctx, name, page + 1, p->pages);
    }
  ge_unlimit_blas (ctx, limit);
  return status;
}

gpueig_status
ge_cpu_mrrr (gpueig_context *ctx, const void *problem, const ge_plan *plan,
             const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *p = problem;
  const char *const name = ge_method_name (plan->method);
  ge_method methods[GE_SPECTRA];
  ge_info_method (info, "");
  find_methods (ctx, p, plan, options, methods);
  ge_clear_failed (p);
  const int threads = p->pages > 1 ? ge_page_threads (p->n, p->pages) : 1;
  const gpueig_status status
      = threads > 1 ? solve_side_by_side (ctx, p, methods, threads, info)
                    : solve_one_by_one (ctx, p, methods, name, info);
  if (! info->method[0]) /* no eigenvalue in the interval */
    ge_info_method (info, name);
  ge_info_planned (info, plan, p->pages);
  return status;
}

static double
mrrr_arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  const int dense = ! shape->is_tridiagonal;
  if (backend == GPUEIG_CUDA && shape->outputs > 0
      && (method == GE_METHOD_MRRR_QL || method == GE_METHOD_MRRR_DC))
    return ge_cuda_stack_arrays (shape->n);
  return ! dense ? 0 : backend == GPUEIG_CUDA ? 1 + (shape->outputs > 0) : 1.25;
}

static unsigned
takes (const ge_shape *shape, ge_method method)
{
  (void) shape;
  return method == GE_METHOD_MRRR_DC || method == GE_METHOD_MRRR_QL
             ? GE_OVERWRITES | GE_VALUES
             : GE_OVERWRITES | GE_IN_PLACE;
}

const ge_solver_entry ge_mrrr_entry
    = { .id = GE_MRRR,
        .cpu = ge_cpu_mrrr,
        .mpi = ge_mpi_mrrr,
        .layout = &ge_layout_symmetric,
        .describe = ge_describe_symmetric,
        .arrays = mrrr_arrays,
        .takes = takes,
        .left = ge_left_of_symmetric,
        .next = { { GE_METHOD_MRRR_STEVD, GE_LEFT_FAILED | GE_LEFT_PAGES } },
        .equal_methods = 1,
        .units = ge_mrrr_units,
        .divide = ge_mrrr_divide,
        .share = ge_mrrr_share,
        .values_of_last = 1 };
