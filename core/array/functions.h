/* Functions of one element, for C and for CUDA; included after elementwise.h in the same
   way.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifdef __CUDACC__
#  include <thrust/complex.h>
#  define el_math(name) name
#else
#  include <complex.h>
#  define el_math(name) GE_MATH (name)
#endif

#if GE_DOUBLE
#  define el_complex_t double _Complex
#  ifdef __CUDACC__
#    define number_t ge_number_d
#  endif
#else
#  define el_complex_t float _Complex
#  ifdef __CUDACC__
#    define number_t ge_number_s
#  endif
#endif

/* --- real --- */

/* The gamma function, Inf at the poles, as in Octave.  */
GE_INLINE real_t
el_gamma (real_t a)
{
  if (a == 0)
    return 1 / a;
  return a < 0 && a == el_math (floor) (a) ? 1 / (real_t) 0
                                           : el_math (tgamma) (a);
}

GE_INLINE real_t
el_function (ge_map_op op, real_t a)
{
  switch (op)
    {
    case GE_MAP_SQRT:
      return sqrt_ (a);
    case GE_MAP_EXP:
      return el_math (exp) (a);
    case GE_MAP_LOG:
      return el_math (log) (a);
    case GE_MAP_EXPM1:
      return el_math (expm1) (a);
    case GE_MAP_LOG1P:
      return el_math (log1p) (a);
    case GE_MAP_LOG2:
      return el_math (log2) (a);
    case GE_MAP_LOG10:
      return el_math (log10) (a);
    case GE_MAP_SIN:
      return el_math (sin) (a);
    case GE_MAP_COS:
      return el_math (cos) (a);
    case GE_MAP_TAN:
      return el_math (tan) (a);
    case GE_MAP_ASIN:
      return el_math (asin) (a);
    case GE_MAP_ACOS:
      return el_math (acos) (a);
    case GE_MAP_ATAN:
      return el_math (atan) (a);
    case GE_MAP_SINH:
      return el_math (sinh) (a);
    case GE_MAP_COSH:
      return el_math (cosh) (a);
    case GE_MAP_TANH:
      return el_math (tanh) (a);
    case GE_MAP_ERF:
      return el_math (erf) (a);
    case GE_MAP_FLOOR:
      return el_math (floor) (a);
    case GE_MAP_CEIL:
      return el_math (ceil) (a);
    case GE_MAP_ROUND:
      return el_math (round) (a);
    case GE_MAP_FIX:
      return el_math (trunc) (a);
    case GE_MAP_SIGN:
      return a > 0 ? (real_t) 1 : a < 0 ? (real_t) -1 : a != a ? a : 0;
    case GE_MAP_GAMMA:
      return el_gamma (a);
    default:
      return a;
    }
}

/* --- complex --- */

/* A function of the C library, or CUDA's.  */
#ifdef __CUDACC__
#  define EL_CALL(name, a)                                                     \
    el_of (thrust::name (thrust::complex<real_t> (a.re, a.im)))
GE_INLINE number_t
el_of (thrust::complex<real_t> z)
{
  return el_number (z.real (), z.imag ());
}
#else
#  define EL_CALL(name, a) el_of (el_math (c##name) (el_to (a)))
GE_INLINE number_t
el_of (el_complex_t z)
{
  number_t a;
  memcpy (&a, &z, sizeof a);
  return a;
}
GE_INLINE el_complex_t
el_to (number_t a)
{
  el_complex_t z;
  memcpy (&z, &a, sizeof z);
  return z;
}
#endif

/* Z or, where A is real and more than 1, the value on the other side of the cut, as in
   Octave.  */
GE_INLINE number_t
el_off_cut (number_t a, number_t z)
{
  return a.im == 0 && a.re > 1 ? el_number (z.re, -z.im) : z;
}

/* The logarithm; a real number has argument 0 or pi, and 0 for -0.  */
GE_INLINE number_t
el_log (number_t a, int a_real)
{
  const number_t z = EL_CALL (log, a);
  return a_real && ! (a.re < 0) ? el_number (z.re, 0) : z;
}

GE_INLINE number_t
el_complex_function (ge_map_op op, number_t a, int a_real)
{
  const real_t log_of_2 = (real_t) 0.69314718055994530942,
               log_of_10 = (real_t) 2.30258509299404568402;
  number_t z;
  switch (op)
    {
    case GE_MAP_SQRT:
      return el_sqrt (a);
    case GE_MAP_EXP:
      return el_exp (a);
    case GE_MAP_LOG:
      return el_log (a, a_real);
    case GE_MAP_EXPM1:
      {
        const real_t u = el_math (expm1) (a.re),
                     s = el_math (sin) (a.im * (real_t) 0.5), v = -2 * s * s;
        return el_number (u * v + u + v, (u + 1) * el_math (sin) (a.im));
      }
    case GE_MAP_LOG1P:
      if (fabs_ (a.re) < (real_t) 0.5)
        {
          const real_t u = 2 * a.re + a.re * a.re + a.im * a.im;
          return el_number (el_math (log1p) (u / (1 + sqrt_ (u + 1))),
                            el_math (atan2) (a.im, 1 + a.re));
        }
      return el_log (el_number (1 + a.re, a.im + 0), a_real);
    case GE_MAP_LOG2:
      z = el_log (a, a_real);
      return el_number (z.re / log_of_2, z.im / log_of_2);
    case GE_MAP_LOG10:
      z = el_log (a, a_real);
      return el_number (z.re / log_of_10, z.im / log_of_10);
    case GE_MAP_SIN:
      return EL_CALL (sin, a);
    case GE_MAP_COS:
      return EL_CALL (cos, a);
    case GE_MAP_TAN:
      return EL_CALL (tan, a);
    case GE_MAP_ASIN:
      return el_off_cut (a, EL_CALL (asin, a));
    case GE_MAP_ACOS:
      return el_off_cut (a, EL_CALL (acos, a));
    case GE_MAP_ATAN:
      return EL_CALL (atan, a);
    case GE_MAP_SINH:
      return EL_CALL (sinh, a);
    case GE_MAP_COSH:
      return EL_CALL (cosh, a);
    case GE_MAP_TANH:
      return EL_CALL (tanh, a);
    case GE_MAP_SIGN:
      {
        const real_t size = el_abs (a);
        return size == 0 ? el_number (size, size)
                         : el_number (a.re / size, a.im / size);
      }
    default: /* of both parts */
      return el_number (el_function (op, a.re), el_function (op, a.im));
    }
}

#undef EL_CALL
#undef el_complex_t
#undef el_math
#ifdef __CUDACC__
#  undef number_t
#endif
