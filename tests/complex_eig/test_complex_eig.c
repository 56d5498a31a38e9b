/* Claims, for gpueig_complex_eig on the backend under test: results meet the
   limits for LAPACK's test types and for matrices that are known to be hard, left
   eigenvectors too; Hermitian input gives orthonormal vectors; scaling by powers
   of 2 changes no bit; the order is as
   documented; errors are reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "general_matrices.h"
#include "limits.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
/* A problem with all its arrays.  */
typedef struct
{
  gpueig_type type, pair;
  int64_t n, pages;
  char *a, *v, *w, *lambda, *only;
  gpueig_info info;
  gpueig_status status;
} solved;

static solved
begin (gpueig_type type, int64_t n, int64_t pages)
{
  solved s
      = { .type = type, .pair = complex_type (type), .n = n, .pages = pages };
  s.a = check_array (type, n * n * pages);
  s.v = check_array (s.pair, n * n * pages);
  s.w = check_array (s.pair, n * n * pages);
  s.lambda = check_array (s.pair, n * pages);
  s.only = check_array (s.pair, n * pages);
  return s;
}

static void
end (solved *s)
{
  free (s->a);
  free (s->v);
  free (s->w);
  free (s->lambda);
  free (s->only);
}

static void
solve (solved *s, const char *method, int balance)
{
  gpueig_options o = options;
  o.method = method;
  gpueig_general g = { .type = s->type,
                       .n = s->n,
                       .pages = s->pages,
                       .a = s->a,
                       .balance = balance,
                       .lambda = s->lambda,
                       .v = s->v,
                       .w = s->w };
  s->status = gpueig_complex_eig (ctx, &g, &o, &s->info);
}

static double complex
get (const solved *s, const char *x, int64_t i)
{
  return measure_get (s->pair, x, i);
}

/* Is the largest element of every column of page P real?  */
static int
largest_is_real (const solved *s, const char *v, int64_t p)
{
  const int64_t n = s->n;
  int real = 1;
  for (int64_t j = 0; j < n; j++)
    {
      double largest = 0, largest_real = 0;
      for (int64_t i = 0; i < n; i++)
        {
          double complex x = get (s, v, (p * n + j) * n + i);
          largest = worst_of (largest, cabs (x));
          if (cimag (x) == 0)
            largest_real = worst_of (largest_real, cabs (x));
        }
      real &= largest_real >= largest * (1 - 100 * measure_eps (s->type));
    }
  return real;
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
is_ordered (const solved *s, int64_t p)
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

/* Check all accuracy limits for every page of a solved problem.  */
static void
check_pages (const solved *s, const char *what)
{
  const int64_t n = s->n;
  size_t size = gpueig_scalar_size (s->type),
         pair = gpueig_scalar_size (s->pair);
  measure_pairs worst = { 0 };
  int real = 1;
  CHECK (s->status == GPUEIG_OK, "%s, %s n=%d: %s", what,
         check_type_name[s->type], (int) n, gpueig_message (ctx));
  for (int64_t p = 0; p < s->pages; p++)
    {
      const measure_pairs m
          = measure_general (s->type, n, s->a + (size_t) (p * n * n) * size,
                             s->v + (size_t) (p * n * n) * pair,
                             s->w + (size_t) (p * n * n) * pair,
                             s->lambda + (size_t) (p * n) * pair);
      worst.right = worst_of (worst.right, m.right);
      worst.left = worst_of (worst.left, m.left);
      worst.length = worst_of (worst.length, m.length);
      real &= largest_is_real (s, s->v, p) && largest_is_real (s, s->w, p);
    }
  check_general (worst, n, USUAL_COMPLEX, "%s, %s n=%d %s", what,
                 check_type_name[s->type], (int) n, s->info.fallback);
  CHECK (real, "largest elements are real: %s, %s n=%d", what,
         check_type_name[s->type], (int) n);
}

/* --- LAPACK's types and the hard ones --- */

static void
test_types (gpueig_type type, int64_t n)
{
  measure_random r = { (uint64_t) (100 + n) };
  for (int t = 1; t <= GENERAL_TYPES; t++)
    {
      CLEANUP (end) solved s = begin (type, n, 1);
      FREED double complex *a = general_type (&r, t, n, measure_eps (type));
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, s.a, i, a[i]);
      solve (&s, t % 2 ? "shroff" : "auto", t % 3 > 0);
      char what[40];
      snprintf (what, sizeof what, "type %d", t);
      check_pages (&s, what);
    }
}

static void
test_named (gpueig_type type, int64_t n)
{
  for (const general_named *m = general_named_list; m->name; m++)
    {
      CLEANUP (end) solved s = begin (type, n, 1);
      for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
          measure_set (type, s.a, i + n * j, m->element (n, i, j));
      solve (&s, "shroff", 1);
      check_pages (&s, m->name);
    }
}

/* Sizes of random matrices; eigenvalues alone agree with those that came with
   vectors.  */
static void
test_random (gpueig_type type, int64_t n, int64_t pages)
{
  measure_random r = { (uint64_t) n };
  CLEANUP (end) solved s = begin (type, n, pages);
  for (int64_t i = 0; i < n * n * pages; i++)
    measure_set (type, s.a, i, measure_normal (&r) + I * measure_normal (&r));
  solve (&s, "shroff", 1);
  check_pages (&s, "random");
  CHECK (! s.info.fallback[0], "no fallback for random, %s n=%d: %s",
         check_type_name[type], (int) n, s.info.fallback);
  int ordered = 1;
  for (int64_t p = 0; p < pages; p++)
    ordered &= is_ordered (&s, p);
  CHECK (ordered, "order, %s n=%d", check_type_name[type], (int) n);
  gpueig_options o = options;
  o.method = "shroff";
  gpueig_general g = general_problem (type, n, pages, s.a, s.only, NULL, NULL);
  gpueig_info info;
  CHECK (gpueig_complex_eig (ctx, &g, &o, &info) == GPUEIG_OK,
         "values alone, %s n=%d", check_type_name[type], (int) n);
  double worst = 0, norm = measure_norm (type, n, n, s.a);
  double complex x[128], y[128];
  for (int64_t p = 0; p < pages; p++)
    {
      for (int64_t i = 0; i < n; i++)
        {
          x[i] = get (&s, s.lambda, p * n + i);
          y[i] = get (&s, s.only, p * n + i);
        }
      worst = worst_of (worst, distance (n, x, y));
    }
  CHECK_RATIO (worst / (norm * n * measure_eps (type)), 60,
               "values alone agree, %s n=%d", check_type_name[type], (int) n);
}

/* --- particular claims --- */

static void
test_hermitian (gpueig_type type, int64_t n)
{
  measure_random r = { 5 };
  CLEANUP (end) solved s = begin (type, n, 3);
  size_t size = gpueig_scalar_size (type), pair = gpueig_scalar_size (s.pair);
  for (int64_t p = 0; p < 3; p++)
    measure_random_symmetric (&r, type, n, s.a + (size_t) (p * n * n) * size);
  solve (&s, "shroff", 1);
  check_pages (&s, "Hermitian");
  CHECK (! s.info.fallback[0], "no fallback, Hermitian %s n=%d",
         check_type_name[type], (int) n);
  int real = 1, same = 1, ordered = 1;
  double worst = 0;
  for (int64_t p = 0; p < 3; p++)
    {
      ordered &= is_ordered (&s, p);
      worst = worst_of (
          worst, measure_orthogonality (s.pair, n, n,
                                        s.v + (size_t) (p * n * n) * pair));
    }
  for (int64_t i = 0; i < n * 3; i++)
    real &= cimag (get (&s, s.lambda, i)) == 0;
  for (int64_t i = 0; i < n * n * 3; i++)
    {
      same &= get (&s, s.v, i) == get (&s, s.w, i);
      real &= gpueig_is_complex (type) || cimag (get (&s, s.v, i)) == 0;
    }
  CHECK_BOTH (worst, LIMIT_ORTHOGONALITY, n, USUAL_COMPLEX_ORTHOGONALITY,
              "orthonormal, Hermitian %s n=%d", check_type_name[type], (int) n);
  CHECK (real && same && ordered,
         "real %d, W = V %d, ascending %d: Hermitian %s n=%d", real, same,
         ordered, check_type_name[type], (int) n);
}

/* A circulant matrix: the eigenvalues are a Fourier transform.  */
static void
test_circulant (gpueig_type type, int64_t n)
{
  CLEANUP (end) solved s = begin (type, n, 1);
  measure_random r = { 6 };
  double complex c[64];
  for (int64_t i = 0; i < n; i++)
    c[i] = measure_uniform (&r);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      measure_set (type, s.a, i + n * j, c[(i - j + n) % n]);
  for (int64_t i = 0; i < n; i++) /* as rounded to the type */
    c[i] = measure_get (type, s.a, i);
  solve (&s, "shroff", 1);
  check_pages (&s, "circulant");
  double complex exact[64], found[64];
  for (int64_t k = 0; k < n; k++)
    {
      exact[k] = 0;
      for (int64_t i = 0; i < n; i++)
        exact[k]
            += c[i]
               * cexp (-2 * I * 3.14159265358979323846 * (double) (i * k) / n);
      found[k] = get (&s, s.lambda, k);
    }
  const double worst = distance (n, exact, found);
  CHECK_RATIO (worst
                   / (measure_norm (type, n, n, s.a) * n * measure_eps (type)),
               LIMIT_EIGENVALUES, "eigenvalues of a circulant, %s",
               check_type_name[type]);
}

/* Real matrices: exactly conjugate pairs, positive imaginary part first.  */
static void
test_pairs (gpueig_type type, int64_t n)
{
  measure_random r = { 11 };
  CLEANUP (end) solved s = begin (type, n, 4);
  int good = 1;
  for (int64_t i = 0; i < n * n * 4; i++)
    measure_set (type, s.a, i, measure_normal (&r));
  solve (&s, "shroff", 1);
  for (int64_t j = 0; j < 4 * n; j++)
    {
      double complex x = get (&s, s.lambda, j);
      int pair = cimag (x) != 0;
      good &= ! pair
              || (cimag (x) > 0 && j % n + 1 < n
                  && get (&s, s.lambda, j + 1) == conj (x));
      for (int64_t i = 0; i < n && good; i++)
        good &= get (&s, s.v, n * (j + pair) + i)
                    == conj (get (&s, s.v, n * j + i))
                && get (&s, s.w, n * (j + pair) + i)
                       == conj (get (&s, s.w, n * j + i));
      j += pair && good;
    }
  CHECK (good, "conjugate pairs, %s n=%d", check_type_name[type], (int) n);
}

static void
test_scaling (gpueig_type type, int64_t n, int exponent)
{
  measure_random r = { 12 };
  CLEANUP (end) solved s = begin (type, n, 2), t = begin (type, n, 2);
  int same = 1;
  for (int64_t i = 0; i < 2 * n * n; i++)
    {
      measure_set (type, s.a, i, measure_normal (&r) + I * measure_normal (&r));
      measure_set (type, t.a, i,
                   measure_get (type, s.a, i) * ldexp (1, exponent));
    }
  solve (&s, "shroff", 1);
  solve (&t, "shroff", 1);
  for (int64_t i = 0; i < 2 * n; i++)
    same
        &= get (&s, s.lambda, i) * ldexp (1, exponent) == get (&t, t.lambda, i);
  for (int64_t i = 0; i < 2 * n * n; i++)
    same &= get (&s, s.v, i) == get (&t, t.v, i)
            && get (&s, s.w, i) == get (&t, t.w, i);
  CHECK (same, "times 2^%d changes no bit, %s n=%d", exponent,
         check_type_name[type], (int) n);
}

/* A page that the method leaves to LAPACK.  */
static void
test_defective (gpueig_type type, int64_t n)
{
  CLEANUP (end) solved s = begin (type, n, 1);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, s.a, i, (double) (i % n + 1 == i / n));
  solve (&s, "shroff", 1);
  check_pages (&s, "Jordan block");
  CHECK (strcmp (s.info.fallback, "geev") == 0, "fallback is reported, n=%d",
         (int) n);
}

/* The history of a stack is the largest of its pages' after each sweep.  */
static void
test_history (gpueig_type type, int64_t n)
{
  enum
  {
    PAGES = 3
  };
  measure_random r = { 16 };
  const size_t page = (size_t) (n * n) * gpueig_scalar_size (type);
  CLEANUP (end) solved s = begin (type, n, PAGES), one = begin (type, n, 1);
  double off[GPUEIG_MAX_HISTORY] = { 0 };
  int longest = 0;
  for (int64_t i = 0; i < PAGES * n * n; i++)
    measure_set (
        type, s.a, i,
        measure_normal (&r)
            + (gpueig_is_complex (type) ? I * measure_normal (&r) : 0));
  for (int p = 0; p < PAGES; p++)
    {
      memcpy (one.a, s.a + (size_t) p * page, page);
      solve (&one, "shroff", 1);
      for (int i = 0; i < one.info.n_off; i++)
        off[i] = fmax (off[i], one.info.off[i]);
      longest = one.info.n_off > longest ? one.info.n_off : longest;
    }
  solve (&s, "shroff", 1);
  CHECK (s.status == GPUEIG_OK && longest > 0 && s.info.n_off == longest
             && s.info.sweeps == longest
             && memcmp (s.info.off, off, (size_t) longest * sizeof *off) == 0,
         "history of a stack, %s n=%d: %d sweeps, %d numbers, wanted %d",
         check_type_name[type], (int) n, (int) s.info.sweeps, s.info.n_off,
         longest);
}

static void
test_limits (void)
{
  measure_random r = { 14 };
  CLEANUP (end) solved s = begin (GPUEIG_COMPLEX_DOUBLE, 12, 1);
  for (int64_t i = 0; i < 144; i++)
    measure_set (s.type, s.a, i, measure_normal (&r) + I * measure_normal (&r));
  gpueig_options before = options;
  options.max_sweeps = 2;
  solve (&s, "shroff", 1);
  CHECK (s.status == GPUEIG_NO_CONVERGENCE && s.info.sweeps == 2
             && ! s.info.converged,
         "two sweeps are not enough, and that is reported");
  options = before;
  solve (&s, "magic", 1);
  CHECK (s.status == GPUEIG_BAD_OPTION, "unknown method");
  measure_set (s.type, s.a, 5, NAN);
  solve (&s, "shroff", 1);
  CHECK (s.status == GPUEIG_NONFINITE, "NaN is reported");
  s.n = 0;
  solve (&s, "shroff", 1);
  CHECK (s.status == GPUEIG_OK, "order 0");
  s.n = 12;
  s.pages = 0;
  solve (&s, "shroff", 1);
  CHECK (s.status == GPUEIG_OK, "no pages");
}

/* Q J Q of order 6: J a Jordan block with two eigenvalues 1 and 1 + GAP, Q a
   random reflector.  */
static void
nearly_defective (measure_random *r, double gap, solved *s)
{
  enum
  {
    N = 6
  };
  double u[N], square = 0, q[N][N], a[N][N] = { { 0 } };
  for (int i = 0; i < N; i++)
    {
      u[i] = measure_normal (r);
      square += u[i] * u[i];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      q[i][j] = (i == j) - 2 * u[i] * u[j] / square;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
        a[i][j] += q[i][0] * q[0][j] + (1 + gap) * q[i][1] * q[1][j];
        for (int k = 0; k + 1 < N; k++)
          a[i][j] += q[i][k] * q[k + 1][j];
      }
  for (int i = 0; i < N * N; i++)
    measure_set (s->type, s->a, i, a[i % N][i / N]);
}

/* With a limit of sweeps that is not reached, a wrong result is not reported as
   converged: the sweeps end, but the vectors are nearly dependent.  */
static void
test_limit_not_reached (gpueig_type type)
{
  measure_random r = { 16 };
  const gpueig_options before = options;
  double worst = 0;
  int converged = 0;
  options.max_sweeps = 60;
  for (int k = 0; k < 100; k++)
    {
      CLEANUP (end) solved s = begin (type, 6, 1);
      nearly_defective (&r, pow (10, -8.0 * k / 99), &s);
      solve (&s, "shroff", 1);
      if (s.status == GPUEIG_OK)
        worst = worst_of (
            worst, measure_general (type, 6, s.a, s.v, s.w, s.lambda).right);
      else
        CHECK (s.status == GPUEIG_NO_CONVERGENCE, "%s", gpueig_message (ctx));
      converged += s.status == GPUEIG_OK;
    }
  options = before;
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
      gpueig_type type = (gpueig_type) t;
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        test_random (type, orders[i], orders[i] > 60 ? 1 : 3);
      for (int64_t n = 1; n <= 20; n += n < 3 ? 1 : n < 6 ? 2 : n)
        test_types (type, n);
      test_named (type, 12);
      test_named (type, 33);
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
    }
  test_pairs (GPUEIG_FLOAT, 9);
  test_pairs (GPUEIG_DOUBLE, 14);
  test_pairs (GPUEIG_DOUBLE, 40);
  test_limits ();
  for (int t = GPUEIG_DOUBLE; t <= GPUEIG_COMPLEX_FLOAT; t++)
    test_limit_not_reached ((gpueig_type) t);
  gpueig_destroy (ctx);
  return check_end ();
}
