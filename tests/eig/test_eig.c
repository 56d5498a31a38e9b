/* Claims about gpueig_eig_symmetric and gpueig_eig_general on the backend under test:
   results meet the limits for all four types and pages; stages report, and stop.  Pairs:
   test_pairs.c; errors of all solvers: test_defaults.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static void
test_symmetric (gpueig_type type, int64_t n, int64_t pages)
{
  measure_random r = { 7 };
  size_t size = gpueig_scalar_size (type), real = gpueig_real_size (type);
  FREED char *a = check_array (type, n * n * pages),
             *v = check_array (type, n * n * pages);
  FREED char *lambda = check_array (type, n * pages),
             *only = check_array (type, n * pages);
  for (int64_t p = 0; p < pages; p++)
    measure_random_symmetric (&r, type, n, a + (size_t) (p * n * n) * size);
  gpueig_symmetric problem = symmetric_problem (type, n, pages, a, lambda, v);
  CHECK (gpueig_eig_symmetric (ctx, &problem, &options, NULL) == GPUEIG_OK,
         "%s n=%d: %s", check_type_name[type], (int) n, gpueig_message (ctx));
  for (int64_t p = 0; p < pages; p++)
    {
      const char *ap = a + (size_t) (p * n * n) * size;
      const char *vp = v + (size_t) (p * n * n) * size;
      CHECK_BOTH (measure_residual (type, n, n, ap, vp,
                                    lambda + (size_t) (p * n) * real),
                  LIMIT_RESIDUAL, n, USUAL_EIG_RESIDUAL,
                  "residual, %s n=%d page %d", check_type_name[type], (int) n,
                  (int) p);
      CHECK_BOTH (measure_orthogonality (type, n, n, vp), LIMIT_ORTHOGONALITY,
                  n, USUAL_EIG_ORTHOGONALITY, "orthogonality, %s n=%d page %d",
                  check_type_name[type], (int) n, (int) p);
    }
  problem.v = NULL;
  problem.lambda = only;
  CHECK (gpueig_eig_symmetric (ctx, &problem, &options, NULL) == GPUEIG_OK,
         "%s n=%d without vectors", check_type_name[type], (int) n);
  /* The pages are alike, so the norm of the first will do for all.  */
  CHECK_BOTH (measure_eigenvalues (type, n * pages, lambda, only,
                                   measure_norm (type, n, n, a))
                  * (double) pages,
              LIMIT_EIGENVALUES, n, USUAL_EIG_EIGENVALUES,
              "values alone agree, %s n=%d", check_type_name[type], (int) n);
}

/* A large page, which the CPU solves in stages, scaled by 2^EXPONENT; stopped
   after some of the calls to the interrupt hook; reporting.  */
static int polls, lines;

static int
interrupted (void *data)
{
  return --polls < 0 || data == NULL;
}

static void
report (void *data, const char *line)
{
  lines += line != data;
}

static void
test_stages (gpueig_type type, int exponent)
{
  enum
  {
    N = 830
  };
  measure_random r = { 11 };
  gpueig_info info;
  FREED char *a = check_array (type, N * N), *v = check_array (type, N * N);
  FREED char *lambda = check_array (type, N);
  measure_random_symmetric (&r, type, N, a);
  for (int64_t i = 0; i < N * N; i++)
    measure_set (type, a, i, measure_get (type, a, i) * ldexp (1, exponent));
  gpueig_symmetric problem = symmetric_problem (type, N, 1, a, lambda, v);
  gpueig_options loud = options;
  loud.display = 1;
  const gpueig_callbacks callbacks
      = { .interrupted = interrupted, .report = report, .data = &info };
  gpueig_set_callbacks (ctx, &callbacks);
  polls = 1 << 20;
  lines = 0;
  CHECK (gpueig_eig_symmetric (ctx, &problem, &loud, &info) == GPUEIG_OK,
         "%s times 2^%d: %s", check_type_name[type], exponent,
         gpueig_message (ctx));
  CHECK (lines > 0 || options.backend == GPUEIG_CUDA, "stages are reported");
  CHECK_BOTH (measure_residual (type, N, N, a, v, lambda), LIMIT_RESIDUAL, N,
              USUAL_EIG_RESIDUAL, "residual, %s times 2^%d",
              check_type_name[type], exponent);
  CHECK_BOTH (measure_orthogonality (type, N, N, v), LIMIT_ORTHOGONALITY, N,
              USUAL_EIG_ORTHOGONALITY, "orthogonality, %s times 2^%d",
              check_type_name[type], exponent);
  int used = (1 << 20) - polls;
  for (int k = 0; k < used; k += 1 + used / 5)
    {
      polls = k;
      const gpueig_status status
          = gpueig_eig_symmetric (ctx, &problem, &options, &info);
      /* While a library call runs, the number of polls depends on its time.  */
      CHECK (status == GPUEIG_INTERRUPTED
                 || (k > 0 && polls >= 0 && status == GPUEIG_OK),
             "stopped at poll %d of %d", k, used);
    }
  gpueig_set_callbacks (ctx, NULL);
}

/* Methods for pages of a stack at once: right on the GPU, refused without one.  */
static void
test_stack_methods (gpueig_type type)
{
  static const char *const names[] = { "ql", "dc" };
  gpueig_options saved = options;
  double a[16] = { 0 }, lambda[4], v[16];
  gpueig_symmetric problem = symmetric_problem (type, 2, 1, a, lambda, v);
  for (int i = 0; i < 2; i++)
    {
      options.method = names[i];
      if (options.backend == GPUEIG_CUDA)
        {
          test_symmetric (type, 20, 3);
          test_symmetric (type, i == 0 ? 32 : 50, 3);
          continue;
        }
      CHECK (gpueig_eig_symmetric (ctx, &problem, &options, NULL)
                 == GPUEIG_NO_DEVICE,
             "%s needs a GPU: %s", names[i], gpueig_message (ctx));
    }
  options = saved;
}

/* Where one-sided Jacobi does not converge MRRR follows, and no warning remains.  */
static void
test_no_convergence (gpueig_type type)
{
  const gpueig_options saved = options;
  options.method = "shifted";
  options.max_sweeps = 1;
  test_symmetric (type, 40, 1);
  test_symmetric (type, 20, 5);
  options = saved;
}

static void
test_general (gpueig_type type, int64_t n)
{
  measure_random r = { 9 };
  gpueig_type pair = complex_type (type);
  FREED char *a = check_array (type, n * n), *v = check_array (pair, n * n);
  FREED char *w = check_array (pair, n * n), *lambda = check_array (pair, n);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, a, i, measure_normal (&r) + I * measure_normal (&r));
  gpueig_general problem = general_problem (type, n, 1, a, lambda, v, w);
  CHECK (gpueig_eig_general (ctx, &problem, &options, NULL) == GPUEIG_OK,
         "general, %s n=%d: %s", check_type_name[type], (int) n,
         gpueig_message (ctx));
  check_general (measure_general (type, n, a, v, w, lambda), n, USUAL_GENERAL,
                 "general, %s n=%d", check_type_name[type], (int) n);
}

int
main (void)
{
  static const int64_t orders[] = { 1, 2, 3, 31, 64, 65 };
  check_begin ("eig");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        {
          test_symmetric ((gpueig_type) t, orders[i], 1);
          test_general ((gpueig_type) t, orders[i]);
        }
      test_symmetric ((gpueig_type) t, 5, 7);
      test_stack_methods ((gpueig_type) t);
      test_no_convergence ((gpueig_type) t);
    }
  test_stages (GPUEIG_DOUBLE, 0);
  test_stages (GPUEIG_COMPLEX_DOUBLE, -1020);
  test_stages (GPUEIG_FLOAT, 100);
  gpueig_destroy (ctx);
  return check_end ();
}
