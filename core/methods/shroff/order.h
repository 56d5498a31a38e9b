/* Order, phases and conjugate pairs of results, see order_typed.c and normalize_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_ORDER_H
#define GE_COMPLEX_ORDER_H 1

#include "base/solver.h"

/* ge_order_page: interleaved LAMBDA, V and W (or NULL) become ordered as
   gpueig_complex_eig documents, by real part, ascending, then by |imaginary part|, then the
   positive one first: neighbours whose real parts differ by at most
   8 sqrt (n) eps max |lambda| count as equal in it.  REAL: the matrix was.  ORDER: 2 n
   integers, COLUMN: n complex numbers of scratch.
   ge_normalize: interleaved LAMBDA, V and W (or NULL) of one page, columns of a norm near 1,
   become conjugate pairs exactly conjugate and real eigenvalues with real vectors, if the
   matrix was REAL; columns of 2-norm 1 with their largest element real.  Returns an upper
   bound of the increase of |A v - lambda v| by this, over all vectors; for a real defective
   matrix it may be too large.  SCRATCH: ge_normalize_bytes.
   ge_fix_phases: multiply the COUNT columns of V, of norm 1, so that their largest
   element is real.  */
#define GE_ORDER_PROTOTYPES(suffix, real_t)                                    \
  void ge_order_page_##suffix (int64_t n, int real, real_t *lambda, real_t *v, \
                               real_t *w, int64_t *order, void *column);       \
  double ge_normalize_##suffix (int64_t n, int real, void *scratch,            \
                                real_t *lambda, real_t *v, real_t *w);         \
  void ge_fix_phases_##suffix (int64_t n, int64_t count, real_t *v);
GE_ORDER_PROTOTYPES (c, float)
GE_ORDER_PROTOTYPES (z, double)

static inline int64_t
ge_normalize_bytes (int64_t n, size_t real_size)
{
  return (4 * n * n + n) * (int64_t) real_size + n * (int64_t) sizeof (int)
         + 64;
}

#endif
