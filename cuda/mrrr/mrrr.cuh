/* MRRR on the GPU: mrrr/operations.cu has the operations, mrrr/solve.cu the solver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_CUH
#define GE_MRRR_CUH 1

#include "base/cuda.cuh"
#include "mrrr/mrrr.h"

extern const ge_mrrr_ops ge_mrrr_gpu;

#endif
