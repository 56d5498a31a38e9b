/* Problems whose arrays are in memory of a GPU (GPUEIG_DEVICE).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   ge_call_placed (run/placed.c) decides before anything is done whether a problem is
   solved on the GPU.  If not, all of it is copied to host memory.  If so, the solver's
   function is called with matrices on the GPU and everything of O(n) numbers per page
   copied to host memory; its PLACE says so.  Functions of core then inspect
   matrices by ge_inspect, the plugin copies them by ge_upload and ge_download, and the few
   pages that need the host are copied, by the functions below or ge_take_pages
   (run/problem.h).  */

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
