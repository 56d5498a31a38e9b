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
