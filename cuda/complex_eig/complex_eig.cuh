/* The ways of gpueig_complex_eig on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_SOLVERS_CUH
#define GE_COMPLEX_SOLVERS_CUH 1

#include "base/cuda.cuh"

/* Pages by state, as core/complex_eig/block.h has it.  */
enum
{
  GE_CUDA_DONE,
  GE_CUDA_STALLED,
  GE_CUDA_LIMITED,
  GE_CUDA_AGAIN,
  GE_CUDA_RAW,          /* pairs, phases and order are still to be made */
  GE_CUDA_RAW_HERMITIAN /* the same, and A is Hermitian */
};

/* Matrices of any order, one after the other; at most LIMIT sweeps.  */
gpueig_status ge_cuda_complex_large (gpueig_context *ctx,
                                     const ge_general_problem *problem,
                                     const gpueig_options *options, int limit,
                                     gpueig_info *info);

#endif
