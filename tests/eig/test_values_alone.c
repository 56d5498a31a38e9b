/* Claims, for eigenvalues of general matrices without vectors on the backend under
   test, by "auto" and by "qr": each eigenvalue x makes A - x I singular
   to within the limit, and the sums of x and of x^2 are the traces of A and A^2, for
   LAPACK's types, named hard matrices and the kinds of mixed stacks; so it
   is in a stack of all kinds, where a page has the same bits in another place.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "general_matrices.h"
#include "limits.h"
#include "mixed_pages.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

enum
{
  MOST_NAMED = 24, /* of general_named_list */
  KINDS = GENERAL_TYPES + PAGE_KINDS + MOST_NAMED
};

/* Matrix KIND of order N to A; its name, NULL if there is none.  */
static const char *
make (int kind, gpueig_type type, int64_t n, char *a)
{
  static char name[40];
  measure_random r = { (uint64_t) (1000 * n + kind) };
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
solve (gpueig_type type, int64_t n, int64_t pages, const char *method,
       const char *a, char *lambda, char *v, const char *what)
{
  const gpueig_general g = general_problem (type, n, pages, a, lambda, v, NULL);
  options.method = method;
  CHECK (gpueig_eig_general (ctx, &g, &options, NULL) == GPUEIG_OK,
         "%s, %s, %s n=%d: %s", what, method, check_type_name[type], (int) n,
         gpueig_message (ctx));
}

/* Are the eigenvalues of a real matrix as many conjugates as the others, each after one
   with a positive imaginary part?  */
static int
has_pairs (gpueig_type type, int64_t n, const char *lambda)
{
  for (int64_t i = 0; i < n; i++)
    {
      const double complex x = measure_get (complex_type (type), lambda, i);
      const double complex u = cimag (x) > 0 ? x : conj (x);
      int open = 0; /* how many of U have no conjugate yet */
      for (int64_t j = 0; j < n && cimag (x) != 0; j++)
        {
          const double complex y = measure_get (complex_type (type), lambda, j);
          open += (y == u) - (y == conj (u));
          if (open < 0)
            return 0;
        }
      if (open != 0)
        return 0;
    }
  return 1;
}

/* All kinds of order N, or every STEP-th.  */
static void
test_order (gpueig_type type, int64_t n, int step, const char *method)
{
  const size_t square = (size_t) (n * n) * gpueig_scalar_size (type);
  const size_t order = (size_t) n * gpueig_scalar_size (complex_type (type));
  const int64_t most = KINDS / step + 1;
  int64_t pages = 0;
  FREED char *a = check_array (type, n * n * most);
  FREED char *lambda = check_array (complex_type (type), n * most);
  FREED char *again = check_array (complex_type (type), n * most);
  FREED char *known = check_array (complex_type (type), n * most);
  FREED char *v = check_array (complex_type (type), n * n);
  for (int k = (int) n % step; k < KINDS; k += step)
    {
      char *page = a + (size_t) pages * square;
      char *mine = lambda + (size_t) pages * order;
      char *theirs = known + (size_t) pages * order;
      const char *name = make (k, type, n, page);
      if (! name)
        continue;
      solve (type, n, 1, method, page, theirs, v, name);
      solve (type, n, 1, method, page, mine, NULL, name);
      CHECK_RATIO (mixed_spectrum (type, n, page, mine, theirs), LIMIT_GENERAL,
                   "values alone, %s, %s, %s n=%d", name, method,
                   check_type_name[type], (int) n);
      pages++;
    }
  solve (type, n, pages, method, a, lambda, NULL, "all kinds");
  double worst = 0;
  int paired = 1;
  for (int64_t p = 0; p < pages; p++)
    {
      const size_t at = (size_t) p * order;
      paired &= gpueig_is_complex (type) || has_pairs (type, n, lambda + at);
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
  solve (type, n, pages, method, a, again, NULL, "all kinds reversed");
  int same = 1;
  for (int64_t p = 0; p < pages; p++)
    same &= memcmp (lambda + (size_t) p * order,
                    again + (size_t) (pages - 1 - p) * order, order)
            == 0;
  CHECK (same, "%s, %s n=%d: the bits of a page in another place, of %d",
         method, check_type_name[type], (int) n, (int) pages);
}

int
main (void)
{
  static const struct
  {
    int64_t n;
    int step;
  } plan[] = { { 1, 1 },  { 2, 1 },  { 3, 1 },   { 5, 1 },   { 8, 1 },
               { 16, 1 }, { 31, 1 }, { 33, 2 },  { 64, 4 },  { 65, 4 },
               { 66, 4 }, { 97, 7 }, { 129, 9 }, { 160, 11 } };
  check_begin ("values_alone");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof plan / sizeof plan[0]; i++)
      {
        test_order ((gpueig_type) t, plan[i].n, plan[i].step, "auto");
        test_order ((gpueig_type) t, plan[i].n, 5 * plan[i].step, "qr");
      }
  gpueig_destroy (ctx);
  return check_end ();
}
