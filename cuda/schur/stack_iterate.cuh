/* A page of a stack: the QR iteration with double shifts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As ge_planes_schur (core/methods/schur/window_typed.c): one bulge, deflation tests of
   LAPACK's xLAHQR; two shifts for complex matrices as well, which halves the number
   of dependent steps.  In a step every thread computes the reflector; after a
   barrier it is applied from the left, after another one from the right and to Z.
   Teams of several warps, for which a barrier takes longer, apply two reflectors per
   step: the second one is computed from copies of the few elements that it depends
   on.  For one warp this costs more than it saves.  */

#ifndef GE_SCHUR_STACK_ITERATE_CUH
#define GE_SCHUR_STACK_ITERATE_CUH 1

#include "schur/stack.cuh"

/* The active block has rows TOP .. BOTTOM; reflectors are applied to columns up to LAST
   and to rows from FIRST on.  */
typedef struct
{
  int top, bottom, first, last;
} active_block;

/* --- scalars --- */

/* The eigenvalues of [a b; c d], the one nearer to d first, and a multiple (*Z, *W) of the
   eigenvector of the other one.  */
template <typename C>
static __device__ void
block_eigenvalues (C a, C b, C c, C d, C s[2], C *z, C *w)
{
  typedef ge_real<C> R;
  const R p[2] = { a.x, a.y }, q[2] = { b.x, b.y }, t[2] = { d.x, d.y };
  R r[2] = { c.x, c.y }, x[2], near[2], far[2];
  ge_complex_block (p, q, r, t, x, near, far);
  s[0] = make_number<C> (near[0], near[1]);
  s[1] = make_number<C> (far[0], far[1]);
  *z = make_number<C> (x[0], x[1]);
  *w = make_number<C> (r[0], r[1]);
}

template <typename T>
GE_DEVICE_INLINE void
shifts_of (T a, T b, T c, T d, ge_complex<T> s[2])
{
  if constexpr (is_complex<T>::value)
    block_eigenvalues (a, b, c, d, s, &a, &c);
  else
    ge_block_shifts (a, b, c, d, &s[0].x, &s[0].y, &s[1].x, &s[1].y);
}

/* SINCE: number of sweeps since the last deflation.  In every tenth the shifts are
   exceptional, as in LAPACK.  */
template <typename T>
static __device__ void
choose_shifts (const window<T> &w, const active_block &b, int since,
               ge_complex<T> s[2])
{
  typedef ge_real<T> R;
  const int i = b.bottom;
  T h11 = element (w, i - 1, i - 1), h21 = element (w, i, i - 1);
  T h12 = element (w, i - 1, i), h22 = element (w, i, i);
  if (since % 10 == 9)
    {
      const int at_top = since % 20 == 9, k = at_top ? b.top : i;
      R size = at_top ? abs1 (element (w, k + 1, k)) : abs1 (h21);
      if (at_top && k + 2 <= i)
        size += abs1 (element (w, k + 2, k + 1));
      else if (! at_top && i - 2 >= b.top)
        size += abs1 (element (w, i - 1, i - 2));
      h11 = h22 = plus (element (w, k, k), make_number<T> ((R) 0.75 * size, 0));
      h12 = make_number<T> ((R) -0.4375 * size, 0);
      h21 = make_number<T> (size, 0);
    }
  shifts_of (h11, h12, h21, h22, s);
}

/* Nonzero if a sweep with shifts S can begin in row M, inside of the block, because two
   consecutive subdiagonal elements are small.  */
template <typename T>
static __device__ int
can_start (const window<T> &w, int m, const ge_complex<T> s[2])
{
  typedef ge_real<T> R;
  const R before = abs1 (element (w, m, m - 1));
  /* The product is not small if both factors are comparable to the diagonal.  */
  if (before > (R) 0.03 * abs1 (element (w, m, m))
      && abs1 (element (w, m + 1, m)) > before)
    return 0;
  T x[3];
  start_column (w, m, 3, s[0], s[1], x);
  const R size = abs1 (x[0]) + abs1 (x[1]) + abs1 (x[2]);
  const R h = abs1 (element (w, m - 1, m - 1)) + abs1 (element (w, m, m))
              + abs1 (element (w, m + 1, m + 1));
  return size > 0
         && before * ((abs1 (x[1]) + abs1 (x[2])) / size)
                <= limits_of<R>::eps () * (abs1 (x[0]) / size) * h;
}

/* --- products --- */

/* Apply a reflector to two or THREE elements of a column, X.  */
template <typename T>
GE_DEVICE_INLINE void
left_product (T *x, T tau, T v1, T v2, int three)
{
  const T x0 = x[0], x1 = x[1], x2 = three ? x[2] : zero<T> ();
  T s = conj_mul_add (v1, x1, x0);
  s = times (conjugate (tau), conj_mul_add (v2, x2, s));
  x[0] = minus (x0, s);
  x[1] = mul_sub (s, v1, x1);
  if (three)
    x[2] = mul_sub (s, v2, x2);
}

template <int TEAM, typename T>
GE_DEVICE_INLINE void
team_left (const window<T> &w, const reflector<T> &r, int k, int last, int t)
{
  for (int j = k + t; j <= last; j += TEAM)
    left_product (&w.h[k + j * w.ld], r.tau, r.v1, r.v2, r.rows == 3);
}

/* Apply R from the right to rows FIRST .. LAST of H and all rows of Z, from column K
   on.  */
template <int TEAM, typename T>
GE_DEVICE_INLINE void
team_right (const window<T> &w, const reflector<T> &r, int k, int first,
            int last, int t)
{
  const int rows = last - first + 1, all = w.v ? rows + w.n : rows;
  T *h = w.h + first + k * w.ld, *v = w.v + k * w.ld - rows;
  for (int e = t; e < all; e += TEAM)
    right_product (e < rows ? h + e : v + e, w.ld, r.tau, r.v1, r.v2,
                   r.rows == 3);
}

/* Two consecutive reflectors, P for rows from K on and Q for rows from K + 1 on.  */
template <typename T> struct reflector_pair
{
  reflector<T> p, q;
  int k, four; /* Q has three rows */
};

/* X <- R' X for three elements X of a column, or, with RIGHT, X <- X R for three
   elements of a row.  */
template <int RIGHT, typename T>
GE_DEVICE_INLINE void
apply_three (const reflector<T> &r, T *x0, T *x1, T *x2)
{
  if constexpr (RIGHT)
    {
      const T s = times (r.tau, mul_add (*x2, r.v2, mul_add (*x1, r.v1, *x0)));
      *x0 = minus (*x0, s);
      *x1 = conj_mul_sub (r.v1, s, *x1);
      *x2 = conj_mul_sub (r.v2, s, *x2);
    }
  else
    {
      const T s
          = times (conjugate (r.tau),
                   conj_mul_add (r.v2, *x2, conj_mul_add (r.v1, *x1, *x0)));
      *x0 = minus (*x0, s);
      *x1 = mul_sub (s, r.v1, *x1);
      *x2 = mul_sub (s, r.v2, *x2);
    }
}

/* Set Q, which reduces rows k + 1 .. k + 3 of column k after P has been applied from
   both sides, as next_column in core/methods/schur/window_typed.c.  */
template <typename T>
GE_DEVICE_INLINE void
next_reflector (const window<T> &w, reflector_pair<T> *r)
{
  const T *h = &w.h[r->k + r->k * w.ld];
  T y[3][4];
#pragma unroll
  for (int c = 0; c < 3; c++)
    {
#pragma unroll
      for (int i = 0; i < 3; i++)
        y[c][i] = h[i + c * w.ld];
      y[c][3] = r->four ? h[3 + c * w.ld] : zero<T> ();
      apply_three<0> (r->p, &y[c][0], &y[c][1], &y[c][2]);
    }
#pragma unroll
  for (int i = 1; i < 4; i++)
    apply_three<1> (r->p, &y[0][i], &y[1][i], &y[2][i]);
  make_reflector (r->four ? 3 : 2, y[0][1], y[0][2], y[0][3], &r->q);
}

/* Apply both reflectors to three or four elements with stride STEP.  */
template <int RIGHT, typename T>
GE_DEVICE_INLINE void
pair_product (const reflector_pair<T> &r, T *x, int step, int special)
{
  T x0 = x[0], x1 = x[step], x2 = x[2 * step];
  T x3 = r.four ? x[3 * step] : zero<T> ();
  apply_three<RIGHT> (r.p, &x0, &x1, &x2);
  apply_three<RIGHT> (r.q, &x1, &x2, &x3);
  /* column k has BETA in row k + 1, zeros below */
  if (special > 0)
    x0 = special == 1 ? r.q.beta : zero<T> ();
  x[0] = x0;
  x[step] = x1;
  x[2 * step] = x2;
  if (r.four)
    x[3 * step] = x3;
}

/* --- a sweep --- */

/* Set column k - 1 to its values after the first reflector of a step; one thread.  */
template <typename T>
GE_DEVICE_INLINE void
finish_column (const window<T> &w, const active_block &b, const reflector<T> &r,
               int k, int m)
{
  T *h = &w.h[k + (k - 1) * w.ld];
  if (k > m)
    {
      h[0] = r.beta;
      h[1] = zero<T> ();
      if (r.rows == 3)
        h[2] = zero<T> ();
    }
  else if (m > b.top)
    h[0] = mul_sub (conjugate (r.tau), h[0], h[0]);
}

/* Chase one bulge from row M to the bottom, one reflector per step.  */
template <int TEAM, typename T>
static __device__ void
team_sweep (const page_team<T> &s, const active_block &b, int m,
            const ge_complex<T> shift[2], int t)
{
  const window<T> &w = s.w;
  for (int k = m; k < b.bottom; k++)
    {
      const bulge at = { k, b.bottom, k == m ? GE_START : GE_CHASE };
      const int three = k + 2 <= b.bottom;
      reflector<T> r;
      bulge_reflector (w, at, shift, &r);
      /* The elements that it was computed from are overwritten below, unless they are
         in column k - 1.  */
      if (k == m
          || (three && is_zero (element (w, k + 1, k - 1))
              && is_zero (element (w, k + 2, k - 1))))
        team_sync<TEAM> ();
      team_left<TEAM> (w, r, k, b.last, t);
      team_sync<TEAM> ();
      if (t == 0)
        finish_column (w, b, r, k, m);
      team_right<TEAM> (w, r, k, b.first, k + 3 < b.bottom ? k + 3 : b.bottom,
                        t);
      team_sync<TEAM> ();
    }
}

/* Chase one bulge from row M to the bottom, two reflectors per step.  */
template <int TEAM, typename T>
static __device__ void
team_sweep_in_pairs (const page_team<T> &s, const active_block &b, int m,
                     const ge_complex<T> shift[2], int t)
{
  const window<T> &w = s.w;
  for (int k = m; k < b.bottom; k += 2)
    {
      const bulge at = { k, b.bottom, k == m ? GE_START : GE_CHASE };
      const int two = k + 1 < b.bottom;
      reflector_pair<T> r;
      r.k = k;
      r.four = k + 3 <= b.bottom;
      bulge_reflector (w, at, shift, &r.p);
      if (two)
        next_reflector (w, &r);
      team_sync<TEAM> ();
      if (t == 0)
        finish_column (w, b, r.p, k, m);
      if (two)
        for (int j = k + t; j <= b.last; j += TEAM)
          pair_product<0> (r, &w.h[k + j * w.ld], 1, 0);
      else
        team_left<TEAM> (w, r.p, k, b.last, t);
      team_sync<TEAM> ();
      if (two)
        {
          const int last = k + 4 < b.bottom ? k + 4 : b.bottom;
          const int rows = last - b.first + 1, all = w.v ? rows + w.n : rows;
          T *h = w.h + b.first + k * w.ld, *v = w.v + k * w.ld - rows;
          for (int e = t; e < all; e += TEAM)
            {
              const int below = e + b.first - k;
              const int known = e < rows && below > 0 && below < 4;
              pair_product<1> (r, e < rows ? h + e : v + e, w.ld,
                               known ? below : 0);
            }
        }
      else
        team_right<TEAM> (w, r.p, k, b.first, b.bottom, t);
      team_sync<TEAM> ();
    }
}

/* --- blocks of two rows --- */

/* Reduce the 2-by-2 block of rows K and K + 1 to triangular form; returns 0 if rounding
   has left a subdiagonal element, so that the step must be repeated.  */
template <int TEAM, typename C>
static __device__ int
team_split (const page_team<C> &s, const active_block &b, int k, int t)
{
  typedef ge_real<C> R;
  const window<C> &w = s.w;
  const C x = element (w, k, k), y = element (w, k, k + 1);
  const C z = element (w, k + 1, k), q = element (w, k + 1, k + 1);
  const R size = abs1 (x) + abs1 (y) + abs1 (z) + abs1 (q);
  C values[2];
  reflector<C> r;
  C v, u;
  block_eigenvalues (x, y, z, q, values, &v, &u);
  make_reflector (2, v, u, zero<C> (), &r);
  team_sync<TEAM> ();
  team_left<TEAM> (w, r, k, b.last, t);
  team_sync<TEAM> ();
  team_right<TEAM> (w, r, k, b.first, k + 1, t);
  team_sync<TEAM> ();
  const int done
      = abs1 (element (w, k + 1, k)) <= 8 * limits_of<R>::eps () * size;
  team_sync<TEAM> ();
  if (done && t == 0)
    element (w, k + 1, k) = zero<C> ();
  team_sync<TEAM> ();
  return done;
}

/* X, Y <- cs X + sn Y, cs Y - sn X */
template <typename R>
GE_DEVICE_INLINE void
rotate (R *x, R *y, R cs, R sn)
{
  const R p = *x, q = *y;
  *x = fma (cs, p, sn * q);
  *y = fma (cs, q, -(sn * p));
}

/* Transform the 2-by-2 block of rows K and K + 1 to standard form.  */
template <int TEAM, typename R>
static __device__ int
team_standardize (const page_team<R> &s, const active_block &b, int k, int t)
{
  const window<R> &w = s.w;
  R x = element (w, k, k), y = element (w, k, k + 1);
  R z = element (w, k + 1, k), q = element (w, k + 1, k + 1), cs, sn;
  ge_standard_block (&x, &y, &z, &q, &cs, &sn);
  team_sync<TEAM> ();
  for (int j = k + 2 + t; j <= b.last; j += TEAM)
    rotate (&element (w, k, j), &element (w, k + 1, j), cs, sn);
  for (int i = b.first + t; i < k; i += TEAM)
    rotate (&element (w, i, k), &element (w, i, k + 1), cs, sn);
  for (int i = t; w.v && i < w.n; i += TEAM)
    rotate (&w.v[i + k * w.ld], &w.v[i + (k + 1) * w.ld], cs, sn);
  if (t == 0)
    {
      element (w, k, k) = x;
      element (w, k, k + 1) = y;
      element (w, k + 1, k) = z;
      element (w, k + 1, k + 1) = q;
    }
  team_sync<TEAM> ();
  return 1;
}
template <int TEAM>
static __device__ int
team_split (const page_team<float> &s, const active_block &b, int k, int t)
{
  return team_standardize<TEAM> (s, b, k, t);
}
template <int TEAM>
static __device__ int
team_split (const page_team<double> &s, const active_block &b, int k, int t)
{
  return team_standardize<TEAM> (s, b, k, t);
}

/* --- the iteration --- */

/* The first row of the unreduced block that ends in row BOTTOM; the subdiagonal element
   of this row is set to 0.  */
template <int TEAM, typename T>
static __device__ int
team_find_top (const page_team<T> &s, int bottom, int t)
{
  const window<T> &w = s.w;
  int top = 0;
  for (int k = 1 + t; k <= bottom; k += TEAM)
    if (negligible (w.h, w.ld, k, w.n - 1))
      top = k;
  top = team_max<TEAM> (top, s.count);
  team_sync<TEAM> ();
  if (t == 0 && top > 0)
    element (w, top, top - 1) = zero<T> ();
  team_sync<TEAM> ();
  return top;
}

/* H <- its Schur form U' H U and Z <- Z U; without Z only the diagonal blocks of H are
   valid.  Returns the number of sweeps, LIMIT + 1 if the iteration has failed.  */
template <int TEAM, typename T>
static __device__ int
team_iterate (const page_team<T> &s, int limit, int t)
{
  const window<T> &w = s.w;
  int since = 0, sweeps = 0, bottom = w.n - 1;
  while (bottom >= 0 && sweeps <= limit)
    {
      const int top = team_find_top<TEAM> (s, bottom, t);
      const active_block b
          = { top, bottom, w.v ? 0 : top, w.v ? w.n - 1 : bottom };
      if (top == bottom)
        {
          bottom--;
          since = 0;
          continue;
        }
      if (top == bottom - 1)
        {
          if (team_split<TEAM> (s, b, top, t))
            {
              bottom -= 2;
              since = 0;
            }
          else
            sweeps++;
          continue;
        }
      sweeps++;
      if (sweeps > limit)
        break;
      ge_complex<T> shift[2];
      choose_shifts (w, b, since++, shift);
      int m = top;
      for (int k = top + 1 + t; k <= bottom - 2; k += TEAM)
        if (can_start (w, k, shift))
          m = k;
      m = team_max<TEAM> (m, s.count);
      team_sync<TEAM> ();
      if constexpr (TEAM <= 32)
        team_sweep<TEAM> (s, b, m, shift, t);
      else
        team_sweep_in_pairs<TEAM> (s, b, m, shift, t);
    }
  return sweeps;
}

#endif
