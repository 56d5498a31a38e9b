/* Element-wise Jacobi sweeps on a window in shared memory, by one thread block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_JACOBI_SHARED_CUH
#define GE_JACOBI_SHARED_CUH 1

#include "jacobi/jacobi.cuh"

/* A Hermitian matrix of even order M and its vectors, leading dimensions LD and
   LDV.  Both triangles are stored and are exactly adjoint to each other.  */
template <typename T> struct shared_matrix
{
  int m, ld, ldv, rows; /* rows: of V */
  T *a, *v, *w;         /* w: sine times phase, by pair */
  ge_real<T> *c, *near_p, *near_q;
  int *p, *q, *rotates; /* columns of a pair; nonzero if it rotates */
};

/* Bytes of the arrays by pair: rotations and new diagonal elements.  */
template <typename T>
static __host__ __device__ size_t
shared_games_bytes (int m)
{
  size_t half = (size_t) m / 2;
  return half * (sizeof (T) + 3 * sizeof (ge_real<T>) + 3 * sizeof (int));
}

/* Place S's arrays by pair at AT.  */
template <typename T>
static __device__ void
lay_out_pairs (shared_matrix<T> *s, void *at)
{
  int half = s->m / 2;
  s->w = (T *) at;
  s->c = (ge_real<T> *) (s->w + half);
  s->near_p = s->c + half;
  s->near_q = s->near_p + half;
  s->p = (int *) (s->near_q + half);
  s->q = s->p + half;
  s->rotates = s->q + half;
}

/* Compute the rotations of a round, one pair per thread, of elements that exceed FLOOR.
   Returns, in all threads, whether there is any.  The barrier (__syncthreads_or) orders
   the rotations before their use.  */
template <typename T, typename R>
static __device__ int
shared_rotations (const shared_matrix<T> *s, int round, R floor)
{
  int any = 0, half = s->m / 2;
  for (int k = threadIdx.x; k < half; k += blockDim.x)
    {
      int i, j;
      ge_round_pair (s->m, round, k, &i, &j);
      R a = real_part (s->a[i + s->ld * i]),
        b = real_part (s->a[j + s->ld * j]);
      T g = s->a[i + s->ld * j];
      R c = 1, tg = 0;
      T w = make_number<T> (0, 0);
      const int rotates = square_of (g) > floor * floor;
      if (rotates)
        rotation_of (a, b, g, &c, &w, &tg);
      s->p[k] = i;
      s->q[k] = j;
      s->c[k] = c;
      s->w[k] = w;
      s->near_p[k] = a - tg;
      s->near_q[k] = b + tg;
      s->rotates[k] = rotates;
      any |= rotates;
    }
  return __syncthreads_or (any);
}

/* Apply the rotations of pairs K and L to the tile of rows p_k, q_k and columns
   p_l, q_l, and store its adjoint.  Different (unordered) pairs of pairs have
   disjoint tiles.  */
template <typename T>
static __device__ void
shared_tile (const shared_matrix<T> *s, int k, int l)
{
  T *a = s->a;
  int ld = s->ld, pk = s->p[k], qk = s->q[k], pl = s->p[l], ql = s->q[l];
  if (k == l)
    {
      if (s->rotates[k])
        {
          a[pk + ld * pk] = make_number<T> (s->near_p[k], 0);
          a[qk + ld * qk] = make_number<T> (s->near_q[k], 0);
          a[pk + ld * qk] = a[qk + ld * pk] = make_number<T> (0, 0);
        }
      return;
    }
  T x00 = a[pk + ld * pl], x01 = a[pk + ld * ql];
  T x10 = a[qk + ld * pl], x11 = a[qk + ld * ql];
  rotate_elements (s->c[l], s->w[l], &x00, &x01);
  rotate_elements (s->c[l], s->w[l], &x10, &x11);
  rotate_elements (s->c[k], conjugate (s->w[k]), &x00, &x10);
  rotate_elements (s->c[k], conjugate (s->w[k]), &x01, &x11);
  a[pk + ld * pl] = x00;
  a[pk + ld * ql] = x01;
  a[qk + ld * pl] = x10;
  a[qk + ld * ql] = x11;
  a[pl + ld * pk] = conjugate (x00);
  a[ql + ld * pk] = conjugate (x01);
  a[pl + ld * qk] = conjugate (x10);
  a[ql + ld * qk] = conjugate (x11);
}

/* One sweep, called by all threads of the block.  Per round: a barrier after the rotations are computed, one after they
   are applied.  Returns, in all threads, whether there was a rotation; the
   matrix is complete on return.  */
template <typename T, typename R>
static __device__ int
shared_sweep (const shared_matrix<T> *s, R floor)
{
  int half = s->m / 2, any = 0, rounds = s->m - 1;
  int tiles = half * (half / 2 + 1);
  __syncthreads ();
  for (int round = 0; round < rounds; round++)
    {
      if (! shared_rotations (s, round, floor))
        continue;
      any = 1;
      /* Unordered pairs of pairs: (k, k + d mod half), d up to half / 2.  */
      for (int x = threadIdx.x; x < tiles; x += blockDim.x)
        {
          int d = x / half, k = x - d * half;
          int l = k + d < half ? k + d : k + d - half;
          if (2 * d == half && k >= d)
            continue;
          shared_tile (s, k, l);
        }
      for (int x = threadIdx.x; x < half * s->rows; x += blockDim.x)
        {
          int k = x / s->rows, i = x - k * s->rows;
          if (s->rotates[k])
            rotate_elements (s->c[k], s->w[k], &s->v[i + s->ldv * s->p[k]],
                             &s->v[i + s->ldv * s->q[k]]);
        }
      __syncthreads ();
    }
  return any;
}

#endif
