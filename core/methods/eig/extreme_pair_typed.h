/* Internal interface of the typed files of definite pairs of any range.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EXTREME_PAIR_TYPED_H
#define GE_EXTREME_PAIR_TYPED_H 1

#include "eig/high_pair_typed.h"
#include "eig/pair.h"
#include "onesided/exponents.h"

#define extreme FN (ge_extreme)
#define pivot FN (ge_extreme_pivot)
#define extreme_solve_block FN (ge_extreme_solve_block)
#define extreme_factor FN (ge_extreme_factor)

/* One or two rows of P, and their block [A D; D' B] of E.  */
typedef struct
{
  int64_t row[2];
  int count;
  real_t a, b;
  scalar_t d;
} pivot;

typedef struct
{
  int64_t n, pivots;
  const scalar_t *a, *b;
  scalar_t *p, *m; /* P, then rubbish; M, a column for each row of a pivot */
  scalar_t *l, *y, *v;    /* V: scratch, then U */
  real_t *sign, *largest; /* LARGEST: the largest terms of elements of P */
  pivot *pivot;
  double noise;   /* elements of P below this times their terms are 0 */
  int *d, *g;     /* exponents of D, and of the rows of P */
  int *units;     /* of A: its rows divided by them are about 1 */
  int *e;         /* those of Z and Y, in the order, */
  int64_t *order; /* of rows of A and B */
  unsigned char *is_done;
} extreme;

/* A size to be compared: that of X 2^E.  */
static inline double
size_of (scalar_t x, int e)
{
  int exponent;
  const double part = part_ (x), mantissa = frexp (part, &exponent);
  return part > 0 ? mantissa + exponent + e : -INFINITY;
}

/* P, M and E from A, with x->NOISE; then Y: Z with rows near 1 in the order, their exponents
   and the signs, with P as scratch.  In extreme_factor_typed.c.  */
gpueig_status extreme_factor (gpueig_context *ctx, extreme *x);

/* X <- the solution for the right-hand side X of the block of K.  */
void extreme_solve_block (const pivot *k, scalar_t x[2]);

#endif
