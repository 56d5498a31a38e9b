/* Claims: eigenvalues out of order are sorted with their vectors, stably, in all
   types; results in order are not changed; a failing allocation is reported.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "base/solver.h"

#include <complex.h>
#include <string.h>

static gpueig_context *ctx;

/* Column j of V holds j and the eigenvalue it belongs to.  */
static void
test_type (gpueig_type type, int64_t n, int64_t count, int step)
{
  const gpueig_type real = real_type (type);
  FREED char *v = check_array (type, n * count),
             *lambda = check_array (real, count);
  FREED char *again = check_array (type, n * count);
  for (int64_t j = 0; j < count; j++)
    {
      /* every value several times, in a scrambled order */
      const double value = (double) ((j * step) % count / 3) - 2;
      measure_set (real, lambda, j, value);
      for (int64_t i = 0; i < n; i++)
        measure_set (type, v, i + n * j, i == 0 ? value : (double) j);
    }
  CHECK (ge_sort_pairs (ctx, type, n, count, lambda, v) == GPUEIG_OK,
         "sorting %d, %s", (int) count, check_type_name[type]);
  int ascending = 1, together = 1, stable = 1;
  for (int64_t j = 0; j < count; j++)
    {
      const double value = creal (measure_get (real, lambda, j));
      const double last
          = j > 0 ? creal (measure_get (real, lambda, j - 1)) : -9;
      ascending &= last <= value;
      together &= creal (measure_get (type, v, n * j)) == value;
      if (last == value)
        stable &= creal (measure_get (type, v, n * j - 1))
                  < creal (measure_get (type, v, n * j + n - 1));
    }
  CHECK (ascending && together && stable,
         "ascending %d, vectors with their values %d, stable %d, %s, n=%d",
         ascending, together, stable, check_type_name[type], (int) n);
  memcpy (again, v, (size_t) (n * count) * gpueig_scalar_size (type));
  gpueig_fail_allocation (ctx, 1);
  CHECK (
      ge_sort_pairs (ctx, type, n, count, lambda, v) == GPUEIG_OK
          && memcmp (again, v, (size_t) (n * count) * gpueig_scalar_size (type))
                 == 0,
      "what is in order needs nothing, %s", check_type_name[type]);
  measure_set (real, lambda, 0, 1e9);
  CHECK (ge_sort_pairs (ctx, type, n, count, lambda, v) == GPUEIG_OUT_OF_MEMORY,
         "failing allocation, %s", check_type_name[type]);
  gpueig_fail_allocation (ctx, 0);
}

/* Three pages, of which the second is out of order.  */
static void
test_pages (void)
{
  double lambda[6] = { 1, 2, 5, 4, 0, 0 };
  double v[12] = { 1, 0, 0, 1, 0.6, 0.8, -0.8, 0.6, 1, 0, 0, 1 };
  const gpueig_symmetric s
      = symmetric_problem (GPUEIG_DOUBLE, 2, 3, NULL, lambda, v);
  CHECK (ge_sort_pages (ctx, &s) == GPUEIG_OK && lambda[2] == 4
             && lambda[3] == 5 && v[4] == -0.8 && v[7] == 0.8 && v[0] == 1
             && v[8] == 1,
         "pages are sorted one by one");
}

int
main (void)
{
  gpueig_options options;
  check_begin ("order");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      test_type ((gpueig_type) t, 2, 50, 7);
      test_type ((gpueig_type) t, 31, 31, 30);
    }
  test_pages ();
  gpueig_destroy (ctx);
  return check_end ();
}
