/* Reduction of a full matrix to a band.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Panels of b = GE_BAND columns are factorised below the diagonal block, and the rest of
   the matrix is transformed by A <- Q' A Q with Q = I - V T V':

     X = A V,  Y = X T,  W = Y - V (T' (V' Y)) / 2,  A <- A - V W' - W V'.

   The update is applied for 256 columns at once, as a matrix product of rank 512, not
   panel by panel (double blocking: Wang et al., arXiv 2410.02170).  With the pending
   update written as L R', L = [V1 W1 V2 W2 ...], R = [W1 V1 W2 V2 ...],

     A V = A_stored V - L (R' V).

   In double precision the lower triangle is stored, and read once for A V
   (symmetric_product.cuh); otherwise both, so that A V is one matrix product.  */

#ifndef GE_TRIDIAGONAL_BAND_REDUCTION_CUH
#define GE_TRIDIAGONAL_BAND_REDUCTION_CUH 1

#include "base/exchange.cuh"
#include "tridiagonal/tridiagonal.cuh"

/* Leading dimension of a band matrix: element (i, j), i >= j, is number i - j
   + GE_BAND_ROWS j. 2 b rows, because the bulges of the next stage need them.  */
enum
{
  GE_BAND_ROWS = 2 * GE_BAND
};

/* With columns past the last one, which the next stage may read but not use.  */
static inline int64_t
ge_band_packets (int64_t n)
{
  return GE_BAND_ROWS * (n + GE_BAND_ROWS);
}

/* A, n-by-n, both triangles, is overwritten by V: column j holds reflector j in the rows
   from j + b on, zeros above, for j < n - b.  WORK: n (n - 1) / 2 numbers of work space,
   or NULL.  BAND: ge_band_packets (n) packets of step 0 (exchange.cuh); the lower band is
   written, the others are cleared.  TAU: n.  */
template <typename T>
gpueig_status ge_cuda_reduce_to_band (gpueig_context *ctx, int64_t n, T *a,
                                      T *work, packet_planes<T> band, T *tau);

/* Bytes of device memory that it needs in addition, without WORK if there is none.  */
template <typename T>
double ge_cuda_band_bytes (gpueig_context *ctx, int64_t n, int has_work);

/* Nonzero if panels of a matrix of order N fit the current GPU.  */
template <typename T> int ge_cuda_panels_fit (gpueig_context *ctx, int64_t n);

#endif
