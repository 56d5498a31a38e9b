/* The inverse of a tridiagonal matrix in quadruple precision: the reference of
   test_tdinv.c.  Gaussian elimination, column by column, with partial pivoting; without
   pivoting for diagonally dominant matrices, where pivoting would lose 0s and tiny
   entries.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef TDINV_REFERENCE_H
#define TDINV_REFERENCE_H 1

#include "check.h"
#include "quad.h"

#include <stdlib.h>

/* X = inv (T), n-by-n; c, a, b as in gpueig_tdinv.  Overwrites a, b, c, which
   have room for n numbers.  Returns 0 for a zero pivot.  */
static inline int
reference_inverse (int64_t n, int pivoting, quad_complex *c, quad_complex *a,
                   quad_complex *b, quad_complex *x)
{
  FREED quad_complex *b2 = check_memory (n, sizeof *b2);
  FREED quad_complex *l = check_memory (n, sizeof *l);
  int *swap = check_memory (n, sizeof *swap), good = 1;
  if (n > 0)
    b[n - 1] = 0;
  for (int64_t i = 0; i < n - 1; i++)
    {
      quad_complex below[3] = { c[i], a[i + 1], b[i + 1] };
      b2[i] = 0;
      swap[i] = pivoting && quad_size (below[0]) > quad_size (a[i]);
      if (swap[i])
        {
          quad_complex above[2] = { a[i], b[i] };
          a[i] = below[0];
          b[i] = below[1];
          b2[i] = below[2];
          below[0] = above[0];
          below[1] = above[1];
          below[2] = 0;
        }
      if (quad_size (a[i]) == 0)
        good = 0;
      else
        {
          l[i] = below[0] / a[i];
          a[i + 1] = below[1] - l[i] * b[i];
          b[i + 1] = below[2] - l[i] * b2[i];
        }
    }
  if (n > 0 && quad_size (a[n - 1]) == 0)
    good = 0;
  for (int64_t j = 0; good && j < n; j++)
    {
      quad_complex *y = x + n * j;
      for (int64_t i = 0; i < n; i++)
        y[i] = 0;
      y[j] = 1;
      for (int64_t i = 0; i < n - 1; i++)
        {
          quad_complex t = y[i];
          if (swap[i])
            {
              y[i] = y[i + 1];
              y[i + 1] = t;
            }
          y[i + 1] = y[i + 1] - l[i] * y[i];
        }
      for (int64_t i = n - 1; i >= 0; i--)
        {
          if (i + 1 < n)
            y[i] = y[i] - b[i] * y[i + 1];
          if (i + 2 < n)
            y[i] = y[i] - b2[i] * y[i + 2];
          y[i] = y[i] / a[i];
        }
    }
  free (swap);
  return good;
}

#endif
