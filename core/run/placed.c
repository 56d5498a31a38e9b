/* Problems with the place GPUEIG_DEVICE, see base/gpu_memory.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"

typedef struct
{
  gpueig_context *ctx;
  const ge_placed *how;
  const ge_problem *problem;
} placed_call;

/* *THERE: whether the matrices have any elements.  Every array must be in memory of a GPU,
   and what was queued there is waited for.  */
static gpueig_status
find_memory (const placed_call *c, int *there)
{
  const ge_problem *p = c->problem;
  *there = 0;
  if (p->is_wrong)
    return gpueig_fail (c->ctx, GPUEIG_BAD_ARGUMENT,
                        "a size is negative or too large");
  for (int i = 0; i < p->arrays; i++)
    {
      if (p->array[i].space == GE_DEVICE)
        GE_TRY (ge_go_to_memory (c->ctx, ge_array_at (p, i)));
      *there |= p->array[i].kind == GE_INPUT;
    }
  return GPUEIG_OK;
}

/* Solve the problem where SPACES say.  */
static gpueig_status
solve_in (const placed_call *c, ge_spaces spaces, const gpueig_options *options,
          gpueig_info *info)
{
  ge_left_pages pages = { .all = *c->problem };
  GE_TRY (
      ge_take_pages (c->ctx, NULL, c->problem->pages, spaces, info, &pages));
  return ge_put_pages (
      c->ctx, &pages,
      c->how->solve (c->ctx, pages.some.data.bytes, options, info));
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
is_solved_there (const placed_call *c, const gpueig_options *options)
{
  const ge_placed *how = c->how;
  const void *problem = c->problem->data.bytes;
  if (how->on_host && how->on_host (problem, options))
    return 0;
  if (options->backend != GPUEIG_AUTO)
    return options->backend == GPUEIG_CUDA;
  return how->id == GE_SOLVERS
         || ge_plans_gpu (c->ctx, how->id, problem, options);
}

/* Nonzero if another backend or less memory of a GPU may give a call that failed with
   STATUS a result.  */
static int
may_fail_there_only (const gpueig_context *ctx, const gpueig_options *options,
                     gpueig_status status)
{
  return ! ge_device_is_lost (ctx)
         && (status == GPUEIG_OUT_OF_MEMORY
             || (options->backend == GPUEIG_AUTO
                 && (ge_reason_of (status) & GE_LEFT_BY_GPU)));
}

static const ge_spaces on_gpu = { GE_DEVICE, GE_HOST };

/* Where the data is, or with copies in host memory: if that is decided before, or if the
   memory of the GPU or the GPU fails.  */
static gpueig_status
solve_placed (gpueig_context *ctx, const ge_placed *how, const void *problem,
              const gpueig_options *options, gpueig_info *info)
{
  /* Inside of another call small arrays are in host memory.  */
  ge_problem given;
  const placed_call c = { ctx, how, &given };
  int there;
  ge_make_problem (ctx, how->layout, problem,
                   ctx->depth > 1 ? GE_HOST : GE_DEVICE, &given);
  GE_TRY (find_memory (&c, &there));
  if (there && is_solved_there (&c, options))
    {
      const int mark = ge_mark (ctx);
      const gpueig_status status = solve_in (&c, on_gpu, options, info);
      if (! may_fail_there_only (ctx, options, status))
        return status;
      ge_release (ctx, mark);
      ge_info_begin (info);
      ctx->message[0] = '\0';
    }
  ge_report (ctx, "copied to host memory");
  return solve_in (&c, ge_on_host, options, info);
}

gpueig_status
ge_solve_elsewhere (gpueig_context *ctx, const ge_placed *how,
                    const void *problem, const gpueig_options *options,
                    gpueig_info *info, int *done)
{
  ge_problem given;
  const placed_call c = { ctx, how, &given };
  const int mark = ge_mark (ctx);
  gpueig_options there = *options;
  gpueig_status status = GPUEIG_OK;
  ge_make_problem (ctx, how->layout, problem, GE_HOST, &given);
  const int leaves = given.spaces.matrices == GE_DEVICE;
  if (leaves)
    ge_report (ctx, "copied to host memory");
  else
    {
      there.device
          = options->n_devices > 0 ? options->devices[0] : options->device;
      there.n_devices = 0;
      status = ge_select_device (ctx, there.device);
    }
  if (status == GPUEIG_OK)
    status = solve_in (&c, leaves ? ge_on_host : on_gpu, &there, info);
  *done = status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE;
  if (! *done && ! leaves && options->backend == GPUEIG_AUTO
      && (ge_reason_of (status) & GE_LEFT_BY_GPU))
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
  memcpy (&place, (const char *) problem + how->layout->place, sizeof place);
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
  const int64_t columns = ge_part_columns (s), n = s->n;
  const int64_t kept = columns < 0 || columns > n ? n : columns;
  const int64_t square = ge_argument_count (n, n, s->pages),
                below = ge_argument_count (n > 0 ? n - 1 : n, 1, s->pages);
  argument[0] = GE_SMALL_OUT (s, lambda, ge_argument_count (kept, 1, s->pages),
                              gpueig_real_size (s->type));
  argument[1] = GE_OUT (s, v, ge_argument_count (n, kept, s->pages), size);
  if (! s->a)
    {
      argument[2]
          = GE_SMALL_IN (s, d, ge_argument_count (n, 1, s->pages), size);
      argument[3] = GE_SMALL_IN (s, e, below, size);
      return 4;
    }
  argument[2] = GE_IN (s, a, square, size);
  argument[3] = GE_IN (s, b, square, size);
  argument[4] = GE_IN (s, guess, square, size);
  return 5;
}

int
ge_arguments_of_general (const void *problem,
                         ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_general *g = problem;
  const size_t pair = 2 * gpueig_real_size (g->type);
  const int64_t square = ge_argument_count (g->n, g->n, g->pages);
  argument[0]
      = GE_SMALL_OUT (g, lambda, ge_argument_count (g->n, 1, g->pages), pair);
  argument[1] = GE_OUT (g, v, square, pair);
  argument[2] = GE_OUT (g, w, square, pair);
  argument[3] = GE_IN (g, a, square, gpueig_scalar_size (g->type));
  argument[4] = argument[3];
  argument[4].offset = offsetof (gpueig_general, b);
  return 5;
}

const ge_layout ge_layout_symmetric
    = GE_LAYOUT (gpueig_symmetric, , ge_arguments_of_symmetric,
                 .flags = offsetof (gpueig_symmetric, indefinite),
                 .flag_size = sizeof (int));

const ge_layout ge_layout_general
    = GE_LAYOUT (gpueig_general, , ge_arguments_of_general,
                 .flags = offsetof (gpueig_general, state), .flag_size = 1);
