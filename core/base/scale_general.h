/* General pages far from 1 times powers of two, for both general solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCALE_GENERAL_H
#define GE_SCALE_GENERAL_H 1

#include "base/solver.h"

/* Let G->a be a copy whose pages are scaled to a largest element near 1, unless
   they are already; *EXPONENTS, one a page, or NULL: nothing was scaled.  What
   the solver then finds is brought back by ge_unscale_general.  */
gpueig_status ge_scale_general (gpueig_context *ctx, gpueig_general *g,
                                int **exponents);
void ge_unscale_general (const gpueig_general *g, const int *exponents);

/* The typed parts, of one page: the exponents of its largest element and of its
   smallest one that is not zero; 2^-EXPONENT times the page; its
   1-norm; eigenvalues back.  */
#define GE_SCALE_PROTOTYPES(suffix)                                            \
  int ge_page_exponent_##suffix (int64_t n, const void *a);                    \
  int ge_page_least_exponent_##suffix (int64_t n, const void *a);              \
  void ge_page_scaled_##suffix (int64_t n, const void *a, int exponent,        \
                                void *to);                                     \
  double ge_page_norm_##suffix (int64_t n, const void *a);                     \
  void ge_values_unscaled_##suffix (int64_t n, int exponent, void *lambda);
GE_SCALE_PROTOTYPES (s)
GE_SCALE_PROTOTYPES (d)
GE_SCALE_PROTOTYPES (c)
GE_SCALE_PROTOTYPES (z)

#endif
