/* Claims about gpueig_svd with high accuracy on the backend under test:
   values_are_right_relative_to_themselves: every singular value of B D or D B, D diagonal, that
     is a normal number is right to a few n eps relative to itself, against Jacobi in long
     double, with and without vectors, alone and in stacks; vectors pass the bars
   ranges_up_to_all_numbers: that, where D spans up to the whole range of the numbers
   diagonal_matrices_are_exact: values of diagonal matrices are right down to subnormal ones
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "svd_measures.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A = B D, or with LEFT D B, with a well-conditioned B and D from 10^LOW to 10^HIGH, the other
   way round on every second page: every singular value that is a normal number to relative
   accuracy.  */
static void
values_are_right_relative_to_themselves (gpueig_type type, int64_t m, int64_t n,
                                         int pages, int left, double low,
                                         double high)
{
  const int64_t k = m < n ? m : n;
  const long double least
      = gpueig_is_double (type) ? DBL_MIN : (long double) FLT_MIN;
  gpueig_options opt = options;
  CLEANUP (end_svd) gpueig_svd_problem p = begin_svd (type, m, n, pages, 0);
  FREED wide *exact = check_memory (m * n, sizeof *exact);
  FREED long double *t = check_memory (k, sizeof *t);
  measure_random r = { (uint64_t) (m + n) };
  opt.high_accuracy = 1;
  for (int64_t i = 0; i < m * n * pages; i++)
    {
      const int64_t row = i % m, column = i / m % n;
      const int64_t at = (left ? row : column) % k;
      const double share = (double) ((5 * at) % k) / (double) (k - 1);
      const int falls = i / (m * n) % 2 == 1;
      measure_set (
          type, (void *) p.a, i,
          ((row % k == column % k ? 3 : 0) + 0.3 * measure_number (&r, type))
              * pow (10, falls ? high - (high - low) * share
                               : low + (high - low) * share));
    }
  gpueig_info info;
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK && ! info.fallback[0]
             && strcmp (info.method, "jacobi") == 0,
         "high, %s %dx%d: %s %s", check_type_name[type], (int) m, (int) n,
         gpueig_message (ctx), info.fallback);
  FREED char *only = check_array (type, k * pages);
  gpueig_svd_problem alone = p;
  alone.u = alone.v = NULL;
  alone.s = only;
  CHECK (gpueig_svd (ctx, &alone, &opt, NULL) == GPUEIG_OK, "values alone");
  for (int page = 0; page < pages; page++)
    {
      char what[96];
      snprintf (what, sizeof what, "%s, %s %dx%d page %d, 1e%g to 1e%g",
                left ? "D B" : "B D", check_type_name[type], (int) m, (int) n,
                page, low, high);
      for (int64_t i = 0; i < m * n; i++)
        exact[i] = measure_get (type, p.a, i + page * m * n);
      check_page (what, &p, page, exact);
      wide_singular_values (m, n, exact, t);
      double worst = 0;
      for (int64_t i = 0; i < 2 * k; i++)
        if (t[i % k] >= least)
          worst = worst_of (
              worst, (double) (fabsl (creal (measure_get (real_type (type),
                                                          i < k ? p.s : only,
                                                          i % k + page * k))
                                      - t[i % k])
                               / t[i % k]));
      CHECK_RATIO (worst / ((double) n * measure_eps (type)), LIMIT_RELATIVE,
                   "relative errors, %s", what);
    }
}

/* Diagonal matrices, whose values are exact, down to subnormal ones and beside zeros.  */
static void
diagonal_matrices_are_exact (gpueig_type type)
{
  enum
  {
    N = 5
  };
  static const double d[][N] = { { 1, 1e-100, 1e-200, 1e-310, 0 },
                                 { 1e200, 1, 1e-120, 1e300, 1e-300 },
                                 { 1, 1e-10, 1e-39, 1e-42, 1e30 },
                                 { 1e-310, 1e-300, 0, 1e-305, 1 } };
  const gpueig_type real = real_type (type);
  gpueig_options opt = options;
  opt.high_accuracy = 1;
  for (size_t i = gpueig_is_double (type) ? 0 : 2;
       i < (gpueig_is_double (type) ? 4 : 3); i++)
    {
      FREED char *a = check_array (type, N * N), *s = check_array (type, N);
      long double want[N];
      for (int j = 0; j < N; j++)
        {
          measure_set (type, a, j * (N + 1), d[i][j]);
          want[j] = creal (measure_get (type, a, j * (N + 1)));
        }
      qsort (want, N, sizeof *want, wide_descending);
      const gpueig_svd_problem p
          = { .type = type, .m = N, .n = N, .pages = 1, .a = a, .s = s };
      CHECK (gpueig_svd (ctx, &p, &opt, NULL) == GPUEIG_OK, "diagonal");
      for (int j = 0; j < N; j++)
        CHECK (fabsl (creal (measure_get (real, s, j)) - want[j])
                   <= 2 * (long double) measure_eps (type) * want[j],
               "value %d of diagonal %d, %s: %.17g, not %.17g", j, (int) i,
               check_type_name[type], creal (measure_get (real, s, j)),
               (double) want[j]);
    }
}

/* Spans up to the whole range of the numbers, and those at which another method is taken.  On a
   GPU D is on the shorter side.  */
static void
ranges_up_to_all_numbers (gpueig_type type)
{
  static const double spans[][2] = { { -148, 148 }, { -306, 306 }, { -306, 0 },
                                     { -60, 59 },   { -60, 61 },   { 0, 300 } };
  static const int64_t shapes[][3] = {
    { 2, 2, 1 }, { 12, 12, 1 }, { 20, 9, 1 }, { 9, 20, 3 }, { 33, 30, 2 }
  };
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 5; k++)
      for (int left = 0; left < 2; left++)
        {
          const int64_t *shape = shapes[k];
          const double unit = gpueig_is_double (type) ? 1 : 1.0 / 8.2;
          if (options.backend != GPUEIG_CUDA || left == (shape[0] < shape[1]))
            values_are_right_relative_to_themselves (
                type, shape[0], shape[1], (int) shape[2], left,
                unit * spans[i][0], unit * spans[i][1]);
        }
}

int
main (void)
{
  begin_test ("svd_high");
  for (gpueig_type t = 0; t < 4; t++)
    {
      ranges_up_to_all_numbers (t);
      diagonal_matrices_are_exact (t);
    }
  return end_test ();
}
