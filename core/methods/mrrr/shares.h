/* Parts of ge_mrrr_entry, mrrr/shares.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_SHARES_H
#define GE_MRRR_SHARES_H 1

#include "base/entry.h"

int64_t ge_mrrr_units (const void *problem, ge_method method, int64_t *least);
gpueig_status ge_mrrr_divide (gpueig_context *ctx, const void *problem,
                              ge_method method, ge_division *division);
void ge_mrrr_share (const void *problem, const ge_division *division, int i,
                    gpueig_context *child, void *share);

#endif
