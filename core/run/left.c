/* Pages that a method gave up: solved by the next one, as a stack of their own in host memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "multi_gpu/multi_gpu.h"
#include "run/solvers.h"

#include <string.h>

/* Memory of their own for the pages.  */
static gpueig_status
allocate (ge_left_pages *l)
{
  const ge_solver_entry *entry = l->entry;
  ge_argument argument[GE_ARGUMENTS];
  memcpy (l->stack, l->problem, entry->problem_size);
  memcpy ((char *) l->stack + entry->pages, &l->count, sizeof l->count);
  const int n = entry->arguments (l->stack, argument);
  for (int k = 0; k < n; k++)
    if (ge_argument_pointer (l->stack, &argument[k]))
      {
        void *own;
        GE_TRY (ge_alloc (l->ctx, GE_HOST, argument[k].count, argument[k].size,
                          &own));
        memcpy ((char *) l->stack + argument[k].offset, &own, sizeof own);
      }
  memcpy (&l->flags, (const char *) l->problem + entry->page_flags,
          sizeof l->flags);
  if (! l->flags)
    return GPUEIG_OK;
  GE_TRY (ge_alloc (l->ctx, GE_HOST, l->count, entry->page_flag_size,
                    (void **) &l->own_flags));
  memcpy ((char *) l->stack + entry->page_flags, &l->own_flags,
          sizeof l->own_flags);
  return GPUEIG_OK;
}

/* Of an array, BYTES of each page, between the problem and the stack, pages that follow each
   other at once; SMALL: in host memory.  */
static gpueig_status
copy_array (const ge_left_pages *l, char *problem, char *stack, size_t bytes,
            int small, int back)
{
  int64_t next;
  for (int64_t i = 0; i < l->count; i = next)
    {
      for (next = i + 1;
           next < l->count && l->list[next] == l->list[i] + next - i; next++)
        ;
      char *there = problem + (size_t) l->list[i] * bytes,
           *here = stack + (size_t) i * bytes;
      char *to = back ? there : here, *from = back ? here : there;
      if (small)
        memcpy (to, from, (size_t) (next - i) * bytes);
      else
        GE_TRY (ge_copy (l->ctx, to, from, (size_t) (next - i) * bytes));
    }
  return GPUEIG_OK;
}

/* The inputs of the pages, or if BACK their outputs.  */
static gpueig_status
copy_pages (const ge_left_pages *l, int back)
{
  ge_argument argument[GE_ARGUMENTS];
  const double start = ge_now ();
  const int n = l->entry->arguments (l->problem, argument);
  for (int k = 0; k < n; k++)
    {
      const ge_argument *x = &argument[k];
      char *const problem = ge_argument_pointer (l->problem, x);
      if (problem && (x->kind == GE_OUTPUT) == back)
        GE_TRY (copy_array (l, problem, ge_argument_pointer (l->stack, x),
                            (size_t) (x->count / l->pages) * x->size, x->small,
                            back));
    }
  if (l->flags)
    GE_TRY (copy_array (l, l->flags, l->own_flags, l->entry->page_flag_size, 1,
                        back));
  if (l->on_device)
    l->info->time_transfer += ge_now () - start;
  return GPUEIG_OK;
}

gpueig_status
ge_take_pages (gpueig_context *ctx, const ge_solver_entry *entry,
               const void *problem, const int64_t *list, int64_t count,
               gpueig_info *info, ge_left_pages *l)
{
  ge_shape shape;
  entry->describe (problem, &shape);
  *l = (ge_left_pages){ .ctx = ctx,
                        .entry = entry,
                        .problem = problem,
                        .list = list,
                        .count = count,
                        .pages = shape.pages,
                        .info = info,
                        .on_device = ctx->on_device,
                        .stack_pages = ctx->stack_pages,
                        .first_page = ctx->first_page };
  l->in_place = ! ctx->on_device && list[count - 1] == list[0] + count - 1;
  GE_TRY (ge_alloc (ctx, GE_HOST, 1, entry->problem_size, &l->stack));
  if (l->in_place)
    {
      const ge_division division = { .shares = 1,
                                     .units = ge_stack_pages (ctx, shape.pages),
                                     .begin = { list[0], list[0] + count } };
      ge_make_share (entry, problem, &division, 0, ctx, l->stack);
      return GPUEIG_OK;
    }
  GE_TRY (allocate (l));
  GE_TRY (copy_pages (l, 0));
  ctx->stack_pages = ge_stack_pages (ctx, shape.pages);
  ctx->on_device = 0;
  return GPUEIG_OK;
}

gpueig_status
ge_put_pages (const ge_left_pages *l, gpueig_status status)
{
  gpueig_context *ctx = l->ctx;
  ctx->on_device = l->on_device;
  ctx->stack_pages = l->stack_pages;
  ctx->first_page = l->first_page;
  if (! l->in_place && (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE))
    GE_TRY (copy_pages (l, 1));
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
  GE_TRY (ge_take_pages (ctx, entry, problem, list, count, info, &l));
  const gpueig_status status
      = ge_put_pages (&l, entry->cpu (ctx, l.stack, &plan, options, &one));
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  ge_release (ctx, mark);
  ge_merge_info (entry, 0, info, &one, 0);
  ge_info_fallback (info,
                    one.fallback[0] ? one.fallback : ge_method_name (method));
  return status;
}
