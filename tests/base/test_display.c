/* Claims: with display on, every function reports the backend and, at the end, the
   method and its time, for small matrices and for stacks; off, nothing is reported.  A
   method that was named is the one that runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

/* --- what was reported --- */

static int lines, stop_at_once;
static char plan[256], first[256], last[256];

static int
interrupted (void *data)
{
  (void) data;
  return stop_at_once;
}

static void
report (void *data, const char *line)
{
  (void) data;
  snprintf (lines == 0   ? plan
            : lines == 1 ? first
                         : last,
            sizeof first, "%s", line);
  lines++;
}

/* --- calls --- */

enum
{
  MOST = 40,
  PAGES = 3
};

static void
test_lines (const any_solver *solver, const char *method, int64_t n,
            int64_t pages)
{
  gpueig_info info;
  gpueig_options opt = options;
  CLEANUP (free_problem)
  any_problem p = make_problem (solver, GPUEIG_DOUBLE, n, pages, 2);
  char order[40], count[40], what[100];
  snprintf (what, sizeof what, "%s, %s, n=%d, %d pages", solver->name, method,
            (int) n, (int) pages);
  fill_problem (&p, (uint64_t) n);
  opt.method = method;
  opt.display = 1;
  lines = 0;
  first[0] = last[0] = '\0';
  const gpueig_status status = solve_problem (ctx, &p, &opt, &info);
  snprintf (order, sizeof order, "order %d, double", (int) n);
  snprintf (count, sizeof count, "%d pages", (int) pages);
  CHECK (status == GPUEIG_OK && lines >= 3 && strncmp (plan, "plan: ", 6) == 0
             && strstr (first, order) && (pages == 1 || strstr (first, count)),
         "%s: %d lines, the second \"%s\"; %s", what, lines, first,
         gpueig_message (ctx));
  CHECK (strncmp (last, info.method, strlen (info.method)) == 0
             && strstr (last, " s"),
         "%s: the last line is \"%s\"", what, last);
  /* Divide and conquer begins above order 32.  */
  const char *named = strcmp (method, "dc") == 0 && n <= 32 ? "ql" : method;
  CHECK (strcmp (method, "auto") == 0 || strcmp (info.method, named) == 0,
         "%s: \"%s\" was named, \"%s\" ran", what, method, info.method);
  opt.display = 0;
  lines = 0;
  CHECK (solve_problem (ctx, &p, &opt, &info) == GPUEIG_OK && lines == 0,
         "%s: %d lines without display", what, lines);
}

/* A large matrix, stopped before anything is done: what ran is METHOD or, with "auto", what
   gpueig_plan says.  */
static void
test_named (const char *method)
{
  const int64_t n = 4000;
  gpueig_info info;
  gpueig_forecast forecast;
  gpueig_options opt = options;
  gpueig_symmetric s = { .type = GPUEIG_FLOAT, .n = n, .pages = 1 };
  const gpueig_task task = { .function = GPUEIG_FUNCTION_EIG_SYMMETRIC,
                             .type = s.type,
                             .n = n,
                             .pages = 1 };
  FREED void *zero = check_memory (n * n, sizeof (float));
  s.lambda = check_array (GPUEIG_FLOAT, n);
  s.a = zero;
  opt.backend = GPUEIG_CPU;
  opt.method = method;
  CHECK (gpueig_plan (ctx, &task, &opt, &forecast) == GPUEIG_OK
             && (strcmp (method, "auto") == 0
                 || strcmp (forecast.method, method) == 0),
         "the plan of \"%s\" is \"%s\"", method, forecast.method);
  stop_at_once = 1;
  CHECK (gpueig_eig_symmetric (ctx, &s, &opt, &info) == GPUEIG_INTERRUPTED
             && strcmp (info.method, forecast.method) == 0,
         "order 4000, \"%s\": \"%s\" runs, not \"%s\"", method, info.method,
         forecast.method);
  stop_at_once = 0;
  free (s.lambda);
}

int
main (void)
{
  const gpueig_callbacks callbacks = { interrupted, report, NULL };
  check_begin ("display");
  ctx = check_context (&options);
  gpueig_set_callbacks (ctx, &callbacks);
  for (int i = 0; i < SOLVERS; i++)
    for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
      {
        const char *method = ge_method_name (m);
        if (! has_method (solvers[i].id, options.backend, m, 1))
          continue;
        test_lines (&solvers[i], method, 3, 1);
        if (has_method (solvers[i].id, options.backend, m, MOST))
          test_lines (&solvers[i], method, MOST, 1);
        if (i != SOLVE_TDINV)
          test_lines (&solvers[i], method, 7, PAGES);
      }
  test_named ("syevd");
  test_named ("mrrr");
  test_named ("auto");
  gpueig_destroy (ctx);
  return check_end ();
}
