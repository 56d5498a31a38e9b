/* The operations of a backend on arrays: what core/array needs of the CPU and of the
   CUDA plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   All pointers are to memory of the backend: host memory, or memory of the selected
   GPU.  Operations of a GPU are queued on the context's stream and may return before
   they are done; those with a result on the host wait, unless it is page-locked.  Sizes are
   positive.  */

#ifndef GE_OPS_H
#define GE_OPS_H 1

#include "base/context.h"
#include "base/inline.h"
#include "gpueig_array.h"

enum
{
  GE_MAP_DIMS = 16
};

/* Elementwise operations z = op (x, y): those from GE_MAP_PLUS on have two operands,
   those from GE_MAP_EQ on are true or false.
   Functions, from SQRT on, are of all elements of an array in their order.  ERF to GAMMA, ATAN2 to REM, OR_NAN and MIDDLE are of
   real numbers.  */
// clang-format off
#define GE_MAP_UNARY(X)                                                        \
  X (COPY) X (NEGATE) X (ABS) X (REAL) X (IMAG) X (ARG) X (CONJ)
#define GE_MAP_FUNCTIONS(X)                                                    \
  X (SQRT) X (EXP) X (LOG) X (EXPM1) X (LOG1P) X (LOG2) X (LOG10) X (SIN) X (COS) X (TAN) X (ASIN)      \
  X (ACOS) X (ATAN) X (SINH) X (COSH) X (TANH) X (FLOOR) X (CEIL) X (ROUND)    \
  X (FIX) X (SIGN) X (ERF) X (GAMMA)
#define GE_MAP_BINARY(X)                                                       \
  X (PLUS) X (MINUS) X (TIMES) X (DIVIDE) X (POWER) X (MAX) X (MIN)            \
  X (MAX_OR_NAN) X (MIN_OR_NAN) X (ATAN2) X (HYPOT) X (MOD) X (REM)            \
  X (OR_NAN) /* x, or y if that is NaN; real */                                \
  X (MIDDLE) /* (x + y) / 2, real */                                           \
  X (EQ) X (NE) X (LT) X (LE) X (GT) X (GE)                                    \
  X (NEGATIVE) /* x < 0, real */                                               \
  X (NOT_CONJ) /* x is not conj (y) */
// clang-format on

typedef enum
{
#define GE_MAP_ENUM(name) GE_MAP_##name,
  GE_MAP_UNARY (GE_MAP_ENUM) GE_MAP_FUNCTIONS (GE_MAP_ENUM)
      GE_MAP_BINARY (GE_MAP_ENUM)
#undef GE_MAP_ENUM
} ge_map_op;

/* Nonzero if OP of real numbers can be complex, see el_is_beyond.  */
GE_INLINE int
ge_leaves_reals (ge_map_op op)
{
  switch (op)
    {
    case GE_MAP_SQRT:
    case GE_MAP_LOG:
    case GE_MAP_LOG1P:
    case GE_MAP_LOG2:
    case GE_MAP_LOG10:
    case GE_MAP_ASIN:
    case GE_MAP_ACOS:
    case GE_MAP_POWER:
      return 1;
    default:
      return 0;
    }
}

/* Element i of dimension d is at offset stride[d] * i, or stride[d] * list[d][i] where
   there is a list.  DATA is NULL for the scalar RE + i IM.  BYTES: of one operand, its elements are
   bytes, which count as numbers of TYPE.  */
typedef struct
{
  void *data;
  gpueig_type type;
  int bytes;
  double re, im;
  int64_t stride[GE_MAP_DIMS];
  const int64_t *list[GE_MAP_DIMS];
} ge_view;

/* TO = OP (X, Y) for all indices of DIMS, computed in TYPE; real operands of complex
   operations stay real.  TO holds bytes (0 or 1) if OP is true or false.  BANDED: where
   column - row, the indices of the first two dimensions, is less than LOWER or more
   than UPPER, the result is zero.  BEYOND, if it is not NULL: page-locked host memory, or host
   memory for the CPU, which becomes 1 if OP of real numbers is complex for an element.  */
typedef struct
{
  ge_map_op op;
  gpueig_type type;
  int n_dims;
  int64_t count, dims[GE_MAP_DIMS];
  int banded;
  int64_t lower, upper;
  ge_view to, x, y;
  int *beyond;
} ge_map;

typedef enum
{
  GE_SUM,         /* type TYPE */
  GE_SUM_ABS,     /* real */
  GE_SUM_SQUARES, /* of moduli, real */
  GE_LARGEST,     /* type TYPE; NaN only if there is nothing else; complex by */
  GE_SMALLEST,    /* modulus, then by argument */
  GE_LARGEST_ABS, /* real; NaN if there is one */
  GE_PRODUCT,     /* type TYPE */
  GE_ANY, /* real: 1 if an element is neither zero nor NaN, otherwise 0 */
  GE_ALL  /* real: 1 if no element is zero */
} ge_reduce_op;

/* Nonzero if OP combines elements of TYPE themselves, and not real numbers made of
   elements.  */
GE_INLINE int
ge_keeps_elements (ge_reduce_op op)
{
  return op == GE_SUM || op == GE_PRODUCT || op == GE_LARGEST
         || op == GE_SMALLEST;
}

/* TO (left-by-right) = OP over the second dimension of X (left-by-n-by-right).  From the elements
   CENTER (left-by-right) is subtracted before, unless it is NULL.  The results are divided by
   DIVISOR, unless it is 0, and of the real ones, with ROOT, the square roots taken.  AT, NULL but for
   GE_LARGEST and GE_SMALLEST: the first positions of the results, from 1; 1 for NaN.  */
typedef struct
{
  ge_reduce_op op;
  gpueig_type type;
  int64_t left, n, right;
  const void *x;
  void *to;
  const void *center;
  double divisor;
  int root;
  double *at;
} ge_reduction;

/* TO[i, k, j] = OP, which is GE_SUM, GE_PRODUCT, GE_LARGEST or GE_SMALLEST, over X[i, 0, j]
   to X[i, k, j], both left-by-n-by-right; TO may be X.  The other members are not used.  */
typedef ge_reduction ge_scan;

/* TO: each of COUNT columns of N elements of X in stable order, NaN as the largest, -0 equal
   to 0; complex numbers by modulus, then by argument in (-pi, pi].  AT, if it is not NULL:
   the former positions in the column, from 1.  MIDDLE: of the real numbers TO only those at
   (n - 1) / 2 and n / 2 need be in their places, and the last is NaN if one is.  */
typedef struct
{
  gpueig_type type;
  int descending, middle;
  int64_t n, count;
  const void *x;
  void *to;
  double *at;
} ge_sort;

/* C = op (A) op (B), m-by-n, for each page; op is given by 'N', 'T' or 'C'.  Page p of A
   is STRIDE_A * p elements behind A; 0: one A for all pages.  */
typedef struct
{
  gpueig_type type;
  char ta, tb;
  int64_t m, n, k, pages, stride_a, stride_b;
  const void *a, *b;
  void *c;
} ge_product;

/* A sparse matrix: row i has elements STARTS[i] to STARTS[i + 1] - 1 of VALUES, in the columns of
   INDICES, from 0.  Both have int64_t if WIDE, otherwise int32_t.  LONGEST: the most elements of a
   row.  */
typedef struct
{
  int wide;
  int64_t rows, columns, elements, longest;
  const void *starts, *indices, *values;
} ge_sparse;

/* Number I of the starts or indices LIST.  */
GE_INLINE int64_t
ge_sparse_number (const void *list, int wide, int64_t i)
{
  return wide ? ((const int64_t *) list)[i] : ((const int32_t *) list)[i];
}

GE_INLINE void
ge_sparse_set (void *list, int wide, int64_t i, int64_t number)
{
  if (wide)
    ((int64_t *) list)[i] = number;
  else
    ((int32_t *) list)[i] = (int32_t) number;
}

/* C = A B, with N columns; A has at least one element.  */
typedef struct
{
  gpueig_type type;
  ge_sparse a;
  int64_t n;
  const void *b;
  void *c;
} ge_sparse_product;

/* The elements of a sparse matrix, ROWS-by-COLUMNS, made by OP of A and B, which are of TYPE: element
   e, VALUES[e], is in place KEYS[e] of a matrix stored by rows.  The keys ascend.  */
typedef struct
{
  gpueig_sparse_op op;
  gpueig_type type;
  ge_sparse a, b;
  int64_t rows, columns;
  int64_t elements;
  int64_t *keys;
  void *values;
} ge_sparse_list;

typedef enum
{
  GE_LU,
  GE_CHOLESKY, /* of the upper triangle */
  GE_UPPER,    /* A is triangular, and not factored */
  GE_LOWER,
  GE_QR
} ge_factor_kind;

/* A, m-by-n with leading dimension m, is overwritten by its factors.  PIVOTS: n int64_t
   (LU); TAU: n of TYPE (QR).  */
typedef struct
{
  ge_factor_kind kind;
  gpueig_type type;
  int64_t m, n;
  void *a, *pivots, *tau;
} ge_factors;

/* Transforms of DATA, complex, left-by-n-by-right, along its second dimension, in place;
   neither direction divides by n.  */
typedef struct
{
  gpueig_type type;
  int inverse;
  int64_t left, n, right;
  void *data;
} ge_fft;

/* TO = X + F Y, X - F Y or F Y - X, COUNT doubles, the product being rounded.  */
typedef struct
{
  int64_t count;
  double factor;
  int minus_x, minus_y; /* not both */
  const double *x, *y;
  double *to;
} ge_scaled_sum;

struct ge_array_ops
{
  /* Copies of BYTES bytes; the second waits for all that was queued before.  HOST may
     be changed when the first returns.  */
  gpueig_status (*upload) (gpueig_context *ctx, void *to, const void *host,
                           size_t bytes);
  gpueig_status (*download) (gpueig_context *ctx, void *host, const void *from,
                             size_t bytes);
  gpueig_status (*wait) (gpueig_context *ctx);
  gpueig_status (*map) (gpueig_context *ctx, const ge_map *map);
  /* *FIRST: the first index, in column-major order, for which OP is true, or -1.  */
  gpueig_status (*find) (gpueig_context *ctx, const ge_map *map,
                         int64_t *first);
  gpueig_status (*reduce) (gpueig_context *ctx, const ge_reduction *r);
  gpueig_status (*scan) (gpueig_context *ctx, const ge_scan *s);
  gpueig_status (*sort) (gpueig_context *ctx, const ge_sort *s);
  /* LIST, with room for COUNT: the positions, from 1, of the elements of X, of TYPE, that
     are not zero; *N: how many.  */
  gpueig_status (*select) (gpueig_context *ctx, gpueig_type type, int64_t count,
                           const void *x, double *list, int64_t *n);
  /* TO[i] = FROM[X[i] - 1], COUNT elements of TYPE; *BAD, page-locked as map->beyond: 1 if
     an X[i] is not an integer in 1 .. LIMIT.  */
  gpueig_status (*pick) (gpueig_context *ctx, gpueig_type type, int64_t count,
                         const double *x, int64_t limit, const void *from,
                         void *to, int *bad);
  gpueig_status (*add_scaled) (gpueig_context *ctx, const ge_scaled_sum *s);
  gpueig_status (*multiply) (gpueig_context *ctx, const ge_product *p);
  gpueig_status (*multiply_sparse) (gpueig_context *ctx,
                                    const ge_sparse_product *p);
  /* Make ELEMENTS, KEYS and VALUES of LIST, in memory of the caller's frame.  */
  gpueig_status (*combine_sparse) (gpueig_context *ctx, ge_sparse_list *list);
  /* The starts and indices, WIDE or not, and the most elements of a row, of LIST, which may have
     no elements, rows or columns.  */
  gpueig_status (*compress_sparse) (gpueig_context *ctx,
                                    const ge_sparse_list *list, int wide,
                                    void *starts, void *indices,
                                    int64_t *longest);
  /* *AT: 0, or the number of the first pivot that is zero (LU) or not positive
     (Cholesky).  */
  gpueig_status (*factor) (gpueig_context *ctx, const ge_factors *f,
                           int64_t *at);
  /* B, m-by-COUNT, is overwritten by the solution of op (A) X = B, op given by TRANS
     ('N' or 'C'); for QR by Q B or Q' B.  */
  gpueig_status (*solve) (gpueig_context *ctx, const ge_factors *f, char trans,
                          int64_t count, void *b);
  /* A = U diag (S) V', m >= n: S n real numbers; U m-by-n and VT n-by-n, or both NULL.
     A is overwritten.  GPUEIG_SOLVER_FAILED if the iteration does not converge.  */
  gpueig_status (*svd) (gpueig_context *ctx, gpueig_type type, int64_t m,
                        int64_t n, void *a, void *s, void *u, void *vt);
  /* Replace T, n-by-n and upper triangular, by the principal square root; a real T has no
     negative eigenvalues.  Elements below the diagonal do not change.  */
  gpueig_status (*root) (gpueig_context *ctx, gpueig_type type, int64_t n,
                         void *t);
  /* *DONE is 0 if there is no library for it; the entry may be NULL.  */
  gpueig_status (*fft) (gpueig_context *ctx, const ge_fft *f, int *done);
};

extern const ge_array_ops ge_cpu_array_ops;

#endif
