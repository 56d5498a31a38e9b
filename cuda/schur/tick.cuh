/* Bulge chasing on a window in shared memory by one thread block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tick is one step of several bulges at once: their reflectors, of two or three
   rows each, are applied together.  The bulges are at least GE_BULGE_ROWS rows apart
   (K. Braman, R. Byers, R. Mathias, The multishift QR algorithm I, 2002), so that
   elements that two of them change get a product from the left by one and from the
   right by the other, and these commute.

   One warp computes the reflectors, a lane those of a bulge.  The lane keeps what its bulge
   changes near the diagonal in registers, rows k - 1 to k + 3 and columns k to k + 3 for a
   reflector of rows k to k + 2, because the next reflector depends on these elements alone.
   So it has the reflector of the next tick when other warps, one for each bulge, have applied
   those of this tick to the rest: first the columns from k + 4 on, from the left, then the
   rows up to k - 2, from the right, with a barrier of these warps between; V by the lanes that
   have no such column or row.  A tick ends with a barrier of all.  Everything waits for the
   reflectors, so their warp has a quarter of the multiprocessor to itself: those of the block
   whose numbers are multiples of 4 do nothing else meanwhile.  */

#ifndef GE_SCHUR_TICK_CUH
#define GE_SCHUR_TICK_CUH 1

#include "schur/iteration.cuh"

/* Barriers of some warps of the block: of a tick, of half a tick.  */
enum
{
  TICK_BARRIER = 1,
  HALF_BARRIER
};

/* NUMBER: of the barrier, THREADS: of whole warps.  */
template <int NUMBER>
GE_DEVICE_INLINE void
barrier_of (int threads)
{
  asm volatile("bar.sync %0, %1;" ::"n"(NUMBER), "r"(threads) : "memory");
}

/* --- far from the diagonal --- */

/* Addresses in shared memory as numbers, which cost fewer instructions than pointers.  */
GE_DEVICE_INLINE unsigned
address_of (const void *p)
{
  return (unsigned) __cvta_generic_to_shared (p);
}

#define SHARED_ACCESS(T, type, letter)                                         \
  GE_DEVICE_INLINE void load (T &x, unsigned at)                               \
  {                                                                            \
    asm volatile("ld.shared." type " %0, [%1];"                                \
                 : "=" letter (x)                                              \
                 : "r"(at)                                                     \
                 : "memory");                                                  \
  }                                                                            \
  GE_DEVICE_INLINE void store (T x, unsigned at)                               \
  {                                                                            \
    asm volatile("st.shared." type " [%1], %0;" ::letter (x), "r"(at)          \
                 : "memory");                                                  \
  }
SHARED_ACCESS (float, "f32", "f")
SHARED_ACCESS (double, "f64", "d")
#undef SHARED_ACCESS
template <typename T>
GE_DEVICE_INLINE void
load (T &x, unsigned at)
{
  load (x.x, at);
  load (x.y, at + (unsigned) sizeof x.x);
}
template <typename T>
GE_DEVICE_INLINE void
store (T x, unsigned at)
{
  store (x.x, at);
  store (x.y, at + (unsigned) sizeof x.x);
}

/* The items of a lane, of which those not below the order do nothing.  Addresses of rows K of
   column j, of columns K of row j of H and V, K being the first row of the reflector.  */
template <typename T> struct far_lane
{
  enum
  {
    EACH = GE_WINDOW_ORDER / 32
  };
  int j[EACH], in[EACH];
  unsigned column[EACH], row[EACH], row_of_v[EACH];
  unsigned ld; /* bytes */
};

template <typename T>
GE_DEVICE_INLINE far_lane<T>
far_lane_of (const window<T> &w, int k)
{
  far_lane<T> f;
  f.ld = w.ld * (unsigned) sizeof (T);
#pragma unroll
  for (int q = 0; q < f.EACH; q++)
    {
      f.j[q] = (int) threadIdx.x % 32 + 32 * q;
      f.in[q] = f.j[q] < w.n;
      const int j = f.in[q] ? f.j[q] : 0;
      f.column[q] = address_of (w.h + k + j * w.ld);
      f.row[q] = address_of (w.h + j + k * w.ld);
      f.row_of_v[q] = address_of (w.v + j + k * w.ld);
    }
  return f;
}

template <typename T>
GE_DEVICE_INLINE void
advance_far (far_lane<T> &f)
{
#pragma unroll
  for (int q = 0; q < f.EACH; q++)
    {
      f.column[q] += (unsigned) sizeof (T);
      f.row[q] += f.ld;
      f.row_of_v[q] += f.ld;
    }
}

/* Apply the reflector R of ROWS rows from K on to the items of a half of a tick, by the lanes of
   a warp.  First half: item j is column j from k + 4 on, from the left, or row j of V; second
   half: row j up to k - 2, from the right, or row j of V from k + 4 on.  */
template <int HALF, int ROWS, typename T>
GE_DEVICE_INLINE void
apply_far (const far_lane<T> &f, int k, const reflector<T> &r)
{
  T x[f.EACH][3];
  unsigned at[f.EACH], step[f.EACH];
#pragma unroll
  for (int q = 0; q < f.EACH; q++)
    {
      const int after = f.j[q] >= k + 4;
      step[q] = HALF == 1 && after ? (unsigned) sizeof (T) : f.ld;
      at[q] = HALF == 1 ? (after ? f.column[q] : f.row_of_v[q])
                        : (after ? f.row_of_v[q] : f.row[q]);
      x[q][2] = zero<T> ();
#pragma unroll
      for (int i = 0; i < ROWS; i++)
        load (x[q][i], at[q] + i * step[q]);
    }
#pragma unroll
  for (int q = 0; q < f.EACH; q++)
    {
      const int left = HALF == 1 && f.j[q] >= k + 4;
      const T v1 = left ? conjugate (r.v1) : r.v1,
              v2 = left ? conjugate (r.v2) : r.v2;
      const T s = times (left ? conjugate (r.tau) : r.tau,
                         mul_add (x[q][2], v2, mul_add (x[q][1], v1, x[q][0])));
      x[q][0] = minus (x[q][0], s);
      x[q][1] = conj_mul_sub (v1, s, x[q][1]);
      x[q][2] = conj_mul_sub (v2, s, x[q][2]);
    }
#pragma unroll
  for (int q = 0; q < f.EACH; q++)
    if (f.in[q] && (HALF == 1 || f.j[q] >= k + 4 || f.j[q] < k - 1))
      {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
          store (x[q][i], at[q] + i * step[q]);
      }
}

template <int HALF, typename T>
GE_DEVICE_INLINE void
tick_far (const far_lane<T> &f, int k, const reflector<T> &r)
{
  if (r.rows == 3)
    apply_far<HALF, 3> (f, k, r);
  else
    apply_far<HALF, 2> (f, k, r);
}

/* --- near the diagonal --- */

/* A bulge in the lane that computes its reflectors.  */
template <typename T> struct bulge_block
{
  T h[5][4];      /* rows k - 1 to k + 3, columns k to k + 3 */
  T corner;       /* H (k - 1, k - 1) */
  T behind;       /* H (k - 1, k - 2) */
  reflector<T> r; /* of this tick */
  int kept; /* nonzero if all but column k + 3 and H (k + 3, k + 2) are there */
};

/* Load what a block keeps.  Elements outside of the window are zero.  */
template <typename T>
GE_DEVICE_INLINE void
load_kept (const window<T> &w, const bulge &b, bulge_block<T> &x)
{
  const int k = b.k, ld = w.ld;
  const T *const at = &w.h[k + k * ld];
#pragma unroll
  for (int i = 0; i < 5; i++)
#pragma unroll
    for (int j = 0; j < 3; j++)
      {
        const int row = k - 1 + i;
        x.h[i][j] = row >= 0 && row < w.n && k + j < w.n ? at[i - 1 + j * ld]
                                                         : zero<T> ();
      }
  x.corner = k >= 1 ? at[-1 - ld] : zero<T> ();
  x.behind = k >= 2 ? at[-1 - 2 * ld] : zero<T> ();
}

/* Load the rest.  */
template <typename T>
GE_DEVICE_INLINE void
load_new (const window<T> &w, const bulge &b, bulge_block<T> &x)
{
  const int k = b.k, ld = w.ld;
  const T *const at = &w.h[k + k * ld];
  if (k + 3 < w.n)
    x.h[4][2] = at[3 + 2 * ld];
  x.h[0][3] = zero<T> ();
#pragma unroll
  for (int i = 1; i < 5; i++)
    x.h[i][3]
        = k + 3 < w.n && k - 1 + i < w.n ? at[i - 1 + 3 * ld] : zero<T> ();
}

/* Apply the reflector of X to its elements.  */
template <typename T>
GE_DEVICE_INLINE void
apply_to_block (bulge_block<T> &x)
{
  const T tau = x.r.tau, v1 = x.r.v1, v2 = x.r.v2;
#pragma unroll
  for (int j = 0; j < 4; j++)
    {
      T s = conj_mul_add (v1, x.h[2][j], x.h[1][j]);
      s = times (conjugate (tau), conj_mul_add (v2, x.h[3][j], s));
      x.h[1][j] = minus (x.h[1][j], s);
      x.h[2][j] = mul_sub (s, v1, x.h[2][j]);
      x.h[3][j] = mul_sub (s, v2, x.h[3][j]);
    }
#pragma unroll
  for (int i = 4; i >= 0; i--)
    {
      const T s = times (
          tau, mul_add (x.h[i][2], v2, mul_add (x.h[i][1], v1, x.h[i][0])));
      x.h[i][0] = minus (x.h[i][0], s);
      x.h[i][1] = conj_mul_sub (v1, s, x.h[i][1]);
      x.h[i][2] = conj_mul_sub (v2, s, x.h[i][2]);
    }
}

/* Store the column that the reflector restores, and what does not belong to the next
   block.  */
template <typename T>
GE_DEVICE_INLINE void
store_block (const window<T> &w, const bulge &b, const bulge_block<T> &x)
{
  const int ld = w.ld, three = x.r.rows == 3, chase = b.kind == GE_CHASE;
  T *const at = &w.h[b.k + b.k * ld];
  if (chase)
    at[-ld] = x.r.beta;
  if (chase)
    at[1 - ld] = zero<T> ();
  if (chase && three)
    at[2 - ld] = zero<T> ();
  if (b.k > 0)
    at[-1] = x.h[0][0];
  if (b.k > 0)
    at[-1 + ld] = x.h[0][1];
  if (b.k > 0 && three)
    at[-1 + 2 * ld] = x.h[0][2];
  at[0] = x.h[1][0];
}

/* Store all.  */
template <typename T>
GE_DEVICE_INLINE void
store_whole_block (const window<T> &w, const bulge &b, const bulge_block<T> &x)
{
  const int k = b.k, ld = w.ld;
  T *const at = &w.h[k + k * ld];
#pragma unroll
  for (int j = 0; j < 4; j++)
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (k + i < w.n && k + j < w.n)
        at[i + j * ld] = x.h[i + 1][j];
}

/* The tick of bulge B by its lane of the warp of reflectors, X having its reflector; NEXT: the bulge
   in the tick after it, idle if there is none.  X.r becomes the reflector of NEXT, and *TO.
   Each branch costs more than the usual case of what is behind it: there are two.  */
template <typename T>
GE_DEVICE_INLINE void
tick_near (const window<T> &w, const bulge &b, const bulge &next,
           const ge_complex<T> *s, int first, bulge_block<T> &x,
           reflector<T> *to)
{
  const int rows = next.end - next.k >= 2 ? 3 : 2, last = next.kind == GE_IDLE;
  if (b.kind == GE_IDLE || ! x.kept)
    {
      if (b.kind == GE_IDLE && next.kind == GE_START)
        {
          bulge_reflector (w, next, s, &x.r);
          *to = x.r;
        }
      if (b.kind == GE_IDLE)
        return;
      load_kept (w, b, x);
    }
  load_new (w, b, x);
  apply_to_block (x);
  const T column[3]
      = { x.h[2][0], x.h[3][0], rows == 3 ? x.h[4][0] : zero<T> () };
  reflector<T> r;
  const int usual
      = make_usual_reflector (rows, column[0], column[1], column[2], &r);
  const int small = (b.kind == GE_CHASE) & (b.k > first) /* behind the bulge */
                    & may_be_negligible (x.r.beta, x.corner, x.h[1][0]);
  store_block (w, b, x);
  if (! usual | small | last)
    {
      if (! usual)
        chase_reflector (
            column, s, [&] (int i, int j) { return x.h[2 + i][1 + j]; }, &r);
      if (small
          && negligible_between (x.r.beta, x.corner, x.h[1][0], x.h[0][0], [&] {
               return abs1 (x.behind) + abs1 (x.h[2][0]);
             }))
        element (w, b.k, b.k - 1) = zero<T> ();
      if (last)
        store_whole_block (w, b, x);
    }
  *to = r;
  x.corner = x.h[1][0];
  x.behind = x.r.beta;
  x.r = r;
  x.kept = ! last;
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 3; j++)
      x.h[i][j] = x.h[i + 1][j + 1];
  x.h[4][0] = x.h[4][1] = x.h[4][2] = zero<T> ();
}

/* --- the ticks of a window --- */

/* The position of bulge Q of a chain in a tick; it is idle outside of the
   active block.  */
GE_DEVICE_INLINE bulge
bulge_of_tick (const hop &at, const chain_window &c, int tick, int q)
{
  const int step = tick - GE_BULGE_ROWS * q, row = at.top + step;
  bulge b;
  b.k = row - c.first;
  b.end = at.bottom - c.first;
  b.kind = q >= c.bulges || step < 0 || row > at.bottom - 1 ? GE_IDLE
           : step == 0                                      ? GE_START
                                                            : GE_CHASE;
  return b;
}

/* The bulge of which warp WARP, no multiple of 4, applies the reflectors.  */
GE_DEVICE_INLINE int
far_bulge (int warp)
{
  return warp % 4 - 1 + warp / 4 * 3;
}

/* The ticks of a window in the warp of the reflectors; lane q has bulge q.  OWN: its
   shifts.  */
template <typename T>
GE_DEVICE_INLINE void
chase_near (const window<T> &w, const hop &at, const chain_window &c,
            const ge_complex<T> *own, reflector<T> (*reflectors)[GE_CHAIN])
{
  const int q = threadIdx.x % 32;
  const int first = at.top > c.first ? at.top - c.first : 0;
  bulge b = bulge_of_tick (at, c, c.begin, q);
  bulge_block<T> block;
  block.kept = 0;
  if (b.kind != GE_IDLE)
    {
      bulge_reflector (w, b, own, &block.r);
      reflectors[c.begin % 2][q] = block.r;
    }
  barrier_of<TICK_BARRIER> (32 + 32 * GE_CHAIN);
  for (int tick = c.begin; tick < c.end; tick++)
    {
      bulge next = bulge_of_tick (at, c, tick + 1, q);
      if (tick + 1 == c.end)
        next.kind = GE_IDLE;
      tick_near (w, b, next, own, first, block,
                 &reflectors[(tick + 1) % 2][q % GE_CHAIN]);
      b = next;
      barrier_of<TICK_BARRIER> (32 + 32 * GE_CHAIN);
    }
}

/* The ticks of a window in the warp of bulge Q.  */
template <typename T>
GE_DEVICE_INLINE void
chase_far (const window<T> &w, const hop &at, const chain_window &c, int q,
           const reflector<T> (*reflectors)[GE_CHAIN])
{
  far_lane<T> f = far_lane_of (w, bulge_of_tick (at, c, c.begin, q).k);
  barrier_of<TICK_BARRIER> (32 + 32 * GE_CHAIN);
  for (int tick = c.begin; tick < c.end; tick++)
    {
      const bulge b = bulge_of_tick (at, c, tick, q);
      const reflector<T> r = reflectors[tick % 2][q];
      if (b.kind != GE_IDLE)
        tick_far<1> (f, b.k, r);
      barrier_of<HALF_BARRIER> (32 * GE_CHAIN);
      if (b.kind != GE_IDLE)
        tick_far<2> (f, b.k, r);
      advance_far (f);
      barrier_of<TICK_BARRIER> (32 + 32 * GE_CHAIN);
    }
}

#endif
