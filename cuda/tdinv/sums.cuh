/* Sums of moduli and partial norms, for the 1-norms of a tridiagonal matrix and
   of its inverse.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As in core/methods/tdinv/generators_typed.c: the 1-norm of column j of X is |v(j)|
   times a running sum of |u| plus |q(j)| times a running sum of |p|.  */

#ifndef GE_TDINV_SUMS_CUH
#define GE_TDINV_SUMS_CUH 1

#include "tdinv/tdinv.cuh"

/* A sum since the beginning of the last irreducible block; BEGINS is nonzero if
   one begins within the run.  */
typedef struct
{
  ge_size sum;
  int begins;
} run_of_sums;

/* Norm of X, norm of T, condition of the determinant: maxima and sum over a
   part of the rows.  */
typedef struct
{
  ge_size inverse, matrix, condition;
} partial_norms;

template <typename T>
GE_DEVICE_INLINE ge_size
size_entry (T x)
{
  return wide_abs (wide_entry (x));
}

GE_DEVICE_INLINE run_of_sums
join (run_of_sums later, run_of_sums earlier)
{
  if (later.begins)
    return later;
  later.sum = size_add (later.sum, earlier.sum);
  later.begins = earlier.begins;
  return later;
}

GE_DEVICE_INLINE void
merge (partial_norms *p, partial_norms other)
{
  p->inverse = size_max (p->inverse, other.inverse);
  p->matrix = size_max (p->matrix, other.matrix);
  p->condition = size_add (p->condition, other.condition);
}

GE_DEVICE_INLINE void
store_norms (tdinv_result *result, partial_norms p)
{
  result->rcond = size_reciprocal (p.inverse, p.matrix);
  result->condition = p.condition.e;
}

#endif
