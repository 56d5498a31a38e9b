/* A problem on one GPU, in chunks of pages.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The solver gets a chunk whose large arrays are in memory of the GPU: where an array is
   elsewhere, or the method overwrites it (ge_solver_entry, takes), they are copies.  There
   are several sets of arrays for chunks: while the solver has one of them, the results of
   the chunks before leave others, and the next chunks are copied to those that are free.
   Copies need all threads all the time, so that there is a set for every chunk where memory
   permits, else two.  Where memory is exhausted, chunks become half as large, and at last
   there is one set for one page: then GPUEIG_OUT_OF_MEMORY means that a page does not fit.

   Matrices that nobody has checked are inspected where they are: those of a chunk after
   their copy, which spares a pass over host memory.  */

#include "base/checks.h"
#include "run/devices.h"
#include "run/movers.h"
#include "run/solvers.h"
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
/* Fewer bytes are copied by the calling thread alone.  */
#define ALONE_BYTES ((double) (2 << 20))
/* The alignment in bytes of arrays on a GPU: kernels load several numbers at once.  */
#define ALIGNED 256

typedef struct
{
  ge_solver_run run;
  gpueig_context *ctx;
  gpueig_info *info;
  ge_problem problem;
  ge_shape shape;
  unsigned takes;             /* ge_takes of the method */
  int here[GE_ARGUMENTS + 1]; /* the method uses the array where it is */
  int lender;             /* the output whose memory the matrices take, or -1 */
  double moved, scratch;  /* bytes of a page: copied, scratch */
  double held;            /* and of all large arrays */
  int overlaps;           /* chunks are copied while others are solved */
  ge_check unchecked;     /* in host memory, to be inspected on the GPU */
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
  void *device[GE_ARGUMENTS + 1]; /* these arrays; NULL: not needed yet */
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
  ge_make_problem (ctx, entry->layout, problem, GE_HOST, &p);
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

/* --- chunks --- */

/* Nonzero if the method takes array I in host memory.  */
static int
is_on_host (const execution *e, int i)
{
  const ge_problem_array *x = &e->problem.array[i];
  return x->kind == GE_FLAGS || (x->small && ! (e->takes & GE_VALUES));
}

/* Nonzero if array I, whose pages of a chunk are at GIVEN, is passed as it is.  */
static int
stays (const execution *e, int i, const char *given)
{
  const ge_problem_array *x = &e->problem.array[i];
  return is_on_host (e, i)
         || (e->here[i] && (uintptr_t) given % ALIGNED == 0
             && (x->kind == GE_OUTPUT || ! (e->takes & GE_OVERWRITES)));
}

/* Let S have the chunk: its arrays on the GPU, and the copies to and from there.  */
static gpueig_status
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
      const ge_problem_array *x = &e->problem.array[i];
      char *const given = ge_array_at (&s->chunk, i);
      const int leaves = x->kind == GE_OUTPUT;
      ge_move_list *list = leaves ? &s->out : &s->in;
      void *own = s->device[i];
      if (stays (e, i, given))
        continue;
      if (e->lender >= 0 && ! leaves && i == e->lender + 1)
        own = ge_array_at (&s->chunk, e->lender);
      else if (! own)
        {
          GE_TRY (ge_alloc (e->ctx, GE_DEVICE, e->chunk, x->bytes, &own));
          s->device[i] = own;
        }
      list->move[list->count++]
          = (ge_move){ given, own, (size_t) pages * x->bytes, leaves,
                       x->space == GE_DEVICE };
      ge_set_array (&s->chunk, i, own, GE_DEVICE);
      if (leaves && x->space != GE_DEVICE)
        ge_prepare_output (given, (size_t) pages * x->bytes);
    }
  return GPUEIG_OK;
}

/* Begin the copies of LIST; without MOVERS, do them before what is queued on the GPU
   next.  */
static gpueig_status
begin_moves (execution *e, ge_movers *movers, ge_move_list *list)
{
  const ge_device_memory *memory = e->ctx->plugin->memory;
  if (movers)
    {
      ge_start_moves (movers, list);
      return GPUEIG_OK;
    }
  for (int i = 0; i < list->count; i++)
    {
      const ge_move *m = &list->move[i];
      const double start = ge_now ();
      GE_TRY (
          m->leaves
              ? memory->get (e->ctx, m->host, m->device, m->bytes, m->direct)
              : memory->put (e->ctx, m->device, m->host, m->bytes, m->direct));
      if (! m->direct)
        e->transfer += ge_now () - start;
    }
  return GPUEIG_OK;
}

static gpueig_status
end_moves (execution *e, ge_movers *movers, ge_move_list *list)
{
  if (! movers)
    return GPUEIG_OK;
  GE_TRY (ge_wait_moves (movers, list));
  e->transfer += list->end - list->start;
  return GPUEIG_OK;
}

/* Wait until the results of S are in the caller's arrays.  */
static gpueig_status
end_chunk (execution *e, ge_movers *movers, slot *s)
{
  if (s->pages == 0)
    return GPUEIG_OK;
  GE_TRY (end_moves (e, movers, &s->out));
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
  memset (slots, 0, (size_t) n * sizeof *slots);
  for (int64_t k = 0; k < count; k++)
    {
      slot *s = &slots[k % n];
      /* One of several slots has the results of the chunk before, which leave it.  */
      for (; sent < count && sent < k + n - (k > 0 && n > 1); sent++)
        {
          slot *next = &slots[sent % n];
          const int64_t first = first_of (begin, left, sent, count, small);
          GE_TRY (end_chunk (e, movers, next));
          GE_TRY (place_chunk (e, next, first,
                               first_of (begin, left, sent + 1, count, small)
                                   - first));
          GE_TRY (begin_moves (e, movers, &next->in));
        }
      GE_TRY (end_moves (e, movers, &s->in));
      GE_TRY (ge_check_interrupt (e->ctx));
      GE_TRY (inspect_chunk (e, s));
      GE_TRY (solve_chunk (e, &s->chunk));
      /* Now: when results leave, the inspection would wait for them.  */
      if (movers && k + 1 < sent
          && ge_have_moved (movers, &slots[(k + 1) % n].in))
        GE_TRY (inspect_chunk (e, &slots[(k + 1) % n]));
      GE_TRY (begin_moves (e, movers, &s->out));
    }
  for (int64_t k = count - n; k < count; k++)
    GE_TRY (end_chunk (e, movers, &slots[k % n]));
  return GPUEIG_OK;
}

/* All pages that are left, copied by threads where that is worth it.  */
static gpueig_status
solve_all (execution *e)
{
  ge_movers *movers = NULL;
  slot slots[MOST_CHUNKS + 1]; /* with lists that belong to the movers */
  const int mark = ge_mark (e->ctx);
  gpueig_status status
      = e->overlaps || e->moved * (double) e->shape.pages >= ALONE_BYTES
            ? ge_open_movers (e->ctx, &movers)
            : GPUEIG_OK;
  if (status == GPUEIG_OK)
    status = move_and_solve (e, movers, slots);
  ge_close_movers (movers);
  ge_release (e->ctx, mark);
  return status;
}

/* --- the call --- */

/* Which arrays the method uses where they are, and what a page takes.  */
static gpueig_status
weigh_arrays (execution *e)
{
  const ge_problem *p = &e->problem;
  const double n = (double) e->shape.n;
  e->moved = e->held = 0;
  e->lender = -1;
  for (int i = 0; i < p->arrays; i++)
    {
      const ge_problem_array *x = &p->array[i];
      int device = -1;
      if (is_on_host (e, i))
        continue;
      if (x->space == GE_DEVICE)
        GE_TRY (e->ctx->plugin->memory->locate (e->ctx, ge_array_at (p, i),
                                                &device));
      e->here[i] = x->space == GE_DEVICE && device == e->ctx->selected;
      if (x->space == GE_DEVICE && ! e->here[i])
        e->here[i] = e->ctx->plugin->memory->reaches (e->ctx, device)
                     && (e->takes & GE_PASSES_ONCE);
      if ((e->takes & GE_IN_PLACE) && i + 1 < p->arrays && x->kind == GE_OUTPUT
          && p->array[i + 1].kind == GE_INPUT
          && p->array[i + 1].bytes == x->bytes && ! is_on_host (e, i + 1))
        e->lender = i;
      if (e->lender >= 0 && i == e->lender + 1)
        continue;
      e->held += (double) x->bytes;
      if (! e->here[i])
        e->moved += (double) x->bytes;
    }
  e->scratch
      = fmax (e->run.entry->arrays (&e->shape, e->run.plan->method, GPUEIG_CUDA)
                      * n * n * (double) gpueig_scalar_size (e->shape.type)
                  - e->held,
              0)
        + 128 * n + 256;
  return GPUEIG_OK;
}

/* The pages of a chunk, and the slots.  */
static void
choose_chunk (execution *e)
{
  gpueig_context *ctx = e->ctx;
  const double pages = (double) e->shape.pages, n = (double) e->shape.n;
  const double moved = e->moved, scratch = e->scratch;
  const double needed = pages * (moved + scratch);
  const double small = moved > 0 ? SMALL_BYTES : SMALL_IN_PLACE;
  const double room
      = needed < small
            ? small
            : PART_OF_FREE * (double) ctx->memory[GE_DEVICE].available (ctx);
  double most
      = fmin (pages, fmax (INTERRUPT_PAGES, INTERRUPT_FLOPS / (n * n * n)));
  const int inspects = moved * pages > LEAST_BYTES;
  if (! inspects || e->problem.spaces.matrices == GE_DEVICE)
    e->unchecked = GE_CHECKED;
  if (moved > 0 && (e->unchecked || e->shape.outputs > 0 || n >= VALUES_ORDER))
    {
      const double least = fmax (LEAST_PAGES, LEAST_ROWS / n);
      const double by_bytes = floor (moved * pages / LEAST_BYTES),
                   by_rows = floor (pages / least);
      /* Copies between GPUs take little time.  */
      const double chunks
          = fmin (fmin (by_bytes, by_rows),
                  e->problem.spaces.matrices == GE_DEVICE ? 2 : MOST_CHUNKS);
      /* Both of the ends count for one; less than two chunks have a small first one.  */
      if (chunks > 1)
        most = fmin (most, ceil (pages / (chunks - 1 + 2. / END_CHUNK_PART)));
      else if (by_bytes > 1 && by_rows == 1 && pages >= 2 * LEAST_PAGES)
        most
            = fmin (most, ceil (pages * END_CHUNK_PART / (END_CHUNK_PART + 1)));
    }
  if (ctx->limit_chunk > 0)
    most = fmin (most, (double) ctx->limit_chunk);
  double fit = room / (moved + scratch);
  e->overlaps = moved > 0 && (most < pages || fit < pages);
  e->slots = e->overlaps ? MOST_CHUNKS + 1 : 1;
  if (e->overlaps
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
      const int mark = ge_mark (e->ctx);
      const gpueig_status status = solve_all (e);
      /* Work that is queued may still use memory that is about to get other arrays.  */
      if (status == GPUEIG_OUT_OF_MEMORY || status == GPUEIG_SOLVER_FAILED)
        GE_TRY (e->ctx->plugin->memory->wait (e->ctx));
      if (status != GPUEIG_OUT_OF_MEMORY || (e->chunk == 1 && e->slots == 1))
        return status;
      ge_release (e->ctx, mark);
      e->slots = e->chunk == 1 ? 1 : e->slots > 2 ? 2 : e->slots;
      e->chunk = e->chunk > 1 ? e->chunk / 2 : 1;
    }
}

gpueig_status
ge_run_chunks (gpueig_context *ctx, const ge_solver_run *run, gpueig_info *info)
{
  execution e = { .run = *run,
                  .ctx = ctx,
                  .info = info,
                  .unchecked = check_of (run->entry, run->problem) };
  run->entry->describe (run->problem, &e.shape);
  e.shape.high_accuracy = run->options->high_accuracy;
  e.takes = run->entry->takes ? run->entry->takes (&e.shape, run->plan->method)
                              : run->entry->uses;
  if ((e.takes & GE_PANELS) || ! ctx->plugin->memory)
    {
      GE_TRY (ge_check_inputs (ctx, run->entry, run->problem));
      return run->solver (ctx, run->problem, run->plan, run->options, info);
    }
  ge_make_problem (ctx, run->entry->layout, run->problem, GE_HOST, &e.problem);
  GE_TRY (weigh_arrays (&e));
  choose_chunk (&e);
  if (! e.unchecked)
    GE_TRY (ge_check_inputs (ctx, run->entry, run->problem));
  const gpueig_status status = execute (&e);
  if (run->solved && e.status == GPUEIG_OK)
    memset (run->solved, 1, (size_t) e.done);
  info->time_solve = e.solve;
  info->time_transfer = e.transfer;
  GE_TRY (status);
  if (e.status != GPUEIG_OK)
    memcpy (ctx->message, e.message, sizeof e.message);
  return e.status;
}
