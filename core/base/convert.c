/* Scalars and problems of one type as those of another; complex numbers as separate arrays
   of real and imaginary parts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

#include <string.h>

void
ge_to_complex (gpueig_type type, int64_t count, const void *from, void *to)
{
  const int is_double = gpueig_is_double (type);
  if (gpueig_is_complex (type))
    memcpy (to, from, (size_t) count * gpueig_scalar_size (type));
  else
    for (int64_t i = 0; i < 2 * count; i++)
      if (is_double)
        ((double *) to)[i] = i % 2 ? 0 : ((const double *) from)[i / 2];
      else
        ((float *) to)[i] = i % 2 ? 0 : ((const float *) from)[i / 2];
}

/* *TO: COUNT doubles with the values of X, or NULL.  */
static gpueig_status
widen (gpueig_context *ctx, int64_t count, const float *x, const void **to)
{
  double *wide;
  if (! x)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &wide));
  for (int64_t i = 0; i < count; i++)
    wide[i] = (double) x[i];
  *to = wide;
  return GPUEIG_OK;
}

gpueig_status
ge_widen_problem (gpueig_context *ctx, const gpueig_symmetric *s,
                  gpueig_symmetric *wide)
{
  const int is_complex = gpueig_is_complex (s->type);
  const int64_t n = s->n, count = n * n * s->pages;
  *wide = *s;
  if (gpueig_is_double (s->type))
    return GPUEIG_OK;
  *wide = (gpueig_symmetric){ .type = is_complex ? GPUEIG_COMPLEX_DOUBLE
                                                 : GPUEIG_DOUBLE,
                              .n = n,
                              .pages = s->pages };
  GE_TRY (widen (ctx, count << is_complex, s->a, &wide->a));
  GE_TRY (widen (ctx, count << is_complex, s->b, &wide->b));
  GE_TRY (
      ge_alloc (ctx, GE_HOST, n * s->pages, sizeof (double), &wide->lambda));
  return s->v ? ge_alloc (ctx, GE_HOST, count, gpueig_scalar_size (wide->type),
                          &wide->v)
              : GPUEIG_OK;
}

static void
narrow (int64_t count, const double *from, float *to)
{
  for (int64_t i = 0; to && i < count; i++)
    to[i] = (float) from[i];
}

void
ge_narrow_results (const gpueig_symmetric *wide, const gpueig_symmetric *s)
{
  const int64_t values = s->n * s->pages;
  if (gpueig_is_double (s->type))
    return;
  narrow (values, wide->lambda, s->lambda);
  narrow (values * s->n << gpueig_is_complex (s->type), wide->v, s->v);
}

/* --- gpueig_split --- */

enum
{
  PIECE = 65536 /* numbers of a piece */
};

typedef struct
{
  const void *from;
  void *re, *im;
  int64_t count;
} parts;

#define SPLIT(name, real)                                                      \
  static void name (void *data, int64_t i, int thread)                         \
  {                                                                            \
    const parts *p = data;                                                     \
    const real *x = p->from;                                                   \
    real *re = p->re, *im = p->im;                                             \
    const int64_t from = i * PIECE;                                            \
    const int64_t to = from + PIECE < p->count ? from + PIECE : p->count;      \
    (void) thread;                                                             \
    for (int64_t k = from; k < to; k++)                                        \
      {                                                                        \
        re[k] = x[2 * k];                                                      \
        if (im)                                                                \
          im[k] = x[2 * k + 1];                                                \
      }                                                                        \
  }
SPLIT (split_float, float)
SPLIT (split_double, double)

void
gpueig_split (gpueig_context *ctx, gpueig_type type, int64_t count,
              const void *from, void *re, void *im)
{
  parts p = { from, re, im, count };
  ge_share_pass (ctx, (count + PIECE - 1) / PIECE, 0.5 * (double) count,
                 gpueig_is_double (type) ? split_double : split_float, &p);
}
