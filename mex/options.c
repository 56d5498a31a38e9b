/* The options struct of inst/private/__gpueig_options__.m, and info back.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <string.h>

double
mex_field (const mxArray *s, const char *name, double value)
{
  const mxArray *f = mxIsStruct (s) ? mxGetField (s, 0, name) : NULL;
  if (! f || mxGetNumberOfElements (f) != 1
      || ! (mxIsNumeric (f) || mxIsLogical (f)))
    return value;
  return mxGetScalar (f);
}

/* The position of a string field in NAMES (ended by NULL), 0 if not there.  */
static int
field_index (const mxArray *s, const char *name, const char *const *names)
{
  char text[32];
  const mxArray *f = mxIsStruct (s) ? mxGetField (s, 0, name) : NULL;
  if (f && mxIsChar (f) && mxGetString (f, text, sizeof text) == 0)
    for (int i = 0; names[i]; i++)
      if (strcmp (text, names[i]) == 0)
        return i;
  return 0;
}

void
mex_get_options (const mxArray *opts, mex_method method,
                 gpueig_options *options)
{
  static const char *const backends[] = { "auto", "cpu", "cuda", NULL };
  static const char *const accuracies[] = { "normal", "high", NULL };
  static const char *const displays[] = { "off", "iter", NULL };
  *options = gpueig_default_options ();
  options->backend = (gpueig_backend) field_index (opts, "backend", backends);
  options->high_accuracy = field_index (opts, "accuracy", accuracies);
  options->display = field_index (opts, "display", displays);
  options->device = (int) mex_field (opts, "device", 0);
  options->tol = mex_field (opts, "tol", 0);
  options->max_sweeps = (int64_t) mex_field (opts, "maxsweeps", 0);
  options->max_rotations = (int64_t) mex_field (opts, "maxrotations", 0);
  /* The option parser gives the methods of a function in their one spelling. */
  const mxArray *name
      = mxIsStruct (opts) ? mxGetField (opts, 0, "method") : NULL;
  if (name && mxIsChar (name)
      && mxGetString (name, method, sizeof (mex_method)) == 0)
    options->method = method;
}

mxArray *
mex_info (const gpueig_info *info)
{
  static const char *fields[]
      = { "backend", "device",   "method", "converged", "sweeps",
          "off",     "fallback", "time",   "memory" };
  static const char *clocks[] = { "total", "transfer", "solve" };
  mxArray *s = mxCreateStructMatrix (1, 1, 9, fields);
  mxArray *off = mxCreateDoubleMatrix (1, (mwSize) info->n_off, mxREAL);
  mxArray *time = mxCreateStructMatrix (1, 1, 3, clocks);
  memcpy (mxGetPr (off), info->off, (size_t) info->n_off * sizeof (double));
  mxSetField (time, 0, "total", mxCreateDoubleScalar (info->time_total));
  mxSetField (time, 0, "transfer", mxCreateDoubleScalar (info->time_transfer));
  mxSetField (time, 0, "solve", mxCreateDoubleScalar (info->time_solve));
  mxSetField (s, 0, "backend", mxCreateString (info->backend));
  mxSetField (s, 0, "device", mxCreateDoubleScalar (info->device));
  mxSetField (s, 0, "method", mxCreateString (info->method));
  mxSetField (s, 0, "converged", mxCreateLogicalScalar (info->converged != 0));
  mxSetField (s, 0, "sweeps", mxCreateDoubleScalar ((double) info->sweeps));
  mxSetField (s, 0, "off", off);
  mxSetField (s, 0, "fallback", mxCreateString (info->fallback));
  mxSetField (s, 0, "time", time);
  mxSetField (s, 0, "memory", mxCreateDoubleScalar ((double) info->memory));
  for (int i = 0; i < info->n_extra; i++)
    {
      mxAddField (s, info->extra[i].name);
      mxSetField (s, 0, info->extra[i].name,
                  mxCreateDoubleScalar (info->extra[i].value));
    }
  return s;
}
