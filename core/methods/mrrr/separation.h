/* Shared scalar math of MRRR: which brackets are isolated, and which eigenvalues form
   a cluster.  For C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_SEPARATION_H
#define GE_MRRR_SEPARATION_H 1

#include "mrrr/math.h"
#include "mrrr/mrrr.h"

/* Eigenvalues with a larger relative distance are not in one cluster.  The relative
   accuracy of counts is 2^-50, of the working precision 2^-104 or 2^-53.  */
MRRR_INLINE double
ge_mrrr_cluster_gap (int is_double)
{
  return is_double ? 0x1p-38 : 0x1p-23;
}

/* A bracket is isolated when it is this much narrower than its gap: Newton's
   iteration starts well inside its region of convergence.  */
#define MRRR_ISOLATED 0x1p-14

/* Bisections between two tests of the brackets.  */
#define MRRR_BITS 6

MRRR_INLINE double
ge_mrrr_largest (double lo, double hi)
{
  return fmax (fabs (lo), fabs (hi));
}

/* Neighbours with brackets of absolute values up to SIZE_1 and SIZE_2, DISTANCE
   apart, are linked: closer than the cluster gap, relative to their shift.  */
MRRR_INLINE int
ge_mrrr_linked (int is_double, double distance, double size_1, double size_2)
{
  return ! (distance
            >= ge_mrrr_cluster_gap (is_double) * fmax (size_1, size_2));
}

/* FLAGS of the pair with bracket [LO, HI) and GAP, with MRRR_LIMIT, and MRRR_SINGLE if
   it is isolated; APART: it is linked with no neighbour.  */
MRRR_INLINE int
ge_mrrr_classify (int flags, double lo, double hi, double gap, int apart)
{
  if (hi - lo <= fmax (0x1p-50 * ge_mrrr_largest (lo, hi), 0x1p-180))
    flags |= MRRR_LIMIT;
  if (apart && (hi - lo <= MRRR_ISOLATED * gap || (flags & MRRR_LIMIT)))
    flags |= MRRR_SINGLE;
  return flags;
}

#endif
