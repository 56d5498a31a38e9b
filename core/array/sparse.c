/* Sparse matrices: copies of them, products with full ones, sparse results.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A pattern is one block: the starts of all rows, then the indices, at a multiple of FIRST
   numbers, which cuSPARSE reads aligned.  The numbers are int32_t where all fit, so that less
   memory is read.  */

#include "array/array.h"

#include <math.h>
#include <string.h>

enum
{
  FIRST = 4
};

static int64_t
first_index (int64_t rows)
{
  return (rows + FIRST) / FIRST * FIRST;
}

/* Check the pattern of S; *LONGEST: the most elements of a row.  */
static gpueig_status
check_pattern (gpueig_context *ctx, const gpueig_sparse *s, int64_t *longest)
{
  *longest = 0;
  if (s->rows < 0 || s->columns < 0 || s->starts[0] != 0)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "a sparse matrix has a size and starts with element 0");
  for (int64_t i = 0; i < s->rows; i++)
    {
      if (s->starts[i + 1] < s->starts[i])
        return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                            "row %lld of a sparse matrix ends before it starts",
                            (long long) i);
      if (s->starts[i + 1] - s->starts[i] > *longest)
        *longest = s->starts[i + 1] - s->starts[i];
      for (int64_t e = s->starts[i]; e < s->starts[i + 1]; e++)
        if (s->indices[e] < 0 || s->indices[e] >= s->columns)
          return gpueig_fail (
              ctx, GPUEIG_BAD_ARGUMENT,
              "row %lld of a sparse matrix has column %lld of %lld",
              (long long) i, (long long) s->indices[e], (long long) s->columns);
    }
  return GPUEIG_OK;
}

/* Copy COUNT integers to TO as integers of BYTES bytes.  */
static void
pack (int bytes, int64_t count, const int64_t *from, void *to)
{
  int32_t *narrow = to;
  if (bytes == sizeof (int64_t))
    memcpy (to, from, (size_t) count * sizeof (int64_t));
  else
    for (int64_t i = 0; i < count; i++)
      narrow[i] = (int32_t) from[i];
}

/* Copy COUNT integers of BYTES bytes FROM to TO.  */
static void
unpack (int bytes, int64_t count, const void *from, int64_t *to)
{
  for (int64_t i = 0; i < count; i++)
    to[i] = ge_sparse_number (from, bytes == sizeof (int64_t), i);
}

/* A new array for the pattern P, whose BYTES are not set; *DATA: the starts.  */
static gpueig_status
make_pattern (ge_place *place, ge_pattern p, gpueig_array *result, void **data)
{
  gpueig_context *ctx = place->ctx;
  const int64_t numbers = first_index (p.rows) + p.elements;
  p.bytes
      = numbers <= INT32_MAX && p.columns <= INT32_MAX && ! ctx->wide_indices
            ? 4
            : 8;
  /* in units of doubles, with room for both widths' last one */
  const gpueig_shape shape
      = ge_matrix_shape (GPUEIG_DOUBLE, (numbers * p.bytes + 7) / 8, 1);
  GE_TRY (ge_array_make (place, &shape, result, data));
  ge_array_find_slot (ctx, *result)->pattern = p;
  return GPUEIG_OK;
}

/* The indices of the pattern P with the starts DATA.  */
static void *
indices_of (const ge_pattern *p, void *data)
{
  return (char *) data + first_index (p->rows) * p->bytes;
}

static gpueig_status
upload_pattern (ge_place *place, const gpueig_sparse *s, gpueig_array *result)
{
  gpueig_context *ctx = place->ctx;
  ge_pattern p = { .rows = s->rows, .columns = s->columns };
  GE_TRY (check_pattern (ctx, s, &p.longest));
  p.elements = s->starts[s->rows];
  char *packed;
  void *data;
  GE_TRY (make_pattern (place, p, result, &data));
  p.bytes = ge_array_find_slot (ctx, *result)->pattern.bytes;
  const int64_t first = first_index (p.rows), numbers = first + p.elements;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, numbers, (size_t) p.bytes, (void **) &packed));
  memset (packed, 0, (size_t) (first * p.bytes));
  pack (p.bytes, p.rows + 1, s->starts, packed);
  pack (p.bytes, p.elements, s->indices, indices_of (&p, packed));
  return place->ops->upload (ctx, data, packed, (size_t) (numbers * p.bytes));
}

static gpueig_status
new_sparse (gpueig_context *ctx, gpueig_array like, const gpueig_sparse *s,
            gpueig_array *pattern, gpueig_array *values)
{
  ge_place place = { .ctx = ctx };
  ge_array a;
  void *data;
  GE_TRY (ge_array_get (&place, like, &a));
  GE_TRY (upload_pattern (&place, s, pattern));
  const int64_t elements = s->starts[s->rows];
  const gpueig_shape shape = ge_matrix_shape (s->type, elements, 1);
  GE_TRY (ge_array_make (&place, &shape, values, &data));
  if (elements == 0)
    return GPUEIG_OK;
  return place.ops->upload (ctx, data, s->values,
                            (size_t) elements * gpueig_scalar_size (s->type));
}

gpueig_status
gpueig_array_new_sparse (gpueig_context *ctx, gpueig_array like,
                         const gpueig_sparse *s, gpueig_array *pattern,
                         gpueig_array *values)
{
  *values = 0;
  const int mark = ge_array_begin (ctx, pattern);
  return ge_array_end_two (ctx, mark, pattern, values,
                           new_sparse (ctx, like, s, pattern, values));
}

static gpueig_status
no_pattern (gpueig_context *ctx, const ge_array *values)
{
  return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                      "no pattern of a sparse matrix with %lld elements",
                      (long long) values->shape.count);
}

static gpueig_status
get_pattern (ge_place *place, gpueig_array pattern, ge_array *s)
{
  GE_TRY (ge_array_get_any (place, pattern, s));
  return s->pattern.bytes ? GPUEIG_OK : no_pattern (place->ctx, s);
}

GE_ARRAY_PUBLIC (gpueig_array_download_pattern, NULL,
                 (ctx, pattern, starts, indices), gpueig_array pattern,
                 int64_t *starts, int64_t *indices)
{
  ge_place place = { .ctx = ctx };
  ge_array s;
  char *packed;
  GE_TRY (get_pattern (&place, pattern, &s));
  const ge_pattern *p = &s.pattern;
  const int64_t numbers = first_index (p->rows) + p->elements;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, numbers, (size_t) p->bytes, (void **) &packed));
  GE_TRY (place.ops->download (ctx, packed, s.block.ptr,
                               (size_t) (numbers * p->bytes)));
  unpack (p->bytes, p->rows + 1, packed, starts);
  unpack (p->bytes, p->elements, indices_of (p, packed), indices);
  return GPUEIG_OK;
}

/* Set *S to the sparse matrix of PATTERN and VALUES but for its values, which become *V.  */
static gpueig_status
get_sparse (ge_place *place, gpueig_array pattern, gpueig_array values,
            ge_sparse *s, ge_array *v)
{
  ge_array a;
  GE_TRY (get_pattern (place, pattern, &a));
  GE_TRY (ge_array_get (place, values, v));
  const ge_pattern *p = &a.pattern;
  *s = (ge_sparse){ .wide = p->bytes == sizeof (int64_t),
                    .rows = p->rows,
                    .columns = p->columns,
                    .elements = p->elements,
                    .longest = p->longest,
                    .starts = a.block.ptr,
                    .indices = indices_of (p, a.block.ptr) };
  return v->shape.count == p->elements ? GPUEIG_OK : no_pattern (place->ctx, v);
}

static gpueig_shape
shape_of (gpueig_type type, const ge_sparse *s)
{
  return (gpueig_shape){ .type = type,
                         .n_dims = 2,
                         .dims = { s->rows, s->columns } };
}

GE_ARRAY_PUBLIC (gpueig_array_multiply_sparse, result,
                 (ctx, pattern, values, full, result), gpueig_array pattern,
                 gpueig_array values, gpueig_array full, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_sparse_product p;
  ge_array v, b;
  GE_TRY (get_sparse (&place, pattern, values, &p.a, &v));
  GE_TRY (ge_array_get (&place, full, &b));
  p.type = ge_common_type (v.shape.type, b.shape.type);
  p.n = b.shape.dims[1];
  gpueig_shape shape = shape_of (p.type, &p.a);
  if (b.shape.n_dims != 2 || b.shape.dims[0] != p.a.columns)
    return ge_nonconformant (ctx, &shape, &b.shape);
  shape.dims[1] = p.n;
  GE_TRY (ge_array_make (&place, &shape, result, &p.c));
  if (p.a.rows == 0 || p.n == 0)
    return GPUEIG_OK;
  shape.count = p.a.rows * p.n;
  if (p.a.elements == 0)
    return ge_array_clear (&place, &shape, p.c);
  GE_TRY (ge_array_in_type (&place, &v, p.type, &p.a.values));
  GE_TRY (ge_array_in_type (&place, &b, p.type, &p.b));
  return place.ops->multiply_sparse (ctx, &p);
}

/* --- sparse results --- */

/* Set list->rows and columns, and *IS_EMPTY if the operands' sizes and numbers of elements show that
   the result has no elements.  */
static gpueig_status
find_size (gpueig_context *ctx, ge_sparse_list *list, int *is_empty)
{
  const ge_sparse *a = &list->a, *b = &list->b;
  const int multiplies = list->op == GPUEIG_SPARSE_MULTIPLY,
            transposes = list->op == GPUEIG_SPARSE_TRANSPOSE;
  const gpueig_shape shapes[2]
      = { shape_of (list->type, a), shape_of (list->type, b) };
  int64_t places;
  if (! transposes
      && (multiplies ? a->columns != b->rows
                     : a->rows != b->rows || a->columns != b->columns))
    return ge_nonconformant (ctx, &shapes[0], &shapes[1]);
  list->rows = transposes ? a->columns : a->rows;
  list->columns = transposes ? a->rows : multiplies ? b->columns : a->columns;
  *is_empty = multiplies || list->op == GPUEIG_SPARSE_TIMES
                  ? a->elements == 0 || b->elements == 0
                  : a->elements == 0 && b->elements == 0;
  return ge_multiply (ctx, list->rows, list->columns, &places);
}

/* New arrays of what LIST has.  */
static gpueig_status
make_sparse (ge_place *place, const ge_sparse_list *list, gpueig_array *pattern,
             gpueig_array *values)
{
  gpueig_context *ctx = place->ctx;
  ge_pattern p = { .rows = list->rows,
                   .columns = list->columns,
                   .elements = list->elements };
  const gpueig_shape shape = ge_matrix_shape (list->type, list->elements, 1);
  void *data, *numbers;
  GE_TRY (make_pattern (place, p, pattern, &data));
  GE_TRY (ge_array_make (place, &shape, values, &numbers));
  ge_pattern *made = &ge_array_find_slot (ctx, *pattern)->pattern;
  GE_TRY (place->ops->compress_sparse (
      ctx, list, made->bytes == sizeof (int64_t), data, indices_of (made, data),
      &made->longest));
  return ge_array_copy (place, list->elements, list->type, numbers, list->type,
                        list->values);
}

/* GPUEIG_NONFINITE unless the COUNT numbers of X are finite, and so is the sum of their moduli.  */
static gpueig_status
check_sum (ge_place *place, gpueig_type type, int64_t count, const void *x)
{
  const gpueig_type real = ge_make_real (type);
  double sum = 0;
  float single = 0;
  void *to;
  if (count == 0)
    return GPUEIG_OK;
  GE_TRY (ge_array_scratch (place, real, 1, &to));
  GE_TRY (ge_array_reduce (place, GE_SUM_ABS, type, 1, count, 1, x, to));
  if (gpueig_is_double (real))
    GE_TRY (place->ops->download (place->ctx, &sum, to, sizeof sum));
  else
    GE_TRY (place->ops->download (place->ctx, &single, to, sizeof single));
  return isfinite (sum + (double) single)
             ? GPUEIG_OK
             : gpueig_fail (place->ctx, GPUEIG_NONFINITE,
                            "elements of sparse matrices are NaN, Inf or too "
                            "large for their product");
}

static gpueig_status
combine_sparse (gpueig_context *ctx, gpueig_sparse_op op,
                const gpueig_array operands[4], gpueig_array *pattern,
                gpueig_array *values)
{
  const int transposes = op == GPUEIG_SPARSE_TRANSPOSE;
  ge_place place = { .ctx = ctx };
  ge_sparse_list list = { .op = op };
  ge_array v, w = { .lost = 0 };
  int is_empty = 0;
  if (op < 0 || op >= GPUEIG_SPARSE_OPS)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "no operation of sparse matrices has number %d",
                        (int) op);
  GE_TRY (get_sparse (&place, operands[0], operands[1], &list.a, &v));
  if (! transposes)
    GE_TRY (get_sparse (&place, operands[2], operands[3], &list.b, &w));
  list.type
      = transposes ? v.shape.type : ge_common_type (v.shape.type, w.shape.type);
  GE_TRY (find_size (ctx, &list, &is_empty));
  if (op == GPUEIG_SPARSE_TIMES)
    {
      GE_TRY (check_sum (&place, v.shape.type, v.shape.count, v.block.ptr));
      GE_TRY (check_sum (&place, w.shape.type, w.shape.count, w.block.ptr));
    }
  if (is_empty)
    return make_sparse (&place, &list, pattern, values);
  GE_TRY (ge_array_in_type (&place, &v, list.type, &list.a.values));
  if (! transposes)
    GE_TRY (ge_array_in_type (&place, &w, list.type, &list.b.values));
  GE_TRY (place.ops->combine_sparse (ctx, &list));
  return make_sparse (&place, &list, pattern, values);
}

gpueig_status
gpueig_array_combine_sparse (gpueig_context *ctx, gpueig_sparse_op op,
                             gpueig_array a_pattern, gpueig_array a_values,
                             gpueig_array b_pattern, gpueig_array b_values,
                             gpueig_array *pattern, gpueig_array *values)
{
  const gpueig_array operands[4] = { a_pattern, a_values, b_pattern, b_values };
  *values = 0;
  const int mark = ge_array_begin (ctx, pattern);
  return ge_array_end_two (ctx, mark, pattern, values,
                           combine_sparse (ctx, op, operands, pattern, values));
}
