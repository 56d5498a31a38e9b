/* Eigenvectors of a complex Schur form by back-substitution, see general.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As xTREVC3, but in blocks of rows and of vectors, which are pieces for a team; and a
   vector is scaled whenever an element would become large: near a Jordan block xTREVC3
   overflows.  The vectors of T are kept below its diagonal until all of them are known.  */

#include "base/products.h"
#include "eig/general.h"

#include <string.h>

#if GE_COMPLEX

/* Elements of a vector that is not yet normalized are not larger.  */
#  define MOST_ELEMENT 0x1p40

enum
{
  BLOCK = 32, /* rows, and vectors of a piece */
  ROWS = 128  /* of a piece of the product with the Schur vectors */
};

typedef struct
{
  int64_t n;
  int left;
  scalar_t *t, *z;
  const scalar_t *values; /* the diagonal of T */
  scalar_t *diagonal;     /* of the matrix of vectors */
  scalar_t *space;        /* n-by-BLOCK for each thread */
} substitution;

static int64_t
least_of (int64_t x, int64_t y)
{
  return x < y ? x : y;
}

/* x -= a y, COUNT elements of A and of x.  */
static inline void
subtract (int64_t count, const scalar_t *a, scalar_t y, scalar_t *x)
{
  for (int64_t i = 0; i < count; i++)
    x[i] -= mul_ (a[i], y);
}

/* The sum of conj (a) x over COUNT elements.  */
static inline scalar_t
dot (int64_t count, const scalar_t *a, const scalar_t *x)
{
  scalar_t sum = make_ (0, 0);
  for (int64_t i = 0; i < count; i++)
    sum += mul_ (conj_ (a[i]), x[i]);
  return sum;
}

/* X[ROW] <- X[ROW] / D in the vector X of N elements, which is scaled if that is large.  */
static void
divide (int64_t n, scalar_t *x, int64_t row, scalar_t d)
{
  const real_t size = abs_ (d), element = abs_ (x[row]);
  const scalar_t y = x[row];
  if (element == 0)
    return;
  if (element <= (real_t) MOST_ELEMENT * size)
    {
      x[row] = y / d;
      return;
    }
  const real_t f = size / element;
  for (int64_t i = 0; i < n; i++)
    x[i] = make_ (re_ (x[i]) * f, im_ (x[i]) * f);
  /* y / |y| times conj (d) / |d| */
  const scalar_t p = make_ (re_ (y) / element, im_ (y) / element);
  const scalar_t q = make_ (re_ (d) / size, -im_ (d) / size);
  x[row] = mul_ (p, q);
}

/* The difference of the eigenvalues of rows ROW and J, not smaller than rounding errors.  */
static scalar_t
shifted (const substitution *s, int64_t row, int64_t j)
{
  const scalar_t d = s->values[row] - s->values[j];
  const real_t rounding = GE_EPS * abs_ (s->values[j]);
  const real_t small = GE_REAL_MIN / GE_EPS;
  const real_t least = rounding > small ? rounding : small;
  return abs_ (d) >= least ? d : make_ (least, 0);
}

/* Rows FROM .. TO - 1 of the vectors J .. J + COUNT - 1 in X.  */
static void
solve_rows (const substitution *s, int64_t from, int64_t to, int64_t j,
            int64_t count, scalar_t *x)
{
  const int64_t n = s->n;
  for (int64_t c = 0; c < count; c++)
    {
      const int64_t own = j + c;
      scalar_t *v = x + n * c;
      if (own >= from && own < to)
        v[own] = make_ (1, 0);
      if (! s->left)
        for (int64_t i = least_of (to - 1, own); i >= from; i--)
          {
            if (i < own)
              divide (n, v, i, shifted (s, i, own));
            subtract (i - from, s->t + from + n * i, v[i], v + from);
          }
      else
        for (int64_t i = own + 1 > from ? own + 1 : from; i < to; i++)
          {
            const int64_t first = own > from ? own : from;
            v[i] -= dot (i - first, s->t + first + n * i, v + first);
            divide (n, v, i, conj_ (shifted (s, i, own)));
          }
    }
}

/* The vectors of block I.  */
static void
solve_piece (void *data, int64_t i, int thread)
{
  const substitution *s = data;
  const int64_t n = s->n, j = i * BLOCK, count = least_of (BLOCK, n - j);
  scalar_t *x = s->space + thread * n * BLOCK;
  memset (x, 0, (size_t) (n * count) * sizeof *x);
  for (int64_t from = j; from >= 0 && from < n;
       from += s->left ? BLOCK : -BLOCK)
    {
      const int64_t to = least_of (from + BLOCK, n), inner = to - from,
                    rows = s->left ? n - to : from;
      solve_rows (s, from, to, j, count, x);
      if (rows > 0 && s->left)
        multiply_ ("C", "N", rows, count, inner, -1, s->t + from + n * to, n,
                   x + from, n, 1, x + to, n);
      else if (rows > 0)
        multiply_ ("N", "N", rows, count, inner, -1, s->t + n * from, n,
                   x + from, n, 1, x, n);
    }
  for (int64_t c = 0; c < count; c++)
    {
      const int64_t own = j + c;
      const scalar_t *v = x + n * c;
      s->diagonal[own] = v[own];
      if (s->left)
        memcpy (s->t + own + 1 + n * own, v + own + 1,
                (size_t) (n - own - 1) * sizeof *v);
      for (int64_t k = 0; ! s->left && k < own; k++)
        s->t[own + n * k] = v[k];
    }
}

/* ROWS rows of Z times the vectors of T.  */
static void
multiply_piece (void *data, int64_t i, int thread)
{
  const substitution *s = data;
  const lapack_int n = (lapack_int) s->n;
  const lapack_int rows = (lapack_int) least_of (ROWS, s->n - i * ROWS);
  const scalar_t one = make_ (1, 0);
  (void) thread;
  trmm_ ("R", "L", s->left ? "N" : "T", "N", &rows, &n, &one, s->t, &n,
         s->z + i * ROWS, &n, 1, 1, 1, 1);
}

int64_t
FN (ge_form_vectors_space) (int64_t n, int threads)
{
  return n + threads * BLOCK * n;
}

void
FN (ge_form_vectors) (const ge_team *team, int64_t n, int left, void *form,
                      const void *values, void *vectors, void *space)
{
  substitution s = { .n = n,
                     .left = left,
                     .t = form,
                     .z = vectors,
                     .values = values,
                     .diagonal = space };
  s.space = s.diagonal + n;
  ge_team_pass (team, (n + BLOCK - 1) / BLOCK, GE_MANY_OPERATIONS, solve_piece,
                &s);
  for (int64_t i = 0; i < n; i++)
    s.t[i * (n + 1)] = s.diagonal[i];
  ge_team_pass (team, (n + ROWS - 1) / ROWS, GE_MANY_OPERATIONS, multiply_piece,
                &s);
}

#endif
