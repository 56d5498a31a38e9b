/* Groups of small pages in SIMD lanes, for typed files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SVD_LANES_H
#define GE_SVD_LANES_H 1

#include "onesided/lanes.h"
#include "svd/svd.h"

enum
{
  HALVES = 2, /* of a group, which has LANES pages each */
  GROUP = HALVES * LANES
};

#endif
