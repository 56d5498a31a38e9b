/* Matrix products on all threads, which the user may stop.  For typed files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Tiles of the product are pieces (ge_run_pieces), each one BLAS call on one
   thread.  Bits depend on the sizes alone.  */

#ifndef GE_PRODUCTS_H
#define GE_PRODUCTS_H 1

#include "lapack.h"

/* Z <- ALPHA op (X) op (Y) + BETA Z, M-by-N with inner dimension K; OPX and OPY
   are "N" or "C".  LOWER: only what lies on and below the diagonal, and some
   of what is above.  */
typedef struct
{
  const char *opx, *opy;
  int64_t m, n, k;
  scalar_t alpha, beta;
  const scalar_t *x, *y;
  scalar_t *z;
  int64_t ldx, ldy, ldz;
  int lower;
} FN (ge_product_job);

gpueig_status FN (ge_product) (gpueig_context *, const FN (ge_product_job) *);

/* Z <- op (X) Y + BETA Z, all N-by-N and without padding.  */
gpueig_status FN (ge_square_product) (gpueig_context *, int64_t n,
                                      const char *op, const scalar_t *x,
                                      const scalar_t *y, scalar_t beta,
                                      scalar_t *z);

/* Z <- X' Y, which is Hermitian: its lower triangle.  */
gpueig_status FN (ge_half_product) (gpueig_context *, int64_t n,
                                    const scalar_t *x, const scalar_t *y,
                                    scalar_t *z);

/* The lower triangle of the Hermitian N-by-N A becomes its Cholesky factor; *MINOR
   is the order of the first minor that is not positive, or 0.  */
gpueig_status FN (ge_cholesky) (gpueig_context *, int64_t n, scalar_t *a,
                                int *minor);

#endif
