/* Contexts: the only file that knows all solvers and what else a context owns.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "lapack/integers.h"
#include "run/devices.h"
#include "plan/plan.h"
#include "run/solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- creation and destruction --- */

const ge_solver_entry *const ge_solvers[GE_SOLVERS] = {
#define GE_ENTRY(solver, name) &ge_##name##_entry,
  GE_SOLVER_LIST (GE_ENTRY)
#undef GE_ENTRY
};

gpueig_status
gpueig_create (gpueig_context **ctx)
{
  *ctx = NULL;
  return ge_has_short_integers (idamax_) ? ge_new_context (ge_solvers, ctx)
                                         : GPUEIG_WRONG_BLAS;
}

static void
unload_plugin (gpueig_context *ctx)
{
  if (ctx->plugin)
    {
      ge_lose_arrays (ctx);
      ge_close_children (ctx);
      ge_trim_space (ctx, GE_DEVICE, 0);
      ge_trim_space (ctx, GE_PINNED, 0);
      ctx->plugin->close (ctx);
      ctx->plugin = NULL;
      ctx->selected = -1;
    }
  /* Do not call dlclose: threads of the CUDA runtime may still execute the plugin's
     code.  */
  ctx->plugin_handle = NULL;
  ctx->plugin_tried = 0;
  ctx->plugin_reason[0] = '\0';
  ctx->fault[0] = '\0';
  ctx->fault_told = 0;
}

void
gpueig_destroy (gpueig_context *ctx)
{
  if (! ctx)
    return;
  ge_join_detached (ctx);
  ge_end_threads (ctx);
  ge_release (ctx, 0);
  unload_plugin (ctx);
  ge_end_arrays (ctx);
  ge_forget_machine (ctx);
  ge_free_context (ctx);
}

void
gpueig_set_callbacks (gpueig_context *ctx, const gpueig_callbacks *cb)
{
  ctx->callbacks = cb ? *cb : (gpueig_callbacks){ 0 };
}

void
gpueig_trim (gpueig_context *ctx)
{
  for (int s = 0; s < GE_SPACES; s++)
    ge_trim_space (ctx, (ge_space) s, 0);
  ge_trim_children (ctx, GE_HOST);
}

/* --- files --- */

/* *COPY = a copy of FILE; NULL if FILE is NULL or "".  */
static gpueig_status
copy_name (gpueig_context *ctx, const char *file, char **copy)
{
  *copy = NULL;
  if (! file || ! *file)
    return GPUEIG_OK;
  *copy = strdup (file);
  return *copy ? GPUEIG_OK
               : gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of memory");
}

gpueig_status
gpueig_set_plugin (gpueig_context *ctx, const char *file)
{
  char *copy;
  GE_TRY (copy_name (ctx, file, &copy));
  unload_plugin (ctx);
  free (ctx->plugin_file);
  ctx->plugin_file = copy;
  ctx->plugin_named = 1;
  return GPUEIG_OK;
}

gpueig_status
gpueig_set_worker (gpueig_context *ctx, const char *file)
{
  char *copy;
  GE_TRY (copy_name (ctx, file, &copy));
  free (ctx->worker_file);
  ctx->worker_file = copy;
  return GPUEIG_OK;
}

/* --- the machine --- */

void
gpueig_query (gpueig_context *ctx, gpueig_machine *machine)
{
  memset (machine, 0, sizeof *machine);
  ge_load_plugin (ctx);
  machine->threads = ge_threads ();
  snprintf (machine->blas, sizeof machine->blas, "%s", ge_blas_description ());
  machine->blas_threads = ge_blas_threads ();
  /* The query itself may reveal a fault.  */
  if (ctx->plugin && ! ge_device_is_lost (ctx))
    ctx->plugin->query (ctx, machine);
  if (! ctx->plugin || ge_device_is_lost (ctx))
    {
      machine->n_devices = 0;
      ge_why_no_gpu (ctx, machine->reason, sizeof machine->reason);
    }
  else
    {
      for (int i = 0; i < machine->n_devices; i++)
        machine->cuda |= ! machine->device[i].reason[0];
      if (! machine->cuda)
        (void) snprintf (machine->reason, sizeof machine->reason, "%s",
                         machine->n_devices > 0 ? machine->device[0].reason
                                                : "the driver finds no GPU");
    }
  ge_mpi_query (ctx, machine);
}
