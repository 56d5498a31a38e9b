/* Stacks: reduction of small complex pages to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_small.cuh"

template gpueig_status ge_stack_small_reduce (gpueig_context *,
                                              const ge_stack<cuComplex> *);
template gpueig_status
ge_stack_small_reduce (gpueig_context *, const ge_stack<cuDoubleComplex> *);
