/* Small complex matrices and functions of them, by methods that are slow and obviously right:
   the oracles of the tests of gpueig_funm.  The file that includes this one defines REAL and
   NUMBER, the types of real and complex numbers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SMALL_MATRIX_H
#define SMALL_MATRIX_H 1

enum
{
  MOST_N = 6, /* order */
  SQUARE = MOST_N * MOST_N
};

/* Element (i, j) is x[i + n * j].  */
typedef struct
{
  int n;
  NUMBER x[SQUARE];
} matrix;

static inline NUMBER
join (REAL re, REAL im)
{
  NUMBER z;
  __real__ z = re;
  __imag__ z = im;
  return z;
}

/* A B, faster than by the operator, which looks for NaN.  */
static inline NUMBER
times (NUMBER a, NUMBER b)
{
  return join (__real__ a * __real__ b - __imag__ a * __imag__ b,
               __real__ a * __imag__ b + __imag__ a * __real__ b);
}

static inline matrix
scale (NUMBER f, const matrix *a)
{
  matrix b = { .n = a->n };
  for (int k = 0; k < a->n * a->n; k++)
    b.x[k] = times (f, a->x[k]);
  return b;
}

/* A + F B.  */
static inline matrix
add (const matrix *a, REAL f, const matrix *b)
{
  matrix c = *a;
  for (int k = 0; k < a->n * a->n; k++)
    c.x[k] += f * b->x[k];
  return c;
}

static inline matrix
identity (int n)
{
  matrix e = { .n = n };
  for (int i = 0; i < n; i++)
    e.x[i * (n + 1)] = 1;
  return e;
}

static inline matrix
multiply (const matrix *a, const matrix *b)
{
  const int n = a->n;
  matrix c = { .n = n };
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++)
        c.x[i + n * j] += times (a->x[i + n * k], b->x[k + n * j]);
  return c;
}

/* The larger one of the sizes of the parts of Z, a modulus without a square root.  */
static inline REAL
size_of (NUMBER z)
{
  const REAL re = __real__ z < 0 ? -__real__ z : __real__ z,
             im = __imag__ z < 0 ? -__imag__ z : __imag__ z;
  return re > im || re != re ? re : im;
}

/* The largest sum of sizes in a column; NaN where there is one.  */
static inline double
norm_of (const matrix *a)
{
  double most = 0;
  for (int j = 0; j < a->n; j++)
    {
      REAL sum = 0;
      for (int i = 0; i < a->n; i++)
        sum += size_of (a->x[i + a->n * j]);
      most = (double) sum > most || sum != sum ? (double) sum : most;
    }
  return most;
}

/* The norm of A - B.  */
static inline double
distance (const matrix *a, const matrix *b)
{
  const matrix d = add (a, -1, b);
  return norm_of (&d);
}

/* By Gauss and Jordan with pivoting.  */
static inline matrix
inverse (matrix a)
{
  const int n = a.n;
  matrix b = identity (n);
  for (int k = 0; k < n; k++)
    {
      int pivot = k;
      for (int i = k + 1; i < n; i++)
        if (size_of (a.x[i + n * k]) > size_of (a.x[pivot + n * k]))
          pivot = i;
      const NUMBER d = a.x[pivot + n * k];
      for (int j = 0; j < n; j++)
        {
          const NUMBER s = a.x[pivot + n * j], t = b.x[pivot + n * j];
          a.x[pivot + n * j] = a.x[k + n * j];
          b.x[pivot + n * j] = b.x[k + n * j];
          a.x[k + n * j] = s / d;
          b.x[k + n * j] = t / d;
        }
      for (int i = 0; i < n; i++)
        {
          const NUMBER f = a.x[i + n * k];
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
static inline matrix
square_root (const matrix *a)
{
  matrix x = *a, y = identity (a->n);
  for (int step = 0; step < 900; step++)
    {
      const matrix xi = inverse (x), yi = inverse (y), before = x;
      x = add (&x, 1, &yi);
      x = scale (0.5, &x);
      y = add (&y, 1, &xi);
      y = scale (0.5, &y);
      if (distance (&x, &before) <= 1e-31 * norm_of (&x))
        break;
    }
  return x;
}

/* By the series, with scaling and squaring.  */
static inline matrix
exponential (const matrix *a)
{
  int s = 0;
  matrix b = *a, sum = identity (a->n), term = sum;
  for (; norm_of (&b) > 0.5 && s < 1100; s++)
    b = scale (0.5, &b);
  for (int k = 1; norm_of (&term) > 1e-35 && k < 100; k++)
    {
      term = multiply (&term, &b);
      term = scale (1 / (REAL) k, &term);
      sum = add (&sum, 1, &term);
    }
  for (; s > 0; s--)
    sum = multiply (&sum, &sum);
  return sum;
}

/* Principal logarithm by square roots and the series of artanh.  */
static inline matrix
logarithm (const matrix *a)
{
  const matrix one = identity (a->n);
  matrix x = *a, rest = add (&x, -1, &one);
  REAL factor = 2;
  for (; norm_of (&rest) > 0.2 && factor < 0x1p100; factor *= 2)
    {
      x = square_root (&x);
      rest = add (&x, -1, &one);
    }
  matrix z = inverse (add (&x, 1, &one));
  z = multiply (&rest, &z);
  const matrix square = multiply (&z, &z);
  matrix sum = z;
  for (int k = 3; k < 40; k += 2)
    {
      z = multiply (&z, &square);
      sum = add (&sum, 1 / (REAL) k, &z);
    }
  return scale (factor, &sum);
}

#endif
