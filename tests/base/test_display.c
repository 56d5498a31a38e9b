/* Claims: with display on, every function reports the backend and, at the end, the
   method and its time, for small matrices and for stacks; off, nothing is reported.  A
   method that was named is the one that runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "methods.h"

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

/* --- functions --- */

typedef enum
{
  EIG,
  EIG_GENERAL,
  JACOBI,
  ONESIDED,
  COMPLEX,
  MRRR,
  TDINV,
  FUNCTIONS
} function;

static const struct
{
  const char *name;
  ge_solver_id solver;
} functions[FUNCTIONS] = { [EIG] = { "eig", GE_EIG_SYMMETRIC },
                           [EIG_GENERAL] = { "eig, general", GE_EIG_GENERAL },
                           [JACOBI] = { "jacobi", GE_JACOBI_EIG },
                           [ONESIDED] = { "onesided", GE_ONESIDED_EIG },
                           [COMPLEX] = { "complex", GE_COMPLEX_EIG },
                           [MRRR] = { "mrrr", GE_MRRR },
                           [TDINV] = { "tdinv", GE_TDINV } };

enum
{
  MOST = 40,
  PAGES = 3
};
static double a[MOST * MOST * PAGES], lambda[2 * MOST * PAGES];
static double v[2 * MOST * MOST * PAGES];

static gpueig_status
call (function f, int64_t n, int64_t pages, const gpueig_options *opt,
      gpueig_info *info)
{
  const gpueig_symmetric s = { .type = GPUEIG_DOUBLE,
                               .n = n,
                               .pages = pages,
                               .a = a,
                               .lambda = lambda,
                               .v = v };
  const gpueig_general g = { .type = GPUEIG_DOUBLE,
                             .n = n,
                             .pages = pages,
                             .a = a,
                             .lambda = lambda,
                             .v = v };
  const gpueig_mrrr_problem m = { .type = GPUEIG_DOUBLE,
                                  .n = n,
                                  .pages = pages,
                                  .a = a,
                                  .lambda = lambda,
                                  .v = v };
  const gpueig_tdinv_problem t = { .type = GPUEIG_DOUBLE,
                                   .n = n,
                                   .c = a + 1,
                                   .a = lambda,
                                   .b = a + 1,
                                   .band = -1,
                                   .x = v };
  for (int64_t i = 0; i < n; i++)
    lambda[i] = 50;
  switch (f)
    {
    case EIG:
      return gpueig_eig_symmetric (ctx, &s, opt, info);
    case EIG_GENERAL:
      return gpueig_eig_general (ctx, &g, opt, info);
    case JACOBI:
      return gpueig_jacobi_eig (ctx, &s, opt, info);
    case ONESIDED:
      return gpueig_onesided_eig (ctx, &s, opt, info);
    case COMPLEX:
      return gpueig_complex_eig (ctx, &g, opt, info);
    case MRRR:
      return gpueig_mrrr (ctx, &m, opt, info);
    default:
      return gpueig_tdinv (ctx, &t, opt, info);
    }
}

static void
test_lines (function f, const char *method, int64_t n, int64_t pages)
{
  gpueig_info info;
  gpueig_options opt = options;
  measure_random r = { (uint64_t) n };
  for (int64_t p = 0; p < pages; p++)
    {
      double *page = a + p * n * n;
      measure_random_symmetric (&r, GPUEIG_DOUBLE, n, page);
      if ((f == EIG_GENERAL || f == COMPLEX) && n > 1)
        page[1] += 1;
    }
  opt.method = method;
  opt.display = 1;
  lines = 0;
  first[0] = last[0] = '\0';
  const gpueig_status status = call (f, n, pages, &opt, &info);
  char order[40], count[40];
  snprintf (order, sizeof order, "order %d, double", (int) n);
  snprintf (count, sizeof count, "%d pages", (int) pages);
  CHECK (status == GPUEIG_OK && lines >= 3 && strncmp (plan, "plan: ", 6) == 0
             && strstr (first, order) && (pages == 1 || strstr (first, count)),
         "%s, %s, n=%d, %d pages: %d lines, the second \"%s\"; %s",
         functions[f].name, method, (int) n, (int) pages, lines, first,
         gpueig_message (ctx));
  CHECK (strncmp (last, info.method, strlen (info.method)) == 0
             && strstr (last, " s"),
         "%s, %s, n=%d, %d pages: the last line is \"%s\"", functions[f].name,
         method, (int) n, (int) pages, last);
  /* Divide and conquer begins above order 32.  */
  const char *named = strcmp (method, "dc") == 0 && n <= 32 ? "ql" : method;
  CHECK (strcmp (method, "auto") == 0 || strcmp (info.method, named) == 0,
         "%s: \"%s\" was named, \"%s\" ran", functions[f].name, method,
         info.method);
  opt.display = 0;
  lines = 0;
  CHECK (call (f, n, pages, &opt, &info) == GPUEIG_OK && lines == 0,
         "%s, %s: %d lines without display", functions[f].name, method, lines);
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
  void *zero = calloc ((size_t) (n * n), sizeof (float));
  s.lambda = check_array (GPUEIG_FLOAT, n);
  s.a = zero;
  if (! zero)
    exit (2);
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
  free (zero);
}

int
main (void)
{
  const gpueig_callbacks callbacks = { interrupted, report, NULL };
  check_begin ("display");
  ctx = check_context (&options);
  gpueig_set_callbacks (ctx, &callbacks);
  for (int f = 0; f < FUNCTIONS; f++)
    for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
      {
        const char *method = ge_method_name (m);
        if (! has_method (functions[f].solver, options.backend, m))
          continue;
        test_lines ((function) f, method, 3, 1);
        test_lines ((function) f, method, MOST, 1);
        if (f != TDINV)
          test_lines ((function) f, method, 7, PAGES);
      }
  test_named ("syevd");
  test_named ("mrrr");
  test_named ("auto");
  gpueig_destroy (ctx);
  return check_end ();
}
