/* The order of a Schur form, window by window, see reorder.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   R. Granat, B. Kagstrom, D. Kressner, Parallel eigenvalue reordering in real Schur forms,
   Concurrency Computat.: Pract. Exper. 21 (2009): several groups move up behind each
   other, in windows that are disjoint.  In a round one window of each group is exchanged,
   on the host, and then all their exchanges are applied.  */

#include "schur/reorder.h"

#include <string.h>

/* --- the rows that move --- */

/* Mark up to GROUP rows of rank WANTED from row TOP on in MOVES; returns how many, and in
   *END the row behind the last of them.  */
static int
choose (int64_t n, int64_t top, int64_t wanted, int group, const int64_t *rank,
        const unsigned char *block, unsigned char *moves, int64_t *end)
{
  int count = 0;
  for (int64_t i = top; i < n && count < group; i++)
    if (rank[i] == wanted)
      {
        const int rows = 1 + block[i];
        memset (moves + i, 1, (size_t) rows);
        count += rows;
        i += rows - 1;
        *end = i + 1;
      }
  return count;
}

/* The first row of a window of up to WIDTH rows before row END, from row TOP on.  */
static int64_t
first_row (int64_t top, int64_t end, int width, const unsigned char *block)
{
  const int64_t first = end - top > width ? end - width : top;
  return first > top && block[first - 1] ? first + 1 : first;
}

/* SELECT, one int per row of a window, from MOVES; returns how many.  */
static int
select_rows (int width, const unsigned char *moves, int *select)
{
  int count = 0;
  for (int i = 0; i < width; i++)
    {
      select[i] = moves[i];
      count += select[i];
    }
  return count;
}

/* Update RANK and MOVES of a window after the exchange of rows.  */
static void
follow (int width, int64_t *rank, unsigned char *moves)
{
  int64_t sorted[GE_REORDER_WINDOW] = { 0 };
  int count = 0, moved = 0;
  for (int pass = 1; pass >= 0; pass--)
    for (int i = 0; i < width; i++)
      if (moves[i] == pass)
        {
          sorted[count++] = rank[i];
          moved += pass;
        }
  memcpy (rank, sorted, (size_t) width * sizeof *rank);
  memset (moves, 1, (size_t) moved);
  memset (moves + moved, 0, (size_t) (width - moved));
}

/* --- rounds --- */

/* A group that moves to row TOP; the last of its rows is before row END.  */
typedef struct
{
  int64_t top, end;
  int count;
} group;

typedef struct
{
  gpueig_context *ctx; /* NULL: one thread, no messages */
  const ge_reorder_job *job;
  const ge_reorder_device *device;
  group
      group[GE_REORDER_PLACES]; /* groups that are moving, from the top down */
  int groups;
  char *space; /* for each window */
  /* the round */
  ge_reorder_place at[GE_REORDER_PLACES];
  int of[GE_REORDER_PLACES]; /* the group of each window */
  int moved[GE_REORDER_PLACES], failed[GE_REORDER_PLACES];
  int windows;
} rounds;

/* Choose a window for every group that has room for one behind the windows of the groups
   above.  */
static void
choose_windows (rounds *r)
{
  int64_t limit = 0;
  r->windows = 0;
  for (int i = 0; i < r->groups; i++)
    {
      const group *g = &r->group[i];
      const int64_t first
          = first_row (g->top, g->end, r->device->width, r->job->block);
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
exchange_window (void *data, int64_t k, int thread)
{
  rounds *r = data;
  const ge_reorder_job *job = r->job;
  const gpueig_type type = job->form->type;
  const size_t size = gpueig_scalar_size (type);
  const int64_t square = (int64_t) r->device->width * r->device->width;
  const ge_reorder_place *at = &r->at[k];
  int select[GE_REORDER_WINDOW];
  (void) thread;
  r->moved[k] = select_rows (at->width, job->moves + at->first, select);
  r->failed[k] = GE_BY_TYPE (
      type, ge_reorder_exchange,
      (at->width, select, ge_page (r->device->blocks, k, square, size),
       ge_page (r->device->q, k, square, size),
       ge_page (r->space, r->ctx ? k : 0, GE_REORDER_SPACE, size),
       job->block + at->first));
  if (! r->failed[k])
    follow (at->width, job->rank + at->first, job->moves + at->first);
}

/* One round; groups that have arrived leave the list.  */
static gpueig_status
move_groups (rounds *r)
{
  const ge_reorder_device *d = r->device;
  int left = 0;
  if (r->ctx)
    GE_TRY (ge_check_interrupt (r->ctx));
  choose_windows (r);
  GE_TRY (d->fetch (d->data, r->windows, r->at));
  if (r->ctx)
    GE_TRY (ge_run_pieces (r->ctx, r->windows, GE_MANY_OPERATIONS,
                           exchange_window, r));
  for (int k = 0; k < r->windows && ! r->ctx; k++)
    exchange_window (r, k, 0);
  for (int k = 0; k < r->windows; k++)
    if (r->failed[k])
      return r->ctx
                 ? gpueig_fail (r->ctx, GPUEIG_SOLVER_FAILED,
                                "two eigenvalues are too close to be exchanged")
                 : GPUEIG_SOLVER_FAILED;
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
  const int half = r->device->width / 2;
  const int most = half < GE_REORDER_GROUP ? half : GE_REORDER_GROUP;
  int64_t next = *top, end = 0;
  do
    {
      while (r->groups < GE_REORDER_PLACES)
        {
          const int count = choose (n, next, wanted, most, job->rank,
                                    job->block, job->moves, &end);
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
  const int mark = ctx ? ge_mark (ctx) : 0;
  double _Complex alone[GE_REORDER_SPACE];
  r.space = (char *) alone;
  if (ctx)
    GE_TRY (
        ge_alloc (ctx, GE_HOST, (int64_t) GE_REORDER_PLACES * GE_REORDER_SPACE,
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
  if (ctx)
    ge_release (ctx, mark);
  return GPUEIG_OK;
}
