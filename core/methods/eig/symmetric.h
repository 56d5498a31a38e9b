/* gpueig_eig_symmetric and gpueig_eig_general, and their solvers on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   symmetric.c          gpueig_eig_symmetric: checks, "auto", pages of a stack
   pairs.c, pair_typed.c, verify_pair.c  pairs (A, B); one pair (pair.h); its verification
   scale_pair.c, scale_pair_typed.c  scaling of pairs
   hard_pairs.c         extreme_pair_typed.c, extreme_factor_typed.c: those for which that is not
                        enough; high_pair_typed.c: definite pairs by Jacobi, of gpu_jacobi_eig
                        and for high accuracy; newton_typed.c: refinement of these
   symmetric_typed.c    xSYEVD for one page
   general.c, general_typed.c  gpueig_eig_general: symmetric and general pages in a stack;
                        xGEEVX for one page
   qz_typed.c           verification of general pairs, and another method for them
   qr_typed.c           our QR algorithm for one page (general.h)
   balanced.c, repair_typed.c  pages that are balanced or not; their vectors
   vectors_typed.c      eigenvectors of a complex Schur form  */

#ifndef GE_EIG_H
#define GE_EIG_H 1

#include "base/solver.h"

/* ge_syevd_size computes the BYTES of workspace for ge_syevd, and SIZES, to be passed to
   ge_syevd, which returns 0, or K > 0 if LAPACK fails with info K.  */
#define GE_SYEVD_PROTOTYPES(suffix)                                            \
  gpueig_status ge_syevd_size_##suffix (                                       \
      gpueig_context *, int64_t n, int vectors, int64_t *bytes, int sizes[3]); \
  int ge_syevd_##suffix (int64_t n, const void *a, void *lambda, void *v,      \
                         void *space, const int sizes[3]);
GE_FOR_TYPES (GE_SYEVD_PROTOTYPES)

/* The solver of pairs of the CPU backend.  S->indefinite is not NULL, nor is S->found for
   an interval.  */
gpueig_status ge_cpu_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                            const ge_plan *plan, const gpueig_options *options,
                            gpueig_info *info);

/* The PAGES pages of S from page P on.  */
gpueig_symmetric ge_from_page (const gpueig_symmetric *s, int64_t p,
                               int64_t pages);

/* Scaling of pairs: (A, B) becomes (2^-shift D A D, D B D), D = diag (2^d).  */
typedef struct
{
  int *d, *row;       /* n per page; ROW: scratch */
  int *shift;         /* one per page */
  unsigned char *how; /* GE_PAIR_... of eig/pair.h, one per page */
} ge_pair_scaling;

/* Replace S->a, S->b and the bounds of an interval by scaled ones where over- or
   underflow is near, or units are far apart; SCALING->d is NULL if no page needed it and S is
   unchanged.  Pages that no scaling brings into the range of the solvers are replaced by
   (I, I); ge_extreme_pairs solves those of S as given, after the others.
   ge_unscale_pairs scales the results, of COUNT columns, back: eigenvalues that are not
   representable become Inf or 0; GPUEIG_NONFINITE if vectors overflow.  */
gpueig_status ge_scale_pairs (gpueig_context *ctx, gpueig_symmetric *s,
                              ge_pair_scaling *scaling);
gpueig_status ge_extreme_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                                const ge_pair_scaling *scaling,
                                const gpueig_options *options,
                                gpueig_info *info);
gpueig_status ge_unscale_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                                int64_t count, const ge_pair_scaling *scaling);

#endif
