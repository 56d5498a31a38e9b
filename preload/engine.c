/* The engine's entry: contexts and backends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "engine.h"
#include "base/solver.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum
{
  /* Threads that are served at the same time; the others wait.  */
  CONTEXTS = 4,
  /* Scratch memory that a context may keep between two calls, in bytes.  */
  KEPT = 256 << 20
};

/* Contexts are never destroyed: when the process ends, threads and GPUs may already be
   gone.  */
static struct
{
  gpueig_context *ctx;
  int used;
} contexts[CONTEXTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;

/* A context that no other thread uses, after waiting for it; -1 if none can be created.  */
static int
acquire (void)
{
  int i = 0;
  pthread_mutex_lock (&lock);
  for (i = 0; contexts[i % CONTEXTS].used; i++)
    if (i % CONTEXTS == CONTEXTS - 1)
      pthread_cond_wait (&released, &lock);
  i %= CONTEXTS;
  if (! contexts[i].ctx && gpueig_create (&contexts[i].ctx) != GPUEIG_OK)
    i = -1;
  else
    contexts[i].used = 1;
  pthread_mutex_unlock (&lock);
  return i;
}

static void
release (int i)
{
  if (gpueig_memory (contexts[i].ctx) > KEPT)
    gpueig_trim (contexts[i].ctx);
  pthread_mutex_lock (&lock);
  contexts[i].used = 0;
  pthread_cond_signal (&released);
  pthread_mutex_unlock (&lock);
}

/* A forked child has the memory of the contexts, but neither their threads nor a GPU, so it
   creates new contexts.  */
static void
hold_contexts (void)
{
  pthread_mutex_lock (&lock);
}

static void
let_go_contexts (void)
{
  pthread_mutex_unlock (&lock);
}

static void
forget_contexts (void)
{
  memset (contexts, 0, sizeof contexts);
  pthread_cond_init (&released, NULL);
  pthread_mutex_unlock (&lock);
}

void *
ge_engine_alloc (gpueig_context *ctx, int64_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow ((size_t) count, size, &bytes)
      || gpueig_need_memory (ctx, (double) bytes, "a copy") != GPUEIG_OK)
    return NULL;
  return malloc (bytes > 0 ? bytes : 1);
}

static int
solve_on (gpueig_context *ctx, gpueig_backend backend, ge_request *r)
{
  gpueig_options options = gpueig_default_options ();
  const char *devices = getenv ("GPUEIG_DEVICE");
  options.backend = backend;
  r->status = GPUEIG_OK;
  if (devices && *devices
      && gpueig_set_devices (ctx, devices, &options) != GPUEIG_OK)
    return 0;
  switch (ge_driver_function (r->driver))
    {
    case GPUEIG_FUNCTION_EIG_GENERAL:
      return GE_BY_TYPE (r->type, ge_engine_general, (ctx, &options, r));
    case GPUEIG_FUNCTION_SCHUR:
      return GE_BY_TYPE (r->type, ge_engine_schur, (ctx, &options, r));
    case GPUEIG_FUNCTION_SVD:
      return GE_BY_TYPE (r->type, ge_engine_svd, (ctx, &options, r));
    default: /* matrices, pairs and tridiagonal matrices */
      return GE_BY_TYPE (r->type, ge_engine_symmetric, (ctx, &options, r));
    }
}

/* Nonzero unless a limit on address space (ulimit -v) leaves less than solvers and OpenBLAS
   may map, which tries forever to get its buffers.  */
static int
has_address_space (gpueig_context *ctx, const ge_request *r)
{
  enum
  {
    ARRAYS = 12,      /* n-by-n, at most */
    BYTES = 256 << 20 /* of threads and libraries */
  };
  struct rlimit limit;
  const int64_t longer = r->rows > r->columns ? r->rows : r->columns;
  const double n = (double) (r->n > longer ? r->n : longer);
  return getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
         || gpueig_need_memory (
                ctx,
                BYTES + ARRAYS * n * n * (double) gpueig_scalar_size (r->type),
                "a call")
                == GPUEIG_OK;
}

static int
solve_request (gpueig_context *ctx, ge_request *r)
{
  const gpueig_backend backend = ge_engine_plan (ctx, r);
  if (backend == GPUEIG_AUTO || ! has_address_space (ctx, r))
    return 0;
  if (solve_on (ctx, backend, r))
    return 1;
  /* GPUEIG_OK here means that gpueig does not solve this problem.  */
  if (backend != GPUEIG_CUDA || r->status == GPUEIG_OK)
    return 0;
  ge_engine_lost_gpu (r->status);
  return r->on_cpu && solve_on (ctx, GPUEIG_CPU, r);
}

static void
watch_forks (void)
{
  pthread_atfork (hold_contexts, let_go_contexts, forget_contexts);
}

__attribute__ ((visibility ("default"))) ge_engine_function ge_engine_solve;

int
ge_engine_solve (ge_request *r)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, watch_forks);
  if (omp_in_parallel ())
    return 0;
  const int i = acquire ();
  if (i < 0)
    return 0;
  const int done = solve_request (contexts[i].ctx, r);
  release (i);
  return done;
}
