/* Sizes, similarities with a reflector, and checks by random vectors, see
   reflection.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "blas.cuh"
#include "reflection.cuh"

#include <math.h>

/* The same for every call: results must not change from run to run.  Between
   1/2 and 3/2, of either sign: no two add up to zero.  */
static double
next_random (uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  const double x = 0.5 + (double) (*state >> 12) * 0x1p-52;
  return *state & 2048 ? x : -x;
}

/* COUNT scalars T hold real numbers, Z gets them as host scalars.  */
template <typename T>
static void
fill_random (int64_t count, T *z)
{
  typedef typename real_of<T>::type R;
  const int step = 1 + is_complex<T>::value;
  uint64_t state = 1;
  R *x = (R *) z;
  for (int64_t i = 0; i < count; i++)
    {
      x[i * step] = (R) next_random (&state);
      if (step == 2)
        x[i * step + 1] = 0;
    }
}

template <typename T>
static gpueig_status
copy_to_device (gpueig_context *ctx, int64_t count, const T *from, T *to)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  CU (cudaMemcpyAsync (to, from, (size_t) count * sizeof (T),
                       cudaMemcpyHostToDevice, stream));
  CU (cudaStreamSynchronize (stream));
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
copy_to_host (gpueig_context *ctx, int64_t count, const T *from, T *to)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  CU (cudaMemcpyAsync (to, from, (size_t) count * sizeof (T),
                       cudaMemcpyDeviceToHost, stream));
  CU (cudaStreamSynchronize (stream));
  return GPUEIG_OK;
}

/* --- the reflector --- */

template <typename T>
gpueig_status
ge_cuda_reflector (gpueig_context *ctx, int64_t n, T **u)
{
  typedef typename real_of<T>::type R;
  T *host;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, u));
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &host));
  fill_random (n, host);
  const int64_t reals = n * (1 + is_complex<T>::value);
  R *x = (R *) host;
  double sum = 0;
  for (int64_t i = 0; i < reals; i++)
    sum += (double) x[i] * (double) x[i];
  const double f = sqrt (2 / sum);
  for (int64_t i = 0; i < reals; i++)
    x[i] = (R) (f * (double) x[i]);
  GE_TRY (copy_to_device (ctx, n, host, *u));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* With y = A u, w = A' u and s = u' A u:
   A - u (w - s' u)' - y u'.  */
template <typename T>
gpueig_status
ge_cuda_reflect_both (gpueig_context *ctx, int64_t n, const T *u, T *a)
{
  typedef typename real_of<T>::type R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t adjoint = ge_adjoint<T> ();
  const R one = 1;
  T *y, *w, *s;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &w));
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
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_reflect (gpueig_context *ctx, int64_t n, int64_t columns, const T *u,
                 T *v)
{
  typedef typename real_of<T>::type R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  T *row;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &row));
  CUBLAS (ge_gemm (blas, ge_adjoint<T> (), CUBLAS_OP_N, 1, columns, n, (R) 1, u,
                   n, v, n, (R) 0, row, 1));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, columns, 1, (R) -1, u, n,
                   row, 1, (R) 1, v, n));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- sizes --- */

/* In two steps: half the exponent always makes a finite number.  */
template <typename R>
gpueig_status
ge_cuda_scale (gpueig_context *ctx, int64_t count, int exponent, R *x)
{
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const int half = exponent / 2;
  if (half != 0)
    CUBLAS (ge_scal (blas, count, (R) ldexp (1, half), x));
  if (exponent != 0)
    CUBLAS (ge_scal (blas, count, (R) ldexp (1, exponent - half), x));
  return GPUEIG_OK;
}

template <typename R>
gpueig_status
ge_cuda_scale_up (gpueig_context *ctx, int64_t count, R *a, int *exponent)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  int64_t at = 0;
  R largest = 0;
  CUBLAS (ge_iamax (cuda->blas, count, a, &at));
  CU (cudaMemcpyAsync (&largest, a + at - 1, sizeof largest,
                       cudaMemcpyDeviceToHost, cuda->stream));
  CU (cudaStreamSynchronize (cuda->stream));
  *exponent = largest == 0
                  ? 0
                  : ilogb ((double) largest) - (sizeof (R) == 8 ? 200 : 20);
  return ge_cuda_scale (ctx, count, -*exponent, a);
}

/* --- checks --- */

template <typename T>
gpueig_status
ge_cuda_orthogonality (gpueig_context *ctx, int64_t n, int64_t columns,
                       const T *v, double *error)
{
  typedef typename real_of<T>::type R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const int64_t reals = columns * (1 + is_complex<T>::value);
  T *host, *z, *y;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * columns, &host));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &z));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &y));
  fill_random (columns, host);
  GE_TRY (copy_to_device (ctx, columns, host, z));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, columns, (R) 1, v, n,
                   z, columns, (R) 0, y, n));
  CUBLAS (ge_gemm (blas, ge_adjoint<T> (), CUBLAS_OP_N, columns, 1, n, (R) 1, v,
                   n, y, n, (R) 0, z, columns));
  GE_TRY (copy_to_host (ctx, columns, z, host + columns));
  const R *want = (const R *) host, *have = (const R *) (host + columns);
  *error = 0;
  for (int64_t i = 0; i < reals; i++)
    {
      const double e = fabs ((double) have[i] - (double) want[i]);
      *error = e <= *error ? *error : isnan (e) ? INFINITY : e;
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_departure (gpueig_context *ctx, int64_t n, const T *a, double *error)
{
  typedef typename real_of<T>::type R;
  const int64_t reals = n * (1 + is_complex<T>::value);
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t adjoint = ge_adjoint<T> ();
  T *host, *z, *y, *x;
  R size = 0, rest = 0;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &host));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &z));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &x));
  fill_random (n, host);
  GE_TRY (copy_to_device (ctx, n, host, z));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, (R) 1, a, n, z, n,
                   (R) 0, y, n));
  CUBLAS (ge_gemm (blas, adjoint, CUBLAS_OP_N, n, 1, n, (R) 1, a, n, y, n,
                   (R) 0, x, n));
  CUBLAS (ge_nrm2 (blas, reals, (const R *) x, &size));
  CUBLAS (ge_gemm (blas, adjoint, CUBLAS_OP_N, n, 1, n, (R) 1, a, n, z, n,
                   (R) 0, y, n));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, (R) 1, a, n, y, n,
                   (R) -1, x, n));
  CUBLAS (ge_nrm2 (blas, reals, (const R *) x, &rest));
  *error = size > 0 && rest <= size ? (double) rest / (double) size : INFINITY;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* X / SIZE, Inf for what is no number; 0 / 0 is 0.  */
static double
relative (double x, double size)
{
  const double e = x == 0 ? 0 : x / size;
  return isnan (e) ? INFINITY : e;
}

static float
times (float x, float y)
{
  return x * y;
}

static double
times (double x, double y)
{
  return x * y;
}

static cuComplex
times (cuComplex x, cuComplex y)
{
  return cuCmulf (x, y);
}

static cuDoubleComplex
times (cuDoubleComplex x, cuDoubleComplex y)
{
  return cuCmul (x, y);
}

template <typename T>
gpueig_status
ge_cuda_residual (gpueig_context *ctx, int64_t n, int64_t columns, const T *a,
                  const T *v, const T *lambda, double *error)
{
  typedef typename real_of<T>::type R;
  const int64_t parts = 1 + is_complex<T>::value;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  T *host, *z, *y, *r;
  R size = 0, rest = 0;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, columns, &host));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &z));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &y));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &r));
  fill_random (columns, host);
  GE_TRY (copy_to_device (ctx, columns, host, z));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, columns, (R) 1, v, n,
                   z, columns, (R) 0, y, n));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, (R) 1, a, n, y, n,
                   (R) 0, r, n));
  for (int64_t i = 0; i < columns; i++)
    host[i] = times (host[i], lambda[i]);
  GE_TRY (copy_to_device (ctx, columns, host, z));
  CUBLAS (ge_gemm (blas, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, columns, (R) -1, v, n,
                   z, columns, (R) 1, r, n));
  CUBLAS (ge_nrm2 (blas, parts * n * n, (const R *) a, &size));
  CUBLAS (ge_nrm2 (blas, parts * n, (const R *) r, &rest));
  *error = relative ((double) rest, (double) size);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_spectrum (gpueig_context *ctx, int64_t n, const T *a,
                  const typename real_of<T>::type *lambda, double *error)
{
  typedef typename real_of<T>::type R;
  const int64_t parts = 1 + is_complex<T>::value;
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  R *diagonal, size = 0;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &diagonal));
  CU (cudaMemcpy2DAsync (diagonal, sizeof (R), a, (size_t) (n + 1) * sizeof (T),
                         sizeof (R), (size_t) n, cudaMemcpyDeviceToHost,
                         stream));
  CU (cudaStreamSynchronize (stream));
  CUBLAS (
      ge_nrm2 (ge_cuda_of (ctx)->blas, parts * n * n, (const R *) a, &size));
  double trace = 0, square = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double l = (double) lambda[i] / (double) (size > 0 ? size : 1);
      trace += l - (double) diagonal[i] / (double) (size > 0 ? size : 1);
      square += l * l;
    }
  *error = fmax (relative (fabs (trace), 1),
                 relative (fabs (square - (size > 0)), 1));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status ge_cuda_reflector (gpueig_context *, int64_t, T **);  \
  template gpueig_status ge_cuda_reflect_both (gpueig_context *, int64_t,      \
                                               const T *, T *);                \
  template gpueig_status ge_cuda_reflect (gpueig_context *, int64_t, int64_t,  \
                                          const T *, T *);                     \
  template gpueig_status ge_cuda_orthogonality (gpueig_context *, int64_t,     \
                                                int64_t, const T *, double *); \
  template gpueig_status ge_cuda_departure (gpueig_context *, int64_t,         \
                                            const T *, double *);              \
  template gpueig_status ge_cuda_residual (gpueig_context *, int64_t, int64_t, \
                                           const T *, const T *, const T *,    \
                                           double *);                          \
  template gpueig_status ge_cuda_spectrum (                                    \
      gpueig_context *, int64_t, const T *, const real_of<T>::type *,          \
      double *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)

#define INSTANTIATE_REAL(R)                                                    \
  template gpueig_status ge_cuda_scale (gpueig_context *, int64_t, int, R *);  \
  template gpueig_status ge_cuda_scale_up (gpueig_context *, int64_t, R *,     \
                                           int *);
INSTANTIATE_REAL (float)
INSTANTIATE_REAL (double)
