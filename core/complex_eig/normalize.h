/* The form of a general page's result.  Only for typed files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_GENERAL_FORM_H
#define GE_GENERAL_FORM_H 1

#include "base/solver.h"
#include "base/scalar.h"

/* One lane of eigenvalues, right vectors (columns of V, or NULL) and left ones
   (rows of Y, or NULL) in planes, see refine.h.  */
typedef struct
{
  int n, lanes, lane;
  int real;      /* the matrix was real */
  int hermitian; /* it was Hermitian */
  int exponent;  /* the matrix was scaled by 2^-exponent */
  real_t error;  /* largest |A v - lambda v|_1 of the scaled matrix, or 0 */
  const real_t *lambda, *v, *y;
} ge_form;

/* Bytes of scratch.  */
int64_t FN (ge_form_bytes) (int64_t n);

/* The same order for a page of interleaved results that another solver made.  V
   and W may be NULL.  */
void FN (ge_form_sort) (int64_t n, void *scratch, real_t *lambda, real_t *v,
                        real_t *w);

/* Interleaved results without form, in place, to the form of ge_form_page.  */
real_t FN (ge_form_raw) (int64_t n, int real, int hermitian, void *scratch,
                         real_t *lambda, real_t *v, real_t *w);

/* Writes interleaved LAMBDA, V and W (either may be NULL): conjugate pairs
   exactly conjugate and real eigenvalues with real vectors for a real matrix,
   columns of 2-norm 1 with their largest element real, ordered by real part,
   ascending, then by |imaginary part|, then the positive one first.  Returns
   what the form added to |A v - lambda v| of some vector, at most: of a real
   defective matrix it may be too much.  */
real_t FN (ge_form_page) (const ge_form *form, void *scratch, real_t *lambda,
                          real_t *v, real_t *w);

#endif
