/* Command of gpu_complex_eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "general.h"

gpueig_status
cmd_complex_eig (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
                 const mxArray *prhs[], gpueig_info *info)
{
  return mex_run_general (ctx, gpueig_complex_eig, nlhs, plhs, nrhs, prhs,
                          info);
}
