/* General matrices that are known to be hard, of any order, for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SCHUR_MATRICES_H
#define SCHUR_MATRICES_H 1

#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

static const char *const kinds[] = { "random",
                                     "cyclic",
                                     "triangular",
                                     "perturbed Jordan block",
                                     "ones",
                                     "signed cyclic",
                                     "graded",
                                     "companion",
                                     "scaled",
                                     "two blocks",
                                     "nilpotent",
                                     "four values",
                                     "grcar",
                                     "clement",
                                     "frank",
                                     "permutation",
                                     "zero",
                                     "reflections",
                                     "ded.in",
                                     "stochastic",
                                     "tiny subdiagonals",
                                     "repeated blocks",
                                     "shift",
                                     "isolated eigenvalues" };
enum
{
  KINDS = sizeof kinds / sizeof kinds[0]
};

/* Element (I, J) of order N; X: a random number; TO: where a permutation sends a
   row.  */
static double complex
element (int kind, int64_t n, int64_t i, int64_t j, double complex x,
         const int64_t *to)
{
  static const double block[3][3]
      = { { 2e-6, 1, -2 }, { 1e-6, -2, 4 }, { 0, 1, -2 } };
  const double order = (double) n, late = (double) (i > j ? i : j);
  switch (kind)
    {
    case 0:
      return x;
    case 1:
      return i == (j + 1) % n;
    case 2:
      return i <= j ? x : 0;
    case 3:
      return i == j || j == i + 1 ? 1 : i == j + 1 ? 1e-9 : 0;
    case 4:
      return 1;
    case 5:
      return i == (j + 1) % n ? i == 0 ? -1 : 1 : 0;
    case 6:
      return x * pow (10, -8 * (double) (i + j) / order);
    case 7:
      return i == j + 1 ? 1 : i == 0 ? x : 0;
    case 8:
      return x * pow (10, 6 * (double) (i - j) / order);
    case 9:
      return (i < n / 2) == (j < n / 2) ? x : 0;
    case 10:
      return j == i + 1;
    case 11:
      return i == j ? (double) (i % 4) : 1e-14 * x;
    case 12:
      return j == i - 1 ? -1 : j >= i && j <= i + 3;
    case 13:
      return i == j + 1   ? (double) (j + 1) / order
             : j == i + 1 ? (double) (n - 1 - i) / order
                          : 0;
    case 14:
      return j >= i - 1 ? (order - late) / order : 0;
    case 15:
      return to[j] == i;
    case 16:
      return 0;
    case 17:
      return (i == j) - 2 / order; /* -1 once, else 1 */
    case 19:
      return fabs (creal (x)) / order;
    case 20:
      return i <= j ? x : i == j + 1 ? 1e-11 * x : 0;
    case 21:
      return i / 4 == j / 4 ? sin ((double) (4 * (i % 4) + j % 4 + 1))
             : i < j        ? 1e-3 * x
                            : 0;
    case 22:
      return i == j + 1 ? 1 : j == n - 1 ? 1e-3 * x : 0;
    case 23:
      return i > j && (j < n / 8 || i >= n - n / 8) ? 0 : x;
    default:
      /* LAPACK's ded.in has a block that balancing does no good */
      return i / 3 == j / 3
                 ? block[i % 3][j % 3] * (1.5 + sin ((double) (i / 3 + n)) / 2)
                 : 0;
    }
}

static void
make (measure_random *r, int kind, gpueig_type type, int64_t n, void *a)
{
  FREED int64_t *to = check_memory (n, sizeof *to);
  measure_shuffle (r, n, to);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        double complex x = measure_normal (r);
        if (gpueig_is_complex (type))
          x += measure_normal (r) * I;
        measure_set (type, a, i + n * j, element (kind, n, i, j, x, to));
      }
}

#endif
