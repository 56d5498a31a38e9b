/* Sums, largest and smallest elements, norms.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <float.h>
#include <math.h>
#include <string.h>

void
ge_array_number (gpueig_type type, const void *x, int64_t i, double value[2])
{
  const int parts = 1 + gpueig_is_complex (type);
  value[1] = 0;
  for (int k = 0; k < parts; k++)
    value[k] = gpueig_is_double (type) ? ((const double *) x)[parts * i + k]
                                       : ((const float *) x)[parts * i + k];
}

/* Read the first element of X, of TYPE, to host memory, as a complex double.  */
static gpueig_status
fetch_number (ge_place *place, gpueig_type type, const void *x, double value[2])
{
  double raw[2];
  GE_TRY (place->ops->download (place->ctx, raw, x, gpueig_scalar_size (type)));
  ge_array_number (type, raw, 0, value);
  return GPUEIG_OK;
}

gpueig_status
ge_array_reduce (ge_place *place, ge_reduce_op op, gpueig_type type,
                 int64_t left, int64_t n, int64_t right, const void *x,
                 void *to)
{
  const ge_reduction r = { .op = op,
                           .type = type,
                           .left = left,
                           .n = n,
                           .right = right,
                           .x = x,
                           .to = to };
  return place->ops->reduce (place->ctx, &r);
}

/* Compute OP over N elements of X, of TYPE, at least one.  */
static gpueig_status
reduce_all (ge_place *place, ge_reduce_op op, gpueig_type type, int64_t n,
            const void *x, double value[2])
{
  const int real
      = op == GE_SUM_ABS || op == GE_SUM_SQUARES || op == GE_LARGEST_ABS;
  const gpueig_type out = real ? ge_make_real (type) : type;
  void *to;
  /* a GPU writes the number to the host itself */
  GE_TRY (ge_alloc (place->ctx, place->device < 0 ? GE_HOST : GE_PINNED, 1,
                    gpueig_scalar_size (out), &to));
  GE_TRY (ge_array_reduce (place, op, type, 1, n, 1, x, to));
  GE_TRY (place->ops->wait (place->ctx));
  ge_array_number (out, to, 0, value);
  return GPUEIG_OK;
}

/* --- along one dimension --- */

int
ge_array_dimension (const gpueig_shape *s, int dim)
{
  if (dim >= 0)
    return dim;
  for (int d = 0; d < s->n_dims; d++)
    if (s->dims[d] != 1)
      return d;
  return 0;
}

ge_reduction
ge_array_along (const gpueig_shape *s, int dim, const void *x)
{
  ge_reduction r = { .type = s->type, .left = 1, .n = 1, .right = 1, .x = x };
  for (int d = 0; d < s->n_dims; d++)
    *(d < dim ? &r.left : d == dim ? &r.n : &r.right) *= s->dims[d];
  return r;
}

static const ge_reduce_op reductions[]
    = { [GPUEIG_SUM] = GE_SUM,         [GPUEIG_SUM_SQUARES] = GE_SUM_SQUARES,
        [GPUEIG_LARGEST] = GE_LARGEST, [GPUEIG_SMALLEST] = GE_SMALLEST,
        [GPUEIG_PRODUCT] = GE_PRODUCT, [GPUEIG_ANY] = GE_ANY,
        [GPUEIG_ALL] = GE_ALL,         [GPUEIG_MEAN] = GE_SUM };

static int
is_extreme (gpueig_reduction op)
{
  return op == GPUEIG_LARGEST || op == GPUEIG_SMALLEST;
}

/* Nonzero if OP takes complex numbers without imaginary parts as real: for their order, and
   because (Inf + 0i) * 1 has a NaN.  */
static int
wants_real (gpueig_reduction op)
{
  return is_extreme (op) || op == GPUEIG_PRODUCT;
}

/* *RESULT: OP along DIM of X, which has SHAPE; *AT, if it is not NULL: the positions.  */
static gpueig_status
reduce_data (ge_place *place, gpueig_reduction op, const gpueig_shape *x_shape,
             const void *x, int dim, gpueig_array *result, gpueig_array *at)
{
  /* truth values are for Octave, which makes doubles of others */
  const int64_t few = op != GPUEIG_ANY && op != GPUEIG_ALL ? 1
                      : gpueig_is_double (x_shape->type)   ? 1024
                                                           : 0;
  gpueig_shape shape = *x_shape;
  if ((unsigned) op > GPUEIG_MEAN || (at && ! is_extreme (op)))
    return gpueig_fail (place->ctx, GPUEIG_BAD_ARGUMENT, "no such operation");
  const int sums = ! is_extreme (op);
  dim = ge_array_dimension (&shape, dim);
  ge_reduction r = ge_array_along (&shape, dim, x);
  r.op = reductions[op];
  r.divisor = op == GPUEIG_MEAN ? (double) r.n : 0;
  if (dim < shape.n_dims && (sums || r.n > 0))
    shape.dims[dim] = 1;
  if (op == GPUEIG_SUM_SQUARES || op == GPUEIG_ANY || op == GPUEIG_ALL)
    shape.type = ge_make_real (shape.type);
  GE_TRY (ge_array_make_few (place, &shape, few, result, &r.to));
  if (at)
    GE_TRY (ge_array_make_positions (place, &shape, r.n, at, (void **) &r.at));
  if (r.left * r.right == 0 || (r.n == 0 && ! sums))
    return GPUEIG_OK;
  if (r.n > 0)
    return place->ops->reduce (place->ctx, &r);
  return ge_array_fill (
      place, &shape, r.to,
      op == GPUEIG_MEAN ? NAN : op == GPUEIG_PRODUCT || op == GPUEIG_ALL);
}

static gpueig_status
reduce_array (gpueig_context *ctx, gpueig_reduction op, gpueig_array array,
              int dim, gpueig_array *result, gpueig_array *at)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  GE_TRY (wants_real (op) ? ge_array_get_narrow (&place, array, &a)
                          : ge_array_get (&place, array, &a));
  gpueig_shape shape = a.shape;
  /* The sum of a 0-by-0 matrix is that of a column, 0, as in Octave.  */
  if (dim < 0 && shape.n_dims == 2 && shape.dims[0] == 0 && shape.dims[1] == 0
      && ! is_extreme (op))
    shape.dims[1] = 1;
  return reduce_data (&place, op, &shape, a.block.ptr, dim, result, at);
}

gpueig_status
gpueig_array_reduce (gpueig_context *ctx, gpueig_reduction op, gpueig_array a,
                     int dim, gpueig_array *result)
{
  const int mark = ge_array_begin (ctx, result);
  return ge_array_end (ctx, mark, result,
                       reduce_array (ctx, op, a, dim, result, NULL));
}

gpueig_status
gpueig_array_extreme (gpueig_context *ctx, gpueig_reduction op, gpueig_array a,
                      int dim, gpueig_array *result, gpueig_array *at)
{
  const int mark = ge_array_begin (ctx, result);
  *at = 0;
  return ge_array_end_two (ctx, mark, result, at,
                           reduce_array (ctx, op, a, dim, result, at));
}

GE_ARRAY_PUBLIC (gpueig_array_variance, result,
                 (ctx, array, dim, divisor, root, result), gpueig_array array,
                 int dim, double divisor, int root, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  GE_TRY (ge_array_get (&place, array, &a));
  if (a.shape.count == 0)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "the array must not be empty");
  dim = ge_array_dimension (&a.shape, dim);
  ge_reduction r = ge_array_along (&a.shape, dim, a.block.ptr);
  void *mean;
  GE_TRY (ge_array_scratch (&place, r.type, r.left * r.right, &mean));
  r.op = GE_SUM;
  r.divisor = (double) r.n;
  r.to = mean;
  GE_TRY (place.ops->reduce (ctx, &r));
  gpueig_shape shape = a.shape;
  shape.type = ge_make_real (shape.type);
  if (dim < shape.n_dims)
    shape.dims[dim] = 1;
  r.op = GE_SUM_SQUARES;
  r.center = mean;
  r.divisor = divisor;
  r.root = root;
  GE_TRY (ge_array_make_few (&place, &shape, 1, result, &r.to));
  return place.ops->reduce (ctx, &r);
}

GE_ARRAY_PUBLIC (gpueig_array_scan, result, (ctx, op, array, dim, result),
                 gpueig_reduction op, gpueig_array array, int dim,
                 gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  if (op == GPUEIG_SUM_SQUARES || (unsigned) op > GPUEIG_PRODUCT)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such operation");
  GE_TRY (wants_real (op) ? ge_array_get_narrow (&place, array, &a)
                          : ge_array_get (&place, array, &a));
  dim = ge_array_dimension (&a.shape, dim);
  ge_scan s = ge_array_along (&a.shape, dim, a.block.ptr);
  s.op = reductions[op];
  GE_TRY (ge_array_make (&place, &a.shape, result, &s.to));
  return a.shape.count > 0 ? place.ops->scan (ctx, &s) : GPUEIG_OK;
}

static int
is_vector (const gpueig_shape *s)
{
  return s->n_dims == 2 && (s->dims[0] == 1 || s->dims[1] == 1);
}

GE_ARRAY_PUBLIC (gpueig_array_dot, result, (ctx, x, y, dim, result),
                 gpueig_array x, gpueig_array y, int dim, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array a, b;
  void *conj, *product;
  GE_TRY (ge_array_get (&place, x, &a));
  GE_TRY (ge_array_get (&place, y, &b));
  gpueig_shape shape = a.shape;
  if (dim < 0 && is_vector (&a.shape) && is_vector (&b.shape)
      && a.shape.count == b.shape.count)
    {
      shape.dims[0] = a.shape.count;
      shape.dims[1] = 1;
    }
  else if (a.shape.n_dims != b.shape.n_dims
           || memcmp (a.shape.dims, b.shape.dims, sizeof shape.dims) != 0)
    return gpueig_fail (ctx, GPUEIG_NONCONFORMANT,
                        "sizes of X and Y must match");
  const gpueig_type type = ge_common_type (a.shape.type, b.shape.type);
  GE_TRY (ge_array_scratch (&place, a.shape.type, shape.count, &conj));
  GE_TRY (ge_array_scratch (&place, type, shape.count, &product));
  ge_map map = ge_map_over (GE_MAP_CONJ, &shape);
  map.to = ge_view_of (&shape, conj);
  map.x = ge_view_of (&shape, a.block.ptr);
  GE_TRY (ge_array_map (&place, &map));
  map = ge_map_over (GE_MAP_TIMES, &shape);
  map.type = type;
  map.x = ge_view_of (&shape, conj);
  shape.type = b.shape.type;
  map.y = ge_view_of (&shape, b.block.ptr);
  shape.type = type;
  map.to = ge_view_of (&shape, product);
  GE_TRY (ge_array_map (&place, &map));
  return reduce_data (&place, GPUEIG_SUM, &shape, product, dim, result, NULL);
}

GE_ARRAY_PUBLIC (gpueig_array_trace, NULL, (ctx, array, sum),
                 gpueig_array array, double sum[2])
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  void *line;
  sum[0] = sum[1] = 0;
  GE_TRY (ge_array_get (&place, array, &a));
  const int64_t n = a.shape.dims[0];
  if (a.shape.n_dims > 2 || a.shape.dims[1] != n)
    return gpueig_fail (ctx, GPUEIG_NOT_SQUARE, "only valid on square matrix");
  if (n == 0)
    return GPUEIG_OK;
  const gpueig_type type = a.shape.type;
  const ge_view d = ge_view_diagonal (type, n, a.block.ptr, 0);
  GE_TRY (ge_array_scratch (&place, type, n, &line));
  GE_TRY (ge_array_map_line (&place, GE_MAP_COPY, type, n, d, GE_NO_VIEW,
                             ge_view_line (type, line)));
  return reduce_all (&place, GE_SUM, type, n, line, sum);
}

/* --- norms --- */

/* Compute the largest sum of moduli over the second dimension of X
   (left-by-n-by-right).  */
static gpueig_status
largest_sum (ge_place *place, gpueig_type type, int64_t left, int64_t n,
             int64_t right, const void *x, double *norm)
{
  const gpueig_type real = ge_make_real (type);
  void *sums;
  double value[2];
  GE_TRY (ge_array_scratch (place, real, left * right, &sums));
  GE_TRY (ge_array_reduce (place, GE_SUM_ABS, type, left, n, right, x, sums));
  GE_TRY (reduce_all (place, GE_LARGEST_ABS, real, left * right, sums, value));
  *norm = value[0];
  return GPUEIG_OK;
}

gpueig_status
ge_array_norm_1 (ge_place *place, gpueig_type type, int64_t m, int64_t n,
                 const void *x, double *norm)
{
  return largest_sum (place, type, 1, m, n, x, norm);
}

/* The root of the sum of squares; if that is near overflow or underflow, of the elements
   divided by the largest modulus.  */
gpueig_status
ge_array_frobenius (ge_place *place, gpueig_type type, int64_t n, const void *x,
                    double *norm)
{
  const int is_double = gpueig_is_double (type);
  const double low = is_double ? DBL_MIN / DBL_EPSILON : FLT_MIN / FLT_EPSILON;
  const double high = is_double ? DBL_MAX : FLT_MAX;
  double value[2], largest[2];
  void *scaled;
  GE_TRY (reduce_all (place, GE_SUM_SQUARES, type, n, x, value));
  *norm = sqrt (value[0]);
  if (value[0] != value[0] || (value[0] > low && value[0] <= high))
    return GPUEIG_OK;
  GE_TRY (reduce_all (place, GE_LARGEST_ABS, type, n, x, largest));
  *norm = largest[0];
  if (largest[0] == 0 || ! (largest[0] <= high))
    return GPUEIG_OK;
  const ge_view size = { .type = ge_make_real (type), .re = largest[0] };
  GE_TRY (ge_array_scratch (place, type, n, &scaled));
  GE_TRY (ge_array_map_line (place, GE_MAP_DIVIDE, type, n,
                             ge_view_line (type, x), size,
                             ge_view_line (type, scaled)));
  GE_TRY (reduce_all (place, GE_SUM_SQUARES, type, n, scaled, value));
  *norm = largest[0] * sqrt (value[0]);
  return GPUEIG_OK;
}

/* Compute the 2-norm of X, m-by-n in host memory, m >= n, with elements of modulus at most
   1, from the largest eigenvalue of X' X: unlike LAPACK's singular value decomposition this
   solver can be interrupted.  */
static gpueig_status
spectral_by_product (ge_place *place, gpueig_type type, int64_t m, int64_t n,
                     const void *x, double *norm)
{
  gpueig_options options = gpueig_default_options ();
  void *c, *lambda;
  double value[2];
  GE_TRY (ge_array_scratch (place, type, n * n, &c));
  GE_TRY (ge_array_scratch (place, ge_make_real (type), 1, &lambda));
  GE_TRY (ge_array_multiply (place, type, "CN", n, n, m, 1, x, x, c));
  GE_TRY (ge_array_make_hermitian (place, type, n, 1, c));
  const gpueig_symmetric problem = { .type = type,
                                     .n = n,
                                     .pages = 1,
                                     .a = c,
                                     .select = GPUEIG_SELECT_INDEX,
                                     .first = n,
                                     .last = n,
                                     .lambda = lambda };
  options.backend = GPUEIG_CPU;
  GE_TRY (gpueig_eig_symmetric (place->ctx, &problem, &options, NULL));
  GE_TRY (fetch_number (place, ge_make_real (type), lambda, value));
  *norm = sqrt (value[0]);
  return GPUEIG_OK;
}

/* The largest singular value; NaN if an element is NaN or Inf, as from Octave's norm.  */
static gpueig_status
spectral (ge_place *place, const ge_array *a, double *norm)
{
  enum
  {
    LARGE = 64 /* order from which the decomposition takes long */
  };
  const gpueig_type type = a->shape.type;
  int64_t m = a->shape.dims[0], n = a->shape.dims[1];
  double value[2];
  void *copy, *s;
  GE_TRY (reduce_all (place, GE_LARGEST_ABS, type, a->shape.count, a->block.ptr,
                      value));
  *norm = NAN;
  if (! (value[0] <= DBL_MAX))
    return GPUEIG_OK;
  *norm = value[0];
  ge_map map = ge_map_over (GE_MAP_COPY, &a->shape);
  map.x = ge_view_of (&a->shape, a->block.ptr);
  GE_TRY (ge_array_scratch (place, type, a->shape.count, &copy));
  map.to = ge_view_of (&a->shape, copy);
  if (m < n)
    {
      map.to.stride[0] = n;
      map.to.stride[1] = 1;
      const int64_t rows = m;
      m = n;
      n = rows;
    }
  if (place->device < 0 && n >= LARGE && value[0] >= FLT_MIN)
    {
      map.op = GE_MAP_DIVIDE;
      map.y = (ge_view){ .type = ge_make_real (type), .re = value[0] };
      GE_TRY (ge_array_map (place, &map));
      GE_TRY (spectral_by_product (place, type, m, n, copy, norm));
      *norm *= value[0];
      return GPUEIG_OK;
    }
  GE_TRY (ge_array_map (place, &map));
  GE_TRY (ge_array_scratch (place, ge_make_real (type), n, &s));
  GE_TRY (place->ops->svd (place->ctx, type, m, n, copy, s, NULL, NULL));
  GE_TRY (fetch_number (place, ge_make_real (type), s, value));
  *norm = value[0];
  return GPUEIG_OK;
}

GE_ARRAY_PUBLIC (gpueig_array_norm, NULL, (ctx, which, array, norm),
                 gpueig_norm which, gpueig_array array, double *norm)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  double value[2];
  *norm = 0;
  GE_TRY (ge_array_get (&place, array, &a));
  const gpueig_type type = a.shape.type;
  const int64_t m = a.shape.dims[0], n = a.shape.dims[1], count = a.shape.count;
  const void *x = a.block.ptr;
  if (a.shape.n_dims > 2)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "only valid for 2-D objects");
  if (count == 0)
    return GPUEIG_OK;
  const int vector = is_vector (&a.shape);
  switch (which)
    {
    case GPUEIG_NORM_1:
      return vector ? largest_sum (&place, type, 1, count, 1, x, norm)
                    : largest_sum (&place, type, 1, m, n, x, norm);
    case GPUEIG_NORM_INF:
      if (! vector)
        return largest_sum (&place, type, m, n, 1, x, norm);
      GE_TRY (reduce_all (&place, GE_LARGEST_ABS, type, count, x, value));
      *norm = value[0];
      return GPUEIG_OK;
    case GPUEIG_NORM_2:
      if (! vector)
        return spectral (&place, &a, norm);
      return ge_array_frobenius (&place, type, count, x, norm);
    case GPUEIG_NORM_FRO:
      return ge_array_frobenius (&place, type, count, x, norm);
    }
  return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "no such norm");
}
