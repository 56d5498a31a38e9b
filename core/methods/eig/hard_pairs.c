/* Definite pairs (A, B) in double precision on the CPU, one after the other: by Jacobi, for high
   accuracy, and those whose scaled B spans too wide a range for the solvers of all backends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/pair.h"
#include "eig/symmetric.h"
#include "run/solvers.h"

#include <string.h>

/* Page P of S, perhaps GPUEIG_NO_CONVERGENCE.  */
typedef gpueig_status page_solver (gpueig_context *ctx,
                                   const gpueig_symmetric *s, int64_t p,
                                   const gpueig_options *options,
                                   gpueig_info *info);

static gpueig_status
solve_pages (gpueig_context *ctx, const gpueig_symmetric *s, page_solver *solve,
             const gpueig_options *options, gpueig_info *info)
{
  gpueig_status result = GPUEIG_OK;
  for (int64_t p = 0; p < s->pages; p++)
    {
      const int mark = ge_mark (ctx);
      GE_TRY (ge_check_interrupt (ctx));
      const gpueig_status status = solve (ctx, s, p, options, info);
      if (status == GPUEIG_NO_CONVERGENCE)
        result = status;
      else
        GE_TRY (status);
      ge_release (ctx, mark);
      ge_report_pages (ctx, "pairs", p + 1, s->pages);
    }
  return result;
}

/* --- units very far apart --- */

static gpueig_status
extreme_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p,
              const gpueig_options *options, gpueig_info *info)
{
  const size_t size = gpueig_scalar_size (s->type);
  gpueig_symmetric one = ge_from_page (s, p, 1), all = one, wide;
  (void) options;
  (void) info;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, s->n, gpueig_real_size (s->type), &all.lambda));
  if (s->v)
    GE_TRY (ge_alloc (ctx, GE_HOST, s->n * s->n, size, &all.v));
  GE_TRY (ge_widen_problem (ctx, &all, &wide));
  const gpueig_status status
      = (gpueig_is_complex (s->type) ? ge_extreme_pair_z : ge_extreme_pair_d) (
          ctx, s->n, wide.a, wide.b, wide.lambda, wide.v, &s->indefinite[p]);
  if (s->indefinite[p]
      || (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE))
    return status;
  ge_narrow_results (&wide, &all);
  ge_select_pairs (&one, all.lambda, all.v);
  return status;
}

gpueig_status
ge_solve_extreme (gpueig_context *ctx, const gpueig_symmetric *s,
                  gpueig_info *info)
{
  return solve_pages (ctx, s, extreme_page, NULL, info);
}

static gpueig_status
solve_extreme (gpueig_context *ctx, const ge_classes *c, int which,
               const void *some, const int64_t *list, gpueig_info *info)
{
  const gpueig_symmetric *s = some;
  (void) which;
  (void) list;
  ge_report (ctx, "pairs of very different units: %lld of %lld, by Jacobi",
             (long long) s->pages, (long long) c->pages);
  return ge_solve_extreme (ctx, s, info);
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

/* --- high accuracy --- */

static gpueig_status
not_definite (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p)
{
  if (s->pages == 1)
    return gpueig_fail (ctx, GPUEIG_NOT_DEFINITE,
                        "B is not positive definite to working precision");
  return gpueig_fail (ctx, GPUEIG_NOT_DEFINITE,
                      "B is not positive definite to working precision on page "
                      "%lld",
                      (long long) p + 1);
}

static gpueig_status
high_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p,
           const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric one = ge_from_page (s, p, 1);
  const int64_t square = s->n * s->n;
  const size_t size = gpueig_scalar_size (s->type);
  const void *const from[2] = { one.a, one.b };
  void *m[2], *v = one.v;
  info->n_off = 0;
  for (int k = 0; k < 2; k++)
    {
      GE_TRY (ge_alloc (ctx, GE_HOST, square, size, &m[k]));
      memcpy (m[k], from[k], (size_t) square * size);
    }
  if (! v)
    GE_TRY (ge_alloc (ctx, GE_HOST, square, size, &v));
  const gpueig_status status
      = (gpueig_is_complex (s->type) ? ge_high_pair_z : ge_high_pair_d) (
          ctx, s->n, m[0], m[1], one.lambda, v, options, info);
  return status == GPUEIG_NOT_DEFINITE ? not_definite (ctx, s, p) : status;
}

gpueig_status
ge_high_pairs (gpueig_context *ctx, const gpueig_symmetric *s, ge_method method,
               const gpueig_options *options, gpueig_info *info)
{
  gpueig_symmetric wide, scaled;
  ge_pair_scaling scaling;
  if (s->guess)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "pairs take no guess");
  if (method != GE_AUTO)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "pairs (A, B) are solved by method \"auto\", not "
                        "\"%s\"",
                        options->method);
  GE_TRY (ge_widen_problem (ctx, s, &wide));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &wide.indefinite));
  memset (wide.indefinite, 0, (size_t) s->pages * sizeof *wide.indefinite);
  scaled = wide;
  GE_TRY (ge_scale_pairs (ctx, &scaled, &scaling));
  gpueig_status status = solve_pages (ctx, &scaled, high_page, options, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  const gpueig_status last
      = ge_extreme_pairs (ctx, &wide, &scaling, options, info);
  for (int64_t p = 0; p < s->pages; p++)
    if (wide.indefinite[p])
      return not_definite (ctx, s, p);
  if (last == GPUEIG_NO_CONVERGENCE)
    status = last;
  else
    GE_TRY (last);
  GE_TRY (ge_unscale_pairs (ctx, &wide, s->n, &scaling));
  ge_narrow_results (&wide, s);
  if (s->v
      && ge_find_nonfinite (ctx, s->type, s->v, s->n * s->n * s->pages) >= 0)
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "eigenvectors of the pair (A, B) are beyond the range "
                        "of the numbers, scale B");
  ge_info_method (info, "auto");
  return status;
}
