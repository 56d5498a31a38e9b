/* Definite pairs (A, B) by Jacobi: pages, and single precision, which is solved in double
   precision and rounded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/high_pair.h"
#include "eig/symmetric.h"
#include "run/solvers.h"

#include <string.h>

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
solve_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p,
            const gpueig_options *options, gpueig_info *info)
{
  const int64_t n = s->n, square = n * n;
  const size_t size = gpueig_scalar_size (s->type);
  const char *const from[2] = { s->a, s->b };
  void *m[2], *v = ge_page (s->v, p, square, size);
  for (int k = 0; k < 2; k++)
    {
      GE_TRY (ge_alloc (ctx, GE_HOST, square, size, &m[k]));
      memcpy (m[k], from[k] + (size_t) (p * square) * size,
              (size_t) square * size);
    }
  if (! v)
    GE_TRY (ge_alloc (ctx, GE_HOST, square, size, &v));
  return (gpueig_is_complex (s->type) ? ge_high_pair_z : ge_high_pair_d) (
      ctx, n, m[0], m[1], ge_page (s->lambda, p, n, sizeof (double)), v,
      options, info);
}

/* The pages of a problem in double precision.  */
static gpueig_status
solve_pages (gpueig_context *ctx, const gpueig_symmetric *s,
             const gpueig_options *options, gpueig_info *info)
{
  gpueig_status result = GPUEIG_OK;
  for (int64_t p = 0; p < s->pages; p++)
    {
      const int mark = ge_mark (ctx);
      GE_TRY (ge_check_interrupt (ctx));
      info->n_off = 0;
      const gpueig_status status = solve_page (ctx, s, p, options, info);
      if (status == GPUEIG_NO_CONVERGENCE)
        result = status;
      else if (status == GPUEIG_NOT_DEFINITE)
        return not_definite (ctx, s, p);
      else
        GE_TRY (status);
      ge_release (ctx, mark);
      ge_report_pages (ctx, "pairs", p + 1, s->pages);
    }
  return result;
}

gpueig_status
ge_high_pairs (gpueig_context *ctx, const gpueig_symmetric *s, ge_method method,
               const gpueig_options *options, gpueig_info *info)
{
  const int is_double = gpueig_is_double (s->type);
  gpueig_symmetric wide = *s, scaled;
  ge_pair_scaling scaling;
  if (s->guess)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "pairs take no guess");
  if (method != GE_AUTO)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "pairs (A, B) are solved by method \"auto\", not "
                        "\"%s\"",
                        options->method);
  if (! is_double)
    GE_TRY (ge_widen_problem (ctx, s, 0, s->pages, &wide));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &wide.indefinite));
  memset (wide.indefinite, 0, (size_t) s->pages * sizeof *wide.indefinite);
  scaled = wide;
  GE_TRY (ge_scale_pairs (ctx, &scaled, &scaling));
  gpueig_status status = solve_pages (ctx, &scaled, options, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  const gpueig_status last
      = ge_extreme_pairs (ctx, &wide, &scaling, options, info);
  for (int64_t p = 0; p < s->pages; p++)
    if (wide.indefinite[p])
      return not_definite (ctx, s, p);
  if (last != GPUEIG_OK)
    status = last;
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  GE_TRY (ge_unscale_pairs (ctx, &wide, s->n, &scaling));
  if (! is_double)
    ge_narrow_results (&wide, s, 0);
  if (s->v
      && ge_find_nonfinite (ctx, s->type, s->v, s->n * s->n * s->pages) >= 0)
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "eigenvectors of the pair (A, B) are beyond the range "
                        "of the numbers, scale B");
  ge_info_method (info, "auto");
  return status;
}
