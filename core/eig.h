/* LAPACK's symmetric driver for one page, by scalar type (eig_typed.c).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_H
#define GE_EIG_H 1

#include "core.h"

/* ge_syevd_size says how many BYTES of space ge_syevd wants, PAIR for a second
   matrix; SIZES goes from one to the other.  ge_syevd returns 0, or K > 0 when
   LAPACK gives up, or -K when the leading minor of order K of B is not
   positive.  ge_syevd_stages does the same in stages that can be interrupted.  */
#define GE_SYEVD_PROTOTYPES(suffix)                                            \
  gpueig_status ge_syevd_size_##suffix (gpueig_context *, int64_t n,           \
                                        int vectors, int pair, int64_t *bytes, \
                                        int sizes[3]);                         \
  int ge_syevd_##suffix (int64_t n, const void *a, const void *b,              \
                         void *lambda, void *v, void *space,                   \
                         const int sizes[3]);                                  \
  gpueig_status ge_syevd_stages_##suffix (gpueig_context *, int64_t n,         \
                                          const void *a, const void *b,        \
                                          void *lambda, void *v);
GE_SYEVD_PROTOTYPES (s)
GE_SYEVD_PROTOTYPES (d)
GE_SYEVD_PROTOTYPES (c)
GE_SYEVD_PROTOTYPES (z)

/* Let S->a and S->b be copies whose pages have their largest elements near 1,
   unless they are close already; *EXPONENTS, two a page, or NULL: nothing was
   scaled.  ge_unscale_pair brings back what the solver then finds, and fails when
   that is beyond the range.  */
gpueig_status ge_scale_pair (gpueig_context *ctx, gpueig_symmetric *s,
                             int **exponents);
gpueig_status ge_unscale_pair (gpueig_context *ctx, const gpueig_symmetric *s,
                               const int *exponents);

/* From this order on a page goes by stages: as fast as LAPACK in one call, and
   the user can stop it.  */
enum
{
  GE_SYEVD_IN_STAGES = 400
};

#endif
