/* Claims, for MRRR on the backend under test: residuals and orthogonality pass
   the bars on all matrices of mrrr_matrices.h, random ones and LAPACK's eigenvalue
   distributions, in both precisions; so do those of LAPACK's methods on the CPU;
   eigenvalues agree with bisection in quadruple precision; parts of the spectrum are
   parts of it; bits do not depend on threads or scale; errors are reported; failing
   allocations are survived.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"
#include "mrrr_matrices.h"
#include "mrrr_problem.h"
#include "mrrr/lanes.h"
#include "mrrr/lapack_typed.h"
#include "mrrr/mrrr.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- claims --- */

static int deepest; /* level of a tree */

/* ALLOWED vectors by inverse iteration; -1: any number, and no claims about usual errors.  */
static void
check_answer (problem *p, const char *name, int64_t allowed)
{
  gpueig_info info;
  gpueig_mrrr_problem r = request (p);
  gpueig_status status = solve (p, &r, &info);
  CHECK (status == GPUEIG_OK, "%s, %s n=%d: %s", name, check_type_name[p->type],
         p->n, gpueig_message (ctx));
  if (status != GPUEIG_OK)
    return;
  const int usual = allowed >= 0;
  CHECK_BOTH (residual (p), LIMIT_RESIDUAL, p->n,
              usual ? USUAL_MRRR_RESIDUAL : INFINITY, "residual, %s, %s n=%d",
              name, check_type_name[p->type], p->n);
  CHECK_BOTH (
      orthogonality (p),
      strcmp (options.method, "stemr") == 0 ? LIMIT_STEMR : LIMIT_ORTHOGONALITY,
      p->n, usual ? USUAL_MRRR_ORTHOGONALITY : INFINITY,
      "orthogonality, %s, %s n=%d", name, check_type_name[p->type], p->n);
  CHECK (is_ascending (p), "ascending, %s, %s n=%d", name,
         check_type_name[p->type], p->n);
  for (int i = 0; i < info.n_extra; i++)
    if (strcmp (info.extra[i].name, "fallbacks") == 0 && usual)
      CHECK (info.extra[i].value <= (double) allowed,
             "%g vectors by inverse iteration, %s, %s n=%d",
             info.extra[i].value, name, check_type_name[p->type], p->n);
    else if (strcmp (info.extra[i].name, "depth") == 0)
      deepest
          = info.extra[i].value > deepest ? (int) info.extra[i].value : deepest;
}

/* Compare eigenvalues with and without vectors with the reference.  */
static void
check_values (problem *p, const char *name)
{
  gpueig_mrrr_problem r = request (p);
  double worst = 0, alone = 0;
  double unit = norm1 (p) * p->n * measure_eps (p->type);
  r.v = NULL;
  FREED double *with = check_memory (p->n, sizeof (double));
  memcpy (with, p->lambda, (size_t) p->n * sizeof (double));
  CHECK (gpueig_mrrr (ctx, &r, &options, NULL) == GPUEIG_OK,
         "values of %s, %s n=%d", name, check_type_name[p->type], p->n);
  for (int i = 0; i < p->n; i++)
    {
      double exact = reference (p, i + 1);
      double value = creal (measure_get (p->type, p->tlambda, i));
      worst = worst_of (worst, fabs (with[i] - exact));
      alone = worst_of (alone, fabs (value - exact));
    }
  CHECK_BOTH (unit == 0 ? worst : worst / unit, LIMIT_EIGENVALUES, p->n,
              USUAL_MRRR_EIGENVALUES, "eigenvalues, %s, %s n=%d", name,
              check_type_name[p->type], p->n);
  CHECK_BOTH (unit == 0 ? alone : alone / unit, LIMIT_EIGENVALUES, p->n,
              USUAL_MRRR_EIGENVALUES, "eigenvalues alone, %s, %s n=%d", name,
              check_type_name[p->type], p->n);
}

/* ALLOWED as for check_answer.  */
static void
test_matrices (gpueig_type type, int n, int with_reference, int allowed)
{
  for (int k = 0; k < MRRR_MATRICES; k++)
    {
      CLEANUP (free_problem) problem p = make_problem (type, n);
      mrrr_matrices[k].make (n, p.d, p.e);
      round_problem (&p);
      check_answer (&p, mrrr_matrices[k].name, allowed);
      if (with_reference)
        check_values (&p, mrrr_matrices[k].name);
    }
}

static void
test_dense (gpueig_type type, int n, int mode, double cond)
{
  int64_t square = (int64_t) n * n;
  gpueig_type real = real_type (type);
  FREED double *lambda = check_memory (n, sizeof *lambda);
  FREED double *a = check_memory (square, sizeof *a);
  FREED void *ta = check_memory (square, gpueig_scalar_size (type));
  FREED void *tv = check_memory (square, gpueig_scalar_size (type));
  FREED void *tl = check_memory (n, gpueig_real_size (type));
  distribution (mode, cond, measure_eps (type), n, lambda);
  hide_spectrum (n, lambda, a);
  /* Complex: A -> P A P' with a diagonal matrix P of phases.  */
  for (int64_t k = 0; k < square; k++)
    {
      double steps = gpueig_is_complex (type) ? (double) (k % n - k / n) : 0;
      double _Complex phase = steps == 0 ? 1 : cexp (I * 0.7 * steps);
      measure_set (type, ta, k, a[k] * phase);
    }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++)
      measure_set (type, ta, i + (int64_t) n * j,
                   conj (measure_get (type, ta, j + (int64_t) n * i)));
  gpueig_mrrr_problem r
      = { .type = type, .n = n, .pages = 1, .a = ta, .lambda = tl, .v = tv };
  gpueig_status status = gpueig_mrrr (ctx, &r, &options, NULL);
  CHECK (status == GPUEIG_OK, "distribution %d, %s n=%d: %s", mode,
         check_type_name[type], n, gpueig_message (ctx));
  CHECK_BOTH (measure_residual (type, n, n, ta, tv, tl), LIMIT_RESIDUAL, n,
              USUAL_MRRR_RESIDUAL, "residual, distribution %d cond %g, %s n=%d",
              mode, cond, check_type_name[type], n);
  CHECK_BOTH (measure_orthogonality (type, n, n, tv), LIMIT_ORTHOGONALITY, n,
              USUAL_MRRR_ORTHOGONALITY,
              "orthogonality, distribution %d cond %g, %s n=%d", mode, cond,
              check_type_name[type], n);
  double worst = 0;
  for (int i = 1; i < n; i++)
    worst = worst_of (worst, creal (measure_get (real, tl, i - 1))
                                 - creal (measure_get (real, tl, i)));
  CHECK (worst <= 0, "ascending, distribution %d, %s n=%d", mode,
         check_type_name[type], n);
}

static void
test_distributions (gpueig_type type, int n)
{
  double ulp = measure_eps (type);
  double cond[3] = { 1 / sqrt (ulp), 1 / (n * sqrt (ulp)), 1 / ulp };
  for (int mode = 1; mode <= 9; mode++)
    for (int c = 0; c < (mode <= 5 && ! gpueig_is_complex (type) ? 3 : 1); c++)
      test_dense (type, n, mode, cond[c]);
}

/* Bits: one thread or several, and any power of two as scale.  */
static void
test_bits (gpueig_type type)
{
  static mrrr_matrix *const some[]
      = { one_four_one, wilkinson, uniform, glued_8, splits, graded_down };
  int n = 300, threads = omp_get_max_threads (), top = type ? 900 : 90;
  for (size_t k = 0; k < sizeof some / sizeof some[0]; k++)
    {
      CLEANUP (free_problem)
      problem p = make_problem (type, n), q = make_problem (type, n);
      some[k](n, p.d, p.e);
      round_problem (&p);
      gpueig_mrrr_problem r = request (&p);
      solve (&p, &r, NULL);
      for (int scale = -top; scale <= top; scale += top)
        {
          int same = 1;
          for (int i = 0; i < n; i++)
            {
              q.d[i] = ldexp (p.d[i], scale);
              q.e[i] = ldexp (p.e[i], scale);
            }
          round_problem (&q);
          omp_set_num_threads (scale == 0 ? 1 : threads);
          r = request (&q);
          solve (&q, &r, NULL);
          for (int i = 0; i < n; i++)
            same &= q.lambda[i] == ldexp (p.lambda[i], scale);
          same &= memcmp (p.v, q.v, (size_t) n * (size_t) n * sizeof *p.v) == 0;
          /* Not for graded matrices, for which scaling down underflows.  */
          if (some[k] != graded_down || scale >= 0)
            CHECK (same, "same bits, %s matrix %d scaled by 2^%d",
                   check_type_name[type], (int) k, scale);
        }
      omp_set_num_threads (threads);
    }
}

/* Numbers and intervals: the same eigenvalues as of the whole, orthonormal
   vectors with small residuals.  */
static void
test_parts (gpueig_type type, mrrr_matrix *make, const char *name)
{
  enum
  {
    N = 210
  };
  static const int parts[][2]
      = { { 1, 1 }, { N, N }, { 1, 7 }, { 100, 130 }, { N - 20, N } };
  CLEANUP (free_problem) problem p = make_problem (type, N);
  double whole[N];
  make (N, p.d, p.e);
  round_problem (&p);
  double unit = norm1 (&p) * N * measure_eps (type);
  gpueig_mrrr_problem r = request (&p);
  solve (&p, &r, NULL);
  memcpy (whole, p.lambda, sizeof whole);
  for (int k = 0; k < 5; k++)
    {
      double worst = 0;
      int first = parts[k][0], last = parts[k][1];
      r.select = GPUEIG_SELECT_INDEX;
      r.first = first;
      r.last = last;
      p.columns = last - first + 1;
      CHECK (solve (&p, &r, NULL) == GPUEIG_OK, "part %d:%d of %s: %s", first,
             last, name, gpueig_message (ctx));
      for (int i = 0; i < p.columns; i++)
        worst = worst_of (worst, fabs (p.lambda[i] - whole[first - 1 + i]));
      CHECK_RATIO (worst / unit, LIMIT_EIGENVALUES, "part %d:%d of %s, %s",
                   first, last, name, check_type_name[type]);
      CHECK_RATIO (residual (&p), LIMIT_RESIDUAL, "residual, part %d:%d of %s",
                   first, last, name);
      CHECK_RATIO (orthogonality (&p), LIMIT_ORTHOGONALITY,
                   "orthogonality, part %d:%d of %s", first, last, name);
    }
  /* Between eigenvalues that are apart.  */
  int a = 40, b = 160;
  while (a > 1 && whole[a] - whole[a - 1] < 100 * unit)
    a--;
  while (b < N && whole[b] - whole[b - 1] < 100 * unit)
    b++;
  int64_t found = -1;
  r.select = GPUEIG_SELECT_INTERVAL;
  r.vl = (whole[a] + whole[a - 1]) / 2;
  r.vu = b < N ? (whole[b] + whole[b - 1]) / 2 : INFINITY;
  r.found = &found;
  CHECK (gpueig_mrrr (ctx, &r, &options, NULL) == GPUEIG_OK && found == b - a,
         "interval of %s, %s: %d found, %d wanted", name, check_type_name[type],
         (int) found, b - a);
  r.vl = 4 * norm1 (&p);
  r.vu = INFINITY;
  CHECK (gpueig_mrrr (ctx, &r, &options, NULL) == GPUEIG_OK && found == 0,
         "an interval without eigenvalues, %s", name);
}

/* The driver with all vectors by inverse iteration, which the solver uses for single
   vectors only.  */
static void
solve_by_inverse_iteration (problem *p)
{
  ge_mrrr m = { .ctx = ctx,
                .ops = &ge_mrrr_lanes,
                .n = p->n,
                .is_double = p->type == GPUEIG_DOUBLE,
                .d = p->d,
                .e = p->e,
                .il = 1,
                .iu = p->n,
                .vectors = 1,
                .inverse = 1,
                .v = p->tv,
                .lambda = p->lambda };
  const int mark = ge_mark (ctx);
  const gpueig_status status = ge_mrrr_solve (&m);
  CHECK (status == GPUEIG_OK, "inverse iteration: %s", gpueig_message (ctx));
  for (int64_t i = 0; i < (int64_t) p->n * p->n; i++)
    p->v[i] = creal (measure_get (p->type, p->tv, i));
  ge_release (ctx, mark);
}

static void
check_inverse_iteration (problem *p, const char *name)
{
  solve_by_inverse_iteration (p);
  CHECK_RATIO (residual (p), LIMIT_RESIDUAL,
               "residual by inverse iteration, %s, %s n=%d", name,
               check_type_name[p->type], p->n);
  CHECK_RATIO (orthogonality (p), LIMIT_ORTHOGONALITY,
               "orthogonality by inverse iteration, %s, %s n=%d", name,
               check_type_name[p->type], p->n);
}

/* A random reflection, whose eigenvalues are all 1 or -1: every vector is found, also
   where the complement of the known ones has a small dimension.  */
static void
make_reflection (problem *p, uint64_t seed)
{
  const int n = p->n;
  measure_random r = { seed };
  FREED double *a = check_memory ((int64_t) n * n, sizeof *a),
               *u = check_memory (n, sizeof *u);
  void *work, *tau;
  const int mark = ge_mark (ctx);
  for (int i = 0; i < n; i++)
    a[i + n * i] = 1;
  for (int k = 0; k < n / 2; k++)
    {
      /* Reflect a vector of the eigenspace of 1: u = (A + I) x, A -= 2 u u'.  */
      double *x = check_memory (n, sizeof *x), square = 0;
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
      free (x);
    }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++)
      a[j + n * i] = a[i + n * j];
  CHECK (ge_mrrr_reduce_d (ctx, n, a, &work, &tau, p->d, p->e) == GPUEIG_OK,
         "reduction of a reflection");
  ge_release (ctx, mark);
}

static void
test_inverse_iteration (gpueig_type type)
{
  static mrrr_matrix *const some[] = {
    one_four_one, wilkinson, glued_8, splits, identity, near_identity_10
  };
  for (size_t k = 0; k < sizeof some / sizeof some[0]; k++)
    {
      problem p = make_problem (type, 120);
      some[k](p.n, p.d, p.e);
      round_problem (&p);
      check_inverse_iteration (&p, "a matrix of the list");
      free_problem (&p);
    }
  for (uint64_t seed = 1; seed <= 8 && type == GPUEIG_DOUBLE; seed++)
    {
      problem p = make_problem (type, 120 + (int) (seed * 37 % 60));
      make_reflection (&p, seed);
      round_problem (&p);
      check_inverse_iteration (&p, "a reflection");
      free_problem (&p);
    }
}

/* Numbers FIRST to LAST, and those in an interval around them.  */
static void
check_parts (gpueig_type type, int n, int kind, int first, int last)
{
  int64_t found = -1;
  CLEANUP (free_problem) problem p = make_problem (type, n);
  mrrr_matrices[kind].make (n, p.d, p.e);
  round_problem (&p);
  const double unit
      = norm1 (&p) * n * measure_eps (type) + measure_eps (type) * 1e-30;
  gpueig_mrrr_problem r = request (&p);
  char name[120];
  snprintf (name, sizeof name, "%s, %s, %s n=%d, %d to %d", options.method,
            mrrr_matrices[kind].name, check_type_name[type], n, first, last);
  r.select = GPUEIG_SELECT_INDEX;
  r.first = first;
  r.last = last;
  p.columns = last - first + 1;
  CHECK (solve (&p, &r, NULL) == GPUEIG_OK, "%s: %s", name,
         gpueig_message (ctx));
  double worst = 0;
  for (int i = 0; i < p.columns; i++)
    worst = fmax (worst, fabs (p.lambda[i] - reference (&p, first + i)));
  CHECK_RATIO (worst / unit, LIMIT_EIGENVALUES, "by number, %s", name);
  CHECK_RATIO (residual (&p), LIMIT_RESIDUAL, "residual, %s", name);

  const double low = p.lambda[0], high = p.lambda[p.columns - 1];
  r.select = GPUEIG_SELECT_INTERVAL;
  r.vl = low - 20 * unit;
  r.vu = high + 20 * unit;
  r.found = &found;
  p.columns = n;
  CHECK (solve (&p, &r, NULL) == GPUEIG_OK, "%s: %s", name,
         gpueig_message (ctx));
  int inside = found >= last - first + 1;
  for (int i = 0; i < found; i++)
    inside &= p.lambda[i] > r.vl - 10 * unit && p.lambda[i] <= r.vu + 10 * unit;
  CHECK (inside, "%d in the interval, %s", (int) found, name);
}

/* LAPACK's methods, on the CPU, also where xSTEMR itself fails.  */
static void
test_lapack (const char *method)
{
  static const int orders[] = { 1, 2, 3, 5, 33, 120 };
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
  CLEANUP (free_problem) problem p = make_problem (GPUEIG_DOUBLE, 2);
  p.d[0] = -3;
  p.d[1] = 1;
  p.e[0] = 0.5;
  round_problem (&p);
  gpueig_mrrr_problem r = request (&p);
  r.select = GPUEIG_SELECT_INDEX;
  r.first = r.last = 1;
  p.columns = 1;
  CHECK (solve (&p, &r, NULL) == GPUEIG_OK
             && fabs (p.lambda[0] + 3.0616) < 1e-3,
         "the smaller one of -3.06 and 1.06 is %g", p.lambda[0]);
  options = before;
}

/* Some need several levels of the tree and inverse iteration.  */
static void
test_random_structures (void)
{
  for (int k = 0; k < 2500; k++)
    {
      const int n
          = 1 + (int) (measure_chance (&die) * measure_chance (&die) * 200);
      CLEANUP (free_problem)
      problem p = make_problem (k % 4 ? GPUEIG_DOUBLE : GPUEIG_FLOAT, n);
      random_structure (n, p.d, p.e);
      round_problem (&p);
      check_answer (&p, "random structure", -1);
    }
  CHECK (deepest >= 2, "some trees have %d levels", deepest);
}

static void
test_errors (void)
{
  double d[3] = { 1, 2, 3 }, e[2] = { 1, 1 }, lambda[3], v[9];
  gpueig_mrrr_problem r = { .type = GPUEIG_DOUBLE,
                            .n = 3,
                            .pages = 1,
                            .d = d,
                            .e = e,
                            .lambda = lambda,
                            .v = v };
#define GIVES(status) (gpueig_mrrr (ctx, &r, &options, NULL) == (status))
  CHECK (GIVES (GPUEIG_OK), "a good problem");
  e[1] = NAN;
  CHECK (GIVES (GPUEIG_NONFINITE), "NaN in e: %s", gpueig_message (ctx));
  e[1] = 1;
  d[0] = -INFINITY;
  CHECK (GIVES (GPUEIG_NONFINITE), "Inf in d: %s", gpueig_message (ctx));
  d[0] = 1;
  r.type = GPUEIG_COMPLEX_DOUBLE;
  CHECK (GIVES (GPUEIG_BAD_ARGUMENT), "a complex tridiagonal matrix");
  r.type = GPUEIG_DOUBLE;
  r.select = GPUEIG_SELECT_INDEX;
  for (int k = 0; k < 4; k++)
    {
      static const int bad[4][2] = { { 0, 1 }, { 2, 1 }, { 1, 4 }, { 4, 4 } };
      r.first = bad[k][0];
      r.last = bad[k][1];
      CHECK (GIVES (GPUEIG_BAD_OPTION), "numbers %d:%d", bad[k][0], bad[k][1]);
    }
  r.select = GPUEIG_SELECT_INTERVAL;
  r.vl = 2;
  r.vu = 2;
  CHECK (GIVES (GPUEIG_BAD_OPTION), "an empty interval");
  r.vu = NAN;
  CHECK (GIVES (GPUEIG_BAD_OPTION), "NaN as an end");
  r.select = GPUEIG_SELECT_ALL;
  r.d = NULL;
  CHECK (GIVES (GPUEIG_BAD_ARGUMENT), "no d");
  r.n = 0;
  CHECK (GIVES (GPUEIG_OK), "order 0");
}

/* Every allocation of a call fails once; the call after it is right.  */
static void
test_failing_allocations (void)
{
  CLEANUP (free_problem) problem p = make_problem (GPUEIG_DOUBLE, 60);
  glued_8 (p.n, p.d, p.e);
  round_problem (&p);
  gpueig_mrrr_problem r = request (&p);
  CHECK_FAILING_ALLOCATIONS (gpueig_mrrr (ctx, &r, &options, NULL),
                             "failing allocations: %s", gpueig_message (ctx));
  check_answer (&p, "the call after", 0);
}

/* Where a GPU has no memory for the representations of a level, another method solves.  */
static void
test_level_memory (void)
{
  CLEANUP (free_problem) problem p = make_problem (GPUEIG_DOUBLE, 60);
  const gpueig_options before = options;
  int survived = 0;
  glued_8 (p.n, p.d, p.e);
  round_problem (&p);
  const gpueig_mrrr_problem r = request (&p);
  options.method = "mrrr";
  gpueig_fail_allocation (ctx, 0);
  solve (&p, &r, NULL);
  for (int64_t k = gpueig_fail_allocation (ctx, 0); k > 0; k--)
    {
      gpueig_info info;
      gpueig_fail_allocation (ctx, k);
      const gpueig_status status = solve (&p, &r, &info);
      gpueig_fail_allocation (ctx, 0);
      if (status != GPUEIG_OK || ! info.fallback[0])
        continue;
      survived++;
      CHECK_RATIO (residual (&p), LIMIT_RESIDUAL, "residual by %s",
                   info.fallback);
      CHECK_RATIO (orthogonality (&p), LIMIT_ORTHOGONALITY,
                   "orthogonality by %s", info.fallback);
    }
  CHECK (survived > 0, "no memory for a level: %d calls go on", survived);
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
      test_distributions (type, 40);
      test_distributions (type, 130);
      test_distributions ((gpueig_type) (t + 2), 50);
      test_bits (type);
      test_parts (type, one_four_one, "(1,4,1)");
      test_parts (type, wilkinson, "Wilkinson");
      test_parts (type, glued_8, "glued Wilkinson");
      test_parts (type, splits, "splits");
      test_inverse_iteration (type);
    }
  const int all = options.backend == GPUEIG_CUDA || getenv ("GPUEIG_TEST_LONG");
  test_matrices (all ? GPUEIG_DOUBLE : GPUEIG_FLOAT, 1050, 0, 0);
  if (all)
    test_matrices (GPUEIG_FLOAT, 1050, 0, 0);
  for (int k = 0; k < MRRR_MATRICES; k++)
    if (k % 3 == 2 && (all || k < 9))
      {
        CLEANUP (free_problem) problem p = make_problem (GPUEIG_DOUBLE, 2000);
        mrrr_matrices[k].make (p.n, p.d, p.e);
        round_problem (&p);
        check_answer (&p, mrrr_matrices[k].name, 0);
      }
  test_random_structures ();
  test_lapack ("stemr");
  test_lapack ("stevd");
  test_errors ();
  test_failing_allocations ();
  if (options.backend == GPUEIG_CUDA)
    test_level_memory ();
  gpueig_destroy (ctx);
  return check_end ();
}
