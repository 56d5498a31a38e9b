/* gpueig_complex_eig: one or many general matrices by the Jacobi-like method of
   Eberlein and Shroff; pages for which it fails are solved by LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "shroff/block.h"
#include "shroff/order.h"
#include "eig/general.h"
#include "run/solvers.h"

#include <math.h>
#include <string.h>

/* More elements of vectors are put in order by several threads.  */
#define SHARED_ELEMENTS 50000
/* Stacks that are looked at where they are solved.  */
#define PASSED_BYTES ((size_t) 16 << 20)

/* Results that threads put in order, side by side.  */
typedef struct
{
  const gpueig_general *g;
  unsigned char *state;
  char *scratch; /* BYTES for each thread */
  int64_t bytes;
  int64_t *order; /* 2 n for each thread */
} order_job;

/* Normalize the result of page P, if that is wanted.  If that makes the residual too large
   (for a real defective matrix), the page counts as stalled.  */
static void
normalize_page (void *data, int64_t p, int thread)
{
  const order_job *job = data;
  const gpueig_general *g = job->g;
  const int64_t n = g->n;
  const int real = ! gpueig_is_complex (g->type);
  const size_t pair = 2 * gpueig_real_size (g->type);
  char *scratch = job->scratch + thread * job->bytes;
  void *lambda = ge_page (g->lambda, p, n, pair);
  void *v = ge_page (g->v, p, n * n, pair);
  void *w = ge_page (g->w, p, n * n, pair);
  if (job->state[p] != GE_PAGE_UNNORMALIZED)
    return;
  const int is_double = gpueig_is_double (g->type);
  const double added = is_double
                           ? ge_normalize_z (n, real, scratch, lambda, v, w)
                           : ge_normalize_c (n, real, scratch, lambda, v, w);
  const double unit = (is_double ? 0x1p-52 : 0x1p-23) * (double) n;
  const void *a = ge_page (g->a, p, n * n, gpueig_scalar_size (g->type));
  job->state[p]
      = ! (v || w)
                || added
                       <= 5 * unit * GE_BY_TYPE (g->type, ge_page_norm, (n, a))
            ? GE_PAGE_DONE
            : GE_PAGE_STALLED;
}

static void
order_page (void *data, int64_t p, int thread)
{
  const order_job *job = data;
  const gpueig_general *g = job->g;
  const int64_t n = g->n;
  const int real = ! gpueig_is_complex (g->type);
  const size_t pair = 2 * gpueig_real_size (g->type);
  int64_t *order = job->order + thread * 2 * n;
  char *column = job->scratch + thread * job->bytes;
  void *lambda = ge_page (g->lambda, p, n, pair);
  void *v = ge_page (g->v, p, n * n, pair);
  void *w = ge_page (g->w, p, n * n, pair);
  if (gpueig_is_double (g->type))
    ge_order_page_z (n, real, lambda, v, w, order, column);
  else
    ge_order_page_c (n, real, lambda, v, w, order, column);
}

/* WORK, of the two above, on all pages, with BYTES of scratch memory.  */
static gpueig_status
put_in_order (gpueig_context *ctx, const gpueig_general *g,
              unsigned char *state, int64_t bytes, ge_piece *work)
{
  const int64_t n = g->n, threads = ge_threads ();
  const int mark = ge_mark (ctx);
  order_job job = { .g = g, .state = state, .bytes = (bytes + 63) / 64 * 64 };
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads * 2 * n, &job.order));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads * job.bytes, &job.scratch));
  ge_share_pass (ctx, g->pages, g->pages * n * n > SHARED_ELEMENTS, work, &job);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Nonzero if the eigenvalues of page P sum to its trace.  Each pair of a nearly defective
   page can have a small residual where the eigenvalues are not those of any matrix close
   to it.  */
static int
sums_to_trace (const gpueig_general *g, int64_t p)
{
  const int64_t n = g->n, parts = 1 + gpueig_is_complex (g->type);
  const size_t real = gpueig_real_size (g->type);
  const void *lambda = ge_page (g->lambda, p, 2 * n, real),
             *a = ge_page (g->a, p, n * n * parts, real);
  double re = 0, im = 0, largest = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const double x = ge_real_at (g->type, lambda, 2 * j);
      const double y = ge_real_at (g->type, lambda, 2 * j + 1);
      re += x - ge_real_at (g->type, a, j * (n + 1) * parts);
      im += y;
      if (parts == 2)
        im -= ge_real_at (g->type, a, j * (n + 1) * parts + 1);
      largest = ge_larger (fabs (x) + fabs (y), largest);
    }
  const double limit = (double) (n * (n + 10))
                       * (gpueig_is_double (g->type) ? 0x1p-52 : 0x1p-23);
  const double error = fabs (re) + fabs (im);
  return error <= limit * largest
         || error <= limit * GE_BY_TYPE (g->type, ge_page_norm, (n, a));
}

/* Nonzero if page P is triangular but not diagonal.  */
static int
is_triangular (const gpueig_general *g, int64_t p)
{
  static const char zeros[sizeof (double _Complex)];
  const size_t size = gpueig_scalar_size (g->type);
  const char *a = ge_page (g->a, p, g->n * g->n, size);
  int above = 0, below = 0;
  for (int64_t j = 0; j < g->n && ! (above && below); j++)
    for (int64_t i = 0; i < g->n && ! (above && below); i++)
      if (i != j
          && memcmp (a + (size_t) (i + g->n * j) * size, zeros, size) != 0)
        *(i < j ? &above : &below) = 1;
  return above != below;
}

/* Whether page P is triangular, which FOUND[p] becomes, or has stalled.  */
typedef struct
{
  const gpueig_general *g;
  unsigned char *state, *found;
} shroff_check;

static void
check_page (void *data, int64_t p, int thread)
{
  const shroff_check *c = data;
  (void) thread;
  c->found[p] = c->state[p] == GE_PAGE_DONE && is_triangular (c->g, p);
  if (c->state[p] == GE_PAGE_DONE && ! c->found[p] && ! sums_to_trace (c->g, p))
    c->state[p] = GE_PAGE_STALLED;
}

/* Pages for which the method is accurate relative to the norm only, or not at all.  Sweeps
   end where the off-diagonal part is small relative to the norm; the eigenvalues of a
   triangular page are its diagonal, however small, and substitution gives their vectors:
   solve those again by LAPACK.  */
static gpueig_status
check_shroff (gpueig_context *ctx, const gpueig_general *g,
              unsigned char *state)
{
  int64_t count = 0, *list;
  shroff_check check = { .g = g, .state = state };
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &check.found));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &list));
  ge_share_pass (ctx, g->pages, g->pages * g->n * g->n > SHARED_ELEMENTS,
                 check_page, &check);
  for (int64_t p = 0; p < g->pages; p++)
    if (check.found[p])
      list[count++] = p;
  if (count == 0)
    return GPUEIG_OK;
  return ge_geev_pages (ctx, g, GE_METHOD_GENERAL_GEEV, list, count);
}

/* Solve the pages for which the method stalled by LAPACK on all cores.  */
static gpueig_status
finish_pages (gpueig_context *ctx, const gpueig_general *g,
              unsigned char *state, gpueig_info *info)
{
  int64_t count = 0, limited = 0, raw = 0, *list;
  for (int64_t p = 0; p < g->pages; p++)
    raw += state[p] == GE_PAGE_UNNORMALIZED;
  if (raw > 0)
    GE_TRY (put_in_order (ctx, g, state,
                          ge_normalize_bytes (g->n, gpueig_real_size (g->type)),
                          normalize_page));
  if (ge_ran (info, GE_METHOD_COMPLEX_SHROFF))
    GE_TRY (check_shroff (ctx, g, state));
  for (int64_t p = 0; p < g->pages; p++)
    {
      count += state[p] == GE_PAGE_STALLED;
      limited += state[p] == GE_PAGE_LIMITED;
    }
  ge_info_extra (info, "fallback_pages", (double) count);
  if (count > 0)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &list));
      int64_t at = 0;
      for (int64_t p = 0; p < g->pages; p++)
        if (state[p] == GE_PAGE_STALLED)
          list[at++] = p;
      ge_report (ctx, "geev solves %lld of %lld pages", (long long) count,
                 (long long) g->pages);
      ge_info_fallback (info, "geev");
      GE_TRY (ge_geev_pages (ctx, g, GE_METHOD_GENERAL_GEEV, list, count));
    }
  if (limited > 0)
    return gpueig_fail (
        ctx, GPUEIG_NO_CONVERGENCE,
        "no convergence of %lld of %lld matrices in %lld sweeps",
        (long long) limited, (long long) g->pages, (long long) info->sweeps);
  return GPUEIG_OK;
}

/* --- public function --- */

/* Solve pages that are finite and not Hermitian; PLAIN: ge_run must check that, and
   that they need no scaling.  */
static gpueig_status
solve_pages (gpueig_context *ctx, const gpueig_general *g, int plain,
             const gpueig_options *options, gpueig_info *info)
{
  ge_method method;
  unsigned char *state;
  int *exponents = NULL;
  GE_TRY (ge_check_options (ctx, GE_COMPLEX_EIG, options, &method));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &state));
  memset (state, GE_PAGE_DONE, (size_t) g->pages);
  ge_general_problem scaled = { *g, state };
  /* No page is marked: all have been checked.  */
  scaled.general.symmetric = plain ? NULL : state;
  if (! plain)
    GE_TRY (ge_scale_general (ctx, &scaled.general, &exponents));
  if (method == GE_METHOD_COMPLEX_GEEV)
    GE_TRY (ge_run (ctx, GE_EIG_GENERAL, GE_METHOD_GENERAL_GEEV, &scaled,
                    options, info));
  else
    GE_TRY (ge_run (ctx, GE_COMPLEX_EIG, method, &scaled, options, info));
  const gpueig_status status = finish_pages (ctx, &scaled.general, state, info);
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    GE_TRY (put_in_order (ctx, g, NULL,
                          g->n * (int64_t) (2 * gpueig_real_size (g->type)),
                          order_page));
  ge_unscale_general (g, exponents);
  return status;
}

static gpueig_status
solve_general (gpueig_context *ctx, const gpueig_general *g,
               const gpueig_options *options, gpueig_info *info)
{
  return solve_pages (ctx, g, 0, options, info);
}

/* Nonzero if passes over G on the host take longer than the plan of a second call; those
   are spared if its pages are plain, as the first one is.  */
static int
may_be_plain (const gpueig_general *g, ge_method method)
{
  const size_t bytes = (size_t) (g->n * g->n) * gpueig_scalar_size (g->type);
  return method != GE_METHOD_COMPLEX_GEEV && g->n > 1 && g->pages > 1
         && (size_t) g->pages * bytes >= PASSED_BYTES
         && ge_are_plain (NULL, g->type, g->a, g->n, 1);
}

/* Sweeps and QR iterations leave imaginary parts in eigenvalues and mix the vectors of
   multiple ones, also by complex factors: Hermitian pages are solved by the symmetric
   solver.  Of order 1 every method is exact.  The order of the eigenvalues is that of the
   CPU, after the solvers of a GPU too, so that it is found in host memory.  */
static gpueig_status
complex_eig (gpueig_context *ctx, const void *given,
             const gpueig_options *options, gpueig_info *info)
{
  gpueig_general g = *(const gpueig_general *) given;
  ge_method method;
  unsigned char *hermitian;
  int64_t count = 0;
  const size_t bytes = 2 * gpueig_real_size (g.type);
  GE_TRY (ge_check_options (ctx, GE_COMPLEX_EIG, options, &method));
  if (g.b)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "pairs are solved by gpueig_eig_general");
  GE_TRY (ge_check_general_sizes (ctx, &g));
  if (g.n == 0 || g.pages == 0)
    return GPUEIG_OK;
  const int mark = ge_mark (ctx);
  if (may_be_plain (&g, method))
    {
      const gpueig_status plain = solve_pages (ctx, &g, 1, options, info);
      if (plain != GPUEIG_NOT_SYMMETRIC)
        return plain;
      ge_release (ctx, mark);
      ge_info_begin (info);
    }
  GE_TRY (ge_check_general (ctx, &g));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g.pages, &hermitian));
  if (g.n > 1)
    GE_TRY (gpueig_find_symmetric (ctx, g.type, g.a, g.n, g.pages, GPUEIG_HOST,
                                   hermitian, &count));
  if (count == 0)
    return solve_general (ctx, &g, options, info);
  g.symmetric = hermitian;
  const gpueig_status status
      = ge_eig_mixed (ctx, &g, solve_general, 1, options, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  void *const part[] = { g.v, g.w };
  for (int64_t k = 0; gpueig_is_complex (g.type) && k < 2 * g.pages; k++)
    {
      void *v = ge_page (part[k % 2], k / 2, g.n * g.n, bytes);
      if (v && hermitian[k / 2] && gpueig_is_double (g.type))
        ge_fix_phases_z (g.n, g.n, v);
      else if (v && hermitian[k / 2])
        ge_fix_phases_c (g.n, g.n, v);
    }
  if (count == g.pages)
    ge_info_method (
        info,
        ge_method_name (method == GE_AUTO ? GE_METHOD_COMPLEX_QR : method));
  return status;
}

gpueig_status
gpueig_complex_eig (gpueig_context *ctx, const gpueig_general *problem,
                    const gpueig_options *options, gpueig_info *info)
{
  static const ge_placed placed
      = GE_PLACED_GENERAL (complex_eig, GE_COMPLEX_EIG, ge_always_on_host);
  return ge_call_placed (ctx, &placed, problem, options, info);
}

/* --- the CPU's solver --- */

typedef struct
{
  gpueig_context *ctx;
  gpueig_status status;
} watch_data;

static int
watch_sweep (void *data, int sweep, double off)
{
  watch_data *w = data;
  if (sweep > 0)
    ge_report (w->ctx, "sweep %2d  off %.2e", sweep, off);
  if (w->status == GPUEIG_OK)
    w->status = ge_check_interrupt (w->ctx);
  return w->status != GPUEIG_OK;
}

static void
merge_reports (const ge_block_report *from, ge_block_report *to)
{
  to->sweeps = from->sweeps > to->sweeps ? from->sweeps : to->sweeps;
  for (int i = 0; i < GPUEIG_MAX_HISTORY; i++)
    to->off[i] = from->off[i] > to->off[i] ? from->off[i] : to->off[i];
}

static void
run_block (const ge_block_job *job, int64_t first, int count, void *space,
           unsigned char *state, ge_block_report *report, ge_block_watch *watch,
           void *data)
{
  if (gpueig_is_double (job->problem->type))
    ge_block_run_z (job, first, count, space, state, report, watch, data);
  else
    ge_block_run_c (job, first, count, space, state, report, watch, data);
}

/* Data common to all blocks of a call.  */
typedef struct
{
  gpueig_context *ctx;
  ge_block_job job;
  int64_t bytes; /* of workspace, for each thread */
  int threads;
  char *space;
  ge_block_report *reports; /* one per thread */
  unsigned char *state;
} blocks;

typedef struct
{
  const blocks *b;
  int64_t start;
} block_pass;

static void
block_piece (void *data, int64_t i, int thread)
{
  const block_pass *p = data;
  const blocks *b = p->b;
  const int64_t first = (p->start + i) * b->job.lanes;
  const int64_t left = b->job.problem->pages - first;
  run_block (&b->job, first, (int) (left < b->job.lanes ? left : b->job.lanes),
             b->space + thread * b->bytes, b->state, &b->reports[thread], NULL,
             NULL);
}

/* Solve all pages in blocks of job->lanes on all cores.  Interrupts are polled between
   chunks of blocks, for a single page between rounds.  */
static gpueig_status
run_blocks (blocks *b)
{
  const ge_block_job *job = &b->job;
  const int64_t n = job->problem->n, pages = job->problem->pages;
  const int64_t lanes = job->lanes;
  const int64_t count = (pages + lanes - 1) / lanes;
  const int64_t chunk = b->threads * (1 + 2000000 / (1 + n * n * n * lanes));
  if (pages == 1)
    {
      watch_data w = { b->ctx, GPUEIG_OK };
      run_block (job, 0, 1, b->space, b->state, b->reports, watch_sweep, &w);
      return w.status;
    }
  for (int64_t start = 0; start < count; start += chunk)
    {
      int64_t stop = start + chunk < count ? start + chunk : count;
      block_pass p = { b, start };
      GE_TRY (ge_run_pieces (b->ctx, stop - start, 1, block_piece, &p));
      ge_report_pages (b->ctx, "shroff",
                       stop * lanes < pages ? stop * lanes : pages, pages);
    }
  return GPUEIG_OK;
}

static gpueig_status
run_shroff (gpueig_context *ctx, const ge_general_problem *c,
            const gpueig_options *options, gpueig_info *info)
{
  const gpueig_general *g = &c->general;
  const int64_t pages = g->pages;
  const int is_double = gpueig_is_double (g->type);
  const int lanes = is_double ? ge_block_lanes_z () : ge_block_lanes_c ();
  blocks b = { .ctx = ctx, .state = c->state };
  b.job
      = (ge_block_job){ .problem = g,
                        .tol = ge_complex_tol (options, GPUEIG_CPU, is_double),
                        .max_sweeps = ge_complex_sweeps (options, g->n),
                        .limited = options->max_sweeps > 0 };
  b.job.lanes = g->n <= 32 && 2 * pages >= lanes ? lanes : 1;
  b.bytes
      = (is_double ? ge_block_bytes_z : ge_block_bytes_c) (g->n, b.job.lanes);
  const int64_t count = (pages + b.job.lanes - 1) / b.job.lanes;
  b.threads = ge_threads ();
  if (b.threads > count)
    b.threads = (int) count;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, b.threads, (size_t) b.bytes, (void **) &b.space));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, b.threads, &b.reports));
  memset (b.reports, 0, (size_t) b.threads * sizeof *b.reports);
  GE_TRY (run_blocks (&b));
  ge_block_report *reports = b.reports;
  int threads = b.threads;
  for (int i = 1; i < threads; i++)
    merge_reports (&reports[i], &reports[0]);
  info->sweeps = reports[0].sweeps;
  for (int i = 0; i < reports[0].sweeps && i < GPUEIG_MAX_HISTORY - 1; i++)
    ge_info_off (info, reports[0].off[i]);
  return GPUEIG_OK;
}

gpueig_status
ge_cpu_complex_eig (gpueig_context *ctx, const void *problem,
                    const ge_plan *plan, const gpueig_options *options,
                    gpueig_info *info)
{
  const ge_general_problem *c = problem;
  const gpueig_general *g = &c->general;
  ge_info_method (info, ge_method_name (plan->method));
  if (plan->method != GE_METHOD_COMPLEX_SHROFF)
    return ge_geev_pages (ctx, g,
                          plan->method == GE_METHOD_COMPLEX_QR
                              ? GE_METHOD_GENERAL_QR
                              : GE_METHOD_GENERAL_GEEV,
                          NULL, g->pages);
  return run_shroff (ctx, c, options, info);
}

static double
arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  const int is_complex = gpueig_is_complex (shape->type);
  const int cuda = backend == GPUEIG_CUDA;
  if (method == GE_METHOD_COMPLEX_SHROFF)
    return cuda ? (is_complex ? 6 : 11) : (is_complex ? 13 : 26);
  return (is_complex ? 2 : 4) + cuda;
}

static ge_check
unchecked (const void *problem)
{
  const ge_general_problem *c = problem;
  return c->general.symmetric ? GE_CHECKED : GE_CHECK_PLAIN;
}

const ge_solver_entry ge_complex_eig_entry
    = { .id = GE_COMPLEX_EIG,
        .cpu = ge_cpu_complex_eig,
        .problem_size = sizeof (ge_general_problem),
        .describe = ge_describe_general,
        .arrays = arrays,
        .arguments = ge_arguments_of_general,
        .unchecked = unchecked,
        .pages = offsetof (ge_general_problem, general.pages),
        .page_flags = offsetof (ge_general_problem, state),
        .page_flag_size = 1,
        .history_of_all = 1 };
