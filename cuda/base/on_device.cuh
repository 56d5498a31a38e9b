/* Problems in memory of a GPU, for solvers that need a matrix on the host too.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ON_DEVICE_CUH
#define GE_ON_DEVICE_CUH 1

#include "base/cuda.cuh"

/* *HOST: the matrix GIVEN of a problem, of BYTES, in host memory: GIVEN itself or, if that
   is on a GPU, a copy of DEVICE, which has the same elements, in the caller's frame.  */
gpueig_status ge_on_host (gpueig_context *ctx, const void *given,
                          const void *device, size_t bytes, const void **host,
                          gpueig_info *info);

#endif
