/* The option parser: names and values after the array arguments of a call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer than every name and word of the tables.  */
enum
{
  WORD = 32
};

int
mex_is_array (const mex_call *call, int i)
{
  return i < call->n_args && ! mxIsChar (call->args[i]);
}

/* Nonzero for a string of one row.  */
static int
is_text (const mxArray *x)
{
  return mxIsChar (x) && mxGetM (x) == 1 && mxGetNumberOfDimensions (x) == 2;
}

/* --- messages --- */

/* Append BEFORE, TEXT and AFTER to LINE, truncated to SIZE bytes.  */
static void
append (char *line, size_t size, const char *before, const char *text,
        const char *after)
{
  size_t used = strlen (line);
  snprintf (line + used, size - used, "%s%s%s", before, text, after);
}

static gpueig_status
unknown_option (mex_call *call, const mex_option *table, const char *name)
{
  char list[256] = "";
  for (const mex_option *o = table; o->name; o++)
    append (list, sizeof list, o == table ? "" : ", ", o->name, "");
  return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                      "unknown option \"%.100s\"; there are %s", name, list);
}

/* The error for the value GOT, which is not one of WORDS.  */
static gpueig_status
not_one_of (mex_call *call, const char *name, const char *const *words,
            const char *got)
{
  char list[200] = "";
  for (const char *const *w = words; *w; w++)
    append (list, sizeof list, w == words ? "\"" : ", \"", *w, "\"");
  return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                      "\"%.40s\" must be one of %s, but is %s", name, list,
                      got);
}

/* --- values --- */

/* Nonzero if A and B are the same but for the case of ASCII letters, in every locale:
   for strcasecmp "index" is not "INDEX" in Turkish.  */
static int
same_word (const char *a, const char *b)
{
  for (;; a++, b++)
    {
      const int x = *a >= 'A' && *a <= 'Z' ? *a + 'a' - 'A' : *a;
      const int y = *b >= 'A' && *b <= 'Z' ? *b + 'a' - 'A' : *b;
      if (x != y || ! x)
        return x == y;
    }
}

static int
find_word (const char *text, const char *const *words)
{
  for (int i = 0; words[i]; i++)
    if (same_word (text, words[i]))
      return i;
  return -1;
}

/* The position of VALUE in o->words, or -1 with the message set.  */
static int
get_word (mex_call *call, const mex_option *o, const char *name,
          const mxArray *value)
{
  char text[WORD], got[120];
  int at = -1;
  if (is_text (value))
    {
      if (mxGetString (value, text, sizeof text) == 0)
        at = find_word (text, o->words);
      if (at >= 0)
        return at;
      char *all = mxArrayToString (value);
      snprintf (got, sizeof got, "\"%.100s\"", all ? all : "");
      mxFree (all);
    }
  else
    snprintf (got, sizeof got, "a value of class %.80s",
              mxGetClassName (value));
  not_one_of (call, name, o->words, got);
  return -1;
}

static gpueig_status
get_integer (mex_call *call, const mex_option *o, const char *name,
             const mxArray *value, double most, double *number)
{
  if (mex_get_number (value, number) && *number >= o->value && *number <= most
      && *number == floor (*number))
    return GPUEIG_OK;
  return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                      "\"%.40s\" must be an integer from %d to %.0f", name,
                      o->value, most);
}

static gpueig_status
not_devices (mex_call *call, const char *name, const char *got)
{
  return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                      "\"%.40s\" must be an integer from 0, a vector of up to "
                      "%d different ones, or \"all\", but %s",
                      name, GPUEIG_MAX_DEVICES, got);
}

/* The option "Device".  The library checks whether devices of these numbers exist.  */
static gpueig_status
get_devices (mex_call *call, const char *name, const mxArray *value,
             gpueig_options *options)
{
  static const char *const words[] = { "all", NULL };
  char text[WORD], got[80];
  double *numbers;
  if (mxIsChar (value))
    {
      if (! is_text (value) || mxGetString (value, text, sizeof text) != 0
          || find_word (text, words) < 0)
        return not_devices (call, name, "is another text");
      options->device = 0;
      options->n_devices = GPUEIG_ALL_DEVICES;
      return GPUEIG_OK;
    }
  GE_TRY (mex_get_numbers (call, value, &numbers));
  const size_t n = mxGetNumberOfElements (value);
  if (! numbers)
    return not_devices (call, name, "is not numeric");
  if (n < 1 || n > GPUEIG_MAX_DEVICES)
    {
      snprintf (got, sizeof got, "has %zu elements", n);
      return not_devices (call, name, got);
    }
  for (size_t i = 0; i < n; i++)
    {
      if (! (numbers[i] >= 0 && numbers[i] <= INT32_MAX)
          || numbers[i] != floor (numbers[i]))
        {
          snprintf (got, sizeof got, "has %g", numbers[i]);
          return not_devices (call, name, got);
        }
      options->devices[i] = (int) numbers[i];
    }
  options->device = options->devices[0];
  options->n_devices = n > 1 ? (int) n : 0;
  return GPUEIG_OK;
}

/* Store VALUE in the field of option O.  */
static gpueig_status
store (mex_call *call, const mex_option *o, const char *name,
       const mxArray *value)
{
  void *to = (char *) &call->options + o->at;
  double number;
  int at;
  switch (o->kind)
    {
    case MEX_ENUM:
    case MEX_WORD:
      at = get_word (call, o, name, value);
      if (at < 0)
        return GPUEIG_BAD_OPTION;
      if (o->kind == MEX_ENUM)
        memcpy (to, &at, sizeof at);
      else
        *(const char **) to = o->words[at];
      break;
    case MEX_INT:
      GE_TRY (get_integer (call, o, name, value, INT32_MAX, &number));
      *(int *) to = (int) number;
      break;
    case MEX_INT64:
      GE_TRY (get_integer (call, o, name, value, 0x1p53, &number));
      *(int64_t *) to = (int64_t) number;
      break;
    case MEX_FRACTION:
      if (! mex_get_number (value, &number) || ! (number > 0 && number < 1))
        return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                            "\"%.40s\" must be a positive scalar below 1",
                            name);
      *(double *) to = number;
      break;
    case MEX_DEVICES:
      return get_devices (call, name, value, to);
    case MEX_ARRAY:
      *(const mxArray **) to = value;
      break;
    case MEX_FLAG:
      break;
    }
  return GPUEIG_OK;
}

/* --- the parser --- */

static const mex_option *
find_option (const mex_option *table, const char *name)
{
  for (const mex_option *o = table; o->name; o++)
    if (same_word (o->name, name))
      return o;
  return NULL;
}

/* Store the flag O.  *FLAGS: one bit for every option of TABLE that was a flag of this
   call; a flag excludes others that set the same field.  */
static gpueig_status
set_flag (mex_call *call, const mex_option *table, const mex_option *o,
          uint64_t *flags)
{
  for (const mex_option *p = table; p->name; p++)
    if (p != o && p->at == o->at && *flags >> (p - table) & 1)
      return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                          "\"%s\" and \"%s\" exclude each other", p->name,
                          o->name);
  *flags |= (uint64_t) 1 << (o - table);
  *(int *) ((char *) &call->options + o->at) = o->value;
  return GPUEIG_OK;
}

/* Parse the option named by argument I and its value; *USED: the number of arguments,
   1 or 2.  */
static gpueig_status
parse_one (mex_call *call, const mex_option *table, int i, int *used,
           uint64_t *flags)
{
  const mxArray *arg = call->args[i];
  char name[WORD];
  gpueig_status status;
  *used = 1;
  if (! is_text (arg))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "expected the name of an option, got a value of class "
                        "%.80s",
                        mxGetClassName (arg));
  const mex_option *o = mxGetString (arg, name, sizeof name) == 0
                            ? find_option (table, name)
                            : NULL;
  if (! o)
    {
      char *all = mxArrayToString (arg);
      status = unknown_option (call, table, all ? all : "");
      mxFree (all);
      return status;
    }
  if (o->kind == MEX_FLAG)
    return set_flag (call, table, o, flags);
  if (i + 1 == call->n_args)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "option \"%s\" needs a value", name);
  *used = 2;
  return store (call, o, name, call->args[i + 1]);
}

/* Set the backend from the environment variable GPUEIG_BACKEND, if the command has this
   option, which is then the first of its table.  */
static gpueig_status
default_backend (mex_call *call, const mex_option *table)
{
  const char *value = getenv ("GPUEIG_BACKEND");
  char got[120];
  if (! value || ! *value || table->at != offsetof (mex_options, core.backend))
    return GPUEIG_OK;
  int at = find_word (value, table->words);
  if (at >= 0)
    {
      call->options.core.backend = (gpueig_backend) at;
      return GPUEIG_OK;
    }
  snprintf (got, sizeof got, "\"%.100s\"", value);
  return not_one_of (call, "GPUEIG_BACKEND", table->words, got);
}

/* Set the devices from the environment variable GPUEIG_DEVICE; an array is on the first of
   them.  */
static gpueig_status
default_devices (mex_call *call, const mex_option *table)
{
  const char *value = getenv ("GPUEIG_DEVICE");
  call->options.core.device = 0;
  if (! value || ! *value)
    return GPUEIG_OK;
  if (gpueig_set_devices (call->ctx, value, &call->options.core) == GPUEIG_OK)
    {
      if (table == mex_array_options)
        call->options.core.n_devices = 0;
      return GPUEIG_OK;
    }
  char text[400];
  snprintf (text, sizeof text, "%.390s", gpueig_message (call->ctx));
  return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION, "GPUEIG_DEVICE: %s", text);
}

gpueig_status
mex_parse_options (mex_call *call, const mex_option *table, int first)
{
  enum
  {
    NOT_GIVEN = -1
  };
  int used;
  uint64_t flags = 0;
  call->options
      = (mex_options){ .core = gpueig_default_options (), .balance = 1 };
  call->options.core.backend = (gpueig_backend) NOT_GIVEN;
  call->options.core.device = NOT_GIVEN;
  for (int i = first; i < call->n_args; i += used)
    GE_TRY (parse_one (call, table, i, &used, &flags));
  if (call->options.core.device == NOT_GIVEN)
    GE_TRY (default_devices (call, table));
  if (call->options.core.backend != (gpueig_backend) NOT_GIVEN)
    return GPUEIG_OK;
  call->options.core.backend = GPUEIG_AUTO;
  return default_backend (call, table);
}
