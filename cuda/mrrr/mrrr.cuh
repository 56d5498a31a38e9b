/* MRRR on the GPU: the operations that the driver in core/methods/mrrr calls.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   solve.cu       pages: transfers, and the tridiagonal problem by the driver
   dense.cu       dense pages: reduction, tridiagonal problem, back-transformation,
                  verification
   operations.cu  the driver's operations (kernels: brackets.cuh, factors.cuh)
   singles.cu     all of them at once, where all eigenvalues are singletons of the root  */

#ifndef GE_MRRR_CUH
#define GE_MRRR_CUH 1

#include "base/cuda.cuh"
#include "mrrr/mrrr.h"

extern const ge_mrrr_ops ge_mrrr_gpu;

#endif
