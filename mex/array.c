/* The command of gpu_array: operations on arrays that stay on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [failed, OUT] = __gpueig__ ("array", NOUT, OPERATION, ARG1, ...)

   An argument is an object of class gpu_array, whose property "handle" is the number of
   its array, or a value of Octave.  A new array is returned as such a number, an int64, of
   which inst/gpu_array.m makes an object; a result of one element as that element, unless
   the operation keeps arrays.  */

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

/* The elements, all further dimensions in the columns: gather reshapes.  */
static gpueig_status
array_gather (mex_call *call, mex_one *o)
{
  const gpueig_shape *s = &o->shape;
  mex_result r = { .type = s->type, .rows = s->dims[0], .columns = s->dims[1] };
  for (int d = 2; d < s->n_dims; d++)
    r.columns *= s->dims[d];
  GE_TRY (mex_new_results (call, &r, 1));
  GE_TRY (gpueig_array_download (call->ctx, o->array, r.data));
  GE_TRY (mex_finish_result (call, &r));
  call->out[0] = r.array;
  return GPUEIG_OK;
}

/* delete (X): an array that may be deleted already.  */
static gpueig_status
array_delete (mex_call *call, int code)
{
  (void) code;
  if (call->n_args > 1)
    gpueig_array_free (call->ctx, mex_handle (call->args[1]));
  return GPUEIG_OK;
}

static gpueig_status
array_size (mex_call *call, mex_one *o)
{
  mxArray *dims = mxCreateDoubleMatrix (1, (mwSize) o->shape.n_dims, mxREAL);
  for (int d = 0; d < o->shape.n_dims; d++)
    mxGetPr (dims)[d] = (double) o->shape.dims[d];
  call->out[0] = dims;
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
  void *data;
  GE_TRY (gpueig_array_data (call->ctx, o->array, &data));
  return gpueig_array_wait (call->ctx);
}

/* --- elementwise --- */

/* [] for what a function of real arrays does not have.  */
static gpueig_status
array_unary (mex_call *call, mex_one *o)
{
  GE_TRY (gpueig_array_unary (call->ctx, (gpueig_unary) o->code, o->array,
                              &o->made));
  if (! o->made)
    call->out[0] = mex_empty (0);
  return GPUEIG_OK;
}

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
  return status == GPUEIG_OK ? mex_put_value (call, r) : status;
}

static gpueig_status
array_compare (mex_call *call, int code)
{
  gpueig_operand o[2];
  gpueig_array temporary;
  gpueig_shape shape;
  GE_TRY (mex_get_operands (call, o, &temporary));
  gpueig_status status = gpueig_array_broadcast (call->ctx, o[0], o[1], &shape);
  if (status == GPUEIG_OK)
    status = mex_need_room (call, (size_t) shape.count, 1);
  if (status == GPUEIG_OK)
    {
      mwSize dims[GPUEIG_ARRAY_DIMS];
      for (int d = 0; d < shape.n_dims; d++)
        dims[d] = (mwSize) shape.dims[d];
      mxArray *is = mxCreateLogicalArray ((mwSize) shape.n_dims, dims);
      status = gpueig_array_compare (call->ctx, (gpueig_comparison) code, o[0],
                                     o[1], (unsigned char *) mxGetData (is));
      call->out[0] = is;
    }
  mex_free_array (call, temporary);
  return status;
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

/* concatenate (DIM, X1, X2, ...)  */
static gpueig_status
array_concatenate (mex_call *call, int code)
{
  arrays a;
  int dim;
  gpueig_array r;
  (void) code;
  GE_TRY (mex_array_dimension (call, 1, &dim));
  GE_TRY (mex_get_arrays (call, 2, call->n_args - 2, &a));
  const gpueig_status status
      = gpueig_array_concatenate (call->ctx, dim, a.n, a.array, &r);
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
array_page_transpose (mex_call *call, mex_one *o)
{
  return gpueig_array_transpose (call->ctx, o->array, o->code, &o->made);
}

static gpueig_status
array_transpose (mex_call *call, mex_one *o)
{
  if (o->shape.n_dims > 2)
    return gpueig_fail (call->ctx, GPUEIG_BAD_ARGUMENT,
                        "transpose not defined for N-D objects");
  return array_page_transpose (call, o);
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
  int code;
  gpueig_status (*run) (mex_call *call, int code);
  gpueig_status (*run_one) (mex_call *call, mex_one *o);
  int keeps; /* arrays of one element are returned as arrays */
} operation;

static const operation operations[] = {
  { "new", 0, array_new, NULL, 0 },
  { "put", 0, array_put, NULL, 0 },
  { "gather", 0, NULL, array_gather, 0 },
  { "delete", 0, array_delete, NULL, 0 },
  { "size", 0, NULL, array_size, 0 },
  { "type", 0, NULL, array_type, 0 },
  { "wait", 0, NULL, array_wait, 0 },
  { "plus", GPUEIG_PLUS, mex_array_binary, NULL, 0 },
  { "minus", GPUEIG_MINUS, mex_array_binary, NULL, 0 },
  { "times", GPUEIG_TIMES, mex_array_binary, NULL, 0 },
  { "rdivide", GPUEIG_DIVIDE, mex_array_binary, NULL, 0 },
  { "power", GPUEIG_POWER, mex_array_binary, NULL, 0 },
  { "larger", MEX_OCTAVE < 11 ? GPUEIG_MAX_OR_NAN : GPUEIG_MAX,
    mex_array_binary, NULL, 0 },
  { "smaller", MEX_OCTAVE < 11 ? GPUEIG_MIN_OR_NAN : GPUEIG_MIN,
    mex_array_binary, NULL, 0 },
  { "mtimes", 0, mex_array_multiply, NULL, 0 },
  { "pagemtimes", 1, mex_array_multiply, NULL, 0 },
  { "index", 0, mex_array_index, NULL, 0 },
  { "assign", 0, mex_array_assign, NULL, 0 },
  { "ctranspose", 1, NULL, array_transpose, 0 },
  { "transpose", 0, NULL, array_transpose, 0 },
  { "pagectranspose", 1, NULL, array_page_transpose, 0 },
  { "pagetranspose", 0, NULL, array_page_transpose, 0 },
  { "uminus", GPUEIG_NEGATE, NULL, array_unary, 0 },
  { "abs", GPUEIG_ABS, NULL, array_unary, 0 },
  { "real", GPUEIG_REAL, NULL, array_unary, 0 },
  { "imag", GPUEIG_IMAG, NULL, array_unary, 0 },
  { "conj", GPUEIG_CONJ, NULL, array_unary, 0 },
  { "sqrt", GPUEIG_SQRT, NULL, array_unary, 0 },
  { "exp", GPUEIG_EXP, NULL, array_unary, 0 },
  { "log", GPUEIG_LOG, NULL, array_unary, 0 },
  { "expm1", GPUEIG_EXPM1, NULL, array_unary, 0 },
  { "log1p", GPUEIG_LOG1P, NULL, array_unary, 0 },
  { "log2", GPUEIG_LOG2, NULL, array_unary, 0 },
  { "log10", GPUEIG_LOG10, NULL, array_unary, 0 },
  { "sin", GPUEIG_SIN, NULL, array_unary, 0 },
  { "cos", GPUEIG_COS, NULL, array_unary, 0 },
  { "tan", GPUEIG_TAN, NULL, array_unary, 0 },
  { "asin", GPUEIG_ASIN, NULL, array_unary, 0 },
  { "acos", GPUEIG_ACOS, NULL, array_unary, 0 },
  { "atan", GPUEIG_ATAN, NULL, array_unary, 0 },
  { "sinh", GPUEIG_SINH, NULL, array_unary, 0 },
  { "cosh", GPUEIG_COSH, NULL, array_unary, 0 },
  { "tanh", GPUEIG_TANH, NULL, array_unary, 0 },
  { "erf", GPUEIG_ERF, NULL, array_unary, 0 },
  { "floor", GPUEIG_FLOOR, NULL, array_unary, 0 },
  { "ceil", GPUEIG_CEIL, NULL, array_unary, 0 },
  { "round", GPUEIG_ROUND, NULL, array_unary, 0 },
  { "fix", GPUEIG_FIX, NULL, array_unary, 0 },
  { "sign", GPUEIG_SIGN, NULL, array_unary, 0 },
  { "double", 0, NULL, array_convert, 1 },
  { "single", 1, NULL, array_convert, 1 },
  { "eq", GPUEIG_EQ, array_compare, NULL, 0 },
  { "ne", GPUEIG_NE, array_compare, NULL, 0 },
  { "lt", GPUEIG_LT, array_compare, NULL, 0 },
  { "le", GPUEIG_LE, array_compare, NULL, 0 },
  { "gt", GPUEIG_GT, array_compare, NULL, 0 },
  { "ge", GPUEIG_GE, array_compare, NULL, 0 },
  { "isequal", 0, array_equal, NULL, 0 },
  { "issymmetric", 0, NULL, array_symmetric, 0 },
  { "ishermitian", 1, NULL, array_symmetric, 0 },
  { "cat", 0, array_concatenate, NULL, 0 },
  { "reshape", 0, NULL, array_reshape, 1 },
  { "repmat", 1, NULL, array_reshape, 0 },
  { "permute", 0, NULL, array_permute, 1 },
  { "tril", TRIL, NULL, array_band, 0 },
  { "triu", TRIU, NULL, array_band, 0 },
  { "diag", DIAG, NULL, array_band, 0 },
  { "sum", GPUEIG_SUM, NULL, mex_array_reduce, 0 },
  { "sumsq", GPUEIG_SUM_SQUARES, NULL, mex_array_reduce, 0 },
  { "cumsum", 0, NULL, mex_array_scan, 0 },
  { "cumprod", 1, NULL, mex_array_scan, 0 },
  { "mean", 0, NULL, mex_array_mean, 0 },
  { "max", GPUEIG_LARGEST, NULL, mex_array_reduce, 0 },
  { "min", GPUEIG_SMALLEST, NULL, mex_array_reduce, 0 },
  { "norm", 0, NULL, mex_array_norm, 0 },
  { "trace", 0, NULL, mex_array_trace, 0 },
  { "dot", 0, mex_array_dot, NULL, 0 },
  { "mldivide", FROM_LEFT, mex_array_solve, NULL, 0 },
  { "mrdivide", FROM_RIGHT, mex_array_solve, NULL, 0 },
  { "chol", 0, NULL, mex_array_cholesky, 0 },
  { "inv", 0, NULL, mex_array_inverse, 1 },
  { "solve", 0, mex_array_solver, NULL, 0 },
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
