/* Families of small matrices for functions of matrices, for test_function_families.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef FAMILIES_H
#define FAMILIES_H 1

#include "long_matrix.h"

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

static inline matrix
reflections (int n)
{
  matrix a = { .n = n };
  for (int i = 0; i < n; i++)
    a.x[i * (n + 1)] = 1;
  for (int count = 0; count < 2; count++)
    {
      double v[MOST_N], norm = 0;
      for (int i = 0; i < n; i++)
        {
          v[i] = measure_normal (&generator);
          norm += v[i] * v[i];
        }
      for (int j = 0; j < n; j++)
        {
          number sum = 0;
          for (int i = 0; i < n; i++)
            sum += v[i] * a.x[i + n * j];
          for (int i = 0; i < n; i++)
            a.x[i + n * j] -= 2 / norm * v[i] * sum;
        }
    }
  return a;
}

/* S: what two elements that are opposite of each other have in common.  */
static inline matrix
structured (int n, int family)
{
  matrix a = random_matrix (n, 0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      {
        const number x = family == 0   ? measure_normal (&generator)
                         : family == 1 ? (double) draw (-30, 30)
                                       : measure_normal (&generator);
        a.x[i + n * j] = i == j ? 0 : x;
        a.x[j + n * i] = i == j ? 0 : -x;
      }
  return a;
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
  switch (family)
    {
    case SKEW:
    case SKEW_INTEGER:
      *a = structured (n, family == SKEW_INTEGER);
      break;
    case ORTHOGONAL:
      *a = reflections (n);
      break;
    case PERMUTATION:
    case COMPANION:
      for (int i = 0; i < n; i++)
        to[i] = (i + 1) % n;
      if (family == PERMUTATION)
        measure_shuffle (&generator, n, to);
      for (int k = 0; k < n * n; k++)
        a->x[k] = to[k % n] == k / n;
      for (int j = 0; family == COMPANION && j < n; j++)
        a->x[n - 1 + n * j] = (double) draw (-3, 3);
      break;
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
    case HAMILTONIAN:
      for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < n / 2; j++)
          {
            const int h = n / 2;
            a->x[h + i + n * (h + j)] = -a->x[j + n * i];
            a->x[i + n * (h + j)] = a->x[j + n * (h + i)];
            a->x[h + i + n * j] = a->x[h + j + n * i];
          }
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

#endif
