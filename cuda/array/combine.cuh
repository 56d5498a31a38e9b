/* What reductions and scans do with two elements or partial results.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CUDA_COMBINE_CUH
#define GE_CUDA_COMBINE_CUH 1

#include "array/array.cuh"

template <typename E>
GE_DEVICE_INLINE E
add (E x, E y)
{
  if constexpr (is_pair<E>::value)
    return el_number (x.re + y.re, x.im + y.im);
  else
    return x + y;
}

template <typename E>
GE_DEVICE_INLINE E
times (E x, E y)
{
  if constexpr (is_pair<E>::value)
    return el_times (x, y);
  else
    return x * y;
}

template <typename E>
GE_DEVICE_INLINE int
is_nan (E x)
{
  if constexpr (is_pair<E>::value)
    return el_is_nan (x);
  else
    return x != x;
}

template <typename E>
GE_DEVICE_INLINE int
compare (E x, E y)
{
  if constexpr (is_pair<E>::value)
    return el_compare (x, y, 0, 0);
  else
    return x < y ? -1 : x > y;
}

template <typename E>
GE_INLINE int
is_nonzero (E x)
{
  if constexpr (is_pair<E>::value)
    return x.re != 0 || x.im != 0;
  else
    return x != 0;
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
          return is_nan (x) && ! is_nan (y) ? y : x;
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
