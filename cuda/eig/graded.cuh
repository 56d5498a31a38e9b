/* One definite pair with ill-conditioned B, level by level: core/eig/levels.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_GRADED_CUH
#define GE_GRADED_CUH 1

#include "base/cuda.cuh"

/* All eigenpairs of (A, B), n-by-n on the device, in about twice the time of a
   well-conditioned pair.  On entry C and L are the reduced matrix and the factor of B as
   from ge_cuda_reduce_pairs; on return C has the vectors, and L is overwritten.  LAMBDA
   (n), ascending, is on the host.  *SOLVED is 0 if a level is not positive definite or
   columns have errors above n eps, as where A has a null space near that of B.  Needs
   2 n^2 numbers more and what ge_cuda_eigenvectors needs.  Synchronises.  */
template <typename T>
gpueig_status ge_cuda_graded_pair (gpueig_context *ctx, int64_t n, const T *a,
                                   const T *b, T *c, T *l,
                                   typename real_of<T>::type *lambda,
                                   int *solved);

#endif
