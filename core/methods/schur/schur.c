/* gpueig_schur, and the solvers on the CPU: LAPACK's and our QR algorithm.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/schur.h"
#include "base/scale_general.h"
#include "base/verify_by_sampling.h"
#include "run/solvers.h"
#include "schur/qr.h"
#include "schur/reorder.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int
schur_arguments (const void *problem, ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_schur_problem *g = problem;
  const size_t size = gpueig_scalar_size (g->type);
  const size_t wide = g->widen ? 2 * gpueig_real_size (g->type) : size;
  const int64_t count = ge_argument_count (g->n, g->n, g->pages);
  argument[0] = GE_OUT (g, s, count, wide);
  argument[1] = GE_OUT (g, u, count, wide);
  argument[2] = GE_IN (g, a, count, size);
  return 3;
}

static int
all_arguments (const void *problem, ge_argument argument[GE_ARGUMENTS])
{
  const int count = schur_arguments (problem, argument);
  argument[count] = argument[count - 1];
  argument[count].offset = offsetof (ge_schur_problem, from_u);
  return count + 1;
}

static const ge_layout layout
    = GE_LAYOUT (ge_schur_problem, schur., all_arguments,
                 .flags = offsetof (ge_schur_problem, state), .flag_size = 1);

/* --- pages --- */

/* Compute the scratch memory of a page, BYTES, of which xGEES uses COUNT scalars.  */
static gpueig_status
scratch_size (gpueig_context *ctx, const void *problem, int own, int64_t *bytes,
              int64_t *count)
{
  const gpueig_schur_problem *g = problem;
  const int64_t sample = GE_SAMPLE_VECTORS * g->n * (int64_t) sizeof (double);
  GE_TRY (GE_BY_TYPE (g->type, ge_gees_size, (ctx, g->n, g->u != NULL, count)));
  *bytes = own ? GE_BY_TYPE (g->type, ge_gees_qr_bytes, (g->n, own))
               : *count * (int64_t) gpueig_scalar_size (g->type);
  *bytes = *bytes > sample ? *bytes : sample;
  return GPUEIG_OK;
}

/* Nonzero if G->s and, unless it is NULL, G->u are a Schur form of G->a up to rounding
   errors.  For rare matrices the errors of xGEES are far larger than usual; then our
   iteration (OWN) solves the page, and its result need not be better than the tests'
   limits.  SPACE: GE_SAMPLE_VECTORS n doubles.  */
static int
is_form (const gpueig_schur_problem *g, int own, double *space)
{
  const double n = (double) g->n, more = own ? 5 : 1;
  const double eps = gpueig_is_double (g->type) ? DBL_EPSILON : FLT_EPSILON;
  ge_moments of_a, of_s;
  ge_sample sample;
  ge_find_moments (g->type, g->n, g->a, &of_a);
  GE_BY_TYPE (g->type, ge_sum_moments, (g->n, g->s, of_a.exponent, &of_s));
  if (! ge_moments_agree (g->type, g->n, &of_a, &of_s)
      || ! (fabs (of_s.norm - of_a.norm)
            <= GE_MOMENTS_LIMIT (n) * eps * of_a.norm))
    return 0;
  if (! g->u)
    return 1;
  ge_sample_form (g->type, g->n, g->a, &of_a, g->s, g->u, space, &sample);
  return sample.residual <= more * (2 * n + 40) * eps
         && sample.orthogonality <= more * (12 * sqrt (n) + 40) * eps;
}

static int
call_gees (const void *problem, const ge_team *team, void *space, int64_t count)
{
  const gpueig_schur_problem *g = problem;
  const int64_t n = g->n;
  memcpy (g->s, g->a, (size_t) (n * n) * gpueig_scalar_size (g->type));
  const int info
      = team ? GE_BY_TYPE (g->type, ge_gees_qr, (team, n, g->s, g->u, space))
             : GE_BY_TYPE (g->type, ge_gees, (n, g->s, g->u, space, count));
  return info == 0 && ! is_form (g, team != NULL, space) ? GE_WRONG_RESULT
                                                         : info;
}

/* Solve the pages by xGEES, or if OWN by our QR algorithm.  The bits of both must not depend on
   the BLAS's threads.  */
static gpueig_status
gees_pages (gpueig_context *ctx, const ge_schur_problem *p, int own)
{
  const gpueig_schur_problem *g = &p->schur;
  static const ge_page_solvers solvers
      = { .layout = &layout, .scratch = scratch_size, .call = call_gees };
  ge_page_loop loop = { .solvers = &solvers,
                        .problem = p,
                        .widest = p,
                        .n = g->n,
                        .own = own,
                        .left = p->state,
                        .detachable = GE_DETACHED_GENERAL,
                        .limit = GE_BLAS_ONE };
  int failed;
  return ge_solve_pages (ctx, &loop, g->pages, &failed);
}

gpueig_status
ge_cpu_schur (gpueig_context *ctx, const void *problem, const ge_plan *plan,
              const gpueig_options *options, gpueig_info *info)
{
  const ge_schur_problem *p = problem;
  (void) options;
  if (p->job)
    return ge_reorder_pages (ctx, p->job->form);
  ge_info_method (info, ge_method_name (plan->method));
  return gees_pages (ctx, p, plan->method == GE_METHOD_SCHUR_QR);
}

/* --- public function --- */

/* Replace G->a by a complex copy.  */
static gpueig_status
widen (gpueig_context *ctx, gpueig_schur_problem *g)
{
  const int64_t count = g->n * g->n * g->pages;
  const int is_double = gpueig_is_double (g->type);
  void *wide;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, count, 2 * gpueig_real_size (g->type), &wide));
  ge_to_complex (g->type, count, g->a, wide);
  g->type = is_double ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
  g->a = wide;
  return GPUEIG_OK;
}

/* Page I is that of 2^-EXPONENT A.  */
static gpueig_status
unscale_page (gpueig_context *ctx, const gpueig_schur_problem *g, int64_t i,
              int exponent)
{
  const int64_t square = g->n * g->n;
  const size_t size = gpueig_scalar_size (g->type);
  const size_t bytes = (size_t) square * size;
  void *const x[]
      = { ge_page (g->s, i, square, size), ge_page (g->u, i, square, size) };
  void *host[2];
  const int mark = ge_mark (ctx);
  for (int k = 0; k < 2; k++)
    GE_TRY (ge_to_host (ctx, g->place, x[k], bytes, &host[k]));
  GE_BY_TYPE (g->type, ge_schur_scaled, (g->n, -exponent, host[0], host[1]));
  for (int k = 0; k < 2; k++)
    GE_TRY (ge_from_host (ctx, g->place, x[k], bytes, host[k]));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

static gpueig_status
schur (gpueig_context *ctx, const void *problem, const gpueig_options *options,
       gpueig_info *info)
{
  ge_schur_problem p = { .schur = *(const gpueig_schur_problem *) problem };
  gpueig_schur_problem *g = &p.schur;
  int *exponents;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_SCHUR, options, &method));
  gpueig_general general = { .type = g->type,
                             .n = g->n,
                             .pages = g->pages,
                             .a = g->a,
                             .lambda = g->s,
                             .place = g->place };
  GE_TRY (ge_check_general_sizes (ctx, &general));
  GE_TRY (ge_check_region (ctx, g->order));
  ge_info_method (info, "gees");
  if (g->n == 0 || g->pages == 0)
    return GPUEIG_OK;
  if (g->widen && ! gpueig_is_complex (g->type))
    GE_TRY (widen (ctx, g));
  general.type = g->type;
  general.a = g->a;
  GE_TRY (ge_scale_general (ctx, &general, &exponents));
  g->a = general.a;
  GE_TRY (ge_run (ctx, GE_SCHUR, method, &p, options, info));
  for (int64_t i = 0; exponents && i < g->pages; i++)
    if (exponents[i])
      GE_TRY (unscale_page (ctx, g, i, exponents[i]));
  if (g->order == GPUEIG_SCHUR_ANY)
    return GPUEIG_OK;
  const gpueig_ordschur_problem sorted = { .type = g->type,
                                           .n = g->n,
                                           .pages = g->pages,
                                           .s = g->s,
                                           .u = g->u,
                                           .order = g->order,
                                           .s_sorted = g->s,
                                           .u_sorted = g->u };
  gpueig_options same = *options;
  gpueig_info of_order;
  same.max_sweeps = 0;
  ge_info_begin (&of_order);
  GE_TRY (ge_reorder_somewhere (ctx, &sorted, &same, &of_order));
  info->time_solve += of_order.time_solve;
  return GPUEIG_OK;
}

static int
schur_on_host (const void *given, const gpueig_options *options)
{
  const gpueig_schur_problem *problem = given;
  (void) options;
  return problem->order != GPUEIG_SCHUR_ANY
         || (problem->widen && ! gpueig_is_complex (problem->type));
}

static const ge_layout given
    = GE_LAYOUT (gpueig_schur_problem, , schur_arguments);

GE_PUBLIC (gpueig_schur, gpueig_schur_problem, &given, schur, GE_SCHUR,
           schur_on_host)

/* --- the entry in the table of solvers --- */

static void
describe_schur (const void *problem, ge_shape *shape)
{
  const gpueig_schur_problem *g = &((const ge_schur_problem *) problem)->schur;
  *shape = (ge_shape){
    .type = g->type, .n = g->n, .pages = g->pages, .outputs = g->u != NULL
  };
}

static double
schur_arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  if (backend == GPUEIG_CUDA || ge_is_detached (shape->n, GE_DETACHED_GENERAL))
    return 1 + (shape->outputs > 0);
  return method == GE_METHOD_SCHUR_QR ? 1 : 0;
}

const ge_solver_entry ge_schur_entry
    = { .id = GE_SCHUR,
        .cpu = ge_cpu_schur,
        .layout = &layout,
        .describe = describe_schur,
        .arrays = schur_arrays,
        .next = { { GE_METHOD_SCHUR_GEES, GE_LEFT_PAGES },
                  { GE_METHOD_SCHUR_QR, GE_LEFT_PAGES } } };
