/* The command of gpu_mrrr.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   [failure, lambda, V, W, info] = __gpueig__ ("mrrr", A, opts)
   [failure, lambda, V, W, info] = __gpueig__ ("mrrr", d, opts, e)
   opts.index = [il iu] and opts.range = [vl vu] select.  V is computed when
   nlhs > 2; W is always [], as it would be V.  */

#include "gateway.h"

#include <string.h>

/* A field with two numbers; nonzero if it is there.  */
static int
get_two (const mxArray *opts, const char *name, double two[2])
{
  const mxArray *f = mxIsStruct (opts) ? mxGetField (opts, 0, name) : NULL;
  if (! f || ! mxIsDouble (f) || mxGetNumberOfElements (f) != 2)
    return 0;
  memcpy (two, mxGetPr (f), 2 * sizeof *two);
  return 1;
}

/* The columns of the result a page, or 0 for a selection that is refused.  */
static int64_t
get_selection (const mxArray *opts, gpueig_mrrr_problem *p)
{
  double two[2];
  p->select = GPUEIG_SELECT_ALL;
  if (get_two (opts, "index", two))
    {
      p->select = GPUEIG_SELECT_INDEX;
      p->first = (int64_t) two[0];
      p->last = (int64_t) two[1];
      return p->first >= 1 && p->first <= p->last && p->last <= p->n
                 ? p->last - p->first + 1
                 : 0;
    }
  if (get_two (opts, "range", two))
    {
      p->select = GPUEIG_SELECT_INTERVAL;
      p->vl = two[0];
      p->vu = two[1];
    }
  return p->n;
}

/* A real vector of any orientation.  */
static gpueig_status
check_vector (gpueig_context *ctx, const mxArray *x, const char *what)
{
  int floating = mxIsDouble (x) || mxIsSingle (x);
  if (! floating || mxIsComplex (x))
    return gpueig_fail (ctx, GPUEIG_WRONG_TYPE,
                        "the %s must be a real vector of class double or "
                        "single, but is %s%s",
                        what, floating ? "complex" : "of class ",
                        floating ? "" : mxGetClassName (x));
  mxGetPr (x); /* before the sizes, see mex_get_matrix_as */
  if (mxGetNumberOfDimensions (x) > 2
      || (mxGetM (x) > 1 && mxGetN (x) > 1 && ! mxIsEmpty (x)))
    return gpueig_fail (ctx, GPUEIG_BAD_LENGTH,
                        "the %s must be a vector, but is %lld-by-%lld", what,
                        (long long) mxGetM (x), (long long) mxGetN (x));
  return GPUEIG_OK;
}

static gpueig_status
get_diagonals (gpueig_context *ctx, const mxArray *prhs[],
               gpueig_mrrr_problem *p)
{
  mex_matrix d, e;
  gpueig_status status = check_vector (ctx, prhs[0], "diagonal");
  if (status == GPUEIG_OK)
    status = check_vector (ctx, prhs[2], "off-diagonal");
  if (status != GPUEIG_OK)
    return status;
  p->type = mxIsSingle (prhs[0]) || mxIsSingle (prhs[2]) ? GPUEIG_FLOAT
                                                         : GPUEIG_DOUBLE;
  status = mex_get_matrix_as (ctx, prhs[0], "the diagonal", p->type, &d);
  if (status == GPUEIG_OK)
    status = mex_get_matrix_as (ctx, prhs[2], "the off-diagonal", p->type, &e);
  if (status != GPUEIG_OK)
    return status;
  int64_t n = d.rows * d.columns, there = e.rows * e.columns;
  int64_t need = n > 0 ? n - 1 : 0;
  if (there != need)
    return gpueig_fail (ctx, GPUEIG_BAD_LENGTH,
                        "%lld diagonal elements need %lld off-diagonal ones, "
                        "but there are %lld",
                        (long long) n, (long long) need, (long long) there);
  p->n = n;
  p->pages = 1;
  p->d = d.data;
  p->e = e.data;
  return GPUEIG_OK;
}

static gpueig_status
get_dense (gpueig_context *ctx, const mxArray *prhs[], gpueig_mrrr_problem *p)
{
  mex_matrix a;
  gpueig_status status = mex_get_matrix (ctx, prhs[0], "A", &a);
  if (status != GPUEIG_OK)
    return status;
  if (a.rows != a.columns)
    return gpueig_fail (ctx, GPUEIG_NOT_SQUARE,
                        "A must be square, but is %lld-by-%lld",
                        (long long) a.rows, (long long) a.columns);
  p->type = a.type;
  p->n = a.rows;
  p->pages = a.pages;
  p->a = a.data;
  return GPUEIG_OK;
}

/* The first COLUMNS columns of an array that had room for more.  */
static mxArray *
shrink (gpueig_context *ctx, gpueig_type type, mxArray *array, int64_t rows,
        int64_t columns, void **data)
{
  void *from = *data;
  mxArray *small = mex_new_array (ctx, type, rows, columns, NULL, data);
  if (! small)
    return NULL;
  memcpy (*data, from, (size_t) (rows * columns) * gpueig_scalar_size (type));
  mxDestroyArray (array);
  return small;
}

gpueig_status
cmd_mrrr (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
          const mxArray *prhs[], gpueig_info *info)
{
  gpueig_options options;
  mex_method method;
  gpueig_mrrr_problem p = { .pages = 0 };
  int64_t found = 0;
  if (nrhs < 2)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "too few arguments");
  int dense = nrhs < 3;
  gpueig_status status
      = dense ? get_dense (ctx, prhs, &p) : get_diagonals (ctx, prhs, &p);
  if (status != GPUEIG_OK)
    return status;
  mex_get_options (prhs[1], method, &options);
  int64_t columns = get_selection (prhs[1], &p);
  const mxArray *like = dense ? prhs[0] : NULL;
  gpueig_type real = gpueig_is_double (p.type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  mxArray *vectors = NULL;
  mxArray *lambda = mex_new_array (ctx, real, columns, 1, like, &p.lambda);
  if (! lambda)
    return GPUEIG_OUT_OF_MEMORY;
  if (nlhs > 2)
    {
      vectors = mex_new_array (ctx, p.type, p.n, columns, like, &p.v);
      if (! vectors)
        return GPUEIG_OUT_OF_MEMORY;
    }
  int interval = p.select == GPUEIG_SELECT_INTERVAL;
  p.found = interval && p.pages == 1 ? &found : NULL;
  status = gpueig_mrrr (ctx, &p, &options, info);
  if (status != GPUEIG_OK)
    return status;
  if (interval)
    {
      lambda = shrink (ctx, real, lambda, found, 1, &p.lambda);
      if (vectors)
        vectors = shrink (ctx, p.type, vectors, p.n, found, &p.v);
      if (! lambda || (nlhs > 2 && ! vectors))
        return GPUEIG_OUT_OF_MEMORY;
    }
  if (nlhs > 1)
    plhs[1] = lambda;
  if (nlhs > 2)
    {
      mex_finish (vectors, p.type, p.v);
      plhs[2] = vectors;
    }
  if (nlhs > 4)
    plhs[4] = mex_info (info);
  return status;
}
