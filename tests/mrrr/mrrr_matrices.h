/* The tridiagonal matrices that test_mrrr.c solves.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   LAPACK's tester types (types 0 to 7 of stetester: zero, identity, (1,2,1),
   Wilkinson, Clement, Legendre, Laguerre, Hermite), glued matrices with glues
   from 1e-2 to 1e-14, splits, graded ones in both directions, and what LAPACK
   failed on: nearly multiple of the identity (issues 100, 466), large scales
   (995), tiny scales.  */

#ifndef MRRR_MATRICES_H
#define MRRR_MATRICES_H 1

#include "check.h"

#include <complex.h>
#include <math.h>

typedef void mrrr_matrix (int n, double *d, double *e);

static measure_random dice = { 3 };

static double
rnd (void)
{
  return measure_uniform (&dice);
}

/* X (name, text, diagonal, off-diagonal): elements I of order N.  */
#define EACH_MATRIX(X)                                                         \
  X (zero, "zero", 0, 0)                                                       \
  X (identity, "identity", 1, 0)                                               \
  X (one_two_one, "(1,2,1)", 2, 1)                                             \
  X (one_four_one, "(1,4,1)", 4, 1)                                            \
  X (toeplitz_zero, "(1,0,1)", 0, 1)                                           \
  X (wilkinson, "Wilkinson", fabs (i - (n - 1) / 2.0), 1)                      \
  X (clement, "Clement", 0, sqrt ((i + 1.0) * (n - i - 1.0)))                  \
  X (legendre, "Legendre", 0, (i + 1) / sqrt ((2.0 * i + 1) * (2 * i + 3)))    \
  X (laguerre, "Laguerre", 2 * i + 1, i + 1)                                   \
  X (hermite, "Hermite", 0, sqrt (i + 1.0))                                    \
  X (uniform, "random", rnd (), rnd ())                                        \
  X (anderson, "Anderson", 10 * rnd (), 1)                                     \
  X (diagonal, "diagonal", rnd (), 0)                                          \
  X (glued_2, "glued 1e-2", fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-2 : 1)     \
  X (glued_4, "glued 1e-4", fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-4 : 1)     \
  X (glued_8, "glued 1e-8", fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-8 : 1)     \
  X (glued_11, "glued 1e-11", fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-11 : 1)  \
  X (glued_14, "glued 1e-14", fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-14 : 1)  \
  X (glued_101, "glued W101", fabs (i % 101 - 50.0),                           \
     i % 101 == 100 ? 1e-7 : 1)                                                \
  X (glued_toeplitz, "glued (1,2,1)", 2, i % 10 == 9 ? 1e-9 : 1)               \
  X (splits, "splits", rnd (), i % 7 == 6 || i % 11 == 3 ? 0 : rnd ())         \
  X (twins, "twins", i % 4 < 2 ? 1 : -1, i % 2 ? 0 : 1e-3)                     \
  X (graded_down, "graded down", ldexp (1, -60 * i / n),                       \
     0.3 * ldexp (1, -60 * i / n))                                             \
  X (graded_up, "graded up", ldexp (1, -300 * (n - i) / n),                    \
     0.3 * ldexp (1, -300 * (n - i) / n))                                      \
  X (near_identity_5, "identity + 1e-5", 1, 1e-5 * rnd ())                     \
  X (near_identity_10, "identity + 1e-10", 1, 1e-10 * rnd ())                  \
  X (near_identity_13, "identity + 1e-13", 1 + 1e-13 * rnd (), 1e-13 * rnd ()) \
  X (root_eps, "identity + sqrt (eps)", 1, 1.5e-8 * (1 + 0.1 * rnd ()))        \
  X (tiny_diagonal, "tiny diagonal", 1e-9 * rnd (), i % 3 ? 1 : 1e-6)          \
  X (alternating, "alternating", i % 2 ? 1e-8 : 1, i % 2 ? 1e-4 : 0.5)

#define DEFINE(name, text, diagonal, off)                                      \
  static void name (int n, double *d, double *e)                               \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      {                                                                        \
        d[i] = diagonal;                                                       \
        e[i] = off;                                                            \
      }                                                                        \
    (void) n;                                                                  \
  }
#define ROW(name, text, diagonal, off) { text, name },
EACH_MATRIX (DEFINE)

static const struct
{
  const char *name;
  mrrr_matrix *make;
} mrrr_matrices[] = { EACH_MATRIX (ROW) };

enum
{
  MRRR_MATRICES = sizeof mrrr_matrices / sizeof mrrr_matrices[0]
};

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
