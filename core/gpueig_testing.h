/* gpueig: hooks for the tests of the library and of its gateways; not installed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_TESTING_H
#define GPUEIG_TESTING_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

/* Make the K-th allocation from now on fail (host, pinned and device counted
     together), K = 0: none.  Returns how many were counted since
     the last call.  */
int64_t gpueig_fail_allocation (gpueig_context *ctx, int64_t k);

/* Count an allocation that the caller makes itself; nonzero if it is the one
   to fail.  For gateways.  */
int gpueig_allocation_fails (gpueig_context *ctx);

/* The same for the K-th checked CUDA call.  */
int64_t gpueig_fail_device_call (gpueig_context *ctx, int64_t k);

/* Make a real fault at the K-th checked CUDA call, K = 0: none.  In a process that
   can be given up.  A trap and a wild address make the GPU
   unusable for the rest of the process, an impossible launch does not.  K < 0:
   in the next call of a library that runs on a thread of its own, just before
   the library's kernels.  */
typedef enum
{
  GPUEIG_FAULT_TRAP,
  GPUEIG_FAULT_ADDRESS,
  GPUEIG_FAULT_LAUNCH
} gpueig_fault;

int64_t gpueig_fault_device_call (gpueig_context *ctx, int64_t k,
                                  gpueig_fault kind);

/* From the next call on work as on a GPU that has at most so many
   multiprocessors and bytes of shared memory a block, 0: as many as it has, and
   no clusters of blocks if NO_CLUSTERS.  */
void gpueig_limit_device (gpueig_context *ctx, int multiprocessors,
                          int64_t shared_bytes, int no_clusters);

/* ALWAYS: from the next call on one matrix is solved by all devices of a list even
   where the first has room for it.  */
void gpueig_share_matrix (gpueig_context *ctx, int always);

GPUEIG_END_C

#endif
