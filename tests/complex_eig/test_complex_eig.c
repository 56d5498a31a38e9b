/* Claims, for gpueig_complex_eig on the backend under test, method "shroff": random matrices
   of orders on both sides of every switch meet the limits without a fallback, left
   eigenvectors too, and the largest element of a vector is real; eigenvalues alone agree, and
   the order is as documented; Hermitian input gives orthonormal vectors; scaling by powers of
   2 changes no bit; the history of a stack is the largest of its pages'; limits of sweeps are
   reported.  Matrices that are known to be hard: test_general_kinds.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages)
{
  return make_problem (&solvers[SOLVE_COMPLEX], type, n, pages, 3);
}

static any_problem
begin_random (gpueig_type type, int64_t n, int64_t pages, uint64_t seed)
{
  any_problem p = begin (type, n, pages);
  fill_problem (&p, seed);
  return p;
}

static int
solve (any_problem *p, const char *what)
{
  return check_solve (ctx, p, &options, "shroff", "%s", what);
}

static double complex
get (const any_problem *p, const char *x, int64_t i)
{
  return measure_get (p->values, x, i);
}

/* All limits of every page, and the largest elements of all columns are real.  */
static void
check_pages (const any_problem *p)
{
  const int64_t n = p->n;
  int real = 1;
  for (int64_t j = 0; j < 2 * n * p->pages; j++)
    {
      const char *x = j % 2 ? p->w : p->v;
      double largest = 0, largest_real = 0;
      for (int64_t i = j / 2 * n; i < (j / 2 + 1) * n; i++)
        {
          largest = worst_of (largest, cabs (get (p, x, i)));
          if (cimag (get (p, x, i)) == 0)
            largest_real = worst_of (largest_real, cabs (get (p, x, i)));
        }
      real &= largest_real >= largest * (1 - 100 * measure_eps (p->type));
    }
  check_errors (p, (usual_errors){ .residual = USUAL_COMPLEX });
  CHECK (real, "largest elements are real: %s", p->what);
}

/* The largest distance of one of the COUNT numbers X to the set Y, or of one of Y to
   the set X.  */
static double
distance (int64_t count, const double complex *x, const double complex *y)
{
  double worst = 0;
  for (int64_t i = 0; i < count; i++)
    {
      double to_y = INFINITY, to_x = INFINITY;
      for (int64_t j = 0; j < count; j++)
        {
          to_y = fmin (to_y, cabs (x[i] - y[j]));
          to_x = fmin (to_x, cabs (y[i] - x[j]));
        }
      worst = worst_of (worst, worst_of (to_y, to_x));
    }
  return worst;
}

/* By real part, up to the tolerance that is documented, then by |imaginary part|.  */
static int
is_ordered (const any_problem *s, int64_t p)
{
  double most = 0;
  for (int64_t j = 0; j < s->n; j++)
    most = fmax (most, cabs (get (s, s->lambda, p * s->n + j)));
  const double tol = 12 * sqrt ((double) s->n) * measure_eps (s->type) * most;
  for (int64_t j = 1; j < s->n; j++)
    {
      double complex x = get (s, s->lambda, p * s->n + j - 1);
      double complex y = get (s, s->lambda, p * s->n + j);
      if (creal (x) > creal (y) + (double) s->n * tol)
        return 0;
      if (creal (x) == creal (y)
          && fabs (cimag (x)) > fabs (cimag (y)) + (double) s->n * tol)
        return 0;
    }
  return 1;
}

static void
test_random (gpueig_type type, int64_t n, int64_t pages)
{
  CLEANUP (free_problem)
  any_problem s = begin_random (type, n, pages, (uint64_t) n);
  any_problem alone = s;
  FREED char *only = check_array (s.values, n * pages);
  double complex x[128], y[128];
  double worst = 0;
  int ordered = 1;
  solve (&s, "random");
  check_pages (&s);
  CHECK (! s.info.fallback[0], "no fallback, %s: %s", s.what, s.info.fallback);
  alone.v = alone.w = NULL;
  alone.lambda = only;
  solve (&alone, "values alone");
  for (int64_t p = 0; p < pages; p++)
    {
      for (int64_t i = 0; i < n; i++)
        {
          x[i] = get (&s, s.lambda, p * n + i);
          y[i] = get (&s, only, p * n + i);
        }
      worst = worst_of (worst, distance (n, x, y));
      ordered &= is_ordered (&s, p);
    }
  CHECK (ordered, "order, %s", s.what);
  CHECK_RATIO (
      worst
          / (measure_norm (type, n, n, s.a) * (double) n * measure_eps (type)),
      60, "values alone agree, %s", s.what);
}

static void
test_hermitian (gpueig_type type, int64_t n)
{
  measure_random r = { 5 };
  CLEANUP (free_problem) any_problem s = begin (type, n, 3);
  int real = 1, same = 1, ordered = 1;
  double worst = 0;
  fill_symmetric (&s, &r);
  solve (&s, "Hermitian");
  check_pages (&s);
  CHECK (! s.info.fallback[0], "no fallback, %s", s.what);
  for (int64_t p = 0; p < 3; p++)
    {
      ordered &= is_ordered (&s, p);
      worst = worst_of (worst,
                        measure_orthogonality (s.values, n, n, v_page (&s, p)));
    }
  for (int64_t i = 0; i < n * 3; i++)
    real &= cimag (get (&s, s.lambda, i)) == 0;
  for (int64_t i = 0; i < n * n * 3; i++)
    {
      same &= get (&s, s.v, i) == get (&s, s.w, i);
      real &= gpueig_is_complex (type) || cimag (get (&s, s.v, i)) == 0;
    }
  CHECK_BOTH (worst, LIMIT_ORTHOGONALITY, n, USUAL_COMPLEX_ORTHOGONALITY,
              "orthonormal, %s", s.what);
  CHECK (real && same && ordered, "real %d, W = V %d, ascending %d: %s", real,
         same, ordered, s.what);
}

/* A circulant matrix: the eigenvalues are a Fourier transform.  */
static void
test_circulant (gpueig_type type, int64_t n)
{
  CLEANUP (free_problem) any_problem s = begin (type, n, 1);
  measure_random r = { 6 };
  double complex c[64], exact[64], found[64];
  for (int64_t i = 0; i < n; i++)
    c[i] = measure_uniform (&r);
  for (int64_t k = 0; k < n * n; k++)
    measure_set (type, s.a, k, c[(k % n - k / n + n) % n]);
  for (int64_t i = 0; i < n; i++) /* as rounded to the type */
    c[i] = measure_get (type, s.a, i);
  solve (&s, "circulant");
  check_pages (&s);
  for (int64_t k = 0; k < n; k++)
    {
      exact[k] = 0;
      for (int64_t i = 0; i < n; i++)
        exact[k] += c[i]
                    * cexp (-2 * I * 3.14159265358979323846 * (double) (i * k)
                            / (double) n);
      found[k] = get (&s, s.lambda, k);
    }
  CHECK_RATIO (
      distance (n, exact, found)
          / (measure_norm (type, n, n, s.a) * (double) n * measure_eps (type)),
      LIMIT_EIGENVALUES, "eigenvalues, %s", s.what);
}

static void
test_scaling (gpueig_type type, int64_t n, int exponent)
{
  CLEANUP (free_problem)
  any_problem s = begin_random (type, n, 2, 12), t = begin (type, n, 2);
  for (int64_t i = 0; i < 2 * n * n; i++)
    measure_set (type, t.a, i,
                 measure_get (type, s.a, i) * ldexp (1, exponent));
  solve (&s, "unscaled");
  solve (&t, "scaled");
  int same = same_vectors (&s, &t);
  for (int64_t i = 0; i < 2 * n; i++)
    same
        &= get (&s, s.lambda, i) * ldexp (1, exponent) == get (&t, t.lambda, i);
  CHECK (same, "times 2^%d changes no bit, %s", exponent, t.what);
}

/* A page that the method leaves to LAPACK.  */
static void
test_defective (gpueig_type type, int64_t n)
{
  CLEANUP (free_problem) any_problem s = begin (type, n, 1);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, s.a, i, (double) (i % n + 1 == i / n));
  solve (&s, "Jordan block");
  check_pages (&s);
  CHECK (strcmp (s.info.fallback, "geev") == 0, "fallback is reported, %s",
         s.what);
}

/* The history of a stack is the largest of its pages' after each sweep.  */
static void
test_history (gpueig_type type, int64_t n)
{
  CLEANUP (free_problem)
  any_problem s = begin_random (type, n, 3, 16), one = begin (type, n, 1);
  double off[GPUEIG_MAX_HISTORY] = { 0 };
  int longest = 0;
  for (int p = 0; p < 3; p++)
    {
      copy_page (&one, 0, &s, p);
      solve (&one, "a page");
      for (int i = 0; i < one.info.n_off; i++)
        off[i] = fmax (off[i], one.info.off[i]);
      longest = one.info.n_off > longest ? one.info.n_off : longest;
    }
  solve (&s, "a stack");
  CHECK (longest > 0 && s.info.n_off == longest && s.info.sweeps == longest
             && memcmp (s.info.off, off, (size_t) longest * sizeof *off) == 0,
         "history, %s: %d sweeps, %d numbers, wanted %d", s.what,
         (int) s.info.sweeps, s.info.n_off, longest);
}

/* Two sweeps are not enough.  With a limit that is not reached, a wrong result is not
   reported as converged: the sweeps end, but the vectors are nearly dependent.  */
static void
test_limits (gpueig_type type)
{
  CLEANUP (free_problem) any_problem s = begin_random (type, 12, 1, 14);
  gpueig_options o = options;
  measure_random r = { 16 };
  double worst = 0;
  int converged = 0;
  o.method = "shroff";
  o.max_sweeps = 2;
  CHECK (solve_problem (ctx, &s, &o, &s.info) == GPUEIG_NO_CONVERGENCE
             && s.info.sweeps == 2 && ! s.info.converged,
         "two sweeps are not enough, and that is reported");
  o.max_sweeps = 60;
  for (int k = 0; k < 100; k++)
    {
      /* A Jordan block with two eigenvalues 1 and 1 + gap, reflected.  */
      enum
      {
        N = 6
      };
      CLEANUP (free_problem) any_problem p = begin (type, N, 1);
      double complex a[N * N] = { 0 };
      for (int i = 0; i + 1 < N; i++)
        a[i + N * (i + 1)] = 1;
      a[0] = 1;
      a[N + 1] = 1 + pow (10, -8.0 * k / 99);
      measure_reflect (&r, 0, N, a, 1);
      for (int i = 0; i < N * N; i++)
        measure_set (type, p.a, i, a[i]);
      const gpueig_status status = solve_problem (ctx, &p, &o, &p.info);
      if (status == GPUEIG_OK)
        worst = worst_of (
            worst, measure_general (type, N, p.a, p.v, p.w, p.lambda).right);
      else
        CHECK (status == GPUEIG_NO_CONVERGENCE, "%s", gpueig_message (ctx));
      converged += status == GPUEIG_OK;
    }
  CHECK (converged > 0, "%d of 100 converged", converged);
  CHECK_RATIO (worst, LIMIT_GENERAL,
               "nearly defective with a limit of sweeps, %s, %d converged",
               check_type_name[type], converged);
}

int
main (void)
{
  static const int64_t orders[]
      = { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100 };
  check_begin ("complex_eig");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      const gpueig_type type = (gpueig_type) t;
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        test_random (type, orders[i], orders[i] > 60 ? 1 : 3);
      test_hermitian (type, 2);
      test_hermitian (type, 21);
      test_hermitian (type, 70);
      test_circulant (type, 30);
      test_scaling (type, 10, gpueig_is_double (type) ? -400 : -50);
      test_scaling (type, 33, gpueig_is_double (type) ? 500 : 60);
      test_defective (type, 4);
      test_defective (type, 11);
      test_history (type, 40);
      test_history (type, 70);
      if (type > 0 && type < 3)
        test_limits (type);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
