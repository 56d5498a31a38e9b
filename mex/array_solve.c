/* The solvers of gpu_array whose arrays stay where they are.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   solve (NAME, ARG1, ..., OPTIONS): the command of the function NAME, whose arguments and
   results are arrays: outputs are numbers of new arrays, the info a struct.  The first
   output is [] for what only the functions for host data do: pairs that need QZ, arrays of
   several types or places, matrices with few diagonals, D that is not square, complex
   arrays without imaginary parts, MPI, wrong arguments.  */

#include "array.h"

#include <string.h>

enum
{
  FIRST = 2 /* argument, after "solve" and the name */
};

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

/* The values of a stack, K-by-1 per page, as diagonals of pages: elements K + 1 apart of columns
   that are whole pages.  An array grows by what is assigned, with zeros.  */
static gpueig_status
diagonal_pages (mex_call *call, const gpueig_shape *values,
                gpueig_array *result)
{
  const int64_t k = values->dims[0], none[2] = { 0, 0 },
                columns[2] = { k, values->count / k };
  int64_t dims[GPUEIG_ARRAY_DIMS];
  const gpueig_index at[2]
      = { { .count = k, .step = k + 1 }, { .count = columns[1], .step = 1 } };
  gpueig_operand lambda = { .type = values->type };
  gpueig_array empty, pages;
  GE_TRY (note (
      call,
      gpueig_array_reshape (call->ctx, *result, 2, columns, &lambda.array),
      &lambda.array));
  GE_TRY (note (call,
                gpueig_array_like (call->ctx, lambda.array, values->type, 2,
                                   none, &empty),
                &empty));
  GE_TRY (note (
      call, gpueig_array_assign (call->ctx, empty, 0, 2, at, lambda, &pages),
      &pages));
  memcpy (dims, values->dims, sizeof dims);
  dims[1] = k;
  return note (
      call,
      gpueig_array_reshape (call->ctx, pages, values->n_dims, dims, result),
      result);
}

gpueig_status
mex_diagonal_array (mex_call *call, mex_result *r)
{
  gpueig_array_info info;
  GE_TRY (gpueig_array_describe (call->ctx, r->made, &info));
  return info.shape.n_dims > 2
             ? diagonal_pages (call, &info.shape, &r->made)
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

/* Free what was made and is not an output.  */
static void
free_others (mex_call *call, int good)
{
  for (int k = 0; k < call->n_made; k++)
    {
      int is_output = 0;
      for (int i = 0; good && i < MEX_OUTPUTS; i++)
        is_output |= call->out[i]
                     && mxGetClassID (call->out[i]) == mxINT64_CLASS
                     && *(int64_t *) mxGetData (call->out[i]) == call->made[k];
      if (! is_output)
        mex_free_array (call, call->made[k]);
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
  mex_free_array (call, parts);
  mex_free_array (call, column);
  *has = norm != 0;
  return status;
}

/* *ACCEPTED: X is an array in the place of FIRST and of its type.  */
static gpueig_status
is_like (mex_call *call, const mxArray *x, const gpueig_array_info *first,
         int *accepted)
{
  gpueig_array_info info;
  const gpueig_array array = mex_handle (x);
  *accepted = array != 0;
  if (! array)
    return GPUEIG_OK;
  GE_TRY (gpueig_array_describe (call->ctx, array, &info));
  *accepted = info.shape.count > 0 && info.shape.type == first->shape.type
              && info.on_gpu == first->on_gpu;
  return *accepted ? has_its_type (call, array, &info.shape, accepted)
                   : GPUEIG_OK;
}

/* *ACCEPTED: the leading arguments are N arrays in one place, of one type, and argument AFTER is
   none.  *INFO: of the first.  */
static gpueig_status
get_arrays (mex_call *call, int n, int after, gpueig_array_info *info,
            int *accepted)
{
  call->array = mex_handle (call->args[FIRST]);
  *accepted
      = call->array && call->n_args >= after && ! mex_is_array (call, after);
  if (*accepted)
    GE_TRY (gpueig_array_describe (call->ctx, call->array, info));
  for (int i = 0; i < n && *accepted; i++)
    GE_TRY (is_like (call, call->args[FIRST + i], info, accepted));
  call->place = info->on_gpu ? GPUEIG_DEVICE : GPUEIG_HOST;
  return GPUEIG_OK;
}

/* --- the table --- */

typedef enum
{
  EIGEN,   /* outputs of the form of eig */
  GIVES_D, /* the same, of svd */
  OTHER
} outputs;

enum
{
  PAIRS = 0
};

typedef struct
{
  const char *name;
  int arrays, most_out; /* PAIRS: one or two arrays */
  outputs outputs;
  const mex_option *options;
} solver;

static const solver solvers[]
    = { { "eig", PAIRS, 4, EIGEN, mex_eig_options },
        { "jacobi_eig", PAIRS, 4, EIGEN, mex_jacobi_options },
        { "onesided_eig", 1, 4, EIGEN, mex_onesided_options },
        { "complex_eig", 1, 4, EIGEN, mex_complex_options },
        { "mrrr", 2, 4, EIGEN, mex_mrrr_options },
        { "svd", 1, 4, GIVES_D, mex_svd_options },
        { "schur", 1, 3, OTHER, mex_schur_options },
        { "tdinv", 3, 1, OTHER, mex_tdinv_options },
        { "polar", 1, 3, OTHER, mex_funm_options },
        { "sqrtm", 1, 1, OTHER, mex_funm_options },
        { "logm", 1, 1, OTHER, mex_funm_options },
        { "expm", 1, 1, OTHER, mex_funm_options },
        { "mpower", 1, 1, OTHER, mex_funm_options } };

/* *ACCEPTED: options and outputs of a call of S are among those that are accepted, of arrays like
   FIRST.  */
static gpueig_status
is_accepted (mex_call *call, const solver *s, const gpueig_array_info *first,
             int *accepted)
{
  const mex_options *o = &call->options;
  const gpueig_shape *shape = &first->shape;
  const int matrix = o->form == MEX_FORM_MATRIX
                     || (o->form == MEX_FORM_DEFAULT && call->n_out > 1);
  double power[2];
  *accepted = ! (o->columns || o->band || o->core.backend == GPUEIG_MPI
                 || o->core.workers || (o->index && mex_handle (o->index))
                 || (o->range && mex_handle (o->range)));
  if (*accepted && s->outputs == GIVES_D && matrix && ! o->economy
      && ! o->index)
    *accepted = shape->dims[0] == shape->dims[1];
  if (*accepted && strcmp (s->name, "mpower") == 0)
    *accepted = mex_get_power (call, FIRST + 1, power) == GPUEIG_OK
                && (power[1] == 0 || gpueig_is_complex (shape->type))
                && (! mxIsSingle (call->args[FIRST + 1])
                    || ! gpueig_is_double (shape->type));
  if (*accepted && o->guess)
    {
      GE_TRY (is_like (call, o->guess, first, accepted));
      *accepted = *accepted && mex_same_size (o->guess, call->args[FIRST]);
    }
  return GPUEIG_OK;
}

static const solver *
find (const mex_call *call)
{
  char name[32] = "";
  if (mxGetString (call->args[1], name, sizeof name) == 0)
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++)
      if (strcmp (name + strlen ("gpu_"), solvers[i].name) == 0)
        return &solvers[i];
  return NULL;
}

gpueig_status
mex_array_solver (mex_call *call, int code)
{
  gpueig_array_info first = { .on_gpu = 0 };
  int accepted;
  (void) code;
  if (call->n_args <= FIRST)
    return mex_usage (call);
  const solver *s = find (call);
  call->out[0] = mex_empty (0);
  if (! s || call->n_out > s->most_out)
    return GPUEIG_OK;
  const int pair = s->arrays == PAIRS && mex_is_array (call, FIRST + 1);
  const int arrays = s->arrays == PAIRS ? 1 + pair : s->arrays;
  const int after = FIRST + arrays + (strcmp (s->name, "mpower") == 0);
  GE_TRY (get_arrays (call, arrays, after, &first, &accepted));
  if (accepted)
    GE_TRY (mex_parse_options (
        call,
        pair && strcmp (s->name, "eig") == 0 ? mex_pair_options : s->options,
        after));
  if (accepted)
    GE_TRY (is_accepted (call, s, &first, &accepted));
  if (! accepted)
    return GPUEIG_OK;
  const mex_command *command = mex_find_command (s->name);
  call->extra = command->extra;
  call->args += FIRST;
  call->n_args -= FIRST;
  call->never_qz = 1;
  gpueig_status status = command->run (call);
  free_others (call, status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE);
  /* What no GPU has, and QZ, is solved with copies.  */
  if (call->failed == MEX_REFUSED
      || (s->outputs == GIVES_D && status == GPUEIG_NO_DEVICE))
    {
      call->failed = 0;
      call->out[0] = mex_empty (0);
      status = GPUEIG_OK;
    }
  return status;
}
