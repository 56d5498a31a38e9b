/* Claims: eigenvalues out of order are sorted with their vectors, stably, in all
   types; results in order are not changed; a failing allocation is reported; general
   eigenvalues with real parts that are equal but for rounding errors come by |imaginary
   part|, the positive ones first, those of a real matrix in pairs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "base/solver.h"
#include "complex_eig/order.h"

#include <complex.h>
#include <float.h>
#include <math.h>
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

/* Eigenvalues RE (in units of half the tolerance, from 1) and IM, and the order that they
   must have.  */
static void
test_groups (void)
{
  enum
  {
    MOST = 6
  };
  static const struct
  {
    int n, real, re[MOST];
    double im[MOST];
    int order[MOST];
  } cases[] = {
    { 3, 0, { 0, 0, 1 }, { 2, -2, 0 }, { 2, 0, 1 } },
    { 2, 0, { 0, 1 }, { -1, 1 }, { 1, 0 } },
    { 2, 0, { 0, 3 }, { -1, 1 }, { 0, 1 } },
    { 2, 0, { 0, 2 }, { -1, 1 }, { 1, 0 } },
    { 2, 0, { 0 }, { 1 - 1e-15, -1 }, { 0, 1 } },
    { 2, 0, { 0 }, { -1 + 1e-15, 1 }, { 1, 0 } },
    { 2, 0, { 0 }, { -1 + 1e-13, 1 }, { 0, 1 } },
    { 2, 0, { 1, 0 }, { 1, 1 }, { 1, 0 } },
    { 3, 0, { 0, 1, 3 }, { -1, -1, 1 }, { 2, 0, 1 } },
    { 4, 0, { 0, 0, 0, 9 }, { 3, -2, 2, 0 }, { 2, 1, 0, 3 } },
    { 3, 0, { 0 }, { -1, 1, 1 - 1e-15 }, { 1, 2, 0 } },
    { 2, 1, { 0 }, { -1, 1 }, { 1, 0 } },
    { 4, 1, { 0 }, { 2, -2, 1, -1 }, { 2, 3, 0, 1 } },
    { 4, 1, { 0, 1, 0, 1 }, { 1, 1, -1, -1 }, { 0, 2, 1, 3 } },
    { 4, 1, { 0 }, { 1, -1, 1 - 1e-15, -1 + 1e-15 }, { 2, 3, 0, 1 } },
    { 6,
      1,
      { 0, 0, 1, 1, 2, 2 },
      { 1, -1, 1, -1, 1, -1 },
      { 0, 1, 2, 3, 4, 5 } },
    { 6,
      1,
      { 0, 0, 0, 0, 0, 0 },
      { 1, 1, -1, -1, 0, 0 },
      { 4, 5, 0, 2, 1, 3 } },
    { 4, 1, { 0 }, { 0 }, { 0, 1, 2, 3 } },
    { 6, 1, { 0 }, { 2, 4, -4, -2, 1, -1 }, { 4, 5, 0, 3, 1, 2 } },
    { 4, 1, { 0, 9, 9, 20 }, { 0, -1, 1, 0 }, { 0, 2, 1, 3 } },
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    {
      const int64_t n = cases[k].n;
      double _Complex lambda[MOST], given[MOST], v[MOST * MOST], column[MOST];
      int64_t order[2 * MOST];
      double most = 0;
      for (int64_t j = 0; j < n; j++)
        most = fmax (most, 1 + fabs (cases[k].im[j]));
      const double tol = 8 * sqrt ((double) n) * DBL_EPSILON * most;
      for (int64_t j = 0; j < n; j++)
        {
          lambda[j] = given[j]
              = 1 + 0.48 * cases[k].re[j] * tol + I * cases[k].im[j];
          for (int64_t i = 0; i < n; i++)
            v[i + n * j] = (double) j;
        }
      ge_order_page_z (n, cases[k].real, (double *) lambda, (double *) v, NULL,
                       order, column);
      int right = 1;
      for (int64_t j = 0; j < n; j++)
        right &= lambda[j] == given[cases[k].order[j]]
                 && v[n * j] == (double) cases[k].order[j]
                 && v[n * j + n - 1] == v[n * j];
      CHECK (right, "groups of eigenvalues, case %d", (int) k + 1);
    }
}

static void
test_phases (void)
{
  double _Complex v[12] = { 0.6 * I,  -0.8 * I, 0,
                            0.6 * I,  -0.8,     0,
                            -0.6 * I, 0.6,      0.52915026221291817,
                            0.8,      0.36 * I, 0.48 * I };
  ge_fix_phases_z (3, 4, (double *) v);
  const int turned = cabs (v[0] + 0.6) < 1e-15 && cabs (v[1] - 0.8) < 1e-15
                     && cabs (v[6] - 0.6) < 1e-15
                     && cabs (v[7] - 0.6 * I) < 1e-15;
  CHECK (turned && cimag (v[1]) == 0 && cimag (v[6]) == 0 && v[3] == 0.6 * I
             && v[4] == -0.8 && v[9] == 0.8 && v[10] == 0.36 * I,
         "the first of the largest elements is real, negative if it was");
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
  test_groups ();
  test_phases ();
  gpueig_destroy (ctx);
  return check_end ();
}
