/* How problems are divided among several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"

double
ge_cuda_stack_arrays (int64_t n)
{
  /* Rotations of QL, which small pages keep for more sweeps.  */
  return n <= 48 ? 9 : 5;
}

/* --- symmetric problems --- */

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
                       .is_tridiagonal = ! s->a,
                       .part = (int) s->select };
}

unsigned
ge_left_of_symmetric (const void *problem, int64_t p)
{
  const int state = ((const gpueig_symmetric *) problem)->indefinite[p];
  return state == GE_PAIR_LEFT     ? GE_LEFT_ILL_CONDITIONED
         : state == GE_PAGE_FAILED ? GE_LEFT_PAGES
                                   : 0;
}

void
ge_clear_failed (const gpueig_symmetric *s)
{
  for (int64_t p = 0; s->indefinite && p < s->pages; p++)
    if (s->indefinite[p] == GE_PAGE_FAILED)
      s->indefinite[p] = 0;
}

gpueig_status
ge_check_symmetric_data (gpueig_context *ctx, const void *problem,
                         gpueig_info *info)
{
  (void) info;
  return ge_check_symmetric (ctx, problem);
}

ge_check
ge_unchecked_symmetric (const void *problem)
{
  const gpueig_symmetric *s = problem;
  return s->symmetric || s->b ? GE_CHECKED : GE_CHECK_SYMMETRIC;
}

/* --- general problems --- */

void
ge_describe_general (const void *problem, ge_shape *shape)
{
  const gpueig_general *g = problem;
  *shape = (ge_shape){ .type = g->type,
                       .n = g->n,
                       .pages = g->pages,
                       .outputs = g->w ? 2 : g->v != NULL };
}

/* --- the division --- */

void
ge_favour_share (ge_division *division, int own, int64_t order)
{
  const int n = division->shares;
  const int64_t less
      = division->units * ge_own_share (order) / order / n / (n - 1);
  for (int i = 1; i < n; i++)
    division->begin[i] += i <= own ? -i * less : (n - i) * less;
}

gpueig_status
ge_divide (gpueig_context *ctx, ge_solver_id solver, ge_method method,
           const void *problem, int n, ge_division *division)
{
  const ge_solver_entry *entry = ctx->solvers[solver];
  ge_shape shape;
  int64_t least = 1;
  entry->describe (problem, &shape);
  *division = (ge_division){ .units = shape.pages };
  if (entry->units)
    division->units = entry->units (problem, method, &least);
  else
    least = ge_least_share (shape.n);
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
