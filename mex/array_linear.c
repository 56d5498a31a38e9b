/* Operations of the command "array": sums, norms, linear algebra.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The warnings of Octave's \ and inv.  */
static void
warn_of_singular (double rcond, gpueig_type type)
{
  const double eps = gpueig_is_double (type) ? DBL_EPSILON : FLT_EPSILON;
  if (rcond == 0)
    mex_warn ("Octave:singular-matrix", "matrix singular to machine precision");
  else if (rcond < eps)
    mex_warn ("Octave:nearly-singular-matrix",
              "matrix singular to machine precision, rcond = %g", rcond);
}

/* mpower (X, N), N > 1: by repeated squaring, in the order of Octave.  */
gpueig_status
mex_array_power (mex_call *call, mex_one *o)
{
  gpueig_context *ctx = call->ctx;
  gpueig_array square = o->array, power = 0, next;
  gpueig_status status = GPUEIG_OK;
  int64_t n;
  GE_TRY (mex_array_integer (call, 2, &n));
  for (; status == GPUEIG_OK; n /= 2)
    {
      if (n % 2 == 1 && power)
        {
          status = gpueig_array_multiply (ctx, 'N', power, 'N', square, &next);
          if (power != o->array)
            mex_free_array (call, power);
          power = next;
        }
      else if (n % 2 == 1)
        power = square;
      if (n < 2 || status != GPUEIG_OK)
        break;
      status = gpueig_array_multiply (ctx, 'N', square, 'N', square, &next);
      if (square != o->array && square != power)
        mex_free_array (call, square);
      square = next;
    }
  if (square != o->array && square != power)
    mex_free_array (call, square);
  if (status == GPUEIG_OK)
    o->made = power;
  else if (power != o->array)
    mex_free_array (call, power);
  return status;
}

/* kron (A, B): products of all elements, with four dimensions.  */
gpueig_status
mex_array_kron (mex_call *call, int code)
{
  gpueig_context *ctx = call->ctx;
  arrays a;
  gpueig_array_info info[2] = { 0 };
  gpueig_operand part[2] = { 0 };
  gpueig_array both = 0, r = 0;
  (void) code;
  if (call->n_args != 3)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "there must be two matrices");
  GE_TRY (mex_get_arrays (call, 1, 2, &a));
  gpueig_status status = GPUEIG_OK;
  for (int k = 0; k < 2 && status == GPUEIG_OK; k++)
    {
      status = gpueig_array_describe (ctx, a.array[k], &info[k]);
      const int64_t *d
          = info[k].shape.dims,
          dims[] = { k ? d[0] : 1, k ? 1 : d[0], k ? d[1] : 1, k ? 1 : d[1] };
      if (status == GPUEIG_OK)
        status
            = gpueig_array_reshape (ctx, a.array[k], 4, dims, &part[k].array);
    }
  if (status == GPUEIG_OK)
    status = gpueig_array_binary (ctx, GPUEIG_TIMES, part[0], part[1], &both);
  if (status == GPUEIG_OK)
    {
      const int64_t *x = info[0].shape.dims, *y = info[1].shape.dims,
                    dims[] = { x[0] * y[0], x[1] * y[1] };
      status = gpueig_array_reshape (ctx, both, 2, dims, &r);
    }
  mex_free_array (call, part[0].array);
  mex_free_array (call, part[1].array);
  mex_free_array (call, both);
  return mex_put_result (call, &a, status, r);
}

gpueig_status
mex_array_trace (mex_call *call, mex_one *o)
{
  double sum[2];
  GE_TRY (gpueig_array_trace (call->ctx, o->array, sum));
  call->out[0] = mex_scalar_value (o->shape.type, sum[0], sum[1]);
  return GPUEIG_OK;
}

/* dot (X, Y, DIM)  */
gpueig_status
mex_array_dot (mex_call *call, int code)
{
  arrays a;
  int dim;
  gpueig_array r;
  (void) code;
  GE_TRY (mex_array_dimension (call, 3, &dim));
  GE_TRY (mex_get_arrays (call, 1, 2, &a));
  const gpueig_status status
      = gpueig_array_dot (call->ctx, a.array[0], a.array[1], dim, &r);
  return mex_put_result (call, &a, status, r);
}

/* Nonzero if argument I has one element.  */
static int
is_one (const mex_call *call, int i)
{
  gpueig_array_info info;
  const gpueig_array array = call->n_args > i ? mex_handle (call->args[i]) : 0;
  if (array)
    return gpueig_array_describe (call->ctx, array, &info) == GPUEIG_OK
           && info.shape.count == 1;
  return call->n_args > i && mxGetNumberOfElements (call->args[i]) == 1;
}

/* multiply (X, Y) of matrices; with PAGES (X, Y, OP, OP) of pages.  */
gpueig_status
mex_array_multiply (mex_call *call, int pages)
{
  arrays a;
  gpueig_array r = 0;
  char op[2][2] = { "N", "N" };
  gpueig_array_info info = { 0 };
  gpueig_status status;
  GE_TRY (mex_get_arrays (call, 1, 2, &a));
  if (pages)
    for (int i = 0; i < 2; i++)
      if (call->n_args < 5 || mxGetString (call->args[3 + i], op[i], 2) != 0
          || ! strchr ("NTC", op[i][0]))
        {
          mex_free_arrays (call, &a);
          return mex_usage (call);
        }
  status = GPUEIG_OK;
  for (int i = 0; ! pages && i < 2 && status == GPUEIG_OK; i++)
    {
      status = gpueig_array_describe (call->ctx, a.array[i], &info);
      if (status == GPUEIG_OK && info.shape.n_dims > 2)
        status = gpueig_fail (call->ctx, GPUEIG_NONCONFORMANT,
                              "not defined for N-D objects; use pagemtimes");
    }
  if (status == GPUEIG_OK)
    status = gpueig_array_multiply (call->ctx, op[0][0], a.array[0], op[1][0],
                                    a.array[1], &r);
  return mex_put_result (call, &a, status, r);
}

/* *X = A \ B  */
static gpueig_status
solve_from_left (mex_call *call, gpueig_array a, gpueig_array b,
                 gpueig_array *x)
{
  double rcond = 0;
  gpueig_array_info info = { 0 };
  GE_TRY (gpueig_array_solve (call->ctx, a, b, x, &rcond));
  GE_TRY (gpueig_array_describe (call->ctx, *x, &info));
  warn_of_singular (rcond, info.shape.type);
  return GPUEIG_OK;
}

/* *X = B / A = (A' \ B')'  */
static gpueig_status
solve_from_right (mex_call *call, gpueig_array a, gpueig_array b,
                  gpueig_array *x)
{
  gpueig_array t[3] = { 0 };
  gpueig_status status = gpueig_array_transpose (call->ctx, a, 1, &t[0]);
  if (status == GPUEIG_OK)
    status = gpueig_array_transpose (call->ctx, b, 1, &t[1]);
  if (status == GPUEIG_OK)
    status = solve_from_left (call, t[0], t[1], &t[2]);
  if (status == GPUEIG_OK)
    status = gpueig_array_transpose (call->ctx, t[2], 1, x);
  for (int i = 0; i < 3; i++)
    mex_free_array (call, t[i]);
  return status;
}

/* solve (A, B)  */
gpueig_status
mex_array_solve (mex_call *call, int side)
{
  arrays a;
  gpueig_array r = 0;
  if (is_one (call, 1 + side))
    {
      const mxArray *swap = call->args[1];
      if (side == FROM_LEFT)
        {
          call->args[1] = call->args[2];
          call->args[2] = swap;
        }
      return mex_array_binary (call, GPUEIG_DIVIDE);
    }
  GE_TRY (mex_get_arrays (call, 1, 2, &a));
  const gpueig_status status
      = side == FROM_LEFT ? solve_from_left (call, a.array[0], a.array[1], &r)
                          : solve_from_right (call, a.array[1], a.array[0], &r);
  return mex_put_result (call, &a, status, r);
}

gpueig_status
mex_array_inverse (mex_call *call, mex_one *o)
{
  double rcond = 0;
  GE_TRY (gpueig_array_inverse (call->ctx, o->array, &o->made, &rcond));
  if (call->n_out > 1)
    call->out[1] = mex_scalar_value (o->shape.type, rcond, 0);
  else
    warn_of_singular (rcond, o->shape.type);
  return GPUEIG_OK;
}

/* [] for a matrix that is not positive definite, or not square  */
gpueig_status
mex_array_cholesky (mex_call *call, mex_one *o)
{
  int64_t at = 1;
  if (o->shape.n_dims == 2 && o->shape.dims[0] == o->shape.dims[1])
    GE_TRY (gpueig_array_cholesky (call->ctx, o->array, &o->made, &at));
  if (at > 0)
    call->out[0] = mex_empty (0);
  return GPUEIG_OK;
}

/* lu (X): the factors, and with two outputs the permutation of rows, a column  */
gpueig_status
mex_array_lu (mex_call *call, mex_one *o)
{
  int sign;
  mxArray *rows = mxCreateDoubleMatrix ((mwSize) o->shape.dims[0], 1, mxREAL);
  GE_TRY (
      gpueig_array_lu (call->ctx, o->array, &o->made, mxGetPr (rows), &sign));
  call->out[1] = rows;
  return GPUEIG_OK;
}

/* qr (X, ECONOMY): R, or with two outputs Q and R  */
gpueig_status
mex_array_qr (mex_call *call, mex_one *o)
{
  int64_t economy = 0;
  gpueig_array q = 0, r;
  GE_TRY (mex_array_integer (call, 2, &economy));
  GE_TRY (gpueig_array_qr (call->ctx, o->array, economy != 0,
                           call->n_out > 1 ? &q : NULL, &r));
  if (q)
    mex_put_array (call, 1, r);
  o->made = q ? q : r;
  return GPUEIG_OK;
}

/* The product of N numbers of TYPE and SIGN; it overflows only if the result does.  */
static mxArray *
product (gpueig_type type, int64_t n, const void *x, int sign)
{
  double re = sign, im = 0;
  int exponent = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double part[2] = { 0, 0 };
      const int two = gpueig_is_complex (type);
      for (int k = 0; k <= two; k++)
        part[k] = gpueig_is_double (type)
                      ? ((const double *) x)[i * (1 + two) + k]
                      : (double) ((const float *) x)[i * (1 + two) + k];
      const double next = re * part[0] - im * part[1];
      int e = 0;
      im = two ? re * part[1] + im * part[0] : 0;
      re = next;
      frexp (fmax (fabs (re), fabs (im)), &e);
      if (re - re == 0 && im - im == 0)
        {
          re = ldexp (re, -e);
          im = ldexp (im, -e);
          exponent += e;
        }
    }
  return mex_scalar_value (type, ldexp (re, exponent), ldexp (im, exponent));
}

/* [] for what is not a square matrix  */
gpueig_status
mex_array_determinant (mex_call *call, mex_one *o)
{
  const int64_t n = o->shape.dims[0];
  gpueig_array factors = 0, diagonal = 0;
  int sign = 1;
  call->out[0] = mex_empty (0);
  if (o->shape.n_dims > 2 || n != o->shape.dims[1] || n == 0)
    return GPUEIG_OK;
  double *rows = mex_scratch (call, (size_t) n, sizeof *rows);
  double *x = mex_scratch (call, (size_t) n, 2 * sizeof *x);
  if (! rows || ! x)
    return GPUEIG_OUT_OF_MEMORY;
  GE_TRY (gpueig_array_lu (call->ctx, o->array, &factors, rows, &sign));
  gpueig_status status
      = gpueig_array_diagonal (call->ctx, factors, 0, &diagonal);
  if (status == GPUEIG_OK)
    status = gpueig_array_download (call->ctx, diagonal, x);
  mex_free_array (call, diagonal);
  mex_free_array (call, factors);
  if (status == GPUEIG_OK)
    call->out[0] = product (o->shape.type, n, x, sign);
  return status;
}

/* fft (X, N, DIM), N -1: as long as X; [] where the host does it  */
gpueig_status
mex_array_fft (mex_call *call, mex_one *o)
{
  int64_t n = -1;
  int dim;
  if (call->n_args > 2)
    GE_TRY (mex_array_integer (call, 2, &n));
  GE_TRY (mex_array_dimension (call, 3, &dim));
  GE_TRY (gpueig_array_fft (call->ctx, o->array, dim, n, o->code, &o->made));
  if (! o->made)
    call->out[0] = mex_empty (0);
  return GPUEIG_OK;
}
