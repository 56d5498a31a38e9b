/* Pages of many kinds for stacks that mix them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mixed_pages.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

const char *const page_kind_name[HARD_KINDS]
    = { "zero",      "identity", "multiple",    "triangular", "defective",
        "symmetric", "skew",     "permutation", "graded",     "rank one",
        "huge",      "tiny",     "cluster",     "random",     "Wilkinson",
        "glued",     "Clement",  "geometric",   "negligible", "plus-minus",
        "exchange",  "kron",     "bipartite",   "gram",       "two clusters",
        "ones" };

static double complex
number (measure_random *r, gpueig_type type)
{
  const double re = measure_normal (r);
  return gpueig_is_complex (type) ? re + I * measure_normal (r) : re;
}

static double
grade (int64_t n, int64_t i)
{
  return pow (10, -6.0 * (double) i / (double) n);
}

/* Element (i, j) of X before the page is made symmetric.  */
static double complex
element (int kind, gpueig_type type, int64_t n, int symmetric, int64_t i,
         int64_t j, const double complex *x, const int64_t *at)
{
  const double complex random = x[i + n * j], other = conj (x[j + n * i]);
  const int is_double = gpueig_is_double (type);
  const double complex turn = gpueig_is_complex (type) ? -I : 1;
  double complex sum = 0;
  switch (kind)
    {
    case PAGE_ZERO:
      return 0;
    case PAGE_IDENTITY:
      return i == j;
    case PAGE_MULTIPLE:
      return i == j ? 3.25 : 0;
    case PAGE_TRIANGULAR:
      return i == j || (i < j && ! symmetric) ? random : 0;
    case PAGE_DEFECTIVE:
      return i == j ? 1 : i + 1 == j;
    case PAGE_SYMMETRIC:
      return (random + other) / 2;
    case PAGE_SKEW:
      if (! symmetric)
        return (random - other) / 2;
      return gpueig_is_complex (type) ? I * (random - other) / 2
                                      : i + j == n - 1;
    case PAGE_PERMUTATION:
      return (at[i] == j) + (symmetric && at[j] == i);
    case PAGE_GRADED:
      return (i == j ? 5 : random) * grade (n, i) * grade (n, j);
    case PAGE_RANK_ONE:
      return x[i] * conj (symmetric ? x[j] : x[n * n - 1 - j]);
    case PAGE_HUGE:
      return random * ldexp (1, is_double ? 990 : 110);
    case PAGE_TINY:
      return random * ldexp (1, is_double ? -990 : -110);
    case PAGE_CLUSTER:
      return (i == j) + random * (is_double ? 1e-10 : 1e-4);
    case PAGE_PLUS_MINUS:
      return i == j ? 1 - 2 * (double) (i % 2) : 0;
    case PAGE_EXCHANGE:
      return i + j == n - 1;
    case PAGE_KRON:
      return i < n / 2 && j >= (n + 1) / 2 ? random : 0;
    case PAGE_BIPARTITE:
      return i < n / 2 && j >= (n + 1) / 2 && creal (random) > 0;
    case PAGE_GRAM:
      for (int64_t l = 0; l < (n + 3) / 4; l++)
        sum += x[i + n * l] * conj (x[j + n * l]);
      return sum;
    case PAGE_TWO_CLUSTERS:
      return (i != j       ? 0
              : i % 3 == 0 ? 2
                           : -1)
             + random * (is_double ? 1e-9 : 1e-4);
    case PAGE_ONES:
      return 1;
    case PAGE_WILKINSON:
      return i == j       ? fabs ((double) (2 * i - n + 1) / 2)
             : i + 1 == j ? turn
                          : 0;
    case PAGE_GLUED:
      return i == j        ? fabs ((double) (i % 21 - 10))
             : i + 1 != j  ? 0
             : j % 21 == 0 ? 1e-7 * turn
                           : turn;
    case PAGE_CLEMENT:
      return i + 1 == j ? sqrt ((double) (j * (n - j))) * turn : 0;
    case PAGE_GEOMETRIC:
      return i == j       ? exp2 ((double) -i)
             : i + 1 == j ? exp2 ((double) -j) * turn
                          : 0;
    case PAGE_NEGLIGIBLE:
      return i == j
                 ? 2
                 : pow (10, -(is_double ? 149 : 16) - 4 / (1 + cabs (random)))
                       * (creal (random) > 0 ? turn : 1);
    default:
      return random;
    }
}

void
mixed_page (measure_random *r, int kind, gpueig_type type, int64_t n,
            int symmetric, void *a)
{
  FREED double complex *x = check_memory (n * n, sizeof *x);
  FREED int64_t *at = check_memory (n, sizeof *at);
  for (int64_t i = 0; i < n * n; i++)
    x[i] = number (r, type);
  measure_shuffle (r, n, at);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < (symmetric ? j + 1 : n); i++)
      {
        const double complex e
            = element (kind, type, n, symmetric, i, j, x, at);
        measure_set (type, a, i + n * j, symmetric && i == j ? creal (e) : e);
        if (symmetric && i < j)
          measure_set (type, a, j + n * i, conj (e));
      }
}

void
hard_matrix (int kind, gpueig_type type, int64_t n, void *a)
{
  measure_random r = { (uint64_t) (17 + kind) };
  mixed_page (&r, kind, type, n, 1, a);
}

/* --- eigenvalues without vectors --- */

void zgesvd_ (const char *jobu, const char *jobvt, const int *m, const int *n,
              double complex *a, const int *lda, double *s, double complex *u,
              const int *ldu, double complex *vt, const int *ldvt,
              double complex *work, const int *lwork, double *rwork, int *info,
              size_t, size_t);

/* The smallest singular value of B - x I.  */
static double
distance (int64_t n, const double complex *b, double complex x)
{
  const int order = (int) n, one = 1, lwork = 10 * order;
  int info;
  FREED double *sigma = check_memory (6 * n, sizeof *sigma);
  double complex *c = check_memory (n * n + 10 * n, sizeof *c), none;
  for (int64_t i = 0; i < n * n; i++)
    c[i] = b[i] - (i % (n + 1) == 0 ? x : 0);
  zgesvd_ ("N", "N", &order, &order, c, &order, sigma, &none, &one, &none, &one,
           c + n * n, &lwork, sigma + n, &info, 1, 1);
  const double least = info == 0 ? sigma[n - 1] : INFINITY;
  free (c);
  return least;
}

/* A number whose distance to an eigenvalue is below this limit counts as equal.  */
#define CLOSE 10

/* The same for B, |B|_1 about 1, in units of UNIT.  */
static double
scaled_spectrum (int64_t n, const double complex *b, const double complex *x,
                 const double complex *y, double unit)
{
  double worst = 0;
  double complex trace = 0, trace2 = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double least = INFINITY;
      for (int64_t j = 0; j < n; j++)
        least = fmin (least, cabs (x[i] - y[j]));
      if (! (least <= CLOSE * unit))
        least = distance (n, b, x[i]);
      worst = worst_of (worst, least);
      trace += x[i] - b[i + n * i];
      trace2 += x[i] * x[i];
      for (int64_t j = 0; j < n; j++)
        trace2 -= b[i + n * j] * b[j + n * i];
    }
  const double sums = fmax (cabs (trace), cabs (trace2) / 2) / (double) n;
  worst = worst_of (worst, sums);
  return worst / unit;
}

double
mixed_spectrum (gpueig_type type, int64_t n, const void *a, const void *x,
                const void *y)
{
  const gpueig_type pair = complex_type (type);
  const double norm = measure_norm (type, n, n, a);
  const double scale = norm > 0 ? norm : 1;
  FREED double complex *b = check_memory (n * n + 2 * n, sizeof *b);
  double complex *sx = b + n * n, *sy = sx + n;
  for (int64_t i = 0; i < n * n; i++)
    b[i] = measure_get (type, a, i) / scale;
  for (int64_t i = 0; i < n; i++)
    {
      sx[i] = measure_get (pair, x, i) / scale;
      sy[i] = measure_get (pair, y, i) / scale;
    }
  return scaled_spectrum (n, b, sx, sy, (double) n * measure_eps (type));
}
