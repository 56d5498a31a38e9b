/* The headers of shared scalar math, included once per precision by
   cuda/base/scalar.cuh.  No include guard on purpose.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/rotation.h"
#include "complex_eig/transformation.h"
#include "tdinv/entry.h"
#include "tdinv/published/sherman.h"
#include "onesided/rotate.h"
#include "tridiagonal/householder.h"
