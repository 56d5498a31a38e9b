/* Definite pairs (A, B) on the CPU: reduction to standard problems, which the solvers
   for one matrix solve, and back-transformation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Small pages are reduced in parallel and then solved as one stack, large ones one after
   the other.  Pages whose reduced matrix is graded are solved last, see pair_typed.c.  */

#include "eig/pair.h"
#include "eig/symmetric.h"
#include "run/solvers.h"

#include <string.h>

/* --- graded pages --- */

void
ge_select_pairs (const gpueig_symmetric *s, const void *lambda, const void *v)
{
  const size_t real = gpueig_real_size (s->type),
               column = (size_t) s->n * gpueig_scalar_size (s->type);
  int64_t from = 0, to = s->n;
  if (s->select == GPUEIG_SELECT_INDEX)
    {
      from = s->first - 1;
      to = s->last;
    }
  else if (s->select == GPUEIG_SELECT_INTERVAL)
    {
      while (from < s->n && ! (ge_real_at (s->type, lambda, from) > s->vl))
        from++;
      to = from;
      while (to < s->n && ge_real_at (s->type, lambda, to) <= s->vu)
        to++;
    }
  if (s->select == GPUEIG_SELECT_INTERVAL)
    *s->found = to - from;
  memcpy (s->lambda, (const char *) lambda + (size_t) from * real,
          (size_t) (to - from) * real);
  if (s->v)
    memcpy (s->v, (const char *) v + (size_t) from * column,
            (size_t) (to - from) * column);
}

static void
graded_alone (const void *problem, int64_t p, void *to)
{
  gpueig_symmetric *one = to;
  *one = ge_from_page (problem, p, 1);
}

static gpueig_status
graded_scratch (gpueig_context *ctx, const void *problem, int own,
                int64_t *bytes, int64_t *count)
{
  const gpueig_symmetric *s = problem;
  (void) own;
  *count = 0;
  return GE_BY_TYPE (s->type, ge_pair_graded_size, (ctx, s->n, bytes));
}

static int
call_graded (const void *problem, const ge_team *team, void *space,
             int64_t count)
{
  const gpueig_symmetric *s = problem;
  (void) team;
  (void) count;
  return GE_BY_TYPE (s->type, ge_pair_graded,
                     (s->n, s->a, s->b, s->lambda, s->v, space));
}

static const ge_page_solvers graded_solvers
    = { sizeof (gpueig_symmetric), ge_arguments_of_symmetric, graded_alone,
        graded_scratch, call_graded };

/* All eigenpairs of a page, of which it selects some.  */
static gpueig_status
graded_step (const ge_page_place *at, const void *page, int *failed)
{
  const gpueig_symmetric *one = page;
  gpueig_symmetric all = *one;
  char *space = at->more;
  all.select = GPUEIG_SELECT_ALL;
  all.lambda = ge_take (&space, one->n, gpueig_real_size (one->type));
  all.v = one->v ? space : NULL;
  GE_TRY (ge_solve_page (at, &all, failed));
  if (! *failed)
    ge_select_pairs (one, all.lambda, all.v);
  return GPUEIG_OK;
}

static gpueig_status
solve_graded (gpueig_context *ctx, const gpueig_symmetric *s,
              const int64_t *list, int64_t count)
{
  const int64_t n = s->n,
                vectors = s->v ? n * (int64_t) gpueig_scalar_size (s->type) : 0;
  ge_page_loop loop
      = { .solvers = &graded_solvers,
          .problem = s,
          .widest = s,
          .n = n,
          .step = graded_step,
          .step_bytes
          = n * ((int64_t) gpueig_real_size (s->type) + vectors) + 64,
          .detachable = ge_syevd_in_stages (n) ? n : n + 1,
          .limit = ge_blas_limit_of (n),
          .list = list };
  int failed;
  ge_report (ctx, "ill-conditioned B: refinement");
  GE_TRY (ge_solve_pages (ctx, &loop, count, &failed));
  return failed ? gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                               "LAPACK's solvers failed with info %d", failed)
                : GPUEIG_OK;
}

/* --- small pages --- */

/* A call of the solver, and the COUNT pages that are GRADED.  */
typedef struct
{
  const gpueig_symmetric *s;
  const ge_plan *plan;
  const gpueig_options *options;
  gpueig_info *info;
  int64_t *graded, count;
} pair_call;

typedef struct
{
  const gpueig_symmetric *s;
  char *c, *l;    /* stacks of reduced matrices and of factors of B */
  int64_t *usual; /* pages that are solved as one stack */
  int *kind;      /* of every page, as from ge_pair_reduce */
} pair_stack;

static int
reduce_page (void *data, int64_t p, int thread)
{
  const pair_stack *w = data;
  const gpueig_symmetric *s = w->s;
  const int64_t square = s->n * s->n;
  const size_t size = gpueig_scalar_size (s->type);
  (void) thread;
  w->kind[p] = GE_BY_TYPE (
      s->type, ge_pair_reduce,
      (s->n, ge_page (s->a, p, square, size), ge_page (s->b, p, square, size),
       ge_page (w->c, p, square, size), ge_page (w->l, p, square, size)));
  return 0;
}

static int
back_page (void *data, int64_t k, int thread)
{
  const pair_stack *w = data;
  const gpueig_symmetric *s = w->s;
  const int64_t p = w->usual[k], columns = ge_part_columns (s);
  const size_t size = gpueig_scalar_size (s->type);
  (void) thread;
  GE_BY_TYPE (s->type, ge_pair_back,
              (s->n, 0,
               s->select == GPUEIG_SELECT_INTERVAL ? *s->found : columns,
               ge_page (w->l, p, s->n * s->n, size),
               ge_page (s->v, p, s->n * columns, size)));
  return 0;
}

static gpueig_status
solve_usual (gpueig_context *ctx, const pair_call *call, pair_stack *w,
             int64_t count, int threads)
{
  gpueig_symmetric plain = *w->s;
  ge_left_pages pages;
  int failed;
  plain.a = w->c;
  plain.b = NULL;
  plain.indefinite = NULL;
  GE_TRY (ge_take_pages (ctx, &ge_layout_symmetric, &plain, w->usual, count, 0,
                         call->info, &pages));
  GE_TRY (ge_put_pages (ctx, &pages,
                        ge_run_part (ctx, GE_EIG_SYMMETRIC, call->plan->method,
                                     call->plan->named, pages.some.data.bytes,
                                     call->options, call->info)));
  return w->s->v ? ge_for_pages (ctx, w->s->n, count, threads, back_page, w,
                                 &failed)
                 : GPUEIG_OK;
}

static gpueig_status
small_pages (gpueig_context *ctx, pair_call *call)
{
  const gpueig_symmetric *s = call->s;
  const int64_t square = s->n * s->n;
  const size_t size = gpueig_scalar_size (s->type);
  const int threads = ge_page_threads (s->n, s->pages);
  int64_t usual = 0;
  int failed;
  pair_stack w = { .s = s };
  GE_TRY (ge_alloc (ctx, GE_HOST, square * s->pages, size, (void **) &w.c));
  GE_TRY (ge_alloc (ctx, GE_HOST, square * s->pages, size, (void **) &w.l));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &w.kind));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &w.usual));
  GE_TRY (
      ge_for_pages (ctx, s->n, s->pages, threads, reduce_page, &w, &failed));
  for (int64_t p = 0; p < s->pages; p++)
    {
      s->indefinite[p] = w.kind[p] < 0 ? -w.kind[p] : 0;
      if (w.kind[p] == GE_PAIR_USUAL)
        w.usual[usual++] = p;
      else if (w.kind[p] == GE_PAIR_GRADED)
        call->graded[call->count++] = p;
    }
  return usual > 0 ? solve_usual (ctx, call, &w, usual, threads) : GPUEIG_OK;
}

/* --- large pages --- */

/* Reduction to C and L, a single call of LAPACK.  */
typedef struct
{
  gpueig_type type;
  int64_t n;
  int result;
  const void *a, *b;
  void *c, *l;
  char *space;
} pair_job;

static int
arguments_of_job (const void *job, ge_argument argument[GE_ARGUMENTS])
{
  const pair_job *j = job;
  const size_t offset[] = { offsetof (pair_job, a), offsetof (pair_job, b),
                            offsetof (pair_job, c), offsetof (pair_job, l) };
  for (int i = 0; i < 4; i++)
    argument[i]
        = (ge_argument){ offset[i], j->n * j->n, gpueig_scalar_size (j->type),
                         i < 2 ? GE_INPUT : GE_OUTPUT, 0 };
  return 4;
}

static void
run_job (void *data)
{
  pair_job *j = data;
  j->result
      = GE_BY_TYPE (j->type, ge_pair_reduce, (j->n, j->a, j->b, j->c, j->l));
}

static const ge_page_kind page_kind
    = { sizeof (pair_job), offsetof (pair_job, space), arguments_of_job,
        run_job };

typedef struct
{
  const gpueig_symmetric *s;
  const void *l;
  int64_t columns;
} back_slices;

enum
{
  SLICE = 64 /* columns of V */
};

static void
back_slice (void *data, int64_t i, int thread)
{
  const back_slices *b = data;
  const int64_t from = i * SLICE;
  const int64_t to = from + SLICE < b->columns ? from + SLICE : b->columns;
  (void) thread;
  GE_BY_TYPE (b->s->type, ge_pair_back, (b->s->n, from, to, b->l, b->s->v));
}

static gpueig_status
usual_page (gpueig_context *ctx, const gpueig_symmetric *s, const pair_job *j,
            const pair_call *call)
{
  gpueig_symmetric plain = *s;
  plain.a = j->c;
  plain.b = NULL;
  plain.indefinite = NULL;
  GE_TRY (ge_run_part (ctx, GE_EIG_SYMMETRIC, call->plan->method,
                       call->plan->named, &plain, call->options, call->info));
  back_slices back = { .s = s, .l = j->l, .columns = ge_part_columns (s) };
  if (s->select == GPUEIG_SELECT_INTERVAL)
    back.columns = *s->found;
  if (! s->v)
    return GPUEIG_OK;
  return ge_run_pieces (ctx, (back.columns + SLICE - 1) / SLICE,
                        GE_MANY_OPERATIONS, back_slice, &back);
}

static gpueig_status
large_page (gpueig_context *ctx, int64_t p, pair_call *call)
{
  gpueig_symmetric s = ge_from_page (call->s, p, 1);
  const size_t size = gpueig_scalar_size (s.type);
  pair_job j = { .type = s.type, .n = s.n, .a = s.a, .b = s.b };
  ge_report (ctx, "Cholesky factor of B");
  GE_TRY (ge_alloc (ctx, GE_HOST, s.n * s.n, size, &j.c));
  GE_TRY (ge_alloc (ctx, GE_HOST, s.n * s.n, size, &j.l));
  GE_TRY (ge_run_page (ctx, &page_kind, &j, 0));
  call->s->indefinite[p] = j.result < 0 ? -j.result : 0;
  if (j.result == GE_PAIR_GRADED)
    call->graded[call->count++] = p;
  return j.result == GE_PAIR_USUAL ? usual_page (ctx, &s, &j, call) : GPUEIG_OK;
}

static gpueig_status
large_pages (gpueig_context *ctx, pair_call *call)
{
  const ge_blas_limit limit = ge_blas_limit_of (call->s->n);
  for (int64_t p = 0; p < call->s->pages; p++)
    {
      const int mark = ge_mark (ctx);
      ge_limit_blas (ctx, limit);
      const gpueig_status status = large_page (ctx, p, call);
      ge_unlimit_blas (ctx, limit);
      GE_TRY (status);
      ge_release (ctx, mark);
      ge_report_pages (ctx, "pairs", p + 1, call->s->pages);
    }
  return GPUEIG_OK;
}

/* Zeros are the results of pages without a Cholesky factor.  */
static void
clear_indefinite (const gpueig_symmetric *s)
{
  for (int64_t p = 0; p < s->pages; p++)
    {
      const gpueig_symmetric one = ge_from_page (s, p, 1);
      const size_t columns
          = s->indefinite[p] ? (size_t) ge_part_columns (s) : 0;
      memset (one.lambda, 0, columns * gpueig_real_size (s->type));
      if (s->v)
        memset (one.v, 0,
                columns * (size_t) s->n * gpueig_scalar_size (s->type));
    }
}

gpueig_status
ge_cpu_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
              const ge_plan *plan, const gpueig_options *options,
              gpueig_info *info)
{
  pair_call call = { .s = s, .plan = plan, .options = options, .info = info };
  /* Graded pages have the same results by every method.  */
  ge_info_method (info, ge_method_name (plan->method));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &call.graded));
  const int mark = ge_mark (ctx);
  GE_TRY ((ge_syevd_in_stages (s->n) ? large_pages : small_pages) (ctx, &call));
  ge_release (ctx, mark);
  clear_indefinite (s);
  return call.count > 0 ? solve_graded (ctx, s, call.graded, call.count)
                        : GPUEIG_OK;
}
