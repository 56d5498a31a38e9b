/* The command of gpu_eig: one matrix, symmetric or general, or a pair.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "gpueig_methods.h"

static int
is_auto (const mex_call *call)
{
  return ge_find_method (GE_EIG_SYMMETRIC, call->options.core.method)
         == GE_AUTO;
}

/* Nonzero for methods that treat any matrix as a general one.  */
static int
is_general (const mex_call *call)
{
  return ! is_auto (call)
         && ge_find_method (GE_EIG_GENERAL, call->options.core.method)
                != GE_METHODS;
}

/* GPUEIG_BAD_OPTION unless M is symmetric or Hermitian, as the backend "mpi" requires;
   WHAT names M in the message.  */
static gpueig_status
check_only_symmetric (mex_call *call, const mex_matrix *m, const char *what)
{
  gpueig_status status = gpueig_check_finite (call->ctx, m->type, m->data,
                                              m->rows, m->pages, what);
  if (status != GPUEIG_OK
      || gpueig_is_symmetric (m->type, m->data, m->rows, m->pages))
    return status;
  return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                      "\"Backend\", \"mpi\" is for symmetric and Hermitian "
                      "matrices, but %s is not %s to the last bit; symmetrise "
                      "it with (A + A') / 2, or use another backend",
                      what,
                      gpueig_is_complex (m->type) ? "Hermitian" : "symmetric");
}

/* Nonzero for a matrix without elements, of any size: eig treats it, and a pair with it, as
   0-by-0.  */
static int
is_empty (const mxArray *x)
{
  return mxGetNumberOfDimensions (x) == 2 && mxIsEmpty (x);
}

/* Choose the solver by one pass over A, before results are allocated.  If a
   method for symmetric matrices is given, its solver reports an unsymmetric A.  */
static gpueig_status
solve_one (mex_call *call)
{
  const mxArray *array = call->args[0];
  mex_matrix a;
  gpueig_status status = mex_parse_options (call, mex_eig_options, 1);
  if (status == GPUEIG_OK)
    status = mex_check_workers (call);
  if (status == GPUEIG_OK)
    status = mex_check_class (call, array, "A");
  if (status == GPUEIG_OK && ! is_empty (array))
    status = mex_check_square (call, array, "A");
  if (status == GPUEIG_OK)
    status = mex_get_matrix (call, array, mex_type_of (array), &a);
  if (status != GPUEIG_OK)
    return status;
  if (is_empty (array))
    a.rows = 0;
  gpueig_symmetric symmetric
      = { .type = a.type, .n = a.rows, .pages = a.pages, .a = a.data };
  if (! is_general (call))
    symmetric.symmetric = gpueig_is_symmetric (a.type, a.data, a.rows, a.pages);
  if (! symmetric.symmetric && call->options.core.backend == GPUEIG_MPI)
    {
      MEX_TRY (check_only_symmetric (call, &a, "A"));
      symmetric.symmetric = 1; /* not tested above for "geev" */
    }
  if (symmetric.symmetric || ! (is_auto (call) || is_general (call)))
    return mex_solve_symmetric (call, gpueig_eig_symmetric, &symmetric, array);
  if (call->only_symmetric)
    return mex_refuse (call);
  gpueig_general general
      = { .type = a.type, .n = a.rows, .pages = a.pages, .a = a.data };
  return mex_solve_general (call, gpueig_eig_general, &general, array);
}

/* Symmetric definite pairs are solved by the library, all others by QZ.  */
static gpueig_status
solve_pair (mex_call *call)
{
  const mxArray *a = call->args[0], *b = call->args[1];
  mex_matrix x, y;
  mex_size_text size_a, size_b;
  int empty = 0;
  gpueig_status status = mex_parse_options (call, mex_pair_options, 2);
  if (status == GPUEIG_OK)
    status = mex_check_workers (call);
  if (status == GPUEIG_OK && call->options.qz && ! is_auto (call))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"qz\" excludes \"Method\", but the method is \"%s\"",
                        call->options.core.method);
  if (status == GPUEIG_OK)
    status = mex_check_class (call, a, "A");
  if (status == GPUEIG_OK)
    status = mex_check_class (call, b, "B");
  if (status == GPUEIG_OK)
    empty = is_empty (a) || (mxGetNumberOfDimensions (a) == 2 && is_empty (b));
  if (status == GPUEIG_OK && ! is_empty (a))
    status = mex_check_square (call, a, "A");
  if (status == GPUEIG_OK && ! empty)
    status = mex_check_square (call, b, "B");
  if (status != GPUEIG_OK)
    return status;
  if (! empty && ! mex_same_size (a, b))
    return gpueig_fail (call->ctx, GPUEIG_NOT_SQUARE,
                        "A and B must have the same size, but are %s and %s",
                        mex_size (a, size_a), mex_size (b, size_b));
  gpueig_type type
      = mxIsSingle (a) || mxIsSingle (b) ? GPUEIG_FLOAT : GPUEIG_DOUBLE;
  if (mxIsComplex (a) || mxIsComplex (b))
    type = mex_complex_of (type);
  status = mex_get_matrix (call, a, type, &x);
  if (status == GPUEIG_OK)
    status = mex_get_matrix (call, b, type, &y);
  if (status != GPUEIG_OK)
    return status;
  if (empty)
    x.rows = y.rows = 0;
  gpueig_symmetric problem = {
    .type = type, .n = x.rows, .pages = x.pages, .a = x.data, .b = y.data
  };
  const int mpi = call->options.core.backend == GPUEIG_MPI;
  if (mpi && call->options.qz)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"qz\" excludes \"Backend\", \"mpi\"");
  if (mpi)
    {
      MEX_TRY (check_only_symmetric (call, &x, "A"));
      MEX_TRY (check_only_symmetric (call, &y, "B"));
    }
  /* The library finds during the Cholesky factorization whether B is definite.  */
  if (! is_auto (call)
      || (! call->options.qz
          && gpueig_is_symmetric (type, x.data, x.rows, x.pages)
          && gpueig_is_symmetric (type, y.data, x.rows, x.pages)))
    status = mex_solve_symmetric (call, gpueig_eig_symmetric, &problem, a);
  else
    status = GPUEIG_NOT_SYMMETRIC;
  if (is_auto (call) && ! mpi
      && (status == GPUEIG_NOT_SYMMETRIC || status == GPUEIG_NOT_DEFINITE))
    status
        = call->never_qz ? mex_refuse (call) : mex_solve_by_qz (call, &x, &y);
  return status;
}

gpueig_status
mex_eig (mex_call *call)
{
  if (call->n_args < 1)
    {
      call->failed = MEX_USAGE;
      return GPUEIG_BAD_ARGUMENT;
    }
  return mex_is_array (call, 1) ? solve_pair (call) : solve_one (call);
}
