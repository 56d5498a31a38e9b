/* Functions of small complex matrices in quadruple precision, by methods that are slow and
   obviously right: the oracle of test_functions.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef QUAD_MATRIX_H
#define QUAD_MATRIX_H 1

#include "quad.h"

enum
{
  QUAD_N = 6, /* largest order */
  QUAD_SQUARE = QUAD_N * QUAD_N
};

/* Element (i, j) is x[i + n * j].  */
typedef struct
{
  int n;
  quad_complex x[QUAD_SQUARE];
} quad_matrix;

/* A + F B.  */
static inline quad_matrix
quad_add (quad_matrix a, quad f, const quad_matrix *b)
{
  for (int k = 0; k < a.n * a.n; k++)
    a.x[k] += f * b->x[k];
  return a;
}

static inline quad_matrix
quad_scale (quad_complex f, const quad_matrix *a)
{
  quad_matrix b = *a;
  for (int k = 0; k < a->n * a->n; k++)
    b.x[k] *= f;
  return b;
}

static inline quad_matrix
quad_eye (int n)
{
  quad_matrix e = { .n = n };
  for (int i = 0; i < n; i++)
    e.x[i + n * i] = 1;
  return e;
}

static inline quad_matrix
quad_multiply (const quad_matrix *a, const quad_matrix *b)
{
  const int n = a->n;
  quad_matrix c = { .n = n };
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++)
        c.x[i + n * j] += a->x[i + n * k] * b->x[k + n * j];
  return c;
}

/* The largest element.  */
static inline quad
quad_norm (const quad_matrix *a)
{
  quad most = 0;
  for (int k = 0; k < a->n * a->n; k++)
    if (! (quad_size (a->x[k]) <= most))
      most = quad_size (a->x[k]);
  return most;
}

/* By Gauss and Jordan with pivoting.  */
static inline quad_matrix
quad_inverse (quad_matrix a)
{
  const int n = a.n;
  quad_matrix b = quad_eye (n);
  for (int k = 0; k < n; k++)
    {
      int pivot = k;
      for (int i = k + 1; i < n; i++)
        if (quad_size (a.x[i + n * k]) > quad_size (a.x[pivot + n * k]))
          pivot = i;
      const quad_complex d = a.x[pivot + n * k];
      for (int j = 0; j < n; j++)
        {
          const quad_complex s = a.x[pivot + n * j], t = b.x[pivot + n * j];
          a.x[pivot + n * j] = a.x[k + n * j];
          b.x[pivot + n * j] = b.x[k + n * j];
          a.x[k + n * j] = s / d;
          b.x[k + n * j] = t / d;
        }
      for (int i = 0; i < n; i++)
        {
          const quad_complex f = a.x[i + n * k];
          for (int j = 0; j < n && i != k; j++)
            {
              a.x[i + n * j] -= f * a.x[k + n * j];
              b.x[i + n * j] -= f * b.x[k + n * j];
            }
        }
    }
  return b;
}

/* Principal square root by the iteration of Denman and Beavers; no eigenvalue may be on
   the negative real axis.  */
static inline quad_matrix
quad_sqrt (const quad_matrix *a)
{
  quad_matrix x = *a, y = quad_eye (a->n);
  for (int step = 0; step < 900; step++)
    {
      const quad_matrix xi = quad_inverse (x), yi = quad_inverse (y),
                        before = x;
      x = quad_add (x, 1, &yi);
      x = quad_scale (0.5, &x);
      y = quad_add (y, 1, &xi);
      y = quad_scale (0.5, &y);
      const quad_matrix change = quad_add (x, -1, &before);
      if (quad_norm (&change) <= quad_norm (&x) * (quad) 1e-31)
        break;
    }
  return x;
}

static inline quad_matrix
quad_exp (const quad_matrix *a)
{
  int s = 0;
  quad_matrix b = *a, sum = quad_eye (a->n), term = sum;
  for (; quad_norm (&b) * b.n > (quad) 0.5; s++)
    b = quad_scale (0.5, &b);
  for (int k = 1; k < 40; k++)
    {
      term = quad_multiply (&term, &b);
      term = quad_scale (1 / (quad) k, &term);
      sum = quad_add (sum, 1, &term);
    }
  for (; s > 0; s--)
    sum = quad_multiply (&sum, &sum);
  return sum;
}

/* Principal logarithm by square roots and the series of artanh.  */
static inline quad_matrix
quad_log (const quad_matrix *a)
{
  const quad_matrix one = quad_eye (a->n);
  quad_matrix x = *a, rest = quad_add (x, -1, &one);
  quad factor = 2;
  for (; quad_norm (&rest) * x.n > (quad) 0.2; factor *= 2)
    {
      x = quad_sqrt (&x);
      rest = quad_add (x, -1, &one);
    }
  quad_matrix z = quad_inverse (quad_add (x, 1, &one));
  z = quad_multiply (&rest, &z);
  const quad_matrix square = quad_multiply (&z, &z);
  quad_matrix sum = z;
  for (int k = 3; k < 40; k += 2)
    {
      z = quad_multiply (&z, &square);
      sum = quad_add (sum, 1 / (quad) k, &z);
    }
  return quad_scale (factor, &sum);
}

#endif
