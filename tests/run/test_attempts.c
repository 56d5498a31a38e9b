/* Claims about attempts, on a simulated GPU:
   left_pages_are_solved: where a method of the GPU leaves some pages of a stack or all, those
     that follow solve them, whatever the backend, also where one of these fails
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

static void
left_pages_are_solved (int solver, gpueig_type type, int64_t n, int outputs,
                       const char *fake, gpueig_backend backend)
{
  gpueig_options o = options;
  gpueig_info info;
  char text[100];
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[solver], type, n, 7, outputs);
  fill_problem (&p, 5);
  o.backend = backend;
  (void) snprintf (text, sizeof text, "%s, \"%s\", backend %d, type %d, n = %d",
                   solvers[solver].name, fake, (int) backend, (int) type,
                   (int) n);
  setenv ("GPUEIG_FAKE", fake, 1);
  const gpueig_status status = solve_problem (ctx, &p, &o, &info);
  setenv ("GPUEIG_FAKE", "", 1);
  CHECK (status == GPUEIG_OK && (backend == GPUEIG_AUTO || info.fallback[0]),
         "%s: %s, fallback \"%s\"", text, gpueig_message (ctx), info.fallback);
  if (status == GPUEIG_OK)
    CHECK_RATIO (problem_ratio (&p), 30, "%s", text);
}

int
main (int argc, char **argv)
{
  static const int leave[]
      = { SOLVE_EIG, SOLVE_MRRR, SOLVE_EIG_GENERAL, SOLVE_SVD };
  static const char *const ways[] = { "left", "state", "twice" };
  static const gpueig_backend backends[] = { GPUEIG_CUDA, GPUEIG_AUTO };
  (void) argc;
  check_begin ("attempts");
  if (! check_simulate_gpu (argv[0]))
    {
      check_skip ("a GPU leaves no pages when it is asked to");
      return check_end ();
    }
  setenv ("GPUEIG_FAKE", "", 1);
  ctx = check_context (&options);
  for (int type = 0; type < 4; type++)
    for (int k = 0; k < 24; k++)
      for (int64_t n = 1; n <= 60; n = 4 * n + 3)
        left_pages_are_solved (leave[k % 4], (gpueig_type) type, n, 2,
                               ways[k / 4 % 3], backends[k / 12]);
  gpueig_destroy (ctx);
  return check_end ();
}
