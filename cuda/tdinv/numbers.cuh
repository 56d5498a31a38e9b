/* Arithmetic that the inverse needs in addition to base/numbers.cuh: quotients
   and moduli rounded as in core/tdinv, and entries of the inverse from their factors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_NUMBER_CUH
#define GE_TDINV_NUMBER_CUH 1

#include "base/numbers.cuh"
#include "tdinv/tdinv.cuh"

#define TDINV_REAL(R)                                                          \
  GE_DEVICE_INLINE R tdinv_quotient (R a, R b) { return a / b; }               \
  GE_DEVICE_INLINE double tdinv_modulus (R a) { return fabs ((double) a); }    \
  /* -a / b divided by its modulus; 1 if a or b is zero.  */                   \
  GE_DEVICE_INLINE R tdinv_direction (R a, R b)                                \
  {                                                                            \
    return a == 0 || b == 0 || (a < 0) != (b < 0) ? 1 : -1;                    \
  }                                                                            \
  GE_DEVICE_INLINE void tdinv_get (const R *re, const R *, int64_t at, R *x)   \
  {                                                                            \
    *x = re[at];                                                               \
  }                                                                            \
  GE_DEVICE_INLINE R tdinv_product (R u, R v, int32_t e)                       \
  {                                                                            \
    return tdinv_entry (u, v, e);                                              \
  }

#define TDINV_COMPLEX(C, R, make, div)                                         \
  GE_DEVICE_INLINE C tdinv_quotient (C a, C b) { return div (a, b); }          \
  GE_DEVICE_INLINE double tdinv_modulus (C a)                                  \
  {                                                                            \
    return hypot ((double) a.x, (double) a.y);                                 \
  }                                                                            \
  GE_DEVICE_INLINE C tdinv_direction (C a, C b)                                \
  {                                                                            \
    double as = tdinv_modulus (a), bs = tdinv_modulus (b);                     \
    if (as == 0 || bs == 0)                                                    \
      return make (1, 0);                                                      \
    double ar = a.x / as, ai = a.y / as, br = b.x / bs, bi = b.y / bs;         \
    double re = -(ar * br + ai * bi), im = -(ai * br - ar * bi);               \
    double s = hypot (re, im);                                                 \
    return make ((R) (re / s), (R) (im / s));                                  \
  }                                                                            \
  GE_DEVICE_INLINE void tdinv_get (const R *re, const R *im, int64_t at, C *x) \
  {                                                                            \
    *x = make (re[at], im[at]);                                                \
  }                                                                            \
  GE_DEVICE_INLINE C tdinv_product (C u, C v, int32_t e)                       \
  {                                                                            \
    C x;                                                                       \
    tdinv_entry_complex (u.x, u.y, v.x, v.y, e, &x.x, &x.y);                   \
    return x;                                                                  \
  }

TDINV_REAL (float)
TDINV_REAL (double)
TDINV_COMPLEX (cuComplex, float, make_cuComplex, cuCdivf)
TDINV_COMPLEX (cuDoubleComplex, double, make_cuDoubleComplex, cuCdiv)

/* 2^-EXPONENT X, in two steps since the power alone may be out of range.  */
template <typename T>
GE_DEVICE_INLINE T
tdinv_unscaled (const tdinv_panel<T> *o, T x)
{
  typedef ge_real<T> R;
  if (o->exponent == 0)
    return x;
  int half = (int) (-o->exponent) / 2, rest = (int) (-o->exponent) - half;
  R f = tdinv_power (half, R ()), g = tdinv_power (rest, R ());
  return times (g, times (f, x));
}

GE_DEVICE_INLINE int32_t
tdinv_limited (int64_t e)
{
  const int64_t most = 1 << 20;
  return (int32_t) (e < -most ? -most : e > most ? most : e);
}

/* Store element AT of a panel.  */
template <typename T>
GE_DEVICE_INLINE void
tdinv_put (const tdinv_panel<T> *o, int64_t at, T x)
{
  if constexpr (is_complex<T>::value)
    if (o->x_re)
      {
        o->x_re[at] = x.x;
        o->x_im[at] = x.y;
        return;
      }
  o->x[at] = x;
}

#endif
