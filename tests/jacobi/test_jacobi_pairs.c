/* Claims, for definite pairs (A, B) by Jacobi on the backend under test: with "Accuracy"
   "high" or without, the columnwise backward error is below 10 n eps for conditions of B
   up to 9e14, and V'BV = I to 10 n eps cond (B); where both are definite, every eigenvalue has a
   relative error of n eps times the conditions of the scaled matrices, against the same
   in long double, and where one of them is graded the vectors are right as they are;
   eigenvalues do not depend on V; gpueig_eig_symmetric with high accuracy
   returns the same bits; B that is not definite is told.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "graded_matrices.h"
#include "solvers.h"

#include <string.h>

static gpueig_options options;

static wide
get (gpueig_type type, const void *m, int64_t at)
{
  return measure_get (type, m, (int) at);
}

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
  CHECK_RATIO (measure_pair (p->type, p->n, p->a, p->b, p->v, p->lambda),
               LIMIT_RESIDUAL, "backward error, %s", p->what);
  CHECK_RATIO (measure_b_orthogonality (p->type, p->n, p->b, p->v) / condition,
               LIMIT_ORTHOGONALITY, "orthogonality, %s", p->what);
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
      measure_set (type, b, j + n * i,
                   conj ((double _Complex) get (type, b, i + n * j)));
  return 2 * n / reg;
}

/* A symmetric, the KIND of its spectrum: 0 random, 1 from 1e-10 on with both signs, 2 only
   +1 and -1, 3 zero diagonal, 4 negative definite, 5 of rank 2, 6 almost the identity.  */
static void
left_matrix (gpueig_type type, int n, int kind, measure_random *r, void *a)
{
  measure_random_symmetric (r, type, n, a);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        wide x = get (type, a, i + n * j);
        if (kind == 1)
          x *= pow (10, -5.0 * (i + j) / n);
        if (kind == 2)
          x = i == j ? (measure_uniform (r) < 0 ? -1 : 1) : 0;
        if (kind == 3)
          x = i == j + 1 || j == i + 1;
        if (kind == 6)
          x = i == j ? 1 + 1e-14 * measure_uniform (r) : 0;
        if (kind == 5)
          x = sin (i + 1) * sin (j + 1) - cos (3 * i) * cos (3 * j);
        if (kind == 4)
          x = i == j ? -2 : i == j + 1 || j == i + 1 ? 0.9 : 0;
        measure_set (type, a, i + n * j, (double _Complex) x);
      }
}

static void
test_backward (gpueig_type type, int n, int kind, double reg, measure_random *r)
{
  gpueig_options o = options;
  CLEANUP (free_problem) any_problem p = begin (type, n);
  any_problem eig = p;
  FREED char *lambda = check_array (type, n);
  o.high_accuracy = 1;
  left_matrix (type, n, kind, r, p.a);
  const double condition
      = kernel_matrix (type, n, 4 + 4 * measure_uniform (r) + 4, reg, p.b);
  check_solve (ctx, &p, &o, NULL, "kind %d, cond (B) %.0e", kind, condition);
  check_pair (&p, condition);
  check_alone (ctx, &p, &o, USUAL_NONE, 1);
  eig.solver = &solvers[SOLVE_EIG];
  eig.lambda = lambda;
  eig.v = NULL;
  check_solve (ctx, &eig, &o, NULL, "kind %d, cond (B) %.0e", kind, condition);
  CHECK (same_values (&p, &eig), "the bits of eig, %s", p.what);
  check_solve (ctx, &p, &options, NULL, "plain, kind %d, cond (B) %.0e", kind,
               condition);
  check_pair (&p, condition);
}

/* --- both definite: relative accuracy --- */

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
test_relative (gpueig_type type, int n, double low, double high)
{
  gpueig_options o = options;
  CLEANUP (free_problem) any_problem p = begin (type, n);
  const char *const a = p.a, *const b = p.b;
  FREED wide *wa = check_memory (n * n, sizeof *wa),
             *wb = check_memory (n * n, sizeof *wb);
  FREED long double *ref = check_memory (n, sizeof *ref);
  o.high_accuracy = 1;
  const double condition = graded_between (type, n, low, high, p.a)
                           + graded_between (type, n, low / 3, high / 2, p.b);
  /* Scaled to a unit diagonal of A.  */
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        const long double s = sqrtl (creall (get (type, a, i + n * i)))
                              * sqrtl (creall (get (type, a, j + n * j)));
        wa[i + n * j] = get (type, a, i + n * j) / s;
        wb[i + n * j] = get (type, b, i + n * j) / s;
      }
  wide_cholesky (n, wa);
  wide_cholesky (n, wb);
  divide (n, wb, wa);
  wide_eigenvalues (n, wa, ref);
  check_solve (ctx, &p, &o, NULL, "both definite, D from 1e%.0f to 1e%.0f", low,
               high);
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
test_graded_right (gpueig_type type, int n, measure_random *r)
{
  gpueig_options o = options;
  CLEANUP (free_problem) any_problem p = begin (type, n);
  const double digits = gpueig_is_double (type) ? 12 : 6;
  o.high_accuracy = 1;
  left_matrix (type, n, 0, r, p.v);
  for (int j = 0; j < n; j++)
    {
      measure_set (type, p.b, j + n * j, pow (10, digits * j / n));
      for (int i = 0; i < n; i++)
        {
          wide x = i == j ? 1e-3 : 0;
          for (int k = 0; k < n; k++)
            x += get (type, p.v, i + n * k)
                 * conjl (get (type, p.v, j + n * k));
          measure_set (type, p.a, i + n * j, (double _Complex) x);
        }
    }
  check_solve (ctx, &p, &o, NULL, "graded B");
  CHECK_RATIO (measure_b_orthogonality (type, n, p.b, p.v), LIMIT_ORTHOGONALITY,
               "orthogonality, %s", p.what);
}

/* A definite and graded, B well-conditioned: right relative to the pair as it is.  */
static void
test_graded_left (gpueig_type type, int n, double low, measure_random *r)
{
  gpueig_options o = options;
  CLEANUP (free_problem) any_problem p = begin (type, n);
  o.high_accuracy = 1;
  graded_between (type, n, low, 0, p.a);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++)
      {
        const double x = i == j ? 1 : 0.5 * measure_uniform (r) / sqrt (n);
        measure_set (type, p.b, i + n * j, x);
        measure_set (type, p.b, j + n * i, x);
      }
  check_solve (ctx, &p, &o, NULL, "A graded from 1e%.0f", low);
  check_pair (&p, 1);
}

static void
test_not_definite (gpueig_type type)
{
  gpueig_options o = options;
  CLEANUP (free_problem) any_problem p = begin (type, 2);
  for (int i = 0; i < 4; i++)
    {
      measure_set (type, p.a, i, i % 3 == 0);
      measure_set (type, p.b, i, i % 3 == 0 ? 1 : 2);
    }
  for (o.high_accuracy = 0; o.high_accuracy < 2; o.high_accuracy++)
    CHECK (solve_problem (ctx, &p, &o, NULL) == GPUEIG_NOT_DEFINITE,
           "B is not definite, %s", check_type_name[type]);
}

static void
test_one_sweep (void)
{
  double a[9] = { 4, 1, 2, 1, 4, 1, 2, 1, 4 }, lambda[3], v[9];
  double b[9] = { 2, 1, 0, 1, 2, 1, 0, 1, 2 };
  gpueig_options opt = options;
  gpueig_info info;
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, 3, 1, a, lambda, v);
  problem.b = b;
  opt.high_accuracy = 1;
  opt.max_sweeps = 1;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, &info) == GPUEIG_NO_CONVERGENCE
             && ! info.converged,
         "one sweep: %s", gpueig_message (ctx));
}

int
main (void)
{
  static const int orders[] = { 1, 2, 3, 7, 20, 45 };
  static const int digits[] = { 0, 3, 6, 9, 12, 13 };
  measure_random r = { 33 };
  check_begin ("jacobi_pairs");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      const int wide_range = gpueig_is_double (type);
      for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
        {
          for (int kind = 0; kind < 7; kind++)
            for (size_t i = 0; i < (wide_range ? 6 : 3); i++)
              test_backward (type, orders[k], kind, pow (10, -digits[i]), &r);
          test_relative (type, orders[k], wide_range ? -40 : -6,
                         wide_range ? 30 : 5);
          test_relative (type, orders[k], -2, 0);
          test_graded_right (type, orders[k], &r);
          test_graded_left (type, orders[k], wide_range ? -40 : -20, &r);
        }
      test_not_definite (type);
    }
  test_one_sweep ();
  gpueig_destroy (ctx);
  return check_end ();
}
