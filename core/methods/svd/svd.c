/* gpueig_svd, and the CPU's solver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "svd/svd.h"
#include "run/solvers.h"

#include <math.h>
#include <string.h>

enum
{
  /* Pages for SIMD lanes: their shorter side, their elements, their longer side where it
     has to be completed to a square matrix.  */
  LANE_ORDER = 64,
  LANE_ELEMENTS = 8192,
  LANE_SQUARE = 64,
  MOST_GRAM = 30000, /* shorter side, for LAPACK's integers */
  /* Smaller pages are solved by the Gram matrix if the quotient of the sides is this or
     more.  */
  TALL = 2
};

static ge_svd_page
page_at (const gpueig_svd_problem *p, int64_t page)
{
  const size_t size = gpueig_scalar_size (p->type);
  return (ge_svd_page){
    .a = ge_page (p->a, page, p->m * p->n, size),
    .s = ge_page (p->s, page, ge_svd_values (p), gpueig_real_size (p->type)),
    .u = ge_page (p->u, page, p->m * ge_svd_columns (p, p->m), size),
    .v = ge_page (p->v, page, p->n * ge_svd_columns (p, p->n), size)
  };
}

static int
svd_arguments (const void *problem, ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_svd_problem *g = problem;
  const size_t size = gpueig_scalar_size (g->type);
  argument[0]
      = GE_OUT (g, s, ge_argument_count (ge_svd_values (g), 1, g->pages),
                gpueig_real_size (g->type));
  argument[1] = GE_OUT (
      g, u, ge_argument_count (g->m, ge_svd_columns (g, g->m), g->pages), size);
  argument[2] = GE_OUT (
      g, v, ge_argument_count (g->n, ge_svd_columns (g, g->n), g->pages), size);
  argument[3] = GE_IN (g, a, ge_argument_count (g->m, g->n, g->pages), size);
  return 4;
}

static const ge_layout layout
    = GE_LAYOUT (ge_svd_problem, svd., svd_arguments,
                 .flags = offsetof (ge_svd_problem, state), .flag_size = 1);

/* A page takes as long as a square one of this order, with as many operations.  */
static int64_t
order_of (const gpueig_svd_problem *p)
{
  return (
      int64_t) (cbrt ((double) p->m * (double) p->n * (double) ge_svd_short (p))
                + 0.5);
}

/* --- LAPACK --- */

static gpueig_status
page_bytes (gpueig_context *ctx, const void *problem, int own, int64_t *bytes,
            int64_t *count)
{
  const ge_svd_problem *p = problem;
  const gpueig_svd_problem *g = &p->svd;
  (void) own;
  *count = 0;
  GE_TRY (GE_BY_TYPE (g->type, ge_svd_lapack_bytes, (ctx, p, bytes)));
  if (p->gram)
    {
      const int64_t other = GE_BY_TYPE (g->type, ge_svd_gram_bytes, (g));
      *bytes = other > *bytes ? other : *bytes;
    }
  return GPUEIG_OK;
}

/* Returns a ge_svd_outcome.  */
static int
call_lapack (const void *problem, const ge_team *team, void *space,
             int64_t count)
{
  const ge_svd_problem *p = problem;
  const gpueig_type type = p->svd.type;
  const ge_svd_page page = page_at (&p->svd, 0);
  (void) team;
  (void) count;
  if (p->gram && GE_BY_TYPE (type, ge_svd_gram, (&p->svd, page, space)))
    return GE_SVD_DONE;
  return (int) GE_BY_TYPE (type, ge_svd_lapack, (p, page, space));
}

/* Solve a large page by the Gram matrix with all threads, or by LAPACK.  */
static gpueig_status
solve_svd_page (const ge_page_place *at, const void *problem, int *failed)
{
  ge_svd_problem one = *(const ge_svd_problem *) problem;
  _Atomic (int) *fell_back = at->loop->data;
  int solved = 0;
  if (at->ctx && one.gram)
    GE_TRY (GE_BY_TYPE (one.svd.type, ge_svd_large_gram,
                        (at->ctx, &one.svd, page_at (&one.svd, 0), &solved)));
  *failed = 0;
  if (solved)
    return GPUEIG_OK;
  if (at->ctx)
    one.gram = 0;
  GE_TRY (ge_solve_page (at, &one, failed));
  if (*failed == GE_SVD_FELL_BACK)
    *fell_back = 1;
  *failed = *failed == GE_SVD_FAILED;
  return GPUEIG_OK;
}

static gpueig_status
lapack_pages (gpueig_context *ctx, const ge_svd_problem *p, gpueig_info *info)
{
  static const ge_page_solvers solvers
      = { .layout = &layout, .scratch = page_bytes, .call = call_lapack };
  _Atomic (int) fell_back = 0;
  ge_page_loop loop = { .solvers = &solvers,
                        .problem = p,
                        .widest = p,
                        .n = order_of (&p->svd),
                        .left = p->state,
                        .step = solve_svd_page,
                        .data = &fell_back,
                        .detachable = GE_DETACHED_SVD,
                        .limit = GE_BLAS_ALL };
  int failed;
  GE_TRY (ge_solve_pages (ctx, &loop, p->svd.pages, &failed));
  if (fell_back)
    ge_info_part (info,
                  p->high || ge_svd_by_bidiagonal_form (p) ? "gesdd" : "gesvd");
  return GPUEIG_OK;
}

/* --- SIMD lanes --- */

typedef struct
{
  const ge_svd_problem *problem;
  int64_t lanes, bytes;
  char *space;
  int *sweeps; /* one per thread */
} lanes_work;

static void
solve_group (void *data, int64_t i, int thread)
{
  const lanes_work *w = data;
  const gpueig_svd_problem *p = &w->problem->svd;
  const int64_t first = i * w->lanes;
  const int64_t count
      = p->pages - first < w->lanes ? p->pages - first : w->lanes;
  GE_BY_TYPE (p->type, ge_svd_group,
              (w->problem, first, count, w->space + thread * w->bytes,
               &w->sweeps[thread]));
}

static gpueig_status
solve_in_lanes (gpueig_context *ctx, const ge_svd_problem *p, gpueig_info *info)
{
  const gpueig_svd_problem *g = &p->svd;
  const int threads = ge_threads ();
  lanes_work w = { .problem = p,
                   .lanes = GE_BY_TYPE (g->type, ge_svd_lanes, ()),
                   .bytes = GE_BY_TYPE (g->type, ge_svd_lanes_bytes, (p)) };
  const int64_t groups = (g->pages + w.lanes - 1) / w.lanes;
  const double operations
      = 10 * (double) (g->m * g->n * ge_svd_short (g) * g->pages);
  GE_TRY (
      ge_alloc (ctx, GE_HOST, w.bytes, (size_t) threads, (void **) &w.space));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads, &w.sweeps));
  memset (w.sweeps, 0, (size_t) threads * sizeof *w.sweeps);
  GE_TRY (ge_run_pieces (ctx, groups, operations, solve_group, &w));
  for (int t = 0; t < threads; t++)
    info->sweeps = w.sweeps[t] > info->sweeps ? w.sweeps[t] : info->sweeps;
  return GPUEIG_OK;
}

static int
fits_lanes (const ge_svd_problem *p)
{
  const gpueig_svd_problem *g = &p->svd;
  return ! p->high && ge_svd_short (g) <= LANE_ORDER
         && g->m * g->n <= LANE_ELEMENTS
         && (! g->full || ge_svd_long (g) <= LANE_SQUARE);
}

gpueig_status
ge_cpu_svd (gpueig_context *ctx, const void *problem, const ge_plan *plan,
            const gpueig_options *options, gpueig_info *info)
{
  ge_svd_problem p = *(const ge_svd_problem *) problem;
  (void) options;
  ge_info_method (info, ge_method_name (plan->method));
  if (plan->method == GE_METHOD_SVD_JACOBI && fits_lanes (&p))
    return solve_in_lanes (ctx, &p, info);
  p.high |= plan->method == GE_METHOD_SVD_JACOBI;
  /* Pages that a GPU left (STATE) need more than the Gram matrix.  */
  p.gram = ! p.high && ! p.state[0] && p.svd.u
           && (ge_is_detached (order_of (&p.svd), GE_DETACHED_SVD)
               || ge_svd_long (&p.svd) >= TALL * ge_svd_short (&p.svd))
           && ge_svd_short (&p.svd) <= MOST_GRAM
           && ge_svd_long (&p.svd) * (ge_svd_short (&p.svd) / 4 + 2) < INT32_MAX
           && ! (p.svd.full && p.svd.m != p.svd.n);
  return lapack_pages (ctx, &p, info);
}

/* --- public function --- */

static gpueig_status
check_svd (gpueig_context *ctx, const gpueig_svd_problem *p)
{
  const int64_t k = ge_svd_short (p);
  int64_t count;
  if ((unsigned) p->type > GPUEIG_COMPLEX_DOUBLE)
    return gpueig_fail (ctx, GPUEIG_WRONG_TYPE, "unknown scalar type %d",
                        (int) p->type);
  if (p->m < 0 || p->n < 0 || p->pages < 0)
    return gpueig_fail (
        ctx, GPUEIG_BAD_ARGUMENT, "negative size: %lld-by-%lld, %lld pages",
        (long long) p->m, (long long) p->n, (long long) p->pages);
  GE_TRY (ge_multiply (ctx, ge_svd_long (p), p->full ? ge_svd_long (p) : k,
                       &count));
  GE_TRY (ge_multiply (ctx, count, p->pages, &count));
  GE_TRY (ge_multiply (ctx, count, 16, &count));
  if ((p->first != 0 || p->last != 0)
      && (p->first < 1 || p->last < p->first || p->last > k || p->full))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "there are no singular values %lld to %lld of %lld, "
                        "or U and V are to be square",
                        (long long) p->first, (long long) p->last,
                        (long long) k);
  if (! p->u != ! p->v)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "u or v alone is NULL");
  if (k > 0 && p->pages > 0 && (! p->a || ! p->s))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "a or s is NULL");
  return GPUEIG_OK;
}

/* Set U and V of pages without elements to the identity.  */
static void
set_identity_vectors (const gpueig_svd_problem *p)
{
  const size_t size = gpueig_scalar_size (p->type);
  const double one = 1;
  const float single = 1;
  char *const x[] = { p->u, p->v };
  const int64_t rows[] = { p->m, p->n };
  for (int k = 0; k < 2; k++)
    for (int64_t i = 0; x[k] && p->full && i < rows[k] * rows[k] * p->pages;
         i++)
      {
        char *at = x[k] + (size_t) i * size;
        memset (at, 0, size);
        if (i % (rows[k] * rows[k]) % (rows[k] + 1) == 0)
          memcpy (at,
                  gpueig_is_double (p->type) ? (const void *) &one : &single,
                  gpueig_real_size (p->type));
      }
}

/* A GPU leaves pages that are not finite; A is copied only for their message.  */
static gpueig_status
check_data (gpueig_context *ctx, const void *problem, gpueig_info *info)
{
  const ge_svd_problem *p = problem;
  const gpueig_svd_problem *g = &p->svd;
  const int64_t count = g->m * g->n;
  const size_t bytes = (size_t) count * gpueig_scalar_size (g->type);
  char *const a = ge_page (g->a, 0, 0, 1);
  const int mark = ge_mark (ctx);
  void *page, *all;
  for (int64_t i = 0; g->place == GPUEIG_DEVICE && i < g->pages; i++)
    {
      if (! p->state[i])
        continue;
      GE_TRY (ge_to_host (ctx, g->place, a + (size_t) i * bytes, bytes, &page));
      if (ge_find_nonfinite (ctx, g->type, page, count) >= 0)
        {
          GE_TRY (
              ge_to_host (ctx, g->place, a, (size_t) g->pages * bytes, &all));
          ge_info_begin (info); /* as before the call of a GPU */
          ge_info_method (info, "gesdd");
          return ge_check_finite (ctx, g->type, all, g->m, g->n, g->pages, "A");
        }
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}

static gpueig_status
svd (gpueig_context *ctx, const void *problem, const gpueig_options *options,
     gpueig_info *info)
{
  ge_svd_problem p = { .svd = *(const gpueig_svd_problem *) problem,
                       .high = options->high_accuracy };
  const gpueig_svd_problem *g = &p.svd;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_SVD, options, &method));
  GE_TRY (check_svd (ctx, g));
  if (p.high && method != GE_AUTO && method != GE_METHOD_SVD_JACOBI)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "high accuracy goes with the methods \"auto\" and "
                        "\"jacobi\", not with \"%s\"",
                        options->method);
  ge_info_method (info, "gesdd");
  if (ge_svd_short (g) == 0 || g->pages == 0)
    {
      set_identity_vectors (g);
      return GPUEIG_OK;
    }
  if (g->place == GPUEIG_HOST)
    GE_TRY (ge_check_finite (ctx, g->type, g->a, g->m, g->n, g->pages, "A"));
  return ge_run (ctx, GE_SVD, method, &p, options, info);
}

static const ge_layout given = GE_LAYOUT (gpueig_svd_problem, , svd_arguments);

GE_PUBLIC (gpueig_svd, gpueig_svd_problem, &given, svd, GE_SVD, NULL)

/* --- the entry in the table of solvers --- */

static void
describe_svd (const void *problem, ge_shape *shape)
{
  const gpueig_svd_problem *g = &((const ge_svd_problem *) problem)->svd;
  *shape = (ge_shape){ .type = g->type,
                       .n = order_of (g),
                       .pages = g->pages,
                       .outputs = g->u != NULL };
}

static double
svd_arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  if (backend == GPUEIG_CUDA)
    return method == GE_METHOD_SVD_GRAM ? 9
           : shape->n < 12              ? 0
                                        : 7 + ge_cuda_stack_arrays (shape->n);
  return ! ge_is_detached (shape->n, GE_DETACHED_SVD) ? 0
         : shape->outputs                             ? 10
                                                      : 2;
}

const ge_solver_entry ge_svd_entry
    = { .id = GE_SVD,
        .cpu = ge_cpu_svd,
        .layout = &layout,
        .describe = describe_svd,
        .arrays = svd_arrays,
        .next = { { GE_METHOD_SVD_GESDD, GE_LEFT_PAGES },
                  { GE_METHOD_SVD_JACOBI, GE_LEFT_PAGES } },
        .check_data = check_data };
