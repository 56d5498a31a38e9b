/* cuSOLVER's symmetric eigensolvers on device memory, for other solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_CUH
#define GE_EIG_CUH 1

#include "cuda.cuh"

/* A (n-by-n, all of it) becomes its eigenvectors when VECTORS, which are
   orthonormal (reflection.cuh); LAMBDA ascending.  SOLVER_FAILED leaves A as it
   was.  Takes n^2 more memory than cuSOLVER.  Waits for the result.  */
template <typename T>
gpueig_status ge_cuda_syevd (gpueig_context *ctx, int64_t n, int vectors, T *a,
                             typename real_of<T>::type *lambda);

/* Where the largest of COUNT reals (a complex number is two) is very large or
   small, scale all by a power of two that brings it near 1.  *UNDO is the factor
   that undoes it, 1 where nothing was done.  Waits for the result.  */
gpueig_status ge_cuda_scale_to_one (gpueig_context *ctx, int64_t count,
                                    float *a, double *undo);
gpueig_status ge_cuda_scale_to_one (gpueig_context *ctx, int64_t count,
                                    double *a, double *undo);

/* cuSOLVER's other solvers by name, for who knows that they fit and as peers
   in benchmarks: "syevj" page by page, "syevj-batched" and "syev-batched" with
   the whole stack in one call.  No B.  */
gpueig_status ge_cuda_cusolver_method (gpueig_context *ctx,
                                       const gpueig_symmetric *s,
                                       const gpueig_options *options,
                                       gpueig_info *info);

#endif
