/* Hooks for tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "base/system.h"

#include <string.h>

/* Where tests/base/count_blocks.c is preloaded; else -1.  */
static double
live_blocks (void)
{
  int64_t (*count) (void);
  *(void **) &count = ge_find_symbol ("gpueig_live_blocks");
  return count ? (double) count () : -1;
}

/* [failed, value] = __gpueig__ ("testing", WHAT, ARGUMENT), hooks for tests:
   "plugin"       use this file as the CUDA plugin
   "allocation"   make the K-th allocation fail; VALUE: number of allocations since the
                  last such call
   "device-call"  the same for checked CUDA calls
   "device-fault" cause a real fault at the K-th checked CUDA call; a further argument
                  is its kind, see gpueig_fault_device_call
   "interrupt"    raise an interrupt at the K-th poll, or the signal that a further
                  argument is; VALUE: number of polls
   "detached"     1 while a detached job runs
   "unwound"      number of calls that an exception has unwound
   "info"         info of the last command that was not a hook, without further fields
   "memory"       bytes of scratch memory held
   "trim"         free the cached scratch memory
   "blocks"       blocks of memory that the process holds  */
gpueig_status
mex_testing (mex_call *call)
{
  gpueig_context *ctx = call->ctx;
  const int n_args = call->n_args;
  const mxArray **args = call->args;
  char what[32];
  double value = 0, number = 0;
  if (n_args < 1 || mxGetString (args[0], what, sizeof what) != 0)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such hook");
  if (n_args > 1)
    mex_get_number (args[1], &number);
  const int64_t k = (int64_t) number;
  if (strcmp (what, "plugin") == 0 && n_args > 1 && mxIsChar (args[1]))
    {
      char *file = mxArrayToString (args[1]);
      gpueig_status status = gpueig_set_plugin (ctx, file);
      mxFree (file);
      if (status != GPUEIG_OK)
        return status;
    }
  else if (strcmp (what, "allocation") == 0)
    value = (double) gpueig_fail_allocation (ctx, k);
  else if (strcmp (what, "device-call") == 0)
    value = (double) gpueig_fail_device_call (ctx, k);
  else if (strcmp (what, "device-fault") == 0)
    {
      double kind = GPUEIG_FAULT_TRAP;
      if (n_args > 2)
        mex_get_number (args[2], &kind);
      value = (double) gpueig_fault_device_call (ctx, k, (gpueig_fault) kind);
    }
  else if (strcmp (what, "interrupt") == 0)
    {
      double signal = SIGINT;
      if (n_args > 2)
        mex_get_number (args[2], &signal);
      value = (double) mex_interrupt_at (k, (int) signal);
    }
  else if (strcmp (what, "detached") == 0)
    value = gpueig_detached (ctx);
  else if (strcmp (what, "unwound") == 0)
    value = (double) mex_unwound ();
  else if (strcmp (what, "memory") == 0)
    value = (double) gpueig_memory (ctx);
  else if (strcmp (what, "blocks") == 0)
    value = live_blocks ();
  else if (strcmp (what, "trim") == 0)
    gpueig_trim (ctx);
  else if (strcmp (what, "info") == 0)
    {
      call->out[0] = mex_info (mex_last_info (), NULL);
      return GPUEIG_OK;
    }
  else
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such hook");
  call->out[0] = mxCreateDoubleScalar (value);
  return GPUEIG_OK;
}
