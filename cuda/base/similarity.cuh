/* Preparation of matrices for cuSOLVER's reductions: scaling, and a random
   similarity transformation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   cuSOLVER's reductions to tridiagonal and to Hessenberg form compute norms as
   square roots of plain sums of squares (as of 12.0).  Where the part of a
   matrix that is not yet reduced is smaller than the square root of the
   smallest normal number, these sums underflow and the reflectors are no longer
   orthogonal.  Matrices with few distinct elements get there even if their norm
   is moderate: of ones (n) every step leaves a constant matrix 1e16 times
   smaller, and the computed eigenvectors depart from orthogonality by up to
   1e-1.

   Therefore matrices are scaled away from that range, and results are verified
   (verify.cuh).  Where the verification fails (symmetric.cu, mrrr/dense.cu), the
   matrix is transformed by a similarity with a reflector in a random direction,
   after which rounding errors of the size of eps keep the unreduced part from
   becoming that small.  */

#ifndef GE_SIMILARITY_CUH
#define GE_SIMILARITY_CUH 1

#include "base/cuda.cuh"

/* Scale COUNT reals (a complex number is two) by 2^-*EXPONENT so that the
   largest modulus is near 2^20 in single, 2^200 in double precision: the
   squares of elements 1e20 times smaller are then normal numbers, and fourth
   powers of the largest are finite.  Synchronises the stream.  */
template <typename R>
gpueig_status ge_cuda_scale_up (gpueig_context *ctx, int64_t count, R *a,
                                int *exponent);

/* Multiply COUNT reals by 2^EXPONENT, exactly unless a result underflows.  */
template <typename R>
gpueig_status ge_cuda_scale (gpueig_context *ctx, int64_t count, int exponent,
                             R *x);

/* U: a pseudorandom vector of norm sqrt (2), the same in every call, on the
   device in the current frame.  The reflector is I - U U'.  */
template <typename T>
gpueig_status ge_cuda_reflector (gpueig_context *ctx, int64_t n, T **u);

/* A <- (I - U U') A (I - U U'), n-by-n.  */
template <typename T>
gpueig_status ge_cuda_reflect_both (gpueig_context *ctx, int64_t n, const T *u,
                                    T *a);

/* V <- (I - U U') V, n-by-COLUMNS.  */
template <typename T>
gpueig_status ge_cuda_reflect (gpueig_context *ctx, int64_t n, int64_t columns,
                               const T *u, T *v);

/* COUNT pseudorandom numbers Z on the host, real also where T is complex, the
   same in every call so that results are reproducible.  Their moduli are
   between 1/2 and 3/2, so that none is near zero; both signs occur.  */
template <typename T> void ge_random_vector (int64_t count, T *z);

#endif
