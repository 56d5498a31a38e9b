/* A stack on one GPU in chunks of pages, the copies of one beside the computation of
   another.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The solver gets a chunk as a problem in memory of the GPU.  There are several sets of arrays
   for chunks: while the solver has one of them, the results of the chunks before leave others,
   and the next chunks are copied to those that are free.  Copies need all threads all the
   time, so that there is a set for every chunk where memory permits, else two.  Where memory
   is exhausted, chunks become half as large; pages one at a time go to the solver as they
   are, so that GPUEIG_OUT_OF_MEMORY means that one page does not fit.

   Matrices that nobody has checked are inspected where they are: those of a chunk after
   their copy, which spares a pass over host memory.  */

#include "base/checks.h"
#include "run/devices.h"
#include "run/movers.h"
#include "base/scale_general.h"

#include <math.h>
#include <string.h>

/* Starting copies takes about as long as copies of so many bytes; a chunk of fewer pages,
   or of fewer rows, leaves a large GPU without work.  */
#define LEAST_BYTES ((double) (16 << 20))
#define LEAST_ROWS 131072.0
#define INTERRUPT_FLOPS 1e11
enum
{
  LEAST_PAGES = 512,
  MOST_CHUNKS = 8,
  END_CHUNK_PART
  = 3, /* of the first and the last chunk are as large as another */
  /* More pages than that take at least INTERRUPT_FLOPS / n^3 pages do, about half a second:
     between chunks interrupts are polled.  */
  INTERRUPT_PAGES = 4096,
  /* Eigenvalues alone take less time than the copies of smaller pages.  */
  VALUES_ORDER = 64
};

/* The part of the free memory that chunks may take: it is in pieces.  Asking for it takes
   as long as solving a small stack: below SMALL_BYTES it is tried out, below
   SMALL_IN_PLACE where nothing is copied.  */
#define PART_OF_FREE 0.8
#define SMALL_BYTES ((double) (256 << 20))
#define SMALL_IN_PLACE ((double) ((int64_t) 4 << 30))

typedef struct
{
  ge_solver_run run;
  gpueig_context *ctx;
  gpueig_info *info;
  ge_problem problem;
  ge_shape shape;
  int moves; /* the arrays are in host memory, chunks are copied */
  ge_check unchecked;
  int64_t chunk, done;    /* pages */
  int slots;              /* sets of arrays */
  int merged;             /* INFO has the info of a chunk */
  double solve, transfer; /* seconds */
  gpueig_status status;   /* GPUEIG_OK or GPUEIG_NO_CONVERGENCE, with */
  char message[sizeof ((gpueig_context *) 0)->message];
} execution;

/* One of the sets: pages of the problem from FIRST on.  */
typedef struct
{
  ge_problem chunk;               /* with pointers to */
  void *device[GE_ARGUMENTS + 1]; /* these arrays; NULL for small ones */
  int64_t first, pages;
  ge_move_list in, out;
  int inspected;
} slot;

static gpueig_status
solve_chunk (execution *e, const ge_problem *chunk)
{
  gpueig_context *ctx = e->ctx;
  gpueig_info one;
  const int mark = ge_mark (ctx);
  ge_info_begin (&one);
  const ge_position before = ge_enter (ctx, chunk);
  const gpueig_status status = e->run.solver (
      ctx, chunk->data.bytes, e->run.plan, e->run.options, &one);
  ge_leave (ctx, before);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  ge_release (ctx, mark);
  ge_merge_info (e->run.entry, 0, e->info, &one, ! e->merged);
  e->merged = 1;
  e->solve += one.time_solve;
  e->transfer += one.time_transfer;
  if (status == GPUEIG_NO_CONVERGENCE && e->status == GPUEIG_OK)
    memcpy (e->message, ctx->message, sizeof e->message);
  if (status != GPUEIG_OK)
    e->status = status;
  return GPUEIG_OK;
}

/* --- matrices that have not been checked --- */

static gpueig_status
fail_not_symmetric (gpueig_context *ctx)
{
  return gpueig_fail (ctx, GPUEIG_NOT_SYMMETRIC,
                      "a matrix is not what its solver needs");
}

static ge_check
check_of (const ge_solver_entry *entry, const void *problem)
{
  return entry->unchecked ? entry->unchecked (problem) : GE_CHECKED;
}

/* Nonzero if array I of P has the N-by-N matrices of the solver.  */
static int
has_matrices (const ge_problem *p, int i, const ge_shape *shape)
{
  const ge_problem_array *x = &p->array[i];
  return x->kind == GE_INPUT && ! x->small
         && x->bytes
                == (size_t) (shape->n * shape->n)
                       * gpueig_scalar_size (shape->type);
}

gpueig_status
ge_check_inputs (gpueig_context *ctx, const ge_solver_entry *entry,
                 const void *problem)
{
  ge_problem p;
  ge_shape shape;
  const ge_check check = check_of (entry, problem);
  if (check == GE_CHECKED)
    return GPUEIG_OK;
  entry->describe (problem, &shape);
  ge_make_problem (ctx, entry->layout, problem,
                   ge_spaces_of (ctx, entry->layout, problem), &p);
  if (p.spaces.matrices == GE_DEVICE)
    return GPUEIG_OK;
  for (int i = 0; i < p.arrays; i++)
    if (has_matrices (&p, i, &shape)
        && ! (check == GE_CHECK_SYMMETRIC ? ge_is_symmetric : ge_are_plain) (
            ctx, shape.type, ge_array_at (&p, i), shape.n, shape.pages))
      return fail_not_symmetric (ctx);
  return GPUEIG_OK;
}

/* As ge_check_inputs, for the chunk of S on the selected GPU.  */
static gpueig_status
inspect_chunk (const execution *e, slot *s)
{
  gpueig_context *ctx = e->ctx;
  ge_page_facts *facts = NULL;
  const int mark = ge_mark (ctx);
  if (! e->unchecked || s->inspected)
    return GPUEIG_OK;
  s->inspected = 1;
  if (e->unchecked == GE_CHECK_PLAIN)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &facts));
  for (int i = 0; i < s->chunk.arrays; i++)
    {
      if (! has_matrices (&s->chunk, i, &e->shape))
        continue;
      const gpueig_status status = ctx->plugin->memory->inspect (
          ctx, e->shape.type, ge_array_at (&s->chunk, i), e->shape.n, s->pages,
          facts);
      int64_t plain = 0;
      for (int64_t p = 0; facts && status == GPUEIG_OK && p < s->pages; p++)
        plain += ge_is_plain (&facts[p]);
      if (status == GPUEIG_NOT_SYMMETRIC
          || (facts && status == GPUEIG_OK && plain < s->pages))
        return fail_not_symmetric (ctx);
      GE_TRY (status);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- chunks of data in host memory --- */

/* Arrays for the largest chunk.  */
static gpueig_status
open_slot (execution *e, slot *s)
{
  const ge_problem *p = &e->problem;
  *s = (slot){ .pages = 0 };
  for (int i = 0; i < p->arrays; i++)
    if (! p->array[i].small)
      GE_TRY (ge_alloc (e->ctx, GE_DEVICE, e->chunk, p->array[i].bytes,
                        &s->device[i]));
  return GPUEIG_OK;
}

/* Let S have the chunk: its arrays on the GPU, and the copies to and from there.  */
static void
place_chunk (execution *e, slot *s, int64_t first, int64_t pages)
{
  s->first = first;
  s->pages = pages;
  s->inspected = 0;
  s->in.count = s->out.count = 0;
  ge_view_pages (&e->problem, first, pages, &s->chunk);
  ge_set_spaces (&s->chunk, (ge_spaces){ GE_DEVICE, GE_HOST });
  for (int i = 0; i < s->chunk.arrays; i++)
    {
      if (! s->device[i])
        continue;
      const int leaves = s->chunk.array[i].kind == GE_OUTPUT;
      ge_move_list *list = leaves ? &s->out : &s->in;
      const ge_move move = { ge_array_at (&s->chunk, i), s->device[i],
                             (size_t) pages * s->chunk.array[i].bytes, leaves };
      list->move[list->count++] = move;
      ge_set_array (&s->chunk, i, s->device[i], GE_DEVICE);
      if (leaves)
        ge_prepare_output (move.host, move.bytes);
    }
}

/* Wait until the results of S are in the caller's arrays.  */
static gpueig_status
end_chunk (execution *e, ge_movers *movers, slot *s)
{
  if (s->pages == 0)
    return GPUEIG_OK;
  GE_TRY (ge_wait_moves (movers, &s->out));
  e->transfer += s->out.end - s->out.start;
  e->done = s->first + s->pages;
  s->pages = 0;
  return GPUEIG_OK;
}

/* The first page of chunk K of the LEFT pages from BEGIN on, COUNT chunks.  The first one if
   SMALL is 1, also the last one if it is 2, are END_CHUNK_PART times smaller than the others,
   since no computation runs while they are copied.  */
static int64_t
first_of (int64_t begin, int64_t left, int64_t k, int64_t count, int small)
{
  if (! small)
    return begin + left / count * k + (k < left % count ? k : left % count);
  const int64_t all = END_CHUNK_PART * (count - small) + small;
  const int64_t part = k == 0      ? 0
                       : k < count ? END_CHUNK_PART * (k - 1) + 1
                                   : all;
  return begin + (left * part + all - 1) / all;
}

/* All pages that are left.  */
static gpueig_status
move_and_solve (execution *e, ge_movers *movers, slot *slots)
{
  const int64_t begin = e->done, left = e->shape.pages - begin;
  const int64_t full = (left + e->chunk - 1) / e->chunk;
  const int64_t unequal
      = 2
        + (END_CHUNK_PART * (left + e->chunk) - 2 * e->chunk - 1)
              / (END_CHUNK_PART * e->chunk);
  const int small
      = full == 2 && (END_CHUNK_PART + 1) * e->chunk >= END_CHUNK_PART * left
            ? 1
        : full > 1 && left >= (int64_t) LEAST_PAGES * (unequal - 1) ? 2
                                                                    : 0;
  const int64_t count = small == 2 ? unequal : full;
  const int64_t n = e->slots < count ? e->slots : count;
  int64_t sent = 0;
  for (int64_t i = 0; i < n; i++)
    GE_TRY (open_slot (e, &slots[i]));
  for (int64_t k = 0; k < count; k++)
    {
      slot *s = &slots[k % n];
      /* One of the slots has the results of the chunk before, which leave it.  */
      for (; sent < count && sent < k + n - (k > 0); sent++)
        {
          slot *next = &slots[sent % n];
          const int64_t first = first_of (begin, left, sent, count, small);
          GE_TRY (end_chunk (e, movers, next));
          place_chunk (e, next, first,
                       first_of (begin, left, sent + 1, count, small) - first);
          ge_start_moves (movers, &next->in);
        }
      GE_TRY (ge_wait_moves (movers, &s->in));
      e->transfer += s->in.end - s->in.start;
      GE_TRY (ge_check_interrupt (e->ctx));
      GE_TRY (inspect_chunk (e, s));
      GE_TRY (solve_chunk (e, &s->chunk));
      /* What the inspection returns would wait for these results.  */
      if (k + 1 < sent && ge_have_moved (movers, &slots[(k + 1) % n].in))
        GE_TRY (inspect_chunk (e, &slots[(k + 1) % n]));
      ge_start_moves (movers, &s->out);
    }
  for (int64_t k = count - n; k < count; k++)
    GE_TRY (end_chunk (e, movers, &slots[k % n]));
  return GPUEIG_OK;
}

static gpueig_status
with_movers (execution *e)
{
  ge_movers *movers;
  slot slots[MOST_CHUNKS + 1]; /* with lists that belong to the movers */
  const int mark = ge_mark (e->ctx);
  gpueig_status status = ge_open_movers (e->ctx, &movers);
  if (status == GPUEIG_OK)
    status = move_and_solve (e, movers, slots);
  ge_close_movers (movers);
  ge_release (e->ctx, mark);
  return status;
}

/* --- chunks where they are --- */

/* Let this GPU reach the memory, of another one perhaps, that has the matrices.  */
static gpueig_status
reach_memory (execution *e)
{
  const ge_problem *p = &e->problem;
  int device;
  for (int i = 0; i < p->arrays; i++)
    if (p->array[i].space == GE_DEVICE)
      GE_TRY (
          e->ctx->plugin->memory->locate (e->ctx, ge_array_at (p, i), &device));
  return GPUEIG_OK;
}

static gpueig_status
in_place (execution *e)
{
  ge_problem chunk;
  GE_TRY (reach_memory (e));
  while (e->done < e->shape.pages)
    {
      const int64_t left = e->shape.pages - e->done;
      const int64_t pages = left < e->chunk ? left : e->chunk;
      GE_TRY (ge_check_interrupt (e->ctx));
      ge_view_pages (&e->problem, e->done, pages, &chunk);
      GE_TRY (solve_chunk (e, &chunk));
      e->done += pages;
    }
  return GPUEIG_OK;
}

/* --- the call --- */

/* Bytes of a page: of its large arrays, and of what the solver needs for it.  */
static void
bytes_of_page (const execution *e, double *moved, double *scratch)
{
  const ge_problem *p = &e->problem;
  const double n = (double) e->shape.n;
  *moved = 0;
  for (int i = 0; i < p->arrays; i++)
    if (! p->array[i].small)
      *moved += (double) p->array[i].bytes;
  *scratch = e->run.entry->arrays (&e->shape, e->run.plan->method, GPUEIG_CUDA)
                 * n * n * (double) gpueig_scalar_size (e->shape.type)
             + 128 * n + 256;
}

/* The pages of a chunk, and the slots; e->moves becomes 0 where copies beside the
   computation save nothing, and memory does.  */
static void
choose_chunk (execution *e)
{
  gpueig_context *ctx = e->ctx;
  double moved, scratch;
  const double pages = (double) e->shape.pages, n = (double) e->shape.n;
  bytes_of_page (e, &moved, &scratch);
  const double needed = pages * ((e->moves ? moved : 0) + scratch);
  const double small = e->moves ? SMALL_BYTES : SMALL_IN_PLACE;
  const double room
      = needed < small
            ? small
            : PART_OF_FREE * (double) ctx->memory[GE_DEVICE].available (ctx);
  double most
      = fmin (pages, fmax (INTERRUPT_PAGES, INTERRUPT_FLOPS / (n * n * n)));
  const int inspects = e->unchecked && moved * pages > LEAST_BYTES;
  if (e->moves && (inspects || e->shape.outputs > 0 || n >= VALUES_ORDER))
    {
      const double least = fmax (LEAST_PAGES, LEAST_ROWS / n);
      const double by_bytes = floor (moved * pages / LEAST_BYTES),
                   by_rows = floor (pages / least);
      const double chunks = fmin (fmin (by_bytes, by_rows), MOST_CHUNKS);
      /* Both of the ends count for one; less than two chunks have a small first one.  */
      if (chunks > 1)
        most = fmin (most, ceil (pages / (chunks - 1 + 2. / END_CHUNK_PART)));
      else if (by_bytes > 1 && by_rows == 1 && pages >= 2 * LEAST_PAGES)
        most
            = fmin (most, ceil (pages * END_CHUNK_PART / (END_CHUNK_PART + 1)));
    }
  if (ctx->limit_chunk > 0)
    most = fmin (most, (double) ctx->limit_chunk);
  e->moves = e->moves && (inspects || most < pages || pages * scratch > room);
  e->slots = MOST_CHUNKS + 1;
  double fit = room / scratch;
  if (e->moves
      && fmin (pages, MOST_CHUNKS * most) * moved + most * scratch > room)
    {
      e->slots = 2;
      fit = room / (scratch + 2 * moved);
    }
  e->chunk = (int64_t) fmax (fmin (most, fit), 1);
}

static gpueig_status
execute (execution *e)
{
  for (;;)
    {
      const int64_t chunk = e->chunk;
      const int mark = ge_mark (e->ctx);
      if (! e->moves)
        GE_TRY (ge_check_inputs (e->ctx, e->run.entry, e->run.problem));
      const gpueig_status status = e->moves ? with_movers (e) : in_place (e);
      if (status != GPUEIG_OUT_OF_MEMORY || (chunk == 1 && ! e->moves))
        return status;
      ge_release (e->ctx, mark);
      e->moves = e->moves && chunk > 1;
      e->chunk = chunk > 1 ? chunk / 2 : 1;
    }
}

gpueig_status
ge_run_chunks (gpueig_context *ctx, const ge_solver_run *run, gpueig_info *info,
               int64_t *done)
{
  execution e = { .run = *run,
                  .ctx = ctx,
                  .info = info,
                  .unchecked = check_of (run->entry, run->problem) };
  *done = 0;
  run->entry->describe (run->problem, &e.shape);
  if (! run->entry->layout->pages || e.shape.pages == 1
      || ! ctx->plugin->memory)
    {
      GE_TRY (ge_check_inputs (ctx, run->entry, run->problem));
      return run->solver (ctx, run->problem, run->plan, run->options, info);
    }
  e.shape.high_accuracy = run->options->high_accuracy;
  ge_make_problem (ctx, run->entry->layout, run->problem,
                   ge_spaces_of (ctx, run->entry->layout, run->problem),
                   &e.problem);
  e.moves = e.problem.spaces.matrices == GE_HOST;
  choose_chunk (&e);
  const gpueig_status status = execute (&e);
  *done = e.status == GPUEIG_OK ? e.done : 0;
  info->time_solve = e.solve;
  info->time_transfer = e.transfer;
  GE_TRY (status);
  if (e.status != GPUEIG_OK)
    memcpy (ctx->message, e.message, sizeof e.message);
  return e.status;
}
