/* cuSOLVER's general eigensolver on device memory, for other solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_GENERAL_CUH
#define GE_EIG_GENERAL_CUH 1

#include "base/cuda.cuh"

/* All pages of PROBLEM, which lies on the host, by Xgeev one by one; STATE[page]
   becomes nonzero where Xgeev fails or left vectors are wanted but cannot be had
   from the inverse of V with good accuracy.  */
gpueig_status ge_cuda_geev (gpueig_context *ctx, const gpueig_general *problem,
                            unsigned char *state, gpueig_info *info);

/* Left eigenvectors W from V^-1 and the error |W' A - D W'| in units of n eps
   |A|_1.  A is the matrix times 2^-EXPONENT; V is overwritten.  */
template <typename C>
gpueig_status ge_left_vectors (gpueig_context *ctx, int64_t n, const C *a, C *v,
                               const C *lambda, int exponent, C *w,
                               double *ratio);

#endif
