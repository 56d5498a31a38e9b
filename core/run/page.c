/* One page that is run detachably; pages by LAPACK and a solver of our own.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"

#include <string.h>

gpueig_status
ge_run_page (gpueig_context *ctx, const ge_page_kind *kind, void *job,
             int64_t bytes)
{
  ge_argument argument[GE_ARGUMENTS];
  const int count = kind->arguments (job, argument),
            copies = ge_can_interrupt (ctx);
  size_t length[GE_ARGUMENTS] = { 0 };
  int64_t total = bytes + 64 * (GE_ARGUMENTS + 1) + (int64_t) kind->size;
  char *copy, *at;
  for (int i = 0; i < count; i++)
    if (ge_pointer_at (job, argument[i].offset))
      total += (int64_t) (length[i]
                          = (size_t) argument[i].count * argument[i].size);
  GE_TRY (ge_alloc_job (ctx, (size_t) (copies ? total : bytes), (void **) &at));
  copy = copies ? memcpy (at, job, kind->size) : job;
  if (copies)
    ge_take (&at, 1, kind->size);
  for (int i = 0; copies && i < count; i++)
    if (length[i])
      {
        char *const to = ge_take (&at, (int64_t) length[i], 1);
        if (argument[i].kind == GE_INPUT)
          memcpy (to, ge_pointer_at (job, argument[i].offset), length[i]);
        ge_set_pointer (copy, argument[i].offset, to);
      }
  ge_set_pointer (copy, kind->space, at);
  if (! copies)
    {
      kind->work (job);
      ge_aligned_free (at);
      return GPUEIG_OK;
    }
  GE_TRY (ge_run_detachable (ctx, kind->work, ge_aligned_free, copy));
  for (int i = 0; i < count; i++)
    {
      void *const to = ge_pointer_at (job, argument[i].offset);
      if (argument[i].kind == GE_OUTPUT && length[i])
        memcpy (to, ge_pointer_at (copy, argument[i].offset), length[i]);
      ge_set_pointer (copy, argument[i].offset, to);
    }
  memcpy (job, copy, kind->size);
  ge_aligned_free (copy);
  return GPUEIG_OK;
}

/* --- pages by two solvers --- */

/* Any problem of one page.  */
typedef union
{
  gpueig_general general;
  char bytes[GE_PROBLEM_BYTES];
} any_page;

/* One large page; THREADS: of a new team.  */
typedef struct
{
  any_page problem;
  const ge_page_solvers *solvers;
  ge_team team;
  int own, threads, result;
  int64_t count;
  char *space;
} page_job;

static void
run_job (void *data)
{
  page_job *j = data;
  if (j->threads)
    j->team = ge_new_team (j->threads);
  j->result = j->solvers->call (&j->problem, j->own ? &j->team : NULL, j->space,
                                j->count);
  if (j->threads)
    ge_end_team (&j->team);
}

gpueig_status
ge_solve_page (const ge_page_place *at, const void *one, int *failed)
{
  const ge_page_loop *loop = at->loop;
  const ge_page_solvers *solvers = loop->solvers;
  const ge_page_kind kind = { sizeof (page_job), offsetof (page_job, space),
                              solvers->layout->arguments, run_job };
  page_job job = { .solvers = solvers, .own = loop->own };
  const int threads = loop->own ? ge_threads () : 0;
  int64_t bytes;
  if (! at->ctx)
    {
      *failed = solvers->call (one, loop->own ? &at->team : NULL, at->space,
                               loop->count);
      return GPUEIG_OK;
    }
  memcpy (&job.problem, one, solvers->layout->size);
  if (ge_can_interrupt (at->ctx))
    job.threads = threads;
  else
    job.team = ge_team_of (at->ctx, threads);
  GE_TRY (solvers->scratch (at->ctx, one, threads, &bytes, &job.count));
  /* Not memory of the workspace, which keeps its blocks.  */
  GE_TRY (ge_run_page (at->ctx, &kind, &job, bytes));
  *failed = job.result;
  return GPUEIG_OK;
}

gpueig_status
ge_solved_pages (gpueig_context *ctx, int failed, const char *name)
{
  if (failed == GE_WRONG_RESULT)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "the result of the %s iteration is wrong", name);
  if (failed)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "LAPACK's %s iteration failed with info %d", name,
                        failed);
  return GPUEIG_OK;
}

/* Step I at AT.  */
static gpueig_status
take_step (const ge_page_place *at, int64_t i, int *failed)
{
  const ge_page_loop *loop = at->loop;
  const int64_t p = loop->list ? loop->list[i] : i;
  any_page one;
  ge_view_page (&loop->given, p, &one);
  GE_TRY ((loop->step ? loop->step : ge_solve_page) (at, &one, failed));
  if (loop->left)
    {
      loop->left[p] = *failed != 0;
      *failed = 0;
    }
  return GPUEIG_OK;
}

static int
side_page (void *data, int64_t i, int thread)
{
  ge_page_loop *loop = data;
  const ge_page_place at = { .loop = loop,
                             .team = loop->team,
                             .space = loop->space + thread * loop->bytes,
                             .more = loop->more + thread * loop->step_bytes };
  int failed = 1;
  return take_step (&at, i, &failed) == GPUEIG_OK ? failed : 1;
}

static gpueig_status
side_by_side (gpueig_context *ctx, ge_page_loop *loop, int64_t count,
              int *failed)
{
  const ge_page_solvers *s = loop->solvers;
  const int threads = ge_page_threads (loop->n, count),
            each = threads > 1 ? 1 : ge_threads ();
  loop->team = ge_team_of (ctx, each);
  GE_TRY (s->scratch (ctx, loop->widest, loop->own ? each : 0, &loop->bytes,
                      &loop->count));
  loop->bytes = (loop->bytes + 63) / 64 * 64;
  loop->step_bytes = (loop->step_bytes + 63) / 64 * 64;
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) loop->bytes,
                    (void **) &loop->space));
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) loop->step_bytes,
                    (void **) &loop->more));
  return ge_for_pages (ctx, loop->n, count, threads, side_page, loop, failed);
}

static gpueig_status
one_by_one (gpueig_context *ctx, ge_page_loop *loop, int64_t count, int *failed)
{
  ge_page_place at = { .loop = loop, .ctx = ctx };
  GE_TRY (ge_alloc (ctx, GE_HOST, loop->step_bytes, 1, (void **) &at.more));
  for (int64_t i = 0; i < count && ! *failed; i++)
    {
      ge_limit_blas (ctx, loop->limit);
      const gpueig_status status = take_step (&at, i, failed);
      ge_unlimit_blas (ctx, loop->limit);
      GE_TRY (status);
      ge_report_pages (ctx, "LAPACK", i + 1, count);
    }
  return GPUEIG_OK;
}

gpueig_status
ge_solve_pages (gpueig_context *ctx, ge_page_loop *loop, int64_t count,
                int *failed)
{
  const int mark = ge_mark (ctx);
  *failed = 0;
  ge_make_problem (ctx, loop->solvers->layout, loop->problem, GE_HOST,
                   &loop->given);
  GE_TRY ((loop->n < loop->detachable ? side_by_side
                                      : one_by_one) (ctx, loop, count, failed));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
