/* Products of reflectors as block reflectors, H_1 ... H_k = I - V T V'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   T is upper triangular and inv (T) = striu (V' V) + diag (1 ./ tau) (Puglisi 1992;
   Joffrain et al. 2006).  A reflector with tau = 0 is the identity; its column
   of V is zero, the leading 1 included.  */

#ifndef GE_TRIDIAGONAL_BLOCK_REFLECTORS_CUH
#define GE_TRIDIAGONAL_BLOCK_REFLECTORS_CUH 1

#include "base/cuda.cuh"

enum
{
  GE_SMALL_FACTOR = 64 /* the most columns of ge_cuda_two_sided_factor */
};

/* F, 2k-by-k, of a two-sided update with a block reflector: W = [X V] F for
   A <- A - V W' - W V', X = A V (see band_reduction.cuh),

     F = [T; -T' (V' X) T / 2].

   GRAM (its strict upper triangle): V' V; PRODUCT: V' X; both k-by-k, k = 32 or
   64.  */
template <typename T>
gpueig_status ge_cuda_two_sided_factor (gpueig_context *ctx, int k,
                                        const T *gram, const T *tau,
                                        const T *product, T *f);

/* Z <- H_1 ... H_COUNT Z, n-by-COLUMNS.  V: n-by-COUNT, column j zero above row
   j + SHIFT.  O(n COUNT COLUMNS) in matrix products.  The user may stop it
   between blocks of reflectors.  */
template <typename T>
gpueig_status ge_cuda_apply_reflectors (gpueig_context *ctx, int64_t n,
                                        int64_t count, int64_t shift,
                                        const T *v, const T *tau,
                                        int64_t columns, T *z);

#endif
