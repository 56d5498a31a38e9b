/* Claims about attempts, on a simulated GPU:
   left_pages_are_solved: where a method of the GPU leaves some pages of a stack or all, those
     that follow solve them, whatever the backend, also where one of these fails
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"

#include <stdlib.h>

static void
left_pages_are_solved (int solver, gpueig_type type, int64_t n,
                       const char *fake, gpueig_backend backend)
{
  gpueig_options o = options;
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[solver], type, n, 7, 2);
  fill_problem (&p, 5);
  o.backend = backend;
  setenv ("GPUEIG_FAKE", fake, 1);
  const int solved = check_solve (ctx, &p, &o, NULL, "\"%s\", backend %d", fake,
                                  (int) backend);
  setenv ("GPUEIG_FAKE", "", 1);
  if (! solved)
    return;
  CHECK (backend == GPUEIG_AUTO || p.info.fallback[0], "another follows, %s",
         p.what);
  CHECK_RATIO (problem_ratio (&p), 30, "%s", p.what);
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
        left_pages_are_solved (leave[k % 4], (gpueig_type) type, n,
                               ways[k / 4 % 3], backends[k / 12]);
  return end_test ();
}
