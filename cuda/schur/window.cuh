/* A window of a matrix in shared memory: reflectors, shifts and tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_WINDOW_CUH
#define GE_SCHUR_WINDOW_CUH 1

#include "base/teams.cuh"
#include "schur/numbers.cuh"
#include "schur/bulges.h"

enum
{
  GE_GROUP = 64, /* threads per reflector, two warps */
  GE_WINDOW_ORDER
  = 64, /* limit, because a thread of a group has one column or row */
  /* A group for each bulge of a chain, and one warp for deflation tests.  */
  GE_WINDOW_THREADS = GE_CHAIN * GE_GROUP + 32
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

/* Shared memory of a thread block: H and V, n-by-n, and a reflector for each
   bulge.  Every thread has this struct in registers.  */
template <typename T> struct window
{
  T *h, *v;
  reflector<T> *r;
  int n, ld;
};

template <typename T>
GE_DEVICE_INLINE T &
element (const window<T> &w, int i, int j)
{
  return w.h[i + j * w.ld];
}

/* --- scalars --- */

/* H (k, k - 1) is negligible: the criterion of Ahues and Tisseur (LAPACK working
   note 122), as in LAPACK.  Rows 0 .. LAST belong to the block.  */
template <typename T>
static __device__ int
negligible (const T *h, int ld, int k, int last)
{
  typedef ge_real<T> R;
  const R eps = limits_of<R>::eps (), least = limits_of<R>::least ();
  const T *at = h + k + k * ld;
  const R below = abs1 (at[-ld]);
  if (below <= least)
    return 1;
  const T before = at[-ld - 1], here = at[0];
  R size = abs1 (before) + abs1 (here);
  if (size == 0)
    {
      if (k >= 2)
        size += abs1 (at[-2 * ld - 1]);
      if (k + 1 <= last)
        size += abs1 (at[1]);
    }
  if (below > eps * size)
    return 0;
  const R above = abs1 (at[-1]);
  const R difference = abs1 (minus (before, here));
  const R ab = fmax (below, above), ba = fmin (below, above);
  const R aa = fmax (abs1 (here), difference);
  const R bb = fmin (abs1 (here), difference);
  const R s = aa + ab;
  return ba * (ab / s) <= fmax (least, eps * (bb * (aa / s)));
}

template <typename T>
GE_DEVICE_INLINE T
inverse_of (T u)
{
  if constexpr (is_complex<T>::value)
    return times (1 / abs2 (u), conjugate (u));
  else
    return 1 / u;
}

/* R becomes the reflector with R' x = beta e1; x has ROWS elements.  Two inverse
   roots or inverses on the way and no other division: every tick waits for it.  */
template <typename T>
GE_DEVICE_INLINE void
make_reflector (int rows, T x0, T x1, T x2, reflector<T> *r)
{
  typedef ge_real<T> R;
  R rest = abs2 (x1) + abs2 (x2), all = abs2 (x0) + rest, f = 1;
  r->rows = rows;
  if (! (rest > limits_of<R>::least_square ()
         && all < limits_of<R>::largest_square ()))
    {
      rest = fmax (abs1 (x1), abs1 (x2));
      f = fmax (rest, abs1 (x0));
      if (rest == 0 || f <= limits_of<R>::least ())
        {
          r->tau = r->v1 = r->v2 = zero<T> ();
          r->beta = x0;
          return;
        }
      x0 = times (1 / f, x0);
      x1 = times (1 / f, x1);
      x2 = times (1 / f, x2);
      all = abs2 (x0) + (abs2 (x1) + abs2 (x2));
    }
  const R inverse = inverse_root (all), y = all * inverse;
  const R norm = fma (inverse / 2, fma (-y, y, all), y);
  const R sign = real_part (x0) >= 0 ? -1 : 1, beta = sign * norm;
  const T u = minus (x0, make_number<T> (beta, 0)), d = inverse_of (u);
  r->tau = times (-sign * inverse, u);
  r->v1 = times (x1, d);
  r->v2 = times (x2, d);
  r->beta = make_number<T> (beta * f, 0);
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
   rows that begins at K.  */
template <typename T>
static __device__ void
start_column (const window<T> &w, int k, int rows, ge_complex<T> s1,
              ge_complex<T> s2, T x[3])
{
  typedef ge_real<T> R;
  const T h11 = element (w, k, k), h21 = element (w, k + 1, k);
  const T h12 = element (w, k, k + 1), h22 = element (w, k + 1, k + 1);
  const T h31 = rows == 3 ? element (w, k + 2, k) : zero<T> ();
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
      x[0] = mul_add (element (w, k, k + 2), g31, x[0]);
      x[1] = mul_add (element (w, k + 1, k + 2), g31, x[1]);
      x[2] = mul_add (g21, element (w, k + 2, k + 1),
                      times (g31, plus (sum, element (w, k + 2, k + 2))));
    }
}

#endif
