/* Pagewise products of two stacks whose bits do not depend on how many of the
   pages one GPU has.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   cuBLAS chooses an algorithm by the number of pages, so that a part of a stack
   could get other bits than the same pages within the whole stack.  Here the
   algorithm is cuBLASLt's choice for the number of pages of the whole stack,
   whatever part of them is multiplied.  On one GPU this is not slower than
   cublasXgemmStridedBatched.  */

#ifndef GE_PRODUCTS_CUH
#define GE_PRODUCTS_CUH 1

#include "base/libraries.cuh"

/* C = ALPHA op (A) B + BETA C for each of PAGES pages, C M-by-N, A M-by-K, or if TA is not
   CUBLAS_OP_N, K-by-M and (conjugate) transposed.  TOGETHER, the number of pages for which the
   algorithm is chosen: those of the whole stack, as many of them as are multiplied in one
   call, or any constant.  */
template <typename T>
gpueig_status ge_cuda_products (gpueig_context *ctx, cublasOperation_t ta,
                                int64_t m, int64_t n, int64_t k, int64_t pages,
                                int64_t together, ge_real<T> alpha, const T *a,
                                const T *b, ge_real<T> beta, T *c);

#endif
