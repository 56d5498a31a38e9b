/* The command of gpu_mrrr: the two diagonals of a tridiagonal matrix or of a stack, a
   tridiagonal matrix, or a dense matrix or stack.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <math.h>
#include <stdio.h>

/* --- which eigenvalues --- */

/* TEXT: VALUE, whose elements are X, for a message; class and size if it has more than
   8 elements or is not numeric.  */
static const char *
describe (const mxArray *value, const double *x, char *text, size_t size)
{
  mex_size_text dims;
  const size_t count = mxGetNumberOfElements (value);
  if (! x || count > 8)
    {
      snprintf (text, size, "of class %.60s and size %s",
                mxGetClassName (value), mex_size (value, dims));
      return text;
    }
  size_t used = (size_t) snprintf (text, size, "[");
  for (size_t i = 0; i < count && used < size; i++)
    used += (size_t) snprintf (text + used, size - used, "%s%.6g", i ? " " : "",
                               x[i]);
  if (used < size)
    snprintf (text + used, size - used, "]");
  return text;
}

gpueig_status
mex_get_index (mex_call *call, gpueig_symmetric *p)
{
  char text[200];
  const mxArray *value = call->options.index;
  double *k;
  GE_TRY (mex_get_numbers (call, value, &k));
  if (! k || mxGetNumberOfElements (value) != 2 || ! (k[0] >= 1)
      || ! (k[0] <= k[1]) || ! (k[1] <= (double) p->n) || k[0] != floor (k[0])
      || k[1] != floor (k[1]))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Index\" must be [il iu] with 1 <= il <= iu <= %lld, "
                        "but is %s",
                        (long long) p->n,
                        describe (value, k, text, sizeof text));
  p->select = GPUEIG_SELECT_INDEX;
  p->first = (int64_t) k[0];
  p->last = (int64_t) k[1];
  return GPUEIG_OK;
}

static gpueig_status
get_range (mex_call *call, gpueig_symmetric *p, int stack)
{
  char text[200];
  const mxArray *value = call->options.range;
  double *v;
  GE_TRY (mex_get_numbers (call, value, &v));
  if (! v || mxGetNumberOfElements (value) != 2 || ! (v[0] < v[1]))
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Range\" must be [vl vu] with vl < vu, but is %s",
                        describe (value, v, text, sizeof text));
  if (stack)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "\"Range\" is for one matrix, not for pages");
  p->select = GPUEIG_SELECT_INTERVAL;
  p->vl = v[0];
  p->vu = v[1];
  return GPUEIG_OK;
}

gpueig_status
mex_get_selection (mex_call *call, gpueig_symmetric *p, int stack)
{
  p->select = GPUEIG_SELECT_ALL;
  if (call->options.index && call->options.range)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "give \"Index\" or \"Range\", not both");
  if (call->options.index)
    return mex_get_index (call, p);
  if (call->options.range)
    return get_range (call, p, stack);
  return GPUEIG_OK;
}

/* --- d and e --- */

/* Nonzero for a stack of vectors: more than two dimensions.  */
static int
is_stack (const mxArray *x)
{
  return mxGetNumberOfDimensions (x) > 2;
}

/* A real vector of any orientation, or a stack of columns.  */
static gpueig_status
check_vector (mex_call *call, const mxArray *x, const char *what)
{
  const int floating = mxIsDouble (x) || mxIsSingle (x) || mex_handle (x);
  mex_size_text text;
  if (! floating || mxIsComplex (x))
    return gpueig_fail (call->ctx, GPUEIG_WRONG_TYPE,
                        "the %s must be a real vector of numbers or truth "
                        "values, but is %s%.80s",
                        what, floating ? "complex" : "of class ",
                        floating ? "" : mxGetClassName (x));
  mex_touch (x);
  if (is_stack (x) ? mxGetDimensions (x)[1] != 1
                   : mxGetM (x) > 1 && mxGetN (x) > 1 && ! mxIsEmpty (x))
    return gpueig_fail (call->ctx, GPUEIG_BAD_LENGTH,
                        "the %s must be a vector or a stack of columns "
                        "n-by-1-by-N, but is %s",
                        what, mex_size (x, text));
  return GPUEIG_OK;
}

/* D or E is a stack: E must have as many pages as D, with one element fewer each.  */
static gpueig_status
check_stack (mex_call *call, const mxArray *d, const mxArray *e,
             gpueig_symmetric *p)
{
  const mwSize *x = mxGetDimensions (d), *y = mxGetDimensions (e);
  const mwSize dims = mxGetNumberOfDimensions (d);
  mex_size_text d_text, e_text;
  p->n = (int64_t) x[0];
  p->pages = 1;
  int fits = dims == mxGetNumberOfDimensions (e)
             && (int64_t) y[0] == (p->n > 0 ? p->n - 1 : 0);
  for (mwSize i = 2; i < dims; i++)
    {
      p->pages *= (int64_t) x[i];
      fits = fits && x[i] == y[i];
    }
  if (fits)
    return GPUEIG_OK;
  return gpueig_fail (call->ctx, GPUEIG_BAD_LENGTH,
                      "diagonals n-by-1-by-N need off-diagonals "
                      "(n-1)-by-1-by-N, but they are %s and %s",
                      mex_size (d, d_text), mex_size (e, e_text));
}

static gpueig_status
get_diagonals (mex_call *call, gpueig_symmetric *p, int *stack)
{
  const mxArray *d = call->args[0], *e = call->args[1];
  mex_matrix x, y;
  GE_TRY (check_vector (call, d, "diagonal"));
  GE_TRY (check_vector (call, e, "off-diagonal"));
  p->type = mex_common_type (call, 2);
  p->n = (int64_t) mxGetNumberOfElements (d);
  p->pages = 1;
  const int64_t there = (int64_t) mxGetNumberOfElements (e);
  const int64_t need = p->n > 0 ? p->n - 1 : 0;
  *stack = is_stack (d) || is_stack (e);
  if (*stack)
    GE_TRY (check_stack (call, d, e, p));
  else if (there != need)
    return gpueig_fail (call->ctx, GPUEIG_BAD_LENGTH,
                        "%lld diagonal elements need %lld off-diagonal ones, "
                        "but there are %lld",
                        (long long) p->n, (long long) need, (long long) there);
  GE_TRY (mex_get_matrix (call, d, p->type, &x));
  GE_TRY (mex_get_matrix (call, e, p->type, &y));
  p->d = x.data;
  p->e = y.data;
  return GPUEIG_OK;
}

/* --- tridiagonal matrices: A = P T P', P = diag (phase), T real --- */

static gpueig_status
not_symmetric (mex_call *call, const mex_tridiagonal *t)
{
  return gpueig_fail (
      call->ctx, GPUEIG_NOT_SYMMETRIC,
      "A must be %s to the last bit; symmetrise it with (A + A') / 2, or call "
      "gpu_eig (A) for a general matrix",
      gpueig_is_complex (t->type) ? "Hermitian" : "symmetric");
}

/* GPUEIG_OK if T is finite and equal to its conjugate transpose.  */
static gpueig_status
check_tridiagonal (mex_call *call, const mex_tridiagonal *t)
{
  double a[2], b[2], c[2];
  int finite = 1, equal = 1;
  for (int64_t i = 0; i < t->n; i++)
    {
      mex_parts_at (t->type, t->a, i, a);
      mex_parts_at (t->type, t->b, i, b);
      mex_parts_at (t->type, t->c, i, c);
      finite &= isfinite (a[0]) && isfinite (a[1]) && isfinite (b[0])
                && isfinite (b[1]) && isfinite (c[0]) && isfinite (c[1]);
      equal &= a[1] == 0 && b[0] == c[0] && b[1] == -c[1];
    }
  if (! finite)
    return gpueig_fail (call->ctx, GPUEIG_NONFINITE,
                        "the matrix must be finite");
  return equal ? GPUEIG_OK : not_symmetric (call, t);
}

/* Replace the diagonals of a complex T by those of the real matrix diag (p)' T diag (p)
   and set call->phase to p, whose elements have modulus 1.  */
static gpueig_status
make_real (mex_call *call, mex_tridiagonal *t)
{
  double *p = mex_scratch (call, (size_t) t->n, 2 * sizeof *p);
  if (! p)
    return GPUEIG_OUT_OF_MEMORY;
  double at[2] = { 1, 0 };
  for (int64_t i = 0; i < t->n; i++)
    {
      double a[2], c[2];
      p[2 * i] = at[0];
      p[2 * i + 1] = at[1];
      mex_parts_at (t->type, t->a, i, a);
      mex_parts_at (t->type, t->c, i, c);
      const double size = hypot (c[0], c[1]);
      mex_set_real (t->type, t->a, i, a[0]);
      mex_set_real (t->type, t->c, i, size);
      if (size == 0)
        continue;
      /* Divided by SIZE: the reciprocals of the smallest numbers overflow.  */
      const double re = c[0] / size, im = c[1] / size;
      const double next[2]
          = { at[0] * re - at[1] * im, at[0] * im + at[1] * re };
      const double unit = hypot (next[0], next[1]);
      at[0] = next[0] / unit;
      at[1] = next[1] / unit;
    }
  t->type = mex_real_of (t->type);
  call->phase = p;
  return GPUEIG_OK;
}

/* --- the matrix A --- */

static gpueig_status
get_dense (mex_call *call, gpueig_symmetric *p)
{
  mex_matrix m;
  const mxArray *a = call->args[0];
  GE_TRY (mex_get_matrix (call, a, mex_type_of (a), &m));
  p->type = m.type;
  p->n = m.rows;
  p->pages = m.pages;
  p->a = m.data;
  return GPUEIG_OK;
}

/* The problem for A: by its diagonals if A is one tridiagonal matrix, else dense.  */
static gpueig_status
get_matrix (mex_call *call, gpueig_symmetric *p, int *stack)
{
  mex_tridiagonal t;
  if (call->options.core.backend == GPUEIG_MPI)
    {
      /* This backend solves dense matrices only.  */
      GE_TRY (mex_check_square (call, call->args[0], "A"));
      *stack = mxGetNumberOfDimensions (call->args[0]) > 2;
      return get_dense (call, p);
    }
  GE_TRY (mex_get_tridiagonal (call, call->args[0], "A", &t));
  *stack = t.stack;
  if (t.stack || t.at)
    return get_dense (call, p);
  GE_TRY (check_tridiagonal (call, &t));
  if (gpueig_is_complex (t.type))
    GE_TRY (make_real (call, &t));
  p->type = t.type;
  p->n = t.n;
  p->pages = 1;
  p->d = t.a;
  p->e = t.c;
  return GPUEIG_OK;
}

/* --- the command --- */

gpueig_status
mex_mrrr (mex_call *call)
{
  gpueig_symmetric p = { .pages = 0 };
  int stack = 0;
  const int two = mex_is_array (call, 1);
  GE_TRY (mex_parse_options (call, mex_mrrr_options, 1 + two));
  GE_TRY (mex_check_workers (call));
  GE_TRY (two ? get_diagonals (call, &p, &stack)
              : get_matrix (call, &p, &stack));
  GE_TRY (mex_get_selection (call, &p, stack));
  return mex_solve_symmetric (call, gpueig_mrrr, &p,
                              stack ? call->args[0] : NULL);
}
