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

GE_ALWAYS_INLINE wide_t
entry (const scalar_t *x, int64_t i)
{
  return wide_of (re_ (x[i]), im_ (x[i]));
}

GE_ALWAYS_INLINE wide_t
off_diagonal_product (const scalar_t *b, const scalar_t *c, int64_t i)
{
  return wide_mul (entry (b, i), entry (c, i));
}

/* Store a factor rounded to the type's precision.  */
static void
store_factor (const ge_tdinv_factor *f, int64_t i, wide_t x)
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

static inline ge_size
size_entry (const scalar_t *x, int64_t i)
{
#if ! GE_COMPLEX
  const double size = fabs ((double) x[i]);
  if (size > 0x1p-900 && size < 0x1p900)
    return size_of (size, 0);
#endif
  return wide_abs (entry (x, i));
}

static inline ge_size
product_of_sizes (ge_size a, ge_size b)
{
  return (ge_size){ a.m * b.m, a.e + b.e };
}

/* Add X, a normal number or a product of three, to a running sum.  The mantissa of the sum
   is brought back to [1, 2) now and then only: scaling is exact.  */
static inline void
sum_add (ge_size *sum, ge_size x)
{
  const int64_t d = x.e - sum->e;
  if (d <= 400 && sum->m < 0x1p500)
    sum->m += x.m * wide_shift (d);
  else
    *sum = size_add (size_of (sum->m, sum->e), size_of (x.m, x.e));
}

/* --- two halves ---

   Leading and trailing minors, the factors of the two triangles: alike recurrences that do
   not need each other.  They run on two threads or, on one, step by step next to each
   other, since one of them does not fill a pipeline.  */

typedef struct
{
  const scalar_t *e; /* b or c */
  /* Leading minors divided by the cumulative product; trailing minors times it.  */
  const ge_tdinv_factor *left, *right;
  int64_t *first; /* first[j]: the first row of the irreducible block of j */
} triangle;

typedef struct
{
  ge_tdinv_generators *g;
  const scalar_t *a, *b, *c;
  wide_t *t, *s, one_over_det;
  triangle upper, lower;
  ge_size *above, norm, condition, one_norm;
} generation;

/* t[i]: minor of the leading i rows, i = 0 ... n.  */
GE_ALWAYS_INLINE void
leading_step (generation *w, int64_t i)
{
  wide_t *t = w->t;
  if (i > 1)
    t[i] = wide_step (entry (w->a, i - 1), t[i - 1],
                      off_diagonal_product (w->b, w->c, i - 2), t[i - 2]);
  else
    t[i] = i == 0 ? wide_of (1, 0) : entry (w->a, 0);
}

/* s[i]: minor of the rows from i on, i = n ... 0.  */
GE_ALWAYS_INLINE void
trailing_step (generation *w, int64_t i)
{
  wide_t *s = w->s;
  if (i < w->g->n - 1)
    s[i] = wide_step (entry (w->a, i), s[i + 1],
                      off_diagonal_product (w->b, w->c, i), s[i + 2]);
  else
    s[i] = i == w->g->n ? wide_of (1, 0) : entry (w->a, i);
}

GE_CLONES (FMA, static, void, minors,
           (generation * w, int leading, int trailing), (w, leading, trailing))
{
  const int64_t n = w->g->n;
  for (int64_t k = 0; k <= n; k++)
    {
      if (leading)
        leading_step (w, k);
      if (trailing)
        trailing_step (w, n - k);
    }
}

/* Factors of the part above the diagonal, u and v, or below it, q and p; *PRODUCT is the
   cumulative one.  Those of the columns, v and q, are divided by the determinant.  */
GE_ALWAYS_INLINE void
factors_step (const generation *w, const triangle *f, int64_t j,
              wide_t *product)
{
  const int columns_left = f == &w->lower;
  int64_t begin = 0;
  if (j > 0)
    {
      const wide_t step = wide_neg (entry (f->e, j - 1));
      begin = step.e == WIDE_ZERO ? j : f->first[j - 1];
      *product = begin == j ? wide_of (1, 0) : wide_mul (*product, step);
    }
  f->first[j] = begin;
  const wide_t x = wide_mul (w->t[j], wide_inverse (*product));
  const wide_t y = wide_mul (*product, w->s[j + 1]);
  store_factor (f->left, j, columns_left ? wide_mul (x, w->one_over_det) : x);
  store_factor (f->right, j, columns_left ? y : wide_mul (y, w->one_over_det));
}

GE_CLONES (FMA, static, void, factors,
           (const generation *w, int upper, int lower), (w, upper, lower))
{
  wide_t p = wide_of (1, 0), q = p;
  for (int64_t j = 0; j < w->g->n; j++)
    {
      if (upper)
        factors_step (w, &w->upper, j, &p);
      if (lower)
        factors_step (w, &w->lower, j, &q);
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
  const ge_size zero = size_of (0, 0);
  ge_size sum = zero, norm = zero;
  for (int64_t j = 0; j < g->n; j++)
    {
      if (g->first[j] == j)
        sum = zero;
      sum_add (&sum, size_at (&g->u, j));
      above[j] = product_of_sizes (sum, size_at (&g->v, j));
    }
  sum = zero;
  for (int64_t j = g->n - 1; j >= 0; j--)
    {
      if (g->last[j] == j)
        sum = zero;
      else
        sum_add (&sum, size_at (&g->p, j + 1));
      norm = size_max (norm, size_add (above[j], product_of_sizes (
                                                     sum, size_at (&g->q, j))));
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
      const ge_size u = size_at (&g->u, j);
      sum_add (&sum,
               product_of_sizes (size_entry (a, j),
                                 product_of_sizes (u, size_at (&g->v, j))));
      if (j + 1 < g->n && g->last[j] > j)
        sum_add (&sum,
                 product_of_sizes (size_entry (b, j),
                                   product_of_sizes (size_at (&g->p, j + 1),
                                                     size_at (&g->q, j))));
      if (j + 1 < g->n && g->first[j + 1] <= j)
        sum_add (&sum, product_of_sizes (
                           size_entry (c, j),
                           product_of_sizes (u, size_at (&g->v, j + 1))));
    }
  return size_of (sum.m, sum.e);
}

static void
minors_piece (void *data, int64_t i, int thread)
{
  (void) thread;
  minors (data, i == 0, i == 1);
}

static void
factors_piece (void *data, int64_t i, int thread)
{
  (void) thread;
  factors (data, i == 0, i == 1);
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
  const double operations = 25 * (double) n;
  const int shared = ge_threads_for (operations, 2) > 1;
  generation w = { .g = g,
                   .a = problem->a,
                   .b = problem->b,
                   .c = problem->c,
                   .upper = { problem->b, &g->u, &g->v, g->first },
                   .lower = { problem->c, &g->q, &g->p, g->last } };
  int mark = ge_mark (ctx);

  GE_TRY (GE_ALLOC (ctx, GE_HOST, n + 1, &w.t));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n + 1, &w.s));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w.above));
  if (shared)
    GE_TRY (ge_run_pieces (ctx, 2, operations, minors_piece, &w));
  else
    minors (&w, 1, 1);
  g->rcond = 0;
  g->singular = w.t[n].e == WIDE_ZERO;
  if (! g->singular)
    {
      w.one_over_det = wide_inverse (w.t[n]);
      if (shared)
        GE_TRY (ge_run_pieces (ctx, 2, operations, factors_piece, &w));
      else
        factors (&w, 1, 1);
      block_ends (n, g->last);
      GE_TRY (ge_run_pieces (ctx, 2, operations, norms_piece, &w));
      g->singular = w.condition.e >= GE_TDINV_SINGULAR;
      if (! g->singular)
        g->rcond = size_reciprocal (w.norm, w.one_norm);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
