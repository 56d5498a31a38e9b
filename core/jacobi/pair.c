/* Definite pairs (A, B) by Jacobi: pages, and single precision, which is solved in double
   precision and rounded.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "jacobi/pair.h"
#include "run/solvers.h"
#include "jacobi/control.h"

#include <string.h>

/* COUNT reals of a single precision page to double, and back.  */
static void
widen (int64_t count, const void *from, double *to)
{
  for (int64_t i = 0; i < count; i++)
    /* NOLINTNEXTLINE: the status before says so */
    to[i] = (double) ((const float *) from)[i];
}

static void
narrow (int64_t count, const double *from, void *to)
{
  for (int64_t i = 0; i < count; i++)
    ((float *) to)[i] = (float) from[i];
}

static gpueig_status
solve_page (gpueig_context *ctx, const gpueig_symmetric *s, int64_t p,
            const gpueig_options *options, gpueig_info *info)
{
  const int64_t n = s->n, square = n * n;
  const int is_double = gpueig_is_double (s->type);
  const size_t size = gpueig_scalar_size (s->type);
  const int64_t reals = square * (gpueig_is_complex (s->type) ? 2 : 1);
  const void *from[2]
      = { ge_page (s->a, p, square, size), ge_page (s->b, p, square, size) };
  void *v = ge_page (s->v, p, square, size),
       *lambda = ge_page (s->lambda, p, n, gpueig_real_size (s->type));
  double *m[2], *x, *values;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, reals, &x));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
  for (int k = 0; k < 2; k++)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, reals, &m[k]));
      if (is_double)
        /* NOLINTNEXTLINE: the status before says so */
        memcpy (m[k], from[k], (size_t) reals * sizeof (double));
      else
        widen (reals, from[k], m[k]);
    }
  const gpueig_status status
      = (gpueig_is_complex (s->type) ? ge_jacobi_pair_z : ge_jacobi_pair_d) (
          ctx, n, m[0], m[1], values, x, options, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  if (is_double)
    {
      memcpy (lambda, values, (size_t) n * sizeof (double));
      if (v)
        memcpy (v, x, (size_t) reals * sizeof (double));
    }
  else
    {
      narrow (n, values, lambda);
      if (v)
        narrow (reals, x, v);
    }
  const gpueig_type real = is_double ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  if (ge_find_nonfinite (ctx, real, lambda, n) >= 0
      || (v && ge_find_nonfinite (ctx, s->type, v, square) >= 0))
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "eigenvalues or eigenvectors of the pair (A, B) are "
                        "beyond the range of the numbers, scale A or B");
  return status;
}

gpueig_status
ge_jacobi_pairs (gpueig_context *ctx, const gpueig_symmetric *s,
                 ge_method method, const gpueig_options *options,
                 gpueig_info *info)
{
  gpueig_status result = GPUEIG_OK;
  if (s->guess)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "pairs take no guess");
  if (method != GE_AUTO)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "pairs (A, B) are solved by method \"auto\", not "
                        "\"%s\"",
                        options->method);
  for (int64_t p = 0; p < s->pages; p++)
    {
      const int mark = ge_mark (ctx);
      GE_TRY (ge_check_interrupt (ctx));
      info->n_off = 0;
      const gpueig_status status = solve_page (ctx, s, p, options, info);
      if (status == GPUEIG_NO_CONVERGENCE)
        result = status;
      else if (status == GPUEIG_NOT_DEFINITE && s->pages > 1)
        return gpueig_fail (ctx, status,
                            "B is not positive definite to working precision "
                            "on page %lld",
                            (long long) p + 1);
      else
        GE_TRY (status);
      ge_release (ctx, mark);
      ge_report_pages (ctx, "pairs", p + 1, s->pages);
    }
  ge_info_method (info, "auto");
  return result;
}
