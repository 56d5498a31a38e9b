/* General test matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "general_matrices.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

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

/* --- by elements --- */

/* Companion matrix of (x - 1) (x - 2) ... (x - n), scaled to fit.  */
static double complex
of_roots (int64_t n, int64_t i, int64_t j)
{
  double c[64] = { 1 };
  if (i > 0)
    return i == j + 1;
  for (int64_t root = 1; root <= n; root++)
    for (int64_t k = root; k > 0; k--)
      c[k] -= (double) root / (double) n * c[k - 1];
  return -c[j + 1];
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

/* LAPACK's ded.in has a block that balancing does no good.  */
static double complex
ded_in (int64_t n, int64_t i, int64_t j)
{
  static const double block[3][3]
      = { { 2e-6, 1, -2 }, { 1e-6, -2, 4 }, { 0, 1, -2 } };
  return i / 3 == j / 3
             ? block[i % 3][j % 3] * (1.5 + sin ((double) (i / 3 + n)) / 2)
             : 0;
}

/* X (name, element): element (I, J) of order N, or LENGTH as a number; X: a random number;
   TO: where a permutation sends a row.  The first GENERAL_HARD, then named ones.  */
#define EACH_MATRIX(X)                                                         \
  X ("random", x)                                                              \
  X ("cyclic", i == (j + 1) % n)                                               \
  X ("triangular", i <= j ? x : 0)                                             \
  X ("perturbed Jordan block", i == j || j == i + 1 ? 1                        \
                               : i == j + 1         ? 1e-9                     \
                                                    : 0)                               \
  X ("ones", 1)                                                                \
  X ("signed cyclic", i == (j + 1) % n ? i == 0 ? -1 : 1 : 0)                  \
  X ("graded", x *pow (10, -8 * (double) (i + j) / length))                    \
  X ("companion", i == j + 1 ? 1 : i == 0 ? x : 0)                             \
  X ("scaled", x *pow (10, 6 * (double) (i - j) / length))                     \
  X ("two blocks", (i < n / 2) == (j < n / 2) ? x : 0)                         \
  X ("nilpotent", j == i + 1)                                                  \
  X ("four values", i == j ? (double) (i % 4) : 1e-14 * x)                     \
  X ("grcar", j == i - 1 ? -1 : j >= i && j <= i + 3)                          \
  X ("clement", i == j + 1   ? (double) (j + 1) / length                       \
                : j == i + 1 ? (double) (n - 1 - i) / length                   \
                             : 0)                                              \
  X ("frank", j >= i - 1 ? (length - (double) (i > j ? i : j)) / length : 0)   \
  X ("permutation", to[j] == i)                                                \
  X ("zero", 0)                                                                \
  X ("reflections", (i == j) - 2 / length) /* -1 once, else 1 */               \
  X ("ded.in", ded_in (n, i, j))                                               \
  X ("stochastic", fabs (creal (x)) / length)                                  \
  X ("tiny subdiagonals", i <= j ? x : i == j + 1 ? 1e-11 * x : 0)             \
  X ("repeated blocks", i / 4 == j / 4                                         \
                            ? sin ((double) (4 * (i % 4) + j % 4 + 1))         \
                        : i < j ? 1e-3 * x                                     \
                                : 0)                                           \
  X ("shift", i == j + 1 ? 1 : j == n - 1 ? 1e-3 * x : 0)                      \
  X ("isolated eigenvalues", i > j && (j < n / 8 || i >= n - n / 8) ? 0 : x)   \
  X ("kahan",                                                                  \
     i > j ? 0 : pow (sin (1.2), (double) i) * (i == j ? 1 : -cos (1.2)))      \
  X ("companion of 1 .. n", of_roots (n, i, j))                                \
  X ("upper ones", j > i)                                                      \
  X ("two cycles", two_cycles (n, i, j))                                       \
  X ("toeplitz", j == i + 1 ? 1 : i == j + 1 ? 0.01 : 0)                       \
  X ("sines",                                                                  \
     j < i ? 0                                                                 \
           : sin ((double) (3 * i + 7 * j + n)) + I * cos ((double) (i * j)))  \
  X ("graded sines", (1 + sin ((double) (3 * i + 7 * j)))                      \
                         * pow (10, 8 * (double) (i - j) / length))            \
  X ("smoke", i == j ? cexp (2 * I * 3.14159265358979 * (double) i / length)   \
                     : (i + 1) % n == j)                                       \
  X ("rank one", (double) (i + 1) * sin ((double) (j + 1)))

#define NAME(name, element) name,
#define CASE(name, element)                                                    \
  if (kind-- == 0)                                                             \
    return element;

const char *const general_names[GENERAL_KINDS + 1]
    = { EACH_MATRIX (NAME) NULL };

static double complex
element (int kind, int64_t n, int64_t i, int64_t j, double complex x,
         const int64_t *to)
{
  const double length = (double) n;
  EACH_MATRIX (CASE)
  return 0;
}

static void
general_matrix (measure_random *r, int kind, gpueig_type type, int64_t n,
                void *a)
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

const char *
general_any (uint64_t seed, int kind, gpueig_type type, int64_t n, char *a)
{
  static char name[40];
  measure_random r = { seed };
  const int named = kind - GENERAL_TYPES - PAGE_KINDS;
  if (kind < GENERAL_TYPES)
    {
      FREED double complex *x
          = general_type (&r, kind + 1, n, measure_eps (type));
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, a, i, x[i]);
      snprintf (name, sizeof name, "LAPACK's type %d", kind + 1);
      return name;
    }
  if (named < 0)
    {
      mixed_page (&r, kind - GENERAL_TYPES, type, n, 0, a);
      return page_kind_name[kind - GENERAL_TYPES];
    }
  const int k = (named + GENERAL_HARD) % GENERAL_KINDS;
  if (k == GENERAL_ROOTS && n > 60)
    return NULL;
  general_matrix (&r, k, type, n, a);
  return general_names[k];
}
