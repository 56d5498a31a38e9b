/* The Schur form of a small Hessenberg matrix: the QR iteration with double shifts,
   in real and in complex arithmetic.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As LAPACK's xLAHQR (whose complex version has single shifts).  Reflectors are computed
   two at a time, the second one from copies of the few elements that it depends on, and
   then applied together.  */

#include <string.h>

#include "schur/planes.h"
#include "base/rotation.h"
#include "schur/standard_form.h"

/* The active block, rows top .. bottom.  */
typedef struct
{
  planes w;
  int top, bottom;
} block;

/* --- scalars --- */

/* Nonzero if H(k, k - 1) is negligible.  */
static int
negligible (const planes *w, int k)
{
  real_t others = 0;
  if (k >= 2)
    others += abs1_ (get (w, k - 1, k - 2));
  if (k + 1 < w->n)
    others += abs1_ (get (w, k + 1, k));
  return is_negligible (get (w, k - 1, k - 1), get (w, k - 1, k),
                        get (w, k, k - 1), get (w, k, k), others);
}

#if GE_COMPLEX
/* Compute the eigenvalues NEAR and FAR from d of [a b; c d], and a multiple (*Z, *W) of the
   eigenvector of FAR.  */
static void
block_eigenvalues (scalar_t a, scalar_t b, scalar_t c, scalar_t d, scalar_t *z,
                   scalar_t *w, real_t near[2], real_t far[2])
{
  const real_t p[2] = { re_ (a), im_ (a) }, q[2] = { re_ (b), im_ (b) };
  const real_t s[2] = { re_ (d), im_ (d) };
  real_t r[2] = { re_ (c), im_ (c) }, x[2];
  ge_complex_block (p, q, r, s, x, near, far);
  *z = make_ (x[0], x[1]);
  *w = make_ (r[0], r[1]);
}
#endif

/* Shifts: two complex numbers, of real types both real or conjugate.  */
typedef struct
{
  real_t re[2], im[2];
} shift_pair;

/* SINCE: number of sweeps since the last deflation; every tenth has exceptional shifts,
   as in LAPACK.  */
static shift_pair
choose_shifts (const block *b, int since)
{
  const planes *w = &b->w;
  const int i = b->bottom;
  shift_pair s = { { 0, 0 }, { 0, 0 } };
  scalar_t h11 = get (w, i - 1, i - 1), h21 = get (w, i, i - 1);
  scalar_t h12 = get (w, i - 1, i), h22 = get (w, i, i);
  if (since % 10 == 9)
    {
      const int at_top = since % 20 == 9;
      const int k = at_top ? b->top : i;
      real_t size = at_top ? abs1_ (get (w, k + 1, k)) : abs1_ (h21);
      if (at_top && k + 2 <= i)
        size += abs1_ (get (w, k + 2, k + 1));
      else if (! at_top && i - 2 >= b->top)
        size += abs1_ (get (w, i - 1, i - 2));
      h11 = h22 = get (w, k, k) + make_ ((real_t) 0.75 * size, 0);
      h12 = make_ ((real_t) -0.4375 * size, 0);
      h21 = make_ (size, 0);
    }
#if GE_COMPLEX
  real_t near[2], far[2];
  block_eigenvalues (h11, h12, h21, h22, &h11, &h21, near, far);
  s.re[0] = near[0];
  s.im[0] = near[1];
  s.re[1] = far[0];
  s.im[1] = far[1];
#else
  ge_block_shifts (h11, h12, h21, h22, &s.re[0], &s.im[0], &s.re[1], &s.im[1]);
#endif
  return s;
}

/* X = a multiple of the first column of (H - s1) (H - s2), H from row K on.  */
static void
start_column (const block *b, int k, const shift_pair *s, scalar_t x[3])
{
  const planes *w = &b->w;
  const scalar_t h11 = get (w, k, k), h21 = get (w, k + 1, k);
  const scalar_t h12 = get (w, k, k + 1), h22 = get (w, k + 1, k + 1);
#if GE_COMPLEX
  const scalar_t d1 = h11 - make_ (s->re[0], s->im[0]);
  const scalar_t d2 = h11 - make_ (s->re[1], s->im[1]);
  const real_t size = abs1_ (d2) + abs1_ (h21);
#else
  const scalar_t d1 = h11 - s->re[0], d2 = h11 - s->re[1];
  const real_t size = fabs_ (d2) + fabs_ (s->im[1]) + fabs_ (h21);
#endif
  x[0] = x[1] = x[2] = make_ (0, 0);
  if (size <= LEAST)
    return;
  const real_t f = 1 / size;
  const scalar_t g21 = scaled (h21, f);
  x[0] = mul (g21, h12) + mul (d1, scaled (d2, f));
#if ! GE_COMPLEX
  x[0] -= s->im[0] * (s->im[1] * f);
#endif
  x[1] = mul (g21, d1 + d2 + (h22 - h11));
  if (k + 2 <= b->bottom)
    x[2] = mul (g21, get (w, k + 2, k + 1));
}

/* The reflector that maps X to BETA e1.  */
INLINE short_reflector
make_reflector (scalar_t x0, scalar_t x1, scalar_t x2, scalar_t *beta)
{
  short_reflector r = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
  const real_t least = GE_DOUBLE ? (real_t) 1e-200 : (real_t) 1e-25;
  const real_t most = 1 / least;
  real_t rest = abs2_ (x1) + abs2_ (x2), all = abs2_ (x0) + rest, f = 1;
  if (! (rest > least && all < most))
    {
      rest = fmax_ (abs1_ (x1), abs1_ (x2));
      f = fmax_ (rest, abs1_ (x0));
      if (rest == 0 || f <= LEAST)
        {
          *beta = x0;
          return r;
        }
      x0 = scaled (x0, 1 / f);
      x1 = scaled (x1, 1 / f);
      x2 = scaled (x2, 1 / f);
      all = abs2_ (x0) + (abs2_ (x1) + abs2_ (x2));
    }
  const real_t norm = sqrt_ (all), sign = re_ (x0) >= 0 ? -1 : 1;
  const scalar_t u = x0 - make_ (sign * norm, 0);
  const scalar_t d = scaled (conj_ (u), 1 / abs2_ (u));
  const scalar_t tau = scaled (u, -sign / norm);
  const scalar_t v1 = mul (x1, d), v2 = mul (x2, d);
  r.tau[0] = re_ (tau);
  r.tau[1] = im_ (tau);
  r.v1[0] = re_ (v1);
  r.v1[1] = im_ (v1);
  r.v2[0] = re_ (v2);
  r.v2[1] = im_ (v2);
  *beta = make_ (sign * norm * f, 0);
  return r;
}

short_reflector
FN (ge_short_reflector) (scalar_t x0, scalar_t x1, scalar_t x2, scalar_t *beta)
{
  return make_reflector (x0, x1, x2, beta);
}

/* --- a sweep --- */

/* Row where the sweep begins: the last one before which two successive subdiagonal
   elements are small; X is the first column there.  */
static int
find_start (const block *b, const shift_pair *s, scalar_t x[3])
{
  const planes *w = &b->w;
  int m = b->bottom - 2;
  for (; m > b->top; m--)
    {
      const real_t before = abs1_ (get (w, m, m - 1));
      const real_t after = abs1_ (get (w, m + 1, m));
      /* The product is not small if both factors are near the size of the diagonal.  */
      if (before > (real_t) 0.03 * abs1_ (get (w, m, m)) && after > before)
        continue;
      start_column (b, m, s, x);
      const real_t size = abs1_ (x[0]) + abs1_ (x[1]) + abs1_ (x[2]);
      const real_t h = abs1_ (get (w, m - 1, m - 1)) + abs1_ (get (w, m, m))
                       + abs1_ (get (w, m + 1, m + 1));
      if (size > 0
          && before * ((abs1_ (x[1]) + abs1_ (x[2])) / size)
                 <= GE_EPS * (abs1_ (x[0]) / size) * h)
        break;
    }
  m = m > b->top ? m : b->top;
  start_column (b, m, s, x);
  return m;
}

/* X = the column that the reflector after Q reduces: rows k + 1 .. k + 3 of column k
   after Q, at row K, was applied from both sides.  */
INLINE void
next_column (const block *b, int k, const short_reflector *q, scalar_t x[3])
{
  const planes *w = &b->w;
  real_t y[3][3][2]; /* by columns */
  for (int c = 0; c < 3; c++)
    {
      const int64_t e = k + (k + c) * w->ld;
      real_t x_re = w->h[0][e], y_re = w->h[0][e + 1], z_re = w->h[0][e + 2];
      real_t x_im = GE_COMPLEX ? w->h[1][e] : 0;
      real_t y_im = GE_COMPLEX ? w->h[1][e + 1] : 0;
      real_t z_im = GE_COMPLEX ? w->h[1][e + 2] : 0;
      REFLECT (-1, *q, x, y, z);
      y[c][0][0] = y_re;
      y[c][0][1] = y_im;
      y[c][1][0] = z_re;
      y[c][1][1] = z_im;
      y[c][2][0] = w->h[0][e + 3];
      y[c][2][1] = GE_COMPLEX ? w->h[1][e + 3] : 0;
    }
  for (int r = 0; r < 3; r++)
    {
      real_t x_re = y[0][r][0], y_re = y[1][r][0], z_re = y[2][r][0];
      real_t x_im = y[0][r][1], y_im = y[1][r][1], z_im = y[2][r][1];
      REFLECT (1, *q, x, y, z);
      x[r] = make_ (x_re, x_im);
    }
}

/* The first row, a multiple of ROUND, that products from the right change in an active
   block that begins with row TOP.  */
static int64_t
first_row (const planes *w, int top)
{
  return w->whole ? 0 : top / ROUND * ROUND;
}

/* Multiply V by P and Q at column K.  */
INLINE void
multiply_vectors (const planes *w, int k, const short_reflector *p,
                  const short_reflector *q)
{
  right_pair (w->whole ? (w->n + ROUND - 1) / ROUND * ROUND : ROUND,
              w->v[0] + k * w->ldv, w->v[PARTS - 1] + k * w->ldv, w->ldv, p, q);
}

/* Chase one bulge by reflectors at rows M .. STOP - 1; the first one reduces column M - 1 if
   the bulge is there (INSIDE), else it is made from X.  */
INLINE void
chase (const block *b, int m, int stop, int inside, scalar_t x[3])
{
  const planes *w = &b->w;
  const int64_t ld = w->ld;
  const int64_t top = first_row (w, b->top);
  const int columns = w->whole ? w->n : b->bottom + 1;
  for (int k = m; k < stop; k += 2)
    {
      scalar_t beta, second = make_ (0, 0);
      short_reflector p, q = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
      inside |= k > m;
      if (inside)
        for (int r = 0; r < 3; r++)
          x[r] = k + r <= b->bottom ? get (w, k + r, k - 1) : make_ (0, 0);
      p = make_reflector (x[0], x[1], x[2], &beta);
      const int two = k + 1 < stop;
      if (two)
        {
          next_column (b, k, &p, x);
          if (k + 3 > b->bottom)
            x[2] = make_ (0, 0);
          q = make_reflector (x[0], x[1], x[2], &second);
        }
      if (inside)
        {
          put_element (w, k, k - 1, beta);
          for (int r = 1; r < 3 && k + r <= b->bottom; r++)
            put_element (w, k + r, k - 1, make_ (0, 0));
        }
      else if (m > b->top)
        {
          const scalar_t h = get (w, m, m - 1);
          put_element (w, m, m - 1, h - mul (make_ (p.tau[0], -p.tau[1]), h));
        }
      const int64_t e = k + k * ld;
      left_pair (columns - k, w->h[0] + e, w->h[PARTS - 1] + e, ld, &p, &q);
      right_pair ((k + 5 + ROUND - 1) / ROUND * ROUND - top,
                  w->h[0] + top + k * ld, w->h[PARTS - 1] + top + k * ld, ld,
                  &p, &q);
      multiply_vectors (w, k, &p, &q);
      if (two)
        {
          put_element (w, k + 1, k, second);
          for (int r = 2; r < 4 && k + r <= b->bottom; r++)
            put_element (w, k + r, k, make_ (0, 0));
        }
    }
}

/* Make a block of two rows triangular, or bring it to standard form: returns 1; 0 if the
   iteration must go on.  */
INLINE int
split (const planes *w, int k)
{
  const int64_t ld = w->ld, e = k + k * ld;
  const int64_t top = first_row (w, k);
  const short_reflector none = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
  short_reflector r = none;
  scalar_t x = get (w, k, k), y = get (w, k, k + 1), z = get (w, k + 1, k),
           t = get (w, k + 1, k + 1);
#if GE_COMPLEX
  const real_t size = abs1_ (x) + abs1_ (y) + abs1_ (z) + abs1_ (t);
  real_t near[2], far[2];
  block_eigenvalues (x, y, z, t, &x, &z, near, far);
  r = make_reflector (x, z, make_ (0, 0), &y);
#else
  real_t cs, sn;
  ge_standard_block (&x, &y, &z, &t, &cs, &sn);
  if (cs < 0)
    {
      cs = -cs;
      sn = -sn;
    }
  /* a reflector whose first column is that of the rotation, and the second column its
     negative */
  r.tau[0] = 1 + cs;
  r.v1[0] = sn / (1 + cs);
#endif
  left_pair (w->whole ? w->n - k : 2, w->h[0] + e, w->h[PARTS - 1] + e, ld, &r,
             &none);
  right_pair ((k + 2 + ROUND - 1) / ROUND * ROUND - top, w->h[0] + top + k * ld,
              w->h[PARTS - 1] + top + k * ld, ld, &r, &none);
  multiply_vectors (w, k, &r, &none);
#if GE_COMPLEX
  if (abs1_ (get (w, k + 1, k)) > 8 * GE_EPS * size)
    return 0;
  put_element (w, k + 1, k, make_ (0, 0));
#else
  put_element (w, k, k, x);
  put_element (w, k, k + 1, -y);
  put_element (w, k + 1, k, -z);
  put_element (w, k + 1, k + 1, t);
#endif
  return 1;
}

GE_CLONES (WIDE, extern, void, FN (ge_planes_standardize),
           (const planes *w, int k), (w, k))
{
  split (w, k);
}

/* Nonzero: the iteration failed.  */
GE_CLONES_OF (WIDE, extern, int, FN (ge_planes_schur),
              (const planes *w, int64_t *steps), (w, steps))
{
  const int limit = 30 * (w->n > 10 ? w->n : 10);
  block b = { *w, 0, w->n - 1 };
  int since = 0;
  for (int count = 0; b.bottom >= 0; count++)
    {
      if (count > limit)
        return 1;
      b.top = b.bottom;
      while (b.top > 0 && ! negligible (w, b.top))
        b.top--;
      if (b.top > 0)
        put_element (w, b.top, b.top - 1, make_ (0, 0));
      if (b.top == b.bottom)
        {
          b.bottom--;
          since = 0;
        }
      else if (b.top == b.bottom - 1)
        {
          *steps += 1;
          if (split (&b.w, b.top))
            {
              b.bottom -= 2;
              since = 0;
            }
        }
      else
        {
          scalar_t x[3];
          const shift_pair s = choose_shifts (&b, since++);
          const int m = find_start (&b, &s, x);
          chase (&b, m, b.bottom, 0, x);
          *steps += b.bottom - m;
        }
    }
  return 0;
}

GE_CLONES (WIDE, extern, void, FN (ge_planes_chase),
           (const planes *w, int top, int bottom, int count,
            const bulge *bulges),
           (w, top, bottom, count, bulges))
{
  const block b = { *w, top, bottom };
  for (int i = 0; i < count; i++)
    {
      const bulge *at = &bulges[i];
      const shift_pair s
          = { { at->re[0], at->re[1] }, { at->im[0], at->im[1] } };
      scalar_t x[3];
      if (at->begins)
        start_column (&b, at->first, &s, x);
      chase (&b, at->first, at->stop, ! at->begins, x);
    }
}
