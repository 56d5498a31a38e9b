/* The scaling of one definite pair, see scale_pair.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Where the diagonal of B spans a wide range the cause is units that are far apart, which A has
   too, or masses that differ by much.  A congruence takes out the units, such that the
   largest elements of all rows of A are near 1: errors that are small for the norm of A are
   then small for every row.  It is not unique if A lacks a diagonal.  If the rows of A are
   equal as they are given, nothing is taken out; else the units of B are where it begins.  */

#include "base/scalar.h"
#include "base/solver.h"
#include "eig/pair.h"

#include <stdlib.h>
#include <string.h>

enum
{
  /* Nothing is scaled if the exponents of the diagonal of B are at most CLOSE and do not differ
     by more than APART, and that of the largest element of A is at most FAR.  */
  CLOSE = GE_DOUBLE ? 100 : 30,
  APART = GE_DOUBLE ? 24 : 10,
  FAR = GE_DOUBLE ? 400 : 40,
  /* The exponent of the largest element of the scaled A, where B was scaled.  */
  SMALL = GE_DOUBLE ? 50 : 10,
  STEPS = 40, /* each halves the deviation of rows from 1 */
  EQUAL = 20, /* exponents of rows that differ by less are equal */
  NONE = INT32_MIN
};

/* The exponent of the larger part of X, NONE for 0.  */
static int
exponent_of (scalar_t x)
{
  int e;
  (void) GE_MATH (frexp) (part_ (x), &e);
  return part_ (x) == 0 ? NONE : e;
}

/* The exponent of the largest element of row I of diag (2^-u) A diag (2^-u).  */
static int
row_exponent (int64_t n, const scalar_t *a, int64_t i, const int *u)
{
  int most = NONE;
  for (int64_t j = 0; j < n; j++)
    {
      const int e = exponent_of (a[j + n * i]);
      if (e != NONE && e - u[i] - u[j] > most)
        most = e - u[i] - u[j];
    }
  return most;
}

/* The power of two that takes the exponent E out of a diagonal element.  */
static int
half_of (int e)
{
  return -(e - (e & 1)) / 2;
}

/* Nonzero if the largest elements of the rows of diag (2^-u) A diag (2^-u) that are not zero
   are equal.  */
static int
are_equal (int64_t n, const scalar_t *a, const int *u)
{
  int least = INT32_MAX, most = INT32_MIN;
  for (int64_t i = 0; i < n; i++)
    {
      const int e = row_exponent (n, a, i, u);
      if (e == NONE)
        continue;
      least = e < least ? e : least;
      most = e > most ? e : most;
    }
  return most <= least || most - least <= EQUAL;
}

/* The exponent of row I from which the units of A are found: 0, or that of B.  */
static int
unit_of (int64_t n, const scalar_t *b, int as_given, int64_t i)
{
  return as_given ? 0 : -half_of (exponent_of (b[i + n * i]));
}

void
FN (ge_pair_equilibrate) (int64_t n, const void *a, const void *b, int *u,
                          int *row)
{
  int worst = 2;
  int64_t first = 0;
  memset (u, 0, (size_t) n * sizeof *u);
  const int as_given = are_equal (n, a, u);
  for (int64_t i = 0; i < n; i++)
    u[i] = unit_of (n, b, as_given, i);
  for (int step = 0; step < STEPS && worst > 1; step++)
    {
      worst = 0;
      for (int64_t i = 0; i < n; i++)
        row[i] = row_exponent (n, a, i, u);
      for (int64_t i = 0; i < n; i++)
        if (row[i] != NONE)
          {
            worst = abs (row[i]) > worst ? abs (row[i]) : worst;
            u[i] += row[i] / 2;
          }
    }
  /* Rows of zeros are scaled as the first of the others.  */
  while (first < n - 1 && row[first] == NONE)
    first++;
  const int common = u[first] - unit_of (n, b, as_given, first);
  for (int64_t i = 0; i < n; i++)
    if (row[i] == NONE)
      u[i] += common;
}

/* *LEAST and *MOST: exponents of the diagonal of diag (2^d) B diag (2^d); returns 0 if that is
   not positive.  */
static int
find_span (int64_t n, const scalar_t *b, const int *d, int *least, int *most)
{
  *least = INT32_MAX;
  *most = INT32_MIN;
  for (int64_t i = 0; i < n; i++)
    {
      const int e = exponent_of (b[i + n * i]) + 2 * d[i];
      if (! (re_ (b[i + n * i]) > 0))
        return 0;
      *least = e < *least ? e : *least;
      *most = e > *most ? e : *most;
    }
  return 1;
}

int
FN (ge_pair_exponent) (int64_t n, const void *data, const int *d)
{
  const scalar_t *a = data;
  int most = NONE;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        const int e = exponent_of (a[i + n * j]);
        if (e != NONE && e + d[i] + d[j] > most)
          most = e + d[i] + d[j];
      }
  return most;
}

int
FN (ge_pair_scales) (gpueig_context *ctx, int64_t n, const void *a_data,
                     const void *b_data, int *d, int *row, int *shift)
{
  const scalar_t *a = a_data, *b = b_data;
  int least, greatest;
  *shift = 0;
  memset (d, 0, (size_t) n * sizeof *d);
  if (! find_span (n, b, d, &least, &greatest))
    return GE_PAIR_AS_GIVEN;
  const int apart = greatest - least > APART;
  const int wide = least < -CLOSE || greatest > CLOSE || apart;
  const int e = exponent_of (FN (ge_largest_part) (ctx, n * n, a));
  if (! wide && (e == NONE || (e <= FAR && e >= -FAR)))
    return GE_PAIR_AS_GIVEN;
  if (apart)
    {
      FN (ge_pair_equilibrate) (n, a, b, d, row);
      for (int64_t i = 0; i < n; i++)
        d[i] = -d[i];
      (void) find_span (n, b, d, &least, &greatest);
    }
  if (greatest - least > CLOSE)
    return GE_PAIR_EXTREME;
  for (int64_t i = 0; i < n && wide; i++)
    d[i] += half_of ((least + greatest) / 2);
  const int most = FN (ge_pair_exponent) (n, a, d), to = wide ? SMALL : FAR;
  if (most != NONE)
    *shift = most > to ? most - to : most < -to ? most + to : 0;
  return GE_PAIR_SCALED;
}

int
FN (ge_pair_may_scale) (const ge_page_facts *a, const ge_page_facts *b)
{
  int e[3] = { 0, 0, 0 };
  (void) frexp (b->least_diagonal, &e[0]);
  (void) frexp (b->most_diagonal, &e[1]);
  (void) frexp (a->largest, &e[2]);
  return b->least_diagonal > 0
         && (e[0] < -CLOSE || e[1] > CLOSE || e[1] - e[0] > APART
             || abs (e[2]) > FAR);
}

void
FN (ge_pair_scaled) (int64_t n, const void *a, const int *d, int shift,
                     void *to)
{
  const scalar_t *from = a;
  scalar_t *out = to;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      out[i + n * j] = times_power_ (from[i + n * j], d[i] + d[j] - shift);
}

void
FN (ge_pair_rows_scaled) (int64_t n, int64_t columns, const int *d, void *data)
{
  scalar_t *v = data;
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < n; i++)
      v[i + n * j] = times_power_ (v[i + n * j], d[i]);
}
