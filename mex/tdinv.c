/* The command of gpu_tdinv.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <math.h>
#include <stdio.h>

/* --- the matrix --- */

static gpueig_status
get_matrix (mex_call *call, mex_tridiagonal *t)
{
  mex_size_text text;
  GE_TRY (mex_get_tridiagonal (call, call->args[0], "T", t));
  if (t->stack)
    return gpueig_fail (call->ctx, GPUEIG_NOT_SQUARE,
                        "T must be a matrix, but is %s",
                        mex_size (call->args[0], text));
  if (! t->at)
    return GPUEIG_OK;
  const long long i = (t->at - 1) % t->n + 1, j = (t->at - 1) / t->n + 1;
  if (! t->finite)
    return gpueig_fail (call->ctx, GPUEIG_NONFINITE,
                        "T must be finite, but element (%lld, %lld) is NaN or "
                        "Inf",
                        i, j);
  return gpueig_fail (call->ctx, GPUEIG_NOT_TRIDIAGONAL,
                      "T must be tridiagonal, but element (%lld, %lld) is not "
                      "zero; use inv for other matrices",
                      i, j);
}

static gpueig_status
check_vectors (mex_call *call)
{
  static const char *const names[] = { "C", "A", "B" };
  long long length[3];
  mex_size_text text;
  for (int i = 0; i < 3; i++)
    {
      GE_TRY (mex_check_class (call, call->args[i], names[i]));
      length[i] = (long long) mxGetNumberOfElements (call->args[i]);
    }
  if (length[0] != length[2]
      || length[0] != (length[1] > 0 ? length[1] - 1 : 0))
    return gpueig_fail (call->ctx, GPUEIG_BAD_LENGTH,
                        "C and B must have one element less than A, but C has "
                        "%lld, A %lld and B %lld",
                        length[0], length[1], length[2]);
  for (int i = 0; i < 3; i++)
    {
      const mxArray *x = call->args[i];
      mex_touch (x);
      if (mxGetNumberOfDimensions (x) > 2
          || (mxGetM (x) != 1 && mxGetN (x) != 1 && ! mxIsEmpty (x)))
        return gpueig_fail (call->ctx, GPUEIG_BAD_LENGTH,
                            "%s must be a vector, but is %s", names[i],
                            mex_size (x, text));
    }
  return GPUEIG_OK;
}

static gpueig_status
get_vectors (mex_call *call, mex_tridiagonal *t)
{
  mex_matrix m[3];
  GE_TRY (check_vectors (call));
  *t = (mex_tridiagonal){ .type = mex_common_type (call, 3) };
  for (int i = 0; i < 3; i++)
    GE_TRY (mex_get_matrix (call, call->args[i], t->type, &m[i]));
  t->n = (int64_t) mxGetNumberOfElements (call->args[1]);
  t->c = (void *) m[0].data;
  t->a = (void *) m[1].data;
  t->b = (void *) m[2].data;
  return GPUEIG_OK;
}

/* Convert COUNT numbers at *X from type FROM to type TO, in new memory.  */
static gpueig_status
change_type (mex_call *call, gpueig_type from, gpueig_type to, int64_t count,
             const void **x)
{
  const int step = 1 + (gpueig_is_complex (from) && ! gpueig_is_complex (to));
  const int64_t reals = (count << gpueig_is_complex (from)) / step;
  void *y = mex_scratch (call, (size_t) reals, gpueig_real_size (to));
  if (! y)
    return GPUEIG_OUT_OF_MEMORY;
  for (int64_t i = 0; i < reals; i++)
    mex_set_real (to, y, i, ge_real_at (from, *x, step * i));
  *x = y;
  return GPUEIG_OK;
}

/* Set the problem for T: real if all imaginary parts are zero, as for inv; in double
   precision for a band, because sparse matrices have class double.  */
static gpueig_status
set_problem (mex_call *call, const mex_tridiagonal *t, gpueig_tdinv_problem *p)
{
  const int64_t off = t->n > 0 ? t->n - 1 : 0;
  p->type = t->type;
  p->n = t->n;
  p->c = t->c;
  p->a = t->a;
  p->b = t->b;
  p->place = call->place;
  if (gpueig_is_complex (t->type) && ! call->array
      && ! mex_has_imaginary (t->type, t->c, off)
      && ! mex_has_imaginary (t->type, t->a, t->n)
      && ! mex_has_imaginary (t->type, t->b, off))
    p->type = mex_real_of (t->type);
  if (p->band >= 0 && ! gpueig_is_double (p->type))
    p->type
        = gpueig_is_complex (p->type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE;
  if (p->type == t->type)
    return GPUEIG_OK;
  GE_TRY (change_type (call, t->type, p->type, off, &p->c));
  GE_TRY (change_type (call, t->type, p->type, t->n, &p->a));
  return change_type (call, t->type, p->type, off, &p->b);
}

/* --- parts of the inverse --- */

static gpueig_status
get_columns (mex_call *call, gpueig_tdinv_problem *p)
{
  const mxArray *list = call->options.columns;
  double *x;
  GE_TRY (mex_get_numbers (call, list, &x));
  const size_t count = mxGetNumberOfElements (list);
  int good = x
             && (count == 0
                 || (mxGetNumberOfDimensions (list) == 2
                     && (mxGetM (list) == 1 || mxGetN (list) == 1)));
  for (size_t k = 0; good && k < count; k++)
    good = x[k] >= 1 && x[k] <= (double) p->n && x[k] == floor (x[k]);
  if (! good)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Columns\" must be integers from 1 to %lld",
                        (long long) p->n);
  int64_t *columns = mex_scratch (call, count, sizeof *columns);
  if (! columns)
    return GPUEIG_OUT_OF_MEMORY;
  for (size_t k = 0; k < count; k++)
    columns[k] = (int64_t) x[k] - 1;
  p->columns = columns;
  p->n_columns = (int64_t) count;
  return GPUEIG_OK;
}

static gpueig_status
get_band (mex_call *call, int64_t n, int64_t *band)
{
  double k;
  if (! mex_get_number (call->options.band, &k) || ! (k >= 0) || k != floor (k))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Band\" must be an integer from 0 on");
  *band = n > 0 ? n - 1 : 0;
  if (k < (double) *band)
    *band = (int64_t) k;
  return GPUEIG_OK;
}

static gpueig_status
get_part (mex_call *call, int64_t n, gpueig_tdinv_problem *p)
{
  p->n = n;
  p->band = -1;
  if (call->array && (call->options.columns || call->options.band))
    return mex_refuse (call);
  if (call->options.columns && call->options.band)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Columns\" and \"Band\" exclude each other");
  if (call->options.columns)
    return get_columns (call, p);
  return call->options.band ? get_band (call, n, &p->band) : GPUEIG_OK;
}

/* --- outputs --- */

static gpueig_status
invert_full (mex_call *call, gpueig_tdinv_problem *p)
{
  mex_result x = { p->type, p->n, p->columns ? p->n_columns : p->n, NULL, NULL,
                   NULL,    0 };
  GE_TRY (mex_new_results (call, &x, 1));
  p->x = x.data;
  GE_TRY (gpueig_tdinv (call->ctx, p, &call->options.core, &call->info));
  return mex_put (call, 0, &x);
}

/* Convert the library's band storage, complex numbers interleaved, to a sparse matrix
   without stored zeros.  */
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
invert_band (mex_call *call, gpueig_tdinv_problem *p)
{
  char what[80];
  const size_t size = gpueig_scalar_size (p->type);
  const double count = (2 * (double) p->band + 1) * (double) p->n;
  snprintf (what, sizeof what, "a band of %lld in a matrix of order %lld",
            (long long) p->band, (long long) p->n);
  /* The memory of the band storage, of the sparse matrix, and of Octave's copy of that.  */
  const double bytes
      = count * (3 * (double) size + 2 * (double) sizeof (mwIndex));
  GE_TRY (gpueig_need_memory (call->ctx, bytes, what));
  p->x = mex_scratch (call, (size_t) count, size);
  if (! p->x)
    return GPUEIG_OUT_OF_MEMORY;
  GE_TRY (gpueig_tdinv (call->ctx, p, &call->options.core, &call->info));
  call->out[0] = sparse_of_band (p);
  return GPUEIG_OK;
}

static mxArray *
scalar_of (gpueig_type type, double value)
{
  if (gpueig_is_double (type))
    return mxCreateDoubleScalar (value);
  mxArray *x = mxCreateNumericMatrix (1, 1, mxSINGLE_CLASS, mxREAL);
  *(float *) mxGetData (x) = (float) value;
  return x;
}

gpueig_status
mex_tdinv (mex_call *call)
{
  const int n_args = call->n_args;
  const int one = n_args == 1 || (n_args > 1 && ! mex_is_array (call, 1));
  const int three = n_args == 3 || (n_args > 3 && ! mex_is_array (call, 3));
  mex_tridiagonal t;
  double rcond = 0;
  gpueig_tdinv_problem p = { .rcond = &rcond };
  if (! one && ! three)
    return mex_usage (call);
  GE_TRY (mex_parse_options (call, mex_tdinv_options, one ? 1 : 3));
  GE_TRY (one ? get_matrix (call, &t) : get_vectors (call, &t));
  GE_TRY (get_part (call, t.n, &p));
  GE_TRY (set_problem (call, &t, &p));
  GE_TRY (p.band < 0 ? invert_full (call, &p) : invert_band (call, &p));
  if (call->n_out < 2)
    mex_warn_of_rcond (p.type, rcond);
  else
    call->out[1] = scalar_of (p.type, rcond);
  mex_put_info (call, 2);
  return GPUEIG_OK;
}
