/* Matrices of many kinds, for stacks that mix them and as problems that solvers find hard.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef MIXED_PAGES_H
#define MIXED_PAGES_H 1

#include "check.h"

enum
{
  PAGE_ZERO,
  PAGE_IDENTITY,
  PAGE_MULTIPLE,   /* of the identity */
  PAGE_TRIANGULAR, /* symmetric: diagonal */
  PAGE_DEFECTIVE,  /* a Jordan block; symmetric: tridiagonal */
  PAGE_SYMMETRIC,  /* or Hermitian */
  PAGE_SKEW,       /* symmetric: i times that, or of real numbers an exchange */
  PAGE_PERMUTATION, /* symmetric: P + P' */
  PAGE_GRADED,      /* D R D with D from 1 to 1e-6 */
  PAGE_RANK_ONE,
  PAGE_HUGE,
  PAGE_TINY,
  PAGE_CLUSTER, /* I + R times a little more than rounding */
  PAGE_RANDOM,
  PAGE_WILKINSON, /* tridiagonal, as the next four */
  PAGE_GLUED,     /* small ones of the kind before, by 1e-7 */
  PAGE_CLEMENT,
  PAGE_GEOMETRIC,  /* diagonal 2^-i, off-diagonal half of that */
  PAGE_NEGLIGIBLE, /* diagonal 2, the squares of others near those left out */
  PAGE_KINDS,
  /* symmetric ones that are not for stacks */
  PAGE_PLUS_MINUS = PAGE_KINDS, /* diag (1, -1, 1, -1, ...) */
  PAGE_EXCHANGE,                /* [0 1; 1 0] along the antidiagonal */
  PAGE_KRON,                    /* kron ([0 1; 1 0], B) */
  PAGE_BIPARTITE, /* adjacency matrix of a random bipartite graph */
  PAGE_GRAM,      /* X X' of rank n / 4 */
  PAGE_TWO_CLUSTERS,
  PAGE_ONES,
  HARD_KINDS
};

extern const char *const page_kind_name[HARD_KINDS];

/* A page of order N to A, with SYMMETRIC equal to its conjugate transpose.  */
void mixed_page (measure_random *r, int kind, gpueig_type type, int64_t n,
                 int symmetric, void *a);

/* A symmetric matrix, the same for each KIND, TYPE and N.  */
void hard_matrix (int kind, gpueig_type type, int64_t n, void *a);

/* The largest deviation, in units of n eps |A|_1, of X from the eigenvalues of a matrix
   near A, of TYPE; X and Y complex of the same precision.  Each A - x I must be nearly
   singular, which holds if x is close to one of Y (eigenvalues whose vectors met the
   limits), and the sums of X and of X^2 must be the traces of A and of A^2.  */
double mixed_spectrum (gpueig_type type, int64_t n, const void *a,
                       const void *x, const void *y);

#endif
