/* MRRR's operations on the CPU, mrrr/lanes.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_LANES_H
#define GE_MRRR_LANES_H 1

#include "mrrr/mrrr.h"

extern const ge_mrrr_ops ge_mrrr_lanes;

#endif
