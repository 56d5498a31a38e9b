/* Claims about MRRR on the backend under test, in both precisions. Dense matrices and scales:
   test_accuracy.c; threads: test_threads.c; errors: gpu_mrrr.m. GPUEIG_TEST_LONG: all
   matrices of order 1050.
   a_matrix_passes_the_bars: residuals and orthogonality pass the bars; eigenvalues agree with
     LAPACK's
   all_matrices_pass_the_bars: that, for all matrices of tridiagonal_matrices.h
   parts_are_those_of_the_whole: eigenvalues of parts of the spectrum are those of all
   inverse_iteration_is_right: all vectors by inverse iteration are right, too
   random_structures_pass_the_bars: random matrices, some of which need several levels of the
     tree and inverse iteration
   lapacks_methods_pass_the_bars: LAPACK's methods on the CPU pass the bars, also where xSTEMR
     itself fails
   no_memory_for_a_level: where a GPU has no memory for the representations of a level, another
     method solves
   several_points_halve_to_the_bit: a pass with several points leaves the bracket of as many
     halvings, to the bit
   valleys_do_no_harm: vectors with interior elements far below the underflow threshold are
     right
   zero_pivots_do_no_harm: a pivot that vanishes does no harm
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"
#include "tridiagonal_matrices.h"
#include "mrrr/halving.h"
#include "mrrr/lanes.h"
#include "mrrr/mrrr.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

/* --- a tridiagonal problem --- */

static measure_random die = { 29 };

static double
entry (int mode)
{
  double sign = measure_chance (&die) < 0.5 ? -1 : 1;
  switch (mode)
    {
    case 0:
      return sign * measure_chance (&die);
    case 1:
      return sign * pow (10, -16 * measure_chance (&die));
    case 2:
      return sign * pow (10, -40 * measure_chance (&die));
    case 3:
      return (int) (measure_chance (&die) * 5 - 2);
    case 4:
      return measure_chance (&die) < 0.3 ? 0 : sign * measure_chance (&die);
    case 5:
      return 1 + 1e-14 * sign * measure_chance (&die);
    case 6:
      return sign * pow (10, -8 * (int) (measure_chance (&die) * 3));
    default:
      return measure_chance (&die) < 0.5 ? 1 : 1e-8 * measure_chance (&die);
    }
}

/* Entries that are widely graded, nearly equal, zero, or repeated in blocks.  */
static void
random_structure (int n, double *d, double *e)
{
  int diagonal = (int) (measure_chance (&die) * 8),
      off = (int) (measure_chance (&die) * 8);
  int period = measure_chance (&die) < 0.6
                   ? 1 + (int) (measure_chance (&die) * 30)
                   : n;
  if (measure_chance (&die) < 0.3)
    off = 1;
  for (int i = 0; i < n; i++)
    {
      d[i] = i < period ? entry (diagonal) : d[i - period];
      e[i] = i < period ? entry (off) : e[i - period];
      if (i >= period && (i + 1) % period == 0 && measure_chance (&die) < 0.5)
        e[i] = pow (10, -16 * measure_chance (&die));
    }
}

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

/* ALLOWED as for check_answer.  */
static void
a_matrix_passes_the_bars (gpueig_type type, int n, int k, int with_reference,
                          int allowed)
{
  CLEANUP (free_problem) any_problem p = begin (type, n, tridiagonals[k].make);
  check_answer (&p, tridiagonals[k].name, allowed);
  if (with_reference)
    {
      check_reference (ctx, &p, USUAL_MRRR);
      check_alone (ctx, &p, &options, USUAL_MRRR, 0);
    }
}

static void
all_matrices_pass_the_bars (gpueig_type type, int n, int with_reference,
                            int allowed)
{
  for (int k = 0; k < MRRR_MATRICES; k++)
    a_matrix_passes_the_bars (type, n, k, with_reference, allowed);
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

static void
inverse_iteration_is_right (gpueig_type type)
{
  static tridiagonal_matrix *const some[] = { one_four_one, wilkinson,
                                              glued_8,      splits,
                                              identity,     near_identity_10 };
  for (size_t k = 0; k < COUNT (some); k++)
    {
      CLEANUP (free_problem) any_problem p = begin (type, 120, some[k]);
      check_inverse_iteration (&p, "a matrix of the list");
    }
}

/* Numbers FIRST to LAST, and those in an interval around them.  */
static void
parts_are_those_of_the_whole (gpueig_type type, int n, int kind, int first,
                              int last)
{
  int64_t found = -1;
  CLEANUP (free_problem)
  any_problem p = begin (type, n, tridiagonals[kind].make);
  CLEANUP (free_problem) any_problem all = copy_problem (&p);
  const double unit
      = norm1 (&p) * n * measure_eps (type) + measure_eps (type) * 1e-30;
  p.first = first;
  p.last = last;
  p.found = &found;
  check_solve (ctx, &all, &options, NULL, "%s, all", tridiagonals[kind].name);
  check_solve (ctx, &p, &options, NULL, "%s, %d to %d", tridiagonals[kind].name,
               first, last);
  CHECK_RATIO (measure_eigenvalues (type, last - first + 1,
                                    page_of (type, all.lambda, first - 1, 1),
                                    p.lambda, 1)
                   * ((double) (last - first + 1) * measure_eps (type)) / unit,
               LIMIT_EIGENVALUES, "by number, %s", p.what);
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

/* Some need several levels of the tree and inverse iteration.  */
static void
random_structures_pass_the_bars (int count)
{
  for (int k = 0; k < count; k++)
    {
      const int n
          = 1 + (int) (measure_chance (&die) * measure_chance (&die) * 200);
      CLEANUP (free_problem)
      any_problem p
          = begin (k % 4 ? GPUEIG_DOUBLE : GPUEIG_FLOAT, n, random_structure);
      check_answer (&p, "random structure", -1);
    }
}

/* LAPACK's methods, on the CPU, also where xSTEMR itself fails.  */
static void
lapacks_methods_pass_the_bars (const char *method)
{
  static const int orders[] = { 1, 2, 3, 5, 33, 46, 120 };
  static const double d[] = { -3, 1 }, e[] = { 0.5, 0 };
  const gpueig_options before = options;
  options.backend = GPUEIG_CPU;
  options.method = method;
  for (gpueig_type t = 0; t < 2; t++)
    {
      for (size_t i = 0; i < COUNT (orders); i++)
        all_matrices_pass_the_bars (t, orders[i], 0, -1);
      for (int k = 0; k < MRRR_MATRICES; k++)
        {
          parts_are_those_of_the_whole (t, 2, k, 1, 1);
          parts_are_those_of_the_whole (t, 2, k, 2, 2);
          parts_are_those_of_the_whole (t, 12, k, 3, 7);
        }
    }
  random_structures_pass_the_bars (300);
  /* Order 2 by modulus would be 1.06, -3.06.  */
  CLEANUP (free_problem) any_problem p = begin_with (GPUEIG_DOUBLE, 2, d, e);
  p.first = p.last = 1;
  check_solve (ctx, &p, &options, NULL, "the smaller one of -3.06 and 1.06");
  CHECK (fabs (get (&p, p.lambda, 0) + 3.0616) < 1e-3, "%s is %g", p.what,
         get (&p, p.lambda, 0));
  options = before;
}

/* Where a GPU has no memory for the representations of a level, another method solves.  */
static void
no_memory_for_a_level (void)
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

/* A pass with several points leaves the bracket of as many halvings, to the bit,
   whatever the counts are.  */
static void
several_points_halve_to_the_bit (void)
{
  measure_random r = { 17 };
  int same = 1, inside = 1;
  for (int trial = 0; trial < 20000; trial++)
    {
      const double size = ldexp (1, (int) (40 * measure_normal (&r)));
      const double lo = size * measure_normal (&r);
      const double hi = lo + fabs (lo) * ldexp (1, -(trial % 50));
      const double where = lo + (hi - lo) * (0.5 + 0.3 * measure_normal (&r));
      for (int bits = 1; bits <= 3; bits++)
        {
          const int points = (1 << bits) - 1;
          double a = lo, b = hi, c = lo, d = hi;
          unsigned above = 0;
          for (int k = 1; k <= points; k++)
            {
              const double x = ge_mrrr_point (lo, hi, points, k);
              inside
                  &= x >= lo && x <= hi
                     && (k == 1 || x >= ge_mrrr_point (lo, hi, points, k - 1));
              above |= (unsigned) (where < x) << (k - 1);
            }
          ge_mrrr_halve (&a, &b, points, above);
          for (int k = 0; k < bits; k++)
            {
              const double x = c + (d - c) / 2;
              if (where < x)
                d = x;
              else
                c = x;
            }
          same &= a == c && b == d;
        }
    }
  CHECK (inside, "points are inside the bracket, in ascending order");
  CHECK (same, "several points a pass: the bracket of as many halvings");
}

/* Vectors with interior elements far below the underflow threshold.  */
static void
valleys_do_no_harm (void)
{
  double rho = 1, level = 0, best = 100;
  for (int i = 99; i >= 50; i--)
    ge_twist_step (0x1p100, 1, i, &rho, &level, &best);
  CHECK (best == 100, "down into a valley of 2^-5000");
  for (int i = 49; i >= 0; i--)
    ge_twist_step (1, i == 0 ? 0x1p103 : 0x1p100, i, &rho, &level, &best);
  CHECK (best == 0, "and up to a hill eight times as high");
}

/* A pivot that vanishes.  */
static void
zero_pivots_do_no_harm (void)
{
  double s = -1, q = -1;
  int count = 0;
  ge_count_step_free (1, 0.25, 1, &q);
  ge_count_step_free (2, 0.25, 1, &q);
  CHECK (! (fabs (q) < 1e300), "the free step tells");
  count += ge_count_step (1, 0.25, 1, &s) < 0;
  count += ge_count_step (2, 0.25, 1, &s) < 0;
  CHECK (count == 1 && fabs (s) < 1e300, "the guarded step goes on");
}

int
main (void)
{
  static const int orders[] = { 1, 2, 3, 4, 5, 20, 33, 46, 64 };
  begin_test ("mrrr");
  for (gpueig_type type = 0; type < 2; type++)
    {
      for (size_t i = 0; i < COUNT (orders); i++)
        all_matrices_pass_the_bars (type, orders[i], orders[i] <= 33, 0);
      all_matrices_pass_the_bars (type, 301, 0, 0);
      for (int k = 0; k < MRRR_MATRICES; k += 4)
        {
          parts_are_those_of_the_whole (type, 64, k, 1, 1);
          parts_are_those_of_the_whole (type, 210, k, 100, 130);
          parts_are_those_of_the_whole (type, 210, k, 190, 210);
        }
      inverse_iteration_is_right (type);
    }
  const int all = options.backend == GPUEIG_CUDA || getenv ("GPUEIG_TEST_LONG");
  for (int k = 0; k < MRRR_MATRICES; k++)
    {
      for (gpueig_type t = 0; t < 2; t++)
        if (all || k % 10 == 5 * (int) t)
          a_matrix_passes_the_bars (t, 1050, k, 0, 0);
      if (k % 3 == 2 && (all || k < 3))
        a_matrix_passes_the_bars (GPUEIG_DOUBLE, 2000, k, 0, 0);
    }
  if (options.backend == GPUEIG_CUDA)
    options.method = "mrrr";
  random_structures_pass_the_bars (getenv ("GPUEIG_TEST_LONG") ? 5000 : 2500);
  CHECK (deepest >= 2, "some trees have %d levels", deepest);
  options.method = "auto";
  lapacks_methods_pass_the_bars ("stemr");
  lapacks_methods_pass_the_bars ("stevd");
  several_points_halve_to_the_bit ();
  valleys_do_no_harm ();
  zero_pivots_do_no_harm ();
  if (options.backend == GPUEIG_CUDA)
    no_memory_for_a_level ();
  return end_test ();
}
