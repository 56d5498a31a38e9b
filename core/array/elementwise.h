/* Elementwise operations of one element, for C and for CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   No include guard on purpose: a typed C file includes it once, CUDA once per precision
   (cuda/base/precisions.cuh), the functions becoming overloads.  Beside the functions of
   scalar.h it uses functions of the C library, whose last bits differ between it and
   CUDA.

   Comparisons of complex numbers are those of Octave: by modulus, then by argument,
   where -pi counts as pi; the argument of a real operand counts as 0, also if it is
   negative.  */

#include <string.h>

#ifdef __CUDACC__
#  define el_math(name) name
#else
#  define el_math(name) GE_MATH (name)
#endif

#if GE_DOUBLE
typedef struct
{
  double re, im;
} ge_number_d;
#  define number_t ge_number_d
#  define bits_t uint64_t
#else
typedef struct
{
  float re, im;
} ge_number_s;
#  define number_t ge_number_s
#  define bits_t uint32_t
#endif

/* --- real --- */

/* The remainder of A after division by B, with the sign of B (mod) or A (rem); zero where A
   is nearly a multiple of a B that is not an integer, as in Octave.  */
GE_INLINE real_t
el_remainder (ge_map_op op, real_t a, real_t b)
{
  if (b == 0)
    return op == GE_MAP_MOD ? a : b / b;
  const real_t q = a / b, near = el_math (floor) (q + (real_t) 0.5);
  real_t r = 0;
  if (b == el_math (floor) (b) || ! (fabs_ ((q - near) / near) < GE_EPS))
    {
      const real_t n
          = op == GE_MAP_MOD ? el_math (floor) (q) : el_math (trunc) (q);
      r = a - b * n;
    }
  return a == b ? r : copysign_ (r, op == GE_MAP_MOD ? b : a);
}

/* Loops call it with a constant OP, so that the switch disappears.  */
GE_INLINE real_t
el_real (ge_map_op op, real_t a, real_t b)
{
  switch (op)
    {
    case GE_MAP_COPY:
    case GE_MAP_REAL:
    case GE_MAP_CONJ:
      return a;
    case GE_MAP_NEGATE:
      return -a;
    case GE_MAP_ABS:
      return fabs_ (a);
    case GE_MAP_IMAG:
      return 0;
    case GE_MAP_ARG:
      return copysign_ ((real_t) 1, a) < 0 ? (real_t) 3.14159265358979323846
                                           : 0;
    case GE_MAP_PLUS:
      return a + b;
    case GE_MAP_MINUS:
      return a - b;
    case GE_MAP_TIMES:
      return a * b;
    case GE_MAP_DIVIDE:
      return a / b;
    case GE_MAP_POWER:
      return b == 2 ? a * a : el_math (pow) (a, b);
    case GE_MAP_MAX:
    case GE_MAP_MAX_OR_NAN:
      return a >= b || b != b ? a : b;
    case GE_MAP_MIN:
    case GE_MAP_MIN_OR_NAN:
      return a <= b || b != b ? a : b;
    case GE_MAP_ATAN2:
      return el_math (atan2) (a, b);
    case GE_MAP_HYPOT:
      return el_math (hypot) (a, b);
    case GE_MAP_MOD:
    case GE_MAP_REM:
      return el_remainder (op, a, b);
    case GE_MAP_OR_NAN:
      return b != b ? b : a;
    case GE_MAP_MIDDLE:
      return (a + b) * (real_t) 0.5;
    case GE_MAP_EQ:
      return a == b;
    case GE_MAP_NE:
    case GE_MAP_NOT_CONJ:
      return a != b;
    case GE_MAP_LT:
      return a < b;
    case GE_MAP_LE:
      return a <= b;
    case GE_MAP_GT:
      return a > b;
    case GE_MAP_GE:
      return a >= b;
    case GE_MAP_NEGATIVE:
      return a < 0;
    default:
      return 0;
    }
}

/* Nonzero if OP (A, B) of real numbers is complex.  */
GE_INLINE int
el_is_beyond (ge_map_op op, real_t a, real_t b)
{
  switch (op)
    {
    case GE_MAP_LOG1P:
      return a < -1;
    case GE_MAP_ASIN:
    case GE_MAP_ACOS:
      return a < -1 || a > 1;
    case GE_MAP_POWER:
      return a < 0 && ! (b == el_math (floor) (b) && fabs_ (b) <= GE_REAL_MAX);
    default:
      return a < 0;
    }
}

/* An integer with the order of the numbers, of -0 that of 0, of NaN the largest; the
   smallest if DESCENDING.  */
GE_INLINE bits_t
el_key (real_t a, int descending)
{
  const bits_t sign = (bits_t) 1 << (8 * sizeof (bits_t) - 1);
  bits_t key = ~(bits_t) 0;
  if (a == a)
    {
      a += 0;
      memcpy (&key, &a, sizeof key);
      key = key & sign ? ~key : key | sign;
    }
  return descending ? ~key : key;
}

/* --- complex --- */

GE_INLINE number_t
el_number (real_t re, real_t im)
{
  number_t z;
  z.re = re;
  z.im = im;
  return z;
}

GE_INLINE real_t
el_abs (number_t a)
{
  return el_math (hypot) (a.re, a.im);
}

/* The argument in (-pi, pi].  */
GE_INLINE real_t
el_arg (number_t a)
{
  const real_t pi = (real_t) 3.14159265358979323846;
  const real_t arg = el_math (atan2) (a.im, a.re);
  return arg == -pi ? pi : arg;
}

/* Negative, zero or positive as a < b, a = b or a > b; 2 where they cannot be compared.  */
GE_INLINE int
el_compare (number_t a, number_t b, int a_real, int b_real)
{
  real_t x = el_abs (a), y = el_abs (b);
  if (x == y)
    {
      x = a_real ? 0 : el_arg (a);
      y = b_real ? 0 : el_arg (b);
    }
  return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

GE_INLINE int
el_is_nan (number_t a)
{
  return a.re != a.re || a.im != a.im;
}

GE_INLINE number_t
el_times (number_t a, number_t b)
{
  return el_number (a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/* R. L. Smith, Algorithm 116, 1962; operands near overflow are halved.  */
GE_INLINE number_t
el_divide (number_t a, number_t b)
{
  const real_t big = (real_t) 0.25 * GE_REAL_MAX;
  const real_t x = fabs_ (b.re), y = fabs_ (b.im);
  if (x == 0 && y == 0)
    return el_number (a.re / b.re, a.im / b.re);
  if (x > GE_REAL_MAX || y > GE_REAL_MAX)
    return el_number (a.re * 0, a.im * 0);
  if (x > big || y > big)
    {
      a = el_number (a.re * (real_t) 0.25, a.im * (real_t) 0.25);
      b = el_number (b.re * (real_t) 0.25, b.im * (real_t) 0.25);
    }
  if (x >= y)
    {
      const real_t r = b.im / b.re, d = b.re + b.im * r;
      return el_number ((a.re + a.im * r) / d, (a.im - a.re * r) / d);
    }
  const real_t r = b.re / b.im, d = b.re * r + b.im;
  return el_number ((a.re * r + a.im) / d, (a.im * r - a.re) / d);
}

/* The root with nonnegative real part, scaled by powers of four against overflow and
   underflow of the sum.  */
GE_INLINE number_t
el_sqrt (number_t a)
{
  real_t x = fabs_ (a.re), y = fabs_ (a.im), back = 1;
  if (x == 0 && y == 0)
    return el_number (0, a.im);
  if (x > GE_REAL_MAX / 4 || y > GE_REAL_MAX / 4)
    {
      x *= (real_t) 0.0625;
      y *= (real_t) 0.0625;
      back = 4;
    }
  else if (x < 16 * GE_REAL_MIN / GE_EPS && y < 16 * GE_REAL_MIN / GE_EPS)
    {
      const real_t up = 1 / (GE_EPS * GE_EPS);
      x *= up;
      y *= up;
      back = GE_EPS;
    }
  const real_t t = sqrt_ ((x + el_math (hypot) (x, y)) * (real_t) 0.5),
               s = y / (2 * t);
  if (a.re >= 0)
    return el_number (back * t, copysign_ (back * s, a.im));
  return el_number (back * s, copysign_ (back * t, a.im));
}

GE_INLINE number_t
el_exp (number_t a)
{
  const real_t e = el_math (exp) (a.re);
  if (a.im == 0 || e == 0)
    return el_number (e, a.im == 0 ? a.im : 0);
  const real_t c = el_math (cos) (a.im), s = el_math (sin) (a.im);
  if (e <= GE_REAL_MAX || ! (a.re <= GE_REAL_MAX))
    return el_number (e * c, e * s);
  /* The products need not overflow.  */
  const real_t half = el_math (exp) (a.re * (real_t) 0.5);
  return el_number (half * c * half, half * s * half);
}

/* Compute a power.  Real numbers with a real power have the power of a real array; other
   integer powers are computed by repeated multiplication unless that overflows, the rest by
   logarithms.  */
GE_INLINE number_t
el_power (number_t a, number_t b)
{
  if (a.im == 0 && b.im == 0 && ! el_is_beyond (GE_MAP_POWER, a.re, b.re))
    return el_number (el_real (GE_MAP_POWER, a.re, b.re), (real_t) 0);
  if (a.im == 0 && b.im == 0 && ! (fabs_ (b.re) <= GE_REAL_MAX))
    return el_number (b.re - b.re, b.re - b.re);
  if (b.re == 0 && b.im == 0)
    return el_number ((real_t) 1, (real_t) 0);
  if (a.re == 0 && a.im == 0)
    {
      const real_t infinite = 1 / (real_t) 0, none = infinite - infinite;
      return b.re > 0   ? el_number ((real_t) 0, (real_t) 0)
             : b.re < 0 ? el_number (infinite, (real_t) 0)
                        : el_number (none, none);
    }
  if (b.im == 0 && fabs_ (b.re) <= 1024 && b.re == el_math (floor) (b.re))
    {
      number_t z = el_number ((real_t) 1, (real_t) 0), x = a;
      for (int k = (int) fabs_ (b.re); k > 0; k /= 2)
        {
          if (k % 2)
            z = el_times (z, x);
          if (k > 1)
            x = el_times (x, x);
        }
      const real_t size = fabs_ (z.re) + fabs_ (z.im);
      if (size <= GE_REAL_MAX && (b.re > 0 || size > 0))
        return b.re < 0 ? el_divide (el_number ((real_t) 1, (real_t) 0), z) : z;
    }
  /* The modulus of huge parts overflows.  */
  real_t modulus = el_abs (a);
  const int huge = ! (modulus <= GE_REAL_MAX) && fabs_ (a.re) <= GE_REAL_MAX
                   && fabs_ (a.im) <= GE_REAL_MAX;
  if (huge)
    modulus = el_abs (el_number (a.re / 4, a.im / 4));
  const real_t log_of_4 = (real_t) 1.38629436111989061883,
               size = el_math (log) (modulus) + (huge ? log_of_4 : 0),
               arg = el_math (atan2) (a.im, a.re);
  if (b.im == 0)
    {
      const real_t scale = huge ? el_math (pow) ((real_t) 4, b.re) : 1,
                   rho = el_math (pow) (modulus, b.re) * scale, t = b.re * arg;
      if (rho == 0)
        return el_number ((real_t) 0, (real_t) 0);
      return el_number (rho * el_math (cos) (t), rho * el_math (sin) (t));
    }
  return el_exp (el_times (el_number (size, arg), b));
}

/* Compute OP, which is no test.  A_REAL, B_REAL: the operand is real, and the imaginary
   part, zero, is not used: otherwise 2 * (Inf + i) would have a NaN, and 1 + conj (1) would
   lose the sign of zero.  */
GE_INLINE number_t
el_complex (ge_map_op op, number_t a, number_t b, int a_real, int b_real)
{
  switch (op)
    {
    case GE_MAP_NEGATE:
      return el_number (-a.re, -a.im);
    case GE_MAP_ABS:
      return el_number (el_abs (a), 0);
    case GE_MAP_REAL:
      return el_number (a.re, 0);
    case GE_MAP_IMAG:
      return el_number (a.im, 0);
    case GE_MAP_ARG:
      return el_number (el_math (atan2) (a.im, a.re), 0);
    case GE_MAP_CONJ:
      return el_number (a.re, -a.im);
    case GE_MAP_PLUS:
      return el_number (a.re + b.re, b_real   ? a.im
                                     : a_real ? b.im
                                              : a.im + b.im);
    case GE_MAP_MINUS:
      return el_number (a.re - b.re, b_real   ? a.im
                                     : a_real ? -b.im
                                              : a.im - b.im);
    case GE_MAP_TIMES:
      if (a_real)
        return el_number (a.re * b.re, a.re * b.im);
      return b_real ? el_number (a.re * b.re, a.im * b.re) : el_times (a, b);
    case GE_MAP_DIVIDE:
      return b_real ? el_number (a.re / b.re, a.im / b.re) : el_divide (a, b);
    case GE_MAP_POWER:
      return el_power (a, b);
    case GE_MAP_MAX:
      return el_is_nan (b) || el_abs (a) >= el_abs (b) ? a : b;
    case GE_MAP_MIN:
      return el_is_nan (b) || el_abs (a) <= el_abs (b) ? a : b;
    case GE_MAP_MAX_OR_NAN:
      return el_is_nan (a) || el_abs (a) >= el_abs (b) ? a : b;
    case GE_MAP_MIN_OR_NAN:
      return el_is_nan (a) || el_abs (a) <= el_abs (b) ? a : b;
    default:
      return a;
    }
}

GE_INLINE int
el_test (ge_map_op op, number_t a, number_t b, int a_real, int b_real)
{
  const int same = a.re == b.re && a.im == b.im;
  const int order = op >= GE_MAP_LT && op <= GE_MAP_GE
                        ? el_compare (a, b, a_real, b_real)
                        : 2;
  switch (op)
    {
    case GE_MAP_EQ:
      return same;
    case GE_MAP_NE:
      return ! same;
    case GE_MAP_NOT_CONJ:
      return ! (a.re == b.re && a.im == -b.im);
    case GE_MAP_LT:
      return order == -1;
    case GE_MAP_LE:
      return order == -1 || order == 0;
    case GE_MAP_GT:
      return order == 1;
    case GE_MAP_GE:
      return order == 1 || order == 0;
    default:
      return 0;
    }
}

#undef el_math
#undef bits_t
#ifdef __CUDACC__
#  undef number_t
#endif
