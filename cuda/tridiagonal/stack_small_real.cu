/* Stacks: reduction of small real pages to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_small.cuh"

GE_INSTANTIATE_REAL (ge_stack_small_reduce)
