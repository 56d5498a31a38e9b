/* Claims, for "Accuracy" "high" on the backend under test: every eigenvalue of a
   positive definite D B D is right to a few n eps cond (B) relative to itself,
   however small, against Jacobi in long double; LAPACK's divide and conquer is
   not; indefinite matrices are solved as well as ever.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

typedef long double _Complex wide;

static gpueig_context *ctx;
static gpueig_options options;
/* --- the reference: cyclic by rows, long double --- */

static void
rotate (int n, wide *a, int p, int q)
{
  wide g = a[p + n * q];
  long double size = cabsl (g), app = creall (a[p + n * p]);
  long double aqq = creall (a[q + n * q]), d = aqq - app;
  if (size == 0)
    return;
  wide phase = g / size;
  long double t = 2 * size / (fabsl (d) + hypotl (d, 2 * size));
  t = d < 0 ? -t : t;
  long double c = 1 / sqrtl (1 + t * t), s = c * t;
  for (int k = 0; k < n; k++)
    {
      wide x = a[k + n * p], y = a[k + n * q];
      a[k + n * p] = c * x - s * conjl (phase) * y;
      a[k + n * q] = s * phase * x + c * y;
    }
  for (int k = 0; k < n; k++)
    {
      wide x = a[p + n * k], y = a[q + n * k];
      a[p + n * k] = c * x - s * phase * y;
      a[q + n * k] = s * conjl (phase) * x + c * y;
    }
  a[p + n * p] = app - t * size;
  a[q + n * q] = aqq + t * size;
  a[p + n * q] = a[q + n * p] = 0;
}

static int
ascending (const void *x, const void *y)
{
  long double a = *(const long double *) x, b = *(const long double *) y;
  return (a > b) - (a < b);
}

static void
reference (int n, wide *a, long double *lambda)
{
  for (int sweep = 0, rotations = 1; sweep < 60 && rotations > 0; sweep++)
    {
      rotations = 0;
      for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++)
          if (cabsl (a[p + n * q])
              > 1e-19L * sqrtl (fabsl (creall (a[p + n * p])))
                    * sqrtl (fabsl (creall (a[q + n * q]))))
            {
              rotate (n, a, p, q);
              rotations++;
            }
    }
  for (int j = 0; j < n; j++)
    lambda[j] = creall (a[j + n * j]);
  qsort (lambda, (size_t) n, sizeof *lambda, ascending);
}

/* --- graded matrices --- */

/* A = D B D of TYPE; D from 1 to 10^-DIGITS in random order, B with unit
   diagonal; the result is cond (B).  */
static double
graded (gpueig_type type, int n, double digits, void *a)
{
  measure_random r = { (uint64_t) (100 * n + (int) digits) };
  gpueig_options cpu = gpueig_default_options ();
  gpueig_info info;
  double _Complex *b = malloc ((size_t) (n * n) * sizeof *b);
  double *d = malloc ((size_t) n * sizeof *d);
  double *lambda = malloc ((size_t) n * sizeof *lambda);
  if (! b || ! d || ! lambda)
    exit (2);
  cpu.backend = GPUEIG_CPU;
  for (int j = 0; j < n; j++)
    {
      d[j] = pow (10, -digits * (measure_uniform (&r) + 1) / 2);
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
  gpueig_symmetric problem = {
    .type = GPUEIG_COMPLEX_DOUBLE, .n = n, .pages = 1, .a = b, .lambda = lambda
  };
  if (gpueig_eig_symmetric (ctx, &problem, &cpu, &info) != GPUEIG_OK
      || lambda[0] <= 0)
    exit (2);
  double condition = lambda[n - 1] / lambda[0];
  free (b);
  free (d);
  free (lambda);
  return condition;
}

static double
relative_error (gpueig_type type, int n, const void *lambda,
                const long double *ref, double condition)
{
  gpueig_type real = gpueig_is_double (type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  long double worst = 0;
  for (int j = 0; j < n; j++)
    {
      long double e = (long double) creal (measure_get (real, lambda, j));
      e = fabsl (e - ref[j]) / ref[j];
      worst = isnan (e) ? INFINITY : fmaxl (worst, e);
    }
  return (double) worst / (n * measure_eps (type) * condition);
}

static void
test_graded (gpueig_type type, int n, double digits)
{
  gpueig_info info;
  gpueig_options opt = options;
  size_t size = gpueig_scalar_size (type);
  char *a = malloc ((size_t) (n * n) * size),
       *v = malloc ((size_t) (n * n) * size);
  double *lambda = malloc ((size_t) n * sizeof *lambda);
  wide *w = malloc ((size_t) (n * n) * sizeof *w);
  long double *ref = malloc ((size_t) n * sizeof *ref);
  if (! a || ! v || ! lambda || ! w || ! ref)
    exit (2);
  double condition = graded (type, n, digits, a);
  for (int i = 0; i < n * n; i++)
    w[i] = measure_get (type, a, i);
  reference (n, w, ref);
  gpueig_symmetric problem
      = { .type = type, .n = n, .pages = 1, .a = a, .lambda = lambda, .v = v };
  opt.high_accuracy = 1;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, &info) == GPUEIG_OK,
         "%s n=%d: %s", check_type_name[type], n, gpueig_message (ctx));
  CHECK_RATIO (relative_error (type, n, lambda, ref, condition), LIMIT_RELATIVE,
               "relative, %s n=%d, cond (A) about 1e%d", check_type_name[type],
               n, (int) (2 * digits));
  CHECK_BOTH (measure_residual (type, n, n, a, v, lambda), LIMIT_RESIDUAL, n,
              USUAL_HIGH_RESIDUAL, "residual, %s n=%d", check_type_name[type],
              n);
  CHECK_BOTH (measure_orthogonality (type, n, n, v), LIMIT_ORTHOGONALITY, n,
              USUAL_HIGH_ORTHOGONALITY, "orthogonality, %s n=%d",
              check_type_name[type], n);
  problem.v = NULL;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, &info) == GPUEIG_OK
             && relative_error (type, n, lambda, ref, condition)
                    < LIMIT_RELATIVE,
         "without vectors, %s n=%d", check_type_name[type], n);
  opt.high_accuracy = 0;
  opt.backend = GPUEIG_CPU;
  gpueig_eig_symmetric (ctx, &problem, &opt, &info);
  if (digits > 10 && n >= 10)
    CHECK (
        ! (relative_error (type, n, lambda, ref, condition) < LIMIT_RELATIVE),
        "divide and conquer is not as accurate, %s n=%d", check_type_name[type],
        n);
  free (a);
  free (v);
  free (lambda);
  free (w);
  free (ref);
}

static void
test_indefinite (gpueig_type type, int n)
{
  measure_random r = { 51 };
  gpueig_info info;
  gpueig_options opt = options;
  size_t size = gpueig_scalar_size (type);
  char *a = malloc ((size_t) (n * n) * size),
       *v = malloc ((size_t) (n * n) * size);
  double *lambda = malloc ((size_t) n * sizeof *lambda);
  if (! a || ! v || ! lambda)
    exit (2);
  opt.high_accuracy = 1;
  measure_random_symmetric (&r, type, n, a);
  gpueig_symmetric problem
      = { .type = type, .n = n, .pages = 1, .a = a, .lambda = lambda, .v = v };
  for (int pass = 0; pass < 3; pass++)
    {
      CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, &info) == GPUEIG_OK,
             "indefinite, %s, pass %d: %s", check_type_name[type], pass,
             gpueig_message (ctx));
      CHECK_RATIO (measure_residual (type, n, n, a, v, lambda), LIMIT_RESIDUAL,
                   "indefinite residual, %s, pass %d", check_type_name[type],
                   pass);
      /* Then with zero rows, then with a zero diagonal.  */
      for (int i = 0; i < n; i++)
        if (pass == 0)
          for (int j = 0; j < n; j += 3)
            {
              measure_set (type, a, i + n * j, 0);
              measure_set (type, a, j + n * i, 0);
            }
        else
          measure_set (type, a, i + n * i, 0);
    }
  free (a);
  free (v);
  free (lambda);
}

int
main (void)
{
  static const int orders[] = { 2, 3, 10, 33, 64, 71, 130 };
  check_begin ("jacobi_high");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      gpueig_type type = (gpueig_type) t;
      for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
        {
          test_graded (type, orders[k], gpueig_is_double (type) ? 15 : 7);
          if (gpueig_is_double (type))
            test_graded (type, orders[k], 60);
        }
      test_indefinite (type, 40);
      test_indefinite (type, 85);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
