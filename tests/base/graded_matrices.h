/* Graded positive definite matrices D B D and their eigenvalues.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GRADED_MATRICES_H
#define GRADED_MATRICES_H 1

#include "wide.h"

#include <float.h>

static gpueig_context *ctx;

/* Of W, positive definite, which is destroyed.  */
static inline void
reference (int n, wide *w, long double *lambda)
{
  wide_cholesky (n, w);
  wide_eigenvalues (n, w, lambda);
}

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
