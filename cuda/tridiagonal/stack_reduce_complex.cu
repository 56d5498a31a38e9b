/* Stacks: reduction of complex matrices to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_reduce.cuh"

GE_INSTANTIATE_COMPLEX (ge_stack_reduce)
