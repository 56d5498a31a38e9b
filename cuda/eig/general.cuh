/* cuSOLVER's general eigensolver on device memory, for other solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_GENERAL_CUH
#define GE_EIG_GENERAL_CUH 1

#include "base/cuda.cuh"

/* Eigenvalues and eigenvectors of all pages of PROBLEM, whose arrays are on the
   host, by Xgeev page by page.  STATE[page] becomes nonzero where Xgeev does not
   converge, where its results fail verification, or where left vectors are wanted
   and those from the inverse of V are not accurate enough.  */
gpueig_status ge_cuda_geev (gpueig_context *ctx, const gpueig_general *problem,
                            unsigned char *state, gpueig_info *info);

/* Left eigenvectors W from V^-1 and their error *RATIO = |W' A - D W'|_1 / (n
   eps |A|_1), Inf if V is singular.  A is the matrix times 2^-EXPONENT, LAMBDA
   belongs to the matrix itself.  V is overwritten by its LU factors.  */
template <typename C>
gpueig_status ge_left_vectors (gpueig_context *ctx, int64_t n, const C *a, C *v,
                               const C *lambda, int exponent, C *w,
                               double *ratio);

#endif
