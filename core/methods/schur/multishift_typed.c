/* The small-bulge multishift QR iteration with aggressive early deflation on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   K. Braman, R. Byers, R. Mathias, The multishift QR algorithm I and II, SIAM J. Matrix
   Anal. Appl. 23, 2002; LAPACK's xLAQR0.  Deflation windows, diagonal windows in which
   bulges are chased, and small active blocks are copied and worked on by the SIMD code of
   window.h; the rest of H and Z is multiplied by the accumulated reflectors.  As this
   code makes Schur forms of small windows in a fraction of the time that the products of a
   sweep take, windows are larger than in LAPACK and deflate more often before a sweep.  */

#include "schur/qr.h"
#include "lapack/lapack.h"
#include "schur/planes.h"
#include "schur/window.h"

#include <string.h>

enum
{
  CHAIN = 16,   /* bulges that are chased together */
  APART = 3,    /* rows between bulges */
  HOP = 48,     /* rows by which bulges advance in one window */
  DIRECT = 128, /* active blocks up to this order are solved as one window */
  MOST = 192,   /* order of windows: that of a sweep is HOP + APART CHAIN + 1 */
  NIBBLE = 30,  /* per cent of a window whose deflation puts off a sweep */
  PIECE = 128,  /* rows or columns that are multiplied in one piece */
  PARTS_OF_U = 3
};

/* The order of deflation windows.  */
static int64_t
window_of (int64_t n)
{
  const int64_t size = n / 8;
  return size < 64 ? 64 : size < MOST ? size : MOST;
}

/* A diagonal block and the transformation of it: block J of the columns of U is zero but
   in the rows FROM[J] .. TO[J] - 1.  */
typedef struct
{
  int64_t first, size; /* SIZE 0: none */
  scalar_t *u;
  int64_t from[PARTS_OF_U], to[PARTS_OF_U];
} window;

typedef struct
{
  const ge_team *team;
  int64_t n;
  scalar_t *h, *z;
  scalar_t *block;   /* a diagonal block */
  scalar_t *u[2];    /* of windows */
  scalar_t *product; /* for each thread PIECE by as many as a block */
  scalar_t *shifts;
  real_t *space;
} iteration;

static int64_t
largest_window (int64_t n)
{
  return n < MOST ? n : MOST;
}

static char *
lay_out_iteration (char *at, int64_t n, int threads, iteration *it)
{
  const int64_t most = largest_window (n);
  it->n = n;
  it->block = ge_take (&at, most * most, sizeof (scalar_t));
  for (int k = 0; k < 2; k++)
    it->u[k] = ge_take (&at, most * most, sizeof (scalar_t));
  it->product = ge_take (&at, threads * PIECE * most, sizeof (scalar_t));
  it->shifts = ge_take (&at, 2 * most, sizeof (scalar_t));
  it->space = ge_take (&at, FN (ge_window_reals) ((int) most), sizeof (real_t));
  return at;
}

int64_t
FN (ge_multishift_bytes) (int64_t n, int threads)
{
  iteration it;
  return lay_out_iteration (GE_NOWHERE, n, threads, &it) - GE_NOWHERE;
}

/* --- products with a window's transformation --- */

static int64_t
part_begin (const window *w, int j)
{
  return w->size * j / PARTS_OF_U;
}

/* Find out where U is zero: a chain that is chased by HOP rows leaves a band.  */
static void
find_zeros (window *w)
{
  for (int j = 0; j < PARTS_OF_U; j++)
    {
      int64_t from = w->size, to = 0;
      for (int64_t c = part_begin (w, j); c < part_begin (w, j + 1); c++)
        {
          const scalar_t *u = w->u + w->size * c;
          int64_t i = 0, e = w->size;
          while (i < from && u[i] == 0)
            i++;
          while (e > to && u[e - 1] == 0)
            e--;
          from = i < from ? i : from;
          to = e > to ? e : to;
        }
      w->from[j] = from;
      w->to[j] = to;
    }
}

/* X, WINDOW->size rows and COUNT columns of H, <- U' X; or, if RIGHT, X <- X U of COUNT rows
   of H or Z; in the memory of THREAD.  */
static void
multiply_by_window (const iteration *it, const window *w, int right,
                    int64_t count, scalar_t *x, int thread)
{
  scalar_t *out = it->product + thread * PIECE * largest_window (it->n);
  const int64_t n = it->n, ld = right ? count : w->size;
  if (count <= 0)
    return;
  for (int j = 0; j < PARTS_OF_U; j++)
    {
      const int64_t c = part_begin (w, j), from = w->from[j],
                    columns = part_begin (w, j + 1) - c,
                    inner = w->to[j] - from;
      const scalar_t *u = w->u + from + w->size * c;
      if (columns == 0)
        continue;
      if (right)
        multiply_ ("N", "N", count, columns, inner, 1, x + n * from, n, u,
                   w->size, 0, out + count * c, ld);
      else
        multiply_ ("C", "N", columns, count, inner, 1, u, w->size, x + from, n,
                   0, out + c, ld);
    }
  for (int64_t j = 0; j < (right ? w->size : count); j++)
    memcpy (x + n * j, out + ld * j, (size_t) ld * sizeof *x);
}

/* The application of a window's U to the rows and columns of H outside of the diagonal
   block and to the columns of Z.  The first piece applies U to the columns up to AHEAD and
   then calls FOLLOW, if it is not NULL.  */
typedef struct
{
  const iteration *it;
  const window *w;
  int64_t ahead; /* >= the window's end */
  void (*follow) (void *data);
  void *data;
} application;

static void
apply_piece (void *data, int64_t i, int thread)
{
  const application *a = data;
  const iteration *it = a->it;
  const window *w = a->w;
  const int64_t n = it->n, last = w->first + w->size;
  const int64_t lengths[] = { n - a->ahead, w->first, it->z ? n : 0 };
  if (i == 0)
    {
      multiply_by_window (it, w, 0, a->ahead - last,
                          it->h + w->first + n * last, thread);
      if (a->follow)
        a->follow (a->data);
      return;
    }
  i--;
  for (int k = 0; k < 3; k++)
    {
      const int64_t pieces = (lengths[k] + PIECE - 1) / PIECE, at = i * PIECE;
      const int64_t rest = lengths[k] - at;
      scalar_t *const x[]
          = { it->h + w->first + n * (a->ahead + at), it->h + n * w->first + at,
              it->z ? it->z + n * w->first + at : NULL };
      if (i < pieces)
        {
          multiply_by_window (it, w, k > 0, rest < PIECE ? rest : PIECE, x[k],
                              thread);
          return;
        }
      i -= pieces;
    }
}

static void
apply (const application *a)
{
  const iteration *it = a->it;
  const int64_t n = it->n;
  const int64_t pieces = 1 + (n - a->ahead + PIECE - 1) / PIECE
                         + (a->w->first + PIECE - 1) / PIECE
                         + (it->z ? (n + PIECE - 1) / PIECE : 0);
  ge_team_pass (it->team, pieces, GE_MANY_OPERATIONS, apply_piece, (void *) a);
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
  ((int) size, it->block, it->u[0], spike, exceptional, it->shifts, it->space,
   r);
  if (r->failed || r->undeflated == size)
    return;
  for (int64_t j = 0; j < size; j++)
    memcpy (h + n * j, it->block + size * j, (size_t) size * sizeof *h);
  *spike = r->undeflated == 0 ? 0 : mul (*spike, conj_ (it->u[0][0]));
  window w = { .first = first, .size = size, .u = it->u[0] };
  find_zeros (&w);
  apply (&(application){ .it = it, .w = &w, .ahead = first + size });
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
        others += abs1_ (here[-2 * n - 1]);
      if (k < bottom)
        others += abs1_ (here[1]);
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
  const iteration *it;
  int64_t top, bottom, begin, end;
  int bulges;
  const real_t *shifts;
  window window; /* of the hop */
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
load_window (const iteration *it, int64_t first, const planes *w)
{
  const int64_t n = it->n;
  for (int64_t j = 0; j < w->n; j++)
    for (int64_t i = 0; i < w->n && i <= j + 3; i++)
      put_element (w, i, j, it->h[first + i + n * (first + j)]);
  for (int64_t i = 0; i < w->n; i++)
    w->v[0][i * (w->ld + 1)] = 1;
}

static void
store_window (const iteration *it, const window *to, const planes *w)
{
  const int64_t n = it->n, first = to->first;
  for (int64_t j = 0; j < w->n; j++)
    {
      for (int64_t i = 0; i < w->n && i <= j + 3; i++)
        it->h[first + i + n * (first + j)] = get (w, i, j);
      for (int64_t i = 0; i < w->n; i++)
        {
          const int64_t e = i + j * w->ld;
          to->u[i + w->n * j] = make_ (w->v[0][e], GE_COMPLEX ? w->v[1][e] : 0);
        }
    }
}

/* Set the bulges that move in the hop, and the window of the hop; return the number of
   bulges.  */
static int
plan (hop *p, bulge *bulges)
{
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
  p->window.first = first;
  p->window.size = last - first + 1;
  for (int i = 0; i < count; i++)
    {
      bulges[i].first -= (int) first;
      bulges[i].stop -= (int) first;
    }
  return count;
}

/* Chase the bulges inside the window.  */
static void
chase (void *data)
{
  hop *p = data;
  const iteration *it = p->it;
  bulge bulges[CHAIN];
  const int count = plan (p, bulges);
  const int size = (int) p->window.size;
  const int64_t first = p->window.first;
  const int64_t plane = planes_ld (size) * (size + SPARE_COLUMNS);
  planes w = {
    .n = size, .whole = 1, .ld = planes_ld (size), .ldv = planes_ld (size)
  };
  memset (it->space, 0, (size_t) (2 * PARTS * plane) * sizeof *it->space);
  for (int k = 0; k < PARTS; k++)
    {
      w.h[k] = it->space + k * plane;
      w.v[k] = it->space + (PARTS + k) * plane;
    }
  load_window (it, first, &w);
  FN (ge_planes_chase)
  (&w, (int) (p->top - first), (int) (p->bottom - first), count, bulges);
  store_window (it, &p->window, &w);
  find_zeros (&p->window);
}

/* Ticks of P until TICKS of a chain, from tick BEGIN on.  */
static hop
next_hop (const hop *p, int64_t begin, int64_t ticks)
{
  hop next = *p;
  next.begin = begin;
  next.end = begin + HOP < ticks ? begin + HOP : ticks;
  next.window.u = p->it->u[begin / HOP % 2];
  return next;
}

/* One sweep with COUNT shifts over rows TOP .. BOTTOM.  While the team multiplies by the
   transformation of a hop, one thread chases the bulges of the next one.  */
static void
sweep (const iteration *it, int64_t top, int64_t bottom, int count)
{
  const real_t *shifts = (const real_t *) it->shifts;
  for (int at = 0; at < count / 2; at += CHAIN)
    {
      const hop chain
          = { .it = it,
              .top = top,
              .bottom = bottom,
              .bulges = count / 2 - at < CHAIN ? count / 2 - at : CHAIN,
              .shifts = shifts + 4 * at };
      const int64_t ticks = bottom - top + APART * (chain.bulges - 1);
      hop now = next_hop (&chain, 0, ticks);
      chase (&now);
      while (now.begin < ticks)
        {
          hop next = next_hop (&chain, now.end, ticks);
          const int more = next.begin < ticks;
          const int64_t end = now.window.first + now.window.size;
          const int64_t ahead = more ? end + HOP : end;
          apply (&(application){ .it = it,
                                 .w = &now.window,
                                 .ahead = ahead < it->n ? ahead : it->n,
                                 .follow = more ? chase : NULL,
                                 .data = &next });
          now = next;
        }
    }
}

/* --- the iteration --- */

int
FN (ge_multishift) (const ge_team *team, int64_t n, int64_t first,
                    int64_t below, void *h, void *z, void *space)
{
  iteration it = { .team = team, .h = h, .z = z };
  int64_t bottom = below - 1;
  int stuck = 0;
  lay_out_iteration (space, n, team->threads, &it);
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
      ge_note_deflated (n - (bottom + 1 - first), n);
      stuck = deflated > 0 ? 0 : stuck + 1;
      /* A window with many deflations is deflated again before a sweep (LAPACK's
         nibble).  */
      if (100 * deflated <= NIBBLE * size && order > DIRECT && r.shifts >= 2)
        sweep (&it, top, bottom, r.shifts);
    }
  return 0;
}
