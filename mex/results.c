/* Conversion of the library's arrays to Octave's, and the outputs in the form of eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Where MEX_TAKEN_OVER, arrays created by a MEX file become values of Octave without a
   copy, but each can be one output only.  Older versions copy them when the command
   returns, which is slow because of page faults; arrays created by Octave functions are
   returned without a copy.  Large results are therefore created by __array__ and the
   library writes into them.  Small complex results are computed in scratch memory and
   converted.  */

#include "gateway.h"

#include "base/system.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum
{
  OCTAVE_MAKES_FROM = 1 << 17, /* bytes; a call of Octave takes microseconds */
};

static size_t
count_of (const mex_result *r)
{
  size_t count = (size_t) r->rows;
  if (__builtin_mul_overflow (count, (size_t) r->columns, &count))
    return SIZE_MAX / 32;
  mwSize n = r->like ? mxGetNumberOfDimensions (r->like) : 2;
  for (mwSize i = 2; i < n; i++)
    if (__builtin_mul_overflow (count, (size_t) mxGetDimensions (r->like)[i],
                                &count))
      return SIZE_MAX / 32;
  return count < SIZE_MAX / 32 ? count : SIZE_MAX / 32;
}

/* --- allocation --- */

/* Arrays with more dimensions than FEW need memory for them.  */
enum
{
  FEW = 8
};

/* The N dimensions of R, in BUFFER if N <= FEW; NULL, with the message set, if memory
   is not sufficient.  */
static mwSize *
dimensions_of (mex_call *call, const mex_result *r, mwSize buffer[FEW],
               mwSize *n)
{
  mwSize *dims = buffer;
  *n = r->like ? mxGetNumberOfDimensions (r->like) : 2;
  if (*n > FEW)
    dims = mex_scratch (call, *n, sizeof *dims);
  if (! dims)
    return NULL;
  for (mwSize i = 2; i < *n; i++)
    dims[i] = mxGetDimensions (r->like)[i];
  dims[0] = (mwSize) r->rows;
  dims[1] = (mwSize) r->columns;
  return dims;
}

/* Nonzero if R's array is created by a function of Octave: then it may be more than one
   output, and a part of other values.  */
static int
octave_makes (const mex_call *call, const mex_result *r)
{
  const size_t bytes = count_of (r) * gpueig_scalar_size (r->type);
  if (MEX_TAKEN_OVER && ! call->same_vectors)
    return 0;
  return gpueig_is_complex (r->type) ? mex_in_place (bytes)
                                     : bytes >= OCTAVE_MAKES_FROM;
}

/* Nonzero if R is complex and computed in scratch memory.  */
static int
is_converted (const mex_result *r)
{
  return gpueig_is_complex (r->type) && ! MEX_TAKEN_OVER
         && ! mex_in_place (count_of (r) * gpueig_scalar_size (r->type));
}

/* mex.h declares it, without the suffix, for interleaved MEX files only.  */
extern mxArray *mxCreateUninitNumericArray_interleaved (mwSize n_dims,
                                                        const mwSize *dims,
                                                        mxClassID class,
                                                        mxComplexity complex);

/* A large array created by Octave: by __array__, which sets no elements, or where that is
   missing by zeros or its function i.  */
static mxArray *
ask_octave (gpueig_type type, mwSize n, const mwSize *dims)
{
  static const char *const names[]
      = { "single", "double", "complex single", "complex double" };
  const int complex = gpueig_is_complex (type);
  mxArray *in[2]
      = { mxCreateDoubleMatrix (1, n, mxREAL), mxCreateString (names[type]) },
      *array = NULL, *error;
  for (mwSize i = 0; i < n; i++)
    mxGetPr (in[0])[i] = (double) dims[i];
  error = mexCallMATLABWithTrap (1, &array, 2, in, "__array__");
  if (error)
    {
      mxDestroyArray (error);
      mxDestroyArray (in[1]);
      in[1]
          = mxCreateString (names[type] + (complex ? strlen ("complex ") : 0));
      array = mex_builtin_1 (complex ? "i" : "zeros", 2, in);
    }
  mxDestroyArray (in[0]);
  mxDestroyArray (in[1]);
  return array;
}

static gpueig_status
make (mex_call *call, mex_result *r)
{
  const size_t count = count_of (r), size = gpueig_scalar_size (r->type);
  const mxClassID class = gpueig_is_double (r->type) ? mxDOUBLE_CLASS
                                                     : mxSINGLE_CLASS;
  const int complex = gpueig_is_complex (r->type);
  mwSize buffer[FEW], n, *dims = dimensions_of (call, r, buffer, &n);
  r->array = NULL;
  if (! dims)
    return GPUEIG_OUT_OF_MEMORY;
  if (is_converted (r))
    {
      r->data = mex_scratch (call, count, size);
      return r->data ? GPUEIG_OK : GPUEIG_OUT_OF_MEMORY;
    }
  GE_TRY (mex_need_room (call, count, size));
  if (octave_makes (call, r))
    r->array = ask_octave (r->type, n, dims);
  else if (complex)
    r->array
        = mxCreateUninitNumericArray_interleaved (n, dims, class, mxCOMPLEX);
  else
    r->array = mxCreateUninitNumericArray (n, dims, class, mxREAL);
  r->data = complex ? mex_interleaved (r->array) : mxGetData (r->array);
  ge_prepare_output (r->data, count * size);
  return GPUEIG_OK;
}

/* The memory for all results together is checked before the first allocation: the
   kernel counts allocated memory as free until it is written.  */
static gpueig_status
need_results (mex_call *call, const mex_result *results, int n)
{
  enum
  {
    ALWAYS_THERE = 1 << 20 /* bytes */
  };
  char what[100];
  double all = 0, most = -1;
  int arrays = 0;
  const mex_result *largest = results;
  for (int i = 0; i < n; i++)
    if (results[i].rows >= 0)
      {
        const size_t size = gpueig_scalar_size (results[i].type);
        const double bytes = (double) count_of (&results[i]) * (double) size;
        /* A complex result in scratch memory is copied once more.  */
        all += (1 + is_converted (&results[i])) * bytes;
        if (bytes > most)
          largest = &results[i];
        most = bytes > most ? bytes : most;
        arrays++;
      }
  if (all <= ALWAYS_THERE)
    return GPUEIG_OK;
  snprintf (what, sizeof what, "%d result%s with columns of %lld numbers",
            arrays, arrays > 1 ? "s" : "", (long long) largest->rows);
  return gpueig_need_memory (call->ctx, all, what);
}

gpueig_status
mex_new_results (mex_call *call, mex_result *results, int n)
{
  gpueig_status status
      = call->array ? GPUEIG_OK : need_results (call, results, n);
  for (int i = 0; i < n && status == GPUEIG_OK; i++)
    if (results[i].rows >= 0)
      status = (call->array ? mex_new_array : make) (call, &results[i]);
  return status;
}

/* --- conversion of finished results --- */

/* Block by block, up to the first one with a nonzero number.  */
int
mex_has_imaginary (gpueig_type type, const void *x, int64_t count)
{
  const int64_t block = 4096;
  int found = 0;
  for (int64_t start = 0; start < count && ! found; start += block)
    {
      const int64_t stop = start + block < count ? start + block : count;
      for (int64_t i = start; i < stop; i++)
        found |= ge_real_at (type, x, 2 * i + 1) != 0;
    }
  return found;
}

static void
split (mex_call *call, const mex_result *r, void *to, void *im)
{
  gpueig_split (call->ctx, r->type, (int64_t) count_of (r), r->data, to, im);
}

/* Set r->array.  A complex result whose imaginary parts are all zero becomes real, as
   in Octave.  */
static gpueig_status
finish (mex_call *call, mex_result *r)
{
  if (r->made)
    r->array = mex_number_of (r->made);
  if (r->made || ! gpueig_is_complex (r->type) || ! r->data)
    return GPUEIG_OK;
  if (! mex_has_imaginary (r->type, r->data, (int64_t) count_of (r)))
    {
      mex_result real = *r;
      real.type = mex_real_of (r->type);
      gpueig_status status = make (call, &real);
      if (status != GPUEIG_OK)
        return status;
      split (call, r, real.data, NULL);
      if (r->array)
        mxDestroyArray (r->array);
      *r = real;
      return GPUEIG_OK;
    }
  if (r->array)
    return GPUEIG_OK;
  mwSize buffer[FEW], n, *dims = dimensions_of (call, r, buffer, &n);
  if (! dims)
    return GPUEIG_OUT_OF_MEMORY;
  r->array = mxCreateUninitNumericArray (
      n, dims, gpueig_is_double (r->type) ? mxDOUBLE_CLASS : mxSINGLE_CLASS,
      mxCOMPLEX);
  split (call, r, mxGetData (r->array), mxGetImagData (r->array));
  return GPUEIG_OK;
}

gpueig_status
mex_put (mex_call *call, int i, mex_result *r)
{
  if (i >= call->n_out)
    return GPUEIG_OK;
  GE_TRY (finish (call, r));
  call->out[i] = r->array;
  return GPUEIG_OK;
}

void
mex_put_info (mex_call *call, int i)
{
  /* Octave has an error for more outputs.  */
  if (call->array && i + 1 < call->n_out)
    call->failed = MEX_REFUSED;
  if (i < call->n_out)
    call->out[i] = mex_info (&call->info, call->command->extra);
}

gpueig_status
mex_shrink_result (mex_call *call, mex_result *r, int64_t rows, int64_t columns)
{
  mex_result small = *r;
  if (rows == r->rows && columns == r->columns)
    return GPUEIG_OK;
  small.rows = rows;
  small.columns = columns;
  if (r->made)
    {
      *r = small;
      return mex_shrink_array (call, r);
    }
  GE_TRY (make (call, &small));
  memcpy (small.data, r->data,
          count_of (&small) * gpueig_scalar_size (r->type));
  if (r->array)
    mxDestroyArray (r->array);
  *r = small;
  return GPUEIG_OK;
}

/* --- outputs in the form of eig --- */

mex_result
mex_eigenvalues (gpueig_type type, int64_t n, const mxArray *like)
{
  const int stack = like && mxGetNumberOfDimensions (like) > 2;
  return (mex_result){
    .type = type, .rows = n, .columns = n > 0 || stack, .like = like
  };
}

/* Replace the values of a stack, k-by-1 per page, by diagonal pages.  */
static gpueig_status
diagonal_pages (mex_call *call, mex_result *r, int64_t rows, int64_t columns)
{
  mex_result d = *r;
  const size_t k = (size_t) r->rows, page = (size_t) (rows * columns);
  const size_t size = gpueig_scalar_size (r->type);
  d.rows = rows;
  d.columns = columns;
  GE_TRY (mex_new_results (call, &d, 1));
  const size_t count = count_of (r);
  memset (d.data, 0, count_of (&d) * size);
  for (size_t i = 0; i < count; i++)
    memcpy ((char *) d.data
                + (i / k * page + i % k * ((size_t) rows + 1)) * size,
            (const char *) r->data + i * size, size);
  if (r->array)
    mxDestroyArray (r->array);
  *r = d;
  return GPUEIG_OK;
}

/* *OUT: the array of R for a second output: a reference to it, or a copy.  */
static gpueig_status
same_output (mex_call *call, const mex_result *r, mxArray **out)
{
  if (r->made)
    return mex_same_array (call, r, out);
  *out = octave_makes (call, r) ? r->array : mxDuplicateArray (r->array);
  return GPUEIG_OK;
}

gpueig_status
mex_make_diagonal (mex_call *call, mex_result *r, int64_t rows, int64_t columns)
{
  const int stack = r->like && mxGetNumberOfDimensions (r->like) > 2;
  if (r->made)
    return mex_diagonal_array (call, r, rows, columns);
  if (stack)
    return diagonal_pages (call, r, rows, columns);
  GE_TRY (finish (call, r));
  if (! octave_makes (call, r))
    r->array = mex_own (r->array);
  const int square = rows == columns; /* fewer arrays take less time */
  mxArray *in[] = { r->array, square ? NULL : mex_number ((double) rows),
                    square ? NULL : mex_number ((double) columns) };
  r->array = mex_builtin_1 ("diag", square ? 1 : 3, in);
  r->data = NULL;
  return GPUEIG_OK;
}

gpueig_status
mex_eigen_outputs (mex_call *call, mex_result *lambda, mex_result *v,
                   mex_result *w)
{
  const int alone = call->n_out < 2;
  const int form = call->options.form;
  const int matrix
      = form == MEX_FORM_MATRIX || (form == MEX_FORM_DEFAULT && ! alone);
  const int64_t k = lambda->rows;
  if (matrix)
    GE_TRY (mex_make_diagonal (call, lambda, k, k));
  GE_TRY (mex_put (call, ! alone, lambda));
  if (! alone)
    GE_TRY (mex_put (call, 0, v));
  if (w)
    GE_TRY (mex_put (call, 2, w));
  else if (call->n_out > 2)
    GE_TRY (same_output (call, v, &call->out[2]));
  mex_put_info (call, 3);
  return GPUEIG_OK;
}
