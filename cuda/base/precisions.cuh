/* Includes the header GE_SHARED_MATH once per precision, so that its functions
   become overloads; see scalar.cuh.  It has no include guard because it is included once for every such header.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#define real_t float
#define GE_DOUBLE 0
#define GE_EPS FLT_EPSILON
#define GE_REAL_MIN FLT_MIN
#define GE_REAL_MAX FLT_MAX
#include GE_SHARED_MATH
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
#include GE_SHARED_MATH
#undef real_t
#undef GE_DOUBLE
#undef GE_EPS
#undef GE_REAL_MIN
#undef GE_REAL_MAX
#undef GE_SHARED_MATH
