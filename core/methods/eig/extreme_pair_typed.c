/* One definite pair (A, B) in double precision whose eigenvalues may span more than the range of
   numbers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Rows have exponents: with B = D B0 D, a diagonal of B0 near 1, and

       D^-1 A D^-1 = 2^g P 2^g,   P = M E M',

   E of blocks of orders 1 and 2, by Gaussian elimination with complete pivoting (J. R. Bunch,
   B. N. Parlett, SIAM J. Numer. Anal. 8 (1971) 639) of the matrix on the left, the eigenvalues
   are those of

       C = Y J Y',  Y = L^-1 Z,  Z J Z' = D^-1 A D^-1,  J = diag (+-1),  B0 = L L',

   rows in the order of ascending Z = G Z0, G powers of two.  Then the rows of Y = G Y0 stay
   graded as G is: Y0 is the solution of (G^-1 L G) Y0 = Z0, whose matrix has no elements
   larger than L.  Jacobi's method for C rotates the rows of Y (onesided/exponents.h).
   Eigenvectors U give V = D^-1 L^-H U, but for the rows where A is large against lambda B: these
   follow from the others by M and E.  */

#include "base/scalar.h"

#if GE_DOUBLE

#  include "eig/extreme_pair_typed.h"

#  include <string.h>

enum
{
  LIGHT
  = 8, /* exponent of A / (lambda B) from which on a row follows from others */
  /* Errors in units of n eps: more than ENOUGH is told, after elimination was tried again.  */
  ENOUGH = 10
};

/* --- C --- */

/* A, of which the lower triangle is used, becomes its factor; 0, or the order of a leading minor
   that is not positive.  Pages for which xPOTRF is wrong are solved here, so it is not called.  */
static int64_t
factor_lower (int64_t n, scalar_t *a)
{
  for (int64_t j = 0; j < n; j++)
    {
      scalar_t *const to = a + n * j;
      for (int64_t k = 0; k < j; k++)
        {
          const scalar_t *const from = a + n * k, x = conj_ (from[j]);
          for (int64_t i = j; i < n; i++)
            to[i] -= from[i] * x;
        }
      const real_t pivot = re_ (to[j]), root = sqrt_ (pivot);
      if (! (pivot > 0))
        return j + 1;
      for (int64_t i = j; i < n; i++)
        to[i] /= root;
    }
  return 0;
}

/* L; 0, or the order of a leading minor of B that is not positive.  */
static int
factor (extreme *x)
{
  const int64_t n = x->n;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        const int64_t row = x->order[i], column = x->order[j];
        x->l[i + n * j]
            = times_power_ (x->b[row + n * column], -x->d[row] - x->d[column]);
        x->v[row + n * column] = x->l[i + n * j];
      }
  const int64_t minor = factor_lower (n, x->l),
                in_order = minor == 0 ? 0 : factor_lower (n, x->v);
  return (int) (in_order != 0 ? in_order : minor);
}

/* Y0, as columns: its conjugate transpose.  */
static void
solve_graded (extreme *x)
{
  const int64_t n = x->n;
  scalar_t *m = x->v;
  memset (m, 0, (size_t) (n * n) * sizeof *m);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = j; i < n; i++)
      m[i + n * j] = times_power_ (x->l[i + n * j], x->e[j] - x->e[i]);
  solve_lower_ ("N", n, n, m, x->y);
  memcpy (m, x->y, (size_t) (n * n) * sizeof *m);
  FN (ge_adjoint) (n, n, m, n, x->y);
}

/* --- results --- */

/* An eigenvalue, MANTISSA 2^EXPONENT, and the column of U.  */
typedef struct
{
  real_t mantissa;
  int exponent;
  int64_t column;
} value;

/* The eigenvalue of column J.  */
static value
value_of (const extreme *x, int64_t j)
{
  const int64_t n = x->n;
  real_t sum = 0;
  int e;
  for (int64_t i = 0; i < n; i++)
    sum += x->sign[i] * abs2_ (x->y[i + n * j]);
  const real_t mantissa = frexp (sum, &e);
  return (value){ mantissa, sum != 0 ? 2 * x->e[j] + e : GE_EXPONENT_OF_ZERO,
                  j };
}

static int
is_less (const value *x, const value *y)
{
  const int sign = (x->mantissa > 0) - (x->mantissa < 0),
            other = (y->mantissa > 0) - (y->mantissa < 0);
  if (sign != other)
    return sign < other;
  if (x->exponent != y->exponent && sign != 0)
    return sign > 0 ? x->exponent < y->exponent : x->exponent > y->exponent;
  return x->mantissa < y->mantissa;
}

/* The pivots that are large against the eigenvalue: the first ones.  */
static int64_t
light_pivots (const extreme *x, const value *lambda)
{
  const double size = size_of (lambda->mantissa, lambda->exponent) + LIGHT;
  int64_t k = 0;
  for (; k < x->pivots; k++)
    {
      const pivot *p = &x->pivot[k];
      const int g = x->g[p->row[0]] + x->g[p->row[1]];
      if (! (size_of (p->count == 1 ? p->a : p->d, g) > size))
        break;
    }
  return k;
}

/* The rows of light pivots of the eigenvector T = 2^-shift D v, in units of P, from the others:
   M E M' 2^g T = R, R = 2^-g lambda B0 T; R is overwritten.  */
static void
follow_light (const extreme *x, int64_t pivots, scalar_t *t, scalar_t *r)
{
  const int64_t n = x->n;
  int64_t at = 0;
  for (int64_t k = 0; k < pivots; at += x->pivot[k++].count)
    for (int c = 0; c < x->pivot[k].count; c++)
      for (int64_t i = 0; i < n; i++)
        {
          const scalar_t f = r[x->pivot[k].row[c]];
          if (i != x->pivot[k].row[0] && i != x->pivot[k].row[1])
            r[i] -= x->m[i + n * (at + c)] * f;
        }
  for (int64_t k = pivots - 1; k >= 0; k--)
    {
      const pivot *p = &x->pivot[k];
      scalar_t w[2] = { r[p->row[0]], r[p->row[1]] };
      at -= p->count;
      extreme_solve_block (p, w);
      for (int c = 0; c < p->count; c++)
        t[p->row[c]] = 0;
      for (int c = 0; c < p->count; c++)
        for (int64_t i = 0; i < n; i++)
          if (i != p->row[0] && i != p->row[1])
            w[c] -= conj_ (x->m[i + n * (at + c)]) * t[i];
      for (int c = 0; c < p->count; c++)
        t[p->row[c]] = w[c];
    }
}

/* Column V of the eigenvector of LAMBDA; XS = L^-H U and LU = L U in the order.  T and R:
   scratch.  */
static void
put_vector (const extreme *x, const value *lambda, const scalar_t *xs,
            const scalar_t *lu, scalar_t *t, scalar_t *r, scalar_t *v)
{
  const int64_t n = x->n, pivots = light_pivots (x, lambda);
  double most = -INFINITY;
  for (int64_t i = 0; i < n; i++)
    v[x->order[i]] = times_power_ (xs[i], -x->d[x->order[i]]);
  if (pivots == 0)
    return;
  for (int64_t i = 0; i < n; i++)
    most = fmax (most, size_of (xs[i], x->g[x->order[i]]));
  const int shift = (int) most;
  for (int64_t i = 0; i < n; i++)
    {
      const int64_t row = x->order[i];
      t[row] = times_power_ (xs[i], x->g[row] - shift);
      r[row] = times_power_ (lu[i] * lambda->mantissa,
                             lambda->exponent - x->g[row] - shift);
    }
  follow_light (x, pivots, t, r);
  for (int64_t k = 0; k < pivots; k++)
    for (int c = 0; c < x->pivot[k].count; c++)
      {
        const int64_t row = x->pivot[k].row[c];
        v[row] = times_power_ (t[row], shift - x->g[row] - x->d[row]);
      }
}

/* VALUES, ascending, and V.  */
static gpueig_status
take_results (gpueig_context *ctx, extreme *x, value *values, scalar_t *v)
{
  const int64_t n = x->n;
  const lapack_int order = (lapack_int) n;
  const scalar_t one = 1;
  scalar_t *space, *lu = x->y;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * n, &space));
  for (int64_t j = 0; j < n; j++)
    {
      const value mine = value_of (x, j);
      int64_t at = j;
      for (; at > 0 && is_less (&mine, &values[at - 1]); at--)
        values[at] = values[at - 1];
      values[at] = mine;
    }
  if (! v)
    return GPUEIG_OK;
  memcpy (lu, x->v, (size_t) (n * n) * sizeof *lu);
  trmm_ ("L", "L", "N", "N", &order, &order, &one, x->l, &order, lu, &order, 1,
         1, 1, 1);
  solve_lower_ ("C", n, n, x->l, x->v);
  for (int64_t j = 0; j < n; j++)
    {
      const int64_t from = n * values[j].column;
      put_vector (x, &values[j], x->v + from, lu + from, space, space + n,
                  v + n * j);
    }
  return GPUEIG_OK;
}

/* |A T - lambda B T| and |T|, 1-norms, of an eigenvector T = 2^-shift 2^units V and W = D V; P
   and L are A in its units and B in those of D.  */
static void
measure (const extreme *x, const value *lambda, int shift, const scalar_t *t,
         const scalar_t *w, double *rest, double *length)
{
  const int64_t n = x->n;
  *rest = *length = 0;
  for (int64_t i = 0; i < n; i++)
    {
      scalar_t of_a = 0, of_b = 0;
      for (int64_t k = 0; k < n; k++)
        {
          of_a += x->p[i + n * k] * t[k];
          of_b += x->l[i + n * k] * w[k];
        }
      *rest += abs_ (
          of_a
          - times_power_ (lambda->mantissa * of_b,
                          lambda->exponent + x->d[i] - x->units[i] - shift));
      *length += abs_ (t[i]);
    }
}

/* The largest columnwise error of the eigenpairs VALUES and V in the units of A, in units of n
   eps; SPACE for 2 n scalars.  */
static double
column_error (extreme *x, const value *values, const scalar_t *v,
              scalar_t *space)
{
  const int64_t n = x->n;
  double worst = 0, norm = 0, rest, length;
  int of_b = GE_EXPONENT_OF_ZERO; /* exponent of |B| in the units of A */
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const int64_t at = i + n * j;
          x->p[at] = times_power_ (x->a[at], -x->units[i] - x->units[j]);
          x->l[at] = times_power_ (x->b[at], -x->d[i] - x->d[j]);
          sum += abs_ (x->p[at]);
        }
      norm = fmax (norm, sum);
      if (2 * (x->d[j] - x->units[j]) > of_b)
        of_b = 2 * (x->d[j] - x->units[j]);
    }
  for (int64_t j = 0; j < n; j++, v += n)
    {
      double most = -INFINITY;
      for (int64_t i = 0; i < n; i++)
        most = fmax (most, size_of (v[i], x->units[i]));
      for (int64_t i = 0; i < n; i++)
        {
          space[i] = times_power_ (v[i], x->units[i] - (int) most);
          space[n + i] = times_power_ (v[i], x->d[i]);
        }
      measure (x, &values[j], (int) most, space, space + n, &rest, &length);
      const double size
          = norm + fabs (ldexp (values[j].mantissa, values[j].exponent + of_b));
      worst = ge_larger (worst, rest == 0 ? 0 : rest / (size * length));
    }
  return worst / ((double) n * (double) GE_EPS);
}

/* VALUES and V; *MINOR as that of ge_extreme_pair.  */
static gpueig_status
solve_by_jacobi (gpueig_context *ctx, extreme *x, value *values, scalar_t *v,
                 int *minor)
{
  const int64_t n = x->n;
  const int mark = ge_mark (ctx);
  GE_TRY (extreme_factor (ctx, x));
  *minor = factor (x);
  if (*minor != 0)
    return GPUEIG_OK;
  solve_graded (x);
  FN (ge_identity) (n, x->v);
  ge_onesided_columns columns = {
    .length = n, .count = n, .x = x->y, .e = x->e, .sign = x->sign, .v = x->v
  };
  GE_TRY (FN (ge_onesided_orthogonalize) (ctx, &columns));
  GE_TRY (take_results (ctx, x, values, v));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
FN (ge_extreme_pair) (gpueig_context *ctx, int64_t n, const void *a,
                      const void *b, double *lambda, void *v, int *minor)
{
  enum
  {
    ATTEMPTS = 3,
    MORE = 10 /* exponent */
  };
  const int mark = ge_mark (ctx);
  extreme x = { .n = n, .a = a, .b = b };
  scalar_t *vectors = NULL, *space,
           **const matrices[] = { &x.p, &x.m, &x.l, &x.y, &x.v, &vectors };
  double least = INFINITY;
  value *values;
  lapack_int order;
  *minor = 0;
  GE_TRY (ge_lapack_int (ctx, n, &order));
  for (int k = 0; k < 6; k++)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, matrices[k]));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &x.largest));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * n, &space));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &x.sign));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &x.pivot));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &x.d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &x.g));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &x.units));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &x.e));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &x.order));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &x.is_done));
  for (int64_t i = 0; i < n; i++)
    {
      int e;
      (void) frexp (re_ (x.b[i + n * i]), &e);
      x.d[i] = (e - (e & 1)) / 2;
    }
  FN (ge_pair_equilibrate) (n, a, b, x.units, x.g);
  x.noise = (double) n * (double) GE_EPS;
  for (int k = 0; k < ATTEMPTS && ! (least <= ENOUGH) && *minor == 0; k++)
    {
      GE_TRY (solve_by_jacobi (ctx, &x, values, vectors, minor));
      const double error
          = *minor ? INFINITY : column_error (&x, values, vectors, space);
      ge_report (ctx, "different units: error %.2e n eps", error);
      if (*minor == 0 && (k == 0 || error < least))
        {
          least = error;
          for (int64_t i = 0; i < n; i++)
            lambda[i] = ldexp (values[i].mantissa, values[i].exponent);
          if (v)
            memcpy (v, vectors, (size_t) (n * n) * sizeof *vectors);
        }
      x.noise = ldexp (x.noise, MORE);
    }
  ge_release (ctx, mark);
  return *minor != 0 || least <= ENOUGH
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                            "the errors of some eigenpairs are %.2g n eps",
                            least);
}

#else
typedef int ge_extreme_pair_is_double_only;
#endif
