/* Sizes at which one solver of the CUDA backend overtakes another; measured on an
   H100.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CROSSOVER_H
#define GE_CROSSOVER_H 1

#include <stdint.h>

/* From this number of pages of order N on one-sided Jacobi on the whole stack
   takes less time than a solver called page by page; cuSOLVER's kernels for
   stacks, which do part of it, take long for the first page.  */
static inline int64_t
ge_least_stack (int64_t n, int is_complex)
{
  return n <= 128 ? 2 : n > 256 ? 8 : is_complex ? 5 : 2;
}

#endif
