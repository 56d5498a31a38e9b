/* The QR algorithm on a window in shared memory, one block of threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tick applies several reflectors of two or three rows at once: those of bulges
   at least GE_BULGE_ROWS rows apart (K. Braman, R. Byers, R. Mathias, The
   multishift QR algorithm I, 2002), which touch different elements except for
   products from the left and from the right, and these commute.  Each bulge has a
   group of two warps.  Three steps with a barrier after each:

     1. The first warp of a group makes the reflector, the second one applies the
        last tick's to V.  Nothing in H is written: tests and shifts read it.
     2. Products from the left.  One warp decides about the next tick.
     3. Products from the right.

   schur_of_window starts bulges one after another, each with the eigenvalues that
   the trailing block has at that time, so that up to GE_CHAIN of them are on their
   way; LAPACK's xLAHQR has one.  */

#ifndef GE_SCHUR_TICK_CUH
#define GE_SCHUR_TICK_CUH 1

#include "base/teams.cuh"
#include "schur/window.cuh"

/* The reflector of bulge B with shifts S.  */
template <typename T>
static __device__ void
bulge_reflector (const window<T> &w, const bulge &b,
                 const typename complex_of<T>::type *s, reflector<T> *r)
{
  typedef typename real_of<T>::type R;
  const int k = b.k, rows = b.end - k >= 2 ? 3 : 2;
  T x[3];
  if (b.kind == GE_SPLIT)
    {
      split_reflector (w, k, r);
      return;
    }
  if (b.kind == GE_START)
    {
      start_column (w, k, rows, s[0], s[1], x);
      make_reflector (rows, x[0], x[1], x[2], r);
      return;
    }
  x[0] = element (w, k, k - 1);
  x[1] = element (w, k + 1, k - 1);
  x[2] = rows == 3 ? element (w, k + 2, k - 1) : number<T> (0);
  make_reflector (rows, x[0], x[1], x[2], r);
  if (rows == 2 || ! is_zero (x[1]) || ! is_zero (x[2]))
    return;
  /* The bulge has collapsed on a zero subdiagonal: start it anew where that
     leaves nothing in the column before (vigilant deflation, as xLAQR5).  */
  reflector<T> again;
  T y[3];
  start_column (w, k, rows, s[0], s[1], y);
  make_reflector (rows, y[0], y[1], y[2], &again);
  const T sum = times (conjugate (again.tau), x[0]);
  const R size = abs1 (element (w, k, k)) + abs1 (element (w, k + 1, k + 1))
                 + abs1 (element (w, k + 2, k + 2));
  if (abs1 (times (sum, again.v1)) + abs1 (times (sum, again.v2))
      > limits_of<R>::eps () * size)
    return;
  r->tau = again.tau;
  r->v1 = again.v1;
  r->v2 = again.v2;
  r->beta = minus (x[0], sum);
}

template <typename T>
static __device__ __forceinline__ void
right_product (T *x, int ld, T tau, T v1, T v2, int three)
{
  const T x0 = x[0], x1 = x[ld], x2 = three ? x[2 * ld] : number<T> (0);
  const T s = times (tau, add_times (add_times (x0, x1, v1), x2, v2));
  x[0] = minus (x0, s);
  x[ld] = sub_conj_times (x1, v1, s);
  if (three)
    x[2 * ld] = sub_conj_times (x2, v2, s);
}

template <typename T>
static __device__ __forceinline__ void
store_block (const window<T> &, int, const reflector<T> &)
{
}
template <typename R>
static __device__ __forceinline__ void
store_real_block (const window<R> &w, int k, const reflector<R> &r)
{
  for (int e = 0; e < 4; e++)
    w.h[k + e % 2 + (k + e / 2) * w.ld] = r.block[e];
}
static __device__ __forceinline__ void
store_block (const window<float> &w, int k, const reflector<float> &r)
{
  store_real_block (w, k, r);
}
static __device__ __forceinline__ void
store_block (const window<double> &w, int k, const reflector<double> &r)
{
  store_real_block (w, k, r);
}

/* What a thread of a group keeps from tick to tick: the reflector that V does not
   have yet.  ROWS: 0 for none.  */
template <typename T> struct late_product
{
  T tau, v1, v2;
  int k, rows;
};

/* The second warp of a group, or all of it (LANES 64), LANE of it: V times LATE.  */
template <typename T>
static __device__ __forceinline__ void
catch_up (const window<T> &w, const late_product<T> &late, int lane, int lanes)
{
  if (late.rows == 0)
    return;
  T *v = w.v + late.k * w.ld_v;
#pragma unroll 2
  for (int i = lane; i < w.rows; i += lanes)
    right_product (v + i, w.ld_v, late.tau, late.v1, late.v2, late.rows == 3);
}

/* Step 1 for bulge B in group GROUP; X: what step 2 needs of H.  */
template <typename T>
static __device__ __forceinline__ void
tick_reflector (window<T> &w, const bulge &b,
                const typename complex_of<T>::type *s, int group, int lane,
                const late_product<T> &late, T x[3])
{
  if (lane >= 32)
    catch_up (w, late, lane - 32, 32);
  x[0] = x[1] = x[2] = number<T> (0);
  if (b.kind == GE_IDLE)
    return;
  const int j = b.k + lane;
  if (j < w.n)
    {
      const T *h = &w.h[b.k + j * w.ld];
      x[0] = h[0];
      x[1] = h[1];
      x[2] = b.end - b.k >= 2 ? h[2] : number<T> (0);
    }
  if (lane < 32)
    {
      reflector<T> r;
      bulge_reflector (w, b, s, &r);
      if (lane == 0)
        w.r[group] = r;
    }
}

/* Step 2.  */
template <typename T>
static __device__ __forceinline__ void
tick_left (const window<T> &w, const bulge &b, int group, int lane,
           const T x[3], late_product<T> *late)
{
  late->rows = 0;
  if (b.kind == GE_IDLE)
    return;
  const reflector<T> &r = w.r[group];
  const T v1 = r.v1, v2 = r.v2;
  const int three = r.rows == 3, j = b.k + lane;
  late->tau = r.tau;
  late->v1 = v1;
  late->v2 = v2;
  late->k = b.k;
  late->rows = r.rows;
  /* A chase begins in row 1 at least, so one thread has no column.  */
  if (lane == GE_GROUP - 1 && b.kind == GE_CHASE)
    {
      T *h = &w.h[b.k + (b.k - 1) * w.ld];
      h[0] = r.beta;
      h[1] = number<T> (0);
      if (three)
        h[2] = number<T> (0);
    }
  else if (j < w.n)
    {
      T *h = &w.h[b.k + j * w.ld];
      T s = add_conj_times (x[0], v1, x[1]);
      if (three)
        s = add_conj_times (s, v2, x[2]);
      s = times (conjugate (r.tau), s);
      h[0] = minus (x[0], s);
      h[1] = sub_times (x[1], s, v1);
      if (three)
        h[2] = sub_times (x[2], s, v2);
    }
}

/* Step 3.  */
template <typename T>
static __device__ __forceinline__ void
tick_right (const window<T> &w, const bulge &b, int group, int lane,
            const late_product<T> &late)
{
  if (b.kind == GE_IDLE)
    return;
  const int k = b.k;
  const int standard = b.kind == GE_SPLIT && ! is_complex<T>::value;
  const int last = standard ? k - 1 : b.end < k + 3 ? b.end : k + 3;
  if (lane <= last)
    right_product (&w.h[lane + k * w.ld], w.ld, late.tau, late.v1, late.v2,
                   late.rows == 3);
  if (standard && lane == GE_GROUP - 1)
    store_block (w, k, w.r[group]);
}

/* --- tests --- */

enum
{
  GE_TESTS
  = GE_WINDOW_ORDER / 32 /* rows that a lane of the steering warp tests */
};

/* Bit e: the subdiagonal element in row 1 + LANE + 32 E is negligible.  */
template <typename T>
static __device__ __forceinline__ int
test_rows (const window<T> &w, int lane)
{
  int small = 0;
  for (int e = 0; e < GE_TESTS; e++)
    {
      const int row = 1 + lane + 32 * e;
      if (row < w.n && negligible (w, row, 0, w.n - 1))
        small |= 1 << e;
    }
  return small;
}

/* Zero for what bulge B has left behind, before the next one comes.  SMALL: row
   ROW passed its test.  */
template <typename T>
static __device__ __forceinline__ void
clear_behind (const window<T> &w, const bulge &b, int row, int small, int first)
{
  if (small && b.kind == GE_CHASE && row == b.k - 1 && row > first)
    w.h[row + (row - 1) * w.ld] = number<T> (0);
}

/* Does bulge B hinder the test of row ROW?  Its products change subdiagonals
   k .. k + 3 of its rows, and it needs the column before.  */
static __device__ __forceinline__ int
is_busy (const bulge &b, int row)
{
  return b.kind != GE_IDLE && b.k - 1 <= row && row <= b.k + 2 && row <= b.end;
}

/* --- the Schur form --- */

enum
{
  GE_RUNNING,
  GE_CONVERGED,
  GE_FAILED
};

/* What steer decides.  */
typedef struct
{
  int top, bottom; /* of the active block */
  int found;       /* a zero subdiagonal, or -1 */
} next_step;

enum
{
  GE_MADE = 1,            /* counts in one number: bulges, */
  GE_INSIDE = 1 << 8,     /* those in the active block, */
  GE_IN_THE_WAY = 1 << 16 /* those that keep others from starting there */
};

/* What bulge *B does in the next tick, and how it counts.  */
static __device__ __forceinline__ int
advance_bulge (bulge *b, const next_step &step)
{
  int counts = 0;
  if (b->kind == GE_IDLE)
    return 0;
  if (b->k < step.found && b->end >= step.found)
    b->end = step.found - 1;
  b->k++;
  /* In short blocks a bulge, and a split, hinders all tests: what it has done is
     looked at before the next one.  */
  if (b->kind == GE_SPLIT
      || (step.bottom - step.top < 4 && b->end >= step.top
          && b->k <= step.bottom))
    counts = GE_IN_THE_WAY + (b->k >= b->end ? GE_INSIDE : 0);
  b->kind = b->kind == GE_SPLIT || b->k >= b->end ? GE_IDLE : GE_CHASE;
  if (b->kind == GE_IDLE)
    return counts;
  if (b->end >= step.top && b->k <= step.bottom)
    counts += GE_INSIDE + (b->k < step.top + GE_BULGE_ROWS ? GE_IN_THE_WAY : 0);
  return counts + GE_MADE;
}

/* Deflations in the active block: the new block, and the zero that was found.
   SMALL: of test_rows.  */
template <typename T>
static __device__ __forceinline__ next_step
find_deflation (const window<T> &w, int small, int lane)
{
  next_step step = { w.top, w.bottom, -1 };
  int found = -1;
  for (int e = 0; e < GE_TESTS; e++)
    {
      const int row = 1 + lane + 32 * e;
      int open = small >> e & 1;
      if (! open)
        continue;
      for (int q = 0; q < GE_CHAIN; q++)
        {
          const bulge b = w.list[q];
          clear_behind (w, b, row, 1, 0);
          open &= ! is_busy (b, row);
        }
      if (open && row > step.top && row <= step.bottom)
        found = row;
    }
  step.found = tile_max<32> (found);
  if (step.found > step.top)
    {
      if (lane == 0)
        w.h[step.found + (step.found - 1) * w.ld] = number<T> (0);
      if (step.found == step.bottom)
        step.bottom--;
      else
        step.top = step.found;
    }
  else if (step.top == step.bottom)
    {
      step.bottom--;
      step.top = 0;
    }
  return step;
}

/* Decide what is done in the next tick: deflations, and which bulges there are.
   One warp; lane q has bulge q, all decide the same about the rest.  */
template <typename T>
static __device__ __forceinline__ void
steer (window<T> &w, int small, int lane)
{
  bulge mine = { 0, 0, GE_IDLE, 0 };
  if (lane < GE_CHAIN)
    mine = w.list[lane];
  next_step step = find_deflation (w, small, lane);
  const int deflated = step.bottom != w.bottom;
  const int counts = tile_sum<32> (advance_bulge (&mine, step));
  const int made = counts % GE_INSIDE;
  const int inside = counts % GE_IN_THE_WAY / GE_INSIDE;
  /* Numbers of idle bulges from below.  */
  const int idle = lane < GE_CHAIN && mine.kind == GE_IDLE;
  const int place = 31 - tile_max<32> (idle ? 31 - lane : -1);
  const int length = step.bottom - step.top + 1;
  int since = w.since, kind = GE_IDLE;
  int most = length < 16 || since > 30 ? 1 : length / 8;
  most = most < GE_CHAIN ? most : GE_CHAIN;
  since = deflated ? 0 : since;
  if (! deflated && counts < GE_IN_THE_WAY && made < GE_CHAIN)
    kind = length == 2 && inside == 0    ? GE_SPLIT
           : length > 2 && inside < most ? GE_START
                                         : GE_IDLE;
  since += kind != GE_IDLE;
  if (kind != GE_IDLE && lane == place)
    {
      mine.k = step.top;
      mine.end = step.bottom;
      mine.kind = kind;
    }
  /* In real arithmetic the block is done with that.  */
  if (kind == GE_SPLIT && ! is_complex<T>::value)
    {
      step.bottom -= 2;
      step.top = 0;
      since = 0;
    }
  this_warp ().sync ();
  if (lane < GE_CHAIN)
    w.list[lane] = mine;
  if (lane != 0)
    return;
  w.top = step.top;
  w.bottom = step.bottom;
  w.since = since;
  const int ticks = ++w.ticks;
  if (ticks > 300 * w.n + 1000)
    w.state = GE_FAILED;
  /* What is on its way must arrive.  */
  else if (step.bottom < 0 && made == 0 && kind == GE_IDLE)
    w.state = GE_CONVERGED;
}

/* Shifts for a bulge that may start in the next tick.  Every 12th without a
   deflation is exceptional.  */
template <typename T>
static __device__ __forceinline__ void
choose_shifts (const window<T> &w, typename complex_of<T>::type shift[2])
{
  typedef typename real_of<T>::type R;
  typedef typename complex_of<T>::type C;
  const int i = w.bottom;
  C s1 = number<C> (0), s2 = s1;
  if (i <= w.top || i < 1)
    return;
  if (w.since % 12 == 11)
    {
      const T h = element (w, i, i);
      s1 = number<C> (re_of (h), im_of (h));
      /* Of a permutation one of these can be 0 while a bulge is there.  */
      s1.x += (R) 0.75
              * (abs1 (element (w, i, i - 1)) + abs1 (element (w, i - 1, i))
                 + (i - 2 >= w.top ? abs1 (element (w, i - 1, i - 2)) : 0));
      s2 = s1;
    }
  else
    trailing_shifts (w, i, &s1, &s2);
  shift[0] = s1;
  shift[1] = s2;
}

/* The Schur form of the Hessenberg W.h, in place, times V from the right.  All
   threads of a block of GE_WINDOW_THREADS; there is a barrier before anything is
   read and at the end.  GE_CONVERGED or GE_FAILED.  */
template <typename T>
static __device__ int
schur_of_window (window<T> &w)
{
  const int t = threadIdx.x, group = t / GE_GROUP, lane = t % GE_GROUP;
  const int chasing = group < GE_CHAIN, steering = ! chasing && lane < 32;
  late_product<T> late;
  late.rows = 0;
  if (t == 0)
    {
      w.top = w.since = w.ticks = 0;
      w.bottom = w.n - 1;
      w.state = GE_RUNNING;
    }
  if (t < GE_CHAIN)
    w.list[t].kind = GE_IDLE;
  __syncthreads ();
  /* Shifts that are read and those for the next tick lie in different places.  */
  for (int now = 0; w.state == GE_RUNNING; now = 1 - now)
    {
      bulge b = { 0, 0, GE_IDLE, 0 };
      T x[3];
      int small = 0;
      if (chasing)
        {
          b = w.list[group];
          const int starts = b.kind == GE_START;
          if (starts && lane < 2)
            w.own[group][lane] = w.shift[now][lane];
          tick_reflector (w, b, starts ? w.shift[now] : w.own[group], group,
                          lane, late, x);
        }
      else if (steering)
        small = test_rows (w, lane);
      else
        choose_shifts (w, w.shift[1 - now]);
      __syncthreads ();
      if (chasing)
        tick_left (w, b, group, lane, x, &late);
      else if (steering)
        steer (w, small, lane);
      __syncthreads ();
      tick_right (w, b, group, lane, late);
      __syncthreads ();
    }
  if (chasing)
    catch_up (w, late, lane, GE_GROUP);
  __syncthreads ();
  return w.state;
}

#endif
