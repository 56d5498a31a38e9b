/* gpueig_complex_eig on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   shroff.cu         choice of the solver; stacks
   pages.cuh         a page in shared memory by a team of threads: its steps are in
                     sweep.cuh, refine.cuh, normalize.cuh (team.cuh: teams)
   large.cu          one matrix of any order: kernels in large.cuh  */

#ifndef GE_SHROFF_CUH
#define GE_SHROFF_CUH 1

#include "base/cuda.cuh"
#include "shroff/shroff.h"

/* Matrices of any order, page by page; at most LIMIT sweeps.  */
gpueig_status ge_cuda_complex_large (gpueig_context *ctx,
                                     const ge_general_problem *problem,
                                     const gpueig_options *options, int limit,
                                     gpueig_info *info);

#endif
