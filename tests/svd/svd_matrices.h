/* Matrices of any shape that singular value decompositions find hard, for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SVD_MATRICES_H
#define SVD_MATRICES_H 1

#include "wide.h"

enum
{
  RANDOM,
  ZEROS,
  IDENTITY,
  ONES,
  EVEN,      /* singular values 1 .. eps, LAPACK's svd.in */
  GEOMETRIC, /* 1 .. eps^2 */
  STEEP,     /* 1 .. 1e-300, of single 1e-30 */
  ONE_LARGE, /* 1, eps, eps .. */
  ONE_SMALL, /* 1 .. 1, eps */
  CLUSTERS,  /* three values with differences of eps */
  CLOSE,     /* small ones that eigenvalues of A'A hardly distinguish */
  EQUAL,     /* orthonormal columns or rows */
  DEFICIENT, /* half of the singular values 0 */
  KAHAN,
  HILBERT,
  LAUCHLI,
  GRADED_ROWS,
  GRADED_COLUMNS,
  BIDIAGONAL,
  SPARSE, /* with rows and columns of zeros */
  LARGE,
  TINY,
  DENORMAL,
  KINDS
};

static const char *const kind_name[KINDS]
    = { "random",    "zero",        "identity",       "ones",       "even",
        "geometric", "steep",       "one large",      "one small",  "clusters",
        "close",     "equal",       "deficient",      "Kahan",      "Hilbert",
        "Lauchli",   "graded rows", "graded columns", "bidiagonal", "sparse",
        "large",     "tiny",        "denormal" };

static double _Complex entry (measure_random *r, gpueig_type type)
{
  const double re = measure_normal (r);
  return gpueig_is_complex (type) ? re + I * measure_normal (r) : re;
}

/* X (ROWS-by-COLUMNS) becomes H X with a random reflector H.  */
static void
reflect (measure_random *r, gpueig_type type, int64_t rows, int64_t columns,
         wide *x)
{
  FREED wide *h = check_memory (rows, sizeof *h);
  long double sum = 0;
  for (int64_t i = 0; i < rows; i++)
    {
      h[i] = entry (r, type);
      sum += creall (h[i] * conjl (h[i]));
    }
  for (int64_t j = 0; j < columns; j++)
    {
      wide d = 0;
      for (int64_t i = 0; i < rows; i++)
        d += conjl (h[i]) * x[i + rows * j];
      for (int64_t i = 0; i < rows; i++)
        x[i + rows * j] -= 2 * d / sum * h[i];
    }
}

static long double
spectrum (int kind, double eps, int is_double, int64_t k, int64_t i)
{
  const long double x = k > 1 ? (long double) i / (long double) (k - 1) : 0;
  switch (kind)
    {
    case EVEN:
      return 1 - (1 - eps) * x;
    case GEOMETRIC:
      return powl (eps, 2 * x);
    case STEEP:
      return powl (10, -(is_double ? 300 : 30) * x);
    case ONE_LARGE:
      return i == 0 ? 1 : eps;
    case ONE_SMALL:
      return i == k - 1 ? eps : 1;
    case CLUSTERS:
      return (1 + i % 3) * (1 + (i / 3) * eps);
    case CLOSE:
      return 2 * i < k
                 ? 1 - x
                 : powl (eps, 0.25L) * (1 + (is_double ? 1e-5L : 0.05L) * i);
    case DEFICIENT:
      return 2 * i < k;
    default:
      return 1;
    }
}

static int
has_spectrum (int kind)
{
  return (kind >= EVEN && kind <= DEFICIENT);
}

static void
make_wide (int kind, gpueig_type type, int64_t m, int64_t n, wide *a)
{
  const int is_double = gpueig_is_double (type);
  const double eps = measure_eps (type);
  const int64_t k = m < n ? m : n;
  measure_random r = { (uint64_t) (100 * kind + 7 * m + n) };
  memset (a, 0, (size_t) (m * n) * sizeof *a);
  for (int64_t i = 0; has_spectrum (kind) && i < k; i++)
    a[i + m * i] = spectrum (kind, eps, is_double, k, i);
  if (has_spectrum (kind))
    {
      for (int i = 0; i < 5; i++)
        reflect (&r, type, m, n, a);
      wide_adjoint (m, n, a);
      for (int i = 0; i < 5; i++)
        reflect (&r, type, n, m, a);
      wide_adjoint (n, m, a);
      return;
    }
  const long double step = is_double ? 12 : 2;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        wide x = entry (&r, type);
        switch (kind)
          {
          case ZEROS:
            x = 0;
            break;
          case IDENTITY:
            x = i == j;
            break;
          case ONES:
            x = 1;
            break;
          case KAHAN:
            x = powl (0.8L, (long double) i) * (i == j ? 1 : i < j ? -0.6L : 0);
            break;
          case HILBERT:
            x = 1 / (long double) (i + j + 1);
            break;
          case LAUCHLI:
            x = i == 0 ? 1 : i == j + 1 ? sqrtl (eps) / 2 : 0;
            break;
          case GRADED_ROWS:
            x *= powl (10, -step * (long double) i / (long double) m * 3);
            break;
          case GRADED_COLUMNS:
            x *= powl (10, -step * (long double) j / (long double) n * 3);
            break;
          case BIDIAGONAL:
            x = i == j || i + 1 == j ? x * powl (eps, cosl ((long double) i))
                                     : 0;
            break;
          case SPARSE:
            x = i % 3 == 1 || j % 4 == 2 ? 0 : x;
            break;
          case LARGE:
            x *= is_double ? 1e305L : 1e36L;
            break;
          case TINY:
            x *= is_double ? 1e-300L : 1e-36L;
            break;
          case DENORMAL:
            x *= is_double ? 1e-320L : 1e-42L;
            break;
          default:
            break;
          }
        a[i + m * j] = x;
      }
}

/* The matrix of KIND of type TYPE, and its elements exactly.  */
static inline void
make_matrix (int kind, gpueig_type type, int64_t m, int64_t n, void *a,
             wide *exact)
{
  make_wide (kind, type, m, n, exact);
  for (int64_t i = 0; i < m * n; i++)
    {
      measure_set (type, a, i, (double _Complex) exact[i]);
      exact[i] = measure_get (type, a, i);
    }
}

#endif
