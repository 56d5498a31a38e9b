/* Claims, for "Accuracy" "high" of both Jacobi functions on the backend under test: every
   eigenvalue of a positive definite D B D that is a normal number is right to a few n eps
   cond (B) relative to itself, against Jacobi in long double, where A spans any part of the
   range of the numbers up to 1e600 (single precision: all of it), with and without vectors,
   alone and in a stack; LAPACK's divide and conquer is not; vectors pass the bars.  What spans
   more is told.  Indefinite matrices are solved as well as ever.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "graded_matrices.h"
#include "solvers.h"

#include <complex.h>
#include <string.h>

static gpueig_options options;

enum
{
  PAGES = 3
};

static const int functions[] = { SOLVE_JACOBI, SOLVE_ONESIDED };

static double
worst_relative (const any_problem *p, const long double *ref,
                const double *condition)
{
  double worst = 0;
  for (int64_t page = 0; page < p->pages; page++)
    worst = worst_of (
        worst, relative_error (p->type, (int) p->n,
                               page_of (p->values, p->lambda, p->n, page),
                               ref + p->n * page, condition[page]));
  return worst;
}

/* MOST pages with D from 10^LOW to 10^HIGH, of each the next ten times as large.  */
static void
test_range (gpueig_type type, int n, double low, double high, int most)
{
  const int64_t square = (int64_t) n * n;
  double condition[PAGES];
  FREED wide *w = check_memory (square, sizeof *w);
  FREED long double *ref = check_memory (n * most, sizeof *ref);
  FREED char *a = check_array (type, square * most);
  for (int p = 0; p < most; p++)
    {
      char *page = page_of (type, a, square, p);
      condition[p] = graded_between (type, n, low + p, high, page);
      for (int i = 0; i < square; i++)
        w[i] = measure_get (type, page, i);
      reference (n, w, ref + p * n);
    }
  for (int k = 0; k < 8; k++)
    {
      const int pages = k & 2 ? most : 1, vectors = k / 4;
      const any_solver *solver = &solvers[functions[k % 2]];
      gpueig_options o = options;
      if (k & 2 && most == 1)
        continue;
      CLEANUP (free_problem)
      any_problem p = make_problem (solver, type, n, pages, 1 + vectors);
      memcpy (p.a, a, (size_t) (square * pages) * gpueig_scalar_size (type));
      o.high_accuracy = 1;
      check_solve (ctx, &p, &o, NULL, "D from 1e%.1f to 1e%.1f%s", low, high,
                   vectors ? "" : ", values");
      CHECK (! p.info.fallback[0], "%s: %s", p.what, p.info.fallback);
      CHECK_RATIO (worst_relative (&p, ref, condition), LIMIT_RELATIVE,
                   "relative, %s", p.what);
      if (vectors)
        check_errors (&p, most == 1 && k % 2 == 0 ? USUAL_HIGH : USUAL_NONE);
      o = gpueig_default_options ();
      o.backend = GPUEIG_CPU;
      const gpueig_symmetric s
          = symmetric_problem (type, n, pages, p.a, p.lambda, NULL);
      gpueig_eig_symmetric (ctx, &s, &o, NULL);
      CHECK (most > 1 || high - low < 10 || n < 10
                 || ! (worst_relative (&p, ref, condition) < LIMIT_RELATIVE),
             "divide and conquer is not as accurate, %s", p.what);
    }
}

/* A diagonal matrix over nearly the whole range.  */
static void
test_whole_range (gpueig_type type)
{
  const int told = gpueig_is_double (type);
  const double most = pow (10, told ? 307.2 : 37.4);
  const double wanted[] = { 1 / most, 1, most };
  gpueig_options o = options;
  o.high_accuracy = 1;
  for (int k = 0; k < 2; k++)
    {
      char text[300];
      CLEANUP (free_problem)
      any_problem p = make_problem (&solvers[functions[k]], type, 3, PAGES, 1);
      for (int i = 0; i < 3 * PAGES; i++)
        measure_set (type, p.a, i / 3 * 9 + i % 3 * 4, wanted[(i + 2) % 3]);
      check_solve (ctx, &p, &o, NULL, "the whole range");
      CHECK (! p.info.fallback[0] == ! told, "what does not fit is told, %s",
             p.what);
      gpueig_fallback_text (&p.info, text, sizeof text);
      if (told)
        CHECK (strstr (text, "solved 3 ") && strstr (text, "normal accuracy"),
               "\"%s\"", text);
      for (int i = 0; i < 9 && ! told; i++)
        {
          const double x = creal (measure_get (p.values, p.lambda, i));
          CHECK (fabs (x / wanted[i % 3] - 1) < 1e-6, "%s: %g is %g", p.what,
                 wanted[i % 3], x);
        }
    }
}

/* Ranges of D at random: as wide as promised, or narrow and anywhere.  */
static void
test_ranges (gpueig_type type, int n, measure_random *r)
{
  const int is_double = gpueig_is_double (type);
  const double end = is_double ? 153 : 18.4, most = is_double ? 299 : 36;
  for (int pass = 0; pass < 3; pass++)
    {
      const double u = measure_chance (r);
      /* Pages of the stack have a smaller D, by up to PAGES digits.  */
      const double span = fmax (pass == 0   ? most
                                : pass == 1 ? u * most
                                            : 0,
                                PAGES);
      const double place = measure_chance (r);
      const double low = -end + place * (2 * end - span);
      test_range (type, n, low, low + span, PAGES);
    }
}

/* Indefinite, then with zero rows, then with a zero diagonal.  */
static void
test_indefinite (gpueig_type type, int n)
{
  measure_random r = { 51 };
  gpueig_options o = options;
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_JACOBI], type, n, 1, 2);
  o.high_accuracy = 1;
  fill_symmetric (&p, &r);
  for (int pass = 0; pass < 3; pass++)
    {
      check_solve (ctx, &p, &o, NULL, "indefinite, pass %d", pass);
      CHECK_RATIO (measure_residual (type, n, n, p.a, p.v, p.lambda),
                   LIMIT_RESIDUAL, "residual, %s", p.what);
      for (int i = 0; i < n; i++)
        if (pass == 0)
          for (int j = 0; j < n; j += 3)
            {
              measure_set (type, p.a, i + n * j, 0);
              measure_set (type, p.a, j + n * i, 0);
            }
        else
          measure_set (type, p.a, i + n * i, 0);
    }
}

/* Other methods rotate what is small relative to the norm alone.  */
static void
test_methods (void)
{
  const int on_gpu = options.backend == GPUEIG_CUDA;
  const struct
  {
    int solver;
    const char *method;
    gpueig_status status;
  } all[] = { { SOLVE_JACOBI, on_gpu ? "preconditioned" : "block", GPUEIG_OK },
              { SOLVE_JACOBI, "classical", GPUEIG_BAD_OPTION },
              { SOLVE_JACOBI, on_gpu ? "block" : "preconditioned",
                GPUEIG_BAD_OPTION },
              { SOLVE_ONESIDED, "hestenes", GPUEIG_BAD_OPTION } };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    {
      gpueig_options o = options;
      CLEANUP (free_problem)
      any_problem p
          = make_problem (&solvers[all[i].solver], GPUEIG_DOUBLE, 1, 1, 2);
      o.high_accuracy = 1;
      o.method = all[i].method;
      CHECK (solve_problem (ctx, &p, &o, NULL) == all[i].status,
             "high accuracy of %s by \"%s\"", p.solver->name, o.method);
    }
}

int
main (void)
{
  static const int orders[] = { 1, 2, 5, 11, 18, 40, 70 },
                   usual[] = { 2, 3, 10, 33, 64, 71, 130 };
  measure_random r = { 29 };
  check_begin ("jacobi_high");
  ctx = check_context (&options);
  test_methods ();
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      test_whole_range (type);
      for (int k = 0; k < 7; k++)
        {
          test_ranges (type, orders[k], &r);
          test_range (type, usual[k], gpueig_is_double (type) ? -15 : -7, 0, 1);
          if (gpueig_is_double (type))
            test_range (type, usual[k], -60, 0, 1);
        }
      test_indefinite (type, 40);
      test_indefinite (type, 85);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
