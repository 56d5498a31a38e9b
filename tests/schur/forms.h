/* Schur forms that are made, not computed, for test_ordschur.c and test_rounds.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef FORMS_H
#define FORMS_H 1

#include "check.h"

#include <complex.h>
#include <math.h>

/* S of order N, whose eigenvalue in row i has the modulus (i + 2) / n, with 2-by-2 blocks of
   real types; U = I; CLUSTERS ranks at random.  */
static void
make_form (measure_random *r, gpueig_type type, int64_t n, int clusters,
           char *s, char *u, int64_t *rank)
{
  const int is_complex = gpueig_is_complex (type);
  for (int64_t j = 0; j < n; j++)
    {
      for (int64_t i = 0; i < n; i++)
        {
          double complex x = i < j ? measure_normal (r) / (double) n : 0;
          if (is_complex)
            x += i < j ? measure_normal (r) / (double) n * I : 0;
          measure_set (type, s, i + n * j, x);
          measure_set (type, u, i + n * j, i == j);
        }
      const double size = (double) (j + 2) / (double) n;
      measure_set (type, s, j + n * j,
                   is_complex && j % 3 ? size * I
                   : j % 2             ? -size
                                       : size);
      rank[j] = (int64_t) (fabs (measure_uniform (r)) * clusters);
    }
  /* 2-by-2 blocks with eigenvalues +-(j + 2) i / n */
  for (int64_t j = 0; ! is_complex && j + 1 < n; j++)
    if (measure_uniform (r) > 0.3)
      {
        const double size = (double) (j + 2) / (double) n;
        measure_set (type, s, j + n * j, 0);
        measure_set (type, s, (j + 1) * (n + 1), 0);
        measure_set (type, s, j + 1 + n * j, size / 4);
        measure_set (type, s, j + n * (j + 1), -4 * size);
        rank[j + 1] = rank[j];
        j++;
      }
}

#endif
