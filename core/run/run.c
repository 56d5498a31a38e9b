/* The beginning of a call, its options, and its end.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/devices.h"
#include "run/solvers.h"

#include <omp.h>

/* --- beginning and end of a call --- */

/* While a detached job runs, this library and the BLAS use half of the threads: both
   share the thread pool of the BLAS, and with more threads than processors most time
   is spent in barriers.  */
static void
begin_threads (gpueig_context *ctx)
{
  ctx->omp_threads = ge_threads ();
  if (! gpueig_detached (ctx))
    return;
  omp_set_num_threads ((ctx->omp_threads + 1) / 2);
  ge_limit_blas (ctx, GE_BLAS_HALF);
}

static void
end_threads (gpueig_context *ctx)
{
  if (ge_threads () != ctx->omp_threads)
    omp_set_num_threads (ctx->omp_threads);
  ge_end_blas_limits (ctx);
}

int
gpueig_reset (gpueig_context *ctx)
{
  ctx->unwritten = -1;
  if (! ctx->depth)
    return 0;
  ctx->depth = 0;
  ge_release (ctx, 0);
  ctx->in_use = 0;
  end_threads (ctx);
  return 1;
}

void
ge_begin (ge_call *call, gpueig_context *ctx, const gpueig_options **options,
          gpueig_info **info)
{
  if (! *options || ! (*options)->method)
    {
      call->default_options = *options ? **options : gpueig_default_options ();
      call->default_options.method = "auto";
      *options = &call->default_options;
    }
  if (! *info)
    *info = &call->own_info;
  if (ctx->depth++ == 0)
    {
      begin_threads (ctx);
      if (ctx->wait_arrays)
        ctx->wait_arrays (ctx);
    }
  call->ctx = ctx;
  call->info = *info;
  call->is_auto = (*options)->backend == GPUEIG_AUTO;
  call->mark = ge_mark (ctx);
  call->start = ge_now ();
  ctx->peak = ctx->in_use;
  ctx->message[0] = '\0';
  ctx->display = (*options)->display;
  ctx->start = ctx->last_line = call->start;
  ge_info_begin (*info);
}

/* Set info->device_lost in the first call with GPUEIG_AUTO that succeeds after the
   loss of the GPU.  */
static void
report_lost_device (ge_call *call, gpueig_status status)
{
  gpueig_context *ctx = call->ctx;
  if (! call->is_auto || ctx->fault_told || ! ge_device_is_lost (ctx)
      || (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE))
    return;
  ctx->fault_told = 1;
  call->info->device_lost = 1;
}

gpueig_status
ge_end (ge_call *call, gpueig_status status)
{
  ge_release (call->ctx, call->mark);
  if (--call->ctx->depth == 0)
    {
      end_threads (call->ctx);
      call->ctx->unwritten = -1;
    }
  call->info->time_total = ge_now () - call->start;
  call->info->memory = call->ctx->peak;
  if (status == GPUEIG_NO_CONVERGENCE)
    call->info->converged = 0;
  if (status == GPUEIG_OK)
    call->ctx->message[0] = '\0';
  report_lost_device (call, status);
  return status;
}
