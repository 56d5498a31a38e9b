/* The inverse of a tridiagonal matrix: checks, choice of method and backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"
#include "tdinv/tdinv.h"

#include <math.h>

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
check_tdinv (gpueig_context *ctx, const gpueig_tdinv_problem *t)
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
scale_tridiagonal (gpueig_context *ctx, const gpueig_tdinv_problem *t,
                   ge_tdinv_problem *p)
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
tdinv (gpueig_context *ctx, const void *given, const gpueig_options *options,
       gpueig_info *info)
{
  const gpueig_tdinv_problem *problem = given;
  ge_tdinv_problem scaled;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_TDINV, options, &method));
  GE_TRY (check_tdinv (ctx, problem));
  if (problem->n == 0)
    {
      if (problem->rcond)
        *problem->rcond = INFINITY;
      return GPUEIG_OK;
    }
  GE_TRY (scale_tridiagonal (ctx, problem, &scaled));
  return ge_run (ctx, GE_TDINV, method, &scaled, options, info);
}

static int
tdinv_arguments (const void *given, ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_tdinv_problem *t = given;
  const size_t size = gpueig_scalar_size (t->type);
  const int64_t off = t->n > 0 ? t->n - 1 : t->n;
  const int64_t count
      = t->band >= 0 && t->band > t->n
            ? 0 /* refused */
            : ge_argument_count (ge_tdinv_rows (t), ge_tdinv_columns (t), 1);
  argument[0]
      = GE_OUT (t, x, count, t->x_im ? gpueig_real_size (t->type) : size);
  argument[1] = GE_OUT (t, x_im, count, gpueig_real_size (t->type));
  argument[2] = GE_SMALL_IN (t, c, off, size);
  argument[3] = GE_SMALL_IN (t, a, t->n, size);
  argument[4] = GE_SMALL_IN (t, b, off, size);
  return 5;
}

static const ge_layout layout
    = { .size = GE_PROBLEM_SIZE (gpueig_tdinv_problem),
        .place = offsetof (gpueig_tdinv_problem, place),
        .arguments = tdinv_arguments };

GE_PUBLIC (gpueig_tdinv, gpueig_tdinv_problem, &layout, tdinv, GE_TDINV, NULL)

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
ge_cpu_tdinv (gpueig_context *ctx, const void *problem, const ge_plan *plan,
              const gpueig_options *options, gpueig_info *info)
{
  const ge_tdinv_problem *p = problem;
  const gpueig_tdinv_problem *t = &p->given;
  ge_tdinv_generators g;
  int accepted = 0;
  (void) options;

  ge_info_method (info, "generators");
  GE_TRY (generate (ctx, t, &g));
  ge_report (ctx, "generators: order %lld, rcond %.3g", (long long) t->n,
             g.rcond);
  if (t->rcond)
    *t->rcond = g.rcond;
  prepare_output (t);
  if (g.singular)
    return GE_BY_TYPE (t->type, ge_tdinv_by_infinity, (ctx, t));
  if (plan->method == GE_METHOD_TDINV_SHERMAN)
    {
      ge_info_method (info, "sherman-morrison");
      if (ge_tdinv_try_sherman (p))
        GE_TRY (ge_tdinv_by_sherman_morrison (ctx, t, &g, &accepted));
      return accepted ? GPUEIG_OK : ge_tdinv_fail_sherman (ctx);
    }
  return GE_BY_TYPE (t->type, ge_tdinv_by_generators, (ctx, t, &g));
}

/* --- shares of the columns on several GPUs --- */

enum
{
  /* The least elements, and columns, of a share: a GPU computes fewer in less time than
     starting a thread for it takes.  */
  RESULT_ELEMENTS = 1000000,
  FEW_COLUMNS = 64
};

static void
describe_tdinv (const void *problem, ge_shape *shape)
{
  const gpueig_tdinv_problem *t = &((const ge_tdinv_problem *) problem)->given;
  *shape = (ge_shape){
    .type = t->type, .n = t->n, .pages = 1, .outputs = 1, .is_tridiagonal = 1
  };
}

static int64_t
count_columns (const void *problem, ge_method method, int64_t *least)
{
  const gpueig_tdinv_problem *t = &((const ge_tdinv_problem *) problem)->given;
  (void) method;
  *least = RESULT_ELEMENTS / t->n;
  if (*least < FEW_COLUMNS)
    *least = FEW_COLUMNS;
  return t->band < 0 ? ge_tdinv_columns (t) : 1;
}

/* Set division->columns, the list of column indices of which shares are parts.  */
static gpueig_status
number_columns (gpueig_context *ctx, const void *problem, ge_method method,
                ge_division *division)
{
  const gpueig_tdinv_problem *t = &((const ge_tdinv_problem *) problem)->given;
  int64_t *all;
  (void) method;
  division->columns = t->columns;
  if (t->columns)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, t->n, &all));
  for (int64_t j = 0; j < t->n; j++)
    all[j] = j;
  division->columns = all;
  return GPUEIG_OK;
}

/* Only the first share computes the reciprocal condition number.  */
static ge_tdinv_problem
share_columns (const ge_tdinv_problem *p, const int64_t *columns, int64_t first,
               int64_t count)
{
  const gpueig_tdinv_problem *t = &p->given;
  const size_t size
      = t->x_im ? gpueig_real_size (t->type) : gpueig_scalar_size (t->type);
  ge_tdinv_problem share = *p;
  share.given.columns = columns + first;
  share.given.n_columns = count;
  share.given.x = ge_page (t->x, first, t->n, size);
  share.given.x_im = ge_page (t->x_im, first, t->n, size);
  share.given.rcond = first == 0 ? t->rcond : NULL;
  share.scaled.columns = share.given.columns;
  share.scaled.n_columns = count;
  share.scaled.x = share.given.x;
  share.scaled.x_im = share.given.x_im;
  share.scaled.rcond = share.given.rcond;
  return share;
}

static void
take_columns (const void *problem, const ge_division *division, int i,
              gpueig_context *child, void *share)
{
  const int64_t first = division->begin[i];
  (void) child;
  *(ge_tdinv_problem *) share = share_columns (
      problem, division->columns, first, division->begin[i + 1] - first);
}

static const ge_layout factored
    = { .size = GE_PROBLEM_SIZE (ge_tdinv_problem),
        .place = offsetof (ge_tdinv_problem, given.place) };

const ge_solver_entry ge_tdinv_entry
    = { .id = GE_TDINV,
        .cpu = ge_cpu_tdinv,
        .layout = &factored,
        .describe = describe_tdinv,
        .uses = GE_PANELS,
        .next = { { GE_METHOD_TDINV_GENERATORS, GE_LEFT_FAILED } },
        .units = count_columns,
        .divide = number_columns,
        .share = take_columns };
