/* Aggressive early deflation on a small window: Schur form, deflations, and reduction of
   the undeflated part to Hessenberg form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   K. Braman, R. Byers, R. Mathias, The multishift QR algorithm II, SIAM J. Matrix
   Anal. Appl. 23, 2002; LAPACK's xLAQR2.  Unlike there, undeflated eigenvalues are
   sorted by modulus only where they differ by more than a factor of UNSORTED.  */

#include <string.h>

#include "schur/planes.h"
#include "schur/window.h"

enum
{
  UNSORTED = 10
};

/* --- long reflectors --- */

/* I - tau v v', which maps the vector that it was made from to BETA e1.  */
typedef struct
{
  real_t *re, *im;
  scalar_t tau, beta;
} long_reflector;

INLINE void
make_long_reflector (long_reflector *v, int length)
{
  const scalar_t x0 = make_ (v->re[0], GE_COMPLEX ? v->im[0] : 0);
  real_t rest = 0, sum = 0;
  for (int i = 1; i < length; i++)
    rest = fmax_ (rest, fabs_ (v->re[i]) + (GE_COMPLEX ? fabs_ (v->im[i]) : 0));
  const real_t size = fmax_ (rest, abs1_ (x0));
  v->tau = make_ (0, 0);
  v->beta = x0;
  if (rest == 0 || size <= LEAST)
    {
      for (int i = 0; i < length; i++)
        {
          v->re[i] = i == 0;
          if (GE_COMPLEX)
            v->im[i] = 0;
        }
      return;
    }
  const real_t f = 1 / size;
  for (int i = 0; i < length; i++)
    {
      v->re[i] *= f;
      sum += v->re[i] * v->re[i];
      if (GE_COMPLEX)
        {
          v->im[i] *= f;
          sum += v->im[i] * v->im[i];
        }
    }
  const scalar_t y = scaled (x0, f);
  const real_t norm = sqrt_ (sum), beta = re_ (y) >= 0 ? -norm : norm;
  const scalar_t d = y - make_ (beta, 0);
  const scalar_t g = scaled (conj_ (d), 1 / abs2_ (d));
  for (int i = 1; i < length; i++)
    {
      const scalar_t x = mul (make_ (v->re[i], GE_COMPLEX ? v->im[i] : 0), g);
      v->re[i] = re_ (x);
      if (GE_COMPLEX)
        v->im[i] = im_ (x);
    }
  v->re[0] = 1;
  if (GE_COMPLEX)
    v->im[0] = 0;
  v->tau = scaled (d, -1 / beta);
  v->beta = make_ (beta * size, 0);
}

/* Apply the reflector from the left to a column (RE, IM).  */
INLINE void
reflect_column (const long_reflector *v, int length, real_t *re, real_t *im)
{
  const real_t *restrict v_re = v->re, *restrict v_im = v->im;
  real_t s_re = 0, s_im = 0;
#pragma omp simd reduction(+ : s_re, s_im)
  for (int i = 0; i < length; i++)
    {
      s_re = fma_ (v_re[i], re[i], s_re);
      if (GE_COMPLEX)
        {
          s_re = fma_ (v_im[i], im[i], s_re);
          s_im = fma_ (v_re[i], im[i], s_im);
          s_im = fma_ (-v_im[i], re[i], s_im);
        }
    }
  const scalar_t s = mul (conj_ (v->tau), make_ (s_re, s_im));
  const real_t t_re = re_ (s), t_im = im_ (s);
#pragma omp simd
  for (int i = 0; i < length; i++)
    {
      re[i] = fma_ (-t_re, v_re[i], re[i]);
      if (GE_COMPLEX)
        {
          re[i] = fma_ (t_im, v_im[i], re[i]);
          im[i] = fma_ (-t_re, v_im[i], im[i]);
          im[i] = fma_ (-t_im, v_re[i], im[i]);
        }
    }
}

/* Apply the reflector from the right to ROWS rows (a multiple of ROUND) of LENGTH
   columns.  */
INLINE void
reflect_rows (const long_reflector *v, int length, int64_t rows, real_t *re,
              real_t *im, int64_t ld)
{
  const real_t a = re_ (v->tau), b = im_ (v->tau);
  for (int64_t i = 0; i < rows; i += ROUND)
    {
      real_t s_re[ROUND] = { 0 }, s_im[ROUND] = { 0 };
      for (int j = 0; j < length; j++)
        {
          const real_t *restrict x = re + i + j * ld;
          const real_t *restrict y = im + i + j * ld;
          const real_t c = v->re[j], d = GE_COMPLEX ? v->im[j] : 0;
#pragma omp simd
          for (int k = 0; k < ROUND; k++)
            {
              s_re[k] = fma_ (x[k], c, s_re[k]);
              if (GE_COMPLEX)
                {
                  s_re[k] = fma_ (-y[k], d, s_re[k]);
                  s_im[k] = fma_ (x[k], d, s_im[k]);
                  s_im[k] = fma_ (y[k], c, s_im[k]);
                }
            }
        }
#pragma omp simd
      for (int k = 0; k < ROUND; k++)
        {
          const real_t x = s_re[k], y = s_im[k];
          s_re[k] = GE_COMPLEX ? fma_ (a, x, -(b * y)) : a * x;
          s_im[k] = GE_COMPLEX ? fma_ (a, y, b * x) : 0;
        }
      for (int j = 0; j < length; j++)
        {
          real_t *restrict x = re + i + j * ld, *restrict y = im + i + j * ld;
          const real_t c = v->re[j], d = GE_COMPLEX ? v->im[j] : 0;
#pragma omp simd
          for (int k = 0; k < ROUND; k++)
            {
              x[k] = fma_ (-s_re[k], c, x[k]);
              if (GE_COMPLEX)
                {
                  x[k] = fma_ (-s_im[k], d, x[k]);
                  y[k] = fma_ (s_re[k], d, y[k]);
                  y[k] = fma_ (-s_im[k], c, y[k]);
                }
            }
        }
    }
}

/* Apply the reflector at rows and columns FIRST .. FIRST + LENGTH - 1: from the left to
   the columns of H from COLUMN on; from the right to ROWS rows of H, and to V.  */
INLINE void
reflect (const planes *w, const long_reflector *v, int first, int length,
         int column, int rows)
{
  const int64_t ld = w->ld;
  for (int64_t j = column; j < w->n; j++)
    reflect_column (v, length, w->h[0] + first + j * ld,
                    w->h[PARTS - 1] + first + j * ld);
  reflect_rows (v, length, (rows + ROUND - 1) / ROUND * ROUND,
                w->h[0] + first * ld, w->h[PARTS - 1] + first * ld, ld);
  reflect_rows (v, length, (w->n + ROUND - 1) / ROUND * ROUND,
                w->v[0] + first * ld, w->v[PARTS - 1] + first * ld, ld);
}

/* Reduce the leading LEFT rows and columns to Hessenberg form, after the spike was
   reduced to its first element by a reflector.  WORK: 2 LEFT numbers.  */
GE_CLONES (WIDE, static, void, restore_hessenberg,
           (const planes *w, int left, real_t *work), (w, left, work))
{
  const int64_t ld = w->ld;
  long_reflector v = { work, work + left, 0, 0 };
  for (int i = 0; i < left; i++)
    {
      v.re[i] = w->v[0][i * ld];
      if (GE_COMPLEX)
        v.im[i] = -w->v[1][i * ld];
    }
  make_long_reflector (&v, left);
  reflect (w, &v, 0, left, 0, left);
  for (int c = 0; c + 2 < left; c++)
    {
      const int length = left - c - 1;
      const int64_t e = c + 1 + c * ld;
      for (int i = 0; i < length; i++)
        {
          v.re[i] = w->h[0][e + i];
          if (GE_COMPLEX)
            v.im[i] = w->h[1][e + i];
        }
      make_long_reflector (&v, length);
      for (int i = 0; i < length; i++)
        put_element (w, c + 1 + i, c, i == 0 ? v.beta : make_ (0, 0));
      reflect (w, &v, c + 1, length, c + 1, left);
    }
}

/* --- deflations --- */

static scalar_t
spike_at (const planes *w, scalar_t s, int k)
{
  return mul (
      s, make_ (w->v[0][k * w->ldv], GE_COMPLEX ? w->v[1][k * w->ldv] : 0));
}

#if GE_COMPLEX
typedef struct
{
  real_t c, re, im;
} rotation;

/* [c s; -s' c] [f; g] = [r; 0] */
static rotation
rotation_to_zero (scalar_t f, scalar_t g)
{
  const real_t size = fmax_ (abs1_ (f), abs1_ (g));
  rotation q = { 1, 0, 0 };
  if (size == 0 || abs1_ (g) <= LEAST * size)
    return q;
  f = scaled (f, 1 / size);
  g = scaled (g, 1 / size);
  const real_t f2 = abs2_ (f), g2 = abs2_ (g);
  if (f2 <= LEAST)
    {
      const real_t r = 1 / sqrt_ (g2);
      q.c = 0;
      q.re = re_ (g) * r;
      q.im = -im_ (g) * r;
      return q;
    }
  const real_t y = 1 / sqrt_ (f2 * (f2 + g2));
  const scalar_t s = scaled (mul (f, conj_ (g)), y);
  q.c = f2 * y;
  q.re = re_ (s);
  q.im = im_ (s);
  return q;
}

/* x <- c x + s' y, y <- c y - s x, COUNT rows of two columns.  */
INLINE void
rotate_columns (int64_t count, real_t *restrict x_re, real_t *restrict x_im,
                real_t *restrict y_re, real_t *restrict y_im, rotation q)
{
#  pragma omp simd
  for (int64_t i = 0; i < count; i++)
    {
      const real_t a = x_re[i], b = x_im[i], c = y_re[i], d = y_im[i];
      x_re[i] = fma_ (q.re, c, fma_ (q.im, d, q.c * a));
      x_im[i] = fma_ (q.re, d, fma_ (-q.im, c, q.c * b));
      y_re[i] = fma_ (-q.re, a, fma_ (q.im, b, q.c * c));
      y_im[i] = fma_ (-q.re, b, fma_ (-q.im, a, q.c * d));
    }
}

/* Move the eigenvalue in row FROM up to row TO, as xTREXC.  Rows are updated after all
   rotations, stored in CHAIN, are known.  */
GE_CLONES (WIDE, static, void, move_up,
           (const planes *w, int from, int to, rotation *chain),
           (w, from, to, chain))
{
  const int64_t ld = w->ld;
  const scalar_t moving = get (w, from, from);
  for (int k = from - 1; k >= to; k--)
    {
      real_t *const *h = w->h, *const *v = w->v;
      const rotation q
          = rotation_to_zero (get (w, k, k + 1), moving - get (w, k, k));
      chain[k] = q;
      rotate_columns (k, h[0] + k * ld, h[1] + k * ld, h[0] + (k + 1) * ld,
                      h[1] + (k + 1) * ld, q);
      rotate_columns (w->n, v[0] + k * ld, v[1] + k * ld, v[0] + (k + 1) * ld,
                      v[1] + (k + 1) * ld, q);
    }
  for (int k = from; k > to; k--)
    put_element (w, k, k, get (w, k - 1, k - 1));
  put_element (w, to, to, moving);
  for (int j = to + 2; j < w->n; j++)
    {
      const int first = from - 1 < j - 2 ? from - 1 : j - 2;
      real_t *restrict re = w->h[0] + j * ld, *restrict im = w->h[1] + j * ld;
      real_t a = re[first + 1], b = im[first + 1];
      for (int k = first; k >= to; k--)
        {
          const rotation q = chain[k];
          const real_t c = re[k], d = im[k];
          re[k + 1] = fma_ (-q.re, c, fma_ (-q.im, d, q.c * a));
          im[k + 1] = fma_ (-q.re, d, fma_ (q.im, c, q.c * b));
          const real_t next = fma_ (q.re, a, fma_ (-q.im, b, q.c * c));
          b = fma_ (q.re, b, fma_ (q.im, a, q.c * d));
          a = next;
        }
      re[to] = a;
      im[to] = b;
    }
}

/* The row of the last of LEFT eigenvalues if its element of the spike S V(0, :) is
   negligible, else LEFT.  */
static int
deflate_last (const planes *w, scalar_t s, int left)
{
  real_t size = abs1_ (get (w, left - 1, left - 1));
  size = size == 0 ? abs1_ (s) : size;
  return left
         - (abs1_ (spike_at (w, s, left - 1)) <= fmax_ (LEAST, GE_EPS * size));
}

/* Deflate eigenvalues whose element of the spike is negligible; one that cannot
   be deflated is moved to the top, and the next is tested.  Returns the number of
   undeflated rows, which are at the top.  */
static int
deflate (const planes *w, scalar_t s, void *space)
{
  int left = w->n, kept = 0;
  while (kept < left)
    {
      const int next = deflate_last (w, s, left);
      if (next < left)
        left = next;
      else
        {
          if (left - 1 > kept)
            move_up (w, left - 1, kept, space);
          kept++;
        }
    }
  if (left == w->n)
    return left;
  for (int i = 0; i < left - 1; i++)
    {
      int at = i;
      for (int j = i + 1; j < left; j++)
        if (abs1_ (get (w, j, j)) > abs1_ (get (w, at, at)))
          at = j;
      if (abs1_ (get (w, at, at)) > UNSORTED * abs1_ (get (w, i, i)))
        move_up (w, at, i, space);
    }
  return left;
}

/* SHIFTS = eigenvalues of the first COUNT rows; returns their number, which is even.  */
static int
list_shifts (const planes *w, int count, scalar_t *shifts)
{
  const int odd = count % 2;
  for (int i = odd; i < count; i++)
    shifts[i - odd] = get (w, i, i);
  return count - odd;
}
#else
/* Nonzero if row K is the first of a 2-by-2 block (conjugate pair).  */
static int
is_pair (const planes *w, int k, int rows)
{
  return k + 1 < rows && get (w, k + 1, k) != 0;
}

/* Modulus, for PAIR estimated as in LAPACK, of the eigenvalue whose first row is K.  */
static real_t
modulus (const planes *w, int k, int pair)
{
  const real_t size = fabs_ (get (w, k, k));
  return pair ? size
                    + sqrt_ (fabs_ (get (w, k + 1, k)))
                          * sqrt_ (fabs_ (get (w, k, k + 1)))
              : size;
}

/* Move the block in row FROM up to row TO, unless an exchange is not stable or splits
   the block.  Returns its new row.  */
static int
move_up (const planes *w, int from, int to)
{
  const int pair = is_pair (w, from, w->n);
  int here = from;
  while (here > to)
    {
      const int above = 1 + (here >= 2 && is_pair (w, here - 2, here));
      if (! FN (ge_planes_exchange) (w, here - above, above, 1 + pair))
        break;
      here -= above;
      if (pair && ! is_pair (w, here, w->n))
        break;
    }
  return here;
}

/* One pass of exchanges of neighbouring blocks among the first LEFT rows; nonzero if
   any were exchanged.  */
static int
sort_once (const planes *w, int left)
{
  int moved = 0, k = 0;
  while (k < left)
    {
      const int pair = is_pair (w, k, left), next = k + 1 + pair;
      if (next >= left)
        break;
      const int other = is_pair (w, next, left);
      if (modulus (w, next, other) <= UNSORTED * modulus (w, k, pair))
        k = next;
      else if (move_up (w, next, k) == k)
        {
          moved = 1;
          k += 1 + is_pair (w, k, left);
        }
      else
        k = next;
    }
  return moved;
}

/* The first row of the last block of LEFT rows if its part of the spike S V(0, :) is
   negligible, else LEFT.  */
static int
deflate_last (const planes *w, scalar_t s, int left)
{
  const int pair = left > 1 && get (w, left - 1, left - 2) != 0;
  const int k = left - 1 - pair;
  real_t size = modulus (w, k, pair), spike = fabs_ (spike_at (w, s, k));
  size = size == 0 ? fabs_ (s) : size;
  if (pair)
    spike = fmax_ (spike, fabs_ (spike_at (w, s, k + 1)));
  return spike <= fmax_ (LEAST, GE_EPS * size) ? k : left;
}

static int
deflate (const planes *w, scalar_t s, void *unused)
{
  int left = w->n, kept = 0;
  (void) unused;
  while (kept < left)
    {
      const int next = deflate_last (w, s, left);
      const int pair = left > 1 && get (w, left - 1, left - 2) != 0;
      if (next < left)
        left = next;
      else
        kept = move_up (w, left - 1 - pair, kept) + 1 + pair;
    }
  for (int i = 0; i < w->n && left < w->n && sort_once (w, left); i++)
    ;
  return left;
}

static int
list_shifts (const planes *w, int count, real_t *shifts)
{
  int made = 0, pair;
  for (int real = 0; real < 2; real++)
    for (int i = 0; i < count; i += 1 + pair)
      {
        pair = is_pair (w, i, count);
        const real_t x = get (w, i, i), y = modulus (w, i, pair) - fabs_ (x);
        for (int k = 0; k <= pair && pair != real; k++)
          {
            shifts[2 * made] = x;
            shifts[2 * made++ + 1] = k == 0 ? y : -y;
          }
      }
  return made - made % 2;
}
#endif

/* Exceptional shifts, from the elements of the first LEFT rows, which are upper
   Hessenberg, instead of eigenvalues of the window.  */
static int
list_exceptional (const planes *w, int left, real_t *shifts)
{
  int made = 0;
  for (int i = left - 1; i > 0; i -= 2)
    for (int k = 0; k < 2; k++)
      {
        const scalar_t x = get (w, i, i);
        shifts[2 * made] = re_ (x) + (real_t) 0.75 * abs1_ (get (w, i, i - 1));
        shifts[2 * made++ + 1] = im_ (x);
      }
  return made;
}

/* --- the window --- */

int64_t
FN (ge_window_reals) (int n)
{
  const int64_t plane = planes_ld (n) * (n + SPARE_COLUMNS);
  return 2 * PARTS * plane + 4 * (int64_t) n + ROUND;
}

static void
load_planes (const planes *w, const scalar_t *h, int ld)
{
  for (int j = 0; j < w->n; j++)
    for (int i = 0; i < w->n && i <= j + 1; i++)
      put_element (w, i, j, h[i + (int64_t) j * ld]);
}

/* Set up the window in SPACE: H, and V = I, all rows of it if WHOLE, otherwise the first
   ones.  */
static planes
begin_window (int n, int whole, const void *h, int ld, real_t *space)
{
  planes w = { .n = n, .whole = whole, .ld = planes_ld (n) };
  w.ldv = whole ? w.ld : ROUND;
  const int64_t columns = n + SPARE_COLUMNS;
  memset (space, 0,
          (size_t) (PARTS * (w.ld + w.ldv) * columns) * sizeof *space);
  for (int p = 0; p < PARTS; p++)
    {
      w.h[p] = space + p * w.ld * columns;
      w.v[p] = space + (PARTS * w.ld + p * w.ldv) * columns;
    }
  for (int i = 0; i < (whole ? n : 1); i++)
    w.v[0][i * (w.ldv + 1)] = 1;
  load_planes (&w, h, ld);
  return w;
}

int
FN (ge_window_shifts) (int n, const void *h, int ld, const void *spike,
                       void *shifts, real_t *space, int exceptional)
{
  const planes w = begin_window (n, 0, h, ld, space);
  const scalar_t s = *(const scalar_t *) spike;
  int64_t steps = 0;
  int left = n;
  if (exceptional)
    return list_exceptional (&w, n, shifts);
  if (FN (ge_planes_schur) (&w, &steps))
    return 0;
  for (int last = -1; left > 0 && left != last;)
    {
      last = left;
      left = deflate_last (&w, s, left);
    }
  return list_shifts (&w, left, shifts);
}

void
FN (ge_deflate_window) (int n, void *h, void *u, const void *spike,
                        int exceptional, void *shifts, real_t *space,
                        ge_window_result *result)
{
  const int64_t plane = planes_ld (n) * (n + SPARE_COLUMNS);
  const scalar_t s = *(const scalar_t *) spike;
  scalar_t *to = h, *v = u;
  const planes w = begin_window (n, 1, h, n, space);
  real_t *more = space + 2 * PARTS * plane;
  *result = (ge_window_result){ .undeflated = n };
  result->failed = FN (ge_planes_schur) (&w, &result->steps);
  if (result->failed)
    return;
  const int left = is_zero (s) ? 0 : deflate (&w, s, more);
  result->undeflated = left;
  result->shifts = list_shifts (&w, left, shifts);
  if (left > 0 && left < n)
    restore_hessenberg (&w, left, more);
  if (left == n)
    load_planes (&w, h, n);
  if (exceptional)
    result->shifts = list_exceptional (&w, left, shifts);
  if (left == n)
    return;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      {
        const int64_t e = i + j * w.ld;
        to[i + (int64_t) j * n] = i <= j + 1 ? get (&w, i, j) : make_ (0, 0);
        v[i + (int64_t) j * n] = make_ (w.v[0][e], GE_COMPLEX ? w.v[1][e] : 0);
      }
}
