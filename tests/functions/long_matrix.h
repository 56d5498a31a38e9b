/* Small complex matrices of long double, and exact facts of those of integers: the oracle of
   test_function_families.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef LONG_MATRIX_H
#define LONG_MATRIX_H 1

#include "check.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum
{
  MOST_N = 6,
  SQUARE = MOST_N * MOST_N
};

/* Element (i, j) is x[i + n j].  */
typedef long double _Complex number;

typedef struct
{
  int n;
  number x[SQUARE];
} matrix;

static inline number
join (long double re, long double im)
{
  return re + im * (number) _Complex_I;
}

static inline number
times (number a, number b)
{
  return join (creall (a) * creall (b) - cimagl (a) * cimagl (b),
               creall (a) * cimagl (b) + cimagl (a) * creall (b));
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

static inline matrix
power_of (const matrix *a, int p)
{
  matrix x = *a;
  for (; p > 1; p--)
    x = multiply (&x, a);
  return x;
}

/* The largest sum of moduli in a column of A - F B.  */
static inline double
distance (const matrix *a, double f, const matrix *b)
{
  double most = 0;
  for (int j = 0; j < a->n; j++)
    {
      double sum = 0;
      for (int i = j * a->n; i < (j + 1) * a->n; i++)
        sum += (double) cabsl (a->x[i] - f * b->x[i]);
      most = worst_of (most, sum);
    }
  return most;
}

static inline double
norm_of (const matrix *a)
{
  return distance (a, 0, a);
}

static inline matrix
exponential (const matrix *a)
{
  matrix b = *a, sum = { .n = a->n }, term;
  const int s = (int) fmax (0, ilogb (norm_of (a) + 1e-300) + 2);
  for (int k = 0; k < a->n * a->n; k++)
    {
      b.x[k]
          = join (ldexpl (creall (b.x[k]), -s), ldexpl (cimagl (b.x[k]), -s));
      sum.x[k] = k % (a->n + 1) == 0;
    }
  term = sum;
  for (int k = 1; k < 24; k++)
    {
      term = multiply (&term, &b);
      for (int e = 0; e < a->n * a->n; e++)
        {
          term.x[e] /= k;
          sum.x[e] += term.x[e];
        }
    }
  for (int k = 0; k < s; k++)
    sum = multiply (&sum, &sum);
  return sum;
}

/* --- exact facts of matrices of integers --- */

/* The rank of A, by elimination without fractions.  */
static inline int
rank_of (int n, const int64_t *given)
{
  __extension__ typedef __int128 wide;
  wide a[SQUARE], last = 1;
  int rank = 0;
  for (int k = 0; k < n * n; k++)
    a[k] = given[k];
  for (int column = 0; column < n && rank < n; column++)
    {
      int pivot = rank;
      while (pivot < n && a[pivot + n * column] == 0)
        pivot++;
      if (pivot == n)
        continue;
      for (int j = 0; j < n; j++)
        {
          const wide t = a[pivot + n * j];
          a[pivot + n * j] = a[rank + n * j];
          a[rank + n * j] = t;
        }
      const wide d = a[rank + n * column];
      for (int i = rank + 1; i < n; i++)
        {
          const wide f = a[i + n * column];
          for (int j = column; j < n; j++)
            a[i + n * j] = (a[i + n * j] * d - a[rank + n * j] * f) / last;
        }
      last = d;
      rank++;
    }
  return rank;
}

/* The order of the largest Jordan block of zero: the powers of A from it on have the same rank.  */
static inline int
index_of (const matrix *m)
{
  const int n = m->n;
  int64_t a[SQUARE], power[SQUARE];
  int before = n;
  for (int k = 0; k < n * n; k++)
    a[k] = power[k] = (int64_t) creall (m->x[k]);
  for (int index = 0;; index++)
    {
      const int rank = rank_of (n, power);
      if (rank == before)
        return index;
      before = rank;
      int64_t next[SQUARE] = { 0 };
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          for (int i = 0; i < n; i++)
            next[i + n * j] += a[i + n * k] * power[k + n * j];
      memcpy (power, next, sizeof power);
    }
}

#endif
