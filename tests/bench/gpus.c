/* One GPU against several: times on the device and of the whole call, best of three.
     bench_gpus [long]           also MRRR of order 47000 (18 GB of results)
     bench_gpus large ORDER ...  one symmetric matrix on all devices, even if one
                                 has room for it
   On the devices of GPUEIG_DEVICE, "all" by default; GPUEIG_TEST_BACKEND=cuda.
   Prints the table that sh tests/bench/run.sh gpus stores; status 77 where there
   is only one device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "gpueig_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  RUNS = 3,
  DIFFERENT = 256, /* pages */
  NO_DEVICES = 77  /* status: not measured */
};

static gpueig_context *ctx;
static gpueig_options one, all;

typedef gpueig_status call (const void *problem, const gpueig_options *options,
                            gpueig_info *info);

static gpueig_status
onesided (const void *problem, const gpueig_options *options, gpueig_info *info)
{
  return gpueig_onesided_eig (ctx, problem, options, info);
}

static gpueig_status
complex_eig (const void *problem, const gpueig_options *options,
             gpueig_info *info)
{
  return gpueig_complex_eig (ctx, problem, options, info);
}

static gpueig_status
mrrr (const void *problem, const gpueig_options *options, gpueig_info *info)
{
  return gpueig_mrrr (ctx, problem, options, info);
}

static gpueig_status
tdinv (const void *problem, const gpueig_options *options, gpueig_info *info)
{
  return gpueig_tdinv (ctx, problem, options, info);
}

/* The shortest SOLVE and TOTAL of all runs but the first, which allocates; 0 and a
   note if one fails.  */
static int
shortest (const char *name, int64_t n, call *run, const void *problem,
          const gpueig_options *options, double *solve, double *total,
          gpueig_info *info)
{
  *solve = *total = INFINITY;
  for (int i = 0; i < RUNS + 1; i++)
    {
      if (run (problem, options, info) != GPUEIG_OK)
        {
          printf ("# note: %s of order %lld failed: %s\n", name, (long long) n,
                  gpueig_message (ctx));
          return 0;
        }
      *solve = i > 0 ? fmin (*solve, info->time_solve) : *solve;
      *total = i > 0 ? fmin (*total, info->time_total) : *total;
    }
  return 1;
}

/* All runs on one device come before those on all, because a call of one kind
   releases the memory that calls of the other kind have cached.  */
static void
measure (const char *name, int64_t n, int64_t pages, call *run,
         const void *problem)
{
  double solve[2], total[2];
  gpueig_info info;
  if (! shortest (name, n, run, problem, &one, &solve[0], &total[0], &info)
      || ! shortest (name, n, run, problem, &all, &solve[1], &total[1], &info))
    return;
  printf ("%s,%lld,%lld,%d,%.3f,%.3f,%.2f,%.3f,%.3f,%.2f\n", name,
          (long long) n, (long long) pages, info.n_devices, 1e3 * solve[0],
          1e3 * solve[1], solve[0] / solve[1], 1e3 * total[0], 1e3 * total[1],
          total[0] / total[1]);
  fflush (stdout);
}

static void
repeat (char *x, size_t page, int64_t pages)
{
  for (int64_t p = DIFFERENT; p < pages; p++)
    memcpy (x + (size_t) p * page, x + (size_t) (p % DIFFERENT) * page, page);
}

/* A copy of X in memory of the first device, or room for results.  */
static void *
on_gpu (const double *x, int64_t count, gpueig_array *array)
{
  const int64_t dims[] = { count, 1 };
  void *data = NULL;
  *array = 0;
  if (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, dims, &one, array) != GPUEIG_OK
      || (x && gpueig_array_upload (ctx, *array, x) != GPUEIG_OK)
      || gpueig_array_data (ctx, *array, &data) != GPUEIG_OK)
    printf ("# note: %s\n", gpueig_message (ctx));
  return data;
}

/* The same call with its arrays on the first device.  */
static void
stack_on_gpu (const gpueig_symmetric *host)
{
  gpueig_array array[3];
  gpueig_symmetric s = *host;
  const int64_t square = s.n * s.n * s.pages;
  s.place = GPUEIG_DEVICE;
  s.a = on_gpu (host->a, square, &array[0]);
  s.v = on_gpu (NULL, square, &array[1]);
  s.lambda = on_gpu (NULL, s.n * s.pages, &array[2]);
  if (s.a && s.v && s.lambda)
    measure ("onesided_eig on GPU 0", s.n, s.pages, onesided, &s);
  for (int i = 0; i < 3; i++)
    gpueig_array_free (ctx, array[i]);
}

static void
stack (int64_t n, int64_t pages)
{
  const int64_t square = n * n;
  double *a = check_array (GPUEIG_DOUBLE, square * pages);
  double *v = check_array (GPUEIG_DOUBLE, square * pages);
  double *lambda = check_array (GPUEIG_DOUBLE, n * pages);
  measure_random r = { 1 };
  for (int64_t p = 0; p < DIFFERENT && p < pages; p++)
    measure_random_symmetric (&r, GPUEIG_DOUBLE, n, a + p * square);
  repeat ((char *) a, (size_t) square * sizeof *a, pages);
  const gpueig_symmetric s = { .type = GPUEIG_DOUBLE,
                               .n = n,
                               .pages = pages,
                               .a = a,
                               .symmetric = 1,
                               .lambda = lambda,
                               .v = v };
  measure ("onesided_eig", n, pages, onesided, &s);
  stack_on_gpu (&s);
  free (a);
  free (v);
  free (lambda);
}

static void
general_stack (int64_t n, int64_t pages)
{
  const int64_t square = n * n;
  double *a = check_array (GPUEIG_COMPLEX_DOUBLE, square * pages);
  void *v = check_array (GPUEIG_COMPLEX_DOUBLE, square * pages);
  void *lambda = check_array (GPUEIG_COMPLEX_DOUBLE, n * pages);
  measure_random r = { 1 };
  for (int64_t i = 0; i < 2 * square * DIFFERENT; i++)
    a[i] = measure_normal (&r);
  repeat ((char *) a, (size_t) square * 16, pages);
  const gpueig_general g = { .type = GPUEIG_COMPLEX_DOUBLE,
                             .n = n,
                             .pages = pages,
                             .a = a,
                             .lambda = lambda,
                             .v = v };
  measure ("complex_eig", n, pages, complex_eig, &g);
  free (a);
  free (v);
  free (lambda);
}

static void
tridiagonal (int64_t n)
{
  double *d = check_array (GPUEIG_DOUBLE, n),
         *e = check_array (GPUEIG_DOUBLE, n);
  double *lambda = check_array (GPUEIG_DOUBLE, n);
  double *v = check_array (GPUEIG_DOUBLE, n * n);
  for (int64_t i = 0; i < n; i++)
    {
      d[i] = 4;
      e[i] = 1;
    }
  const gpueig_mrrr_problem p = { .type = GPUEIG_DOUBLE,
                                  .n = n,
                                  .pages = 1,
                                  .d = d,
                                  .e = e,
                                  .lambda = lambda,
                                  .v = v };
  measure ("mrrr", n, 1, mrrr, &p);
  if (n <= 20000)
    {
      const gpueig_tdinv_problem t = { .type = GPUEIG_DOUBLE,
                                       .n = n,
                                       .c = e,
                                       .a = d,
                                       .b = e,
                                       .band = -1,
                                       .x = v };
      measure ("tdinv", n, 1, tdinv, &t);
    }
  free (d);
  free (e);
  free (lambda);
  free (v);
}

/* One matrix on all devices together, verified by the library.  */
static void
large (int64_t n)
{
  double *a = check_array (GPUEIG_DOUBLE, n * n);
  double *v = check_array (GPUEIG_DOUBLE, n * n);
  double *lambda = check_array (GPUEIG_DOUBLE, n);
  gpueig_info info;
#pragma omp parallel for
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        uint64_t h = (uint64_t) (i * n + j) * 0x9E3779B97F4A7C15u;
        h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
        const double x = (double) (h >> 11) * 0x1p-52 - 1;
        a[i + n * j] = a[j + n * i] = x;
      }
  const gpueig_symmetric s = { .type = GPUEIG_DOUBLE,
                               .n = n,
                               .pages = 1,
                               .a = a,
                               .symmetric = 1,
                               .lambda = lambda,
                               .v = v };
  all.display = 1;
  gpueig_share_matrix (ctx, 1);
  if (gpueig_eig_symmetric (ctx, &s, &all, &info) == GPUEIG_OK)
    printf ("eig by %s,%lld,1,%d,,%.3f,,,%.3f,\n", info.method, (long long) n,
            info.n_devices, 1e3 * info.time_solve, 1e3 * info.time_total);
  else
    printf ("# note: eig of order %lld failed: %s\n", (long long) n,
            gpueig_message (ctx));
  fflush (stdout);
  gpueig_share_matrix (ctx, 0);
  all.display = 0;
  free (a);
  free (v);
  free (lambda);
}

static void
report (void *data, const char *line)
{
  (void) data;
  printf ("# note: %s\n", line);
  fflush (stdout);
}

static void
print_head (const gpueig_machine *machine)
{
  char date[16];
  const char *commit = getenv ("GPUEIG_COMMIT");
  const time_t now = time (NULL);
  strftime (date, sizeof date, "%Y-%m-%d", localtime (&now));
  printf ("# one GPU and several: the device clock and the whole call\n"
          "# %s, gpueig %s, commit %s\n"
          "# %s, %d devices, CUDA %g, %d CPU threads, BLAS %s\n"
          "# bar: 10\n"
          "# note: milliseconds, the shortest of %d runs after one that "
          "allocates, double precision (complex_eig: complex); memory of the "
          "results has been touched\n"
          "function,n,pages,devices,solve one,solve all,gain of solve,call "
          "one,call all,gain of call\n",
          date, GPUEIG_VERSION, commit ? commit : "unknown",
          machine->device[0].name, machine->n_devices,
          machine->runtime_version / 1000.0, machine->threads, machine->blas,
          RUNS);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  const gpueig_callbacks callbacks = { .report = report };
  gpueig_machine machine;
  ctx = check_context (&all);
  gpueig_set_callbacks (ctx, &callbacks);
  gpueig_query (ctx, &machine);
  if (machine.n_devices < 2 || all.backend != GPUEIG_CUDA)
    {
      fprintf (stderr, "there are not several GPUs\n");
      gpueig_destroy (ctx);
      return NO_DEVICES;
    }
  one = all;
  one.n_devices = 0;
  if (all.n_devices == 0)
    all.n_devices = GPUEIG_ALL_DEVICES;
  print_head (&machine);
  if (argc > 2 && strcmp (argv[1], "large") == 0)
    {
      for (int i = 2; i < argc; i++)
        large (atoll (argv[i]));
      gpueig_destroy (ctx);
      return 0;
    }
  stack (64, 40000);
  stack (128, 8000);
  stack (256, 4000);
  stack (32, 100000);
  general_stack (32, 40000);
  tridiagonal (20000);
  if (argc > 1 && strcmp (argv[1], "long") == 0)
    tridiagonal (47000);
  gpueig_destroy (ctx);
  return 0;
}
