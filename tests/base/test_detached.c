/* Claims: an interrupted job is detached and frees its memory at its end; there is at
   most one, the next detachable call waits for it, reports this and can be
   interrupted; other calls meanwhile use half of the threads; gpueig_reset restores a
   context after a call that was left by longjmp.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "run/run.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- a job that runs until it is released --- */

static atomic_int released, discarded, finished;

static void
work (void *job)
{
  const struct timespec pause = { .tv_nsec = 1000000 };
  while (! atomic_load (&released))
    nanosleep (&pause, NULL);
  *(int *) job = 7;
  atomic_fetch_add (&finished, 1);
}

static void
discard (void *job)
{
  free (job);
  atomic_fetch_add (&discarded, 1);
}

/* --- a user who interrupts at the poll number STOP_AT --- */

static int polls, stop_at, lines, ends_meanwhile;
static char last_line[256];

/* It asks for the state of its context, and may take as long as the job.  */
static int
interrupted (void *data)
{
  const struct timespec pause = { .tv_nsec = 1000000 };
  (void) gpueig_detached (data);
  if (++polls != stop_at)
    return 0;
  const int before = atomic_load (&finished);
  if (ends_meanwhile)
    atomic_store (&released, 1);
  for (int i = 0; i < 5000 && ends_meanwhile && finished == before; i++)
    nanosleep (&pause, NULL);
  return 1;
}

static void
report (void *data, const char *line)
{
  (void) data;
  lines++;
  strncpy (last_line, line, sizeof last_line - 1);
}

static gpueig_status
run_job (gpueig_context *ctx, int stop, int **result)
{
  int *job = check_memory (1, sizeof *job);
  polls = 0;
  stop_at = stop;
  gpueig_status status = ge_run_detachable (ctx, work, discard, job);
  *result = job;
  return status;
}

/* The number of threads that a small call uses.  */
static int
threads_of_call (gpueig_context *ctx)
{
  gpueig_info *info = NULL;
  const gpueig_options *options = NULL;
  ge_call call;
  ge_begin (&call, ctx, &options, &info);
  const int threads = ge_threads ();
  ge_end (&call, GPUEIG_OK);
  return threads;
}

static void
wait_for_end (gpueig_context *ctx)
{
  const struct timespec pause = { .tv_nsec = 1000000 };
  for (int i = 0; i < 5000 && gpueig_detached (ctx); i++)
    nanosleep (&pause, NULL);
}

static void
detached_jobs (gpueig_context *ctx)
{
  int *job;
  atomic_store (&released, 1);
  CHECK (run_job (ctx, 0, &job) == GPUEIG_OK && *job == 7 && lines == 0,
         "a job that is not interrupted belongs to the caller again");
  free (job);

  atomic_store (&released, 0);
  CHECK (run_job (ctx, 3, &job) == GPUEIG_INTERRUPTED && gpueig_detached (ctx)
             && discarded == 0,
         "an interrupted job runs on");
  CHECK (threads_of_call (ctx) == 2 && omp_get_max_threads () == 4,
         "beside it calls use half of the threads");

  CHECK (run_job (ctx, 3, &job) == GPUEIG_INTERRUPTED && discarded == 1
             && finished == 1,
         "the next one is not begun, and is freed when it is interrupted");
  CHECK (lines == 1 && strstr (last_line, "waiting"), "it says that it waits");

  atomic_store (&released, 1);
  int *second;
  CHECK (run_job (ctx, 0, &second) == GPUEIG_OK && *second == 7
             && discarded == 2 && finished == 3,
         "it runs when the first one has ended");
  free (second);
  CHECK (! gpueig_detached (ctx), "no job is left");
  CHECK (threads_of_call (ctx) == 4, "calls use all threads again");

  atomic_store (&released, 0);
  run_job (ctx, 1, &job);
  atomic_store (&released, 1);
  wait_for_end (ctx);
  CHECK (! gpueig_detached (ctx) && discarded == 3,
         "a job that ends unnoticed frees what it holds");

  atomic_store (&released, 0);
  ends_meanwhile = 1;
  CHECK (run_job (ctx, 1, &job) == GPUEIG_INTERRUPTED && discarded == 4
             && ! gpueig_detached (ctx),
         "so does one that ends while the user interrupts it");
  ends_meanwhile = 0;
}

static void
unwound_call (gpueig_context *ctx)
{
  gpueig_info *info = NULL;
  const gpueig_options *options = NULL;
  ge_call outer, inner;
  void *block;
  const int blas = ge_blas_threads ();
  ge_begin (&outer, ctx, &options, &info);
  ge_alloc (ctx, GE_HOST, 1000, 8, &block);
  ge_begin (&inner, ctx, &options, &info);
  ge_alloc (ctx, GE_HOST, 1000, 8, &block);
  ge_limit_blas (ctx, GE_BLAS_ONE);
  omp_set_num_threads (1);
  CHECK (gpueig_reset (ctx) && ge_mark (ctx) == 0 && ctx->in_use == 0,
         "scratch memory is released");
  CHECK (omp_get_max_threads () == 4 && ge_blas_threads () == blas,
         "threads are as before the call");
  omp_set_num_threads (3);
  CHECK (! gpueig_reset (ctx) && omp_get_max_threads () == 3,
         "between calls a reset changes nothing");
}

int
main (void)
{
  gpueig_context *ctx;
  gpueig_callbacks callbacks = { .interrupted = interrupted, .report = report };
  check_begin ("detached");
  omp_set_num_threads (4);
  if (gpueig_create (&ctx) != GPUEIG_OK)
    return 2;
  callbacks.data = ctx;
  gpueig_set_callbacks (ctx, &callbacks);
  detached_jobs (ctx);
  unwound_call (ctx);
  int *job;
  atomic_store (&released, 0);
  run_job (ctx, 1, &job);
  atomic_store (&released, 1);
  gpueig_destroy (ctx);
  CHECK (discarded == 5, "gpueig_destroy waits for the job");
  return check_end ();
}
