/* Exponentials and integer powers by products of matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Exponential: P. Bader, S. Blanes, F. Casas, Computing the matrix exponential with an
   optimized Taylor polynomial approximation, Mathematics 7 (2019) 1174: their polynomials and
   bounds of the backward error.  Different: the scaling follows from norms of the powers that
   are computed, as in A. H. Al-Mohy, N. J. Higham, A new scaling and squaring algorithm for
   the matrix exponential, SIAM J. Matrix Anal. Appl. 31, 2009, theorem 4.2, but with bounds
   of all higher powers by these; and so does their remedy for rounding errors.  */

#include "functions/exponential.h"

#include <complex.h>
#include <float.h>
#include <math.h>

/* Scaled matrices are at most this power of two larger than norm 1 (those whose powers
   vanish), so that the sixth power of the factor does not overflow.  */
static int
most_excess (gpueig_type type)
{
  return gpueig_is_double (type) ? 160 : 20;
}

enum
{
  PRESCALING = 64 /* a power of two, of matrices whose norm overflows */
};

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
set_array_identity (ge_calc *c, void *a)
{
  GE_TRY (c->ops->fill (c, 0, a));
  return c->ops->shift (c, 1, 1, a);
}

/* --- exponential --- */

static const ge_polynomial polynomials[] = {
  { 8,
    3,
    { 5.800524627688768e-1, 4.991228871115323e-2 },
    { { 1, 1, 0.13549236135285063 },
      { 0, 0, 0.12255211501120747 },
      { 0 },
      { 0, 0, 1 },
      { 0, 0.019920476822239894, 0.0049801192055599735 },
      { 2.9743072048476267, 0.87650098017855534, 0.076652653211191467 } } },
  { 12,
    4,
    { 1.461661507209034e0, 2.996158913811580e-1 },
    { { -0.018602320514620553, -0.0050070232257331773, -0.57342012296052226,
        -0.13339969394389206 },
      { 4.6, 0.99287510353848684, -0.13244556105279964, 0.0017299 },
      { 0.21169311829980944, 0.15822438471572673, 0.165635169436727415,
        0.010786277931579243 },
      { 0, -0.13181061013830184, -0.020278555405892591,
        -0.0067595184686308636 },
      { 0, -0.13181061013830184, -0.020278555405892591,
        -0.0067595184686308636 } } },
  { 18,
    5,
    { 3.010066362817634e0, 1.090863719290036e0 },
    { { 0, 0.39784974949964508, 1.3678377846041172, 0.49828962252538268,
        -0.00063789819459472331 },
      { -10.967639605296206, 1.6801581387890620, 0.057177984647886551,
        -0.0069821012248805208, 3.3497501708607054e-5 },
      { -0.090431683239081056, -0.067640451907138191, 0.067596130177045965,
        0.029555257042931553, -1.3918025751606070e-5 },
      { 0, -0.10036558103014462, -0.0080292464824115697,
        -0.00089213849804572996 },
      { 0, 0, -0.092336461936711859, -0.016936493900208172,
        -1.4008679818203616e-5 } } },
};

static gpueig_status
norm_of_matrix (ge_calc *c, const void *a, double *norm)
{
  return c->ops->abs_power (c, a, 1, 1, norm);
}

int
ge_more_squarings (gpueig_type type, const ge_polynomial *p, double norm,
                   double factor, const double *power)
{
  const double eps = gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON,
               error = 1 / tgamma (p->degree + 2), half = factor / 2;
  /* The norm of a power is at most the power of the norm.  */
  if (error * pow (norm * half, p->degree) <= eps / 2)
    return 0;
  if (! power)
    return 1;
  const double alpha = error * *power / (norm * half);
  return alpha > DBL_MAX ? 1
         : alpha > 0
             ? (int) fmax (0, ceil (log2 (alpha / (eps / 2)) / p->degree))
             : 0;
}

/* A bound of |A^k|^(1/k), k >= 18, from the norms of A, A^2, A^3 and A^6: with k = 6 q + r,
   |A^k| <= |A^6|^q |A^r|; the largest is one of q = 3.  */
static double
bound_of_powers (const double norm[GE_TERMS])
{
  const double n1 = norm[1], n2 = norm[2], n3 = norm[3], n6 = norm[4],
               rest[] = { 1, n1, n2, n3, fmin (n2 * n2, n1 * n3), n2 * n3 };
  double bound = 0;
  for (int r = 0; r < 6; r++)
    bound
        = fmax (bound, pow (n6, 3. / (18 + r)) * pow (rest[r], 1. / (18 + r)));
  return bound;
}

int
ge_squarings (gpueig_type type, const double norm[GE_TERMS], int excess)
{
  const double theta = polynomials[2].theta[gpueig_is_double (type)],
               ratio = ldexp (bound_of_powers (norm), excess) / theta;
  const int s = ratio > 1 ? (int) fmin (ceil (log2 (ratio)), 4000) : 0;
  const int least = excess - most_excess (type);
  return s < least ? least : s;
}

int
ge_excess (gpueig_type type, double norm)
{
  return norm > (gpueig_is_double (type) ? 0x1p64 : 0x1p10) ? ilogb (norm) : 0;
}

gpueig_status
ge_take_powers (ge_calc *c, const void *a, double norm, const ge_polynomial **p)
{
  const int is_double = gpueig_is_double (c->type);
  *p = polynomials;
  GE_TRY (c->ops->multiply (c, a, a, c->m[GE_A2]));
  if (norm <= (*p)->theta[is_double])
    return GPUEIG_OK;
  (*p)++;
  GE_TRY (c->ops->multiply (c, a, c->m[GE_A2], c->m[GE_A3]));
  if (norm <= (*p)->theta[is_double])
    return GPUEIG_OK;
  (*p)++;
  return c->ops->multiply (c, c->m[GE_A3], c->m[GE_A3], c->m[GE_A6]);
}

/* A <- 2^-EXPONENT A.  */
static gpueig_status
divide_by_power_of_two (ge_calc *c, int exponent, void *a)
{
  const double factor = ldexp (1, -exponent);
  const void *const terms[] = { a };
  return exponent == 0 ? GPUEIG_OK
                       : c->ops->combine (c, 1, &factor, terms, 0, a);
}

/* Choose the polynomial and *S for A; the powers that it needs are in c->m.  *EXCESS: A
   is divided by 2^excess, more than before, since its powers might overflow.  */
static gpueig_status
choose (ge_calc *c, void *a, double norm, const ge_polynomial **p, int *s,
        int *excess)
{
  double norms[GE_TERMS], power;
  const int most = DBL_MAX_EXP - 1 - *excess,
            wanted = ge_excess (c->type, norm),
            more = wanted < most ? wanted : most;
  *s = 0;
  GE_TRY (divide_by_power_of_two (c, more, a));
  *excess += more;
  GE_TRY (ge_take_powers (c, a, norm, p));
  if (norm <= (*p)->theta[gpueig_is_double (c->type)])
    return GPUEIG_OK;
  norms[1] = ldexp (norm, -more);
  for (int k = 2; k < GE_TERMS; k++)
    GE_TRY (norm_of_matrix (c, c->m[k - 2], &norms[k]));
  *s = ge_squarings (c->type, norms, *excess);
  const double factor = ldexp (1, *excess - *s);
  if (! ge_more_squarings (c->type, *p, norms[1], factor, NULL))
    return GPUEIG_OK;
  GE_TRY (c->ops->abs_power (c, a, (*p)->degree + 1, factor / 2, &power));
  *s += ge_more_squarings (c->type, *p, norms[1], factor, &power);
  return GPUEIG_OK;
}

/* TO = KEEP TO + part K of the polynomial P of F A.  */
static gpueig_status
add_part (ge_calc *c, const ge_polynomial *p, int k, const void *a, double f,
          double keep, void *to)
{
  const void *const terms[] = { to, a, c->m[GE_A2], c->m[GE_A3], c->m[GE_A6] };
  double factors[GE_TERMS] = { keep };
  const int first = keep == 0;
  for (int j = 1; j < p->terms; j++)
    factors[j] = p->p[k][j] * pow (f, j < 4 ? j : 6);
  return c->ops->combine (c, p->terms - first, factors + first, terms + first,
                          p->p[k][0], to);
}

gpueig_status
ge_evaluate (ge_calc *c, const ge_polynomial *p, const void *a, double f,
             void *x)
{
  void *y = c->m[GE_Y], *q = c->m[GE_SPARE];
  GE_TRY (add_part (c, p, 3, a, f, 0, x));
  GE_TRY (add_part (c, p, 4, a, f, 0, y));
  GE_TRY (c->ops->multiply (c, x, y, q));
  GE_TRY (add_part (c, p, 2, a, f, 1, q));
  GE_TRY (ge_calc_copy (c, q, y));
  GE_TRY (add_part (c, p, 1, a, f, 1, y));
  GE_TRY (add_part (c, p, 5, a, f, 1, q));
  GE_TRY (c->ops->multiply (c, y, q, x));
  return add_part (c, p, 0, a, f, 1, x);
}

/* Compute the mean of the diagonal.  */
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

int
ge_loses_digits (gpueig_type type, int squarings)
{
  return squarings > (gpueig_is_double (type) ? DBL_MANT_DIG : FLT_MANT_DIG);
}

/* *STATE of RESULT; that of a triangular matrix is computed element by element.  */
static gpueig_status
find_digits (ge_calc *c, int squarings, const void *result, int *state)
{
  double norm;
  if (! state || c->is_upper || ! ge_loses_digits (c->type, squarings))
    return GPUEIG_OK;
  GE_TRY (norm_of_matrix (c, result, &norm));
  *state |= norm == 0 ? 0 : GPUEIG_FUNM_NO_DIGIT;
  return GPUEIG_OK;
}

/* RESULT = exp (2^EXCESS A), A of norm NORM and not zero, by *SQUARINGS.  */
static gpueig_status
scale_and_square (ge_calc *c, void *a, double norm, int excess, void *result,
                  int *squarings)
{
  const ge_polynomial *p;
  void *x = c->m[GE_X], *spare = c->m[GE_Y];
  int s;
  GE_TRY (choose (c, a, norm, &p, &s, &excess));
  GE_TRY (ge_evaluate (c, p, a, ldexp (1, excess - s), x));
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
  *squarings = s;
  return set_exactly (c, a, ldexp (1, excess), result);
}

gpueig_status
ge_calc_exponential (ge_calc *c, void *a, void *result, int *state)
{
  const int is_double = gpueig_is_double (c->type);
  ge_point shift = 0;
  double norm, shifted;
  int squarings = 0, excess = 0;
  if (c->is_upper == GE_DIAGONAL)
    return ge_calc_diagonal (c, GPUEIG_EXPM, 0, a, result);
  /* exp (A) = exp (mu) exp (A - mu I), mu the mean of the eigenvalues; not used where exp
     (-mu) may overflow.  */
  GE_TRY (norm_of_matrix (c, a, &norm));
  GE_TRY (mean_of (c, a, &shift));
  if (! (norm <= DBL_MAX))
    excess = PRESCALING;
  GE_TRY (divide_by_power_of_two (c, excess, a));
  if (excess > 0 || (creal (shift) < 0 && norm > (is_double ? 300 : 35)))
    shift = 0;
  if (shift != 0)
    GE_TRY (c->ops->shift (c, 1, -shift, a));
  GE_TRY (norm_of_matrix (c, a, &shifted));
  if (shifted > 0)
    GE_TRY (scale_and_square (c, a, shifted, excess, result, &squarings));
  else
    GE_TRY (set_array_identity (c, result));
  GE_TRY (c->ops->shift (c, cexp (shift), 0, result));
  return find_digits (c, squarings, result, state);
}

/* --- powers --- */

/* Multiply from the first digit on: products with A itself read only those columns of X
   that the thread itself has computed.  */
gpueig_status
ge_positive_power (ge_calc *c, const void *a, double p, void *const *m,
                   void *result)
{
  const void *x = a;
  if (p == 1)
    return ge_calc_copy (c, a, result);
  for (double unit = ldexp (0.5, ilogb (p)); unit >= 1; unit /= 2)
    {
      const int odd = fmod (floor (p / unit), 2) == 1;
      void *to = unit == 1 && ! odd ? result : m[x == m[0]];
      GE_TRY (c->ops->multiply (c, x, x, to));
      x = to;
      if (! odd)
        continue;
      to = unit == 1 ? result : m[x == m[0]];
      GE_TRY (c->ops->multiply (c, a, x, to));
      x = to;
    }
  return GPUEIG_OK;
}

gpueig_status
ge_calc_power (ge_calc *c, const void *a, double power, void *result,
               double *rcond)
{
  void *inverse = power == -1 ? result : c->m[GE_A2];
  double norm, inverse_norm;
  int64_t at;
  *rcond = 1;
  if (power == 0)
    return set_array_identity (c, result);
  if (power > 0)
    return ge_positive_power (c, a, power, c->m + 1, result);
  GE_TRY (norm_of_matrix (c, a, &norm));
  GE_TRY (ge_calc_copy (c, a, inverse));
  GE_TRY (c->ops->invert (c, inverse, &at));
  GE_TRY (norm_of_matrix (c, inverse, &inverse_norm));
  *rcond = 1 / norm / inverse_norm;
  if (at > 0 || ! (inverse_norm <= DBL_MAX))
    {
      *rcond = 0;
      return c->ops->fill (c, INFINITY, result);
    }
  return power == -1 ? GPUEIG_OK
                     : ge_positive_power (c, inverse, -power, c->m + 1, result);
}
