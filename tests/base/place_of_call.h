/* What the simulated GPU of place_plugin.c checks of every call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PLACE_OF_CALL_H
#define PLACE_OF_CALL_H 1

#include "run/solvers.h"

#include <string.h>

/* A solver of a GPU that reads either would read another memory.  */
static inline gpueig_status
check_place (gpueig_context *ctx, ge_solver_id id, const void *problem)
{
  const size_t at = ge_solvers[id]->layout->place;
  gpueig_place place = GPUEIG_HOST;
  if (at > 0)
    memcpy (&place, (const char *) problem + at, sizeof place);
  return at == 0 || (place == GPUEIG_DEVICE) == (ctx->on_device != 0)
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                            "the problem is not where the call is");
}

#endif
