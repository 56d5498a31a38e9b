/* One call of cuSOLVER, in place or, where it takes long, on a thread of its
   own that the user need not wait for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Xgeev, Xsyevd and sytrd look at no flag while they work.  A job that runs
   apart (core/base/detached.c) has a stream, a handle and memory of its own: after an
   interrupt they outlive the call, and its thread frees them.

     ge_cuda_begin_job (ctx, apart, sizeof *j, &j)       then j->job.call = ...
     ge_cuda_job_alloc (ctx, j, GE_DEVICE, count, size, &j->x)
     ge_cuda_run_job (ctx, &j)           as often as wanted; interrupted: j = NULL
     ge_cuda_end_job (ctx, j)            in every case  */

#ifndef GE_JOB_CUH
#define GE_JOB_CUH 1

#include "base/cuda.cuh"

enum
{
  GE_JOB_BLOCKS = 8
};

typedef struct ge_cuda_job ge_cuda_job;
struct ge_cuda_job
{
  void (*call) (ge_cuda_job *); /* makes the call and sets its status */
  cusolverStatus_t status;
  cusolverDnHandle_t solver;
  cudaStream_t stream;

  /* the rest is job.cu's */
  int apart, device, blocks;
  int lost;   /* the GPU, so that nothing of it is freed */
  int faults; /* before the call, for tests, and how */
  gpueig_fault fault;
  cudaError_t error;
  void *block[GE_JOB_BLOCKS];
  ge_space space[GE_JOB_BLOCKS];
  int64_t bytes;
};

/* A zeroed job of SIZE bytes that begins with a ge_cuda_job; APART or not.  */
gpueig_status ge_cuda_begin_job (gpueig_context *ctx, int apart, size_t size,
                                 void **job);

/* Memory of the job: with the workspace's current frame, or its own.  */
gpueig_status ge_cuda_job_alloc (gpueig_context *ctx, void *job, ge_space space,
                                 int64_t count, size_t size, void **ptr);

/* The call, after all work on the context's stream; its results are there when
   this returns.  WHAT names it in messages.  */
gpueig_status ge_cuda_run_job (gpueig_context *ctx, void **job,
                               const char *what);

void ge_cuda_end_job (gpueig_context *ctx, void *job);

#endif
