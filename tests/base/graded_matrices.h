/* Graded positive definite matrices D B D and their eigenvalues by Jacobi in long
   double, whose range has no underflow for them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GRADED_MATRICES_H
#define GRADED_MATRICES_H 1

#include "check.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef long double _Complex wide;

static gpueig_context *ctx;

/* --- the reference: cyclic by rows, long double --- */

static void
rotate (int n, wide *a, int p, int q)
{
  wide g = a[p + n * q];
  long double size = cabsl (g), app = creall (a[p + n * p]);
  long double aqq = creall (a[q + n * q]), d = aqq - app;
  if (size == 0)
    return;
  wide phase = g / size;
  long double t = 2 * size / (fabsl (d) + hypotl (d, 2 * size));
  t = d < 0 ? -t : t;
  long double c = 1 / sqrtl (1 + t * t), s = c * t;
  for (int k = 0; k < n; k++)
    {
      wide x = a[k + n * p], y = a[k + n * q];
      a[k + n * p] = c * x - s * conjl (phase) * y;
      a[k + n * q] = s * phase * x + c * y;
    }
  for (int k = 0; k < n; k++)
    {
      wide x = a[p + n * k], y = a[q + n * k];
      a[p + n * k] = c * x - s * phase * y;
      a[q + n * k] = s * conjl (phase) * x + c * y;
    }
  a[p + n * p] = app - t * size;
  a[q + n * q] = aqq + t * size;
  a[p + n * q] = a[q + n * p] = 0;
}

static int
ascending (const void *x, const void *y)
{
  long double a = *(const long double *) x, b = *(const long double *) y;
  return (a > b) - (a < b);
}

static inline void
reference (int n, wide *a, long double *lambda)
{
  for (int sweep = 0, rotations = 1; sweep < 60 && rotations > 0; sweep++)
    {
      rotations = 0;
      for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++)
          if (cabsl (a[p + n * q])
              > 1e-19L * sqrtl (fabsl (creall (a[p + n * p])))
                    * sqrtl (fabsl (creall (a[q + n * q]))))
            {
              rotate (n, a, p, q);
              rotations++;
            }
    }
  for (int j = 0; j < n; j++)
    lambda[j] = creall (a[j + n * j]);
  qsort (lambda, (size_t) n, sizeof *lambda, ascending);
}

/* --- graded matrices --- */

/* A = D B D of TYPE; D from 10^LOW to 10^HIGH in random order, B with unit
   diagonal; the result is cond (B).  */
static double
graded_between (gpueig_type type, int n, double low, double high, void *a)
{
  measure_random r = { (uint64_t) (100 * n + (int) (high - low)) };
  gpueig_options cpu = gpueig_default_options ();
  FREED double _Complex *b = check_memory (n * n, sizeof *b);
  FREED double *d = check_memory (n, sizeof *d);
  FREED double *lambda = check_memory (n, sizeof *lambda);
  cpu.backend = GPUEIG_CPU;
  for (int j = 0; j < n; j++)
    {
      d[j] = pow (10, high - (high - low) * measure_chance (&r));
      for (int i = 0; i <= j; i++)
        {
          double _Complex x = measure_uniform (&r);
          if (gpueig_is_complex (type))
            x += I * measure_uniform (&r);
          x = i == j ? 1
                     : x / sqrt (gpueig_is_complex (type) ? 4.0 * n : 2.0 * n);
          b[i + n * j] = x;
          b[j + n * i] = conj (x);
        }
    }
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      {
        double _Complex x = d[i] * d[j] * b[i + n * j];
        measure_set (type, a, i + n * j, x);
        measure_set (type, a, j + n * i, conj (x));
      }
  gpueig_symmetric problem = {
    .type = GPUEIG_COMPLEX_DOUBLE, .n = n, .pages = 1, .a = b, .lambda = lambda
  };
  if (gpueig_eig_symmetric (ctx, &problem, &cpu, NULL) != GPUEIG_OK
      || lambda[0] <= 0)
    exit (2);
  return lambda[n - 1] / lambda[0];
}

/* The same for D from 1 to 10^-DIGITS.  */
static inline double
graded (gpueig_type type, int n, double digits, void *a)
{
  return graded_between (type, n, -digits, 0, a);
}

/* The largest error relative to an eigenvalue that is a normal number, over
   n eps CONDITION.  */
static double
relative_error (gpueig_type type, int n, const void *lambda,
                const long double *ref, double condition)
{
  gpueig_type real = real_type (type);
  const long double least
      = gpueig_is_double (type) ? DBL_MIN : (long double) FLT_MIN;
  long double worst = 0;
  for (int j = 0; j < n; j++)
    {
      if (ref[j] < least)
        continue;
      long double e = (long double) creal (measure_get (real, lambda, j));
      e = fabsl (e - ref[j]) / ref[j];
      worst = isnan (e) ? INFINITY : fmaxl (worst, e);
    }
  return (double) worst / (n * measure_eps (type) * condition);
}

#endif
