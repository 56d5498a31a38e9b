/* Aggressive early deflation in one block of threads: the Schur form of a window
   at the bottom of the active block, deflations, and the way back to Hessenberg
   form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   K. Braman, R. Byers, R. Mathias, The multishift QR algorithm II, 2002; LAPACK's
   xLAQR3.  */

#ifndef GE_SCHUR_DEFLATION_CUH
#define GE_SCHUR_DEFLATION_CUH 1

#include "schur/reorder.cuh"
#include "schur/sums.cuh"

/* What a block of threads shares for it.  */
template <typename T> struct deflation
{
  window<T> w;
  rotation<typename complex_of<T>::type> chain[GE_WINDOW_ORDER];
  T x[GE_WINDOW_ORDER]; /* a long reflector */
  T tau, beta;
  int undeflated, shifts;
};

/* --- long reflectors --- */

/* D.x, of LENGTH elements, becomes v of I - tau v v', which maps it to beta e1.
   One warp.  */
template <typename T>
static __device__ void
make_long_reflector (deflation<T> &d, int length, int lane)
{
  typedef typename real_of<T>::type R;
  const lane_tile<32> warp = this_warp ();
  const T x0 = d.x[0];
  R rest = 0;
  for (int i = 1 + lane; i < length; i += 32)
    rest = fmax (rest, abs1 (d.x[i]));
  rest = tile_max<32> (rest);
  const R size = fmax (rest, abs1 (x0));
  if (rest == 0 || size <= limits_of<R>::least ())
    {
      warp.sync ();
      for (int i = lane; i < length; i += 32)
        d.x[i] = number<T> (i == 0);
      if (lane == 0)
        {
          d.tau = number<T> (0);
          d.beta = x0;
        }
      return;
    }
  const R f = 1 / size;
  R sum = 0;
  for (int i = lane; i < length; i += 32)
    sum += abs2 (scaled (d.x[i], f));
  const R norm = sqrt (tile_sum<32> (sum));
  const T y = scaled (x0, f);
  const R beta = re_of (y) >= 0 ? -norm : norm;
  const T g = divide (number<T> (1), minus (y, number<T> (beta)));
  warp.sync ();
  for (int i = lane; i < length; i += 32)
    d.x[i] = i == 0 ? number<T> (1) : times (scaled (d.x[i], f), g);
  if (lane == 0)
    {
      d.tau = number<T> ((beta - re_of (y)) / beta, -im_of (y) / beta);
      d.beta = number<T> (beta * size);
    }
}

/* The reflector in rows FIRST .. FIRST + LENGTH - 1: of columns C0 .. n - 1 from
   the left; from the right of rows 0 .. ROWS - 1 of H and of all of V.  All
   threads, with a barrier at the end.  */
template <typename T>
static __device__ void
apply_long_reflector (deflation<T> &d, int first, int length, int c0, int rows)
{
  const window<T> &w = d.w;
  const int t = threadIdx.x, warps = GE_WINDOW_THREADS / 32;
  const T tau = conjugate (d.tau);
  for (int j = c0 + t / 32; j < w.n; j += warps)
    {
      T *x = &w.h[first + j * w.ld], s = number<T> (0);
      for (int i = t % 32; i < length; i += 32)
        s = add_conj_times (s, d.x[i], x[i]);
      s = times (tau, sum_over<32> (s));
      for (int i = t % 32; i < length; i += 32)
        x[i] = sub_times (x[i], s, d.x[i]);
    }
  __syncthreads ();
  for (int i = t / 4; i < rows + w.rows; i += GE_WINDOW_THREADS / 4)
    {
      const int ld = i < rows ? w.ld : w.ld_v;
      T *x = i < rows ? &w.h[i + first * ld] : &w.v[i - rows + first * ld];
      T s = number<T> (0);
      for (int j = t % 4; j < length; j += 4)
        s = add_times (s, x[j * ld], d.x[j]);
      s = times (d.tau, sum_over<4> (s));
      for (int j = t % 4; j < length; j += 4)
        x[j * ld] = sub_conj_times (x[j * ld], d.x[j], s);
    }
  __syncthreads ();
}

/* --- deflations --- */

/* Deflate what the spike S * V (0, :) allows: D.undeflated eigenvalues are left,
   at the top.  Each that cannot be deflated is moved up, and the next is
   tried.  */
template <typename C>
static __device__ void
deflate (deflation<C> &d, C s)
{
  typedef typename real_of<C>::type R;
  const window<C> &w = d.w;
  const R eps = limits_of<R>::eps ();
  const R least = limits_of<R>::least ();
  int left = w.n, kept = 0;
  while (kept < left)
    {
      R size = abs1 (w.h[(left - 1) * (w.ld + 1)]);
      size = size == 0 ? abs1 (s) : size;
      const R spike = abs1 (s) * abs1 (w.v[(left - 1) * w.ld_v]);
      if (spike <= fmax (least, eps * size))
        left--;
      else
        {
          if (left - 1 > kept)
            move_up (w, left - 1, kept, d.chain);
          kept++;
        }
    }
  /* In descending order, which serves graded matrices.  */
  if (left < w.n)
    for (int i = 0; i < left - 1; i++)
      {
        int at = i;
        for (int j = i + 1; j < left; j++)
          if (abs1 (w.h[j * (w.ld + 1)]) > abs1 (w.h[at * (w.ld + 1)]))
            at = j;
        if (at > i)
          move_up (w, at, i, d.chain);
      }
  __syncthreads ();
  if (threadIdx.x == 0)
    d.undeflated = left;
  __syncthreads ();
}

template <typename R>
static __device__ void
deflate_real (deflation<R> &d, R s)
{
  const window<R> &w = d.w;
  const R eps = limits_of<R>::eps (), least = limits_of<R>::least ();
  int left = w.n;
  while (left > 0)
    {
      const int k = left - 1;
      const int pair = k > 0 && w.h[k + (k - 1) * w.ld] != 0;
      R size = fabs (w.h[k * (w.ld + 1)]);
      R spike = fabs (s * w.v[k * w.ld_v]);
      if (pair)
        {
          size += sqrt (fabs (w.h[k + (k - 1) * w.ld]))
                  * sqrt (fabs (w.h[k - 1 + k * w.ld]));
          spike = fmax (spike, fabs (s * w.v[(k - 1) * w.ld_v]));
        }
      size = size == 0 ? fabs (s) : size;
      if (spike > fmax (least, eps * size))
        break;
      left -= 1 + pair;
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    d.undeflated = left;
  __syncthreads ();
}
static __device__ __forceinline__ void
deflate (deflation<float> &d, float s)
{
  deflate_real (d, s);
}
static __device__ __forceinline__ void
deflate (deflation<double> &d, double s)
{
  deflate_real (d, s);
}

/* --- shifts --- */

/* The undeflated eigenvalues as shifts, two for each bulge: their number, which is
   even.  One thread.  */
template <typename C>
static __device__ int
list_shifts (const window<C> &w, int count, C *shifts)
{
  const int odd = count % 2;
  for (int i = odd; i < count; i++)
    shifts[i - odd] = w.h[i * (w.ld + 1)];
  return count - odd;
}
template <typename R, typename C>
static __device__ int
list_real_shifts (const window<R> &w, int count, C *shifts)
{
  int made = 0;
  for (int real = 0; real < 2; real++)
    for (int i = 0; i < count; i++)
      {
        const int pair = i + 1 < count && w.h[i + 1 + i * w.ld] != 0;
        const R x = w.h[i * (w.ld + 1)];
        if (pair && ! real)
          {
            const R y = sqrt (fabs (w.h[i + 1 + i * w.ld]))
                        * sqrt (fabs (w.h[i + (i + 1) * w.ld]));
            shifts[made++] = number<C> (x, y);
            shifts[made++] = number<C> (x, -y);
          }
        else if (! pair && real)
          shifts[made++] = number<C> (x, 0);
        i += pair;
      }
  return made - made % 2;
}
static __device__ __forceinline__ int
list_shifts (const window<float> &w, int count, cuComplex *shifts)
{
  return list_real_shifts (w, count, shifts);
}
static __device__ __forceinline__ int
list_shifts (const window<double> &w, int count, cuDoubleComplex *shifts)
{
  return list_real_shifts (w, count, shifts);
}

/* Hessenberg form of the leading LEFT rows and columns after the spike was
   reflected to its first element.  */
template <typename T>
static __device__ void
restore_hessenberg (deflation<T> &d, int left)
{
  const window<T> &w = d.w;
  const int t = threadIdx.x;
  if (t < left)
    d.x[t] = conjugate (w.v[t * w.ld_v]);
  __syncthreads ();
  if (t < 32)
    make_long_reflector (d, left, t);
  __syncthreads ();
  apply_long_reflector (d, 0, left, 0, left);
  for (int c = 0; c + 2 < left; c++)
    {
      const int length = left - c - 1;
      if (t < length)
        d.x[t] = w.h[c + 1 + t + c * w.ld];
      __syncthreads ();
      if (t < 32)
        make_long_reflector (d, length, t);
      __syncthreads ();
      if (t < length)
        w.h[c + 1 + t + c * w.ld] = t == 0 ? d.beta : number<T> (0);
      apply_long_reflector (d, c + 1, length, c + 1, left);
    }
}

#endif
