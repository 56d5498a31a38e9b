/* Products of the pages of two stacks whose bits do not depend on how many pages a
   GPU has of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   cuBLAS chooses an algorithm by the number of pages, so that a share of a stack
   could have other bits than the whole.  Here it is cuBLASLt's choice for the pages
   of the whole stack, whatever the share is: on one GPU as fast as
   cublasXgemmStridedBatched, for complex double up to a fifth faster (H200).  */

#ifndef GE_PRODUCTS_CUH
#define GE_PRODUCTS_CUH 1

#include "base/cuda.cuh"

/* C = A B (TA is CUBLAS_OP_N) or A' B, N-by-N, for PAGES pages of a stack that has
   TOGETHER, all of them or as many as go through products at once.  */
template <typename T>
gpueig_status ge_cuda_products (gpueig_context *ctx, cublasOperation_t ta,
                                int64_t n, int64_t pages, int64_t together,
                                const T *a, const T *b, T *c);

#endif
