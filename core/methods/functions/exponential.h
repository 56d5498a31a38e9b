/* Exponentials: polynomials and scaling, of one matrix and of pages of a GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_FUNCTIONS_EXPONENTIAL_H
#define GE_FUNCTIONS_EXPONENTIAL_H 1

#include "functions/calc.h"

enum
{
  GE_TERMS = 5, /* multiples of I, A, A^2, A^3, A^6 */
  GE_POLYNOMIALS = 6,
};

/* Taylor polynomials p[0] + (p[1] + q) (p[5] + q), q = p[2] + p[3] p[4], for a norm of
   THETA.  */
typedef struct
{
  int degree, terms;
  double theta[2]; /* single, double */
  double p[GE_POLYNOMIALS][GE_TERMS];
} ge_polynomial;

/* Matrices of a calculation: powers of A, and others.  */
enum
{
  GE_A2,
  GE_A3,
  GE_A6,
  GE_X,
  GE_Y,
  GE_SPARE
};

/* The power of 2 by which A is divided so that powers of A do not overflow; NORM: the
   1-norm of A.  */
int ge_excess (gpueig_type type, double norm);

/* Set *P to the polynomial for a matrix of norm NORM, or to the last one, and compute the
   powers of A that *P needs into c->m.  */
gpueig_status ge_take_powers (ge_calc *c, const void *a, double norm,
                              const ge_polynomial **p);

/* Squarings for a matrix 2^EXCESS A, NORM: of A, A^2, A^3, A^6 from 1 on.  */
int ge_squarings (gpueig_type type, const double norm[GE_TERMS], int excess);

/* The number of additional squarings that rounding errors of the evaluation require.  A
   FACTOR is the argument, NORM the norm of A, *POWER that of |A FACTOR / 2|^(degree + 1);
   POWER = NULL: return whether that power is needed.  Half of the argument is tested: the
   errors grow as exp (|A|), which one more squaring would not make smaller.  */
int ge_more_squarings (gpueig_type type, const ge_polynomial *p, double norm,
                       double factor, const double *power);

/* Nonzero if so many squarings leave no correct digit of an exponential that does not vanish:
   there are eigenvalues above 1 / eps.  */
int ge_loses_digits (gpueig_type type, int squarings);

/* X = p (F A).  */
gpueig_status ge_evaluate (ge_calc *c, const ge_polynomial *p, const void *a,
                           double f, void *x);

#endif
