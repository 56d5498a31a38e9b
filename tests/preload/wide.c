/* A program that calls LAPACK by its names with 64-bit integers, to be compiled by
   tests/check_lapack.sh with CALL_WIDE, a prefix, and calls.c:
     wide LAPACK ORDER ...    LAPACK: a library with these names
   Claim: INFO and the eigenvalues are LAPACK's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "calls.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum of cos (k + 1) times the k-th eigenvalue, or of their moduli where the order is
   free, relative to n^2.  */
static double
values (const call_data *s, int general)
{
  double sum = 0;
  for (int64_t k = 0; k < (general ? 2 : 1) * s->n; k++)
    {
      /* Real parts and then, elsewhere for real types, imaginary parts.  */
      const char *at = general && s->scalar == s->real && k >= s->n
                           ? s->wi + (size_t) (k - s->n) * s->real
                           : s->w + (size_t) k * s->real;
      const double x
          = s->real == 4 ? (double) *(const float *) at : *(const double *) at;
      sum += general ? x * x : x * cos ((double) k + 1);
    }
  return sum / (double) (s->n * s->n);
}

int
main (int argc, char **argv)
{
  void *lapack = argc > 2 ? dlopen (argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int passed = 0, failed = 0;
  char name[24];
  if (! lapack)
    return 1;
  for (const driver_row *d = driver_table; d < driver_table + DRIVERS; d++)
    for (const char *type = "sdcz"; *type; type++)
      for (int i = 2; i < argc && driver_name (d, *type, name, sizeof name);
           i++)
        {
          const int n = atoi (argv[i]);
          const int general = *d->real == 'g',
                    tridiagonal = ! d->symmetric && ! general;
          call_data s = new_data (d, *type, n, 1);
          double sum[2];
          int info[2];
          for (int k = 0; k < 2; k++)
            {
              s.driver = dlsym (k == 0 ? RTLD_DEFAULT : lapack, name);
              info[k] = s.driver ? call_driver (d, &s) : -99;
              if (tridiagonal && s.driver && strstr (name, "stevr") == NULL)
                memcpy (s.w, s.x, (size_t) n * s.real);
              sum[k] = values (&s, general);
            }
          const double error = fabs (sum[0] - sum[1]);
          if (info[0] == 0 && info[1] == 0
              && error < (s.real == 4 ? 1e-5 : 1e-13))
            passed++;
          else
            {
              failed++;
              printf ("FAIL: %s, order %d: INFO %d and %d, difference %g\n",
                      name, n, info[0], info[1], error);
            }
          free_data (&s);
        }
  printf ("wide: %d passed, %d failed, 0 skipped\n", passed, failed);
  return failed > 0;
}
