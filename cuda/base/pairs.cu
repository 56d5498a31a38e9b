/* Reduction of definite pairs to standard problems, see pairs.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/mirror.cuh"
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

/* --- triangular systems ---

   Substitution is bound by its length.  The inverse of L, or the inverses of its diagonal blocks, make it
   a few products.  Those of blocks are as accurate only with one step of refinement: where B is
   ill-conditioned, errors of the condition number of a block would turn all vectors L^-H Y of small
   norm.  */

/* The diagonal blocks, of order H, of a factor of order N, and their inverses, one after the other; with
   the identity beyond the end and zeros above the diagonal.  */
template <typename T> struct factor_blocks
{
  int64_t n, h, count;
  T *l, *inverse;
};

template <typename T>
static gpueig_status
allocate_blocks (gpueig_context *ctx, int64_t n, factor_blocks<T> *b)
{
  b->n = n;
  b->h = ge_factor_block (n, LEAF);
  b->count = (n + b->h - 1) / b->h;
  return ge_alloc_each (ctx, GE_DEVICE, b->h * b->h * b->count, &b->l,
                        &b->inverse);
}

/* The order of block K.  */
template <typename T>
static int64_t
order_of (const factor_blocks<T> &b, int64_t k)
{
  return k + 1 < b.count ? b.h : b.n - k * b.h;
}

/* The blocks from FACTOR: L, or what put_blocks_kernel leaves, if IS_INVERTED.  blockIdx.y is the
   block.  */
template <typename T>
GE_KERNEL (THREADS)
take_blocks_kernel (factor_blocks<T> b, const T *factor, int is_inverted)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  const int64_t h = b.h, n = b.n, first = h * blockIdx.y, i = e % h, j = e / h;
  const int64_t at = h * h * blockIdx.y + e;
  if (e >= h * h)
    return;
  T l = make_number<T> (i == j, 0), x = l;
  factor += first * (n + 1);
  if (first + i < n && j <= i)
    {
      x = factor[i + n * j];
      l = ! is_inverted ? x
          : i == j      ? make_number<T> (1 / real_part (x), 0)
                        : conjugate (factor[j + n * i]);
    }
  b.l[at] = l;
  b.inverse[at] = is_inverted ? x : zero<T> ();
}

/* The lower triangles of the diagonal blocks of FACTOR become those of the inverses, the upper ones
   adjoints of the blocks.  */
template <typename T>
GE_KERNEL (THREADS)
put_blocks_kernel (factor_blocks<T> b, T *factor)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  const int64_t h = b.h, first = h * blockIdx.y, i = e % h, j = e / h;
  if (e >= h * h || first + i >= b.n || j > i)
    return;
  factor += first * (b.n + 1);
  factor[j + b.n * i] = conjugate (b.l[h * h * blockIdx.y + e]);
  factor[i + b.n * j] = b.inverse[h * h * blockIdx.y + e];
}

template <typename T>
static dim3
grid_of (const factor_blocks<T> &b)
{
  return dim3 (ge_blocks (b.h * b.h, THREADS), (unsigned) b.count);
}

/* The diagonal blocks of X, of order LEAF, become the inverses of those of P, both of blocks of
   order H; a column in each thread.  */
template <typename T>
GE_KERNEL (LEAF)
invert_leaves (int64_t h, const T *p, T *x)
{
  extern __shared__ double2 leaf_memory[];
  constexpr int LD = LEAF + 1;
  T *const l = (T *) leaf_memory, *const y = l + LEAF * LD;
  const int j = (int) threadIdx.x;
  const int64_t at = h * h * blockIdx.y + (int64_t) blockIdx.x * LEAF * (h + 1);
  for (int k = 0; k < LEAF; k++)
    l[j + LD * k] = p[at + j + h * k];
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
    x[at + j + h * k] = y[j + LD * k];
}

/* X <- the inverses of the blocks: parts of order m are combined to ones of order 2 m by
   X21 = -X22 (L21 X11).  WORK: as X.  */
template <typename T>
static gpueig_status
combine_inverses (gpueig_context *ctx, const factor_blocks<T> &b, T *x, T *work)
{
  typedef ge_real<T> R;
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t none = CUBLAS_OP_N;
  const size_t bytes = 2 * sizeof (T) * LEAF * (LEAF + 1);
  const int64_t h = b.h, all = h * h;
  GE_ALLOW_SHARED (invert_leaves<T>, bytes);
  GE_LAUNCH (invert_leaves<T>, dim3 ((unsigned) (h / LEAF), (unsigned) b.count),
             LEAF, bytes, h, b.l, x);
  for (int64_t m = LEAF; m < h; m *= 2)
    {
      /* A call has the pairs of a block, or pairs in the same place of all blocks.  */
      const int64_t pairs = h / (2 * m), next = 2 * m * (h + 1);
      const int of_block = pairs > b.count;
      const int64_t calls = of_block ? b.count : pairs,
                    step = of_block ? next : all,
                    each = of_block ? pairs : b.count;
      for (int64_t k = 0; k < calls; k++)
        {
          const int64_t at = k * (of_block ? all : next);
          CUBLAS (ge_gemm_strided (blas, none, none, m, m, m, (R) 1,
                                   b.l + at + m, h, step, x + at, h, step,
                                   (R) 0, work, m, m * m, each));
          CUBLAS (ge_gemm_strided (blas, none, none, m, m, m, (R) -1,
                                   x + at + m * (h + 1), h, step, work, m,
                                   m * m, (R) 0, x + at + m, h, step, each));
        }
    }
  return GPUEIG_OK;
}

/* The inverses of the blocks.  As they are combined they leave errors of the condition number in X L:
   X becomes 2 X - (X L) X.  */
template <typename T>
static gpueig_status
invert_blocks (gpueig_context *ctx, const factor_blocks<T> &b)
{
  typedef ge_real<T> R;
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t none = CUBLAS_OP_N;
  const int64_t h = b.h, all = h * h;
  T *x, *work;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, all * b.count, &x, &work));
  GE_TRY (ge_clear (ctx, x, all * b.count));
  GE_TRY (combine_inverses<T> (ctx, b, x, work));
  CUBLAS (ge_gemm_strided (blas, none, none, h, h, h, (R) 1, x, h, all, b.l, h,
                           all, (R) 0, work, h, all, b.count));
  GE_TRY (ge_copy (ctx, b.inverse, (const T *) x, all * b.count));
  CUBLAS (ge_gemm_strided (blas, none, none, h, h, h, (R) -1, work, h, all, x,
                           h, all, (R) 2, b.inverse, h, all, b.count));
  return ge_close_frame (ctx, mark);
}

/* X, ROWS-by-COLUMNS with leading dimension b.n, becomes op (L)^-1 X with block K of L, or from the
   right X L^-H; WORK: as X.  */
template <typename T>
static gpueig_status
solve_block (gpueig_context *ctx, const factor_blocks<T> &b, int64_t k,
             cublasSideMode_t side, cublasOperation_t op, int64_t rows,
             int64_t columns, T *x, T *work)
{
  typedef ge_real<T> R;
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t none = CUBLAS_OP_N;
  const T *const l = b.l + k * b.h * b.h, *const y = b.inverse + (l - b.l);
  const auto multiply = [=] (R alpha, const T *block, const T *from, int64_t ld,
                             R beta, T *to, int64_t ld_to) {
    return side == CUBLAS_SIDE_LEFT
               ? ge_gemm (blas, op, none, rows, columns, rows, alpha, block,
                          b.h, from, ld, beta, to, ld_to)
               : ge_gemm (blas, none, op, rows, columns, columns, alpha, from,
                          ld, block, b.h, beta, to, ld_to);
  };
  CUBLAS (multiply ((R) 1, y, x, b.n, (R) 0, work, rows));
  if (b.count > 1)
    {
      CUBLAS (multiply ((R) -1, l, work, rows, (R) 1, x, b.n));
      CUBLAS (multiply ((R) 1, y, x, b.n, (R) 1, work, rows));
    }
  CU (cudaMemcpy2DAsync (x, (size_t) b.n * sizeof (T), work,
                         (size_t) rows * sizeof (T), (size_t) rows * sizeof (T),
                         (size_t) columns, cudaMemcpyDeviceToDevice,
                         ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

/* X <- op (L)^-1 X, n-by-COLUMNS; FACTOR: L, of which the diagonal blocks are not read.  */
template <typename T>
static gpueig_status
solve_left (gpueig_context *ctx, const factor_blocks<T> &b, const T *factor,
            cublasOperation_t op, int64_t columns, T *x)
{
  typedef ge_real<T> R;
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t none = CUBLAS_OP_N;
  const int64_t n = b.n;
  T *work;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, b.h * columns, &work));
  for (int64_t i = 0; i < b.count; i++)
    {
      const int64_t k = op == none ? i : b.count - 1 - i, m = order_of (b, k),
                    row = k * b.h, end = row + m;
      const int64_t known = op == none ? row : n - end;
      if (known > 0)
        CUBLAS (ge_gemm (blas, op, none, m, columns, known, (R) -1,
                         op == none ? factor + row : factor + end + n * row, n,
                         op == none ? x : x + end, n, (R) 1, x + row, n));
      GE_TRY (solve_block<T> (ctx, b, k, CUBLAS_SIDE_LEFT, op, m, columns,
                              x + row, work));
    }
  return ge_close_frame (ctx, mark);
}

/* The lower triangle of X <- X L^-H, which is Hermitian; FACTOR as above.  */
template <typename T>
static gpueig_status
solve_right (gpueig_context *ctx, const factor_blocks<T> &b, const T *factor,
             T *x)
{
  typedef ge_real<T> R;
  const cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t none = CUBLAS_OP_N, adjoint = ge_adjoint<T> ();
  const int64_t n = b.n;
  T *work;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * b.h, &work));
  for (int64_t k = 0; k < b.count; k++)
    {
      const int64_t m = order_of (b, k), first = k * b.h, rows = n - first;
      T *const part = x + first * (n + 1);
      if (first > 0)
        CUBLAS (ge_gemm (blas, none, adjoint, rows, m, first, (R) -1, x + first,
                         n, factor + first, n, (R) 1, part, n));
      GE_TRY (solve_block<T> (ctx, b, k, CUBLAS_SIDE_RIGHT, adjoint, rows, m,
                              part, work));
    }
  return ge_close_frame (ctx, mark);
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
  factor_blocks<T> blocks;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, 3, &norm, &squares));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &result));
  GE_TRY (ge_cuda_norm (ctx, n * n, a, norm));
  GE_TRY (ge_cuda_norm (ctx, n * n, b, norm + 1));
  GE_TRY (factor_large (ctx, n, b, result));
  GE_TRY (allocate_blocks<T> (ctx, n, &blocks));
  GE_LAUNCH (take_blocks_kernel<T>, grid_of (blocks), THREADS, 0, blocks,
             (const T *) b, 0);
  GE_TRY (invert_blocks<T> (ctx, blocks));
  GE_TRY (solve_left<T> (ctx, blocks, b, CUBLAS_OP_N, n, a));
  GE_TRY (solve_right<T> (ctx, blocks, b, a));
  GE_LAUNCH (put_blocks_kernel<T>, grid_of (blocks), THREADS, 0, blocks, b);
  GE_TRY (ge_mirror (ctx, n, 1, a, n));
  GE_TRY (ge_cuda_norm (ctx, n * n, a, norm + 2));
  GE_LAUNCH (squares_kernel<R>, 3, THREADS, 0, 1, norm, squares);
  GE_LAUNCH (state_kernel, 1, 1, 0, n, 1, result, squares, state);
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
  GE_TRY (ge_mirror (ctx, n, pages, a, n));
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

/* V <- L^-H V with what reduce_large leaves of B.  */
template <typename T>
static gpueig_status
back_large (gpueig_context *ctx, int64_t n, int64_t columns, const T *factor,
            T *v)
{
  factor_blocks<T> blocks;
  const int mark = ge_mark (ctx);
  GE_TRY (allocate_blocks<T> (ctx, n, &blocks));
  GE_LAUNCH (take_blocks_kernel<T>, grid_of (blocks), THREADS, 0, blocks,
             factor, 1);
  GE_TRY (solve_left<T> (ctx, blocks, factor, ge_adjoint<T> (), columns, v));
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
