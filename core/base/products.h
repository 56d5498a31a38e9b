/* Matrix products on all threads that can be interrupted.  For typed files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Tiles of the product are pieces (ge_run_pieces), each a product on one thread.  The tiles depend only on the sizes, so the result does not depend on the
   number of threads.  */

#ifndef GE_PRODUCTS_H
#define GE_PRODUCTS_H 1

#include "lapack/lapack.h"

/* X Y without the checks for infinity of the compiler's product of complex numbers.  */
static inline scalar_t
mul_ (scalar_t x, scalar_t y)
{
#if GE_COMPLEX
  return make_ (re_ (x) * re_ (y) - im_ (x) * im_ (y),
                re_ (x) * im_ (y) + im_ (x) * re_ (y));
#else
  return x * y;
#endif
}

/* Z <- ALPHA op (X) op (Y) + BETA Z, M-by-N with inner dimension K; OPX and OPY
   are "N" or "C".  LOWER: only the tiles that intersect the lower triangle.  */
gpueig_status FN (ge_product) (gpueig_context *, const char *opx,
                               const char *opy, int64_t m, int64_t n, int64_t k,
                               int alpha, const scalar_t *x, int64_t ldx,
                               const scalar_t *y, int64_t ldy, int beta,
                               scalar_t *z, int64_t ldz, int lower);

/* Z <- op (X) Y + BETA Z, all N-by-N and without padding.  */
gpueig_status FN (ge_square_product) (gpueig_context *, int64_t n,
                                      const char *op, const scalar_t *x,
                                      const scalar_t *y, int beta, scalar_t *z);

/* The lower triangle of Z <- X' Y, which must be Hermitian.  */
gpueig_status FN (ge_half_product) (gpueig_context *, int64_t n,
                                    const scalar_t *x, const scalar_t *y,
                                    scalar_t *z);

/* Z <- ALPHA op (X) op (Y) + BETA Z on the calling thread, M-by-N with inner dimension K;
   OPX and OPY are "N", "T" or "C".  Small ones do not wait for other threads.  */
void FN (ge_gemm) (const char *opx, const char *opy, int64_t m, int64_t n,
                   int64_t k, int alpha, const scalar_t *x, int64_t ldx,
                   const scalar_t *y, int64_t ldy, int beta, scalar_t *z,
                   int64_t ldz);

/* The lower triangle of Z <- X Y there, all N-by-N and without padding; elements above it may
   be overwritten.  */
void FN (ge_half_gemm) (int64_t n, const scalar_t *x, const scalar_t *y,
                        scalar_t *z);

/* TO = X', X ROWS-by-COLUMNS with leading dimension LD.  */
void FN (ge_adjoint) (int64_t rows, int64_t columns, const scalar_t *x,
                      int64_t ld, scalar_t *to);

/* TO = I, N-by-N.  */
void FN (ge_identity) (int64_t n, void *to);

/* Make Z, N-by-N, Hermitian by its lower triangle.  */
void FN (ge_mirror_lower) (int64_t n, scalar_t *z);

#endif
