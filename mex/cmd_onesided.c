/* Command of gpu_onesided_eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "symmetric.h"

gpueig_status
cmd_onesided_eig (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
                  const mxArray *prhs[], gpueig_info *info)
{
  return mex_run_symmetric (ctx, gpueig_onesided_eig, nlhs, plhs, nrhs, prhs,
                            info);
}
