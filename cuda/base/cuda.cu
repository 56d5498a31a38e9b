/* Devices, device memory and timing of the CUDA backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/libraries.cuh"
#include "base/supported.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

/* Bytes that may still be allocated under the limit that tests set.  */
static int64_t
left_of_limit (gpueig_context *ctx)
{
  int64_t left = ge_cuda_of (ctx)->most_memory - ctx->held[GE_DEVICE];
  for (int i = 0; i < ctx->n_blocks; i++)
    if (ctx->blocks[i].space == GE_DEVICE)
      left -= (int64_t) ctx->blocks[i].bytes;
  return left > 0 ? left : 0;
}

static gpueig_status
device_alloc (gpueig_context *ctx, size_t bytes, void **ptr)
{
  *ptr = NULL;
  if (ge_cuda_of (ctx)->most_memory > 0 && bytes > (size_t) left_of_limit (ctx))
    return GPUEIG_OUT_OF_MEMORY;
  const cudaError_t error = cudaMalloc (ptr, bytes);
  if (error == cudaSuccess)
    return GPUEIG_OK;
  *ptr = NULL;
  return ge_cuda_runtime_failure (ctx, error, "cudaMalloc");
}

/* Errors are ignored: at process exit the driver may be unloaded already.  */
static void
device_release (gpueig_context *ctx, void *ptr)
{
  (void) ctx;
  cudaFree (ptr);
}

static int64_t
device_available (gpueig_context *ctx)
{
  size_t free_bytes = 0, total = 0;
  if (cudaMemGetInfo (&free_bytes, &total) != cudaSuccess)
    cudaGetLastError ();
  const int64_t there = (int64_t) free_bytes;
  if (ge_cuda_of (ctx)->most_memory == 0)
    return there;
  const int64_t left = left_of_limit (ctx);
  return left < there ? left : there;
}

static gpueig_status
pinned_alloc (gpueig_context *ctx, size_t bytes, void **ptr)
{
  const cudaError_t error = cudaMallocHost (ptr, bytes);
  if (error == cudaSuccess)
    return GPUEIG_OK;
  *ptr = NULL;
  return ge_cuda_runtime_failure (ctx, error, "cudaMallocHost");
}

static void
pinned_release (gpueig_context *ctx, void *ptr)
{
  (void) ctx;
  cudaFreeHost (ptr);
}

/* For debugging: every byte 0xff, which is NaN in all scalar types.  The block
   may still be in use by earlier work on any stream, hence the synchronisation
   before.  */
static void
device_fill (gpueig_context *ctx, void *ptr, size_t bytes)
{
  if (ge_cuda_capturing (ctx))
    return;
  cudaDeviceSynchronize ();
  cudaMemset (ptr, 0xff, bytes);
  cudaDeviceSynchronize ();
}

/* --- copies --- */

gpueig_status
ge_wait (gpueig_context *ctx)
{
  CU (cudaStreamSynchronize (ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

gpueig_status
ge_move (gpueig_context *ctx, void *to, const void *from, size_t bytes,
         cudaMemcpyKind kind)
{
  CU (cudaMemcpyAsync (to, from, bytes, kind, ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

gpueig_status
ge_clear_bytes (gpueig_context *ctx, void *ptr, size_t bytes)
{
  CU (cudaMemsetAsync (ptr, 0, bytes, ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

/* --- devices --- */

gpueig_status
ge_cuda_open (gpueig_context *ctx)
{
  int count = 0, driver = 0;
  cudaError_t error = cudaGetDeviceCount (&count);
  if (error != cudaSuccess || count == 0)
    {
      cudaDriverGetVersion (&driver);
      if (driver == 0)
        return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                            "there is no NVIDIA driver on this machine");
      if (error == cudaErrorNoDevice || count == 0)
        return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                            "the NVIDIA driver finds no GPU");
      return gpueig_fail (ctx, GPUEIG_NO_DEVICE, "the NVIDIA driver fails: %s",
                          cudaGetErrorString (error));
    }
  ge_cuda *state = (ge_cuda *) calloc (1, sizeof *state);
  if (! state)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of memory");
  state->device = -1;
  ctx->plugin_data = state;
  ctx->memory[GE_DEVICE].alloc = device_alloc;
  ctx->memory[GE_DEVICE].release = device_release;
  ctx->memory[GE_DEVICE].available = device_available;
  ctx->memory[GE_DEVICE].fill = device_fill;
  ctx->memory[GE_PINNED].alloc = pinned_alloc;
  ctx->memory[GE_PINNED].release = pinned_release;
  ctx->memory[GE_PINNED].available = ctx->memory[GE_HOST].available;
  ctx->memory[GE_PINNED].fill = ctx->memory[GE_HOST].fill;
  return GPUEIG_OK;
}

static void
destroy_handles (ge_cuda *state)
{
  if (state->start)
    cudaEventDestroy (state->start);
  if (state->stop)
    cudaEventDestroy (state->stop);
  if (state->upload)
    cudaEventDestroy (state->upload);
  if (state->sparse)
    cusparseDestroy (state->sparse);
  if (state->solver)
    cusolverDnDestroy (state->solver);
  if (state->blas)
    cublasDestroy (state->blas);
  if (state->ready)
    cudaEventDestroy (state->ready);
  for (int i = 0; i < state->copy_streams; i++)
    cudaStreamDestroy (state->copy[i]);
  if (state->side)
    cudaStreamDestroy (state->side);
  if (state->stream)
    cudaStreamDestroy (state->stream);
  if (state->posted)
    cudaFreeHost (state->posted);
  if (state->arrived)
    cudaFree (state->arrived);
}

/* Streams, handles and memory on a lost GPU are not released: destroying them
   would fail or free twice.  */
static void
close_device (gpueig_context *ctx)
{
  ge_cuda *state = ge_cuda_of (ctx);
  ge_trim_space (ctx, GE_DEVICE, 0);
  ge_trim_space (ctx, GE_PINNED, 0);
  if (! ge_device_is_lost (ctx) && state->device >= 0)
    cudaSetDevice (state->device);
  if (! ge_device_is_lost (ctx))
    destroy_handles (state);
  free (state->products);
  const ge_cuda_launches launched = state->launched;
  memset (state, 0, sizeof *state);
  state->device = -1;
  state->launched
      = launched; /* errors of these launches may still be reported */
}

void
ge_cuda_close (gpueig_context *ctx)
{
  close_device (ctx);
  free (ctx->plugin_data);
  ctx->plugin_data = NULL;
  memset (&ctx->memory[GE_DEVICE], 0, sizeof (ge_memory));
  memset (&ctx->memory[GE_PINNED], 0, sizeof (ge_memory));
}

static __global__ void
probe_kernel (void)
{
}

/* GPUEIG_NO_DEVICE with the reason, before anything is launched, if this build has no
   code for the GPU, or the driver cannot translate it.  *ARCHITECTURE: that of the code
   that will run.  */
static gpueig_status
check_supported (gpueig_context *ctx, int device, int *architecture)
{
  char reason[GE_REASON_SIZE];
  cudaFuncAttributes attributes;
  ge_cuda_why_unsupported (device, reason);
  if (reason[0])
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE, "%s", reason);
  CU (cudaSetDevice (device));
  const cudaError_t error = cudaFuncGetAttributes (&attributes, probe_kernel);
  switch (error)
    {
    case cudaSuccess:
      /* Not binaryVersion, which is the GPU's where the driver translated PTX.  */
      *architecture = attributes.ptxVersion;
      return GPUEIG_OK;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidKernelImage:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
    case cudaErrorJitCompilationDisabled:
      cudaGetLastError ();
      return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                          "this build cannot be used on GPU %d: %s", device,
                          cudaGetErrorString (error));
    default:
      return ge_cuda_status (ctx, error, "cudaFuncGetAttributes");
    }
}

static gpueig_status
open_device (gpueig_context *ctx, int device)
{
  ge_cuda *state = ge_cuda_of (ctx);
  int first = 0;
  GE_TRY (check_supported (ctx, device, &state->architecture));
  CU (cudaStreamCreateWithFlags (&state->stream, cudaStreamNonBlocking));
  CU (cudaDeviceGetStreamPriorityRange (NULL, &first));
  CU (cudaStreamCreateWithPriority (&state->side, cudaStreamNonBlocking,
                                    first));
  CU (cudaEventCreateWithFlags (&state->ready, cudaEventDisableTiming));
  CU (cudaMalloc ((void **) &state->arrived, sizeof *state->arrived));
  CU (cudaMemsetAsync (state->arrived, 0, sizeof *state->arrived,
                       state->stream));
  CUBLAS (cublasCreate (&state->blas));
  CUBLAS (cublasSetStream (state->blas, state->stream));
  CUSOLVER (cusolverDnCreate (&state->solver));
  CUSOLVER (cusolverDnSetStream (state->solver, state->stream));
  CU (cudaEventCreate (&state->start));
  CU (cudaEventCreate (&state->stop));
  CU (cudaEventCreate (&state->upload));
  state->device = device;
  return GPUEIG_OK;
}

static int
least_of (int64_t limit, int there)
{
  return limit > 0 && limit < there ? (int) limit : there;
}

/* The resources that kernels may use: those of the device, within the limits
   that tests set.  */
static gpueig_status
find_limits (gpueig_context *ctx, int device)
{
  ge_cuda *state = ge_cuda_of (ctx);
  int multiprocessors = 0, shared = 0;
  CU (cudaDeviceGetAttribute (&multiprocessors, cudaDevAttrMultiProcessorCount,
                              device));
  CU (cudaDeviceGetAttribute (&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                              device));
  state->multiprocessors
      = least_of (ctx->limit_multiprocessors, multiprocessors);
  state->shared_per_block = (size_t) least_of (ctx->limit_shared, shared);
  state->clusters
      = state->architecture >= GE_CLUSTER_ARCHITECTURE && ! ctx->limit_clusters;
  /* For tests: limit of device memory in bytes.  */
  const char *most = getenv ("GPUEIG_DEVICE_MEMORY");
  state->most_memory = most ? (int64_t) strtod (most, NULL) : 0;
  return GPUEIG_OK;
}

/* Static and dynamic shared memory of a block that needs no permission.  */
#define ORDINARY_SHARED ((size_t) 48 << 10)

/* For reading and raising a limit.  */
static pthread_mutex_t raising = PTHREAD_MUTEX_INITIALIZER;

static gpueig_status
raise_limit (gpueig_context *ctx, const void *kernel, size_t bytes,
             const char *name, ge_shared_limit *found)
{
  const size_t most = ge_cuda_of (ctx)->shared_per_block;
  cudaFuncAttributes now;
  CU (cudaFuncGetAttributes (&now, kernel));
  size_t limit = (size_t) now.maxDynamicSharedSizeBytes;
  if (bytes + now.sharedSizeBytes > most)
    return gpueig_fail (
        ctx, GPUEIG_DEVICE_ERROR,
        "%.60s needs %zu bytes of shared memory, this GPU has %zu", name,
        bytes + now.sharedSizeBytes, most);
  if (bytes > limit || bytes + now.sharedSizeBytes > ORDINARY_SHARED)
    {
      limit = bytes > limit ? bytes : limit;
      CU (cudaFuncSetAttribute (
          kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) limit));
    }
  *found = { kernel, limit, now.sharedSizeBytes };
  return GPUEIG_OK;
}

gpueig_status
ge_allow_shared (gpueig_context *ctx, const void *kernel, size_t bytes,
                 const char *name)
{
  ge_cuda *const state = ge_cuda_of (ctx);
  ge_shared_limit *const known
      = &state->limits[(uintptr_t) kernel / 16 % GE_SHARED_LIMITS];
  if (known->kernel == kernel && bytes <= known->limit
      && bytes + known->fixed <= state->shared_per_block)
    return GPUEIG_OK;
  pthread_mutex_lock (&raising);
  const gpueig_status status = raise_limit (ctx, kernel, bytes, name, known);
  pthread_mutex_unlock (&raising);
  return status;
}

gpueig_status
ge_one_launch (gpueig_context *ctx, int64_t blocks, int64_t pages)
{
  return blocks <= INT32_MAX
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                            "%lld pages are too many for one launch",
                            (long long) pages);
}

/* For tests on a machine with one GPU: GPUEIG_DEVICE_COPIES, the number of
   logical devices per GPU.  Logical device i is GPU i modulo the number of
   GPUs.  */
static int
copies_of_devices (void)
{
  const char *text = getenv ("GPUEIG_DEVICE_COPIES");
  const int copies = text ? atoi (text) : 1;
  return copies > 1 ? copies : 1;
}

gpueig_status
ge_cuda_count (gpueig_context *ctx, int *devices)
{
  CU (cudaGetDeviceCount (devices));
  *devices *= copies_of_devices ();
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_select (gpueig_context *ctx, int device)
{
  ge_cuda *state = ge_cuda_of (ctx);
  int count = 0;
  if (copies_of_devices () > 1)
    {
      CU (cudaGetDeviceCount (&count));
      if (device < count * copies_of_devices ())
        device %= count;
    }
  if (state->device == device)
    {
      CU (cudaSetDevice (device));
      return find_limits (ctx, device);
    }
  CU (cudaGetDeviceCount (&count));
  if (device >= count)
    return gpueig_fail (
        ctx, GPUEIG_NO_DEVICE,
        "there is no GPU %d, this machine has %d (the first is 0)", device,
        count);
  close_device (ctx);
  gpueig_status status = open_device (ctx, device);
  if (status == GPUEIG_OK)
    status = find_limits (ctx, device);
  if (status != GPUEIG_OK)
    close_device (ctx);
  return status;
}

/* --- clock --- */

gpueig_status
ge_timer_start (gpueig_context *ctx)
{
  ge_cuda *state = ge_cuda_of (ctx);
  CU (cudaEventRecord (state->start, state->stream));
  return GPUEIG_OK;
}

gpueig_status
ge_timer_stop (gpueig_context *ctx, double *seconds)
{
  ge_cuda *state = ge_cuda_of (ctx);
  float ms = 0;
  CU (cudaEventRecord (state->stop, state->stream));
  CU (cudaEventSynchronize (state->stop));
  CU (cudaEventElapsedTime (&ms, state->start, state->stop));
  *seconds += 1e-3 * ms;
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_check_interrupt (gpueig_context *ctx)
{
  GE_TRY (ge_wait (ctx));
  return ge_check_interrupt (ctx);
}

void
ge_cuda_report (gpueig_context *ctx, const char *format, ...)
{
  char text[200];
  va_list args;
  if (! ctx->display)
    return;
  /* An error remains pending for the next checked call.  */
  cudaStreamSynchronize (ge_cuda_of (ctx)->stream);
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  ge_report (ctx, "%s", text);
}
