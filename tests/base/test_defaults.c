/* Claims: every solver accepts NULL for options and for info, with the results of the
   default options; without gpueig_set_plugin the plugin is searched for in the folder of
   the program, and the reason why there is no GPU names that file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <string.h>

enum
{
  N = 6
};

static gpueig_context *ctx;

static void
test_solver (const any_solver *solver)
{
  const gpueig_options options = gpueig_default_options ();
  gpueig_info info;
  CLEANUP (free_problem)
  any_problem one = make_problem (solver, GPUEIG_DOUBLE, N, 1, 3);
  CLEANUP (free_problem)
  any_problem two = make_problem (solver, GPUEIG_DOUBLE, N, 1, 3);
  fill_problem (&one, 1);
  fill_problem (&two, 1);
  const gpueig_status first = solve_problem (ctx, &one, &options, &info);
  const gpueig_status second = solve_problem (ctx, &two, NULL, NULL);
  CHECK (first == GPUEIG_OK && second == first, "%s: NULL is taken, %s",
         solver->name, gpueig_message (ctx));
  CHECK (same_values (&one, &two) && same_vectors (&one, &two),
         "%s: the same bits", solver->name);
}

int
main (void)
{
  gpueig_machine machine;
  check_begin ("defaults");
  if (gpueig_create (&ctx) != GPUEIG_OK)
    return 1;
  for (int i = 0; i < SOLVERS; i++)
    test_solver (&solvers[i]);
  gpueig_query (ctx, &machine);
  CHECK (machine.cuda || strstr (machine.reason, "gpueig_cuda.so"),
         "the default plugin is looked for: %s", machine.reason);
  gpueig_set_plugin (ctx, NULL);
  gpueig_query (ctx, &machine);
  CHECK (! machine.cuda && ! strstr (machine.reason, "gpueig_cuda.so"),
         "without a plugin: %s", machine.reason);
  gpueig_destroy (ctx);
  return check_end ();
}
