/* Claims about two-sided Jacobi on the backend under test. All methods at all orders:
   test_accuracy.c; high accuracy, pairs: test_jacobi_high.c; options: gpu_jacobi_eig.m.
   graded_matrices_are_solved: D R D with D over six decades, which have pairs of eigenvalues
     too close for first order and too many for one window, are solved; GPUEIG_TEST_LONG: some
     hundred of each type and order
   good_and_bad_guesses_are_solved: good and bad guesses are solved
   auto_uses_only_close_guesses: "auto" uses a guess where a step or two (on a GPU three) are
     enough, and computes vectors otherwise
   guesses_with_errors_of_every_size: guesses with errors of every size are solved, the smallest
     accepted
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
graded_matrices_are_solved (gpueig_type type, int64_t n, double decades,
                            int64_t pages)
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

/* "auto" uses the eigenvectors of P as a guess for A + off (A) where a step or two are enough,
   on a GPU three, there of no small matrix; from a worse one it computes vectors, which need
   no step.  */
static void
auto_uses_only_close_guesses (const any_problem *p)
{
  measure_random r = { 37 };
  const int64_t n = p->n;
  const double unit = sqrt (measure_eps (p->type));
  static const double shares[] = { 0, 0.05, 0.07, 10, 1000 };
  FREED char *off = check_array (p->type, n * n);
  measure_random_symmetric (&r, p->type, n, off);
  const double size
      = measure_norm (p->type, n, n, p->a) / measure_norm (p->type, n, n, off);
  const int cuda = options.backend == GPUEIG_CUDA;
  for (int k = 0; k < 5; k++)
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
      const int close = cuda ? n > 64 && k < 3 : k > 0 && k < 3;
      CHECK (q.info.sweeps >= close && q.info.sweeps <= (2 + cuda) * close,
             "%d steps, %s", (int) q.info.sweeps, q.what);
    }
}

/* P with the guess F * p->v.  */
static void
set_guess (any_problem *p, double f)
{
  memcpy (p->guess, p->v, problem_bytes (p, FIRST_OUTPUT + 1));
  measure_scale (p->type, p->n * p->n, p->guess, f);
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
good_and_bad_guesses_are_solved (gpueig_type type, int64_t n)
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
  if (n > 64 || options.backend == GPUEIG_CUDA)
    auto_uses_only_close_guesses (&p);
  /* "auto" may take "block", which does not read the guess.  */
  solve (&q, "preconditioned", "guess: of a nearby matrix");
  CHECK (q.info.sweeps < 5, "a nearby guess needs few steps: %d, %s",
         (int) q.info.sweeps, q.what);
  set_guess (&q, 100);
  solve (&q, "auto", "guess: not normalized");
  static const char *const others[]
      = { "guess: random, full rank", "guess: singular", "guess: zero",
          "guess: the identity" };
  for (int k = 0; k < 4; k++)
    {
      for (int64_t i = 0; i < square; i++)
        measure_set (type, p.guess, i,
                     k == 0   ? measure_normal (&r)
                     : k == 1 ? i == 0
                              : k == 3 && i % (n + 1) == 0);
      solve (&p, "auto", others[k]);
    }
}

/* Eigenvectors with errors of every size, of which the smallest are accepted: in turns general
   ones, of a rotation of two columns, and of the length.  */
static void
guesses_with_errors_of_every_size (gpueig_type type, int64_t n)
{
  measure_random r = { 35 };
  CLEANUP (free_problem) any_problem p = begin_guess (type, n, &r);
  FREED char *v = check_array (type, n * n);
  memcpy (v, p.v, (size_t) (n * n) * gpueig_scalar_size (type));
  for (int k = 0; k < (gpueig_is_double (type) ? 36 : 18); k++)
    for (int kind = 0; kind < 3; kind++)
      {
        char what[60];
        const double size = pow (10, -0.5 * (k + fabs (measure_uniform (&r))));
        const int64_t a = k % (n - 1), b = a + 1 + k % (n - 1 - a);
        for (int64_t i = 0; i < n * n; i++)
          {
            const double _Complex x = measure_get (type, v, i % n + a * n),
                                  y = measure_get (type, v, i % n + b * n),
                                  z = measure_get (type, v, i);
            measure_set (type, p.guess, i,
                         kind == 0 ? z + size * measure_normal (&r) / (double) n
                         : kind == 2  ? (1 + size) * z
                         : i / n == a ? x * cos (size) + y * sin (size)
                         : i / n == b ? y * cos (size) - x * sin (size)
                                      : z);
          }
        snprintf (what, sizeof what, "guess: error %d of %.1e", kind, size);
        solve (&p, "preconditioned", what);
      }
}

int
main (void)
{
  static const int64_t scaled[] = { 65, 100, 129 };
  const int many = getenv ("GPUEIG_TEST_LONG") != NULL;
  begin_test ("jacobi_eig");
  for (gpueig_type type = 0; type < 4; type++)
    {
      const double decades = gpueig_is_double (type) ? 6 : 3;
      for (int k = 0; k < 3; k++)
        graded_matrices_are_solved (type, scaled[k], decades, many ? 300 : 25);
      graded_matrices_are_solved (type, 300, decades, many ? 20 : 1);
      if (many)
        graded_matrices_are_solved (type, 100, 2 * decades, 100);
      good_and_bad_guesses_are_solved (type, 5);
      good_and_bad_guesses_are_solved (type, 100);
      guesses_with_errors_of_every_size (type, 70);
    }
  return end_test ();
}
