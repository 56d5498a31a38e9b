/* Steps shared by several commands: input of one square matrix, check of the options
   of the backend "mpi", solution of a symmetric or a general problem with its outputs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <string.h>

/* --- input --- */

gpueig_status
mex_usage (mex_call *call)
{
  call->failed = MEX_USAGE;
  return GPUEIG_BAD_ARGUMENT;
}

gpueig_status
mex_get_square (mex_call *call, const mex_option *options, mex_matrix *m)
{
  const mxArray *a = call->args[0];
  GE_TRY (mex_parse_options (call, options, 1));
  GE_TRY (mex_check_square (call, a, "A"));
  return mex_get_matrix (call, a, mex_type_of (a), m);
}

int
mex_is_empty (const mxArray *x)
{
  return mxGetNumberOfDimensions (x) == 2 && mxIsEmpty (x);
}

gpueig_status
mex_get_pair (mex_call *call, int empty, mex_matrix *x, mex_matrix *y)
{
  const mxArray *a = call->args[0], *b = call->args[1];
  mex_size_text size_a, size_b;
  GE_TRY (mex_check_class (call, a, "A"));
  GE_TRY (mex_check_class (call, b, "B"));
  const gpueig_type type = mex_common_type (call, 2);
  /* The data before the sizes, see marshal.c.  */
  GE_TRY (mex_get_matrix (call, a, type, x));
  GE_TRY (mex_get_matrix (call, b, type, y));
  if (! (empty && mex_is_empty (a)))
    GE_TRY (mex_check_square (call, a, "A"));
  if (empty
      && (mex_is_empty (a)
          || (mxGetNumberOfDimensions (a) == 2 && mex_is_empty (b))))
    {
      x->rows = y->rows = 0;
      y->pages = x->pages;
      return GPUEIG_OK;
    }
  GE_TRY (mex_check_square (call, b, "B"));
  if (! mex_same_size (a, b))
    return gpueig_fail (call->ctx, GPUEIG_NOT_SQUARE,
                        "A and B must have the same size, but are %s and %s",
                        mex_size (a, size_a), mex_size (b, size_b));
  return GPUEIG_OK;
}

gpueig_status
mex_check_workers (mex_call *call)
{
  const gpueig_options *o = &call->options.core;
  if (call->array && (o->backend == GPUEIG_MPI || o->workers))
    return mex_refuse (call);
  if (o->backend == GPUEIG_MPI)
    return GPUEIG_OK;
  if (o->workers)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Workers\" needs \"Backend\", \"mpi\"");
  if (strncmp (o->method, "elpa", 4) == 0)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Method\", \"%s\" needs \"Backend\", \"mpi\"",
                        o->method);
  return GPUEIG_OK;
}

/* --- solving --- */

/* Replace the real vectors R by diag (call->phase) R.  */
static gpueig_status
turn_vectors (mex_call *call, mex_result *r)
{
  const double *phase = call->phase;
  mex_result v = *r;
  if (! phase)
    return GPUEIG_OK;
  v.type = mex_complex_of (r->type);
  GE_TRY (mex_new_results (call, &v, 1));
  const int64_t n = r->rows, count = r->rows * r->columns;
  for (int64_t i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      mex_set_real (r->type, v.data, 2 * i + k,
                    phase[2 * (i % n) + k] * ge_real_at (r->type, r->data, i));
  mxDestroyArray (r->array);
  *r = v;
  return GPUEIG_OK;
}

gpueig_status
mex_solve_symmetric (mex_call *call, mex_symmetric_solver *solver,
                     gpueig_symmetric *problem, const mxArray *like)
{
  mex_result r[2];
  const int64_t n = problem->n;
  const int vectors = call->n_out > 1;
  call->same_vectors = call->n_out > 2;
  const int interval = problem->select == GPUEIG_SELECT_INTERVAL;
  const int64_t columns = problem->select == GPUEIG_SELECT_INDEX
                              ? problem->last - problem->first + 1
                              : n;
  int64_t found = 0;
  r[0] = mex_eigenvalues (mex_real_of (problem->type), n, like);
  r[1] = (mex_result){ .type = problem->type,
                       .rows = vectors ? n : -1,
                       .columns = columns,
                       .like = like };
  if (n > 0)
    r[0].rows = columns;
  GE_TRY (mex_new_results (call, r, 2));
  problem->lambda = r[0].data;
  problem->v = vectors ? r[1].data : NULL;
  problem->found = interval ? &found : NULL;
  problem->place = call->place;
  const gpueig_status status
      = solver (call->ctx, problem, &call->options.core, &call->info);
  problem->found = NULL;
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  if (interval && n > 0)
    GE_TRY (mex_shrink_result (call, &r[0], found, 1));
  if (interval && n > 0 && vectors)
    GE_TRY (mex_shrink_result (call, &r[1], n, found));
  if (vectors)
    GE_TRY (turn_vectors (call, &r[1]));
  gpueig_status outputs = mex_eigen_outputs (call, &r[0], &r[1], NULL);
  return outputs == GPUEIG_OK ? status : outputs;
}

gpueig_status
mex_solve_general (mex_call *call, mex_general_solver *solver,
                   gpueig_general *problem, const mxArray *like)
{
  const int64_t n = problem->n;
  const gpueig_type type = mex_complex_of (problem->type);
  const int right = call->n_out > 1, left = call->n_out > 2;
  mex_result r[3] = { mex_eigenvalues (type, n, like),
                      { type, right ? n : -1, n, like, NULL, NULL, 0 },
                      { type, left ? n : -1, n, like, NULL, NULL, 0 } };
  GE_TRY (mex_new_results (call, r, 3));
  problem->balance = call->options.balance;
  problem->place = call->place;
  problem->lambda = r[0].data;
  problem->v = right ? r[1].data : NULL;
  problem->w = left ? r[2].data : NULL;
  const gpueig_status status
      = solver (call->ctx, problem, &call->options.core, &call->info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  gpueig_status outputs = mex_eigen_outputs (call, &r[0], &r[1], &r[2]);
  return outputs == GPUEIG_OK ? status : outputs;
}
