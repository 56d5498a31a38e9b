/* The plan of a call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/plan.h"

#include <math.h>

/* Nonzero if the plan may take method M in PLACE for a problem of SHAPE.  */
static int
may_take (ge_method m, ge_method named, unsigned place, const ge_shape *shape)
{
  const ge_method_row *row = &ge_method_table[m];
  if (! (row->places & place))
    return 0;
  if (named != GE_AUTO)
    return m == named;
  if ((row->largest > 0 && shape->n > row->largest)
      || (shape->pair && ! (row->traits & (GE_TAKES_PAIR | GE_AUTO_PAIR))))
    return 0;
  if (shape->high_accuracy
      && (row->solver == GE_JACOBI_EIG || row->solver == GE_ONESIDED_EIG))
    return m == GE_METHOD_JACOBI_BLOCK || m == GE_METHOD_ONESIDED_CHOLESKY;
  const unsigned part = shape->part == 0   ? 0
                        : shape->part == 1 ? GE_TAKES_RANGE
                                           : GE_TAKES_PART;
  /* Limits of sweeps and tolerances are those of Jacobi-like methods.  */
  return ! (row->traits & GE_NAMED_ONLY) && (row->traits & part) == part
         && ! (shape->limited && m == GE_METHOD_COMPLEX_QR);
}

/* THREADS: of the CPU.  */
static double
expected (const ge_machine *machine, int threads, const ge_time_query *q,
          int *estimated)
{
  ge_hardware hardware = machine->hardware;
  double seconds = -1;
  hardware.threads = threads;
  if (machine->own.count > 0)
    seconds = ge_measured_time (&machine->own, q, &hardware, estimated);
  if (seconds >= 0)
    return seconds;
  *estimated = 1;
  return machine->own_ratio[q->backend == GPUEIG_CUDA]
         * ge_scaled_time (&hardware, q, estimated);
}

/* How many times as long a method takes from a guess: what the first eigenvectors cost
   is saved.  */
static double
from_guess (ge_method m, const ge_shape *shape)
{
  return shape->guess && m == GE_METHOD_JACOBI_PRECONDITIONED ? 0.6 : 1;
}

/* The expected seconds of a plan, by the threads that it will use.  */
static void
expect (const ge_machine *machine, const ge_shape *shape, ge_plan *plan)
{
  const ge_time_query q
      = { plan->method, plan->backend, shape,
          plan->backend == GPUEIG_CUDA && ! shape->on_device };
  if (plan->seconds >= 0)
    plan->seconds
        = from_guess (plan->method, shape)
          * expected (machine, machine->hardware.threads, &q, &plan->estimated);
}

/* The fastest method of SOLVER on BACKEND; seconds negative if there is none.  On the CPU
   the one that is the fastest with all of its cores, on a GPU with transfers: which one it
   is, and so the bits, do not depend on the number of threads or the place.  */
static void
fastest (const ge_machine *machine, ge_solver_id solver, ge_method named,
         gpueig_backend backend, const ge_shape *shape, ge_plan *plan)
{
  const int cuda = backend == GPUEIG_CUDA;
  plan->backend = backend;
  plan->method = named;
  plan->seconds = -1;
  for (int i = GE_AUTO + 1; i < GE_METHODS; i++)
    {
      const ge_method m = (ge_method) i;
      int estimated = 0;
      if (ge_method_table[i].solver != solver
          || ! may_take (m, named, cuda ? GE_ON_CUDA : GE_ON_CPU, shape))
        continue;
      const ge_time_query q = { m, backend, shape, cuda };
      const double seconds
          = from_guess (m, shape)
            * expected (machine, machine->cores, &q, &estimated);
      if (plan->seconds >= 0 && ! (seconds >= 0 && seconds < plan->seconds))
        continue;
      plan->method = m;
      plan->seconds = seconds;
      plan->estimated = estimated;
    }
  if (cuda && shape->on_device)
    expect (machine, shape, plan);
}

/* Seconds for the copies of what lies on the GPU, if the CPU is to solve it.  */
static double
copies (const ge_machine *machine, ge_method method, const ge_shape *shape)
{
  const ge_time_query with = { method, GPUEIG_CUDA, shape, 1 };
  const ge_time_query without = { method, GPUEIG_CUDA, shape, 0 };
  int estimated;
  return expected (machine, 1, &with, &estimated)
         - expected (machine, 1, &without, &estimated);
}

void
ge_make_plan (const ge_machine *machine, ge_solver_id solver, ge_method method,
              gpueig_backend backend, const ge_shape *shape, ge_plan *plan)
{
  ge_shape s = *shape;
  ge_plan cuda = { .named = method != GE_AUTO, .seconds = -1 };
  *plan = (ge_plan){ .backend = backend,
                     .method = method,
                     .named = method != GE_AUTO,
                     .seconds = -1 };
  if (backend == GPUEIG_MPI)
    return;
  /* Eigenvalues of a general matrix can be sensitive: alone they come from the solver
     that also computes the vectors.  */
  if (solver == GE_EIG_GENERAL || solver == GE_COMPLEX_EIG
      || solver == GE_SCHUR)
    s.outputs = 1;
  if (backend == GPUEIG_CUDA || (backend == GPUEIG_AUTO && machine->has_gpu))
    fastest (machine, solver, method, GPUEIG_CUDA, &s, &cuda);
  if (backend != GPUEIG_CUDA)
    {
      fastest (machine, solver, method, GPUEIG_CPU, &s, plan);
      expect (machine, &s, plan);
    }
  const double here = plan->seconds;
  if (here >= 0 && cuda.seconds >= 0 && s.on_device)
    plan->seconds += copies (machine, cuda.method, &s);
  if (backend == GPUEIG_CUDA
      || (cuda.seconds >= 0 && (here < 0 || cuda.seconds < plan->seconds)))
    *plan = cuda;
  if (s.outputs != shape->outputs)
    expect (machine, shape, plan);
  plan->seconds = fmax (plan->seconds, 0);
}

void
ge_compare_times (ge_machine *machine)
{
  double sum[2] = { 0, 0 }, count[2] = { 0, 0 };
  for (int i = 0; i < machine->own.count; i++)
    {
      const ge_time *t = &machine->own.row[i];
      const ge_shape shape
          = { .type = t->type,
              .n = t->n,
              .pages = t->pages,
              .outputs = t->kind & GE_WITH_VECTORS,
              .pair = (t->kind & GE_OF_PAIRS) != 0,
              .is_tridiagonal = ge_method_table[t->method].solver == GE_MRRR,
              .columns = t->n };
      const ge_time_query q = { t->method, t->backend, &shape, 0 };
      int estimated;
      const double seconds
          = ge_scaled_time (&machine->hardware, &q, &estimated);
      const int cuda = t->backend == GPUEIG_CUDA;
      if (! (seconds > 0))
        continue;
      sum[cuda] += log (t->seconds / seconds);
      count[cuda]++;
    }
  for (int k = 0; k < 2; k++)
    machine->own_ratio[k] = count[k] > 0 ? exp (sum[k] / count[k]) : 1;
}
