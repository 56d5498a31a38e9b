/* Definite pairs (A, B) on the CPU: reduction to standard problems, which the solvers
   for one matrix solve, and back-transformation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Small pages are reduced in parallel and then solved as one stack, each large one is a stack
   of its own.  Pages whose reduced matrix is graded are solved separately, see
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

/* --- pages --- */

/* BYTES rounded up to whole vectors of any processor.  */
#define WHOLE_VECTORS(bytes) (((bytes) + 63) / 64 * 64)

/* S->indefinite of a page of KIND.  */
static int
state_of (int kind)
{
  return kind < 0 ? -kind : kind == GE_PAIR_WRONG ? GE_PAGE_FAILED : 0;
}

/* Pages, each of which becomes C and L, or if they are NULL all eigenpairs of a graded page.  */
typedef struct
{
  gpueig_symmetric s;
  /* As from ge_pair_reduce, or GE_PAIR_WRONG; of eigenpairs 0, minus a minor's order, or that.  */
  int *kind;
  char *c, *l;
  ge_pair_sizes sizes;
} pair_stack;

static int
pair_arguments (const void *stack, ge_argument argument[GE_ARGUMENTS])
{
  const pair_stack *w = stack;
  const gpueig_symmetric *s = &w->s;
  const int64_t columns = ge_part_columns (s) * s->pages,
                square = s->n * s->n * s->pages;
  const size_t size = gpueig_scalar_size (s->type);
  argument[0] = GE_IN (w, s.a, square, size);
  argument[1] = GE_IN (w, s.b, square, size);
  argument[2] = GE_OUT (w, kind, s->pages, sizeof (int));
  argument[3] = w->c
                    ? GE_OUT (w, c, square, size)
                    : GE_OUT (w, s.lambda, columns, gpueig_real_size (s->type));
  argument[4] = w->c ? GE_OUT (w, l, square, size)
                     : GE_OUT (w, s.v, s->n * columns, size);
  return 5;
}

static const ge_layout layout = GE_LAYOUT (pair_stack, s., pair_arguments);

static gpueig_status
page_scratch (gpueig_context *ctx, const void *page, int own, int64_t *bytes,
              int64_t *count)
{
  const pair_stack *one = page;
  const int64_t n = one->s.n, size = gpueig_scalar_size (one->s.type);
  const int64_t aside
      = ge_syevd_in_stages (n) ? 0 : 2 * WHOLE_VECTORS (n * n * size),
      verified = GE_VERIFY_PAIR * n * (int64_t) sizeof (double);
  (void) ctx;
  (void) own;
  (void) count;
  *bytes = ! one->c ? one->sizes.bytes : aside > verified ? aside : verified;
  return GPUEIG_OK;
}

/* C and L of a page.  A BLAS may compute sums in another order at another alignment, which
   depends on the place of a page of a stack.  */
static int
reduce_pair (const pair_stack *one, char *space)
{
  const gpueig_symmetric *s = &one->s;
  const size_t bytes = (size_t) (s->n * s->n) * gpueig_scalar_size (s->type);
  const int aside = ! ge_syevd_in_stages (s->n);
  char *const c = aside ? space : one->c, *const l
                                          = aside
                                                ? space + WHOLE_VECTORS (bytes)
                                                : one->l;
  const int result
      = GE_BY_TYPE (s->type, ge_pair_reduce, (s->n, s->a, s->b, c, l));
  if (aside)
    {
      memcpy (one->c, c, bytes);
      memcpy (one->l, l, bytes);
    }
  return result;
}

static int
solve_pair (const void *page, const ge_team *team, void *space, int64_t count)
{
  const pair_stack *one = page;
  const gpueig_symmetric *s = &one->s;
  (void) team;
  (void) count;
  const int result = one->c ? reduce_pair (one, space)
                            : GE_BY_TYPE (s->type, ge_pair_graded,
                                          (s->n, s->a, s->b, s->lambda, s->v,
                                           space, &one->sizes));
  const int is_wrong
      = one->c ? ! s->v && result == GE_PAIR_USUAL
                     && ! ge_pair_is_reduced (s, one->c, one->l, space)
               : result > 0;
  *one->kind = is_wrong ? GE_PAIR_WRONG : result;
  return 0;
}

static const ge_page_solvers solvers
    = { .layout = &layout, .scratch = page_scratch, .call = solve_pair };

/* --- verification of vectors --- */

/* Pages LIST[0], LIST[1] ..., their RESIDUALS unless they are known.  */
typedef struct
{
  const gpueig_symmetric *s;
  const int64_t *list;
  int residuals;
  double *space; /* per thread */
} verification;

/* The columns of V that every page of S has.  */
static int64_t
found_columns (const gpueig_symmetric *s)
{
  return s->select == GPUEIG_SELECT_INTERVAL ? *s->found : ge_part_columns (s);
}

static int
verify_page (void *data, int64_t k, int thread)
{
  const verification *w = data;
  const int64_t p = w->list[k];
  const gpueig_symmetric one = ge_from_page (w->s, p, 1);
  if (w->s->indefinite[p] == 0
      && ! ge_pair_is_solved (&one, found_columns (w->s), w->residuals,
                              w->space + thread * GE_VERIFY_PAIR * one.n))
    w->s->indefinite[p] = GE_PAGE_FAILED;
  return 0;
}

static gpueig_status
verify_pages (gpueig_context *ctx, const gpueig_symmetric *s,
              const int64_t *list, int64_t count, int residuals)
{
  const int threads = ge_page_threads (s->n, count);
  verification w = { .s = s, .list = list, .residuals = residuals };
  int failed;
  if (! s->v)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads * GE_VERIFY_PAIR * s->n, &w.space));
  return ge_for_pages (ctx, s->n, count, threads, verify_page, &w, &failed);
}

/* --- graded pages --- */

static gpueig_status
graded_page (const ge_page_place *at, const void *page, int *failed)
{
  const pair_stack *one = page;
  pair_stack all = *one;
  char *more = at->more;
  all.s.lambda = ge_take (&more, one->s.n, gpueig_real_size (one->s.type));
  all.s.v = one->s.v ? more : NULL;
  all.s.select = GPUEIG_SELECT_ALL;
  GE_TRY (ge_solve_page (at, &all, failed));
  if (*one->kind == 0)
    ge_select_pairs (&one->s, all.s.lambda, all.s.v);
  return GPUEIG_OK;
}

static gpueig_status
solve_graded (gpueig_context *ctx, pair_stack *w, ge_page_loop *loop,
              int64_t count)
{
  const gpueig_symmetric *s = &w->s;
  int failed;
  GE_TRY (GE_BY_TYPE (s->type, ge_pair_graded_size, (ctx, s->n, &w->sizes)));
  w->c = w->l = NULL;
  loop->step = graded_page;
  loop->step_bytes
      = 64
        + s->n * (s->v ? s->n + 1 : 1) * (int64_t) gpueig_scalar_size (s->type);
  GE_TRY (ge_solve_pages (ctx, loop, count, &failed));
  for (int64_t k = 0; k < count; k++)
    s->indefinite[loop->list[k]] = state_of (w->kind[loop->list[k]]);
  return verify_pages (ctx, s, loop->list, count, 0);
}

/* --- the other pages, as one stack --- */

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

enum
{
  SLICE = 64 /* columns of V */
};

/* The back-transformation of pages LIST[0], LIST[1] ...  */
typedef struct
{
  const pair_stack *stack;
  const int64_t *list;
  int64_t columns, slices;
} back_slices;

static void
back_slice (void *data, int64_t i, int thread)
{
  const back_slices *b = data;
  const gpueig_symmetric *s = &b->stack->s;
  const size_t size = gpueig_scalar_size (s->type);
  const int64_t p = b->list[i / b->slices], from = i % b->slices * SLICE,
                to = from + SLICE < b->columns ? from + SLICE : b->columns;
  (void) thread;
  GE_BY_TYPE (s->type, ge_pair_back,
              (s->n, from, to, ge_page (b->stack->l, p, s->n * s->n, size),
               ge_page (s->v, p, s->n * ge_part_columns (s), size)));
}

static gpueig_status
solve_usual (gpueig_context *ctx, const pair_stack *w, const int64_t *list,
             int64_t count, const ge_plan *plan, const gpueig_options *options,
             gpueig_info *info)
{
  const gpueig_symmetric *s = &w->s;
  const size_t size = gpueig_scalar_size (s->type);
  const size_t real = gpueig_real_size (s->type);
  const int64_t n = s->n, columns = ge_part_columns (s);
  gpueig_symmetric plain = ge_from_page (s, 0, count);
  gather (w->c, (size_t) (n * n) * size, list, count);
  plain.a = w->c;
  plain.b = NULL;
  plain.indefinite = NULL;
  GE_TRY (ge_run_part (ctx, GE_EIG_SYMMETRIC, plan->method, plan->named, &plain,
                       options, info));
  spread (s->lambda, (size_t) columns * real, list, count);
  spread (s->v, (size_t) (n * columns) * size, list, count);
  back_slices back = { .stack = w, .list = list, .columns = found_columns (s) };
  back.slices = s->v ? (back.columns + SLICE - 1) / SLICE : 0;
  GE_TRY (ge_run_pieces (ctx, count * back.slices,
                         (double) (count * n) * (double) (n * back.columns),
                         back_slice, &back));
  return verify_pages (ctx, s, list, count, 1);
}

/* The pages of S, large ones one by one; each may be graded.  */
static gpueig_status
solve_stack (gpueig_context *ctx, const gpueig_symmetric *s, int large,
             const ge_plan *plan, const gpueig_options *options,
             gpueig_info *info)
{
  const size_t size = gpueig_scalar_size (s->type);
  pair_stack w = { .s = *s };
  ge_page_loop loop = { .solvers = &solvers,
                        .problem = &w,
                        .widest = &w,
                        .n = s->n,
                        .detachable = large ? 0 : INT64_MAX,
                        .limit = GE_BLAS_ALL };
  int64_t count[2] = { 0, 0 }, *list[2];
  int failed;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &w.kind));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &list[GE_PAIR_USUAL]));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &list[GE_PAIR_GRADED]));
  const int mark = ge_mark (ctx);
  GE_TRY (
      ge_alloc (ctx, GE_HOST, s->n * s->n * s->pages, size, (void **) &w.c));
  GE_TRY (
      ge_alloc (ctx, GE_HOST, s->n * s->n * s->pages, size, (void **) &w.l));
  if (large)
    ge_report (ctx, "Cholesky factor of B");
  GE_TRY (ge_solve_pages (ctx, &loop, s->pages, &failed));
  for (int64_t p = 0; p < s->pages; p++)
    {
      const int kind = w.kind[p];
      s->indefinite[p] = state_of (kind);
      if (kind == GE_PAIR_USUAL || kind == GE_PAIR_GRADED)
        list[kind][count[kind]++] = p;
    }
  if (count[GE_PAIR_USUAL] > 0)
    GE_TRY (solve_usual (ctx, &w, list[GE_PAIR_USUAL], count[GE_PAIR_USUAL],
                         plan, options, info));
  ge_release (ctx, mark);
  if (count[GE_PAIR_GRADED] == 0)
    return GPUEIG_OK;
  if (large)
    ge_report (ctx, "ill-conditioned B: level by level");
  loop.list = list[GE_PAIR_GRADED];
  return solve_graded (ctx, &w, &loop, count[GE_PAIR_GRADED]);
}

gpueig_status
ge_cpu_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
              const ge_plan *plan, const gpueig_options *options,
              gpueig_info *info)
{
  const int large = ge_syevd_in_stages (s->n);
  const ge_blas_limit limit = large ? ge_blas_limit_of (s->n) : GE_BLAS_ALL;
  const int64_t each = large ? 1 : s->pages;
  /* Graded pages have the same results by every method.  */
  ge_info_method (info, ge_method_name (plan->method));
  if (plan->method == GE_METHOD_EIG_ONESIDED
      && s->indefinite[0] == GE_PAGE_FAILED)
    {
      const gpueig_status status = ge_solve_extreme (ctx, s, info);
      return status == GPUEIG_NO_CONVERGENCE ? GPUEIG_SOLVER_FAILED : status;
    }
  for (int64_t p = 0; p < s->pages; p += each)
    {
      gpueig_symmetric some = ge_from_page (s, p, each);
      some.indefinite = s->indefinite + p;
      const int mark = ge_mark (ctx);
      ge_limit_blas (ctx, limit);
      const gpueig_status status
          = solve_stack (ctx, &some, large, plan, options, info);
      ge_unlimit_blas (ctx, limit);
      GE_TRY (status);
      ge_release (ctx, mark);
      if (large)
        ge_report_pages (ctx, "pairs", p + 1, s->pages);
    }
  return GPUEIG_OK;
}
