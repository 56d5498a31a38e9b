/* Devices, memory, checked calls and the clock of the CUDA backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "cuda.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- checked calls --- */

static int
injected_failure (gpueig_context *ctx)
{
  ctx->device_count++;
  return ctx->device_fail && ctx->device_count == ctx->device_fail;
}

static gpueig_status
device_error (gpueig_context *ctx, const char *name, const char *call)
{
  return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "%s in %.60s", name, call);
}

gpueig_status
ge_cuda_status (gpueig_context *ctx, cudaError_t error, const char *call)
{
  if (injected_failure (ctx))
    return device_error (ctx, "cudaErrorUnknown (simulated)", call);
  if (error == cudaSuccess)
    return GPUEIG_OK;
  cudaGetLastError (); /* a sticky error comes back, any other is forgotten */
  if (error == cudaErrorMemoryAllocation)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of GPU memory in %.60s",
                        call);
  return device_error (ctx, cudaGetErrorName (error), call);
}

gpueig_status
ge_cublas_status (gpueig_context *ctx, cublasStatus_t error, const char *call)
{
  if (injected_failure (ctx))
    return device_error (ctx, "CUBLAS_STATUS_EXECUTION_FAILED (simulated)",
                         call);
  if (error == CUBLAS_STATUS_SUCCESS)
    return GPUEIG_OK;
  if (error == CUBLAS_STATUS_ALLOC_FAILED)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of GPU memory in %.60s",
                        call);
  return device_error (ctx, cublasGetStatusName (error), call);
}

gpueig_status
ge_cusolver_status (gpueig_context *ctx, cusolverStatus_t error,
                    const char *call)
{
  char name[40];
  if (injected_failure (ctx))
    return device_error (ctx, "CUSOLVER_STATUS_EXECUTION_FAILED (simulated)",
                         call);
  if (error == CUSOLVER_STATUS_SUCCESS)
    return GPUEIG_OK;
  if (error == CUSOLVER_STATUS_ALLOC_FAILED)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of GPU memory in %.60s",
                        call);
  snprintf (name, sizeof name, "cuSOLVER status %d", (int) error);
  return device_error (ctx, name, call);
}

/* --- memory --- */

static void *
device_alloc (gpueig_context *ctx, size_t bytes)
{
  void *ptr = NULL;
  (void) ctx;
  if (cudaMalloc (&ptr, bytes) != cudaSuccess)
    {
      cudaGetLastError ();
      return NULL;
    }
  return ptr;
}

/* Errors are tolerated: at exit the driver may be gone already.  */
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
  (void) ctx;
  cudaMemGetInfo (&free_bytes, &total);
  return (int64_t) free_bytes;
}

static void *
pinned_alloc (gpueig_context *ctx, size_t bytes)
{
  void *ptr = NULL;
  (void) ctx;
  if (cudaMallocHost (&ptr, bytes) != cudaSuccess)
    {
      cudaGetLastError ();
      return NULL;
    }
  return ptr;
}

static void
pinned_release (gpueig_context *ctx, void *ptr)
{
  (void) ctx;
  cudaFreeHost (ptr);
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
  ctx->memory[GE_PINNED].alloc = pinned_alloc;
  ctx->memory[GE_PINNED].release = pinned_release;
  ctx->memory[GE_PINNED].available = ctx->memory[GE_HOST].available;
  return GPUEIG_OK;
}

static void
close_device (gpueig_context *ctx)
{
  ge_cuda *state = ge_cuda_of (ctx);
  ge_trim_space (ctx, GE_DEVICE, 0);
  ge_trim_space (ctx, GE_PINNED, 0);
  if (state->start)
    cudaEventDestroy (state->start);
  if (state->stop)
    cudaEventDestroy (state->stop);
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
  memset (state, 0, sizeof *state);
  state->device = -1;
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

static gpueig_status
open_device (gpueig_context *ctx, int device)
{
  ge_cuda *state = ge_cuda_of (ctx);
  int shared = 0, first = 0;
  CU (cudaSetDevice (device));
  CU (cudaDeviceGetAttribute (&state->multiprocessors,
                              cudaDevAttrMultiProcessorCount, device));
  CU (cudaDeviceGetAttribute (&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                              device));
  state->shared_per_block = (size_t) shared;
  CU (cudaDeviceGetAttribute (&state->has_clusters, cudaDevAttrClusterLaunch,
                              device));
  CU (cudaStreamCreateWithFlags (&state->stream, cudaStreamNonBlocking));
  CU (cudaDeviceGetStreamPriorityRange (NULL, &first));
  CU (cudaStreamCreateWithPriority (&state->side, cudaStreamNonBlocking,
                                    first));
  CU (cudaEventCreateWithFlags (&state->ready, cudaEventDisableTiming));
  CUBLAS (cublasCreate (&state->blas));
  CUBLAS (cublasSetStream (state->blas, state->stream));
  CUSOLVER (cusolverDnCreate (&state->solver));
  CUSOLVER (cusolverDnSetStream (state->solver, state->stream));
  CU (cudaEventCreate (&state->start));
  CU (cudaEventCreate (&state->stop));
  state->device = device;
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_select (gpueig_context *ctx, int device)
{
  ge_cuda *state = ge_cuda_of (ctx);
  int count = 0;
  if (state->device == device)
    {
      CU (cudaSetDevice (device));
      return GPUEIG_OK;
    }
  CU (cudaGetDeviceCount (&count));
  if (device >= count)
    return gpueig_fail (
        ctx, GPUEIG_NO_DEVICE,
        "there is no GPU %d, this machine has %d (the first is 0)", device,
        count);
  close_device (ctx);
  gpueig_status status = open_device (ctx, device);
  if (status != GPUEIG_OK)
    close_device (ctx);
  return status;
}

void
ge_cuda_query (gpueig_context *ctx, gpueig_machine *machine)
{
  int count = 0, old = 0;
  (void) ctx;
  cudaRuntimeGetVersion (&machine->runtime_version);
  cudaDriverGetVersion (&machine->driver_version);
  if (cudaGetDeviceCount (&count) != cudaSuccess)
    return;
  cudaGetDevice (&old);
  machine->n_devices = count < GPUEIG_MAX_DEVICES ? count : GPUEIG_MAX_DEVICES;
  for (int i = 0; i < machine->n_devices; i++)
    {
      gpueig_device *d = &machine->device[i];
      cudaDeviceProp prop;
      size_t free_bytes = 0, total = 0;
      if (cudaGetDeviceProperties (&prop, i) != cudaSuccess)
        continue;
      snprintf (d->name, sizeof d->name, "%.127s", prop.name);
      d->compute_capability[0] = prop.major;
      d->compute_capability[1] = prop.minor;
      d->multiprocessors = prop.multiProcessorCount;
      d->memory = (int64_t) prop.totalGlobalMem;
      if (cudaSetDevice (i) == cudaSuccess
          && cudaMemGetInfo (&free_bytes, &total) == cudaSuccess)
        d->memory_free = (int64_t) free_bytes;
    }
  cudaSetDevice (old);
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
  CU (cudaStreamSynchronize (ge_cuda_of (ctx)->stream));
  return ge_check_interrupt (ctx);
}
