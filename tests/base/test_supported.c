/* Claims about GPUs that a build does not support:
   builds_support_what_they_can_run: a build supports the GPUs that can run its machine code or
     translate its portable code, none before compute capability 8.0
   unsupported_gpus_are_refused_first: on a GPU, as if it were not supported: the query gives
     the reason, GPUEIG_AUTO uses the CPU, GPUEIG_CUDA fails with the reason before anything is
     launched
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"

#include "../../cuda/base/supported.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A problem large enough for a GPU.  */
static gpueig_status
solve (gpueig_backend backend, gpueig_info *info)
{
  gpueig_options o = gpueig_default_options ();
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_EIG], GPUEIG_DOUBLE, 700, 1, 2);
  o.backend = backend;
  fill_problem (&p, 1);
  return solve_problem (ctx, &p, &o, info);
}

static void
unsupported_gpus_are_refused_first (void)
{
  static const char *const capabilities[] = { "7.5", "6.0" };
  gpueig_machine machine;
  gpueig_info info;
  for (int i = 0; i < 2; i++)
    {
      setenv ("GPUEIG_DEVICE_CAPABILITY", capabilities[i], 1);
      gpueig_query (ctx, &machine);
      CHECK (! machine.cuda && machine.n_devices > 0
                 && strstr (machine.reason, capabilities[i])
                 && strstr (machine.reason, machine.device[0].name),
             "query: %s", machine.reason);
      CHECK (solve (GPUEIG_CUDA, &info) == GPUEIG_NO_DEVICE
                 && strstr (gpueig_message (ctx), capabilities[i]),
             "backend cuda: %s", gpueig_message (ctx));
      CHECK (solve (GPUEIG_AUTO, &info) == GPUEIG_OK
                 && strcmp (info.backend, "cpu") == 0,
             "backend auto: %s on %s", gpueig_message (ctx), info.backend);
    }
  unsetenv ("GPUEIG_DEVICE_CAPABILITY");
  gpueig_query (ctx, &machine);
  CHECK (machine.cuda && solve (GPUEIG_CUDA, &info) == GPUEIG_OK,
         "the GPU itself: %s", gpueig_message (ctx));
}

/* Of each build the GPUs, as 10 major + minor, that it supports.  */
static void
builds_support_what_they_can_run (void)
{
  static const int gpus[]
      = { 60, 70, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121 };
  static const struct
  {
    int number[4], count, ptx;
    const char *supported; /* in the order of the list */
  } builds[] = { { { 800, 900 }, 2, 90, "0001111111111" },
                 { { 800, 900 }, 2, 0, "0001111100000" },
                 { { 900 }, 1, 0, "0000000100000" },
                 { { 860 }, 1, 0, "0000111000000" },
                 { { 800 }, 1, 80, "0001111111111" },
                 { { 1200 }, 1, 0, "0000000000011" },
                 { { 1000 }, 1, 100, "0000000011111" },
                 { { 750 }, 1, 75, "0001111111111" },
                 { { 800, 1200 }, 2, 0, "0001111000011" } };
  for (size_t b = 0; b < COUNT (builds); b++)
    for (size_t g = 0; g < COUNT (gpus); g++)
      {
        char text[256], number[16];
        const ge_architectures built
            = { builds[b].number, builds[b].count, builds[b].ptx };
        const int major = gpus[g] / 10, minor = gpus[g] % 10;
        const int supports = builds[b].supported[g] == '1';
        ge_why_unsupported (&built, "NVIDIA Card 1", major, minor, text,
                            sizeof text);
        (void) snprintf (number, sizeof number, gpus[g] < 80 ? "%d.%d" : "%d%d",
                         major, minor);
        CHECK (ge_supports (&built, major, minor) == supports
                   && (supports ? ! text[0]
                                : strstr (text, "NVIDIA Card 1")
                                      && strstr (text, number)
                                      && (gpus[g] >= 80
                                          || strstr (text, "at least 8.0"))),
               "build %d, PTX %d, compute capability %d.%d: %s",
               builds[b].number[0], builds[b].ptx, major, minor, text);
      }
}

int
main (void)
{
  begin_test ("supported");
  builds_support_what_they_can_run ();
  if (options.backend == GPUEIG_CUDA)
    unsupported_gpus_are_refused_first ();
  else
    check_skip ("refusal of a GPU: backend cuda only");
  return end_test ();
}
