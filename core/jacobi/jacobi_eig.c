/* gpueig_jacobi_eig: two-sided Jacobi for symmetric and Hermitian matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "jacobi/jacobi.h"
#include "run/solvers.h"

#include <float.h>

/* Orders up to SMALL: one thread per page.  */
enum
{
  SMALL = GE_JACOBI_PAIR
};

/* The largest off (X'AX) / |A| of a guess X that saves time: for random matrices one step
   is then enough, and two are where one window holds a real matrix; more cost what
   eigenvectors do.  In units of the square root of the rounding unit, because a step
   squares the error.  */
static double
close_guess (const gpueig_symmetric *s)
{
  const int is_small = s->n <= SMALL && ! gpueig_is_complex (s->type);
  return sqrt (gpueig_is_double (s->type) ? DBL_EPSILON : FLT_EPSILON)
         * (is_small ? 1 : 0.25);
}

/* --- public function --- */

/* The number of pages of doubles with positive diagonal elements of which the smallest
   are subnormal numbers where the largest do not overflow: they have no high
   accuracy.  */
static int64_t
pages_out_of_range (const gpueig_symmetric *s)
{
  int64_t count = 0;
  for (int64_t p = 0; p < s->pages && gpueig_is_double (s->type); p++)
    {
      const ge_diagonal d = ge_diagonal_of (s, p);
      if (d.least > 0)
        count += ge_jacobi_exceeds (
            1, d.least * ge_jacobi_scale (1, s->n, d.most, 1));
    }
  return count;
}

static gpueig_status
jacobi_eig (gpueig_context *ctx, const void *given,
            const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *problem = given;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_JACOBI_EIG, options, &method));
  /* On a GPU high accuracy is that of "preconditioned".  */
  if (options->high_accuracy && ! problem->b && method != GE_AUTO
      && method != GE_METHOD_JACOBI_BLOCK
      && ! (method == GE_METHOD_JACOBI_PRECONDITIONED
            && options->backend == GPUEIG_CUDA))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "high accuracy goes with the methods \"auto\" and "
                        "\"block\", not with \"%s\"",
                        options->method);
  GE_TRY (ge_check_symmetric (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    return GPUEIG_OK;
  if (ctx->on_device && (problem->b || options->high_accuracy))
    return ge_need_host (ctx);
  if (problem->b)
    return ge_jacobi_pairs (ctx, problem, method, options, info);
  const gpueig_status status
      = ge_run_high (ctx, GE_JACOBI_EIG, method, problem, options, info);
  if (status == GPUEIG_OK && ! options->high_accuracy)
    return ge_sort_pages (ctx, problem);
  if (options->high_accuracy && ge_ran (info, GE_METHOD_JACOBI_BLOCK))
    {
      const int64_t outside = pages_out_of_range (problem);
      ge_info_extra (info, "normal_accuracy", (double) outside);
      if (outside > 0)
        ge_info_fallback (info, info->method);
    }
  return status;
}

gpueig_status
gpueig_jacobi_eig (gpueig_context *ctx, const gpueig_symmetric *problem,
                   const gpueig_options *options, gpueig_info *info)
{
  static const ge_placed placed = GE_PLACED_SYMMETRIC (jacobi_eig);
  return ge_call_placed (ctx, &placed, problem, options, info);
}

/* --- CPU backend --- */

static ge_jacobi_method
choose_method (ge_method method, const gpueig_options *options,
               gpueig_info *info)
{
  if (method == GE_METHOD_JACOBI_CLASSICAL)
    {
      ge_info_method (info, "classical");
      return GE_JACOBI_CLASSICAL;
    }
  if (! options->high_accuracy && method == GE_METHOD_JACOBI_PRECONDITIONED)
    {
      ge_info_method (info, "preconditioned");
      return GE_JACOBI_REFINE;
    }
  ge_info_method (info, "block");
  return GE_JACOBI_CYCLIC;
}

gpueig_status
ge_cpu_jacobi_eig (gpueig_context *ctx, const void *problem,
                   const ge_plan *plan, const gpueig_options *options,
                   gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  size_t size = gpueig_scalar_size (s->type), real = gpueig_real_size (s->type);
  int64_t n = s->n;
  gpueig_status result = GPUEIG_OK;
  ge_jacobi_control control = ge_jacobi_read_options (options, s->type);
  ge_jacobi_method method = choose_method (plan->method, options, info);
  if (! plan->named)
    control.close_guess = close_guess (s);
  if (method == GE_JACOBI_CYCLIC && ge_stack_pages (ctx, s->pages) > 1
      && n <= SMALL)
    return GE_BY_TYPE (s->type, ge_jacobi_pages, (ctx, s, &control, info));
  for (int64_t p = 0; p < s->pages; p++)
    {
      gpueig_info one = { .sweeps = 0 };
      GE_TRY (ge_check_interrupt (ctx));
      gpueig_status status = GE_BY_TYPE (
          s->type, ge_jacobi_page,
          (ctx, method, n, ge_page (s->a, p, n * n, size),
           ge_page (s->guess, p, n * n, size), ge_page (s->lambda, p, n, real),
           ge_page (s->v, p, n * n, size), &control, &one));
      if (status == GPUEIG_NO_CONVERGENCE)
        result = status;
      else
        GE_TRY (status);
      ge_jacobi_merge_info (info, &one, p);
      ge_report_pages (ctx, info->method, p + 1, s->pages);
    }
  return result;
}

static double
arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  if (backend == GPUEIG_CUDA)
    return method == GE_METHOD_JACOBI_CLASSICAL ? 2 : 3;
  return shape->n <= SMALL                           ? 0
         : method == GE_METHOD_JACOBI_CLASSICAL      ? 1.5
         : method == GE_METHOD_JACOBI_PRECONDITIONED ? 1.25
                                                     : 2;
}

const ge_solver_entry ge_jacobi_entry
    = { .cpu = ge_cpu_jacobi_eig,
        .problem_size = sizeof (gpueig_symmetric),
        .describe = ge_describe_symmetric,
        .arrays = arrays,
        .parts = ge_parts_of_symmetric,
        .pages = offsetof (gpueig_symmetric, pages),
        .page_flags = offsetof (gpueig_symmetric, indefinite),
        .page_flag_size = sizeof (int) };
