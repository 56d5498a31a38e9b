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

#include "wide.h"

#include "tdinv_matrices.h"
#include "tdinv_reference.h"

/* --- errors relative to the reference --- */

/* The reference inverse, NULL if T is singular; *RCOND from its norms.  */
static wide *
oracle (const any_problem *p, kind k, double *rcond)
{
  const int64_t n = p->n;
  FREED quad_complex *c = check_memory (n, sizeof *c),
                     *a = check_memory (n, sizeof *a),
                     *b = check_memory (n, sizeof *b),
                     *x = check_memory (n * n, sizeof *x);
  long double norm = 0, sum = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const int last = i == n - 1;
      const double _Complex diagonal = measure_get (p->type, p->d, i),
                            below = last ? 0 : measure_get (p->type, p->e, i),
                            above
                            = last ? 0 : measure_get (p->type, p->e, n - 1 + i);
      c[i] = quad_of (below);
      b[i] = quad_of (above);
      a[i] = quad_of (diagonal);
      norm = fmaxl (norm, sum + cabs (diagonal) + cabs (below));
      sum = cabs (above);
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
entry_error (const any_problem *p, const wide *want)
{
  double worst = 0, eps = measure_eps (p->type);
  long double least = gpueig_is_double (p->type) ? 0x1p-1074L : 0x1p-149L;
  for (int64_t i = 0; i < p->n * p->n; i++)
    worst = worst_of (worst,
                      (double) (cabsl (measure_get (p->type, p->v, i) - want[i])
                                / fmaxl (eps * cabsl (want[i]), least)));
  return worst;
}

/* |X - reference| / (|reference| n eps cond): what the residual bar measures,
   without forming T X.  */
static double
norm_error (const any_problem *p, const wide *want, double rcond)
{
  const int64_t n = p->n;
  FREED wide *error = wide_copy (p->type, n * n, p->v);
  for (int64_t i = 0; i < n * n; i++)
    error[i] -= want[i];
  return (double) (wide_norm (n, n, error) / wide_norm (n, n, want)) * rcond
         / ((double) n * measure_eps (p->type));
}

/* --- claims --- */

static void
entries_are_right (gpueig_type type, kind k, int64_t n)
{
  double rcond = -1, want_rcond;
  FREED void *x = check_array (type, n * n);
  CLEANUP (free_matrix) any_problem p = make_matrix (type, k, n, x, &rcond);
  FREED wide *want = oracle (&p, k, &want_rcond);
  invert (&p, k, "generators");
  if (! want)
    {
      CHECK (rcond == 0 && isinf (creal (measure_get (type, x, 0))),
             "singular: rcond %g, %s", rcond, p.what);
      return;
    }
  CHECK_RATIO (fabs (rcond - want_rcond) / want_rcond / measure_eps (type)
                   / (10 + (double) n),
               LIMIT_INVERSE, "rcond is exact, %s", p.what);
  if (k <= LAST_DOMINANT)
    CHECK_RATIO (entry_error (&p, want), LIMIT_INVERSE_ENTRY, "every entry, %s",
                 p.what);
  CHECK_BOTH (norm_error (&p, want, rcond), LIMIT_INVERSE, n, USUAL_INVERSE,
              "norm of the error, %s", p.what);
  invert (&p, k, "sherman-morrison");
  CHECK_BOTH (norm_error (&p, want, rcond), LIMIT_INVERSE, n, USUAL_INVERSE,
              "norm of the error, %s", p.what);
  if (k < BARELY && type == GPUEIG_DOUBLE)
    CHECK (p.info.fallback[0] == '\0', "no other method follows, %s", p.what);
  if ((k > LAST_DOMINANT && n > 3) || type != GPUEIG_DOUBLE)
    CHECK (strcmp (p.info.fallback, "generators") == 0,
           "the generators follow, %s", p.what);
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
  const int64_t columns[] = { n - 1, 0, n / 2, n / 2 },
                bands[] = { 0, 1, 3, n };
  const gpueig_type real = real_type (type);
  FREED void *whole = check_array (type, n * n),
             *x = check_array (type, (2 * n + 1) * n),
             *x_im = check_array (type, n * n);
  int64_t different = 0;
  CLEANUP (free_matrix)
  any_problem p = make_matrix (type, RANDOM_DOMINANT, n, whole, NULL);
  invert (&p, RANDOM_DOMINANT, "generators");
  p.v = x;
  p.columns = columns;
  p.n_columns = 4;
  invert (&p, RANDOM_DOMINANT, "generators");
  for (int64_t k = 0; k < 4 * n; k++)
    different += differ (type, x, k,
                         measure_get (type, whole, k % n + n * columns[k / n]));
  p.n_columns = 0;
  invert (&p, RANDOM_DOMINANT, "generators");
  p.columns = NULL;
  for (int at = 0; at < 4; at++)
    {
      const int64_t w = p.band = bands[at];
      invert (&p, RANDOM_DOMINANT, "generators");
      for (int64_t j = 0; j < n; j++)
        for (int64_t i = j - w; i <= j + w; i++)
          different += differ (
              type, x, w + i - j + (2 * w + 1) * j,
              i >= 0 && i < n ? measure_get (type, whole, i + n * j) : 0);
    }
  p.band = -1;
  p.w = x_im;
  if (gpueig_is_complex (type))
    {
      invert (&p, RANDOM_DOMINANT, "generators");
      for (int64_t i = 0; i < n * n; i++)
        {
          const double _Complex z = measure_get (type, whole, i);
          different += differ (real, x, i, creal (z))
                       || differ (real, x_im, i, cimag (z));
        }
    }
  CHECK (different == 0, "%d elements of parts are not those of the whole, %s",
         (int) different, p.what);
}

/* Claim that METHOD finds P, which is WHAT, singular.  */
static void
check_singular (any_problem *p, const char *method, double *rcond,
                const char *what)
{
  *rcond = -1;
  CHECK (invert (p, LAPLACE, method) && *rcond == 0, "%s, %s: rcond %g", what,
         p->what, *rcond);
}

static void
singular_matrices_give_inf (gpueig_type type)
{
  static const char *const methods[] = { "generators", "sherman-morrison" };
  enum
  {
    N = 50
  };
  FREED void *x = check_array (type, N * N);
  double rcond;
  int finite = 0;
  CLEANUP (free_matrix)
  any_problem p = make_matrix (type, LAPLACE, N, x, &rcond);
  CLEANUP (free_problem) any_problem near = copy_problem (&p);
  /* Both ends free: constant vectors are in the kernel.  */
  measure_set (type, p.d, 0, 1);
  measure_set (type, p.d, N - 1, 1);
  for (int method = 0; method < 2; method++)
    {
      check_singular (&p, methods[method], &rcond, "singular");
      for (int i = 0; i < N * N; i++)
        finite += ! isinf (creal (measure_get (type, x, i)));
      CHECK (finite == 0, "Inf for a singular matrix, %s", p.what);
    }
  /* 0.3 T has rounding errors in its determinant, nothing else.  */
  measure_scale (type, N, p.d, 0.3);
  measure_scale (type, 2 * N, p.e, 0.3);
  check_singular (&p, "auto", &rcond, "0.3 times a singular matrix");
  /* With elements below the diagonal alone it is nilpotent.  */
  measure_scale (type, N, p.d, 0);
  measure_scale (type, N - 1, page_of (type, p.e, N - 1, 1), 0);
  check_singular (&p, "auto", &rcond, "nilpotent");
  /* Nearly singular: finite, rcond below eps.  */
  measure_set (type, near.d, 0, 1);
  measure_set (type, near.d, N - 1, 1 + measure_eps (type));
  finite = 0;
  invert (&near, LAPLACE, "auto");
  memcpy (&rcond, near.lambda, sizeof rcond);
  CHECK (rcond > 0 && rcond < measure_eps (type),
         "nearly singular, %s: rcond %g", near.what, rcond);
  for (int i = 0; i < N * N; i++)
    finite += isfinite (creal (measure_get (type, near.v, i))) != 0;
  CHECK (finite == N * N, "finite for a nearly singular matrix, %s", near.what);
}

/* [3 1; 1 1/3], singular but for the rounding of 1/3: elimination in double
   precision finds a pivot 0, the exact determinant is -2^-54.  All methods
   return the inverse of the matrix that is stored.  */
static void
rounded_singular_is_inverted (void)
{
  static const char *const methods[]
      = { "auto", "generators", "sherman-morrison" };
  const double diagonal[2] = { 3, 1.0 / 3 }, beside[2] = { 1, 1 };
  const double want[4] = { -0x1.5555555555555p52, 0x1p54, 0x1p54, -0x1.8p55 };
  double x[4], rcond;
  CLEANUP (free_matrix)
  any_problem p = make_matrix (GPUEIG_DOUBLE, RANDOM, 2, x, &rcond);
  memcpy (p.d, diagonal, sizeof diagonal);
  memcpy (p.e, beside, sizeof beside);
  for (int m = 0; m < 3; m++)
    {
      double worst = 0;
      const int solved = invert (&p, RANDOM, methods[m]);
      for (int i = 0; i < 4; i++)
        worst = fmax (worst, fabs (x[i] / want[i] - 1));
      CHECK (solved && rcond < 1e-17, "[3 1; 1 1/3], %s: rcond %.3g", p.what,
             rcond);
      CHECK_RATIO (worst / measure_eps (p.type), 4,
                   "the inverse of [3 1; 1 1/3], %s", p.what);
    }
}

/* Of 2^E T the inverse is 2^-E X, also where products of two elements leave the range.  Its
   columns and its band have the bits of the whole, see parts_have_the_bits_of_the_whole.  */
static void
scaling_scales_the_inverse (gpueig_type type, kind k, int64_t n, int e)
{
  double rcond = 0, scaled = 0, error = 0, size = 0;
  FREED void *x = check_array (type, n * n), *y = check_array (type, n * n);
  CLEANUP (free_matrix) any_problem p = make_matrix (type, k, n, x, &rcond);
  invert (&p, k, "generators");
  measure_scale (type, n, p.d, ldexp (1, e));
  measure_scale (type, 2 * n, p.e, ldexp (1, e));
  p.v = y;
  p.lambda = (char *) &scaled;
  invert (&p, k, "generators");
  CHECK (! p.info.fallback[0], "2^%d: %s follows, %s", e, p.info.fallback,
         p.what);
  for (int64_t i = 0; i < n * n; i++)
    {
      const double _Complex z = measure_get (type, y, i),
                            want = measure_get (type, x, i);
      error = worst_of (
          error, cabs (ldexp (creal (z), e) + I * ldexp (cimag (z), e) - want));
      size = worst_of (size, cabs (want));
    }
  CHECK_RATIO (error / size * rcond / measure_eps (type), LIMIT_INVERSE,
               "2^%d, %s", e, p.what);
  CHECK_RATIO (fabs (scaled / rcond - 1) / measure_eps (type), 8,
               "2^%d, rcond, %s", e, p.what);
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
  FREED void *x = check_array (type, 4);
  CLEANUP (free_matrix)
  any_problem p = make_matrix (type, RANDOM_DOMINANT, 2, x, NULL);
  measure_set (type, p.d, 0, ldexp (1, top));
  measure_set (type, p.d, 1, ldexp (1, -top));
  measure_scale (type, 2, p.e, 0);
  CHECK (invert (&p, RANDOM_DOMINANT, "generators")
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
