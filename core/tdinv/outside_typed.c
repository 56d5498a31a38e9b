/* Is there anything outside the three diagonals?  At the speed of memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "base/scalar.h"
#include "tdinv/tdinv.h"

#if ! GE_COMPLEX

/* Is any of COUNT numbers not zero?  NaN is not.  */
GE_CLONES static int
any (int64_t count, const real_t *x)
{
  int found = 0;
  for (int64_t i = 0; i < count; i++)
    found |= ! (x[i] == 0);
  return found;
}

/* The first of rows R0 to R1 (exclusive) of a column that is not zero, or
   -1.  */
static int64_t
first_in (const real_t *column, int64_t r0, int64_t r1)
{
  if (r0 >= r1 || ! any (r1 - r0, column + r0))
    return -1;
  while (column[r0] == 0)
    r0++;
  return r0;
}

/* PARTS is 1, or 2 for a complex matrix, whose rows are pairs of reals.  */
int64_t
FN (ge_outside_tridiagonal) (int64_t n, int parts, const void *matrix)
{
  const real_t *x = matrix;
  int64_t first = INT64_MAX;
#  pragma omp parallel for schedule(static) reduction(min : first) if (n > 700)
  for (int64_t j = 0; j < n; j++)
    {
      /* A thread's columns ascend: what it has found is its first.  */
      if (first != INT64_MAX)
        continue;
      const real_t *column = x + parts * n * j;
      int64_t i = first_in (column, 0, parts * (j - 1));
      if (i < 0)
        i = first_in (column, parts * (j + 2), parts * n);
      if (i >= 0)
        first = i / parts + n * j;
    }
  return first == INT64_MAX ? -1 : first;
}

#endif
