/* The command of gpu_eig: one matrix, symmetric or general, or a pair.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include "gpueig_methods.h"

#include <string.h>

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

/* Nonzero if a part of the spectrum is asked for.  */
static int
is_part (const mex_call *call)
{
  return call->options.index || call->options.range;
}

/* *SYMMETRIC: one flag per page of M, ALONE if it is one, *COUNT: how many are set.  */
static gpueig_status
find_symmetric (mex_call *call, const mex_matrix *m, unsigned char *alone,
                unsigned char **symmetric, int64_t *count)
{
  *symmetric = m->pages == 1 ? alone : mex_scratch (call, (size_t) m->pages, 1);
  if (! *symmetric)
    return GPUEIG_OUT_OF_MEMORY;
  return gpueig_find_symmetric (call->ctx, m->type, m->data, m->rows, m->pages,
                                call->place, *symmetric, count);
}

/* Nonzero if M is a large stack in which pages at equal distances are symmetric: probably
   all are, which the library checks where it solves them.  */
static int
looks_symmetric (mex_call *call, const mex_matrix *m)
{
  enum
  {
    SAMPLE = 16,
    LARGE = 1000000 /* elements */
  };
  const int64_t square = m->rows * m->rows;
  const size_t bytes = (size_t) square * gpueig_scalar_size (m->type);
  if (call->array || m->pages < 4 * SAMPLE || square * m->pages < LARGE)
    return 0;
  for (int64_t k = 0; k < SAMPLE; k++)
    {
      const int64_t p = k * (m->pages - 1) / (SAMPLE - 1);
      unsigned char symmetric;
      int64_t count;
      if (gpueig_find_symmetric (call->ctx, m->type,
                                 (const char *) m->data + (size_t) p * bytes,
                                 m->rows, 1, GPUEIG_HOST, &symmetric, &count)
              != GPUEIG_OK
          || count == 0)
        return 0;
    }
  return 1;
}

/* GPUEIG_BAD_OPTION for M, named WHAT, with a page that is not symmetric or Hermitian,
   where the backend "mpi" or a part of the spectrum requires it.  */
static gpueig_status
must_be_symmetric (mex_call *call, const mex_matrix *m, const char *what)
{
  const int mpi = call->options.core.backend == GPUEIG_MPI;
  GE_TRY (gpueig_check_finite (call->ctx, m->type, m->data, m->rows, m->pages,
                               call->place, what));
  return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                      "%s is for symmetric and Hermitian matrices, but %s is "
                      "not %s to the last "
                      "bit; symmetrise it with (A + A') / 2, or %s",
                      mpi ? "\"Backend\", \"mpi\"" : "a part of the spectrum",
                      what,
                      gpueig_is_complex (m->type) ? "Hermitian" : "symmetric",
                      mpi ? "use another backend" : "compute all eigenvalues");
}

/* Set the part of the spectrum that PROBLEM, of a STACK or not, is solved for: no part of
   nothing, as for gpu_mrrr.  */
static gpueig_status
get_part (mex_call *call, gpueig_symmetric *problem, int stack)
{
  const int both = call->options.index && call->options.range;
  return problem->n == 0 && ! both ? GPUEIG_OK
                                   : mex_get_selection (call, problem, stack);
}

/* Choose the solver by one pass over A, or a sample of it, before results are allocated.
   If a method for symmetric matrices is given, its solver reports an unsymmetric A.  */
static gpueig_status
solve_one (mex_call *call)
{
  const mxArray *array = call->args[0];
  mex_matrix a;
  GE_TRY (mex_parse_options (call, mex_eig_options, 1));
  GE_TRY (mex_check_workers (call));
  GE_TRY (mex_check_class (call, array, "A"));
  /* The data before the sizes, see marshal.c.  */
  GE_TRY (mex_get_matrix (call, array, mex_type_of (array), &a));
  if (mex_is_empty (array))
    a.rows = 0;
  else
    GE_TRY (mex_check_square (call, array, "A"));
  const int mpi = call->options.core.backend == GPUEIG_MPI;
  unsigned char alone, *symmetric = NULL;
  int64_t count = 0;
  if (is_auto (call) && ! mpi && ! is_part (call) && looks_symmetric (call, &a))
    {
      gpueig_symmetric s
          = { .type = a.type, .n = a.rows, .pages = a.pages, .a = a.data };
      const gpueig_status status
          = mex_solve_symmetric (call, gpueig_eig_symmetric, &s, array);
      if (status != GPUEIG_NOT_SYMMETRIC)
        return status;
      call->same_vectors = 0;
    }
  if (! is_general (call) || mpi || is_part (call))
    GE_TRY (find_symmetric (call, &a, &alone, &symmetric, &count));
  gpueig_symmetric problem = { .type = a.type,
                               .n = a.rows,
                               .pages = a.pages,
                               .a = a.data,
                               .symmetric = symmetric && count == a.pages };
  if (! problem.symmetric && (mpi || is_part (call)))
    return must_be_symmetric (call, &a, "A");
  if (problem.symmetric || ! (is_auto (call) || is_general (call)))
    {
      GE_TRY (get_part (call, &problem, mxGetNumberOfDimensions (array) > 2));
      return mex_solve_symmetric (call, gpueig_eig_symmetric, &problem, array);
    }
  gpueig_general general = { .type = a.type,
                             .n = a.rows,
                             .pages = a.pages,
                             .a = a.data,
                             .symmetric = count > 0 ? symmetric : NULL };
  return mex_solve_general (call, gpueig_eig_general, &general, array);
}

/* --- pairs --- */

/* Pairs that are not definite, and with SYMMETRIC, which may be NULL, others.  */
static gpueig_status
solve_others (mex_call *call, const mex_matrix *a, const mex_matrix *b,
              const unsigned char *symmetric)
{
  gpueig_general general = { .type = a->type,
                             .n = a->rows,
                             .pages = a->pages,
                             .a = a->data,
                             .b = b->data,
                             .symmetric = symmetric };
  return call->never_qz ? mex_refuse (call)
                        : mex_solve_general (call, gpueig_eig_general, &general,
                                             call->args[0]);
}

/* Options of pairs that exclude each other; the method "qz" is the flag.  */
static gpueig_status
check_pair_options (mex_call *call)
{
  mex_options *o = &call->options;
  const int mpi = o->core.backend == GPUEIG_MPI;
  GE_TRY (mex_check_workers (call));
  if (strcmp (o->core.method, "qz") == 0)
    {
      o->qz = 1;
      o->core.method = "auto";
    }
  if (o->qz && ! is_auto (call))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"qz\" excludes \"Method\", but the method is \"%s\"",
                        o->core.method);
  if (o->core.high_accuracy && (mpi || o->qz || ! is_auto (call)))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Accuracy\", \"high\" excludes \"qz\", \"Method\" "
                        "and \"Backend\", \"mpi\"");
  if (o->qz && (mpi || is_part (call)))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"qz\" excludes \"Backend\", \"mpi\" and parts of "
                        "the spectrum");
  return GPUEIG_OK;
}

static gpueig_status
solve_pair (mex_call *call)
{
  mex_matrix x, y;
  unsigned char alone[2], *symmetric, *of_b;
  int64_t count, count_b;
  GE_TRY (mex_parse_options (call, mex_pair_options, 2));
  GE_TRY (check_pair_options (call));
  GE_TRY (mex_get_pair (call, 1, &x, &y));
  if (call->options.qz)
    return solve_others (call, &x, &y, NULL);
  const int mpi = call->options.core.backend == GPUEIG_MPI;
  GE_TRY (find_symmetric (call, &x, &alone[0], &symmetric, &count));
  GE_TRY (find_symmetric (call, &y, &alone[1], &of_b, &count_b));
  if ((mpi || is_part (call)) && (count < x.pages || count_b < x.pages))
    return must_be_symmetric (call, count < x.pages ? &x : &y,
                              count < x.pages ? "A" : "B");
  int64_t both = 0;
  for (int64_t p = 0; p < x.pages; p++)
    {
      symmetric[p] &= of_b[p];
      both += symmetric[p];
    }
  /* A method that is named, MPI and high accuracy are for definite pairs only.  */
  const int any = is_auto (call) && ! mpi && ! call->options.core.high_accuracy;
  if (any && both < x.pages)
    return solve_others (call, &x, &y, both > 0 ? symmetric : NULL);
  gpueig_symmetric problem = { .type = x.type,
                               .n = x.rows,
                               .pages = x.pages,
                               .a = x.data,
                               .b = y.data,
                               .symmetric = both == x.pages };
  GE_TRY (
      get_part (call, &problem, mxGetNumberOfDimensions (call->args[0]) > 2));
  const gpueig_status status = mex_solve_symmetric (call, gpueig_eig_symmetric,
                                                    &problem, call->args[0]);
  if (! any || status != GPUEIG_NOT_DEFINITE)
    return status;
  if (is_part (call))
    return gpueig_fail (call->ctx, GPUEIG_NOT_DEFINITE,
                        "a part of the spectrum needs B positive definite");
  call->same_vectors = 0;
  return solve_others (call, &x, &y, x.pages > 1 ? symmetric : NULL);
}

gpueig_status
mex_eig (mex_call *call)
{
  return mex_is_array (call, 1) ? solve_pair (call) : solve_one (call);
}
