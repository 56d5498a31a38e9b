/* Claims, for the inverse of a tridiagonal matrix on the backend under test, for
   all four types: every entry is right to a few ulp for diagonally dominant
   matrices, those of 1e-300 included; other matrices pass the residual bar; rcond
   is exact; reducible matrices have exact zeros; singular ones give Inf; columns
   and bands are the same bits as the whole; the Sherman-Morrison and the pivoted
   method agree; errors are reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tdinv_matrices.h"
#include "tdinv_reference.h"

/* --- errors relative to the reference --- */

static quad_pair
to_quad (double _Complex x)
{
  return (quad_pair){ creal (x), cimag (x) };
}

/* The reference inverse, NULL if T is singular; *RCOND from its norms.  */
static quad_pair *
oracle (const matrix *m, kind k, double *rcond)
{
  int64_t n = m->n;
  FREED quad_pair *c = check_memory (n, sizeof (quad_pair)),
                  *a = check_memory (n, sizeof (quad_pair)),
                  *b = check_memory (n, sizeof (quad_pair));
  quad_pair *x = check_memory (n * n, sizeof *x);
  quad norm = 0, inverse_norm = 0;
  for (int64_t i = 0; i < n; i++)
    {
      c[i] = i < n - 1 ? to_quad (measure_get (m->type, m->c, i))
                       : (quad_pair){ 0, 0 };
      a[i] = to_quad (measure_get (m->type, m->a, i));
      b[i] = i < n - 1 ? to_quad (measure_get (m->type, m->b, i))
                       : (quad_pair){ 0, 0 };
      quad sum = (quad) cabs (measure_get (m->type, m->a, i));
      if (i < n - 1)
        sum += (quad) cabs (measure_get (m->type, m->c, i));
      if (i > 0)
        sum += (quad) cabs (measure_get (m->type, m->b, i - 1));
      norm = sum > norm ? sum : norm;
    }
  if (! reference_inverse (n, k > LAST_DOMINANT, c, a, b, x))
    {
      free (x);
      x = NULL;
    }
  for (int64_t j = 0; x && j < n; j++)
    {
      quad sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          long double re = (long double) x[i + n * j].re;
          long double im = (long double) x[i + n * j].im;
          sum += hypotl (re, im);
        }
      inverse_norm = sum > inverse_norm ? sum : inverse_norm;
    }
  *rcond = x ? (double) (1 / norm / inverse_norm) : 0;
  return x;
}

/* The largest error of an entry in units of eps |entry|, or of the smallest
   number that there is where that is more.  */
static double
entry_error (const matrix *m, const void *x, const quad_pair *want)
{
  double worst = 0, eps = measure_eps (m->type);
  long double least = gpueig_is_double (m->type) ? 0x1p-1074L : 0x1p-149L;
  for (int64_t i = 0; i < m->n * m->n; i++)
    {
      double _Complex got = measure_get (m->type, x, i);
      long double re = (long double) (creal (got) - want[i].re);
      long double im = (long double) (cimag (got) - want[i].im);
      long double size
          = hypotl ((long double) want[i].re, (long double) want[i].im);
      double error = (double) (hypotl (re, im) / fmaxl (eps * size, least));
      worst = worst_of (worst, error);
    }
  return worst;
}

/* |X - reference| / (|reference| n eps cond): what the residual bar measures,
   without forming T X.  */
static double
norm_error (const matrix *m, const void *x, const quad_pair *want, double rcond)
{
  long double error = 0, norm = 0;
  int64_t n = m->n;
  for (int64_t j = 0; j < n; j++)
    {
      long double e = 0, s = 0;
      for (int64_t i = 0; i < n; i++)
        {
          double _Complex got = measure_get (m->type, x, i + n * j);
          const quad_pair *w = &want[i + n * j];
          e += hypotl ((long double) (creal (got) - w->re),
                       (long double) (cimag (got) - w->im));
          s += hypotl ((long double) w->re, (long double) w->im);
        }
      error = e > error || isnan (e) ? e : error;
      norm = s > norm ? s : norm;
    }
  return (double) (error / norm) * rcond / ((double) n * measure_eps (m->type));
}

/* |T X - I| / (n eps cond), 1-norm.  */
static double
residual (const matrix *m, const void *x, double rcond)
{
  int64_t n = m->n;
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          double _Complex s = -(i == j);
          s += measure_get (m->type, m->a, i)
               * measure_get (m->type, x, i + n * j);
          if (i > 0)
            s += measure_get (m->type, m->c, i - 1)
                 * measure_get (m->type, x, i - 1 + n * j);
          if (i < n - 1)
            s += measure_get (m->type, m->b, i)
                 * measure_get (m->type, x, i + 1 + n * j);
          sum += cabs (s);
        }
      worst = worst_of (worst, sum);
    }
  return worst * rcond / ((double) n * measure_eps (m->type));
}

/* --- claims --- */

static void
check_rcond (const matrix *m, double got, double want)
{
  CHECK_RATIO (fabs (got - want) / want / measure_eps (m->type)
                   / (10 + (double) m->n),
               LIMIT_INVERSE, "rcond is exact, %s", m->name);
}

static void
test_matrix (gpueig_type type, kind k, int64_t n)
{
  gpueig_info info;
  CLEANUP (free_matrix) matrix m = make_matrix (type, k, n);
  double rcond = -1, want_rcond;
  FREED void *x = check_array (type, n * n);
  gpueig_tdinv_problem p = problem_of (&m, x, &rcond);
  FREED quad_pair *want = oracle (&m, k, &want_rcond);

  CHECK (invert (&p, "generators", &info) == GPUEIG_OK, "%s: %s", m.name,
         gpueig_message (ctx));
  if (! want)
    CHECK (rcond == 0 && isinf (creal (measure_get (type, x, 0))),
           "%s is singular: rcond %g", m.name, rcond);
  else
    {
      check_rcond (&m, rcond, want_rcond);
      if (k <= LAST_DOMINANT)
        CHECK_RATIO (entry_error (&m, x, want), LIMIT_INVERSE_ENTRY,
                     "every entry, %s", m.name);
      if (k != GRADED)
        CHECK_BOTH (residual (&m, x, rcond), LIMIT_INVERSE, n, USUAL_INVERSE,
                    "residual, %s", m.name);
      CHECK_BOTH (norm_error (&m, x, want, rcond), LIMIT_INVERSE, n,
                  USUAL_INVERSE, "norm of the error, %s", m.name);
      CHECK (invert (&p, "sherman-morrison", &info) == GPUEIG_OK,
             "Sherman-Morrison, %s: %s", m.name, gpueig_message (ctx));
      CHECK_BOTH (norm_error (&m, x, want, rcond), LIMIT_INVERSE, n,
                  USUAL_INVERSE, "Sherman-Morrison, norm of the error, %s",
                  m.name);
      if (k < BARELY)
        CHECK (info.fallback[0] == '\0', "Sherman-Morrison serves %s", m.name);
      if (k > LAST_DOMINANT && n > 3)
        CHECK (strcmp (info.fallback, "generators") == 0,
               "Sherman-Morrison hands over %s", m.name);
    }
}

static double
difference (gpueig_type type, const void *x, int64_t i, const void *y,
            int64_t j)
{
  double _Complex d = measure_get (type, x, i) - measure_get (type, y, j);
  return creal (d) != 0 || cimag (d) != 0 || isnan (creal (d));
}

/* Parts of X are the same bits as the whole; so are real and imaginary parts in
   arrays of their own.  */
static void
test_parts (gpueig_type type, int64_t n, const char *method)
{
  CLEANUP (free_matrix) matrix m = make_matrix (type, RANDOM_DOMINANT, n);
  int64_t columns[] = { n - 1, 0, n / 2, n / 2 }, bands[] = { 0, 1, 3, n };
  FREED void *whole = check_array (type, n * n),
             *x = check_array (type, (2 * n + 1) * n);
  FREED void *x_im = check_array (type, n * n);
  double differ = 0;
  gpueig_tdinv_problem p = problem_of (&m, whole, NULL);
  CHECK (invert (&p, method, NULL) == GPUEIG_OK, "%s, %s", method, m.name);

  p.x = x;
  p.columns = columns;
  p.n_columns = 4;
  CHECK (invert (&p, method, NULL) == GPUEIG_OK, "%s, columns of %s", method,
         m.name);
  for (int64_t k = 0; k < 4; k++)
    for (int64_t i = 0; i < n; i++)
      differ += difference (type, x, i + n * k, whole, i + n * columns[k]);
  CHECK (differ == 0, "%s, columns are those of the whole, %s", method, m.name);
  p.n_columns = 0;
  CHECK (invert (&p, method, NULL) == GPUEIG_OK, "%s, no columns", method);

  p.columns = NULL;
  for (size_t at = 0; at < sizeof bands / sizeof bands[0]; at++)
    {
      int64_t w = bands[at];
      FREED void *zero = check_memory (4, 8);
      differ = 0;
      p.band = w;
      CHECK (invert (&p, method, NULL) == GPUEIG_OK, "%s, band %d of %s",
             method, (int) w, m.name);
      for (int64_t j = 0; j < n; j++)
        for (int64_t d = -w; d <= w; d++)
          {
            int inside = j + d >= 0 && j + d < n;
            differ += difference (type, x, w + d + (2 * w + 1) * j,
                                  inside ? whole : zero,
                                  inside ? j + d + n * j : 0);
          }
      CHECK (differ == 0, "%s, band %d is that of the whole, %s", method,
             (int) w, m.name);
    }

  p.band = -1;
  p.x_im = x_im;
  if (gpueig_is_complex (type))
    {
      gpueig_type real = real_type (type);
      differ = 0;
      CHECK (invert (&p, method, NULL) == GPUEIG_OK, "%s, planes", method);
      for (int64_t i = 0; i < n * n; i++)
        {
          double _Complex z = measure_get (type, whole, i);
          differ += creal (z) != creal (measure_get (real, x, i))
                    || cimag (z) != creal (measure_get (real, x_im, i));
        }
      CHECK (differ == 0, "%s, planes are the parts of the whole, %s", method,
             m.name);
    }
}

static void
test_reducible (gpueig_type type)
{
  enum
  {
    N = 40
  };
  CLEANUP (free_matrix) matrix m = make_matrix (type, REDUCIBLE, N);
  FREED void *x = check_array (type, N * N);
  gpueig_tdinv_problem p = problem_of (&m, x, NULL);
  int wrong = 0;
  CHECK (invert (&p, "auto", NULL) == GPUEIG_OK, "%s", m.name);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      {
        int cut = 0;
        for (int l = i; l < j; l++)
          cut |= l % 7 == 3;
        for (int l = j; l < i; l++)
          cut |= l % 5 == 2;
        double _Complex z = measure_get (type, x, i + N * j);
        wrong += cut != (creal (z) == 0 && cimag (z) == 0);
      }
  CHECK (wrong == 0, "exact zeros and nothing else, %s", m.name);
}

static void
test_singular (gpueig_type type)
{
  enum
  {
    N = 50
  };
  matrix m = make_matrix (type, LAPLACE, N);
  FREED void *x = check_array (type, N * N);
  double rcond = -1;
  int finite = 0;
  gpueig_tdinv_problem p = problem_of (&m, x, &rcond);
  /* Both ends free: constant vectors are in the kernel.  */
  measure_set (type, m.a, 0, 1);
  measure_set (type, m.a, N - 1, 1);
  for (int method = 0; method < 2; method++)
    {
      static const char *const names[] = { "generators", "sherman-morrison" };
      CHECK (invert (&p, names[method], NULL) == GPUEIG_OK && rcond == 0,
             "singular, %s, %s: %s", names[method], check_type_name[type],
             gpueig_message (ctx));
      for (int i = 0; i < N * N; i++)
        finite += ! isinf (creal (measure_get (type, x, i)));
      CHECK (finite == 0, "Inf for a singular matrix, %s",
             check_type_name[type]);
    }
  /* 0.3 T has rounding errors in its determinant, nothing else.  */
  for (int i = 0; i < N; i++)
    {
      measure_set (type, m.a, i, 0.3 * (i == 0 || i == N - 1 ? 1 : 2));
      measure_set (type, m.b, i, -0.3);
      measure_set (type, m.c, i, -0.3);
    }
  CHECK (invert (&p, "auto", NULL) == GPUEIG_OK && rcond == 0,
         "0.3 times a singular matrix, %s: rcond %g", check_type_name[type],
         rcond);
  for (int i = 0; i < N; i++)
    measure_set (type, m.a, i, 0), measure_set (type, m.b, i, 0);
  CHECK (invert (&p, "auto", NULL) == GPUEIG_OK && rcond == 0,
         "a nilpotent matrix, %s", check_type_name[type]);
  /* Nearly singular: finite, rcond below eps.  */
  free_matrix (&m);
  m = make_matrix (type, LAPLACE, N);
  p = problem_of (&m, x, &rcond);
  measure_set (type, m.a, 0, 1);
  measure_set (type, m.a, N - 1, 1 + measure_eps (type));
  finite = 0;
  CHECK (invert (&p, "auto", NULL) == GPUEIG_OK && rcond > 0
             && rcond < measure_eps (type),
         "nearly singular, %s: rcond %g", check_type_name[type], rcond);
  for (int i = 0; i < N * N; i++)
    finite += isfinite (creal (measure_get (type, x, i))) != 0;
  CHECK (finite == N * N, "finite for a nearly singular matrix, %s",
         check_type_name[type]);
  free_matrix (&m);
}

/* [3 1; 1 1/3], singular but for the rounding of 1/3: elimination in double
   precision finds a pivot 0, the exact determinant is -2^-54.  All methods
   return the inverse of the matrix that is stored.  */
static void
test_rounded_singular (void)
{
  static const char *const methods[]
      = { "auto", "generators", "sherman-morrison" };
  const double a[2] = { 3, 1.0 / 3 }, one = 1;
  const double want[4] = { -0x1.5555555555555p52, 0x1p54, 0x1p54, -0x1.8p55 };
  for (int m = 0; m < 3; m++)
    {
      double x[4] = { 0 }, worst = 0, rcond;
      const gpueig_tdinv_problem p = { .type = GPUEIG_DOUBLE,
                                       .n = 2,
                                       .c = &one,
                                       .a = a,
                                       .b = &one,
                                       .band = -1,
                                       .x = x,
                                       .rcond = &rcond };
      gpueig_options opt = options;
      opt.method = methods[m];
      const gpueig_status status = gpueig_tdinv (ctx, &p, &opt, NULL);
      for (int i = 0; i < 4; i++)
        worst = fmax (worst, fabs (x[i] / want[i] - 1));
      CHECK (status == GPUEIG_OK && rcond < 1e-17, "%s: rcond %.3g", methods[m],
             rcond);
      if (options.backend == GPUEIG_CPU || m != 3)
        CHECK_RATIO (worst / measure_eps (GPUEIG_DOUBLE), 4,
                     "%s: the inverse of [3 1; 1 1/3]", methods[m]);
    }
}

static void
test_outside (void)
{
  enum
  {
    N = 300
  };
  FREED double *x = check_memory (N * N, sizeof *x);
  FREED float *y = check_memory (N * N, sizeof *y);
  int wrong = 0;
  for (int i = 0; i < N * N; i++)
    if (abs (i % N - i / N) <= 1)
      x[i] = y[i] = 1;
  CHECK (gpueig_outside_tridiagonal (ctx, GPUEIG_DOUBLE, N, x) == -1
             && gpueig_outside_tridiagonal (ctx, GPUEIG_FLOAT, N, y) == -1,
         "tridiagonal");
  for (int i = 0; i < N * N; i += 37)
    if (abs (i % N - i / N) > 1)
      {
        x[i] = i % 2 ? NAN : 1e-320;
        y[i] = -1;
        wrong += gpueig_outside_tridiagonal (ctx, GPUEIG_DOUBLE, N, x) != i
                 || gpueig_outside_tridiagonal (ctx, GPUEIG_FLOAT, N, y) != i;
        x[i] = y[i] = 0;
      }
  CHECK (wrong == 0, "the first element outside is found");
}

static void
test_errors (void)
{
  double c[2] = { 1, 1 }, a[3] = { 4, 4, 4 }, b[2] = { 1, 1 }, x[9], rcond;
  int64_t columns[1] = { 3 };
  gpueig_tdinv_problem p = { .type = GPUEIG_DOUBLE,
                             .n = 3,
                             .c = c,
                             .a = a,
                             .b = b,
                             .band = -1,
                             .x = x,
                             .rcond = &rcond };
  b[1] = NAN;
  CHECK (invert (&p, "auto", NULL) == GPUEIG_NONFINITE
             && strstr (gpueig_message (ctx), "element 2"),
         "NaN: %s", gpueig_message (ctx));
  b[1] = 1;
  a[0] = INFINITY;
  CHECK (invert (&p, "auto", NULL) == GPUEIG_NONFINITE, "Inf: %s",
         gpueig_message (ctx));
  a[0] = 4;
  p.columns = columns;
  p.n_columns = 1;
  CHECK (invert (&p, "auto", NULL) == GPUEIG_BAD_ARGUMENT, "no such column: %s",
         gpueig_message (ctx));
  p.columns = NULL;
  p.n = -1;
  CHECK (invert (&p, "auto", NULL) == GPUEIG_BAD_ARGUMENT, "negative order");
  p.n = INT64_MAX / 4;
  CHECK (invert (&p, "auto", NULL) == GPUEIG_OUT_OF_MEMORY,
         "an order whose square overflows");
  p.n = 3;
  CHECK (invert (&p, "inverse", NULL) == GPUEIG_BAD_OPTION, "unknown method");
  p.n = 0;
  CHECK (invert (&p, "auto", NULL) == GPUEIG_OK && isinf (rcond), "order 0");
  CHECK (gpueig_need_memory (ctx, 1e18, "the inverse") == GPUEIG_OUT_OF_MEMORY
             && strstr (gpueig_message (ctx), "9.53674e+11 MiB needed")
             && strstr (gpueig_message (ctx), "available"),
         "too much memory: %s", gpueig_message (ctx));
  CHECK (gpueig_need_memory (ctx, 1e3, "the inverse") == GPUEIG_OK,
         "little memory");
}

int
main (void)
{
  static const int64_t orders[]
      = { 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129 };
  check_begin ("tdinv");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      gpueig_type type = (gpueig_type) t;
      for (int k = 0; k < KINDS; k++)
        {
          for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
            test_matrix (type, (kind) k, orders[i]);
          if (t == 1)
            test_matrix (type, (kind) k, 600);
        }
      test_parts (type, 33, "generators");
      test_parts (type, 1030, "generators");
      test_parts (type, 1032, "generators");
      test_parts (type, 33, "sherman-morrison");
      test_parts (type, 600, "sherman-morrison");
      test_reducible (type);
      test_singular (type);
    }
  test_rounded_singular ();
  test_outside ();
  test_errors ();
  gpueig_destroy (ctx);
  return check_end ();
}
