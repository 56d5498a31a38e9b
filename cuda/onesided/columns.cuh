/* One pair of columns of one-sided Jacobi, in global or shared memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ONESIDED_COLUMNS_CUH
#define GE_ONESIDED_COLUMNS_CUH 1

#include "base/numbers.cuh"
#include "base/teams.cuh"
#include "base/scalar.cuh"

#define GE_SHARED_MATH "onesided/rotate.h"
#include "base/precisions.cuh"

/* The rows that enter the inner products, and all rows of a column: more where
   V is accumulated below A.  */
typedef struct
{
  int n, dot, rows;
  double tol, floor;
} shape;

/* x'x, y'y and x'y.  */
template <int LANES, typename T>
GE_DEVICE_INLINE void
multiply_columns (const shape *w, const T *x, const T *y, ge_real<T> *a,
                  ge_real<T> *b, ge_real<T> *re, ge_real<T> *im)
{
  typedef ge_real<T> real;
  *a = *b = *re = *im = 0;
  for (int i = threadIdx.x & (LANES - 1); i < w->dot; i += LANES)
    {
      real xr = real_part (x[i]), xi = imaginary_part (x[i]);
      real yr = real_part (y[i]), yi = imaginary_part (y[i]);
      *a = fma_ (xr, xr, fma_ (xi, xi, *a));
      *b = fma_ (yr, yr, fma_ (yi, yi, *b));
      *re = fma_ (xr, yr, fma_ (xi, yi, *re));
      *im = fma_ (xr, yi, fma_ (-xi, yr, *im));
    }
  *a = tile_sum<LANES> (*a);
  *b = tile_sum<LANES> (*b);
  *re = tile_sum<LANES> (*re);
  *im = is_complex<T>::value ? tile_sum<LANES> (*im) : 0;
}

/* Orthogonalise the columns X and Y by a tile of LANES lanes. *COSINE and *SINE are updated
   by the squares of the cosine of the angle between the columns before, and of
   the rotation's sine times the quotient of the column norms (1 if the columns
   are exchanged, with SORT, so that X is the longer one).  */
template <int LANES, int SORT, typename T>
GE_DEVICE_INLINE void
rotate_columns (const shape *w, T *x, T *y, float *cosine, float *sine)
{
  typedef ge_real<T> real;
  int lane = threadIdx.x & (LANES - 1);
  real a, b, re, im;
  multiply_columns<LANES> (w, x, y, &a, &b, &re, &im);
  real d = is_complex<T>::value ? ge_hypot (re, im) : re, size = fabs_ (d);
  real ra = sqrt_ (a), rb = sqrt_ (b);
  real longer = fmax_ (ra, rb), shorter = fmin_ (ra, rb);
  if (! (size > (real) w->tol * ra * rb && size > (real) w->floor * longer))
    return;
  real t = ge_onesided_tangent (a, b, d), s, m;
  ge_onesided_sine (t, &s, &m);
  real zr = is_complex<T>::value ? s * (re / d) : s;
  real zi = is_complex<T>::value ? s * (im / d) : 0;
  int swap = SORT && a - t * d < b + t * d;
  real c = size / ra / rb, q = s * (longer / shorter);
  *cosine = fmaxf (*cosine, (float) (c * c));
  *sine = fmaxf (*sine, swap ? 1.0f : (float) fmin_ (q * q, (real) 1e30));
  T *u = swap ? y : x, *v = swap ? x : y;
  for (int i = lane; i < w->rows; i += LANES)
    {
      real xr = real_part (x[i]), xi = imaginary_part (x[i]);
      real yr = real_part (y[i]), yi = imaginary_part (y[i]);
      real ur = xr - fma_ (m, xr, fma_ (zr, yr, zi * yi));
      real ui = xi - fma_ (m, xi, fma_ (zr, yi, -zi * yr));
      real vr = yr + fma_ (-m, yr, fma_ (zr, xr, -zi * xi));
      real vi = yi + fma_ (-m, yi, fma_ (zr, xi, zi * xr));
      set_number (&u[i], ur, ui);
      set_number (&v[i], vr, vi);
    }
}

/* The column at position K after ROUND rounds of the odd-even transposition on
   N tracks, in closed form: a column moves by one track per round in one
   direction until it reaches the end, stays one round there and returns; at
   first those on even tracks move to the right, those on odd ones to the
   left.  */
GE_DEVICE_INLINE int
track_at (int n, int round, int k)
{
  /* The pairs of round r are (k, k + 1) for k = r mod 2.  A column that moves
     right and is at k now came from k - round on a line unfolded to length 2
     n.  */
  int right = ((k - round) & 1) == 0;
  int at = right ? k : 2 * n - 1 - k;
  int start = (at - round) % (2 * n);
  if (start < 0)
    start += 2 * n;
  return start < n ? start : 2 * n - 1 - start;
}

#endif
