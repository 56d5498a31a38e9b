/* The plan of a call: what "auto" does, how long that takes, and the memory it needs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   ge_make_plan is a pure function of the problem's shape, the options and the machine; it
   needs no GPU.  Of the methods that may serve it takes the one with the least expected
   time, from the machine's own table (gpu_tune) or those of the library (times.h).  */

#ifndef GE_PLAN_H
#define GE_PLAN_H 1

#include "run/times.h"

typedef struct
{
  ge_hardware
      hardware; /* the GPU's part is 0 until its plugin has been loaded */
  int cores;    /* those of the process; of these HARDWARE's threads are used */
  int has_gpu;  /* or nobody asked yet */
  int64_t device_memory; /* bytes; 0: unknown, or several GPUs */
  ge_time_table own;     /* measured on this machine; COUNT 0: none */
} ge_machine;

/* Nonzero if eigenvalues alone come from SOLVER's method for vectors, since those of a general
   matrix can be sensitive: only that has times.  */
int ge_values_with_vectors (ge_solver_id solver);

/* METHOD: of the option.  BACKEND: of the option; GPUEIG_AUTO becomes GPUEIG_CPU or
   GPUEIG_CUDA in the plan.  plan->seconds is 0 if no time is known.  */
void ge_make_plan (const ge_machine *machine, const ge_solver_entry *entry,
                   ge_method method, gpueig_backend backend,
                   const ge_shape *shape, ge_plan *plan);

/* What follows the planned attempt for what it leaves: METHOD (GE_AUTO: that of a plan for
   BACKEND) where one of the reasons SERVES is why.  */
typedef struct
{
  gpueig_backend backend;
  ge_method method;
  unsigned serves;
} ge_attempt;

/* ATTEMPTS, in their order, after that of PLAN.  Returns their number.  */
int ge_list_attempts (const ge_solver_entry *entry, const ge_shape *shape,
                      const gpueig_options *options, const ge_plan *plan,
                      ge_attempt attempts[GPUEIG_ATTEMPTS]);

/* PLAN: METHOD on BACKEND, which may give way to others unless it is NAMED.  */
void ge_plan_part (gpueig_backend backend, ge_method method, int named,
                   ge_plan *plan);

/* The reasons that ATTEMPT serves, in words.  */
void ge_describe_reasons (const ge_attempt *attempt, size_t size, char *text);

/* Why an attempt with STATUS left everything, 0 if it did not or if no other can help.  */
unsigned ge_reason_of (gpueig_status status);

/* The machine of CTX: with the times that gpu_tune has written, read once.  A file that
   cannot be used is reported by ge_notice, once.  OPTIONS: its GPU.  */
const ge_machine *ge_machine_of (gpueig_context *ctx,
                                 const gpueig_options *options);

/* ge_make_plan on that machine; the last plans are kept.  */
void ge_plan_call (gpueig_context *ctx, const gpueig_options *options,
                   ge_solver_id solver, ge_method method,
                   gpueig_backend backend, const ge_shape *shape,
                   ge_plan *plan);

/* Read the file again at the next need.  */
void ge_forget_machine (gpueig_context *ctx);

#endif
