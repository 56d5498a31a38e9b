/* Back-transformation of vectors of the tridiagonal matrix to those of the band
   by batched matrix products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Sweeps are taken in groups of g = b; the reflectors of a group's tasks k are a
   block reflector I - V T V', whose V is a parallelogram in a window of b + g - 1
   rows (core/tridiagonal/schedule.h).  Of a product of sweeps the last is applied
   first, and in a group the tasks k = 0, 1, ..., because window k + 1 of an
   earlier sweep overlaps window k of a later one (Haidar, Ltaief and Dongarra
   2011).  So window (S, k) comes after (S, k - 1) and (S + 1, k), and windows
   with the same k - S are disjoint: one step of the wavefront is one batched
   product V' Z and one (V T) (V' Z).  */

#include "base/numbers.cuh"
#include "base/blas.cuh"
#include "tridiagonal/chase_back.cuh"
#include "tridiagonal/schedule.h"
#include "tridiagonal/tridiagonal.cuh"

/* Most elements of V' Z in memory at once, which limits the columns of Z per
   pass.  */
#define PRODUCTS_AT_ONCE ((int64_t) 1 << 27)

/* The windows of one step of the wavefront: group FIRST + i has task TASK + i,
   for i < COUNT.  */
typedef struct
{
  int64_t first, task, count;
} wavefront;

template <typename T> struct windows
{
  int64_t n, most_tasks;
  int b, g, height; /* of a window, b + g */
  const T *v, *tau;
  T *packed, *with_t; /* V and V T of one step's windows, one after another */
};

/* The number of sweeps of group S, which begins with sweep S g.  */
GE_SCHEDULE_INLINE int64_t
group_sweeps (int64_t n, int64_t g, int64_t s)
{
  const int64_t left = ge_chase_sweeps (n) - s * g;
  return left < g ? left : g;
}

/* One window per thread block: V to shared memory and PACKED, T by xLARFT's
   recurrence, thread i computing row i of every column, and V T to WITH_T.  Two
   barriers per column of T.  */
template <typename T>
static __global__ void
pack_kernel (windows<T> p, wavefront step)
{
  extern __shared__ __align__ (16) unsigned char pack_memory[];
  const int g = p.g, height = p.height, threads = (int) blockDim.x;
  const int64_t window = blockIdx.x, s0 = (step.first + window) * g;
  const int64_t k = step.task + window, row0 = ge_chase_row (p.b, s0, k);
  const int sweeps = (int) group_sweeps (p.n, g, step.first + window);
  T *v = (T *) pack_memory, *t = v + (size_t) height * g;
  T *packed = p.packed + (size_t) window * height * g;
  T *with_t = p.with_t + (size_t) window * height * g;
  for (int e = (int) threadIdx.x; e < height * g; e += threads)
    {
      const int i = e % height, c = e / height;
      const int64_t sweep = s0 + c, row = row0 + i;
      T x = zero<T> ();
      if (c < sweeps && k < ge_chase_tasks (p.n, p.b, sweep) && i >= c
          && i < c + p.b && row < p.n)
        x = p.v[ge_chase_offset (p.n, sweep) + row - sweep - 1];
      v[e] = x;
      packed[e] = x;
    }
  __syncthreads ();
  /* V' V above the diagonal, tau on it */
  for (int e = (int) threadIdx.x; e < g * g; e += threads)
    {
      const int i = e % g, j = e / g;
      T sum = zero<T> ();
      for (int r = j; i < j && r < i + p.b; r++)
        sum = conj_mul_add (v[r + height * i], v[r + height * j], sum);
      if (i == j && j < sweeps && k < ge_chase_tasks (p.n, p.b, s0 + j))
        sum = p.tau[k + p.most_tasks * (s0 + j)];
      t[e] = sum;
    }
  __syncthreads ();
  for (int j = 0; j < g; j++)
    {
      T sum = zero<T> ();
      const int i = (int) threadIdx.x;
      if (i < j)
        {
          for (int l = i; l < j; l++)
            sum = mul_add (t[i + g * l], t[l + g * j], sum);
          sum = times (minus (zero<T> (), t[j + g * j]), sum);
        }
      __syncthreads ();
      if (i < j)
        t[i + g * j] = sum;
      __syncthreads ();
    }
  for (int e = (int) threadIdx.x; e < height * g; e += threads)
    {
      const int i = e % height, c = e / height;
      T sum = zero<T> ();
      for (int l = 0; l <= c; l++)
        sum = mul_add (v[i + height * l], t[l + g * c], sum);
      with_t[e] = sum;
    }
}

/* Shared memory of pack_kernel: V and T.  */
template <typename T>
static constexpr size_t
pack_bytes (int height, int g)
{
  return (size_t) (height * g + g * g) * sizeof (T);
}

/* Apply the windows of one step to Z, which is padded with zero rows beyond
   n.  */
template <typename T>
static gpueig_status
apply_step (gpueig_context *ctx, const windows<T> *p, wavefront step,
            int64_t columns, T *z, int64_t ldz, T *products)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t g = p->g, height = p->height, size = height * g;
  T *z0 = z + ge_chase_row (p->b, step.first * g, step.task);
  const size_t bytes = pack_bytes<T> (p->height, p->g);
  GE_ALLOW_SHARED (pack_kernel<T>, bytes);
  GE_LAUNCH (pack_kernel, (unsigned) step.count, 256, bytes, *p, step);
  CUBLAS (ge_gemm_strided (cuda->blas, ge_adjoint<T> (), CUBLAS_OP_N, g,
                           columns, height, (R) 1, p->packed, height, size, z0,
                           ldz, p->b + g, (R) 0, products, g, g * columns,
                           step.count));
  CUBLAS (ge_gemm_strided (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, height,
                           columns, g, (R) -1, p->with_t, height, size,
                           products, g, g * columns, (R) 1, z0, ldz, p->b + g,
                           step.count));
  return GPUEIG_OK;
}

/* Apply all groups to Z.  */
template <typename T>
static gpueig_status
apply_windows (gpueig_context *ctx, const windows<T> *p, int64_t columns, T *z,
               int64_t ldz, T *products)
{
  const int64_t g = p->g, groups = (ge_chase_sweeps (p->n) + g - 1) / g;
  const int64_t steps = ge_chase_most_tasks (p->n, p->b) + groups - 1;
  for (int64_t i = 0; i < steps; i++)
    {
      wavefront step = { 0, 0, 0 };
      step.first = groups - 1 > i ? groups - 1 - i : 0;
      step.task = i - (groups - 1 - step.first);
      while (step.first + step.count < groups
             && step.task + step.count < ge_chase_tasks (
                    p->n, p->b, (step.first + step.count) * g))
        step.count++;
      if (step.count > 0)
        GE_TRY (apply_step (ctx, p, step, columns, z, ldz, products));
      if (p->n >= GE_STOPPABLE && i % 16 == 15)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
chase_back (gpueig_context *ctx, int64_t n, int b, const T *v, const T *tau,
            int64_t columns, T *z)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int mark = ge_mark (ctx);
  windows<T> p
      = { n, ge_chase_most_tasks (n, b), b, b, 2 * b, v, tau, NULL, NULL };
  /* the most windows of one step */
  const int64_t most = n / (p.b + p.g) + 2, size = (int64_t) p.height * p.g;
  const int64_t ldz = (n + p.height + 1) / 2 * 2;
  int64_t pass = PRODUCTS_AT_ONCE / (most * p.g);
  pass = pass < 1 ? 1 : pass > columns ? columns : pass;
  T *padded, *products;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, most * size, &p.packed, &p.with_t));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, ldz * pass, &padded));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, most * p.g * pass, &products));
  GE_TRY (ge_clear (ctx, padded, ldz * pass));
  for (int64_t first = 0; first < columns; first += pass)
    {
      const int64_t count = columns - first < pass ? columns - first : pass;
      const size_t width = (size_t) n * sizeof (T);
      CU (cudaMemcpy2DAsync (padded, (size_t) ldz * sizeof (T), z + n * first,
                             width, width, (size_t) count,
                             cudaMemcpyDeviceToDevice, stream));
      GE_TRY (apply_windows (ctx, &p, count, padded, ldz, products));
      CU (cudaMemcpy2DAsync (z + n * first, width, padded,
                             (size_t) ldz * sizeof (T), width, (size_t) count,
                             cudaMemcpyDeviceToDevice, stream));
    }
  return ge_close_frame (ctx, mark);
}

template <typename T>
int
ge_cuda_chase_back_fits (gpueig_context *ctx, int b)
{
  static_assert (pack_bytes<T> (64, 32) <= GE_LEAST_SHARED, "bandwidth 32");
  return ge_cuda_chase_tiles_fit (ctx)
         || pack_bytes<T> (2 * b, b) <= ge_cuda_of (ctx)->shared_per_block;
}

template <typename T>
gpueig_status
ge_cuda_chase_back (gpueig_context *ctx, int64_t n, int b, const T *v,
                    const T *tau, int64_t columns, T *z)
{
  return ge_cuda_chase_tiles_fit (ctx)
             ? ge_cuda_chase_back_tiles<T> (ctx, n, v, tau, columns, z)
             : chase_back<T> (ctx, n, b, v, tau, columns, z);
}

GE_INSTANTIATE (ge_cuda_chase_back_fits)
GE_INSTANTIATE (ge_cuda_chase_back)
