/* Arithmetic that the inverse needs in addition to base/numbers.cuh: entries of the
   inverse from their factors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_NUMBER_CUH
#define GE_TDINV_NUMBER_CUH 1

#include "base/numbers.cuh"
#include "tdinv/tdinv.cuh"

#define TDINV_REAL(R)                                                          \
  GE_DEVICE_INLINE void tdinv_get (const R *re, const R *, int64_t at, R *x)   \
  {                                                                            \
    *x = re[at];                                                               \
  }                                                                            \
  GE_DEVICE_INLINE R tdinv_product (R u, R v, int32_t e)                       \
  {                                                                            \
    return tdinv_entry (u, v, e);                                              \
  }

#define TDINV_COMPLEX(C, R, make)                                              \
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
TDINV_COMPLEX (cuComplex, float, make_cuComplex)
TDINV_COMPLEX (cuDoubleComplex, double, make_cuDoubleComplex)

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
