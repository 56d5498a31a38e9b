/* Error measures for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

double _Complex measure_get (gpueig_type type, const void *x, int64_t i)
{
  switch (type)
    {
    case GPUEIG_FLOAT:
      return ((const float *) x)[i];
    case GPUEIG_DOUBLE:
      return ((const double *) x)[i];
    case GPUEIG_COMPLEX_FLOAT:
      return ((const float _Complex *) x)[i];
    default:
      return ((const double _Complex *) x)[i];
    }
}

void
measure_set (gpueig_type type, void *x, int64_t i, double _Complex value)
{
  switch (type)
    {
    case GPUEIG_FLOAT:
      ((float *) x)[i] = (float) creal (value);
      break;
    case GPUEIG_DOUBLE:
      ((double *) x)[i] = creal (value);
      break;
    case GPUEIG_COMPLEX_FLOAT:
      ((float _Complex *) x)[i] = (float _Complex) value;
      break;
    default:
      ((double _Complex *) x)[i] = value;
    }
}

double
measure_eps (gpueig_type type)
{
  return gpueig_is_double (type) ? DBL_EPSILON : (double) FLT_EPSILON;
}

void
measure_scale (gpueig_type type, int64_t count, void *x, double factor)
{
  for (int64_t i = 0; i < count; i++)
    measure_set (type, x, i, factor * measure_get (type, x, i));
}

double
measure_norm (gpueig_type type, int64_t m, int64_t n, const void *a)
{
  double norm = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < m; i++)
        sum += cabs (measure_get (type, a, i + m * j));
      norm = sum > norm || isnan (sum) ? sum : norm;
    }
  return norm;
}

/* The 1-norm of n-by-n A, 1 for zeros.  */
static double
scale_of (gpueig_type type, int64_t n, const void *a)
{
  const double norm = measure_norm (type, n, n, a);
  return norm > 0 ? norm : 1;
}

/* A dense copy in complex double, scaled by 1 / SCALE.  */
static double _Complex *
widen (gpueig_type type, int64_t count, const void *x, double scale)
{
  double _Complex *y = check_memory (count, sizeof *y);
  for (int64_t i = 0; i < count; i++)
    y[i] = measure_get (type, x, i) / scale;
  return y;
}

void zgemm_ (const char *transa, const char *transb, const int *m, const int *n,
             const int *k, const double _Complex *alpha,
             const double _Complex *a, const int *lda, const double _Complex *b,
             const int *ldb, const double _Complex *beta, double _Complex *c,
             const int *ldc, size_t, size_t);

/* C <- A B - C with A n-by-n (its conjugate transpose when TRANS is "C", then of
   the shape of B), B and C n-by-columns.  */
static void
product (const char *trans, int64_t m, int64_t columns, int64_t inner,
         const double _Complex *a, const double _Complex *b, double _Complex *c)
{
  const int im = (int) m, ic = (int) columns, ii = (int) inner;
  const int lda = *trans == 'N' ? im : ii;
  const double _Complex one = 1, minus_one = -1;
  zgemm_ (trans, "N", &im, &ic, &ii, &one, a, &lda, b, &ii, &minus_one, c, &im,
          1, 1);
}

/* 1-norm of an m-by-n matrix; Inf where there is a NaN.  */
static double
wide_norm (int64_t m, int64_t n, const double _Complex *a)
{
  double norm = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < m; i++)
        sum += cabs (a[i + m * j]);
      norm = worst_of (norm, sum);
    }
  return norm;
}

/* 1-norm of A V - V diag (lambda), A n-by-n, V n-by-columns.  */
static double
residual_norm (int64_t n, int64_t columns, const double _Complex *a,
               const double _Complex *v, const double _Complex *lambda)
{
  FREED double _Complex *r = check_memory (n * columns, sizeof *r);
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < n; i++)
      r[i + n * j] = lambda[j] * v[i + n * j];
  if (n > 0 && columns > 0)
    product ("N", n, columns, n, a, v, r);
  return wide_norm (n, columns, r);
}

static double
ratio (double value, double unit)
{
  return value == 0 ? 0 : value / unit;
}

double
measure_residual (gpueig_type type, int64_t n, int64_t columns, const void *a,
                  const void *v, const void *lambda)
{
  const double scale = scale_of (type, n, a);
  FREED double _Complex *wa = widen (type, n * n, a, scale),
                        *wv = widen (type, n * columns, v, 1),
                        *wl = widen (real_type (type), columns, lambda, scale);
  return ratio (residual_norm (n, columns, wa, wv, wl),
                (double) n * measure_eps (type));
}

double
measure_product (gpueig_type type, int64_t n, const double _Complex *a,
                 const double _Complex *b, const double _Complex *c)
{
  FREED double _Complex *r = check_memory (n * n, sizeof *r);
  memcpy (r, c, (size_t) (n * n) * sizeof *r);
  product ("N", n, n, n, a, b, r);
  return wide_norm (n, n, r) / (wide_norm (n, n, a) * wide_norm (n, n, b))
         / ((double) n * measure_eps (type));
}

double
measure_form (gpueig_type type, gpueig_type form, int64_t n, const void *a,
              const void *s, const void *u)
{
  const double scale = scale_of (type, n, a);
  FREED double _Complex *wa = widen (type, n * n, a, scale),
                        *wu = widen (form, n * n, u, 1),
                        *ws = widen (form, n * n, s, scale),
                        *us = check_memory (n * n, sizeof *us);
  if (n > 0)
    {
      product ("N", n, n, n, wu, ws, us);
      product ("N", n, n, n, wa, wu, us);
    }
  return ratio (wide_norm (n, n, us), (double) n * measure_eps (type));
}

double
measure_singular (gpueig_type type, int64_t m, int64_t n, const void *a,
                  const void *s, const void *u, const void *v)
{
  const int wide = m < n;
  const int64_t rows = wide ? n : m, inner = wide ? m : n;
  const double norm = measure_norm (type, m, n, a), scale = norm > 0 ? norm : 1;
  FREED double _Complex *wa = widen (type, m * n, a, scale),
                        *x = widen (type, inner * inner, wide ? u : v, 1),
                        *y = widen (type, rows * inner, wide ? v : u, scale);
  for (int64_t i = 0; i < rows * inner; i++)
    y[i] *= measure_get (real_type (type), s, i / rows);
  if (inner > 0)
    product (wide ? "C" : "N", rows, inner, inner, wa, x, y);
  return ratio (wide_norm (rows, inner, y), (double) rows * measure_eps (type));
}

static double
general_residual (gpueig_type type, int64_t n, const double _Complex *a,
                  const double _Complex *v, const double _Complex *lambda)
{
  return ratio (residual_norm (n, n, a, v, lambda),
                wide_norm (n, n, v) * (double) n * measure_eps (type));
}

/* Largest difference of a column's 2-norm from 1; Inf where there is a NaN.  */
static double
worst_length (int64_t n, const double _Complex *v)
{
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const double _Complex x = v[i + n * j];
          sum += creal (x) * creal (x) + cimag (x) * cimag (x);
        }
      worst = worst_of (worst, fabs (sqrt (sum) - 1));
    }
  return worst;
}

/* A <- A'.  */
static void
adjoint (int64_t n, double _Complex *a)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        const double _Complex x = a[i + n * j];
        a[i + n * j] = conj (a[j + n * i]);
        a[j + n * i] = conj (x);
      }
}

measure_pairs
measure_general (gpueig_type type, int64_t n, const void *a, const void *v,
                 const void *w, const void *lambda)
{
  const gpueig_type pair = complex_type (type);
  const double scale = scale_of (type, n, a);
  FREED double _Complex *wa = widen (type, n * n, a, scale);
  double _Complex *wv = widen (pair, n * n, v, 1);
  FREED double _Complex *wl = widen (pair, n, lambda, scale);
  measure_pairs m = { .right = general_residual (type, n, wa, wv, wl),
                      .length = worst_length (n, wv) };
  if (w)
    {
      free (wv);
      wv = widen (pair, n * n, w, 1);
      /* In units of the norm of A', which may be n times that of A.  */
      adjoint (n, wa);
      const double left = wide_norm (n, n, wa), unit = left > 0 ? left : 1;
      for (int64_t i = 0; i < n; i++)
        wl[i] = conj (wl[i]) / unit;
      for (int64_t i = 0; i < n * n; i++)
        wa[i] /= unit;
      m.left = general_residual (type, n, wa, wv, wl);
      m.length = worst_of (m.length, worst_length (n, wv));
    }
  m.length /= (double) n * measure_eps (type);
  free (wv);
  return m;
}

/* V' B V - I of n-by-COLUMNS V, B = I if it is NULL.  */
static double _Complex *
gram (int64_t n, int64_t columns, gpueig_type type, const void *b,
      const double _Complex *v)
{
  FREED double _Complex *wb = b ? widen (type, n * n, b, 1) : NULL;
  FREED double _Complex *bv = check_memory (n * columns, sizeof *bv);
  double _Complex *r = check_memory (columns * columns, sizeof *r);
  for (int64_t j = 0; j < columns; j++)
    r[j + columns * j] = 1;
  if (b && n > 0)
    product ("N", n, columns, n, wb, v, bv);
  if (n > 0 && columns > 0)
    product ("C", columns, columns, n, v, b ? bv : v, r);
  return r;
}

/* |V' B V - I| / (n eps) of n-by-COLUMNS V, B = I if it is NULL.  */
static double
gram_error (gpueig_type type, int64_t n, int64_t columns, const void *b,
            const void *v)
{
  FREED double _Complex *wv = widen (type, n * columns, v, 1);
  FREED double _Complex *r = gram (n, columns, type, b, wv);
  return ratio (wide_norm (columns, columns, r),
                (double) n * measure_eps (type));
}

double
measure_orthogonality (gpueig_type type, int64_t n, int64_t columns,
                       const void *v)
{
  return gram_error (type, n, columns, NULL, v);
}

double
measure_b_orthogonality (gpueig_type type, int64_t n, int64_t columns,
                         const void *b, const void *v)
{
  return gram_error (type, n, columns, b, v);
}

double
measure_pair_products (gpueig_type type, int64_t n, const void *b,
                       const void *v)
{
  FREED double _Complex *wv = widen (type, n * n, v, 1);
  FREED double _Complex *r = gram (n, n, type, b, wv);
  FREED double *length = check_memory (n, sizeof *length);
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += creal (wv[i + n * j] * conj (wv[i + n * j]));
      length[j] = sqrt (sum);
    }
  for (int64_t k = 0; k < n * n; k++)
    worst
        = worst_of (worst, ratio (cabs (r[k]), length[k % n] * length[k / n]));
  return worst
         / (measure_norm (type, n, n, b) * (double) n * measure_eps (type));
}

double
measure_pair (gpueig_type type, int64_t n, int64_t columns, const void *a,
              const void *b, const void *v, const void *lambda)
{
  const int is_complex = gpueig_is_complex (type);
  const double norm_a = measure_norm (type, n, n, a),
               norm_b = measure_norm (type, n, n, b);
  FREED double _Complex *wa = widen (type, n * n, a, 1);
  FREED double _Complex *wb = widen (type, n * n, b, 1);
  FREED double _Complex *wv = widen (type, n * columns, v, 1);
  FREED long double *re = check_memory (n, sizeof *re);
  FREED long double *im = check_memory (n, sizeof *im);
  double worst = 0;
  for (int64_t j = 0; j < columns; j++)
    {
      const double value = creal (measure_get (real_type (type), lambda, j));
      double error = 0, length = 0;
      for (int64_t i = 0; i < n; i++)
        re[i] = im[i] = 0;
      for (int64_t k = 0; k < n; k++)
        {
          const double _Complex *ak = wa + n * k, *bk = wb + n * k;
          const long double vr = creal (wv[k + n * j]),
                            vi = cimag (wv[k + n * j]);
          for (int64_t i = 0; i < n; i++)
            {
              const long double x
                  = creal (ak[i]) - value * (long double) creal (bk[i]);
              re[i] += x * vr;
              if (! is_complex)
                continue;
              const long double y
                  = cimag (ak[i]) - value * (long double) cimag (bk[i]);
              re[i] -= y * vi;
              im[i] += x * vi + y * vr;
            }
        }
      for (int64_t i = 0; i < n; i++)
        {
          error += hypot ((double) re[i], (double) im[i]);
          length += cabs (wv[i + n * j]);
        }
      worst = worst_of (
          worst, ratio (error, (norm_a + fabs (value) * norm_b) * length));
    }
  return worst / ((double) n * measure_eps (type));
}

double
measure_eigenvalues (gpueig_type type, int64_t n, const void *x, const void *y,
                     double scale)
{
  gpueig_type real = real_type (type);
  double worst = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double d = fabs (creal (measure_get (real, x, i))
                       - creal (measure_get (real, y, i)));
      worst = worst_of (worst, d);
    }
  return ratio (worst, scale * (double) n * measure_eps (type));
}

/* --- eigenvalues without vectors --- */

void zgesvd_ (const char *jobu, const char *jobvt, const int *m, const int *n,
              double complex *a, const int *lda, double *s, double complex *u,
              const int *ldu, double complex *vt, const int *ldvt,
              double complex *work, const int *lwork, double *rwork, int *info,
              size_t, size_t);

/* The smallest singular value of B - x I.  */
static double
distance (int64_t n, const double complex *b, double complex x)
{
  const int order = (int) n, one = 1, lwork = 10 * order;
  int info;
  FREED double *sigma = check_memory (6 * n, sizeof *sigma);
  double complex *c = check_memory (n * n + 10 * n, sizeof *c), none;
  for (int64_t i = 0; i < n * n; i++)
    c[i] = b[i] - (i % (n + 1) == 0 ? x : 0);
  zgesvd_ ("N", "N", &order, &order, c, &order, sigma, &none, &one, &none, &one,
           c + n * n, &lwork, sigma + n, &info, 1, 1);
  const double least = info == 0 ? sigma[n - 1] : INFINITY;
  free (c);
  return least;
}

/* A number whose distance to an eigenvalue is below this limit counts as equal.  */
#define CLOSE 10

/* The same for B, |B|_1 about 1, in units of UNIT.  */
static double
scaled_spectrum (int64_t n, const double complex *b, const double complex *x,
                 const double complex *y, double unit)
{
  double worst = 0;
  double complex trace = 0, trace2 = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double least = INFINITY;
      for (int64_t j = 0; j < n; j++)
        least = fmin (least, cabs (x[i] - y[j]));
      if (! (least <= CLOSE * unit))
        least = distance (n, b, x[i]);
      worst = worst_of (worst, least);
      trace += x[i] - b[i + n * i];
      trace2 += x[i] * x[i];
      for (int64_t j = 0; j < n; j++)
        trace2 -= b[i + n * j] * b[j + n * i];
    }
  const double sums = fmax (cabs (trace), cabs (trace2) / 2) / (double) n;
  worst = worst_of (worst, sums);
  return worst / unit;
}

double
mixed_spectrum (gpueig_type type, int64_t n, const void *a, const void *x,
                const void *y)
{
  const gpueig_type pair = complex_type (type);
  const double scale = scale_of (type, n, a);
  FREED double complex *b = widen (type, n * n, a, scale),
                       *sx = widen (pair, n, x, scale),
                       *sy = widen (pair, n, y, scale);
  return scaled_spectrum (n, b, sx, sy, (double) n * measure_eps (type));
}
