/* The generators of a tridiagonal inverse, by minors in double-double.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   With the leading and trailing minors t(i) = det T(1:i, 1:i) and
   s(i) = det T(i:n, i:n), for i <= j,

     X(i, j) = t(i-1) (-b(i)) ... (-b(j-1)) s(j+1) / t(n)

   and the same with c below the diagonal: R. A. Usmani, Inversion of a
   tridiagonal Jacobi matrix, Linear Algebra Appl. 212 (1994).  What is done
   differently, and why:

   - Minors are (mantissa, exponent) pairs and cannot over- or underflow, as
     they do in double from n = 300 on.
   - The three-term recurrence has no division: a vanishing minor, which is a
     vanishing pivot of Gaussian elimination, needs no special case.
   - It runs in double-double.  Every computed minor is the exact one of a
     matrix whose entries are changed by a few 2^-104 relative; so is every
     computed entry of X up to the relative error of t(n), which is below
     2^-100 sum |X(j, i) T(i, j)| (that sum is computed; T counts as singular if it
     exceeds a limit).  For cond (T) < 1e14 these errors are negligible in double
     precision: each factor is rounded once, and their product once.  For diagonally
     dominant matrices this also holds entry by entry.
   - A zero in b or c restarts the cumulative product: entries across it are exact
     zeros.  */

#include "base/solver.h"
#include "base/scalar.h"
#include "tdinv/tdinv.h"
#include "base/wide.h"

static wide_t
entry (const scalar_t *x, int64_t i)
{
  return wide_of (re_ (x[i]), im_ (x[i]));
}

static wide_t
off_diagonal_product (const scalar_t *b, const scalar_t *c, int64_t i)
{
  return wide_mul (entry (b, i), entry (c, i));
}

/* t[i]: minor of the leading i rows, i = 0 ... n.  */
GE_FMA_CLONES static void
leading_minors (int64_t n, const scalar_t *c, const scalar_t *a,
                const scalar_t *b, wide_t *t)
{
  t[0] = wide_of (1, 0);
  t[1] = entry (a, 0);
  for (int64_t i = 2; i <= n; i++)
    t[i] = wide_step (entry (a, i - 1), t[i - 1],
                      off_diagonal_product (b, c, i - 2), t[i - 2]);
}

/* s[i]: minor of the rows from i on, i = 0 ... n.  */
GE_FMA_CLONES static void
trailing_minors (int64_t n, const scalar_t *c, const scalar_t *a,
                 const scalar_t *b, wide_t *s)
{
  s[n] = wide_of (1, 0);
  s[n - 1] = entry (a, n - 1);
  for (int64_t i = n - 2; i >= 0; i--)
    s[i] = wide_step (entry (a, i), s[i + 1], off_diagonal_product (b, c, i),
                      s[i + 2]);
}

/* A factor rounded to the type's precision.  */
static void
store (const ge_tdinv_factor *f, int64_t i, wide_t x)
{
  ((real_t *) f->re)[i] = (real_t) x.re.hi;
#if GE_COMPLEX
  ((real_t *) f->im)[i] = (real_t) x.im.hi;
#endif
  f->e[i] = x.e;
}

static ge_size
size_at (const ge_tdinv_factor *f, int64_t i)
{
  double re = ((const real_t *) f->re)[i];
#if GE_COMPLEX
  double im = ((const real_t *) f->im)[i];
  return size_of (sqrt (re * re + im * im), f->e[i]);
#else
  return size_of (fabs (re), f->e[i]);
#endif
}

/* Directly where squares of normal numbers are.  */
static ge_size
size_entry (const scalar_t *x, int64_t i)
{
  const double re = (double) re_ (x[i]), im = (double) im_ (x[i]);
  const double most = fmax (fabs (re), fabs (im));
  if (! GE_COMPLEX && most > 0x1p-900 && most < 0x1p900)
    return size_of (most, 0);
  return wide_abs (entry (x, i));
}

/* Factors of the part above the diagonal, u and v, if E is b, or below it, q and p, if E
   is c.  LEFT: leading minors divided by the cumulative product; RIGHT: trailing minors
   times it.  The factor of columns is multiplied by ONE_OVER_DET.  first[j] is the first
   row of the irreducible block of j.  */
GE_FMA_CLONES static void
make_factors (int64_t n, const scalar_t *e, const wide_t *t, const wide_t *s,
              wide_t one_over_det, int columns_left,
              const ge_tdinv_factor *left, const ge_tdinv_factor *right,
              int64_t *first)
{
  wide_t product = wide_of (1, 0);
  int64_t begin = 0;
  for (int64_t j = 0; j < n; j++)
    {
      if (j > 0)
        {
          wide_t step = wide_neg (entry (e, j - 1));
          if (step.e == WIDE_ZERO)
            begin = j;
          product = begin == j ? wide_of (1, 0) : wide_mul (product, step);
        }
      first[j] = begin;
      wide_t x = wide_mul (t[j], wide_inverse (product));
      wide_t y = wide_mul (product, s[j + 1]);
      store (left, j, columns_left ? wide_mul (x, one_over_det) : x);
      store (right, j, columns_left ? y : wide_mul (y, one_over_det));
    }
}

/* Overwrite first[j] by last[j], the last row of the irreducible block of j.  */
static void
block_ends (int64_t n, int64_t *first)
{
  int64_t end = n - 1;
  for (int64_t j = n - 1; j >= 0; j--)
    {
      int64_t begin = first[j];
      first[j] = end;
      if (begin == j)
        end = j - 1;
    }
}

/* |T| in the 1-norm.  */
static ge_size
norm_of_matrix (int64_t n, const scalar_t *c, const scalar_t *a,
                const scalar_t *b)
{
  ge_size norm = size_of (0, 0);
  for (int64_t j = 0; j < n; j++)
    {
      ge_size sum = size_entry (a, j);
      if (j > 0)
        sum = size_add (sum, size_entry (b, j - 1));
      if (j < n - 1)
        sum = size_add (sum, size_entry (c, j));
      norm = size_max (norm, sum);
    }
  return norm;
}

/* |X| in the 1-norm: |v(j)| times a running sum of |u|, |q(j)| times one of
   |p|.  ABOVE is scratch for n numbers.  */
static ge_size
norm_of_inverse (const ge_tdinv_generators *g, ge_size *above)
{
  int64_t n = g->n;
  ge_size sum = size_of (0, 0), norm = sum;
  for (int64_t j = 0; j < n; j++)
    {
      if (g->first[j] == j)
        sum = size_of (0, 0);
      sum = size_add (sum, size_at (&g->u, j));
      above[j] = size_mul (sum, size_at (&g->v, j));
    }
  sum = size_of (0, 0);
  for (int64_t j = n - 1; j >= 0; j--)
    {
      if (g->last[j] == j)
        sum = size_of (0, 0);
      else
        sum = size_add (sum, size_at (&g->p, j + 1));
      norm = size_max (norm,
                       size_add (above[j], size_mul (sum, size_at (&g->q, j))));
    }
  return norm;
}

/* sum |X(j, i) T(i, j)|: the condition number of the determinant for relative changes of
   the entries of T.  */
static ge_size
condition_of_determinant (const ge_tdinv_generators *g, const scalar_t *c,
                          const scalar_t *a, const scalar_t *b)
{
  ge_size sum = size_of (0, 0);
  for (int64_t j = 0; j < g->n; j++)
    {
      sum = size_add (
          sum, size_mul (size_entry (a, j),
                         size_mul (size_at (&g->u, j), size_at (&g->v, j))));
      if (j + 1 < g->n && g->last[j] > j)
        sum = size_add (
            sum, size_mul (size_entry (b, j), size_mul (size_at (&g->p, j + 1),
                                                        size_at (&g->q, j))));
      if (j + 1 < g->n && g->first[j + 1] <= j)
        sum = size_add (sum, size_mul (size_entry (c, j),
                                       size_mul (size_at (&g->u, j),
                                                 size_at (&g->v, j + 1))));
    }
  return sum;
}

/* Each step has two independent halves, which run in parallel.  */
typedef struct
{
  ge_tdinv_generators *g;
  const scalar_t *a, *b, *c;
  wide_t *t, *s, one_over_det;
  ge_size *above, norm, condition, one_norm;
} generation;

static void
minors_piece (void *data, int64_t i, int thread)
{
  generation *w = data;
  (void) thread;
  if (i == 0)
    leading_minors (w->g->n, w->c, w->a, w->b, w->t);
  else
    trailing_minors (w->g->n, w->c, w->a, w->b, w->s);
}

static void
factors_piece (void *data, int64_t i, int thread)
{
  generation *w = data;
  ge_tdinv_generators *g = w->g;
  (void) thread;
  if (i == 0)
    make_factors (g->n, w->b, w->t, w->s, w->one_over_det, 0, &g->u, &g->v,
                  g->first);
  else
    {
      make_factors (g->n, w->c, w->t, w->s, w->one_over_det, 1, &g->q, &g->p,
                    g->last);
      block_ends (g->n, g->last);
    }
}

static void
norms_piece (void *data, int64_t i, int thread)
{
  generation *w = data;
  (void) thread;
  if (i == 0)
    w->norm = norm_of_inverse (w->g, w->above);
  else
    {
      w->one_norm = norm_of_matrix (w->g->n, w->c, w->a, w->b);
      w->condition = condition_of_determinant (w->g, w->c, w->a, w->b);
    }
}

gpueig_status
FN (ge_tdinv_generate) (gpueig_context *ctx,
                        const gpueig_tdinv_problem *problem,
                        ge_tdinv_generators *g)
{
  const int64_t n = g->n;
  const int shared = n > 4000;
  generation w = { .g = g, .a = problem->a, .b = problem->b, .c = problem->c };
  int mark = ge_mark (ctx);

  GE_TRY (GE_ALLOC (ctx, GE_HOST, n + 1, &w.t));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n + 1, &w.s));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.above));
  GE_TRY (ge_run_pieces (ctx, 2, shared, minors_piece, &w));
  g->rcond = 0;
  g->singular = w.t[n].e == WIDE_ZERO;
  if (! g->singular)
    {
      w.one_over_det = wide_inverse (w.t[n]);
      GE_TRY (ge_run_pieces (ctx, 2, shared, factors_piece, &w));
      GE_TRY (ge_run_pieces (ctx, 2, shared, norms_piece, &w));
      g->singular = w.condition.e >= GE_TDINV_SINGULAR;
      if (! g->singular)
        g->rcond = size_reciprocal (w.norm, w.one_norm);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
