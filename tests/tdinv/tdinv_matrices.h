/* The matrices that test_tdinv.c inverts, by kind, type and order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef TDINV_MATRICES_H
#define TDINV_MATRICES_H 1

#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static gpueig_context *ctx;
static gpueig_options options;

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

typedef enum
{
  RANDOM_DOMINANT,
  ONE_FOUR_ONE,
  LAPLACE,      /* (-1, 2, -1): cond grows with n^2 */
  PLUS_LAPLACE, /* (1, 2, 1): the paper's method meets singular leaves */
  BARELY,       /* random signs, |a| = |b| + |c|, just not singular */
  STRONG,       /* entries of X underflow */
  GRADED,       /* D T D, entries from 1e-150 to 1e150 (single: 1e-15) */
  REDUCIBLE,    /* zeros in b and c at different places */
  LAST_DOMINANT = REDUCIBLE,
  RANDOM,        /* no dominance */
  ZERO_DIAGONAL, /* every second pivot vanishes; singular for odd n */
  OSCILLATING,   /* (1, 1.5, 1) */
  KINDS
} kind;

static const char *const kind_name[KINDS]
    = { "random dominant", "(1, 4, 1)",         "(-1, 2, -1)", "(1, 2, 1)",
        "barely dominant", "strongly dominant", "graded",      "reducible",
        "random",          "zero diagonal",     "(1, 1.5, 1)" };

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
        case RANDOM_DOMINANT:
        case REDUCIBLE:
        case GRADED:
          if (k == REDUCIBLE && i % 7 == 3)
            b[i] = 0;
          if (k == REDUCIBLE && i % 5 == 2)
            c[i] = 0;
          /* c[i-1] and b[i] stand in row i.  */
          a[i] = phase * ((i ? cabs (c[i - 1]) : 0) + cabs (b[i]) + 0.1 * size);
          break;
        case ONE_FOUR_ONE:
          c[i] = b[i] = 1;
          a[i] = 4;
          break;
        case LAPLACE:
          c[i] = b[i] = -1;
          a[i] = 2;
          break;
        case PLUS_LAPLACE:
          c[i] = b[i] = 1;
          a[i] = 2;
          break;
        case BARELY:
          c[i] /= cabs (c[i]);
          b[i] /= cabs (b[i]);
          a[i] = phase * (2 + 1e-6 * size);
          break;
        case STRONG:
          a[i] = phase * 3e6 * size;
          c[i] = random_unit (&r, type);
          b[i] = random_unit (&r, type);
          break;
        case ZERO_DIAGONAL:
          a[i] = 0;
          break;
        case OSCILLATING:
          c[i] = b[i] = 1;
          a[i] = 1.5;
          break;
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
