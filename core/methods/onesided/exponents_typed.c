/* One-sided Jacobi for vectors of any range, see exponents.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"
#include "base/solver.h"
#include "onesided/exponents.h"
#include "onesided/rotate.h"

#include <stdint.h>

enum
{
  MOST_SWEEPS = 60, /* usually at most ten are needed */
  FAR = 16          /* exponent of a length at which a column is scaled */
};

typedef struct
{
  real_t xx, yy; /* x'x and y'y */
  real_t a, b;   /* x'J x and y'J y */
  real_t re, im; /* x'J y */
} products;

GE_CLONES_OF (VECTOR, static, products, multiply,
              (int64_t n, const real_t *sign, const scalar_t *x,
               const scalar_t *y),
              (n, sign, x, y))
{
  const real_t *u = (const real_t *) x, *v = (const real_t *) y;
  real_t xx = 0, yy = 0, a = 0, b = 0, re = 0, im = 0;
#if GE_COMPLEX
#  pragma omp simd reduction(+ : xx, yy, a, b, re, im)
  for (int64_t i = 0; i < n; i++)
    {
      const real_t j = sign[i];
      const real_t ur = u[2 * i], ui = u[2 * i + 1];
      const real_t vr = v[2 * i], vi = v[2 * i + 1];
      const real_t uu = ur * ur + ui * ui, vv = vr * vr + vi * vi;
      xx += uu;
      yy += vv;
      a += j * uu;
      b += j * vv;
      re += j * (ur * vr + ui * vi);
      im += j * (ur * vi - ui * vr);
    }
#else
#  pragma omp simd reduction(+ : xx, yy, a, b, re)
  for (int64_t i = 0; i < n; i++)
    {
      const real_t j = sign[i];
      const real_t uu = u[i] * u[i], vv = v[i] * v[i];
      xx += uu;
      yy += vv;
      a += j * uu;
      b += j * vv;
      re += j * (u[i] * v[i]);
    }
#endif
  return (products){ xx, yy, a, b, re, im };
}

/* (x, y) <- (x - (conj (p) sx y + m x), y + (p sy x - m y)) with p = PR + i PI.  */
GE_CLONES (VECTOR, static, void, combine,
           (int64_t n, scalar_t *x, scalar_t *y, real_t pr, real_t pi,
            real_t sx, real_t sy, real_t m),
           (n, x, y, pr, pi, sx, sy, m))
{
  real_t *u = (real_t *) x, *v = (real_t *) y;
#if GE_COMPLEX
#  pragma omp simd
  for (int64_t i = 0; i < n; i++)
    {
      const real_t xr = u[2 * i], xi = u[2 * i + 1];
      const real_t yr = v[2 * i], yi = v[2 * i + 1];
      u[2 * i] = xr - (sx * (pr * yr + pi * yi) + m * xr);
      u[2 * i + 1] = xi - (sx * (pr * yi - pi * yr) + m * xi);
      v[2 * i] = yr + (sy * (pr * xr - pi * xi) - m * yr);
      v[2 * i + 1] = yi + (sy * (pr * xi + pi * xr) - m * yi);
    }
#else
  (void) pi;
#  pragma omp simd
  for (int64_t i = 0; i < n; i++)
    {
      const real_t xr = u[i], yr = v[i];
      u[i] = xr - (sx * (pr * yr) + m * xr);
      v[i] = yr + (sy * (pr * xr) - m * yr);
    }
#endif
}

int
FN (ge_onesided_normalize) (int64_t count, void *data)
{
  scalar_t *x = data;
  const real_t largest = FN (ge_largest_part) (NULL, count, x);
  int e;
  if (! (largest > 0))
    return GE_EXPONENT_OF_ZERO;
  (void) GE_MATH (frexp) (largest, &e);
  /* Subnormal numbers need more than a factor.  */
  for (int64_t i = 0; i < count; i++)
    x[i] = times_power_ (x[i], -e);
  return e;
}

/* Column J of C, of the squared length XX, to a length near 1 if it is far from it; nonzero if
   it was.  */
static int
keep_near (const ge_onesided_columns *c, int64_t j, real_t xx)
{
  const real_t far = GE_MATH (ldexp) (1, 2 * FAR);
  if ((xx < far && xx > 1 / far) || xx != xx)
    return 0;
  const int e = FN (ge_onesided_normalize) (c->length,
                                            (scalar_t *) c->x + c->length * j);
  c->e[j] = e == GE_EXPONENT_OF_ZERO ? e : c->e[j] + e;
  return 1;
}

/* Make columns I and J orthogonal; returns their cosine before.  */
static real_t
rotate (const ge_onesided_columns *c, int64_t i, int64_t j)
{
  const int64_t n = c->length, k = c->count;
  const real_t tol = (2 + sqrt_ ((real_t) n)) * GE_EPS;
  /* x is the longer one */
  const int64_t p = c->e[i] < c->e[j] ? j : i, q = i + j - p;
  scalar_t *x = (scalar_t *) c->x + n * p, *y = (scalar_t *) c->x + n * q;
  if (c->e[q] == GE_EXPONENT_OF_ZERO)
    return 0;
  products g = multiply (n, c->sign, x, y);
  if (keep_near (c, p, g.xx) | keep_near (c, q, g.yy))
    return rotate (c, i, j);
  const real_t d = GE_COMPLEX ? GE_MATH (hypot) (g.re, g.im) : fabs_ (g.re);
  const real_t cosine = d / (sqrt_ (g.xx) * sqrt_ (g.yy));
  if (! (cosine > tol))
    return 0;
  const int gap = c->e[q] - c->e[p];
  const real_t r = GE_MATH (ldexp) (1, gap > -4000 ? gap : -4000);
  real_t u, cosine_of, m;
  ge_onesided_scaled (g.a, g.b, d, r, &u, &cosine_of, &m);
  const real_t turn = cosine_of * (r * u);
  if (! (fabs_ (u) <= GE_REAL_MAX))
    return cosine;
  combine (n, x, y, g.re / d, g.im / d, turn * r, cosine_of * u, m);
  if (c->v)
    combine (k, (scalar_t *) c->v + k * p, (scalar_t *) c->v + k * q, g.re / d,
             g.im / d, turn, turn, m);
  return cosine;
}

gpueig_status
FN (ge_onesided_orthogonalize) (gpueig_context *ctx, ge_onesided_columns *c)
{
  for (int sweep = 1; sweep <= MOST_SWEEPS; sweep++)
    {
      real_t cosine = 0;
      for (int64_t i = 0; i < c->count; i++)
        {
          if (ctx && i % 8 == 0)
            GE_TRY (ge_check_interrupt (ctx));
          for (int64_t j = i + 1; j < c->count; j++)
            cosine = fmax_ (cosine, rotate (c, i, j));
        }
      c->sweeps = sweep;
      if (cosine == 0)
        return GPUEIG_OK;
    }
  c->sweeps = -MOST_SWEEPS;
  return GPUEIG_OK;
}
