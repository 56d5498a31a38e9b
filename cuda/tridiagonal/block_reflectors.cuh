/* Products of reflectors as block reflectors, H_1 ... H_k = I - V T V'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   T is upper triangular and inv (T) = striu (V' V) + diag (1 ./ tau) (Puglisi
   1992; Joffrain et al. 2006), so that diagonal blocks of it combine to larger
   ones by T12 = -T11 (V1' V2) T22.  A reflector with tau = 0 is the identity;
   its column of V is zero, the leading 1 included.  */

#ifndef GE_TRIDIAGONAL_BLOCK_REFLECTORS_CUH
#define GE_TRIDIAGONAL_BLOCK_REFLECTORS_CUH 1

#include "base/blas.cuh"

/* F, 2k-by-k for k = GE_FACTOR, of a two-sided update with a block reflector: W =
   [X V] F for A <- A - V W' - W V', X = A V (see band_reduction.cuh),

     F = [T; -T' (V' X) T / 2].

   GRAM (its strict upper triangle): V' V.  X' V is the sum of COUNT PARTS, row by
   row.  */
enum
{
  GE_FACTOR = 32
};
template <typename T>
gpueig_status ge_cuda_two_sided_factor (gpueig_context *ctx, int count,
                                        const T *gram, const T *tau,
                                        const T *parts, T *f);

/* The factors *FACTORS, allocated here, of H_1 ... H_COUNT for the next function; V:
   n-by-COUNT, column j zero above row j + SHIFT.  */
template <typename T>
gpueig_status ge_cuda_reflector_factors (gpueig_context *ctx, int64_t n,
                                         int64_t count, int64_t shift,
                                         const T *v, const T *tau, T **factors);

/* Z <- H_1 ... H_COUNT Z, n-by-COLUMNS, by the FACTORS; IDENTITY: Z, n-by-n, becomes the
   identity first.  O(n COUNT COLUMNS) in matrix products.  Interrupts are polled between
   blocks of reflectors.  The work space of both belongs to the caller's frame.  */
template <typename T>
gpueig_status ge_cuda_apply_reflectors (gpueig_context *ctx, int64_t n,
                                        int64_t count, int64_t shift,
                                        const T *v, const T *factors,
                                        int64_t columns, int identity, T *z);

/* The least bytes of device memory that the factors and their application to COLUMNS columns
   need.  */
template <typename T>
double ge_cuda_reflectors_bytes (int64_t n, int64_t count, int64_t shift,
                                 int64_t columns);

#endif
