/* Reduction of definite pairs (A, B) to standard problems.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   B = L L^H, C = L^-1 A L^-H.  The triangular solutions leave a C that is Hermitian up
   to eps |C| only, and solvers read different triangles: the lower one is mirrored.  */

#ifndef GE_PAIRS_CUH
#define GE_PAIRS_CUH 1

#include "base/cuda.cuh"

/* A <- C, both triangles, B <- L, lower triangle, for PAGES pages of order N on the
   device, one after the other or, of small order, all at once.  STATE, one per page on
   the host: 0; GE_PAIR_LEFT; or the order of a leading minor of B that is not positive,
   where L and C are some finite matrices.  Synchronises.  */
template <typename T>
gpueig_status ge_cuda_reduce_pairs (gpueig_context *ctx, int64_t n,
                                    int64_t pages, T *a, T *b, int *state);

/* V <- L^-H V, n-by-columns.  */
template <typename T>
gpueig_status ge_cuda_pairs_back (gpueig_context *ctx, int64_t n,
                                  int64_t columns, int64_t pages, const T *l,
                                  T *v);

#endif
