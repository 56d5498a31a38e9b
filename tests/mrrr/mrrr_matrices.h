/* Random tridiagonal matrices and spectra that test_mrrr.c solves.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef MRRR_MATRICES_H
#define MRRR_MATRICES_H 1

#include "tridiagonal_matrices.h"

#include <complex.h>

static measure_random die = { 29 };

static double
entry (int mode)
{
  double sign = measure_chance (&die) < 0.5 ? -1 : 1;
  switch (mode)
    {
    case 0:
      return sign * measure_chance (&die);
    case 1:
      return sign * pow (10, -16 * measure_chance (&die));
    case 2:
      return sign * pow (10, -40 * measure_chance (&die));
    case 3:
      return (int) (measure_chance (&die) * 5 - 2);
    case 4:
      return measure_chance (&die) < 0.3 ? 0 : sign * measure_chance (&die);
    case 5:
      return 1 + 1e-14 * sign * measure_chance (&die);
    case 6:
      return sign * pow (10, -8 * (int) (measure_chance (&die) * 3));
    default:
      return measure_chance (&die) < 0.5 ? 1 : 1e-8 * measure_chance (&die);
    }
}

/* Entries that are widely graded, nearly equal, zero, or repeated in blocks.  */
static void
random_structure (int n, double *d, double *e)
{
  int diagonal = (int) (measure_chance (&die) * 8),
      off = (int) (measure_chance (&die) * 8);
  int period = measure_chance (&die) < 0.6
                   ? 1 + (int) (measure_chance (&die) * 30)
                   : n;
  if (measure_chance (&die) < 0.3)
    off = 1;
  for (int i = 0; i < n; i++)
    {
      d[i] = i < period ? entry (diagonal) : d[i - period];
      e[i] = i < period ? entry (off) : e[i - period];
      if (i >= period && (i + 1) % period == 0 && measure_chance (&die) < 0.5)
        e[i] = pow (10, -16 * measure_chance (&die));
    }
}

/* A dense symmetric matrix with the given eigenvalues, exactly symmetric.  */
static void
hide_spectrum (int64_t n, const double *lambda, double *a)
{
  FREED double _Complex *x = check_memory (n * n, sizeof *x);
  for (int64_t i = 0; i < n; i++)
    x[i + n * i] = lambda[i];
  for (int64_t k = 0; k < n; k++)
    measure_reflect (&dice, 0, n, x, 1);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      a[i + n * j] = a[j + n * i] = creal (x[i + n * j]);
}

/* Distribution MODE of LAPACK's xLATMS / stetester, condition COND.  */
static void
distribution (int mode, double cond, double ulp, int n, double *lambda)
{
  for (int i = 0; i < n; i++)
    {
      double t = n > 1 ? (double) i / (n - 1) : 0;
      switch (mode)
        {
        case 1:
          lambda[i] = i == 0 ? 1 : 1 / cond;
          break;
        case 2:
          lambda[i] = i < n - 1 ? 1 : 1 / cond;
          break;
        case 3:
          lambda[i] = pow (cond, -t);
          break;
        case 4:
          lambda[i] = 1 - t * (1 - 1 / cond);
          break;
        case 5:
          lambda[i] = pow (cond, -(rnd () + 1) / 2);
          break;
        case 6:
          lambda[i] = rnd ();
          break;
        case 7:
          lambda[i] = i < n - 1 ? ulp * (i + 1) : 1;
          break;
        case 8:
          lambda[i] = i == 0 ? ulp : i < n - 1 ? 1 + sqrt (ulp) * i : 2;
          break;
        default:
          lambda[i] = i == 0 ? 1 : lambda[i - 1] + 100 * ulp;
        }
      if (mode <= 5 && rnd () < 0)
        lambda[i] = -lambda[i];
    }
}

#endif
