/* Passes over a matrix: first non-finite element, largest element, symmetry.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/checks.h"
#include "base/solver.h"
#include "base/scalar.h"

#include <stdatomic.h>

enum
{
  TILE = 32,    /* order of tiles, whose transposed access stays in cache */
  BLOCK = 4096, /* reals that are tested by one sum */
  PIECE = 16 * BLOCK,   /* reals of a piece */
  SHARED_FROM = 200000, /* reals from which on all threads are used */
  PARTS = 64            /* pieces of a maximum */
};

/* --- finite elements --- */

typedef struct
{
  const real_t *r;
  int64_t reals;
  atomic_int_fast64_t found;
} search;

/* 0 if COUNT numbers are finite: x - x is 0 then and NaN otherwise, and NaN survives every
   sum.  */
GE_CLONES static real_t
sum_of_zeros (const real_t *r, int64_t count)
{
  real_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t k = 0; k < count; k++)
    sum += r[k] - r[k];
  return sum;
}

static void
search_piece (void *data, int64_t i, int thread)
{
  search *s = data;
  const real_t *r = s->r;
  const int64_t end = (i + 1) * PIECE < s->reals ? (i + 1) * PIECE : s->reals;
  (void) thread;
  for (int64_t start = i * PIECE; start < end; start += BLOCK)
    {
      const int64_t stop = start + BLOCK < end ? start + BLOCK : end;
      if (sum_of_zeros (r + start, stop - start) == 0)
        continue;
      int64_t at = start;
      while (isfinite (r[at]))
        at++;
      int64_t found = s->found;
      while (at < found
             && ! atomic_compare_exchange_weak (&s->found, &found, at))
        ;
      return;
    }
}

int64_t
FN (ge_find_nonfinite) (gpueig_context *ctx, const void *x, int64_t count)
{
  const int64_t reals = count * (1 + GE_COMPLEX);
  search s = { x, reals, reals };
  ge_share_pass (ctx, (reals + PIECE - 1) / PIECE, reals > SHARED_FROM,
                 search_piece, &s);
  return s.found == reals ? -1 : s.found / (1 + GE_COMPLEX);
}

/* --- largest element --- */

typedef struct
{
  const real_t *r;
  int64_t reals;
  real_t largest[PARTS];
} maximum;

static void
largest_in_part (void *data, int64_t part, int thread)
{
  maximum *m = data;
  const real_t *r = m->r;
  /* Eight independent maxima: compilers do not reassociate a maximum.  */
  real_t most[8] = { 0 };
  int64_t i = m->reals * part / PARTS;
  const int64_t stop = m->reals * (part + 1) / PARTS;
  (void) thread;
  for (; i + 8 <= stop; i += 8)
    for (int x = 0; x < 8; x++)
      most[x] = fabs_ (r[i + x]) > most[x] ? fabs_ (r[i + x]) : most[x];
  for (; i < stop; i++)
    most[0] = fabs_ (r[i]) > most[0] ? fabs_ (r[i]) : most[0];
  for (int x = 1; x < 8; x++)
    most[0] = most[x] > most[0] ? most[x] : most[0];
  m->largest[part] = most[0];
}

real_t
FN (ge_largest_part) (gpueig_context *ctx, int64_t count, const scalar_t *a)
{
  maximum m = { .r = (const real_t *) a, .reals = count * (1 + GE_COMPLEX) };
  ge_share_pass (ctx, PARTS, m.reals > SHARED_FROM, largest_in_part, &m);
  for (int part = 1; part < PARTS; part++)
    if (m.largest[part] > m.largest[0])
      m.largest[0] = m.largest[part];
  return m.largest[0];
}

/* --- symmetry --- */

static int
tile_is_symmetric (const scalar_t *a, int64_t n, int64_t i0, int64_t j0)
{
  int64_t i1 = i0 + TILE < n ? i0 + TILE : n;
  int64_t j1 = j0 + TILE < n ? j0 + TILE : n;
  int same = 1;
  for (int64_t j = j0; j < j1 && same; j++)
    for (int64_t i = i0; i < i1; i++)
      {
        scalar_t x = a[i + n * j], y = a[j + n * i];
        /* x - x is 0 for finite x only.  */
        same &= re_ (x) == re_ (y) && re_ (x) - re_ (x) == 0;
#if GE_COMPLEX
        same &= im_ (x) == -im_ (y) && im_ (x) - im_ (x) == 0;
#endif
      }
  return same;
}

/* Compare the tiles on and above the diagonal in the columns from J0 on with the
   conjugate transposes of their mirror images; nonzero if all are equal and finite.  */
int
FN (ge_strip_is_symmetric) (const void *data, int64_t n, int64_t j0)
{
  const scalar_t *a = data;
  for (int64_t i0 = 0; i0 <= j0; i0 += TILE)
    if (! tile_is_symmetric (a, n, i0, j0))
      return 0;
  return 1;
}
