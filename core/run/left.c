/* Pages that a method gave up: solved by the next one, as a stack of their own in host memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/devices.h"
#include "run/solvers.h"

gpueig_status
ge_take_pages (gpueig_context *ctx, const ge_layout *layout,
               const void *problem, const int64_t *list, int64_t count,
               gpueig_info *info, ge_left_pages *l)
{
  const double start = ge_now ();
  l->list = list;
  l->info = info;
  ge_make_problem (ctx, layout, problem, ge_spaces_of_call (ctx), &l->all);
  GE_TRY (ge_gather_pages (ctx, &l->all, list, count,
                           (ge_spaces){ GE_HOST, GE_HOST }, &l->some));
  if (ctx->on_device)
    info->time_transfer += ge_now () - start;
  l->before = ge_enter (ctx, &l->some);
  return GPUEIG_OK;
}

gpueig_status
ge_put_pages (gpueig_context *ctx, const ge_left_pages *l, gpueig_status status)
{
  const double start = ge_now ();
  ge_leave (ctx, l->before);
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    GE_TRY (ge_scatter_pages (ctx, &l->some, &l->all, l->list));
  if (ctx->on_device)
    l->info->time_transfer += ge_now () - start;
  return status;
}

gpueig_status
ge_finish_pages (gpueig_context *ctx, ge_solver_id solver, const void *problem,
                 const unsigned char *left, ge_method method,
                 const gpueig_options *options, gpueig_info *info)
{
  const ge_solver_entry *entry = ctx->solvers[solver];
  const ge_plan plan = { .backend = GPUEIG_CPU, .method = method, .named = 1 };
  const int mark = ge_mark (ctx);
  ge_shape shape;
  ge_left_pages l;
  gpueig_info one;
  int64_t *list, count = 0;
  entry->describe (problem, &shape);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, shape.pages, &list));
  for (int64_t p = 0; p < shape.pages; p++)
    if (! left || left[p])
      list[count++] = p;
  if (count == 0)
    return GPUEIG_OK;
  ge_report (ctx, "%s solves %lld of %lld pages", ge_method_name (method),
             (long long) count, (long long) shape.pages);
  ge_info_begin (&one);
  GE_TRY (ge_take_pages (ctx, entry->layout, problem, list, count, info, &l));
  const gpueig_status status = ge_put_pages (
      ctx, &l, entry->cpu (ctx, l.some.data.bytes, &plan, options, &one));
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  ge_release (ctx, mark);
  ge_merge_info (entry, 0, info, &one, 0);
  ge_info_fallback (info,
                    one.fallback[0] ? one.fallback : ge_method_name (method));
  return status;
}
