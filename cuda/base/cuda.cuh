/* What the .cu files share: the plugin's state, checked calls, scalar types.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   plugin.c        the plugin's one export: its table of solvers
   cuda.cu         opening, choice of the device, handles, device memory, timers
   query.cu        what gpu_info says
   status.cu       errors of CUDA calls, names of launches, faults for tests
   transfer.cu     copies between host and device
   job.cu          library calls that cannot be interrupted
   products.cu     products of the pages of stacks
   similarity.cu   scaling and random similarities ahead of cuSOLVER's reductions
   verify.cu       samples of residual and orthogonality of a library's result  */

#ifndef GE_CUDA_CUH
#define GE_CUDA_CUH 1

#include "base/backend.h"

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include "base/plugin.h"

/* --- checked calls, status.cu ---

   In a function that returns gpueig_status, with ctx in scope:
   CU (cudaMemcpyAsync (...)); CUBLAS (cublasDgemm (...)); CUSOLVER (...);
   LAUNCHED (); after a kernel launch.  */

gpueig_status ge_cuda_status (gpueig_context *ctx, cudaError_t error,
                              const char *call);
gpueig_status ge_cublas_status (gpueig_context *ctx, cublasStatus_t error,
                                const char *call);
gpueig_status ge_cusolver_status (gpueig_context *ctx, cusolverStatus_t error,
                                  const char *call);

/* With GPUEIG_DEBUG waits for the kernel, so that a fault names the right one.  */
gpueig_status ge_cuda_launched (gpueig_context *ctx);

/* Nonzero while the stream records a graph, when nothing may wait.  */
int ge_cuda_capturing (gpueig_context *ctx);

/* The status of a CALL that failed with ERROR or, of a library, with error NAME:
   GPUEIG_OUT_OF_MEMORY (NO_MEMORY), else GPUEIG_DEVICE_ERROR; a GPU that is lost
   is recorded.  */
gpueig_status ge_cuda_runtime_failure (gpueig_context *ctx, cudaError_t error,
                                       const char *call);
gpueig_status ge_cuda_failure (gpueig_context *ctx, int no_memory,
                               const char *name, const char *call);

/* NAME of a kernel or library call that is about to run, for messages; a static
   string.  */
void ge_cuda_note (gpueig_context *ctx, const char *name);

/* For tests: a fault of KIND on STREAM; is it the next checked call's?  */
cudaError_t ge_cuda_make_fault (gpueig_fault kind, cudaStream_t stream);
int ge_cuda_fault_is_due (gpueig_context *ctx);

#define CU(call) GE_TRY (ge_cuda_status (ctx, (call), #call))
#define CUBLAS(call) GE_TRY (ge_cublas_status (ctx, (call), #call))
#define CUSOLVER(call) GE_TRY (ge_cusolver_status (ctx, (call), #call))
#define LAUNCHED() GE_TRY (ge_cuda_launched (ctx))

/* GE_LAUNCH (kernel, grid, block, shared bytes, stream) (arguments): the only
   way to launch a kernel, so that a fault is reported with its name.  GE_LAUNCH_AS
   names a kernel that is called through a pointer.  */
// clang-format off
#define GE_LAUNCH_AS(name, kernel, grid, block, shared, stream)                \
  ge_cuda_note (ctx, name), kernel<<<(grid), (block), (shared), (stream)>>>
// clang-format on
#define GE_LAUNCH(kernel, grid, block, shared, stream)                         \
  GE_LAUNCH_AS (#kernel, kernel, grid, block, shared, stream)

/* --- the plugin's state --- */

enum
{
  GE_COPY_STREAMS = 32,
  GE_LAUNCHES = 8
};

/* Names of the kernels and library calls since the last wait: COUNT of them, the
   last GE_LAUNCHES in a ring.  */
typedef struct
{
  const char *names[GE_LAUNCHES];
  int64_t count;
} ge_cuda_launches;

typedef struct
{
  int device; /* current one, -1 before the first call */
  /* What kernels may use, see ge_cuda_select.  */
  int multiprocessors;
  size_t shared_per_block; /* static and dynamic, bytes */
  int clusters;            /* of thread blocks */
  int compute_capability;  /* major number */
  int64_t most_memory;     /* bytes that may be held, 0: all there are */
  cudaStream_t stream;
  cublasHandle_t blas;
  cusolverDnHandle_t solver;
  cudaEvent_t start, stop;
  cudaStream_t side; /* for small kernels beside a large one, goes first */
  cudaEvent_t ready; /* one stream waits for another; no time */
  cudaStream_t copy[GE_COPY_STREAMS]; /* made when first needed */
  int copy_streams;
  void *products; /* algorithms that products.cu has found, or NULL */
  ge_cuda_launches launched;
} ge_cuda;

static inline ge_cuda *
ge_cuda_of (gpueig_context *ctx)
{
  return (ge_cuda *) ctx->plugin_data;
}

/* Do BYTES of dynamic shared memory fit beside up to 2 KB of static memory?  What
   needs more on some GPU asks before it is launched.  */
static inline int
ge_shared_fits (gpueig_context *ctx, size_t bytes)
{
  return bytes + 2048 <= ge_cuda_of (ctx)->shared_per_block;
}

/* Allow KERNEL so many bytes of dynamic shared memory, which fit.  */
#define GE_ALLOW_SHARED(kernel, bytes)                                         \
  do                                                                           \
    {                                                                          \
      GE_TRY (ge_check_shared (ctx, (size_t) (bytes), #kernel));               \
      CU (cudaFuncSetAttribute (kernel,                                        \
                                cudaFuncAttributeMaxDynamicSharedMemorySize,   \
                                (int) (bytes)));                               \
    }                                                                          \
  while (0)
gpueig_status ge_check_shared (gpueig_context *ctx, size_t bytes,
                               const char *kernel);

/* Time on the device's clock between the two calls, added to *SECONDS by
   ge_timer_stop, which waits for the stream.  */
gpueig_status ge_timer_start (gpueig_context *ctx);
gpueig_status ge_timer_stop (gpueig_context *ctx, double *seconds);

/* GPUEIG_INTERRUPTED if the user wants to stop, after all work on the stream: what
   was launched before must not keep him waiting.  */
gpueig_status ge_cuda_check_interrupt (gpueig_context *ctx);

/* A line about the next stage, after the work of those before: its time is true.
   Nothing, and no waiting, unless the user wants lines.  */
void ge_cuda_report (gpueig_context *ctx, const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 2, 3)))
#endif
    ;

/* Copies between ordinary host memory and the device, counted in
   info->time_transfer: after all work on the stream, and done when they return.
   Large ones go through pinned memory with several threads (transfer.cu).  */
gpueig_status ge_upload (gpueig_context *ctx, void *device, const void *host,
                         size_t bytes, gpueig_info *info);
gpueig_status ge_download (gpueig_context *ctx, void *host, const void *device,
                           size_t bytes, gpueig_info *info);

/* --- scalar types --- */

/* real_of<T>::type is the real type of T; ge_type<T> its gpueig_type.  */
template <typename T> struct real_of;
template <> struct real_of<float>
{
  typedef float type;
};
template <> struct real_of<double>
{
  typedef double type;
};
template <> struct real_of<cuComplex>
{
  typedef float type;
};
template <> struct real_of<cuDoubleComplex>
{
  typedef double type;
};

template <typename T> struct is_complex
{
  static const int value = 0;
};
template <> struct is_complex<cuComplex>
{
  static const int value = 1;
};
template <> struct is_complex<cuDoubleComplex>
{
  static const int value = 1;
};

template <typename T> struct cuda_type;
template <> struct cuda_type<float>
{
  static const cudaDataType value = CUDA_R_32F;
};
template <> struct cuda_type<double>
{
  static const cudaDataType value = CUDA_R_64F;
};
template <> struct cuda_type<cuComplex>
{
  static const cudaDataType value = CUDA_C_32F;
};
template <> struct cuda_type<cuDoubleComplex>
{
  static const cudaDataType value = CUDA_C_64F;
};

/* The complex type of a scalar type's precision.  */
template <typename T> struct complex_of
{
  typedef cuDoubleComplex type;
};
template <> struct complex_of<float>
{
  typedef cuComplex type;
};
template <> struct complex_of<cuComplex>
{
  typedef cuComplex type;
};

/* The single-precision type beside T.  */
template <typename T> struct single_of
{
  typedef float type;
};
template <> struct single_of<cuComplex>
{
  typedef cuComplex type;
};
template <> struct single_of<cuDoubleComplex>
{
  typedef cuComplex type;
};

/* FUNCTION <T> ARGS by the run-time type.  */
#define GE_CUDA_BY_TYPE(type, function, args)                                  \
  ((type) == GPUEIG_FLOAT           ? function<float> args                     \
   : (type) == GPUEIG_DOUBLE        ? function<double> args                    \
   : (type) == GPUEIG_COMPLEX_FLOAT ? function<cuComplex> args                 \
                                    : function<cuDoubleComplex>                \
                                        args)

#endif
