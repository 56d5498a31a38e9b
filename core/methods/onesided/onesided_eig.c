/* gpueig_onesided_eig, and the solver of the CPU backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "onesided/plan.h"
#include "run/solvers.h"

#include <math.h>

static gpueig_status
onesided_eig (gpueig_context *ctx, const void *given,
              const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *problem = given;
  gpueig_symmetric checked = *problem;
  const int now = problem->place == GPUEIG_DEVICE || options->high_accuracy;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_ONESIDED_EIG, options, &method));
  GE_TRY (now ? ge_check_symmetric (ctx, problem)
              : ge_check_symmetric_sizes (ctx, problem));
  GE_TRY (ge_check_all_selected (ctx, problem));
  checked.symmetric |= now;
  if (options->high_accuracy && method != GE_AUTO
      && method != GE_METHOD_ONESIDED_CHOLESKY)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "high accuracy goes with the methods \"auto\" and "
                        "\"cholesky\", not with \"%s\"",
                        options->method);
  if (problem->b || problem->guess)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "one-sided Jacobi takes no B and no guess");
  if (problem->n == 0 || problem->pages == 0)
    return GPUEIG_OK;
  return ge_run_high (ctx, GE_ONESIDED_EIG, method, &checked, options, info);
}

/* The eigenvalues need not be in host memory.  */
static int
arguments (const void *problem, ge_argument argument[GE_ARGUMENTS])
{
  const int n = ge_arguments_of_symmetric (problem, argument);
  argument[0].small = 0;
  return n;
}

static const ge_layout layout
    = GE_LAYOUT (gpueig_symmetric, , arguments,
                 .flags = offsetof (gpueig_symmetric, indefinite),
                 .flag_size = sizeof (int));

static int
on_host (const void *given, const gpueig_options *options)
{
  const gpueig_symmetric *problem = given;
  return options->high_accuracy && ! gpueig_is_double (problem->type);
}

GE_PUBLIC (gpueig_onesided_eig, gpueig_symmetric, &layout, onesided_eig,
           GE_ONESIDED_EIG, on_host)

/* --- CPU backend --- */

/* "shifted" for matrices of larger orders.  */
static gpueig_status
solve_preconditioned (gpueig_context *ctx, const gpueig_symmetric *s,
                      const onesided_plan *how, gpueig_info *info)
{
  const gpueig_options options = { .backend = GPUEIG_CPU,
                                   .tol = how->tol / sqrt ((double) s->n),
                                   .max_sweeps = how->max_sweeps };
  const gpueig_status status
      = ge_run_part (ctx, GE_JACOBI_EIG, GE_METHOD_JACOBI_PRECONDITIONED, 0, s,
                     &options, info);
  ge_info_method (info, ge_method_name (GE_METHOD_ONESIDED_SHIFTED));
  return status;
}

gpueig_status
ge_cpu_onesided_eig (gpueig_context *ctx, const void *problem,
                     const ge_plan *plan, const gpueig_options *options,
                     gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  onesided_plan how;
  onesided_result result = { .converged = 1 };
  ge_onesided_plan (ctx, s, plan->method, options, &how, info);
  if (ge_onesided_form_of (how.method == ONESIDED_SHIFTED, s->n,
                           ge_stack_pages (ctx, s->pages))
      == GE_ONESIDED_PRECONDITIONED)
    return solve_preconditioned (ctx, s, &how, info);
  GE_TRY (GE_BY_TYPE (s->type, ge_onesided_stack, (ctx, s, &how, &result)));
  return ge_onesided_fill_info (ctx, s, &how, &result, info);
}

static double
arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  (void) method;
  return ge_onesided_arrays (shape->n, backend == GPUEIG_CUDA);
}

static unsigned
takes (const ge_shape *shape, ge_method method)
{
  (void) method;
  return GE_VALUES
         | (shape->pair ? GE_OVERWRITES
            : shape->n
                    < ge_onesided_large_order (gpueig_is_double (shape->type),
                                               gpueig_is_complex (shape->type))
                ? GE_PASSES_ONCE
                : 0);
}

const ge_solver_entry ge_onesided_eig_entry
    = { .id = GE_ONESIDED_EIG,
        .cpu = ge_cpu_onesided_eig,
        .layout = &layout,
        .describe = ge_describe_symmetric,
        .arrays = arrays,
        .takes = takes,
        .unchecked = ge_unchecked_symmetric,
        .check_data = ge_check_symmetric_data };
