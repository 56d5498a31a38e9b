/* One pass over a matrix: finite? symmetric? how large?
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "base/scalar.h"

/* Tiles keep the transposed walk in cache.  */
enum
{
  TILE = 32
};

/* Arrays from here on are checked by all threads.  */
#define PARALLEL_FROM 200000

/* x - x is 0 for finite x and NaN otherwise; NaN survives every sum.  */
int64_t
FN (ge_find_nonfinite) (const void *x, int64_t count)
{
  const real_t *r = x;
  int64_t reals = count * (1 + GE_COMPLEX), found = reals;
  const int64_t block = 4096;
#pragma omp parallel for reduction(min : found) if (reals > PARALLEL_FROM)
  for (int64_t start = 0; start < reals; start += block)
    {
      int64_t stop = start + block < reals ? start + block : reals;
      real_t sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = start; i < stop; i++)
        sum += r[i] - r[i];
      if (sum == 0)
        continue;
      for (int64_t i = start; i < stop && i < found; i++)
        if (! isfinite (r[i]))
          found = i;
    }
  return found == reals ? -1 : found / (1 + GE_COMPLEX);
}

/* The largest modulus of a real or imaginary part of COUNT finite numbers.  */
real_t
FN (ge_largest_part) (int64_t count, const scalar_t *a)
{
  const real_t *r = (const real_t *) a;
  const int64_t reals = count * (1 + GE_COMPLEX), block = 4096;
  real_t largest = 0;
#pragma omp parallel for reduction(max : largest) if (reals > PARALLEL_FROM)
  for (int64_t start = 0; start < reals; start += block)
    {
      const int64_t stop = start + block < reals ? start + block : reals;
      /* Side by side: compilers do not reorder a maximum themselves.  */
      real_t most[8] = { 0 };
      int64_t i = start;
      for (; i + 8 <= stop; i += 8)
        for (int x = 0; x < 8; x++)
          most[x] = fabs_ (r[i + x]) > most[x] ? fabs_ (r[i + x]) : most[x];
      for (; i < stop; i++)
        most[0] = fabs_ (r[i]) > most[0] ? fabs_ (r[i]) : most[0];
      for (int x = 0; x < 8; x++)
        largest = most[x] > largest ? most[x] : largest;
    }
  return largest;
}

static int
tile_is_symmetric (const scalar_t *a, int64_t n, int64_t i0, int64_t j0)
{
  int64_t i1 = i0 + TILE < n ? i0 + TILE : n;
  int64_t j1 = j0 + TILE < n ? j0 + TILE : n;
  int same = 1;
  for (int64_t j = j0; j < j1; j++)
    for (int64_t i = i0; i < i1; i++)
      {
        scalar_t x = a[i + n * j], y = a[j + n * i];
        same &= re_ (x) == re_ (y);
#if GE_COMPLEX
        same &= im_ (x) == -im_ (y);
#endif
      }
  return same;
}

int
FN (ge_is_symmetric) (const void *data, int64_t n)
{
  const scalar_t *a = data;
  int same = 1;
#pragma omp parallel for schedule(dynamic) if (n * n > PARALLEL_FROM)
  for (int64_t j0 = 0; j0 < n; j0 += TILE)
    for (int64_t i0 = 0; i0 <= j0; i0 += TILE)
      {
        int go_on;
#pragma omp atomic read
        go_on = same;
        if (! go_on)
          break;
        if (! tile_is_symmetric (a, n, i0, j0))
          {
#pragma omp atomic write
            same = 0;
          }
      }
  return same;
}
