/* The inverse of a tridiagonal matrix in quadruple precision: the reference of
   test_tdinv.c.  Gaussian elimination, column by column, with partial pivoting; without
   pivoting for diagonally dominant matrices, where pivoting would lose zeros and tiny
   entries.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef TDINV_REFERENCE_H
#define TDINV_REFERENCE_H 1

#include <stdint.h>
#include <stdlib.h>

__extension__ typedef __float128 quad;

typedef struct
{
  quad re, im;
} quad_pair;

static inline quad
quad_abs1 (quad_pair x)
{
  return (x.re < 0 ? -x.re : x.re) + (x.im < 0 ? -x.im : x.im);
}

static inline quad_pair
quad_sub_mul (quad_pair x, quad_pair a, quad_pair b)
{
  x.re -= a.re * b.re - a.im * b.im;
  x.im -= a.re * b.im + a.im * b.re;
  return x;
}

static inline quad_pair
quad_div (quad_pair a, quad_pair b)
{
  /* Scaled so that the square neither over- nor underflows.  */
  quad scale = quad_abs1 (b);
  b.re /= scale;
  b.im /= scale;
  quad size = b.re * b.re + b.im * b.im;
  quad_pair c = { (a.re * b.re + a.im * b.im) / size / scale,
                  (a.im * b.re - a.re * b.im) / size / scale };
  return c;
}

/* X = inv (T), n-by-n; c, a, b as in gpueig_tdinv.  Overwrites a, b, c, which
   have room for n numbers.  Returns 0 for a zero pivot.  */
static inline int
reference_inverse (int64_t n, int pivoting, quad_pair *c, quad_pair *a,
                   quad_pair *b, quad_pair *x)
{
  const quad_pair zero = { 0, 0 };
  FREED quad_pair *b2 = check_memory (n, sizeof *b2);
  FREED quad_pair *l = check_memory (n, sizeof *l);
  int *swap = check_memory (n, sizeof *swap), good = 1;
  if (n > 0)
    b[n - 1] = zero;
  for (int64_t i = 0; i < n - 1; i++)
    {
      quad_pair below[3] = { c[i], a[i + 1], b[i + 1] };
      b2[i] = zero;
      swap[i] = pivoting && quad_abs1 (below[0]) > quad_abs1 (a[i]);
      if (swap[i])
        {
          quad_pair above[2] = { a[i], b[i] };
          a[i] = below[0];
          b[i] = below[1];
          b2[i] = below[2];
          below[0] = above[0];
          below[1] = above[1];
          below[2] = zero;
        }
      if (quad_abs1 (a[i]) == 0)
        good = 0;
      else
        {
          l[i] = quad_div (below[0], a[i]);
          a[i + 1] = quad_sub_mul (below[1], l[i], b[i]);
          b[i + 1] = quad_sub_mul (below[2], l[i], b2[i]);
        }
    }
  if (n > 0 && quad_abs1 (a[n - 1]) == 0)
    good = 0;
  for (int64_t j = 0; good && j < n; j++)
    {
      quad_pair *y = x + n * j;
      for (int64_t i = 0; i < n; i++)
        y[i] = zero;
      y[j].re = 1;
      for (int64_t i = 0; i < n - 1; i++)
        {
          quad_pair t = y[i];
          if (swap[i])
            {
              y[i] = y[i + 1];
              y[i + 1] = t;
            }
          y[i + 1] = quad_sub_mul (y[i + 1], l[i], y[i]);
        }
      for (int64_t i = n - 1; i >= 0; i--)
        {
          if (i + 1 < n)
            y[i] = quad_sub_mul (y[i], b[i], y[i + 1]);
          if (i + 2 < n)
            y[i] = quad_sub_mul (y[i], b2[i], y[i + 2]);
          y[i] = quad_div (y[i], a[i]);
        }
    }
  free (swap);
  return good;
}

#endif
