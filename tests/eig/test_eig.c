/* Claims about gpueig_eig_symmetric on the backend under test: a large page, which the CPU
   solves in stages, meets the limits at every scale, and its stages report and stop; methods
   of a GPU are refused without one; where one-sided Jacobi does not converge another method
   follows, and no warning remains.  Other orders: test_small.c, test_tridiagonal.c; pairs:
   test_pairs.c; general matrices: test_general_kinds.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <math.h>

static gpueig_context *ctx;
static gpueig_options options;

static int polls, lines;

static int
interrupted (void *data)
{
  return --polls < 0 || data == NULL;
}

static void
report (void *data, const char *line)
{
  lines += line != data;
}

/* A page times 2^EXPONENT; stopped after some of the calls to the interrupt hook.  */
static void
test_stages (gpueig_type type, int exponent)
{
  enum
  {
    N = 830
  };
  measure_random r = { 11 };
  gpueig_options loud = options;
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_EIG], type, N, 1, 2);
  const gpueig_callbacks callbacks
      = { .interrupted = interrupted, .report = report, .data = &p };
  fill_symmetric (&p, &r);
  for (int64_t i = 0; i < N * N; i++)
    measure_set (type, p.a, i,
                 measure_get (type, p.a, i) * ldexp (1, exponent));
  loud.display = 1;
  gpueig_set_callbacks (ctx, &callbacks);
  polls = 1 << 20;
  lines = 0;
  check_solve (ctx, &p, &loud, NULL, "times 2^%d", exponent);
  CHECK (lines > 0 || options.backend == GPUEIG_CUDA, "stages are reported");
  check_errors (&p, USUAL_EIG);
  /* While a library call runs, the number of polls depends on its time.  */
  const int used = (1 << 20) - polls;
  int good = 1;
  for (int k = 0; k < used; k += 1 + used / 5)
    {
      polls = k;
      const gpueig_status status = solve_problem (ctx, &p, &options, NULL);
      good &= status == GPUEIG_INTERRUPTED
              || (k > 0 && polls >= 0 && status == GPUEIG_OK);
    }
  CHECK (good, "stopped at some of %d polls", used);
  gpueig_set_callbacks (ctx, NULL);
}

/* PAGES random pages of order N by METHOD.  */
static void
test_pages (gpueig_type type, int64_t n, int64_t pages, const char *method)
{
  measure_random r = { 7 };
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_EIG], type, n, pages, 2);
  fill_symmetric (&p, &r);
  check_solve (ctx, &p, &options, method, "random");
  check_errors (&p, USUAL_EIG);
  check_alone (ctx, &p, &options, USUAL_EIG, 0);
}

int
main (void)
{
  check_begin ("eig");
  ctx = check_context (&options);
  for (int t = 0; t < 4; t++)
    {
      test_pages ((gpueig_type) t, 5, 7, "auto");
      options.max_sweeps = 1;
      test_pages ((gpueig_type) t, 40, 1, "shifted");
      test_pages ((gpueig_type) t, 20, 5, "shifted");
      options.max_sweeps = 0;
    }
  for (int dc = 0; dc < 2 && options.backend != GPUEIG_CUDA; dc++)
    {
      CLEANUP (free_problem)
      any_problem p
          = make_problem (&solvers[SOLVE_EIG], GPUEIG_DOUBLE, 2, 1, 2);
      options.method = dc ? "dc" : "ql";
      CHECK (solve_problem (ctx, &p, &options, NULL) == GPUEIG_NO_DEVICE,
             "%s needs a GPU: %s", options.method, gpueig_message (ctx));
      options.method = "auto";
    }
  test_stages (GPUEIG_DOUBLE, 0);
  test_stages (GPUEIG_COMPLEX_DOUBLE, -1020);
  test_stages (GPUEIG_FLOAT, 100);
  gpueig_destroy (ctx);
  return check_end ();
}
