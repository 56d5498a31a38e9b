/* Claims, for both functions for general matrices on the backend under test, by "auto" and
   by "qr": vectors of eigenvalues far below eps times the norm are accurate where the matrix
   determines them; so are vectors near Jordan blocks, without balancing, which overflow in
   back-substitution; eigenvalues of badly scaled triangular matrices, of which LAPACK's are
   exact, have small relative errors by "auto".
   Balancing on the host, which a GPU's solver uses, isolates all eigenvalues that permutations
   can, and makes norms of rows and columns of the rest alike.
   Others: test_accuracy.c, test_mixed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "schur/balance.h"
#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gpueig_context *ctx;
static gpueig_options options;

static const struct
{
  int solver;
  const char *method;
} functions[] = { { SOLVE_EIG_GENERAL, "auto" },
                  { SOLVE_COMPLEX, "auto" },
                  { SOLVE_EIG_GENERAL, "qr" },
                  { SOLVE_COMPLEX, "qr" } };

enum
{
  FUNCTIONS = sizeof functions / sizeof functions[0]
};

static any_problem
allocate (gpueig_type type, int64_t n, int64_t pages)
{
  return make_problem (&solvers[SOLVE_EIG_GENERAL], type, n, pages, 3);
}

/* Solve with so many outputs, of which P keeps the results.  */
static void
solve (int f, const any_problem *p, int outputs, const char *what)
{
  any_problem q = *p;
  q.solver = &solvers[functions[f].solver];
  q.v = outputs > 1 ? p->v : NULL;
  q.w = outputs > 2 ? p->w : NULL;
  check_solve (ctx, &q, &options, functions[f].method, "%s, %d outputs", what,
               outputs);
  if (outputs > 1)
    check_errors (&q, (usual_errors){ .residual = LIMIT_GENERAL });
}

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
test_triangular (gpueig_type type, int n, int first, int last, int solver)
{
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[solver], type, n, 1, 2);
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
test_graded (gpueig_type type)
{
  /* no wider than LAPACK itself keeps: 2^(40 + 125), 2^(459 + 1021) */
  static const int spans[][2] = { { 33, -99 },   { 39, -120 }, { 25, -60 },
                                  { -40, -110 }, { 10, -20 },  { 60, 0 } };
  static const int wide[][2]
      = { { 431, -631 }, { 431, -697 }, { 458, -1000 }, { -300, -1000 } };
  /* The Jacobi-like method of a GPU is only backward stable: errors of small
     eigenvalues are up to eps times the norm.  */
  const int fronts = options.backend == GPUEIG_CUDA ? 1 : 2;
  for (int f = 0; f < fronts; f++)
    for (int n = 2; n <= 5; n += 3)
      {
        for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++)
          test_triangular (type, n, spans[i][0], spans[i][1],
                           functions[f].solver);
        for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
          if (gpueig_is_double (type))
            test_triangular (type, n, wide[i][0], wide[i][1],
                             functions[f].solver);
      }
}

/* Triangular, the second half of the rows and columns being SMALL times a block B, the
   rest of these rows and columns zeros: the vectors of B's eigenvalues are those of B,
   whatever SMALL is.  */
static void
fill_tiny (measure_random *r, const any_problem *p, int64_t page, double small)
{
  const int64_t n = p->n, half = n / 2;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        const int tiny = i >= half;
        double complex x = 0;
        if (i == j)
          x = 1 + (double) (tiny ? i - half : i);
        else if (i < j && tiny == (j >= half))
          x = measure_uniform (r) + I * measure_uniform (r);
        measure_set (p->type, p->a, i + n * (j + n * page),
                     tiny ? small * x : x);
      }
}

/* The residual of the vectors of B in V: |B x - mu x| / |x| relative to n eps |B|, which
   is at most n; right ones, or left ones.  */
static double
tiny_residual (const any_problem *p, int64_t page, double small, const char *v,
               int left)
{
  const int64_t n = p->n, half = n / 2;
  double worst = 0;
  for (int64_t k = 0; k < n; k++)
    {
      const double complex mu
          = measure_get (p->values, p->lambda, k + n * page) / small;
      double most = 0, size = 0;
      if (cabs (mu) > 2 * (double) n)
        continue;
      for (int64_t i = half; i < n; i++)
        {
          const double complex vi
              = measure_get (p->values, v, i + n * (k + n * page));
          double complex sum = (left ? conj (mu) : mu) * vi;
          for (int64_t j = half; j < n; j++)
            {
              const double complex a = measure_get (
                  p->type, p->a, (left ? j + n * i : i + n * j) + n * n * page);
              sum -= (left ? conj (a) : a) / small
                     * measure_get (p->values, v, j + n * (k + n * page));
            }
          most = worst_of (most, cabs (sum));
          size = worst_of (size, cabs (vi));
        }
      worst = worst_of (worst, size > 0 ? most / size : INFINITY);
    }
  return worst / ((double) (n * n) * measure_eps (p->type));
}

/* Eigenvalues far below eps times the norm whose vectors are nevertheless well
   determined.  */
static void
test_tiny (gpueig_type type, int64_t n, int64_t pages)
{
  CLEANUP (free_problem) any_problem p = allocate (type, n, pages);
  const int least = gpueig_is_double (type) ? 250 : 25;
  for (int k = 0; k < 6; k++)
    {
      const double small = pow (10, -(k + 1) * least / 6.0);
      for (int64_t q = 0; q < pages; q++)
        {
          measure_random r = { (uint64_t) (n + k) };
          fill_tiny (&r, &p, q, small);
        }
      for (int f = 0; f < FUNCTIONS; f++)
        {
          double worst = 0;
          /* Of order 2 the pages are Hermitian: they have the symmetric solver's vectors.  */
          if (functions[f].solver == SOLVE_COMPLEX && n == 2)
            continue;
          solve (f, &p, 3, "tiny eigenvalues");
          for (int64_t q = 0; q < pages; q++)
            for (int left = 0; left < 2; left++)
              worst = worst_of (
                  worst, tiny_residual (&p, q, small, left ? p.w : p.v, left));
          CHECK_RATIO (worst, LIMIT_GENERAL,
                       "vectors of eigenvalues of size %g, %s by %s, %s n=%d, "
                       "%d pages",
                       small, solvers[functions[f].solver].name,
                       functions[f].method, check_type_name[type], (int) n,
                       (int) pages);
        }
    }
}

/* A Jordan block with an element in the corner, of all sizes, not balanced.  */
static void
test_near_jordan (gpueig_type type, int64_t n)
{
  CLEANUP (free_problem) any_problem p = allocate (type, n, 1);
  p.unbalanced = 1;
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, p.a, i, i % n == i / n || i % n + 1 == i / n);
  for (int k = 1; k <= 20; k++)
    for (int f = 0; f < FUNCTIONS; f++)
      {
        char what[40];
        measure_set (type, p.a, n - 1, pow (10, -2 * k));
        snprintf (what, sizeof what, "1e-%d near a Jordan block", 2 * k);
        solve (f, &p, 3, what);
      }
}

/* Block triangular with rows and columns permuted and scaled: OUTER isolated eigenvalues,
   INNER that are not, OUTER others.  */
static void
test_balance (gpueig_type type, int64_t outer, int64_t inner)
{
  const int64_t n = inner + 2 * outer, last = outer + inner;
  const double eps = measure_eps (type);
  measure_random r = { (uint64_t) n };
  FREED void *a = check_array (type, n * n), *b = check_array (type, n * n),
             *scale = check_array (type, n);
  FREED int *order = check_memory (n, sizeof *order),
            *space = check_memory (3 * n, sizeof *space);
  FREED int64_t *to = check_memory (n, sizeof *to);
  double error = 0, below = 0, uneven = 1;
  measure_shuffle (&r, n, to);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      if (i <= j || (j >= outer && i < last))
        measure_set (type, a, to[i] + n * to[j],
                     ldexp (measure_normal (&r), (int) (7 * (i - j) % 20)));
  GE_BY_TYPE (type, ge_balance, (n, a, b, order, scale, space));
  for (int64_t j = 0; j < n; j++)
    {
      double row = 0, column = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const double complex x = measure_get (type, b, i + n * j);
          const double factor
              = creal (measure_get (real_type (type), scale, i)
                       / measure_get (real_type (type), scale, j));
          error = worst_of (
              error, cabs (x * factor
                           - measure_get (type, a, order[i] + n * order[j])));
          if (i > j && ! (j >= outer && i < last))
            below = worst_of (below, cabs (x));
          if (i >= outer && i < last)
            {
              column = hypot (column, cabs (x));
              row = hypot (row, cabs (measure_get (type, b, j + n * i)));
            }
        }
      if (j >= outer && j < last)
        uneven = worst_of (uneven, worst_of (row / column, column / row));
    }
  CHECK (error == 0 && below == 0,
         "balanced, %s n=%d: differs by %g, below the blocks %g",
         check_type_name[type], (int) n, error / eps, below);
  CHECK_RATIO (uneven, 4, "norms of rows and columns, %s n=%d",
               check_type_name[type], (int) n);
}

int
main (void)
{
  check_begin ("general_hard");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      test_graded (type);
      for (int64_t pages = 1; pages <= 9; pages += 8)
        {
          for (int64_t n = 2; n <= 12; n += 5)
            if (check_turn (2))
              test_tiny (type, n, pages);
          test_tiny (type, 40, pages);
        }
      test_balance (type, 3, 6);
      test_balance (type, 10, 0);
      test_tiny (type, 150, 1);
      for (int64_t n = 8; n <= 40; n += 8)
        if (check_turn (2))
          test_near_jordan (type, n);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
