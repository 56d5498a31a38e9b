/* Exponentials and integer powers by products of matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Exponential: N. J. Higham, The scaling and squaring method for the matrix exponential
   revisited, SIAM J. Matrix Anal. Appl. 26, 2005, with the powers' norms of A. H. Al-Mohy,
   N. J. Higham, A new scaling and squaring algorithm for the matrix exponential, ibid. 31,
   2009: those of A^4 and A^6 are computed, bounds are used in place of estimates of higher
   powers.  */

#include "functions/calc.h"

#include <complex.h>
#include <float.h>
#include <math.h>

void
ge_calc_begin (ge_calc *c, gpueig_type type, int64_t n, int buffers, char **at)
{
  *c = (ge_calc){ .ops = GE_BY_TYPE (type, &ge_calc_table, ),
                  .type = type,
                  .n = n,
                  .lines = ge_take (at, 4 * n, sizeof *c->lines),
                  .pivots = ge_take (at, n, sizeof (int64_t)) };
  for (int k = 0; k < buffers; k++)
    c->m[k] = ge_take (at, n * n, gpueig_scalar_size (type));
}

gpueig_status
ge_calc_copy (ge_calc *c, const void *a, void *to)
{
  const double one[] = { 1 };
  const void *const terms[] = { a };
  return c->ops->combine (c, 1, one, terms, 0, to);
}

static gpueig_status
set_identity (ge_calc *c, void *a)
{
  GE_TRY (c->ops->fill (c, 0, a));
  return c->ops->shift (c, 1, 1, a);
}

/* --- exponential --- */

enum
{
  MOST_DEGREE = 13,
  /* Scaled matrices are at most this power of two larger than norm 1 (those whose powers
     vanish), so that the powers of the factor do not overflow.  */
  MOST_EXCESS = 20
};

/* Approximants of degree M for a norm of THETA; the coefficient of x^(2m+1) in the series
   of the backward error; coefficients from x^0 on.  */
typedef struct
{
  int m;
  double theta[2]; /* single, double */
  double error;
  double b[MOST_DEGREE + 1];
} approximant;

static const approximant approximants[] = {
  { 3,
    { 4.258730016922831e-1, 1.495585217958292e-2 },
    1 / 100800.,
    { 120, 60, 12, 1 } },
  { 5,
    { 1.880152677804762e0, 2.539398330063230e-1 },
    1 / 10059033600.,
    { 30240, 15120, 3360, 420, 30, 1 } },
  { 7,
    { 3.925724783138660e0, 9.504178996162932e-1 },
    1 / 4487938430976000.,
    { 17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1 } },
  { 9,
    { 3.925724783138660e0, 2.097847961257068e0 },
    1 / 5914384781877411840000.,
    { 17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880,
      3960, 90, 1 } },
  { 13,
    { 3.925724783138660e0, 4.25 },
    1 / 113250775606021113483283660800000000.,
    { 64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
      129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920,
      40840800, 960960, 16380, 182, 1 } },
};

/* Matrices of a calculation: powers of A and what is left.  */
enum
{
  A2,
  A4,
  A6,
  A8,
  X,
  Y
};

static gpueig_status
norm_of (ge_calc *c, const void *a, double *norm)
{
  return c->ops->abs_power (c, a, 1, 1, norm);
}

/* Squarings that rounding errors of the evaluation ask for: A FACTOR is the argument.  The
   norm of a power is at most the power of the norm, which often is enough to know.  */
static gpueig_status
more_squarings (ge_calc *c, const approximant *p, const void *a, double factor,
                double norm, int *more)
{
  const double eps = gpueig_is_double (c->type) ? DBL_EPSILON : FLT_EPSILON;
  double power;
  *more = 0;
  if (p->error * pow (norm * factor, 2 * p->m) <= eps / 2)
    return GPUEIG_OK;
  GE_TRY (c->ops->abs_power (c, a, 2 * p->m + 1, factor, &power));
  const double alpha = p->error * power / (norm * factor);
  if (alpha > DBL_MAX)
    *more = 1;
  else if (alpha > 0)
    *more = (int) fmax (0, ceil (log2 (alpha / (eps / 2)) / (2 * p->m)));
  return GPUEIG_OK;
}

/* Choose the approximant and *S for A; the powers that it needs are in c->m.  *EXCESS: A
   was divided by 2^excess, since its powers might overflow.  */
static gpueig_status
choose (ge_calc *c, void *a, double norm, const approximant **chosen, int *s,
        int *excess)
{
  const int is_double = gpueig_is_double (c->type);
  const approximant *p = approximants, *last = approximants + 4;
  double n4, n6;
  *s = *excess = 0;
  GE_TRY (c->ops->multiply (c, a, a, c->m[A2]));
  *chosen = p;
  if (norm <= p[0].theta[is_double])
    return GPUEIG_OK;
  if (norm > (is_double ? 0x1p64 : 0x1p10))
    {
      const double one[1] = { ldexp (1, -ilogb (norm)) };
      const void *terms[1] = { a };
      *excess = ilogb (norm);
      GE_TRY (c->ops->combine (c, 1, one, terms, 0, a));
      GE_TRY (c->ops->multiply (c, a, a, c->m[A2]));
    }
  GE_TRY (c->ops->multiply (c, c->m[A2], c->m[A2], c->m[A4]));
  *chosen = p + 1;
  if (norm <= p[1].theta[is_double])
    return GPUEIG_OK;
  GE_TRY (c->ops->multiply (c, c->m[A4], c->m[A2], c->m[A6]));
  GE_TRY (norm_of (c, c->m[A4], &n4));
  GE_TRY (norm_of (c, c->m[A6], &n6));
  /* Bounds of the powers' norms from the fourth and the sixth on.  */
  const double eta = ldexp (fmax (pow (n4, 1 / 4.), pow (n6, 1 / 6.)), *excess);
  for (p = approximants; *excess == 0 && p < last; p++)
    if (eta <= p->theta[is_double] && (is_double || p->m <= 7))
      {
        int more;
        GE_TRY (more_squarings (c, p, a, 1, norm, &more));
        if (more > 0)
          continue;
        if (p->m == 9)
          GE_TRY (c->ops->multiply (c, c->m[A4], c->m[A4], c->m[A8]));
        *chosen = p;
        return GPUEIG_OK;
      }
  p = is_double ? last : approximants + 2;
  *chosen = p;
  const double ratio = eta / p->theta[is_double];
  if (ratio > 1)
    *s = (int) fmin (ceil (log2 (ratio)), 4000);
  if (*s < *excess - MOST_EXCESS)
    *s = *excess - MOST_EXCESS;
  int more;
  GE_TRY (more_squarings (c, p, a, ldexp (1, *excess - *s),
                          ldexp (norm, -*excess), &more));
  *s += more;
  return GPUEIG_OK;
}

/* X = q (F A)^-1 p (F A) for the approximant p / q.  */
static gpueig_status
approximate (ge_calc *c, const approximant *p, const void *a, double f, void *x)
{
  const void *const powers[] = { c->m[A2], c->m[A4], c->m[A6], c->m[A8] };
  double odd[4], even[4];
  const int high = p->m == 13, terms = high ? 3 : p->m / 2;
  void *y = c->m[Y], *z = high ? c->m[A8] : x;
  for (int k = 0; k < terms; k++)
    {
      odd[k] = p->b[2 * k + 3] / p->b[0] * pow (f, 2 * k + 2);
      even[k] = p->b[2 * k + 2] / p->b[0] * pow (f, 2 * k + 2);
    }
  const double odd_1 = p->b[1] / p->b[0];
  if (high)
    {
      double upper[3];
      const void *const sum[] = { y, powers[0], powers[1], powers[2] };
      for (int part = 0; part < 2; part++)
        {
          /* part 0: odd powers into z, part 1: even powers into y */
          double all[4] = { 1 };
          for (int k = 0; k < 3; k++)
            {
              upper[k] = p->b[2 * k + 9 - part] / p->b[0] * pow (f, 2 * k + 8);
              all[k + 1] = part ? even[k] : odd[k];
            }
          GE_TRY (c->ops->combine (c, 3, upper, powers, 0, x));
          GE_TRY (c->ops->multiply (c, powers[2], x, y));
          GE_TRY (
              c->ops->combine (c, 4, all, sum, part ? 1 : odd_1, part ? y : z));
        }
    }
  else
    {
      GE_TRY (c->ops->combine (c, terms, odd, powers, odd_1, z));
      GE_TRY (c->ops->combine (c, terms, even, powers, 1, y));
    }
  /* u = f A z, X = I + 2 (y - u)^-1 u */
  void *u = high ? x : c->m[A2];
  const void *const difference[] = { y, u };
  const double minus[] = { 1, -f }, twice[] = { 2 * f };
  const void *const terms_u[] = { u };
  GE_TRY (c->ops->multiply (c, a, z, u));
  GE_TRY (c->ops->combine (c, 2, minus, difference, 0, y));
  GE_TRY (c->ops->combine (c, 1, twice, terms_u, 0, x));
  int64_t at;
  GE_TRY (c->ops->solve (c, y, x, &at));
  return c->ops->shift (c, 1, 1, x);
}

/* Of the diagonal.  */
static gpueig_status
mean_of (ge_calc *c, void *a, ge_point *mean)
{
  *mean = 0;
  GE_TRY (c->ops->line (c, a, 0, c->lines, 0));
  for (int64_t i = 0; i < c->n; i++)
    *mean += c->lines[i] / (double) c->n;
  return GPUEIG_OK;
}

/* If A is upper triangular, the diagonal and the superdiagonal of X = exp (FACTOR A) are
   computed from those of A.  */
static gpueig_status
set_exactly (ge_calc *c, const void *a, double factor, void *x)
{
  return c->is_upper ? ge_calc_set_exactly (c, GPUEIG_EXPM, 0, a, factor, x)
                     : GPUEIG_OK;
}

gpueig_status
ge_calc_exponential (ge_calc *c, void *a, void *result)
{
  if (c->is_upper == GE_DIAGONAL)
    return ge_calc_diagonal (c, GPUEIG_EXPM, 0, a, result);
  const int is_double = gpueig_is_double (c->type);
  const approximant *p;
  ge_point shift = 0;
  double norm, shifted;
  int s, excess;
  void *x = c->m[X];
  /* exp (A) = exp (mu) exp (A - mu I), mu the mean of the eigenvalues; not where
     exp (-mu) alone may overflow.  */
  GE_TRY (norm_of (c, a, &norm));
  GE_TRY (mean_of (c, a, &shift));
  if (creal (shift) < 0 && norm > (is_double ? 300 : 35))
    shift = 0;
  if (shift != 0)
    GE_TRY (c->ops->shift (c, 1, -shift, a));
  GE_TRY (norm_of (c, a, &shifted));
  if (! (shifted > 0))
    GE_TRY (set_identity (c, result));
  else
    {
      GE_TRY (choose (c, a, shifted, &p, &s, &excess));
      GE_TRY (approximate (c, p, a, ldexp (1, excess - s), x));
      void *spare = c->m[Y];
      for (int k = s; k > 0; k--)
        {
          GE_TRY (set_exactly (c, a, ldexp (1, excess - k), x));
          GE_TRY (c->ops->multiply (c, x, x, k == 1 ? result : spare));
          void *other = x;
          x = spare;
          spare = other;
        }
      if (s == 0)
        GE_TRY (ge_calc_copy (c, x, result));
      GE_TRY (set_exactly (c, a, ldexp (1, excess), result));
    }
  return c->ops->shift (c, cexp (shift), 0, result);
}

/* --- powers --- */

gpueig_status
ge_positive_power (ge_calc *c, const void *a, double p, void *const *m,
                   void *result)
{
  const void *square = a, *x = NULL;
  for (int next = 0;; p = floor (p / 2), next = ! next)
    {
      const int last = p < 2;
      if (fmod (p, 2) == 1 && ! x && square == a && ! last)
        x = a;
      else if (fmod (p, 2) == 1)
        {
          void *to = last ? result : x == m[2] ? m[3] : m[2];
          GE_TRY (x ? c->ops->multiply (c, x, square, to)
                    : ge_calc_copy (c, square, to));
          x = to;
        }
      if (last)
        return GPUEIG_OK;
      void *to = p == 2 && ! x ? result : m[next];
      GE_TRY (c->ops->multiply (c, square, square, to));
      if (to == result)
        return GPUEIG_OK;
      square = to;
    }
}

gpueig_status
ge_calc_power (ge_calc *c, const void *a, double power, void *result,
               double *rcond)
{
  void *inverse = power == -1 ? result : c->m[A2];
  double norm, inverse_norm;
  int64_t at;
  *rcond = 1;
  if (power == 0)
    return set_identity (c, result);
  if (power > 0)
    return ge_positive_power (c, a, power, c->m + 1, result);
  GE_TRY (norm_of (c, a, &norm));
  GE_TRY (ge_calc_copy (c, a, inverse));
  GE_TRY (c->ops->invert (c, inverse, &at));
  GE_TRY (norm_of (c, inverse, &inverse_norm));
  *rcond = 1 / norm / inverse_norm;
  if (at > 0 || ! (*rcond > 0))
    {
      *rcond = 0;
      return c->ops->fill (c, INFINITY, result);
    }
  return power == -1 ? GPUEIG_OK
                     : ge_positive_power (c, inverse, -power, c->m + 1, result);
}
