/* Order of eigenvalues whose real parts differ by rounding errors only.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"

#if GE_COMPLEX

#  include "shroff/order.h"

#  include <stdlib.h>
#  include <string.h>

typedef struct
{
  const real_t *lambda;
  int real;
} order_data;

/* Order by exact real parts, |imaginary parts| and signs.  */
static int
compare_exactly (const void *x, const void *y, void *data)
{
  const order_data *d = data;
  const int64_t i = *(const int64_t *) x, j = *(const int64_t *) y;
  const real_t *a = d->lambda + 2 * i, *b = d->lambda + 2 * j;
  if (a[0] != b[0])
    return a[0] < b[0] ? -1 : 1;
  if (fabs_ (a[1]) != fabs_ (b[1]))
    return fabs_ (a[1]) < fabs_ (b[1]) ? -1 : 1;
  if (a[1] != b[1])
    return a[1] > b[1] ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Order within a group of equal real parts and, of a complex matrix, of equal
   |imaginary parts|: the positive ones first.  Of a real matrix |imaginary parts| are
   compared exactly, so that the pairs stay together; see also join_pairs.  */
static int
compare_in_group (const void *x, const void *y, void *data)
{
  const order_data *d = data;
  const int64_t i = *(const int64_t *) x, j = *(const int64_t *) y;
  const real_t *a = d->lambda + 2 * i, *b = d->lambda + 2 * j;
  if (d->real && fabs_ (a[1]) != fabs_ (b[1]))
    return fabs_ (a[1]) < fabs_ (b[1]) ? -1 : 1;
  if ((a[1] < 0) != (b[1] < 0))
    return a[1] < 0 ? 1 : -1;
  if (a[0] != b[0])
    return a[0] < b[0] ? -1 : 1;
  return i < j ? -1 : i > j;
}

static int
compare_imaginary (const void *x, const void *y, void *data)
{
  const order_data *d = data;
  const int64_t i = *(const int64_t *) x, j = *(const int64_t *) y;
  const real_t a = fabs_ (d->lambda[2 * i + 1]),
               b = fabs_ (d->lambda[2 * j + 1]);
  if (a != b)
    return a < b ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* The end of the group that begins at FIRST: neighbours in ORDER differ by at most TOL in
   the real part (PART 0) or |imaginary part| (PART 1).  */
static int64_t
group_end (const real_t *lambda, const int64_t *order, int64_t first,
           int64_t stop, int part, real_t tol)
{
  int64_t end = first + 1;
  while (end < stop)
    {
      real_t a = lambda[2 * order[end - 1] + part],
             b = lambda[2 * order[end] + part];
      if (part)
        {
          a = fabs_ (a);
          b = fabs_ (b);
        }
      if (! (b - a <= tol))
        break;
      end++;
    }
  return end;
}

static int
is_conjugate (int64_t n, const real_t *x, const real_t *y)
{
  for (int64_t i = 0; i < 2 * n; i += 2)
    if (x[i] != y[i] || x[i + 1] != -y[i + 1])
      return 0;
  return 1;
}

/* Join conjugate pairs of a real matrix.  If several pairs are equal, and ORDER, of COUNT
   elements, has all positive imaginary parts before the negative ones, put the members of
   each pair next to each other; columns of V, unless it is NULL, are conjugate for a pair.
   SPARE: COUNT integers.  */
static void
join_pairs (int64_t n, const real_t *lambda, const real_t *v, int64_t count,
            int64_t *order, int64_t *spare)
{
  for (int64_t first = 0, end; first < count; first = end)
    {
      const real_t size = fabs_ (lambda[2 * order[first] + 1]);
      for (end = first + 1; end < count; end++)
        if (fabs_ (lambda[2 * order[end] + 1]) != size)
          break;
      const int64_t half = (end - first) / 2;
      if (size == 0 || half < 2 || 2 * half != end - first)
        continue;
      memcpy (spare, order + first, (size_t) (2 * half) * sizeof *order);
      for (int64_t k = 0; k < half; k++)
        {
          int64_t *const negative = spare + half + k;
          int64_t other = 0;
          while (v && other < half - k
                 && ! is_conjugate (n, v + 2 * n * spare[k],
                                    v + 2 * n * negative[other]))
            other++;
          order[first + 2 * k] = spare[k];
          if (other < half - k)
            {
              const int64_t partner = negative[other];
              negative[other] = *negative;
              *negative = partner;
            }
          order[first + 2 * k + 1] = *negative;
        }
    }
}

/* Nonzero if no group but those of conjugate pairs has two elements, and all are in order, as
   a GPU returns them.  */
static int
is_in_order (const real_t *lambda, int64_t n, real_t tol)
{
  const real_t *x = lambda;
  for (int64_t j = 0; j + 1 < n; j++, x += 2)
    if (! (x[2] - x[0] > tol) && ! (x[2] == x[0] && x[1] > 0 && x[3] == -x[1]))
      return 0;
  return 1;
}

void
FN (ge_order_page) (int64_t n, int real, real_t *lambda, real_t *v, real_t *w,
                    int64_t *order, void *column)
{
  order_data d = { lambda, real };
  real_t most = 0;
  int moved = 0;
  for (int64_t j = 0; j < n; j++)
    {
      most = fmax_ (most, fabs_ (lambda[2 * j]) + fabs_ (lambda[2 * j + 1]));
      order[j] = j;
    }
  const real_t tol = 8 * sqrt_ ((real_t) n) * GE_EPS * most;
  if (is_in_order (lambda, n, tol))
    return;
  ge_sort_with (order, (size_t) n, sizeof *order, compare_exactly, &d);
  for (int64_t j = 0, end; j < n; j = end)
    {
      end = group_end (lambda, order, j, n, 0, tol);
      if (! real && end - j > 1)
        ge_sort_with (order + j, (size_t) (end - j), sizeof *order,
                      compare_imaginary, &d);
      for (int64_t k = j, last; k < end; k = last)
        {
          last = real ? end : group_end (lambda, order, k, end, 1, tol);
          if (last - k > 1)
            ge_sort_with (order + k, (size_t) (last - k), sizeof *order,
                          compare_in_group, &d);
        }
      if (real)
        join_pairs (n, lambda, v ? v : w, end - j, order + j, order + n);
      for (int64_t k = j; k < end; k++)
        moved |= order[k] != k;
    }
  if (! moved)
    return;
  const size_t pair = 2 * sizeof (real_t);
  real_t *const part[] = { v, w, lambda };
  for (int i = 0; i < 3; i++)
    if (part[i])
      {
        /* The permutation is used up.  */
        memcpy (order + n, order, (size_t) n * sizeof *order);
        ge_permute_columns (n, i < 2 ? (size_t) n * pair : pair, part[i],
                            order + n, column);
      }
}

#else
typedef int ge_order_is_complex_only;
#endif
