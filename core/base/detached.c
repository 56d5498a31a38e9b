/* Computations that cannot be interrupted, on separate threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   LAPACK drivers and cuSOLVER calls take up to minutes and have no means to be
   stopped.  They run on a separate thread, with separate memory, while the calling
   thread waits for the end and polls for an interrupt.  After an interrupt the call
   returns at once and the job is detached: it runs to its end, and its thread frees
   its memory.

   A context, and each child context of a device, has at most one detached job.
   While it runs, calls use half of the threads (ge_begin), and a call that needs
   such a thread first waits for the job, reports this, and can be interrupted.
   Linked into core and the plugin.  */

#include "base/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* LOCK protects DONE, DETACHED, and how many of ORDER eigenvalues have DEFLATED; only the thread
   accesses JOB until DONE.  */
struct ge_detached
{
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  int done, detached;
  int64_t deflated, order;
  void (*work) (void *job), (*discard) (void *job);
  void *job;
};

/* The job of the running thread, or NULL.  */
static _Thread_local ge_detached *current;

void
ge_note_deflated (int64_t deflated, int64_t order)
{
  ge_detached *d = current;
  if (! d)
    return;
  pthread_mutex_lock (&d->lock);
  d->deflated = deflated;
  d->order = order;
  pthread_mutex_unlock (&d->lock);
}

static void *
run (void *data)
{
  ge_detached *d = data;
  current = d;
  d->work (d->job);
  pthread_mutex_lock (&d->lock);
  if (d->detached)
    d->discard (d->job);
  d->done = 1;
  pthread_cond_signal (&d->ended);
  pthread_mutex_unlock (&d->lock);
  return NULL;
}

/* Start the thread; NULL if none can be created.  */
static ge_detached *
start (void (*work) (void *job), void (*discard) (void *job), void *job)
{
  ge_detached *d = calloc (1, sizeof *d);
  if (! d)
    return NULL;
  d->work = work;
  d->discard = discard;
  d->job = job;
  pthread_mutex_init (&d->lock, NULL);
  pthread_cond_init (&d->ended, NULL);
  if (ge_create_thread (&d->thread, run, d) == 0)
    return d;
  pthread_cond_destroy (&d->ended);
  pthread_mutex_destroy (&d->lock);
  free (d);
  return NULL;
}

/* Wait for the end of the thread and free D.  */
static void
join (ge_detached *d)
{
  pthread_join (d->thread, NULL);
  pthread_cond_destroy (&d->ended);
  pthread_mutex_destroy (&d->lock);
  free (d);
}

/* Report DEFLATED of ORDER eigenvalues unless REPORTED, or a line less than a second ago, has them.  */
static void
report_deflated (gpueig_context *ctx, int64_t deflated, int64_t order,
                 int64_t *reported)
{
  if (deflated == *reported || ge_now () - ctx->last_line < 1)
    return;
  ge_report (ctx, "qr: %lld of %lld eigenvalues deflated", (long long) deflated,
             (long long) order);
  *reported = deflated;
}

/* Wait until D is done or the user interrupts, in which case D is detached.  */
static gpueig_status
wait_until_done (gpueig_context *ctx, ge_detached *d)
{
  enum
  {
    POLL = 20000000 /* nanoseconds between two polls for an interrupt */
  };
  gpueig_status status = GPUEIG_OK;
  int64_t reported = 0;
  pthread_mutex_lock (&d->lock);
  while (! d->done && status == GPUEIG_OK)
    {
      struct timespec until;
      clock_gettime (CLOCK_REALTIME, &until);
      until.tv_nsec += POLL;
      until.tv_sec += until.tv_nsec / 1000000000;
      until.tv_nsec %= 1000000000;
      pthread_cond_timedwait (&d->ended, &d->lock, &until);
      if (d->done)
        break;
      const int64_t deflated = d->deflated, order = d->order;
      /* Without the lock, since the callbacks are the user's.  */
      pthread_mutex_unlock (&d->lock);
      report_deflated (ctx, deflated, order, &reported);
      status = ge_check_interrupt (ctx);
      pthread_mutex_lock (&d->lock);
    }
  d->detached = ! d->done;
  pthread_mutex_unlock (&d->lock);
  return status;
}

/* Nonzero if CTX itself (not a child context) has a detached job that runs.  */
static int
job_runs (gpueig_context *ctx)
{
  ge_detached *d = ctx->detached;
  if (! d)
    return 0;
  pthread_mutex_lock (&d->lock);
  const int done = d->done;
  pthread_mutex_unlock (&d->lock);
  if (! done)
    return 1;
  ctx->detached = NULL;
  join (d);
  return 0;
}

int
gpueig_detached (gpueig_context *ctx)
{
  int runs = job_runs (ctx);
  for (int i = 0; i < ctx->n_children; i++)
    if (ctx->child[i])
      runs |= job_runs (ctx->child[i]);
  return runs;
}

void
ge_join_detached (gpueig_context *ctx)
{
  if (ctx->detached)
    join (ctx->detached);
  ctx->detached = NULL;
}

gpueig_status
ge_run_detachable (gpueig_context *ctx, void (*work) (void *job),
                   void (*discard) (void *job), void *job)
{
  gpueig_status status = GPUEIG_OK;
  if (job_runs (ctx))
    {
      ge_notice (ctx, "waiting for the end of a computation that was "
                      "interrupted; Ctrl-C stops this one");
      status = wait_until_done (ctx, ctx->detached);
      if (status != GPUEIG_OK)
        {
          discard (job);
          return status;
        }
      ge_join_detached (ctx);
    }
  ge_detached *d = start (work, discard, job);
  if (! d)
    {
      /* No thread could be created: run it here, without interrupts.  */
      work (job);
      return GPUEIG_OK;
    }
  status = wait_until_done (ctx, d);
  if (status != GPUEIG_OK && d->detached)
    {
      ctx->detached = d;
      return status;
    }
  join (d);
  if (status != GPUEIG_OK) /* it ended while the callback ran */
    discard (job);
  return status;
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
  *job = ge_aligned_alloc (64, bytes);
  if (! *job)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "out of host memory: %.6g MiB needed",
                        (double) bytes / 1048576.0);
  ge_prepare_output (*job, bytes);
  return GPUEIG_OK;
}
