/* core/methods/tridiagonal/householder.h for the device, in both precisions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TRIDIAGONAL_HOUSEHOLDER_CUH
#define GE_TRIDIAGONAL_HOUSEHOLDER_CUH 1

#include "base/scalar.cuh"

#define GE_SHARED_MATH "tridiagonal/householder.h"
#include "base/precisions.cuh"

#endif
