/* The command of gpu_complex_eig, and what all general problems share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

gpueig_status
mex_solve_general (mex_call *call, mex_general_solver *solver,
                   gpueig_general *problem, const mxArray *like)
{
  const int64_t n = problem->n;
  const gpueig_type type = mex_complex_of (problem->type);
  const int right = call->n_out > 1, left = call->n_out > 2;
  mex_result r[3] = { mex_eigenvalues (type, n, like),
                      { type, right ? n : -1, n, like, NULL, NULL },
                      { type, left ? n : -1, n, like, NULL, NULL } };
  gpueig_status status = mex_new_results (call, r, 3);
  if (status != GPUEIG_OK)
    return status;
  problem->balance = call->options.balance;
  problem->lambda = r[0].data;
  problem->v = right ? r[1].data : NULL;
  problem->w = left ? r[2].data : NULL;
  status = solver (call->ctx, problem, &call->options.core, &call->info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  gpueig_status outputs = mex_eigen_outputs (call, &r[0], &r[1], &r[2]);
  return outputs == GPUEIG_OK ? status : outputs;
}

gpueig_status
mex_get_square (mex_call *call, const mex_option *options, mex_matrix *m)
{
  if (call->n_args < 1)
    {
      call->rest = MEX_USAGE;
      return GPUEIG_BAD_ARGUMENT;
    }
  const mxArray *a = call->args[0];
  MEX_TRY (mex_parse_options (call, options, 1));
  MEX_TRY (mex_check_square (call, a, "A"));
  return mex_get_matrix (call, a, mex_type_of (a), m);
}

gpueig_status
mex_complex_eig (mex_call *call)
{
  mex_matrix m;
  MEX_TRY (mex_get_square (call, mex_complex_options, &m));
  gpueig_general problem
      = { .type = m.type, .n = m.rows, .pages = m.pages, .a = m.data };
  return mex_solve_general (call, gpueig_complex_eig, &problem, call->args[0]);
}
