/* Octave arrays to core arrays and back: classes, planar <-> interleaved.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_status
short_of_memory (gpueig_context *ctx, double bytes)
{
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "out of host memory: %.6g MiB needed", bytes / 1048576.0);
}

/* Memory that Octave frees when the command returns.  mxMalloc itself would
   raise an error through C frames when it fails: ask malloc first.  */
void *
mex_scratch (gpueig_context *ctx, size_t count, size_t size)
{
  size_t bytes;
  void *probe = NULL;
  if (! gpueig_allocation_fails (ctx)
      && ! __builtin_mul_overflow (count ? count : 1, size, &bytes))
    probe = malloc (bytes);
  if (! probe)
    {
      short_of_memory (ctx, (double) count * (double) size);
      return NULL;
    }
  free (probe);
  return mxMalloc (bytes);
}

/* --- in --- */

/* COUNT planar numbers of type IN, imaginary part IM or NULL, to scalars of
   type OUT, components STRIDE reals apart.  */
#define CONVERT(IN, OUT)                                                       \
  static void convert_##IN##_##OUT (const IN *re, const IN *im, OUT *to,       \
                                    size_t count, int complex)                 \
  {                                                                            \
    if (! complex)                                                             \
      for (size_t i = 0; i < count; i++)                                       \
        to[i] = (OUT) re[i];                                                   \
    else                                                                       \
      for (size_t i = 0; i < count; i++)                                       \
        {                                                                      \
          to[2 * i] = (OUT) re[i];                                             \
          to[2 * i + 1] = im ? (OUT) im[i] : 0;                                \
        }                                                                      \
  }
CONVERT (double, double)
CONVERT (double, float)
CONVERT (float, double)
CONVERT (float, float)

static void
convert (const mxArray *array, gpueig_type type, void *to)
{
  size_t count = mxGetNumberOfElements (array);
  int complex = gpueig_is_complex (type);
  const void *re = mxGetPr (array), *im = mxGetPi (array);
  if (mxIsDouble (array) && gpueig_is_double (type))
    convert_double_double (re, im, to, count, complex);
  else if (mxIsDouble (array))
    convert_double_float (re, im, to, count, complex);
  else if (gpueig_is_double (type))
    convert_float_double (re, im, to, count, complex);
  else
    convert_float_float (re, im, to, count, complex);
}

/* Element AT of an array of TYPE.  */
static void
store (gpueig_type type, void *to, size_t at, double re, double im)
{
  switch (type)
    {
    case GPUEIG_FLOAT:
      ((float *) to)[at] = (float) re;
      break;
    case GPUEIG_DOUBLE:
      ((double *) to)[at] = re;
      break;
    case GPUEIG_COMPLEX_FLOAT:
      ((float *) to)[2 * at] = (float) re;
      ((float *) to)[2 * at + 1] = (float) im;
      break;
    case GPUEIG_COMPLEX_DOUBLE:
      ((double *) to)[2 * at] = re;
      ((double *) to)[2 * at + 1] = im;
      break;
    }
}

/* Sparse, always of class double, to full, as TYPE.  */
static gpueig_status
expand_sparse (gpueig_context *ctx, const mxArray *array, gpueig_type type,
               const void **data)
{
  const double *re = mxGetPr (array), *im = mxGetPi (array);
  const mwIndex *jc = mxGetJc (array), *ir = mxGetIr (array);
  size_t rows = mxGetM (array), columns = mxGetN (array), total;
  if (__builtin_mul_overflow (rows, columns, &total))
    return short_of_memory (ctx, 16.0 * (double) rows * (double) columns);
  void *to = mex_scratch (ctx, total, gpueig_scalar_size (type));
  if (! to)
    return GPUEIG_OUT_OF_MEMORY;
  memset (to, 0, total * gpueig_scalar_size (type));
  for (size_t j = 0; j < columns; j++)
    for (mwIndex k = jc[j]; k < jc[j + 1]; k++)
      store (type, to, (size_t) ir[k] + rows * j, re[k], im ? im[k] : 0);
  *data = to;
  return GPUEIG_OK;
}

static gpueig_status
check_class (gpueig_context *ctx, const mxArray *array, const char *what)
{
  if (mxIsDouble (array) || mxIsSingle (array))
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_WRONG_TYPE,
                      "%s must be a real or complex matrix of class double or "
                      "single, but is of class %s",
                      what, mxGetClassName (array));
}

gpueig_status
mex_get_matrix_as (gpueig_context *ctx, const mxArray *array, const char *what,
                   gpueig_type type, mex_matrix *m)
{
  gpueig_status status = check_class (ctx, array, what);
  if (status != GPUEIG_OK)
    return status;
  /* The data first: this makes lazily stored and complex arrays full and
     planar, and Octave leaks the dimensions that were asked for before.  */
  void *data = mxGetPr (array);
  const mwSize *dims = mxGetDimensions (array);
  m->type = type;
  m->rows = (int64_t) dims[0];
  m->columns = (int64_t) dims[1];
  m->pages = 1;
  for (mwSize i = 2; i < mxGetNumberOfDimensions (array); i++)
    m->pages *= (int64_t) dims[i];
  if (mxIsSparse (array))
    return expand_sparse (ctx, array, type, &m->data);
  if (! gpueig_is_complex (type)
      && mxIsDouble (array) == gpueig_is_double (type))
    {
      m->data = data;
      return GPUEIG_OK;
    }
  void *to = mex_scratch (ctx, mxGetNumberOfElements (array),
                          gpueig_scalar_size (type));
  if (! to)
    return GPUEIG_OUT_OF_MEMORY;
  convert (array, type, to);
  m->data = to;
  return GPUEIG_OK;
}

gpueig_status
mex_get_matrix (gpueig_context *ctx, const mxArray *array, const char *what,
                mex_matrix *matrix)
{
  int complex = mxIsComplex (array);
  gpueig_type type = mxIsSingle (array)
                         ? (complex ? GPUEIG_COMPLEX_FLOAT : GPUEIG_FLOAT)
                         : (complex ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE);
  return mex_get_matrix_as (ctx, array, what, type, matrix);
}

/* --- out --- */

/* A new real array.  Octave up to 7 copies the arrays that a MEX file makes when
   it returns them, page fault by page fault.  What a function of Octave made is
   handed on as it is: for large arrays Octave itself is asked for zeros.  */
static mxArray *
real_array (mwSize n, const mwSize *dims, size_t bytes, mxClassID class)
{
  if (GE_OCTAVE_MAJOR > 7 || bytes < 1 << 16)
    return mxCreateUninitNumericArray (n, (mwSize *) dims, class, mxREAL);
  mxArray *zeros = NULL;
  mxArray *in[2]
      = { mxCreateDoubleMatrix (1, n, mxREAL),
          mxCreateString (class == mxDOUBLE_CLASS ? "double" : "single") };
  for (mwSize i = 0; i < n; i++)
    mxGetPr (in[0])[i] = (double) dims[i];
  mexCallMATLAB (1, &zeros, 2, in, "zeros");
  mxDestroyArray (in[0]);
  mxDestroyArray (in[1]);
  return zeros;
}

mxArray *
mex_new_array (gpueig_context *ctx, gpueig_type type, int64_t rows,
               int64_t columns, const mxArray *like, void **data)
{
  mwSize n = like ? mxGetNumberOfDimensions (like) : 2;
  size_t count = 1;
  mwSize *dims = mex_scratch (ctx, n, sizeof *dims);
  if (! dims)
    return NULL;
  for (mwSize i = 2; i < n; i++)
    dims[i] = mxGetDimensions (like)[i];
  dims[0] = (mwSize) rows;
  dims[1] = (mwSize) columns;
  for (mwSize i = 0; i < n; i++)
    if (__builtin_mul_overflow (count, (size_t) dims[i], &count))
      count = SIZE_MAX / 32;

  /* Ask for the array's own memory first: Octave would raise an error.  */
  void *probe = mex_scratch (ctx, count, gpueig_scalar_size (type));
  if (! probe)
    return NULL;
  if (! gpueig_is_complex (type))
    {
      mxFree (probe);
      mxArray *array = real_array (n, dims, count * gpueig_scalar_size (type),
                                   gpueig_is_double (type) ? mxDOUBLE_CLASS
                                                           : mxSINGLE_CLASS);
      *data = mxGetData (array);
      return array;
    }
  *data = probe;
  return mxCreateUninitNumericArray (
      n, dims, gpueig_is_double (type) ? mxDOUBLE_CLASS : mxSINGLE_CLASS,
      mxCOMPLEX);
}

mxArray *
mex_new_planes (gpueig_context *ctx, gpueig_type type, int64_t rows,
                int64_t columns, void **re, void **im)
{
  mwSize dims[2] = { (mwSize) rows, (mwSize) columns };
  size_t count = SIZE_MAX / 32;
  if (__builtin_mul_overflow (dims[0], dims[1], &count))
    count = SIZE_MAX / 32;
  void *probe = mex_scratch (ctx, count, gpueig_scalar_size (type));
  if (! probe)
    return NULL;
  mxFree (probe);
  mxClassID class = gpueig_is_double (type) ? mxDOUBLE_CLASS : mxSINGLE_CLASS;
  mxArray *array;
  if (gpueig_is_complex (type))
    array = mxCreateUninitNumericArray (2, dims, class, mxCOMPLEX);
  else
    array = real_array (2, dims, count * gpueig_scalar_size (type), class);
  *re = mxGetData (array);
  *im = gpueig_is_complex (type) ? mxGetImagData (array) : NULL;
  return array;
}

void
mex_finish (mxArray *array, gpueig_type type, const void *data)
{
  size_t count = mxGetNumberOfElements (array);
  if (type == GPUEIG_COMPLEX_DOUBLE)
    {
      const double *from = data;
      double *re = mxGetPr (array), *im = mxGetPi (array);
      for (size_t i = 0; i < count; i++)
        {
          re[i] = from[2 * i];
          im[i] = from[2 * i + 1];
        }
    }
  else if (type == GPUEIG_COMPLEX_FLOAT)
    {
      const float *from = data;
      float *re = mxGetData (array), *im = mxGetImagData (array);
      for (size_t i = 0; i < count; i++)
        {
          re[i] = from[2 * i];
          im[i] = from[2 * i + 1];
        }
    }
}

/* Is every imaginary part of COUNT interleaved numbers zero?  */
static int
imaginary_is_zero (gpueig_type type, const void *data, size_t count)
{
  if (gpueig_is_double (type))
    {
      for (size_t i = 0; i < count; i++)
        if (((const double *) data)[2 * i + 1] != 0)
          return 0;
    }
  else
    for (size_t i = 0; i < count; i++)
      if (((const float *) data)[2 * i + 1] != 0)
        return 0;
  return 1;
}

void
mex_finish_narrow (mxArray **array, gpueig_type type, const void *data)
{
  size_t count = mxGetNumberOfElements (*array);
  if (! imaginary_is_zero (type, data, count))
    {
      mex_finish (*array, type, data);
      return;
    }
  mxArray *real = mxCreateUninitNumericArray (
      mxGetNumberOfDimensions (*array), (mwSize *) mxGetDimensions (*array),
      gpueig_is_double (type) ? mxDOUBLE_CLASS : mxSINGLE_CLASS, mxREAL);
  for (size_t i = 0; i < count; i++)
    if (gpueig_is_double (type))
      mxGetPr (real)[i] = ((const double *) data)[2 * i];
    else
      ((float *) mxGetData (real))[i] = ((const float *) data)[2 * i];
  mxDestroyArray (*array);
  *array = real;
}
