/* A claim about balancing on the host, which a GPU's solver uses. Hard general matrices:
   front.tst, test_accuracy.c, test_mixed.c.
   balancing_isolates_and_equalises: all eigenvalues that permutations can isolate are isolated,
     and norms of rows and columns of the rest are made alike
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "check.h"
#include "schur/balance.h"

#include <complex.h>
#include <math.h>

/* Block triangular with rows and columns permuted and scaled: OUTER isolated eigenvalues,
   INNER that are not, OUTER others.  */
static void
balancing_isolates_and_equalises (gpueig_type type, int64_t outer,
                                  int64_t inner)
{
  const int64_t n = inner + 2 * outer, last = outer + inner;
  const double eps = measure_eps (type);
  measure_random r = { (uint64_t) n };
  FREED void *a = check_array (type, n * n), *b = check_array (type, n * n),
             *scale = check_array (type, n);
  FREED int *order = check_memory (n, sizeof *order),
            *space = check_memory (3 * n, sizeof *space);
  FREED int64_t *to = check_memory (n, sizeof *to);
  double error = 0, below = 0, uneven = 1;
  measure_shuffle (&r, n, to);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      if (i <= j || (j >= outer && i < last))
        measure_set (type, a, to[i] + n * to[j],
                     ldexp (measure_normal (&r), (int) (7 * (i - j) % 20)));
  GE_BY_TYPE (type, ge_balance, (n, a, b, order, scale, space));
  for (int64_t j = 0; j < n; j++)
    {
      double row = 0, column = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const double complex x = measure_get (type, b, i + n * j);
          const double factor
              = creal (measure_get (real_type (type), scale, i)
                       / measure_get (real_type (type), scale, j));
          error = worst_of (
              error, cabs (x * factor
                           - measure_get (type, a, order[i] + n * order[j])));
          if (i > j && ! (j >= outer && i < last))
            below = worst_of (below, cabs (x));
          if (i >= outer && i < last)
            {
              column = hypot (column, cabs (x));
              row = hypot (row, cabs (measure_get (type, b, j + n * i)));
            }
        }
      if (j >= outer && j < last)
        uneven = worst_of (uneven, worst_of (row / column, column / row));
    }
  CHECK (error == 0 && below == 0,
         "balanced, %s n=%d: differs by %g, below the blocks %g",
         check_type_name[type], (int) n, error / eps, below);
  /* a factor that is left brings less than five per cent: 0.95 (1 + x) < x / 2 + 2 */
  CHECK_RATIO (uneven, 2.34, "norms of rows and columns, %s n=%d",
               check_type_name[type], (int) n);
}

int
main (void)
{
  check_begin ("balance");
  for (gpueig_type t = 0; t < 4; t++)
    {
      balancing_isolates_and_equalises (t, 3, 6);
      balancing_isolates_and_equalises (t, 3, 60);
      balancing_isolates_and_equalises (t, 10, 0);
    }
  return check_end ();
}
