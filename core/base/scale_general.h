/* Scaling of general matrices by powers of two, for both general solvers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCALE_GENERAL_H
#define GE_SCALE_GENERAL_H 1

#include "base/entry.h"
#include "base/solver.h"

/* Check that G->a, "A" in the message, is finite, and replace it by a copy whose pages are
   scaled to a largest element near 1; *EXPONENTS has one exponent per page, or is NULL if
   no page needed scaling and G->a is unchanged.  ge_unscale_general scales the
   eigenvalues back.  */
gpueig_status ge_scale_general (gpueig_context *ctx, gpueig_general *g,
                                int **exponents);
void ge_unscale_general (const gpueig_general *g, const int *exponents);

/* Nonzero if every page of A in host memory is finite, not Hermitian, and not scaled by
   ge_scale_general; ge_is_plain says that of the facts of a page.  */
int ge_are_plain (gpueig_context *ctx, gpueig_type type, const void *a,
                  int64_t n, int64_t pages);
int ge_is_plain (const ge_page_facts *facts);

/* Solve G by SOLVE with PLAIN = 1, so that ge_run checks the pages where they are solved, if
   they are many and probably plain.  GPUEIG_NOT_SYMMETRIC if they are not.  */
typedef gpueig_status ge_plain_call (gpueig_context *, const gpueig_general *,
                                     int plain, const gpueig_options *,
                                     gpueig_info *);
gpueig_status ge_solve_plain (gpueig_context *ctx, const gpueig_general *g,
                              ge_plain_call *solve,
                              const gpueig_options *options, gpueig_info *info);

/* The member UNCHECKED in entries of solvers of a gpueig_general: ge_run checks that its
   pages are plain, unless flags are given, of which none is set.  */
ge_check ge_unchecked_general (const void *problem);

/* Typed parts, for one page: the exponent of its smallest nonzero element; its 1-norm; the
   page times 2^-exponent; COUNT reals of eigenvalues times 2^exponent.  */
#define GE_SCALE_PROTOTYPES(suffix)                                            \
  int ge_page_least_exponent_##suffix (int64_t n, const void *a);              \
  void ge_page_scaled_##suffix (int64_t n, const void *a, int exponent,        \
                                void *to);                                     \
  double ge_page_norm_##suffix (int64_t n, const void *a);                     \
  void ge_values_unscaled_##suffix (int64_t count, int exponent, void *values);
GE_FOR_TYPES (GE_SCALE_PROTOTYPES)

#endif
