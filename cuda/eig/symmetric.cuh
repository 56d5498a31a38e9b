/* cuSOLVER's symmetric eigensolvers on device memory, for other solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   symmetric.cu   symmetric front: MRRR or "syevd" with verification, pairs, stacks
   large.cu       one matrix on several GPUs by cusolverMg
   cusolver.cu    cuSOLVER's other methods by name
   general.cu     general matrices by Xgeev  */

#ifndef GE_EIG_CUH
#define GE_EIG_CUH 1

#include "base/cuda.cuh"

/* A (n-by-n, all of it, of any size) becomes its eigenvectors when VECTORS;
   LAMBDA ascending.  The results are verified (base/verify.cuh), so SOLVER_FAILED
   is rare; it leaves A scaled.  Takes n^2 more memory than cuSOLVER.  Waits for
   the result.  */
template <typename T>
gpueig_status ge_cuda_syevd (gpueig_context *ctx, int64_t n, int vectors, T *a,
                             typename real_of<T>::type *lambda);

/* The same with vectors by the fastest way on this GPU, which takes 2.5 n^2 more
   memory than A.  A failure of MRRR is finished by cuSOLVER.  */
template <typename T>
gpueig_status ge_cuda_eigenvectors (gpueig_context *ctx, int64_t n, T *a,
                                    typename real_of<T>::type *lambda);

/* BATCH pages A become their eigenvectors in one call of cuSOLVER, as good as they
   come; RESULT: nonzero where that failed.  Waits for the result.  */
template <typename T>
gpueig_status ge_cuda_syev_batched (gpueig_context *ctx, cusolverEigMode_t job,
                                    int64_t n, int64_t batch, T *a,
                                    typename real_of<T>::type *lambda,
                                    int *result);

/* cuSOLVER's other solvers by name, for users who know that they fit and as peers
   in benchmarks: "syevj" page by page, "syevj-batched" and "syev-batched" with
   the whole stack in one call.  No B.  */
gpueig_status ge_cuda_cusolver_method (gpueig_context *ctx,
                                       const gpueig_symmetric *s,
                                       const gpueig_options *options,
                                       gpueig_info *info);

#endif
