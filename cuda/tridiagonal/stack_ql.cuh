/* Stacks: a sweep of implicit QL on a tridiagonal matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The algorithm is tql2 (Bowdler, Martin, Reinsch and Wilkinson, Numer.  Math. 11
   (1968), 293-306) with Wilkinson's shift, in double precision for all types.
   Differences: off-diagonal elements are tested when the sweep computes them, so
   that no sweep begins with a search; the rows are reversed if the first diagonal
   element is larger than the last one (as xSTEQR chooses between QL and QR);
   rotations are stored in the order of their computation.  */

#ifndef GE_STACK_QL_CUH
#define GE_STACK_QL_CUH 1

#include "tridiagonal/stack.cuh"

#include "base/inverse.cuh"
#include "base/numbers.cuh"

#include <float.h>

template <typename R> struct ql_numbers;
template <> struct ql_numbers<double>
{
  typedef double2 pair;
  static constexpr double eps = DBL_EPSILON / 2;
};
template <> struct ql_numbers<float>
{
  typedef float2 pair;
  static constexpr double eps = (double) FLT_EPSILON / 32;
};

template <typename R> struct ql_arguments
{
  int n;
  int64_t pages;
  double *d, *e;
  R *lambda;
  ge_stack_page *page;
  typename ql_numbers<R>::pair *rotations;
  ge_stack_sweep *table;
  int table_size, max_sweeps;
  short *rank;
  int *unfinished;
};

template <typename T>
static ql_arguments<ge_real<T>>
ql_arguments_of (const ge_stack<T> *s)
{
  typedef ge_real<T> R;
  typedef typename ql_numbers<R>::pair pair;
  return { s->n,
           s->pages,
           s->d,
           s->e,
           s->lambda,
           s->page,
           (pair *) s->rotations,
           s->table,
           s->table_size,
           s->max_sweeps * s->n,
           s->rank,
           s->unfinished };
}

/* The state of a sweep; rotation I of the block FIRST .. LAST is the next one.  */
struct ql_sweep
{
  int i, split;
  double g, s, c, p;
  double d_above;        /* d[i + 1], before the rotation */
  double d_here, e_here; /* d[i], e[i] */
  double d_final;        /* d[i + 2] after the sweep */
};

/* Below all that counts in a matrix of norm about 1, and above 0 when squared.  G never has
   the opposite value, so that no rotation divides by zero.  */
#define QL_LEAST 0x1.921fb54442d18p-500

/* Whether an off-diagonal element between two diagonal ones is negligible.  */
GE_DEVICE_INLINE bool
is_split (double off, double above, double below, double eps, double floor)
{
  return fabs (off) <= fma (eps, fabs (above) + fabs (below), floor);
}

/* Wilkinson's shift for the block, and the state of the sweep before the first
   rotation, at the block's end.  The first off-diagonal element is larger than
   FLOOR.  */
GE_DEVICE_INLINE void
begin_sweep (int first, int last, const double *d, const double *e, ql_sweep *w)
{
  const double el = e[first], dl = d[first], square = el * el;
  const double half = 0.5 * (d[first + 1] - dl), q = fma (half, half, square);
  const double root = q * near_inverse_root (q);
  const double shift = square * near_inverse (fabs (half) + root);
  w->d_above = d[last];
  w->g = w->d_above - dl + copysign (shift, half) + QL_LEAST;
  w->s = w->c = 1;
  w->p = 0;
  w->i = last - 1;
  w->split = last;
  w->d_here = d[last - 1];
  w->e_here = e[last - 1];
  w->d_final = 0;
}

/* One rotation; its cosine and sine are in W.  */
GE_DEVICE_INLINE void
rotate (int first, int last, double eps, double floor, double *d, double *e,
        ql_sweep *w)
{
  const int i = w->i;
  const double ei = w->e_here, di = w->d_here;
  if (i > first)
    {
      w->d_here = d[i - 1];
      w->e_here = e[i - 1];
    }
  const double f = w->s * ei, b = w->c * ei, less = fma (w->c, -ei, QL_LEAST);
  const double h = w->d_above - w->p;
  const double square = fma (f, f, w->g * w->g);
  /* r is 2 c b + (d_i - h) s with the new c and s; in this form it is computed in
     parallel to them.  */
  const double product = fma (di - h, f, 2 * b * w->g);
  const double inverse = near_inverse_root (square);
  const double off = square * inverse, r = product * inverse;
  w->s = f * inverse;
  w->c = w->g * inverse;
  w->p = w->s * r;
  const double value = h + w->p;
  w->g = fma (w->c, r, less);
  d[i + 1] = value;
  if (i + 1 < last)
    {
      e[i + 1] = off;
      if (is_split (off, value, w->d_final, eps, floor))
        w->split = i + 1;
    }
  w->d_final = value;
  w->d_above = di;
  w->i = i - 1;
}

/* After the last rotation: the next block is *FIRST .. *LAST; *FIRST > *LAST if the
   block is finished.  */
GE_DEVICE_INLINE void
end_sweep (int *first, int *last, double eps, double floor, double *d,
           double *e, const ql_sweep *w)
{
  const int l = *first;
  const double value = w->d_above - w->p;
  d[l] = value;
  e[l] = w->g;
  e[*last] = 0;
  *last = w->split;
  if (is_split (w->g, value, w->d_final, eps, floor))
    {
      e[l] = 0;
      *first = l + 1;
      if (*first == *last)
        *first = *last + 1;
    }
}

/* The last row of the unreduced block that begins at row L.  */
GE_DEVICE_INLINE int
end_of_block (int l, int n, double eps, double floor, const double *d,
              const double *e)
{
  int m = l;
  while (m < n - 1 && ! is_split (e[m], d[m], d[m + 1], eps, floor))
    m++;
  return m;
}

/* If the block *FIRST .. *LAST is finished, find the next one of order at least 2;
   *FIRST = N if there is none.  */
GE_DEVICE_INLINE void
next_block (int n, double eps, double floor, const double *d, const double *e,
            int *first, int *last)
{
  while (*first >= *last && *first < n)
    {
      if (*first == *last)
        ++*first;
      if (*first < n)
        *last = end_of_block (*first, n, eps, floor, d, e);
    }
}

#endif
