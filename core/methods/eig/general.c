/* gpueig_eig_general, stacks with symmetric pages and definite pairs, and the solvers on the
   CPU: LAPACK's, also of pairs, and our QR algorithm.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/general.h"
#include "base/checks.h"
#include "base/verify_by_sampling.h"
#include "run/solvers.h"

#include <string.h>

/* --- stacks with symmetric pages: class 1; their eigenvalues are real, and W is V --- */

typedef struct
{
  const gpueig_general *g;
  const char *lambda, *v;
  const int *indefinite; /* pairs without a result, or NULL */
} symmetric_results;

static void
put_page (void *data, int64_t p, int thread)
{
  const symmetric_results *r = data;
  const gpueig_general *g = r->g;
  const size_t size = gpueig_scalar_size (g->type),
               real = gpueig_real_size (g->type);
  const int64_t n = g->n;
  void *const out[2] = { ge_page (g->v, p, n * n, 2 * real),
                         ge_page (g->w, p, n * n, 2 * real) };
  (void) thread;
  if (r->indefinite && r->indefinite[p])
    return;
  ge_to_complex (gpueig_is_double (g->type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT, n,
                 ge_page (r->lambda, p, n, real),
                 ge_page (g->lambda, p, n, 2 * real));
  for (int i = 0; i < 2; i++)
    if (out[i])
      ge_to_complex (g->type, n * n, ge_page (r->v, p, n * n, size), out[i]);
}

/* Solve G, which is symmetric; limits of sweeps are those of other methods.  INDEFINITE: of
   pairs, see gpueig_symmetric.  */
static gpueig_status
solve_symmetric (gpueig_context *ctx, const gpueig_general *g, int *indefinite,
                 const gpueig_options *given, gpueig_info *info)
{
  gpueig_options options = *given;
  options.method = "auto";
  options.tol = 0;
  options.max_sweeps = 0;
  symmetric_results r = { .g = g, .indefinite = indefinite };
  gpueig_symmetric s = { .type = g->type,
                         .n = g->n,
                         .pages = g->pages,
                         .a = g->a,
                         .b = g->b,
                         .indefinite = indefinite,
                         .symmetric = 1 };
  GE_TRY (ge_alloc (ctx, GE_HOST, g->n * g->pages, gpueig_real_size (g->type),
                    &s.lambda));
  if (g->v || g->w)
    GE_TRY (ge_alloc (ctx, GE_HOST, g->n * g->n * g->pages,
                      gpueig_scalar_size (g->type), &s.v));
  GE_TRY (gpueig_eig_symmetric (ctx, &s, &options, info));
  r.lambda = s.lambda;
  r.v = s.v;
  ge_share_pages (ctx, g->n * g->n, g->pages, put_page, &r);
  return GPUEIG_OK;
}

/* The call of which a class is solved.  */
typedef struct
{
  ge_general_call *solve; /* the other pages */
  int alone;
  const gpueig_options *options;
} general_call;

static gpueig_status
solve_class (gpueig_context *ctx, const ge_classes *c, int symmetric,
             const void *some, const int64_t *list, gpueig_info *info)
{
  static const gpueig_options cpu = { .backend = GPUEIG_CPU };
  const general_call *call = c->data;
  gpueig_general g = *(const gpueig_general *) some;
  gpueig_general one;
  ge_problem all;
  gpueig_info unused;
  (void) list;
  g.symmetric = NULL;
  if (! symmetric)
    return call->solve (ctx, &g, call->options, info);
  if (! call->alone || g.pages == c->pages)
    return solve_symmetric (ctx, &g, NULL, call->options, info);
  ge_make_problem (ctx, c->layout, &g, GE_HOST, &all);
  for (int64_t p = 0; p < g.pages; p++)
    {
      const int mark = ge_mark (ctx);
      GE_TRY (ge_check_interrupt (ctx));
      ge_view_page (&all, p, &one);
      GE_TRY (solve_symmetric (ctx, &one, NULL, &cpu, &unused));
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_eig_mixed (gpueig_context *ctx, const gpueig_general *g, ge_solver_id id,
              ge_general_call *solve, const gpueig_options *options,
              gpueig_info *info)
{
  const general_call call = { solve, id == GE_COMPLEX_EIG, options };
  ge_classes c = { .layout = &ge_layout_general,
                   .problem = g,
                   .pages = g->pages,
                   .solve = solve_class,
                   .data = &call };
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &c.class_of));
  for (int64_t p = 0; p < g->pages; p++)
    c.class_of[p] = g->symmetric[p] != 0;
  return ge_solve_classes (ctx, &c, id, info);
}

/* Pairs that are not definite become class 0.  */
static gpueig_status
solve_definite (gpueig_context *ctx, const ge_classes *c, int which,
                const void *some, const int64_t *list, gpueig_info *info)
{
  const gpueig_general *g = some;
  int *indefinite;
  (void) which;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &indefinite));
  memset (indefinite, 0, (size_t) g->pages * sizeof *indefinite);
  GE_TRY (solve_symmetric (ctx, g, indefinite, c->data, info));
  for (int64_t k = 0; k < g->pages; k++)
    c->class_of[list[k]] = ! indefinite[k];
  return GPUEIG_OK;
}

/* Definite pairs among those that are marked by gpueig_eig_symmetric, the others by xGGEV, or our
   QR algorithm where that fails.  */
static gpueig_status
solve_pairs (gpueig_context *ctx, const gpueig_general *g,
             const gpueig_options *options, gpueig_info *info)
{
  int64_t rest = 0, failed = 0, *others;
  unsigned char *left;
  ge_classes c = { .layout = &ge_layout_general,
                   .problem = g,
                   .pages = g->pages,
                   .solve = solve_definite,
                   .data = options };
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &c.class_of));
  for (int64_t p = 0; p < g->pages; p++)
    c.class_of[p] = g->symmetric && g->symmetric[p];
  GE_TRY (ge_solve_class (ctx, &c, 1, info));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &others));
  for (int64_t p = 0; p < g->pages; p++)
    if (! c.class_of[p])
      others[rest++] = p;
  if (rest == g->pages)
    ge_info_begin (info);
  if (rest == 0)
    return GPUEIG_OK;
  const double start = ge_now ();
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &left));
  GE_TRY (ge_geev_pages (ctx, g, 0, others, rest, left));
  for (int64_t k = 0; k < rest; k++)
    if (left[others[k]])
      others[failed++] = others[k];
  if (failed > 0)
    {
      GE_TRY (ge_geev_pages (ctx, g, 1, others, failed, NULL));
      ge_info_part (info, ge_method_name (GE_METHOD_GENERAL_QR));
    }
  info->time_solve += ge_now () - start;
  ge_info_method (info, rest < g->pages ? "auto" : "qz");
  return GPUEIG_OK;
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
  return solve_pairs (ctx, problem, options, info);
}

/* --- the public function --- */

/* Problems without B whose pages are not marked; PLAIN: ge_run must check that they need
   nothing.  */
static gpueig_status
eig_pages (gpueig_context *ctx, const gpueig_general *problem, int plain,
           const gpueig_options *options, gpueig_info *info)
{
  ge_method method;
  unsigned char *state;
  int *exponents = NULL;
  GE_TRY (ge_check_options (ctx, GE_EIG_GENERAL, options, &method));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, problem->pages, &state));
  memset (state, 0, (size_t) problem->pages);
  gpueig_general scaled = *problem;
  scaled.state = state;
  /* No page is marked: all have been checked.  */
  scaled.symmetric = plain ? NULL : state;
  if (! plain)
    GE_TRY (ge_scale_general (ctx, &scaled, &exponents));
  GE_TRY (ge_run (ctx, GE_EIG_GENERAL, method, &scaled, options, info));
  ge_unscale_general (problem, exponents);
  return ge_ran (info, GE_METHOD_GENERAL_GEEV)
             ? ge_order_scaled (ctx, problem, exponents)
             : GPUEIG_OK;
}

static gpueig_status
eig_general (gpueig_context *ctx, const void *given,
             const gpueig_options *options, gpueig_info *info)
{
  const gpueig_general *problem = given;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_EIG_GENERAL, options, &method));
  GE_TRY (ge_check_general_sizes (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    return GPUEIG_OK;
  if (! problem->b && ! (problem->symmetric && method == GE_AUTO))
    {
      const gpueig_status status
          = ge_solve_plain (ctx, problem, eig_pages, options, info);
      return status == GPUEIG_NOT_SYMMETRIC
                 ? eig_pages (ctx, problem, 0, options, info)
                 : status;
    }
  GE_TRY (ge_check_general (ctx, problem));
  if (problem->b)
    return eig_pairs (ctx, problem, method, options, info);
  GE_TRY (ge_eig_mixed (ctx, problem, GE_EIG_GENERAL, gpueig_eig_general,
                        options, info));
  ge_info_method (info, "auto");
  return GPUEIG_OK;
}

static int
on_host (const void *given, const gpueig_options *options)
{
  const gpueig_general *problem = given;
  return problem->b
         || (problem->symmetric
             && ge_find_method (GE_EIG_GENERAL, options->method) == GE_AUTO);
}

GE_PUBLIC (gpueig_eig_general, gpueig_general, &ge_layout_general, eig_general,
           GE_EIG_GENERAL, on_host)

/* --- one page --- */

static gpueig_status
scratch_size (gpueig_context *ctx, const void *problem, int own, int64_t *bytes,
              int64_t *lwork)
{
  const gpueig_general *g = problem;
  const int left = g->w != NULL, right = g->v != NULL;
  GE_TRY (GE_BY_TYPE (g->type, ge_geevx_size,
                      (ctx, g->n, g->b != NULL, left, right, bytes, lwork)));
  if (own)
    *bytes = GE_BY_TYPE (g->type, ge_qr_bytes, (g->n, left, right, own));
  *bytes += g->b ? GE_BY_TYPE (g->type, ge_qz_bytes, (g->n))
                 : GE_GEEV_SPACE * g->n * (int64_t) sizeof (double);
  return GPUEIG_OK;
}

/* LAPACK's results are verified, and the eigenvalues of our own solver of one matrix.  */
static int
call_solver (const void *problem, const ge_team *team, void *space,
             int64_t lwork)
{
  const gpueig_general *one = problem;
  if (one->b)
    return GE_BY_TYPE (one->type, ge_qz_page,
                       (team, one->n, one->a, one->b, one->lambda, one->v,
                        one->w, space, (int) lwork));
  const int info
      = team ? GE_BY_TYPE (one->type, ge_qr_page,
                           (team, one->n, one->a, one->balance, one->lambda,
                            one->v, one->w, space))
             : GE_BY_TYPE (one->type, ge_geevx,
                           (one->n, one->a, NULL, one->balance, one->lambda,
                            one->v, one->w, space, (int) lwork));
  if (info != 0)
    return info;
  const int right = ge_are_eigenvalues (one->type, one->n, one->a, one->lambda)
                    && (team
                        || GE_BY_TYPE (one->type, ge_are_geev_vectors,
                                       (one->n, one->a, one->balance,
                                        one->lambda, one->v, one->w, space)));
  return right ? 0 : GE_WRONG_RESULT;
}

static const ge_page_solvers solvers = { .layout = &ge_layout_general,
                                         .scratch = scratch_size,
                                         .call = call_solver };

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
  const int64_t square = g->n * g->n;
  const int exponent = ge_largest_exponent (
      NULL, g->type, square,
      ge_page (g->a, p, square, gpueig_scalar_size (g->type)));
  return exponent < least || exponent >= range;
}

/* Order the results of ONE, which has the matrix before the scaling.  */
static gpueig_status
order_page (const ge_page_place *at, const void *page, int *failed)
{
  const gpueig_general *one = page;
  const size_t column = (size_t) one->n * 2 * gpueig_real_size (one->type);
  gpueig_general values = *one;
  values.lambda = at->more;
  values.v = values.w = NULL;
  GE_TRY (ge_solve_page (at, &values, failed));
  if (! *failed)
    GE_BY_TYPE (one->type, ge_order_like,
                (one->n, values.lambda, one->lambda, one->v, one->w,
                 at->more + 2 * column));
  *failed = 0;
  return GPUEIG_OK;
}

/* --- all pages --- */

/* STEP, or NULL, on pages LIST[0 .. COUNT - 1] of G.  LEFT: see ge_page_loop.  */
static gpueig_status
for_pages (gpueig_context *ctx, const gpueig_general *g, int own,
           ge_page_step *step, const int64_t *list, int64_t count,
           unsigned char *left)
{
  gpueig_general widest = *g;
  ge_page_loop loop
      = { .solvers = &solvers,
          .problem = g,
          .widest = &widest,
          .n = g->n,
          .own = own,
          .left = left,
          .step = step,
          .list = list,
          .detachable = g->b ? GE_DETACHED_PAIR : GE_DETACHED_GENERAL,
          .limit = own ? GE_BLAS_ONE : ge_blas_limit_of (g->n) };
  int failed;
  if (step)
    {
      /* order_page needs no vectors, ge_solve_balanced may need both kinds.  */
      const int values = step == order_page;
      widest.v = widest.w = values ? NULL : g->lambda;
      if (values || ! ge_is_detached (g->n, GE_DETACHED_GENERAL))
        loop.step_bytes = ge_balanced_bytes (g, values);
    }
  GE_TRY (ge_solve_pages (ctx, &loop, count, &failed));
  return ge_solved_pages (ctx, failed, g->b ? "QZ" : "QR");
}

gpueig_status
ge_geev_pages (gpueig_context *ctx, const gpueig_general *problem, int own,
               const int64_t *list, int64_t count, unsigned char *left)
{
  return for_pages (ctx, problem, own,
                    problem->b || ! problem->balance ? NULL : ge_solve_balanced,
                    list, count, left);
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
  return count > 0 ? for_pages (ctx, problem, 0, order_page, list, count, NULL)
                   : GPUEIG_OK;
}

gpueig_status
ge_cpu_eig_general (gpueig_context *ctx, const void *problem,
                    const ge_plan *plan, const gpueig_options *options,
                    gpueig_info *info)
{
  const gpueig_general *g = problem;
  (void) options;
  ge_info_method (info, ge_method_name (plan->method));
  return ge_geev_pages (ctx, g, plan->method == GE_METHOD_GENERAL_QR, NULL,
                        g->pages, g->state);
}

static double
arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  (void) method;
  if (backend == GPUEIG_CUDA)
    return shape->outputs == 0 ? 1 : gpueig_is_complex (shape->type) ? 3 : 5;
  return gpueig_is_complex (shape->type) ? 1.5 : 3;
}

const ge_solver_entry ge_eig_general_entry
    = { .id = GE_EIG_GENERAL,
        .cpu = ge_cpu_eig_general,
        .layout = &ge_layout_general,
        .describe = ge_describe_general,
        .arrays = arrays,
        .uses = GE_VALUES,
        .next = { { GE_METHOD_GENERAL_GEEV, GE_LEFT_PAGES },
                  { GE_METHOD_GENERAL_QR, GE_LEFT_PAGES } },
        .unchecked = ge_unchecked_general };
