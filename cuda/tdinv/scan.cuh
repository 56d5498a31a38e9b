/* The recurrences of the generators as scans: elements, their products, scans
   over a warp.  Used by both implementations, so that they give the same bits.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A step of the three-term recurrence of the minors is a 2-by-2 matrix, a run
   of steps a product of such matrices.  The rows are divided into chunks, one
   per thread, and 32 chunks form a span, one per warp; there are at most 32
   spans, so that one warp scans their products.  Every thread multiplies the
   steps of its chunk, a warp scans the products of its chunks, every warp scans
   those of the spans, and every thread repeats the steps of its chunk from the
   state at its beginning.  Trailing minors run through the rows, and the chunks
   and spans, in descending order.  Cumulative products of off-diagonal elements
   are computed in the same way; their scan element is a number and the row
   where its irreducible block begins (a segmented scan).  */

#ifndef GE_TDINV_SCAN_CUH
#define GE_TDINV_SCAN_CUH 1

#include "tdinv/tdinv.cuh"
#include "base/teams.cuh"
#include "base/wide.cuh"

enum
{
  TDINV_WARP = 32,
  TDINV_SPANS = 32,     /* at most */
  TDINV_SUBCHUNK = 8,   /* steps without exponents, see is_moderate */
  TDINV_LEAST_CHUNK = 4 /* rows */
};

/* The product of a run of steps as a map of the state (x, y) = (t(i), t(i-1)):
   columns (x1, y1) and (x2, y2) of a 2-by-2 matrix.  */
template <typename W> struct run_of_steps
{
  W x1, y1, x2, y2;
};

/* A run of factors: their product since row BEGIN, where the last irreducible
   block in the run begins, or the product of the whole run with BEGIN = -1.  */
template <typename W> struct run_of_factors
{
  W product;
  int64_t begin;
};

/* Rows of a chunk of a matrix of order N; a multiple of 4, so that a span is one
   or more groups of TDINV_GROUP rows.  */
static inline int64_t
tdinv_chunk (int64_t n)
{
  const int64_t most = TDINV_WARP * TDINV_SPANS;
  const int64_t chunk = (n + most - 1) / most;
  return ((chunk < TDINV_LEAST_CHUNK ? (int64_t) TDINV_LEAST_CHUNK : chunk) + 3)
         / 4 * 4;
}

static inline int
tdinv_spans (int64_t n)
{
  const int64_t span = TDINV_WARP * tdinv_chunk (n);
  return (int) ((n + span - 1) / span);
}

/* Not inlined, for code that need not be fast: instructions come from device memory
   like data, slowly while a kernel writes as fast as it can.  */
#define TDINV_CALLED static __device__ __noinline__

template <typename W>
TDINV_CALLED W
product_of (W a, W b)
{
  return wide_mul (a, b);
}

/* 1 / a, a not zero.  The quotient of the high parts by Newton's method, without the
   branches of a division, which would keep the compiler from interleaving; one exact
   remainder, relative error about 5 u^2 (dd_div: 15 u^2).  */
GE_DEVICE_INLINE ge_wide
inverse_of (ge_wide a)
{
  const double x = a.re.hi;
  double r = __frcp_rn ((float) x);
  r = fma (r, fma (-x, r, 1.0), r);
  r = fma (r, fma (-x, r, 1.0), r);
  const ge_dd p = dd_product (x, r);
  const double d = ((1 - p.hi) - p.lo) - a.re.lo * r;
  a.re = dd_quick (r, d * r);
  a.e = -a.e;
  return wide_normal (a);
}
GE_DEVICE_INLINE ge_wide_pair
inverse_of (ge_wide_pair a)
{
  return wide_inverse (a);
}

/* --- scan elements and their product --- */

/* The upper 32 bits of |x|: ordered as the moduli, zero for a zero.  */
GE_INLINE uint32_t
upper_word (double x)
{
  uint64_t bits;
  memcpy (&bits, &x, sizeof bits);
  return (uint32_t) (bits >> 32) & 0x7fffffff;
}
template <typename W>
GE_INLINE uint32_t
upper_word (W a)
{
  const uint32_t re = upper_word (a.re.hi);
  if constexpr (is_wide_pair<W>::value)
    {
      const uint32_t im = upper_word (a.im.hi);
      return re > im ? re : im;
    }
  else
    return re;
}

/* The exponent of the largest of zeros and normal numbers, of which WORD is the
   upper word; 0 if all are zero.  */
GE_INLINE int64_t
exponent_of_word (uint32_t word)
{
  return word == 0 ? 0 : (int64_t) (word >> 20) - 1023;
}

/* Normalise a run of steps whose numbers have the exponent of x1: the largest
   mantissa in [1, 2).  */
template <typename W>
GE_DEVICE_INLINE void
normalize_run (run_of_steps<W> *r)
{
  const uint32_t word = max (max (upper_word (r->x1), upper_word (r->y1)),
                             max (upper_word (r->x2), upper_word (r->y2)));
  const int64_t k = exponent_of_word (word);
  const double f = ge_pow2 (-k);
  r->x1 = wide_scale (r->x1, f);
  r->y1 = wide_scale (r->y1, f);
  r->x2 = wide_scale (r->x2, f);
  r->y2 = wide_scale (r->y2, f);
  r->x1.e = r->y1.e = r->x2.e = r->y2.e = word == 0 ? 0 : r->x1.e + k;
}

/* The product of two normalized runs, normalized.  */
template <typename W>
static __device__ run_of_steps<W>
join (run_of_steps<W> later, run_of_steps<W> earlier)
{
  run_of_steps<W> r;
  r.x1 = wide_mantissa_sum (later.x1, earlier.x1, later.x2, earlier.y1);
  r.y1 = wide_mantissa_sum (later.y1, earlier.x1, later.y2, earlier.y1);
  r.x2 = wide_mantissa_sum (later.x1, earlier.x2, later.x2, earlier.y2);
  r.y2 = wide_mantissa_sum (later.y1, earlier.x2, later.y2, earlier.y2);
  r.x1.e = later.x1.e + earlier.x1.e;
  normalize_run (&r);
  return r;
}

template <typename W>
static __device__ run_of_factors<W>
join (run_of_factors<W> later, run_of_factors<W> earlier)
{
  if (later.begin >= 0)
    return later;
  later.product = wide_mul (later.product, earlier.product);
  later.begin = earlier.begin;
  return later;
}

template <typename W>
static __device__ void
make_identity (run_of_steps<W> *r)
{
  r->x1 = r->y2 = wide_whole (1, W ());
  r->x2 = r->y1 = wide_whole (0, W ());
  r->x2.e = r->y1.e = 0;
}

template <typename W>
static __device__ void
make_identity (run_of_factors<W> *r)
{
  r->product = wide_whole (1, W ());
  r->begin = -1;
}

/* --- scans over a warp; all lanes must call these --- */

GE_DEVICE_INLINE ge_dd
from_lane (ge_dd a, int lane)
{
  a.hi = this_warp ().shfl (a.hi, lane);
  a.lo = this_warp ().shfl (a.lo, lane);
  return a;
}

/* The mantissa of lane LANE; the exponent stays that of the calling lane.  */
template <typename W>
GE_DEVICE_INLINE W
mantissa_from_lane (W a, int lane)
{
  a.re = from_lane (a.re, lane);
  if constexpr (is_wide_pair<W>::value)
    a.im = from_lane (a.im, lane);
  return a;
}

template <typename W>
GE_DEVICE_INLINE run_of_steps<W>
from_lane (run_of_steps<W> r, int lane)
{
  const int64_t e = this_warp ().shfl (r.x1.e, lane);
  r.x1 = mantissa_from_lane (r.x1, lane);
  r.y1 = mantissa_from_lane (r.y1, lane);
  r.x2 = mantissa_from_lane (r.x2, lane);
  r.y2 = mantissa_from_lane (r.y2, lane);
  r.x1.e = r.y1.e = r.x2.e = r.y2.e = e;
  return r;
}

template <typename W>
GE_DEVICE_INLINE run_of_factors<W>
from_lane (run_of_factors<W> r, int lane)
{
  const int64_t e = this_warp ().shfl (r.product.e, lane);
  r.product = mantissa_from_lane (r.product, lane);
  r.product.e = e;
  r.begin = this_warp ().shfl (r.begin, lane);
  return r;
}

/* Inclusive scan in the order of the lanes.  */
template <typename E>
GE_DEVICE_INLINE E
scan_warp (E mine)
{
  const int lane = (int) this_warp ().thread_rank ();
#pragma unroll 1
  for (int distance = 1; distance < TDINV_WARP; distance *= 2)
    {
      const E other = from_lane (mine, (lane - distance) & (TDINV_WARP - 1));
      if (lane >= distance)
        mine = join (mine, other);
    }
  return mine;
}

/* The product of all chunks before that of the calling lane of span SPAN.  END:
   the product of span LANE; RUN: that of the chunks of this span up to the
   calling lane's.  */
template <typename E>
GE_DEVICE_INLINE E
run_before (int span, E end, E run)
{
  const int lane = (int) this_warp ().thread_rank ();
  E before;
  make_identity (&before);
  end = scan_warp (end);
  end = from_lane (end, span > 0 ? span - 1 : 0);
  run = from_lane (run, lane > 0 ? lane - 1 : 0);
  if (span > 0)
    before = end;
  return lane > 0 ? join (run, before) : before;
}

/* --- steps of the recurrence ---

   ROWS gives the elements that the step of row R of a chunk uses:
   ROWS.diagonal (r), ROWS.above (r) and ROWS.below (r), the two off-diagonal
   ones zero in the first step of all.  */

/* wide_raw normalized, also if it is subnormal.  */
template <typename W>
GE_DEVICE_INLINE W
wide_entry_of (W a)
{
  if constexpr (is_wide_pair<W>::value)
    return wide_pair_of (a.re.hi, a.im.hi);
  else
    return wide_entry (a.re.hi);
}

/* Nonzero if x is zero or of modulus between 2^-40 and 2^40.  */
GE_DEVICE_INLINE int
is_moderate (double x)
{
  return x == 0 || upper_word (x) - (983u << 20) <= (80u << 20);
}
GE_DEVICE_INLINE int
is_moderate (ge_wide a)
{
  return is_moderate (a.re.hi);
}
GE_DEVICE_INLINE int
is_moderate (ge_wide_pair a)
{
  return is_moderate (fabs (a.re.hi) > fabs (a.im.hi) ? a.re.hi : a.im.hi);
}

/* Nonzero if every element that COUNT steps use is moderate.  Then
   TDINV_SUBCHUNK steps cannot overflow without exponents.  */
template <typename S>
static __device__ int
is_moderate (const S &rows, int count)
{
  int moderate = 1;
#pragma unroll 1
  for (int r = 0; r < count; r++)
    moderate &= is_moderate (wide_raw (rows.diagonal (r)))
                & is_moderate (wide_raw (rows.above (r)))
                & is_moderate (wide_raw (rows.below (r)));
  return moderate;
}

/* Give x and y a common exponent, the larger mantissa in [1, 2).  */
template <typename W>
GE_DEVICE_INLINE void
share_exponent (W *x, W *y)
{
  int64_t top = x->e > y->e ? x->e : y->e;
  *x = wide_scale (*x, wide_shift (x->e - top));
  *y = wide_scale (*y, wide_shift (y->e - top));
  int64_t k = exponent_of_word (max (upper_word (*x), upper_word (*y)));
  *x = wide_scale (*x, ge_pow2 (-k));
  *y = wide_scale (*y, ge_pow2 (-k));
  x->e = y->e = top + k;
}

/* One step with elements and states of any size.  */
template <typename W>
TDINV_CALLED W
exact_step (W a, W b, W c, W x, W y)
{
  return wide_step (wide_entry_of (a), x,
                    wide_mul (wide_entry_of (b), wide_entry_of (c)), y);
}

/* b c of the mantissas, exactly for reals, and a x - g y.  The same bits as by
   wide_mantissa_mul and wide_mantissa_step, without the products with zero.  */
GE_DEVICE_INLINE ge_wide
short_product (ge_wide b, ge_wide c)
{
  b.re = dd_product (b.re.hi, c.re.hi);
  return b;
}
GE_DEVICE_INLINE ge_wide_pair
short_product (ge_wide_pair b, ge_wide_pair c)
{
  return wide_mantissa_mul (b, c);
}
GE_DEVICE_INLINE ge_wide
short_step (ge_wide a, ge_wide x, ge_wide g, ge_wide y)
{
  const ge_dd p = dd_product (a.re.hi, x.re.hi);
  const ge_dd ax = dd_quick (p.hi, p.lo + a.re.hi * x.re.lo);
  x.re = dd_sub (ax, dd_mul (g.re, y.re));
  return x;
}
GE_DEVICE_INLINE ge_wide_pair
short_step (ge_wide_pair a, ge_wide_pair x, ge_wide_pair g, ge_wide_pair y)
{
  return wide_mantissa_step (a, x, g, y);
}

/* The steps of rows 0 to COUNT - 1 of a chunk, BACKWARD: in descending order,
   for STATES independent states, interleaved to hide latency.  MODERATE:
   is_moderate of these or more rows.  MINOR, if not NULL, receives the minor of
   every row of the first state.  */
template <int STATES, typename S, typename W>
GE_DEVICE_INLINE void
run_steps (const S &rows, int backward, int count, int moderate, W *x, W *y,
           W *minor)
{
  const int step = backward ? -1 : 1;
  int r = backward ? count - 1 : 0;
  for (int begin = 0; moderate && begin < count; begin += TDINV_SUBCHUNK)
    {
      const int end = min (begin + TDINV_SUBCHUNK, count);
      for (int m = 0; m < STATES; m++)
        share_exponent (&x[m], &y[m]);
#pragma unroll 4
      for (int i = begin; i < end; i++, r += step)
        {
          const W a = wide_raw (rows.diagonal (r));
          const W g = short_product (wide_raw (rows.above (r)),
                                     wide_raw (rows.below (r)));
#pragma unroll
          for (int m = 0; m < STATES; m++)
            {
              const W next = short_step (a, x[m], g, y[m]);
              y[m] = x[m];
              x[m] = next;
            }
          if (minor)
            minor[r] = wide_normal (x[0]);
        }
    }
#pragma unroll 1
  for (int i = 0; ! moderate && i < count; i++, r += step)
    {
      const W a = wide_raw (rows.diagonal (r)), b = wide_raw (rows.above (r)),
              c = wide_raw (rows.below (r));
#pragma unroll
      for (int m = 0; m < STATES; m++)
        {
          const W next = exact_step (a, b, c, x[m], y[m]);
          y[m] = x[m];
          x[m] = next;
        }
      if (minor)
        minor[r] = x[0];
    }
  for (int m = 0; moderate && m < STATES; m++)
    {
      x[m] = wide_normal (x[m]);
      y[m] = wide_normal (y[m]);
    }
}

/* The product of the steps of a chunk.  */
template <typename W, typename S>
GE_DEVICE_INLINE run_of_steps<W>
multiply_steps (const S &rows, int backward, int count, int moderate)
{
  const W one = wide_whole (1, W ()), zero = wide_whole (0, W ());
  W x[2] = { one, zero }, y[2] = { zero, one };
  run_of_steps<W> r;
  run_steps<2> (rows, backward, count, moderate, x, y, (W *) NULL);
  share_exponent (&x[0], &y[0]);
  share_exponent (&x[1], &y[1]);
  const int64_t top = max (x[0].e, x[1].e);
  const double f = wide_shift (x[0].e - top), g = wide_shift (x[1].e - top);
  r.x1 = wide_scale (x[0], f);
  r.y1 = wide_scale (y[0], f);
  r.x2 = wide_scale (x[1], g);
  r.y2 = wide_scale (y[1], g);
  r.x1.e = top;
  normalize_run (&r);
  return r;
}

/* The steps of a chunk from the state after the run BEFORE.  */
template <typename W, typename S>
GE_DEVICE_INLINE void
repeat_steps (const S &rows, int backward, int count, int moderate,
              run_of_steps<W> before, W *minor)
{
  W x = wide_normal (before.x1), y = wide_normal (before.y1);
  run_steps<1> (rows, backward, count, moderate, &x, &y, minor);
}

/* Scan element J of the cumulative product of -E; E1 is e(j-1), 0 for j =
   0.  */
template <typename T, typename W>
static __device__ run_of_factors<W>
factor (T e1, int64_t j, W like)
{
  run_of_factors<W> r;
  r.product = wide_neg (wide_entry (e1));
  r.begin = -1;
  if (r.product.e == WIDE_ZERO)
    {
      r.product = wide_whole (1, like);
      r.begin = j;
    }
  return r;
}

/* --- factors of the inverse --- */

/* The factors u, p (of rows) and v, q (of columns) of row j from t = t(j), s =
   s(j+1) and the cumulative products ABOVE and BELOW.  */
template <typename W>
GE_DEVICE_INLINE void
make_factors (W t, W s, W above, W below, W one_over_det, W *u, W *p, W *v,
              W *q)
{
  const W over_above = inverse_of (above), over_below = inverse_of (below);
  *u = wide_mul (t, over_above);
  *p = wide_mul (below, s);
  *v = wide_mul (wide_mul (above, s), one_over_det);
  *q = wide_mul (wide_mul (t, over_below), one_over_det);
}

/* Nonzero where the Wronskian of row j deviates from the determinant: T0, T1 =
   t(j), t(j+1); S1, S2 = s(j+1), s(j+2); B and C, the elements after row j, are
   zero for the last one.  */
template <typename W, typename T>
GE_DEVICE_INLINE int
wronskian_deviates (W t0, W t1, W s1, W s2, T b, T c, W one_over_det)
{
  const W g = product_of (wide_entry (b), wide_entry (c));
  W w = product_of (t1, s1);
  w = wide_add (w, wide_neg (product_of (product_of (g, t0), s2)));
  w = wide_add (product_of (w, one_over_det), wide_whole (-1, W ()));
  return w.e > TDINV_DEVIATION;
}

template <typename R, typename W>
GE_DEVICE_INLINE void
store_mantissa (R *re, R *im, int64_t j, W x)
{
  re[j] = (R) wide_re (x);
  if (im)
    im[j] = (R) wide_im (x);
}

/* Store X as row factor J, with its exponent relative to that of its group of
   rows.  */
template <typename R, typename W>
GE_DEVICE_INLINE void
store_row (const tdinv_row_factor<R> *f, int64_t j, W x, int64_t top)
{
  store_mantissa (f->re, f->im, j, x);
  f->e[j] = (int32_t) max (x.e - top, (int64_t) - (1 << 20));
}

template <typename R, typename W>
GE_DEVICE_INLINE void
store_column (const tdinv_column_factor<R> *f, int64_t j, W x)
{
  store_mantissa (f->re, f->im, j, x);
  f->e[j] = x.e;
}

#endif
