/* Claims: every solver accepts NULL for options and for info, with the results of the
   default options; matrices that are not symmetric or finite, impossible sizes and options
   are refused, and nothing is solved without work; without gpueig_set_plugin the plugin is searched for in the folder of
   the program, and the reason why there is no GPU names that file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <math.h>
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

static void
test_errors (const any_solver *solver)
{
  const int64_t pages = solver->kind == INVERSE ? 1 : 3;
  gpueig_options options = gpueig_default_options ();
  CLEANUP (free_problem)
  any_problem p = make_problem (solver, GPUEIG_DOUBLE, N, pages, 3);
  fill_problem (&p, 1);
  double *const x = (double *) (p.a ? p.a + N * N * sizeof (double) : p.d);
  const double before[2] = { x[0], x[1] };
  const int64_t no_sizes[2] = { -1, INT64_MAX / 4 };
#define GIVES(wanted)                                                          \
  CHECK (solve_problem (ctx, &p, &options, NULL) == (wanted), "%s, %s: %s",    \
         solver->name, #wanted, gpueig_message (ctx))
  x[1] += 0.5;
  GIVES (solver->kind == SYMMETRIC_MATRIX ? GPUEIG_NOT_SYMMETRIC : GPUEIG_OK);
  CHECK (solver->kind != SYMMETRIC_MATRIX
             || strstr (gpueig_message (ctx), "page 2"),
         "%s: unsymmetric page 2: %s", solver->name, gpueig_message (ctx));
  x[1] = before[1];
  for (int k = 0; k < 2; k++)
    {
      x[0] = k ? (double) NAN : (double) -INFINITY;
      GIVES (GPUEIG_NONFINITE);
      CHECK (! p.a || strstr (gpueig_message (ctx), "(1, 1) of page 2"),
             "%s: not finite: %s", solver->name, gpueig_message (ctx));
    }
  x[0] = before[0];
  options.method = "no such method";
  GIVES (GPUEIG_BAD_OPTION);
  options.method = "auto";
  options.tol = NAN;
  GIVES (GPUEIG_BAD_OPTION);
  options.tol = 0;
  for (int k = 0; k < 2; k++)
    {
      p.n = no_sizes[k];
      GIVES (k ? GPUEIG_OUT_OF_MEMORY : GPUEIG_BAD_ARGUMENT);
    }
  p.n = 0;
  GIVES (GPUEIG_OK);
  p.n = N;
  p.pages = 0;
  GIVES (GPUEIG_OK);
#undef GIVES
}

int
main (void)
{
  gpueig_machine machine;
  check_begin ("defaults");
  if (gpueig_create (&ctx) != GPUEIG_OK)
    return 1;
  for (int i = 0; i < SOLVERS; i++)
    {
      test_solver (&solvers[i]);
      test_errors (&solvers[i]);
    }
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
