/* Checked calls: classification of errors of CUDA and its libraries.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   After a fault of the device (trap, illegal address or instruction, misaligned
   address, timeout, uncorrectable memory error) every later CUDA call of the
   process fails with the same error, and cudaDeviceReset does not bring the GPU
   back.  Such a fault is distinguished from a transient error by calling the
   runtime again, so no list of errors is needed.

   Kernels run asynchronously, so a fault is reported by a later call.  The
   message names what was launched since the last synchronisation.  */

#include "base/libraries.cuh"

#include <stdio.h>
#include <string.h>

/* --- names of what runs --- */

/* A name that is known becomes the last one: many launches of few kernels displace no
   others.  */
void
ge_cuda_note (gpueig_context *ctx, const char *name)
{
  ge_cuda_launches *l = &ge_cuda_of (ctx)->launched;
  const int64_t last = l->count - 1;
  const int64_t first = last < GE_LAUNCHES ? 0 : last + 1 - GE_LAUNCHES;
  int64_t i = last;
  while (i >= first && l->names[i % GE_LAUNCHES] != name)
    i--;
  if (i < first)
    l->names[l->count++ % GE_LAUNCHES] = name;
  for (; i >= first && i < last; i++)
    {
      l->names[i % GE_LAUNCHES] = l->names[(i + 1) % GE_LAUNCHES];
      l->names[(i + 1) % GE_LAUNCHES] = name;
    }
}

static int
begins (const char *text, const char *with)
{
  return strncmp (text, with, strlen (with)) == 0;
}

/* Skips to the name of the function in the text of a call or of a template
   instance, and returns its length.  */
static int
name_length (const char **text)
{
  *text += strspn (*text, "( ");
  return (int) strcspn (*text, " (<,)");
}

/* The names launched since the last synchronisation, the last one first, as "a,
   b or c"; CALL where there are none.  */
static void
name_launches (const ge_cuda_launches *l, const char *call, char *text,
               size_t size)
{
  const char *names[GE_LAUNCHES];
  int lengths[GE_LAUNCHES], count = 0;
  const int64_t last = l->count;
  const int64_t first = last > GE_LAUNCHES ? last - GE_LAUNCHES : 0;
  for (int64_t i = last - 1; i >= first; i--)
    {
      const char *name = l->names[i % GE_LAUNCHES];
      const int length = name_length (&name);
      int known = 0;
      for (int j = 0; j < count; j++)
        known |= lengths[j] == length && strncmp (names[j], name, length) == 0;
      if (known)
        continue;
      names[count] = name;
      lengths[count++] = length;
    }
  if (count == 0)
    {
      names[0] = call;
      lengths[0] = name_length (&names[0]);
      count = 1;
    }
  size_t at = 0;
  for (int i = 0; i < count && at < size; i++)
    at += (size_t) snprintf (text + at, size - at, "%s%.*s",
                             i == 0           ? ""
                             : i + 1 == count ? " or "
                                              : ", ",
                             lengths[i], names[i]);
}

/* Record CALL of a library unless it only works on the host.  */
static void
note_library_call (gpueig_context *ctx, const char *call)
{
  static const char *const host_only[]
      = { "_bufferSize", "_size (", "Create", "SetStream" };
  for (size_t i = 0; i < sizeof host_only / sizeof host_only[0]; i++)
    if (strstr (call, host_only[i]))
      return;
  ge_cuda_note (ctx, call);
}

/* --- faults --- */

/* The error that every runtime call returns from now on, or cudaSuccess.  Two
   rounds, because the first may return errors that earlier asynchronous work
   left.  */
static cudaError_t
lasting_error (void)
{
  cudaError_t error = cudaSuccess;
  for (int round = 0; round < 2; round++)
    {
      void *ptr = NULL;
      cudaGetLastError ();
      error = cudaDeviceSynchronize ();
      if (error == cudaSuccess)
        error = cudaMalloc (&ptr, 256);
      if (error == cudaSuccess)
        error = cudaFree (ptr);
    }
  cudaGetLastError ();
  switch (error)
    {
    case cudaErrorMemoryAllocation:
    case cudaErrorDevicesUnavailable: /* in exclusive use by another process */
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureInvalidated:
      return cudaSuccess;
    default:
      return error;
    }
}

gpueig_status
ge_cuda_runtime_failure (gpueig_context *ctx, cudaError_t error,
                         const char *call)
{
  if (error != cudaErrorMemoryAllocation)
    return ge_cuda_failure (ctx, 0, cudaGetErrorName (error), call);
  /* A lost GPU does not return this error, so lasting_error need not be called,
     which synchronises.  */
  cudaGetLastError ();
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of GPU memory in %.60s",
                      call);
}

gpueig_status
ge_cuda_failure (gpueig_context *ctx, int no_memory, const char *name,
                 const char *call)
{
  const cudaError_t lasting
      = ge_device_is_lost (ctx) ? cudaSuccess : lasting_error ();
  if (lasting != cudaSuccess)
    {
      char where[128];
      name_launches (&ge_cuda_of (ctx)->launched, call, where, sizeof where);
      return ge_device_lost (ctx, "%s in %s", cudaGetErrorName (lasting),
                             where);
    }
  if (ge_device_is_lost (ctx))
    return ge_device_lost (ctx, "%s", ctx->fault);
  if (no_memory)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of GPU memory in %.60s",
                        call);
  return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "%s in %.60s", name, call);
}

static __global__ void
trap_kernel (void)
{
  __trap ();
}

static __global__ void
wild_address_kernel (size_t at)
{
  *(volatile int *) at = 1;
}

/* A trap is reported asynchronously, by some later call; the write to an
   illegal address is complete when this function returns, so the next call
   reports it.  */
cudaError_t
ge_cuda_make_fault (gpueig_fault kind, cudaStream_t stream)
{
  switch (kind)
    {
    case GPUEIG_FAULT_TRAP:
      trap_kernel<<<1, 1, 0, stream>>> ();
      return cudaSuccess;
    case GPUEIG_FAULT_ADDRESS:
      wild_address_kernel<<<1, 1, 0, stream>>> (8);
      cudaStreamSynchronize (stream);
      return cudaSuccess;
    default:
      trap_kernel<<<1, 1 << 20, 0, stream>>> ();
      return cudaGetLastError ();
    }
}

int
ge_cuda_fault_is_due (gpueig_context *ctx)
{
  return ctx->device_fault && ctx->device_count + 1 == ctx->device_fault;
}

/* --- checked calls --- */

/* Count a call.  Nonzero if a test has requested that this call fail; where a
   test has requested a fault of the device, it is caused here, and *ERROR (if
   not NULL) becomes the error of its launch.  */
static int
injected_failure (gpueig_context *ctx, cudaError_t *error)
{
  if (ge_cuda_fault_is_due (ctx))
    {
      static const char *const names[]
          = { "trap_kernel", "wild_address_kernel", "impossible_launch" };
      const cudaError_t made
          = ge_cuda_make_fault (ctx->fault_kind, ge_cuda_of (ctx)->stream);
      ge_cuda_note (ctx, names[ctx->fault_kind]);
      if (error && *error == cudaSuccess)
        *error = made;
    }
  ctx->device_count++;
  return ctx->device_fail && ctx->device_count == ctx->device_fail;
}

static gpueig_status
simulated (gpueig_context *ctx, const char *name, const char *call)
{
  return gpueig_fail (ctx, GPUEIG_DEVICE_ERROR, "%s (simulated) in %.60s", name,
                      call);
}

gpueig_status
ge_cuda_status (gpueig_context *ctx, cudaError_t error, const char *call)
{
  if (begins (call, "cub::") || begins (call, "cudaGraphLaunch"))
    ge_cuda_note (ctx, call);
  else if (error == cudaSuccess && begins (call, "cudaStreamSynchronize"))
    ge_cuda_of (ctx)->launched.count = 0;
  if (injected_failure (ctx, &error))
    return simulated (ctx, "cudaErrorUnknown", call);
  if (error == cudaSuccess)
    return GPUEIG_OK;
  return ge_cuda_runtime_failure (ctx, error, call);
}

int
ge_cuda_capturing (gpueig_context *ctx)
{
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing (ge_cuda_of (ctx)->stream, &status)
             != cudaSuccess
         || status != cudaStreamCaptureStatusNone;
}

gpueig_status
ge_cuda_launched (gpueig_context *ctx)
{
  const ge_cuda_launches *l = &ge_cuda_of (ctx)->launched;
  const char *name
      = l->count > 0 ? l->names[(l->count - 1) % GE_LAUNCHES] : "a kernel";
  cudaError_t error = cudaGetLastError ();
#ifdef GPUEIG_DEBUG
  if (error == cudaSuccess && ! ge_cuda_capturing (ctx))
    error = cudaDeviceSynchronize ();
#endif
  return ge_cuda_status (ctx, error, name);
}

gpueig_status
ge_cublas_status (gpueig_context *ctx, cublasStatus_t error, const char *call)
{
  if (injected_failure (ctx, NULL))
    return simulated (ctx, "CUBLAS_STATUS_EXECUTION_FAILED", call);
  note_library_call (ctx, call);
  if (error == CUBLAS_STATUS_SUCCESS)
    return GPUEIG_OK;
  return ge_cuda_failure (ctx, error == CUBLAS_STATUS_ALLOC_FAILED,
                          cublasGetStatusName (error), call);
}

static const char *
cusolver_status_name (cusolverStatus_t error)
{
  switch (error)
    {
    case CUSOLVER_STATUS_NOT_INITIALIZED:
      return "CUSOLVER_STATUS_NOT_INITIALIZED";
    case CUSOLVER_STATUS_INVALID_VALUE:
      return "CUSOLVER_STATUS_INVALID_VALUE";
    case CUSOLVER_STATUS_ARCH_MISMATCH:
      return "CUSOLVER_STATUS_ARCH_MISMATCH";
    case CUSOLVER_STATUS_EXECUTION_FAILED:
      return "CUSOLVER_STATUS_EXECUTION_FAILED";
    case CUSOLVER_STATUS_INTERNAL_ERROR:
      return "CUSOLVER_STATUS_INTERNAL_ERROR";
    case CUSOLVER_STATUS_NOT_SUPPORTED:
      return "CUSOLVER_STATUS_NOT_SUPPORTED";
    default:
      return NULL;
    }
}

gpueig_status
ge_cusolver_status (gpueig_context *ctx, cusolverStatus_t error,
                    const char *call)
{
  if (injected_failure (ctx, NULL))
    return simulated (ctx, "CUSOLVER_STATUS_EXECUTION_FAILED", call);
  note_library_call (ctx, call);
  if (error == CUSOLVER_STATUS_SUCCESS)
    return GPUEIG_OK;
  char number[40];
  const char *name = cusolver_status_name (error);
  snprintf (number, sizeof number, "cuSOLVER status %d", (int) error);
  return ge_cuda_failure (ctx, error == CUSOLVER_STATUS_ALLOC_FAILED,
                          name ? name : number, call);
}

gpueig_status
ge_cusparse_status (gpueig_context *ctx, cusparseStatus_t error,
                    const char *call)
{
  if (injected_failure (ctx, NULL))
    return simulated (ctx, "CUSPARSE_STATUS_EXECUTION_FAILED", call);
  note_library_call (ctx, call);
  if (error == CUSPARSE_STATUS_SUCCESS)
    return GPUEIG_OK;
  return ge_cuda_failure (ctx,
                          error == CUSPARSE_STATUS_ALLOC_FAILED
                              || error
                                     == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES,
                          cusparseGetErrorName (error), call);
}
