/* Definite pairs (A, B) whose scaled B spans too wide a range for the solvers of all backends:
   pages in host memory, one after the other, in double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/pair.h"
#include "eig/symmetric.h"
#include "run/solvers.h"

#include <string.h>

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

static gpueig_status
solve_extreme (gpueig_context *ctx, const ge_classes *c, int which,
               const void *some, const int64_t *list, gpueig_info *info)
{
  const gpueig_symmetric *s = some;
  gpueig_status result = GPUEIG_OK;
  (void) which;
  (void) list;
  (void) info;
  ge_report (ctx, "pairs of very different units: %lld of %lld, by Jacobi",
             (long long) s->pages, (long long) c->pages);
  for (int64_t p = 0; p < s->pages; p++)
    {
      const int mark = ge_mark (ctx);
      const gpueig_status status = solve_page (ctx, s, p);
      if (status == GPUEIG_NO_CONVERGENCE)
        result = status;
      else
        GE_TRY (status);
      ge_release (ctx, mark);
    }
  return result;
}

gpueig_status
ge_extreme_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                  const ge_pair_scaling *scaling, const gpueig_options *options,
                  gpueig_info *info)
{
  const ge_classes c = { .layout = &ge_layout_symmetric,
                         .problem = s,
                         .pages = s->pages,
                         .class_of = scaling->how,
                         .solve = solve_extreme };
  if (! scaling->d
      || ! memchr (scaling->how, GE_PAIR_EXTREME, (size_t) s->pages))
    return GPUEIG_OK;
  const gpueig_status status = ge_solve_class (ctx, &c, GE_PAIR_EXTREME, info);
  if ((status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
      && options->backend == GPUEIG_CUDA)
    ge_info_part (info, "syevd");
  return status;
}
