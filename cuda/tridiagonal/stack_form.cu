/* Stacks: Q = H_0 ... H_{n-2} from the reflectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   LANES neighbouring lanes have one column of Q in registers, in pieces of 2 LANES
   rows, two per lane: neighbours, or LANES apart where one number has the 16 bytes
   that a lane loads at once.  The last reflector is applied first; column c, initially
   a unit vector, is not changed by reflectors c and later (xORG2L's order).  STAGED
   reflectors at a time are in shared memory, between two barriers.  */

#include "tridiagonal/stack.cuh"

#include "base/numbers.cuh"

enum
{
  THREADS = 128,
  STAGED = 8, /* reflectors */
  BATCH = 4   /* numbers that a thread loads at once */
};

template <typename T> struct alignas (2 * sizeof (T)) form_pair
{
  T x, y;
};

/* The row of a lane's first (K = 0) or second number in piece P.  */
template <typename T, int LANES>
GE_DEVICE_INLINE int
form_row (int p, int lane, int k)
{
  return sizeof (T) == 16 ? (2 * p + k) * LANES + lane
                          : 2 * (p * LANES + lane) + k;
}

template <typename T, int LANES>
GE_DEVICE_INLINE form_pair<T>
load_pair (const T *v, int p, int lane)
{
  if constexpr (sizeof (T) == 16)
    return { v[form_row<T, LANES> (p, lane, 0)],
             v[form_row<T, LANES> (p, lane, 1)] };
  else
    return ((const form_pair<T> *) v)[p * LANES + lane];
}

template <typename T> struct form_arguments
{
  int n, chunks; /* blocks per page */
  const T *a, *tau;
  T *q;
};

/* z -= tau v (v^H z), the rows above J + 1 are zero in V.  */
template <typename T, int LANES, int PIECES>
GE_DEVICE_INLINE void
reflect (const T *v, T tau, int j, int lane, form_pair<T> *z)
{
  const ge_warp warp = this_warp ();
  T s = zero<T> (), s2 = zero<T> ();
#pragma unroll
  for (int p0 = 0; p0 < PIECES; p0 += 4)
    if ((p0 + 4) * 2 * LANES > j + 1)
#pragma unroll
      for (int p = p0; p < p0 + 4; p++)
        {
          const form_pair<T> x = load_pair<T, LANES> (v, p, lane);
          s = conj_mul_add (x.x, z[p].x, s);
          s2 = conj_mul_add (x.y, z[p].y, s2);
        }
  s = times (tau, warp_sum<LANES> (warp, plus (s, s2)));
#pragma unroll
  for (int p0 = 0; p0 < PIECES; p0 += 4)
    if ((p0 + 4) * 2 * LANES > j + 1)
#pragma unroll
      for (int p = p0; p < p0 + 4; p++)
        {
          const form_pair<T> x = load_pair<T, LANES> (v, p, lane);
          z[p].x = mul_sub (x.x, s, z[p].x);
          z[p].y = mul_sub (x.y, s, z[p].y);
        }
}

template <typename T, int LANES, int PIECES>
GE_KERNEL (THREADS)
form_kernel (form_arguments<T> q)
{
  constexpr int ROWS = 2 * LANES * PIECES, COLUMNS = THREADS / LANES;
  __shared__ form_pair<T> staged[STAGED * ROWS / 2];
  __shared__ T staged_tau[STAGED];
  T *const vectors = (T *) staged;
  const int n = q.n, lane = threadIdx.x % LANES;
  const int64_t at = blockIdx.x / q.chunks;
  const int column
      = (int) (blockIdx.x % q.chunks) * COLUMNS + threadIdx.x / LANES;
  const int block_end = min (n, (int) (blockIdx.x % q.chunks + 1) * COLUMNS);
  /* The last column of this warp.  */
  const int warp_end
      = column - (int) (threadIdx.x % 32) / LANES + 32 / LANES - 1;
  const T *const a = q.a + at * n * n, *const tau = q.tau + at * n;
  form_pair<T> z[PIECES];
#pragma unroll
  for (int p = 0; p < PIECES; p++)
    {
      z[p].x = make_number<T> (form_row<T, LANES> (p, lane, 0) == column, 0);
      z[p].y = make_number<T> (form_row<T, LANES> (p, lane, 1) == column, 0);
    }
  /* Reflector j changes columns after j only.  */
  for (int end = min (n - 1, block_end - 1); end > 0; end -= STAGED)
    {
      const int begin = max (0, end - STAGED);
      __syncthreads ();
#pragma unroll
      for (int k0 = 0; k0 < STAGED * ROWS; k0 += BATCH * THREADS)
        {
          /* all loads before the stores */
          T x[BATCH];
#pragma unroll
          for (int k = 0; k < BATCH; k++)
            {
              const int place = k0 + k * THREADS + threadIdx.x;
              const int j = begin + place / ROWS, row = place % ROWS;
              x[k]
                  = j < end && row > j && row < n ? a[row + j * n] : zero<T> ();
            }
#pragma unroll
          for (int k = 0; k < BATCH; k++)
            vectors[k0 + k * THREADS + threadIdx.x] = x[k];
        }
      if (threadIdx.x < end - begin)
        staged_tau[threadIdx.x] = tau[begin + threadIdx.x];
      __syncthreads ();
      for (int j = end - 1; j >= begin; j--)
        if (j < warp_end)
          reflect<T, LANES, PIECES> (vectors + (j - begin) * ROWS,
                                     staged_tau[j - begin], j, lane, z);
    }
  if (column < n)
    {
      T *const v = q.q + (at * n + column) * n;
#pragma unroll
      for (int p = 0; p < PIECES; p++)
        {
          const int row = form_row<T, LANES> (p, lane, 0);
          const int other = form_row<T, LANES> (p, lane, 1);
          if (row < n)
            v[row] = z[p].x;
          if (other < n)
            v[other] = z[p].y;
        }
    }
}

template <typename T, int LANES, int PIECES>
static gpueig_status
launch_form (gpueig_context *ctx, const ge_stack<T> *s)
{
  const int columns = THREADS / LANES;
  const form_arguments<T> q
      = { s->n, (s->n + columns - 1) / columns, s->a, s->tau, s->q };
  GE_TRY (ge_one_launch (ctx, s->pages * q.chunks, s->pages));
  GE_LAUNCH ((form_kernel<T, LANES, PIECES>), (unsigned) (s->pages * q.chunks),
             THREADS, 0, q);
  return GPUEIG_OK;
}

/* 32 numbers per lane, 16 double complex ones: 64 registers at most.  */
template <typename T>
gpueig_status
ge_stack_form (gpueig_context *ctx, const ge_stack<T> *s)
{
  constexpr int PIECES = sizeof (T) == 16 ? 8 : 16, LANES = 32 / PIECES;
  if constexpr (sizeof (ge_real<T>) == 4)
    if (s->n > GE_STACK_ORDER)
      return launch_form<T, 8 * LANES, PIECES> (ctx, s);
  return launch_form<T, 4 * LANES, PIECES> (ctx, s);
}

GE_INSTANTIATE (ge_stack_form)
