/* The command of gpu_array: operations on arrays that stay on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [failed, OUT] = __gpueig__ ("array", NOUT, OPERATION, ARG1, ...)

   An argument is an object of class gpu_array, whose property "handle" is the number of
   its array, or a value of Octave.  A new array is returned as such a number, of which
   inst/gpu_array.m makes an object.  */

#include "array.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- arguments --- */

static gpueig_status
get_integer (mex_call *call, int i, int64_t *value)
{
  double x;
  *value = 0;
  if (i < call->n_args && mex_get_number (call->args[i], &x) && x == floor (x)
      && fabs (x) < 0x1p53)
    {
      *value = (int64_t) x;
      return GPUEIG_OK;
    }
  return gpueig_fail (call->ctx, GPUEIG_BAD_ARGUMENT,
                      "argument %d must be an integer", i);
}

/* A dimension, from 1; *DIM from 0, or -1 if argument I is not there.  */
static gpueig_status
get_dimension (mex_call *call, int i, int *dim)
{
  int64_t d;
  *dim = -1;
  if (i >= call->n_args)
    return GPUEIG_OK;
  GE_TRY (get_integer (call, i, &d));
  if (d < 1)
    return gpueig_fail (call->ctx, GPUEIG_BAD_ARGUMENT,
                        "DIM must be a valid dimension");
  *dim = d > GPUEIG_ARRAY_DIMS ? GPUEIG_ARRAY_DIMS : (int) d - 1;
  return GPUEIG_OK;
}

/* --- results --- */

static void
put_handle (mex_call *call, int out, gpueig_array array)
{
  call->out[out] = mex_number ((double) array);
}

/* Return RESULT, or free what was uploaded and pass STATUS on.  */
static gpueig_status
put_result (mex_call *call, const arrays *a, gpueig_status status,
            gpueig_array result)
{
  mex_free_arrays (call, a);
  if (status == GPUEIG_OK)
    put_handle (call, 0, result);
  return status;
}

/* The warnings of Octave's \ and inv.  */
static void
warn_of_singular (double rcond, gpueig_type type)
{
  const double eps = gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON;
  if (rcond == 0)
    mex_warn ("Octave:singular-matrix", "matrix singular to machine precision");
  else if (rcond < eps)
    mex_warn ("Octave:nearly-singular-matrix",
              "matrix singular to machine precision, rcond = %g", rcond);
}

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
  put_handle (call, 0, array);
  return GPUEIG_OK;
}

/* An operation of one array.  */
typedef struct
{
  int code;
  gpueig_array array;
  gpueig_shape shape;
  int device;
  gpueig_array made; /* the result, if it is an array */
} one;

/* The elements, all further dimensions in the columns: gather reshapes.  */
static gpueig_status
array_gather (mex_call *call, one *o)
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

/* delete (number): of an array that may be deleted already.  */
static gpueig_status
array_delete (mex_call *call, int code)
{
  double number;
  (void) code;
  if (call->n_args > 1 && mex_get_number (call->args[1], &number))
    gpueig_array_free (call->ctx, (gpueig_array) number);
  return GPUEIG_OK;
}

static gpueig_status
array_size (mex_call *call, one *o)
{
  mxArray *dims = mxCreateDoubleMatrix (1, (mwSize) o->shape.n_dims, mxREAL);
  for (int d = 0; d < o->shape.n_dims; d++)
    mxGetPr (dims)[d] = (double) o->shape.dims[d];
  call->out[0] = dims;
  return GPUEIG_OK;
}

/* [class, is complex, device (-1: host memory)]  */
static gpueig_status
array_type (mex_call *call, one *o)
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
array_wait (mex_call *call, one *o)
{
  void *data;
  GE_TRY (gpueig_array_data (call->ctx, o->array, &data));
  return gpueig_array_wait (call->ctx);
}

/* --- elementwise --- */

static gpueig_status
array_unary (mex_call *call, one *o)
{
  return gpueig_array_unary (call->ctx, (gpueig_unary) o->code, o->array,
                             &o->made);
}

static gpueig_status
array_convert (mex_call *call, one *o)
{
  gpueig_type type = o->code ? GPUEIG_FLOAT : GPUEIG_DOUBLE;
  if (gpueig_is_complex (o->shape.type))
    type = mex_complex_of (type);
  return gpueig_array_convert (call->ctx, o->array, type, &o->made);
}

static gpueig_status
array_binary (mex_call *call, int code)
{
  gpueig_operand o[2];
  gpueig_array r, temporary;
  GE_TRY (mex_get_operands (call, o, &temporary));
  const gpueig_status status
      = gpueig_array_binary (call->ctx, (gpueig_binary) code, o[0], o[1], &r);
  mex_free_array (call, temporary);
  if (status == GPUEIG_OK)
    put_handle (call, 0, r);
  return status;
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
array_symmetric (mex_call *call, one *o)
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
  GE_TRY (get_dimension (call, 1, &dim));
  GE_TRY (mex_get_arrays (call, 2, call->n_args - 2, &a));
  const gpueig_status status
      = gpueig_array_concatenate (call->ctx, dim, a.n, a.array, &r);
  return put_result (call, &a, status, r);
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
array_reshape (mex_call *call, one *o)
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
array_page_transpose (mex_call *call, one *o)
{
  return gpueig_array_transpose (call->ctx, o->array, o->code, &o->made);
}

static gpueig_status
array_transpose (mex_call *call, one *o)
{
  if (o->shape.n_dims > 2)
    return gpueig_fail (call->ctx, GPUEIG_BAD_ARGUMENT,
                        "transpose not defined for N-D objects");
  return array_page_transpose (call, o);
}

/* tril (X, k), triu (X, k), diag (X, k)  */
enum
{
  TRIL,
  TRIU,
  DIAG
};

static gpueig_status
array_band (mex_call *call, one *o)
{
  int64_t k = 0;
  if (call->n_args > 2)
    GE_TRY (get_integer (call, 2, &k));
  if (o->code == DIAG)
    return gpueig_array_diagonal (call->ctx, o->array, k, &o->made);
  return gpueig_array_band (call->ctx, o->array,
                            o->code == TRIL ? -o->shape.dims[0] : k,
                            o->code == TRIL ? k : o->shape.dims[1], &o->made);
}

/* --- sums, norms, linear algebra --- */

static gpueig_status
array_reduce (mex_call *call, one *o)
{
  int dim;
  GE_TRY (get_dimension (call, 2, &dim));
  /* Before version 11 Octave took a 0-by-0 matrix for a column in sums along any
     dimension.  */
  if (MEX_OCTAVE < 11 && dim >= 0 && o->shape.n_dims == 2
      && o->shape.dims[0] == 0 && o->shape.dims[1] == 0
      && (o->code == GPUEIG_SUM || o->code == GPUEIG_SUM_SQUARES))
    dim = dim == 0 ? -1 : 1;
  return gpueig_array_reduce (call->ctx, (gpueig_reduction) o->code, o->array,
                              dim, &o->made);
}

static gpueig_status
array_norm (mex_call *call, one *o)
{
  double norm = 0;
  int64_t which = 0;
  GE_TRY (get_integer (call, 2, &which));
  GE_TRY (gpueig_array_norm (call->ctx, (gpueig_norm) which, o->array, &norm));
  /* Of an empty array of any class, Octave's norm is double but for "fro".  */
  const int is_double = o->shape.count == 0 && which != GPUEIG_NORM_FRO;
  call->out[0]
      = mex_scalar_value (is_double ? GPUEIG_DOUBLE : o->shape.type, norm, 0);
  return GPUEIG_OK;
}

static gpueig_status
array_trace (mex_call *call, one *o)
{
  double sum[2];
  GE_TRY (gpueig_array_trace (call->ctx, o->array, sum));
  call->out[0] = mex_scalar_value (o->shape.type, sum[0], sum[1]);
  return GPUEIG_OK;
}

/* dot (X, Y, DIM)  */
static gpueig_status
array_dot (mex_call *call, int code)
{
  arrays a;
  int dim;
  gpueig_array r;
  (void) code;
  GE_TRY (get_dimension (call, 3, &dim));
  GE_TRY (mex_get_arrays (call, 1, 2, &a));
  const gpueig_status status
      = gpueig_array_dot (call->ctx, a.array[0], a.array[1], dim, &r);
  return put_result (call, &a, status, r);
}

/* multiply (X, Y) of matrices; with PAGES (X, Y, OP, OP) of pages.  */
static gpueig_status
array_multiply (mex_call *call, int pages)
{
  arrays a;
  gpueig_array r = 0;
  char op[2][2] = { "N", "N" };
  gpueig_array_info info = { 0 };
  gpueig_status status;
  GE_TRY (mex_get_arrays (call, 1, 2, &a));
  if (pages)
    for (int i = 0; i < 2; i++)
      if (call->n_args < 5 || mxGetString (call->args[3 + i], op[i], 2) != 0
          || ! strchr ("NTC", op[i][0]))
        {
          mex_free_arrays (call, &a);
          return mex_usage (call);
        }
  status = GPUEIG_OK;
  for (int i = 0; ! pages && i < 2 && status == GPUEIG_OK; i++)
    {
      status = gpueig_array_describe (call->ctx, a.array[i], &info);
      if (status == GPUEIG_OK && info.shape.n_dims > 2)
        status = gpueig_fail (call->ctx, GPUEIG_NONCONFORMANT,
                              "not defined for N-D objects; use pagemtimes");
    }
  if (status == GPUEIG_OK)
    status = gpueig_array_multiply (call->ctx, op[0][0], a.array[0], op[1][0],
                                    a.array[1], &r);
  return put_result (call, &a, status, r);
}

static gpueig_status
array_solve (mex_call *call, int code)
{
  arrays a;
  gpueig_array r;
  gpueig_array_info info = { 0 };
  double rcond = 0;
  (void) code;
  GE_TRY (mex_get_arrays (call, 1, 2, &a));
  gpueig_status status
      = gpueig_array_solve (call->ctx, a.array[0], a.array[1], &r, &rcond);
  if (status == GPUEIG_OK)
    status = gpueig_array_describe (call->ctx, r, &info);
  if (status == GPUEIG_OK)
    warn_of_singular (rcond, info.shape.type);
  return put_result (call, &a, status, r);
}

static gpueig_status
array_inverse (mex_call *call, one *o)
{
  double rcond = 0;
  GE_TRY (gpueig_array_inverse (call->ctx, o->array, &o->made, &rcond));
  if (call->n_out > 1)
    call->out[1] = mex_scalar_value (o->shape.type, rcond, 0);
  else
    warn_of_singular (rcond, o->shape.type);
  return GPUEIG_OK;
}

/* --- the table --- */

typedef struct
{
  const char *name;
  int code;
  gpueig_status (*run) (mex_call *call, int code);
  gpueig_status (*run_one) (mex_call *call, one *o);
} operation;

static const operation operations[] = {
  { "new", 0, array_new, NULL },
  { "gather", 0, NULL, array_gather },
  { "delete", 0, array_delete, NULL },
  { "size", 0, NULL, array_size },
  { "type", 0, NULL, array_type },
  { "wait", 0, NULL, array_wait },
  { "plus", GPUEIG_PLUS, array_binary, NULL },
  { "minus", GPUEIG_MINUS, array_binary, NULL },
  { "times", GPUEIG_TIMES, array_binary, NULL },
  { "rdivide", GPUEIG_DIVIDE, array_binary, NULL },
  { "power", GPUEIG_POWER, array_binary, NULL },
  { "larger", MEX_OCTAVE < 11 ? GPUEIG_MAX_OR_NAN : GPUEIG_MAX, array_binary,
    NULL },
  { "smaller", MEX_OCTAVE < 11 ? GPUEIG_MIN_OR_NAN : GPUEIG_MIN, array_binary,
    NULL },
  { "mtimes", 0, array_multiply, NULL },
  { "pagemtimes", 1, array_multiply, NULL },
  { "index", 0, mex_array_index, NULL },
  { "assign", 0, mex_array_assign, NULL },
  { "ctranspose", 1, NULL, array_transpose },
  { "transpose", 0, NULL, array_transpose },
  { "pagectranspose", 1, NULL, array_page_transpose },
  { "pagetranspose", 0, NULL, array_page_transpose },
  { "uminus", GPUEIG_NEGATE, NULL, array_unary },
  { "abs", GPUEIG_ABS, NULL, array_unary },
  { "real", GPUEIG_REAL, NULL, array_unary },
  { "imag", GPUEIG_IMAG, NULL, array_unary },
  { "conj", GPUEIG_CONJ, NULL, array_unary },
  { "sqrt", GPUEIG_SQRT, NULL, array_unary },
  { "exp", GPUEIG_EXP, NULL, array_unary },
  { "log", GPUEIG_LOG, NULL, array_unary },
  { "double", 0, NULL, array_convert },
  { "single", 1, NULL, array_convert },
  { "eq", GPUEIG_EQ, array_compare, NULL },
  { "ne", GPUEIG_NE, array_compare, NULL },
  { "lt", GPUEIG_LT, array_compare, NULL },
  { "le", GPUEIG_LE, array_compare, NULL },
  { "gt", GPUEIG_GT, array_compare, NULL },
  { "ge", GPUEIG_GE, array_compare, NULL },
  { "isequal", 0, array_equal, NULL },
  { "issymmetric", 0, NULL, array_symmetric },
  { "ishermitian", 1, NULL, array_symmetric },
  { "cat", 0, array_concatenate, NULL },
  { "reshape", 0, NULL, array_reshape },
  { "repmat", 1, NULL, array_reshape },
  { "tril", TRIL, NULL, array_band },
  { "triu", TRIU, NULL, array_band },
  { "diag", DIAG, NULL, array_band },
  { "sum", GPUEIG_SUM, NULL, array_reduce },
  { "sumsq", GPUEIG_SUM_SQUARES, NULL, array_reduce },
  { "max", GPUEIG_LARGEST, NULL, array_reduce },
  { "min", GPUEIG_SMALLEST, NULL, array_reduce },
  { "norm", 0, NULL, array_norm },
  { "trace", 0, NULL, array_trace },
  { "dot", 0, array_dot, NULL },
  { "mldivide", 0, array_solve, NULL },
  { "inv", 0, NULL, array_inverse },
  { "solve", 0, mex_array_solver, NULL },
};

static gpueig_status
run_one (mex_call *call, const operation *operation)
{
  gpueig_array_info info;
  one o = { .code = operation->code };
  if (call->n_args < 2)
    return mex_usage (call);
  o.array = mex_handle (call->args[1]);
  GE_TRY (gpueig_array_describe (call->ctx, o.array, &info));
  o.shape = info.shape;
  o.device = info.device;
  GE_TRY (operation->run_one (call, &o));
  if (o.made)
    put_handle (call, 0, o.made);
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
