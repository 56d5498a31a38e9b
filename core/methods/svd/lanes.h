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

#if GE_COMPLEX
/* SUM = the imaginary part of x'y.  */
GE_ALWAYS_INLINE void
imaginary_product (int64_t n, const lanes *x, const lanes *y, lanes *sum)
{
  lanes im = { 0 };
  for (int64_t i = 0; i < 2 * n; i += 2)
    {
      const lanes minus = -x[i + 1];
      add_product (&x[i], &y[i + 1], &im);
      add_product (&minus, &y[i], &im);
    }
  *sum = im;
}
#endif

#endif
