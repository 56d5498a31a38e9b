/* Symmetric and Hermitian matrices that solvers find hard, for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef HARD_MATRICES_H
#define HARD_MATRICES_H 1

#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

static void
set_pair (gpueig_type type, void *a, int64_t n, int64_t i, int64_t j,
          double _Complex x)
{
  measure_set (type, a, i + n * j, x);
  measure_set (type, a, j + n * i, conj (x));
}

static double _Complex random_scalar (measure_random *r, gpueig_type type)
{
  double re = measure_normal (r);
  return gpueig_is_complex (type) ? re + I * measure_normal (r) : re;
}

enum
{
  RANDOM,
  ZEROS,
  EYE,
  PLUS_MINUS, /* diag (1, -1, 1, -1, ...) */
  EXCHANGE,   /* [0 1; 1 0] along the antidiagonal */
  KRON,       /* kron ([0 1; 1 0], B) */
  BIPARTITE,  /* adjacency matrix of a random bipartite graph */
  GRAM,       /* X X' of rank n / 4 */
  GRADED,     /* D R D, D from 1 to 1e-6 */
  CLUSTER,    /* I + 1e-9 R */
  TWO_CLUSTERS,
  RANK_ONE,
  WILKINSON,
  TINY, /* random, scaled by 2^k to the edges of the range */
  HUGE_ONES,
  KINDS
};

static const char *const kind_name[KINDS]
    = { "random",       "zeros",     "eye",       "plus-minus", "exchange",
        "kron",         "bipartite", "gram",      "graded",     "cluster",
        "two clusters", "rank one",  "wilkinson", "tiny",       "huge" };

static void
make_random (measure_random *r, gpueig_type type, int64_t n, void *a,
             double scale)
{
  measure_random_symmetric (r, type, n, a);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, a, i, scale * measure_get (type, a, i));
}

/* A <- X X' for n-by-K random X.  */
static void
make_gram (measure_random *r, gpueig_type type, int64_t n, int64_t k, void *a)
{
  FREED double _Complex *x = check_memory (n * k, sizeof *x);
  for (int64_t i = 0; i < n * k; i++)
    x[i] = random_scalar (r, type);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = j; i < n; i++)
      {
        double _Complex s = 0;
        for (int64_t l = 0; l < k; l++)
          s += x[i + n * l] * conj (x[j + n * l]);
        set_pair (type, a, n, i, j, i == j ? creal (s) : s);
      }
}

static void
make_matrix (int kind, gpueig_type type, int64_t n, void *a)
{
  measure_random r = { (uint64_t) (17 + kind) };
  double edge = gpueig_is_double (type) ? 1e-300 : 1e-36;
  double close = gpueig_is_double (type) ? 1e-9 : 1e-4;
  make_random (&r, type, n, a,
               kind == CLUSTER || kind == TWO_CLUSTERS ? close : 0);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j <= i; j++)
      {
        double d = creal (measure_get (type, a, i + n * j));
        int upper = i >= (n + 1) / 2 && j < n / 2;
        double grade_i = pow (10, -6.0 * (double) i / (double) n),
               grade_j = pow (10, -6.0 * (double) j / (double) n);
        switch (kind)
          {
          case EYE:
            measure_set (type, a, i + n * j, i == j);
            break;
          case PLUS_MINUS:
            measure_set (type, a, i + n * j,
                         i == j ? 1 - 2 * (double) (i % 2) : 0);
            break;
          case EXCHANGE:
            set_pair (type, a, n, i, j, i + j == n - 1);
            break;
          case KRON:
          case BIPARTITE:
            if (upper)
              set_pair (type, a, n, i, j,
                        kind == KRON ? random_scalar (&r, type)
                                     : measure_uniform (&r) > 0.3);
            break;
          case GRADED:
            {
              double _Complex x = random_scalar (&r, type);
              set_pair (type, a, n, i, j, (i == j ? 5 : x) * grade_i * grade_j);
              break;
            }
          case CLUSTER:
            if (i == j)
              measure_set (type, a, i + n * j, 1 + d);
            break;
          case TWO_CLUSTERS:
            if (i == j)
              measure_set (type, a, i + n * j, d + (i % 3 == 0 ? 2 : -1));
            break;
          case RANK_ONE:
            set_pair (type, a, n, i, j, 1);
            break;
          case WILKINSON:
            set_pair (type, a, n, i, j,
                      i == j       ? fabs ((double) (2 * i - n + 1) / 2)
                      : i == j + 1 ? 1
                                   : 0);
            break;
          }
      }
  if (kind == RANDOM)
    make_random (&r, type, n, a, 1);
  if (kind == TINY || kind == HUGE_ONES)
    make_random (&r, type, n, a, kind == TINY ? edge : 1 / edge);
  if (kind == GRAM)
    make_gram (&r, type, n, (n + 3) / 4, a);
}

#endif
