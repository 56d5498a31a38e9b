/* Stacks: reduction of small real pages to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_small.cuh"

/* Two or three columns per lane, so that several pages fill a warp.  */
template <typename T>
gpueig_status
ge_stack_small_reduce (gpueig_context *ctx, const ge_stack<T> *s)
{
  if (s->n <= 8)
    return launch_small<T, 8, 2> (ctx, s);
  if (s->n <= 12)
    return launch_small<T, 12, 2> (ctx, s);
  if (s->n <= 16)
    return launch_small<T, 16, 2> (ctx, s);
  if (s->n <= 20)
    return launch_small<T, 20, 2> (ctx, s);
  if (s->n <= 24)
    return launch_small<T, 24, 3> (ctx, s);
  return launch_small<T, 32, 2> (ctx, s);
}

template gpueig_status ge_stack_small_reduce (gpueig_context *,
                                              const ge_stack<float> *);
template gpueig_status ge_stack_small_reduce (gpueig_context *,
                                              const ge_stack<double> *);
