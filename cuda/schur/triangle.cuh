/* Eigenvectors of a Schur form by substitution: operations on scalars.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_TRIANGLE_CUH
#define GE_SCHUR_TRIANGLE_CUH 1

#include "schur/numbers.cuh"

/* Elements of vectors are scaled to stay below LARGE, pivots are at least SMALL, and
   elements of the matrix are below 2^30: products and sums stay finite.  */
template <typename R> struct range_of;
template <> struct range_of<float>
{
  static __device__ __forceinline__ float
  large ()
  {
    return 1e9f;
  }
  static __device__ __forceinline__ float
  small ()
  {
    return 1e-15f;
  }
};
template <> struct range_of<double>
{
  static __device__ __forceinline__ double
  large ()
  {
    return 1e120;
  }
  static __device__ __forceinline__ double
  small ()
  {
    return 1e-150;
  }
};

/* s - t x */
template <typename R, typename C>
static __device__ __forceinline__ C
subtract (C s, R t, C x)
{
  return make_number<C> (fma (-t, x.x, s.x), fma (-t, x.y, s.y));
}
template <typename C>
static __device__ __forceinline__ C
subtract (C s, C t, C x)
{
  return sub_times (s, t, x);
}

/* The pivot D, replaced by LEAST if it is smaller.  */
template <typename C, typename R>
static __device__ __forceinline__ C
pivot_of (C d, R least)
{
  return abs1 (d) < least ? make_number<C> (least, 0) : d;
}

template <typename T>
static __device__ __forceinline__ typename complex_of<T>::type
as_pair (T x)
{
  return make_number<typename complex_of<T>::type> (real_part (x),
                                                    imaginary_part (x));
}

/* Solve [a b; c d] [x; y] = [p; q], a and d complex, b and c real, with complete
   pivoting.  */
template <typename C, typename R>
static __device__ void
solve_pair (C a, R b, R c, C d, C p, C q, R least, C *x, C *y)
{
  const R sizes[4] = { abs1 (a), fabs (b), fabs (c), abs1 (d) };
  C m[2][2] = { { a, make_number<C> (b, 0) }, { make_number<C> (c, 0), d } };
  int at = 0;
  for (int i = 1; i < 4; i++)
    if (sizes[i] > sizes[at])
      at = i;
  if (sizes[at] < least)
    {
      *x = divide (p, make_number<C> (least, 0));
      *y = divide (q, make_number<C> (least, 0));
      return;
    }
  const int row = at / 2, column = at % 2;
  const C pivot = m[row][column];
  const C f = divide (m[1 - row][column], pivot);
  const C rest = pivot_of (
      sub_times (m[1 - row][1 - column], f, m[row][1 - column]), least);
  const C top = row ? q : p, other = row ? p : q;
  const C second = divide (sub_times (other, f, top), rest);
  const C first = divide (sub_times (top, m[row][1 - column], second), pivot);
  *x = column ? second : first;
  *y = column ? first : second;
}

#endif
