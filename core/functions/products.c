/* Exponentials and integer powers by products of matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Exponential: P. Bader, S. Blanes, F. Casas, Computing the matrix exponential with an
   optimized Taylor polynomial approximation, Mathematics 7 (2019) 1174: their polynomials and
   bounds of the backward error.  Different: the scaling follows from norms of the powers that
   are computed, as in A. H. Al-Mohy, N. J. Higham, A new scaling and squaring algorithm for
   the matrix exponential, SIAM J. Matrix Anal. Appl. 31, 2009, theorem 4.2, but with bounds
   of all higher powers by these; and so does their remedy for rounding errors.  */

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
  TERMS = 5, /* multiples of I, A, A^2, A^3, A^6 */
  PARTS = 6,
  /* Scaled matrices are at most this power of two larger than norm 1 (those whose powers
     vanish), so that the powers of the factor do not overflow.  */
  MOST_EXCESS = 20
};

/* Taylor polynomials p[0] + (p[1] + q) (p[5] + q), q = p[2] + p[3] p[4], for a norm of
   THETA.  */
typedef struct
{
  int degree, terms;
  double theta[2]; /* single, double */
  double p[PARTS][TERMS];
} polynomial;

static const polynomial polynomials[] = {
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

/* Matrices of a calculation: powers of A, and others.  */
enum
{
  A2,
  A3,
  A6,
  X,
  Y,
  SPARE
};

static gpueig_status
norm_of (ge_calc *c, const void *a, double *norm)
{
  return c->ops->abs_power (c, a, 1, 1, norm);
}

/* Squarings that rounding errors of the evaluation ask for: A FACTOR is the argument.  Half of
   it is tested: they grow as exp (|A|), which one squaring more would not make smaller.  The
   norm of a power is at most the power of the norm, which often is enough to know.  */
static gpueig_status
more_squarings (ge_calc *c, const polynomial *p, const void *a, double factor,
                double norm, int *more)
{
  const double eps = gpueig_is_double (c->type) ? DBL_EPSILON : FLT_EPSILON,
               error = 1 / tgamma (p->degree + 2);
  double power;
  *more = 0;
  factor /= 2;
  if (error * pow (norm * factor, p->degree) <= eps / 2)
    return GPUEIG_OK;
  GE_TRY (c->ops->abs_power (c, a, p->degree + 1, factor, &power));
  const double alpha = error * power / (norm * factor);
  if (alpha > DBL_MAX)
    *more = 1;
  else if (alpha > 0)
    *more = (int) fmax (0, ceil (log2 (alpha / (eps / 2)) / p->degree));
  return GPUEIG_OK;
}

/* A bound of |A^k|^(1/k), k >= 18, from the norms of A, A^2, A^3 and A^6: with k = 6 q + r,
   |A^k| <= |A^6|^q |A^r|; the largest is one of q = 3.  */
static double
bound_of_powers (const double norm[TERMS])
{
  const double n1 = norm[1], n2 = norm[2], n3 = norm[3], n6 = norm[4],
               rest[] = { 1, n1, n2, n3, fmin (n2 * n2, n1 * n3), n2 * n3 };
  double bound = 0;
  for (int r = 0; r < 6; r++)
    bound
        = fmax (bound, pow (n6, 3. / (18 + r)) * pow (rest[r], 1. / (18 + r)));
  return bound;
}

/* Choose the polynomial and *S for A; the powers that it needs are in c->m.  *EXCESS: A
   was divided by 2^excess, since its powers might overflow.  */
static gpueig_status
choose (ge_calc *c, void *a, double norm, const polynomial **chosen, int *s,
        int *excess)
{
  const int is_double = gpueig_is_double (c->type);
  const polynomial *p = polynomials;
  double norms[TERMS];
  *s = *excess = 0;
  if (norm > (is_double ? 0x1p64 : 0x1p10))
    {
      const double one[1] = { ldexp (1, -ilogb (norm)) };
      const void *terms[1] = { a };
      *excess = ilogb (norm);
      GE_TRY (c->ops->combine (c, 1, one, terms, 0, a));
    }
  GE_TRY (c->ops->multiply (c, a, a, c->m[A2]));
  if (norm > p->theta[is_double])
    {
      p++;
      GE_TRY (c->ops->multiply (c, a, c->m[A2], c->m[A3]));
    }
  if (norm > p->theta[is_double])
    {
      p++;
      GE_TRY (c->ops->multiply (c, c->m[A3], c->m[A3], c->m[A6]));
    }
  *chosen = p;
  if (norm <= p->theta[is_double])
    return GPUEIG_OK;
  norms[1] = ldexp (norm, -*excess);
  for (int k = 2; k < TERMS; k++)
    GE_TRY (norm_of (c, c->m[k - 2], &norms[k]));
  const double ratio
      = ldexp (bound_of_powers (norms), *excess) / p->theta[is_double];
  if (ratio > 1)
    *s = (int) fmin (ceil (log2 (ratio)), 4000);
  if (*s < *excess - MOST_EXCESS)
    *s = *excess - MOST_EXCESS;
  int more;
  GE_TRY (more_squarings (c, p, a, ldexp (1, *excess - *s), norms[1], &more));
  *s += more;
  return GPUEIG_OK;
}

/* TO = KEEP TO + part K of the polynomial P of F A.  */
static gpueig_status
add_part (ge_calc *c, const polynomial *p, int k, const void *a, double f,
          double keep, void *to)
{
  const void *const terms[] = { to, a, c->m[A2], c->m[A3], c->m[A6] };
  double factors[TERMS] = { keep };
  const int first = keep == 0;
  for (int j = 1; j < p->terms; j++)
    factors[j] = p->p[k][j] * pow (f, j < 4 ? j : 6);
  return c->ops->combine (c, p->terms - first, factors + first, terms + first,
                          p->p[k][0], to);
}

/* X = p (F A).  */
static gpueig_status
evaluate (ge_calc *c, const polynomial *p, const void *a, double f, void *x)
{
  void *y = c->m[Y], *q = c->m[SPARE];
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
  const polynomial *p;
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
      GE_TRY (evaluate (c, p, a, ldexp (1, excess - s), x));
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
