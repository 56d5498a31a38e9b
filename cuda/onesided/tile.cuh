/* One-sided Jacobi in registers: the position of a thread in its page, the
   parts of columns that it holds, and reductions over groups and pages.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ONESIDED_TILE_CUH
#define GE_ONESIDED_TILE_CUH 1

#include "onesided/onesided.cuh"

#define WARP 0 /* a value of SPAN, see onesided/registers.cuh */

/* A lane's part of a column: real and imaginary parts; the imaginary part of a
   real type is not stored.  */
template <typename T, int COUNT> struct column
{
  ge_real<T> re[COUNT];
  ge_real<T> im[is_complex<T>::value ? COUNT : 1];
};

/* --- the position of a thread --- */

typedef struct
{
  int lane;    /* within its group */
  int group;   /* of its page */
  int groups;  /* of a page: half the columns, rounded up */
  int local;   /* thread of the page */
  int threads; /* of the page: groups * L */
  int first;   /* SPAN = WARP: lane of the page's first thread */
  int slot;    /* SPAN = WARP: page within the block */
  int active;  /* nonzero: the group has columns */
  int share;   /* threads of the page in one block */
  int rank;    /* block of the page within its cluster */
} thread_position;

/* Sum over the L lanes of a group, the same bits in all of them.  The shuffle
   names the whole warp: all lanes of the warp take part in every sum, also
   those without columns.  */
template <int L, typename R>
GE_DEVICE_INLINE R
group_sum (R x)
{
#pragma unroll
  for (int k = 1; k < L; k *= 2)
    x += this_warp ().shfl_xor (x, k);
  return x;
}

template <int L, typename R>
GE_DEVICE_INLINE R
group_max (R x)
{
#pragma unroll
  for (int k = 1; k < L; k *= 2)
    x = larger_of<R> () (x, this_warp ().shfl_xor (x, k));
  return x;
}

/* Barrier of all threads of a page: a warp, a block or a cluster of SPAN
   blocks.  */
template <int SPAN>
GE_DEVICE_INLINE void
page_barrier (void)
{
  if constexpr (SPAN == WARP)
    this_warp ().sync ();
  else if constexpr (SPAN == 1)
    __syncthreads ();
  else
    {
#if __CUDA_ARCH__ >= 900
      cooperative_groups::this_cluster ().sync ();
#endif
    }
}

/* The address of HERE in block RANK of the page's cluster.  */
template <int SPAN, typename R>
GE_DEVICE_INLINE R *
memory_of (R *here, int rank)
{
#if __CUDA_ARCH__ >= 900
  if constexpr (SPAN > 1)
    return cooperative_groups::this_cluster ().map_shared_rank (here, rank);
#endif
  (void) rank;
  return here;
}

/* Largest value of a page; SCRATCH holds one R per warp of the block and one for
   the block.  */
template <int L, int SPAN, typename R>
GE_DEVICE_INLINE R
page_max (const thread_position *p, R x, R *scratch)
{
  R y = x;
  if constexpr (SPAN == WARP)
    for (int g = 0; g < p->groups; g++)
      y = larger_of<R> () (
          y, this_warp ().shfl (x, (p->first + g * L + p->lane) & 31));
  else
    {
      y = tile_max<32> (y);
      page_barrier<SPAN> ();
      if ((threadIdx.x & 31) == 0)
        scratch[threadIdx.x / 32] = y;
      page_barrier<SPAN> ();
      for (int k = 0; k < SPAN; k++)
        {
          const R *there = memory_of<SPAN> (scratch, k);
          for (int w = 0; w < (int) (blockDim.x + 31) / 32; w++)
            y = larger_of<R> () (y, there[w]);
        }
    }
  return y;
}

/* --- columns --- */

template <typename T, int L, int R>
GE_DEVICE_INLINE void
load_column (const T *a, int n, int j, int lane, int valid, column<T, R> *x)
{
#pragma unroll
  for (int r = 0; r < R; r++)
    {
      int i = r * L + lane;
      x->re[r] = 0;
      if (is_complex<T>::value)
        x->im[r] = 0;
      if (valid && i < n)
        {
          T value = a[i + (int64_t) n * j];
          x->re[r] = real_part (value);
          if (is_complex<T>::value)
            x->im[r] = imaginary_part (value);
        }
    }
}

template <typename T, int R>
GE_DEVICE_INLINE ge_real<T>
squared_length (const column<T, R> *x)
{
  ge_real<T> sum = 0, other = 0;
#pragma unroll
  for (int r = 0; r < R; r++)
    {
      if (r % 2 == 0)
        sum = fma_ (x->re[r], x->re[r], sum);
      else
        other = fma_ (x->re[r], x->re[r], other);
      if (is_complex<T>::value)
        other = fma_ (x->im[r], x->im[r], other);
    }
  return sum + other;
}

/* This lane's part of x'y.  */
template <typename T, int R>
GE_DEVICE_INLINE void
inner_product (const column<T, R> *x, const column<T, R> *y, ge_real<T> *re,
               ge_real<T> *im)
{
  ge_real<T> sr[4] = { 0, 0, 0, 0 }, si[2] = { 0, 0 };
#pragma unroll
  for (int r = 0; r < R; r++)
    {
      sr[r % 4] = fma_ (x->re[r], y->re[r], sr[r % 4]);
      if (is_complex<T>::value)
        {
          sr[(r + 2) % 4] = fma_ (x->im[r], y->im[r], sr[(r + 2) % 4]);
          si[0] = fma_ (x->re[r], y->im[r], si[0]);
          si[1] = fma_ (-x->im[r], y->re[r], si[1]);
        }
    }
  *re = (sr[0] + sr[1]) + (sr[2] + sr[3]);
  *im = si[0] + si[1];
}

/* The rotation x <- x - s (w y + h x), y <- y + s (conj (w) x - h y) with the
   phase w = wr + i wi.  */
template <typename T, int R>
GE_DEVICE_INLINE void
apply_rotation (column<T, R> *x, column<T, R> *y, ge_real<T> h, ge_real<T> s,
                ge_real<T> wr, ge_real<T> wi)
{
  typedef ge_real<T> real;
#pragma unroll
  for (int r = 0; r < R; r++)
    if (is_complex<T>::value)
      {
        real xr = x->re[r], xi = x->im[r], yr = y->re[r], yi = y->im[r];
        real ur = fma_ (h, xr, fma_ (wr, yr, -wi * yi));
        real ui = fma_ (h, xi, fma_ (wr, yi, wi * yr));
        real vr = fma_ (-h, yr, fma_ (wr, xr, wi * xi));
        real vi = fma_ (-h, yi, fma_ (wr, xi, -wi * xr));
        x->re[r] = fma_ (-s, ur, xr);
        x->im[r] = fma_ (-s, ui, xi);
        y->re[r] = fma_ (s, vr, yr);
        y->im[r] = fma_ (s, vi, yi);
      }
    else
      {
        real u = fma_ (h, x->re[r], y->re[r]);
        real v = fma_ (-h, y->re[r], x->re[r]);
        x->re[r] = fma_ (-s, u, x->re[r]);
        y->re[r] = fma_ (s, v, y->re[r]);
      }
}

#endif
