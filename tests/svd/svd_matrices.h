/* Matrices of any shape that singular value decompositions find hard, for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SVD_MATRICES_H
#define SVD_MATRICES_H 1

#include "wide.h"

/* X (KIND, name, singular value I of K, which random reflectors turn into a matrix): X is
   I / (K - 1); PRECISE (of double, of single) depends on the type.  */
#define EACH_SPECTRUM(X)                                                       \
  X (EVEN, "even", 1 - (1 - eps) * x) /* LAPACK's svd.in */                    \
  X (GEOMETRIC, "geometric", powl (eps, 2 * x))                                \
  X (STEEP, "steep", powl (10, -PRECISE (300, 30) * x))                        \
  X (ONE_LARGE, "one large", i == 0 ? 1 : eps)                                 \
  X (ONE_SMALL, "one small", i == k - 1 ? eps : 1)                             \
  X (CLUSTERS, "clusters", (1 + i % 3) * (1 + (i / 3) * eps))                  \
  X (CLOSE, "close", /* small ones that eigenvalues of A'A hardly tell */      \
     2 * i < k ? 1 - x : powl (eps, 0.25L) * (1 + PRECISE (1e-5L, 0.05L) * i)) \
  X (EQUAL, "equal", 1) /* orthonormal columns or rows */                      \
  X (DEFICIENT, "deficient", 2 * i < k)

/* X (KIND, name, element (I, J) of an M-by-N matrix): R is a random number.  */
#define EACH_SIMPLE(X)                                                         \
  X (RANDOM, "random", r)                                                      \
  X (ZEROS, "zero", 0)                                                         \
  X (IDENTITY, "identity", i == j)                                             \
  X (ONES, "ones", 1)
#define EACH_ELEMENT(X)                                                        \
  X (KAHAN, "Kahan",                                                           \
     powl (0.8L, (long double) i)                                              \
         * (i == j  ? 1                                                        \
            : i < j ? -0.6L                                                    \
                    : 0))                                                      \
  X (HILBERT, "Hilbert", 1 / (long double) (i + j + 1))                        \
  X (LAUCHLI, "Lauchli", i == 0 ? 1 : i == j + 1 ? sqrtl (eps) / 2 : 0)        \
  X (GRADED_ROWS, "graded rows",                                               \
     r *powl (10, -PRECISE (12, 2) * (long double) i / (long double) m * 3))   \
  X (GRADED_COLUMNS, "graded columns",                                         \
     r *powl (10, -PRECISE (12, 2) * (long double) j / (long double) n * 3))   \
  X (BIDIAGONAL, "bidiagonal",                                                 \
     i == j || i + 1 == j ? r * powl (eps, cosl ((long double) i)) : 0)        \
  X (SPARSE, "sparse", i % 3 == 1 || j % 4 == 2 ? 0 : r)                       \
  X (LARGE, "large", r *PRECISE (1e305L, 1e36L))                               \
  X (TINY, "tiny", r *PRECISE (1e-300L, 1e-36L))                               \
  X (DENORMAL, "denormal", r *PRECISE (1e-320L, 1e-42L))
#define PRECISE(of_double, of_single)                                          \
  (gpueig_is_double (type) ? of_double : of_single)
#define EACH_KIND(X) EACH_SIMPLE (X) EACH_SPECTRUM (X) EACH_ELEMENT (X)

#define KIND(kind, name, value) kind,
#define NAME(kind, name, value) name,
#define CASE(kind, name, value)                                                \
case kind:                                                                     \
  return value;

enum
{
  EACH_KIND (KIND) KINDS
};

static const char *const kind_name[KINDS] = { EACH_KIND (NAME) };

/* X (ROWS-by-COLUMNS) becomes H X with a random reflector H.  */
static void
reflect (measure_random *r, gpueig_type type, int64_t rows, int64_t columns,
         wide *x)
{
  FREED wide *h = check_memory (rows, sizeof *h);
  long double sum = 0;
  for (int64_t i = 0; i < rows; i++)
    {
      h[i] = measure_number (r, type);
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
spectrum (int kind, gpueig_type type, int64_t k, int64_t i)
{
  const double eps = measure_eps (type);
  const long double x = k > 1 ? (long double) i / (long double) (k - 1) : 0;
  switch (kind)
    {
      EACH_SPECTRUM (CASE)
    default:
      return 0;
    }
}

static wide
element (int kind, gpueig_type type, int64_t m, int64_t n, int64_t i, int64_t j,
         wide r)
{
  const double eps = measure_eps (type);
  switch (kind)
    {
      EACH_SIMPLE (CASE)
      EACH_ELEMENT (CASE)
    default:
      return 0;
    }
}

/* M-by-N A, of which the diagonal is given, becomes H A G with products H and G of COUNT
   random reflectors.  */
static inline void
reflect_both (measure_random *r, gpueig_type type, int count, int64_t m,
              int64_t n, wide *a)
{
  for (int i = 0; i < count; i++)
    reflect (r, type, m, n, a);
  wide_adjoint (m, n, a);
  for (int i = 0; i < count; i++)
    reflect (r, type, n, m, a);
  wide_adjoint (n, m, a);
}

static void
make_wide (int kind, gpueig_type type, int64_t m, int64_t n, wide *a)
{
  const int64_t k = m < n ? m : n;
  measure_random r = { (uint64_t) (100 * kind + 7 * m + n) };
  if (kind < EVEN || kind > DEFICIENT)
    {
      for (int64_t e = 0; e < m * n; e++)
        a[e] = element (kind, type, m, n, e % m, e / m,
                        measure_number (&r, type));
      return;
    }
  memset (a, 0, (size_t) (m * n) * sizeof *a);
  for (int64_t i = 0; i < k; i++)
    a[i + m * i] = spectrum (kind, type, k, i);
  reflect_both (&r, type, 5, m, n, a);
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
