/* Another order of the eigenvalues of a Schur form, on the device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_REORDER_CUH
#define GE_SCHUR_REORDER_CUH 1

#include "schur/reorder.h"

/* The page of PROBLEM, which has a job.  */
gpueig_status ge_cuda_reorder (gpueig_context *ctx,
                               const ge_schur_problem *problem,
                               gpueig_info *info);

#endif
