/* High relative accuracy for graded pages of single precision, in double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/devices.h"
#include "run/solvers.h"

#include <math.h>

/* Single precision holds the squares of numbers at most this factor apart.  */
#define SINGLE_RANGE 1e60

/* Nonzero if the diagonal elements of page P are positive and farther apart.  */
static int
needs_double (const gpueig_symmetric *s, int64_t p)
{
  const size_t size = gpueig_scalar_size (s->type);
  const char *a = ge_page (s->a, p, s->n * s->n, size);
  double least = INFINITY, most = 0;
  for (int64_t i = 0; i < s->n; i++, a += (size_t) (s->n + 1) * size)
    {
      const double x = ge_real_at (s->type, a, 0);
      least = x < least ? x : least;
      most = x > most ? x : most;
    }
  return least > 0 && most > SINGLE_RANGE * least;
}

typedef struct
{
  gpueig_context *ctx;
  ge_solver_id solver;
  ge_method method;
  const gpueig_symmetric *problem;
  const gpueig_options *options;
} high_call;

/* Solve the COUNT pages of LIST, in double precision if WIDE, as those of a stack of all
   pages.  */
static gpueig_status
solve_class (const high_call *c, const int64_t *list, int64_t count, int wide,
             gpueig_info *info)
{
  gpueig_context *ctx = c->ctx;
  const int mark = ge_mark (ctx);
  const void *problem;
  ge_left_pages pages;
  gpueig_symmetric in_double;
  GE_TRY (ge_take_pages (ctx, &ge_layout_symmetric, c->problem, list, count, 0,
                         info, &pages));
  problem = pages.some.data.bytes;
  gpueig_status status = GPUEIG_OK;
  if (wide)
    {
      status = ge_widen_problem (ctx, problem, 0, count, &in_double);
      problem = &in_double;
    }
  if (status == GPUEIG_OK)
    status = ge_run (ctx, c->solver, c->method, problem, c->options, info);
  if (wide && (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE))
    ge_narrow_results (problem,
                       (const gpueig_symmetric *) pages.some.data.bytes, 0);
  status = ge_put_pages (ctx, &pages, status);
  ge_release (ctx, mark);
  return status;
}

gpueig_status
ge_run_high (gpueig_context *ctx, ge_solver_id solver, ge_method method,
             const gpueig_symmetric *s, const gpueig_options *options,
             gpueig_info *info)
{
  const high_call c = { ctx, solver, method, s, options };
  gpueig_status status = GPUEIG_OK;
  gpueig_info one;
  int64_t *list[2], count[2] = { 0, 0 };
  if (! options->high_accuracy || gpueig_is_double (s->type))
    return ge_run (ctx, solver, method, s, options, info);
  for (int k = 0; k < 2; k++)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &list[k]));
  for (int64_t p = 0; p < s->pages; p++)
    {
      const int wide = needs_double (s, p);
      list[wide][count[wide]++] = p;
    }
  for (int wide = 0; wide < 2; wide++)
    {
      if (count[wide] == 0)
        continue;
      const int first = wide == 0 || count[0] == 0;
      ge_info_begin (&one);
      const gpueig_status this_one
          = solve_class (&c, list[wide], count[wide], wide, &one);
      if (this_one != GPUEIG_OK && this_one != GPUEIG_NO_CONVERGENCE)
        return this_one;
      if (first)
        *info = one;
      else
        ge_merge_info (ctx->solvers[solver], 0, info, &one, 0);
      status = this_one == GPUEIG_OK ? status : this_one;
    }
  return status;
}
