/* Sizes at which one solver of the CUDA backend overtakes another.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CROSSOVER_H
#define GE_CROSSOVER_H 1

#include <stdint.h>

/* The least number of pages of order N for which one-sided Jacobi on the whole
   stack is faster than cuSOLVER's Xsyevd called page by page.  The values are
   not monotonic in n because one-sided Jacobi uses cuSOLVER's batched kernels
   for some orders, whose time hardly depends on the number of pages while it is
   small.  */
static inline int64_t
ge_least_stack (int64_t n, int is_complex)
{
  return n <= 128 ? 2 : n > 256 ? 8 : is_complex ? 5 : 2;
}

#endif
