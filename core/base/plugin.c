/* A context, and the plugin that it loads: its file, why it cannot be used, the selected
   GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gpueig_status
ge_new_context (const struct ge_solver_entry *const *solvers,
                gpueig_context **ctx)
{
  *ctx = calloc (1, sizeof **ctx);
  if (! *ctx)
    return GPUEIG_OUT_OF_MEMORY;
  (*ctx)->selected = -1;
  (*ctx)->solvers = solvers;
  ge_workspace_begin (*ctx);
  return GPUEIG_OK;
}

void
ge_free_context (gpueig_context *ctx)
{
  ge_join_detached (ctx);
  ge_end_threads (ctx);
  ge_release (ctx, 0);
  ge_workspace_end (ctx);
  free (ctx->plugin_file);
  free (ctx->worker_file);
  free (ctx);
}

static int
can_read (const char *file)
{
  FILE *f = fopen (file, "rb");
  if (f)
    fclose (f);
  return f != NULL;
}

/* Set ctx->plugin_file to the default: gpueig_cuda.so in the folder of the file that
   contains this code or in its subfolder gpueig; the former if neither exists.  */
static void
find_plugin (gpueig_context *ctx)
{
  static const char *const places[]
      = { "gpueig_cuda.so", "gpueig/gpueig_cuda.so" };
  char folder[4096], file[4096];
  if (! ge_own_folder (folder, sizeof folder))
    return;
  for (int i = 0; i < 2; i++)
    {
      const int size = snprintf (file, sizeof file, "%s%s", folder, places[i]);
      if (size >= (int) sizeof file
          || (! can_read (file) && (i > 0 || ctx->plugin_file)))
        continue;
      char *copy = strdup (file);
      if (! copy)
        return;
      free (ctx->plugin_file);
      ctx->plugin_file = copy;
      if (can_read (file))
        return;
    }
}

#define NO_CUDA(...)                                                           \
  (void) snprintf (ctx->plugin_reason, sizeof ctx->plugin_reason, __VA_ARGS__)

/* Load the plugin from its file, or say why not.  */
static void
open_plugin (gpueig_context *ctx)
{
  if (! ctx->plugin_named && ! ctx->plugin_file)
    find_plugin (ctx);
  if (! ctx->plugin_file)
    {
      NO_CUDA ("this build has no CUDA plugin (nvcc was not found)");
      return;
    }
  if (! can_read (ctx->plugin_file))
    {
      NO_CUDA ("the CUDA plugin %.150s is missing; a build on a machine with "
               "nvcc makes it",
               ctx->plugin_file);
      return;
    }
  char why[256];
  void *handle = ge_open_library (ctx->plugin_file, why, sizeof why);
  if (! handle)
    {
      NO_CUDA ("the CUDA plugin cannot be loaded: %.200s", why);
      return;
    }
  const ge_plugin *plugin = ge_library_symbol (handle, "gpueig_plugin");
  if (! plugin || strcmp (plugin->abi, GE_PLUGIN_ABI) != 0)
    {
      NO_CUDA ("the CUDA plugin is of another version (%s, wanted %s)",
               plugin ? plugin->abi : "unknown", GE_PLUGIN_ABI);
      ge_close_library (handle);
      return;
    }
  if (plugin->open (ctx) != GPUEIG_OK)
    {
      NO_CUDA ("%.255s", ctx->message);
      ctx->message[0] = '\0';
      return;
    }
  ctx->plugin_handle = handle;
  ctx->plugin = plugin;
}

/* The libraries of CUDA and its driver write this much host memory when they are loaded,
   on any machine; the kernel would end the process if it were not there.  */
#define PLUGIN_BYTES ((double) (256 << 20))

void
ge_load_plugin (gpueig_context *ctx)
{
  if (ctx->plugin_tried)
    return;
  if (gpueig_need_memory (ctx, PLUGIN_BYTES, "the CUDA plugin") != GPUEIG_OK)
    {
      NO_CUDA ("%.255s", ctx->message);
      ctx->message[0] = '\0';
      return;
    }
  ctx->plugin_tried = 1;
  /* Memory that libraries map and never write was not granted to this call.  */
  const int64_t before = ge_unwritten ();
  open_plugin (ctx);
  ctx->unwritten += ge_unwritten () - before;
}

void
ge_why_no_gpu (const gpueig_context *ctx, char *text, size_t size)
{
  if (ge_device_is_lost (ctx))
    (void) snprintf (
        text, size,
        "the GPU was lost by an earlier fault (%.159s); this process "
        "(Octave) must be restarted to use it",
        ctx->fault);
  else
    (void) snprintf (text, size, "%s", ctx->plugin_reason);
}

gpueig_status
ge_no_gpu (gpueig_context *ctx)
{
  char why[sizeof ctx->message];
  ge_why_no_gpu (ctx, why, sizeof why);
  return gpueig_fail (ctx, GPUEIG_NO_DEVICE, "no usable GPU: %.480s", why);
}

gpueig_status
ge_need_gpu (gpueig_context *ctx)
{
  ge_load_plugin (ctx);
  return ctx->plugin && ! ge_device_is_lost (ctx) ? GPUEIG_OK : ge_no_gpu (ctx);
}

gpueig_status
ge_select_device (gpueig_context *ctx, int device)
{
  if (ctx->selected != device && ctx->wait_arrays)
    GE_TRY (ctx->wait_arrays (ctx));
  const gpueig_status status = ctx->plugin->select (ctx, device);
  ctx->selected = status == GPUEIG_OK ? device : -1;
  return status;
}
