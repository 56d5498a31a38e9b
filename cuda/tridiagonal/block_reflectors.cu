/* Block reflectors, see block_reflectors.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/block_reflectors.cuh"

#include "base/numbers.cuh"
#include "base/blas.cuh"
#include "tridiagonal/tridiagonal.cuh"

/* Reflectors in one block on the way back, for matrices up to LARGE and above.  */
enum
{
  BLOCK_REFLECTORS = 256,
  LARGE = 8000,
  LARGE_BLOCK_REFLECTORS = 512
};

/* --- factors of up to 64 columns --- */

enum
{
  FACTOR_THREADS = 512,
  FACTOR_LD = GE_SMALL_FACTOR + 1 /* distance of columns in shared memory */
};

/* T of order K, begun as V' V above its diagonal: diagonal blocks of order h become
   ones of order 2 h by T12 = -T11 (V1' V2) T22, in place.  PART has K K / 4
   numbers.  */
template <typename T>
GE_DEVICE_INLINE void
build_factor (int k, const T *gram, const T *tau, T *t, T *part)
{
  for (int e = (int) threadIdx.x; e < k * k; e += FACTOR_THREADS)
    {
      const int i = e % k, j = e / k;
      t[i + FACTOR_LD * j] = i < j ? gram[e] : i == j ? tau[j] : zero<T> ();
    }
  __syncthreads ();
  for (int h = 1; h < k; h *= 2)
    {
      /* element (i, j) of the pair of blocks that begins at p */
      for (int e = (int) threadIdx.x; e < k / 2 * h; e += FACTOR_THREADS)
        {
          const int i = e % h, j = e / h % h, p = e / (h * h) * 2 * h;
          const T *right = t + p + h + FACTOR_LD * (p + h + j);
          T sum = zero<T> ();
#pragma unroll 4
          for (int l = 0; l <= j; l++)
            sum = mul_add (t[p + i + FACTOR_LD * (p + h + l)], right[l], sum);
          part[e] = sum;
        }
      __syncthreads ();
      for (int e = (int) threadIdx.x; e < k / 2 * h; e += FACTOR_THREADS)
        {
          const int i = e % h, j = e / h % h, p = e / (h * h) * 2 * h;
          T sum = zero<T> ();
#pragma unroll 4
          for (int l = i; l < h; l++)
            sum = mul_sub (t[p + i + FACTOR_LD * (p + l)], part[e - i + l],
                           sum);
          t[p + i + FACTOR_LD * (p + h + j)] = sum;
        }
      __syncthreads ();
    }
}

/* A thread has row i = thread mod k of P = (V' X) T and of T' P, and of these the
   columns j0, j0 + stride, ...  F's lower half holds P in between.  */
template <typename T>
static __global__ void
__launch_bounds__ (FACTOR_THREADS)
    two_sided_factor_kernel (int k, const T *gram, const T *tau,
                             const T *product, T *f)
{
  constexpr int EACH = GE_SMALL_FACTOR * GE_SMALL_FACTOR / FACTOR_THREADS;
  extern __shared__ __align__ (16) unsigned char factor_memory[];
  T *t = (T *) factor_memory, *part = t + FACTOR_LD * GE_SMALL_FACTOR;
  build_factor (k, gram, tau, t, part);

  const int i = (int) threadIdx.x % k, j0 = (int) threadIdx.x / k;
  const int stride = FACTOR_THREADS / k;
  T *p = f + k;
  T sum[EACH];
#pragma unroll
  for (int u = 0; u < EACH; u++)
    sum[u] = zero<T> ();
#pragma unroll 8
  for (int l = 0; l < k; l++)
    {
      const T x = product[i + (size_t) k * l];
#pragma unroll
      for (int u = 0; u < EACH; u++)
        if (j0 + u * stride < k)
          sum[u] = mul_add (x, t[l + FACTOR_LD * (j0 + u * stride)], sum[u]);
    }
#pragma unroll
  for (int u = 0; u < EACH; u++)
    if (j0 + u * stride < k)
      {
        p[i + (size_t) (2 * k) * (j0 + u * stride)] = sum[u];
        sum[u] = zero<T> ();
      }
  __syncthreads ();
  for (int l = 0; l <= i; l++)
    {
      const T x = t[l + FACTOR_LD * i];
#pragma unroll
      for (int u = 0; u < EACH; u++)
        if (j0 + u * stride < k)
          sum[u] = conj_mul_add (x, p[l + (size_t) (2 * k) * (j0 + u * stride)],
                                 sum[u]);
    }
  __syncthreads ();
#pragma unroll
  for (int u = 0; u < EACH; u++)
    {
      const int j = j0 + u * stride;
      if (j < k)
        {
          f[i + (size_t) (2 * k) * j] = t[i + FACTOR_LD * j];
          p[i + (size_t) (2 * k) * j] = make_number<T> (
              -real_part (sum[u]) / 2, -imaginary_part (sum[u]) / 2);
        }
    }
}

template <typename T>
gpueig_status
ge_cuda_two_sided_factor (gpueig_context *ctx, int k, const T *gram,
                          const T *tau, const T *product, T *f)
{
  const size_t bytes
      = (FACTOR_LD * GE_SMALL_FACTOR + GE_SMALL_FACTOR * GE_SMALL_FACTOR / 4)
        * sizeof (T);
  CU (cudaFuncSetAttribute (two_sided_factor_kernel<T>,
                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                            (int) bytes));
  GE_LAUNCH (two_sided_factor_kernel, 1, FACTOR_THREADS, bytes,
             ge_cuda_of (ctx)->stream)
  (k, gram, tau, product, f);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* --- factors of many columns --- */

/* GRAM becomes inv (T), T the unit matrix.  */
template <typename T>
static __global__ void
inverse_factor_kernel (int k, T *gram, const T *tau, T *t)
{
  const int i = (int) (blockIdx.x * blockDim.x + threadIdx.x), j = i / k;
  if (j >= k)
    return;
  const int row = i % k;
  t[i] = make_number<T> (row == j, 0);
  if (row > j)
    gram[i] = zero<T> ();
  else if (row == j)
    {
      /* 1 / tau = conj (tau) / |tau|^2 */
      const T x = tau[j];
      const auto size = add_square (x, real_part (zero<T> ()));
      gram[i] = size == 0 ? make_number<T> (1, 0)
                          : make_number<T> (real_part (x) / size,
                                            -imaginary_part (x) / size);
    }
}

/* T of the K columns of V, M rows.  */
template <typename T>
static gpueig_status
large_factor (gpueig_context *ctx, int64_t m, int k, const T *v, int64_t ld,
              const T *tau, T *gram, T *t)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  CUBLAS (ge_gemm (cuda->blas, ge_adjoint<T> (), CUBLAS_OP_N, k, k, m, 1, v, ld,
                   v, ld, 0, gram, k));
  GE_LAUNCH (inverse_factor_kernel, (unsigned) ((k * k + 255) / 256), 256, 0,
             cuda->stream)
  (k, gram, tau, t);
  LAUNCHED ();
  CUBLAS (ge_trsm (cuda->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER,
                   CUBLAS_OP_N, k, k, gram, k, t, k));
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_apply_reflectors (gpueig_context *ctx, int64_t n, int64_t count,
                          int64_t shift, const T *v, const T *tau,
                          int64_t columns, T *z)
{
  typedef typename real_of<T>::type R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int mark = ge_mark (ctx);
  int64_t most = n < LARGE ? BLOCK_REFLECTORS : LARGE_BLOCK_REFLECTORS;
  T *gram, *t, *w, *tw;
  if (count <= 0)
    return GPUEIG_OK;
  if (most > count)
    most = count;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, most * most, &gram));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, most * most, &t));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, most * columns, &w));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, most * columns, &tw));
  for (int64_t end = count; end > 0; end -= most)
    {
      const int64_t begin = end > most ? end - most : 0;
      const int k = (int) (end - begin);
      const int64_t row = begin + shift, m = n - row;
      const T *x = v + row + n * begin;
      T *y = z + row;
      if (n >= GE_STOPPABLE)
        GE_TRY (ge_cuda_check_interrupt (ctx));
      GE_TRY (large_factor (ctx, m, k, x, n, tau + begin, gram, t));
      CUBLAS (ge_gemm (cuda->blas, ge_adjoint<T> (), CUBLAS_OP_N, k, columns, m,
                       (R) 1, x, n, y, n, (R) 0, w, k));
      CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, k, columns, k,
                       (R) 1, t, k, w, k, (R) 0, tw, k));
      CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, m, columns, k,
                       (R) -1, x, n, tw, k, (R) 1, y, n));
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_cuda_two_sided_factor<T> (                         \
      gpueig_context *, int, const T *, const T *, const T *, T *);            \
  template gpueig_status ge_cuda_apply_reflectors<T> (                         \
      gpueig_context *, int64_t, int64_t, int64_t, const T *, const T *,       \
      int64_t, T *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
