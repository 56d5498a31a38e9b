/* Scalar functions that host and device share, compiled for the device:
   definitions of the names that headers of core use, and the plane
   rotations.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A module includes its own headers of this kind by

     # define GE_SHARED_MATH, the header's name
     # include "base/precisions.cuh"

   Such a header has no include guard, uses real_t, GE_EPS, GE_REAL_MIN and
   GE_DOUBLE, declares its functions GE_INLINE, and calls only sqrt_, fabs_,
   fma_, copysign_, fmax_ and fmin_. In C, scalar.h defines all of these.  */

#ifndef GE_SCALAR_CUH
#define GE_SCALAR_CUH 1

#include "base/inline.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#define sqrt_(x) sqrt (x)
#define fabs_(x) fabs (x)
#define fma_(x, y, z) fma (x, y, z)
#define copysign_(x, y) copysign (x, y)
#define fmax_(x, y) fmax (x, y)
#define fmin_(x, y) fmin (x, y)

#define GE_SHARED_MATH "base/rotation.h"
#include "base/precisions.cuh"

#endif
