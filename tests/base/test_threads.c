/* Claims about threads of the CPU backend:
   bits_do_not_depend_on_threads: results and the history in info do not depend, bit for bit, on
     the number of threads of the CPU backend or, below order 1000, of OpenBLAS, nor on their
     scheduling, nor on the possibility to interrupt
   no_threads_give_the_same_bits: results are the same if no threads can be had
   no_memory_for_threads_gives_the_bits: and without memory for them
   forked_processes_get_the_bits: and in a forked process (these two on Linux)
   every_method_has_a_call: the calls have every method of the CPU
   a_piece_may_begin_a_step: a piece of a step may begin a step
   work_aside_has_its_threads: all kinds at the same time, each once at a time, beside a step
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "base/context.h"
#include "solvers.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#  include <dlfcn.h>
#  include <errno.h>
#  include <sys/resource.h>
#  include <sys/wait.h>
#  include <unistd.h>
#endif

/* --- threads that cannot be created --- */

#ifdef __linux__
/* The number of threads that pthread_create will still create; negative: unlimited.  */
static int threads_left = -1;

/* Instead of the C library's, for the whole process.  */
int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                void *(*start) (void *), void *argument)
{
  int (*create) (pthread_t *, const pthread_attr_t *, void *(*) (void *),
                 void *);
  if (threads_left == 0)
    return EAGAIN;
  threads_left -= threads_left > 0;
  *(void **) &create = dlsym (RTLD_NEXT, "pthread_create");
  return create (thread, attributes, start, argument);
}
#endif

static void
set_blas_threads (int threads)
{
  void (*set) (int);
  *(void **) &set = ge_find_symbol ("openblas_set_num_threads");
  if (set)
    set (threads);
}

/* --- calls --- */

typedef struct
{
  int solver;
  const char *method;
  gpueig_type type;
  int64_t n, pages;
} call;

static any_problem
make (const call *c)
{
  any_problem p
      = make_problem (&solvers[c->solver], c->type, c->n, c->pages, 2);
  measure_random r = { 18 };
  fill_problem (&p, 17);
  /* not dominant */
  for (int64_t i = 0; p.d && i < c->n; i++)
    measure_set (c->type, p.d, i, measure_normal (&r));
  return p;
}

/* C on THREADS threads, of which two can be interrupted, has the bits of ONE.  */
static int
compare (const call *c, const any_problem *one, int threads, const char *where)
{
  CLEANUP (free_problem) any_problem many = make (c);
  omp_set_num_threads (threads);
  check_interrupt_at (ctx, threads == 2 ? INT64_MAX : 0);
  const int solved
      = check_solve (ctx, &many, &options, c->method, "%d threads", threads);
  check_interrupt_at (ctx, 0);
  const int values
      = same_values (one, &many),
      vectors = same_vectors (one, &many),
      way = one->info.sweeps == many.info.sweeps
            && memcmp (one->info.off, many.info.off, sizeof one->info.off) == 0;
  const int same = solved && values && vectors && way;
  CHECK (same, "%s%s: the same values %d, vectors %d, history %d", many.what,
         where, values, vectors, way);
  return same;
}

static any_problem
first_run (const call *c)
{
  any_problem one = make (c);
  omp_set_num_threads (1);
  set_blas_threads (1);
  check_solve (ctx, &one, &options, c->method, "one thread");
  return one;
}

static void
bits_do_not_depend_on_threads (const call *c, const any_problem *one)
{
  for (int threads = 1; threads <= 4; threads += 1 + (threads == 2))
    {
      set_blas_threads (threads > 2 ? 2 : threads);
      compare (c, one, threads, "");
    }
  set_blas_threads (1);
}

#ifdef __linux__
/* In a context of its own, whose threads are to be created yet: none, one.  */
static void
no_threads_give_the_same_bits (const call *c, const any_problem *one)
{
  static const char *const where[]
      = { ", none to be had", ", one to be had besides" };
  gpueig_context *usual = ctx;
  for (int given = 0; given < 2; given++)
    {
      ctx = check_context (&options);
      threads_left = given;
      compare (c, one, 4, where[given]);
      gpueig_destroy (ctx);
      threads_left = -1;
    }
  ctx = usual;
}

/* Exit status 0: C has the bits of ONE.  */
static int
ended_well (pid_t child)
{
  int status = 0;
  return waitpid (child, &status, 0) == child && WIFEXITED (status)
         && WEXITSTATUS (status) == 0;
}

/* A child has the context's memory, but none of its threads.  */
static void
forked_processes_get_the_bits (const call *c, const any_problem *one)
{
  compare (c, one, 4, ", before a fork");
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0)
    {
      const int same = compare (c, one, 4, ", in a child");
      gpueig_destroy (ctx);
      fflush (stdout);
      _exit (! same);
    }
  CHECK (ended_well (child), "%s: a child of fork has the same bits",
         one->what);
  compare (c, one, 4, ", after a fork");
}

/* Address space that the process has, in bytes.  */
static size_t
address_space (void)
{
  unsigned long pages = 0;
  FILE *f = fopen ("/proc/self/statm", "r");
  if (! f || fscanf (f, "%lu", &pages) != 1)
    pages = 0;
  if (f)
    fclose (f);
  return pages * (size_t) sysconf (_SC_PAGESIZE);
}

/* In a child whose address space ends MEBIBYTES beyond what it has: no stacks
   for threads, no buffers for a BLAS.  */
static void
no_memory_for_threads_gives_the_bits (const call *c, const any_problem *one,
                                      int mebibytes)
{
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0)
    {
      const rlim_t most = address_space () + ((size_t) mebibytes << 20);
      const struct rlimit limit = { most, most };
      ctx = check_context (&options);
      if (setrlimit (RLIMIT_AS, &limit) != 0)
        _exit (2);
      const int same = compare (c, one, 4, ", limited memory");
      gpueig_destroy (ctx);
      fflush (stdout);
      _exit (! same);
    }
  CHECK (ended_well (child), "%s, address space for %d MiB more: the same bits",
         one->what, mebibytes);
}

static void
check_shortage (size_t i, const call *c, const any_problem *one)
{
  if (i % 3 == 0 || getenv ("GPUEIG_TEST_LONG"))
    no_threads_give_the_same_bits (c, one);
  if (i % 2 == 0)
    no_memory_for_threads_gives_the_bits (c, one, i % 4 == 0 ? 100 : 400);
  else
    forked_processes_get_the_bits (c, one);
}
#endif

static const call calls[] = {
  { SOLVE_EIG, "auto", GPUEIG_DOUBLE, 300, 1 },
  { SOLVE_EIG, "syevd", GPUEIG_DOUBLE, 450, 1 },
  { SOLVE_EIG, "syevd", GPUEIG_COMPLEX_FLOAT, 410, 1 },
  { SOLVE_EIG, "auto", GPUEIG_COMPLEX_DOUBLE, 40, 50 },
  { SOLVE_EIG, "auto", GPUEIG_FLOAT, 12, 500 },
  { SOLVE_JACOBI, "block", GPUEIG_DOUBLE, 300, 1 },
  { SOLVE_JACOBI, "preconditioned", GPUEIG_DOUBLE, 300, 1 },
  { SOLVE_JACOBI, "preconditioned", GPUEIG_COMPLEX_FLOAT, 270, 1 },
  { SOLVE_JACOBI, "auto", GPUEIG_DOUBLE, 200, 1 },
  { SOLVE_JACOBI, "classical", GPUEIG_DOUBLE, 70, 1 },
  { SOLVE_JACOBI, "auto", GPUEIG_DOUBLE, 16, 300 },
  { SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, 300, 1 },
  { SOLVE_ONESIDED, "hestenes", GPUEIG_DOUBLE, 140, 1 },
  { SOLVE_ONESIDED, "hestenes", GPUEIG_DOUBLE, 140, 3 },
  { SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, 16, 300 },
  { SOLVE_ONESIDED, "cholesky", GPUEIG_COMPLEX_DOUBLE, 30, 30 },
  { SOLVE_EIG_GENERAL, "auto", GPUEIG_DOUBLE, 60, 8 },
  { SOLVE_COMPLEX, "shroff", GPUEIG_COMPLEX_DOUBLE, 16, 100 },
  { SOLVE_COMPLEX, "shroff", GPUEIG_DOUBLE, 90, 1 },
  { SOLVE_EIG_GENERAL, "auto", GPUEIG_DOUBLE, 300, 1 },
  { SOLVE_SCHUR, "qr", GPUEIG_COMPLEX_FLOAT, 60, 1 },
  { SOLVE_SCHUR, "qr", GPUEIG_FLOAT, 200, 1 },
  { SOLVE_SCHUR, "qr", GPUEIG_DOUBLE, 300, 1 },
  { SOLVE_SCHUR, "qr", GPUEIG_COMPLEX_DOUBLE, 520, 1 },
  { SOLVE_SCHUR, "gees", GPUEIG_COMPLEX_FLOAT, 90, 1 },
  { SOLVE_SCHUR, "gees", GPUEIG_DOUBLE, 510, 1 },
  { SOLVE_MRRR, "auto", GPUEIG_DOUBLE, 300, 1 },
  { SOLVE_MRRR, "auto", GPUEIG_COMPLEX_FLOAT, 200, 2 },
  { SOLVE_MRRR, "stemr", GPUEIG_DOUBLE, 300, 1 },
  { SOLVE_TDINV, "auto", GPUEIG_DOUBLE, 1000, 1 },
  { SOLVE_TDINV, "auto", GPUEIG_DOUBLE, 2500, 1 },
  { SOLVE_TDINV, "auto", GPUEIG_COMPLEX_FLOAT, 700, 1 },
};

/* The methods that are not among the calls.  */
static void
every_method_has_a_call (void)
{
  for (int s = 0; s < SOLVERS; s++)
    for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
      {
        const call c = { s, ge_method_name (m), GPUEIG_DOUBLE, 120, 1 };
        int tested = ! has_method (solvers[s].id, GPUEIG_CPU, m, 1);
        for (size_t i = 0; i < COUNT (calls); i++)
          tested |= calls[i].solver == s
                    && strcmp (calls[i].method, c.method) == 0;
        if (tested)
          continue;
        CLEANUP (free_problem) any_problem one = first_run (&c);
        bits_do_not_depend_on_threads (&c, &one);
      }
}

static atomic_int pieces;

/* On a worker late, when the calling thread has nothing left to do and sleeps.  */
static void
a_piece_may_begin_a_step (void *outer, int64_t i, int thread)
{
  for (volatile int k = 0; outer && thread > 0 && k < 1000000 * (int) i; k++)
    ;
  pieces++;
  if (outer)
    ge_share_pass (ctx, 100, GE_MANY_OPERATIONS, a_piece_may_begin_a_step,
                   NULL);
}

typedef struct
{
  atomic_int begun, open;
} gate;

/* Wait, within bounds, for *X to be LEAST at least.  */
static void
wait_for (const atomic_int *x, int least)
{
  for (int64_t k = 0; *x < least && k < (int64_t) 1 << 36; k++)
    ;
}

static void
pass (void *data, int64_t i, int thread)
{
  gate *g = data;
  (void) i;
  (void) thread;
  g->begun++;
  wait_for (&g->open, 1);
}

static void
work_aside_has_its_threads (void)
{
  enum
  {
    THREADS = 2
  };
  gate gates[GE_ASIDES] = { 0 };
  const int before = pieces;
  for (int again = 0; again < 2; again++)
    {
      for (int a = 0; a < GE_ASIDES; a++)
        {
          const int count
              = ge_begin_aside (ctx, (ge_aside) a, THREADS, pass, &gates[a]);
          CHECK (count == THREADS, "%d threads of kind %d", count, a);
          CHECK (ge_begin_aside (ctx, (ge_aside) a, 1, pass, &gates[a]) == 0,
                 "kind %d twice", a);
        }
      ge_share_pass (ctx, 5, GE_MANY_OPERATIONS, a_piece_may_begin_a_step,
                     NULL);
      for (int a = 0; a < GE_ASIDES; a++)
        {
          wait_for (&gates[a].begun, THREADS);
          gates[a].open = 1;
          ge_end_aside (ctx, (ge_aside) a);
          const int begun = gates[a].begun;
          CHECK (again ? begun >= THREADS && begun <= 2 * THREADS
                       : begun == THREADS,
                 "%d calls of kind %d", begun, a);
        }
    }
  CHECK (pieces == before + 10, "%d pieces beside", (int) pieces - before);
}

/* Every claim about C, the one with number I.  */
static void
all_of_a_call (const call *c, size_t i)
{
  CLEANUP (free_problem) any_problem one = first_run (c);
  bits_do_not_depend_on_threads (c, &one);
#ifdef __linux__
  check_shortage (i, c, &one);
#endif
  (void) i;
}

int
main (void)
{
  begin_test ("threads");
  omp_set_num_threads (3);
  for (int k = 0; k < 30; k++)
    ge_share_pass (ctx, 5, GE_MANY_OPERATIONS, a_piece_may_begin_a_step, ctx);
  CHECK (pieces == 30 * 5 * 101, "%d pieces of steps in pieces", (int) pieces);
  work_aside_has_its_threads ();
  if (options.backend == GPUEIG_CPU)
    {
      every_method_has_a_call ();
      for (size_t i = 0; i < COUNT (calls); i++)
        all_of_a_call (&calls[i], i);
    }
  else
    check_skip ("the CPU backend's threads");
  return end_test ();
}
