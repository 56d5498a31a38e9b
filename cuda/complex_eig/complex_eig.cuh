/* gpueig_complex_eig on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   complex_eig.cu    which of the two ways serves a problem; stacks
   pages.cuh         a page in the shared memory of a team of threads: the steps
                     sweep.cuh, refine.cuh, normalize.cuh (team.cuh: the team)
   large.cu          one matrix of any order: the steps large.cuh, large_refine.cuh
 */

#ifndef GE_COMPLEX_EIG_CUH
#define GE_COMPLEX_EIG_CUH 1

#include "base/cuda.cuh"
#include "complex_eig/complex_eig.h"

/* Matrices of any order, one after the other; at most LIMIT sweeps.  */
gpueig_status ge_cuda_complex_large (gpueig_context *ctx,
                                     const ge_general_problem *problem,
                                     const gpueig_options *options, int limit,
                                     gpueig_info *info);

#endif
