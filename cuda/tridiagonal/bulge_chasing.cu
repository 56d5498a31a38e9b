/* Reduction of a band to tridiagonal form, see bulge_chasing.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/bulge_chasing.cuh"

#include "tridiagonal/householder.cuh"
#include "base/numbers.cuh"
#include "tridiagonal/band_reduction.cuh"
#include "tridiagonal/schedule.h"
#include "tridiagonal/tridiagonal.cuh"

/* Sweeps per launch: some tenths of a second at order 65536.  */
enum
{
  SWEEPS_AT_ONCE = 16384
};

template <typename T> struct chase
{
  int64_t n, most_tasks;
  int64_t begin, end; /* sweeps */
  T *band;
  int *done; /* number of finished tasks of each sweep, cleared before */
  T *v, *tau;
};

/* --- flags between sweeps --- */

GE_DEVICE_INLINE int
read_flag (const int *flag)
{
  int value;
  asm volatile("ld.acquire.gpu.global.b32 %0, [%1];"
               : "=r"(value)
               : "l"(flag)
               : "memory");
  return value;
}
GE_DEVICE_INLINE void
set_flag (int *flag, int value)
{
  asm volatile("st.release.gpu.global.b32 [%0], %1;" ::"l"(flag), "r"(value)
               : "memory");
}

/* --- a task ---

   A thread has rows lane + 32 h and columns wid + WARPS m of both b-by-b blocks, in
   registers; they are padded with zeros at the end of the matrix.  */

template <typename T, int B, int WARPS> struct chase_shared
{
  T parts[WARPS][B + 1]; /* of the block times the previous v, by warps */
  T first[B];            /* the first column of the block below the diagonal */
  T v[2][B];             /* of this task and the one before, alternating */
  T y[B];
};

template <typename T, int B, int WARPS> struct chase_task
{
  enum
  {
    COLUMNS = B / WARPS,
    ROWS = B / 32
  };
  int64_t row, column; /* first row, and first column below the diagonal */
  int rows;
  T below[COLUMNS][ROWS], diagonal[COLUMNS][ROWS];
  T v[ROWS], tau;
};

#define CHASE_TEMPLATE template <typename T, int B, int WARPS>
#define CHASE_TASK chase_task<T, B, WARPS>
#define CHASE_SHARED chase_shared<T, B, WARPS>

/* Element (i, j), i >= j, of the band.  It is accessed by __ldcg and __stcg,
   since other multiprocessors write it and L1 is not coherent.  */
template <int B, typename T>
GE_DEVICE_INLINE T *
band_element (T *band, int64_t i, int64_t j)
{
  return band + 2 * B * j + (i - j);
}

CHASE_TEMPLATE
GE_DEVICE_INLINE void
load_blocks (CHASE_TASK &x, T *band, int k, int lane, int wid)
{
#pragma unroll
  for (int m = 0; m < CHASE_TASK::COLUMNS; m++)
#pragma unroll
    for (int h = 0; h < CHASE_TASK::ROWS; h++)
      {
        const int r = lane + 32 * h, q = wid + WARPS * m;
        x.below[m][h] = x.diagonal[m][h] = zero<T> ();
        if (k > 0 && r < x.rows)
          x.below[m][h]
              = __ldcg (band_element<B> (band, x.row + r, x.column + q));
        if (r < x.rows && q < x.rows)
          {
            const int low = r > q ? r : q, high = r > q ? q : r;
            const T d
                = __ldcg (band_element<B> (band, x.row + low, x.row + high));
            x.diagonal[m][h] = r < q ? conjugate (d) : d;
          }
      }
}

/* Apply H of the task before from the right to the block below the diagonal;
   FIRST is its first column then.  One barrier, between the partial sums of the
   warps and their use.  */
CHASE_TEMPLATE
GE_DEVICE_INLINE void
apply_right (CHASE_TASK &x, CHASE_SHARED &s, const T *v0, T tau0,
             T (&first)[B / 32], int lane, int wid)
{
#pragma unroll
  for (int h = 0; h < CHASE_TASK::ROWS; h++)
    {
      T sum = zero<T> ();
#pragma unroll
      for (int m = 0; m < CHASE_TASK::COLUMNS; m++)
        sum = mul_add (x.below[m][h], v0[wid + WARPS * m], sum);
      s.parts[wid][lane + 32 * h] = sum;
      if (wid == 0)
        s.first[lane + 32 * h] = x.below[0][h];
    }
  __syncthreads ();
  T u[CHASE_TASK::ROWS];
#pragma unroll
  for (int h = 0; h < CHASE_TASK::ROWS; h++)
    {
      T sum = zero<T> ();
#pragma unroll
      for (int w = 0; w < WARPS; w++)
        sum = plus (sum, s.parts[w][lane + 32 * h]);
      u[h] = times (sum, tau0);
      first[h] = mul_conj_sub (u[h], v0[0], s.first[lane + 32 * h]);
    }
#pragma unroll
  for (int m = 0; m < CHASE_TASK::COLUMNS; m++)
#pragma unroll
    for (int h = 0; h < CHASE_TASK::ROWS; h++)
      x.below[m][h] = mul_conj_sub (u[h], v0[wid + WARPS * m], x.below[m][h]);
}

/* The reflector of the column FIRST, computed by every warp; returns beta.  */
CHASE_TEMPLATE
GE_DEVICE_INLINE typename real_of<T>::type
make_reflector (CHASE_TASK &x, const ge_warp &warp, const T (&first)[B / 32])
{
  typedef typename real_of<T>::type R;
  const int lane = (int) warp.thread_rank ();
  R squares = 0;
#pragma unroll
  for (int h = 0; h < CHASE_TASK::ROWS; h++)
    if (lane + 32 * h > 0)
      squares = add_square (first[h], squares);
  squares = warp_sum (warp, squares);
  const T alpha = shuffle_from (warp, first[0], 0);
  const auto r
      = ge_make_reflector (real_part (alpha), imaginary_part (alpha), squares);
  const T scale = make_number<T> (r.scale_re, r.scale_im);
  x.tau = make_number<T> (r.tau_re, r.tau_im);
#pragma unroll
  for (int h = 0; h < CHASE_TASK::ROWS; h++)
    x.v[h] = lane + 32 * h > 0 ? times (first[h], scale)
                               : make_number<T> (r.tau_re != 0, 0);
  return r.beta;
}

/* v' X for the b-by-b block X: lanes 8 q to 8 q + 7 get the element of column
   M0 + q.  */
CHASE_TEMPLATE
GE_DEVICE_INLINE T
multiply_left (const CHASE_TASK &x, const ge_warp &warp,
               const T (&block)[B / WARPS][B / 32], int m0)
{
  T sum[4];
#pragma unroll
  for (int q = 0; q < 4; q++)
    {
      sum[q] = zero<T> ();
#pragma unroll
      for (int h = 0; h < CHASE_TASK::ROWS; h++)
        sum[q] = conj_mul_add (x.v[h], block[m0 + q][h], sum[q]);
    }
  return warp_sum_of_four (warp, sum);
}

/* Apply H' from the left to the block below the diagonal, and store it.  */
CHASE_TEMPLATE
GE_DEVICE_INLINE void
apply_left (const CHASE_TASK &x, const ge_warp &warp, T *band,
            typename real_of<T>::type beta, int wid)
{
  const int lane = (int) warp.thread_rank ();
  T f[CHASE_TASK::COLUMNS];
#pragma unroll
  for (int m = 0; m < CHASE_TASK::COLUMNS; m += 4)
    {
      const T z = times (conjugate (x.tau),
                         multiply_left<T, B, WARPS> (x, warp, x.below, m));
#pragma unroll
      for (int q = 0; q < 4; q++)
        f[m + q] = shuffle_from (warp, z, 8 * q);
    }
#pragma unroll
  for (int m = 0; m < CHASE_TASK::COLUMNS; m++)
#pragma unroll
    for (int h = 0; h < CHASE_TASK::ROWS; h++)
      {
        const int r = lane + 32 * h, q = wid + WARPS * m;
        T value = mul_sub (x.v[h], f[m], x.below[m][h]);
        if (q == 0)
          value = make_number<T> (r == 0 ? beta : 0, 0);
        if (r < x.rows)
          __stcg (band_element<B> (band, x.row + r, x.column + q), value);
      }
}

/* H' D H of the diagonal block D with y = D v; its lower triangle is
   stored.  */
CHASE_TEMPLATE
GE_DEVICE_INLINE void
apply_both (const CHASE_TASK &x, const CHASE_SHARED &s, const ge_warp &warp,
            T *band, const T *v, int wid)
{
  typedef typename real_of<T>::type R;
  const int lane = (int) warp.thread_rank ();
  T y[CHASE_TASK::ROWS], dot = zero<T> ();
#pragma unroll
  for (int h = 0; h < CHASE_TASK::ROWS; h++)
    {
      y[h] = s.y[lane + 32 * h];
      dot = conj_mul_add (x.v[h], y[h], dot);
    }
  dot = warp_sum (warp, dot);
  const R half = add_square (x.tau, (R) 0) * real_part (dot) / 2;
  const T minus_half = make_number<T> (-half, 0);
  T w[CHASE_TASK::ROWS];
#pragma unroll
  for (int h = 0; h < CHASE_TASK::ROWS; h++)
    w[h] = mul_add (x.tau, y[h], times (minus_half, x.v[h]));
#pragma unroll
  for (int m = 0; m < CHASE_TASK::COLUMNS; m++)
    {
      const int q = wid + WARPS * m;
      const T vq = v[q], wq = mul_add (x.tau, s.y[q], times (minus_half, vq));
#pragma unroll
      for (int h = 0; h < CHASE_TASK::ROWS; h++)
        {
          const int r = lane + 32 * h;
          T value = mul_conj_sub (w[h], vq,
                                  mul_conj_sub (x.v[h], wq, x.diagonal[m][h]));
          if (r == q)
            value = make_number<T> (real_part (value), 0);
          if (r < x.rows && q <= r)
            __stcg (band_element<B> (band, x.row + r, x.row + q), value);
        }
    }
}

/* Task K of SWEEP; TAU0: tau of the task before.  Returns tau.  Two barriers, in
   apply_right and after y and v are in shared memory.  */
CHASE_TEMPLATE
GE_DEVICE_INLINE T
run_task (const chase<T> &p, CHASE_SHARED &s, const ge_warp &warp,
          int64_t sweep, int k, T tau0)
{
  const int lane = (int) warp.thread_rank (), wid = (int) threadIdx.x / 32;
  const T *v0 = s.v[(k & 1) ^ 1];
  T *v = s.v[k & 1];
  CHASE_TASK x;
  T first[CHASE_TASK::ROWS];
  x.row = ge_chase_row (B, sweep, k);
  x.column = k > 0 ? x.row - B : sweep;
  x.rows = (int) ge_chase_length (p.n, B, sweep, k);
  load_blocks (x, p.band, k, lane, wid);
  if (k > 0)
    apply_right (x, s, v0, tau0, first, lane, wid);
  else
#pragma unroll
    for (int h = 0; h < CHASE_TASK::ROWS; h++)
      {
        const int r = lane + 32 * h;
        first[h] = r < x.rows
                       ? __ldcg (band_element<B> (p.band, x.row + r, sweep))
                       : zero<T> ();
      }
  const auto beta = make_reflector (x, warp, first);

  /* y = D v = (v' D)' */
#pragma unroll
  for (int m = 0; m < CHASE_TASK::COLUMNS; m += 4)
    {
      const T y = multiply_left<T, B, WARPS> (x, warp, x.diagonal, m);
      if ((lane & 7) == 0)
        s.y[wid + WARPS * (m + lane / 8)] = conjugate (y);
    }
  if (wid == 1 % WARPS)
#pragma unroll
    for (int h = 0; h < CHASE_TASK::ROWS; h++)
      v[lane + 32 * h] = x.v[h];
  if (k > 0)
    apply_left (x, warp, p.band, beta, wid);
  __syncthreads ();
  /* only after all warps have read that column */
  if (k == 0 && wid == 0)
#pragma unroll
    for (int h = 0; h < CHASE_TASK::ROWS; h++)
      {
        const int r = lane + 32 * h;
        if (r < x.rows)
          __stcg (band_element<B> (p.band, x.row + r, sweep),
                  make_number<T> (r == 0 ? beta : 0, 0));
      }
  apply_both (x, s, warp, p.band, v, wid);
  if (p.v && wid == WARPS - 1)
    {
#pragma unroll
      for (int h = 0; h < CHASE_TASK::ROWS; h++)
        {
          const int r = lane + 32 * h;
          if (r < x.rows)
            p.v[ge_chase_offset (p.n, sweep) + (int64_t) k * B + r] = x.v[h];
        }
      if (lane == 0)
        p.tau[k + p.most_tasks * sweep] = x.tau;
    }
  return x.tau;
}

/* Block i has sweeps begin + i, begin + i + gridDim.x, ...; a cooperative launch, so
   that the sweep before is always in progress.  Before a task thread 0 polls the flag
   of the sweep before (acquire), then the block's barrier; after it the barrier, then
   thread 0 sets the flag (release): so all writes of the tasks that it depends on are
   visible to the whole block.  */
template <typename T, int B, int WARPS>
static __global__ void
__launch_bounds__ (WARPS * 32) chase_kernel (chase<T> p)
{
  __shared__ CHASE_SHARED s;
  const ge_warp warp = this_warp ();
  for (int64_t sweep = p.begin + blockIdx.x; sweep < p.end; sweep += gridDim.x)
    {
      const int tasks = (int) ge_chase_tasks (p.n, B, sweep);
      int before = 0; /* finished tasks of the sweep before, as last read */
      T tau = zero<T> ();
      for (int k = 0; k < tasks; k++)
        {
          if (sweep > 0 && threadIdx.x == 0)
            {
              const int needs = (int) ge_chase_needs (p.n, B, sweep, k);
              while (before < needs)
                before = read_flag (p.done + sweep - 1);
            }
          __syncthreads ();
          tau = run_task (p, s, warp, sweep, k, tau);
          __syncthreads ();
          if (threadIdx.x == 0)
            set_flag (p.done + sweep, k + 1);
        }
    }
}

template <typename T>
static __global__ void
copy_tridiagonal_kernel (int64_t n, const T *band, int64_t ld,
                         typename real_of<T>::type *d,
                         typename real_of<T>::type *e)
{
  const int64_t j = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n)
    d[j] = real_part (band[ld * j]);
  if (j + 1 < n)
    e[j] = real_part (band[ld * j + 1]);
}

/* --- the driver --- */

template <typename T, int B, int WARPS>
static gpueig_status
run_chase (gpueig_context *ctx, chase<T> p)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t sweeps = ge_chase_sweeps (p.n);
  int resident = 0;
  CU (cudaOccupancyMaxActiveBlocksPerMultiprocessor (
      &resident, chase_kernel<T, B, WARPS>, WARPS * 32, 0));
  int64_t blocks = (int64_t) resident * cuda->multiprocessors;
  if (blocks > p.n / (2 * B) + 3)
    blocks = p.n / (2 * B) + 3;
  for (p.begin = 0; p.begin < sweeps; p.begin = p.end)
    {
      p.end = p.begin + SWEEPS_AT_ONCE < sweeps ? p.begin + SWEEPS_AT_ONCE
                                                : sweeps;
      if (p.begin > 0)
        GE_TRY (ge_cuda_check_interrupt (ctx));
      void *arguments[] = { &p };
      ge_cuda_note (ctx, "chase_kernel");
      CU (cudaLaunchCooperativeKernel (
          chase_kernel<T, B, WARPS>, dim3 ((unsigned) blocks),
          dim3 (WARPS * 32), arguments, 0, cuda->stream));
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_chase_bulges (gpueig_context *ctx, int64_t n, int b, T *band,
                      typename real_of<T>::type *d,
                      typename real_of<T>::type *e, T *v, T *tau)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int mark = ge_mark (ctx);
  chase<T> p = { n, ge_chase_most_tasks (n, b), 0, 0, band, NULL, v, tau };
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &p.done));
  CU (cudaMemsetAsync (p.done, 0, (size_t) n * sizeof *p.done, stream));
  if (b == 64)
    GE_TRY ((run_chase<T, 64, 16> (ctx, p)));
  else
    GE_TRY ((run_chase<T, 32, 8> (ctx, p)));
  GE_LAUNCH (copy_tridiagonal_kernel, (unsigned) ((n + 255) / 256), 256, 0,
             stream)
  (n, band, ge_band_rows (b), d, e);
  LAUNCHED ();
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_cuda_chase_bulges<T> (                             \
      gpueig_context *, int64_t, int, T *, typename real_of<T>::type *,        \
      typename real_of<T>::type *, T *, T *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
