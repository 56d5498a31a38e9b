/* Commands of gpu_tdinv: tdinv, outside_tridiagonal.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <stdio.h>

/* Arrays of the size of the output that are alive at once: Octave up to 7
   copies what a MEX file made, see marshal.c.  */
static double
copies (gpueig_type type)
{
  return GE_OCTAVE_MAJOR > 7 || ! gpueig_is_complex (type) ? 1 : 2;
}

/* [failure, at] = __gpueig__ ("outside_tridiagonal", T): linear index of an
   element outside the three diagonals of the full matrix T that is not zero,
   or 0.  Real and imaginary parts are looked at where they are.  */
gpueig_status
cmd_outside_tridiagonal (gpueig_context *ctx, int nlhs, mxArray *plhs[],
                         int nrhs, const mxArray *prhs[], gpueig_info *info)
{
  (void) info;
  if (nrhs < 1 || nlhs < 2 || mxIsSparse (prhs[0])
      || ! (mxIsDouble (prhs[0]) || mxIsSingle (prhs[0]))
      || mxGetM (prhs[0]) != mxGetN (prhs[0]))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "wrong arguments");
  gpueig_type type = mxIsDouble (prhs[0]) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  int64_t n = (int64_t) mxGetM (prhs[0]);
  /* mxGetPr first: it makes lazily stored matrices full.  */
  const void *re = mxGetPr (prhs[0]), *im = mxGetPi (prhs[0]);
  int64_t at = gpueig_outside_tridiagonal (ctx, type, n, re);
  if (at < 0 && im)
    at = gpueig_outside_tridiagonal (ctx, type, n, im);
  plhs[1] = mxCreateDoubleScalar ((double) at + 1);
  return GPUEIG_OK;
}

/* --- inputs --- */

static gpueig_status
get_vectors (gpueig_context *ctx, const mxArray *prhs[], int want_double,
             gpueig_tdinv_problem *p)
{
  static const char *const names[] = { "C", "A", "B" };
  mex_matrix m[3];
  int complex = 0, single = 0;
  for (int i = 0; i < 3; i++)
    {
      complex |= mxIsComplex (prhs[i]);
      single |= mxIsSingle (prhs[i]);
    }
  single = single && ! want_double;
  p->type = single ? (complex ? GPUEIG_COMPLEX_FLOAT : GPUEIG_FLOAT)
                   : (complex ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE);
  for (int i = 0; i < 3; i++)
    {
      gpueig_status status
          = mex_get_matrix_as (ctx, prhs[i], names[i], p->type, &m[i]);
      if (status != GPUEIG_OK)
        return status;
    }
  p->n = m[1].rows * m[1].columns;
  p->c = m[0].data;
  p->a = m[1].data;
  p->b = m[2].data;
  int64_t off = p->n > 0 ? p->n - 1 : 0;
  if (m[0].rows * m[0].columns != off || m[2].rows * m[2].columns != off)
    return gpueig_fail (ctx, GPUEIG_BAD_LENGTH,
                        "C and B must have one element less than A");
  return GPUEIG_OK;
}

/* Field COLUMNS of the options, from 1, to indices from 0.  */
static gpueig_status
get_columns (gpueig_context *ctx, const mxArray *opts, gpueig_tdinv_problem *p)
{
  const mxArray *list
      = mxIsStruct (opts) ? mxGetField (opts, 0, "columns") : NULL;
  if (! list)
    return GPUEIG_OK;
  size_t count = mxGetNumberOfElements (list);
  int64_t *columns = mex_scratch (ctx, count, sizeof *columns);
  if (! columns)
    return GPUEIG_OUT_OF_MEMORY;
  for (size_t k = 0; k < count; k++)
    columns[k] = (int64_t) mxGetPr (list)[k] - 1;
  p->columns = columns;
  p->n_columns = (int64_t) count;
  return GPUEIG_OK;
}

/* --- outputs --- */

static gpueig_status
invert_full (gpueig_context *ctx, gpueig_tdinv_problem *p,
             const gpueig_options *options, gpueig_info *info, mxArray **x)
{
  char what[80];
  int64_t columns = p->columns ? p->n_columns : p->n;
  snprintf (what, sizeof what, "%lld-by-%lld numbers%s", (long long) p->n,
            (long long) columns,
            copies (p->type) > 1 ? " and Octave's copy of them" : "");
  gpueig_status status
      = gpueig_need_memory (ctx,
                            copies (p->type) * (double) p->n * (double) columns
                                * (double) gpueig_scalar_size (p->type),
                            what);
  if (status != GPUEIG_OK)
    return status;
  *x = mex_new_planes (ctx, p->type, p->n, columns, &p->x, &p->x_im);
  if (! *x)
    return GPUEIG_OUT_OF_MEMORY;
  return gpueig_tdinv (ctx, p, options, info);
}

/* The band storage of the library, complex numbers interleaved, as a sparse
   matrix without stored zeros.  */
static mxArray *
sparse_of_band (const gpueig_tdinv_problem *p)
{
  int complex = gpueig_is_complex (p->type);
  int64_t n = p->n, k = p->band, height = 2 * k + 1;
  const double *x = p->x;
  size_t stored = 0;
  for (int64_t i = 0; i < n * height; i++)
    stored += complex ? x[2 * i] != 0 || x[2 * i + 1] != 0 : x[i] != 0;
  mxArray *s = mxCreateSparse ((mwSize) n, (mwSize) n, stored,
                               complex ? mxCOMPLEX : mxREAL);
  mwIndex *jc = mxGetJc (s), *ir = mxGetIr (s);
  double *re = mxGetPr (s), *im = complex ? mxGetPi (s) : NULL;
  size_t at = 0;
  for (int64_t j = 0; j < n; j++)
    {
      jc[j] = at;
      for (int64_t d = 0; d < height; d++)
        {
          int64_t i = d + height * j;
          if (complex ? x[2 * i] == 0 && x[2 * i + 1] == 0 : x[i] == 0)
            continue;
          ir[at] = (mwIndex) (j + d - k);
          re[at] = complex ? x[2 * i] : x[i];
          if (complex)
            im[at] = x[2 * i + 1];
          at++;
        }
    }
  jc[n] = at;
  return s;
}

static gpueig_status
invert_band (gpueig_context *ctx, gpueig_tdinv_problem *p,
             const gpueig_options *options, gpueig_info *info, mxArray **x)
{
  char what[80];
  size_t size = gpueig_scalar_size (p->type);
  double count = (2 * (double) p->band + 1) * (double) p->n;
  snprintf (what, sizeof what, "a band of %lld in a matrix of order %lld",
            (long long) p->band, (long long) p->n);
  /* Band storage, the sparse matrix, and Octave's copy of that.  */
  double bytes = count * (3 * (double) size + 2 * (double) sizeof (mwIndex));
  gpueig_status status = gpueig_need_memory (ctx, bytes, what);
  if (status != GPUEIG_OK)
    return status;
  p->x = mex_scratch (ctx, (size_t) count, size);
  if (! p->x)
    return GPUEIG_OUT_OF_MEMORY;
  status = gpueig_tdinv (ctx, p, options, info);
  if (status == GPUEIG_OK)
    *x = sparse_of_band (p);
  return status;
}

/* [failure, X, rcond, info] = __gpueig__ ("tdinv", C, A, B, opts)
   opts.columns, opts.band.  */
gpueig_status
cmd_tdinv (gpueig_context *ctx, int nlhs, mxArray *plhs[], int nrhs,
           const mxArray *prhs[], gpueig_info *info)
{
  gpueig_options options;
  double rcond = 0;
  mxArray *x = NULL;
  if (nrhs < 4 || nlhs < 2)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "too few arguments");
  gpueig_tdinv_problem p
      = { .band = (int64_t) mex_field (prhs[3], "band", -1), .rcond = &rcond };
  mex_get_options (prhs[3], &options);
  gpueig_status status = get_vectors (ctx, prhs, p.band >= 0, &p);
  if (status == GPUEIG_OK)
    status = get_columns (ctx, prhs[3], &p);
  if (status == GPUEIG_OK)
    status = p.band < 0 ? invert_full (ctx, &p, &options, info, &x)
                        : invert_band (ctx, &p, &options, info, &x);
  if (status != GPUEIG_OK)
    return status;
  plhs[1] = x;
  if (nlhs > 2)
    plhs[2] = mxCreateDoubleScalar (rcond);
  if (nlhs > 3)
    plhs[3] = mex_info (info);
  return status;
}
