/* Definite pairs (A, B) by Jacobi, see high_pairs.c (ge_high_pairs of run/solvers.h) and
   high_pair_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_HIGH_PAIR_H
#define GE_HIGH_PAIR_H 1

#include "base/solver.h"

/* One pair in double precision; A and B are overwritten, LAMBDA (n) is ascending, V
   (n-by-n, not NULL) B-orthonormal.  GPUEIG_NOT_DEFINITE if B is not positive
   definite.  */
gpueig_status ge_high_pair_d (gpueig_context *ctx, int64_t n, void *a, void *b,
                              double *lambda, void *v,
                              const gpueig_options *options, gpueig_info *info);
gpueig_status ge_high_pair_z (gpueig_context *ctx, int64_t n, void *a, void *b,
                              double *lambda, void *v,
                              const gpueig_options *options, gpueig_info *info);

#endif
