/* Definite pairs (A, B) with ill-conditioned B: refinement of approximate eigenpairs, with the
   operations of a backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Solvers of the reduced problem C Y = Y D, C = L^-1 A L^-H, B = L L^H, have errors of
   eps |C|: small for the eigenvalues near |C|, whose vectors V = L^-H Y are large, and
   too much for small eigenvalues if |C| is far beyond |A| / |B|.  With R = A V - B V D and
   Z = V^H R the columns of V (I + E), D + diag (Z),

     E_ij = - (Z_ij + conj (Z_ji)) / (2 (d_i - d_j)) - H_ij / 2,   H = V^H B V - I,

   have errors of the order of E squared (T. Ogita, K. Aishima, Japan J. Indust. Appl. Math. 35,
   2018, for one matrix), and rounding errors of Z_ij are eps |V_i| |V_j| (|A| + |d| |B|) only,
   which is small for small vectors.  An element of Z that is not larger is no reason to turn the
   vectors.  Only columns with errors are refined.  Where E is too large for this, they are
   freed of parts of the others, and the pair (V2^H A V2, V2^H B V2) of smaller order and norm is
   solved.  */

#ifndef GE_REFINE_PAIR_H
#define GE_REFINE_PAIR_H 1

#include "base/context.h"
#include "base/inline.h"

#include <math.h>

GPUEIG_BEGIN_C

/* The largest error of columns of which a solution consists, in units of n eps; in Euclidean
   norms the error is |A v - lambda B v| / ((|A| + |lambda| |B|) |v|).  */
#define GE_PAIR_ERROR 1.0

/* E_ij without H_ij / 2 is this times an element of Z of MODULUS; UNIT: eps |V_i| |V_j|, LAMBDA:
   d_i and d_j.  0 where rounding errors of Z would turn vectors of nearly equal eigenvalues so far
   that the sum of squares of E were not far below the rounding errors of H, and where a column
   that is not REFINED is one of them.  */
GE_INLINE double
ge_pair_factor (double unit, double norm_a, double norm_b, double modulus,
                const double lambda[2], int refined)
{
  const double gap = lambda[0] - lambda[1], turn = modulus / fabs (gap),
               least = fmin (fabs (lambda[0]), fabs (lambda[1]));
  const int is_noise = modulus <= unit * (norm_a + least * norm_b)
                       && ! (turn * turn <= 0x1p-16 * unit * norm_b);
  return is_noise || (! refined && ! (turn <= 1)) ? 0 : -1 / gap;
}

/* The larger one; infinity if X is none or NaN.  */
GE_INLINE double
ge_pair_worse (double worst, double x)
{
  return x <= worst ? worst : x < INFINITY ? x : INFINITY;
}

typedef struct ge_pair_refinement ge_pair_refinement;

/* Operations on columns FROM to TO - 1 of V; results of O(n) are in host memory on return.  */
typedef struct
{
  /* R and B V; size, error and change of these columns.  */
  gpueig_status (*residuals) (ge_pair_refinement *p, int64_t from, int64_t to);
  /* I + E in the place of B V; *TURN: the largest sum of squares of rows FROM to TO - 1 of a
     column of E.  */
  gpueig_status (*corrections) (ge_pair_refinement *p, int64_t from, int64_t to,
                                double *turn);
  /* The columns become V (I + E), with 0 for rows FROM to TO - 1 of E unless INSIDE.  */
  gpueig_status (*correct) (ge_pair_refinement *p, int64_t from, int64_t to,
                            int inside);
  /* The columns V2 become V2 times the eigenvectors of (V2^H A V2, V2^H B V2), whose
     eigenvalues, ascending, are lambda.  GPUEIG_SOLVER_FAILED if the pair has no solution.  */
  gpueig_status (*project) (ge_pair_refinement *p, int64_t from, int64_t to);
} ge_pair_ops;

struct ge_pair_refinement
{
  const ge_pair_ops *ops;
  void *backend; /* has A, B, V and scratch memory */
  int64_t n;
  double eps, norm_a, norm_b; /* Frobenius norms */
  /* n each: eigenvalues, ascending on entry, their first-order changes, lengths of the columns,
     and their errors in units of n eps */
  double *lambda, *change, *size, *error;
};

/* Refine all eigenpairs; *WORST: the largest error.  They may no longer ascend.  */
gpueig_status ge_refine_pairs (ge_pair_refinement *p, double *worst);

GPUEIG_END_C

#endif
