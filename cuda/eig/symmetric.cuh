/* cuSOLVER's symmetric eigensolvers on device memory, for other solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   symmetric.cu   symmetric problems: MRRR or "syevd", verified; pairs (A, B); stacks
   graded.cu      pairs with ill-conditioned B
   cusolver_mg.cu one matrix on several GPUs by cusolverMg  */

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
                             ge_real<T> *lambda);

/* Eigenpairs of A, by MRRR where the own reduction is faster than
   cuSOLVER on this GPU; needs A and 2.5 n^2 numbers more.  Where MRRR fails,
   cuSOLVER solves the problem.  */
template <typename T>
gpueig_status ge_cuda_eigenvectors (gpueig_context *ctx, int64_t n, T *a,
                                    ge_real<T> *lambda);

/* All eigenpairs of (A, B), n-by-n on the device, refined.  On entry C and L are the reduced
   matrix and the factor of B as from ge_cuda_reduce_pair; on return C has the vectors, and L is
   overwritten.  LAMBDA (n), ascending, is on the host.  *SOLVED is 0 if residuals or products
   V^H B V - I stay above n eps, as may be where A has a null space near that of B.  Needs 2 n^2
   numbers more and what ge_cuda_eigenvectors needs.  Synchronises.  */
template <typename T>
gpueig_status ge_cuda_graded_pair (gpueig_context *ctx, int64_t n, const T *a,
                                   const T *b, T *c, T *l, ge_real<T> *lambda,
                                   int *solved);

#endif
