/* Functions of small complex matrices in quadruple precision (about 33 digits), by
   methods that are slow and obviously right: the oracle of test_functions.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef QUAD_H
#define QUAD_H 1

#include <string.h>

#if defined __x86_64__ || defined __i386__
__extension__ typedef __float128 quad;
#else
typedef long double quad; /* of 113 bits on other machines */
#endif

enum
{
  QUAD_N = 6, /* largest order */
  QUAD_SQUARE = QUAD_N * QUAD_N
};

typedef struct
{
  quad re, im;
} quad_number;

/* Element (i, j) is x[i + n * j].  */
typedef struct
{
  int n;
  quad_number x[QUAD_SQUARE];
} quad_matrix;

static inline quad_number
quad_mul (quad_number a, quad_number b)
{
  return (quad_number){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

/* A + F B.  */
static inline quad_matrix
quad_add (quad_matrix a, quad f, const quad_matrix *b)
{
  for (int k = 0; k < a.n * a.n; k++)
    {
      a.x[k].re += f * b->x[k].re;
      a.x[k].im += f * b->x[k].im;
    }
  return a;
}

static inline quad_matrix
quad_scale (quad_number f, const quad_matrix *a)
{
  quad_matrix b = *a;
  for (int k = 0; k < a->n * a->n; k++)
    b.x[k] = quad_mul (f, b.x[k]);
  return b;
}

static inline quad_matrix
quad_times (quad f, const quad_matrix *a)
{
  return quad_scale ((quad_number){ f, 0 }, a);
}

static inline quad_matrix
quad_eye (int n)
{
  quad_matrix e;
  memset (&e, 0, sizeof e);
  e.n = n;
  for (int i = 0; i < n; i++)
    e.x[i + n * i].re = 1;
  return e;
}

static inline quad_matrix
quad_multiply (const quad_matrix *a, const quad_matrix *b)
{
  const int n = a->n;
  quad_matrix c = quad_add (quad_eye (n), -1, &(quad_matrix){ .n = n });
  memset (c.x, 0, sizeof c.x);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++)
        {
          const quad_number p = quad_mul (a->x[i + n * k], b->x[k + n * j]);
          c.x[i + n * j].re += p.re;
          c.x[i + n * j].im += p.im;
        }
  return c;
}

static inline quad
quad_size (quad_number a)
{
  const quad re = a.re < 0 ? -a.re : a.re, im = a.im < 0 ? -a.im : a.im;
  return re > im ? re : im;
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
      for (int j = 0; j < n; j++)
        {
          quad_number t = a.x[k + n * j];
          a.x[k + n * j] = a.x[pivot + n * j];
          a.x[pivot + n * j] = t;
          t = b.x[k + n * j];
          b.x[k + n * j] = b.x[pivot + n * j];
          b.x[pivot + n * j] = t;
        }
      const quad_number d = a.x[k + n * k];
      const quad s = quad_size (d), re = d.re / s, im = d.im / s,
                 m = (re * re + im * im) * s;
      const quad_number r = { re / m, -im / m };
      for (int j = 0; j < n; j++)
        {
          a.x[k + n * j] = quad_mul (r, a.x[k + n * j]);
          b.x[k + n * j] = quad_mul (r, b.x[k + n * j]);
        }
      for (int i = 0; i < n; i++)
        {
          const quad_number f = a.x[i + n * k];
          for (int j = 0; j < n && i != k; j++)
            {
              const quad_number p = quad_mul (f, a.x[k + n * j]),
                                q = quad_mul (f, b.x[k + n * j]);
              a.x[i + n * j].re -= p.re;
              a.x[i + n * j].im -= p.im;
              b.x[i + n * j].re -= q.re;
              b.x[i + n * j].im -= q.im;
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
      x = quad_times ((quad) 0.5, &x);
      y = quad_add (y, 1, &xi);
      y = quad_times ((quad) 0.5, &y);
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
    b = quad_times ((quad) 0.5, &b);
  for (int k = 1; k < 40; k++)
    {
      term = quad_multiply (&term, &b);
      term = quad_times (1 / (quad) k, &term);
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
  return quad_times (factor, &sum);
}

#endif
