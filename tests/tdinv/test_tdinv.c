/* Claims about the inverse of a tridiagonal matrix on the backend under test, for all types.
   Errors: gpu_tdinv.m.
   entries_are_right: every entry is right to a few ulp for diagonally dominant matrices, those
     of 1e-300 and the zeros of reducible ones included; others have small errors relative to
     the norm; rcond is exact; the Sherman-Morrison method agrees, or leaves the matrix to
     another one
   parts_have_the_bits_of_the_whole: columns and bands have the bits of the whole; so have real
     and imaginary parts in arrays of their own
   singular_matrices_give_inf: singular matrices give Inf
   rounded_singular_is_inverted: [3 1; 1 1/3], singular but for the rounding of 1/3, is inverted
     as it is stored
   scaling_scales_the_inverse: 2^e T has 2^-e X as its inverse and the same rcond, also where
     products of two elements leave the range
   every_scale_of_a_type: that, up to the ends of the range
   wide_matrices_lose_no_elements: a matrix keeps its smallest elements when its largest is
     scaled
   elements_outside_are_found: the first element outside of the three diagonals is found
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "limits.h"
#include "wide.h"

#include "tdinv_matrices.h"
#include "tdinv_reference.h"

/* --- errors relative to the reference --- */

/* The reference inverse, NULL if T is singular; *RCOND from its norms.  */
static wide *
oracle (const matrix *m, kind k, double *rcond)
{
  const int64_t n = m->n;
  FREED quad_complex *c = check_memory (n, sizeof *c),
                     *a = check_memory (n, sizeof *a),
                     *b = check_memory (n, sizeof *b),
                     *x = check_memory (n * n, sizeof *x);
  long double norm = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double _Complex below = measure_get (m->type, m->c, i),
                            above = measure_get (m->type, m->b, i);
      c[i] = quad_of (i < n - 1 ? below : 0);
      b[i] = quad_of (i < n - 1 ? above : 0);
      a[i] = quad_of (measure_get (m->type, m->a, i));
      norm = fmaxl (
          norm, cabs (measure_get (m->type, m->a, i))
                    + (i < n - 1 ? cabs (below) : 0)
                    + (i > 0 ? cabs (measure_get (m->type, m->b, i - 1)) : 0));
    }
  *rcond = 0;
  if (! reference_inverse (n, k > LAST_DOMINANT, c, a, b, x))
    return NULL;
  wide *y = check_memory (n * n, sizeof *y);
  for (int64_t i = 0; i < n * n; i++)
    y[i] = (wide) x[i];
  *rcond = (double) (1 / norm / wide_norm (n, n, y));
  return y;
}

/* The largest error of an entry in units of eps |entry|, or of the smallest
   number that there is where that is more.  */
static double
entry_error (const matrix *m, const void *x, const wide *want)
{
  double worst = 0, eps = measure_eps (m->type);
  long double least = gpueig_is_double (m->type) ? 0x1p-1074L : 0x1p-149L;
  for (int64_t i = 0; i < m->n * m->n; i++)
    worst = worst_of (worst,
                      (double) (cabsl (measure_get (m->type, x, i) - want[i])
                                / fmaxl (eps * cabsl (want[i]), least)));
  return worst;
}

/* |X - reference| / (|reference| n eps cond): what the residual bar measures,
   without forming T X.  */
static double
norm_error (const matrix *m, const void *x, const wide *want, double rcond)
{
  const int64_t n = m->n;
  FREED wide *error = wide_copy (m->type, n * n, x);
  for (int64_t i = 0; i < n * n; i++)
    error[i] -= want[i];
  return (double) (wide_norm (n, n, error) / wide_norm (n, n, want)) * rcond
         / ((double) n * measure_eps (m->type));
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
entries_are_right (gpueig_type type, kind k, int64_t n)
{
  gpueig_info info;
  CLEANUP (free_matrix) matrix m = make_matrix (type, k, n);
  double rcond = -1, want_rcond;
  FREED void *x = check_array (type, n * n);
  gpueig_tdinv_problem p = problem_of (&m, x, &rcond);
  FREED wide *want = oracle (&m, k, &want_rcond);

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
      CHECK_BOTH (norm_error (&m, x, want, rcond), LIMIT_INVERSE, n,
                  USUAL_INVERSE, "norm of the error, %s", m.name);
      CHECK (invert (&p, "sherman-morrison", &info) == GPUEIG_OK,
             "Sherman-Morrison, %s: %s", m.name, gpueig_message (ctx));
      CHECK_BOTH (norm_error (&m, x, want, rcond), LIMIT_INVERSE, n,
                  USUAL_INVERSE, "Sherman-Morrison, norm of the error, %s",
                  m.name);
      if (k < BARELY && type == GPUEIG_DOUBLE)
        CHECK (info.fallback[0] == '\0', "Sherman-Morrison serves %s", m.name);
      if ((k > LAST_DOMINANT && n > 3) || type != GPUEIG_DOUBLE)
        CHECK (strcmp (info.fallback, "generators") == 0,
               "Sherman-Morrison hands over %s", m.name);
    }
}

/* Whether the numbers differ; 0 for -0.  */
static int
differ (gpueig_type type, const void *x, int64_t i, double _Complex y)
{
  return ! (measure_get (type, x, i) == y);
}

/* Parts of X are the same bits as the whole; so are real and imaginary parts in
   arrays of their own.  */
static void
parts_have_the_bits_of_the_whole (gpueig_type type, int64_t n)
{
  CLEANUP (free_matrix) matrix m = make_matrix (type, RANDOM_DOMINANT, n);
  const int64_t columns[] = { n - 1, 0, n / 2, n / 2 },
                bands[] = { 0, 1, 3, n };
  const gpueig_type real = real_type (type);
  FREED void *whole = check_array (type, n * n),
             *x = check_array (type, (2 * n + 1) * n),
             *x_im = check_array (type, n * n);
  int64_t different = 0;
  gpueig_tdinv_problem p = problem_of (&m, whole, NULL);
#define SOLVED(what)                                                           \
  CHECK (invert (&p, "generators", NULL) == GPUEIG_OK, "%s of %s", what, m.name)
  SOLVED ("all");
  p.x = x;
  p.columns = columns;
  p.n_columns = 4;
  SOLVED ("columns");
  for (int64_t k = 0; k < 4 * n; k++)
    different += differ (type, x, k,
                         measure_get (type, whole, k % n + n * columns[k / n]));
  p.n_columns = 0;
  SOLVED ("no columns");
  p.columns = NULL;
  for (int at = 0; at < 4; at++)
    {
      const int64_t w = p.band = bands[at];
      SOLVED ("a band");
      for (int64_t j = 0; j < n; j++)
        for (int64_t i = j - w; i <= j + w; i++)
          different += differ (
              type, x, w + i - j + (2 * w + 1) * j,
              i >= 0 && i < n ? measure_get (type, whole, i + n * j) : 0);
    }
  p.band = -1;
  p.x_im = x_im;
  if (gpueig_is_complex (type))
    {
      SOLVED ("planes");
      for (int64_t i = 0; i < n * n; i++)
        {
          const double _Complex z = measure_get (type, whole, i);
          different += differ (real, x, i, creal (z))
                       || differ (real, x_im, i, cimag (z));
        }
    }
#undef SOLVED
  CHECK (different == 0, "parts of %s: %d elements are not the whole's", m.name,
         (int) different);
}

static void
singular_matrices_give_inf (gpueig_type type)
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
rounded_singular_is_inverted (void)
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

/* Of 2^E T the inverse is 2^-E X, also where products of two elements leave the range.  Its
   columns and its band have the bits of the whole, see parts_have_the_bits_of_the_whole.  */
static void
scaling_scales_the_inverse (gpueig_type type, kind k, int64_t n, int e)
{
  gpueig_info info;
  double rcond = 0, scaled = 0, error = 0, size = 0;
  CLEANUP (free_matrix) matrix m = make_matrix (type, k, n);
  FREED void *x = check_array (type, n * n), *y = check_array (type, n * n);
  void *const bands[] = { m.c, m.a, m.b };
  gpueig_tdinv_problem p = problem_of (&m, x, &rcond);
  CHECK (invert (&p, "generators", NULL) == GPUEIG_OK, "%s", m.name);
  for (int64_t i = 0; i < 3 * n; i++)
    measure_set (type, bands[i / n], i % n,
                 measure_get (type, bands[i / n], i % n) * ldexp (1, e));
  p.x = y;
  p.rcond = &scaled;
  CHECK (invert (&p, "generators", &info) == GPUEIG_OK && ! info.fallback[0],
         "2^%d, %s: %s", e, m.name, gpueig_message (ctx));
  for (int64_t i = 0; i < n * n; i++)
    {
      const double _Complex z = measure_get (type, y, i),
                            want = measure_get (type, x, i);
      error = worst_of (
          error, cabs (ldexp (creal (z), e) + I * ldexp (cimag (z), e) - want));
      size = worst_of (size, cabs (want));
    }
  CHECK_RATIO (error / size * rcond / measure_eps (type), LIMIT_INVERSE,
               "2^%d, %s", e, m.name);
  CHECK_RATIO (fabs (scaled / rcond - 1) / measure_eps (type), 8,
               "2^%d, rcond of %s", e, m.name);
}

static void
every_scale_of_a_type (gpueig_type type)
{
  static const int64_t orders[] = { 1, 2, 3, 10, 63, 180 };
  static const int far[] = { -900, -500, 20, 300, 700, 950 };
  for (int i = 0; i < 6; i++)
    for (int s = 0; s < 6; s++)
      {
        const int e
            = gpueig_is_double (type) || far[s] == 20 ? far[s] : far[s] / 9;
        scaling_scales_the_inverse (type, RANDOM_DOMINANT, orders[i], e);
        scaling_scales_the_inverse (type, RANDOM, orders[i], e);
      }
}

/* A matrix whose smallest elements would be lost if its largest came to 1.  */
static void
wide_matrices_lose_no_elements (gpueig_type type)
{
  const int top = gpueig_is_double (type) ? 1000 : 120;
  CLEANUP (free_matrix) matrix m = make_matrix (type, RANDOM_DOMINANT, 2);
  FREED void *x = check_array (type, 4);
  gpueig_tdinv_problem p = problem_of (&m, x, NULL);
  measure_set (type, m.a, 0, ldexp (1, top));
  measure_set (type, m.a, 1, ldexp (1, -top));
  measure_set (type, m.b, 0, 0);
  measure_set (type, m.c, 0, 0);
  CHECK (invert (&p, "generators", NULL) == GPUEIG_OK
             && creal (measure_get (type, x, 0)) == ldexp (1, -top)
             && creal (measure_get (type, x, 1)) == 0
             && creal (measure_get (type, x, 2)) == 0
             && creal (measure_get (type, x, 3)) == ldexp (1, top),
         "diagonal from 2^%d to 2^%d, %s", top, -top, check_type_name[type]);
}

static void
elements_outside_are_found (void)
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

int
main (void)
{
  static const int64_t orders[]
      = { 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129 };
  begin_test ("tdinv");
  for (gpueig_type type = 0; type < 4; type++)
    {
      for (int k = 0; k < KINDS; k++)
        {
          for (size_t i = 0; i < COUNT (orders); i++)
            entries_are_right (type, (kind) k, orders[i]);
          if (type == 1)
            entries_are_right (type, (kind) k, 600);
        }
      parts_have_the_bits_of_the_whole (type, 33);
      parts_have_the_bits_of_the_whole (type, 1030);
      parts_have_the_bits_of_the_whole (type, 1032);
      singular_matrices_give_inf (type);
      every_scale_of_a_type (type);
      wide_matrices_lose_no_elements (type);
    }
  rounded_singular_is_inverted ();
  elements_outside_are_found ();
  return end_test ();
}
