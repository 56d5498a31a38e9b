/* Options and results of the one-sided Jacobi solver, for all backends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "onesided/plan.h"

#include <float.h>
#include <math.h>

/* Default limit of sweeps; usually at most ten are needed.  */
enum
{
  DEFAULT_SWEEPS = 40,
  MOST_SWEEPS = 1000000
};

void
ge_onesided_plan (const gpueig_context *ctx, const gpueig_symmetric *problem,
                  ge_method method, const gpueig_options *options,
                  onesided_plan *plan, gpueig_info *info)
{
  double eps = gpueig_is_double (problem->type) ? DBL_EPSILON : FLT_EPSILON;
  plan->method = ONESIDED_SHIFTED;
  if (method == GE_METHOD_ONESIDED_HESTENES)
    plan->method = ONESIDED_HESTENES;
  else if (method == GE_METHOD_ONESIDED_COLUMNS)
    plan->method = ONESIDED_COLUMNS;
  else if (method == GE_METHOD_ONESIDED_CHOLESKY || options->high_accuracy)
    plan->method = ONESIDED_CHOLESKY;
  plan->ctx = NULL;
  plan->history = ge_stack_pages (ctx, problem->pages) == 1 ? info : NULL;
  plan->tol
      = options->tol > 0 ? options->tol : eps * sqrt ((double) problem->n);
  plan->max_sweeps = options->max_sweeps == 0 ? DEFAULT_SWEEPS
                     : options->max_sweeps < MOST_SWEEPS
                         ? (int) options->max_sweeps
                         : MOST_SWEEPS;
  ge_info_method (info, plan->method == ONESIDED_HESTENES  ? "hestenes"
                        : plan->method == ONESIDED_SHIFTED ? "shifted"
                                                           : "cholesky");
}

void
ge_onesided_note (const onesided_plan *plan, double cosine)
{
  if (plan->history)
    ge_info_off (plan->history, cosine);
}

gpueig_status
ge_onesided_fill_info (gpueig_context *ctx, const gpueig_symmetric *problem,
                       const onesided_plan *plan, const onesided_result *result,
                       gpueig_info *info)
{
  info->sweeps = result->sweeps;
  if (result->interrupted)
    return gpueig_fail (ctx, GPUEIG_INTERRUPTED, "interrupted by the user");
  if (plan->method == ONESIDED_CHOLESKY)
    ge_info_extra (info, "normal_accuracy", result->normal);
  if (result->converged)
    return GPUEIG_OK;
  return gpueig_fail (
      ctx, GPUEIG_NO_CONVERGENCE,
      "%s not orthogonal to the tolerance %.2g after %d sweeps, "
      "the largest cosine is %.2g",
      ge_stack_pages (ctx, problem->pages) > 1 ? "columns of some pages are"
                                               : "columns are",
      plan->tol, result->sweeps, result->off);
}
