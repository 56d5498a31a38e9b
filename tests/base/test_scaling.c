/* Claims: eigenvalues of badly scaled general matrices have small relative errors if
   the matrix determines them, as for triangular matrices, where LAPACK's are exact;
   scaled pairs (A, B) give the scaled eigenpairs of the unscaled pair, or an error if
   these are outside the range of the type.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

/* --- triangular matrices --- */

static int
ascending_modulus (const void *x, const void *y)
{
  const double a = cabs (*(const double _Complex *) x);
  const double b = cabs (*(const double _Complex *) y);
  return (a > b) - (a < b);
}

/* An upper triangular matrix of order N whose diagonal goes in even steps from
   2^FIRST to 2^LAST, the elements above as large as the larger neighbour.  */
static void
test_triangular (gpueig_type type, int n, int first, int last, int complex_eig)
{
  const gpueig_type pair = complex_type (type);
  FREED char *a = check_array (type, n * n), *lambda = check_array (pair, n);
  FREED char *v = check_array (pair, n * n);
  double _Complex want[8] = { 0 }, have[8] = { 0 };
  memset (a, 0, (size_t) (n * n) * gpueig_scalar_size (type));
  for (int j = 0; j < n; j++)
    {
      const int exponent = first + (last - first) * j / (n - 1);
      measure_set (type, a, j + n * j, ldexp (1.25, exponent));
      want[j] = measure_get (type, a, j + n * j);
      if (j > 0)
        measure_set (
            type, a, j - 1 + n * j,
            measure_get (type, a,
                         first > last ? (n + 1) * (j - 1) : (n + 1) * j));
    }
  gpueig_general problem = general_problem (type, n, 1, a, lambda, v, NULL);
  const gpueig_status status
      = complex_eig ? gpueig_complex_eig (ctx, &problem, &options, NULL)
                    : gpueig_eig_general (ctx, &problem, &options, NULL);
  CHECK (status == GPUEIG_OK, "triangular, %s: %s", check_type_name[type],
         gpueig_message (ctx));
  for (int j = 0; j < n; j++)
    have[j] = measure_get (pair, lambda, j);
  qsort (want, (size_t) n, sizeof *want, ascending_modulus);
  qsort (have, (size_t) n, sizeof *have, ascending_modulus);
  double worst = 0;
  for (int j = 0; j < n; j++)
    {
      const double e = cabs (have[j] - want[j]) / cabs (want[j]);
      worst = worst_of (worst, e);
    }
  CHECK_RATIO (worst / measure_eps (type), 4,
               "relative in eps, %s, %s n=%d, diagonal 2^%d to 2^%d",
               complex_eig ? "complex_eig" : "eig", check_type_name[type], n,
               first, last);
}

static void
test_general (gpueig_type type)
{
  /* no wider than LAPACK itself keeps: 2^(40 + 125), 2^(459 + 1021) */
  static const int spans[][2] = { { 33, -99 },   { 39, -120 }, { 25, -60 },
                                  { -40, -110 }, { 10, -20 },  { 60, 0 } };
  static const int wide[][2]
      = { { 431, -631 }, { 431, -697 }, { 458, -1000 }, { -300, -1000 } };
  /* The Jacobi-like method of a GPU is only backward stable: errors of small
     eigenvalues are up to eps times the norm.  */
  const int fronts = options.backend == GPUEIG_CUDA ? 1 : 2;
  for (int complex_eig = 0; complex_eig < fronts; complex_eig++)
    for (int n = 2; n <= 5; n += 3)
      {
        for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++)
          test_triangular (type, n, spans[i][0], spans[i][1], complex_eig);
        for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
          if (gpueig_is_double (type))
            test_triangular (type, n, wide[i][0], wide[i][1], complex_eig);
      }
}

/* --- pairs --- */

enum
{
  N = 9
};

static void
make_pair (gpueig_type type, int ea, int eb, void *a, void *b)
{
  measure_random r = { 5 };
  measure_random_symmetric (&r, type, N, a);
  measure_random_symmetric (&r, type, N, b);
  for (int i = 0; i < N * N; i++)
    {
      const double shift = i % (N + 1) == 0 ? 4 * N : 0;
      measure_set (type, a, i, measure_get (type, a, i) * ldexp (1, ea));
      measure_set (type, b, i,
                   (measure_get (type, b, i) + shift) * ldexp (1, eb));
    }
}

static void
test_pair (gpueig_type type, int ea, int eb)
{
  const gpueig_type real = real_type (type);
  FREED char *a = check_array (type, N * N), *b = check_array (type, N * N);
  FREED char *v = check_array (type, N * N), *lambda = check_array (real, N);
  FREED char *v0 = check_array (type, N * N), *lambda0 = check_array (real, N);
  gpueig_symmetric problem = {
    .type = type, .n = N, .pages = 1, .a = a, .b = b, .lambda = lambda0, .v = v0
  };
  make_pair (type, 0, 0, a, b);
  gpueig_status status = gpueig_eig_symmetric (ctx, &problem, &options, NULL);
  make_pair (type, ea, eb, a, b);
  problem.lambda = lambda;
  problem.v = v;
  if (status == GPUEIG_OK)
    status = gpueig_eig_symmetric (ctx, &problem, &options, NULL);
  const int most = gpueig_is_double (type) ? DBL_MAX_EXP : FLT_MAX_EXP;
  if (ea - eb > most || -eb / 2 > most)
    {
      CHECK (status == GPUEIG_NONFINITE,
             "A 2^%d, B 2^%d, %s: beyond the range, and reported: %s", ea, eb,
             check_type_name[type], gpueig_message (ctx));
      return;
    }
  CHECK (status == GPUEIG_OK, "A 2^%d, B 2^%d, %s: %s", ea, eb,
         check_type_name[type], gpueig_message (ctx));
  double values = 0, vectors = 0, size = 0;
  for (int i = 0; i < N; i++)
    {
      const double l0 = creal (measure_get (real, lambda0, i));
      const double l = creal (measure_get (real, lambda, i));
      size = fmax (size, fabs (l0));
      const double e = fabs (ldexp (l, eb - ea) - l0);
      values = e <= values ? values : e;
    }
  for (int i = 0; i < N * N; i++)
    {
      /* up to sign or phase */
      const double e = fabs (cabs (measure_get (type, v, i)) * ldexp (1, eb / 2)
                             - cabs (measure_get (type, v0, i)));
      vectors = e <= vectors ? vectors : e;
    }
  CHECK_RATIO (values / (size * N * measure_eps (type)), LIMIT_EIGENVALUES,
               "eigenvalues of A 2^%d, B 2^%d, %s", ea, eb,
               check_type_name[type]);
  CHECK_RATIO (vectors / (N * measure_eps (type)), 100,
               "vectors of A 2^%d, B 2^%d, %s", ea, eb, check_type_name[type]);
}

int
main (void)
{
  check_begin ("scaling");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      const int big = gpueig_is_double (type) ? 1000 : 110;
      test_general (type);
      test_pair (type, big, 0);
      test_pair (type, -big, 0);
      test_pair (type, 0, big);
      test_pair (type, 0, -big);
      test_pair (type, big, big);
      test_pair (type, -big, -big);
      test_pair (type, big, -big);
      test_pair (type, 30, -30);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
