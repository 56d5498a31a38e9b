/* A program that uses the installed C library: the lowest frequencies of a chain of
   masses and springs by gpueig_mrrr, compared with the exact ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   With the library installed (cmake --install build --prefix DIR):

     cc vibration.c $(pkg-config --cflags --libs gpueig) -lm     or
     cmake -S . -B build -DCMAKE_PREFIX_PATH=DIR && cmake --build build

   The first, for a DIR of one's own, with DIR/lib/pkgconfig in PKG_CONFIG_PATH and
   DIR/lib in LD_LIBRARY_PATH (or the folder with libgpueig.so instead of lib).  */

#include <gpueig.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 2000,
  WANTED = 5
};

int
main (void)
{
  static double d[N], e[N - 1], lambda[WANTED], v[N * WANTED];
  gpueig_context *ctx;
  gpueig_info info;
  if (gpueig_create (&ctx) != GPUEIG_OK)
    return EXIT_FAILURE;
  /* The stiffness matrix of unit masses and springs, both ends fixed.  */
  for (int i = 0; i < N; i++)
    d[i] = 2;
  for (int i = 0; i < N - 1; i++)
    e[i] = -1;
  const gpueig_mrrr_problem problem = { .type = GPUEIG_DOUBLE,
                                        .n = N,
                                        .pages = 1,
                                        .d = d,
                                        .e = e,
                                        .select = GPUEIG_SELECT_INDEX,
                                        .first = 1,
                                        .last = WANTED,
                                        .lambda = lambda,
                                        .v = v };
  const gpueig_status status = gpueig_mrrr (ctx, &problem, NULL, &info);
  if (status != GPUEIG_OK)
    {
      fprintf (stderr, "%s: %s\n", gpueig_status_id (status),
               gpueig_message (ctx));
      gpueig_destroy (ctx);
      return EXIT_FAILURE;
    }
  const double pi = 3.14159265358979323846;
  double worst = 0;
  for (int k = 0; k < WANTED; k++)
    {
      const double omega = sqrt (lambda[k]);
      const double exact = 2 * sin ((k + 1) * pi / (2 * (N + 1)));
      worst = fmax (worst, fabs (omega - exact));
      printf ("frequency %d: %.12f, by the formula %.12f\n", k + 1, omega,
              exact);
    }
  printf ("%s backend, %.1f ms\n", info.backend, 1e3 * info.time_total);
  gpueig_destroy (ctx);
  return worst < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
