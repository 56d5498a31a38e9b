/* Shared scalar math: elementary reflectors.
   No include guard: included once per precision, see cuda/base/scalar.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   H = I - tau [1; v] [1; v]' is unitary and H' [alpha; x] = [beta; 0] with real
   beta, as LAPACK's xLARFG makes it:

       mu = sqrt (|alpha|^2 + |x|^2),  beta = -sign (re alpha) mu,
       tau = (beta - alpha) / beta,    v = x / (alpha - beta).

   Unlike xLARFG, this does not rescale: callers scale the matrix so that its largest
   element is far above 1 (ge_cuda_scale_up).  A column whose sum of squares is at
   most FLOOR is smaller than that element by many powers of eps and counts as zero;
   above FLOOR no square that contributes to the rounded sum underflows.  */

/* Sums of squares at most GE_REFLECTOR_FLOOR are zero.  */
#if GE_DOUBLE
#  define GE_REFLECTOR ge_reflector_double
#  define GE_REFLECTOR_FLOOR 0x1p-900
#else
#  define GE_REFLECTOR ge_reflector_float
#  define GE_REFLECTOR_FLOOR 0x1p-90f
#endif

typedef struct
{
  real_t beta;
  real_t tau_re, tau_im;     /* 0: H = I, and v is zero, its first 1 included */
  real_t scale_re, scale_im; /* v = scale x */
} GE_REFLECTOR;

/* SQUARES: |x|^2.  */
GE_INLINE GE_REFLECTOR
ge_make_reflector (real_t re, real_t im, real_t squares)
{
  GE_REFLECTOR h;
  const real_t all = fma_ (re, re, fma_ (im, im, squares));
  h.beta = re;
  h.tau_re = h.tau_im = h.scale_re = h.scale_im = 0;
  if ((squares == 0 && im == 0) || all <= GE_REFLECTOR_FLOOR)
    return h;
  const real_t mu = sqrt_ (all), size = mu + fabs_ (re),
               sign = copysign_ ((real_t) 1, re);
  h.beta = -sign * mu;
  if (im == 0)
    {
      /* one division for tau = size / mu and 1 / (alpha - beta) */
      const real_t q = 1 / (mu * size);
      h.tau_re = size * size * q;
      h.scale_re = sign * mu * q;
      return h;
    }
  h.tau_re = size / mu;
  h.tau_im = sign * im / mu;
  /* alpha - beta = sign size + i im */
  const real_t q = 1 / fma_ (size, size, im * im);
  h.scale_re = sign * size * q;
  h.scale_im = -im * q;
  return h;
}

#undef GE_REFLECTOR_FLOOR
#undef GE_REFLECTOR
