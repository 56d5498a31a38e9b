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

#include <math.h>

typedef void mrrr_matrix (int n, double *d, double *e);

static measure_random dice = { 3 };

static double
rnd (void)
{
  return measure_uniform (&dice);
}

#define EACH(name, diagonal, off)                                              \
  static void name (int n, double *d, double *e)                               \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      {                                                                        \
        d[i] = diagonal;                                                       \
        e[i] = off;                                                            \
      }                                                                        \
    (void) n;                                                                  \
  }

EACH (zero, 0, 0)
EACH (identity, 1, 0)
EACH (one_two_one, 2, 1)
EACH (one_four_one, 4, 1)
EACH (toeplitz_zero, 0, 1)
EACH (wilkinson, fabs (i - (n - 1) / 2.0), 1)
EACH (clement, 0, sqrt ((i + 1.0) * (n - i - 1.0)))
EACH (legendre, 0, (i + 1) / sqrt ((2.0 * i + 1) * (2 * i + 3)))
EACH (laguerre, 2 * i + 1, i + 1)
EACH (hermite, 0, sqrt (i + 1.0))
EACH (uniform, rnd (), rnd ())
EACH (anderson, 10 * rnd (), 1)
EACH (diagonal, rnd (), 0)
EACH (glued_2, fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-2 : 1)
EACH (glued_4, fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-4 : 1)
EACH (glued_8, fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-8 : 1)
EACH (glued_11, fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-11 : 1)
EACH (glued_14, fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-14 : 1)
EACH (glued_101, fabs (i % 101 - 50.0), i % 101 == 100 ? 1e-7 : 1)
EACH (glued_toeplitz, 2, i % 10 == 9 ? 1e-9 : 1)
EACH (splits, rnd (), i % 7 == 6 || i % 11 == 3 ? 0 : rnd ())
EACH (twins, i % 4 < 2 ? 1 : -1, i % 2 ? 0 : 1e-3)
EACH (graded_down, ldexp (1, -60 * i / n), 0.3 * ldexp (1, -60 * i / n))
EACH (graded_up, ldexp (1, -300 * (n - i) / n),
      0.3 * ldexp (1, -300 * (n - i) / n))
EACH (near_identity_5, 1, 1e-5 * rnd ())
EACH (near_identity_10, 1, 1e-10 * rnd ())
EACH (near_identity_13, 1 + 1e-13 * rnd (), 1e-13 * rnd ())
EACH (root_eps, 1, 1.5e-8 * (1 + 0.1 * rnd ()))
EACH (tiny_diagonal, 1e-9 * rnd (), i % 3 ? 1 : 1e-6)
EACH (alternating, i % 2 ? 1e-8 : 1, i % 2 ? 1e-4 : 0.5)

static const struct
{
  const char *name;
  mrrr_matrix *make;
} mrrr_matrices[] = { { "zero", zero },
                      { "identity", identity },
                      { "(1,2,1)", one_two_one },
                      { "(1,4,1)", one_four_one },
                      { "(1,0,1)", toeplitz_zero },
                      { "Wilkinson", wilkinson },
                      { "Clement", clement },
                      { "Legendre", legendre },
                      { "Laguerre", laguerre },
                      { "Hermite", hermite },
                      { "random", uniform },
                      { "Anderson", anderson },
                      { "diagonal", diagonal },
                      { "glued 1e-2", glued_2 },
                      { "glued 1e-4", glued_4 },
                      { "glued 1e-8", glued_8 },
                      { "glued 1e-11", glued_11 },
                      { "glued 1e-14", glued_14 },
                      { "glued W101", glued_101 },
                      { "glued (1,2,1)", glued_toeplitz },
                      { "splits", splits },
                      { "twins", twins },
                      { "graded down", graded_down },
                      { "graded up", graded_up },
                      { "identity + 1e-5", near_identity_5 },
                      { "identity + 1e-10", near_identity_10 },
                      { "identity + 1e-13", near_identity_13 },
                      { "identity + sqrt (eps)", root_eps },
                      { "tiny diagonal", tiny_diagonal },
                      { "alternating", alternating } };

enum
{
  MRRR_MATRICES = sizeof mrrr_matrices / sizeof mrrr_matrices[0]
};

#endif
