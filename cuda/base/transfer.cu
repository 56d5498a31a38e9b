/* Copies between pageable host memory and the device, and those of problems that are on
   a GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   In a plain cudaMemcpy into freshly allocated memory one thread of the driver takes
   all page faults.  Large copies are therefore staged through pinned memory in pieces:
   every thread has two pinned buffers, each with a stream, and copies one to or from
   pageable memory while the transfer of the other is in flight, so that the threads
   share the page faults.  */

#include "base/cuda.cuh"

#include <string.h>

/* Bytes of a pinned buffer: starting a copy takes a small part of the time of LEAST_PIECE;
   where a thread has many pieces, larger ones wait less often.  */
static const size_t LEAST_PIECE = (size_t) 1 << 20,
                    MOST_PIECE = (size_t) 4 << 20;
static const size_t LARGE = 2 * LEAST_PIECE;

typedef struct
{
  int to_host, device, threads;
  char *host, *dev, *pinned;
  size_t bytes, piece;
  cudaStream_t *streams; /* two per thread */
  volatile int stop;
  gpueig_status status; /* why STOP was set */
} copy_job;

/* Bytes of piece I; the last one may be shorter.  */
static size_t
piece_bytes (const copy_job *job, size_t i)
{
  size_t left = job->bytes - i * job->piece;
  return left < job->piece ? left : job->piece;
}

static cudaError_t
start_piece (const copy_job *job, size_t i, int buffer)
{
  char *pinned = job->pinned + (size_t) buffer * job->piece;
  if (job->to_host)
    return cudaMemcpyAsync (pinned, job->dev + i * job->piece,
                            piece_bytes (job, i), cudaMemcpyDeviceToHost,
                            job->streams[buffer]);
  cudaError_t error = cudaStreamSynchronize (job->streams[buffer]);
  if (error != cudaSuccess)
    return error;
  memcpy (pinned, job->host + i * job->piece, piece_bytes (job, i));
  return cudaMemcpyAsync (job->dev + i * job->piece, pinned,
                          piece_bytes (job, i), cudaMemcpyHostToDevice,
                          job->streams[buffer]);
}

static cudaError_t
finish_piece (const copy_job *job, size_t i, int buffer)
{
  cudaError_t error = cudaStreamSynchronize (job->streams[buffer]);
  if (error == cudaSuccess && job->to_host)
    memcpy (job->host + i * job->piece,
            job->pinned + (size_t) buffer * job->piece, piece_bytes (job, i));
  return error;
}

/* The share of one thread, a contiguous range of pieces.  CTX is not NULL in
   the calling thread only, which polls for interrupts and then sets STOP for
   all.  */
static cudaError_t
copy_share (copy_job *job, int thread, gpueig_context *ctx)
{
  size_t pieces = (job->bytes + job->piece - 1) / job->piece,
         t = (size_t) thread;
  size_t from = pieces * t / (size_t) job->threads;
  size_t to = pieces * (t + 1) / (size_t) job->threads;
  cudaError_t error = cudaSetDevice (job->device);
  if (error == cudaSuccess && from < to)
    error = start_piece (job, from, 2 * thread);
  for (size_t i = from; i < to && error == cudaSuccess && ! job->stop; i++)
    {
      int odd = (int) (i - from) & 1;
      if (i + 1 < to)
        error = start_piece (job, i + 1, 2 * thread + ! odd);
      if (error == cudaSuccess)
        error = finish_piece (job, i, 2 * thread + odd);
      if (ctx && job->status == GPUEIG_OK)
        job->status = ge_check_interrupt (ctx);
      if (ctx && job->status != GPUEIG_OK)
        job->stop = 1;
    }
  /* No transfer may be in flight when the buffers are used again.  */
  for (int odd = 0; odd < 2; odd++)
    {
      cudaError_t last = cudaStreamSynchronize (job->streams[2 * thread + odd]);
      error = error == cudaSuccess ? last : error;
    }
  return error;
}

gpueig_status
ge_open_lanes (gpueig_context *ctx, int count)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  for (; cuda->copy_streams < count; cuda->copy_streams++)
    CU (cudaStreamCreateWithFlags (&cuda->copy[cuda->copy_streams],
                                   cudaStreamNonBlocking));
  return GPUEIG_OK;
}

typedef struct
{
  copy_job *job;
  gpueig_context *ctx;
  cudaError_t *errors; /* one per share */
} share_pass;

static void
copy_piece (void *data, int64_t share, int thread)
{
  const share_pass *p = (const share_pass *) data;
  p->errors[share]
      = copy_share (p->job, (int) share, thread == 0 ? p->ctx : NULL);
}

static gpueig_status
copy_large (gpueig_context *ctx, copy_job *job)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  cudaError_t error = cudaSuccess, errors[GE_LANES / 2];
  int mark = ge_mark (ctx), most = GE_LANES / 2;
  job->threads = ge_threads ();
  job->threads = job->threads < most ? job->threads : most;
  job->piece = LEAST_PIECE;
  while (job->piece < MOST_PIECE
         && job->bytes / job->piece > 2 * (size_t) job->threads)
    job->piece *= 2;
  int64_t pieces = (int64_t) ((job->bytes + job->piece - 1) / job->piece);
  if (pieces < job->threads)
    job->threads = (int) pieces;
  job->device = cuda->device;
  GE_TRY (ge_open_lanes (ctx, 2 * job->threads));
  job->streams = cuda->copy;
  GE_TRY (GE_ALLOC (ctx, GE_PINNED,
                    (int64_t) (2 * (size_t) job->threads * job->piece),
                    &job->pinned));
  GE_TRY (ge_wait (ctx));
  share_pass pass = { job, ctx, errors };
  ge_share_pass (ctx, job->threads, GE_MANY_OPERATIONS, copy_piece, &pass);
  for (int share = 0; share < job->threads; share++)
    if (errors[share] != cudaSuccess)
      error = errors[share];
  ge_release (ctx, mark);
  GE_TRY (ge_cuda_status (ctx, error, "a copy between host and GPU"));
  return job->status;
}

/* *IS: the host's side of a copy is memory of a GPU.  */
static gpueig_status
is_on_gpu (gpueig_context *ctx, const void *host, int *is)
{
  cudaPointerAttributes attributes;
  CU (cudaPointerGetAttributes (&attributes, host));
  *is = attributes.type == cudaMemoryTypeDevice
        || attributes.type == cudaMemoryTypeManaged;
  return GPUEIG_OK;
}

static gpueig_status
copy_on_gpu (gpueig_context *ctx, void *to, const void *from, size_t bytes)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  CU (cudaMemcpyAsync (to, from, bytes, cudaMemcpyDefault, stream));
  return ge_wait (ctx);
}

static gpueig_status
copy (gpueig_context *ctx, copy_job *job, gpueig_info *info)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  double start = ge_now ();
  if (job->bytes >= LARGE)
    GE_TRY (copy_large (ctx, job));
  else
    {
      if (job->to_host)
        CU (cudaMemcpyAsync (job->host, job->dev, job->bytes,
                             cudaMemcpyDeviceToHost, stream));
      else
        CU (cudaMemcpyAsync (job->dev, job->host, job->bytes,
                             cudaMemcpyHostToDevice, stream));
      GE_TRY (ge_wait (ctx));
    }
  info->time_transfer += ge_now () - start;
  return GPUEIG_OK;
}

gpueig_status
ge_upload_bytes (gpueig_context *ctx, void *device, const void *host,
                 size_t bytes, gpueig_info *info)
{
  copy_job job;
  int on_gpu;
  GE_TRY (is_on_gpu (ctx, host, &on_gpu));
  if (on_gpu)
    return copy_on_gpu (ctx, device, host, bytes);
  memset (&job, 0, sizeof job);
  job.host = (char *) host;
  job.dev = (char *) device;
  job.bytes = bytes;
  return copy (ctx, &job, info);
}

/* Copies from page-locked memory, front to back; at its end they wait for the earlier
   ones.  */
gpueig_status
ge_post (gpueig_context *ctx, void *device, const void *host, size_t bytes)
{
  constexpr size_t ALL = 4 * GE_POST, ALIGNED = 64;
  ge_cuda *cuda = ge_cuda_of (ctx);
  if (! cuda->posted)
    CU (cudaMallocHost ((void **) &cuda->posted, ALL));
  if (cuda->posted_bytes + bytes > ALL)
    {
      GE_TRY (ge_wait (ctx));
      cuda->posted_bytes = 0;
    }
  char *const copy = cuda->posted + cuda->posted_bytes;
  cuda->posted_bytes += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
  memcpy (copy, host, bytes);
  return ge_move (ctx, device, copy, bytes, cudaMemcpyHostToDevice);
}

gpueig_status
ge_download_bytes (gpueig_context *ctx, void *host, const void *device,
                   size_t bytes, gpueig_info *info)
{
  copy_job job;
  int on_gpu;
  GE_TRY (is_on_gpu (ctx, host, &on_gpu));
  if (on_gpu)
    return copy_on_gpu (ctx, host, device, bytes);
  memset (&job, 0, sizeof job);
  job.to_host = 1;
  job.host = (char *) host;
  job.dev = (char *) device;
  job.bytes = bytes;
  if (bytes >= LARGE)
    ge_prepare_output (host, bytes);
  return copy (ctx, &job, info);
}
