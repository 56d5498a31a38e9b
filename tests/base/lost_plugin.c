/* A plugin without CUDA, for the tests of a lost GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Its solvers take memory of all kinds, make some checked calls and compute nothing.
   The hooks gpueig_fail_device_call and gpueig_fault_device_call work as in the CUDA
   plugin: the first makes a call fail, the second loses the "GPU" or, for an invalid
   launch, makes the call fail.  Allocations are checked calls as well.  A call after
   the GPU was lost, or memory that is not freed, ends the process with status 97.  */

#include "base/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum
{
  CALLS = 4,
  MISUSED = 97
};

typedef struct
{
  int blocks; /* of device and pinned memory that are allocated */
} fake_gpu;

static void
misused (const char *what)
{
  fprintf (stderr, "lost_plugin: %s\n", what);
  _exit (MISUSED);
}

static void
touch (const gpueig_context *ctx, const char *what)
{
  if (ge_device_is_lost (ctx))
    misused (what);
}

static gpueig_status
checked_call (gpueig_context *ctx)
{
  touch (ctx, "a call after the GPU was lost");
  ctx->device_count++;
  if (ctx->device_fail && ctx->device_count == ctx->device_fail)
    return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR,
                        "cudaErrorUnknown (simulated) in pretend_kernel");
  if (! ctx->device_fault || ctx->device_count != ctx->device_fault)
    return GPUEIG_OK;
  if (ctx->fault_kind == GPUEIG_FAULT_LAUNCH)
    return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR,
                        "cudaErrorInvalidConfiguration in impossible_launch");
  return ge_device_lost (ctx, "%s",
                         ctx->fault_kind == GPUEIG_FAULT_TRAP
                             ? "cudaErrorLaunchFailure in trap_kernel"
                             : "cudaErrorIllegalAddress in "
                               "wild_address_kernel");
}

static gpueig_status
fake_alloc (gpueig_context *ctx, size_t bytes, void **ptr)
{
  GE_TRY (checked_call (ctx));
  *ptr = malloc (bytes);
  if (! *ptr)
    return GPUEIG_OUT_OF_MEMORY;
  ((fake_gpu *) ctx->plugin_data)->blocks++;
  return GPUEIG_OK;
}

static void
fake_release (gpueig_context *ctx, void *ptr)
{
  touch (ctx, "memory of the lost GPU was freed");
  ((fake_gpu *) ctx->plugin_data)->blocks--;
  free (ptr);
}

static int64_t
fake_available (gpueig_context *ctx)
{
  touch (ctx, "the lost GPU was asked for its memory");
  return 0;
}

static gpueig_status
fake_open (gpueig_context *ctx)
{
  const ge_memory memory = { .alloc = fake_alloc,
                             .release = fake_release,
                             .available = fake_available };
  ctx->plugin_data = calloc (1, sizeof (fake_gpu));
  if (! ctx->plugin_data)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of memory");
  ctx->memory[GE_DEVICE] = memory;
  ctx->memory[GE_PINNED] = memory;
  return GPUEIG_OK;
}

static void
fake_close (gpueig_context *ctx)
{
  fake_gpu *gpu = ctx->plugin_data;
  if (gpu->blocks > 0 && ! ge_device_is_lost (ctx))
    misused ("memory was left on the GPU");
  free (gpu);
  ctx->plugin_data = NULL;
}

static gpueig_status
fake_select (gpueig_context *ctx, int device)
{
  (void) device;
  return checked_call (ctx);
}

static gpueig_status
fake_count (gpueig_context *ctx, int *devices)
{
  *devices = 1;
  return checked_call (ctx);
}

static void
fake_query (gpueig_context *ctx, gpueig_machine *machine)
{
  touch (ctx, "the lost GPU was queried");
  machine->n_devices = 1;
  snprintf (machine->device[0].name, sizeof machine->device[0].name,
            "pretended GPU");
}

static gpueig_status
pretend (gpueig_context *ctx, const void *problem, const ge_plan *plan,
         const gpueig_options *options, gpueig_info *info)
{
  char *device, *pinned, *host;
  (void) problem;
  (void) plan;
  (void) options;
  ge_info_method (info, "pretend");
  /* One block for the cache.  */
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 9000, &device));
  ge_release (ctx, mark);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1000, &device));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2000, &pinned));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 3000, &host));
  gpueig_status status = GPUEIG_OK;
  for (int i = 0; i < CALLS && status == GPUEIG_OK; i++)
    status = checked_call (ctx);
  if (ge_device_is_lost (ctx)
      && GE_ALLOC (ctx, GE_DEVICE, 9000, &device) == GPUEIG_OK)
    misused ("memory of the lost GPU was given out");
  return status;
}

extern const ge_plugin gpueig_plugin;

__attribute__ ((visibility ("default"))) const ge_plugin gpueig_plugin = {
  .abi = GE_PLUGIN_ABI,
  .open = fake_open,
  .close = fake_close,
  .select = fake_select,
  .count = fake_count,
  .query = fake_query,
  .solver = {
    [GE_JACOBI_EIG] = pretend,
    [GE_ONESIDED_EIG] = pretend,
    [GE_EIG_SYMMETRIC] = pretend,
    [GE_MRRR] = pretend,
    [GE_TDINV] = pretend,
    [GE_EIG_GENERAL] = pretend,
    [GE_COMPLEX_EIG] = pretend,
    [GE_SCHUR] = pretend,
  },
};
