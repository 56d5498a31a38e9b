/* Refinement of approximate eigenpairs with the original matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One Newton step for all pairs at once.  With R = A V - V D and X = V^-1 R,

       lambda_j += x_jj,   v_j += sum over i != j of v_i x_ij / (lambda_j - lambda_i)

   squares the error (for symmetric matrices, where V^-1 = V': T. Ogita and K. Aishima,
   JJIAM 35 (2018)).  R is small, so X needs few correct digits and Gaussian elimination
   with V is accurate enough.  Corrections that are not small against the distance of
   the two eigenvalues are omitted, and a step that does not lower the residual is
   undone.  */

#include "base/scalar.h"

#if GE_COMPLEX

#  include "shroff/refine.h"

#  include <string.h>

/* Ratios below this need no refinement; those of LAPACK are 0.1 to 1.  */
#  define GOOD ((real_t) 0.3)
#  define MAX_STEPS 3

char *
FN (ge_refine_lay_out) (ge_refine *s, int n, int lanes, int left, char *at)
{
  const int64_t reals = 2 * (int64_t) n * lanes;
  const size_t size = sizeof (real_t);
  memset (s, 0, sizeof *s);
  s->n = n;
  s->lanes = lanes;
  s->left = left;
  s->a = ge_take (&at, n * reals, size);
  s->v = ge_take (&at, n * reals, size);
  s->r = ge_take (&at, n * reals, size);
  s->lu = ge_take (&at, n * reals, size);
  s->old = ge_take (&at, n * reals, size);
  if (left)
    s->y = ge_take (&at, n * reals, size);
  s->lambda = ge_take (&at, reals, size);
  s->old_lambda = ge_take (&at, reals, size);
  return at;
}

/* to(i) += SIGN x(i) f for the rows i >= FIRST of one column; f has one number per
   lane.  */
INLINE void
add_column (int64_t first, int64_t n, const int L, real_t sign,
            const real_t *f_re, const real_t *f_im, const real_t *restrict x_re,
            const real_t *restrict x_im, real_t *restrict to_re,
            real_t *restrict to_im)
{
  for (int64_t i = first; i < n; i++)
#  pragma omp simd
    for (int x = 0; x < L; x++)
      {
        const int64_t at = i * L + x;
        const real_t fr = sign * f_re[x], fi = sign * f_im[x];
        to_re[at] = fma_ (x_re[at], fr, fma_ (-x_im[at], fi, to_re[at]));
        to_im[at] = fma_ (x_re[at], fi, fma_ (x_im[at], fr, to_im[at]));
      }
}

/* NAME (L, ...), as NAME_of, but not inlined: what has several callers would take the
   compiler long.  */
#  define OPEN(...) __VA_ARGS__
#  define ONCE(name, parameters, arguments)                                    \
    CLONES static void name##_lanes parameters                                 \
    {                                                                          \
      name##_of (GE_LANES, OPEN arguments);                                    \
    }                                                                          \
    CLONES static void name##_one parameters                                   \
    {                                                                          \
      name##_of (1, OPEN arguments);                                           \
    }                                                                          \
    INLINE void name (const int L, OPEN parameters)                            \
    {                                                                          \
      (L == 1 ? name##_one : name##_lanes) arguments;                          \
    }

/* C = X Y, all n-by-n.  */
INLINE void
multiply (const int L, int64_t n, ge_stop *stop, const real_t *restrict x,
          const real_t *restrict y, real_t *restrict c)
{
  const int64_t plane = n * n * L, column = n * L;
  memset (c, 0, (size_t) (2 * plane) * sizeof *c);
  for (int64_t j = 0; j < n && ! ge_stops (stop); j++)
    for (int64_t k = 0; k < n; k++)
      add_column (0, n, L, 1, y + (k + n * j) * L, y + plane + (k + n * j) * L,
                  x + k * column, x + plane + k * column, c + j * column,
                  c + plane + j * column);
}

/* R = A V - V D and its ratio.  */
INLINE void
residual_of (const int L, ge_refine *s)
{
  const int64_t n = s->n, plane = n * n * L, column = n * L;
  real_t worst[GE_LANES] = { 0 };
  multiply (L, n, s->stop, s->a, s->v, s->r);
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum[GE_LANES] = { 0 };
      add_column (0, n, L, -1, s->lambda + j * L, s->lambda + (n + j) * L,
                  s->v + j * column, s->v + plane + j * column,
                  s->r + j * column, s->r + plane + j * column);
      for (int64_t i = 0; i < n; i++)
#  pragma omp simd
        for (int x = 0; x < L; x++)
          {
            const real_t re = s->r[j * column + i * L + x];
            const real_t im = s->r[plane + j * column + i * L + x];
            sum[x] += sqrt_ (re * re + im * im);
          }
      for (int x = 0; x < L; x++)
        worst[x] = larger_ (sum[x], worst[x]);
    }
  for (int x = 0; x < L; x++)
    s->ratio[x] = worst[x] == 0 ? 0 : worst[x] / (s->norm[x] * GE_EPS * n);
}

ONCE (residual, (ge_refine * s), (s))

/* Swap rows K and PIVOT[x] of each lane x in columns FIRST .. COLUMNS - 1.  */
INLINE void
swap_rows (int64_t n, int64_t columns, const int L, int64_t first, int64_t k,
           const int64_t *pivot, real_t *a)
{
  const int64_t plane = n * columns * L;
  for (int64_t j = first; j < columns; j++)
    for (int x = 0; x < L; x++)
      {
        const int64_t at = (k + n * j) * L + x;
        const int64_t with = (pivot[x] + n * j) * L + x;
        real_t re = a[at], im = a[plane + at];
        a[at] = a[with];
        a[plane + at] = a[plane + with];
        a[with] = re;
        a[plane + with] = im;
      }
}

/* Row of the largest element of column K on and below the diagonal.  */
INLINE void
find_pivot (int64_t n, const int L, int64_t k, const real_t *a, int64_t *pivot)
{
  const int64_t plane = n * n * L;
  real_t best[GE_LANES];
  for (int x = 0; x < L; x++)
    {
      best[x] = -1;
      pivot[x] = k;
    }
  for (int64_t i = k; i < n; i++)
    for (int x = 0; x < L; x++)
      {
        const real_t re = a[(i + n * k) * L + x];
        const real_t im = a[plane + (i + n * k) * L + x];
        const real_t size = re * re + im * im;
        const int larger = size > best[x];
        best[x] = larger ? size : best[x];
        pivot[x] = larger ? i : pivot[x];
      }
}

/* 1 / z per lane; 0 for z = 0, so that the correction is omitted.  */
INLINE void
reciprocal (const int L, const real_t *re, const real_t *im, real_t *out_re,
            real_t *out_im)
{
  for (int x = 0; x < L; x++)
    {
      const real_t d = re[x] * re[x] + im[x] * im[x];
      const real_t f = (d > GE_REAL_MIN ? 1 : 0) / (d > GE_REAL_MIN ? d : 1);
      out_re[x] = re[x] * f;
      out_im[x] = -im[x] * f;
    }
}

/* B <- LU^-1 B, n-by-COLUMNS, by Gaussian elimination with partial pivoting; LU
   holds the matrix and is overwritten.  */
INLINE void
solve_of (const int L, int64_t n, int64_t columns, ge_stop *stop,
          real_t *restrict lu, real_t *restrict b)
{
  const int64_t plane = n * n * L, column = n * L, b_plane = columns * column;
  int64_t pivot[GE_LANES];
  real_t p_re[GE_LANES], p_im[GE_LANES];
  for (int64_t k = 0; k < n && ! ge_stops (stop); k++)
    {
      find_pivot (n, L, k, lu, pivot);
      swap_rows (n, n, L, k, k, pivot, lu);
      swap_rows (n, columns, L, 0, k, pivot, b);
      real_t *l_re = lu + k * column, *l_im = l_re + plane;
      reciprocal (L, l_re + k * L, l_im + k * L, p_re, p_im);
      for (int64_t i = k + 1; i < n; i++)
#  pragma omp simd
        for (int x = 0; x < L; x++)
          {
            const real_t re = l_re[i * L + x], im = l_im[i * L + x];
            l_re[i * L + x] = re * p_re[x] - im * p_im[x];
            l_im[i * L + x] = re * p_im[x] + im * p_re[x];
          }
      for (int64_t j = k + 1; j < n; j++)
        {
          real_t *to = lu + j * column;
          add_column (k + 1, n, L, -1, to + k * L, to + plane + k * L, l_re,
                      l_im, to, to + plane);
        }
      for (int64_t j = 0; j < columns; j++)
        {
          real_t *to = b + j * column;
          add_column (k + 1, n, L, -1, to + k * L, to + b_plane + k * L, l_re,
                      l_im, to, to + b_plane);
        }
    }
  for (int64_t k = n - 1; k >= 0 && ! ge_stops (stop); k--)
    {
      const real_t *u_re = lu + k * column, *u_im = u_re + plane;
      reciprocal (L, u_re + k * L, u_im + k * L, p_re, p_im);
      for (int64_t j = 0; j < columns; j++)
        {
          real_t *re = b + j * column, *im = re + b_plane;
          for (int x = 0; x < L; x++)
            {
              const real_t yr = re[k * L + x], yi = im[k * L + x];
              re[k * L + x] = yr * p_re[x] - yi * p_im[x];
              im[k * L + x] = yr * p_im[x] + yi * p_re[x];
            }
          add_column (0, k, L, -1, re + k * L, im + k * L, u_re, u_im, re, im);
        }
    }
}

ONCE (solve, (int64_t n, int64_t columns, ge_stop *stop, real_t *lu, real_t *b),
      (n, columns, stop, lu, b))

/* Overwrite X by F, f_ij = x_ij / (lambda_j - lambda_i), 0 where that is not small
   and on the diagonal.  */
INLINE void
divide_by_gaps (ge_refine *s, const int L, real_t *f)
{
  const int64_t n = s->n, plane = n * n * L;
  const real_t *re = s->lambda, *im = s->lambda + n * L;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
#  pragma omp simd
      for (int x = 0; x < L; x++)
        {
          const int64_t at = (i + n * j) * L + x;
          const real_t gr = re[j * L + x] - re[i * L + x];
          const real_t gi = im[j * L + x] - im[i * L + x];
          const real_t xr = f[at], xi = f[plane + at];
          const real_t gap = gr * gr + gi * gi, size = xr * xr + xi * xi;
          /* NaN fails the comparisons; 1 / gap must not overflow */
          const real_t use
              = i != j && gap > GE_REAL_MIN && size * 16 < gap ? 1 : 0;
          const real_t d = use / (use > 0 ? gap : 1);
          f[at] = use > 0 ? (xr * gr + xi * gi) * d : 0;
          f[plane + at] = use > 0 ? (xi * gr - xr * gi) * d : 0;
        }
}

/* Scale the columns of V to 2-norm 1.  */
INLINE void
normalize (int64_t n, const int L, real_t *v)
{
  const int64_t plane = n * n * L, column = n * L;
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum[GE_LANES] = { 0 };
      real_t *re = v + j * column, *im = re + plane;
      for (int64_t i = 0; i < n; i++)
        for (int x = 0; x < L; x++)
          sum[x]
              += re[i * L + x] * re[i * L + x] + im[i * L + x] * im[i * L + x];
      for (int x = 0; x < L; x++)
        sum[x] = 1 / sqrt_ (sum[x] > 0 ? sum[x] : 1);
      for (int64_t i = 0; i < n; i++)
        for (int x = 0; x < L; x++)
          {
            re[i * L + x] *= sum[x];
            im[i * L + x] *= sum[x];
          }
    }
}

/* Copy lane X of COUNT complex numbers, stored in two planes.  */
static void
copy_lane (int64_t count, int L, int x, const real_t *from, real_t *to)
{
  for (int64_t i = 0; i < 2 * count; i++)
    to[i * L + x] = from[i * L + x];
}

/* One step for V and lambda of the lanes with WANTS set; it is undone where the residual
   did not decrease.  On exit WANTS is set for lanes that need another step.  */
INLINE void
step_right (ge_refine *s, const int L, int *wants)
{
  const int64_t n = s->n, plane = n * n * L;
  real_t before[GE_LANES];
  memcpy (before, s->ratio, sizeof before);
  memcpy (s->old, s->v, (size_t) (2 * plane) * sizeof *s->v);
  memcpy (s->old_lambda, s->lambda, (size_t) (2 * n * L) * sizeof *s->v);
  memcpy (s->lu, s->v, (size_t) (2 * plane) * sizeof *s->v);
  solve (L, n, n, s->stop, s->lu, s->r);
  for (int64_t j = 0; j < n && ! s->fixed; j++)
    for (int x = 0; x < L; x++)
      {
        s->lambda[j * L + x] += s->r[(j + n * j) * L + x];
        s->lambda[(n + j) * L + x] += s->r[plane + (j + n * j) * L + x];
      }
  divide_by_gaps (s, L, s->r);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      add_column (0, n, L, 1, s->r + (i + n * j) * L,
                  s->r + plane + (i + n * j) * L, s->old + i * n * L,
                  s->old + plane + i * n * L, s->v + j * n * L,
                  s->v + plane + j * n * L);
  normalize (n, L, s->v);
  residual (L, s);
  for (int x = 0; x < L; x++)
    {
      const int better = wants[x] && s->ratio[x] < before[x];
      if (! better)
        {
          copy_lane (n * n, L, x, s->old, s->v);
          copy_lane (n, L, x, s->old_lambda, s->lambda);
          s->ratio[x] = before[x];
        }
      wants[x] = better && s->ratio[x] > GOOD && s->ratio[x] < before[x] / 4;
    }
}

/* Nonzero if WANTS is set for any lane.  (Results of a lane do not depend on this.)  */
INLINE int
any_lane (const int L, const int *wants)
{
  int any = 0;
  for (int x = 0; x < L; x++)
    any |= wants[x];
  return any;
}

INLINE void
find_norm (ge_refine *s, const int L)
{
  const int64_t n = s->n, plane = n * n * L;
  for (int x = 0; x < L; x++)
    s->norm[x] = 0;
  for (int64_t j = 0; j < n; j++)
    {
      real_t sum[GE_LANES] = { 0 };
      for (int64_t i = 0; i < n; i++)
        for (int x = 0; x < L; x++)
          {
            const real_t re = s->a[(i + n * j) * L + x];
            const real_t im = s->a[plane + (i + n * j) * L + x];
            sum[x] += sqrt_ (re * re + im * im);
          }
      for (int x = 0; x < L; x++)
        s->norm[x] = sum[x] > s->norm[x] ? sum[x] : s->norm[x];
    }
}

/* Refine V and lambda; the ratio.  */
INLINE void
improve_of (const int L, ge_refine *s)
{
  int wants[GE_LANES];
  normalize (s->n, L, s->v);
  residual (L, s);
  for (int x = 0; x < L; x++)
    wants[x] = s->ratio[x] > GOOD;
  for (int step = 0; step < MAX_STEPS && any_lane (L, wants); step++)
    step_right (s, L, wants);
}

ONCE (improve, (ge_refine * s), (s))

/* TO = FROM', n-by-n.  */
static void
adjoint (int64_t n, int L, const real_t *from, real_t *to)
{
  const int64_t plane = n * n * L;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      for (int x = 0; x < L; x++)
        {
          to[(j + n * i) * L + x] = from[(i + n * j) * L + x];
          to[plane + (j + n * i) * L + x] = -from[plane + (i + n * j) * L + x];
        }
}

static void
conjugate (int64_t count, real_t *imaginary)
{
  for (int64_t i = 0; i < count; i++)
    imaginary[i] = -imaginary[i];
}

/* Y: the vectors of A', which takes the place of A, with Y' = V^-1 at first; the eigenvalues
   stay.  */
INLINE void
run_left (ge_refine *s, const int L)
{
  const int64_t n = s->n, plane = n * n * L;
  ge_refine left = *s;
  left.v = s->y;
  left.fixed = 1;
  memset (s->r, 0, (size_t) (2 * plane) * sizeof *s->r);
  for (int64_t i = 0; i < n; i++)
    for (int x = 0; x < L; x++)
      s->r[(i + n * i) * L + x] = 1;
  memcpy (s->lu, s->v, (size_t) (2 * plane) * sizeof *s->v);
  solve (L, n, n, s->stop, s->lu, s->r);
  adjoint (n, L, s->r, s->y);
  adjoint (n, L, s->a, s->r);
  memcpy (s->a, s->r, (size_t) (2 * plane) * sizeof *s->a);
  conjugate (n * L, s->lambda + n * L);
  improve (L, &left);
  conjugate (n * L, s->lambda + n * L);
  memcpy (s->left_ratio, left.ratio, sizeof left.ratio);
}

INLINE void
run (ge_refine *s, const int L)
{
  find_norm (s, L);
  improve (L, s);
  if (s->left)
    run_left (s, L);
}

CLONES static void
run_lanes (ge_refine *s)
{
  run (s, GE_LANES);
}

CLONES static void
run_one (ge_refine *s)
{
  run (s, 1);
}

void
FN (ge_refine_run) (ge_refine *s)
{
  if (s->lanes == 1)
    run_one (s);
  else
    run_lanes (s);
}

#else
typedef int ge_refine_is_complex_only;
#endif
