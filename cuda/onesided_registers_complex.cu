/* Pages of complex matrices in registers: which tiles serve which orders.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tile of L lanes and R rows a lane serves orders up to L R.  Measured on an
   H100: as few lanes as the registers allow, because the rotation's angle is
   found by every lane of a group.  */

#include "onesided_registers.cuh"

/* MIN blocks at least share a multiprocessor.  */
#define WARPS(L, R, MIN)                                                       \
  if (s->n <= (L) * (R) && (s->n + 1) / 2 * (L) <= 32)                         \
  return launch_pages<T, L, R, WARP, 128, MIN> (ctx, s)
#define BLOCKS(L, R, HOME, MIN)                                                \
  if (s->n <= (L) * (R))                                                       \
  return launch_pages<T, L, R, HOME, THREADS_OF (L, R, HOME), MIN> (ctx, s)
#define THREADS_OF(L, R, HOME)                                                 \
  ((((L) * (R) / 2 + (HOME) -1) / (HOME) * (L) + 31) / 32 * 32)

/* Clusters of blocks need compute capability 9.  */
static int
has_clusters (gpueig_context *ctx)
{
  int major = 0;
  if (cudaDeviceGetAttribute (&major, cudaDevAttrComputeCapabilityMajor,
                              ge_cuda_of (ctx)->device)
      != cudaSuccess)
    return 0;
  return major >= 9;
}

template <>
int
onesided_register_order<cuDoubleComplex> (gpueig_context *ctx)
{
  return has_clusters (ctx) ? 128 : 96;
}

template <>
int
onesided_register_order<cuComplex> (gpueig_context *)
{
  return 128;
}

static gpueig_status
too_large (gpueig_context *ctx, int n)
{
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "order %d is too large for one multiprocessor", n);
}

template <>
gpueig_status
onesided_registers<cuDoubleComplex> (gpueig_context *ctx,
                                     const onesided_stack<cuDoubleComplex> *s)
{
  typedef cuDoubleComplex T;
  WARPS (1, 4, 1);
  WARPS (1, 8, 1);
  WARPS (1, 10, 1);
  WARPS (2, 8, 1);
  WARPS (4, 5, 1);
  BLOCKS (4, 8, 1, 6);
  BLOCKS (4, 12, 1, 3);
  BLOCKS (8, 8, 1, 2);
  BLOCKS (8, 12, 1, 1);
  BLOCKS (8, 16, 2, 1);
  return too_large (ctx, s->n);
}

template <>
gpueig_status
onesided_registers<cuComplex> (gpueig_context *ctx,
                               const onesided_stack<cuComplex> *s)
{
  typedef cuComplex T;
  WARPS (1, 4, 1);
  WARPS (1, 8, 1);
  WARPS (1, 16, 1);
  WARPS (2, 16, 1);
  BLOCKS (4, 16, 1, 3);
  BLOCKS (8, 12, 1, 1);
  BLOCKS (8, 16, 1, 1);
  return too_large (ctx, s->n);
}
