/* Back-transformation of vectors of the tridiagonal matrix to those of the
   band, Z <- Q2 Z.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TRIDIAGONAL_CHASE_BACK_CUH
#define GE_TRIDIAGONAL_CHASE_BACK_CUH 1

#include "base/cuda.cuh"

/* Z, n-by-COLUMNS, with the reflectors of ge_cuda_chase_bulges for a band of
   width B.  O(n^2 COLUMNS).  Interrupts are polled between groups of
   sweeps.  */
template <typename T>
gpueig_status ge_cuda_chase_back (gpueig_context *ctx, int64_t n, int b,
                                  const T *v, const T *tau, int64_t columns,
                                  T *z);

/* Nonzero if this GPU has the shared memory that it takes for bandwidth B.  */
template <typename T> int ge_cuda_chase_back_fits (gpueig_context *ctx, int b);

/* The same on tensor cores in double precision.  ge_cuda_chase_tiles_fit: nonzero if
   this GPU has the bulk copies (sm_90 and later) and the shared memory for it.  */
int ge_cuda_chase_tiles_fit (gpueig_context *ctx);
template <typename T>
gpueig_status ge_cuda_chase_back_tiles (gpueig_context *ctx, int64_t n,
                                        const T *v, const T *tau,
                                        int64_t columns, T *z);

#endif
