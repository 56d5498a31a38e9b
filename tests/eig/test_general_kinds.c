/* Claims, for general matrices of many kinds on the backend under test, by gpueig_eig_general,
   "auto" and "qr", and gpueig_complex_eig: right and left vectors pass the bars, eigenvalues
   of real matrices are conjugate pairs in adjacent columns with conjugate vectors; without
   vectors each eigenvalue x makes A - x I singular to within the limit, and the sums of x
   and of x^2 are the traces of A and A^2; so it is in a stack of all kinds, where a page
   has the same bits in another place.  On the CPU "auto" solves one matrix above order 32
   by our QR algorithm, whose eigenvalues alone have the bits of those with vectors.  Random
   ones of all kinds, up to order 600, by "qr": no solver follows it, residuals are below
   1 n eps (2 below order 16) or below 3 times LAPACK's.
   GPUEIG_TEST_LONG: larger orders, 10^4 random ones.
     test_general_kinds COUNT FIRST  so many random ones alone
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "general_matrices.h"
#include "limits.h"
#include "mixed_pages.h"
#include "schur_matrices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

typedef gpueig_status solver (gpueig_context *, const gpueig_general *,
                              const gpueig_options *, gpueig_info *);

static const struct
{
  solver *run;
  const char *method, *name;
  int rarely; /* every so many kinds */
} ways[] = { { gpueig_eig_general, "auto", "eig_general", 1 },
             { gpueig_eig_general, "qr", "eig_general, qr", 5 },
             { gpueig_complex_eig, "auto", "complex_eig", 2 } };

enum
{
  WAYS = sizeof ways / sizeof ways[0],
  MOST_NAMED = 24, /* of general_named_list */
  HARD = GENERAL_TYPES + PAGE_KINDS + MOST_NAMED,
  ALL_KINDS = HARD + KINDS
};

static uint64_t number; /* of a random one */
static int above_one;

/* Matrix KIND of order N to A; its name, NULL if there is none.  */
static const char *
make_any (int kind, gpueig_type type, int64_t n, char *a)
{
  static char name[40];
  measure_random r = { (uint64_t) (1000 * n + kind) + (number << 24) };
  if (kind >= HARD)
    {
      make (&r, kind - HARD, type, n, a);
      return kinds[kind - HARD];
    }
  if (kind < GENERAL_TYPES)
    {
      FREED double complex *x
          = general_type (&r, kind + 1, n, measure_eps (type));
      for (int64_t i = 0; i < n * n; i++)
        measure_set (type, a, i, x[i]);
      snprintf (name, sizeof name, "LAPACK's type %d", kind + 1);
      return name;
    }
  kind -= GENERAL_TYPES;
  if (kind < PAGE_KINDS)
    {
      mixed_page (&r, kind, type, n, 0, a);
      return page_kind_name[kind];
    }
  kind -= PAGE_KINDS;
  for (int k = 0; k <= kind; k++)
    if (! general_named_list[k].name)
      return NULL;
  const general_named *named = &general_named_list[kind];
  if (strcmp (named->name, "companion") == 0 && n > 60)
    return NULL; /* its polynomial has 64 coefficients */
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      measure_set (type, a, i + n * j, named->element (n, i, j));
  return named->name;
}

static void
solve (int way, gpueig_type type, int64_t n, int64_t pages, const char *a,
       char *lambda, char *v, char *w, gpueig_info *info, const char *what)
{
  const gpueig_general g = general_problem (type, n, pages, a, lambda, v, w);
  options.method = ways[way].method;
  CHECK (ways[way].run (ctx, &g, &options, info) == GPUEIG_OK,
         "%s, %s, %s n=%d: %s", what, ways[way].name, check_type_name[type],
         (int) n, gpueig_message (ctx));
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
  const char *const method = ways[way].name;
  gpueig_info info;
  const size_t square = (size_t) (n * n) * gpueig_scalar_size (type);
  const size_t order = (size_t) n * gpueig_scalar_size (complex_type (type));
  const int64_t most = ALL_KINDS / step + 1;
  int64_t pages = 0;
  FREED char *a = check_array (type, n * n * most);
  FREED char *lambda = check_array (complex_type (type), n * most);
  FREED char *again = check_array (complex_type (type), n * most);
  FREED char *known = check_array (complex_type (type), n * most);
  FREED char *v = check_array (complex_type (type), n * n);
  FREED char *w = check_array (complex_type (type), n * n);
  for (int k = (int) n % step; k < ALL_KINDS; k += step)
    {
      char *page = a + (size_t) pages * square;
      char *mine = lambda + (size_t) pages * order;
      char *theirs = known + (size_t) pages * order;
      const char *name = make_any (k, type, n, page);
      if (! name)
        continue;
      solve (way, type, n, 1, page, theirs, v, w, &info, name);
      const int by_qr = ways[way].run == gpueig_eig_general && n > 32
                        && n <= 512 && options.backend == GPUEIG_CPU;
      CHECK (! by_qr || strcmp (info.method, "qr") == 0, "%s, %s n=%d: by %s",
             name, method, (int) n, info.method);
      check_general (measure_general (type, n, page, v, w, theirs), n,
                     k < HARD ? LIMIT_GENERAL * (double) n : USUAL_QR,
                     "%s, %s, %s n=%d", name, method, check_type_name[type],
                     (int) n);
      CHECK (gpueig_is_complex (type) || has_pairs (type, n, theirs, v),
             "%s, %s, %s n=%d: conjugate pairs", name, method,
             check_type_name[type], (int) n);
      solve (way, type, n, 1, page, mine, NULL, NULL, &info, name);
      CHECK (! by_qr || memcmp (mine, theirs, order) == 0,
             "%s, %s, %s n=%d: the bits of eigenvalues alone", name, method,
             check_type_name[type], (int) n);
      CHECK_RATIO (mixed_spectrum (type, n, page, mine, theirs), LIMIT_GENERAL,
                   "values alone, %s, %s, %s n=%d", name, method,
                   check_type_name[type], (int) n);
      pages++;
    }
  solve (way, type, n, pages, a, lambda, NULL, NULL, &info, "all kinds");
  double worst = 0;
  int paired = 1;
  for (int64_t p = 0; p < pages; p++)
    {
      const size_t at = (size_t) p * order;
      paired
          &= gpueig_is_complex (type) || has_pairs (type, n, lambda + at, NULL);
      worst = worst_of (worst, mixed_spectrum (type, n, a + (size_t) p * square,
                                               lambda + at, known + at));
    }
  CHECK_RATIO (worst, LIMIT_GENERAL, "values alone, %d pages, %s, %s n=%d",
               (int) pages, method, check_type_name[type], (int) n);
  CHECK (paired, "conjugate pairs, %d pages, %s, %s n=%d", (int) pages, method,
         check_type_name[type], (int) n);
  for (int64_t p = 0; p < pages / 2; p++) /* the other way round */
    for (size_t i = 0; i < square; i++)
      {
        char *x = a + (size_t) p * square + i;
        char *y = a + (size_t) (pages - 1 - p) * square + i;
        const char keep = *x;
        *x = *y;
        *y = keep;
      }
  solve (way, type, n, pages, a, again, NULL, NULL, &info,
         "all kinds reversed");
  int same = 1;
  for (int64_t p = 0; p < pages; p++)
    same &= memcmp (lambda + (size_t) p * order,
                    again + (size_t) (pages - 1 - p) * order, order)
            == 0;
  CHECK (same, "%s, %s n=%d: the bits of a page in another place, of %d",
         method, check_type_name[type], (int) n, (int) pages);
}

/* --- random ones --- */

static double
larger_residual (gpueig_type type, int64_t n, const char *a, const char *lambda,
                 const char *v, const char *w)
{
  const measure_pairs m = measure_general (type, n, a, v, w, lambda);
  return worst_of (m.right, m.left);
}

/* LAPACK's for the same.  */
static double
usual_residual (gpueig_type type, int64_t n, const char *a)
{
  gpueig_options lapack = options;
  FREED char *lambda = check_array (complex_type (type), n);
  FREED char *v = check_array (complex_type (type), n * n);
  FREED char *w = check_array (complex_type (type), n * n);
  const gpueig_general g = general_problem (type, n, 1, a, lambda, v, w);
  lapack.backend = GPUEIG_CPU;
  lapack.method = "geev";
  CHECK (gpueig_eig_general (ctx, &g, &lapack, NULL) == GPUEIG_OK, "LAPACK: %s",
         gpueig_message (ctx));
  return larger_residual (type, n, a, lambda, v, w);
}

/* The one with NUMBER; orders are as often below 24 as above.  */
static void
test_one (void)
{
  measure_random r = { 77 + number };
  measure_chance (&r);
  const int kind = (int) measure_integer (&r, 0, ALL_KINDS - 1);
  const gpueig_type type = (gpueig_type) measure_integer (&r, 0, 3);
  const int64_t n = (int64_t) exp (measure_chance (&r) * log (601));
  gpueig_info info;
  FREED char *a = check_array (type, n * n);
  FREED char *lambda = check_array (complex_type (type), n);
  FREED char *v = check_array (complex_type (type), n * n);
  FREED char *w = check_array (complex_type (type), n * n);
  const char *name = make_any (kind, type, n, a);
  if (! name)
    return;
  solve (1, type, n, 1, a, lambda, v, w, &info, name);
  CHECK (info.fallback[0] == '\0', "%s, %s n=%d, number %d: by %s", name,
         check_type_name[type], (int) n, (int) number, info.fallback);
  /* Only where this says something: LAPACK's may be 0 in small ones.  */
  const double usual = n < 16 ? 2 : 1;
  const double residual = larger_residual (type, n, a, lambda, v, w);
  const double limit = residual > usual
                           ? fmax (3 * usual_residual (type, n, a), usual)
                           : usual;
  CHECK_RATIO (residual, limit, "%s, %s n=%d, number %d", name,
               check_type_name[type], (int) n, (int) number);
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
          if (check_turn (3))
            test_order ((gpueig_type) t, plan[i].n,
                        ways[way].rarely * plan[i].step, way);
        for (size_t i = 0; many && i < sizeof large / sizeof large[0]; i++)
          test_order ((gpueig_type) t, large[i], 9 << i, way);
      }
  gpueig_destroy (ctx);
  return check_end ();
}
