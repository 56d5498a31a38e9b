/* Commands of gpu_eig: eig_symmetric, eig_general.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "general.h"
#include "symmetric.h"

gpueig_status
cmd_eig_symmetric (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
                   const mxArray *prhs[])
{
  return mex_run_symmetric (ctx, gpueig_eig_symmetric, nlhs, plhs, nrhs, prhs);
}

gpueig_status
cmd_eig_general (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
                 const mxArray *prhs[])
{
  return mex_run_general (ctx, gpueig_eig_general, nlhs, plhs, nrhs, prhs);
}
