/* LAPACK for general pages, also for solvers that hand pages over.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_GENERAL_H
#define GE_EIG_GENERAL_H 1

#include "base/scale_general.h"

/* Run xGEEVX on the COUNT pages of PROBLEM that LIST numbers, all cores at
   work: small pages side by side, large ones one by one with a threaded
   BLAS.  LIST = NULL: pages 0 .. COUNT - 1.  */
gpueig_status ge_geev_pages (gpueig_context *ctx, const gpueig_general *problem,
                             const int64_t *list, int64_t count);

#endif
