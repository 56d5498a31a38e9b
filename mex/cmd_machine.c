/* Commands about the machine: machine (for gpu_info) and testing (hooks).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <string.h>

static mxArray *
devices (const gpueig_machine *machine)
{
  static const char *fields[] = { "name", "compute_capability",
                                  "multiprocessors", "memory", "memory_free" };
  mxArray *s = mxCreateStructMatrix (machine->n_devices > 0, machine->n_devices,
                                     5, fields);
  for (int i = 0; i < machine->n_devices; i++)
    {
      const gpueig_device *d = &machine->device[i];
      mxArray *cc = mxCreateDoubleMatrix (1, 2, mxREAL);
      mxGetPr (cc)[0] = d->compute_capability[0];
      mxGetPr (cc)[1] = d->compute_capability[1];
      mxSetField (s, i, "name", mxCreateString (d->name));
      mxSetField (s, i, "compute_capability", cc);
      mxSetField (s, i, "multiprocessors",
                  mxCreateDoubleScalar (d->multiprocessors));
      mxSetField (s, i, "memory", mxCreateDoubleScalar ((double) d->memory));
      mxSetField (s, i, "memory_free",
                  mxCreateDoubleScalar ((double) d->memory_free));
    }
  return s;
}

/* [failure, machine] = __gpueig__ ("machine")  */
gpueig_status
cmd_machine (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
             const mxArray *prhs[], gpueig_info *info)
{
  static const char *fields[]
      = { "backend",      "devices",      "version",     "threads", "blas",
          "blas_threads", "cuda_runtime", "cuda_driver", "reason" };
  gpueig_machine machine;
  (void) nrhs;
  (void) prhs;
  (void) info;
  gpueig_query (ctx, &machine);
  if (nlhs < 2)
    return GPUEIG_OK;
  mxArray *s = mxCreateStructMatrix (1, 1, 9, fields);
  mxSetField (s, 0, "backend", mxCreateString (machine.cuda ? "cuda" : "cpu"));
  mxSetField (s, 0, "devices", devices (&machine));
  mxSetField (s, 0, "version", mxCreateString (GPUEIG_VERSION));
  mxSetField (s, 0, "threads", mxCreateDoubleScalar (machine.threads));
  mxSetField (s, 0, "blas", mxCreateString (machine.blas));
  mxSetField (s, 0, "blas_threads",
              mxCreateDoubleScalar (machine.blas_threads));
  mxSetField (s, 0, "cuda_runtime",
              mxCreateDoubleScalar (machine.runtime_version));
  mxSetField (s, 0, "cuda_driver",
              mxCreateDoubleScalar (machine.driver_version));
  mxSetField (s, 0, "reason", mxCreateString (machine.reason));
  plhs[1] = s;
  return GPUEIG_OK;
}

/* [failure, value] = __gpueig__ ("testing", WHAT, ARGUMENT), hooks for tests:
   "plugin"       use this file as the CUDA plugin
   "allocation"   make the K-th allocation fail; how many there were
   "device-call"  the same for checked CUDA calls
   "device-fault" make a real fault at the K-th; a further argument is its kind,
                  see gpueig_fault_device_call
   "memory"       bytes of scratch memory held; "trim" gives the cache back  */
gpueig_status
cmd_testing (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
             const mxArray *prhs[], gpueig_info *info)
{
  char what[32];
  double value = 0;
  (void) info;
  if (nrhs < 1 || mxGetString (prhs[0], what, sizeof what) != 0)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such hook");
  int64_t k = nrhs > 1 && mxIsDouble (prhs[1]) && ! mxIsEmpty (prhs[1])
                  ? (int64_t) mxGetScalar (prhs[1])
                  : 0;
  if (strcmp (what, "plugin") == 0 && nrhs > 1 && mxIsChar (prhs[1]))
    {
      gpueig_status status = gpueig_set_plugin (ctx, mxArrayToString (prhs[1]));
      if (status != GPUEIG_OK)
        return status;
    }
  else if (strcmp (what, "allocation") == 0)
    value = (double) gpueig_fail_allocation (ctx, k);
  else if (strcmp (what, "device-call") == 0)
    value = (double) gpueig_fail_device_call (ctx, k);
  else if (strcmp (what, "device-fault") == 0)
    {
      int kind = nrhs > 2 ? (int) mxGetScalar (prhs[2]) : GPUEIG_FAULT_TRAP;
      value = (double) gpueig_fault_device_call (ctx, k, (gpueig_fault) kind);
    }
  else if (strcmp (what, "memory") == 0)
    value = (double) gpueig_memory (ctx);
  else if (strcmp (what, "trim") == 0)
    gpueig_trim (ctx);
  else
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such hook");
  if (nlhs > 1)
    plhs[1] = mxCreateDoubleScalar (value);
  return GPUEIG_OK;
}
