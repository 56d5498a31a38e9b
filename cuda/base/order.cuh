/* The order of eigenvalues of a general page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ORDER_CUH
#define GE_ORDER_CUH 1

/* Is eigenvalue I before J in the order of the result?  As compare in
   core/complex_eig/normalize_typed.c: by real part, then by |imaginary part|, then
   the positive one first.  */
template <typename C>
static __device__ __forceinline__ bool
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
