/* Problems whose arrays are in memory of a GPU (GPUEIG_DEVICE).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   ge_call_placed (run/placed.c) decides before anything is done whether a problem is
   solved on the GPU.  If not, all of it is copied to host memory.  If so, the function gets
   matrices on the GPU, as its PLACE says, and arrays of O(n) numbers per page in host memory.
   ge_run_chunks (run/chunks.c) gives a method what it takes there.  Core inspects matrices by
   ge_inspect and copies the few pages that are needed in host memory.  */

#ifndef GE_GPU_MEMORY_H
#define GE_GPU_MEMORY_H 1

#include "base/context.h"

/* Select the GPU that has the memory at POINTER and wait for its default stream.
   GPUEIG_DEVICE_LOST after a fault of a GPU.  */
gpueig_status ge_go_to_memory (gpueig_context *ctx, const void *pointer);

/* *FACTS: of every page of A on a GPU, in the caller's frame; n, pages > 0.  */
gpueig_status ge_inspect (gpueig_context *ctx, gpueig_type type, const void *a,
                          int64_t n, int64_t pages, ge_page_facts **facts);

/* BYTES of matrices at PLACE, from or to host memory, or to others there.  */
gpueig_status ge_copy (gpueig_context *ctx, gpueig_place place, void *to,
                       const void *from, size_t bytes);

/* *HOST: BYTES of X at PLACE in host memory: X itself, or a copy in the caller's frame, which
   ge_from_host stores in X.  X = NULL: nothing.  */
gpueig_status ge_to_host (gpueig_context *ctx, gpueig_place place, void *x,
                          size_t bytes, void **host);
gpueig_status ge_from_host (gpueig_context *ctx, gpueig_place place, void *x,
                            size_t bytes, const void *host);

#endif
