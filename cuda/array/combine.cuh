/* How reductions and scans combine two elements or partial results.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CUDA_COMBINE_CUH
#define GE_CUDA_COMBINE_CUH 1

#include "array/array.cuh"

#define real_t float
#define element_t float
#define GE_COMPLEX 0
#include "array/combine.h"
#undef element_t
#undef GE_COMPLEX
#define element_t ge_number_s
#define GE_COMPLEX 1
#include "array/combine.h"
#undef real_t
#undef element_t
#undef GE_COMPLEX

#define real_t double
#define element_t double
#define GE_COMPLEX 0
#include "array/combine.h"
#undef element_t
#undef GE_COMPLEX
#define element_t ge_number_d
#define GE_COMPLEX 1
#include "array/combine.h"
#undef real_t
#undef element_t
#undef GE_COMPLEX

template <typename O> struct combination
{
  ge_reduce_op op;
  __device__ __forceinline__ O
  operator() (O x, O y) const
  {
    return co_combine (op, x, y);
  }
};

#endif
