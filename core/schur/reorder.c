/* gpueig_ordschur: the order of the eigenvalues of Schur forms, see reorder.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/run.h"
#include "schur/reorder.h"

#include <stdio.h>
#include <string.h>

/* --- the rows that move --- */

/* Mark up to GE_REORDER_GROUP rows of rank WANTED from row TOP on in MOVES; returns how
   many, and in *END the row behind the last of them.  */
static int
choose_group (int64_t n, int64_t top, int64_t wanted, const int64_t *rank,
              const unsigned char *block, unsigned char *moves, int64_t *end)
{
  int count = 0;
  for (int64_t i = top; i < n && count < GE_REORDER_GROUP; i++)
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

/* RANK, BLOCK and MOVES of a window after its rows were exchanged.  */
static void
sort_rows (int width, int64_t *rank, unsigned char *moves)
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

/* Move the marked rows, the last of which ends at END, to row TOP.  */
static int
move_group (int64_t top, int64_t end, int64_t *rank, unsigned char *block,
            unsigned char *moves, ge_reorder_window *window, void *data)
{
  for (;;)
    {
      int select[GE_REORDER_WINDOW], count = 0;
      int64_t first
          = end - top > GE_REORDER_WINDOW ? end - GE_REORDER_WINDOW : top;
      if (first > top && block[first - 1])
        first++;
      const int width = (int) (end - first);
      for (int i = 0; i < width; i++)
        {
          select[i] = moves[first + i];
          count += select[i];
        }
      const int result = window (data, first, width, select, block + first);
      if (result)
        return result;
      sort_rows (width, rank + first, moves + first);
      if (first == top)
        return 0;
      end = first + count;
    }
}

int
ge_reorder (int64_t n, int64_t *rank, unsigned char *block,
            unsigned char *moves, ge_reorder_window *window, void *data)
{
  memset (moves, 0, (size_t) n);
  for (int64_t top = 0; top < n;)
    {
      int64_t wanted = rank[top], end = 0;
      for (int64_t i = top; i < n; i++)
        wanted = rank[i] > wanted ? rank[i] : wanted;
      while (top < n && rank[top] == wanted)
        top++;
      const int count = choose_group (n, top, wanted, rank, block, moves, &end);
      if (count == 0)
        continue;
      const int result
          = move_group (top, end, rank, block, moves, window, data);
      if (result)
        return result;
      memset (moves + top, 0, (size_t) count);
      top += count;
    }
  return 0;
}

/* --- pages --- */

typedef struct
{
  gpueig_context *ctx; /* NULL if several threads solve pages */
  const gpueig_ordschur_problem *problem;
  int64_t *rank;                /* n per page */
  unsigned char *block, *moves; /* n per thread */
  char *space;
  size_t bytes; /* of SPACE per thread */
} reorder_work;

/* Both rows of a block get the larger of their ranks.  */
static void
join_blocks (int64_t n, const unsigned char *block, int64_t *rank)
{
  for (int64_t i = 0; i + 1 < n; i++)
    if (block[i])
      rank[i] = rank[i + 1] = rank[i] > rank[i + 1] ? rank[i] : rank[i + 1];
}

static int
reorder_page (void *data, int64_t p, int thread)
{
  const reorder_work *w = data;
  const gpueig_ordschur_problem *g = w->problem;
  const int64_t n = g->n, square = n * n;
  const size_t size = gpueig_scalar_size (g->type);
  void *s = ge_page (g->s_sorted, p, square, size);
  void *u = ge_page (g->u_sorted, p, square, size);
  int64_t *rank = w->rank + n * p;
  unsigned char *block = w->block + n * thread;
  const void *from = ge_page (g->s, p, square, size);
  if (s != from)
    memcpy (s, from, (size_t) square * size);
  if (u && g->u_sorted != g->u)
    memcpy (u, ge_page (g->u, p, square, size), (size_t) square * size);
  if (g->rank)
    memcpy (rank, g->rank + n * p, (size_t) n * sizeof *rank);
  else
    GE_BY_TYPE (g->type, ge_schur_ranks, (n, s, g->order, rank));
  GE_BY_TYPE (g->type, ge_schur_blocks, (n, s, block));
  join_blocks (n, block, rank);
  return GE_BY_TYPE (g->type, ge_reorder_page,
                     (w->ctx, n, s, u, rank, block, w->moves + n * thread,
                      w->space + (size_t) thread * w->bytes));
}

gpueig_status
ge_reorder_pages (gpueig_context *ctx, const gpueig_ordschur_problem *g)
{
  const int threads = ge_page_threads (g->n, g->pages);
  const int mark = ge_mark (ctx);
  reorder_work work = { .ctx = threads == 1 ? ctx : NULL, .problem = g };
  int64_t count;
  int failed = 0;
  if (g->n > INT32_MAX)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "an order of %lld is more than LAPACK's %d",
                        (long long) g->n, INT32_MAX);
  work.bytes = (size_t) GE_BY_TYPE (g->type, ge_reorder_space, (g->n))
               * gpueig_scalar_size (g->type);
  GE_TRY (ge_multiply (ctx, g->n, g->pages, &count));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &work.rank));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->n * threads, &work.block));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->n * threads, &work.moves));
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, work.bytes, (void **) &work.space));
  GE_TRY (ge_for_pages (ctx, g->n, g->pages, threads, reorder_page, &work,
                        &failed));
  ge_release (ctx, mark);
  if (failed == GE_REORDER_INTERRUPTED)
    return GPUEIG_INTERRUPTED;
  if (failed)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "two eigenvalues are too close to be exchanged");
  return GPUEIG_OK;
}

/* --- public function --- */

static gpueig_status
check_form (gpueig_context *ctx, const gpueig_ordschur_problem *g)
{
  const int64_t n = g->n;
  for (int64_t p = 0; p < g->pages; p++)
    {
      const int64_t at = GE_BY_TYPE (
          g->type, ge_schur_misplaced,
          (n, ge_page (g->s, p, n * n, gpueig_scalar_size (g->type))));
      if (at >= 0)
        return gpueig_fail (
            ctx, GPUEIG_BAD_ARGUMENT,
            "S must be a Schur form, as from gpu_schur, but element (%lld, "
            "%lld) of page %lld does not fit",
            (long long) (at % n) + 1, (long long) (at / n) + 1,
            (long long) p + 1);
    }
  return GPUEIG_OK;
}

static gpueig_status
ordschur (gpueig_context *ctx, const void *problem,
          const gpueig_options *options, gpueig_info *info)
{
  const gpueig_ordschur_problem *g = problem;
  const gpueig_general form = { .type = g->type,
                                .n = g->n,
                                .pages = g->pages,
                                .a = g->s,
                                .lambda = g->s_sorted };
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_SCHUR, options, &method));
  if (ctx->on_device)
    return ge_need_host (ctx);
  GE_TRY (ge_check_general (ctx, &form));
  snprintf (info->backend, sizeof info->backend, "cpu");
  if (g->n == 0 || g->pages == 0)
    return GPUEIG_OK;
  if (g->u_sorted && ! g->u)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "u is NULL");
  if (g->u)
    GE_TRY (gpueig_check_finite (ctx, g->type, g->u, g->n, g->pages,
                                 GPUEIG_HOST, "U"));
  GE_TRY (check_form (ctx, g));
  if (options->backend == GPUEIG_CUDA || options->backend == GPUEIG_MPI)
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "the order of a Schur form is changed on the CPU");
  const double start = ge_now ();
  const gpueig_status status = ge_reorder_pages (ctx, g);
  info->time_solve = ge_now () - start;
  return status;
}

static int
parts (const void *problem, ge_part part[GE_PARTS])
{
  const gpueig_ordschur_problem *g = problem;
  const size_t size = gpueig_scalar_size (g->type);
  const int64_t count = ge_part_count (g->n, g->n, g->pages);
  part[0] = (ge_part){ offsetof (gpueig_ordschur_problem, s), count, size,
                       GE_PART_INPUT, 0 };
  part[1] = (ge_part){ offsetof (gpueig_ordschur_problem, u), count, size,
                       GE_PART_INPUT, 0 };
  part[2] = (ge_part){ offsetof (gpueig_ordschur_problem, s_sorted), count,
                       size, GE_PART_OUTPUT, 0 };
  part[3] = (ge_part){ offsetof (gpueig_ordschur_problem, u_sorted), count,
                       size, GE_PART_OUTPUT, 0 };
  return 4;
}

gpueig_status
gpueig_ordschur (gpueig_context *ctx, const gpueig_ordschur_problem *problem,
                 const gpueig_options *options, gpueig_info *info)
{
  static const ge_placed placed
      = { sizeof *problem, offsetof (gpueig_ordschur_problem, place), parts,
          ordschur };
  ge_call call;
  ge_begin (&call, ctx, &options, &info);
  return ge_end (&call, ge_solve_placed (ctx, &placed, problem, options, info));
}
