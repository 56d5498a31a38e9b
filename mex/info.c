/* The output info, and the command of gpu_info.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "base/system.h"
#include "gpueig_array.h"

#include <string.h>

/* The fields of info that every function returns, in this order; those of one function
   follow (mex_command).  */
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

/* The index of the GPU, or the indices of several; -1 on the CPU.  */
static mxArray *
devices_used (const gpueig_info *info)
{
  if (info->n_devices < 2)
    return mex_number (info->device);
  mxArray *list = mxCreateDoubleMatrix (1, (mwSize) info->n_devices, mxREAL);
  for (int i = 0; i < info->n_devices; i++)
    mxGetPr (list)[i] = info->devices[i];
  return mex_own (list);
}

/* The convergence history.  */
static mxArray *
history (const gpueig_info *info)
{
  if (info->n_off == 0)
    return mex_empty (1);
  mxArray *off = mxCreateDoubleMatrix (1, (mwSize) info->n_off, mxREAL);
  memcpy (mxGetPr (off), info->off, (size_t) info->n_off * sizeof (double));
  return mex_own (off);
}

static mxArray *
times (const gpueig_info *info)
{
  static const char *const names[] = { "total", "transfer", "solve" };
  mxArray *const seconds[]
      = { mex_number (info->time_total), mex_number (info->time_transfer),
          mex_number (info->time_solve) };
  return mex_struct (3, names, seconds);
}

mxArray *
mex_info (const gpueig_info *info, const char *const *extra)
{
  enum
  {
    MOST = 32 /* further fields */
  };
  const char *names[FIELDS + MOST]
      = { "backend", "device",   "method", "converged", "sweeps",
          "off",     "fallback", "time",   "memory" };
  mxArray *values[FIELDS + MOST] = {
    [BACKEND] = mex_text (info->backend),
    [DEVICE] = devices_used (info),
    [METHOD] = mex_text (info->method),
    [CONVERGED] = mex_flag (info->converged != 0),
    [SWEEPS] = mex_number ((double) info->sweeps),
    [OFF] = history (info),
    [FALLBACK] = mex_text (info->fallback),
    [TIME] = times (info),
    [MEMORY] = mex_number ((double) info->memory),
  };
  int n = FIELDS;
  for (; extra && extra[n - FIELDS]; n++)
    {
      names[n] = extra[n - FIELDS];
      values[n] = mex_number (ge_info_value (info, names[n]));
    }
  return mex_struct (n, names, values);
}

static mxArray *
devices (const gpueig_machine *machine)
{
  static const char *fields[]
      = { "name",   "compute_capability", "multiprocessors",
          "memory", "memory_free",        "reason" };
  mxArray *s = mxCreateStructMatrix (machine->n_devices > 0, machine->n_devices,
                                     6, fields);
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
      mxSetField (s, i, "reason", mxCreateString (d->reason));
    }
  return s;
}

/* The field huge_pages.  Linux clears a page at the first access, which for results of 100 MB
   takes longer than many of the computations; huge pages halve this time.  */
static mxArray *
huge_pages (void)
{
  static const char *const names[] = { "on", "kernel", "malloc" };
  ge_huge_pages found;
  ge_find_huge_pages (&found);
  mxArray *const values[]
      = { mxCreateLogicalScalar (found.on), mxCreateString (found.kernel),
          mxCreateLogicalScalar (found.asked) };
  return mex_struct (3, names, values);
}

/* The memory of all live arrays of gpu_array.  */
static mxArray *
arrays_held (gpueig_context *ctx)
{
  static const char *const names[] = { "count", "host", "device" };
  const gpueig_array_usage use = gpueig_array_memory (ctx);
  mxArray *const values[]
      = { mxCreateDoubleScalar ((double) use.arrays),
          mxCreateDoubleScalar ((double) use.host_bytes),
          mxCreateDoubleScalar ((double) use.device_bytes) };
  return mex_struct (3, names, values);
}

/* [failed, machine] = __gpueig__ ("machine")  */
gpueig_status
mex_machine (mex_call *call)
{
  static const char *fields[]
      = { "backend",    "devices",      "version",      "threads",
          "blas",       "blas_threads", "cuda_runtime", "cuda_driver",
          "reason",     "engines",      "mpi",          "mpi_engines",
          "mpi_reason", "huge_pages",   "arrays",       "times" };
  gpueig_machine machine;
  gpueig_query (call->ctx, &machine);
  mxArray *s = mxCreateStructMatrix (1, 1, 16, fields);
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
  mxSetField (s, 0, "huge_pages", huge_pages ());
  mxSetField (s, 0, "arrays", arrays_held (call->ctx));
  mxSetField (s, 0, "times", mxCreateString (gpueig_times_in_use (call->ctx)));
  call->out[0] = s;
  return GPUEIG_OK;
}
