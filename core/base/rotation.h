/* Shared scalar math: plane rotations that annihilate one element.
   No include guard: included once per precision, see cuda/base/scalar.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The rotation of the Hermitian 2-by-2 matrix [a g; conj (g) b] with
   g = |g| (pr + i pi), |pr + i pi| = 1, is

       J = [c, s (pr + i pi); -s (pr - i pi), c],   s = t c,

   J' [a g; conj (g) b] J = diag (a - t |g|, b + t |g|).  t is the smaller of
   the two tangents, |t| <= 1 (Rutishauser 1966), so J tends to the identity as g
   tends to zero.  In real arithmetic the phase is 1 and g keeps its sign.

   Callers scale their matrices so that squares of elements that are not negligible
   neither overflow nor underflow; the functions here do not overflow for input below
   an eighth of the overflow threshold.  */

/* sqrt (x^2 + y^2) without overflow and harmful underflow, 2 ulp.  */
GE_INLINE real_t
ge_hypot (real_t x, real_t y)
{
  real_t ax = fabs_ (x), ay = fabs_ (y);
  real_t large = fmax_ (ax, ay), small = fmin_ (ax, ay);
  if (small == 0)
    return large;
  real_t r = small / large;
  return large * sqrt_ (r * r + 1);
}

/* The tangent t for real g of either sign; 0 for g = 0.  With d = b - a it is
   2 g sign (d) / (|d| + sqrt (d^2 + 4 g^2)): no division by g.  */
GE_INLINE real_t
ge_jacobi_tangent (real_t a, real_t b, real_t g)
{
  real_t d = b - a, twice = 2 * g;
  if (g == 0)
    return 0;
  real_t t = twice / (fabs_ (d) + ge_hypot (d, twice));
  return d < 0 ? -t : t;
}

/* Cosine and sine of a tangent.  1 / sqrt (1 + t^2) itself is biased: for t from
   2^-27 to 2^-15 (double) the computed c^2 + s^2 is half an eps too large on average,
   and the n rotations of a sweep lengthen vectors by O(n eps).  c computed as
   1 - (1 - c) has no bias.  */
GE_INLINE void
ge_tangent_to_cs (real_t t, real_t *c, real_t *s)
{
  real_t h = sqrt_ (t * t + 1);
  *c = 1 - t * t / (h * (h + 1));
  *s = *c * t;
}

/* c, s and t of the rotation of [a g; g b].  */
GE_INLINE void
ge_jacobi_rotation (real_t a, real_t b, real_t g, real_t *c, real_t *s,
                    real_t *t)
{
  *t = ge_jacobi_tangent (a, b, g);
  ge_tangent_to_cs (*t, c, s);
}

/* |g| and the phase of g = re + i im, of modulus 1 also where |g| is a subnormal number; the
   phase of 0 is 1.  */
GE_INLINE void
ge_phase (real_t re, real_t im, real_t *size, real_t *pr, real_t *pi)
{
  const real_t large = fmax_ (fabs_ (re), fabs_ (im));
  const real_t x = large > 0 ? re / large : 1, y = large > 0 ? im / large : 0;
  const real_t h = sqrt_ (x * x + y * y);
  *size = large * h;
  *pr = x / h;
  *pi = y / h;
}
