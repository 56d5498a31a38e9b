/* Kernels for stacks of general pages, real types; the launches.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/stack_launch.cuh"

template gpueig_status ge_launch_pages (gpueig_context *,
                                        const page_stack<float> &, int, int);
template gpueig_status ge_launch_pages (gpueig_context *,
                                        const page_stack<double> &, int, int);
