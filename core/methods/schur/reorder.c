/* gpueig_ordschur: the order of the eigenvalues of Schur forms, see reorder.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/reorder.h"
#include "base/scale_general.h"
#include "run/solvers.h"

#include <stdio.h>
#include <string.h>

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

gpueig_status
ge_check_region (gpueig_context *ctx, gpueig_schur_order order)
{
  return (unsigned) order <= GPUEIG_SCHUR_UDO
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_BAD_OPTION, "unknown region %d",
                            (int) order);
}

/* Both rows of a block get the larger of their ranks.  */
static void
join_blocks (int64_t n, const unsigned char *block, int64_t *rank)
{
  for (int64_t i = 0; i + 1 < n; i++)
    if (block[i])
      rank[i] = rank[i + 1] = rank[i] > rank[i + 1] ? rank[i] : rank[i + 1];
}

/* RANK and BLOCK of page P, whose form is S.  */
static void
find_ranks (const gpueig_ordschur_problem *g, int64_t p, const void *s,
            int64_t *rank, unsigned char *block)
{
  const int64_t n = g->n;
  if (g->rank)
    memcpy (rank, g->rank + n * p, (size_t) n * sizeof *rank);
  else
    GE_BY_TYPE (g->type, ge_schur_ranks, (n, s, g->order, rank));
  GE_BY_TYPE (g->type, ge_schur_blocks, (n, s, block));
  join_blocks (n, block, rank);
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
  find_ranks (g, p, s, rank, block);
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

/* --- on a GPU --- */

/* Page P of G by a solver of Schur forms with a job.  */
static gpueig_status
reorder_there (gpueig_context *ctx, const gpueig_ordschur_problem *g, int64_t p,
               const gpueig_options *options, gpueig_info *info)
{
  const int64_t n = g->n, square = n * n;
  const size_t size = gpueig_scalar_size (g->type);
  gpueig_ordschur_problem form = *g;
  unsigned char state = 0;
  ge_reorder_job job = { .form = &form, .rounds = ge_reorder_rounds };
  form.pages = 1;
  form.s = ge_page (g->s, p, square, size);
  form.u = ge_page (g->u, p, square, size);
  form.rank = g->rank ? g->rank + n * p : NULL;
  form.s_sorted = ge_page (g->s_sorted, p, square, size);
  form.u_sorted = ge_page (g->u_sorted, p, square, size);
  job.from = form.s;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &job.rank));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &job.block));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &job.moves));
  find_ranks (&form, 0, form.s, job.rank, job.block);
  const int exponent = GE_BY_TYPE (g->type, ge_reorder_exponent, (n, form.s));
  if (exponent)
    {
      void *scaled;
      GE_TRY (ge_alloc (ctx, GE_HOST, square, size, &scaled));
      memcpy (scaled, form.s, (size_t) square * size);
      GE_BY_TYPE (g->type, ge_page_scaled, (n, scaled, exponent, scaled));
      GE_BY_TYPE (g->type, ge_schur_blocks, (n, scaled, job.block));
      job.from = scaled;
    }
  const ge_schur_problem problem = { .schur = { .type = g->type,
                                                .n = n,
                                                .pages = 1,
                                                .a = job.from,
                                                .s = form.s_sorted,
                                                .u = form.u_sorted },
                                     .state = &state,
                                     .from_u = form.u_sorted ? form.u : NULL,
                                     .job = &job };
  GE_TRY (ge_run (ctx, GE_SCHUR, GE_AUTO, &problem, options, info));
  if (exponent && strcmp (info->backend, "cuda") == 0)
    GE_BY_TYPE (g->type, ge_schur_scaled,
                (n, -exponent, form.s_sorted, form.u_sorted));
  return GPUEIG_OK;
}

gpueig_status
ge_reorder_somewhere (gpueig_context *ctx, const gpueig_ordschur_problem *g,
                      const gpueig_options *options, gpueig_info *info)
{
  double seconds = 0;
  const int mark = ge_mark (ctx);
  if (options->backend == GPUEIG_CPU
      || (options->backend == GPUEIG_AUTO && ! ge_reorders_on_gpu (g->n)))
    return ge_reorder_pages (ctx, g);
  for (int64_t p = 0; p < g->pages; p++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (reorder_there (ctx, g, p, options, info));
      ge_release (ctx, mark);
      seconds += info->time_solve;
    }
  info->time_solve = seconds;
  ge_info_method (info, "auto");
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
  GE_TRY (ge_check_general (ctx, &form));
  GE_TRY (ge_check_region (ctx, g->order));
  snprintf (info->backend, sizeof info->backend, "cpu");
  if (g->n == 0 || g->pages == 0)
    return GPUEIG_OK;
  if (g->u_sorted && ! g->u)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "u is NULL");
  if (g->u)
    GE_TRY (gpueig_check_finite (ctx, g->type, g->u, g->n, g->pages,
                                 GPUEIG_HOST, "U"));
  GE_TRY (check_form (ctx, g));
  if (options->backend == GPUEIG_MPI)
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "the backend \"mpi\" does not have this solver");
  const double start = ge_now ();
  const gpueig_status status = ge_reorder_somewhere (ctx, g, options, info);
  if (strcmp (info->backend, "cpu") == 0)
    info->time_solve = ge_now () - start;
  return status;
}

static int
reorder_arguments (const void *problem, ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_ordschur_problem *g = problem;
  const size_t size = gpueig_scalar_size (g->type);
  const int64_t count = ge_argument_count (g->n, g->n, g->pages);
  argument[0] = GE_IN (g, s, count, size);
  argument[1] = GE_IN (g, u, count, size);
  argument[2] = GE_OUT (g, s_sorted, count, size);
  argument[3] = GE_OUT (g, u_sorted, count, size);
  return 4;
}

static const ge_layout layout
    = GE_LAYOUT (gpueig_ordschur_problem, , reorder_arguments);

GE_PUBLIC (gpueig_ordschur, gpueig_ordschur_problem, &layout, ordschur,
           GE_SCHUR, ge_always_on_host)
