/* Families of small matrices for functions of matrices, for test_function_families.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef FAMILIES_H
#define FAMILIES_H 1

#define REAL long double
#define NUMBER long double _Complex
#include "small_families.h"
#include "small_matrix.h"

#include <math.h>
#include <string.h>

/* A page of a family: the matrix D A D^-1, D of powers of two UNITS, and A 2^EXPONENT;
   INTEGER: A is known exactly.  */
typedef struct
{
  matrix a;
  int units[MOST_N], integer;
} page;

static measure_random generator;

static inline int64_t
draw (int64_t least, int64_t most)
{
  return measure_integer (&generator, least, most);
}

static inline matrix
random_matrix (int n, int64_t most)
{
  matrix a = { .n = n };
  for (int k = 0; k < n * n; k++)
    a.x[k]
        = most > 0 ? (double) draw (-most, most) : measure_normal (&generator);
  return a;
}

/* V B V^-1 for a random V of integers with determinant 1: exact for small integers.  */
static inline matrix
similar (const matrix *b)
{
  matrix a = *b;
  const int n = a.n;
  for (int step = 0; step < 2 * n; step++)
    {
      const int i = (int) draw (0, n - 1), k = (int) draw (0, n - 1);
      const double f = (double) draw (-2, 2);
      for (int j = 0; i != k && j < n; j++)
        a.x[i + n * j] += f * a.x[k + n * j];
      for (int j = 0; i != k && j < n; j++)
        a.x[j + n * k] -= f * a.x[j + n * i];
    }
  return a;
}

/* Diagonal blocks with VALUE and, above it, ones or zeros.  */
static inline matrix
jordan (int n, double value, int blocks)
{
  matrix a = { .n = n };
  for (int i = 0; i < n; i++)
    {
      a.x[i * (n + 1)] = i < n - 1 || blocks == n ? value : value + 2;
      if (i > 0 && i % blocks != 0 && i < n - 1)
        a.x[i - 1 + n * i] = 1;
    }
  return similar (&a);
}

static inline matrix
diagonal (int n, double first, double second)
{
  matrix a = { .n = n };
  for (int i = 0; i < n; i++)
    a.x[i * (n + 1)] = i < n / 2 ? first : second;
  return similar (&a);
}

/* X (FAMILY, name).  */
#define EACH_FAMILY(X)                                                         \
  X (NORMAL, "normal")                                                         \
  X (SKEW, "skew")                                                             \
  X (SKEW_INTEGER, "integer skew")                                             \
  X (ORTHOGONAL, "orthogonal")                                                 \
  X (PERMUTATION, "permutation")                                               \
  X (NILPOTENT, "nilpotent")                                                   \
  X (IDEMPOTENT, "idempotent")                                                 \
  X (INVOLUTORY, "involutory")                                                 \
  X (RANK_ONE, "rank one")                                                     \
  X (JORDAN_AT_ZERO, "Jordan at 0")                                            \
  X (JORDAN_AT_ONE, "Jordan at 1")                                             \
  X (JORDAN_AT_MINUS_ONE, "Jordan at -1")                                      \
  X (COMPANION, "companion")                                                   \
  X (HAMILTONIAN, "Hamiltonian")                                               \
  X (NEXT_TO_AXIS, "next to the negative axis")                                \
  X (ZERO_ONE, "zeros and ones")                                               \
  X (SMALL_INTEGERS, "integers")                                               \
  X (GENERATOR, "generators")                                                  \
  X (OTHER_UNITS, "other units")                                               \
  X (BLOCKS_OF_OTHER_SIZE, "blocks of other size")
#define FAMILY(family, name) family,
#define NAME(family, name) name,

enum
{
  EACH_FAMILY (FAMILY) FAMILIES
};

static const char *const family_name[] = { EACH_FAMILY (NAME) };

/* Those that other tests have too.  */
static fill_page *const family_fill[FAMILIES]
    = { [SKEW] = fill_skew,           [SKEW_INTEGER] = fill_skew_integers,
        [ORTHOGONAL] = fill_unitary,  [PERMUTATION] = fill_permutation,
        [COMPANION] = fill_companion, [HAMILTONIAN] = fill_hamiltonian };

static inline page
make_page (int family, int n, int is_single)
{
  page p = { .a = random_matrix (n, 0) };
  matrix *a = &p.a;
  int64_t to[MOST_N];
  p.integer = family == PERMUTATION
              || (family >= NILPOTENT && family <= COMPANION)
              || family == ZERO_ONE || family == SMALL_INTEGERS
              || family == SKEW_INTEGER;
  if (family_fill[family])
    {
      double complex x[SQUARE] = { 0 };
      family_fill[family](&(family_page){ &generator, 0, n, 0 }, x);
      for (int k = 0; k < n * n; k++)
        a->x[k] = x[k];
    }
  switch (family)
    {
    case NILPOTENT:
      *a = jordan (n, 0, n);
      break;
    case IDEMPOTENT:
      *a = diagonal (n, 1, 0);
      break;
    case INVOLUTORY:
      *a = diagonal (n, 1, -1);
      break;
    case RANK_ONE:
      for (int i = 0; i < n; i++)
        to[i] = draw (-4, 4);
      for (int k = 0; k < n * n; k++)
        a->x[k] = (double) to[k % n] * (k % n == 0 ? (double) draw (-4, 4) : 0);
      for (int k = 0; k < n * n; k++)
        a->x[k] = (double) to[k % n] * a->x[k / n * n]
                  / (to[0] == 0 ? 1 : (double) to[0]);
      break;
    case JORDAN_AT_ZERO:
    case JORDAN_AT_ONE:
    case JORDAN_AT_MINUS_ONE:
      *a = jordan (
          n, family - JORDAN_AT_ZERO == 2 ? -1 : family - JORDAN_AT_ZERO, 2);
      break;
    case NEXT_TO_AXIS:
      for (int k = 0; k < n * n; k++)
        a->x[k] = (k % (n + 1) == 0 ? -1.3 : 0)
                  + (is_single ? 1e-3 : 1e-8) * a->x[k];
      break;
    case ZERO_ONE:
      for (int k = 0; k < n * n; k++)
        a->x[k] = measure_chance (&generator) < 0.4;
      break;
    case SMALL_INTEGERS:
      *a = random_matrix (n, 2);
      break;
    case GENERATOR:
      for (int i = 0; i < n; i++)
        {
          a->x[i * (n + 1)] = 0;
          for (int j = 0; j < n; j++)
            a->x[i * (n + 1)] -= i == j ? 0 : cabsl (a->x[i + n * j]);
          for (int j = 0; j < n; j++)
            if (j != i)
              a->x[i + n * j] = cabsl (a->x[i + n * j]);
        }
      break;
    case OTHER_UNITS:
      for (int i = 0; i < n; i++)
        p.units[i] = (int) draw (is_single ? -20 : -250, is_single ? 20 : 250);
      break;
    case BLOCKS_OF_OTHER_SIZE:
      for (int k = 0; k < n * n; k++)
        a->x[k] *= (k % n < 2) != (k / n < 2) ? 0
                   : k % n < 2                ? (is_single ? 0x1p13 : 0x1p33)
                                              : (is_single ? 0x1p-13 : 0x1p-33);
      break;
    default:
      break;
    }
  return p;
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
