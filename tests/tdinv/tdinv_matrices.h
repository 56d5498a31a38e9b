/* The matrices that test_tdinv.c inverts, by kind, type and order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef TDINV_MATRICES_H
#define TDINV_MATRICES_H 1

#include "backend_test.h"
#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* X (KIND, name, c[i], b[i], a[i]), in this order: by default the random numbers that are
   there; UNIT: a random number of modulus 1, PHASE such a one, SIZE a random one above 1.  */
#define EACH_KIND(X)                                                           \
  X (RANDOM_DOMINANT, "random dominant", c[i], b[i], DOMINANT)                 \
  X (ONE_FOUR_ONE, "(1, 4, 1)", 1, 1, 4)                                       \
  X (LAPLACE, "(-1, 2, -1)", -1, -1, 2)  /* cond grows with n^2 */             \
  X (PLUS_LAPLACE, "(1, 2, 1)", 1, 1, 2) /* singular leaves in the paper */    \
  X (BARELY, "barely dominant", /* |a| = |b| + |c|, just not singular */       \
     c[i] / cabs (c[i]), b[i] / cabs (b[i]), phase * (2 + 1e-6 * size))        \
  X (STRONG, "strongly dominant", /* entries of X underflow */                 \
     UNIT, UNIT, phase * 3e6 * size)                                           \
  X (GRADED, "graded", /* D T D, from 1e-150 to 1e150 (single: 1e-15) */       \
     c[i], b[i], DOMINANT)                                                     \
  X (REDUCIBLE, "reducible", /* zeros in b and c at different places */        \
     i % 5 == 2 ? 0 : c[i], i % 7 == 3 ? 0 : b[i], DOMINANT)                   \
  X (RANDOM, "random", c[i], b[i], a[i])                                       \
  X (ZERO_DIAGONAL, "zero diagonal", /* singular for odd n */                  \
     c[i], b[i], 0)                                                            \
  X (OSCILLATING, "(1, 1.5, 1)", 1, 1, 1.5)
#define UNIT random_unit (&r, type)
/* c[i-1] and b[i] stand in row i.  */
#define DOMINANT phase *((i ? cabs (c[i - 1]) : 0) + cabs (b[i]) + 0.1 * size)
#define KIND(kind, name, below, above, diagonal) kind,
#define NAME(kind, name, below, above, diagonal) name,
#define CASE(kind, name, below, above, diagonal)                               \
case kind:                                                                     \
  c[i] = below;                                                                \
  b[i] = above;                                                                \
  a[i] = diagonal;                                                             \
  break;

typedef enum
{
  EACH_KIND (KIND) KINDS,
  LAST_DOMINANT = REDUCIBLE
} kind;

static const char *const kind_name[KINDS] = { EACH_KIND (NAME) };

static double _Complex random_unit (measure_random *r, gpueig_type type)
{
  if (gpueig_is_complex (type))
    return cexp (I * 3.14159 * measure_uniform (r));
  return measure_uniform (r) < 0 ? -1 : 1;
}

/* A problem without room for results: the inverse goes to X, its condition to RCOND, which may
   be NULL.  */
static any_problem
make_matrix (gpueig_type type, kind k, int64_t n, void *x, double *rcond)
{
  any_problem p = { .solver = &solvers[SOLVE_TDINV],
                    .type = type,
                    .values = GPUEIG_DOUBLE,
                    .vectors = type,
                    .n = n,
                    .pages = 1,
                    .band = -1,
                    .d = check_array (type, n),
                    .e = check_array (type, 2 * n),
                    .lambda = (char *) rcond,
                    .v = x };
  measure_random r = { (uint64_t) (17 * k + n) };
  FREED double _Complex *c = check_array (GPUEIG_COMPLEX_DOUBLE, n);
  FREED double _Complex *a = check_array (GPUEIG_COMPLEX_DOUBLE, n);
  FREED double _Complex *b = check_array (GPUEIG_COMPLEX_DOUBLE, n);
  for (int64_t i = 0; i < n; i++)
    {
      c[i] = measure_normal (&r) * random_unit (&r, type);
      b[i] = measure_normal (&r) * random_unit (&r, type);
      a[i] = measure_normal (&r) * random_unit (&r, type);
      double _Complex phase = random_unit (&r, type);
      double size = 1 + fabs (measure_normal (&r));
      switch (k)
        {
          EACH_KIND (CASE)
        default:
          break;
        }
    }
  if (k == GRADED)
    for (int64_t i = 0; i < n; i++)
      {
        double range = gpueig_is_double (type) ? 150 : 15;
        double e
            = n > 1 ? range * (2.0 * (double) i / (double) (n - 1) - 1) : 0;
        double f = n > 1
                       ? range * (2.0 * (double) (i + 1) / (double) (n - 1) - 1)
                       : 0;
        double s = exp2 (floor (e * 1.66)), t = exp2 (floor (f * 1.66));
        a[i] *= s * s;
        b[i] *= s * t;
        c[i] *= s * t;
      }
  for (int64_t i = 0; i < n; i++)
    {
      measure_set (type, p.d, i, a[i]);
      if (i + 1 < n)
        {
          measure_set (type, p.e, i, c[i]);
          measure_set (type, p.e, n - 1 + i, b[i]);
        }
    }
  return p;
}

/* The inputs; the results are the caller's.  */
static void
free_matrix (any_problem *p)
{
  free (p->d);
  free (p->e);
}

/* Claim that P, a matrix of kind K, is inverted by METHOD.  */
static int
invert (any_problem *p, kind k, const char *method)
{
  return check_solve (ctx, p, &options, method, "%s", kind_name[k]);
}

#endif
