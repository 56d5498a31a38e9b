/* Claims about plans, without a GPU and without allocations:
   plans_follow_the_machine: more of everything takes no less time; a GPU whose double precision
     is 32 times as slow loses work to the CPU; a faster GPU or more threads take no longer; the
     method of a general matrix does not depend on the outputs
   plans_by_own_times: by times of the machine itself more takes longer
   one_small_page_is_lapacks: one small page on the CPU is solved by LAPACK and by QR
     iterations, which keep small eigenvalues of graded matrices
   measured_winners_are_chosen: what was measured as the fastest by a fifth and more is chosen
   plans_state_no_more_than_is_used: no solver states more memory than it uses; a GPU that is
     too small is not taken
   named_methods_and_backends_stay: named methods and backends stay
   gpueig_plan_is_the_plan: gpueig_plan returns this plan, and refuses tasks that are none
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "solvers.h"

#include "plan/plan.h"
#include "run/solvers.h"
#include "plan/times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ge_shape
shape_of (int type, int64_t n, int64_t pages)
{
  return (ge_shape){ .type = type, .n = n, .pages = pages, .outputs = 1 };
}

static int64_t
random_size (measure_random *r, double decades)
{
  return 1 + (int64_t) pow (10, decades * (0.5 + measure_uniform (r) / 2));
}

/* What a larger problem, or the same one on a lesser machine, takes at least: as long as
   PLAN, but on the CPU LAPACK solves one small page though others may take less.  */
static double
least_time (const ge_plan *plan, const ge_shape *shape)
{
  const int is_small
      = plan->backend == GPUEIG_CPU && shape->pages == 1 && shape->n <= 16;
  if (is_small && plan->method == GE_METHOD_GENERAL_GEEV)
    return 0;
  return plan->seconds / (is_small ? 1.5 : 1) * (1 - 1e-9);
}

/* --- the tables of the library, scaled --- */

static ge_machine
like (int threads, double single, double twice, double bandwidth)
{
  return (ge_machine){ .hardware
                       = { threads, 64, { single, twice }, bandwidth },
                       .cores = threads,
                       .has_gpu = 1 };
}

static ge_plan
plan_of (const ge_machine *machine, ge_solver_id solver, gpueig_backend backend,
         const ge_shape *shape)
{
  ge_plan plan;
  ge_make_plan (machine, ge_solvers[solver], GE_AUTO, backend, shape, &plan);
  return plan;
}

static const ge_solver_id all_solvers[]
    = { GE_EIG_SYMMETRIC, GE_EIG_GENERAL, GE_JACOBI_EIG, GE_ONESIDED_EIG,
        GE_COMPLEX_EIG,   GE_MRRR,        GE_SCHUR };

typedef struct
{
  int to_cpu, to_gpu, single, slower, fewer, longer, outputs;
} scaled_counts;

/* One page, or up to 10^DECADES.  The random numbers are drawn one by one: compilers differ in the
   order in which they evaluate arguments.  */
static ge_shape
random_shape (measure_random *r, double decades)
{
  const int64_t pages = measure_uniform (r) < 0 ? 1 : random_size (r, decades),
                n = random_size (r, 3.6);
  return shape_of ((int) (2 + 1.99 * measure_uniform (r)), n, pages);
}

/* The same random problem on an H200, and on machines that differ in one thing.  */
static void
plans_follow_the_machine (measure_random *r, scaled_counts *count)
{
  ge_shape shape = random_shape (r, 4);
  const ge_solver_id solver
      = all_solvers[(int) (3.5 + 3.499 * measure_uniform (r))];
  const double more = 1 + 20 * (1 + measure_uniform (r));
  const ge_machine h200 = like (16, 6.69e13, 3.345e13, 4.917e12);
  const ge_machine slow = like (16, 6.69e13, 3.345e13 / 32, 4.917e12);
  const ge_machine less = like (16, 6.69e13 / more, 3.345e13 / more, 4.917e12);
  const ge_machine narrow = like (16, 6.69e13, 3.345e13, 4.917e12 / more);
  const ge_machine cores = like ((int) (16 * more), 0, 0, 0);
  if (solver == GE_MRRR && measure_uniform (r) > 0)
    {
      shape.is_tridiagonal = 1;
      shape.type = real_type (shape.type);
    }
  const ge_plan here = plan_of (&h200, solver, GPUEIG_AUTO, &shape);
  const ge_plan there = plan_of (&slow, solver, GPUEIG_AUTO, &shape);
  count->to_cpu += here.backend == GPUEIG_CUDA && there.backend == GPUEIG_CPU;
  count->to_gpu += here.backend == GPUEIG_CPU && there.backend == GPUEIG_CUDA;
  count->single
      += ! gpueig_is_double (shape.type)
         && (here.backend != there.backend || here.seconds != there.seconds);
  const ge_plan cuda = plan_of (&h200, solver, GPUEIG_CUDA, &shape),
                cpu = plan_of (&h200, solver, GPUEIG_CPU, &shape);
  const double gpu = cuda.seconds;
  ge_shape device = shape;
  device.on_device = 1;
  CHECK (gpu > 0 && here.seconds > 0 && cuda.backend == GPUEIG_CUDA
             && cpu.backend == GPUEIG_CPU && here.seconds <= gpu
             && here.seconds <= cpu.seconds
             && (here.seconds == cpu.seconds || here.backend == GPUEIG_CUDA),
         "solver %d, n = %lld, %lld pages: the smaller of %g and %g s", solver,
         (long long) shape.n, (long long) shape.pages, cpu.seconds, gpu);
  CHECK (here.backend != GPUEIG_CUDA
             || plan_of (&h200, solver, GPUEIG_AUTO, &device).backend
                    == GPUEIG_CUDA,
         "data on the GPU stays there");
  const double least = gpu * (1 - 1e-9);
  count->slower
      += plan_of (&slow, solver, GPUEIG_CUDA, &shape).seconds < least
         || plan_of (&less, solver, GPUEIG_CUDA, &shape).seconds < least
         || plan_of (&narrow, solver, GPUEIG_CUDA, &shape).seconds < least;
  const ge_plan more_cores = plan_of (&cores, solver, GPUEIG_CPU, &shape);
  count->fewer += least_time (&more_cores, &shape)
                  > plan_of (&h200, solver, GPUEIG_CPU, &shape).seconds;
  ge_shape larger = shape, longer = shape, values = shape;
  larger.n *= 2;
  longer.pages *= 2;
  values.outputs = 0;
  count->longer += plan_of (&h200, solver, GPUEIG_AUTO, &larger).seconds
                       < least_time (&here, &shape)
                   || plan_of (&h200, solver, GPUEIG_AUTO, &longer).seconds
                          < least_time (&here, &shape);
  if (solver == GE_EIG_GENERAL || solver == GE_COMPLEX_EIG
      || solver == GE_SCHUR)
    {
      const ge_plan alone = plan_of (&h200, solver, GPUEIG_AUTO, &values);
      count->outputs
          += alone.method != here.method || alone.backend != here.backend;
    }
}

/* By times of the machine itself, here the library's first table, more takes longer.  */
static void
plans_by_own_times (measure_random *r)
{
  ge_machine machine = like (16, 6.69e13, 3.345e13, 4.917e12);
  machine.own = ge_built_in_times[0];
  machine.hardware.threads = machine.own.hardware.threads;
  for (int i = 0; i < 200; i++)
    {
      ge_shape shape = random_shape (r, 3);
      const ge_solver_id solver
          = all_solvers[(int) (3.5 + 3.499 * measure_uniform (r))];
      const ge_plan plan = plan_of (&machine, solver, GPUEIG_AUTO, &shape);
      shape.n *= 2;
      CHECK (plan.seconds > 0
                 && plan_of (&machine, solver, GPUEIG_AUTO, &shape).seconds
                        >= least_time (&plan, &shape),
             "solver %d, order %lld takes longer", (int) solver,
             (long long) shape.n);
    }
}

/* On the CPU LAPACK's methods and QR iterations, which keep small eigenvalues of graded
   matrices, solve one small page; of gpu_eig LAPACK, whose order people know.  */
static void
one_small_page_is_lapacks (void)
{
  static const int vectors[] = { 32, 64 };
  for (int t = 0; t < 6; t++)
    for (gpueig_type type = 0; type < 4; type++)
      for (int k = 0; k < 16; k++)
        {
          ge_shape shape = shape_of (type, 1 + k, 1);
          ge_machine machine = like (1 << t, 0, 0, 0);
          machine.hardware.vector_bytes = vectors[k % 2];
          shape.outputs = k / 2 % 2;
          shape.pair = (k / 4 + t) % 2;
          const ge_plan one
              = plan_of (&machine, GE_EIG_SYMMETRIC, GPUEIG_CPU, &shape);
          shape.pair = 0;
          const ge_plan general
              = plan_of (&machine, GE_COMPLEX_EIG, GPUEIG_CPU, &shape);
          CHECK (plan_of (&machine, GE_EIG_GENERAL, GPUEIG_CPU, &shape).method
                     == GE_METHOD_GENERAL_GEEV,
                 "type %d, order %d, %d threads: LAPACK's order", type, 1 + k,
                 1 << t);
          CHECK (one.method == GE_METHOD_EIG_SYEVD
                     && (general.method == GE_METHOD_COMPLEX_GEEV
                         || general.method == GE_METHOD_COMPLEX_QR),
                 "type %d, order %d, %d threads: %s and %s", type, 1 + k,
                 1 << t, ge_method_name (one.method),
                 ge_method_name (general.method));
        }
}

/* What was measured as the fastest by a fifth and more: double precision with vectors, on 16
   cores with an H100 or on two cores.  */
static void
measured_winners_are_chosen (void)
{
  static const struct
  {
    ge_solver_id solver;
    int64_t n, pages;
    ge_method large, small; /* on these machines; CUDA: LARGE runs there */
    int cuda;
  } choices[] = {
    { GE_EIG_SYMMETRIC, 8, 1, GE_METHOD_EIG_SYEVD, GE_METHOD_EIG_SYEVD, 0 },
    { GE_EIG_SYMMETRIC, 128, 300, GE_METHOD_EIG_DC, GE_METHOD_EIG_MRRR, 1 },
    { GE_EIG_SYMMETRIC, 1000, 1, GE_METHOD_EIG_MRRR, GE_METHOD_EIG_MRRR, 1 },
    { GE_EIG_GENERAL, 64, 1, GE_METHOD_GENERAL_QR, GE_METHOD_GENERAL_QR, 0 },
    { GE_EIG_GENERAL, 32, 10000, GE_METHOD_GENERAL_QR, GE_METHOD_GENERAL_QR,
      1 },
    { GE_EIG_GENERAL, 1000, 1, GE_METHOD_GENERAL_QR, GE_METHOD_GENERAL_QR, 1 },
    { GE_JACOBI_EIG, 8, 1, GE_METHOD_JACOBI_BLOCK, GE_METHOD_JACOBI_BLOCK, 0 },
    { GE_JACOBI_EIG, 64, 1, GE_METHOD_JACOBI_PRECONDITIONED,
      GE_METHOD_JACOBI_PRECONDITIONED, 0 },
    { GE_JACOBI_EIG, 32, 10000, GE_METHOD_JACOBI_PRECONDITIONED,
      GE_METHOD_JACOBI_BLOCK, 1 },
    { GE_SCHUR, 64, 1, GE_METHOD_SCHUR_QR, GE_METHOD_SCHUR_QR, 0 },
    { GE_SCHUR, 1000, 1, GE_METHOD_SCHUR_QR, GE_METHOD_SCHUR_QR, 1 },
    { GE_SVD, 4, 100000, GE_METHOD_SVD_JACOBI, GE_METHOD_SVD_JACOBI, 1 },
    { GE_SVD, 128, 300, GE_METHOD_SVD_GRAM, GE_METHOD_SVD_GESDD, 1 },
    { GE_SVD, 1000, 1, GE_METHOD_SVD_GRAM, GE_METHOD_SVD_GESDD, 1 },
    { GE_TDINV, 64, 1, GE_METHOD_TDINV_GENERATORS, GE_METHOD_TDINV_GENERATORS,
      0 },
  };
  const ge_machine h100 = like (16, 6.69e13, 3.345e13, 3.352e12);
  ge_machine two = like (2, 0, 0, 0);
  two.has_gpu = 0;
  for (size_t i = 0; i < COUNT (choices); i++)
    {
      const ge_shape shape
          = shape_of (GPUEIG_DOUBLE, choices[i].n, choices[i].pages);
      const ge_plan large
          = plan_of (&h100, choices[i].solver, GPUEIG_AUTO, &shape);
      const ge_plan small
          = plan_of (&two, choices[i].solver, GPUEIG_AUTO, &shape);
      CHECK (large.method == choices[i].large
                 && (large.backend == GPUEIG_CUDA) == choices[i].cuda
                 && small.method == choices[i].small
                 && small.backend == GPUEIG_CPU,
             "solver %d, %lld pages of order %lld: \"%s\" on %s, \"%s\"",
             (int) choices[i].solver, (long long) shape.pages,
             (long long) shape.n, ge_method_name (large.method),
             large.backend == GPUEIG_CUDA ? "the GPU" : "the CPU",
             ge_method_name (small.method));
    }
}

/* --- memory --- */

/* The stated need is no more than what a call of order N on the CPU uses; a GPU that is too
   small is not taken.  */
static void
plans_state_no_more_than_is_used (void)
{
  enum
  {
    N = 90
  };
  gpueig_options o = options;
  gpueig_info info;
  o.backend = GPUEIG_CPU;
  for (int i = 0; i < SOLVERS; i++)
    for (ge_method m = GE_AUTO + 1; m < GE_METHODS; m++)
      {
        const ge_solver_id solver = solvers[i].id;
        const ge_shape shape = shape_of (GPUEIG_DOUBLE, N, 1);
        const ge_machine here = like (2, 0, 0, 0);
        ge_plan plan;
        if (! has_method (solver, GPUEIG_CPU, m, 1))
          continue;
        CLEANUP (free_problem)
        any_problem p = make_problem (&solvers[i], GPUEIG_DOUBLE, N, 1, 2);
        fill_problem (&p, 3);
        o.method = ge_method_name (m);
        gpueig_trim (ctx);
        const gpueig_status status = solve_problem (ctx, &p, &o, &info);
        ge_make_plan (&here, ge_solvers[solver], m, GPUEIG_CPU, &shape, &plan);
        CHECK (status == GPUEIG_OK && plan.host_bytes <= info.memory,
               "method \"%s\" of %s: %lld bytes are stated, %lld used",
               o.method, solvers[i].name, (long long) plan.host_bytes,
               (long long) info.memory);
      }
  ge_machine small = like (4, 6.69e13, 3.345e13, 4.917e12);
  const ge_shape large = shape_of (GPUEIG_DOUBLE, 20000, 1);
  CHECK (plan_of (&small, GE_EIG_SYMMETRIC, GPUEIG_AUTO, &large).backend
             == GPUEIG_CUDA,
         "a large matrix on a large GPU");
  small.device_memory = (int64_t) 4 << 30;
  const ge_plan plan = plan_of (&small, GE_EIG_SYMMETRIC, GPUEIG_AUTO, &large);
  CHECK (plan.backend == GPUEIG_CPU && plan.host_bytes > 1000,
         "and on the CPU where the GPU is too small");
}

static void
named_methods_and_backends_stay (void)
{
  const ge_machine machine = like (4, 6.69e13, 3.345e13, 4.917e12);
  const ge_shape shape = shape_of (GPUEIG_DOUBLE, 3000, 1);
  for (int m = GE_AUTO + 1; m < GE_METHODS; m++)
    {
      const ge_method_row *row = &ge_method_table[m];
      ge_plan plan;
      if (row->places == GE_ON_MPI)
        continue;
      ge_make_plan (&machine, ge_solvers[row->solver], (ge_method) m,
                    GPUEIG_AUTO, &shape, &plan);
      CHECK (plan.method == (ge_method) m && plan.named,
             "method \"%s\" of solver %d stays", row->name, (int) row->solver);
      CHECK ((plan.backend == GPUEIG_CUDA ? GE_ON_CUDA : GE_ON_CPU)
                 & row->places,
             "method \"%s\" on a backend that has it", row->name);
      CHECK ((row->traits & GE_UNNAMED)
                 ? ge_find_method (row->solver, row->name) != (ge_method) m
                 : ge_find_method (row->solver, row->name) == (ge_method) m,
             "the name \"%s\"", row->name);
    }
  /* What followed an unnamed method is named as the call could name it.  */
  const ge_plan unnamed = { .backend = GPUEIG_CPU };
  for (int i = 0; i < 3; i++)
    {
      gpueig_info info;
      ge_info_begin (&info);
      ge_info_fallback (&info, i == 0 ? "ql" : "mrrr");
      ge_info_planned (&info, &unnamed, i == 2 ? 2 : 1);
      CHECK (! info.fallback[0]
                 && strcmp (info.method, i == 1 ? "mrrr" : "auto") == 0,
             "case %d: the method is \"%s\"", i, info.method);
    }
  ge_machine none = machine;
  none.has_gpu = 0;
  ge_plan plan;
  ge_make_plan (&none, ge_solvers[GE_EIG_SYMMETRIC], GE_AUTO, GPUEIG_AUTO,
                &shape, &plan);
  CHECK (plan.backend == GPUEIG_CPU, "no GPU, no plan for one");
}

static void
gpueig_plan_is_the_plan (void)
{
  gpueig_options o = gpueig_default_options ();
  gpueig_forecast forecast;
  gpueig_task task = { .function = GPUEIG_FUNCTION_EIG_SYMMETRIC,
                       .type = GPUEIG_DOUBLE,
                       .n = 1000,
                       .pages = 1,
                       .vectors = 1 };
  for (int f = 0; f <= GPUEIG_FUNCTION_SCHUR; f++)
    {
      task.function = (gpueig_function) f;
      o.backend = GPUEIG_CPU;
      CHECK (gpueig_plan (ctx, &task, &o, &forecast) == GPUEIG_OK
                 && forecast.backend == GPUEIG_CPU && forecast.seconds >= 0,
             "function %d: %s", f, gpueig_message (ctx));
    }
  task.function = GPUEIG_FUNCTION_EIG_SYMMETRIC;
  o.method = "ql";
  CHECK (gpueig_plan (ctx, &task, &o, &forecast) == GPUEIG_NO_DEVICE,
         "\"ql\" on the CPU: %s", gpueig_message (ctx));
  o.backend = GPUEIG_CUDA;
  CHECK (gpueig_plan (ctx, &task, &o, &forecast) == GPUEIG_BAD_OPTION,
         "\"ql\" of order 1000: %s", gpueig_message (ctx));
  o.method = "nonsense";
  CHECK (gpueig_plan (ctx, &task, &o, &forecast) == GPUEIG_BAD_OPTION
             && strstr (gpueig_message (ctx), "\"syevd\""),
         "the message lists the methods: %s", gpueig_message (ctx));
  task.n = 0;
  CHECK (gpueig_plan (ctx, &task, NULL, &forecast) == GPUEIG_BAD_ARGUMENT,
         "order 0");
}

int
main (void)
{
  measure_random r = { 5 };
  begin_test ("plan");
  scaled_counts scaled = { 0 };
  for (int i = 0; i < 1000; i++)
    plans_follow_the_machine (&r, &scaled);
  CHECK (scaled.to_cpu > 2 && scaled.to_gpu == 0 && scaled.single == 0,
         "a slow FP64 moved %d problems to the CPU, %d to the GPU, %d single "
         "ones",
         scaled.to_cpu, scaled.to_gpu, scaled.single);
  CHECK (scaled.slower == 0 && scaled.fewer == 0,
         "%d are faster on a lesser GPU, %d slower on more cores",
         scaled.slower, scaled.fewer);
  CHECK (scaled.longer == 0 && scaled.outputs == 0,
         "%d of 1000 take less time when larger, %d another method for values",
         scaled.longer, scaled.outputs);
  plans_by_own_times (&r);
  one_small_page_is_lapacks ();
  measured_winners_are_chosen ();
  plans_state_no_more_than_is_used ();
  named_methods_and_backends_stay ();
  gpueig_plan_is_the_plan ();
  return end_test ();
}
