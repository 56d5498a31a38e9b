/* Operations of the command "array": reductions, scans, sorting, searching.  Of positions
   and truth values gpu_array.cc makes values of Octave.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array.h"

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

/* sum (X, DIM) and its kin, any and all of which are numbers.  */
gpueig_status
mex_array_reduce (mex_call *call, mex_one *o)
{
  int dim;
  GE_TRY (get_dimension (call, 2, o, &dim));
  return gpueig_array_reduce (call->ctx, (gpueig_reduction) o->code, o->array,
                              dim, &o->made);
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
  gpueig_array at = 0;
  GE_TRY (mex_array_integer (call, 2, &descending));
  GE_TRY (mex_array_dimension (call, 3, &dim));
  GE_TRY (gpueig_array_sort (call->ctx, o->array, dim, descending != 0,
                             &o->made, call->n_out > 1 ? &at : NULL));
  if (at)
    mex_put_array (call, 1, at);
  return GPUEIG_OK;
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
