/* A window of a matrix in shared memory: reflectors, shifts and tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_WINDOW_CUH
#define GE_SCHUR_WINDOW_CUH 1

#include "base/inverse.cuh"
#include "base/teams.cuh"
#include "schur/numbers.cuh"
#include "schur/bulges.h"

enum
{
  GE_WINDOW_ORDER = 64, /* limit, because a lane has two columns or rows */
  GE_WINDOW_THREADS = 512
};

typedef enum
{
  GE_IDLE,
  GE_START, /* first column of (H - s1) (H - s2) */
  GE_CHASE  /* restores the column before */
} bulge_kind;

/* The work of a group in a tick: first row of its reflector, last row of the
   block that contains the bulge.  */
typedef struct
{
  int k, end, kind;
} bulge;

/* I - tau v v', v = (1, v1, v2), in rows k .. k + rows - 1.  */
template <typename T> struct reflector
{
  T tau, v1, v2;
  T beta; /* GE_CHASE: the remaining element of the column before */
  int rows;
};

/* Shared memory of a thread block: H and V, n-by-n.  Every thread has this struct in
   registers.  */
template <typename T> struct window
{
  T *h, *v;
  int n, ld;
};

template <typename T>
GE_DEVICE_INLINE T &
element (const window<T> &w, int i, int j)
{
  return w.h[i + j * w.ld];
}

/* --- scalars --- */

/* The subdiagonal element BELOW between the diagonal elements BEFORE and HERE is negligible,
   ABOVE being opposite to it: the criterion of Ahues and Tisseur (LAPACK working note 122), as
   in LAPACK.  OUTER (): the size of the subdiagonal elements before and after it, used where
   the diagonal is zero.  */
template <typename T, typename OUTER>
GE_DEVICE_INLINE int
negligible_between (T below_, T before, T here, T above_, OUTER outer)
{
  typedef ge_real<T> R;
  const R eps = limits_of<R>::eps (), least = limits_of<R>::least ();
  const R below = abs1 (below_);
  if (below <= least)
    return 1;
  R size = abs1 (before) + abs1 (here);
  if (size == 0)
    size = outer ();
  if (below > eps * size)
    return 0;
  const R above = abs1 (above_);
  const R difference = abs1 (minus (before, here));
  const R ab = fmax (below, above), ba = fmin (below, above);
  const R aa = fmax (abs1 (here), difference);
  const R bb = fmin (abs1 (here), difference);
  const R s = aa + ab;
  return ba * (ab / s) <= fmax (least, eps * (bb * (aa / s)));
}

/* Zero if negligible_between is zero for any ABOVE; without a branch.  */
template <typename T>
GE_DEVICE_INLINE int
may_be_negligible (T below_, T before, T here)
{
  typedef ge_real<T> R;
  const R below = abs1 (below_), size = abs1 (before) + abs1 (here);
  return (below <= limits_of<R>::least ()) | (size == 0)
         | ! (below > limits_of<R>::eps () * size);
}

/* H (k, k - 1) is negligible.  Rows 0 .. LAST belong to the block.  */
template <typename T>
static __device__ int
negligible (const T *h, int ld, int k, int last)
{
  const T *at = h + k + k * ld;
  return negligible_between (at[-ld], at[-ld - 1], at[0], at[-1], [&] {
    return (k >= 2 ? abs1 (at[-2 * ld - 1]) : 0)
           + (k + 1 <= last ? abs1 (at[1]) : 0);
  });
}

template <typename T>
GE_DEVICE_INLINE T
near_inverse_of (T u)
{
  if constexpr (is_complex<T>::value)
    return times (near_inverse (abs2 (u)), conjugate (u));
  else
    return near_inverse (u);
}

/* The reflector without scaling; ALL: the sum of squares.  */
template <typename T>
GE_DEVICE_INLINE void
set_reflector (T x0, T x1, T x2, ge_real<T> all, reflector<T> *r)
{
  typedef ge_real<T> R;
  const R inverse = near_inverse_root (all), y = all * inverse;
  const R norm = fma (inverse / 2, fma (-y, y, all), y);
  const R sign = real_part (x0) >= 0 ? -1 : 1, beta = sign * norm;
  const T u = minus (x0, make_number<T> (beta, 0)), d = near_inverse_of (u);
  r->tau = times (-sign * inverse, u);
  r->v1 = times (x1, d);
  r->v2 = times (x2, d);
  r->beta = make_number<T> (beta, 0);
}

/* R becomes the reflector with R' x = beta e1; x has ROWS elements.  Zero if the squares are too
   small or too large for that: then scale_reflector finds it.  Every tick waits for it: there
   is no branch.  */
template <typename T>
GE_DEVICE_INLINE int
make_usual_reflector (int rows, T x0, T x1, T x2, reflector<T> *r)
{
  typedef ge_real<T> R;
  const R rest = abs2 (x1) + abs2 (x2), all = abs2 (x0) + rest;
  set_reflector (x0, x1, x2, all, r);
  r->rows = rows;
  return (rest > limits_of<R>::least_square ())
         & (all < limits_of<R>::largest_square ());
}

template <typename T>
GE_DEVICE_INLINE void
scale_reflector (T x0, T x1, T x2, reflector<T> *r)
{
  typedef ge_real<T> R;
  const R most = fmax (abs1 (x1), abs1 (x2)), f = fmax (most, abs1 (x0));
  if (most == 0 || f <= limits_of<R>::least ())
    {
      r->tau = r->v1 = r->v2 = zero<T> ();
      r->beta = x0;
      return;
    }
  x0 = times (1 / f, x0);
  x1 = times (1 / f, x1);
  x2 = times (1 / f, x2);
  set_reflector (x0, x1, x2, abs2 (x0) + (abs2 (x1) + abs2 (x2)), r);
  r->beta = times (f, r->beta);
}

template <typename T>
GE_DEVICE_INLINE void
make_reflector (int rows, T x0, T x1, T x2, reflector<T> *r)
{
  if (! make_usual_reflector (rows, x0, x1, x2, r))
    scale_reflector (x0, x1, x2, r);
}

/* (h - s1) (h - s2) f */
template <typename R, typename C>
GE_DEVICE_INLINE R
shifted_product (R h, C s1, C s2, R f)
{
  return (h - s1.x) * ((h - s2.x) * f) - s1.y * (s2.y * f);
}
template <typename C, typename R>
GE_DEVICE_INLINE C
shifted_product (C h, C s1, C s2, R f)
{
  return times (minus (h, s1), times (f, minus (h, s2)));
}

/* The first column, times a number, of (H - s1) (H - s2) for the block of ROWS
   rows of which AT (i, j) is an element.  */
template <typename T, typename AT>
GE_DEVICE_INLINE void
start_column_of (int rows, ge_complex<T> s1, ge_complex<T> s2, AT at, T x[3])
{
  typedef ge_real<T> R;
  const T h11 = at (0, 0), h21 = at (1, 0), h12 = at (0, 1), h22 = at (1, 1);
  const T h31 = rows == 3 ? at (2, 0) : zero<T> ();
  const R s = abs1 (minus (make_number<ge_complex<T>> (real_part (h11),
                                                       imaginary_part (h11)),
                           s2))
              + abs1 (h21) + abs1 (h31);
  x[0] = x[1] = x[2] = zero<T> ();
  if (s <= limits_of<R>::least ())
    return;
  const R f = inverse_power (s);
  const T g21 = times (f, h21), g31 = times (f, h31);
  const T sum = minus (minus (h11, make_number<T> (s1.x, s1.y)),
                       make_number<T> (s2.x, s2.y));
  x[0] = mul_add (h12, g21, shifted_product (h11, s1, s2, f));
  x[1] = times (g21, plus (sum, h22));
  if (rows == 3)
    {
      x[0] = mul_add (at (0, 2), g31, x[0]);
      x[1] = mul_add (at (1, 2), g31, x[1]);
      x[2] = mul_add (g21, at (2, 1), times (g31, plus (sum, at (2, 2))));
    }
}

/* The block begins at row K of the window.  */
template <typename T>
static __device__ void
start_column (const window<T> &w, int k, int rows, ge_complex<T> s1,
              ge_complex<T> s2, T x[3])
{
  start_column_of (
      rows, s1, s2, [&] (int i, int j) { return element (w, k + i, k + j); },
      x);
}

/* --- bulges --- */

/* The reflector that restores the column X where make_usual_reflector, which has set R->rows,
   returns zero; S: the shifts of the bulge, AT (i, j): an element of the block that begins in its
   first row.  */
template <typename T, typename AT>
GE_DEVICE_INLINE void
chase_reflector (const T x[3], const ge_complex<T> *s, AT at, reflector<T> *r)
{
  typedef ge_real<T> R;
  const int rows = r->rows;
  scale_reflector (x[0], x[1], x[2], r);
  if (rows == 2 || ! is_zero (x[1]) || ! is_zero (x[2]))
    return;
  /* The bulge has collapsed at a zero subdiagonal: it is reintroduced from the
     shifts where that leaves only negligible elements in the column before
     (vigilant deflation, as xLAQR5).  */
  reflector<T> again;
  T y[3];
  start_column_of (rows, s[0], s[1], at, y);
  make_reflector (rows, y[0], y[1], y[2], &again);
  const T sum = times (conjugate (again.tau), x[0]);
  const R size = abs1 (at (0, 0)) + abs1 (at (1, 1)) + abs1 (at (2, 2));
  if (abs1 (times (sum, again.v1)) + abs1 (times (sum, again.v2))
      > limits_of<R>::eps () * size)
    return;
  r->tau = again.tau;
  r->v1 = again.v1;
  r->v2 = again.v2;
  r->beta = minus (x[0], sum);
}

/* The reflector of bulge B with shifts S.  */
template <typename T>
static __device__ void
bulge_reflector (const window<T> &w, const bulge &b, const ge_complex<T> *s,
                 reflector<T> *r)
{
  const int k = b.k, rows = b.end - k >= 2 ? 3 : 2;
  T x[3];
  if (b.kind == GE_START)
    {
      start_column (w, k, rows, s[0], s[1], x);
      make_reflector (rows, x[0], x[1], x[2], r);
      return;
    }
  x[0] = element (w, k, k - 1);
  x[1] = element (w, k + 1, k - 1);
  x[2] = rows == 3 ? element (w, k + 2, k - 1) : zero<T> ();
  if (! make_usual_reflector (rows, x[0], x[1], x[2], r))
    chase_reflector (
        x, s, [&] (int i, int j) { return element (w, k + i, k + j); }, r);
}

template <typename T>
GE_DEVICE_INLINE void
right_product (T *x, int ld, T tau, T v1, T v2, int three)
{
  const T x0 = x[0], x1 = x[ld], x2 = three ? x[2 * ld] : zero<T> ();
  const T s = times (tau, mul_add (x2, v2, mul_add (x1, v1, x0)));
  x[0] = minus (x0, s);
  x[ld] = conj_mul_sub (v1, s, x1);
  if (three)
    x[2 * ld] = conj_mul_sub (v2, s, x2);
}

#endif
