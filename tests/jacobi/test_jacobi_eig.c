/* Claims, for two-sided Jacobi on the backend under test: every method meets the limits
   for LAPACK's 21 matrix types in all four scalar types, at orders around the sizes of
   blocks and pairs; for pages; for good and bad guesses; options have the documented
   effect; errors are reported.  High accuracy: test_jacobi_high.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"
#include "sep_types.h"

#include <stdio.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
/* Eigenvalues by LAPACK in double precision, rounded to the type.  */
static void
reference (gpueig_type type, int64_t n, const void *a, void *lambda)
{
  gpueig_type wide
      = gpueig_is_complex (type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE;
  gpueig_type real = real_type (type);
  gpueig_options cpu = gpueig_default_options ();
  FREED char *w = check_array (wide, n * n);
  FREED double *values = check_array (GPUEIG_DOUBLE, n);
  cpu.backend = GPUEIG_CPU;
  for (int64_t i = 0; i < n * n; i++)
    measure_set (wide, w, i, measure_get (type, a, i));
  gpueig_symmetric problem = symmetric_problem (wide, n, 1, w, values, NULL);
  if (gpueig_eig_symmetric (ctx, &problem, &cpu, NULL) != GPUEIG_OK)
    exit (2);
  for (int64_t i = 0; i < n; i++)
    measure_set (real, lambda, i, values[i]);
}

/* Solve for A and check the limits; returns the info.  */
static gpueig_info
solve (gpueig_type type, int64_t n, const void *a, const void *guess,
       const gpueig_options *opt, const char *what)
{
  gpueig_info info;
  FREED char *v = check_array (type, n * n), *lambda = check_array (type, n);
  FREED char *ref = check_array (type, n);
  gpueig_symmetric problem = symmetric_problem (type, n, 1, a, lambda, v);
  problem.guess = guess;
  char claim[160];
  snprintf (claim, sizeof claim, "%s, %s, %s, n=%d", what, opt->method,
            check_type_name[type], (int) n);
  gpueig_status status = gpueig_jacobi_eig (ctx, &problem, opt, &info);
  CHECK (status == GPUEIG_OK && info.converged, "%s: status %d %s", claim,
         status, gpueig_message (ctx));
  double norm = measure_norm (type, n, n, a);
  CHECK_BOTH (measure_residual (type, n, n, a, v, lambda), LIMIT_RESIDUAL, n,
              USUAL_JACOBI_RESIDUAL, "residual, %s", claim);
  CHECK_BOTH (measure_orthogonality (type, n, n, v), LIMIT_ORTHOGONALITY, n,
              USUAL_JACOBI_ORTHOGONALITY, "orthogonality, %s", claim);
  reference (type, n, a, ref);
  CHECK_BOTH (measure_eigenvalues (type, n, lambda, ref, norm),
              LIMIT_EIGENVALUES, n, USUAL_JACOBI_EIGENVALUES, "eigenvalues, %s",
              claim);
  gpueig_type real = real_type (type);
  int ascending = 1;
  for (int64_t i = 1; i < n; i++)
    ascending &= creal (measure_get (real, lambda, i - 1))
                 <= creal (measure_get (real, lambda, i));
  CHECK (ascending, "ascending, %s", claim);
  problem.v = NULL;
  problem.lambda = ref;
  CHECK (gpueig_jacobi_eig (ctx, &problem, opt, &info) == GPUEIG_OK,
         "without vectors, %s", claim);
  CHECK_BOTH (measure_eigenvalues (type, n, lambda, ref, norm),
              LIMIT_EIGENVALUES, n, USUAL_JACOBI_EIGENVALUES,
              "values alone agree, %s", claim);
  return info;
}

static gpueig_options
with_method (const char *method)
{
  gpueig_options o = options;
  o.method = method;
  return o;
}

/* --- matrix types and orders --- */

static void
test_types (gpueig_type type, const char *method)
{
  static const int64_t orders[] = { 1, 2, 3, 5, 20 };
  gpueig_options opt = with_method (method);
  for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
    for (int number = 1; number <= SEP_TYPES; number++)
      {
        measure_random r = { (uint64_t) number };
        char what[20];
        int64_t n = orders[k];
        if (! check_turn (3))
          continue;
        FREED char *a = check_array (type, n * n);
        sep_matrix (&r, number, type, n, a);
        snprintf (what, sizeof what, "type %d", number);
        solve (type, n, a, NULL, &opt, what);
      }
}

static void
test_orders (gpueig_type type, const char *method)
{
  static const int64_t orders[]
      = { 31, 32, 33, 63, 64, 65, 127, 128, 129, 200 };
  static const int numbers[] = { 13, 9, 18 };
  gpueig_options opt = with_method (method);
  int classical = strcmp (method, "classical") == 0;
  for (size_t k = 0; k < sizeof orders / sizeof orders[0] - 4 * classical; k++)
    {
      measure_random r = { k };
      char what[20];
      int64_t n = orders[k];
      FREED char *a = check_array (type, n * n);
      sep_matrix (&r, numbers[k % 3], type, n, a);
      snprintf (what, sizeof what, "type %d", numbers[k % 3]);
      solve (type, n, a, NULL, &opt, what);
    }
}

/* Gram matrices of rank far below n, a dominating eigenvalue, ones, clusters
   inside a wide spectrum, 1e-300 and 1e300.  */
static void
test_hard (const char *method)
{
  enum
  {
    N = 150
  };
  static double a[N * N], x[N * 3];
  measure_random r = { 30 };
  gpueig_options opt = with_method (method);
  for (int i = 0; i < 3 * N; i++)
    x[i] = measure_normal (&r);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      a[i + N * j] = a[j + N * i] = x[3 * i] * x[3 * j]
                                    + x[3 * i + 1] * x[3 * j + 1]
                                    + x[3 * i + 2] * x[3 * j + 2];
  solve (GPUEIG_DOUBLE, N, a, NULL, &opt, "Gram matrix of rank 3");
  for (int i = 0; i < N * N; i++)
    a[i] = 1;
  solve (GPUEIG_DOUBLE, N, a, NULL, &opt, "ones");
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i + N * j] = 1.0 / (1 + abs (i - j));
  solve (GPUEIG_DOUBLE, N, a, NULL, &opt, "1 / (1 + |i - j|)");
  /* Three large clusters whose eigenvalues are equal in single precision.  */
  static double _Complex w[N * N];
  memset (w, 0, sizeof w);
  for (int i = 0; i < N; i++)
    w[i + N * i] = i % 3 - 1 + 1e-10 * i;
  for (int k = 0; k < N; k++)
    measure_reflect (&r, 0, N, w, 1);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      a[i + N * j] = a[j + N * i] = creal (w[i + N * j]);
  solve (GPUEIG_DOUBLE, N, a, NULL, &opt, "three clusters");
  measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a);
  for (int i = 0; i < N * N; i++)
    a[i] *= 1e300 / 10;
  solve (GPUEIG_DOUBLE, N, a, NULL, &opt, "elements of 1e300");
  for (int i = 0; i < N * N; i++)
    a[i] *= 1e-300;
  for (int i = 0; i < N * N; i++)
    a[i] *= 1e-299;
  solve (GPUEIG_DOUBLE, N, a, NULL, &opt, "elements of 1e-300");
}

/* --- pages --- */

static void
test_pages (gpueig_type type, int64_t n, int64_t pages, const char *method)
{
  measure_random r = { 31 };
  gpueig_options opt = with_method (method);
  size_t size = gpueig_scalar_size (type), real = gpueig_real_size (type);
  FREED char *a = check_array (type, n * n * pages),
             *v = check_array (type, n * n * pages);
  FREED char *lambda = check_array (type, n * pages);
  double residual = 0, orthogonality = 0;
  for (int64_t p = 0; p < pages; p++)
    measure_random_symmetric (&r, type, n, a + (size_t) (p * n * n) * size);
  gpueig_symmetric problem = symmetric_problem (type, n, pages, a, lambda, v);
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) == GPUEIG_OK,
         "%d pages of order %d, %s, %s: %s", (int) pages, (int) n, method,
         check_type_name[type], gpueig_message (ctx));
  for (int64_t p = 0; p < pages; p++)
    {
      const char *vp = v + (size_t) (p * n * n) * size;
      residual = worst_of (
          residual,
          measure_residual (type, n, n, a + (size_t) (p * n * n) * size, vp,
                            lambda + (size_t) (p * n) * real));
      orthogonality
          = worst_of (orthogonality, measure_orthogonality (type, n, n, vp));
    }
  CHECK_BOTH (residual, LIMIT_RESIDUAL, n, USUAL_JACOBI_RESIDUAL,
              "residual, %d pages of order %d, %s", (int) pages, (int) n,
              check_type_name[type]);
  CHECK_BOTH (orthogonality, LIMIT_ORTHOGONALITY, n, USUAL_JACOBI_ORTHOGONALITY,
              "orthogonality, %d pages of order %d, %s", (int) pages, (int) n,
              check_type_name[type]);
}

/* --- guesses --- */

/* On the CPU "auto" uses the eigenvectors V of A + off (A) as a guess where a step or two are
   enough; from a worse one it computes vectors, which need no step.  */
static void
test_close_guess (gpueig_type type, int64_t n, const void *a, const void *v)
{
  measure_random r = { 37 };
  const double unit
      = sqrt (gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON);
  const double shares[] = { 0, 0.05, 0.07, 10, 1000 };
  FREED char *b = check_array (type, n * n), *off = check_array (type, n * n);
  measure_random_symmetric (&r, type, n, off);
  const double size
      = measure_norm (type, n, n, a) / measure_norm (type, n, n, off);
  for (int k = 0; k < 5 && options.backend == GPUEIG_CPU; k++)
    {
      gpueig_info info;
      gpueig_symmetric problem
          = { .type = type, .n = n, .pages = 1, .a = b, .guess = v };
      problem.v = check_array (type, n * n);
      problem.lambda = check_array (type, n);
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, b, i,
                     measure_get (type, a, i)
                         + shares[k] * unit * size
                               * measure_get (type, off, i));
      const gpueig_status status
          = gpueig_jacobi_eig (ctx, &problem, &options, &info);
      const int close = k > 0 && k < 3;
      CHECK (status == GPUEIG_OK && info.sweeps >= close
                 && info.sweeps <= 2 * close,
             "a guess %g off: %d steps, %s", shares[k] * unit,
             (int) info.sweeps, check_type_name[type]);
      free (problem.v);
      free (problem.lambda);
    }
}

static void
test_guess (gpueig_type type, int64_t n)
{
  measure_random r = { 32 };
  gpueig_info info;
  gpueig_options opt = options;
  FREED char *a = check_array (type, n * n), *b = check_array (type, n * n);
  FREED char *v = check_array (type, n * n), *lambda = check_array (type, n);
  measure_random_symmetric (&r, type, n, a);
  measure_random_symmetric (&r, type, n, b);
  gpueig_symmetric problem = symmetric_problem (type, n, 1, a, lambda, v);
  if (gpueig_jacobi_eig (ctx, &problem, &opt, &info) != GPUEIG_OK)
    exit (2);
  solve (type, n, a, v, &opt, "guess: the eigenvectors");
  if (n > 64)
    test_close_guess (type, n, a, v);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, b, i,
                 measure_get (type, a, i) + 1e-3 * measure_get (type, b, i));
  /* "auto" may take "block", which does not read the guess.  */
  opt.method = "preconditioned";
  info = solve (type, n, b, v, &opt, "guess: of a nearby matrix");
  CHECK (info.sweeps < 5, "a nearby guess needs few steps: %d, %s, n=%d",
         (int) info.sweeps, check_type_name[type], (int) n);
  opt.method = options.method;
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, v, i, 100 * measure_get (type, v, i));
  solve (type, n, b, v, &opt, "guess: not normalized");
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, v, i, measure_normal (&r));
  solve (type, n, a, v, &opt, "guess: random, full rank");
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, v, i, i == 0 ? 1 : 0);
  solve (type, n, a, v, &opt, "guess: singular");
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, v, i, 0);
  solve (type, n, a, v, &opt, "guess: zero");
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, v, i, i % (n + 1) == 0 ? 1 : 0);
  solve (type, n, a, v, &opt, "guess: the identity");
}

/* Eigenvectors with errors of every size, of which the smallest are accepted: general
   ones, of a rotation of two columns, and of the length.  */
static void
test_guess_errors (gpueig_type type, int64_t n)
{
  measure_random r = { 35 };
  gpueig_options opt = with_method ("preconditioned");
  FREED char *a = check_array (type, n * n), *v = check_array (type, n * n),
             *guess = check_array (type, n * n),
             *lambda = check_array (type, n);
  measure_random_symmetric (&r, type, n, a);
  gpueig_symmetric problem = symmetric_problem (type, n, 1, a, lambda, v);
  if (gpueig_jacobi_eig (ctx, &problem, &opt, NULL) != GPUEIG_OK)
    exit (2);
  for (int k = 0; k < (gpueig_is_double (type) ? 36 : 18); k++)
    {
      char what[60];
      const double size = pow (10, -0.5 * (k + fabs (measure_uniform (&r))));
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, guess, i,
                     measure_get (type, v, i) + size * measure_normal (&r) / n);
      snprintf (what, sizeof what, "guess: errors of %.1e", size);
      solve (type, n, a, guess, &opt, what);
      const int64_t p = k % (n - 1), q = p + 1 + k % (n - 1 - p);
      for (int64_t i = 0; i < n; i++)
        {
          const double _Complex x = measure_get (type, v, i + p * n);
          const double _Complex y = measure_get (type, v, i + q * n);
          measure_set (type, guess, i + p * n, x * cos (size) + y * sin (size));
          measure_set (type, guess, i + q * n, y * cos (size) - x * sin (size));
        }
      for (int64_t i = 0; i < n * n; i++)
        if (i / n != p && i / n != q)
          measure_set (type, guess, i, measure_get (type, v, i));
      snprintf (what, sizeof what, "guess: one angle of %.1e", size);
      solve (type, n, a, guess, &opt, what);
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, guess, i, (1 + size) * measure_get (type, v, i));
      snprintf (what, sizeof what, "guess: longer by %.1e", size);
      solve (type, n, a, guess, &opt, what);
    }
}

/* --- limits, progress, interrupts --- */

static int lines, interrupt_after;

static int
interrupted (void *data)
{
  (void) data;
  return interrupt_after > 0 && --interrupt_after == 0;
}

static void
report (void *data, const char *line)
{
  (void) data;
  lines += strncmp (line, "jacobi", 6) == 0;
}

static void
test_control (const char *method)
{
  enum
  {
    N = 90
  };
  static double a[N * N], v[N * N], v2[N * N], lambda[N], again[N];
  static double identity[N * N];
  measure_random r = { 33 };
  gpueig_info info;
  gpueig_options opt = with_method (method);
  gpueig_callbacks callbacks = { interrupted, report, NULL };
  gpueig_set_callbacks (ctx, &callbacks);
  measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a);
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, v);
  int exact = strcmp (method, "preconditioned") != 0;
  /* Its own approximate eigenvectors can be accurate.  */
  for (int i = 0; i < N; i++)
    identity[i * (N + 1)] = 1;
  problem.guess = identity;
  opt.max_sweeps = 1;
  gpueig_status status = gpueig_jacobi_eig (ctx, &problem, &opt, &info);
  CHECK (status == GPUEIG_NO_CONVERGENCE && ! info.converged
             && info.sweeps == 1,
         "%s: one sweep is not enough, and reported: %s", method,
         gpueig_message (ctx));
  if (exact)
    CHECK_RATIO (measure_orthogonality (GPUEIG_DOUBLE, N, N, v),
                 LIMIT_ORTHOGONALITY, "%s: the best so far is orthonormal",
                 method);
  double trace = 0;
  for (int i = 0; i < N; i++)
    trace += a[i + N * i] - lambda[i];
  CHECK (fabs (trace) < 1e-3, "%s: the best so far keeps the trace: %g", method,
         trace);

  opt.max_sweeps = 0;
  opt.display = 1;
  lines = 0;
  status = gpueig_jacobi_eig (ctx, &problem, &opt, &info);
  CHECK (status == GPUEIG_OK && lines > 1 && info.n_off > 1
             && info.off[info.n_off - 1] < info.off[0],
         "%s: %d lines of progress, history of %d", method, lines, info.n_off);
  CHECK (strcmp (info.method, method) == 0 && info.sweeps > 0,
         "%s: named in info", method);
  opt.display = 0;
  problem.lambda = again;
  problem.v = v2;
  gpueig_jacobi_eig (ctx, &problem, &opt, &info);
  CHECK (memcmp (lambda, again, sizeof lambda) == 0
             && memcmp (v, v2, sizeof v) == 0,
         "%s: the same bits again", method);

  opt.tol = 1e-4;
  int64_t sweeps = info.sweeps;
  status = gpueig_jacobi_eig (ctx, &problem, &opt, &info);
  CHECK (status == GPUEIG_OK && info.sweeps <= sweeps,
         "%s: a loose tolerance takes no more sweeps: %d, not %d", method,
         (int) info.sweeps, (int) sweeps);
  opt.tol = 0;
  for (int k = 1; k <= 3; k++)
    {
      interrupt_after = k;
      status = gpueig_jacobi_eig (ctx, &problem, &opt, &info);
      CHECK (interrupt_after > 0 || status == GPUEIG_INTERRUPTED,
             "%s: interrupted at look %d", method, k);
    }
  interrupt_after = 0;
  gpueig_set_callbacks (ctx, NULL);
  CHECK (gpueig_jacobi_eig (ctx, &problem, &opt, &info) == GPUEIG_OK
             && memcmp (lambda, again, sizeof lambda) == 0,
         "%s: the call after an interrupt works", method);
}

static void
test_rotations (void)
{
  enum
  {
    N = 40
  };
  static double a[N * N], lambda[N];
  measure_random r = { 34 };
  gpueig_info info;
  gpueig_options opt = with_method ("classical");
  measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a);
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, NULL);
  opt.max_rotations = 100;
  gpueig_status status = gpueig_jacobi_eig (ctx, &problem, &opt, &info);
  CHECK (status == GPUEIG_NO_CONVERGENCE && info.n_extra == 1
             && info.extra[0].value == 100,
         "classical: 100 rotations and no more");
  opt.max_rotations = 100000;
  status = gpueig_jacobi_eig (ctx, &problem, &opt, &info);
  CHECK (status == GPUEIG_OK && info.extra[0].value < 6 * N * N,
         "classical: %g rotations to convergence", info.extra[0].value);
}

/* --- errors --- */

static void
test_errors (void)
{
  double a[4] = { 1, 2, 2, 3 }, lambda[2], v[4], bad[4] = { 1, 0, NAN, 1 };
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, 2, 1, a, lambda, v);
  problem.guess = bad;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &options, NULL) == GPUEIG_NONFINITE
             && strstr (gpueig_message (ctx), "Guess"),
         "NaN in the guess: %s", gpueig_message (ctx));
  problem.guess = NULL;
  problem.b = a;
  CHECK (gpueig_jacobi_eig (ctx, &problem, &options, NULL)
             == GPUEIG_NOT_DEFINITE,
         "a second matrix that is not definite is refused");
}

/* Every allocation of a call with a guess fails once.  */
static void
test_failing_allocations (void)
{
  enum
  {
    N = 80
  };
  measure_random r = { 35 };
  gpueig_options opt = with_method ("preconditioned");
  FREED double *a = check_array (GPUEIG_DOUBLE, N * N),
               *v = check_array (GPUEIG_DOUBLE, N * N);
  double lambda[N];
  measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a);
  gpueig_symmetric problem
      = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, v);
  problem.guess = a;
  CHECK_FAILING_ALLOCATIONS (gpueig_jacobi_eig (ctx, &problem, &opt, NULL),
                             "failing allocations: %s", gpueig_message (ctx));
}

int
main (void)
{
  static const char *const methods[]
      = { "auto", "preconditioned", "classical", "block" };
  check_begin ("jacobi_eig");
  ctx = check_context (&options);
  /* A GPU does not have "block".  */
  const int count = options.backend == GPUEIG_CPU ? 4 : 3;
  for (int t = 0; t < 4; t++)
    {
      gpueig_type type = (gpueig_type) t;
      for (int m = 0; m < count; m++)
        {
          test_types (type, methods[m]);
          test_orders (type, methods[m]);
        }
      test_pages (type, 8, 100, "auto");
      test_pages (type, 33, 9, "auto");
      test_pages (type, 75, 3, "auto");
      test_pages (type, 300, 2, "auto");
      test_guess (type, 5);
      test_guess (type, 100);
      test_guess_errors (type, 70);
    }
  test_pages (GPUEIG_DOUBLE, 2, 70000, "auto");
  test_pages (GPUEIG_DOUBLE, 1, 3, "auto");
  for (int m = 1; m < count; m++)
    {
      if (m != 2)
        test_hard (methods[m]);
      if (m != 3) /* test_onesided's */
        test_control (methods[m]);
    }
  test_rotations ();
  test_errors ();
  test_failing_allocations ();
  gpueig_destroy (ctx);
  return check_end ();
}
