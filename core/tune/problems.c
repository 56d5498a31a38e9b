/* Random problems, and timed calls of the public functions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tune/tune.h"

#include <float.h>
#include <math.h>

/* A pseudo-random number in (-1/2, 1/2), a function of I.  */
static double
uniform (uint64_t i)
{
  uint64_t h = (i + 1) * 0x9E3779B97F4A7C15u;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9u;
  h ^= h >> 32;
  return (double) (h >> 11) * 0x1p-53 - 0.5;
}

static void
set (int is_double, void *x, int64_t i, double value)
{
  if (is_double)
    ((double *) x)[i] = value;
  else
    ((float *) x)[i] = (float) value;
}

static int
is_symmetric_method (ge_method method)
{
  const ge_solver_id solver = ge_method_table[method].solver;
  return solver == GE_EIG_SYMMETRIC || solver == GE_JACOBI_EIG
         || solver == GE_ONESIDED_EIG;
}

static int
is_tridiagonal_method (ge_method method)
{
  const ge_solver_id solver = ge_method_table[method].solver;
  return solver == GE_MRRR || solver == GE_TDINV;
}

/* Diagonals: the main one is room->a + n pages, the others are its neighbours.  Random,
   (1, 4, 1) or Wilkinson's.  */
static void
fill_diagonals (const ge_tune_room *room, const ge_time *t)
{
  const int64_t n = t->n,
                count = n * t->pages * (1 + gpueig_is_complex (t->type));
  for (int64_t i = 0; i < 3 * count; i++)
    {
      const int on = i >= count && i < 2 * count;
      double x = uniform ((uint64_t) i) + (on ? 3 : 0);
      if (t->kind / GE_OF_SPECTRUM == GE_SPREAD)
        x = on ? 4 : 1;
      else if (t->kind / GE_OF_SPECTRUM == GE_CLUSTERED)
        x = on ? fabs ((double) (i % n) - (double) (n - 1) / 2) : 1;
      set (gpueig_is_double (t->type), room->a, i, x);
    }
}

/* Random pages, symmetric ones if SYMMETRIC is not 0, times SCALE, plus DIAGONAL.  */
static void
fill_pages (void *x, const ge_time *t, int symmetric, double scale,
            double diagonal)
{
  const int is_double = gpueig_is_double (t->type);
  const int parts = 1 + gpueig_is_complex (t->type);
  const int64_t n = t->n;
  for (int64_t p = 0; p < t->pages; p++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = 0; i < n; i++)
        {
          const int lower = i >= j || ! symmetric;
          const int64_t at = i + n * (j + n * p);
          const int64_t from = lower ? at : j + n * (i + n * p);
          const double re = scale * uniform (2 * (uint64_t) from);
          const double im = scale * uniform (2 * (uint64_t) from + 1);
          set (is_double, x, parts * at, re + (i == j ? diagonal : 0));
          if (parts == 2)
            set (is_double, x, 2 * at + 1,
                 symmetric && i == j ? 0
                 : lower             ? im
                                     : -im);
        }
}

/* Fill the guess room->b with eigenvectors that have errors which one step removes.  */
static gpueig_status
fill_guess (gpueig_context *ctx, const ge_tune_room *room, const ge_time *t)
{
  const int is_double = gpueig_is_double (t->type);
  const int64_t count
      = t->n * t->n * t->pages * (1 + gpueig_is_complex (t->type));
  const double size = 0.1 * sqrt (is_double ? DBL_EPSILON : FLT_EPSILON)
                      / sqrt ((double) t->n);
  ge_time without = *t;
  without.kind &= ~GE_FROM_GUESS;
  GE_TRY (ge_tune_call (ctx, room, &without));
  for (int64_t i = 0; i < count; i++)
    set (is_double, room->b, i,
         (is_double ? ((const double *) room->v)[i]
                    : (double) ((const float *) room->v)[i])
             + size * uniform ((uint64_t) i));
  return GPUEIG_OK;
}

gpueig_status
ge_tune_fill (gpueig_context *ctx, const ge_tune_room *room, const ge_time *t)
{
  if (is_tridiagonal_method (t->method))
    {
      fill_diagonals (room, t);
      return GPUEIG_OK;
    }
  fill_pages (room->a, t, is_symmetric_method (t->method), 1, 0);
  if (t->kind & GE_OF_PAIRS)
    fill_pages (room->b, t, 1, 1 / (double) t->n, 2);
  return t->kind & GE_FROM_GUESS ? fill_guess (ctx, room, t) : GPUEIG_OK;
}

static gpueig_status
call_solver (gpueig_context *ctx, const ge_tune_room *room, const ge_time *t,
             const gpueig_options *options, gpueig_info *info)
{
  const ge_solver_id solver = ge_method_table[t->method].solver;
  void *const v = t->kind & GE_WITH_VECTORS ? room->v : NULL;
  const size_t bytes
      = (size_t) (t->n * t->pages) * gpueig_scalar_size (t->type);
  const char *below = room->a, *diagonal = below + bytes,
             *above = diagonal + bytes;
  const gpueig_symmetric s
      = { .type = t->type,
          .n = t->n,
          .pages = t->pages,
          .a = solver == GE_MRRR ? NULL : room->a,
          .b = t->kind & GE_OF_PAIRS ? room->b : NULL,
          .guess = t->kind & GE_FROM_GUESS ? room->b : NULL,
          .d = diagonal,
          .e = above,
          .lambda = room->lambda,
          .v = v };
  const gpueig_general general = { .type = t->type,
                                   .n = t->n,
                                   .pages = t->pages,
                                   .a = room->a,
                                   .balance = 1,
                                   .lambda = room->lambda,
                                   .v = v };
  const gpueig_schur_problem schur = { .type = t->type,
                                       .n = t->n,
                                       .pages = t->pages,
                                       .a = room->a,
                                       .s = room->lambda,
                                       .u = v };
  const gpueig_svd_problem svd = { .type = t->type,
                                   .m = t->n,
                                   .n = t->n,
                                   .pages = t->pages,
                                   .a = room->a,
                                   .s = room->lambda,
                                   .u = v ? room->b : NULL,
                                   .v = v };
  const gpueig_tdinv_problem inverse = { .type = t->type,
                                         .n = t->n,
                                         .c = below,
                                         .a = diagonal,
                                         .b = above,
                                         .band = -1,
                                         .x = room->v };
  switch (solver)
    {
    case GE_JACOBI_EIG:
      return gpueig_jacobi_eig (ctx, &s, options, info);
    case GE_ONESIDED_EIG:
      return gpueig_onesided_eig (ctx, &s, options, info);
    case GE_EIG_GENERAL:
      return gpueig_eig_general (ctx, &general, options, info);
    case GE_COMPLEX_EIG:
      return gpueig_complex_eig (ctx, &general, options, info);
    case GE_SCHUR:
      return gpueig_schur (ctx, &schur, options, info);
    case GE_SVD:
      return gpueig_svd (ctx, &svd, options, info);
    case GE_TDINV:
      return gpueig_tdinv (ctx, &inverse, options, info);
    case GE_MRRR:
      return gpueig_mrrr (ctx, &s, options, info);
    default:
      return gpueig_eig_symmetric (ctx, &s, options, info);
    }
}

gpueig_status
ge_tune_call (gpueig_context *ctx, const ge_tune_room *room, ge_time *t)
{
  gpueig_options options = gpueig_default_options ();
  gpueig_info info;
  options.backend = t->backend;
  options.method = ge_method_name (t->method);
  ctx->measured = t->method;
  const gpueig_status status = call_solver (ctx, room, t, &options, &info);
  ctx->measured = GE_AUTO;
  /* Transfers overlap with the solution of a stack's pieces.  Apart from the solutions a
     call takes no longer than a few launches.  */
  t->seconds = fmax (info.time_total - info.time_transfer, info.time_solve);
  if (t->pages > 1 && info.time_solve > 0)
    t->seconds = fmin (t->seconds, info.time_solve + 1e-4);
  t->seconds = fmin (info.time_total, t->seconds);
  t->transfer = info.time_total - t->seconds;
  return status;
}
