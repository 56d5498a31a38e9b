/* Indices of arrays: ":", numbers and logical arrays; the shape of the result.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array.h"

#include <math.h>
#include <string.h>

enum
{
  MANY = 20000 /* so many positions are checked where the array is */
};

/* An index, and the dimensions of its Octave value.  */
typedef struct
{
  gpueig_index index;
  int colon, n_dims;
  int64_t dims[GPUEIG_ARRAY_DIMS];
} subscript;

static gpueig_status
bad_subscript (mex_call *call, double value)
{
  if (value == floor (value))
    return gpueig_fail (call->ctx, GPUEIG_BAD_INDEX,
                        "index (%.0f): out of bound; value must be a positive "
                        "integer",
                        value);
  return gpueig_fail (call->ctx, GPUEIG_BAD_INDEX,
                      "subscripts must be either integers 1 to (2^63)-1 or "
                      "logicals, but one is %g",
                      value);
}

/* The positions of the true elements of X, as from find; a single false is 0-by-0.  */
static gpueig_status
get_logical (mex_call *call, const mxArray *x, subscript *s)
{
  const mxLogical *is = mxGetData (x);
  const size_t n = mxGetNumberOfElements (x);
  int64_t *list = mex_scratch (call, n, sizeof *list);
  if (! list)
    return GPUEIG_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; i++)
    if (is[i])
      list[s->index.count++] = (int64_t) i;
  s->index.list = list;
  const int row = mxGetM (x) == 1 && mxGetNumberOfDimensions (x) == 2;
  s->n_dims = 2;
  s->dims[row] = s->index.count;
  s->dims[! row] = n == 1 ? s->index.count : 1;
  return GPUEIG_OK;
}

/* The N real elements of the array X, with its dimensions.  */
static gpueig_status
get_array_numbers (mex_call *call, gpueig_array x, subscript *s, double **value,
                   size_t *n)
{
  gpueig_context *ctx = call->ctx;
  gpueig_array_info info;
  gpueig_array numbers;
  GE_TRY (gpueig_array_describe (ctx, x, &info));
  if (gpueig_is_complex (info.shape.type))
    return gpueig_fail (ctx, GPUEIG_BAD_INDEX,
                        "subscripts must be real numbers, logicals or \":\"");
  s->n_dims = info.shape.n_dims;
  memcpy (s->dims, info.shape.dims, sizeof s->dims);
  *n = (size_t) info.shape.count;
  *value = mex_scratch (call, *n, sizeof **value);
  if (! *value)
    return GPUEIG_OUT_OF_MEMORY;
  GE_TRY (gpueig_array_convert (ctx, x, GPUEIG_DOUBLE, &numbers));
  const gpueig_status status = gpueig_array_download (ctx, numbers, *value);
  mex_free_array (call, numbers);
  return status;
}

/* The same of a value of Octave.  */
static gpueig_status
get_value_numbers (mex_call *call, const mxArray *x, subscript *s,
                   double **value, size_t *n)
{
  GE_TRY (mex_get_numbers (call, x, value));
  if (! *value)
    return gpueig_fail (call->ctx, GPUEIG_BAD_INDEX,
                        "subscripts must be real numbers, logicals or \":\", "
                        "but one is of class %.60s",
                        mxGetClassName (x));
  *n = mxGetNumberOfElements (x);
  s->n_dims = (int) mxGetNumberOfDimensions (x);
  if (s->n_dims > GPUEIG_ARRAY_DIMS)
    return gpueig_fail (call->ctx, GPUEIG_BAD_INDEX,
                        "an index has more than %d dimensions",
                        GPUEIG_ARRAY_DIMS);
  for (int d = 0; d < s->n_dims; d++)
    s->dims[d] = (int64_t) mxGetDimensions (x)[d];
  return GPUEIG_OK;
}

/* Integers from 1; equidistant ones need no list.  */
static gpueig_status
get_numbers (mex_call *call, const mxArray *x, subscript *s)
{
  double *value = NULL;
  size_t n = 0;
  const gpueig_array array = mex_handle (x);
  GE_TRY (array ? get_array_numbers (call, array, s, &value, &n)
                : get_value_numbers (call, x, s, &value, &n));
  s->index.count = (int64_t) n;
  const double step = n > 1 ? value[1] - value[0] : 1;
  int even = 1;
  for (size_t i = 0; i < n; i++)
    {
      if (! (value[i] >= 1 && value[i] < 0x1p53)
          || value[i] != floor (value[i]))
        return bad_subscript (call, value[i]);
      even = even && (i == 0 || value[i] - value[i - 1] == step);
    }
  s->index.start = n > 0 ? (int64_t) value[0] - 1 : 0;
  s->index.step = (int64_t) step;
  if (even)
    return GPUEIG_OK;
  int64_t *list = mex_scratch (call, n, sizeof *list);
  if (! list)
    return GPUEIG_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; i++)
    list[i] = (int64_t) value[i] - 1;
  s->index.list = list;
  return GPUEIG_OK;
}

/* Subscript D of N for an array of SHAPE.  */
static gpueig_status
get_subscript (mex_call *call, const mxArray *x, const gpueig_shape *shape,
               int d, int n, subscript *s)
{
  char text[2] = "";
  mxArray *in = (mxArray *) x;
  memset (s, 0, sizeof *s);
  if (mxIsLogical (x) && mxIsSparse (x))
    x = mex_builtin_1 ("full", 1, &in);
  if (mxIsLogical (x))
    return get_logical (call, x, s);
  if (! mxIsChar (x))
    return get_numbers (call, x, s);
  if (mxGetNumberOfElements (x) != 1 || mxGetString (x, text, 2) != 0
      || text[0] != ':')
    return gpueig_fail (call->ctx, GPUEIG_BAD_INDEX,
                        "subscripts must be numbers, logicals or \":\"");
  s->colon = 1;
  s->index.step = 1;
  s->index.count = d < shape->n_dims ? shape->dims[d] : 1;
  for (int k = d + 1; d == n - 1 && k < shape->n_dims; k++)
    s->index.count *= shape->dims[k];
  return GPUEIG_OK;
}

/* The N subscripts from argument FIRST on.  */
static gpueig_status
get_subscripts (mex_call *call, int first, const gpueig_shape *shape,
                subscript s[GPUEIG_ARRAY_DIMS],
                gpueig_index index[GPUEIG_ARRAY_DIMS], int *n)
{
  *n = call->n_args - first;
  if (*n < 1 || *n > GPUEIG_ARRAY_DIMS)
    return gpueig_fail (call->ctx, GPUEIG_BAD_INDEX,
                        "there are %d subscripts, there can be 1 to %d", *n,
                        GPUEIG_ARRAY_DIMS);
  for (int d = 0; d < *n; d++)
    {
      const gpueig_status status
          = get_subscript (call, call->args[first + d], shape, d, *n, &s[d]);
      if (status == GPUEIG_BAD_INDEX)
        mex_fail ("Octave:invalid-index", "%s", gpueig_message (call->ctx));
      GE_TRY (status);
      index[d] = s[d].index;
    }
  return GPUEIG_OK;
}

/* The dimension that is not 1 if there is exactly one, otherwise -1.  */
static int
only_dimension (int n_dims, const int64_t *dims)
{
  int only = -1;
  for (int d = 0; d < n_dims; d++)
    if (dims[d] != 1)
      {
        if (only >= 0)
          return -1;
        only = d;
      }
  return only;
}

/* The shape of A(i): a column for ":", along the dimension of A if both have one that is
   not 1, otherwise the shape of i.  */
static void
linear_shape (const gpueig_shape *a, subscript *s)
{
  const int64_t count = s->index.count;
  int along = only_dimension (a->n_dims, a->dims);
  if (s->colon)
    along = 0;
  else if (along < 0 || only_dimension (s->n_dims, s->dims) < 0)
    return;
  s->n_dims = along < 2 ? 2 : along + 1;
  for (int d = 0; d < s->n_dims; d++)
    s->dims[d] = d == along ? count : 1;
}

/* Nonzero for many numbers that do not look equidistant, which need no list.  */
static int
has_many (const mxArray *x)
{
  const size_t n = mxGetNumberOfElements (x), middle = n / 2;
  if (! mxIsDouble (x) || mxIsComplex (x) || mxIsSparse (x) || n < MANY)
    return 0;
  const double *value = mxGetPr (x), step = value[1] - value[0];
  return value[n - 1] - value[0] != step * (double) (n - 1)
         || value[middle] - value[0] != step * (double) middle;
}

/* A(i) for many positions, which are not looked at here, or a large mask on a GPU; *R is 0 where
   mex_array_index has to.  */
static gpueig_status
pick (mex_call *call, gpueig_array array, const gpueig_array_info *a,
      gpueig_array *r)
{
  const mxArray *x = call->args[2];
  gpueig_array_info info = { 0 };
  gpueig_operand o;
  int uploaded;
  gpueig_status status = GPUEIG_OK;
  subscript s = { .n_dims = 0 };
  const int mask = a->on_gpu && mxIsLogical (x) && ! mxIsSparse (x)
                   && mxGetNumberOfElements (x) >= MANY;
  *r = 0;
  if (! mex_handle (x) && ! has_many (x) && ! mask)
    return GPUEIG_OK;
  GE_TRY (mex_get_operand (call, x, array, &o, &uploaded));
  if (mask)
    {
      const gpueig_array bits = o.array;
      status = gpueig_array_nonzero (call->ctx, bits, &o.array);
      mex_free_array (call, bits);
    }
  if (status == GPUEIG_OK)
    status = gpueig_array_describe (call->ctx, o.array, &info);
  s.index.count = info.shape.count;
  s.n_dims = info.shape.n_dims;
  memcpy (s.dims, info.shape.dims, sizeof s.dims);
  if (mask && mxGetM (x) == 1 && mxGetNumberOfDimensions (x) == 2)
    {
      s.dims[1] = s.dims[0];
      s.dims[0] = 1;
    }
  linear_shape (&a->shape, &s);
  if (status == GPUEIG_OK)
    status = gpueig_array_pick (call->ctx, array, o.array, s.n_dims, s.dims, r);
  if (uploaded)
    mex_free_array (call, o.array);
  return status;
}

gpueig_status
mex_array_index (mex_call *call, int code)
{
  gpueig_array_info info;
  subscript s[GPUEIG_ARRAY_DIMS];
  gpueig_index index[GPUEIG_ARRAY_DIMS];
  int n;
  gpueig_array r;
  (void) code;
  const gpueig_array array = call->n_args > 1 ? mex_handle (call->args[1]) : 0;
  GE_TRY (gpueig_array_describe (call->ctx, array, &info));
  if (call->n_args == 3)
    {
      GE_TRY (pick (call, array, &info, &r));
      if (r)
        return mex_put_value (call, r);
    }
  GE_TRY (get_subscripts (call, 2, &info.shape, s, index, &n));
  if (n == 1)
    linear_shape (&info.shape, &s[0]);
  GE_TRY (gpueig_array_index (call->ctx, array, n, index,
                              n == 1 ? s[0].n_dims : 0, s[0].dims, &r));
  return mex_put_value (call, r);
}

/* In an assignment to an array whose dimensions are all zero, ":" takes its count from
   the value, as in Octave: from the same dimension if neither index is a scalar,
   otherwise from the dimensions of the value other than 1, in their order.  */
static gpueig_status
open_colons (mex_call *call, const gpueig_shape *a, const gpueig_operand *value,
             const subscript *s, gpueig_index *index, int n)
{
  gpueig_array_info info = { .shape = { .n_dims = 2, .dims = { 1, 1 } } };
  int64_t kept[GPUEIG_ARRAY_DIMS];
  int n_kept = 0, aligned = n == 2, k = 0;
  for (int d = 0; d < a->n_dims; d++)
    if (a->dims[d] != 0)
      return GPUEIG_OK;
  if (n == 1)
    return GPUEIG_OK;
  if (value->array)
    GE_TRY (gpueig_array_describe (call->ctx, value->array, &info));
  for (int d = 0; d < n; d++)
    aligned = aligned && (s[d].colon || index[d].count != 1);
  aligned = aligned && info.shape.n_dims == 2;
  for (int d = 0; d < info.shape.n_dims; d++)
    if (aligned || info.shape.dims[d] != 1)
      kept[n_kept++] = info.shape.dims[d];
  for (int d = 0; d < n; d++)
    if (s[d].colon)
      {
        index[d].count = k < n_kept ? kept[k] : 1;
        k++;
      }
    else if (index[d].count != 1)
      k++;
  return GPUEIG_OK;
}

/* assign (X, VALUE, I1, ...).  X may be a value of the host if VALUE is an array.  With ALONE
   the result is [] if it is X itself that has changed.  */
gpueig_status
mex_array_assign (mex_call *call, int alone)
{
  gpueig_array_info info;
  subscript s[GPUEIG_ARRAY_DIMS];
  gpueig_index index[GPUEIG_ARRAY_DIMS];
  gpueig_operand value = { 0 };
  arrays a;
  int n = 0, temporary = 0;
  gpueig_array r;
  const int both = call->n_args > 2 && ! mex_handle (call->args[1]);
  GE_TRY (mex_get_arrays (call, 1, 1 + both, &a));
  gpueig_status status = gpueig_array_describe (call->ctx, a.array[0], &info);
  if (status == GPUEIG_OK)
    status = get_subscripts (call, 3, &info.shape, s, index, &n);
  if (status == GPUEIG_OK)
    status
        = mex_get_operand (call, call->args[2], a.array[0], &value, &temporary);
  if (status == GPUEIG_OK)
    status = open_colons (call, &info.shape, &value, s, index, n);
  if (status == GPUEIG_OK)
    {
      status = gpueig_array_assign (call->ctx, a.array[0], alone, n, index,
                                    value, &r);
      if (status == GPUEIG_BAD_INDEX)
        mex_fail ("Octave:invalid-resize", "%s", gpueig_message (call->ctx));
    }
  if (temporary)
    mex_free_array (call, value.array);
  mex_free_arrays (call, &a);
  if (status == GPUEIG_OK && r == a.array[0])
    call->out[0] = mex_empty (0);
  else if (status == GPUEIG_OK)
    mex_put_array (call, 0, r);
  return status;
}

/* diff (X, DIM), of two elements or more along DIM  */
gpueig_status
mex_array_difference (mex_call *call, mex_one *o)
{
  gpueig_index index[GPUEIG_ARRAY_DIMS];
  gpueig_operand part[2] = { 0 };
  gpueig_status status = GPUEIG_OK;
  int dim;
  GE_TRY (mex_array_dimension (call, 2, &dim));
  for (int d = 0; d < o->shape.n_dims; d++)
    index[d]
        = (gpueig_index){ .step = 1, .count = o->shape.dims[d] - (d == dim) };
  for (int k = 0; k < 2 && status == GPUEIG_OK; k++)
    {
      index[dim].start = k;
      status = gpueig_array_index (call->ctx, o->array, o->shape.n_dims, index,
                                   0, NULL, &part[k].array);
    }
  if (status == GPUEIG_OK)
    status = gpueig_array_binary (call->ctx, GPUEIG_MINUS, part[1], part[0],
                                  &o->made);
  mex_free_array (call, part[0].array);
  mex_free_array (call, part[1].array);
  return status;
}
