/* Products, norms, linear equations and factors of matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_operations.h"

#include <cmath>
#include <limits>
#include <octave/oct-string.h>

namespace gpueig
{

/* --- products --- */

/* kron (A, B): products of all elements, with four dimensions.  */
octave_value_list
kron (const request &q)
{
  const std::vector<shared_data> a = two_arrays (q, 0);
  const int64_t *x = a[0]->info.shape.dims, *y = a[1]->info.shape.dims;
  const int64_t of_x[] = { 1, x[0], 1, x[1] }, of_y[] = { y[0], 1, y[1], 1 },
                dims[] = { x[0] * y[0], x[1] * y[1] };
  const int64_t *const shapes[] = { of_x, of_y, dims };
  shared_data part[2];
  for (int k = 0; k < 2; k++)
    part[k]
        = made (q.caller, direct->array_reshape, a[k]->number, 4, shapes[k]);
  const gpueig_operand l = { part[0]->number, GPUEIG_DOUBLE, 0, 0 },
                       r = { part[1]->number, GPUEIG_DOUBLE, 0, 0 };
  const shared_data both
      = made (q.caller, direct->array_binary, GPUEIG_TIMES, l, r);
  return ovl (result_of (
      made (q.caller, direct->array_reshape, both->number, 2, shapes[2])));
}

octave_value_list
trace (const request &q)
{
  const gpu_value &a = first_of (q, 1);
  double sum[2];
  if (a.ndims () > 2 || a.rows () != a.columns ())
    throw of_octave ();
  check (q.caller, direct->array_trace (*direct->context, a.number (), sum));
  return ovl (
      number_of (a.array ()->info.shape.type, Complex (sum[0], sum[1])));
}

/* norm (X, P); of an empty array of any class, Octave's is double but for "fro".  */
octave_value_list
norm (const request &q)
{
  const gpu_value &a = first_of (q, 2);
  const octave_value p = q.args.length () > 1 ? q.args (1) : octave_value (2.0);
  const std::string word = p.is_string () ? p.string_value () : "";
  const double number = p.is_real_scalar () ? p.double_value () : 0;
  double norm;
  const bool is_inf = octave::string::strcmpi (word, "inf")
                      || number == std::numeric_limits<double>::infinity ();
  if (word != "fro" && ! is_inf && number != 1 && number != 2)
    throw of_octave ();
  const gpueig_norm which = word == "fro" ? GPUEIG_NORM_FRO
                            : is_inf      ? GPUEIG_NORM_INF
                            : number == 1 ? GPUEIG_NORM_1
                                          : GPUEIG_NORM_2;
  check ("norm",
         direct->array_norm (*direct->context, which, a.number (), &norm));
  return ovl (a.is_single () && (a.numel () > 0 || which == GPUEIG_NORM_FRO)
                  ? octave_value (static_cast<float> (norm))
                  : octave_value (norm));
}

/* dot (X, Y, DIM)  */
octave_value_list
dot (const request &q)
{
  const int dim = dimension_at (q, 2);
  const std::vector<shared_data> a = two_arrays (q, 1);
  return ovl (result_of (
      made (q.caller, direct->array_dot, a[0]->number, a[1]->number, dim)));
}

/* pagemtimes (X, Y, OP, OP)  */
octave_value_list
multiply_pages (const request &q)
{
  const std::vector<shared_data> a = two_arrays (q, 2);
  const std::string x = q.args (2).string_value (),
                    y = q.args (3).string_value ();
  return ovl (result_of (made (q.caller, direct->array_multiply, x[0],
                               a[0]->number, y[0], a[1]->number)));
}

/* By repeated squaring, in the order of Octave.  */
octave_value
whole_power (const gpu_value &a, double n)
{
  const auto times = [] (const shared_data &x, const shared_data &y) {
    return made ("operator ^", direct->array_multiply, 'N', x->number, 'N',
                 y->number);
  };
  shared_data square = a.array (), power;
  for (int64_t k = static_cast<int64_t> (n);; k /= 2)
    {
      if (k % 2 == 1)
        power = power ? times (power, square) : square;
      if (k < 2)
        break;
      square = times (square, square);
    }
  return result_of (power);
}

/* --- linear equations, factors --- */

/* The warnings of Octave's \ and inv.  */
static void
warn_of_singular (const char *caller, double rcond, gpueig_type type)
{
  const double eps = gpueig_is_double (type)
                         ? std::numeric_limits<double>::epsilon ()
                         : std::numeric_limits<float>::epsilon ();
  if (rcond == 0)
    warning_with_id ("Octave:singular-matrix",
                     "%s: matrix singular to machine precision", caller);
  else if (rcond < eps)
    warning_with_id ("Octave:nearly-singular-matrix",
                     "%s: matrix singular to machine precision, rcond = %g",
                     caller, rcond);
}

/* A \ B  */
static shared_data
solution (const char *caller, const shared_data &a, const shared_data &b)
{
  double rcond = 0;
  int64_t number;
  check (caller, direct->array_solve (*direct->context, a->number, b->number,
                                      &number, &rcond));
  const shared_data x = std::make_shared<gpu_data> (number);
  warn_of_singular (caller, rcond, x->info.shape.type);
  return x;
}

octave_value
left_quotient (const octave_base_value &a, const octave_base_value &b)
{
  static const char name[] = "operator \\";
  if (a.numel () == 1)
    return elementwise (GPUEIG_DIVIDE, name, b, a);
  const shared_data there = data_of (a) ? data_of (a) : data_of (b);
  return result_of (
      solution (name, uploaded (name, a, *there), uploaded (name, b, *there)));
}

/* A / B = (B' \ A')'  */
octave_value
right_quotient (const octave_base_value &a, const octave_base_value &b)
{
  static const char name[] = "operator /";
  const shared_data there = data_of (a) ? data_of (a) : data_of (b);
  const auto transposed = [] (const shared_data &x) {
    return made (name, direct->array_transpose, x->number, 1);
  };
  if (b.numel () == 1)
    return elementwise (GPUEIG_DIVIDE, name, a, b);
  const shared_data x = uploaded (name, a, *there),
                    y = uploaded (name, b, *there);
  return result_of (
      transposed (solution (name, transposed (y), transposed (x))));
}

octave_value_list
inverse (const request &q)
{
  static const char name[] = "inverse"; /* as of Octave */
  const gpu_value &a = first_of (q, 1, 2);
  const gpueig_type type = a.array ()->info.shape.type;
  double rcond = 0;
  int64_t r;
  check (name,
         direct->array_inverse (*direct->context, a.number (), &r, &rcond));
  const octave_value x (new gpu_value (r));
  if (q.n_out > 1)
    return ovl (x, number_of (type, rcond));
  warn_of_singular (name, rcond, type);
  return ovl (x);
}

/* Factor a positive definite matrix.  */
octave_value_list
cholesky (const request &q)
{
  const gpu_value &a = first_of (q, 1, 2);
  int64_t at = 0, r = 0;
  if (a.ndims () > 2 || a.rows () != a.columns () || a.isempty ())
    throw of_octave ();
  check (q.caller,
         direct->array_cholesky (*direct->context, a.number (), &r, &at));
  if (at > 0)
    throw of_octave ();
  return ovl (result_of (std::make_shared<gpu_data> (r)), 0.0);
}

/* lu (X): the factors and the permutation of rows, a column  */
octave_value_list
lu (const request &q)
{
  const gpu_value &a = first_of (q, 1, 2);
  ColumnVector rows (a.rows ());
  int sign;
  int64_t r;
  check (q.caller, direct->array_lu (*direct->context, a.number (), &r,
                                     rows.fortran_vec (), &sign));
  return ovl (octave_value (new gpu_value (r)), rows);
}

/* [Q, R] = qr (X) and, of economy size, qr (X, 0)  */
octave_value_list
qr (const request &q)
{
  const gpu_value &a = first_of (q, 2, 2);
  const int economy = q.args.length () > 1;
  int64_t orthogonal, triangular;
  if (a.ndims () > 2 || a.numel () < 2 || q.n_out < 2
      || integer_at (q, 1, 0) != 0)
    throw of_octave ();
  check (q.caller, direct->array_qr (*direct->context, a.number (), economy,
                                     &orthogonal, &triangular));
  return ovl (octave_value (new gpu_value (orthogonal)),
              octave_value (new gpu_value (triangular)));
}

/* The product of the N numbers X and SIGN; it overflows only if the result does.  */
static Complex
product (const Complex *x, int64_t n, int sign)
{
  Complex z = sign;
  int exponent = 0;
  for (int64_t i = 0; i < n; i++)
    {
      int e = 0;
      z *= x[i];
      std::frexp (std::fmax (std::fabs (z.real ()), std::fabs (z.imag ())), &e);
      if (! std::isfinite (z.real ()) || ! std::isfinite (z.imag ()))
        continue;
      z = Complex (std::ldexp (z.real (), -e), std::ldexp (z.imag (), -e));
      exponent += e;
    }
  return Complex (std::ldexp (z.real (), exponent),
                  std::ldexp (z.imag (), exponent));
}

/* det (X), of a square matrix, which is not empty  */
octave_value_list
determinant (const request &q)
{
  const gpu_value &a = first_of (q, 1);
  if (a.ndims () > 2 || a.rows () != a.columns () || a.isempty ())
    throw of_octave ();
  ColumnVector rows (a.rows ());
  int sign;
  int64_t r;
  check (q.caller, direct->array_lu (*direct->context, a.number (), &r,
                                     rows.fortran_vec (), &sign));
  const shared_data factors = std::make_shared<gpu_data> (r);
  const ComplexNDArray diagonal
      = gpu_value (made (q.caller, direct->array_diagonal, r, int64_t (0)))
            .complex_array_value ();
  return ovl (number_of (factors->info.shape.type,
                         product (diagonal.data (), a.rows (), sign)));
}

/* The transforms of A along DIM, from 0, of length N, or as they are; NULL where there is no library
   for them.  */
static shared_data
transformed (const request &q, int64_t a, int dim, int64_t n)
{
  return made (q.caller, direct->array_fft, a, dim, n, q.code);
}

/* fft (X, N, DIM) and ifft  */
octave_value_list
transform (const request &q)
{
  const gpu_value &a = first_of (q, 3);
  const bool is_whole = q.args.length () < 2
                        || (q.args (1).isnumeric () && q.args (1).isempty ());
  const int64_t n = is_whole ? -1 : integer_at (q, 1, -1);
  if (! is_whole && n < 1)
    throw of_octave ();
  return ovl (result_of (transformed (q, a.number (), dimension_at (q, 2), n)));
}

/* fft2 (X) and ifft2  */
octave_value_list
transform_both (const request &q)
{
  const gpu_value &a = first_of (q, 1);
  if (a.numel () < 2)
    throw of_octave ();
  const shared_data columns = transformed (q, a.number (), 0, -1);
  return ovl (
      result_of (columns ? transformed (q, columns->number, 1, -1) : nullptr));
}

} /* namespace */
