/* What the commands for general problems share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MEX_GENERAL_H
#define GE_MEX_GENERAL_H 1

#include "gateway.h"

typedef gpueig_status general_solver (gpueig_context *, const gpueig_general *,
                                      const gpueig_options *, gpueig_info *);

/* A whole command around SOLVER; see general.c for its arguments.  */
gpueig_status mex_run_general (gpueig_context *ctx, general_solver *solver,
                               int nlhs, mxArray *plhs[], int nrhs,
                               const mxArray *prhs[], gpueig_info *info);

#endif
