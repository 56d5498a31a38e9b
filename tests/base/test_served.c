/* Claims: a build serves the GPUs that can run its machine code or translate its
   portable code, none before compute capability 8.0, and says what to do about the
   others.  On a GPU, as if it were one that is not served: the query gives the reason,
   GPUEIG_AUTO uses the CPU, GPUEIG_CUDA fails with the reason before anything is
   launched.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include "../../cuda/base/served.h"

#include <stdlib.h>
#include <string.h>

/* The rule by itself: capabilities as 10 major + minor.  */
static int
expected (const int *built, int count, int ptx, int capability)
{
  int serves = ptx != 0 && capability >= ptx;
  for (int i = 0; i < count; i++)
    serves |= built[i] / 100 == capability / 10 && built[i] / 10 <= capability;
  return serves && capability >= 80;
}

/* A problem large enough for a GPU.  */
static gpueig_status
solve (gpueig_context *ctx, gpueig_backend backend, gpueig_info *info)
{
  enum
  {
    N = 700
  };
  measure_random r = { 1 };
  gpueig_options options = gpueig_default_options ();
  options.backend = backend;
  FREED char *a = check_array (GPUEIG_DOUBLE, N * N);
  FREED char *v = check_array (GPUEIG_DOUBLE, N * N);
  FREED char *lambda = check_array (GPUEIG_DOUBLE, N);
  measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a);
  const gpueig_symmetric s
      = symmetric_problem (GPUEIG_DOUBLE, N, 1, a, lambda, v);
  return gpueig_eig_symmetric (ctx, &s, &options, info);
}

static void
test_refusal (gpueig_context *ctx)
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
      CHECK (solve (ctx, GPUEIG_CUDA, &info) == GPUEIG_NO_DEVICE
                 && strstr (gpueig_message (ctx), capabilities[i]),
             "backend cuda: %s", gpueig_message (ctx));
      CHECK (solve (ctx, GPUEIG_AUTO, &info) == GPUEIG_OK
                 && strcmp (info.backend, "cpu") == 0,
             "backend auto: %s on %s", gpueig_message (ctx), info.backend);
    }
  unsetenv ("GPUEIG_DEVICE_CAPABILITY");
  gpueig_query (ctx, &machine);
  CHECK (machine.cuda && solve (ctx, GPUEIG_CUDA, &info) == GPUEIG_OK,
         "the GPU itself: %s", gpueig_message (ctx));
}

static void
test_rule (void)
{
  static const int gpus[]
      = { 60, 70, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121 };
  static const struct
  {
    int number[4], count, ptx;
  } builds[] = {
    { { 800, 900 }, 2, 90 }, { { 800, 900 }, 2, 0 },      { { 900 }, 1, 0 },
    { { 860 }, 1, 0 },       { { 800 }, 1, 80 },          { { 1200 }, 1, 0 },
    { { 1200 }, 1, 120 },    { { 800, 860, 890 }, 3, 0 }, { { 750 }, 1, 75 },
    { { 1000 }, 1, 100 },    { { 800, 1200 }, 2, 80 },
  };
  for (size_t b = 0; b < sizeof builds / sizeof builds[0]; b++)
    for (size_t g = 0; g < sizeof gpus / sizeof gpus[0]; g++)
      {
        char text[256];
        const ge_architectures built
            = { builds[b].number, builds[b].count, builds[b].ptx };
        const int major = gpus[g] / 10, minor = gpus[g] % 10;
        const int serves = expected (builds[b].number, builds[b].count,
                                     builds[b].ptx, gpus[g]);
        CHECK (ge_serves (&built, major, minor) == serves,
               "build %d, PTX %d: serves compute capability %d.%d",
               builds[b].number[0], builds[b].ptx, major, minor);
        ge_why_unserved (&built, "NVIDIA Card 1", major, minor, text,
                         sizeof text);
        CHECK ((text[0] == 0) == serves,
               "a reason if and only if not served: %s", text);
        if (serves)
          continue;
        char number[16];
        (void) snprintf (number, sizeof number, gpus[g] < 80 ? "%d.%d" : "%d%d",
                         major, minor);
        CHECK (strstr (text, "NVIDIA Card 1") && strstr (text, number)
                   && (gpus[g] >= 80 || strstr (text, "at least 8.0")),
               "the reason names card and architecture: %s", text);
      }
}

int
main (void)
{
  gpueig_options options;
  check_begin ("served");
  gpueig_context *ctx = check_context (&options);
  test_rule ();
  if (options.backend == GPUEIG_CUDA)
    test_refusal (ctx);
  else
    check_skip ("refusal of a GPU: backend cuda only");
  gpueig_destroy (ctx);
  return check_end ();
}
