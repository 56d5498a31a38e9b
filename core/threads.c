/* Threads that take pieces of one computation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   For computations with many short parallel steps, a thousand in a reduction to
   tridiagonal form.  At the end of each step OpenMP's threads meet in a barrier,
   where those of GCC poll for about 3 ms, and OpenBLAS' threads wait by
   sched_yield: where other programs use the processors, the one that all wait
   for is not running, and every step takes time slices of the scheduler.  Here
   nobody waits for a thread that has not begun: the calling thread takes pieces
   like the others, and at the end waits, asleep, for pieces in work only.
   Whatever threads cannot be created are done without.  */

#include "core.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum
{
  POLLS = 2000 /* for new work before a worker sleeps: some 50 us */
};

typedef struct
{
  ge_pool *pool;
  pthread_t thread;
  int number; /* from 1 */
} worker;

struct ge_pool
{
  worker *workers;
  int count;
  pthread_mutex_t lock;
  pthread_cond_t begun, ended;
  atomic_int step; /* changes when there is new work, and to end */

  /* protected by LOCK */
  int open;   /* there may be pieces to take */
  int limit;  /* of the numbers of workers that take part */
  int inside; /* workers that do */
  int quit;

  /* of the step: written only while nobody is inside */
  ge_piece *work;
  void *data;
  int64_t pieces;
  atomic_int_fast64_t next;
  atomic_int stop;
};

static void
take_pieces (ge_pool *p, int thread)
{
  while (! atomic_load_explicit (&p->stop, memory_order_relaxed))
    {
      const int64_t i = atomic_fetch_add (&p->next, 1);
      if (i >= p->pieces)
        return;
      p->work (p->data, i, thread);
    }
}

/* Let the processor breathe.  */
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

/* --- life --- */

static ge_pool *
new_pool (void)
{
  ge_pool *p = calloc (1, sizeof *p);
  if (! p)
    return NULL;
  pthread_mutex_init (&p->lock, NULL);
  pthread_cond_init (&p->begun, NULL);
  pthread_cond_init (&p->ended, NULL);
  return p;
}

/* WANTED workers, or as many as can be had.  Signals are for others.  */
static void
hire (ge_pool *p, int wanted)
{
  sigset_t all, old;
  if (p->workers)
    return;
  p->workers = calloc ((size_t) wanted, sizeof *p->workers);
  if (! p->workers)
    return;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  for (; p->count < wanted; p->count++)
    {
      worker *w = &p->workers[p->count];
      *w = (worker){ .pool = p, .number = p->count + 1 };
      if (pthread_create (&w->thread, NULL, serve, w) != 0)
        break;
    }
  pthread_sigmask (SIG_SETMASK, &old, NULL);
}

void
ge_end_threads (gpueig_context *ctx)
{
  ge_pool *p = ctx->pool;
  if (! p)
    return;
  pthread_mutex_lock (&p->lock);
  p->quit = 1;
  atomic_fetch_add (&p->step, 1);
  pthread_cond_broadcast (&p->begun);
  pthread_mutex_unlock (&p->lock);
  for (int i = 0; i < p->count; i++)
    pthread_join (p->workers[i].thread, NULL);
  pthread_cond_destroy (&p->begun);
  pthread_cond_destroy (&p->ended);
  pthread_mutex_destroy (&p->lock);
  free (p->workers);
  free (p);
  ctx->pool = NULL;
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
  atomic_fetch_add (&p->step, 1);
  pthread_cond_broadcast (&p->begun);
  pthread_mutex_unlock (&p->lock);
}

/* Who has not begun any more need not.  */
static void
end_step (ge_pool *p)
{
  pthread_mutex_lock (&p->lock);
  p->open = 0;
  while (p->inside > 0)
    pthread_cond_wait (&p->ended, &p->lock);
  pthread_mutex_unlock (&p->lock);
}

static gpueig_status
share_pieces (gpueig_context *ctx, ge_pool *p, int64_t pieces, int threads,
              ge_piece *work, void *data)
{
  gpueig_status status = GPUEIG_OK;
  begin_step (p, pieces, threads, work, data);
  while (status == GPUEIG_OK)
    {
      const int64_t i = atomic_fetch_add (&p->next, 1);
      if (i >= pieces)
        break;
      work (data, i, 0);
      status = ge_check_interrupt (ctx);
    }
  if (status != GPUEIG_OK)
    atomic_store (&p->stop, 1);
  end_step (p);
  return status;
}

gpueig_status
ge_run_pieces (gpueig_context *ctx, int64_t count, int shared, ge_piece *work,
               void *data)
{
  gpueig_status status = GPUEIG_OK;
  int threads = shared ? ge_threads () : 1;
  const int old = ge_blas_threads (1);
  if (threads > count)
    threads = (int) count;
  if (threads > 1)
    {
      if (! ctx->pool)
        ctx->pool = new_pool ();
      if (ctx->pool)
        hire (ctx->pool, ge_threads () - 1);
    }
  if (threads > 1 && ctx->pool && ctx->pool->count > 0)
    status = share_pieces (ctx, ctx->pool, count, threads, work, data);
  else
    for (int64_t i = 0; i < count && status == GPUEIG_OK; i++)
      {
        work (data, i, 0);
        status = ge_check_interrupt (ctx);
      }
  if (old > 0)
    ge_blas_threads (old);
  return status;
}
