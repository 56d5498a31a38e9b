/* Claims, for gpueig_polar on the backend under test: for matrices of all types that
   singular value decompositions find hard, U has orthonormal columns, H is Hermitian bit for
   bit and positive semidefinite, and U H is A, up to rounding errors of A; pages do not
   influence each other; U alone is that of both; errors are reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "../svd/svd_matrices.h"
#include "limits.h"

#include <stdio.h>

static gpueig_context *ctx;
static gpueig_options options;

/* The norm from which on rounding errors are those of normal numbers.  */
static long double
least_norm (gpueig_type type)
{
  return (gpueig_is_double (type) ? 0x1p-1074L : 0x1p-149L)
         / (long double) measure_eps (type);
}

/* |A - U H| / (|A| m eps) in 1-norms.  */
static double
residual (const gpueig_polar_problem *p, const wide *a, const void *u,
          const void *h)
{
  const int64_t m = p->m, n = p->n;
  FREED wide *wu = wide_copy (p->type, m * n, u),
             *wh = wide_copy (p->type, n * n, h),
             *x = check_memory (m * n, sizeof *x);
  wide_multiply (m, n, n, wu, wh, x);
  for (int64_t i = 0; i < m * n; i++)
    x[i] -= a[i];
  return (double) (wide_norm (m, n, x)
                   / (fmaxl (wide_norm (m, n, a), least_norm (p->type))
                      * (long double) m))
         / measure_eps (p->type);
}

/* Nonzero if H is Hermitian and H + 10 n eps |H| I has a Cholesky factor.  */
static int
is_semidefinite (gpueig_type type, int64_t n, const void *h)
{
  FREED wide *x = wide_copy (type, n * n, h);
  int good = 1;
  for (int64_t k = 0; k < n * n; k++)
    good &= x[k] == conjl (x[k / n + n * (k % n)]);
  const long double shift = 10 * (long double) n * measure_eps (type)
                            * fmaxl (wide_norm (n, n, x), least_norm (type));
  for (int64_t j = 0; j < n; j++)
    x[j * (n + 1)] += shift;
  return good && wide_cholesky (n, x);
}

static void
check_page (const char *what, const gpueig_polar_problem *p, int64_t page,
            const wide *a)
{
  const char *u = page_of (p->type, p->u, p->m * p->n, page),
             *h = page_of (p->type, p->h, p->n * p->n, page);
  CHECK_RATIO (residual (p, a, u, h), LIMIT_RESIDUAL, "A - U H, %s", what);
  CHECK_RATIO (measure_orthogonality (p->type, p->m, p->n, u),
               LIMIT_ORTHOGONALITY, "U' U, %s", what);
  CHECK (is_semidefinite (p->type, p->n, h), "H semidefinite, %s", what);
}

/* One page of each kind in a stack, then alone.  */
static void
test_matrices (gpueig_type type, int64_t m, int64_t n)
{
  const size_t size = gpueig_scalar_size (type);
  char what[160];
  FREED char *a = check_array (type, m * n * KINDS);
  FREED char *u = check_array (type, m * n * KINDS);
  FREED char *h = check_array (type, n * n * KINDS);
  FREED char *only = check_array (type, m * n);
  FREED wide *exact = check_memory (m * n * KINDS, sizeof *exact);
  for (int kind = 0; kind < KINDS; kind++)
    make_matrix (kind, type, m, n, page_of (type, a, m * n, kind),
                 exact + m * n * kind);
  gpueig_polar_problem p = {
    .type = type, .m = m, .n = n, .pages = KINDS, .a = a, .u = u, .h = h
  };
  CHECK (gpueig_polar (ctx, &p, &options, NULL) == GPUEIG_OK, "stack: %s",
         gpueig_message (ctx));
  for (int kind = 0; kind < KINDS; kind++)
    {
      snprintf (what, sizeof what, "%s, %s %dx%d, page", kind_name[kind],
                check_type_name[type], (int) m, (int) n);
      check_page (what, &p, kind, exact + m * n * kind);
    }
  p.pages = 1;
  for (int kind = 0; kind < KINDS; kind++)
    {
      p.a = page_of (type, a, m * n, kind);
      p.u = u;
      p.h = h;
      snprintf (what, sizeof what, "%s, %s %dx%d", kind_name[kind],
                check_type_name[type], (int) m, (int) n);
      CHECK (gpueig_polar (ctx, &p, &options, NULL) == GPUEIG_OK, "%s: %s",
             what, gpueig_message (ctx));
      check_page (what, &p, 0, exact + m * n * kind);
      p.u = only;
      p.h = NULL;
      CHECK (gpueig_polar (ctx, &p, &options, NULL) == GPUEIG_OK
                 && memcmp (only, u, (size_t) (m * n) * size) == 0,
             "U alone, %s", what);
    }
}

/* Rotations times definite matrices, the angle up to pi: U is the rotation.  */
static void
test_rotations (void)
{
  static const double angles[] = { 0, 1e-9, 1, 2, 3.1415926, 3.14159265358979 };
  for (int k = 0; k < 6; k++)
    {
      const double c = cos (angles[k]), s = sin (angles[k]);
      const double a[] = { 3 * c + s, 3 * s - c, c + 2 * s, s - 2 * c };
      const double q[] = { c, s, s, -c };
      double u[4], h[4], worst = 0;
      const gpueig_polar_problem p = { .type = GPUEIG_DOUBLE,
                                       .m = 2,
                                       .n = 2,
                                       .pages = 1,
                                       .a = a,
                                       .u = u,
                                       .h = h };
      CHECK (gpueig_polar (ctx, &p, &options, NULL) == GPUEIG_OK, "%s",
             gpueig_message (ctx));
      for (int i = 0; i < 4; i++)
        worst = worst_of (worst, fabs (u[i] - q[i]));
      /* cond (A) is below 3 */
      CHECK_RATIO (worst / (2 * 2.2e-16), 10, "rotation and reflection by %g",
                   angles[k]);
    }
}

static void
test_errors (void)
{
  double a[6] = { 1, 2, 3, 4, 5, 7 }, u[6], h[4];
  gpueig_polar_problem p = { .type = GPUEIG_DOUBLE,
                             .m = 3,
                             .n = 2,
                             .pages = 1,
                             .a = a,
                             .u = u,
                             .h = h },
                       bad = p;
  gpueig_options opt = options;
  CHECK_FAILING_ALLOCATIONS (gpueig_polar (ctx, &p, &options, NULL),
                             "failing allocations");
  bad.m = 1;
  CHECK (gpueig_polar (ctx, &bad, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "1x2");
  bad = p;
  bad.u = NULL;
  CHECK (gpueig_polar (ctx, &bad, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "no u");
  bad = p;
  bad.n = -1;
  CHECK (gpueig_polar (ctx, &bad, &options, NULL) == GPUEIG_BAD_ARGUMENT,
         "n = -1");
  opt.method = "qr";
  CHECK (gpueig_polar (ctx, &p, &opt, NULL) == GPUEIG_BAD_OPTION, "method");
  a[3] = NAN;
  CHECK (gpueig_polar (ctx, &p, &options, NULL) == GPUEIG_NONFINITE, "NaN");
  p.n = 0;
  CHECK (gpueig_polar (ctx, &p, &options, NULL) == GPUEIG_OK, "3x0");
  p.n = 2;
  p.pages = 0;
  CHECK (gpueig_polar (ctx, &p, &options, NULL) == GPUEIG_OK, "no pages");
}

int
main (void)
{
  static const int64_t shape[][2]
      = { { 1, 1 },   { 5, 1 },   { 2, 2 },  { 3, 3 },  { 8, 5 },
          { 16, 16 }, { 33, 20 }, { 60, 3 }, { 70, 70 } };
  check_begin ("polar");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++)
      test_matrices ((gpueig_type) t, shape[i][0], shape[i][1]);
  test_rotations ();
  test_errors ();
  gpueig_destroy (ctx);
  return check_end ();
}
