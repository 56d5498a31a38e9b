/* The output info, and the command of gpu_info.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

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
      = { "backend",      "devices",      "version",     "threads", "blas",
          "blas_threads", "cuda_runtime", "cuda_driver", "reason",  "engines",
          "mpi",          "mpi_engines",  "mpi_reason" };
  gpueig_machine machine;
  gpueig_query (call->ctx, &machine);
  mxArray *s = mxCreateStructMatrix (1, 1, 13, fields);
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
  call->out[0] = s;
  return GPUEIG_OK;
}
