/* Claims, for two-sided Jacobi on the backend under test: D R D with D over six decades, which
   have pairs of eigenvalues too close for first order and too many for one window, are solved;
   good and bad guesses are; options have the documented effect; errors are reported.  All
   methods at all orders: test_accuracy.c; high accuracy: test_jacobi_high.c; pairs:
   test_jacobi_pairs.c; interrupts and failing allocations: test_polls.c, test_small.c.
   GPUEIG_TEST_LONG: some hundred D R D of each type and order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages)
{
  return make_problem (&solvers[SOLVE_JACOBI], type, n, pages, 2);
}

/* Solve by METHOD and check all limits, with eigenvalues by LAPACK.  */
static void
solve (any_problem *p, const char *method, const char *what)
{
  if (! check_solve (ctx, p, &options, method, "%s", what))
    return;
  CHECK (p->info.converged, "converged, %s", p->what);
  check_errors (p, USUAL_JACOBI);
  check_reference (ctx, p, USUAL_JACOBI);
  check_alone (ctx, p, &options, USUAL_JACOBI, 0);
}

/* D R D with random Hermitian R and D = diag (10^(-DECADES u)), u random in (0, 1).  */
static void
test_scaled (gpueig_type type, int64_t n, double decades, int64_t pages)
{
  measure_random r = { (uint64_t) (1000 * n + type) };
  CLEANUP (free_problem) any_problem p = begin (type, n, pages);
  FREED double *d = check_array (GPUEIG_DOUBLE, n);
  for (int64_t page = 0; page < pages; page++)
    {
      char *a = a_page (&p, page);
      measure_random_symmetric (&r, type, n, a);
      for (int64_t i = 0; i < n; i++)
        d[i] = pow (10, -decades * measure_chance (&r));
      for (int64_t k = 0; k < n * n; k++)
        measure_set (type, a, k,
                     measure_get (type, a, k) * (d[k % n] * d[k / n]));
    }
  check_solve (ctx, &p, &options, "preconditioned", "D R D over %g decades",
               decades);
  CHECK (p.info.converged, "converged, %s", p.what);
  check_errors (&p, USUAL_NONE);
}

/* --- guesses --- */

/* On the CPU "auto" uses the eigenvectors of P as a guess for A + off (A) where a step or two
   are enough; from a worse one it computes vectors, which need no step.  */
static void
test_close_guess (const any_problem *p)
{
  measure_random r = { 37 };
  const int64_t n = p->n;
  const double unit = sqrt (measure_eps (p->type));
  static const double shares[] = { 0, 0.05, 0.07, 10, 1000 };
  FREED char *off = check_array (p->type, n * n);
  measure_random_symmetric (&r, p->type, n, off);
  const double size
      = measure_norm (p->type, n, n, p->a) / measure_norm (p->type, n, n, off);
  for (int k = 0; k < 5 && options.backend == GPUEIG_CPU; k++)
    {
      CLEANUP (free_problem) any_problem q = begin (p->type, n, 1);
      q.guess = check_array (p->type, n * n);
      memcpy (q.guess, p->v, (size_t) (n * n) * gpueig_scalar_size (p->type));
      for (int64_t i = 0; i < n * n; i++)
        measure_set (p->type, q.a, i,
                     measure_get (p->type, p->a, i)
                         + shares[k] * unit * size
                               * measure_get (p->type, off, i));
      check_solve (ctx, &q, &options, NULL, "a guess %g off", shares[k] * unit);
      const int close = k > 0 && k < 3;
      CHECK (q.info.sweeps >= close && q.info.sweeps <= 2 * close,
             "%d steps, %s", (int) q.info.sweeps, q.what);
    }
}

/* P with the guess F * p->v.  */
static void
set_guess (any_problem *p, double f)
{
  for (int64_t i = 0; i < p->n * p->n; i++)
    measure_set (p->type, p->guess, i, f * measure_get (p->type, p->v, i));
}

static any_problem
begin_guess (gpueig_type type, int64_t n, measure_random *r)
{
  any_problem p = begin (type, n, 1);
  fill_symmetric (&p, r);
  if (solve_problem (ctx, &p, &options, NULL) != GPUEIG_OK)
    exit (2);
  p.guess = check_array (type, n * n);
  return p;
}

static void
test_guess (gpueig_type type, int64_t n)
{
  measure_random r = { 32 };
  const int64_t square = n * n;
  CLEANUP (free_problem)
  any_problem p = begin_guess (type, n, &r), q = begin_guess (type, n, &r);
  for (int64_t i = 0; i < square; i++)
    measure_set (type, q.a, i,
                 measure_get (type, p.a, i)
                     + 1e-3 * measure_get (type, q.a, i));
  set_guess (&p, 1);
  memcpy (q.guess, p.guess, (size_t) square * gpueig_scalar_size (type));
  solve (&p, "auto", "guess: the eigenvectors");
  if (n > 64)
    test_close_guess (&p);
  /* "auto" may take "block", which does not read the guess.  */
  solve (&q, "preconditioned", "guess: of a nearby matrix");
  CHECK (q.info.sweeps < 5, "a nearby guess needs few steps: %d, %s",
         (int) q.info.sweeps, q.what);
  set_guess (&p, 100);
  memcpy (q.guess, p.guess, (size_t) square * gpueig_scalar_size (type));
  solve (&q, "auto", "guess: not normalized");
  for (int64_t i = 0; i < square; i++)
    measure_set (type, p.guess, i, measure_normal (&r));
  solve (&p, "auto", "guess: random, full rank");
  for (int64_t i = 0; i < square; i++)
    measure_set (type, p.guess, i, i == 0);
  solve (&p, "auto", "guess: singular");
  measure_set (type, p.guess, 0, 0);
  solve (&p, "auto", "guess: zero");
  for (int64_t i = 0; i < n; i++)
    measure_set (type, p.guess, i * (n + 1), 1);
  solve (&p, "auto", "guess: the identity");
}

/* Eigenvectors with errors of every size, of which the smallest are accepted: general
   ones, of a rotation of two columns, and of the length.  */
static void
test_guess_errors (gpueig_type type, int64_t n)
{
  measure_random r = { 35 };
  CLEANUP (free_problem) any_problem p = begin_guess (type, n, &r);
  FREED char *v = check_array (type, n * n);
  memcpy (v, p.v, (size_t) (n * n) * gpueig_scalar_size (type));
  for (int k = 0; k < (gpueig_is_double (type) ? 36 : 18); k++)
    {
      char what[60];
      const double size = pow (10, -0.5 * (k + fabs (measure_uniform (&r))));
      const int64_t a = k % (n - 1), b = a + 1 + k % (n - 1 - a);
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, p.guess, i,
                     measure_get (type, v, i)
                         + size * measure_normal (&r) / (double) n);
      snprintf (what, sizeof what, "guess: errors of %.1e", size);
      solve (&p, "preconditioned", what);
      for (int64_t i = 0; i < n * n; i++)
        {
          const double _Complex x = measure_get (type, v, i % n + a * n);
          const double _Complex y = measure_get (type, v, i % n + b * n);
          measure_set (type, p.guess, i,
                       i / n == a   ? x * cos (size) + y * sin (size)
                       : i / n == b ? y * cos (size) - x * sin (size)
                                    : measure_get (type, v, i));
        }
      snprintf (what, sizeof what, "guess: one angle of %.1e", size);
      solve (&p, "preconditioned", what);
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, p.guess, i, (1 + size) * measure_get (type, v, i));
      snprintf (what, sizeof what, "guess: longer by %.1e", size);
      solve (&p, "preconditioned", what);
    }
}

/* --- limits and progress --- */

static int lines;

static void
report (void *data, const char *line)
{
  (void) data;
  lines += strncmp (line, "jacobi", 6) == 0;
}

/* From the identity, which the own approximate vectors of "preconditioned" would beat.  */
static void
test_control (const char *method)
{
  enum
  {
    N = 90
  };
  measure_random r = { 33 };
  gpueig_options o = options;
  const gpueig_callbacks callbacks = { .report = report };
  const int exact = strcmp (method, "preconditioned") != 0;
  double trace = 0;
  CLEANUP (free_problem)
  any_problem p = begin (GPUEIG_DOUBLE, N, 1), q = begin (GPUEIG_DOUBLE, N, 1);
  o.method = method;
  gpueig_set_callbacks (ctx, &callbacks);
  fill_symmetric (&p, &r);
  copy_page (&q, 0, &p, 0);
  p.guess = check_array (GPUEIG_DOUBLE, N * N);
  q.guess = check_array (GPUEIG_DOUBLE, N * N);
  for (int i = 0; i < N; i++)
    {
      measure_set (p.type, p.guess, i * (N + 1), 1);
      measure_set (p.type, q.guess, i * (N + 1), 1);
    }
  o.max_sweeps = 1;
  CHECK (solve_problem (ctx, &p, &o, &p.info) == GPUEIG_NO_CONVERGENCE
             && ! p.info.converged && p.info.sweeps == 1,
         "%s: one sweep is not enough, and reported: %s", method,
         gpueig_message (ctx));
  if (exact)
    CHECK_RATIO (measure_orthogonality (p.type, N, N, p.v), LIMIT_ORTHOGONALITY,
                 "%s: the best so far is orthonormal", method);
  for (int i = 0; i < N; i++)
    trace += creal (measure_get (p.type, p.a, i * (N + 1))
                    - measure_get (p.type, p.lambda, i));
  CHECK (fabs (trace) < 1e-3, "%s: the best so far keeps the trace: %g", method,
         trace);
  o.max_sweeps = 0;
  o.display = 1;
  lines = 0;
  check_solve (ctx, &p, &o, NULL, "to the end");
  CHECK (lines > 1 && p.info.n_off > 1 && p.info.sweeps > 0
             && p.info.off[p.info.n_off - 1] < p.info.off[0],
         "%s: %d lines of progress, history of %d", method, lines,
         p.info.n_off);
  o.display = 0;
  o.tol = 1e-4;
  check_solve (ctx, &q, &o, NULL, "a loose tolerance");
  CHECK (q.info.sweeps <= p.info.sweeps, "%s: %d sweeps, not more than %d",
         q.what, (int) q.info.sweeps, (int) p.info.sweeps);
  o.tol = 0;
  gpueig_set_callbacks (ctx, NULL);
}

static void
test_rotations (void)
{
  enum
  {
    N = 40
  };
  static double a[N * N], lambda[N];
  measure_random r = { 34 };
  gpueig_info info;
  gpueig_options opt = options;
  opt.method = "classical";
  measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a);
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, NULL);
  opt.max_rotations = 100;
  gpueig_status status = gpueig_jacobi_eig (ctx, &problem, &opt, &info);
  CHECK (status == GPUEIG_NO_CONVERGENCE && info.n_extra == 1
             && info.extra[0].value == 100,
         "classical: 100 rotations and no more");
  opt.max_rotations = 100000;
  status = gpueig_jacobi_eig (ctx, &problem, &opt, &info);
  CHECK (status == GPUEIG_OK && info.extra[0].value < 6 * N * N,
         "classical: %g rotations to convergence", info.extra[0].value);
}

/* --- errors --- */

static void
test_errors (void)
{
  double a[4] = { 1, 2, 2, 3 }, lambda[2], v[4], bad[4] = { 1, 0, NAN, 1 };
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, 2, 1, a, lambda, v);
  problem.guess = bad;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &options, NULL) == GPUEIG_NONFINITE
             && strstr (gpueig_message (ctx), "Guess"),
         "NaN in the guess: %s", gpueig_message (ctx));
  problem.guess = NULL;
  problem.b = a;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &options, NULL)
             == GPUEIG_NOT_DEFINITE,
         "a second matrix that is not definite is refused");
}

int
main (void)
{
  static const int64_t scaled[] = { 65, 100, 129 };
  const int many = getenv ("GPUEIG_TEST_LONG") != NULL;
  check_begin ("jacobi_eig");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      gpueig_type type = (gpueig_type) t;
      const double decades = gpueig_is_double (type) ? 6 : 3;
      for (int k = 0; k < 3; k++)
        test_scaled (type, scaled[k], decades, many ? 300 : 25);
      test_scaled (type, 300, decades, many ? 20 : 1);
      if (many)
        test_scaled (type, 100, 2 * decades, 100);
      test_guess (type, 5);
      test_guess (type, 100);
      test_guess_errors (type, 70);
    }
  test_control ("preconditioned");
  test_control ("classical");
  test_rotations ();
  test_errors ();
  gpueig_destroy (ctx);
  return check_end ();
}
