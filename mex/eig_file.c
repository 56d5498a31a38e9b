/* The command of gpu_eig_file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "base/system.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* *NAME: the file name in argument I, "" for an empty string.  */
static gpueig_status
get_name (mex_call *call, int i, const char *what, char **name)
{
  const mxArray *x = call->args[i];
  if (! mxIsChar (x) || (mxGetM (x) > 1 && ! mxIsEmpty (x)))
    return gpueig_fail (call->ctx, GPUEIG_WRONG_TYPE,
                        "%s must be the name of a file, but is of class %.80s",
                        what, mxGetClassName (x));
  *name = mxArrayToString (x);
  return *name ? GPUEIG_OK
               : gpueig_fail (call->ctx, GPUEIG_OUT_OF_MEMORY,
                              "out of host memory");
}

enum
{
  NAME_BYTES = 4096
};

/* FULL: the absolute path of NAME, for workers in other folders or on other hosts.
   The file itself need not exist.  */
static gpueig_status
full_name (mex_call *call, const char *name, char full[NAME_BYTES])
{
  full[0] = '\0';
  if (! name || ! *name || ge_full_name (name, full, NAME_BYTES) == 0)
    return GPUEIG_OK;
  return gpueig_fail (call->ctx, GPUEIG_IO, "%.200s cannot be opened: %s", name,
                      strerror (errno));
}

static gpueig_status
get_order (mex_call *call, int64_t *n)
{
  double x = -1;
  if (! mex_get_number (call->args[2], &x) || ! (x >= 0) || ! (x <= INT32_MAX)
      || x != floor (x))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "the order n must be an integer from 0 to %d",
                        INT32_MAX);
  *n = (int64_t) x;
  return GPUEIG_OK;
}

/* The option "Complex".  */
static gpueig_status
get_complex (mex_call *call, int *is_complex)
{
  const mxArray *x = call->options.complex;
  double value = 0;
  *is_complex = 0;
  if (! x)
    return GPUEIG_OK;
  if (mxIsLogical (x) && mxGetNumberOfElements (x) == 1)
    value = mxGetScalar (x);
  else if (! mex_get_number (x, &value) || (value != 0 && value != 1))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Complex\" must be true or false");
  *is_complex = value != 0;
  return GPUEIG_OK;
}

static gpueig_status
get_problem (mex_call *call, gpueig_file_problem *p)
{
  int is_complex;
  GE_TRY (get_order (call, &p->n));
  GE_TRY (get_complex (call, &is_complex));
  p->type = call->options.is_single ? GPUEIG_FLOAT : GPUEIG_DOUBLE;
  if (is_complex)
    p->type = mex_complex_of (p->type);
  p->first = 1;
  p->last = p->n;
  if (! call->options.index)
    return GPUEIG_OK;
  gpueig_symmetric part = { .n = p->n };
  GE_TRY (mex_get_index (call, &part));
  p->first = part.first;
  p->last = part.last;
  return GPUEIG_OK;
}

/* lambda = gpu_eig_file (FILE_A, FILE_V, n, ...)  */
gpueig_status
mex_eig_file (mex_call *call)
{
  char *name_a = NULL, *name_v = NULL, a[NAME_BYTES], v[NAME_BYTES];
  gpueig_file_problem p = { .a_file = a, .v_file = v };
  GE_TRY (mex_parse_options (call, mex_file_options, 3));
  call->options.core.backend = GPUEIG_MPI;
  GE_TRY (get_name (call, 0, "FILE_A", &name_a));
  GE_TRY (get_name (call, 1, "FILE_V", &name_v));
  GE_TRY (get_problem (call, &p));
  GE_TRY (full_name (call, name_a, a));
  GE_TRY (full_name (call, name_v, v));
  if (p.n > 0)
    GE_TRY (gpueig_check_files (call->ctx, &p));
  mex_result r = mex_eigenvalues (mex_real_of (p.type), p.n, NULL);
  if (p.n > 0)
    r.rows = p.last - p.first + 1;
  GE_TRY (mex_new_results (call, &r, 1));
  p.lambda = r.data;
  GE_TRY (gpueig_eig_file (call->ctx, &p, &call->options.core, &call->info));
  GE_TRY (mex_put (call, 0, &r));
  mex_put_info (call, 1);
  return GPUEIG_OK;
}
