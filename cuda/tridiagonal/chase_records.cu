/* Block reflectors of the bulge chasing, see chase_records.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/chase_records.cuh"

#include "base/numbers.cuh"

enum
{
  RECORD_THREADS = 128
};

/* The double-precision type, real or complex, that corresponds to T.  */
template <typename T> struct widened
{
  typedef double type;
};
template <> struct widened<cuComplex>
{
  typedef cuDoubleComplex type;
};
template <> struct widened<cuDoubleComplex>
{
  typedef cuDoubleComplex type;
};

template <typename T>
GE_DEVICE_INLINE typename widened<T>::type
widen (T x)
{
  return make_number<typename widened<T>::type> ((double) real_part (x),
                                                 (double) imaginary_part (x));
}

template <int PARTS, typename C>
GE_DEVICE_INLINE void
put_parts (double *re, double *im, int at, C x)
{
  re[at] = real_part (x);
  if (PARTS == 2)
    im[at] = imaginary_part (x);
}

/* T of every eight of the group's reflectors V by xLARFT's recurrence: T (0:j-1, j)
   = -tau_j T (0:j-1, 0:j-1) V (:, 0:j-1)' V (:, j).  Called by the first warp; lane i
   computes row i, with two warp barriers per column.  */
template <typename C>
GE_DEVICE_INLINE void
make_factor (C (*t)[CHASE_SWEEPS + 1], const C *tau, int i)
{
  const ge_warp warp = this_warp ();
  for (int j = i / CHASE_LD_T * CHASE_LD_T, k = 0; k < CHASE_LD_T; j++, k++)
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
template <typename T, int B>
GE_KERNEL (RECORD_THREADS)
record_kernel (chase_plan p, const T *v_all, const T *tau_all,
               chase_record<B, 1 + is_complex<T>::value> *records)
{
  typedef typename widened<T>::type C;
  constexpr int PARTS = 1 + is_complex<T>::value, HEIGHT = B + CHASE_SWEEPS;
  extern __shared__ __align__ (16) unsigned char record_memory[];
  C (*v)[HEIGHT + 1] = (C (*)[HEIGHT + 1]) record_memory;
  C (*t)[CHASE_SWEEPS + 1] = (C (*)[CHASE_SWEEPS + 1]) (v + CHASE_SWEEPS);
  C *tau = (C *) (t + CHASE_SWEEPS);
  const int64_t low = p.first - (int64_t) blockIdx.y * p.chain, k = blockIdx.x;
  const int64_t group = low + blockIdx.z, s0 = group * CHASE_SWEEPS;
  if (k >= chase_group_tasks (p.n, B, group))
    return;
  int64_t place = p.offset[blockIdx.y];
  for (int64_t c = 0; c < p.chain; c++)
    {
      const int64_t tasks = chase_group_tasks (p.n, B, low + c);
      place += k < tasks ? k : tasks;
      place += c > blockIdx.z && k < tasks;
    }
  chase_record<B, PARTS> *record = records + place;
  const int64_t row0 = ge_chase_row (B, s0, k);
  const int x = (int) threadIdx.x;
  for (int e = x; e < CHASE_SWEEPS * HEIGHT; e += RECORD_THREADS)
    {
      const int r = e / HEIGHT, i = e % HEIGHT;
      const int64_t sweep = s0 + r, row = row0 + i;
      C value = zero<C> ();
      if (sweep < ge_chase_sweeps (p.n) && i >= r && i < r + B && row < p.n)
        value = widen (v_all[ge_chase_offset (p.n, sweep) + row - sweep - 1]);
      v[r][i] = value;
      put_parts<PARTS> (record->v[0], record->v[PARTS - 1],
                        chase_place<B> (r, i), value);
    }
  if (x < CHASE_SWEEPS)
    tau[x]
        = s0 + x < ge_chase_sweeps (p.n) && k < ge_chase_tasks (p.n, B, s0 + x)
              ? widen (tau_all[k + p.most_tasks * (s0 + x)])
              : zero<C> ();
  __syncthreads ();
  for (int e = x; e < CHASE_SWEEPS * CHASE_LD_T; e += RECORD_THREADS)
    {
      const int i = e / CHASE_LD_T, j = i - i % CHASE_LD_T + e % CHASE_LD_T;
      C sum = zero<C> ();
      for (int r = j; i < j && r < i + B; r++)
        sum = conj_mul_add (v[i][r], v[j][r], sum);
      t[i][j] = sum;
    }
  __syncthreads ();
  if (x < CHASE_SWEEPS)
    make_factor (t, tau, x);
  __syncthreads ();
  for (int e = x; e < CHASE_SWEEPS * CHASE_LD_T; e += RECORD_THREADS)
    {
      const int i = e / CHASE_LD_T, j = i - i % CHASE_LD_T + e % CHASE_LD_T;
      const C value = j <= i ? minus (zero<C> (), t[j][i]) : zero<C> ();
      put_parts<PARTS> (record->t[0], record->t[PARTS - 1], e, value);
    }
}

template <typename T, int B>
gpueig_status
ge_cuda_make_records (gpueig_context *ctx, const chase_plan *p, const T *v,
                      const T *tau,
                      chase_record<B, 1 + is_complex<T>::value> *records)
{
  const size_t bytes = (size_t) CHASE_SWEEPS
                       * (B + CHASE_SWEEPS + 1 + CHASE_SWEEPS + 1 + 1)
                       * sizeof (typename widened<T>::type);
  const int64_t most
      = chase_group_tasks (p->n, B, p->first - (p->chains - 1) * p->chain);
  GE_ALLOW_SHARED ((record_kernel<T, B>), bytes);
  GE_LAUNCH ((record_kernel<T, B>),
             dim3 ((unsigned) most, (unsigned) p->chains, (unsigned) p->chain),
             RECORD_THREADS, bytes, *p, v, tau, records);
  return GPUEIG_OK;
}

#define INSTANTIATE(T, B)                                                      \
  template gpueig_status ge_cuda_make_records<T, B> (                          \
      gpueig_context *, const chase_plan *, const T *, const T *,              \
      chase_record<B, 1 + is_complex<T>::value> *);
INSTANTIATE (float, 32)
INSTANTIATE (double, 32)
INSTANTIATE (cuComplex, 32)
INSTANTIATE (cuDoubleComplex, 32)
