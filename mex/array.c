/* The command of gpu_array: operations on arrays that stay on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [failed, OUT] = __gpueig__ ("array", NOUT, OPERATION, ARG1, ...)

   An argument is a value of gpu_array.cc, whose data are the number of its array, or a value
   of Octave.  A new array is returned as such a number, an int64, of which gpu_array.cc makes
   a value; a result of one element as that element, unless the operation keeps arrays.  */

#include "array.h"

#include <math.h>
#include <string.h>

/* --- memory --- */

/* new (X, options)  */
static gpueig_status
array_new (mex_call *call, int code)
{
  gpueig_array array = 0;
  (void) code;
  if (call->n_args < 2)
    return mex_usage (call);
  GE_TRY (mex_parse_options (call, mex_array_options, 2));
  GE_TRY (mex_upload (call, call->args[1], 0, &call->options.core, &array));
  mex_put_array (call, 0, array);
  return GPUEIG_OK;
}

/* put (X, LIKE): X in the place of LIKE.  */
static gpueig_status
array_put (mex_call *call, int code)
{
  gpueig_array array = 0;
  (void) code;
  if (call->n_args < 3)
    return mex_usage (call);
  GE_TRY (mex_upload (call, call->args[1], mex_handle (call->args[2]), NULL,
                      &array));
  mex_put_array (call, 0, array);
  return GPUEIG_OK;
}

/* [class, is complex, device (-1: host memory)]  */
static gpueig_status
array_type (mex_call *call, mex_one *o)
{
  call->out[0]
      = mex_text (gpueig_is_double (o->shape.type) ? "double" : "single");
  if (call->n_out > 1)
    call->out[1] = mex_flag (gpueig_is_complex (o->shape.type));
  if (call->n_out > 2)
    call->out[2] = mex_number (o->device);
  return GPUEIG_OK;
}

static gpueig_status
array_wait (mex_call *call, mex_one *o)
{
  (void) o;
  return gpueig_array_wait (call->ctx);
}

/* --- elementwise --- */

static gpueig_status
array_convert (mex_call *call, mex_one *o)
{
  gpueig_type type = o->code ? GPUEIG_FLOAT : GPUEIG_DOUBLE;
  if (gpueig_is_complex (o->shape.type))
    type = mex_complex_of (type);
  return gpueig_array_convert (call->ctx, o->array, type, &o->made);
}

gpueig_status
mex_array_binary (mex_call *call, int code)
{
  gpueig_operand o[2];
  gpueig_array r, temporary;
  GE_TRY (mex_get_operands (call, o, &temporary));
  const gpueig_status status
      = gpueig_array_binary (call->ctx, (gpueig_binary) code, o[0], o[1], &r);
  mex_free_array (call, temporary);
  GE_TRY (status);
  if (r)
    return mex_put_value (call, r);
  call->out[0] = mex_empty (0);
  return GPUEIG_OK;
}

static gpueig_status
array_equal (mex_call *call, int code)
{
  arrays a;
  int equal = 1;
  gpueig_status status = GPUEIG_OK;
  (void) code;
  GE_TRY (mex_get_arrays (call, 1, call->n_args - 1, &a));
  for (int i = 1; i < a.n && equal && status == GPUEIG_OK; i++)
    status = gpueig_array_equal (call->ctx, a.array[0], a.array[i], &equal);
  mex_free_arrays (call, &a);
  call->out[0] = mex_flag (equal);
  return status;
}

static gpueig_status
array_symmetric (mex_call *call, mex_one *o)
{
  int is = 0;
  GE_TRY (gpueig_array_symmetric (call->ctx, o->array, o->code, &is));
  call->out[0] = mex_flag (is && o->shape.n_dims == 2);
  return GPUEIG_OK;
}

/* --- shape --- */

/* cat (DIM, X1, X2, ...), join with BRACKETS  */
static gpueig_status
array_concatenate (mex_call *call, int brackets)
{
  arrays a;
  int dim;
  gpueig_array r;
  GE_TRY (mex_array_dimension (call, 1, &dim));
  GE_TRY (mex_get_arrays (call, 2, call->n_args - 2, &a));
  const gpueig_status status = gpueig_array_concatenate (
      call->ctx, brackets ? -1 - dim : dim, a.n, a.array, &r);
  return mex_put_result (call, &a, status, r);
}

/* The integers of argument I, a vector of at most GPUEIG_ARRAY_DIMS.  */
static gpueig_status
get_integers (mex_call *call, int i, int64_t values[GPUEIG_ARRAY_DIMS], int *n)
{
  double *x = NULL;
  *n = 0;
  if (i < call->n_args)
    GE_TRY (mex_get_numbers (call, call->args[i], &x));
  const size_t count = x ? mxGetNumberOfElements (call->args[i]) : 0;
  if (count < 1 || count > GPUEIG_ARRAY_DIMS)
    return gpueig_fail (call->ctx, GPUEIG_BAD_ARGUMENT,
                        "there must be 1 to %d dimensions", GPUEIG_ARRAY_DIMS);
  for (size_t k = 0; k < count; k++)
    {
      if (x[k] != floor (x[k]) || fabs (x[k]) > 0x1p53)
        return gpueig_fail (call->ctx, GPUEIG_BAD_ARGUMENT,
                            "dimensions must be integers");
      values[k] = (int64_t) x[k];
    }
  *n = (int) count;
  return GPUEIG_OK;
}

/* reshape (X, DIMS), repeat (X, TIMES)  */
static gpueig_status
array_reshape (mex_call *call, mex_one *o)
{
  int64_t values[GPUEIG_ARRAY_DIMS];
  int n;
  GE_TRY (get_integers (call, 2, values, &n));
  GE_TRY (
      o->code
          ? gpueig_array_repeat (call->ctx, o->array, n, values, &o->made)
          : gpueig_array_reshape (call->ctx, o->array, n, values, &o->made));
  return GPUEIG_OK;
}

static gpueig_status
array_transpose (mex_call *call, mex_one *o)
{
  return gpueig_array_transpose (call->ctx, o->array, o->code, &o->made);
}

/* permute (X, ORDER), ORDER from 1 on  */
static gpueig_status
array_permute (mex_call *call, mex_one *o)
{
  int64_t order[GPUEIG_ARRAY_DIMS];
  int n;
  GE_TRY (get_integers (call, 2, order, &n));
  for (int d = 0; d < n; d++)
    order[d]--;
  return gpueig_array_permute (call->ctx, o->array, n, order, &o->made);
}

/* tril (X, k), triu (X, k), diag (X, k)  */
enum
{
  TRIL,
  TRIU,
  DIAG
};

static gpueig_status
array_band (mex_call *call, mex_one *o)
{
  int64_t k = 0;
  if (call->n_args > 2)
    GE_TRY (mex_array_integer (call, 2, &k));
  if (o->code == DIAG)
    return gpueig_array_diagonal (call->ctx, o->array, k, &o->made);
  return gpueig_array_band (call->ctx, o->array,
                            o->code == TRIL ? -o->shape.dims[0] : k,
                            o->code == TRIL ? k : o->shape.dims[1], &o->made);
}

/* --- the table --- */

typedef struct
{
  const char *name;
  int code, keeps; /* KEEPS: arrays of one element are returned as arrays */
  gpueig_status (*run) (mex_call *call, int code);
  gpueig_status (*run_one) (mex_call *call, mex_one *o);
} operation;

static const operation operations[] = {
  { "new", 0, 0, array_new, NULL },
  { "put", 0, 0, array_put, NULL },
  { "type", 0, 0, NULL, array_type },
  { "wait", 0, 0, NULL, array_wait },
  { "larger", MEX_OCTAVE < 11 ? GPUEIG_MAX_OR_NAN : GPUEIG_MAX, 0,
    mex_array_binary, NULL },
  { "smaller", MEX_OCTAVE < 11 ? GPUEIG_MIN_OR_NAN : GPUEIG_MIN, 0,
    mex_array_binary, NULL },
  { "atan2", GPUEIG_ATAN2, 0, mex_array_binary, NULL },
  { "hypot", GPUEIG_HYPOT, 0, mex_array_binary, NULL },
  { "mod", GPUEIG_MOD, 0, mex_array_binary, NULL },
  { "rem", GPUEIG_REM, 0, mex_array_binary, NULL },
  { "mtimes", 0, 0, mex_array_multiply, NULL },
  { "pagemtimes", 1, 0, mex_array_multiply, NULL },
  { "mpower", 0, 0, NULL, mex_array_power },
  { "kron", 0, 0, mex_array_kron, NULL },
  { "index", 0, 0, mex_array_index, NULL },
  { "assign", 0, 0, mex_array_assign, NULL },
  { "set", 1, 0, mex_array_assign, NULL },
  { "pagectranspose", 1, 0, NULL, array_transpose },
  { "pagetranspose", 0, 0, NULL, array_transpose },
  { "double", 0, 1, NULL, array_convert },
  { "single", 1, 1, NULL, array_convert },
  { "isequal", 0, 0, array_equal, NULL },
  { "issymmetric", 0, 0, NULL, array_symmetric },
  { "ishermitian", 1, 0, NULL, array_symmetric },
  { "cat", 0, 0, array_concatenate, NULL },
  { "join", 1, 0, array_concatenate, NULL },
  { "reshape", 0, 1, NULL, array_reshape },
  { "repmat", 1, 0, NULL, array_reshape },
  { "permute", 0, 1, NULL, array_permute },
  { "tril", TRIL, 0, NULL, array_band },
  { "triu", TRIU, 0, NULL, array_band },
  { "diag", DIAG, 0, NULL, array_band },
  { "diff", 0, 0, NULL, mex_array_difference },
  { "sum", GPUEIG_SUM, 0, NULL, mex_array_reduce },
  { "sumsq", GPUEIG_SUM_SQUARES, 0, NULL, mex_array_reduce },
  { "prod", GPUEIG_PRODUCT, 0, NULL, mex_array_reduce },
  { "any", GPUEIG_ANY, 1, NULL, mex_array_reduce },
  { "all", GPUEIG_ALL, 1, NULL, mex_array_reduce },
  { "cumsum", GPUEIG_SUM, 0, NULL, mex_array_scan },
  { "cumprod", GPUEIG_PRODUCT, 0, NULL, mex_array_scan },
  { "cummax", GPUEIG_LARGEST, 0, NULL, mex_array_scan },
  { "cummin", GPUEIG_SMALLEST, 0, NULL, mex_array_scan },
  { "sort", 0, 0, NULL, mex_array_sort },
  { "median", 0, 0, NULL, mex_array_median },
  { "max", GPUEIG_LARGEST, 0, NULL, mex_array_reduce },
  { "min", GPUEIG_SMALLEST, 0, NULL, mex_array_reduce },
  { "trace", 0, 0, NULL, mex_array_trace },
  { "dot", 0, 0, mex_array_dot, NULL },
  { "mldivide", FROM_LEFT, 0, mex_array_solve, NULL },
  { "mrdivide", FROM_RIGHT, 0, mex_array_solve, NULL },
  { "chol", 0, 0, NULL, mex_array_cholesky },
  { "inv", 0, 1, NULL, mex_array_inverse },
  { "lu", 0, 1, NULL, mex_array_lu },
  { "qr", 0, 1, NULL, mex_array_qr },
  { "det", 0, 0, NULL, mex_array_determinant },
  { "fft", 0, 0, NULL, mex_array_fft },
  { "ifft", 1, 0, NULL, mex_array_fft },
  { "solve", 0, 0, mex_array_solver, NULL },
};

static gpueig_status
run_one (mex_call *call, const operation *operation)
{
  gpueig_array_info info;
  mex_one o = { .code = operation->code };
  if (call->n_args < 2)
    return mex_usage (call);
  o.array = mex_handle (call->args[1]);
  GE_TRY (gpueig_array_describe (call->ctx, o.array, &info));
  o.shape = info.shape;
  o.device = info.device;
  GE_TRY (operation->run_one (call, &o));
  if (o.made && operation->keeps)
    mex_put_array (call, 0, o.made);
  else if (o.made)
    return mex_put_value (call, o.made);
  return GPUEIG_OK;
}

gpueig_status
mex_array (mex_call *call)
{
  char name[24];
  if (call->n_args > 0 && mxIsChar (call->args[0])
      && mxGetString (call->args[0], name, sizeof name) == 0)
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
      if (strcmp (name, operations[i].name) == 0)
        return operations[i].run ? operations[i].run (call, operations[i].code)
                                 : run_one (call, &operations[i]);
  return gpueig_fail (call->ctx, GPUEIG_BAD_ARGUMENT, "no such operation");
}
