/* Claims about large tridiagonal inverses on the backend under test:
   columns_follow_the_closed_form: columns of an order beyond 2^31 entries follow the closed
     form
   a_band_of_a_million_rows: a band of a million rows is that of the whole
   the_whole_has_the_columns: all of the inverse has the columns that are computed alone; with
     GPUEIG_TEST_LARGE of more than 2^31 entries
   no_clusters_give_the_same_bits: a GPU without thread block clusters gives the same bits
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tdinv_matrices.h"

/* inv (tridiag (-1, 2, -1)) is min (i, j) (n + 1 - max (i, j)) / (n + 1), and
   far from the corner nothing accumulates.  */
static void
columns_follow_the_closed_form (int64_t n)
{
  const int64_t columns[3] = { 0, n / 3, n - 1 };
  double worst = 0, rcond;
  FREED double *x = check_array (GPUEIG_DOUBLE, 3 * n);
  CLEANUP (free_matrix)
  any_problem p = make_matrix (GPUEIG_DOUBLE, LAPLACE, n, x, &rcond);
  p.columns = columns;
  p.n_columns = 3;
  invert (&p, LAPLACE, "auto");
  for (int k = 0; k < 3; k++)
    for (int64_t i = 0; i < n; i++)
      {
        int64_t j = columns[k], low = i < j ? i : j, high = i < j ? j : i;
        long double want = (long double) (low + 1) * (long double) (n - high)
                           / (long double) (n + 1);
        worst = worst_of (worst, (double) fabsl ((x[i + n * k] - want) / want));
      }
  CHECK_RATIO (worst / DBL_EPSILON, LIMIT_INVERSE_ENTRY,
               "exact formula, columns, %s", p.what);
}

static void
a_band_of_a_million_rows (void)
{
  const int64_t n = 1000000, at = 654321;
  FREED double *x = check_array (GPUEIG_DOUBLE, 7 * n),
               *y = check_array (GPUEIG_DOUBLE, n);
  double differ = 0;
  CLEANUP (free_matrix)
  any_problem p = make_matrix (GPUEIG_DOUBLE, RANDOM_DOMINANT, n, x, NULL);
  p.band = 3;
  invert (&p, RANDOM_DOMINANT, "auto");
  p.band = -1;
  p.columns = &at;
  p.n_columns = 1;
  p.v = (char *) y;
  invert (&p, RANDOM_DOMINANT, "auto");
  for (int64_t d = -3; d <= 3; d++)
    differ += x[3 + d + 7 * at] != y[at + d];
  CHECK (differ == 0, "band and column agree, %s", p.what);
}

/* All of the inverse, compared column by column with some that are computed
   alone.  */
static void
the_whole_has_the_columns (gpueig_type type, int64_t n)
{
  enum
  {
    COUNT = 5
  };
  const double bytes
      = (double) n * (double) n * (double) gpueig_scalar_size (type);
  const int64_t columns[COUNT] = { 0, 1, n / 3, n - 2, n - 1 };
  double rcond;
  if (gpueig_need_memory (ctx, 1.1 * bytes, "the test") != GPUEIG_OK)
    {
      check_skip ("all of order %d: %s", (int) n, gpueig_message (ctx));
      return;
    }
  FREED char *x = check_array (type, n * n), *y = check_array (type, COUNT * n);
  CLEANUP (free_matrix)
  any_problem p = make_matrix (type, RANDOM_DOMINANT, n, x, &rcond);
  invert (&p, RANDOM_DOMINANT, "auto");
  p.v = y;
  p.columns = columns;
  p.n_columns = COUNT;
  invert (&p, RANDOM_DOMINANT, "auto");
  for (int k = 0; k < COUNT; k++)
    CHECK (same_bits (type, x, n * columns[k], y, n * k, n),
           "column %d of all, %s", (int) columns[k], p.what);
}

/* Without clusters other kernels compute the generators.  */
static void
no_clusters_give_the_same_bits (gpueig_type type, kind k, int64_t n)
{
  FREED char *x = check_array (type, n * n), *y = check_array (type, n * n);
  double rcond = 0, other = 0;
  CLEANUP (free_matrix) any_problem p = make_matrix (type, k, n, x, &rcond);
  invert (&p, k, "auto");
  p.v = y;
  p.lambda = (char *) &other;
  gpueig_limit_device (ctx, 0, 0, 1);
  invert (&p, k, "auto");
  gpueig_limit_device (ctx, 0, 0, 0);
  CHECK (same_bits (type, x, 0, y, 0, n * n),
         "the same bits without clusters, %s", p.what);
  CHECK (fabs (rcond - other) <= 1e-13 * rcond, "rcond %g and %g, %s", rcond,
         other, p.what);
}

int
main (void)
{
  begin_test ("tdinv_large");
  columns_follow_the_closed_form (46341);
  a_band_of_a_million_rows ();
  the_whole_has_the_columns (GPUEIG_DOUBLE, 4097);
  for (gpueig_type t = 0; t < 4; t++)
    for (int k = 0; k < KINDS; k++)
      {
        no_clusters_give_the_same_bits (t, (kind) k, 150);
        no_clusters_give_the_same_bits (t, (kind) k, 1027);
      }
  no_clusters_give_the_same_bits (GPUEIG_DOUBLE, RANDOM_DOMINANT, 4801);
  no_clusters_give_the_same_bits (GPUEIG_DOUBLE, REDUCIBLE, 9001);
  no_clusters_give_the_same_bits (GPUEIG_COMPLEX_DOUBLE, RANDOM, 4500);
  if (getenv ("GPUEIG_TEST_LARGE"))
    {
      the_whole_has_the_columns (GPUEIG_FLOAT, 46341);
      the_whole_has_the_columns (GPUEIG_DOUBLE, 65536);
    }
  else
    check_skip ("orders 46341 and 65536 as a whole: GPUEIG_TEST_LARGE is not "
                "set");
  return end_test ();
}
