/* Shared by the programs that measure with CUDA events: failure, median.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef DEVICE_CLOCK_CUH
#define DEVICE_CLOCK_CUH 1

#include <stdio.h>
#include <stdlib.h>

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

#endif
