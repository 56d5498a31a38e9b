/* How problems are divided among several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"

enum
{
  /* Minimum elements of a share of a stack: a GPU solves fewer in less time than
     starting its thread takes.  */
  PAGE_ELEMENTS = 50000,
  /* Pages of smaller order are solved in batches.  */
  LARGE_PAGE = 384,
  FEW_PAGES = 8
};

int64_t
ge_least_pages (int64_t n)
{
  const int64_t least = PAGE_ELEMENTS / (n * n);
  return n >= LARGE_PAGE ? 1 : least > FEW_PAGES ? least : FEW_PAGES;
}

void
ge_note_share (const ge_division *division, int i, gpueig_context *child)
{
  child->stack_pages = division->units;
  child->first_page = division->begin[i];
}

double
ge_cuda_stack_arrays (int64_t n)
{
  /* Rotations of QL, which small pages keep for more sweeps.  */
  return n <= 32 ? 9 : 5;
}

/* --- symmetric problems --- */

int
ge_part_of (gpueig_select select)
{
  return select == GPUEIG_SELECT_ALL     ? 0
         : select == GPUEIG_SELECT_INDEX ? 1
                                         : 2;
}

void
ge_describe_symmetric (const void *problem, ge_shape *shape)
{
  const gpueig_symmetric *s = problem;
  *shape = (ge_shape){ .type = s->type,
                       .n = s->n,
                       .pages = s->pages,
                       .outputs = s->v != NULL,
                       .pair = s->b != NULL,
                       .guess = s->guess != NULL,
                       .part = ge_part_of (s->select),
                       .columns = s->n };
}

int64_t
ge_symmetric_units (const void *problem, ge_method method, int64_t *least)
{
  const gpueig_symmetric *s = problem;
  (void) method;
  *least = ge_least_pages (s->n);
  return s->pages;
}

void
ge_share_symmetric (const void *problem, const ge_division *division, int i,
                    gpueig_context *child, void *share)
{
  const gpueig_symmetric *s = problem;
  const int64_t first = division->begin[i], square = s->n * s->n;
  const size_t size = gpueig_scalar_size (s->type);
  gpueig_symmetric one = *s;
  one.pages = division->begin[i + 1] - first;
  one.a = ge_page (s->a, first, square, size);
  one.b = ge_page (s->b, first, square, size);
  one.guess = ge_page (s->guess, first, square, size);
  const int64_t columns
      = s->select == GPUEIG_SELECT_INDEX ? s->last - s->first + 1 : s->n;
  one.indefinite = s->indefinite ? s->indefinite + first : NULL;
  one.lambda = ge_page (s->lambda, first, columns, gpueig_real_size (s->type));
  one.v = ge_page (s->v, first, s->n * columns, size);
  *(gpueig_symmetric *) share = one;
  ge_note_share (division, i, child);
}

/* --- general problems --- */

void
ge_describe_general (const void *problem, ge_shape *shape)
{
  const gpueig_general *g = &((const ge_general_problem *) problem)->general;
  *shape = (ge_shape){ .type = g->type,
                       .n = g->n,
                       .pages = g->pages,
                       .outputs = g->w ? 2 : g->v != NULL,
                       .columns = g->n };
}

int64_t
ge_general_units (const void *problem, ge_method method, int64_t *least)
{
  const gpueig_general *g = &((const ge_general_problem *) problem)->general;
  (void) method;
  *least = ge_least_pages (g->n);
  return g->pages;
}

void
ge_share_general (const void *problem, const ge_division *division, int i,
                  gpueig_context *child, void *share)
{
  const ge_general_problem *p = problem;
  const gpueig_general *g = &p->general;
  const int64_t first = division->begin[i], square = g->n * g->n;
  const size_t pair = 2 * gpueig_real_size (g->type);
  ge_general_problem one = *p;
  one.general.pages = division->begin[i + 1] - first;
  one.general.a = ge_page (g->a, first, square, gpueig_scalar_size (g->type));
  one.general.lambda = ge_page (g->lambda, first, g->n, pair);
  one.general.v = ge_page (g->v, first, square, pair);
  one.general.w = ge_page (g->w, first, square, pair);
  one.state = p->state + first;
  *(ge_general_problem *) share = one;
  ge_note_share (division, i, child);
}

/* --- the division --- */

gpueig_status
ge_divide (gpueig_context *ctx, ge_solver_id solver, ge_method method,
           const void *problem, int n, ge_division *division)
{
  const ge_solver_entry *entry = ge_solvers[solver];
  int64_t least = 1;
  *division = (ge_division){ 0 };
  division->units = entry->units (problem, method, &least);
  const int64_t most = division->units / least;
  division->shares = most >= n ? n : most > 1 ? (int) most : 1;
  const int64_t each = division->units / division->shares;
  const int64_t more = division->units % division->shares;
  for (int i = 0; i <= division->shares; i++)
    division->begin[i] = each * i + (i < more ? i : more);
  return division->shares > 1 && entry->divide
             ? entry->divide (ctx, problem, method, division)
             : GPUEIG_OK;
}
