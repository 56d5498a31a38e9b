/* The clock of the benchmarks, and the order of times, for C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef CLOCK_H
#define CLOCK_H 1

#include <time.h>

/* Seconds.  */
static inline double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static inline int
ascending_numbers (const void *x, const void *y)
{
  const double a = *(const double *) x, b = *(const double *) y;
  return (a > b) - (a < b);
}

#endif
