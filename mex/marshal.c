/* Conversion of Octave's arrays to the library's: classes, sparse and lazy storage,
   planar complex numbers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The functions for the data of an input are called before those for its dimensions,
   here and in all files: access to the data converts lazily stored arrays to full and
   complex ones to planar form, and Octave leaks the dimensions (and the class name)
   that were queried before this conversion.  */

#include "gateway.h"

#include "direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  ASK_FROM = 1 << 20 /* bytes; a query of the free memory takes microseconds */
};

static gpueig_status
short_of_memory (mex_call *call, double bytes)
{
  return gpueig_fail (call->ctx, GPUEIG_OUT_OF_MEMORY,
                      "out of host memory: %.6g MiB needed", bytes / 1048576.0);
}

/* Octave's allocations raise an exception through C frames when they fail, so malloc is
   tried first.  */
gpueig_status
mex_need_room (mex_call *call, size_t count, size_t size)
{
  size_t bytes;
  void *probe = NULL;
  if (! gpueig_allocation_fails (call->ctx)
      && ! __builtin_mul_overflow (count ? count : 1, size, &bytes))
    {
      /* With overcommit, malloc succeeds for more memory than there is.  */
      if (bytes >= ASK_FROM)
        GE_TRY (gpueig_need_memory (call->ctx, (double) bytes, "one array"));
      probe = malloc (bytes);
    }
  if (! probe)
    return short_of_memory (call, (double) count * (double) size);
  free (probe);
  return GPUEIG_OK;
}

void *
mex_scratch (mex_call *call, size_t count, size_t size)
{
  if (mex_need_room (call, count, size) != GPUEIG_OK)
    return NULL;
  return mxMalloc ((count ? count : 1) * size);
}

/* --- complex numbers in place ---

   A full complex value of Octave is stored interleaved, as the library's matrices.  The
   planar functions copy it to two arrays, but mxGetDoubles and mxGetSingles return the
   address of the value itself: so in the source of Octave 7 to 11, and verified by the
   tests; in other versions complex arrays are copied.  For a lazily stored value they would return NULL, which causes an error:
   therefore the built-in function full is called first.  */

/* mex.h declares them for interleaved MEX files only.  */
extern double *mxGetDoubles (const mxArray *array);
extern float *mxGetSingles (const mxArray *array);

enum
{
  IN_PLACE_FROM = 1 << 15, /* bytes; a call of Octave takes microseconds */
  OLDEST = 7,
  NEWEST = 11
};

int
mex_in_place (size_t bytes)
{
  return bytes >= IN_PLACE_FROM && MEX_OCTAVE >= OLDEST && MEX_OCTAVE <= NEWEST;
}

void *
mex_interleaved (const mxArray *array)
{
  return mxIsDouble (array) ? (void *) mxGetDoubles (array)
                            : (void *) mxGetSingles (array);
}

static int
use_in_place (const mxArray *array)
{
  return mxIsComplex (array) && ! mxIsSparse (array)
         && mex_in_place (mxGetNumberOfElements (array)
                          * gpueig_scalar_size (mex_type_of (array)));
}

/* --- types and checks --- */

gpueig_array
mex_handle (const mxArray *x)
{
  /* A matrix of Octave whose class was asked for by name and which is then copied by
     mxGetPr keeps the name forever.  */
  return mxGetClassID (x) == mxUNKNOWN_CLASS && mxIsClass (x, MEX_ARRAY_CLASS)
             ? *(const int64_t *) mxGetData (x)
             : 0;
}

gpueig_type
mex_type_of (const mxArray *array)
{
  gpueig_array_info info;
  const gpueig_array handle = mex_handle (array);
  if (handle)
    return gpueig_array_describe (*mex_direct_calls.context, handle, &info)
                   == GPUEIG_OK
               ? info.shape.type
               : GPUEIG_DOUBLE;
  if (mxIsSingle (array))
    return mxIsComplex (array) ? GPUEIG_COMPLEX_FLOAT : GPUEIG_FLOAT;
  return mxIsComplex (array) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE;
}

gpueig_type
mex_complex_of (gpueig_type type)
{
  return gpueig_is_double (type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
}

gpueig_type
mex_common_type (const mex_call *call, int count)
{
  int is_double = 1, is_complex = 0;
  for (int i = 0; i < count; i++)
    {
      const gpueig_type type = mex_type_of (call->args[i]);
      is_double &= gpueig_is_double (type);
      is_complex |= gpueig_is_complex (type);
    }
  const gpueig_type real = is_double ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  return is_complex ? mex_complex_of (real) : real;
}

gpueig_type
mex_real_of (gpueig_type type)
{
  return gpueig_is_double (type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
}

const char *
mex_size (const mxArray *array, mex_size_text text)
{
  const size_t size = sizeof (mex_size_text);
  const mwSize *dims = mxGetDimensions (array);
  size_t used = 0;
  text[0] = '\0';
  for (mwSize i = 0; i < mxGetNumberOfDimensions (array) && used < size; i++)
    used += (size_t) snprintf (text + used, size - used, "%s%lld",
                               i ? "-by-" : "", (long long) dims[i]);
  return text;
}

int
mex_same_size (const mxArray *a, const mxArray *b)
{
  const mwSize n = mxGetNumberOfDimensions (a);
  return n == mxGetNumberOfDimensions (b)
         && memcmp (mxGetDimensions (a), mxGetDimensions (b), n * sizeof n)
                == 0;
}

int
mex_is_discrete (const mxArray *array)
{
  const mxClassID class = mxGetClassID (array);
  return class == mxLOGICAL_CLASS
         || (class >= mxINT8_CLASS && class <= mxUINT64_CLASS);
}

gpueig_status
mex_check_class (mex_call *call, const mxArray *array, const char *what)
{
  if (mxIsDouble (array) || mxIsSingle (array) || mex_handle (array))
    return GPUEIG_OK;
  return gpueig_fail (call->ctx, GPUEIG_WRONG_TYPE,
                      "%s must be of class double, single, logical or an "
                      "integer class, but is of class %.80s",
                      what, mxGetClassName (array));
}

gpueig_status
mex_check_square_lazy (mex_call *call, const mxArray *array, const char *what)
{
  mex_size_text text;
  const mwSize *dims = mxGetDimensions (array);
  if (dims[0] == dims[1])
    return GPUEIG_OK;
  return gpueig_fail (call->ctx, GPUEIG_NOT_SQUARE,
                      "%s must be square, but is %s", what,
                      mex_size (array, text));
}

void
mex_touch (const mxArray *array)
{
  if (! mex_handle (array) && ! use_in_place (array))
    mxGetPr (array);
}

gpueig_status
mex_check_square (mex_call *call, const mxArray *array, const char *what)
{
  GE_TRY (mex_check_class (call, array, what));
  mex_touch (array);
  return mex_check_square_lazy (call, array, what);
}

/* --- matrices --- */

/* Set element AT of an array of TYPE.  */
static void
store (gpueig_type type, void *to, size_t at, double re, double im)
{
  const int complex = gpueig_is_complex (type);
  mex_set_real (type, to, (int64_t) (at << complex), re);
  if (complex)
    mex_set_real (type, to, (int64_t) (2 * at + 1), im);
}

/* Convert the numbers of a full array to TYPE.  */
static void
convert (const mxArray *array, gpueig_type type, void *to)
{
  const size_t count = mxGetNumberOfElements (array);
  const gpueig_type from = mxIsDouble (array) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const void *re = mxGetPr (array), *im = mxGetPi (array);
  for (size_t i = 0; i < count; i++)
    store (type, to, i, ge_real_at (from, re, (int64_t) i),
           im ? ge_real_at (from, im, (int64_t) i) : 0);
}

/* Convert a sparse matrix, always of class double, to a full one of TYPE.  */
static gpueig_status
expand_sparse (mex_call *call, const mxArray *array, gpueig_type type,
               const void **data)
{
  const double *re = mxGetPr (array), *im = mxGetPi (array);
  const mwIndex *jc = mxGetJc (array), *ir = mxGetIr (array);
  size_t rows = mxGetM (array), columns = mxGetN (array), total;
  if (__builtin_mul_overflow (rows, columns, &total))
    return short_of_memory (call, 16.0 * (double) rows * (double) columns);
  void *to = mex_scratch (call, total, gpueig_scalar_size (type));
  if (! to)
    return GPUEIG_OUT_OF_MEMORY;
  memset (to, 0, total * gpueig_scalar_size (type));
  for (size_t j = 0; j < columns; j++)
    for (mwIndex k = jc[j]; k < jc[j + 1]; k++)
      store (type, to, (size_t) ir[k] + rows * j, re[k], im ? im[k] : 0);
  *data = to;
  return GPUEIG_OK;
}

gpueig_status
mex_get_matrix (mex_call *call, const mxArray *array, gpueig_type type,
                mex_matrix *m)
{
  const void *data = NULL;
  const gpueig_array handle = mex_handle (array);
  if (! handle != ! call->array)
    return mex_refuse (call);
  if (handle)
    GE_TRY (mex_array_data (call, handle, type, &data));
  else if (use_in_place (array))
    {
      /* The result is real if all imaginary parts are zero.  */
      mxArray *in = (mxArray *) array;
      array = mex_builtin_1 ("full", 1, &in);
      if (use_in_place (array) && mex_type_of (array) == type)
        data = mex_interleaved (array);
    }
  if (! data)
    data = mxGetPr (array);
  const mwSize *dims = mxGetDimensions (array);
  m->type = type;
  m->rows = (int64_t) dims[0];
  m->columns = (int64_t) dims[1];
  m->pages = 1;
  for (mwSize i = 2; i < mxGetNumberOfDimensions (array); i++)
    m->pages *= (int64_t) dims[i];
  if (mxIsSparse (array))
    return expand_sparse (call, array, type, &m->data);
  if (handle
      || (mex_type_of (array) == type
          && (! gpueig_is_complex (type) || use_in_place (array))))
    {
      m->data = data;
      return GPUEIG_OK;
    }
  void *to = mex_scratch (call, mxGetNumberOfElements (array),
                          gpueig_scalar_size (type));
  if (! to)
    return GPUEIG_OUT_OF_MEMORY;
  convert (array, type, to);
  m->data = to;
  return GPUEIG_OK;
}

/* --- numbers of any class, for values of options --- */

int
mex_get_number (const mxArray *array, double *value)
{
  if (! mxIsNumeric (array) || mxIsComplex (array)
      || mxGetNumberOfElements (array) != 1)
    return 0;
  if (! mxIsSparse (array))
    *value = mxGetScalar (array);
  else
    /* A sparse zero has no stored element, but mxGetScalar would read one.  */
    *value = mxGetJc (array)[1] ? mxGetPr (array)[0] : 0;
  return 1;
}

gpueig_status
mex_get_numbers (mex_call *call, const mxArray *array, double **numbers)
{
  *numbers = NULL;
  if (mex_handle (array))
    return mex_refuse (call);
  if (! mxIsNumeric (array) || mxIsComplex (array))
    return GPUEIG_OK;
  if (mxIsSparse (array))
    {
      const void *full = NULL;
      gpueig_status status = expand_sparse (call, array, GPUEIG_DOUBLE, &full);
      *numbers = status == GPUEIG_OK ? (double *) full : NULL;
      return status;
    }
  double *to = mex_scratch (call, mxGetNumberOfElements (array), sizeof *to);
  if (! to)
    return GPUEIG_OUT_OF_MEMORY;
  mxArray *in = (mxArray *) array;
  if (mex_is_discrete (array))
    array = mex_builtin_1 ("double", 1, &in);
  convert (array, GPUEIG_DOUBLE, to);
  *numbers = to;
  return GPUEIG_OK;
}
