/* Calls of Octave's functions, and values of Octave that results share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   An array that a MEX file creates is converted to a value of Octave and freed: 4000
   instructions for a number or a string.  For a value that Octave has created only the
   reference count is increased: 100 instructions.  The numbers and strings that nearly
   every call returns are therefore created once and kept until the process ends.  */

#include "gateway.h"

#include <string.h>

/* Convert ARRAY to a value of Octave that is kept for all later calls, as is ARRAY, whose
   memory it may share.  */
static mxArray *
keep (mxArray *array)
{
  /* With one argument horzcat returns this argument.  */
  mxArray *in[] = { mxCreateString ("horzcat"), array }, *value = NULL;
  mexCallMATLAB (1, &value, 2, in, "builtin");
  mxDestroyArray (in[0]);
  mexMakeArrayPersistent (array);
  mexMakeArrayPersistent (value);
  return value;
}

void
mex_builtin (const char *name, int n_out, mxArray *out[], int n_in,
             mxArray *in[])
{
  mxArray *args[1 + MEX_MOST_ARGS] = { mex_text (name) };
  if (n_in > 0)
    memcpy (args + 1, in, (size_t) n_in * sizeof *in);
  mexCallMATLAB (n_out, out, 1 + n_in, args, "builtin");
}

mxArray *
mex_builtin_1 (const char *name, int n_in, mxArray *in[])
{
  mxArray *out = NULL;
  mex_builtin (name, 1, &out, n_in, in);
  return out;
}

mxArray *
mex_own (mxArray *array)
{
  if (! MEX_TAKEN_OVER)
    return array;
  mxArray *in[] = { array, mex_number (1) };
  /* A product is a new array.  */
  mxArray *value = mex_builtin_1 ("times", 2, in);
  mxDestroyArray (array);
  return value;
}

mxArray *
mex_empty (int rows)
{
  static mxArray *values[2];
  if (! values[rows])
    values[rows] = keep (mxCreateDoubleMatrix ((mwSize) rows, 0, mxREAL));
  return values[rows];
}

mxArray *
mex_flag (int value)
{
  static mxArray *values[2];
  if (! values[value])
    values[value] = keep (mxCreateLogicalScalar (value));
  return values[value];
}

mxArray *
mex_number (double value)
{
  static mxArray *values[3];
  if (value != -1 && value != 0 && value != 1)
    return mxCreateDoubleScalar (value);
  mxArray **at = &values[(int) value + 1];
  if (! *at)
    *at = keep (mxCreateDoubleScalar ((int) value));
  return *at;
}

mxArray *
mex_text (const char *text)
{
  enum
  {
    TEXTS = 128, /* more than names of fields, methods and backends */
    LENGTH = 24
  };
  static struct
  {
    char text[LENGTH];
    mxArray *value;
  } table[TEXTS];
  size_t at = 0;
  for (const char *c = text; *c; c++)
    at = 31 * at + (unsigned char) *c;
  const size_t length = strlen (text);
  if (length < LENGTH)
    for (int i = 0; i < TEXTS; i++, at++)
      {
        mxArray **value = &table[at % TEXTS].value;
        char *known = table[at % TEXTS].text;
        if (*value && strcmp (known, text) != 0)
          continue;
        if (! *value)
          {
            *value = keep (mxCreateString (text));
            memcpy (known, text, length + 1);
          }
        return *value;
      }
  return mxCreateString (text);
}

mxArray *
mex_struct (int n, const char *const names[], mxArray *const values[])
{
  mxArray *in[MEX_MOST_ARGS];
  for (int i = 0; i < n && 2 * i < MEX_MOST_ARGS; i++)
    {
      in[2 * i] = mex_text (names[i]);
      in[2 * i + 1] = values[i];
    }
  return mex_builtin_1 ("struct", 2 * n < MEX_MOST_ARGS ? 2 * n : MEX_MOST_ARGS,
                        in);
}
