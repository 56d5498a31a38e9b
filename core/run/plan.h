/* The plan of a call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_PLAN_H
#define GE_PLAN_H 1

#include "base/solver.h"

/* Nonzero if a GPU, where there is one, solves a problem of SHAPE faster.  */
int ge_gpu_pays (ge_solver_id solver, ge_method method, const ge_shape *shape);

#endif
