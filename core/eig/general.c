/* gpueig_eig_general, and LAPACK's solver on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/general.h"
#include "run/solvers.h"

#include <stdlib.h>
#include <string.h>

/* Pages that the GPU could not solve are solved by LAPACK.  Among them are those where
   left eigenvectors, which cuSOLVER does not compute, were not accurate enough from
   V^-1.  */
static gpueig_status
finish_pages (gpueig_context *ctx, const gpueig_general *g,
              const unsigned char *state, gpueig_info *info)
{
  int64_t count = 0, *list;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &list));
  for (int64_t p = 0; p < g->pages; p++)
    if (state[p])
      list[count++] = p;
  if (count == 0)
    return GPUEIG_OK;
  ge_report (ctx, "LAPACK's geevx finishes %lld of %lld pages",
             (long long) count, (long long) g->pages);
  ge_info_fallback (info, "geevx");
  return ge_geev_pages (ctx, g, list, count);
}

static gpueig_status
eig_general (gpueig_context *ctx, const gpueig_general *problem,
             const gpueig_options *options, gpueig_info *info)
{
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_EIG_GENERAL, options, &method));
  GE_TRY (ge_check_general (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    {
      ge_info_method (info, "geev");
      return GPUEIG_OK;
    }
  if (problem->symmetric && strcmp (options->method, "auto") == 0)
    return ge_eig_mixed (ctx, problem, options, info);
  unsigned char *state;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, problem->pages, &state));
  memset (state, 0, (size_t) problem->pages);
  ge_general_problem scaled = { *problem, state };
  int *exponents;
  GE_TRY (ge_scale_general (ctx, &scaled.general, &exponents));
  GE_TRY (ge_run (ctx, GE_EIG_GENERAL, method, &scaled, options, info));
  GE_TRY (finish_pages (ctx, &scaled.general, state, info));
  ge_unscale_general (problem, exponents);
  return GPUEIG_OK;
}

gpueig_status
gpueig_eig_general (gpueig_context *ctx, const gpueig_general *problem,
                    const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  ge_begin (&call, ctx, &options, &info);
  return ge_end (&call, eig_general (ctx, problem, options, info));
}

/* --- LAPACK --- */

enum
{
  /* From this order on a page takes tenths of a second and is run detachably, so that
     an interrupt need not wait for it.  */
  DETACHABLE_ORDER = 500
};

typedef struct
{
  const gpueig_general *problem;
  const int64_t *list;
  char *space;
  int64_t bytes;    /* of workspace per thread */
  double *residual; /* scratch, 4 n per thread */
  char *full;       /* results of pages that may not be balanced, per thread */
  int64_t full_bytes;
  int lwork;
} geev_work;

/* Page P of G alone.  */
static gpueig_general
page_of (const gpueig_general *g, int64_t p)
{
  const size_t pair = 2 * gpueig_real_size (g->type);
  const int64_t n = g->n, square = n * n;
  gpueig_general one = *g;
  one.pages = 1;
  one.a = ge_page (g->a, p, square, gpueig_scalar_size (g->type));
  one.lambda = ge_page (g->lambda, p, n, pair);
  one.v = ge_page (g->v, p, square, pair);
  one.w = ge_page (g->w, p, square, pair);
  return one;
}

/* xGEEVX on ONE.  */
static int
call_geevx (const geev_work *w, const gpueig_general *one, int balance,
            int thread)
{
  return GE_BY_TYPE (one->type, ge_geevx,
                     (one->n, one->a, balance, one->lambda, one->v, one->w,
                      w->space + thread * w->bytes, w->lwork));
}

/* The larger residual of the right and left vectors.  SPACE: 4 N doubles.  */
static double
page_residual (const gpueig_general *one, double *space)
{
  double worst = 0;
  for (int left = 0; left < 2; left++)
    {
      const double r = GE_BY_TYPE (
          one->type, ge_geev_residual,
          (one->n, one->a, one->lambda, left ? one->w : one->v, left, space));
      worst = ge_larger (r, worst);
    }
  return worst;
}

/* --- whether to balance ---

   With balancing the residual is small for the balanced matrix and can be large for the
   original one (D. S. Watkins, A case where balancing is harmful, ETNA 23, 2006), by up
   to the quotient of the largest and the smallest scale factor.  Above DOUBTFUL_SPREAD
   the page is solved with both kinds of vectors, whatever the caller wants, so that
   eigenvalues do not depend on that; where the residual then exceeds USUAL_RESIDUAL, it
   is solved without balancing too, and the better result kept.  */

#define DOUBTFUL_SPREAD 16

/* A residual that LAPACK's vectors rarely exceed, in units of n eps |A|_1; the limit of
   the tests is 20.  */
#define USUAL_RESIDUAL 5

/* SPACE as for ge_geevx.  */
static int
is_doubtful (const gpueig_general *one, void *space)
{
  return one->balance
         && GE_BY_TYPE (one->type, ge_balance_spread, (one->n, one->a, space))
                > DOUBTFUL_SPREAD;
}

/* Pairs of reals for the results of ge_doubtful_page.  */
static int64_t
full_pairs (const gpueig_general *g)
{
  return g->n + 2 * g->n * g->n;
}

/* ONE with results in FULL, vectors of both kinds among them.  */
static gpueig_general
page_in_full (const gpueig_general *one, char *full)
{
  const size_t pair = 2 * gpueig_real_size (one->type);
  gpueig_general all = *one;
  all.lambda = full;
  all.v = full + (size_t) one->n * pair;
  all.w = full + (size_t) (one->n + one->n * one->n) * pair;
  return all;
}

static void
keep_wanted (const gpueig_general *all, const gpueig_general *one)
{
  const size_t column = (size_t) one->n * 2 * gpueig_real_size (one->type);
  /* NOLINTNEXTLINE: the status before says so */
  memcpy (one->lambda, all->lambda, column);
  if (one->v)
    memcpy (one->v, all->v, (size_t) one->n * column);
  if (one->w)
    memcpy (one->w, all->w, (size_t) one->n * column);
}

static int
geev_page (void *data, int64_t i, int thread)
{
  const geev_work *w = data;
  const gpueig_general one = page_of (w->problem, w->list ? w->list[i] : i);
  if (! is_doubtful (&one, w->space + thread * w->bytes))
    return call_geevx (w, &one, one.balance, thread);
  double *space = w->residual + thread * 4 * one.n;
  const gpueig_general all
      = page_in_full (&one, w->full + thread * w->full_bytes);
  int failed = call_geevx (w, &all, 1, thread);
  const double balanced = failed ? 0 : page_residual (&all, space);
  if (balanced > USUAL_RESIDUAL)
    {
      failed = call_geevx (w, &all, 0, thread);
      if (failed || ! (page_residual (&all, space) < balanced))
        failed = call_geevx (w, &all, 1, thread);
    }
  keep_wanted (&all, &one);
  return failed;
}

/* One large page on a separate thread, with copies of its data.  */
typedef struct
{
  gpueig_type type;
  int64_t n;
  int balance, lwork, result;
  char *space, *lambda, *v, *w;
} geev_job;

static void
run_job (void *data)
{
  geev_job *j = data;
  j->result = GE_BY_TYPE (
      j->type, ge_geevx,
      (j->n, j->space, j->balance, j->lambda, j->v, j->w, j->space, j->lwork));
}

static gpueig_status
geev_detachable (gpueig_context *ctx, const geev_work *w,
                 const gpueig_general *one, int balance, int *failed)
{
  const size_t pair = 2 * gpueig_real_size (one->type);
  const size_t column = (size_t) one->n * pair,
               square = (size_t) one->n * column;
  const size_t head = (sizeof (geev_job) + 63) & ~(size_t) 63;
  const size_t bytes = head + (size_t) w->bytes + column + 2 * square;
  geev_job *job;
  GE_TRY (ge_alloc_job (ctx, bytes, (void **) &job));
  char *at = (char *) job + head;
  *job = (geev_job){ .type = one->type,
                     .n = one->n,
                     .balance = balance,
                     .lwork = w->lwork,
                     .space = at,
                     .lambda = at + w->bytes };
  job->v = one->v ? job->lambda + column : NULL;
  job->w = one->w ? job->lambda + column + square : NULL;
  /* NOLINTNEXTLINE: the status before says so */
  memcpy (at, one->a,
          (size_t) (one->n * one->n) * gpueig_scalar_size (one->type));
  GE_TRY (ge_run_detachable (ctx, run_job, free, job));
  memcpy (one->lambda, job->lambda, column);
  if (one->v)
    memcpy (one->v, job->v, square);
  if (one->w)
    memcpy (one->w, job->w, square);
  *failed = job->result > *failed ? job->result : *failed;
  free (job);
  return GPUEIG_OK;
}

/* As geev_page.  */
static gpueig_status
large_page (gpueig_context *ctx, const geev_work *w, int64_t p, int *failed)
{
  const gpueig_general one = page_of (w->problem, p);
  const int mark = ge_mark (ctx);
  const size_t pair = 2 * gpueig_real_size (one.type);
  char *space;
  GE_TRY (ge_alloc (ctx, GE_HOST, full_pairs (&one), pair, (void **) &space));
  if (! is_doubtful (&one, space))
    {
      ge_release (ctx, mark);
      return geev_detachable (ctx, w, &one, one.balance, failed);
    }
  const gpueig_general all = page_in_full (&one, space);
  GE_TRY (geev_detachable (ctx, w, &all, 1, failed));
  const double balanced = *failed ? 0 : page_residual (&all, w->residual);
  if (balanced > USUAL_RESIDUAL)
    {
      GE_TRY (geev_detachable (ctx, w, &all, 0, failed));
      if (*failed || ! (page_residual (&all, w->residual) < balanced))
        {
          *failed = 0;
          GE_TRY (geev_detachable (ctx, w, &all, 1, failed));
        }
    }
  keep_wanted (&all, &one);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

static gpueig_status
geev_side_by_side (gpueig_context *ctx, geev_work *work, int64_t count,
                   int *failed)
{
  const int mark = ge_mark (ctx);
  const int threads = ge_page_threads (work->problem->n, count);
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) work->bytes,
                    (void **) &work->space));
  GE_TRY (
      GE_ALLOC (ctx, GE_HOST, 4 * work->problem->n * threads, &work->residual));
  if (work->problem->balance)
    {
      work->full_bytes = full_pairs (work->problem) * 2
                         * (int64_t) gpueig_real_size (work->problem->type);
      work->full_bytes = (work->full_bytes + 63) / 64 * 64;
      GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) work->full_bytes,
                        (void **) &work->full));
    }
  GE_TRY (ge_for_pages (ctx, work->problem->n, count, threads, geev_page, work,
                        failed));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_geev_pages (gpueig_context *ctx, const gpueig_general *problem,
               const int64_t *list, int64_t count)
{
  geev_work work = { .problem = problem, .list = list };
  int failed = 0;
  GE_TRY (
      GE_BY_TYPE (problem->type, ge_geevx_size,
                  (ctx, problem->n, problem->w || problem->balance,
                   problem->v || problem->balance, &work.bytes, &work.lwork)));
  if (problem->n < DETACHABLE_ORDER)
    GE_TRY (geev_side_by_side (ctx, &work, count, &failed));
  else
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, 4 * problem->n, &work.residual));
      for (int64_t i = 0; i < count && ! failed; i++)
        {
          const ge_blas_limit limit = ge_blas_limit_of (problem->n);
          ge_limit_blas (ctx, limit);
          const gpueig_status status
              = large_page (ctx, &work, list ? list[i] : i, &failed);
          ge_unlimit_blas (ctx, limit);
          GE_TRY (status);
          ge_report_pages (ctx, "LAPACK", i + 1, count);
        }
    }
  if (failed)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "LAPACK's QR iteration failed with info %d", failed);
  return GPUEIG_OK;
}

gpueig_status
ge_cpu_eig_general (gpueig_context *ctx, const void *problem,
                    const ge_plan *plan, const gpueig_options *options,
                    gpueig_info *info)
{
  const gpueig_general *g = &((const ge_general_problem *) problem)->general;
  (void) plan;
  (void) options;
  ge_info_method (info, "geev");
  return ge_geev_pages (ctx, g, NULL, g->pages);
}

const ge_solver_entry ge_general_entry
    = { .cpu = ge_cpu_eig_general,
        .problem_size = sizeof (ge_general_problem),
        .describe = ge_describe_general,
        .units = ge_general_units,
        .share = ge_share_general };
