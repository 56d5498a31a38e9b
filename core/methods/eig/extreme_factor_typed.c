/* A = Z J Z' of a pair of any range, see extreme_pair_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"

#if GE_DOUBLE

#  include "eig/extreme_pair_typed.h"

#  include <string.h>

enum
{
  LARGE = 60 /* exponent of an element at which its row is scaled */
};

/* g(I) += K, and row I of everything is scaled.  */
static void
scale_row (extreme *x, int64_t i, int k)
{
  const int64_t n = x->n;
  for (int64_t j = 0; j < n && k != 0; j++)
    {
      x->p[i + n * j] = times_power_ (x->p[i + n * j], -k);
      x->p[j + n * i] = times_power_ (x->p[j + n * i], -k);
      x->m[i + n * j] = times_power_ (x->m[i + n * j], -k);
      x->largest[i + n * j] = ldexp (x->largest[i + n * j], -k);
      x->largest[j + n * i] = ldexp (x->largest[j + n * i], -k);
    }
  x->g[i] += k;
}

/* The next pivot: a row, or two where an element between them is the larger one by far.
   Returns 0 if what is left of P is zero.  */
static int
find_pivot (const extreme *x, pivot *next)
{
  const int64_t n = x->n;
  double diagonal = -INFINITY, most = -INFINITY;
  int64_t one = 0, row = 0, column = 0;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j && ! x->is_done[j]; i++)
      {
        if (x->is_done[i])
          continue;
        const double size = size_of (x->p[i + n * j], x->g[i] + x->g[j]);
        if (i == j && size > diagonal)
          {
            diagonal = size;
            one = i;
          }
        else if (i < j && size > most)
          {
            most = size;
            row = i;
            column = j;
          }
      }
  /* (1 + sqrt (17)) / 8 is the best quotient; sizes are nearly logarithms.  */
  const int two = most > diagonal + 0.65;
  *next = (pivot){ .row = { two ? row : one, two ? column : one },
                   .count = 1 + two };
  return diagonal > -INFINITY || most > -INFINITY;
}

/* The rows of K get exponents with which their largest element is near 1, and the others such
   that theirs in the columns of K are not large.  */
static void
scale_pivot (extreme *x, const pivot *k)
{
  const int64_t n = x->n, r = k->row[0], s = k->row[1];
  const int middle = (x->g[r] + x->g[s]) / 2;
  const double size = size_of (x->p[r + n * s], x->g[r] + x->g[s] - 2 * middle);
  for (int c = 0; c < k->count; c++)
    scale_row (x, k->row[c], middle + (int) floor (size) / 2 - x->g[k->row[c]]);
  for (int64_t i = 0; i < n; i++)
    {
      const double most
          = fmax (size_of (x->p[i + n * r], 0), size_of (x->p[i + n * s], 0));
      if (! x->is_done[i] && i != r && i != s && most > LARGE)
        scale_row (x, i, (int) most);
    }
}

void
extreme_solve_block (const pivot *k, scalar_t x[2])
{
  if (k->count == 1)
    {
      x[0] /= k->a;
      return;
    }
  const real_t determinant = k->a * k->b - abs2_ (k->d);
  const scalar_t first = (k->b * x[0] - k->d * x[1]) / determinant;
  x[1] = (k->a * x[1] - conj_ (k->d) * x[0]) / determinant;
  x[0] = first;
}

/* Element (I, J) of P without pivot K.  What is a rounding error of its terms becomes 0, since as a
   pivot it would make all later ones meaningless.  */
static void
subtract (extreme *x, const pivot *k, int64_t at, int64_t i, int64_t j)
{
  const int64_t n = x->n;
  scalar_t *element = &x->p[i + n * j], term = 0;
  real_t *largest = &x->largest[i + n * j];
  for (int c = 0; c < k->count; c++)
    term += x->m[i + n * (at + c)] * conj_ (x->p[j + n * k->row[c]]);
  if (i == j)
    term = re_ (term);
  *largest = fmax_ (*largest, fmax_ (abs_ (term), abs_ (*element)));
  *element -= term;
  if (abs_ (*element) <= x->noise * *largest)
    *element = 0;
}

/* The columns of M of pivot K, from column AT on, and P without it.  */
static void
eliminate (extreme *x, pivot *k, int64_t at)
{
  const int64_t n = x->n, r = k->row[0], s = k->row[1];
  scale_pivot (x, k);
  k->a = re_ (x->p[r + n * r]);
  k->b = re_ (x->p[s + n * s]);
  k->d = x->p[r + n * s];
  x->is_done[r] = x->is_done[s] = 1;
  for (int c = 0; c < k->count; c++)
    x->m[k->row[c] + n * (at + c)] = 1;
  for (int64_t i = 0; i < n; i++)
    {
      /* the conjugate of row I times the inverse of the block */
      scalar_t w[2] = { conj_ (x->p[i + n * r]), conj_ (x->p[i + n * s]) };
      if (x->is_done[i])
        continue;
      extreme_solve_block (k, w);
      for (int c = 0; c < k->count; c++)
        x->m[i + n * (at + c)] = conj_ (w[c]);
    }
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n && ! x->is_done[j]; i++)
      if (! x->is_done[i])
        subtract (x, k, at, i, j);
}

/* The block of K = U diag (MU) U'.  */
static void
decompose (const pivot *k, real_t mu[2], scalar_t u[4])
{
  mu[0] = k->a;
  u[0] = u[3] = 1;
  u[1] = u[2] = 0;
  if (k->count == 1)
    return;
  const real_t size = hypot (re_ (k->d), im_ (k->d));
  const real_t z = (k->b - k->a) / (2 * size);
  const real_t t = copysign_ (1, z) / (fabs_ (z) + hypot (1, z));
  const real_t cosine = 1 / hypot (1, t);
  const scalar_t sine = (t * cosine) * (k->d / size);
  mu[0] = k->a - t * size;
  mu[1] = k->b + t * size;
  u[0] = u[3] = cosine;
  u[1] = -conj_ (sine);
  u[2] = sine;
}

/* Z in Y, its rows near 1 in the order, and their exponents; the signs.  */
static void
form_factor (extreme *x)
{
  const int64_t n = x->n;
  scalar_t *z = x->p;
  memset (z, 0, (size_t) (n * n) * sizeof *z);
  for (int64_t j = 0, at = 0; j < x->pivots; at += x->pivot[j++].count)
    {
      real_t mu[2];
      scalar_t u[4];
      const int count = x->pivot[j].count;
      decompose (&x->pivot[j], mu, u);
      for (int c = 0; c < count; c++)
        {
          const real_t root = sqrt_ (fabs_ (mu[c]));
          x->sign[at + c] = mu[c] < 0 ? -1 : 1;
          for (int b = 0; b < count; b++)
            for (int64_t i = 0; i < n; i++)
              z[i + n * (at + c)]
                  += x->m[i + n * (at + b)] * (u[2 * c + b] * root);
        }
    }
  for (int64_t i = 0; i < n; i++)
    {
      double most = -INFINITY;
      for (int64_t j = 0; j < n; j++)
        most = fmax (most, size_of (z[i + n * j], x->g[i]));
      const int e = most > -INFINITY ? (int) floor (most) : GE_EXPONENT_OF_ZERO;
      int64_t at = i;
      for (; at > 0 && x->e[at - 1] > e; at--)
        {
          x->e[at] = x->e[at - 1];
          x->order[at] = x->order[at - 1];
        }
      x->e[at] = e;
      x->order[at] = i;
    }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++)
      {
        const int64_t row = x->order[i];
        x->y[i + n * j] = times_power_ (z[row + n * j], x->g[row] - x->e[i]);
      }
}

gpueig_status
extreme_factor (gpueig_context *ctx, extreme *x)
{
  const int64_t n = x->n;
  const int *units = x->units;
  int64_t at = 0;
  x->pivots = 0;
  memset (x->is_done, 0, (size_t) n);
  memset (x->largest, 0, (size_t) (n * n) * sizeof *x->largest);
  memset (x->m, 0, (size_t) (n * n) * sizeof *x->m);
  for (int64_t j = 0; j < n; j++)
    {
      x->g[j] = units[j] - x->d[j];
      x->sign[j] = 1;
      for (int64_t i = 0; i < n; i++)
        x->p[i + n * j] = times_power_ (x->a[i + n * j], -units[i] - units[j]);
    }
  while (at < n && find_pivot (x, &x->pivot[x->pivots]))
    {
      GE_TRY (ge_check_interrupt (ctx));
      eliminate (x, &x->pivot[x->pivots], at);
      at += x->pivot[x->pivots++].count;
    }
  form_factor (x);
  return GPUEIG_OK;
}

#else
typedef int ge_extreme_factor_is_double_only;
#endif
