/* What the commands for symmetric problems share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [failure, lambda, V, W, info] = __gpueig__ (COMMAND, A, opts, B, Guess)
   B and Guess may be missing or [].  V is computed when nlhs > 2; W is always
   [], as it would be V.  */

#include "symmetric.h"

static gpueig_status
not_square (gpueig_context *ctx, const char *what, const mex_matrix *m)
{
  return gpueig_fail (ctx, GPUEIG_NOT_SQUARE,
                      "%s must be square, but is %lld-by-%lld", what,
                      (long long) m->rows, (long long) m->columns);
}

/* An optional further argument of the shape of A, converted to its type.  */
static gpueig_status
get_companion (gpueig_context *ctx, int nrhs, const mxArray *prhs[], int at,
               const char *what, const mex_matrix *a, const void **data)
{
  mex_matrix m;
  *data = NULL;
  if (nrhs <= at || mxIsEmpty (prhs[at]))
    return GPUEIG_OK;
  gpueig_status status = mex_get_matrix_as (ctx, prhs[at], what, a->type, &m);
  if (status != GPUEIG_OK)
    return status;
  if (m.rows != a->rows || m.columns != a->columns || m.pages != a->pages)
    return gpueig_fail (ctx, GPUEIG_NOT_SQUARE,
                        "%s must have the size of A, %lld-by-%lld, but is "
                        "%lld-by-%lld",
                        what, (long long) a->rows, (long long) a->columns,
                        (long long) m.rows, (long long) m.columns);
  *data = m.data;
  return GPUEIG_OK;
}

gpueig_status
mex_run_symmetric (gpueig_context *ctx, symmetric_solver *solver, int nlhs,
                   mxArray *plhs[], int nrhs, const mxArray *prhs[],
                   gpueig_info *info)
{
  gpueig_options options;
  mex_method method;
  mex_matrix a;
  if (nrhs < 2)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "too few arguments");
  gpueig_status status = mex_get_matrix (ctx, prhs[0], "A", &a);
  if (status != GPUEIG_OK)
    return status;
  if (a.rows != a.columns)
    return not_square (ctx, "A", &a);
  mex_get_options (prhs[1], method, &options);

  /* A complex B or Guess makes the problem complex.  */
  for (int i = 2; i < nrhs; i++)
    if (mxIsComplex (prhs[i]) && ! gpueig_is_complex (a.type))
      {
        status = mex_get_matrix_as (ctx, prhs[0], "A",
                                    gpueig_is_double (a.type)
                                        ? GPUEIG_COMPLEX_DOUBLE
                                        : GPUEIG_COMPLEX_FLOAT,
                                    &a);
        if (status != GPUEIG_OK)
          return status;
      }
  gpueig_symmetric problem
      = { .type = a.type, .n = a.rows, .pages = a.pages, .a = a.data };
  status = get_companion (ctx, nrhs, prhs, 2, "B", &a, &problem.b);
  if (status == GPUEIG_OK)
    status = get_companion (ctx, nrhs, prhs, 3, "Guess", &a, &problem.guess);
  if (status != GPUEIG_OK)
    return status;

  gpueig_type real = gpueig_is_double (a.type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  void *v = NULL;
  mxArray *lambda
      = mex_new_array (ctx, real, a.rows, 1, prhs[0], &problem.lambda);
  if (! lambda)
    return GPUEIG_OUT_OF_MEMORY;
  mxArray *vectors = NULL;
  if (nlhs > 2)
    {
      vectors = mex_new_array (ctx, a.type, a.rows, a.rows, prhs[0], &v);
      if (! vectors)
        return GPUEIG_OUT_OF_MEMORY;
      problem.v = v;
    }
  status = solver (ctx, &problem, &options, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  if (nlhs > 1)
    plhs[1] = lambda;
  if (nlhs > 2)
    {
      mex_finish (vectors, a.type, v);
      plhs[2] = vectors;
    }
  if (nlhs > 4)
    plhs[4] = mex_info (info);
  return status;
}
