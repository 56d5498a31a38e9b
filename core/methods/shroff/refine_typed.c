/* Refinement of approximate eigenpairs with the original matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One Newton step for all pairs at once.  With R = A V - V D and X = V^-1 R,

       lambda_j += x_jj,   v_j += sum over i != j of v_i x_ij / (lambda_j - lambda_i)

   squares the error (for symmetric matrices, where V^-1 = V': T. Ogita and K. Aishima,
   JJIAM 35 (2018)).  R is small, so X needs few correct digits: the inverse of the first V
   serves all steps.  Corrections that are not small against the distance of the two
   eigenvalues are omitted, and a step that does not lower the residual is undone.  */

#include "base/scalar.h"

#if GE_COMPLEX

#  include "shroff/lanes.h"

#  include <string.h>

/* Ratios below this need no refinement; those of LAPACK are 0.1 to 1.  */
#  define GOOD ((real_t) 0.3)
#  define MAX_STEPS 3

/* TO += SIGN F X for the N elements of one column; F has one number per lane.  */
INLINE void
add_column (const int L, int64_t n, real_t sign, const real_t *f,
            const real_t *restrict x, real_t *restrict to)
{
  for (int64_t i = 0; i < n; i++)
#  pragma omp simd
    for (int k = 0; k < L; k++)
      {
        const int64_t re = 2 * i * L + k, im = re + L;
        const real_t fr = sign * f[k], fi = sign * f[L + k];
        to[re] = fma_ (x[re], fr, fma_ (-x[im], fi, to[re]));
        to[im] = fma_ (x[re], fi, fma_ (x[im], fr, to[im]));
      }
}

/* C += X Y.  */
INLINE void
multiply (ge_lanes *s, const int L, const real_t *restrict x,
          const real_t *restrict y, real_t *restrict c)
{
  const int64_t n = s->n, column = 2 * s->ld * L;
  for (int64_t j = 0; j < n && ! ge_lanes_stop (s); j++)
    for (int64_t k = 0; k < n; k++)
      add_column (L, n, 1, y + j * column + 2 * k * L, x + k * column,
                  c + j * column);
}

static void
clear (const ge_lanes *s, real_t *x)
{
  memset (x, 0, (size_t) (2 * s->n * s->ld * s->lanes) * sizeof *x);
}

/* Sums of moduli in a column: the larger of this and MOST becomes MOST.  */
INLINE void
find_largest (const int L, int64_t n, const real_t *x, real_t *most)
{
  real_t sum[GE_LANES] = { 0 };
  for (int64_t i = 0; i < n; i++)
#  pragma omp simd
    for (int k = 0; k < L; k++)
      {
        const real_t re = x[2 * i * L + k], im = x[(2 * i + 1) * L + k];
        sum[k] += sqrt_ (re * re + im * im);
      }
  for (int k = 0; k < L; k++)
    most[k] = larger_ (sum[k], most[k]);
}

/* Scale the columns of X to 2-norm 1; A = A0 X - X D and its RATIO.  */
INLINE void
find_residual (ge_lanes *s, const int L, real_t *x, real_t *ratio)
{
  const int64_t n = s->n, column = 2 * s->ld * L;
  real_t worst[GE_LANES] = { 0 };
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum[GE_LANES] = { 0 };
      real_t *y = x + j * column;
      for (int64_t i = 0; i < 2 * n; i++)
        for (int k = 0; k < L; k++)
          sum[k] += y[i * L + k] * y[i * L + k];
      for (int k = 0; k < L; k++)
        sum[k] = 1 / sqrt_ (sum[k] > 0 ? sum[k] : 1);
      for (int64_t i = 0; i < 2 * n; i++)
        for (int k = 0; k < L; k++)
          y[i * L + k] *= sum[k];
    }
  clear (s, s->a);
  multiply (s, L, s->a0, x, s->a);
  for (int64_t j = 0; j < n; j++)
    {
      add_column (L, n, -1, s->lambda + 2 * j * L, x + j * column,
                  s->a + j * column);
      find_largest (L, n, s->a + j * column, worst);
    }
  for (int k = 0; k < L; k++)
    ratio[k]
        = worst[k] == 0 ? 0 : worst[k] / (s->norm[k] * GE_EPS * (real_t) n);
}

/* Swap, in each lane, row P of column X and the row of its number PIVOT.  */
INLINE void
swap_rows (const int L, int64_t p, const int64_t *pivot, real_t *x)
{
  for (int part = 0; part < 2; part++)
    for (int k = 0; k < L; k++)
      {
        real_t *a = x + (2 * p + part) * L + k;
        real_t *b = x + (2 * pivot[k] + part) * L + k;
        const real_t keep = *a;
        *a = *b;
        *b = keep;
      }
}

/* Find in each lane the row PIVOT of the largest element of column X from P on, and the
   inverse of that element; 0 for 0, so that corrections are omitted.  */
INLINE void
find_pivot (const int L, int64_t n, int64_t p, const real_t *x, int64_t *pivot,
            real_t *inverse)
{
  real_t best[GE_LANES];
  for (int k = 0; k < L; k++)
    {
      best[k] = -1;
      pivot[k] = p;
    }
  for (int64_t i = p; i < n; i++)
    for (int k = 0; k < L; k++)
      {
        const real_t re = x[2 * i * L + k], im = x[(2 * i + 1) * L + k];
        const real_t size = re * re + im * im;
        const int larger = size > best[k];
        best[k] = larger ? size : best[k];
        pivot[k] = larger ? i : pivot[k];
      }
  for (int k = 0; k < L; k++)
    {
      const real_t *at = x + 2 * pivot[k] * L + k;
      const real_t f = best[k] > GE_REAL_MIN ? 1 / best[k] : 0;
      inverse[k] = at[0] * f;
      inverse[L + k] = -at[L] * f;
    }
}

/* Y = X^-1 by Gauss-Jordan elimination with partial pivoting; Z is overwritten.  */
INLINE void
invert (ge_lanes *s, const int L, const real_t *x)
{
  const int64_t n = s->n, column = 2 * s->ld * L;
  int64_t pivot[GE_LANES];
  real_t inverse[2 * GE_LANES];
  memcpy (s->z, x, (size_t) (n * column) * sizeof *x);
  clear (s, s->y);
  for (int64_t p = 0; p < n; p++)
    for (int k = 0; k < L; k++)
      s->y[p * column + 2 * p * L + k] = 1;
  for (int64_t p = 0; p < n && ! ge_lanes_stop (s); p++)
    {
      real_t *factors = s->z + p * column;
      find_pivot (L, n, p, factors, pivot, inverse);
      swap_rows (L, p, pivot, factors);
      /* Row P of a column becomes f, and each other row loses f times its element of
         FACTORS: row P too, if that is less by 1.  */
      for (int k = 0; k < L; k++)
        factors[2 * p * L + k] -= 1;
      for (int64_t j = p + 1; j < 2 * n; j++)
        {
          real_t *to = (j < n ? s->z : s->y - n * column) + j * column;
          real_t f[2 * GE_LANES], *at = to + 2 * p * L;
          swap_rows (L, p, pivot, to);
          for (int k = 0; k < L; k++)
            {
              f[k] = at[k] * inverse[k] - at[L + k] * inverse[L + k];
              f[L + k] = at[k] * inverse[L + k] + at[L + k] * inverse[k];
            }
          add_column (L, n, -1, f, factors, to);
        }
    }
}

/* Overwrite X in Z by F, f_ij = x_ij / (lambda_j - lambda_i), 0 where that is not small
   and on the diagonal.  */
INLINE void
divide_by_gaps (ge_lanes *s, const int L)
{
  const int64_t n = s->n, ld = s->ld;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        const real_t *to = s->lambda + 2 * j * L, *from = s->lambda + 2 * i * L;
        real_t *f = s->z + 2 * (i + ld * j) * L;
#  pragma omp simd
        for (int k = 0; k < L; k++)
          {
            const real_t gr = to[k] - from[k], gi = to[L + k] - from[L + k];
            const real_t xr = f[k], xi = f[L + k];
            const real_t gap = gr * gr + gi * gi, size = xr * xr + xi * xi;
            /* NaN fails the comparisons; 1 / gap must not overflow */
            const real_t use
                = i != j && gap > GE_REAL_MIN && size * 16 < gap ? 1 : 0;
            const real_t d = use / (use > 0 ? gap : 1);
            f[k] = use > 0 ? (xr * gr + xi * gi) * d : 0;
            f[L + k] = use > 0 ? (xi * gr - xr * gi) * d : 0;
          }
      }
}

/* TO = FROM, of COUNT numbers, in the lanes where MOVES is not 0.  */
INLINE void
move_lanes (const int L, int64_t count, const int *moves, const real_t *from,
            real_t *restrict to)
{
  for (int64_t i = 0; i < 2 * count; i++)
#  pragma omp simd
    for (int k = 0; k < L; k++)
      to[i * L + k] = moves[k] ? from[i * L + k] : to[i * L + k];
}

/* Newton's method for the vectors X of A0 and, unless FIXED, for the eigenvalues.  Y becomes
   the inverse of the X given.  */
INLINE void
improve (ge_lanes *s, const int L, int fixed, real_t *x)
{
  const int64_t n = s->n, ld = s->ld, size = 2 * n * ld * L;
  real_t now[GE_LANES], *ratio = s->ratio[fixed];
  int wants[GE_LANES], better[GE_LANES], worse[GE_LANES], any = 0;
  find_residual (s, L, x, ratio);
  invert (s, L, x);
  for (int k = 0; k < L; k++)
    any |= wants[k] = ratio[k] > GOOD;
  /* A lane that needs no step is not changed by the steps of others.  */
  for (int step = 0; step < MAX_STEPS && any; step++)
    {
      clear (s, s->z);
      multiply (s, L, s->y, s->a, s->z);
      memcpy (s->old, s->lambda, (size_t) (2 * n * L) * sizeof *x);
      for (int64_t j = 0; j < n && ! fixed; j++)
        for (int k = 0; k < 2 * L; k++)
          s->lambda[2 * j * L + k] += s->z[2 * (ld + 1) * j * L + k];
      divide_by_gaps (s, L);
      memcpy (s->next, x, (size_t) size * sizeof *x);
      multiply (s, L, x, s->z, s->next);
      find_residual (s, L, s->next, now);
      any = 0;
      for (int k = 0; k < L; k++)
        {
          better[k] = wants[k] && now[k] < ratio[k];
          worse[k] = ! better[k];
          any |= wants[k] = better[k] && now[k] > GOOD && now[k] < ratio[k] / 4;
          ratio[k] = better[k] ? now[k] : ratio[k];
        }
      move_lanes (L, n * ld, better, s->next, x);
      move_lanes (L, n, worse, s->old, s->lambda);
    }
}

/* TO = FROM'.  */
INLINE void
adjoint (const int L, int64_t n, int64_t ld, const real_t *from, real_t *to)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      for (int k = 0; k < L; k++)
        {
          to[2 * (j + ld * i) * L + k] = from[2 * (i + ld * j) * L + k];
          to[(2 * (j + ld * i) + 1) * L + k]
              = -from[(2 * (i + ld * j) + 1) * L + k];
        }
}

INLINE void
conjugate (const int L, int64_t n, real_t *lambda)
{
  for (int64_t j = 0; j < n; j++)
    for (int k = 0; k < L; k++)
      lambda[(2 * j + 1) * L + k] *= -1;
}

/* Refine left vectors, those of A0', from W' = V^-1; the eigenvalues do not change.  */
INLINE void
refine (ge_lanes *s, const int L)
{
  const int64_t n = s->n, column = 2 * s->ld * L;
  memset (s->norm, 0, sizeof s->norm);
  for (int64_t j = 0; j < n; j++)
    {
      find_largest (L, n, s->a0 + j * column, s->norm);
      for (int k = 0; k < 2 * L; k++)
        s->lambda[2 * j * L + k] = s->a[j * column + 2 * j * L + k];
    }
  for (int left = 0; left < (s->w ? 2 : 1); left++)
    {
      if (left)
        {
          adjoint (L, n, s->ld, s->y, s->w);
          adjoint (L, n, s->ld, s->a0, s->z);
          memcpy (s->a0, s->z, (size_t) (n * column) * sizeof *s->z);
          conjugate (L, n, s->lambda);
        }
      improve (s, L, left, left ? s->w : s->v);
    }
  if (s->w)
    conjugate (L, n, s->lambda);
}

GE_CLONES (FUSED, extern, void, FN (ge_refine), (ge_lanes * s), (s))
{
  if (s->lanes == 1)
    refine (s, 1);
  else
    refine (s, GE_LANES);
}

#else
typedef int ge_refine_is_complex_only;
#endif
