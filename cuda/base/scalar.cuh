/* The shared scalar math for the device: every header of core that has it is
   included here once per precision, so its functions become overloads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Such a header has no include guard, uses real_t and GE_EPS, GE_REAL_MIN, GE_DOUBLE,
   declares its functions GE_INLINE, and calls only sqrt_, fabs_, fma_, copysign_,
   fmax_ and fmin_.  In C, scalar.h gives all of these.  */

#ifndef GE_SCALAR_CUH
#define GE_SCALAR_CUH 1

#include <float.h>
#include <math.h>
#include <stdint.h>

#define GE_INLINE static __host__ __device__ __forceinline__

#define sqrt_(x) sqrt (x)
#define fabs_(x) fabs (x)
#define fma_(x, y, z) fma (x, y, z)
#define copysign_(x, y) copysign (x, y)
#define fmax_(x, y) fmax (x, y)
#define fmin_(x, y) fmin (x, y)

#define real_t float
#define GE_DOUBLE 0
#define GE_EPS FLT_EPSILON
#define GE_REAL_MIN FLT_MIN
#define GE_REAL_MAX FLT_MAX
#include "base/scalar_headers.h"
#undef real_t
#undef GE_DOUBLE
#undef GE_EPS
#undef GE_REAL_MIN
#undef GE_REAL_MAX

#define real_t double
#define GE_DOUBLE 1
#define GE_EPS DBL_EPSILON
#define GE_REAL_MIN DBL_MIN
#define GE_REAL_MAX DBL_MAX
#include "base/scalar_headers.h"
#undef real_t
#undef GE_DOUBLE
#undef GE_EPS
#undef GE_REAL_MIN
#undef GE_REAL_MAX

#endif
