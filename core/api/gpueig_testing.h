/* gpueig: hooks for the tests of the library and of its gateways; not installed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_TESTING_H
#define GPUEIG_TESTING_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

/* Make the K-th allocation from now on fail (host, pinned and device memory counted
   together), K = 0: none.  Returns the number of allocations since the last call of
   this function.  */
int64_t gpueig_fail_allocation (gpueig_context *ctx, int64_t k);

/* Count an allocation that the caller makes itself; nonzero if the caller must treat
   it as failed.  For gateways.  */
int gpueig_allocation_fails (gpueig_context *ctx);

/* Let the K-th checked CUDA call fail, as gpueig_fail_allocation does for allocations.  */
int64_t gpueig_fail_device_call (gpueig_context *ctx, int64_t k);

/* Cause a fault of the device at the K-th checked CUDA call, K = 0: none; K < 0: in
   the next library call that runs on a separate thread, just before its kernels.  A
   trap and an illegal address make the GPU unusable for the rest of the process (use
   a process of its own), an invalid launch configuration does not.  */
typedef enum
{
  GPUEIG_FAULT_TRAP,
  GPUEIG_FAULT_ADDRESS,
  GPUEIG_FAULT_LAUNCH
} gpueig_fault;

int64_t gpueig_fault_device_call (gpueig_context *ctx, int64_t k,
                                  gpueig_fault kind);

/* From the next call on behave as on a GPU with at most MULTIPROCESSORS and
   SHARED_BYTES of shared memory per block (0: the device's own values), and without
   thread block clusters if NO_CLUSTERS.  */
void gpueig_limit_device (gpueig_context *ctx, int multiprocessors,
                          int64_t shared_bytes, int no_clusters);

/* If ALWAYS is nonzero, from the next call on one symmetric matrix is solved by all
   devices of a list even if it fits in the memory of the first.  */
void gpueig_share_matrix (gpueig_context *ctx, int always);

/* From the next call on stacks go to a GPU in chunks of at most PAGES pages; 0: as many as
   are best.  */
void gpueig_limit_chunk (gpueig_context *ctx, int64_t pages);

/* If ALWAYS is nonzero, the indices of sparse matrices made from now on are of 64 bits, as those of
   very large ones.  */
void gpueig_widen_indices (gpueig_context *ctx, int always);

GPUEIG_END_C

#endif
