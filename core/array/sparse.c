/* Sparse matrices: copies of them, and products with full ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A pattern is one block: the starts of all rows, then the indices, at a multiple of FIRST
   numbers, which cuSPARSE reads aligned.  The numbers are int32_t where all fit, so that less
   memory is read.  */

#include "array/array.h"

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

static gpueig_status
make_pattern (ge_place *place, const gpueig_sparse *s, gpueig_array *result)
{
  gpueig_context *ctx = place->ctx;
  int64_t longest;
  GE_TRY (check_pattern (ctx, s, &longest));
  ge_pattern p = { .rows = s->rows,
                   .columns = s->columns,
                   .elements = s->starts[s->rows],
                   .longest = longest };
  const int64_t first = first_index (p.rows), numbers = first + p.elements;
  p.bytes
      = numbers <= INT32_MAX && p.columns <= INT32_MAX && ! ctx->wide_indices
            ? 4
            : 8;
  /* in units of doubles, with room for both widths' last one */
  const gpueig_shape shape = { .type = GPUEIG_DOUBLE,
                               .n_dims = 2,
                               .dims = { (numbers * p.bytes + 7) / 8, 1 } };
  char *packed;
  void *data;
  GE_TRY (
      ge_alloc (ctx, GE_HOST, numbers, (size_t) p.bytes, (void **) &packed));
  memset (packed, 0, (size_t) (first * p.bytes));
  pack (p.bytes, p.rows + 1, s->starts, packed);
  pack (p.bytes, p.elements, s->indices, packed + first * p.bytes);
  GE_TRY (ge_array_make (place, &shape, result, &data));
  ge_array_find_slot (ctx, *result)->pattern = p;
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
  GE_TRY (make_pattern (&place, s, pattern));
  const int64_t elements = s->starts[s->rows];
  const gpueig_shape shape
      = { .type = s->type, .n_dims = 2, .dims = { elements, 1 } };
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
multiply_sparse (gpueig_context *ctx, gpueig_array pattern, gpueig_array values,
                 gpueig_array full, gpueig_array *result)
{
  ge_place place = { .ctx = ctx };
  ge_array s, v, b;
  GE_TRY (ge_array_get_any (&place, pattern, &s));
  GE_TRY (ge_array_get (&place, values, &v));
  GE_TRY (ge_array_get (&place, full, &b));
  if (! s.pattern.bytes || v.shape.count != s.pattern.elements)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "no pattern of a sparse matrix with %lld elements",
                        (long long) v.shape.count);
  const gpueig_type type = ge_common_type (v.shape.type, b.shape.type);
  const ge_pattern *a = &s.pattern;
  gpueig_shape shape
      = { .type = type, .n_dims = 2, .dims = { a->rows, a->columns } };
  if (b.shape.n_dims != 2 || b.shape.dims[0] != a->columns)
    return ge_nonconformant (ctx, &shape, &b.shape);
  shape.dims[1] = b.shape.dims[1];
  ge_sparse_product p = { .type = type,
                          .wide = a->bytes == sizeof (int64_t),
                          .m = a->rows,
                          .n = b.shape.dims[1],
                          .k = a->columns,
                          .elements = a->elements,
                          .longest = a->longest,
                          .starts = s.block.ptr,
                          .indices = (const char *) s.block.ptr
                                     + first_index (a->rows) * a->bytes };
  GE_TRY (ge_array_make (&place, &shape, result, &p.c));
  if (p.m == 0 || p.n == 0)
    return GPUEIG_OK;
  shape.count = p.m * p.n;
  if (p.elements == 0)
    return ge_array_clear (&place, &shape, p.c);
  GE_TRY (ge_array_in_type (&place, &v, type, &p.values));
  GE_TRY (ge_array_in_type (&place, &b, type, &p.b));
  return place.ops->multiply_sparse (ctx, &p);
}

gpueig_status
gpueig_array_multiply_sparse (gpueig_context *ctx, gpueig_array pattern,
                              gpueig_array values, gpueig_array b,
                              gpueig_array *result)
{
  GE_ARRAY_CALL (result, multiply_sparse (ctx, pattern, values, b, result));
}
