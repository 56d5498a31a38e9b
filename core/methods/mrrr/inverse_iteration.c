/* MRRR's fallback for vectors that the representation tree does not resolve: inverse
   iteration with reorthogonalisation, until the residual is small.  Also the 2-by-2
   problem.  Linked into core and the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/mrrr.h"
#include "mrrr/math.h"

enum
{
  ATTEMPTS = 12,
  STEPS = 3
};
/* Least norm of a unit vector after projection onto the complement of the known
   vectors; smaller remainders are mostly rounding errors.  */
static const double LEFT = 1e-6;

/* LU factorisation of T - lambda I with row exchanges, as LAPACK's xGTTRF; pivots smaller
   than TINY are replaced by TINY, so that inverse iteration can divide by them.  */
static void
factorise (int64_t n, const double *d, const double *e, double lambda,
           double tiny, double *pivot, double *u1, double *u2, double *mult,
           double *swapped)
{
  double a = d[0] - lambda, b = n > 1 ? e[0] : 0;
  for (int64_t i = 0; i + 1 < n; i++)
    {
      double c = e[i], next = d[i + 1] - lambda,
             after = i + 2 < n ? e[i + 1] : 0;
      swapped[i] = fabs (a) < fabs (c);
      if (swapped[i] != 0)
        {
          pivot[i] = c;
          u1[i] = next;
          u2[i] = after;
          mult[i] = a / c;
          a = b - mult[i] * next;
          b = -mult[i] * after;
        }
      else
        {
          pivot[i] = fabs (a) < tiny ? tiny : a;
          u1[i] = b;
          u2[i] = 0;
          mult[i] = c / pivot[i];
          a = next - mult[i] * b;
          b = after;
        }
    }
  pivot[n - 1] = fabs (a) < tiny ? tiny : a;
}

static void
solve_by_factors (int64_t n, const double *pivot, const double *u1,
                  const double *u2, const double *mult, const double *swapped,
                  double *z)
{
  for (int64_t i = 0; i + 1 < n; i++)
    {
      if (swapped[i] != 0)
        {
          double t = z[i];
          z[i] = z[i + 1];
          z[i + 1] = t;
        }
      z[i + 1] -= mult[i] * z[i];
    }
  for (int64_t i = n - 1; i >= 0; i--)
    {
      double s = z[i];
      if (i + 1 < n)
        s -= u1[i] * z[i + 1];
      if (i + 2 < n)
        s -= u2[i] * z[i + 2];
      z[i] = s / pivot[i];
    }
}

/* Scale Z to norm 1, without overflow; returns its norm.  */
static double
normalize (int64_t n, double *z)
{
  double most = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    most = fmax (most, fabs (z[i]));
  if (! (most > 0 && most < INFINITY))
    return 0;
  for (int64_t i = 0; i < n; i++)
    {
      z[i] /= most;
      sum += z[i] * z[i];
    }
  sum = sqrt (sum);
  for (int64_t i = 0; i < n; i++)
    z[i] /= sum;
  return most * sum;
}

/* Gram-Schmidt orthogonalisation of Z against the KNOWN columns, twice.  */
static void
orthogonalise (int64_t n, int64_t count, const double *known, double *z)
{
  for (int pass = 0; pass < 2; pass++)
    for (int64_t j = 0; j < count; j++)
      {
        const double *q = known + n * j;
        double dot = 0;
        for (int64_t i = 0; i < n; i++)
          dot += q[i] * z[i];
        for (int64_t i = 0; i < n; i++)
          z[i] -= dot * q[i];
      }
}

/* |T z - lambda z|, Z of norm 1.  */
static double
residual_of (int64_t n, const double *d, const double *e, double lambda,
             const double *z)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double r = (d[i] - lambda) * z[i];
      if (i > 0)
        r += e[i - 1] * z[i - 1];
      if (i + 1 < n)
        r += e[i] * z[i + 1];
      sum += r * r;
    }
  return sqrt (sum);
}

/* Inverse iteration from a random Z, orthogonalised against the KNOWN vectors before and
   after each solution; 0 if Z is in their span up to rounding errors.  */
static int
iterate_vector (int64_t n, int64_t count, const double *known,
                const double *work, unsigned long long *counter, double *z)
{
  for (int64_t i = 0; i < n; i++)
    z[i] = ge_counter_random ((*counter)++);
  orthogonalise (n, count, known, z);
  if (! (normalize (n, z) > 0))
    return 0;
  for (int step = 0; step < STEPS; step++)
    {
      solve_by_factors (n, work, work + n, work + 2 * n, work + 3 * n,
                        work + 4 * n, z);
      if (! (normalize (n, z) > 0))
        return 0;
      orthogonalise (n, count, known, z);
      if (! (normalize (n, z) > LEFT))
        return 0;
    }
  return 1;
}

double
ge_mrrr_inverse_iteration (int64_t n, const double *d, const double *e,
                           double lambda, int64_t count, const double *known,
                           double *work, double *z)
{
  double *best = work + 5 * n, least = INFINITY, norm = 0;
  unsigned long long counter = (unsigned long long) count << 32;
  for (int64_t i = 0; i < n; i++)
    norm = fmax (norm, fabs (d[i]) + (i + 1 < n ? fabs (e[i]) : 0));
  const double unit = 0x1p-52 * norm + 0x1p-1000;
  const double good = unit * fmax (4, 0.5 * sqrt ((double) n));
  for (int64_t i = 0; i < n; i++)
    best[i] = 0;
  for (int attempt = 0; attempt < ATTEMPTS && least > good; attempt++)
    {
      /* Where successive pivots vanish, the component of a known vector may grow by a
         factor of more than 1/eps.  Perturbing the shift by a few units of rounding
         prevents this and increases the residual by as much.  */
      const double units = ge_counter_random (counter++) * attempt;
      factorise (n, d, e, lambda + units * unit, 0.5 * unit, work, work + n,
                 work + 2 * n, work + 3 * n, work + 4 * n);
      if (! iterate_vector (n, count, known, work, &counter, z))
        continue;
      const double residual = residual_of (n, d, e, lambda, z);
      if (residual < least)
        {
          least = residual;
          for (int64_t i = 0; i < n; i++)
            best[i] = z[i];
        }
    }
  for (int64_t i = 0; i < n; i++)
    z[i] = best[i];
  return least;
}

void
ge_mrrr_solve_2x2 (double a, double b, double c, double lambda[2], double z[4])
{
  /* Jacobi rotation: t is the smaller tangent (Rutishauser).  */
  double t = 0, diff = c - a;
  if (b != 0)
    {
      double h = sqrt (diff * diff + 4 * b * b);
      t = 2 * b / (fabs (diff) + h);
      if (diff < 0)
        t = -t;
    }
  double cs = 1 / sqrt (t * t + 1), sn = cs * t;
  double first = a - t * b, second = c + t * b;
  int swap = first > second;
  lambda[swap] = first;
  lambda[! swap] = second;
  double *x = z + 2 * swap, *y = z + 2 * ! swap;
  x[0] = cs;
  x[1] = -sn;
  y[0] = sn;
  y[1] = cs;
}
