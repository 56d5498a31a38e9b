/* The table of operations on arrays, and copies between host and GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.cuh"

/* Up to so many bytes go by page-locked memory, without a look at where HOST is, and to the
   GPU without the caller's wait.  */
static const size_t FEW = GE_POST;

static gpueig_status
upload (gpueig_context *ctx, void *to, const void *host, size_t bytes)
{
  gpueig_info info = {};
  if (bytes <= FEW)
    return ge_post (ctx, to, host, bytes);
  return ge_upload_bytes (ctx, to, host, bytes, &info);
}

static gpueig_status
download (gpueig_context *ctx, void *host, const void *from, size_t bytes)
{
  gpueig_info info = {};
  if (bytes <= FEW)
    {
      const int mark = ge_mark (ctx);
      char *block;
      GE_TRY (GE_ALLOC (ctx, GE_PINNED, (int64_t) bytes, &block));
      GE_TRY (ge_move (ctx, block, from, bytes, cudaMemcpyDefault));
      GE_TRY (ge_wait (ctx));
      memcpy (host, block, bytes);
      return ge_close_frame (ctx, mark);
    }
  return ge_download_bytes (ctx, host, from, bytes, &info);
}

static gpueig_status
wait (gpueig_context *ctx)
{
  return ge_wait (ctx);
}

extern "C" const ge_array_ops ge_cuda_array_ops = { upload,
                                                    download,
                                                    wait,
                                                    ge_cuda_map,
                                                    ge_cuda_find,
                                                    ge_cuda_reduce,
                                                    ge_cuda_scan,
                                                    ge_cuda_sort,
                                                    ge_cuda_select,
                                                    ge_cuda_pick,
                                                    ge_cuda_add_scaled,
                                                    ge_cuda_multiply,
                                                    ge_cuda_multiply_sparse,
                                                    ge_cuda_combine_sparse,
                                                    ge_cuda_compress_sparse,
                                                    ge_cuda_factor,
                                                    ge_cuda_solve,
                                                    ge_cuda_svd,
                                                    ge_cuda_root,
                                                    ge_cuda_fft };
