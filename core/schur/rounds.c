/* The order of a Schur form in memory of a GPU, see reorder.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   R. Granat, B. Kagstrom, D. Kressner, Parallel eigenvalue reordering in real Schur forms,
   Concurrency Computat.: Pract. Exper. 21 (2009): several groups move up behind each
   other, in windows that are disjoint.  In a round one window of each group is exchanged,
   on the host, and then all their exchanges are applied.  */

#include "schur/reorder.h"

#include <string.h>

/* A group that moves to row TOP; the last of its rows is before row END.  */
typedef struct
{
  int64_t top, end;
  int count;
} group;

typedef struct
{
  gpueig_context *ctx;
  const ge_reorder_job *job;
  const ge_reorder_device *device;
  group group[GE_REORDER_PLACES]; /* on their way, from the top down */
  int groups;
  char *space; /* for each window */
  /* the round */
  ge_reorder_place at[GE_REORDER_PLACES];
  int of[GE_REORDER_PLACES]; /* the group of each window */
  int moved[GE_REORDER_PLACES], failed[GE_REORDER_PLACES];
  int windows;
} rounds;

/* A window of every group that has one behind those of the groups above.  */
static void
choose_windows (rounds *r)
{
  int64_t limit = 0;
  r->windows = 0;
  for (int i = 0; i < r->groups; i++)
    {
      const group *g = &r->group[i];
      const int64_t first
          = ge_reorder_first (g->top, g->end, r->device->width, r->job->block);
      if (first >= limit)
        {
          r->of[r->windows] = i;
          r->at[r->windows++]
              = (ge_reorder_place){ first, (int) (g->end - first) };
        }
      limit = g->end;
    }
}

static void
exchange (void *data, int64_t k, int thread)
{
  rounds *r = data;
  const ge_reorder_job *job = r->job;
  const gpueig_type type = job->form->type;
  const size_t size = gpueig_scalar_size (type);
  const int64_t square = (int64_t) r->device->width * r->device->width;
  const ge_reorder_place *at = &r->at[k];
  int select[GE_REORDER_WINDOW];
  (void) thread;
  r->moved[k] = ge_reorder_select (at->width, job->moves + at->first, select);
  r->failed[k] = GE_BY_TYPE (
      type, ge_reorder_exchange,
      (at->width, select, ge_page (r->device->blocks, k, square, size),
       ge_page (r->device->q, k, square, size),
       ge_page (r->space, k, GE_REORDER_SPACE, size), job->block + at->first));
  if (! r->failed[k])
    ge_reorder_moved (at->width, job->rank + at->first, job->moves + at->first);
}

/* One round; groups that have arrived leave the list.  */
static gpueig_status
move_groups (rounds *r)
{
  const ge_reorder_device *d = r->device;
  int left = 0;
  choose_windows (r);
  GE_TRY (d->fetch (d->data, r->windows, r->at));
  GE_TRY (ge_run_pieces (r->ctx, r->windows, 1, exchange, r));
  for (int k = 0; k < r->windows; k++)
    if (r->failed[k])
      return gpueig_fail (r->ctx, GPUEIG_SOLVER_FAILED,
                          "two eigenvalues are too close to be exchanged");
  GE_TRY (d->apply (d->data, r->windows, r->at));
  for (int k = 0; k < r->windows; k++)
    r->group[r->of[k]].end = r->at[k].first + r->moved[k];
  for (int i = 0; i < r->groups; i++)
    {
      const group *g = &r->group[i];
      if (g->end == g->top + g->count)
        memset (r->job->moves + g->top, 0, (size_t) g->count);
      else
        r->group[left++] = *g;
    }
  r->groups = left;
  return GPUEIG_OK;
}

/* Move all rows of rank WANTED, the largest from row *TOP on, there; *TOP becomes the row
   behind them.  */
static gpueig_status
move_rank (rounds *r, int64_t wanted, int64_t *top)
{
  const ge_reorder_job *job = r->job;
  const int64_t n = job->form->n;
  int64_t next = *top, end = 0;
  do
    {
      while (r->groups < GE_REORDER_PLACES)
        {
          const int count
              = ge_reorder_choose (n, next, wanted, r->device->width / 2,
                                   job->rank, job->block, job->moves, &end);
          if (count == 0)
            break;
          r->group[r->groups++] = (group){ *top, end, count };
          *top += count;
          next = end;
        }
      if (r->groups > 0)
        GE_TRY (move_groups (r));
    }
  while (r->groups > 0);
  return GPUEIG_OK;
}

gpueig_status
ge_reorder_rounds (gpueig_context *ctx, const ge_reorder_job *job,
                   const ge_reorder_device *device)
{
  rounds r = { .ctx = ctx, .job = job, .device = device };
  const int64_t n = job->form->n;
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc (ctx, GE_HOST,
                    (int64_t) GE_REORDER_PLACES * GE_REORDER_SPACE,
                    gpueig_scalar_size (job->form->type), (void **) &r.space));
  memset (job->moves, 0, (size_t) n);
  for (int64_t top = 0; top < n;)
    {
      int64_t wanted = job->rank[top];
      for (int64_t i = top; i < n; i++)
        wanted = job->rank[i] > wanted ? job->rank[i] : wanted;
      while (top < n && job->rank[top] == wanted)
        top++;
      GE_TRY (move_rank (&r, wanted, &top));
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
