/* MRRR on the GPU: mrrr.cu has the operations, mrrr_solve.cu the solver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_CUH
#define GE_MRRR_CUH 1

#include "cuda.cuh"
#include "mrrr.h"

extern const ge_mrrr_ops ge_mrrr_gpu;

#endif
