/* Shared scalar math: divide and conquer for symmetric tridiagonal matrices.  For C and
   CUDA, in double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Cuppen's rank-one tearing (Numer. Math. 36 (1981), 177-195): at a cut with the
   off-diagonal element e

     T = diag (T1, T2) + |e| v v',  v = (0, ..., 0, 1, sign (e), 0, ..., 0)',

   so that with the eigensystems of T1 and T2 there remains D + z z', whose eigenvalues
   are the roots of the secular equation f (x) = 1 + sum z_i^2 / (d_i - x).  Deflation
   as LAPACK's xLAED2; roots as differences from the nearest pole by rational
   interpolation (Li, LAPACK working note 89) inside a bracket, so that the iteration
   always ends; vectors from the z for which the computed roots are exact (Gu and
   Eisenstat, SIAM J. Matrix Anal. Appl. 16 (1995), 172-191), orthogonal whatever the
   gaps are.

   Differences from LAPACK: the tolerance of deflation is relative to the whole matrix,
   so that no number that remains is below its square and nothing under- or overflows;
   a problem is cut in halves down to leaves of at most GE_DIVIDE_LEAF rows; rotations
   are not applied to vectors but to the rows of the matrix that the vectors are
   multiplied by.  */

#ifndef GE_DIVIDE_H
#define GE_DIVIDE_H 1

#include "base/inline.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

enum
{
  GE_DIVIDE_LEAF = 20,
  /* Evaluations for a root: from the first number on every other step is a
     bisection, so that the second is not reached; 3 or 4 are usual.  */
  GE_DIVIDE_BISECT = 24,
  GE_DIVIDE_MOST = 200
};

/* --- the tree --- */

/* Levels of merges of a matrix of order N.  */
GE_INLINE int
ge_divide_levels (int n)
{
  int levels = 0;
  while (((n - 1) >> levels) + 1 > GE_DIVIDE_LEAF)
    levels++;
  return levels;
}

/* The first row of part I of the 2^LEVEL parts.  */
GE_INLINE int
ge_divide_start (int n, int level, int i)
{
  return (int) (((int64_t) n * i) >> level);
}

/* --- small parts --- */

/* How many of the M ascending numbers D are less than X, or less or equal.  */
GE_INLINE int
ge_divide_below (int m, const double *d, double x, int or_equal)
{
  int low = 0, high = m;
  while (low < high)
    {
      const int middle = (low + high) / 2;
      if (d[middle] < x || (or_equal && d[middle] == x))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* --- deflation --- */

typedef enum
{
  GE_DIVIDE_LIVE,
  GE_DIVIDE_ZERO,  /* z_i counts as zero */
  GE_DIVIDE_TURNED /* z_i = 0 after a rotation with the next entry whose z is
                      not zero */
} ge_divide_kind;

/* A scan of the entries: BEFORE, the last one with a z that is not zero, or -1, its D and Z;
   the LIVE ones before it.  */
typedef struct
{
  int before, live;
  double d, z;
} ge_divide_scan;

/* Where a scan writes: KIND of each entry; C, S: rotation of a turned one.  The live ones in
   order are copied to POLE and WEIGHT (their z), their places to LIVE.  */
typedef struct
{
  unsigned char *kind;
  double *c, *s, *pole, *weight;
  short *live;
} ge_divide_entries;

/* Whether the entry before, with D0 and Z0, is turned.  */
GE_INLINE int
ge_divide_turns (double d0, double z0, double d1, double z1, double tol)
{
  return fabs ((d1 - d0) * z0 * z1) <= tol * fma (z0, z0, z1 * z1);
}

/* Entry AT, with D and Z, is the live one number NUMBER.  */
GE_INLINE void
ge_divide_set_live (const ge_divide_entries *to, int at, int number, double d,
                    double z)
{
  to->kind[at] = GE_DIVIDE_LIVE;
  to->pole[number] = d;
  to->weight[number] = z;
  to->live[number] = (short) at;
}

/* Entry I, whose d and z may change with those of the one before.  */
GE_INLINE void
ge_divide_scan_entry (ge_divide_scan *scan, int i, double *d, double *z,
                      double norm, double tol, const ge_divide_entries *to)
{
  const double d0 = scan->d, z0 = scan->z;
  const int before = scan->before;
  double d1 = d[i], z1 = z[i];
  if (! (fabs (z1) * norm > tol))
    {
      to->kind[i] = GE_DIVIDE_ZERO;
      return;
    }
  if (before >= 0 && ge_divide_turns (d0, z0, d1, z1, tol))
    {
      const double length = sqrt (fma (z0, z0, z1 * z1)), gap = d1 - d0;
      const double cosine = z1 / length, sine = -z0 / length;
      to->kind[before] = GE_DIVIDE_TURNED;
      to->c[before] = cosine;
      to->s[before] = sine;
      d[before] = fma (sine * sine, gap, d0);
      d[i] = d1 = fma (-sine * sine, gap, d1);
      z[i] = z1 = length;
    }
  else if (before >= 0)
    ge_divide_set_live (to, before, scan->live++, d0, z0);
  scan->before = i;
  scan->d = d1;
  scan->z = z1;
}

/* The number of live entries after the last one.  */
GE_INLINE int
ge_divide_end_scan (ge_divide_scan *scan, const ge_divide_entries *to)
{
  if (scan->before >= 0)
    ge_divide_set_live (to, scan->before, scan->live++, scan->d, scan->z);
  return scan->live;
}

/* Deflate the M entries D, ascending, and Z; norm of Z at most NORM.  Returns the number of
   live ones.  */
GE_INLINE int
ge_divide_deflate (int m, double *d, double *z, double norm, double tol,
                   const ge_divide_entries *to)
{
  ge_divide_scan scan = { -1, 0, 0, 0 };
  for (int i = 0; i < m; i++)
    ge_divide_scan_entry (&scan, i, d, z, norm, tol, to);
  return ge_divide_end_scan (&scan, to);
}

/* --- the secular equation --- */

/* Y: inverses of four numbers, whose approximations the device begins together.  */
GE_INLINE void
ge_inverse_four (const double x[4], double y[4])
{
#ifdef __CUDA_ARCH__
  asm("rcp.approx.ftz.f64 %0, %4;\n\t"
      "rcp.approx.ftz.f64 %1, %5;\n\t"
      "rcp.approx.ftz.f64 %2, %6;\n\t"
      "rcp.approx.ftz.f64 %3, %7;"
      : "=d"(y[0]), "=d"(y[1]), "=d"(y[2]), "=d"(y[3])
      : "d"(x[0]), "d"(x[1]), "d"(x[2]), "d"(x[3]));
#  pragma unroll
  for (int i = 0; i < 4; i++)
    {
      const double t = fma (-x[i], y[i], 1.0);
      y[i] = fma (y[i], fma (t, t, t), y[i]);
    }
#else
  for (int i = 0; i < 4; i++)
    y[i] = 1 / x[i];
#endif
}

/* Y: inverses of the four poles' distances from ORIGIN + TAU.  */
GE_INLINE void
ge_divide_inverses (const double *pole, double origin, double tau, double y[4])
{
  double x[4];
#ifdef __CUDA_ARCH__
#  pragma unroll
#endif
  for (int i = 0; i < 4; i++)
    x[i] = (pole[i] - origin) - tau;
  ge_inverse_four (x, y);
}

/* f = 1 + psi + phi at x = d_origin + tau: PSI has the terms up to SPLIT, PHI the
   others.  */
typedef struct
{
  double psi, phi, dpsi, dphi;
} ge_divide_sums;

/* Add the terms from I to END - 1 to *SUM, and their derivatives to *DERIVATIVE.  */
GE_INLINE void
ge_divide_add_terms (int i, int end, const double *pole, const double *square,
                     double origin, double tau, double *sum, double *derivative)
{
  for (; i + 3 < end; i += 4)
    {
      double y[4];
      ge_divide_inverses (pole + i, origin, tau, y);
#ifdef __CUDA_ARCH__
#  pragma unroll
#endif
      for (int k = 0; k < 4; k++)
        {
          const double t = square[i + k] * y[k];
          *sum += t;
          *derivative = fma (t, y[k], *derivative);
        }
    }
  for (; i < end; i++)
    {
      const double y = ge_inverse ((pole[i] - origin) - tau);
      const double t = square[i] * y;
      *sum += t;
      *derivative = fma (t, y, *derivative);
    }
}

GE_INLINE ge_divide_sums
ge_divide_evaluate (int k, int split, const double *pole, const double *square,
                    double origin, double tau)
{
  ge_divide_sums f = { 0, 0, 0, 0 };
  ge_divide_add_terms (0, split + 1, pole, square, origin, tau, &f.psi,
                       &f.dpsi);
  ge_divide_add_terms (split + 1, k, pole, square, origin, tau, &f.phi,
                       &f.dphi);
  return f;
}

/* The root x of c x^2 - a x + b = 0 between the two poles, or ABOVE both.  */
GE_INLINE double
ge_divide_quadratic (double a, double b, double c, int above)
{
  const double root = sqrt (fabs (fma (a, a, -4 * b * c)));
  if (above)
    return a >= 0 ? (a + root) / (2 * c) : 2 * b / (a - root);
  return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
}

/* The middle of LO and HI, numbers of one sign; the geometric mean if they are far
   apart.  */
GE_INLINE double
ge_divide_middle (double lo, double hi)
{
  const double x = fabs (lo), y = fabs (hi);
  if (x > 1e6 * y || y > 1e6 * x)
    return copysign (sqrt (x) * sqrt (y), hi);
  return lo + (hi - lo) / 2;
}

/* Root J of the K, in ascending order: pole[*ORIGIN] + *TAU.  SQUARE: z_i^2, TOTAL
   their sum; EPS: relative errors that do not matter, DBL_EPSILON at least.  Returns the number
   of evaluations.  */
GE_INLINE int
ge_divide_root (int k, int j, double eps, const double *pole,
                const double *square, double total, int *origin, double *tau)
{
  const int above = j == k - 1;
  if (k == 1)
    {
      *origin = 0;
      *tau = total;
      return 0;
    }
  const int split = above ? k - 2 : j;
  const double gap = pole[split + 1] - pole[split];
  const double w1 = square[split], w2 = square[split + 1];
  int at = above ? k - 1 : j;
  double x = above ? total / 2 : gap / 2, lo, hi;
  ge_divide_sums f = ge_divide_evaluate (k, split, pole, square, pole[at], x);
  double value = 1 + f.psi + f.phi;
  /* the two neighbours exactly, the others constant */
  const double left = (pole[split] - pole[at]) - x,
               right = (pole[split + 1] - pole[at]) - x;
  const double c = 1 + (f.psi - w1 / left) + (f.phi - w2 / right);
  if (above)
    {
      lo = value > 0 ? w2 * (1 - 8 * DBL_EPSILON) : x;
      hi = value > 0 ? x : total * (1 + k * DBL_EPSILON);
      x = ge_divide_quadratic (-c * gap + w1 + w2, -w2 * gap, c, 1);
    }
  else if (value >= 0)
    {
      lo = w1 / (1 + f.phi) * (1 - 16 * DBL_EPSILON);
      hi = x;
      x = ge_divide_quadratic (c * gap + w1 + w2, w1 * gap, c, 0);
    }
  else
    {
      at = j + 1;
      lo = -x;
      hi = w2 / f.psi * (1 - 16 * DBL_EPSILON);
      x = ge_divide_quadratic (-c * gap + w1 + w2, -w2 * gap, c, 0);
    }
  const double far_left = pole[split] - pole[at],
               far_right = pole[split + 1] - pole[at];
  if (! (x > lo && x < hi))
    x = ge_divide_middle (lo, hi);
  int count = 1, weighted = 1;
  double last = fabs (value), before = INFINITY;
  for (; count < GE_DIVIDE_MOST; count++)
    {
      f = ge_divide_evaluate (k, split, pole, square, pole[at], x);
      value = 1 + f.psi + f.phi;
      const double slope = f.dpsi + f.dphi;
      /* errors of the sums, and of x itself */
      const double sure
          = eps * fma (8.0, 1 + fabs (f.psi) + fabs (f.phi), fabs (x) * slope);
      if (fabs (value) <= sure)
        break;
      if (value > 0)
        hi = x;
      else
        lo = x;
      if (fabs (value) > 0.1 * last)
        weighted = ! weighted;
      /* two steps that have gained less than a factor of two */
      const int slow = fabs (value) > 0.5 * before
                       || (count >= GE_DIVIDE_BISECT && count % 2 == 0);
      before = last;
      last = fabs (value);
      const double d1 = far_left - x, d2 = far_right - x;
      const double product = d1 * d2;
      double curve;
      if (! weighted || above)
        curve = value - d1 * f.dpsi - d2 * f.dphi;
      else if (at == split)
        curve = value - d2 * slope + gap * (w1 / (d1 * d1));
      else
        curve = value - d1 * slope - gap * (w2 / (d2 * d2));
      double step = ge_divide_quadratic (fma (d1 + d2, value, -product * slope),
                                         product * value, curve, above);
      if (! (value * step < 0))
        step = -value / slope;
      double next = x + step;
      if (slow || ! (next > lo && next < hi))
        next = ge_divide_middle (lo, hi);
      if (! (next > lo && next < hi))
        break;
      x = next;
    }
  *origin = at;
  *tau = x;
  return count;
}

/* --- vectors --- */

/* |z_I| for which the roots base_j + tau_j of the K poles are exact.  */
GE_INLINE double
ge_divide_weight (int k, int i, const double *pole, const double *base,
                  const double *tau)
{
  const double mine = pole[i];
  double above = (base[k - 1] - mine) + tau[k - 1], below = 1, product = 1;
  for (int j = 0; j < k - 1; j++)
    {
      above *= (base[j] - mine) + tau[j];
      below *= pole[j < i ? j : j + 1] - mine;
      if (j % 4 == 3)
        {
          product *= above * ge_inverse (below);
          above = below = 1;
        }
    }
  return sqrt (fabs (product * above * ge_inverse (below)));
}

/* 1 / |x| of the vector x_i = z_i / (d_i - root) for a root BASE + TAU.  */
GE_INLINE double
ge_divide_scale (int k, const double *pole, const double *z, double base,
                 double tau)
{
  double sum = 0;
  int i = 0;
  for (; i + 3 < k; i += 4)
    {
      double y[4];
      ge_divide_inverses (pole + i, base, tau, y);
#ifdef __CUDA_ARCH__
#  pragma unroll
#endif
      for (int l = 0; l < 4; l++)
        {
          const double v = z[i + l] * y[l];
          sum = fma (v, v, sum);
        }
    }
  for (; i < k; i++)
    {
      const double x = z[i] * ge_inverse ((pole[i] - base) - tau);
      sum = fma (x, x, sum);
    }
  return 1 / sqrt (sum);
}

#endif
