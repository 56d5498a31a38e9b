/* Shared by all .cu files: the plugin's state, checked calls, scalar types.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   plugin.c        the plugin's one export: its table of solvers
   cuda.cu         opening, choice of the device, handles, device memory, timers
   query.cu        properties of the GPUs, for gpu_info
   status.cu       errors of CUDA calls, names of launches, faults for tests
   transfer.cu, memory.cu  copies; problems in memory of a GPU
   job.cu          cuSOLVER calls on a thread of their own, interruptible
   products.cu     pagewise products of two stacks
   pairs.cu, small_pairs.cu  reduction of definite pairs to standard problems
   similarity.cu   scaling and random similarities ahead of cuSOLVER's reductions
   verify.cu       estimates of residual and orthogonality of a library's result
   libraries.cuh   cuBLAS and cuSOLVER, whose headers take long to compile  */

#ifndef GE_CUDA_CUH
#define GE_CUDA_CUH 1

#include "base/context.h"

#include <cuComplex.h>
#include <cuda_runtime.h>

#include "base/plugin.h"

/* --- checked calls, status.cu ---

   In a function that returns gpueig_status, with ctx in scope: CU (cudaFree (...));
   GE_LAUNCH (...).  For cuBLAS and cuSOLVER see libraries.cuh.  */

gpueig_status ge_cuda_status (gpueig_context *ctx, cudaError_t error,
                              const char *call);

/* Status of the kernel launch before it.  With GPUEIG_DEBUG it synchronises
   first, so that an error that occurs during execution is reported with the
   name of the kernel that caused it.  */
gpueig_status ge_cuda_launched (gpueig_context *ctx);

/* Nonzero while the stream is being captured into a CUDA graph, when
   synchronisation is not permitted.  */
int ge_cuda_capturing (gpueig_context *ctx);

/* The status of a failed CALL: GPUEIG_OUT_OF_MEMORY or GPUEIG_DEVICE_ERROR.
   The first takes the runtime's ERROR; the second is for libraries, with the
   NAME of their error, NO_MEMORY being nonzero if it is a failed allocation.
   Both record in the context when the GPU is lost.  */
gpueig_status ge_cuda_runtime_failure (gpueig_context *ctx, cudaError_t error,
                                       const char *call);
gpueig_status ge_cuda_failure (gpueig_context *ctx, int no_memory,
                               const char *name, const char *call);

/* Record the NAME (a static string) of a kernel or library call that is about
   to be launched, for messages.  */
void ge_cuda_note (gpueig_context *ctx, const char *name);

/* For tests: the first causes a fault of KIND on STREAM, the second is nonzero
   if a fault is to be caused at the next checked call.  */
cudaError_t ge_cuda_make_fault (gpueig_fault kind, cudaStream_t stream);
int ge_cuda_fault_is_due (gpueig_context *ctx);

#define CU(call) GE_TRY (ge_cuda_status (ctx, (call), #call))

/* GE_LAUNCH (kernel, grid, block, shared bytes, arguments ...) on the context's stream: the
   only way to launch a kernel, so that a fault is reported with its name.  GE_LAUNCH_ON
   takes another stream first, GE_LAUNCH_AS the name of a kernel that is called through a
   pointer.  */
// clang-format off
#define GE_LAUNCH_NAMED(name, stream, kernel, grid, block, shared, ...)        \
  do                                                                           \
    {                                                                          \
      ge_cuda_note (ctx, name);                                                \
      kernel<<<(grid), (block), (shared), (stream)>>> (__VA_ARGS__);           \
      GE_TRY (ge_cuda_launched (ctx));                                         \
    }                                                                          \
  while (0)
// clang-format on
#define GE_LAUNCH_ON(stream, kernel, ...)                                      \
  GE_LAUNCH_NAMED (#kernel, stream, kernel, __VA_ARGS__)
#define GE_LAUNCH_AS(name, kernel, ...)                                        \
  GE_LAUNCH_NAMED (name, ge_cuda_of (ctx)->stream, kernel, __VA_ARGS__)
#define GE_LAUNCH(kernel, ...) GE_LAUNCH_AS (#kernel, kernel, __VA_ARGS__)

/* Blocks of EACH threads for COUNT of them.  */
static inline unsigned
ge_blocks (int64_t count, int64_t each)
{
  return (unsigned) ((count + each - 1) / each);
}

/* Fails if PAGES pages take more than a launch's most BLOCKS.  */
gpueig_status ge_one_launch (gpueig_context *ctx, int64_t blocks,
                             int64_t pages);

/* Write to REASON, of GE_REASON_SIZE bytes, why this build does not serve a GPU of the
   machine, "" if it does; query.cu.  Creates no CUDA context.  */
enum
{
  GE_REASON_SIZE = sizeof ((gpueig_device *) 0)->reason
};
void ge_cuda_why_unsupported (int device, char *reason);

/* --- the plugin's state --- */

enum
{
  GE_LAUNCHES = 8
};

/* Names of the kernels and library calls launched since the last
   synchronisation: COUNT of them, the last GE_LAUNCHES in a ring buffer.  */
typedef struct
{
  const char *names[GE_LAUNCHES];
  int64_t count;
} ge_cuda_launches;

/* Found by ge_allow_shared for a kernel: the limit and the static shared memory.  The
   driver takes longer to tell than to launch a kernel.  */
typedef struct
{
  const void *kernel;
  size_t limit, fixed;
} ge_shared_limit;
enum
{
  GE_SHARED_LIMITS = 64 /* kernels, in places by their addresses */
};

typedef struct
{
  int device; /* current device, -1 before the first call */
  /* resources that kernels may use, set by ge_cuda_select */
  int multiprocessors;
  size_t shared_per_block; /* static and dynamic, bytes */
  ge_shared_limit limits[GE_SHARED_LIMITS];
  int architecture; /* of the code that runs, as 90; earlier than the GPU's where
                       the driver translates PTX */
  int clusters;     /* nonzero: that code has thread block clusters */
  int64_t most_memory; /* limit of device memory for tests, bytes; 0: none */
  cudaStream_t stream;
  struct cublasContext *blas;       /* cublasHandle_t */
  struct cusolverDnContext *solver; /* cusolverDnHandle_t */
  struct cusparseContext *sparse;   /* cusparseHandle_t, or NULL */
  unsigned *arrived; /* zero, in memory of the GPU: blocks of reduce.cu */
  cudaEvent_t start, stop;
  cudaEvent_t upload; /* begin of an upload that ends at START */
  cudaStream_t
      side; /* highest priority, for small kernels concurrent with a large one */
  cudaEvent_t ready;           /* orders two streams, without timing */
  cudaStream_t copy[GE_LANES]; /* created when first needed */
  int copy_streams;
  void *products; /* cuBLASLt algorithms cached by products.cu, or NULL */
  /* page-locked, of ge_post, or NULL; how much of it is in use */
  char *posted;
  size_t posted_bytes;
  ge_cuda_launches launched;
} ge_cuda;

static inline ge_cuda *
ge_cuda_of (gpueig_context *ctx)
{
  return (ge_cuda *) ctx->plugin_data;
}

/* GE_STATIC_SHARED: the most bytes of static shared memory of a kernel that has dynamic
   shared memory too.  GE_LEAST_SHARED: dynamic shared memory that a block can have on
   every GPU that is supported.  tests/check_architectures.sh compares the first with all
   kernels; what a kernel may need beyond the second is tested before the launch, by
   ge_shared_fits.  */
enum
{
  GE_STATIC_SHARED = 2048,
  GE_LEAST_SHARED = 99 * 1024 - GE_STATIC_SHARED
};

/* Nonzero if a block can have BYTES of dynamic shared memory.  */
static inline int
ge_shared_fits (gpueig_context *ctx, size_t bytes)
{
  return bytes + GE_STATIC_SHARED <= ge_cuda_of (ctx)->shared_per_block;
}

/* Let KERNEL use BYTES of dynamic shared memory and its static one; fails with a
   message where the GPU has less.  The limit belongs to the kernel on the GPU, not to
   a context, and is never lowered, since another thread may be about to launch.  */
gpueig_status ge_allow_shared (gpueig_context *ctx, const void *kernel,
                               size_t bytes, const char *name);
template <typename P>
static inline gpueig_status
ge_allow_shared_of (gpueig_context *ctx, P *kernel, size_t bytes,
                    const char *name)
{
  return ge_allow_shared (ctx, (const void *) kernel, bytes, name);
}
#define GE_ALLOW_SHARED(kernel, bytes)                                         \
  GE_TRY (ge_allow_shared_of (ctx, kernel, (size_t) (bytes), #kernel))

/* Time between the two calls, measured by CUDA events on the context's stream.
   ge_timer_stop synchronises and adds it to *SECONDS.  */
gpueig_status ge_timer_start (gpueig_context *ctx);
gpueig_status ge_timer_stop (gpueig_context *ctx, double *seconds);

/* Synchronise the stream, then return GPUEIG_INTERRUPTED if the user has
   interrupted.  Because of the synchronisation no more work is queued than what
   was launched since the last call, which bounds the delay of the
   interrupt.  */
gpueig_status ge_cuda_check_interrupt (gpueig_context *ctx);

/* Print a line about the next stage if the display is on, after synchronising
   the stream so that the time printed includes the stages before; otherwise do
   nothing.  */
void ge_cuda_report (gpueig_context *ctx, const char *format, ...)
#ifdef __GNUC__
    __attribute__ ((format (printf, 2, 3)))
#endif
    ;

/* Copies between pageable host memory and the device, timed in
   info->time_transfer.  They are ordered after all work on the stream and
   complete on return.  Large ones are staged through pinned memory by several
   threads (transfer.cu).  HOST may be memory of a GPU; such copies take no time_transfer.  */
gpueig_status ge_upload_bytes (gpueig_context *ctx, void *device,
                               const void *host, size_t bytes,
                               gpueig_info *info);
gpueig_status ge_download_bytes (gpueig_context *ctx, void *host,
                                 const void *device, size_t bytes,
                                 gpueig_info *info);

/* Such copies of COUNT elements.  */
template <typename T>
static inline gpueig_status
ge_upload (gpueig_context *ctx, T *device, const void *host, int64_t count,
           gpueig_info *info)
{
  return ge_upload_bytes (ctx, device, host, (size_t) count * sizeof (T), info);
}

template <typename T>
static inline gpueig_status
ge_download (gpueig_context *ctx, void *host, const T *device, int64_t count,
             gpueig_info *info)
{
  return ge_download_bytes (ctx, host, device, (size_t) count * sizeof (T),
                            info);
}

/* Create the first COUNT of the streams for copies.  */
gpueig_status ge_open_lanes (gpueig_context *ctx, int count);

/* Copy BYTES, GE_POST at the most, to the device without a wait; HOST may change at
   once.  */
enum
{
  GE_POST = 1 << 18
};
gpueig_status ge_post (gpueig_context *ctx, void *device, const void *host,
                       size_t bytes);

/* Copies of COUNT elements on the context's stream: on the GPU, to it and from it, without
   and with (ge_send, ge_fetch) a wait, until which HOST must stay as it is: some machines
   read pageable memory late, as all do page-locked memory.  ge_clear: zeros.  */
gpueig_status ge_wait (gpueig_context *ctx);
gpueig_status ge_move (gpueig_context *ctx, void *to, const void *from,
                       size_t bytes, cudaMemcpyKind kind);
gpueig_status ge_clear_bytes (gpueig_context *ctx, void *ptr, size_t bytes);

template <typename T>
static inline gpueig_status
ge_copy (gpueig_context *ctx, T *to, const T *from, int64_t count)
{
  return ge_move (ctx, to, from, (size_t) count * sizeof (T),
                  cudaMemcpyDeviceToDevice);
}

template <typename T>
static inline gpueig_status
ge_put (gpueig_context *ctx, T *device, const T *host, int64_t count)
{
  return ge_move (ctx, device, host, (size_t) count * sizeof (T),
                  cudaMemcpyHostToDevice);
}

template <typename T>
static inline gpueig_status
ge_send (gpueig_context *ctx, T *device, const T *host, int64_t count)
{
  GE_TRY (ge_put (ctx, device, host, count));
  return ge_wait (ctx);
}

template <typename T>
static inline gpueig_status
ge_get (gpueig_context *ctx, T *host, const T *device, int64_t count)
{
  return ge_move (ctx, host, device, (size_t) count * sizeof (T),
                  cudaMemcpyDeviceToHost);
}

template <typename T>
static inline gpueig_status
ge_fetch (gpueig_context *ctx, T *host, const T *device, int64_t count)
{
  GE_TRY (ge_get (ctx, host, device, count));
  return ge_wait (ctx);
}

template <typename T>
static inline gpueig_status
ge_clear (gpueig_context *ctx, T *ptr, int64_t count)
{
  return ge_clear_bytes (ctx, ptr, (size_t) count * sizeof (T));
}

/* Arrays of COUNT elements in SPACE, one after the other.  */
template <typename... P>
static inline gpueig_status
ge_alloc_each (gpueig_context *ctx, ge_space space, int64_t count,
               P **...pointers)
{
  gpueig_status status = GPUEIG_OK;
  ((status = status ? status : GE_ALLOC (ctx, space, count, pointers)), ...);
  return status;
}

/* Releases the blocks of the frame MARK: the end of a function that succeeds.  */
static inline gpueig_status
ge_close_frame (gpueig_context *ctx, int mark)
{
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* GE_KERNEL (threads) or GE_KERNEL (threads, blocks): a kernel with at most so many threads
   in a block, of which so many blocks fit a multiprocessor at least.  */
#define GE_KERNEL(...) static __global__ void __launch_bounds__ (__VA_ARGS__)

/* A small function of device code.  */
#define GE_DEVICE_INLINE static __device__ __forceinline__

/* --- scalar types --- */

/* The real type, the complex type and the single-precision type that correspond to a
   scalar type, and the name that CUDA's libraries have for it; declared only.  */
#define GE_RELATED_TYPES(T, REAL, COMPLEX, SINGLE, NAME)                       \
  REAL ge_real_like (T);                                                       \
  COMPLEX ge_complex_like (T);                                                 \
  SINGLE ge_single_like (T);                                                   \
  template <> struct cuda_type<T>                                              \
  {                                                                            \
    static const cudaDataType value = NAME;                                    \
  };
template <typename T> struct cuda_type;
GE_RELATED_TYPES (float, float, cuComplex, float, CUDA_R_32F)
GE_RELATED_TYPES (double, double, cuDoubleComplex, float, CUDA_R_64F)
GE_RELATED_TYPES (cuComplex, float, cuComplex, cuComplex, CUDA_C_32F)
GE_RELATED_TYPES (cuDoubleComplex, double, cuDoubleComplex, cuComplex,
                  CUDA_C_64F)
#undef GE_RELATED_TYPES

template <typename T> struct real_of
{
  typedef decltype (ge_real_like (T ())) type;
};
template <typename T> struct complex_of
{
  typedef decltype (ge_complex_like (T ())) type;
};
template <typename T> struct single_of
{
  typedef decltype (ge_single_like (T ())) type;
};
template <typename T> using ge_real = typename real_of<T>::type;
template <typename T> using ge_complex = typename complex_of<T>::type;
template <typename T> using ge_single = typename single_of<T>::type;

template <typename T> struct is_complex
{
  static const int value = sizeof (T) > sizeof (ge_real<T>);
};

/* The instance of a function template for one scalar type, for the real ones, the complex
   ones, and all.  */
#define GE_INSTANCE(function, T) template decltype (function<T>) function<T>;
#define GE_INSTANTIATE_REAL(function)                                          \
  GE_INSTANCE (function, float) GE_INSTANCE (function, double)
#define GE_INSTANTIATE_COMPLEX(function)                                       \
  GE_INSTANCE (function, cuComplex) GE_INSTANCE (function, cuDoubleComplex)
#define GE_INSTANTIATE(function)                                               \
  GE_INSTANTIATE_REAL (function) GE_INSTANTIATE_COMPLEX (function)

/* FUNCTION <T> ARGS by the run-time type.  */
#define GE_CUDA_BY_TYPE(type, function, args)                                  \
  ((type) == GPUEIG_FLOAT           ? function<float> args                     \
   : (type) == GPUEIG_DOUBLE        ? function<double> args                    \
   : (type) == GPUEIG_COMPLEX_FLOAT ? function<cuComplex> args                 \
                                    : function<cuDoubleComplex>                \
                                        args)

#endif
