/* Newton refinement of one matrix's eigenpairs by matrix products, as in
   core/complex_eig/refine_typed.c, and the kernels that load a matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_LARGE_REFINE_CUH
#define GE_COMPLEX_LARGE_REFINE_CUH 1

#include "base/blas.cuh"
#include "complex_eig/large.cuh"

#include <math.h>

/* --- load --- */

/* found[0]: bits of the largest |component| as a double; found[1]: nonzero
   unless the matrix is Hermitian.  One block per column.  */
template <typename R>
__global__ void
large_inspect (int n, int complex_in, const R *a, unsigned long long *found)
{
  __shared__ R space[8];
  const size_t ld = (size_t) n, j = blockIdx.x;
  R largest = 0, different = 0;
  for (size_t i = threadIdx.x; i < ld; i += blockDim.x)
    {
      const size_t x = i + ld * j, y = j + ld * i;
      if (complex_in)
        {
          largest = fmax (largest, fmax (fabs (a[2 * x]), fabs (a[2 * x + 1])));
          if (a[2 * x] != a[2 * y] || a[2 * x + 1] != -a[2 * y + 1])
            different = 1;
        }
      else
        {
          largest = fmax (largest, fabs (a[x]));
          if (a[x] != a[y])
            different = 1;
        }
    }
  largest = team_max<LARGE_THREADS> (largest, space);
  different = team_max<LARGE_THREADS> (different, space);
  if (threadIdx.x == 0)
    {
      atomicMax (&found[0],
                 (unsigned long long) __double_as_longlong ((double) largest));
      if (different > 0)
        atomicMax (&found[1], 1ull);
    }
}

/* A0 = A = the matrix times F1 F2, V = I.  */
template <typename R>
__global__ void
large_load (int n, int complex_in, const R *in, R f1, R f2, cpx<R> *a0,
            cpx<R> *a, cpx<R> *v)
{
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e >= (size_t) n * n)
    return;
  const cpx<R> x = complex_in
                       ? make_cpx (in[2 * e] * f1 * f2, in[2 * e + 1] * f1 * f2)
                       : make_cpx<R> (in[e] * f1 * f2, 0);
  a0[e] = x;
  a[e] = x;
  v[e] = make_cpx<R> (e % n == e / n, 0);
}

/* Convert COUNT numbers between precisions.  */
template <typename From, typename To>
__global__ void
large_convert (size_t count, const cpx<From> *from, cpx<To> *to)
{
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e < count)
    to[e] = make_cpx ((To) from[e].x, (To) from[e].y);
}

template <typename R>
__global__ void
large_identity (int n, cpx<R> *v)
{
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e < (size_t) n * n)
    v[e] = make_cpx<R> (e % n == e / n, 0);
}

/* --- refinement --- */

template <typename R>
__global__ void
large_diagonal (int n, const cpx<R> *a, cpx<R> *lambda)
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n)
    lambda[j] = a[j + (size_t) n * j];
}

/* OUT(:,j) = V(:,j) (+ C(:,j) if C is not NULL), normalized.  One block per
   column.  */
template <typename R>
__global__ void
large_normalize (int n, const cpx<R> *v, const cpx<R> *c, cpx<R> *out)
{
  __shared__ R space[8];
  const size_t start = (size_t) n * blockIdx.x;
  R sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      cpx<R> x = v[start + i];
      if (c)
        x = make_cpx (x.x + c[start + i].x, x.y + c[start + i].y);
      sum += abs2 (x);
      out[start + i] = x;
    }
  sum = team_sum<LARGE_THREADS> (sum, space);
  sum = 1 / sqrt (sum > 0 ? sum : 1);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      const cpx<R> x = out[start + i];
      out[start + i] = make_cpx (x.x * sum, x.y * sum);
    }
}

/* V <- (3 V - VG) / 2 */
template <typename R>
__global__ void
large_newton_schulz (int n, const cpx<R> *vg, cpx<R> *v)
{
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e < (size_t) n * n)
    v[e] = make_cpx (v[e].x + (v[e].x - vg[e].x) / 2,
                     v[e].y + (v[e].y - vg[e].y) / 2);
}

/* lambda_j = v_j^H (A V)_j, real */
template <typename R>
__global__ void
large_rayleigh (int n, const cpx<R> *v, const cpx<R> *av, cpx<R> *lambda)
{
  __shared__ R space[8];
  const size_t start = (size_t) n * blockIdx.x;
  R sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      const cpx<R> x = v[start + i], y = av[start + i];
      sum += x.x * y.x + x.y * y.y;
    }
  sum = team_sum<LARGE_THREADS> (sum, space);
  if (threadIdx.x == 0)
    lambda[blockIdx.x] = make_cpx (sum, (R) 0);
}

/* R <- R - V D; worst: bits of max |r_j|_1, norm: of max |a_j|_1.  */
template <typename R>
__global__ void
large_residual (int n, const cpx<R> *a, const cpx<R> *v, const cpx<R> *lambda,
                cpx<R> *r, unsigned long long *worst)
{
  __shared__ R space[8];
  const size_t start = (size_t) n * blockIdx.x;
  const cpx<R> minus = negate (lambda[blockIdx.x]);
  R sum = 0, norm = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      const cpx<R> x = mul_add (minus, v[start + i], r[start + i]);
      r[start + i] = x;
      sum += sqrt (abs2 (x));
      norm += sqrt (abs2 (a[start + i]));
    }
  sum = team_sum<LARGE_THREADS> (sum, space);
  norm = team_sum<LARGE_THREADS> (norm, space);
  if (threadIdx.x == 0)
    {
      atomicMax (&worst[0], (unsigned long long) __double_as_longlong (
                                sum == sum ? (double) sum : (double) INFINITY));
      atomicMax (&worst[1],
                 (unsigned long long) __double_as_longlong ((double) norm));
    }
}

/* lambda_j += x_jj into CHANGED.  */
template <typename R>
__global__ void
large_correct_values (int n, const cpx<R> *x, const cpx<R> *lambda,
                      cpx<R> *changed)
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n)
    {
      const cpx<R> d = x[j + (size_t) n * j];
      changed[j] = make_cpx (lambda[j].x + d.x, lambda[j].y + d.y);
    }
}

/* X <- F */
template <typename R>
__global__ void
large_divide (int n, const cpx<R> *lambda, cpx<R> *x)
{
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e >= (size_t) n * n)
    return;
  const int i = (int) (e % n), j = (int) (e / n);
  const cpx<R> gap
      = make_cpx (lambda[j].x - lambda[i].x, lambda[j].y - lambda[i].y);
  const R g2 = abs2 (gap);
  const cpx<R> y = x[e];
  x[e] = i == j || ! (abs2 (y) * 16 < g2)
             ? make_cpx<R> (0, 0)
             : make_cpx ((y.x * gap.x + y.y * gap.y) / g2,
                         (y.y * gap.x - y.x * gap.y) / g2);
}

template <typename R>
__global__ void
large_scale_values (int n, int exponent, cpx<R> *lambda)
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n)
    lambda[j] = make_cpx (ldexp (lambda[j].x, exponent),
                          ldexp (lambda[j].y, exponent));
}

/* The ratio |A V - V D|_1 / (n eps |A|_1); R = A V - V D.  */
template <typename R>
static gpueig_status
measure_residual (gpueig_context *ctx, int64_t n, const cpx<R> *a,
                  const cpx<R> *v, const cpx<R> *lambda, cpx<R> *r,
                  unsigned long long *device, double *ratio)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  double worst[2];
  CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, (R) 1, a, n,
                   v, n, (R) 0, r, n));
  CU (cudaMemsetAsync (device, 0, sizeof worst, cuda->stream));
  GE_LAUNCH (large_residual<R>, (unsigned) n, LARGE_THREADS, 0, cuda->stream)
  ((int) n, a, v, lambda, r, device);
  LAUNCHED ();
  CU (cudaMemcpyAsync (worst, device, sizeof worst, cudaMemcpyDeviceToHost,
                       cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  *ratio = worst[0] == 0 ? 0 : worst[0] / (worst[1] * (double) n * eps);
  return GPUEIG_OK;
}

/* X <- V^-1 X; V is overwritten.  */
template <typename R>
static gpueig_status
solve_with_vectors (gpueig_context *ctx, int64_t n, cpx<R> *v, cpx<R> *x)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cudaDataType type = cuda_type<cpx<R>>::value;
  size_t device_bytes = 0, host_bytes = 0;
  char *device_work, *host_work;
  int64_t *pivots;
  int *result, mark = ge_mark (ctx);
  CUSOLVER (cusolverDnXgetrf_bufferSize (cuda->solver, NULL, n, n, type, v, n,
                                         type, &device_bytes, &host_bytes));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) device_bytes, &device_work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) host_bytes, &host_work));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &pivots));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &result));
  CUSOLVER (cusolverDnXgetrf (cuda->solver, NULL, n, n, type, v, n, pivots,
                              type, device_work, device_bytes, host_work,
                              host_bytes, result));
  CUSOLVER (cusolverDnXgetrs (cuda->solver, NULL, CUBLAS_OP_N, n, n, type, v, n,
                              pivots, type, x, n, result));
  CU (cudaStreamSynchronize (cuda->stream));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Restore the orthonormality of V of a Hermitian A0 to rounding by one
   Newton-Schulz step, and compute the Rayleigh quotients; G and SPARE are
   scratch.  As in complex_eig/refine.cuh.  */
template <typename R>
static gpueig_status
large_orthonormalize (gpueig_context *ctx, int64_t n, const cpx<R> *a0,
                      cpx<R> *v, cpx<R> *lambda, cpx<R> *g, cpx<R> *spare)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const unsigned many
      = (unsigned) ((n * n + LARGE_THREADS - 1) / LARGE_THREADS);
  CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_C, CUBLAS_OP_N, n, n, n, (R) 1, v, n,
                   v, n, (R) 0, g, n));
  CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, (R) 1, v, n,
                   g, n, (R) 0, spare, n));
  GE_LAUNCH (large_newton_schulz<R>, many, LARGE_THREADS, 0, cuda->stream)
  ((int) n, spare, v);
  LAUNCHED ();
  CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, (R) 1, a0, n,
                   v, n, (R) 0, g, n));
  GE_LAUNCH (large_rayleigh<R>, (unsigned) n, LARGE_THREADS, 0, cuda->stream)
  ((int) n, v, g, lambda);
  LAUNCHED ();
  return GPUEIG_OK;
}

/* Eigenvalues from the diagonal of A, refined with V and the matrix A0; A and
   SPARE are overwritten.  LAMBDA is scaled back by 2^EXPONENT.  */
template <typename R>
static gpueig_status
large_refine (gpueig_context *ctx, int64_t n, const cpx<R> *a0, cpx<R> *a,
              cpx<R> *v, cpx<R> *spare, cpx<R> *lambda, int exponent,
              int frozen, double *ratio)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  cudaStream_t stream = cuda->stream;
  const unsigned few = (unsigned) (n + LARGE_THREADS - 1) / LARGE_THREADS;
  const unsigned many
      = (unsigned) ((n * n + LARGE_THREADS - 1) / LARGE_THREADS);
  const size_t bytes = (size_t) (n * n) * sizeof *v;
  const double good = 0.3;
  cpx<R> *changed, *update, *r = a;
  unsigned long long *device;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &changed));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &update));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &device));
  GE_LAUNCH (large_diagonal<R>, few, LARGE_THREADS, 0, stream)
  ((int) n, a, lambda);
  LAUNCHED ();
  GE_LAUNCH (large_normalize<R>, (unsigned) n, LARGE_THREADS, 0, stream)
  ((int) n, v, (const cpx<R> *) NULL, v);
  LAUNCHED ();
  if (frozen)
    GE_TRY (large_orthonormalize<R> (ctx, n, a0, v, lambda, r, spare));
  GE_TRY (measure_residual<R> (ctx, n, a0, v, lambda, r, device, ratio));
  int wanted = ! frozen && *ratio > good;
  for (int step = 0; step < 3 && wanted; step++)
    {
      double now;
      CU (cudaMemcpyAsync (spare, v, bytes, cudaMemcpyDeviceToDevice, stream));
      GE_TRY (solve_with_vectors<R> (ctx, n, spare, r));
      GE_LAUNCH (large_correct_values<R>, few, LARGE_THREADS, 0, stream)
      ((int) n, r, lambda, changed);
      LAUNCHED ();
      GE_LAUNCH (large_divide<R>, many, LARGE_THREADS, 0, stream)
      ((int) n, changed, r);
      LAUNCHED ();
      CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, (R) 1, v,
                       n, r, n, (R) 0, spare, n));
      GE_LAUNCH (large_normalize<R>, (unsigned) n, LARGE_THREADS, 0, stream)
      ((int) n, v, spare, update);
      LAUNCHED ();
      GE_TRY (
          measure_residual<R> (ctx, n, a0, update, changed, r, device, &now));
      if (! (now < *ratio))
        break;
      CU (cudaMemcpyAsync (v, update, bytes, cudaMemcpyDeviceToDevice, stream));
      CU (cudaMemcpyAsync (lambda, changed, (size_t) n * sizeof *lambda,
                           cudaMemcpyDeviceToDevice, stream));
      wanted = now > good && now < *ratio / 4;
      *ratio = now;
    }
  GE_LAUNCH (large_scale_values<R>, few, LARGE_THREADS, 0, stream)
  ((int) n, exponent, lambda);
  LAUNCHED ();
  CU (cudaStreamSynchronize (stream));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#endif
