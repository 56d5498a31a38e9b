/* Claims, for gpueig_pinv on the backend under test: the conditions of Moore and Penrose for
   hard matrices of all shapes and types, in stacks and alone; what is below the tolerance
   is zero; failures are reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "svd_matrices.h"
#include "limits.h"

#include <stdio.h>

static gpueig_context *ctx;
static gpueig_options options;

/* |P X - X| / (|X| UNIT), P = X Y, and |P - P'| / UNIT; M-by-N X.  */
static double
half_of_conditions (int64_t m, int64_t n, const wide *x, const wide *y,
                    long double unit)
{
  FREED wide *p = check_memory (m * m, sizeof *p),
             *z = check_memory (m * n, sizeof *z);
  wide_multiply (m, m, n, x, y, p);
  wide_multiply (m, n, m, p, x, z);
  for (int64_t i = 0; i < m * n; i++)
    z[i] -= x[i];
  const long double size = wide_norm (m, n, x), error = wide_norm (m, n, z);
  for (int64_t j = 0; j < m; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        const wide d = p[i + m * j] - conjl (p[j + m * i]);
        p[i + m * j] = d;
        p[j + m * i] = -conjl (d);
      }
  return worst_of (size > 0 ? (double) (error / (size * unit)) : (double) error,
                   (double) (wide_norm (m, m, p) / unit));
}

/* The four conditions, in units of max (m, n) eps |A| |X|.  */
static void
check_conditions (const char *what, gpueig_type type, int64_t m, int64_t n,
                  const wide *a, const char *x)
{
  FREED wide *y = wide_copy (type, m * n, x);
  const long double size = wide_norm (m, n, a) * wide_norm (n, m, y),
                    unit = (long double) (m > n ? m : n)
                           * (long double) measure_eps (type)
                           * (size > 1 ? size : 1);
  /* Matrices of denormal numbers count as zero.  */
  const int zero = wide_norm (n, m, y) == 0;
  CHECK (! zero
             || wide_norm (m, n, a)
                    < (gpueig_is_double (type) ? 1e-300L : 1e-30L),
         "%s is not zero", what);
  if (zero)
    return;
  CHECK_RATIO (half_of_conditions (m, n, a, y, unit), LIMIT_RESIDUAL,
               "A X A = A and (A X)' = A X, %s", what);
  CHECK_RATIO (half_of_conditions (n, m, y, a, unit), LIMIT_RESIDUAL,
               "X A X = X and (X A)' = X A, %s", what);
}

/* A stack of all kinds, and each page alone.  */
static void
test_shape (gpueig_type type, int64_t m, int64_t n)
{
  char what[160];
  FREED char *a = check_array (type, m * n * KINDS),
             *x = check_array (type, m * n * KINDS),
             *alone = check_array (type, m * n);
  FREED wide *exact = check_memory (m * n * KINDS, sizeof *exact);
  for (int kind = 0; kind < KINDS; kind++)
    make_matrix (kind, type, m, n, page_of (type, a, m * n, kind),
                 exact + m * n * kind);
  gpueig_pinv_problem p
      = { .type = type, .m = m, .n = n, .pages = KINDS, .a = a, .x = x };
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_OK, "pinv: %s",
         gpueig_message (ctx));
  for (int kind = 0; kind < KINDS; kind++)
    {
      snprintf (what, sizeof what, "%s, %s %dx%d", kind_name[kind],
                check_type_name[type], (int) m, (int) n);
      check_conditions (what, type, m, n, exact + m * n * kind,
                        page_of (type, x, m * n, kind));
      p.pages = 1;
      p.a = page_of (type, a, m * n, kind);
      p.x = alone;
      CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_OK, "pinv: %s",
             gpueig_message (ctx));
      check_conditions (what, type, m, n, exact + m * n * kind, alone);
    }
}

/* A product in pieces on all threads.  */
static void
test_large (void)
{
  const int64_t m = 520, n = 505;
  FREED double *a = check_memory (m * n, sizeof *a),
               *x = check_memory (m * n, sizeof *x);
  for (int64_t i = 0; i < m * n; i++)
    a[i] = (i % m == i / m ? 2 : 0)
           + (double) (i % m + 1) * (double) (i / m + 1) / (double) (m * n);
  const gpueig_pinv_problem p
      = { .type = GPUEIG_DOUBLE, .m = m, .n = n, .pages = 1, .a = a, .x = x };
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_OK, "large: %s",
         gpueig_message (ctx));
  double worst = 0;
  for (int64_t j = 0; j < n; j += 50)
    for (int64_t i = 0; i < n; i++)
      {
        double sum = i == j ? -1 : 0;
        for (int64_t l = 0; l < m; l++)
          sum += x[i + n * l] * a[l + m * j];
        worst = worst_of (worst, fabs (sum));
      }
  CHECK_RATIO (worst / ((double) m * measure_eps (GPUEIG_DOUBLE)),
               100 * LIMIT_RESIDUAL, "X A = I, %dx%d", (int) m, (int) n);
}

static void
test_arguments (void)
{
  double a[6] = { 2, 0, 0, 0, 1, 0 }, x[6] = { 0 };
  gpueig_pinv_problem p
      = { .type = GPUEIG_DOUBLE, .m = 3, .n = 2, .pages = 1, .a = a, .x = x };
  p.tol = 1;
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_OK && x[0] == 0.5
             && x[3] == 1,
         "a value equal to the tolerance: %g %g", x[0], x[3]);
  p.tol = 1.5;
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_OK && x[0] == 0.5
             && x[3] == 0,
         "a value below the tolerance: %g %g", x[0], x[3]);
  p.tol = -1;
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "a negative tolerance");
  p.tol = 0;
  p.x = NULL;
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_BAD_ARGUMENT, "no x");
  p.m = 0;
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_OK, "0x2");
  p.m = -3;
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_BAD_ARGUMENT, "-3x2");
  p.m = 3;
  p.x = x;
  a[1] = NAN;
  CHECK (gpueig_pinv (ctx, &p, &options, NULL) == GPUEIG_NONFINITE, "NaN");
  a[1] = 0;
  CHECK_FAILING_ALLOCATIONS (gpueig_pinv (ctx, &p, &options, NULL),
                             "failing allocations");
}

int
main (void)
{
  static const int64_t shape[][2]
      = { { 1, 1 }, { 1, 5 }, { 6, 2 }, { 8, 8 }, { 20, 33 }, { 70, 66 } };
  check_begin ("pinv");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
      test_shape ((gpueig_type) t, shape[i][0], shape[i][1]);
  test_large ();
  test_arguments ();
  gpueig_destroy (ctx);
  return check_end ();
}
