/* Functions of numbers, with the care that differences of nearly equal ones need.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/functions.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define LN_2 0.69314718055994530942
#define SAME 1e-9 /* sinh (x) = x to all digits */

/* Powers of two: quotients of such numbers are far from the ends of the range, or near; of the
   latter the exponentials are finite.  */
enum
{
  MODERATE = 200,
  LARGEST = 1000,
  IN_RANGE = 600
};

ge_point
ge_point_of (double re, double im)
{
  ge_point z = re;
  ((double *) &z)[1] = im == 0 ? 0 : im; /* +0: the upper side of the cut */
  return z;
}

/* log (z); of zero that of the smallest normal number.  */
static ge_point
log_of (ge_point z)
{
  return z == 0 ? ge_point_of (-log (DBL_MAX), 0)
                : clog (ge_point_of (creal (z), cimag (z)));
}

ge_point
ge_point_function (gpueig_funm_kind kind, ge_point power, ge_point z)
{
  switch (kind)
    {
    case GPUEIG_SQRTM:
      return csqrt (ge_point_of (creal (z), cimag (z)));
    case GPUEIG_LOGM:
      return log_of (z);
    case GPUEIG_EXPM:
      return cexp (z);
    default:
      if (z == 0)
        return ge_point_of (creal (power) > 0 ? 0
                            : power == 0      ? 1
                                              : INFINITY,
                            0);
      if (cimag (power) != 0)
        return cexp (power * log_of (z));
      const double p = creal (power);
      if (cimag (z) == 0 && creal (z) > 0)
        return ge_point_of (pow (creal (z), p), 0);
      /* Polar form: the modulus of z^p has the accuracy of pow.  */
      const double angle = p * carg (ge_point_of (creal (z), cimag (z))),
                   modulus = pow (cabs (z), p);
      return ge_point_of (modulus * cos (angle), modulus * sin (angle));
    }
}

/* log y - log x - 2 artanh ((y - x) / (y + x)) is a multiple of 2 pi i.  */
static double
unwinding (ge_point z)
{
  return ceil ((cimag (z) - PI) / (2 * PI));
}

/* The magnitude of Z as a power of two; of zero 0.  */
static int
exponent_of_point (ge_point z)
{
  const double size = fmax (fabs (creal (z)), fabs (cimag (z)));
  return size > 0 && size <= DBL_MAX ? ilogb (size) : 0;
}

/* 2^EXPONENT Z.  */
static ge_point
times_power_of_two (ge_point z, int exponent)
{
  return ge_point_of (ldexp (creal (z), exponent), ldexp (cimag (z), exponent));
}

/* The exponent S by which numbers of the exponents X and Y are divided such that neither becomes
   zero nor their functions overflow.  */
static int
common_exponent (gpueig_funm_kind kind, ge_point power, int x, int y)
{
  const int most = x > y ? x : y, least = x > y ? y : x;
  if (kind == GPUEIG_LOGM)
    return (most + least) / 2;
  return creal (power) < 0 ? least > most - LARGEST ? least : most - LARGEST
         : most < least + LARGEST ? most
                                  : least + LARGEST;
}

/* ge_point_corner of arguments whose quotients and powers are far from the ends of the range.  */
static ge_point
corner_in_range (gpueig_funm_kind kind, ge_point power, ge_point x, ge_point y,
                 ge_point t)
{
  const ge_point i = ge_point_of (0, 1);
  /* Quotients first: products with derivatives may overflow or underflow.  */
  if (x == y || (kind == GPUEIG_EXPM && cabs (y - x) < SAME))
    switch (kind)
      {
      case GPUEIG_EXPM:
        return t * cexp (x + (y - x) / 2);
      case GPUEIG_LOGM:
        return t / x;
      default:
        return t / x * power * ge_point_function (kind, power, x);
      }
  const ge_point quotient = t / (y - x);
  if (kind == GPUEIG_EXPM ? cabs (y - x) > 2 : cabs (y - x) > cabs (x + y) / 2)
    return quotient
           * (ge_point_function (kind, power, y)
              - ge_point_function (kind, power, x));
  if (kind == GPUEIG_EXPM)
    return quotient * cexp ((x + y) / 2) * (2 * csinh ((y - x) / 2));
  const ge_point log_x = log_of (x), log_y = log_of (y);
  ge_point half = (y - x) / (y + x);
  ge_artanh ((double *) &half);
  half += PI * unwinding (log_y - log_x) * i;
  if (kind == GPUEIG_LOGM)
    return quotient * 2 * half;
  return quotient * cexp (power / 2 * (log_x + log_y))
         * (2 * csinh (power * half));
}

ge_point
ge_two_to_the (double exponent, ge_point power, int *whole)
{
  const double p = creal (power), product = exponent * p,
               rest = fma (exponent, p, -product), nearest = rint (product);
  *whole = (int) fmax (-9999, fmin (9999, nearest));
  return exp2 (product - nearest + rest)
         * cexp (ge_point_of (0, exponent * cimag (power) * LN_2));
}

/* f (2^-S Z), 0 where that number is too large: of negative powers.  */
static ge_point
function_of_scaled (gpueig_funm_kind kind, ge_point power, ge_point z, int s)
{
  const ge_point scaled = times_power_of_two (z, -s);
  return isfinite (creal (scaled)) && isfinite (cimag (scaled))
             ? ge_point_function (kind, power, scaled)
             : 0;
}

/* ge_point_corner for a logarithm or a power and numbers that have no common scale, T a
   number of exponent 0 times 2^OF_T: the difference of the numbers has the scale of the larger
   one, and so has that of their functions, of negative powers that of the smaller one; small
   powers, and logarithms, need none.  */
static ge_point
corner_far_apart (gpueig_funm_kind kind, ge_point power, ge_point x, ge_point y,
                  ge_point t, int of_t)
{
  const int of_x = exponent_of_point (x), of_y = exponent_of_point (y),
            most = of_x > of_y ? of_x : of_y, least = of_x > of_y ? of_y : of_x,
            s = kind == GPUEIG_LOGM || fabs (creal (power)) <= 0.5 ? 0
                : creal (power) < 0                                ? least
                                                                   : most;
  int whole = 0;
  const ge_point factor
      = kind == GPUEIG_LOGM ? 1 : ge_two_to_the (s, power, &whole);
  const ge_point difference = function_of_scaled (kind, power, y, s)
                              - function_of_scaled (kind, power, x, s);
  const ge_point quotient
      = t / (times_power_of_two (y, -most) - times_power_of_two (x, -most));
  return times_power_of_two (quotient * difference * factor,
                             whole + of_t - most);
}

ge_point
ge_point_corner (gpueig_funm_kind kind, ge_point power, ge_point x, ge_point y,
                 ge_point t)
{
  const int of_t = exponent_of_point (t), of_x = exponent_of_point (x),
            of_y = exponent_of_point (y);
  int whole = 0;
  if (abs (of_t) <= MODERATE && abs (of_x) <= MODERATE
      && abs (of_y) <= MODERATE)
    return corner_in_range (kind, power, x, y, t);
  t = times_power_of_two (t, -of_t);
  if (kind == GPUEIG_EXPM)
    /* exp (z) 2^k = exp (z + k log (2)), for use where exp (z) is out of range.  */
    return fmax (fabs (creal (x)), fabs (creal (y))) < IN_RANGE
               ? times_power_of_two (corner_in_range (kind, power, x, y, t),
                                     of_t)
               : corner_in_range (kind, power, x + of_t * LN_2, y + of_t * LN_2,
                                  t);
  if (abs (of_x - of_y) > LARGEST && x != 0 && y != 0)
    return corner_far_apart (kind, power, x, y, t, of_t);
  /* f (2^s z) = 2^(s p) f (z), and log (2^s z) = s log (2) + log (z).  */
  const int s = common_exponent (kind, power, of_x, of_y);
  const ge_point corner = corner_in_range (
      kind, power, times_power_of_two (x, -s), times_power_of_two (y, -s), t);
  if (kind == GPUEIG_LOGM)
    return times_power_of_two (corner, of_t - s);
  const ge_point factor = ge_two_to_the (s, power, &whole);
  return times_power_of_two (corner * factor, whole + of_t - s);
}

int
ge_is_across_the_cut (ge_point x, ge_point y)
{
  return creal (x) < 0 && creal (y) < 0 && (cimag (x) < 0) != (cimag (y) < 0)
         && cabs (y - x) <= cabs (x + y) / 2;
}

double
ge_funm_tiny (const gpueig_funm_problem *p, double most)
{
  return (double) p->n * most
         * (gpueig_is_double (p->type) ? DBL_EPSILON : FLT_EPSILON);
}

int
ge_funm_matters (const gpueig_funm_problem *p, ge_point z, double size)
{
  const double n = (double) p->n,
               eps = gpueig_is_double (p->type) ? DBL_EPSILON : FLT_EPSILON;
  return cabs (z) <= GE_TRIPLE_NOISE (n, eps) * size
         || (creal (z) < 0 && cimag (z) != 0
             && fabs (cimag (z)) <= -creal (z) * GE_TRIPLE_NOISE (n, eps));
}

int
ge_funm_negative (const gpueig_funm_problem *p, int64_t n, const ge_point *z)
{
  double most = 0;
  int is = 0;
  for (int64_t i = 0; i < n; i++)
    most = fmax (most, cabs (z[i]));
  const double tiny = ge_funm_tiny (p, most);
  for (int64_t i = 0; i < n; i++)
    is |= creal (z[i]) < 0 && cimag (z[i]) == 0
              ? p->kind == GPUEIG_LOGM && creal (z[i]) >= -tiny
                    ? GE_NEGATIVE_BY_ROUNDING
                    : GE_NEGATIVE
              : 0;
  return is;
}

int
ge_funm_is_singular (const gpueig_funm_problem *p, const ge_point *z)
{
  for (int64_t i = 0; i < p->n; i++)
    if (z[i] == 0)
      return 1;
  return 0;
}

ge_point
ge_funm_value (const gpueig_funm_problem *p, double value, double tiny,
               int *state)
{
  /* As Octave, which does not warn of logarithms of singular Hermitian matrices, nor of
     roots of matrices that are singular by rounding.  */
  if (value == 0 && p->kind == GPUEIG_SQRTM)
    *state |= GPUEIG_FUNM_SINGULAR;
  if (value < 0 && value >= -tiny && p->kind != GPUEIG_EXPM)
    value = p->kind == GPUEIG_LOGM ? -value : 0;
  if (value == 0 && p->kind == GPUEIG_MPOWER && p->power < 0)
    *state |= GPUEIG_FUNM_SINGULAR;
  if (value < 0 && p->kind != GPUEIG_EXPM)
    *state |= GPUEIG_FUNM_NEGATIVE;
  return ge_point_function (p->kind, ge_power (p), ge_point_of (value, 0));
}

int
ge_funm_blocks (int64_t n, ge_point *values, ge_point *subdiagonal,
                const ge_point *above, ge_point *diagonal)
{
  int blocks = 0;
  for (int64_t k = 0; k < n; k++)
    {
      const double below = fabs (creal (subdiagonal[k])), b = creal (above[k]),
                   w = sqrt (fabs (b)) * sqrt (below), r = hypot (b, w);
      diagonal[k] = 1;
      subdiagonal[k] = 0;
      if (below == 0)
        continue;
      blocks = 1;
      values[k] = ge_point_of (creal (values[k]), w);
      diagonal[k] = diagonal[k + 1] = b / r;
      subdiagonal[k] = ge_point_of (0, w / r);
      k++;
      values[k] = conj (values[k - 1]);
      subdiagonal[k] = 0;
    }
  return blocks;
}
