/* Calls on several GPUs: lists of devices, and shares of a problem that are solved in
   parallel.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Each GPU has a host thread for the call and a child context, owned by the caller's
   context and kept between calls, with its streams, handles, staging buffers and
   workspace.  Shares are contiguous, so each GPU writes a contiguous part of the
   results.  The calling thread waits, polls for an interrupt and reports the lines of
   progress of the others; callbacks are never called from another thread.

   The status and message of the first share that fails are those of the call.  It stops
   the others, unless its device alone has failed and the CPU will solve what is left.
   All threads have ended when it returns.  */

#include "run/devices.h"
#include "run/movers.h"
#include "plan/plan.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lists of devices --- */

gpueig_status
gpueig_set_devices (gpueig_context *ctx, const char *text,
                    gpueig_options *options)
{
  const char *at = text;
  int n = 0;
  if (strcmp (text, "all") == 0)
    {
      options->n_devices = GPUEIG_ALL_DEVICES;
      return GPUEIG_OK;
    }
  for (char *end = NULL;; at = end + 1)
    {
      const long number = *at >= '0' && *at <= '9' ? strtol (at, &end, 10) : -1;
      if (number < 0 || number > INT32_MAX || n == GPUEIG_MAX_DEVICES
          || (*end != ',' && *end != '\0'))
        return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                            "devices must be \"all\" or up to %d numbers such "
                            "as \"0,1\", but are \"%.100s\"",
                            GPUEIG_MAX_DEVICES, text);
      options->devices[n++] = (int) number;
      if (*end == '\0')
        break;
    }
  options->device = options->devices[0];
  options->n_devices = n > 1 ? n : 0;
  return ge_check_devices (ctx, options);
}

gpueig_status
ge_find_devices (gpueig_context *ctx, const gpueig_options *options,
                 int *devices, int *n_devices)
{
  int there = 0;
  GE_TRY (ctx->plugin->count (ctx, &there));
  if (options->n_devices == GPUEIG_ALL_DEVICES)
    {
      *n_devices = there < GPUEIG_MAX_DEVICES ? there : GPUEIG_MAX_DEVICES;
      for (int i = 0; i < *n_devices; i++)
        devices[i] = i;
      return *n_devices > 0
                 ? GPUEIG_OK
                 : gpueig_fail (ctx, GPUEIG_NO_DEVICE, "there is no GPU");
    }
  *n_devices = options->n_devices;
  for (int i = 0; i < options->n_devices; i++)
    {
      devices[i] = options->devices[i];
      if (devices[i] >= there || devices[i] >= GPUEIG_MAX_DEVICES)
        return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                            "there is no GPU %d, this machine has %d (the "
                            "first is 0)",
                            devices[i], there);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_check_named_device (gpueig_context *ctx, const gpueig_options *options)
{
  int devices[GPUEIG_MAX_DEVICES], n;
  gpueig_options one = *options;
  if (options->backend != GPUEIG_AUTO || options->device == 0)
    return GPUEIG_OK;
  ge_load_plugin (ctx);
  if (! ctx->plugin || ge_device_is_lost (ctx))
    return GPUEIG_OK;
  one.n_devices = 1;
  one.devices[0] = options->device;
  return ge_find_devices (ctx, &one, devices, &n);
}

/* --- contexts of the devices --- */

/* Copy the fault of a lost GPU to all contexts: none of them may use CUDA again.  */
static void
spread_fault (gpueig_context *ctx)
{
  for (int i = 0; i < ctx->n_children; i++)
    if (ctx->child[i])
      memcpy (ctx->child[i]->fault, ctx->fault, sizeof ctx->fault);
}

void
ge_trim_children (gpueig_context *ctx, ge_space from)
{
  spread_fault (ctx);
  for (int i = 0; i < ctx->n_children; i++)
    for (int s = from; ctx->child[i] && s < GE_SPACES; s++)
      ge_trim_space (ctx->child[i], (ge_space) s, 0);
}

void
ge_close_children (gpueig_context *ctx)
{
  spread_fault (ctx);
  for (int i = 0; i < ctx->n_children; i++)
    {
      gpueig_context *child = ctx->child[i];
      if (! child)
        continue;
      ge_join_detached (child);
      ge_end_threads (child);
      ge_release (child, 0);
      ge_trim_space (child, GE_DEVICE, 0);
      ge_trim_space (child, GE_PINNED, 0);
      child->plugin->close (child);
      ge_workspace_end (child);
      free (child);
      ctx->child[i] = NULL;
    }
  ctx->n_children = 0;
}

static gpueig_status
open_child (gpueig_context *ctx, int device)
{
  gpueig_context *child;
  if (ctx->child[device])
    return GPUEIG_OK;
  if (gpueig_allocation_fails (ctx)
      || ge_new_context (ctx->solvers, &child) != GPUEIG_OK)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  child->plugin = ctx->plugin;
  const gpueig_status status = child->plugin->open (child);
  if (status != GPUEIG_OK)
    {
      gpueig_fail (ctx, status, "%s", child->message);
      ge_workspace_end (child);
      free (child);
      return status;
    }
  ctx->child[device] = child;
  if (ctx->n_children <= device)
    ctx->n_children = device + 1;
  return GPUEIG_OK;
}

/* --- threads of the shares --- */

/* A line of progress that waits for its report.  */
typedef struct queued_line queued_line;
struct queued_line
{
  queued_line *next;
  char text[];
};

/* State common to the threads of a call, protected by LOCK.  */
typedef struct
{
  pthread_mutex_t lock;
  pthread_cond_t changed;     /* a new line, or the end of a share */
  int running;                /* shares that have not ended */
  int stop;                   /* nonzero: all shares must stop */
  int failed;                 /* the share that failed first, or -1 */
  queued_line *lines, **last; /* the oldest line first */
} crew;

typedef struct
{
  crew *crew;
  gpueig_context *ctx; /* the child */
  ge_solver_run run;
  int number, device, threads;
  gpueig_options options;
  ge_problem problem;
  gpueig_info info;
  gpueig_status status;
  pthread_t thread;
  int started;
} share;

static int
share_interrupted (void *data)
{
  crew *c = ((share *) data)->crew;
  pthread_mutex_lock (&c->lock);
  const int stop = c->stop;
  pthread_mutex_unlock (&c->lock);
  return stop;
}

/* Queue a line; it is dropped if memory for it cannot be allocated.  */
static void
share_report (void *data, const char *text)
{
  const share *s = data;
  crew *c = s->crew;
  const size_t size = strlen (text) + 32;
  queued_line *l = malloc (sizeof *l + size);
  if (! l)
    return;
  l->next = NULL;
  snprintf (l->text, size, "GPU %d: %s", s->device, text);
  pthread_mutex_lock (&c->lock);
  *c->last = l;
  c->last = &l->next;
  pthread_cond_signal (&c->changed);
  pthread_mutex_unlock (&c->lock);
}

/* Nonzero if the other shares can go on: what this one leaves is for the CPU.  After the loss
   of a GPU no other can be used.  */
static int
fails_alone (const share *s)
{
  return s->options.backend == GPUEIG_AUTO && ! ge_device_is_lost (s->ctx)
         && (s->status == GPUEIG_DEVICE_ERROR
             || s->status == GPUEIG_OUT_OF_MEMORY);
}

static void *
run_share (void *data)
{
  share *s = data;
  crew *c = s->crew;
  omp_set_num_threads (s->threads);
  s->status = ge_select_device (s->ctx, s->device);
  if (s->status == GPUEIG_OK)
    s->status = ge_run_chunks (s->ctx, &s->run, &s->info);
  if (s->status == GPUEIG_OK && s->run.solved)
    memset (s->run.solved, 1, (size_t) s->problem.pages);
  ge_release (s->ctx, 0);
  const int failed
      = s->status != GPUEIG_OK && s->status != GPUEIG_NO_CONVERGENCE;
  pthread_mutex_lock (&c->lock);
  if (failed && c->failed < 0 && ! c->stop)
    c->failed = s->number;
  c->stop |= failed && ! fails_alone (s);
  c->running--;
  pthread_cond_signal (&c->changed);
  pthread_mutex_unlock (&c->lock);
  return NULL;
}

/* As ge_begin, for the child.  Faults injected by tests are distributed over N shares.  */
static void
begin_share (gpueig_context *ctx, share *s, int n)
{
  gpueig_context *child = s->ctx;
  child->callbacks = (gpueig_callbacks){ share_interrupted, share_report, s };
  child->display = ctx->display;
  child->start = ctx->start;
  child->last_line = ctx->last_line;
  child->message[0] = '\0';
  child->peak = child->in_use;
  child->unwritten = ctx->unwritten;
  child->limit_multiprocessors = ctx->limit_multiprocessors;
  child->limit_shared = ctx->limit_shared;
  child->limit_clusters = ctx->limit_clusters;
  child->limit_chunk = ctx->limit_chunk;
  child->alloc_count = child->device_count = 0;
  child->alloc_fail = child->device_fail = child->device_fault = 0;
  const int64_t alloc = ctx->alloc_fail - ctx->alloc_count - 1;
  const int64_t fail = ctx->device_fail - ctx->device_count - 1;
  const int64_t fault = ctx->device_fault - ctx->device_count - 1;
  if (alloc >= 0 && alloc % n == s->number)
    child->alloc_fail = alloc / n + 1;
  if (fail >= 0 && fail % n == s->number)
    child->device_fail = fail / n + 1;
  if (fault >= 0 && fault % n == s->number)
    child->device_fault = fault / n + 1;
  child->fault_kind = ctx->fault_kind;
  ge_info_begin (&s->info);
}

static void
end_share (gpueig_context *ctx, share *s)
{
  gpueig_context *child = s->ctx;
  ctx->alloc_count += child->alloc_count;
  ctx->device_count += child->device_count;
  ctx->peak += child->peak;
  ge_forget_share (child);
  child->callbacks = (gpueig_callbacks){ 0 };
}

/* Report the queued lines; LOCK is held, and released while the callback runs.  */
static void
pass_lines (gpueig_context *ctx, crew *c)
{
  while (c->lines)
    {
      queued_line *l = c->lines;
      c->lines = l->next;
      if (! c->lines)
        c->last = &c->lines;
      pthread_mutex_unlock (&c->lock);
      if (ctx->callbacks.report)
        ctx->callbacks.report (ctx->callbacks.data, l->text);
      ctx->last_line = ge_now ();
      free (l);
      pthread_mutex_lock (&c->lock);
    }
}

/* Wait until all shares have ended; GPUEIG_INTERRUPTED after an interrupt.  */
static gpueig_status
wait_for_shares (gpueig_context *ctx, crew *c)
{
  gpueig_status status = GPUEIG_OK;
  pthread_mutex_lock (&c->lock);
  while (c->running > 0 || c->lines)
    {
      pass_lines (ctx, c);
      if (c->running == 0)
        break;
      ge_wait_shortly (&c->changed, &c->lock);
      if (status != GPUEIG_OK || c->running == 0)
        continue;
      pthread_mutex_unlock (&c->lock);
      status = ge_check_interrupt (ctx);
      pthread_mutex_lock (&c->lock);
      c->stop |= status != GPUEIG_OK;
    }
  pthread_mutex_unlock (&c->lock);
  return status;
}

/* --- merging of the shares' info --- */

static void
add_extra (gpueig_info *info, const char *name, double value)
{
  ge_info_extra (info, name, value + ge_info_value (info, name));
}

static void
merge_sweeps (const ge_solver_entry *entry, gpueig_info *info,
              const gpueig_info *one)
{
  if (entry->history_of_all)
    {
      ge_info_merge_sweeps (info, one);
      return;
    }
  if (one->sweeps <= info->sweeps)
    return;
  info->sweeps = one->sweeps;
  info->n_off = one->n_off;
  memcpy (info->off, one->off, sizeof info->off);
}

void
ge_merge_info (const ge_solver_entry *entry, int spectrum, gpueig_info *info,
               const gpueig_info *one, int first)
{
  const int slowest = first || one->sweeps > info->sweeps;
  if (first)
    {
      memcpy (info->method, one->method, sizeof info->method);
      info->sweeps = -1;
    }
  merge_sweeps (entry, info, one);
  if (! info->fallback[0])
    memcpy (info->fallback, one->fallback, sizeof info->fallback);
  info->time_solve = ge_larger (info->time_solve, one->time_solve);
  info->time_transfer = ge_larger (info->time_transfer, one->time_transfer);
  for (int i = 0; i < one->n_extra; i++)
    {
      const char *name = one->extra[i].name;
      if (strcmp (name, "normal_accuracy") == 0
          || (spectrum && strcmp (name, "depth") != 0))
        add_extra (info, name, one->extra[i].value);
      else if (spectrum)
        ge_info_extra (
            info, name,
            ge_larger (ge_info_value (info, name), one->extra[i].value));
      else if (slowest || entry->values_of_last)
        ge_info_extra (info, name, one->extra[i].value);
    }
}

/* Declare all GPUs lost after a fault of one: the process cannot use CUDA again.  */
static gpueig_status
lose_devices (gpueig_context *ctx, const share *lost)
{
  const gpueig_status status = ge_device_lost (ctx, "%.140s on GPU %d",
                                               lost->ctx->fault, lost->device);
  spread_fault (ctx);
  return status;
}

static gpueig_status
conclude (gpueig_context *ctx, const ge_solver_entry *entry,
          const ge_division *division, const crew *c, share *shares,
          gpueig_info *info)
{
  const int n = division->shares;
  for (int i = 0; i < n; i++)
    if (shares[i].started && ge_device_is_lost (shares[i].ctx))
      return lose_devices (ctx, &shares[i]);
  if (c->failed >= 0)
    {
      const share *s = &shares[c->failed];
      return gpueig_fail (ctx, s->status, "%.480s (GPU %d)", s->ctx->message,
                          s->device);
    }
  gpueig_status status = GPUEIG_OK;
  for (int i = 0; i < n; i++)
    {
      ge_merge_info (entry, division->spectrum, info, &shares[i].info, i == 0);
      if (shares[i].status == GPUEIG_NO_CONVERGENCE && status == GPUEIG_OK)
        status = gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE, "%s",
                              shares[i].ctx->message);
    }
  return status;
}

/* --- the call --- */

/* Make share I of PROBLEM for CHILD, the context that will solve it.  */
static void
make_share (const ge_solver_run *run, const ge_problem *whole,
            const ge_division *division, int i, gpueig_context *child,
            ge_problem *share)
{
  const int64_t first = division->begin[i];
  ge_forget_share (child);
  if (division->spectrum || ! run->entry->layout->pages)
    run->entry->share (run->problem, division, i, child, share->data.bytes);
  else
    {
      ge_view_pages (whole, first, division->begin[i + 1] - first, share);
      ge_enter (child, share);
    }
}

static gpueig_status
prepare_shares (gpueig_context *ctx, const ge_solver_run *run,
                const ge_division *division, const int *devices, crew *c,
                share *shares)
{
  const int n = division->shares;
  const int threads = ge_threads () / n;
  ge_problem whole;
  if (run->entry->layout->pages)
    ge_make_problem (ctx, run->entry->layout, run->problem, GE_HOST, &whole);
  for (int i = 0; i < n; i++)
    {
      share *s = &shares[i];
      GE_TRY (open_child (ctx, devices[i]));
      *s = (share){ .crew = c,
                    .ctx = ctx->child[devices[i]],
                    .run = *run,
                    .number = i,
                    .device = devices[i],
                    .threads = threads > 1 ? threads : 1,
                    .options = *run->options };
      s->options.device = devices[i];
      s->options.n_devices = 0;
      s->run.options = &s->options;
      s->run.problem = s->problem.data.bytes;
      s->run.solved = run->solved && ! division->spectrum
                          ? run->solved + division->begin[i]
                          : NULL;
      make_share (run, &whole, division, i, s->ctx, &s->problem);
    }
  return GPUEIG_OK;
}

static gpueig_status
start_share (gpueig_context *ctx, share *s, int n)
{
  crew *c = s->crew;
  begin_share (ctx, s, n);
  pthread_mutex_lock (&c->lock);
  s->started = pthread_create (&s->thread, NULL, run_share, s) == 0;
  c->running += s->started;
  c->stop |= ! s->started;
  pthread_mutex_unlock (&c->lock);
  return s->started
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                            "a thread for GPU %d cannot be started", s->device);
}

gpueig_status
ge_run_shares (gpueig_context *ctx, const ge_solver_run *run,
               const ge_division *division, const int *devices,
               gpueig_info *info)
{
  const int n = division->shares;
  crew c = { .failed = -1 };
  share *shares;
  c.last = &c.lines;
  /* Checks of arrays allocate some bytes before every call.  */
  ge_trim_space (ctx, GE_DEVICE, (size_t) 1 << 20);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &shares));
  GE_TRY (prepare_shares (ctx, run, division, devices, &c, shares));
  pthread_mutex_init (&c.lock, NULL);
  pthread_cond_init (&c.changed, NULL);
  gpueig_status started = GPUEIG_OK;
  for (int i = 0; i < n && started == GPUEIG_OK; i++)
    started = start_share (ctx, &shares[i], n);
  gpueig_status status = wait_for_shares (ctx, &c);
  for (int i = 0; i < n; i++)
    if (shares[i].started)
      {
        pthread_join (shares[i].thread, NULL);
        end_share (ctx, &shares[i]);
      }
  pthread_cond_destroy (&c.changed);
  pthread_mutex_destroy (&c.lock);
  const gpueig_status outcome
      = conclude (ctx, run->entry, division, &c, shares, info);
  if (ge_device_is_lost (ctx))
    return outcome;
  if (status == GPUEIG_OK)
    status = started;
  return status == GPUEIG_OK ? outcome
                             : gpueig_fail (ctx, status, "%s",
                                            status == GPUEIG_INTERRUPTED
                                                ? "interrupted by the user"
                                                : "a thread for a GPU cannot "
                                                  "be started");
}
