/* Passes over a matrix: largest element, symmetry.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/checks.h"
#include "base/solver.h"
#include "base/scalar.h"

enum
{
  TILE = 32, /* order of tiles, whose transposed access stays in cache */
  PARTS = 64 /* pieces of a maximum */
};

/* --- largest element --- */

typedef struct
{
  const real_t *r;
  int64_t reals;
  real_t largest[PARTS];
} maximum;

/* The largest modulus of COUNT numbers, NaN if one of them is not finite: x - x is 0 for
   finite x only, and NaN survives every sum.  */
GE_CLONES_OF (VECTOR, static, real_t, largest_modulus,
              (const real_t *r, int64_t count), (r, count))
{
  real_t most = 0, zeros = 0;
#pragma omp simd reduction(max : most) reduction(+ : zeros)
  for (int64_t k = 0; k < count; k++)
    {
      const real_t size = fabs_ (r[k]);
      most = size > most ? size : most;
      zeros += r[k] - r[k];
    }
  return most + zeros;
}

static void
largest_in_part (void *data, int64_t part, int thread)
{
  maximum *m = data;
  const int64_t from = m->reals * part / PARTS;
  const int64_t to = m->reals * (part + 1) / PARTS;
  (void) thread;
  m->largest[part] = largest_modulus (m->r + from, to - from);
}

real_t
FN (ge_largest_part) (gpueig_context *ctx, int64_t count, const scalar_t *a)
{
  maximum m = { .r = (const real_t *) a, .reals = count * (1 + GE_COMPLEX) };
  const double operations = 0.5 * (double) m.reals;
  if (ge_threads_for (operations, PARTS) == 1)
    return largest_modulus (m.r, m.reals);
  ge_share_pass (ctx, PARTS, operations, largest_in_part, &m);
  for (int part = 1; part < PARTS; part++)
    m.largest[0] = larger_ (m.largest[0], m.largest[part]);
  return m.largest[0];
}

int
FN (ge_largest_exponent) (gpueig_context *ctx, int64_t count, const void *x)
{
  const real_t most = FN (ge_largest_part) (ctx, count, x);
  return most > 0 ? ilogb ((double) most) : most == 0 ? 0 : GE_NOT_FINITE;
}

/* --- symmetry --- */

static int
tile_is_symmetric (const scalar_t *a, int64_t n, int64_t i0, int64_t j0)
{
  const int64_t j1 = j0 + TILE < n ? j0 + TILE : n;
  for (int64_t j = j0; j < j1; j++)
    {
      const int64_t i1 = i0 < j0 ? i0 + TILE : j + 1;
      for (int64_t i = i0; i < i1; i++)
        {
          const scalar_t x = a[i + n * j], y = a[j + n * i];
          /* x - x is 0 for finite x only.  */
          int same = re_ (x) == re_ (y) && re_ (x) - re_ (x) == 0;
#if GE_COMPLEX
          same &= im_ (x) == -im_ (y) && im_ (x) - im_ (x) == 0;
#endif
          if (! same)
            return 0;
        }
    }
  return 1;
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
