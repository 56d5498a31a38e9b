/* What the commands for general problems share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [failure, lambda, V, W, info] = __gpueig__ (COMMAND, A, opts)
   opts.nobalance; V and W are computed when nlhs asks for them and
   opts.vectors, 0 (neither), 1 (V) or 2 (both, the default), does.  */

#include "general.h"

gpueig_status
mex_run_general (gpueig_context *ctx, general_solver *solver, int nlhs,
                 mxArray *plhs[], int nrhs, const mxArray *prhs[],
                 gpueig_info *info)
{
  gpueig_options options;
  mex_method method;
  mex_matrix a;
  void *data[3] = { NULL, NULL, NULL };
  mxArray *out[3] = { NULL, NULL, NULL };
  if (nrhs < 2)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "too few arguments");
  gpueig_status status = mex_get_matrix (ctx, prhs[0], "A", &a);
  if (status != GPUEIG_OK)
    return status;
  if (a.rows != a.columns)
    return gpueig_fail (ctx, GPUEIG_NOT_SQUARE,
                        "A must be square, but is %lld-by-%lld",
                        (long long) a.rows, (long long) a.columns);
  mex_get_options (prhs[1], method, &options);
  gpueig_type type = gpueig_is_double (a.type) ? GPUEIG_COMPLEX_DOUBLE
                                               : GPUEIG_COMPLEX_FLOAT;
  int wanted = 1 + (int) mex_field (prhs[1], "vectors", 2);
  if (wanted > nlhs - 1)
    wanted = nlhs - 1;
  for (int i = 0; i < 3 && (i == 0 || i < wanted); i++)
    {
      out[i] = mex_new_array (ctx, type, a.rows, i == 0 ? 1 : a.rows, prhs[0],
                              &data[i]);
      if (! out[i])
        return GPUEIG_OUT_OF_MEMORY;
    }
  gpueig_general problem = { .type = a.type,
                             .n = a.rows,
                             .pages = a.pages,
                             .a = a.data,
                             .balance = ! mex_field (prhs[1], "nobalance", 0),
                             .lambda = data[0],
                             .v = data[1],
                             .w = data[2] };
  status = solver (ctx, &problem, &options, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  for (int i = 0; i < 3 && i < wanted; i++)
    {
      if (gpueig_is_complex (a.type))
        mex_finish (out[i], type, data[i]);
      else
        mex_finish_narrow (&out[i], type, data[i]);
      plhs[i + 1] = out[i];
    }
  if (nlhs > 4)
    plhs[4] = mex_info (info);
  return status;
}
