/* The small-bulge multishift QR iteration with aggressive early deflation on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   K. Braman, R. Byers, R. Mathias, The multishift QR algorithm I and II, SIAM J. Matrix
   Anal. Appl. 23, 2002; LAPACK's xLAQR0.  Deflation windows, diagonal windows in which
   bulges are chased, and small active blocks are copied and worked on by the SIMD code of
   window.h; the rest of H and Z is multiplied by the accumulated reflectors.  As this
   code makes Schur forms of small windows in a fraction of the time that the products of a
   sweep take, windows are larger than in LAPACK and deflate more often before a sweep.  */

#include "schur/multishift.h"
#include "lapack/lapack.h"
#include "schur/planes.h"
#include "schur/window.h"

#include <string.h>

enum
{
  CHAIN = 16,   /* bulges that are chased together */
  APART = 3,    /* rows between them */
  HOP = 48,     /* rows by which they advance in one window */
  DIRECT = 128, /* active blocks up to this order are solved as one window */
  MOST = 192,   /* order of windows: that of a sweep is HOP + APART CHAIN + 1 */
  NIBBLE = 30   /* per cent of a window whose deflation puts off a sweep */
};

/* The order of deflation windows.  */
static int64_t
window_of (int64_t n)
{
  const int64_t size = n / 8;
  return size < 64 ? 64 : size < MOST ? size : MOST;
}

typedef struct
{
  int64_t n;
  scalar_t *h, *z;
  scalar_t *block, *u; /* a diagonal block and the transformation of it */
  scalar_t *product;   /* of n rows and as many columns as a block */
  scalar_t *shifts;
  real_t *space;
} iteration;

static char *
lay_out (char *at, int64_t n, iteration *it)
{
  const int64_t most = n < MOST ? n : MOST;
  it->n = n;
  it->block = ge_take (&at, most * most, sizeof (scalar_t));
  it->u = ge_take (&at, most * most, sizeof (scalar_t));
  it->product = ge_take (&at, n * most, sizeof (scalar_t));
  it->shifts = ge_take (&at, 2 * most, sizeof (scalar_t));
  it->space = ge_take (&at, FN (ge_window_reals) ((int) most), sizeof (real_t));
  return at;
}

int64_t
FN (ge_multishift_bytes) (int64_t n)
{
  iteration it;
  /* Any aligned address: only the difference is used.  */
  char *start = (char *) (uintptr_t) 64;
  return (int64_t) (lay_out (start, n, &it) - start);
}

/* C, of ROWS-by-COLUMNS and leading dimension n, <- op (X) Y.  */
static void
replace_product (const iteration *it, const char *op, int64_t rows,
                 int64_t columns, int64_t inner, const scalar_t *x, int64_t ldx,
                 const scalar_t *y, int64_t ldy, scalar_t *c)
{
  const lapack_int m = (lapack_int) rows, k = (lapack_int) columns,
                   p = (lapack_int) inner, lx = (lapack_int) ldx,
                   ly = (lapack_int) ldy;
  const scalar_t one = 1, zero = 0;
  if (rows <= 0 || columns <= 0)
    return;
  gemm_ (op, "N", &m, &k, &p, &one, x, &lx, y, &ly, &zero, it->product, &m, 1,
         1);
  for (int64_t j = 0; j < columns; j++)
    memcpy (c + it->n * j, it->product + rows * j,
            (size_t) rows * sizeof (scalar_t));
}

/* Multiply the rows and columns FIRST .. FIRST + SIZE - 1 of H outside of this diagonal
   block, and the columns of Z, by U.  */
static void
apply (const iteration *it, int64_t first, int64_t size)
{
  const int64_t n = it->n, last = first + size;
  scalar_t *above = it->h + n * first, *right = it->h + first + n * last;
  replace_product (it, "C", size, n - last, size, it->u, size, right, n, right);
  replace_product (it, "N", first, size, size, above, n, it->u, size, above);
  if (it->z)
    {
      scalar_t *z = it->z + n * first;
      replace_product (it, "N", n, size, size, z, n, it->u, size, z);
    }
}

/* --- deflation --- */

/* Early deflation in the last SIZE rows of an active block; SPIKE is the element left of
   them, or 0, and then all of them deflate.  */
static void
deflate (const iteration *it, int64_t first, int64_t size, scalar_t *spike,
         int exceptional, ge_window_result *r)
{
  const int64_t n = it->n;
  scalar_t *h = it->h + first * (n + 1);
  for (int64_t j = 0; j < size; j++)
    memcpy (it->block + size * j, h + n * j, (size_t) size * sizeof *h);
  FN (ge_deflate_window)
  ((int) size, it->block, it->u, spike, exceptional, it->shifts, it->space, r);
  if (r->failed || r->undeflated == size)
    return;
  for (int64_t j = 0; j < size; j++)
    memcpy (h + n * j, it->block + size * j, (size_t) size * sizeof *h);
  *spike = r->undeflated == 0 ? 0 : mul (*spike, conj_ (it->u[0]));
  apply (it, first, size);
}

/* The first row of the active block that ends with row BOTTOM; the subdiagonal element
   above it becomes 0.  */
static int64_t
find_top (const iteration *it, int64_t first, int64_t bottom)
{
  const int64_t n = it->n;
  for (int64_t k = bottom; k > first; k--)
    {
      scalar_t *here = it->h + k * (n + 1);
      real_t others = 0;
      if (k - 1 > first)
        others += size_of (here[-2 * n - 1]);
      if (k < bottom)
        others += size_of (here[1]);
      if (! is_negligible (here[-n - 1], here[-1], here[-n], *here, others))
        continue;
      here[-n] = 0;
      return k;
    }
  return first;
}

/* --- a sweep --- */

/* Ticks BEGIN .. END - 1 of a chain: in tick t bulge b is at row TOP + t - APART b.  */
typedef struct
{
  int64_t top, bottom, begin, end;
  int bulges;
  const real_t *shifts;
} hop;

static int64_t
row_at (const hop *p, int64_t tick, int b)
{
  const int64_t row = p->top + tick - APART * b;
  return row < p->top ? p->top : row > p->bottom ? p->bottom : row;
}

/* Copy the diagonal block from FIRST on between H and the planes of W; bulges reach three
   rows below the diagonal.  */
static void
load (const iteration *it, int64_t first, const planes *w)
{
  const int64_t n = it->n;
  for (int64_t j = 0; j < w->n; j++)
    for (int64_t i = 0; i < w->n && i <= j + 3; i++)
      put (w, i, j, it->h[first + i + n * (first + j)]);
  for (int64_t i = 0; i < w->n; i++)
    w->v[0][i * (w->ld + 1)] = 1;
}

static void
store (const iteration *it, int64_t first, const planes *w)
{
  const int64_t n = it->n;
  for (int64_t j = 0; j < w->n; j++)
    {
      for (int64_t i = 0; i < w->n && i <= j + 3; i++)
        it->h[first + i + n * (first + j)] = get (w, i, j);
      for (int64_t i = 0; i < w->n; i++)
        {
          const int64_t e = i + j * w->ld;
          it->u[i + w->n * j] = make_ (w->v[0][e], GE_COMPLEX ? w->v[1][e] : 0);
        }
    }
}

static void
advance (const iteration *it, const hop *p)
{
  bulge bulges[CHAIN];
  int count = 0;
  int64_t first = p->bottom, last = p->top;
  for (int b = 0; b < p->bulges; b++)
    {
      const int64_t from = row_at (p, p->begin, b), to = row_at (p, p->end, b);
      if (from >= to)
        continue;
      const int begins = p->begin <= APART * (int64_t) b;
      bulge *const at = &bulges[count++];
      *at = (bulge){ (int) from, (int) to, begins, { 0 }, { 0 } };
      for (int k = 0; k < 2; k++)
        {
          at->re[k] = p->shifts[4 * b + 2 * k];
          at->im[k] = p->shifts[4 * b + 2 * k + 1];
        }
      first = from - ! begins < first ? from - ! begins : first;
      last = to + 2 > last ? to + 2 : last;
    }
  last = last > p->bottom ? p->bottom : last;
  const int size = (int) (last - first + 1);
  const int64_t plane = planes_ld (size) * (size + SPARE_COLUMNS);
  planes w = { .n = size, .ld = planes_ld (size) };
  memset (it->space, 0, (size_t) (2 * PARTS * plane) * sizeof *it->space);
  for (int k = 0; k < PARTS; k++)
    {
      w.h[k] = it->space + k * plane;
      w.v[k] = it->space + (PARTS + k) * plane;
    }
  for (int i = 0; i < count; i++)
    {
      bulges[i].first -= (int) first;
      bulges[i].stop -= (int) first;
    }
  load (it, first, &w);
  FN (ge_planes_chase)
  (&w, (int) (p->top - first), (int) (p->bottom - first), count, bulges);
  store (it, first, &w);
  apply (it, first, size);
}

/* One sweep with COUNT shifts over rows TOP .. BOTTOM.  */
static void
sweep (const iteration *it, int64_t top, int64_t bottom, int count)
{
  const real_t *shifts = (const real_t *) it->shifts;
  for (int at = 0; at < count / 2; at += CHAIN)
    {
      hop p = { .top = top,
                .bottom = bottom,
                .bulges = count / 2 - at < CHAIN ? count / 2 - at : CHAIN,
                .shifts = shifts + 4 * at };
      const int64_t ticks = bottom - top + APART * (p.bulges - 1);
      for (; p.begin < ticks; p.begin = p.end)
        {
          p.end = p.begin + HOP < ticks ? p.begin + HOP : ticks;
          advance (it, &p);
        }
    }
}

/* --- the iteration --- */

int
FN (ge_multishift) (int64_t n, int64_t first, int64_t below, void *h, void *z,
                    void *space)
{
  iteration it = { .h = h, .z = z };
  int64_t bottom = below - 1;
  int stuck = 0;
  lay_out (space, n, &it);
  for (int64_t windows = 0; bottom > first; windows++)
    {
      const int64_t top = find_top (&it, first, bottom);
      int64_t order = bottom - top + 1, size = window_of (n);
      const int whole = order <= (size > DIRECT ? size : DIRECT);
      scalar_t none = 0, *spike = &none;
      ge_window_result r = { 0 };
      if (windows > 200 + 2 * n)
        return 1;
      if (whole)
        size = order;
      else
        spike = &it.h[(bottom - size) * (n + 1) + 1];
      if (order > 1)
        deflate (&it, bottom - size + 1, size, spike,
                 stuck > 0 && stuck % 6 == 0, &r);
      if (r.failed)
        return 1;
      const int64_t deflated = size - r.undeflated;
      bottom -= deflated;
      order -= deflated;
      stuck = deflated > 0 ? 0 : stuck + 1;
      /* A window with many deflations is deflated again before a sweep (LAPACK's
         nibble).  */
      if (100 * deflated <= NIBBLE * size && order > DIRECT && r.shifts >= 2)
        sweep (&it, top, bottom, r.shifts);
    }
  return 0;
}
