/* Scaling of symmetric definite pairs (A, B) with very large or small elements, for
   both backends: 2^-a A and 2^-b B, so that the reduction L^-1 A L^-H neither over-
   nor underflows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scale_general.h"
#include "eig/symmetric.h"

#include <math.h>
#include <stdlib.h>

/* Pages whose largest elements have exponents of at most this modulus are not
   scaled.  */
enum
{
  CLOSE = 100,
  CLOSE_SINGLE = 15
};

gpueig_status
ge_scale_pair (gpueig_context *ctx, gpueig_symmetric *s, int **exponents)
{
  const int64_t square = s->n * s->n;
  const size_t bytes = (size_t) square * gpueig_scalar_size (s->type);
  const int close = gpueig_is_double (s->type) ? CLOSE : CLOSE_SINGLE;
  const char *from[2] = { s->a, s->b };
  char *copy[2];
  int *e, any = 0;
  *exponents = NULL;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * s->pages, &e));
  for (int64_t i = 0; i < 2 * s->pages; i++)
    {
      e[i] = GE_BY_TYPE (s->type, ge_page_exponent,
                         (s->n, from[i % 2] + (size_t) (i / 2) * bytes));
      e[i] = abs (e[i]) <= close ? 0 : e[i];
      /* Even for B, since vectors are scaled by the square root of its factor.  */
      e[i] -= i % 2 ? e[i] % 2 : 0;
      any |= e[i] != 0;
    }
  if (! any)
    return GPUEIG_OK;
  for (int k = 0; k < 2; k++)
    {
      GE_TRY (ge_alloc (ctx, GE_HOST, s->pages, bytes, (void **) &copy[k]));
      for (int64_t p = 0; p < s->pages; p++)
        GE_BY_TYPE (s->type, ge_page_scaled,
                    (s->n, from[k] + (size_t) p * bytes, e[2 * p + k],
                     copy[k] + (size_t) p * bytes));
    }
  s->a = copy[0];
  s->b = copy[1];
  *exponents = e;
  return GPUEIG_OK;
}

/* N eigenvalues times 2^EXPONENT.  */
static void
unscale_values (int is_double, int64_t n, int exponent, void *lambda)
{
  for (int64_t i = 0; i < n; i++)
    if (is_double)
      ((double *) lambda)[i] = ldexp (((double *) lambda)[i], exponent);
    else
      ((float *) lambda)[i] = ldexpf (((float *) lambda)[i], exponent);
}

gpueig_status
ge_unscale_pair (gpueig_context *ctx, const gpueig_symmetric *s,
                 const int *exponents)
{
  const int is_double = gpueig_is_double (s->type);
  const size_t bytes = (size_t) (s->n * s->n) * gpueig_scalar_size (s->type);
  for (int64_t p = 0; exponents && p < s->pages; p++)
    {
      const int a = exponents[2 * p], b = exponents[2 * p + 1];
      char *v = s->v ? (char *) s->v + (size_t) p * bytes : NULL;
      unscale_values (is_double, s->n, a - b,
                      ge_page (s->lambda, p, s->n, gpueig_real_size (s->type)));
      if (v && b != 0)
        GE_BY_TYPE (s->type, ge_page_scaled, (s->n, v, b / 2, v));
    }
  const gpueig_type real = is_double ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  if (ge_find_nonfinite (ctx, real, s->lambda, s->n * s->pages) >= 0
      || (s->v
          && ge_find_nonfinite (ctx, s->type, s->v, s->n * s->n * s->pages)
                 >= 0))
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "eigenvalues or eigenvectors of the pair (A, B) are "
                        "beyond the range of the numbers, scale A or B");
  return GPUEIG_OK;
}
