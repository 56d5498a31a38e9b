/* Scalar math of the one-sided Jacobi method, for C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A rotation makes two columns x, y orthogonal.  With a = x'x, b = y'y, and
   d = |x'y| > 0 (y turned by a phase first, so that x'y is real):

     x <- c x - s y,  y <- s x + c y,  x'x = a - t d,  y'y = b + t d

   t = s / c is the root of modulus at most 1 of t^2 + 2 z t - 1 = 0 with
   z = (b - a) / (2 d) (M. R. Hestenes 1958; eq. in line 23 of figure 4 of
   C.-C. Sun and Y.-S. Hu 2016).  */

/* The tangent.  The quotient form neither overflows nor underflows where a, b
   and d are of any scale.  */
GE_INLINE real_t
ge_onesided_tangent (real_t a, real_t b, real_t d)
{
  real_t z = (b - a) / (2 * d);
  return copysign_ ((real_t) 1, z) / (fabs_ (z) + sqrt_ (1 + z * z));
}

/* The same for |a|, |b|, |d| of the order of 1: one division less.  */
GE_INLINE real_t
ge_onesided_tangent_scaled (real_t a, real_t b, real_t d)
{
  real_t h = b - a, g = 2 * d;
  return copysign_ (g, h * g) / (fabs_ (h) + sqrt_ (h * h + g * g));
}

/* s, and m = 1 - c = s^2 / (1 + c) without cancellation: the rotation is written
   x - (s y + m x), y + (s x - m y), which rounds no more than it changes
   (H. Rutishauser, Numer. Math. 9 (1966) 1).  */
GE_INLINE void
ge_onesided_sine (real_t t, real_t *s, real_t *m)
{
  real_t c = 1 / sqrt_ (1 + t * t);
  *s = t * c;
  *m = *s * *s / (1 + c);
}

/* Quick reciprocals for angles: about 20 bits.  */
#ifdef __CUDA_ARCH__
#  if GE_DOUBLE
GE_INLINE real_t
ge_quick_reciprocal (real_t x)
{
  real_t y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}

GE_INLINE real_t
ge_quick_rsqrt (real_t x)
{
  real_t y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
#  else
GE_INLINE real_t
ge_quick_reciprocal (real_t x)
{
  return __frcp_rn (x);
}

GE_INLINE real_t
ge_quick_rsqrt (real_t x)
{
  return rsqrtf (x);
}
#  endif
#else
GE_INLINE real_t
ge_quick_reciprocal (real_t x)
{
  return (float) (1 / x);
}

GE_INLINE real_t
ge_quick_rsqrt (real_t x)
{
  return (float) (1 / sqrt_ (x));
}
#endif

/* A rotation for a, b, |d| of the order of 1 by its half angle h = tan (angle /
   2): x - s (y + h x), y + s (x - h y) with s = 2 h / (1 + h^2).  This is a
   rotation to full precision whatever h is, so the angle itself may be rough: a
   relative error of 1e-6 leaves 1e-6 of d, less than the other rotations of the
   sweep put back.  Late in the iteration, SQUARE = (cosine of x, y)^2 being
   small, one Newton step on the new inner product
     d ((1 - h^2)^2 - 4 h^2) - 2 (b - a) h (1 - h^2)
   makes the angle right to 1e-12, so that no sweep is needed to mend it.
   *T: the tangent of the angle, so that the squared lengths become a - t d and
   b + t d.  EXCHANGE decides from these: which of the two should be the longer
   one, LONGER = +1 x, -1 y; then the results change places (up to sign).  */
GE_INLINE void
ge_onesided_half_angle (real_t a, real_t b, real_t d, real_t square, int longer,
                        real_t *t, real_t *h, real_t *s, int *exchange)
{
  real_t e = b - a, g = 2 * d, w = fma_ (e, e, g * g);
  real_t root = w * ge_quick_rsqrt (w);
  real_t u = copysign_ (g, e * g) * ge_quick_reciprocal (fabs_ (e) + root);
  real_t p = fma_ (u, u, (real_t) 1);
  real_t k = u * ge_quick_reciprocal (1 + p * ge_quick_rsqrt (p));
  real_t gain = fma_ (2 * u, d, e); /* new y'y - x'x */
  *t = u;
  *exchange = longer > 0 ? gain > 0 : gain < 0;
  if (GE_DOUBLE && square < (real_t) 1e-7)
    {
      real_t kk = k * k, q = 1 - kk, f = fma_ (q, q, -4 * kk);
      f = fma_ (d, f, -2 * e * (k * q));
      real_t slope
          = fma_ (4 * d * k, q + 2, 2 * e * fma_ ((real_t) -3, kk, (real_t) 1));
      k = fma_ (f, ge_quick_reciprocal (slope), k);
    }
  if (*exchange) /* a right angle more or less */
    {
      real_t x = 1 + fabs_ (k), y = ge_quick_reciprocal (x);
      y = fma_ (y, fma_ (-x, y, (real_t) 1), y);
      k = (k - copysign_ ((real_t) 1, k)) * y;
    }
  p = fma_ (k, k, (real_t) 1);
  real_t q = ge_quick_reciprocal (p), r = fma_ (-p, q, (real_t) 1);
  q = fma_ (q, fma_ (r, r, r), q);
  *h = k;
  *s = 2 * k * q;
}

/* The shift that makes a matrix with lower Gershgorin bound LOWER and norm
   NORM (both of the order of 1) safely definite: eigenvalues of A + shift
   lie between NORM / 16 and about 2 NORM, so nothing cancels and the
   orthogonal columns are as well conditioned as their lengths.  Rounded to
   few bits, so that small integers and diagonal matrices stay exact.  */
GE_INLINE real_t
ge_onesided_shift (real_t lower, real_t norm)
{
  real_t s = norm / 16 - lower;
  real_t big = s * (GE_DOUBLE ? (real_t) 17592186044416.0 : (real_t) 32768.0);
  if (! (norm > 0))
    return 1;
  return (s + big) - big;
}

/* Has a sweep whose largest cosine was COSINE and whose largest rotation had
   the sine SINE left every cosine below TOL?  A later rotation of the sweep
   puts at most sine * cosine back into a pair, 2 n times at most.  An exchange
   of two columns is a rotation with sine 1: after it some pairs do not meet in
   this sweep.  */
GE_INLINE int
ge_onesided_done (real_t n, real_t sine, real_t cosine, real_t tol)
{
  return 2 * n * sine * cosine <= tol;
}
