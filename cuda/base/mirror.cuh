/* The upper triangle of Hermitian matrices from the lower one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MIRROR_CUH
#define GE_MIRROR_CUH 1

#include "base/numbers.cuh"

/* One block of 32 by 8 threads per 32-by-32 tile, transposed through shared memory, where the
   barrier is between writing and reading; blockIdx.z is the page.  */
template <typename T>
static __global__ void
ge_mirror_kernel (int64_t n, T *a, int64_t lda)
{
  __shared__ T tile[32][33];
  const int64_t i0 = (int64_t) blockIdx.x * 32, j0 = (int64_t) blockIdx.y * 32;
  const int tx = (int) threadIdx.x;
  if (i0 < j0)
    return;
  a += blockIdx.z * n * lda;
  for (int ty = (int) threadIdx.y; ty < 32; ty += 8)
    if (i0 + tx < n && j0 + ty < n)
      tile[ty][tx] = a[i0 + tx + lda * (j0 + ty)];
  __syncthreads ();
  for (int ty = (int) threadIdx.y; ty < 32; ty += 8)
    {
      const int64_t i = i0 + ty, j = j0 + tx;
      if (i < n && j < n && i > j)
        a[j + lda * i] = conjugate (tile[tx][ty]);
      else if (i < n && i == j)
        a[i + lda * i] = make_number<T> (real_part (tile[tx][ty]), 0);
    }
}

/* Mirror PAGES matrices of order N, with a real diagonal.  */
template <typename T>
static inline gpueig_status
ge_mirror (gpueig_context *ctx, int64_t n, int64_t pages, T *a, int64_t lda)
{
  const unsigned tiles = ge_blocks (n, 32);
  GE_LAUNCH (ge_mirror_kernel<T>, dim3 (tiles, tiles, (unsigned) pages),
             dim3 (32, 8), 0, n, a, lda);
  return GPUEIG_OK;
}

#endif
