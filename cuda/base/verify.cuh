/* Verification of results computed by a library: orthogonality, residual and
   spectrum estimated with a random vector in O(n^2) operations.  LAMBDA and V
   are the eigenvalues and eigenvectors of A.  Synchronises the stream.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_VERIFY_CUH
#define GE_VERIFY_CUH 1

#include "base/cuda.cuh"

#include <math.h>

/* *ERROR: the largest modulus of the real and imaginary parts of V'V z - z for
   a random z, V being n-by-COLUMNS: 0 when its columns are orthonormal; Inf
   instead of NaN.  */
template <typename T>
gpueig_status ge_cuda_orthogonality (gpueig_context *ctx, int64_t n,
                                     int64_t columns, const T *v,
                                     double *error);

/* *ORTHOGONALITY: the same; *RESIDUAL: |A V z - V diag (LAMBDA) z| / |A|_F for a random z;
   V n-by-COLUMNS, LAMBDA on the host and of the type of V.  */
template <typename T>
gpueig_status ge_cuda_eigenpairs (gpueig_context *ctx, int64_t n,
                                  int64_t columns, const T *a, const T *v,
                                  const T *lambda, double *orthogonality,
                                  double *residual);

/* *ERROR: the larger of |sum lambda_i - trace A| / |A|_F and |sum lambda_i^2 -
   |A|_F^2| / |A|_F^2, for a Hermitian A; LAMBDA on the host.  */
template <typename T>
gpueig_status ge_cuda_spectrum (gpueig_context *ctx, int64_t n, const T *a,
                                const ge_real<T> *lambda, double *error);

/* *NORM, on the device, the 2-norm of COUNT numbers X, without a wait.  */
template <typename T>
gpueig_status ge_cuda_norm (gpueig_context *ctx, int64_t count, const T *x,
                            ge_real<T> *norm);

/* Nonzero if the errors are within rounding error.  ORTHOGONALITY is the largest of n
   sums of rounding errors, which grows like sqrt (2 n log (n)).  The errors of a
   failed reduction of cuSOLVER are much larger.  The result of a
   second attempt (AGAIN), of which there is no repetition, is accepted within the
   wider limits of the tests.  */
static inline int
ge_cuda_passes_check (int64_t n, double eps, int again, double orthogonality,
                      double residual)
{
  const double order = (double) n;
  if (again)
    return orthogonality <= (5 * order + 120) * eps
           && residual <= (5 * order + 150) * eps;
  return orthogonality <= (1.4 * sqrt (2 * order * log (order + 1)) + 35) * eps
         && residual <= (order + 30) * eps;
}

#endif
