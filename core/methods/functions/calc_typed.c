/* Calculations with matrices in host memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/checks.h"
#include "functions/calc.h"
#include "array/cpu.h"
#include "base/products.h"

#include <complex.h>
#include <string.h>

enum
{
  TILES = 8,       /* tiles in a row of a product */
  LEAST_TILE = 12, /* order of a tile */
  TILE_SIZE = LEAST_TILE * LEAST_TILE,
  ALONE = 128 /* half a product of up to this order is for one thread */
};

#define ENOUGH 1.05 /* of bounds of a norm */

/* TO = A B, all upper triangular.  */
static void
multiply_upper (int64_t n, const scalar_t *a, const scalar_t *b, scalar_t *to)
{
  const int64_t tile = n / TILES > LEAST_TILE ? n / TILES : LEAST_TILE;
  for (int64_t j = 0; j < n; j += tile)
    {
      const int64_t columns = n - j < tile ? n - j : tile, end = j + columns;
      for (int64_t i = 0; i < end; i += tile)
        FN (ge_gemm)
      ("N", "N", i < j ? tile : columns, columns, end - i, 1, a + i + i * n, n,
       b + i + j * n, n, 0, to + i + j * n, n);
      for (int64_t k = j; k < end; k++)
        memset (to + end + k * n, 0, (size_t) (n - end) * sizeof *to);
    }
}

/* TO = A B, all Hermitian.  */
static gpueig_status
multiply_hermitian (const ge_calc *c, const scalar_t *a, const scalar_t *b,
                    scalar_t *to)
{
  const int64_t n = c->n;
  if (c->shared && n > ALONE)
    GE_TRY (FN (ge_half_product) (c->ctx, n, a, b, to));
  else
    FN (ge_half_gemm) (n, a, b, to);
  FN (ge_mirror_lower) (n, to);
  return GPUEIG_OK;
}

static gpueig_status
multiply_matrices (ge_calc *c, const void *a, const void *b, void *to)
{
  const int64_t n = c->n;
  if (c->is_hermitian)
    return multiply_hermitian (c, a, b, to);
  if (c->is_upper)
    multiply_upper (n, a, b, to);
  else if (c->shared)
    return FN (ge_square_product) (c->ctx, n, "N", a, b, 0, to);
  else
    FN (ge_gemm) ("N", "N", n, n, n, 1, a, n, b, n, 0, to, n);
  return GPUEIG_OK;
}

GE_ALWAYS_INLINE void
sum_terms (int64_t length, int count, const real_t *f, const real_t *const *x,
           real_t *y)
{
#pragma omp simd
  for (int64_t i = 0; i < length; i++)
    {
      real_t sum = x[0][i] * f[0];
#pragma GCC unroll 5
      for (int k = 1; k < count; k++)
        sum += x[k][i] * f[k];
      y[i] = sum;
    }
}

/* Y = sum of F[k] * X[k], k < COUNT <= 5; Y may be one of X.  */
GE_CLONES (VECTOR, static, void, combine_reals,
           (int64_t length, int count, const real_t *f, const real_t *const *x,
            real_t *y),
           (length, count, f, x, y))
{
  if (count == 1)
    sum_terms (length, 1, f, x, y);
  else if (count == 2)
    sum_terms (length, 2, f, x, y);
  else if (count == 3)
    sum_terms (length, 3, f, x, y);
  else if (count == 4)
    sum_terms (length, 4, f, x, y);
  else
    sum_terms (length, 5, f, x, y);
}

/* Zeros stay, whatever the factor.  */
static gpueig_status
shift (ge_calc *c, ge_point factor, ge_point more, void *matrix)
{
  scalar_t *a = matrix;
  const scalar_t f = make_ ((real_t) creal (factor), (real_t) cimag (factor)),
                 d = make_ ((real_t) creal (more), (real_t) cimag (more));
  for (int64_t i = 0; f != 1 && i < c->n * c->n; i++)
    if (a[i] != 0)
      a[i] *= f;
  for (int64_t i = 0; d != 0 && i < c->n; i++)
    a[i + i * c->n] += d;
  return GPUEIG_OK;
}

static gpueig_status
combine_matrices (ge_calc *c, int count, const double *factor,
                  const void *const *m, double identity, void *to)
{
  real_t f[5];
  for (int k = 0; k < count; k++)
    f[k] = (real_t) factor[k];
  combine_reals (c->n * c->n * (GE_COMPLEX ? 2 : 1), count, f,
                 (const real_t *const *) m, to);
  return shift (c, 1, identity, to);
}

/* INVERSE, without padding: of the upper triangular SHIFT I + U, COUNT <= LEAST_TILE.  */
static void
invert_tile (int64_t count, real_t shift, const scalar_t *u, int64_t ld,
             scalar_t *inverse)
{
  memset (inverse, 0, (size_t) (count * count) * sizeof *inverse);
  for (int64_t j = 0; j < count; j++)
    {
      scalar_t *d = inverse + j * count;
      for (int64_t k = j; k >= 0; k--)
        {
          d[k] = k == j ? 1 / (shift + u[j + j * ld])
                        : mul_ (d[k], inverse[k * (count + 1)]);
          for (int64_t i = 0; i < k; i++)
            d[i] -= mul_ (u[i + k * ld], d[k]);
        }
    }
}

/* Replace U by the inverse, upper triangular with zeros below; SPARE: scratch of the same
   size.  */
static void
invert_upper (int64_t count, scalar_t *u, int64_t ld, scalar_t *spare)
{
  const int64_t half = count / 2, rest = count - half;
  scalar_t *above = u + half * ld, *last = above + half;
  if (count <= LEAST_TILE)
    {
      scalar_t inverse[TILE_SIZE];
      invert_tile (count, 0, u, ld, inverse);
      for (int64_t j = 0; j < count; j++)
        memcpy (u + j * ld, inverse + j * count, (size_t) count * sizeof *u);
      return;
    }
  invert_upper (half, u, ld, spare);
  invert_upper (rest, last, ld, spare);
  FN (ge_gemm)
  ("N", "N", half, rest, half, -1, u, ld, above, ld, 0, spare, half);
  FN (ge_gemm)
  ("N", "N", half, rest, rest, 1, spare, half, last, ld, 0, above, ld);
}

/* X = X L^-1, columns FIRST .. FIRST + COUNT - 1, L unit lower triangular; SPARE: COUNT columns.  */
static void
divide_by_lower (int64_t n, int64_t first, int64_t count, const scalar_t *l,
                 scalar_t *x, scalar_t *spare)
{
  const int64_t half = count / 2, next = first + half;
  if (count <= LEAST_TILE)
    {
      scalar_t adjoint[TILE_SIZE] = { 0 }, inverse[TILE_SIZE];
      for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < j; i++)
          adjoint[i + j * count] = conj_ (l[first + j + (first + i) * n]);
      invert_tile (count, 1, adjoint, count, inverse);
      memcpy (spare, x + first * n, (size_t) (n * count) * sizeof *x);
      FN (ge_gemm)
      ("N", "C", n, count, count, 1, spare, n, inverse, count, 0, x + first * n,
       n);
      return;
    }
  divide_by_lower (n, next, count - half, l, x, spare);
  FN (ge_gemm)
  ("N", "N", n, half, count - half, -1, x + next * n, n, l + next + first * n,
   n, 1, x + first * n, n);
  divide_by_lower (n, first, half, l, x, spare);
}

/* A, the factors of xGETRF, becomes the inverse, as by xGETRI; X and SPARE: as large.  */
static void
invert_factors (int64_t n, scalar_t *a, lapack_int *pivots, scalar_t *x,
                scalar_t *spare)
{
  lapack_int *order = (lapack_int *) spare;
  for (int64_t j = 0; j < n; j++)
    {
      memcpy (x + j * n, a + j * n, (size_t) (j + 1) * sizeof *x);
      memset (x + j * n + j + 1, 0, (size_t) (n - j - 1) * sizeof *x);
    }
  invert_upper (n, x, n, spare);
  divide_by_lower (n, 0, n, a, x, spare);
  for (lapack_int j = 0; j < n; j++)
    order[j] = j;
  for (int64_t j = 0; j < n; j++)
    {
      const lapack_int other = order[j];
      order[j] = order[pivots[j] - 1];
      order[pivots[j] - 1] = other;
    }
  for (int64_t j = 0; j < n; j++)
    memcpy (a + order[j] * n, x + j * n, (size_t) n * sizeof *x);
}

static gpueig_status
invert_matrix (ge_calc *c, void *a, int64_t *at)
{
  const ge_blas_limit limit = ge_blas_limit_of (c->n);
  const lapack_int n = (lapack_int) c->n;
  lapack_int zero = 0;
  if (c->shared)
    ge_limit_blas (c->ctx, limit);
  getrf_ (&n, &n, a, &n, c->pivots, &zero);
  if (zero == 0)
    invert_factors (n, a, c->pivots, c->m[5], c->m[4]);
  if (c->shared)
    ge_unlimit_blas (c->ctx, limit);
  if (c->is_hermitian)
    FN (ge_mirror_lower) (c->n, a);
  *at = zero;
  return GPUEIG_OK;
}

/* SIZE: the moduli of COUNT elements.  */
GE_CLONES (VECTOR, static, void, take_sizes,
           (int64_t count, const scalar_t *a, real_t *size), (count, a, size))
{
  for (int64_t i = 0; i < count; i++)
    {
      const real_t x = fabs_ (re_ (a[i])), y = fabs_ (im_ (a[i])),
                   most = x > y ? x : y, ratio = (x > y ? y : x) / most;
      size[i]
          = GE_COMPLEX && most > 0 ? most * sqrt_ (1 + ratio * ratio) : x + y;
    }
}

/* The sum of WEIGHT[i] * SIZE[i] in the order of partial sums, which a processor adds side by
   side.  */
GE_CLONES_OF (VECTOR, static, double, sum_sizes,
              (int64_t count, const real_t *size, const double *weight),
              (count, size, weight))
{
  enum
  {
    LANES = 8
  };
  double part[LANES] = { 0 }, sum = 0;
  const int64_t whole = count / LANES * LANES;
  for (int64_t i = 0; i < whole; i += LANES)
    for (int k = 0; k < LANES; k++)
      part[k] += weight[i + k] * (double) size[i + k];
  for (int64_t i = whole; i < count; i++)
    sum += weight[i] * (double) size[i];
  for (int k = 0; k < LANES; k++)
    sum += part[k];
  return sum;
}

static gpueig_status
abs_power (ge_calc *c, const void *a, int k, double factor, double *power)
{
  const int64_t n = c->n;
  double *x = (double *) (c->lines + 3 * n), *y = x + n, rest = 1;
  real_t *size = c->m[5];
  take_sizes (n * n, a, size);
  for (int64_t i = 0; i < n; i++)
    x[i] = 1;
  /* X' = X' |A|: sums of columns of the power; no longer than until each step multiplies
     all by nearly the same.  */
  for (int step = 1; step <= k; step++)
    {
      double least = INFINITY, most = 0;
      for (int64_t j = 0; j < n; j++)
        {
          y[j] = factor * sum_sizes (n, size + j * n, x);
          least = fmin (least, y[j] / x[j]);
          most = fmax (most, y[j] / x[j]);
        }
      double *other = x;
      x = y;
      y = other;
      if (most <= ENOUGH * least)
        {
          rest = pow (most, k - step);
          break;
        }
    }
  *power = 0;
  for (int64_t j = 0; j < n; j++)
    *power = ge_larger (x[j], *power);
  *power *= rest;
  return GPUEIG_OK;
}

static gpueig_status
fill_matrix (ge_calc *c, double value, void *matrix)
{
  scalar_t *a = matrix;
  for (int64_t i = 0; i < c->n * c->n; i++)
    a[i] = make_ ((real_t) value, 0);
  return GPUEIG_OK;
}

static gpueig_status
line (ge_calc *c, void *matrix, int k, ge_point *z, int back)
{
  scalar_t *a = (scalar_t *) matrix + k * c->n;
  for (int64_t i = 0; i < c->n - k; i++)
    if (back)
      a[i * (c->n + 1)] = make_ ((real_t) creal (z[i]), (real_t) cimag (z[i]));
    else
      z[i] = ge_point_of ((double) re_ (a[i * (c->n + 1)]),
                          (double) im_ (a[i * (c->n + 1)]));
  return GPUEIG_OK;
}

/* --- upper triangular matrices --- */

/* X = (I + M)^-1 X, rows FIRST .. FIRST + COUNT - 1, X upper triangular; SPARE: COUNT rows.  */
static void
solve_tile (int64_t n, int64_t first, int64_t count, const scalar_t *m,
            scalar_t *x, scalar_t *spare)
{
  const int64_t corner = first * (n + 1), columns = n - first;
  scalar_t inverse[TILE_SIZE];
  invert_tile (count, 1, m + corner, n, inverse);
  for (int64_t j = 0; j < columns; j++)
    memcpy (spare + j * count, x + corner + j * n, (size_t) count * sizeof *x);
  FN (ge_gemm)
  ("N", "N", count, columns, count, 1, inverse, count, spare, count, 0,
   x + corner, n);
}

/* As solve_tile, for any number of rows.  */
static void
solve_rows (int64_t n, int64_t first, int64_t count, const scalar_t *m,
            scalar_t *x, scalar_t *spare)
{
  const int64_t half = count / 2, next = first + half;
  if (count <= LEAST_TILE)
    {
      solve_tile (n, first, count, m, x, spare);
      return;
    }
  solve_rows (n, next, count - half, m, x, spare);
  FN (ge_gemm)
  ("N", "N", half, n - next, count - half, -1, m + first + next * n, n,
   x + next * (n + 1), n, 1, x + first + next * n, n);
  solve_rows (n, first, half, m, x, spare);
}

static gpueig_status
solve_upper (ge_calc *c, double factor, const void *r, void *to, void *work)
{
  const void *const terms[] = { r };
  GE_TRY (combine_matrices (c, 1, &factor, terms, 0, work));
  GE_TRY (ge_calc_copy (c, r, to));
  solve_rows (c->n, 0, c->n, work, to, c->m[4]);
  return GPUEIG_OK;
}

static gpueig_status
root_of_matrix (ge_calc *c, void *t)
{
  FN (ge_cpu_root) (c->n, t);
  return GPUEIG_OK;
}

static gpueig_status
find_upper (ge_calc *c, const void *a)
{
  c->is_upper = FN (ge_is_upper) (c->n, a);
  c->is_hermitian
      = ! c->is_upper
        && ge_is_symmetric (c->shared ? c->ctx : NULL, c->type, a, c->n, 1);
  return GPUEIG_OK;
}

const ge_calc_ops FN (ge_calc_table) = { .multiply = multiply_matrices,
                                         .combine = combine_matrices,
                                         .invert = invert_matrix,
                                         .solve_upper = solve_upper,
                                         .root = root_of_matrix,
                                         .abs_power = abs_power,
                                         .shift = shift,
                                         .fill = fill_matrix,
                                         .line = line,
                                         .find_upper = find_upper };
