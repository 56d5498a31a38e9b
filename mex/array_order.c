/* Operations of the command "array": reductions, scans, sorting, searching.  Positions and
   truth values are arrays of Octave.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array.h"

/* An array of Octave of SHAPE: of doubles or, if IS_LOGICAL, of truth values.  */
static gpueig_status
new_array (mex_call *call, const gpueig_shape *shape, int is_logical,
           mxArray **array)
{
  mwSize dims[GPUEIG_ARRAY_DIMS];
  GE_TRY (mex_need_room (call, (size_t) shape->count,
                         is_logical ? 1 : sizeof (double)));
  for (int d = 0; d < shape->n_dims; d++)
    dims[d] = (mwSize) shape->dims[d];
  *array = is_logical ? mxCreateLogicalArray ((mwSize) shape->n_dims, dims)
                      : mxCreateNumericArray ((mwSize) shape->n_dims, dims,
                                              mxDOUBLE_CLASS, mxREAL);
  return GPUEIG_OK;
}

/* The dimension in argument I; before version 11 Octave took a 0-by-0 matrix for a column
   in sums and their kin along any dimension.  */
static gpueig_status
get_dimension (mex_call *call, int i, const mex_one *o, int *dim)
{
  const gpueig_shape *s = &o->shape;
  GE_TRY (mex_array_dimension (call, i, dim));
  if (MEX_OCTAVE < 11 && *dim >= 0 && s->n_dims == 2 && s->dims[0] == 0
      && s->dims[1] == 0 && o->code != GPUEIG_LARGEST
      && o->code != GPUEIG_SMALLEST)
    *dim = *dim == 0 ? -1 : 1;
  return GPUEIG_OK;
}

/* sum (X, DIM) and its kin; of max and min the second output, too.  */
gpueig_status
mex_array_reduce (mex_call *call, mex_one *o)
{
  int dim;
  gpueig_array_info info;
  GE_TRY (get_dimension (call, 2, o, &dim));
  GE_TRY (gpueig_array_reduce (call->ctx, (gpueig_reduction) o->code, o->array,
                               dim, &o->made));
  if (call->n_out < 2)
    return GPUEIG_OK;
  gpueig_status status = gpueig_array_describe (call->ctx, o->made, &info);
  if (status == GPUEIG_OK)
    status = new_array (call, &info.shape, 0, &call->out[1]);
  if (status == GPUEIG_OK)
    status = gpueig_array_locate (call->ctx, o->array, dim, o->made,
                                  mxGetPr (call->out[1]));
  if (status != GPUEIG_OK)
    mex_free_array (call, o->made);
  return status;
}

/* any (X, DIM), all (X, DIM)  */
gpueig_status
mex_array_test (mex_call *call, mex_one *o)
{
  int dim;
  gpueig_array_info info;
  gpueig_operand is = { 0 }, zero = { .type = GPUEIG_FLOAT };
  GE_TRY (get_dimension (call, 2, o, &dim));
  GE_TRY (gpueig_array_reduce (call->ctx, (gpueig_reduction) o->code, o->array,
                               dim, &is.array));
  gpueig_status status = gpueig_array_describe (call->ctx, is.array, &info);
  if (status == GPUEIG_OK)
    status = new_array (call, &info.shape, 1, &call->out[0]);
  if (status == GPUEIG_OK)
    status = gpueig_array_compare (call->ctx, GPUEIG_NE, is, zero,
                                   mxGetData (call->out[0]));
  mex_free_array (call, is.array);
  return status;
}

/* cumsum (X, DIM) and its kin  */
gpueig_status
mex_array_scan (mex_call *call, mex_one *o)
{
  int dim;
  GE_TRY (mex_array_dimension (call, 2, &dim));
  return gpueig_array_scan (call->ctx, (gpueig_reduction) o->code, o->array,
                            dim, &o->made);
}

/* sort (X, DESCENDING, DIM)  */
gpueig_status
mex_array_sort (mex_call *call, mex_one *o)
{
  int dim;
  int64_t descending;
  GE_TRY (mex_array_integer (call, 2, &descending));
  GE_TRY (mex_array_dimension (call, 3, &dim));
  if (call->n_out > 1)
    GE_TRY (new_array (call, &o->shape, 0, &call->out[1]));
  return gpueig_array_sort (call->ctx, o->array, dim, descending != 0, &o->made,
                            call->n_out > 1 ? mxGetPr (call->out[1]) : NULL);
}

/* median (X, DIM); [] for a complex or empty array  */
gpueig_status
mex_array_median (mex_call *call, mex_one *o)
{
  int dim;
  GE_TRY (mex_array_dimension (call, 2, &dim));
  if (gpueig_is_complex (o->shape.type) || o->shape.count == 0)
    {
      call->out[0] = mex_empty (0);
      return GPUEIG_OK;
    }
  return gpueig_array_median (call->ctx, o->array, dim, &o->made);
}

/* find (X), as a column  */
gpueig_status
mex_array_nonzero (mex_call *call, mex_one *o)
{
  return gpueig_array_nonzero (call->ctx, o->array, &o->made);
}
