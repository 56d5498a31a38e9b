/* Stacks: reduction of complex matrices to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_reduce.cuh"

/* 16 columns per thread: 64 registers.  */
template <>
gpueig_status
ge_stack_reduce (gpueig_context *ctx, const ge_stack<cuDoubleComplex> *s)
{
  const int rows = (s->n + 15) / 16;
  if (s->n <= 64)
    return launch_reduce<cuDoubleComplex, 2, 16, 256, 2> (ctx, s, rows);
  if (s->n <= 80)
    return launch_reduce<cuDoubleComplex, 3, 16, 416, 1> (ctx, s, rows);
  return reduce_in_memory (ctx, s);
}

GE_INSTANCE (ge_stack_reduce, cuComplex)
