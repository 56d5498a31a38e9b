/* The effect of a measurement: the plans of usual calls before and after.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tune/tune.h"

#include <stdio.h>
#include <string.h>

/* Functions and shapes of usual calls, in double precision with vectors.  */
static const struct
{
  gpueig_function function;
  const char *name;
} functions[] = { { GPUEIG_FUNCTION_EIG_SYMMETRIC, "gpu_eig, symmetric" },
                  { GPUEIG_FUNCTION_EIG_GENERAL, "gpu_eig, general" },
                  { GPUEIG_FUNCTION_SVD, "gpu_svd" } };

static const struct
{
  int64_t n, pages;
} shapes[] = { { 16, 1000 }, { 64, 1000 }, { 32, 1 },  { 100, 1 },
               { 300, 1 },   { 1000, 1 },  { 3000, 1 } };

enum
{
  SHAPES = sizeof shapes / sizeof shapes[0]
};

_Static_assert(GE_TUNE_TASKS == SHAPES * sizeof functions / sizeof functions[0],
               "GE_TUNE_TASKS");

static gpueig_status
plan (gpueig_context *ctx, int k, gpueig_forecast *forecast)
{
  const gpueig_task task = { .function = functions[k / SHAPES].function,
                             .type = GPUEIG_DOUBLE,
                             .n = shapes[k % SHAPES].n,
                             .pages = shapes[k % SHAPES].pages,
                             .vectors = 1 };
  return gpueig_plan (ctx, &task, NULL, forecast);
}

gpueig_status
ge_tune_plans (gpueig_context *ctx, gpueig_forecast plans[GE_TUNE_TASKS])
{
  gpueig_machine machine;
  gpueig_query (ctx,
                &machine); /* loads the plugin, so that plans have the GPU */
  for (int k = 0; k < GE_TUNE_TASKS; k++)
    GE_TRY (plan (ctx, k, &plans[k]));
  return GPUEIG_OK;
}

gpueig_status
ge_report_changes (gpueig_context *ctx,
                   const gpueig_forecast before[GE_TUNE_TASKS])
{
  static const char *const places[]
      = { [GPUEIG_CPU] = "CPU", [GPUEIG_CUDA] = "GPU" };
  int changed = 0;
  for (int k = 0; k < GE_TUNE_TASKS; k++)
    {
      const gpueig_forecast *was = &before[k];
      gpueig_forecast is;
      char stack[40] = "";
      GE_TRY (plan (ctx, k, &is));
      if (is.backend == was->backend && strcmp (is.method, was->method) == 0)
        continue;
      if (shapes[k % SHAPES].pages > 1)
        snprintf (stack, sizeof stack, "%lld pages of ",
                  (long long) shapes[k % SHAPES].pages);
      ge_notice (
          ctx, "changed: %s, %sorder %lld: %s on the %s, was %s on the %s",
          functions[k / SHAPES].name, stack, (long long) shapes[k % SHAPES].n,
          is.method, places[is.backend], was->method, places[was->backend]);
      changed++;
    }
  ge_notice (ctx, "%d of %d plans of usual calls changed", changed,
             GE_TUNE_TASKS);
  return GPUEIG_OK;
}
