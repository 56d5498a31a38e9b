/* The inverse of a diagonally dominant tridiagonal matrix by the recursive
   Sherman-Morrison formula.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   After the poster "Accelerating Tridiagonal Matrix Inversion on the GPU"
   (Trinity College, steps 1 to 3), which follows J.-J. Climent, L. Tortosa,
   A. Zamora, J. Parallel Distrib. Comput. 59 (1999) 423-444.  Two neighbouring
   blocks with inverse D = diag (X1, X2), coupled by b above and c below the
   diagonal, have

     X = D - alpha (D u) (v' D),  alpha = 1 / (1 + v' D u),
     u = e(m) + s e(m+1),  v' = (c / s) e(m)' + b e(m+1)',

   after c / s is subtracted from the last diagonal element of the first block and s b
   from the first one of the second.  What is done differently, and why:

   - D u and v' D are the borders of X1 and X2 at the coupling.  Only the four
     borders of every block are computed on each level, O(n) work; the paper updates
     whole blocks, n^2 memory traffic per level.  The vectors of every level are
     stored, n log n numbers, and an entry of X is its leaf's entry minus the sum
     over the nodes that contain both its row and its column, two terms on average:
     X is written once.
   - Any order: nodes are divided into halves that differ by at most one row.
   - The paper has s = 1, which makes the leaves of tridiag (1, 2, 1) singular.
     Here s is a sign (complex: a number of modulus 1) that makes the diagonal
     elements larger wherever both couplings allow it.

   If a block is singular or the result differs from that of the generators, the method
   reports failure and writes nothing.  */

#include "tdinv/tdinv_typed.h"

#include "tdinv/entry.h"
#include "tdinv/published/sherman.h"

#include <string.h>

typedef struct
{
  real_t *re, *im;
} planes;

typedef struct
{
  int64_t n, exponent; /* the tree is that of 2^-EXPONENT times the matrix */
  int levels;
  planes *x;       /* alpha D u of every level, n numbers each */
  scalar_t *y;     /* v' D of every level, n numbers each */
  scalar_t *above; /* leaves: entries (i, i+1) */
  scalar_t *diagonal;
  scalar_t *below;   /* (i+1, i) */
  scalar_t *modulus; /* s of the coupling of rows i and i+1 */
} tree;

/* --- leaves --- */

/* -x / y divided by its modulus; 1 if that is undefined.  */
static scalar_t
direction (scalar_t x, scalar_t y)
{
  if (x == 0 || y == 0)
    return 1;
  x /= abs_ (x);
  y /= abs_ (y);
  scalar_t z = -x * conj_ (y);
  return z / abs_ (z);
}

/* s of a coupling: -c / s has the sign (complex: phase) of the diagonal element before
   it, unless c is zero.  */
static scalar_t
coupling_sign (const gpueig_tdinv_problem *p, int64_t i)
{
  const scalar_t *a = p->a, *b = p->b, *c = p->c;
  if (c[i] != 0)
    return direction (c[i], a[i]);
  return direction (a[i + 1], b[i]);
}

static void
invert_leaf (const gpueig_tdinv_problem *p, tree *w, int64_t begin, int64_t end)
{
  const scalar_t *a = p->a, *b = p->b, *c = p->c;
  int64_t last = end - 1;
  scalar_t first_a = a[begin], last_a = a[last];
  /* In a leaf of one row both are the same element.  */
  scalar_t *first = &first_a, *second = last > begin ? &last_a : &first_a;
  if (begin > 0)
    *first -= w->modulus[begin - 1] * b[begin - 1];
  if (end < w->n)
    *second -= c[last] / w->modulus[last];
  if (last == begin)
    {
      w->diagonal[begin] = 1 / first_a;
      return;
    }
  scalar_t det = first_a * last_a - b[begin] * c[begin];
  w->diagonal[begin] = last_a / det;
  w->diagonal[last] = first_a / det;
  w->above[begin] = -b[begin] / det;
  w->below[begin] = -c[begin] / det;
}

/* --- levels --- */

/* Borders of the blocks of the next lower level: first and last columns and rows.  */
typedef struct
{
  scalar_t *first_column, *last_column, *first_row, *last_row;
} borders;

static void
leaf_borders (const tree *w, int64_t begin, int64_t end, borders *o)
{
  int64_t last = end - 1;
  o->first_column[begin] = o->first_row[begin] = w->diagonal[begin];
  o->last_column[last] = o->last_row[last] = w->diagonal[last];
  if (last == begin)
    return;
  o->first_column[last] = o->last_row[begin] = w->below[begin];
  o->last_column[begin] = o->first_row[last] = w->above[begin];
}

/* Join the two blocks of node T on level K.  */
static void
join (const gpueig_tdinv_problem *p, tree *w, int k, int64_t t, borders *o)
{
  int64_t n = w->n;
  int64_t begin = tdinv_node_begin (n, k, t);
  int64_t end = tdinv_node_begin (n, k, t + 1);
  int64_t middle = tdinv_node_begin (n, k + 1, 2 * t + 1);
  scalar_t s = w->modulus[middle - 1];
  scalar_t c = ((const scalar_t *) p->c)[middle - 1] / s;
  scalar_t b = ((const scalar_t *) p->b)[middle - 1];
  scalar_t alpha = 1
                   / (1 + c * o->last_column[middle - 1]
                      + b * s * o->first_column[middle]);
  planes x = w->x[k];
  scalar_t *y = w->y + n * k;

  for (int64_t j = begin; j < end; j++)
    y[j] = j < middle ? c * o->last_row[j] : b * o->first_row[j];
  scalar_t x_begin = alpha * o->last_column[begin];
  scalar_t x_end = alpha * s * o->first_column[end - 1];
  scalar_t y_begin = y[begin], y_end = y[end - 1];
  for (int64_t i = begin; i < end; i++)
    {
      int upper = i < middle;
      scalar_t xi
          = alpha * (upper ? o->last_column[i] : s * o->first_column[i]);
      x.re[i] = re_ (xi);
#if GE_COMPLEX
      x.im[i] = im_ (xi);
#endif
      o->first_column[i] = (upper ? o->first_column[i] : 0) - xi * y_begin;
      o->last_column[i] = (upper ? 0 : o->last_column[i]) - xi * y_end;
      o->first_row[i] = (upper ? o->first_row[i] : 0) - x_begin * y[i];
      o->last_row[i] = (upper ? 0 : o->last_row[i]) - x_end * y[i];
    }
}

static gpueig_status
alloc_tree (gpueig_context *ctx, int64_t n, tree *w, borders *o)
{
  scalar_t **const each[]
      = { &w->above,        &w->diagonal,    &w->below,     &w->modulus,
          &o->first_column, &o->last_column, &o->first_row, &o->last_row };
  w->n = n;
  w->levels = tdinv_levels (n);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, w->levels, &w->x));
  for (int k = 0; k < w->levels; k++)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w->x[k].re));
      w->x[k].im = NULL;
      if (GE_COMPLEX)
        GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &w->x[k].im));
    }
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n * w->levels, &w->y));
  for (int k = 0; k < 8; k++)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, n, each[k]));
  return GPUEIG_OK;
}

static void
grow_tree (const gpueig_tdinv_problem *p, tree *w, borders *o)
{
  const int64_t n = w->n;
  for (int64_t i = 0; i < n - 1; i++)
    w->modulus[i] = coupling_sign (p, i);
  for (int64_t t = 0; t < (int64_t) 1 << w->levels; t++)
    {
      const int64_t begin = tdinv_node_begin (n, w->levels, t);
      const int64_t end = tdinv_node_begin (n, w->levels, t + 1);
      invert_leaf (p, w, begin, end);
      leaf_borders (w, begin, end, o);
    }
  for (int k = w->levels - 1; k >= 0; k--)
    for (int64_t t = 0; t < (int64_t) 1 << k; t++)
      join (p, w, k, t, o);
}

/* --- entries --- */

/* out -= x y over COUNT rows.  */
GE_CLONES static void
subtract (int64_t count, const real_t *restrict xr, const real_t *restrict xi,
          scalar_t y, real_t *restrict re, real_t *restrict im)
{
  real_t yr = re_ (y), yi = im_ (y);
#if GE_COMPLEX
  for (int64_t i = 0; i < count; i++)
    {
      re[i] -= xr[i] * yr - xi[i] * yi;
      im[i] -= xr[i] * yi + xi[i] * yr;
    }
#else
  (void) xi;
  (void) yi;
  (void) im;
  for (int64_t i = 0; i < count; i++)
    re[i] -= xr[i] * yr;
#endif
}

static void
put_entry (scalar_t x, int64_t i, int64_t r0, int64_t r1, real_t *re,
           real_t *im)
{
  if (i < r0 || i >= r1)
    return;
  re[i - r0] = re_ (x);
  if (GE_COMPLEX)
    im[i - r0] = im_ (x);
}

static void
fill_scaled (const tree *w, int64_t j, int64_t r0, int64_t r1, real_t *re,
             real_t *im)
{
  int64_t n = w->n, t = tdinv_node_of (n, w->levels, j);
  int64_t leaf_begin = tdinv_node_begin (n, w->levels, t);
  int64_t leaf_end = tdinv_node_begin (n, w->levels, t + 1);

  memset (re, 0, (size_t) (r1 - r0) * sizeof *re);
  if (GE_COMPLEX)
    memset (im, 0, (size_t) (r1 - r0) * sizeof *im);
  put_entry (w->diagonal[j], j, r0, r1, re, im);
  if (j > leaf_begin)
    put_entry (w->above[j - 1], j - 1, r0, r1, re, im);
  if (j + 1 < leaf_end)
    put_entry (w->below[j], j + 1, r0, r1, re, im);
  for (int level = w->levels - 1; level >= 0; level--)
    {
      t >>= 1;
      int64_t begin = tdinv_node_begin (n, level, t);
      int64_t end = tdinv_node_begin (n, level, t + 1);
      begin = begin > r0 ? begin : r0;
      end = end < r1 ? end : r1;
      if (begin < end)
        subtract (end - begin, w->x[level].re + begin,
                  GE_COMPLEX ? w->x[level].im + begin : NULL,
                  w->y[n * level + j], re + (begin - r0), im + (begin - r0));
    }
}

static void
fill (const void *state, int64_t k, int64_t j, int64_t r0, int64_t r1,
      real_t *re, real_t *im)
{
  (void) k;
  const tree *w = state;
  fill_scaled (w, j, r0, r1, re, im);
  FN (ge_tdinv_times) (-w->exponent, r1 - r0, re, im);
}

/* --- verification --- */

static int
is_dominant (const gpueig_tdinv_problem *p)
{
  const scalar_t *a = p->a, *b = p->b, *c = p->c;
  int rows = 1, columns = 1;
  for (int64_t i = 0; i < p->n; i++)
    {
      real_t left = i > 0 ? abs_ (c[i - 1]) : 0;
      real_t right = i < p->n - 1 ? abs_ (b[i]) : 0;
      real_t over = i > 0 ? abs_ (b[i - 1]) : 0;
      real_t under = i < p->n - 1 ? abs_ (c[i]) : 0;
      rows &= abs_ (a[i]) >= left + right;
      columns &= abs_ (a[i]) >= over + under;
    }
  return rows || columns;
}

/* Nonzero if the diagonal agrees with that of the generators to the accuracy of a backward
   stable method.  It does not if a block was nearly singular or an entry over- or
   underflowed.  */
static int
agrees (const tree *w, const ge_tdinv_generators *g)
{
  real_t worst = 0, largest = 0;
  for (int64_t j = 0; j < w->n; j++)
    {
      real_t re, im = 0, xr = 0, xi = 0;
      int64_t e = g->u.e[j] + g->v.e[j] + w->exponent;
      const real_t *u = g->u.re, *v = g->v.re;
      int32_t limited = (int32_t) (e < -9999 ? -9999 : e > 9999 ? 9999 : e);
#if GE_COMPLEX
      const real_t *ui = g->u.im, *vi = g->v.im;
      tdinv_entry_complex (u[j], ui[j], v[j], vi[j], limited, &xr, &xi);
#else
      xr = tdinv_entry (u[j], v[j], limited);
#endif
      fill_scaled (w, j, j, j + 1, &re, &im);
      real_t error = abs_ (make_ (re - xr, im - xi));
      worst = error > worst || error != error ? error : worst;
      real_t size = abs_ (make_ (xr, xi));
      largest = size > largest ? size : largest;
    }
  const double limit = (double) w->n * (double) GE_EPS / g->rcond;
  return (double) worst <= (limit < 0.1 ? limit : 0.1) * (double) largest;
}

gpueig_status
FN (ge_tdinv_by_sherman_morrison) (gpueig_context *ctx,
                                   const gpueig_tdinv_problem *problem,
                                   int64_t exponent,
                                   const ge_tdinv_generators *g, int *served)
{
  tree w;
  borders o;
  *served = is_dominant (problem);
  if (! *served)
    return GPUEIG_OK;
  GE_TRY (alloc_tree (ctx, problem->n, &w, &o));
  w.exponent = exponent;
  grow_tree (problem, &w, &o);
  ge_report (ctx, "Sherman-Morrison: %d levels joined", w.levels);
  *served = agrees (&w, g);
  if (! *served)
    return GPUEIG_OK;
  return FN (ge_tdinv_write) (ctx, problem, 0, ge_tdinv_columns (problem), fill,
                              &w);
}
