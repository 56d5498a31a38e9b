/* What the commands for symmetric problems share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MEX_SYMMETRIC_H
#define GE_MEX_SYMMETRIC_H 1

#include "gateway.h"

typedef gpueig_status symmetric_solver (gpueig_context *,
                                        const gpueig_symmetric *,
                                        const gpueig_options *, gpueig_info *);

/* A whole command around SOLVER; see symmetric.c for its arguments.  */
gpueig_status mex_run_symmetric (gpueig_context *ctx, symmetric_solver *solver,
                                 int nlhs, mxArray *plhs[], int nrhs,
                                 const mxArray *prhs[], gpueig_info *info);

#endif
