/* One-sided Jacobi on many small matrices, one per SIMD lane.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   M. R. Hestenes, J. SIAM 6 (1958) 51: the columns of A, or of A' if it is wide, are
   rotated until they are orthogonal, A V = U diag (s); the rotations are accumulated in
   V, from order START on after a start by ge_svd_start.  The longer of two columns goes to
   the left, which sorts them, if they are far from orthogonal.  Squared lengths are
   computed for every pair: updated ones lose their digits where columns are of very
   different length.  Columns shorter than FLOOR of the scaled page, whose elements are
   below 1, are not rotated; vectors orthogonal to all others take their place in U.  */

#include "svd/lanes.h"
#include "onesided/rotate.h"

#include <string.h>

enum
{
  MOST_SWEEPS = 40, /* usually at most ten are needed */
  START = 4         /* from this order on */
};

/* Products of two squared lengths are normal numbers.  */
#define FLOOR (GE_DOUBLE ? (real_t) 1e-70 : (real_t) 1e-9)

/* Squared cosine of columns above which the longer one goes to the left.  */
#define EXCHANGE (GE_DOUBLE ? (real_t) 1e-8 : (real_t) 1e-4)

/* Fields of IEEE 754 numbers.  */
#define EXPONENT_BIAS (GE_DOUBLE ? 1023 : 127)
#define FRACTION_BITS (GE_DOUBLE ? 52 : 23)
#define POWER_OF_TWO(e) ((lanes) (((e) + EXPONENT_BIAS) << FRACTION_BITS))

/* --- rotations --- */

typedef struct
{
  lanes a, b; /* x'x, y'y */
  group_rotation g;
} pair_products;

typedef enum
{
  NONE,
  SLIGHT, /* by angles whose cosine is 1 to rounding errors */
  LARGE
} rotation_kind;

GE_ALWAYS_INLINE void
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
  imaginary_product (n, x, y, &p->g.d_im);
#endif
  p->a = a;
  p->b = b;
  p->g.d_re = re;
}

GE_ALWAYS_INLINE void
rotate_columns (int64_t n, lanes *x, lanes *y, const group_rotation *g,
                rotation_kind kind)
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
          if (kind == LARGE)
            {
              add_product (&minus_m, &x[i + k], &u[k]);
              add_product (&minus_m, &y[i + k], &v[k]);
            }
          add_product (&minus_z, &y[i + k], &u[k]);
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
   columns are exchanged the angle is larger by a right one.  Small angles are x'y / h.  Lanes
   with columns of length 0 compute NaN, which ACT masks.  */
GE_ALWAYS_INLINE rotation_kind
find_rotations (group_state *s, pair_products *p)
{
  const lanes zero = { 0 }, one = zero + 1;
  group_rotation *g = &p->g;
  const lanes larger = LARGER (p->a, p->b);
  const lanes smaller = WHERE (p->a > p->b, p->b, p->a);
  const lanes both = 1 / (larger * smaller), inverse = both * smaller;
  const lanes ratio = larger * larger * both; /* at least 1 */
  const lanes h = (p->b - p->a) * inverse, quotient = 1 / h;
  const lanes d_re = g->d_re * inverse;
  lanes square = d_re * d_re;
#if GE_COMPLEX
  const lanes d_im = g->d_im * inverse;
  square += d_im * d_im;
#endif
  const lanes cosine = square * ratio;
  const mask act = (cosine > s->tol) & (smaller > FLOOR * FLOOR);
  lanes sine2 = square * quotient * quotient;
  const mask slight = sine2 < GE_EPS / 16, other = act & ~slight;
  if (! any_lane (&act))
    return NONE;
  g->m = zero;
  g->z_re = WHERE (act, d_re * quotient, zero);
#if GE_COMPLEX
  g->z_im = WHERE (act, d_im * quotient, zero);
#endif
  lanes moved = sine2 * ratio;
  const int large = any_lane (&other);
  if (large)
    {
      lanes root, d = d_re;
#if GE_COMPLEX
      square_roots (&square, &d);
#endif
      const lanes e = 2 * d, distance = MODULUS (h);
      lanes w = h * h + e * e;
      square_roots (&w, &root);
      const lanes sum = root + distance;
      w = 2 * root * sum;
      square_roots (&w, &root);
      const lanes scale = 1 / root, sine = WHERE (h < 0, -e, e) * scale;
      const lanes half = e / (root + sum), m = MODULUS (sine * half);
      const mask swap = other & (h >= 0) & (cosine > EXCHANGE);
      const lanes right = sum * scale;
      const lanes z = WHERE (swap, WHERE (sine < 0, right, -right), sine);
      g->m = WHERE (other, WHERE (swap, 1 - MODULUS (sine), m), zero);
#if GE_COMPLEX
      g->z_re = WHERE (other, z / d * d_re, g->z_re);
      g->z_im = WHERE (other, z / d * d_im, g->z_im);
#else
      g->z_re = WHERE (other, z, g->z_re);
#endif
      moved = WHERE (other, WHERE (swap, one, sine * sine * ratio), moved);
    }
  s->cosine = LARGER (WHERE (act, cosine, zero), s->cosine);
  s->sine = LARGER (WHERE (act, moved, zero), s->sine);
  return large ? LARGE : SLIGHT;
}

/* A sweep over the N columns, ROWS long, orthogonal in their first DOT, of each of
   HALVES of F: one is computed while the other waits for its roots and quotients.  */
GE_CLONES (WIDE, static, void, group_sweep,
           (int64_t n, int64_t dot, int64_t rows, int64_t column, int halves,
            lanes *f, group_state *s),
           (n, dot, rows, column, halves, f, s))
{
  const int64_t half = n * column;
  for (int h = 0; h < halves; h++)
    {
      memset (&s[h].cosine, 0, sizeof s->cosine);
      memset (&s[h].sine, 0, sizeof s->sine);
    }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++)
      {
        pair_products p[HALVES];
        rotation_kind kind[HALVES];
        lanes *x = f + i * column, *y = f + j * column;
        for (int h = 0; h < halves; h++)
          multiply_pair (dot, x + h * half, y + h * half, &p[h]);
        for (int h = 0; h < halves; h++)
          kind[h] = find_rotations (&s[h], &p[h]);
        for (int h = 0; h < halves; h++)
          if (kind[h] == LARGE)
            rotate_columns (rows, x + h * half, y + h * half, &p[h].g, LARGE);
          else if (kind[h] == SLIGHT)
            rotate_columns (rows, x + h * half, y + h * half, &p[h].g, SLIGHT);
      }
}

/* --- a page in its lane --- */

/* The sides of the page in a lane, LONG by SHORT after transposition if it is wide, and the
   rows of F.  */
typedef struct
{
  const gpueig_svd_problem *g;
  int64_t k, l, rows, columns; /* COLUMNS: of the long side's vectors */
  int wide, start;             /* START: from the eigenvectors of A'A */
} layout;

static layout
layout_of (const ge_svd_problem *p)
{
  const gpueig_svd_problem *g = &p->svd;
  const int64_t k = ge_svd_short (g), l = ge_svd_long (g);
  const int start = k >= START;
  return (layout){ .g = g,
                   .k = k,
                   .l = l,
                   .start = start,
                   .rows = l + (g->u || start ? k : 0),
                   .columns = g->full ? l : k,
                   .wide = g->m < g->n };
}

/* COUNT pages A, one in each lane of F, other lanes as the first, scaled by powers of two to
   elements below 1, with the identity below; the EXPONENTs of the scaling.  */
GE_CLONES (VECTOR, static, void, load_pages,
           (const layout *y, const scalar_t *a, int64_t count, lanes *f,
            mask *exponent),
           (y, a, count, f, exponent))
{
  const int64_t m = y->g->m, n = y->g->n, column = y->rows * PARTS;
  const real_t *from[LANES];
  lanes most = { 0 };
  for (int w = 0; w < LANES; w++)
    from[w] = (const real_t *) (a + m * n * (w < count ? w : 0));
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      for (int k = 0; k < PARTS; k++)
        {
          const int64_t at = y->wide ? j + y->rows * i : i + y->rows * j;
          lanes x = { 0 };
          for (int w = 0; w < LANES; w++)
            x[w] = from[w][(i + m * j) * PARTS + k];
          most = LARGER (MODULUS (x), most);
          f[at * PARTS + k] = k && y->wide ? -x : x;
        }
  /* E is the exponent of MOST = 2^e x, x in [1/2, 1), or less if MOST is subnormal.  */
  const mask e = ((mask) most >> FRACTION_BITS) - (EXPONENT_BIAS - 1);
  const lanes p = POWER_OF_TWO (-(e >> 1)), q = POWER_OF_TWO ((e >> 1) - e);
  *exponent = e;
  for (int64_t j = 0; j < y->k; j++)
    {
      lanes *x = f + column * j;
      for (int64_t i = 0; i < y->l * PARTS; i++)
        x[i] = x[i] * p * q;
      for (int64_t i = y->l * PARTS; i < column; i++)
        x[i] = (lanes){ 0 } + (real_t) (i == (y->l + j) * PARTS);
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

/* Scratch: LENGTH of all lanes' columns, their numbers in descending ORDER; the vectors of
   LANES pages, which are written here if only some of them are wanted, or there is no such
   page.  */
typedef struct
{
  lanes *length;
  char *start;
  mask *order;
  scalar_t *left, *right;
  real_t *rows;
} page_scratch;

GE_CLONES (VECTOR, static, void, sort_columns,
           (const layout *y, const lanes *f, const page_scratch *t), (y, f, t))
{
  for (int64_t j = 0; j < y->k; j++)
    {
      const lanes *x = f + y->rows * PARTS * j;
      lanes sum = { 0 };
      for (int64_t i = 0; i < y->l * PARTS; i++)
        sum += x[i] * x[i];
      square_roots (&sum, &t->length[j]);
      t->order[j] = (mask){ 0 };
      for (int64_t i = 0; i < j; i++)
        {
          const mask less = t->length[i] < t->length[j];
          t->order[i] -= less;
          t->order[j] += 1 + less;
        }
    }
}

/* Copy each lane of REALS vectors X, times SCALE, to the pages AT, to the column that ORDER
   has for the lane.  */
GE_ALWAYS_INLINE void
scatter (int64_t reals, const lanes *x, const lanes *scale, const mask *order,
         real_t *const *at)
{
  real_t *to[LANES];
  for (int w = 0; w < LANES; w++)
    to[w] = at[w] + reals * (*order)[w];
  for (int64_t i = 0; i < reals; i++)
    {
      const lanes z = x[i] * *scale + 0;
      for (int w = 0; w < LANES; w++)
        to[w][i] = z[w];
    }
}

GE_CLONES (VECTOR, static, void, scatter_columns,
           (const layout *y, const lanes *f, const page_scratch *t,
            real_t *const *left, real_t *const *right),
           (y, f, t, left, right))
{
  const lanes zero = { 0 }, one = zero + 1;
  for (int64_t j = 0; j < y->k; j++)
    {
      const lanes *x = f + y->rows * PARTS * j;
      const mask some = t->length[j] > FLOOR;
      const lanes inverse = WHERE (some, 1 / t->length[j], zero);
      scatter (y->l * PARTS, x, &inverse, &t->order[j], left);
      scatter (y->k * PARTS, x + y->l * PARTS, &one, &t->order[j], right);
    }
}

/* Results of COUNT pages from page PAGE on.  */
static void
store_pages (const layout *y, int64_t page, int64_t count, const lanes *f,
             const mask *exponent, const page_scratch *t)
{
  const gpueig_svd_problem *g = y->g;
  const int64_t values = ge_svd_values (g), first = g->first ? g->first - 1 : 0;
  const int64_t of_left = y->l * y->columns, of_right = y->k * y->k;
  const mask e = *exponent >> 1;
  const lanes p = POWER_OF_TWO (e), q = POWER_OF_TWO (*exponent - e);
  real_t *left[LANES], *right[LANES];
  int64_t rank[LANES] = { 0 };
  sort_columns (y, f, t);
  for (int64_t j = 0; j < y->k; j++)
    {
      const lanes value = t->length[j] * p * q;
      for (int64_t w = 0; w < count; w++)
        {
          const int64_t at = t->order[j][w] - first;
          if (at >= 0 && at < values)
            ((real_t *) g->s)[(page + w) * values + at] = value[w];
          rank[w] += t->length[j][w] > FLOOR;
        }
    }
  if (! g->u)
    return;
  scalar_t *const u = y->wide ? g->v : g->u, *const v = y->wide ? g->u : g->v;
  for (int64_t w = 0; w < LANES; w++)
    {
      const int own = w < count && ! g->first;
      left[w]
          = (real_t *) (own ? u + of_left * (page + w) : t->left + of_left * w);
      right[w] = (real_t *) (own ? v + of_right * (page + w)
                                 : t->right + of_right * w);
    }
  scatter_columns (y, f, t, left, right);
  for (int64_t w = 0; w < count; w++)
    {
      if (rank[w] < y->columns)
        complete (y->l, rank[w], y->columns, (scalar_t *) left[w], t->rows);
      if (! g->first)
        continue;
      memcpy (u + y->l * values * (page + w), left[w] + y->l * PARTS * first,
              (size_t) (y->l * values) * sizeof *u);
      memcpy (v + y->k * values * (page + w), right[w] + y->k * PARTS * first,
              (size_t) (y->k * values) * sizeof *v);
    }
}

/* --- a group of pages --- */

int
FN (ge_svd_lanes) (void)
{
  return GROUP;
}

static int64_t
lay_out_lanes (const layout *y, char *space, lanes **f, page_scratch *t)
{
  char *at = space;
  *f = ge_take (&at, HALVES * y->rows * y->k * PARTS, sizeof (lanes));
  t->length = ge_take (&at, y->k, sizeof (lanes));
  t->start = ge_take (&at, y->start ? FN (ge_svd_start_bytes) (y->k) : 0, 1);
  t->order = ge_take (&at, y->k, sizeof (mask));
  t->left = ge_take (&at, LANES * y->l * y->columns, sizeof *t->left);
  t->right = ge_take (&at, LANES * y->k * y->k, sizeof *t->right);
  t->rows = ge_take (&at, y->l, sizeof *t->rows);
  return at - space;
}

int64_t
FN (ge_svd_lanes_bytes) (const ge_svd_problem *p)
{
  const layout y = layout_of (p);
  page_scratch scratch;
  lanes *f;
  return lay_out_lanes (&y, NULL, &f, &scratch);
}

void
FN (ge_svd_group) (const ge_svd_problem *p, int64_t first, int64_t count,
                   void *space, int *sweeps)
{
  const layout y = layout_of (p);
  const scalar_t *a = p->svd.a;
  const int64_t elements = y.k * y.l;
  const real_t tol = GE_EPS * sqrt_ ((real_t) y.l);
  const int64_t half = y.rows * y.k * PARTS;
  const int halves = (int) (count + LANES - 1) / LANES;
  int left = 1, sweep = 0;
  page_scratch scratch;
  group_state s[HALVES] = { { .tol = { 0 } } };
  mask exponent[HALVES];
  lanes *f;
  lay_out_lanes (&y, space, &f, &scratch);
  for (int w = 0; w < GROUP; w++)
    s[w / LANES].tol[w % LANES] = w < count ? tol * tol : FROZEN;
  for (int h = 0; h < halves; h++)
    load_pages (&y, a + (first + h * LANES) * elements, count - h * LANES,
                f + h * half, &exponent[h]);
  if (y.start)
    FN (ge_svd_start) (y.l, y.k, y.rows, halves, f, scratch.start);
  for (; left && sweep < MOST_SWEEPS; sweep++)
    {
      group_sweep (y.k, y.l, y.g->u ? y.rows : y.l, y.rows * PARTS, halves, f,
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
    p->state[first + w] = s[w / LANES].tol[w % LANES] < FROZEN;
  for (int h = 0; h < halves; h++)
    store_pages (&y, first + h * LANES,
                 count - h * LANES < LANES ? count - h * LANES : LANES,
                 f + h * half, &exponent[h], &scratch);
}
