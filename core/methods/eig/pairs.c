/* Definite pairs (A, B) on the CPU: reduction to standard problems, which the solvers
   for one matrix solve, and back-transformation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Small pages are reduced in parallel and then solved as one stack, large ones one after
   the other.  Pages whose reduced matrix is graded are solved separately, see
   pair_typed.c.  */

#include "eig/pair.h"
#include "eig/symmetric.h"
#include "run/solvers.h"

#include <string.h>

/* --- selection among all eigenpairs of a graded page --- */

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

static gpueig_status
graded_failed (gpueig_context *ctx, int failed)
{
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "LAPACK's solvers failed with info %d", failed);
}

/* --- small pages --- */

typedef struct
{
  const gpueig_symmetric *s;
  char *c, *l;     /* stacks of reduced matrices and of factors of B */
  int64_t *usual;  /* pages that are solved as one stack */
  int64_t *graded; /* and the others */
  int *kind;       /* of every page, as from ge_pair_reduce */
  char *space;     /* for graded pages, per thread */
  int64_t bytes;   /* per thread, with all eigenpairs of a page */
  ge_pair_sizes sizes;
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

static int
graded_page (void *data, int64_t k, int thread)
{
  const pair_stack *w = data;
  const gpueig_symmetric one = ge_from_page (w->s, w->graded[k], 1);
  char *at = w->space + thread * w->bytes;
  void *const space = ge_take (&at, w->sizes.bytes, 1);
  void *const lambda = ge_take (&at, one.n, gpueig_real_size (one.type));
  void *const v = one.v ? at : NULL;
  const int failed
      = GE_BY_TYPE (one.type, ge_pair_graded,
                    (one.n, one.a, one.b, lambda, v, space, &w->sizes));
  if (failed == 0)
    ge_select_pairs (&one, lambda, v);
  if (failed < 0)
    w->s->indefinite[w->graded[k]] = -failed;
  return failed < 0 ? 0 : failed;
}

/* Move page K of DATA, of BYTES, to page LIST[K] >= K, or back.  */
static void
spread (void *data, size_t bytes, const int64_t *list, int64_t count)
{
  char *x = data;
  for (int64_t k = count - 1; x && k >= 0 && list[k] > k; k--)
    memcpy (x + (size_t) list[k] * bytes, x + (size_t) k * bytes, bytes);
}

static void
gather (void *data, size_t bytes, const int64_t *list, int64_t count)
{
  char *x = data;
  for (int64_t k = 0; k < count; k++)
    if (list[k] > k)
      memcpy (x + (size_t) k * bytes, x + (size_t) list[k] * bytes, bytes);
}

static gpueig_status
solve_usual (gpueig_context *ctx, pair_stack *w, int64_t count, int threads,
             const ge_plan *plan, const gpueig_options *options,
             gpueig_info *info)
{
  const gpueig_symmetric *s = w->s;
  const size_t size = gpueig_scalar_size (s->type);
  const size_t real = gpueig_real_size (s->type);
  const int64_t n = s->n, columns = ge_part_columns (s);
  gpueig_symmetric plain = ge_from_page (s, 0, count);
  int failed;
  gather (w->c, (size_t) (n * n) * size, w->usual, count);
  plain.a = w->c;
  plain.b = NULL;
  plain.indefinite = NULL;
  GE_TRY (ge_run_part (ctx, GE_EIG_SYMMETRIC, plan->method, plan->named, &plain,
                       options, info));
  spread (s->lambda, (size_t) columns * real, w->usual, count);
  spread (s->v, (size_t) (n * columns) * size, w->usual, count);
  if (! s->v)
    return GPUEIG_OK;
  return ge_for_pages (ctx, n, count, threads, back_page, w, &failed);
}

static gpueig_status
solve_graded (gpueig_context *ctx, pair_stack *w, int64_t count, int threads)
{
  const gpueig_symmetric *s = w->s;
  const int64_t scalar = (int64_t) gpueig_scalar_size (s->type);
  int failed;
  GE_TRY (GE_BY_TYPE (s->type, ge_pair_graded_size, (ctx, s->n, &w->sizes)));
  char *at = (char *) (uintptr_t) 64, *const start = at;
  ge_take (&at, w->sizes.bytes, 1);
  ge_take (&at, s->n, gpueig_real_size (s->type));
  ge_take (&at, s->v ? s->n * s->n : 0, (size_t) scalar);
  w->bytes = at - start;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, threads, (size_t) w->bytes, (void **) &w->space));
  GE_TRY (ge_for_pages (ctx, s->n, count, threads, graded_page, w, &failed));
  return failed ? graded_failed (ctx, failed) : GPUEIG_OK;
}

static gpueig_status
small_pages (gpueig_context *ctx, const gpueig_symmetric *s,
             const ge_plan *plan, const gpueig_options *options,
             gpueig_info *info)
{
  const int64_t square = s->n * s->n;
  const size_t size = gpueig_scalar_size (s->type);
  const int threads = ge_page_threads (s->n, s->pages);
  int64_t usual = 0, graded = 0;
  int failed;
  pair_stack w = { .s = s };
  GE_TRY (ge_alloc (ctx, GE_HOST, square * s->pages, size, (void **) &w.c));
  GE_TRY (ge_alloc (ctx, GE_HOST, square * s->pages, size, (void **) &w.l));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &w.kind));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &w.usual));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &w.graded));
  GE_TRY (
      ge_for_pages (ctx, s->n, s->pages, threads, reduce_page, &w, &failed));
  for (int64_t p = 0; p < s->pages; p++)
    {
      s->indefinite[p] = w.kind[p] < 0 ? -w.kind[p] : 0;
      if (w.kind[p] == GE_PAIR_USUAL)
        w.usual[usual++] = p;
      else if (w.kind[p] == GE_PAIR_GRADED)
        w.graded[graded++] = p;
    }
  if (usual > 0)
    GE_TRY (solve_usual (ctx, &w, usual, threads, plan, options, info));
  if (graded > 0)
    GE_TRY (solve_graded (ctx, &w, graded, threads));
  return GPUEIG_OK;
}

/* --- large pages --- */

/* A stage that is a single call of LAPACK: reduction to C and L, or if LAMBDA all
   eigenpairs of a graded page.  */
typedef struct
{
  gpueig_type type;
  int64_t n;
  int result;
  ge_pair_sizes sizes;
  const void *a, *b;
  void *c, *l, *lambda, *v;
  char *space;
} pair_job;

static int
arguments_of_job (const void *job, ge_argument argument[GE_ARGUMENTS])
{
  const pair_job *j = job;
  const size_t size = gpueig_scalar_size (j->type);
  const size_t outputs[] = { offsetof (pair_job, c), offsetof (pair_job, l),
                             offsetof (pair_job, v) };
  const int64_t square = j->n * j->n;
  argument[0]
      = (ge_argument){ offsetof (pair_job, a), square, size, GE_INPUT, 0 };
  argument[1]
      = (ge_argument){ offsetof (pair_job, b), square, size, GE_INPUT, 0 };
  argument[2] = (ge_argument){ offsetof (pair_job, lambda), j->n,
                               gpueig_real_size (j->type), GE_OUTPUT, 0 };
  for (int i = 0; i < 3; i++)
    argument[3 + i] = (ge_argument){ outputs[i], square, size, GE_OUTPUT, 0 };
  return 6;
}

static void
run_job (void *data)
{
  pair_job *j = data;
  j->result = j->lambda ? GE_BY_TYPE (
                  j->type, ge_pair_graded,
                  (j->n, j->a, j->b, j->lambda, j->v, j->space, &j->sizes))
                        : GE_BY_TYPE (j->type, ge_pair_reduce,
                                      (j->n, j->a, j->b, j->c, j->l));
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
            const ge_plan *plan, const gpueig_options *options,
            gpueig_info *info)
{
  gpueig_symmetric plain = *s;
  plain.a = j->c;
  plain.b = NULL;
  plain.indefinite = NULL;
  GE_TRY (ge_run_part (ctx, GE_EIG_SYMMETRIC, plan->method, plan->named, &plain,
                       options, info));
  back_slices back = { .s = s, .l = j->l, .columns = ge_part_columns (s) };
  if (s->select == GPUEIG_SELECT_INTERVAL)
    back.columns = *s->found;
  if (! s->v)
    return GPUEIG_OK;
  return ge_run_pieces (ctx, (back.columns + SLICE - 1) / SLICE,
                        GE_MANY_OPERATIONS, back_slice, &back);
}

static gpueig_status
graded_alone (gpueig_context *ctx, const gpueig_symmetric *s)
{
  const size_t size = gpueig_scalar_size (s->type);
  pair_job j = { .type = s->type, .n = s->n, .a = s->a, .b = s->b };
  ge_report (ctx, "ill-conditioned B: level by level");
  GE_TRY (GE_BY_TYPE (s->type, ge_pair_graded_size, (ctx, s->n, &j.sizes)));
  GE_TRY (ge_alloc (ctx, GE_HOST, s->n, gpueig_real_size (s->type), &j.lambda));
  if (s->v)
    GE_TRY (ge_alloc (ctx, GE_HOST, s->n * s->n, size, &j.v));
  GE_TRY (ge_run_page (ctx, &page_kind, &j, j.sizes.bytes));
  if (j.result == 0)
    ge_select_pairs (s, j.lambda, j.v);
  if (j.result < 0)
    *s->indefinite = -j.result;
  return j.result ? graded_failed (ctx, j.result) : GPUEIG_OK;
}

static gpueig_status
large_page (gpueig_context *ctx, const gpueig_symmetric *s, const ge_plan *plan,
            const gpueig_options *options, gpueig_info *info)
{
  const size_t size = gpueig_scalar_size (s->type);
  const int mark = ge_mark (ctx);
  pair_job j = { .type = s->type, .n = s->n, .a = s->a, .b = s->b };
  ge_report (ctx, "Cholesky factor of B");
  GE_TRY (ge_alloc (ctx, GE_HOST, s->n * s->n, size, &j.c));
  GE_TRY (ge_alloc (ctx, GE_HOST, s->n * s->n, size, &j.l));
  GE_TRY (ge_run_page (ctx, &page_kind, &j, 0));
  *s->indefinite = j.result < 0 ? -j.result : 0;
  if (j.result == GE_PAIR_USUAL)
    return usual_page (ctx, s, &j, plan, options, info);
  ge_release (ctx, mark);
  return j.result == GE_PAIR_GRADED ? graded_alone (ctx, s) : GPUEIG_OK;
}

gpueig_status
ge_cpu_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
              const ge_plan *plan, const gpueig_options *options,
              gpueig_info *info)
{
  /* Graded pages have the same results by every method.  */
  ge_info_method (info, ge_method_name (plan->method));
  if (! ge_syevd_in_stages (s->n))
    return small_pages (ctx, s, plan, options, info);
  for (int64_t p = 0; p < s->pages; p++)
    {
      gpueig_symmetric one = ge_from_page (s, p, 1);
      one.indefinite = s->indefinite + p;
      const int mark = ge_mark (ctx);
      const ge_blas_limit limit = ge_blas_limit_of (s->n);
      ge_limit_blas (ctx, limit);
      const gpueig_status status = large_page (ctx, &one, plan, options, info);
      ge_unlimit_blas (ctx, limit);
      GE_TRY (status);
      ge_release (ctx, mark);
      ge_report_pages (ctx, "pairs", p + 1, s->pages);
    }
  return GPUEIG_OK;
}
