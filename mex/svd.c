/* The commands of gpu_svd and gpu_pinv.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"
#include "gpueig_svd.h"

#include <string.h>

/* *ZERO: of svd (A, 0), which is svd (A, "econ") for tall matrices; Octave takes any number.  */
static gpueig_status
parse (mex_call *call, int *zero)
{
  double number;
  *zero = mex_is_array (call, 1);
  GE_TRY (mex_parse_options (call, mex_svd_options, 1 + *zero));
  if (*zero && ! mex_get_number (call->args[1], &number))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "the second argument must be 0, \"econ\" or the name "
                        "of an option");
  return GPUEIG_OK;
}

gpueig_status
mex_svd (mex_call *call)
{
  mex_matrix m;
  int zero;
  const mxArray *a = call->args[0];
  GE_TRY (parse (call, &zero));
  GE_TRY (mex_check_class (call, a, "A"));
  GE_TRY (mex_get_matrix (call, a, mex_type_of (a), &m));
  const int64_t k = m.rows < m.columns ? m.rows : m.columns;
  gpueig_symmetric part = { .n = k, .first = 0 };
  if (call->options.index)
    GE_TRY (mex_get_index (call, &part));
  const int vectors = call->n_out > 1, form = call->options.form;
  const int full = ! call->options.economy && ! part.first
                   && ! (zero && m.rows > m.columns);
  const int64_t values = part.first ? part.last - part.first + 1 : k;
  const int64_t of_u = full ? m.rows : values, of_v = full ? m.columns : values;
  const int matrix
      = form == MEX_FORM_MATRIX || (form == MEX_FORM_DEFAULT && vectors);
  mex_result u = { m.type, vectors ? m.rows : -1, of_u, a, NULL, NULL, 0 };
  mex_result s = { mex_real_of (m.type), values, 1, a, NULL, NULL, 0 };
  mex_result v = { m.type, vectors ? m.columns : -1, of_v, a, NULL, NULL, 0 };
  mex_result r[3] = { u, s, v };
  GE_TRY (mex_new_results (call, r, 3));
  const gpueig_svd_problem problem = { .type = m.type,
                                       .m = m.rows,
                                       .n = m.columns,
                                       .pages = m.pages,
                                       .a = m.data,
                                       .full = full,
                                       .first = part.first,
                                       .last = part.last,
                                       .s = r[1].data,
                                       .u = vectors ? r[0].data : NULL,
                                       .v = vectors ? r[2].data : NULL,
                                       .place = call->place };
  const gpueig_status status
      = gpueig_svd (call->ctx, &problem, &call->options.core, &call->info);
  /* A method that no GPU has.  */
  if (status == GPUEIG_NO_DEVICE && call->array)
    return mex_refuse (call);
  GE_TRY (status);
  if (matrix)
    GE_TRY (mex_make_diagonal (call, &r[1], of_u, of_v));
  GE_TRY (mex_put (call, vectors, &r[1]));
  if (vectors)
    GE_TRY (mex_put (call, 0, &r[0]));
  GE_TRY (mex_put (call, 2, &r[2]));
  mex_put_info (call, 3);
  return GPUEIG_OK;
}

/* Nonzero if A is empty, diagonal or a permutation: Octave's function knows what its
   pseudoinverse is.  */
static int
is_simple (const mxArray *a)
{
  char text[48] = "";
  if (mxGetNumberOfDimensions (a) > 2)
    return 0;
  if (mxIsEmpty (a))
    return 1;
  mxArray *in = (mxArray *) a, *type = mex_builtin_1 ("typeinfo", 1, &in);
  mxGetString (type, text, sizeof text);
  mxDestroyArray (type);
  return strstr (text, "diagonal") || strstr (text, "permutation");
}

gpueig_status
mex_pinv (mex_call *call)
{
  gpueig_pinv_problem p = { .tol = 0 };
  mex_matrix m;
  if (call->array)
    return mex_refuse (call);
  const mxArray *a = call->args[0];
  const int has_tol = mex_is_array (call, 1);
  GE_TRY (mex_parse_options (call, mex_pinv_options, 1 + has_tol));
  if (has_tol && ! (mex_get_number (call->args[1], &p.tol) && p.tol >= 0))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "TOL must be a real number, positive or 0");
  GE_TRY (mex_check_class (call, a, "A"));
  if (is_simple (a))
    {
      mxArray *in[] = { (mxArray *) a, mex_number (p.tol) };
      GE_TRY (gpueig_pinv (call->ctx, &p, &call->options.core, &call->info));
      call->out[0] = mex_builtin_1 ("pinv", 1 + (p.tol > 0), in);
    }
  else
    {
      GE_TRY (mex_get_matrix (call, a, mex_type_of (a), &m));
      mex_result x = { m.type, m.columns, m.rows, a, NULL, NULL, 0 };
      GE_TRY (mex_new_results (call, &x, 1));
      p = (gpueig_pinv_problem){ .type = m.type,
                                 .m = m.rows,
                                 .n = m.columns,
                                 .pages = m.pages,
                                 .a = m.data,
                                 .tol = p.tol,
                                 .x = x.data };
      GE_TRY (gpueig_pinv (call->ctx, &p, &call->options.core, &call->info));
      GE_TRY (mex_put (call, 0, &x));
    }
  mex_put_info (call, 1);
  return GPUEIG_OK;
}
