/* The kernels of one-sided Jacobi by matrix products, on stacks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A page that is not active gets the identity as factor, so that its basis is
   unchanged to the bit however many steps the other pages need.  Complex pages are
   copied besides: with three real products for a complex one, as cuBLASLt computes
   it, a times 1 is (a + b) - b, rounded twice.  */

#include "onesided/large.cuh"

#include <float.h>

#define THREADS LARGE_THREADS
/* Rotations of at most this angle are small.  */
#define SMALL 0.1
/* No or more than one partner, see onesided_pages.  */
#define NONE -1

/* Nonnegative floats are compared as their bits: NaN is the largest.  */
GE_DEVICE_INLINE int
larger (int bits, float x)
{
  return max (bits, __float_as_int (x) & INT32_MAX);
}

GE_DEVICE_INLINE void
keep_largest (float *to, int bits)
{
  if (bits != 0)
    atomicMax ((int *) to, bits);
}

/* Maximum over the block, in all threads; SCRATCH: one number per warp.  */
GE_DEVICE_INLINE int
block_largest (int bits, int *scratch)
{
  return block_reduce<cooperative_groups::greater<int>> (bits, scratch,
                                                         THREADS / 32);
}

/* G <- (3 I - G) / 2 and the deviation of G from I before.  One block per
   column.  */
template <typename T>
GE_KERNEL (THREADS)
newton_schulz (const onesided_pages<T> p)
{
  __shared__ int scratch[THREADS / 32];
  __shared__ float sums[THREADS / 32];
  const int64_t n = p.n, j = blockIdx.x, page = blockIdx.y;
  const int active = p.active[page];
  T *g = p.g + page * n * n + n * j;
  int deviation = 0;
  float sum = 0;
  for (int64_t i = threadIdx.x; i < n; i += THREADS)
    {
      ge_real<T> one = i == j, re = real_part (g[i]),
                 im = imaginary_part (g[i]);
      float e = (float) (fabs_ (re - one) + fabs_ (im));
      deviation = larger (deviation, e);
      sum += e;
      set_number (&g[i], active ? (3 * one - re) / 2 : one,
                  active ? -im / 2 : 0);
    }
  if (! active)
    return;
  deviation = block_largest (deviation, scratch);
  sum = block_sum (sum, sums, THREADS / 32);
  if (threadIdx.x != 0)
    return;
  keep_largest (&p.found[page].deviation, deviation);
  keep_largest (&p.found[page].norm, larger (0, sum));
}

/* Rayleigh quotients, one thread per column.  */
template <typename T>
static __global__ void
find_diagonals (const onesided_pages<T> p, int rough)
{
  int64_t n = p.n, i = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  int64_t page = blockIdx.y, at = page * n * n + i * (n + 1);
  if (i < n)
    p.d[page * n + i] = real_part (p.x[at]) / (rough ? real_part (p.g[at]) : 1);
}

template <typename T> struct correction
{
  int rough;
  ge_real<T> tol, least;
};

/* Column j of the correction, one block per column.  Pairs with a cosine below
   LEAST, whose inner products are mostly rounding errors, get no rotation, nor
   do pairs that need a large one; if a column has exactly one of the latter,
   the other column is recorded as its partner.  The diagonal includes the
   second-order term X^2 / 2.  Barriers are those of the block reductions.  */
template <typename T>
GE_KERNEL (THREADS)
small_rotations (const onesided_pages<T> p, const correction<T> how)
{
  typedef ge_real<T> real;
  __shared__ int scratch[THREADS / 32];
  __shared__ float sums[THREADS / 32];
  const int64_t n = p.n, j = blockIdx.x, page = blockIdx.y;
  const T *g = p.g + page * n * n + n * j;
  T *x = p.x + page * n * n + n * j;
  const real *d = p.d + page * n, b = d[j];
  const int active = p.active[page];
  const float inverse = 1 / (float) b, tol = (float) how.tol;
  float sum = 0, squares = 0;
  int cosine = 0, easy = 0, hard = 0, deviation = 0, count = 0, partner = NONE;
  for (int64_t i = threadIdx.x; i < n; i += THREADS)
    {
      real one = i == j, er = how.rough ? real_part (g[i]) - one : 0,
           ei = how.rough ? imaginary_part (g[i]) : 0;
      deviation = larger (deviation, (float) (fabs_ (er) + fabs_ (ei)));
      if (i == j || ! active)
        {
          set_number (&x[i], active ? one - er / 2 : one, 0);
          continue;
        }
      real a = d[i], gap = b - a, mean = (a + b) / 2;
      real re = real_part (x[i]) - mean * er,
           im = imaginary_part (x[i]) - mean * ei;
      real size = is_complex<T>::value ? ge_hypot (re, im) : fabs_ (re);
      float c = (float) size * (1 / (float) a + inverse);
      int small = size < (real) SMALL * fabs_ (gap);
      cosine = larger (cosine, c);
      if (! small && c > tol)
        {
          count++;
          partner = (int) i;
          hard = larger (hard, c);
          set_number (&p.s[page * n + j], re, im);
        }
      if (! small || ! (c > (float) how.least))
        re = im = 0;
      else
        {
          real t = 1 / gap;
          float angle = (float) (size * fabs_ (t));
          easy = larger (easy, c > tol ? c : 0);
          sum += angle;
          squares += angle * angle;
          re *= t;
          im *= t;
        }
      set_number (&x[i], re - er / 2, im - ei / 2);
    }
  if (! active)
    return;
  onesided_figures *found = &p.found[page];
  cosine = block_largest (cosine, scratch);
  easy = block_largest (easy, scratch);
  sum = block_sum (sum, sums, THREADS / 32);
  squares = block_sum (squares, sums, THREADS / 32);
  count = block_sum (count, scratch, THREADS / 32);
  if (how.rough)
    deviation = block_largest (deviation, scratch);
  if (count > 0)
    {
      partner = block_sum (partner + 1, scratch, THREADS / 32) - 1;
      hard = block_largest (hard, scratch);
    }
  if (threadIdx.x != 0)
    return;
  set_number (&x[j], real_part (x[j]) - squares / 2, 0);
  p.partner[page * n + j] = count == 1 ? partner : NONE;
  keep_largest (&found->deviation, deviation);
  keep_largest (&found->cosine, cosine);
  keep_largest (&found->easy, easy);
  keep_largest (&found->norm, larger (0, sum));
  if (count > 1)
    keep_largest (&found->hard, hard);
}

/* Pairs of columns that are each other's partner: the exact Jacobi rotation.
   One thread per column, which writes its two elements of X.  */
template <typename T>
static __global__ void
pair_rotations (const onesided_pages<T> p)
{
  typedef ge_real<T> real;
  const int64_t n = p.n, j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  const int64_t page = blockIdx.y;
  if (j >= n || ! p.active[page])
    return;
  const int i = p.partner[page * n + j];
  if (i == NONE)
    return;
  T *x = p.x + page * n * n + n * j, s = p.s[page * n + j];
  real a = p.d[page * n + i], b = p.d[page * n + j], gap = b - a;
  real re = real_part (s), im = imaginary_part (s);
  real size = is_complex<T>::value ? ge_hypot (re, im) : fabs_ (re);
  int c = larger (0, (float) (size * (1 / a + 1 / b)));
  if (p.partner[page * n + i] != j)
    {
      keep_largest (&p.found[page].hard, c);
      return;
    }
  keep_largest (&p.found[page].paired, c);
  real root = ge_hypot (gap, 2 * size);
  real t = 2 / (gap > 0 || (gap == 0 && j > i) ? gap + root : gap - root);
  real h = 1 / sqrt_ (1 + t * t * size * size);
  set_number (&x[i], real_part (x[i]) + re * t * h,
              imaginary_part (x[i]) + im * t * h);
  set_number (&x[j], real_part (x[j]) - (1 - h), 0);
}

/* X <- I in pages that are not active, one block per column.  */
template <typename T> GE_KERNEL (THREADS) stop_pages (const onesided_pages<T> p)
{
  const int64_t n = p.n, j = blockIdx.x, page = blockIdx.y;
  if (! p.active[page])
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
      set_number (&p.x[page * n * n + n * j + i], i == j, 0);
}

template <typename T>
GE_KERNEL (THREADS)
keep_pages (const onesided_pages<T> p, T *to)
{
  const int64_t n = p.n, page = blockIdx.y;
  const int64_t at = page * n * n + n * blockIdx.x;
  if (! p.active[page])
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
      to[at + i] = p.q[at + i];
}

template <typename T>
gpueig_status
onesided_newton_schulz (gpueig_context *ctx, const onesided_pages<T> *p)
{
  GE_LAUNCH (newton_schulz<T>, onesided_columns_of (p), THREADS, 0, *p);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
onesided_rotations (gpueig_context *ctx, const onesided_pages<T> *p,
                    ge_real<T> tol, int rough)
{
  typedef ge_real<T> real;
  const real eps = sizeof (real) == 8 ? (real) DBL_EPSILON : FLT_EPSILON;
  const correction<T> how
      = { rough, tol, tol / 16 > 4 * eps ? tol / 16 : 4 * eps };
  const dim3 elements (ge_blocks (p->n, THREADS), (unsigned) p->pages);
  GE_LAUNCH (find_diagonals<T>, elements, THREADS, 0, *p, rough);
  GE_LAUNCH (small_rotations<T>, onesided_columns_of (p), THREADS, 0, *p, how);
  GE_LAUNCH (pair_rotations<T>, elements, THREADS, 0, *p);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
onesided_stop_pages (gpueig_context *ctx, const onesided_pages<T> *p)
{
  GE_LAUNCH (stop_pages<T>, onesided_columns_of (p), THREADS, 0, *p);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
onesided_keep_pages (gpueig_context *ctx, const onesided_pages<T> *p, T *to)
{
  if (is_complex<T>::value && p->pages > 1)
    GE_LAUNCH (keep_pages<T>, onesided_columns_of (p), THREADS, 0, *p, to);
  return GPUEIG_OK;
}

GE_INSTANTIATE (onesided_newton_schulz)
GE_INSTANTIATE (onesided_rotations)
GE_INSTANTIATE (onesided_stop_pages)
GE_INSTANTIATE (onesided_keep_pages)
