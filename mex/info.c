/* The output info, the machine for gpu_info, and hooks for tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <malloc.h>
#include <string.h>

/* The fields of info that every call has, in this order.  */
enum
{
  BACKEND,
  DEVICE,
  METHOD,
  CONVERGED,
  SWEEPS,
  OFF,
  FALLBACK,
  TIME,
  MEMORY,
  FIELDS
};

/* The number of the GPU, or of each; -1 on the CPU.  */
static mxArray *
devices_used (const gpueig_info *info)
{
  if (info->n_devices < 2)
    return mxCreateDoubleScalar (info->device);
  mxArray *list = mxCreateDoubleMatrix (1, (mwSize) info->n_devices, mxREAL);
  for (int i = 0; i < info->n_devices; i++)
    mxGetPr (list)[i] = info->devices[i];
  return list;
}

mxArray *
mex_info (const gpueig_info *info)
{
  static const char *common[FIELDS]
      = { "backend", "device",   "method", "converged", "sweeps",
          "off",     "fallback", "time",   "memory" };
  static const char *clocks[] = { "total", "transfer", "solve" };
  const char *fields[FIELDS + GPUEIG_MAX_EXTRA];
  memcpy (fields, common, sizeof common);
  for (int i = 0; i < info->n_extra; i++)
    fields[FIELDS + i] = info->extra[i].name;
  mxArray *s = mxCreateStructMatrix (1, 1, FIELDS + info->n_extra, fields);
  mxArray *off = mxCreateDoubleMatrix (1, (mwSize) info->n_off, mxREAL);
  mxArray *time = mxCreateStructMatrix (1, 1, 3, clocks);
  memcpy (mxGetPr (off), info->off, (size_t) info->n_off * sizeof (double));
  const double seconds[]
      = { info->time_total, info->time_transfer, info->time_solve };
  for (int i = 0; i < 3; i++)
    mxSetFieldByNumber (time, 0, i, mxCreateDoubleScalar (seconds[i]));
  mxArray *const values[FIELDS] = {
    [BACKEND] = mxCreateString (info->backend),
    [DEVICE] = devices_used (info),
    [METHOD] = mxCreateString (info->method),
    [CONVERGED] = mxCreateLogicalScalar (info->converged != 0),
    [SWEEPS] = mxCreateDoubleScalar ((double) info->sweeps),
    [OFF] = off,
    [FALLBACK] = mxCreateString (info->fallback),
    [TIME] = time,
    [MEMORY] = mxCreateDoubleScalar ((double) info->memory),
  };
  for (int i = 0; i < FIELDS; i++)
    mxSetFieldByNumber (s, 0, i, values[i]);
  for (int i = 0; i < info->n_extra; i++)
    mxSetFieldByNumber (s, 0, FIELDS + i,
                        mxCreateDoubleScalar (info->extra[i].value));
  return s;
}

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

/* [rest, machine] = __gpueig__ ("machine")  */
gpueig_status
mex_machine (mex_call *call)
{
  static const char *fields[]
      = { "backend",      "devices",      "version",     "threads",   "blas",
          "blas_threads", "cuda_runtime", "cuda_driver", "reason",    "engines",
          "mpi",          "mpi_engines",  "mpi_reason",  "huge_pages" };
  gpueig_machine machine;
  gpueig_query (call->ctx, &machine);
  mxArray *s = mxCreateStructMatrix (1, 1, 14, fields);
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
  mxSetField (s, 0, "mpi", mxCreateLogicalScalar (machine.mpi != 0));
  mxSetField (s, 0, "mpi_engines", mxCreateString (machine.mpi_engines));
  mxSetField (s, 0, "mpi_reason", mxCreateString (machine.mpi_reason));
  mxSetField (s, 0, "engines", mxCreateString (machine.engines));
  mxSetField (s, 0, "huge_pages", mex_huge_pages ());
  call->out[0] = s;
  return GPUEIG_OK;
}

static double
heap_bytes (void)
{
  const struct mallinfo2 m = mallinfo2 ();
  return (double) m.uordblks + (double) m.hblkhd;
}

/* [rest, value] = __gpueig__ ("testing", WHAT, ARGUMENT), hooks for tests:
   "plugin"       use this file as the CUDA plugin
   "allocation"   make the K-th allocation fail; how many there were
   "device-call"  the same for checked CUDA calls
   "device-fault" make a real fault at the K-th; a further argument is its kind,
                  see gpueig_fault_device_call
   "interrupt"    raise an interrupt at the K-th poll; how many there were
   "detached"     1 while a detached job runs
   "unwound"      calls that an exception unwound
   "info"         of the last command that was not a hook
   "memory"       bytes of scratch memory held; "trim" gives the cache back
   "heap"         bytes of the C library's heap in use, by all of Octave  */
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
    value = (double) mex_interrupt_at (k);
  else if (strcmp (what, "detached") == 0)
    value = gpueig_detached (ctx);
  else if (strcmp (what, "unwound") == 0)
    value = (double) mex_unwound ();
  else if (strcmp (what, "memory") == 0)
    value = (double) gpueig_memory (ctx);
  else if (strcmp (what, "heap") == 0)
    value = heap_bytes ();
  else if (strcmp (what, "trim") == 0)
    gpueig_trim (ctx);
  else if (strcmp (what, "info") == 0)
    {
      call->out[0] = mex_info (mex_last_info ());
      return GPUEIG_OK;
    }
  else
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such hook");
  call->out[0] = mxCreateDoubleScalar (value);
  return GPUEIG_OK;
}
