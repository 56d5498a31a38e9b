/* Search for nonzero elements outside the three diagonals; memory bound.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "base/scalar.h"
#include "tdinv/tdinv.h"

#include <stdatomic.h>

#if ! GE_COMPLEX

/* Nonzero if any of COUNT numbers is not zero (NaN included).  */
GE_CLONES_OF (VECTOR, static, int, any, (int64_t count, const real_t *x),
              (count, x))
{
  int found = 0;
  for (int64_t i = 0; i < count; i++)
    found |= ! (x[i] == 0);
  return found;
}

/* The first nonzero element among rows R0 .. R1 - 1 of a column, or -1.  */
static int64_t
first_in (const real_t *column, int64_t r0, int64_t r1)
{
  if (r0 >= r1 || ! any (r1 - r0, column + r0))
    return -1;
  while (column[r0] == 0)
    r0++;
  return r0;
}

enum
{
  COLUMNS = 64 /* of a piece */
};

typedef struct
{
  const real_t *x;
  int64_t n, parts;
  atomic_int_fast64_t first;
} search;

static void
search_piece (void *data, int64_t piece, int thread)
{
  search *s = data;
  const int64_t n = s->n, parts = s->parts, begin = piece * COLUMNS;
  (void) thread;
  for (int64_t j = begin; j < begin + COLUMNS && j < n; j++)
    {
      int64_t found = s->first;
      if (found < n * j)
        return;
      const real_t *column = s->x + parts * n * j;
      int64_t i = first_in (column, 0, parts * (j - 1));
      if (i < 0)
        i = first_in (column, parts * (j + 2), parts * n);
      if (i < 0)
        continue;
      i = i / parts + n * j;
      while (i < found && ! atomic_compare_exchange_weak (&s->first, &found, i))
        ;
      return;
    }
}

/* PARTS is 1, or 2 for a complex matrix, whose rows are pairs of reals.  */
int64_t
FN (ge_outside_tridiagonal) (gpueig_context *ctx, int64_t n, int parts,
                             const void *matrix)
{
  search s = { .x = matrix, .n = n, .parts = parts, .first = INT64_MAX };
  ge_share_pass (ctx, (n + COLUMNS - 1) / COLUMNS, 0.2 * (double) (n * n),
                 search_piece, &s);
  return s.first == INT64_MAX ? -1 : s.first;
}

#endif
