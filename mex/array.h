/* What the files of the command "array" share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   array.c         the table of operations
   array_arguments.c  arguments
   array_index.c   indices and assignment
   array_order.c   reductions, scans, sorting, searching
   array_linear.c  norms, linear algebra
   array_solve.c   solvers  */

#ifndef GE_MEX_ARRAY_H
#define GE_MEX_ARRAY_H 1

#include "gateway.h"

/* X, a full numeric or logical value, in the place of LIKE or, if that is 0, of
   OPTIONS.  */
gpueig_status mex_upload (mex_call *call, const mxArray *x, gpueig_array like,
                          const gpueig_options *options, gpueig_array *array);

/* The arrays of arguments FIRST .. FIRST + N - 1; those of the host are uploaded to the
   place of the first that is an array.  */
typedef struct
{
  int n;
  gpueig_array *array;
  char *temporary; /* nonzero for those to be freed */
} arrays;

gpueig_status mex_get_arrays (mex_call *call, int first, int n, arrays *a);
void mex_free_arrays (mex_call *call, const arrays *a);

/* X as an operand: an array, a scalar, or any other value uploaded to the place of LIKE;
   *TEMPORARY is then nonzero, and the caller frees it.  */
gpueig_status mex_get_operand (mex_call *call, const mxArray *x,
                               gpueig_array like, gpueig_operand *operand,
                               int *temporary);

/* The operands of arguments 1 and 2, one of them an array; TEMPORARY: an array to be
   freed, or 0.  */
gpueig_status mex_get_operands (mex_call *call, gpueig_operand o[2],
                                gpueig_array *temporary);

/* Free ARRAY unless it is 0; the message of the context stays.  */
void mex_free_array (mex_call *call, gpueig_array array);

/* Return ARRAY as output OUT by its number; as the first output, by its only element if
   it has one, and free it then.  */
void mex_put_array (mex_call *call, int out, gpueig_array array);
gpueig_status mex_put_value (mex_call *call, gpueig_array array);

/* The same of RESULT after what was uploaded is freed, or STATUS passed on.  */
gpueig_status mex_put_result (mex_call *call, const arrays *a,
                              gpueig_status status, gpueig_array result);

/* Argument I: an integer; a dimension, from 1, *DIM from 0, or -1 if it is not there.  */
gpueig_status mex_array_integer (mex_call *call, int i, int64_t *value);
gpueig_status mex_array_dimension (mex_call *call, int i, int *dim);

/* An operation of one array.  */
typedef struct
{
  int code;
  gpueig_array array;
  gpueig_shape shape;
  int device;
  gpueig_array made; /* the result, if it is an array */
} mex_one;

/* A scalar with these parts; real if the imaginary part is zero.  */
mxArray *mex_scalar_value (gpueig_type type, double re, double im);

/* index (X, I1, ...), assign (X, VALUE, I1, ...)  */
gpueig_status mex_array_index (mex_call *call, int code);
gpueig_status mex_array_assign (mex_call *call, int code);
gpueig_status mex_array_difference (mex_call *call, mex_one *o);

/* Elementwise operation CODE of two operands.  */
gpueig_status mex_array_binary (mex_call *call, int code);

/* array_linear.c; code of mex_array_solve: A \ B or A / B  */
enum
{
  FROM_LEFT,
  FROM_RIGHT
};

gpueig_status mex_array_reduce (mex_call *call, mex_one *o);
gpueig_status mex_array_scan (mex_call *call, mex_one *o);
gpueig_status mex_array_sort (mex_call *call, mex_one *o);
gpueig_status mex_array_median (mex_call *call, mex_one *o);
gpueig_status mex_array_power (mex_call *call, mex_one *o);
gpueig_status mex_array_kron (mex_call *call, int code);
gpueig_status mex_array_trace (mex_call *call, mex_one *o);
gpueig_status mex_array_dot (mex_call *call, int code);
gpueig_status mex_array_multiply (mex_call *call, int pages);
gpueig_status mex_array_solve (mex_call *call, int side);
gpueig_status mex_array_cholesky (mex_call *call, mex_one *o);
gpueig_status mex_array_inverse (mex_call *call, mex_one *o);
gpueig_status mex_array_lu (mex_call *call, mex_one *o);
gpueig_status mex_array_qr (mex_call *call, mex_one *o);
gpueig_status mex_array_determinant (mex_call *call, mex_one *o);
gpueig_status mex_array_fft (mex_call *call, mex_one *o);

/* solve (NAME, ...), array_solve.c  */
gpueig_status mex_array_solver (mex_call *call, int code);

#endif
