/* One-sided Jacobi on many small matrices, one per SIMD lane.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   M. R. Hestenes, J. SIAM 6 (1958) 51: the columns of A, or of A' if it is wide, are
   rotated until they are orthogonal, A V = U diag (s); the rotations are accumulated in
   V.  The longer of two columns goes to the left, which sorts them.  Squared lengths are
   computed for every pair: updated ones lose their digits where columns are of very
   different length.  Columns shorter than FLOOR of the scaled page, whose elements are
   below 1, are not rotated; vectors orthogonal to all others take their place in U.  */

#include "onesided/lanes.h"
#include "onesided/rotate.h"
#include "svd/svd.h"

#include <string.h>

enum
{
  MOST_SWEEPS = 40, /* usually at most ten are needed */
  HALVES = 2,       /* of a group, which has LANES pages each */
  GROUP = HALVES * LANES
};

/* Products of two squared lengths are normal numbers.  */
#define FLOOR (GE_DOUBLE ? (real_t) 1e-70 : (real_t) 1e-9)

/* --- rotations --- */

typedef struct
{
  lanes a, b; /* x'x, y'y */
  group_rotation g;
} pair_products;

/* SUM += A B, rounded once.  */
static inline void
add_product (const lanes *a, const lanes *b, lanes *sum)
{
  const real_t *x = (const real_t *) a, *y = (const real_t *) b;
  real_t *to = (real_t *) sum;
#pragma omp simd
  for (int w = 0; w < LANES; w++)
    to[w] = fma_ (x[w], y[w], to[w]);
}

static inline void
multiply_pair (int64_t n, const lanes *x, const lanes *y, pair_products *p)
{
  lanes a = { 0 }, b = { 0 }, re = { 0 };
  for (int64_t i = 0; i < n * PARTS; i++)
    {
      add_product (&x[i], &x[i], &a);
      add_product (&y[i], &y[i], &b);
      add_product (&x[i], &y[i], &re);
    }
#if GE_COMPLEX
  lanes im = { 0 };
  for (int64_t i = 0; i < 2 * n; i += 2)
    {
      const lanes minus = -x[i + 1];
      add_product (&x[i], &y[i + 1], &im);
      add_product (&minus, &y[i], &im);
    }
  p->g.d_im = im;
#endif
  p->a = a;
  p->b = b;
  p->g.d_re = re;
}

static inline void
rotate_columns (int64_t n, lanes *x, lanes *y, const group_rotation *g)
{
  const lanes z = g->z_re, minus_z = -z, minus_m = -g->m;
#if GE_COMPLEX
  const lanes w = g->z_im, minus_w = -w;
#endif
  for (int64_t i = 0; i < n * PARTS; i += PARTS)
    {
      lanes u[PARTS], v[PARTS];
      for (int k = 0; k < PARTS; k++)
        {
          u[k] = x[i + k];
          v[k] = y[i + k];
          add_product (&minus_m, &x[i + k], &u[k]);
          add_product (&minus_z, &y[i + k], &u[k]);
          add_product (&minus_m, &y[i + k], &v[k]);
          add_product (&z, &x[i + k], &v[k]);
        }
#if GE_COMPLEX
      add_product (&minus_w, &y[i + 1], &u[0]);
      add_product (&w, &y[i], &u[1]);
      add_product (&minus_w, &x[i + 1], &v[0]);
      add_product (&w, &x[i], &v[1]);
#endif
      for (int k = 0; k < PARTS; k++)
        {
          x[i + k] = u[k];
          y[i + k] = v[k];
        }
    }
}

/* The rotations of LANES pairs.  With h = y'y - x'x and e = 2 |x'y|, divided by the square
   of the longer column, w^2 = h^2 + e^2 and p^2 = 2 w (w + |h|), the sine is e / p, the
   cosine (w + |h|) / p, and the tangent of half the angle e / (p + w + |h|).  Where the
   columns are exchanged the angle is larger by a right one.  Lanes with columns of length 0
   compute NaN, which ACT masks.  */
static inline void
find_rotations (group_state *s, pair_products *p, int *rotate)
{
  const lanes zero = { 0 }, one = zero + 1;
  group_rotation *g = &p->g;
  const lanes larger = LARGER (p->a, p->b);
  const lanes smaller = WHERE (p->a > p->b, p->b, p->a);
  const lanes both = 1 / (larger * smaller), inverse = both * smaller;
  const lanes ratio = larger * larger * both; /* at least 1 */
  const lanes h = (p->b - p->a) * inverse, distance = MODULUS (h);
  const lanes d_re = g->d_re * inverse;
#if GE_COMPLEX
  const lanes d_im = g->d_im * inverse, square = d_re * d_re + d_im * d_im;
  lanes d;
  square_roots (&square, &d);
#else
  const lanes d = d_re, square = d * d;
#endif
  const lanes cosine = square * ratio;
  const mask act = (cosine > s->tol) & (smaller > FLOOR * FLOOR);
  const lanes e = 2 * d;
  lanes w = h * h + e * e, root;
  square_roots (&w, &root);
  const lanes sum = root + distance;
  w = 2 * root * sum;
  square_roots (&w, &root);
  const lanes scale = 1 / root, sine = WHERE (h < 0, -e, e) * scale;
  const lanes half = e / (root + sum), m = MODULUS (sine * half);
  const mask swap = act & (h >= 0);
  const lanes right = sum * scale;
  const lanes z = WHERE (swap, WHERE (sine < 0, right, -right), sine);
  g->m = WHERE (act, WHERE (swap, 1 - MODULUS (sine), m), zero);
#if GE_COMPLEX
  g->z_re = WHERE (act, z / d * d_re, zero);
  g->z_im = WHERE (act, z / d * d_im, zero);
#else
  g->z_re = WHERE (act, z, zero);
#endif
  const lanes moved = WHERE (act, WHERE (swap, one, sine * sine * ratio), zero);
  s->cosine = LARGER (WHERE (act, cosine, zero), s->cosine);
  s->sine = LARGER (moved, s->sine);
  *rotate = any_lane (&act);
}

/* A sweep over the N columns, ROWS long, orthogonal in their first DOT, of each of
   HALVES of F: one is computed while the other waits for its roots and quotients.  */
GE_WIDE_CLONES static void
group_sweep (int64_t n, int64_t dot, int64_t rows, int halves, lanes *f,
             group_state *s)
{
  const int64_t column = rows * PARTS, half = n * column;
  for (int h = 0; h < halves; h++)
    {
      memset (&s[h].cosine, 0, sizeof s->cosine);
      memset (&s[h].sine, 0, sizeof s->sine);
    }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++)
      {
        pair_products p[HALVES];
        int rotate[HALVES];
        lanes *x = f + i * column, *y = f + j * column;
        for (int h = 0; h < halves; h++)
          multiply_pair (dot, x + h * half, y + h * half, &p[h]);
        for (int h = 0; h < halves; h++)
          find_rotations (&s[h], &p[h], &rotate[h]);
        for (int h = 0; h < halves; h++)
          if (rotate[h])
            rotate_columns (rows, x + h * half, y + h * half, &p[h].g);
      }
}

/* --- a page in its lane --- */

/* Its sides, LONG by SHORT after transposition if it is wide, and the rows of F.  */
typedef struct
{
  const gpueig_svd_problem *g;
  int64_t k, l, rows, columns; /* COLUMNS: of the long side's vectors */
  int wide;
} layout;

static layout
layout_of (const ge_svd_problem *p)
{
  const gpueig_svd_problem *g = &p->svd;
  const int64_t k = ge_svd_short (g), l = ge_svd_long (g);
  return (layout){ .g = g,
                   .k = k,
                   .l = l,
                   .rows = l + (g->u ? k : 0),
                   .columns = g->full ? l : k,
                   .wide = g->m < g->n };
}

/* COUNT pages A of ELEMENTS numbers, one in each lane of F, scaled to elements below 1, with the
   identity below; the EXPONENTs of the scaling.  */
GE_CLONES static void
load_pages (const layout *y, const scalar_t *a, int64_t count, lanes *f,
            int *exponent)
{
  const int64_t m = y->g->m, n = y->g->n, column = y->rows * PARTS;
  real_t *const reals = (real_t *) f;
  lanes most = { 0 }, p = { 0 }, q = { 0 };
  if (count < LANES)
    memset (f, 0, (size_t) (y->k * column) * sizeof *f);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        const int64_t at = y->wide ? j + y->rows * i : i + y->rows * j;
        real_t *to = reals + at * PARTS * LANES;
        for (int64_t w = 0; w < count; w++)
          {
            const scalar_t x = a[i + m * j + m * n * w];
            to[w] = re_ (x);
            if (GE_COMPLEX)
              to[w + LANES] = y->wide ? -im_ (x) : im_ (x);
          }
      }
  for (int64_t j = 0; j < y->k; j++)
    for (int64_t i = column * j; i < column * j + y->l * PARTS; i++)
      most = LARGER (MODULUS (f[i]), most);
  for (int w = 0; w < LANES; w++)
    {
      (void) GE_MATH (frexp) (most[w], &exponent[w]);
      const int half = -exponent[w] / 2;
      p[w] = GE_MATH (ldexp) (1, half);
      q[w] = GE_MATH (ldexp) (1, -exponent[w] - half);
    }
  for (int64_t j = 0; j < y->k; j++)
    {
      lanes *x = f + column * j;
      for (int64_t i = 0; i < y->l * PARTS; i++)
        x[i] = x[i] * p * q;
      for (int64_t i = y->l * PARTS; i < column; i++)
        x[i] = (lanes){ 0 } + (real_t) (i == (y->l + j) * PARTS);
    }
}

/* LENGTH: of the columns.  */
GE_CLONES static void
find_lengths (const layout *y, const lanes *f, lanes *length)
{
  for (int64_t j = 0; j < y->k; j++)
    {
      const lanes *x = f + y->rows * PARTS * j;
      lanes sum = { 0 };
      for (int64_t i = 0; i < y->l * PARTS; i++)
        sum += x[i] * x[i];
      square_roots (&sum, &length[j]);
    }
}

/* Column J of F from row FROM on, COUNT elements times SCALE.  */
static void
get_column (const layout *y, const real_t *f, int lane, int64_t j, int64_t from,
            int64_t count, real_t scale, scalar_t *to)
{
  for (int64_t i = 0; i < count; i++)
    {
      const real_t *x = f + (from + i + y->rows * j) * PARTS * LANES + lane;
      to[i] = make_ (x[0] * scale + 0, x[LANES * (PARTS - 1)] * scale + 0);
    }
}

/* Columns FIRST to COUNT - 1 of Q, L-by-COUNT, become an orthonormal basis with those
   before: each is the unit vector farthest from their span, made orthogonal to them
   twice.  ROWS: scratch for L numbers.  */
static void
complete (int64_t l, int64_t first, int64_t count, scalar_t *q, real_t *rows)
{
  for (int64_t i = 0; i < l && first < count; i++)
    {
      rows[i] = 0;
      for (int64_t j = 0; j < first; j++)
        rows[i] += abs2_ (q[i + l * j]);
    }
  for (int64_t c = first; c < count; c++)
    {
      scalar_t *x = q + l * c;
      int64_t least = 0;
      for (int64_t i = 0; i < l; i++)
        least = rows[i] < rows[least] ? i : least;
      memset (x, 0, (size_t) l * sizeof *x);
      x[least] = 1;
      for (int pass = 0; pass < 2; pass++)
        for (int64_t j = 0; j < c; j++)
          {
            const scalar_t *y = q + l * j;
            scalar_t d = 0;
            for (int64_t i = 0; i < l; i++)
              d += conj_ (y[i]) * x[i];
            for (int64_t i = 0; i < l; i++)
              x[i] -= d * y[i];
          }
      real_t sum = 0;
      for (int64_t i = 0; i < l; i++)
        sum += abs2_ (x[i]);
      for (int64_t i = 0; i < l; i++)
        {
          x[i] /= sqrt_ (sum);
          rows[i] += abs2_ (x[i]);
        }
    }
}

/* The LENGTHs of N columns, descending, in VALUE, and the columns' numbers.  */
static void
sort_columns (int64_t n, const lanes *length, int lane, real_t *value,
              int *order)
{
  for (int64_t j = 0; j < n; j++)
    {
      const real_t mine = ((const real_t *) (length + j))[lane];
      int64_t at = j;
      for (; at > 0 && value[at - 1] < mine; at--)
        {
          value[at] = value[at - 1];
          order[at] = order[at - 1];
        }
      value[at] = mine;
      order[at] = (int) j;
    }
}

/* Scratch: LENGTH of all lanes' columns, the others of a page; LEFT has l * columns
   scalars.  */
typedef struct
{
  lanes *length;
  scalar_t *left;
  real_t *value, *rows;
  int *order;
} page_scratch;

static void
store_page (const layout *y, int64_t page, const real_t *f, int lane,
            int exponent, const page_scratch *t)
{
  const gpueig_svd_problem *g = y->g;
  const int64_t values = ge_svd_values (g), first = g->first ? g->first - 1 : 0;
  real_t *s = (real_t *) g->s + page * values;
  sort_columns (y->k, t->length, lane, t->value, t->order);
  for (int64_t i = 0; i < values; i++)
    s[i] = GE_MATH (ldexp) (t->value[first + i], exponent);
  if (! g->u)
    return;
  const int64_t of_u = ge_svd_columns (g, g->m),
                of_v = ge_svd_columns (g, g->n);
  scalar_t *u = (scalar_t *) g->u + page * g->m * of_u;
  scalar_t *v = (scalar_t *) g->v + page * g->n * of_v;
  scalar_t *left = y->wide ? v : u, *right = y->wide ? u : v;
  int64_t rank = 0;
  for (; rank < y->k && t->value[rank] > FLOOR; rank++)
    get_column (y, f, lane, t->order[rank], 0, y->l, 1 / t->value[rank],
                t->left + y->l * rank);
  complete (y->l, rank, y->columns, t->left, t->rows);
  memcpy (left, t->left + y->l * first,
          (size_t) (y->l * (y->wide ? of_v : of_u)) * sizeof *left);
  for (int64_t j = 0; j < values; j++)
    get_column (y, f, lane, t->order[first + j], y->l, y->k, 1,
                right + y->k * j);
}

/* --- a group of pages --- */

int
FN (ge_svd_lanes) (void)
{
  return GROUP;
}

static int64_t
lay_out (const layout *y, char *space, real_t **f, page_scratch *t)
{
  char *at = space;
  *f = ge_take (&at, HALVES * y->rows * y->k * PARTS, sizeof (lanes));
  t->length = ge_take (&at, y->k, sizeof (lanes));
  t->left = ge_take (&at, y->l * y->columns, sizeof *t->left);
  t->value = ge_take (&at, y->k, sizeof *t->value);
  t->rows = ge_take (&at, y->l, sizeof *t->rows);
  t->order = ge_take (&at, y->k, sizeof *t->order);
  return at - space;
}

int64_t
FN (ge_svd_lanes_bytes) (const ge_svd_problem *p)
{
  const layout y = layout_of (p);
  page_scratch scratch;
  real_t *f;
  return lay_out (&y, NULL, &f, &scratch);
}

void
FN (ge_svd_group) (const ge_svd_problem *p, int64_t first, int64_t count,
                   void *space, int *sweeps)
{
  const layout y = layout_of (p);
  const scalar_t *a = p->svd.a;
  const int64_t elements = y.k * y.l;
  const real_t tol = GE_EPS * sqrt_ ((real_t) y.l);
  const int64_t half = y.rows * y.k * PARTS * LANES; /* reals */
  int exponent[GROUP], left = 1, sweep = 0;
  page_scratch scratch;
  group_state s[HALVES] = { { .tol = { 0 } } };
  real_t *f;
  lay_out (&y, space, &f, &scratch);
  for (int w = 0; w < GROUP; w++)
    s[w / LANES].tol[w % LANES] = w < count ? tol * tol : FROZEN;
  for (int h = 0; h * LANES < count; h++)
    load_pages (&y, a + (first + h * LANES) * elements,
                count - h * LANES < LANES ? count - h * LANES : LANES,
                (lanes *) (f + h * half), exponent + h * LANES);
  for (; left && sweep < MOST_SWEEPS; sweep++)
    {
      group_sweep (y.k, y.l, y.rows, count > LANES ? HALVES : 1, (lanes *) f,
                   s);
      left = 0;
      for (int w = 0; w < count; w++)
        {
          group_state *t = &s[w / LANES];
          const int lane = w % LANES;
          if (t->tol[lane] < FROZEN
              && ! ge_onesided_done ((real_t) y.k, sqrt_ (t->sine[lane]),
                                     sqrt_ (t->cosine[lane]), tol))
            left = 1;
          else
            t->tol[lane] = FROZEN;
        }
    }
  *sweeps = sweep > *sweeps ? sweep : *sweeps;
  for (int w = 0; w < count; w++)
    {
      const real_t *mine = f + w / LANES * half;
      if (w % LANES == 0)
        find_lengths (&y, (const lanes *) mine, scratch.length);
      p->state[first + w] = s[w / LANES].tol[w % LANES] < FROZEN;
      store_page (&y, first + w, mine, w % LANES, exponent[w], &scratch);
    }
}
