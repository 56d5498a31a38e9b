/* A page of a stack: loading, balancing, Hessenberg form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_STACK_FORM_CUH
#define GE_SCHUR_STACK_FORM_CUH 1

#include "base/balancing.h"
#include "schur/stack.cuh"

/* Properties of a page, determined when it is loaded.  */
template <typename R> struct page_facts
{
  R norm, norm_left; /* |A|_1, |A'|_1 */
  int hermitian, unbalanced;
};

/* H <- A with rows and columns permuted by ORDER.  */
template <int TEAM, typename T>
static __device__ void
team_load (const page_team<T> &s, const T *a, int t)
{
  const int n = s.w.n;
  for (int e = t; e < n * n; e += TEAM)
    {
      const int i = e % n, j = e / n;
      s.w.h[i + j * s.w.ld] = a[s.order[i] + s.order[j] * n];
    }
  team_sync<TEAM> ();
}

/* Nonzero if balancing would change row and column I; their 1-norms.  */
template <typename T, typename R>
static __device__ int
is_unbalanced (const window<T> &w, int i, R *column_size, R *row_size)
{
  R row = 0, column = 0, rest = 0, other = 0;
  *column_size = *row_size = 0;
  for (int k = 0; k < w.n; k++)
    {
      const T p = element (w, k, i), q = element (w, i, k);
      const R x = abs2 (p), y = abs2 (q);
      *column_size += abs1 (p);
      *row_size += abs1 (q);
      column += x;
      row += y;
      rest += k == i ? 0 : x;
      other += k == i ? 0 : y;
    }
  return balancing_scales (column, row, rest, other);
}

template <int TEAM, typename T>
static __device__ page_facts<ge_real<T>>
team_examine (const page_team<T> &s, int t)
{
  typedef ge_real<T> R;
  const int n = s.w.n;
  R norm = 0, norm_left = 0;
  int differs = 0, unbalanced = 0;
  for (int i = t; i < n; i += TEAM)
    {
      R column, row;
      unbalanced |= is_unbalanced (s.w, i, &column, &row);
      norm = larger_of<R> () (column, norm);
      norm_left = larger_of<R> () (row, norm_left);
      for (int k = 0; k <= i; k++)
        differs |= ! is_zero (
            minus (element (s.w, k, i), conjugate (element (s.w, i, k))));
    }
  page_facts<R> facts;
  facts.norm = team_max<TEAM> (norm, s.space);
  facts.norm_left = team_max<TEAM> (norm_left, s.space);
  const int flags = team_max<TEAM> (differs, s.count);
  facts.hermitian = ! flags;
  facts.unbalanced = team_max<TEAM> (unbalanced, s.count);
  return facts;
}

/* --- balancing: as ge_balance (core/methods/schur/balance_typed.c) --- */

/* RANK and MORE have the numbers of nonzero off-diagonal elements of the active rows
   and columns; remove row and column K from them.  Removed rows have rank -1.  */
template <int TEAM, typename T>
static __device__ void
team_deactivate (const page_team<T> &s, int k, int t)
{
  for (int i = t; i < s.w.n; i += TEAM)
    if (i == k)
      s.rank[i] = s.more[i] = -1;
    else if (s.rank[i] >= 0)
      {
        s.rank[i] -= ! is_zero (element (s.w, i, k));
        s.more[i] -= ! is_zero (element (s.w, k, i));
      }
}

/* The permutation of balancing: rows without nonzero off-diagonal elements go to the
   end, such columns to the beginning; *FIRST .. *BELOW - 1 remain between them.  */
template <int TEAM, typename T>
static __device__ void
team_find_order (const page_team<T> &s, int t, int *first, int *below)
{
  const int n = s.w.n;
  for (int i = t; i < n; i += TEAM)
    {
      int row = 0, column = 0;
      for (int k = 0; k < n; k++)
        if (k != i)
          {
            row += ! is_zero (element (s.w, i, k));
            column += ! is_zero (element (s.w, k, i));
          }
      s.rank[i] = row;
      s.more[i] = column;
    }
  *first = 0;
  *below = n;
  for (int step = 0; step < 2 * n + 2; step++)
    {
      /* the last such row, or else the first such column */
      int row = -1, column = -1;
      for (int i = t; i < n; i += TEAM)
        {
          row = s.rank[i] == 0 && i > row ? i : row;
          column = s.more[i] == 0 && n - 1 - i > column ? n - 1 - i : column;
        }
      row = team_max<TEAM> (row, s.count);
      column = team_max<TEAM> (column, s.count);
      if (row < 0 && column < 0)
        break;
      const int k = row >= 0 ? row : n - 1 - column;
      const int at = row >= 0 ? --*below : (*first)++;
      if (t == 0)
        s.order[at] = k;
      team_deactivate<TEAM> (s, k, t);
    }
  team_sync<TEAM> ();
  if (t == 0)
    for (int i = 0, at = *first; i < n; i++)
      if (s.rank[i] >= 0)
        s.order[at++] = i;
  team_sync<TEAM> ();
}

/* The 2-norms of column and row I between FIRST and BELOW.  */
template <int TEAM, typename T, typename R>
static __device__ void
team_norms (const page_team<T> &s, int i, int first, int below, int t,
            R *column, R *row)
{
  R most = 0, other = 0, sum = 0, sum_other = 0;
  for (int k = first + t; k < below; k += TEAM)
    {
      most = fmax (most, abs1 (element (s.w, k, i)));
      other = fmax (other, abs1 (element (s.w, i, k)));
    }
  most = team_max<TEAM> (most, s.space);
  other = team_max<TEAM> (other, s.space);
  *column = *row = 0;
  if (most == 0 || other == 0)
    return;
  for (int k = first + t; k < below; k += TEAM)
    {
      const T x = element (s.w, k, i), y = element (s.w, i, k);
      sum += abs2 (
          make_number<T> (real_part (x) / most, imaginary_part (x) / most));
      sum_other += abs2 (
          make_number<T> (real_part (y) / other, imaginary_part (y) / other));
    }
  *column = most * sqrt (team_sum<TEAM> (sum, s.space));
  *row = other * sqrt (team_sum<TEAM> (sum_other, s.space));
}

/* One pass of scaling; nonzero if a row was scaled.  */
template <int TEAM, typename T>
static __device__ int
team_scale_pass (const page_team<T> &s, int first, int below, int t)
{
  typedef ge_real<T> R;
  const R smallest = sizeof (R) == 8 ? (R) DBL_MIN : (R) FLT_MIN;
  int changed = 0;
  for (int i = first; i < below; i++)
    {
      R column, row, f = 1;
      team_norms<TEAM> (s, i, first, below, t, &column, &row);
      if (column == 0 || row == 0)
        continue;
      const R sum = column + row;
      for (; column < row / 2 && f < 1 / smallest / 4; column *= 2, row /= 2)
        f *= 2;
      for (; column >= row * 2 && f > smallest * 4; column /= 2, row *= 2)
        f /= 2;
      if (! (f != 1 && column + row < (R) 0.95 * sum))
        continue;
      const R scale = s.scale[i] * f;
      if (! (scale < 1 / smallest && scale > smallest))
        continue;
      changed = 1;
      team_sync<TEAM> ();
      for (int k = t; k < s.w.n; k += TEAM)
        if (k != i)
          {
            element (s.w, i, k) = times (1 / f, element (s.w, i, k));
            element (s.w, k, i) = times (f, element (s.w, k, i));
          }
        else
          s.scale[i] = scale;
      team_sync<TEAM> ();
    }
  return changed;
}

template <int TEAM, typename T>
static __device__ __noinline__ void
team_balance (page_team<T> s, const T *a, int t)
{
  int first, below;
  team_find_order<TEAM> (s, t, &first, &below);
  team_load<TEAM> (s, a, t);
  for (int pass = 0; pass < 100; pass++)
    if (! team_scale_pass<TEAM> (s, first, below, t))
      break;
}

/* Nonzero if the factors of balancing are too different for it to be trusted.  */
template <int TEAM, typename T>
static __device__ int
team_is_doubtful (const page_team<T> &s, int t)
{
  typedef ge_real<T> R;
  R most = 0, inverse = 0;
  for (int i = t; i < s.w.n; i += TEAM)
    {
      most = larger_of<R> () (s.scale[i], most);
      inverse = larger_of<R> () (1 / s.scale[i], inverse);
    }
  most = team_max<TEAM> (most, s.space);
  inverse = team_max<TEAM> (inverse, s.space);
  return most * inverse > GE_DOUBTFUL_SPREAD;
}

/* --- Hessenberg form --- */

/* The reflector for rows K + 1 .. n - 1 of column K; its vector is 1, followed by the
   elements of the column times V.  Returns 0 if the column is reduced already.  */
template <typename T>
static __device__ int
column_reflector (const window<T> &w, int k, reflector<T> *r, T *v)
{
  typedef ge_real<T> R;
  const T *x = &w.h[k * w.ld];
  const T first = x[k + 1];
  R sum[4] = { 0, 0, 0, 0 }, norm;
  int i = k + 2;
  for (; i + 3 < w.n; i += 4)
    for (int j = 0; j < 4; j++)
      sum[j] += abs2 (x[i + j]);
  for (; i < w.n; i++)
    sum[0] += abs2 (x[i]);
  const R all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  norm = sqrt (all);
  if (! (all > limits_of<R>::least_square ()
         && all < limits_of<R>::largest_square ()))
    {
      R size = 0, rest = 0;
      for (i = k + 2; i < w.n; i++)
        size = fmax (size, abs1 (x[i]));
      if (size <= limits_of<R>::least ())
        {
          r->tau = zero<T> ();
          r->beta = first;
          return 0;
        }
      const R f = 1 / size;
      for (i = k + 2; i < w.n; i++)
        rest += abs2 (times (f, x[i]));
      norm = size * sqrt (rest);
    }
  make_reflector (2, first, make_number<T> (norm, 0), zero<T> (), r);
  *v = times (1 / norm, r->v1);
  return 1;
}

/* X <- X - conj (tau) v (v' x) for COUNT elements.  */
template <typename T>
GE_DEVICE_INLINE void
reflect_column (int count, T tau, const T *v, T *x)
{
  T s = x[0], other = zero<T> ();
  int i = 1;
  for (; i + 1 < count; i += 2)
    {
      s = conj_mul_add (v[i], x[i], s);
      other = conj_mul_add (v[i + 1], x[i + 1], other);
    }
  if (i < count)
    s = conj_mul_add (v[i], x[i], s);
  s = times (conjugate (tau), plus (s, other));
  x[0] = minus (x[0], s);
#pragma unroll 4
  for (i = 1; i < count; i++)
    x[i] = mul_sub (s, v[i], x[i]);
}

/* X <- X - tau (x v) v' for COUNT elements, LD apart.  */
template <typename T>
GE_DEVICE_INLINE void
reflect_row (int count, T tau, const T *v, int ld, T *x)
{
  T s = x[0], other = zero<T> ();
  int i = 1;
  for (; i + 1 < count; i += 2)
    {
      s = mul_add (x[i * ld], v[i], s);
      other = mul_add (x[(i + 1) * ld], v[i + 1], other);
    }
  if (i < count)
    s = mul_add (x[i * ld], v[i], s);
  s = times (tau, plus (s, other));
  x[0] = minus (x[0], s);
#pragma unroll 4
  for (i = 1; i < count; i++)
    x[i * ld] = conj_mul_sub (v[i], s, x[i * ld]);
}

/* H <- Q' H Q, upper Hessenberg, Z <- Q.  */
template <int TEAM, typename T>
static __device__ void
team_hessenberg (const page_team<T> &s, int t)
{
  const window<T> &w = s.w;
  const int n = w.n, ld = w.ld, rows = w.v ? 2 * n : n;
  for (int e = t; w.v && e < n * n; e += TEAM)
    w.v[e % n + e / n * ld] = make_number<T> (e % n == e / n, 0);
  for (int k = 0; k < n - 2; k++)
    {
      reflector<T> r;
      T f;
      team_sync<TEAM> ();
      const int any = column_reflector (w, k, &r, &f);
      if (t == 0)
        s.below[k] = r.beta;
      if (! any)
        continue;
      team_sync<TEAM> ();
      T *v = &w.h[k + 1 + k * ld]; /* v[0] counts as 1 */
      for (int i = 1 + t; i < n - 1 - k; i += TEAM)
        v[i] = times (v[i], f);
      team_sync<TEAM> ();
      for (int j = k + 1 + t; j < n; j += TEAM)
        reflect_column (n - 1 - k, r.tau, v, &w.h[k + 1 + j * ld]);
      team_sync<TEAM> ();
      for (int e = t; e < rows; e += TEAM)
        reflect_row (n - 1 - k, r.tau, v, ld,
                     (e < n ? w.h + e : w.v + e - n) + (k + 1) * ld);
    }
  team_sync<TEAM> ();
  for (int j = t; j < n - 2; j += TEAM)
    {
      w.h[j + 1 + j * ld] = s.below[j];
      for (int i = j + 2; i < n; i++)
        w.h[i + j * ld] = zero<T> ();
    }
  team_sync<TEAM> ();
}

#endif
