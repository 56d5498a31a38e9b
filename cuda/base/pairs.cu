/* Reduction of definite pairs to standard problems, see pairs.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/numbers.cuh"
#include "base/pairs.cuh"
#include "base/verify.cuh"
#include "plan/forms.h"

/* cuBLAS's and cuSOLVER's batched forms for the four scalar types.  */
#define GE_BATCHED(T, L)                                                       \
  static cublasStatus_t trsm_batched (                                         \
      cublasHandle_t h, cublasSideMode_t side, cublasOperation_t trans, int n, \
      int columns, T *const *l, T *const *x, int pages)                        \
  {                                                                            \
    T one = to_scalar ((ge_real<T>) 1, T ());                                  \
    return cublas##L##trsmBatched (h, side, CUBLAS_FILL_MODE_LOWER, trans,     \
                                   CUBLAS_DIAG_NON_UNIT, n, columns, &one,     \
                                   (const T *const *) l, n, x, n, pages);      \
  }                                                                            \
  static cusolverStatus_t potrf_batched (cusolverDnHandle_t h, int n, T **b,   \
                                         int *result, int pages)               \
  {                                                                            \
    return cusolverDn##L##potrfBatched (h, CUBLAS_FILL_MODE_LOWER, n, b, n,    \
                                        result, pages);                        \
  }
GE_BLAS_TYPES (GE_BATCHED)
#undef GE_BATCHED

enum
{
  THREADS = 256,
  LEAF = 64 /* order of diagonal blocks that a thread block inverts */
};

/* --- kernels; blockIdx.y is the page --- */

/* The upper triangle from the lower one, and a real diagonal.  */
template <typename T>
static __global__ void
mirror_kernel (int64_t n, T *a)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  const int64_t i = e % n, j = e / n;
  if (e >= n * n || i > j)
    return;
  a += blockIdx.y * n * n;
  if (i < j)
    a[i + n * j] = conjugate (a[j + n * i]);
  else if (is_complex<T>::value)
    ((ge_real<T> *) (a + i + n * j))[1] = 0;
}

/* *NORM of each page: the sum of the squares of its COUNT reals, in an order that does
   not depend on the number of pages.  One block per page.  */
template <typename R>
static __global__ void
squares_kernel (int64_t count, const R *a, double *norm)
{
  __shared__ double space[THREADS / 32];
  double sum = 0;
  a += blockIdx.x * count;
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x)
    sum += (double) a[i] * (double) a[i];
  sum = block_sum (sum, space, THREADS / 32);
  if (threadIdx.x == 0)
    norm[blockIdx.x] = sum;
}

/* The identity in place of the factors of pages whose RESULT is not 0.  */
template <typename T>
static __global__ void
replace_kernel (int64_t n, const int *result, T *b)
{
  typedef ge_real<T> R;
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e >= n * n || result[blockIdx.y] == 0)
    return;
  R *x = (R *) (b + blockIdx.y * n * n + e);
  x[0] = e % n == e / n;
  if (is_complex<T>::value)
    x[1] = 0;
}

/* NORM: the squares of those of A, B and C.  */
static __global__ void
state_kernel (int64_t n, int64_t pages, const int *result, const double *norm,
              int *state)
{
  const int64_t p = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (p < pages)
    state[p]
        = ge_pair_state (n, result[p], sqrt (norm[p]), sqrt (norm[pages + p]),
                         sqrt (norm[2 * pages + p]));
}

template <typename T>
static __global__ void
point_kernel (int64_t pages, int64_t step, T *x, T **to)
{
  const int64_t p = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (p < pages)
    to[p] = x + p * step;
}

static dim3
grid_for (int64_t n, int64_t pages)
{
  return dim3 (ge_blocks (n * n, THREADS), (unsigned) pages);
}

/* --- the steps --- */

enum
{
  MOST_PAGES = 32768 /* of one launch or call: blockIdx.y is limited */
};

template <typename T>
static gpueig_status
factor_large (gpueig_context *ctx, int64_t n, T *b, int *result)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  size_t device_bytes = 0, host_bytes = 0;
  char *device_work, *host_work;
  CUSOLVER (cusolverDnXpotrf_bufferSize (
      cuda->solver, NULL, CUBLAS_FILL_MODE_LOWER, n, cuda_type<T>::value, b, n,
      cuda_type<T>::value, &device_bytes, &host_bytes));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) device_bytes, &device_work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) host_bytes, &host_work));
  CUSOLVER (cusolverDnXpotrf (cuda->solver, NULL, CUBLAS_FILL_MODE_LOWER, n,
                              cuda_type<T>::value, b, n, cuda_type<T>::value,
                              device_work, device_bytes, host_work, host_bytes,
                              result));
  return GPUEIG_OK;
}

/* P <- L, the rest of it the identity, both of order N; X <- 0.  */
template <typename T>
GE_KERNEL (THREADS)
pad_kernel (int64_t n, int64_t padded, const T *l, T *p, T *x)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  const int64_t i = e % padded, j = e / padded;
  if (e >= padded * padded)
    return;
  p[e] = i < n && j <= i ? l[i + n * j] : make_number<T> (i == j, 0);
  x[e] = zero<T> ();
}

/* The diagonal blocks of X, of order LEAF, become the inverses of those of P; a column in
   each thread.  */
template <typename T>
GE_KERNEL (LEAF)
invert_leaves (int64_t padded, const T *p, T *x)
{
  extern __shared__ double2 leaf_memory[];
  constexpr int LD = LEAF + 1;
  T *const l = (T *) leaf_memory, *const y = l + LEAF * LD;
  const int j = (int) threadIdx.x;
  const int64_t at = (int64_t) blockIdx.x * LEAF * (padded + 1);
  for (int k = 0; k < LEAF; k++)
    l[j + LD * k] = p[at + j + padded * k];
  __syncthreads ();
  for (int i = 0; i < LEAF; i++)
    {
      T sum[4]
          = { make_number<T> (i == j, 0), zero<T> (), zero<T> (), zero<T> () };
      int k = j;
      for (; k + 3 < i; k += 4)
#pragma unroll
        for (int u = 0; u < 4; u++)
          sum[u] = mul_sub (l[i + LD * (k + u)], y[k + u + LD * j], sum[u]);
      for (; k < i; k++)
        sum[0] = mul_sub (l[i + LD * k], y[k + LD * j], sum[0]);
      const T all = plus (plus (sum[0], sum[1]), plus (sum[2], sum[3]));
      y[i + LD * j]
          = i < j ? zero<T> () : times (1 / real_part (l[i + LD * i]), all);
    }
  __syncthreads ();
  for (int k = 0; k < LEAF; k++)
    x[at + j + padded * k] = y[j + LD * k];
}

/* X <- the inverse of P, lower triangular of order PADDED, a multiple of LEAF: blocks of order
   h are combined to ones of order 2 h by X21 = -X22 (L21 X11).  WORK: a quarter of X.  */
template <typename T>
static gpueig_status
invert_factor (gpueig_context *ctx, int64_t padded, const T *p, T *x, T *work)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cublasOperation_t none = CUBLAS_OP_N;
  const size_t bytes = 2 * sizeof (T) * LEAF * (LEAF + 1);
  GE_ALLOW_SHARED (invert_leaves<T>, bytes);
  GE_LAUNCH (invert_leaves<T>, (unsigned) (padded / LEAF), LEAF, bytes, padded,
             p, x);
  for (int64_t h = LEAF; h < padded; h *= 2)
    {
      /* pairs of whole blocks, and one whose second block is smaller */
      const int64_t whole = padded / (2 * h), left = padded - 2 * h * whole;
      const int64_t step = 2 * h * (padded + 1), last = step * whole;
      if (whole > 0)
        {
          CUBLAS (ge_gemm_strided (cuda->blas, none, none, h, h, h, (R) 1,
                                   p + h, padded, step, x, padded, step, (R) 0,
                                   work, h, h * h, whole));
          CUBLAS (ge_gemm_strided (cuda->blas, none, none, h, h, h, (R) -1,
                                   x + h * (padded + 1), padded, step, work, h,
                                   h * h, (R) 0, x + h, padded, step, whole));
        }
      if (left > h)
        {
          CUBLAS (ge_gemm (cuda->blas, none, none, left - h, h, h, (R) 1,
                           p + last + h, padded, x + last, padded, (R) 0, work,
                           left - h));
          CUBLAS (ge_gemm (cuda->blas, none, none, left - h, h, left - h,
                           (R) -1, x + last + h * (padded + 1), padded, work,
                           left - h, (R) 0, x + last + h, padded));
        }
    }
  return GPUEIG_OK;
}

/* The order of factors that are inverted, and their leading dimension.  */
static int64_t
padded_order (int64_t n)
{
  return (n + LEAF - 1) / LEAF * LEAF;
}

/* X, nearly the inverse of P, becomes 2 X - (X P) X, in *INVERSE.  The products of inverses of diagonal
   blocks leave errors of the condition number in X P, which vectors X' Y of small norm would all have.
   WORK: as X.  */
template <typename T>
static gpueig_status
correct_inverse (gpueig_context *ctx, int64_t padded, T *p, const T *x, T *work,
                 T **inverse)
{
  typedef ge_real<T> R;
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t none = CUBLAS_OP_N;
  CUBLAS (ge_gemm (blas, none, none, padded, padded, padded, (R) 1, x, padded,
                   p, padded, (R) 0, work, padded));
  GE_TRY (ge_copy (ctx, p, x, padded * padded));
  CUBLAS (ge_gemm (blas, none, none, padded, padded, padded, (R) -1, work,
                   padded, x, padded, (R) 2, p, padded));
  *inverse = p;
  return GPUEIG_OK;
}

/* A <- inv (L) A inv (L)' by products, which are faster than substitutions where these are
   bound by their length; *INVERSE: inv (L), with zeros above its diagonal.  */
template <typename T>
static gpueig_status
multiply_inverse (gpueig_context *ctx, int64_t n, T *a, const T *l, T **inverse)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cublasOperation_t none = CUBLAS_OP_N;
  const int64_t padded = padded_order (n), all = padded * padded;
  T *p, *x, *work;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, all, &p, &x, &work));
  GE_LAUNCH (pad_kernel<T>, grid_for (padded, 1), THREADS, 0, n, padded, l, p,
             x);
  GE_TRY (invert_factor<T> (ctx, padded, p, x, work));
  GE_TRY (correct_inverse<T> (ctx, padded, p, x, work, inverse));
  /* in the place of X */
  CUBLAS (ge_gemm (cuda->blas, none, none, n, n, n, (R) 1, *inverse, padded, a,
                   n, (R) 0, x, n));
  CUBLAS (ge_gemm (cuda->blas, none, ge_adjoint<T> (), n, n, n, (R) 1, x, n,
                   *inverse, padded, (R) 0, a, n));
  return GPUEIG_OK;
}

/* Without a wait: where the factorisation failed, the products have no meaning.  */
template <typename T>
static gpueig_status
reduce_large (gpueig_context *ctx, int64_t n, T *a, T *b, int *state)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int mark = ge_mark (ctx);
  double *squares;
  R *norm;
  int *result;
  T *inverse = NULL;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, 3, &norm, &squares));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &result));
  GE_TRY (ge_cuda_norm (ctx, n * n, a, norm));
  GE_TRY (ge_cuda_norm (ctx, n * n, b, norm + 1));
  GE_TRY (factor_large (ctx, n, b, result));
  if (ge_pair_by_inverse (n))
    GE_TRY (multiply_inverse<T> (ctx, n, a, b, &inverse));
  else
    {
      CUBLAS (ge_trsm (cuda->blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                       CUBLAS_OP_N, n, n, b, n, a, n));
      CUBLAS (ge_trsm (cuda->blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER,
                       ge_adjoint<T> (), n, n, b, n, a, n));
    }
  GE_LAUNCH (mirror_kernel<T>, grid_for (n, 1), THREADS, 0, n, a);
  GE_TRY (ge_cuda_norm (ctx, n * n, a, norm + 2));
  GE_LAUNCH (squares_kernel<R>, 3, THREADS, 0, 1, norm, squares);
  GE_LAUNCH (state_kernel, 1, 1, 0, n, 1, result, squares, state);
  if (inverse)
    CU (cudaMemcpy2DAsync (b, (size_t) n * sizeof (T), inverse,
                           (size_t) padded_order (n) * sizeof (T),
                           (size_t) n * sizeof (T), (size_t) n,
                           cudaMemcpyDeviceToDevice, cuda->stream));
  return ge_close_frame (ctx, mark);
}

template <typename T>
static gpueig_status
reduce_together (gpueig_context *ctx, int64_t n, int64_t pages, T *a, T *b,
                 int *state)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const int64_t square = n * n, reals = square * (1 + is_complex<T>::value);
  const unsigned blocks = ge_blocks (pages, THREADS);
  const unsigned each = (unsigned) pages;
  T **to_a, **to_b;
  int *result;
  double *norm;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, pages, &to_a, &to_b, &result));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * pages, &norm));
  GE_LAUNCH (point_kernel<T>, blocks, THREADS, 0, pages, square, a, to_a);
  GE_LAUNCH (point_kernel<T>, blocks, THREADS, 0, pages, square, b, to_b);
  GE_LAUNCH (squares_kernel<R>, each, THREADS, 0, reals, (const R *) a, norm);
  GE_LAUNCH (squares_kernel<R>, each, THREADS, 0, reals, (const R *) b,
             norm + pages);
  CUSOLVER (potrf_batched (cuda->solver, (int) n, to_b, result, (int) pages));
  GE_LAUNCH (replace_kernel<T>, grid_for (n, pages), THREADS, 0, n, result, b);
  CUBLAS (trsm_batched (cuda->blas, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, (int) n,
                        (int) n, to_b, to_a, (int) pages));
  CUBLAS (trsm_batched (cuda->blas, CUBLAS_SIDE_RIGHT, ge_adjoint<T> (),
                        (int) n, (int) n, to_b, to_a, (int) pages));
  GE_LAUNCH (mirror_kernel<T>, grid_for (n, pages), THREADS, 0, n, a);
  GE_LAUNCH (squares_kernel<R>, each, THREADS, 0, reals, (const R *) a,
             norm + 2 * pages);
  GE_LAUNCH (state_kernel, blocks, THREADS, 0, n, pages, result, norm, state);
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
ge_cuda_reduce_pairs (gpueig_context *ctx, int64_t n, int64_t pages, T *a, T *b,
                      int *state)
{
  const int64_t square = n * n, most = ge_pairs_in_batches (n) ? MOST_PAGES : 1;
  if (ge_cuda_small_pairs_fit<T> (ctx, n))
    return ge_cuda_reduce_small_pairs<T> (ctx, n, pages, a, b, state);
  for (int64_t p = 0; p < pages; p += most)
    {
      const int64_t some = pages - p < most ? pages - p : most;
      T *const x = a + p * square, *const y = b + p * square;
      if (ge_pairs_in_batches (n))
        GE_TRY (reduce_together<T> (ctx, n, some, x, y, state + p));
      else
        GE_TRY (reduce_large<T> (ctx, n, x, y, state + p));
    }
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
back_together (gpueig_context *ctx, int64_t n, int64_t columns, int64_t pages,
               const T *l, T *v)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const unsigned blocks = ge_blocks (pages, THREADS);
  T **to_l, **to_v;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, pages, &to_l, &to_v));
  GE_LAUNCH (point_kernel<T>, blocks, THREADS, 0, pages, n * n, (T *) l, to_l);
  GE_LAUNCH (point_kernel<T>, blocks, THREADS, 0, pages, n * columns, v, to_v);
  CUBLAS (trsm_batched (cuda->blas, CUBLAS_SIDE_LEFT, ge_adjoint<T> (), (int) n,
                        (int) columns, to_l, to_v, (int) pages));
  return ge_close_frame (ctx, mark);
}

/* V <- L^-H V with FACTOR, L or its inverse, as reduce_large leaves it.  */
template <typename T>
static gpueig_status
back_large (gpueig_context *ctx, int64_t n, int64_t columns, const T *factor,
            T *v)
{
  typedef ge_real<T> R;
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  T *product;
  const int mark = ge_mark (ctx);
  if (! ge_pair_by_inverse (n))
    CUBLAS (ge_trsm (blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                     ge_adjoint<T> (), n, columns, factor, n, v, n));
  else
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * columns, &product));
      CUBLAS (ge_gemm (blas, ge_adjoint<T> (), CUBLAS_OP_N, n, columns, n,
                       (R) 1, factor, n, v, n, (R) 0, product, n));
      GE_TRY (ge_copy (ctx, v, product, n * columns));
    }
  return ge_close_frame (ctx, mark);
}

template <typename T>
gpueig_status
ge_cuda_pairs_back (gpueig_context *ctx, int64_t n, int64_t columns,
                    int64_t pages, const T *l, T *v)
{
  const int64_t most = ge_pairs_in_batches (n) ? MOST_PAGES : 1;
  if (ge_cuda_small_pairs_fit<T> (ctx, n))
    return ge_cuda_small_pairs_back<T> (ctx, n, columns, pages, l, v);
  for (int64_t p = 0; p < pages; p += most)
    {
      const int64_t some = pages - p < most ? pages - p : most;
      const T *const x = l + p * n * n;
      T *const y = v + p * n * columns;
      if (ge_pairs_in_batches (n))
        GE_TRY (back_together<T> (ctx, n, columns, some, x, y));
      else
        GE_TRY (back_large<T> (ctx, n, columns, x, y));
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_reduce_pair (gpueig_context *ctx, int64_t n, T *a, T *b, int *state)
{
  return ge_cuda_small_pairs_fit<T> (ctx, n)
             ? ge_cuda_reduce_small_pairs<T> (ctx, n, 1, a, b, state)
             : reduce_large<T> (ctx, n, a, b, state);
}

template <typename T>
gpueig_status
ge_cuda_pair_back (gpueig_context *ctx, int64_t n, int64_t columns, const T *l,
                   T *v)
{
  return ge_cuda_small_pairs_fit<T> (ctx, n)
             ? ge_cuda_small_pairs_back<T> (ctx, n, columns, 1, l, v)
             : back_large<T> (ctx, n, columns, l, v);
}

GE_INSTANTIATE (ge_cuda_reduce_pair)
GE_INSTANTIATE (ge_cuda_pair_back)
GE_INSTANTIATE (ge_cuda_reduce_pairs)
GE_INSTANTIATE (ge_cuda_pairs_back)
