/* The calls by which versions of the library are compared on one warm GPU, see CONTRIBUTING.md.
     GPUEIG_TEST_PLUGIN=... five_calls [RUNS [MB]]
   CSV: name, backend, method, median and least milliseconds of RUNS (15): by the wall clock, and
   of an array also by that of the GPU.  Then the largest order of a matrix with vectors that is
   solved with MB (2000) of the GPU's memory, 0: with all of it, and its seconds.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "clock.h"
#include "solvers.h"

#include <stdio.h>
#include <stdlib.h>

static gpueig_context *ctx;
static gpueig_options options;

static void
must (int good, const char *what)
{
  if (good)
    return;
  printf ("failed: %s: %s\n", what, gpueig_message (ctx));
  exit (1);
}

/* With numbers from -1 to 1 that depend on their position alone.  */
static any_problem
make_symmetric (int64_t n, int64_t pages)
{
  any_problem p
      = make_problem (&solvers[SOLVE_EIG], GPUEIG_DOUBLE, n, pages, 2);
  double *a = (double *) (void *) p.a;
  for (int64_t k = 0; k < n * n * pages; k++)
    {
      const int64_t i = k % n, j = k / n % n;
      uint64_t z = (uint64_t) k * 0x9e3779b97f4a7c15u;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z ^= z >> 27;
      if (i <= j)
        a[k] = a[k + (j - i) * (1 - n)] = (double) (int64_t) z * 0x1p-63;
    }
  return p;
}

/* By the GPU's clock if ON_GPU.  */
static void
print_times (const char *name, const any_problem *p, int runs, int on_gpu)
{
  FREED double *seconds = check_memory (runs, sizeof *seconds);
  gpueig_info info;
  for (int k = -3; k < runs; k++)
    {
      const double start = now ();
      must (solve_problem (ctx, p, &options, &info) == GPUEIG_OK, name);
      if (k >= 0)
        seconds[k] = on_gpu ? info.time_solve : now () - start;
    }
  qsort (seconds, (size_t) runs, sizeof *seconds, ascending_numbers);
  printf ("%s,%s,%s,%.5g,%.5g\n", name, info.backend, info.method,
          1e3 * seconds[runs / 2], 1e3 * seconds[0]);
  fflush (stdout);
}

static void
time_symmetric (const char *name, int64_t n, int64_t pages, int runs)
{
  CLEANUP (free_problem) any_problem p = make_symmetric (n, pages);
  print_times (name, &p, runs, 0);
}

static void
time_array (int runs)
{
  CLEANUP (free_problem) any_problem p = make_symmetric (256, 500);
  any_problem there;
  gpueig_array array[PARTS];
  must (place_problem (ctx, options.device, &p, &there, array) == GPUEIG_OK,
        "array");
  print_times ("array 500 x 256^2 GPU", &there, runs, 1);
  print_times ("array 500 x 256^2", &there, runs, 0);
  free_arrays (ctx, array);
}

static void
time_inverse (int runs)
{
  CLEANUP (free_problem)
  any_problem p
      = make_problem (&solvers[SOLVE_TDINV], GPUEIG_DOUBLE, 4096, 1, 2);
  fill_problem (&p, 1);
  print_times ("tdinv 4096", &p, runs, 0);
}

/* Whether a matrix of order N is solved; *SECONDS only then.  */
static int
is_solved (int64_t n, double *seconds)
{
  CLEANUP (free_problem) any_problem p = make_symmetric (n, 1);
  gpueig_trim (ctx);
  const double start = now ();
  const gpueig_status status = solve_problem (ctx, &p, &options, NULL);
  must (status == GPUEIG_OK || status == GPUEIG_OUT_OF_MEMORY, "largest n");
  if (status == GPUEIG_OK)
    *seconds = now () - start;
  return status == GPUEIG_OK;
}

/* Find it between two thirds and five quarters of the library's estimate for BYTES.  */
static void
find_largest (double bytes)
{
  enum
  {
    STEP = 64
  };
  gpueig_task task = { .function = GPUEIG_FUNCTION_EIG_SYMMETRIC,
                       .type = GPUEIG_DOUBLE,
                       .n = STEP,
                       .pages = 1,
                       .vectors = 1 };
  gpueig_forecast forecast = { .device_bytes = 0 };
  double seconds = 0;
  for (; (double) forecast.device_bytes <= bytes; task.n += STEP)
    must (gpueig_plan (ctx, &task, &options, &forecast) == GPUEIG_OK, "plan");
  int64_t low = task.n * 2 / 3 / STEP, high = task.n * 5 / 4 / STEP;
  while (high - low > 1)
    {
      const int64_t n = (low + high) / 2;
      *(is_solved (n * STEP, &seconds) ? &low : &high) = n;
    }
  printf ("largest n of about %lld,cuda,,%lld,%.4g s\n",
          (long long) task.n - 2 * STEP, (long long) low * STEP, seconds);
}

int
main (int argc, char **argv)
{
  const int runs = argc > 1 ? atoi (argv[1]) : 15;
  const double mb = argc > 2 ? atof (argv[2]) : 2000;
  char text[40];
  gpueig_machine machine;
  setenv ("GPUEIG_TEST_BACKEND", "cuda", 1);
  check_begin ("five_calls");
  ctx = check_context (&options);
  time_symmetric ("n = 2", 2, 1, 100 * runs);
  options.backend = GPUEIG_AUTO;
  time_symmetric ("n = 2 auto", 2, 1, 100 * runs);
  options.backend = GPUEIG_CUDA;
  time_symmetric ("100000 x 32^2", 32, 100000, runs);
  time_array (runs);
  time_inverse (runs);
  gpueig_query (ctx, &machine);
  gpueig_destroy (ctx);
  snprintf (text, sizeof text, "%.0f", 1e6 * mb);
  if (mb > 0)
    setenv ("GPUEIG_DEVICE_MEMORY", text, 1);
  ctx = check_context (&options);
  find_largest (mb > 0 ? 1e6 * mb : (double) machine.device[0].memory);
  gpueig_destroy (ctx);
  return 0;
}
