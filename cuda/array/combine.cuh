/* What reductions and scans do with two elements or partial results.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CUDA_COMBINE_CUH
#define GE_CUDA_COMBINE_CUH 1

#include "array/array.cuh"

template <typename R>
GE_DEVICE_INLINE R
add (R x, R y)
{
  return x + y;
}
GE_DEVICE_INLINE ge_number_s
add (ge_number_s x, ge_number_s y)
{
  return el_number (x.re + y.re, x.im + y.im);
}
GE_DEVICE_INLINE ge_number_d
add (ge_number_d x, ge_number_d y)
{
  return el_number (x.re + y.re, x.im + y.im);
}

template <typename R>
GE_DEVICE_INLINE R
times (R x, R y)
{
  return x * y;
}
GE_DEVICE_INLINE ge_number_s
times (ge_number_s x, ge_number_s y)
{
  return el_times (x, y);
}
GE_DEVICE_INLINE ge_number_d
times (ge_number_d x, ge_number_d y)
{
  return el_times (x, y);
}

template <typename R>
GE_DEVICE_INLINE int
is_nan (R x)
{
  return x != x;
}
GE_DEVICE_INLINE int
is_nan (ge_number_s x)
{
  return el_is_nan (x);
}
GE_DEVICE_INLINE int
is_nan (ge_number_d x)
{
  return el_is_nan (x);
}

template <typename R>
GE_DEVICE_INLINE int
compare (R x, R y)
{
  return x < y ? -1 : x > y;
}
GE_DEVICE_INLINE int
compare (ge_number_s x, ge_number_s y)
{
  return el_compare (x, y, 0, 0);
}
GE_DEVICE_INLINE int
compare (ge_number_d x, ge_number_d y)
{
  return el_compare (x, y, 0, 0);
}

template <typename E>
GE_INLINE int
is_nonzero (E x)
{
  return x != 0;
}
GE_INLINE int
is_nonzero (ge_number_s x)
{
  return x.re != 0 || x.im != 0;
}
GE_INLINE int
is_nonzero (ge_number_d x)
{
  return x.re != 0 || x.im != 0;
}

template <typename O> struct combination
{
  ge_reduce_op op;
  __device__ __forceinline__ O
  operator() (O x, O y) const
  {
    switch (op)
      {
      case GE_LARGEST:
      case GE_SMALLEST:
        if (is_nan (x) || is_nan (y))
          return is_nan (x) ? y : x;
        return compare (y, x) == (op == GE_LARGEST ? 1 : -1) ? y : x;
      case GE_LARGEST_ABS:
        if (is_nan (x))
          return x;
        return is_nan (y) || compare (y, x) == 1 ? y : x;
      case GE_PRODUCT:
        return times (x, y);
      case GE_ANY:
        return compare (y, x) == 1 ? y : x;
      case GE_ALL:
        return compare (y, x) == -1 ? y : x;
      default:
        return add (x, y);
      }
  }
};

#endif
