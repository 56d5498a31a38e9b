/* Verification of definite pairs that LAPACK has solved or reduced, by random vectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   With Frobenius norms, a column v of V and its eigenvalue d are right for

       |A v - d B v| <= m (|A| + |d| |B|) |v|,
       |u'B v - (1 or 0)| <= m |B| |u| |v|,  u another column,

   m a few n eps, and a factor L and C = L^-1 A L^-H for

       |B - L L'| <= m |B|,  |A - L C L'| <= m |B| |C|.

   A sum of columns with random factors and such weights that all have the same limit replaces the
   single ones.  The weights keep the rounding errors of the sum in proportion, so that small
   columns are verified as well as large ones.  O(n^2).  */

#include "base/checks.h"
#include "base/random.h"
#include "base/verify_by_sampling.h"
#include "eig/pair.h"

#include <float.h>
#include <math.h>

/* X 2^-exponent and its norm.  */
typedef struct
{
  const void *x;
  int exponent;
  double norm;
} scaled;

/* Complex vectors of n numbers are arrays of real and of imaginary parts.  */
typedef struct
{
  gpueig_type type;
  int64_t n;
  scaled a, b;
  double *space, *length, *zero, *z[2], *x[2], *y[2], *p[2], *q[2];
} check;

/* EVEN: of an even exponent, which is 0 unless squares may be out of range.  */
static scaled
scaled_of (const check *c, const void *x, int even)
{
  scaled s = { .x = x };
  double trace, squares;
  GE_BY_TYPE (c->type, ge_sample_sums,
              (NULL, c->n, x, 0, c->space, &trace, &squares));
  if (! (squares > 1e-200 && squares < 1e200))
    {
      s.exponent = ge_largest_exponent (NULL, c->type, c->n * c->n, x);
      if (s.exponent == GE_NOT_FINITE)
        return (scaled){ x, 0, NAN };
      s.exponent -= even ? s.exponent & 1 : 0;
      GE_BY_TYPE (c->type, ge_sample_sums,
                  (NULL, c->n, x, s.exponent, c->space, &trace, &squares));
    }
  s.norm = sqrt (squares);
  return s;
}

/* X 2^E; ldexp takes long.  */
static double
power (double x, int e)
{
  return e == 0 ? x : ldexp (x, e);
}

static check
begin_check (const gpueig_symmetric *s, double *space)
{
  check c = { .type = s->type, .n = s->n, .space = space };
  double **const all[] = { c.z, c.x, c.y, c.p, c.q };
  for (int i = 0; i < 10; i++)
    all[i / 2][i % 2] = space + s->n * i;
  c.zero = space + s->n * 10;
  c.length = space + s->n * 11;
  c.a = scaled_of (&c, s->a, 0);
  c.b = scaled_of (&c, s->b, 1);
  for (int64_t i = 0; i < s->n; i++)
    c.zero[i] = 0;
  return c;
}

/* TO = M 2^-exponent Z, M n-by-COLUMNS.  */
static void
multiply_scaled (const check *c, int64_t columns, const scaled *m,
                 double *const z[2], double *const to[2])
{
  GE_BY_TYPE (c->type, ge_sample_multiply,
              (NULL, c->n, columns, m->x, m->exponent, z, to));
}

/* Errors are small in units of n eps, even those of a sum of all columns.  */
static int
passes (const check *c, double error)
{
  const double eps = gpueig_is_double (c->type) ? DBL_EPSILON : FLT_EPSILON;
  return error <= 10 * ((double) c->n + 10) * eps;
}

/* (A V - B V diag (d)) z.  */
static int
residual_passes (const check *c, const gpueig_symmetric *s, int64_t count)
{
  const scaled v = { .x = s->v };
  double *const z[2] = { c->z[0], c->zero }, *const dz[2]
                                             = { c->z[1], c->zero };
  uint64_t state = 1;
  for (int64_t j = 0; j < count; j++)
    {
      const double d = power (ge_real_at (s->type, s->lambda, j),
                              c->b.exponent - c->a.exponent),
                   size = c->a.norm + fabs (d) * c->b.norm,
                   x = ge_next_random (&state) / c->length[j];
      z[0][j] = size > 0 ? x / size : x;
      dz[0][j] = d * z[0][j];
    }
  multiply_scaled (c, count, &v, z, c->x);
  multiply_scaled (c, count, &v, dz, c->y);
  multiply_scaled (c, c->n, &c->a, c->x, c->p);
  multiply_scaled (c, c->n, &c->b, c->y, c->q);
  return passes (c, ge_sample_distance (c->n, c->p, c->q));
}

/* (V' B V - I) z.  */
static int
products_pass (const check *c, const gpueig_symmetric *s, int64_t count)
{
  const scaled v = { .x = s->v };
  double *const z[2] = { c->z[0], c->zero };
  uint64_t state = 2;
  double worst = 0;
  for (int64_t j = 0; j < count; j++)
    z[0][j] = ge_next_random (&state) / c->length[j];
  multiply_scaled (c, count, &v, z, c->x);
  multiply_scaled (c, c->n, &c->b, c->x, c->y);
  GE_BY_TYPE (s->type, ge_sample_adjoint,
              (NULL, c->n, count, s->v, 0, c->y, c->p));
  for (int64_t j = 0; j < count; j++)
    {
      const double unit = power (1 / c->length[j], -c->b.exponent / 2),
                   re = c->p[0][j] / c->length[j]
                        - unit * unit * (z[0][j] * c->length[j]);
      const double error = hypot (re, c->p[1][j] / c->length[j]);
      worst = error <= worst ? worst : error;
    }
  return passes (c, worst / c->b.norm);
}

int
ge_pair_is_solved (const gpueig_symmetric *s, int64_t count, int residuals,
                   double *space)
{
  const check c = begin_check (s, space);
  GE_BY_TYPE (s->type, ge_sample_lengths, (s->n, count, s->v, c.length));
  return (! residuals || residual_passes (&c, s, count))
         && products_pass (&c, s, count);
}

int
ge_pair_is_reduced (const gpueig_symmetric *s, const void *reduced,
                    const void *factor, double *space)
{
  const check all = begin_check (s, space), *const c = &all;
  const scaled l = { .x = factor, .exponent = c->b.exponent / 2 },
               of_c = scaled_of (c, reduced, 0);
  const int shift = of_c.exponent + c->b.exponent - c->a.exponent;
  double *const z[2] = { c->z[0], c->zero };
  uint64_t state = 3;
  for (int64_t i = 0; i < s->n; i++)
    z[0][i] = ge_next_random (&state);
  /* x = L' z  */
  GE_BY_TYPE (s->type, ge_sample_adjoint,
              (NULL, s->n, s->n, factor, l.exponent, z, c->x));
  multiply_scaled (c, s->n, &l, c->x, c->p);
  multiply_scaled (c, s->n, &c->b, z, c->q);
  const double of_b = ge_sample_distance (c->n, c->p, c->q) / c->b.norm;
  multiply_scaled (c, s->n, &of_c, c->x, c->y);
  multiply_scaled (c, s->n, &l, c->y, c->p);
  multiply_scaled (c, s->n, &c->a, z, c->q);
  for (int64_t i = 0; i < 2 * s->n; i++)
    c->p[0][i] = power (c->p[0][i], shift);
  const double size = c->a.norm + power (of_c.norm * c->b.norm, shift),
               of_a = ge_sample_distance (c->n, c->p, c->q);
  return passes (c, of_b) && passes (c, size > 0 ? of_a / size : of_a);
}
