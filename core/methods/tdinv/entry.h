/* One entry of a tridiagonal inverse from its two factors, for C and for CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   No include guard on purpose, see cuda/base/scalar.cuh.

   e is the sum of the exponents of both factors.  Each mantissa is multiplied by half
   of the power of two, which is exact; the product then rounds once, underflows
   gradually and overflows to Inf.  Exponents beyond the limits always give 0 or
   Inf.  */

GE_INLINE real_t
tdinv_power (int32_t k, real_t like)
{
  real_t x;
  (void) like;
#if GE_DOUBLE
  uint64_t bits = (uint64_t) (uint32_t) (k + 1023) << 52;
#else
  uint32_t bits = (uint32_t) (k + 127) << 23;
#endif
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* The exponent within limits that change no result.  */
GE_INLINE int32_t
tdinv_clamp (int32_t e, real_t like)
{
  (void) like;
#if GE_DOUBLE
  const int32_t least = -1200, most = 1100;
#else
  const int32_t least = -180, most = 150;
#endif
  e = e < least ? least : e;
  return e > most ? most : e;
}

GE_INLINE real_t
tdinv_entry (real_t u, real_t v, int32_t e)
{
  e = tdinv_clamp (e, u);
  int32_t half = e >> 1;
  return (u * tdinv_power (half, u)) * (v * tdinv_power (e - half, u));
}

/* As tdinv_entry, for complex numbers (ur, ui) (vr, vi).  */
GE_INLINE void
tdinv_entry_complex (real_t ur, real_t ui, real_t vr, real_t vi, int32_t e,
                     real_t *re, real_t *im)
{
  e = tdinv_clamp (e, ur);
  int32_t half = e >> 1;
  real_t f = tdinv_power (half, ur), g = tdinv_power (e - half, ur);
  ur *= f;
  ui *= f;
  vr *= g;
  vi *= g;
  *re = ur * vr - ui * vi;
  *im = ur * vi + ui * vr;
}

/* Nonzero if entries whose factors have the sum of exponents E, or less, round to
   zero.  */
GE_INLINE int
tdinv_is_zero (int64_t e, real_t like)
{
  (void) like;
#if GE_DOUBLE
  return e < -1080;
#else
  return e < -155;
#endif
}
