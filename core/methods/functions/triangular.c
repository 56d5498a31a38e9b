/* Square roots, logarithms and powers of an upper triangular matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Logarithm: A. H. Al-Mohy, N. J. Higham, Improved inverse scaling and squaring algorithms
   for the matrix logarithm, SIAM J. Sci. Comput. 34, 2012, algorithm 4.1.  Powers: N. J.
   Higham, L. Lin, An improved Schur-Pade algorithm for fractional powers of a matrix,
   SIAM J. Matrix Anal. Appl. 34, 2013, but by partial fractions as the logarithm; a power
   outside of [-1/2, 1/2] is halved first, and the result squared as often.  */

#include "functions/calc.h"

#include <complex.h>
#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

enum
{
  DEGREES = 12,
  MOST_ROOTS = 100, /* for eigenvalues at the ends of the range they are 20 */
  SIXTH_POWERS = 10 /* the least degree whose error has no powers below 20 */
};

/* Matrices of a calculation in addition to those of exponentials.  */
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

/* Nonzero if the element between the eigenvalues X and Y is set, see ge_calc_set_exactly.  */
static int
has_exact_corner (ge_point x, ge_point y)
{
  return x != 0 && y != 0 && ! ge_is_across_the_cut (x, y);
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
    if (kind == GPUEIG_EXPM || has_exact_corner (z[i], z[i + 1]))
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

/* The matrix that is scaled: R = T^(2^-roots) - I, T given; of each of its eigenvalues z:
   ROOT = z^(2^-roots) and LESS = ROOT - 1.  */
typedef struct
{
  ge_calc *c;
  const void *t;
  ge_point *z, *root, *less;
  int roots;
} scaled;

/* The 1-norm of POWER = R^p = X Y, to the power 1/p.  */
static gpueig_status
root_of_norm (const scaled *s, int p, const void *x, const void *y, void *power,
              double *value)
{
  ge_calc *c = s->c;
  GE_TRY (c->ops->multiply (c, x, y, power));
  GE_TRY (c->ops->abs_power (c, power, 1, 1, value));
  *value = pow (*value, 1.0 / p);
  return GPUEIG_OK;
}

/* One more square root of R + I.  LESS without cancellation: A. H. Al-Mohy, Numer. Algorithms 59
   (2012).  */
static gpueig_status
take_root (scaled *s)
{
  ge_calc *c = s->c;
  GE_TRY (c->ops->line (c, c->m[R], 0, s->root, 1));
  GE_TRY (c->ops->root (c, c->m[R]));
  s->roots++;
  for (int64_t i = 0; i < c->n; i++)
    {
      s->root[i] = csqrt (s->root[i]);
      s->less[i] /= 1 + s->root[i];
    }
  return c->ops->line (c, c->m[R], 0, s->less, 1);
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
    if (has_exact_corner (s->z[i], s->z[i + 1]))
      r[i] = ge_point_corner (GPUEIG_MPOWER, ldexp (1, -s->roots), s->z[i],
                              s->z[i + 1], above[i]);
  return c->ops->line (c, c->m[R], 1, r, 1);
}

/* Find the DEGREE of the Pade approximant that is accurate enough for R after *MORE square
   roots, from bounds of the powers from 2 m + 1 on by norms of two powers; norms of fourth
   powers would seldom give a smaller bound.  */
static gpueig_status
find_degree (const scaled *s, const double *theta, int *degree, int *more)
{
  ge_calc *c = s->c;
  const double most = gpueig_is_double (c->type) ? DBL_MAX : FLT_MAX;
  double bound = 0, d1, d2, d3, d5, d6;
  void *r = c->m[R], *r2 = c->m[B], *r3 = c->m[SPARE], *rest = c->m[SUM];
  *degree = DEGREES;
  *more = 1;
  for (int64_t i = 0; i < c->n; i++)
    bound = fmax (bound, cabs (s->less[i]));
  if (bound > theta[DEGREES])
    return GPUEIG_OK;
  GE_TRY (c->ops->abs_power (c, r, 1, 1, &d1));
  GE_TRY (root_of_norm (s, 2, r, r, r2, &d2));
  GE_TRY (root_of_norm (s, 3, r2, r, r3, &d3));
  bound = fmax (d3, fmin (d2, pow (d1 * d3 * d3 * d3, 0.25)));
  int m = DEGREES;
  while (m > 3 && bound <= theta[m - 1])
    m--;
  while (m > 1 && m <= 3 && fmax (d2, d3) <= theta[m - 1])
    m--;
  if (! (bound <= theta[SIXTH_POWERS - 1]))
    {
      GE_TRY (root_of_norm (s, 5, r2, r3, rest, &d5));
      GE_TRY (root_of_norm (s, 6, r3, r3, rest, &d6));
      bound = fmin (bound, fmax (d5, d6));
      for (m = DEGREES; m > SIXTH_POWERS && bound <= theta[m - 1];)
        m--;
    }
  *degree = m;
  /* The bound is not finite: more roots gain nothing.  */
  *more = bound > theta[DEGREES] && bound <= most
              ? (int) fmax (1, log2 (bound / theta[DEGREES]))
              : 0;
  return GPUEIG_OK;
}

/* Scale until the Pade approximant of *DEGREE is accurate enough.  */
static gpueig_status
scale_by_roots (scaled *s, const double *theta, int *degree)
{
  ge_calc *c = s->c;
  const int64_t n = c->n;
  s->z = c->lines;
  s->root = s->z + n;
  s->less = s->root + n;
  GE_TRY (ge_calc_copy (c, s->t, c->m[R]));
  GE_TRY (c->ops->line (c, (void *) s->t, 0, s->z, 0));
  for (int64_t i = 0; i < n; i++)
    {
      s->root[i] = ge_point_of (creal (s->z[i]), cimag (s->z[i]));
      s->less[i] = s->z[i] - 1;
    }
  GE_TRY (c->ops->line (c, c->m[R], 0, s->less, 1));
  for (;;)
    {
      int more;
      GE_TRY (find_degree (s, theta, degree, &more));
      if (more == 0 || s->roots >= MOST_ROOTS)
        return set_superdiagonal (s);
      for (; more > 0; more--)
        GE_TRY (take_root (s));
    }
}

/* --- logarithms and powers near the identity --- */

/* Nodes and weights of Gauss and Jacobi for t^-p (1 - t)^p on [0, 1], -1 < p < 1, the sum of
   the weights 1, by Newton's method for Jacobi polynomials in 2 t - 1.  */
static void
gauss_jacobi (double p, int m, double *node, double *weight)
{
  for (int k = 0; k < m; k++)
    {
      double x = cos (PI * (k + 0.75 + p / 2) / (m + 0.5)), slope;
      for (int step = 0;; step++)
        {
          double before = 1, value = x + p;
          for (int j = 2; j <= m; j++)
            {
              const double i
                  = j - 1,
                  next
                  = ((i + j) * x * value - (i * i - p * p) / i * before) / j;
              before = value;
              value = next;
            }
          slope = ((p - m * x) * value + (m * m - p * p) / m * before)
                  / (1 - x * x);
          if (step == 5)
            break;
          x -= value / slope;
        }
      node[k] = (1 + x) / 2;
      weight[k] = 1 / ((1 - x * x) * slope * slope);
      for (int j = 1; j <= m; j++)
        weight[k] *= 1 - p * p / (j * j);
    }
}

/* SUM = FACTOR ((I + R)^p - I) / p, of p = 0 FACTOR log (I + R): of
   ((1 + x)^p - 1) / (p x), the integral of the weight above over 1 + t x, the sum over nodes is
   the Pade approximant that belongs to the diagonal one of the power.  */
static gpueig_status
approximate (ge_calc *c, double p, int degree, double factor)
{
  const void *const terms[] = { c->m[SUM], c->m[B] };
  double node[DEGREES], weight[DEGREES];
  gauss_jacobi (p, degree, node, weight);
  for (int k = 0; k < degree; k++)
    {
      const double factors[] = { 1, factor * weight[k] };
      const int first = k == 0;
      GE_TRY (c->ops->solve_upper (c, node[k], c->m[R], c->m[B], c->m[SPARE]));
      GE_TRY (c->ops->combine (c, 2 - first, factors + first, terms + first, 0,
                               c->m[SUM]));
    }
  return GPUEIG_OK;
}

static gpueig_status
logarithm (ge_calc *c, void *t, int *roots)
{
  static const double theta[DEGREES + 1]
      = { 0,       1.59e-5, 2.31e-3, 1.94e-2, 6.21e-2, 1.28e-1, 2.06e-1,
          2.88e-1, 3.67e-1, 4.39e-1, 5.03e-1, 5.60e-1, 6.09e-1 };
  scaled s = { .c = c, .t = t };
  int degree;
  GE_TRY (scale_by_roots (&s, theta, &degree));
  GE_TRY (approximate (c, 0, degree, ldexp (1, s.roots)));
  GE_TRY (ge_calc_set_exactly (c, GPUEIG_LOGM, 0, t, 1, c->m[SUM]));
  *roots = s.roots;
  return ge_calc_copy (c, c->m[SUM], t);
}

static gpueig_status
power_of (ge_calc *c, double power, void *t, int *roots)
{
  static const double theta[DEGREES + 1]
      = { 0,       1.51e-5, 2.24e-3, 1.88e-2, 6.04e-2, 1.24e-1, 2.00e-1,
          2.79e-1, 3.55e-1, 4.25e-1, 4.87e-1, 5.42e-1, 5.90e-1 };
  void *x = c->m[SUM], *spare = c->m[B];
  scaled s = { .c = c, .t = t };
  double p = power;
  int squarings = 0, degree;
  /* Near 1 a weight would lose digits.  */
  for (; fabs (p) > 0.5; p /= 2)
    squarings++;
  GE_TRY (scale_by_roots (&s, theta, &degree));
  GE_TRY (approximate (c, p, degree, p));
  GE_TRY (c->ops->shift (c, 1, 1, x));
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

/* Compute a complex power, exp (POWER log (T)).  */
static gpueig_status
power_by_logarithm (ge_calc *c, ge_point power, void *t, int *roots)
{
  GE_TRY (ge_calc_copy (c, t, c->m[GIVEN]));
  GE_TRY (logarithm (c, t, roots));
  GE_TRY (c->ops->shift (c, power, 0, t));
  GE_TRY (ge_calc_exponential (c, t, c->m[RESULT], NULL));
  GE_TRY (ge_calc_set_exactly (c, GPUEIG_MPOWER, power, c->m[GIVEN], 1,
                               c->m[RESULT]));
  return ge_calc_copy (c, c->m[RESULT], t);
}

/* Compute logarithms: zeros of the diagonal of T, LINE, count as the smallest numbers.  */
static gpueig_status
replace_zeros (ge_calc *c, void *t, int *state)
{
  ge_point *z = c->lines;
  int any = 0;
  GE_TRY (c->ops->line (c, t, 0, z, 0));
  for (int64_t j = 0; j < c->n; j++)
    if (z[j] == 0)
      {
        z[j] = gpueig_is_double (c->type) ? DBL_MIN : FLT_MIN;
        any = 1;
      }
  *state |= any ? GPUEIG_FUNM_SINGULAR : 0;
  return any ? c->ops->line (c, t, 0, z, 1) : GPUEIG_OK;
}

static gpueig_status
function_of (ge_calc *c, gpueig_funm_kind kind, ge_point power, void *t,
             int *roots)
{
  return kind == GPUEIG_SQRTM  ? c->ops->root (c, t)
         : kind == GPUEIG_LOGM ? logarithm (c, t, roots)
         : cimag (power) != 0  ? power_by_logarithm (c, power, t, roots)
                               : power_of (c, creal (power), t, roots);
}

gpueig_status
ge_triangular (ge_calc *c, gpueig_funm_kind kind, ge_point power, double angle,
               void *t, int *roots, int *state)
{
  const ge_point i = ge_point_of (0, 1);
  *roots = 0;
  if (c->is_upper == GE_DIAGONAL && angle == 0)
    {
      /* As Octave, which does not warn of logarithms in this case.  */
      if (kind == GPUEIG_LOGM && c->own)
        *state &= ~(GPUEIG_FUNM_NEGATIVE | GPUEIG_FUNM_SINGULAR);
      return ge_calc_diagonal (c, kind, power, t, t);
    }
  if (kind == GPUEIG_LOGM)
    GE_TRY (replace_zeros (c, t, state));
  if (angle == 0)
    return function_of (c, kind, power, t, roots);
  GE_TRY (c->ops->shift (c, cexp (-angle * i), 0, t));
  GE_TRY (function_of (c, kind, power, t, roots));
  if (kind == GPUEIG_LOGM)
    return c->ops->shift (c, 1, angle * i, t);
  return c->ops->shift (
      c, cexp ((kind == GPUEIG_SQRTM ? 0.5 : power) * angle * i), 0, t);
}
