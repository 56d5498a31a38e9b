/* Stacks: reduction of small complex pages to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_small.cuh"

GE_INSTANTIATE_COMPLEX (ge_stack_small_reduce)
