/* The QR algorithm on a window in shared memory, one block of threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tick applies several reflectors of two or three rows at once: those of bulges
   at least GE_BULGE_ROWS rows apart (K. Braman, R. Byers, R. Mathias, The
   multishift QR algorithm I, 2002), which touch different elements except for
   products from the left and from the right, and these commute.  Three steps with
   a barrier after each: reflectors and tests, products from the left, products
   from the right.

   schur_of_window starts bulges one after another, each with the eigenvalues that
   the trailing block has at that time, so that up to GE_CHAIN of them are on their
   way; LAPACK's xLAHQR has one.  */

#ifndef GE_SCHUR_WINDOW_CUH
#define GE_SCHUR_WINDOW_CUH 1

#include "../eig_general.cuh"
#include "../teams.cuh"
#include "numbers.cuh"
#include "schur/schedule.h"

enum
{
  GE_GROUP = 64, /* threads for one reflector */
  /* A group for each bulge of a chain, and one warp that steers.  */
  GE_WINDOW_THREADS = GE_CHAIN * GE_GROUP + 32,
  GE_WINDOW_ORDER = 128 /* at most */
};

typedef enum
{
  GE_START, /* first column of (H - s1) (H - s2) */
  GE_CHASE, /* restores the column before */
  GE_SPLIT  /* makes a 2-by-2 block triangular, or gives it standard form */
} bulge_kind;

template <typename T> struct bulge
{
  typename complex_of<T>::type s1, s2; /* real T: both real or conjugate */
  int k, end;                          /* first row, last row of its block */
  bulge_kind kind;
};

/* I - tau v v', v = (1, v1, v2), in rows k .. k + rows - 1.  */
template <typename T> struct reflector
{
  T tau, v1, v2;
  T beta; /* GE_CHASE: what is left of the column before */
  typename real_of<T>::type block[4]; /* GE_SPLIT, real: the standard form */
  int k, rows, end, clear;
  bulge_kind kind;
};

/* What a block of threads shares.  H: n-by-n; V: rows-by-n or NULL.  */
template <typename T> struct window
{
  T *h, *v;
  int n, ld, rows, ld_v;
  int current; /* of the two lists */
  int count[2];
  bulge<T> list[2][GE_CHAIN];
  reflector<T> r[GE_CHAIN];
  /* schur_of_window */
  typename complex_of<T>::type shift1, shift2;
  int top, bottom, since, ticks, state;
  unsigned char small[GE_WINDOW_ORDER];
};

template <typename T>
static __device__ __forceinline__ T &
element (const window<T> &w, int i, int j)
{
  return w.h[i + j * w.ld];
}

/* --- scalars --- */

/* H (k, k - 1) is negligible: the criterion of Ahues and Tisseur (LAPACK working
   note 122), as in LAPACK.  FIRST and LAST: rows that belong to the block.  */
template <typename T>
static __device__ int
negligible (const window<T> &w, int k, int first, int last)
{
  typedef typename real_of<T>::type R;
  const R eps = limits_of<R>::eps (), least = limits_of<R>::least ();
  const R below = abs1 (element (w, k, k - 1));
  if (below <= least)
    return 1;
  const T before = element (w, k - 1, k - 1), here = element (w, k, k);
  R size = abs1 (before) + abs1 (here);
  if (size == 0)
    {
      if (k - 2 >= first)
        size += abs1 (element (w, k - 1, k - 2));
      if (k + 1 <= last)
        size += abs1 (element (w, k + 1, k));
    }
  if (below > eps * size)
    return 0;
  const R above = abs1 (element (w, k - 1, k));
  const R difference = abs1 (minus (before, here));
  const R ab = fmax (below, above), ba = fmin (below, above);
  const R aa = fmax (abs1 (here), difference);
  const R bb = fmin (abs1 (here), difference);
  const R s = aa + ab;
  return ba * (ab / s) <= fmax (least, eps * (bb * (aa / s)));
}

/* R becomes the reflector with R' x = beta e1; x has ROWS elements.  */
template <typename T>
static __device__ __forceinline__ void
make_reflector (int rows, T x0, T x1, T x2, reflector<T> *r)
{
  typedef typename real_of<T>::type R;
  const R rest = fmax (abs1 (x1), abs1 (x2)), size = fmax (rest, abs1 (x0));
  r->rows = rows;
  if (rest == 0 || size <= limits_of<R>::least ())
    {
      r->tau = r->v1 = r->v2 = number<T> (0);
      r->beta = x0;
      return;
    }
  R f = 1;
  if (size < (R) 1e-12 || size > (R) 1e12)
    {
      f = size;
      x0 = scaled (x0, 1 / f);
      x1 = scaled (x1, 1 / f);
      x2 = scaled (x2, 1 / f);
    }
  const R norm = sqrt (abs2 (x0) + abs2 (x1) + abs2 (x2));
  const R beta = re_of (x0) >= 0 ? -norm : norm;
  r->tau = number<T> ((beta - re_of (x0)) / beta, -im_of (x0) / beta);
  const T d = divide (number<T> (1), minus (x0, number<T> (beta)));
  r->v1 = times (x1, d);
  r->v2 = times (x2, d);
  r->beta = number<T> (beta * f);
}

/* (h - s1) (h - s2) f */
template <typename R, typename C>
static __device__ __forceinline__ R
shifted_product (R h, C s1, C s2, R f)
{
  return (h - s1.x) * ((h - s2.x) * f) - s1.y * (s2.y * f);
}
template <typename C, typename R>
static __device__ __forceinline__ C
shifted_product (C h, C s1, C s2, R f)
{
  return times (minus (h, s1), scaled (minus (h, s2), f));
}

/* The first column, times a number, of (H - s1) (H - s2) for the block of ROWS
   rows that begins at K.  */
template <typename T>
static __device__ void
start_column (const window<T> &w, int k, int rows,
              typename complex_of<T>::type s1, typename complex_of<T>::type s2,
              T x[3])
{
  typedef typename real_of<T>::type R;
  typedef typename complex_of<T>::type C;
  const T zero = number<T> (0);
  const T h11 = element (w, k, k), h21 = element (w, k + 1, k);
  const T h12 = element (w, k, k + 1), h22 = element (w, k + 1, k + 1);
  const T h31 = rows == 3 ? element (w, k + 2, k) : zero;
  const R s = abs1 (minus (number<C> (re_of (h11), im_of (h11)), s2))
              + abs1 (h21) + abs1 (h31);
  x[0] = x[1] = x[2] = zero;
  if (s <= limits_of<R>::least ())
    return;
  const T g21 = scaled (h21, 1 / s), g31 = scaled (h31, 1 / s);
  const T sum
      = minus (minus (h11, number<T> (s1.x, s1.y)), number<T> (s2.x, s2.y));
  x[0] = add_times (shifted_product (h11, s1, s2, 1 / s), h12, g21);
  x[1] = times (g21, plus (sum, h22));
  if (rows == 3)
    {
      x[0] = add_times (x[0], element (w, k, k + 2), g31);
      x[1] = add_times (x[1], element (w, k + 1, k + 2), g31);
      x[2] = add_times (times (g31, plus (sum, element (w, k + 2, k + 2))), g21,
                        element (w, k + 2, k + 1));
    }
}

/* Eigenvalues of [a b; c d], the one nearer to d first.  */
template <typename C>
static __device__ void
block_eigenvalues (C a, C b, C c, C d, C *near, C *far)
{
  typedef typename real_of<C>::type R;
  const R s = abs1 (a) + abs1 (b) + abs1 (c) + abs1 (d);
  *near = *far = number<C> (0);
  if (s <= limits_of<R>::least ())
    return;
  a = scaled (a, 1 / s);
  b = scaled (b, 1 / s);
  c = scaled (c, 1 / s);
  d = scaled (d, 1 / s);
  const C mean = scaled (plus (a, d), (R) 0.5);
  const C half = scaled (minus (a, d), (R) 0.5);
  const C root = root_of (add_times (times (b, c), half, half));
  const C x = plus (mean, root), y = minus (mean, root);
  const int first = abs1 (minus (x, d)) <= abs1 (minus (y, d));
  *near = scaled (first ? x : y, s);
  *far = scaled (first ? y : x, s);
}

/* Shifts from the trailing 2-by-2 block that ends in row I.  */
template <typename R, typename C>
static __device__ void
trailing_shifts (const window<R> &w, int i, C *s1, C *s2)
{
  ge_block_shifts (element (w, i - 1, i - 1), element (w, i - 1, i),
                   element (w, i, i - 1), element (w, i, i), &s1->x, &s1->y,
                   &s2->x, &s2->y);
}
template <typename C>
static __device__ void
trailing_shifts (const window<C> &w, int i, C *s1, C *s2)
{
  block_eigenvalues (element (w, i - 1, i - 1), element (w, i - 1, i),
                     element (w, i, i - 1), element (w, i, i), s1, s2);
}

/* The reflector that makes the block of rows k, k + 1 triangular: complex, up to
   rounding; real, with the standard form in R->block.  */
template <typename C>
static __device__ void
split_reflector (const window<C> &w, int k, reflector<C> *r)
{
  C near, far;
  const C a = element (w, k, k), c = element (w, k + 1, k);
  block_eigenvalues (a, element (w, k, k + 1), c, element (w, k + 1, k + 1),
                     &near, &far);
  make_reflector (2, minus (a, near), c, number<C> (0), r);
}
template <typename R>
static __device__ void
split_real (const window<R> &w, int k, reflector<R> *r)
{
  R a = element (w, k, k), b = element (w, k, k + 1);
  R c = element (w, k + 1, k), d = element (w, k + 1, k + 1), cs, sn;
  ge_standard_block (&a, &b, &c, &d, &cs, &sn);
  /* The reflector whose first column is +-(cs, sn).  It is the rotation with one
     column negated, so b and c change their signs.  */
  if (cs < 0)
    {
      cs = -cs;
      sn = -sn;
    }
  r->rows = 2;
  r->tau = 1 + cs;
  r->v1 = sn / (1 + cs);
  r->v2 = 0;
  r->block[0] = a;
  r->block[1] = -c;
  r->block[2] = -b;
  r->block[3] = d;
}
static __device__ __forceinline__ void
split_reflector (const window<float> &w, int k, reflector<float> *r)
{
  split_real (w, k, r);
}
static __device__ __forceinline__ void
split_reflector (const window<double> &w, int k, reflector<double> *r)
{
  split_real (w, k, r);
}

/* --- a tick --- */

/* The reflector of bulge B.  FIRST: first row of the active block.  */
template <typename T>
static __device__ void
bulge_reflector (const window<T> &w, const bulge<T> &b, int first,
                 reflector<T> *r)
{
  typedef typename real_of<T>::type R;
  const int k = b.k, rows = b.end - k >= 2 ? 3 : 2;
  T x[3];
  r->k = k;
  r->end = b.end;
  r->kind = b.kind;
  r->clear = 0;
  if (b.kind == GE_SPLIT)
    {
      split_reflector (w, k, r);
      return;
    }
  if (b.kind == GE_START)
    {
      start_column (w, k, rows, b.s1, b.s2, x);
      make_reflector (rows, x[0], x[1], x[2], r);
      return;
    }
  /* What the bulge has left behind is looked at before the next bulge comes.  */
  if (k - 1 > first)
    r->clear = negligible (w, k - 1, first, b.end);
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
  start_column (w, k, rows, b.s1, b.s2, y);
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

/* Products from the left with reflector R by one group of threads.  */
template <typename T>
static __device__ __forceinline__ void
left_products (const window<T> &w, const reflector<T> &r, int lane)
{
  const T v1 = r.v1, v2 = r.v2, tau = conjugate (r.tau);
  const int k = r.k, three = r.rows == 3;
  for (int j = (r.kind == GE_CHASE ? k - 1 : k) + lane; j < w.n; j += GE_GROUP)
    {
      T *x = &w.h[k + j * w.ld];
      if (j < k)
        {
          x[0] = r.beta;
          x[1] = number<T> (0);
          if (three)
            x[2] = number<T> (0);
          continue;
        }
      T s = add_conj_times (x[0], v1, x[1]);
      if (three)
        s = add_conj_times (s, v2, x[2]);
      s = times (tau, s);
      x[0] = minus (x[0], s);
      x[1] = sub_times (x[1], s, v1);
      if (three)
        x[2] = sub_times (x[2], s, v2);
    }
  if (r.clear && lane == 0)
    w.h[k - 1 + (k - 2) * w.ld] = number<T> (0);
}

template <typename T>
static __device__ __forceinline__ void
right_product (T *x, int ld, T tau, T v1, T v2, int three)
{
  T s = add_times (x[0], x[ld], v1);
  if (three)
    s = add_times (s, x[2 * ld], v2);
  s = times (tau, s);
  x[0] = minus (x[0], s);
  x[ld] = sub_conj_times (x[ld], v1, s);
  if (three)
    x[2 * ld] = sub_conj_times (x[2 * ld], v2, s);
}

template <typename T>
static __device__ __forceinline__ void
store_block (const window<T> &, const reflector<T> &)
{
}
template <typename R>
static __device__ __forceinline__ void
store_real_block (const window<R> &w, const reflector<R> &r)
{
  for (int e = 0; e < 4; e++)
    w.h[r.k + e % 2 + (r.k + e / 2) * w.ld] = r.block[e];
}
static __device__ __forceinline__ void
store_block (const window<float> &w, const reflector<float> &r)
{
  store_real_block (w, r);
}
static __device__ __forceinline__ void
store_block (const window<double> &w, const reflector<double> &r)
{
  store_real_block (w, r);
}

/* Products from the right, with V too.  */
template <typename T>
static __device__ __forceinline__ void
right_products (const window<T> &w, const reflector<T> &r, int lane)
{
  const T v1 = r.v1, v2 = r.v2, tau = r.tau;
  const int k = r.k, three = r.rows == 3;
  const int standard = r.kind == GE_SPLIT && ! is_complex<T>::value;
  const int last = standard ? k - 1 : r.end < k + 3 ? r.end : k + 3;
  for (int i = lane; i <= last + w.rows; i += GE_GROUP)
    if (i <= last)
      right_product (&w.h[i + k * w.ld], w.ld, tau, v1, v2, three);
    else
      right_product (&w.v[i - last - 1 + k * w.ld_v], w.ld_v, tau, v1, v2,
                     three);
  if (standard && lane == 0)
    store_block (w, r);
}

/* --- the Schur form --- */

enum
{
  GE_RUNNING,
  GE_CONVERGED,
  GE_FAILED
};

/* Are the tests of row k hindered by a bulge?  Its products change subdiagonals
   k .. k + 3 of its rows, and it needs the column before.  */
template <typename T>
static __device__ __forceinline__ int
is_busy (const window<T> &w, int k)
{
  const int c = w.current;
  for (int q = 0; q < w.count[c]; q++)
    if (w.list[c][q].k - 1 <= k && k <= w.list[c][q].k + 2
        && k <= w.list[c][q].end)
      return 1;
  return 0;
}

/* What steer decides.  */
typedef struct
{
  int top, bottom; /* of the active block */
  int found;       /* a zero subdiagonal, or -1 */
  int split;       /* the block's two rows are split in the next tick */
} next_step;

/* The bulges of the next tick; how many of them are in the active block.  */
template <typename T>
static __device__ int
advance_bulges (window<T> &w, const next_step &step, int *free_rows)
{
  const int now = w.current, next = 1 - now;
  int made = 0, inside = 0;
  *free_rows = 1;
  for (int q = 0; q < w.count[now]; q++)
    {
      bulge<T> b = w.list[now][q];
      if (b.k < step.found && b.end >= step.found)
        b.end = step.found - 1;
      b.k++;
      /* In short blocks a bulge, and a split, hinders all tests: what it has done
         is looked at before the next one.  */
      if (b.kind == GE_SPLIT
          || (step.bottom - step.top < 4 && b.end >= step.top
              && b.k <= step.bottom))
        {
          *free_rows = 0;
          inside += b.k >= b.end;
        }
      if (b.kind == GE_SPLIT || b.k >= b.end)
        continue;
      b.kind = GE_CHASE;
      if (b.end >= step.top && b.k <= step.bottom)
        {
          inside++;
          *free_rows &= b.k >= step.top + GE_BULGE_ROWS;
        }
      w.list[next][made++] = b;
    }
  w.count[next] = made;
  return inside;
}

template <typename T>
static __device__ __forceinline__ void
add_bulge (window<T> &w, int k, int end, bulge_kind kind)
{
  const int next = 1 - w.current;
  bulge<T> b;
  b.k = k;
  b.end = end;
  b.kind = kind;
  b.s1 = w.shift1;
  b.s2 = w.shift2;
  w.list[next][w.count[next]++] = b;
}

/* Decide what is done in the next tick: deflations, and which bulges there are.
   One warp; the others make products from the left meanwhile.  */
template <typename T>
static __device__ void
steer (window<T> &w, int lane)
{
  next_step step = { w.top, w.bottom, -1, 0 };
  int found = -1, free_rows;
  for (int k = w.top + 1 + lane; k <= w.bottom; k += 32)
    if (w.small[k])
      found = k;
  step.found = tile_max<32> (found);
  if (lane != 0)
    return;
  if (step.found > step.top)
    {
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
  const int deflated = step.bottom != w.bottom;
  const int inside = advance_bulges (w, step, &free_rows);
  const int length = step.bottom - step.top + 1;
  int most = length < 16 || w.since > 30 ? 1 : length / 8;
  most = most < GE_CHAIN ? most : GE_CHAIN;
  w.since = deflated ? 0 : w.since;
  if (! deflated && length == 2 && inside == 0 && free_rows
      && w.count[1 - w.current] < GE_CHAIN)
    {
      add_bulge (w, step.top, step.bottom, GE_SPLIT);
      w.since++;
      /* In real arithmetic it is done with that.  */
      if (! is_complex<T>::value)
        {
          step.bottom -= 2;
          step.top = 0;
          w.since = 0;
        }
    }
  else if (! deflated && length > 2 && inside < most && free_rows
           && w.count[1 - w.current] < GE_CHAIN)
    {
      add_bulge (w, step.top, step.bottom, GE_START);
      w.since++;
    }
  w.top = step.top;
  w.bottom = step.bottom;
  w.ticks++;
  if (w.ticks > 300 * w.n + 1000)
    w.state = GE_FAILED;
  /* What is on its way must arrive.  */
  else if (step.bottom < 0 && w.count[1 - w.current] == 0)
    w.state = GE_CONVERGED;
}

/* Shifts for a bulge that may start in the next tick.  Every 12th without a
   deflation is exceptional.  */
template <typename T>
static __device__ void
choose_shifts (window<T> &w)
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
      s1.x += (R) 0.75 * abs1 (element (w, i, i - 1));
      s2 = s1;
    }
  else
    trailing_shifts (w, i, &s1, &s2);
  w.shift1 = s1;
  w.shift2 = s2;
}

/* The Schur form of the Hessenberg W.h, in place, times V from the right.  All
   threads of a block of GE_WINDOW_THREADS; there is a barrier before anything is
   read and at the end.  GE_CONVERGED or GE_FAILED.  */
template <typename T>
static __device__ int
schur_of_window (window<T> &w)
{
  const int t = threadIdx.x, group = t / GE_GROUP, lane = t % GE_GROUP;
  const int steering = t - GE_CHAIN * GE_GROUP;
  if (t == 0)
    {
      w.current = w.count[0] = w.count[1] = 0;
      w.top = w.since = w.ticks = 0;
      w.bottom = w.n - 1;
      w.state = GE_RUNNING;
    }
  __syncthreads ();
  while (w.state == GE_RUNNING)
    {
      const int now = w.current, count = w.count[now];
      if (t < count)
        bulge_reflector (w, w.list[now][t], 0, &w.r[t]);
      else if (steering == 0)
        choose_shifts (w);
      else if (steering < 0 && t >= GE_GROUP)
        for (int k = 1 + t - GE_GROUP; k < w.n; k += (GE_CHAIN - 1) * GE_GROUP)
          w.small[k] = ! is_busy (w, k) && negligible (w, k, 0, w.n - 1);
      __syncthreads ();
      if (group < count && steering < 0)
        left_products (w, w.r[group], lane);
      else if (steering >= 0)
        steer (w, steering);
      __syncthreads ();
      if (group < count && steering < 0)
        right_products (w, w.r[group], lane);
      if (t == GE_WINDOW_THREADS - 1)
        w.current = 1 - now;
      __syncthreads ();
    }
  return w.state;
}

#endif
