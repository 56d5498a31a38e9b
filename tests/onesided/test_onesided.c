/* Claims, for the one-sided Jacobi solver on the backend under test: every
   method passes the bars on hard matrices for all four types; pages do not
   influence each other; high accuracy that an indefinite matrix cannot have, and other
   failures, are reported.  High accuracy: test_jacobi_high.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "matrices.h"
#include "solvers.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static const char *const methods[]
    = { "auto", "hestenes", "cholesky", "shifted" };

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages)
{
  return make_problem (&solvers[SOLVE_ONESIDED], type, n, pages, 2);
}

/* Random ones have errors of the usual size.  */
static void
test_matrix (const char *method, int kind, gpueig_type type, int64_t n)
{
  const usual_errors usual = kind == PAGE_RANDOM ? USUAL_ONESIDED : USUAL_NONE;
  CLEANUP (free_problem) any_problem p = begin (type, n, 1);
  hard_matrix (kind, type, n, p.a);
  if (! check_solve (ctx, &p, &options, method, "%s", page_kind_name[kind]))
    return;
  CHECK (p.info.converged, "converged, %s", p.what);
  check_errors (&p, usual);
  check_reference (ctx, &p, usual);
  check_alone (ctx, &p, &options, usual, 1);
}

/* Pages of different kinds: each is as good as alone, and the same to the bit
   wherever it stands in a stack.  */
static void
test_pages (const char *method, gpueig_type type, int64_t n, int64_t pages)
{
  int same = 1;
  CLEANUP (free_problem) any_problem p = begin (type, n, pages);
  for (int64_t k = 0; k < pages; k++)
    if (k < PAGE_KINDS)
      hard_matrix ((int) k, type, n, a_page (&p, k));
    else
      copy_page (&p, k, &p, k % PAGE_KINDS);
  check_solve (ctx, &p, &options, method, "pages of all kinds");
  for (int64_t k = PAGE_KINDS; k < pages; k++)
    same &= same_page (&p, k, &p, k % PAGE_KINDS);
  CHECK (same, "equal pages give equal bits, %s", p.what);
  p.pages = pages < PAGE_KINDS ? pages : PAGE_KINDS;
  check_errors (&p, USUAL_NONE);
  check_reference (ctx, &p, USUAL_NONE);
}

/* Small pages I + eps^(2/3) R: their shift is negative, and lengths of columns
   that are got back from eigenvalues would lose digits.  One rotation gives
   |V'V - I| of an eps.  */
static void
test_near_identity (gpueig_type type, int64_t n)
{
  enum
  {
    PAGES = 500
  };
  const double close = pow (measure_eps (type), 2.0 / 3);
  measure_random r = { 77 };
  CLEANUP (free_problem) any_problem p = begin (type, n, PAGES);
  double worst = 0;
  fill_symmetric (&p, &r);
  for (int64_t i = 0; i < n * n * PAGES; i++)
    measure_set (type, p.a, i,
                 close * measure_get (type, p.a, i)
                     + (i % (n * n) % (n + 1) == 0 ? 1 : 0));
  check_solve (ctx, &p, &options, NULL, "near the identity");
  for (int64_t k = 0; k < PAGES; k++)
    worst
        = worst_of (worst, measure_orthogonality (type, n, n, v_page (&p, k)));
  CHECK_RATIO (worst * (double) n, 8, "orthogonality in eps, %s", p.what);
}

/* Not positive definite: normal accuracy, which info reports.  */
static void
test_high_fallback (gpueig_type type)
{
  gpueig_options o = options;
  CLEANUP (free_problem) any_problem p = begin (type, 6, 1);
  hard_matrix (PAGE_KRON, type, 6, p.a);
  o.high_accuracy = 1;
  check_solve (ctx, &p, &o, NULL, "indefinite at high accuracy");
  CHECK (strcmp (p.info.fallback, "shifted") == 0, "%s: fallback \"%s\"",
         p.what, p.info.fallback);
  check_errors (&p, USUAL_NONE);
}

/* One sweep does not suffice; the result returned is nevertheless close.  */
static void
test_no_convergence (int64_t n, const char *method)
{
  gpueig_options o = options;
  const double usual = DBL_EPSILON * sqrt ((double) n);
  CLEANUP (free_problem) any_problem p = begin (GPUEIG_DOUBLE, n, 1);
  hard_matrix (PAGE_RANDOM, GPUEIG_DOUBLE, n, p.a);
  o.method = method;
  o.max_sweeps = 1;
  CHECK (solve_problem (ctx, &p, &o, &p.info) == GPUEIG_NO_CONVERGENCE
             && ! p.info.converged && p.info.sweeps == 1,
         "one sweep of %s, n=%d: %s", method, (int) n, gpueig_message (ctx));
  const char *cosine = strstr (gpueig_message (ctx), "cosine is ");
  const char *tol = strstr (gpueig_message (ctx), "tolerance ");
  CHECK (tol && fabs (strtod (tol + 10, NULL) / usual - 1) < 0.05,
         "the default tolerance is sqrt (n) eps: %s", gpueig_message (ctx));
  CHECK (cosine && strtod (cosine + 10, NULL) > usual,
         "it tells a cosine above the tolerance: %s", gpueig_message (ctx));
  o.max_sweeps = 0;
  o.tol = 1e-3;
  check_solve (ctx, &p, &o, method, "a loose tolerance");
}

static int
stop (void *data)
{
  (void) data;
  return 1;
}

static void
test_interrupt (void)
{
  const gpueig_callbacks callbacks = { .interrupted = stop };
  CLEANUP (free_problem) any_problem p = begin (GPUEIG_DOUBLE, 100, 1);
  hard_matrix (PAGE_RANDOM, GPUEIG_DOUBLE, p.n, p.a);
  gpueig_set_callbacks (ctx, &callbacks);
  for (int m = 0; m < 4; m++)
    {
      gpueig_options o = options;
      o.method = methods[m];
      CHECK (solve_problem (ctx, &p, &o, NULL) == GPUEIG_INTERRUPTED,
             "%s stops", methods[m]);
    }
  gpueig_set_callbacks (ctx, NULL);
}

int
main (void)
{
  static const int64_t orders[]
      = { 1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 17, 31, 32, 33, 63, 64, 65, 100 };
  check_begin ("onesided");
  ctx = check_context (&options);
  const int all = options.backend == GPUEIG_CUDA || getenv ("GPUEIG_TEST_LONG");
  for (int t = 0; t < 4; t++)
    {
      gpueig_type type = (gpueig_type) t;
      for (int m = 0; m < 4; m++)
        {
          for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
            test_matrix (methods[m], PAGE_RANDOM, type, orders[i]);
          for (int kind = 0; kind < HARD_KINDS; kind++)
            {
              if (kind == PAGE_RANDOM || kind == PAGE_SYMMETRIC)
                continue;
              test_matrix (methods[m], kind, type, 2);
              test_matrix (methods[m], kind, type, 13);
              if (all || (kind + t) % 4 == 0)
                test_matrix (methods[m], kind, type, 70);
            }
          test_matrix (methods[m], PAGE_RANDOM, type, 161);
          test_pages (methods[m], type, 12, 40);
          test_pages (methods[m], type, 33, 30);
        }
      test_matrix ("auto", PAGE_RANDOM, type, 130);
      test_matrix ("auto", PAGE_CLUSTER, type, 161);
      test_matrix ("auto", PAGE_GRAM, type, 200);
      test_near_identity (type, 2);
      test_near_identity (type, 3);
      test_pages ("auto", type, 3, 70001);
      test_pages ("auto", type, 80, 20);
      test_pages ("auto", type, 110, 24);
      test_pages ("auto", type, 170, 3);
      if (all || type == GPUEIG_FLOAT)
        {
          test_pages ("auto", type, 150, 20);
          test_pages ("auto", type, 200, 12);
        }
      if (all || type == GPUEIG_DOUBLE)
        test_pages ("auto", type, 260, 17);
      test_high_fallback (type);
    }
  test_no_convergence (20, "auto");
  test_no_convergence (20, "hestenes");
  test_no_convergence (200, "cholesky");
  test_interrupt ();
  gpueig_destroy (ctx);
  return check_end ();
}
