/* Scaling, and similarity transformations with a random reflector; see
   base/similarity.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/random.h"
#include "base/similarity.cuh"
#include "base/teams.cuh"

#include <math.h>
#include <stdlib.h>

template <typename T>
void
ge_random_vector (int64_t count, T *z)
{
  typedef ge_real<T> R;
  const int step = 1 + is_complex<T>::value;
  uint64_t state = 1;
  R *x = (R *) z;
  for (int64_t i = 0; i < count; i++)
    {
      x[i * step] = (R) ge_next_random (&state);
      if (step == 2)
        x[i * step + 1] = 0;
    }
}

/* --- the reflector --- */

template <typename T>
gpueig_status
ge_cuda_reflector (gpueig_context *ctx, int64_t n, T **u)
{
  typedef ge_real<T> R;
  T *host;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, u));
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &host));
  ge_random_vector (n, host);
  const int64_t reals = n * (1 + is_complex<T>::value);
  R *x = (R *) host;
  double sum = 0;
  for (int64_t i = 0; i < reals; i++)
    sum += (double) x[i] * (double) x[i];
  const double f = sqrt (2 / sum);
  for (int64_t i = 0; i < reals; i++)
    x[i] = (R) (f * (double) x[i]);
  GE_TRY (ge_send (ctx, *u, host, n));
  return ge_close_frame (ctx, mark);
}

/* With y = A u, w = A' u and s = u' A u: (I - u u') A (I - u u') = A - u (w -
   conj (s) u)' - y u'.  */
template <typename T>
gpueig_status
ge_cuda_reflect_both (gpueig_context *ctx, int64_t n, const T *u, T *a)
{
  typedef ge_real<T> R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t adjoint = ge_adjoint<T> ();
  const R one = 1;
  T *y, *w, *s;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n, &y, &w));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &s));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, one, a, n, u, n,
                   (R) 0, y, n));
  CUBLAS (ge_gemm (blas, adjoint, CUBLAS_OP_N, n, 1, n, one, a, n, u, n, (R) 0,
                   w, n));
  /* s holds u' w, the conjugate */
  CUBLAS (ge_gemm (blas, adjoint, CUBLAS_OP_N, 1, 1, n, one, u, n, w, n, (R) 0,
                   s, 1));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, 1, -one, u, n, s, 1,
                   one, w, n));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, adjoint, n, n, 1, -one, u, n, w, n, one,
                   a, n));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, adjoint, n, n, 1, -one, y, n, u, n, one,
                   a, n));
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
ge_cuda_reflect (gpueig_context *ctx, int64_t n, int64_t columns, const T *u,
                 T *v)
{
  typedef ge_real<T> R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  T *row;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &row));
  CUBLAS (ge_gemm (blas, ge_adjoint<T> (), CUBLAS_OP_N, 1, columns, n, (R) 1, u,
                   n, v, n, (R) 0, row, 1));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, columns, 1, (R) -1, u, n,
                   row, 1, (R) 1, v, n));
  return ge_close_frame (ctx, mark);
}

/* --- sizes --- */

/* In two steps where 2^EXPONENT itself may be out of range.  */
template <typename R>
gpueig_status
ge_cuda_scale (gpueig_context *ctx, int64_t count, int exponent, R *x)
{
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const int half
      = abs (exponent) < (sizeof (R) == 8 ? 1000 : 120) ? 0 : exponent / 2;
  if (half != 0)
    CUBLAS (ge_scal (blas, count, (R) ldexp (1, half), x));
  if (exponent != 0)
    CUBLAS (ge_scal (blas, count, (R) ldexp (1, exponent - half), x));
  return GPUEIG_OK;
}

/* *LARGEST, zero before: the bits of the largest |x|, NaN not among them.  */
template <typename R>
GE_KERNEL (256)
largest_kernel (int64_t count, const R *x, unsigned long long *largest)
{
  const int64_t step = (int64_t) gridDim.x * blockDim.x;
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  R most = 0;
#pragma unroll 4
  for (; i < count; i += step)
    most = fmax (most, fabs (x[i]));
  const double block = tile_max<32> ((double) most);
  if (threadIdx.x % 32 == 0)
    atomicMax (largest, (unsigned long long) __double_as_longlong (block));
}

template <typename R>
gpueig_status
ge_cuda_scale_up (gpueig_context *ctx, int64_t count, R *a, int *exponent)
{
  const ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t blocks = (count + 1023) / 1024,
                most = 8 * cuda->multiprocessors;
  double *bits, *largest;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &bits));
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 1, &largest));
  GE_TRY (ge_clear (ctx, bits, 1));
  GE_LAUNCH (largest_kernel<R>, (unsigned) (blocks < most ? blocks : most), 256,
             0, count, a, (unsigned long long *) bits);
  GE_TRY (ge_fetch (ctx, largest, bits, 1));
  *exponent
      = *largest == 0 ? 0 : ilogb (*largest) - (sizeof (R) == 8 ? 200 : 20);
  ge_release (ctx, mark);
  return ge_cuda_scale (ctx, count, -*exponent, a);
}

GE_INSTANTIATE (ge_random_vector)
GE_INSTANTIATE (ge_cuda_reflector)
GE_INSTANTIATE (ge_cuda_reflect_both)
GE_INSTANTIATE (ge_cuda_reflect)

GE_INSTANTIATE_REAL (ge_cuda_scale)
GE_INSTANTIATE_REAL (ge_cuda_scale_up)
