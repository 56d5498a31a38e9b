/* Whether a GPU solves a call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   What a GPU is faster at the library's planner knows, whose times for the CPU stand for
   LAPACK too.  The answer depends on the call alone, so that the same call has the same
   result; plan.c asks only where a call takes long enough for the start of a CUDA
   context.  */

#include "engine.h"

#include <stdatomic.h>
#include <unistd.h>

static atomic_int unusable; /* there is no GPU, or it was lost */
/* The first process that used a GPU: none of the children that it forks can use one.  */
static atomic_int user;

gpueig_function
ge_driver_function (ge_driver driver)
{
  static const gpueig_function functions[] = {
#define DRIVER_FUNCTION(id, real, complex, function, like)                     \
  GPUEIG_FUNCTION_##function,
    GE_DRIVERS (DRIVER_FUNCTION)
#undef DRIVER_FUNCTION
  };
  return functions[driver];
}

/* Make the forecast of R by the planner; zero if BACKEND cannot solve R.  */
static int
forecast (gpueig_context *ctx, const ge_request *r, gpueig_function function,
          gpueig_backend backend, gpueig_forecast *f)
{
  const gpueig_task task = { .function = function,
                             .type = r->type,
                             .n = ge_plan_order (r),
                             .pages = 1,
                             .vectors = r->vectors,
                             .pair = r->itype != 0,
                             .tridiagonal = function == GPUEIG_FUNCTION_MRRR };
  gpueig_options options = gpueig_default_options ();
  options.backend = backend;
  return gpueig_plan (ctx, &task, &options, f) == GPUEIG_OK;
}

/* Seconds that a GPU saves; not positive if it is not faster.  */
static double
saving (gpueig_context *ctx, const ge_request *r)
{
  const gpueig_function function = ge_driver_function (r->driver);
  gpueig_forecast any, cpu, gpu, schur = { .seconds = 0 };
  if (! forecast (ctx, r, function, GPUEIG_AUTO, &any)
      || any.backend != GPUEIG_CUDA
      || ! forecast (ctx, r, function, GPUEIG_CPU, &cpu)
      || ! forecast (ctx, r, function, GPUEIG_CUDA, &gpu))
    return 0;
  /* The Schur form that xGEEVX leaves in A is computed by a second call.  */
  if (r->driver == GE_GEEVX && r->vectors
      && ! forecast (ctx, r, GPUEIG_FUNCTION_SCHUR, GPUEIG_CUDA, &schur))
    return 0;
  return cpu.seconds - gpu.seconds - schur.seconds;
}

/* Nonzero if this process can use a GPU.  */
static int
may_use_gpu (void)
{
  const int me = (int) getpid ();
  int first = 0;
  return ! unusable
         && (atomic_compare_exchange_strong (&user, &first, me) || first == me);
}

gpueig_backend
ge_engine_plan (gpueig_context *ctx, const ge_request *r)
{
  if (r->on_gpu && may_use_gpu ()
      && (r->asked == GPUEIG_CUDA || saving (ctx, r) > 0))
    return GPUEIG_CUDA;
  return r->on_cpu ? GPUEIG_CPU : GPUEIG_AUTO;
}

void
ge_engine_lost_gpu (gpueig_status status)
{
  if (status == GPUEIG_NO_DEVICE || status == GPUEIG_DEVICE_ERROR)
    unusable = 1;
}
