/* Calculations with matrices in host memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"
#include "base/products.h"

#include <complex.h>

gpueig_status
FN (ge_calc_multiply) (ge_calc *c, const void *a, const void *b, void *to)
{
  const lapack_int n = (lapack_int) c->n;
  const scalar_t one = make_ (1, 0), zero = make_ (0, 0);
  if (c->shared)
    return FN (ge_square_product) (c->ctx, c->n, "N", a, b, zero, to);
  gemm_ ("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, to, &n, 1, 1);
  return GPUEIG_OK;
}

GE_CLONES static void
add_term (int64_t count, real_t f, const scalar_t *x, scalar_t *y)
{
  for (int64_t i = 0; i < count; i++)
    y[i] += x[i] * f;
}

GE_CLONES static void
set_term (int64_t count, real_t f, const scalar_t *x, scalar_t *y)
{
  for (int64_t i = 0; i < count; i++)
    y[i] = x[i] * f;
}

gpueig_status
FN (ge_calc_combine) (ge_calc *c, int count, const double *factor,
                      const void *const *m, double identity, void *to)
{
  enum
  {
    PIECE = 1024
  };
  scalar_t *y = to;
  const int64_t square = c->n * c->n;
  for (int64_t at = 0; at < square; at += PIECE)
    {
      const int64_t length = square - at < PIECE ? square - at : PIECE;
      if (count == 0)
        for (int64_t i = 0; i < length; i++)
          y[at + i] = 0;
      /* The first term may be TO itself.  */
      for (int k = 0; k < count; k++)
        (k == 0 ? set_term : add_term) (length, (real_t) factor[k],
                                        (const scalar_t *) m[k] + at, y + at);
    }
  for (int64_t i = 0; identity != 0 && i < c->n; i++)
    y[i + i * c->n] += (real_t) identity;
  return GPUEIG_OK;
}

gpueig_status
FN (ge_calc_solve) (ge_calc *c, void *a, void *b, int64_t *at)
{
  const lapack_int n = (lapack_int) c->n;
  lapack_int info = 0;
  const ge_blas_limit limit = ge_blas_limit_of (c->n);
  if (c->shared)
    ge_limit_blas (c->ctx, limit);
  getrf_ (&n, &n, a, &n, c->pivots, &info);
  *at = info;
  if (info == 0)
    getrs_ ("N", &n, &n, a, &n, c->pivots, b, &n, &info, 1);
  if (c->shared)
    ge_unlimit_blas (c->ctx, limit);
  return GPUEIG_OK;
}

gpueig_status
FN (ge_calc_norm) (ge_calc *c, const void *matrix, double *norm)
{
  const scalar_t *a = matrix;
  *norm = 0;
  for (int64_t j = 0; j < c->n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < c->n; i++)
        sum += (double) abs_ (a[i + j * c->n]);
      *norm = ge_larger (sum, *norm);
    }
  return GPUEIG_OK;
}

gpueig_status
FN (ge_calc_abs_power) (ge_calc *c, const void *matrix, int k, double factor,
                        double *power)
{
  const scalar_t *a = matrix;
  const int64_t n = c->n;
  double *x = c->lines, *y = x + n;
  for (int64_t i = 0; i < n; i++)
    x[i] = 1;
  /* X' = X' |A|: sums of columns of the power.  */
  for (int step = 0; step < k; step++)
    {
      for (int64_t j = 0; j < n; j++)
        {
          double sum = 0;
          for (int64_t i = 0; i < n; i++)
#if GE_COMPLEX
            sum += x[i]
                   * ((double) fabs_ (re_ (a[i + j * n]))
                      + (double) fabs_ (im_ (a[i + j * n])));
#else
            sum += x[i] * (double) fabs_ (a[i + j * n]);
#endif
          y[j] = sum * factor;
        }
      double *other = x;
      x = y;
      y = other;
    }
  *power = 0;
  for (int64_t j = 0; j < n; j++)
    *power = ge_larger (x[j], *power);
  return GPUEIG_OK;
}

gpueig_status
FN (ge_calc_mean) (ge_calc *c, const void *matrix, ge_point *mean)
{
  const scalar_t *a = matrix;
  double re = 0, im = 0;
  for (int64_t i = 0; i < c->n; i++)
    {
      re += (double) re_ (a[i + i * c->n]) / (double) c->n;
      im += (double) im_ (a[i + i * c->n]) / (double) c->n;
    }
  *mean = ge_point_of (re, im);
  return GPUEIG_OK;
}

gpueig_status
FN (ge_calc_add) (ge_calc *c, void *matrix, ge_point value)
{
  scalar_t *a = matrix;
  for (int64_t i = 0; i < c->n; i++)
    a[i + i * c->n] += make_ ((real_t) creal (value), (real_t) cimag (value));
  return GPUEIG_OK;
}

gpueig_status
FN (ge_calc_scale) (ge_calc *c, ge_point factor, void *matrix)
{
  scalar_t *a = matrix;
  const scalar_t f = make_ ((real_t) creal (factor), (real_t) cimag (factor));
  for (int64_t i = 0; i < c->n * c->n; i++)
    if (a[i] != 0)
      a[i] *= f;
  return GPUEIG_OK;
}

gpueig_status
FN (ge_calc_fill) (ge_calc *c, double value, void *matrix)
{
  scalar_t *a = matrix;
  for (int64_t i = 0; i < c->n * c->n; i++)
    a[i] = make_ ((real_t) value, 0);
  return GPUEIG_OK;
}

static ge_point
times (scalar_t x, double factor)
{
  return ge_point_of ((double) re_ (x) * factor, (double) im_ (x) * factor);
}

gpueig_status
FN (ge_calc_exact) (ge_calc *c, const void *matrix, double factor, void *result)
{
  const scalar_t *a = matrix;
  scalar_t *x = result;
  const int64_t n = c->n;
  for (int64_t j = 0; j < n && c->is_upper; j++)
    {
      const ge_point z = times (a[j + j * n], factor);
      const ge_point e = ge_point_function (GPUEIG_EXPM, 0, z);
      x[j + j * n] = make_ ((real_t) creal (e), (real_t) cimag (e));
      if (j == 0)
        continue;
      const ge_point corner = ge_point_corner (
          GPUEIG_EXPM, 0, times (a[j - 1 + (j - 1) * n], factor), z,
          times (a[j - 1 + j * n], factor));
      x[j - 1 + j * n]
          = make_ ((real_t) creal (corner), (real_t) cimag (corner));
    }
  return GPUEIG_OK;
}
