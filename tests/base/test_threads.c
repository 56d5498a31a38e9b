/* Claims: results and the convergence history in info do not depend, bit for bit, on
   the number of threads of the CPU backend or, below order 1000, of OpenBLAS, nor on
   the scheduling of threads.  Results are the same if no threads, or no memory for
   them, can be had, and in a forked process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static gpueig_context *ctx;
static gpueig_options options;

/* --- threads that cannot be created --- */

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

static void
set_blas_threads (int threads)
{
  void (*set) (int);
  *(void **) &set = dlsym (RTLD_DEFAULT, "openblas_set_num_threads");
  if (set)
    set (threads);
}

/* --- one call: name, arguments, outputs --- */

typedef struct
{
  const char *solver, *method;
  gpueig_type type;
  int64_t n, pages;
  int least; /* threads to begin with */
} call;

typedef struct
{
  char *lambda, *v;
  gpueig_info info;
} outcome;

static void *
array (int64_t bytes)
{
  void *x = calloc ((size_t) bytes + 1, 1);
  if (! x)
    exit (2);
  return x;
}

static gpueig_status
run (const call *c, const void *a, outcome *out)
{
  gpueig_options opt = options;
  opt.method = c->method;
  const char *solver = c->solver;
  if (strcmp (solver, "eig_general") == 0
      || strcmp (solver, "complex_eig") == 0)
    {
      gpueig_general p = { .type = c->type,
                           .n = c->n,
                           .pages = c->pages,
                           .a = a,
                           .lambda = out->lambda,
                           .v = out->v };
      return solver[0] == 'e' ? gpueig_eig_general (ctx, &p, &opt, &out->info)
                              : gpueig_complex_eig (ctx, &p, &opt, &out->info);
    }
  if (strcmp (solver, "mrrr") == 0)
    {
      gpueig_mrrr_problem p = { .type = c->type,
                                .n = c->n,
                                .pages = c->pages,
                                .a = a,
                                .lambda = out->lambda,
                                .v = out->v };
      return gpueig_mrrr (ctx, &p, &opt, &out->info);
    }
  if (strcmp (solver, "tdinv") == 0)
    {
      const size_t size = gpueig_scalar_size (c->type);
      double rcond;
      gpueig_tdinv_problem p = { .type = c->type,
                                 .n = c->n,
                                 .c = a,
                                 .a = (const char *) a + (size_t) c->n * size,
                                 .b = (const char *) a + 3 * c->n * size,
                                 .band = -1,
                                 .x = out->v,
                                 .rcond = &rcond };
      gpueig_status status = gpueig_tdinv (ctx, &p, &opt, &out->info);
      memcpy (out->lambda, &rcond, sizeof rcond);
      return status;
    }
  gpueig_symmetric p = { .type = c->type,
                         .n = c->n,
                         .pages = c->pages,
                         .a = a,
                         .lambda = out->lambda,
                         .v = out->v };
  return strcmp (solver, "jacobi_eig") == 0
             ? gpueig_jacobi_eig (ctx, &p, &opt, &out->info)
         : strcmp (solver, "onesided_eig") == 0
             ? gpueig_onesided_eig (ctx, &p, &opt, &out->info)
             : gpueig_eig_symmetric (ctx, &p, &opt, &out->info);
}

static char *
input_of (const call *c)
{
  const int64_t square = c->n * c->n * c->pages;
  const size_t size = gpueig_scalar_size (c->type);
  measure_random r = { 17 };
  char *a = array (square * (int64_t) size);
  for (int64_t p = 0; p < c->pages; p++)
    measure_random_symmetric (&r, c->type, c->n,
                              a + (size_t) (p * c->n * c->n) * size);
  if (strstr (c->solver, "complex") || strstr (c->solver, "general"))
    for (int64_t i = 0; i < square; i++)
      measure_set (c->type, a, i, measure_normal (&r));
  return a;
}

static int64_t
row_bytes (const call *c)
{
  return c->n * c->pages * 2 * (int64_t) sizeof (double);
}

static outcome
new_outcome (const call *c)
{
  return (outcome){ .lambda = array (row_bytes (c)),
                    .v = array (row_bytes (c) * c->n) };
}

static void
free_outcome (outcome *o)
{
  free (o->lambda);
  free (o->v);
}

/* C on THREADS threads has the bits of ONE.  */
static int
compare (const call *c, const void *a, const outcome *one, int threads,
         const char *where)
{
  outcome many = new_outcome (c);
  omp_set_num_threads (threads);
  const gpueig_status status = run (c, a, &many);
  const int values
      = memcmp (one->lambda, many.lambda, (size_t) row_bytes (c)) != 0;
  const int vectors
      = memcmp (one->v, many.v, (size_t) (row_bytes (c) * c->n)) != 0;
  const int way
      = one->info.sweeps != many.info.sweeps
        || memcmp (one->info.off, many.info.off, sizeof one->info.off);
  const int same = status == GPUEIG_OK && ! values && ! vectors && ! way;
  CHECK (same,
         "%s %s, type %d, n=%d, %d pages, %d threads%s: the same bits%s%s%s",
         c->solver, c->method, (int) c->type, (int) c->n, (int) c->pages,
         threads, where, values ? ", values" : "", vectors ? ", vectors" : "",
         way ? ", history" : "");
  free_outcome (&many);
  return same;
}

static void
first_run (const call *c, const void *a, outcome *one)
{
  omp_set_num_threads (c->least);
  set_blas_threads (1);
  const gpueig_status status = run (c, a, one);
  CHECK (status == GPUEIG_OK, "%s %s: %s", c->solver, c->method,
         gpueig_message (ctx));
}

static void
check_call (const call *c)
{
  char *a = input_of (c);
  outcome one = new_outcome (c);
  first_run (c, a, &one);
  for (int threads = c->least; threads <= 4; threads += 1 + (threads == 2))
    {
      set_blas_threads (threads > 2 ? 2 : threads);
      compare (c, a, &one, threads, "");
    }
  free (a);
  free_outcome (&one);
}

/* In a context of its own, whose threads are to be created yet: none, one.  */
static void
check_refusal (const call *c)
{
  static const char *const where[]
      = { ", none to be had", ", one to be had besides" };
  gpueig_context *usual = ctx;
  char *a = input_of (c);
  outcome one = new_outcome (c);
  first_run (c, a, &one);
  for (int given = 0; given < 2; given++)
    {
      ctx = check_context (&options);
      threads_left = given;
      compare (c, a, &one, 4, where[given]);
      gpueig_destroy (ctx);
      threads_left = -1;
    }
  ctx = usual;
  free (a);
  free_outcome (&one);
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
check_fork (const call *c)
{
  char *a = input_of (c);
  outcome one = new_outcome (c);
  first_run (c, a, &one);
  compare (c, a, &one, 4, ", before a fork");
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0)
    {
      alarm (60);
      const int same = compare (c, a, &one, 4, ", in a child");
      gpueig_destroy (ctx);
      fflush (stdout);
      _exit (! same);
    }
  CHECK (ended_well (child), "%s %s: a child of fork has the same bits",
         c->solver, c->method);
  compare (c, a, &one, 4, ", after a fork");
  free (a);
  free_outcome (&one);
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
check_limit (const call *c, int mebibytes)
{
  char *a = input_of (c);
  outcome one = new_outcome (c);
  first_run (c, a, &one);
  fflush (stdout);
  const pid_t child = fork ();
  if (child == 0)
    {
      const rlim_t most = address_space () + ((size_t) mebibytes << 20);
      const struct rlimit limit = { most, most };
      alarm (60);
      ctx = check_context (&options);
      if (setrlimit (RLIMIT_AS, &limit) != 0)
        _exit (2);
      const int same = compare (c, a, &one, 4, ", limited memory");
      gpueig_destroy (ctx);
      fflush (stdout);
      _exit (! same);
    }
  CHECK (ended_well (child),
         "%s %s, n=%d, address space for %d MiB more: the same bits", c->solver,
         c->method, (int) c->n, mebibytes);
  free (a);
  free_outcome (&one);
}

int
main (void)
{
  static const call calls[] = {
    { "eig_symmetric", "auto", GPUEIG_DOUBLE, 300, 1, 1 },
    { "eig_symmetric", "syevd", GPUEIG_DOUBLE, 450, 1, 1 },
    { "eig_symmetric", "syevd", GPUEIG_COMPLEX_FLOAT, 410, 1, 1 },
    { "eig_symmetric", "auto", GPUEIG_COMPLEX_DOUBLE, 40, 50, 1 },
    { "eig_symmetric", "auto", GPUEIG_FLOAT, 12, 500, 1 },
    { "jacobi_eig", "block", GPUEIG_DOUBLE, 300, 1, 1 },
    { "jacobi_eig", "preconditioned", GPUEIG_DOUBLE, 300, 1, 1 },
    { "jacobi_eig", "preconditioned", GPUEIG_COMPLEX_FLOAT, 270, 1, 1 },
    { "jacobi_eig", "auto", GPUEIG_DOUBLE, 200, 1, 1 },
    { "jacobi_eig", "classical", GPUEIG_DOUBLE, 70, 1, 1 },
    { "jacobi_eig", "auto", GPUEIG_DOUBLE, 16, 300, 1 },
    { "onesided_eig", "auto", GPUEIG_DOUBLE, 300, 1, 2 },
    { "onesided_eig", "hestenes", GPUEIG_DOUBLE, 140, 1, 2 },
    { "onesided_eig", "auto", GPUEIG_DOUBLE, 16, 300, 1 },
    { "onesided_eig", "cholesky", GPUEIG_COMPLEX_DOUBLE, 30, 30, 1 },
    { "eig_general", "auto", GPUEIG_DOUBLE, 60, 8, 1 },
    { "complex_eig", "shroff", GPUEIG_COMPLEX_DOUBLE, 16, 100, 1 },
    { "complex_eig", "shroff", GPUEIG_DOUBLE, 90, 1, 1 },
    { "eig_general", "auto", GPUEIG_DOUBLE, 300, 1, 1 },
    { "mrrr", "auto", GPUEIG_DOUBLE, 300, 1, 1 },
    { "mrrr", "auto", GPUEIG_COMPLEX_FLOAT, 200, 2, 1 },
    { "mrrr", "stemr", GPUEIG_DOUBLE, 300, 1, 1 },
    { "tdinv", "auto", GPUEIG_DOUBLE, 1000, 1, 1 },
    { "tdinv", "auto", GPUEIG_DOUBLE, 2500, 1, 1 },
    { "tdinv", "auto", GPUEIG_COMPLEX_FLOAT, 700, 1, 1 },
    { "tdinv", "pivoted", GPUEIG_DOUBLE, 500, 1, 1 },
  };
  check_begin ("threads");
  ctx = check_context (&options);
  const size_t count = sizeof calls / sizeof calls[0];
  if (options.backend == GPUEIG_CPU)
    for (size_t i = 0; i < count; i++)
      {
        check_call (&calls[i]);
        check_refusal (&calls[i]);
        if (i % 2 == 0)
          check_limit (&calls[i], i % 4 == 0 ? 100 : 400);
        else
          check_fork (&calls[i]);
      }
  else
    check_skip ("the CPU backend's threads");
  gpueig_destroy (ctx);
  return check_end ();
}
