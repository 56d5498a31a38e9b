/* Balancing: permutations that isolate eigenvalues, then scaling.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/balance.h"
#include "base/scalar.h"

static int
is_zero (scalar_t x)
{
  return re_ (x) == 0 && im_ (x) == 0;
}

/* Numbers of nonzero off-diagonal elements of each active row and column.  */
typedef struct
{
  int64_t n;
  const scalar_t *a;
  int *active, *rows, *columns;
} pattern;

static void
count_elements (pattern *p)
{
  for (int64_t i = 0; i < p->n; i++)
    {
      p->active[i] = 1;
      p->rows[i] = p->columns[i] = 0;
    }
  for (int64_t j = 0; j < p->n; j++)
    for (int64_t i = 0; i < p->n; i++)
      if (i != j && ! is_zero (p->a[i + p->n * j]))
        {
          p->rows[i]++;
          p->columns[j]++;
        }
}

static void
deactivate (pattern *p, int64_t k)
{
  p->active[k] = 0;
  for (int64_t i = 0; i < p->n; i++)
    {
      p->rows[i] -= i != k && ! is_zero (p->a[i + p->n * k]);
      p->columns[i] -= i != k && ! is_zero (p->a[k + p->n * i]);
    }
}

/* Move rows without nonzero off-diagonal elements to the end, such columns to the
   beginning; the remaining block is *FIRST .. *BELOW - 1.  */
static void
find_order (pattern *p, int *order, int64_t *first, int64_t *below)
{
  const int64_t n = p->n;
  int again = 1;
  *first = 0;
  *below = n;
  count_elements (p);
  while (again)
    {
      again = 0;
      for (int64_t i = n - 1; i >= 0; i--)
        if (p->active[i] && p->rows[i] == 0)
          {
            order[--*below] = (int) i;
            deactivate (p, i);
            again = 1;
          }
    }
  for (again = 1; again;)
    {
      again = 0;
      for (int64_t i = 0; i < n; i++)
        if (p->active[i] && p->columns[i] == 0)
          {
            order[(*first)++] = (int) i;
            deactivate (p, i);
            again = 1;
          }
    }
  int64_t at = *first;
  for (int64_t i = 0; i < n; i++)
    if (p->active[i])
      order[at++] = (int) i;
}

/* The 2-norm of COUNT elements, STEP apart.  */
static real_t
norm_of_vector (int64_t count, const scalar_t *x, int64_t step)
{
  real_t largest = 0, sum = 0;
  for (int64_t k = 0; k < count; k++)
    largest = fmax_ (largest, abs1_ (x[k * step]));
  if (largest == 0)
    return 0;
  for (int64_t k = 0; k < count; k++)
    {
      const real_t re = re_ (x[k * step]) / largest;
      const real_t im = im_ (x[k * step]) / largest;
      sum += re * re + im * im;
    }
  return largest * sqrt_ (sum);
}

/* One scaling pass over rows FIRST .. BELOW - 1 of B; nonzero if a row was scaled.  */
static int
scale_pass (int64_t n, scalar_t *b, real_t *scale, int64_t first, int64_t below)
{
  int scaled = 0;
  for (int64_t i = first; i < below; i++)
    {
      real_t f = 1;
      real_t column = norm_of_vector (below - first, b + first + n * i, 1);
      real_t row = norm_of_vector (below - first, b + i + n * first, n);
      if (column == 0 || row == 0)
        continue;
      const real_t sum = column + row;
      while (column < row / 2 && f < 1 / GE_REAL_MIN / 4)
        {
          f *= 2;
          column *= 2;
          row /= 2;
        }
      while (column >= row * 2 && f > GE_REAL_MIN * 4)
        {
          f /= 2;
          column /= 2;
          row *= 2;
        }
      if (! (f != 1 && column + row < (real_t) 0.95 * sum))
        continue;
      /* D and its inverse must be finite normal numbers */
      if (! (scale[i] * f < 1 / GE_REAL_MIN && scale[i] * f > GE_REAL_MIN))
        continue;
      scaled = 1;
      scale[i] *= f;
      for (int64_t k = 0; k < n; k++)
        b[i + n * k] = make_ (re_ (b[i + n * k]) / f, im_ (b[i + n * k]) / f);
      for (int64_t k = 0; k < n; k++)
        b[k + n * i] = make_ (re_ (b[k + n * i]) * f, im_ (b[k + n * i]) * f);
    }
  return scaled;
}

void
FN (ge_balance) (int64_t n, const void *matrix, void *balanced, int *order,
                 void *factors, int *space)
{
  real_t *scale = factors;
  const scalar_t *a = matrix;
  scalar_t *b = balanced;
  pattern p = { n, a, space, space + n, space + 2 * n };
  int64_t first, below;
  find_order (&p, order, &first, &below);
  for (int64_t j = 0; j < n; j++)
    {
      scale[j] = 1;
      for (int64_t i = 0; i < n; i++)
        b[i + n * j] = a[order[i] + n * order[j]];
    }
  for (int pass = 0; pass < 100; pass++)
    if (! scale_pass (n, b, scale, first, below))
      break;
}
