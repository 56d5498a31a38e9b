/* Double-double numbers with an exponent, on the device: real and complex ones
   as overloads, see core/wide.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_WIDE_CUH
#define GE_WIDE_CUH 1

#include "cuda.cuh"
#include "scalar.cuh"

#define GE_COMPLEX 0
#include "wide.h"
#undef GE_COMPLEX
#undef wide_t

/* The same arguments, another result: not an overload.  */
#define wide_of wide_pair_of
#define GE_COMPLEX 1
#include "wide.h"
#undef GE_COMPLEX
#undef wide_t
#undef wide_of

/* The wide type of a scalar type.  */
template <typename T> struct wide_type
{
  typedef ge_wide type;
};
template <> struct wide_type<cuComplex>
{
  typedef ge_wide_pair type;
};
template <> struct wide_type<cuDoubleComplex>
{
  typedef ge_wide_pair type;
};

/* An integer, in the type of LIKE.  */
GE_INLINE ge_wide
wide_whole (double x, ge_wide)
{
  return wide_of (x, 0);
}
GE_INLINE ge_wide_pair
wide_whole (double x, ge_wide_pair)
{
  return wide_pair_of (x, 0);
}

GE_INLINE ge_wide
wide_entry (float x)
{
  return wide_of (x, 0);
}
GE_INLINE ge_wide
wide_entry (double x)
{
  return wide_of (x, 0);
}
GE_INLINE ge_wide_pair
wide_entry (cuComplex x)
{
  return wide_pair_of (x.x, x.y);
}
GE_INLINE ge_wide_pair
wide_entry (cuDoubleComplex x)
{
  return wide_pair_of (x.x, x.y);
}

GE_INLINE double
wide_re (ge_wide a)
{
  return a.re.hi;
}
GE_INLINE double
wide_re (ge_wide_pair a)
{
  return a.re.hi;
}
GE_INLINE double
wide_im (ge_wide)
{
  return 0;
}
GE_INLINE double
wide_im (ge_wide_pair a)
{
  return a.im.hi;
}

#endif
