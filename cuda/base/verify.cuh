/* Verification of what a library computed: samples of orthogonality, residual and
   spectrum with a random vector.  LAMBDA and V are eigenvalues and -vectors of A.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_VERIFY_CUH
#define GE_VERIFY_CUH 1

#include "base/cuda.cuh"

#include <math.h>

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

/* The sum of LAMBDA, on the host, against the trace of the Hermitian A, and the
   sum of squares against |A|_F^2: the larger difference, relative to |A|_F.  */
template <typename T>
gpueig_status ge_cuda_spectrum (gpueig_context *ctx, int64_t n, const T *a,
                                const typename real_of<T>::type *lambda,
                                double *error);

/* Nonzero if these errors are those of a correct result.  Sums of rounding errors
   grow as the root of n; the errors of a failed reduction of cuSOLVER are much
   larger, up to 1e15 eps.  The limits of a second attempt (AGAIN) are those of the
   tests.  */
static inline int
ge_cuda_passes_check (int64_t n, double eps, int again, double orthogonality,
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
