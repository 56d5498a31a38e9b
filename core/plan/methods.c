/* The table of methods, and the option "Method".
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "plan/plan.h"

#include <stdio.h>
#include <string.h>

const ge_method_row ge_method_table[GE_METHODS]
    = { [GE_AUTO] = { .name = "auto" },
#define ROW(its_solver, method, its_name, its_places, its_traits, order)       \
  [GE_METHOD_##method] = { .solver = GE_##its_solver,                          \
                           .name = its_name,                                   \
                           .places = its_places,                               \
                           .traits = its_traits,                               \
                           .largest = order },
        GE_METHOD_LIST (ROW)
#undef ROW
      };

ge_method
ge_find_method (ge_solver_id solver, const char *name)
{
  if (strcmp (name, ge_method_table[GE_AUTO].name) == 0)
    return GE_AUTO;
  for (int m = GE_AUTO + 1; m < GE_METHODS; m++)
    if (ge_method_table[m].solver == solver
        && ! (ge_method_table[m].traits & GE_UNNAMED)
        && strcmp (ge_method_table[m].name, name) == 0)
      return (ge_method) m;
  return GE_METHODS;
}

int
ge_ran (const gpueig_info *info, ge_method method)
{
  return strcmp (info->method, ge_method_table[method].name) == 0;
}

/* Write to TEXT, of SIZE bytes, the names of SOLVER's methods in PLACES, BEFORE first.  */
static void
list_methods (ge_solver_id solver, unsigned places, const char *before,
              char *text, size_t size)
{
  size_t used = (size_t) snprintf (text, size, "%s", before);
  for (int m = GE_AUTO + 1; m < GE_METHODS && used < size; m++)
    {
      const ge_method_row *row = &ge_method_table[m];
      if (row->solver == solver && (row->places & places)
          && ! (row->traits & GE_UNNAMED))
        used += (size_t) snprintf (text + used, size - used, "%s\"%s\"",
                                   used > 0 ? ", " : "", row->name);
    }
}

gpueig_status
ge_parse_method (gpueig_context *ctx, ge_solver_id solver,
                 const gpueig_options *options, ge_method *method)
{
  const unsigned places
      = options->backend == GPUEIG_MPI ? GE_ON_MPI : GE_ON_BOTH;
  char names[256];
  *method = ctx->measured != GE_AUTO ? ctx->measured
                                     : ge_find_method (solver, options->method);
  if (*method == GE_AUTO
      || (*method < GE_METHODS && (ge_method_table[*method].places & places)))
    return GPUEIG_OK;
  list_methods (solver, places, "\"auto\"", names, sizeof names);
  return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                      "unknown method \"%.80s\"; there are %s", options->method,
                      names);
}

gpueig_status
ge_check_method (gpueig_context *ctx, ge_solver_id solver, ge_method method,
                 gpueig_backend backend, const ge_shape *shape)
{
  const ge_method_row *row = &ge_method_table[method];
  const unsigned traits = row->traits;
  char names[256];
  if (method == GE_AUTO)
    return GPUEIG_OK;
  if (backend == GPUEIG_CPU && ! (row->places & GE_ON_CPU))
    {
      list_methods (solver, GE_ON_CPU, "", names, sizeof names);
      return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                          "method \"%s\" needs a GPU; on the CPU there are %s",
                          row->name, names);
    }
  if (backend == GPUEIG_CUDA && ! (row->places & GE_ON_CUDA))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "method \"%s\" is LAPACK's and runs on the CPU only",
                        row->name);
  if (shape->part > 1 && (traits & GE_TAKES_PART) == GE_TAKES_RANGE)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "method \"%s\" computes parts of the spectrum by "
                        "indices, not by an interval",
                        row->name);
  if (shape->pair && ! (traits & GE_TAKES_PAIR))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "method \"%s\" does not take a pair (A, B)", row->name);
  if (row->largest > 0 && shape->n > row->largest)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "method \"%s\" takes orders up to %lld, not %lld",
                        row->name, (long long) row->largest,
                        (long long) shape->n);
  return GPUEIG_OK;
}

gpueig_status
ge_check_devices (gpueig_context *ctx, const gpueig_options *options)
{
  if (options->n_devices < GPUEIG_ALL_DEVICES
      || options->n_devices > GPUEIG_MAX_DEVICES)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "%d devices were asked for, %d are the most",
                        options->n_devices, GPUEIG_MAX_DEVICES);
  for (int i = 0; i < options->n_devices; i++)
    {
      if (options->devices[i] < 0)
        return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                            "devices are counted from 0, but one is %d",
                            options->devices[i]);
      for (int j = 0; j < i; j++)
        if (options->devices[i] == options->devices[j])
          return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                              "device %d is twice in the list",
                              options->devices[i]);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_check_options (gpueig_context *ctx, ge_solver_id solver,
                  const gpueig_options *options, ge_method *method)
{
  if (! (options->tol >= 0 && options->tol < 1) || options->max_sweeps < 0
      || options->max_rotations < 0 || options->device < 0
      || options->workers < 0)
    return gpueig_fail (
        ctx, GPUEIG_BAD_OPTION,
        "options are out of range: tolerance %g (0 to 1), sweeps "
        "%lld, rotations %lld, device %d, workers %d (all not negative)",
        options->tol, (long long) options->max_sweeps,
        (long long) options->max_rotations, options->device, options->workers);
  if ((unsigned) options->backend > GPUEIG_MPI)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION, "unknown backend %d",
                        (int) options->backend);
  if (options->n_devices != 0)
    GE_TRY (ge_check_devices (ctx, options));
  return ge_parse_method (ctx, solver, options, method);
}
