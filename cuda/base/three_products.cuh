/* Complex products as three real ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   X Y has the real part a - b and the imaginary part a + c, a = Xr (Yr + Yi), b = (Xr + Xi)
   Yi, c = (Xi - Xr) Yr; its error in the norm is hardly larger than that of four products
   (N. J. Higham, SIAM J. Matrix Anal. Appl. 13 (1992) 681).

   By cublasZgemm3m, which adds the parts once for every tile, or, where a large matrix is
   used several times, as planes of real numbers: right operands are the planes re, im, re +
   im, left ones re + im, re - im, re.  */

#ifndef GE_THREE_PRODUCTS_CUH
#define GE_THREE_PRODUCTS_CUH 1

#include "base/blas.cuh"
#include "base/numbers.cuh"

/* A product as ge_gemm, of large matrices: in complex double precision by three products.  */
template <typename T>
static cublasStatus_t
ge_large_product (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                  int64_t m, int64_t n, int64_t k, ge_real<T> alpha, const T *a,
                  int64_t lda, const T *b, int64_t ldb, ge_real<T> beta, T *c,
                  int64_t ldc)
{
  if constexpr (is_complex<T>::value && sizeof (T) == sizeof (double2))
    {
      const T x = { alpha, 0 }, y = { beta, 0 };
      return cublasZgemm3m_64 (h, ta, tb, m, n, k, &x, a, lda, b, ldb, &y, c,
                               ldc);
    }
  else
    return ge_gemm (h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* --- planes --- */

/* M-by-COLUMNS; planes of SIZE numbers.  Work space: planes of a left operand, and of
   products with it.  */
template <typename T> struct ge_planes
{
  int64_t m, columns, ld, size;
  ge_real<T> *z, *left, *products;
};

enum
{
  PLANES_THREADS = 256,
  PLANES_COLUMNS = 256 /* at a time, at least */
};

/* Column blockIdx.x of X, M rows, to three planes of a left operand, of conj (X) for SIGN =
   -1, or of a right one for SIGN = 0.  */
template <typename T>
static __global__ void
split_kernel (int64_t m, const T *x, int64_t ld_x, int sign, ge_real<T> *to,
              int64_t ld, int64_t size)
{
  typedef ge_real<T> R;
  x += ld_x * blockIdx.x;
  to += ld * blockIdx.x;
  for (int64_t i = threadIdx.x; i < m; i += PLANES_THREADS)
    {
      const R re = real_part (x[i]), im = imaginary_part (x[i]);
      to[i] = re + (R) sign * im;
      to[i + size] = sign == 0 ? im : re - (R) sign * im;
      to[i + 2 * size] = sign == 0 ? re + im : re;
    }
}

template <typename T>
static __global__ void
join_kernel (int64_t m, const ge_real<T> *from, int64_t ld, int64_t size, T *x)
{
  x += m * blockIdx.x;
  from += ld * blockIdx.x;
  for (int64_t i = threadIdx.x; i < m; i += PLANES_THREADS)
    x[i] = make_number<T> (from[i], from[i + size]);
}

/* Subtract the third plane of column blockIdx.x, M rows, from the first two; the third
   becomes their sum.  Of the products (Vr + Vi)' Zr, (Vr - Vi)' Zi, Vr' (Zr + Zi) it makes
   the imaginary part, the real one and their sum of -V' Z.  */
template <typename R>
static __global__ void
subtract_kernel (int64_t m, R *z, int64_t ld, int64_t size)
{
  z += ld * blockIdx.x;
#pragma unroll 4
  for (int64_t i = threadIdx.x; i < m; i += PLANES_THREADS)
    {
      const R a = z[i + 2 * size], re = z[i] - a, im = z[i + size] - a;
      z[i] = re;
      z[i + size] = im;
      z[i + 2 * size] = re + im;
    }
}

/* Bytes of planes for the fewest columns below, and of what belongs to them.  */
template <typename T>
static double
ge_least_planes_bytes (int64_t m, int64_t k)
{
  const int64_t ld = (m + 3) / 4 * 4;
  return 3 * (double) (k * ld + PLANES_COLUMNS * (ld + k))
         * sizeof (ge_real<T>);
}

/* *P: planes for COLUMNS columns of M rows or, so that half of the memory is left, for
   fewer; K: the most columns of V below.  */
template <typename T>
static gpueig_status
ge_open_planes (gpueig_context *ctx, int64_t m, int64_t k, int64_t columns,
                ge_planes<T> *p)
{
  p->m = m;
  p->ld = (m + 3) / 4 * 4; /* aligned */
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * k * p->ld, &p->left));
  p->columns = PLANES_COLUMNS
               + ctx->memory[GE_DEVICE].available (ctx) / 2
                     / (int64_t) sizeof *p->z / (3 * (p->ld + k));
  p->columns = p->columns < columns ? p->columns : columns;
  p->size = p->ld * p->columns;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * p->size, &p->z));
  return GE_ALLOC (ctx, GE_DEVICE, 3 * k * p->columns, &p->products);
}

/* P <- Z, and back.  */
template <typename T>
static gpueig_status
ge_load_planes (gpueig_context *ctx, const T *z, const ge_planes<T> *p)
{
  GE_LAUNCH (split_kernel<T>, (unsigned) p->columns, PLANES_THREADS, 0, p->m, z,
             p->m, 0, p->z, p->ld, p->size);
  return GPUEIG_OK;
}
template <typename T>
static gpueig_status
ge_store_planes (gpueig_context *ctx, const ge_planes<T> *p, T *z)
{
  GE_LAUNCH (join_kernel<T>, (unsigned) p->columns, PLANES_THREADS, 0, p->m,
             p->z, p->ld, p->size, z);
  return GPUEIG_OK;
}

/* Z <- Z - X' V' Z for the rows from FIRST on; V has K columns, and X as many rows, all
   behind each other.  */
template <typename T>
static gpueig_status
ge_subtract_from_planes (gpueig_context *ctx, int64_t first, int64_t k,
                         const T *v, int64_t ld_v, const T *x,
                         const ge_planes<T> *p)
{
  typedef ge_real<T> R;
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t none = CUBLAS_OP_N, transposed = CUBLAS_OP_T;
  const int64_t m = p->m - first, ld = (m + 3) / 4 * 4, part = k * p->columns;
  const unsigned columns = (unsigned) p->columns;
  R *z = p->z + first, *w = p->products;
  GE_LAUNCH (split_kernel<T>, (unsigned) k, PLANES_THREADS, 0, m, v, ld_v, 1,
             p->left, ld, ld * k);
  CUBLAS (ge_gemm_strided (blas, transposed, none, k, columns, m, (R) 1,
                           p->left, ld, ld * k, z, p->ld, p->size, (R) 0, w, k,
                           part, 3));
  GE_LAUNCH (subtract_kernel<R>, columns, PLANES_THREADS, 0, k, w, k, part);
  GE_LAUNCH (split_kernel<T>, (unsigned) m, PLANES_THREADS, 0, k, x, k, -1,
             p->left, k, k * m);
  CUBLAS (ge_gemm_strided (blas, transposed, none, m, columns, k, (R) -1,
                           p->left, k, k * m, w, k, part, (R) 1, z, p->ld,
                           p->size, 2));
  CUBLAS (ge_gemm (blas, transposed, none, m, columns, k, (R) -1,
                   p->left + 2 * k * m, k, w + 2 * part, k, (R) 0,
                   z + 2 * p->size, p->ld));
  GE_LAUNCH (subtract_kernel<R>, columns, PLANES_THREADS, 0, m, z, p->ld,
             p->size);
  return GPUEIG_OK;
}

#endif
