/* Scalar math of the one-sided Jacobi method, for C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A rotation makes two columns x, y orthogonal.  With a = x'x, b = y'y, and
   d = |x'y| > 0 (y multiplied by a phase first, so that x'y is real):

     x <- c x - s y,  y <- s x + c y,  x'x = a - t d,  y'y = b + t d

   t = s / c is the root of modulus at most 1 of t^2 + 2 z t - 1 = 0 with
   z = (b - a) / (2 d) (M. R. Hestenes 1958; C.-C. Sun and Y.-S. Hu 2016, figure 4,
   line 23).  */

/* The tangent t, without overflow or underflow for a, b and d of any size: for |z|
   above 1 / eps it is 1 / (2 z) to rounding, and z itself could overflow.  */
GE_INLINE real_t
ge_onesided_tangent (real_t a, real_t b, real_t d)
{
  if (fabs_ (d) < (GE_DOUBLE ? (real_t) 1e-16 : (real_t) 5e-8) * fabs_ (b - a))
    return d / (b - a);
  real_t z = (b - a) / (2 * d);
  return copysign_ ((real_t) 1, z) / (fabs_ (z) + sqrt_ (1 + z * z));
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

/* The rotation of columns x and r y, 0 < r <= 1, of which r may underflow: with A = x'x,
   B = y'y and D = x'y the tangent is R U; M = 1 - C.

     x <- C x - C R U (r y),  y <- C y + C U x

   In the unit r of y x has changed by a multiple of R^2 U, and y by one of U.  */
GE_INLINE void
ge_onesided_scaled (real_t a, real_t b, real_t d, real_t r, real_t *u,
                    real_t *c, real_t *m)
{
  real_t h = fma_ (b * r, r, -a), g = 2 * d * r;
  real_t root = sqrt_ (fma_ (h, h, g * g));
  root = fmax_ (root, fmax_ (fabs_ (h), fabs_ (g))); /* squares underflow */
  *u = copysign_ ((real_t) 2, h) * d / (fabs_ (h) + root);
  real_t t = r * *u;
  *c = 1 / sqrt_ (fma_ (t, t, (real_t) 1));
  *m = *c * t * (*c * t) / (1 + *c);
}

/* Approximate reciprocals for angles, accurate to about 20 bits.  */
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
   2): x - s (y + h x), y + s (x - h y) with s = 2 h / (1 + h^2).  This is a rotation to
   full precision for any h, so the angle may be approximate: with a relative error of
   1e-6 an inner product of 1e-6 d remains, less than what other rotations of the sweep
   add to it.  When SQUARE = (cosine of x, y)^2 is small, one Newton step on the new
   inner product
     d ((1 - h^2)^2 - 4 h^2) - 2 (b - a) h (1 - h^2)
   makes the angle accurate to 1e-12, which saves a sweep.
   *T: the tangent of the angle; the squared lengths become a - t d and b + t d.
   *EXCHANGE is set if the results are exchanged (up to sign), so that the longer one is
   x for LONGER = 1, y for LONGER = -1.  */
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
  if (*exchange) /* rotate by a further right angle */
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
   NORM (both of the order of 1) definite: eigenvalues of A + shift are between NORM / 16
   and about 2 NORM, so the matrix is well conditioned and there is no cancellation.
   Rounded to few bits, so that matrices of small integers and diagonal matrices remain
   exact.  */
GE_INLINE real_t
ge_onesided_shift (real_t lower, real_t norm)
{
  real_t s = norm / 16 - lower;
  real_t big = s * (GE_DOUBLE ? (real_t) 17592186044416.0 : (real_t) 32768.0);
  if (! (norm > 0))
    return 1;
  return (s + big) - big;
}

/* Nonzero if after a sweep with largest cosine COSINE and largest sine of a rotation SINE
   every cosine is below TOL.  Each later rotation of the sweep adds at most
   sine * cosine to the cosine of a pair, and there are at most 2 n.  An exchange of two
   columns counts as a rotation with sine 1, since some pairs then do not occur in this
   sweep.  */
GE_INLINE int
ge_onesided_done (real_t n, real_t sine, real_t cosine, real_t tol)
{
  return 2 * n * sine * cosine <= tol;
}
