/* gpueig_jacobi_eig: two-sided Jacobi for symmetric and Hermitian matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "jacobi/jacobi.h"
#include "eig/symmetric.h"
#include "run/solvers.h"

/* --- public function --- */

static gpueig_status
jacobi_eig (gpueig_context *ctx, const void *given,
            const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *problem = given;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_JACOBI_EIG, options, &method));
  /* High accuracy on a GPU needs the method "preconditioned".  */
  if (options->high_accuracy && ! problem->b && method != GE_AUTO
      && method != GE_METHOD_JACOBI_BLOCK
      && ! (method == GE_METHOD_JACOBI_PRECONDITIONED
            && options->backend == GPUEIG_CUDA))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "high accuracy goes with the methods \"auto\" and "
                        "\"block\", not with \"%s\"",
                        options->method);
  GE_TRY (ge_check_symmetric (ctx, problem));
  GE_TRY (ge_check_all_selected (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    return GPUEIG_OK;
  if (problem->b)
    return ge_high_pairs (ctx, problem, method, options, info);
  const gpueig_status status
      = ge_run_high (ctx, GE_JACOBI_EIG, method, problem, options, info);
  if (status == GPUEIG_OK && ! options->high_accuracy)
    return ge_sort_pages (ctx, problem);
  return status;
}

static int
jacobi_on_host (const void *given, const gpueig_options *options)
{
  const gpueig_symmetric *problem = given;
  return problem->b || options->high_accuracy;
}

GE_PUBLIC (gpueig_jacobi_eig, gpueig_symmetric, &ge_layout_symmetric,
           jacobi_eig, GE_JACOBI_EIG, jacobi_on_host)

/* --- CPU backend --- */

/* "block", and high accuracy, which is that of a Cholesky factor's columns.  */
static gpueig_status
solve_onesided (gpueig_context *ctx, const gpueig_symmetric *s,
                const ge_jacobi_control *control, const gpueig_options *options,
                gpueig_info *info)
{
  gpueig_options o = *options;
  /* Vectors about as orthogonal as products of rotations; below twice eps rotations
     between columns of the same length may not end.  */
  o.tol = 3 * control->tol;
  const gpueig_status status
      = ge_run_part (ctx, GE_ONESIDED_EIG,
                     options->high_accuracy ? GE_METHOD_ONESIDED_CHOLESKY
                                            : GE_METHOD_ONESIDED_SHIFTED,
                     0, s, &o, info);
  ge_info_method (info, "block");
  return status;
}

/* The page S by rotations of columns, without approximate vectors.  */
static gpueig_status
onesided_page (gpueig_context *ctx, gpueig_symmetric s,
               const ge_jacobi_control *control, gpueig_info *info)
{
  const gpueig_options options
      = { .backend = GPUEIG_CPU, .max_sweeps = control->max_sweeps };
  s.guess = NULL;
  return ge_run_part (ctx, GE_ONESIDED_EIG, GE_METHOD_ONESIDED_HESTENES, 0, &s,
                      &options, info);
}

gpueig_status
ge_cpu_jacobi_eig (gpueig_context *ctx, const void *problem,
                   const ge_plan *plan, const gpueig_options *options,
                   gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  gpueig_status result = GPUEIG_OK;
  ge_jacobi_control control = ge_jacobi_read_options (options, s->type);
  const int classical = plan->method == GE_METHOD_JACOBI_CLASSICAL;
  if (options->high_accuracy || plan->method == GE_METHOD_JACOBI_BLOCK)
    return solve_onesided (ctx, s, &control, options, info);
  ge_info_method (info, ge_method_name (plan->method));
  if (! plan->named)
    control.close_guess = ge_jacobi_close_guess (s, plan->backend, s->pages);
  for (int64_t p = 0; p < s->pages; p++)
    {
      const gpueig_symmetric page = ge_from_page (s, p, 1);
      gpueig_info one = { .sweeps = 0 };
      GE_TRY (ge_check_interrupt (ctx));
      gpueig_status status
          = GE_BY_TYPE (s->type, ge_jacobi_page,
                        (ctx, classical, page.n, page.a, page.guess,
                         page.lambda, page.v, &control, &one));
      if (status == GPUEIG_SOLVER_FAILED)
        status = onesided_page (ctx, page, &control, &one);
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
jacobi_arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  if (backend == GPUEIG_CUDA)
    return method == GE_METHOD_JACOBI_CLASSICAL ? 2 : 3;
  return shape->n <= 64                              ? 0
         : method == GE_METHOD_JACOBI_CLASSICAL      ? 1.5
         : method == GE_METHOD_JACOBI_PRECONDITIONED ? 1.25
                                                     : 2;
}

static unsigned
jacobi_takes (const ge_shape *shape, ge_method method)
{
  return shape->high_accuracy                   ? GE_VALUES
         : method == GE_METHOD_JACOBI_CLASSICAL ? GE_OVERWRITES | GE_IN_PLACE
                                                : 0;
}

const ge_solver_entry ge_jacobi_eig_entry = { .id = GE_JACOBI_EIG,
                                              .cpu = ge_cpu_jacobi_eig,
                                              .layout = &ge_layout_symmetric,
                                              .describe = ge_describe_symmetric,
                                              .arrays = jacobi_arrays,
                                              .takes = jacobi_takes };
