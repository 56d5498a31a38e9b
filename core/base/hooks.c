/* Hooks for tests, see gpueig_testing.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

int64_t
gpueig_fail_allocation (gpueig_context *ctx, int64_t k)
{
  int64_t counted = ctx->alloc_count;
  ctx->alloc_count = 0;
  ctx->alloc_fail = k;
  return counted;
}

int64_t
gpueig_fail_device_call (gpueig_context *ctx, int64_t k)
{
  int64_t counted = ctx->device_count;
  ctx->device_count = 0;
  ctx->device_fail = k;
  ctx->device_fault = 0;
  return counted;
}

int64_t
gpueig_fault_device_call (gpueig_context *ctx, int64_t k, gpueig_fault kind)
{
  int64_t counted = gpueig_fail_device_call (ctx, 0);
  ctx->device_fault = k;
  ctx->fault_kind = kind;
  return counted;
}

void
gpueig_limit_device (gpueig_context *ctx, int multiprocessors,
                     int64_t shared_bytes, int no_clusters)
{
  ctx->limit_multiprocessors = multiprocessors;
  ctx->limit_shared = shared_bytes;
  ctx->limit_clusters = no_clusters;
}

void
gpueig_share_matrix (gpueig_context *ctx, int always)
{
  ctx->share_matrix = always;
}

void
gpueig_limit_chunk (gpueig_context *ctx, int64_t pages)
{
  ctx->limit_chunk = pages;
}

void
gpueig_widen_indices (gpueig_context *ctx, int always)
{
  ctx->wide_indices = always;
}
