/* Kernels for stacks of general pages, real types; the launches.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/stack_launch.cuh"

GE_INSTANTIATE_REAL (ge_launch_pages)
