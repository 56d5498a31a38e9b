/* Definite pairs (A, B) whose scaled B spans too wide a range for the solvers of all backends:
   pages in host memory, one after the other, in double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/pair.h"
#include "eig/symmetric.h"
#include "run/solvers.h"

/* Page P of S.  */
static gpueig_status
solve_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p)
{
  const int64_t square = s->n * s->n;
  const size_t size = gpueig_scalar_size (s->type);
  gpueig_symmetric one = ge_from_page (s, p, 1), all = one, wide;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, s->n, gpueig_real_size (s->type), &all.lambda));
  if (s->v)
    GE_TRY (ge_alloc (ctx, GE_HOST, square, size, &all.v));
  if (gpueig_is_double (s->type))
    wide = all;
  else
    GE_TRY (ge_widen_problem (ctx, &all, 0, 1, &wide));
  const gpueig_status status
      = (gpueig_is_complex (s->type) ? ge_extreme_pair_z : ge_extreme_pair_d) (
          ctx, s->n, wide.a, wide.b, wide.lambda, wide.v, &s->indefinite[p]);
  if (s->indefinite[p]
      || (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE))
    return status;
  if (! gpueig_is_double (s->type))
    ge_narrow_results (&wide, &all, 0);
  ge_select_pairs (&one, all.lambda, all.v);
  return status;
}

gpueig_status
ge_extreme_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                  const ge_pair_scaling *scaling, const gpueig_options *options,
                  gpueig_info *info)
{
  const int mark = ge_mark (ctx);
  gpueig_status status = GPUEIG_OK, result = GPUEIG_OK;
  ge_left_pages l;
  int64_t *list, count = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &list));
  for (int64_t p = 0; scaling->d && p < s->pages; p++)
    if (scaling->how[p] == GE_PAIR_EXTREME)
      list[count++] = p;
  if (count == 0)
    return GPUEIG_OK;
  ge_report (ctx, "pairs of very different units: %lld of %lld, by Jacobi",
             (long long) count, (long long) s->pages);
  GE_TRY (
      ge_take_pages (ctx, &ge_layout_symmetric, s, list, count, 0, info, &l));
  for (int64_t p = 0; p < count; p++)
    {
      const int mark_page = ge_mark (ctx);
      status
          = solve_page (ctx, (const gpueig_symmetric *) l.some.data.bytes, p);
      if (status == GPUEIG_NO_CONVERGENCE)
        result = status;
      else if (status != GPUEIG_OK)
        break;
      status = GPUEIG_OK;
      ge_release (ctx, mark_page);
    }
  GE_TRY (ge_put_pages (ctx, &l, status));
  ge_release (ctx, mark);
  if (options->backend == GPUEIG_CUDA)
    ge_info_part (info, "syevd");
  return result;
}
