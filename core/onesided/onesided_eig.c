/* gpueig_onesided_eig, and the solver of the CPU backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/cpu.h"
#include "onesided/plan.h"

#include <string.h>

static const char *const methods[]
    = { "auto", "hestenes", "cholesky", "shifted", NULL };

/* Nonzero if a GPU is faster.  By times measured in double precision: a small page takes
   (0.9 n + 20) n^2 ns on a core of the CPU; on the GPU 3.2 n^2 ns more for the transfer
   than the CPU needs for its result, and a launch.  */
static int
cuda_pays (const gpueig_symmetric *problem)
{
  double n = (double) problem->n, pages = (double) problem->pages;
  double gain = (0.9 * n + 20) / ge_threads () - 3.2;
  if (pages < 8 || n > 64)
    return n >= 192 || n * n * n * pages > 2e7;
  return gain * n * n * pages > 2e5;
}

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
  return ge_run (ctx, GE_ONESIDED_EIG, cuda_pays (problem), problem, options,
                 info);
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
