/* Inverses of matrices: tridiagonal ones by gpueig_tdinv, others by LU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <float.h>
#include <math.h>

gpueig_status
ge_array_invert (ge_place *place, gpueig_type type, int64_t n, void *a, void *x,
                 int64_t *at)
{
  gpueig_context *ctx = place->ctx;
  ge_factors f = { .kind = GE_LU, .type = type, .m = n, .n = n, .a = a };
  const int mark = ge_mark (ctx);
  GE_TRY (ge_alloc (ctx, place->space, n, sizeof (int64_t), &f.pivots));
  GE_TRY (place->ops->factor (ctx, &f, at));
  if (*at == 0)
    {
      GE_TRY (ge_array_set_identity (place, type, n, n, x));
      GE_TRY (place->ops->solve (ctx, &f, 'N', n, x));
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* The three diagonals of A on the host, for gpueig_tdinv; *IS 0 if A has more.  */
static gpueig_status
get_tridiagonal (ge_place *place, const ge_array *a, gpueig_tdinv_problem *p,
                 int *is)
{
  gpueig_context *ctx = place->ctx;
  const gpueig_type type = a->shape.type;
  const int64_t n = a->shape.dims[0];
  const size_t size = gpueig_scalar_size (type);
  GE_TRY (ge_array_is_banded (place, type, n, a->block.ptr, -1, 1, is));
  if (! *is)
    return GPUEIG_OK;
  void *line, *host[3];
  GE_TRY (ge_array_scratch (place, type, n, &line));
  for (int d = 0; d < 3; d++)
    {
      const int64_t count = d == 1 ? n : n - 1;
      GE_TRY (ge_alloc (ctx, GE_HOST, n, size, &host[d]));
      if (count == 0)
        continue;
      const ge_view own = ge_view_diagonal (type, n, a->block.ptr, d - 1);
      GE_TRY (ge_array_map_line (place, GE_MAP_COPY, type, count, own,
                                 GE_NO_VIEW, ge_view_line (type, line)));
      GE_TRY (place->ops->download (ctx, host[d], line, (size_t) count * size));
    }
  *p = (gpueig_tdinv_problem){
    .type = type, .n = n, .c = host[0], .a = host[1], .b = host[2], .band = -1
  };
  return GPUEIG_OK;
}

static gpueig_status
invert_tridiagonal (ge_place *place, gpueig_tdinv_problem *p, void *x,
                    double *rcond)
{
  gpueig_context *ctx = place->ctx;
  gpueig_options options = gpueig_default_options ();
  options.backend = place->device < 0 ? GPUEIG_CPU : GPUEIG_CUDA;
  options.device = place->device < 0 ? 0 : place->device;
  const size_t bytes = (size_t) (p->n * p->n) * gpueig_scalar_size (p->type);
  p->x = x;
  p->rcond = rcond;
  if (place->device >= 0)
    GE_TRY (ge_alloc (ctx, GE_HOST, p->n * p->n, gpueig_scalar_size (p->type),
                      &p->x));
  GE_TRY (gpueig_tdinv (ctx, p, &options, NULL));
  return place->device < 0 ? GPUEIG_OK
                           : place->ops->upload (ctx, x, p->x, bytes);
}

GE_ARRAY_PUBLIC (gpueig_array_inverse, result, (ctx, array, result, rcond),
                 gpueig_array array, gpueig_array *result, double *rcond)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  gpueig_tdinv_problem tridiagonal;
  void *data, *factors;
  int is = 0;
  int64_t at = 0;
  double norm, inverse_norm;
  *rcond = 0;
  GE_TRY (ge_array_get (&place, array, &a));
  const gpueig_type type = a.shape.type;
  const int64_t n = a.shape.dims[0];
  if (a.shape.n_dims > 2 || a.shape.dims[1] != n)
    return gpueig_fail (ctx, GPUEIG_NOT_SQUARE,
                        "argument must be a square matrix");
  GE_TRY (ge_array_make (&place, &a.shape, result, &data));
  *rcond = INFINITY;
  if (n == 0)
    return GPUEIG_OK;
  *rcond = 0;
  GE_TRY (ge_array_norm_1 (&place, type, n, n, a.block.ptr, &norm));
  if (norm <= DBL_MAX && n > 2)
    GE_TRY (get_tridiagonal (&place, &a, &tridiagonal, &is));
  if (is)
    return invert_tridiagonal (&place, &tridiagonal, data, rcond);
  GE_TRY (ge_array_scratch (&place, type, n * n, &factors));
  GE_TRY (ge_array_copy (&place, n * n, type, factors, type, a.block.ptr));
  GE_TRY (ge_array_invert (&place, type, n, factors, data, &at));
  if (at > 0)
    return ge_array_fill (&place, &a.shape, data, INFINITY);
  GE_TRY (ge_array_norm_1 (&place, type, n, n, data, &inverse_norm));
  *rcond = 1 / norm / inverse_norm;
  if (! (*rcond > 0))
    *rcond = 0;
  return GPUEIG_OK;
}

GE_ARRAY_PUBLIC (gpueig_array_cholesky, result, (ctx, array, result, at),
                 gpueig_array array, gpueig_array *result, int64_t *at)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  void *data;
  *at = 0;
  GE_TRY (ge_array_get (&place, array, &a));
  const int64_t n = a.shape.dims[0];
  if (a.shape.n_dims > 2 || a.shape.dims[1] != n)
    return gpueig_fail (ctx, GPUEIG_NOT_SQUARE,
                        "argument must be a square matrix");
  GE_TRY (ge_array_make (&place, &a.shape, result, &data));
  if (n == 0)
    return GPUEIG_OK;
  ge_map map = ge_map_over (GE_MAP_COPY, &a.shape);
  map.banded = 1;
  map.upper = n;
  map.to = ge_view_of (&a.shape, data);
  map.x = ge_view_of (&a.shape, a.block.ptr);
  GE_TRY (ge_array_map (&place, &map));
  const ge_factors f = {
    .kind = GE_CHOLESKY, .type = a.shape.type, .m = n, .n = n, .a = data
  };
  GE_TRY (place.ops->factor (ctx, &f, at));
  if (*at > 0)
    {
      GE_TRY (gpueig_array_free (ctx, *result));
      *result = 0;
    }
  return GPUEIG_OK;
}
