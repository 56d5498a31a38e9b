/* MRRR's operations on the CPU, mrrr/lanes.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_LANES_H
#define GE_MRRR_LANES_H 1

#include "mrrr/mrrr.h"

extern const ge_mrrr_ops ge_mrrr_lanes;

/* Operations on whole columns, mrrr/lane_columns.c.  */
gpueig_status ge_lanes_dots (ge_mrrr *m, int64_t n, const int32_t *a,
                             const int32_t *b, double *dots);
gpueig_status ge_lanes_store (ge_mrrr *m, int64_t n, const int32_t *column,
                              const int32_t *begin, const int32_t *size,
                              const double *z, int64_t ld);
gpueig_status ge_lanes_fetch (ge_mrrr *m, int32_t column, int32_t begin,
                              int32_t size, double *z);

#endif
