/* One definite pair: reduction to a standard problem, and its solution where B is
   ill-conditioned.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   With B = L L^H the problem is C Y = Y D, C = L^-1 A L^-H, V = L^-H Y.  Where errors of
   eps |C| are too much the eigenpairs are refined, see refine_pair.h.  */

#include "eig/pair.h"
#include "eig/refine_pair.h"
#include "lapack/lapack.h"

#include <stdint.h>
#include <string.h>

/* --- reduction --- */

/* The Frobenius norm of a Hermitian matrix, from its lower triangle.  */
static double
lower_norm (int64_t n, const scalar_t *a)
{
  double diagonal = 0, below = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const double d = re_ (a[j + n * j]);
      diagonal += d * d;
      for (int64_t i = j + 1; i < n; i++)
        {
          const double re = re_ (a[i + n * j]), im = im_ (a[i + n * j]);
          below += re * re + im * im;
        }
    }
  return sqrt (diagonal + 2 * below);
}

/* The upper triangle of C is the conjugate transpose of the lower one.  */
static void
mirror_lower (int64_t n, scalar_t *c)
{
  for (int64_t j = 0; j < n; j++)
    {
      c[j + n * j] = make_ (re_ (c[j + n * j]), 0);
      for (int64_t i = j + 1; i < n; i++)
        c[j + n * i] = conj_ (c[i + n * j]);
    }
}

/* L <- the factor of L, C <- L^-1 C L^-H.  */
static lapack_int
reduce (lapack_int n, scalar_t *c, scalar_t *l)
{
  const lapack_int itype = 1;
  lapack_int info = 0;
  potrf_ ("L", &n, l, &n, &info, 1);
  if (info != 0)
    return -info;
  hegst_ (&itype, "L", &n, c, &n, l, &n, &info, 1);
  mirror_lower (n, c);
  return 0;
}

int
FN (ge_pair_reduce) (int64_t order, const void *a, const void *b, void *c,
                     void *l)
{
  const size_t bytes = (size_t) (order * order) * sizeof (scalar_t);
  memcpy (l, b, bytes);
  memcpy (c, a, bytes);
  const lapack_int info = reduce ((lapack_int) order, c, l);
  if (info != 0)
    return info;
  return lower_norm (order, b) * lower_norm (order, c)
                 > GE_PAIR_GROWTH * sqrt ((double) order)
                       * lower_norm (order, a)
             ? GE_PAIR_GRADED
             : GE_PAIR_USUAL;
}

void
FN (ge_pair_back) (int64_t order, int64_t from, int64_t to, const void *l,
                   void *v)
{
  const lapack_int n = (lapack_int) order, columns = (lapack_int) (to - from);
  const scalar_t one = 1;
  trsm_ ("L", "L", "C", "N", &n, &columns, &one, l, &n,
         (scalar_t *) v + order * from, &n, 1, 1, 1, 1);
}

/* --- ill-conditioned B --- */

/* Sizes of LAPACK's workspace.  */
typedef struct
{
  lapack_int scalars, reals, integers;
} work_sizes;

typedef struct
{
  lapack_int n;
  const scalar_t *a, *b;
  scalar_t *v, *l, *c, *q; /* n-by-n; V: the vectors */
  real_t *values;          /* n, of LAPACK */
  double *lambda, *change, *size, *error;
  scalar_t *work;
  real_t *rwork;
  lapack_int *iwork;
  work_sizes sizes;
  lapack_int info; /* of LAPACK */
} graded;

/* First approximations, in the order in which they are tried: divide and conquer; pivoted factor
   and QR iteration.  */
typedef enum
{
  REDUCED,
  PIVOTED,
  ATTEMPTS
} attempt;

/* Divide and conquer, or the QR iteration of the upper triangle.  */
static lapack_int
call_heev (graded *g, attempt how, lapack_int n, real_t *lambda,
           const lapack_int size[3])
{
  lapack_int info = 0;
#if GE_COMPLEX
  if (how == REDUCED)
    heevd_ ("V", "L", &n, g->c, &n, lambda, g->work, &size[0], g->rwork,
            &size[1], g->iwork, &size[2], &info, 1, 1);
  else
    heev_ ("V", "U", &n, g->c, &n, lambda, g->work, &size[0], g->rwork, &info,
           1, 1);
#else
  if (how == REDUCED)
    heevd_ ("V", "L", &n, g->c, &n, lambda, g->work, &size[0], g->iwork,
            &size[2], &info, 1, 1);
  else
    heev_ ("V", "U", &n, g->c, &n, lambda, g->work, &size[0], &info, 1, 1);
#endif
  return info;
}

/* Lay out the workspace from AT on; returns its end.  */
static char *
lay_out (char *at, int64_t n, graded *g)
{
  const int64_t square = n * n;
  g->v = ge_take (&at, square, sizeof (scalar_t));
  g->l = ge_take (&at, square, sizeof (scalar_t));
  g->c = ge_take (&at, square, sizeof (scalar_t));
  g->q = ge_take (&at, square, sizeof (scalar_t));
  g->values = ge_take (&at, n, sizeof (real_t));
  g->lambda = ge_take (&at, n, sizeof (double));
  g->change = ge_take (&at, n, sizeof (double));
  g->size = ge_take (&at, n, sizeof (double));
  g->error = ge_take (&at, n, sizeof (double));
  g->work = ge_take (&at, g->sizes.scalars, sizeof (scalar_t));
  g->rwork = ge_take (&at, g->sizes.reals, sizeof (real_t));
  g->iwork = ge_take (&at, g->sizes.integers, sizeof (lapack_int));
  return at;
}

/* Sizes are returned as floating point: round up for single precision.  xHEEV needs 3 n reals,
   the pivoted factorization 2 n, and xHEEVD's integers are more than N.  */
static work_sizes
find_sizes (lapack_int n)
{
  const lapack_int query[3] = { -1, -1, -1 };
  scalar_t a = 0, optimal[2] = { 0, 0 };
  real_t roptimal = 0, w;
  lapack_int ioptimal = 0;
  graded g = {
    .c = &a, .work = &optimal[0], .rwork = &roptimal, .iwork = &ioptimal
  };
  (void) call_heev (&g, REDUCED, n, &w, query);
  g.work = &optimal[1];
  (void) call_heev (&g, PIVOTED, n, &w, query);
  const real_t most = re_ (optimal[0]) > re_ (optimal[1]) ? re_ (optimal[0])
                                                          : re_ (optimal[1]);
  return (work_sizes){ (lapack_int) (most * (1 + GE_EPS)) + 1,
                       (lapack_int) (roptimal * (1 + GE_EPS)) + 1 + 3 * n,
                       ioptimal };
}

gpueig_status
FN (ge_pair_graded_size) (gpueig_context *ctx, int64_t order, int64_t *bytes)
{
  /* Any aligned address: only the difference is used.  */
  char *start = (char *) (uintptr_t) 64;
  lapack_int n;
  /* LAPACK's work array for vectors has 2 n^2 elements and a 32-bit size.  */
  GE_TRY (ge_lapack_int (ctx, 2 * order * order + 6 * order + 1, &n));
  graded g = { .sizes = find_sizes ((lapack_int) order) };
  *bytes = (int64_t) (lay_out (start, order, &g) - start);
  return GPUEIG_OK;
}

/* TO = op (X) Y, rows-by-columns, of INNER products; leading dimensions: all rows.  */
static void
multiply (const char *op, lapack_int rows, lapack_int columns, lapack_int inner,
          const scalar_t *x, const scalar_t *y, scalar_t *to)
{
  const scalar_t one = 1, zero = 0;
  const lapack_int ldx = *op == 'N' ? rows : inner;
  gemm_ (op, "N", &rows, &columns, &inner, &one, x, &ldx, y, &inner, &zero, to,
         &rows, 1, 1);
}

static gpueig_status
find_residuals (ge_pair_refinement *p, int64_t from, int64_t to)
{
  const graded *g = p->backend;
  const lapack_int n = g->n, m = (lapack_int) (to - from);
  multiply ("N", n, m, n, g->a, g->v + n * from, g->q + n * from);
  multiply ("N", n, m, n, g->b, g->v + n * from, g->c + n * from);
  for (int64_t j = from; j < to; j++)
    {
      const scalar_t *v = g->v + n * j, *bv = g->c + n * j;
      scalar_t *r = g->q + n * j;
      const real_t lambda = (real_t) p->lambda[j];
      double rest = 0, size = 0, change = 0, length = 0;
      for (int64_t i = 0; i < n; i++)
        {
          r[i] -= lambda * bv[i];
          rest += (double) abs2_ (r[i]);
          size += (double) abs2_ (v[i]);
          change += (double) re_ (conj_ (v[i]) * r[i]);
          length += (double) re_ (conj_ (v[i]) * bv[i]);
        }
      p->lambda[j] = (double) lambda;
      p->change[j] = change / length;
      p->size[j] = sqrt (size);
      p->error[j] = sqrt (rest)
                    / ((p->norm_a + fabs (p->lambda[j]) * p->norm_b)
                       * p->size[j] * (double) n * p->eps);
    }
  return GPUEIG_OK;
}

/* E_ij without H_ij / 2 divided by Z_ij of MODULUS.  */
static real_t
factor_of (const ge_pair_refinement *p, int64_t i, int64_t j, real_t modulus,
           int refined)
{
  const double lambda[2] = { p->lambda[i], p->lambda[j] };
  return (real_t) ge_pair_factor (p->eps * p->size[i] * p->size[j], p->norm_a,
                                  p->norm_b, (double) modulus, lambda, refined);
}

/* E_ij and E_ji of *X = Z_ij and *Y = Z_ji; H = H_ij.  */
static void
correct_both (const ge_pair_refinement *p, int64_t i, int64_t j, scalar_t h,
              scalar_t *x, scalar_t *y)
{
  const scalar_t mean = (*x + conj_ (*y)) / 2;
  const scalar_t turn = mean * factor_of (p, i, j, abs_ (mean), 1);
  *x = turn - h / 2;
  *y = -conj_ (turn) - conj_ (h) / 2;
}

static gpueig_status
find_corrections (ge_pair_refinement *p, int64_t from, int64_t to, double *turn)
{
  const graded *g = p->backend;
  const lapack_int n = g->n, m = (lapack_int) (to - from);
  scalar_t *const e = g->c + n * from;
  multiply ("C", m, m, n, g->v + n * from, e, g->l);
  multiply ("C", n, m, n, g->v, g->q + n * from, e);
  *turn = 0;
  for (int64_t j = 0; j < m; j++)
    for (int64_t i = 0; i < n; i++)
      {
        scalar_t *x = e + i + n * j;
        const int64_t k = i - from;
        if (k < 0 || k >= m)
          *x *= factor_of (p, i, from + j, abs_ (*x), 0);
        else if (k == j)
          *x = make_ ((3 - re_ (g->l[j + m * j])) / 2, 0);
        else if (k < j)
          correct_both (p, i, from + j, g->l[k + m * j], x,
                        e + from + j + n * k);
      }
  for (int64_t j = 0; j < m; j++)
    {
      double sum = 0;
      for (int64_t i = from; i < to; i++)
        sum += (double) abs2_ (e[i + n * j] - (i == from + j));
      *turn = ge_pair_worse (*turn, sum);
    }
  return GPUEIG_OK;
}

static gpueig_status
correct_columns (ge_pair_refinement *p, int64_t from, int64_t to, int inside)
{
  const graded *g = p->backend;
  const lapack_int n = g->n, m = (lapack_int) (to - from);
  scalar_t *const e = g->c + n * from, *const v = g->v + n * from;
  for (int64_t j = 0; j < m && ! inside; j++)
    {
      memset (e + from + n * j, 0, (size_t) m * sizeof (scalar_t));
      e[from + j + n * j] = 1;
    }
  multiply ("N", n, m, n, g->v, e, g->q);
  memcpy (v, g->q, (size_t) n * (size_t) m * sizeof (scalar_t));
  return GPUEIG_OK;
}

/* C <- the eigenvectors of the pair (C, L) of order M.  */
static gpueig_status
solve_reduced (graded *g, lapack_int m, double *lambda)
{
  const lapack_int size[3]
      = { g->sizes.scalars, g->sizes.reals, g->sizes.integers };
  /* Only a B of no correct digit fails here: it has been reduced before, and V2^H B V2 is close
     to the identity.  */
  g->info = reduce (m, g->c, g->l) == 0 ? 0 : 1;
  if (g->info == 0)
    g->info = call_heev (g, REDUCED, m, g->values, size);
  if (g->info != 0)
    return GPUEIG_SOLVER_FAILED;
  for (int64_t i = 0; i < m; i++)
    lambda[i] = (double) g->values[i];
  FN (ge_pair_back) (m, 0, m, g->l, g->c);
  return GPUEIG_OK;
}

static gpueig_status
project_columns (ge_pair_refinement *p, int64_t from, int64_t to)
{
  graded *g = p->backend;
  const lapack_int n = g->n, m = (lapack_int) (to - from);
  scalar_t *const v = g->v + n * from;
  multiply ("N", n, m, n, g->a, v, g->q);
  multiply ("C", m, m, n, v, g->q, g->c);
  multiply ("N", n, m, n, g->b, v, g->q);
  multiply ("C", m, m, n, v, g->q, g->l);
  GE_TRY (solve_reduced (g, m, p->lambda + from));
  multiply ("N", n, m, m, v, g->c, g->q);
  memcpy (v, g->q, (size_t) n * (size_t) m * sizeof (scalar_t));
  return GPUEIG_OK;
}

/* With a pivoted factor C is graded: its large elements are at the end, and the reduction
   of its upper triangle, which begins there, and the QR iteration keep small errors where
   C is small, also where A has a null space near that of B (P. I. Davies, N. J. Higham,
   F. Tisseur, SIAM J. Matrix Anal. Appl. 23, 2001, use Jacobi's method in this place).  */
static lapack_int
solve_pivoted (graded *g)
{
  const lapack_int n = g->n, itype = 1, size[3] = { g->sizes.scalars, 0, 0 };
  const real_t none = 0;
  lapack_int info = 0, rank, *const pivot = g->iwork;
  memcpy (g->l, g->b, (size_t) n * (size_t) n * sizeof (scalar_t));
  pstrf_ ("L", &n, g->l, &n, pivot, &rank, &none, g->rwork, &info, 1);
  if (info != 0)
    return info;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      g->c[i + n * j] = g->a[pivot[i] - 1 + n * (int64_t) (pivot[j] - 1)];
  hegst_ (&itype, "L", &n, g->c, &n, g->l, &n, &info, 1);
  mirror_lower (n, g->c);
  info = call_heev (g, PIVOTED, n, g->values, size);
  if (info != 0)
    return info;
  FN (ge_pair_back) (n, 0, n, g->l, g->c);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      g->v[pivot[i] - 1 + n * j] = g->c[i + n * j];
  return 0;
}

/* Values and vectors to be refined.  */
static gpueig_status
approximate (graded *g, attempt how)
{
  const int64_t n = g->n;
  const size_t square = (size_t) (n * n) * sizeof (scalar_t);
  if (how == REDUCED)
    {
      memcpy (g->c, g->a, square);
      memcpy (g->l, g->b, square);
      GE_TRY (solve_reduced (g, g->n, g->lambda));
      memcpy (g->v, g->c, square);
      return GPUEIG_OK;
    }
  g->info = solve_pivoted (g);
  for (int64_t i = 0; i < n; i++)
    g->lambda[i] = (double) g->values[i];
  return g->info ? GPUEIG_SOLVER_FAILED : GPUEIG_OK;
}

/* The results of G, ascending.  */
static void
put_pairs (const graded *g, real_t *lambda, scalar_t *v)
{
  const int64_t n = g->n;
  for (int64_t j = 0; j < n; j++)
    {
      int64_t i = j;
      for (; i > 0 && (real_t) g->lambda[j] < lambda[i - 1]; i--)
        lambda[i] = lambda[i - 1];
      lambda[i] = (real_t) g->lambda[j];
      if (! v)
        continue;
      memmove (v + n * (i + 1), v + n * i,
               (size_t) (n * (j - i)) * sizeof (scalar_t));
      memcpy (v + n * i, g->v + n * j, (size_t) n * sizeof (scalar_t));
    }
}

int
FN (ge_pair_graded) (int64_t order, const void *a, const void *b, void *lambda,
                     void *v, void *space)
{
  static const ge_pair_ops ops
      = { find_residuals, find_corrections, correct_columns, project_columns };
  graded g = { .n = (lapack_int) order,
               .a = a,
               .b = b,
               .sizes = find_sizes ((lapack_int) order) };
  lay_out (space, order, &g);
  ge_pair_refinement p = { .ops = &ops,
                           .backend = &g,
                           .n = order,
                           .eps = (double) GE_EPS,
                           .norm_a = lower_norm (order, a),
                           .norm_b = lower_norm (order, b),
                           .lambda = g.lambda,
                           .change = g.change,
                           .size = g.size,
                           .error = g.error };
  double least = INFINITY, error;
  lapack_int info = 0, found = 0;
  for (int how = REDUCED; how < ATTEMPTS && ! (least <= GE_PAIR_ERROR); how++)
    {
      if (approximate (&g, (attempt) how) != GPUEIG_OK
          || ge_refine_pairs (&p, &error) != GPUEIG_OK)
        {
          info = g.info;
          continue;
        }
      if (found && ! (error < least))
        continue;
      put_pairs (&g, lambda, v);
      least = error;
      found = 1;
    }
  return found ? 0 : info;
}
