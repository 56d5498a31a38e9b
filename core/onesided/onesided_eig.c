/* gpueig_onesided_eig, and the solver of the CPU backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/cpu.h"
#include "onesided/plan.h"

#include <string.h>

static const char *const methods[]
    = { "auto", "hestenes", "cholesky", "shifted", NULL };

static gpueig_status
onesided_eig (gpueig_context *ctx, const gpueig_symmetric *problem,
              const gpueig_options *options, gpueig_info *info)
{
  GE_TRY (ge_check_options (ctx, options, methods));
  GE_TRY (ge_check_symmetric (ctx, problem));
  if (options->high_accuracy && strcmp (options->method, "auto") != 0
      && strcmp (options->method, "cholesky") != 0)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "high accuracy goes with the methods \"auto\" and "
                        "\"cholesky\", not with \"%s\"",
                        options->method);
  if (problem->b || problem->guess)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "one-sided Jacobi takes no B and no guess");
  if (problem->n == 0 || problem->pages == 0)
    return GPUEIG_OK;
  return ge_run (ctx, GE_ONESIDED_EIG,
                 ge_cuda_pays (GE_SIZE_ONESIDED_EIG, problem->type, problem->n,
                               problem->pages, 1),
                 problem, options, info);
}

gpueig_status
gpueig_onesided_eig (gpueig_context *ctx, const gpueig_symmetric *problem,
                     const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  ge_begin (&call, ctx, &options, &info);
  return ge_end (&call, onesided_eig (ctx, problem, options, info));
}

/* --- CPU backend --- */

gpueig_status
ge_cpu_onesided_eig (gpueig_context *ctx, const void *problem,
                     const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  onesided_plan plan;
  onesided_result result = { .converged = 1 };
  ge_onesided_plan (ctx, s, options, &plan, info);
  GE_TRY (GE_BY_TYPE (s->type, ge_onesided_stack, (ctx, s, &plan, &result)));
  return ge_onesided_fill_info (ctx, s, &plan, &result, info);
}
