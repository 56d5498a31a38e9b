/* General test matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "general_matrices.h"

#include <complex.h>
#include <math.h>

/* --- LAPACK's types --- */

static double complex
random_complex (measure_random *r)
{
  double re = measure_uniform (r);
  return re + I * measure_uniform (r);
}

/* |lambda_k| by distribution: 1 even, 2 geometric, 3 clustered, 4 random.  */
static double
modulus (measure_random *r, int mode, int64_t n, int64_t k, double eps)
{
  double x = n > 1 ? (double) k / (double) (n - 1) : 0;
  switch (mode)
    {
    case 1:
      return 1 - x * (1 - eps);
    case 2:
      return pow (eps, x);
    case 3:
      return k == 0 ? 1 : eps;
    default:
      return pow (eps, measure_chance (r));
    }
}

static void
fill_triangle (measure_random *r, int mode, int64_t n, double eps, int strict,
               double complex *a)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      a[i + n * j]
          = i < j ? (strict ? 0 : random_complex (r))
                  : modulus (r, mode, n, j, eps)
                        * cexp (I * 3.14159265358979 * measure_uniform (r));
}

/* A <- X^-1 A X with X = S U, S diagonal from 1 to sqrt (eps), U unitary:
   conjugation by reflections, then by S, then by reflections.  */
static void
skew_similarity (measure_random *r, int64_t n, double eps, double complex *a)
{
  measure_reflect (r, 1, n, a, 1);
  for (int64_t j = 0; n > 1 && j < n; j++)
    for (int64_t i = 0; i < n; i++)
      a[i + n * j] *= pow (eps, 0.5 * (double) (j - i) / (double) (n - 1));
  measure_reflect (r, 1, n, a, 1);
}

double complex *
general_type (measure_random *r, int type, int64_t n, double eps)
{
  double complex *a = check_memory (n * n, sizeof *a);
  double scale = 1, large = eps > 1e-10 ? 1e15 : 1e140;
  if (type == 2 || type == 3)
    for (int64_t i = 0; i < n; i++)
      {
        a[i + n * i] = 1;
        if (type == 3 && i > 0)
          a[i + n * (i - 1)] = 1;
      }
  else if (type >= 4 && type <= 8)
    {
      fill_triangle (r, type <= 6 ? type - 3 : 1, n, eps, 1, a);
      scale = type == 7 ? large : type == 8 ? 1 / large : 1;
    }
  else if (type >= 9 && type <= 12)
    {
      fill_triangle (r, type - 8, n, eps, 0, a);
      measure_reflect (r, 1, n, a, 1);
      measure_reflect (r, 1, n, a, 1);
    }
  else if (type >= 13 && type <= 18)
    {
      fill_triangle (r, type <= 16 ? type - 12 : 4, n, eps, 0, a);
      skew_similarity (r, n, eps, a);
      scale = type == 17 ? large : type == 18 ? 1 / large : 1;
    }
  else if (type >= 19)
    {
      for (int64_t i = 0; i < n * n; i++)
        a[i] = random_complex (r);
      /* As in ddrvev: four eigenvalues 0, two of them defective, which balancing
         finds by permutations.  */
      for (int64_t i = 0; i < n * n && n >= 4; i++)
        if (i % n < 2 || i % n == n - 1 || i / n == 0 || i / n >= n - 2)
          a[i] = 0;
      scale = type == 20 ? large : type == 21 ? 1 / large : 1;
    }
  for (int64_t i = 0; i < n * n; i++)
    a[i] *= scale;
  return a;
}

/* --- named matrices --- */

static double complex
grcar (int64_t n, int64_t i, int64_t j)
{
  (void) n;
  return i == j + 1 ? -1 : j >= i && j <= i + 3 ? 1 : 0;
}

static double complex
frank (int64_t n, int64_t i, int64_t j)
{
  return j < i - 1 ? 0 : (double) (n - (i > j ? i : j));
}

static double complex
kahan (int64_t n, int64_t i, int64_t j)
{
  double s = sin (1.2), c = cos (1.2);
  (void) n;
  return i > j ? 0 : pow (s, (double) i) * (i == j ? 1 : -c);
}

/* Companion matrix of (x - 1) (x - 2) ... (x - n), scaled to fit.  */
static double complex
companion (int64_t n, int64_t i, int64_t j)
{
  double c[64] = { 1 };
  if (i > 0)
    return i == j + 1;
  for (int64_t root = 1; root <= n; root++)
    for (int64_t k = root; k > 0; k--)
      c[k] -= (double) root / (double) n * c[k - 1];
  return -c[j + 1];
}

static double complex
clement (int64_t n, int64_t i, int64_t j)
{
  return i == j + 1 ? (double) (n - 1 - j) : j == i + 1 ? (double) j : 0;
}

static double complex
jordan (int64_t n, int64_t i, int64_t j)
{
  (void) n;
  return i == j ? 0.5 : j == i + 1 ? 1 : 0;
}

static double complex
nilpotent (int64_t n, int64_t i, int64_t j)
{
  (void) n;
  return j > i;
}

static double complex
cyclic (int64_t n, int64_t i, int64_t j)
{
  return (i + 1) % n == j;
}

/* Cycles of lengths 3 and 2: eigenvalues with many vectors.  */
static double complex
two_cycles (int64_t n, int64_t i, int64_t j)
{
  int64_t length = i % 5 < 3 ? 3 : 2,
          start = i - (i % 5 < 3 ? i % 5 : i % 5 - 3);
  if (start + length > n)
    return i == j;
  return start + (i - start + 1) % length == j;
}

static double complex
toeplitz (int64_t n, int64_t i, int64_t j)
{
  (void) n;
  return j == i + 1 ? 1 : i == j + 1 ? 0.01 : 0;
}

static double complex
triangular (int64_t n, int64_t i, int64_t j)
{
  return j < i
             ? 0
             : sin ((double) (3 * i + 7 * j + n)) + I * cos ((double) (i * j));
}

static double complex
graded (int64_t n, int64_t i, int64_t j)
{
  return (1 + sin ((double) (3 * i + 7 * j)))
         * pow (10, 8 * (double) (i - j) / (double) n);
}

static double complex
smoke (int64_t n, int64_t i, int64_t j)
{
  if (i == j)
    return cexp (2 * I * 3.14159265358979 * (double) i / (double) n);
  return (i + 1) % n == j;
}

static double complex
rank_one (int64_t n, int64_t i, int64_t j)
{
  (void) n;
  return (double) (i + 1) * sin ((double) (j + 1));
}

const general_named general_named_list[] = { { "grcar", grcar },
                                             { "frank", frank },
                                             { "kahan", kahan },
                                             { "companion", companion },
                                             { "clement", clement },
                                             { "jordan", jordan },
                                             { "nilpotent", nilpotent },
                                             { "cyclic", cyclic },
                                             { "two cycles", two_cycles },
                                             { "toeplitz", toeplitz },
                                             { "triangular", triangular },
                                             { "graded", graded },
                                             { "smoke", smoke },
                                             { "rank one", rank_one },
                                             { NULL, NULL } };
