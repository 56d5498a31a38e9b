/* Arrays: their registry in the context, and operations composed of those of the
   backends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   registry.c       slots and generations; memory; open results
   transfer.c       copies to and from the host
   elementwise.c    broadcasting, types, comparisons (elementwise.h, functions.h: one element)
   parts.c          indices, assignment
   shape.c          reshape, repetition, concatenation, transposes, bands
   reduce.c         sums, norms
   order.c          sorting, medians, positions
   linear.c         products, systems of linear equations
   sparse.c         sparse matrices
   inverse.c        inverses, Cholesky factors
   factors.c        LU and QR factors
   fft.c            Fourier transforms
   cpu.c, cpu_typed.c, cpu_sort.c, cpu_order_typed.c, cpu_linear_typed.c,
   cpu_sparse_typed.c, cpu_root_typed.c
                    the CPU's table of operations (ops.h)  */

#ifndef GE_ARRAY_H
#define GE_ARRAY_H 1

#include "array/ops.h"
#include "base/solver.h"
#include "gpueig_array.h"

/* The starts and indices of a sparse matrix, for an array without numbers.  */
typedef struct
{
  int bytes; /* of an index; 0: the array has numbers */
  int64_t rows, columns, elements;
  int64_t longest; /* the most elements of a row */
} ge_pattern;

/* A live array.  */
typedef struct
{
  gpueig_shape shape;
  ge_block block;
  int device; /* -1: host memory */
  int lost;   /* the memory was lost with the GPU */
  int given;  /* a caller has the address, and may write there at any time */
  uint32_t generation;
  int64_t next_free; /* of slots not in use: the next one, or -1 */
  int64_t limit;     /* the elements are integers from 1 to it, or 0 */
  int bytes;         /* the elements are bytes, 0 or 1, and not yet doubles */
  int settled;       /* page-locked memory to which nothing writes any more */
  ge_pattern pattern;
} ge_array;

/* The place of all operands of a call.  */
typedef struct
{
  gpueig_context *ctx;
  const ge_array_ops *ops;
  ge_space space;
  int device;
} ge_place;

/* --- registry.c --- */

/* Begin and end a public operation.  RESULT, NULL if there is none, is set to 0, and freed if the
   operation fails.  */
int ge_array_begin (gpueig_context *ctx, gpueig_array *result);
gpueig_status ge_array_end (gpueig_context *ctx, int mark, gpueig_array *result,
                            gpueig_status status);

/* As ge_array_end, with OTHER, a second result or NULL.  */
static inline gpueig_status
ge_array_end_two (gpueig_context *ctx, int mark, gpueig_array *result,
                  gpueig_array *other, gpueig_status status)
{
  if (status != GPUEIG_OK && other && *other)
    status = ge_array_end (ctx, mark, other, status);
  return ge_array_end (ctx, mark, result, status);
}

/* The public function NAME of CTX and further parameters, with the body that follows.  ARGUMENTS:
   the names of all.  */
#define GE_ARRAY_PUBLIC(name, result, arguments, ...)                          \
  static gpueig_status name##_body (gpueig_context *ctx, __VA_ARGS__);         \
  gpueig_status name (gpueig_context *ctx, __VA_ARGS__)                        \
  {                                                                            \
    const int mark = ge_array_begin (ctx, result);                             \
    return ge_array_end (ctx, mark, result, name##_body arguments);            \
  }                                                                            \
  static gpueig_status name##_body (gpueig_context *ctx, __VA_ARGS__)

/* Set *A to the array ARRAY.  If place->ops is NULL, PLACE becomes the place of the array,
   and the device of the array is selected; otherwise the array must be in PLACE.  */
gpueig_status ge_array_get (ge_place *place, gpueig_array array, ge_array *a);

/* As ge_array_get, but bytes stay bytes, and a few elements stay in page-locked memory.  */
gpueig_status ge_array_get_stored (ge_place *place, gpueig_array array,
                                   ge_array *a);

/* As ge_array_get, for the pattern of a sparse matrix as well as for numbers.  */
gpueig_status ge_array_get_any (ge_place *place, gpueig_array array,
                                ge_array *a);

/* As ge_array_get, but *A is a real copy of a complex array without imaginary parts, which
   Octave would have made real: for orders and for functions with branch cuts.
   elementwise.c  */
gpueig_status ge_array_get_narrow (ge_place *place, gpueig_array array,
                                   ge_array *a);

/* Make a new array of SHAPE (count is computed) in PLACE; *DATA: the elements.  If there are
   FEW or less, which the host is going to read, a GPU writes them to page-locked memory,
   where they stay until they become an operand.  */
gpueig_status ge_array_make_few (ge_place *place, const gpueig_shape *shape,
                                 int64_t few, gpueig_array *result,
                                 void **data);

static inline gpueig_status
ge_array_make (ge_place *place, const gpueig_shape *shape, gpueig_array *result,
               void **data)
{
  return ge_array_make_few (place, shape, 0, result, data);
}

/* As ge_array_make, for truth values, which are bytes until they are used as numbers.  */
gpueig_status ge_array_make_bytes (ge_place *place, gpueig_shape shape,
                                   gpueig_array *result, void **data);

/* Make a shape of these dimensions, without trailing ones.  */
gpueig_status ge_array_shape (gpueig_context *ctx, gpueig_type type, int n_dims,
                              const int64_t *dims, gpueig_shape *shape);

/* Compute *RESULT = MAP, of SHAPE, which becomes complex if an element of the real MAP is.
   On a GPU this is found out when ge_array_get or describe reads the result, or before an
   operand changes or is freed; immediately if the operands are not the arrays X and Y, or
   if a caller has the address of one.  */
gpueig_status ge_array_widen (ge_place *place, const ge_map *map,
                              const gpueig_shape *shape, gpueig_array x,
                              gpueig_array y, gpueig_array *result);

/* Prepare a change of elements of ARRAY.  */
gpueig_status ge_array_change (gpueig_context *ctx, gpueig_array array);

/* Scratch memory in PLACE until the end of the call.  */
static inline gpueig_status
ge_array_scratch (ge_place *place, gpueig_type type, int64_t count, void **data)
{
  return ge_alloc (place->ctx, place->space, count, gpueig_scalar_size (type),
                   data);
}

/* The array ARRAY, NULL if there is none; valid until the next array is made.  */
ge_array *ge_array_find_slot (const gpueig_context *ctx, gpueig_array array);

/* --- elementwise.c --- */

gpueig_type ge_make_complex (gpueig_type type);
gpueig_type ge_make_real (gpueig_type type);
gpueig_type ge_common_type (gpueig_type x, gpueig_type y);

/* The shape of an M-by-N matrix.  */
static inline gpueig_shape
ge_matrix_shape (gpueig_type type, int64_t m, int64_t n)
{
  return (gpueig_shape){
    .type = type, .n_dims = 2, .dims = { m, n }, .count = m * n
  };
}

/* A view of DATA with the strides of an array of SHAPE.  */
ge_view ge_view_of (const gpueig_shape *shape, const void *data);

/* A map over the dimensions of SHAPE, without operands and result.  */
ge_map ge_map_over (ge_map_op op, const gpueig_shape *shape);

/* In place of an operand that an operation does not have.  */
#define GE_NO_VIEW ((ge_view){ 0 })

/* Make a view of consecutive elements, or of diagonal K of a matrix with M rows.  */
static inline ge_view
ge_view_line (gpueig_type type, const void *data)
{
  return (ge_view){ .data = (void *) data, .type = type, .stride = { 1 } };
}

static inline ge_view
ge_view_diagonal (gpueig_type type, int64_t m, const void *data, int64_t k)
{
  const int64_t first = k < 0 ? -k : k * m;
  return (ge_view){ .data = (char *) data
                            + first * (int64_t) gpueig_scalar_size (type),
                    .type = type,
                    .stride = { m + 1 } };
}

/* Run MAP, its dimensions merged where possible.  Nothing is done for no elements.  */
gpueig_status ge_array_map (ge_place *place, ge_map *map);
gpueig_status ge_array_find (ge_place *place, ge_map *map, int64_t *first);

/* TO = OP (X, Y) in TYPE, COUNT elements of such views or scalars; or *FIRST: the first one for
   which OP is true, or -1.  */
gpueig_status ge_array_map_line (ge_place *place, ge_map_op op,
                                 gpueig_type type, int64_t count, ge_view x,
                                 ge_view y, ge_view to);
gpueig_status ge_array_find_line (ge_place *place, ge_map_op op,
                                  gpueig_type type, int64_t count, ge_view x,
                                  ge_view y, int64_t *first);

/* GPUEIG_NONCONFORMANT with both sizes in the message.  */
gpueig_status ge_nonconformant (gpueig_context *ctx, const gpueig_shape *x,
                                const gpueig_shape *y);

/* TO = X, COUNT elements, with conversion.  */
gpueig_status ge_array_copy (ge_place *place, int64_t count,
                             gpueig_type to_type, void *to, gpueig_type type,
                             const void *x);

/* *IS: whether A, n-by-n-by-pages, is symmetric or, if CONJUGATE, Hermitian.  */
gpueig_status ge_array_is_symmetric (ge_place *place, const gpueig_shape *shape,
                                     const void *a, int conjugate, int *is);

/* VALUE, or zeros, in TO, of SHAPE.  */
gpueig_status ge_array_fill (ge_place *place, const gpueig_shape *shape,
                             void *to, double value);
gpueig_status ge_array_clear (ge_place *place, const gpueig_shape *shape,
                              void *to);

/* TO, m-by-n, n <= m, becomes the first columns of the identity.  */
gpueig_status ge_array_set_identity (ge_place *place, gpueig_type type,
                                     int64_t m, int64_t n, void *to);

/* Advance the data of VIEW by COUNT elements.  */
static inline void
ge_advance (ge_view *view, int64_t count)
{
  view->data
      = (char *) view->data + count * (int64_t) gpueig_scalar_size (view->type);
}

/* --- linear.c --- */

/* Set *DATA to the elements of A in TYPE: those of A, or a converted copy.  */
gpueig_status ge_array_in_type (ge_place *place, const ge_array *a,
                                gpueig_type type, const void **data);

/* C = op (A) op (B) for PAGES pages, m-by-n, K inside; OP: two of "NTC".  */
gpueig_status ge_array_multiply (ge_place *place, gpueig_type type,
                                 const char *op, int64_t m, int64_t n,
                                 int64_t k, int64_t pages, const void *a,
                                 const void *b, void *c);

/* Nonzero in *IS if A, n-by-n, has only zeros where column - row is not in LOWER ..
   UPPER.  */
gpueig_status ge_array_is_banded (ge_place *place, gpueig_type type, int64_t n,
                                  const void *a, int64_t lower, int64_t upper,
                                  int *is);

/* C = (C + C') / 2, n-by-n, in each page.  */
gpueig_status ge_array_make_hermitian (ge_place *place, gpueig_type type,
                                       int64_t n, int64_t pages, void *c);

/* --- inverse.c --- */

/* X becomes the inverse of A, n-by-n, which is overwritten; *AT: 0, or the number of a pivot that
   is zero, and X is not set.  */
gpueig_status ge_array_invert (ge_place *place, gpueig_type type, int64_t n,
                               void *a, void *x, int64_t *at);

/* --- order.c --- */

/* *AT: a new array of SHAPE for positions up to LIMIT.  */
gpueig_status ge_array_make_positions (ge_place *place,
                                       const gpueig_shape *shape, int64_t limit,
                                       gpueig_array *at, void **list);

/* --- reduce.c --- */

/* The first dimension of S that is not 1, or DIM if that is not negative.  */
int ge_array_dimension (const gpueig_shape *s, int dim);

/* A reduction of X, of shape S, along DIM; neither the operation nor r.to is set.  */
ge_reduction ge_array_along (const gpueig_shape *s, int dim, const void *x);

/* TO: OP over the second dimension of X, LEFT-by-N-by-RIGHT elements of TYPE.  */
gpueig_status ge_array_reduce (ge_place *place, ge_reduce_op op,
                               gpueig_type type, int64_t left, int64_t n,
                               int64_t right, const void *x, void *to);

/* Read element I of X, of TYPE, in host memory to VALUE.  */
void ge_array_number (gpueig_type type, const void *x, int64_t i,
                      double value[2]);

/* The largest 1-norm of columns of the m-by-n matrix X.  */
gpueig_status ge_array_norm_1 (ge_place *place, gpueig_type type, int64_t m,
                               int64_t n, const void *x, double *norm);

/* The Frobenius norm of COUNT elements.  */
gpueig_status ge_array_frobenius (ge_place *place, gpueig_type type,
                                  int64_t count, const void *x, double *norm);

#endif
