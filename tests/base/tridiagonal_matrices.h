/* Tridiagonal matrices for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   LAPACK's tester types (types 0 to 7 of stetester: zero, identity, (1,2,1),
   Wilkinson, Clement, Legendre, Laguerre, Hermite), glued matrices with glues
   from 1e-2 to 1e-14, splits, graded ones in both directions, and what LAPACK
   failed on: nearly multiple of the identity (issues 100, 466), large scales
   (995), tiny scales; "joined blocks", whose vectors by dstevd are not orthogonal, at order
   46; those after MRRR_MATRICES for divide and conquer.  */

#ifndef TRIDIAGONAL_MATRICES_H
#define TRIDIAGONAL_MATRICES_H 1

#include "check.h"

#include <math.h>

typedef void tridiagonal_matrix (int n, double *d, double *e);

static measure_random dice = { 3 };

static double
rnd (void)
{
  return measure_uniform (&dice);
}

static inline double
rndn (void)
{
  return measure_normal (&dice);
}

static const int joint[] = { 13, 13, 5, 11, 11, 3, 9 };

/* X (name, text, diagonal, off-diagonal): elements I of order N.  */
#define EACH_TRIDIAGONAL(X)                                                    \
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
  X (alternating, "alternating", i % 2 ? 1e-8 : 1, i % 2 ? 1e-4 : 0.5)         \
  X (joined, "joined blocks", fabs (i % 6 - 2.5),                              \
     i % 6 == 5 && i < 42 ? pow (10, -joint[i / 6]) : 1)                       \
  X (normal, "normal", rndn (), rndn ())                                       \
  X (sizes, "sizes", rndn () * pow (10, -16 * rnd ()),                         \
     rndn () * pow (10, -16 * rnd ()))                                         \
  X (equal, "ones", 1, 1)                                                      \
  X (clustered, "clustered", 1 + 1e-15 * rndn (), 1e-15 * rndn ())             \
  X (geometric, "geometric", exp2 (-i), exp2 (-i - 1))                         \
  X (geometric_up, "geometric up", exp2 (i - n), exp2 (i - n - 1))             \
  X (tiny_off, "tiny e", rndn (), 1e-300)                                      \
  X (ties, "ties", floor (4 * rnd ()), floor (3 * rnd ()))                     \
  X (rank_one, "rank one", i < 2, i == 0 ? 1 : 1e-17 * rndn ())                \
  X (decoupled, "decoupled", rndn (), rndn () * (rnd () < 0.2 ? 1e-16 : 1))    \
  X (halves, "equal halves", cos (i % (n / 2)),                                \
     i == n / 2 - 1 ? 1e-14 : sin (1.0 + i % (n / 2)))                         \
  X (glued_7, "glued 1e-7", fabs (i % 21 - 10.0), i % 21 == 20 ? 1e-7 : 1)

#define DEFINE_TRIDIAGONAL(name, text, diagonal, off)                          \
  static inline void name (int n, double *d, double *e)                        \
  {                                                                            \
    for (int i = 0; i < n; i++)                                                \
      {                                                                        \
        d[i] = diagonal;                                                       \
        e[i] = off;                                                            \
      }                                                                        \
    (void) n;                                                                  \
  }
#define TRIDIAGONAL_ROW(name, text, diagonal, off) { text, name },
EACH_TRIDIAGONAL (DEFINE_TRIDIAGONAL)

static const struct
{
  const char *name;
  tridiagonal_matrix *make;
} tridiagonals[] = { EACH_TRIDIAGONAL (TRIDIAGONAL_ROW) };

enum
{
  MRRR_MATRICES = 31,
  TRIDIAGONALS = COUNT (tridiagonals)
};

#endif
