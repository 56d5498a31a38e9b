/* Dense matrices in extended precision, whose range needs no scaling: references and
   measures of the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef WIDE_H
#define WIDE_H 1

#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double _Complex wide;

/* COUNT elements of X, from malloc.  */
static inline wide *
wide_copy (gpueig_type type, int64_t count, const void *x)
{
  wide *y = check_memory (count, sizeof *y);
  for (int64_t i = 0; i < count; i++)
    y[i] = measure_get (type, x, i);
  return y;
}

/* 1-norm; NaN where there is one.  */
static inline long double
wide_norm (int64_t rows, int64_t columns, const wide *a)
{
  long double most = 0;
  for (int64_t j = 0; j < columns; j++)
    {
      long double sum = 0;
      for (int64_t i = 0; i < rows; i++)
        sum += cabsl (a[i + rows * j]);
      most = sum >= most || sum != sum ? sum : most;
    }
  return most;
}

/* Z = X Y, M-by-N with the inner dimension K.  */
static inline void
wide_multiply (int64_t m, int64_t n, int64_t k, const wide *x, const wide *y,
               wide *z)
{
  memset (z, 0, (size_t) (m * n) * sizeof *z);
  for (int64_t j = 0; j < n; j++)
    for (int64_t l = 0; l < k; l++)
      {
        const wide f = y[l + k * j];
        const long double re = creall (f);
        const int is_real = cimagl (f) == 0; /* half the work */
        for (int64_t i = 0; i < m; i++)
          z[i + m * j] += is_real ? x[i + m * l] * re : x[i + m * l] * f;
      }
}

/* X becomes its conjugate transpose.  */
static inline void
wide_adjoint (int64_t rows, int64_t columns, wide *x)
{
  FREED wide *t = check_memory (rows * columns, sizeof *t);
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < rows; i++)
      t[j + columns * i] = conjl (x[i + rows * j]);
  memcpy (x, t, (size_t) (rows * columns) * sizeof *t);
}

/* M (n-by-n, positive definite) becomes its Cholesky factor with complete pivoting, rows in
   their order.  Nonzero if M is definite.  */
static inline int
wide_cholesky (int64_t n, wide *m)
{
  FREED wide *f = check_memory (n * n, sizeof *f);
  FREED int *used = check_memory (n, sizeof *used);
  int good = 1;
  for (int64_t k = 0; k < n; k++)
    {
      int64_t p = -1;
      for (int64_t i = 0; i < n; i++)
        if (! used[i]
            && (p < 0 || creall (m[i + n * i]) > creall (m[p + n * p])))
          p = i;
      used[p] = 1;
      good &= creall (m[p + n * p]) > 0;
      const long double root = sqrtl (creall (m[p + n * p]));
      for (int64_t i = 0; i < n; i++)
        if (! used[i] || i == p)
          f[i + n * k] = i == p ? root : m[i + n * p] / root;
      for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
          if (! used[i] && ! used[j])
            m[i + n * j] -= f[i + n * k] * conjl (f[j + n * k]);
    }
  memcpy (m, f, (size_t) (n * n) * sizeof *m);
  return good;
}

static inline int
wide_descending (const void *x, const void *y)
{
  const long double a = *(const long double *) x, b = *(const long double *) y;
  return a < b ? 1 : a > b ? -1 : 0;
}

/* The singular values S of M-by-N A, descending, by one-sided Jacobi, which destroys A; those
   of A = B D to high relative accuracy.  */
static inline void
wide_singular_values (int64_t m, int64_t n, wide *a, long double *s)
{
  int rotated = 1;
  if (m < n)
    {
      wide_adjoint (m, n, a);
      wide_singular_values (n, m, a, s);
      return;
    }
  for (int sweep = 0; rotated && sweep < 60; sweep++)
    {
      rotated = 0;
      for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++)
          {
            wide *x = a + m * i, *y = a + m * j, d = 0;
            long double p = 0, q = 0;
            for (int64_t l = 0; l < m; l++)
              {
                p += creall (x[l] * conjl (x[l]));
                q += creall (y[l] * conjl (y[l]));
                d += conjl (x[l]) * y[l];
              }
            const long double size = cabsl (d);
            if (! (size > 1e-18L * sqrtl (p) * sqrtl (q)))
              continue;
            rotated = 1;
            const long double z = (q - p) / (2 * size);
            const long double t
                = (z < 0 ? -1 : 1) / (fabsl (z) + sqrtl (1 + z * z));
            const long double c = 1 / sqrtl (1 + t * t);
            const wide e = d / size;
            for (int64_t l = 0; l < m; l++)
              {
                const wide u = x[l], v = y[l] * conjl (e);
                x[l] = c * (u - t * v);
                y[l] = c * (v + t * u);
              }
          }
    }
  for (int64_t j = 0; j < n; j++)
    {
      s[j] = 0;
      for (int64_t l = 0; l < m; l++)
        s[j] += creall (a[l + m * j] * conjl (a[l + m * j]));
      s[j] = sqrtl (s[j]);
    }
  qsort (s, (size_t) n, sizeof *s, wide_descending);
}

/* The eigenvalues of F F', ascending; F is destroyed.  */
static inline void
wide_eigenvalues (int64_t n, wide *f, long double *lambda)
{
  FREED long double *s = check_memory (n, sizeof *s);
  wide_adjoint (n, n, f);
  wide_singular_values (n, n, f, s);
  for (int64_t j = 0; j < n; j++)
    lambda[j] = s[n - 1 - j] * s[n - 1 - j];
}

#endif
