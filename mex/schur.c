/* The command of gpu_schur.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"
#include "gpueig_schur.h"

gpueig_status
mex_schur (mex_call *call)
{
  mex_matrix m;
  MEX_TRY (mex_get_square (call, mex_schur_options, &m));
  const mxArray *a = call->args[0];
  const int vectors = call->n_out > 1;
  const gpueig_type type
      = call->options.widen ? mex_complex_of (m.type) : m.type;
  mex_result r[2] = { { type, m.rows, m.rows, a, NULL, NULL },
                      { type, vectors ? m.rows : -1, m.rows, a, NULL, NULL } };
  gpueig_status status = mex_new_results (call, r, 2);
  if (status != GPUEIG_OK)
    return status;
  const gpueig_schur_problem problem = { .type = m.type,
                                         .n = m.rows,
                                         .pages = m.pages,
                                         .a = m.data,
                                         .widen = call->options.widen,
                                         .s = r[0].data,
                                         .u = vectors ? r[1].data : NULL };
  status = gpueig_schur (call->ctx, &problem, &call->options.core, &call->info);
  if (status == GPUEIG_OK)
    status = mex_finish_result (call, &r[0]);
  if (status == GPUEIG_OK && vectors)
    status = mex_finish_result (call, &r[1]);
  if (status != GPUEIG_OK)
    return status;
  call->out[vectors] = r[0].array;
  if (vectors)
    call->out[0] = r[1].array;
  if (call->n_out > 2)
    call->out[2] = mex_info (&call->info);
  return GPUEIG_OK;
}
