/* Starting vectors of one-sided Jacobi in SIMD lanes: eigenvectors of Gram matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The eigenvectors V of A'A by Householder reflections and the QL method (G. H. Golub,
   C. F. Van Loan, Matrix Computations, 8.3) in all lanes, each with a block and a shift of
   its own.  The columns of B = A V are orthogonal up to eps |A|^2 / (|b_i| |b_j|): of a
   well-conditioned page one sweep of small rotations is left.  V is unitary to rounding
   errors, whatever the condition, and B differs from A V by those of |A|: nothing else is
   asked of them, so eigenvalues that the QL method does not find in time are left to the
   sweeps.  */

#include "svd/lanes.h"

#include <string.h>

enum
{
  STEPS = 4 /* of the QL method per column, on average at most */
};

/* Squares below TINY have lost digits; numbers whose squares are of that size do not
   change sums of squares above SMALL.  */
#define TINY (GE_DOUBLE ? (real_t) 1e-280 : (real_t) 1e-36)
#define SMALL (GE_DOUBLE ? (real_t) 1e-240 : (real_t) 1e-20)

/* SUM = x'y.  */
GE_ALWAYS_INLINE void
inner (int64_t n, const lanes *x, const lanes *y, lanes *sum)
{
  lanes re = { 0 };
  for (int64_t i = 0; i < n * PARTS; i++)
    add_product (&x[i], &y[i], &re);
  sum[0] = re;
#if GE_COMPLEX
  imaginary_product (n, x, y, &sum[1]);
#endif
}

/* Y += ALPHA x.  */
GE_ALWAYS_INLINE void
add_multiple (int64_t n, const lanes *alpha, const lanes *x, lanes *y)
{
  for (int64_t i = 0; i < n * PARTS; i += PARTS)
    {
      for (int k = 0; k < PARTS; k++)
        add_product (&alpha[0], &x[i + k], &y[i + k]);
#if GE_COMPLEX
      const lanes minus = -alpha[1];
      add_product (&minus, &x[i + 1], &y[i]);
      add_product (&alpha[1], &x[i], &y[i + 1]);
#endif
    }
}

/* G = F'F, all of it.  */
GE_ALWAYS_INLINE void
gram_of (int64_t l, int64_t n, int64_t column, const lanes *f, lanes *g)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = j; i < n; i++)
      {
        lanes *x = g + (i + n * j) * PARTS, *y = g + (j + n * i) * PARTS;
        inner (l, f + column * i, f + column * j, x);
        y[0] = x[0];
#if GE_COMPLEX
        y[1] = -x[1];
#endif
      }
}

/* --- tridiagonal form --- */

/* The reflection I - TAU v v', of N numbers X, which become v, to a multiple PHASE R of the
   first unit vector; the identity where X is too small.  TAU from v itself: from other
   lengths it has more rounding errors.  */
GE_ALWAYS_INLINE void
find_reflection (int64_t n, lanes *x, lanes *tau, lanes *phase, lanes *r)
{
  const lanes zero = { 0 }, one = zero + 1;
  lanes sum = zero, first = zero, square = x[0] * x[0], root = zero;
  for (int64_t i = 0; i < n * PARTS; i++)
    add_product (&x[i], &x[i], &sum);
#if GE_COMPLEX
  square += x[1] * x[1];
#endif
  square_roots (&square, &first);
  square_roots (&sum, &root);
  const mask some = sum > SMALL, turned = square > TINY;
  const lanes scale = 1 / WHERE (turned, first, one);
  phase[0] = WHERE (turned, x[0] * scale, one);
  x[0] += phase[0] * root;
#if GE_COMPLEX
  phase[1] = WHERE (turned, x[1] * scale, zero);
  x[1] += phase[1] * root;
#endif
  sum = zero;
  for (int64_t i = 0; i < n * PARTS; i++)
    add_product (&x[i], &x[i], &sum);
  *tau = WHERE (some, 2 / sum, zero);
  *r = WHERE (some, -root, zero);
}

/* Q'G Q = T, Q from reflections, by columns COLUMN apart: the diagonal D and the
   subdiagonal E of T.  G is overwritten; P: scratch for N numbers.  */
GE_ALWAYS_INLINE void
tridiagonalize (int64_t n, lanes *g, lanes *d, lanes *e, lanes *tau, lanes *p,
                int64_t column, lanes *q)
{
  lanes phase[PARTS], turn[PARTS];
  const lanes zero = { 0 };
  for (int64_t j = 0; j + 1 < n; j++)
    {
      const int64_t m = n - j - 1;
      lanes *v = g + (j + 1 + n * j) * PARTS;
      find_reflection (m, v, &tau[j], phase, &e[j]);
      memcpy (q + column * (j + 1), phase, sizeof phase);
      if (m > 1)
        {
          lanes *rest = g + (j + 1 + n * (j + 1)) * PARTS, s[PARTS];
          for (int64_t i = 0; i < m; i++)
            {
              inner (m, rest + n * i * PARTS, v, p + i * PARTS);
              for (int k = 0; k < PARTS; k++)
                p[i * PARTS + k] *= -tau[j];
            }
          inner (m, v, p, s);
          const lanes half = -tau[j] * s[0] / 2;
          for (int64_t i = 0; i < m * PARTS; i++)
            add_product (&half, &v[i], &p[i]);
          /* Columns of G + v p' + p v'.  */
          for (int64_t i = 0; i < m; i++)
            {
              lanes a[PARTS], b[PARTS];
              a[0] = p[i * PARTS];
              b[0] = v[i * PARTS];
#if GE_COMPLEX
              a[1] = -p[i * PARTS + 1];
              b[1] = -v[i * PARTS + 1];
#endif
              add_multiple (m, a, v, rest + n * i * PARTS);
              add_multiple (m, b, p, rest + n * i * PARTS);
            }
        }
    }
  for (int64_t j = 0; j < n; j++)
    d[j] = g[(j + n * j) * PARTS];
  e[n - 1] = zero;
  /* Column j of Q has the phases of all subdiagonal elements before.  */
  turn[0] = zero + 1;
#if GE_COMPLEX
  turn[1] = zero;
#endif
  for (int64_t j = 0; j < n; j++)
    {
      lanes *x = q + column * j;
      if (j > 0)
        {
          const lanes re = x[0];
#if GE_COMPLEX
          const lanes old = turn[0];
          turn[0] = old * re - turn[1] * x[1];
          turn[1] = old * x[1] + turn[1] * re;
#else
          turn[0] *= re;
#endif
        }
      memset (x, 0, (size_t) (n * PARTS) * sizeof *x);
      for (int k = 0; k < PARTS; k++)
        x[j * PARTS + k] = turn[k];
    }
  for (int64_t j = n - 2; j >= 0; j--)
    {
      const lanes *v = g + (j + 1 + n * j) * PARTS;
      for (int64_t i = j + 1; i < n; i++)
        {
          lanes s[PARTS], *x = q + column * i + (j + 1) * PARTS;
          inner (n - j - 1, v, x, s);
          for (int k = 0; k < PARTS; k++)
            s[k] *= -tau[j];
          add_multiple (n - j - 1, s, v, x);
        }
    }
}

/* --- QL method --- */

typedef struct
{
  lanes g, s, c, p, start; /* START: G of the first rotation */
  lanes first, last;       /* rows of the block; FIRST = N: there is none */
} ql_step;

/* Set negligible elements of E to 0; find the first block of T that is not diagonal, and
   its shift.  */
GE_ALWAYS_INLINE void
begin_step (int64_t n, const lanes *d, lanes *e, const lanes *tol, ql_step *t)
{
  const lanes zero = { 0 }, one = zero + 1;
  lanes end = zero + (real_t) (n - 1), d_end = d[n - 1];
  lanes d0 = zero, d1 = zero, e0 = one, d_last = zero;
  t->first = zero + (real_t) n;
  t->last = zero;
  for (int64_t i = n - 2; i >= 0; i--)
    {
      const mask coupled = MODULUS (e[i]) > *tol;
      const lanes here = zero + (real_t) i;
      e[i] = WHERE (coupled, e[i], zero);
      t->first = WHERE (coupled, here, t->first);
      t->last = WHERE (coupled, end, t->last);
      d_last = WHERE (coupled, d_end, d_last);
      d0 = WHERE (coupled, d[i], d0);
      d1 = WHERE (coupled, d[i + 1], d1);
      e0 = WHERE (coupled, e[i], e0);
      end = WHERE (coupled, end, here);
      d_end = WHERE (coupled, d_end, d[i]);
    }
  const lanes half = (d1 - d0) / 2;
  lanes square = half * half + e0 * e0, root = zero;
  square_roots (&square, &root);
  t->start = d_last - d0 + e0 * e0 / (half + WHERE (half < 0, -root, root));
  t->s = zero;
  t->c = one;
  t->p = zero;
}

/* The rotation of rows I and I + 1, sine t->s and cosine t->c.  Outside of the block F is 0: this
   is no rotation, and nothing changes.  */
GE_ALWAYS_INLINE void
find_plane (int64_t i, lanes *d, lanes *e, ql_step *t)
{
  const lanes zero = { 0 }, one = zero + 1;
  const mask begin = t->last == (real_t) (i + 1);
  t->g = WHERE (begin, t->start, t->g);
  t->s = WHERE (begin, one, t->s);
  const lanes f = t->s * e[i], b = t->c * e[i], f2 = f * f;
  lanes square = f2 + t->g * t->g, r = zero;
  square_roots (&square, &r);
  const mask some = f2 > TINY;
  const lanes inverse = 1 / r;
  const lanes s = WHERE (some, f * inverse, zero);
  const lanes c = WHERE (some, t->g * inverse, one);
  const lanes g = d[i + 1] - t->p, x = (d[i] - g) * s + 2 * c * b;
  e[i + 1] = WHERE (begin, zero, WHERE (some, r, t->g));
  t->p = s * x;
  d[i + 1] = g + t->p;
  t->g = c * x - b;
  t->s = s;
  t->c = c;
}

GE_ALWAYS_INLINE void
rotate_plane (int64_t n, const lanes *s, const lanes *c, lanes *x, lanes *y)
{
  const lanes minus = -*s;
  for (int64_t i = 0; i < n * PARTS; i++)
    {
      lanes u = *c * x[i], v = *c * y[i];
      add_product (&minus, &y[i], &u);
      add_product (s, &x[i], &v);
      x[i] = u;
      y[i] = v;
    }
}

/* Q becomes Q W, W'T W diagonal.  HALVES of T and Q.  */
GE_ALWAYS_INLINE void
diagonalize (int64_t n, int halves, lanes *d, lanes *e, int64_t column,
             int64_t half, lanes *q)
{
  ql_step t[HALVES];
  lanes tol[HALVES];
  for (int h = 0; h < halves; h++)
    {
      tol[h] = (lanes){ 0 };
      for (int64_t i = 0; i < n; i++)
        tol[h] = LARGER (MODULUS (d[h * n + i]), tol[h]);
      tol[h] *= GE_EPS;
    }
  for (int64_t step = 0; step < STEPS * n; step++)
    {
      int64_t from = n, to = 0;
      for (int h = 0; h < halves; h++)
        {
          begin_step (n, d + h * n, e + h * n, &tol[h], &t[h]);
          for (int w = 0; w < LANES; w++)
            {
              const int64_t first = (int64_t) t[h].first[w];
              const int64_t last = (int64_t) t[h].last[w];
              from = first < from ? first : from;
              to = last > to ? last : to;
            }
        }
      if (from == n)
        break;
      for (int h = 0; h < halves; h++)
        {
          t[h].g = e[h * n + to];
          find_plane (to - 1, d + h * n, e + h * n, &t[h]);
        }
      /* A rotation is applied while the next one waits for its root and quotient.  */
      for (int64_t i = to - 1; i >= from; i--)
        {
          lanes s[HALVES], c[HALVES];
          for (int h = 0; h < halves; h++)
            {
              s[h] = t[h].s;
              c[h] = t[h].c;
              if (i > from)
                find_plane (i - 1, d + h * n, e + h * n, &t[h]);
            }
          for (int h = 0; h < halves; h++)
            rotate_plane (n, &s[h], &c[h], q + h * half + column * i,
                          q + h * half + column * (i + 1));
        }
      for (int h = 0; h < halves; h++)
        {
          d[h * n + from] -= t[h].p;
          e[h * n + from] = t[h].g;
        }
    }
}

/* F becomes F Q; ROW: scratch for N numbers.  */
GE_ALWAYS_INLINE void
multiply (int64_t l, int64_t n, int64_t column, const lanes *q, lanes *row,
          lanes *f)
{
  for (int64_t i = 0; i < l; i++)
    {
      for (int64_t j = 0; j < n; j++)
        {
          const lanes *x = f + column * j + i * PARTS;
          row[j * PARTS] = x[0];
#if GE_COMPLEX
          row[j * PARTS + 1] = -x[1];
#endif
        }
      for (int64_t j = 0; j < n; j++)
        inner (n, row, q + column * j, f + column * j + i * PARTS);
    }
}

GE_ALWAYS_INLINE void
start (int64_t l, int64_t n, int64_t rows, int halves, lanes *f, lanes *g)
{
  const int64_t column = rows * PARTS, half = n * column;
  lanes *d = g + n * n * PARTS, *e = d + n * HALVES, *tau = e + n * HALVES,
        *p = tau + n;
  for (int h = 0; h < halves; h++)
    {
      lanes *x = f + h * half;
      gram_of (l, n, column, x, g);
      tridiagonalize (n, g, d + h * n, e + h * n, tau, p, column,
                      x + l * PARTS);
    }
  diagonalize (n, halves, d, e, column, half, f + l * PARTS);
  for (int h = 0; h < halves; h++)
    multiply (l, n, column, f + h * half + l * PARTS, p, f + h * half);
}

int64_t
FN (ge_svd_start_bytes) (int64_t n)
{
  return n * (n * PARTS + 2 * HALVES + 1 + PARTS) * (int64_t) sizeof (lanes);
}

GE_CLONES (WIDE, extern, void, FN (ge_svd_start),
           (int64_t l, int64_t n, int64_t rows, int halves, void *group,
            void *scratch),
           (l, n, rows, halves, group, scratch))
{
  if (halves == HALVES)
    start (l, n, rows, HALVES, group, scratch);
  else
    start (l, n, rows, 1, group, scratch);
}
