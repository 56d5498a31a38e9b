/* Claims: eigenvalues of badly scaled general matrices have small relative errors if
   the matrix determines them, as for triangular matrices, where LAPACK's are exact;
   scaled pairs (A, B) give the scaled eigenpairs of the unscaled pair, or an error if
   these are outside the range of the type.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

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
  CLEANUP (free_problem)
  any_problem p = make_problem (
      &solvers[complex_eig ? SOLVE_COMPLEX : SOLVE_EIG_GENERAL], type, n, 1, 2);
  char *const a = p.a;
  double _Complex want[8] = { 0 }, have[8] = { 0 };
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
  check_solve (ctx, &p, &options, NULL, "diagonal 2^%d to 2^%d", first, last);
  for (int j = 0; j < n; j++)
    have[j] = measure_get (p.values, p.lambda, j);
  qsort (want, (size_t) n, sizeof *want, ascending_modulus);
  qsort (have, (size_t) n, sizeof *have, ascending_modulus);
  double worst = 0;
  for (int j = 0; j < n; j++)
    {
      const double e = cabs (have[j] - want[j]) / cabs (want[j]);
      worst = worst_of (worst, e);
    }
  CHECK_RATIO (worst / measure_eps (type), 4, "relative in eps, %s", p.what);
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

static any_problem
begin (gpueig_type type, int ea, int eb)
{
  measure_random r = { 5 };
  any_problem p = make_problem (&solvers[SOLVE_EIG], type, N, 1, 2);
  p.b = check_array (type, N * N);
  measure_random_symmetric (&r, type, N, p.a);
  measure_random_symmetric (&r, type, N, p.b);
  for (int i = 0; i < N * N; i++)
    {
      const double shift = i % (N + 1) == 0 ? 4 * N : 0;
      measure_set (type, p.a, i, measure_get (type, p.a, i) * ldexp (1, ea));
      measure_set (type, p.b, i,
                   (measure_get (type, p.b, i) + shift) * ldexp (1, eb));
    }
  return p;
}

static void
test_pair (gpueig_type type, int ea, int eb)
{
  const int most = gpueig_is_double (type) ? DBL_MAX_EXP : FLT_MAX_EXP;
  CLEANUP (free_problem)
  any_problem p = begin (type, 0, 0), q = begin (type, ea, eb);
  double values = 0, vectors = 0, size = 0;
  if (ea - eb > most || -eb / 2 > most)
    {
      CHECK (solve_problem (ctx, &q, &options, NULL) == GPUEIG_NONFINITE,
             "A 2^%d, B 2^%d, %s: beyond the range, and reported: %s", ea, eb,
             check_type_name[type], gpueig_message (ctx));
      return;
    }
  check_solve (ctx, &p, &options, NULL, "pair");
  check_solve (ctx, &q, &options, NULL, "A 2^%d, B 2^%d", ea, eb);
  for (int i = 0; i < N; i++)
    {
      const double x = creal (measure_get (p.values, p.lambda, i)),
                   y = creal (measure_get (p.values, q.lambda, i));
      size = fmax (size, fabs (x));
      values = worst_of (values, fabs (ldexp (y, eb - ea) - x));
    }
  for (int i = 0; i < N * N; i++) /* up to sign or phase */
    vectors = worst_of (
        vectors, fabs (cabs (measure_get (type, q.v, i)) * ldexp (1, eb / 2)
                       - cabs (measure_get (type, p.v, i))));
  CHECK_RATIO (values / (size * N * measure_eps (type)), LIMIT_EIGENVALUES,
               "eigenvalues, %s", q.what);
  CHECK_RATIO (vectors / (N * measure_eps (type)), 100, "vectors, %s", q.what);
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
      for (int k = 0; k < 9; k++)
        if (k != 4 && k != 2)
          test_pair (type, big * (k / 3 - 1), big * (k % 3 - 1));
      test_pair (type, 30, -30);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
