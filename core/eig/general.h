/* LAPACK for general pages, also for solvers that hand pages over.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_GENERAL_H
#define GE_EIG_GENERAL_H 1

#include "base/solver.h"

/* Run xGEEVX on the COUNT pages of PROBLEM that LIST numbers, all cores at
   work: small pages side by side, large ones one by one with a threaded
   BLAS.  LIST = NULL: pages 0 .. COUNT - 1.  */
gpueig_status ge_geev_pages (gpueig_context *ctx, const gpueig_general *problem,
                             const int64_t *list, int64_t count);

/* Let G->a be a copy whose pages are scaled to a largest element near 1, unless
   they are already; *EXPONENTS, one a page, or NULL: nothing was scaled.  What
   the solver then finds is brought back by ge_unscale_general.  */
gpueig_status ge_scale_general (gpueig_context *ctx, gpueig_general *g,
                                int **exponents);
void ge_unscale_general (const gpueig_general *g, const int *exponents);

#endif
