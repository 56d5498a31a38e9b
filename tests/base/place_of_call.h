/* Calls of solvers of the simulated GPU of place_plugin.c: checks, and the processor's solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PLACE_OF_CALL_H
#define PLACE_OF_CALL_H 1

#include "place_memory.h"
#include "run/solvers.h"

/* The arrays of PROBLEM are where solver ID takes them on a GPU.  */
static inline gpueig_status
check_place (gpueig_context *ctx, ge_solver_id id, const void *problem,
             unsigned takes)
{
  const ge_layout *layout = ctx->solvers[id]->layout;
  ge_argument x[GE_ARGUMENTS];
  if (takes & GE_PANELS)
    return GPUEIG_OK;
  int good = ge_spaces_of (layout, problem).matrices == GE_DEVICE;
  for (int i = layout->arguments (problem, x) - 1; i >= 0; i--)
    {
      const void *at = ge_pointer_at (problem, x[i].offset);
      const int there = ! x[i].small || (takes & GE_VALUES);
      good &= ! at || x[i].count == 0 || is_device (at) == there;
    }
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                             "an array is not where the method takes it");
}

/* Solve PROBLEM by the processor's solver ID.  The large inputs that a method of a GPU
   overwrites are spoilt before that, unless results are there.  */
static inline gpueig_status
solve_there (ge_solver_id id, gpueig_context *ctx, const void *problem,
             const ge_plan *plan, const gpueig_options *options,
             gpueig_info *info)
{
  const ge_solver_entry *entry = ctx->solvers[id];
  char copy[GE_PROBLEM_BYTES];
  ge_argument x[GE_ARGUMENTS];
  ge_shape shape;
  ge_plan own = *plan;
  own.backend = GPUEIG_CPU;
  entry->describe (problem, &shape);
  shape.high_accuracy = options->high_accuracy;
  const unsigned takes
      = entry->takes ? entry->takes (&shape, plan->method) : entry->uses;
  GE_TRY (check_place (ctx, id, problem, takes));
  const int count
      = takes & GE_OVERWRITES ? entry->layout->arguments (problem, x) : 0;
  memcpy (copy, problem, entry->layout->size);
  /* The processor's solvers reach this memory.  */
  if (entry->layout->place)
    memset (copy + entry->layout->place, 0, sizeof (gpueig_place));
  for (int i = 0; i < count; i++)
    {
      void *given = ge_pointer_at (problem, x[i].offset), *mine;
      const size_t bytes = (size_t) x[i].count * x[i].size;
      if (x[i].kind != GE_INPUT || x[i].small || ! given)
        continue;
      GE_TRY (ge_alloc (ctx, GE_HOST, 1, bytes, &mine));
      memcpy (mine, given, bytes);
      memset (given, 0xff, bytes);
      ge_set_pointer (copy, x[i].offset, mine);
    }
  return entry->cpu (ctx, copy, &own, options, info);
}

#endif
