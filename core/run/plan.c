/* The plan of a call: the sizes from which backend "auto" takes a GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Measured on 2026-11-22 with one H200 and 16 threads of its host, whole calls in Octave
   with eigenvectors (the table auto of tests/bench, and stacks of 2 to 4000 pages).  */

#include "run/plan.h"

#include <math.h>

typedef enum
{
  GE_SIZE_SYMMETRIC,
  GE_SIZE_PAIR, /* (A, B) */
  GE_SIZE_GENERAL,
  GE_SIZE_GEEV, /* general, by cuSOLVER's Xgeev */
  GE_SIZE_SCHUR,
  GE_SIZE_COMPLEX_EIG,
  GE_SIZE_JACOBI_EIG,
  GE_SIZE_ONESIDED_EIG,
  GE_SIZE_MRRR_DENSE,
  GE_SIZE_MRRR_TRIDIAGONAL,
  GE_SIZE_TDINV,
  GE_SIZES
} ge_size_id;

/* The number of threads of the measurement.  */
#define THREADS 16

/* The work of a stack is pages n^2 (n + 20).  */
typedef struct
{
  int64_t order[4]; /* of one page, by type; 0: a GPU is never faster */
  /* A GPU solves all pages at once up to this order and from so many pages on.  */
  int64_t batch_order, batch_pages;
  /* It is then faster from SMALL_WORK on below order SMALL, where the CPU has solvers
     for several pages in a SIMD register, and else from WORK, real and complex.  */
  int64_t small;
  double small_work, work[2];
  /* Nonzero: pages that the GPU solves one after another are solved faster by the
     CPU, several at once, up to larger orders than one page is.  */
  int one_by_one;
} cuda_size;

static const cuda_size sizes[GE_SIZES] = {
  /* single, double, complex single, complex double */
  [GE_SIZE_SYMMETRIC]
  = { { 96, 96, 64, 64 }, 256, 2, 16, 3e6, { 3e5, 3e5 }, 0 },
  [GE_SIZE_PAIR] = { .order = { 192, 192, 192, 192 } },
  [GE_SIZE_GENERAL]
  = { { 64, 80, 48, 48 }, 128, 4, 16, 1e6, { 2e6, 1.4e5 }, 1 },
  [GE_SIZE_GEEV] = { .order = { 256, 256, 256, 256 }, .one_by_one = 1 },
  [GE_SIZE_SCHUR] = { .order = { 64, 80, 48, 48 }, .one_by_one = 1 },
  [GE_SIZE_COMPLEX_EIG]
  = { { 64, 80, 48, 48 }, 128, 4, 16, 1e6, { 2e6, 1.4e5 }, 1 },
  [GE_SIZE_JACOBI_EIG]
  = { { 128, 128, 128, 64 }, 64, 2, 16, 4e4, { 2.5e5, 2.5e5 }, 0 },
  [GE_SIZE_ONESIDED_EIG]
  = { { 32, 16, 32, 16 }, 256, 2, 24, 4e6, { 3e5, 3e5 }, 0 },
  [GE_SIZE_MRRR_DENSE]
  = { { 144, 144, 128, 128 }, 256, 8, 24, 4e5, { 1e6, 1e6 }, 0 },
  [GE_SIZE_MRRR_TRIDIAGONAL]
  = { { 128, 128, 0, 0 }, 256, 8, 24, 2e5, { 5e6, 0 }, 0 },
  /* X must be in host memory, and a CPU writes it as fast as it is transferred.  */
  [GE_SIZE_TDINV] = { .order = { 0, 0, 0, 0 } },
};

/* Nonzero if a GPU, where there is one, solves PAGES pages of order N faster.  AT_ONCE:
   the method of the call solves all pages of small order at once, where a GPU has such
   a solver; zero for those that solve one after another.  */
static int
cuda_pays (ge_size_id id, gpueig_type type, int64_t n, int64_t pages,
           int at_once)
{
  const cuda_size *s = &sizes[id];
  const double order = (double) s->order[type], threads = ge_threads ();
  if (at_once && pages >= s->batch_pages && pages > 1 && n <= s->batch_order)
    {
      const double least
          = n < s->small ? s->small_work : s->work[gpueig_is_complex (type)];
      return (double) (n * n * pages) * (double) (n + 20) * THREADS
             >= least * threads;
    }
  double factor = 1;
  if (s->one_by_one || n <= s->batch_order)
    factor = sqrt (fmin ((double) pages, threads));
  return order > 0 && (double) n >= order * factor;
}

int
ge_gpu_pays (ge_solver_id solver, ge_method method, const ge_shape *shape)
{
  static const ge_size_id ids[] = { [GE_EIG_SYMMETRIC] = GE_SIZE_SYMMETRIC,
                                    [GE_EIG_GENERAL] = GE_SIZE_GENERAL,
                                    [GE_SCHUR] = GE_SIZE_SCHUR,
                                    [GE_COMPLEX_EIG] = GE_SIZE_COMPLEX_EIG,
                                    [GE_JACOBI_EIG] = GE_SIZE_JACOBI_EIG,
                                    [GE_ONESIDED_EIG] = GE_SIZE_ONESIDED_EIG,
                                    [GE_MRRR] = GE_SIZE_MRRR_DENSE,
                                    [GE_TDINV] = GE_SIZE_TDINV };
  const unsigned places = ge_method_table[method].places;
  ge_size_id id = ids[solver];
  int at_once = method == GE_AUTO;
  if (method != GE_AUTO && places == GE_ON_CUDA)
    return 1;
  if (method != GE_AUTO && ! (places & GE_ON_CUDA))
    return 0;
  if (solver == GE_EIG_SYMMETRIC && (shape->pair || method != GE_AUTO))
    id = GE_SIZE_PAIR;
  if (method == GE_METHOD_GENERAL_GEEV || method == GE_METHOD_COMPLEX_GEEV)
    id = GE_SIZE_GEEV;
  if (solver == GE_MRRR && shape->is_tridiagonal)
    id = GE_SIZE_MRRR_TRIDIAGONAL;
  if (solver == GE_JACOBI_EIG)
    at_once = method == GE_METHOD_JACOBI_BLOCK || (at_once && ! shape->guess);
  else if (solver != GE_MRRR)
    at_once = 1;
  return cuda_pays (id, shape->type, shape->n, shape->pages, at_once);
}

/* --- expected times --- */

/* Nonzero if "auto", or the option, may take method M for a problem of SHAPE.  */
static int
may_take (ge_method m, ge_solver_id solver, ge_method named, unsigned place,
          const ge_shape *shape)
{
  const ge_method_row *row = &ge_method_table[m];
  if (row->solver != solver || ! (row->places & place)
      || (row->largest > 0 && shape->n > row->largest))
    return 0;
  if (shape->pair && ! (row->traits & GE_TAKES_PAIR))
    return 0;
  if (named != GE_AUTO)
    return m == named;
  if (shape->high_accuracy)
    return m == GE_METHOD_JACOBI_BLOCK || m == GE_METHOD_ONESIDED_CHOLESKY;
  return ! (row->traits & GE_PUBLISHED);
}

/* The fastest method on BACKEND by TABLE; its time, negative if there is none.  */
static double
fastest (const ge_time_table *table, ge_solver_id solver, ge_method named,
         gpueig_backend backend, const ge_shape *shape, int on_device,
         ge_method *method, int *estimated)
{
  const unsigned place = backend == GPUEIG_CUDA ? GE_ON_CUDA : GE_ON_CPU;
  double best = -1;
  for (int m = GE_AUTO + 1; m < GE_METHODS; m++)
    {
      int scaled = 0;
      if (! may_take ((ge_method) m, solver, named, place, shape))
        continue;
      const double seconds = ge_expected_time (table, (ge_method) m, backend,
                                               shape, on_device, &scaled);
      if (seconds < 0 || (best >= 0 && seconds >= best))
        continue;
      best = seconds;
      *method = (ge_method) m;
      *estimated = scaled;
    }
  return best;
}

/* The same by the machine's own table or, if it has no such time, by those of the library,
   the one with the next number of threads first.  */
static double
expect (const ge_machine *machine, ge_solver_id solver, ge_method named,
        gpueig_backend backend, const ge_shape *shape, int on_device,
        ge_method *method, int *estimated)
{
  double seconds = fastest (&machine->own, solver, named, backend, shape,
                            on_device, method, estimated);
  if (seconds >= 0)
    return seconds;
  for (int round = 0; round < 2 && seconds < 0; round++)
    for (const ge_time_table *t = ge_built_in_times; t->count && seconds < 0;
         t++)
      if (round == 1 || (t->threads <= 4) == (machine->threads <= 4)
          || backend == GPUEIG_CUDA)
        seconds = fastest (t, solver, named, backend, shape, on_device, method,
                           estimated);
  *estimated = 1;
  return seconds;
}

gpueig_backend
ge_plan_backend (const ge_machine *machine, ge_solver_id solver,
                 ge_method method, const ge_shape *shape, int on_device)
{
  ge_method fastest_method;
  int scaled;
  if (! machine->has_gpu)
    return GPUEIG_CPU;
  if (machine->own.count > 0)
    {
      const double cpu = fastest (&machine->own, solver, method, GPUEIG_CPU,
                                  shape, 0, &fastest_method, &scaled);
      const double cuda = fastest (&machine->own, solver, method, GPUEIG_CUDA,
                                   shape, on_device, &fastest_method, &scaled);
      if (cpu >= 0 && cuda >= 0)
        return cuda < cpu ? GPUEIG_CUDA : GPUEIG_CPU;
    }
  return ge_gpu_pays (solver, method, shape) ? GPUEIG_CUDA : GPUEIG_CPU;
}

void
ge_make_plan (const ge_machine *machine, ge_solver_id solver, ge_method method,
              gpueig_backend backend, const ge_shape *shape, int on_device,
              ge_plan *plan)
{
  *plan = (ge_plan){ .backend = backend,
                     .method = method,
                     .named = method != GE_AUTO };
  if (backend == GPUEIG_AUTO)
    plan->backend = ge_plan_backend (machine, solver, method, shape, on_device);
  if (plan->backend == GPUEIG_MPI)
    return;
  plan->seconds = expect (machine, solver, method, plan->backend, shape,
                          plan->backend == GPUEIG_CUDA && on_device,
                          &plan->method, &plan->estimated);
  if (plan->seconds < 0)
    plan->seconds = 0;
}
