/* Times of LAPACK's drivers as a program calls them: run it alone and with gpueig-run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

     bench_lapack SECONDS [ORDER ...]

   Prints lines "driver,n,vectors,first [s],best [s],peak [n^2]" of random matrices: the
   first call of the driver at this order, the shortest of about SECONDS (at most 0.3), and
   the most memory of the process beside its two random matrices and what it had at its
   start, in numbers of the driver's type.  The orders of a driver end when the next one
   would take more than SECONDS.  */

#include "../preload/calls.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Bytes of memory that the process has had at most since the call before.  */
static double
peak_memory (void)
{
  char line[200];
  double peak = 0;
  FILE *f = fopen ("/proc/self/status", "r");
  while (f && fgets (line, sizeof line, f))
    if (strncmp (line, "VmHWM:", 6) == 0)
      peak = 1024 * strtod (line + 6, NULL);
  if (f)
    fclose (f);
  f = fopen ("/proc/self/clear_refs", "w");
  if (f)
    {
      fputs ("5", f);
      fclose (f);
    }
  return peak;
}

/* Times of driver D called NAME; returns seconds of one call.  BEFORE: bytes.  */
static double
measure (const driver_row *d, const char *name, int n, int vectors,
         double seconds, double before)
{
  call_data s = new_data (d, *name, n, vectors);
  double first = 0, best = 1e300, sum = 0, peak = 0;
  peak_memory ();
  s.driver = dlsym (RTLD_DEFAULT, name);
  for (int i = 0; i == 0 || (sum < seconds && i < 100); i++)
    {
      const double start = now ();
      if (call_driver (d, &s) != 0)
        fprintf (stderr, "%s failed at n = %d\n", name, n);
      const double t = now () - start;
      first = i == 0 ? t : first;
      peak = i == 0 ? peak_memory () - before : peak;
      best = t < best ? t : best;
      sum += t;
    }
  printf ("%.*s,%d,%s,%.4g,%.4g,%.3g\n", (int) strlen (name) - 1, name, n,
          vectors ? "yes" : "no", first, best,
          peak / ((double) n * n * (double) s.scalar) - 2);
  fflush (stdout);
  free_data (&s);
  return best;
}

int
main (int argc, char **argv)
{
  const double limit = argc > 1 ? atof (argv[1]) : 1;
  const char *types = getenv ("TYPES") ? getenv ("TYPES") : "sdcz";
  const char *only = getenv ("DRIVERS");
  const double start = peak_memory ();
  for (const driver_row *d = driver_table; d < driver_table + DRIVERS; d++)
    for (const char *t = types; *t; t++)
      for (int vectors = 0; vectors < 2; vectors++)
        {
          char name[16];
          double last = 0;
          int before = 0;
          if (! driver_name (d, *t, name, sizeof name)
              || (only && ! strstr (only, d->real)))
            continue;
          for (int i = 2; i < argc; i++)
            {
              const int n = atoi (argv[i]);
              const double growth = before ? (double) n / before : 0;
              if (n < 1 || last * growth * growth * growth > limit)
                break;
              last = measure (d, name, n, vectors, fmin (limit, 0.3), start);
              before = n;
            }
        }
  return 0;
}
