/* One call of cuSOLVER, made on the calling thread or, where it takes long, on
   a thread of its own that an interrupt need not wait for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Xsyevd and Xsytrd cannot be interrupted.  A job with APART nonzero
   (core/base/detached.c) has its own stream, cuSOLVER handle and memory: after
   an interrupt it continues in the background while the user's call returns,
   and its thread frees these at the end.

     ge_cuda_begin_job (ctx, apart, sizeof *j, &j)       then j->job.call = ...
     ge_cuda_job_alloc (ctx, j, GE_DEVICE, count, size, &j->x)
     ge_cuda_run_job (ctx, &j, name)     any number of times; interrupted: j = NULL
     ge_cuda_end_job (ctx, j)            in every case  */

#ifndef GE_JOB_CUH
#define GE_JOB_CUH 1

#include "base/libraries.cuh"

enum
{
  GE_JOB_BLOCKS = 8
};

typedef struct ge_cuda_job ge_cuda_job;
struct ge_cuda_job
{
  void (*call) (ge_cuda_job *); /* makes the cuSOLVER call and sets STATUS */
  cusolverStatus_t status;
  cusolverDnHandle_t solver;
  cudaStream_t stream;

  /* the rest is internal to job.cu */
  int apart, device, blocks;
  int lost;   /* nonzero: the GPU is lost, nothing on it is freed */
  int faults; /* for tests: nonzero to cause a fault before the call */
  gpueig_fault fault;
  cudaError_t error;
  void *block[GE_JOB_BLOCKS];
  ge_space space[GE_JOB_BLOCKS];
  int64_t bytes;
};

/* Create a zero-initialised job of SIZE bytes whose first member is a
   ge_cuda_job.  APART: it may run on a thread of its own.  */
gpueig_status ge_cuda_begin_job (gpueig_context *ctx, int apart, size_t size,
                                 void **job);

/* Allocate memory of the job: in the workspace's current frame or, for a job
   apart, owned by the job.  At most GE_JOB_BLOCKS arrays.  */
gpueig_status ge_cuda_job_alloc (gpueig_context *ctx, void *job, ge_space space,
                                 int64_t count, size_t size, void **ptr);

/* Make the call after all work on the context's stream; its results are
   complete on return.  WHAT names it in messages.  */
gpueig_status ge_cuda_run_job (gpueig_context *ctx, void **job,
                               const char *what);

void ge_cuda_end_job (gpueig_context *ctx, void *job);

#endif
