/* Worker threads that process the pieces of one computation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   For computations with many short parallel steps, such as the reduction to
   tridiagonal form with thousands.  At the end of each step OpenMP's threads wait in
   a barrier (GCC's poll for about 3 ms) and OpenBLAS's by sched_yield: where other
   programs use the processors, the thread that is waited for may not be scheduled,
   and every step takes time slices of the scheduler.  Here the calling thread
   processes pieces like the workers, and at the end of a step waits on a condition
   variable only for pieces that a worker has begun.  Threads that cannot be created
   are not needed.  */

#include "base/solver.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum
{
  TAKES = 64, /* the most of a thread in a step, about */
  POLLS
  = 2000, /* polls for a new step or its end before sleeping: about 50 us */
  THREAD_BYTES = 160 << 20, /* address space for a stack and a malloc arena */
  WORTH_WAKING = 50000      /* operations of a thread */
};

typedef struct worker worker;

struct worker
{
  ge_pool *pool;
  pthread_t thread;
  int number;   /* from 1 */
  worker *next; /* number - 1 */
};

struct ge_pool
{
  worker *workers;
  int count;
  int refused;   /* no more threads can be created */
  int busy;      /* in a step: a nested one runs on the calling thread alone */
  int64_t owner; /* process; a forked child has this memory but no workers */
  pthread_mutex_t lock;
  pthread_cond_t begun, ended;
  atomic_int step; /* incremented when a step begins, and to end the workers */
  atomic_int
      inside; /* workers that have joined and not left; written under LOCK */

  /* protected by LOCK */
  int open;  /* nonzero while workers may join the step */
  int limit; /* workers with numbers below this may join it */
  int quit;

  /* the step; written only while INSIDE is 0 */
  ge_piece *work;
  void *data;
  int64_t pieces;
  atomic_int_fast64_t next;
  atomic_int stop;
};

/* Threads take several of many small pieces at a time, which saves them waits.  */
static void
take_pieces (ge_pool *p, int thread)
{
  const int64_t at_once = 1 + p->pieces / ((int64_t) TAKES * p->limit);
  int64_t i;
  while ((i = atomic_fetch_add (&p->next, at_once)) < p->pieces)
    for (const int64_t end = i + at_once; i < end && i < p->pieces; i++)
      {
        if (atomic_load_explicit (&p->stop, memory_order_relaxed))
          return;
        p->work (p->data, i, thread);
      }
}

/* Processor hint for spin loops.  */
static void
relax (void)
{
#if defined __x86_64__ && defined __GNUC__
  __builtin_ia32_pause ();
#endif
}

static void *
serve (void *data)
{
  worker *me = data;
  ge_pool *p = me->pool;
  int seen = 0;
  for (;;)
    {
      for (int i = 0; i < POLLS && atomic_load (&p->step) == seen; i++)
        relax ();
      pthread_mutex_lock (&p->lock);
      while (p->step == seen)
        pthread_cond_wait (&p->begun, &p->lock);
      seen = p->step;
      const int quit = p->quit, enter = p->open && me->number < p->limit;
      p->inside += enter;
      pthread_mutex_unlock (&p->lock);
      if (quit)
        return NULL;
      if (! enter)
        continue;
      take_pieces (p, me->number);
      pthread_mutex_lock (&p->lock);
      if (--p->inside == 0)
        pthread_cond_signal (&p->ended);
      pthread_mutex_unlock (&p->lock);
    }
}

/* --- creation and end of the threads --- */

static ge_pool *
new_pool (void)
{
  ge_pool *p = calloc (1, sizeof *p);
  if (! p)
    return NULL;
  p->owner = ge_process ();
  pthread_mutex_init (&p->lock, NULL);
  pthread_cond_init (&p->begun, NULL);
  pthread_cond_init (&p->ended, NULL);
  return p;
}

/* Nonzero if there is address space for COUNT threads: BLAS buffer, stack and malloc arena
   of each.  With a limit on address space (ulimit -v) OpenBLAS would try forever to map a
   buffer.  */
static int
have_room (int count)
{
  return ge_address_space () == INT64_MAX
         || (ge_map_blas_buffers () == 0
             && ge_has_address_space ((size_t) count * THREAD_BYTES));
}

/* Create workers until there are WANTED or creation fails.  */
static void
create_workers (ge_pool *p, int wanted)
{
  while (p->count < wanted)
    {
      /* Workers created before may not have used their address space yet, so the
         check includes them.  */
      worker *w = have_room (p->count + 1) ? calloc (1, sizeof *w) : NULL;
      p->refused = w == NULL;
      if (! w)
        break;
      *w = (worker){ .pool = p, .number = p->count + 1, .next = p->workers };
      p->refused = ge_create_thread (&w->thread, serve, w) != 0;
      if (p->refused)
        {
          free (w);
          break;
        }
      p->workers = w;
      p->count++;
    }
}

static void
add_workers (gpueig_context *ctx, ge_pool *p, int wanted)
{
  if (p->count >= wanted || p->refused)
    return;
  const int64_t unwritten = ctx->unwritten < 0 ? 0 : ge_unwritten ();
  create_workers (p, wanted);
  /* Most of the stacks will never be written.  */
  if (ctx->unwritten >= 0)
    ctx->unwritten += ge_unwritten () - unwritten;
}

/* *POOL, one of CTX's, with up to COUNT workers, or NULL: the calling thread works alone.
   In a forked child a new pool is made; the parent's is not touched.  */
static ge_pool *
pool_of (gpueig_context *ctx, ge_pool **pool, int count)
{
  if (count < 1 || (*pool && (*pool)->busy))
    return NULL;
  if (! *pool || (*pool)->owner != ge_process ())
    *pool = new_pool ();
  if (! *pool)
    return NULL;
  add_workers (ctx, *pool, count);
  return (*pool)->count > 0 ? *pool : NULL;
}

static void
end_pool (ge_pool *p)
{
  if (! p || p->owner != ge_process ())
    return;
  pthread_mutex_lock (&p->lock);
  p->quit = 1;
  atomic_fetch_add (&p->step, 1);
  pthread_cond_broadcast (&p->begun);
  pthread_mutex_unlock (&p->lock);
  for (worker *w = p->workers, *next; w; w = next)
    {
      next = w->next;
      pthread_join (w->thread, NULL);
      free (w);
    }
  pthread_cond_destroy (&p->begun);
  pthread_cond_destroy (&p->ended);
  pthread_mutex_destroy (&p->lock);
  free (p);
}

void
ge_end_threads (gpueig_context *ctx)
{
  end_pool (ctx->pool);
  ctx->pool = NULL;
  for (int aside = 0; aside < GE_ASIDES; aside++)
    {
      end_pool (ctx->aside_pool[aside]);
      ctx->aside_pool[aside] = NULL;
    }
}

/* --- a step --- */

static void
begin_step (ge_pool *p, int64_t pieces, int threads, ge_piece *work, void *data)
{
  pthread_mutex_lock (&p->lock);
  p->work = work;
  p->data = data;
  p->pieces = pieces;
  p->limit = threads;
  atomic_store (&p->next, 0);
  atomic_store (&p->stop, 0);
  p->open = 1;
  p->busy = 1;
  atomic_fetch_add (&p->step, 1);
  pthread_mutex_unlock (&p->lock);
  /* Workers that poll need LOCK at once: it is free now.  */
  pthread_cond_broadcast (&p->begun);
}

/* Close the step to workers that have not joined and wait for the others.  */
static void
end_step (ge_pool *p)
{
  pthread_mutex_lock (&p->lock);
  p->open = 0;
  pthread_mutex_unlock (&p->lock);
  for (int i = 0; i < POLLS && atomic_load (&p->inside) > 0; i++)
    relax ();
  if (atomic_load (&p->inside) > 0)
    {
      pthread_mutex_lock (&p->lock);
      while (p->inside > 0)
        pthread_cond_wait (&p->ended, &p->lock);
      pthread_mutex_unlock (&p->lock);
    }
  p->busy = 0;
}

/* PIECES on the calling thread and on those of P (or NULL) with numbers below THREADS;
   CTX, if not NULL, is polled for interrupts between pieces.  */
static gpueig_status
run_step (gpueig_context *ctx, ge_pool *p, int threads, int64_t pieces,
          ge_piece *work, void *data)
{
  gpueig_status status = GPUEIG_OK;
  if (p)
    begin_step (p, pieces, threads, work, data);
  for (int64_t i = 0; status == GPUEIG_OK; i++)
    {
      if (p)
        i = atomic_fetch_add (&p->next, 1);
      if (i >= pieces)
        break;
      work (data, i, 0);
      if (ctx)
        status = ge_check_interrupt (ctx);
    }
  if (p)
    {
      atomic_store (&p->stop, status != GPUEIG_OK);
      end_step (p);
    }
  return status;
}

/* As many of THREADS as OPERATIONS in COUNT pieces are worth, at least 1.  */
static int
worth (int threads, double operations, int64_t count)
{
  const double wanted = operations / WORTH_WAKING;
  threads = threads < count ? threads : (int) count;
  threads = threads < wanted ? threads : (int) wanted;
  return threads > 1 ? threads : 1;
}

int
ge_threads_for (double operations, int64_t count)
{
  return worth (ge_threads (), operations, count);
}

/* STOPPABLE: poll for interrupts between pieces.  */
static gpueig_status
share (gpueig_context *ctx, int64_t pieces, double operations, int stoppable,
       ge_piece *work, void *data)
{
  const int threads = ctx ? ge_threads_for (operations, pieces) : 1;
  ge_pool *p = threads > 1 ? pool_of (ctx, &ctx->pool, threads - 1) : NULL;
  return run_step (stoppable ? ctx : NULL, p, threads, pieces, work, data);
}

ge_team
ge_new_team (int threads)
{
  ge_team team = { .pool = threads > 1 ? new_pool () : NULL, .threads = 1 };
  if (team.pool)
    {
      create_workers (team.pool, threads - 1);
      team.threads += team.pool->count;
    }
  return team;
}

void
ge_end_team (const ge_team *team)
{
  end_pool (team->pool);
}

ge_team
ge_team_of (gpueig_context *ctx, int threads)
{
  ge_pool *p = pool_of (ctx, &ctx->pool, threads - 1);
  return (ge_team){ p, ! p || p->count < threads - 1 ? 1 : threads };
}

void
ge_team_pass (const ge_team *team, int64_t count, double operations,
              ge_piece *work, void *data)
{
  const int threads = worth (team->threads, operations, count);
  run_step (NULL, threads > 1 ? team->pool : NULL, threads, count, work, data);
}

gpueig_status
ge_run_pieces (gpueig_context *ctx, int64_t count, double operations,
               ge_piece *work, void *data)
{
  ge_limit_blas (ctx, GE_BLAS_ONE);
  const gpueig_status status = share (ctx, count, operations, 1, work, data);
  ge_unlimit_blas (ctx, GE_BLAS_ONE);
  return status;
}

void
ge_share_pass (gpueig_context *ctx, int64_t count, double operations,
               ge_piece *work, void *data)
{
  share (ctx, count, operations, 0, work, data);
}

int
ge_begin_aside (gpueig_context *ctx, ge_aside aside, int count, ge_piece *work,
                void *data)
{
  ge_pool *p = pool_of (ctx, &ctx->aside_pool[aside], count);
  if (! p)
    return 0;
  const int threads = p->count < count ? p->count : count;
  begin_step (p, threads, threads + 1, work, data);
  return threads;
}

void
ge_end_aside (gpueig_context *ctx, ge_aside aside)
{
  if (ctx->aside_pool[aside] && ctx->aside_pool[aside]->busy)
    end_step (ctx->aside_pool[aside]);
}

/* --- numbers of threads, here and of the BLAS --- */

int
ge_threads (void)
{
  return omp_get_max_threads ();
}

/* Functions of OpenBLAS, NULL with another BLAS.  Looked up once, since dlsym takes as
   long as solving a small problem.  */
static struct
{
  int (*get) (void);
  void (*set) (int);
  const char *(*config) (void);
} openblas;

static void
find_openblas (void)
{
  *(void **) &openblas.get = ge_find_symbol ("openblas_get_num_threads");
  *(void **) &openblas.set = ge_find_symbol ("openblas_set_num_threads");
  *(void **) &openblas.config = ge_find_symbol ("openblas_get_config");
}

static pthread_once_t openblas_once = PTHREAD_ONCE_INIT;

/* The limits in force in all contexts.  */
static struct
{
  pthread_mutex_t lock;
  int count[GE_BLAS_ALL];
  int before; /* the number of threads without them */
} limits = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int
limited (void)
{
  return limits.count[GE_BLAS_ONE] + limits.count[GE_BLAS_HALF] > 0;
}

/* Add CHANGE to the counts of LIMIT, of CTX and of all; the lock is held.  */
static void
count_limit (gpueig_context *ctx, ge_blas_limit limit, int change)
{
  if (! limited ())
    limits.before = openblas.get ();
  limits.count[limit] += change;
  ctx->blas_limits[limit] += change;
  const int wanted = limits.count[GE_BLAS_ONE]    ? 1
                     : limits.count[GE_BLAS_HALF] ? (limits.before + 1) / 2
                                                  : limits.before;
  if (wanted != openblas.get ())
    openblas.set (wanted);
}

void
ge_limit_blas (gpueig_context *ctx, ge_blas_limit limit)
{
  pthread_once (&openblas_once, find_openblas);
  if (! openblas.get || ! openblas.set || limit == GE_BLAS_ALL)
    return;
  pthread_mutex_lock (&limits.lock);
  count_limit (ctx, limit, 1);
  pthread_mutex_unlock (&limits.lock);
}

void
ge_unlimit_blas (gpueig_context *ctx, ge_blas_limit limit)
{
  if (limit == GE_BLAS_ALL || ! ctx->blas_limits[limit])
    return;
  pthread_mutex_lock (&limits.lock);
  count_limit (ctx, limit, -1);
  pthread_mutex_unlock (&limits.lock);
}

void
ge_end_blas_limits (gpueig_context *ctx)
{
  for (int limit = 0; limit < GE_BLAS_ALL; limit++)
    while (ctx->blas_limits[limit])
      ge_unlimit_blas (ctx, (ge_blas_limit) limit);
}

int
ge_blas_threads (void)
{
  pthread_once (&openblas_once, find_openblas);
  if (! openblas.get || ! openblas.set)
    return 0;
  pthread_mutex_lock (&limits.lock);
  const int threads = limited () ? limits.before : openblas.get ();
  pthread_mutex_unlock (&limits.lock);
  return threads;
}

const char *
ge_blas_description (void)
{
  pthread_once (&openblas_once, find_openblas);
  return openblas.config ? openblas.config () : "";
}

/* OpenBLAS maps a buffer of 32 or 128 MiB for every thread that computes a product, and
   writes a small part of it.  Buffers that are mapped before the first count are not
   taken for results that are still to be written.  */
static size_t unmapped; /* bytes of them that found no address space */

static void
map_blas_buffers (void)
{
  enum
  {
    MOST = 16,
    LARGEST = 128 << 20
  };
  void *(*map) (int);
  void *buffer[MOST];
  void (*unmap) (void *);
  int count = MOST;
  *(void **) &map = ge_find_symbol ("blas_memory_alloc");
  *(void **) &unmap = ge_find_symbol ("blas_memory_free");
  const int threads = ge_blas_threads ();
  if (! map || ! unmap || threads == 0)
    return;
  /* Each of the BLAS's own threads has one, and as many threads may call it.  */
  if (2 * threads < count)
    count = 2 * threads;
  /* It ends the process where it finds no address space.  */
  const size_t room = (size_t) (count + 1) * LARGEST;
  unmapped = ge_has_address_space (room) ? 0 : room;
  if (unmapped > 0)
    return;
  for (int i = 0; i < count; i++)
    buffer[i] = map (0);
  for (int i = 0; i < count; i++)
    unmap (buffer[i]);
}

static pthread_once_t buffers_once = PTHREAD_ONCE_INIT;

int64_t
ge_map_blas_buffers (void)
{
  pthread_once (&buffers_once, map_blas_buffers);
  return (int64_t) unmapped;
}
