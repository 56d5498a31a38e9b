/* The plan of a call: what "auto" does, and how long that takes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   ge_make_plan is a pure function of the problem's shape, the options and the machine; it
   needs no GPU.  Where the machine has measured times (gpu_tune), a GPU is taken if
   the fastest of its methods is expected to be faster than the fastest of the CPU's;
   elsewhere by the sizes in plan.c.  */

#ifndef GE_PLAN_H
#define GE_PLAN_H 1

#include "run/times.h"

typedef struct
{
  int threads;
  int has_gpu;       /* or nobody asked yet */
  ge_time_table own; /* measured on this machine; COUNT 0: none */
} ge_machine;

/* The backend that "auto" takes, without the expected time.  */
gpueig_backend ge_plan_backend (const ge_machine *machine, ge_solver_id solver,
                                ge_method method, const ge_shape *shape,
                                int on_device);

/* METHOD: of the option.  BACKEND: of the option; GPUEIG_AUTO becomes GPUEIG_CPU or
   GPUEIG_CUDA in the plan.  plan->method is the fastest by
   the times, of which plan->seconds is one; a solver may still choose by the data.  */
void ge_make_plan (const ge_machine *machine, ge_solver_id solver,
                   ge_method method, gpueig_backend backend,
                   const ge_shape *shape, int on_device, ge_plan *plan);

/* Nonzero if a GPU, where there is one, solves a problem of SHAPE faster, by sizes alone.  */
int ge_gpu_pays (ge_solver_id solver, ge_method method, const ge_shape *shape);

/* The machine of CTX: with the times that gpu_tune has written, read once.  A file that
   cannot be used is reported by ge_notice, once.  */
const ge_machine *ge_machine_of (gpueig_context *ctx);

/* The name of the first NVIDIA GPU by the kernel's driver, without CUDA; "" without
   one.  */
void ge_gpu_name (char *name, size_t size);

/* Read the file again at the next need.  */
void ge_forget_machine (gpueig_context *ctx);

#endif
