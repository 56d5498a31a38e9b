/* gpueig_polar: the polar decomposition from singular vectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/functions.h"
#include "gpueig_svd.h"
#include "run/run.h"

#include <math.h>

static gpueig_status
check_polar (gpueig_context *ctx, const gpueig_polar_problem *p)
{
  if (p->n < 0 || p->pages < 0 || (int) p->type < 0
      || p->type > GPUEIG_COMPLEX_DOUBLE)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "negative size, or unknown type");
  if (p->m < p->n)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "A must have at least as many rows as columns, but it "
                        "is %lld-by-%lld",
                        (long long) p->m, (long long) p->n);
  if (p->m > 0 && p->n > 0 && p->pages > 0 && ! p->u)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "u is NULL");
  return GPUEIG_OK;
}

static int
polar_arguments (const void *problem, ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_polar_problem *p = problem;
  const size_t size = gpueig_scalar_size (p->type);
  const int64_t count = ge_argument_count (p->m, p->n, p->pages);
  argument[0] = GE_OUT (p, u, count, size);
  argument[1] = GE_OUT (p, h, ge_argument_count (p->n, p->n, p->pages), size);
  argument[2] = GE_IN (p, a, count, size);
  return 3;
}

static gpueig_status polar (gpueig_context *ctx, const void *problem,
                            const gpueig_options *options, gpueig_info *info);

static const ge_layout layout
    = GE_LAYOUT (gpueig_polar_problem, , polar_arguments);

static const ge_placed placed = { &layout, polar, GE_SOLVERS, NULL };

static gpueig_status
polar (gpueig_context *ctx, const void *problem, const gpueig_options *options,
       gpueig_info *info)
{
  const gpueig_polar_problem *p = problem;
  ge_place place = ge_place_at (ctx, p->place);
  int choice = 0, done = 0;
  GE_TRY (check_polar (ctx, p));
  const double work = (double) p->m * (double) p->n * (double) p->n;
  const ge_shape shape = { .type = p->type,
                           .n = (int64_t) (cbrt (work) + 0.5),
                           .pages = p->pages,
                           .outputs = 1,
                           .on_device = p->place == GPUEIG_DEVICE };
  if (p->m > 0 && p->n > 0 && p->pages > 0)
    GE_TRY (ge_plan_place (ctx, options, GE_SVD, &shape, &choice));
  if (choice && ! shape.on_device)
    GE_TRY (ge_check_finite (ctx, p->type, p->a, p->m, p->n, p->pages, "A"));
  if (choice != shape.on_device)
    GE_TRY (ge_solve_elsewhere (ctx, &placed, p, options, info, &done));
  if (! done)
    GE_TRY (ge_polar_of (&place, p, options, info));
  ge_info_method (info, "auto");
  return GPUEIG_OK;
}

gpueig_status
gpueig_polar (gpueig_context *ctx, const gpueig_polar_problem *problem,
              const gpueig_options *options, gpueig_info *info)
{
  return ge_call_placed (ctx, &placed, problem, options, info);
}
