/* Reduction of a symmetric or Hermitian matrix to tridiagonal form and
   back-transformation, on the CPU, in pieces between which interrupts are polled.
   For typed files; tridiagonalize_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TRIDIAGONAL_H
#define GE_TRIDIAGONAL_H 1

#include "lapack/lapack.h"

/* If the largest of COUNT elements is very large or small, scale all by a power of two
   that brings it near 1, so that squares neither over- nor underflow.  Returns the
   inverse of the factor, 1 if nothing was done.  */
real_t FN (ge_scale_to_one) (gpueig_context *ctx, int64_t count, scalar_t *a);

/* A = Q T Q': on entry the lower triangle of the n-by-n A, on exit the
   reflectors of Q below its subdiagonal, with their factors in TAU (n - 1), and
   T in D (n) and E (n - 1).  LAPACK's xSYTRD/xHETRD, panel by panel; O(n^3).  */
gpueig_status FN (ge_tridiagonalise) (gpueig_context *ctx, lapack_int n,
                                      scalar_t *a, real_t *d, real_t *e,
                                      scalar_t *tau);

/* C = Q C for n-by-m C and Q as above; A is overwritten and restored.  */
gpueig_status FN (ge_back_transform) (gpueig_context *ctx, lapack_int n,
                                      lapack_int m, scalar_t *a,
                                      const scalar_t *tau, scalar_t *c);

#endif
