/* Limits for errors of results, in units of n*eps*norm, see the table of accuracy in
   README.md ("bar" in the tests is such a limit).  LAPACK's own test programs use 20
   to 60.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef LIMITS_H
#define LIMITS_H 1

#define LIMIT_RESIDUAL 10.0      /* |A V - V D| / (|A| n eps) */
#define LIMIT_ORTHOGONALITY 10.0 /* |V' V - I| / (n eps) */
#define LIMIT_EIGENVALUES 10.0   /* |lambda - reference| / (|A| n eps) */
#define LIMIT_RELATIVE 10.0      /* |lambda - ref| / (|ref| n eps cond (B)) */
#define LIMIT_GENERAL 20.0       /* |A V - V D| / (|A| |V| n eps) */
#define LIMIT_INVERSE 10.0       /* |T X - I| / (n eps cond (T)) */
#define LIMIT_STEMR                                                            \
  60.0 /* orthogonality by LAPACK's MRRR: that of its own tests */
#define LIMIT_LENGTH 5.0 /* | |v_j| - 1 | / (n eps) of general vectors */
/* |X(i,j) - ref| / (|ref| eps): the method "generators" has this bound for every n; the
   largest errors are those of complex products.  */
#define LIMIT_INVERSE_ENTRY 4.0

/* --- usual errors ---

   A second, tight limit of each solver's own tests: errors as above without the
   factor n eps are below USUAL sqrt (n) eps.  The values are two to three times the
   largest that the tests have shown, in units of the eps of each type.  An
   answer with fewer digits than its type has, from products in TF32 say, can
   stay below the bars above (10 n eps is 1e-3 for n = 830 in single precision),
   but not below these.  */

typedef struct
{
  double residual, orthogonality, values; /* INFINITY: no claim */
} usual_errors;

#define USUAL_NONE ((usual_errors){ INFINITY, INFINITY, INFINITY })
#define USUAL_EIG ((usual_errors){ 20, 30, 3 })
#define USUAL_GENERAL 5.0
/* one step from a guess: close to n eps */
#define USUAL_JACOBI ((usual_errors){ 100, 50, 15 })
#define USUAL_HIGH ((usual_errors){ 8, 12, INFINITY })
/* of random matrices */
#define USUAL_ONESIDED ((usual_errors){ 130, 80, 6 })
/* dense matrices through tridiagonal form, in two stages from 1025 on */
#define USUAL_DENSE ((usual_errors){ 20, 120, 9 })
/* the same of matrices of equal elements and of permutations, where rounding errors are not
   random: LAPACK's are as large */
#define USUAL_DENSE_HARD ((usual_errors){ 40, 120, 9 })
#define USUAL_MRRR ((usual_errors){ 20, 25, 9 })
/* divide and conquer of tridiagonal matrices in C */
#define USUAL_DIVIDE ((usual_errors){ 20, 20, 9 })
#define USUAL_COMPLEX 20.0
#define USUAL_COMPLEX_ORTHOGONALITY 8.0
#define USUAL_QR 50.0
#define USUAL_INVERSE 3.0

#endif
