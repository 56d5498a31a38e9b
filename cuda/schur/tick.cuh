/* Bulge chasing on a window in shared memory by one thread block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tick is one step of several bulges at once: their reflectors, of two or three
   rows each, are applied together.  The bulges are at least GE_BULGE_ROWS rows apart
   (K. Braman, R. Byers, R. Mathias, The multishift QR algorithm I, 2002), so that
   elements that two of them change get a product from the left by one and from the
   right by the other, and these commute.  Each bulge has a group of two warps.  A
   tick has three steps with a barrier after each:

     1. The first warp of a group computes the reflector, the second one applies that
        of the tick before to V.  H is only read.
     2. Products from the left; negligible subdiagonals are cleared.
     3. Products from the right.  */

#ifndef GE_SCHUR_TICK_CUH
#define GE_SCHUR_TICK_CUH 1

#include "base/teams.cuh"
#include "schur/window.cuh"

/* The reflector of bulge B with shifts S.  */
template <typename T>
static __device__ void
bulge_reflector (const window<T> &w, const bulge &b, const ge_complex<T> *s,
                 reflector<T> *r)
{
  typedef ge_real<T> R;
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
  make_reflector (rows, x[0], x[1], x[2], r);
  if (rows == 2 || ! is_zero (x[1]) || ! is_zero (x[2]))
    return;
  /* The bulge has collapsed at a zero subdiagonal: it is reintroduced from the
     shifts where that leaves only negligible elements in the column before
     (vigilant deflation, as xLAQR5).  */
  reflector<T> again;
  T y[3];
  start_column (w, k, rows, s[0], s[1], y);
  make_reflector (rows, y[0], y[1], y[2], &again);
  const T sum = times (conjugate (again.tau), x[0]);
  const R size = abs1 (element (w, k, k)) + abs1 (element (w, k + 1, k + 1))
                 + abs1 (element (w, k + 2, k + 2));
  if (abs1 (times (sum, again.v1)) + abs1 (times (sum, again.v2))
      > limits_of<R>::eps () * size)
    return;
  r->tau = again.tau;
  r->v1 = again.v1;
  r->v2 = again.v2;
  r->beta = minus (x[0], sum);
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

/* The reflector of the tick before, which has not been applied to V yet; in
   registers of every thread of the group.  ROWS: 0 for none.  */
template <typename T> struct late_product
{
  T tau, v1, v2;
  int k, rows;
};

/* V times the delayed reflector LATE by LANES lanes, those of the second warp
   of a group or (64) of the group.  */
template <typename T>
GE_DEVICE_INLINE void
catch_up (const window<T> &w, const late_product<T> &late, int lane, int lanes)
{
  if (late.rows == 0)
    return;
  T *v = w.v + late.k * w.ld;
#pragma unroll 2
  for (int i = lane; i < w.n; i += lanes)
    right_product (v + i, w.ld, late.tau, late.v1, late.v2, late.rows == 3);
}

/* Step 1 for bulge B in group GROUP; X: elements of H that step 2 needs.  */
template <typename T>
GE_DEVICE_INLINE void
tick_reflector (const window<T> &w, const bulge &b, const ge_complex<T> *s,
                int group, int lane, const late_product<T> &late, T x[3])
{
  if (lane >= 32)
    catch_up (w, late, lane - 32, 32);
  x[0] = x[1] = x[2] = zero<T> ();
  if (b.kind == GE_IDLE)
    return;
  const int j = b.k + lane;
  if (j < w.n)
    {
      const T *h = &w.h[b.k + j * w.ld];
      x[0] = h[0];
      x[1] = h[1];
      x[2] = b.end - b.k >= 2 ? h[2] : zero<T> ();
    }
  if (lane < 32)
    {
      reflector<T> r;
      bulge_reflector (w, b, s, &r);
      if (lane == 0)
        w.r[group] = r;
    }
}

/* Step 2.  */
template <typename T>
GE_DEVICE_INLINE void
tick_left (const window<T> &w, const bulge &b, int group, int lane,
           const T x[3], late_product<T> *late)
{
  late->rows = 0;
  if (b.kind == GE_IDLE)
    return;
  const reflector<T> &r = w.r[group];
  const T v1 = r.v1, v2 = r.v2;
  const int three = r.rows == 3, j = b.k + lane;
  late->tau = r.tau;
  late->v1 = v1;
  late->v2 = v2;
  late->k = b.k;
  late->rows = r.rows;
  /* For GE_CHASE b.k >= 1, so the last thread has no column and restores the
     one before.  */
  if (lane == GE_GROUP - 1 && b.kind == GE_CHASE)
    {
      T *h = &w.h[b.k + (b.k - 1) * w.ld];
      h[0] = r.beta;
      h[1] = zero<T> ();
      if (three)
        h[2] = zero<T> ();
    }
  else if (j < w.n)
    {
      T *h = &w.h[b.k + j * w.ld];
      T s = conj_mul_add (v1, x[1], x[0]);
      if (three)
        s = conj_mul_add (v2, x[2], s);
      s = times (conjugate (r.tau), s);
      h[0] = minus (x[0], s);
      h[1] = mul_sub (s, v1, x[1]);
      if (three)
        h[2] = mul_sub (s, v2, x[2]);
    }
}

/* Step 3.  */
template <typename T>
GE_DEVICE_INLINE void
tick_right (const window<T> &w, const bulge &b, int lane,
            const late_product<T> &late)
{
  if (b.kind == GE_IDLE)
    return;
  const int last = b.end < b.k + 3 ? b.end : b.k + 3;
  if (lane <= last)
    right_product (&w.h[lane + b.k * w.ld], w.ld, late.tau, late.v1, late.v2,
                   late.rows == 3);
}

/* Nonzero if the subdiagonal element that bulge B has passed is negligible;
   tested in step 1, when H is not written, cleared in step 2.  Rows up to FIRST
   are not tested.  */
template <typename T>
GE_DEVICE_INLINE int
test_behind (const window<T> &w, const bulge &b, int first)
{
  return b.kind == GE_CHASE && b.k - 1 > first
         && negligible (w.h, w.ld, b.k - 1, w.n - 1);
}

#endif
