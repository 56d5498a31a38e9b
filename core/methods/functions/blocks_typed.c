/* Pages that are upper triangular but for blocks of order 2 on the diagonal.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block becomes triangular by an elementary similarity transformation, which does not depend on
   the units of its rows, with eigenvalues that are accurate relative to themselves: nothing is
   lost where parts of a page differ much in size.  A block of a real page whose eigenvalues are not
   real gets one of a real Schur form, with equal numbers on the diagonal.  */

#include "base/products.h"
#include "functions/scaled.h"

#include <complex.h>
#include <math.h>

/* --- the order of the rows --- */

enum
{
  DONE = -1 /* for a count */
};

/* The row other than J of an element of column J that is not zero, among the rows that are
   left.  */
static int64_t
neighbour (int64_t n, const scalar_t *a, const int *count, int64_t j)
{
  for (int64_t i = 0; i < n; i++)
    if (i != j && count[i] != DONE && a[i + j * n] != 0)
      return i;
  return j;
}

/* Row K is the next one.  */
static void
take (int64_t n, const scalar_t *a, int64_t k, int *count, int *order,
      int64_t *at)
{
  order[(*at)++] = (int) k;
  count[k] = DONE;
  for (int64_t j = 0; j < n; j++)
    count[j] -= count[j] != DONE && a[k + j * n] != 0;
}

int
FN (ge_funm_order) (int64_t n, const void *matrix, int *order, int *count)
{
  const scalar_t *a = matrix;
  int64_t at = 0;
  for (int64_t j = 0; j < n; j++)
    {
      count[j] = 0;
      for (int64_t i = 0; i < n; i++)
        count[j] += i != j && a[i + j * n] != 0;
    }
  while (at < n)
    {
      const int64_t before = at;
      for (int64_t j = 0; at == before && j < n; j++)
        {
          const int64_t k = count[j] == 1 ? neighbour (n, a, count, j) : j;
          if (count[j] == 0
              || (k != j && count[k] == 1 && neighbour (n, a, count, k) == j))
            {
              take (n, a, j, count, order, &at);
              if (k != j)
                take (n, a, k, count, order, &at);
            }
        }
      if (at == before)
        return 0;
    }
  return 1;
}

/* --- a block --- */

/* The block [a, b; c, d], and its eigenvalues d + Z and OTHER.  */
typedef struct
{
  ge_point a, b, c, d, z, value, other;
} block_form;

/* Find the eigenvalues; returns zero if they do not have the type of the page.  LARGE and SMALL in
   modulus, of which the one next to a is d + Z.  */
#if ! GE_COMPLEX
static int
find_values (block_form *f)
{
  const double a = creal (f->a), b = creal (f->b), c = creal (f->c),
               d = creal (f->d), p = (a - d) / 2, mean = (a + d) / 2,
               g = sqrt (fabs (b)) * sqrt (fabs (c)), product = b * c;
  const int is_positive = (b < 0) == (c < 0);
  if (! is_positive && fabs (p) < g)
    return 0;
  const double r
      = is_positive ? hypot (p, g) : sqrt (fabs (p) - g) * sqrt (fabs (p) + g),
      large = mean + copysign (r, mean),
      determinant = fma (a, d, -product) - fma (b, c, -product),
      small = large == 0 ? 0 : determinant / large;
  const int is_large = signbit (p) == signbit (mean);
  f->z = p + copysign (r, p);
  f->value = is_large ? large : small;
  f->other = is_large ? small : large;
  return 1;
}
#else
static int
find_values (block_form *f)
{
  const ge_point p = (f->a - f->d) / 2, mean = (f->a + f->d) / 2,
                 square = p * p + f->b * f->c,
                 r = p == 0 ? csqrt (f->b) * csqrt (f->c) : csqrt (square);
  const int plus = cabs (p + r) >= cabs (p - r),
            is_large = plus == (cabs (mean + r) >= cabs (mean - r));
  const ge_point large = plus == is_large ? mean + r : mean - r,
                 small = large == 0 ? 0 : (f->a * f->d - f->b * f->c) / large;
  f->z = plus ? p + r : p - r;
  f->value = is_large ? large : small;
  f->other = is_large ? small : large;
  return 1;
}
#endif

/* Nonzero if the eigenvalue Z of a page of order N may be on the negative axis but for rounding
   errors.  */
static int
is_next_to_axis (int64_t n, ge_point z)
{
  return creal (z) < 0 && cimag (z) != 0
         && fabs (cimag (z))
                <= -creal (z) * GE_TRIPLE_NOISE (n, (double) GE_EPS);
}

/* Nonzero if rounding errors of the block may matter for its eigenvalues: next to zero, where they
   are small differences, or to the negative axis.  */
static int
is_uncertain (int64_t n, const block_form *f)
{
  const ge_point p = f->a * f->d, q = f->b * f->c;
  return cabs (p - q) <= 100 * (double) GE_EPS * (cabs (p) + cabs (q))
         || is_next_to_axis (n, f->value) || is_next_to_axis (n, f->other);
}

static ge_point
point_of (scalar_t x, int e)
{
  return ge_point_of (ldexp ((double) re_ (x), e), ldexp ((double) im_ (x), e));
}

static scalar_t
number (ge_point x, int e)
{
  return make_ ((real_t) ldexp (creal (x), e), (real_t) ldexp (cimag (x), e));
}

/* The loss of digits of X where FACTOR Y is added, as a factor.  */
static double
loss (ge_point factor, scalar_t x, scalar_t y)
{
  return x == 0 ? 0 : cabs (factor) * (double) abs_ (y) / (double) abs_ (x);
}

/* The largest loss in the rows and columns of block J; SWAPPED: of S = [m, 1; 1, 0], otherwise
   of S = [1, 0; m, 1].  */
static double
most_lost (int64_t n, const scalar_t *a, int64_t j, ge_point m, int swapped)
{
  const scalar_t *x = a + j * n, *y = x + n;
  double most = 0;
  for (int64_t i = 0; i < j; i++)
    most = fmax (most, swapped ? loss (m, y[i], x[i]) : loss (m, x[i], y[i]));
  for (int64_t l = j + 2; l < n; l++)
    {
      const scalar_t *row = a + j + l * n;
      most = fmax (most, swapped ? loss (m, row[0], row[1])
                                 : loss (m, row[1], row[0]));
    }
  return most;
}

/* S of a block: m in FACTOR.  Of the two that there are, the one that loses less.  */
static ge_block_step
choose (int64_t n, const scalar_t *a, int64_t j, ge_point reduced,
        ge_point other, ge_block_step step, ge_point *factor)
{
  const int is_other
      = most_lost (n, a, j, other, 1) < most_lost (n, a, j, reduced, 0);
  *factor = is_other ? other : reduced;
  return is_other ? step : GE_BLOCK_REDUCED;
}

/* TO = S^-1 F S.  */
static ge_block_step
transform_block (int64_t n, const scalar_t *matrix, int64_t j, block_form *f,
                 block_form *to, ge_point *factor)
{
  const ge_point a = f->a, b = f->b, c = f->c, d = f->d;
  *factor = 0;
  if (b == 0) /* or too small in these units */
    {
      *to = (block_form){ .a = d, .b = c, .d = a };
      return GE_BLOCK_SWAPPED;
    }
  if (find_values (f))
    {
      if (is_uncertain (n, f))
        return GE_BLOCK_FAILS;
      const ge_block_step step = choose (n, matrix, j, c / f->z, -b / f->z,
                                         GE_BLOCK_SWAPPED, factor);
      const int swapped = step == GE_BLOCK_SWAPPED;
      *to = (block_form){ .a = swapped ? f->other : f->value,
                          .b = swapped ? c : b,
                          .d = swapped ? f->value : f->other };
      return step;
    }
  const ge_point p = (a - d) / 2, mean = (a + d) / 2;
  const double size = cabs (p), g = sqrt (cabs (b)) * sqrt (cabs (c)),
               product = -(g - size) * (g + size);
  const ge_block_step step
      = choose (n, matrix, j, -p / b, p / c, GE_BLOCK_SHEARED, factor);
  const int sheared = step == GE_BLOCK_SHEARED;
  *to = (block_form){ .a = mean,
                      .b = sheared ? product / c : b,
                      .c = sheared ? c : product / b,
                      .d = mean };
  return is_next_to_axis (n, ge_point_of (creal (mean), sqrt (-product)))
             ? GE_BLOCK_FAILS
             : step;
}

/* (*X, *Y) times S.  */
static void
multiply_pair (ge_block_step step, scalar_t m, scalar_t *x, scalar_t *y)
{
  const scalar_t p = *x, q = *y;
  if (step == GE_BLOCK_REDUCED)
    *x = p + mul_ (q, m);
  else if (step == GE_BLOCK_SHEARED)
    *y = q + mul_ (p, m);
  else
    {
      *x = mul_ (p, m) + q;
      *y = p;
    }
}

/* (*X, *Y) times S^-1.  */
static void
divide_pair (ge_block_step step, scalar_t m, scalar_t *x, scalar_t *y)
{
  const scalar_t p = *x, q = *y;
  if (step != GE_BLOCK_SWAPPED)
    multiply_pair (step, -m, x, y);
  else
    {
      *x = q;
      *y = p - mul_ (q, m);
    }
}

/* A row of S or S^-1 is a column of the transpose: that of a swapped S is itself, and the others are
   each other's.  */
static ge_block_step
transposed (ge_block_step step)
{
  return step == GE_BLOCK_REDUCED   ? GE_BLOCK_SHEARED
         : step == GE_BLOCK_SHEARED ? GE_BLOCK_REDUCED
                                    : step;
}

/* Make block J that of a Schur form, with m in *FACTOR; returns the kind of S.  */
static ge_block_step
reduce_block (int64_t n, scalar_t *a, int64_t j, ge_point *factor)
{
  scalar_t *x = a + j * n, *y = x + n;
  const double largest
      = fmax (fmax ((double) part_ (x[j]), (double) part_ (y[j + 1])),
              fmax ((double) part_ (y[j]), (double) part_ (x[j + 1])));
  const int e = ilogb (largest);
  block_form f = { .a = point_of (x[j], -e),
                   .b = point_of (y[j], -e),
                   .c = point_of (x[j + 1], -e),
                   .d = point_of (y[j + 1], -e) },
             to = { 0 };
  const ge_block_step step = transform_block (n, a, j, &f, &to, factor);
  const scalar_t m = number (*factor, 0);
  if (step == GE_BLOCK_FAILS || ! isfinite (re_ (m)) || ! isfinite (im_ (m)))
    return GE_BLOCK_FAILS;
  for (int64_t i = 0; i < j; i++)
    multiply_pair (step, m, x + i, y + i);
  for (int64_t l = j + 2; l < n; l++)
    divide_pair (transposed (step), m, a + j + l * n, a + j + 1 + l * n);
  x[j] = number (to.a, e);
  x[j + 1] = number (to.c, e);
  y[j] = number (to.b, e);
  y[j + 1] = number (to.d, e);
  return step;
}

int
FN (ge_funm_reduce) (int64_t n, void *matrix, gpueig_funm_kind kind,
                     ge_block_reduction *block)
{
  scalar_t *a = matrix;
  int all = 1;
  for (int64_t j = 0; all && j < n; j++)
    {
      block[j].step = GE_BLOCK_STAYS;
      if (j + 1 < n && a[j + 1 + j * n] != 0)
        block[j].step = reduce_block (n, a, j, &block[j].factor);
      all = block[j].step != GE_BLOCK_FAILS
            && (kind != GPUEIG_LOGM || a[j * (n + 1)] != 0);
    }
  for (int64_t k = 0; k < n * n; k++)
    all = all && isfinite (re_ (a[k])) && isfinite (im_ (a[k]));
  return all;
}

void
FN (ge_funm_expand) (int64_t n, const ge_block_reduction *block, void *matrix)
{
  scalar_t *a = matrix;
  int finite = 0;
  for (int64_t k = 0; k < n * n; k++)
    finite |= ! isinf (re_ (a[k]));
  /* A power that does not exist is infinite in all elements.  */
  for (int64_t j = 0; finite && j + 1 < n; j++)
    {
      const ge_block_step step = block[j].step;
      const scalar_t m = number (block[j].factor, 0);
      if (step == GE_BLOCK_STAYS)
        continue;
      for (int64_t i = 0; i < n; i++)
        divide_pair (step, m, a + i + j * n, a + i + (j + 1) * n);
      for (int64_t l = 0; l < n; l++)
        multiply_pair (transposed (step), m, a + j + l * n, a + j + 1 + l * n);
    }
}

/* sqrt (|b c|) of the block [a, b; c, d], columns N apart.  */
static double
block_root (const scalar_t *block, int64_t n)
{
  return sqrt ((double) abs_ (block[1])) * sqrt ((double) abs_ (block[n]));
}

int
FN (ge_is_schur_form) (int64_t n, const void *matrix)
{
  const scalar_t *a = matrix;
  for (int64_t j = 0; j < n; j++)
    {
      const scalar_t *block = a + j * (n + 1);
      for (int64_t i = j + 2; i < n; i++)
        if (a[i + j * n] != 0)
          return 0;
      if (j + 1 < n && block[1] != 0
          && (GE_COMPLEX || block[0] != block[n + 1]
              || (re_ (block[1]) < 0) == (re_ (block[n]) < 0) || block[n] == 0
              || (j + 2 < n && block[n + 2] != 0)
              || is_next_to_axis (n, ge_point_of ((double) re_ (block[0]),
                                                  block_root (block, n)))))
        return 0;
    }
  return 1;
}
