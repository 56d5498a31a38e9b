/* Stacks: reduction of real matrices to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_reduce.cuh"

/* 32 columns per thread: 64 registers in double precision.  */
template <typename T>
gpueig_status
ge_stack_reduce (gpueig_context *ctx, const ge_stack<T> *s)
{
  constexpr int is_float = sizeof (T) == 4;
  const int rows = (s->n + 31) / 32;
  if (s->n <= 64)
    return launch_reduce < T, 2, 32, 128, is_float ? 6 : 4 > (ctx, s, rows);
  if (s->n <= 85)
    return launch_reduce < T, 3, 32, 256, is_float ? 4 : 2 > (ctx, s, rows);
  if (s->n <= 96)
    return launch_reduce < T, 3, 32, 288, is_float ? 3 : 2 > (ctx, s, rows);
  if (s->n <= 128)
    return launch_reduce < T, 0, 32, 512, is_float ? 2 : 1 > (ctx, s, rows);
  if constexpr (is_float)
    if (s->n > GE_STACK_ORDER)
      return reduce_large (ctx, s);
  return reduce_in_memory (ctx, s);
}

template gpueig_status ge_stack_reduce (gpueig_context *,
                                        const ge_stack<float> *);
template gpueig_status ge_stack_reduce (gpueig_context *,
                                        const ge_stack<double> *);
