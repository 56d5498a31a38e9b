/* Reduction of definite pairs (A, B) to standard problems.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   B = L L^H, C = L^-1 A L^-H.  The triangular solutions leave a C that is Hermitian up
   to eps |C| only, and solvers read different triangles: the lower one is mirrored.

   pairs.cu         cuBLAS and cuSOLVER: page by page, or all at once
   small_pairs.cu   pages of small order, in shared memory  */

#ifndef GE_PAIRS_CUH
#define GE_PAIRS_CUH 1

#include "base/cuda.cuh"

#include <math.h>

/* A <- C, both triangles, B <- L, lower triangle, for larger orders with the inverses of its
   diagonal blocks, for PAGES pages of order N on the device, one after the other or, of small
   order, all at once.  STATE, one per page on the device: 0; GE_PAIR_LEFT; or the order of a
   leading minor of B that is not positive.  L and C of pages whose state is not 0 are not to be
   used.  */
template <typename T>
gpueig_status ge_cuda_reduce_pairs (gpueig_context *ctx, int64_t n,
                                    int64_t pages, T *a, T *b, int *state);

/* V <- L^-H V, n-by-columns, columns at most n; L: B of the above.  */
template <typename T>
gpueig_status ge_cuda_pairs_back (gpueig_context *ctx, int64_t n,
                                  int64_t columns, int64_t pages, const T *l,
                                  T *v);

/* Reduce one pair of any order, in the way that is fast for one; vectors back.  */
template <typename T>
gpueig_status ge_cuda_reduce_pair (gpueig_context *ctx, int64_t n, T *a, T *b,
                                   int *state);
template <typename T>
gpueig_status ge_cuda_pair_back (gpueig_context *ctx, int64_t n,
                                 int64_t columns, const T *l, T *v);

/* --- for pairs.cu --- */

/* Nonzero if the two below serve order N on this GPU.  */
template <typename T>
int ge_cuda_small_pairs_fit (gpueig_context *ctx, int64_t n);
template <typename T>
gpueig_status ge_cuda_reduce_small_pairs (gpueig_context *ctx, int64_t n,
                                          int64_t pages, T *a, T *b,
                                          int *state);
template <typename T>
gpueig_status ge_cuda_small_pairs_back (gpueig_context *ctx, int64_t n,
                                        int64_t columns, int64_t pages,
                                        const T *l, T *v);

/* The state of a page: FAILED, or whether C has grown; Frobenius norms of A, B and C.  */
static inline __host__ __device__ int
ge_pair_state (int64_t n, int failed, double a, double b, double c)
{
  return failed                                            ? failed
         : b * c <= GE_PAIR_GROWTH * sqrt ((double) n) * a ? 0
                                                           : (int) GE_PAIR_LEFT;
}

#endif
