/* Shared by the programs that measure with CUDA events: failure, median.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef DEVICE_CLOCK_CUH
#define DEVICE_CLOCK_CUH 1

#include <cusolverDn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void
must (int good, const char *what)
{
  if (! good)
    {
      printf ("failed: %s\n", what);
      exit (1);
    }
}

static int
ascending (const void *x, const void *y)
{
  const double a = *(const double *) x, b = *(const double *) y;
  return a < b ? -1 : a > b;
}

static double
median (double *x, int count)
{
  qsort (x, (size_t) count, sizeof *x, ascending);
  return x[count / 2];
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* A limit of seconds for a program that measures one order after the other; the
   next one takes about (n / last n) ^ POWER times as long.  The first is always
   measured.  */
typedef struct
{
  double start, limit, power, last, last_n;
} time_limit;

/* Is there no time for order N?  Says so.  */
static int
no_time (const time_limit *t, double n)
{
  const double used = now () - t->start;
  const double next = t->last * pow (n / fmax (t->last_n, 1), t->power);
  if (t->limit <= 0 || t->last_n == 0 || used + next <= t->limit)
    return 0;
  printf ("# left out: no time for n = %g\n", n);
  fflush (stdout);
  return 1;
}

static void
print_library (void)
{
  int v[3] = { 0, 0, 0 };
  cusolverGetProperty (MAJOR_VERSION, &v[0]);
  cusolverGetProperty (MINOR_VERSION, &v[1]);
  cusolverGetProperty (PATCH_LEVEL, &v[2]);
  printf ("# note: cuSOLVER %d.%d.%d in the same process\n", v[0], v[1], v[2]);
}

#endif
