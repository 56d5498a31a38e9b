/* Work that nobody can stop, on a thread of its own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A LAPACK driver of some seconds or minutes looks at no flag.  So it runs
   apart, with memory of its own, while the calling thread waits for it and for
   the user.  When the user wants to stop, the call returns at once and the work
   goes on alone; its thread frees what it holds when it is done.  A context is
   destroyed only when the last of them has ended.  Linked into core and the
   plugin.  */

#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct ge_apart
{
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  int done, alone;
  void (*work) (void *job), (*discard) (void *job);
  void *job;
  ge_apart *next;
};

static void *
run (void *data)
{
  ge_apart *a = data;
  a->work (a->job);
  pthread_mutex_lock (&a->lock);
  a->done = 1;
  if (a->alone)
    {
      a->discard (a->job);
      a->job = NULL;
    }
  pthread_cond_signal (&a->ended);
  pthread_mutex_unlock (&a->lock);
  return NULL;
}

static void
join (ge_apart *a)
{
  pthread_join (a->thread, NULL);
  pthread_cond_destroy (&a->ended);
  pthread_mutex_destroy (&a->lock);
  free (a);
}

/* Until it is done or the user wants to stop.  */
static gpueig_status
wait_for (gpueig_context *ctx, ge_apart *a)
{
  gpueig_status status = GPUEIG_OK;
  pthread_mutex_lock (&a->lock);
  while (! a->done && status == GPUEIG_OK)
    {
      struct timespec until;
      clock_gettime (CLOCK_REALTIME, &until);
      until.tv_nsec += 20000000;
      until.tv_sec += until.tv_nsec / 1000000000;
      until.tv_nsec %= 1000000000;
      pthread_cond_timedwait (&a->ended, &a->lock, &until);
      if (! a->done)
        status = ge_check_interrupt (ctx);
    }
  a->alone = ! a->done;
  pthread_mutex_unlock (&a->lock);
  return status;
}

/* Throw away those that have ended, or with ALL wait for every one.  */
void
ge_apart_sweep (gpueig_context *ctx, int all)
{
  for (ge_apart **at = &ctx->apart; *at;)
    {
      ge_apart *a = *at;
      pthread_mutex_lock (&a->lock);
      const int done = a->done;
      pthread_mutex_unlock (&a->lock);
      if (done || all)
        {
          *at = a->next;
          join (a);
        }
      else
        at = &a->next;
    }
}

gpueig_status
ge_alloc_job (gpueig_context *ctx, size_t bytes, void **job)
{
  *job = NULL;
  if (gpueig_allocation_fails (ctx))
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "out of host memory: %.6g MiB needed",
                        (double) bytes / 1048576.0);
  GE_TRY (gpueig_need_memory (ctx, (double) bytes, "one array"));
  if (posix_memalign (job, 64, bytes) != 0)
    {
      *job = NULL;
      return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                          "out of host memory: %.6g MiB needed",
                          (double) bytes / 1048576.0);
    }
  ge_prepare_output (*job, bytes);
  return GPUEIG_OK;
}

gpueig_status
ge_run_apart (gpueig_context *ctx, void (*work) (void *job),
              void (*discard) (void *job), void *job)
{
  ge_apart_sweep (ctx, 0);
  ge_apart *a = calloc (1, sizeof *a);
  if (a)
    {
      a->work = work;
      a->discard = discard;
      a->job = job;
      pthread_mutex_init (&a->lock, NULL);
      pthread_cond_init (&a->ended, NULL);
      if (pthread_create (&a->thread, NULL, run, a) != 0)
        {
          pthread_cond_destroy (&a->ended);
          pthread_mutex_destroy (&a->lock);
          free (a);
          a = NULL;
        }
    }
  if (! a)
    {
      /* No thread to be had: then without an ear for the user.  */
      work (job);
      return GPUEIG_OK;
    }
  const gpueig_status status = wait_for (ctx, a);
  if (a->alone)
    {
      a->next = ctx->apart;
      ctx->apart = a;
    }
  else
    join (a);
  return status;
}
