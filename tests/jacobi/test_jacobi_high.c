/* Claims, for "Accuracy" "high" on the backend under test: every eigenvalue of a
   positive definite D B D is right to a few n eps cond (B) relative to itself,
   however small, against Jacobi in long double; LAPACK's divide and conquer is
   not; indefinite matrices are solved as well as ever.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "graded_matrices.h"
#include "limits.h"

static gpueig_options options;
static void
test_graded (gpueig_type type, int n, double digits)
{
  gpueig_options opt = options;
  FREED char *a = check_array (type, n * n), *v = check_array (type, n * n);
  FREED double *lambda = check_memory (n, sizeof *lambda);
  FREED wide *w = check_memory (n * n, sizeof *w);
  FREED long double *ref = check_memory (n, sizeof *ref);
  double condition = graded (type, n, digits, a);
  for (int i = 0; i < n * n; i++)
    w[i] = measure_get (type, a, i);
  reference (n, w, ref);
  gpueig_symmetric problem = symmetric_problem (type, n, 1, a, lambda, v);
  opt.high_accuracy = 1;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK,
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
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK
             && relative_error (type, n, lambda, ref, condition)
                    < LIMIT_RELATIVE,
         "without vectors, %s n=%d", check_type_name[type], n);
  opt.high_accuracy = 0;
  opt.backend = GPUEIG_CPU;
  gpueig_eig_symmetric (ctx, &problem, &opt, NULL);
  if (digits > 10 && n >= 10)
    CHECK (
        ! (relative_error (type, n, lambda, ref, condition) < LIMIT_RELATIVE),
        "divide and conquer is not as accurate, %s n=%d", check_type_name[type],
        n);
}

static void
test_indefinite (gpueig_type type, int n)
{
  measure_random r = { 51 };
  gpueig_options opt = options;
  FREED char *a = check_array (type, n * n), *v = check_array (type, n * n);
  FREED double *lambda = check_memory (n, sizeof *lambda);
  opt.high_accuracy = 1;
  measure_random_symmetric (&r, type, n, a);
  gpueig_symmetric problem = symmetric_problem (type, n, 1, a, lambda, v);
  for (int pass = 0; pass < 3; pass++)
    {
      CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK,
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
}

/* Other methods rotate what is small relative to the norm alone.  */
static void
test_methods (void)
{
  double a = 1, lambda;
  gpueig_options opt = options;
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, 1, 1, &a, &lambda, NULL);
  opt.high_accuracy = 1;
  const int on_gpu = options.backend == GPUEIG_CUDA;
  opt.method = on_gpu ? "preconditioned" : "block";
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK,
         "high accuracy by \"%s\"", opt.method);
  opt.method = "classical";
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_BAD_OPTION,
         "no high accuracy by \"classical\"");
  opt.method = on_gpu ? "block" : "preconditioned";
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_BAD_OPTION,
         "no high accuracy by \"%s\"", opt.method);
}

int
main (void)
{
  static const int orders[] = { 2, 3, 10, 33, 64, 71, 130 };
  check_begin ("jacobi_high");
  ctx = check_context (&options);
  test_methods ();
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
