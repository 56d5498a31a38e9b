/* Pages of real matrices in registers: which tiles serve which orders.
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
onesided_register_order<double> (gpueig_context *ctx)
{
  return has_clusters (ctx) ? 256 : 128;
}

template <>
int
onesided_register_order<float> (gpueig_context *ctx)
{
  return has_clusters (ctx) ? 256 : 192;
}

static gpueig_status
too_large (gpueig_context *ctx, int n)
{
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "order %d is too large for one multiprocessor", n);
}

template <>
gpueig_status
onesided_registers<double> (gpueig_context *ctx,
                            const onesided_stack<double> *s)
{
  typedef double T;
  WARPS (1, 4, 1);
  WARPS (1, 8, 5);
  WARPS (1, 10, 1);
  WARPS (1, 16, 1);
  WARPS (1, 20, 1);
  WARPS (2, 12, 5);
  WARPS (2, 16, 4);
  BLOCKS (4, 10, 1, 7);
  BLOCKS (4, 12, 1, 6);
  BLOCKS (2, 32, 1, 4);
  BLOCKS (4, 20, 1, 3);
  BLOCKS (4, 24, 1, 2);
  BLOCKS (8, 14, 1, 1);
  BLOCKS (8, 16, 1, 1);
  BLOCKS (8, 20, 4, 2);
  BLOCKS (8, 32, 8, 2);
  return too_large (ctx, s->n);
}

template <>
gpueig_status
onesided_registers<float> (gpueig_context *ctx, const onesided_stack<float> *s)
{
  typedef float T;
  WARPS (1, 4, 1);
  WARPS (1, 8, 1);
  WARPS (1, 16, 1);
  WARPS (1, 32, 1);
  BLOCKS (4, 16, 1, 1);
  BLOCKS (4, 24, 1, 1);
  BLOCKS (8, 12, 1, 2);
  BLOCKS (8, 14, 1, 2);
  BLOCKS (8, 16, 1, 2);
  BLOCKS (8, 20, 1, 1);
  BLOCKS (8, 24, 1, 1);
  BLOCKS (8, 32, 2, 1);
  return too_large (ctx, s->n);
}
