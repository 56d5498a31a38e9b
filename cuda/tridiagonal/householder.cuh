/* Elementary reflectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   H = I - tau [1; v] [1; v]' is unitary and H' [alpha; x] = [beta; 0] with real
   beta, as LAPACK's xLARFG makes it:

       mu = sqrt (|alpha|^2 + |x|^2),  beta = -sign (re alpha) mu,
       tau = (beta - alpha) / beta,    v = x / (alpha - beta).

   Unlike xLARFG, this does not rescale: callers scale the matrix so that its largest
   element is far above 1 (ge_cuda_scale_up).  A column whose sum of squares is at
   most a floor is smaller than that element by many powers of eps and counts as zero;
   above the floor no square that contributes to the rounded sum underflows.  */

#ifndef GE_TRIDIAGONAL_HOUSEHOLDER_CUH
#define GE_TRIDIAGONAL_HOUSEHOLDER_CUH 1

#include "base/inverse.cuh"
#include "base/numbers.cuh"

/* The exponent that the largest element of a small page has in the reduction, and the factor
   for results.  */
template <typename R> struct reduce_scale;
template <> struct reduce_scale<double>
{
  static constexpr int exponent = 300;
  static constexpr double back = 0x1p-300;
};
template <> struct reduce_scale<float>
{
  static constexpr int exponent = 30;
  static constexpr double back = 0x1p-30;
};

template <typename T>
GE_DEVICE_INLINE ge_real<T>
largest_part (T x)
{
  return fmax (fabs (real_part (x)), fabs (imaginary_part (x)));
}

template <typename R> struct ge_reflector
{
  R beta;
  R tau_re, tau_im;     /* 0: H = I, and v is zero, its first 1 included */
  R scale_re, scale_im; /* v = scale x */
};

/* SQUARES: |x|^2.  Roots and quotients are approximations with one cubic correction each,
   accurate to one or two units in the last place; the quotient does not wait for the
   root.  */
template <typename R>
GE_DEVICE_INLINE ge_reflector<R>
ge_make_reflector (R re, R im, R squares)
{
  const R floor = sizeof (R) == sizeof (double) ? (R) 0x1p-900 : (R) 0x1p-90f;
  const R all = fma (re, re, fma (im, im, squares)), size = fabs (re);
  if ((squares == 0 && im == 0) || all <= floor)
    return { re, 0, 0, 0, 0 };
  const R root = approximate_inverse_root (all), near = all * root,
          near_length = near + size;
  const R guess = approximate_inverse (
      im == 0 ? near_length : fma (near_length, near_length, im * im));
  const R e = fma (-near, root, (R) 1), p = e * fma ((R) 0.375, e, (R) 0.5);
  const R mu = fma (near, p, near), inverse = fma (root, p, root);
  /* |alpha - beta|, or its square */
  const R length = mu + size,
          divisor = im == 0 ? length : fma (length, length, im * im);
  const R t = fma (-divisor, guess, (R) 1),
          q = fma (guess, fma (t, t, t), guess), sign = copysign ((R) 1, re);
  const R tau = fma (size, inverse, (R) 1);
  if (im == 0)
    return { -sign * mu, tau, 0, sign * q, 0 };
  return { -sign * mu, tau, sign * im * inverse, sign * length * q, -im * q };
}

#endif
