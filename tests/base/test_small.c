/* Claims: every method of every solver is right on small problems of all four
   types, one page and several; each failing allocation is reported, and each
   failing CUDA call (of many some, other ones for each type; all with GPUEIG_TEST_LONG).
   Small enough for a sanitizer; the solvers' own tests are the thorough ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static int quick; /* no failing calls, double precision only */
static int is_long;
static gpueig_options options;

/* Each allocation or each CUDA call of a call fails once, or at most MOST of them.  */
static void
fail_each (int64_t (*hook) (gpueig_context *, int64_t), const char *what,
           const any_problem *p, gpueig_type type, int64_t most,
           const char *name)
{
  gpueig_info info;
  hook (ctx, 0);
  solve_problem (ctx, p, &options, &info);
  const int64_t total = hook (ctx, 0);
  const int64_t step = is_long ? 1 : 1 + total / most;
  int64_t bad = 0;
  for (int64_t k = 1 + (int64_t) type % step; k <= total; k += step)
    {
      gpueig_trim (ctx);
      hook (ctx, k);
      const gpueig_status status = solve_problem (ctx, p, &options, &info);
      hook (ctx, 0);
      bad += status != GPUEIG_OK && status != GPUEIG_OUT_OF_MEMORY
             && status != GPUEIG_DEVICE_ERROR;
      bad += solve_problem (ctx, p, &options, &info) != GPUEIG_OK;
    }
  CHECK (bad == 0, "%s: each of %d failing %s is reported", name, (int) total,
         what);
}

static void
try_method (const any_solver *solver, const char *method, gpueig_type type,
            int64_t n, int64_t pages)
{
  char name[128];
  gpueig_info info;
  CLEANUP (free_problem)
  any_problem p = make_problem (solver, type, n, pages, 3);
  fill_problem (&p, (uint64_t) (n + 7 * type));
  snprintf (name, sizeof name, "%s %s, %s, n=%d, %d pages", solver->name,
            method, check_type_name[type], (int) n, (int) pages);
  options.method = method;
  const gpueig_status status = solve_problem (ctx, &p, &options, &info);
  if (status == GPUEIG_NO_DEVICE && options.backend == GPUEIG_CUDA)
    check_skip ("%s: %s", name, gpueig_message (ctx));
  else
    {
      CHECK (status == GPUEIG_OK, "%s: %s", name, gpueig_message (ctx));
      CHECK_RATIO (problem_ratio (&p), 1, "%s", name);
      if (! quick && (n == 6 || (n == 70 && type == GPUEIG_DOUBLE)))
        {
          const int64_t most = options.backend == GPUEIG_CUDA ? 15 : 60;
          fail_each (gpueig_fail_allocation, "allocations", &p, type, most,
                     name);
          fail_each (gpueig_fail_device_call, "CUDA calls", &p, type, most,
                     name);
        }
    }
}

static void
try_sizes (const any_solver *solver, const char *method, int64_t largest)
{
  static const int64_t sizes[][2]
      = { { 1, 1 }, { 2, 1 }, { 6, 3 }, { 33, 2 }, { 70, 1 } };
  for (int type = quick; type < 4; type += 1 + quick)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      if (sizes[i][0] <= largest)
        try_method (solver, method, (gpueig_type) type, sizes[i][0],
                    sizes[i][1]);
}

/* test_small [LARGEST-ORDER [quick [SOLVER]]]  */
int
main (int argc, char **argv)
{
  check_begin ("small");
  const int64_t largest = argc > 1 ? atoi (argv[1]) : 70;
  quick = argc > 2;
  is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
  ctx = check_context (&options);
  for (int i = 0; i < SOLVERS; i++)
    for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
      if (has_method (solvers[i].id, options.backend, m, 1)
          && (argc <= 3 || strcmp (argv[3], solvers[i].name) == 0))
        {
          const int takes
              = has_method (solvers[i].id, options.backend, m, largest);
          try_sizes (&solvers[i], ge_method_name (m), takes ? largest : 32);
        }
  gpueig_destroy (ctx);
  return check_end ();
}
