/* Quadruple precision (about 33 digits), for references of the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef QUAD_H
#define QUAD_H 1

#if defined __x86_64__ || defined __i386__
__extension__ typedef __float128 quad;
#else
typedef long double quad; /* of 113 bits on other machines */
#endif
typedef _Complex float __attribute__ ((mode (TC))) quad_complex;

static inline quad
quad_abs (quad x)
{
  return x < 0 ? -x : x;
}

/* The larger one of the sizes of real and imaginary part.  */
static inline quad
quad_size (quad_complex a)
{
  const quad re = quad_abs (__real__ a), im = quad_abs (__imag__ a);
  return re > im ? re : im;
}

static inline quad_complex
quad_of (double _Complex x)
{
  quad_complex y;
  __real__ y = __real__ x;
  __imag__ y = __imag__ x;
  return y;
}

static inline double _Complex quad_round (quad_complex x)
{
  double _Complex y;
  __real__ y = (double) __real__ x;
  __imag__ y = (double) __imag__ x;
  return y;
}

#endif
