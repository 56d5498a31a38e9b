/* Arrays that stay on the GPU, or in host memory where there is none, and operations on
   them; a companion of gpueig.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   An array has a type, two to GPUEIG_ARRAY_DIMS dimensions and a place: host memory, or
   the memory of one GPU.  It belongs to the context that made it and is named by a
   number, which is never used again: an array that was freed is found to be so.

   Every operation makes a new array, *RESULT, which the caller frees; its operands are
   not changed.  On a failure *RESULT is 0.  All operands must be in one place; scalars
   of the host are the exception (gpueig_operand).  float wins over double, complex over
   real; results are never narrowed to real numbers.

   Operations on a GPU may return before they are done.  gpueig_array_download, values
   returned to the host, gpueig_array_wait and every solver of gpueig.h wait.
   gpueig_array_data gives the memory of an array, to be used with gpueig_array_wait
   before and after.

   Statuses in addition to those of gpueig.h: BAD_ARGUMENT for an array that was freed and for
   operands in different places, NONCONFORMANT for sizes that do not fit, BAD_INDEX,
   DEVICE_LOST for an array of a GPU that a fault has made unusable.

   The CPU and the GPU round alike where IEEE arithmetic and the order of operations
   determine the result; sums, products of matrices and exp, log, powers may differ in
   the last bits.  On one machine results are the same in every run.  */

#ifndef GPUEIG_ARRAY_H
#define GPUEIG_ARRAY_H 1

#include "gpueig.h"

#ifdef __GNUC__
#  pragma GCC visibility push(default)
#endif
GPUEIG_BEGIN_C

enum
{
  GPUEIG_ARRAY_DIMS = 8
};

typedef int64_t gpueig_array; /* positive; exact as a double */

/* Trailing dimensions of 1 beyond the second are dropped.  */
typedef struct
{
  gpueig_type type;
  int n_dims;
  int64_t dims[GPUEIG_ARRAY_DIMS];
  int64_t count; /* of elements */
} gpueig_shape;

typedef struct
{
  gpueig_shape shape;
  int on_gpu; /* 0: in host memory */
  int device; /* number of the GPU, -1 in host memory */
  int open;   /* of gpueig_array_peek: the type may become complex */
} gpueig_array_info;

/* The array ARRAY or, if that is 0, the scalar RE + i IM of TYPE.  */
typedef struct
{
  gpueig_array array;
  gpueig_type type;
  double re, im;
} gpueig_operand;

/* --- memory --- */

/* A new array, contents undefined.  The place is that of options->backend and device:
   GPUEIG_AUTO is the GPU if one can be used.  */
gpueig_status gpueig_array_new (gpueig_context *ctx, gpueig_type type,
                                int n_dims, const int64_t *dims,
                                const gpueig_options *options,
                                gpueig_array *result);

/* A new array in the place of LIKE.  */
gpueig_status gpueig_array_like (gpueig_context *ctx, gpueig_array like,
                                 gpueig_type type, int n_dims,
                                 const int64_t *dims, gpueig_array *result);

/* Free an array; GPUEIG_BAD_ARGUMENT if it was freed already.  */
gpueig_status gpueig_array_free (gpueig_context *ctx, gpueig_array array);

gpueig_status gpueig_array_describe (gpueig_context *ctx, gpueig_array array,
                                     gpueig_array_info *info);

/* As gpueig_array_describe, but without waiting for a GPU.  info->open is nonzero for a root,
   logarithm or power that may still become complex, as its numbers decide.  */
gpueig_status gpueig_array_peek (gpueig_context *ctx, gpueig_array array,
                                 gpueig_array_info *info);

/* Copy all elements between the array and host memory.  */
gpueig_status gpueig_array_upload (gpueig_context *ctx, gpueig_array array,
                                   const void *host);
gpueig_status gpueig_array_download (gpueig_context *ctx, gpueig_array array,
                                     void *host);

/* As gpueig_array_upload and gpueig_array_download, for bytes: uploaded bytes become
   numbers; downloaded numbers become 1 where they are not zero.  */
gpueig_status gpueig_array_upload_bytes (gpueig_context *ctx,
                                         gpueig_array array,
                                         const unsigned char *host);
gpueig_status gpueig_array_download_bytes (gpueig_context *ctx,
                                           gpueig_array array,
                                           unsigned char *host);

/* *DATA: the address of the elements, in host memory or on the GPU.  */
gpueig_status gpueig_array_data (gpueig_context *ctx, gpueig_array array,
                                 void **data);

/* Wait until all operations are done, and report their failure.  */
gpueig_status gpueig_array_wait (gpueig_context *ctx);

/* The memory of all live arrays of CTX.  */
typedef struct
{
  int64_t arrays;       /* how many */
  int64_t host_bytes;   /* in host memory */
  int64_t device_bytes; /* on GPUs */
} gpueig_array_usage;

gpueig_array_usage gpueig_array_memory (const gpueig_context *ctx);

/* --- elementwise operations --- */

typedef enum
{
  GPUEIG_NEGATE,
  GPUEIG_ABS, /* ABS, REAL, IMAG and ARG are real */
  GPUEIG_REAL,
  GPUEIG_IMAG,
  GPUEIG_ARG, /* the argument, in [-pi, pi] */
  GPUEIG_CONJ,
  GPUEIG_SQRT, /* complex if an element has a complex value, as those below */
  GPUEIG_EXP,
  GPUEIG_LOG,
  GPUEIG_EXPM1,
  GPUEIG_LOG1P,
  GPUEIG_LOG2,
  GPUEIG_LOG10,
  GPUEIG_SIN,
  GPUEIG_COS,
  GPUEIG_TAN,
  GPUEIG_ASIN,
  GPUEIG_ACOS,
  GPUEIG_ATAN,
  GPUEIG_SINH,
  GPUEIG_COSH,
  GPUEIG_TANH,
  GPUEIG_FLOOR,
  GPUEIG_CEIL,
  GPUEIG_ROUND,
  GPUEIG_FIX,
  GPUEIG_SIGN,
  GPUEIG_ERF, /* ERF and GAMMA of real arrays alone */
  GPUEIG_GAMMA
} gpueig_unary;

/* Dimensions of one operand that are 1 are repeated (broadcasting).  POWER is complex if
   a negative element has an exponent that is not an integer.  MAX and MIN
   return the other operand for NaN; complex numbers are compared by their moduli.
   MAX_OR_NAN and MIN_OR_NAN return NaN if a complex operand is NaN, as Octave does up to
   version 10.  ATAN2 to REM are of real operands alone.  */
typedef enum
{
  GPUEIG_PLUS,
  GPUEIG_MINUS,
  GPUEIG_TIMES,
  GPUEIG_DIVIDE,
  GPUEIG_POWER,
  GPUEIG_MAX,
  GPUEIG_MIN,
  GPUEIG_MAX_OR_NAN,
  GPUEIG_MIN_OR_NAN,
  GPUEIG_ATAN2,
  GPUEIG_HYPOT,
  GPUEIG_MOD,
  GPUEIG_REM
} gpueig_binary;

/* LT to GE compare complex numbers by modulus, then by argument in (-pi, pi]; that of a
   real operand counts as 0.  Here, in other orders and in functions with branch cuts a
   complex array without imaginary parts counts as real, and so are its extremes and products.  */
typedef enum
{
  GPUEIG_EQ,
  GPUEIG_NE,
  GPUEIG_LT,
  GPUEIG_LE,
  GPUEIG_GT,
  GPUEIG_GE
} gpueig_comparison;

/* *RESULT is 0 where a function of real arrays has a complex argument.  */
gpueig_status gpueig_array_unary (gpueig_context *ctx, gpueig_unary op,
                                  gpueig_array a, gpueig_array *result);
gpueig_status gpueig_array_binary (gpueig_context *ctx, gpueig_binary op,
                                   gpueig_operand x, gpueig_operand y,
                                   gpueig_array *result);

/* X + F Y, X - F Y with MINUS_Y or F Y - X with MINUS_X: X and Y of one shape, real and of double
   precision; the same bits as of two operations.  */
gpueig_status gpueig_array_add_scaled (gpueig_context *ctx, gpueig_array x,
                                       double f, gpueig_array y, int minus_x,
                                       int minus_y, gpueig_array *result);

/* The result is 0 or 1, in bytes until it is used as doubles.  */
gpueig_status gpueig_array_compare (gpueig_context *ctx, gpueig_comparison op,
                                    gpueig_operand x, gpueig_operand y,
                                    gpueig_array *result);

gpueig_status gpueig_array_convert (gpueig_context *ctx, gpueig_array a,
                                    gpueig_type type, gpueig_array *result);

/* *EQUAL: sizes and all elements are equal.  */
gpueig_status gpueig_array_equal (gpueig_context *ctx, gpueig_array a,
                                  gpueig_array b, int *equal);

/* *IS: every page is equal to its transpose, with CONJUGATE to its conjugate transpose,
   bit for bit; 0 for pages that are not square.  */
gpueig_status gpueig_array_symmetric (gpueig_context *ctx, gpueig_array a,
                                      int conjugate, int *is);

/* --- shape and parts --- */

/* Indices from 0: LIST, in host memory, or, if that is NULL, START + STEP * i.  */
typedef struct
{
  int64_t count;
  const int64_t *list;
  int64_t start, step;
} gpueig_index;

/* The elements with the N indices; the last one counts through all further dimensions.
   N_DIMS, DIMS: the dimensions of the result; 0: the counts of the indices.  */
gpueig_status gpueig_array_index (gpueig_context *ctx, gpueig_array a, int n,
                                  const gpueig_index *index, int n_dims,
                                  const int64_t *dims, gpueig_array *result);

/* The elements at POSITIONS, from 1, an array of doubles in the place of A, as an array of N_DIMS
   dimensions DIMS.  *RESULT is 0 if there are none, or one is not a position.  */
gpueig_status gpueig_array_pick (gpueig_context *ctx, gpueig_array a,
                                 gpueig_array positions, int n_dims,
                                 const int64_t *dims, gpueig_array *result);

/* A copy of A whose elements with these indices are those of VALUE: a scalar, or as many
   elements as there are indices, in the same shape but for dimensions of 1.  Of an
   element with several values it has the last.  The precision is that of A.  The copy is
   larger than A where indices exceed A, with zeros where nothing is assigned.  If nobody else
   has A, ALONE, and shape and type stay, it is A itself that changes and is the result.  */
gpueig_status gpueig_array_assign (gpueig_context *ctx, gpueig_array a,
                                   int alone, int n, const gpueig_index *index,
                                   gpueig_operand value, gpueig_array *result);

/* One of N_DIMS dimensions may be -1, for what is left.  */
gpueig_status gpueig_array_reshape (gpueig_context *ctx, gpueig_array a,
                                    int n_dims, const int64_t *dims,
                                    gpueig_array *result);

/* Concatenation along dimension DIM, from 0.  Empty 0-by-0 arrays that do not fit are left out;
   with -1 - DIM, as in brackets of Octave, also 1-by-0 and 0-by-1 ones.  */
gpueig_status gpueig_array_concatenate (gpueig_context *ctx, int dim, int n,
                                        const gpueig_array *arrays,
                                        gpueig_array *result);

/* A repeated TIMES[d] times along dimension d.  */
gpueig_status gpueig_array_repeat (gpueig_context *ctx, gpueig_array a, int n,
                                   const int64_t *times, gpueig_array *result);

/* Transposes of all pages.  */
gpueig_status gpueig_array_transpose (gpueig_context *ctx, gpueig_array a,
                                      int conjugate, gpueig_array *result);

/* Dimension d of the result is dimension ORDER[d], from 0, of A; ORDER has the N numbers
   from 0 on, at least as many as A has dimensions.  */
gpueig_status gpueig_array_permute (gpueig_context *ctx, gpueig_array a, int n,
                                    const int64_t *order, gpueig_array *result);

/* The elements of all pages with LOWER <= column - row <= UPPER, zeros elsewhere.  */
gpueig_status gpueig_array_band (gpueig_context *ctx, gpueig_array a,
                                 int64_t lower, int64_t upper,
                                 gpueig_array *result);

/* The square matrix with the vector A on diagonal K, or that diagonal of a matrix.  */
gpueig_status gpueig_array_diagonal (gpueig_context *ctx, gpueig_array a,
                                     int64_t k, gpueig_array *result);

/* --- sums and norms --- */

typedef enum
{
  GPUEIG_SUM,
  GPUEIG_SUM_SQUARES, /* of moduli; real */
  GPUEIG_LARGEST,     /* without NaN where there are other elements */
  GPUEIG_SMALLEST,
  GPUEIG_PRODUCT,
  GPUEIG_ANY, /* 1 where an element is neither zero nor NaN, otherwise 0; real */
  GPUEIG_ALL, /* 1 where none is zero */
  GPUEIG_MEAN
} gpueig_reduction;

/* Along dimension DIM, from 0; -1: the first that is not 1.  */
gpueig_status gpueig_array_reduce (gpueig_context *ctx, gpueig_reduction op,
                                   gpueig_array a, int dim,
                                   gpueig_array *result);

/* The sum of squared moduli of the differences to the mean, divided by DIVISOR, or with ROOT the
   root of that; of an array that is not empty.  */
gpueig_status gpueig_array_variance (gpueig_context *ctx, gpueig_array a,
                                     int dim, double divisor, int root,
                                     gpueig_array *result);

/* OP, one of SUM, LARGEST, SMALLEST and PRODUCT, of the elements up to each one along DIM as
   above.  */
gpueig_status gpueig_array_scan (gpueig_context *ctx, gpueig_reduction op,
                                 gpueig_array a, int dim, gpueig_array *result);

/* A in stable order along DIM as above, NaN as the largest; complex numbers by modulus, then
   by argument in (-pi, pi].  *AT, if it is not NULL: the former positions, from 1.  */
gpueig_status gpueig_array_sort (gpueig_context *ctx, gpueig_array a, int dim,
                                 int descending, gpueig_array *result,
                                 gpueig_array *at);

/* Medians of a real array, which is not empty, along DIM as above; NaN where there is one.  */
gpueig_status gpueig_array_median (gpueig_context *ctx, gpueig_array a, int dim,
                                   gpueig_array *result);

/* gpueig_array_reduce by OP, LARGEST or SMALLEST, and *AT: the first positions of the results along
   DIM, from 1; 1 for NaN.  */
gpueig_status gpueig_array_extreme (gpueig_context *ctx, gpueig_reduction op,
                                    gpueig_array a, int dim,
                                    gpueig_array *result, gpueig_array *at);

/* The positions in memory, from 1, of the elements that are not zero: a column.  */
gpueig_status gpueig_array_nonzero (gpueig_context *ctx, gpueig_array a,
                                    gpueig_array *result);

typedef enum
{
  GPUEIG_NORM_1,
  GPUEIG_NORM_2,
  GPUEIG_NORM_INF,
  GPUEIG_NORM_FRO
} gpueig_norm;

/* Norm of a matrix or vector.  Neither overflows nor underflows before the norm does.  */
gpueig_status gpueig_array_norm (gpueig_context *ctx, gpueig_norm which,
                                 gpueig_array a, double *norm);

/* *SUM: the sum of the main diagonal of a square matrix.  */
gpueig_status gpueig_array_trace (gpueig_context *ctx, gpueig_array a,
                                  double sum[2]);

/* sum (conj (a) .* b) along dimension DIM as above; two vectors may differ in
   orientation.  */
gpueig_status gpueig_array_dot (gpueig_context *ctx, gpueig_array a,
                                gpueig_array b, int dim, gpueig_array *result);

/* --- linear algebra --- */

/* op (A) op (B) for all pages, op being 'N', 'T' (transpose) or 'C' (conjugate
   transpose); a single page is used for all pages of the other.  */
gpueig_status gpueig_array_multiply (gpueig_context *ctx, char ta,
                                     gpueig_array a, char tb, gpueig_array b,
                                     gpueig_array *result);

/* A sparse matrix in host memory, by rows: row i has the elements STARTS[i] to STARTS[i + 1] - 1 of
   VALUES, in the columns of INDICES; all counted from 0.  */
typedef struct
{
  gpueig_type type;
  int64_t rows, columns;
  const int64_t *starts; /* rows + 1 */
  const int64_t *indices;
  const void *values;
} gpueig_sparse;

/* A copy of S in the place of LIKE: *VALUES, a column of numbers as any other array, and *PATTERN, of
   starts and indices, which gpueig_array_free and the functions of sparse matrices alone take.  */
gpueig_status gpueig_array_new_sparse (gpueig_context *ctx, gpueig_array like,
                                       const gpueig_sparse *s,
                                       gpueig_array *pattern,
                                       gpueig_array *values);

/* A B, A being the sparse matrix of a PATTERN with VALUES; the same bits for the same operands.  */
gpueig_status gpueig_array_multiply_sparse (gpueig_context *ctx,
                                            gpueig_array pattern,
                                            gpueig_array values, gpueig_array b,
                                            gpueig_array *result);

typedef enum
{
  GPUEIG_SPARSE_PLUS,
  GPUEIG_SPARSE_MINUS,
  GPUEIG_SPARSE_TIMES,     /* of elements */
  GPUEIG_SPARSE_MULTIPLY,  /* A B */
  GPUEIG_SPARSE_TRANSPOSE, /* of A; B is not read */
  GPUEIG_SPARSE_OPS
} gpueig_sparse_op;

/* The sparse matrix OP (A, B), A and B being given by a pattern and values each.  Each row has
   ascending columns, and no element but of a transpose is zero.  In A B elements that a matrix does
   not have count as zeros, also where they meet NaN or Inf.  GPUEIG_SPARSE_TIMES of values that are
   not finite returns GPUEIG_NONFINITE: with zeros their products are NaN.  Sums are computed in
   ascending order of the columns of A.  */
gpueig_status
gpueig_array_combine_sparse (gpueig_context *ctx, gpueig_sparse_op op,
                             gpueig_array a_pattern, gpueig_array a_values,
                             gpueig_array b_pattern, gpueig_array b_values,
                             gpueig_array *pattern, gpueig_array *values);

/* The starts, rows + 1, and indices of PATTERN, in host memory.  */
gpueig_status gpueig_array_download_pattern (gpueig_context *ctx,
                                             gpueig_array pattern,
                                             int64_t *starts, int64_t *indices);

/* X with A X = B.  A square: triangular A by substitution, Hermitian with a positive
   diagonal by Cholesky, others by LU with partial pivoting.  *RCOND is an estimate of
   the reciprocal condition number in the 1-norm; if it is below eps or A is singular, X
   has least norm among the least-squares solutions, with singular values below n eps
   times the largest counted as zero.  A not square: the least-squares solution, of
   least norm, by QR; GPUEIG_SOLVER_FAILED if A is rank deficient.  */
gpueig_status gpueig_array_solve (gpueig_context *ctx, gpueig_array a,
                                  gpueig_array b, gpueig_array *result,
                                  double *rcond);

/* The upper triangular R with R' R = A, of which the upper triangle is read; *AT: 0, or
   the number of the first pivot that is not positive, and *RESULT is 0.  */
gpueig_status gpueig_array_cholesky (gpueig_context *ctx, gpueig_array a,
                                     gpueig_array *result, int64_t *at);

/* The factors of A, m-by-n, with row exchanges: L, without its ones, below the diagonal of U.
   PERMUTATION, m numbers in host memory: row i of L U is row permutation[i], from 1, of A;
   *SIGN: that of the permutation.  */
gpueig_status gpueig_array_lu (gpueig_context *ctx, gpueig_array a,
                               gpueig_array *result, double *permutation,
                               int *sign);

/* A = Q R, A m-by-n: Q m-by-m or, with ECONOMY, m-by-min (m, n).  Q may be NULL.  */
gpueig_status gpueig_array_qr (gpueig_context *ctx, gpueig_array a, int economy,
                               gpueig_array *q, gpueig_array *r);

/* Discrete Fourier transforms along DIM as above of length N, A being cut or filled with
   zeros; N < 0: as it is.  *RESULT is 0 where there is no library for it.  The transform of a
   real array is equal to its conjugate in the opposite order, and the inverse of such an
   array is real.  */
gpueig_status gpueig_array_fft (gpueig_context *ctx, gpueig_array a, int dim,
                                int64_t n, int inverse, gpueig_array *result);

/* The inverse of a matrix: gpueig_tdinv if it is tridiagonal, otherwise by LU.  *RCOND
   is from the computed inverse.  For a singular A *RCOND is 0 and the result Inf.  */
gpueig_status gpueig_array_inverse (gpueig_context *ctx, gpueig_array a,
                                    gpueig_array *result, double *rcond);

GPUEIG_END_C
#ifdef __GNUC__
#  pragma GCC visibility pop
#endif

#endif
