/* Stacks: reduction of real matrices to tridiagonal form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/stack_reduce.cuh"

template gpueig_status ge_stack_reduce (gpueig_context *,
                                        const ge_stack<float> *);
template gpueig_status ge_stack_reduce (gpueig_context *,
                                        const ge_stack<double> *);
