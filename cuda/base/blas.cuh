/* Overloads of cuBLAS routines for the four scalar types, column-major, on the
   context's handle.  Scalar factors are real and passed by value.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_BLAS_CUH
#define GE_BLAS_CUH 1

#include "base/libraries.cuh"

template <typename T>
static inline T
to_scalar (ge_real<T> x, T)
{
  if constexpr (is_complex<T>::value)
    return { x, 0 };
  else
    return x;
}

#define GE_BLAS_TYPES(X)                                                       \
  X (float, S)                                                                 \
  X (double, D)                                                                \
  X (cuComplex, C)                                                             \
  X (cuDoubleComplex, Z)

#define GE_OVERLOADS(T, L)                                                     \
  static inline cublasStatus_t ge_gemm (                                       \
      cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int64_t m, \
      int64_t n, int64_t k, ge_real<T> alpha, const T *a, int64_t lda,         \
      const T *b, int64_t ldb, ge_real<T> beta, T *c, int64_t ldc)             \
  {                                                                            \
    T al = to_scalar (alpha, T ()), be = to_scalar (beta, T ());               \
    return cublas##L##gemm_64 (h, ta, tb, m, n, k, &al, a, lda, b, ldb, &be,   \
                               c, ldc);                                        \
  }                                                                            \
  static inline cublasStatus_t ge_gemm_strided (                               \
      cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int64_t m, \
      int64_t n, int64_t k, ge_real<T> alpha, const T *a, int64_t lda,         \
      int64_t stride_a, const T *b, int64_t ldb, int64_t stride_b,             \
      ge_real<T> beta, T *c, int64_t ldc, int64_t stride_c, int64_t batch)     \
  {                                                                            \
    T al = to_scalar (alpha, T ()), be = to_scalar (beta, T ());               \
    return cublas##L##gemmStridedBatched_64 (h, ta, tb, m, n, k, &al, a, lda,  \
                                             stride_a, b, ldb, stride_b, &be,  \
                                             c, ldc, stride_c, batch);         \
  }                                                                            \
  static inline cublasStatus_t ge_trsm (                                       \
      cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,          \
      cublasOperation_t trans, int64_t m, int64_t n, const T *a, int64_t lda,  \
      T *b, int64_t ldb)                                                       \
  {                                                                            \
    T one = to_scalar ((ge_real<T>) 1, T ());                                  \
    return cublas##L##trsm_64 (h, side, uplo, trans, CUBLAS_DIAG_NON_UNIT, m,  \
                               n, &one, a, lda, b, ldb);                       \
  }
GE_BLAS_TYPES (GE_OVERLOADS)
#undef GE_OVERLOADS

/* C <- alpha A B' + beta C, C n-by-n, A and B n-by-k, where A B' is Hermitian.
   Only the triangle UPLO of C is written.  */
#define GE_RANK_UPDATES(T, NAME)                                               \
  static inline cublasStatus_t ge_herkx (                                      \
      cublasHandle_t h, cublasFillMode_t uplo, int64_t n, int64_t k,           \
      ge_real<T> alpha, const T *a, int64_t lda, const T *b, int64_t ldb,      \
      ge_real<T> beta, T *c, int64_t ldc)                                      \
  {                                                                            \
    T al = to_scalar (alpha, T ());                                            \
    return cublas##NAME##_64 (h, uplo, CUBLAS_OP_N, n, k, &al, a, lda, b, ldb, \
                              &beta, c, ldc);                                  \
  }
GE_RANK_UPDATES (float, Ssyrkx)
GE_RANK_UPDATES (double, Dsyrkx)
GE_RANK_UPDATES (cuComplex, Cherkx)
GE_RANK_UPDATES (cuDoubleComplex, Zherkx)
#undef GE_RANK_UPDATES

/* For vectors of N reals: X <- alpha X; the 2-norm.  */
#define GE_REAL_OVERLOADS(R, L, l)                                             \
  static inline cublasStatus_t ge_scal (cublasHandle_t h, int64_t n, R alpha,  \
                                        R *x)                                  \
  {                                                                            \
    return cublas##L##scal_64 (h, n, &alpha, x, 1);                            \
  }                                                                            \
  static inline cublasStatus_t ge_nrm2 (cublasHandle_t h, int64_t n,           \
                                        const R *x, R *norm)                   \
  {                                                                            \
    return cublas##L##nrm2_64 (h, n, x, 1, norm);                              \
  }
GE_REAL_OVERLOADS (float, S, s)
GE_REAL_OVERLOADS (double, D, d)
#undef GE_REAL_OVERLOADS

/* Conjugate transpose; plain transpose for real types.  */
template <typename T>
static inline cublasOperation_t
ge_adjoint (void)
{
  return is_complex<T>::value ? CUBLAS_OP_C : CUBLAS_OP_T;
}

#endif
