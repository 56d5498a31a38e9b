/* Arguments of the command "array": objects of class gpu_array, scalars, and other
   values of Octave, which are uploaded; scalar results.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array.h"
#include "direct.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

gpueig_array
mex_handle (const mxArray *x)
{
  /* A matrix of Octave whose class was asked for by name and which is then copied by
     mxGetPr keeps the name forever.  */
  return mxGetClassID (x) == mxUNKNOWN_CLASS && mxIsClass (x, MEX_ARRAY_CLASS)
             ? *(const int64_t *) mxGetData (x)
             : 0;
}

void
mex_free_array (mex_call *call, gpueig_array array)
{
  char message[500];
  snprintf (message, sizeof message, "%s", gpueig_message (call->ctx));
  if (array)
    gpueig_array_free (call->ctx, array);
  gpueig_fail (call->ctx, GPUEIG_OK, "%s", message);
}

gpueig_status
mex_upload (mex_call *call, const mxArray *x, gpueig_array like,
            const gpueig_options *options, gpueig_array *array)
{
  mex_matrix m = { .type = GPUEIG_DOUBLE };
  mxArray *in = (mxArray *) x;
  int64_t dims[GPUEIG_ARRAY_DIMS];
  if (mxIsSparse (x))
    x = in = mex_builtin_1 ("full", 1, &in);
  if (! mxIsLogical (x) && (mex_is_discrete (x) || (like && mxIsChar (x))))
    x = mex_builtin_1 ("double", 1, &in);
  if (! mxIsLogical (x))
    {
      GE_TRY (mex_check_class (call, x, "the argument"));
      GE_TRY (mex_get_matrix (call, x, mex_type_of (x), &m));
    }
  const int n_dims = (int) mxGetNumberOfDimensions (x);
  if (n_dims > GPUEIG_ARRAY_DIMS)
    return gpueig_fail (call->ctx, GPUEIG_WRONG_TYPE,
                        "an array on the GPU has up to %d dimensions, but the "
                        "argument has %d",
                        GPUEIG_ARRAY_DIMS, n_dims);
  for (int d = 0; d < n_dims; d++)
    dims[d] = (int64_t) mxGetDimensions (x)[d];
  GE_TRY (
      like
          ? gpueig_array_like (call->ctx, like, m.type, n_dims, dims, array)
          : gpueig_array_new (call->ctx, m.type, n_dims, dims, options, array));
  gpueig_status status
      = mxIsLogical (x)
            ? gpueig_array_upload_bytes (call->ctx, *array, mxGetData (x))
            : gpueig_array_upload (call->ctx, *array, m.data);
  if (status != GPUEIG_OK)
    {
      mex_free_array (call, *array);
      *array = 0;
    }
  return status;
}

gpueig_status
mex_array_integer (mex_call *call, int i, int64_t *value)
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

gpueig_status
mex_array_dimension (mex_call *call, int i, int *dim)
{
  int64_t d;
  *dim = -1;
  if (i >= call->n_args)
    return GPUEIG_OK;
  GE_TRY (mex_array_integer (call, i, &d));
  if (d < 1)
    return gpueig_fail (call->ctx, GPUEIG_BAD_ARGUMENT,
                        "DIM must be a valid dimension");
  *dim = d > GPUEIG_ARRAY_DIMS ? GPUEIG_ARRAY_DIMS : (int) d - 1;
  return GPUEIG_OK;
}

void
mex_free_arrays (mex_call *call, const arrays *a)
{
  for (int i = 0; i < a->n; i++)
    if (a->temporary[i])
      mex_free_array (call, a->array[i]);
}

gpueig_status
mex_get_arrays (mex_call *call, int first, int n, arrays *a)
{
  gpueig_array like = 0;
  a->n = 0;
  if (call->n_args < first + n)
    return mex_usage (call);
  a->array = mex_scratch (call, (size_t) n, sizeof *a->array);
  a->temporary = mex_scratch (call, (size_t) n, 1);
  if (! a->array || ! a->temporary)
    return GPUEIG_OUT_OF_MEMORY;
  memset (a->temporary, 0, (size_t) n);
  for (int i = 0; i < n; i++)
    {
      a->array[i] = mex_handle (call->args[first + i]);
      like = like ? like : a->array[i];
    }
  if (! like)
    return mex_usage (call);
  a->n = n;
  for (int i = 0; i < n; i++)
    if (! a->array[i])
      {
        a->temporary[i] = 1;
        const gpueig_status status = mex_upload (call, call->args[first + i],
                                                 like, NULL, &a->array[i]);
        if (status != GPUEIG_OK)
          {
            mex_free_arrays (call, a);
            return status;
          }
      }
  return GPUEIG_OK;
}

gpueig_status
mex_get_operand (mex_call *call, const mxArray *x, gpueig_array like,
                 gpueig_operand *o, int *temporary)
{
  *temporary = 0;
  *o = (gpueig_operand){ .array = mex_handle (x), .type = GPUEIG_DOUBLE };
  if (o->array)
    return GPUEIG_OK;
  if (mxGetNumberOfElements (x) != 1 || mxIsSparse (x)
      || ! (mxIsDouble (x) || mxIsSingle (x) || mxIsLogical (x)))
    {
      *temporary = 1;
      return mex_upload (call, x, like, NULL, &o->array);
    }
  if (! mxIsLogical (x))
    o->type = mex_type_of (x);
  o->re = mxGetScalar (x);
  if (mxIsComplex (x))
    o->im = mxIsSingle (x) ? *(const float *) mxGetImagData (x) : *mxGetPi (x);
  return GPUEIG_OK;
}

gpueig_status
mex_get_operands (mex_call *call, gpueig_operand o[2], gpueig_array *temporary)
{
  *temporary = 0;
  if (call->n_args < 3)
    return mex_usage (call);
  gpueig_array like = mex_handle (call->args[1]);
  like = like ? like : mex_handle (call->args[2]);
  if (! like)
    return mex_usage (call);
  for (int i = 0; i < 2; i++)
    {
      int is;
      GE_TRY (mex_get_operand (call, call->args[1 + i], like, &o[i], &is));
      *temporary = is ? o[i].array : *temporary;
    }
  return GPUEIG_OK;
}

void
mex_put_array (mex_call *call, int out, gpueig_array array)
{
  call->out[out] = mex_number_of (array);
}

gpueig_status
mex_put_value (mex_call *call, gpueig_array array)
{
  gpueig_array_info info;
  union
  {
    double d[2];
    float s[2];
  } x = { .d = { 0, 0 } };
  GE_TRY (gpueig_array_peek (call->ctx, array, &info));
  if (info.shape.count != 1)
    {
      mex_put_array (call, 0, array);
      return GPUEIG_OK;
    }
  const gpueig_status status = gpueig_array_download (call->ctx, array, &x);
  mex_free_array (call, array);
  GE_TRY (status);
  call->out[0] = gpueig_is_double (info.shape.type)
                     ? mex_scalar_value (info.shape.type, x.d[0], x.d[1])
                     : mex_scalar_value (info.shape.type, x.s[0], x.s[1]);
  return GPUEIG_OK;
}

gpueig_status
mex_put_result (mex_call *call, const arrays *a, gpueig_status status,
                gpueig_array result)
{
  mex_free_arrays (call, a);
  return status == GPUEIG_OK ? mex_put_value (call, result) : status;
}

mxArray *
mex_scalar_value (gpueig_type type, double re, double im)
{
  mxArray *x = mxCreateNumericMatrix (
      1, 1, gpueig_is_double (type) ? mxDOUBLE_CLASS : mxSINGLE_CLASS,
      im != 0 ? mxCOMPLEX : mxREAL);
  if (gpueig_is_double (type))
    *mxGetPr (x) = re;
  else
    *(float *) mxGetData (x) = (float) re;
  if (im != 0 && gpueig_is_double (type))
    *mxGetPi (x) = im;
  else if (im != 0)
    *(float *) mxGetImagData (x) = (float) im;
  return x;
}
