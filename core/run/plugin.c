/* Contexts, the plugin, and what gpueig_query reports.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "devices/devices.h"
#include "gpueig_array.h"
#include "run/plan.h"
#include "run/solvers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
gpueig_status_id (gpueig_status status)
{
  static const char *const id[] = {
#define STATUS_ID(name, id, text) id,
    GPUEIG_STATUS_LIST (STATUS_ID)
#undef STATUS_ID
  };
  return id[status];
}

const char *
gpueig_status_text (gpueig_status status)
{
  static const char *const text[] = {
#define STATUS_TEXT(name, id, text) text,
    GPUEIG_STATUS_LIST (STATUS_TEXT)
#undef STATUS_TEXT
  };
  return text[status];
}

gpueig_options
gpueig_default_options (void)
{
  return (gpueig_options){ .method = "auto" };
}

/* --- creation and destruction --- */

gpueig_status
gpueig_create (gpueig_context **ctx)
{
  *ctx = calloc (1, sizeof **ctx);
  if (! *ctx)
    return GPUEIG_OUT_OF_MEMORY;
  (*ctx)->selected = -1;
  ge_workspace_begin (*ctx);
  return GPUEIG_OK;
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
  /* No dlclose: threads of the CUDA runtime may still execute its code.  */
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
  ge_workspace_end (ctx);
  free (ctx->plugin_file);
  free (ctx->worker_file);
  free (ctx);
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

/* --- plugin --- */

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

/* Set ctx->plugin_file to the default: gpueig_cuda.so in the folder of the file that
   contains this code or in its subfolder gpueig; the former if neither exists.  */
static void
find_plugin (gpueig_context *ctx)
{
  static const char *const places[]
      = { "gpueig_cuda.so", "gpueig/gpueig_cuda.so" };
  Dl_info self;
  char file[4096];
  if (! dladdr (&ge_method_table, &self) || ! self.dli_fname)
    return;
  const char *slash = strrchr (self.dli_fname, '/');
  const int length = slash ? (int) (slash - self.dli_fname) + 1 : 0;
  for (int i = 0; i < 2; i++)
    {
      const int size = snprintf (file, sizeof file, "%.*s%s", length,
                                 self.dli_fname, places[i]);
      if (size >= (int) sizeof file
          || (access (file, R_OK) != 0 && (i > 0 || ctx->plugin_file)))
        continue;
      char *copy = strdup (file);
      if (! copy)
        return;
      free (ctx->plugin_file);
      ctx->plugin_file = copy;
      if (access (file, R_OK) == 0)
        return;
    }
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
  FILE *there = fopen (ctx->plugin_file, "rb");
  if (! there)
    {
      NO_CUDA ("the CUDA plugin %.150s is missing; a build on a machine with "
               "nvcc makes it",
               ctx->plugin_file);
      return;
    }
  fclose (there);
  void *handle = dlopen (ctx->plugin_file, RTLD_NOW | RTLD_LOCAL);
  if (! handle)
    {
      NO_CUDA ("the CUDA plugin cannot be loaded: %.200s", dlerror ());
      return;
    }
  const ge_plugin *plugin = dlsym (handle, "gpueig_plugin");
  if (! plugin || strcmp (plugin->abi, GE_PLUGIN_ABI) != 0)
    {
      NO_CUDA ("the CUDA plugin is of another version (%s, wanted %s)",
               plugin ? plugin->abi : "unknown", GE_PLUGIN_ABI);
      dlclose (handle);
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
  /* What the libraries map and never write is not memory that this call was granted.  */
  const int64_t before = ge_unwritten ();
  open_plugin (ctx);
  ctx->unwritten += ge_unwritten () - before;
}

/* Write to TEXT, of SIZE bytes, the reason why no GPU can be used.  */
static void
why_no_gpu (const gpueig_context *ctx, char *text, size_t size)
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
      why_no_gpu (ctx, machine->reason, sizeof machine->reason);
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

gpueig_status
ge_no_gpu (gpueig_context *ctx)
{
  char why[sizeof ctx->message];
  why_no_gpu (ctx, why, sizeof why);
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
  if (ctx->selected != device)
    GE_TRY (gpueig_array_wait (ctx));
  const gpueig_status status = ctx->plugin->select (ctx, device);
  ctx->selected = status == GPUEIG_OK ? device : -1;
  return status;
}
