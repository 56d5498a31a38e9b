/* cuSOLVER's symmetric eigensolvers on device memory, for other solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   symmetric.cu   symmetric problems: MRRR or "syevd", verified; pairs (A, B); stacks
   graded.cu      pairs with ill-conditioned B
   large.cu       one matrix on several GPUs by cusolverMg  */

#ifndef GE_EIG_CUH
#define GE_EIG_CUH 1

#include "base/cuda.cuh"

/* Eigenvalues LAMBDA, ascending, and for VECTORS nonzero the eigenvectors,
   which replace A (n-by-n, both triangles, elements of any magnitude).  The
   results are verified (base/verify.cuh), so GPUEIG_SOLVER_FAILED is rare; A is
   left scaled then.  Needs n^2 numbers more memory than cuSOLVER.
   Synchronises.  */
template <typename T>
gpueig_status ge_cuda_syevd (gpueig_context *ctx, int64_t n, int vectors, T *a,
                             typename real_of<T>::type *lambda);

/* The same with vectors, by MRRR where the own reduction is faster than
   cuSOLVER on this GPU; needs 2.5 n^2 numbers beside A.  Where MRRR fails,
   cuSOLVER solves the problem.  */
template <typename T>
gpueig_status ge_cuda_eigenvectors (gpueig_context *ctx, int64_t n, T *a,
                                    typename real_of<T>::type *lambda);

#endif
