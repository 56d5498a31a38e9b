/* Stacks: reduction of complex matrices to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_reduce.cuh"

template <>
gpueig_status
ge_stack_reduce (gpueig_context *ctx, const ge_stack<cuComplex> *s)
{
  const int rows = (s->n + 31) / 32;
  if (s->n <= 64)
    return launch_reduce<cuComplex, 2, 32, 128, 4> (ctx, s, rows);
  if (s->n <= 85)
    return launch_reduce<cuComplex, 3, 32, 256, 2> (ctx, s, rows);
  if (s->n <= 96)
    return launch_reduce<cuComplex, 3, 32, 288, 2> (ctx, s, rows);
  if (s->n <= 128)
    return launch_reduce<cuComplex, 0, 32, 512, 1> (ctx, s, rows);
  if (s->n > GE_STACK_ORDER)
    return reduce_large (ctx, s);
  return reduce_in_memory (ctx, s);
}

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
