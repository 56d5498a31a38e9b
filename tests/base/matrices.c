/* Test matrices with names.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "matrices.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

/* --- by elements --- */

#define NAME(kind, name, element) name,
const char *const page_kind_name[ALL_PAGES]
    = { EACH_PAGE (NAME) EACH_SYMMETRIC (NAME) EACH_GENERAL (NAME) };

/* Exponents of the elements between blocks.  */
static const int joint[] = { 13, 13, 5, 11, 11, 3, 9 };

/* X X' of rank N / 4.  */
static double complex
gram (int64_t n, int64_t i, int64_t j, const double complex *x)
{
  double complex sum = 0;
  for (int64_t l = 0; l < (n + 3) / 4; l++)
    sum += x[i + n * l] * conj (x[j + n * l]);
  return sum;
}

/* Companion matrix of (x - 1) (x - 2) ... (x - n), scaled to fit, N at most 63.  */
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

#define CASE(kind, name, element)                                              \
  case PAGE_##kind:                                                            \
    return element;

static double complex
element (int kind, gpueig_type type, int64_t n, int symmetric, int64_t i,
         int64_t j, const double complex *x, const int64_t *to)
{
  const double complex r = x[i + n * j], other = conj (x[j + n * i]),
                       turn = gpueig_is_complex (type) ? -I : 1;
  const double length = (double) n,
               small = gpueig_is_double (type) ? 1e-10 : 1e-4;
  const int big = gpueig_is_double (type) ? 990 : 110;
  switch (kind)
    {
      EACH_PAGE (CASE)
      EACH_SYMMETRIC (CASE)
      EACH_GENERAL (CASE)
    default:
      return 0;
    }
}

void
mixed_page (measure_random *r, int kind, gpueig_type type, int64_t n,
            int symmetric, void *a)
{
  const int wide = gpueig_is_complex (type);
  FREED double complex *x = check_memory (n * n, sizeof *x),
                       *y = check_memory (n * n, sizeof *y);
  FREED int64_t *to = check_memory (n, sizeof *to);
  for (int64_t i = 0; i < n * n; i++)
    x[i] = measure_number (r, type);
  measure_shuffle (r, n, to);
  for (int64_t i = 0; i < n * n; i++)
    if (! symmetric || i % n <= i / n)
      y[i] = element (kind, type, n, symmetric, i % n, i / n, x, to);
  for (int k = 0; kind == PAGE_GROUPS && k < 3; k++)
    measure_reflect (r, wide, n, y, 1);
  for (int64_t k = 0; k < n * n; k++)
    {
      const int64_t i = k % n, j = k / n;
      measure_set (type, a, k,
                   ! symmetric || i < j ? y[k]
                   : i == j             ? creal (y[k])
                                        : conj (y[j + n * i]));
    }
}

void
hard_matrix (int kind, gpueig_type type, int64_t n, void *a)
{
  measure_random r = { (uint64_t) (17 + kind) };
  mixed_page (&r, kind, type, n, 1, a);
}
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

static double complex *
lapack_type (measure_random *r, int type, int64_t n, double eps)
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

const char *
general_any (uint64_t seed, int kind, gpueig_type type, int64_t n, char *a)
{
  static char name[40];
  measure_random r = { seed };
  if (kind >= GENERAL_TYPES)
    {
      const int page = kind - GENERAL_TYPES,
                k = page < PAGE_KINDS ? page : page - PAGE_KINDS + HARD_KINDS;
      if (k == PAGE_OF_ROOTS && n > 60)
        return NULL;
      mixed_page (&r, k, type, n, 0, a);
      return page_kind_name[k];
    }
  FREED double complex *x = lapack_type (&r, kind + 1, n, measure_eps (type));
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, a, i, x[i]);
  snprintf (name, sizeof name, "LAPACK's type %d", kind + 1);
  return name;
}
