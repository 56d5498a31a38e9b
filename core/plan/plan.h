/* The plan of a call: what "auto" does, how long that takes, and the memory it needs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   ge_make_plan is a pure function of the problem's shape, the options and the machine; it
   needs no GPU.  Of the methods that may serve it takes the one with the least expected
   time, from the machine's own table (gpu_tune) or those of the library (times.h).
     methods.c      the table of methods; the options' ranges, "Method"
     plan.c         the plan, the attempts that follow it
     forms.h        which of its forms a method takes
     times.c, times_fit.c, times_file.c  expected times (times.h, times/)
     plan_cache.c   the times of this machine, the last plans, gpueig_plan  */

#ifndef GE_PLAN_H
#define GE_PLAN_H 1

#include "plan/times.h"
#include "plan/forms.h"

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

/* An attempt that follows the planned one for what that leaves: METHOD (GE_AUTO: that of a plan for
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

/* Check the ranges of the numbers in OPTIONS; *METHOD is its method, one of SOLVER's on
   the backend that OPTIONS names; otherwise GPUEIG_BAD_OPTION.  */
gpueig_status ge_check_options (gpueig_context *ctx, ge_solver_id solver,
                                const gpueig_options *options,
                                ge_method *method);

/* Check that the device numbers are not negative and different, otherwise
   GPUEIG_BAD_OPTION.  */
gpueig_status ge_check_devices (gpueig_context *ctx,
                                const gpueig_options *options);

/* *METHOD: the option of that name, one of SOLVER's on the backend that OPTIONS names, or
   GPUEIG_BAD_OPTION.  */
gpueig_status ge_parse_method (gpueig_context *ctx, ge_solver_id solver,
                               const gpueig_options *options,
                               ge_method *method);

/* Whether METHOD can solve a problem of SHAPE on BACKEND, by the table of methods.  */
gpueig_status ge_check_method (gpueig_context *ctx, ge_solver_id solver,
                               ge_method method, gpueig_backend backend,
                               const ge_shape *shape);

/* The arrays that a GPU needs for vectors by QL or divide and conquer of a page of order
   N.  */
double ge_cuda_stack_arrays (int64_t n);

/* METHODS: the fastest of GE_MRRR's on the CPU for all eigenvectors of tridiagonal matrices
   of each kind; TYPE may be complex.  */
void ge_tridiagonal_methods (gpueig_context *ctx, const gpueig_options *options,
                             gpueig_type type, int64_t n, int64_t pages,
                             ge_method methods[GE_SPECTRA]);

/* *ON_GPU: whether what consists of SOLVER's problems of SHAPE is to be computed on a GPU: the
   user named it, or SOLVER would be planned there; GPUEIG_NO_DEVICE if it was named and cannot
   be used.  */
gpueig_status ge_plan_place (gpueig_context *ctx, const gpueig_options *options,
                             ge_solver_id solver, const ge_shape *shape,
                             int *on_gpu);

/* Read the file again at the next need.  */
void ge_forget_machine (gpueig_context *ctx);

#endif
