/* Problems whose arrays are in memory of a GPU (GPUEIG_DEVICE).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   ge_call_placed (run/placed.c) decides before anything is done whether a problem is
   solved on the GPU.  If not, all of it is copied to host memory.  If so, the solver's
   function is called with matrices on the GPU and everything of O(n) numbers per page
   copied to host memory; ctx->on_device is set.  In this state functions of core inspect
   matrices by ge_inspect, the plugin copies them by ge_upload and ge_download, and the few
   pages that need the host are copied, by the functions below or ge_finish_pages
   (run/run.h).  */

#ifndef GE_GPU_MEMORY_H
#define GE_GPU_MEMORY_H 1

#include "base/context.h"

#include <string.h>

/* Select the GPU that has the memory at POINTER and wait for its default stream.
   GPUEIG_DEVICE_LOST after a fault of a GPU.  */
gpueig_status ge_go_to_memory (gpueig_context *ctx, const void *pointer);

/* *FACTS: of every page of A on a GPU, in the caller's frame; n, pages > 0.  */
gpueig_status ge_inspect (gpueig_context *ctx, gpueig_type type, const void *a,
                          int64_t n, int64_t pages, ge_page_facts **facts);

/* BYTES of the matrices of the running call, wherever they are, from or to host memory, or to
   others of the call.  */
gpueig_status ge_copy (gpueig_context *ctx, void *to, const void *from,
                       size_t bytes);

/* *HOST: these BYTES in host memory: X itself, or a copy in the caller's frame, which
   ge_end_access stores in X.  X = NULL: nothing.  */
gpueig_status ge_access (gpueig_context *ctx, void *x, size_t bytes,
                         void **host);
gpueig_status ge_end_access (gpueig_context *ctx, void *x, size_t bytes,
                             const void *host);

/* --- what ge_call_placed knows of a problem --- */

typedef enum
{
  GE_INPUT,
  GE_OUTPUT
} ge_argument_kind;

/* An array of a problem: where its pointer is in the struct, its elements and their
   size.  SMALL: O(n) numbers per page.  */
typedef struct
{
  size_t offset;
  int64_t count;
  size_t size;
  ge_argument_kind kind;
  int small;
} ge_argument;

enum
{
  GE_ARGUMENTS = 6 /* the most of a problem */
};

/* The pointer to the array in PROBLEM.  */
static inline void *
ge_argument_pointer (const void *problem, const ge_argument *argument)
{
  void *pointer;
  memcpy (&pointer, (const char *) problem + argument->offset, sizeof pointer);
  return pointer;
}

/* The number of elements of PAGES pages with ROWS rows and COLUMNS columns, -1 if one of
   them is negative or the number too large.  */
static inline int64_t
ge_argument_count (int64_t rows, int64_t columns, int64_t pages)
{
  int64_t count;
  if (rows < 0 || columns < 0 || pages < 0
      || __builtin_mul_overflow (rows, columns, &count)
      || __builtin_mul_overflow (count, pages, &count)
      || count > INT64_MAX / 32)
    return -1;
  return count;
}

typedef struct
{
  size_t size, place; /* of the struct; the offset of its field PLACE */
  int (*arguments) (const void *problem,
                    ge_argument argument[GE_ARGUMENTS]); /* their number */
  gpueig_status (*solve) (gpueig_context *ctx, const void *problem,
                          const gpueig_options *options, gpueig_info *info);
  /* The solver whose plan says with GPUEIG_AUTO where problems on a GPU are solved;
     GE_SOLVERS: there.  */
  ge_solver_id id;
  /* NULL, or: nonzero if PROBLEM can be solved in host memory only.  */
  int (*on_host) (const void *problem, const gpueig_options *options);
} ge_placed;

#endif
