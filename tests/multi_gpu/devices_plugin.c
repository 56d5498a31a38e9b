/* A plugin without CUDA that simulates several GPUs, for test_devices and test_lost.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   GPUEIG_FAKE_DEVICES is their number, 3 by default.  All solvers take memory of all
   kinds and make some checked calls.  The Jacobi solvers "solve" a page by
   lambda[i] = a[i] and v[i] = device, place in the stack, pages of the whole stack, pages of
   the share, for i = 0 to 3; a[0] of a page may request an error, see devices_plugin.h.
   The others compute nothing.
   The hooks gpueig_fail_device_call and gpueig_fault_device_call work as in the CUDA
   plugin: the first makes a call fail, the second loses the "GPU" or, for an invalid
   launch, makes the call fail.  Allocations are checked calls as well.  A call that uses a
   lost GPU, or memory that is not freed, ends the process with status 97.  */

#include "base/context.h"

#include "devices_plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
  CALLS = 4, /* checked ones of a solver */
  MISUSED = 97
};

typedef struct
{
  int blocks;
  pthread_t owner; /* the thread that selected it last */
  int device;
} fake_gpu;

/* Blocks of pinned memory that exist, for the test.  */
extern int fake_pinned;
__attribute__ ((visibility ("default"))) int fake_pinned;

/* Nonzero after one GPU was lost: memory of the others is not freed either.  */
static int any_lost;

static int
there (void)
{
  const char *text = getenv ("GPUEIG_FAKE_DEVICES");
  return text ? atoi (text) : 3;
}

static void
misused (const char *what)
{
  fprintf (stderr, "devices_plugin: %s\n", what);
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
  touch (ctx, "memory of a lost GPU was freed");
  if (__atomic_load_n (&any_lost, __ATOMIC_RELAXED))
    misused ("memory was freed after a GPU was lost");
  ((fake_gpu *) ctx->plugin_data)->blocks--;
  free (ptr);
}

static gpueig_status
fake_alloc_pinned (gpueig_context *ctx, size_t bytes, void **ptr)
{
  GE_TRY (fake_alloc (ctx, bytes, ptr));
  __atomic_fetch_add (&fake_pinned, 1, __ATOMIC_RELAXED);
  return GPUEIG_OK;
}

static void
fake_release_pinned (gpueig_context *ctx, void *ptr)
{
  __atomic_fetch_sub (&fake_pinned, 1, __ATOMIC_RELAXED);
  fake_release (ctx, ptr);
}

static int64_t
fake_available (gpueig_context *ctx)
{
  touch (ctx, "a lost GPU was asked for its memory");
  return 0;
}

static gpueig_status
fake_open (gpueig_context *ctx)
{
  const ge_memory memory = { .alloc = fake_alloc,
                             .release = fake_release,
                             .available = fake_available };
  const ge_memory pinned = { .alloc = fake_alloc_pinned,
                             .release = fake_release_pinned,
                             .available = fake_available };
  ctx->plugin_data = calloc (1, sizeof (fake_gpu));
  if (! ctx->plugin_data)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of memory");
  ctx->memory[GE_DEVICE] = memory;
  ctx->memory[GE_PINNED] = pinned;
  return GPUEIG_OK;
}

static void
fake_close (gpueig_context *ctx)
{
  fake_gpu *gpu = ctx->plugin_data;
  if (gpu->blocks > 0 && ! ge_device_is_lost (ctx))
    misused ("memory was left on a GPU");
  free (gpu);
  ctx->plugin_data = NULL;
}

static gpueig_status
fake_select (gpueig_context *ctx, int device)
{
  fake_gpu *gpu = ctx->plugin_data;
  if (device >= there ())
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE, "there is no GPU %d", device);
  gpu->owner = pthread_self ();
  gpu->device = device;
  return checked_call (ctx);
}

static gpueig_status
fake_count (gpueig_context *ctx, int *devices)
{
  *devices = there ();
  return checked_call (ctx);
}

static void
fake_query (gpueig_context *ctx, gpueig_machine *machine)
{
  touch (ctx, "a lost GPU was queried");
  machine->n_devices = there ();
}

static void
sleep_for (long ms)
{
  const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };
  nanosleep (&time, NULL);
}

/* Simulate the error that the first number of a page requests.  */
static gpueig_status
obey (gpueig_context *ctx, int64_t place, double what)
{
  gpueig_status status = GPUEIG_OK;
  if (what == FAKE_ERROR)
    return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "page %lld fails",
                        (long long) place);
  if (what == FAKE_NO_MEMORY)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "page %lld is too large",
                        (long long) place);
  if (what == FAKE_LOST)
    {
      __atomic_store_n (&any_lost, 1, __ATOMIC_RELAXED);
      return ge_device_lost (ctx, "cudaErrorFake in fake_kernel");
    }
  if (what == FAKE_LIMIT)
    return gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE, "page %lld is slow",
                        (long long) place);
  if (what == FAKE_REPORT)
    ge_report (ctx, "page %lld", (long long) place);
  /* Until it is stopped: a test that does not stop it never ends.  */
  while (what == FAKE_ENDLESS && status == GPUEIG_OK)
    {
      sleep_for (10);
      status = ge_check_interrupt (ctx);
    }
  return status;
}

/* Work for the threads of a context.  */
static void
no_piece (void *data, int64_t i, int thread)
{
  (void) data;
  (void) i;
  (void) thread;
}

static gpueig_status
pretend (gpueig_context *ctx, const void *problem, const ge_plan *plan,
         const gpueig_options *options, gpueig_info *info)
{
  const fake_gpu *gpu = ctx->plugin_data;
  char *device, *pinned, *host;
  (void) problem;
  (void) plan;
  if (! pthread_equal (gpu->owner, pthread_self ())
      || gpu->device != options->device)
    misused ("the device was not selected in this thread");
  ge_info_method (info, "pretend");
  ge_share_pass (ctx, 4, 1, no_piece, NULL);
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
    misused ("memory of a lost GPU was given out");
  return status;
}

static gpueig_status
fake_symmetric (gpueig_context *ctx, const void *problem, const ge_plan *plan,
                const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  const fake_gpu *gpu = ctx->plugin_data;
  gpueig_status worst = GPUEIG_OK;
  GE_TRY (pretend (ctx, problem, plan, options, info));
  for (int64_t p = 0; p < s->pages; p++)
    {
      const double *a = (const double *) s->a + p * s->n * s->n;
      const double tell[]
          = { gpu->device, (double) (ctx->first_page + p),
              (double) ge_stack_pages (ctx, s->pages), (double) s->pages };
      const gpueig_status status = obey (ctx, ctx->first_page + p, a[0]);
      if (status == GPUEIG_NO_CONVERGENCE)
        worst = status;
      else
        GE_TRY (status);
      memcpy ((double *) s->lambda + p * s->n, a,
              (size_t) s->n * sizeof (double));
      if (s->v)
        memcpy ((double *) s->v + p * s->n * s->n, tell, sizeof tell);
      if (a[0] > 0 && (int64_t) a[0] > info->sweeps)
        info->sweeps = (int64_t) a[0];
    }
  ge_info_extra (info, "normal_accuracy", (double) s->pages);
  return worst;
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
    [GE_JACOBI_EIG] = fake_symmetric,
    [GE_ONESIDED_EIG] = fake_symmetric,
    [GE_EIG_SYMMETRIC] = pretend,
    [GE_MRRR] = pretend,
    [GE_TDINV] = pretend,
    [GE_EIG_GENERAL] = pretend,
    [GE_COMPLEX_EIG] = pretend,
    [GE_SCHUR] = pretend,
    [GE_SVD] = pretend,
  },
};
