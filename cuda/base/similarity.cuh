/* What keeps cuSOLVER's reductions accurate: scaling, and a random similarity.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   cuSOLVER's reductions to tridiagonal or Hessenberg form take norms as square
   roots of plain sums of squares (as of 12.0).  Where the part of a matrix that
   is not reduced yet is smaller than the root of the smallest normal number, the
   reflectors are not orthogonal any more.  Matrices with few distinct elements
   get there: of ones (n) every step leaves a constant matrix 1e16 times smaller,
   and the vectors come out up to 1e-1 from orthogonal.  So matrices are scaled
   away from that range, and results are verified (verify.cuh).  After a
   similarity with a reflector in a random direction, rounding errors of the size
   of eps keep the unreduced part from becoming that small.  */

#ifndef GE_SIMILARITY_CUH
#define GE_SIMILARITY_CUH 1

#include "base/cuda.cuh"

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

/* COUNT numbers Z on the host, real ones also where T is complex, the same for
   every call: results must not change from run to run.  Their moduli are between
   1/2 and 3/2, with either sign: no two add up to zero.  */
template <typename T> void ge_random_vector (int64_t count, T *z);

#endif
