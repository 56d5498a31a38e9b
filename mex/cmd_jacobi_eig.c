/* Command of gpu_jacobi_eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "symmetric.h"

gpueig_status
cmd_jacobi_eig (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
                const mxArray *prhs[], gpueig_info *info)
{
  return mex_run_symmetric (ctx, gpueig_jacobi_eig, nlhs, plhs, nrhs, prhs,
                            info);
}
