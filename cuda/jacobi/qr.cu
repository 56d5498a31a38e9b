/* Orthonormal columns by cuSOLVER's Householder QR.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "jacobi/jacobi.cuh"

/* Overloads of cuSOLVER's QR for the four scalar types.  */
#define GE_QR_OVERLOADS(T, L, UNGQR)                                           \
  static cusolverStatus_t ge_geqrf_size (cusolverDnHandle_t h, int n, T *x,    \
                                         int ld, int *lwork)                   \
  {                                                                            \
    return cusolverDn##L##geqrf_bufferSize (h, n, n, x, ld, lwork);            \
  }                                                                            \
  static cusolverStatus_t ge_ungqr_size (cusolverDnHandle_t h, int n, T *x,    \
                                         int ld, T *tau, int *lwork)           \
  {                                                                            \
    return cusolverDn##L##UNGQR##_bufferSize (h, n, n, n, x, ld, tau, lwork);  \
  }                                                                            \
  static cusolverStatus_t ge_geqrf (cusolverDnHandle_t h, int n, T *x, int ld, \
                                    T *tau, T *work, int lwork, int *failed)   \
  {                                                                            \
    return cusolverDn##L##geqrf (h, n, n, x, ld, tau, work, lwork, failed);    \
  }                                                                            \
  static cusolverStatus_t ge_ungqr (cusolverDnHandle_t h, int n, T *x, int ld, \
                                    T *tau, T *work, int lwork, int *failed)   \
  {                                                                            \
    return cusolverDn##L##UNGQR (h, n, n, n, x, ld, tau, work, lwork, failed); \
  }
GE_QR_OVERLOADS (float, S, orgqr)
GE_QR_OVERLOADS (double, D, orgqr)
GE_QR_OVERLOADS (cuComplex, C, ungqr)
GE_QR_OVERLOADS (cuDoubleComplex, Z, ungqr)

template <typename T>
gpueig_status
ge_cuda_orthonormalize (gpueig_context *ctx, int64_t n, int64_t ld, T *x)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  int lwork1 = 0, lwork2 = 0, *failed, mark = ge_mark (ctx);
  T *tau, *work;
  if (n > INT32_MAX / 64)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "a guess of order %lld is too large", (long long) n);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &tau));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &failed));
  CUSOLVER (ge_geqrf_size (cuda->solver, (int) n, x, (int) ld, &lwork1));
  CUSOLVER (ge_ungqr_size (cuda->solver, (int) n, x, (int) ld, tau, &lwork2));
  int lwork = lwork1 > lwork2 ? lwork1 : lwork2;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, lwork, &work));
  CUSOLVER (
      ge_geqrf (cuda->solver, (int) n, x, (int) ld, tau, work, lwork, failed));
  CUSOLVER (
      ge_ungqr (cuda->solver, (int) n, x, (int) ld, tau, work, lwork, failed));
  GE_TRY (ge_wait (ctx));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_orthonormalize)
