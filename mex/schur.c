/* The commands of gpu_schur and gpu_ordschur.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"
#include "gpueig_schur.h"

#include <math.h>

gpueig_status
mex_schur (mex_call *call)
{
  mex_matrix m;
  GE_TRY (mex_get_square (call, mex_schur_options, &m));
  const mxArray *a = call->args[0];
  const int vectors = call->n_out > 1;
  const gpueig_type type
      = call->options.widen ? mex_complex_of (m.type) : m.type;
  mex_result r[2]
      = { { type, m.rows, m.rows, a, NULL, NULL, 0 },
          { type, vectors ? m.rows : -1, m.rows, a, NULL, NULL, 0 } };
  GE_TRY (mex_new_results (call, r, 2));
  const gpueig_schur_problem problem
      = { .type = m.type,
          .n = m.rows,
          .pages = m.pages,
          .a = m.data,
          .widen = call->options.widen,
          .order = (gpueig_schur_order) call->options.order,
          .s = r[0].data,
          .u = vectors ? r[1].data : NULL,
          .place = call->place };
  GE_TRY (gpueig_schur (call->ctx, &problem, &call->options.core, &call->info));
  GE_TRY (mex_put (call, vectors, &r[0]));
  if (vectors)
    GE_TRY (mex_put (call, 0, &r[1]));
  mex_put_info (call, 2);
  return GPUEIG_OK;
}

/* --- the order of a Schur form --- */

/* *RANK from SELECT: logical or whole numbers, one per row of a page, or N for all
   PAGES.  */
static gpueig_status
get_rank (mex_call *call, const mxArray *select, int64_t n, int64_t pages,
          int64_t **rank)
{
  double *numbers = NULL;
  const int logical = mxIsLogical (select) && ! mxIsSparse (select);
  const mxLogical *chosen = logical ? mxGetLogicals (select) : NULL;
  const int64_t count = (int64_t) mxGetNumberOfElements (select);
  if (! logical)
    GE_TRY (mex_get_numbers (call, select, &numbers));
  if (count != n && count != n * pages)
    return gpueig_fail (call->ctx, GPUEIG_BAD_LENGTH,
                        "SELECT must have %lld elements, one per eigenvalue, "
                        "but has %lld",
                        (long long) n, (long long) count);
  if (count > 0 && ! logical && ! numbers)
    return gpueig_fail (call->ctx, GPUEIG_WRONG_TYPE,
                        "SELECT must be a full logical vector or one of "
                        "whole numbers, but is of class %s",
                        mxGetClassName (select));
  *rank = mex_scratch (call, (size_t) (n * pages), sizeof **rank);
  if (! *rank)
    return GPUEIG_OUT_OF_MEMORY;
  for (int64_t i = 0; i < n * pages; i++)
    {
      const double x = chosen    ? chosen[i % count]
                       : numbers ? numbers[i % count]
                                 : 0;
      if (! (fabs (x) <= 0x1p53) || x != floor (x))
        return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                            "SELECT must be logical or whole numbers, but "
                            "element %lld is %g",
                            (long long) (i % count) + 1, x);
      (*rank)[i] = (int64_t) x;
    }
  return GPUEIG_OK;
}

gpueig_status
mex_ordschur (mex_call *call)
{
  if (call->array)
    return mex_refuse (call);
  const mxArray *u = call->args[0], *s = call->args[1];
  const int with_rank = mex_is_array (call, 2);
  mex_matrix mu, ms;
  int64_t *rank = NULL;
  GE_TRY (mex_parse_options (call, mex_ordschur_options, 2 + with_rank));
  GE_TRY (mex_check_square (call, u, "U"));
  GE_TRY (mex_check_square (call, s, "S"));
  if (! mex_same_size (u, s))
    {
      mex_size_text a, b;
      return gpueig_fail (call->ctx, GPUEIG_BAD_LENGTH,
                          "U and S must be of the same size, but are %s and %s",
                          mex_size (u, a), mex_size (s, b));
    }
  const gpueig_type type = mex_common_type (call, 2);
  GE_TRY (mex_get_matrix (call, u, type, &mu));
  GE_TRY (mex_get_matrix (call, s, type, &ms));
  if (with_rank)
    GE_TRY (get_rank (call, call->args[2], ms.rows, ms.pages, &rank));
  const int order = call->options.order;
  if (! rank && order == GPUEIG_SCHUR_ANY)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "the third argument must be a vector or one of "
                        "\"lhp\", \"rhp\", \"udi\", \"udo\"");
  mex_result r[2] = { { type, ms.rows, ms.rows, s, NULL, NULL, 0 },
                      { type, ms.rows, ms.rows, u, NULL, NULL, 0 } };
  GE_TRY (mex_new_results (call, r, 2));
  const gpueig_ordschur_problem problem = { .type = type,
                                            .n = ms.rows,
                                            .pages = ms.pages,
                                            .s = ms.data,
                                            .u = mu.data,
                                            .rank = rank,
                                            .order = (gpueig_schur_order) order,
                                            .s_sorted = r[0].data,
                                            .u_sorted = r[1].data };
  GE_TRY (
      gpueig_ordschur (call->ctx, &problem, &call->options.core, &call->info));
  GE_TRY (mex_put (call, 0, &r[1]));
  GE_TRY (mex_put (call, 1, &r[0]));
  mex_put_info (call, 2);
  return GPUEIG_OK;
}
