/* Functions of matrices, a part of gpueig.h, which includes it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_FUNCTIONS_H
#define GPUEIG_FUNCTIONS_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

typedef enum
{
  GPUEIG_SQRTM, /* principal square root */
  GPUEIG_LOGM,  /* principal logarithm */
  GPUEIG_EXPM,
  GPUEIG_MPOWER /* A^power, the principal one */
} gpueig_funm_kind;

/* Defects of a page's result.  */
typedef enum
{
  /* An eigenvalue is zero: a square root may not exist, a negative power does not, and a
     logarithm has the logarithm of the smallest number in place of that of zero.  Not set
     for logarithms of pages that are equal to their conjugate transpose, and of diagonal
     ones, whose logarithm of zero is -Inf.  */
  GPUEIG_FUNM_SINGULAR = 1,
  /* Real negative eigenvalues: the function is not principal, the imaginary part of such
     an eigenvalue is taken as positive.  */
  GPUEIG_FUNM_NEGATIVE = 2,
  /* Eigenvalues of an exponential are so large that it has no correct digit.  */
  GPUEIG_FUNM_NO_DIGIT = 4
} gpueig_funm_state;

/* X = f (A).
     a      n-by-n-by-pages, type TYPE, real or complex
     x      n-by-n-by-pages, of TYPE
     x_im   TYPE real: n-by-n-by-pages, imaginary parts, not written unless *IS_COMPLEX;
            or NULL: then a result that is not real is GPUEIG_BAD_ARGUMENT
     is_complex  NULL, or on exit nonzero if a page has imaginary parts
     state  NULL, or one per page: gpueig_funm_state, joined by |
     rcond  NULL, or one per page, for a negative integer power the reciprocal condition
            number of A in the 1-norm, for others 0 where the power does not exist, otherwise
            1; where a negative power does not exist, X is Inf
     roots  NULL, or one per page: the number of square roots of matrices that a logarithm
            or a power took
     residual  NULL, or one per page, for a square root |X X - A| / |A| in the Frobenius
            norm
   The power is POWER + i POWER_IM.  Finite A only.
   Results may overflow.  */
typedef struct
{
  gpueig_funm_kind kind;
  double power, power_im;
  gpueig_type type;
  int64_t n, pages;
  const void *a;
  void *x, *x_im;
  int *is_complex;
  unsigned char *state;
  double *rcond;
  int *roots;
  double *residual;
  gpueig_place place;
} gpueig_funm_problem;

/* Method: "auto".  A page that is equal to its conjugate transpose by gpueig_eig_symmetric
   (not a diagonal one, and not integer powers; negative eigenvalues within rounding errors of zero count as
   zero), others by gpueig_schur, the exponential by scaling and squaring, integer powers
   by products.  O(n^3) per page.  */
gpueig_status gpueig_funm (gpueig_context *ctx,
                           const gpueig_funm_problem *problem,
                           const gpueig_options *options, gpueig_info *info);

/* A = U H for each page, U with orthonormal columns, H Hermitian and positive
   semidefinite: the polar decomposition.
     a, u   m-by-n-by-pages, m >= n, type TYPE
     h      NULL, or n-by-n-by-pages
   U is the nearest matrix with orthonormal columns to A; H is unique, and U is if A has rank n.
   Options and info: those of gpueig_svd, from whose results U and H are computed.  */
typedef struct
{
  gpueig_type type;
  int64_t m, n, pages;
  const void *a;
  void *u, *h;
  gpueig_place place;
} gpueig_polar_problem;

gpueig_status gpueig_polar (gpueig_context *ctx,
                            const gpueig_polar_problem *problem,
                            const gpueig_options *options, gpueig_info *info);

GPUEIG_END_C

#endif
