/* Calls of cuSOLVER, on the calling thread or on one of their own; see
   job.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/job.cuh"

#include <stdlib.h>

static void
release_on_device (ge_cuda_job *job)
{
  for (int i = 0; i < job->blocks; i++)
    if (job->space[i] == GE_DEVICE)
      cudaFree (job->block[i]);
    else if (job->space[i] == GE_PINNED)
      cudaFreeHost (job->block[i]);
  if (job->apart && job->solver)
    cusolverDnDestroy (job->solver);
  if (job->apart && job->stream)
    cudaStreamDestroy (job->stream);
}

/* Frees a job's own resources, on the calling thread or, after an interrupt, on
   the job's thread.  On a lost GPU nothing is freed; the job's thread detects
   that by the failing synchronisation of its stream.  */
static void
discard (void *data)
{
  ge_cuda_job *job = (ge_cuda_job *) data;
  if (job->apart && job->stream
      && cudaStreamSynchronize (job->stream) != cudaSuccess)
    job->lost = 1;
  if (! job->lost)
    release_on_device (job);
  for (int i = 0; i < job->blocks; i++)
    if (job->space[i] == GE_HOST)
      free (job->block[i]);
  free (job);
}

static void
work (void *data)
{
  ge_cuda_job *job = (ge_cuda_job *) data;
  job->error = cudaSetDevice (job->device);
  if (job->error == cudaSuccess && job->faults)
    job->error = ge_cuda_make_fault (job->fault, job->stream);
  if (job->error != cudaSuccess)
    return;
  job->call (job);
  job->error = cudaStreamSynchronize (job->stream);
}

gpueig_status
ge_cuda_begin_job (gpueig_context *ctx, int apart, size_t size, void **result)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  *result = NULL;
  ge_cuda_job *job
      = gpueig_allocation_fails (ctx) ? NULL : (ge_cuda_job *) calloc (1, size);
  if (! job)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  *result = job;
  job->apart = apart;
  job->device = cuda->device;
  if (! apart)
    {
      job->solver = cuda->solver;
      job->stream = cuda->stream;
      return GPUEIG_OK;
    }
  CU (cudaStreamCreateWithFlags (&job->stream, cudaStreamNonBlocking));
  CUSOLVER (cusolverDnCreate (&job->solver));
  CUSOLVER (cusolverDnSetStream (job->solver, job->stream));
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_job_alloc (gpueig_context *ctx, void *data, ge_space space,
                   int64_t count, size_t size, void **ptr)
{
  ge_cuda_job *job = (ge_cuda_job *) data;
  int64_t bytes;
  if (! job->apart)
    return ge_alloc (ctx, space, count, size, ptr);
  *ptr = NULL;
  GE_TRY (ge_multiply (ctx, count, (int64_t) size, &bytes));
  if (bytes == 0)
    return GPUEIG_OK;
  void *block;
  if (gpueig_allocation_fails (ctx))
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "out of memory: %.6g MiB needed for one array",
                        (double) bytes / 1048576.0);
  GE_TRY (ge_alloc_block (ctx, space, (size_t) bytes, &block));
  job->space[job->blocks] = space;
  job->block[job->blocks++] = block;
  job->bytes += bytes;
  ctx->in_use += bytes;
  if (ctx->in_use > ctx->peak)
    ctx->peak = ctx->in_use;
  *ptr = block;
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_run_job (gpueig_context *ctx, void **data, const char *what)
{
  ge_cuda_job *job = (ge_cuda_job *) *data;
  job->error = cudaSuccess;
  job->status = CUSOLVER_STATUS_SUCCESS;
  if (job->apart)
    {
      GE_TRY (ge_wait (ctx));
      const int64_t bytes = job->bytes;
      job->faults = ctx->device_fault < 0 || ge_cuda_fault_is_due (ctx);
      job->fault = ctx->fault_kind;
      ctx->device_count++;
      gpueig_status status = ge_run_detachable (ctx, work, discard, job);
      if (status != GPUEIG_OK)
        {
          /* The detached thread owns the job now.  */
          ctx->in_use -= bytes;
          *data = NULL;
          return status;
        }
    }
  else
    {
      job->call (job);
      if (job->status == CUSOLVER_STATUS_SUCCESS)
        job->error = cudaStreamSynchronize (job->stream);
    }
  GE_TRY (ge_cusolver_status (ctx, job->status, what));
  return ge_cuda_status (ctx, job->error, what);
}

void
ge_cuda_end_job (gpueig_context *ctx, void *data)
{
  if (! data)
    return;
  ge_cuda_job *job = (ge_cuda_job *) data;
  ctx->in_use -= job->bytes;
  job->lost = ge_device_is_lost (ctx);
  discard (job);
}
