/* The matrices that test_tdinv.c inverts, by kind, type and order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef TDINV_MATRICES_H
#define TDINV_MATRICES_H 1

#include "backend_test.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static inline gpueig_status
invert (const gpueig_tdinv_problem *p, const char *method, gpueig_info *info)
{
  gpueig_options o = options;
  o.method = method;
  return gpueig_tdinv (ctx, p, &o, info);
}

typedef struct
{
  gpueig_type type;
  int64_t n;
  char name[64];
  void *c, *a, *b;
} matrix;

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

static matrix
make_matrix (gpueig_type type, kind k, int64_t n)
{
  matrix m = { .type = type, .n = n };
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
  m.c = check_array (type, n);
  m.a = check_array (type, n);
  m.b = check_array (type, n);
  for (int64_t i = 0; i < n; i++)
    {
      measure_set (type, m.c, i, c[i]);
      measure_set (type, m.a, i, a[i]);
      measure_set (type, m.b, i, b[i]);
    }
  snprintf (m.name, sizeof m.name, "%s, %s n=%d", kind_name[k],
            check_type_name[type], (int) n);
  return m;
}

static void
free_matrix (matrix *m)
{
  free (m->c);
  free (m->a);
  free (m->b);
}

/* All of the inverse of M into X.  */
static gpueig_tdinv_problem
problem_of (const matrix *m, void *x, double *rcond)
{
  return (gpueig_tdinv_problem){ .type = m->type,
                                 .n = m->n,
                                 .c = m->c,
                                 .a = m->a,
                                 .b = m->b,
                                 .band = -1,
                                 .x = x,
                                 .rcond = rcond };
}

#endif
