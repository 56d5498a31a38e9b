/* Shared scalar math of the QR algorithm: 2-by-2 blocks of real matrices.
   No include guard: included once per precision, see cuda/base/scalar.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

/* Standard form of a real 2-by-2 block [a b; c d] by a rotation, as LAPACK's
   xLANV2 (Bai, Demmel, LAPACK working note 54):

       [cs sn; -sn cs] [a b; c d] [cs -sn; sn cs] = [a' b'; c' d']

   where c' = 0, or a' = d' and b' c' < 0: then the eigenvalues are a' +- i sqrt
   (|b'|) sqrt (|c'|).  Unlike in xLANV2 the test for real eigenvalues is relative to the
   norm of the block, and there is no scaling: callers scale the block to a norm near
   1.  */
GE_INLINE void
ge_standard_block (real_t *a, real_t *b, real_t *c, real_t *d, real_t *cs,
                   real_t *sn)
{
  const real_t half = (real_t) 0.5;
  *cs = 1;
  *sn = 0;
  if (*c == 0)
    return;
  if (*b == 0)
    {
      /* exchange rows and columns */
      const real_t x = *d;
      *cs = 0;
      *sn = 1;
      *d = *a;
      *a = x;
      *b = -*c;
      *c = 0;
      return;
    }
  if (*a == *d && (*b < 0) != (*c < 0))
    return;
  real_t difference = *a - *d, p = half * difference;
  const real_t larger = fmax_ (fabs_ (*b), fabs_ (*c));
  const real_t smaller = fmin_ (fabs_ (*b), fabs_ (*c))
                         * ((*b < 0) == (*c < 0) ? (real_t) 1 : (real_t) -1);
  const real_t scale = fmax_ (fabs_ (p), larger);
  real_t z = p / scale * p + larger / scale * smaller;
  if (z >= 4 * GE_EPS * scale)
    {
      /* real and distinct */
      z = p + copysign_ (sqrt_ (scale) * sqrt_ (z), p);
      *a = *d + z;
      *d = *d - larger / z * smaller;
      const real_t r = ge_hypot (*c, z);
      *cs = z / r;
      *sn = *c / r;
      *b = *b - *c;
      *c = 0;
      return;
    }
  /* complex, or real and nearly equal: make the diagonal equal */
  const real_t sigma = *b + *c, r = ge_hypot (sigma, difference);
  *cs = sqrt_ (half * (1 + fabs_ (sigma) / r));
  *sn = -(p / (r * *cs)) * copysign_ ((real_t) 1, sigma);
  const real_t aa = *a * *cs + *b * *sn, bb = -*a * *sn + *b * *cs;
  const real_t cc = *c * *cs + *d * *sn, dd = -*c * *sn + *d * *cs;
  *a = aa * *cs + cc * *sn;
  *b = bb * *cs + dd * *sn;
  *c = -aa * *sn + cc * *cs;
  *d = -bb * *sn + dd * *cs;
  const real_t mean = half * (*a + *d);
  *a = *d = mean;
  if (*c == 0)
    return;
  if (*b == 0)
    {
      const real_t x = *cs;
      *b = -*c;
      *c = 0;
      *cs = -*sn;
      *sn = x;
    }
  else if ((*b < 0) == (*c < 0))
    {
      /* real after all: make it triangular */
      const real_t rb = sqrt_ (fabs_ (*b)), rc = sqrt_ (fabs_ (*c));
      const real_t f = 1 / sqrt_ (fabs_ (*b + *c));
      p = copysign_ (rb * rc, *c);
      *a = mean + p;
      *d = mean - p;
      *b = *b - *c;
      *c = 0;
      const real_t c1 = rb * f, s1 = rc * f, x = *cs * c1 - *sn * s1;
      *sn = *cs * s1 + *sn * c1;
      *cs = x;
    }
}

/* Shifts from a real 2-by-2 block: its complex eigenvalues, or the real one nearer to d
   as a double shift.  */
GE_INLINE void
ge_block_shifts (real_t a, real_t b, real_t c, real_t d, real_t *re1,
                 real_t *im1, real_t *re2, real_t *im2)
{
  const real_t s = fabs_ (a) + fabs_ (b) + fabs_ (c) + fabs_ (d);
  *re1 = *im1 = *re2 = *im2 = 0;
  if (s == 0)
    return;
  a /= s;
  b /= s;
  c /= s;
  d /= s;
  const real_t mean = (a + d) / 2;
  const real_t det = (a - mean) * (d - mean) - b * c;
  const real_t root = sqrt_ (fabs_ (det));
  if (det >= 0)
    {
      *re1 = *re2 = mean * s;
      *im1 = root * s;
      *im2 = -*im1;
    }
  else
    {
      const real_t x = mean + root, y = mean - root;
      *re1 = *re2 = (fabs_ (x - d) <= fabs_ (y - d) ? x : y) * s;
    }
}
