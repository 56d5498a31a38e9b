/* gpueig_eig_symmetric, and LAPACK's solver on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/symmetric.h"
#include "mpi/mpi.h"
#include "run/solvers.h"

#include <stdatomic.h>

/* "auto" on the CPU, measured on random matrices and two cores of an AMD EPYC
   (AVX2) with OpenBLAS 0.3.21, 2026-11-22.  Stacks of orders up to onesided_order,
   without and with vectors, are solved faster by one-sided Jacobi, which processes
   several pages in the lanes of a SIMD register; matrices from mrrr_order on by MRRR,
   whose reduction to tridiagonal form is not LAPACK's and polls for interrupts, or by
   divide and conquer where it estimates clusters (mrrr/deflation.c).  */
static const int64_t onesided_order[4][2]
    = { [GPUEIG_DOUBLE] = { 5, 13 },
        [GPUEIG_FLOAT] = { 9, 26 },
        [GPUEIG_COMPLEX_DOUBLE] = { 6, 13 },
        [GPUEIG_COMPLEX_FLOAT] = { 10, 26 } };
static const int64_t mrrr_order[4][2]
    = { [GPUEIG_DOUBLE] = { 1000, 128 },
        [GPUEIG_FLOAT] = { 1000, 128 },
        [GPUEIG_COMPLEX_DOUBLE] = { 1000, 100 },
        [GPUEIG_COMPLEX_FLOAT] = { 1000, 100 } };

/* --- public function --- */

static gpueig_status
eig_symmetric (gpueig_context *ctx, const gpueig_symmetric *problem,
               const gpueig_options *options, gpueig_info *info)
{
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_EIG_SYMMETRIC, options, &method));
  GE_TRY (ge_check_symmetric (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    return GPUEIG_OK;
  gpueig_symmetric scaled = *problem;
  int *exponents = NULL;
  if (problem->b)
    GE_TRY (ge_scale_pair (ctx, &scaled, &exponents));
  GE_TRY (ge_run (ctx, GE_EIG_SYMMETRIC, method, &scaled, options, info));
  if (problem->b)
    GE_TRY (ge_unscale_pair (ctx, problem, exponents));
  return ge_sort_pages (ctx, problem);
}

gpueig_status
gpueig_eig_symmetric (gpueig_context *ctx, const gpueig_symmetric *problem,
                      const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  ge_begin (&call, ctx, &options, &info);
  return ge_end (&call, eig_symmetric (ctx, problem, options, info));
}

/* --- CPU backend: LAPACK --- */

typedef struct
{
  const gpueig_symmetric *problem;
  char *space;
  int64_t bytes; /* of workspace per thread */
  int sizes[3];
  atomic_int
      indefinite; /* order of the leading minor of B that is not positive */
} syevd_work;

static int
syevd_page (void *data, int64_t p, int thread)
{
  syevd_work *w = data;
  const gpueig_symmetric *s = w->problem;
  size_t size = gpueig_scalar_size (s->type), real = gpueig_real_size (s->type);
  int64_t n = s->n;
  int result = GE_BY_TYPE (
      s->type, ge_syevd,
      (n, ge_page (s->a, p, n * n, size), ge_page (s->b, p, n * n, size),
       ge_page (s->lambda, p, n, real), ge_page (s->v, p, n * n, size),
       w->space + thread * w->bytes, w->sizes));
  if (result >= 0)
    return result;
  w->indefinite = -result;
  return 1;
}

static gpueig_status
in_stages (gpueig_context *ctx, const gpueig_symmetric *s)
{
  size_t size = gpueig_scalar_size (s->type), real = gpueig_real_size (s->type);
  int64_t n = s->n;
  for (int64_t p = 0; p < s->pages; p++)
    {
      GE_TRY (GE_BY_TYPE (s->type, ge_syevd_stages,
                          (ctx, n, ge_page (s->a, p, n * n, size),
                           ge_page (s->b, p, n * n, size),
                           ge_page (s->lambda, p, n, real),
                           ge_page (s->v, p, n * n, size))));
      ge_report_pages (ctx, "syevd", p + 1, s->pages);
    }
  return GPUEIG_OK;
}

static gpueig_status
by_mrrr (gpueig_context *ctx, const gpueig_symmetric *s, ge_method method,
         const gpueig_options *options, gpueig_info *info)
{
  const ge_plan plan = { .backend = GPUEIG_CPU, .method = method };
  const gpueig_mrrr_problem problem = { .type = s->type,
                                        .n = s->n,
                                        .pages = s->pages,
                                        .a = s->a,
                                        .select = GPUEIG_SELECT_ALL,
                                        .lambda = s->lambda,
                                        .v = s->v };
  GE_TRY (ge_cpu_mrrr (ctx, &problem, &plan, options, info));
  if (ge_ran (info, GE_METHOD_MRRR_STEVD))
    ge_info_method (info, "syevd");
  return GPUEIG_OK;
}

gpueig_status
ge_cpu_eig_symmetric (gpueig_context *ctx, const void *problem,
                      const ge_plan *plan, const gpueig_options *options,
                      gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  syevd_work work = { .problem = s };
  int failed, threads = ge_page_threads (s->n, s->pages);
  const int vectors = s->v != NULL;
  const int is_auto = plan->method == GE_AUTO && ! s->b;
  const int named = plan->method == GE_METHOD_EIG_MRRR;
  if (is_auto && s->pages > 1 && s->n <= onesided_order[s->type][vectors])
    {
      const ge_plan shifted
          = { .backend = GPUEIG_CPU, .method = GE_METHOD_ONESIDED_SHIFTED };
      return ge_cpu_onesided_eig (ctx, s, &shifted, options, info);
    }
  if (named || (is_auto && s->n >= mrrr_order[s->type][vectors]))
    return by_mrrr (ctx, s, named ? GE_METHOD_MRRR_MRRR : GE_AUTO, options,
                    info);
  ge_info_method (info, "syevd");
  if (s->n >= GE_SYEVD_IN_STAGES)
    return in_stages (ctx, s);
  GE_TRY (GE_BY_TYPE (
      s->type, ge_syevd_size,
      (ctx, s->n, s->v != NULL, s->b != NULL, &work.bytes, work.sizes)));
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) work.bytes,
                    (void **) &work.space));
  GE_TRY (
      ge_for_pages (ctx, s->n, s->pages, threads, syevd_page, &work, &failed));
  if (work.indefinite)
    return gpueig_fail (ctx, GPUEIG_NOT_DEFINITE,
                        "B is not positive definite: its leading minor of "
                        "order %d is not",
                        work.indefinite);
  if (failed)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "LAPACK's divide and conquer failed with info %d",
                        failed);
  return GPUEIG_OK;
}

const ge_solver_entry ge_symmetric_entry
    = { .cpu = ge_cpu_eig_symmetric,
        .mpi = ge_mpi_eig_symmetric,
        .problem_size = sizeof (gpueig_symmetric),
        .describe = ge_describe_symmetric,
        .units = ge_symmetric_units,
        .share = ge_share_symmetric };
