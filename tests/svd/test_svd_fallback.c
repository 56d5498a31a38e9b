/* Claims about failures of LAPACK's divide and conquer and Jacobi method, whose routines are
   those of this program:
   wrong_decompositions_are_replaced: where one fails, or returns what is no decomposition,
     another routine solves the page, and info names it; where all fail, Jacobi solves small pages,
     and of others the status says so
   wrong_values_of_arrays_are_replaced: of norms, by the other routine
   moderate_pages_need_none_of_them: large and tall pages of moderate condition need none of
     them
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "gpueig_array.h"
#include "spoiled_lapack.h"
#include "svd_measures.h"

#include <string.h>

/* --- claims --- */

enum
{
  DETACHED = 520 /* pages of this order run on a thread of their own */
};

/* Claim that the first page of P is decomposed.  */
static void
check_first (const gpueig_svd_problem *p, const char *what)
{
  CHECK_RATIO (measure_singular (p->type, p->m, p->n, p->a, p->s, p->u, p->v),
               LIMIT_RESIDUAL, "residual, %dx%d, %s", (int) p->m, (int) p->n,
               what);
}

static void
wrong_decompositions_are_replaced (fault f, int64_t n, int64_t pages, int high)
{
  const int64_t m = n + 3;
  CLEANUP (end_svd)
  gpueig_svd_problem of = begin_svd (GPUEIG_DOUBLE, m, n, pages, 0);
  gpueig_svd_problem p = of;
  double *const a = (double *) p.a;
  measure_random r = { 5 };
  /* A condition that is not moderate.  */
  for (int64_t i = 0; i < m * n * pages; i++)
    a[i] = measure_normal (&r) * (i / m % 3 == 2 ? 1e-9 : 1);
  gpueig_options opt = options;
  gpueig_info info;
  opt.method = high ? "auto" : "gesdd";
  opt.high_accuracy = high;
  of_gesdd = high ? RIGHT : f;
  of_gejsv = high ? f : RIGHT;
  of_gesvd = RIGHT;
  const char *next = f == RIGHT ? "" : high ? "gesdd" : "gesvd";
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK
             && strcmp (info.fallback, next) == 0,
         "%s, order %d%s: %s, fallback \"%s\"", fault_name[f], (int) n,
         high ? ", high" : "", gpueig_message (ctx), info.fallback);
  check_first (&p, fault_name[f]);
  /* Without LAPACK one-sided Jacobi solves small pages.  */
  const int small = ! high && n <= 64;
  of_gesvd = of_gesdd = of_gejsv = f;
  const gpueig_status wanted
      = f == RIGHT || small ? GPUEIG_OK : GPUEIG_SOLVER_FAILED;
  next = f == RIGHT ? "" : "jacobi";
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == wanted
             && (wanted != GPUEIG_OK || strcmp (info.fallback, next) == 0),
         "all routines: %s, order %d%s: %s, fallback \"%s\"", fault_name[f],
         (int) n, high ? ", high" : "", gpueig_message (ctx), info.fallback);
  if (small)
    check_first (&p, fault_name[f]);
  p.u = p.v = NULL;
  of_gesdd = of_gesvd = of_gejsv = RIGHT;
  of_bdsqr = f;
  next = f == RIGHT ? "" : "gesdd";
  CHECK (f == SKEW || high
             || (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK
                 && strcmp (info.fallback, next) == 0),
         "values alone, %s, order %d: %s, fallback \"%s\"", fault_name[f],
         (int) n, gpueig_message (ctx), info.fallback);
  of_bdsqr = of_gejsv = RIGHT;
}

static void
wrong_values_of_arrays_are_replaced (fault f, int64_t m, int64_t n)
{
  const int64_t dims[] = { m, n };
  FREED double *a = check_memory (m * n, sizeof *a);
  measure_random r = { 5 };
  gpueig_array array = 0;
  double norm[2] = { 0, 0 };
  for (int64_t i = 0; i < m * n; i++)
    a[i] = measure_normal (&r);
  CHECK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, dims, &options, &array)
                 == GPUEIG_OK
             && gpueig_array_upload (ctx, array, a) == GPUEIG_OK,
         "an array: %s", gpueig_message (ctx));
  for (int k = 0; k < 2; k++)
    {
      of_gesdd = k ? f : RIGHT;
      CHECK (gpueig_array_norm (ctx, GPUEIG_NORM_2, array, &norm[k])
                 == GPUEIG_OK,
             "norm, %s: %s", fault_name[of_gesdd], gpueig_message (ctx));
    }
  CHECK_RATIO (fabs (norm[1] / norm[0] - 1) / measure_eps (GPUEIG_DOUBLE), 20,
               "norm, %s", fault_name[f]);
  of_gesdd = RIGHT;
  CHECK (gpueig_array_free (ctx, array) == GPUEIG_OK, "and its end");
}

static void
moderate_pages_need_none_of_them (int64_t m, int64_t n)
{
  CLEANUP (end_svd)
  gpueig_svd_problem p = begin_svd (GPUEIG_DOUBLE, m, n, 1, 0);
  double *const a = (double *) p.a;
  measure_random r = { 5 };
  for (int64_t i = 0; i < m * n; i++)
    a[i] = measure_normal (&r) + (i % (m + 1) == 0 ? 40 : 0);
  gpueig_options opt = options;
  gpueig_info info;
  opt.method = "gesdd";
  of_gesdd = of_gesvd = FAILS;
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK && ! info.fallback[0],
         "without LAPACK's, %dx%d: %s", (int) m, (int) n, gpueig_message (ctx));
  check_first (&p, "without LAPACK's");
  of_gesdd = of_gesvd = RIGHT;
}

int
main (void)
{
  begin_test ("svd_fallback");
  options.backend = GPUEIG_CPU;
  for (int f = RIGHT; f < FAULTS; f++)
    {
      wrong_decompositions_are_replaced ((fault) f, 12, 1, 0);
      wrong_decompositions_are_replaced ((fault) f, 9, 40, 0);
      wrong_decompositions_are_replaced ((fault) f, 70, 2, 0);
      wrong_decompositions_are_replaced ((fault) f, 12, 3, 1);
      if (f != SKEW)
        wrong_values_of_arrays_are_replaced ((fault) f, 1 + 2 * f, 3);
    }
  wrong_decompositions_are_replaced (FAILS, DETACHED, 1, 0);
  moderate_pages_need_none_of_them (DETACHED, DETACHED);
  moderate_pages_need_none_of_them (200, 50);
  return end_test ();
}
