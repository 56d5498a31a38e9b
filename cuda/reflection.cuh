/* What keeps cuSOLVER's reductions right: sizes, checks, and a second try.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   cuSOLVER's reductions to tridiagonal or Hessenberg form take norms as square
   roots of plain sums of squares (as of 12.0).  Where what is left of a matrix is
   smaller than the root of the smallest number, the reflectors are not
   orthogonal any more.  Matrices of few different numbers get there: of ones (n)
   every step leaves a constant matrix 1e16 times smaller, and the vectors come
   out up to 1e-1 from orthogonal.  So matrices are brought to a size from which
   that is far, and results are looked at.  After a similarity with a reflector in a
   random direction, rounding errors fill what is left at the size of eps.  */

#ifndef GE_REFLECTION_CUH
#define GE_REFLECTION_CUH 1

#include "cuda.cuh"

#include <math.h>

/* Scale COUNT reals (a complex number is two) by 2^-*EXPONENT so that the largest
   is near 2^20, or 2^200 in double: squares of what is 1e20 times smaller are
   normal numbers, and fourth powers are finite.  Waits for the result.  */
template <typename R>
gpueig_status ge_cuda_scale_up (gpueig_context *ctx, int64_t count, R *a,
                                int *exponent);

/* COUNT reals times 2^EXPONENT, rounded once.  */
template <typename R>
gpueig_status ge_cuda_scale (gpueig_context *ctx, int64_t count, int exponent,
                             R *x);

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

/* Largest element of V'V z - z for a random z, V being n-by-COLUMNS: 0 when its
   columns are orthonormal; NaN becomes Inf.  O(n COLUMNS), as the next two.  */
template <typename T>
gpueig_status ge_cuda_orthogonality (gpueig_context *ctx, int64_t n,
                                     int64_t columns, const T *v,
                                     double *error);

/* |A'A z - A A'z| / |A'A z| for a random z: 0 when the n-by-n A is normal, Inf
   where nothing can be said.  */
template <typename T>
gpueig_status ge_cuda_departure (gpueig_context *ctx, int64_t n, const T *a,
                                 double *error);

/* |A V z - V diag (LAMBDA) z| / |A|_F for a random z, LAMBDA on the host and of
   the type of V.  */
template <typename T>
gpueig_status ge_cuda_residual (gpueig_context *ctx, int64_t n, int64_t columns,
                                const T *a, const T *v, const T *lambda,
                                double *error);

/* Do LAMBDA, on the host, have the sum and the sum of squares that eigenvalues
   of the Hermitian A have?  The larger difference, relative to |A|_F.  */
template <typename T>
gpueig_status ge_cuda_spectrum (gpueig_context *ctx, int64_t n, const T *a,
                                const typename real_of<T>::type *lambda,
                                double *error);

/* May a result be right that has these?  Sums of rounding errors grow as the
   root of n, and what cuSOLVER does wrong is much larger, up to 1e15 eps.  A second
   try is judged by what the tests allow.  */
static inline int
ge_cuda_looks_right (int64_t n, double eps, int again, double orthogonality,
                     double residual)
{
  const double order = (double) n;
  if (again)
    return orthogonality <= (5 * order + 120) * eps
           && residual <= (5 * order + 150) * eps;
  return orthogonality <= (4 * sqrt (order) + 30) * eps
         && residual <= (order + 30) * eps;
}

#endif
