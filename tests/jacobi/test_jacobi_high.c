/* Claims about "Accuracy", "high" of both Jacobi functions on the backend under test:
   eigenvalues_are_right_relative_to_themselves: every eigenvalue of a positive definite D B D
     that is a normal number is right to a few n eps cond (B) relative to itself, against Jacobi
     in long double, with and without vectors, alone and in a stack; LAPACK's divide and conquer
     is not; vectors pass the bars
   ranges_as_wide_as_promised: that, where A spans any part of the range up to 1e600 (single
     precision: all of it)
   indefinite_matrices_pass_the_bars: indefinite matrices are solved with normal accuracy
   pairs_have_small_backward_errors: columnwise backward errors of pairs, "high" or not, are
     below 10 n eps for conditions of B up to 9e14, and V'BV = I to 10 n eps cond (B);
     gpueig_eig_symmetric with high accuracy returns the same bits
   definite_pairs_have_relative_accuracy: where A and B are definite every eigenvalue has a
     relative error of n eps times the conditions of the scaled matrices; eigenvalues do not
     depend on V
   graded_b_keeps_the_vectors: A definite and ill-conditioned, B diagonal and graded: V'BV = I
     as without "high"
   graded_a_keeps_the_accuracy: A definite and graded, B well-conditioned: right relative to the
     pair as it is
   failures_are_reported: B that is not definite and too few sweeps are reported
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "matrices.h"
#include "solvers.h"
#include "wide.h"

#include <complex.h>
#include <float.h>
#include <string.h>

static gpueig_options accurate;

enum
{
  PAGES = 3
};

static const int functions[] = { SOLVE_JACOBI, SOLVE_ONESIDED };

/* --- graded positive definite matrices D B D --- */

/* A = D B D of TYPE; D from 10^LOW to 10^HIGH in random order, B with unit
   diagonal; the result is cond (B).  */
static double
graded_between (gpueig_type type, int n, double low, double high, void *a)
{
  measure_random r = { (uint64_t) (100 * n + (int) (high - low)) };
  gpueig_options cpu = gpueig_default_options ();
  FREED double _Complex *b = check_memory (n * n, sizeof *b);
  FREED double *d = check_memory (n, sizeof *d);
  FREED double *lambda = check_memory (n, sizeof *lambda);
  cpu.backend = GPUEIG_CPU;
  for (int j = 0; j < n; j++)
    {
      d[j] = pow (10, high - (high - low) * measure_chance (&r));
      for (int i = 0; i <= j; i++)
        {
          double _Complex x = measure_uniform (&r);
          if (gpueig_is_complex (type))
            x += I * measure_uniform (&r);
          x = i == j ? 1
                     : x / sqrt (gpueig_is_complex (type) ? 4.0 * n : 2.0 * n);
          b[i + n * j] = x;
          b[j + n * i] = conj (x);
        }
    }
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      {
        double _Complex x = d[i] * d[j] * b[i + n * j];
        measure_set (type, a, i + n * j, x);
        measure_set (type, a, j + n * i, conj (x));
      }
  const gpueig_symmetric problem
      = symmetric_problem (GPUEIG_COMPLEX_DOUBLE, n, 1, b, lambda, NULL);
  if (gpueig_eig_symmetric (ctx, &problem, &cpu, NULL) != GPUEIG_OK
      || lambda[0] <= 0)
    exit (2);
  return lambda[n - 1] / lambda[0];
}

/* The largest error relative to an eigenvalue that is a normal number, over
   n eps CONDITION.  */
static double
relative_error (gpueig_type type, int n, const void *lambda,
                const long double *ref, double condition)
{
  gpueig_type real = real_type (type);
  const long double least
      = gpueig_is_double (type) ? DBL_MIN : (long double) FLT_MIN;
  long double worst = 0;
  for (int j = 0; j < n; j++)
    {
      if (ref[j] < least)
        continue;
      long double e = (long double) creal (measure_get (real, lambda, j));
      e = fabsl (e - ref[j]) / ref[j];
      worst = isnan (e) ? INFINITY : fmaxl (worst, e);
    }
  return (double) worst / (n * measure_eps (type) * condition);
}

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
eigenvalues_are_right_relative_to_themselves (gpueig_type type, int n,
                                              double low, double high, int most)
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
      wide_cholesky (n, w);
      wide_eigenvalues (n, w, ref + p * n);
    }
  for (int k = 0; k < 8; k++)
    {
      const int pages = k & 2 ? most : 1, vectors = k / 4;
      const any_solver *solver = &solvers[functions[k % 2]];
      if (k & 2 && most == 1)
        continue;
      CLEANUP (free_problem)
      any_problem p = make_problem (solver, type, n, pages, 1 + vectors);
      memcpy (p.a, a, (size_t) (square * pages) * gpueig_scalar_size (type));
      check_solve (ctx, &p, &accurate, NULL, "D from 1e%.1f to 1e%.1f%s", low,
                   high, vectors ? "" : ", values");
      CHECK (! p.info.fallback[0], "%s: %s", p.what, p.info.fallback);
      CHECK_RATIO (worst_relative (&p, ref, condition), LIMIT_RELATIVE,
                   "relative, %s", p.what);
      if (vectors)
        check_errors (&p, most == 1 && k % 2 == 0 ? USUAL_HIGH : USUAL_NONE);
      gpueig_options o = gpueig_default_options ();
      o.backend = GPUEIG_CPU;
      const gpueig_symmetric s
          = symmetric_problem (type, n, pages, p.a, p.lambda, NULL);
      gpueig_eig_symmetric (ctx, &s, &o, NULL);
      CHECK (most > 1 || high - low < 10 || n < 10
                 || ! (worst_relative (&p, ref, condition) < LIMIT_RELATIVE),
             "divide and conquer is not as accurate, %s", p.what);
    }
}

/* Ranges of D at random: as wide as promised, or narrow and anywhere.  */
static void
ranges_as_wide_as_promised (gpueig_type type, int n, measure_random *r)
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
      eigenvalues_are_right_relative_to_themselves (type, n, low, low + span,
                                                    PAGES);
    }
}

/* Indefinite, then with zero rows, then with a zero diagonal.  */
static void
indefinite_matrices_pass_the_bars (gpueig_type type, int n)
{
  measure_random r = { 51 };
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_JACOBI], type, n, 1, 2);
  fill_symmetric (&p, &r);
  for (int pass = 0; pass < 3; pass++)
    {
      check_solve (ctx, &p, &accurate, NULL, "indefinite, pass %d", pass);
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

/* --- pairs --- */

static any_problem
begin (gpueig_type type, int64_t n)
{
  any_problem p = make_problem (&solvers[SOLVE_JACOBI], type, n, 1, 2);
  p.b = check_array (type, n * n);
  return p;
}

/* Backward errors, and |V'BV - I| relative to CONDITION.  */
static void
check_pair (const any_problem *p, double condition)
{
  const measure_pairs m = page_errors (p, 0, p->n);
  CHECK_RATIO (m.right, LIMIT_RESIDUAL, "backward error, %s", p->what);
  CHECK_RATIO (m.length / condition, LIMIT_ORTHOGONALITY, "orthogonality, %s",
               p->what);
}

/* B = exp (-((i - j) / WIDTH)^2) + REG I, times phases; its condition.  */
static double
kernel_matrix (gpueig_type type, int n, double width, double reg, void *b)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        double _Complex x = exp (-(i - j) * (i - j) / (width * width));
        if (gpueig_is_complex (type))
          x *= cexp (I * 0.7 * (i - j));
        measure_set (type, b, i + n * j, i == j ? 1 + reg : x);
      }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++)
      measure_set (type, b, j + n * i, conj (measure_get (type, b, i + n * j)));
  return 2 * n / reg;
}

static void
pairs_have_small_backward_errors (gpueig_type type, int n, int kind, double reg,
                                  measure_random *r)
{
  CLEANUP (free_problem) any_problem p = begin (type, n);
  any_problem eig = p;
  FREED char *lambda = check_array (type, n);
  hard_matrix (kind, type, n, p.a);
  const double condition
      = kernel_matrix (type, n, 4 + 4 * measure_uniform (r) + 4, reg, p.b);
  check_solve (ctx, &p, &accurate, NULL, "%s, cond (B) %.0e",
               page_kind_name[kind], condition);
  check_pair (&p, condition);
  check_alone (ctx, &p, &accurate, USUAL_NONE, 1);
  eig.solver = &solvers[SOLVE_EIG];
  eig.lambda = lambda;
  eig.v = NULL;
  check_solve (ctx, &eig, &accurate, NULL, "%s, cond (B) %.0e",
               page_kind_name[kind], condition);
  CHECK (same_values (&p, &eig), "the bits of eig, %s", p.what);
  check_solve (ctx, &p, &options, NULL, "plain, %s, cond (B) %.0e",
               page_kind_name[kind], condition);
  check_pair (&p, condition);
}

/* X <- F^-1 X by elimination with complete pivoting of the rows of F, which is a
   triangular matrix with its rows permuted.  */
static void
divide (int n, wide *f, wide *x)
{
  for (int k = 0; k < n; k++)
    {
      int p = k;
      for (int i = k; i < n; i++)
        if (cabsl (f[i + n * k]) > cabsl (f[p + n * k]))
          p = i;
      for (int j = 0; j < n; j++)
        {
          wide t = f[k + n * j];
          f[k + n * j] = f[p + n * j];
          f[p + n * j] = t;
          t = x[k + n * j];
          x[k + n * j] = x[p + n * j];
          x[p + n * j] = t;
        }
      for (int i = k + 1; i < n; i++)
        {
          const wide q = f[i + n * k] / f[k + n * k];
          for (int j = 0; j < n; j++)
            {
              f[i + n * j] -= q * f[k + n * j];
              x[i + n * j] -= q * x[k + n * j];
            }
        }
    }
  for (int k = n - 1; k >= 0; k--)
    for (int j = 0; j < n; j++)
      {
        for (int i = k + 1; i < n; i++)
          x[k + n * j] -= f[k + n * i] * x[i + n * j];
        x[k + n * j] /= f[k + n * k];
      }
}

static void
definite_pairs_have_relative_accuracy (gpueig_type type, int n, double low,
                                       double high)
{
  CLEANUP (free_problem) any_problem p = begin (type, n);
  const char *const a = p.a, *const b = p.b;
  FREED wide *wa = check_memory (n * n, sizeof *wa),
             *wb = check_memory (n * n, sizeof *wb);
  FREED long double *ref = check_memory (n, sizeof *ref);
  const double condition = graded_between (type, n, low, high, p.a)
                           + graded_between (type, n, low / 3, high / 2, p.b);
  /* Scaled to a unit diagonal of A.  */
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        const long double s
            = sqrtl (creall (measure_get (type, a, i + n * i)))
              * sqrtl (creall (measure_get (type, a, j + n * j)));
        wa[i + n * j] = measure_get (type, a, i + n * j) / s;
        wb[i + n * j] = measure_get (type, b, i + n * j) / s;
      }
  wide_cholesky (n, wa);
  wide_cholesky (n, wb);
  divide (n, wb, wa);
  wide_eigenvalues (n, wa, ref);
  check_solve (ctx, &p, &accurate, NULL,
               "both definite, D from 1e%.0f to 1e%.0f", low, high);
  CHECK (strcmp (p.info.extra[p.info.n_extra - 1].name, "tangent") == 0
             && p.info.extra[p.info.n_extra - 1].value == 1,
         "by tangents, %s", p.what);
  CHECK_RATIO (relative_error (type, n, p.lambda, ref, condition),
               LIMIT_RELATIVE, "relative, %s", p.what);
  /* Of the pair scaled to a unit diagonal of A if D is extreme.  */
  if (high - low < 10)
    check_pair (&p, condition);
}

/* A definite, not graded and ill-conditioned, B diagonal and graded: V'BV = I as without
   "high".  */
static void
graded_b_keeps_the_vectors (gpueig_type type, int n, measure_random *r)
{
  CLEANUP (free_problem) any_problem p = begin (type, n);
  const double digits = gpueig_is_double (type) ? 12 : 6;
  measure_random_symmetric (r, type, n, p.v);
  for (int j = 0; j < n; j++)
    {
      measure_set (type, p.b, j + n * j, pow (10, digits * j / n));
      for (int i = 0; i < n; i++)
        {
          wide x = i == j ? 1e-3 : 0;
          for (int k = 0; k < n; k++)
            x += measure_get (type, p.v, i + n * k)
                 * conjl (measure_get (type, p.v, j + n * k));
          measure_set (type, p.a, i + n * j, (double _Complex) x);
        }
    }
  check_solve (ctx, &p, &accurate, NULL, "graded B");
  CHECK_RATIO (page_errors (&p, 0, n).length, LIMIT_ORTHOGONALITY,
               "orthogonality, %s", p.what);
}

/* A definite and graded, B well-conditioned: right relative to the pair as it is.  */
static void
graded_a_keeps_the_accuracy (gpueig_type type, int n, double low,
                             measure_random *r)
{
  CLEANUP (free_problem) any_problem p = begin (type, n);
  graded_between (type, n, low, 0, p.a);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      {
        const double x = i == j ? 1 : 0.5 * measure_uniform (r) / sqrt (n);
        measure_set (type, p.b, i + n * j, x);
        measure_set (type, p.b, j + n * i, x);
      }
  check_solve (ctx, &p, &accurate, NULL, "A graded from 1e%.0f", low);
  check_pair (&p, 1);
}

/* B that is not definite, and too few sweeps, which are told, or enough: on a GPU the
   start may need no more.  */
static void
failures_are_reported (gpueig_type type)
{
  CLEANUP (free_problem) any_problem p = begin (type, 3);
  gpueig_options o = accurate;
  fill_problem (&p, 5);
  for (int definite = 0; definite < 2; definite++)
    for (o.high_accuracy = 0; o.high_accuracy < 2; o.high_accuracy++)
      {
        for (int i = 0; i < 9; i++)
          measure_set (type, p.b, i, i % 4 == 0 ? 2 : definite ? 1 : 3);
        o.max_sweeps = definite;
        const gpueig_status status = solve_problem (ctx, &p, &o, &p.info);
        const int enough = type != GPUEIG_DOUBLE || ! o.high_accuracy
                           || strcmp (p.info.backend, "cuda") == 0;
        CHECK (definite ? (enough && status == GPUEIG_OK)
                              || (status == GPUEIG_NO_CONVERGENCE
                                  && ! p.info.converged)
                        : status == GPUEIG_NOT_DEFINITE,
               "definite %d, high %d, %s: %s", definite, o.high_accuracy,
               check_type_name[type], gpueig_message (ctx));
        if (status == GPUEIG_OK)
          check_pair (&p, 3);
      }
}

int
main (void)
{
  static const int orders[] = { 1, 2, 5, 11, 18, 40, 70 },
                   usual[] = { 2, 3, 10, 33, 64, 71, 130 },
                   pairs[] = { 1, 2, 3, 7, 20, 45 },
                   digits[] = { 0, 3, 6, 9, 12, 13 };
  /* Among them of few values, of rank n / 4, and definite.  */
  static const int kinds[]
      = { PAGE_RANDOM,  PAGE_GRADED, PAGE_PLUS_MINUS, PAGE_CLUSTER,
          PAGE_CLEMENT, PAGE_GRAM,   PAGE_WILKINSON };
  measure_random r = { 29 };
  begin_test ("jacobi_high");
  accurate = options;
  accurate.high_accuracy = 1;
  for (gpueig_type type = 0; type < 4; type++)
    {
      const int is_double = gpueig_is_double (type);
      for (int k = 0; k < 7; k++)
        {
          ranges_as_wide_as_promised (type, orders[k], &r);
          eigenvalues_are_right_relative_to_themselves (
              type, usual[k], is_double ? -15 : -7, 0, 1);
          if (is_double)
            eigenvalues_are_right_relative_to_themselves (type, usual[k], -60,
                                                          0, 1);
        }
      indefinite_matrices_pass_the_bars (type, 40);
      indefinite_matrices_pass_the_bars (type, 85);
      for (int k = 0; k < 6; k++)
        {
          for (int kind = 0; kind < 7; kind++)
            for (int i = 0; i < (is_double ? 6 : 3); i++)
              pairs_have_small_backward_errors (type, pairs[k], kinds[kind],
                                                pow (10, -digits[i]), &r);
          definite_pairs_have_relative_accuracy (
              type, pairs[k], is_double ? -40 : -6, is_double ? 30 : 5);
          definite_pairs_have_relative_accuracy (type, pairs[k], -2, 0);
          graded_b_keeps_the_vectors (type, pairs[k], &r);
          graded_a_keeps_the_accuracy (type, pairs[k], is_double ? -40 : -20,
                                       &r);
        }
      failures_are_reported (type);
    }
  return end_test ();
}
