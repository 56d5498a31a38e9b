/* Claims, for MRRR on the backend under test: residuals and orthogonality pass
   the bars on all matrices of tridiagonal_matrices.h and random ones, in both precisions; so
   do those of LAPACK's methods on the CPU; eigenvalues agree with bisection in quadruple
   precision, those of parts of the spectrum too; errors are reported.  Dense matrices and
   scales: test_accuracy.c; threads: test_threads.c; failing allocations: test_small.c.
   GPUEIG_TEST_LONG: all matrices of order 1050.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr_matrices.h"
#include "quad.h"
#include "solvers.h"
#include "mrrr/lanes.h"
#include "mrrr/lapack_typed.h"
#include "mrrr/mrrr.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

/* --- a tridiagonal problem --- */

static any_problem
begin_with (gpueig_type type, int n, const double *d, const double *e)
{
  any_problem p = make_problem (&solvers[SOLVE_MRRR], type, n, 1, 2);
  fill_tridiagonal (&p, 0, d, e);
  take_diagonals (&p);
  return p;
}

static any_problem
begin (gpueig_type type, int n, tridiagonal_matrix *make)
{
  FREED double *d = check_memory (n, sizeof *d),
               *e = check_memory (n, sizeof *e);
  make (n, d, e);
  return begin_with (type, n, d, e);
}

static double
get (const any_problem *p, const char *x, int64_t i)
{
  return creal (measure_get (p->type, x, i));
}

static double
norm1 (const any_problem *p)
{
  return measure_norm (p->type, p->n, p->n, p->a);
}

/* --- reference: bisection by Sturm counts in quadruple precision --- */

static int
count_below (const any_problem *p, quad x)
{
  quad q = 1;
  int count = 0;
  for (int i = 0; i < p->n; i++)
    {
      quad b = i > 0 ? get (p, p->e, i - 1) : 0;
      q = get (p, p->d, i) - x - (b != 0 ? b * b / q : 0);
      if (q == 0)
        q = -(quad) 1e-300 * (quad) 1e-300;
      count += q < 0;
    }
  return count;
}

static double
reference (const any_problem *p, int index)
{
  quad hi = 2 * norm1 (p), lo = -hi;
  for (int step = 0; step < 110; step++)
    {
      quad mid = (lo + hi) / 2;
      if (count_below (p, mid) >= index)
        hi = mid;
      else
        lo = mid;
    }
  return (double) ((lo + hi) / 2);
}

/* --- claims --- */

static int deepest; /* level of a tree */

/* ALLOWED vectors by inverse iteration; -1: any number, and no claims about usual errors.  */
static void
check_answer (any_problem *p, const char *name, int allowed)
{
  if (! check_solve (ctx, p, &options, NULL, "%s", name))
    return;
  check_errors (p, allowed >= 0 ? USUAL_MRRR : USUAL_NONE);
  for (int i = 0; i < p->info.n_extra; i++)
    {
      const double value = p->info.extra[i].value;
      if (strcmp (p->info.extra[i].name, "fallbacks") == 0 && allowed >= 0)
        CHECK (value <= allowed, "%g vectors by inverse iteration, %s", value,
               p->what);
      else if (strcmp (p->info.extra[i].name, "depth") == 0)
        deepest = value > deepest ? (int) value : deepest;
    }
}

/* Compare eigenvalues with and without vectors with the reference.  */
static void
check_values (const any_problem *p)
{
  any_problem alone = *p;
  FREED char *lambda = check_array (p->type, p->n);
  const double unit = norm1 (p) * (double) p->n * measure_eps (p->type);
  double worst = 0, worst_alone = 0;
  alone.v = NULL;
  alone.lambda = lambda;
  check_solve (ctx, &alone, &options, NULL, "values");
  for (int i = 0; i < p->n; i++)
    {
      const double exact = reference (p, i + 1);
      worst = worst_of (worst, fabs (get (p, p->lambda, i) - exact));
      worst_alone = worst_of (worst_alone, fabs (get (p, lambda, i) - exact));
    }
  CHECK_BOTH (unit == 0 ? worst : worst / unit, LIMIT_EIGENVALUES, p->n,
              USUAL_MRRR.values, "eigenvalues, %s", p->what);
  CHECK_BOTH (unit == 0 ? worst_alone : worst_alone / unit, LIMIT_EIGENVALUES,
              p->n, USUAL_MRRR.values, "eigenvalues alone, %s", p->what);
}

/* ALLOWED as for check_answer.  */
static void
test_matrix (gpueig_type type, int n, int k, int with_reference, int allowed)
{
  CLEANUP (free_problem) any_problem p = begin (type, n, tridiagonals[k].make);
  check_answer (&p, tridiagonals[k].name, allowed);
  if (with_reference)
    check_values (&p);
}

static void
test_matrices (gpueig_type type, int n, int with_reference, int allowed)
{
  for (int k = 0; k < MRRR_MATRICES; k++)
    test_matrix (type, n, k, with_reference, allowed);
}

/* The driver with all vectors by inverse iteration, which the solver uses for single
   vectors only.  */
static void
check_inverse_iteration (any_problem *p, const char *name)
{
  const int n = (int) p->n, mark = ge_mark (ctx);
  FREED double *d = check_memory (3 * n, sizeof *d);
  double *const e = d + n, *const lambda = e + n;
  for (int i = 0; i < n; i++)
    {
      d[i] = get (p, p->d, i);
      e[i] = get (p, p->e, i);
    }
  ge_mrrr m = { .ctx = ctx,
                .ops = &ge_mrrr_lanes,
                .n = n,
                .is_double = p->type == GPUEIG_DOUBLE,
                .d = d,
                .e = e,
                .il = 1,
                .iu = n,
                .vectors = 1,
                .inverse = 1,
                .v = p->v,
                .lambda = lambda };
  CHECK (ge_mrrr_solve (&m) == GPUEIG_OK, "inverse iteration: %s",
         gpueig_message (ctx));
  ge_release (ctx, mark);
  for (int i = 0; i < n; i++)
    measure_set (p->type, p->lambda, i, lambda[i]);
  CHECK_RATIO (measure_residual (p->type, n, n, p->a, p->v, p->lambda),
               LIMIT_RESIDUAL, "residual by inverse iteration, %s, n=%d", name,
               n);
  CHECK_RATIO (measure_orthogonality (p->type, n, n, p->v), LIMIT_ORTHOGONALITY,
               "orthogonality by inverse iteration, %s, n=%d", name, n);
}

/* A random reflection, whose eigenvalues are all 1 or -1: every vector is found, also
   where the complement of the known ones has a small dimension.  */
static any_problem
begin_reflection (int n, uint64_t seed)
{
  measure_random r = { seed };
  FREED double *a
      = check_memory ((int64_t) n * n, sizeof *a),
      *u = check_memory (n, sizeof *u), *x = check_memory (n, sizeof *x),
      *d = check_memory (n, sizeof *d), *e = check_memory (n, sizeof *e);
  void *work, *tau;
  const int mark = ge_mark (ctx);
  for (int i = 0; i < n; i++)
    a[i + n * i] = 1;
  for (int k = 0; k < n / 2; k++)
    {
      /* Reflect a vector of the eigenspace of 1: u = (A + I) x, A -= 2 u u'.  */
      double square = 0;
      for (int i = 0; i < n; i++)
        x[i] = measure_normal (&r);
      for (int j = 0; j < n; j++)
        {
          u[j] = x[j];
          for (int i = 0; i < n; i++)
            u[j] += a[j + n * i] * x[i];
          square += u[j] * u[j];
        }
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
          a[i + n * j] -= 2 * u[i] * u[j] / square;
    }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++)
      a[j + n * i] = a[i + n * j];
  CHECK (ge_mrrr_reduce_d (ctx, n, a, &work, &tau, d, e) == GPUEIG_OK,
         "reduction of a reflection");
  ge_release (ctx, mark);
  return begin_with (GPUEIG_DOUBLE, n, d, e);
}

static void
test_inverse_iteration (gpueig_type type)
{
  static tridiagonal_matrix *const some[] = { one_four_one, wilkinson,
                                              glued_8,      splits,
                                              identity,     near_identity_10 };
  for (size_t k = 0; k < sizeof some / sizeof some[0]; k++)
    {
      CLEANUP (free_problem) any_problem p = begin (type, 120, some[k]);
      check_inverse_iteration (&p, "a matrix of the list");
    }
  for (uint64_t seed = 1; seed <= 8 && type == GPUEIG_DOUBLE; seed++)
    {
      CLEANUP (free_problem)
      any_problem p = begin_reflection (120 + (int) (seed * 37 % 60), seed);
      check_inverse_iteration (&p, "a reflection");
    }
}

/* Numbers FIRST to LAST, and those in an interval around them.  */
static void
check_parts (gpueig_type type, int n, int kind, int first, int last)
{
  int64_t found = -1;
  double worst = 0;
  CLEANUP (free_problem)
  any_problem p = begin (type, n, tridiagonals[kind].make);
  const double unit
      = norm1 (&p) * n * measure_eps (type) + measure_eps (type) * 1e-30;
  p.first = first;
  p.last = last;
  p.found = &found;
  check_solve (ctx, &p, &options, NULL, "%s, %d to %d", tridiagonals[kind].name,
               first, last);
  for (int i = first; i <= last; i++)
    worst = worst_of (worst,
                      fabs (get (&p, p.lambda, i - first) - reference (&p, i)));
  CHECK_RATIO (worst / unit, LIMIT_EIGENVALUES, "by number, %s", p.what);
  CHECK_RATIO (measure_residual (type, n, last - first + 1, p.a, p.v, p.lambda),
               LIMIT_RESIDUAL, "residual, %s", p.what);
  p.vl = get (&p, p.lambda, 0) - 20 * unit;
  p.vu = last < n ? get (&p, p.lambda, last - first) + 20 * unit : INFINITY;
  p.first = p.last = 0;
  check_solve (ctx, &p, &options, NULL, "%s, in an interval",
               tridiagonals[kind].name);
  int inside = found >= last - first + 1;
  for (int i = 0; i < found; i++)
    inside &= get (&p, p.lambda, i) > p.vl - 10 * unit
              && get (&p, p.lambda, i) <= p.vu + 10 * unit;
  CHECK (inside, "%d in the interval, %s", (int) found, p.what);
}

/* LAPACK's methods, on the CPU, also where xSTEMR itself fails.  */
static void
test_lapack (const char *method)
{
  static const int orders[] = { 1, 2, 3, 5, 33, 120 };
  static const double d[] = { -3, 1 }, e[] = { 0.5, 0 };
  const gpueig_options before = options;
  options.backend = GPUEIG_CPU;
  options.method = method;
  for (int t = 0; t < 2; t++)
    {
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        test_matrices ((gpueig_type) t, orders[i], 0, -1);
      for (int k = 0; k < MRRR_MATRICES; k++)
        {
          check_parts ((gpueig_type) t, 2, k, 1, 1);
          check_parts ((gpueig_type) t, 2, k, 2, 2);
          check_parts ((gpueig_type) t, 12, k, 3, 7);
        }
    }
  /* Order 2 by modulus would be 1.06, -3.06.  */
  CLEANUP (free_problem) any_problem p = begin_with (GPUEIG_DOUBLE, 2, d, e);
  p.first = p.last = 1;
  check_solve (ctx, &p, &options, NULL, "the smaller one of -3.06 and 1.06");
  CHECK (fabs (get (&p, p.lambda, 0) + 3.0616) < 1e-3, "%s is %g", p.what,
         get (&p, p.lambda, 0));
  options = before;
}

/* Some need several levels of the tree and inverse iteration.  */
static void
test_random_structures (void)
{
  const int count = getenv ("GPUEIG_TEST_LONG") ? 5000 : 2500;
  const gpueig_options before = options;
  if (options.backend == GPUEIG_CUDA)
    options.method = "mrrr";
  for (int k = 0; k < count; k++)
    {
      const int n
          = 1 + (int) (measure_chance (&die) * measure_chance (&die) * 200);
      CLEANUP (free_problem)
      any_problem p
          = begin (k % 4 ? GPUEIG_DOUBLE : GPUEIG_FLOAT, n, random_structure);
      check_answer (&p, "random structure", -1);
    }
  CHECK (deepest >= 2, "some trees have %d levels", deepest);
  options = before;
}

/* Others: test_small.c.  */
static void
test_errors (void)
{
  static const int bad[4][2] = { { 0, 1 }, { 2, 1 }, { 1, 4 }, { 4, 4 } };
  double d[3] = { 1, 2, 3 }, e[2] = { 1, 1 }, lambda[3], v[9];
  gpueig_mrrr_problem r = { .type = GPUEIG_COMPLEX_DOUBLE,
                            .n = 3,
                            .pages = 1,
                            .d = d,
                            .e = e,
                            .lambda = lambda,
                            .v = v };
#define GIVES(status) (gpueig_mrrr (ctx, &r, &options, NULL) == (status))
  CHECK (GIVES (GPUEIG_BAD_ARGUMENT), "a complex tridiagonal matrix");
  r.type = GPUEIG_DOUBLE;
  e[1] = NAN;
  CHECK (GIVES (GPUEIG_NONFINITE), "NaN in e: %s", gpueig_message (ctx));
  e[1] = 1;
  d[0] = -INFINITY;
  CHECK (GIVES (GPUEIG_NONFINITE), "Inf in d: %s", gpueig_message (ctx));
  d[0] = 1;
  r.select = GPUEIG_SELECT_INDEX;
  for (int k = 0; k < 4; k++)
    {
      r.first = bad[k][0];
      r.last = bad[k][1];
      CHECK (GIVES (GPUEIG_BAD_OPTION), "numbers %d:%d", bad[k][0], bad[k][1]);
    }
  r.select = GPUEIG_SELECT_INTERVAL;
  r.vl = r.vu = 2;
  CHECK (GIVES (GPUEIG_BAD_OPTION), "an empty interval");
  r.vu = NAN;
  CHECK (GIVES (GPUEIG_BAD_OPTION), "NaN as an end");
  r.select = GPUEIG_SELECT_ALL;
  r.d = NULL;
  CHECK (GIVES (GPUEIG_BAD_ARGUMENT), "no d");
}

/* Where a GPU has no memory for the representations of a level, another method solves.  */
static void
test_level_memory (void)
{
  CLEANUP (free_problem) any_problem p = begin (GPUEIG_DOUBLE, 60, glued_8);
  const gpueig_options before = options;
  int survived = 0;
  options.method = "mrrr";
  gpueig_fail_allocation (ctx, 0);
  check_solve (ctx, &p, &options, NULL, "memory for all levels");
  for (int64_t k = gpueig_fail_allocation (ctx, 0); k > 0; k--)
    {
      gpueig_fail_allocation (ctx, k);
      const gpueig_status status = solve_problem (ctx, &p, &options, &p.info);
      gpueig_fail_allocation (ctx, 0);
      if (status != GPUEIG_OK || ! p.info.fallback[0])
        continue;
      survived++;
      check_errors (&p, USUAL_NONE);
    }
  CHECK (survived > 0, "no memory for a level: %d calls go on", survived);
  check_answer (&p, "the call after", 0);
  options = before;
}

int
main (void)
{
  static const int orders[] = { 1, 2, 3, 4, 5, 20, 33, 64 };
  check_begin ("mrrr");
  ctx = check_context (&options);
  for (int t = 0; t < 2; t++)
    {
      gpueig_type type = (gpueig_type) t;
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        test_matrices (type, orders[i], orders[i] <= 33, 0);
      test_matrices (type, 301, 0, 0);
      for (int k = 0; k < MRRR_MATRICES; k += 4)
        {
          check_parts (type, 64, k, 1, 1);
          check_parts (type, 210, k, 100, 130);
          check_parts (type, 210, k, 190, 210);
        }
      test_inverse_iteration (type);
    }
  const int all = options.backend == GPUEIG_CUDA || getenv ("GPUEIG_TEST_LONG");
  for (int k = 0; k < MRRR_MATRICES; k++)
    {
      for (int t = 0; t < 2; t++)
        if (all || k % 10 == 5 * t)
          test_matrix ((gpueig_type) t, 1050, k, 0, 0);
      if (k % 3 == 2 && (all || k < 3))
        test_matrix (GPUEIG_DOUBLE, 2000, k, 0, 0);
    }
  test_random_structures ();
  test_lapack ("stemr");
  test_lapack ("stevd");
  test_errors ();
  if (options.backend == GPUEIG_CUDA)
    test_level_memory ();
  gpueig_destroy (ctx);
  return check_end ();
}
