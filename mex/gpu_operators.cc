/* The operators of gpu_array, and operations of elements.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpu_deferred.h"
#include "gpu_operations.h"

#include <cmath>
#include <octave/ov-typeinfo.h>
#include <type_traits>

namespace gpueig
{

bool
get_operand (const octave_base_value &x, gpueig_operand *o)
{
  *o = gpueig_operand ();
  if ((x.is_real_scalar () || x.is_complex_scalar ())
      && (x.isfloat () || x.islogical ()))
    {
      const Complex z = x.complex_value ();
      o->type = x.is_complex_scalar () ? x.is_single_type ()
                                             ? GPUEIG_COMPLEX_FLOAT
                                             : GPUEIG_COMPLEX_DOUBLE
                : x.is_single_type ()  ? GPUEIG_FLOAT
                                       : GPUEIG_DOUBLE;
      o->re = z.real ();
      o->im = z.imag ();
      return true;
    }
  const shared_data a = data_of (x);
  o->array = a ? a->number : 0;
  return a != nullptr;
}

void
make_operand (const char *caller, const octave_base_value &x,
              const octave_base_value &like, gpueig_operand *o,
              shared_data *kept)
{
  if (get_operand (x, o))
    return;
  *kept = uploaded (caller, x, *data_of (like));
  o->array = (*kept)->number;
}

octave_value
result_of (const shared_data &r)
{
  return ! r                        ? octave_value ()
         : r->info.shape.count == 1 ? gpu_value (r).gathered ()
                                    : array_value_of (r);
}

octave_value
mapped (gpueig_unary op, const char *caller, const gpu_value &a)
{
  return result_of (made (caller, direct->array_unary, op, a.number ()));
}

void
gpu_value::scale () const
{
  gpueig_operand x = gpueig_operand (), factor = gpueig_operand ();
  x.array = m_array->number;
  factor.type = GPUEIG_DOUBLE;
  factor.re = m_factor;
  m_array = made ("product", direct->array_binary, GPUEIG_TIMES, x, factor);
  m_is_scaled = false;
}

/* A * B, one of them an array of real numbers, and the other a number, to be computed when it is
   asked for; A + B and A - B, one of them such a value; otherwise undefined.  */
static octave_value
scaled (gpueig_binary op, const octave_base_value &a,
        const octave_base_value &b)
{
  const gpu_value *x = as_array (a), *y = as_array (b);
  if (op == GPUEIG_TIMES && ! x != ! y)
    {
      const octave_base_value &number = x ? b : a;
      const gpu_value &array = x ? *x : *y;
      if (array.is_real_double () && number.is_real_scalar ()
          && number.is_double_type () && number.isfloat ())
        return octave_value (
            new gpu_value (array.array (), number.double_value ()));
    }
  if ((op != GPUEIG_PLUS && op != GPUEIG_MINUS) || ! x || ! y
      || ! (x->is_scaled () || y->is_scaled ()) || ! x->is_real_double ()
      || ! y->is_real_double () || x->dims () != y->dims ())
    return octave_value ();
  const gpu_value &multiple = y->is_scaled () ? *y : *x,
                  &other = y->is_scaled () ? *x : *y;
  const bool is_difference = op == GPUEIG_MINUS;
  const bool is_minus_y = is_difference && y->is_scaled ();
  const int64_t number = other.number ();
  const int minus_x = is_difference && ! is_minus_y, minus_y = is_minus_y;
  if (! multiple.is_scaled ()) /* one value is both operands */
    return octave_value ();
  return array_value_of (made (is_difference ? "operator -" : "operator +",
                               direct->array_add_scaled, number,
                               multiple.factor (), multiple.unscaled ().number,
                               minus_x, minus_y));
}

octave_value
elementwise (gpueig_binary op, const char *caller, const octave_base_value &a,
             const octave_base_value &b)
{
  const octave_value sum = scaled (op, a, b);
  if (sum.is_defined ())
    return sum;
  gpueig_operand x, y;
  shared_data kept;
  make_operand (caller, a, b, &x, &kept);
  make_operand (caller, b, a, &y, &kept);
  return result_of (made (caller, direct->array_binary, op, x, y));
}

octave_value
compared (gpueig_comparison op, const char *caller, const octave_base_value &a,
          const octave_base_value &b)
{
  gpueig_operand x, y;
  shared_data kept;
  make_operand (caller, a, b, &x, &kept);
  make_operand (caller, b, a, &y, &kept);
  return deferred (
      array_value_of (made (caller, direct->array_compare, op, x, y)), true);
}

/* Pages raise Octave's own error, which has no identifier.  */
static octave_value
transposed (const octave_base_value &a, bool conjugates)
{
  if (a.ndims () > 2)
    error ("%stranspose not defined for N-D objects",
           conjugates && a.iscomplex () ? "complex-conjugate " : "");
  return result_of (made (conjugates ? "operator '" : "operator .'",
                          direct->array_transpose, as_array (a)->number (),
                          conjugates));
}

/* op (A) * op (B) of full matrices, one of them in an array.  */
static octave_value
times (char of_a, char of_b, const octave_base_value &a,
       const octave_base_value &b)
{
  static const char name[] = "operator *";
  const shared_data there = data_of (a) ? data_of (a) : data_of (b),
                    x = uploaded (name, a, *there),
                    y = uploaded (name, b, *there);
  return result_of (
      made (name, direct->array_multiply, of_a, x->number, of_b, y->number));
}

octave_value
product (char of_a, char of_b, const octave_base_value &a,
         const octave_base_value &b)
{
  const auto turned = [] (char of, const octave_base_value &x) {
    return of == 'N' ? value_of (x)
                     : octave::unary_op (of == 'C' ? octave_value::op_hermitian
                                                   : octave_value::op_transpose,
                                         value_of (x));
  };
  const octave_value_list both = ovl (value_of (a), value_of (b));
  const octave_value r = sparse_product (of_a, of_b, a, b);
  if (r.is_defined ())
    return r;
  if (a.numel () == 1 || b.numel () == 1 || a.ndims () > 2 || b.ndims () > 2
      || a.isinteger () || b.isinteger () || a.issparse () || b.issparse ()
      || first_kept (both))
    return octave::binary_op (octave_value::op_mul, turned (of_a, a),
                              turned (of_b, b));
  return times (of_a, of_b, a, b);
}

/* A * B, of elements if one is a number.  */
static octave_value
multiplied (const octave_base_value &a, const octave_base_value &b)
{
  if (a.numel () == 1 || b.numel () == 1)
    return elementwise (GPUEIG_TIMES, "operator *", a, b);
  if (a.ndims () > 2 || b.ndims () > 2)
    error_with_id ("Octave:nonconformant-args",
                   "operator *: not defined for N-D objects; use pagemtimes");
  return times ('N', 'N', a, b);
}

/* A^P.  */
static octave_value
power (const octave_base_value &a, const octave_base_value &p)
{
  const gpu_value *array = as_array (a);
  if (array && ! array->is_single () && p.is_single_type ())
    return octave::binary_op (
        octave_value::op_pow,
        array_value_of (
            made ("operator ^", direct->array_convert, array->number (),
                  array->iscomplex () ? GPUEIG_COMPLEX_FLOAT : GPUEIG_FLOAT)),
        value_of (p));
  const bool square = as_array (a) && a.ndims () == 2
                      && a.dims () (0) == a.dims () (1) && p.is_real_scalar ();
  const double n = square ? p.double_value () : 0;
  const octave_value base = value_of (a);
  if (n == 1)
    return base;
  if (square && std::isfinite (n) && n != std::floor (n) && a.numel () != 1)
    return solved ("gpu_mpower", ovl (base, n), 1) (0);
  if (n >= 1 && n <= 1e6 && n == std::floor (n))
    return whole_power (*array, n);
  return hosted ("mpower", 1000, ovl (base, value_of (p)), 1) (0);
}

/* CALLER: what errors name.  */
#define UNARY(op, result)                                                      \
  info.install_unary_op (                                                      \
      octave_value::op, own,                                                   \
      [] (const octave_base_value &a) -> octave_value { return result; })
#define BINARY(op, result)                                                     \
  binary (octave_value::op,                                                    \
          [] (const octave_base_value &a,                                      \
              const octave_base_value &b) -> octave_value { return result; })
#define ON_ELEMENTS(op, code, caller)                                          \
  BINARY (op, elementwise (code, caller, a, b))
#define COMPARED(op, code, caller)                                             \
  BINARY (op, compared (code, caller, a, b));                                  \
  for (const int t : compared_types)                                           \
    {                                                                          \
      const auto f = info.lookup_binary_op (octave_value::op, own, own);       \
      info.install_binary_op (octave_value::op, positions, t, f);              \
      if (t != positions)                                                      \
        info.install_binary_op (octave_value::op, t, positions, f);            \
    }
#define ON_HOST(op)                                                            \
  BINARY (op, octave::binary_op (octave_value::op, host_value_of (a),          \
                                 host_value_of (b)))
#define STEP(op, code, caller)                                                 \
  info.install_non_const_unary_op (                                            \
      octave_value::op, own, [] (octave_base_value &a) {                       \
        static_cast<gpu_value &> (a).step (code, caller);                      \
      })

void
install_operators (octave::type_info &info)
{
  const int own = gpu_value::static_type_id ();
  const int types = static_cast<int> (info.installed_type_names ().numel ());
  const int positions = deferred_value::type_of (false);
  const int compared_types[]
      = { octave_value (1.0).type_id (), octave_value (Matrix ()).type_id (),
          octave_value (octave::range<double> (1, 1, 3)).type_id (),
          positions };
  const auto binary = [&] (auto op, octave::type_info::binary_op_fcn f) {
    const bool is_simple
        = std::is_same<decltype (op), octave_value::binary_op>::value;
    for (int t = 0; t < types; t++)
      {
        if (is_simple && has_kept_operators (info, t))
          continue;
        info.install_binary_op (op, own, t, f);
        if (t != own)
          info.install_binary_op (op, t, own, f);
      }
  };
  ON_ELEMENTS (op_add, GPUEIG_PLUS, "operator +");
  ON_ELEMENTS (op_sub, GPUEIG_MINUS, "operator -");
  ON_ELEMENTS (op_el_mul, GPUEIG_TIMES, "product");
  ON_ELEMENTS (op_el_div, GPUEIG_DIVIDE, "quotient");
  ON_ELEMENTS (op_el_pow, GPUEIG_POWER, "operator .^");
  BINARY (op_el_ldiv, elementwise (GPUEIG_DIVIDE, "quotient", b, a));
  BINARY (op_mul, multiplied (a, b));
  BINARY (op_div, right_quotient (a, b));
  BINARY (op_ldiv, left_quotient (a, b));
  BINARY (op_trans_mul, product ('T', 'N', a, b));
  BINARY (op_herm_mul, product ('C', 'N', a, b));
  BINARY (op_mul_trans, product ('N', 'T', a, b));
  BINARY (op_mul_herm, product ('N', 'C', a, b));
  BINARY (op_pow, power (a, b));
  COMPARED (op_eq, GPUEIG_EQ, "operator ==");
  COMPARED (op_ne, GPUEIG_NE, "operator !=");
  COMPARED (op_lt, GPUEIG_LT, "operator <");
  COMPARED (op_le, GPUEIG_LE, "operator <=");
  COMPARED (op_gt, GPUEIG_GT, "operator >");
  COMPARED (op_ge, GPUEIG_GE, "operator >=");
  ON_HOST (op_el_and);
  ON_HOST (op_el_or);
  STEP (op_incr, GPUEIG_PLUS, "operator ++");
  STEP (op_decr, GPUEIG_MINUS, "operator --");
  UNARY (op_uminus, mapped (GPUEIG_NEGATE, "operator -", *as_array (a)));
  UNARY (op_transpose, transposed (a, false));
  UNARY (op_hermitian, transposed (a, true));
  UNARY (op_uplus, a.numel () == 1 ? host_value_of (a) : value_of (a));
  UNARY (op_not, octave::unary_op (octave_value::op_not, host_value_of (a)));
}

} /* namespace */
