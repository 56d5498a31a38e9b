/* The plan of a call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "plan/plan.h"

#include <stdio.h>
#include <math.h>

enum
{
  STACK = 256,   /* pages of a usual stack */
  SMALL = 16,    /* order */
  ROTATED = 64,  /* the largest order of Jacobi rotations on a GPU */
  SVD_HIGH = 128 /* the largest order of high accuracy on a GPU */
};

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
      || (shape->pair && ! (row->traits & GE_TAKES_PAIR)))
    return 0;
  /* Rows are of random matrices: those with clusters or small eigenvalues, which people
     have, need several times as many sweeps.  */
  if (m == GE_METHOD_EIG_ONESIDED && place == GE_ON_CUDA && shape->n > ROTATED)
    return 0;
  /* There Shroff's is at most a tenth faster than "qr", with vectors and up to order 8 only,
     and slower where eigenvalues alone are wanted, which the same method finds.  */
  if (m == GE_METHOD_COMPLEX_SHROFF && place == GE_ON_CUDA)
    return 0;
  /* And of tridiagonal matrices with clusters MRRR takes twice as long, where divide and
     conquer takes the time of random ones, about MRRR's.  */
  if (m == GE_METHOD_MRRR_MRRR && place == GE_ON_CUDA && shape->is_tridiagonal
      && shape->outputs > 0 && shape->part == 0
      && shape->n <= ge_method_table[GE_METHOD_MRRR_DC].largest)
    return 0;
  if (shape->high_accuracy
      && (row->solver == GE_JACOBI_EIG || row->solver == GE_ONESIDED_EIG))
    return m == GE_METHOD_JACOBI_BLOCK || m == GE_METHOD_ONESIDED_CHOLESKY
           || (m == GE_METHOD_JACOBI_PRECONDITIONED && place == GE_ON_CUDA);
  if (shape->high_accuracy && row->solver == GE_SVD)
    return m == GE_METHOD_SVD_JACOBI
           && (place == GE_ON_CPU || shape->n <= SVD_HIGH);
  const unsigned part = shape->part == 0   ? 0
                        : shape->part == 1 ? GE_TAKES_RANGE
                                           : GE_TAKES_PART;
  /* Limits of sweeps and tolerances are those of Jacobi-like methods.  */
  return ! (row->traits & GE_NAMED_ONLY) && (row->traits & part) == part
         && ! (m == GE_METHOD_COMPLEX_QR && shape->limited);
}

int
ge_values_with_vectors (ge_solver_id solver)
{
  return solver == GE_EIG_GENERAL || solver == GE_COMPLEX_EIG
         || solver == GE_SCHUR;
}

/* THREADS: of the CPU.  */
static double
expected (const ge_machine *machine, int threads, const ge_time_query *q,
          int *estimated)
{
  ge_hardware hardware = machine->hardware;
  hardware.threads = threads;
  const double seconds
      = ge_expected_time (&machine->own, &hardware, q, estimated);
  return seconds < 0 || q->copies ? seconds : ge_variation (q) * seconds;
}

/* Seconds by which methods are compared on the CPU.  LAPACK's keep small eigenvalues of
   small graded matrices, others are exact to rounding errors of the norm only: one small
   page is LAPACK's unless another method takes much less.  Of small general matrices people
   know the order in which LAPACK finds the eigenvalues: these are LAPACK's, on every
   machine.  */
static double
cost_on_cpu (ge_method m, const ge_shape *shape, double seconds)
{
  if (shape->pages > 1 || shape->n > SMALL || m == GE_METHOD_EIG_SYEVD
      || m == GE_METHOD_COMPLEX_GEEV || m == GE_METHOD_COMPLEX_QR
      || m == GE_METHOD_GENERAL_GEEV || ge_method_table[m].solver == GE_SVD)
    return seconds;
  return m == GE_METHOD_GENERAL_QR ? INFINITY : 1.5 * seconds;
}

/* The fastest method of SOLVER on BACKEND; seconds negative if there is none.  On the CPU
   the one that is the fastest with all of its cores, on a GPU without the copies: which
   one it is, and so the bits, do not depend on the number of threads or on the place of
   the data.  *COPIES: seconds between host and GPU, the least of all methods', since they
   copy the same.  */
static void
fastest (const ge_machine *machine, ge_solver_id solver, ge_method named,
         gpueig_backend backend, const ge_shape *shape, ge_plan *plan,
         double *copies)
{
  const int cuda = backend == GPUEIG_CUDA;
  double least = 0;
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
      ge_time_query q = { m, backend, shape, 0 };
      const double seconds = expected (machine, machine->cores, &q, &estimated);
      const double cost = cuda ? seconds : cost_on_cpu (m, shape, seconds);
      const int first = plan->seconds < 0;
      if (first || (seconds >= 0 && cost < least))
        {
          plan->method = m;
          plan->seconds = seconds;
          plan->estimated = estimated;
          least = cost;
        }
      q.copies = 1;
      const double more
          = cuda ? expected (machine, machine->cores, &q, &estimated) : 0;
      *copies = first ? more : fmin (*copies, more);
    }
}

/* The expected seconds of a plan, by the threads that it will use, without copies.  */
static void
expect (const ge_machine *machine, const ge_shape *shape, ge_plan *plan)
{
  const ge_time_query q = { plan->method, plan->backend, shape, 0 };
  if (plan->seconds >= 0)
    plan->seconds
        = expected (machine, machine->hardware.threads, &q, &plan->estimated);
}

/* The least memory of the solver's arrays of n-by-n elements.  */
static int64_t
scratch_bytes (const ge_solver_entry *entry, const ge_plan *plan,
               const ge_shape *shape)
{
  const double n
      = (double) shape->n,
      arrays
      = entry->arrays ? entry->arrays (shape, plan->method, plan->backend) : 0,
      bytes = arrays * n * n * (double) gpueig_scalar_size (shape->type);
  return bytes < 0x1p62 ? (int64_t) bytes : INT64_MAX;
}

void
ge_make_plan (const ge_machine *machine, const ge_solver_entry *entry,
              ge_method method, gpueig_backend backend, const ge_shape *shape,
              ge_plan *plan)
{
  const ge_solver_id solver = entry->id;
  ge_shape s = *shape;
  ge_plan cpu = { .named = method != GE_AUTO, .seconds = -1 }, cuda = cpu;
  double copies = 0, none = 0;
  *plan = cpu;
  plan->backend = backend;
  plan->method = method;
  plan->seconds = 0;
  if (backend == GPUEIG_MPI)
    return;
  if (ge_values_with_vectors (solver))
    s.outputs = 1;
  if (backend == GPUEIG_CUDA || (backend == GPUEIG_AUTO && machine->has_gpu))
    fastest (machine, solver, method, GPUEIG_CUDA, &s, &cuda, &copies);
  /* The CPU's method, and so the bits of a page, do not depend on the number of pages.  */
  ge_shape usual = s;
  usual.pages = s.pages > 1 ? STACK : s.pages;
  if (backend != GPUEIG_CUDA)
    fastest (machine, solver, method, GPUEIG_CPU, &usual, &cpu, &none);
  expect (machine, &s, &cpu);
  cuda.device_bytes = scratch_bytes (entry, &cuda, &s);
  cpu.host_bytes = scratch_bytes (entry, &cpu, &s);
  const int fits = backend == GPUEIG_CUDA || machine->device_memory == 0
                   || cuda.device_bytes <= machine->device_memory;
  const double on_gpu = cuda.seconds + (s.on_device ? 0 : copies);
  const double on_cpu = cpu.seconds + (s.on_device ? copies : 0);
  const int take_gpu = backend == GPUEIG_CUDA
                       || (cuda.seconds >= 0
                           && (cpu.seconds < 0 || (fits && on_gpu < on_cpu)));
  *plan = take_gpu ? cuda : cpu;
  if (s.outputs != shape->outputs)
    expect (machine, shape, plan);
  if (plan->seconds >= 0 && take_gpu != s.on_device)
    plan->seconds += copies;
  plan->seconds = fmax (plan->seconds, 0);
}

/* --- what follows --- */

unsigned
ge_reason_of (gpueig_status status)
{
  return status == GPUEIG_NO_DEVICE        ? GE_LEFT_NO_DEVICE
         : status == GPUEIG_DEVICE_ERROR   ? GE_LEFT_DEVICE
         : status == GPUEIG_OUT_OF_MEMORY  ? GE_LEFT_DEVICE
         : status == GPUEIG_SOLVER_FAILED  ? GE_LEFT_FAILED
         : status == GPUEIG_NO_CONVERGENCE ? GE_LEFT_UNCONVERGED
                                           : 0;
}

/* The method of a GPU that follows another one there for what that leaves.  */
static const struct
{
  ge_method method;
  int pair;
  ge_next_method next;
} next_on_gpu[] = {
  { GE_METHOD_EIG_QL, 0, { GE_METHOD_EIG_ONESIDED, GE_LEFT_PAGES } },
  { GE_METHOD_EIG_DC, 0, { GE_METHOD_EIG_ONESIDED, GE_LEFT_PAGES } },
  { GE_METHOD_EIG_QL, 1, { GE_METHOD_EIG_SYEVD, GE_LEFT_PAGES } },
  { GE_METHOD_EIG_DC, 1, { GE_METHOD_EIG_SYEVD, GE_LEFT_PAGES } },
  { GE_METHOD_EIG_SYEVD, 0, { GE_METHOD_EIG_MRRR, GE_LEFT_PAGES } },
  { GE_METHOD_EIG_SYEVD, 1, { GE_METHOD_EIG_MRRR, GE_LEFT_PAGES } },
  { GE_METHOD_EIG_MRRR, 0, { GE_METHOD_EIG_SYEVD, GE_LEFT_PAGES } },
  { GE_METHOD_EIG_MRRR, 1, { GE_METHOD_EIG_SYEVD, GE_LEFT_PAGES } },
  { GE_METHOD_MRRR_QL, 0, { GE_METHOD_MRRR_MRRR, GE_LEFT_PAGES } },
  { GE_METHOD_MRRR_DC, 0, { GE_METHOD_MRRR_MRRR, GE_LEFT_PAGES } },
  { GE_METHOD_TDINV_SHERMAN, 0, { GE_METHOD_TDINV_GENERATORS, GE_LEFT_FAILED } }
};

/* The attempts on a GPU after that of PLAN.  */
static int
list_on_gpu (const ge_shape *shape, const ge_plan *plan, ge_attempt *attempts)
{
  const ge_method method = plan->method;
  int count = 0;
  for (size_t i = 0; i < sizeof next_on_gpu / sizeof *next_on_gpu; i++)
    if (next_on_gpu[i].method == method
        && next_on_gpu[i].pair == (shape->pair != 0))
      attempts[count++] = (ge_attempt){ GPUEIG_CUDA, next_on_gpu[i].next.method,
                                        next_on_gpu[i].next.serves };
  /* Larger stacks are solved page by page.  */
  if (shape->pair && ge_refines_pairs (shape->n)
      && (shape->pages == 1
          || shape->n > ge_method_table[GE_METHOD_EIG_DC].largest)
      && (method == GE_METHOD_EIG_QL || method == GE_METHOD_EIG_DC
          || method == GE_METHOD_EIG_ONESIDED))
    attempts[count++] = (ge_attempt){ GPUEIG_CUDA, GE_METHOD_EIG_SYEVD,
                                      GE_LEFT_ILL_CONDITIONED };
  return count;
}

int
ge_list_attempts (const ge_solver_entry *entry, const ge_shape *shape,
                  const gpueig_options *options, const ge_plan *plan,
                  ge_attempt attempts[GPUEIG_ATTEMPTS])
{
  const int on_gpu = plan->backend == GPUEIG_CUDA,
            may_move
            = on_gpu && options->backend == GPUEIG_AUTO && ! shape->on_device;
  const ge_next_method *const next
      = shape->pair ? entry->next_of_pairs : entry->next;
  int count = 0;
  if (plan->backend == GPUEIG_MPI)
    return 0;
  if (on_gpu && options->n_devices != 0)
    attempts[count++]
        = (ge_attempt){ GPUEIG_CUDA, plan->method, GE_LEFT_PARTS };
  if (on_gpu)
    count += list_on_gpu (shape, plan, attempts + count);
  if (may_move)
    attempts[count++] = (ge_attempt){ GPUEIG_CPU, GE_AUTO, GE_LEFT_BY_GPU };
  for (int i = 0; i < GE_NEXT; i++)
    {
      ge_attempt a = { GPUEIG_CPU, next[i].method, next[i].serves };
      /* Where "auto" has the CPU's plan, or host memory, that serves what failed.  */
      if (on_gpu && options->backend != GPUEIG_CUDA)
        a.serves &= ~(unsigned) GE_LEFT_FAILED;
      /* A problem without pages stays where it is.  */
      const int moves = on_gpu && entry->layout->pages;
      /* After the first attempt pairs are reduced in another way.  */
      const int is_other = plan->method != a.method || (shape->pair && i > 0);
      if (a.serves && (on_gpu ? moves : is_other))
        attempts[count++] = a;
    }
  return count;
}

void
ge_plan_part (gpueig_backend backend, ge_method method, int named,
              ge_plan *plan)
{
  *plan = (ge_plan){ .backend = backend, .method = method, .named = named };
}

void
ge_describe_reasons (const ge_attempt *attempt, size_t size, char *text)
{
  static const struct
  {
    unsigned reasons;
    const char *words;
  } all[] = { { GE_LEFT_NO_DEVICE | GE_LEFT_DEVICE, "the GPU fails" },
              { GE_LEFT_FAILED, "the method fails" },
              { GE_LEFT_UNCONVERGED, "a page does not converge" },
              { GE_LEFT_PARTS, "parts of the spectrum depend on each other" },
              { GE_LEFT_PAGES, "the method fails for some pages" },
              { GE_LEFT_ILL_CONDITIONED, "B is ill-conditioned" },
              { GE_LEFT_CLASS, "another method is exact for some pages" } };
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if ((attempt->serves & all[i].reasons) && used < size)
      used += (size_t) snprintf (text + used, size - used, "%s%s",
                                 used ? ", " : "", all[i].words);
}
