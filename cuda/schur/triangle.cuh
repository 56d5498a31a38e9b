/* Eigenvectors of a Schur form by substitution: operations on scalars.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_TRIANGLE_CUH
#define GE_SCHUR_TRIANGLE_CUH 1

#include "schur/numbers.cuh"

/* Elements of vectors are scaled to stay below about LARGE, and elements of the matrix
   are bounded by core/base/scale_general.c: sums of products stay finite.  */
template <typename R>
GE_DEVICE_INLINE R
large_element (void)
{
  return GE_BY_PRECISION (R, 1e9f, 1e120);
}

/* Smaller differences from the eigenvalue VALUE of a matrix of order N are replaced by
   this number, as in LAPACK's xTREVC3.  */
template <typename R, typename C>
GE_DEVICE_INLINE R
least_pivot (int n, C value)
{
  return fmax (limits_of<R>::eps () * abs1 (value), n * limits_of<R>::least ());
}

/* The exponent e such that 2^-e X / D, or 2^-e X D, does not exceed LARGE by much, X and
   D being sizes; 0 where it does not anyway.  As pivots can be tiny, X is scaled before
   the division, which could overflow (LAPACK's xLALN2).  */
template <typename R>
GE_DEVICE_INLINE int
quotient_excess (R x, R d)
{
  return x > large_element<R> () * d ? ilogb (x) - ilogb (d) : 0;
}
template <typename R>
GE_DEVICE_INLINE int
product_excess (R x, R d)
{
  return x * d > large_element<R> () ? ilogb (x) + ilogb (d) : 0;
}

/* 2^-E X, where 2^-E may be too small for a number of its own.  */
template <typename C>
GE_DEVICE_INLINE C
shrunk (C x, int e)
{
  return make_number<C> (ldexp (x.x, -e), ldexp (x.y, -e));
}

/* The pivot D, replaced by LEAST if it is smaller.  */
template <typename C, typename R>
GE_DEVICE_INLINE C
pivot_of (C d, R least)
{
  return abs1 (d) < least ? make_number<C> (least, 0) : d;
}

template <typename T>
GE_DEVICE_INLINE ge_complex<T>
as_pair (T x)
{
  return make_number<ge_complex<T>> (real_part (x), imaginary_part (x));
}

/* Solve [a b; c d] [x; y] = 2^-e [p; q], a and d complex, b and c real, with complete
   pivoting; returns e, see quotient_excess.  */
template <typename C, typename R>
static __device__ int
solve_pair (C a, R b, R c, C d, C p, C q, R least, C *x, C *y)
{
  const R sizes[4] = { abs1 (a), fabs (b), fabs (c), abs1 (d) };
  const R right = fmax (abs1 (p), abs1 (q));
  C m[2][2] = { { a, make_number<C> (b, 0) }, { make_number<C> (c, 0), d } };
  int at = 0;
  for (int i = 1; i < 4; i++)
    if (sizes[i] > sizes[at])
      at = i;
  if (sizes[at] < least)
    {
      const int e = quotient_excess (right, least);
      *x = divide (shrunk (p, e), make_number<C> (least, 0));
      *y = divide (shrunk (q, e), make_number<C> (least, 0));
      return e;
    }
  const int row = at / 2, column = at % 2;
  const C pivot = m[row][column];
  const C f = divide (m[1 - row][column], pivot);
  const C rest = pivot_of (
      mul_sub (f, m[row][1 - column], m[1 - row][1 - column]), least);
  const int e = quotient_excess (right, fmin (abs1 (rest), abs1 (pivot)));
  const C top = shrunk (row ? q : p, e), other = shrunk (row ? p : q, e);
  const C second = divide (mul_sub (f, top, other), rest);
  const C first = divide (mul_sub (m[row][1 - column], second, top), pivot);
  *x = column ? second : first;
  *y = column ? first : second;
  return e;
}

#endif
