/* gpueig_eig_general, and the solvers on the CPU: LAPACK's, also of pairs, and our QR
   algorithm.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/general.h"
#include "base/balancing.h"
#include "eig/qr.h"
#include "run/solvers.h"

#include <stdlib.h>
#include <string.h>

/* Pages that the GPU could not solve are solved by LAPACK.  */
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
  if (ctx->on_device)
    return ge_need_host (ctx);
  ge_report (ctx, "LAPACK's geevx finishes %lld of %lld pages",
             (long long) count, (long long) g->pages);
  ge_info_fallback (info, "geevx");
  return ge_geev_pages (ctx, g, 0, list, count);
}

/* Pairs, which have been checked.  */
static gpueig_status
eig_pairs (gpueig_context *ctx, const gpueig_general *problem, ge_method method,
           const gpueig_options *options, gpueig_info *info)
{
  if (method != GE_AUTO || options->backend == GPUEIG_MPI)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "general pairs have the method \"auto\" only, and not "
                        "the backend \"mpi\"");
  if (options->backend == GPUEIG_CUDA)
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "the CUDA backend solves pairs with A symmetric and B "
                        "symmetric positive definite only; use \"Backend\", "
                        "\"auto\"");
  return ctx->on_device ? ge_need_host (ctx)
                        : ge_eig_pairs (ctx, problem, options, info);
}

static gpueig_status
eig_general (gpueig_context *ctx, const void *given,
             const gpueig_options *options, gpueig_info *info)
{
  const gpueig_general *problem = given;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_EIG_GENERAL, options, &method));
  GE_TRY (ge_check_general (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    return GPUEIG_OK;
  if (problem->b)
    return eig_pairs (ctx, problem, method, options, info);
  if (problem->symmetric && strcmp (options->method, "auto") == 0)
    {
      if (ctx->on_device)
        return ge_need_host (ctx);
      GE_TRY (
          ge_eig_mixed (ctx, problem, gpueig_eig_general, 0, options, info));
      ge_info_method (info, "auto");
      return GPUEIG_OK;
    }
  unsigned char *state;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, problem->pages, &state));
  memset (state, 0, (size_t) problem->pages);
  ge_general_problem scaled = { *problem, state };
  int *exponents;
  GE_TRY (ge_scale_general (ctx, &scaled.general, &exponents));
  GE_TRY (ge_run (ctx, GE_EIG_GENERAL, method, &scaled, options, info));
  GE_TRY (finish_pages (ctx, &scaled.general, state, info));
  ge_unscale_general (problem, exponents);
  return ge_ran (info, GE_METHOD_GENERAL_GEEV)
             ? ge_order_scaled (ctx, problem, exponents)
             : GPUEIG_OK;
}

gpueig_status
gpueig_eig_general (gpueig_context *ctx, const gpueig_general *problem,
                    const gpueig_options *options, gpueig_info *info)
{
  static const ge_placed placed = GE_PLACED_GENERAL (eig_general);
  return ge_call_placed (ctx, &placed, problem, options, info);
}

/* --- one page --- */

enum
{
  /* From this order on a page, or a pair, takes tenths of a second and is run detachably,
     so that an interrupt need not wait for it.  */
  DETACHABLE_ORDER = 500,
  DETACHABLE_PAIR = 300
};

typedef struct geev_work geev_work;

/* The scratch memory for one page.  */
typedef struct
{
  const geev_work *work;
  gpueig_context
      *ctx;      /* not NULL: with memory of its own, if need be detachably */
  char *space;   /* of the solver, work->bytes */
  char *results; /* see page_in_full; followed by scratch memory */
  ge_team team;  /* not with CTX */
} geev_place;

/* What is done with one page; *FAILED: the solver's info.  */
typedef gpueig_status geev_step (const geev_place *at,
                                 const gpueig_general *one, int *failed);

struct geev_work
{
  const gpueig_general *problem;
  int own; /* our QR algorithm */
  const int64_t *list;
  geev_step *step;
  ge_team team;          /* of each page */
  char *space, *results; /* geev_place, for each thread */
  int64_t bytes, results_bytes;
  int lwork;
};

/* Page P of G alone.  */
static gpueig_general
page_of (const gpueig_general *g, int64_t p)
{
  const size_t pair = 2 * gpueig_real_size (g->type);
  const int64_t n = g->n, square = n * n;
  gpueig_general one = *g;
  one.pages = 1;
  one.a = ge_page (g->a, p, square, gpueig_scalar_size (g->type));
  one.b = ge_page (g->b, p, square, gpueig_scalar_size (g->type));
  one.lambda = ge_page (g->lambda, p, n, pair);
  one.v = ge_page (g->v, p, square, pair);
  one.w = ge_page (g->w, p, square, pair);
  return one;
}

/* *BYTES of scratch memory for pages of G by LAPACK, with *LWORK, or if OWN by our QR
   algorithm on OWN threads; LEFT, RIGHT: vectors.  */
static gpueig_status
scratch_size (gpueig_context *ctx, const gpueig_general *g, int own, int left,
              int right, int64_t *bytes, int *lwork)
{
  GE_TRY (GE_BY_TYPE (g->type, ge_geevx_size,
                      (ctx, g->n, g->b != NULL, left, right, bytes, lwork)));
  if (own)
    *bytes = GE_BY_TYPE (g->type, ge_qr_bytes, (g->n, left, right, own));
  return GPUEIG_OK;
}

/* Solve ONE by LAPACK, or with TEAM by our QR algorithm; nonzero if that fails.  */
static int
call_solver (const gpueig_general *one, const ge_team *team, int balance,
             void *space, int lwork)
{
  if (team)
    return GE_BY_TYPE (
        one->type, ge_qr_page,
        (team, one->n, one->a, balance, one->lambda, one->v, one->w, space));
  return GE_BY_TYPE (one->type, ge_geevx,
                     (one->n, one->a, one->b, balance, one->lambda, one->v,
                      one->w, space, lwork));
}

/* One large page; THREADS: of a new team.  */
typedef struct
{
  gpueig_general one;
  ge_team team;
  int own, threads, balance, lwork, result;
  char *space;
} geev_job;

static void
run_job (void *data)
{
  geev_job *j = data;
  if (j->threads)
    j->team = ge_new_team (j->threads);
  j->result = call_solver (&j->one, j->own ? &j->team : NULL, j->balance,
                           j->space, j->lwork);
  if (j->threads)
    ge_end_team (&j->team);
}

/* OWN as for scratch_size.  */
static gpueig_status
solve_by (const geev_place *at, const gpueig_general *one, int own, int balance,
          int *failed)
{
  static const ge_page_kind kind
      = { sizeof (geev_job), offsetof (geev_job, space), ge_parts_of_general,
          run_job };
  geev_job job = { .one = *one, .own = own, .balance = balance };
  int64_t bytes;
  if (! at->ctx)
    {
      *failed = call_solver (one, own ? &at->team : NULL, balance, at->space,
                             at->work->lwork);
      return GPUEIG_OK;
    }
  if (ge_can_interrupt (at->ctx))
    job.threads = own;
  else
    job.team = ge_team_of (at->ctx, own);
  GE_TRY (scratch_size (at->ctx, one, own, one->w != NULL, one->v != NULL,
                        &bytes, &job.lwork));
  /* Not memory of the workspace, which keeps its blocks.  */
  GE_TRY (ge_run_page (at->ctx, &kind, &job, bytes));
  *failed = job.result;
  return GPUEIG_OK;
}

static gpueig_status
run_solver (const geev_place *at, const gpueig_general *one, int balance,
            int *failed)
{
  const int own = at->work->own, threads = at->ctx ? ge_threads () : 1;
  GE_TRY (solve_by (at, one, own ? threads : 0, balance, failed));
  return *failed ? solve_by (at, one, own ? 0 : threads, balance, failed)
                 : GPUEIG_OK;
}

/* --- whether to balance, see base/balancing.h ---

   Where the residual of a doubtful page exceeds USUAL_RESIDUAL, the better result of both
   is kept, in the order of the balanced one.  */

/* A residual that LAPACK's vectors rarely exceed, in units of n eps |A|_1; the limit of
   the tests is 20.  */
#define USUAL_RESIDUAL 5

/* The larger residual of the right and left vectors.  */
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

/* SPACE as for ge_balance_spread.  */
static int
is_doubtful (const gpueig_general *one, void *space)
{
  return one->balance
         && GE_BY_TYPE (one->type, ge_balance_spread, (one->n, one->a, space))
                > GE_DOUBTFUL_SPREAD;
}

/* Pairs of reals for the results of one page: eigenvalues twice, both kinds of vectors
   unless VALUES.  */
static int64_t
result_pairs (int64_t n, int values)
{
  return 2 * n + (values ? 0 : 2 * n * n);
}

/* ONE with results in FULL, vectors of both kinds among them; *FIRST has room for other
   eigenvalues.  */
static gpueig_general
page_in_full (const gpueig_general *one, char *full, char **first)
{
  const size_t column = (size_t) one->n * 2 * gpueig_real_size (one->type);
  gpueig_general all = *one;
  *first = full;
  all.lambda = full + column;
  all.v = full + 2 * column;
  all.w = full + 2 * column + (size_t) one->n * column;
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

static gpueig_status
solve_doubtful (const geev_place *at, const gpueig_general *one, int *failed)
{
  char *first;
  const gpueig_general all = page_in_full (one, at->results, &first);
  double *space = (double *) (at->results
                              + (size_t) result_pairs (one->n, 0) * 2
                                    * gpueig_real_size (one->type));
  GE_TRY (run_solver (at, &all, 1, failed));
  const double balanced = *failed ? 0 : page_residual (&all, space);
  if (balanced > USUAL_RESIDUAL)
    {
      /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): within results */
      memcpy (first, all.lambda,
              (size_t) one->n * 2 * gpueig_real_size (one->type));
      GE_TRY (run_solver (at, &all, 0, failed));
      if (*failed || ! (page_residual (&all, space) < balanced))
        GE_TRY (run_solver (at, &all, 1, failed));
      else
        GE_BY_TYPE (one->type, ge_order_like,
                    (one->n, first, all.lambda, all.v, all.w, space));
    }
  keep_wanted (&all, one);
  return GPUEIG_OK;
}

/* Bytes of the results of one page, see page_in_full, and of scratch memory.  */
static int64_t
results_bytes (const gpueig_general *g, int values)
{
  return result_pairs (g->n, values) * 2 * (int64_t) gpueig_real_size (g->type)
         + GE_GEEV_SPACE * g->n * (int64_t) sizeof (double);
}

static gpueig_status
solve_page (const geev_place *at, const gpueig_general *one, int *failed)
{
  if (! at->ctx)
    return is_doubtful (one, at->space)
               ? solve_doubtful (at, one, failed)
               : run_solver (at, one, one->balance, failed);
  geev_place large = *at;
  const int mark = ge_mark (at->ctx);
  void *space;
  GE_TRY (ge_alloc_job (at->ctx,
                        (size_t) (one->n * (one->n + 1))
                            * gpueig_scalar_size (one->type),
                        &space));
  const int doubtful = is_doubtful (one, space);
  free (space);
  if (! doubtful)
    return run_solver (at, one, one->balance, failed);
  GE_TRY (ge_alloc (at->ctx, GE_HOST, results_bytes (one, 0), 1,
                    (void **) &large.results));
  GE_TRY (solve_doubtful (&large, one, failed));
  ge_release (at->ctx, mark);
  return GPUEIG_OK;
}

static gpueig_status
solve_pair (const geev_place *at, const gpueig_general *one, int *failed)
{
  return solve_by (at, one, 0, 0, failed);
}

/* --- order of scaled pages ---

   The order is that which LAPACK gives without our scaling.  Without it another one
   results from the factor by which xGEEVX itself scales matrices outside of its range;
   and from xLANV2, which orders the real eigenvalues of a 2-by-2 block by a discriminant
   that it compares with eps in absolute terms.  */

/* Nonzero if LAPACK's order for page P of G can be another one than that for the page
   times a power of two.  The discriminants of real pages that are larger than this are
   those of eigenvalues that agree to about half of the digits.  */
static int
order_depends_on_scale (const gpueig_general *g, int64_t p)
{
  const int is_double = gpueig_is_double (g->type);
  const int range = is_double ? 458 : 39;
  const int least = gpueig_is_complex (g->type) ? -range : is_double ? -20 : -3;
  const int exponent = GE_BY_TYPE (
      g->type, ge_page_exponent,
      (g->n, ge_page (g->a, p, g->n * g->n, gpueig_scalar_size (g->type))));
  return exponent < least || exponent >= range;
}

/* Order the results of ONE, which has the matrix before the scaling.  */
static gpueig_status
order_page (const geev_place *at, const gpueig_general *one, int *failed)
{
  const size_t column = (size_t) one->n * 2 * gpueig_real_size (one->type);
  gpueig_general values = *one;
  values.lambda = at->results;
  values.v = values.w = NULL;
  GE_TRY (run_solver (at, &values, one->balance, failed));
  if (! *failed)
    GE_BY_TYPE (one->type, ge_order_like,
                (one->n, values.lambda, one->lambda, one->v, one->w,
                 at->results + 2 * column));
  *failed = 0;
  return GPUEIG_OK;
}

/* --- all pages --- */

static int
side_page (void *data, int64_t i, int thread)
{
  const geev_work *w = data;
  const geev_place at
      = { .work = w,
          .team = w->team,
          .space = w->space + thread * w->bytes,
          .results
          = w->results ? w->results + thread * w->results_bytes : NULL };
  const gpueig_general one = page_of (w->problem, w->list ? w->list[i] : i);
  int failed;
  return w->step (&at, &one, &failed) == GPUEIG_OK ? failed : 1;
}

static gpueig_status
side_by_side (gpueig_context *ctx, geev_work *work, int64_t count, int *failed)
{
  const gpueig_general *g = work->problem;
  const int orders = work->step == order_page;
  const int threads = ge_page_threads (g->n, count);
  const int balances = g->balance && ! g->b, both = balances && ! orders;
  const int left = ! orders && (g->w || both),
            right = ! orders && (g->v || both);
  GE_TRY (scratch_size (ctx, g, 0, left, right, &work->bytes, &work->lwork));
  const int each = threads > 1 ? 1 : ge_threads ();
  const int64_t own
      = GE_BY_TYPE (g->type, ge_qr_bytes, (g->n, left, right, each));
  work->team = ge_team_of (ctx, each);
  work->bytes = own > work->bytes ? own : work->bytes;
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) work->bytes,
                    (void **) &work->space));
  if (balances || orders)
    {
      work->results_bytes = (results_bytes (g, orders) + 63) / 64 * 64;
      GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) work->results_bytes,
                        (void **) &work->results));
    }
  return ge_for_pages (ctx, g->n, count, threads, side_page, work, failed);
}

static gpueig_status
one_by_one (gpueig_context *ctx, geev_work *work, int64_t count, int *failed)
{
  const gpueig_general *g = work->problem;
  geev_place at = { .work = work, .ctx = ctx };
  if (work->step == order_page)
    GE_TRY (ge_alloc (ctx, GE_HOST, results_bytes (g, 1), 1,
                      (void **) &at.results));
  for (int64_t i = 0; i < count && ! *failed; i++)
    {
      const gpueig_general one = page_of (g, work->list ? work->list[i] : i);
      const ge_blas_limit limit
          = work->own ? GE_BLAS_ONE : ge_blas_limit_of (g->n);
      ge_limit_blas (ctx, limit);
      const gpueig_status status = work->step (&at, &one, failed);
      ge_unlimit_blas (ctx, limit);
      GE_TRY (status);
      ge_report_pages (ctx, "LAPACK", i + 1, count);
    }
  return GPUEIG_OK;
}

/* STEP on pages LIST[0 .. COUNT - 1] of G.  */
static gpueig_status
for_pages (gpueig_context *ctx, const gpueig_general *g, int own,
           geev_step *step, const int64_t *list, int64_t count)
{
  geev_work work = { .problem = g, .own = own, .list = list, .step = step };
  int failed = 0;
  const int mark = ge_mark (ctx);
  const int detachable = g->n >= (g->b ? DETACHABLE_PAIR : DETACHABLE_ORDER);
  GE_TRY (
      (detachable ? one_by_one : side_by_side) (ctx, &work, count, &failed));
  ge_release (ctx, mark);
  if (failed)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "LAPACK's %s iteration failed with info %d",
                        g->b ? "QZ" : "QR", failed);
  return GPUEIG_OK;
}

gpueig_status
ge_geev_pages (gpueig_context *ctx, const gpueig_general *problem, int own,
               const int64_t *list, int64_t count)
{
  return for_pages (ctx, problem, own, problem->b ? solve_pair : solve_page,
                    list, count);
}

gpueig_status
ge_order_scaled (gpueig_context *ctx, const gpueig_general *problem,
                 const int *exponents)
{
  int64_t count = 0, *list;
  if (! exponents)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, problem->pages, &list));
  for (int64_t p = 0; p < problem->pages; p++)
    if (exponents[p] != 0 && order_depends_on_scale (problem, p))
      list[count++] = p;
  return count > 0 ? for_pages (ctx, problem, 0, order_page, list, count)
                   : GPUEIG_OK;
}

gpueig_status
ge_cpu_eig_general (gpueig_context *ctx, const void *problem,
                    const ge_plan *plan, const gpueig_options *options,
                    gpueig_info *info)
{
  const gpueig_general *g = &((const ge_general_problem *) problem)->general;
  (void) options;
  ge_info_method (info, ge_method_name (plan->method));
  return ge_geev_pages (ctx, g, plan->method == GE_METHOD_GENERAL_QR, NULL,
                        g->pages);
}

static double
arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  (void) method;
  if (backend == GPUEIG_CUDA)
    return shape->outputs == 0 ? 1 : gpueig_is_complex (shape->type) ? 3 : 5;
  return gpueig_is_complex (shape->type) ? 1.5 : 3;
}

const ge_solver_entry ge_general_entry
    = { .id = GE_EIG_GENERAL,
        .cpu = ge_cpu_eig_general,
        .problem_size = sizeof (ge_general_problem),
        .describe = ge_describe_general,
        .arrays = arrays,
        .parts = ge_parts_of_general,
        .pages = offsetof (ge_general_problem, general.pages),
        .page_flags = offsetof (ge_general_problem, state),
        .page_flag_size = 1 };
