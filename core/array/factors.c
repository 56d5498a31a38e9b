/* Factors of matrices: LU with row exchanges, QR.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"
#include "lapack/lapack.h"

/* Compute the permutation of M rows, from 1, by N exchanges in memory of PLACE; *SIGN: the
   sign of the permutation.  */
static gpueig_status
get_permutation (ge_place *place, const void *pivots, int64_t m, int64_t n,
                 double *permutation, int *sign)
{
  const int on_gpu = place->device >= 0;
  const size_t size = on_gpu ? sizeof (int64_t) : sizeof (lapack_int);
  void *host;
  GE_TRY (ge_alloc (place->ctx, GE_HOST, n, size, &host));
  GE_TRY (place->ops->download (place->ctx, host, pivots, (size_t) n * size));
  *sign = 1;
  for (int64_t i = 0; i < m; i++)
    permutation[i] = (double) (i + 1);
  for (int64_t i = 0; i < n; i++)
    {
      const int64_t k = (on_gpu ? ((const int64_t *) host)[i]
                                : ((const lapack_int *) host)[i])
                        - 1;
      const double old = permutation[i];
      permutation[i] = permutation[k];
      permutation[k] = old;
      *sign = k == i ? *sign : -*sign;
    }
  return GPUEIG_OK;
}

GE_ARRAY_PUBLIC (gpueig_array_lu, result,
                 (ctx, array, result, permutation, sign), gpueig_array array,
                 gpueig_array *result, double *permutation, int *sign)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  ge_factors f = { .kind = GE_LU };
  int64_t at;
  GE_TRY (ge_array_get (&place, array, &a));
  f.type = a.shape.type;
  f.m = a.shape.dims[0];
  f.n = a.shape.dims[1];
  const int64_t least = f.m < f.n ? f.m : f.n;
  GE_TRY (ge_array_make (&place, &a.shape, result, &f.a));
  if (a.shape.count == 0)
    return GPUEIG_OK;
  GE_TRY (ge_alloc (ctx, place.space, least, sizeof (int64_t), &f.pivots));
  GE_TRY (
      ge_array_copy (&place, a.shape.count, f.type, f.a, f.type, a.block.ptr));
  GE_TRY (place.ops->factor (ctx, &f, &at));
  return get_permutation (&place, f.pivots, f.m, least, permutation, sign);
}

/* Make Q, m-by-COLUMNS, from the reflectors F.  */
static gpueig_status
make_q (ge_place *place, const ge_factors *f, int64_t columns, gpueig_array *q)
{
  const gpueig_shape shape = ge_matrix_shape (f->type, f->m, columns);
  void *data;
  GE_TRY (ge_array_make (place, &shape, q, &data));
  GE_TRY (ge_array_set_identity (place, f->type, f->m, columns, data));
  return f->n > 0 && columns > 0
             ? place->ops->solve (place->ctx, f, 'N', columns, data)
             : GPUEIG_OK;
}

static gpueig_status
qr (gpueig_context *ctx, gpueig_array array, int economy, gpueig_array *q,
    gpueig_array *r)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  ge_factors f = { .kind = GE_QR };
  int64_t at;
  void *data;
  GE_TRY (ge_array_get (&place, array, &a));
  f.type = a.shape.type;
  f.m = a.shape.dims[0];
  f.n = a.shape.dims[1];
  const int64_t least = f.m < f.n ? f.m : f.n, columns = economy ? least : f.m;
  gpueig_shape shape = a.shape;
  shape.dims[0] = columns;
  GE_TRY (ge_array_make (&place, &shape, r, &data));
  if (a.shape.count > 0)
    {
      GE_TRY (ge_array_scratch (&place, f.type, a.shape.count, &f.a));
      GE_TRY (ge_array_scratch (&place, f.type, least, &f.tau));
      GE_TRY (ge_array_copy (&place, a.shape.count, f.type, f.a, f.type,
                             a.block.ptr));
      GE_TRY (place.ops->factor (ctx, &f, &at));
    }
  ge_map upper = ge_map_over (GE_MAP_COPY, &shape);
  upper.banded = 1;
  upper.upper = f.n;
  upper.to = ge_view_of (&shape, data);
  upper.x = ge_view_of (&a.shape, f.a);
  GE_TRY (ge_array_map (&place, &upper));
  f.n = least;
  return q ? make_q (&place, &f, columns, q) : GPUEIG_OK;
}

gpueig_status
gpueig_array_qr (gpueig_context *ctx, gpueig_array a, int economy,
                 gpueig_array *q, gpueig_array *r)
{
  const int mark = ge_array_begin (ctx, q);
  *r = 0;
  return ge_array_end_two (ctx, mark, q, r, qr (ctx, a, economy, q, r));
}
