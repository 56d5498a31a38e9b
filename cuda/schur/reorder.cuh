/* Exchange of neighbouring eigenvalues of a Schur form in shared memory, one
   block of threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Complex: a chain of rotations moves one eigenvalue up.  Each needs one element
   that the one before has changed, in the columns that move; rows and V follow
   when the chain is known.  Rotations as LAPACK's zTREXC.  */

#ifndef GE_SCHUR_REORDER_CUH
#define GE_SCHUR_REORDER_CUH 1

#include "schur/tick.cuh"

template <typename T> struct rotation
{
  typename real_of<T>::type c;
  T s;
};

/* [c s; -s' c] [f; g] = [r; 0] */
template <typename C>
static __device__ __forceinline__ rotation<C>
rotation_to_zero (C f, C g)
{
  typedef typename real_of<C>::type R;
  rotation<C> q;
  R f2 = abs2 (f), g2 = abs2 (g);
  q.c = 1;
  q.s = number<C> (0);
  if (! (fmin (f2, g2) > limits_of<R>::least_fourth ()
         && fmax (f2, g2) < limits_of<R>::largest_fourth ()))
    {
      const R size = fmax (abs1 (f), abs1 (g));
      if (abs1 (g) <= limits_of<R>::least () * size || size == 0)
        return q;
      f = scaled (f, 1 / size);
      g = scaled (g, 1 / size);
      f2 = abs2 (f);
      g2 = abs2 (g);
      if (f2 <= limits_of<R>::least ())
        {
          q.c = 0;
          q.s = scaled (conjugate (g), inverse_root (g2));
          return q;
        }
    }
  /* |f| and hypot (f, g) have the product 1 / y */
  const R y = inverse_root (f2 * (f2 + g2));
  q.c = f2 * y;
  q.s = scaled (times (f, conjugate (g)), y);
  return q;
}

/* Moves the eigenvalue in row FROM of the complex W up to row TO.  CHAIN: space
   for W.n rotations.  All threads; a barrier before anything is read and at the
   end.  */
template <typename C>
static __device__ void
move_up (const window<C> &w, int from, int to, rotation<C> *chain)
{
  const int t = threadIdx.x, ld = w.ld;
  __syncthreads ();
  const C moving = w.h[from + from * ld];
  if (t < 32)
    {
      const lane_tile<32> warp = this_warp ();
      for (int k = from - 1; k >= to; k--)
        {
          const rotation<C> q = rotation_to_zero (
              w.h[k + (k + 1) * ld], minus (moving, w.h[k + k * ld]));
          const C s = conjugate (q.s);
          if (t == 0)
            chain[k] = q;
          for (int i = t; i < k; i += 32)
            {
              const C x = w.h[i + k * ld], y = w.h[i + (k + 1) * ld];
              w.h[i + k * ld] = add_times (scaled (x, q.c), s, y);
              w.h[i + (k + 1) * ld] = sub_conj_times (scaled (y, q.c), s, x);
            }
          warp.sync ();
        }
    }
  __syncthreads ();
  C diagonal = moving;
  if (to + t <= from && t > 0)
    diagonal = w.h[(to + t - 1) * (ld + 1)];
  for (int e = t; e < w.n + w.rows; e += blockDim.x)
    if (e < w.n)
      {
        /* rows k, k + 1 of column e */
        const int first = from - 1 < e - 2 ? from - 1 : e - 2;
        if (first < to)
          continue;
        C *x = &w.h[e * ld], y = x[first + 1];
        for (int k = first; k >= to; k--)
          {
            const rotation<C> q = chain[k];
            const C up = x[k];
            x[k + 1] = sub_conj_times (scaled (y, q.c), q.s, up);
            y = add_times (scaled (up, q.c), q.s, y);
          }
        x[to] = y;
      }
    else
      {
        C *x = &w.v[e - w.n], y = x[from * w.ld_v];
        for (int k = from - 1; k >= to; k--)
          {
            const rotation<C> q = chain[k];
            const C left = x[k * w.ld_v];
            x[(k + 1) * w.ld_v] = sub_times (scaled (y, q.c), q.s, left);
            y = add_conj_times (scaled (left, q.c), q.s, y);
          }
        x[to * w.ld_v] = y;
      }
  __syncthreads ();
  if (to + t <= from)
    w.h[(to + t) * (ld + 1)] = diagonal;
  __syncthreads ();
}

#endif
