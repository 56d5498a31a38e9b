/* Claims, for the methods "stemr" and "stevd" of gpueig_mrrr, on the CPU: results meet
   the limits on all matrices of mrrr_matrices.h, ascending and with the selected
   indices, also where xSTEMR itself fails; order 2; intervals.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"
#include "mrrr_matrices.h"
#include "mrrr_problem.h"

#include <stdio.h>
#include <string.h>

static void
check_all (gpueig_type type, int n, int kind)
{
  CLEANUP (free_problem) problem p = make_problem (type, n);
  mrrr_matrices[kind].make (n, p.d, p.e);
  round_problem (&p);
  const gpueig_mrrr_problem r = request (&p);
  char name[120];
  snprintf (name, sizeof name, "%s, %s, %s n=%d", options.method,
            mrrr_matrices[kind].name, check_type_name[type], n);
  gpueig_status status = solve (&p, &r, NULL);
  CHECK (status == GPUEIG_OK, "%s: %s", name, gpueig_message (ctx));
  CHECK_RATIO (residual (&p), LIMIT_RESIDUAL, "residual, %s", name);
  CHECK_RATIO (orthogonality (&p),
               strstr (name, "stemr") ? LIMIT_STEMR : LIMIT_ORTHOGONALITY,
               "orthogonality, %s", name);
  CHECK (is_ascending (&p), "ascending, %s", name);
}

/* Numbers FIRST to LAST, and those in an interval around them.  */
static void
check_parts (gpueig_type type, int n, int kind, int first, int last)
{
  int64_t found = -1;
  CLEANUP (free_problem) problem p = make_problem (type, n);
  mrrr_matrices[kind].make (n, p.d, p.e);
  round_problem (&p);
  const double unit
      = norm1 (&p) * n * measure_eps (type) + measure_eps (type) * 1e-30;
  gpueig_mrrr_problem r = request (&p);
  char name[120];
  snprintf (name, sizeof name, "%s, %s, %s n=%d, %d to %d", options.method,
            mrrr_matrices[kind].name, check_type_name[type], n, first, last);
  r.select = GPUEIG_SELECT_INDEX;
  r.first = first;
  r.last = last;
  p.columns = last - first + 1;
  CHECK (solve (&p, &r, NULL) == GPUEIG_OK, "%s: %s", name,
         gpueig_message (ctx));
  double worst = 0;
  for (int i = 0; i < p.columns; i++)
    worst = fmax (worst, fabs (p.lambda[i] - reference (&p, first + i)));
  CHECK_RATIO (worst / unit, LIMIT_EIGENVALUES, "by number, %s", name);
  CHECK_RATIO (residual (&p), LIMIT_RESIDUAL, "residual, %s", name);

  const double low = p.lambda[0], high = p.lambda[p.columns - 1];
  r.select = GPUEIG_SELECT_INTERVAL;
  r.vl = low - 20 * unit;
  r.vu = high + 20 * unit;
  r.found = &found;
  p.columns = n;
  CHECK (solve (&p, &r, NULL) == GPUEIG_OK, "%s: %s", name,
         gpueig_message (ctx));
  int inside = found >= last - first + 1;
  for (int i = 0; i < found; i++)
    inside &= p.lambda[i] > r.vl - 10 * unit && p.lambda[i] <= r.vu + 10 * unit;
  CHECK (inside, "%d in the interval, %s", (int) found, name);
}

int
main (void)
{
  static const char *const methods[] = { "stemr", "stevd" };
  static const int orders[] = { 1, 2, 3, 5, 33, 120 };
  check_begin ("mrrr_lapack");
  ctx = check_context (&options);
  options.backend = GPUEIG_CPU;
  for (int m = 0; m < 2; m++)
    {
      options.method = methods[m];
      for (int t = 0; t < 2; t++)
        for (int k = 0; k < MRRR_MATRICES; k++)
          {
            for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
              check_all ((gpueig_type) t, orders[i], k);
            check_parts ((gpueig_type) t, 2, k, 1, 1);
            check_parts ((gpueig_type) t, 2, k, 2, 2);
            check_parts ((gpueig_type) t, 12, k, 3, 7);
          }
    }
  /* Order 2 by modulus would be 1.06, -3.06.  */
  CLEANUP (free_problem) problem p = make_problem (GPUEIG_DOUBLE, 2);
  p.d[0] = -3;
  p.d[1] = 1;
  p.e[0] = 0.5;
  round_problem (&p);
  gpueig_mrrr_problem r = request (&p);
  r.select = GPUEIG_SELECT_INDEX;
  r.first = r.last = 1;
  p.columns = 1;
  options.method = "stemr";
  CHECK (solve (&p, &r, NULL) == GPUEIG_OK
             && fabs (p.lambda[0] + 3.0616) < 1e-3,
         "the smaller one of -3.06 and 1.06 is %g", p.lambda[0]);
  gpueig_destroy (ctx);
  return check_end ();
}
