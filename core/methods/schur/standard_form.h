/* Shared scalar math of the QR algorithm: 2-by-2 blocks.
   No include guard: included once per precision, see cuda/base/scalar.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   With g = a - d, the eigenvalues of [a b; c d] are a + y and d - y, where y = b c / z, z is
   the root of z^2 - g z - b c = 0 of larger modulus, and (z, c) is the eigenvector of a + y.
   Nothing cancels in y, so that small eigenvalues of graded blocks are accurate.  g, b and c
   are first multiplied by a power of two, f, so that all finite numbers are accepted (LAPACK's
   xLANV2 from version 3.10 on scales a - d and b + c only, in a loop).  */

/* f.  SQUARES: the larger one of |g|^2 and |4 b c|, which becomes a normal number, as does
   the rounding error of 4 b c if that is the larger one.  LARGER: that of |b| and |c|, which
   does not overflow by this, as neither b nor c is 0.  */
GE_INLINE real_t
ge_block_factor (real_t squares, real_t larger)
{
  const real_t least = (real_t) (GE_DOUBLE ? 0x1p-960 : 0x1p-96);
  const real_t most = (real_t) (GE_DOUBLE ? 0x1p1020 : 0x1p124);
  if (squares < least)
    return larger > 1 ? (real_t) (GE_DOUBLE ? 0x1p300 : 0x1p50)
                      : (real_t) (GE_DOUBLE ? 0x1p600 : 0x1p100);
  return squares > most ? (real_t) (GE_DOUBLE ? 0x1p-600 : 0x1p-70) : 1;
}

/* --- real blocks --- */

/* Returns 1 / f; *G = f (a - d), *B and *C are multiplied by f, *DISCRIMINANT = g^2 + 4 b c of
   these, with an error of 2 ulps at most, so that its sign is right (W. Kahan; C.-P.
   Jeannerod, N. Louvet, J.-M. Muller, Math. Comp. 82, 2013).  b c must not be 0.  */
GE_INLINE real_t
ge_scale_block (real_t a, real_t *b, real_t *c, real_t d, real_t *g,
                real_t *discriminant)
{
  real_t gap = a - d, larger = fmax_ (fabs_ (*b), fabs_ (*c));
  real_t product = 4 * fmin_ (fabs_ (*b), fabs_ (*c)) * larger;
  const real_t f = ge_block_factor (fmax_ (gap * gap, product), larger);
  real_t inverse = 1;
  if (f != 1)
    {
      inverse = 1 / f;
      gap = fabs_ (gap) <= GE_REAL_MAX ? f * gap : f * a - f * d;
      *b *= f;
      *c *= f;
    }
  const int lower = fabs_ (*c) > fabs_ (*b);
  const real_t x = lower ? *c : *b, y = 4 * (lower ? *b : *c);
  product = x * y;
  *g = gap;
  *discriminant = fma_ (gap, gap, product) + fma_ (x, y, -product);
  return inverse;
}

/* Returns y of a block with real eigenvalues, whose G, X = f b, W = f c and DISCRIMINANT are
   scaled; *Z = f z.  INVERSE: 1 / f.  */
GE_INLINE real_t
ge_block_shift (real_t b, real_t c, real_t inverse, real_t g, real_t x,
                real_t w, real_t discriminant, real_t *z)
{
  const real_t product = x * w;
  *z = (real_t) 0.5 * (g + copysign_ (sqrt_ (discriminant), g));
  if (fabs_ (product) >= GE_EPS * (g * g))
    return product / *z * inverse;
  /* Negligible terms of the discriminant may have underflowed.  */
  return fabs_ (x) < fabs_ (w) ? w / *z * b : x / *z * c;
}

/* The rotation that makes the diagonal of a block with a conjugate pair of eigenvalues equal:
   b + c and g become hypot (b + c, g) and 0.  The larger one of the new b and c is half of that
   and of |b| + |c|, and the product of both is a quarter of the discriminant.  */
GE_INLINE void
ge_make_equal (real_t g, real_t discriminant, real_t *b, real_t *c, real_t *cs,
               real_t *sn)
{
  const real_t sum = *b + *c, difference = *b - *c;
  const real_t scale = fmax_ (fabs_ (sum), fabs_ (g));
  const real_t half = (real_t) 0.5;
  real_t h = 0;
  if (scale > 0)
    {
      const real_t x = sum / scale, y = g / scale;
      h = sqrt_ (x * x + y * y);
      *cs = sqrt_ (half * (1 + fabs_ (x) / h));
      *sn = -copysign_ (half, sum) * (y / (h * *cs));
    }
  const real_t first
      = copysign_ (half * fabs_ (difference) + half * (h * scale), sum);
  const real_t second = (real_t) 0.25 * discriminant / first;
  const int above = (difference < 0) == (first < 0);
  *b = above ? first : second;
  *c = above ? second : first;
}

/* Standard form of a real block by a rotation, as LAPACK's xLANV2 (Bai, Demmel, LAPACK
   working note 54):

       [cs sn; -sn cs] [a b; c d] [cs -sn; sn cs] = [a' b'; c' d']

   where c' = 0, or a' = d' and b' c' < 0: then the eigenvalues are a' +- i sqrt
   (|b'|) sqrt (|c'|).  Unlike in xLANV2 the exact sign of the discriminant decides, without
   a threshold, and the form follows from invariants of rotations, b - c, (a - d)^2 +
   (b + c)^2 and the discriminant, instead of products with the computed rotation.  */
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
  real_t upper = *b, lower = *c, g, discriminant;
  const real_t inverse
      = ge_scale_block (*a, &upper, &lower, *d, &g, &discriminant);
  if (discriminant >= 0)
    {
      real_t z;
      const real_t y
          = ge_block_shift (*b, *c, inverse, g, upper, lower, discriminant, &z);
      const real_t r = ge_hypot (lower, z);
      *cs = z / r;
      *sn = lower / r;
      *a += y;
      *d -= y;
      *b -= *c;
      *c = 0;
      return;
    }
  ge_make_equal (g, discriminant, &upper, &lower, cs, sn);
  *a = *d = half * *a + half * *d;
  *b = upper * inverse;
  *c = lower * inverse;
  if (*b == 0)
    {
      /* b' has underflowed: exchange rows and columns */
      const real_t x = *cs;
      *b = -*c;
      *c = 0;
      *cs = -*sn;
      *sn = x;
    }
}

/* Compute shifts from a real block: the complex eigenvalues, or the real eigenvalue nearer
   to d as a double shift.  */
GE_INLINE void
ge_block_shifts (real_t a, real_t b, real_t c, real_t d, real_t *re1,
                 real_t *im1, real_t *re2, real_t *im2)
{
  const real_t half = (real_t) 0.5;
  real_t x = b, w = c, g, discriminant, z;
  *re1 = *re2 = d;
  *im1 = *im2 = 0;
  if (b == 0 || c == 0)
    return;
  const real_t inverse = ge_scale_block (a, &x, &w, d, &g, &discriminant);
  if (discriminant >= 0)
    *re1 = *re2 = d - ge_block_shift (b, c, inverse, g, x, w, discriminant, &z);
  else
    {
      *re1 = *re2 = half * a + half * d;
      *im1 = half * sqrt_ (-discriminant) * inverse;
      *im2 = -*im1;
    }
}

/* --- complex blocks, numbers as {re, im} --- */

/* Y = f y and Z = f z, of G, B and C that are scaled.  */
GE_INLINE void
ge_complex_shift (const real_t g[2], const real_t b[2], const real_t c[2],
                  real_t y[2], real_t z[2])
{
  const real_t half = (real_t) 0.5;
  const real_t p[2] = { b[0] * c[0] - b[1] * c[1], b[0] * c[1] + b[1] * c[0] };
  const real_t re = (g[0] - g[1]) * (g[0] + g[1]) + 4 * p[0];
  const real_t im = 2 * g[0] * g[1] + 4 * p[1];
  const real_t r = sqrt_ (half * (ge_hypot (re, im) + fabs_ (re)));
  const real_t q = r > 0 ? half * im / r : 0;
  real_t x = re >= 0 ? r : fabs_ (q), w = re >= 0 ? q : copysign_ (r, im);
  const real_t sign = g[0] * x + g[1] * w < 0 ? -half : half;
  z[0] = half * g[0] + sign * x;
  z[1] = half * g[1] + sign * w;
  const real_t inverse = 1 / (z[0] * z[0] + z[1] * z[1]);
  x = z[0] * inverse;
  w = -z[1] * inverse;
  y[0] = p[0] * x - p[1] * w;
  y[1] = p[0] * w + p[1] * x;
}

/* The eigenvalues of a complex block, NEAR = d - y and FAR = a + y, accurate relative to z;
   (Z, C), a multiple of the eigenvector (z, c).  */
GE_INLINE void
ge_complex_block (const real_t a[2], const real_t b[2], real_t c[2],
                  const real_t d[2], real_t z[2], real_t near[2], real_t far[2])
{
  const real_t half = (real_t) 0.5;
  const real_t upper = fabs_ (b[0]) + fabs_ (b[1]);
  const real_t lower = fabs_ (c[0]) + fabs_ (c[1]);
  const real_t larger = fmax_ (upper, lower), smaller = fmin_ (upper, lower);
  real_t g[2] = { a[0] - d[0], a[1] - d[1] }, x[2], y[2];
  const real_t size = fabs_ (g[0]) + fabs_ (g[1]);
  const real_t f = smaller == 0
                       ? half
                       : ge_block_factor (
                           fmax_ (size * size, 4 * smaller * larger), larger);
  for (int i = 0; i < 2; i++)
    {
      z[i] = g[i]
          = fabs_ (g[i]) <= GE_REAL_MAX ? f * g[i] : f * a[i] - f * d[i];
      x[i] = f * b[i];
      c[i] *= f;
      y[i] = 0;
    }
  if (smaller > 0)
    ge_complex_shift (g, x, c, y, z);
  const real_t inverse = f == 1 ? 1 : 1 / f;
  for (int i = 0; i < 2; i++)
    {
      near[i] = d[i] - y[i] * inverse;
      far[i] = a[i] + y[i] * inverse;
    }
}
