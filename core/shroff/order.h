/* Order and phases of results, see order_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_ORDER_H
#define GE_COMPLEX_ORDER_H 1

#include "base/solver.h"

/* ge_order_page: interleaved LAMBDA, V and W (or NULL) become ordered as
   gpueig_complex_eig documents, by real part, ascending, then by |imaginary part|, then the
   positive one first: neighbours whose real parts differ by at most
   8 sqrt (n) eps max |lambda| count as equal in it.  REAL: the matrix was.  ORDER: 2 n
   integers, COLUMN: n complex numbers of scratch.
   ge_fix_phases: multiply the COUNT columns of V, of norm 1, so that their largest
   element is real.  */
#define GE_ORDER_PROTOTYPES(suffix, real_t)                                    \
  void ge_order_page_##suffix (int64_t n, int real, real_t *lambda, real_t *v, \
                               real_t *w, int64_t *order, void *column);       \
  void ge_fix_phases_##suffix (int64_t n, int64_t count, real_t *v);
GE_ORDER_PROTOTYPES (c, float)
GE_ORDER_PROTOTYPES (z, double)

#endif
