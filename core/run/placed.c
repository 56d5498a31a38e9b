/* Problems with the place GPUEIG_DEVICE, see base/gpu_memory.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"

#include <string.h>

/* Numbers of this size and more are copied by the GPU itself, to and from pinned memory.  */
#define PINNED_BYTES ((size_t) 256 << 10)

/* Nonzero if PROBLEM has the array, and it has elements.  */
static int
is_there (const void *problem, const ge_argument *argument)
{
  return argument->count > 0 && ge_argument_pointer (problem, argument);
}

typedef struct
{
  gpueig_context *ctx;
  const ge_placed *how;
  const void *problem;
  ge_argument argument[GE_ARGUMENTS];
  int n_arguments;
  char *copy; /* of the struct */
  int whole;  /* all arrays are copied to host memory, or the small ones */
  int inside; /* of a call on a GPU: the small ones are in host memory */
  double in_transfer; /* seconds */
} placed_call;

/* Nonzero if C->copy has another array than the caller's.  */
static int
is_copied (const placed_call *c, const ge_argument *argument)
{
  return is_there (c->problem, argument)
         && (argument->small ? ! c->inside : c->whole);
}

/* *THERE: whether the matrices have any elements.  Every array must be in memory of a GPU,
   and what was queued there is waited for.  */
static gpueig_status
find_memory (const placed_call *c, int *there)
{
  *there = 0;
  for (int i = 0; i < c->n_arguments; i++)
    {
      if (c->argument[i].count < 0)
        return gpueig_fail (c->ctx, GPUEIG_BAD_ARGUMENT,
                            "a size is negative or too large");
      if (! is_there (c->problem, &c->argument[i]))
        continue;
      if (! (c->inside && c->argument[i].small))
        GE_TRY (ge_go_to_memory (
            c->ctx, ge_argument_pointer (c->problem, &c->argument[i])));
      *there |= c->argument[i].kind == GE_INPUT;
    }
  return GPUEIG_OK;
}

/* Let the copy of the struct point to memory of SPACE, with the input.  */
static gpueig_status
copy_in (placed_call *c, ge_space space)
{
  gpueig_context *ctx = c->ctx;
  const double start = ge_now ();
  memcpy (c->copy, c->problem, c->how->size);
  for (int i = 0; i < c->n_arguments; i++)
    {
      const ge_argument *p = &c->argument[i];
      const size_t bytes = (size_t) p->count * p->size;
      const ge_space where
          = ! c->whole && bytes >= PINNED_BYTES ? GE_PINNED : space;
      void *copy;
      if (! is_copied (c, p))
        continue;
      GE_TRY (ge_alloc (ctx, where, p->count, p->size, &copy));
      if (p->kind == GE_INPUT)
        GE_TRY (ctx->plugin->memory->copy (
            ctx, copy, ge_argument_pointer (c->problem, p), bytes));
      memcpy (c->copy + p->offset, &copy, sizeof copy);
    }
  c->in_transfer += ge_now () - start;
  return GPUEIG_OK;
}

static gpueig_status
copy_out (placed_call *c)
{
  gpueig_context *ctx = c->ctx;
  const double start = ge_now ();
  for (int i = 0; i < c->n_arguments; i++)
    {
      const ge_argument *p = &c->argument[i];
      char *const to = ge_argument_pointer (c->problem, p);
      if (p->kind != GE_OUTPUT || ! is_copied (c, p))
        continue;
      /* With GPUEIG_AUTO a GPU may have been lost to a call that the CPU repeated.  */
      if (ge_device_is_lost (ctx))
        return ge_go_to_memory (ctx, to);
      GE_TRY (ctx->plugin->memory->copy (ctx, to,
                                         ge_argument_pointer (c->copy, p),
                                         (size_t) p->count * p->size));
    }
  c->in_transfer += ge_now () - start;
  return GPUEIG_OK;
}

/* Where C->whole says.  */
static gpueig_status
solve_once (placed_call *c, const gpueig_options *options, gpueig_info *info)
{
  gpueig_context *ctx = c->ctx;
  const gpueig_place place = c->whole ? GPUEIG_HOST : GPUEIG_DEVICE;
  if (c->whole)
    ge_report (ctx, "copied to host memory");
  c->in_transfer = 0;
  GE_TRY (copy_in (c, GE_HOST));
  memcpy (c->copy + c->how->place, &place, sizeof place);
  ctx->on_device = ! c->whole;
  const gpueig_status status = c->how->solve (ctx, c->copy, options, info);
  ctx->on_device = c->inside;
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  char message[sizeof ctx->message];
  memcpy (message, ctx->message, sizeof message);
  GE_TRY (copy_out (c));
  memcpy (ctx->message, message, sizeof message);
  info->time_transfer += c->in_transfer;
  return status;
}

int
ge_always_on_host (const void *problem, const gpueig_options *options)
{
  (void) problem;
  (void) options;
  return 1;
}

/* Nonzero if the problem is to be solved on the GPU that has its arrays.  */
static int
belongs_there (const placed_call *c, const gpueig_options *options)
{
  const ge_placed *how = c->how;
  if (how->on_host && how->on_host (c->problem, options))
    return 0;
  if (options->backend != GPUEIG_AUTO)
    return options->backend == GPUEIG_CUDA;
  return how->id == GE_SOLVERS
         || ge_plans_gpu (c->ctx, how->id, c->problem, options);
}

/* Nonzero if another backend or less memory of a GPU may give a call that failed with
   STATUS a result.  */
static int
may_fail_there_only (const gpueig_context *ctx, const gpueig_options *options,
                     gpueig_status status)
{
  return ! ge_device_is_lost (ctx)
         && (status == GPUEIG_OUT_OF_MEMORY
             || (options->backend == GPUEIG_AUTO && ge_may_be_gpu (status)));
}

/* Where the data is, or with copies in host memory: if that is decided before, or if the
   memory of the GPU or the GPU fails.  */
static gpueig_status
solve_placed (gpueig_context *ctx, const ge_placed *how, const void *problem,
              const gpueig_options *options, gpueig_info *info)
{
  placed_call c = {
    .ctx = ctx, .how = how, .problem = problem, .inside = ctx->on_device
  };
  int there;
  c.n_arguments = how->arguments (problem, c.argument);
  GE_TRY (find_memory (&c, &there));
  GE_TRY (ge_alloc (ctx, GE_HOST, 1, how->size, (void **) &c.copy));
  c.whole = ! there || ! belongs_there (&c, options);
  const int mark = ge_mark (ctx);
  const gpueig_status status = solve_once (&c, options, info);
  if (c.whole || ! may_fail_there_only (ctx, options, status))
    return status;
  ge_release (ctx, mark);
  ge_info_begin (info);
  ctx->message[0] = '\0';
  c.whole = 1;
  return solve_once (&c, options, info);
}

gpueig_status
ge_solve_on_gpu (gpueig_context *ctx, const ge_placed *how, const void *problem,
                 const gpueig_options *options, gpueig_info *info, int *done)
{
  placed_call c = { .ctx = ctx, .how = how, .problem = problem, .whole = 1 };
  const gpueig_place place = GPUEIG_DEVICE;
  const int mark = ge_mark (ctx);
  gpueig_options there = *options;
  there.device = options->n_devices > 0 ? options->devices[0] : options->device;
  there.n_devices = 0;
  *done = 0;
  c.n_arguments = how->arguments (problem, c.argument);
  gpueig_status status = ge_select_device (ctx, there.device);
  if (status == GPUEIG_OK)
    status = ge_alloc (ctx, GE_HOST, 1, how->size, (void **) &c.copy);
  if (status == GPUEIG_OK)
    status = copy_in (&c, GE_DEVICE);
  if (status == GPUEIG_OK)
    {
      memcpy (c.copy + how->place, &place, sizeof place);
      ctx->on_device = 1;
      status = how->solve (ctx, c.copy, &there, info);
      ctx->on_device = 0;
    }
  *done = status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE;
  if (*done)
    GE_TRY (copy_out (&c));
  info->time_transfer += c.in_transfer;
  if (! *done && options->backend == GPUEIG_AUTO && ge_may_be_gpu (status))
    {
      ge_info_begin (info);
      ctx->message[0] = '\0';
      status = GPUEIG_OK;
    }
  ge_release (ctx, mark);
  return status;
}

gpueig_status
ge_call_placed (gpueig_context *ctx, const ge_placed *how, const void *problem,
                const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  gpueig_place place;
  ge_begin (&call, ctx, &options, &info);
  if (! problem)
    return ge_end (
        &call, gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "the problem is NULL"));
  memcpy (&place, (const char *) problem + how->place, sizeof place);
  const gpueig_status status
      = place == GPUEIG_HOST ? how->solve (ctx, problem, options, info)
        : place == GPUEIG_DEVICE
            ? solve_placed (ctx, how, problem, options, info)
            : gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "unknown place %d",
                           (int) place);
  return ge_end (&call, status);
}

/* --- the arrays of problems that several solvers have --- */

int
ge_arguments_of_symmetric (const void *problem,
                           ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_symmetric *s = problem;
  const size_t size = gpueig_scalar_size (s->type);
  const int64_t columns
      = s->select == GPUEIG_SELECT_INDEX ? s->last - s->first + 1 : s->n;
  const int64_t kept = columns < 0 || columns > s->n ? s->n : columns;
  const int64_t square = ge_argument_count (s->n, s->n, s->pages);
  argument[0] = (ge_argument){ offsetof (gpueig_symmetric, lambda),
                               ge_argument_count (kept, 1, s->pages),
                               gpueig_real_size (s->type), GE_OUTPUT, 1 };
  argument[1] = (ge_argument){ offsetof (gpueig_symmetric, v),
                               ge_argument_count (s->n, kept, s->pages), size,
                               GE_OUTPUT, 0 };
  argument[2] = (ge_argument){ offsetof (gpueig_symmetric, a), square, size,
                               GE_INPUT, 0 };
  argument[3] = (ge_argument){ offsetof (gpueig_symmetric, b), square, size,
                               GE_INPUT, 0 };
  argument[4] = (ge_argument){ offsetof (gpueig_symmetric, guess), square, size,
                               GE_INPUT, 0 };
  return 5;
}

int
ge_arguments_of_general (const void *problem,
                         ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_general *g = problem;
  const size_t pair = 2 * gpueig_real_size (g->type);
  const int64_t square = ge_argument_count (g->n, g->n, g->pages);
  argument[0] = (ge_argument){ offsetof (gpueig_general, lambda),
                               ge_argument_count (g->n, 1, g->pages), pair,
                               GE_OUTPUT, 1 };
  argument[1] = (ge_argument){ offsetof (gpueig_general, v), square, pair,
                               GE_OUTPUT, 0 };
  argument[2] = (ge_argument){ offsetof (gpueig_general, w), square, pair,
                               GE_OUTPUT, 0 };
  argument[3] = (ge_argument){ offsetof (gpueig_general, a), square,
                               gpueig_scalar_size (g->type), GE_INPUT, 0 };
  argument[4] = argument[3];
  argument[4].offset = offsetof (gpueig_general, b);
  return 5;
}
