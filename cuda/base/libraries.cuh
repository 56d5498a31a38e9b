/* Checked calls of cuBLAS, cuSOLVER and cuSPARSE; not in cuda.cuh because their headers take
   longer to compile than many a file of kernels.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_LIBRARIES_CUH
#define GE_LIBRARIES_CUH 1

#include "base/cuda.cuh"

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>

/* As CU: CUBLAS (cublasDgemm (...)); CUSOLVER (cusolverDnXsyevd (...)); status.cu  */
gpueig_status ge_cublas_status (gpueig_context *ctx, cublasStatus_t error,
                                const char *call);
gpueig_status ge_cusolver_status (gpueig_context *ctx, cusolverStatus_t error,
                                  const char *call);
gpueig_status ge_cusparse_status (gpueig_context *ctx, cusparseStatus_t error,
                                  const char *call);

#define CUBLAS(call) GE_TRY (ge_cublas_status (ctx, (call), #call))
#define CUSOLVER(call) GE_TRY (ge_cusolver_status (ctx, (call), #call))
#define CUSPARSE(call) GE_TRY (ge_cusparse_status (ctx, (call), #call))

#endif
