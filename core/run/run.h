/* From a public function to a solver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A call passes: its function (checks of the data), run.c (beginning, options, backend,
   end), plan.c (what the call does), shares.c (several GPUs), the solver, which run.c knows
   by its entry (base/entry.h) in ctx->solvers only.
     shares.c    how a problem is divided among several GPUs
     devices.c   a thread and a child context per GPU (devices.h)
     chunks.c    on one GPU, the pages of a stack in chunks
     movers.c    copies during the computation (movers.h)
     problem.c   pages of a problem, in memory of any kind (problem.h)
     execute.c   from a plan to results: attempts, backends, fallback
     classes.c   stacks with pages of several classes
     placed.c    problems in memory of a GPU (base/gpu_memory.h)
     run.c, page.c  ge_begin, ge_end; one page that is run detachably

   A public function is made by GE_PUBLIC from its parts, of which SOLVE calls
   ge_check_options, then ge_run with the method.  */

#ifndef GE_RUN_H
#define GE_RUN_H 1

#include "plan/plan.h"
#include "base/gpu_memory.h"
#include "base/checks.h"
#include "base/solver.h"
#include "base/entry.h"
#include "run/problem.h"

/* --- beginning and end --- */

/* ge_begin replaces NULL options or a NULL method by the defaults and a NULL info by a
   struct in CALL, clears the message and INFO and opens a workspace frame; ge_end releases
   the frame and sets info->time_total and info->memory.  */
typedef struct
{
  gpueig_context *ctx;
  gpueig_info *info;
  int mark;
  int is_auto; /* the backend is GPUEIG_AUTO */
  double start;
  gpueig_options default_options;
  gpueig_info own_info;
} ge_call;

void ge_begin (ge_call *call, gpueig_context *ctx,
               const gpueig_options **options, gpueig_info **info);
gpueig_status ge_end (ge_call *call, gpueig_status status);

/* --- solvers --- */

/* Run SOLVER on the backend that OPTIONS names or, with GPUEIG_AUTO, that the plan
   chooses; the plugin is loaded only if a GPU could be faster.  If the GPU fails, a call
   with GPUEIG_AUTO is repeated on the CPU (info->fallback is "cpu"); a backend that the
   user named is never replaced.  Matrices on a GPU are solved there, or the call fails.  */
gpueig_status ge_run (gpueig_context *ctx, ge_solver_id solver,
                      ge_method method, const void *problem,
                      const gpueig_options *options, gpueig_info *info);

/* A part of a method of the CPU: PROBLEM, in host memory, by SOLVER's METHOD, which may give way
   to others unless it is NAMED.  What the part leaves, the whole leaves.  OPTIONS = NULL:
   none; INFO = NULL: of no interest.  */
gpueig_status ge_run_part (gpueig_context *ctx, ge_solver_id solver,
                           ge_method method, int named, const void *problem,
                           const gpueig_options *options, gpueig_info *info);

/* Nonzero if ge_run would solve PROBLEM, whose arrays are on a GPU, there with GPUEIG_AUTO;
   PROBLEM may be what a public function of SOLVER takes.  */
int ge_plans_gpu (gpueig_context *ctx, ge_solver_id solver, const void *problem,
                  const gpueig_options *options);

/* The parts of a public function, for ge_call_placed.  */
typedef struct
{
  const ge_layout *layout;
  gpueig_status (*solve) (gpueig_context *ctx, const void *problem,
                          const gpueig_options *options, gpueig_info *info);
  /* The solver whose plan says with GPUEIG_AUTO where problems on a GPU are solved;
     GE_SOLVERS: there.  */
  ge_solver_id id;
  /* NULL, or: nonzero if PROBLEM can be solved in host memory only.  */
  int (*on_host) (const void *problem, const gpueig_options *options);
} ge_placed;

/* on_host of a ge_placed that has no form for data on a GPU.  */
int ge_always_on_host (const void *problem, const gpueig_options *options);

/* A public function from ge_begin to ge_end: solve PROBLEM by how->solve, wherever its
   arrays are.  */
gpueig_status ge_call_placed (gpueig_context *ctx, const ge_placed *how,
                              const void *problem,
                              const gpueig_options *options, gpueig_info *info);

/* The public function NAME of a problem TYPE; what follows are the members of its
   ge_placed.  */
#define GE_PUBLIC(name, type, ...)                                             \
  gpueig_status name (gpueig_context *ctx, const type *problem,                \
                      const gpueig_options *options, gpueig_info *info)        \
  {                                                                            \
    static const ge_placed placed = { __VA_ARGS__ };                           \
    return ge_call_placed (ctx, &placed, problem, options, info);              \
  }

/* Solve PROBLEM by how->solve with copies of its arrays in the other memory: in that of the GPU that
   OPTIONS name, or from a GPU in host memory.  *DONE: 0 if with GPUEIG_AUTO the GPU failed or has
   not enough memory: then nothing is done.  */
gpueig_status ge_solve_elsewhere (gpueig_context *ctx, const ge_placed *how,
                                  const void *problem,
                                  const gpueig_options *options,
                                  gpueig_info *info, int *done);

#endif
