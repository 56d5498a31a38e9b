/* High relative accuracy for graded pages of single precision, in double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"

#include <math.h>
#include <string.h>

/* Single precision holds the squares of numbers at most this factor apart.  */
#define SINGLE_RANGE 1e60

ge_diagonal
ge_diagonal_of (const gpueig_symmetric *s, int64_t p)
{
  const size_t size = gpueig_scalar_size (s->type);
  const char *a = ge_page (s->a, p, s->n * s->n, size);
  ge_diagonal d = { INFINITY, 0 };
  for (int64_t i = 0; i < s->n; i++, a += (size_t) (s->n + 1) * size)
    {
      const double x = ge_real_at (s->type, a, 0);
      d.least = x < d.least ? x : d.least;
      d.most = x > d.most ? x : d.most;
    }
  return d;
}

static int
needs_double (const gpueig_symmetric *s, int64_t p)
{
  const ge_diagonal d = ge_diagonal_of (s, p);
  return d.least > 0 && d.most > SINGLE_RANGE * d.least;
}

/* Solve page P in double precision.  */
static gpueig_status
solve_in_double (gpueig_context *ctx, ge_solver_id solver, ge_method method,
                 const gpueig_symmetric *s, int64_t p,
                 const gpueig_options *options, gpueig_info *info)
{
  const int mark = ge_mark (ctx);
  gpueig_symmetric wide;
  GE_TRY (ge_widen_problem (ctx, s, p, 1, &wide));
  const gpueig_status status
      = ge_run (ctx, solver, method, &wide, options, info);
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    ge_narrow_results (&wide, s, p);
  ge_release (ctx, mark);
  return status;
}

/* Replace page P of A by the identity.  */
static void
set_identity (const gpueig_symmetric *s, int64_t p, char *a)
{
  const size_t size = gpueig_scalar_size (s->type);
  const float one = 1;
  a = ge_page (a, p, s->n * s->n, size);
  memset (a, 0, (size_t) (s->n * s->n) * size);
  for (int64_t i = 0; i < s->n; i++)
    memcpy (a + (size_t) (i * (s->n + 1)) * size, &one, sizeof one);
}

gpueig_status
ge_run_unchecked (gpueig_context *ctx, ge_solver_id solver, ge_method method,
                  gpueig_symmetric s, const gpueig_options *options,
                  gpueig_info *info)
{
  const int mark = ge_mark (ctx);
  const gpueig_status status = ge_run (ctx, solver, method, &s, options, info);
  if (status != GPUEIG_NOT_SYMMETRIC)
    return status;
  /* Once more for the message.  */
  ge_release (ctx, mark);
  ge_info_begin (info);
  GE_TRY (ge_check_symmetric (ctx, &s));
  s.symmetric = 1;
  return ge_run (ctx, solver, method, &s, options, info);
}

gpueig_status
ge_run_high (gpueig_context *ctx, ge_solver_id solver, ge_method method,
             const gpueig_symmetric *problem, const gpueig_options *options,
             gpueig_info *info)
{
  gpueig_symmetric rest = *problem;
  const int64_t count = rest.n * rest.n * rest.pages;
  const size_t size = gpueig_scalar_size (rest.type);
  gpueig_status status, result = GPUEIG_OK;
  gpueig_info one;
  char *a = NULL;
  if (! options->high_accuracy || gpueig_is_double (rest.type))
    return ge_run_unchecked (ctx, solver, method, rest, options, info);
  if (rest.pages == 1 && needs_double (&rest, 0))
    return solve_in_double (ctx, solver, method, &rest, 0, options, info);
  /* The other pages are solved as a stack of all pages would be.  */
  for (int64_t p = 0; p < rest.pages; p++)
    if (needs_double (problem, p))
      {
        if (! a)
          {
            GE_TRY (ge_alloc (ctx, GE_HOST, count, size, (void **) &a));
            memcpy (a, problem->a, (size_t) count * size);
            rest.a = a;
          }
        set_identity (problem, p, a);
      }
  result = ge_run (ctx, solver, method, &rest, options, info);
  for (int64_t p = 0; a && p < rest.pages; p++)
    {
      if (result != GPUEIG_OK && result != GPUEIG_NO_CONVERGENCE)
        return result;
      if (! needs_double (problem, p))
        continue;
      ge_info_begin (&one);
      status = solve_in_double (ctx, solver, method, problem, p, options, &one);
      info->sweeps = one.sweeps > info->sweeps ? one.sweeps : info->sweeps;
      if (ge_info_value (&one, "normal_accuracy") > 0)
        {
          ge_info_fallback (info, one.fallback);
          ge_info_extra (info, "normal_accuracy",
                         ge_info_value (info, "normal_accuracy")
                             + ge_info_value (&one, "normal_accuracy"));
        }
      result = status == GPUEIG_OK ? result : status;
    }
  return result;
}
