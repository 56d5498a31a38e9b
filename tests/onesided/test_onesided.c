/* Claims, for the one-sided Jacobi solver on the backend under test: every
   method passes the bars on hard matrices for all four types; pages do not
   influence each other; high accuracy keeps tiny eigenvalues; failures are
   reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "hard_matrices.h"
#include "limits.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static const char *const methods[]
    = { "auto", "hestenes", "cholesky", "shifted" };

/* --- the bars --- */

/* A matrix of KIND; random ones have errors of the usual size.  */
static void
check_page (const char *what, int kind, gpueig_type type, int64_t n,
            const void *a, const void *lambda, const void *v,
            const void *reference)
{
  /* The measures square numbers: scale the page to norm about 1.  */
  gpueig_type real = real_type (type);
  double norm = measure_norm (type, n, n, a);
  int exponent = 0;
  (void) frexp (norm, &exponent);
  FREED char *as = check_array (type, n * n), *ls = check_array (type, n);
  for (int64_t i = 0; i < n * n; i++)
    {
      double _Complex x = measure_get (type, a, i);
      measure_set (type, as, i,
                   ldexp (creal (x), -exponent)
                       + I * ldexp (cimag (x), -exponent));
    }
  for (int64_t i = 0; i < n; i++)
    measure_set (real, ls, i,
                 ldexp (creal (measure_get (real, lambda, i)), -exponent));
  const double residual = measure_residual (type, n, n, as, v, ls);
  const double orthogonality = measure_orthogonality (type, n, n, v);
  const double values
      = measure_eigenvalues (type, n, lambda, reference, norm > 0 ? norm : 1);
  CHECK_RATIO (residual, LIMIT_RESIDUAL, "residual, %s", what);
  CHECK_RATIO (orthogonality, LIMIT_ORTHOGONALITY, "orthogonality, %s", what);
  CHECK_RATIO (values, LIMIT_EIGENVALUES, "eigenvalues, %s", what);
  if (kind == RANDOM)
    {
      check_usual (residual, n, USUAL_ONESIDED_RESIDUAL, "residual, %s", what);
      check_usual (orthogonality, n, USUAL_ONESIDED_ORTHOGONALITY,
                   "orthogonality, %s", what);
      check_usual (values, n, USUAL_ONESIDED_EIGENVALUES, "eigenvalues, %s",
                   what);
    }
  int ascending = 1;
  for (int64_t i = 1; i < n; i++)
    ascending &= creal (measure_get (real, lambda, i))
                 >= creal (measure_get (real, lambda, i - 1));
  CHECK (ascending, "ascending, %s", what);
}

static void
test_matrix (const char *method, int kind, gpueig_type type, int64_t n)
{
  char what[120];
  gpueig_info info;
  gpueig_options opt = options, cpu = gpueig_default_options ();
  FREED char *a = check_array (type, n * n), *v = check_array (type, n * n);
  FREED char *lambda = check_array (type, n),
             *reference = check_array (type, n);
  FREED char *only = check_array (type, n);
  make_matrix (kind, type, n, a);
  gpueig_symmetric problem = symmetric_problem (type, n, 1, a, reference, NULL);
  cpu.backend = GPUEIG_CPU;
  gpueig_eig_symmetric (ctx, &problem, &cpu, &info);
  problem.lambda = lambda;
  problem.v = v;
  opt.method = method;
  snprintf (what, sizeof what, "%s of %s, %s n=%d", method, kind_name[kind],
            check_type_name[type], (int) n);
  gpueig_status status = gpueig_onesided_eig (ctx, &problem, &opt, &info);
  CHECK (status == GPUEIG_OK && info.converged, "%s: %s, %d sweeps", what,
         gpueig_message (ctx), (int) info.sweeps);
  if (status == GPUEIG_OK)
    check_page (what, kind, type, n, a, lambda, v, reference);
  problem.v = NULL;
  problem.lambda = only;
  CHECK (gpueig_onesided_eig (ctx, &problem, &opt, &info) == GPUEIG_OK
             && memcmp (only, lambda, (size_t) n * gpueig_real_size (type))
                    == 0,
         "values alone are the same, %s", what);
}

/* --- pages --- */

/* Pages of different kinds: each is as good as alone, and the same to the bit
   wherever it stands in a stack.  */
static void
test_pages (const char *method, gpueig_type type, int64_t n, int64_t pages)
{
  char what[120];
  gpueig_options opt = options, cpu = gpueig_default_options ();
  size_t size = gpueig_scalar_size (type), real = gpueig_real_size (type);
  size_t page = (size_t) (n * n) * size, values = (size_t) n * real;
  FREED char *a = check_array (type, n * n * pages),
             *v = check_array (type, n * n * pages);
  FREED char *lambda = check_array (type, n * pages),
             *reference = check_array (type, n * pages);
  for (int64_t p = 0; p < pages; p++)
    make_matrix ((int) (p % WILKINSON), type, n, a + (size_t) p * page);
  gpueig_symmetric problem
      = symmetric_problem (type, n, pages, a, reference, NULL);
  cpu.backend = GPUEIG_CPU;
  opt.method = method;
  gpueig_eig_symmetric (ctx, &problem, &cpu, NULL);
  problem.lambda = lambda;
  problem.v = v;
  CHECK (gpueig_onesided_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK,
         "%d pages by %s, %s n=%d: %s", (int) pages, method,
         check_type_name[type], (int) n, gpueig_message (ctx));
  for (int64_t p = 0; p < pages; p += 1 + pages / 40)
    {
      snprintf (what, sizeof what, "page %d of %d by %s, %s n=%d", (int) p,
                (int) pages, method, check_type_name[type], (int) n);
      check_page (what, (int) (p % WILKINSON), type, n, a + (size_t) p * page,
                  lambda + (size_t) p * values, v + (size_t) p * page,
                  reference + (size_t) p * values);
    }
  int same = 1;
  for (int64_t p = WILKINSON; p < pages; p++)
    {
      size_t twin = (size_t) (p % WILKINSON);
      same &= memcmp (v + (size_t) p * page, v + twin * page, page) == 0
              && memcmp (lambda + (size_t) p * values, lambda + twin * values,
                         values)
                     == 0;
    }
  CHECK (same, "equal pages give equal bits, %s n=%d %s", check_type_name[type],
         (int) n, method);
}

/* Small pages I + eps^(2/3) R: their shift is negative, and lengths of columns
   that are got back from eigenvalues would lose digits.  One rotation gives
   |V'V - I| of an eps.  */
static void
test_near_identity (gpueig_type type, int64_t n)
{
  enum
  {
    PAGES = 500
  };
  const size_t size = gpueig_scalar_size (type);
  const double close = pow (measure_eps (type), 2.0 / 3);
  measure_random r = { 77 };
  FREED char *a = check_array (type, n * n * PAGES);
  FREED char *v = check_array (type, n * n * PAGES);
  FREED char *lambda = check_array (type, n * PAGES);
  double worst = 0;
  for (int64_t p = 0; p < PAGES; p++)
    {
      char *page = a + (size_t) (p * n * n) * size;
      measure_random_symmetric (&r, type, n, page);
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, page, i,
                     close * measure_get (type, page, i)
                         + (i % (n + 1) == 0 ? 1 : 0));
    }
  gpueig_symmetric problem = symmetric_problem (type, n, PAGES, a, lambda, v);
  CHECK (gpueig_onesided_eig (ctx, &problem, &options, NULL) == GPUEIG_OK,
         "near the identity, %s n=%d", check_type_name[type], (int) n);
  for (int64_t p = 0; p < PAGES; p++)
    worst = fmax (worst, measure_orthogonality (
                             type, n, n, v + (size_t) (p * n * n) * size));
  CHECK_RATIO (worst * (double) n, 8,
               "orthogonality in eps near the identity, %s n=%d",
               check_type_name[type], (int) n);
}

/* --- high accuracy --- */

/* A = D B D with D from 1 to 1e-(DECADES / 2), B well conditioned; the
   reference is the inverse of the eigenvalues of a matrix that is known: n = 2
   blocks [d1^2, d1 d2 b; d1 d2 b, d2^2] have closed forms.  */
static void
test_high_blocks (gpueig_type type, int64_t n, double decades)
{
  gpueig_info info;
  gpueig_options opt = options;
  gpueig_type real = real_type (type);
  FREED char *a = check_array (type, n * n), *v = check_array (type, n * n);
  FREED char *lambda = check_array (type, n);
  FREED long double *exact = check_memory (n, sizeof *exact);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, a, i, 0);
  double b = 0.5;
  /* Pair k: rows k and n - 1 - k, so scales meet in every block.  */
  for (int64_t k = 0; k < n / 2; k++)
    {
      double e = decades * 3.3 / 2 * (double) k / (double) n;
      double e2 = decades * 3.3 / 2 * (double) (n - 1 - k) / (double) n;
      double d1 = ldexp (1, -(int) e), d2 = ldexp (1, -(int) e2);
      measure_set (type, a, k + n * k, d1 * d1);
      measure_set (type, a, (n - 1 - k) * (n + 1), d2 * d2);
      double _Complex x
          = gpueig_is_complex (type) ? I * b * d1 * d2 : b * d1 * d2;
      set_pair (type, a, n, n - 1 - k, k, x);
      long double p = (long double) d1 * d1, q = (long double) d2 * d2;
      long double root = sqrtl ((p - q) * (p - q) + 4 * (p * q * b * b));
      exact[k] = (p + q + root) / 2;
      exact[n - 1 - k] = p * q * (1 - (long double) b * b) / exact[k];
    }
  gpueig_symmetric problem = symmetric_problem (type, n, 1, a, lambda, v);
  opt.high_accuracy = 1;
  CHECK (gpueig_onesided_eig (ctx, &problem, &opt, &info) == GPUEIG_OK
             && info.fallback[0] == '\0',
         "high accuracy, %s n=%d: %s %s", check_type_name[type], (int) n,
         gpueig_message (ctx), info.fallback);
  /* Ascending order of the exact values.  */
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++)
      if (exact[j] < exact[i])
        {
          long double t = exact[i];
          exact[i] = exact[j];
          exact[j] = t;
        }
  double worst = 0;
  for (int64_t i = 0; i < n; i++)
    {
      long double x = creal (measure_get (real, lambda, i));
      worst = worst_of (worst, (double) fabsl (x / exact[i] - 1));
    }
  CHECK_RATIO (worst / ((double) n * measure_eps (type) * 3), LIMIT_RELATIVE,
               "relative error of every eigenvalue, %s n=%d, %g decades",
               check_type_name[type], (int) n, decades);
  CHECK_RATIO (measure_orthogonality (type, n, n, v), LIMIT_ORTHOGONALITY,
               "orthogonality at high accuracy, %s n=%d", check_type_name[type],
               (int) n);
}

/* D B D with a dense B: the product of all eigenvalues is det (D)^2 det (B), and
   scaling by D = 2^k I keeps the bits.  An eigenvalue that is wrong relatively
   shows in the determinant.  */
static void
test_high_dense (gpueig_type type, int64_t n)
{
  gpueig_options opt = options;
  measure_random r = { 5 };
  gpueig_type real = real_type (type);
  int range = gpueig_is_double (type) ? 40 : 6;
  FREED char *a = check_array (type, n * n), *v = check_array (type, n * n);
  FREED char *lambda = check_array (type, n);
  double logarithm = 0, found = 0;
  /* B = I + uu' / n with |u_i| = 1: det (B) = 2, cond (B) = 2.  */
  FREED double _Complex *u = check_memory (n, sizeof *u);
  FREED int *d = check_memory (n, sizeof *d);
  for (int64_t i = 0; i < n; i++)
    {
      u[i] = measure_uniform (&r) > 0 ? 1 : -1;
      if (gpueig_is_complex (type))
        u[i] *= measure_uniform (&r) > 0 ? I : 1;
      d[i] = -(int) (fabs (measure_uniform (&r)) * range);
      logarithm += 2 * d[i];
    }
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = j; i < n; i++)
      {
        double _Complex x = u[i] * conj (u[j]) / (double) n + (i == j);
        set_pair (type, a, n, i, j,
                  ldexp (creal (x), d[i] + d[j])
                      + I * ldexp (cimag (x), d[i] + d[j]));
      }
  logarithm += 1;
  gpueig_symmetric problem = symmetric_problem (type, n, 1, a, lambda, v);
  opt.high_accuracy = 1;
  opt.method = "cholesky";
  CHECK (gpueig_onesided_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK,
         "high accuracy of a dense matrix, %s n=%d: %s", check_type_name[type],
         (int) n, gpueig_message (ctx));
  for (int64_t i = 0; i < n; i++)
    found += log2 (creal (measure_get (real, lambda, i)));
  /* n relative errors of at most 10 n eps cond (B) add up.  */
  CHECK_RATIO (fabs (found - logarithm)
                   / ((double) (n * n) * measure_eps (type) * 2),
               LIMIT_RELATIVE, "determinant at high accuracy, %s n=%d",
               check_type_name[type], (int) n);
}

/* Not positive definite: normal accuracy, which info reports.  */
static void
test_high_fallback (gpueig_type type)
{
  enum
  {
    N = 6
  };
  gpueig_info info;
  gpueig_options opt = options;
  double _Complex a[N * N], v[N * N];
  double lambda[N], reference[N];
  gpueig_options cpu = gpueig_default_options ();
  make_matrix (KRON, type, N, a);
  gpueig_symmetric problem = symmetric_problem (type, N, 1, a, reference, v);
  gpueig_eig_symmetric (ctx, &problem, &cpu, &info);
  problem.lambda = lambda;
  opt.high_accuracy = 1;
  CHECK (gpueig_onesided_eig (ctx, &problem, &opt, &info) == GPUEIG_OK
             && strcmp (info.fallback, "shifted") == 0,
         "high accuracy of an indefinite matrix, %s: fallback \"%s\"",
         check_type_name[type], info.fallback);
  check_page ("indefinite at high accuracy", KRON, type, N, a, lambda, v,
              reference);
}

/* --- failures --- */

static void
test_errors (void)
{
  double a = 1, lambda;
  gpueig_options bad = options;
  const gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, 1, 1, &a, &lambda, NULL);
  bad.method = "hestenes";
  bad.high_accuracy = 1;
  CHECK (gpueig_onesided_eig (ctx, &problem, &bad, NULL) == GPUEIG_BAD_OPTION,
         "high accuracy by hestenes");
}

/* One sweep does not suffice; the result returned is nevertheless close.  */
static void
test_no_convergence (int64_t n, const char *method)
{
  gpueig_info info;
  gpueig_options opt = options;
  FREED char *a = check_array (GPUEIG_DOUBLE, n * n),
             *v = check_array (GPUEIG_DOUBLE, n * n);
  FREED char *lambda = check_array (GPUEIG_DOUBLE, n);
  make_matrix (RANDOM, GPUEIG_DOUBLE, n, a);
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, n, 1, a, lambda, v);
  opt.method = method;
  opt.max_sweeps = 1;
  CHECK (gpueig_onesided_eig (ctx, &problem, &opt, &info)
                 == GPUEIG_NO_CONVERGENCE
             && ! info.converged && info.sweeps == 1,
         "one sweep of %s, n=%d: %s", method, (int) n, gpueig_message (ctx));
  const char *cosine = strstr (gpueig_message (ctx), "cosine is ");
  const char *tol = strstr (gpueig_message (ctx), "tolerance ");
  const double usual = DBL_EPSILON * sqrt ((double) n);
  CHECK (tol && fabs (strtod (tol + 10, NULL) / usual - 1) < 0.05,
         "the default tolerance is sqrt (n) eps: %s", gpueig_message (ctx));
  CHECK (cosine && strtod (cosine + 10, NULL) > usual,
         "it tells a cosine above the tolerance: %s", gpueig_message (ctx));
  opt.max_sweeps = 0;
  opt.tol = 1e-3;
  CHECK (gpueig_onesided_eig (ctx, &problem, &opt, &info) == GPUEIG_OK,
         "a loose tolerance, %s n=%d", method, (int) n);
}

static int
stop (void *data)
{
  (void) data;
  return 1;
}

static void
test_interrupt (void)
{
  enum
  {
    N = 100
  };
  gpueig_callbacks callbacks = { .interrupted = stop };
  FREED char *a = check_array (GPUEIG_DOUBLE, N * N),
             *lambda = check_array (GPUEIG_DOUBLE, N);
  make_matrix (RANDOM, GPUEIG_DOUBLE, N, a);
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, NULL);
  gpueig_set_callbacks (ctx, &callbacks);
  for (int m = 0; m < 4; m++)
    {
      gpueig_options opt = options;
      opt.method = methods[m];
      CHECK (gpueig_onesided_eig (ctx, &problem, &opt, NULL)
                 == GPUEIG_INTERRUPTED,
             "%s stops", methods[m]);
    }
  gpueig_set_callbacks (ctx, NULL);
}

int
main (void)
{
  static const int64_t orders[]
      = { 1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 17, 31, 32, 33, 63, 64, 65, 100 };
  check_begin ("onesided");
  ctx = check_context (&options);
  const int all = options.backend == GPUEIG_CUDA || getenv ("GPUEIG_TEST_LONG");
  for (int t = 0; t < 4; t++)
    {
      gpueig_type type = (gpueig_type) t;
      for (int m = 0; m < 4; m++)
        {
          for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
            test_matrix (methods[m], RANDOM, type, orders[i]);
          for (int kind = 1; kind < KINDS; kind++)
            {
              test_matrix (methods[m], kind, type, 2);
              test_matrix (methods[m], kind, type, 13);
              if (all || (kind + t) % 4 == 0)
                test_matrix (methods[m], kind, type, 70);
            }
          test_matrix (methods[m], RANDOM, type, 161);
          test_pages (methods[m], type, 12, 40);
          test_pages (methods[m], type, 33, 30);
        }
      test_matrix ("auto", RANDOM, type, 130);
      test_matrix ("auto", CLUSTER, type, 161);
      test_matrix ("auto", GRAM, type, 200);
      test_near_identity (type, 2);
      test_near_identity (type, 3);
      test_pages ("auto", type, 3, 70001);
      test_pages ("auto", type, 80, 20);
      test_pages ("auto", type, 110, 24);
      test_pages ("auto", type, 170, 3);
      if (all || type == GPUEIG_FLOAT)
        {
          test_pages ("auto", type, 150, 20);
          test_pages ("auto", type, 200, 12);
        }
      if (all || type == GPUEIG_DOUBLE)
        test_pages ("auto", type, 260, 17);
      test_high_blocks (type, 2, gpueig_is_double (type) ? 200 : 30);
      test_high_blocks (type, 20, gpueig_is_double (type) ? 200 : 30);
      test_high_blocks (type, 100, gpueig_is_double (type) ? 200 : 30);
      test_high_dense (type, 24);
      test_high_dense (type, 90);
      test_high_dense (type, 170);
      test_high_fallback (type);
    }
  test_errors ();
  test_no_convergence (20, "auto");
  test_no_convergence (20, "hestenes");
  test_no_convergence (200, "cholesky");
  test_interrupt ();
  gpueig_destroy (ctx);
  return check_end ();
}
