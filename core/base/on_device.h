/* Problems whose arrays are in memory of a GPU (GPUEIG_DEVICE).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   ge_call_placed (run/on_device.c) first calls the solver's function with matrices on
   the GPU and everything of O(n) numbers per page copied to host memory; ctx->on_device
   is set.  In this state functions of core inspect matrices by ge_inspect, the plugin
   copies them by ge_upload and ge_download, and what needs a matrix in host memory
   returns ge_need_host.  Then the whole problem is copied and solved again as one of
   host memory, so that its result is that of such a call.  */

#ifndef GE_ON_DEVICE_H
#define GE_ON_DEVICE_H 1

#include "base/context.h"

#include <string.h>

/* Record that the running call needs its matrices in host memory; not GPUEIG_OK.  */
gpueig_status ge_need_host (gpueig_context *ctx);

/* Select the GPU that has the memory at POINTER and wait for its default stream.
   GPUEIG_DEVICE_LOST after a fault of a GPU.  */
gpueig_status ge_go_to_memory (gpueig_context *ctx, const void *pointer);

/* *FACTS: of every page of A on a GPU, in the caller's frame; n, pages > 0.  */
gpueig_status ge_inspect (gpueig_context *ctx, gpueig_type type, const void *a,
                          int64_t n, int64_t pages, ge_page_facts **facts);

/* *COPY: the COUNT elements of SIZE bytes of X on a GPU in host memory, in the caller's
   frame.  */
gpueig_status ge_copy_to_host (gpueig_context *ctx, const void *x,
                               int64_t count, size_t size, void **copy);

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
} ge_placed;

#endif
