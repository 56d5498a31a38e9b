/* Normalization of the result of a general page: phases, conjugate pairs.  Only for typed
   files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_NORMALIZE_H
#define GE_NORMALIZE_H 1

#include "base/solver.h"
#include "base/scalar.h"

/* One lane of eigenvalues, right vectors V and left ones Y, or NULL, in the layout of
   refine.h.  */
typedef struct
{
  int n, lanes, lane;
  int real;     /* the matrix was real */
  int exponent; /* the matrix was scaled by 2^-exponent */
  real_t error; /* largest |A v - lambda v|_1 of the scaled matrix, or 0 */
  const real_t *lambda, *v, *y;
} ge_normalize_input;

/* Bytes of scratch.  */
int64_t FN (ge_normalize_bytes) (int64_t n);

/* ge_normalize_page for interleaved results, in place.  */
real_t FN (ge_normalize_interleaved) (int64_t n, int real, void *scratch,
                                      real_t *lambda, real_t *v, real_t *w);

/* Writes interleaved LAMBDA, V and W (either may be NULL): conjugate pairs
   exactly conjugate and real eigenvalues with real vectors for a real matrix,
   columns of 2-norm 1 with their largest element real.  Returns an upper
   bound of the increase of |A v - lambda v| by this, over all vectors; for a real
   defective matrix it may be too large.  */
real_t FN (ge_normalize_page) (const ge_normalize_input *form, void *scratch,
                               real_t *lambda, real_t *v, real_t *w);

#endif
