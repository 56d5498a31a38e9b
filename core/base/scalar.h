/* The four scalar types.  A file in the list CORE_TYPED of CMakeLists.txt is
   compiled four times, with GE_SCALAR one of 0 (float), 1 (double), 2 (complex
   float) and 3 (complex double).  This header defines:

   scalar_t, real_t      the type and the real type of its precision
   GE_COMPLEX            1 or 0
   GE_EPS                eps of the precision, as Octave's eps ()
   FN (name)             name_s, name_d, name_c or name_z
   LAPACK (s, d, c, z)   picks one of four names of BLAS or LAPACK
   conj_, re_, im_, abs_, abs2_, make_   arithmetic that works for all four
   abs1_, part_, times_power_            from those
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCALAR_H
#define GE_SCALAR_H 1

#include "base/clones.h"
#include "base/inline.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#define GE_PASTE_(a, b) a##_##b
#define GE_PASTE(a, b) GE_PASTE_ (a, b)

#if GE_SCALAR == 0 || GE_SCALAR == 2
typedef float real_t;
#  define GE_DOUBLE 0
#  define GE_EPS FLT_EPSILON
#  define GE_REAL_MIN FLT_MIN
#  define GE_REAL_MAX FLT_MAX
#else
typedef double real_t;
#  define GE_DOUBLE 1
#  define GE_EPS DBL_EPSILON
#  define GE_REAL_MIN DBL_MIN
#  define GE_REAL_MAX DBL_MAX
#endif

#if GE_SCALAR == 0
typedef float scalar_t;
#  define GE_SUFFIX s
#  define LAPACK(s, d, c, z) s
#elif GE_SCALAR == 1
typedef double scalar_t;
#  define GE_SUFFIX d
#  define LAPACK(s, d, c, z) d
#elif GE_SCALAR == 2
typedef float _Complex scalar_t;
#  define GE_SUFFIX c
#  define LAPACK(s, d, c, z) c
#else
typedef double _Complex scalar_t;
#  define GE_SUFFIX z
#  define LAPACK(s, d, c, z) z
#endif

#define FN(name) GE_PASTE (name, GE_SUFFIX)

#define GE_COMPLEX (GE_SCALAR >= 2)

#if GE_COMPLEX
/* A complex number has the layout of an array of two reals (C17 6.2.5 13).  */
static inline real_t
re_ (scalar_t x)
{
  return ((const real_t *) &x)[0];
}

static inline real_t
im_ (scalar_t x)
{
  return ((const real_t *) &x)[1];
}

static inline scalar_t
make_ (real_t re, real_t im)
{
  scalar_t x;
  ((real_t *) &x)[0] = re;
  ((real_t *) &x)[1] = im;
  return x;
}

static inline scalar_t
conj_ (scalar_t x)
{
  return make_ (re_ (x), -im_ (x));
}

static inline real_t
abs_ (scalar_t x)
{
#  if GE_DOUBLE
  return hypot (re_ (x), im_ (x));
#  else
  return hypotf (re_ (x), im_ (x));
#  endif
}

static inline real_t
abs2_ (scalar_t x)
{
  return re_ (x) * re_ (x) + im_ (x) * im_ (x);
}
#else
static inline real_t
re_ (scalar_t x)
{
  return x;
}

static inline real_t
im_ (scalar_t x)
{
  (void) x;
  return 0;
}

static inline scalar_t
make_ (real_t re, real_t im)
{
  (void) im;
  return re;
}

static inline scalar_t
conj_ (scalar_t x)
{
  return x;
}

static inline real_t
abs_ (scalar_t x)
{
#  if GE_DOUBLE
  return fabs (x);
#  else
  return fabsf (x);
#  endif
}

static inline real_t
abs2_ (scalar_t x)
{
  return x * x;
}
#endif

/* The mathematical functions that the shared scalar math may use, by
   precision; cuda/base/scalar.cuh has the same names for the device.  */
#if GE_DOUBLE
#  define GE_MATH(name) name
#else
#  define GE_MATH(name) name##f
#endif
#define sqrt_(x) GE_MATH (sqrt) (x)
#define fabs_(x) GE_MATH (fabs) (x)
#define fma_(x, y, z) GE_MATH (fma) (x, y, z)
#define copysign_(x, y) GE_MATH (copysign) (x, y)
#define fmax_(x, y) GE_MATH (fmax) (x, y)
#define fmin_(x, y) GE_MATH (fmin) (x, y)

/* max (x, y), NaN if one of them is NaN (unlike fmax).  */
static inline real_t
larger_ (real_t x, real_t y)
{
  return x >= y || x != x ? x : y;
}

/* The sum of the moduli of the real and imaginary part, and the larger modulus.  */
static inline real_t
abs1_ (scalar_t x)
{
  return fabs_ (re_ (x)) + fabs_ (im_ (x));
}

static inline real_t
part_ (scalar_t x)
{
  return fmax_ (fabs_ (re_ (x)), fabs_ (im_ (x)));
}

/* X 2^E.  */
static inline scalar_t
times_power_ (scalar_t x, int e)
{
  return make_ (GE_MATH (ldexp) (re_ (x), e), GE_MATH (ldexp) (im_ (x), e));
}

/* The largest modulus of the real and imaginary parts of COUNT numbers, NaN if one is not
   finite; CTX as for ge_share_pass.  See checks_typed.c.  */
struct gpueig_context;
real_t FN (ge_largest_part) (struct gpueig_context *ctx, int64_t count,
                             const scalar_t *a);

#endif
