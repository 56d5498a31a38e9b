/* One definite pair (A, B), A v = lambda B v, in double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Both are scaled by a congruence with powers of two, which changes no eigenvalue, and
   factored by Cholesky's method with complete pivoting, so that the factors are graded
   and their inverses, up to a diagonal matrix, well conditioned.

   A definite and "Accuracy", "high": Z. Drmac's tangent algorithm (SIAM J. Numer. Anal.
   35 (1998) 1804): with A = G G', scaled to a unit diagonal, and B = F F', the squares of
   the singular values of N = G' F'^-1 are the eigenvalues; one-sided Jacobi on the columns
   of N = U S V' gives them with relative errors of the conditions of G and of the scaled
   B, however small, and the eigenvectors F'^-1 V = G'^-1 U S.

   Otherwise: Jacobi on C = F^-1 A F'^-1 (P. I. Davies, N. J. Higham, F. Tisseur, SIMAX 23
   (2001) 472).  Where A is indefinite its backward error still grows with cond (B);
   therefore Newton's method follows for all eigenpairs at once, if it is needed or the
   accuracy is to be "high", as in T.
   Ogita and K. Aishima (JJIAM 35 (2018)): with S = X'(AX - BX diag (lambda)), of residuals
   in more than double precision, and R = I - X'BX,

       E_ij = S_ij / (lambda_j - lambda_i),  E_ii = R_ii / 2,  X <- X (I + E + E^2 / 2),

   where eigenvalues too close for that are separated first by the small pairs (X'AX,
   X'BX) of their clusters, and E_ij = R_ij / 2 where S_ij is rounding errors and not
   small against the gap.  The vectors of the tangent algorithm are right relative to
   the scaled pair; where that is not enough for the given one they are refined so
   too, with the eigenvalues fixed; where that fails another solver follows, whose
   eigenvalues stay if those of the algorithm are not right for the given pair.  */

#include "eig/high_pair_typed.h"

#if GE_DOUBLE

#  include "eig/pair.h"
#  include "onesided/plan.h"
#  include "run/solvers.h"

#  include <string.h>

/* --- scaling --- */

/* D: half the exponents of the diagonal of M times -SIGN; 0 if that of SIGN M is not positive.  */
static int
row_exponents (int64_t n, const scalar_t *m, real_t sign, int *d)
{
  for (int64_t i = 0; i < n; i++)
    {
      const real_t x = sign * re_ (m[i + n * i]);
      int exponent;
      if (! (x > 0))
        return 0;
      (void) frexp (x, &exponent);
      d[i] = -ge_onesided_row_exponent (exponent);
    }
  return 1;
}

/* M <- SIGN 2^-shift diag (2^d) M diag (2^d) with elements below 1; the result is the shift, an
   even number.  */
static int
scale (int64_t n, scalar_t *m, real_t sign, const int *d)
{
  int most = FN (ge_pair_exponent) (n, m, d);
  if (most == INT32_MIN)
    return 0;
  most += most & 1;
  FN (ge_pair_scaled) (n, m, d, most, m);
  for (int64_t i = 0; i < n * n && sign < 0; i++)
    m[i] = -m[i];
  return most;
}

/* --- factors --- */

gpueig_status
pair_decompose (gpueig_context *ctx, int64_t order, const scalar_t *m,
                pair_factor *f, int *definite)
{
  lapack_int n, rank, info;
  const real_t tol = 0;
  real_t *work;
  GE_TRY (ge_lapack_int (ctx, order, &n));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &f->l));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &f->p));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * order, &work));
  memcpy (f->l, m, (size_t) (order * order) * sizeof *m);
  pstrf_ ("L", &n, f->l, &n, f->p, &rank, &tol, work, &info, 1);
  *definite = info == 0;
  for (int64_t j = 1; j < order; j++)
    memset (f->l + order * j, 0, (size_t) j * sizeof *f->l);
  return GPUEIG_OK;
}

/* Y(k, :) = X(p_k, :), or with BACK Y(p_k, :) = X(k, :).  */
static void
permute (int64_t n, const lapack_int *p, int back, const scalar_t *x,
         scalar_t *y)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t k = 0; k < n; k++)
      if (back)
        y[p[k] - 1 + n * j] = x[k + n * j];
      else
        y[k + n * j] = x[p[k] - 1 + n * j];
}

void
pair_make_hermitian (int64_t n, scalar_t *c)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        const scalar_t x = (c[i + n * j] + conj_ (c[j + n * i])) / (real_t) 2;
        c[i + n * j] = i == j ? re_ (x) : x;
        c[j + n * i] = i == j ? re_ (x) : conj_ (x);
      }
}

/* The problem of M, whose eigenvalues become those of Q, and vectors V.  */
static gpueig_symmetric
problem_of (const pair *q, const scalar_t *m, scalar_t *v)
{
  return (gpueig_symmetric){ .type = (gpueig_type) GE_SCALAR,
                             .n = q->n,
                             .pages = 1,
                             .a = m,
                             .symmetric = 1,
                             .lambda = q->lambda,
                             .v = v };
}

/* One matrix by the solver ID of the backend that the caller's options name.  */
static gpueig_status
run_solver (gpueig_context *ctx, pair *q, ge_solver_id id, ge_method method,
            scalar_t *m, scalar_t *v)
{
  const gpueig_symmetric s = problem_of (q, m, v);
  /* Two-sided Jacobi has high accuracy for definite matrices alone; Newton's method
     follows.  */
  gpueig_options usual = *q->options;
  if (id == GE_JACOBI_EIG)
    usual.high_accuracy = 0;
  q->status = ge_run (ctx, id, method, &s, &usual, q->info);
  return q->status == GPUEIG_NO_CONVERGENCE ? GPUEIG_OK : q->status;
}

/* --- both definite --- */

static gpueig_status
solve_definite (gpueig_context *ctx, pair *q, const pair_factor *g,
                const pair_factor *f)
{
  const int64_t n = q->n;
  scalar_t *k = q->a, *columns = q->b;
  /* N' = L_B^-1 P_B' P_A L_A */
  permute (n, g->p, 1, g->l, columns);
  permute (n, f->p, 0, columns, k);
  solve_lower_ ("N", n, n, f->l, k);
  FN (ge_adjoint) (n, n, k, n, columns);
  GE_TRY (run_solver (ctx, q, GE_ONESIDED_EIG, GE_METHOD_ONESIDED_COLUMNS,
                      columns, k));
  for (int64_t j = 0; j < n; j++)
    {
      const real_t sigma = sqrt_ (q->lambda[j]);
      for (int64_t i = 0; i < n; i++)
        k[i + n * j] *= sigma;
    }
  solve_lower_ ("C", n, n, g->l, k);
  permute (n, g->p, 1, k, q->x);
  return GPUEIG_OK;
}

/* --- B definite --- */

static gpueig_status
solve_congruence (gpueig_context *ctx, pair *q, const pair_factor *f)
{
  const int64_t n = q->n;
  scalar_t *c, *y;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &c));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &y));
  permute (n, f->p, 0, q->a, c);
  solve_lower_ ("N", n, n, f->l, c);
  FN (ge_adjoint) (n, n, c, n, y);
  permute (n, f->p, 0, y, c);
  solve_lower_ ("N", n, n, f->l, c);
  pair_make_hermitian (n, c);
  GE_TRY (run_solver (ctx, q, GE_JACOBI_EIG, GE_AUTO, c, y));
  solve_lower_ ("C", n, n, f->l, y);
  permute (n, f->p, 1, y, q->x);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- a pair --- */

/* X and LAMBDA of the scaled pair (SIGN A, B) become those of the given one, V,
   ascending.  */
static gpueig_status
unscale_results (gpueig_context *ctx, const pair *q, real_t sign, scalar_t *v)
{
  const int64_t n = q->n;
  for (int64_t j = 0; j < n; j++)
    q->lambda[j] *= sign;
  GE_TRY (ge_sort_pairs (ctx, (gpueig_type) GE_SCALAR, n, n, q->lambda, q->x));
  for (int64_t j = 0; j < n; j++)
    {
      q->lambda[j] = ldexp (q->lambda[j], q->shift_a - q->shift_b);
      const scalar_t *x = q->x + n * j;
      for (int64_t i = 0; i < n; i++)
        v[i + n * j] = times_power_ (x[i], q->d[i] - q->shift_b / 2);
    }
  return GPUEIG_OK;
}

/* SIGN A definite, as DEFINITE says, or anything; *SOLVED is 0 if it is not.  */
static gpueig_status
try_scaled (gpueig_context *ctx, pair *q, int definite, real_t sign,
            int *solved)
{
  const int64_t n = q->n;
  const size_t bytes = (size_t) (n * n) * sizeof (scalar_t);
  const int mark = ge_mark (ctx);
  scalar_t *a = q->a, *b = q->b;
  pair_factor f, g;
  int has_factor;
  *solved = ! definite;
  if (! row_exponents (n, definite ? a : b, sign, q->d))
    return definite ? GPUEIG_OK : GPUEIG_NOT_DEFINITE;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &q->a));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &q->b));
  memcpy (q->a, a, bytes);
  memcpy (q->b, b, bytes);
  q->shift_a = scale (n, q->a, sign, q->d);
  q->shift_b = scale (n, q->b, 1, q->d);
  if (definite)
    GE_TRY (pair_decompose (ctx, n, q->a, &g, solved));
  if (*solved)
    {
      GE_TRY (pair_decompose (ctx, n, q->b, &f, &has_factor));
      if (! has_factor)
        return GPUEIG_NOT_DEFINITE;
      GE_TRY (definite ? solve_definite (ctx, q, &g, &f)
                       : solve_congruence (ctx, q, &f));
    }
  q->a = a;
  q->b = b;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Errors up to this one, in units of n eps, are those of a backward stable method.  */
#  define LARGEST_ERROR 10

/* X and LAMBDA, whose error Newton's method has not made small, again from the solver of
   graded pairs on the CPU; the better ones stay.  */
static gpueig_status
solve_otherwise (gpueig_context *ctx, pair *q, real_t enough)
{
  const int64_t n = q->n;
  const size_t bytes = (size_t) (n * n) * sizeof (scalar_t);
  const real_t error = q->error;
  int indefinite = 0;
  scalar_t *x;
  real_t *values;
  gpueig_info one;
  ge_info_begin (&one);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &x));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  memcpy (x, q->x, bytes);
  memcpy (values, q->lambda, (size_t) n * sizeof *values);
  gpueig_symmetric s = problem_of (q, q->a, q->x);
  s.b = q->b;
  s.indefinite = &indefinite;
  ge_report (ctx, "newton: no convergence; then by syevd");
  GE_TRY (ge_run_part (ctx, GE_EIG_SYMMETRIC, GE_METHOD_EIG_SYEVD, 1, &s,
                       q->options, &one));
  if (indefinite == 0)
    GE_TRY (pair_refine (ctx, q, 0, enough));
  if (indefinite == 0 && q->error < error)
    {
      ge_info_part (q->info, "syevd");
      return GPUEIG_OK;
    }
  q->error = error;
  memcpy (q->x, x, bytes);
  memcpy (q->lambda, values, (size_t) n * sizeof *values);
  return GPUEIG_OK;
}

/* Lambda <- VALUES if that makes no columnwise backward error large; the norms are near 1.  */
static void
take_values (pair *q, const real_t *values)
{
  const int64_t n = q->n;
  const real_t unit = LARGEST_ERROR * (real_t) n * GE_EPS;
  for (int64_t j = 0; j < n; j++)
    {
      const scalar_t *x = q->x + n * j;
      real_t bx = 0, size = 0;
      for (int64_t i = 0; i < n; i++)
        {
          scalar_t sum = make_ (0, 0);
          for (int64_t k = 0; k < n; k++)
            sum += q->b[i + n * k] * x[k];
          bx += abs_ (sum);
          size += abs_ (x[i]);
        }
      if (! (fabs_ (values[j] - q->lambda[j]) * bx
             <= unit * (1 + fabs_ (values[j])) * size))
        return;
    }
  memcpy (q->lambda, values, (size_t) n * sizeof *values);
}

/* Refine V and lambda of the given pair, which is scaled by two numbers only, since
   norms count.  With FIXED eigenvalues, which are more accurate than that, only V.  */
static gpueig_status
refine_given (gpueig_context *ctx, pair *q, int fixed, scalar_t *v)
{
  const int64_t n = q->n;
  memset (q->d, 0, (size_t) n * sizeof *q->d);
  q->shift_a = scale (n, q->a, 1, q->d);
  q->shift_b = scale (n, q->b, 1, q->d);
  for (int64_t j = 0; j < n; j++)
    q->lambda[j] = ldexp (q->lambda[j], q->shift_b - q->shift_a);
  for (int64_t i = 0; i < n * n; i++)
    q->x[i] = times_power_ (v[i], q->shift_b / 2);
  const real_t enough = q->options->high_accuracy && ! fixed ? 0.1 : 1;
  GE_TRY (pair_refine (ctx, q, fixed, enough));
  if (! (q->error <= LARGEST_ERROR))
    {
      real_t *fixed_values;
      GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &fixed_values));
      memcpy (fixed_values, q->lambda, (size_t) n * sizeof *fixed_values);
      GE_TRY (solve_otherwise (ctx, q, enough));
      if (fixed)
        take_values (q, fixed_values);
    }
  if (! (q->error <= LARGEST_ERROR) && q->status == GPUEIG_OK)
    q->status = gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                             "the errors of some eigenpairs are %.2g n eps",
                             (double) q->error);
  return unscale_results (ctx, q, 1, v);
}

gpueig_status
FN (ge_high_pair) (gpueig_context *ctx, int64_t n, void *a, void *b,
                   double *lambda, void *v, const gpueig_options *options,
                   gpueig_info *info)
{
  const int mark = ge_mark (ctx);
  pair q = {
    .n = n, .a = a, .b = b, .lambda = lambda, .options = options, .info = info
  };
  const real_t sign = re_ (q.a[0]) < 0 ? -1 : 1;
  int solved = 0, any;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * n, &q.x));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &q.d));
  if (options->high_accuracy)
    GE_TRY (try_scaled (ctx, &q, 1, sign, &solved));
  if (! solved)
    GE_TRY (try_scaled (ctx, &q, 0, 1, &any));
  GE_TRY (unscale_results (ctx, &q, solved ? sign : 1, v));
  GE_TRY (refine_given (ctx, &q, solved, v));
  ge_info_extra (info, "tangent", solved);
  ge_release (ctx, mark);
  return q.status;
}

#else
typedef int ge_pair_is_double_only;
#endif
