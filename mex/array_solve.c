/* Solvers of arrays of gpu_array, which stay where they are: results are arrays in the place of the
   first argument, outputs the numbers of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A command refuses (mex_refuse) what it can only do with copies in host memory, which
   gpu_solvers.cc then makes: pairs that need QZ, arguments in several places, matrices with few
   diagonals, complex arrays without imaginary parts, MPI.  */

#include "gateway.h"

#include <stdio.h>
#include <string.h>

/* Free ARRAY unless it is 0; the message of the context stays.  */
static void
free_array (mex_call *call, gpueig_array array)
{
  char message[500];
  snprintf (message, sizeof message, "%s", gpueig_message (call->ctx));
  if (array)
    gpueig_array_free (call->ctx, array);
  gpueig_fail (call->ctx, GPUEIG_OK, "%s", message);
}

/* --- results --- */

/* *RESULT, made with STATUS, is to be freed unless it is an output.  */
static gpueig_status
note (mex_call *call, gpueig_status status, const gpueig_array *result)
{
  if (status == GPUEIG_OK)
    call->made[call->n_made++] = *result;
  return status;
}

gpueig_status
mex_new_array (mex_call *call, mex_result *r)
{
  const mwSize n = r->like ? mxGetNumberOfDimensions (r->like) : 2;
  int64_t dims[GPUEIG_ARRAY_DIMS] = { r->rows, r->columns };
  for (mwSize d = 2; d < n; d++)
    dims[d] = (int64_t) mxGetDimensions (r->like)[d];
  GE_TRY (note (call,
                gpueig_array_like (call->ctx, call->array, r->type, (int) n,
                                   dims, &r->made),
                &r->made));
  return gpueig_array_data (call->ctx, r->made, &r->data);
}

mxArray *
mex_number_of (gpueig_array array)
{
  mxArray *number = mxCreateNumericMatrix (1, 1, mxINT64_CLASS, mxREAL);
  *(int64_t *) mxGetData (number) = array;
  return number;
}

/* *RESULT: VALUES, K-by-1 per page, on the diagonals of pages ROWS-by-COLUMNS: elements ROWS + 1
   apart of columns that are whole pages.  An array grows by what is assigned, with zeros.  */
static gpueig_status
diagonal_pages (mex_call *call, const gpueig_shape *values, int64_t rows,
                int64_t columns, gpueig_array *result)
{
  const int64_t k = values->dims[0], pages = values->count / k,
                none[2] = { 0, 0 }, of_pages[2] = { k, pages };
  int64_t dims[GPUEIG_ARRAY_DIMS];
  const gpueig_index last[2] = { { .count = 1, .start = rows * columns - 1 },
                                 { .count = 1, .start = pages - 1 } },
                     at[2] = { { .count = k, .step = rows + 1 },
                               { .count = pages, .step = 1 } };
  gpueig_operand lambda = { .type = values->type };
  const gpueig_operand zero = { .type = values->type };
  gpueig_array empty, filled;
  GE_TRY (note (
      call,
      gpueig_array_reshape (call->ctx, *result, 2, of_pages, &lambda.array),
      &lambda.array));
  GE_TRY (note (call,
                gpueig_array_like (call->ctx, lambda.array, values->type, 2,
                                   none, &empty),
                &empty));
  GE_TRY (note (
      call, gpueig_array_assign (call->ctx, empty, 0, 2, last, zero, &filled),
      &filled));
  GE_TRY (gpueig_array_assign (call->ctx, filled, 1, 2, at, lambda, &filled));
  memcpy (dims, values->dims, sizeof dims);
  dims[0] = rows;
  dims[1] = columns;
  return note (
      call,
      gpueig_array_reshape (call->ctx, filled, values->n_dims, dims, result),
      result);
}

gpueig_status
mex_diagonal_array (mex_call *call, mex_result *r, int64_t rows,
                    int64_t columns)
{
  gpueig_array_info info;
  GE_TRY (gpueig_array_describe (call->ctx, r->made, &info));
  return info.shape.n_dims > 2 || rows != columns
             ? diagonal_pages (call, &info.shape, rows, columns, &r->made)
             : note (call,
                     gpueig_array_diagonal (call->ctx, r->made, 0, &r->made),
                     &r->made);
}

gpueig_status
mex_shrink_array (mex_call *call, mex_result *r)
{
  const gpueig_index at[2]
      = { { .count = r->rows, .step = 1 }, { .count = r->columns, .step = 1 } };
  return note (
      call, gpueig_array_index (call->ctx, r->made, 2, at, 0, NULL, &r->made),
      &r->made);
}

gpueig_status
mex_same_array (mex_call *call, const mex_result *r, mxArray **out)
{
  gpueig_array_info info;
  gpueig_array same;
  GE_TRY (gpueig_array_describe (call->ctx, r->made, &info));
  GE_TRY (note (call,
                gpueig_array_reshape (call->ctx, r->made, info.shape.n_dims,
                                      info.shape.dims, &same),
                &same));
  *out = mex_number_of (same);
  return GPUEIG_OK;
}

gpueig_status
mex_join_arrays (mex_call *call, mex_result *re, const mex_result *im)
{
  const gpueig_operand unit = { .type = mex_complex_of (re->type), .im = 1 },
                       x = { .array = re->made }, y = { .array = im->made };
  gpueig_operand turned = { 0 };
  GE_TRY (note (
      call,
      gpueig_array_binary (call->ctx, GPUEIG_TIMES, unit, y, &turned.array),
      &turned.array));
  return note (
      call, gpueig_array_binary (call->ctx, GPUEIG_PLUS, x, turned, &re->made),
      &re->made);
}

void
mex_free_made (mex_call *call, int good)
{
  for (int k = 0; k < call->n_made; k++)
    {
      int is_output = 0;
      for (int i = 0; good && i < MEX_OUTPUTS; i++)
        is_output |= call->out[i]
                     && mxGetClassID (call->out[i]) == mxINT64_CLASS
                     && *(int64_t *) mxGetData (call->out[i]) == call->made[k];
      if (! is_output)
        free_array (call, call->made[k]);
    }
}

/* --- arguments --- */

/* *HAS: ARRAY, of SHAPE, is real, or an imaginary part is not zero; complex matrices of
   Octave without imaginary parts are real ones.  */
static gpueig_status
has_its_type (mex_call *call, gpueig_array array, const gpueig_shape *shape,
              int *has)
{
  gpueig_array parts = 0, column = 0;
  const int64_t dims[2] = { shape->count, 1 };
  double norm = 0;
  *has = 1;
  if (! gpueig_is_complex (shape->type))
    return GPUEIG_OK;
  gpueig_status status
      = gpueig_array_unary (call->ctx, GPUEIG_IMAG, array, &parts);
  if (status == GPUEIG_OK)
    status = gpueig_array_reshape (call->ctx, parts, 2, dims, &column);
  if (status == GPUEIG_OK)
    status = gpueig_array_norm (call->ctx, GPUEIG_NORM_INF, column, &norm);
  free_array (call, parts);
  free_array (call, column);
  *has = norm != 0;
  return status;
}

gpueig_status
mex_find_place (mex_call *call, const mex_command *command)
{
  gpueig_array_info info;
  if (command->matrices == 0)
    return GPUEIG_OK;
  call->array = mex_handle (call->args[0]);
  if (! call->array)
    return GPUEIG_OK;
  GE_TRY (gpueig_array_describe (call->ctx, call->array, &info));
  call->place = info.on_gpu ? GPUEIG_DEVICE : GPUEIG_HOST;
  call->never_qz = 1;
  return GPUEIG_OK;
}

gpueig_status
mex_array_data (mex_call *call, gpueig_array array, gpueig_type type,
                const void **data)
{
  gpueig_array_info first, info;
  int has;
  void *at;
  GE_TRY (gpueig_array_describe (call->ctx, call->array, &first));
  GE_TRY (gpueig_array_describe (call->ctx, array, &info));
  if (info.shape.count == 0 || info.device != first.device)
    return mex_refuse (call);
  GE_TRY (has_its_type (call, array, &info.shape, &has));
  if (! has)
    return mex_refuse (call);
  if (info.shape.type != type)
    GE_TRY (note (call, gpueig_array_convert (call->ctx, array, type, &array),
                  &array));
  GE_TRY (gpueig_array_data (call->ctx, array, &at));
  *data = at;
  return GPUEIG_OK;
}

/* [failed, ARRAY] = __gpueig__ ("place", NOUT, options): an array without elements in the place that
   the options of gpu_array name.  */
gpueig_status
mex_place (mex_call *call)
{
  const int64_t none[2] = { 0, 0 };
  gpueig_array array;
  GE_TRY (mex_parse_options (call, mex_array_options, 0));
  GE_TRY (gpueig_array_new (call->ctx, GPUEIG_DOUBLE, 2, none,
                            &call->options.core, &array));
  call->out[0] = mex_number_of (array);
  return GPUEIG_OK;
}
