/* Claims, for definite pairs (A, B) by Jacobi on the backend under test: with "Accuracy"
   "high" or without, the columnwise backward error is below 10 n eps for conditions of B
   up to 9e14, and V'BV = I to 10 n eps cond (B); where both are definite, every eigenvalue has a
   relative error of n eps times the conditions of the scaled matrices, against the same
   in long double; eigenvalues do not depend on V; gpueig_eig_symmetric with high accuracy
   returns the same bits; B that is not definite is told.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "graded_matrices.h"
#include "limits.h"

#include <stdio.h>
#include <string.h>

static gpueig_options options;

static wide
get (gpueig_type type, const void *m, int64_t at)
{
  return measure_get (type, m, (int) at);
}

static long double
norm_of (gpueig_type type, int n, const void *m)
{
  long double norm = 0;
  for (int j = 0; j < n; j++)
    {
      long double sum = 0;
      for (int i = 0; i < n; i++)
        sum += cabsl (get (type, m, i + n * j));
      norm = fmaxl (norm, sum);
    }
  return norm;
}

/* The largest columnwise backward error in units of n eps; *ORTHOGONALITY:
   |V'BV - I| in the same.  */
static double
backward_error (gpueig_type type, int n, const void *a, const void *b,
                const void *v, const void *lambda, double *orthogonality)
{
  const gpueig_type real = real_type (type);
  const long double na = norm_of (type, n, a), nb = norm_of (type, n, b);
  const long double unit = (long double) n * measure_eps (type);
  FREED wide *bv = check_memory (n, sizeof *bv);
  long double worst = 0;
  *orthogonality = 0;
  for (int j = 0; j < n; j++)
    {
      const long double l = creall (get (real, lambda, j));
      long double r = 0, size = 0, sum = 0;
      for (int i = 0; i < n; i++)
        {
          wide av = 0;
          bv[i] = 0;
          for (int k = 0; k < n; k++)
            {
              av += get (type, a, i + n * k) * get (type, v, k + n * j);
              bv[i] += get (type, b, i + n * k) * get (type, v, k + n * j);
            }
          r += cabsl (av - l * bv[i]);
          size += cabsl (get (type, v, i + n * j));
        }
      worst = fmaxl (worst, r / ((na + fabsl (l) * nb) * size * unit));
      for (int i = 0; i < n; i++)
        {
          wide s = i == j ? -1 : 0;
          for (int k = 0; k < n; k++)
            s += conjl (get (type, v, k + n * i)) * bv[k];
          sum += cabsl (s);
        }
      *orthogonality = fmax (*orthogonality, (double) (sum / unit));
    }
  return isnan (worst) ? INFINITY : (double) worst;
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
  gpueig_options opt = options;
  const size_t bytes = (size_t) n * gpueig_real_size (type);
  FREED char *a = check_array (type, n * n), *b = check_array (type, n * n),
             *v = check_array (type, n * n), *lambda = check_array (type, n),
             *only = check_array (type, n), *same = check_array (type, n);
  char what[120];
  double orthogonality;
  opt.high_accuracy = 1;
  left_matrix (type, n, kind, r, a);
  const double condition
      = kernel_matrix (type, n, 4 + 4 * measure_uniform (r) + 4, reg, b);
  gpueig_symmetric problem = {
    .type = type, .n = n, .pages = 1, .a = a, .b = b, .lambda = lambda, .v = v
  };
  snprintf (what, sizeof what, "%s n=%d kind %d, cond (B) %.0e",
            check_type_name[type], n, kind, condition);
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK, "%s: %s",
         what, gpueig_message (ctx));
  CHECK_RATIO (backward_error (type, n, a, b, v, lambda, &orthogonality),
               LIMIT_RESIDUAL, "backward error, %s", what);
  CHECK_RATIO (orthogonality / condition, LIMIT_ORTHOGONALITY,
               "orthogonality, %s", what);
  problem.v = NULL;
  problem.lambda = only;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK
             && memcmp (only, lambda, bytes) == 0,
         "values alone, %s", what);
  problem.lambda = same;
  CHECK (gpueig_eig_symmetric (ctx, &problem, &opt, NULL) == GPUEIG_OK
             && memcmp (same, lambda, bytes) == 0,
         "eig, %s", what);
  opt.high_accuracy = 0;
  problem.v = v;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK,
         "plain, %s: %s", what, gpueig_message (ctx));
  CHECK_RATIO (backward_error (type, n, a, b, v, same, &orthogonality),
               LIMIT_RESIDUAL, "plain, %s", what);
  CHECK_RATIO (orthogonality / condition, LIMIT_ORTHOGONALITY,
               "orthogonality, plain, %s", what);
}

/* --- both definite: relative accuracy --- */

/* M (n-by-n) <- its Cholesky factor with complete pivoting, rows in their order.  */
static void
factor (int n, wide *m)
{
  FREED wide *f = check_memory (n * n, sizeof *f);
  FREED int *used = check_memory (n, sizeof *used);
  for (int k = 0; k < n; k++)
    {
      int p = -1;
      for (int i = 0; i < n; i++)
        if (! used[i]
            && (p < 0 || creall (m[i + n * i]) > creall (m[p + n * p])))
          p = i;
      used[p] = 1;
      const long double root = sqrtl (creall (m[p + n * p]));
      for (int i = 0; i < n; i++)
        if (! used[i] || i == p)
          f[i + n * k] = i == p ? root : m[i + n * p] / root;
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
          if (! used[i] && ! used[j])
            m[i + n * j] -= f[i + n * k] * conjl (f[j + n * k]);
    }
  memcpy (m, f, (size_t) (n * n) * sizeof *m);
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

/* The squares of the singular values of M, by rotations of its columns.  */
static void
singular_squares (int n, wide *m, long double *lambda)
{
  long double worst = 1;
  for (int sweep = 0; sweep < 60 && worst > 1e-18L; sweep++)
    {
      worst = 0;
      for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++)
          {
            long double a = 0, b = 0;
            wide g = 0;
            for (int i = 0; i < n; i++)
              {
                const wide x = m[i + n * p], y = m[i + n * q];
                a += creall (conjl (x) * x);
                b += creall (conjl (y) * y);
                g += conjl (x) * y;
              }
            const long double size = cabsl (g),
                              c0 = size / sqrtl (a) / sqrtl (b);
            worst = fmaxl (worst, c0);
            if (! (c0 > 1e-19L))
              continue;
            const long double z = (b - a) / (2 * size);
            const long double t
                = copysignl (1, z) / (fabsl (z) + sqrtl (1 + z * z));
            const long double c = 1 / sqrtl (1 + t * t), s = c * t;
            const wide phase = g / size;
            for (int i = 0; i < n; i++)
              {
                const wide x = m[i + n * p], y = conjl (phase) * m[i + n * q];
                m[i + n * p] = c * x - s * y;
                m[i + n * q] = s * x + c * y;
              }
          }
    }
  for (int j = 0; j < n; j++)
    {
      lambda[j] = 0;
      for (int i = 0; i < n; i++)
        lambda[j] += creall (conjl (m[i + n * j]) * m[i + n * j]);
    }
  qsort (lambda, (size_t) n, sizeof *lambda, ascending);
}

static void
test_relative (gpueig_type type, int n, double low, double high)
{
  gpueig_info info;
  gpueig_options opt = options;
  FREED char *a = check_array (type, n * n), *b = check_array (type, n * n),
             *v = check_array (type, n * n), *lambda = check_array (type, n);
  FREED wide *wa = check_memory (n * n, sizeof *wa),
             *wb = check_memory (n * n, sizeof *wb);
  FREED long double *ref = check_memory (n, sizeof *ref);
  double orthogonality;
  opt.high_accuracy = 1;
  const double condition = graded_between (type, n, low, high, a)
                           + graded_between (type, n, low / 3, high / 2, b);
  /* Scaled to a unit diagonal of A.  */
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        const long double s = sqrtl (creall (get (type, a, i + n * i)))
                              * sqrtl (creall (get (type, a, j + n * j)));
        wa[i + n * j] = get (type, a, i + n * j) / s;
        wb[i + n * j] = get (type, b, i + n * j) / s;
      }
  factor (n, wa);
  factor (n, wb);
  divide (n, wb, wa);
  /* Rows of wa are graded: rotate the columns of its adjoint.  */
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      wb[j + n * i] = conjl (wa[i + n * j]);
  singular_squares (n, wb, ref);
  gpueig_symmetric problem = {
    .type = type, .n = n, .pages = 1, .a = a, .b = b, .lambda = lambda, .v = v
  };
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, &info) == GPUEIG_OK
             && strcmp (info.extra[info.n_extra - 1].name, "tangent") == 0
             && info.extra[info.n_extra - 1].value == 1,
         "both definite, %s n=%d: %s", check_type_name[type], n,
         gpueig_message (ctx));
  CHECK_RATIO (relative_error (type, n, lambda, ref, condition), LIMIT_RELATIVE,
               "relative, both definite, %s n=%d, D from 1e%.0f to 1e%.0f",
               check_type_name[type], n, low, high);
  /* Of the pair scaled to a unit diagonal of A if D is extreme.  */
  if (high - low < 10)
    {
      CHECK_RATIO (backward_error (type, n, a, b, v, lambda, &orthogonality),
                   LIMIT_RESIDUAL, "backward error, both definite, %s n=%d",
                   check_type_name[type], n);
      CHECK_RATIO (orthogonality / condition, LIMIT_ORTHOGONALITY,
                   "orthogonality, both definite, %s n=%d",
                   check_type_name[type], n);
    }
}

/* A definite, not graded and ill-conditioned, B diagonal and graded: V'BV = I as without
   "high".  */
static void
test_graded_right (gpueig_type type, int n, measure_random *r)
{
  gpueig_options opt = options;
  FREED char *a = check_array (type, n * n), *b = check_array (type, n * n),
             *v = check_array (type, n * n), *lambda = check_array (type, n);
  const double digits = gpueig_is_double (type) ? 12 : 6;
  double orthogonality;
  opt.high_accuracy = 1;
  left_matrix (type, n, 0, r, v);
  for (int j = 0; j < n; j++)
    {
      measure_set (type, b, j + n * j, pow (10, digits * j / n));
      for (int i = 0; i < n; i++)
        {
          wide x = i == j ? 1e-3 : 0;
          for (int k = 0; k < n; k++)
            x += get (type, v, i + n * k) * conjl (get (type, v, j + n * k));
          measure_set (type, a, i + n * j, (double _Complex) x);
        }
    }
  const gpueig_symmetric problem = {
    .type = type, .n = n, .pages = 1, .a = a, .b = b, .lambda = lambda, .v = v
  };
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK,
         "graded B, %s n=%d: %s", check_type_name[type], n,
         gpueig_message (ctx));
  (void) backward_error (type, n, a, b, v, lambda, &orthogonality);
  CHECK_RATIO (orthogonality, LIMIT_ORTHOGONALITY,
               "orthogonality, graded B, %s n=%d", check_type_name[type], n);
}

static void
test_not_definite (gpueig_type type)
{
  gpueig_options opt = options;
  FREED char *a = check_array (type, 4), *b = check_array (type, 4),
             *lambda = check_array (type, 2);
  for (int i = 0; i < 4; i++)
    {
      measure_set (type, a, i, i % 3 == 0);
      measure_set (type, b, i, i % 3 == 0 ? 1 : 2);
    }
  gpueig_symmetric problem
      = { .type = type, .n = 2, .pages = 1, .a = a, .b = b, .lambda = lambda };
  for (int high = 0; high < 2; high++)
    {
      opt.high_accuracy = high;
      CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL)
                 == GPUEIG_NOT_DEFINITE,
             "B is not definite, %s", check_type_name[type]);
    }
}

/* After every failing allocation the next call succeeds; one sweep is not enough.  */
static void
test_failures (void)
{
  double a[9] = { 4, 1, 2, 1, 4, 1, 2, 1, 4 }, lambda[3], v[9];
  double b[9] = { 2, 1, 0, 1, 2, 1, 0, 1, 2 };
  gpueig_options opt = options;
  gpueig_info info;
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, 3, 1, a, lambda, v);
  problem.b = b;
  opt.high_accuracy = 1;
  CHECK_FAILING_ALLOCATIONS (gpueig_jacobi_eig (ctx, &problem, &opt, NULL),
                             "failing allocations: %s", gpueig_message (ctx));
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
        }
      test_not_definite (type);
    }
  test_failures ();
  gpueig_destroy (ctx);
  return check_end ();
}
