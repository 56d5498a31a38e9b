/* Errors of forms, vectors and eigenvalues of small matrices, in loops of their own, for many
   pages.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SMALL_ERRORS_H
#define SMALL_ERRORS_H 1

#include "check.h"

#include <complex.h>
#include <string.h>

enum
{
  MOST = 12 /* order */
};

typedef double complex number;

/* |x|^2 and 1 / x, faster than cabs and a quotient.  */
static inline double
square_of (number x)
{
  return creal (x) * creal (x) + cimag (x) * cimag (x);
}

static inline number
make (double re, double im)
{
  number x;
  __real__ x = re;
  __imag__ x = im;
  return x;
}

static inline number
inverse_of (number x)
{
  return conj (x) * (1 / square_of (x));
}

/* The 1-norm; infinite where there is a NaN.  */
static inline double
norm_of (int64_t n, const number *a)
{
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += sqrt (square_of (a[i + n * j]));
      worst = worst_of (worst, sum);
    }
  return worst;
}

static inline number
times (number x, number y)
{
  return make (creal (x) * creal (y) - cimag (x) * cimag (y),
               creal (x) * cimag (y) + cimag (x) * creal (y));
}

/* C = A B - C; with ADJOINT of A' instead of A.  */
static inline void
multiply (int64_t n, int adjoint, const number *a, const number *b, number *c)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        number sum = -c[i + n * j];
        for (int64_t k = 0; k < n; k++)
          sum += times (adjoint ? conj (a[k + n * i]) : a[i + n * k],
                        b[k + n * j]);
        c[i + n * j] = sum;
      }
}

/* |A V - V D| / |V|, of left vectors of A' and conj (D).  */
static inline double
vector_error (int64_t n, const number *a, int left, const number *lambda,
              const number *v)
{
  number x[MOST * MOST];
  for (int64_t e = 0; e < n * n; e++)
    x[e] = times (left ? conj (lambda[e / n]) : lambda[e / n], v[e]);
  multiply (n, left, a, v, x);
  return norm_of (n, x) / norm_of (n, v);
}

/* 1 over the largest element of the inverse of A - X I, which is no smaller than its least
   singular value: elimination with partial pivoting, pivots below LEAST are replaced.  */
static inline double
distance (int64_t n, const number *a, number x, double least)
{
  number m[2 * MOST * MOST], pivot[MOST];
  double most = 0;
  memcpy (m, a, (size_t) (n * n) * sizeof *m);
  memset (m + n * n, 0, (size_t) (n * n) * sizeof *m);
  for (int64_t i = 0; i < n; i++)
    {
      m[i * (n + 1)] -= x;
      m[n * n + i * (n + 1)] = 1;
    }
  for (int64_t k = 0; k < n; k++)
    {
      int64_t p = k;
      for (int64_t i = k + 1; i < n; i++)
        if (square_of (m[i + n * k]) > square_of (m[p + n * k]))
          p = i;
      for (int64_t j = k; j < 2 * n && p != k; j++)
        {
          const number t = m[k + n * j];
          m[k + n * j] = m[p + n * j];
          m[p + n * j] = t;
        }
      if (square_of (m[k * (n + 1)]) < least * least)
        m[k * (n + 1)] = least;
      pivot[k] = inverse_of (m[k * (n + 1)]);
      for (int64_t i = k + 1; i < n; i++)
        {
          const number f = times (m[i + n * k], pivot[k]);
          for (int64_t j = k + 1; j < 2 * n; j++)
            m[i + n * j] -= times (f, m[k + n * j]);
        }
    }
  for (int64_t j = n; j < 2 * n; j++)
    for (int64_t k = n - 1; k >= 0; k--)
      {
        number *y = m + n * j;
        for (int64_t i = k + 1; i < n; i++)
          y[k] -= times (m[k + n * i], y[i]);
        y[k] = times (y[k], pivot[k]);
        most = worst_of (most, square_of (y[k]));
      }
  return 1 / sqrt (most);
}

/* How far the eigenvalues are from those of matrices near A: the trace, that of A^2, and if
   EACH the singularity of A - x I.  */
static inline double
spectrum_error (int64_t n, int each, const number *a, const number *lambda,
                double unit)
{
  const double norm = norm_of (n, a);
  number trace = 0, squares = 0;
  double worst = 0;
  for (int64_t i = 0; i < n; i++)
    {
      trace += a[i * (n + 1)] - lambda[i];
      squares -= times (lambda[i], lambda[i]);
      for (int64_t j = 0; j < n; j++)
        squares += times (a[i + n * j], a[j + n * i]);
      worst = worst_of (worst, cabs (lambda[i]) > 2 * norm ? INFINITY : 0);
      if (norm > 0 && each)
        worst
            = worst_of (worst, distance (n, a, lambda[i], unit * norm / 1000));
    }
  if (norm == 0)
    return worst;
  worst = worst_of (worst, cabs (trace));
  return worst_of (worst, cabs (squares) / (2 * norm)) / (unit * norm);
}

#endif
