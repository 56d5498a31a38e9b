/* Is a result of cuSOLVER right, and a second try where it is not.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   cuSOLVER's reductions to tridiagonal or Hessenberg form take norms as square
   roots of plain sums of squares (as of 12.0).  Where what is left of a matrix is
   smaller than the root of the smallest number, the reflectors are not
   orthogonal any more.  Matrices of few different numbers get there: of ones (n)
   every step leaves a constant matrix 1e16 times smaller, and the vectors come
   out up to 1e-1 from orthogonal.  After a similarity with a reflector in a
   random direction, rounding errors fill what is left at the size of eps.  */

#ifndef GE_REFLECTION_CUH
#define GE_REFLECTION_CUH 1

#include "cuda.cuh"

/* U: a random direction, the same each time, of norm sqrt (2), on the device in
   the current frame; the reflector is I - U U'.  */
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

/* *GOOD: all COUNT reals at X, on the device, are finite.  */
gpueig_status ge_cuda_finite (gpueig_context *ctx, int64_t count,
                              const float *x, int *good);
gpueig_status ge_cuda_finite (gpueig_context *ctx, int64_t count,
                              const double *x, int *good);

/* *GOOD: V'V z is z for a random z to 5 n eps, in the largest norm, V being
   n-by-COLUMNS.  O(n COLUMNS).  */
template <typename T>
gpueig_status ge_cuda_orthonormal (gpueig_context *ctx, int64_t n,
                                   int64_t columns, const T *v, int *good);

/* *GOOD: A V z is V diag (LAMBDA) z for a random z to 10 n eps |A|_F in the
   2-norm; all n-by-n, T complex.  */
template <typename T>
gpueig_status ge_cuda_eigenvectors (gpueig_context *ctx, int64_t n, const T *a,
                                    const T *v, const T *lambda, int *good);

#endif
