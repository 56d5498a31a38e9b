/* Square roots of upper triangular matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   By superdiagonals of blocks (E. Deadman, N. J. Higham, R. Ralha, Blocked Schur algorithms
   for computing the matrix square root, PARA 2012): with R^2 = T, block (i, i + d) of R
   solves R(i, i) X + X R(i + d, i + d) = T(i, i + d) - R(i, i + 1 .. i + d - 1)
   R(i + 1 .. i + d - 1, i + d).  The blocks of one superdiagonal are independent, and the
   operands of their products are submatrices that lie equally far apart.  */

#include "array/array.cuh"
#include "base/blas.cuh"

enum
{
  BLOCK = 32, /* order of a block, and lanes of its rows */
  THREADS = 256,
  COLUMNS = BLOCK * BLOCK / THREADS /* of a thread */
};

/* --- elements --- */

/* s - x y */
template <typename E>
GE_DEVICE_INLINE E
subtract_product (E s, E x, E y)
{
  if constexpr (is_pair<E>::value)
    return el_number (fma (x.im, y.im, fma (-x.re, y.re, s.re)),
                      fma (-x.im, y.re, fma (-x.re, y.im, s.im)));
  else
    return fma (-x, y, s);
}

/* c / (x + y); zero stays zero, whatever the divisor.  */
template <typename E>
GE_DEVICE_INLINE E
quotient (E c, E x, E y)
{
  if constexpr (is_pair<E>::value)
    return c.re == 0 && c.im == 0
               ? c
               : el_divide (c, el_number (x.re + y.re, x.im + y.im));
  else
    return c == 0 ? c : c / (x + y);
}

/* The principal root, an imaginary part -0 counting as +0.  */
template <typename E>
GE_DEVICE_INLINE E
root_of (E x)
{
  if constexpr (is_pair<E>::value)
    return el_sqrt (el_number (x.re, x.im == 0 ? 0 : x.im));
  else
    return sqrt (x);
}

template <typename E>
GE_DEVICE_INLINE void
set_to_one (E *x)
{
  if constexpr (is_pair<E>::value)
    x->re = 1;
  else
    *x = 1;
}

/* --- kernels --- */

/* TO, N-by-N, becomes T, n-by-n, and the identity in the other rows and columns; with BACK
   the upper triangle of T becomes that of TO.  */
template <typename E>
static __global__ void
pad_kernel (int64_t n, E *t, int64_t order, E *to, int back)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x,
                i = e % order, j = e / order;
  if (j >= order)
    return;
  const int inside = i <= j && j < n;
  if (back && inside)
    t[i + j * n] = to[e];
  else if (! back && inside)
    to[e] = t[i + j * n];
  else if (! back)
    {
      E x = {};
      if (i == j)
        set_to_one (&x);
      to[e] = x;
    }
}

/* Each block on the diagonal becomes its root.  One block of 32 threads each.  */
template <typename E> GE_KERNEL (BLOCK) diagonal_kernel (int64_t order, E *t)
{
  __shared__ E r[BLOCK * (BLOCK + 1)];
  const int i = threadIdx.x, ld = BLOCK + 1;
  E *own = t + blockIdx.x * (order + 1) * BLOCK;
  for (int j = 0; j < BLOCK; j++)
    r[i + j * ld] = own[i + j * order];
  r[i + i * ld] = root_of (r[i + i * ld]);
  __syncthreads ();
  for (int d = 1; d < BLOCK; d++)
    {
      if (i + d < BLOCK)
        {
          const int j = i + d;
          E x = r[i + j * ld];
          for (int k = i + 1; k < j; k++)
            x = subtract_product (x, r[i + k * ld], r[k + j * ld]);
          r[i + j * ld] = quotient (x, r[i + i * ld], r[j + j * ld]);
        }
      __syncthreads ();
    }
  for (int j = i; j < BLOCK; j++)
    own[i + j * order] = r[i + j * ld];
}

/* Each block (i, i + DISTANCE), C, becomes X with R(i, i) X + X R(i + d, i + d) = C, by
   antidiagonals: in step w the elements (i, j) with i = BLOCK - 1 - w + j are found and
   taken out of what is left.  A thread has elements of one row in several columns.  */
template <typename E>
GE_KERNEL (THREADS)
sylvester_kernel (int64_t order, int64_t distance, E *t)
{
  __shared__ E a[BLOCK * BLOCK], b[BLOCK * BLOCK], found[2][BLOCK];
  const int i = threadIdx.x % BLOCK, j0 = threadIdx.x / BLOCK;
  const int step = THREADS / BLOCK;
  E *first = t + blockIdx.x * (order + 1) * BLOCK,
    *second = first + distance * (order + 1) * BLOCK,
    *own = first + distance * BLOCK * order;
  E c[COLUMNS];
  for (int k = 0; k < COLUMNS; k++)
    {
      const int j = j0 + k * step;
      a[i + j * BLOCK] = first[i + j * order];
      b[i + j * BLOCK] = second[i + j * order];
      c[k] = own[i + j * order];
    }
  __syncthreads ();
  for (int w = 0; w < 2 * BLOCK - 1; w++)
    {
      const int shift = BLOCK - 1 - w; /* i - j */
      E *x = found[w % 2];
      for (int k = 0; k < COLUMNS; k++)
        {
          const int j = j0 + k * step;
          if (i - j == shift)
            {
              c[k] = quotient (c[k], a[i + i * BLOCK], b[j + j * BLOCK]);
              x[j] = c[k];
            }
        }
      __syncthreads ();
      /* the column that has an element in this row */
      const int from = i - shift;
      for (int k = 0; k < COLUMNS; k++)
        {
          const int j = j0 + k * step, row = j + shift;
          if (row > i && row < BLOCK)
            c[k] = subtract_product (c[k], a[i + row * BLOCK], x[j]);
          if (from >= 0 && from < j)
            c[k] = subtract_product (c[k], x[from], b[from + j * BLOCK]);
        }
    }
  for (int k = 0; k < COLUMNS; k++)
    own[i + (j0 + k * step) * order] = c[k];
}

/* --- the operation --- */

template <typename T>
static gpueig_status
root (gpueig_context *ctx, int64_t n, void *matrix)
{
  typedef typename element_of<T>::type E;
  const int64_t blocks = (n + BLOCK - 1) / BLOCK, order = blocks * BLOCK,
                stride = (order + 1) * BLOCK;
  const unsigned grid = ge_blocks (order * order, THREADS);
  const int mark = ge_mark (ctx);
  T *t;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, order * order, &t));
  GE_LAUNCH (pad_kernel<E>, grid, THREADS, 0, n, (E *) matrix, order, (E *) t,
             0);
  GE_LAUNCH (diagonal_kernel<E>, (unsigned) blocks, BLOCK, 0, order, (E *) t);
  for (int64_t d = 1; d < blocks; d++)
    {
      T *own = t + d * BLOCK * order;
      if (d > 1)
        CUBLAS (ge_gemm_strided (
            ge_cuda_of (ctx)->blas, CUBLAS_OP_N, CUBLAS_OP_N, BLOCK, BLOCK,
            (d - 1) * BLOCK, -1, t + BLOCK * order, order, stride, own + BLOCK,
            order, stride, 1, own, order, stride, blocks - d));
      GE_LAUNCH (sylvester_kernel<E>, (unsigned) (blocks - d), THREADS, 0,
                 order, d, (E *) t);
    }
  GE_LAUNCH (pad_kernel<E>, grid, THREADS, 0, n, (E *) matrix, order, (E *) t,
             1);
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_root (gpueig_context *ctx, gpueig_type type, int64_t n, void *t)
{
  return GE_CUDA_BY_TYPE (type, root, (ctx, n, t));
}
