/* Command of gpu_eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [failure, lambda, V, W, info] = __gpueig__ ("eig", A, opts, B)
   W is [] where it would be V.  The symmetric solvers look whether they can
   serve A; without B and with a free choice of the method (or "geev") any other
   A is solved as a general matrix.  */

#include "general.h"
#include "symmetric.h"

#include <string.h>

gpueig_status
cmd_eig (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
         const mxArray *prhs[], gpueig_info *info)
{
  gpueig_options options;
  mex_method method;
  if (nrhs < 2)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "too few arguments");
  mex_get_options (prhs[1], method, &options);
  if (strcmp (options.method, "geev") != 0)
    {
      gpueig_status status = mex_run_symmetric (ctx, gpueig_eig_symmetric, nlhs,
                                                plhs, nrhs, prhs, info);
      if (status != GPUEIG_NOT_SYMMETRIC || nrhs > 2
          || strcmp (options.method, "auto") != 0)
        return status;
    }
  return mex_run_general (ctx, gpueig_eig_general, nlhs, plhs, nrhs, prhs,
                          info);
}
