/* The inverse of a tridiagonal matrix: checks, choice of method and backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/cpu.h"
#include "tdinv/tdinv.h"

#include <math.h>
#include <string.h>

static const char *const methods[]
    = { "auto", "generators", "sherman-morrison", "pivoted", NULL };

/* --- checks --- */

static gpueig_status
check_vector (gpueig_context *ctx, gpueig_type type, const void *x,
              int64_t count, const char *name)
{
  if (count > 0 && ! x)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "%s is NULL", name);
  int64_t at = ge_find_nonfinite (ctx, type, x, count);
  if (at < 0)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_NONFINITE,
                      "the %sdiagonal must be finite, but its element %lld is "
                      "NaN or Inf",
                      name, (long long) at + 1);
}

static gpueig_status
check (gpueig_context *ctx, const gpueig_tdinv_problem *t)
{
  int64_t total;
  if ((unsigned) t->type > GPUEIG_COMPLEX_DOUBLE)
    return gpueig_fail (ctx, GPUEIG_WRONG_TYPE, "unknown scalar type %d",
                        (int) t->type);
  if (t->n < 0 || (t->columns && t->n_columns < 0))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "negative size");
  if (t->band >= 0 && (t->columns || t->band > t->n))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "a band of %lld is more than the order %lld, or is "
                        "asked for together with columns",
                        (long long) t->band, (long long) t->n);
  GE_TRY (ge_multiply (ctx, ge_tdinv_rows (t), ge_tdinv_columns (t), &total));
  GE_TRY (ge_multiply (ctx, total, 16, &total));
  GE_TRY (ge_multiply (ctx, t->n, 256, &total));
  if (t->n == 0)
    return GPUEIG_OK;
  GE_TRY (check_vector (ctx, t->type, t->c, t->n - 1, "sub"));
  GE_TRY (check_vector (ctx, t->type, t->a, t->n, "main "));
  GE_TRY (check_vector (ctx, t->type, t->b, t->n - 1, "super"));
  if (! t->x && ge_tdinv_columns (t) > 0)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "x is NULL");
  for (int64_t k = 0; t->columns && k < t->n_columns; k++)
    if (t->columns[k] < 0 || t->columns[k] >= t->n)
      return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                          "there is no column %lld in a matrix of order %lld",
                          (long long) t->columns[k] + 1, (long long) t->n);
  return GPUEIG_OK;
}

int64_t
gpueig_outside_tridiagonal (gpueig_context *ctx, gpueig_type type, int64_t n,
                            const void *x)
{
  const int parts = 1 + gpueig_is_complex (type);
  return gpueig_is_double (type) ? ge_outside_tridiagonal_d (ctx, n, parts, x)
                                 : ge_outside_tridiagonal_s (ctx, n, parts, x);
}

/* --- scaling --- */

enum
{
  CLOSE
  = 16 /* no scaling if the exponent of the largest element is at most this */
};

static gpueig_status
scale (gpueig_context *ctx, const gpueig_tdinv_problem *t, ge_tdinv_problem *p)
{
  const void *const bands[] = { t->c, t->a, t->b };
  const int is_double = gpueig_is_double (t->type);
  const int64_t parts = 1 + gpueig_is_complex (t->type);
  int64_t least = INT64_MAX, most = INT64_MIN;
  void *scaled[3];
  *p = (ge_tdinv_problem){ *t, *t, 0 };
  for (int k = 0; k < 3; k++)
    (is_double ? ge_tdinv_exponents_d : ge_tdinv_exponents_s) (
        parts * (k == 1 ? t->n : t->n - 1), bands[k], &least, &most);
  if (most < least || (most <= CLOSE && most >= -CLOSE)
      || (most > 0 && least - most < (is_double ? -1022 : -126)))
    return GPUEIG_OK;
  for (int k = 0; k < 3; k++)
    {
      GE_TRY (ge_alloc (ctx, GE_HOST, t->n, gpueig_scalar_size (t->type),
                        &scaled[k]));
      (is_double ? ge_tdinv_multiply_d : ge_tdinv_multiply_s) (
          parts * (k == 1 ? t->n : t->n - 1), bands[k], -most, scaled[k]);
    }
  p->scaled.c = scaled[0];
  p->scaled.a = scaled[1];
  p->scaled.b = scaled[2];
  p->exponent = most;
  return GPUEIG_OK;
}

/* --- public function --- */

static gpueig_status
tdinv (gpueig_context *ctx, const gpueig_tdinv_problem *problem,
       const gpueig_options *options, gpueig_info *info)
{
  ge_tdinv_problem scaled;
  GE_TRY (ge_check_options (ctx, options, methods));
  GE_TRY (check (ctx, problem));
  if (problem->n == 0)
    {
      if (problem->rcond)
        *problem->rcond = INFINITY;
      return GPUEIG_OK;
    }
  GE_TRY (scale (ctx, problem, &scaled));
  return ge_run (ctx, GE_TDINV,
                 ge_cuda_pays (GE_SIZE_TDINV, problem->type, problem->n, 1, 1),
                 &scaled, options, info);
}

gpueig_status
gpueig_tdinv (gpueig_context *ctx, const gpueig_tdinv_problem *problem,
              const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  ge_begin (&call, ctx, &options, &info);
  return ge_end (&call, tdinv (ctx, problem, options, info));
}

/* --- CPU backend --- */

static gpueig_status
alloc_factor (gpueig_context *ctx, gpueig_type type, int64_t n,
              ge_tdinv_factor *f)
{
  GE_TRY (ge_alloc (ctx, GE_HOST, n, gpueig_real_size (type), &f->re));
  f->im = NULL;
  if (gpueig_is_complex (type))
    GE_TRY (ge_alloc (ctx, GE_HOST, n, gpueig_real_size (type), &f->im));
  return GE_ALLOC (ctx, GE_HOST, n, &f->e);
}

static gpueig_status
generate (gpueig_context *ctx, const gpueig_tdinv_problem *t,
          ge_tdinv_generators *g)
{
  g->n = t->n;
  GE_TRY (alloc_factor (ctx, t->type, t->n, &g->u));
  GE_TRY (alloc_factor (ctx, t->type, t->n, &g->v));
  GE_TRY (alloc_factor (ctx, t->type, t->n, &g->p));
  GE_TRY (alloc_factor (ctx, t->type, t->n, &g->q));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, t->n, &g->first));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, t->n, &g->last));
  return GE_BY_TYPE (t->type, ge_tdinv_generate, (ctx, t, g));
}

static void
prepare_output (const gpueig_tdinv_problem *t)
{
  size_t count = (size_t) (ge_tdinv_rows (t) * ge_tdinv_columns (t));
  if (t->x_im)
    ge_prepare_output (t->x_im, count * gpueig_real_size (t->type));
  ge_prepare_output (t->x, count
                               * (t->x_im ? gpueig_real_size (t->type)
                                          : gpueig_scalar_size (t->type)));
}

gpueig_status
ge_cpu_tdinv (gpueig_context *ctx, const void *problem,
              const gpueig_options *options, gpueig_info *info)
{
  const ge_tdinv_problem *p = problem;
  const gpueig_tdinv_problem *t = &p->given;
  ge_tdinv_generators g;
  int served = 1;

  ge_info_method (info, "generators");
  GE_TRY (generate (ctx, t, &g));
  ge_report (ctx, "generators: order %lld, rcond %.3g", (long long) t->n,
             g.rcond);
  if (t->rcond)
    *t->rcond = g.rcond;
  prepare_output (t);
  if (g.singular)
    return GE_BY_TYPE (t->type, ge_tdinv_by_infinity, (ctx, t));
  if (strcmp (options->method, "pivoted") == 0)
    {
      ge_info_method (info, "pivoted");
      GE_TRY (GE_BY_TYPE (t->type, ge_tdinv_by_pivoting,
                          (ctx, &p->scaled, p->exponent, &served)));
      if (served)
        return GPUEIG_OK;
      ge_info_fallback (info, "generators");
    }
  if (strcmp (options->method, "sherman-morrison") == 0)
    {
      ge_info_method (info, "sherman-morrison");
      GE_TRY (GE_BY_TYPE (t->type, ge_tdinv_by_sherman_morrison,
                          (ctx, &p->scaled, p->exponent, &g, &served)));
      if (served)
        return GPUEIG_OK;
      ge_info_fallback (info, "generators");
    }
  return GE_BY_TYPE (t->type, ge_tdinv_by_generators, (ctx, t, &g));
}
