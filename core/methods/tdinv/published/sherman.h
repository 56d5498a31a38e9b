/* The inverse of a diagonally dominant tridiagonal matrix by the recursive
   Sherman-Morrison formula, for C and for CUDA.
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
   - Any order: on level k the rows are divided into 2^k nodes of about n / 2^k rows; the
     leaves, on level tdinv_levels (n), have one or two rows, all two if n is a power of
     two, as in the paper.
   - The paper has s = 1, which makes the leaves of tridiag (1, 2, 1) singular.
     Here s is a sign that makes the diagonal elements larger wherever both couplings
     allow it.

   For the paper's table: full inverses in double precision.  For others, if a block is
   singular, or if the result differs from that of the generators, these follow.  */

#ifndef GE_TDINV_SHERMAN_H
#define GE_TDINV_SHERMAN_H 1

#include "base/inline.h"

#include <float.h>
#include <stdint.h>

/* The first and last columns and rows of the inverses of all blocks of a level, indexed
   by row (column) of the matrix.  */
typedef struct
{
  double *first_column, *last_column, *first_row, *last_row;
} tdinv_borders;

/* X and Y, alpha D u and v' D, have N numbers per level.  */
typedef struct
{
  int64_t n;
  int levels;
  const double *c, *a, *b;
  double *x, *y;
  double *above, *diagonal, *below; /* of the inverses of leaves */
  tdinv_borders borders[2];         /* of a level and the one below it */
} tdinv_tree;

/* The number of levels; 0 for n <= 2.  */
GE_INLINE int
tdinv_levels (int64_t n)
{
  int levels = 0;
  while (((int64_t) 2 << levels) < n)
    levels++;
  return levels;
}

/* The first row of node T on level K.  */
GE_INLINE int64_t
tdinv_node_begin (int64_t n, int k, int64_t t)
{
  return (t * n) >> k;
}

/* The node on level K that contains row J.  */
GE_INLINE int64_t
tdinv_node_of (int64_t n, int k, int64_t j)
{
  return (((j + 1) << k) - 1) / n;
}

/* 1 if T is not diagonally dominant in row I, 2 if not in column I, 3 if in neither.  */
GE_INLINE int
tdinv_exceeds (const tdinv_tree *w, int64_t i)
{
  const double size = fabs (w->a[i]);
  const double left = i > 0 ? fabs (w->c[i - 1]) : 0,
               over = i > 0 ? fabs (w->b[i - 1]) : 0,
               right = i + 1 < w->n ? fabs (w->b[i]) : 0,
               under = i + 1 < w->n ? fabs (w->c[i]) : 0;
  return (size < left + right ? 1 : 0) | (size < over + under ? 2 : 0);
}

/* s of the coupling of rows I and I + 1.  */
GE_INLINE double
tdinv_sign (const tdinv_tree *w, int64_t i)
{
  const double x = w->c[i] != 0 ? w->c[i] : w->a[i + 1],
               y = w->c[i] != 0 ? w->a[i] : w->b[i];
  return x == 0 || y == 0 || (x < 0) != (y < 0) ? 1 : -1;
}

/* Compute the inverse of leaf T and the borders of that inverse.  */
GE_INLINE void
tdinv_invert_leaf (const tdinv_tree *w, int64_t t, tdinv_borders o)
{
  const int64_t i = tdinv_node_begin (w->n, w->levels, t),
                end = tdinv_node_begin (w->n, w->levels, t + 1), last = end - 1;
  double first_a = w->a[i], last_a = w->a[last];
  if (i > 0)
    first_a -= tdinv_sign (w, i - 1) * w->b[i - 1];
  if (last == i)
    last_a = first_a;
  if (end < w->n)
    last_a -= tdinv_sign (w, last) * w->c[last];
  if (last == i)
    {
      const double x = 1 / last_a;
      w->diagonal[i] = o.first_column[i] = o.last_column[i] = x;
      o.first_row[i] = o.last_row[i] = x;
      return;
    }
  const double det = first_a * last_a - w->b[i] * w->c[i];
  w->diagonal[i] = o.first_column[i] = o.first_row[i] = last_a / det;
  w->diagonal[last] = o.last_column[last] = o.last_row[last] = first_a / det;
  w->above[i] = o.last_column[i] = o.first_row[last] = -w->b[i] / det;
  w->below[i] = o.first_column[last] = o.last_row[i] = -w->c[i] / det;
}

/* Numbers that all rows of a node use.  */
typedef struct
{
  int64_t begin, middle, end;
  double s, c, b, alpha, x_begin, x_end, y_begin, y_end;
} tdinv_node;

/* Node T of level K from the borders OLD of its halves.  */
GE_INLINE tdinv_node
tdinv_make_node (const tdinv_tree *w, int k, int64_t t, tdinv_borders old)
{
  tdinv_node v;
  v.begin = tdinv_node_begin (w->n, k, t);
  v.end = tdinv_node_begin (w->n, k, t + 1);
  v.middle = tdinv_node_begin (w->n, k + 1, 2 * t + 1);
  v.s = tdinv_sign (w, v.middle - 1);
  v.c = w->c[v.middle - 1] * v.s;
  v.b = w->b[v.middle - 1];
  v.alpha = 1
            / (1 + v.c * old.last_column[v.middle - 1]
               + v.b * v.s * old.first_column[v.middle]);
  v.x_begin = v.alpha * old.last_column[v.begin];
  v.x_end = v.alpha * v.s * old.first_column[v.end - 1];
  v.y_begin = v.c * old.last_row[v.begin];
  v.y_end = v.b * old.first_row[v.end - 1];
  return v;
}

/* Row I of node V of level K: x, y, and the borders O.  */
GE_INLINE void
tdinv_join (const tdinv_tree *w, int k, const tdinv_node *v, int64_t i,
            tdinv_borders old, tdinv_borders o)
{
  const int upper = i < v->middle;
  const double x
      = v->alpha * (upper ? old.last_column[i] : v->s * old.first_column[i]),
      y = upper ? v->c * old.last_row[i] : v->b * old.first_row[i];
  w->x[w->n * k + i] = x;
  w->y[w->n * k + i] = y;
  o.first_column[i] = (upper ? old.first_column[i] : 0) - x * v->y_begin;
  o.last_column[i] = (upper ? 0 : old.last_column[i]) - x * v->y_end;
  o.first_row[i] = (upper ? old.first_row[i] : 0) - v->x_begin * y;
  o.last_row[i] = (upper ? 0 : old.last_row[i]) - v->x_end * y;
}

/* Entry (I, J) of the leaves' inverses.  */
GE_INLINE double
tdinv_leaf_entry (const tdinv_tree *w, int64_t i, int64_t j)
{
  const int64_t low = i < j ? i : j;
  if (i == j)
    return w->diagonal[j];
  if (i - j > 1 || j - i > 1
      || tdinv_node_of (w->n, w->levels, low)
             != tdinv_node_of (w->n, w->levels, low + 1))
    return 0;
  return i < j ? w->above[low] : w->below[low];
}

GE_INLINE double
tdinv_diagonal_entry (const tdinv_tree *w, int64_t j)
{
  double x = w->diagonal[j];
  for (int k = w->levels - 1; k >= 0; k--)
    x -= w->x[w->n * k + j] * w->y[w->n * k + j];
  return x;
}

/* Nonzero if the diagonal, which differs by ERROR from that of the generators, whose
   largest entry is LARGEST, is that of a backward stable method.  It is not if a block
   was nearly singular or an entry over- or underflowed.  */
GE_INLINE int
tdinv_agrees (int64_t n, double rcond, double error, double largest)
{
  const double limit = (double) n * DBL_EPSILON / rcond;
  return error <= (limit < 0.1 ? limit : 0.1) * largest;
}

#endif
