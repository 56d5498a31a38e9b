/* Square roots, logarithms and powers of an upper triangular matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Logarithm: A. H. Al-Mohy, N. J. Higham, Improved inverse scaling and squaring algorithms
   for the matrix logarithm, SIAM J. Sci. Comput. 34, 2012, algorithm 4.1.  Powers: N. J.
   Higham, L. Lin, An improved Schur-Pade algorithm for fractional powers of a matrix,
   SIAM J. Matrix Anal. Appl. 34, 2013; a power outside of (-1, 1) is halved first, and the
   result squared as often.  */

#include "functions/calc.h"

#include <complex.h>
#include <float.h>
#include <math.h>

enum
{
  DEGREES = 7
};

/* Matrices of a calculation, beside those of exponentials.  */
enum
{
  R,
  B,
  SPARE,
  SUM,
  GIVEN = 6,
  RESULT
};

gpueig_status
ge_calc_diagonal (ge_calc *c, gpueig_funm_kind kind, ge_point power,
                  const void *a, void *to)
{
  ge_point *z = c->lines;
  GE_TRY (ge_calc_copy (c, a, to));
  GE_TRY (c->ops->line (c, to, 0, z, 0));
  for (int64_t i = 0; i < c->n; i++)
    z[i] = c->own && z[i] == 0 && kind == GPUEIG_LOGM
               ? -INFINITY
               : ge_point_function (kind, power, z[i]);
  return c->ops->line (c, to, 0, z, 1);
}

gpueig_status
ge_calc_set_exactly (ge_calc *c, gpueig_funm_kind kind, ge_point power,
                     const void *t, double factor, void *x)
{
  ge_point *z = c->lines, *above = z + c->n, *f = above + c->n;
  const int64_t n = c->n;
  GE_TRY (c->ops->line (c, (void *) t, 0, z, 0));
  if (n > 1)
    {
      GE_TRY (c->ops->line (c, (void *) t, 1, above, 0));
      GE_TRY (c->ops->line (c, x, 1, f, 0));
    }
  for (int64_t i = 0; i < n; i++)
    z[i] = ge_point_of (creal (z[i]) * factor, cimag (z[i]) * factor);
  for (int64_t i = 0; i + 1 < n; i++)
    if (kind == GPUEIG_EXPM || (z[i] != 0 && z[i + 1] != 0))
      f[i] = above[i] == 0
                 ? 0
                 : ge_point_corner (kind, power, z[i], z[i + 1],
                                    ge_point_of (creal (above[i]) * factor,
                                                 cimag (above[i]) * factor));
  if (n > 1)
    GE_TRY (c->ops->line (c, x, 1, f, 1));
  for (int64_t i = 0; i < n; i++)
    z[i] = ge_point_function (kind, power, z[i]);
  return c->ops->line (c, x, 0, z, 1);
}

/* --- inverse scaling --- */

/* The matrix that is scaled: R = T^(2^-roots) - I, T given, with its diagonal.  */
typedef struct
{
  ge_calc *c;
  const void *t;
  const ge_point *diagonal;
  int roots;
} scaled;

/* An estimate of the 1-norm of R^p, to the power 1/p.  */
static gpueig_status
root_of_norm (const scaled *s, int p, double *value)
{
  GE_TRY (s->c->ops->power_norm (s->c, s->c->m[R], p, value));
  *value = pow (*value, 1.0 / p);
  return GPUEIG_OK;
}

/* One more square root of R + I.  */
static gpueig_status
take_root (scaled *s)
{
  ge_calc *c = s->c;
  ge_point *d = c->lines + 2 * c->n;
  for (int64_t i = 0; i < c->n; i++)
    d[i] = ge_point_function (GPUEIG_MPOWER, ldexp (1, -s->roots),
                              s->diagonal[i]);
  GE_TRY (c->ops->line (c, c->m[R], 0, d, 1));
  GE_TRY (c->ops->root (c, c->m[R]));
  s->roots++;
  for (int64_t i = 0; i < c->n; i++)
    d[i] = ge_point_root_minus_1 (s->diagonal[i], s->roots);
  return c->ops->line (c, c->m[R], 0, d, 1);
}

/* The superdiagonal of T^(2^-roots), whose rounding errors the rest multiplies.  */
static gpueig_status
set_superdiagonal (const scaled *s)
{
  ge_calc *c = s->c;
  ge_point *above = c->lines + c->n, *r = above + c->n;
  if (c->n == 1)
    return GPUEIG_OK;
  GE_TRY (c->ops->line (c, (void *) s->t, 1, above, 0));
  GE_TRY (c->ops->line (c, c->m[R], 1, r, 0));
  for (int64_t i = 0; i + 1 < c->n; i++)
    if (s->diagonal[i] != 0 && s->diagonal[i + 1] != 0)
      r[i] = ge_point_corner (GPUEIG_MPOWER, ldexp (1, -s->roots),
                              s->diagonal[i], s->diagonal[i + 1], above[i]);
  return c->ops->line (c, c->m[R], 1, r, 1);
}

/* Scale until the Pade approximant of the degree that is returned will do.  */
static gpueig_status
scale (scaled *s, const double *theta, int *degree)
{
  ge_calc *c = s->c;
  ge_point *z = c->lines, *d = z + 2 * c->n;
  int halvings = 0;
  double a2, d3, d4, d5;
  s->diagonal = z;
  *degree = 0;
  GE_TRY (ge_calc_copy (c, s->t, c->m[R]));
  GE_TRY (c->ops->line (c, (void *) s->t, 0, z, 0));
  for (int64_t i = 0; i < c->n; i++)
    d[i] = z[i] - 1;
  GE_TRY (c->ops->line (c, c->m[R], 0, d, 1));
  for (;;)
    {
      double largest = 0;
      for (int64_t i = 0; i < c->n; i++)
        largest = fmax (largest, cabs (d[i]));
      if (! (largest > theta[DEGREES]))
        break;
      GE_TRY (take_root (s));
    }
  GE_TRY (root_of_norm (s, 3, &d3));
  GE_TRY (root_of_norm (s, 2, &a2));
  for (int m = 1; m <= 2 && ! *degree; m++)
    if (fmax (a2, d3) <= theta[m])
      *degree = m;
  for (int last = s->roots; ! *degree;)
    {
      if (s->roots > last)
        GE_TRY (root_of_norm (s, 3, &d3));
      GE_TRY (root_of_norm (s, 4, &d4));
      const double a3 = fmax (d3, d4);
      int m = 3;
      while (m < DEGREES && a3 > theta[m])
        m++;
      if (a3 <= theta[m] && m <= 6)
        *degree = m;
      else if (! (a3 <= theta[m] && a3 / 2 <= theta[5] && halvings++ < 2))
        {
          GE_TRY (root_of_norm (s, 5, &d5));
          const double least = fmin (a3, fmax (d4, d5));
          for (m = 6; m <= DEGREES && ! *degree; m++)
            if (least <= theta[m])
              *degree = m;
          /* Not finite: there is nothing to gain.  */
          if (! (a3 <= (gpueig_is_double (c->type) ? DBL_MAX : FLT_MAX)))
            *degree = DEGREES;
        }
      if (! *degree)
        GE_TRY (take_root (s));
    }
  return set_superdiagonal (s);
}

/* --- logarithm --- */

/* Nodes and weights of Gauss and Legendre on [0, 1], degrees 1 to 7, by Newton's method
   for Legendre polynomials: the partial fractions of the diagonal Pade approximants of
   log (1 + x).  */
static void
gauss_legendre (int m, double *node, double *weight)
{
  for (int k = 0; k < m; k++)
    {
      double x = cos (3.14159265358979323846 * (k + 0.75) / (m + 0.5)), slope;
      for (int step = 0;; step++)
        {
          double before = 1, p = x;
          for (int j = 2; j <= m; j++)
            {
              const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
              before = p;
              p = next;
            }
          slope = m * (x * p - before) / (x * x - 1);
          if (step == 5)
            break;
          x -= p / slope;
        }
      node[k] = (1 + x) / 2;
      weight[k] = 1 / ((1 - x * x) * slope * slope);
    }
}

static gpueig_status
logarithm (ge_calc *c, void *t, int *roots)
{
  static const double theta[DEGREES + 1]
      = { 0, 1.59e-5, 2.31e-3, 1.94e-2, 6.21e-2, 1.28e-1, 2.06e-1, 2.88e-1 };
  const void *const terms[] = { c->m[SUM], c->m[B] };
  scaled s = { .c = c, .t = t };
  double node[DEGREES], weight[DEGREES];
  int degree;
  GE_TRY (scale (&s, theta, &degree));
  gauss_legendre (degree, node, weight);
  for (int k = 0; k < degree; k++)
    {
      const double factor[] = { 1, ldexp (weight[k], s.roots) };
      const int first = k == 0;
      GE_TRY (ge_calc_copy (c, c->m[R], c->m[B]));
      GE_TRY (c->ops->solve_upper (c, node[k], c->m[R], c->m[B], c->m[SPARE]));
      GE_TRY (c->ops->combine (c, 2 - first, factor + first, terms + first, 0,
                               c->m[SUM]));
    }
  GE_TRY (ge_calc_set_exactly (c, GPUEIG_LOGM, 0, t, 1, c->m[SUM]));
  *roots = s.roots;
  return ge_calc_copy (c, c->m[SUM], t);
}

/* --- powers --- */

/* *X = (I + R)^p, -1 < p < 1, by the Pade approximant of degree M of (1 - x)^p, a continued
   fraction that is evaluated from its end; *SPARE and WORK: scratch.  */
static gpueig_status
small_power (ge_calc *c, double p, int degree, void **x, void **spare,
             void *work)
{
  const void *const terms[] = { c->m[R] };
  for (int j = 2 * degree; j >= 1; j--)
    {
      const int k = j / 2;
      const double factor[] = { j == 1  ? p
                                : j % 2 ? (k + p) / (2 * (2 * k + 1))
                                        : (k - p) / (2 * (2 * k - 1)) };
      /* x = (I + x)^-1 (factor r) */
      GE_TRY (c->ops->combine (c, 1, factor, terms, 0, *spare));
      if (j < 2 * degree)
        GE_TRY (c->ops->solve_upper (c, 1, *x, *spare, work));
      void *other = *x;
      *x = *spare;
      *spare = other;
    }
  return c->ops->shift (c, 1, 1, *x);
}

static gpueig_status
power_of (ge_calc *c, double power, void *t, int *roots)
{
  static const double theta[DEGREES + 1]
      = { 0, 1.51e-5, 2.24e-3, 1.88e-2, 6.04e-2, 1.24e-1, 2.00e-1, 2.79e-1 };
  void *x = c->m[B], *spare = c->m[SUM];
  scaled s = { .c = c, .t = t };
  double p = power;
  int squarings = 0, degree;
  for (; fabs (p) >= 1; p /= 2)
    squarings++;
  GE_TRY (scale (&s, theta, &degree));
  GE_TRY (small_power (c, p, degree, &x, &spare, c->m[SPARE]));
  squarings += s.roots;
  *roots = s.roots;
  for (int k = squarings;; k--)
    {
      GE_TRY (
          ge_calc_set_exactly (c, GPUEIG_MPOWER, ldexp (power, -k), t, 1, x));
      if (k == 0)
        return ge_calc_copy (c, x, t);
      GE_TRY (c->ops->multiply (c, x, x, spare));
      void *other = x;
      x = spare;
      spare = other;
    }
}

/* A complex power: exp (POWER log (T)).  */
static gpueig_status
power_by_logarithm (ge_calc *c, ge_point power, void *t, int *roots)
{
  GE_TRY (ge_calc_copy (c, t, c->m[GIVEN]));
  GE_TRY (logarithm (c, t, roots));
  GE_TRY (c->ops->shift (c, power, 0, t));
  GE_TRY (ge_calc_exponential (c, t, c->m[RESULT]));
  GE_TRY (ge_calc_set_exactly (c, GPUEIG_MPOWER, power, c->m[GIVEN], 1,
                               c->m[RESULT]));
  return ge_calc_copy (c, c->m[RESULT], t);
}

static gpueig_status
find_zeros (ge_calc *c, void *t, int *state)
{
  GE_TRY (c->ops->line (c, t, 0, c->lines, 0));
  for (int64_t j = 0; j < c->n; j++)
    if (c->lines[j] == 0)
      *state |= GPUEIG_FUNM_SINGULAR;
  return GPUEIG_OK;
}

gpueig_status
ge_triangular (ge_calc *c, gpueig_funm_kind kind, ge_point power, void *t,
               int *roots, int *state)
{
  ge_point *z = c->lines;
  *roots = 0;
  /* As Octave, which says nothing of logarithms then.  */
  if (c->is_upper == GE_DIAGONAL && kind == GPUEIG_LOGM)
    *state = c->own ? 0 : *state;
  else
    GE_TRY (find_zeros (c, t, state));
  if (c->is_upper == GE_DIAGONAL)
    return ge_calc_diagonal (c, kind, power, t, t);
  if (kind == GPUEIG_SQRTM)
    return c->ops->root (c, t);
  /* The logarithm of zero is that of the smallest number.  */
  for (int64_t j = 0; j < c->n; j++)
    if (z[j] == 0)
      z[j] = gpueig_is_double (c->type) ? DBL_MIN : FLT_MIN;
  if (*state & GPUEIG_FUNM_SINGULAR)
    GE_TRY (c->ops->line (c, t, 0, z, 1));
  return kind == GPUEIG_LOGM  ? logarithm (c, t, roots)
         : cimag (power) != 0 ? power_by_logarithm (c, power, t, roots)
                              : power_of (c, creal (power), t, roots);
}
