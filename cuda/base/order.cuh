/* The order of the eigenvalues of general matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ORDER_CUH
#define GE_ORDER_CUH 1

#include "base/cuda.cuh"

/* Nonzero if eigenvalue I precedes J in the result.  As compare in
   core/complex_eig/normalize_typed.c: by real part, then by the absolute value of the
   imaginary part, then the positive imaginary part first.  */
template <typename C>
GE_DEVICE_INLINE bool
comes_before (const C *lambda, int i, int j)
{
  const C x = lambda[i], y = lambda[j];
  if (x.x != y.x)
    return x.x < y.x;
  if (fabs (x.y) != fabs (y.y))
    return fabs (x.y) < fabs (y.y);
  if (x.y != y.y)
    return x.y > y.y;
  return i < j;
}

#endif
