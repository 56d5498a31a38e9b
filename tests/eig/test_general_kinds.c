/* Claims, for general matrices of many kinds on the backend under test, by gpueig_eig_general,
   "auto" and "qr", and gpueig_complex_eig, "auto" and "shroff": right and left vectors pass the bars, eigenvalues
   of real matrices are conjugate pairs in adjacent columns with conjugate vectors; without
   vectors each eigenvalue x makes A - x I singular to within the limit, and the sums of x
   and of x^2 are the traces of A and A^2; so it is in a stack of all kinds, where a page
   has the same bits in another place.  On the CPU "auto" solves one matrix above order 32
   by our QR algorithm, whose eigenvalues alone have the bits of those with vectors.  Random
   ones of all kinds, up to order 300, by "qr": no solver follows it, residuals are below
   1 n eps (2 below order 16) or below 3 times LAPACK's.
   GPUEIG_TEST_LONG: larger orders, 10^4 random ones up to 600.
     test_general_kinds COUNT FIRST  so many random ones alone
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "general_matrices.h"
#include "mixed_pages.h"
#include "solvers.h"

#include <complex.h>
#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

static const struct
{
  int solver;
  const char *method;
  int rarely; /* every so many kinds */
} ways[] = { { SOLVE_EIG_GENERAL, "auto", 1 },
             { SOLVE_EIG_GENERAL, "qr", 5 },
             { SOLVE_COMPLEX, "auto", 2 },
             { SOLVE_COMPLEX, "shroff", 3 } };

enum
{
  WAYS = sizeof ways / sizeof ways[0],
  NAMED = GENERAL_TYPES + PAGE_KINDS,
  HARD = NAMED + 24, /* room for more */
  ALL_KINDS = HARD + GENERAL_HARD
};

static uint64_t number; /* of a random one */
static int above_one;

/* Matrix KIND of order N to A; its name, NULL if there is none.  */
static const char *
make_any (int kind, gpueig_type type, int64_t n, char *a)
{
  static char name[40];
  measure_random r = { (uint64_t) (1000 * n + kind) + (number << 24) };
  if (kind < GENERAL_TYPES)
    {
      FREED double complex *x
          = general_type (&r, kind + 1, n, measure_eps (type));
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, a, i, x[i]);
      snprintf (name, sizeof name, "LAPACK's type %d", kind + 1);
      return name;
    }
  if (kind < NAMED)
    {
      mixed_page (&r, kind - GENERAL_TYPES, type, n, 0, a);
      return page_kind_name[kind - GENERAL_TYPES];
    }
  const int k = kind < HARD ? GENERAL_HARD + kind - NAMED : kind - HARD;
  if (k >= GENERAL_KINDS || (k == GENERAL_ROOTS && n > 60))
    return NULL;
  general_matrix (&r, k, type, n, a);
  return general_names[k];
}

/* Exactly conjugate pairs in adjacent columns, real vectors of real eigenvalues; V may be
   NULL.  */
static int
has_pairs (gpueig_type type, int64_t n, const char *lambda, const char *v)
{
  const gpueig_type pair = complex_type (type);
  int good = 1;
  for (int64_t j = 0; j < n; j++)
    {
      const double complex x = measure_get (pair, lambda, j);
      const int two = cimag (x) != 0;
      if (two && j + 1 == n)
        return 0;
      good &= ! two || measure_get (pair, lambda, j + 1) == conj (x);
      for (int64_t i = n * j; v && i < n * (j + 1); i++)
        {
          const double complex u = measure_get (pair, v, i);
          good &= two ? measure_get (pair, v, i + n) == conj (u)
                      : cimag (u) == 0;
        }
      j += two;
    }
  return good;
}

/* All kinds of order N, or every STEP-th.  */
static void
test_order (gpueig_type type, int64_t n, int step, int way)
{
  const any_solver *const solver = &solvers[ways[way].solver];
  const char *const method = ways[way].method;
  const int64_t most = ALL_KINDS / step + 1;
  int64_t pages = 0;
  CLEANUP (free_problem)
  any_problem one = make_problem (solver, type, n, 1, 3),
              alone = make_problem (solver, type, n, 1, 1);
  CLEANUP (free_problem)
  any_problem all = make_problem (solver, type, n, most, 1),
              again = make_problem (solver, type, n, most, 1);
  const size_t order = (size_t) n * gpueig_scalar_size (one.values);
  FREED char *known = check_array (one.values, n * most);
  for (int k = (int) n % step; k < ALL_KINDS; k += step)
    {
      const char *name = make_any (k, type, n, one.a);
      if (! name)
        continue;
      copy_page (&all, pages, &one, 0);
      copy_page (&alone, 0, &one, 0);
      check_solve (ctx, &one, &options, method, "%s", name);
      const int by_qr = ways[way].solver == SOLVE_EIG_GENERAL && n > 32
                        && n <= 512 && options.backend == GPUEIG_CPU;
      CHECK (! by_qr || strcmp (one.info.method, "qr") == 0, "%s: by %s",
             one.what, one.info.method);
      check_errors (
          &one, (usual_errors){ .residual = k < HARD ? INFINITY : USUAL_QR });
      CHECK (gpueig_is_complex (type) || has_pairs (type, n, one.lambda, one.v),
             "conjugate pairs, %s", one.what);
      check_solve (ctx, &alone, &options, method, "values of %s", name);
      CHECK (! by_qr || same_values (&one, &alone), "the bits of %s",
             alone.what);
      CHECK_RATIO (mixed_spectrum (type, n, one.a, alone.lambda, one.lambda),
                   LIMIT_GENERAL, "%s", alone.what);
      memcpy (page_of (one.values, known, n, pages++), one.lambda, order);
    }
  all.pages = again.pages = pages;
  check_solve (ctx, &all, &options, method, "all kinds");
  double worst = 0;
  int paired = 1, same = 1;
  for (int64_t p = 0; p < pages; p++)
    {
      const char *lambda = page_of (all.values, all.lambda, n, p);
      paired &= gpueig_is_complex (type) || has_pairs (type, n, lambda, NULL);
      worst = worst_of (worst,
                        mixed_spectrum (type, n, a_page (&all, p), lambda,
                                        page_of (all.values, known, n, p)));
      copy_page (&again, pages - 1 - p, &all, p);
    }
  CHECK_RATIO (worst, LIMIT_GENERAL, "values alone, %s", all.what);
  CHECK (paired, "conjugate pairs, %s", all.what);
  check_solve (ctx, &again, &options, method, "all kinds reversed");
  for (int64_t p = 0; p < pages; p++)
    same &= same_page (&all, p, &again, pages - 1 - p);
  CHECK (same, "the bits of a page in another place, %s", all.what);
}

/* --- random ones --- */

static double
larger_residual (const any_problem *p)
{
  const measure_pairs m
      = measure_general (p->type, p->n, p->a, p->v, p->w, p->lambda);
  return worst_of (m.right, m.left);
}

/* The one with NUMBER; orders are as often below 24 as above.  */
static void
test_one (void)
{
  measure_random r = { 77 + number };
  measure_chance (&r);
  const int kind = (int) measure_integer (&r, 0, ALL_KINDS - 1);
  const gpueig_type type = (gpueig_type) measure_integer (&r, 0, 3);
  const double most = getenv ("GPUEIG_TEST_LONG") ? 601 : 301;
  const int64_t n = (int64_t) exp (measure_chance (&r) * log (most));
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_EIG_GENERAL], type, n, 1, 3);
  const char *name = make_any (kind, type, n, p.a);
  if (! name)
    return;
  check_solve (ctx, &p, &options, "qr", "%s, number %d", name, (int) number);
  CHECK (p.info.fallback[0] == '\0', "%s: by %s", p.what, p.info.fallback);
  /* Only where this says something: LAPACK's may be 0 in small ones.  */
  const double usual = n < 16 ? 2 : 1;
  const double residual = larger_residual (&p);
  double limit = usual;
  if (residual > usual)
    {
      gpueig_options lapack = options;
      lapack.backend = GPUEIG_CPU;
      check_solve (ctx, &p, &lapack, "geev", "%s, number %d", name,
                   (int) number);
      limit = fmax (3 * larger_residual (&p), usual);
    }
  CHECK_RATIO (residual, limit, "residual, %s", p.what);
  above_one += n >= 16 && residual > 1;
}

static void
test_random (uint64_t count, uint64_t first)
{
  for (number = first; number < first + count; number++)
    if (check_turn (4))
      test_one ();
  number = 0;
  printf ("%d of %d random ones from order 16 on have a residual above n eps\n",
          above_one, (int) count);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    int64_t n;
    int step;
  } plan[] = { { 1, 1 },  { 2, 1 },  { 3, 1 },   { 5, 1 },   { 8, 1 },
               { 16, 1 }, { 31, 1 }, { 33, 2 },  { 64, 4 },  { 65, 4 },
               { 66, 4 }, { 97, 7 }, { 129, 9 }, { 160, 11 } };
  static const int64_t large[] = { 300, 513, 1025, 2049 };
  const int many = getenv ("GPUEIG_TEST_LONG") != NULL;
  check_begin ("general_kinds");
  ctx = check_context (&options);
  if (argc > 2)
    {
      test_random (strtoull (argv[1], NULL, 10), strtoull (argv[2], NULL, 10));
      gpueig_destroy (ctx);
      return check_end ();
    }
  test_random (many ? 10000 : 200, 1);
  for (int t = 0; t < 4; t++)
    for (int way = 0; way < WAYS; way++)
      {
        for (size_t i = 0; i < sizeof plan / sizeof plan[0]; i++)
          /* Sweeps of one matrix take long. */
          if (check_turn (3) && (many || way < WAYS - 1 || plan[i].n < 99))
            test_order ((gpueig_type) t, plan[i].n,
                        ways[way].rarely * plan[i].step, way);
        for (size_t i = 0; many && i < sizeof large / sizeof large[0]; i++)
          test_order ((gpueig_type) t, large[i], 9 << i, way);
      }
  gpueig_destroy (ctx);
  return check_end ();
}
