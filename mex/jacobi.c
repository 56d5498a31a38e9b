/* The command of gpu_jacobi_eig.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "gpueig_methods.h"

#include <string.h>

/* --- the option "Guess" --- */

/* *DATA: the option "Guess" in the type of the problem, for every page of A.  The guess
   has the size of A, or is one matrix, which is then used for all pages.  */
static gpueig_status
get_guess (mex_call *call, const mxArray *a, const mex_matrix *problem,
           const void **data)
{
  const mxArray *guess = call->options.guess;
  mex_size_text wanted, got;
  mex_matrix m;
  GE_TRY (mex_get_matrix (call, guess, problem->type, &m));
  *data = m.data;
  const int fits = m.rows == problem->rows && m.columns == problem->columns;
  if (fits && m.pages == problem->pages && mex_same_size (a, guess))
    return GPUEIG_OK;
  if (! fits || mxGetNumberOfDimensions (guess) > 2)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Guess\" must have the size of A, %s, but is %s",
                        mex_size (a, wanted), mex_size (guess, got));
  if (call->array)
    return mex_refuse (call);
  const size_t count = (size_t) (m.rows * m.columns),
               bytes = count * gpueig_scalar_size (m.type);
  char *all = mex_scratch (call, count * (size_t) problem->pages,
                           gpueig_scalar_size (m.type));
  if (! all)
    return GPUEIG_OUT_OF_MEMORY;
  for (int64_t p = 0; p < problem->pages; p++)
    memcpy (all + (size_t) p * bytes, m.data, bytes);
  *data = all;
  return GPUEIG_OK;
}

static gpueig_status
check_jacobi_options (mex_call *call)
{
  const gpueig_options *o = &call->options.core;
  const mxArray *guess = call->options.guess;
  const ge_method method = ge_find_method (GE_JACOBI_EIG, o->method);
  const int classical = method == GE_METHOD_JACOBI_CLASSICAL;
  if (o->max_rotations && ! classical)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"MaxRotations\" needs \"Method\", \"classical\", but "
                        "the method is \"%s\"",
                        o->method);
  if (guess && ! mxIsDouble (guess) && ! mxIsSingle (guess)
      && ! mex_handle (guess))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Guess\" must be a matrix of class double or single, "
                        "but is of class %.80s",
                        mxGetClassName (guess));
  return GPUEIG_OK;
}

/* --- pairs --- */

static gpueig_status
solve_pair (mex_call *call)
{
  mex_matrix x, y;
  GE_TRY (mex_parse_options (call, mex_jacobi_options, 2));
  GE_TRY (mex_get_pair (call, 0, &x, &y));
  if (call->options.guess)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Guess\" is for one matrix, not for a pair (A, B)");
  gpueig_symmetric problem = {
    .type = x.type, .n = x.rows, .pages = x.pages, .a = x.data, .b = y.data
  };
  return mex_solve_symmetric (call, gpueig_jacobi_eig, &problem, call->args[0]);
}

/* --- the command --- */

gpueig_status
mex_jacobi_eig (mex_call *call)
{
  mex_matrix m;
  const void *guess = NULL;
  if (mex_is_array (call, 1))
    return solve_pair (call);
  GE_TRY (mex_parse_options (call, mex_jacobi_options, 1));
  GE_TRY (mex_check_square (call, call->args[0], "A"));
  GE_TRY (check_jacobi_options (call));
  const mxArray *a = call->args[0];
  gpueig_type type = mex_type_of (a);
  if (call->options.guess && mxIsComplex (call->options.guess))
    type = mex_complex_of (type);
  GE_TRY (mex_get_matrix (call, a, type, &m));
  if (call->options.guess)
    GE_TRY (get_guess (call, a, &m, &guess));
  gpueig_symmetric problem = {
    .type = type, .n = m.rows, .pages = m.pages, .a = m.data, .guess = guess
  };
  return mex_solve_symmetric (call, gpueig_jacobi_eig, &problem, a);
}
