/* Block reflectors of the bulge chasing, see chase_records.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/chase_records.cuh"

#include <cuda_fp16.h>

#include "base/numbers.cuh"

enum
{
  RECORD_THREADS = 128
};

/* The double-precision type, real or complex, that corresponds to T.  */
template <typename T>
using widened
    = std::conditional_t<is_complex<T>::value, cuDoubleComplex, double>;

template <typename T>
GE_DEVICE_INLINE widened<T>
widen (T x)
{
  return make_number<widened<T>> ((double) real_part (x),
                                  (double) imaginary_part (x));
}

/* Set element (R, I) of V', or of -(V T)', in the rows of the window; a zero where the
   record has none.  */
template <int PARTS, typename C>
GE_DEVICE_INLINE void
put (double (&to)[PARTS][8 * CHASE_LD], int r, int i, C x)
{
  const int k = i - r / 8 * 8;
  if (k < 0 || k >= GE_BAND + 8)
    return;
  to[0][chase_place (r % 8, k)] = real_part (x);
  if (PARTS == 2)
    to[PARTS - 1][chase_place (r % 8, k)] = imaginary_part (x);
}
template <int PARTS, typename C>
GE_DEVICE_INLINE void
put_v (chase_record<double, PARTS> *record, int r, int i, C x)
{
  put (record->eight[CHASE_SWEEPS / 8 - 1 - r / 8].v, r, i, x);
}
template <int PARTS, typename C>
GE_DEVICE_INLINE void
put_vt (chase_record<double, PARTS> *record, int r, int i, C x)
{
  put (record->eight[CHASE_SWEEPS / 8 - 1 - r / 8].vt, r, i, x);
}
template <int PARTS, typename C>
GE_DEVICE_INLINE void
put_halves (chase_block<PARTS> &block, int r, int i, C x, double factor)
{
#pragma unroll
  for (int k = 0; k < PARTS; k++)
    {
      const float y
          = (float) (factor * (k == 0 ? real_part (x) : imaginary_part (x)));
      const __half h = __float2half_rn (y);
      block.at[k][0][r % 8][i % 8] = __half_as_ushort (h);
      block.at[k][1][r % 8][i % 8]
          = __half_as_ushort (__float2half_rn (y - __half2float (h)));
    }
}
template <int PARTS, typename C>
GE_DEVICE_INLINE void
put_v (chase_record<float, PARTS> *record, int r, int i, C x)
{
  const int k = i / 8 - r / 8;
  if (k >= 0 && k <= GE_BAND / 8)
    put_halves (record->v[r / 8][k], r, i, x, 1);
}
template <int PARTS, typename C>
GE_DEVICE_INLINE void
put_vt (chase_record<float, PARTS> *record, int r, int i, C x)
{
  const int k = i / 8 - r / 16 * 2;
  const double longer = 1 + 0x1p-24; /* see chase_halves.cuh */
  if (k >= 0 && k <= GE_BAND / 8 + 1)
    put_halves (record->vt[r / 16][k][r / 8 % 2], r, i, x, longer);
}

/* T of every M of the group's reflectors V by xLARFT's recurrence: T (0:j-1, j)
   = -tau_j T (0:j-1, 0:j-1) V (:, 0:j-1)' V (:, j).  Called by the first warp; lane i
   computes row i, with two warp barriers per column.  */
template <int M, typename C>
GE_DEVICE_INLINE void
make_factor (C (*t)[CHASE_SWEEPS + 1], const C *tau, int i)
{
  const ge_warp warp = this_warp ();
  for (int j = i / M * M, k = 0; k < M; j++, k++)
    {
      C sum = zero<C> ();
      for (int l = i; l < j; l++)
        sum = mul_add (t[i][l], t[l][j], sum);
      warp.sync ();
      if (i < j)
        t[i][j] = times (minus (zero<C> (), tau[j]), sum);
      else if (i == j)
        t[i][i] = tau[i];
      warp.sync ();
    }
}

/* One record per thread block: task blockIdx.x of group blockIdx.z of chain
   blockIdx.y.  Shared memory: V, T, tau.  */
template <typename T>
GE_KERNEL (RECORD_THREADS)
record_kernel (chase_plan p, const T *v_all, const T *tau_all,
               chase_record_of<T> *records)
{
  typedef widened<T> C;
  constexpr int HEIGHT = GE_BAND + CHASE_SWEEPS;
  constexpr int M = sizeof (ge_real<T>) == sizeof (double) ? 8 : 16;
  extern __shared__ __align__ (16) unsigned char record_memory[];
  C (*v)[HEIGHT + 1] = (C (*)[HEIGHT + 1]) record_memory;
  C (*t)[CHASE_SWEEPS + 1] = (C (*)[CHASE_SWEEPS + 1]) (v + CHASE_SWEEPS);
  C *tau = (C *) (t + CHASE_SWEEPS);
  const int64_t low = p.first - (int64_t) blockIdx.y * p.chain, k = blockIdx.x;
  const int64_t s0 = (low + blockIdx.z) * CHASE_SWEEPS;
  if (k >= chase_group_tasks (p.n, low))
    return;
  chase_record_of<T> *record
      = records + p.offset[blockIdx.y] + p.chain * (k + 1) - 1 - blockIdx.z;
  const int64_t row0 = ge_chase_row (GE_BAND, s0, k);
  const int x = (int) threadIdx.x;
  for (int e = x; e < CHASE_SWEEPS * HEIGHT; e += RECORD_THREADS)
    {
      const int r = e / HEIGHT, i = e % HEIGHT;
      const int64_t sweep = s0 + r, row = row0 + i;
      C value = zero<C> ();
      if (sweep < ge_chase_sweeps (p.n) && i >= r && i < r + GE_BAND
          && row < p.n)
        value = widen (v_all[ge_chase_offset (p.n, sweep) + row - sweep - 1]);
      v[r][i] = value;
      put_v (record, r, i, value);
    }
  if (x < CHASE_SWEEPS)
    tau[x] = s0 + x < ge_chase_sweeps (p.n)
                     && k < ge_chase_tasks (p.n, GE_BAND, s0 + x)
                 ? widen (tau_all[k + p.most_tasks * (s0 + x)])
                 : zero<C> ();
  __syncthreads ();
  for (int e = x; e < CHASE_SWEEPS * M; e += RECORD_THREADS)
    {
      const int i = e / M, j = i - i % M + e % M;
      C sum = zero<C> ();
      for (int r = j; i < j && r < i + GE_BAND; r++)
        sum = conj_mul_add (v[i][r], v[j][r], sum);
      t[i][j] = sum;
    }
  __syncthreads ();
  if (x < CHASE_SWEEPS)
    make_factor<M> (t, tau, x);
  __syncthreads ();
  for (int e = x; e < CHASE_SWEEPS * HEIGHT; e += RECORD_THREADS)
    {
      const int r = e / HEIGHT, i = e % HEIGHT;
      C sum = zero<C> ();
      for (int j = r - r % M; j <= r; j++)
        sum = mul_add (t[j][r], v[j][i], sum);
      put_vt (record, r, i, minus (zero<C> (), sum));
    }
}

template <typename T>
gpueig_status
ge_cuda_make_records (gpueig_context *ctx, const chase_plan *p, const T *v,
                      const T *tau, chase_record_of<T> *records)
{
  const size_t bytes = (size_t) CHASE_SWEEPS
                       * (GE_BAND + CHASE_SWEEPS + 1 + CHASE_SWEEPS + 1 + 1)
                       * sizeof (widened<T>);
  const int64_t most
      = chase_group_tasks (p->n, p->first - (p->chains - 1) * p->chain);
  GE_ALLOW_SHARED ((record_kernel<T>), bytes);
  GE_LAUNCH ((record_kernel<T>),
             dim3 ((unsigned) most, (unsigned) p->chains, (unsigned) p->chain),
             RECORD_THREADS, bytes, *p, v, tau, records);
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_cuda_make_records)
