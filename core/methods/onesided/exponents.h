/* One-sided Jacobi for vectors of any range.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Column j of X stands for x_j 2^e_j.  Only products of the x_j are formed, which are near 1 in
   length, so that neither the e_j nor their differences have a bound.  Inner products are
   x' J y with J = diag (SIGN), a sign for each component: with J = I the columns become
   singular vectors times values, with another J the rotations are those of Jacobi's method
   for the matrix X' J X, which is not formed (F. M. Dopico, P. Koev, J. M. Molera, Numer.
   Math. 113 (2009) 519).  */

#ifndef GE_ONESIDED_EXPONENTS_H
#define GE_ONESIDED_EXPONENTS_H 1

#include "base/context.h"

enum
{
  GE_EXPONENT_OF_ZERO = -1000000
};

typedef struct
{
  int64_t length, count; /* of the columns of X, and their number */
  void *x;
  int *e;           /* COUNT */
  const void *sign; /* LENGTH reals, 1 or -1 */
  void *v;          /* NULL, or COUNT-by-COUNT, multiplied by the rotations */
  int sweeps;       /* result: their number, negative if they were not enough */
} ge_onesided_columns;

/* Rotate until every cosine between two columns is a few eps.  Polls interrupts if CTX is
   not NULL.
   ge_onesided_normalize: X (COUNT) becomes of a largest part near 1; returns the
   exponent that was taken out, GE_EXPONENT_OF_ZERO of zeros.  */
#define GE_ONESIDED_PROTOTYPES(suffix)                                         \
  gpueig_status ge_onesided_orthogonalize_##suffix (gpueig_context *ctx,       \
                                                    ge_onesided_columns *);    \
  int ge_onesided_normalize_##suffix (int64_t count, void *x);
GE_FOR_TYPES (GE_ONESIDED_PROTOTYPES)
#undef GE_ONESIDED_PROTOTYPES

#endif
