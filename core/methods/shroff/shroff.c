/* gpueig_complex_eig: one or many general matrices by the Jacobi-like method of
   Eberlein and Shroff; pages for which it fails are solved by LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "shroff/block.h"
#include "shroff/order.h"
#include "base/verify_by_sampling.h"
#include "eig/general.h"
#include "run/solvers.h"

#include <math.h>
#include <string.h>

/* Results that threads work on, side by side.  */
typedef struct
{
  const gpueig_general *g;
  char *scratch; /* BYTES for each thread */
  int64_t bytes;
} pages_job;

/* Run WORK on all pages, with BYTES of scratch memory.  */
static gpueig_status
pass_over (gpueig_context *ctx, const gpueig_general *g, int64_t bytes,
           ge_piece *work)
{
  const int mark = ge_mark (ctx);
  pages_job job = { .g = g, .bytes = (bytes + 63) / 64 * 64 };
  GE_TRY (GE_ALLOC (ctx, GE_HOST, ge_threads () * job.bytes, &job.scratch));
  ge_share_pass (ctx, g->pages, 2 * (double) (g->pages * g->n * g->n), work,
                 &job);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Put the result of page P in order.  */
static void
order_page (void *data, int64_t p, int thread)
{
  const pages_job *job = data;
  const gpueig_general *g = job->g;
  const int64_t n = g->n;
  const int real = ! gpueig_is_complex (g->type);
  const size_t pair = 2 * gpueig_real_size (g->type);
  int64_t *order = (int64_t *) (job->scratch + thread * job->bytes);
  void *lambda = ge_page (g->lambda, p, n, pair);
  void *v = ge_page (g->v, p, n * n, pair);
  void *w = ge_page (g->w, p, n * n, pair);
  if (gpueig_is_double (g->type))
    ge_order_page_z (n, real, lambda, v, w, order, order + 2 * n);
  else
    ge_order_page_c (n, real, lambda, v, w, order, order + 2 * n);
}

/* Nonzero if the N elements of SIZE bytes at A, STEP elements apart, are 0.  */
static int
is_zero (const char *a, int64_t n, int64_t step, size_t size)
{
  static const char zeros[sizeof (double _Complex)];
  for (int64_t i = 0; i < n; i++)
    if (memcmp (a + (size_t) (step * i) * size, zeros, size) != 0)
      return 0;
  return 1;
}

/* Nonzero if page P is triangular but not diagonal, or two of its rows or of its columns are
   0: eigenvalues that the method finds relative to the norm only, or, if they are defective,
   to sqrt (eps), LAPACK finds exactly by substitution and permutations.  */
static int
is_exact_by_lapack (const gpueig_general *g, int64_t p)
{
  const int64_t n = g->n;
  const size_t size = gpueig_scalar_size (g->type);
  const char *a = ge_page (g->a, p, n * n, size);
  int above = 0, below = 0, rows = 0, columns = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const char *column = a + (size_t) (n * j) * size;
      const char *next = column + (size_t) (j + 1) * size;
      above |= ! is_zero (column, j, 1, size);
      below |= ! is_zero (next, n - 1 - j, 1, size);
      columns += is_zero (column, n, 1, size);
      rows += is_zero (a + (size_t) j * size, n, n, size);
    }
  return above != below || rows > 1 || columns > 1;
}

/* Normalize the result of Shroff's method for page P, and look whether LAPACK must solve the
   page, because normalization makes the residual too large (for a real defective matrix), or
   because each pair of a nearly defective page can have a small residual where the eigenvalues
   are not those of any matrix close to it.  */
static void
check_page (void *data, int64_t p, int thread)
{
  const pages_job *job = data;
  const gpueig_general *g = job->g;
  const int64_t n = g->n;
  const int real = ! gpueig_is_complex (g->type),
            is_double = gpueig_is_double (g->type);
  const size_t pair = 2 * gpueig_real_size (g->type);
  char *scratch = job->scratch + thread * job->bytes;
  void *lambda = ge_page (g->lambda, p, n, pair);
  void *v = ge_page (g->v, p, n * n, pair);
  void *w = ge_page (g->w, p, n * n, pair);
  if (g->state[p] != GE_PAGE_UNNORMALIZED)
    return;
  const double added = is_double
                           ? ge_normalize_z (n, real, scratch, lambda, v, w)
                           : ge_normalize_c (n, real, scratch, lambda, v, w);
  const double unit = (is_double ? 0x1p-52 : 0x1p-23) * (double) n;
  const void *a = ge_page (g->a, p, n * n, gpueig_scalar_size (g->type));
  g->state[p]
      = is_exact_by_lapack (g, p) ? GE_PAGE_EXACT
        : ((! v && ! w)
           || added <= 5 * unit * GE_BY_TYPE (g->type, ge_page_norm, (n, a)))
                && ge_are_eigenvalues (g->type, n, a, lambda)
            ? GE_PAGE_DONE
            : GE_PAGE_STALLED;
}

/* Normalize what Shroff's method computed.  */
static gpueig_status
inspect (gpueig_context *ctx, const void *problem, gpueig_info *info)
{
  const gpueig_general *g = problem;
  double stalled = ge_info_value (info, "fallback_pages");
  if (memchr (g->state, GE_PAGE_UNNORMALIZED, (size_t) g->pages))
    GE_TRY (pass_over (ctx, g,
                       ge_normalize_bytes (g->n, gpueig_real_size (g->type)),
                       check_page));
  for (int64_t p = 0; p < g->pages; p++)
    stalled += g->state[p] == GE_PAGE_STALLED;
  ge_info_extra (info, "fallback_pages", stalled);
  return GPUEIG_OK;
}

static unsigned
page_left (const void *problem, int64_t p)
{
  const unsigned char state = ((const gpueig_general *) problem)->state[p];
  return state == GE_PAGE_STALLED ? GE_LEFT_PAGES
         : state == GE_PAGE_EXACT ? GE_LEFT_CLASS
                                  : 0;
}

static gpueig_status
check_limits (gpueig_context *ctx, int64_t pages, const unsigned char *state,
              const gpueig_info *info)
{
  int64_t limited = 0;
  for (int64_t p = 0; p < pages; p++)
    limited += state[p] == GE_PAGE_LIMITED;
  if (limited == 0)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                      "no convergence of %lld of %lld matrices in %lld sweeps",
                      (long long) limited, (long long) pages,
                      (long long) info->sweeps);
}

/* --- public function --- */

/* Solve pages that are not Hermitian; PLAIN: ge_run must check that they are not, that they
   are finite and need no scaling.  */
static gpueig_status
solve_general_pages (gpueig_context *ctx, const gpueig_general *g, int plain,
                     const gpueig_options *options, gpueig_info *info)
{
  ge_method method;
  unsigned char *state;
  int *exponents = NULL;
  GE_TRY (ge_check_options (ctx, GE_COMPLEX_EIG, options, &method));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &state));
  memset (state, GE_PAGE_DONE, (size_t) g->pages);
  gpueig_general scaled = *g;
  scaled.state = state;
  /* No page is marked: all have been checked.  */
  scaled.symmetric = plain ? NULL : state;
  if (! plain)
    GE_TRY (ge_scale_general (ctx, &scaled, &exponents));
  if (method == GE_METHOD_COMPLEX_GEEV)
    GE_TRY (ge_run (ctx, GE_EIG_GENERAL, GE_METHOD_GENERAL_GEEV, &scaled,
                    options, info));
  else
    GE_TRY (ge_run (ctx, GE_COMPLEX_EIG, method, &scaled, options, info));
  ge_info_extra (info, "fallback_pages",
                 ge_info_value (info, "fallback_pages"));
  const gpueig_status status = check_limits (ctx, g->pages, state, info);
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    GE_TRY (pass_over (ctx, g,
                       g->n * (int64_t) (2 * gpueig_real_size (g->type) + 16),
                       order_page));
  ge_unscale_general (g, exponents);
  return status;
}

static gpueig_status
solve_general (gpueig_context *ctx, const gpueig_general *g,
               const gpueig_options *options, gpueig_info *info)
{
  return solve_general_pages (ctx, g, 0, options, info);
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
  const gpueig_status plain
      = ge_solve_plain (ctx, &g, solve_general_pages, options, info);
  if (plain != GPUEIG_NOT_SYMMETRIC)
    return plain;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g.pages, &hermitian));
  if (g.n > 1)
    GE_TRY (gpueig_find_symmetric (ctx, g.type, g.a, g.n, g.pages, GPUEIG_HOST,
                                   hermitian, &count));
  if (count == 0)
    return solve_general (ctx, &g, options, info);
  GE_TRY (ge_check_general (ctx, &g));
  g.symmetric = hermitian;
  const gpueig_status status
      = ge_eig_mixed (ctx, &g, GE_COMPLEX_EIG, solve_general, options, info);
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

GE_PUBLIC (gpueig_complex_eig, gpueig_general, &ge_layout_general, complex_eig,
           GE_COMPLEX_EIG, ge_always_on_host)

/* --- the CPU's solver --- */

/* Data common to all blocks of a call.  */
typedef struct
{
  gpueig_context *ctx;
  gpueig_status status;
  ge_block_job job;
  int64_t bytes; /* of workspace, for each thread */
  char *space;
  ge_block_report *reports; /* one per thread */
  unsigned char *state;
} blocks;

/* Interrupts are polled between blocks, for a single page between rows of pairs.  */
static void
solve_block (void *data, int64_t i, int thread)
{
  blocks *b = data;
  const int64_t pages = b->job.problem->pages, lanes = b->job.lanes;
  const int64_t first = i * lanes, left = pages - first;
  const gpueig_status status
      = (gpueig_is_double (b->job.problem->type) ? ge_block_run_z
                                                 : ge_block_run_c) (
          pages == 1 ? b->ctx : NULL, &b->job, first,
          (int) (left < lanes ? left : lanes), b->space + thread * b->bytes,
          b->state, &b->reports[thread]);
  if (status != GPUEIG_OK)
    b->status = status;
  if (thread == 0)
    ge_report_pages (b->ctx, "shroff", first, pages);
}

static gpueig_status
run_shroff (gpueig_context *ctx, const gpueig_general *g,
            const gpueig_options *options, gpueig_info *info)
{
  const int64_t pages = g->pages, threads = ge_threads ();
  const int is_double = gpueig_is_double (g->type),
            lanes = GE_BLOCK_LANES (gpueig_real_size (g->type));
  blocks b = { .ctx = ctx, .state = g->state };
  b.job
      = (ge_block_job){ .problem = g,
                        .tol = ge_complex_tol (options, GPUEIG_CPU, is_double),
                        .max_sweeps = ge_complex_sweeps (options, g->n),
                        .limited = options->max_sweeps > 0,
                        .lanes = g->n <= 32 && 2 * pages >= lanes ? lanes : 1 };
  b.bytes
      = (is_double ? ge_block_bytes_z : ge_block_bytes_c) (g->n, b.job.lanes);
  const int64_t count = (pages + b.job.lanes - 1) / b.job.lanes,
                workers = threads < count ? threads : count;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, workers, (size_t) b.bytes, (void **) &b.space));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, workers, &b.reports));
  memset (b.reports, 0, (size_t) workers * sizeof *b.reports);
  GE_TRY (ge_run_pieces (ctx, count, GE_MANY_OPERATIONS, solve_block, &b));
  GE_TRY (b.status);
  ge_report_pages (ctx, "shroff", pages, pages);
  for (int64_t t = 0; t < workers; t++)
    if (b.reports[t].sweeps > info->sweeps)
      info->sweeps = b.reports[t].sweeps;
  for (int i = 0; i < info->sweeps && i < GPUEIG_MAX_HISTORY - 1; i++)
    {
      double off = 0;
      for (int64_t t = 0; t < workers; t++)
        off = ge_larger (b.reports[t].off[i], off);
      ge_info_off (info, off);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_cpu_complex_eig (gpueig_context *ctx, const void *problem,
                    const ge_plan *plan, const gpueig_options *options,
                    gpueig_info *info)
{
  const gpueig_general *g = problem;
  ge_info_method (info, ge_method_name (plan->method));
  if (plan->method != GE_METHOD_COMPLEX_SHROFF)
    return ge_geev_pages (ctx, g, plan->method == GE_METHOD_COMPLEX_QR, NULL,
                          g->pages, g->state);
  return run_shroff (ctx, g, options, info);
}

static double
shroff_arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  const int is_complex = gpueig_is_complex (shape->type);
  const int cuda = backend == GPUEIG_CUDA;
  if (method == GE_METHOD_COMPLEX_SHROFF)
    return cuda ? (is_complex ? 6 : 11) : (is_complex ? 9 : 18);
  return (is_complex ? 2 : 4) + cuda;
}

const ge_solver_entry ge_complex_eig_entry
    = { .id = GE_COMPLEX_EIG,
        .cpu = ge_cpu_complex_eig,
        .layout = &ge_layout_general,
        .describe = ge_describe_general,
        .arrays = shroff_arrays,
        .uses = GE_VALUES,
        .left = page_left,
        .inspect = inspect,
        .next = { { GE_METHOD_COMPLEX_GEEV, GE_LEFT_PAGES | GE_LEFT_CLASS },
                  { GE_METHOD_COMPLEX_QR, GE_LEFT_PAGES } },
        .unchecked = ge_unchecked_general,
        .history_of_all = 1 };
