/* Random tridiagonal matrices that test_mrrr.c solves.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef MRRR_MATRICES_H
#define MRRR_MATRICES_H 1

#include "tridiagonal_matrices.h"

static measure_random die = { 29 };

static double
entry (int mode)
{
  double sign = measure_chance (&die) < 0.5 ? -1 : 1;
  switch (mode)
    {
    case 0:
      return sign * measure_chance (&die);
    case 1:
      return sign * pow (10, -16 * measure_chance (&die));
    case 2:
      return sign * pow (10, -40 * measure_chance (&die));
    case 3:
      return (int) (measure_chance (&die) * 5 - 2);
    case 4:
      return measure_chance (&die) < 0.3 ? 0 : sign * measure_chance (&die);
    case 5:
      return 1 + 1e-14 * sign * measure_chance (&die);
    case 6:
      return sign * pow (10, -8 * (int) (measure_chance (&die) * 3));
    default:
      return measure_chance (&die) < 0.5 ? 1 : 1e-8 * measure_chance (&die);
    }
}

/* Entries that are widely graded, nearly equal, zero, or repeated in blocks.  */
static void
random_structure (int n, double *d, double *e)
{
  int diagonal = (int) (measure_chance (&die) * 8),
      off = (int) (measure_chance (&die) * 8);
  int period = measure_chance (&die) < 0.6
                   ? 1 + (int) (measure_chance (&die) * 30)
                   : n;
  if (measure_chance (&die) < 0.3)
    off = 1;
  for (int i = 0; i < n; i++)
    {
      d[i] = i < period ? entry (diagonal) : d[i - period];
      e[i] = i < period ? entry (off) : e[i - period];
      if (i >= period && (i + 1) % period == 0 && measure_chance (&die) < 0.5)
        e[i] = pow (10, -16 * measure_chance (&die));
    }
}

#endif
