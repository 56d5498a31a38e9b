/* gpueig_eig_symmetric and gpueig_eig_general; on the CPU they call LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   symmetric.c          gpueig_eig_symmetric: checks, "auto", pages of a stack
   scale_pair.c         scaling of pairs (A, B)
   symmetric_typed.c    xSYEVD, xSYGVD's parts, for one page
   stages_typed.c       a large page in stages that can be interrupted
   general.c, general_typed.c  gpueig_eig_general; xGEEVX for one page  */

#ifndef GE_EIG_H
#define GE_EIG_H 1

#include "base/solver.h"

/* ge_syevd_size computes the BYTES of workspace for ge_syevd, PAIR nonzero for a
   problem with B, and SIZES, to be passed to ge_syevd.  ge_syevd returns 0, or K > 0 if
   LAPACK fails with info K, or -K if the leading minor of order K of B is not
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

/* Replace S->a and S->b by copies whose pages have their largest elements near 1;
   *EXPONENTS has two exponents per page, or is NULL if no page needed scaling and S is
   unchanged.  ge_unscale_pair scales the results back; GPUEIG_NONFINITE if they
   overflow.  */
gpueig_status ge_scale_pair (gpueig_context *ctx, gpueig_symmetric *s,
                             int **exponents);
gpueig_status ge_unscale_pair (gpueig_context *ctx, const gpueig_symmetric *s,
                               const int *exponents);

/* From this order on a page is solved in stages: as fast as a single call of LAPACK,
   and can be interrupted.  */
enum
{
  GE_SYEVD_IN_STAGES = 400
};

#endif
