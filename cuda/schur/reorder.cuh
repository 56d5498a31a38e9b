/* Another order of the eigenvalues of a Schur form, on the device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_REORDER_CUH
#define GE_SCHUR_REORDER_CUH 1

#include "schur/reorder.h"

/* The page of JOB; G: its order, and where the results belong.  */
gpueig_status ge_cuda_reorder (gpueig_context *ctx,
                               const gpueig_schur_problem *g,
                               const ge_reorder_job *job, gpueig_info *info);

#endif
